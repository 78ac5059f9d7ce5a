"""What a weapon of an army list is in this edition: class, shots, range, strength, AP, tags, ammunition family.

Whatever its line does not say is a question with a default that is marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct

from engine.army_list import Profile
from engine.fields import as_number, length
from engine.form_fields import free_id
from engine.ruleset import Field, FieldOption
from engine.suppression_fire.profiles import GunClass, Weapon

LONGEST_RANGE = 240
TEMPLATE_RANGE = 8

_CLASSES = (
    ("rapid_fire", r"rapid[ -]?fire"),
    ("assault", r"assault"),
    ("heavy", r"heavy"),
    ("salvo", r"salvo"),
    ("pistol", r"pistol"),
    ("ordnance", r"ord[ni]+[an]+ce"),
)
"""The classes as they are written; a list really has Ordinance."""

_TAGS = (("blast", r"\bblast\b"), ("template", r"template|hellstorm"), ("gets_hot", r"gets?\W?hot"),
         ("twin_linked", r"twin\W*linked"))  # fmt: skip

_LENGTH = re.compile(r"\d+(?:\.\d{1,2})?")
_SHOTS = r"\s*:?\s*((?:\d+\s*/\s*)?\d*\s*[dD]\d+|\d+\s*/\s*\d+|\d+)?"


class GunLine(Struct, frozen=True):
    """A gun read from a profile, None where it is none that shoots; what may be said about it; what is assumed."""

    gun: Weapon | None
    fields: tuple[Field, ...] = ()
    assumed: tuple[str, ...] = ()
    why: str = ""


class _Line:
    """A gun while it is read: values told, values asked."""

    def __init__(self, key: str, name: str, given: Mapping[str, Any]) -> None:
        self._key = key
        self._name = name
        self._given = given
        self.fields: list[Field] = []
        self.assumed: list[str] = []

    def ask(self, what: str, label: str, field: Field) -> Any:
        """The answer to a question about the gun, its default where nobody has answered."""
        name = f"gun.{self._key}.{what}"
        value = self._given.get(name, field.value)
        told = name in self._given
        inferred = "" if told else field.inferred
        shown = f"{self._name}: {label}"
        self.fields.append(msgspec.structs.replace(field, name=name, label=shown, value=value, inferred=inferred))
        if not told and inferred.startswith("assumed"):
            self.assumed.append(name)
        return value

    def number(self, what: str, label: str, value: int, least: int, most: int, why: str) -> int:
        return int(self.ask(what, label, Field("", "", "number", value, least=least, most=most, inferred=why)))


def gun_key(name: str) -> str:
    """The name of a gun in the names of questions."""
    return free_id((), "-".join(re.findall(r"[a-z0-9_]+", name.lower())), "gun")


def shooting_name(name: str) -> str:
    """A weapon's name without the words that tell its shooting from its blows."""
    return re.sub(r"\s*(?:[-\u2013:]\s*shooting|\(shooting\))\s*$", "", name, flags=re.IGNORECASE) or name


def is_melee(profile: Profile) -> bool:
    """Whether a weapon strikes in close combat only."""
    reach = (profile.value("range", "r") or "-").casefold()
    kind = (profile.value("type") or "").casefold()
    return reach in ("-", "", "melee", "n/a", "engaged", "base") or (
        kind.startswith("melee") and not _LENGTH.match(reach)
    )


def read_gun(
    profile: Profile, name: str, bearer: int | None, given: Mapping[str, Any], catalogue: Mapping[str, Any]
) -> GunLine:
    """A gun from its profile; `bearer` is the strength of its user, None where that is not known."""
    if is_melee(profile):
        return GunLine(None, why="close combat")
    line = _Line(gun_key(name), name, given)
    words = ", ".join(profile.value(*names) or "" for names in (("type", "keywords"), ("special rules",), ("traits",)))
    gun_class, shots = _class_and_shots(profile, words, line)
    if gun_class is None:
        return GunLine(None, tuple(line.fields), tuple(line.assumed), "it has no class that these rules know")
    reach = _range(profile, line)
    gun = Weapon(
        name=name,
        gun_type=_family(line, name, profile.name, catalogue),
        range=reach,
        strength=_strength(profile, bearer, line),
        type=gun_class,
        shots=shots,
        ap=_ap(profile, line),
        tags=_tags(words, profile.value("range", "r") or "", f"{name} {profile.name}"),
    )
    return GunLine(gun, tuple(line.fields), tuple(line.assumed))


def _tags(words: str, reach: str, names: str) -> tuple[Any, ...]:
    """What bars a gun or makes it twin-linked: told by its type, its range, and of twins by its name."""
    told = {"template": f"{words} {reach}", "twin_linked": f"{words} {names}"}
    return tuple(tag for tag, pattern in _TAGS if re.search(pattern, told.get(tag, words), re.IGNORECASE))


# Class and shots


def _class_and_shots(profile: Profile, words: str, line: _Line) -> tuple[Any, Any]:
    for name, pattern in _CLASSES:
        found = re.search(pattern + _SHOTS, words, re.IGNORECASE)
        if found:
            written = (found[1] or profile.value("fp", "a") or "").replace(" ", "")
            return _salvo(written, line) if name == "salvo" else (name, _shots(name, written, line))
    options = (
        FieldOption("", "leave it out"),
        *(FieldOption(each, each.replace("_", " ")) for each in get_args(GunClass)),
    )
    chosen = line.ask("class", "class", Field("", "", "choice", "", options, inferred="assumed: the list names none"))
    return (chosen, _shots(chosen, profile.value("fp", "a") or "", line)) if chosen else (None, None)


