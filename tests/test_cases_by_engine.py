"""The scenario cases, played through the engine alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.refusals import Refusal
from engine.registered import RULE_SETS
from engine.verification import verify_history
from tests.engine_battle import give, new_history, odds

CASES = [
    case
    for name in ("suppression-fire", "gray-dawn", "odds")
    for case in json.loads((Path(__file__).parent / "cases" / f"{name}.json").read_text())
    if case["rules"] in RULE_SETS
]
MISSING = object()


def value_at(tree: Any, path: str) -> Any:
    for key in path.split("."):
        if not isinstance(tree, dict) or key not in tree:
            return MISSING
        tree = tree[key]
    return tree


def assert_shows(show: dict[str, Any], expected: dict[str, Any]) -> None:
    found = {path: value_at(show, path) for path in expected}
    assert found == expected
    assert [type(value) for value in found.values()] == [type(value) for value in expected.values()]


def assert_close(found: Any, expected: Any, path: str = "") -> None:
    """Numbers agree to 11 significant digits; an outcome missing from a distribution has chance 0."""
    if not isinstance(expected, dict):
        assert found == pytest.approx(expected, rel=1e-11, abs=1e-14), path
        return
    keys = set(expected) | (set(found) if path.endswith("distribution") else set())
    for key in keys:
        assert_close(found.get(key, 0), expected.get(key, 0), f"{path}.{key}")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    history = new_history(case["rules"], tuple(case["sides"]), case["switches"])
    expected = {} if "order" in case else case["expect"]
    last = expected["refused"]["order"] if "refused" in expected else len(case["orders"]) + 1
    for order in case["orders"][: last - 1]:
        give(history, order)
    if "refused" in expected:
        clauses = expected["refused"]["clause"]
        with pytest.raises(Refusal) as refused:
            give(history, case["orders"][last - 1])
        assert refused.value.clause in ([clauses] if isinstance(clauses, str) else clauses)
        assert len(history.entries) == last - 1
    if "order" in case:
        before = history.state
        assert_close(odds(history, case["order"]), case["expect"])
        assert history.state is before
    assert_shows(history.rules.show(history.state), expected.get("show", {}))
    for step in case.get("after", []):
        entry = history.undo("", 0) if step["run"] == ["undo"] else history.redo("", 0)
        history.take(entry)
        assert_shows(history.rules.show(history.state), step["show"])
    finding, _ = verify_history(history)
    assert finding is None
