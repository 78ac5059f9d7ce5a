"""The Dice log as of a moment that is looked at: what came later is dim or hidden, bookmarks stand beside entries."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from engine.entries import Entry
from engine.history import History
from engine.replaying import Replay
from engine.wording import clean
from saves.cells import cut
from tui.columns import Run
from tui.dice_log import LogPane
from tui.log_lines import INDENT, LogLine, Teller, layout

REACH = 200
"""How many entries before and after the moment are made into lines at first; going further brings more."""


LATER = "."
"""The sign before what came later, beside its being dim."""


class ReplayLog(LogPane):
    """The log around a moment of a replay. `*` marks the entry after which the battle is looked at.

    It lists the stops of the line that is walked; `hides` tells that nothing is shown that came later.
    """

    def __init__(self, replay: Replay, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__("Dice log", id=id)
        self._replay = replay
        self.hides = False
        self._at = 0
        self._line: tuple[int, ...] = ()
        self._last = 0
        self._notes: dict[int, list[str]] = {}

    def show_moment(self) -> None:
        """Show the log as of the moment of the replay, with the cursor on its entry."""
        before, self._at = self._at, self._replay.at
        self._history = self._replay.seen
        if self.hides and self.sought:
            self._found = self._matching(0)
        if self._replay.line is not self._line:
            self._begin()
        elif not self.filter and not self._covers(self._at):
            self._make_around()
        else:
            self._refresh_standing((before, self._at))
            if self.hides:
                self.lines_changed()
            else:
                self._refresh_between(before, self._at)
        self._to_the_moment()

    def made_anew(self) -> None:
        """Make the lines anew, where bookmarks or what is hidden have changed; the cursor stays on its entry."""
        entry = self.entry
        self._make_around()
        if entry is None or entry == self._at:
            self._to_the_moment()
        else:
            self.go_to(entry)

    def show_history(self, history: History) -> None:
        """Show another history of the battle, in which the replay goes on already."""
        self._texts.clear()
        self._history, self._at = self._replay.seen, self._replay.at
        self._begin()
        self._to_the_moment()

    def stops_added(self) -> None:
        """Take in what the line has gained since, and stay where one is."""
        entry, line = self.entry, self._replay.line
        self._history = self._replay.seen
        if line[: len(self._line)] != self._line:
            self._begin()
        else:
            whole = self._last == len(self._line)
            self._line = line
            self._found = self._matching(0)
            if whole:
                first, self._last = self._last, len(line)
                self._lines.extend(self._make(self._entries(first, self._last)))
                self.lines_changed()
        self.go_to(entry or self._at)

    def _begin(self) -> None:
        self._line = self._replay.line
        self._found = self._matching(0)
        self._make_around()

    def _make_around(self) -> None:
        """Make the lines around the moment, or of all that the filter lets through."""
        self._notes = {}
        for mark in self._replay.history.bookmarks:
            note = clean(mark.text)
            self._notes.setdefault(mark.at, []).append(f"bookmark: {note}" if note else "bookmark")
        place = bisect_left(self._line, self._at)
        everything = bool(self.filter)
        self._first = 1 if everything else max(1, place - REACH)
        self._last = len(self._line) if everything else min(len(self._line), place + REACH)
        self._lines = self._make(self._entries(self._first, self._last))
        self._standing = self._stand()
        self.cursor = -1
        self.lines_changed()

    def _entries(self, first: int, last: int) -> Iterable[Entry]:
        """The entries at these places of the line."""
        entries = self._replay.history.entries
        return [entries[number - 1] for number in self._line[first:last]]

    def _listed(self, after: int) -> Iterable[Entry]:
        last = bisect_right(self._line, self._at) if self.hides else len(self._line)
        return self._entries(bisect_right(self._line, max(0, after)), last)

    def _entry_lines(self, teller: Teller, entry: Entry) -> list[LogLine]:
        """Bookmarks stand below the title, where they are in sight however long the entry is."""
        title, *rest = teller.lines(entry, self._made_for)
        return [title, *(LogLine(entry.n, "bookmark", text) for text in self._notes.get(entry.n, ())), *rest]

    def _covers(self, number: int) -> bool:
        place = bisect_left(self._line, number)
        return (number == 0 and self._first == 1) or self._first <= place < self._last

    def _to_the_moment(self) -> None:
        """Rest on the entry of the moment, with all of it in sight that has room."""
        if self._at in self._line:
            self.go_to(self._at)
            self.move_to(min(self._index_after(self._at), self.line_count()) - 1)
        if not self.go_to(self._at) and self.line_count():
            self.move_to(max(0, self._index_after(self._at) - 1))

    def _index_after(self, number: int) -> int:
        """The first line of what came later than an entry."""
        return bisect_right(self._lines, number, key=lambda line: line.entry)

    def _refresh_between(self, one: int, other: int) -> None:
        """Paint what has become later, or is later no more."""
        first, last = sorted((one, other))
        for index in range(self._index_after(first), self._index_after(last)):
            self.refresh_index(index)

    # What LogPane asks

    def _rebuild(self, first: int) -> None:
        self._make_around()
        self._to_the_moment()

    def _stand(self) -> set[int]:
        """The orders shown that stood then; how far back the line of play goes makes no step slower."""
        first = self._line[self._first] if self._first < len(self._line) else 0
        standing: set[int] = set()
        node = self._replay.head
        while node >= max(1, first):
            standing.add(node)
            node = self._replay.history.parent(node)
        return standing

    def go_to(self, number: int) -> bool:
        if self.hides and number > self._at:
            return False
        if number and not self.filter and not self._covers(number) and number in self._line:
            place = bisect_left(self._line, number)
            self._first, self._last = max(1, place - REACH), min(len(self._line), place + REACH)
            self._lines = self._make(self._entries(self._first, self._last))
            self.cursor = -1
            self.lines_changed()
        index = bisect_left(self._lines, number, key=lambda line: line.entry)
        if index < self.line_count() and self._lines[index].entry == number:
            self.move_to(index)
            return True
        return False

    def _older(self) -> None:
        first = max(1, self._first - REACH)
        older = self._make(self._entries(first, self._first))
        self._first = first
        self._lines[:0] = older
        self.cursor += len(older)
        self.lines_changed()

    def _newer(self) -> None:
        last = min(len(self._line), self._last + REACH)
        self._lines.extend(self._make(self._entries(self._last, last)))
        self._last = last
        self.lines_changed()

    def move_to(self, index: int, step: int = 1) -> None:
        while index < 0 and self._first > 1 and not self.filter:
            had = len(self._lines)
            self._older()
            index += len(self._lines) - had
        while index >= len(self._lines) and self._last < len(self._line) and not self.hides and not self.filter:
            self._newer()
        super(LogPane, self).move_to(index, step)

    def action_edge(self, step: int) -> None:
        last = self._at if self.hides else self._line[-1]
        self.go_to(last if step > 0 else self._line[min(1, len(self._line) - 1)])
        super(LogPane, self).action_edge(step)

    def line_count(self) -> int:
        return self._index_after(self._at) if self.hides else len(self._lines)

    def mark(self, index: int) -> str:
        here = self._lines[index].entry
        if here > self._at:
            return LATER
        return "*" if here == self._at and (not index or self._lines[index - 1].entry != here) else " "

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        line = self._lines[index]
        if line.kind == "bookmark":
            text = cut(line.text, width - INDENT)
            runs: tuple[Run, ...] = ((" " * INDENT, "plain"), (text, "good"))
            return runs if line.entry <= self._at else tuple((text, "dim") for text, _ in runs)
        if line.entry > self._at:
            return tuple((text, "dim") for text, _ in layout(line, width, False))
        return layout(line, width, self._is_undone(line))

    def note(self) -> str:
        if self.hides and not (self.filter or self.sought):
            return "what comes is hidden"
        return super().note()
