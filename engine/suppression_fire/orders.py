"""What players order in Suppression Fire: the contract's orders, field for field."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.fields import Id, Name
from engine.importing import MOST_ORDERS, ListImport
from engine.orders import Order
from engine.scorekeeping import EndBattle, Mission, Note, Score
from engine.suppression_fire.profiles import Action, Inches, Mark, Models, UnitProfile, inches

Count = Annotated[int, Meta(ge=0, le=200)]


class Muster(Order, frozen=True, tag="muster"):
    unit: UnitProfile


class Amend(Order, frozen=True, tag="amend"):
    unit: UnitProfile


class Dismiss(Order, frozen=True, tag="dismiss"):
    unit: Id


class Import(ListImport, frozen=True, kw_only=True, tag="import"):
    """An army list for a side, as the orders that it comes to."""

    orders: Annotated[tuple[Muster | Amend | Dismiss, ...], Meta(max_length=MOST_ORDERS)]


class BeginTurn(Order, frozen=True, tag="begin_turn"):
    side: Name


class Phase(Order, frozen=True, tag="phase"):
    to: Literal["shooting", "assault"]


class EndTurn(Order, frozen=True, tag="end_turn"):
    pass


class Shooter(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Models of one group that fire one of its guns; its own range (inches) and line of sight where they differ."""

    group: Name
    weapon: Name
    models: Models
    range: Inches | None = None
    line_of_sight: bool | None = None

    def __post_init__(self) -> None:
        if self.range is not None:
            inches(self.range)


class Suppressor(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A unit that suppresses: range in inches, line of sight, and which guns (left out: all that may)."""

    unit: Id
    range: Inches
    line_of_sight: bool = True
    shooters: Annotated[tuple[Shooter, ...], Meta(min_length=1, max_length=100)] | None = None

    def __post_init__(self) -> None:
        inches(self.range)


class Declare(Order, frozen=True, tag="declare"):
    target: Id
    by: Annotated[tuple[Suppressor, ...], Meta(min_length=1, max_length=200)]


Allocation = Annotated[tuple[Name, ...], Meta(max_length=12)]
Shares = dict[Name, Annotated[int, Meta(ge=0, le=10000)]]


class Test(Order, frozen=True, tag="test"):
    """`allocation` and `shares` share out the wounds of shrapnel, as in `act`."""

    target: Id
    allocation: Allocation | None = None
    shares: Shares | None = None


class RerollTest(Order, frozen=True, tag="reroll_test"):
    target: Id
    reason: Annotated[str, Meta(min_length=1, max_length=2000)]


class Act(Order, frozen=True, tag="act"):
    """`allocation`: all groups in the order in which they take wounds; `shares`: of the last round, how many each.

    `shrapnel_shares` are those of the shrapnel that falls on passengers before they are hit.
    """

    unit: Id
    action: Action
    into: Id | None = None
    visible_to: Annotated[tuple[Id, ...], Meta(max_length=200)] | None = None
    gun_type: Name | None = None
    weapon: Name | None = None
    allocation: Allocation | None = None
    shares: Shares | None = None
    shrapnel_shares: Shares | None = None
    firing_models: Models | None = None


class Casualties(Order, frozen=True, tag="casualties"):
    unit: Id
    group: Name
    models: Models
    contributors: Count | None = None


class LineOfSight(Order, frozen=True, tag="line_of_sight"):
    suppressor: Id
    target: Id
    clear: bool


class Status(Order, frozen=True, tag="status"):
    unit: Id
    status: Mark
    on: bool


class Wounds(Order, frozen=True, tag="wounds"):
    unit: Id
    group: Name
    wounds: Annotated[int, Meta(ge=1, le=4000)]


class Restore(Order, frozen=True, tag="restore"):
    unit: Id
    group: Name
    models: Count = 0
    wounds: Annotated[int, Meta(ge=0, le=4000)] = 0


AnyOrder: TypeAlias = (
    Muster
    | Amend
    | Dismiss
    | BeginTurn
    | Phase
    | EndTurn
    | Declare
    | Test
    | RerollTest
    | Act
    | Casualties
    | LineOfSight
    | Status
    | Wounds
    | Restore
    | Score
    | EndBattle
    | Note
    | Mission
    | Import
)
