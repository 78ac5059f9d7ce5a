"""What a stat line of an army list is in this edition, and which stat lines it cannot use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from engine.army_list import Models, Profile, Remark
from engine.suppression_fire.profiles import Kind

VEHICLE = ("front", "front armour")
_NUMBER = re.compile(r"\d+")
_SAVE = re.compile(r"(\d)\s*(\+*)")
_PAIN = re.compile(r"(?:feel no pain|\bfnp)\D{0,12}([2-6])\s*\+", re.IGNORECASE)
_INVULNERABLE = re.compile(
    r"([2-6])\s*\+{1,2}\s*inv|inv\w*\s*(?:save|sv)?\s*(?:of|is|throw of)?\s*\(?([2-6])\s*\+", re.IGNORECASE
)


class Stats(Struct, frozen=True):
    """The characteristics of a group as far as the list says them; None for what it does not say."""

    toughness: int | None = None
    wounds: int | None = None
    leadership: int | None = None
    armour: int | None = None
    invulnerable: int | None = None
    save_told: bool = False


def why_unusable(stats: Profile) -> str:
    """Why these rules cannot use a stat line; empty where they can."""
    if stats.value(*VEHICLE) is not None or "vehicle" in (stats.value("unit type", "type") or "").casefold():
        return ""
    if stats.value("armour value") is not None:
        return "a building"
    if stats.value("oc") is not None:
        return "a stat line of the 10th edition or later: it has no initiative, and its AP means something else"
    if stats.value("control", "health", "bravery", "skill", "apl", "hits") is not None:
        return "a stat line of another game"
    if stats.value("t", "toughness") is None:
        return "a stat line without toughness: another game"
    ws = stats.value("ws", "weapon skill") or ""
    if stats.value("i", "initiative") is None and (ws.endswith("+") or stats.value("m", "move") is not None):
        return "a stat line of the 8th or 9th edition: its AP and its wounds mean something else"
    return ""


def stats_of(profile: Profile | None) -> Stats:
    """The characteristics of a stat line."""
    if profile is None:
        return Stats()
    save = profile.value("sv", "save", "sav", "armour", "max")
    armour, invulnerable = saves_in(save or "")
    inner = saves_in(profile.value("inv", "invulnerable") or "")
    return Stats(
        toughness=number(profile.value("t", "toughness"), 10),
        wounds=number(profile.value("w", "wounds"), 20),
        leadership=number(profile.value("ld", "leadership"), 10),
        armour=armour,
        invulnerable=inner[0] or inner[1] or invulnerable,
        save_told=save is not None,
    )


def number(text: str | None, most: int) -> int | None:
    """The first number of a value, None where there is none from 1 to `most`: 4(5) is 4."""
    found = _NUMBER.search(text or "")
    return int(found[0]) if found and len(found[0]) < 4 and 1 <= int(found[0]) <= most else None


def saves_in(text: str) -> tuple[int | None, int | None]:
    """Armour and invulnerable save of a value: 3+, 2, 2+/4, -/4++, 3+/4++; 7+ is none."""
    armour = invulnerable = None
    for at, part in enumerate(text.replace(",", "/").split("/")):
        found = _SAVE.search(part)
        if found and 2 <= int(found[1]) <= 6:
            if at or len(found[2]) == 2:
                invulnerable = invulnerable or int(found[1])
            else:
                armour = int(found[1])
    return armour, invulnerable


class Pain(Struct, frozen=True):
    """Feel no pain as the list has it: the number, None where none is said, and what says so.

    `sure` where a rule is called so; words about wargear may mean other models, or other times.
    """

    needed: int | None
    by: str
    sure: bool


def pain_in(remarks: Iterable[Remark]) -> Pain | None:
    """The feel no pain that rules and wargear give; None where nothing speaks of it."""
    found: list[Pain] = []
    for each in remarks:
        if "feel no pain" in each.name.casefold():
            told = _PAIN.search(each.name)
            found.append(Pain(int(told[1]) if told else None, each.name, told is not None))
        elif told := _PAIN.search(each.text):
            found.append(Pain(int(told[1]), each.name, False))
    return max(found, key=lambda pain: (pain.sure, pain.needed is not None), default=None)


def invulnerable_in(remarks: Iterable[Remark]) -> tuple[int | None, str]:
    """The best invulnerable save that wargear gives in its words, and which wargear."""
    found = [
        (int(match[1] or match[2]), each.name)
        for each in remarks
        if (match := _INVULNERABLE.search(f"{each.name} {each.text}"))
    ]
    return min(found, default=(None, ""))


def has_rule(remarks: Iterable[Remark], name: str) -> bool:
    """Whether a special rule of that name is among the remarks."""
    return any(re.match(rf"{name}\b", each.name.strip(), re.IGNORECASE) for each in remarks)


def unit_type(models: Models) -> str:
    """The unit type of a stat line, as it is written, in small letters."""
    return (models.stats.value("unit type", "type") or "").casefold() if models.stats else ""


def kind_of(models: Iterable[Models]) -> Kind:
    """Infantry, monstrous creature or vehicle, by the first stat line."""
    first = next((each for each in models if each.stats is not None), None)
    if first is None or first.stats is None:
        return "infantry"
    if first.stats.value(*VEHICLE, "armour value") is not None or re.search(r"\b(vehicle|tank)\b", unit_type(first)):
        return "vehicle"
    return "monstrous_creature" if re.search(r"monstrous|gargantuan", unit_type(first)) else "infantry"
