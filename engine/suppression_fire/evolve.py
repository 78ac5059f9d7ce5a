"""The state after an event. No rule is asked here: old battles stay what they were when rules change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from engine import scorekeeping
from engine.folding import Fold, own_copy, put
from engine.resolution import Event
from engine.scorekeeping import unchanged
from engine.suppression_fire import events
from engine.suppression_fire.battle import Battle, Fire, Group, Suppression, Unit, pair


def _with_fire(battle: Battle, unit: str, change: Callable[[Fire, Any], Fire], by_what: Any) -> None:
    target = battle.fires_at.get(unit)
    if target is not None:
        suppression = battle.suppressions[target]
        by = tuple([change(fire, by_what) if fire.unit == unit else fire for fire in suppression.by])
        battle.suppressions[target] = replace(suppression, by=by)


def _end_suppression(battle: Battle, target: str) -> None:
    for fire in battle.suppressions.pop(target).by:
        battle.fires_at.pop(fire.unit, None)


def mustered(battle: Battle, event: events.Mustered) -> Battle:
    profile = event.unit
    groups = tuple(Group(group, group.models) for group in profile.groups)
    battle.units[profile.id] = Unit(profile, groups, embarked_in=profile.embarked_in)
    return battle


def _firing(fire: Fire, firing: tuple[events.Contribution, ...]) -> Fire:
    return replace(fire, firing=firing)


def amended(battle: Battle, event: events.Amended) -> Battle:
    unit = event.unit.id
    groups = tuple(Group(g, g.models, hurt) for g, hurt in zip(event.unit.groups, event.hurt, strict=True))
    battle.units[unit] = replace(battle.units[unit], profile=event.unit, groups=groups)
    _with_fire(battle, unit, _firing, event.firing)
    return battle


def dismissed(battle: Battle, event: events.Dismissed) -> Battle:
    del battle.units[event.unit]
    return battle


def turn_began(battle: Battle, event: events.TurnBegan) -> Battle:
    units, side = battle.units, event.side
    for unit in [u for u in units.values() if u.moved or u.ran or u.shot or u.declared]:
        if unit.profile.side == side:
            units[unit.profile.id] = replace(unit, moved=False, ran=False, shot=False, declared=False)
    put(battle, "turn", event.turn)
    put(battle, "side", side)
    put(battle, "phase", "movement")
    if not battle.opened:
        put(battle, "opened", side)
    return battle


def phase_began(battle: Battle, event: events.PhaseBegan) -> Battle:
    put(battle, "phase", event.phase)
    return battle


def turn_ended(battle: Battle, event: events.TurnEnded) -> Battle:
    units = battle.units
    for freed in event.freed:
        units[freed] = replace(units[freed], pinned=False)
    for unit in [u for u in units.values() if u.stayed_in or u.struck]:
        if unit.side == event.side:
            units[unit.id] = replace(unit, stayed_in=False, struck=False)
    for target in event.ended:
        _end_suppression(battle, target)
    put(battle, "side", None)
    put(battle, "phase", None)
    put(battle, "went", event.side)
    return battle


def declared(battle: Battle, event: events.Declared) -> Battle:
    unit, target = event.unit, event.target
    battle.units[unit] = replace(battle.units[unit], declared=True)
    fire = Fire(unit, event.range, event.firing)
    before = battle.suppressions.get(target)
    by = (*before.by, fire) if before else (fire,)
    battle.suppressions[target] = replace(before, by=by) if before else Suppression(battle.units[target].id, by)
    battle.fires_at[unit] = target
    battle.ranges[pair(unit, target)] = event.range
    return battle


def _with_test(battle: Battle, unit_id: str, target: str, result: str) -> None:
    suppression, unit = battle.suppressions[target], battle.units[unit_id]
    failed = result == "failed"
    if unit_id == target:
        suppression = replace(suppression, test=result)
        unit = unit if result == "not_needed" else replace(unit, pinned=failed)
    else:
        suppression = replace(suppression, passengers={**suppression.passengers, unit_id: result})
        unit = replace(unit, stayed_in=failed)
    battle.units[unit_id], battle.suppressions[target] = unit, suppression


def tested(battle: Battle, event: events.Tested) -> Battle:
    _with_test(battle, event.unit, event.target, event.result)
    put(battle, "just_tested", event if event.rolled else None)
    return battle


def test_rerolled(battle: Battle, event: events.TestRerolled) -> Battle:
    _with_test(battle, event.unit, event.target, event.result)
    return battle


def struck(battle: Battle, event: events.Struck) -> Battle:
    """The suppression is spent, and its fire has hit the unit for this turn (SF-21, SF-34)."""
    battle.suppressions[event.target] = replace(battle.suppressions[event.target], spent=True)
    battle.units[event.unit] = replace(battle.units[event.unit], struck=True)
    return battle


def _with_left(battle: Battle, unit_id: str, lefts: tuple[events.GroupLeft, ...]) -> None:
    unit = battle.units[unit_id]
    groups = list(unit.groups)
    for left in lefts:
        for at, group in enumerate(groups):
            if group.profile.name == left.name:
                fallen = group.fallen + group.models - left.models
                groups[at] = Group(group.profile, left.models, left.wounds_lost, fallen if fallen > 0 else 0)
    battle.units[unit_id] = replace(unit, groups=tuple(groups))


def models_fell(battle: Battle, event: events.ModelsFell) -> Battle:
    _with_left(battle, event.unit, event.left)
    if event.firing:
        _with_fire(battle, event.unit, _still_firing, event.firing)
    return battle


def _still_firing(fire: Fire, models: tuple[int, ...]) -> Fire:
    lines = zip(fire.firing, models, strict=True)
    return replace(fire, firing=tuple([line if line.models == n else replace(line, models=n) for line, n in lines]))


def restored(battle: Battle, event: events.Restored) -> Battle:
    _with_left(battle, event.unit, (event.left,))
    return battle


def _silent(fire: Fire, _: None) -> Fire:
    return replace(fire, firing=tuple(replace(line, models=0) for line in fire.firing))


def went_out(battle: Battle, event: events.WentOut) -> Battle:
    units, unit = battle.units, battle.units[event.unit]
    groups = unit.groups
    if not unit.is_vehicle:
        groups = tuple(replace(g, models=0, wounds_lost=0, fallen=g.fallen + g.models) for g in groups)
    units[unit.id] = replace(unit, groups=groups, out=True, embarked_in=None, pinned=False, stayed_in=False)
    for passenger in event.passengers:
        units[passenger] = replace(units[passenger], embarked_in=None)
    if unit.id in battle.suppressions:
        _end_suppression(battle, unit.id)
    _with_fire(battle, unit.id, _silent, None)
    return battle


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


def _stopped(fire: Fire, why: str) -> Fire:
    return fire if fire.stopped else replace(fire, stopped=why)


def acted(battle: Battle, event: events.Acted) -> Battle:
    """What a unit has done this turn; most actions end its own suppressing for good (SF-32)."""
    name, action = event.unit, event.action
    unit = battle.units[name]
    if action == "run":
        unit = replace(unit, ran=True)
    elif action in ("shoot", "fire_from_vehicle"):
        unit = replace(unit, shot=True)
    elif action == "move":
        unit = replace(unit, moved=True)
    elif action in ("embark", "disembark"):
        unit = replace(unit, moved=True, embarked_in=event.into if action == "embark" else None)
    battle.units[name] = unit
    if action in STOPPING:
        _with_fire(battle, name, _stopped, STOPPING[action])
    return battle


def _seeing(fire: Fire, clear: bool) -> Fire:
    return replace(fire, sight=clear)


def sight_changed(battle: Battle, event: events.SightChanged) -> Battle:
    _with_fire(battle, event.suppressor, _seeing, event.clear)
    return battle


def marked(battle: Battle, event: events.Marked) -> Battle:
    unit = battle.units[event.unit]
    if event.status == "pinned":
        unit = replace(unit, pinned=event.on)
    else:
        marks = {*unit.marks, event.status} if event.on else {*unit.marks} - {event.status}
        unit = replace(unit, marks=tuple(sorted(marks)))
    battle.units[event.unit] = unit
    return battle


FOLDS: dict[type[Event], Fold[Battle]] = {
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
    **scorekeeping.FOLDS,
}

KEEP_THE_MOMENT = {events.Tested, scorekeeping.Noted, scorekeeping.MissionSet, events.Lapsed, events.Resumed}
"""What may stand between a test and its reroll (SF-16); everything else ends that moment."""


def fold(battle: Battle, happened: Iterable[Event]) -> Battle:
    """The battle after events of this rule set, made of one that nobody else has seen."""
    for event in happened:
        kind = type(event)
        if battle.just_tested is not None and kind not in KEEP_THE_MOMENT:
            put(battle, "just_tested", None)
        battle = FOLDS[kind](battle, event)
    return battle


def evolve(battle: Battle, event: Event) -> Battle:
    """The battle after an event of this rule set; `battle` stays what it is."""
    return fold(own_copy(battle), (event,))
