"""The Dice log as a pane: every entry with its dice, filtered and searched."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.entries import Entry
from engine.history import History
from engine.wording import clean
from saves.cells import cut
from tui.columns import Run
from tui.line_pane import GUTTER, LinePane
from tui.log_filter import LogFilter, LogReader, read_filter
from tui.log_lines import LogLine, Teller, layout

PAGE = 400
"""How many entries are made into lines at first; going up beyond them brings more."""

NOTHING_ORDERED = "Nothing has been ordered yet."


def new_entries(count: int) -> str:
    """So many entries that somebody has not seen yet: `3 new entries`."""
    return "1 new entry" if count == 1 else f"{count} new entries"


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
        self.unseen = 0
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

    def entries_added(self, own: bool = True) -> None:
        """Take in what the history has gained since, by oneself or by others.

        Whoever has gone back in the log stays where they are, and is told how many entries there are below that they
        have not seen; what one orders oneself is shown, unless one is reading here.
        """
        if self._history is None:
            return
        following = self.cursor >= len(self._lines) - 1 or (own and not self.has_focus)
        entries = self._history.entries
        added = self._make(entries[self._told :])
        self._lines.extend(added)
        self._found += self._matching(self._told)
        self._told = len(entries)
        self.unseen = 0 if following else self.unseen + len({line.entry for line in added})
        self.lines_changed()
        if following:
            self.newest()
        self._refresh_standing()

    def newest(self) -> None:
        """To the newest entry."""
        self.move_to(len(self._lines) - 1, -1)

    def _refresh_standing(self, changed: Iterable[int] = ()) -> None:
        """Paint the entries again that stand now and did not before, or the other way round; and those `changed`."""
        before, self._standing = self._standing, self._stand()
        stale = (before ^ self._standing).union(changed)
        for index, line in enumerate(self._lines):
            if line.entry in stale:
                self.refresh_index(index)

    # Filtering and searching

    def ask_filter(self) -> None:
        """Let the filter be typed, and show what it lets through at once."""
        self._ask("/", self.filter, self.set_filter, ("keep", "show all"))

    def ask_sought(self) -> None:
        """Let what is searched for be typed, and go to the last match at once."""
        self._ask("find:", self.sought, self.find, ("go there", "search no more"))

    def _ask(self, mark: str, text: str, take: Callable[[str], None], words: tuple[str, str]) -> None:
        from tui.filter_screen import FilterScreen  # which opens only at a key

        assert self._history is not None

        def typed(text: str) -> None:
            take(text)
            self.post_message(self.Moved(self))

        self.focus()
        self.app.push_screen(FilterScreen(mark, text, typed, LogReader(self._history).offered, words))

    def set_filter(self, text: str) -> None:
        """Show only entries that the filter of that text lets through; an empty text shows all."""
        self.filter = text.strip()
        if self._history is not None:
            self._rebuild(0 if self.filter else max(0, len(self._history.entries) - PAGE))

    def _rebuild(self, first: int) -> None:
        assert self._history is not None
        self._first = first
        # Before the pane has its size, lines would be made only to be made again.
        self._lines = self._make(self._history.entries[first:]) if self._made_for else []
        self.empty = self._nothing() if self._made_for else ""
        self._told = len(self._history.entries)
        self._standing = self._stand()
        self.cursor = len(self._lines) - 1
        self.unseen = 0
        self.lines_changed()

    def _nothing(self) -> str:
        """What is said where no line is shown."""
        return f"Nothing matches {self.filter}." if self.filter else NOTHING_ORDERED

    def _make(self, entries: Iterable[Entry]) -> list[LogLine]:
        assert self._history is not None
        teller, reader = Teller(self._history), LogReader(self._history)
        wanted = read_filter(self.filter)
        lines: list[LogLine] = []
        for entry in entries:
            if wanted.empty or self._passes(wanted, entry, teller, reader):
                lines.extend(self._entry_lines(teller, entry))
        return lines

    def _entry_lines(self, teller: Teller, entry: Entry) -> list[LogLine]:
        return teller.lines(entry, self._made_for)

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
        return [entry.n for entry in self._listed(after) if self._passes(wanted, entry, teller, reader)]

    def _listed(self, after: int) -> Iterable[Entry]:
        """The entries later than `after` that the log is about."""
        assert self._history is not None
        return self._history.entries[after:]

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
        if self.unseen and self.cursor >= len(self._lines) - 1:
            self.unseen = 0
            self.refresh_title()

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
        return layout(line, width, self._is_undone(line))

    def _is_undone(self, line: LogLine) -> bool:
        return line.kind != "move" and line.entry not in self._standing

    def note(self) -> str:
        if self.unseen:
            return f"{new_entries(self.unseen)} below"
        if self.filter:
            shown = {line.entry for line in self._lines[: self.line_count()]}
            return f"filter: {cut(clean(self.filter), 20)} · {len(shown)}"
        if self.sought:
            place = self._found.index(self.entry) + 1 if self.entry in self._found else 0
            return f"find: {cut(clean(self.sought), 20)} · {place}/{len(self._found)}"
        return super().note()
