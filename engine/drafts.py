"""Folding many events in a row without copying the whole battle for each.

A state is never changed once somebody may have seen it. While a history folds entry after entry nobody sees the
states in between: its mappings are drafts then, which are changed in place, and settled when somebody looks.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

Key = TypeVar("Key")
Value = TypeVar("Value")
State = TypeVar("State")


class Draft(dict[Key, Value]):
    """A mapping of a state that nobody else has seen."""


@cache
def _mappings(kind: Any) -> tuple[str, ...]:
    """The fields of a state that are empty mappings to begin with."""
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return ()
    made = ((field.name, field.default_factory) for field in fields(kind))
    return tuple(name for name, factory in made if factory is not NODEFAULT and factory() == {})


def drafted(state: State) -> State:
    """The same state with drafts for mappings: folding events into it changes it."""
    kind: Any = type(state)
    names = _mappings(kind)
    return replace(state, **{name: Draft(getattr(state, name)) for name in names}) if names else state  # type: ignore[type-var]


def settled(state: State) -> State:
    """The same state with no drafts in it, which nothing changes any more."""
    kind: Any = type(state)
    names = _mappings(kind)
    return replace(state, **{name: dict(getattr(state, name)) for name in names}) if names else state  # type: ignore[type-var]


def changed(mapping: dict[Key, Value], key: Key, value: Value) -> dict[Key, Value]:
    """The mapping with another value under that key: a draft itself, else a copy."""
    after = mapping if type(mapping) is Draft else mapping.copy()
    after[key] = value
    return after


def remade(mapping: dict[Key, Value], made: dict[Key, Value]) -> dict[Key, Value]:
    """What was made anew in place of a mapping: of a draft a draft."""
    return Draft(made) if type(mapping) is Draft else made
