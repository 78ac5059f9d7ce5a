"""All that one unit did and suffered, and how it came to stand as it does: its entries, oldest first."""

from __future__ import annotations

from collections.abc import Iterator

from engine.concerning import concerns
from engine.entries import OrderEntry
from engine.history import History
from engine.ruleset import Cell
from tui.entry_page import EntryCell
from tui.log_lines import Teller, in_one_sentence


def unit_cells(history: History, unit: str) -> tuple[Cell, ...]:
    """The unit's entries on the line of play, each with its rolls and what came of them."""
    teller = Teller(history)
    cells: list[Cell] = []
    for node in history.path(history.head):
        entry = history.order(node)
        if concerns(history.rules, entry, unit):
            cells.extend(_told(teller, entry))
    return tuple(cells) or (Cell("Nothing has happened to it yet.", "dim"),)


LONGEST_CHAIN = 200
"""So many entries back at most is looked for where it began."""


def chain(history: History, unit: str) -> tuple[int, ...]:
    """The entries that made the unit stand as it does, since it was last under no fire: those that changed the why.

    Empty for a unit that is under no fire.
    """
    rules = history.rules
    if not rules.under_fire(history.state, unit):
        return ()
    links: list[int] = []
    after = rules.why(history.state, unit)
    for node in reversed(history.path(history.head)[-LONGEST_CHAIN:]):
        before = history.state_at(history.parent(node))
        held = rules.under_fire(before, unit)
        reason = rules.why(before, unit) if held else ()
        if reason != after:
            links.append(node)
        if not held:
            break
        after = reason
    return tuple(reversed(links))


def chain_cells(history: History, unit: str) -> tuple[Cell, ...]:
    """How the unit came to stand as it does: the entries of the chain with their rolls; nothing under no fire."""
    links = chain(history, unit)
    if not links:
        return ()
    teller = Teller(history)
    told = (cell for node in links for cell in _told(teller, history.order(node)))
    return (Cell(""), Cell("How it came to this", "heading"), *told)


def _told(teller: Teller, entry: OrderEntry) -> Iterator[Cell]:
    """One entry with its rolls and what came of them."""
    title, *rest = teller.lines(entry)
    yield EntryCell(f"{entry.n}  {title.text}", "strong", entry.n)
    for line in rest:
        yield EntryCell(f"    {in_one_sentence(line)}", "dim" if line.roll else "plain", entry.n)
