"""The widget under every list on the screen: whole lines with a cursor, painted one line at a time.

The stock table, log and footer widgets repaint themselves whole; over SSH that is seen. Here a line is a pure
function of what it shows, one segment for each run of equal style, and only lines that changed are painted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from engine.ruleset import Row, Table
from saves.cells import cut, fill
from tui.columns import Run, fitted, heading_text, row_runs, runs_width
from tui.key_bindings import bindings
from tui.tones import SPREADING, blank, ground_of, style_of

GUTTER = 2
"""Cells before each line: the cursor's mark and the mark of what needs a decision."""


ROOM_FOR = 256
"""Room is made for so many lines at a time: whenever it grows, everything on the screen is laid out again."""

KEPT_STRIPS = 400
"""So many painted lines are kept by each pane."""


class Lines(ScrollView, can_focus=True):
    """A title line, unless the title is empty, perhaps a line of headings, and lines that a cursor walks over.

    Keys are left to its kinds. `keeps_mark` tells that the cursor's mark also stands there without the focus.
    """

    class Moved(Message):
        """The cursor rests on another line."""

        def __init__(self, pane: Lines) -> None:
            super().__init__()
            self.pane = pane

        @property
        def control(self) -> Lines:
            return self.pane

    class Chosen(Message):
        """Enter was pressed on a line."""

        def __init__(self, pane: Lines) -> None:
            super().__init__()
            self.pane = pane

        @property
        def control(self) -> Lines:
            return self.pane

    def __init__(self, title: str, *, id: str | None = None, empty: str = "") -> None:  # noqa: A002
        super().__init__(id=id)
        self.pane_title = title
        self.empty = empty
        self.cursor = -1
        self.keeps_mark = False
        self._headings = False
        self._labels: dict[int, str] = {}
        self._noted = ""
        self._strips: dict[tuple[object, ...], Strip] = {}

    # What a kind of pane says about its lines

    def line_count(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        """Line `index` in at most `width` cells."""
        raise NotImplementedError

    def may_rest(self, index: int) -> bool:
        """Whether the cursor may rest on line `index`."""
        return True

    def mark(self, index: int) -> str:
        """The one cell between the cursor's mark and the line."""
        return " "

    def headings(self, width: int) -> str:
        """The line of headings."""
        return ""

    def note(self) -> str:
        """What stands at the right end of the title: which lines are in sight, where not all of them are."""
        shown, every = self.in_sight(), self._stops_before(self.line_count())
        if len(shown) == every:
            return ""
        first = self._stops_before(shown[0]) + 1 if shown else 0
        return f"{first}-{first + len(shown) - 1} of {every}" if shown else f"{every}"

    def _stops_before(self, index: int) -> int:
        """How many lines before line `index` the cursor may rest on."""
        return sum(self.may_rest(at) for at in range(index))

    # Painting

    @property
    def _top(self) -> int:
        return bool(self.pane_title) + self._headings

    @property
    def max_scroll_y(self) -> int:
        """How far one can scroll: to where the last line is in sight."""
        return max(0, self.line_count() + self._top - self.size.height)

    def _room(self) -> int:
        return max(0, self.size.height - self._top)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y == 0 and self.pane_title:
            return self._title_strip(width)
        if y < self._top:
            return self._strip(((" " * GUTTER + self.headings(width - GUTTER), "dim"),), width)
        index = y - self._top + round(self.scroll_y)
        if index >= self.line_count():
            text = self.empty if y == self._top and not self.line_count() else ""
            return self._strip(((" " * GUTTER + cut(text, width - GUTTER), "dim"),), width)
        return self._line_strip(index, width)

    def _title_strip(self, width: int) -> Strip:
        self._noted = self.note()
        note = cut(self._noted, max(0, width - 4))
        left = fill(f" {self.pane_title}", max(0, width - cell_len(note) - 1))
        return self._strip(((f"{left}{note} ", "title_focus" if self.has_focus else "title"),), width)

    def _line_strip(self, index: int, width: int) -> Strip:
        runs = self.line_runs(index, width - GUTTER)
        mark = self.mark(index)
        if index in self._labels:
            return self._strip(((fill(self._labels[index], GUTTER), "jump"), *runs), width)
        if index != self.cursor:
            return self._strip(((" " + mark, "mark" if mark.strip() else "plain"), *runs), width)
        if not self.has_focus:
            here = ">" if self.keeps_mark else " "
            return self._strip(((here + mark, "mark" if (here + mark).strip() else "plain"), *runs), width)
        return self._strip(((">" + mark + "".join(text for text, _ in runs), "cursor"),), width)

    def _strip(self, runs: tuple[Run, ...], width: int) -> Strip:
        """The runs on a line of exactly `width` cells: the same strip as before, where it was made before.

        Where a pane scrolls by a line, all others have been painted already, and a strip remembers how.
        """
        look = (runs, width, ground_of(self), style_of(self.app, "plain"))
        if look not in self._strips:
            if len(self._strips) >= KEPT_STRIPS:
                self._strips.clear()
            self._strips[look] = self._made_strip(runs, width)
        return self._strips[look]

    def _made_strip(self, runs: tuple[Run, ...], width: int) -> Strip:
        """The runs on a line of exactly `width` cells.

        Neighbours of the same style become one segment, and spaces join what is before them: each segment costs
        some forty bytes on its way to the terminal.
        """
        rest = width - runs_width(runs)
        last = runs[-1][1] if runs else "plain"
        tail = last if last in SPREADING else "plain"
        segments: list[Segment] = []
        ground = ground_of(self)
        for text, tone in (*runs, (" " * max(0, rest), tail)):
            style = ground + style_of(self.app, tone)
            before = segments[-1].style if segments else None
            if before is not None and (before == style or (blank(text, style) and blank(" ", before))):
                segments[-1] = Segment(segments[-1].text + text, before)
            elif text:
                segments.append(Segment(text, style))
        strip = Strip(segments)
        return strip.crop(0, width) if rest < 0 else Strip(segments, width)

    def refresh_index(self, index: int) -> None:
        """Paint line `index` again if it is in sight."""
        y = index - round(self.scroll_y) + self._top
        if self._top <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def in_sight(self) -> list[int]:
        """The lines in sight on which the cursor may rest."""
        top = round(self.scroll_y)
        return [at for at in range(top, min(self.line_count(), top + self._room())) if self.may_rest(at)]

    def first_lines(self) -> list[int]:
        """The lines in sight that one may jump to."""
        return self.in_sight()

    def show_labels(self, labels: Mapping[int, str]) -> None:
        """Show letters before some lines, to be jumped to; none takes them away."""
        changed = self._labels.keys() ^ labels.keys()
        self._labels = dict(labels)
        for index in changed:
            self.refresh_index(index)

    def _refresh_note(self) -> None:
        """Paint the title again where what stands at its right end has changed: a step costs little otherwise."""
        if self.note() != self._noted:
            self.refresh_title()

    def refresh_title(self) -> None:
        """Paint the title line again."""
        if self.pane_title:
            self.refresh(Region(0, 0, self.size.width, 1))

    # Cursor

    def lines_changed(self) -> None:
        """To be called when the number of lines has changed: keeps cursor and scrolling within them."""
        self.virtual_size = Size(self.size.width, -(-(self.line_count() + self._top) // ROOM_FOR) * ROOM_FOR)
        if self.cursor >= self.line_count() or (self.cursor >= 0 and not self.may_rest(self.cursor)):
            self.cursor = self._resting(min(self.cursor, self.line_count() - 1), -1)
        if self.cursor < 0:
            self.cursor = self._resting(0, 1)
        self.show_cursor()
        self.refresh()

    def _resting(self, start: int, step: int) -> int:
        """The nearest line from `start` in the direction of `step`, else the other way, that may be rested on."""
        for direction in (step, -step):
            index = start
            while 0 <= index < self.line_count():
                if self.may_rest(index):
                    return index
                index += direction
        return -1

    def move_to(self, index: int, step: int = 1) -> None:
        """Rest the cursor on `index`, or on the next line in the direction of `step` that allows it."""
        target = self._resting(max(0, min(index, self.line_count() - 1)), step)
        if target < 0 or target == self.cursor:
            return
        before, self.cursor = self.cursor, target
        self.show_cursor()
        self.refresh_index(before)
        self.refresh_index(target)
        self._refresh_note()
        self.post_message(self.Moved(self))

    def show_cursor(self) -> None:
        """Scroll so that the cursor's line is in sight."""
        if self.cursor < 0 or not self._room():
            return
        top = round(self.scroll_y)
        if self.cursor < top:
            lead = self.cursor
            while lead > 0 and not self.may_rest(lead - 1):
                lead -= 1
            self.scroll_to(y=lead, animate=False, force=True)
        elif self.cursor >= top + self._room():
            self.scroll_to(y=self.cursor - self._room() + 1, animate=False, force=True)

    # What happens to the widget

    def on_resize(self) -> None:
        self.lines_changed()

    def on_focus(self, event: events.Focus) -> None:
        event.prevent_default()  # which paints the whole widget again
        self.has_focus = True
        self._tell_parent(events.DescendantFocus(self))

    def on_blur(self, event: events.Blur) -> None:
        event.prevent_default()
        self.has_focus = False
        self._tell_parent(events.DescendantBlur(self))

    def _tell_parent(self, event: events.DescendantFocus | events.DescendantBlur) -> None:
        if self.parent is not None:
            self.parent.post_message(event)
        self.refresh_title()
        self.refresh_index(self.cursor)

    def on_click(self, event: events.Click) -> None:
        index = event.y - self._top + round(self.scroll_y)
        if event.y >= self._top and 0 <= index < self.line_count():
            self.move_to(index)


class LinePane(Lines):
    """Lines that are walked over with the usual keys."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("pane")

    def action_move(self, step: int) -> None:
        self.move_to(self.cursor + step, step)

    def action_page(self, step: int) -> None:
        self.move_to(self.cursor + step * max(1, self._room() - 1), -step)

    def action_edge(self, step: int) -> None:
        self.move_to(0 if step < 0 else self.line_count() - 1, -step)

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self))


class TablePane(LinePane):
    """A pane that shows a Table of the rule set, whatever it is about."""

    def __init__(self, title: str, *, id: str | None = None, empty: str = "") -> None:  # noqa: A002
        super().__init__(title, id=id, empty=empty)
        self._table = Table((), ())
        self._widths: tuple[tuple[int, int], ...] = ()
        self._fitted_for = -1

    @property
    def selected(self) -> str | None:
        """The id of the row under the cursor."""
        return self._table.rows[self.cursor].id if 0 <= self.cursor < len(self._table.rows) else None

    def show_table(self, table: Table) -> None:
        """Show `table`; the cursor stays on what it was on, and only rows that differ are painted."""
        before, self._table = self._table, table
        chosen = before.rows[self.cursor].id if 0 <= self.cursor < len(before.rows) else None
        if table.columns != before.columns:
            self._fitted_for = -1
            self._headings = bool(table.columns)
        ids = [row.id for row in table.rows]
        if ids != [row.id for row in before.rows] or table.columns != before.columns:
            same = [index for index, id_ in enumerate(ids) if id_ == chosen and not table.rows[index].heading]
            if same:
                self.cursor = min(same, key=lambda index: abs(index - self.cursor))
            self.lines_changed()
            return
        for index, (old, new) in enumerate(zip(before.rows, table.rows, strict=True)):
            if old != new:
                self.refresh_index(index)

    def select(self, id: str) -> bool:  # noqa: A002
        """Rest the cursor on the row of that id; false where there is none."""
        for index, row in enumerate(self._table.rows):
            if row.id == id and self.may_rest(index):
                self.move_to(index)
                return True
        return False

    def ids(self) -> tuple[str, ...]:
        """The ids of all rows that are no headings."""
        return tuple(row.id for row in self._table.rows if not row.heading)

    def urgent_lines(self) -> tuple[int, ...]:
        """The lines that need a decision."""
        return tuple(index for index, row in enumerate(self._table.rows) if row.urgent)

    def row(self, index: int) -> Row:
        """The row on line `index`."""
        return self._table.rows[index]

    def line_count(self) -> int:
        return len(self._table.rows)

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        return row_runs(self._table.rows[index], self._table.columns, self._fit(width), width)

    def may_rest(self, index: int) -> bool:
        return not self._table.rows[index].heading

    def mark(self, index: int) -> str:
        return "!" if self._table.rows[index].urgent else " "

    def headings(self, width: int) -> str:
        return heading_text(self._table.columns, self._fit(width))

    def _fit(self, width: int) -> tuple[tuple[int, int], ...]:
        if self._fitted_for != width:
            self._widths, self._fitted_for = fitted(self._table.columns, width), width
        return self._widths
