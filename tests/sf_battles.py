"""Small battles of Suppression Fire for tests: units, guns, and a table to play on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.entries import OrderEntry
from engine.history import History
from engine.refusals import Refusal
from tests.engine_battle import give, new_history, odds

Told = dict[str, Any]

PHASES = ("movement", "shooting", "assault")

PASS, FAIL = [1, 1], [6, 6]
"""Dice of a leadership test that anybody passes, and that nobody does."""


def gun(name: str, gun_type: str, reach: float, strength: int, ap: int | None, kind: str, shots: int | str) -> Told:
    return {
        "name": name, "gun_type": gun_type, "range": reach, "strength": strength, "ap": ap, "type": kind, "shots": shots
    }  # fmt: skip


def tagged(weapon: Told, *tags: str) -> Told:
    return {**weapon, "tags": list(tags)}


CATAPULT = gun("catapult", "shuriken", 18, 4, 5, "assault", 2)
LASGUN = gun("lasgun", "las", 24, 3, None, "rapid_fire", 1)
BOLTGUN = gun("boltgun", "bolt", 24, 4, 5, "rapid_fire", 1)
BOLT_PISTOL = gun("bolt pistol", "bolt", 12, 4, 5, "pistol", 1)
HEAVY_BOLTER = gun("heavy bolter", "bolt", 36, 5, 4, "heavy", 3)
SCATTER_LASER = gun("scatter laser", "scatter", 36, 6, 6, "heavy", 4)
PULSE_CANNON = gun("pulse cannon", "pulse", 36, 8, 2, "heavy", 5)


def models(name: str, count: int, *guns: Told, **stats: Any) -> Told:
    """A group of identical models, armed with a catapult unless guns are named."""
    return {"name": name, "models": count, "weapons": list(guns or (CATAPULT,)), **stats}


def unit(unit_id: str, side: str, *groups: Told, **more: Any) -> Told:
    return {"id": unit_id, "side": side, "groups": list(groups), **more}


def blue(unit_id: str, count: int = 5, *guns: Told, **more: Any) -> Told:
    """A blue unit of one group, `men`; by default five with catapults: ten shots."""
    return unit(unit_id, "blue", models("men", count, *guns), **more)


def red(unit_id: str, count: int = 10, *guns: Told, **stats: Any) -> Told:
    """A red unit of one group, `men`: by default ten with boltguns, T4 Ld8 armour 4+."""
    profile = {"toughness": 4, "leadership": 8, "armour": 4, **stats}
    return unit(unit_id, "red", models("men", count, *(guns or (BOLTGUN,)), **profile))


def carrier(unit_id: str, side: str = "red", *groups: Told, **transport: Any) -> Told:
    """A transport: ten seats, closed, two fire points, no guns unless told otherwise."""
    return unit(unit_id, side, *groups, kind="vehicle", transport={"capacity": 10, "fire_points": 2, **transport})


def inside(rider: Told, vehicle: str) -> Told:
    return {**rider, "embarked_in": vehicle}


def by(unit_id: str, inches: float = 12, *shooters: Told, **more: Any) -> Told:
    """One suppressor of a declaration."""
    return {"unit": unit_id, "range": inches, **({"shooters": list(shooters)} if shooters else {}), **more}


def fires(group: str, weapon: str, count: int, **more: Any) -> Told:
    """One line of guns named in a declaration."""
    return {"group": group, "weapon": weapon, "models": count, **more}


class Game:
    """A battle being played by a test. Faces are typed; where none are, the app rolls."""

    def __init__(self, *units: Told, **switches: str) -> None:
        self.history: History = new_history(switches=switches)
        for profile in units:
            self.give("muster", unit=profile)

    def give(self, kind: str, *, dice: list[int] | None = None, **fields: Any) -> OrderEntry:
        return give(self.history, self._order(kind, dice, fields))

    def refused(self, kind: str, *, dice: list[int] | None = None, **fields: Any) -> Refusal:
        """The refusal of an order; nothing has come of it."""
        before, entries = self.history.state, len(self.history.entries)
        with pytest.raises(Refusal) as caught:
            give(self.history, self._order(kind, dice, fields))
        assert self.history.state is before
        assert len(self.history.entries) == entries
        return caught.value

    def clause(self, kind: str, *, dice: list[int] | None = None, **fields: Any) -> str:
        """The clause with which an order is refused."""
        return self.refused(kind, dice=dice, **fields).clause

    def odds(self, kind: str, **fields: Any) -> Told:
        before = self.history.state
        told = odds(self.history, self._order(kind, None, fields))
        assert self.history.state is before
        return told

    @staticmethod
    def _order(kind: str, dice: list[int] | None, fields: Told) -> Told:
        return {"type": kind, **fields, **({} if dice is None else {"dice": dice})}

    # What is there

    @property
    def show(self) -> Told:
        return self.history.rules.show(self.history.state)

    def unit(self, unit_id: str) -> Told:
        told: Told = self.show["units"][unit_id]
        return told

    def suppression(self, target: str) -> Told:
        told: Told = self.show["suppressions"][target]
        return told

    def fire(self, target: str, suppressor: str) -> Told:
        """What `show` has about one suppressor: shots, effective, why_not."""
        told: Told = self.suppression(target)["by"][suppressor]
        return told

    def effective(self, target: str) -> set[str]:
        return {unit_id for unit_id, fire in self.suppression(target)["by"].items() if fire["effective"]}

    # Playing on

    def to(self, side: str, phase: str = "movement") -> None:
        """On to that phase of that side's turn; the turn that runs is ended where it is another's."""
        if self.show["side"] not in (None, side):
            self.give("end_turn")
        if self.show["side"] is None:
            self.give("begin_turn", side=side)
        for coming in PHASES[PHASES.index(self.show["phase"]) + 1 : PHASES.index(phase) + 1]:
            self.give("phase", to=coming)

    def declare(self, target: str, *suppressors: str | Told, dice: list[int] | None = None) -> OrderEntry:
        """Units by id suppress at 12 inches with all that may."""
        return self.give("declare", target=target, by=_told(suppressors), dice=dice)

    def no_declare(self, target: str, *suppressors: str | Told) -> Refusal:
        return self.refused("declare", target=target, by=_told(suppressors))

    def test(self, target: str, dice: list[int] | None = None) -> str | None:
        """Take the test; how it ended, None where the target was wiped out before it."""
        self.give("test", target=target, dice=dice)
        told: str | None = self.show["suppressions"].get(target, {}).get("test")
        return told

    def act(self, unit_id: str, action: str, dice: list[int] | None = None, **more: Any) -> OrderEntry:
        return self.give("act", unit=unit_id, action=action, dice=dice, **more)

    def suppress(self, target: str, *suppressors: str | Told, dice: list[int] | None = PASS) -> None:
        """Blue suppresses a red unit, which takes its test with these dice; then it is red's movement."""
        self.to("blue", "shooting")
        self.declare(target, *suppressors)
        self.test(target, dice)
        self.to("red")


def _told(suppressors: tuple[str | Told, ...]) -> list[Told]:
    return [by(named) if isinstance(named, str) else named for named in suppressors]


def rolled(entry: OrderEntry) -> list[tuple[str, int, int | None]]:
    """What an order rolled: purpose, number of dice, and the number that each needed."""
    return [(row.purpose, len(row.dice), row.needed) for row in entry.rolls]


def dice_for(entry: OrderEntry, purpose: str) -> list[int]:
    """How many dice were thrown for a purpose, throw by throw."""
    return [len(row.dice) for row in entry.rolls if row.purpose == purpose]


def events(entry: OrderEntry, kind: str) -> list[Any]:
    """The events of one kind, by tag."""
    return [event for event in entry.events if type(event).__struct_config__.tag == kind]
