"""Giving orders on the screen: forms, refusals, questions, and dice that are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from saves.battle import OpenBattle
from tests.screen import assert_screen, lantern_battle, message, place, screen_text
from tests.small_screen_rules import Night
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.dice_screen import DiceScreen
from tui.form_screen import FormScreen
from tui.picker_screen import PickerScreen


async def settle(pilot: Pilot[int]) -> None:
    """Wait until a given order, or the odds, are through."""
    for _ in range(4):
        await pilot.pause(0.02)


async def answer_wick(app: HeadsdownApp, pilot: Pilot[int]) -> None:
    """Answer the question that comes up where three or more dice hit."""
    if isinstance(app.screen, PickerScreen):
        await pilot.press("enter")
        await settle(pilot)


def night(battle: OpenBattle) -> Night:
    state = battle.history.state
    assert isinstance(state, Night)
    return state


def app_of(battle: OpenBattle) -> HeadsdownApp:
    return HeadsdownApp(lambda: BattleScreen(battle))


@pytest.fixture
def battle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OpenBattle:
    return lantern_battle(monkeypatch, tmp_path, place("Alpha"), place("Beta", "south", 3), place("Gamma"))


@pytest.fixture
def table_battle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OpenBattle:
    """A battle whose dice are rolled at the table."""
    return lantern_battle(monkeypatch, tmp_path, place("Alpha"), place("Beta", "south", 3), dice="table")


# Forms


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
async def test_a_form_with_its_odds(battle: OpenBattle, size: tuple[int, int]) -> None:
    app = app_of(battle)
    async with app.run_test(size=size) as pilot:
        await pilot.press("o", "space", "tab", *"7.5")
        await settle(pilot)
        assert_screen(app, f"form-{size[0]}x{size[1]}")


async def test_a_form_is_filled_in_and_given(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await pilot.press(*"Old Tom", "up", "right", "down", "down", *"11", "enter")
        await settle(pilot)
        assert not isinstance(app.screen, FormScreen)
        lantern = night(battle).lantern("oldtom")
        assert (lantern.name, lantern.side, lantern.oil) == ("Old Tom", "south", 11)
        assert message(app) == "Old Tom is placed."


async def test_a_refusal_stands_in_the_form_with_its_clause_and_nothing_typed_is_lost(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "space", "tab", *"50")
        await settle(pilot)
        assert "Would be refused:" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert message(app) == "Refused: nobody pours over 50 paces (LN-2)"
        assert "Distance   50_" in screen_text(app)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "One die for each who pours." in screen_text(app)
        await pilot.press("escape", "backspace", "enter")
        await settle(pilot)
        await answer_wick(app, pilot)
        assert not isinstance(app.screen, FormScreen)
        assert len(battle.history.entries) == 4


async def test_what_is_missing_is_said_and_the_cursor_goes_there(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "up", "up", "enter")
        await pilot.pause()
        assert message(app) == "Refused: a lantern needs a name"
        await pilot.press(*"x?")
        await pilot.pause()
        assert "> Name     x?_" in screen_text(app)
        await pilot.press("down", *"500", "enter")
        await pilot.pause()
        assert message(app) == "Refused: Oil: a whole number from 0 to 99"
        await pilot.press("escape")
        await pilot.pause()
        assert len(battle.history.entries) == 3


async def test_a_long_list_is_searched_by_typing(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "up", "up", *"bull")
        await pilot.pause()
        assert "< bull's eye lantern >" in screen_text(app)
        await pilot.press("tab", "tab", *"Eye", "enter")
        await settle(pilot)
        assert battle.history.order(4).order.pattern == "bull's eye"


async def test_a_question_is_asked_and_answered(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "o", "space", "down", "space", "tab", "3", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PickerScreen)
        assert_screen(app, "question-80x24")
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, FormScreen), "leaving the question leads back to the form"
        assert len(battle.history.entries) == 3
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        await answer_wick(app, pilot)
        assert battle.history.order(4).order.first in ("alpha", "gamma")


# Dice


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_dice_prompt(table_battle: OpenBattle, size: tuple[int, int]) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=size) as pilot:
        await pilot.press("o", "space", "tab", "3", "enter")
        await settle(pilot)
        await pilot.press("3", "enter")
        await settle(pilot)
        await pilot.press("4")
        assert_screen(app, f"dice-{size[0]}x{size[1]}")


async def test_faces_are_typed_throw_by_throw(table_battle: OpenBattle) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "space", "tab", "3", "enter")
        await settle(pilot)
        await pilot.press("2", "enter")
        await settle(pilot)
        await pilot.press("6", "1", "enter")
        await settle(pilot)
        assert "1 missing" in screen_text(app)
        await pilot.press("2", "2")
        assert "1 too many" in screen_text(app)
        await pilot.press("enter")
        assert isinstance(app.screen, DiceScreen)
        await pilot.press("backspace", "enter")
        await settle(pilot)
        rolls = table_battle.history.order(3).rolls
        assert [(roll.dice, roll.source) for roll in rolls] == [((2,), "table"), ((6, 1, 2), "table")]


async def test_a_wrong_face_is_named_and_nothing_is_typed_twice(table_battle: OpenBattle) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        await settle(pilot)
        await pilot.press("7")
        assert "7 is no face of a D6" in screen_text(app)
        await pilot.press("backspace", "enter")
        assert "2 missing" in screen_text(app)
        await pilot.press("1", "enter", "2", "enter")
        await settle(pilot)
        assert table_battle.history.order(3).rolls[0].dice == (1, 2)


async def test_one_goes_back_to_the_throw_before(table_battle: OpenBattle) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "space", "tab", "3", "enter")
        await settle(pilot)
        await pilot.press("up")
        assert "This is the first throw" in screen_text(app)
        await pilot.press("2", "enter")
        await settle(pilot)
        await pilot.press("up")
        await settle(pilot)
        assert "Faces: 2_" in screen_text(app), "what was typed stands there, to be mended or typed over"
        await pilot.press("1", "enter")
        await settle(pilot)
        await pilot.press("6", "6", "enter")
        await settle(pilot)
        assert [roll.dice for roll in table_battle.history.order(3).rolls] == [(1,), (6, 6)]


async def test_the_app_rolls_one_throw_or_all_the_rest(table_battle: OpenBattle) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        await settle(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert [roll.source for roll in table_battle.history.order(3).rolls] == ["app"]
        await pilot.press("o", "space", "tab", "3", "enter")
        await settle(pilot)
        await pilot.press("R")
        await settle(pilot)
        await answer_wick(app, pilot)
        assert [roll.source for roll in table_battle.history.order(4).rolls] == ["app", "app"]


async def test_giving_up_at_the_dice_records_nothing(table_battle: OpenBattle) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        await settle(pilot)
        await pilot.press("4", "escape")
        await settle(pilot)
        assert not isinstance(app.screen, DiceScreen)
        assert len(table_battle.history.entries) == 2
        assert message(app) == "Given up: nothing has happened."


async def test_faces_typed_before_are_offered_after_an_undo_and_others_are_a_correction(
    table_battle: OpenBattle,
) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        await settle(pilot)
        await pilot.press("3", "4", "enter")
        await settle(pilot)
        await pilot.press("u", "i")
        await settle(pilot)
        assert "Fell before: 3 4. Enter takes them again." in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert table_battle.history.order(5).rolls[0].dice == (3, 4)
        await pilot.press("u", "i")
        await settle(pilot)
        await pilot.press("1", "1", "enter")
        await settle(pilot)
        roll = table_battle.history.order(7).rolls[0]
        assert (roll.dice, roll.corrects) == ((1, 1), 5)
        assert "(table, corrects 5)" in screen_text(app)


async def test_who_rolls_is_switched_with_a_key_and_shown(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "app dice" in screen_text(app)
        await pilot.press("D")
        assert "typed dice" in screen_text(app)
        await pilot.press("i")
        await settle(pilot)
        assert isinstance(app.screen, DiceScreen)
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("D", "i")
        await settle(pilot)
        assert battle.history.order(4).rolls[0].source == "app"


async def test_a_question_after_dice_keeps_the_faces_typed_so_far(table_battle: OpenBattle) -> None:
    app = app_of(table_battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "space", "tab", "3", "enter")
        await settle(pilot)
        await pilot.press("2", "enter")
        await settle(pilot)
        await pilot.press("6", "6", "6", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PickerScreen)
        assert "Much oil: which wick?" in screen_text(app)
        await pilot.press("2")
        await settle(pilot)
        assert night(table_battle).lantern("alpha").oil == 7 + 4
        assert not isinstance(app.screen, DiceScreen | PickerScreen | FormScreen)
