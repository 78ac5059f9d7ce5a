"""Every screen and dialog of both rule sets at 80x24 and 120x40 as plain text, and pictures of the main ones.

The texts are in tests/screens, the pictures in tests/pictures. With WRITE_SCREENS=1 both are written anew: then look.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from saves.battle import OpenBattle
from saves.library import copy_example
from tests.moments import AT_HOME, IN_BATTLE, IN_REPLAY, same_everywhere, shown
from tests.painted import told_by_colour_alone
from tests.screen import assert_screen
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.settings import THEME_TITLES, USUAL_THEME
from tui.sizes import LEAST

SIZES = ((80, 24), (120, 40))
PICTURES = Path(__file__).parent / "pictures"

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

SMALL = (
    "farm", "farm-tracker", "farm-log", "farm-declare-chosen", "farm-dice", "farm-why", "farm-palette",
    "landing", "landing-covering-fire-chosen", "landing-lane", "landing-dice", "home", "home-damaged", "home-new",
)  # fmt: skip
"""Those that are looked at on the smallest terminal too."""

IN_EACH_THEME = ("farm", "farm-declare-chosen", "landing-why", "home")
"""Those of which there is a picture in each theme and one without colours."""


@pytest.fixture(autouse=True)
def same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    same_everywhere(monkeypatch, tmp_path)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", [*IN_BATTLE, *IN_REPLAY, *AT_HOME])
async def test_every_screen_and_its_dialogs(name: str, size: tuple[int, int], tmp_path: Path) -> None:
    async with shown(name, size, tmp_path) as pilot:
        assert_screen(pilot.app, f"{name}-{size[0]}x{size[1]}")
        assert told_by_colour_alone(pilot.app) == []
        if name in PAINTED:
            assert_picture(pilot.app, f"{name}-{size[0]}x{size[1]}")


@pytest.mark.parametrize("name", SMALL)
async def test_a_small_terminal(name: str, tmp_path: Path) -> None:
    """At 60 by 20 one can play: battle, form, dice and home."""
    async with shown(name, LEAST, tmp_path) as pilot:
        assert_screen(pilot.app, f"{name}-{LEAST[0]}x{LEAST[1]}")


@pytest.mark.parametrize("theme", [theme for theme in THEME_TITLES if theme != USUAL_THEME])
@pytest.mark.parametrize("name", IN_EACH_THEME)
async def test_the_themes(name: str, theme: str, tmp_path: Path) -> None:
    async with shown(name, (80, 24), tmp_path, theme) as pilot:
        assert_screen(pilot.app, f"{name}-80x24")
        assert_picture(pilot.app, f"{name}-80x24-{theme}")


@pytest.mark.parametrize("name", IN_EACH_THEME)
async def test_without_colours(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with shown(name, (80, 24), tmp_path) as pilot:
        assert_screen(pilot.app, f"{name}-80x24")
        assert_picture(pilot.app, f"{name}-80x24-no-colour")


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_too_small(size: tuple[int, int], tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path)) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert_screen(app, f"too-small-{size[0]}x{size[1]}")


def assert_picture(app: App[Any], name: str) -> None:
    """Compare with the picture kept under that name."""
    drawn = app.export_screenshot(title="headsdown")
    kept = PICTURES / f"{name}.svg"
    if os.environ.get("WRITE_SCREENS") == "1":
        PICTURES.mkdir(exist_ok=True)
        kept.write_text(drawn, encoding="utf-8")
        return
    assert drawn == kept.read_text(encoding="utf-8")
