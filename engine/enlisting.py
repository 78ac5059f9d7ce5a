"""From an army list to one order: names and ids, what is asked, and what a list that was read before changes.

What a unit of the list is in a battle says the rule set (`enlist` of `engine/ruleset.py`); everything here is the same
for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from engine.answers import read_answer, unknown_answer
from engine.army_list import ArmyList, ListedUnit
from engine.form_fields import free_id, free_name
from engine.imported import Answer, Imported, Source, Taken
from engine.refusals import Refusal
from engine.ruleset import Enlisted, Enlistment, Field, LeftOut
from engine.wording import counted

if TYPE_CHECKING:
    from engine.ruleset import RuleSet


class Register:
    """Gives each unit of a list its id and its name in the battle; one that came of this list before keeps its own."""

    def __init__(self, names: Mapping[str, str], army: ArmyList, earlier: Imported | None) -> None:
        self._names = dict(names)
        self._before = {taken.key: taken for taken in earlier.units} if earlier else {}
        keys = {unit.key for unit in army.units}
        self._gone = [old for old in self._before if old not in keys and not _part_of(old, keys)]
        self._given: dict[str, tuple[str, str]] = {}
        self._ids: dict[str, Taken] = {}
        for taken in self._before.values():
            self._names.pop(taken.unit, None)
        self._kept = {taken.unit for taken in self._before.values()}

    def listed(self, key: str, called: str) -> tuple[str, str]:
        """The id and the name of a unit of the list, by its key there and what it is called."""
        if key in self._given:
            return self._given[key]
        called = called[:100] or "unit"
        before = self._former(key, called)
        if before is not None:
            self._kept.discard(before.unit)
        plain = "-".join(re.findall(r"[a-z0-9_]+", called.lower()))
        unit = before.unit if before else free_id({*self._names, *self._kept}, plain, "unit")
        name = free_name(set(self._names.values()), called)
        self._names[unit] = name
        self._given[key] = (unit, name)
        return unit, name

    def _former(self, key: str, called: str) -> Taken | None:
        """The unit that this one was before: by its key, else by its name where its key is gone from the list."""
        if key in self._before:
            return self._before.pop(key)
        for old in self._gone:
            if old in self._before and self._before[old].called == called:
                return self._before.pop(old)
        return None


def _part_of(old: str, keys: set[str]) -> bool:
    """Whether something of a list before was part of what is in the list still: keys of parts go on with a slash."""
    return any(old.startswith(f"{key}/") for key in keys)


class Change(Struct, frozen=True):
    """What an import would do to a unit: `new`, `changed`, `gone`, `same` or `kept` (it cannot be changed; see why)."""

    kind: str
    unit: str
    name: str
    details: tuple[str, ...] = ()


class Plan(Struct, frozen=True):
    """An import worked out: its order, None where there is nothing to do, and what it would change."""

    order: Any
    changes: tuple[Change, ...]
    earlier: Imported | None


def earlier_import(battle: Any, side: str, army: ArmyList, any_name: bool = False) -> Imported | None:
    """The last import for a side from a file of this name, or of these very bytes; None where there is none.

    With `any_name` the file may have another name now, if all imports for that side were from one file.
    """
    imports: tuple[Imported, ...] = getattr(battle, "imports", ())
    theirs = [each for each in imports if each.side == side]
    single = any_name and len({each.source.name for each in theirs}) == 1
    for each in reversed(theirs):
        if single or each.source.name == army.origin.name or each.source.sha256 == army.origin.sha256:
            return each
    return None


def answered(
    rules: RuleSet,
    battle: Any,
    army: ArmyList,
    side: str,
    answers: Mapping[str, str],
    catalogue: Mapping[str, Any],
    earlier: Imported | None = None,
) -> tuple[Enlistment, dict[str, Any]]:
    """An enlistment with answers that were typed, and with those of the import before; and both as values.

    Raises Refusal (`order`) for an answer to what is not asked or that cannot be; an old one is then passed over.
    """
    before = {each.name: each.value for each in earlier.answers} if earlier else {}
    given: dict[str, Any] = {}
    waiting = {**before, **answers}
    while True:
        enlistment = enlisted(rules, battle, army, side, given, catalogue, earlier)
        asked = {field.name: field for field in enlistment.fields}
        now = {name: text for name, text in waiting.items() if name in asked}
        for name, text in now.items():
            del waiting[name]
            try:
                given[name] = read_answer(asked[name], text)
            except Refusal:
                if name in answers:
                    raise
        if not now:
            break
    unknown = [name for name in waiting if name in answers]
    if unknown:
        raise unknown_answer(unknown, enlistment.fields)
    return enlistment, given


def enlisted(
    rules: RuleSet,
    battle: Any,
    army: ArmyList,
    side: str,
    given: Mapping[str, Any],
    catalogue: Mapping[str, Any],
    earlier: Imported | None = None,
) -> Enlistment:
    """What the rule set makes of a list for a side; raises Refusal (`order`) where the list is another rule set's."""
    if army.rules and army.rules != rules.name:
        raise Refusal("order", f"this list is for {army.rules}, the battle is fought by {rules.name}")
    register = Register(rules.names(battle), army, earlier)
    if army.rules:
        return _as_it_stands(rules, army, register, side, given)
    return rules.enlist(battle, army, register, {**given, "side": side}, catalogue)


