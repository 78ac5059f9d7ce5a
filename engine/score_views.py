"""The mission, score, notes and the end as people see them: a row, fields, filled-in orders, titles, sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.form_fields import Catalogue, Given, choice_field, demanded, number_field
from engine.imported import Imported
from engine.resolution import Event
from engine.ruleset import Cell, Field, FieldOption, Row
from engine.scorekeeping import (
    BattleEnded,
    EndBattle,
    KeptBattle,
    Mission,
    MissionSet,
    Note,
    Noted,
    Score,
    Scored,
)
from engine.wording import counted, listed


def mission_rows(battle: KeptBattle) -> list[Row]:
    """The mission as a heading above the units, nothing where there is none."""
    return [Row("mission", (Cell(f"Mission: {battle.mission}", "strong"),), heading=True)] if battle.mission else []


def kept_facts(battle: KeptBattle) -> dict[str, str]:
    """Score, mission and end, as facts about a battle."""
    score = {f"score of {side}": counted(points, "point") for side, points in battle.score.items()}
    ended = battle.ended
    over = f"{ended.winner or 'nobody'} wins{f': {ended.reason}' if ended.reason else ''}" if ended else ""
    return {**score, "mission": battle.mission, "over": over}


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


def mission_fields(battle: KeptBattle, given: Given, catalogue: Catalogue) -> list[Field]:
    """The mission as it stands, to be changed; where there is one, it may be taken away."""
    away = bool(battle.mission and given.get("away", False))
    text = Field("text", "Mission", "text", given.get("text", battle.mission), optional=away)
    return [text, Field("away", "No mission any more", "flag", away)] if battle.mission else [text]


def filled_mission(battle: KeptBattle, given: Given, catalogue: Catalogue) -> Mission:
    """The mission typed in; raises Refusal (`order`) where there is neither one nor one to be taken away."""
    text, *flags = mission_fields(battle, given, catalogue)
    if any(flag.value for flag in flags):
        return Mission("")
    return Mission(demanded({"text": text.value}, "text", "what the mission is"))


TITLES: dict[type[Any], Callable[[Any, Any], str]] = {
    Score: lambda battle, order: f"{order.side}: {order.points:+d} points",
    EndBattle: lambda battle, order: f"the battle ends: {order.winner or 'nobody'} wins",
    Note: lambda battle, order: f"note: {order.text}",
    Mission: lambda battle, order: f"mission: {order.text.strip()}" if order.text.strip() else "no mission any more",
}


def _imported(event: Imported) -> str:
    """Which units stand for a list now, each name once."""
    names = tuple(dict.fromkeys(taken.called for taken in event.units))
    units = counted(len(event.units), "unit")
    return f"{event.side}: {units} of {event.source.name}{f' ({listed(names)})' if names else ''}."


TOLD: dict[type[Event], Callable[[Any, Any], str]] = {
    Scored: lambda battle, event: f"{event.side} has {counted(battle.score[event.side], 'point')}.",
    BattleEnded: lambda battle, event: f"The battle is over{f': {event.reason}' if event.reason else ''}.",
    Noted: lambda battle, event: "",
    MissionSet: lambda battle, event: "",
    Imported: lambda battle, event: _imported(event),
}
