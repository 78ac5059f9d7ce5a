"""What happens in Gray Dawn, in the past tense. Part of the save format: tags never change meaning."""

from decimal import Decimal
from typing import Literal, TypeAlias

from msgspec import Struct

from engine.gray_dawn.orders import Action
from engine.gray_dawn.profiles import CombatantProfile, Stance, Weapon
from engine.imported import Imported
from engine.resolution import Event
from engine.scorekeeping import BattleEnded, MissionSet, Noted, Scored


class Laid(Struct, frozen=True, gc=False):
    """Suppression points that one combatant gets."""

    combatant: str
    points: int


class Aimed(Struct, frozen=True, gc=False):
    """One target of covering fire: how many actions or bursts, and how far away it is in metres."""

    target: str
    count: int
    range: Decimal


class Mustered(Event, frozen=True, tag="mustered"):
    combatant: CombatantProfile


class Amended(Event, frozen=True, tag="amended"):
    """`loaded`: rounds in each weapon's magazine."""

    combatant: CombatantProfile
    loaded: dict[str, int]


class Dismissed(Event, frozen=True, tag="dismissed"):
    combatant: str


class RoundBegan(Event, frozen=True, tag="round_began"):
    """`lightning`: those who strike like lightning this round."""

    round: int
    lightning: tuple[str, ...]


class InitiativeRolled(Event, frozen=True, tag="initiative_rolled"):
    combatant: str
    initiative: int


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """`points_lapsed`: whether suppression points are gone with the round."""

    round: int
    points_lapsed: bool


class CoveringFireLaid(Event, frozen=True, tag="covering_fire_laid"):
    """Who shot with what in which mode, the rounds spent, at whom, and all who got points, adjacent ones included."""

    shooter: str
    weapon: str
    mode: Literal["semi", "burst"]
    rounds: int
    targets: tuple[Aimed, ...]
    points: tuple[Laid, ...]


class LaneLaid(Event, frozen=True, tag="lane_laid"):
    """A shooter's fire on a lane: width and range in metres, who is inside and near, and who got points."""

    lane: str
    kind: Literal["covering", "saturation"]
    shooter: str
    weapon: Weapon
    width: Decimal
    range: Decimal
    rounds: int
    inside: tuple[str, ...]
    near: tuple[str, ...]
    points: tuple[Laid, ...]


class Missed(Event, frozen=True, tag="missed"):
    """Fire came the combatant's way and none of it hit."""

    combatant: str


class Struck(Event, frozen=True, tag="struck"):
    """That many rounds of a weapon hit the combatant."""

    combatant: str
    weapon: str
    rounds: int


class Wounded(Event, frozen=True, tag="wounded"):
    """One round: where it hit, its damage, how much armour and cover stopped at most, and the wounds it made."""

    combatant: str
    location: str
    damage: int
    stopping: int
    wounds: int


class WoundsEntered(Event, frozen=True, tag="wounds_entered"):
    combatant: str
    wounds: int


class TakenOut(Event, frozen=True, tag="taken_out"):
    combatant: str


class Checked(Event, frozen=True, tag="checked"):
    """A suppression check: passed, failed or not_needed; `stance` is the one that failing forced."""

    combatant: str
    result: Literal["passed", "failed", "not_needed"]
    stance: Stance | None = None


class Stopped(Event, frozen=True, tag="stopped"):
    """An action that did not happen, because its check failed."""

    combatant: str
    action: Action


class Acted(Event, frozen=True, tag="acted"):
    """`left`: the lanes that the combatant is no longer inside of."""

    combatant: str
    action: Action
    target: str | None = None
    left: tuple[str, ...] = ()


class RoundsFired(Event, frozen=True, tag="rounds_fired"):
    combatant: str
    weapon: str
    rounds: int


class Reloaded(Event, frozen=True, tag="reloaded"):
    combatant: str
    weapon: str
    loaded: int


class PointsLaid(Event, frozen=True, tag="points_laid"):
    combatant: str
    points: int
    reason: str


class StanceTaken(Event, frozen=True, tag="stance_taken"):
    """`reason` is the game master's, empty where the stance was the player's choice."""

    combatant: str
    stance: Stance
    reason: str = ""


class CoverTaken(Event, frozen=True, tag="cover_taken"):
    """`reason` is the game master's, empty where nobody overruled."""

    combatant: str
    level: int
    reason: str = ""


class PositionTaken(Event, frozen=True, tag="position_taken"):
    """Where the combatant is, in metres, None for nowhere in particular; `reason` is the game master's."""

    combatant: str
    at: tuple[Decimal, Decimal] | None
    reason: str = ""


class SetRight(Event, frozen=True, tag="set_right"):
    """What the game master set by hand; what is None stayed as it was. `loaded`: of those weapons alone."""

    combatant: str
    reason: str
    initiative: int | None = None
    points: int | None = None
    wounds: int | None = None
    out: bool | None = None
    loaded: dict[str, int] | None = None


class Spotted(Event, frozen=True, tag="spotted"):
    observer: str
    flanker: str
    noticed: bool


AnyEvent: TypeAlias = (
    Mustered
    | Amended
    | Dismissed
    | RoundBegan
    | InitiativeRolled
    | RoundEnded
    | CoveringFireLaid
    | LaneLaid
    | Missed
    | Struck
    | Wounded
    | WoundsEntered
    | TakenOut
    | Checked
    | Stopped
    | Acted
    | RoundsFired
    | Reloaded
    | PointsLaid
    | StanceTaken
    | CoverTaken
    | PositionTaken
    | SetRight
    | Spotted
    | Scored
    | BattleEnded
    | Noted
    | MissionSet
    | Imported
)
