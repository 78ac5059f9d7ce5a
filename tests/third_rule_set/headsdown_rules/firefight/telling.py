"""Orders, events and rolls of Firefight in words: titles and sentences of the log, of reports and of the line mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import score_views
from engine.importing import import_title
from engine.resolution import Event
from engine.rolls import Rolled, Throw
from engine.wording import counted

from . import events, orders
from .squads import Battle, name_of

GROUNDS = {"open": "in the open", "cover": "in cover"}

PURPOSES = {"nerve": "nerve", "fire": "suppressing fire", "losses": "who falls", "rally": "rallying"}

TITLES: dict[type[Any], Callable[[Battle, Any], str]] = {
    orders.Muster: lambda b, o: f"{o.squad.side}: muster {o.squad.name or o.squad.id}",
    orders.Amend: lambda b, o: f"{name_of(b, o.squad.id)}: new profile",
    orders.Dismiss: lambda b, o: f"{name_of(b, o.squad)}: dismissed",
    orders.Import: import_title,
    orders.BeginRound: lambda b, o: f"round {b.round + 1} begins",
    orders.EndRound: lambda b, o: f"round {b.round} ends",
    orders.Suppress: lambda b, o: f"{name_of(b, o.squad)}: suppress {name_of(b, o.target)}",
    orders.Advance: lambda b, o: f"{name_of(b, o.squad)}: advance, {GROUNDS[o.to]}",
    orders.Rally: lambda b, o: f"{name_of(b, o.squad)}: rally",
    orders.Losses: lambda b, o: f"{name_of(b, o.squad)}: {counted(o.soldiers, 'soldier')} lost",
    **score_views.TITLES,
}

TOLD: dict[type[Event], Callable[[Battle, Any], str]] = {
    events.Mustered: lambda b, e: "",
    events.Amended: lambda b, e: "",
    events.Dismissed: lambda b, e: "",
    events.RoundBegan: lambda b, e: "",
    events.RoundEnded: lambda b, e: "Each squad loses a pin (FF-9)." if e.quiet else "",
    events.StayedDown: lambda b, e: f"{name_of(b, e.squad)}: heads stay down (FF-6).",
    events.Suppressed: lambda b, e: _suppressed(b, e),
    events.Advanced: lambda b, e: f"{name_of(b, e.squad)} is {GROUNDS[e.to]}.",
    events.Rallied: lambda b, e: f"{name_of(b, e.squad)} carries {counted(e.pins, 'pin')} (FF-8).",
    events.Fell: lambda b, e: f"{name_of(b, e.squad)}: {_left(b, e.squad)}.",
    **score_views.TOLD,
}


def dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def order_title(battle: Battle, order: Any) -> str:
    """A few words that name an order, with the battle as it was before it."""
    return TITLES[type(order)](battle, order)


def tell_event(battle: Battle, event: Event) -> str:
    """One sentence about what happened, with the battle after it; empty where the order's title says it all."""
    return TOLD[type(event)](battle, event)


def _left(battle: Battle, squad: str) -> str:
    soldiers = battle.squads[squad].soldiers
    return f"{counted(soldiers, 'soldier')} left" if soldiers else "out of play (FF-1)"


def _suppressed(battle: Battle, event: events.Suppressed) -> str:
    verb = "falls" if event.fallen == 1 else "fall"
    fallen = f"; {event.fallen} {verb}, {_left(battle, event.target)}" if event.fallen else ""
    return f"{name_of(battle, event.target)} carries {counted(event.pins, 'pin')} (FF-3, FF-5){fallen}."


def tell_roll(battle: Battle, roll: Rolled | Throw) -> str:
    """What a roll is for: whose it is, at whom, and the purpose."""
    at = f" at {name_of(battle, roll.group)}" if roll.group else ""
    return f"{name_of(battle, roll.subject)}, {PURPOSES.get(roll.purpose, roll.purpose)}{at}"


def state_line(battle: Battle) -> str:
    """The round and the score."""
    score = "  ".join(f"{side} {points}" for side, points in battle.score.items())
    points = f"  |  {score}" if any(battle.score.values()) else ""
    if battle.ended:
        return f"Over: {battle.ended.winner or 'nobody'} won after round {battle.round}{points}"
    return f"{chapter(battle)}{' is over' if battle.round and not battle.running else ''}{points}"


def chapter(battle: Battle) -> str:
    """The heading of this part of a report."""
    return f"Round {battle.round}" if battle.round else "Before the first round"
