"""Orders, events and rolls of Gray Dawn in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine import score_views
from engine.gray_dawn import events, orders
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.hits import wound_state
from engine.gray_dawn.lanes import level_of
from engine.importing import import_title
from engine.resolution import Event
from engine.rolls import Rolled, Throw
from engine.wording import counted, listed

DEEDS = {
    "aimed_fire": ("aimed fire", "fired, aiming"),
    "melee": ("melee", "fought hand to hand"),
    "move": ("move", "moved"),
    "emerge": ("emerge from cover", "emerged from cover"),
    "cross": ("cross", "crossed"),
    "lean_out": ("lean out", "leaned out"),
    "reload": ("reload", "reloaded"),
    "other": ("other action", "acted"),
}
"""Each action as an order and as a deed."""

STANCES = {
    "open": "open",
    "active": "active",
    "full_cover": "full cover",
    "moving": "moving",
    "bracing": "bracing",
}

PURPOSES = {
    "suppression": "suppression check",
    "dodge": "getting through by Dodge/Cover",
    "athletics": "getting through by Athletics",
    "burst": "burst table",
    "location": "hit location",
}


def name_of(battle: Battle, combatant: str) -> str:
    """A combatant's name, its id where it is not listed."""
    return battle.combatants[combatant].name if combatant in battle.combatants else combatant


def named(battle: Battle, combatants: Iterable[str]) -> str:
    """Several combatants by name: A, B and C."""
    return listed([name_of(battle, combatant) for combatant in combatants])


def order_title(battle: Battle, order: Any) -> str:
    """A few words that name an order, with the battle as it was before it."""
    return _TITLES[type(order)](battle, order)


_TITLES: dict[type[Any], Callable[[Battle, Any], str]] = {
    orders.Muster: lambda b, o: f"{o.combatant.side}: muster {o.combatant.name or o.combatant.id}",
    orders.Amend: lambda b, o: f"{name_of(b, o.combatant.id)}: new profile",
    orders.Dismiss: lambda b, o: f"{name_of(b, o.combatant)}: dismissed",
    orders.BeginRound: lambda b, o: f"round {b.round + 1} begins",
    orders.EndRound: lambda b, o: f"round {b.round} ends",
    orders.CoveringFire: lambda b, o: f"{name_of(b, o.shooter)}: covering fire at {_at_whom(b, o)}",
    orders.LayLane: lambda b, o: f"{name_of(b, o.shooter)}: {o.kind} lane {o.name}",
    orders.TakeCheck: lambda b, o: f"{name_of(b, o.combatant)}: suppression check",
    orders.Act: lambda b, o: _act_title(b, o),
    orders.TakeStance: lambda b, o: f"{name_of(b, o.combatant)}: stance {STANCES[o.stance]}",
    orders.TakeCover: lambda b, o: f"{name_of(b, o.combatant)}: {_cover(o.level)}",
    orders.TakePosition: lambda b, o: f"{name_of(b, o.combatant)}: {_place(o.at)}",
    orders.SetByHand: lambda b, o: f"{name_of(b, o.combatant)}: set right",
    orders.Spot: lambda b, o: f"{name_of(b, o.observer)}: does it notice {name_of(b, o.flanker)}?",
    orders.LayPoints: lambda b, o: f"{name_of(b, o.combatant)}: {counted(o.points, 'point')} by hand",
    orders.Wound: lambda b, o: f"{name_of(b, o.combatant)}: {_injury(o)}",
    orders.Import: import_title,
    **score_views.TITLES,
}


def _at_whom(battle: Battle, order: orders.CoveringFire) -> str:
    return named(battle, [aim.target for aim in order.targets])


def _act_title(battle: Battle, order: orders.Act) -> str:
    what = f" {', '.join(order.lanes)}" if order.lanes else ""
    if order.target and order.action == "aimed_fire":
        what = f" at {name_of(battle, order.target)}"
    if order.weapon and order.action == "reload":
        what = f" {order.weapon}"
    return f"{name_of(battle, order.combatant)}: {DEEDS[order.action][0]}{what}"


def _cover(level: int) -> str:
    return f"cover {level}" if level else "no cover"


def _place(at: Any) -> str:
    return "nowhere in particular" if at is None else f"at {at[0]}, {at[1]}"


def _injury(order: orders.Wound) -> str:
    wounds = [counted(order.points, "wound")] if order.points else []
    return ", ".join([*wounds, "out of action"] if order.out else wounds)


