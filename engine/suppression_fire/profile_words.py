"""A unit's profile in words, as an import lists it."""

from __future__ import annotations

from engine.suppression_fire.profiles import GroupProfile, UnitProfile, Weapon
from engine.wording import counted


def profile_lines(profile: UnitProfile) -> tuple[str, ...]:
    """A unit as it would be mustered: a line for each group."""
    lines: list[str] = []
    for group in profile.groups:
        guns = "; ".join(_gun_words(gun) for gun in group.weapons) or "no gun"
        stats = "" if profile.kind == "vehicle" else f" {_stat_words(group)}"
        named_so = profile.kind == "vehicle" and [gun.name for gun in group.weapons] == [group.name]
        lines.append(f"{group.models} {guns}" if named_so else f"{group.models} {group.name}{stats}: {guns}")
    if profile.transport is not None:
        seats = profile.transport
        opened = ", open-topped" if seats.open_topped else f", {counted(seats.fire_points, 'fire point')}"
        lines.append(f"carries {seats.capacity}{opened}")
    lines += ["fearless"] if profile.fearless else []
    return tuple(lines)


def _stat_words(group: GroupProfile) -> str:
    saves = f"{group.armour}+" if group.armour else "-"
    saves += f"/{group.invulnerable}++" if group.invulnerable else ""
    more = [f"FNP{group.feel_no_pain}+"] if group.feel_no_pain else []
    more += [f"{group.grenades} grenades"] if group.grenades else []
    more += ["relentless"] if group.relentless else []
    more += ["eternal warrior"] if group.eternal_warrior else []
    return " ".join([f"T{group.toughness} W{group.wounds} Ld{group.leadership} {saves}", *more])


def _gun_words(gun: Weapon) -> str:
    ap = "-" if gun.ap is None else gun.ap
    tags = "".join(f", {tag.replace('_', ' ')}" for tag in gun.tags)
    shots = str(gun.shots).upper()
    return f'{gun.name} {gun.range}" S{gun.strength} AP{ap} {gun.type.replace("_", " ")} {shots}{tags} [{gun.gun_type}]'