def _salvo(written: str, line: _Line) -> tuple[str, Any]:
    """Salvo 2/4: few shots on the move, many standing still; these rules know heavy and assault."""
    few, _, many = written.partition("/")
    options = (
        FieldOption("heavy", f"heavy {many or few}: stands still"),
        FieldOption("assault", f"assault {few}: may move"),
    )
    why = "assumed: salvo is no class here"
    chosen = line.ask("class", "salvo counts as", Field("", "", "choice", "heavy", options, inferred=why))
    return chosen, _shots(chosen, (many or few) if chosen == "heavy" else few, line)


def _shots(gun_class: str, written: str, line: _Line) -> Any:
    written = written.partition("/")[0] if gun_class == "pistol" else written.rpartition("/")[2]
    if written.isdecimal():
        return max(1, min(60, int(written)))
    if written.casefold() in ("d3", "d6"):
        return written.casefold()
    if gun_class in ("rapid_fire", "pistol", "ordnance") and not written:
        return 1
    dice = re.fullmatch(r"(\d*)d(\d+)", written.casefold())
    if dice:
        mean = max(1, min(60, int(dice[1] or 1) * (int(dice[2]) + 1) // 2))
        return line.number("shots", "shots", mean, 1, 60, f"assumed: the mean of {written.upper()}")
    return line.number("shots", "shots", 1, 1, 60, "assumed: the list says none")


# Range, strength, AP


def _range(profile: Profile, line: _Line) -> Any:
    written = profile.value("range", "r") or ""
    lengths = [length(float(found)) for found in _LENGTH.findall(written)] if "d6" not in written.casefold() else []
    if lengths:
        return as_number(min(max(lengths), length(LONGEST_RANGE)))
    if re.search("template|hellstorm", written, re.IGNORECASE):
        return TEMPLATE_RANGE
    if re.search("infinite|unlimited", written, re.IGNORECASE):
        return LONGEST_RANGE
    return line.number("range", "range, inches", 24, 0, LONGEST_RANGE, f"assumed: the list says {written[:20]}")


def _strength(profile: Profile, bearer: int | None, line: _Line) -> int:
    written = (profile.value("strength", "s", "rs") or "-").replace(" ", "").casefold()
    if written[:2].isdecimal() or written[:1].isdecimal():
        digits = re.match(r"\d+", written)
        if digits and not re.match(r"\d+x", written) and 1 <= int(digits[0]) <= 10:
            return int(digits[0])
    if bearer is not None and (theirs := _of_bearer(written, bearer)) is not None:
        return max(1, min(10, theirs))
    start = 10 if written.startswith("d") else 3
    shown = written.upper() if written not in ("-", "") else "none"
    return line.number("strength", "strength", start, 1, 10, f"assumed: the list says {shown}")


def _of_bearer(written: str, bearer: int) -> int | None:
    """Strength that goes by the user's: User, User/+1, +2, x2, 2x."""
    if written.startswith(("user", "as user")):
        return bearer
    added = re.match(r"\+(\d)", written)
    if added:
        return bearer + int(added[1])
    times = re.match(r"x(\d)|(\d)x", written)
    return bearer * int(times[1] or times[2]) if times else None


def _ap(profile: Profile, line: _Line) -> int | None:
    written = (profile.value("ap") or "-").strip()
    if written in ("-", "\u2013", "\u2014", "", "n/a", "N/A"):
        return None
    found = re.match(r"[1-6]", written)
    if found and not re.search(r"[/*]", written):
        return int(found[0])
    options = (FieldOption("", "none"), *(FieldOption(str(ap), str(ap)) for ap in range(1, 7)))
    start = found[0] if found else ""
    chosen = line.ask(
        "ap", "AP", Field("", "", "choice", start, options, inferred=f"assumed: the list says {written[:12]}")
    )
    return int(chosen) if chosen else None


# Ammunition


def _family(line: _Line, name: str, profile: str, catalogue: Mapping[str, Any]) -> str:
    found, why = family_of(name, catalogue)
    if why == "its own" and profile != name:
        other, reason = family_of(profile, catalogue)
        found, why = (other, reason) if reason != "its own" else (found, why)
    return str(line.ask("family", "ammunition", Field("", "", "text", found, inferred=why)) or found)[:100]


def plain_gun(name: str) -> str:
    """A gun's name as the armoury might have it: small letters, without twin-linked and how it is built in."""
    name = re.sub(r"twin[\s-]*linked|\bin-?built\b|\btwin\b|\(.*?\)|^\d+x\s", " ", name.casefold())
    return " ".join(name.split())


def armoury_gun_named(name: str, catalogue: Mapping[str, Any]) -> Weapon | None:
    """The gun of the armoury that has this name, in the singular or plural; None where there is none."""
    wanted = plain_gun(name)
    names = (wanted, wanted.removesuffix("s"))
    found = next((gun for gun in catalogue.get("guns", {}).values() if gun["name"].casefold() in names), None)
    return None if found is None else msgspec.convert(found, Weapon)


def family_of(name: str, catalogue: Mapping[str, Any]) -> tuple[str, str]:
    """The ammunition family that a gun's name speaks of, and how that is known."""
    known = armoury_gun_named(name, catalogue)
    if known is not None:
        return known.gun_type, "the armoury's"
    wanted = plain_gun(name)
    best = ("", "")
    for family, words in catalogue.get("ammunition", {}).items():
        for word in words:
            if len(word) > len(best[1]) and word in wanted and re.search(rf"{re.escape(word)}s?\b", wanted):
                best = (family, word)
    return (best[0], "by its name") if best[0] else (wanted or name, "its own")
