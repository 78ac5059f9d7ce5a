"""How many keys the usual orders take from the battle screen, typed numbers not counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.gray_dawn.battle import Battle as GrayDawnBattle
from engine.suppression_fire.battle import Battle
from saves.battle import OpenBattle
from saves.creating import create
from tests.gray_dawn_battles import person
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


async def pressed(path: Path, *keys: str) -> None:
    """Press these keys on the battle screen of a file."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, *keys)


async def test_casualties_and_wounds_take_two_keys(path: Path) -> None:
    """SF-27, SF-32: one model of the only group, one wound on it: two keys each."""
    await pressed(path, "c", "enter")
    assert state_of(path).units["first"].models == 4
    await pressed(path, "h", "enter")
    assert state_of(path).units["first"].models == 3


async def test_wounds_go_on_where_a_model_is_hurt(path: Path) -> None:
    """SF-27: the captain was hurt; the next wound is his, in two keys; of two wounds it takes the number more."""
    groups = (models("guard", 4), models("captain", 1, wounds=4))
    with OpenBattle.open(path) as battle:
        give(battle, {"type": "dismiss", "unit": "first"})
        give(battle, {"type": "muster", "unit": unit("heroes", "blue", *groups)})
        give(battle, {"type": "wounds", "unit": "heroes", "group": "captain", "wounds": 1})
    await pressed(path, "down", "h", "enter")
    assert [group.wounds_lost for group in state_of(path).units["heroes"].groups] == [0, 2]
    await pressed(path, "down", "h", "down", "2", "enter")
    assert [group.models for group in state_of(path).units["heroes"].groups] == [4, 0]


async def test_a_copy_takes_two_keys(path: Path) -> None:
    """The selected unit once more: its key and enter."""
    await pressed(path, "C", "enter")
    assert state_of(path).units["first-2"].profile.name == "First 2"


# Gray Dawn


@pytest.fixture
def landing(tmp_path: Path) -> Path:
    """A soldier of xcom and one alien."""
    made = tmp_path / "landing.battle.jsonl"
    create(made, rules="gray-dawn", sides=("xcom", "aliens"), seed="keys")
    with OpenBattle.open(made) as battle:
        for profile in (person("rook", "xcom"), person("grey")):
            give(battle, {"type": "muster", "combatant": profile})
    return made


def landing_of(path: Path) -> GrayDawnBattle:
    with OpenBattle.open(path, read_only=True) as battle:
        assert isinstance(battle.history.state, GrayDawnBattle)
        return battle.history.state


async def test_a_wound_takes_two_keys(landing: Path) -> None:
    """GD-30: one wound by its key and enter; three with the number; out of action two keys more."""
    await pressed(landing, "h", "enter")
    assert landing_of(landing).combatants["rook"].wounds == 1
    await pressed(landing, "h", "3", "enter")
    assert landing_of(landing).combatants["rook"].wounds == 4
    await pressed(landing, "h", "down", "right", "enter")
    assert landing_of(landing).combatants["rook"].out


async def test_a_copied_combatant_takes_two_keys(landing: Path) -> None:
    """The selected combatant once more: its key and enter."""
    await pressed(landing, "C", "enter")
    assert landing_of(landing).combatants["rook-2"].profile.name == "Rook 2"
