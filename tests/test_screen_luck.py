"""Luck and comparisons on the screen: what is shown of the numbers that the engine's own tests vouch for."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from engine.luck import Reckoning, luck_of, of_side
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import copy_example, examples
from tests.screen import give, press, screen_text
from tests.sf_battles import CATAPULT, models, unit
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.luck_page import SCALE, luck_cells, scale


def reckoned(actual: int, expected: Fraction, usual: tuple[int, int]) -> Reckoning:
    return Reckoning("hits", "red", "", "", 1, actual, expected, usual, Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize(
    ("actual", "expected", "usual", "drawn"),
    [
        (0, Fraction(0), (0, 0), "*....................."),
        (21, Fraction(5), (3, 8), "...[=|==]............*"),
        (5, Fraction(5), (3, 21), "...[=*===============]"),
        (2, Fraction(1), (0, 2), "[=========|==========*"),
    ],
)
def test_the_scale_shows_span_expectation_and_what_came(
    actual: int, expected: Fraction, usual: tuple[int, int], drawn: str
) -> None:
    assert scale(reckoned(actual, expected, usual)) == drawn
    assert len(drawn) == SCALE


@pytest.mark.parametrize("rules", examples())
def test_the_page_tells_every_line_of_the_table(rules: str, tmp_path: Path) -> None:
    with OpenBattle.open(copy_example(rules, tmp_path)) as battle:
        luck = luck_of(battle.history)
        told = "\n".join(cell.text for cell in luck_cells(battle.history, luck))
        for side in battle.history.header.sides:
            for each in of_side(luck.reckonings, side):
                assert f"{each.actual:>7}{float(each.expected):>9.2f}  {scale(each)}" in told
        for count in luck.faces:
            assert f"Faces of the D{count.sides}" in told
        names = battle.history.rules.names(battle.history.state)
        assert all(names[each.unit] in told for each in luck.reckonings if each.unit)
        assert f"{luck.turning_points[0].entry}  " in told.split("Where most hung on the dice")[1]


def test_a_battle_without_dice_has_no_luck(tmp_path: Path) -> None:
    create(tmp_path / "new.battle.jsonl", rules="gray-dawn", sides=("a", "b"), seed="none")
    with OpenBattle.open(tmp_path / "new.battle.jsonl") as battle:
        told = [cell.text for cell in luck_cells(battle.history, luck_of(battle.history))]
    assert "No dice have been rolled yet." in told


async def test_closing_the_page_early_ends_the_reckoning(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("suppression-fire", tmp_path)) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("L", "escape")
            await press(pilot, "L")
            await pilot.pause(1.0)
            assert "tests failed" in screen_text(app)
            await press(pilot, "end", "enter")
            assert "Entry " in screen_text(app), "a turning point opens its entry"
        assert app.bug is None


async def test_two_ways_to_suppress_stand_side_by_side(tmp_path: Path) -> None:
    """One suppressor, kept, against two: the chance to be pinned grows from 6/36 to 10/36 (leadership 9, SF-15)."""
    path = tmp_path / "compare.battle.jsonl"
    create(path, rules="suppression-fire", sides=("blue", "red"), seed="compare")
    with OpenBattle.open(path) as battle:
        for id_, side in (("first", "blue"), ("second", "blue"), ("victim", "red")):
            give(battle, {"type": "muster", "unit": unit(id_, side, models("crew", 5, CATAPULT, leadership=9))})
        give(battle, {"type": "begin_turn", "side": "blue"})
        give(battle, {"type": "phase", "to": "shooting"})
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "end", "d", "down", "space")
            await pilot.pause(0.5)
            await press(pilot, "ctrl+k", "up", "space")
            await pilot.pause(0.5)
            pinned = next(line for line in screen_text(app).splitlines() if "pinned" in line)
            assert pinned.split()[-5:] == ["pinned", "17", "%", "28", "%"]
            await press(pilot, "enter")
        assert battle.history.state.suppressions["victim"].by[1].unit == "second"
