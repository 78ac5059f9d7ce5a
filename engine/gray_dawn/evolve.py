"""The state after an event. No rule is asked here: old battles stay what they were when rules change."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engine import scorekeeping
from engine.folding import Fold, own_copy, put
from engine.gray_dawn import events
from engine.gray_dawn.battle import Battle, Combatant, Lane, LaneFire, pair
from engine.gray_dawn.profiles import place
from engine.resolution import Event
from engine.scorekeeping import unchanged

MOST_POINTS = 9999
"""Nobody carries more: no game comes near, and the chance of the check stays a number that can be written down."""


def _lay_points(battle: Battle, points: Iterable[events.Laid]) -> None:
    combatants = battle.combatants
    for laid in points:
        before = combatants[laid.combatant]
        combatants[laid.combatant] = replace(before, points=min(MOST_POINTS, before.points + laid.points))


def _fired(combatant: Combatant, weapon: str, rounds: int) -> dict[str, int]:
    return {**combatant.loaded, weapon: combatant.loaded[weapon] - rounds}


def mustered(battle: Battle, event: events.Mustered) -> Battle:
    profile = event.combatant
    loaded = {weapon.name: weapon.as_loaded for weapon in profile.weapons}
    there = place(profile.position)
    battle.combatants[profile.id] = Combatant(profile, loaded, profile.stance, profile.cover, there)
    return battle


def amended(battle: Battle, event: events.Amended) -> Battle:
    combatants, profile = battle.combatants, event.combatant
    combatants[profile.id] = replace(combatants[profile.id], profile=profile, loaded=event.loaded)
    return battle


def dismissed(battle: Battle, event: events.Dismissed) -> Battle:
    del battle.combatants[event.combatant]
    return battle


def round_began(battle: Battle, event: events.RoundBegan) -> Battle:
    for name, combatant in battle.combatants.items():
        battle.combatants[name] = replace(
            combatant,
            checked=False,
            acted=False,
            covering=False,
            initiative=None,
            lightning=name in event.lightning,
        )
    battle.lanes.clear()
    put(battle, "round", event.round)
    put(battle, "running", True)
    return battle


def initiative_rolled(battle: Battle, event: events.InitiativeRolled) -> Battle:
    combatants, name = battle.combatants, event.combatant
    combatants[name] = replace(combatants[name], initiative=event.initiative)
    return battle


def round_ended(battle: Battle, event: events.RoundEnded) -> Battle:
    for name, combatant in battle.combatants.items():
        points = 0 if event.points_lapsed else combatant.points
        if combatant.checked or combatant.acted or combatant.covering or combatant.lightning or combatant.points:
            battle.combatants[name] = replace(
                combatant, checked=False, acted=False, covering=False, lightning=False, points=points
            )
    battle.lanes.clear()
    put(battle, "running", False)
    return battle


def covering_fire_laid(battle: Battle, event: events.CoveringFireLaid) -> Battle:
    shooter = battle.combatants[event.shooter]
    battle.combatants[event.shooter] = replace(
        shooter, covering=True, loaded=_fired(shooter, event.weapon, event.rounds)
    )
    for aimed in event.targets:
        battle.ranges[pair(event.shooter, aimed.target)] = aimed.range
    _lay_points(battle, event.points)
    return battle


def lane_laid(battle: Battle, event: events.LaneLaid) -> Battle:
    shooter = battle.combatants[event.shooter]
    loaded = _fired(shooter, event.weapon.name, event.rounds)
    battle.combatants[event.shooter] = replace(shooter, covering=True, loaded=loaded)
    lane = battle.lanes.get(event.lane) or Lane(event.lane, event.kind)
    laid = sum([len(other.fires) for other in battle.lanes.values()])
    fire = LaneFire(event.shooter, event.weapon, event.width, event.rounds, laid)
    battle.lanes[event.lane] = replace(
        lane,
        fires=(*lane.fires, fire),
        inside=tuple(sorted({*lane.inside, *event.inside})),
        near=tuple(sorted({*lane.near, *event.near})),
    )
    _lay_points(battle, event.points)
    return battle


def struck(battle: Battle, event: events.Struck) -> Battle:
    combatants, combatant = battle.combatants, battle.combatants[event.combatant]
    combatants[event.combatant] = replace(combatant, hits=combatant.hits + event.rounds)
    return battle


def wounded(battle: Battle, event: events.Wounded | events.WoundsEntered) -> Battle:
    combatants, combatant = battle.combatants, battle.combatants[event.combatant]
    combatants[event.combatant] = replace(combatant, wounds=combatant.wounds + event.wounds)
    return battle


def taken_out(battle: Battle, event: events.TakenOut) -> Battle:
    battle.combatants[event.combatant] = replace(battle.combatants[event.combatant], out=True)
    return battle


def checked(battle: Battle, event: events.Checked) -> Battle:
    """A check that was made uses up the points; one that was not needed leaves none either."""
    combatant, result = battle.combatants[event.combatant], event.result
    battle.combatants[event.combatant] = replace(
        combatant,
        points=0,
        suppressed=result == "failed",
        checked=combatant.checked or result != "not_needed",
        stance=event.stance or combatant.stance,
    )
    return battle


def acted(battle: Battle, event: events.Acted) -> Battle:
    name = event.combatant
    battle.combatants[name] = replace(battle.combatants[name], acted=True)
    for left in event.left:
        if lane := battle.lanes.get(left):
            battle.lanes[left] = replace(lane, inside=tuple([other for other in lane.inside if other != name]))
    return battle


def rounds_fired(battle: Battle, event: events.RoundsFired) -> Battle:
    combatants, combatant = battle.combatants, battle.combatants[event.combatant]
    combatants[event.combatant] = replace(combatant, loaded=_fired(combatant, event.weapon, event.rounds))
    return battle


def reloaded(battle: Battle, event: events.Reloaded) -> Battle:
    combatants, combatant = battle.combatants, battle.combatants[event.combatant]
    combatants[event.combatant] = replace(combatant, loaded={**combatant.loaded, event.weapon: event.loaded})
    return battle


def points_laid(battle: Battle, event: events.PointsLaid) -> Battle:
    _lay_points(battle, (events.Laid(event.combatant, event.points),))
    return battle


def stance_taken(battle: Battle, event: events.StanceTaken) -> Battle:
    battle.combatants[event.combatant] = replace(battle.combatants[event.combatant], stance=event.stance)
    return battle


def cover_taken(battle: Battle, event: events.CoverTaken) -> Battle:
    battle.combatants[event.combatant] = replace(battle.combatants[event.combatant], cover=event.level)
    return battle


def position_taken(battle: Battle, event: events.PositionTaken) -> Battle:
    battle.combatants[event.combatant] = replace(battle.combatants[event.combatant], position=event.at)
    return battle


def set_right(battle: Battle, event: events.SetRight) -> Battle:
    combatants, combatant = battle.combatants, battle.combatants[event.combatant]
    told = {name: getattr(event, name) for name in ("initiative", "points", "wounds", "out")}
    changes = {name: value for name, value in told.items() if value is not None}
    combatants[event.combatant] = replace(combatant, loaded={**combatant.loaded, **(event.loaded or {})}, **changes)
    return battle


FOLDS: dict[type[Event], Fold[Battle]] = {
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
    **scorekeeping.FOLDS,
}


def fold(battle: Battle, happened: Iterable[Event]) -> Battle:
    """The battle after events of this rule set, made of one that nobody else has seen."""
    for event in happened:
        battle = FOLDS[type(event)](battle, event)
    return battle


def evolve(battle: Battle, event: Event) -> Battle:
    """The battle after an event of this rule set; `battle` stays what it is."""
    return fold(own_copy(battle), (event,))
