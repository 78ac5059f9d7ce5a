"""Moments of the bundled battles and of the home screen, at which screens are compared, measured and painted."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from saves.battle import OpenBattle
from saves.library import copy_example
from tests.screen import press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.replay_screen import ReplayScreen

IN_BATTLE: dict[str, tuple[str, int, tuple[str, ...]]] = {
    # name: rule set, the entry after which it is looked at, the keys that lead there
    "farm": ("suppression-fire", 14, ()),
    "farm-over": ("suppression-fire", 57, ()),
    "farm-undone": ("suppression-fire", 14, ("u", "u", "3")),
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
    "landing-dice": ("gray-dawn", 11, ("end", "d", "down", "down", "space", "enter", "3")),
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
    "home-damaged": ("down", "down", "enter"),
    "home-palette": ("colon",),
    "home-search": ("slash", *"side:w"),
    "home-sort": ("s",),
    "home-rename": ("r",),
    "home-trash": ("T",),
    "home-remove": ("T", "x"),
    "home-throw-away": ("x",),
    "home-take-in": ("t", *"battles/"),
    "home-looks": ("ctrl+l",),
    "home-new": ("n",),
    "home-new-named": ("n", "down", *"Orks", "down", *"Men"),
}

NOW = 1_800_000_000


def same_everywhere(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make screens not depend on the time, the place, or the one who looks; `folder` is that of this process."""
    patch.setenv("TZ", "UTC")
    time.tzset()
    patch.setattr("saves.battle.now", lambda: NOW * 1000)
    patch.chdir(folder)
    patch.setenv("HEADSDOWN_HOME", "battles")


def keys_to(name: str) -> tuple[str, ...]:
    """The keys that lead to a moment."""
    for moments in (IN_BATTLE, IN_REPLAY):
        if name in moments:
            return moments[name][2]
    return AT_HOME[name]


@asynccontextmanager
async def shown(
    name: str, size: tuple[int, int], folder: Path, theme: str = "", sixteen: bool = False
) -> AsyncIterator[Pilot[Any]]:
    """The app at the moment of that name, in a folder that is empty but for what an earlier moment left there."""
    with first_screen(name, folder) as screen:
        app = HeadsdownApp(lambda: screen)
        if sixteen:
            app.use_sixteen_colours()
        if theme:
            app.theme = theme
        async with app.run_test(size=size) as pilot:
            await press(pilot, *keys_to(name))
            await pilot.pause(0.2)  # for odds, which are computed aside
            yield pilot


@contextmanager
def first_screen(name: str, folder: Path) -> Iterator[Screen[None]]:
    """The screen on which the keys of a moment are pressed."""
    if name in IN_BATTLE:
        rules, after, _ = IN_BATTLE[name]
        with OpenBattle.open(as_after(rules, after, folder)) as battle:
            yield BattleScreen(battle)
    elif name in IN_REPLAY:
        rules, at, _ = IN_REPLAY[name]
        with OpenBattle.open(copy_example(rules, folder)) as battle:
            yield ReplayScreen(battle, at)
    else:
        fill_library(folder / "battles")
        yield HomeScreen()


def as_after(rules: str, after: int, folder: Path) -> Path:
    """The bundled battle as it was after an entry: what came later is not in the file."""
    path = copy_example(rules, folder)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: after + 1]))
    return path


def fill_library(folder: Path) -> None:
    """A battle of each rule set, one that is damaged, one that is none, and one in the trash."""
    for at, rules in enumerate(("suppression-fire", "gray-dawn")):
        os.utime(copy_example(rules, folder), (NOW + at, NOW + at))
    bad = folder / "torn-to-pieces.battle.jsonl"
    bad.write_bytes(b"no battle at all\n")
    damaged = folder / "Friday night.battle.jsonl"
    damaged.write_bytes((folder / "gray-dawn.battle.jsonl").read_bytes().replace(b'"n":30', b'"n":31'))
    thrown = folder / "trash" / "suppression-fire.battle.jsonl"
    thrown.parent.mkdir(exist_ok=True)
    thrown.write_bytes((folder / "suppression-fire.battle.jsonl").read_bytes())
    for path, when in ((bad, 1_700_000_000), (damaged, 1_750_000_000), (thrown, 1_600_000_000)):
        os.utime(path, (when, when))
