"""Orders, events and rolls of Suppression Fire in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import score_views
from engine.importing import import_title
from engine.resolution import Event
from engine.rolls import Rolled, Throw
from engine.suppression_fire import events, orders
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.suppressing import Shot, profile
from engine.wording import counted, listed

DEEDS = {
    "move": ("move", "moved"),
    "run": ("run", "ran"),
    "shoot": ("fire", "fired"),
    "assault": ("assault", "assaulted"),
    "embark": ("get into", "got into"),
    "disembark": ("get out", "got out"),
    "fire_from_vehicle": ("fire from the vehicle", "fired from the vehicle"),
    "other": ("other action", "acted"),
}
"""Each action as an order and as a deed: names of units may be one or many, so no verb agrees with them."""

MARKS = {
    "pinned": "pinned",
    "gone_to_ground": "gone to ground",
    "falling_back": "falling back",
    "in_combat": "in combat",
    "shaken": "shaken",
    "stunned": "stunned",
    "destroyed": "destroyed",
}

PURPOSES = {
    "shots": "shots",
    "shrapnel": "shrapnel",
    "leadership": "leadership test",
    "hit": "hits",
    "wound": "wounds",
    "save": "saves",
    "feel no pain": "feel no pain",
}


def name_of(battle: Battle, unit: str) -> str:
    """A unit's name, its id where it is not listed."""
    return battle.units[unit].name if unit in battle.units else unit


def named(battle: Battle, units: Any) -> str:
    """Several units by name: A, B and C."""
    return listed([name_of(battle, unit) for unit in units])


def order_title(battle: Battle, order: Any) -> str:
    """A few words that name an order, with the battle as it was before it."""
    return _TITLES[type(order)](battle, order)


_TITLES: dict[type[Any], Callable[[Battle, Any], str]] = {
    orders.Muster: lambda b, o: f"{o.unit.side}: muster {o.unit.name or o.unit.id}",
    orders.Amend: lambda b, o: f"{name_of(b, o.unit.id)}: new profile",
    orders.Dismiss: lambda b, o: f"{name_of(b, o.unit)}: dismissed",
    orders.BeginTurn: lambda b, o: f"{o.side}: turn begins",
    orders.Phase: lambda b, o: f"{b.side or 'nobody'}: {o.to} phase",
    orders.EndTurn: lambda b, o: f"{b.side or 'nobody'}: turn ends",
    orders.Declare: lambda b, o: f"{named(b, [by.unit for by in o.by])}: suppress {name_of(b, o.target)}",
    orders.Test: lambda b, o: f"{name_of(b, o.target)}: test",
    orders.RerollTest: lambda b, o: f"{name_of(b, o.target)}: test once more",
    orders.Act: lambda b, o: _act_title(b, o),
    orders.Casualties: lambda b, o: f"{name_of(b, o.unit)}: {o.models} {o.group} fall",
    orders.LineOfSight: lambda b, o: (
        f"{name_of(b, o.suppressor)}: line of sight to {name_of(b, o.target)} {'clear' if o.clear else 'lost'}"
    ),
    orders.Status: lambda b, o: f"{name_of(b, o.unit)}: {'' if o.on else 'no longer '}{MARKS[o.status]}",
    orders.Wounds: lambda b, o: f"{name_of(b, o.unit)}: {counted(o.wounds, 'wound')} on {o.group}",
    orders.Restore: lambda b, o: f"{name_of(b, o.unit)}: {o.group} restored",
    orders.Import: import_title,
    **score_views.TITLES,
}


def _act_title(battle: Battle, order: orders.Act) -> str:
    into = f" {name_of(battle, order.into)}" if order.action == "embark" and order.into else ""
    return f"{name_of(battle, order.unit)}: {DEEDS[order.action][0]}{into}"


def tell_event(battle: Battle, event: Event) -> str:
    """One sentence about what happened, with the battle after it; empty where the order's title says it all."""
    return _TOLD[type(event)](battle, event)


def _declared(battle: Battle, event: events.Declared) -> str:
    lines = ", ".join(f"{line.models} {line.gun.name} ({line.models * line.shots})" for line in event.firing)
    shots = counted(sum(line.models * line.shots for line in event.firing), "shot")
    return f"{name_of(battle, event.unit)}: {shots} at {event.range} inches: {lines}."


RESULTS = {
    ("passed", True): "test passed, may brave the fire",
    ("passed", False): "test passed",
    ("failed", True): "test failed, pinned",
    ("failed", False): "test failed, stays inside",
    ("not_needed", True): "no test needed",
    ("not_needed", False): "no test needed",
}
"""How a test ended, by result and by whether the unit is on foot."""


