"""The bundled battles on the screen: every key that the key bar names, ties, and transports with passengers."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.roll_words import faces_text
from engine.rolls import Rolled
from engine.suppression_fire.battle import Battle
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import copy_example
from tests.screen import bar_keys, give, screen_text
from tests.sf_battles import CATAPULT, LASGUN, by, carrier, models, unit
from tests.test_story_on_the_screen import press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen

HEADS = [("suppression-fire", 13), ("suppression-fire", 20), ("suppression-fire", 30), ("suppression-fire", 57),
         ("gray-dawn", 12), ("gray-dawn", 26), ("gray-dawn", 42)]  # fmt: skip


@pytest.mark.parametrize(("name", "head"), HEADS)
async def test_every_key_that_the_bar_names_does_something(name: str, head: int, tmp_path: Path) -> None:
    """At moments of both battles, with the last unit selected: each named key changes the screen or leaves it."""
    tried, at = 0, 0
    while True:
        path = copy_example(name, tmp_path / str(at))
        with OpenBattle.open(path) as battle:
            if head != battle.history.head:
                battle.goto(head)
            app = HeadsdownApp(lambda battle=battle: BattleScreen(battle))  # type: ignore[misc]
            async with app.run_test(size=(120, 40)) as pilot:
                await pilot.press("end")
                await pilot.pause()
                names, before = bar_keys(app), screen_text(app)
                if at >= len(names):
                    break
                await pilot.press(names[at])
                await pilot.pause(0.05)
                assert not app.is_running or screen_text(app) != before, f"{names[at]} did nothing"
                tried += 1
        at += 1
    assert tried >= 8


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "own.battle.jsonl"
    create(made, rules="suppression-fire", sides=("blue", "red"), seed="own")
    return made


def state_of(path: Path) -> Battle:
    with OpenBattle.open(path, read_only=True) as battle:
        assert isinstance(battle.history.state, Battle)
        return battle.history.state


async def test_the_owner_settles_a_tie_before_any_die(path: Path) -> None:
    """SF-23: ten shots of lasguns, ten of catapults; the form says whose pick it is, and nothing is picked for them."""
    with OpenBattle.open(path) as battle:
        for profile in (
            unit("guard", "blue", models("guard", 10, LASGUN)),
            unit("boyz", "blue", models("boyz", 5, CATAPULT)),
            unit("scouts", "red", models("scouts", 3)),
        ):
            give(battle, {"type": "muster", "unit": profile})
        for order in (
            {"type": "begin_turn", "side": "blue"},
            {"type": "phase", "to": "shooting"},
            {"type": "declare", "target": "scouts", "by": [by("guard", 20), by("boyz", 18)]},
            {"type": "test", "target": "scouts", "dice": [1, 1]},
            {"type": "end_turn"},
            {"type": "begin_turn", "side": "red"},
        ):
            give(battle, order)
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "end", "m")
            assert "A tie: the owner picks las or" in screen_text(app)
            await press(pilot, "enter")
            assert state_of(path).units["scouts"].moved is False
            shown = screen_text(app)
            assert "las" in shown
            assert "shuriken" in shown
            await press(pilot, "down", "enter", "511", "enter", "4", "enter")
            assert "caught in the fire, shuriken S4 AP5" in screen_text(app).replace("\n       ", " ")
    assert state_of(path).units["scouts"].models == 2


async def test_passengers_get_in_and_out_under_fire(path: Path) -> None:
    """SF-34: into the truck on one key; out of it under fire with the test first, dice from the table."""
    with OpenBattle.open(path) as battle:
        for profile in (
            carrier("truck", "red", capacity=10),
            unit("squad", "red", models("squad", 5)),
            unit("guard", "blue", models("guard", 5, LASGUN)),
        ):
            give(battle, {"type": "muster", "unit": profile})
        give(battle, {"type": "begin_turn", "side": "red"})
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "end", "e")
            assert "Into" in screen_text(app)
            await press(pilot, "enter")
            assert state_of(path).units["squad"].embarked_in == "truck"
            await press(pilot, "E", "b", "enter", "p")
            give(battle, {"type": "declare", "target": "truck", "by": [by("guard", 20)]})
            await press(pilot, "E", "b", "enter", "D", "end", "x")
            assert "leadership" in screen_text(app)
            await press(pilot, "enter", "11", "enter", "5x1", "enter")
            shown = screen_text(app)
    assert "got out" in shown
    assert state_of(path).units["squad"].embarked_in is None
    assert state_of(path).units["squad"].models == 5


@pytest.mark.parametrize(
    ("dice", "total", "words"),
    [((10, 3), 13, "10+3"), ((1, 8), -8, "1 then -8"), ((1, 10, 4), -14, "1 then -10-4"), ((7,), 7, "7")],
)
def test_a_chain_is_told_as_what_it_adds_up(dice: tuple[int, ...], total: int, words: str) -> None:
    """GD-2: 10+3, and 1 then -8."""
    row = Rolled("check", "rook", 10, dice, "passed", "app", (1, 2), "key", needed=5, total=total)
    assert faces_text(row) == words


async def test_the_history_of_a_unit_is_one_key_away(tmp_path: Path) -> None:
    """What the Scouts of the farm did and suffered, and nothing of others; with their dice."""
    with OpenBattle.open(copy_example("suppression-fire", tmp_path)) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(100, 40)) as pilot:
            await press(pilot, "home", "down", "down", "down", "H")
            shown = screen_text(app)
            await press(pilot, "escape")
    assert "History: Scouts" in shown
    for told in (
        "muster Scouts",
        "suppress Scouts",
        "Scouts: test",
        "4 3, needs 9 or less",
        "Scouts: move",
        "fire on Scouts lapsed",
    ):
        assert told in shown
    assert "Storm Troopers" not in shown
