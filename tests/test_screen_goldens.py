"""Every screen and dialog of both rule sets at 80x24 and 120x40 as plain text, and pictures of the main ones.

The texts are in tests/screens, the pictures in tests/pictures. With WRITE_SCREENS=1 both are written anew: then look.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.library import copy_example
from tests.screen import assert_screen, press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.replay_screen import ReplayScreen

SIZES = ((80, 24), (120, 40))
PICTURES = Path(__file__).parent / "pictures"

IN_BATTLE: dict[str, tuple[str, int, tuple[str, ...]]] = {
    # name: rule set, the entry after which it is looked at, the keys that lead there
    "farm": ("suppression-fire", 14, ()),
    "farm-over": ("suppression-fire", 57, ()),
    "farm-tracker": ("suppression-fire", 14, ("2",)),
    "farm-log": ("suppression-fire", 57, ("3", "k", "k")),
    "farm-orders": ("suppression-fire", 14, ("enter",)),
    "farm-palette": ("suppression-fire", 14, ("colon",)),
    "farm-palette-search": ("suppression-fire", 14, ("colon", *"sup")),
    "farm-declare": ("suppression-fire", 13, ("d",)),
    "farm-declare-chosen": ("suppression-fire", 13, ("d", "down", "space")),
    "farm-muster": ("suppression-fire", 10, ("M",)),
    "farm-muster-search": ("suppression-fire", 10, ("M", *"guard")),
    "farm-muster-own": ("suppression-fire", 10, ("M", "right")),
    "farm-amend": ("suppression-fire", 10, ("A",)),
    "farm-copy": ("suppression-fire", 10, ("C",)),
    "farm-casualties": ("suppression-fire", 14, ("c",)),
    "farm-wounds": ("suppression-fire", 14, ("h",)),
    "farm-mark": ("suppression-fire", 14, ("s",)),
    "farm-note": ("suppression-fire", 14, ("n",)),
    "farm-mission": ("suppression-fire", 14, ("O",)),
    "farm-score": ("suppression-fire", 14, ("S",)),
    "farm-end": ("suppression-fire", 14, ("B",)),
    "farm-tested": ("suppression-fire", 14, ("down", "t", "enter")),
    "farm-dice": ("suppression-fire", 14, ("D", "down", "t", "enter", "3")),
    "farm-correct": ("suppression-fire", 15, ("ctrl+e",)),
    "farm-why": ("suppression-fire", 15, ("down", "w")),
    "farm-history": ("suppression-fire", 57, ("H",)),
    "farm-entry": ("suppression-fire", 15, ("3", "enter")),
    "farm-help": ("suppression-fire", 14, ("question_mark",)),
    "farm-help-log": ("suppression-fire", 14, ("3", "question_mark")),
    "farm-rulebook": ("suppression-fire", 14, ("ctrl+t",)),
    "farm-clause": ("suppression-fire", 14, ("ctrl+t", "down", "down", "enter")),
    "farm-filter": ("suppression-fire", 57, ("slash", *"roll:lead")),
    "farm-find": ("suppression-fire", 57, ("ctrl+f", *"unit:s")),
    "farm-jump": ("suppression-fire", 14, ("space",)),
    "farm-refused": ("suppression-fire", 14, ("m",)),
    "landing": ("gray-dawn", 20, ()),
    "landing-over": ("gray-dawn", 42, ()),
    "landing-tracker": ("gray-dawn", 20, ("2",)),
    "landing-log": ("gray-dawn", 42, ("3", "k", "k")),
    "landing-orders": ("gray-dawn", 20, ("enter",)),
    "landing-palette": ("gray-dawn", 20, ("colon",)),
    "landing-covering-fire": ("gray-dawn", 11, ("end", "d")),
    "landing-covering-fire-chosen": ("gray-dawn", 11, ("end", "d", "down", "down", "space")),
    "landing-lane": ("gray-dawn", 11, ("l",)),
    "landing-stance": ("gray-dawn", 11, ("s",)),
    "landing-muster": ("gray-dawn", 9, ("M",)),
    "landing-muster-own": ("gray-dawn", 9, ("M", "right")),
    "landing-copy": ("gray-dawn", 9, ("C",)),
    "landing-amend": ("gray-dawn", 9, ("A",)),
    "landing-wounds": ("gray-dawn", 20, ("h",)),
    "landing-set": ("gray-dawn", 20, ("T",)),
    "landing-why": ("gray-dawn", 20, ("end", "w")),
    "landing-history": ("gray-dawn", 42, ("H",)),
    "landing-help": ("gray-dawn", 20, ("question_mark",)),
    "landing-rulebook": ("gray-dawn", 20, ("ctrl+t",)),
    "landing-filter": ("gray-dawn", 42, ("slash", *"side:v")),
    "landing-jump": ("gray-dawn", 20, ("space",)),
}

IN_REPLAY: dict[str, tuple[str, int, tuple[str, ...]]] = {
    # name: rule set, the entry after which it is looked at, the keys that lead on
    "farm-replay": ("suppression-fire", 21, ()),
    "farm-replay-beginning": ("suppression-fire", 0, ()),
    "farm-replay-log": ("suppression-fire", 21, ("3", "k")),
    "farm-replay-branch": ("suppression-fire", 31, ()),
    "farm-replay-take-backs": ("suppression-fire", 31, ("U", "right", "3")),
    "farm-replay-changes": ("suppression-fire", 14, ("x", "t", "t", "c")),
    "farm-replay-hidden": ("suppression-fire", 21, ("z",)),
    "farm-replay-note": ("suppression-fire", 21, ("a", *"here it turned")),
    "farm-replay-bookmarks": ("suppression-fire", 21, ("a", *"here it turned", "enter", "left", "m", "b")),
    "farm-replay-bookmarked": ("suppression-fire", 21, ("a", *"here it turned", "enter")),
    "farm-replay-number": ("suppression-fire", 21, ("ctrl+g", "3")),
    "farm-replay-continue": ("suppression-fire", 21, ("C",)),
    "farm-replay-help": ("suppression-fire", 21, ("3", "question_mark")),
    "farm-replay-palette": ("suppression-fire", 21, ("colon",)),
    "landing-replay": ("gray-dawn", 15, ()),
    "landing-replay-over": ("gray-dawn", 42, ()),
    "landing-replay-changes": ("gray-dawn", 10, ("x", "s", "s", "s", "c")),
    "landing-replay-hidden": ("gray-dawn", 15, ("z",)),
    "landing-replay-filter": ("gray-dawn", 15, ("slash", *"roll:def")),
}

AT_HOME: dict[str, tuple[str, ...]] = {
    "home": (),
    "home-help": ("question_mark",),
    "home-demo": ("d",),
    "home-new": ("n",),
    "home-new-named": ("n", "down", *"Orks", "down", *"Men"),
}

PAINTED = (
    "farm",
    "farm-declare-chosen",
    "farm-dice",
    "farm-why",
    "farm-jump",
    "farm-replay",
    "farm-replay-changes",
    "farm-replay-take-backs",
    "landing",
    "landing-lane",
    "landing-why",
    "landing-replay",
    "landing-replay-changes",
)
"""The main ones, of which there are pictures too."""


@pytest.fixture(autouse=True)
def same_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No screen depends on the time, the place, or the one who looks."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr("saves.battle.now", lambda: 1_800_000_000_000)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADSDOWN_HOME", "battles")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", IN_BATTLE)
async def test_the_battle_and_its_dialogs(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    rules, after, keys = IN_BATTLE[name]
    with OpenBattle.open(_as_after(rules, after, tmp_path)) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=size) as pilot:
            await press(pilot, *keys)
            await pilot.pause(0.2)  # for odds, which are computed aside
            assert_screen(app, f"{name}-{size[0]}x{size[1]}")
            if name in PAINTED:
                assert_picture(app, f"{name}-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", IN_REPLAY)
async def test_the_replay_and_its_dialogs(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    rules, at, keys = IN_REPLAY[name]
    with OpenBattle.open(copy_example(rules, tmp_path)) as battle:
        app = HeadsdownApp(lambda: ReplayScreen(battle, at))
        async with app.run_test(size=size) as pilot:
            await press(pilot, *keys)
            assert_screen(app, f"{name}-{size[0]}x{size[1]}")
            if name in PAINTED:
                assert_picture(app, f"{name}-{size[0]}x{size[1]}")


def _as_after(rules: str, after: int, folder: Path) -> Path:
    """The bundled battle as it was after an entry: what came later is not in the file."""
    path = copy_example(rules, folder)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: after + 1]))
    return path


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", AT_HOME)
async def test_home_and_its_dialogs(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    folder = tmp_path / "battles"
    for at, rules in enumerate(("suppression-fire", "gray-dawn")):
        os.utime(copy_example(rules, folder), (1_800_000_000 + at, 1_800_000_000 + at))
    bad = folder / "torn-to-pieces.battle.jsonl"
    bad.write_bytes(b"no battle at all\n")
    os.utime(bad, (1_700_000_000, 1_700_000_000))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=size) as pilot:
        await press(pilot, *AT_HOME[name])
        assert_screen(app, f"{name}-{size[0]}x{size[1]}")
        if name == "home":
            assert_picture(app, f"{name}-{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_too_small(size: tuple[int, int], tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path)) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert_screen(app, f"too-small-{size[0]}x{size[1]}")


def assert_picture(app: HeadsdownApp, name: str) -> None:
    """Compare with the picture kept under that name."""
    drawn = app.export_screenshot(title="headsdown")
    kept = PICTURES / f"{name}.svg"
    if os.environ.get("WRITE_SCREENS") == "1":
        PICTURES.mkdir(exist_ok=True)
        kept.write_text(drawn, encoding="utf-8")
        return
    assert drawn == kept.read_text(encoding="utf-8")
