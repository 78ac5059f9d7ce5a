"""What players order in Gray Dawn: the contract's orders, field for field."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.fields import Id, Name, Text, Words, length
from engine.gray_dawn.profiles import CombatantProfile, CoverLevel, Metres, Place, Rounds, Stance, place
from engine.importing import MOST_ORDERS, ListImport
from engine.orders import Order
from engine.scorekeeping import EndBattle, Mission, Note, Score

Action = Literal["aimed_fire", "melee", "move", "emerge", "cross", "lean_out", "reload", "other"]
Skill = Literal["dodge", "athletics"]
Points = Annotated[int, Meta(ge=0, le=1000)]
Wounds = Annotated[int, Meta(ge=0, le=1000)]
Crowd = Annotated[tuple[Id, ...], Meta(max_length=200)]


class Muster(Order, frozen=True, tag="muster"):
    combatant: CombatantProfile


class Amend(Order, frozen=True, tag="amend"):
    combatant: CombatantProfile


class Dismiss(Order, frozen=True, tag="dismiss"):
    combatant: Id


class Import(ListImport, frozen=True, kw_only=True, tag="import"):
    """An army list for a side, as the orders that it comes to."""

    orders: Annotated[tuple[Muster | Amend | Dismiss, ...], Meta(max_length=MOST_ORDERS)]


class BeginRound(Order, frozen=True, tag="begin_round"):
    lightning: Crowd = ()


class EndRound(Order, frozen=True, tag="end_round"):
    pass


class Aim(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One target of covering fire: how many firing actions or bursts, and its distance in metres."""

    target: Id
    count: Annotated[int, Meta(ge=1, le=500)]
    range: Metres

    def __post_init__(self) -> None:
        length(self.range)


class CoveringFire(Order, frozen=True, tag="covering_fire"):
    shooter: Id
    weapon: Name
    mode: Literal["semi", "burst"]
    targets: Annotated[tuple[Aim, ...], Meta(min_length=1, max_length=200)]
    adjacent: Crowd | None = None


class LayLane(Order, frozen=True, tag="lane"):
    """Width and range in metres; `rounds` left out are the weapon's full rate of fire."""

    shooter: Id
    weapon: Name
    kind: Literal["covering", "saturation"]
    name: Name
    width: Metres
    range: Metres
    rounds: Annotated[int, Meta(ge=1, le=1000)] | None = None
    inside: Crowd = ()
    near: Crowd = ()

    def __post_init__(self) -> None:
        length(self.width)
        length(self.range)


class TakeCheck(Order, frozen=True, tag="check"):
    combatant: Id


class Act(Order, frozen=True, tag="act"):
    """`taken_out` and `points` are the game master's, should it come to that: see `acting.act`."""

    combatant: Id
    action: Action
    lanes: Annotated[tuple[Name, ...], Meta(max_length=100)] | None = None
    avoid: Skill | None = None
    weapon: Name | None = None
    target: Id | None = None
    rounds: Annotated[int, Meta(ge=1, le=1000)] | None = None
    taken_out: bool | None = None
    points: Points | None = None


class TakeStance(Order, frozen=True, tag="stance"):
    combatant: Id
    stance: Stance
    override: bool = False
    reason: Text = ""


class TakeCover(Order, frozen=True, tag="cover"):
    combatant: Id
    level: CoverLevel
    override: bool = False
    reason: Text = ""


class TakePosition(Order, frozen=True, tag="position"):
    combatant: Id
    at: Place | None
    override: bool = False
    reason: Text = ""

    def __post_init__(self) -> None:
        place(self.at)


class SetByHand(Order, frozen=True, tag="set"):
    combatant: Id
    reason: Words
    initiative: Annotated[int, Meta(ge=0, le=100)] | None = None
    points: Points | None = None
    wounds: Wounds | None = None
    out: bool | None = None
    loaded: dict[Name, Rounds] | None = None


class Spot(Order, frozen=True, tag="spot"):
    observer: Id
    flanker: Id


class LayPoints(Order, frozen=True, tag="points"):
    combatant: Id
    points: Annotated[int, Meta(ge=1, le=1000)]
    reason: Words


class Wound(Order, frozen=True, tag="wound"):
    combatant: Id
    points: Wounds = 0
    out: bool = False


AnyOrder: TypeAlias = (
    Muster
    | Amend
    | Dismiss
    | BeginRound
    | EndRound
    | CoveringFire
    | LayLane
    | TakeCheck
    | Act
    | TakeStance
    | TakeCover
    | TakePosition
    | SetByHand
    | Spot
    | LayPoints
    | Wound
    | Score
    | EndBattle
    | Note
    | Mission
    | Import
)