def tell_event(battle: Battle, event: Event) -> str:
    """One sentence about what happened, with the battle after it; empty where the order's title says it all."""
    return _TOLD[type(event)](battle, event)


def _round_began(battle: Battle, event: events.RoundBegan) -> str:
    return f"Like lightning: {named(battle, event.lightning)} (GD-4)." if event.lightning else ""


def _points(battle: Battle, points: tuple[events.Laid, ...]) -> str:
    return ", ".join(f"{name_of(battle, laid.combatant)} +{laid.points}" for laid in points)


def _covering_fire(battle: Battle, event: events.CoveringFireLaid) -> str:
    left = battle.combatants[event.shooter].loaded[event.weapon]
    rounds = f"{counted(event.rounds, 'round')} from {event.weapon}, {left} left"
    return f"{name_of(battle, event.shooter)}: {rounds}; points: {_points(battle, event.points)} (GD-19)."


def _lane_laid(battle: Battle, event: events.LaneLaid) -> str:
    level = level_of(fire for fire in battle.lanes[event.lane].fires if fire.shooter == event.shooter)
    laid = f"{event.lane}: {counted(event.rounds, 'round')} in {event.width} m, level {level}"
    if event.kind == "saturation":
        return f"{laid}, until the round ends (GD-24)."
    return f"{laid}; points: {_points(battle, event.points) or 'nobody'} (GD-23)."


def _wounds(battle: Battle, combatant: str) -> str:
    total = battle.combatants[combatant].wounds
    return f"{total} in all, {wound_state(total) or 'none'}"


def _wounded(battle: Battle, event: events.Wounded) -> str:
    against = f"{event.location}, damage {event.damage} against SP {event.stopping}"
    if not event.wounds:
        return f"{name_of(battle, event.combatant)}: {against}, nothing gets through (GD-30)."
    wounds = f"{counted(event.wounds, 'wound')}, {_wounds(battle, event.combatant)}"
    return f"{name_of(battle, event.combatant)}: {against}: {wounds} (GD-30)."


def _entered(battle: Battle, event: events.WoundsEntered) -> str:
    wounds = f"{counted(event.wounds, 'wound')}, {_wounds(battle, event.combatant)}"
    return f"{name_of(battle, event.combatant)}: {wounds}."


def _checked(battle: Battle, event: events.Checked) -> str:
    name = name_of(battle, event.combatant)
    if event.result == "failed":
        return f"{name}: check failed, suppressed, {STANCES[event.stance or 'moving']} (GD-8, GD-9)."
    return f"{name}: check passed, free to act (GD-8)." if event.result == "passed" else f"{name}: no check (GD-7)."


def _acted(battle: Battle, event: events.Acted) -> str:
    at = f" at {name_of(battle, event.target)}" if event.target else ""
    left = f", no longer inside {', '.join(event.left)}" if event.left else ""
    return f"{name_of(battle, event.combatant)}: {DEEDS[event.action][1]}{at}{left}."


def _fired(battle: Battle, event: events.RoundsFired) -> str:
    left = battle.combatants[event.combatant].loaded[event.weapon]
    return f"{name_of(battle, event.combatant)}: {counted(event.rounds, 'round')} from {event.weapon}, {left} left."


def _points_laid(battle: Battle, event: events.PointsLaid) -> str:
    total = battle.combatants[event.combatant].points
    points = f"{counted(event.points, 'point')} ({event.reason}), {total} in all"
    return f"{name_of(battle, event.combatant)}: {points} (GD-13)."


def _stance(battle: Battle, event: events.StanceTaken) -> str:
    return _overruled(battle, event) or f"{name_of(battle, event.combatant)}: {STANCES[event.stance]}."


def _overruled(battle: Battle, event: events.StanceTaken | events.CoverTaken | events.PositionTaken) -> str:
    """A stance, cover or place that the game master's word gave, empty where it was the player's (GD-9)."""
    if not event.reason:
        return ""
    if isinstance(event, events.StanceTaken):
        what = STANCES[event.stance]
    else:
        what = _cover(event.level) if isinstance(event, events.CoverTaken) else _place(event.at)
    return f"{name_of(battle, event.combatant)}: {what}, by the game master: {event.reason} (GD-9)."


