"""The report as CSV: one table, a line for the battle, each house rule, entry, sentence, roll, and line of luck."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import TypeAlias

from engine.wording import counted
from saves.battle import OpenBattle
from saves.reports.account import Account, EntryLine, RollLine
from saves.reports.accounting import account_of

COLUMNS = (
    "kind", "entry", "at", "by", "chapter", "taken_back", "side", "unit", "what", "told",
    "sides_of_die", "faces", "needed", "came", "source", "chance", "corrects",
    "rolls", "expected", "as_bad", "as_good",
)  # fmt: skip
"""`kind` is battle, house rule, order, undo, redo, goto, recovered, sentence, roll, luck, faces or turning point."""

Cells: TypeAlias = dict[str, str | int | float | None]


def safe(text: str) -> str:
    """`text` so that no spreadsheet takes it for a formula: what begins like one gets an apostrophe before it."""
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@\t\r＝＋－＠") else text  # noqa: RUF001


def write(battle: OpenBattle, anonymise: bool) -> bytes:
    """The report as UTF-8, lines ending in CR LF, texts in quotes."""
    page = StringIO()
    table = csv.DictWriter(page, COLUMNS, restval="", quoting=csv.QUOTE_NONNUMERIC)
    table.writeheader()
    for cells in _rows(account_of(battle, anonymise)):
        table.writerow({name: safe(cell) if isinstance(cell, str) else cell for name, cell in cells.items()})
    return page.getvalue().encode()


def _rows(told: Account) -> Iterator[Cells]:
    yield {"kind": "battle", "at": told.began, "what": told.title, "told": _summary(told)}
    for rule in told.house_rules:
        yield {"kind": "house rule", "what": rule.name, "came": rule.value, "told": f"{rule.question} ({rule.clause})"}
    for entry in told.entries:
        yield from _entry(entry)
    for point in told.turning_points:
        cells: Cells = {"kind": "turning point", "entry": point.entry, "chapter": point.chapter, "side": point.side}
        yield {**cells, "what": point.text, "chance": point.chance, "told": _swing(point.swing, told.strength_in)}
    yield from _luck(told)


def _summary(told: Account) -> str:
    against = f"{told.rules}, {' against '.join(told.sides)}. {told.stands}. Head {told.mark}."
    return f"{against} {counted(told.taken_back, 'order')} taken back, {counted(told.corrections, 'roll')} typed anew."


def _swing(swing: float, strength_in: str) -> str:
    return f"a swing of {swing:.2f} {strength_in}s"


def _entry(entry: EntryLine) -> Iterator[Cells]:
    shared: Cells = {
        "entry": entry.number,
        "at": entry.at,
        "by": entry.by,
        "chapter": entry.chapter,
        "taken_back": "yes" if entry.taken_back else "",
    }
    yield {**shared, "kind": entry.kind, "what": entry.title}
    for row in entry.rolls:
        yield {**shared, **_roll(row)}
    for sentence in entry.told:
        yield {**shared, "kind": "sentence", "told": sentence}


def _roll(row: RollLine) -> Cells:
    ways, of = row.chance
    return {
        "kind": "roll",
        "side": row.side,
        "unit": row.unit,
        "what": row.what,
        "sides_of_die": row.sides,
        "faces": " ".join(map(str, row.dice)),
        "needed": row.needed,
        "came": row.outcome,
        "source": row.source,
        "chance": float(f"{ways / of:.12g}"),
        "corrects": row.corrects,
    }


def _luck(told: Account) -> Iterator[Cells]:
    for line in told.luck:
        yield {
            "kind": "luck",
            "side": line.side,
            "unit": line.unit,
            "what": line.measure,
            "source": line.source,
            "rolls": line.rolls,
            "came": line.actual,
            "expected": line.expected,
            "as_bad": line.as_bad,
            "as_good": line.as_good,
            "told": line.in_words,
        }
    for count in told.faces:
        yield {
            "kind": "faces",
            "source": count.source,
            "sides_of_die": count.sides,
            "faces": " ".join(f"{face}:{many}" for face, many in enumerate(count.counts, 1)),
            "rolls": sum(count.counts),
            "chance": count.chance,
            "told": count.in_words,
        }
