"""What happens in Suppression Fire, in the past tense. Part of the save format: tags never change meaning."""

from decimal import Decimal
from typing import Literal, TypeAlias

from msgspec import Struct

from engine.imported import Imported
from engine.resolution import Event
from engine.scorekeeping import BattleEnded, MissionSet, Noted, Scored
from engine.suppression_fire.profiles import Action, Mark, UnitProfile, Weapon

Result = Literal["passed", "failed", "not_needed"]
"""How a test ended."""


class Contribution(Struct, frozen=True, gc=False):
    """One line of a unit's fire: models of a group with a gun, and the shots each of them puts out."""

    group: str
    gun: Weapon
    models: int
    shots: int


class Mustered(Event, frozen=True, tag="mustered"):
    unit: UnitProfile


class Amended(Event, frozen=True, tag="amended"):
    """`hurt`: wounds lost by the hurt model of each group; `firing`: what is left of its declared fire."""

    unit: UnitProfile
    hurt: tuple[int, ...]
    firing: tuple[Contribution, ...]


class Dismissed(Event, frozen=True, tag="dismissed"):
    unit: str


class TurnBegan(Event, frozen=True, tag="turn_began"):
    side: str
    turn: int


class PhaseBegan(Event, frozen=True, tag="phase_began"):
    phase: Literal["shooting", "assault"]


class TurnEnded(Event, frozen=True, tag="turn_ended"):
    """`freed`: units no longer pinned; `ended`: targets whose suppression is over."""

    side: str
    freed: tuple[str, ...]
    ended: tuple[str, ...]


class Declared(Event, frozen=True, tag="declared"):
    """A unit's fire on a target: range in inches and the guns with the shots fixed."""

    target: str
    unit: str
    range: Decimal
    firing: tuple[Contribution, ...]


class Tested(Event, frozen=True, tag="tested"):
    """`target` is the suppressed unit, for passengers their vehicle; `result`: passed, failed, not_needed.

    `suppressors` is how many counted, for the modifier of a reroll too.
    """

    unit: str
    target: str
    result: Result
    rolled: bool
    suppressors: int


class TestRerolled(Event, frozen=True, tag="test_rerolled"):
    unit: str
    target: str
    result: Result
    reason: str


class Struck(Event, frozen=True, tag="struck"):
    """The fire on `target` caught `unit` in the open: with which gun type, strength and AP."""

    unit: str
    target: str
    gun_type: str
    strength: int
    ap: int | None


class GroupLeft(Struct, frozen=True, gc=False):
    """A group after losses: models left and wounds lost by the hurt one."""

    name: str
    models: int
    wounds_lost: int


class ModelsFell(Event, frozen=True, tag="models_fell"):
    """Losses of a unit: what is left of each group that lost, and of each line of its fire (models)."""

    unit: str
    left: tuple[GroupLeft, ...]
    firing: tuple[int, ...]


class Restored(Event, frozen=True, tag="restored"):
    unit: str
    left: GroupLeft


class WentOut(Event, frozen=True, tag="went_out"):
    """A unit is out of play: wiped out, or a vehicle destroyed, whose passengers now stand on foot."""

    unit: str
    passengers: tuple[str, ...]


class Acted(Event, frozen=True, tag="acted"):
    unit: str
    action: Action
    into: str | None = None


class SightChanged(Event, frozen=True, tag="sight_changed"):
    suppressor: str
    target: str
    clear: bool


class Marked(Event, frozen=True, tag="marked"):
    unit: str
    status: Mark
    on: bool


class Lapsed(Event, frozen=True, tag="lapsed"):
    """A suppressor is no longer effective, and why. Told for the log: the state says it by itself."""

    suppressor: str
    target: str
    why: str


class Resumed(Event, frozen=True, tag="resumed"):
    """A suppressor is effective again. Told for the log: the state says it by itself."""

    suppressor: str
    target: str


AnyEvent: TypeAlias = (
    Mustered
    | Amended
    | Dismissed
    | TurnBegan
    | PhaseBegan
    | TurnEnded
    | Declared
    | Tested
    | TestRerolled
    | Struck
    | ModelsFell
    | Restored
    | WentOut
    | Acted
    | SightChanged
    | Marked
    | Lapsed
    | Resumed
    | Scored
    | BattleEnded
    | Noted
    | MissionSet
    | Imported
)
