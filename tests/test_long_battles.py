"""Battles of many entries: folded in place, kept as text, listed from a shelf. Nobody sees any of it."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from benchmarks import long_battles
from engine import recorded_entries
from engine.entries import OrderEntry
from engine.folding import own_copy
from engine.history import History
from engine.orders import read_order
from saves import reading, shelf
from saves.battle import OpenBattle
from saves.chain import FIRST, SEAL, sealed
from saves.library import battles, copy_example, examples
from saves.verifying import verify

NAMES = ("gray-dawn", "suppression-fire")


def folded_one_by_one(played: History, upto: int) -> object:
    """The state after an entry, each event folded into a state that somebody has seen."""
    state = played.rules.begin(played.header.sides, played.header.switches)
    for node in played.path(played.head_after(upto)):
        for event in played.order(node).events:
            state = played.rules.evolve(state, event)
    return state


@pytest.mark.parametrize("name", NAMES)
def test_the_state_after_every_entry_is_that_of_folding_event_by_event(name: str, tmp_path: Path) -> None:
    with OpenBattle.open(copy_example(name, tmp_path), read_only=True) as battle:
        played = battle.history
        for number in range(len(played.entries) + 1):
            assert played.state_at(played.head_after(number)) == folded_one_by_one(played, number)


@pytest.mark.parametrize("name", NAMES)
def test_a_state_that_was_seen_never_changes(name: str, tmp_path: Path) -> None:
    with OpenBattle.open(copy_example(name, tmp_path), read_only=True) as battle:
        again = History(battle.history.header, battle.history.rules)
        seen, told = [], []
        for entry in battle.history.entries:
            again.take(entry)
            seen.append(again.state)
            told.append(msgspec.json.encode(again.rules.show(again.state)))
        shown = [msgspec.json.encode(again.rules.show(state)) for state in seen]
        assert shown == told


def test_what_cannot_be_folded_leaves_the_state_as_it_was(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path), read_only=True) as battle:
        played = battle.history
        again = History(played.header, played.rules)
        for entry in played.entries[:20]:
            again.take(entry)
        wound = next(entry for entry in played.entries if isinstance(entry, OrderEntry) and len(entry.events) > 1)
        missing = played.rules.event_types.__args__
        stranger = next(kind for kind in missing if kind.__name__ == "TakenOut")("nobody")
        impossible = OrderEntry(21, "", 0, wound.order, (), (*wound.events[:1], stranger), again.head)
        with pytest.raises(KeyError):
            again.take(impossible)
        assert (len(again.entries), again.state) == (20, folded_one_by_one(played, 20))


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_of_its_own_shares_no_mapping_with_the_state_it_was_made_of(name: str, tmp_path: Path) -> None:
    with OpenBattle.open(copy_example(name, tmp_path), read_only=True) as battle:
        state = battle.history.state
    own = own_copy(state)
    assert own == state
    begun = set(battle.history.rules.begin(battle.history.header.sides, {}).__struct_fields__) - {"switches"}
    mappings = [field for field in begun if isinstance(getattr(state, field), dict)]
    assert len(mappings) >= 3
    assert not any(getattr(own, field) is getattr(state, field) for field in mappings)
    assert own_copy("no struct") == "no struct"


def test_entries_kept_as_text_read_as_before(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = long_battles.write(tmp_path / "long.battle.jsonl", "suppression-fire", 300)
    with OpenBattle.open(path, read_only=True) as battle:
        whole, rolled = list(battle.history.entries), dict(battle.history.rolled)
    request.getfixturevalue("few_are_kept")
    with OpenBattle.open(path, read_only=True) as battle:
        assert battle.problem is None
        entries = battle.history.entries
        assert entries == whole
        assert list(reversed(entries)) == whole[::-1]
        assert (entries[-1], entries[10:13]) == (whole[-1], whole[10:13])
        assert dict(battle.history.rolled) == rolled


@pytest.fixture
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles of eight entries are long ones."""
    monkeypatch.setattr(recorded_entries, "KEPT_READ", 7)
    monkeypatch.setattr(reading, "READ_WHOLE", 7)


FORGED = {
    "an unknown order": (b'"order":{"type":"phase"', b'"order":{"type":"parade"'),
    "a face of no die": (b'"dice":[', b'"dice":["x",'),
    "a moment that is none": (b'"t":', b'"t":"x","was":'),
}


