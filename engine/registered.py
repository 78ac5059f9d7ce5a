"""The rule sets there are: those that come with the program, and those added beside it.

A rule set is a package with `RULES`. Our own are in `engine/`; others are packages in a folder `headsdown_rules` on
Python's path, called there as they are here, with `_` for `-` (docs/a-third-rule-set.md). None of them is loaded before
it is asked for, and none by a name that only a file says.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast

from engine.refusals import Refusal
from engine.ruleset import RuleSet

OURS = {
    "suppression-fire": "engine.suppression_fire",
    "gray-dawn": "engine.gray_dawn",
}

ADDED = "headsdown_rules"
"""The namespace of rule sets from elsewhere: it has no `__init__.py`, so that several folders may be parts of it."""


def found() -> dict[str, str]:
    """The packages of all rule sets by their names, ours first; none from elsewhere takes the name of one of ours."""
    try:
        parts = import_module(ADDED).__path__
    except ImportError:
        return dict(OURS)
    from pkgutil import iter_modules  # slow to load, and hardly anybody has any

    names = sorted(module.name for module in iter_modules(parts) if module.ispkg)
    added = {name.replace("_", "-"): f"{ADDED}.{name}" for name in names}
    return {**OURS, **{name: package for name, package in added.items() if name not in OURS}}


RULE_SETS = found()


def rule_set(name: str) -> RuleSet:
    """The rule set of that name, loaded when first asked for.

    Raises Refusal (`order`) where there is none, or where one from elsewhere cannot be loaded.
    """
    if name not in RULE_SETS:
        raise Refusal("order", f"there are no rules named {name}; there are: {', '.join(RULE_SETS)}")
    package = RULE_SETS[name]
    if not package.startswith(f"{ADDED}."):
        return cast(RuleSet, import_module(package).RULES)
    try:
        rules = cast(RuleSet, import_module(package).RULES)
        called = rules.name
    except Exception as broken:
        why = f"{type(broken).__name__}: {broken}"
        raise Refusal("order", f"the rules {name} ({package}) cannot be loaded: {why[:200]}") from broken
    if called != name:
        raise Refusal("order", f"the rules {name} ({package}) cannot be loaded: they call themselves {called}")
    return rules


def rule_sets() -> tuple[RuleSet, ...]:
    """All rule sets that can be loaded, ours first."""
    return tuple(rules for rules, _ in map(_tried, RULE_SETS) if rules is not None)


def broken_rule_sets() -> tuple[str, ...]:
    """Why rule sets from elsewhere cannot be loaded, a sentence each."""
    return tuple(why for _, why in map(_tried, RULE_SETS) if why)


def _tried(name: str) -> tuple[RuleSet | None, str]:
    try:
        return rule_set(name), ""
    except Refusal as refusal:
        return None, refusal.message
