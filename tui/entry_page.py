"""One entry of the log in full: who ordered what and when, each roll with its exact chance, and what happened."""

from __future__ import annotations

from engine.entries import OrderEntry
from engine.history import History
from engine.roll_words import chance_text, faces_text, needed_text, outcome_text
from engine.rolls import Rolled
from engine.ruleset import Cell
from tui.log_lines import LogLine, Teller
from tui.moments import moment


class EntryCell(Cell, frozen=True):
    """A paragraph that is about an entry, which opens from it."""

    entry: int = 0


def entry_cells(history: History, number: int) -> tuple[Cell, ...]:
    """Entry `number` of a history as paragraphs."""
    entry = history.entries[number - 1]
    lines = Teller(history).lines(entry)
    when = moment(entry.t, seconds=True)
    cells = [Cell(lines[0].text, "strong"), Cell(f"{when}{f', by {entry.by}' if entry.by else ''}", "dim")]
    if isinstance(entry, OrderEntry) and number not in history.path(history.head):
        cells.append(Cell("undone: this order does not stand on the line of play", "warning"))
    for line in lines[1:]:
        cells += [Cell(""), *_roll_cells(line, line.roll)] if line.roll is not None else [Cell(line.text)]
    return tuple(cells)


def _roll_cells(line: LogLine, roll: Rolled) -> list[Cell]:
    ways, of = roll.chance
    facts = [f"needs {needed_text(roll)}" if roll.needed is not None else "", outcome_text(roll)]
    facts.append(f"chance {ways:,} in {of:,}" if of < 10**9 else "chance")
    cells = [
        Cell(line.text, "strong"),
        Cell(f"  {len(roll.dice)} D{roll.sides}: {faces_text(roll)}"),
        Cell("  " + ", ".join(fact for fact in facts if fact) + f" ({chance_text(roll.chance)})"),
        Cell(f"  rolled by the {'table' if roll.source == 'table' else 'app'}, key {roll.key}", "dim"),
    ]
    if roll.corrects is not None:
        cells.append(Cell(f"  other faces than the ones in entry {roll.corrects} under the same key", "warning"))
    return cells