@pytest.mark.usefixtures("few_are_kept")
@pytest.mark.parametrize("forgery", FORGED)
def test_what_is_read_only_when_somebody_looks_may_be_forged_and_breaks_nothing(forgery: str, tmp_path: Path) -> None:
    """A sealed line whose order, rolls or moment make no sense: play goes on, verify names the entry."""
    before, after = FORGED[forgery]
    lines = list(islice(long_battles.lines("suppression-fire"), 40))
    number = next(n for n, line in enumerate(lines) if before in line and n > 10)
    mark, written = FIRST, []
    for n, line in enumerate(lines):
        record = line[: -SEAL - 1] + b"}"
        whole, mark = sealed(record.replace(before, after, 1) if n == number else record, mark)
        written.append(whole)
    path = tmp_path / "long.battle.jsonl"
    path.write_bytes(b"".join(written))
    with OpenBattle.open(path) as battle:
        entry = battle.history.entries[number - 1]
        assert isinstance(entry, OrderEntry)
        assert entry.order.text.startswith("(what was ordered here was altered and cannot be read: ")
        assert battle.history.title(number)
        assert battle.history.state == folded_one_by_one(battle.history, 39)
        battle.give(read_order(battle.history.rules, '{"type":"note","text":"on we go"}'))
    report = verify(path)
    assert (report.ok, report.kind in ("altered", "other_rules"), report.first_bad) == (False, True, number)


@pytest.mark.usefixtures("few_are_kept")
def test_a_long_battle_rolls_the_same_dice_as_one_that_is_kept_read(tmp_path: Path) -> None:
    path = long_battles.write(tmp_path / "long.battle.jsonl", "gray-dawn", 300)
    with OpenBattle.open(path, read_only=True, whole=True) as kept, OpenBattle.open(path, read_only=True) as texts:
        assert dict(texts.history.rolled) == dict(kept.history.rolled)
        for number in (300, 180, 33):
            node = kept.history.head_after(number)
            assert vars(texts.history.keys_at(node)) == vars(kept.history.keys_at(node))


@pytest.mark.parametrize("name", NAMES)
def test_long_battles_are_drawn_line_by_line_from_the_bundled_ones(name: str, tmp_path: Path) -> None:
    bundled = copy_example(name, tmp_path).read_bytes().splitlines(keepends=True)
    drawn = list(islice(long_battles.lines(name), 200))
    assert drawn[: len(bundled) - 1] == bundled[:-1]
    path = tmp_path / "long.battle.jsonl"
    path.write_bytes(b"".join(drawn))
    with OpenBattle.open(path, read_only=True) as battle:
        assert (battle.problem, len(battle.history.entries)) == (None, 199)


# The shelf of a large folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of enough battles for a shelf, and a library for that."""
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "library"))
    (tmp_path / "library").mkdir()
    battles_there = tmp_path / "battles"
    for number in range(shelf.FEW):
        copy_example(examples()[number % 2], battles_there)
    return battles_there


def test_a_large_folder_is_listed_again_as_it_was(folder: Path, tmp_path: Path) -> None:
    first = battles(folder)
    assert (tmp_path / "library" / shelf.FILE).exists()
    assert battles(folder) == first


def test_what_changed_since_is_read_anew(folder: Path) -> None:
    changed_one = Path(battles(folder)[0].file)
    with OpenBattle.open(changed_one) as battle:
        battle.undo()
    (shown,) = (each for each in battles(folder) if each.file == str(changed_one))
    with OpenBattle.open(changed_one, read_only=True) as battle:
        assert shown.entries == len(battle.history.entries)


def test_damage_of_the_last_line_shows_although_size_and_time_are_the_same(folder: Path) -> None:
    path = Path(battles(folder)[0].file)
    before, text = path.stat(), bytearray(path.read_bytes())
    text[-50] ^= 1
    path.write_bytes(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [each.file for each in battles(folder) if each.damaged] == [str(path)]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1]", b'{"version":"0","battles":{}}', b"\xff" * 100, b"[" * 100_000]
)
def test_a_shelf_that_makes_no_sense_is_passed_over(folder: Path, tmp_path: Path, content: bytes) -> None:
    first = battles(folder)
    (tmp_path / "library" / shelf.FILE).write_bytes(content)
    assert battles(folder) == first


def test_without_a_library_nothing_is_kept(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "missing"))
    assert battles(folder) == battles(folder)
    assert not (tmp_path / "missing").exists()
