"""The table of dice keys in docs/dice-keys.md is the one that play uses: it is part of the save format."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.history import History
from engine.refusals import Refusal
from engine.registered import RULE_SETS, rule_set
from saves.library import open_example
from tests.engine_battle import give, new_history

PAGE = Path(__file__).parent.parent / "docs" / "dice-keys.md"
CASES = Path(__file__).parent / "cases"
TURN = re.compile(r"^(t\d+-[^/]*|r\d+)$")


def table_of(title: str) -> set[tuple[str, int, bool]]:
    """Purpose, sides and whether a group is named, from the page's table for a rule set."""
    part = PAGE.read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.splitlines() if line.startswith("| ")]
    return {(row[0], int(row[1][1:]), bool(row[3])) for row in rows[2:]}


def played(rules: str) -> list[History]:
    """Every scenario case of a rule set, as far as it goes, and a declaration with random shots."""
    histories = []
    for name in (rules, "odds"):
        for case in json.loads((CASES / f"{name}.json").read_text()):
            if case["rules"] == rules:
                history = new_history(rules, tuple(case["sides"]), case["switches"])
                histories.append(history)
                for order in [*case["orders"], *([case["order"]] if "order" in case else [])]:
                    try:
                        give(history, order)
                    except Refusal:
                        break
    return histories


def random_shots() -> History:
    history = new_history()
    for unit, side, shots in (("lootas", "blue", "d3"), ("guns", "blue", "d6"), ("mob", "red", 2)):
        gun = {"name": "gun", "gun_type": "gun", "range": 48, "strength": 7, "type": "heavy", "shots": shots}
        group = {"name": "crew", "models": 5, "feel_no_pain": 4, "weapons": [gun]}
        give(history, {"type": "muster", "unit": {"id": unit, "side": side, "groups": [group]}})
    give(history, {"type": "begin_turn", "side": "blue"})
    give(history, {"type": "phase", "to": "shooting"})
    by = [{"unit": "lootas", "range": 40}, {"unit": "guns", "range": 40}]
    give(history, {"type": "declare", "target": "mob", "by": by})
    give(history, {"type": "test", "target": "mob"})
    return history


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_page_lists_the_keys_that_play_uses(name: str) -> None:
    with open_example(name) as battle:
        histories = [*played(name), battle.history]
    if name == "suppression-fire":
        histories.append(random_shots())
    used = set()
    for history in histories:
        for number in range(1, len(history.entries) + 1):
            for row in history.order(number).rolls if history.is_order(number) else ():
                turn, subject, group, rest = row.key.split("/")
                purpose, _, k = rest.rpartition("#")
                assert TURN.match(turn), row.key
                assert (subject, group, purpose) == (row.subject, row.group, row.purpose)
                assert k.isdigit()
                used.add((purpose, row.sides, bool(group)))
    assert used == table_of(rule_set(name).title)
