"""Long battles for measuring: a bundled one fought over and over in one file.

The lines are those of the bundled battle, with its rolls, events and undo, under new numbers. Turns count on, so that
no dice key stands there twice. Everybody is mustered once, and nothing ends the battle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from saves.chain import FIRST, SEAL, sealed
from saves.library import open_example

TURNS = 3
"""Turns or rounds of a bundled battle."""

_COUNTING = re.compile(rb'("n":|"of":|"to":|"p":|"key":"[tr]|"turn":|"round":)(\d+)')
_ENTRY_NUMBERS = (b'"n":', b'"of":', b'"to":', b'"p":')


class Counting(NamedTuple):
    """A number that counts on from one time round to the next: that of an entry, or of a turn."""

    of_entry: bool
    first: int


def _pieces(record: bytes) -> list[bytes | Counting]:
    pieces: list[bytes | Counting] = []
    at = 0
    for found in _COUNTING.finditer(record):
        pieces += [record[at : found.start(2)], Counting(found[1] in _ENTRY_NUMBERS, int(found[2]))]
        at = found.end()
    return [*pieces, record[at:]]


def lines(name: str) -> Iterator[bytes]:
    """The lines of an endless battle drawn from the bundled one of that name, with line feeds, the header first."""
    with open_example(name) as battle:
        header, *entries = (line[:-SEAL] + b"}" for line in battle.lines())
    line, mark = sealed(header, FIRST)
    yield line
    mustered = sum(b'"type":"muster"' in entry for entry in entries)
    drawn = [_pieces(entry) for entry in entries if b'"type":"end_battle"' not in entry]
    fought = drawn[1 + mustered :]
    for round_ in count():
        for pieces in fought if round_ else drawn:
            record = b"".join(
                piece
                if isinstance(piece, bytes)
                else b"%d" % (piece.first + round_ * (len(fought) if piece.of_entry else TURNS))
                for piece in pieces
            )
            line, mark = sealed(record, mark)
            yield line


def write(path: Path, name: str, entries: int) -> Path:
    """A battle of so many entries in `path`."""
    with path.open("wb") as file:
        file.writelines(islice(lines(name), entries + 1))
    return path
