"""Bookmarks and notes in the file, which leave the battle as it stands; and battles that go on from another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.entries import BookmarkEntry, OrderEntry, RecoveredEntry, UnmarkEntry
from engine.history import History, ImpossibleEntry
from engine.orders import read_order
from engine.refusals import Refusal
from saves.battle import OpenBattle
from saves.continuing import continue_from, default_name
from saves.faults import Fault, Unreadable
from saves.library import battles, copy_example, examples
from saves.repairing import repair
from saves.verifying import verify
from tests.headsdown_command import headsdown
from tests.screen import press, screen_text
from tests.small_saves import rechained
from tests.test_reading_without_headsdown import read
from tui.app import HeadsdownApp
from tui.replay_screen import ReplayScreen


@pytest.fixture(params=examples())
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return copy_example(request.param, tmp_path)


def test_bookmarks_leave_the_battle_as_it_stands(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        state, head, keys = battle.history.state, battle.history.head, battle.history.keys()
        entries = len(battle.history.entries)
        first = battle.bookmark(12, "here it turned", by="Ann")
        second = battle.bookmark(3)
        battle.unmark(first.n, by="Bob")
        third = battle.bookmark(0, "\x1b[2Jhow it\nbegan")
        assert [first.n, second.n, third.n] == [entries + 1, entries + 2, entries + 4]
        assert (battle.history.state, battle.history.head) == (state, head)
        assert [(mark.at, mark.text) for mark in battle.history.bookmarks] == [(0, third.text), (3, "")]
        assert third.text.isprintable()
        assert vars(battle.history.keys()) == vars(keys)
        assert battle.history.next_undo == head
        assert battle.history.taken_back == battle.history.as_of(head).taken_back
    with OpenBattle.open(path) as battle:
        assert [mark.n for mark in battle.history.bookmarks] == [third.n, second.n]
        assert battle.undo().of == head
        assert battle.redo().to == head


def test_a_file_with_bookmarks_is_whole_to_every_reader(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        mark = battle.bookmark(5, "a note")
        battle.unmark(mark.n)
        battle.undo()
        battle.bookmark(len(battle.history.entries), "after a take-back")
    ours = verify(path)
    assert ours.ok, ours.message
    status, report = read(path)
    assert (status, report["ok"], report["head"], report["entries"]) == (0, True, ours.head, ours.entries)
    ran = headsdown("log", path, "--all")
    assert "bookmark at 5: a note" in ran.out
    assert f"bookmark {mark.n} taken away" in ran.out
    for form in ("md", "html", "json", "csv", "cast"):
        assert headsdown("report", path, "--format", form).status == 0
        assert headsdown("report", path, "--format", form, "--anonymise").status == 0


@pytest.mark.parametrize("form", ["md", "html", "json", "csv", "cast"])
def test_an_anonymous_report_holds_no_note_and_no_parent(path: Path, form: str) -> None:
    with OpenBattle.open(path, read_only=True) as battle:
        made = continue_from(battle, 12, "Kept quiet")
        before = battle.history.header
    with OpenBattle.open(made) as battle:
        battle.bookmark(5, "Alice fell asleep", by="Bob")
    told = headsdown("report", made, "--format", form, "--anonymise").out
    for word in ("Alice", "asleep", "Bob", "Kept quiet", before.name or before.id, before.id):
        assert word not in told
    assert "bookmark at 5" in told or form in ("md", "html", "cast")


async def test_a_note_that_somebody_wrote_into_the_file_moves_no_cursor(path: Path) -> None:
    """Control characters and markup in the text of a bookmark are shown as plain text, everywhere."""
    with OpenBattle.open(path) as battle:
        battle.bookmark(12, "evil")
    odd = rb'"text":"\u001b[2J[bold]\u202e<script>' + b"x" * 300 + b'"'
    path.write_bytes(
        rechained(path.read_bytes(), lambda lines: [*lines[:-1], lines[-1].replace(b'"text":"evil"', odd)])
    )
    for command in (("log", path, "--all"), *(("report", path, "--format", form) for form in ("md", "html", "csv"))):
        ran = headsdown(*command)
        assert ran.status == 0
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
        assert "<script>" not in ran.out or command[0] == "log" or command[-1] == "csv"
    with OpenBattle.open(path, read_only=True) as battle:
        app = HeadsdownApp(lambda: ReplayScreen(battle, 12))
        async with app.run_test(size=(80, 24)) as pilot:
            for keys in ((), ("b",)):
                await press(pilot, *keys)
                shown = screen_text(app)
                assert "[2J[bold]<script>" in shown
                assert "\x1b" not in shown
        assert app.bug is None


def test_orders_go_on_behind_a_bookmark(path: Path) -> None:
    """An order that follows a bookmark names the order that it follows, as after an undo."""
    with OpenBattle.open(path) as battle:
        battle.goto(20)
        battle.bookmark(20)
        note = battle.give(read_order(battle.history.rules, '{"type":"note","text":"on"}'))
        assert (note.p, battle.history.parent(note.n)) == (20, 20)
    assert verify(path).ok


def test_a_bookmark_at_what_was_taken_back_stays(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        head = battle.history.head
        battle.bookmark(head, "the end")
        battle.goto(10)
        assert [mark.at for mark in battle.history.bookmarks] == [head]


@pytest.mark.parametrize(
    ("at", "text", "said"),
    [(9999, "", "there is no entry 9999"), (-1, "", "there is no entry -1"), (1, "x" * 501, "500 characters at most")],
)
def test_what_is_no_bookmark_is_refused(path: Path, at: int, text: str, said: str) -> None:
    before = path.read_bytes()
    with OpenBattle.open(path) as battle, pytest.raises(Refusal, match=said):
        battle.bookmark(at, text)
    with OpenBattle.open(path) as battle, pytest.raises(Refusal, match="no bookmark"):
        battle.unmark(3)
    assert path.read_bytes() == before


def test_entries_that_mark_what_is_not_there_are_found_out(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as battle:
        history = History(battle.history.header, battle.history.rules)
        for entry in battle.history.entries[:5]:
            history.take(entry)
    for wrong in (
        BookmarkEntry(6, "", 0, at=6, text=""),
        BookmarkEntry(6, "", 0, at=77, text=""),
        UnmarkEntry(6, "", 0, of=3),
        UnmarkEntry(6, "", 0, of=6),
    ):
        with pytest.raises(ImpossibleEntry):
            history.take(wrong)
    history.take(BookmarkEntry(6, "", 0, at=5, text=""))
    history.take(UnmarkEntry(7, "", 0, of=6))
    with pytest.raises(ImpossibleEntry):
        history.take(UnmarkEntry(8, "", 0, of=6))
    assert len(history.entries) == 7


@pytest.mark.parametrize("wrong", [b'"at":900', b'"at":-1', b'"at":"5"', b'"at":5,"at":5', b'"of":5'])
def test_an_odd_bookmark_in_a_file_is_told(path: Path, wrong: bytes) -> None:
    """It is altered, told in one line, and the battle is shown up to there."""
    with OpenBattle.open(path) as battle:
        number = battle.bookmark(5, "x").n
    path.write_bytes(rechained(path.read_bytes(), lambda lines: [*lines[:-1], lines[-1].replace(b'"at":5', wrong)]))
    report = verify(path)
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", number)
    with OpenBattle.open(path, read_only=True) as battle:
        assert len(battle.history.entries) == number - 1
    ran = headsdown("show", path)
    assert ran.status == 3
    assert ran.err.count("\n") == 1


def test_repair_keeps_bookmarks_and_what_stands_behind_them(path: Path, tmp_path: Path) -> None:
    with OpenBattle.open(path) as battle:
        lost, kept = battle.bookmark(5, "lost"), battle.bookmark(6, "kept")
        battle.unmark(lost.n)
        entries = len(battle.history.entries)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[lost.n] = b"#" * 60 + lines[lost.n][60:]
    path.write_bytes(b"".join(lines))
    repair(path, tmp_path / "new.battle.jsonl")
    with OpenBattle.open(tmp_path / "new.battle.jsonl") as battle:
        assert len(battle.history.entries) == entries
        assert [(mark.n, mark.text) for mark in battle.history.bookmarks] == [(kept.n, "kept")]
        assert isinstance(battle.history.entries[lost.n - 1], RecoveredEntry)
        assert isinstance(battle.history.entries[-1], RecoveredEntry), "what took a lost bookmark away is lost with it"
    assert verify(tmp_path / "new.battle.jsonl").ok


# Going on from a moment


@pytest.mark.parametrize("number", [0, 1, 15, 31, 32, 42])
def test_a_battle_goes_on_from_any_moment(path: Path, number: int) -> None:
    before = path.read_bytes()
    with OpenBattle.open(path, read_only=True) as battle:
        number = min(number, len(battle.history.entries))
        made = continue_from(battle, number)
        history = battle.history
        mark = json.loads(before.splitlines()[number])["h"][:8]
        with OpenBattle.open(made) as new:
            header = new.history.header
            assert header.parent is not None
            assert (header.parent.id, header.parent.mark) == (history.header.id, f"{number}:{mark}")
            assert header.id != history.header.id
            assert header.name == default_name(battle, number)
            assert len(new.history.entries) == number
            assert new.history.head == history.head_after(number)
            assert new.history.state == history.state_at(history.head_after(number))
            assert list(new.history.entries) == list(history.entries[:number])
    assert path.read_bytes() == before
    ours = verify(made)
    assert ours.ok, ours.message
    assert read(made)[1]["ok"]


def test_the_same_order_brings_the_same_dice_in_both(tmp_path: Path) -> None:
    path = copy_example("gray-dawn", tmp_path)
    with OpenBattle.open(path, read_only=True) as battle:
        entry = next(e for e in battle.history.entries if isinstance(e, OrderEntry) and e.rolls and e.n > 12)
        made = continue_from(battle, entry.n - 1)
        with OpenBattle.open(made) as new:
            again = new.give(entry.order)
            rolled = [row.dice for row in entry.rolls if row.source == "app"]
            assert [row.dice for row in again.rolls if row.source == "app"][: len(rolled)] == rolled


def test_undo_goes_back_behind_the_point(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as battle:
        made = continue_from(battle, 12)
    with OpenBattle.open(made) as new:
        for _ in range(12):
            new.undo()
        assert new.history.head == 0
    assert verify(made).ok


def test_names_and_files_of_battles_that_go_on(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as battle:
        files = [continue_from(battle, 12, name).name for name in ("", "The other end", "")]
        stem = path.name.partition(".")[0]
        assert files == [f"{stem}-from-12{end}.battle.jsonl" for end in ("", "-2", "-3")]
        with pytest.raises(Refusal, match="100 characters"):
            continue_from(battle, 12, "x" * 101)
        with pytest.raises(Refusal, match="no entry 900"):
            continue_from(battle, 900)
        assert len(default_name(battle, 12)) <= 100
    shelved = {Path(each.file).name: each for each in battles(path.parent)}
    assert [shelved[file].name for file in files][1] == "The other end"
    parent = shelved[files[0]].parent
    assert parent is not None
    assert parent.number == 12
    assert shelved[path.name].parent is None
    listed = json.loads(headsdown("list", path.parent, "--json").out)
    assert {each["file"]: each["parent"] for each in listed}[str(path)] is None
    shown = headsdown("show", path.parent / files[0])
    assert f"goes on from {parent.name}, entry {parent.mark}" in shown.out
    assert json.loads(headsdown("show", path.parent / files[0], "--json").out)["parent"]["mark"] == parent.mark


def test_a_battle_goes_on_from_one_that_itself_goes_on(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as battle:
        child = continue_from(battle, 12)
    with OpenBattle.open(child, read_only=True) as battle:
        grandchild = continue_from(battle, 10)
        own = battle.history.header.id
    with OpenBattle.open(grandchild, read_only=True) as battle:
        assert battle.history.header.parent is not None
        assert battle.history.header.parent.id == own
    assert verify(grandchild).ok


def test_a_folder_that_takes_no_new_file_says_so(as_nobody: Path) -> None:
    import os

    path = copy_example("gray-dawn", as_nobody)
    path.chmod(0o444)
    as_nobody.chmod(0o555)
    os.seteuid(65534)
    with OpenBattle.open(path, read_only=True) as battle, pytest.raises(Fault, match="cannot be written"):
        continue_from(battle, 3)


def test_a_file_that_went_back_is_not_gone_on_from(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as battle:
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:8]))
        with pytest.raises(Unreadable, match="went back"):
            continue_from(battle, 12)
        assert len(list(path.parent.iterdir())) == 1
