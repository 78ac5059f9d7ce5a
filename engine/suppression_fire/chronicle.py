"""What the record of a battle is told by: its parts, the strength of units, what luck is measured by, who is named."""

from __future__ import annotations

from engine.importing import IMPORTED_NAMES
from engine.ruleset import Measure, Section
from engine.suppression_fire.battle import Battle

SUPPRESSING = ("declared",)

SECTIONS = (
    Section("Mustered", ("mustered", "amended", "dismissed", "imported"), titled=True),
    Section("Suppressing fire", SUPPRESSING, titled=True),
    Section("Tests", ("tested", "test_rerolled")),
    Section("Braved the fire", ("struck",), titled=True),
    Section("Lost", ("models_fell", "went_out", "restored")),
    Section("Lapses", ("lapsed", "resumed")),
    Section("Actions", ("acted",)),
    Section("Line of sight and marks", ("sight_changed", "marked"), titled=True),
    Section("Over with the turn", ("turn_ended",)),
    Section("Mission, score and notes", ("scored", "battle_ended", "noted", "mission_set"), titled=True),
)

MEASURES = (
    Measure("tests failed", ("leadership",), "failed", more_is_good=False),
    Measure("wounds by shrapnel", ("shrapnel",), "sum", more_is_good=False),
    Measure("hits suffered", ("hit",), "reached", more_is_good=False),
    Measure("wounds suffered", ("wound",), "reached", more_is_good=False),
    Measure("saves made", ("save",), "reached", more_is_good=True),
    Measure("pain ignored", ("feel no pain",), "reached", more_is_good=True),
    Measure("casualties", (), "losses", more_is_good=False),
    Measure("random shots", ("shots",), "sum", more_is_good=True),
)

STRENGTH_IN = "model"

NAMED = {
    **{f"{order}.unit": "unit" for order in ("Dismiss", "Act", "Casualties", "Status", "Wounds", "Restore")},
    **{f"{order}.target": "unit" for order in ("Declare", "Test", "RerollTest", "LineOfSight")},
    **{f"{event}.unit": "unit" for event in ("Dismissed", "Declared", "Tested", "TestRerolled", "Struck")},
    **{f"{event}.unit": "unit" for event in ("ModelsFell", "Restored", "WentOut", "Acted", "Marked")},
    **{f"{event}.target": "unit" for event in ("Declared", "Tested", "TestRerolled", "Struck", "SightChanged")},
    **{f"{event}.target": "unit" for event in ("Lapsed", "Resumed")},
    **{f"{event}.suppressor": "unit" for event in ("LineOfSight", "SightChanged", "Lapsed", "Resumed")},
    "Suppressor.unit": "unit",
    "Act.into": "unit",
    "Act.visible_to": "unit",
    "Acted.into": "unit",
    "TurnEnded.freed": "unit",
    "TurnEnded.ended": "unit",
    "WentOut.passengers": "unit",
    "UnitProfile.id": "unit",
    "UnitProfile.embarked_in": "unit",
    "UnitProfile.name": "unit name",
    "UnitProfile.side": "side",
    **{f"{each}.side": "side" for each in ("BeginTurn", "TurnBegan", "TurnEnded", "Score", "Scored")},
    **{f"{each}.winner": "side" for each in ("EndBattle", "BattleEnded")},
    "GroupProfile.name": "group",
    "GroupLeft.name": "group",
    **{f"{each}.group": "group" for each in ("Shooter", "Contribution", "Casualties", "Wounds", "Restore", "Rolled")},
    **{f"{each}.allocation": "group" for each in ("Test", "Act")},
    **{f"{each}.shares": "group" for each in ("Test", "Act")},
    "Act.shrapnel_shares": "group",
    "Weapon.name": "weapon",
    "Shooter.weapon": "weapon",
    "Act.weapon": "weapon",
    "Weapon.gun_type": "gun type",
    "Struck.gun_type": "gun type",
    "Act.gun_type": "gun type",
    **{f"{each}.reason": "text" for each in ("RerollTest", "TestRerolled", "EndBattle", "BattleEnded")},
    **{f"{each}.text": "text" for each in ("Note", "Noted", "Mission", "MissionSet")},
    **IMPORTED_NAMES,
}


def chapter(battle: Battle) -> str:
    """Game turn and side; between turns those of the turn before (SF-1)."""
    if not battle.turn:
        return "Before the first turn"
    return f"Turn {battle.turn}, {battle.side or battle.went}"


def strength(battle: Battle, unit: str) -> int:
    """The models that a unit has left; a vehicle is one until it is destroyed."""
    known = battle.units.get(unit)
    if known is None:
        return 0
    return int(not known.out) if known.is_vehicle else known.models


def measures(battle: Battle) -> tuple[Measure, ...]:
    """Tests, shrapnel, hits, wounds, saves, and what they cost; random shots."""
    return MEASURES
