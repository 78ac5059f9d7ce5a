"""Undo, redo and goto move a head in a tree that only grows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import __version__
from engine.dice import ALGORITHM
from engine.entries import (
    FORMAT,
    VERSION,
    AnswerEntry,
    BookmarkEntry,
    DiceTerms,
    GotoEntry,
    Header,
    OrderEntry,
    RedoEntry,
    RequestEntry,
    UndoEntry,
    UnmarkEntry,
)
from engine.history import History, ImpossibleEntry
from engine.orders import resolve_order, written_down
from engine.refusals import Refusal
from engine.rolls import Throw
from tests.small_rules import NAME, RULES, CountUp, Dare, Note

HEADER = Header(
    format=FORMAT,
    v=VERSION,
    min_reader=VERSION,
    id="0",
    created=0,
    name="",
    rules=NAME,
    rules_version=1,
    engine=__version__,
    sides=("blue", "red"),
    switches={},
    dice=DiceTerms(ALGORITHM, "app", "11" * 32),
)


def new_history() -> History:
    return History(HEADER, RULES)


def give(history: History, order: Any) -> OrderEntry:
    resolution = resolve_order(history, order)
    entry = written_down(history, order, resolution, "Ann", 0)
    history.take(entry, resolution.state)
    return entry


def test_undo_and_redo_are_each_others_reverse() -> None:
    history = new_history()
    give(history, CountUp(side="blue"))
    before = history.state
    give(history, CountUp(side="red"))
    after = history.state
    history.take(history.undo("Ann", 0))
    assert (history.head, history.state) == (1, before)
    history.take(history.redo("Ann", 0))
    assert (history.head, history.state) == (2, after)
    assert len(history.entries) == 4


def test_what_was_taken_back_stays() -> None:
    history = new_history()
    give(history, CountUp(side="blue"))
    first = give(history, CountUp(side="red"))
    history.take(history.undo("Ann", 0))
    give(history, Note(text="instead"))
    assert history.path(history.head) == (1, 4)
    assert history.order(2) == first
    assert history.next_redo is None
    history.take(history.goto(2, "Ann", 0))
    assert history.path(history.head) == (1, 2)


def test_the_same_order_again_brings_the_same_dice_on_every_line() -> None:
    history = new_history()
    first = give(history, CountUp(side="blue", times=3))
    history.take(history.undo("Ann", 0))
    give(history, Note(text="a detour"))
    again = give(history, CountUp(side="blue", times=3))
    assert again.rolls == first.rolls
    later = give(history, CountUp(side="blue", times=3))
    assert [row.key for row in later.rolls] == [f"t1-all/blue//count#{k}" for k in (3, 4, 5)]


def test_a_history_read_anew_rolls_on() -> None:
    """The next throw has the next number, as if nobody had closed the file; on the line of play of the head."""
    kept = new_history()
    for times in (3, 2):
        give(kept, CountUp(side="blue", times=times))
    kept.take(kept.undo("Ann", 0))
    read = new_history()
    for entry in kept.entries:
        read.take(entry)
    next_one = give(read, CountUp(side="blue", times=2))
    assert [row.key for row in next_one.rolls] == ["t1-all/blue//count#3", "t1-all/blue//count#4"]
    assert next_one.rolls == give(kept, CountUp(side="blue", times=2)).rolls
    at_the_beginning = read.keys_at(0).next("t1-all", Throw("count", "blue", "", 6, 1))
    after_the_first = read.keys_at(1).next("t1-all", Throw("count", "blue", "", 6, 1))
    assert (at_the_beginning, after_the_first) == ("t1-all/blue//count#0", "t1-all/blue//count#3")


def test_a_worthless_roll_does_not_shift_the_next() -> None:
    one, other = new_history(), new_history()
    give(other, Dare(side="red"))
    assert give(one, Dare(side="blue")).rolls == give(other, Dare(side="blue")).rolls


def test_other_typed_faces_are_a_correction() -> None:
    history = new_history()
    give(history, Dare(side="red", dice=(6, 6)))
    history.take(history.undo("Ann", 0))
    assert give(history, Dare(side="red", dice=(6, 6))).rolls[0].corrects is None
    history.take(history.undo("Ann", 0))
    assert give(history, Dare(side="red", dice=(6, 5))).rolls[0].corrects == 3


def test_nothing_to_undo_or_redo() -> None:
    history = new_history()
    with pytest.raises(Refusal) as refused:
        history.undo("Ann", 0)
    assert refused.value.clause == "order"
    with pytest.raises(Refusal):
        history.redo("Ann", 0)
    with pytest.raises(Refusal):
        history.goto(1, "Ann", 0)
    assert history.entries == []


def test_goto_an_undo_goes_where_the_head_was_then() -> None:
    history = new_history()
    give(history, CountUp(side="blue"))
    give(history, CountUp(side="red"))
    history.take(history.undo("Ann", 0))
    history.take(history.redo("Ann", 0))
    history.take(history.goto(3, "Ann", 0))
    assert history.head == 1
    assert history.next_redo == 2


@pytest.mark.parametrize(
    "entry",
    [
        UndoEntry(3, "", 0, of=1, to=0),
        UndoEntry(3, "", 0, of=2, to=0),
        UndoEntry(4, "", 0, of=2, to=1),
        RedoEntry(3, "", 0, to=2),
        GotoEntry(3, "", 0, to=7),
        OrderEntry(3, "", 0, order=Note(text="x"), p=1),
        OrderEntry(2, "", 0, order=Note(text="x")),
    ],
)
def test_entries_that_cannot_follow_change_nothing(entry: Any) -> None:
    history = new_history()
    give(history, CountUp(side="blue"))
    give(history, CountUp(side="red"))
    before = (history.head, history.state, len(history.entries))
    with pytest.raises(ImpossibleEntry):
        history.take(entry)
    assert (history.head, history.state, len(history.entries)) == before


def test_redo_after_a_leap_goes_the_way_that_was_left() -> None:
    """From the third of four orders to the first, or to the beginning: redo goes forward along that line again."""
    for back_to, forward in ((0, [1, 2, 3, 4]), (1, [2, 3, 4]), (3, [4])):
        history = new_history()
        for _ in range(4):
            give(history, CountUp(side="blue"))
        history.take(history.goto(back_to, "Ann", 0))
        seen = []
        while history.next_redo is not None:
            history.take(history.redo("Ann", 0))
            seen.append(history.head)
        assert seen == forward


def test_a_leap_to_another_line_leaves_the_ways_forward_as_they_were() -> None:
    history = new_history()
    for _ in range(3):
        give(history, CountUp(side="blue"))
    history.take(history.goto(1, "Ann", 0))
    other = give(history, CountUp(side="red"))
    history.take(history.goto(3, "Ann", 0))
    history.take(history.goto(1, "Ann", 0))
    assert history.next_redo == 2
    history.take(history.goto(other.n, "Ann", 0))
    assert history.next_redo is None


def asked(to: int = 1) -> History:
    """Three orders, and red asks to go back."""
    history = new_history()
    for _ in range(3):
        give(history, CountUp(side="blue"))
    history.take(history.ask(to, "red", "Bo", 0))
    return history


@pytest.mark.parametrize(
    ("to", "told"),
    [
        (3, "there is nothing to ask for: the battle stands there already"),
        (4, "entry 4 is no order"),
        (9, "entry 9 is no order"),
        (-1, "entry -1 is no order"),
    ],
)
def test_nothing_to_ask_for(to: int, told: str) -> None:
    history = new_history()
    for _ in range(3):
        give(history, CountUp(side="blue"))
    with pytest.raises(Refusal) as refused:
        history.ask(to, "red", "Bo", 0)
    assert (refused.value.clause, refused.value.message) == ("order", told)
    assert history.request is None


def test_a_request_waits_until_it_is_answered() -> None:
    """Whoever agrees is noted; a no ends it, and so does every move of the head."""
    history = asked(to=0)
    assert history.request is not None
    assert (history.request.head, history.request.to, history.request.seat) == (3, 0, "red")
    history.take(history.answer(True, "blue", "Ann", 0))
    assert (history.request.to, dict(history.agreed)) == (0, {"blue": 5})
    history.take(history.answer(False, "blue", "Ann", 0))
    assert history.request is None
    with pytest.raises(Refusal) as refused:
        history.answer(True, "blue", "Ann", 0)
    assert (refused.value.clause, refused.value.message) == ("seat", "nobody asks to take anything back")
    history = asked()
    give(history, CountUp(side="blue"))
    assert history.request is None


def test_a_no_agrees_to_nothing() -> None:
    history = asked()
    history.take(history.answer(False, "blue", "Ann", 0))
    assert dict(history.agreed) == {}


def test_who_sits_for_all_agrees_for_all() -> None:
    """The umpire, or whoever sits at both sides."""
    history = asked()
    history.take(history.answer(True, "umpire", "Uma", 0))
    assert dict(history.agreed) == {"blue": 5, "red": 5}


@pytest.mark.parametrize(
    "entry",
    [
        AnswerEntry(5, "", 0, "blue", of=3, agreed=True),
        AnswerEntry(5, "", 0, "blue", of=5, agreed=False),
        RequestEntry(5, "", 0, "red", head=2, to=1),
        RequestEntry(5, "", 0, "red", head=3, to=4),
        RequestEntry(5, "", 0, "red", head=3, to=8),
        BookmarkEntry(5, "", 0, at=5, text=""),
        UnmarkEntry(5, "", 0, of=4),
    ],
    ids=repr,
)
def test_answers_and_marks_that_cannot_follow(entry: Any) -> None:
    """An answer to no request, a request from elsewhere or to no order, a mark of what is not there yet."""
    history = asked()
    with pytest.raises(ImpossibleEntry):
        history.take(entry)
    assert (history.head, len(history.entries), dict(history.agreed)) == (3, 4, {})


def test_an_answer_where_nobody_asks_cannot_follow() -> None:
    history = new_history()
    give(history, CountUp(side="blue"))
    with pytest.raises(ImpossibleEntry):
        history.take(AnswerEntry(2, "", 0, "blue", of=1, agreed=True))


@pytest.mark.parametrize("number", [-1, 0, 3, 4, 99])
def test_numbers_that_are_no_order(number: int) -> None:
    """The beginning, an undo, and what is not there."""
    history = new_history()
    give(history, CountUp(side="blue"))
    give(history, CountUp(side="blue"))
    history.take(history.undo("Ann", 0))
    assert [history.is_order(each) for each in (1, 2, number)] == [True, True, False]
    with pytest.raises(KeyError):
        history.order(number)


def test_what_goes_and_what_comes() -> None:
    """Between two lines: what goes, the latest first, and what comes, the earliest first."""
    history = new_history()
    for _ in range(3):
        give(history, CountUp(side="blue"))
    history.take(history.goto(1, "Ann", 0))
    for _ in range(3):
        give(history, CountUp(side="red"))
    assert history.path(history.head) == (1, 5, 6, 7)
    assert history.between(3) == ([7, 6, 5], [2, 3])
    assert history.between(7, 3) == ([3, 2], [5, 6, 7])
    assert history.between(0, 3) == ([3, 2, 1], [])
    assert history.between(7) == ([], [])


MOVES = st.lists(st.tuples(st.sampled_from(["count", "undo", "redo", "goto"]), st.integers(0, 60)), max_size=80)


@settings(max_examples=60, deadline=None)
@given(MOVES)
def test_against_a_model_that_remembers_every_state(moves: list[tuple[str, int]]) -> None:
    """Any play, and the same entries read again: head, state and redo agree with a model that keeps them all."""
    history = new_history()
    states: dict[int, Any] = {0: history.state}
    parents: dict[int, int] = {}
    for move, number in moves:
        head = history.head
        if move == "count" and history.state.of("blue") < 100:
            entry = give(history, CountUp(side="blue"))
            states[entry.n], parents[entry.n] = history.state, head
        elif move == "undo" and head:
            history.take(history.undo("", 0))
            assert history.head == parents[head]
            assert history.next_redo == head
        elif move == "redo" and history.next_redo:
            wanted = history.next_redo
            history.take(history.redo("", 0))
            assert (history.head, parents[wanted]) == (wanted, head)
        elif move == "goto":
            target = history.head_after(number % (len(history.entries) + 1))
            if target == history.head:
                with pytest.raises(Refusal, match="nowhere to go"):
                    history.goto(number % (len(history.entries) + 1), "", 0)
            else:
                history.take(history.goto(number % (len(history.entries) + 1), "", 0))
            assert history.head == target
        assert history.state == states[history.head]
    again = new_history()
    for entry_ in history.entries:
        again.take(entry_)
    assert (again.head, again.state, again.next_redo) == (history.head, history.state, history.next_redo)
    assert all(again.state_at(node) == state for node, state in states.items())
