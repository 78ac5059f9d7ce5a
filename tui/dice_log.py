"""The Dice log: what was ordered, what fell, what was needed, what came of it, and how likely that was."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len

from engine.entries import Entry
from engine.history import History
from engine.roll_words import chance_text, faces_text, needed_text, outcome_text
from engine.rolls import Rolled
from engine.wording import clean
from saves.cells import cut
from tui.columns import Run
from tui.line_pane import GUTTER, LinePane
from tui.log_filter import LogFilter, LogReader, read_filter
from tui.log_lines import FACES_ONE_BY_ONE, INDENT, TAIL, LogLine, Teller

PAGE = 400
"""How many entries are made into lines at first; going up beyond them brings more."""


def layout(line: LogLine, width: int, undone: bool) -> tuple[Run, ...]:
    """A line of the log as runs; what was taken back is struck through, and its first line says so in words."""
    tone = "undone" if undone else {"order": "strong", "move": "dim", "event": "plain"}.get(line.kind, "plain")
    if line.kind in ("order", "move"):
        number = f"{line.entry:>4} "
        word = "undone: " if undone else ""
        return ((number, "dim"), (word, "warning"), (cut(line.text, width - len(number) - len(word)), tone))
    if line.roll is None:
        return ((" " * INDENT, "plain"), (cut(line.text, width - INDENT), tone))
    faces = faces_text(line.roll, FACES_ONE_BY_ONE)
    shown = "undone" if undone else "strong"
    room = width - INDENT - TAIL
    if line.kind == "faces":
        faces = cut(faces, room - 2)
        space = " " * (room - 2 - cell_len(faces))
        return ((" " * (INDENT + 2), "plain"), (faces, shown), (space, "plain"), *_tail(line.roll, undone))
    space = " " * max(1, room - cell_len(line.text) - cell_len(faces))
    tail = _tail(line.roll, undone)
    return ((" " * INDENT, "plain"), (line.text, tone), (space, "plain"), (faces, shown), *tail)


def _tail(roll: Rolled, undone: bool) -> tuple[Run, ...]:
    """The right end of a roll's line, in columns: what was needed, what came of it, how likely."""
    good = {"passed": "good", "failed": "bad"}.get(str(roll.outcome), "strong")
    return (
        *_right(needed_text(roll), 11, "undone" if undone else "strong"),
        *_right(outcome_text(roll), 12, "undone" if undone else good),
        *_right(chance_text(roll.chance), 8, "undone" if undone else "dim"),
    )


def _right(text: str, width: int, tone: str) -> tuple[Run, ...]:
    """Text at the right end of `width` cells; the space before it is not struck through."""
    return ((" " * max(0, width - cell_len(text)), "plain"), (text, tone))


NOTHING_ORDERED = "Nothing has been ordered yet."


