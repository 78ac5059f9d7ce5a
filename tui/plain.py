"""A battle as plain text: how things stand, what happened, the library, the rulebook. A line each, no colours.

Nothing from a player or a file gets through that could move a cursor: see `shown_text.clean`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from engine.comparing import compared
from engine.entries import Entry, OrderEntry, Parent
from engine.entry_words import entry_title
from engine.history import History
from engine.roll_words import chance_text, faces_text, needed_text, outcome_text, shown_faces
from engine.rolls import Rolled
from engine.ruleset import Clause, Column, Row, RuleSet, Table
from engine.wording import clean
from saves.cells import wrapped

if TYPE_CHECKING:
    from saves.library import Shelved
    from saves.repairing import Repair
    from saves.verifying import Report

GAP = "  "
MOST_FACES = 12
"""More faces than this in one roll are counted instead of listed."""

WIDEST_PROSE = 88

ROLL_WIDTHS = (26, 11, 10, 8, 6)
"""Cells for the words, faces, number needed, outcome and chance of a roll, so that entries line up with each other."""


def width_of_output() -> int:
    """Cells a line of prose may take: those of the terminal, up to WIDEST_PROSE."""
    try:
        return max(40, min(WIDEST_PROSE, os.get_terminal_size(1).columns))
    except OSError:
        return WIDEST_PROSE


# Columns


def aligned(
    rows: Sequence[Sequence[str]], right: Iterable[int] = (), indent: str = "", least: Sequence[int] = ()
) -> list[str]:
    """Rows of cells as lines in which columns stand under each other.

    `right` are the columns set to the right, `least` the cells that the first columns take at least.
    """
    rows = [[clean(cell) for cell in row] for row in rows]
    widths = dict(enumerate(least))
    for row in rows:
        for at, cell in enumerate(row):
            widths[at] = max(widths.get(at, 0), cell_len(cell))
    to_the_right = set(right)
    lines = []
    for row in rows:
        cells = []
        for at, cell in enumerate(row):
            space = " " * (widths[at] - cell_len(cell))
            cells.append(space + cell if at in to_the_right else cell + space)
        lines.append((indent + GAP.join(cells)).rstrip())
    return lines


def table_lines(table: Table, indent: str = GAP) -> list[str]:
    """A pane's table as lines; urgent rows are marked with `!`."""
    if not table.rows:
        return [f"{indent}(nothing)"]
    columns = table.columns
    widths = [_column_width(columns, table.rows, at) for at in range(len(columns))]
    lines = [_row_line(tuple(column.title for column in columns), columns, widths, indent)]
    for row in table.rows:
        cells = tuple(clean(cell.text) for cell in row.cells)
        if row.heading:
            lines.append(f"{indent}{GAP.join(cell for cell in cells if cell)}")
            continue
        mark = "!" if row.urgent else " "
        padded = (" " * row.indent + cells[0], *cells[1:]) if cells else ()
        lines.append(_row_line(padded, columns, widths, indent[:-2] + mark + " "))
    return lines


def _column_width(columns: tuple[Column, ...], rows: tuple[Row, ...], at: int) -> int:
    width = cell_len(columns[at].title)
    for row in rows:
        spreads = at == len(row.cells) - 1 < len(columns) - 1
        if not row.heading and at < len(row.cells) and not spreads:
            width = max(width, cell_len(clean(row.cells[at].text)) + (row.indent if not at else 0))
    return width


def _row_line(cells: tuple[str, ...], columns: tuple[Column, ...], widths: Sequence[int], indent: str) -> str:
    parts = []
    for cell, column, width in zip(cells, columns, widths, strict=False):
        space = " " * max(0, width - cell_len(cell))
        parts.append(space + cell if column.right else cell + space)
    return (indent + GAP.join(parts)).rstrip()


# How things stand


def heading(path: Path, history: History) -> str:
    """One line that names a battle: its name or file, its rules, its sides."""
    header = history.header
    name = header.name or path.name
    return clean(f"{name}: {history.rules.title}, {' against '.join(header.sides)}{parent_words(header.parent)}")


def parent_words(parent: Parent | None) -> str:
    """Which battle this one goes on from, empty where it began by itself."""
    return f", goes on from {parent.name or parent.id}, entry {parent.mark}" if parent else ""


def battle_lines(history: History, title: str, at: int | None = None) -> list[str]:
    """How things stand at the head of the history; `at` is the entry that was asked for, if any."""
    rules, state = history.rules, history.state
    lines = [title] if title else []
    asked = f"after entry {at}: " if at is not None else ""
    lines += [clean(asked + rules.state_line(state)), "", "Units", *table_lines(rules.units(state))]
    lines += ["", "Suppression", *table_lines(rules.tracker(state))]
    pending = rules.pending(state)
    if pending:
        lines += ["", "To decide", *(f"{GAP}{clean(sentence)}" for sentence in pending)]
    return [*lines, "", *next_lines(history)]


