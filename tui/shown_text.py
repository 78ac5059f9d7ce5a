"""Text as a terminal may safely show it: names come from people and files, and a line has only so many cells."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len, chop_cells, set_cell_size

CUT = "…"


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """`text` on one line, without control characters, changes of direction and invisible marks.

    Line ends and tabs become spaces. Characters that only change how the one before is drawn (variation
    selectors) go as well, since terminals disagree about their width.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char in "\t\n\r\v\f" or unicodedata.category(char) in ("Zl", "Zp"):
        return " "
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Co"):
        return ""
    return "" if 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF else char


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


def hanging(text: str, width: int) -> list[str]:
    """`text` broken into lines that keep its indentation; all but the first hang two cells further in.

    What fits on one line keeps the spaces between its words too: they may be columns.
    """
    shown = clean(text).rstrip()
    if cell_len(shown) <= width:
        return [shown]
    start = " " * min(len(text) - len(text.lstrip(" ")), width // 2)
    first, *rest = wrapped(text, max(4, width - len(start))) or [""]
    if not rest:
        return [start + first]
    more = wrapped(" ".join(rest), max(4, width - len(start) - 2))
    return [start + first, *(f"{start}  {line}" for line in more)]


def around_caret(text: str, at: int, width: int) -> str:
    """`text` with a caret `_` before the character `at`, as much of it around the caret as `width` cells hold."""
    before, after = text[:at], text[at:]
    if cell_len(before) + 1 + cell_len(after) <= width:
        return f"{before}_{after}"
    room = max(1, width - 1)
    while before and cell_len(before) + 1 > room:
        before = before[1:]
    left = f"\u2026{before}_" if len(before) < at else f"{before}_"
    return left + cut(after, width - cell_len(left))
