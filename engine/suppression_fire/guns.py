"""Which guns may suppress, and how many shots a model puts out with one."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from engine.refusals import Reason
from engine.suppression_fire.battle import Battle, Group, Unit
from engine.suppression_fire.profiles import Weapon, inches

SHOTS_NEEDED = 5
SHORT_RANGE = Decimal(12)
BANNED_TAGS = {"blast": "blast weapons", "template": "template weapons", "gets_hot": "guns that get hot"}
FACES = {"d3": 3, "d6": 6}


def counts_as_moved(battle: Battle, unit: Unit, group: Group) -> bool:
    """Whether the unit, or the vehicle it is in, has moved and the group is not relentless (SF-7, SF-12)."""
    if group.profile.relentless:
        return False
    vehicle = battle.units[unit.embarked_in] if unit.embarked_in else None
    return unit.moved or (vehicle is not None and vehicle.moved)


def ban(gun: Weapon, switches: Mapping[str, str]) -> str:
    """Why a gun may never suppress, empty where it may (SF-8)."""
    for tag, who in BANNED_TAGS.items():
        if tag in gun.tags:
            return f"{who} may not suppress"
    if gun.type == "ordnance":
        return "ordnance may not suppress"
    if gun.type == "heavy" and gun.shots == 1:
        return "Heavy 1 may not suppress"
    if gun.type == "pistol" and switches["pistols"] == "banned":
        return "pistols may not suppress"
    return ""


def held_back(battle: Battle, unit: Unit, group: Group, gun: Weapon, distance: Decimal) -> str:
    """Why a gun may not suppress after moving, empty where it may (SF-7)."""
    if gun.type not in ("heavy", "rapid_fire") or not counts_as_moved(battle, unit, group):
        return ""
    if gun.type == "rapid_fire" and battle.switches["moved_rapid_fire"] == "within_12":
        return "" if distance <= SHORT_RANGE else "moved: rapid fire only within 12 inches"
    return f"the unit moved: no {gun.type.replace('_', '-')} guns"


def why_silent(
    battle: Battle, unit: Unit, group: Group, gun: Weapon, distance: Decimal, sight: bool
) -> tuple[Reason, ...]:
    """Every clause that keeps a gun silent at that distance in inches; empty where it may fire (SF-5, SF-7, SF-8)."""
    found: list[Reason] = []
    if banned := ban(gun, battle.switches):
        found.append(Reason("SF-8", f"{gun.name}: {banned}"))
    if distance > inches(gun.range):
        found.append(Reason("SF-5", f"{gun.name} reaches {inches(gun.range)} inches, the target is at {distance}"))
    if not sight:
        found.append(Reason("SF-5", f"{gun.name} has no line of sight to the target"))
    if held := held_back(battle, unit, group, gun, distance):
        found.append(Reason("SF-7", f"{gun.name}: {held}"))
    return tuple(found)


def shots_of(gun: Weapon, distance: Decimal) -> int | str:
    """Shots of one model at that distance in inches: a number, or the die that tells (SF-9)."""
    if gun.type == "rapid_fire":
        return 2 if distance <= SHORT_RANGE else 1
    return gun.shots


def most_shots(shots: int | str) -> int:
    """The most that shots can come to."""
    return shots if isinstance(shots, int) else FACES[shots]
