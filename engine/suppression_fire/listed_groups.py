"""Groups of a unit of an army list: guns of a vehicle, models that are alike joined, names that tell them apart."""

from __future__ import annotations

from msgspec.structs import replace

from engine.army_list import ListedUnit
from engine.refusals import Refusal
from engine.suppression_fire.carriers import Held
from engine.suppression_fire.profiles import GroupProfile, Weapon

MOST_GROUPS = 12
MOST_GUNS = 20
MOST_MODELS = 200


def gun_groups(unit: ListedUnit, held: list[Held]) -> tuple[GroupProfile, ...]:
    """A vehicle's guns: a group for each, with as many models as there are guns."""
    count: dict[Weapon, int] = {}
    for each in held:
        models = sum(unit.models[at].number for at in each.carried.among)
        number_of = each.carried.number if each.carried.number != 1 else max(1, models)
        for gun in each.guns:
            count[gun] = count.get(gun, 0) + number_of
    guns = named_apart(tuple(count))
    return tuple(
        GroupProfile(gun.name, min(MOST_MODELS, count[was]), weapons=(gun,))
        for gun, was in zip(guns[:MOST_GROUPS], count, strict=False)
    )


def named_apart(guns: tuple[Weapon, ...]) -> tuple[Weapon, ...]:
    """Guns with a name each: the second of a name gets a number."""
    seen: dict[str, int] = {}
    named: list[Weapon] = []
    for gun in guns[:MOST_GUNS]:
        seen[gun.name] = seen.get(gun.name, 0) + 1
        named.append(gun if seen[gun.name] == 1 else replace(gun, name=f"{gun.name[:95]} {seen[gun.name]}"))
    return tuple(named)


def joined(groups: list[GroupProfile], unit: str) -> tuple[GroupProfile, ...]:
    """Groups that are alike in all but number are one; each has its own name."""
    count: dict[GroupProfile, int] = {}
    for group in groups:
        alone = replace(group, models=1)
        count[alone] = count.get(alone, 0) + group.models
    if len(count) > MOST_GROUPS:
        raise Refusal("order", f"{unit} has {len(count)} kinds of models; these rules know {MOST_GROUPS} at most")
    names: set[str] = set()
    together: list[GroupProfile] = []
    for group, models in sorted(count.items(), key=lambda each: list(count).index(each[0])):
        if models > MOST_MODELS:
            raise Refusal("order", f"{unit} has {models} {group.name}; a group holds {MOST_MODELS} at most")
        named = _group_name(group, names)
        names.add(named)
        together.append(replace(group, name=named, models=models))
    return tuple(together)


def _group_name(group: GroupProfile, taken: set[str]) -> str:
    """The name of a kind of models; where that is taken, with what tells them apart."""
    if group.name not in taken:
        return group.name
    guns = ", ".join(gun.name for gun in group.weapons[-1:]) or "no gun"
    candidates = [f"{group.name[:60]} ({guns[:36]})", *(f"{group.name[:95]} {n}" for n in range(2, MOST_GROUPS + 2))]
    return next(name for name in candidates if name not in taken)
