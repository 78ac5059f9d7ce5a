"""Group 15 of the crash cases: saves of older versions are read as they were, those of newer ones not written to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.entries import (
    VERSION,
    AnswerEntry,
    BookmarkEntry,
    Entry,
    RequestEntry,
    RevealEntry,
    SealEntry,
    UnmarkEntry,
    WordsEntry,
)
from saves.battle import OpenBattle
from saves.faults import Damaged, Fault
from saves.records import record_of
from saves.repairing import repair
from saves.verifying import verify
from tests.headsdown_command import headsdown
from tests.released_saves import FOLDER, told_of
from tests.small_saves import rechained

APART = {RequestEntry, AnswerEntry, SealEntry, WordsEntry, RevealEntry}

LATER = {"0.1.0": {BookmarkEntry, UnmarkEntry, *APART}}
"""The kinds of entries that a version did not have yet."""

SAVES = sorted(FOLDER.glob("*/*.battle.jsonl"))


def within(known: Any, now: Any) -> bool:
    """Whether all that was told is told still; a newer version may tell more."""
    if isinstance(known, dict):
        return isinstance(now, dict) and all(key in now and within(value, now[key]) for key, value in known.items())
    return bool(known == now)


def ids(path: Path) -> str:
    return f"{path.parent.name}/{path.name.partition('.')[0]}"


@pytest.mark.parametrize("path", SAVES, ids=ids)
def test_a_save_of_a_released_version_comes_to_what_it_came_to(path: Path) -> None:
    known = json.loads(path.with_suffix("").with_suffix(".json").read_text())
    now = told_of(path)
    verified, verified_now = known.pop("verify"), now.pop("verify")
    assert within(known, now)
    # Other rules may make something else of the dice by now; that is said, and changes nothing.
    assert verified_now["kind"] in (None, "other_rules")
    assert (verified_now["entries"], verified_now["mark"]) == (verified["entries"], verified["mark"])


@pytest.mark.parametrize("folder", sorted({path.parent for path in SAVES}), ids=lambda folder: folder.name)
def test_the_saves_of_a_released_version_hold_every_kind_of_entry(folder: Path) -> None:
    kinds = set()
    for path in folder.glob("*.battle.jsonl"):
        with OpenBattle.open(path, read_only=True) as battle:
            kinds |= {type(entry) for entry in battle.history.entries}
            again = [record_of(entry) for entry in battle.history.entries]
        assert len(again) == path.read_bytes().count(b"\n") - 1
    assert kinds == set(get_args(Entry)) - LATER.get(folder.name, set())


@pytest.mark.parametrize("path", SAVES, ids=ids)
def test_people_play_on_in_it(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    assert headsdown("play", copy, "--orders", "-", stdin='{"type":"note","text":"on we go"}').status == 0
    assert copy.read_bytes().startswith(path.read_bytes())
    assert verify(copy).kind in (None, "other_rules")


# Newer versions


def newer(path: Path, tmp_path: Path, old: bytes, new: bytes) -> Path:
    made = tmp_path / "newer.battle.jsonl"
    made.write_bytes(rechained(path.read_bytes(), lambda records: [records[0].replace(old, new), *records[1:]]))
    return made


def test_a_newer_format_that_this_version_cannot_read(tmp_path: Path) -> None:
    made = newer(SAVES[0], tmp_path, b'"min_reader":%d' % VERSION, b'"min_reader":%d' % (VERSION + 1))
    with pytest.raises(Damaged, match=r"newer headsdown.*install that"):
        OpenBattle.open(made, read_only=True)
    with pytest.raises(Fault, match=r"newer headsdown.*repair it with that"):
        repair(made, tmp_path / "new")
    assert headsdown("show", made).status == 3
    assert verify(made).kind == "other_rules"


def test_a_newer_format_that_this_version_may_read(tmp_path: Path) -> None:
    """It is shown with a warning and not written to."""
    made = newer(SAVES[0], tmp_path, b'"v":%d,' % VERSION, b'"v":%d,"weather":{"wind":2},' % (VERSION + 1))
    before = made.read_bytes()
    with OpenBattle.open(made, read_only=True) as battle:
        assert "begun by a newer headsdown" in battle.warning
        assert len(battle.history.entries) > 20
    with pytest.raises(Damaged, match="newer"):
        OpenBattle.open(made)
    assert headsdown("undo", made).status == 3
    assert made.read_bytes() == before
