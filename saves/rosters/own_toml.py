"""Army lists in TOML: units as they are mustered, for any rule set; errors name the line, the key and the nearest key.

format = "headsdown-roster/1"
rules = "suppression-fire"

[[unit]]
name = "Dire Avengers"
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from engine.army_list import ArmyList, ListedUnit, Models, Origin, Total
from engine.orders import plainly
from engine.refusals import Refusal
from engine.registered import RULE_SETS, rule_set
from engine.ruleset import RuleSet
from saves.armoury import armoury
from saves.rosters.node import plain
from saves.rosters.own_keys import known_keys, line_of, strangers
from saves.rosters.refused import NoArmyList
from saves.rosters.selection import POINTS

FORMAT = "headsdown-roster/1"
TOP = ("format", "rules", "name", "points", "weapons")
MOST_UNITS = 400

Table = dict[str, Any]


def toml_list(text: str, name: str, sha256: str) -> ArmyList:
    """The army list of a TOML text; raises NoArmyList with line and key of what is wrong."""
    try:
        content = tomllib.loads(text)
    except RecursionError:
        raise NoArmyList("its TOML is nested too deeply") from None
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise NoArmyList(f"its TOML is broken: {plain(str(error))}") from None
    reading = _Reading(text, content)
    return reading.army(Origin(name, sha256, "our own TOML"))


class _Reading:
    def __init__(self, text: str, content: Table) -> None:
        self._text = text
        self._content = content
        if content.get("format") != FORMAT:
            self._fail(("format",), f'the first line has to be format = "{FORMAT}"')
        self.rules = self._rules()
        self._tables = self.rules.mustered_as
        self._weapons = self._known_weapons()

    def _fail(self, path: tuple[str | int, ...], why: str) -> None:
        line = line_of(self._text, path)
        raise NoArmyList(f"line {line}: {why}" if line else why)

    def _rules(self) -> RuleSet:
        name = self._content.get("rules")
        if name not in RULE_SETS:
            self._fail(("rules",), f"rules is {_short(name)}; there are {', '.join(RULE_SETS)}")
        return rule_set(str(name))

    def _known_weapons(self) -> dict[str, Any]:
        """The armoury's weapons under their names and ids, then those of the list."""
        known: dict[str, Any] = {}
        for entry, weapon in armoury(self.rules.armoury).get(self.rules.armoury_weapons, {}).items():
            known[entry] = known[weapon["name"]] = weapon
        own = self._content.get("weapons", {})
        if not isinstance(own, dict) or not all(isinstance(each, dict) for each in own.values()):
            self._fail(("weapons",), "weapons are tables: [weapons.boltgun]")
        for name, weapon in own.items():
            known[name] = {"name": name, **weapon}
        return known

    def army(self, origin: Origin) -> ArmyList:
        tables = self._content.get(self._tables, [])
        for key in self._content:
            if key not in (*TOP, self._tables):
                self._fail((key,), _unknown(key, (*TOP, self._tables)))
        if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
            self._fail((self._tables,), f"there is no [[{self._tables}]] in it")
        if len(tables) > MOST_UNITS:
            self._fail((self._tables, MOST_UNITS), f"it has more than {MOST_UNITS} of [[{self._tables}]]")
        units = self._units(tables)
        read = sum((unit.points or Decimal(0) for unit in units), Decimal(0))
        told = self._points(("points",), self._content.get("points"))
        totals = (Total(POINTS, read, told),) if read or told else ()
        name = self._content.get("name", "")
        if not isinstance(name, str):
            self._fail(("name",), "name is a text")
        return ArmyList(origin, plain(str(name))[:100], units=units, totals=totals, rules=self.rules.name)

    def _units(self, tables: list[Table]) -> tuple[ListedUnit, ...]:
        keys: list[str] = []
        for at, table in enumerate(tables):
            key = table.get("id") or table.get("name")
            if not isinstance(key, str) or not plain(key):
                self._fail((self._tables, at), f"this {self._tables} has no name")
            if table.get("id") in keys:
                self._fail((self._tables, at, "id"), f"the id {_short(key)} stands there twice")
            same = sum(1 for other in keys if other.partition("#")[0] == key)
            keys.append(f"{key}#{same + 1}" if same else str(key))
        return tuple(self._unit(table, at, keys) for at, table in enumerate(tables))

    def _unit(self, table: Table, at: int, keys: list[str]) -> ListedUnit:
        where = (self._tables, at)
        points = self._points((*where, "points"), table.get("points"))
        inside = table.get("embarked_in") or ""
        if inside and (inside not in keys or inside == keys[at]):
            self._fail(
                (*where, "embarked_in"), f"embarked_in is {_short(inside)}, but there is no other such unit here"
            )
        told = {key: value for key, value in table.items() if key not in ("points", "id", "embarked_in")}
        resolved = self._with_weapons(told, where)
        self._check(resolved, where, keys[at])
        name = plain(str(table.get("name") or table.get("id")))
        number = sum(group["models"] for group in resolved.get("groups", ()) if "models" in group) or 1
        models = (Models(name, number),)
        return ListedUnit(keys[at], name, models, points=points, inside=str(inside), table=resolved)

    def _with_weapons(self, table: Any, where: tuple[str | int, ...]) -> Any:
        """The table with weapons in the place of their names."""
        if isinstance(table, list):
            return [self._with_weapons(each, (*where, at)) for at, each in enumerate(table)]
        if not isinstance(table, dict):
            return table
        made = {key: self._with_weapons(value, (*where, key)) for key, value in table.items()}
        if isinstance(table.get("weapons"), list):
            made["weapons"] = [self._weapon(each, (*where, "weapons")) for each in made["weapons"]]
        return made

    def _weapon(self, told: Any, where: tuple[str | int, ...]) -> Any:
        if not isinstance(told, str):
            return told
        if told not in self._weapons:
            self._fail(where, _unknown(told, self._weapons, "weapon"))
        return self._weapons[told]

    def _check(self, table: Table, where: tuple[str | int, ...], key: str) -> None:
        """That the table makes a unit of these rules."""
        told = {**table, "id": "unit", "side": "side"}
        kind = msgspec.inspect.type_info(self.rules.order_types)
        stranger = next(strangers(told, known_keys(kind, "muster", self._tables)), None)
        if stranger is not None:
            path, name, keys = stranger
            self._fail((*where, *path), _unknown(name, [each for each in keys if each != "side"]))
        try:
            msgspec.convert({"type": "muster", self._tables: told}, self.rules.order_types)
        except (msgspec.ValidationError, Refusal) as error:
            message = str(error)
            path = _path(message)
            self._fail((*where, *path[1:]), plainly(message, f"a {self._tables}, {_short(key)}"))

    def _points(self, where: tuple[str | int, ...], value: Any) -> Decimal | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not -100_000 <= value <= 100_000:
            self._fail(where, f"points are {_short(value)}; write a number")
        return Decimal(str(value))


def _path(message: str) -> tuple[str | int, ...]:
    """Where a decoder found something wrong: `$.unit.groups[0].models`."""
    found = re.search(r"at `\$\.?([^`]*)`", message)
    steps = re.findall(r"[\w-]+", found[1]) if found else []
    return tuple(int(step) if step.isdecimal() else step for step in steps)


def _unknown(name: str, known: Mapping[str, Any] | tuple[str, ...] | list[str], what: str = "key") -> str:
    near = difflib.get_close_matches(str(name), list(known), 1, 0.5)
    meant = f"nearest is {near[0]}" if near else f"there are {', '.join(sorted(known)[:12])}"
    return f"there is no {what} {_short(name)}; {meant}"


def _short(value: Any) -> str:
    return plain(str(value))[:40] or "empty"
