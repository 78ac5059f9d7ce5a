"""Text as a terminal may safely show it: names come from people and files, and a line has only so many cells."""

from __future__ import annotations

from rich.cells import cell_len

from engine.wording import clean
from saves.cells import cut, wrapped


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
