"""What a squad is when it is mustered, and what there is in a battle: the state that events make."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from engine.fields import Id, Name
from engine.refusals import Refusal
from engine.scorekeeping import KeptBattle

MOST_SQUADS = 200
MOST_SOLDIERS = 20

Ground = Literal["open", "cover"]


class SquadProfile(Struct, frozen=True, forbid_unknown_fields=True):
    """A squad as mustered (FF-1). Ids are what orders call it by, names are what people read."""

    id: Id
    side: Name
    name: Annotated[str, Meta(max_length=100)] = ""
    soldiers: Annotated[int, Meta(ge=1, le=MOST_SOLDIERS)] = 8
    firepower: Annotated[int, Meta(ge=1, le=12)] = 4
    nerve: Annotated[int, Meta(ge=3, le=11)] = 8
    ground: Ground = "open"


class Squad(Struct, frozen=True):
    """A squad in the battle. `acted` and `down` are of this round: it did its one thing, its heads stayed down."""

    profile: SquadProfile
    soldiers: int
    ground: Ground
    pins: int = 0
    acted: bool = False
    down: bool = False

    @property
    def id(self) -> str:
        return self.profile.id

    @property
    def name(self) -> str:
        return self.profile.name

    @property
    def side(self) -> str:
        return self.profile.side

    @property
    def out(self) -> bool:
        """Out of play: nobody is left (FF-1)."""
        return self.soldiers == 0


class Battle(KeptBattle, frozen=True):
    """A battle of Firefight, its squads in muster order. `round` is 0 before the first; `running` while one is on.

    Score, mission, house rules and the end are in KeptBattle: every rule set has them.
    """

    squads: dict[str, Squad] = field(default_factory=dict)
    round: int = 0
    running: bool = False


def listed(battle: Battle, squad_id: str) -> Squad:
    """The squad of that id, out of play or not; raises Refusal (`order`) for one that is unknown."""
    if squad_id not in battle.squads:
        raise Refusal("order", f"there is no squad {squad_id} in this battle")
    return battle.squads[squad_id]


def in_play(battle: Battle, squad_id: str) -> Squad:
    """The squad of that id; raises Refusal (`order`) for one that is unknown or out of play."""
    squad = listed(battle, squad_id)
    if squad.out:
        raise Refusal("order", f"{squad.name} is out of play")
    return squad


def name_of(battle: Battle, squad_id: str) -> str:
    """A squad's name, its id where it is not listed."""
    return battle.squads[squad_id].name if squad_id in battle.squads else squad_id


def side_of(battle: Battle, squad_id: str) -> str:
    """A squad's side, empty where it is not listed."""
    return battle.squads[squad_id].side if squad_id in battle.squads else ""
