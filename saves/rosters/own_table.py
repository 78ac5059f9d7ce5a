"""An army list as CSV: a line for each kind of models of a unit, columns by name in any order."""

from __future__ import annotations

import csv
import difflib
from decimal import Decimal, InvalidOperation

from engine.army_list import ArmyList, Carried, ListedUnit, Models, Origin, Profile, Remark, Total
from saves.rosters.node import plain
from saves.rosters.own_words import LONGEST_NAME, parts, weapon_in
from saves.rosters.profile_kinds import STATS
from saves.rosters.refused import NoArmyList
from saves.rosters.selection import MOST_NUMBER, POINTS

COLUMNS = ("unit", "group", "models", "weapons", "rules", "inside", "capacity", "fire points", "points")
MORE_STATS = {"dodge", "athletics", "awareness", "stealth", "head", "torso", "arms", "legs", "type"}
MOST_LINES = 2000
DELIMITERS = ",;\t"


def looks_like_table(line: str) -> bool:
    """Whether the first line of a text names columns, one of them the unit."""
    return any("unit" in [cell.strip(' "').casefold() for cell in line.split(mark)] for mark in DELIMITERS)


def table_list(text: str, name: str, sha256: str) -> ArmyList:
    """The army list of a CSV text; raises NoArmyList with the line that is wrong."""
    rows = _rows(text)
    units: list[UnitDraft] = []
    for line, row in rows:
        called = row.get("unit") or (units[-1].name if units else "")
        if not called:
            raise NoArmyList(f"line {line}: the first unit has no name; write one into the column unit")
        if not units or row.get("unit"):
            units.append(UnitDraft(line, called))
        units[-1].take(line, row)
    if not units:
        raise NoArmyList("there is no unit below its first line")
    return finished(units, name, sha256, "CSV")


def _rows(text: str) -> list[tuple[int, dict[str, str]]]:
    start = next(line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    delimiter = max(DELIMITERS, key=start.count)
    reader = csv.reader(text.splitlines(), delimiter=delimiter, skipinitialspace=True)
    rows: list[tuple[int, dict[str, str]]] = []
    columns: list[str] = []
    try:
        for cells in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in cells) or cells[0].lstrip().startswith("#"):
                continue
            if not columns:
                columns = _columns(cells, line)
                continue
            if len(cells) > len(columns):
                raise NoArmyList(
                    f"line {line} has {len(cells)} cells for {len(columns)} columns; quote cells with {delimiter!r}"
                )
            if len(rows) >= MOST_LINES:
                raise NoArmyList(f"it has more than {MOST_LINES} lines; no army list has")
            rows.append((line, {column: plain(cell) for column, cell in zip(columns, cells, strict=False)}))
    except csv.Error as error:
        raise NoArmyList(f"line {reader.line_num} is no CSV: {error}") from None
    return rows


def _columns(cells: list[str], line: int) -> list[str]:
    columns = [plain(cell).casefold().replace("_", " ") for cell in cells]
    known = {*COLUMNS, *STATS, *MORE_STATS}
    for column in columns:
        if column and column not in known:
            near = difflib.get_close_matches(column, sorted(known), 1, 0.5)
            meant = f"; nearest is {near[0]}" if near else f"; there are {', '.join(COLUMNS)}, and characteristics"
            raise NoArmyList(f"line {line}: there is no column {column[:40]}{meant}")
        if column and columns.count(column) > 1:
            raise NoArmyList(f"line {line}: the column {column} stands there twice")
    return columns


class UnitDraft:
    """A unit of our own table or text while it is read."""

    def __init__(self, line: int, name: str) -> None:
        self.line = line
        self.name = name[:LONGEST_NAME]
        self.models: list[Models] = []
        self.carried: list[Carried] = []
        self.remarks: list[Remark] = []
        self.points: Decimal | None = None
        self.inside = ""
        self.kind = ""
        self.transport: Profile | None = None

    def take(self, line: int, row: dict[str, str]) -> None:
        """A line of the table."""
        number = whole(row.get("models") or "1", "models", line)
        name = (row.get("group") or row.get("unit") or self.name)[:LONGEST_NAME]
        values = tuple((column, row[column]) for column in row if column not in COLUMNS and row[column])
        stats = Profile(name, "Unit", values) if values else None
        self.models.append(Models(name, number, stats))
        self.hand(line, row.get("weapons", ""), number)
        self.remarks += [Remark(each) for each in parts(row.get("rules", ""))]
        self.inside = self.inside or row.get("inside", "")
        if row.get("points"):
            self.points = (self.points or Decimal(0)) + amount(row["points"], line)
        if row.get("capacity"):
            told = (("Capacity", row["capacity"]), ("Fire Points", row.get("fire points") or "-"))
            self.transport = Profile(self.name, "Transport", told)

    def hand(self, line: int, weapons: str, number: int) -> None:
        """Weapons for the kind of models that was named last."""
        for each in parts(weapons.replace("|", ";")):
            carried = weapon_in(each, number, (len(self.models) - 1,))
            if carried is None:
                raise NoArmyList(f'line {line}: {each[:60]} is no weapon; write name (24" S4 AP5 Rapid Fire)')
            self.carried.append(carried)


def finished(units: list[UnitDraft], name: str, sha256: str, container: str, called: str = "") -> ArmyList:
    """Units of a table or a text as an army list."""
    keys: dict[str, str] = {}
    listed: list[ListedUnit] = []
    for unit in units:
        same = sum(1 for key in keys if key.rpartition("#")[0] == unit.name)
        keys[f"{unit.name}#{same + 1}"] = unit.name
    for unit, key in zip(units, keys, strict=True):
        inside = next((known for known, its in keys.items() if its.casefold() == unit.inside.casefold()), "")
        if unit.inside and not inside:
            raise NoArmyList(f"line {unit.line}: {unit.name} is inside {unit.inside[:60]}, but there is no such unit")
        listed.append(
            ListedUnit(
                key=key,
                name=unit.name,
                models=tuple(unit.models),
                carried=tuple(unit.carried),
                transport=unit.transport,
                remarks=tuple(unit.remarks),
                points=unit.points,
                inside=inside,
            )
        )
    read = sum((unit.points or Decimal(0) for unit in units), Decimal(0))
    totals = (Total(POINTS, read, None),) if read else ()
    origin = Origin(name, sha256, f"our own {container}")
    return ArmyList(origin, called, units=tuple(listed), totals=totals)


def whole(text: str, what: str, line: int) -> int:
    """A number of models; raises NoArmyList for what is none from 1 to 500."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= MOST_NUMBER):
        raise NoArmyList(f"line {line}: {what} is {text[:20]}; write a whole number from 1 to {MOST_NUMBER}")
    return int(text)


def amount(text: str, line: int) -> Decimal:
    """Points; raises NoArmyList for what is no number."""
    try:
        points = Decimal(text)
    except InvalidOperation:
        points = Decimal("nan")
    if not points.is_finite() or abs(points) > 100_000:
        raise NoArmyList(f"line {line}: points are {text[:20]}; write a number")
    return points
