"""The rule sets there are. A new one is one line here and one folder beside this file."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from engine.refusals import Refusal
from engine.ruleset import RuleSet

RULE_SETS = {
    "suppression-fire": "engine.suppression_fire",
    "gray-dawn": "engine.gray_dawn",
}


def rule_set(name: str) -> RuleSet:
    """The rule set of that name, loaded when first asked for; raises Refusal (`order`) where there is none."""
    if name not in RULE_SETS:
        raise Refusal("order", f"there are no rules named {name}; there are: {', '.join(RULE_SETS)}")
    return cast(RuleSet, import_module(RULE_SETS[name]).RULES)
