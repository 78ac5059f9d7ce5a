"""The lines above and below the panes: state, what waits for a decision, messages, and the keys that work now."""

from __future__ import annotations

from itertools import zip_longest
from typing import TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from engine.wording import clean
from saves.cells import cut, fill, wrapped
from tui.actions import action_of
from tui.columns import Run
from tui.settings import keymap_of
from tui.tones import SPREADING, ground_of, style_of

NOTHING_PENDING = "Nothing waits for a decision."

NO_CLAUSES = ("order", "dice")
"""What a refusal carries instead of a clause where no rule is concerned."""

MORE_WIDTH = 10
"""Cells kept free at the end of the key bar for telling how many keys are left out."""


LEAST_NAME = 8
"""A battle's name that has no room for this much is left out."""


class Bar(Widget, can_focus=False):
    """Lines of runs over the whole width, painted again only when they change."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: tuple[tuple[Run, ...], ...] = ()

    def set_lines(self, lines: tuple[tuple[Run, ...], ...]) -> None:
        """Show these lines; nothing is painted where they are the same as before."""
        if lines == self._lines:
            return
        before, self._lines = self._lines, lines
        height = self.styles.height
        # To lay the screen out anew paints all of it, so only where the bar has to be higher or lower.
        if height is not None and height.is_auto and self.size.height not in (0, max(1, len(lines))):
            self.refresh(layout=True)
            return
        for y, (old, new) in enumerate(zip_longest(before, lines, fillvalue=())):
            if old != new:
                start = _same_start(old, new)
                self.refresh(Region(start, y, self.size.width - start, 1))

    @property
    def text(self) -> str:
        """What stands there, without styles."""
        return "\n".join("".join(text for text, _ in line) for line in self._lines)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        runs = self._lines[y] if y < len(self._lines) else ()
        segments: list[Segment] = []
        used = 0
        ground = ground_of(self)
        for text, tone in runs:
            shown = cut(text, width - used)
            used += cell_len(shown)
            segments.append(Segment(shown, ground + style_of(self.app, tone)))
        last = runs[-1][1] if runs else "plain"
        rest = style_of(self.app, last if last in SPREADING else "plain")
        segments.append(Segment(" " * (width - used), ground + rest))
        return Strip(segments, width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines)


def _same_start(old: tuple[Run, ...], new: tuple[Run, ...]) -> int:
    """How many cells at the start of two lines are the same: they need not be painted again."""
    same = 0
    for before, now in zip(old, new, strict=False):
        if before != now:
            break
        same += cell_len(now[0])
    return same


class TitleBar(Bar):
    """What a dialog is about."""

    def show_title(self, title: str) -> None:
        """Show it over the whole width."""
        self.set_lines((((f" {clean(title)}", "title_focus"),),))


class StateLine(Bar):
    """The line on top: battle, turn, phase and side, dice, take-backs."""

    def show_state(self, name: str, state: str, marks: tuple[str, ...], width: int) -> None:
        """Name and state on the left, marks on the right; the name gives way first, then the last marks."""
        right = ""
        for mark in marks:
            longer = f"{right}  {mark}" if right else mark
            if cell_len(longer) + cell_len(state) + 4 <= width:
                right = longer
        room = width - cell_len(right) - 3
        state = cut(clean(state), room)
        name = cut(clean(name), room - cell_len(state) - 3)
        left = f"{name}   {state}" if cell_len(name) >= LEAST_NAME else state
        runs: list[Run] = [(" ", "plain")]
        if left != state:
            runs.append((f"{name}   ", "dim"))
        runs.append((fill(state, width - 2 - cell_len(right) - (cell_len(left) - cell_len(state))), "strong"))
        runs.append((f"{right} ", "plain"))
        self.set_lines((tuple(runs),))


class PendingLine(Bar):
    """What needs a decision now."""

    def show_pending(self, pending: tuple[str, ...], width: int, lines: int) -> None:
        """At most `lines` sentences, one a line; the last line tells how many more there are."""
        shown: list[tuple[Run, ...]] = []
        if not pending:
            shown.append(((f"  {NOTHING_PENDING}", "dim"),))
        for at, sentence in enumerate(pending[:lines]):
            more = len(pending) - lines
            tail = f"  (and {more} more)" if more > 0 and at == lines - 1 else ""
            shown.append((("! ", "warning"), (cut(clean(sentence), width - 2 - len(tail)), "warning"), (tail, "dim")))
        self.set_lines(tuple(shown))


class MessageLine(Bar):
    """The answer to the last key: what happened, or why not."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._said = ("", "plain", "")

    def say(self, text: str, tone: str = "plain", clause: str = "") -> None:
        """Show a sentence, broken over three lines at most, with the clause it comes from.

        `tone` is that of a cell, or `fault` for what is wrong with a file: `bad` is a refusal, and says so.
        """
        self._said = (text, tone, clause)
        self._lay_out()

    @property
    def refusal(self) -> str:
        """The refusal that is shown, with its clause; empty where something else is."""
        text, tone, clause = self._said
        return f"{text}{_clause_text(text, clause)}" if tone == "bad" else ""

    def _lay_out(self) -> None:
        text, tone, clause = self._said
        mark = {"bad": "Refused: ", "fault": "! ", "warning": "! "}.get(tone, "")
        lines = (
            wrapped(f"{mark}{text}{_clause_text(text, clause)}", max(1, self.size.width or self.app.size.width))
            if text
            else []
        )
        if len(lines) > 3:
            lines = [*lines[:2], cut(" ".join(lines[2:]), self.app.size.width)]
        tone = "bad" if tone == "fault" else tone
        self.set_lines(tuple(((line, tone),) for line in lines) or ((("", "plain"),),))

    def on_resize(self) -> None:
        self._lay_out()


