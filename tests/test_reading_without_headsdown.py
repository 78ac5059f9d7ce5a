"""The stand-alone reader of docs/save-format.md: 80 lines that say of a save what `headsdown verify` says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from saves.library import SUFFIX
from saves.published_schema import FOLDER as SCHEMAS
from saves.verifying import verify
from tests.damaged_saves import damaged_saves
from tests.released_saves import FOLDER

ROOT = Path(__file__).parent.parent
READER = ROOT / "docs" / "examples" / "read_battle.py"
SOUND = [*sorted((SCHEMAS.parent / "examples").glob(f"*{SUFFIX}")), *sorted(FOLDER.glob(f"*/*{SUFFIX}"))]


def read(path: Path) -> tuple[int, Any]:
    """Its exit status and what it printed."""
    ran = subprocess.run([sys.executable, "-I", READER, path], capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""
    return ran.returncode, json.loads(ran.stdout)


def test_it_is_short_and_needs_nothing() -> None:
    lines = READER.read_text().splitlines()
    assert len(lines) <= 80
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", SOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_sound_saves(path: Path) -> None:
    status, report = read(path)
    ours = verify(path)
    assert (status, report["ok"], report["kind"]) == (0, True, None)
    assert (report["entries"], report["head"]) == (ours.entries, ours.head)
    assert f"{report['entries']}:{report['mark']}" == ours.mark


@pytest.mark.parametrize("save", damaged_saves(), ids=lambda save: save.name)
def test_damaged_saves(tmp_path: Path, save: Any) -> None:
    """What only the rules or the types can tell it does not know of; all else it calls by the same name."""
    path = tmp_path / "a.battle.jsonl"
    path.write_bytes(save.content)
    status, report = read(path)
    ours = verify(path)
    if save.name in ("made-up-outcome", "made-up-number", "a-kind-of-entry-from-later", "newer-format"):
        assert (status, report["ok"]) == (0, True)
        return
    assert (status, report["ok"], report["kind"]) == (3, False, save.kind)
    assert report["entries"] == ours.entries


def test_dice_that_are_not_those_of_the_seed(tmp_path: Path) -> None:
    from tests.small_saves import rechained

    content = (SCHEMAS.parent / "examples" / f"gray-dawn{SUFFIX}").read_bytes()
    path = tmp_path / "a.battle.jsonl"
    seed = json.loads(content.splitlines()[0])["dice"]["seed"].encode()
    path.write_bytes(rechained(content, lambda records: [records[0].replace(seed, b"00" * 32), *records[1:]]))
    assert read(path)[1]["kind"] == verify(path).kind == "altered"
