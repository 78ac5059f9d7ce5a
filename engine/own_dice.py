"""Dice typed by the one whose dice they are: what other sides roll is no one else's to type."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

from engine.dice import Source
from engine.refusals import Refusal
from engine.rolls import Rolled, Throw
from engine.ruleset import RuleSet
from engine.seats import commands_all


class OwnDice(Source):
    """The faces of one seat, for the throws that are its own; those of other sides the app rolls.

    Whoever types tells only their own dice. That the app rolled the others is on record with each roll, and nobody
    can tell faces for somebody who is not there to see them fall.
    """

    def __init__(self, own: Source, app: Source, whose: Callable[[Throw], str], seat: str) -> None:
        self._own = own
        self._app = app
        self._whose = whose
        self._seat = seat
        self._others = ""

    def __copy__(self) -> OwnDice:
        return OwnDice(copy.copy(self._own), copy.copy(self._app), self._whose, self._seat)

    def faces(self, throw: Throw, key: str) -> tuple[tuple[int, ...], str]:
        whose = self._whose(throw)
        if whose in ("", self._seat):
            return self._own.faces(throw, key)
        self._others = f"{throw.purpose} of {throw.subject} is for {whose} to roll, so the app rolls it"
        return self._app.faces(throw, key)

    def finish(self) -> None:
        try:
            self._own.finish()
        except Refusal as refusal:
            if not self._others:
                raise
            raise Refusal("seat", f"{refusal.message}; {self._others}") from None


def own_dice(rules: RuleSet, battle: Any, order: Any, seat: str, own: Source, app: Source) -> Source:
    """Where the faces of an order from a seat come from: `own` for its own throws, `app` for those of other sides."""
    if commands_all(seat):
        return own
    return OwnDice(own, app, lambda throw: rules.roller(battle, order, throw), seat)


def refuse_faces(rules: RuleSet, battle: Any, order: Any, rolls: Iterable[Rolled], seat: str) -> None:
    """Raise Refusal (`seat`) where a seat has typed faces that another side rolls; `battle` is as it was before."""
    if commands_all(seat):
        return
    for roll in rolls:
        whose = rules.roller(battle, order, roll)
        if roll.source == "table" and whose not in ("", seat):
            raise Refusal("seat", f"{roll.purpose} of {roll.subject} is for {whose} to roll; you sit for {seat}")
