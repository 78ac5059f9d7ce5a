"""The rule set of docs/a-third-rule-set.md in tests, found where Python looks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from engine import registered
from engine.ruleset import RuleSet
from saves.armoury import armoury

FOLDER = Path(__file__).parent / "third_rule_set"
PACKAGE = FOLDER / registered.ADDED / "firefight"


@contextmanager
def with_rules_in(folder: Path) -> Iterator[None]:
    """Rule sets from that folder, as in a program that was started with it on Python's path."""
    kept = {name: module for name, module in sys.modules.items() if not _added(name)}
    elsewhere = [each for each in sys.path if not Path(each, registered.ADDED).is_dir()]
    with patch.dict(sys.modules, kept, clear=True), patch.object(sys, "path", [str(folder), *elsewhere]):
        armoury.cache_clear()
        try:
            with patch.dict(registered.RULE_SETS, registered.found(), clear=True):
                yield
        finally:
            armoury.cache_clear()


def _added(module: str) -> bool:
    return module.partition(".")[0] == registered.ADDED


def firefight() -> RuleSet:
    return registered.rule_set("firefight")


SETTING_UP = (
    {"type": "muster", "squad": {"id": "rifles", "side": "Blue", "soldiers": 9}},
    {"type": "muster", "squad": {"id": "guns", "side": "Blue", "soldiers": 4, "firepower": 8, "nerve": 7}},
    {"type": "muster", "squad": {"id": "militia", "side": "Red", "soldiers": 12, "nerve": 6, "ground": "cover"}},
    {"type": "begin_round"},
)
