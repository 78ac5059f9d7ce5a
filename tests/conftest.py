"""What tests share."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import registered
from engine.ruleset import RuleSet
from saves import library
from tests import small_rules


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """The small rule set, registered for one test."""
    monkeypatch.setitem(registered.RULE_SETS, small_rules.NAME, small_rules.__name__)
    return small_rules.RULES


@pytest.fixture
def bundled(counter: RuleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bundled battles for one test, with one of the small rule set in it: `lesson`."""
    folder = tmp_path / "examples"
    folder.mkdir()
    small_rules.played_battle(folder / "lesson.battle.jsonl")
    monkeypatch.setattr(library, "_example_folder", lambda: folder)
    return folder


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder of root's that everybody may read. The test becomes another user by os.seteuid(65534)."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user for a test")
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        os.seteuid(0)
        shutil.rmtree(folder)
