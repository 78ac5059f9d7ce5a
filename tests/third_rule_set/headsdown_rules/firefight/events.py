"""What happened in Firefight, in the past tense, and the state after it: enough to rebuild a battle without rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec.structs import replace

from engine import resolution, scorekeeping
from engine.imported import Imported
from engine.resolution import Event, Rule
from engine.scorekeeping import BattleEnded, MissionSet, Noted, Scored

from .squads import Battle, Ground, Squad, SquadProfile


class Mustered(Event, frozen=True, tag="mustered"):
    squad: SquadProfile


class Amended(Event, frozen=True, tag="amended"):
    """Another profile, and how many of its soldiers are left."""

    squad: SquadProfile
    soldiers: int


class Dismissed(Event, frozen=True, tag="dismissed"):
    squad: str


class RoundBegan(Event, frozen=True, tag="round_began"):
    round: int


class RoundEnded(Event, frozen=True, tag="round_ended"):
    quiet: bool


class StayedDown(Event, frozen=True, tag="stayed_down"):
    squad: str


class Suppressed(Event, frozen=True, tag="suppressed"):
    """`pins` are those the target carries from now on, `fallen` its soldiers who fell."""

    squad: str
    target: str
    pins: int
    fallen: int


class Advanced(Event, frozen=True, tag="advanced"):
    squad: str
    to: Ground


class Rallied(Event, frozen=True, tag="rallied"):
    squad: str
    pins: int


class Fell(Event, frozen=True, tag="fell"):
    squad: str
    soldiers: int


AnyEvent: TypeAlias = (
    Mustered
    | Amended
    | Dismissed
    | RoundBegan
    | RoundEnded
    | StayedDown
    | Suppressed
    | Advanced
    | Rallied
    | Fell
    | Imported
    | Scored
    | BattleEnded
    | Noted
    | MissionSet
)

happen: Callable[[Event], Rule[Battle]] = resolution.happen
"""Tells what happened, in a rule; comes back with the battle after it."""


def _with(battle: Battle, *squads: Squad) -> Battle:
    return replace(battle, squads={**battle.squads, **{squad.id: squad for squad in squads}})


def mustered(battle: Battle, event: Mustered) -> Battle:
    return _with(battle, Squad(event.squad, event.squad.soldiers, event.squad.ground))


def amended(battle: Battle, event: Amended) -> Battle:
    squad = battle.squads[event.squad.id]
    return _with(battle, replace(squad, profile=event.squad, soldiers=event.soldiers))


def dismissed(battle: Battle, event: Dismissed) -> Battle:
    return replace(battle, squads={name: squad for name, squad in battle.squads.items() if name != event.squad})


def round_began(battle: Battle, event: RoundBegan) -> Battle:
    fresh = (replace(squad, acted=False, down=False) for squad in battle.squads.values())
    return replace(_with(battle, *fresh), round=event.round, running=True)


def round_ended(battle: Battle, event: RoundEnded) -> Battle:
    """Where it is quiet each squad loses a pin (FF-9)."""
    eased = (replace(squad, pins=max(0, squad.pins - event.quiet)) for squad in battle.squads.values())
    return replace(_with(battle, *eased), running=False)


def stayed_down(battle: Battle, event: StayedDown) -> Battle:
    return _with(battle, replace(battle.squads[event.squad], acted=True, down=True))


def suppressed(battle: Battle, event: Suppressed) -> Battle:
    squad, target = battle.squads[event.squad], battle.squads[event.target]
    struck = replace(target, pins=event.pins, soldiers=target.soldiers - event.fallen)
    return _with(battle, replace(squad, acted=True), struck)


def advanced(battle: Battle, event: Advanced) -> Battle:
    return _with(battle, replace(battle.squads[event.squad], acted=True, ground=event.to))


def rallied(battle: Battle, event: Rallied) -> Battle:
    return _with(battle, replace(battle.squads[event.squad], acted=True, pins=event.pins))


def fell(battle: Battle, event: Fell) -> Battle:
    squad = battle.squads[event.squad]
    return _with(battle, replace(squad, soldiers=squad.soldiers - event.soldiers))


FOLDS: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    Mustered: mustered,
    Amended: amended,
    Dismissed: dismissed,
    RoundBegan: round_began,
    RoundEnded: round_ended,
    StayedDown: stayed_down,
    Suppressed: suppressed,
    Advanced: advanced,
    Rallied: rallied,
    Fell: fell,
    **scorekeeping.FOLDS,
}


def evolve(battle: Battle, event: Event) -> Battle:
    """The battle after an event; `battle` stays what it is."""
    return FOLDS[type(event)](battle, event)


def fold(battle: Battle, happened: Iterable[Event]) -> Battle:
    """The battle after events, one after the other."""
    for event in happened:
        battle = evolve(battle, event)
    return battle