class LogPane(LinePane):
    """The Dice log as a pane: newest below, following what is added unless somebody reads further up."""

    def __init__(self, title: str, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(title, id=id, empty=NOTHING_ORDERED)
        self._history: History | None = None
        self._lines: list[LogLine] = []
        self._first = 0
        self._told = 0
        self._standing: set[int] = set()
        self._made_for = 0
        self.filter = ""
        self.sought = ""
        self._texts: dict[int, tuple[str, ...]] = {}
        self._found: list[int] = []

    @property
    def entry(self) -> int | None:
        """The number of the entry under the cursor."""
        return self._lines[self.cursor].entry if 0 <= self.cursor < len(self._lines) else None

    def show_history(self, history: History) -> None:
        """Show a history from its end."""
        self._history = history
        self._texts.clear()
        self._found = self._matching(0)
        self._rebuild(max(0, len(history.entries) - PAGE))

    def entries_added(self) -> None:
        """Take in what the history has gained since."""
        if self._history is None:
            return
        following = self.cursor >= len(self._lines) - 1 or not self.has_focus
        entries = self._history.entries
        self._lines.extend(self._make(entries[self._told :]))
        self._found += self._matching(self._told)
        self._told = len(entries)
        before, self._standing = self._standing, self._stand()
        changed = before ^ self._standing
        self.lines_changed()
        if following:
            self.move_to(len(self._lines) - 1, -1)
        for index, line in enumerate(self._lines):
            if line.entry in changed:
                self.refresh_index(index)

    # Filtering and searching

    def set_filter(self, text: str) -> None:
        """Show only entries that the filter of that text lets through; an empty text shows all."""
        self.filter = text.strip()
        self.empty = f"Nothing matches {self.filter}." if self.filter else NOTHING_ORDERED
        if self._history is not None:
            self._rebuild(0 if self.filter else max(0, len(self._history.entries) - PAGE))

    def _rebuild(self, first: int) -> None:
        assert self._history is not None
        self._first = first
        self._lines = self._make(self._history.entries[first:])
        self._told = len(self._history.entries)
        self._standing = self._stand()
        self.cursor = len(self._lines) - 1
        self.lines_changed()

    def _make(self, entries: Iterable[Entry]) -> list[LogLine]:
        assert self._history is not None
        teller, reader = Teller(self._history), LogReader(self._history)
        wanted = read_filter(self.filter)
        lines: list[LogLine] = []
        for entry in entries:
            if wanted.empty or self._passes(wanted, entry, teller, reader):
                lines.extend(teller.lines(entry, self._made_for))
        return lines

    def _passes(self, wanted: LogFilter, entry: Entry, teller: Teller, reader: LogReader) -> bool:
        if entry.n not in self._texts:
            self._texts[entry.n] = tuple(line.text for line in teller.lines(entry))
        return reader.passes(wanted, entry, self._texts[entry.n])

    def find(self, text: str) -> None:
        """Go to the last entry that matches; an empty text searches for nothing any more."""
        self.sought = text.strip()
        self._found = self._matching(0)
        self.refresh_title()
        if self._found:
            self.go_to(self._found[-1])

    def _matching(self, after: int) -> list[int]:
        """The entries later than `after` that match what is searched for."""
        wanted = read_filter(self.sought)
        if self._history is None or wanted.empty:
            return []
        teller, reader = Teller(self._history), LogReader(self._history)
        return [entry.n for entry in self._history.entries[after:] if self._passes(wanted, entry, teller, reader)]

    def find_on(self, step: int) -> bool:
        """Go to the next match, or with -1 to the one before; round and round. False where nothing matches."""
        if not self._found:
            return False
        here = self.entry or 0
        later = [number for number in self._found if (number - here) * step > 0]
        near = min(later, key=lambda number: abs(number - here)) if later else self._found[0 if step > 0 else -1]
        self.go_to(near)
        return True

    def go_to(self, number: int) -> bool:
        """Rest the cursor on the first line of an entry; false where the filter hides it."""
        if self._history is not None and number <= self._first and not self.filter:
            self._rebuild(max(0, number - PAGE // 2))
        for index, line in enumerate(self._lines):
            if line.entry == number:
                self.move_to(index)
                return True
        return False

    def _stops_before(self, index: int) -> int:
        return index

    def first_lines(self) -> list[int]:
        """The lines in sight that are the first of their entry, and the uppermost one."""
        shown = self.in_sight()
        return [at for place, at in enumerate(shown) if not place or self._lines[at].entry != self._lines[at - 1].entry]

    def _stand(self) -> set[int]:
        """The orders shown that stand on the line of play."""
        assert self._history is not None
        standing: set[int] = set()
        node = self._history.head
        while node > self._first:
            standing.add(node)
            node = self._history.parent(node)
        return standing

    def _older(self) -> None:
        """Bring in the entries before the first one shown."""
        assert self._history is not None
        first = max(0, self._first - PAGE)
        older = self._make(self._history.entries[first : self._first])
        self._first = first
        self._standing = self._stand()
        self._lines[:0] = older
        self.cursor += len(older)
        self.lines_changed()

    def move_to(self, index: int, step: int = 1) -> None:
        while index < 0 < self._first:
            had = len(self._lines)
            self._older()
            index += len(self._lines) - had
        super().move_to(index, step)

    def action_edge(self, step: int) -> None:
        if step < 0 and self._first and self._history is not None:
            self._rebuild(0)
        super().action_edge(step)

    def on_resize(self) -> None:
        width = self.size.width - GUTTER
        if width != self._made_for and self._history is not None:
            self._made_for = width
            entry, following = self.entry, self.cursor >= len(self._lines) - 1
            self._rebuild(self._first)
            if not following:
                self.cursor = next((at for at, line in enumerate(self._lines) if line.entry == entry), self.cursor)
        super().on_resize()

    def line_count(self) -> int:
        return len(self._lines)

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        line = self._lines[index]
        undone = line.kind != "move" and line.entry not in self._standing
        return layout(line, width, undone)

    def note(self) -> str:
        if self.filter:
            return f"filter: {cut(clean(self.filter), 20)} · {len({line.entry for line in self._lines})}"
        if self.sought:
            place = self._found.index(self.entry) + 1 if self.entry in self._found else 0
            return f"find: {cut(clean(self.sought), 20)} · {place}/{len(self._found)}"
        return super().note()
