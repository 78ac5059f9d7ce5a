"""What changed between two moments: fact by fact in the rule set's words, and the orders that lie between."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from engine.history import History
from engine.ruleset import RuleSet, Standing


class Change(Struct, frozen=True):
    """One fact, as it was and as it is; an empty text where it was or is not the case."""

    fact: str
    before: str
    after: str


class Changed(Struct, frozen=True):
    """A unit, or with an empty `id` the battle, and what is different about it.

    `how`: `came` for a unit that was not there before, `went` for one that is there no more, else empty.
    """

    id: str
    name: str
    changes: tuple[Change, ...]
    how: str = ""


def differences(rules: RuleSet, before: Any, after: Any) -> tuple[Changed, ...]:
    """The battle and the units that stand otherwise in the state `after` than in `before`; none where none does."""
    was = {standing.id: standing for standing in rules.standings(before)}
    now = {standing.id: standing for standing in rules.standings(after)}
    found = (_changed(was.get(id_), now.get(id_)) for id_ in (now | was))
    return tuple(changed for changed in found if changed.changes or changed.how)


def _changed(was: Standing | None, now: Standing | None) -> Changed:
    known = now or was
    assert known is not None
    before, after = was.facts if was else {}, now.facts if now else {}
    changes = tuple(
        Change(fact, before.get(fact, ""), after.get(fact, ""))
        for fact in {**after, **before}
        if before.get(fact, "") != after.get(fact, "")
    )
    how = "came" if was is None else "went" if now is None else ""
    return Changed(known.id, known.name, changes, how)


def orders_between(history: History, one: int, other: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """From the order `one` to the order `other` (0 is the beginning): the orders to take back, and those to play.

    The first are told from `one` backwards, the others in the order in which they were given.
    """
    here, there = history.path(one), history.path(other)
    shared = next(
        (at for at, (left, right) in enumerate(zip(here, there, strict=False)) if left != right),
        min(len(here), len(there)),
    )
    return tuple(reversed(here[shared:])), there[shared:]
