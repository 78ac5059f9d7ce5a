"""What changed between two moments, as a page: unit by unit before and after, and the orders that lie between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.differences import Changed, differences, orders_between
from engine.history import History
from engine.replaying import Replay
from engine.ruleset import Cell
from tui.entry_page import EntryCell

NOTHING = "none"
"""What stands for a fact that is not the case."""


def changes_cells(history: History, earlier: int, later: int) -> tuple[Cell, ...]:
    """From the moment after entry `earlier` to the one after entry `later`, each as the battle stood then."""
    one, other = history.head_after(earlier), history.head_after(later)
    changed = differences(history.rules, history.state_at(one), history.state_at(other))
    back, forth = orders_between(history, one, other)
    cells = [cell for each in changed for cell in _told(each)] or [Cell("Nothing is different.", "dim"), Cell("")]
    cells += _orders(history, "Taken back in between", back)
    cells += _orders(history, "Ordered in between", forth)
    return tuple(cells[:-1])


def changes_title(replay: Replay, earlier: int) -> str:
    """From when to when."""
    return f"What changed: {moment_words(earlier)} -> {moment_words(replay.at)}"


def moment_words(number: int) -> str:
    """The moment after an entry."""
    return f"entry {number}" if number else "the beginning"


def _told(changed: Changed) -> Iterator[Cell]:
    how = {"came": ": came into the battle", "went": ": is no longer listed"}.get(changed.how, "")
    yield Cell(f"{changed.name}{how}", "heading")
    for change in changed.changes if changed.how != "went" else ():
        before = f"{change.before or NOTHING} -> " if changed.how != "came" else ""
        yield Cell(f"  {change.fact}: {before}{change.after or NOTHING}")
    yield Cell("")


def _orders(history: History, title: str, nodes: Iterable[int]) -> list[Cell]:
    told = [EntryCell(f"  {node}  {history.title(node)}", entry=node) for node in nodes]
    return [Cell(title, "heading"), *told, Cell("")] if told else []