def next_lines(history: History) -> list[str]:
    """What undo would take back and redo would bring back."""
    undo, redo = history.next_undo, history.next_redo
    rows = [("undo:", history.title(undo) if undo else "nothing to take back")]
    if redo:
        rows.append(("redo:", history.title(redo)))
    return aligned(rows)


# What happened


def log_lines(history: History, title: str, *, everything: bool) -> list[str]:
    """The entries with their rolls and what came of them, oldest first; with `everything` also what was undone."""
    standing = set(history.path(history.head))
    entries = [entry for entry in history.entries if everything or entry.n in standing]
    lines = [title, ""]
    widths = _roll_widths(history, entries)
    for entry in entries:
        undone = isinstance(entry, OrderEntry) and entry.n not in standing
        lines += entry_lines(history, entry, undone=undone, widths=widths)
    if not entries:
        lines.append("Nothing has happened yet.")
    hidden = history.taken_back
    if hidden and not everything:
        what = "One order was taken back" if hidden == 1 else f"{hidden} orders were taken back"
        lines += ["", f"{what}; log --all shows all of it."]
    return lines


def _roll_widths(history: History, entries: Sequence[Entry]) -> tuple[int, ...]:
    """The cells that the columns of all rolls of these entries take, so that they stand under each other."""
    widths = list(ROLL_WIDTHS)
    for entry in entries:
        for cells in _roll_rows(history, entry) if isinstance(entry, OrderEntry) else ():
            widths = [max(width, cell_len(clean(cell))) for width, cell in zip(widths, cells, strict=False)]
    return tuple(widths)


def entry_lines(
    history: History, entry: Entry, *, undone: bool = False, widths: Sequence[int] = ROLL_WIDTHS
) -> list[str]:
    """One entry: its number and title, then its rolls, in columns of `widths` cells at least, and what happened."""
    by = f"  ({entry.by})" if entry.by else ""
    mark = "  - undone" if undone else ""
    lines = [clean(f"{entry.n:>4}  {entry_title(history, entry)}{by}{mark}")]
    if isinstance(entry, OrderEntry):
        lines += _roll_lines(history, entry, widths)
        lines += [f"{'':6}{clean(sentence)}" for sentence in _told(history, entry) if sentence]
    return lines


def _told(history: History, entry: OrderEntry) -> list[str]:
    state = history.state_at(history.parent(entry.n))
    sentences = []
    for event in entry.events:
        state = history.rules.evolve(state, event)
        sentences.append(history.rules.tell_event(state, event))
    return sentences


def _roll_lines(history: History, entry: OrderEntry, widths: Sequence[int]) -> list[str]:
    lines = aligned(_roll_rows(history, entry), right=(4,), indent=" " * 6, least=widths)
    for at, row in reversed(list(enumerate(entry.rolls))):
        if row.corrects is not None:
            lines.insert(at + 1, f"{'':8}{_correction(history, row)}")
    return lines


def _roll_rows(history: History, entry: OrderEntry) -> list[list[str]]:
    if not entry.rolls:
        return []
    before = history.state_at(history.parent(entry.n))
    return [_roll_cells(history, before, row) for row in entry.rolls]


def _roll_cells(history: History, before: Any, row: Rolled) -> list[str]:
    table = "at the table" if row.source == "table" else ""
    words = (faces_text(row, MOST_FACES), needed_text(row), outcome_text(row), chance_text(row.chance))
    return [history.rules.tell_roll(before, row), *words, table]


def _correction(history: History, row: Rolled) -> str:
    corrected = history.order(row.corrects).rolls if row.corrects and history.is_order(row.corrects) else ()
    before = next((shown_faces(each.dice, MOST_FACES) for each in corrected if each.key == row.key), "other faces")
    return f"corrects entry {row.corrects}: {before} there, {shown_faces(row.dice, MOST_FACES)} here"


