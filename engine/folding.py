"""Folding many events in a row without copying the whole battle for each.

A state never changes once somebody may have seen it. Its units and other parts are frozen for good; the state's own
fields and the mappings that hold its parts are changed by a fold alone, in a copy of its own, which nobody has seen.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT
from msgspec.structs import fields, force_setattr

State = TypeVar("State")

Fold = Callable[[State, Any], State]
"""The state after one kind of event, made of a state that nobody else has seen and that may be changed in place."""

put = force_setattr
"""Changes a field of a state in place: `put(battle, "phase", phase)`. Only for folds, which have their own copy."""


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
    mappings = _mappings(kind)
    own: Any = state.__copy__() if mappings else copy(state)  # type: ignore[attr-defined]
    for name in mappings:
        force_setattr(own, name, getattr(state, name).copy())
    return own  # type: ignore[no-any-return]
