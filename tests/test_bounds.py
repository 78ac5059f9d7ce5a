"""The smallest and the largest that an order may hold, in both rule sets: what no real game exceeds (the bounds)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine.orders import read_order
from engine.refusals import Refusal
from engine.registered import rule_set
from tests.gray_dawn_battles import RIFLE, person
from tests.sf_battles import CATAPULT, carrier, models, unit

Told = dict[str, Any]
FIRE = {"group": "men", "weapon": "catapult", "models": 5, "range": 12}
TEST = {"type": "test", "target": "scouts", "shares": {"men": 1}, "allocation": ["men"]}

SUPPRESSION_FIRE: dict[str, Told] = {
    "muster": {"type": "muster", "unit": unit("scouts", "red", models("men", 5, armour=3))},
    "carrier": {"type": "muster", "unit": carrier("rhino")},
    "declare": {"type": "declare", "target": "scouts", "by": [{"unit": "squad", "range": 12, "shooters": [FIRE]}]},
    "test": TEST,
    "reroll_test": {"type": "reroll_test", "target": "scouts", "reason": "a banner"},
    "act": {"type": "act", "unit": "scouts", "action": "move", "firing_models": 2, "shares": {"men": 1},
            "shrapnel_shares": {"men": 1}, "visible_to": ["squad"]},
    "casualties": {"type": "casualties", "unit": "scouts", "group": "men", "models": 1, "contributors": 1},
    "wounds": {"type": "wounds", "unit": "scouts", "group": "men", "wounds": 1},
    "restore": {"type": "restore", "unit": "scouts", "group": "men", "models": 1, "wounds": 1},
    "score": {"type": "score", "side": "red", "points": 1},
    "note": {"type": "note", "text": "a note"},
    "mission": {"type": "mission", "text": "hold the hill"},
    "end_battle": {"type": "end_battle", "reason": "night fell"},
}  # fmt: skip
GRAY_DAWN: dict[str, Told] = {
    "muster": {"type": "muster", "combatant": person("grey", "aliens", RIFLE, position=[1, 1])},
    "covering_fire": {"type": "covering_fire", "shooter": "rook", "weapon": "rifle", "mode": "semi",
                      "targets": [{"target": "grey", "count": 1, "range": 40}], "adjacent": ["vex"]},
    "lane": {"type": "lane", "shooter": "rook", "weapon": "rifle", "kind": "covering", "name": "hall", "width": 2,
             "range": 40, "rounds": 10, "inside": ["grey"], "near": ["vex"]},
    "begin_round": {"type": "begin_round", "lightning": ["rook"]},
    "act": {"type": "act", "combatant": "rook", "action": "aimed_fire", "rounds": 1, "points": 1, "lanes": ["hall"]},
    "cover": {"type": "cover", "combatant": "grey", "level": 1, "reason": "it is so"},
    "position": {"type": "position", "combatant": "grey", "at": [1, 1], "reason": "it is so"},
    "set": {"type": "set", "combatant": "grey", "reason": "a slip", "initiative": 9, "points": 1, "wounds": 1,
            "loaded": {"rifle": 5}},
    "points": {"type": "points", "combatant": "grey", "points": 1, "reason": "a near miss"},
    "wound": {"type": "wound", "combatant": "grey", "points": 1},
}  # fmt: skip

NUMBERS: list[tuple[str, str, str, int, int]] = [
    *(
        ("suppression-fire", kind, path, least, most)
        for kind, path, least, most in (
            ("muster", "unit.groups.0.models", 1, 200),
            ("muster", "unit.groups.0.toughness", 1, 10),
            ("muster", "unit.groups.0.wounds", 1, 20),
            ("muster", "unit.groups.0.leadership", 1, 10),
            ("muster", "unit.groups.0.armour", 2, 6),
            ("muster", "unit.groups.0.invulnerable", 2, 6),
            ("muster", "unit.groups.0.feel_no_pain", 2, 6),
            ("muster", "unit.groups.0.weapons.0.range", 0, 240),
            ("muster", "unit.groups.0.weapons.0.strength", 1, 10),
            ("muster", "unit.groups.0.weapons.0.ap", 1, 6),
            ("muster", "unit.groups.0.weapons.0.shots", 1, 60),
            ("carrier", "unit.transport.capacity", 0, 200),
            ("carrier", "unit.transport.fire_points", 0, 200),
            ("declare", "by.0.range", 0, 240),
            ("declare", "by.0.shooters.0.range", 0, 240),
            ("declare", "by.0.shooters.0.models", 1, 200),
            ("test", "shares.men", 0, 10000),
            ("act", "shares.men", 0, 10000),
            ("act", "shrapnel_shares.men", 0, 10000),
            ("act", "firing_models", 1, 200),
            ("casualties", "models", 1, 200),
            ("casualties", "contributors", 0, 200),
            ("wounds", "wounds", 1, 4000),
            ("restore", "models", 0, 200),
            ("restore", "wounds", 0, 4000),
            ("score", "points", -10000, 10000),
        )
    ),
    *(
        ("gray-dawn", kind, path, least, most)
        for kind, path, least, most in (
            *(
                ("muster", f"combatant.{stat}", 0, 30)
                for stat in ["ref", "cl", "ma", "int", "body", "dodge", "athletics", "awareness", "stealth"]
            ),
            *(("muster", f"combatant.sp.{area}", 0, 100) for area in ("head", "torso", "arms", "legs")),
            ("muster", "combatant.cover", 0, 20),
            ("muster", "combatant.position.0", -10000, 10000),
            ("muster", "combatant.position.1", -10000, 10000),
            ("muster", "combatant.weapons.0.rof", 1, 1000),
            ("muster", "combatant.weapons.0.semi_rof", 1, 100),
            ("muster", "combatant.weapons.0.range", 0, 5000),
            ("muster", "combatant.weapons.0.magazine", 1, 1000),
            ("muster", "combatant.weapons.0.loaded", 0, 1000),
            ("covering_fire", "targets.0.count", 1, 500),
            ("covering_fire", "targets.0.range", 0, 5000),
            ("lane", "width", 0, 5000),
            ("lane", "range", 0, 5000),
            ("lane", "rounds", 1, 1000),
            ("act", "rounds", 1, 1000),
            ("act", "points", 0, 1000),
            ("cover", "level", 0, 20),
            ("position", "at.0", -10000, 10000),
            ("position", "at.1", -10000, 10000),
            ("set", "initiative", 0, 100),
            ("set", "points", 0, 1000),
            ("set", "wounds", 0, 1000),
            ("set", "loaded.rifle", 0, 1000),
            ("points", "points", 1, 1000),
            ("wound", "points", 0, 1000),
        )
    ),
]
LENGTHS = {"range", "width", "position", "at"}
"""Fields in inches or metres, which may have two places."""


def with_value(rules: str, kind: str, path: str, value: Any) -> str:
    """The order with that value at the place of the path, as JSON text."""
    order = copy.deepcopy((SUPPRESSION_FIRE if rules == "suppression-fire" else GRAY_DAWN)[kind])
    *way, last = path.split(".")
    at: Any = order
    for step in way:
        at = at[int(step)] if step.isdigit() else at[step]
    at[int(last) if last.isdigit() else last] = value
    return json.dumps(order)


def is_read(rules: str, kind: str, path: str, value: Any) -> bool:
    try:
        read_order(rule_set(rules), with_value(rules, kind, path, value))
    except Refusal:
        return False
    return True


@pytest.mark.parametrize(("rules", "kind", "path", "least", "most"), NUMBERS, ids=lambda each: str(each))
def test_every_number_has_a_smallest_and_a_largest(rules: str, kind: str, path: str, least: int, most: int) -> None:
    """Both are taken, the next ones beyond are refused; where inches and metres have places, a hundredth beyond."""
    assert is_read(rules, kind, path, least)
    assert is_read(rules, kind, path, most)
    assert not is_read(rules, kind, path, least - 1)
    assert not is_read(rules, kind, path, most + 1)
    in_places = bool(LENGTHS & set(path.split(".")))
    assert is_read(rules, kind, path, least + 0.25) == in_places
    assert is_read(rules, kind, path, float(most)) == is_read(rules, kind, path, float(least))
    assert not is_read(rules, kind, path, most + 0.01)
    assert not is_read(rules, kind, path, least - 0.01)
    assert not is_read(rules, kind, path, least + 0.125)


MANY: list[tuple[str, str, str, list[Any], int, int]] = [
    ("suppression-fire", "muster", "unit.groups", [models("men", 1)], 0, 12),
    ("suppression-fire", "muster", "unit.groups.0.weapons", [CATAPULT], 0, 20),
    ("suppression-fire", "muster", "unit.groups.0.weapons.0.tags", ["twin_linked"], 0, 10),
    ("suppression-fire", "declare", "by", [{"unit": "squad", "range": 12}], 1, 200),
    ("suppression-fire", "declare", "by.0.shooters", [FIRE], 1, 100),
    ("suppression-fire", "test", "allocation", ["men"], 0, 12),
    ("suppression-fire", "act", "visible_to", ["squad"], 0, 200),
    ("gray-dawn", "muster", "combatant.weapons", [RIFLE], 0, 20),
    ("gray-dawn", "muster", "combatant.weapons.0.modes", ["semi"], 1, 3),
    ("gray-dawn", "covering_fire", "targets", [{"target": "grey", "count": 1, "range": 40}], 1, 200),
    ("gray-dawn", "covering_fire", "adjacent", ["vex"], 0, 200),
    ("gray-dawn", "lane", "inside", ["vex"], 0, 200),
    ("gray-dawn", "lane", "near", ["vex"], 0, 200),
    ("gray-dawn", "begin_round", "lightning", ["vex"], 0, 200),
    ("gray-dawn", "act", "lanes", ["hall"], 0, 100),
]


@pytest.mark.parametrize(("rules", "kind", "path", "one", "least", "most"), MANY, ids=lambda each: str(each)[:40])
def test_every_list_has_a_shortest_and_a_longest(
    rules: str, kind: str, path: str, one: list[Any], least: int, most: int
) -> None:
    assert is_read(rules, kind, path, least * one)
    assert is_read(rules, kind, path, most * one)
    assert not is_read(rules, kind, path, (most + 1) * one)
    assert least == 0 or not is_read(rules, kind, path, (least - 1) * one)


TEXTS: list[tuple[str, str, str, int, int]] = [
    ("suppression-fire", "muster", "unit.id", 1, 40),
    ("suppression-fire", "muster", "unit.name", 0, 100),
    ("suppression-fire", "muster", "unit.side", 1, 100),
    ("suppression-fire", "muster", "unit.groups.0.name", 1, 100),
    ("suppression-fire", "muster", "unit.groups.0.weapons.0.name", 1, 100),
    ("suppression-fire", "muster", "unit.groups.0.weapons.0.gun_type", 1, 100),
    ("suppression-fire", "reroll_test", "reason", 1, 2000),
    ("suppression-fire", "note", "text", 1, 2000),
    ("suppression-fire", "mission", "text", 0, 2000),
    ("suppression-fire", "end_battle", "reason", 0, 2000),
    ("gray-dawn", "muster", "combatant.id", 1, 40),
    ("gray-dawn", "muster", "combatant.name", 0, 100),
    ("gray-dawn", "lane", "name", 1, 100),
    ("gray-dawn", "cover", "reason", 0, 2000),
    ("gray-dawn", "position", "reason", 0, 2000),
    ("gray-dawn", "set", "reason", 1, 2000),
    ("gray-dawn", "points", "reason", 1, 2000),
]


@pytest.mark.parametrize(("rules", "kind", "path", "least", "most"), TEXTS, ids=lambda each: str(each))
def test_every_text_has_a_shortest_and_a_longest(rules: str, kind: str, path: str, least: int, most: int) -> None:
    assert is_read(rules, kind, path, least * "x")
    assert is_read(rules, kind, path, most * "x")
    assert not is_read(rules, kind, path, (most + 1) * "x")
    assert least == 0 or not is_read(rules, kind, path, "")


@pytest.mark.parametrize("damage", ["1d6", "5d6+2", "20d20-99", "9d2", "10d10", "19d19"])
def test_damage_as_it_is_written(damage: str) -> None:
    """GD-30: from one die to twenty, of two to twenty sides, and up to 99 more or less."""
    assert is_read("gray-dawn", "muster", "combatant.weapons.0.damage", damage)


@pytest.mark.parametrize("damage", ["", "d6", "0d6", "21d6", "5d1", "5d21", "5d6+", "5d6+100", "5 d6", "5d6\n", "5D6"])
def test_damage_that_is_none(damage: str) -> None:
    assert not is_read("gray-dawn", "muster", "combatant.weapons.0.damage", damage)


@pytest.mark.parametrize(
    ("rules", "kind", "path"),
    [
        ("suppression-fire", "muster", "unit.colour"),
        ("suppression-fire", "muster", "unit.groups.0.colour"),
        ("suppression-fire", "muster", "unit.groups.0.weapons.0.colour"),
        ("suppression-fire", "carrier", "unit.transport.colour"),
        ("suppression-fire", "declare", "by.0.colour"),
        ("suppression-fire", "declare", "by.0.shooters.0.colour"),
        ("suppression-fire", "test", "colour"),
        ("gray-dawn", "muster", "combatant.colour"),
        ("gray-dawn", "muster", "combatant.sp.colour"),
        ("gray-dawn", "muster", "combatant.weapons.0.colour"),
        ("gray-dawn", "covering_fire", "targets.0.colour"),
        ("gray-dawn", "lane", "colour"),
    ],
)
def test_what_no_order_has_is_refused(rules: str, kind: str, path: str) -> None:
    """A field that is misspelt is never passed over."""
    assert not is_read(rules, kind, path, "blue")


def test_what_a_unit_is_where_nothing_is_said() -> None:
    """T3, one wound, Ld9, no saves, no special rules; a transport is closed and has no fire points."""
    raw = {"id": "scouts", "side": "red", "kind": "vehicle", "groups": [{"name": "men", "models": 1}],
           "transport": {"capacity": 5}}  # fmt: skip
    told = read_order(rule_set("suppression-fire"), json.dumps({"type": "muster", "unit": raw})).unit
    (men,) = told.groups
    assert (men.toughness, men.wounds, men.leadership) == (3, 1, 9)
    assert (men.armour, men.invulnerable, men.feel_no_pain, men.grenades) == (None, None, None, None)
    assert (men.eternal_warrior, men.relentless, men.weapons, told.fearless) == (False, False, (), False)
    assert (told.transport.open_topped, told.transport.fire_points, told.embarked_in) == (False, 0, None)
    bare = json.dumps({"type": "muster", "unit": {"id": "scouts", "side": "red"}})
    assert read_order(rule_set("suppression-fire"), bare).unit.kind == "infantry"


def test_what_a_combatant_is_where_nothing_is_said() -> None:
    """No skills, no armour, no cover, in the open; a semi-automatic rate of fire of two, a full magazine."""
    raw = {"id": "grey", "side": "aliens", "ref": 7, "cl": 6, "ma": 6, "int": 6, "body": 7,
           "weapons": [{"name": "gun", "modes": ["semi"], "rof": 2, "range": 50, "magazine": 9}]}  # fmt: skip
    told = read_order(rule_set("gray-dawn"), json.dumps({"type": "muster", "combatant": raw})).combatant
    assert (told.dodge, told.athletics, told.awareness, told.stealth) == (0, 0, 0, 0)
    assert (told.sp.head, told.sp.torso, told.sp.arms, told.sp.legs) == (0, 0, 0, 0)
    assert (told.cover, told.stance, told.position) == (0, "open", None)
    (gun,) = told.weapons
    assert (gun.semi_rof, gun.loaded, gun.as_loaded, gun.damage) == (2, None, 9, None)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ('{"type":"note"}', "not an order: a field is missing: text"),
        ('{"type":"note","text":5}', "not an order: expected text, got a whole number (at text)"),
        ('{"type":"phase","to":"lunch"}', "not an order: unknown value 'lunch' (at to)"),
        ('{"type":"dance"}', "not an order: unknown value 'dance' (at type)"),
        ('{"type":"note","text":"x","tone":"y"}', "not an order: there is no field tone"),
        ('{"type":"note","text":"x","text":"y"}', "not an order: the field text stands there twice"),
        ('{"type":"note"', "not an order: this is no JSON: it ends too early"),
        (
            '{"type":"test","target":"A B"}',
            "not an order: expected an id: 1 to 40 small letters, figures, - and _ (at target)",
        ),
        ('{"x":' * 100_000, "this is no order: it is nested too deeply"),
    ],
    ids=lambda each: each[:40],
)
def test_what_is_wrong_with_an_order_is_said_in_plain_words(raw: str, told: str) -> None:
    """What, and where in the order; never the words of a decoder."""
    with pytest.raises(Refusal) as refused:
        read_order(rule_set("suppression-fire"), raw)
    assert (refused.value.clause, refused.value.message) == ("order", told)
