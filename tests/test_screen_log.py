"""Looking into the Dice log: filtered, searched, jumped to; how a unit came to stand as it does; dice set right."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.entries import OrderEntry, RecoveredEntry, UndoEntry
from engine.entry_words import entry_title
from engine.refusals import Refusal
from saves.battle import OpenBattle
from saves.faults import Unreadable
from saves.library import copy_example
from tests.screen import give, lantern_battle, message, place, press, screen_text
from tests.test_screen_names import suppression_fire
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.dice_log import LogPane
from tui.dice_screen import DiceScreen
from tui.jump_screen import LETTERS, JumpScreen, jump_labels
from tui.log_filter import LogFilter, LogReader, read_filter
from tui.log_lines import Teller
from tui.unit_history import chain

# Filtering


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", LogFilter()),
        ("  Scouts  12 ", LogFilter(words=("scouts", "12"))),
        ("unit:Scouts roll:lead side:Eldar", LogFilter(units=("scouts",), rolls=("lead",), sides=("eldar",))),
        ("unit: moves", LogFilter(words=("moves",))),
        ("\x1b[31mred\u202e", LogFilter(words=("[31mred",))),
    ],
)
def test_a_filter_is_words_and_what_entries_are_about(text: str, wanted: LogFilter) -> None:
    assert read_filter(text) == wanted


def passing(battle: OpenBattle, text: str) -> list[int]:
    reader, wanted = LogReader(battle.history), read_filter(text)
    return [entry.n for entry in battle.history.entries if reader.passes(wanted, entry, ())]


def test_entries_are_found_by_unit_roll_and_side(tmp_path: Path) -> None:
    """Of Suppression Fire's bundled battle: what names the unit, rolled that, or is that side's doing."""
    with OpenBattle.open(copy_example("suppression-fire", tmp_path)) as battle:
        orders = {e.n: e for e in battle.history.entries if isinstance(e, OrderEntry)}
        tests = [n for n, e in orders.items() if any(row.purpose == "leadership" for row in e.rolls)]
        assert passing(battle, "roll:leadership") == passing(battle, "roll:LEAD") == tests
        scouts = passing(battle, "unit:scouts")
        assert scouts == [n for n, e in orders.items() if b"scouts" in _encoded(e)]
        assert passing(battle, "unit:scouts roll:leadership") == [n for n in tests if n in scouts]
        eldar, imperium = passing(battle, "side:eldar"), passing(battle, "side:imp")
        assert all(orders[n].order.side == "Eldar" for n in eldar if hasattr(orders[n].order, "side"))
        assert all(orders[n].order.side == "Imperium" for n in imperium if hasattr(orders[n].order, "side"))
        declared = [n for n, e in orders.items() if type(e.order).__name__ == "Declare"]
        assert declared
        for n in declared:
            shooter = battle.history.state_at(battle.history.parent(n)).units[orders[n].order.by[0].unit].side
            assert (n in eldar, n in imperium) == (shooter == "Eldar", shooter == "Imperium")
        assert passing(battle, "unit:nobody") == passing(battle, "side:nobody") == passing(battle, "roll:none") == []


def _encoded(entry: OrderEntry) -> bytes:
    import msgspec

    return msgspec.json.encode((entry.order, entry.events, [row.subject for row in entry.rolls]))


def test_names_are_offered_to_be_completed(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path)) as battle:
        reader = LogReader(battle.history)
        assert reader.offered("") == ("unit:", "roll:", "side:")
        assert reader.offered("s") == ("side:",)
        assert reader.offered("unit:t") == ("unit:tall-grey",)
        assert reader.offered("unit:grey") == ("unit:grey", "unit:tall-grey")
        assert "roll:initiative" in reader.offered("roll:")
        assert reader.offered("side:") == ("side:watch", "side:visitors")
        assert reader.offered("rook") == ()


async def test_the_log_shows_what_the_filter_lets_through_and_new_entries_too(tmp_path: Path) -> None:
    path = tmp_path / "log.battle.jsonl"
    suppression_fire(path, "Ork Boyz")
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "slash", *"roll:l")
            assert "roll:leadership" in screen_text(app)
            await press(pilot, "tab", "enter")
            log = app.screen.query_one(LogPane)
            assert {line.entry for line in log._lines} == {7}
            assert "filter: roll:leadership · 1" in screen_text(app)
            await press(pilot, "u", "u", "D", "t", "enter")
            assert {line.entry for line in log._lines} == {7, 11}
            await press(pilot, "slash", "escape")
            assert "filter" not in screen_text(app).split("Dice log")[1].splitlines()[0]


# Searching


async def test_matches_are_walked_through_both_ways(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("suppression-fire", tmp_path)) as battle:
        matching = passing(battle, "roll:leadership")
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "comma")
            assert message(app) == "Nothing is searched for: ^f finds."
            await press(pilot, "ctrl+f", *"roll:leadership", "enter")
            log = app.screen.query_one(LogPane)
            seen = [log.entry]
            for _ in matching[1:]:
                await press(pilot, "comma")
                seen.append(log.entry)
            assert seen == list(reversed(matching))
            await press(pilot, "comma")
            assert log.entry == matching[-1], "round and round"
            await press(pilot, "full_stop")
            assert log.entry == matching[0]
            await press(pilot, "ctrl+f", *"zzz", "enter", "full_stop")
            assert "Nothing in the log matches roll:leadershipzzz." in message(app)
            await press(pilot, "ctrl+f", "escape", "full_stop")
            assert "Nothing is searched for" in message(app)


# Jumping


@pytest.mark.parametrize("count", [0, 1, 26, 27, 40, 51, 52, 200, 600])
def test_no_label_begins_like_another(count: int) -> None:
    labels = jump_labels(count)
    assert len(labels) == len(set(labels)) == count
    assert all(1 <= len(label) <= 2 and set(label) <= set(LETTERS) for label in labels)
    singles = {label for label in labels if len(label) == 1}
    assert not any(label[0] in singles for label in labels if len(label) == 2)


async def test_one_jumps_to_any_line_in_sight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tui.jump_screen.LETTERS", "asdfgh")
    with OpenBattle.open(copy_example("suppression-fire", tmp_path)) as battle:
        battle.goto(14)
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "space")
            jump = app.screen
            assert isinstance(jump, JumpScreen)
            targets = dict(jump._targets)
            assert any(len(label) == 2 for label in targets)
            assert {pane.id for pane, _ in targets.values()} == {"units", "tracker", "log"}
            await press(pilot, "escape")
            for label in (next(iter(targets)), list(targets)[-1]):
                await press(pilot, "space", *label)
                pane, line = targets[label]
                assert pane.has_focus
                assert pane.cursor == line
                assert not pane._labels
            await press(pilot, "space", "9")
            assert isinstance(app.screen, BattleScreen), "no line has that letter"


# Why, entry by entry


def test_the_chain_goes_back_to_where_it_began(tmp_path: Path) -> None:
    """Declared, tested: both; what has nothing to do with the unit is not in it; afterwards it is empty."""
    path = tmp_path / "chain.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        assert [battle.history.order(n).order.dice for n in (6, 7)] == [None, None]
        assert chain(battle.history, "three") == (6, 7)
        assert chain(battle.history, "one") == ()
        give(battle, {"type": "casualties", "unit": "one", "group": "crew", "models": 5})
        assert chain(battle.history, "three") == (6, 7, 9)
        give(battle, {"type": "end_turn"})
        give(battle, {"type": "begin_turn", "side": "Men"})
        assert chain(battle.history, "three")[:3] == (6, 7, 9)
        give(battle, {"type": "end_turn"})
        give(battle, {"type": "begin_turn", "side": "Orks"})
        assert chain(battle.history, "three") == ()


async def test_why_lists_the_chain_and_opens_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "chain.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 50)) as pilot:
            await press(pilot, "end", "w")
            shown = screen_text(app)
            assert "How it came to this" in shown
            assert "6 Boyz and Boyz: suppress Boyz" in shown
            assert "Boyz, leadership test (table): 1 1, needs 7 or less, 2, passed" in shown
            await press(pilot, "end")
            assert "open entry 7" in screen_text(app)
            await press(pilot, "enter")
            assert "Entry 7" in screen_text(app)


def test_the_chain_of_a_combatant_is_what_laid_points_on_it(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path)) as battle:
        history = battle.history
        held = {
            (node, unit): chain(history.as_before(node), unit)
            for node in history.path(history.head)[1:]
            for unit, one in history.as_before(node).state.combatants.items()
            if one.points or one.suppressed
        }
        assert held
        for (node, unit), links in held.items():
            before = history.as_before(node).state.combatants[unit]
            assert links, (node, unit)
            assert all(link < node for link in links)
            told = [history.order(link).events for link in links]
            assert any(unit in str(events) for events in told), (before, links)


# Setting dice right


async def test_the_last_orders_dice_are_typed_anew_in_three_keys(tmp_path: Path) -> None:
    """A typo in the test, seen too late: the same order with other faces, the old one struck through."""
    path = tmp_path / "typo.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        battle.undo()
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "ctrl+e")
            assert isinstance(app.screen, DiceScreen)
            assert "Fell before: 1 1. Enter takes them again." in screen_text(app)
            await press(pilot, "6", "6", "enter")
            assert "failed" in message(app)
        undone, given = battle.history.entries[-2:]
        assert isinstance(undone, UndoEntry)
        assert isinstance(given, OrderEntry)
        assert (undone.of, given.rolls[0].dice, given.rolls[0].corrects) == (7, (6, 6), 7)


async def test_a_correction_that_is_given_up_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "typo.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        battle.undo()
        before = path.read_bytes()
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "ctrl+e", "6", "escape")
            assert message(app) == "Given up: nothing has happened."
            assert path.read_bytes() == before
            await press(pilot, "u", "ctrl+e")
            assert "the last order rolled no dice" in message(app)


async def test_another_order_since_is_not_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "typo.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle, OpenBattle.open(path) as other:
        battle.undo()
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "ctrl+e", "6")
            give(other, {"type": "note", "text": "meanwhile"})
            await pilot.pause(0.1)
            entries = len(other.history.entries)
            await press(pilot, "6", "enter")
            assert "somebody else has ordered since" in message(app)
        assert len(OpenBattle.open(path, read_only=True).history.entries) == entries


async def test_an_order_that_nobody_has_seen_yet_is_not_taken_back_either(tmp_path: Path) -> None:
    """It came after the last look at the file: the correction takes back its own order or none."""
    path = tmp_path / "typo.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle, OpenBattle.open(path) as other:
        battle.undo()
        give(other, {"type": "note", "text": "meanwhile"})
        with pytest.raises(Refusal, match="somebody else has ordered since"):
            battle.undo(of=7)
        assert battle.history.head == other.history.head
        assert battle.history.taken_back == other.history.taken_back


async def test_where_the_order_cannot_be_given_again_the_former_one_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "typo.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        battle.undo()

        def full(*args: object, **more: object) -> OrderEntry:
            raise Unreadable("no space left on the disk")

        monkeypatch.setattr(battle, "give", full)
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "ctrl+e", "6", "6", "enter")
            assert "no space left on the disk" in message(app)
        assert battle.history.head == 7
        assert battle.history.order(7).rolls[0].dice == (1, 1)


async def test_a_search_goes_on_into_new_entries(tmp_path: Path) -> None:
    path = tmp_path / "search.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "ctrl+f", *"note:", "enter")
            assert "find: note: · 1/1" in screen_text(app)
            await press(pilot, "n", *"later", "enter", "comma")
            assert "find: note: · 1/2" in screen_text(app)
            await press(pilot, "full_stop")
            assert app.screen.query_one(LogPane).entry == 9
            assert "find: note: · 2/2" in screen_text(app)


def test_a_lost_entry_is_called_so_everywhere(tmp_path: Path) -> None:
    """An entry that a repair left out is none that was torn off at the end."""
    path = tmp_path / "lost.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        history = battle.history
        lost = RecoveredEntry(9, "", 0, bytes=120, sha256="", status="lost")
        torn = RecoveredEntry(9, "", 0, bytes=12, sha256="", status="torn")
        words = "lost: the entry that stood here was damaged, and the file was repaired without it"
        assert entry_title(history, lost) == Teller(history).move_text(lost) == words
        assert entry_title(history, torn) == Teller(history).move_text(torn)
        assert "half a line of 12 bytes" in entry_title(history, torn)


async def test_where_the_app_rolled_faces_of_the_table_take_their_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"), {"type": "light", "lantern": "alpha"})
    rolled = battle.history.order(2).rolls[0].dice
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+e")
        assert f"Fell before: {rolled[0]} {rolled[1]}." in screen_text(app)
        await press(pilot, "1", "2", "enter")
    entry = battle.history.order(battle.history.head)
    assert (entry.rolls[0].dice, entry.rolls[0].source) == ((1, 2), "table")
