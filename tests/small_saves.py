"""Bytes of small battles for tests of what becomes of them: damaged, cut, sealed anew."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine import registered
from saves.battle import OpenBattle
from saves.chain import FIRST, SEAL, sealed
from tests.small_rules import NAME, Note, played_battle

ENTRIES = 5
"""Of the small battle."""


@cache
def small_save() -> bytes:
    """The bytes of a small battle with ENTRIES entries."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setitem(registered.RULE_SETS, NAME, "tests.small_rules")
        return played_battle(Path(folder) / "a.battle.jsonl").read_bytes()


def line_ends(content: bytes) -> list[int]:
    """Where each line ends, behind its line feed."""
    return [at + 1 for at, byte in enumerate(content) if byte == 0x0A]


def rechained(content: bytes, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """The file with its records changed and sealed anew, as somebody would who knows how."""
    records = change([line[:-SEAL] + b"}" for line in content.splitlines()])
    mark, lines = FIRST, b""
    for record in records:
        line, mark = sealed(record, mark)
        lines += line
    return lines


def entries_in(path: Path) -> int:
    """How many entries a reader finds."""
    with OpenBattle.open(path, read_only=True) as battle:
        return len(battle.history.entries)


def append(path: Path, text: str = "later") -> int:
    """Open the battle, add a note, and give the number it got."""
    with OpenBattle.open(path) as battle:
        return battle.give(Note(text=text)).n
