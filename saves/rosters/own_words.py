"""Words that our own tables and texts share: stats and weapons in brackets."""

from __future__ import annotations

import re

from engine.army_list import Carried, Profile
from saves.rosters.node import plain
from saves.rosters.selection import MOST_NUMBER

LONGEST_NAME = 100

_STAT = re.compile(r"([A-Za-z][A-Za-z ]*?)\s*[=:]?\s*((?:\d+|-)[\d/+*x-]*)")
_WEAPON = re.compile(r"^\s*(?:(\d{1,3})\s*x?\s+)?([^(]+?)\s*(?:\((.*)\))?\s*$")
_RANGE = re.compile(r"^\s*(template|[\d.]+)\s*(?:\"|''|in(?:ches|\.)?)?(?=[\s,]|$)", re.IGNORECASE)
_STRENGTH = re.compile(r"\bS\s*(\d+|X|User|[+x]\d+)", re.IGNORECASE)
_AP = re.compile(r"\bAP\s*(\d|-)", re.IGNORECASE)
_OWN = re.compile(r"\b(modes|rof|semi_rof|range|magazine|damage)\s*[=:]?\s*([\w/+-]+)", re.IGNORECASE)


def parts(text: str) -> list[str]:
    """The parts of a list: parted by commas or semicolons that are outside brackets."""
    found, depth, part = [], 0, ""
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char in ",;" and depth <= 0:
            found.append(part)
            part = ""
        else:
            part += char
    return [plain(each) for each in (*found, part) if plain(each)]


def stats_in(text: str, name: str) -> Profile | None:
    """A stat line from words like `T4 W1 Ld8 Sv3+`; None where there are none."""
    values = tuple((found[1].strip(), found[2]) for found in _STAT.finditer(text))
    return Profile(name, "Unit", values) if values else None


def weapon_in(text: str, number: int, among: tuple[int, ...]) -> Carried | None:
    """A weapon from words like `2 boltgun (24" S4 AP5 Rapid Fire)`; `number` is how many there are if none is said."""
    found = _WEAPON.match(text)
    if not found:
        return None
    name = plain(found[2])[:LONGEST_NAME]
    told = min(MOST_NUMBER, int(found[1])) if found[1] and int(found[1]) else number
    profile = _profile(name, found[3]) if found[3] else None
    return Carried(name, told, among, (profile,) if profile else (), standard=not found[1])


def _profile(name: str, text: str) -> Profile:
    own = tuple((found[1].casefold(), found[2]) for found in _OWN.finditer(text))
    if len(own) >= 2:
        return Profile(name, "Weapon", own)
    reach, strength, ap = _RANGE.match(text), _STRENGTH.search(text), _AP.search(text)
    rest = text
    for found in (reach, strength, ap):
        if found:
            rest = rest.replace(found[0], " ", 1)
    return Profile(
        name,
        "Weapon",
        (
            ("Range", reach[1] if reach else "-"),
            ("Strength", strength[1] if strength else "-"),
            ("AP", ap[1] if ap else "-"),
            ("Type", " ".join(rest.replace(" ,", ",").split()).strip(" ,") or "-"),
        ),
    )
