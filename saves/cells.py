"""Text on lines that have only so many cells, as terminals and recordings of them show it."""

from __future__ import annotations

from rich.cells import cell_len, chop_cells, set_cell_size

from engine.wording import clean

CUT = "…"

__all__ = ["CUT", "cell_len", "cut", "fill", "wrapped"]


def cut(text: str, width: int) -> str:
    """`text` in at most `width` cells; what does not fit ends in an ellipsis."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + CUT


def fill(text: str, width: int, right: bool = False) -> str:
    """`text` in exactly `width` cells, cut or filled with spaces, on the right where `right` says so."""
    shown = cut(text, width)
    space = " " * max(0, width - cell_len(shown))
    return space + shown if right else shown + space


def wrapped(text: str, width: int) -> list[str]:
    """`text` broken into lines of at most `width` cells, between words where that is possible."""
    if width <= 0:
        return []
    lines: list[str] = []
    line = ""
    for word in clean(text).split():
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if cell_len(word) > width and line:
            room = width - cell_len(line) - 1
            start = chop_cells(word, room)[0] if room > 1 else ""
            line, word = f"{line} {start}".rstrip(), word[len(start) :]
        if line:
            lines.append(line)
        *whole, line = chop_cells(word, width) or [""]
        lines.extend(whole)
    return [*lines, line] if line or not lines else lines
