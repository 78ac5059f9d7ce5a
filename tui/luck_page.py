"""The luck of a battle as a page: what dice came to against what was to be expected, each measure on a scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.fair_faces import FaceCount
from engine.history import History
from engine.luck import ORDINARY, Luck, Reckoning, TurningPoint, faces_in_words, of_side
from engine.roll_words import chance_text
from engine.ruleset import Cell
from engine.wording import clean
from saves.cells import fill
from tui.entry_page import EntryCell

SCALE = 22
"""Cells of a scale."""

NAME, NUMBER = 26, 7
"""Cells of a measure's name and of a number."""

MOST_POINTS = 8
"""So many turning points are told."""

ABOUT = (
    "Luck is that of the unit which a roll is about: a save is the saver's, and few hits are the good luck of those "
    "they were meant for. On each scale [====] is where 8 battles in 10 end, | what was to be expected, * what came."
)


def luck_cells(history: History, luck: Luck) -> tuple[Cell, ...]:
    """The luck by side, then by unit, the faces of the dice, and the rolls on which most hung."""
    cells: list[Cell] = [Cell(ABOUT, "dim")]
    for side in history.header.sides:
        lines = of_side(luck.reckonings, side)
        if lines:
            cells += [Cell(""), Cell(clean(side), "heading"), _headings(), *_measured(lines)]
    if not luck.reckonings:
        cells += [Cell(""), Cell("No dice have been rolled yet.", "dim")]
    cells += _apart(history, luck)
    cells += _by_unit(history, luck)
    cells += _faces(luck.faces)
    cells += _turning_points(history, luck.turning_points)
    if luck.unjudged:
        cells += [Cell(""), Cell(f"Orders whose losses have no exact odds and are left out: {luck.unjudged}.", "dim")]
    return tuple(cells)


def _headings() -> Cell:
    return Cell(f"  {'':<{NAME}}{'came':>{NUMBER}}{'expected':>{NUMBER + 2}}", "dim")


def _measured(lines: Sequence[Reckoning]) -> Iterator[Cell]:
    for each in lines:
        rare = min(each.as_bad, each.as_good) < ORDINARY
        tone = "plain" if not rare else "bad" if each.as_bad < each.as_good else "good"
        numbers = f"{each.actual:>{NUMBER}}{float(each.expected):>{NUMBER + 2}.2f}"
        yield Cell(f"  {fill(clean(each.measure), NAME)}{numbers}  {scale(each)}", tone)
        if rare:
            yield Cell(f"  {'':<{NAME}}{each.in_words}", tone)


def scale(each: Reckoning) -> str:
    """The usual span, what was expected and what came, from 0 to the largest of them, in SCALE cells."""
    low, high = each.usual
    most = max(high, each.actual, 1)

    def cell(value: float) -> int:
        return round(value * (SCALE - 1) / most)

    cells = ["."] * SCALE
    for at in range(cell(low), cell(high) + 1):
        cells[at] = "="
    if cell(low) < cell(high):
        cells[cell(low)], cells[cell(high)] = "[", "]"
    cells[cell(float(each.expected))] = "|"
    cells[cell(each.actual)] = "*"
    return "".join(cells)


def _apart(history: History, luck: Luck) -> Iterator[Cell]:
    """App dice and table dice by themselves, where both were rolled."""
    for side in history.header.sides:
        for source, words in (("app", "dice rolled by the app"), ("table", "dice of the table")):
            lines = of_side(luck.reckonings, side, source)
            if lines and len({each.source for each in luck.faces}) > 1:
                yield from (Cell(""), Cell(f"{clean(side)}: {words} alone", "heading"), *_measured(lines))


def _by_unit(history: History, luck: Luck) -> Iterator[Cell]:
    names = history.rules.names(history.state)
    for unit in dict.fromkeys(each.unit for each in luck.reckonings if each.unit):
        lines = [each for each in luck.reckonings if each.unit == unit and not each.source]
        yield from (Cell(""), Cell(clean(names.get(unit, unit)), "heading"), *_measured(lines))


def _faces(faces: Sequence[FaceCount]) -> Iterator[Cell]:
    for each in faces:
        whose = "rolled by the app" if each.source == "app" else "of the table"
        yield Cell("")
        yield Cell(f"Faces of the D{each.sides} {whose}: {faces_in_words(each)}", "heading")
        most = max(each.counts, default=0)
        for face, count in enumerate(each.counts, 1):
            bar = "#" * (round(count * 30 / most) if most else 0)
            yield Cell(f"  {face:>3}  {count:>5}  {bar}")


def _turning_points(history: History, points: Sequence[TurningPoint]) -> Iterator[Cell]:
    if not points:
        return
    yield from (Cell(""), Cell("Where most hung on the dice", "heading"))
    for point in points[:MOST_POINTS]:
        yield EntryCell(f"  {point.entry}  {turning_point_text(history, point)}", "plain", point.entry)


def turning_point_text(history: History, point: TurningPoint) -> str:
    """What hung on a roll or what an order cost, in a few words."""
    names = history.rules.names(history.state)
    title, who = clean(history.title(point.entry)), clean(names.get(point.unit, point.unit))
    ways = chance_text((point.chance.numerator, point.chance.denominator))
    if point.row is None:
        return f"{title}: {who} lost {point.lost}, {float(point.expected):.2f} expected ({ways})"
    return f"{title}: {who}: {history.order(point.entry).rolls[point.row].outcome} ({ways})"
