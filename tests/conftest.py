"""What tests share."""

from __future__ import annotations

import pytest

from engine import registered
from engine.ruleset import RuleSet
from tests import small_rules


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """The small rule set, registered for one test."""
    monkeypatch.setitem(registered.RULE_SETS, small_rules.NAME, small_rules.__name__)
    return small_rules.RULES
