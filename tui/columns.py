"""How a pane's table goes onto lines of so many cells: which columns stay, how wide, and the runs of one row."""

from __future__ import annotations

from typing import TypeAlias

from rich.cells import cell_len

from engine.ruleset import Column, Row
from engine.wording import clean
from saves.cells import cut, fill

Run: TypeAlias = tuple[str, str]
"""Text and the tone it is shown in."""


def fitted(columns: tuple[Column, ...], width: int) -> tuple[tuple[int, int], ...]:
    """The columns that are shown in `width` cells, as (index, cells), with one cell of space between them."""
    shown = list(range(len(columns)))
    while _least(columns, shown) > width:
        rank = max((columns[at].rank for at in shown), default=0)
        if not rank:
            break
        shown.remove(max(at for at in shown if columns[at].rank == rank))
    rest = [at for at in shown if not columns[at].width]
    spare = width - sum(columns[at].width for at in shown) - max(0, len(shown) - 1)
    share = {at: max(1, spare // len(rest) + (order < spare % len(rest))) for order, at in enumerate(rest)}
    return tuple((at, columns[at].width or share[at]) for at in shown)


def _least(columns: tuple[Column, ...], shown: list[int]) -> int:
    return sum(columns[at].width or columns[at].least for at in shown) + max(0, len(shown) - 1)


def heading_text(columns: tuple[Column, ...], widths: tuple[tuple[int, int], ...]) -> str:
    """The line of column titles."""
    return " ".join(fill(clean(columns[at].title), cells, columns[at].right) for at, cells in widths)


def row_runs(row: Row, columns: tuple[Column, ...], widths: tuple[tuple[int, int], ...], width: int) -> tuple[Run, ...]:
    """A row as runs of text. A heading and a row with fewer cells than columns spread over what is left."""
    if row.heading:
        return _heading_runs(row, width)
    runs: list[Run] = [(" " * row.indent, "plain")] if row.indent else []
    used = row.indent
    for place, (at, cells) in enumerate(widths):
        if at >= len(row.cells):
            break
        if place:
            runs.append((" ", "plain"))
            used += 1
        room = cells if place else max(1, cells - row.indent)
        if at == len(row.cells) - 1 and at < len(columns) - 1:
            room = max(1, width - used)
        cell = row.cells[at]
        runs.append((fill(clean(cell.text), room, columns[at].right), cell.tone))
        used += room
    return tuple(runs)


def _heading_runs(row: Row, width: int) -> tuple[Run, ...]:
    """What a heading says, one after the other; cells with a meaning of their own, such as a side, keep its colour."""
    runs: list[Run] = []
    used = 0
    for cell in (cell for cell in row.cells if cell.text):
        text = cut(f" {clean(cell.text)}" if runs else clean(cell.text), width - used)
        used += cell_len(text)
        runs.append((text, "heading" if cell.tone == "plain" else cell.tone))
    return tuple(runs)


def runs_width(runs: tuple[Run, ...]) -> int:
    """How many cells the runs take."""
    return sum(cell_len(text) for text, _ in runs)
