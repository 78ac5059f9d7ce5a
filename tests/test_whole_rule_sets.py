"""Nothing of an order or an event is forgotten: each is judged, titled, told, folded and has its place in a report."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.registered import OURS, RULE_SETS, rule_set
from engine.ruleset import RuleSet
from tests.third_rules import FOLDER, with_rules_in

TABLES = {
    "firefight": ("rules.JUDGES", "telling.TITLES", "telling.TOLD", "events.FOLDS"),
    **dict.fromkeys(RULE_SETS, ("rules.JUDGES", "telling._TITLES", "telling._TOLD", "evolve.FOLDS")),
}
"""Where each rule set keeps what judges and names its orders, and what tells and folds its events."""

WITHOUT_A_KEY = {"import"}
"""Orders that no key of the rule set begins: lists come in by the screen's own."""

UNTOLD = {"suppression-fire": {"turn_began", "phase_began"}, "gray-dawn": set(), "firefight": {"round_began"}}
"""Events that a report tells by its headings alone."""


@pytest.fixture(params=TABLES)
def rules(request: pytest.FixtureRequest) -> Iterator[RuleSet]:
    with with_rules_in(FOLDER):
        yield rule_set(request.param)


def table(rules: RuleSet, which: int) -> set[type[Any]]:
    module, _, name = TABLES[rules.name][which].partition(".")
    return set(getattr(import_module(f"{RULE_SETS[rules.name]}.{module}"), name))


def tags(kinds: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in kinds}


def test_every_order_is_judged_and_titled(rules: RuleSet) -> None:
    orders = set(rules.order_types.__args__)
    assert table(rules, 0) == orders
    assert table(rules, 1) == orders


def test_every_event_is_told_and_folded(rules: RuleSet) -> None:
    events = set(rules.event_types.__args__)
    assert table(rules, 2) == events
    assert table(rules, 3) == events


def test_every_order_has_a_key(rules: RuleSet) -> None:
    assert {action.order for action in rules.actions} == tags(rules.order_types.__args__) - WITHOUT_A_KEY


def test_every_event_has_its_place_in_a_report(rules: RuleSet) -> None:
    events = tags(rules.event_types.__args__)
    told = {event for section in rules.sections for event in section.events}
    assert told <= events
    assert events - told == UNTOLD[rules.name]
    assert set(rules.suppressing) <= told


def words_of_code(file: Path) -> Iterator[str]:
    """Texts and imported modules in a file, but for what its docstrings say."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield f"{node.module} {' '.join(each.name for each in node.names)}"
        elif isinstance(node, ast.Import):
            yield " ".join(each.name for each in node.names)


def test_nothing_outside_its_folder_knows_a_rule_set() -> None:
    """Only the table of those that there are names them."""
    root = FOLDER.parent.parent
    own = {root / package.replace(".", "/") for package in OURS.values()}
    names = [name for rules in OURS for name in (rules, rules.replace("-", "_"), rule_set(rules).title)]
    knowing = {
        file.relative_to(root).as_posix()
        for part in ("engine", "saves", "tui")
        for file in (root / part).rglob("*.py")
        if not own & set(file.parents) and any(name in word for word in words_of_code(file) for name in names)
    }
    assert knowing == {"engine/registered.py"}
