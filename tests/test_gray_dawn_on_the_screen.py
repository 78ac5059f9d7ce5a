"""Gray Dawn on the screen with keys only: a lane laid and crossed with dice from the table, die by die."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.gray_dawn.battle import Battle
from saves.battle import OpenBattle
from saves.creating import create
from saves.verifying import verify
from tests.screen import screen_text
from tests.test_story_on_the_screen import press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "lane.battle.jsonl"
    create(made, rules="gray-dawn", sides=("xcom", "aliens"), seed="the lane")
    return made


def state_of(path: Path) -> Battle:
    """The battle as it stands on disk."""
    with OpenBattle.open(path, read_only=True) as battle:
        assert isinstance(battle.history.state, Battle)
        return battle.history.state


async def facing_each_other(pilot: Pilot[int]) -> None:
    """A soldier of xcom and an alien warrior, in the first round."""
    await press(pilot, "M", "soldier", "enter")
    await press(pilot, "M", "warrior", "down", "right", "enter")
    await press(pilot, "b", "enter")


async def test_a_lane_is_crossed_with_dice_from_the_table(path: Path) -> None:
    """GD-2, GD-25, GD-26: chains are asked for die by die, and after the hit the game master is asked."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await facing_each_other(pilot)
            await press(pilot, "1", "home", "l", "down", "down", "right")
            assert "until the round ends" in screen_text(app)
            await press(pilot, "enter", "1", "end", "D", "x")
            shown = screen_text(app)
            assert "Crosses A: level 15" in shown
            assert "Athletics, 13 and the die" in shown
            await press(pilot, "enter", "0", "enter")
            assert "1 more D10" in screen_text(app)
            await press(pilot, "0", "enter", "9", "enter", "1", "enter", "5", "enter", "4", "enter")
            await press(pilot, "2", "enter", "55555", "enter", "3", "enter", "11111", "enter")
            assert "what does the game master say?" in screen_text(app)
            await press(pilot, "enter")
            shown = screen_text(app)
    state = state_of(path)
    alien = state.combatants["alien-warrior"]
    assert (alien.hits, alien.wounds, alien.acted, alien.out) == (2, 1, True, False)
    assert "crossed, no longer inside A" in shown.replace("\n       ", " ")
    report = verify(path)
    assert report.ok
    assert report.rolls.table == 7


async def test_aimed_fire_asks_for_points_and_a_check_is_due(path: Path) -> None:
    """GD-13, GD-7: the points are asked for right after the attack; then a check is due, and undo takes all back."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await facing_each_other(pilot)
            await press(pilot, "1", "home", "f", "enter")
            assert "How many suppression points" in screen_text(app)
            await press(pilot, "down", "down", "enter")
            assert "a check is due, 17 (GD-7)" in screen_text(app)
            await press(pilot, "1", "end", "f")
            assert "Aimed fire: Alien warrior carries 2 suppression points" in screen_text(app)
            await press(pilot, "w")
            assert "carries 2 suppression points (GD-6)" in screen_text(app)
            await press(pilot, "escape", "u")
    assert state_of(path).combatants["alien-warrior"].points == 0


async def test_a_round_from_the_first_key_to_the_last(path: Path) -> None:
    """GD-4 to GD-20: covering fire, a check that fails, what is left to the suppressed, the round's end."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await facing_each_other(pilot)
            await press(pilot, "1", "home", "D", "d", "enter", "5", "enter")
            assert "a check is due" in screen_text(app)
            await press(pilot, "1", "end", "t", "enter")
            shown = screen_text(app)
            await press(pilot, "2", "enter")
            state = state_of(path)
            assert state.combatants["alien-warrior"].suppressed
            await press(pilot, "f")
            assert "(GD-8)" in screen_text(app)
            await press(pilot, "E")
    state = state_of(path)
    assert "suppression check" in shown
    assert not state.running
    assert state.combatants["alien-warrior"].suppressed
    assert verify(path).ok
