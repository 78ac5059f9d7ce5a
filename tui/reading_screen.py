"""Pages to read over the battle: why a unit stands as it does, help, an entry of the log, clauses of the rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from engine.ruleset import Cell, Clause
from engine.wording import clean
from saves.cells import fill, wrapped
from tui.bars import KeyBar
from tui.columns import Run
from tui.dialog import Dialog
from tui.entry_page import EntryCell
from tui.key_bindings import bindings
from tui.line_pane import GUTTER, LinePane
from tui.rulebook import named_clause, sentences

KEY_COLUMN = 15
"""Where the words begin in a paragraph of two parts."""


PAGE_WIDTH, FRAME_WIDTH = 90, 4
"""Cells of a page at most, and those of its frame; as the style sheet has them."""

FRAME_HEIGHT = 5
"""Lines around a page: frame, keys, and some of the battle below."""


class TextPane(LinePane):
    """Paragraphs with a cursor; each knows which clause it names, if any.

    Of a paragraph with a tab the part before it stands in a column of its own; one about an entry opens it.
    """

    def __init__(self, title: str, cells: tuple[Cell, ...], clauses: tuple[Clause, ...]) -> None:
        super().__init__(title, id="text")
        self._cells = cells
        self._clauses = clauses
        self._lines: list[tuple[Run, Cell]] = []
        self._made_for = -1

    @property
    def clause(self) -> Clause | None:
        """The clause that the paragraph under the cursor names first."""
        cell = self._cell
        return named_clause(cell.text, self._clauses) if cell is not None else None

    @property
    def entry(self) -> int:
        """The entry that the paragraph under the cursor is about, 0 where it is about none."""
        cell = self._cell
        return cell.entry if isinstance(cell, EntryCell) else 0

    @property
    def _cell(self) -> Cell | None:
        return self._lines[self.cursor][1] if 0 <= self.cursor < len(self._lines) else None

    def on_resize(self) -> None:
        self.lay_out(self.size.width)
        super().on_resize()

    def show_cells(self, cells: tuple[Cell, ...]) -> None:
        """Show these paragraphs instead."""
        self._cells = cells
        self._made_for = -1
        self.lay_out(self.size.width)
        self.lines_changed()

    def lay_out(self, width: int) -> None:
        """Break the paragraphs into lines for a pane of `width` cells, and take the height that they need."""
        if width != self._made_for:
            self._made_for = width
            self._lines = [line for cell in self._cells for line in self._paragraph(cell, width - GUTTER)]
            self.styles.height = min(len(self._lines) + 1, max(5, self.app.size.height - FRAME_HEIGHT))

    def _paragraph(self, cell: Cell, width: int) -> list[tuple[Run, Cell]]:
        left, tab, right = cell.text.partition("\t")
        if tab:
            head = fill(f"  {clean(left)}", KEY_COLUMN)
            words = wrapped(right, max(8, width - KEY_COLUMN))
            lines = [head + words[0], *(" " * KEY_COLUMN + line for line in words[1:])]
        else:
            start = " " * (len(left) - len(left.lstrip(" ")))
            whole = clean(left)
            fits = cell_len(whole) <= width  # then columns in it stay as they are
            lines = [whole] if fits else [start + line for line in wrapped(left, max(8, width - len(start)))]
        return [((line, cell.tone), cell) for line in lines]

    def line_count(self) -> int:
        return len(self._lines)

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        return (self._lines[index][0],)


class ReadingScreen(Dialog[None]):
    """A page of text. Enter opens the clause that the line under the cursor names, or the entry it is about."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("reading")

    def __init__(
        self,
        title: str,
        cells: tuple[Cell, ...],
        clauses: tuple[Clause, ...] = (),
        entry_page: Callable[[int], ReadingScreen] | None = None,
    ) -> None:
        """`entry_page` makes the page of an entry, where there are any to open."""
        super().__init__()
        self._pane = TextPane(clean(title), cells, clauses)
        self._clauses = clauses
        self._entry_page = entry_page

    def compose(self) -> ComposeResult:
        # Laid out before it is first painted: what is laid out again is sent twice.
        self._pane.lay_out(min(PAGE_WIDTH, self.app.size.width * 96 // 100) - FRAME_WIDTH)
        with Vertical(classes="dialog page"):
            yield self._pane
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._pane.focus()
        self.call_after_refresh(self._show_keys)

    def on_resize(self) -> None:
        self._show_keys()

    def on_lines_moved(self) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        bar = self.query_one(KeyBar)
        keys = [(bar.named("reading.close"), "close"), (bar.named("pane.up", "pane.down"), "read")]
        if self._pane.clause is not None:
            keys.append((bar.named("pane.choose"), f"open {self._pane.clause.number}"))
        elif self._pane.entry and self._entry_page is not None:
            keys.append((bar.named("pane.choose"), f"open entry {self._pane.entry}"))
        bar.show_keys(tuple(keys), ())

    def show_cells(self, cells: tuple[Cell, ...]) -> None:
        """Show this text instead, where it took time to make."""
        self._pane.show_cells(cells)
        self._show_keys()

    def on_lines_chosen(self) -> None:
        clause = self._pane.clause
        if clause is not None:
            self.app.push_screen(clause_screen(clause, self._clauses))
        elif self._pane.entry and self._entry_page is not None:
            self.app.push_screen(self._entry_page(self._pane.entry))

    def action_close(self) -> None:
        self.dismiss()


def clause_screen(clause: Clause, clauses: tuple[Clause, ...]) -> ReadingScreen:
    """One clause to read, with ways on to those it names."""
    others = tuple(each for each in clauses if each.number != clause.number)
    cells = (
        Cell(f"{clause.chapter}: {clause.title}", "strong"),
        Cell(""),
        *(Cell(sentence) for sentence in sentences(clause.text)),
    )
    return ReadingScreen(clause.number, cells, others)


def rulebook_screen(title: str, clauses: tuple[Clause, ...]) -> ReadingScreen:
    """The list of clauses by chapter; Enter opens one."""
    cells: list[Cell] = []
    chapter = ""
    for clause in clauses:
        if clause.chapter != chapter:
            chapter = clause.chapter
            cells += [Cell(""), Cell(chapter, "heading")] if cells else [Cell(chapter, "heading")]
        cells.append(Cell(f"  {clause.number}  {clause.title}"))
    return ReadingScreen(f"Rulebook of {title}", tuple(cells), clauses)
