"""What the record of a battle is told by: its parts, who is in action, what luck is measured by, who is named."""

from __future__ import annotations

from engine.gray_dawn.battle import Battle
from engine.gray_dawn.hits import BURST_TABLE, PLAIN_D6
from engine.importing import IMPORTED_NAMES
from engine.ruleset import Measure, Section

SUPPRESSING = ("covering_fire_laid", "lane_laid")

SECTIONS = (
    Section("Mustered", ("mustered", "amended", "dismissed", "imported"), titled=True),
    Section("Initiative", ("round_began", "initiative_rolled")),
    Section("Suppressing fire", SUPPRESSING, titled=True),
    Section("Checks", ("checked", "stopped")),
    Section("Under fire", ("missed", "struck", "wounded", "wounds_entered", "taken_out")),
    Section("Actions", ("acted", "rounds_fired", "reloaded")),
    Section("Spotting", ("spotted",)),
    Section("Stances, cover, places", ("stance_taken", "cover_taken", "position_taken"), titled=True),
    Section("By the game master's hand", ("set_right", "points_laid")),
    Section("Over with the round", ("round_ended",)),
    Section("Mission, score and notes", ("scored", "battle_ended", "noted", "mission_set"), titled=True),
)

STRENGTH_IN = "combatant"

NAMED = {
    **{f"{order}.combatant": "unit" for order in ("Dismiss", "TakeCheck", "Act", "TakeStance", "TakeCover")},
    **{f"{order}.combatant": "unit" for order in ("TakePosition", "SetByHand", "LayPoints", "Wound")},
    **{f"{event}.combatant": "unit" for event in ("Dismissed", "InitiativeRolled", "Missed", "Struck", "Wounded")},
    **{f"{event}.combatant": "unit" for event in ("WoundsEntered", "TakenOut", "Checked", "Stopped", "Acted")},
    **{f"{event}.combatant": "unit" for event in ("RoundsFired", "Reloaded", "PointsLaid", "StanceTaken")},
    **{f"{event}.combatant": "unit" for event in ("CoverTaken", "PositionTaken", "SetRight", "Laid")},
    **{f"{each}.shooter": "unit" for each in ("CoveringFire", "LayLane", "CoveringFireLaid", "LaneLaid")},
    **{f"{each}.target": "unit" for each in ("Aim", "Aimed", "Act", "Acted")},
    **{f"{each}.lightning": "unit" for each in ("BeginRound", "RoundBegan")},
    "CoveringFire.adjacent": "unit",
    **{f"{each}.inside": "unit" for each in ("LayLane", "LaneLaid")},
    **{f"{each}.near": "unit" for each in ("LayLane", "LaneLaid")},
    **{f"{each}.observer": "unit" for each in ("Spot", "Spotted")},
    **{f"{each}.flanker": "unit" for each in ("Spot", "Spotted")},
    "Rolled.group": "unit",
    "CombatantProfile.id": "unit",
    "CombatantProfile.name": "unit name",
    "CombatantProfile.side": "side",
    **{f"{each}.side": "side" for each in ("Score", "Scored")},
    **{f"{each}.winner": "side" for each in ("EndBattle", "BattleEnded")},
    "LayLane.name": "lane",
    "LaneLaid.lane": "lane",
    "Act.lanes": "lane",
    "Acted.left": "lane",
    "Weapon.name": "weapon",
    **{f"{each}.weapon": "weapon" for each in ("CoveringFire", "LayLane", "Act")},
    **{f"{each}.weapon": "weapon" for each in ("CoveringFireLaid", "Struck", "RoundsFired", "Reloaded")},
    **{f"{each}.loaded": "weapon" for each in ("SetByHand", "SetRight", "Amended")},
    **{f"{each}.reason": "text" for each in ("TakeStance", "TakeCover", "TakePosition", "SetByHand", "LayPoints")},
    **{f"{each}.reason": "text" for each in ("StanceTaken", "CoverTaken", "PositionTaken", "SetRight", "PointsLaid")},
    **{f"{each}.reason": "text" for each in ("EndBattle", "BattleEnded")},
    **{f"{each}.text": "text" for each in ("Note", "Noted", "Mission", "MissionSet")},
    **IMPORTED_NAMES,
}


def chapter(battle: Battle) -> str:
    """The round (GD-4)."""
    return f"Round {battle.round}" if battle.round else "Before the first round"


def strength(battle: Battle, combatant: str) -> int:
    """A combatant counts as one while in action."""
    known = battle.combatants.get(combatant)
    return int(known is not None and not known.out)


def measures(battle: Battle) -> tuple[Measure, ...]:
    """Checks, defence, getting through, rounds that hit and their damage, sneaking, initiative (GD-1, GD-2, GD-29)."""
    table = PLAIN_D6 if battle.switches["lane_hits"] == "1d6" else BURST_TABLE
    return (
        Measure("checks failed", ("suppression",), "failed", more_is_good=False),
        Measure("hit by unaimed fire", ("defence",), "failed", more_is_good=False),
        Measure("caught when crossing", ("dodge", "athletics"), "failed", more_is_good=False),
        Measure("rounds that hit by the burst table", ("burst",), "sum", more_is_good=False, results=table),
        Measure("damage dice", ("damage",), "sum", more_is_good=False),
        Measure("sneaked past", ("stealth",), "passed", more_is_good=True, of_group=True),
        Measure("initiative dice", ("initiative",), "sum", more_is_good=True),
    )
