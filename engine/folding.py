"""Folding many events in a row without copying the whole battle for each.

A state never changes once somebody may have seen it. Its units and other parts are frozen; only the mappings that hold
them can be changed, and a fold changes those of a copy of its own, which nobody has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT
from msgspec.structs import fields, replace

State = TypeVar("State")

Fold = Callable[[State, Any], State]
"""The state after an event, made of a state that nobody else has seen and whose mappings may be changed."""


@cache
def _mappings(kind: Any) -> tuple[str, ...]:
    """The fields of a state that are empty mappings to begin with."""
    if not hasattr(kind, "__struct_fields__"):
        return ()
    made = ((field.name, field.default_factory) for field in fields(kind))
    return tuple(name for name, factory in made if factory is not NODEFAULT and factory() == {})


def own_copy(state: State) -> State:
    """The same state with mappings that nobody else has: a fold may go on from it."""
    kind: Any = type(state)
    names = _mappings(kind)
    if not names:
        return state
    return replace(state, **{name: getattr(state, name).copy() for name in names})  # type: ignore[type-var]


def folds_by_type(folds: Mapping[Any, Fold[State]]) -> Fold[State]:
    """One fold for all events, from those for each type of event."""

    def fold(state: State, event: Any) -> State:
        return folds[type(event)](state, event)

    return fold
