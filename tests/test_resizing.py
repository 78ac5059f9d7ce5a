"""Resizing never loses what was typed: below the least size one message, no key acts, and then all is there again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.moments import AT_HOME, IN_BATTLE, same_everywhere, shown
from tests.screen import lantern_battle, place, press, screen_text
from tui.actions import ACTIONS
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.small_terminal import SmallTerminal

HALF_DONE = (
    "farm-muster-search", "farm-declare-chosen", "farm-dice", "farm-filter", "farm-find", "farm-note", "farm-jump",
    "farm-palette-search", "farm-why", "landing-covering-fire-chosen", "landing-dice", "home-new-named", "home-search",
    "home-take-in", "home-rename", "home-damaged", "home-looks", "home-remove",
)  # fmt: skip
"""Moments with something half filled in, half typed, half chosen or half read."""


@pytest.fixture(autouse=True)
def same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    same_everywhere(monkeypatch, tmp_path)


async def resized(pilot: Pilot[Any], width: int, height: int) -> None:
    await pilot.resize_terminal(width, height)
    await pilot.pause()
    await pilot.pause()


@pytest.mark.parametrize("name", HALF_DONE)
async def test_resizing_loses_nothing(name: str, tmp_path: Path) -> None:
    """Smaller, too small with keys pressed, larger, and back: the screen is the same in every cell."""
    assert name in IN_BATTLE or name in AT_HOME
    async with shown(name, (80, 24), tmp_path) as pilot:
        before = screen_text(pilot.app)
        for size in ((60, 20), (20, 5), (120, 40), (59, 24)):
            await resized(pilot, *size)
            small = isinstance(pilot.app.screen, SmallTerminal)
            assert small == (size[0] < 60 or size[1] < 20)
            if small:
                await press(pilot, "x", "enter", "escape", "ctrl+u", "ctrl+l", "7")
                assert isinstance(pilot.app.screen, SmallTerminal)
                assert "Needed: 60 x 20." in screen_text(pilot.app)
        await resized(pilot, 80, 24)
        await pilot.pause(0.2)
        assert screen_text(pilot.app) == before


async def test_too_small_no_key_of_the_table_acts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """But those that leave the program."""
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"), {"type": "light", "lantern": "alpha"})
    app = HeadsdownApp(lambda: BattleScreen(battle))
    leaves = {key for action in ACTIONS if action.id in ("app.leave", "small.quit") for key in action.key_names}
    keys = {key for action in ACTIONS for key in action.key_names} | {*"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM01239"}
    async with app.run_test(size=(80, 24)) as pilot:
        before = screen_text(app)
        await resized(pilot, 50, 10)
        await press(pilot, *sorted(keys - leaves))
        assert isinstance(app.screen, SmallTerminal)
        assert len(app.screen_stack) == 2
        await resized(pilot, 80, 24)
        assert screen_text(app) == before
    assert len(battle.history.entries) == 2
