"""An army list as plain text: a line for each unit, lines set in below it for the models that it has.

Dire Avengers, 60 points
  5 avengers (T3 W1 Ld9 Sv4+): avenger shuriken catapult (18" S4 AP5 Assault 2)
10 Guardsmen in Chimera: lasgun
"""

from __future__ import annotations

import re

from engine.army_list import ArmyList, Models, Profile, Remark
from saves.rosters.node import plain
from saves.rosters.own_table import MOST_LINES, UnitDraft, amount, finished, whole
from saves.rosters.own_words import LONGEST_NAME, parts, stats_in
from saves.rosters.refused import NoArmyList

LONGEST_LINE = 1000

_LINE = re.compile(
    r"^(?:(?P<number>\d+)\s*x?\s+)?(?P<name>[^(:]+?)\s*(?:\((?P<stats>[^)]*)\))?\s*(?::(?P<weapons>.*))?$"
)
_POINTS = re.compile(r",\s*(-?[\d.]+)\s*(?:points|pts)\b", re.IGNORECASE)
_INSIDE = re.compile(r"\s+in\s+(?:an?\s+|the\s+)?(.+)$")
_CARRIES = re.compile(r"^carries\s+(\d+)\s*(.*)$", re.IGNORECASE)


def text_list(text: str, name: str, sha256: str) -> ArmyList:
    """The army list of a plain text; raises NoArmyList with the line that is wrong."""
    units: list[UnitDraft] = []
    called = ""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise NoArmyList(f"it has more than {MOST_LINES} lines; no army list has")
    for number, line in enumerate(lines, 1):
        words = plain(line.strip().lstrip("-*\u2022"))
        if not words or words.startswith("#"):
            continue
        if len(words) > LONGEST_LINE:
            raise NoArmyList(f"line {number} has more than {LONGEST_LINE} characters; no army list has such lines")
        if words.casefold().startswith("army:"):
            called = words[5:].strip()[:LONGEST_NAME]
        elif line[:1] in " \t-*\u2022":
            if not units:
                raise NoArmyList(f"line {number} is set in, but no unit stands above it")
            _inner(units[-1], words, number)
        else:
            units.append(_unit(words, number))
    if not units:
        raise NoArmyList("there is no unit in it")
    for unit in units:
        _close(unit)
    return finished(units, name, sha256, "text", called)


def _parsed(words: str, line: int) -> re.Match[str]:
    found = _LINE.match(words)
    if found is None or len(found["name"]) > LONGEST_NAME:
        raise NoArmyList(f'line {line} is no unit: write 5 marines (T4 W1 Ld8 Sv3+): boltgun (24" S4 AP5 Rapid Fire)')
    return found


def _unit(words: str, line: int) -> UnitDraft:
    points = _POINTS.search(words)
    found = _parsed(words.replace(points[0], "", 1) if points else words, line)
    name = found["name"]
    inside = _INSIDE.search(name)
    unit = UnitDraft(line, plain(name[: inside.start()] if inside else name))
    unit.inside = plain(inside[1]) if inside else ""
    unit.points = amount(points[1], line) if points else None
    if found["number"] or found["stats"] or found["weapons"]:
        _models(unit, found, unit.name, line)
    return unit


def _inner(unit: UnitDraft, words: str, line: int) -> None:
    carries = _CARRIES.match(words)
    if carries:
        opened = "open-topped" in carries[2].casefold()
        points = re.search(r"(\d+)\s+fire points?", carries[2])
        told = (("Capacity", carries[1]), ("Fire Points", points[1] if points else "none"))
        unit.transport = Profile(unit.name, "Transport", told)
        if opened:
            unit.remarks.append(Remark("Open-topped"))
    elif words.casefold().startswith("type:"):
        unit.kind = words[5:].strip()[:LONGEST_NAME]
    elif words.casefold().startswith("rules:"):
        unit.remarks += [Remark(each) for each in parts(words[6:])]
    else:
        found = _parsed(words, line)
        _models(unit, found, plain(found["name"]), line)


def _models(unit: UnitDraft, found: re.Match[str], name: str, line: int) -> None:
    number = whole(found["number"] or "1", "the number of models", line)
    unit.models.append(Models(name[:LONGEST_NAME], number, stats_in(found["stats"] or "", name)))
    unit.hand(line, found["weapons"] or "", number)


def _close(unit: UnitDraft) -> None:
    """Models without a stat line have the first one in the unit; the unit's type joins each."""
    usual = next((each.stats for each in unit.models if each.stats), None)
    told = (("Unit Type", unit.kind),) if unit.kind else ()
    if told and not unit.models:
        unit.models.append(Models(unit.name, 1))
    for at, each in enumerate(unit.models):
        stats = each.stats or usual
        if stats or told:
            values = (*(stats.values if stats else ()), *told)
            unit.models[at] = Models(each.name, each.number, Profile(each.name, "Unit", values))