def verify_lines(report: Report) -> list[str]:
    """What verify found, for people; where something is off, what is sound."""
    rolls = report.rolls
    agree = "all" if rolls.checked == rolls.app else str(rolls.checked or "none")
    hidden = f", {rolls.sealed} sealed and not yet to be checked" if rolls.sealed else ""
    by_app = f"{rolls.app} by the app ({agree} as the seed has it{hidden})" if rolls.app else "none by the app"
    checked = f"{by_app}, {rolls.table or 'none'} at the table"
    sound = "whole, unaltered, and its rolls yield its outcomes" if report.ok else "NOT SOUND"
    rows = [("verdict", sound)]
    if report.kind:
        rows += [("kind", report.kind), ("first bad", f"entry {report.first_bad}")]
    rows += [("entries", f"{report.entries}, standing at {report.head}"), ("rolls", checked)]
    if report.mark:
        rows.append(("mark", f"{report.mark}  (compare it with what the others noted)"))
    return aligned(rows)


def repair_lines(repaired: Repair) -> list[str]:
    """What repairing came to, for people: what was put right, and every entry that is lost."""
    entries = "one entry" if repaired.kept == 1 else f"{repaired.kept} entries"
    lines = [f"saved {repaired.output}: {entries} as they were"]
    lines += [f"{GAP}{sentence}" for sentence in repaired.mended]
    for number in repaired.restored:
        what = f"entry {number}" if number else "the header"
        lines.append(f"{GAP}restored: {what}, in which one byte was wrong")
    for loss in repaired.lost:
        what = "a line" if loss.entry is None else f"entry {loss.entry}"
        lines.append(f"{GAP}lost: {what}: {loss.why}")
    if not (repaired.mended or repaired.restored or repaired.lost):
        lines.append(f"{GAP}nothing was wrong with {repaired.file}; this is a copy")
    return [clean(line) for line in lines]


def odds_lines(history: History, order: Any, odds: Mapping[str, Any]) -> list[str]:
    """The odds of an order in words."""
    title = clean(history.rules.order_title(history.state, order))
    return [title, *(f"{GAP}{clean(cell.text)}" for cell in history.rules.tell_odds(order, odds))]


def compared_lines(
    history: History, orders: tuple[Any, Any], odds: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> list[str]:
    """The odds of two orders side by side: their titles, then a line a figure with the numbers of both."""
    rows = [("", "A", "B")]
    about = ""
    for figure in compared(history.rules, *odds):
        if figure.about != about:
            rows.append((figure.about, "", ""))
            about = figure.about
        rows.append((GAP + figure.label if about else figure.label, *figure.texts))
    titles = [
        f"{name}  {history.rules.order_title(history.state, order)}" for name, order in zip("AB", orders, strict=True)
    ]
    return [*(clean(title) for title in titles), *aligned(rows, right=(1, 2))]


# Books


def library_lines(shelved: Sequence[Shelved], folder: Path, empty: str = "") -> list[str]:
    """The battles of a folder in columns; `empty` is said where there are none, instead of how to make one."""
    if not shelved and empty:
        return [empty]
    if not shelved:
        return [clean(f"No battles in {folder}."), "headsdown new makes one, headsdown demo shows one."]
    rows = [["File", "Name", "Rules", "Sides", "Turn", "Entries", "Changed", ""]]
    rows += [_shelf_row(each) for each in shelved]
    return [clean(str(folder)), *aligned(rows, right=(4, 5), indent=GAP)]


def _shelf_row(each: Shelved) -> list[str]:
    changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.changed / 1000))
    turn = "" if each.turn is None else str(each.turn)
    entries = "" if each.entries is None else str(each.entries)
    state = "damaged" if each.damaged else ""
    sides = " - ".join(each.sides)
    return [Path(each.file).name, each.name, each.rules or "", sides, turn, entries, changed, state]


def rule_set_lines(rule_sets: Sequence[RuleSet]) -> list[str]:
    """The rule sets there are, with their house rules."""
    lines: list[str] = []
    for rules in rule_sets:
        lines += [f"{rules.name}: {rules.title} ({len(rules.clauses)} clauses; headsdown rules {rules.name})"]
        rows = [
            (switch.name, "|".join((*switch.values, *(("0-1000",) if switch.number else ()))), switch.question)
            for switch in rules.switches
        ]
        lines += [*aligned(rows, indent=f"{GAP}--switch "), ""]
    return lines[:-1]


def clause_lines(clauses: Sequence[Clause], width: int) -> list[str]:
    """Clauses of a rulebook in lines of at most `width` cells, chapter by chapter."""
    lines: list[str] = []
    chapter = None
    for clause in clauses:
        if clause.chapter != chapter:
            lines += [clause.chapter, "=" * cell_len(clause.chapter), ""]
            chapter = clause.chapter
        lines += [f"{clause.number}  {clause.title}"]
        for paragraph in clause.text.split("\n\n"):
            lines += [f"{GAP}{line}" for line in wrapped(paragraph, width - len(GAP))]
        lines.append("")
    return lines[:-1]
