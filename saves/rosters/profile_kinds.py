"""What a profile is: a stat line, a weapon, a transport, or words about something.

Told by the characteristics more than by the type's name, which each author of catalogues chooses as he likes.
"""

from __future__ import annotations

import re

from engine.army_list import Profile, Remark

STAT_LINES = {"unit", "model", "operative", "vehicle", "walker", "warrior", "hero", "building", "profile", "flyer"}
"""Types of which a profile is a stat line even with few of the usual characteristics."""

STATS = {
    "m", "move", "ws", "bs", "s", "strength", "t", "toughness", "w", "wounds", "i", "a", "attacks", "ld", "leadership",
    "sv", "sav", "save", "front", "side", "rear", "hp", "oc", "apl", "gl", "df", "bravery", "health", "control", "hits",
    "f", "d", "c", "skill", "attack", "armour", "inv", "unit type", "ref", "cl", "ma", "int", "body", "sap", "sat",
}  # fmt: skip

LEAST_STATS = 4
"""With so many of the usual characteristics a profile is a stat line whatever its type is called."""

WEAPON_VALUES = {"range", "r", "ap", "rend", "fp", "rs", "shots", "rof", "magazine", "damage"}


def is_weapon(profile: Profile) -> bool:
    """Whether a profile is a way to use a weapon."""
    kind = profile.type.casefold()
    if "weapon" in kind:
        return True
    names = {name.casefold() for name, _ in profile.values}
    return bool(names & {"range", "r"}) and len(names & WEAPON_VALUES) >= 2


def is_stat_line(profile: Profile) -> bool:
    """Whether a profile says what a model is like."""
    if is_weapon(profile) or is_transport(profile):
        return False
    kind = profile.type.casefold().strip()
    names = {name.casefold() for name, _ in profile.values}
    known = len(names & STATS)
    if kind in STAT_LINES or "knight" in kind or kind.endswith((" unit", " vehicle")):
        return known >= 2 or "armour value" in names
    return known >= LEAST_STATS


def is_vehicle(profile: Profile) -> bool:
    """Whether a stat line has armour all round instead of toughness."""
    names = {name.casefold() for name, _ in profile.values}
    return "front" in names or "front armour" in names


def is_transport(profile: Profile) -> bool:
    """Whether a profile says how many a vehicle carries."""
    names = {name.casefold() for name, _ in profile.values}
    return bool(names & {"capacity", "transport capacity"}) and "armour value" not in names


_BRACKET = re.compile(r"wounds? remaining|\[\d+\]|\d+\+? ?wounds", re.IGNORECASE)


def first_bracket(stats: list[Profile]) -> list[Profile]:
    """Of several stat lines of one model that differ by damage, the first; else all."""
    if len(stats) > 1 and sum(1 for each in stats if _BRACKET.search(each.name) or _no_wounds(each)) >= len(stats) - 1:
        return stats[:1]
    return stats


def _no_wounds(profile: Profile) -> bool:
    wounds = profile.value("w", "wounds")
    return wounds is not None and not any(char.isdigit() for char in wounds)


def remark_of(profile: Profile) -> Remark:
    """A profile that is words, as a remark."""
    return Remark(profile.name, " ".join(value for _, value in profile.values)[:400])
