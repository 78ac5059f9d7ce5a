"""Walking through recorded battles without a screen: every moment, both ways, branches, and what changed in between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.differences import differences, orders_between
from engine.entries import OrderEntry, UndoEntry
from engine.history import History
from engine.refusals import Refusal
from engine.replaying import Replay
from saves.battle import OpenBattle
from saves.library import copy_example, examples, open_example
from tests.screen import give


@pytest.fixture(params=examples())
def battle(request: pytest.FixtureRequest) -> Iterator[OpenBattle]:
    with open_example(request.param) as opened:
        yield opened


def refolded(history: History, number: int) -> History:
    """The battle as somebody had it who had read it up to entry `number` only."""
    again = History(history.header, history.rules)
    for entry in history.entries[:number]:
        again.take(entry)
    return again


@pytest.mark.parametrize("everything", [False, True])
def test_every_step_of_a_bundled_battle_is_the_state_that_the_engine_had_then(
    battle: OpenBattle, everything: bool
) -> None:
    history = battle.history
    replay = Replay(history)
    replay.show_everything(everything)
    forth = [0]
    while (following := replay.step(1)) is not None:
        replay.go(following)
        assert replay.at == following
        forth.append(following)
        then = refolded(history, following)
        assert (replay.state, replay.head) == (then.state, then.head)
        assert replay.seen.path(replay.head) == then.path(then.head)
    assert replay.state == history.state
    back = [replay.at]
    while (before := replay.step(-1)) is not None:
        replay.go(before)
        back.append(before)
        assert replay.state == refolded(history, before).state
    assert back == forth[::-1]
    orders = history.path(history.head)
    assert forth == ([0, *range(1, len(history.entries) + 1)] if everything else [0, *orders])


def turns_of(battle: OpenBattle) -> list[int]:
    """The entries with which turns or rounds began."""
    began = ("turn_began", "round_began")
    orders = (entry for entry in battle.history.entries if isinstance(entry, OrderEntry))
    return [each.n for each in orders if any(type(event).__struct_config__.tag in began for event in each.events)]


def test_the_turns_of_both_battles(battle: OpenBattle) -> None:
    """Forth to each beginning of a turn; back from within a turn to its own beginning first."""
    replay, turns = Replay(battle.history), turns_of(battle)
    assert len(turns) >= 3
    for number in turns:
        assert replay.turn(1) == number
        replay.go(number)
    assert replay.turn(1) is None
    replay.go(turns[-1] + 1)
    for number in reversed(turns):
        assert replay.turn(-1) == number
        replay.go(number)
    assert replay.turn(-1) == 0


def test_the_steps_of_the_farm() -> None:
    """By turn, by fire, by unit: the entries at which they happened, there and back again."""
    with open_example("suppression-fire") as battle:
        replay = Replay(battle.history)
        fires, turns, chimera = [14, 20, 22, 33, 41], turns_of(battle), [8, 9, 11, 41, 42]

        def walked(step: str, by: int, *unit: str) -> list[int]:
            stops = []
            while (number := getattr(replay, step)(*unit, by)) is not None:
                replay.go(number)
                stops.append(number)
            return stops

        assert walked("suppression", 1) == fires
        replay.go(57)
        assert walked("suppression", -1) == fires[::-1]
        replay.go(0)
        assert walked("turn", 1) == turns
        replay.go(57)
        assert walked("turn", -1) == [*turns[::-1], 0]
        assert walked("unit", 1, "chimera")[: len(chimera)] == chimera
        about = walked("unit", -1, "chimera")
        assert about == sorted(about, reverse=True)
        assert replay.at == about[-1] == 8


def test_there_is_no_step_beyond_the_ends(battle: OpenBattle) -> None:
    replay = Replay(battle.history, len(battle.history.entries))
    unit = next(iter(battle.history.rules.names(battle.history.state)))
    assert (replay.step(1), replay.turn(1), replay.suppression(1), replay.unit(unit, 1)) == (None,) * 4
    assert (replay.pause(5000), replay.edge(1)) == (None, replay.at)
    replay.go(0)
    assert (replay.step(-1), replay.turn(-1), replay.suppression(-1), replay.unit(unit, -1)) == (None,) * 4
    assert replay.entry is None
    with pytest.raises(Refusal, match="there is no entry 99999"):
        replay.go(99999)
    assert replay.at == 0


# What was taken back


def forked(folder: Path) -> OpenBattle:
    """The farm up to entry 24, taken back to 22 by entries 25 and 26, and played on otherwise with 27."""
    path = copy_example("suppression-fire", folder)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:25]))
    battle = OpenBattle.open(path)
    battle.undo()
    battle.undo()
    give(battle, {"type": "note", "text": "another way"})
    return battle


def test_a_taken_back_entry_is_looked_into_as_a_branch(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        history = battle.history
        replay = Replay(history)
        assert replay.line[-2:] == (22, 27)
        replay.go(23)
        assert (replay.branch, replay.fork, replay.at) == (24, 22, 23)
        assert replay.state == refolded(history, 23).state
        assert replay.step(1) == 24
        replay.go(24)
        assert replay.step(1) is None
        replay.go(20)
        assert replay.branch == 24, "the way into the branch belongs to it"
        assert replay.leave_branch()
        assert (replay.at, replay.step(1)) == (22, 27)
        assert not replay.leave_branch()
        assert not replay.look_into(20), "what stands is no branch"
        assert not replay.look_into(26), "it left the battle at 22, which stands"
        assert replay.look_into(24)


def test_a_branch_goes_on_to_what_was_ordered_last(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        battle.goto(23)
        give(battle, {"type": "note", "text": "a third way"})
        battle.goto(27)
        replay = Replay(battle.history, 23)
        assert replay.branch == 29
        assert replay.line[-2:] == (23, 29)


def test_an_entry_that_takes_back_is_the_moment_after_it(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        replay = Replay(battle.history, 25)
        assert (replay.at, replay.branch) == (23, 24), "one order was back by then"
        replay.go(26)
        assert (replay.at, replay.branch) == (22, None)
        replay.show_everything(True)
        for number in (23, 24, 25, 26, 27):
            assert replay.step(1) == number
            replay.go(number)
            assert (replay.at, replay.head) == (number, battle.history.head_after(number))
        kinds = {type(battle.history.entries[number - 1]) for number in replay.line[1:]}
        assert kinds == {OrderEntry, UndoEntry}


def test_a_bookmark_is_no_stop(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        battle.bookmark(24, "look at that")
        battle.unmark(28)
        replay = Replay(battle.history)
        for everything in (False, True):
            replay.show_everything(everything)
            assert replay.line[-1] == 27
            replay.go(28)
            assert (replay.at, replay.branch) == (27, None)


def test_one_stays_where_one_is_while_the_battle_grows(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        replay = Replay(battle.history, 20)
        give(battle, {"type": "note", "text": "more"})
        assert (replay.at, replay.line[-1]) == (20, 28)
        battle.undo()
        assert (replay.at, replay.line[-1]) == (20, 27)


def test_what_is_looked_at_stays_as_it_was_while_others_play_on(battle: OpenBattle, tmp_path: Path) -> None:
    """Folding what others add changes nothing that somebody looks at, at the very head of the battle."""
    path = copy_example(battle.path.name.partition(".")[0], tmp_path)
    moved = next(entry.n for entry in battle.history.entries if not isinstance(entry, OrderEntry))
    start = min(12, moved - 6)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[: start + 1]))
    rest = [battle.history.order(number).order for number in range(start + 1, min(start + 9, moved))]
    assert len(rest) >= 5
    with OpenBattle.open(path, read_only=True) as reader, OpenBattle.open(path) as other:
        replay, seen = Replay(reader.history, start), []
        for order in rest:
            seen.append((replay.at, replay.state, refolded(reader.history, replay.at).state))
            other.give(order)
            reader.refresh()
            replay.go(replay.edge(1))
        assert [at for at, *_ in seen] == list(range(start, start + len(rest)))
        assert all(state == then for _, state, then in seen)


def test_pauses_are_cut_and_clocks_that_ran_backwards_count_for_nothing(battle: OpenBattle) -> None:
    header, entries = battle.history.header, battle.history.entries
    for seconds, wanted in ((3, 3000), (3600, 5000), (-50, 0)):
        history = History(header, battle.history.rules)
        for entry in entries[:2]:
            history.take(replace(entry, t=1_000_000 + 1000 * seconds * entry.n))
        assert Replay(history, 1).pause(5000) == wanted
        assert Replay(history, 0).pause(5000) == 0, "nothing is known of the time before the first"


# What changed


def told(history: History, one: int, other: int) -> dict[str, dict[str, tuple[str, str]]]:
    found = differences(history.rules, history.state_at(one), history.state_at(other))
    return {each.id: {change.fact: (change.before, change.after) for change in each.changes} for each in found}


def test_what_changed_at_the_farm_in_the_words_of_the_rules() -> None:
    with open_example("suppression-fire") as battle:
        history = battle.history
        assert told(history, 13, 14) == {
            "guardians": {
                "suppressed by": ("", "Second Platoon (9 shots)"),
                "hit on": ("", "6+"),
                "test": ("", "none yet"),
            },
            "guardsmen": {"suppresses": ("", "Guardians at the wall")},
        }
        assert told(history, 14, 15) == {"guardians": {"test": ("none yet", "passed")}}
        assert told(history, 25, 26)["avengers"]["models"] == ("5 models", "2 models")
        assert told(history, 26, 27)["scouts"]["this turn"] == ("", "moved")
        assert told(history, 34, 35)["guardsmen"]["this turn"] == ("", "ran")
        assert told(history, 35, 36)[""] == {"score of Imperium": ("0 points", "1 point")}
        assert told(history, 53, 54)["guardians"] == {"falling back": ("", "yes")}
        assert told(history, 56, 57)[""]["over"] == ("", "Imperium wins: the farm is taken")
        assert told(history, 30, 30) == {}


def test_what_changed_at_the_landing_in_the_words_of_the_rules() -> None:
    with open_example("gray-dawn") as battle:
        history = battle.history
        assert told(history, 11, 12) == {
            "grey": {
                "suppression points": ("8", ""),
                "suppressed": ("", "SUPPRESSED"),
                "stance": ("open", "full cover"),
                "this round": ("", "made the check"),
            }
        }
        laid = told(history, 14, 15)
        assert laid[""]["lane ramp"] == ("", "closed, covering fire by Oduya")
        assert laid["drone"]["wounds"] == ("", "6 wounds, serious")
        assert laid["oduya"]["rounds in light machine gun"] == ("100", "70")


def test_every_event_of_the_bundled_battles_changes_a_fact_or_nothing_that_is_told(battle: OpenBattle) -> None:
    """Whatever the panes show otherwise after an entry is told as a difference, and the other way round."""
    history, rules = battle.history, battle.history.rules
    for node in history.path(history.head):
        before, after = history.state_at(history.parent(node)), history.state_at(node)
        shown = [rules.units(state).rows != rules.units(before).rows for state in (after,)]
        if any(shown) or rules.tracker(after).rows != rules.tracker(before).rows:
            assert differences(rules, before, after), (node, history.title(node))
        if before == after:
            assert not differences(rules, before, after)


def test_units_that_come_and_go_are_told_so() -> None:
    with open_example("suppression-fire") as battle:
        history = battle.history
        forth = differences(history.rules, history.state_at(4), history.state_at(5))
        assert [(each.id, each.how) for each in forth] == [("scouts", "came")]
        back = differences(history.rules, history.state_at(5), history.state_at(4))
        assert [(each.id, each.how) for each in back] == [("scouts", "went")]


def test_the_orders_between_two_moments(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        history = battle.history
        assert orders_between(history, 20, 22) == ((), (21, 22))
        assert orders_between(history, 22, 20) == ((22, 21), ())
        assert orders_between(history, 24, 27) == ((24, 23), (27,))
        assert orders_between(history, 0, 3) == ((), (1, 2, 3))
        assert orders_between(history, 7, 7) == ((), ())
