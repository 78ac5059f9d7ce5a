"""The state of a battle of Suppression Fire: units, who suppresses whom, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct, field

from engine.scorekeeping import KeptBattle
from engine.suppression_fire.events import Contribution, Tested
from engine.suppression_fire.profiles import GroupProfile, UnitProfile


class Group(Struct, frozen=True, gc=False):
    """Models of a group still standing, wounds lost by the hurt one, models lost since muster or amend."""

    profile: GroupProfile
    models: int
    wounds_lost: int = 0
    fallen: int = 0

    @property
    def name(self) -> str:
        return self.profile.name

    @property
    def wounds_left(self) -> int:
        return self.models * self.profile.wounds - self.wounds_lost


class Unit(Struct, frozen=True, gc=False):
    """A unit in the battle. The flags `moved` to `declared` are those of its side's present or last turn.

    `declared`: it has suppressed this turn; `stayed_in`: as passengers it failed the test and may do nothing more this
    turn (SF-34); `struck`: suppressing fire has hit it this turn, whoever it was aimed at (SF-21). `marks` are set by
    hand, in alphabetical order.
    """

    profile: UnitProfile
    groups: tuple[Group, ...]
    embarked_in: str | None = None
    out: bool = False
    pinned: bool = False
    marks: tuple[str, ...] = ()
    moved: bool = False
    ran: bool = False
    shot: bool = False
    declared: bool = False
    stayed_in: bool = False
    struck: bool = False

    @property
    def id(self) -> str:
        return self.profile.id

    @property
    def side(self) -> str:
        return self.profile.side

    @property
    def name(self) -> str:
        return self.profile.name

    @property
    def is_vehicle(self) -> bool:
        return self.profile.kind == "vehicle"

    @property
    def models(self) -> int:
        return sum([group.models for group in self.groups])

    @property
    def standing(self) -> tuple[Group, ...]:
        """The groups that still have models, as listed."""
        return tuple([group for group in self.groups if group.models])

    def group(self, name: str) -> Group | None:
        return next((group for group in self.groups if group.name == name), None)


class Fire(Struct, frozen=True, gc=False):
    """What one unit puts out at a target: range in inches at the declaration, guns, and whether it sees it now.

    `stopped` is why it contributes no more for good, empty while it does (SF-32).
    """

    unit: str
    range: Decimal
    firing: tuple[Contribution, ...]
    sight: bool = True
    stopped: str = ""

    @property
    def shots(self) -> int:
        """Shots of the surviving contributors."""
        return sum(line.models * line.shots for line in self.firing)


class Suppression(Struct, frozen=True, gc=False):
    """Everything aimed at one target, in the order declared. `passengers`: how the tests of those inside came out."""

    target: str
    by: tuple[Fire, ...] = ()
    test: str | None = None
    spent: bool = False
    passengers: dict[str, str] = {}

    def fire_of(self, unit: str) -> Fire | None:
        return next((fire for fire in self.by if fire.unit == unit), None)

    def test_of(self, unit: str) -> str | None:
        """How the test of the target, or of passengers in it, came out; None where there was none yet."""
        if unit == self.target:
            return self.test
        return self.passengers.get(unit)


def pair(one: str, other: str) -> str:
    """The key under which the range between two units is kept, whoever shoots."""
    return f"{one} {other}" if one < other else f"{other} {one}"


class Battle(KeptBattle, frozen=True):
    """A battle of Suppression Fire. Units stand in muster order. `fires_at`: each suppressor's target.

    `turn` is 0 and `side`, `phase` None before the first turn; between turns the two are None. `opened` is the
    side that began first, `went` the side whose turn ended last. `ranges` are the last ones told, by pair, in inches.
    `just_tested` is the rolled test that may be rolled again: nothing has happened since (SF-16).
    """

    units: dict[str, Unit] = field(default_factory=dict)
    suppressions: dict[str, Suppression] = field(default_factory=dict)
    fires_at: dict[str, str] = field(default_factory=dict)
    turn: int = 0
    side: str | None = None
    phase: str | None = None
    opened: str | None = None
    went: str | None = None
    just_tested: Tested | None = None
    ranges: dict[str, Decimal] = field(default_factory=dict)

    def suppressing(self, unit: str) -> Suppression | None:
        """The suppression that a unit takes part in, effective or not."""
        target = self.fires_at.get(unit)
        return None if target is None else self.suppressions[target]

    def passengers(self, vehicle: str) -> Iterator[Unit]:
        """The units inside a vehicle, in muster order."""
        return (unit for unit in self.units.values() if unit.embarked_in == vehicle)
