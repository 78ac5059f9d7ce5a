"""The state after an event. No rule is asked here: old battles stay what they were when rules change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine import scorekeeping
from engine.drafts import changed, remade
from engine.resolution import Event
from engine.scorekeeping import unchanged
from engine.suppression_fire import events
from engine.suppression_fire.battle import Battle, Fire, Group, Suppression, Trial, Unit, pair


def _with_unit(battle: Battle, unit: Unit) -> Battle:
    units = changed(battle.units, unit.profile.id, unit)
    return battle if units is battle.units else replace(battle, units=units)


def _with_suppression(battle: Battle, suppression: Suppression) -> Battle:
    suppressions = changed(battle.suppressions, suppression.target, suppression)
    return battle if suppressions is battle.suppressions else replace(battle, suppressions=suppressions)


def _with_fire(battle: Battle, unit: str, change: Callable[[Fire], Fire]) -> Battle:
    suppression = battle.suppressing(unit)
    if suppression is None:
        return battle
    by = tuple(change(fire) if fire.unit == unit else fire for fire in suppression.by)
    return _with_suppression(battle, replace(suppression, by=by))


def mustered(battle: Battle, event: events.Mustered) -> Battle:
    profile = event.unit
    groups = tuple(Group(group, group.models) for group in profile.groups)
    return _with_unit(battle, Unit(profile, groups, embarked_in=profile.embarked_in))


def amended(battle: Battle, event: events.Amended) -> Battle:
    groups = tuple(Group(g, g.models, hurt) for g, hurt in zip(event.unit.groups, event.hurt, strict=True))
    unit = replace(battle.units[event.unit.id], profile=event.unit, groups=groups)
    return _with_fire(_with_unit(battle, unit), unit.id, lambda fire: replace(fire, firing=event.firing))


def dismissed(battle: Battle, event: events.Dismissed) -> Battle:
    units = battle.units.copy()
    del units[event.unit]
    return replace(battle, units=remade(battle.units, units))


def _fresh(unit: Unit) -> Unit:
    """A unit that has done nothing in its side's turn yet."""
    if not (unit.moved or unit.ran or unit.shot or unit.declared):
        return unit
    return replace(unit, moved=False, ran=False, shot=False, declared=False)


def turn_began(battle: Battle, event: events.TurnBegan) -> Battle:
    units = {
        unit_id: _fresh(unit) if unit.profile.side == event.side else unit for unit_id, unit in battle.units.items()
    }
    units, opened = remade(battle.units, units), battle.opened or event.side
    return replace(battle, units=units, turn=event.turn, side=event.side, phase="movement", opened=opened)


def phase_began(battle: Battle, event: events.PhaseBegan) -> Battle:
    return replace(battle, phase=event.phase)


def turn_ended(battle: Battle, event: events.TurnEnded) -> Battle:
    units = battle.units.copy()
    for freed in event.freed:
        units[freed] = replace(units[freed], pinned=False)
    for unit_id, unit in units.items():
        if unit.stayed_in and unit.side == event.side:
            units[unit_id] = replace(unit, stayed_in=False)
    suppressions = {target: s for target, s in battle.suppressions.items() if target not in event.ended}
    units, suppressions = remade(battle.units, units), remade(battle.suppressions, suppressions)
    return replace(battle, units=units, suppressions=suppressions, side=None, phase=None, went=event.side)


def declared(battle: Battle, event: events.Declared) -> Battle:
    battle = _with_unit(battle, replace(battle.units[event.unit], declared=True))
    suppression = battle.suppressions.get(event.target) or Suppression(battle.units[event.target].id)
    fire = Fire(event.unit, event.range, event.firing)
    battle = replace(battle, ranges=changed(battle.ranges, pair(event.unit, event.target), event.range))
    return _with_suppression(battle, replace(suppression, by=(*suppression.by, fire)))


def _with_test(battle: Battle, unit_id: str, target: str, result: str) -> Battle:
    suppression, unit = battle.suppressions[target], battle.units[unit_id]
    failed = result == "failed"
    if unit_id == target:
        suppression = replace(suppression, test=result)
        unit = unit if result == "not_needed" else replace(unit, pinned=failed)
    else:
        passengers = suppression.passengers.copy()
        passengers[unit_id] = replace(passengers.get(unit_id, Trial()), test=result)
        suppression = replace(suppression, passengers=passengers)
        unit = replace(unit, stayed_in=failed)
    return _with_suppression(_with_unit(battle, unit), suppression)


def tested(battle: Battle, event: events.Tested) -> Battle:
    after = _with_test(battle, event.unit, event.target, event.result)
    return replace(after, just_tested=event if event.rolled else None)


def test_rerolled(battle: Battle, event: events.TestRerolled) -> Battle:
    return _with_test(battle, event.unit, event.target, event.result)


