"""What the rules make of an order before it is given: its odds, beside those of one that was kept, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from textual.message import Message

from engine.comparing import compared
from engine.ruleset import Cell, RuleSet
from engine.wording import clean
from saves.cells import fill
from tui.bars import Bar
from tui.columns import Run
from tui.shown_text import hanging

LABEL, NUMBER = 13, 8
"""Cells of a figure's name and of its number with each of two orders."""


class Kept(Struct, frozen=True):
    """An order that others are compared with: its title and its odds."""

    title: str
    odds: Mapping[str, Any]


def comparison(rules: RuleSet, kept: Kept, odds: Mapping[str, Any]) -> Iterator[Cell]:
    """The odds of the kept order and of this one, side by side."""
    yield Cell(f"kept: {clean(kept.title)}", "dim")
    yield Cell(f"{'':<{LABEL}}{'kept':>{NUMBER}}{'this':>{NUMBER}}", "dim")
    about = ""
    for row in compared(rules, kept.odds, odds):
        if row.about != about:
            about = row.about
            yield Cell(clean(about), "strong")
        first, second = (fill(text, NUMBER, right=True) for text in row.texts)
        yield Cell(f"{fill(clean(row.label), LABEL)}{first}{second}")


class PreviewPane(Bar):
    """Cells broken at the pane's width; what does not fit is scrolled to, and the ends say that there is more."""

    class Widened(Message):
        """The pane has another size: what it shows has to be broken anew."""

    def __init__(self) -> None:
        super().__init__(id="preview")
        self._cells: tuple[Cell, ...] = ()
        self._top = 0
        self._room = 0
        self.hidden = 0

    def on_resize(self) -> None:
        self.post_message(self.Widened())

    @property
    def room_width(self) -> int:
        """Cells for text."""
        return max(10, self.size.width - 2)

    def broken(self) -> list[tuple[Run, ...]]:
        """All lines at the width that there is now."""
        return [((f" {line}", cell.tone),) for cell in self._cells for line in hanging(cell.text, self.room_width)]

    def show_cells(self, cells: tuple[Cell, ...], afresh: bool = False) -> None:
        """Show these instead, `afresh` from the first line on."""
        self._cells = cells
        if afresh:
            self._top = 0

    def fit(self, room: int) -> None:
        """Show as many lines as fit into `room` lines; where some are hidden the ends say so."""
        self._room = room
        lines = self.broken()
        self.hidden = max(0, len(lines) - room) if room > 2 else 0
        self._top = max(0, min(self._top, self.hidden))
        if self.hidden:
            above, below = self._top, self.hidden - self._top
            lines = lines[self._top : self._top + room]
            if above:
                lines[0] = ((f" ... {above + 1} lines above", "dim"),)
            if below:
                lines[-1] = ((f" ... {below + 1} lines below", "dim"),)
        self.set_lines(tuple(lines))

    def scroll_lines(self, step: int) -> None:
        """Bring the next or the last part into sight."""
        self._top += step * max(1, self._room - 3)
        self.fit(self._room)