def _as_it_stands(
    rules: RuleSet, army: ArmyList, register: Register, side: str, given: Mapping[str, Any]
) -> Enlistment:
    """A list of our own in the words of the rule set: nothing is left to ask but who comes."""
    units: list[Enlisted] = []
    left_out: list[LeftOut] = []
    fields: list[Field] = []
    ids = {unit.key: register.listed(unit.key, unit.name) for unit in army.units}
    coming = {unit.key for unit in army.units if given.get(f"{ids[unit.key][0]}.take", True)}
    for unit in sorted(army.units, key=lambda each: bool(each.inside)):
        unit_id, name = ids[unit.key]
        fields.append(take_field(unit_id, name, given, why=_size(unit)))
        if unit.key not in coming:
            left_out.append(LeftOut(name, "left out by you"))
            continue
        table = {**(unit.table or {}), "id": unit_id, "side": side, "name": name}
        inside = unit.inside in coming
        if inside:
            table["embarked_in"] = ids[unit.inside][0]
        order = rules_order(rules, {"type": "muster", rules.mustered_as: table})
        profile = getattr(order, rules.mustered_as)
        lines = (*rules.profile_lines(profile), *((f"inside {ids[unit.inside][1]}",) if inside else ()))
        units.append(Enlisted(unit.key, unit.name, profile, lines))
    return Enlistment(tuple(units), tuple(fields), (), tuple(left_out))


def _size(unit: ListedUnit) -> str:
    points = f", {unit.points:f} points" if unit.points else ""
    return f"{counted(unit.number, 'model')}{points}"


def take_field(unit: str, name: str, given: Mapping[str, Any], take: bool = True, why: str = "") -> Field:
    """Whether a unit of the list comes into the battle; `why` says what speaks against it, if anything does."""
    return Field(f"{unit}.take", name, "flag", bool(given.get(f"{unit}.take", take)), inferred=why)


def planned(
    rules: RuleSet,
    battle: Any,
    army: ArmyList,
    side: str,
    enlistment: Enlistment,
    earlier: Imported | None = None,
    answers: Mapping[str, Any] | None = None,
) -> Plan:
    """The order that an enlistment comes to; with `earlier`, what has changed since then and nothing else."""
    before = {taken.unit: taken for taken in earlier.units} if earlier else {}
    current = rules.profiles(battle)
    orders: list[dict[str, Any]] = []
    changes: list[Change] = []
    units: list[Taken] = []
    for unit in enlistment.units:
        taken = Taken(unit.profile.id, unit.key[:200], unit.called[:100], _mark(unit.profile))
        units.append(taken)
        former = before.pop(unit.profile.id, None)
        if former is None or unit.profile.id not in current:
            orders.append(_content(rules, "muster", unit.profile))
            changes.append(Change("new", taken.unit, unit.profile.name))
        elif former.mark == taken.mark:
            changes.append(Change("same", taken.unit, unit.profile.name))
        elif not _amend(rules, battle, current[taken.unit], unit.profile, orders, changes):
            units[-1] = former  # so that the next import tries again
    for former in before.values():
        if former.unit in current and not _dismiss(rules, battle, former, current[former.unit].name, orders, changes):
            units.append(former)
    origin = army.origin
    order = rules_order(
        rules,
        {
            "type": "import",
            "side": side,
            "source": msgspec.to_builtins(Source(origin.name, origin.sha256, origin.program[:100])),
            "units": msgspec.to_builtins([taken for taken in units if _will_stand(taken.unit, changes)]),
            "answers": msgspec.to_builtins(_answers(answers or {})),
            "orders": orders,
        },
    )
    told = earlier is not None and earlier.source.sha256 == origin.sha256
    return Plan(None if not orders and (told or not units) else order, tuple(changes), earlier)


