"""All that one unit did and suffered, as far as it stands: its entries, oldest first."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.entries import OrderEntry
from engine.history import History
from engine.ruleset import Cell
from tui.dice_log import LogLine, Teller
from tui.roll_words import chance_text, faces_text, needed_text, outcome_text


def concerns(entry: OrderEntry, unit: str) -> bool:
    """Whether an entry's order, events or rolls name the unit by its id."""
    told = msgspec.to_builtins((entry.order, entry.events, [row.subject for row in entry.rolls]))
    return _names(told, unit)


def _names(told: Any, unit: str) -> bool:
    if isinstance(told, dict):
        return unit in told or any(_names(value, unit) for value in told.values())
    if isinstance(told, (list, tuple)):
        return any(_names(value, unit) for value in told)
    return bool(told == unit)


def unit_cells(history: History, unit: str) -> tuple[Cell, ...]:
    """The unit's entries on the line of play, each with its rolls and what came of them."""
    teller = Teller(history)
    cells: list[Cell] = []
    for node in history.path(history.head):
        entry = history.order(node)
        if concerns(entry, unit):
            title, *rest = teller.lines(entry)
            cells.append(Cell(f"{node}  {title.text}", "strong"))
            cells.extend(Cell(f"    {_words(line)}", "dim" if line.roll else "plain") for line in rest)
    return tuple(cells) or (Cell("Nothing has happened to it yet.", "dim"),)


def _words(line: LogLine) -> str:
    """A line of the log as one sentence: of a roll its faces, what was needed, what came of it, and the chance."""
    if line.roll is None:
        return line.text
    roll = line.roll
    needed = f" needs {needed_text(roll)}," if roll.needed is not None else ""
    return f"{line.text}: {faces_text(roll, 20)},{needed} {outcome_text(roll)} ({chance_text(roll.chance)})"
