"""The line mode: what is told, what is refused and how, names, dice, other writers, the end."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tui.commands.screens
from engine.history import History
from engine.orders import odds_of
from engine.registered import RULE_SETS
from saves.battle import OpenBattle
from saves.creating import create
from tests.headsdown_command import headsdown
from tests.line_mode import Typist, entries_in, script, state_of, typed
from tests.test_line_mode_orders import FIRE, MARINES, ROUND, SIDES, made
from tui.line_mode.commands import COMMANDS
from tui.line_mode.session import Session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path, "suppression-fire")


def last_of(told: list[str], start: str) -> str:
    return next(line for line in reversed(told) if line.startswith(start))


# Scripts


def test_a_refused_line_is_told_and_the_rest_goes_on(path: Path) -> None:
    ran = script(path, ["muster scouts", "move scouts", "dance", 'note "open', "note done"])
    assert ran.status == 1
    assert "Line 2 refused: Move: " in ran.out
    assert "Line 3 refused: dance is no word here" in ran.out
    assert "Line 4 refused" not in ran.out, "a note is taken as it stands"
    assert ran.err == "headsdown: 2 lines were refused, the first was line 2\n"
    assert entries_in(path) == 3
    assert script(path, "").status == 0


def test_a_script_that_ends_in_a_question_gives_nothing(path: Path) -> None:
    ran = script(path, ["muster own"])
    assert (ran.status, entries_in(path)) == (1, 0)
    assert ran.out.endswith("Name? Words.\nGiven up: nothing has happened.\n")
    assert ran.err == "headsdown: one line was refused, the first was line 1\n"


def test_a_script_goes_on_where_the_program_cannot(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults of the file end a script with the contract's status, told in one line."""
    import fcntl

    monkeypatch.setattr("saves.journal.LOCK_SECONDS", 0.05)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        ran = script(path, ["note a", "note b"])
    assert (ran.status, ran.err.count("\n"), entries_in(path)) == (4, 1, 0)
    path.write_bytes(b"no battle\n")
    assert script(path, "show").status == 3
    assert script(path.with_name("nobody"), "show").status == 3


@pytest.mark.parametrize(
    "text", ["\ufeffnote a\r\nnote b\r\n", "note a\n\n  \nnote b", "note a\nnote b\nquit\nnote c\n"]
)
def test_lines_however_they_end(path: Path, text: str) -> None:
    assert script(path, text).status == 0
    assert entries_in(path) == 2


def test_a_line_longer_than_any_order(path: Path) -> None:
    ran = script(path, "note " + "x" * 200_000 + "\nnote b\n")
    assert ran.status == 1
    assert "Line 1 refused: this line is longer than any order." in ran.out
    assert entries_in(path) == 1


def test_who_gives_orders_and_who_watches(path: Path) -> None:
    assert script(path, "note a\n", "--as", "Ann", "--side", "Eldar").status == 0
    ran = script(path, ["show", "note b", "log"], "--watch")
    assert (ran.status, entries_in(path)) == (1, 1)
    assert "Line 2 refused: you are watching: nothing can be changed from here." in ran.out
    assert "Entry 1, Ann (Eldar): note: a." in ran.out