def _will_stand(unit: str, changes: list[Change]) -> bool:
    return any(change.unit == unit and change.kind != "gone" for change in changes)


def _answers(given: Mapping[str, Any]) -> list[Answer]:
    return [Answer(name[:200], _answer_text(value)[:200]) for name, value in sorted(given.items()) if name != "side"]


def _answer_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def rules_order(rules: RuleSet, content: Mapping[str, Any]) -> Any:
    """An order of the rule set from its parts; raises Refusal (`order`) where they make none."""
    try:
        return msgspec.convert(content, rules.order_types, strict=True)
    except msgspec.ValidationError as error:
        from engine.orders import plainly

        raise Refusal("order", plainly(str(error), "an import")) from None


def _content(rules: RuleSet, kind: str, profile: Any) -> dict[str, Any]:
    return {"type": kind, rules.mustered_as: msgspec.to_builtins(profile)}


def _mark(profile: Any) -> str:
    """A mark of what a list says of a unit: not of its id, its side, and where it happens to be."""
    told = msgspec.to_builtins(profile)
    for own in ("id", "side", "embarked_in"):
        told.pop(own, None)
    return sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()[:16]


# What has changed


def _amend(
    rules: RuleSet, battle: Any, current: Any, profile: Any, orders: list[dict[str, Any]], changes: list[Change]
) -> bool:
    """Whether the unit can be amended, or needs not be."""
    profile = rules.standing(battle, profile)
    content = _content(rules, "amend", profile)
    details = tuple(differences(msgspec.to_builtins(current), msgspec.to_builtins(profile)))
    if not details:
        changes.append(Change("same", profile.id, profile.name))
        return True
    try:
        rules.judge(battle, rules_order(rules, content))
    except Refusal as refusal:
        changes.append(Change("kept", profile.id, current.name, (refusal.message,)))
        return False
    orders.append(content)
    changes.append(Change("changed", profile.id, profile.name, details))
    return True


def _dismiss(
    rules: RuleSet, battle: Any, former: Taken, name: str, orders: list[dict[str, Any]], changes: list[Change]
) -> bool:
    """Whether the unit can be taken off the list."""
    content = {"type": "dismiss", rules.mustered_as: former.unit}
    try:
        rules.judge(battle, rules_order(rules, content))
    except Refusal as refusal:
        changes.append(Change("kept", former.unit, name, (refusal.message,)))
        return False
    orders.append(content)
    changes.append(Change("gone", former.unit, name))
    return True


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """What is other in a profile now, a few words each: `marines, models: 9, now 10`."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in dict.fromkeys((*old, *new)):
            if name not in ("id", "side", "embarked_in"):
                place = where if name in ("groups", "weapons") else f"{where}, {name}" if where else name
                yield from differences(old.get(name), new.get(name), place.replace("_", " "))
    elif _named(old) and _named(new):
        yield from _named_differences(old, new, where)
    elif old != new:
        yield f"{where}: {_shown(old)}, now {_shown(new)}"


def _named(content: Any) -> bool:
    return isinstance(content, list | tuple) and all(isinstance(each, Mapping) and "name" in each for each in content)


def _named_differences(old: Any, new: Any, where: str) -> Iterator[str]:
    before, now = ({each["name"]: each for each in part} for part in (old, new))
    for name, each in now.items():
        place = f"{where}, {name}" if where else str(name)
        if name in before:
            yield from differences(before[name], each, place)
        else:
            yield f"{place}: new"
    for name in before:
        if name not in now:
            yield f"{where}, {name}: gone" if where else f"{name}: gone"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)