def _set_right(battle: Battle, event: events.SetRight) -> str:
    told = [f"{what} {getattr(event, what)}" for what in ("initiative", "points", "wounds")
            if getattr(event, what) is not None]  # fmt: skip
    if event.out is not None:
        told.append("out of action" if event.out else "back in action")
    told.extend(f"{weapon} {rounds}" for weapon, rounds in (event.loaded or {}).items())
    return f"{name_of(battle, event.combatant)}: {', '.join(told)} ({event.reason})."


def _spotted(battle: Battle, event: events.Spotted) -> str:
    noticed = "is noticed by" if event.noticed else "stays unnoticed by"
    return f"{name_of(battle, event.flanker)} {noticed} {name_of(battle, event.observer)} (GD-10)."


def _untold(battle: Battle, event: Event) -> str:
    return ""


_TOLD: dict[type[Event], Callable[[Battle, Any], str]] = {
    events.Mustered: _untold,
    events.Amended: _untold,
    events.Dismissed: _untold,
    events.RoundBegan: _round_began,
    events.InitiativeRolled: lambda b, e: f"{name_of(b, e.combatant)}: initiative {e.initiative}.",
    events.RoundEnded: lambda b, e: "No suppression points are left (GD-8)." if e.points_lapsed else "",
    events.CoveringFireLaid: _covering_fire,
    events.LaneLaid: _lane_laid,
    events.Missed: lambda b, e: f"{name_of(b, e.combatant)}: not hit.",
    events.Struck: lambda b, e: f"{name_of(b, e.combatant)}: hit by {counted(e.rounds, 'round')} from {e.weapon}.",
    events.Wounded: _wounded,
    events.WoundsEntered: _entered,
    events.TakenOut: lambda b, e: f"{name_of(b, e.combatant)}: out of action.",
    events.Checked: _checked,
    events.Stopped: lambda b, e: f"{name_of(b, e.combatant)}: {DEEDS[e.action][0]} does not happen (GD-25).",
    events.Acted: _acted,
    events.RoundsFired: _fired,
    events.Reloaded: lambda b, e: f"{name_of(b, e.combatant)}: {e.weapon} holds {counted(e.loaded, 'round')}.",
    events.PointsLaid: _points_laid,
    events.StanceTaken: _stance,
    events.CoverTaken: _overruled,
    events.PositionTaken: _overruled,
    events.SetRight: _set_right,
    events.Spotted: _spotted,
    **score_views.TOLD,
}


def tell_roll(battle: Battle, roll: Rolled | Throw) -> str:
    """What a roll is for: whose it is, and the purpose; of two who spot and sneak, both."""
    name, flanker = name_of(battle, roll.subject), name_of(battle, roll.group)
    if roll.purpose == "awareness":
        return f"{name}, awareness against {flanker}"
    if roll.purpose == "stealth":
        return f"{flanker}, stealth against {name}"
    return f"{name}, {PURPOSES.get(roll.purpose, roll.purpose)}{_in_its_chain(roll)}"


def _in_its_chain(roll: Rolled | Throw) -> str:
    """What becomes of a die that another one called for (GD-2)."""
    if not isinstance(roll, Throw) or not roll.follows:
        return ""
    return ": a natural 1, this die is subtracted" if roll.follows[0] == 1 else ": a 10, this die is added"


def state_line(battle: Battle) -> str:
    """The round, who is next by initiative, and the score once there is one."""
    score = "  ".join(f"{side} {points}" for side, points in battle.score.items())
    points = f"  |  {score}" if any(battle.score.values()) else ""
    if battle.ended:
        return f"Over: {battle.ended.winner or 'nobody'} won after round {battle.round}{points}"
    if not battle.running:
        return f"Round {battle.round} is over{points}" if battle.round else "Before the first round"
    waiting = yet_to_act(battle)
    coming = f"  next {name_of(battle, waiting[0])} {battle.combatants[waiting[0]].initiative}" if waiting else ""
    return f"Round {battle.round}{coming}{points}"


def by_initiative(battle: Battle) -> tuple[str, ...]:
    """Those who rolled for initiative and are in action, the highest first (GD-4)."""
    rolled = [c for c in battle.combatants.values() if c.initiative is not None and not c.out]
    return tuple(c.id for c in sorted(rolled, key=lambda combatant: -(combatant.initiative or 0)))


def yet_to_act(battle: Battle) -> tuple[str, ...]:
    """Those who have neither acted nor laid covering fire this round, the highest initiative first (GD-4)."""
    combatants = (battle.combatants[name] for name in by_initiative(battle))
    return tuple(c.id for c in combatants if not c.acted and not c.covering)
