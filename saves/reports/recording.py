"""The replay of a battle as an asciicast, version 2: 80 by 24 cells, a frame an entry, in plain text.

Each frame clears the screen and shows how things stood after the entry, and the entry itself below. The only escape
sequences are those of the frame: names have had theirs taken out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from engine.history import History
from engine.ruleset import Table
from engine.wording import clean
from saves.battle import OpenBattle
from saves.cells import CUT, cell_len, cut, fill, wrapped
from saves.reports.account import EntryLine, RollLine
from saves.reports.accounting import account_of
from saves.reports.anonymous import Masks

WIDTH, HEIGHT = 80, 24

SHORTEST, LONGEST = 0.6, 3.0
"""Seconds between two frames: as recorded, but no less and no more than this."""

_CLEAR = "\x1b[H\x1b[2J"
_PANES = 13
"""Lines that the panes take at most, so that the entry below them has room."""


def write(battle: OpenBattle, anonymise: bool) -> bytes:
    """The recording: a JSON object for the header, then a JSON array a frame, one a line, in UTF-8."""
    told = account_of(battle, anonymise)
    history = Masks(battle.history).history if anonymise else battle.history
    title = f"{told.title}: {told.rules}, {' against '.join(told.sides)}"
    header = {"version": 2, "width": WIDTH, "height": HEIGHT, "timestamp": _timestamp(history), "title": title}
    lines = [header, *([seconds, "o", frame] for seconds, frame in _frames(history, title, told.entries))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _timestamp(history: History) -> int:
    return max(0, history.header.created // 1000)


def _frames(history: History, title: str, entries: Sequence[EntryLine]) -> Iterator[tuple[float, str]]:
    """Each frame with its time in seconds: the beginning, then each entry, turned over where it is long."""
    yield 0.0, _frame(*_upper_part(history, title, history.state_at(0)), ["Nothing has happened yet."])
    seconds, before = 0.0, history.header.created
    for entry, line in zip(history.entries, entries, strict=True):
        seconds += min(LONGEST, max(SHORTEST, (entry.t - before) / 1000))
        before = entry.t
        top, room = _upper_part(history, title, history.state_at(history.head_after(entry.n)))
        below = list(_entry_lines(line))
        for start in range(0, len(below), room):
            if start:
                seconds += LONGEST
            yield round(seconds, 3), _frame(top, room, below[start : start + room])


def _upper_part(history: History, title: str, state: object) -> tuple[list[str], int]:
    """How things stand, and how many lines are left for the entry below it."""
    rules = history.rules
    top = [cut(title, WIDTH), cut(clean(rules.state_line(state)), WIDTH), ""]
    top += [*_panes(rules.units(state), rules.tracker(state)), "-" * WIDTH]
    return top, HEIGHT - len(top)


def _frame(top: list[str], room: int, below: list[str]) -> str:
    return _CLEAR + "\r\n".join([*top, *below[:room]])


def _panes(units: Table, tracker: Table) -> list[str]:
    """Both panes; where they are long, each has about half of the room."""
    below = _table_lines(tracker)
    above = _no_more_than(max(_PANES - len(below), _PANES // 2), _table_lines(units))
    return [*above, *_no_more_than(_PANES - len(above), below)]


def _no_more_than(room: int, lines: list[str]) -> list[str]:
    """As many lines as there is room for; the last one says that there are more."""
    return lines if len(lines) <= room else [*lines[: max(0, room - 1)], f"  {CUT} {len(lines) - room + 1} more"]


def _entry_lines(line: EntryLine) -> Iterator[str]:
    mark = " - taken back later" if line.taken_back else ""
    by = f" ({line.by})" if line.by else ""
    yield from wrapped(f"{line.number}  {line.title}{by}{mark}", WIDTH)
    for row in line.rolls:
        yield cut(f"  {_roll(row)}", WIDTH)
    for sentence in line.told:
        yield from (f"  {part}" for part in wrapped(sentence, WIDTH - 2))


def _roll(row: RollLine) -> str:
    needed = f", {row.needed}" if row.needed else ""
    return f"{row.what}: {row.faces}{needed}: {row.outcome} ({row.likely})"


def _table_lines(table: Table) -> list[str]:
    """A pane in columns. Those of high rank give way where the line is too short."""
    if not table.rows:
        return []
    rows = [tuple(clean(cell.text) for cell in row.cells) for row in table.rows]
    shown = list(range(len(table.columns)))
    widths = {at: _widest(at, rows, table) for at in shown}
    while sum(widths[at] + 2 for at in shown) > WIDTH and len(shown) > 1:
        shown.remove(max(shown, key=lambda at: (table.columns[at].rank, at)))
    widths[shown[0]] = min(widths[shown[0]], WIDTH - 2 - sum(widths[at] + 2 for at in shown[1:]))
    lines = ["  ".join(fill(clean(table.columns[at].title), widths[at], table.columns[at].right) for at in shown)]
    for row, cells in zip(table.rows, rows, strict=True):
        if row.heading or len(cells) < len(table.columns):
            lines.append(cut(" " * row.indent + " ".join(cell for cell in cells if cell), WIDTH))
        else:
            cells = (" " * row.indent + cells[0], *cells[1:])
            lines.append("  ".join(fill(cells[at], widths[at], table.columns[at].right) for at in shown))
    return [line.rstrip() for line in lines]


def _widest(at: int, rows: Sequence[tuple[str, ...]], table: Table) -> int:
    """The cells that a column takes: of whole rows only, and no more than a third of the line but for the first."""
    whole = [cells[at] for cells in rows if len(cells) == len(table.columns)]
    indent = 0 if at else max(row.indent for row in table.rows)
    widest = max([cell_len(table.columns[at].title), *(indent + cell_len(cell) for cell in whole)])
    return min(widest, WIDTH if not at else WIDTH // 3)
