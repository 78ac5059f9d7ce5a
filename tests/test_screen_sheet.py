"""A form being filled in: what each key does, without a screen."""

from __future__ import annotations

from decimal import Decimal

from engine.ruleset import Field, FieldOption, Form
from tui.form_sheet import Sheet

GUNS = (
    FieldOption("a", "assault gun"),
    FieldOption("h", "heavy gun", "it has moved (X-7)"),
    FieldOption("p", "pistol"),
)
MANY = tuple(FieldOption(str(n), f"unit {n:02}", "gone (X-1)" if n == 3 else "") for n in range(20))


def place_of(made: Sheet) -> str:
    """Where the cursor rests: the field, and the option where it rests on one."""
    return "/".join(part for part in made.at if part)


def sheet(*fields: Field) -> Sheet:
    made = Sheet({})
    made.take(Form("order", "An order", fields))
    return made


def again(made: Sheet, *fields: Field) -> None:
    """As the screen does after each change: the form is asked for anew with what is given."""
    made.take(Form("order", "An order", fields))


def text_of(made: Sheet) -> str:
    return "\n".join("".join(text for text, _ in line.runs).rstrip() for line in made.lines(60))


def test_the_cursor_begins_where_a_value_is_missing() -> None:
    made = sheet(Field("a", "A", "number", 3, most=9), Field("b", "B", "text"))
    assert place_of(made) == "b"


def test_typed_digits_replace_what_stands_there_and_the_next_ones_follow() -> None:
    made = sheet(Field("range", "Range", "decimal", Decimal(24), most=200, inferred="as before"))
    assert made.type("1")
    assert made.given == {"range": Decimal(1)}
    assert made.type("8")
    assert made.type(".") is False
    assert made.type("5")
    assert made.given == {"range": Decimal("18.5")}
    assert made.backspace()
    assert made.given == {"range": Decimal(18)}


def test_what_is_out_of_bounds_is_not_given_and_said() -> None:
    field = Field("models", "Models", "number", 2, least=1, most=5)
    made = sheet(field)
    made.type("9")
    assert "models" not in made.given
    assert made.faults() == ["Models: a whole number from 1 to 5"]
    assert "from 1 to 5" in text_of(made)
    made.clear()
    assert made.faults() == []


def test_left_and_right_count_within_bounds() -> None:
    made = sheet(Field("models", "Models", "number", 4, least=1, most=5))
    assert made.turn(1)
    again(made, Field("models", "Models", "number", made.given["models"], least=1, most=5))
    assert made.given == {"models": 5}
    assert not made.turn(1)


def test_a_forbidden_option_is_shown_with_its_reason_and_passed_over() -> None:
    made = sheet(Field("gun", "Gun", "choice", "a", GUNS))
    assert "heavy gun  it has moved (X-7)" in text_of(made)
    assert made.turn(1)
    assert made.given == {"gun": "p"}


def test_several_are_chosen_line_by_line_and_forbidden_ones_are_not() -> None:
    field = Field("guns", "Guns", "choices", (), GUNS)
    made = sheet(field)
    assert place_of(made) == "guns/a"
    assert made.toggle()
    assert made.given == {"guns": ("a",)}
    again(made, Field("guns", "Guns", "choices", ("a",), GUNS))
    made.move(1)
    assert place_of(made) == "guns/h"
    assert not made.toggle()
    made.move(1)
    made.toggle()
    assert made.given == {"guns": ("a", "p")}
    assert "[x] assault gun" in text_of(made)


def test_a_long_list_is_searched_by_typing() -> None:
    made = sheet(Field("unit", "Unit", "choice", "0", MANY))
    assert "type to search 20" in text_of(made)
    for letter in "unit 1":
        made.type(letter)
    assert made.given == {"unit": "10"}
    assert "search: unit 1_" in text_of(made)
    assert "unit 02" not in text_of(made)
    made.type("7")
    assert made.given == {"unit": "17"}
    assert not made.type("z"), "letters that match nothing are not taken"
    assert made.search == "unit 17"


def test_a_search_does_not_take_what_is_forbidden() -> None:
    made = sheet(Field("unit", "Unit", "choice", "0", MANY))
    for letter in "03":
        made.type(letter)
    assert "unit" not in made.given
    assert "gone (X-1)" in text_of(made)


def test_a_field_that_cannot_be_used_says_why_and_takes_nothing() -> None:
    made = sheet(Field("weapon", "Weapon", "choice", None, GUNS, forbidden="there is no tie (X-23)"))
    assert "there is no tie (X-23)" in text_of(made)
    assert not made.turn(1)
    assert not made.type("a")
    assert not made.toggle()


def test_the_cursor_stays_on_its_field_when_others_come_and_go() -> None:
    first, last = Field("a", "A", "flag", False), Field("z", "Z", "text")
    made = sheet(first, last)
    again(made, first, Field("m", "M", "number", 1, most=3), last)
    assert place_of(made) == "z"
    again(made, first)
    assert place_of(made) == "a"


def test_what_was_inferred_is_marked_with_where_it_comes_from() -> None:
    made = sheet(Field("side", "Side", "text", "red", inferred="whose turn it is"), Field("b", "B", "flag", False))
    assert "red" in text_of(made)
    assert "(whose turn it is)" in text_of(made)


def test_tab_goes_from_field_to_field_and_round() -> None:
    made = sheet(Field("guns", "Guns", "choices", ("a",), GUNS), Field("b", "B", "flag", False))
    made.move_field(1)
    assert place_of(made) == "b"
    made.move_field(1)
    assert place_of(made) == "guns/a"


def test_a_long_list_of_which_several_are_chosen_is_folded_up_until_the_cursor_comes() -> None:
    chosen = Field("guns", "Guns", "choices", ("4", "9"), MANY)
    made = sheet(Field("b", "B", "text"), chosen, Field("c", "C", "choices", (), MANY))
    folded = text_of(made)
    assert "[x] unit 04" in folded
    assert "unit 05" not in folded
    made.move(1)
    assert place_of(made) == "guns/4"
    assert "[ ] unit 05" in text_of(made)
    made.move_field(1)
    assert place_of(made) == "c/0"
    assert "unit 05" in text_of(made)


def test_a_letter_chooses_in_a_short_list() -> None:
    """The next option that begins with it and may be taken; others do nothing."""
    made = sheet(Field("gun", "Gun", "choice", "a", GUNS))
    assert made.type("p")
    assert made.given["gun"] == "p"
    assert not made.type("h"), "forbidden"
    assert not made.type("z")
    assert not made.type(" ")
    assert made.search == ""
    assert made.given["gun"] == "p"
