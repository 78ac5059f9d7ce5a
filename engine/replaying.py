"""Walking through a recorded battle: where one stands, what comes next and before, and what branches off.

Nothing here changes a history.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any, TypeAlias

from engine.concerning import concerns
from engine.entries import Entry, GotoEntry, OrderEntry, RedoEntry, UndoEntry
from engine.history import History

MOVING = (OrderEntry, UndoEntry, RedoEntry, GotoEntry)
"""The entries that move the head; all others leave the battle as it stands, and no replay stops at them."""

Fits: TypeAlias = Callable[[Entry], bool]


class Replay:
    """A moment of a battle, and the ways from there.

    `at` is the number of the entry after which the battle is looked at, 0 for its beginning. The line that is walked
    is the line of play that holds now; with `everything` it is the whole record, take-backs and all, as it was
    written; and `branch`, where it is not None, is the last order of a line that was taken back and is looked into.
    """

    def __init__(self, history: History, at: int = 0) -> None:
        """Raises Refusal where there is no entry `at`."""
        self.history = history
        self.at = 0
        self.everything = False
        self.branch: int | None = None
        self._line: tuple[int, ...] = (0,)
        self._line_of: tuple[Any, ...] = ()
        self._seen: tuple[History, int, History] | None = None
        self.go(at)

    # Where one stands

    @property
    def head(self) -> int:
        """The order at which the battle stood then."""
        return self.history.head_after(self.at)

    @property
    def seen(self) -> History:
        """The history with its head there, to look at."""
        history, head = self.history, self.head
        if self._seen is None or self._seen[:2] != (history, head):
            self._seen = (history, head, history.as_of(head))
        return self._seen[2]

    @property
    def state(self) -> Any:
        return self.seen.state

    @property
    def entry(self) -> Entry | None:
        """The entry after which the battle is looked at; None at the beginning."""
        return self.history.entries[self.at - 1] if self.at else None

    @property
    def line(self) -> tuple[int, ...]:
        """The numbers one stops at, 0 first."""
        history = self.history
        tip = history.head if self.branch is None else self.branch
        whole = self.everything and self.branch is None
        asked = (history, tip, len(history.entries) if whole else 0, whole)
        if self._line_of != asked:
            self._line = (0, *(_moving(history) if whole else history.path(tip)))
            self._line_of = asked
        return self._line

    @property
    def place(self) -> int:
        """How many stops of the line lie before this one, the beginning not counted."""
        return bisect_right(self.line, self.at) - 1

    @property
    def fork(self) -> int:
        """The order at which the branch looked into leaves the line of play; where one stands if it is none."""
        if self.branch is None:
            return self.at
        holding = set(self.history.path(self.history.head))
        return next((node for node in reversed(self.history.path(self.branch)) if node in holding), 0)

    # Going somewhere

    def go(self, number: int) -> None:
        """Go to the moment after an entry, looking into its branch where it was taken back. Raises Refusal for none.

        An entry that left the battle as it stood is the moment before it.
        """
        head = self.history.head_after(number)
        looked_into = self.branch
        for stop, branch in ((number, looked_into), (number, None), (head, None), (head, looked_into)):
            self.branch = branch
            if self._stops_at(stop):
                self.at = stop
                return
        self.branch, self.at = self.tip(head), head

    def look_into(self, number: int) -> bool:
        """Look into the branch of an order that does not stand on the line of play; false where it does."""
        head = self.history.head_after(number)
        if not head or head in self.history.path(self.history.head):
            return False
        self.branch, self.at = self.tip(head), head
        return True

    def leave_branch(self) -> bool:
        """Back to where the branch left the line of play; false where none is looked into."""
        if self.branch is None:
            return False
        self.at, self.branch = self.fork, None
        return True

    def show_everything(self, everything: bool) -> None:
        """Walk the whole record with all that was taken back, or only the line of play; one stays where one is."""
        at = self.at
        self.everything, self.branch = everything, None
        self.go(at)

    def renew(self, history: History) -> None:
        """Go on in another history of the battle, as near to where one was as that one goes."""
        at = min(self.at, len(history.entries))
        self.history, self.branch = history, None
        self.go(at)

    def tip(self, node: int) -> int:
        """Where the line through an order ends: always on to what was ordered last."""
        history = self.history
        later = filter(history.is_order, range(node + 1, len(history.entries) + 1))
        last = {history.parent(each): each for each in later}
        while node in last:
            node = last[node]
        return node

    def _stops_at(self, number: int) -> bool:
        line = self.line
        place = bisect_left(line, number)
        return place < len(line) and line[place] == number

    # Steps; each gives the number to go to, None where there is none

    def step(self, by: int) -> int | None:
        """The stop that many further on, or back."""
        place = self.place + by
        return self.line[place] if 0 <= place < len(self.line) else None

    def edge(self, by: int) -> int:
        """The last stop, or the beginning."""
        return self.line[-1 if by > 0 else 0]

    def turn(self, by: int) -> int | None:
        """The first stop of the next turn, or of this one, or, where one stands there, of the one before."""
        chapter = self._chapter(self.at)
        if by > 0:
            return next((each for each in self.line[self.place + 1 :] if self._chapter(each) != chapter), None)
        earlier = self.line[: self.place + 1]
        for at in range(len(earlier) - 1, 0, -1):
            before = self._chapter(earlier[at - 1])
            if before != chapter and earlier[at] != self.at:
                return earlier[at]
            chapter = before
        return 0 if self.at else None

    def _chapter(self, number: int) -> str:
        return self.history.rules.chapter(self.history.state_at(self.history.head_after(number)))

    def suppression(self, by: int) -> int | None:
        """The next stop at which suppressing fire was laid, or the one before."""
        tags = self.history.rules.suppressing
        return self._found(by, lambda entry: any(type(event).__struct_config__.tag in tags for event in _events(entry)))

    def unit(self, unit: str, by: int) -> int | None:
        """The next stop that is about a unit, or the one before."""
        rules = self.history.rules
        return self._found(by, lambda entry: isinstance(entry, OrderEntry) and concerns(rules, entry, unit))

    def _found(self, by: int, fits: Fits) -> int | None:
        line = self.line
        ahead = line[self.place + 1 :] if by > 0 else line[self.place - 1 : 0 : -1] if self.place else ()
        return next((number for number in ahead if fits(self.history.entries[number - 1])), None)

    def pause(self, longest: int) -> int | None:
        """Milliseconds that passed before the next stop, `longest` at most; None where there is none.

        Clocks go wrong: where the next one was written before this one, none passed.
        """
        following = self.step(1)
        if following is None:
            return None
        now = self.entry
        return max(0, min(longest, self.history.entries[following - 1].t - now.t)) if now else 0


def _moving(history: History) -> tuple[int, ...]:
    return tuple(entry.n for entry in history.entries if isinstance(entry, MOVING))


def _events(entry: Entry) -> tuple[Any, ...]:
    return entry.events if isinstance(entry, OrderEntry) else ()