def test_open_without_a_screen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal a screen is wrong usage and the way on is named; a dumb terminal gets lines by itself."""
    ran = headsdown("open", path)
    assert (ran.status, ran.out) == (2, "")
    assert "--plain" in ran.err
    monkeypatch.setattr(tui.commands.screens, "streams_to_people", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    ran = headsdown("open", path, stdin="note a\n")
    assert (ran.status, entries_in(path)) == (0, 1)
    assert ran.err == "headsdown: this terminal shows no screens, so this is the line mode, as with --plain\n"
    assert headsdown().status == 2


# Names


def test_names_by_id_beginning_and_quotes(path: Path) -> None:
    lines = ['muster scouts side Marines name "Scouts and Sons"', "muster scouts name Scouts", "begin turn Marines"]
    script(path, lines)
    for said, meant in (
        ('"Scouts and Sons"', "scouts-and-sons"),
        ("Scouts and Sons", "scouts-and-sons"),
        ("SCOUTS", "scouts"),
        ("scouts-a", "scouts-and-sons"),
        ("sons", "scouts-and-sons"),
    ):
        ran = script(path, [f"wounds {said} 1", "undo"])
        assert ran.status == 0, said
        assert f"{'Scouts and Sons' if 'and' in meant else 'Scouts'}: 1 wound" in ran.out


def test_names_that_are_none_or_several(path: Path) -> None:
    script(path, ["muster scouts name Northern", "muster scouts name Northwest", "muster dire avengers"])
    ran = script(path, ["why north", "why Nortern", "why zzz", "why", "why northern dire", "wounds nobody 1"])
    assert [line.partition(" refused: ")[2] for line in ran.out.splitlines() if " refused: " in line] == [
        "unit north may be Northern or Northwest: type more of it, or the id.",
        "there is no unit Nortern; nearest: Northern and Northwest.",
        "there is no unit zzz; there are Northern, Northwest and Dire Avengers.",
        "say which unit: Northern, Northwest and Dire Avengers.",
        "one unit at a time: dire is too much.",
        "there is no unit nobody; there are Northern, Northwest and Dire Avengers.",
    ]


def test_control_characters_in_names_are_never_told(path: Path) -> None:
    """Names out of a file may hold anything; what is told is text on one line."""
    group = {"name": "g\x07", "models": 3}
    unit = {"id": "u", "side": "Eldar", "name": "A\x1b[31m\u202eB\nC", "groups": [group]}
    order = json.dumps({"type": "muster", "unit": unit})
    assert headsdown("play", path, "--orders", "-", stdin=order).status == 0
    looks = ["show", "why u", "history u", "log", "entry 1"]
    ran = script(path, [*looks, "muster scouts \x1b[2J name \x1b[31m", "wounds u"])
    assert not any(char < " " and char != "\n" for char in ran.out)
    assert "\u202e" not in ran.out
    assert "AB C" in ran.out.replace("[31m", "")


def test_an_order_for_somebody_else_is_not_given(path: Path) -> None:
    """On the screen the form shows whose test it would be; in words the one named is meant or nobody."""
    script(path, [*FIRE, "copy dire side Eldar name Sentinels"])
    ran = script(path, ["test sentinels"])
    assert ran.status == 1
    assert "it would be about Scouts" in ran.out
    assert state_of(path).suppressions["scouts"].test is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("score Eldar 3 for Marines", "Side is said twice"),
        ("score Elder 3", "Elder is not understood here; nearest: Eldar; fields are side and points"),
        ("score Eldar 99999", "99999"),
        ("status scouts pined", "nearest: pinned"),
        ("declare scouts by scouts", "By: there is no scouts; there is Dire Avengers"),
        ("declare scouts by dire and", "By: a name is missing"),
        ("declare scouts by dire at 300", "Dire Avengers, inches takes a number with at most"),
        ("declare scouts by dire at", "nothing stands behind it"),
        ('declare "scouts by dire', "a quote is not closed"),
        ("phase assault", "assault: nothing more can be said of Next phase"),
        ("amend scouts leadership 3", "leadership comes after more: type more before it"),
        ("end battle because they fled winner Eldar", "winner is a field of its own"),
        ("odds show", "show is no order"),
        ("goto 99", "there is no entry 99"),
        ("goto x", "say the number of an entry, as a number"),
        ("entry 0", "entry 0 is the beginning"),
        ("rules xyzzy", "no clause speaks of xyzzy"),
        ("dice 3", "no dice are asked for now"),
        ("compare test scouts", "ask for the odds of an order first"),
        ("correct", "there is nothing to correct"),
        ("again", "no order was refused or left"),
        ("end", "end may be end battle and end turn"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_told_in_one_sentence(path: Path, line: str, told: str) -> None:
    script(path, FIRE[:-1])
    before = path.read_bytes()
    ran = script(path, [line])
    refused = [each for each in ran.out.splitlines() if each.startswith("Line 1 refused: ")]
    assert len(refused) == 1
    assert told in refused[0]
    assert (ran.status, path.read_bytes()) == (1, before)


# Questions


def test_an_order_by_questions_alone(path: Path) -> None:
    told = typed(path, *FIRE[:-1], "declare", "2", "1", "12", "", "5", "")
    assert "Unit? 3 to choose from" not in told
    assert last_of(told, "Entry") == "Entry 6: Dire Avengers: suppress Scouts."
    by = state_of(path).suppressions["scouts"].by
    assert [(each.unit, each.range) for each in by] == [("dire-avengers", 12)]


def test_answers_to_questions(path: Path) -> None:
    """By number, by name, with a default, wrong ones told and asked again; cancel and Ctrl-C go back."""
    script(path, FIRE[:-1])
    told = typed(path, "status scouts", "99", "gone", "maybe", "no", by="Ann")
    assert "The answers go from 1 to 7.".casefold() in " ".join(told).casefold()
    assert "Set: yes or no." in told
    assert last_of(told, "Entry").startswith("Entry 6, Ann: ")
    for leave in ("cancel", KeyboardInterrupt):
        told = typed(path, "casualties scouts", leave, "head")
        assert "Given up: nothing has happened." in told
        assert last_of(told, "Head").startswith("Head 6:")
    told = typed(path, "casualties scouts", "quit", "note never")
    assert entries_in(path) == 6
    told = typed(path, "reroll test", "test scouts", "muster own", "", ".", "Guests")
    assert "There is no default: answer, or cancel." in told
    assert "Name has no default." in told
    assert last_of(told, "Entry") == "Entry 7: Marines: muster Guests."


def test_the_rest_as_it_stands_and_all_of_it_asked(path: Path) -> None:
    script(path, FIRE[:-1])
    told = typed(path, "would declare scouts by dire at 12 ?", "", ".")
    assert any("sees it?" in line for line in told)
    told = typed(path, "would declare scouts .", "1")
    assert not any("sees it?" in line for line in told)
    assert entries_in(path) == 5


def test_again_goes_on_with_what_was_refused(path: Path) -> None:
    script(path, FIRE[:-1])
    told = typed(path, "declare scouts by dire at 30", "again at 12")
    assert last_of(told, "Refused").endswith("(SF-5).")
    assert last_of(told, "Entry") == "Entry 6: Dire Avengers: suppress Scouts."
    told = typed(path, "casualties dire 9", "again", "2", "")
    assert state_of(path).units["dire-avengers"].models == 3


# Dice


def test_dice_of_the_table(path: Path) -> None:
    told = typed(path, *FIRE, "dice table", "dice", "test scouts", "7", "3", "back", "345", "?", "dice 3 4")
    assert told.count("Dice are rolled at the table and typed.") == 2
    for line in (
        "7 is no face of a D6.",
        "1 missing.",
        "1 too many.",
        "This is the first throw; cancel gives the order up.",
    ):
        assert line in told
    assert state_of(path).suppressions["scouts"].test == "passed"
    told = typed(path, "correct", "", "undo", "undo")
    assert "Fell before: 3 4. An empty line takes them again." in told
    told = typed(path, "dice app", "test scouts")
    assert "The app rolls the dice." in told


def test_dice_throw_by_throw(path: Path) -> None:
    """Back to the throw before, the app for one, the app for the rest."""
    script(path, [*MARINES, "dice table"])
    told = typed(path, "dice table", "move scouts .", "66111", "back", "66611", "app", "1", "rest")
    assert "Scouts, hits (table): 6 6 6 1 1" in last_of(told, "Scouts, hits")
    assert "(table)" not in last_of(told, "Scouts, wounds")
    told = typed(path, "correct", "", "cancel")
    assert "Given up: nothing has happened." in told
    assert state_of(path).units["scouts"].moved


def test_a_battle_made_for_table_dice_asks_for_them(tmp_path: Path) -> None:
    path = tmp_path / "table.battle.jsonl"
    create(path, rules="gray-dawn", sides=SIDES["gray-dawn"], dice="table")
    ran = script(path, [*ROUND, "10", "dice 0"])
    assert ran.status == 0
    assert "Dice? 1 D10: Alien warrior, initiative." in ran.out
    assert entries_in(path) == 3


# Looking


def test_everything_that_can_be_looked_at(path: Path) -> None:
    """Each word that looks tells something and changes nothing."""
    script(path, [*MARINES, "casualties dire 1", "undo"])
    before = path.read_bytes()
    looks = ["show", "show scouts", "waiting", "why scouts", "history scouts", "log", "log 2", "log all", "find test",
             "find unit:scouts", "find zzz", "entry 7", "luck", "odds move scouts .", "compare move scouts .",
             "would move scouts .", "rules", "rules SF-3", "rules shrapnel", "house", "head", "help", "help declare",
             "help undo", "dice", "who", "seal"]  # fmt: skip
    told = typed(path, *looks)
    assert path.read_bytes() == before
    assert not [line for line in told if line.startswith("Refused")]
    assert "Scouts, models left 5, leadership 9, toughness 4, under fire." in told
    assert "Undone entry 11: Dire Avengers: 1 avengers falls." in told or any(
        "Undone entry 11" in line for line in told
    )
    assert "Nothing in the log matches zzz." in told
    assert "SF-3, Who may suppress, with what: Five shots or more." in told
    assert any("before, " in line and " now." in line for line in told)
    assert {word.split()[0] for word in looks} >= {
        each.name for each in COMMANDS if not each.changes and each.name != "quit"
    }


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_line_is_a_thought_of_its_own(rules: str, tmp_path: Path) -> None:
    """No columns, no boxes, no signs that only an eye can read, whatever the width."""
    path = made(tmp_path, rules)
    unit = "scouts" if rules == "suppression-fire" else "alien"
    lines = {"suppression-fire": MARINES, "gray-dawn": (*ROUND, "covering fire soldier .")}[rules]
    ran = script(path, [*lines, "show", f"why {unit}", f"history {unit}", "log", "luck", "help", "rules", "house"])
    assert ran.status == 0
    for line in ran.out.splitlines():
        assert "  " not in line, line
        assert line == line.strip()
        assert line.isprintable()
        assert not any(mark in line for mark in "│─┌#|[")


def test_going_back_and_forth(path: Path) -> None:
    script(path, FIRE)
    told = typed(path, "undo", "redo", "goto 2", "goto 2", "goto 6", "redo")
    assert "Entry 7: took back 6: Dire Avengers: suppress Scouts." in told
    assert "Entry 8: brought back 6: Dire Avengers: suppress Scouts." in told
    assert "4 orders taken back." in told
    assert "After entry 2 things stood as they do now." in told
    assert "4 orders brought back." in told
    assert last_of(told, "Refused").startswith("Refused: ")
    with OpenBattle.open(path, read_only=True) as battle:
        assert told[-2].startswith("Refused")
        assert f"Head {battle.head_mark}." in told


# Others


def test_what_others_do_is_told_before_the_next_line(path: Path) -> None:
    def another() -> None:
        assert script(path, ["note theirs"], "--as", "Bea").status == 0

    told = typed(path, "muster scouts", another, "head", "note mine", by="Ann")
    theirs, mine = told.index("Entry 2, Bea: note: theirs."), told.index("Entry 3, Ann: note: mine.")
    assert theirs < mine
    told = typed(path, "muster own", another, "Guests", by="Ann")
    assert told.index("Entry 4, Bea: note: theirs.") < told.index("Entry 5, Ann: Eldar: muster Guests.")


def test_an_order_is_judged_on_what_others_did(path: Path) -> None:
    def they_test() -> None:
        script(path, ["test scouts"], "--as", "Bea")

    script(path, FIRE)
    told = typed(path, "dice table", "test scouts", they_test, "34")
    assert "Entry 7, Bea: Scouts: test." in told
    assert last_of(told, "Refused").endswith("(SF-16).")
    assert entries_in(path) == 7


def test_a_file_that_goes_back_is_told(path: Path) -> None:
    script(path, ["note a", "note b"])
    before = path.read_bytes()
    script(path, ["note c"])

    def back() -> None:
        path.write_bytes(before)

    told = typed(path, back, "head", "note d")
    assert any("withdrawn" in line for line in told)
    assert entries_in(path) == 3


# Leaving


def test_ctrl_c_at_the_prompt_says_how_to_leave(path: Path) -> None:
    told = typed(path, KeyboardInterrupt, "note a")
    assert "To leave, type quit, or press Ctrl-D." in told
    assert told[-1].startswith("Saved. To go on: headsdown open ")
    assert told[-1].endswith(" --plain")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_asked_to_end_from_outside(path: Path, name: str) -> None:
    """Nothing is cut short, the lock is free, and the handlers of before stand again."""
    before = signal.getsignal(getattr(signal, name))
    talk = Typist(["note a", lambda: os.kill(os.getpid(), getattr(signal, name)), "note never"])
    with OpenBattle.open(path) as battle:
        assert Session(battle, talk).run() == 0
    assert signal.getsignal(getattr(signal, name)) == before
    assert entries_in(path) == 1
    assert script(path, "note b\n").status == 0


def test_odds_that_nobody_waits_for_stop(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while odds are read stops them, and the next line is read."""
    script(path, MARINES)

    def interrupted(history: History, order: Any, wanted: Callable[[], bool]) -> dict[str, Any]:
        os.kill(os.getpid(), signal.SIGINT)
        return odds_of(history, order, wanted)

    monkeypatch.setattr("tui.line_mode.session.odds_of", interrupted)
    told = typed(path, "odds move scouts .", "note a")
    assert "Stopped." in told
    assert last_of(told, "Entry").endswith("note: a.")
