"""The score, notes and the end as people see them: fields, filled-in orders, titles and sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.form_fields import Catalogue, Given, choice_field, demanded, number_field
from engine.resolution import Event
from engine.ruleset import Field, FieldOption
from engine.scorekeeping import BattleEnded, EndBattle, KeptBattle, Note, Noted, Score, Scored
from engine.wording import counted


def side_options(battle: KeptBattle) -> tuple[FieldOption, ...]:
    return tuple(FieldOption(side, side) for side in battle.sides)


def score_fields(battle: KeptBattle, given: Given, acting: str | None = None) -> list[Field]:
    """Side and points; the side that acts now is meant unless another is chosen."""
    side = acting or battle.sides[0]
    return [
        choice_field("side", "Side", side_options(battle), given, side, "acts now" if acting else ""),
        number_field("points", "Points", given, -10000, 10000, 1, "one"),
    ]


def filled_score(battle: KeptBattle, given: Given, acting: str | None = None) -> Score:
    side, points = score_fields(battle, given, acting)
    return Score(side.value, points.value)


def end_fields(battle: KeptBattle, given: Given, catalogue: Catalogue) -> list[Field]:
    """The winner, by default the side that is ahead, and why."""
    best = max((battle.score.get(side, 0) for side in battle.sides), default=0)
    ahead = [side for side in battle.sides if battle.score.get(side, 0) == best]
    options = (*side_options(battle), FieldOption("", "nobody"))
    value = given.get("winner", ahead[0] if len(ahead) == 1 else "")
    why = "" if "winner" in given else "is ahead on points" if len(ahead) == 1 else "no side is ahead"
    return [
        Field("winner", "Winner", "choice", value, options, inferred=why, optional=True),
        Field("reason", "Reason", "text", given.get("reason", ""), optional=True),
    ]


def filled_end(battle: KeptBattle, given: Given, catalogue: Catalogue) -> EndBattle:
    winner, reason = end_fields(battle, given, catalogue)
    return EndBattle(winner.value or None, reason.value or "")


def note_fields(battle: KeptBattle, given: Given, catalogue: Catalogue) -> list[Field]:
    return [Field("text", "Note", "text", given.get("text", ""))]


def filled_note(battle: KeptBattle, given: Given, catalogue: Catalogue) -> Note:
    return Note(demanded(given, "text", "what is to be noted"))


TITLES: dict[type[Any], Callable[[Any, Any], str]] = {
    Score: lambda battle, order: f"{order.side}: {order.points:+d} points",
    EndBattle: lambda battle, order: f"the battle ends: {order.winner or 'nobody'} wins",
    Note: lambda battle, order: f"note: {order.text}",
}

TOLD: dict[type[Event], Callable[[Any, Any], str]] = {
    Scored: lambda battle, event: f"{event.side} has {counted(battle.score[event.side], 'point')}.",
    BattleEnded: lambda battle, event: f"The battle is over{f': {event.reason}' if event.reason else ''}.",
    Noted: lambda battle, event: "",
}