def struck(battle: Battle, event: events.Struck) -> Battle:
    suppression = replace(battle.suppressions[event.target], spent=True)
    if event.unit != event.target:
        passengers = suppression.passengers.copy()
        passengers[event.unit] = replace(passengers.get(event.unit, Trial()), struck=True)
        suppression = replace(suppression, passengers=passengers)
    return _with_suppression(battle, suppression)


def _left(group: Group, left: events.GroupLeft) -> Group:
    fallen = max(0, group.fallen + group.models - left.models)
    return replace(group, models=left.models, wounds_lost=left.wounds_lost, fallen=fallen)


def models_fell(battle: Battle, event: events.ModelsFell) -> Battle:
    unit, left = battle.units[event.unit], {group.name: group for group in event.left}
    groups = tuple(_left(g, left[g.name]) if g.name in left else g for g in unit.groups)
    battle = _with_unit(battle, replace(unit, groups=groups))
    return _with_fire(battle, unit.id, lambda fire: _still_firing(fire, event.firing)) if event.firing else battle


def _still_firing(fire: Fire, models: tuple[int, ...]) -> Fire:
    lines = zip(fire.firing, models, strict=True)
    return replace(fire, firing=tuple(replace(line, models=left) for line, left in lines))


def restored(battle: Battle, event: events.Restored) -> Battle:
    unit = battle.units[event.unit]
    groups = tuple(_left(g, event.left) if g.name == event.left.name else g for g in unit.groups)
    return _with_unit(battle, replace(unit, groups=groups))


def _silent(fire: Fire) -> Fire:
    return replace(fire, firing=tuple(replace(line, models=0) for line in fire.firing))


def went_out(battle: Battle, event: events.WentOut) -> Battle:
    unit = battle.units[event.unit]
    groups = unit.groups
    if not unit.is_vehicle:
        groups = tuple(replace(g, models=0, wounds_lost=0, fallen=g.fallen + g.models) for g in groups)
    units = battle.units.copy()
    units[unit.id] = replace(unit, groups=groups, out=True, embarked_in=None, pinned=False, stayed_in=False)
    for passenger in event.passengers:
        units[passenger] = replace(units[passenger], embarked_in=None)
    suppressions = {target: s for target, s in battle.suppressions.items() if target != unit.id}
    units, suppressions = remade(battle.units, units), remade(battle.suppressions, suppressions)
    return _with_fire(replace(battle, units=units, suppressions=suppressions), unit.id, _silent)


STOPPING = {
    "move": "moved",
    "run": "ran",
    "shoot": "fired",
    "fire_from_vehicle": "fired",
    "assault": "assaulted",
    "embark": "embarked",
    "disembark": "disembarked",
}
"""The actions that end a unit's own suppressing for good, as the lapse tells them (SF-32)."""


def acted(battle: Battle, event: events.Acted) -> Battle:
    unit, action = battle.units[event.unit], event.action
    unit = replace(
        unit,
        moved=unit.moved or action in ("move", "embark", "disembark"),
        ran=unit.ran or action == "run",
        shot=unit.shot or action in ("shoot", "fire_from_vehicle"),
        embarked_in={"embark": event.into, "disembark": None}.get(action, unit.embarked_in),
    )
    battle = _with_unit(battle, unit)
    if action not in STOPPING:
        return battle
    return _with_fire(battle, unit.id, lambda fire: replace(fire, stopped=fire.stopped or STOPPING[action]))


def sight_changed(battle: Battle, event: events.SightChanged) -> Battle:
    return _with_fire(battle, event.suppressor, lambda fire: replace(fire, sight=event.clear))


def marked(battle: Battle, event: events.Marked) -> Battle:
    unit = battle.units[event.unit]
    if event.status == "pinned":
        return _with_unit(battle, replace(unit, pinned=event.on))
    marks = {*unit.marks, event.status} if event.on else {*unit.marks} - {event.status}
    return _with_unit(battle, replace(unit, marks=tuple(sorted(marks))))


EVOLVE: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    events.Mustered: mustered,
    events.Amended: amended,
    events.Dismissed: dismissed,
    events.TurnBegan: turn_began,
    events.PhaseBegan: phase_began,
    events.TurnEnded: turn_ended,
    events.Declared: declared,
    events.Tested: tested,
    events.TestRerolled: test_rerolled,
    events.Struck: struck,
    events.ModelsFell: models_fell,
    events.Restored: restored,
    events.WentOut: went_out,
    events.Acted: acted,
    events.SightChanged: sight_changed,
    events.Marked: marked,
    events.Lapsed: unchanged,
    events.Resumed: unchanged,
    **scorekeeping.EVOLVE,
}

KEEP_THE_MOMENT = (events.Tested, scorekeeping.Noted, scorekeeping.MissionSet, events.Lapsed, events.Resumed)
"""What may stand between a test and its reroll (SF-16); everything else ends that moment."""


def evolve(battle: Battle, event: Event) -> Battle:
    """The battle after an event of this rule set."""
    after = EVOLVE[type(event)](battle, event)
    if after.just_tested is not None and not isinstance(event, KEEP_THE_MOMENT):
        after = replace(after, just_tested=None)
    return after
