"""The state of a battle of Gray Dawn: combatants, the lanes laid this round, and the round."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct, field

from engine.gray_dawn.profiles import CombatantProfile, Weapon
from engine.scorekeeping import KeptBattle


class Combatant(Struct, frozen=True, gc=False):
    """One person in the battle.

    `points` are suppression points not yet checked against. `hits` and `wounds` are totals of the battle. The
    flags `checked` to `lightning` are those of the round: it made its check, it acted, it lays covering fire, it
    strikes like lightning. `position` is in metres, `loaded` are rounds by weapon.
    """

    profile: CombatantProfile
    loaded: dict[str, int]
    stance: str
    cover: int
    position: tuple[Decimal, Decimal] | None
    initiative: int | None = None
    points: int = 0
    suppressed: bool = False
    hits: int = 0
    wounds: int = 0
    out: bool = False
    checked: bool = False
    acted: bool = False
    covering: bool = False
    lightning: bool = False

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
    def bracing(self) -> bool:
        return self.stance == "bracing"


class LaneFire(Struct, frozen=True, gc=False):
    """One shooter's fire on a lane: width in metres, rounds, and the how-manieth fire on any lane this round."""

    shooter: str
    weapon: Weapon
    width: Decimal
    rounds: int
    laid: int


class Lane(Struct, frozen=True, gc=False):
    """A lane by name: its fires in the order laid, and all whom its orders put inside or near, by name."""

    name: str
    kind: str
    fires: tuple[LaneFire, ...] = ()
    inside: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


def pair(one: str, other: str) -> str:
    """The key under which the range between two combatants is kept, whoever shoots."""
    return f"{one} {other}" if one < other else f"{other} {one}"


class Battle(KeptBattle, frozen=True):
    """A battle of Gray Dawn. Combatants stand in muster order.

    `round` is 0 before the first one; `running` tells whether it is on. `lanes` are those laid this round.
    `ranges` are the last ones told, by pair, in metres: forms begin with them.
    """

    combatants: dict[str, Combatant] = field(default_factory=dict)
    lanes: dict[str, Lane] = field(default_factory=dict)
    round: int = 0
    running: bool = False
    ranges: dict[str, Decimal] = field(default_factory=dict)
