"""A battle that is open: orders given, taken back and followed, alone and with others at the same file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from engine.dice import PromptedDice, TypedDice
from engine.entries import GotoEntry, OrderEntry, RedoEntry, UndoEntry
from engine.orders import app_dice, prompted_source
from engine.refusals import DiceMissing, Refusal
from engine.ruleset import RuleSet
from saves import journal
from saves.battle import OpenBattle
from saves.creating import create
from saves.faults import Damaged, Fault, Unreadable
from saves.store import Moved, Place
from tests.small_rules import NAME, CountUp, Dare, Note, Tally, played_battle, small_battle

pytestmark = pytest.mark.usefixtures("counter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_battle(tmp_path / "a.battle.jsonl")


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


# Creating


def test_a_new_battle(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        header = battle.history.header
        assert (header.rules, header.sides, header.name) == (NAME, ("blue", "red"), "Small")
        assert header.switches == {"pace": "slow", "limit": "off"}
        assert battle.history.state == Tally(("blue", "red"), (0, 0))
        assert battle.head_mark.startswith("0:")
        assert (battle.warning, battle.problem, battle.withdrawn, battle.read_only) == ("", None, False, False)


def test_seeds(tmp_path: Path) -> None:
    seeds = []
    for name, seed in [("a", "same"), ("b", "same"), ("c", "other"), ("d", None), ("e", None)]:
        create(tmp_path / name, rules=NAME, sides=("x", "y"), seed=seed)
        with OpenBattle.open(tmp_path / name) as battle:
            seeds.append(battle.history.header.dice.seed)
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == 4


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rules": "chess"}, "no rules named chess"),
        ({"sides": ("one",)}, "2 to 3 sides, not 1"),
        ({"sides": ("a", "b", "c", "d")}, "2 to 3 sides, not 4"),
        ({"sides": ("a", "a")}, "same name"),
        ({"sides": ("a", "a\x07 ")}, "same name"),
        ({"sides": ("a", "")}, "1 to 100"),
        ({"sides": ("a", "\x1b\n ")}, "1 to 100"),
        ({"sides": ("a", "x" * 101)}, "1 to 100"),
        ({"switches": {"mood": "good"}}, "no switch mood; there are: pace, limit"),
        ({"switches": {"pace": "medium"}}, "pace cannot be medium; it may be: slow, fast"),
        ({"switches": {"limit": "1001"}}, "0 to 1000"),
        ({"switches": {"limit": "-1"}}, "0 to 1000"),
        ({"switches": {"limit": "\u0663"}}, "0 to 1000"),
        ({"dice": "loaded"}, "no loaded dice"),
        ({"seed": "\udcff"}, "no valid text"),
        ({"name": "x" * 101}, "too long"),
    ],
)
def test_what_no_battle_can_be(tmp_path: Path, change: dict[str, object], says: str) -> None:
    given: dict[str, object] = {"rules": NAME, "sides": ("blue", "red"), **change}
    with pytest.raises(Refusal, match=says) as refused:
        create(tmp_path / "a", **given)  # type: ignore[arg-type]
    assert refused.value.clause == "order"
    assert os.listdir(tmp_path) == []


def test_control_characters_are_taken_out_of_names(tmp_path: Path) -> None:
    create(tmp_path / "a", rules=NAME, sides=("blue\x1b[31m", " red\u202e\n"), name="Dawn\x00\t!")
    with OpenBattle.open(tmp_path / "a") as battle:
        assert battle.history.header.sides == ("blue[31m", "red")
        assert battle.history.header.name == "Dawn!"


def test_switches_may_be_numbers(tmp_path: Path) -> None:
    create(tmp_path / "a", rules=NAME, sides=("blue", "red"), switches={"limit": "0050"})
    with OpenBattle.open(tmp_path / "a") as battle:
        assert battle.history.header.switches["limit"] == "50"


# Orders


def test_give_and_read_again(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        entry = battle.give(CountUp(side="blue"), by="Ann")
        assert (entry.n, entry.by, battle.history.head) == (1, "Ann", 1)
        assert entry.t > 1_700_000_000_000
        mark, state = battle.head_mark, battle.history.state
    with OpenBattle.open(path, read_only=True) as again:
        assert again.history.entries == [entry]
        assert (again.head_mark, again.history.state) == (mark, state)


def test_a_refused_order_leaves_nothing(path: Path) -> None:
    before = path.read_bytes()
    with OpenBattle.open(path) as battle:
        for order in (CountUp(side="green"), Dare(side="red", dice=(3,)), Note(text="", dice=(3,))):
            with pytest.raises(Refusal):
                battle.give(order)
        with pytest.raises(Refusal, match="nothing to undo"):
            battle.undo()
        with pytest.raises(Refusal, match="nothing to redo"):
            battle.redo()
        with pytest.raises(Refusal, match="no entry 1"):
            battle.goto(1)
        assert battle.history.entries == []
    assert path.read_bytes() == before


def test_undo_redo_and_goto_are_entries(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        battle.give(CountUp(side="blue"))
        after_one = battle.history.state
        battle.give(CountUp(side="red"))
        after_two = battle.history.state
        assert isinstance(battle.undo(by="Ann"), UndoEntry)
        assert battle.history.state == after_one
        assert isinstance(battle.redo(by="Bob"), RedoEntry)
        assert battle.history.state == after_two
        assert isinstance(battle.goto(0), GotoEntry)
        assert battle.history.head == 0
        battle.goto(1)
    assert lines(path) == 7
    with OpenBattle.open(path) as battle:
        assert [type(entry).__name__.removesuffix("Entry") for entry in battle.history.entries] == [
            "Order",
            "Order",
            "Undo",
            "Redo",
            "Goto",
            "Goto",
        ]
        assert [entry.by for entry in battle.history.entries] == ["", "", "Ann", "Bob", "", ""]
        assert (battle.history.head, battle.history.state) == (1, after_one)
        assert battle.history.next_redo == 2
        battle.redo()
        assert battle.history.state == after_two


def test_the_same_order_after_undo_brings_the_same_dice(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        first = battle.give(CountUp(side="blue", times=4))
        battle.undo()
    with OpenBattle.open(path) as battle:
        assert battle.give(CountUp(side="blue", times=4)).rolls == first.rolls


def test_sources_of_faces(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        typed = battle.give(Dare(side="red"), source=TypedDice((1, 1, 4, 4, 4)))
        assert [(row.dice, row.source) for row in typed.rolls] == [((1, 1), "table"), ((4, 4, 4), "table")]
        dare = Dare(side="red")
        with pytest.raises(DiceMissing) as missing:
            battle.give(dare, source=prompted_source(battle.history, ((1, 2),), dare))
        assert missing.value.waiting.purpose == "save"
        mixed = battle.give(Dare(side="red"), source=PromptedDice(((1, 2), None), app_dice(battle.history)))
        assert [row.source for row in mixed.rolls] == ["table", "app"]
        assert mixed.order == Dare(side="red")


def test_a_table_that_rolls_itself(tmp_path: Path) -> None:
    path = small_battle(tmp_path / "a", dice="table")
    with OpenBattle.open(path) as battle:
        with pytest.raises(DiceMissing):
            battle.give(CountUp(side="blue"))
        assert battle.give(CountUp(side="blue", dice=(6, 1))).rolls[0].dice == (6, 1)


def test_reading_only(path: Path) -> None:
    before = path.read_bytes()
    with OpenBattle.open(path, read_only=True) as battle:
        for change in (battle.undo, battle.redo, lambda: battle.goto(0), lambda: battle.give(Note(text="x"))):
            with pytest.raises(Unreadable, match="reading only"):
                change()
    assert path.read_bytes() == before


def test_closing_twice(path: Path) -> None:
    battle = OpenBattle.open(path)
    battle.close()
    battle.close()


def test_lines_as_written(path: Path) -> None:
    played_battle(path.with_name("b"))
    with OpenBattle.open(path.with_name("b"), read_only=True) as battle:
        assert b"\n".join(battle.lines()) + b"\n" == path.with_name("b").read_bytes()


# Others at the same file


def test_orders_are_judged_on_what_others_did(path: Path) -> None:
    with OpenBattle.open(path) as one, OpenBattle.open(path) as other:
        for _ in range(10):
            one.give(CountUp(side="blue", times=5, dice=(1,) * 10))
        with pytest.raises(Refusal) as refused:
            other.give(CountUp(side="blue"))
        assert refused.value.clause == "CO-2"
        assert len(other.history.entries) == 10
        assert other.give(CountUp(side="red")).n == 11
        assert one.undo().of == 11


def test_following(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as watcher, OpenBattle.open(path) as player:
        assert watcher.refresh() == ()
        entries = (player.give(CountUp(side="blue")), player.undo(), player.give(Note(text="x")))
        assert watcher.refresh() == entries
        assert watcher.refresh() == ()
        assert watcher.history.state == player.history.state
        assert watcher.head_mark == player.head_mark
        assert player.refresh() == ()


def test_no_news_costs_one_look(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenBattle.open(path, read_only=True) as watcher, monkeypatch.context() as patch:
        looks: list[int] = []
        fstat = os.fstat

        def look(fd: int) -> os.stat_result:
            looks.append(fd)
            return fstat(fd)

        patch.setattr(os, "fstat", look)
        for name in ("open", "stat", "pread", "read"):
            patch.delattr(os, name)
        watcher.refresh()
        assert len(looks) == 1


def test_half_a_line_of_somebody_who_is_writing_is_no_news(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as watcher, OpenBattle.open(path) as player:
        entry = player.give(Note(text="x"))
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        assert watcher.refresh() == ()
        assert watcher.warning == ""
        path.write_bytes(whole)
        assert watcher.refresh() == (entry,)


def test_what_a_crash_of_another_left_is_set_aside(path: Path) -> None:
    with OpenBattle.open(path) as player, OpenBattle.open(path) as watcher:
        player.give(Note(text="x"))
        with path.open("ab") as crashed:
            crashed.write(b'{"k":"order","n":2,')
        entry = player.give(Note(text="y"))
        assert entry.n == 3
        assert "set aside in" in player.warning
        assert [each.n for each in watcher.refresh()] == [1, 2, 3]


def test_a_torn_end_that_another_set_aside_is_no_longer_warned_of(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"{")
    with OpenBattle.open(path) as one, OpenBattle.open(path, read_only=True) as other:
        assert "half a line" in other.warning
        one.give(Note(text="x"))
        assert [entry.n for entry in other.refresh()] == [1, 2]
        assert (other.warning, other.problem) == ("", None)


def test_a_torn_battle_tells_what_was_done(path: Path) -> None:
    played_battle(path.with_name("b"))
    torn = path.with_name("c")
    torn.write_bytes(path.with_name("b").read_bytes()[:-7])
    with OpenBattle.open(torn) as battle:
        assert "half a line" in battle.warning
        assert battle.problem is not None
        assert battle.problem.kind == "torn"
        battle.give(Note(text="x"))
        assert "set aside in" in battle.warning
        assert battle.problem is None


def test_a_rolled_back_file_is_noticed_by_those_who_watch(path: Path) -> None:
    with OpenBattle.open(path) as player, OpenBattle.open(path, read_only=True) as watcher:
        player.give(CountUp(side="blue"))
        saved = path.read_bytes()
        player.give(CountUp(side="red"))
        watcher.refresh()
        path.write_bytes(saved)
        assert watcher.refresh() == ()
        assert watcher.withdrawn
        assert len(watcher.history.entries) == 1
        watcher.refresh()
        assert not watcher.withdrawn


def test_nobody_writes_behind_a_rolled_back_file(path: Path) -> None:
    with OpenBattle.open(path) as player:
        player.give(CountUp(side="blue"))
        saved = path.read_bytes()
        player.give(CountUp(side="red"))
        path.write_bytes(saved)
        with pytest.raises(Unreadable, match="went back"):
            player.give(CountUp(side="red"))
        assert path.read_bytes() == saved
        assert player.give(CountUp(side="red")).n == 2


def test_a_backup_of_the_same_size_is_noticed(path: Path) -> None:
    with OpenBattle.open(path) as player:
        player.give(Note(text="abc"))
        other = path.with_name("b")
        shutil.copy(path, other)
        with OpenBattle.open(other) as elsewhere:
            elsewhere.undo()
        changed = bytearray(path.read_bytes())
        changed[-20:-2] = b"0" * 18
        path.write_bytes(changed)
        with pytest.raises(Fault):
            player.give(Note(text="x"))
        assert path.read_bytes() == changed


@pytest.mark.parametrize("read_only", [True, False])
def test_a_replaced_file_is_noticed(path: Path, read_only: bool) -> None:
    """An older copy of the same battle, put back in its place, is taken as what there is now."""
    other = path.with_name("b")
    shutil.copy(path, other)
    with OpenBattle.open(path) as writer:
        writer.give(Note(text="gone in the copy"))
    with OpenBattle.open(path, read_only=read_only) as battle:
        os.replace(other, path)
        if read_only:
            battle.refresh()
            assert battle.withdrawn
        else:
            with pytest.raises(Unreadable, match="replaced"):
                battle.give(Note(text="x"))
            battle.give(Note(text="x"))
        with OpenBattle.open(path, read_only=True) as again:
            assert again.head_mark == battle.head_mark


def test_a_deleted_file_is_noticed(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        path.unlink()
        with pytest.raises(Unreadable, match="not there"):
            battle.give(Note(text="x"))
        assert not path.exists()


def test_rogue_bytes_are_noticed_before_an_append(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        battle.give(Note(text="x"))
        with path.open("ab") as rogue:
            rogue.write(b"x\n")
        before = path.read_bytes()
        with pytest.raises(Damaged):
            battle.give(Note(text="y"))
        assert path.read_bytes() == before


def test_an_order_is_resolved_again_when_others_were_quicker(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody appends between our look and our lock: same faces, on the new state, under the next number."""
    with OpenBattle.open(path) as slow, OpenBattle.open(path) as quick:
        append = slow._store.append
        raced: list[OrderEntry] = []

        def late(record: bytes, after: Place, by: str = "") -> Place:
            if not raced:
                raced.append(quick.give(CountUp(side="red", dice=(1, 1))))
            return append(record, after, by)

        monkeypatch.setattr(slow._store, "append", late)
        entry = slow.give(CountUp(side="blue"), source=TypedDice((2, 3)))
        assert (entry.n, entry.rolls[0].dice) == (2, (2, 3))
        assert slow.history.state == Tally(("blue", "red"), (5, 2), turn=2)


def test_giving_up_when_others_are_always_quicker(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.02)
    with OpenBattle.open(path) as battle:

        def late(record: bytes, after: Place, by: str = "") -> Place:
            raise Moved

        monkeypatch.setattr(battle._store, "append", late)
        with pytest.raises(Fault, match="all the time"):
            battle.give(Note(text="x"))


def test_a_file_that_holds_another_battle_now_is_left_alone(tmp_path: Path, counter: RuleSet) -> None:
    """The battle that was open stays as it was known, every order is refused, and the other one is not touched."""
    path, other = tmp_path / "a.battle.jsonl", tmp_path / "b.battle.jsonl"
    for each in (path, other):
        create(each, rules=counter.name, sides=("a", "b"))
    with OpenBattle.open(path) as battle:
        before = battle.history
        other.replace(path)
        content = path.read_bytes()
        for doing in (battle.refresh, battle.undo):
            with pytest.raises(Unreadable, match="holds another battle now"):
                doing()
        assert battle.history is before
    assert path.read_bytes() == content