def _tested(battle: Battle, event: events.Tested) -> str:
    return f"{name_of(battle, event.unit)}: {RESULTS[event.result, event.unit == event.target]}."


def _rerolled(battle: Battle, event: events.TestRerolled) -> str:
    result = RESULTS[event.result, event.unit == event.target]
    return f"{name_of(battle, event.unit)}: {result} on the second roll ({event.reason})."


def _struck(battle: Battle, event: events.Struck) -> str:
    shot = profile(Shot(event.gun_type, event.strength, event.ap))
    return f"{name_of(battle, event.unit)}: caught in the fire, {event.gun_type} {shot} (SF-21)."


def _fell(battle: Battle, event: events.ModelsFell) -> str:
    left = ", ".join(
        f"{group.models} {group.name} left" + (f", one of them {group.wounds_lost} down" if group.wounds_lost else "")
        for group in event.left
    )
    unit = battle.units[event.unit]
    in_all = f", {counted(unit.models, 'model')} in all" if len(unit.groups) > 1 and not unit.is_vehicle else ""
    return f"{unit.name}: {left}{in_all}."


def _went_out(battle: Battle, event: events.WentOut) -> str:
    unit = battle.units[event.unit]
    on_foot = f" On foot now: {named(battle, event.passengers)}." if event.passengers else ""
    return f"{unit.name}: {'destroyed' if unit.is_vehicle else 'out of play'} (SF-28).{on_foot}"


def _turn_ended(battle: Battle, event: events.TurnEnded) -> str:
    freed = f"No longer pinned: {named(battle, event.freed)}." if event.freed else ""
    ended = f"No longer suppressed: {named(battle, event.ended)}." if event.ended else ""
    return " ".join(part for part in (freed, ended) if part)


def _acted(battle: Battle, event: events.Acted) -> str:
    into = f" {name_of(battle, event.into)}" if event.into else ""
    return f"{name_of(battle, event.unit)}: {DEEDS[event.action][1]}{into}."


def _lapsed(battle: Battle, event: events.Lapsed) -> str:
    return f"{name_of(battle, event.suppressor)}: fire on {name_of(battle, event.target)} lapsed, {event.why} (SF-32)."


def _resumed(battle: Battle, event: events.Resumed) -> str:
    return f"{name_of(battle, event.suppressor)}: fire on {name_of(battle, event.target)} counts again (SF-32)."


def _untold(battle: Battle, event: Event) -> str:
    return ""


_TOLD: dict[type[Event], Callable[[Battle, Any], str]] = {
    events.Mustered: _untold,
    events.Amended: _untold,
    events.Dismissed: _untold,
    events.TurnBegan: lambda b, e: f"Turn {e.turn}, {e.side}, movement.",
    events.PhaseBegan: _untold,
    events.TurnEnded: _turn_ended,
    events.Declared: _declared,
    events.Tested: _tested,
    events.TestRerolled: _rerolled,
    events.Struck: _struck,
    events.ModelsFell: _fell,
    events.Restored: lambda b, e: f"{name_of(b, e.unit)}: {e.left.models} {e.left.name} stand.",
    events.WentOut: _went_out,
    events.Acted: _acted,
    events.SightChanged: _untold,
    events.Marked: _untold,
    events.Lapsed: _lapsed,
    events.Resumed: _resumed,
    **score_views.TOLD,
}


def tell_roll(battle: Battle, roll: Rolled | Throw) -> str:
    """What a roll is for: the unit, the model group and the purpose."""
    group = f" ({roll.group})" if roll.group else ""
    return f"{name_of(battle, roll.subject)}{group}, {PURPOSES.get(roll.purpose, roll.purpose)}"


def state_line(battle: Battle) -> str:
    """Turn, side, phase, and the score once there is one."""
    score = "  ".join(f"{side} {points}" for side, points in battle.score.items())
    points = f"  |  {score}" if any(battle.score.values()) else ""
    if battle.ended:
        return f"Over: {battle.ended.winner or 'nobody'} won after turn {battle.turn}{points}"
    if battle.side:
        return f"Turn {battle.turn}  {battle.side}  {battle.phase}{points}"
    if not battle.turn:
        return "Before the first turn"
    coming = next(side for side in battle.sides if side != battle.went)
    return f"Turn {battle.turn}  {battle.went} is done, {coming} is next{points}"
