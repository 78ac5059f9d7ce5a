"""Battles whose every name is an attack on some format: markup, formulas, links, escape sequences, turned text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.orders import read_order
from saves.battle import OpenBattle
from saves.creating import create
from tests.gray_dawn_battles import person, weapon
from tests.sf_battles import gun, models

NAMES = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://evil.example/","x")',
    "[x](javascript:alert(1)) ![p](http://evil.example/p.png)",
    "a|b`c`*d*__e__~~f~~",
    "\x1b[31mred\x1b]0;title\x07\x1b[2J",
    "\u202egnirts\u2066 \u200b\ufeffx",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f3b2\ufe0f",
    "N" * 100,
    "</title></style></svg><img src=x onerror=alert(1)>",
    "+1",
    "@SUM(A1:A9)",
    "-2+3",
    " \t=1+1",
    "{{ 7 * 7 }}{% for x in y %}",
    "&lt;b&gt; &amp;#60;",
    "1. x",
    "https://evil.example www.evil.example a@evil.example",
    '" onmouseover="alert(1)',
    "$x^2$ \\[y\\]",
    "- \\* #",
)
"""Twenty names, none longer than 100 characters."""

PLAYER = "<b>An\x1b[31mna</b> | =1"
SIDES = ("<i>Red</i>|", "=Blue\u202e")


@pytest.fixture
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenBattle]:
    """A battle of the rule set that the test is parametrized with; written to and read from a file."""
    path = tmp_path / "h.battle.jsonl"
    create(path, rules=request.param, sides=SIDES, seed="hostile", name=NAMES[0])
    orders = suppression_fire() if request.param == "suppression-fire" else gray_dawn()
    with OpenBattle.open(path) as battle:
        for order in orders:
            battle.give(read_order(battle.history.rules, json.dumps(order)), by=PLAYER)
        battle.undo(by=PLAYER)
        yield battle


def suppression_fire() -> list[dict[str, Any]]:
    """Half of the units keep the heads of the others down, one of which runs for it; marks, notes, scores, the end."""
    red, blue = SIDES[0], "=Blue"  # the turned mark is taken off the side's name when the battle is created
    mustered = []
    for at, name in enumerate(NAMES):
        shuriken = gun(NAMES[at - 1], NAMES[at - 2], 24, 4, 5, "assault", 3)
        group = models(NAMES[at - 3], 4, shuriken, toughness=3, leadership=8, armour=5)
        profile = {"id": f"u{at}", "side": red if at % 2 else blue, "name": name, "groups": [group]}
        mustered.append({"type": "muster", "unit": profile})
    by = [{"unit": f"u{at}", "range": 12} for at in (0, 2)]
    return [
        *({"type": "note", "text": name} for name in NAMES),
        {"type": "mission", "text": NAMES[8]},
        *mustered,
        {"type": "begin_turn", "side": blue},
        {"type": "phase", "to": "shooting"},
        {"type": "declare", "target": "u1", "by": by},
        {"type": "test", "target": "u1"},
        {"type": "reroll_test", "target": "u1", "reason": NAMES[1]},
        {"type": "declare", "target": "u3", "by": [{"unit": "u4", "range": 12}]},
        {"type": "test", "target": "u3", "dice": [1, 1]},
        {"type": "end_turn"},
        {"type": "begin_turn", "side": red},
        {"type": "act", "unit": "u3", "action": "move"},
        {"type": "score", "side": red, "points": 3},
        {"type": "end_turn"},
        {"type": "end_battle", "winner": blue, "reason": NAMES[2]},
        {"type": "note", "text": NAMES[3]},
    ]


def gray_dawn() -> list[dict[str, Any]]:
    """Covering fire, a lane, a check, a crossing; whatever takes a reason."""
    red, blue = SIDES[0], "=Blue"
    gun_of = [weapon(NAMES[at - 1], "semi", "burst", "auto", damage="2d6+1") for at in range(len(NAMES))]
    mustered: list[dict[str, Any]] = [
        {"type": "muster", "combatant": person(f"u{at}", red if at % 2 else blue, gun_of[at], name=name)}
        for at, name in enumerate(NAMES)
    ]
    lane = {"weapon": NAMES[1], "kind": "saturation", "name": NAMES[3], "width": 2, "rounds": 10, "range": 40}
    return [
        *({"type": "note", "text": name} for name in NAMES),
        {"type": "mission", "text": NAMES[8]},
        *mustered,
        {"type": "begin_round", "lightning": ["u4"]},
        {"type": "covering_fire", "shooter": "u0", "weapon": NAMES[-1], "mode": "burst",
         "targets": [{"target": "u1", "count": 2, "range": 40}], "adjacent": ["u3"]},
        {"type": "lane", "shooter": "u2", **lane, "inside": ["u5"]},
        {"type": "check", "combatant": "u1"},
        {"type": "act", "combatant": "u5", "action": "cross", "lanes": [NAMES[3]], "avoid": "dodge"},
        {"type": "points", "combatant": "u7", "points": 2, "reason": NAMES[4]},
        {"type": "set", "combatant": "u7", "wounds": 1, "loaded": {NAMES[6]: 3}, "reason": NAMES[5]},
        {"type": "stance", "combatant": "u7", "stance": "bracing", "override": True, "reason": NAMES[8]},
        {"type": "spot", "observer": "u9", "flanker": "u6"},
        {"type": "score", "side": red, "points": 3},
        {"type": "end_round"},
        {"type": "end_battle", "winner": blue, "reason": NAMES[2]},
        {"type": "note", "text": NAMES[3]},
    ]  # fmt: skip
