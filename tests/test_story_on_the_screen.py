"""The source's own story, played on the screen with keys only."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.suppression_fire.battle import Battle
from saves.battle import OpenBattle
from saves.creating import create
from saves.verifying import verify
from tests.screen import screen_text
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "story.battle.jsonl"
    create(made, rules="suppression-fire", sides=("Eldar", "Marines"), seed="the story")
    return made


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after another; a word of several letters that is no key's name is typed letter by letter."""
    named = {"enter", "escape", "up", "down", "left", "right", "home", "end", "tab", "shift+tab", "space", "backspace"}
    for key in keys:
        await pilot.press(*([key] if key in named or len(key) == 1 else list(key)))
        await pilot.pause(0.03)


async def suppressed_scouts(pilot: Pilot[int]) -> None:
    """Muster five avengers and the scouts; the avengers suppress, the scouts hold; it is their turn now."""
    await press(pilot, "M", "dire", "enter")
    await press(pilot, "M", "scout", "down", "right", "enter")
    await press(pilot, "b", "enter", "p", "1", "home", "d", "enter")
    await press(pilot, "D", "t", "enter", "34", "enter")
    await press(pilot, "p", "E", "b", "enter")


def state_of(path: Path) -> Battle:
    """The battle as it stands on disk."""
    with OpenBattle.open(path, read_only=True) as battle:
        assert isinstance(battle.history.state, Battle)
        return battle.history.state


async def test_three_avengers_die_and_the_scouts_run_free(path: Path) -> None:
    """SF-32: five avengers suppress the scouts; three fall; four shots are too few and the scouts run unharmed."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await suppressed_scouts(pilot)
            state = state_of(path)
            assert (state.turn, state.side, state.phase) == (1, "Marines", "movement")
            assert state.suppressions["scouts"].test == "passed"
            await press(pilot, "1", "home", "c", "down", "3", "enter")
            assert "too few shots" in screen_text(app)
            await press(pilot, "p", "1", "end", "r")
            shown = screen_text(app)
    state = state_of(path)
    assert state.units["dire-avengers"].models == 2
    assert state.units["scouts"].ran
    assert state.units["scouts"].models == 5
    assert not state.suppressions["scouts"].spent
    assert "Scouts: ran" in shown
    assert verify(path).ok


async def test_the_scouts_brave_the_fire_with_dice_from_the_table(path: Path) -> None:
    """SF-21 to SF-27: five dice at 6+, two hits, one wound, whose it is, a save that fails; four scouts move on."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await suppressed_scouts(pilot)
            await press(pilot, "1", "end", "m")
            assert "5 dice at 6+" in screen_text(app)
            await press(pilot, "enter", "2x6 311", "enter", "43", "enter")
            assert "who takes 1 wound, one a model?" in screen_text(app)
            await press(pilot, "enter", "2", "enter")
            assert "Scouts: moved." in screen_text(app)
            await press(pilot, "u")
            assert state_of(path).units["scouts"].models == 5
            await pilot.press("ctrl+r")
            await pilot.pause(0.03)
    state = state_of(path)
    assert state.units["scouts"].models == 4
    assert state.units["scouts"].moved
    assert state.suppressions["scouts"].spent
    report = verify(path)
    assert report.ok
    assert report.rolls.table == 4
