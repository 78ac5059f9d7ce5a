"""Fields that forms of every rule set are made of, and what a filled-in form demands."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from itertools import count
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from engine.orders import plainly
from engine.refusals import Refusal
from engine.ruleset import Field, FieldOption

Given: TypeAlias = Mapping[str, Any]
"""What a player has filled in so far, by field."""

Catalogue: TypeAlias = Mapping[str, Any]
"""The armoury as read from its file."""

Profile = TypeVar("Profile", bound=Struct)


def demanded(given: Given, name: str, what: str) -> Any:
    """The value of a field; raises Refusal (`order`) where it is empty: say what."""
    value = given.get(name)
    if value is None or value == "":
        raise Refusal("order", f"say {what}")
    return value


def choice_field(
    name: str, label: str, options: tuple[FieldOption, ...], given: Given, inferred: Any, why: str
) -> Field:
    """A choice that stands at what was given, else at what is inferred."""
    value = given.get(name)
    return Field(name, label, "choice", inferred if value is None else value, options, inferred="" if value else why)


def number_field(name: str, label: str, given: Given, least: int, most: int, inferred: int, why: str) -> Field:
    """A number that stands at what was given, else at what is inferred."""
    value = given.get(name)
    shown = inferred if value is None else value
    return Field(name, label, "number", shown, least=least, most=most, inferred=why if value is None else "")


def options_of(values: Collection[str]) -> tuple[FieldOption, ...]:
    """Options that are called what they are, underscores apart."""
    return tuple(FieldOption(value, value.replace("_", " ")) for value in values)


def titled(words: str) -> Callable[[Any, Given], str]:
    """A title that is always the same."""
    return lambda battle, given: words


def free_id(taken: Collection[str], wanted: str, otherwise: str) -> str:
    """An id that is not taken, as close to the one wanted as can be."""
    base = "".join(char if char in "abcdefghijklmnopqrstuvwxyz0123456789-_" else "-" for char in wanted.lower())
    base = base.strip("-")[:36] or otherwise
    if base not in taken:
        return base
    return next(name for number in range(2, 1000) if (name := f"{base}-{number}") not in taken)


_NUMBERED = re.compile(r"^(.*\S)[ _-]+(\d{1,4})$")


def free_name(taken: Collection[str], wanted: str) -> str:
    """A name that no other has: the one wanted, or that with the next number free."""
    if not wanted or wanted not in taken:
        return wanted
    return next(name for number in count(2) if (name := f"{wanted[:95]} {number}") not in taken)


def copied_name(name: str, old_id: str, names: Collection[str], ids: Collection[str]) -> tuple[str, str]:
    """Name and id of a copy: those of the old one with the next number free for both: Scouts 2 and scouts-2."""
    named, identified = _NUMBERED.match(name), _NUMBERED.match(old_id)
    words = (named[1] if named else name)[:95]
    base = (identified[1] if identified else old_id)[:35]
    free = (
        (f"{words} {number}", f"{base}-{number}")
        for number in count(int(named[2]) + 1 if named else 2)
        if f"{words} {number}" not in names and f"{base}-{number}" not in ids
    )
    return next(free)


def checked_profile(profile: Profile) -> Profile:
    """The profile as it would be read from a file; raises Refusal (`order`) for what is out of bounds."""
    try:
        return msgspec.convert(msgspec.to_builtins(profile), type(profile))
    except msgspec.ValidationError as error:
        raise Refusal("order", plainly(str(error), "to be mustered so")) from None
