"""The state after an event. No rule is asked here: old battles stay what they were when rules change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from engine import scorekeeping
from engine.drafts import changed, remade
from engine.gray_dawn import events
from engine.gray_dawn.battle import Battle, Combatant, Lane, LaneFire, pair
from engine.gray_dawn.profiles import place
from engine.resolution import Event
from engine.scorekeeping import unchanged

MOST_POINTS = 9999
"""Nobody carries more: no game comes near, and the chance of the check stays a number that can be written down."""


def _with(battle: Battle, name: str, combatant: Combatant) -> Battle:
    combatants = changed(battle.combatants, name, combatant)
    return battle if combatants is battle.combatants else replace(battle, combatants=combatants)


def _changed(battle: Battle, combatant: str, **changes: Any) -> Battle:
    return _with(battle, combatant, replace(battle.combatants[combatant], **changes))


def _with_points(battle: Battle, points: Iterable[events.Laid]) -> Battle:
    for laid in points:
        before = battle.combatants[laid.combatant]
        points_now = min(MOST_POINTS, before.points + laid.points)
        battle = _with(battle, laid.combatant, replace(before, points=points_now))
    return battle


def _fired(combatant: Combatant, weapon: str, rounds: int) -> dict[str, int]:
    return {**combatant.loaded, weapon: combatant.loaded[weapon] - rounds}


def mustered(battle: Battle, event: events.Mustered) -> Battle:
    profile = event.combatant
    loaded = {weapon.name: weapon.as_loaded for weapon in profile.weapons}
    return _with(battle, profile.id, Combatant(profile, loaded, profile.stance, profile.cover, place(profile.position)))


def amended(battle: Battle, event: events.Amended) -> Battle:
    return _changed(battle, event.combatant.id, profile=event.combatant, loaded=event.loaded)


def dismissed(battle: Battle, event: events.Dismissed) -> Battle:
    combatants = battle.combatants.copy()
    del combatants[event.combatant]
    return replace(battle, combatants=remade(battle.combatants, combatants))


def _at_rest(combatant: Combatant) -> Combatant:
    if not (combatant.checked or combatant.acted or combatant.covering or combatant.lightning):
        return combatant
    return replace(combatant, checked=False, acted=False, covering=False, lightning=False)


def round_began(battle: Battle, event: events.RoundBegan) -> Battle:
    combatants = {
        name: replace(_at_rest(combatant), initiative=None, lightning=name in event.lightning)
        for name, combatant in battle.combatants.items()
    }
    combatants = remade(battle.combatants, combatants)
    return replace(battle, combatants=combatants, lanes={}, round=event.round, running=True)


def initiative_rolled(battle: Battle, event: events.InitiativeRolled) -> Battle:
    return _changed(battle, event.combatant, initiative=event.initiative)


def round_ended(battle: Battle, event: events.RoundEnded) -> Battle:
    combatants = {name: _at_rest(combatant) for name, combatant in battle.combatants.items()}
    if event.points_lapsed:
        combatants = {name: replace(combatant, points=0) for name, combatant in combatants.items()}
    combatants = remade(battle.combatants, combatants)
    return replace(battle, combatants=combatants, lanes={}, running=False)


def covering_fire_laid(battle: Battle, event: events.CoveringFireLaid) -> Battle:
    shooter = battle.combatants[event.shooter]
    loaded = _fired(shooter, event.weapon, event.rounds)
    battle = _changed(battle, event.shooter, covering=True, loaded=loaded)
    for ends, told in ((pair(event.shooter, aimed.target), aimed.range) for aimed in event.targets):
        battle = replace(battle, ranges=changed(battle.ranges, ends, told))
    return _with_points(battle, event.points)


def lane_laid(battle: Battle, event: events.LaneLaid) -> Battle:
    shooter = battle.combatants[event.shooter]
    loaded = _fired(shooter, event.weapon.name, event.rounds)
    battle = _changed(battle, event.shooter, covering=True, loaded=loaded)
    lane = battle.lanes.get(event.lane) or Lane(event.lane, event.kind)
    laid = sum(len(other.fires) for other in battle.lanes.values())
    fire = LaneFire(event.shooter, event.weapon, event.width, event.rounds, laid)
    lane = replace(
        lane,
        fires=(*lane.fires, fire),
        inside=tuple(sorted({*lane.inside, *event.inside})),
        near=tuple(sorted({*lane.near, *event.near})),
    )
    return _with_points(replace(battle, lanes={**battle.lanes, event.lane: lane}), event.points)


def struck(battle: Battle, event: events.Struck) -> Battle:
    return _changed(battle, event.combatant, hits=battle.combatants[event.combatant].hits + event.rounds)


def wounded(battle: Battle, event: events.Wounded | events.WoundsEntered) -> Battle:
    return _changed(battle, event.combatant, wounds=battle.combatants[event.combatant].wounds + event.wounds)


def taken_out(battle: Battle, event: events.TakenOut) -> Battle:
    return _changed(battle, event.combatant, out=True)


def checked(battle: Battle, event: events.Checked) -> Battle:
    """A check that was made uses up the points; one that was not needed leaves none either."""
    combatant = battle.combatants[event.combatant]
    return _changed(
        battle,
        event.combatant,
        points=0,
        suppressed=event.result == "failed",
        checked=combatant.checked or event.result != "not_needed",
        stance=event.stance or combatant.stance,
    )


def acted(battle: Battle, event: events.Acted) -> Battle:
    battle = _changed(battle, event.combatant, acted=True)
    if not event.left:
        return battle
    lanes = {
        name: replace(lane, inside=tuple(other for other in lane.inside if other != event.combatant))
        if name in event.left
        else lane
        for name, lane in battle.lanes.items()
    }
    return replace(battle, lanes=lanes)


def rounds_fired(battle: Battle, event: events.RoundsFired) -> Battle:
    loaded = _fired(battle.combatants[event.combatant], event.weapon, event.rounds)
    return _changed(battle, event.combatant, loaded=loaded)


def reloaded(battle: Battle, event: events.Reloaded) -> Battle:
    loaded = {**battle.combatants[event.combatant].loaded, event.weapon: event.loaded}
    return _changed(battle, event.combatant, loaded=loaded)


def points_laid(battle: Battle, event: events.PointsLaid) -> Battle:
    return _with_points(battle, (events.Laid(event.combatant, event.points),))


def stance_taken(battle: Battle, event: events.StanceTaken) -> Battle:
    return _changed(battle, event.combatant, stance=event.stance)


def cover_taken(battle: Battle, event: events.CoverTaken) -> Battle:
    return _changed(battle, event.combatant, cover=event.level)


def position_taken(battle: Battle, event: events.PositionTaken) -> Battle:
    return _changed(battle, event.combatant, position=event.at)


def set_right(battle: Battle, event: events.SetRight) -> Battle:
    told = {name: getattr(event, name) for name in ("initiative", "points", "wounds", "out")}
    changes = {name: value for name, value in told.items() if value is not None}
    loaded = {**battle.combatants[event.combatant].loaded, **(event.loaded or {})}
    return _changed(battle, event.combatant, loaded=loaded, **changes)


EVOLVE: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    events.Mustered: mustered,
    events.Amended: amended,
    events.Dismissed: dismissed,
    events.RoundBegan: round_began,
    events.InitiativeRolled: initiative_rolled,
    events.RoundEnded: round_ended,
    events.CoveringFireLaid: covering_fire_laid,
    events.LaneLaid: lane_laid,
    events.Missed: unchanged,
    events.Struck: struck,
    events.Wounded: wounded,
    events.WoundsEntered: wounded,
    events.TakenOut: taken_out,
    events.Checked: checked,
    events.Stopped: unchanged,
    events.Acted: acted,
    events.RoundsFired: rounds_fired,
    events.Reloaded: reloaded,
    events.PointsLaid: points_laid,
    events.StanceTaken: stance_taken,
    events.CoverTaken: cover_taken,
    events.PositionTaken: position_taken,
    events.SetRight: set_right,
    events.Spotted: unchanged,
    **scorekeeping.EVOLVE,
}


def evolve(battle: Battle, event: Event) -> Battle:
    """The battle after an event of this rule set."""
    return EVOLVE[type(event)](battle, event)
