"""What the record is told by: whose orders and dice are, sections of a report, luck, and which fields hold names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.importing import IMPORTED_NAMES
from engine.ruleset import Action, Measure, Section
from engine.scorekeeping import show_kept

from .squads import Battle, side_of

SUPPRESSING: tuple[str, ...] = ("suppressed",)

SECTIONS: tuple[Section, ...] = (
    Section("Mustered", ("mustered", "amended", "dismissed", "imported"), titled=True),
    Section("Fire", ("suppressed", "stayed_down"), titled=True),
    Section("Advancing and rallying", ("advanced", "rallied"), titled=True),
    Section("Losses", ("fell",), titled=True),
    Section("Over with the round", ("round_ended",)),
    Section("Mission, score and notes", ("scored", "battle_ended", "noted", "mission_set"), titled=True),
)

STRENGTH_IN = "soldier"

_WITH_A_SQUAD = ("Dismiss", "Suppress", "Advance", "Rally", "Losses")
_ABOUT_A_SQUAD = ("Dismissed", "StayedDown", "Suppressed", "Advanced", "Rallied", "Fell")

NAMED: Mapping[str, str] = {
    **{f"{each}.squad": "unit" for each in (*_WITH_A_SQUAD, *_ABOUT_A_SQUAD)},
    **{f"{each}.target": "unit" for each in ("Suppress", "Suppressed")},
    "Rolled.group": "unit",
    "SquadProfile.id": "unit",
    "SquadProfile.name": "unit name",
    "SquadProfile.side": "side",
    **{f"{each}.side": "side" for each in ("Score", "Scored")},
    **{f"{each}.winner": "side" for each in ("EndBattle", "BattleEnded")},
    **{f"{each}.reason": "text" for each in ("EndBattle", "BattleEnded")},
    **{f"{each}.text": "text" for each in ("Note", "Noted", "Mission", "MissionSet")},
    **IMPORTED_NAMES,
}
"""Which fields hold names: reports under other names replace these."""


def owner(battle: Battle, order: Any) -> str:
    """The side whose an order is; empty for what is anybody's: rounds, notes, the end."""
    squad = getattr(order, "squad", None)
    if squad is None:
        return str(getattr(order, "side", ""))
    return side_of(battle, squad) if isinstance(squad, str) else str(squad.side)


def owner_of_action(battle: Battle, action: Action, squad_id: str | None) -> str:
    """The side whose order an action would be, begun from that squad."""
    return side_of(battle, squad_id or "") if action.about == "unit" else ""


def roller(battle: Battle, order: Any, throw: Any) -> str:
    """Every squad's owner throws its dice, also those that tell who falls (FF-4)."""
    return side_of(battle, throw.subject)


def names(battle: Battle) -> Mapping[str, str]:
    return {squad.id: squad.name for squad in battle.squads.values()}


def strength(battle: Battle, squad_id: str) -> int:
    """Soldiers left; 0 for a squad that is not there."""
    return battle.squads[squad_id].soldiers if squad_id in battle.squads else 0


def measures(battle: Battle) -> tuple[Measure, ...]:
    """What luck is measured by: nerve, pins laid, pins rallied from, soldiers lost."""
    return (
        Measure("nerve kept", ("nerve",), "passed", more_is_good=True),
        Measure("pins laid", ("fire",), "reached", more_is_good=True),
        Measure("pins taken off", ("rally",), "reached", more_is_good=True),
        Measure("soldiers lost", (), "losses", more_is_good=False),
    )


def show(battle: Battle) -> dict[str, Any]:
    """The state as JSON: `headsdown show --json`."""
    squads = {
        squad.id: {
            "side": squad.side,
            "name": squad.name,
            "soldiers": squad.soldiers,
            "pins": squad.pins,
            "ground": squad.ground,
            "acted": squad.acted,
            "down": squad.down,
            "out": squad.out,
        }
        for squad in battle.squads.values()
    }
    return {"round": battle.round, "running": battle.running, "squads": squads, **show_kept(battle)}
