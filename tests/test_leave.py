"""Taking back with leave: whose a step back is, who has to agree first, and to what they agreed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.entries import OrderEntry
from engine.history import History
from engine.orders import resolve_order, written_down
from engine.refusals import Refusal
from engine.seats import ConsentNeeded, refuse_answer, with_leave
from tests.small_rules import Note
from tests.test_history import new_history


def noted(*seats: str) -> History:
    """A note from each of these seats, by somebody of that name."""
    history = new_history()
    for seat in seats:
        order = Note(text="hello")
        resolution = resolve_order(history, order)
        history.take(written_down(history, order, resolution, f"one of {seat}", 0, seat), resolution.state)
    return history


def back(history: History, to: int, seat: str, by: str | None = None) -> Any:
    return with_leave(history, history.goto(to, by or f"one of {seat}", 0), seat)


def whom_to_ask(history: History, to: int, seat: str, by: str | None = None) -> tuple[str, ...]:
    with pytest.raises(ConsentNeeded) as needed:
        back(history, to, seat, by)
    assert needed.value.to == to
    assert needed.value.message == f"{' and '.join(needed.value.sides)} must agree to that first: ask them"
    return needed.value.sides


@pytest.mark.parametrize("seats", [("blue", "red"), ("red", "blue"), ("blue", "red", "blue")])
def test_one_order_of_another_seat_is_enough(seats: tuple[str, ...]) -> None:
    """Of two orders one is mine: the other one's seat is asked, whichever came first."""
    assert whom_to_ask(noted(*seats), 0, "blue") == ("red",)
    assert back(noted("blue", "blue"), 0, "blue").seat == "blue"
    assert whom_to_ask(noted("blue", "blue"), 0, "blue", by="somebody else") == ("red",)


def agreed_to(to: int, seat: str = "blue") -> History:
    """Four orders; blue asks to go back to one of them, and red agrees."""
    history = noted("red", "red", "red", "red")
    history.take(history.ask(to, seat, f"one of {seat}", 0))
    assert whom_to_ask(history, to, seat) == ("red",)
    history.take(history.answer(True, "red", "one of red", 0))
    return history


def test_what_was_agreed_to_and_nothing_else() -> None:
    """Leave to go back to the second order is no leave to go to the first, nor for anybody else."""
    history = agreed_to(2)
    assert whom_to_ask(history, 1, "blue") == ("red",)
    assert whom_to_ask(history, 0, "blue") == ("red",)
    assert whom_to_ask(history, 2, "blue", by="somebody else") == ("red",)
    move = back(history, 2, "blue")
    assert (move.to, move.seat, move.agreed) == (2, "blue", (6,))


def test_who_has_agreed_need_not_again() -> None:
    history = agreed_to(2)
    with pytest.raises(Refusal) as refused:
        refuse_answer(history, "red")
    assert (refused.value.clause, refused.value.message) == ("seat", "red has agreed already")
    for seat in ("blue", "spectator"):
        with pytest.raises(Refusal) as refused:
            refuse_answer(history, seat)
        assert refused.value.message == "that is for the other side to answer"
    with pytest.raises(Refusal) as refused:
        refuse_answer(noted("red"), "red")
    assert refused.value.message == "nobody asks to take anything back"


def test_the_umpire_needs_no_leave() -> None:
    assert back(noted("red", "blue"), 0, "umpire").seat == "umpire"
    assert back(noted("red", "blue"), 0, "both").seat == ""


def test_an_entry_says_what_it_follows_only_where_that_is_not_the_one_before() -> None:
    history = noted("red", "red")
    history.take(history.undo("one of red", 0))
    order = Note(text="instead")
    resolution = resolve_order(history, order)
    entry = written_down(history, order, resolution, "one of red", 0, "red")
    assert (entry.n, entry.p) == (4, 1)
    history.take(entry, resolution.state)
    following = written_down(history, order, resolve_order(history, order), "one of red", 0, "red")
    assert (following.n, following.p) == (5, None)
    assert isinstance(following, OrderEntry)
