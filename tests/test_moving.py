"""Battles that change places: another name, into the trash and back. Nothing is overwritten, nobody loses theirs."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.faults import AlreadyThere, Busy, Fault, NotABattle, Unreadable
from saves.holder import note_path
from saves.moving import file_named, removed_for_good, renamed, taken_back, thrown_away, trash_of
from saves.secrets_kept import keep_secret, kept_secrets, secret_file
from tests.small_rules import small_battle

pytestmark = pytest.mark.usefixtures("counter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_battle(tmp_path / "friday.battle.jsonl")


def test_a_battle_gets_another_name(path: Path) -> None:
    content = path.read_bytes()
    there = renamed(path, "  Saturday night ")
    assert there.name == "Saturday night.battle.jsonl"
    assert there.read_bytes() == content
    assert not path.exists()
    assert renamed(there, "Saturday night") == there
    OpenBattle.open(there).close()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "a battle needs a name"),
        ("  \x1b\n", "a battle needs a name"),
        ("a" * 101, "too long"),
        ("火" * 80, "too long"),
        ("a/b", "cannot be a file's name"),
        ("..", "cannot be a file's name"),
        (".hidden", "cannot be a file's name"),
    ],
)
def test_what_is_no_name_is_refused(path: Path, name: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        renamed(path, name)
    assert path.exists()


def test_the_suffix_may_be_typed() -> None:
    assert file_named("x.battle.jsonl") == file_named("x") == "x.battle.jsonl"


@pytest.mark.parametrize("links", [True, False])
def test_no_other_battle_is_overwritten(path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    """Also where the file system knows no links."""
    if not links:
        monkeypatch.setattr(os, "link", _no_links)
    other = small_battle(path.with_name("saturday.battle.jsonl"))
    before = other.read_bytes()
    with pytest.raises(AlreadyThere, match="there is a battle saturday already; choose another name"):
        renamed(path, "saturday")
    assert other.read_bytes() == before
    first = thrown_away(path)
    other.rename(path)
    second = thrown_away(path)
    assert [first.name, second.name] == ["friday.battle.jsonl", "friday-2.battle.jsonl"]
    assert taken_back(second) == path.with_name("friday-2.battle.jsonl")
    assert taken_back(first) == path


def _no_links(*args: object, **named: object) -> None:
    raise PermissionError(1, "Operation not permitted")


@pytest.fixture
def secrets(path: Path) -> tuple[bytes, ...]:
    """Those of sealed dice, beside the battle."""
    keep_secret(path, b"1" * 32, first=True)
    keep_secret(path, b"2" * 32)
    return kept_secrets(path)


@pytest.mark.parametrize("links", [True, False])
def test_the_secrets_of_sealed_dice_go_where_the_battle_goes(
    path: Path, secrets: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", _no_links)
    for move in (lambda at: renamed(at, "saturday"), thrown_away, taken_back):
        there = move(path)
        assert kept_secrets(there) == secrets
        assert secret_file(there).stat().st_mode & 0o777 == 0o600
        assert not secret_file(path).exists()
        path = there
    removed_for_good(thrown_away(path))
    assert [each for each in path.parent.rglob("*") if each.is_file()] == []


def test_the_secrets_stay_where_the_battle_stays(path: Path, secrets: tuple[bytes, ...]) -> None:
    """And never lie beside another battle."""
    other = small_battle(path.with_name("saturday.battle.jsonl"))
    with pytest.raises(AlreadyThere):
        renamed(path, "saturday")
    assert (kept_secrets(path), kept_secrets(other)) == (secrets, ())
    other.unlink()
    keep_secret(other, b"3" * 32, first=True)
    with pytest.raises(AlreadyThere):
        renamed(path, "saturday")
    assert (kept_secrets(path), kept_secrets(other)) == (secrets, (b"3" * 32,))
    with OpenBattle.open(path), pytest.raises(Busy):
        renamed(path, "sunday")
    assert kept_secrets(path) == secrets
    assert not secret_file(path.with_name("sunday.battle.jsonl")).exists()


def test_only_what_lies_in_the_trash_is_removed(path: Path) -> None:
    with pytest.raises(Unreadable, match="only what lies there is removed for good"):
        removed_for_good(path)
    with pytest.raises(Unreadable, match="is not in the trash"):
        taken_back(path)
    there = thrown_away(path)
    assert there.parent == trash_of(path.parent)
    removed_for_good(there)
    assert not there.exists()
    with pytest.raises(Unreadable, match="is not there"):
        removed_for_good(there)


@pytest.mark.parametrize("read_only", [True, False])
def test_what_somebody_has_open_stays_where_it_is(path: Path, read_only: bool) -> None:
    with OpenBattle.open(path, read_only=read_only):
        for move in (thrown_away, lambda path: renamed(path, "other")):
            with pytest.raises(Busy, match="is open elsewhere; leave it there first"):
                move(path)
    assert path.exists()
    assert thrown_away(path).exists()


def test_what_somebody_is_writing_stays_where_it_is(path: Path) -> None:
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Busy, match=r"is being written by somebody else .*; try again in a moment"):
            thrown_away(path)
    assert path.exists()


def test_the_note_of_a_writer_who_was_killed_goes_along(path: Path) -> None:
    note_path(path).write_text("")
    thrown_away(path)
    assert not note_path(path).exists()


def test_a_file_that_is_no_battle_can_be_thrown_away_and_a_pipe_cannot(path: Path) -> None:
    path.write_text("nothing like a battle")
    assert thrown_away(path).read_text() == "nothing like a battle"
    os.mkfifo(path)
    with pytest.raises(NotABattle, match="is a pipe or a device"):
        thrown_away(path)


def test_what_the_system_refuses_is_one_sentence(path: Path, as_nobody: Path) -> None:
    there = as_nobody / path.name
    there.write_bytes(path.read_bytes())
    there.chmod(0o644)
    os.seteuid(65534)
    for move in (thrown_away, lambda path: renamed(path, "other")):
        with pytest.raises(Fault, match=r"cannot be written: Permission denied$"):
            move(there)
    assert there.exists()


def test_a_trash_that_is_a_file_is_told(path: Path) -> None:
    trash_of(path.parent).write_text("")
    with pytest.raises(Unreadable, match="is a file, not a folder for battles"):
        thrown_away(path)
    assert path.exists()
