"""From selections to units: which entries are units, how many models of which kind, and among whom weapons are.

What a selection is called (unit, model, upgrade) is the whim of whoever wrote the catalogue, so that stat lines decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct, field

from engine.army_list import Carried, ListedUnit, Models, PassedOver, Profile, Remark
from engine.wording import counted
from saves.rosters.profile_kinds import (
    first_bracket,
    is_stat_line,
    is_transport,
    is_vehicle,
    is_weapon,
    remark_of,
)
from saves.rosters.selection import POINTS, Force, Selection

_STANDARD = re.compile(r"\b(standard|wargear|equipment|basic|default)\b", re.IGNORECASE)
_MULTIPLE = re.compile(r"^\s*(\d{1,2})\s*x\s|^\s*(two|three|four|five|six)\b|\(x(\d{1,2})\)\s*$", re.IGNORECASE)
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

MODEL = ("model",)
UNIT = ("unit", "unit-group")


class _Row(Struct):
    """Models of one kind while they are being counted."""

    selection: Selection
    number: int
    stats: Profile | None
    remarks: list[Remark]
    brackets: int = 0


class _Body(Struct):
    """A unit while it is being counted: its models, what is among whom, and what is split off from it."""

    rows: list[_Row] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    transport: Profile | None = None
    split: list[Selection] = field(default_factory=list)
    counted: list[Selection] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def units_of(forces: list[Force]) -> tuple[tuple[ListedUnit, ...], tuple[PassedOver, ...]]:
    """The units of all forces in their order, and the entries that are none."""
    counting = _Counting()
    passed: list[PassedOver] = []
    for force in forces:
        for each in force.selections:
            if _is_unit(each):
                counting.add(each, each.category)
            elif cost := sum((inner.costs.get(POINTS, Decimal(0)) for inner in each.all()), Decimal(0)):
                counting.add_bare(each, cost)
            else:
                passed.append(PassedOver(each.alias or each.name, "no model in it"))
    return tuple(counting.units), tuple(passed)


def _stats(selection: Selection) -> list[Profile]:
    return [each for each in selection.profiles if is_stat_line(each)]


def _is_unit(selection: Selection) -> bool:
    return any(_stats(each) or _is_model(each) for each in selection.all())


def _is_model(selection: Selection) -> bool:
    """Whether a selection is called a model and is not a weapon that is called one."""
    if selection.kind not in MODEL:
        return False
    weapons = [each for each in selection.profiles if is_weapon(each)]
    named_so = any(_alike(each.name, selection.name) for each in weapons)
    return not (named_so and not _stats(selection) and not any(_is_model(each) for each in selection.inside))


def _alike(one: str, other: str) -> bool:
    return one.casefold().strip() == other.casefold().strip()


class _Counting:
    """The units found so far, and which keys are taken."""

    def __init__(self) -> None:
        self.units: list[ListedUnit] = []
        self._keys: set[str] = set()

    def add_bare(self, selection: Selection, cost: Decimal) -> None:
        """An entry with points and without stats: offered, to be typed in."""
        name = selection.alias or selection.name
        self.units.append(ListedUnit(self._key(selection), name, category=selection.category, points=cost))

    def add(self, selection: Selection, category: str, inside: str = "", follows: str = "") -> None:
        """A unit, then whatever is split off from it: its transport, its retinue."""
        if _is_box(selection):
            for each in selection.inside:
                if _is_unit(each):
                    self.add(each, category or each.category)
            return
        body = _Body()
        _Count(body, selection).run()
        key = self._key(selection)
        rides = [each for each in body.split if _leads(each) and not inside]
        own = self._key(rides[0]) if rides else inside
        self.units.append(_unit(key, selection, body, category, own, follows))
        for each in body.split:
            if rides and each is rides[0]:
                self._add_keyed(own, each, category)
            else:
                self.add(each, category, "" if _leads(each) else own, "" if _leads(each) else key)

    def _add_keyed(self, key: str, selection: Selection, category: str) -> None:
        """The transport of a unit, under a key that its passengers know."""
        body = _Body()
        _Count(body, selection).run()
        self.units.append(_unit(key, selection, body, category, "", ""))
        for each in body.split:
            self.add(each, category, key)

    def _key(self, selection: Selection) -> str:
        """The id that the builder gave it, else its name and which of that name it is."""
        key = selection.id or selection.name
        number = 1
        while key in self._keys:
            number += 1
            key = f"{selection.id or selection.name}#{number}"
        self._keys.add(key)
        return key


def _leads(selection: Selection) -> bool:
    """Whether what was split off is a vehicle, and so a transport and no retinue."""
    return any(is_vehicle(each) for part in selection.all() for each in _stats(part))


def _is_box(selection: Selection) -> bool:
    """Whether an entry only holds units: it has no stats, no weapon and no model of its own, and units in it."""
    inner = [each for each in selection.inside if _is_unit(each)]
    units = [each for each in inner if each.kind in UNIT]
    return bool(units) and len(units) == len(inner) and not _stats(selection) and not selection.profiles


def _unit(key: str, selection: Selection, body: _Body, category: str, inside: str, follows: str) -> ListedUnit:
    points = sum((each.costs.get(POINTS, Decimal(0)) for each in body.counted), Decimal(0))
    models = tuple(
        Models(row.selection.alias or row.selection.name, row.number, row.stats, tuple(row.remarks), row.brackets)
        for row in body.rows
    )
    return ListedUnit(
        key=key,
        name=selection.alias or selection.name,
        models=models,
        carried=tuple(body.carried),
        transport=body.transport,
        remarks=tuple(body.remarks),
        category=category or selection.category,
        points=points,
        inside=inside,
        follows=follows,
        warnings=tuple(body.warnings),
    )


class _Count:
    """Counts one unit into its body."""

    def __init__(self, body: _Body, top: Selection) -> None:
        self._body = body
        self._top = top
        self._on_wheels = any(is_vehicle(each) for each in _stats(top)) or self._only_vehicles()

    def _only_vehicles(self) -> bool:
        lines = [line for each in self._top.inside if _is_unit(each) for part in each.all() for line in _stats(part)]
        models = [line for each in self._top.inside if _is_model(each) for line in _stats(each)]
        return bool(lines) and not _stats(self._top) and all(map(is_vehicle, models or lines))

    def run(self) -> None:
        self._walk(self._top, [], False)
        if not self._body.rows:  # nothing in it is a model: it is one itself
            self._row(self._top, [])

    # Models

    def _walk(self, selection: Selection, above: list[Profile], standard: bool) -> list[int]:
        """Count what is in a selection; gives the places of the models found in it."""
        body = self._body
        body.counted.append(selection)
        self._warn(selection)
        stats = _stats(selection)
        start = len(body.rows)
        is_row = _is_model(selection) or (bool(stats) and selection is self._top and selection.kind in UNIT)
        own: list[int] = []
        inner_stats = stats or above
        standard = standard or (selection is not self._top and bool(_STANDARD.search(selection.name)))
        if is_row and stats and _is_model(selection):
            own = [self._row(selection, inner_stats)]
        loose: list[Selection] = []
        for each in selection.inside:
            if self._splits(each, selection):
                body.split.append(each)
            elif self._has_models(each):
                self._walk(each, inner_stats, standard)
            else:
                loose.append(each)
        found = list(range(start, len(body.rows)))
        if not found and (is_row or stats):
            own = found = [self._row(selection, inner_stats)]
        self._place(selection, loose, tuple(own or found), bool(own), standard)
        return found

    def _row(self, selection: Selection, stats: list[Profile]) -> int:
        lines = first_bracket(stats)
        chosen = _line_for(selection, lines)
        number = selection.number
        self._body.rows.append(_Row(selection, number, chosen, [], max(0, len(stats) - len(lines))))
        if len(lines) > 1 and not any(_alike(line.name, selection.name) for line in lines):
            taken = chosen.name if chosen else "none"
            several = f"{counted(len(lines), 'stat line')} might be meant, {taken} was taken"
            self._body.warnings.append(f"{selection.name}: {several}")
        return len(self._body.rows) - 1

    def _has_models(self, selection: Selection) -> bool:
        return any(_is_model(each) or _stats(each) for each in selection.all())

    def _splits(self, selection: Selection, parent: Selection) -> bool:
        """Whether a selection is a unit of its own: a transport of people, or a unit inside one with models."""
        if not self._has_models(selection):
            return False
        if not self._on_wheels and any(is_vehicle(each) for each in _stats(selection)):
            return bool(self._others(selection))
        return selection.kind == "unit" and (bool(_stats(parent)) or bool(self._others(selection)))

    def _others(self, selection: Selection) -> bool:
        """Whether there are models in the unit besides those of a selection."""
        inside = {id(each) for each in selection.all()}
        return any(
            (_is_model(each) or _stats(each)) and id(each) not in inside and each.kind != "unit-group"
            for each in self._top.all()
        )

    def _warn(self, selection: Selection) -> None:
        if selection.odd_number:
            self._body.warnings.append(
                f"{selection.name}: the number {selection.odd_number} cannot be; {selection.number} is taken"
            )
        found = _MULTIPLE.search(selection.name)
        told = (found[1] or _WORDS.get((found[2] or "").casefold()) or found[3]) if found else None
        if told and int(told) > selection.number and self._has_models(selection):
            self._body.warnings.append(
                f"{selection.name}: its name says {told}, its number says {selection.number}; {selection.number} counts"
            )

    # Weapons and words

    def _place(
        self, selection: Selection, loose: list[Selection], among: tuple[int, ...], own: bool, standard: bool
    ) -> None:
        """Weapons and words of a selection and of those in it without models: among the models found here."""
        self._take(selection, among, own, standard)
        for each in loose:
            self._take_all(each, among, own, standard)

    def _take_all(self, selection: Selection, among: tuple[int, ...], own: bool, standard: bool) -> None:
        standard = standard or bool(_STANDARD.search(selection.name))
        self._body.counted.append(selection)
        self._warn(selection)
        self._take(selection, among, own, standard)
        for each in selection.inside:
            self._take_all(each, among, own, standard)

    def _take(self, selection: Selection, among: tuple[int, ...], own: bool, standard: bool) -> None:
        body = self._body
        weapons = tuple(each for each in selection.profiles if is_weapon(each))
        words = [remark_of(each) for each in selection.profiles if not is_weapon(each) and not is_stat_line(each)]
        words += selection.remarks
        if not _is_model(selection) and selection is not self._top and not selection.profiles:
            words.append(Remark(selection.name))
        (self._remarks_of(among) if own and len(among) == 1 else body.remarks).extend(words)
        body.transport = body.transport or next((each for each in selection.profiles if is_transport(each)), None)
        if weapons:
            whole = _is_model(selection) or selection is self._top or bool(_stats(selection))
            number = sum(body.rows[at].number for at in among) if whole else selection.number
            name = weapons[0].name if whole else selection.name
            for each in [(w,) for w in weapons] if whole else [weapons]:
                body.carried.append(Carried(each[0].name if whole else name, number, among, each, standard))
        elif (
            not selection.profiles and not selection.inside and selection is not self._top and not _is_model(selection)
        ):
            body.carried.append(Carried(selection.name, selection.number, among, (), standard))

    def _remarks_of(self, among: tuple[int, ...]) -> list[Remark]:
        return self._body.rows[among[0]].remarks


def _line_for(selection: Selection, lines: list[Profile]) -> Profile | None:
    """The stat line that is meant for a model: the one of its name, else the one most like it, else the first."""
    if not lines:
        return None
    wanted = set(_words(selection.name))
    return max(lines, key=lambda line: (_alike(line.name, selection.name), len(wanted & set(_words(line.name)))))


def _words(name: str) -> Iterator[str]:
    return (word.rstrip("s") for word in re.findall(r"\w+", name.casefold()))
