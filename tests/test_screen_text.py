"""Text on lines of cells: names from anywhere, columns, chances, and faces as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.roll_words import chance_text, dice_text, needed_text, outcome_text, shown_faces, whence_text
from engine.rolls import Rolled, Throw
from engine.ruleset import Cell, Column, Row
from engine.wording import clean
from saves.cells import cut, fill, wrapped
from tui.columns import fitted, row_runs, runs_width
from tui.log_lines import LogLine, fits_one_line, layout
from tui.shown_text import around_caret
from tui.typed_faces import Typed, read_faces

HOSTILE = ["[red]x[/]", "火" * 60, "a" * 100, "a\x1b[31mb\x07\n\tc", "\u202eabc\u2066", "e\u0301\ufe0f", "", "👩‍👩‍👧"]


def test_control_characters_and_changes_of_direction_never_reach_the_terminal() -> None:
    assert clean("a\x1b[31mb\x07c") == "a[31mbc"
    assert clean("one\ntwo\tthree") == "one two three"
    assert clean("\u202eabc\u2066\u200f") == "abc"
    assert clean("2\ufe0f") == "2"
    assert clean("[red]x[/]") == "[red]x[/]"


@given(st.text(), st.integers(0, 40))
def test_a_cut_text_has_the_cells_it_was_given_and_no_more(text: str, width: int) -> None:
    assert cell_len(cut(clean(text), width)) <= width
    assert cell_len(fill(clean(text), width)) == width
    assert cell_len(fill(clean(text), width, right=True)) == width


@given(st.text(), st.integers(2, 40))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("width", [1, 5, 20, 38, 60, 118])
def test_a_row_fits_whatever_the_name(name: str, width: int) -> None:
    columns = (Column("Name", 0), Column("Models", 3, right=True), Column("State", 8, rank=1), Column("By", 6, rank=2))
    row = Row("id", (Cell(name), Cell("12"), Cell(name), Cell("x")), indent=1)
    runs = row_runs(row, columns, fitted(columns, width), width)
    assert runs_width(runs) <= max(width, sum(cells for _, cells in fitted(columns, width)) + 3)


def test_columns_of_high_rank_give_way_first() -> None:
    columns = (Column("Name", 0), Column("A", 6, rank=1), Column("B", 6, rank=2))
    assert [at for at, _ in fitted(columns, 40)] == [0, 1, 2]
    assert [at for at, _ in fitted(columns, 24)] == [0, 1]
    assert [at for at, _ in fitted(columns, 10)] == [0]
    assert sum(cells for _, cells in fitted(columns, 40)) + 2 == 40


def test_a_row_with_fewer_cells_than_columns_spreads() -> None:
    columns = (Column("Name", 10), Column("A", 6), Column("B", 6))
    runs = row_runs(Row("", (Cell("one"), Cell("spreads over all that is left"))), columns, fitted(columns, 24), 24)
    assert "".join(text for text, _ in runs) == "one        spreads over…"


@pytest.mark.parametrize(
    ("chance", "shown"),
    [((1, 2), "50 %"), ((1, 36), "2.8 %"), ((0, 1), "0 %"), ((1, 1), "100 %"), ((1, 5000), "<0.1 %"),
     ((4999, 5000), ">99.9 %"), ((26, 36), "72 %")],
)  # fmt: skip
def test_a_chance_never_looks_certain_where_it_is_not(chance: tuple[int, int], shown: str) -> None:
    assert chance_text(chance) == shown


def test_rolls_are_told_by_what_they_needed_and_what_came_of_them() -> None:
    check = Rolled("test", "x", 6, (3, 5), "failed", "app", (5, 12), "k", needed=7)
    pool = Rolled("hits", "x", 6, (6, 2, 6), 2, "table", (5, 72), "k", needed=6)
    total = Rolled("wounds", "x", 3, (2,), 2, "app", (1, 3), "k")
    assert [outcome_text(roll) for roll in (check, pool, total)] == ["8, failed", "2 of 3", "= 2"]
    assert [needed_text(roll) for roll in (check, pool, total)] == ["7 or less", "6+", ""]
    assert [whence_text(roll) for roll in (check, pool)] == ["", " (table)"]


def test_chains_of_dice_are_told_by_what_they_come_to() -> None:
    chain = Rolled("dodge", "x", 10, (10, 3), "passed", "table", (1, 9), "k", needed=13, corrects=4, total=13)
    assert (needed_text(chain), outcome_text(chain)) == ("at least 13", "13, passed")
    assert whence_text(chain) == " (table, corrects 4)"
    assert needed_text(Throw("dodge", "x", "", 10, 1, 13, follows=(10,))) == "at least 13"
    assert dice_text(Throw("dodge", "x", "", 10, 1, 13, follows=(10,))) == "1 more D10"
    assert dice_text(Throw("hits", "x", "", 6, 5, 5)) == "5 D6"


@pytest.mark.parametrize("needed", [-100, -13, -10, -9, 0, 5, 10, 100])
@pytest.mark.parametrize("total", [None, 7, 99, -35])
@pytest.mark.parametrize("outcome", ["passed", "failed"])
def test_what_was_needed_stands_apart_from_faces_and_outcome(needed: int, total: int | None, outcome: str) -> None:
    """GD-18: a defence whose bonus beats the fire by ten needs at least -10."""
    roll = Rolled("defence", "x", 10, (5,), outcome, "table", (99, 100), "k", needed=needed, total=total)
    text = "".join(run[0] for run in layout(LogLine(3, "roll", "Alien warrior, defence", roll), 76, False))
    assert f" 5 {needed_text(roll)} {outcome_text(roll)} 99 %" in " ".join(text.split())
    assert text.endswith("99 %")
    assert runs_width(layout(LogLine(3, "roll", "Alien warrior, defence", roll), 76, False)) <= 76


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("width", [41, 56, 76, 118])
def test_log_lines_fit_whatever_the_name(name: str, width: int) -> None:
    roll = Rolled("hits", "x", 6, (6,) * 30, 30, "table", (1, 9), "k", needed=6, corrects=12)
    one_line = ("roll",) if fits_one_line(clean(name), roll, width) else ()
    for kind in ("order", "move", "words", "faces", "event", *one_line):
        line = LogLine(3, kind, clean(name), roll if kind in ("roll", "faces") else None)
        for undone in (False, True):
            assert runs_width(layout(line, width, undone)) <= width


@pytest.mark.parametrize(
    ("text", "sides", "faces"),
    [
        ("46655", 6, (4, 6, 6, 5, 5)),
        ("4 6 6, 5;5", 6, (4, 6, 6, 5, 5)),
        ("3x6 2x5", 6, (6, 6, 6, 5, 5)),
        ("3X6", 6, (6, 6, 6)),
        ("2*4 1", 6, (4, 4, 1)),
        ("3x62x5", 6, (6, 6, 6, 5, 5)),
        ("1x653", 6, (6, 5, 3)),
        ("123", 3, (1, 2, 3)),
        ("0 5 10", 10, (10, 5, 1, 10)),
        ("2x10", 10, (10, 10)),
        ("17 4 20", 20, (17, 4, 20)),
        ("", 6, ()),
        ("  ", 6, ()),
    ],
)
def test_faces_are_read_as_people_type_them(text: str, sides: int, faces: tuple[int, ...]) -> None:
    typed = read_faces(text, sides)
    assert typed.faces == faces
    assert not typed.wrong
    assert not typed.unfinished


@pytest.mark.parametrize(
    ("text", "sides"), [("7", 6), ("0", 6), ("4", 3), ("a", 6), ("x6", 6), ("3x7", 6), ("²", 6), ("99999x6", 6)]
)
def test_what_is_no_face_is_said(text: str, sides: int) -> None:
    assert read_faces(text, sides).wrong


def test_a_counted_group_may_still_wait_for_its_face() -> None:
    assert read_faces("2 3x", 6).unfinished
    assert read_faces("2 3x", 6).faces == (2,)


@given(st.text(), st.sampled_from([3, 6, 10, 20]))
def test_any_text_is_read_or_refused(text: str, sides: int) -> None:
    typed = read_faces(text, sides)
    assert all(1 <= face <= sides for face in typed.faces)


@given(st.lists(st.integers(1, 6), max_size=60))
def test_shown_faces_are_read_back(faces: list[int]) -> None:
    assert read_faces(shown_faces(tuple(faces)), 6).faces == tuple(faces)
    assert read_faces(shown_faces(tuple(faces), 5), 6).faces in (tuple(faces), tuple(sorted(faces)))


@pytest.mark.parametrize(
    ("text", "sides", "count", "faces"), [("10", 10, 1, (10,)), ("0", 10, 1, (10,)), ("10", 10, 2, (1, 10))]
)
def test_a_single_die_may_be_typed_as_its_number(text: str, sides: int, count: int, faces: tuple[int, ...]) -> None:
    """One D10 that shows 10 is typed as 10; of two, 10 is a 1 and a 10."""
    assert read_faces(text, sides, count) == Typed(faces)


@pytest.mark.parametrize(
    ("text", "at", "width", "shown"),
    [("abc", 3, 10, "abc_"), ("abcdefghij", 10, 6, "\u2026ghij_"), ("abcdefghij", 0, 6, "_abcd\u2026"),
     ("abcdefghij", 5, 6, "\u2026bcde_"), ("\u732b\u732b\u732b", 3, 6, "\u2026\u732b\u732b_")],
)  # fmt: skip
def test_the_caret_of_a_long_text_is_always_in_sight(text: str, at: int, width: int, shown: str) -> None:
    made = around_caret(text, at, width)
    assert made == shown
    assert "_" in made
    assert cell_len(made) <= width
