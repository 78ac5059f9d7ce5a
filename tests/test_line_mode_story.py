"""The stories of both rule sets in typed words: what they come to is what the same story by keys comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.creating import create
from saves.verifying import verify
from tests.line_mode import script, state_of
from tests.test_gray_dawn_on_the_screen import facing_each_other
from tests.test_story_on_the_screen import press, suppressed_scouts
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen


def battle_in(folder: Path, name: str, rules: str) -> Path:
    path = folder / f"{name}.battle.jsonl"
    sides = ("Eldar", "Marines") if rules == "suppression-fire" else ("xcom", "aliens")
    create(path, rules=rules, sides=sides, seed="the story")
    return path


SUPPRESSED = (
    "muster dire avengers",
    "muster scouts side Marines",
    "begin turn Eldar",
    "phase",
    "declare scouts by dire avengers",
    "dice table",
    "test scouts",
    "34",
    "phase",
    "end turn",
    "begin turn Marines",
)


async def test_three_avengers_die_and_the_scouts_run_free(tmp_path: Path) -> None:
    """SF-32: three of five suppressors fall; four shots are too few and the scouts run unharmed."""
    by_keys, by_words = (battle_in(tmp_path, name, "suppression-fire") for name in ("keys", "words"))
    with OpenBattle.open(by_keys) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await suppressed_scouts(pilot)
            await press(pilot, "1", "home", "c", "down", "3", "enter", "p", "1", "end", "r")
    ran = script(by_words, [*SUPPRESSED, "casualties avengers 3", "phase", "run scouts"])
    assert (ran.status, ran.err) == (0, "")
    assert "Dire Avengers: fire on Scouts lapsed, 4 shots left, 5 needed (SF-32)." in ran.out
    assert "Scouts: ran." in ran.out
    state = state_of(by_words)
    assert state == state_of(by_keys)
    assert (state.units["dire-avengers"].models, state.units["scouts"].models) == (2, 5)
    assert verify(by_words).ok


async def test_the_scouts_brave_the_fire_with_dice_from_the_table(tmp_path: Path) -> None:
    """SF-21 to SF-27: five dice at 6+, two hits, one wound, whose it is, a save that fails; undone and redone."""
    by_keys, by_words = (battle_in(tmp_path, name, "suppression-fire") for name in ("keys", "words"))
    with OpenBattle.open(by_keys) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await suppressed_scouts(pilot)
            await press(pilot, "1", "end", "m", "enter", "2x6 311", "enter", "43", "enter", "enter", "2", "enter")
            await press(pilot, "u")
            await pilot.press("ctrl+r")
            await pilot.pause(0.03)
    ran = script(by_words, [*SUPPRESSED, "move scouts .", "dice 2x6 311", "43", "1", "dice 2", "undo", "redo"])
    assert (ran.status, ran.err) == (0, "")
    assert "Scouts: who takes 1 wound, one a model? (SF-27)." in ran.out
    state = state_of(by_words)
    assert state == state_of(by_keys)
    assert (state.units["scouts"].models, state.suppressions["scouts"].spent) == (4, True)
    report = verify(by_words)
    assert (report.ok, report.rolls.table) == (True, 4)


async def test_a_round_of_gray_dawn(tmp_path: Path) -> None:
    """GD-4 to GD-20: covering fire, a check that fails, what is left to the suppressed, the round's end."""
    by_keys, by_words = (battle_in(tmp_path, name, "gray-dawn") for name in ("keys", "words"))
    with OpenBattle.open(by_keys) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await facing_each_other(pilot)
            await press(pilot, "1", "home", "D", "d", "enter", "5", "enter")
            await press(pilot, "1", "end", "t", "enter", "2", "enter", "f", "E")
    lines = ["muster soldier", "muster warrior side aliens", "begin round .", "dice table", "covering fire soldier ."]
    lines += ["5", "check alien warrior", "2", "aimed fire alien", "end round"]
    ran = script(by_words, lines)
    assert ran.status == 1
    assert "Line 9 refused" in ran.out
    assert "(GD-8)" in ran.out
    state = state_of(by_words)
    assert state == state_of(by_keys)
    assert state.combatants["alien-warrior"].suppressed
    assert verify(by_words).ok


@pytest.mark.parametrize("rules", ["suppression-fire", "gray-dawn"])
def test_the_same_words_bring_the_same_battle(tmp_path: Path, rules: str) -> None:
    """App dice are keyed: a script played twice ends alike."""
    lines = {
        "suppression-fire": [*SUPPRESSED[:5], "test scouts", "phase", "end turn", "begin turn .", "move scouts ."],
        "gray-dawn": ["muster soldier", "muster warrior side aliens", "begin round .", "covering fire soldier ."],
    }[rules]
    states = []
    for name in ("one", "two"):
        path = battle_in(tmp_path, name, rules)
        script(path, [*lines, "note done"])
        states.append(state_of(path))
    assert states[0] == states[1]
