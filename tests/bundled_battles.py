"""The bundled battles, written from their orders: `python -m tests.bundled_battles` writes them anew.

The files are part of the tests: the same orders must always make the same bytes. Where a story wants a certain
outcome its dice were rolled at the table; all others are the app's.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engine.dice import ALGORITHM, seed_from_text
from engine.enlisting import answered, planned
from engine.entries import FORMAT, VERSION, DiceTerms, Entry, Header
from engine.gray_dawn.muster_form import armoury_combatant
from engine.history import History
from engine.orders import read_order, resolve_order, written_down
from engine.registered import rule_set
from engine.suppression_fire.muster_form import armoury_unit
from saves.armoury import armoury
from saves.chain import FIRST, sealed
from saves.records import record_of
from saves.rosters.reading import read_list

EXAMPLES = Path(__file__).parent.parent / "saves" / "examples"
TEAMS = Path(__file__).parent.parent / "engine" / "gray_dawn" / "armoury.toml"
ARMOURY = Path(__file__).parent.parent / "engine" / "suppression_fire" / "armoury.toml"

Order = dict[str, Any]
UNDO: Order = {"type": "undo"}


def mustered(entry: str, unit: str, side: str, name: str, **changes: Any) -> Order:
    """An order to muster a unit of the armoury under a name of its own."""
    profile = armoury_unit(tomllib.loads(ARMOURY.read_text()), entry, unit, side)
    told = msgspec.to_builtins(msgspec.structs.replace(profile, name=name))
    return {"type": "muster", "unit": {**told, **changes}}


def fire(unit: str, inches: float, **more: Any) -> dict[str, Any]:
    return {"unit": unit, "range": inches, **more}


def the_farm() -> Iterator[Order]:
    """Three turns around a farm: Eldar hold it, Imperial infantry wants it."""
    yield {"type": "note", "text": "The farm: Eldar hold the walls, the Guard comes up the road. Three game turns."}
    yield mustered("dire-avengers", "avengers", "Eldar", "Dire Avengers")
    yield mustered("guardians", "guardians", "Eldar", "Guardians at the wall")
    yield mustered("wave-serpent", "serpent", "Eldar", "Wave Serpent")
    yield mustered("scouts", "scouts", "Imperium", "Scouts")
    yield mustered("guardsmen", "guardsmen", "Imperium", "Second Platoon")
    yield mustered("conscripts", "conscripts", "Imperium", "The Draft")
    yield mustered("chimera", "chimera", "Imperium", "Chimera Ostwind")
    yield mustered("storm-troopers", "troopers", "Imperium", "Storm Troopers", embarked_in="chimera")
    # Turn 1, Imperium: up the road
    yield {"type": "begin_turn", "side": "Imperium"}
    yield {"type": "act", "unit": "chimera", "action": "move"}
    yield {"type": "act", "unit": "conscripts", "action": "move"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "declare", "target": "guardians", "by": [fire("guardsmen", 22)]}
    yield {"type": "test", "target": "guardians", "dice": [3, 4]}
    yield {"type": "phase", "to": "assault"}
    yield {"type": "end_turn"}
    # Turn 1, Eldar: the Guardians answer although suppressed, the Avengers join in
    yield {"type": "begin_turn", "side": "Eldar"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "declare", "target": "guardsmen", "by": [fire("guardians", 11.5), fire("serpent", 12)]}
    yield {"type": "test", "target": "guardsmen", "dice": [2, 5, 3, 4, 3]}
    yield {"type": "declare", "target": "scouts", "by": [fire("avengers", 16)]}
    yield {"type": "test", "target": "scouts", "dice": [4, 3]}
    yield {"type": "end_turn"}
    # Turn 2, Imperium: three Avengers fall, the Scouts run free; a tank drives between the wall and the platoon
    yield {"type": "begin_turn", "side": "Imperium"}
    yield {"type": "casualties", "unit": "avengers", "group": "avengers", "models": 3}
    yield {"type": "act", "unit": "scouts", "action": "move"}
    yield {"type": "line_of_sight", "suppressor": "guardians", "target": "guardsmen", "clear": False}
    yield {"type": "note", "text": "A wreck smokes between the wall and the platoon."}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "act", "unit": "guardsmen", "action": "run"}
    yield UNDO
    yield {"type": "declare", "target": "guardians", "by": [fire("troopers", 17.5), fire("conscripts", 23)]}
    yield {"type": "test", "target": "guardians", "dice": [5, 4]}
    yield {"type": "act", "unit": "guardsmen", "action": "run"}
    yield {"type": "score", "side": "Imperium", "points": 1}
    yield {"type": "end_turn"}
    # Turn 2, Eldar: the Guardians lie low, the Chimera comes under fire
    yield {"type": "begin_turn", "side": "Eldar"}
    yield {"type": "act", "unit": "avengers", "action": "move"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "declare", "target": "chimera", "by": [fire("serpent", 12)]}
    yield {"type": "test", "target": "chimera"}
    yield {"type": "phase", "to": "assault"}
    yield {"type": "end_turn"}
    # Turn 3, Imperium: the Storm Troopers get out under fire
    yield {"type": "begin_turn", "side": "Imperium"}
    faces = [3, 4, 6, 2, 1, 4, 5, 6, 3, 2, 1, 5, 2, 3, 4, 1]
    yield {"type": "act", "unit": "troopers", "action": "disembark", "dice": faces}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "act", "unit": "troopers", "action": "shoot"}
    yield {"type": "casualties", "unit": "guardians", "group": "guardians", "models": 4}
    yield {"type": "phase", "to": "assault"}
    yield {"type": "act", "unit": "conscripts", "action": "assault"}
    yield {"type": "end_turn"}
    # Turn 3, Eldar: the wall is given up
    yield {"type": "begin_turn", "side": "Eldar"}
    yield {"type": "status", "unit": "guardians", "status": "falling_back", "on": True}
    yield {"type": "end_turn"}
    yield {"type": "score", "side": "Imperium", "points": 2}
    yield {"type": "end_battle", "winner": "Imperium", "reason": "the farm is taken"}


def enlisted(entry: str, combatant: str, side: str, name: str, **changes: Any) -> Order:
    """An order to muster a combatant of the armoury under a name of its own."""
    profile = armoury_combatant(tomllib.loads(TEAMS.read_text()), entry, combatant, side)
    told = msgspec.to_builtins(msgspec.structs.replace(profile, name=name))
    return {"type": "muster", "combatant": {**told, **changes}}


def the_landing() -> Iterator[Order]:
    """Three rounds at a landing site: the Watch keeps heads down so that Sable gets round the flank."""
    yield {"type": "note", "text": "The landing: the Watch holds the fence, the Visitors come out of the ship."}
    yield enlisted("soldier", "rook", "Watch", "Rook")
    yield enlisted("veteran", "vance", "Watch", "Vance", cover=2)
    yield enlisted("heavy-gunner", "oduya", "Watch", "Oduya", cover=3)
    yield enlisted("scout", "sable", "Watch", "Sable")
    yield enlisted("soldier", "grey", "Visitors", "Grey", cover=2)
    yield enlisted("veteran", "tall", "Visitors", "Tall Grey")
    yield enlisted("recruit", "drone", "Visitors", "Drone")
    yield enlisted("recruit", "second", "Visitors", "Second Drone", cover=2)
    # Round 1: everything that keeps a head down, one after another
    yield {"type": "begin_round", "lightning": ["vance"]}
    yield {"type": "covering_fire", "shooter": "rook", "weapon": "pistol", "mode": "semi",
           "targets": [{"target": "grey", "count": 8, "range": 38}], "adjacent": ["second"], "dice": [6]}  # fmt: skip
    yield {"type": "check", "combatant": "grey", "dice": [2]}
    yield {"type": "covering_fire", "shooter": "grey", "weapon": "assault rifle", "mode": "burst",
           "targets": [{"target": "rook", "count": 2, "range": 38}]}  # fmt: skip
    yield {"type": "covering_fire", "shooter": "vance", "weapon": "carbine", "mode": "burst",
           "targets": [{"target": "tall", "count": 2, "range": 60},
                       {"target": "drone", "count": 1, "range": 55}]}  # fmt: skip
    yield {"type": "lane", "shooter": "oduya", "weapon": "light machine gun", "kind": "covering", "name": "ramp",
           "width": 3, "range": 60, "inside": ["tall", "drone"], "near": ["second"]}  # fmt: skip
    yield {"type": "check", "combatant": "tall"}
    yield {"type": "check", "combatant": "second", "dice": [7]}
    yield {"type": "act", "combatant": "sable", "action": "move"}
    yield {"type": "spot", "observer": "grey", "flanker": "sable", "dice": [4, 7]}
    yield {"type": "end_round"}
    # Round 2: two guns saturate the gate; one Visitor gets across, the other is caught
    yield {"type": "begin_round", "lightning": []}
    yield {"type": "check", "combatant": "rook", "dice": [9]}
    yield {"type": "act", "combatant": "rook", "action": "reload", "weapon": "pistol"}
    yield UNDO
    yield {"type": "lane", "shooter": "rook", "weapon": "assault rifle", "kind": "saturation", "name": "gate",
           "width": 2, "range": 45, "rounds": 6}  # fmt: skip
    yield {"type": "lane", "shooter": "vance", "weapon": "carbine", "kind": "saturation", "name": "gate",
           "width": 2, "range": 60, "rounds": 4}  # fmt: skip
    yield {"type": "act", "combatant": "tall", "action": "cross", "lanes": ["gate"], "avoid": "dodge",
           "dice": [10, 10, 4, 6]}  # fmt: skip
    yield {"type": "act", "combatant": "drone", "action": "cross", "lanes": ["gate"], "avoid": "athletics",
           "dice": [10, 10, 10, 5, 1, 9, 5, 3, 4, 4, 3, 5, 2, 8, 5, 6, 6, 4, 5]}  # fmt: skip
    yield {"type": "act", "combatant": "oduya", "action": "reload", "weapon": "light machine gun"}
    yield {"type": "check", "combatant": "second"}
    yield {"type": "act", "combatant": "sable", "action": "aimed_fire", "target": "tall", "weapon": "submachine gun",
           "rounds": 2}  # fmt: skip
    yield {"type": "points", "combatant": "tall", "points": 1, "reason": "aimed fire from the flank"}
    yield {"type": "wound", "combatant": "tall", "points": 6}
    yield {"type": "end_round"}
    # Round 3
    yield {"type": "begin_round", "lightning": []}
    yield {"type": "check", "combatant": "tall"}
    yield {"type": "stance", "combatant": "grey", "stance": "bracing", "override": True, "reason": "nothing to lose"}
    yield {"type": "wound", "combatant": "drone", "points": 0, "out": True}
    yield {"type": "act", "combatant": "rook", "action": "reload", "weapon": "pistol"}
    yield {"type": "score", "side": "Watch", "points": 2}
    yield {"type": "end_round"}
    yield {"type": "end_battle", "winner": "Watch", "reason": "the ramp is theirs"}


ROSTERS = Path(__file__).parent / "rosters"
LISTS = Path(__file__).parent.parent / "docs" / "examples"


def brought_in(roster: Path, side: str, sides: tuple[str, str], **answers: str) -> Order:
    """The order that an army list comes to in a battle in which its units' names are free."""
    rules = rule_set("suppression-fire")
    army, battle = read_list(roster), rules.begin(sides, {})
    said = {name.replace("__", ".").replace("_", "-"): text for name, text in answers.items()}
    made, given = answered(rules, battle, army, side, said, armoury(rules.armoury))
    order: Order = msgspec.to_builtins(planned(rules, battle, army, side, made, answers=given).order)
    return order


