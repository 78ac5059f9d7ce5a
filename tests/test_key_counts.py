"""How many keys the usual orders take from the battle screen, typed numbers not counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.suppression_fire.battle import Battle
from saves.battle import OpenBattle, create
from tests.screen import give
from tests.sf_battles import CATAPULT, by, models, unit
from tests.test_story_on_the_screen import press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two units of blue, three of red; blue shoots."""
    made = tmp_path / "keys.battle.jsonl"
    create(made, rules="suppression-fire", sides=("blue", "red"), seed="keys")
    with OpenBattle.open(made) as battle:
        for side, names in (("blue", ("first", "second")), ("red", ("one", "two", "three"))):
            for name in names:
                profile = unit(name, side, models("crew", 5, CATAPULT, leadership=10))
                give(battle, {"type": "muster", "unit": profile})
        give(battle, {"type": "begin_turn", "side": "blue"})
        give(battle, {"type": "phase", "to": "shooting"})
    return made


def state_of(path: Path) -> Battle:
    with OpenBattle.open(path, read_only=True) as battle:
        assert isinstance(battle.history.state, Battle)
        return battle.history.state


async def test_a_crossfire_with_its_test_takes_eight_keys(path: Path) -> None:
    """SF-14: two units on a third, all guns, tested with app dice; twelve keys at most, eight it takes."""
    keys = ("d", "right", "down", "down", "space", "enter", "t", "enter")
    assert len(keys) <= 12
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, *keys)
    suppression = next(iter(state_of(path).suppressions.values()))
    assert [fire.unit for fire in suppression.by] == ["first", "second"]
    assert suppression.test in ("passed", "failed")


async def test_braving_the_fire_takes_three_keys(path: Path) -> None:
    """SF-21: to the unit, move, and yes: four keys at most, three it takes (D only lets the app roll again)."""
    with OpenBattle.open(path) as battle:
        give(battle, {"type": "declare", "target": "three", "by": [by("first", 18)]})
        give(battle, {"type": "test", "target": "three", "dice": [1, 1]})
        give(battle, {"type": "end_turn"})
        give(battle, {"type": "begin_turn", "side": "red"})
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "D", "end", "m", "enter")
    assert state_of(path).suppressions["three"].spent
    assert state_of(path).units["three"].moved


async def test_casualties_take_two_keys(path: Path) -> None:
    """SF-32: one model of the only group: two keys."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "c", "enter")
            await press(pilot, "h", "enter")
    assert state_of(path).units["first"].models == 3
