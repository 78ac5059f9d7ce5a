"""Saves from elsewhere: checked, then copied; what is wrong with them is told, and the file itself is left alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.chain import FIRST, sealed
from saves.faults import Fault, NotABattle, Stopped, Unreadable
from saves.library import copy_example, examples
from saves.taking_in import checked, loss_words, losses, repaired_beside, taken_in, taken_in_repaired, typed_path
from saves.verifying import verify
from tui.save_check import paths_from


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return copy_example("gray-dawn", tmp_path / "elsewhere")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


def damage(path: Path, entry: int) -> bytes:
    """Put something else in the place of an entry; gives what is there then."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:entry], b"nothing\n", *lines[entry + 1 :]]))
    return path.read_bytes()


@pytest.mark.parametrize("name", examples())
def test_a_sound_save_is_copied_as_it_is(name: str, tmp_path: Path, library: Path) -> None:
    save = copy_example(name, tmp_path / "elsewhere")
    seen: list[int] = []
    found = checked(save, library, seen.append)
    assert (found.trouble, found.there) == ("", None)
    assert seen == list(range(1, len(seen) + 1)), "told entry by entry"
    path = taken_in(found, library)
    assert path.read_bytes() == save.read_bytes()
    assert verify(path).ok


def test_the_same_battle_is_found_in_the_library_whatever_its_name(save: Path, library: Path) -> None:
    path = taken_in(checked(save, library), library)
    path = path.rename(path.with_name("other.battle.jsonl"))
    assert checked(save, library).there == path
    with OpenBattle.open(path) as battle:
        battle.undo()
    assert checked(save, library).there is None


def test_of_two_saves_with_the_same_name_none_is_overwritten(save: Path, library: Path) -> None:
    first, second = (taken_in(checked(save, library), library) for _ in range(2))
    assert (first.name, second.name) == ("gray-dawn.battle.jsonl", "gray-dawn-2.battle.jsonl")


def test_a_damaged_save_is_told_and_may_be_taken_in_or_repaired(save: Path, library: Path) -> None:
    content = damage(save, 30)
    found = checked(save, library)
    assert found.trouble == f"{save}: entry 30 is damaged"
    assert losses(save).endswith("lost; the first: entry 30 is damaged: 7 bytes that cannot be read.")
    as_is = taken_in(found, library)
    with OpenBattle.open(as_is, read_only=True) as battle:
        assert len(battle.history.entries) == 29
    mended, repair = taken_in_repaired(found, library)
    assert mended.name == "gray-dawn-repaired.battle.jsonl"
    assert verify(mended).ok
    assert loss_words(repair) == losses(save)
    assert save.read_bytes() == as_is.read_bytes() == content


def test_a_battle_is_repaired_beside_itself(save: Path) -> None:
    content = damage(save, 30)
    paths = [repaired_beside(save)[0] for _ in range(2)]
    assert [path.name for path in paths] == ["gray-dawn-repaired.battle.jsonl", "gray-dawn-repaired-2.battle.jsonl"]
    assert all(verify(path).ok for path in paths)
    assert save.read_bytes() == content


def test_an_outcome_that_was_changed_is_found_out(save: Path, library: Path) -> None:
    """Its chain was made anew, so that nothing but the rules tell."""
    mark = FIRST
    lines: list[bytes] = []
    for number, line in enumerate(save.read_bytes().splitlines()):
        record = line[: line.rindex(b',"h":"')] + b"}"
        if b'"outcome":"passed"' in record and not any(b'"outcome":"failed"' in each for each in lines):
            record, altered = record.replace(b'"outcome":"passed"', b'"outcome":"failed"', 1), number
        sealed_line, mark = sealed(record, mark)
        lines.append(sealed_line)
    save.write_bytes(b"".join(lines))
    assert f"entry {altered}" in checked(save, library).trouble


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "is empty"), (b"hello\n", "is no battle"), (b"{}\n", "is no battle"), (b"\0" * 99, "is no battle")],
)
def test_what_is_no_battle_is_refused(save: Path, library: Path, content: bytes, why: str) -> None:
    save.write_bytes(content)
    with pytest.raises(NotABattle, match=why):
        checked(save, library)
    assert not library.exists()


def test_checking_can_be_stopped(save: Path, library: Path) -> None:
    def stop(entry: int) -> None:
        if entry == 3:
            raise Stopped

    with pytest.raises(Stopped):
        checked(save, library, stop)
    assert not library.exists()


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_cannot_be_read_is_one_sentence(library: Path, tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "x.battle.jsonl")
    with pytest.raises(Fault, match=r"x\.battle\.jsonl"):
        checked(tmp_path / "x.battle.jsonl", library)


def test_a_library_that_cannot_be_written_is_told(save: Path, as_nobody: Path) -> None:
    found = checked(save, as_nobody)
    os.seteuid(65534)
    with pytest.raises(Unreadable, match="cannot be written: Permission denied"):
        taken_in(found, as_nobody)


def test_paths_as_people_type_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/eve")
    assert typed_path(" ~/a b.jsonl ") == Path("/home/eve/a b.jsonl")
    assert typed_path("'/x/y.jsonl'") == Path("/x/y.jsonl")
    with pytest.raises(Unreadable, match="type the path"):
        typed_path("  ")


def test_paths_are_completed_with_saves_and_folders(tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir()
    for name in ("sa.battle.jsonl", "sb.jsonl", "s.txt", ".s.jsonl", "saves/in.jsonl"):
        (tmp_path / name).write_text("")
    assert paths_from(f"{tmp_path}/s") == tuple(
        f"{tmp_path}/{name}" for name in ("sa.battle.jsonl", "sb.jsonl", "saves/")
    )
    assert paths_from(f"{tmp_path}/saves/") == (f"{tmp_path}/saves/in.jsonl",)
    assert paths_from(f"{tmp_path}/.s") == (f"{tmp_path}/.s.jsonl",)
    assert paths_from(f"{tmp_path}/none/x") == ()