def the_harbour() -> Iterator[Order]:
    """Two game turns at a harbour: both sides were brought in from army lists, nothing was typed."""
    sides = ("Harbour Watch", "Causeway Patrol")
    yield {"type": "mission", "text": "The quay: whoever stands on it after two game turns holds the harbour."}
    yield brought_in(ROSTERS / "harbour-watch.ros", sides[0], sides, gun__harbour_rifle__family="rifle")
    yield brought_in(LISTS / "patrol.txt", sides[1], sides, gun__long_rifle__family="rifle")
    # Turn 1, Watch: the boat comes alongside, the levy fires from the sheds
    yield {"type": "begin_turn", "side": "Harbour Watch"}
    yield {"type": "act", "unit": "launch", "action": "move"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "declare", "target": "causeway-rifles", "by": [fire("dock-levy", 20)]}
    yield {"type": "test", "target": "causeway-rifles", "dice": [4, 3]}
    yield {"type": "end_turn"}
    # Turn 1, Patrol: the rifles think better of running for the wall, and answer
    yield {"type": "begin_turn", "side": "Causeway Patrol"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "act", "unit": "causeway-rifles", "action": "run"}
    yield UNDO
    yield {"type": "declare", "target": "dock-levy", "by": [fire("causeway-rifles", 20)]}
    yield {"type": "test", "target": "dock-levy", "dice": [5, 4]}
    yield {"type": "end_turn"}
    # Turn 2, Watch: the squad gets out on the quay
    yield {"type": "begin_turn", "side": "Harbour Watch"}
    yield {"type": "act", "unit": "harbour-squad", "action": "disembark"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "declare", "target": "causeway-rifles", "by": [fire("escort", 12)]}
    yield {"type": "test", "target": "causeway-rifles"}
    yield {"type": "score", "side": "Harbour Watch", "points": 3}
    yield {"type": "end_turn"}
    # Turn 2, Patrol: the guard gets out of the carrier, too late
    yield {"type": "begin_turn", "side": "Causeway Patrol"}
    yield {"type": "act", "unit": "gate-guard", "action": "disembark"}
    yield {"type": "phase", "to": "shooting"}
    yield {"type": "declare", "target": "harbour-squad", "by": [fire("gate-guard", 17)]}
    yield {"type": "test", "target": "harbour-squad"}
    yield {"type": "end_turn"}
    yield {"type": "end_battle", "winner": "Harbour Watch", "reason": "the Watch stands on the quay"}