def _clause_text(text: str, clause: str) -> str:
    """The clause in brackets, unless the sentence names it already or there is none."""
    return f" ({clause})" if clause not in ("", *NO_CLAUSES) and clause not in text else ""


Key: TypeAlias = tuple[str, str]
"""A key as people write it, and its word."""


class KeyBar(Bar):
    """The keys that work now, each with its word; where not all fit, the last says how many are left out."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._items: tuple[Key, ...] = ()
        self._always: tuple[Key, ...] = ()

    def named(self, *ids: str) -> str:
        """The first key of each of these actions, as people write them; an action without keys is left out."""
        keymap = keymap_of(self.app)
        return " ".join(filter(None, (keymap.shown(action_of(each)) for each in ids)))

    def show_keys(self, items: tuple[Key, ...], always: tuple[Key, ...]) -> None:
        """`items` from the left as far as they go, `always` at the end of the last line."""
        self._items, self._always = items, always
        self._lay_out()

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.size.width
        if not width:
            return
        every, tail = _item_runs(self._items), _item_runs(self._always)
        space = width - _width(every) - _width(tail)
        if space >= 0:
            self.set_lines(((*every, (" " * space, "plain"), *tail),))
            return
        lines: list[list[Run]] = [[], []]
        used = [0, _width(tail)]
        row = left_out = 0
        for at, item in enumerate(self._items):
            runs = _item_runs((item,))
            if not row and used[0] + _width(runs) > width:
                row = 1
            if row and used[1] + _width(runs) > width - MORE_WIDTH:
                left_out = len(self._items) - at
                break
            lines[row].extend(runs)
            used[row] += _width(runs)
        more: list[Run] = [(f"+{left_out} more ", "warning")] if left_out else []
        space = width - used[1] - _width(more)
        if space < 0 and left_out:
            more = [(f"+{left_out} ", "warning")]
            space = width - used[1] - _width(more)
        self.set_lines((tuple(lines[0]), (*lines[1], (" " * max(0, space), "plain"), *more, *tail)))


def _item_runs(items: tuple[Key, ...]) -> list[Run]:
    runs: list[Run] = []
    for key, label in items:
        runs += [(f" {key}", "key"), (f" {label} ", "plain")]
    return runs


def _width(runs: list[Run]) -> int:
    return sum(cell_len(text) for text, _ in runs)
