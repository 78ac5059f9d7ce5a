"""Small battles of Gray Dawn for tests: people, weapons, and a table to play on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.entries import OrderEntry
from engine.history import History
from engine.refusals import Refusal
from tests.engine_battle import give, new_history, odds

Told = dict[str, Any]

SAFE, HIT = [5], [1, 10, 1]
"""Dice of a defence roll on base 10 that keeps clear, and that does not."""


def weapon(name: str, *modes: str, **stats: Any) -> Told:
    usual = {"rof": 30, "semi_rof": 2, "range": 100, "magazine": 30}
    return {"name": name, "modes": list(modes), **usual, **stats}


RIFLE = weapon("rifle", "semi", "burst", "auto")
PISTOL = weapon("pistol", "semi", rof=2, range=50, magazine=16)
MACHINE_GUN = weapon("machine gun", "auto", magazine=90)


def person(person_id: str, side: str = "aliens", *weapons: Told, **stats: Any) -> Told:
    """REF 7, CL 6, MA 6, INT 6, BODY 7, Dodge 4, Athletics 3, Awareness 3, Stealth 2, torso SP 18; defends with 10."""
    usual = {"ref": 7, "cl": 6, "ma": 6, "int": 6, "body": 7, "dodge": 4, "athletics": 3, "awareness": 3, "stealth": 2}
    sp = {"head": 14, "torso": 18, "arms": 10, "legs": 10}
    return {"id": person_id, "side": side, **usual, "sp": sp, "weapons": list(weapons or (RIFLE, PISTOL)), **stats}


def at(target: str, count: int = 1, metres: float = 40) -> Told:
    """One target of covering fire."""
    return {"target": target, "count": count, "range": metres}


class Game:
    """A battle being played by a test: a round is running. Faces are typed; where none are, the app rolls."""

    def __init__(self, *people: Told, running: bool = True, seed: str = "a test", **switches: Any) -> None:
        self.history: History = new_history("gray-dawn", ("xcom", "aliens"), switches, seed)
        for profile in people:
            self.give("muster", combatant=profile)
        if running:
            self.give("begin_round")

    def give(self, order: str, /, *, dice: list[int] | None = None, **fields: Any) -> OrderEntry:
        return give(self.history, self._order(order, dice, fields))

    def refused(self, order: str, /, *, dice: list[int] | None = None, **fields: Any) -> Refusal:
        """The refusal of an order; nothing has come of it."""
        before, entries = self.history.state, len(self.history.entries)
        with pytest.raises(Refusal) as caught:
            give(self.history, self._order(order, dice, fields))
        assert self.history.state is before
        assert len(self.history.entries) == entries
        return caught.value

    def clause(self, order: str, /, *, dice: list[int] | None = None, **fields: Any) -> str:
        """The clause with which an order is refused."""
        return self.refused(order, dice=dice, **fields).clause

    def odds(self, order: str, /, **fields: Any) -> Told:
        before = self.history.state
        told = odds(self.history, self._order(order, None, fields))
        assert self.history.state is before
        return told

    @staticmethod
    def _order(order: str, dice: list[int] | None, fields: Told) -> Told:
        return {"type": order, **fields, **({} if dice is None else {"dice": dice})}

    # What is there

    @property
    def show(self) -> Told:
        return self.history.rules.show(self.history.state)

    def of(self, person_id: str, what: str) -> Any:
        return self.show["combatants"][person_id][what]

    def lane(self, name: str = "hall") -> Told:
        told: Told = self.show["lanes"][name]
        return told

    # Playing on

    def points(self, person_id: str, count: int) -> None:
        self.give("points", combatant=person_id, points=count, reason="a near miss")

    def single_shots(
        self, *aims: Told, shooter: str = "rook", dice: list[int] | None = None, **more: Any
    ) -> OrderEntry:
        """Covering fire with the pistol."""
        return self.give(
            "covering_fire", shooter=shooter, weapon="pistol", mode="semi", targets=list(aims), dice=dice, **more
        )

    def bursts(self, *aims: Told, shooter: str = "rook", dice: list[int] | None = None, **more: Any) -> OrderEntry:
        """Covering fire with bursts of the rifle."""
        return self.give(
            "covering_fire", shooter=shooter, weapon="rifle", mode="burst", targets=list(aims), dice=dice, **more
        )

    def fire_lane(
        self, kind: str = "saturation", *inside: str, shooter: str = "rook", dice: list[int] | None = None, **more: Any
    ) -> OrderEntry:
        """A lane of the rifle, `hall`, 2 m wide, 10 rounds: level 5."""
        told = lane_order(kind, *inside, shooter=shooter, **more)
        return self.give("lane", dice=dice, **told)

    def check(self, person_id: str, *dice: int) -> OrderEntry:
        return self.give("check", combatant=person_id, dice=list(dice))

    def suppress(self, person_id: str) -> None:
        """One point, and a check that fails on the lowest dice there are."""
        self.points(person_id, 1)
        self.check(person_id, 1, 10, 10, 1)
        assert self.of(person_id, "suppressed")

    def act(self, person_id: str, action: str, dice: list[int] | None = None, **more: Any) -> OrderEntry:
        return self.give("act", combatant=person_id, action=action, dice=dice, **more)

    def no_act(self, person_id: str, action: str, **more: Any) -> str:
        return self.clause("act", combatant=person_id, action=action, **more)

    def next_round(self) -> None:
        self.give("end_round")
        self.give("begin_round")


def lane_order(kind: str = "saturation", *inside: str, shooter: str = "rook", **more: Any) -> Told:
    """The fields of a lane order as `Game.fire_lane` gives it."""
    usual = {"weapon": "rifle", "name": "hall", "width": 2, "rounds": 10, "range": 40}
    return {"shooter": shooter, "kind": kind, **usual, "inside": list(inside), **more}


def two(**stats: Any) -> Game:
    """Rook of xcom and Grey of the aliens, who has these stats."""
    return Game(person("rook", "xcom"), person("grey", **stats))


def three(**switches: Any) -> Game:
    """Rook and Vex of xcom, Grey of the aliens."""
    return Game(person("rook", "xcom"), person("vex", "xcom"), person("grey"), **switches)


def rolled(entry: OrderEntry) -> list[tuple[str, str, tuple[int, ...], int | None]]:
    """What an order rolled: purpose, whose, faces, and what was needed."""
    return [(row.purpose, row.subject, row.dice, row.needed) for row in entry.rolls]


def events(entry: OrderEntry, kind: str) -> list[Any]:
    """The events of one kind, by tag."""
    return [event for event in entry.events if type(event).__struct_config__.tag == kind]