STORIES = {
    "harbour": ("suppression-fire", "The harbour", ("Harbour Watch", "Causeway Patrol"), the_harbour),
    "suppression-fire": ("suppression-fire", "The farm", ("Eldar", "Imperium"), the_farm),
    "gray-dawn": ("gray-dawn", "The landing", ("Watch", "Visitors"), the_landing),
}

BEGAN = 1_764_500_000_000
"""When the bundled battles were begun, in milliseconds since 1970; an order every 40 seconds."""


def written(name: str) -> bytes:
    """The file of a bundled battle, from its orders."""
    rules_name, title, sides, story = STORIES[name]
    rules = rule_set(rules_name)
    dice = DiceTerms(ALGORITHM, "app", seed_from_text(title).hex())
    header = Header(
        FORMAT, VERSION, 1, f"bundled-{name}", BEGAN, title, rules_name, rules.version, "0.1.0", sides, {}, dice
    )
    history = History(header, rules)
    line, mark = sealed(record_of(header), FIRST)
    lines = [line]
    for number, order in enumerate(story(), 1):
        line, mark = sealed(record_of(_entry(history, order, BEGAN + 40_000 * number)), mark)
        lines.append(line)
    return b"".join(lines)


def _entry(history: History, order: Order, t: int) -> Entry:
    if order == UNDO:
        undo = history.undo("", t)
        history.take(undo)
        return undo
    read = read_order(history.rules, json.dumps(order))
    resolution = resolve_order(history, read)
    entry = written_down(history, read, resolution, "", t)
    history.take(entry, resolution.state)
    return entry


if __name__ == "__main__":
    for example in STORIES:
        (EXAMPLES / f"{example}.battle.jsonl").write_bytes(written(example))
