"""What a battle is in sentences, the important first: one thought a line, no columns, numbers with their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.comparing import compared
from engine.entries import Entry, OrderEntry
from engine.history import History
from engine.odds_views import figure_text
from engine.ruleset import Cell, Clause, Column, Row, RuleSet, Table
from engine.wording import clean
from tui.entry_page import EntryCell
from tui.log_lines import LogLine, Teller, in_one_sentence
from tui.rulebook import sentences

if TYPE_CHECKING:
    from engine.luck import Luck, Reckoning


SHOUTED = re.compile(r"\b[A-Z]{3,}\b")
"""What stands out by its letters on a screen; read aloud it would be spelled."""


def as_sentences(cells: Iterable[Cell]) -> Iterator[str]:
    """Paragraphs of a page without what only an eye needs: indents, empty lines."""
    for cell in cells:
        text = clean(cell.text.replace("\t", ": ")).strip()
        if isinstance(cell, EntryCell) and text.startswith(f"{cell.entry}  "):
            text = f"Entry {cell.entry}: {text.partition('  ')[2]}"
        if text:
            yield " ".join(text.split())


# How things stand


def standing(history: History) -> Iterator[str]:
    """What waits, whose turn it is, each unit, and who is suppressed."""
    rules, state = history.rules, history.state
    yield f"{sentence(clean(rules.state_line(state)))}"
    yield from waiting(history)
    yield from rows_told(rules.units(state))
    yield from rows_told(rules.tracker(state))


def waiting(history: History) -> Iterator[str]:
    """Who waits for what."""
    for told in history.rules.pending(history.state):
        yield f"Waiting: {sentence(told)}"


def rows_told(table: Table, only: str = "") -> Iterator[str]:
    """The rows of a pane, or those about one unit."""
    for row in table.rows:
        if row.heading and not only:
            yield sentence(" ".join(cell.text for cell in row.cells if cell.text))
        elif not row.heading and only in ("", row.id):
            yield _row_told(table, row)


def _row_told(table: Table, row: Row) -> str:
    """A row as one sentence: the name, then each column's words with what stands there."""
    first, *rest = row.cells
    parts = [first.text, *(["a decision is due"] if row.urgent else [])]
    for cell, column in zip(rest, table.columns[1:], strict=False):
        if cell.text:
            text = SHOUTED.sub(lambda word: word[0].lower(), cell.text)
            parts.append(f"{_column_words(column, cell.text)} {text}".strip())
    return sentence(", ".join(parts))


def _column_words(column: Column, text: str) -> str:
    """What stands before a number, or before a word that would say nothing by itself; most words need nothing."""
    if text.lstrip("-+")[:1].isdigit():
        return column.words or column.title.casefold()
    return "" if column.right else column.words


def sentence(text: str) -> str:
    """Words with a full stop."""
    shown = ", ".join(part for part in re.split(r"\s{2,}", clean(text).strip()) if part)
    return shown if shown.endswith((".", "!", "?", ":")) else f"{shown}."


# What happened


def entry_told(history: History, entry: Entry, teller: Teller, undone: bool = False) -> Iterator[str]:
    """An entry: its number and title, what came of it, then the dice."""
    title, *rest = teller.lines(entry)
    by = f", {entry.by}" if entry.by else ""
    yield sentence(f"{'Undone entry' if undone else 'Entry'} {entry.n}{by}: {title.text}")
    yield from (sentence(line.text) for line in rest if line.kind == "event")
    yield from _rolls_told(rest)


def _rolls_told(lines: Sequence[LogLine]) -> Iterator[str]:
    for line in lines:
        if line.roll is not None:
            yield sentence(in_one_sentence(line))


def log_told(history: History, entries: Iterable[Entry]) -> Iterator[str]:
    """Entries of the log; those taken back are called so."""
    teller, standing_now = Teller(history), set(history.path(history.head))
    for entry in entries:
        undone = isinstance(entry, OrderEntry) and entry.n not in standing_now
        yield from entry_told(history, entry, teller, undone)


def next_told(history: History) -> Iterator[str]:
    """What undo would take back and redo bring back."""
    undo, redo = history.next_undo, history.next_redo
    if undo:
        yield sentence(f"Undo takes back: {history.title(undo)}")
    if redo:
        yield sentence(f"Redo brings back: {history.title(redo)}")


# Odds and luck


def odds_told(rules: RuleSet, odds: Mapping[str, Any]) -> Iterator[str]:
    """The figures of an order's odds, each with its name."""
    for figure in rules.odds_figures(odds):
        yield sentence(f"{_figure_name(figure.about, figure.label)}: {figure_text(figure)}")


def compared_told(rules: RuleSet, first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[str]:
    """The odds of two orders, a line each figure: of the order asked about first, then of this one."""
    for figure in compared(rules, first, second):
        before, now = (text if text != "-" else "nothing of the kind" for text in figure.texts)
        yield sentence(f"{_figure_name(figure.about, figure.label)}: {before} before, {now} now")


def _figure_name(about: str, label: str) -> str:
    return clean(f"{about}, {label}" if about else label)


def luck_told(history: History, luck: Luck) -> Iterator[str]:
    """The luck by side, then by unit, then the rolls on which most hung."""
    from tui.luck_page import MOST_POINTS, turning_point_text

    if not luck.reckonings:
        yield "No dice have been rolled yet."
    names = history.rules.names(history.state)
    for each in luck.reckonings:
        if not each.source:
            whose = names.get(each.unit, each.unit) if each.unit else each.side
            yield sentence(f"{clean(whose)}: {_reckoned(each)}")
    for point in luck.turning_points[:MOST_POINTS]:
        yield sentence(f"Much hung on entry {point.entry}: {turning_point_text(history, point)}")


def _reckoned(each: Reckoning) -> str:
    low, high = each.usual
    came = f"{each.measure} came to {each.actual}, {float(each.expected):.2f} expected, usually {low} to {high}"
    return f"{came}; {each.in_words}" if each.in_words else came


# Books


def clause_told(clause: Clause) -> Iterator[str]:
    """A clause: its number and title, then a sentence a line."""
    yield sentence(f"{clause.number}, {clause.chapter}: {clause.title}")
    yield from sentences(clause.text)


def house_told(history: History) -> Iterator[str]:
    """The house rules in force, and who rolls."""
    switches = history.header.switches
    for switch in history.rules.switches:
        value = switches.get(switch.name, switch.values[0])
        usual = "" if value == switch.values[0] else f"; the usual is {switch.values[0]}"
        yield sentence(f"{switch.name}: {value}{usual} ({switch.clause})")
    if not history.rules.switches:
        yield "There are no house rules in this rule set."


def titles_told(history: History) -> Iterator[str]:
    """The battle's name, its rules and its sides."""
    header = history.header
    yield sentence(f"{history.rules.title}, {' against '.join(header.sides)}")
    count = len(history.entries)
    yield "One entry so far." if count == 1 else f"{count} entries so far."
