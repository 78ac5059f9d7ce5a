"""Seats: who may give which order, and who takes back what, in battles that several people have open at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.dice import TypedDice
from engine.entries import AnswerEntry, GotoEntry, OrderEntry, RedoEntry, RequestEntry, UndoEntry
from engine.orders import read_order
from engine.refusals import Refusal
from engine.registered import RULE_SETS, rule_set
from engine.seats import BOTH, SPECTATOR, UMPIRE, UNDO, ConsentNeeded, seat_named
from saves.battle import OpenBattle
from saves.chain import FIRST, SEAL, sealed
from saves.creating import create
from saves.library import copy_example
from saves.verifying import verify
from tests.headsdown_command import headsdown

RED, BLUE = "Red", "Blue"
GUN = {
    "name": "rifle",
    "gun_type": "bolt",
    "range": 24,
    "strength": 4,
    "ap": 5,
    "type": "assault",
    "shots": 2,
    "tags": [],
}


def unit(name: str, side: str) -> dict[str, Any]:
    group = {"name": "troopers", "models": 6, "weapons": [GUN]}
    return {"type": "muster", "unit": {"id": name, "side": side, "name": name.title(), "groups": [group]}}


class Table:
    """One battle that several people have open, each in a seat."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.opened: dict[str, OpenBattle] = {}

    def at(self, seat: str) -> OpenBattle:
        if seat not in self.opened:
            self.opened[seat] = OpenBattle.open(self.path)
            self.opened[seat].sit(seat)
        self.opened[seat].refresh()
        return self.opened[seat]

    def order(self, seat: str, order: dict[str, Any], dice: tuple[int, ...] | None = None) -> OrderEntry:
        battle = self.at(seat)
        source = TypedDice(dice) if dice is not None else None
        return battle.give(read_order(battle.history.rules, json.dumps(order)), by=seat, source=source)

    def refused(self, seat: str, order: dict[str, Any]) -> str:
        before = self.path.read_bytes()
        with pytest.raises(Refusal) as refusal:
            self.order(seat, order)
        assert self.path.read_bytes() == before
        assert refusal.value.clause == "seat"
        return refusal.value.message


@pytest.fixture
def new_table(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Makes a battle of Red and Blue in Red's shooting phase: Red's guns have Blue's scouts before them."""
    tables: list[Table] = []

    def made(undo: str = "own") -> Table:
        path = tmp_path / f"{undo}.battle.jsonl"
        create(path, rules="suppression-fire", sides=(RED, BLUE), switches={"undo": undo}, seed="x")
        table = Table(path)
        tables.append(table)
        table.order(RED, unit("guns", RED))
        table.order(BLUE, unit("scouts", BLUE))
        table.order(RED, {"type": "begin_turn", "side": RED})
        table.order(RED, {"type": "phase", "to": "shooting"})
        return table

    yield made
    for table in tables:
        for battle in table.opened.values():
            battle.close()


DECLARE = {"type": "declare", "target": "scouts", "by": [{"unit": "guns", "range": 12}]}
TEST = {"type": "test", "target": "scouts"}
NOTE = {"type": "note", "text": "hello"}


# Orders


def test_each_side_orders_its_own_and_everybody_may_note(new_table: Callable[..., Table]) -> None:
    table = new_table()
    assert table.refused(BLUE, DECLARE) == "that is for Red to order; you sit for Blue"
    table.order(RED, DECLARE)
    assert table.refused(RED, TEST) == "that is for Blue to order; you sit for Red"
    assert table.order(BLUE, TEST).seat == BLUE
    assert table.refused(BLUE, {"type": "end_turn"}) == "that is for Red to order; you sit for Blue"
    for seat in (RED, BLUE):
        table.order(seat, NOTE)
        table.order(seat, {"type": "line_of_sight", "suppressor": "guns", "target": "scouts", "clear": seat == BLUE})
    assert verify(table.path).ok


def test_an_order_that_names_nobody_there_is_refused_for_that(new_table: Callable[..., Table]) -> None:
    with pytest.raises(Refusal) as refusal:
        new_table().order(RED, {"type": "test", "target": "ghosts"})
    assert refusal.value.clause == "order"


def test_the_umpire_and_who_sits_for_both_order_all_and_spectators_nothing(
    new_table: Callable[..., Table],
) -> None:
    table = new_table()
    assert table.order(UMPIRE, DECLARE).seat == UMPIRE
    assert table.order(BOTH, TEST).seat == ""
    told = "spectators look on: they give no orders and take nothing back"
    assert table.refused(SPECTATOR, NOTE) == told
    before = table.path.read_bytes()
    acts: tuple[Callable[[OpenBattle], object], ...] = (
        lambda battle: battle.undo(),
        lambda battle: battle.goto(0),
        lambda battle: battle.ask(0),
        lambda battle: battle.bookmark(1, "look"),
    )
    for act in acts:
        with pytest.raises(Refusal, match=r"spectators look on.*\(seat\)"):
            act(table.at(SPECTATOR))
    assert table.path.read_bytes() == before


@pytest.mark.parametrize("rules", RULE_SETS)
def test_whose_an_order_is_is_known_or_it_is_one_of_the_few_that_are_anybodys(rules: str) -> None:
    """A new order must be put into the table of owners, or named here."""
    house = rule_set(rules)
    anybodys = {"note", "mission", "end_battle", "line_of_sight", "begin_round", "end_round"}
    owners = import_module(f"engine.{rules.replace('-', '_')}.owners").OWNERS
    for kind in house.order_types.__args__:
        assert (kind in owners) != (kind.__struct_config__.tag in anybodys), kind


def test_a_seat_is_named_as_the_side_or_by_its_word() -> None:
    sides = ("Eldar", "Imperium")
    assert [seat_named(text, sides) for text in ("Eldar", "eldar", "umpire", "Both")] == [
        "Eldar",
        "Eldar",
        UMPIRE,
        BOTH,
    ]
    with pytest.raises(Refusal, match="there is no seat orks; there are: Eldar, Imperium, both, umpire, spectator"):
        seat_named("orks", sides)
    with pytest.raises(Refusal, match="a side cannot be called Umpire"):
        create("unused", rules="gray-dawn", sides=("Umpire", "Red"))


# Taking back


def test_ones_own_latest_order_of_the_turn_is_taken_back_freely_while_nothing_was_rolled(
    new_table: Callable[..., Table],
) -> None:
    table = new_table()
    table.order(RED, DECLARE)
    undone = table.at(RED).undo(by=RED)
    assert (undone.seat, undone.agreed) == (RED, ())
    assert table.at(RED).redo(by=RED).seat == RED
    assert verify(table.path).ok


def refused_for_consent(act: Callable[[], object], sides: tuple[str, ...]) -> None:
    with pytest.raises(ConsentNeeded) as needed:
        act()
    assert needed.value.sides == sides
    assert needed.value.message == f"{' and '.join(sides)} must agree to that first: ask them"


def test_orders_of_others_rolled_ones_and_earlier_turns_need_consent(new_table: Callable[..., Table]) -> None:
    table = new_table()
    declared = table.order(RED, DECLARE)
    refused_for_consent(lambda: table.at(BLUE).undo(by=BLUE), (RED,))
    table.order(BLUE, TEST)
    refused_for_consent(lambda: table.at(BLUE).undo(by=BLUE), (RED,))
    refused_for_consent(lambda: table.at(RED).goto(declared.n, by=RED), (BLUE,))
    table.order(RED, {"type": "phase", "to": "assault"})
    table.order(RED, {"type": "end_turn"})
    assert table.at(RED).undo(by=RED).agreed == ()
    table.at(RED).redo(by=RED)
    table.order(BLUE, {"type": "begin_turn", "side": BLUE})
    refused_for_consent(lambda: table.at(BLUE).undo(by=BLUE), (RED,))
    table.at(UMPIRE).undo(by="Kim")
    assert verify(table.path).ok


def test_somebody_else_in_the_same_seat_is_somebody_else(new_table: Callable[..., Table]) -> None:
    table = new_table()
    table.order(RED, DECLARE)
    refused_for_consent(lambda: table.at(RED).undo(by="another"), (BLUE,))


def test_who_agrees_takes_it_back_in_the_name_of_who_asked(new_table: Callable[..., Table]) -> None:
    table = new_table()
    declared = table.order(RED, DECLARE)
    tested = table.order(BLUE, TEST)
    request = table.at(RED).ask(declared.n, by=RED)
    assert table.at(BLUE).history.request == request
    answer = table.at(BLUE).answer(True, by=BLUE)
    entries = table.at(RED).history.entries
    assert list(entries[-3:-1]) == [request, answer]
    assert entries[-1] == UndoEntry(
        tested.n + 3, RED, entries[-1].t, of=tested.n, to=declared.n, seat=RED, agreed=(answer.n,)
    )
    assert table.at(RED).history.request is None
    again = table.order(BLUE, TEST)
    assert again.rolls == tested.rolls
    assert verify(table.path).ok


def test_a_no_ends_the_request_and_so_does_the_next_order(new_table: Callable[..., Table]) -> None:
    table = new_table()
    declared = table.order(RED, DECLARE)
    table.order(BLUE, TEST)
    table.at(RED).ask(declared.n, by=RED)
    table.at(BLUE).answer(False, by=BLUE)
    assert table.at(RED).history.request is None
    refused_for_consent(lambda: table.at(RED).undo(by=RED), (BLUE,))
    table.at(RED).ask(0, by=RED)
    table.order(RED, NOTE)
    assert table.at(BLUE).history.request is None
    with pytest.raises(Refusal, match="nobody asks to take anything back"):
        table.at(BLUE).answer(True, by=BLUE)
    assert verify(table.path).ok


def test_who_asks_does_not_answer_and_nobody_asks_for_what_is_free(new_table: Callable[..., Table]) -> None:
    table = new_table()
    table.order(RED, DECLARE)
    with pytest.raises(Refusal, match="nobody has to agree to that: just do it"):
        table.at(RED).ask(table.at(RED).history.head - 1, by=RED)
    table.order(BLUE, TEST)
    table.at(RED).ask(0, by=RED)
    for seat in (RED, SPECTATOR):
        with pytest.raises(Refusal, match="that is for the other side to answer"):
            table.at(seat).answer(True, by=seat)
    table.at(UMPIRE).answer(True, by="Kim")
    assert isinstance(table.at(RED).history.entries[-1], GotoEntry)
    assert table.at(RED).history.head == 0
    assert verify(table.path).ok


def test_consent_for_everything_nothing_or_free(new_table: Callable[..., Table]) -> None:
    table = new_table("consent")
    table.order(RED, DECLARE)
    refused_for_consent(lambda: table.at(RED).undo(by=RED), (BLUE,))
    free = new_table("free")
    free.order(BLUE, NOTE)
    assert free.at(RED).undo(by=RED).agreed == ()
    assert isinstance(free.at(BLUE).redo(by=BLUE), RedoEntry)
    off = new_table("off")
    for act in (lambda: off.at(RED).undo(by=RED), lambda: off.at(RED).ask(0, by=RED)):
        with pytest.raises(Refusal, match=r"nothing is taken back in this battle \(switch undo=off\)"):
            act()
    off.at(UMPIRE).undo(by="Kim")
    off.at(BOTH).redo()
    assert all(verify(each.path).ok for each in (table, free, off))


def test_the_switch_stands_in_the_header_only_where_somebody_chose_it(tmp_path: Path) -> None:
    for number, given in enumerate(({}, {"undo": "consent"})):
        path = tmp_path / f"{number}.battle.jsonl"
        create(path, rules="gray-dawn", sides=(RED, BLUE), switches=given)
        with OpenBattle.open(path) as battle:
            assert battle.history.header.switches.get(UNDO.name) == given.get("undo")
    with pytest.raises(Refusal, match="the switch undo cannot be never; it may be: own, free, consent, off"):
        create(tmp_path / "x", rules="gray-dawn", sides=(RED, BLUE), switches={"undo": "never"})


# What is on record


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """The battle with its records changed and sealed anew, as a forger would."""
    records = [json.loads(line[:-SEAL] + b"}") for line in path.read_bytes().splitlines()]
    change(records)
    mark, lines = FIRST, []
    for record in records:
        line, mark = sealed(msgspec.json.encode(record), mark)
        lines.append(line)
    forged = path.with_name("forged.battle.jsonl")
    forged.write_bytes(b"".join(lines))
    return forged


def test_verify_tells_of_orders_and_steps_back_from_a_seat_that_had_no_right_to_them(
    new_table: Callable[..., Table],
) -> None:
    table = new_table()
    declared = table.order(RED, DECLARE)
    table.order(BLUE, TEST)
    table.at(RED).ask(declared.n, by=RED)
    table.at(BLUE).answer(True, by=BLUE)
    assert verify(table.path).ok

    def another_seat(records: list[dict[str, Any]]) -> None:
        records[declared.n]["seat"] = BLUE

    def without_the_answer(records: list[dict[str, Any]]) -> None:
        records[-1]["agreed"] = []

    def answered_by_who_asked(records: list[dict[str, Any]]) -> None:
        records[-2]["seat"] = RED

    for change, entry in ((another_seat, declared.n), (without_the_answer, -1), (answered_by_who_asked, -2)):
        forged = rewritten(table.path, change)
        last = len(forged.read_bytes().splitlines()) - 1
        report = verify(forged)
        expected = entry if entry > 0 else last + 1 + entry
        assert (report.ok, report.kind, report.first_bad) == (False, "altered", expected), change


@pytest.mark.parametrize(
    "record", [RequestEntry(58, "", 0, RED, head=3, to=1), AnswerEntry(58, "", 0, RED, of=4, agreed=True)]
)
def test_a_request_from_elsewhere_and_an_answer_to_nothing_are_no_entries(record: Any, tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    forged = rewritten(path, lambda records: records.append(json.loads(msgspec.json.encode(record))))
    report = verify(forged)
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", 58)


def test_a_battle_without_seats_is_written_as_before(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    with OpenBattle.open(path) as battle:
        battle.undo()
        battle.redo()
    assert b'"seat"' not in path.read_bytes()
    assert b'"agreed"' not in path.read_bytes()


# On the command line


def test_the_command_line_takes_a_seat(tmp_path: Path) -> None:
    path = tmp_path / "a.battle.jsonl"
    orders = tmp_path / "orders.jsonl"
    assert headsdown("new", path, "--rules", "suppression-fire", "--side", RED, "--side", BLUE).status == 0
    orders.write_text(json.dumps(unit("guns", RED)))
    ran = headsdown("play", path, "--orders", orders, "--as", "Anna", "--seat", BLUE)
    assert (ran.status, ran.err.rstrip().endswith("that is for Red to order; you sit for Blue (seat)")) == (1, True)
    assert headsdown("play", path, "--orders", orders, "--as", "Anna", "--seat", "red").status == 0
    entry = json.loads(path.read_bytes().splitlines()[-1])
    assert (entry["by"], entry["seat"]) == ("Anna (Red)", RED)
    ran = headsdown("undo", path, "--as", "Ben", "--seat", BLUE)
    assert (ran.status, ran.err) == (1, "headsdown: Red must agree to that first: ask them (seat)\n")
    ran = headsdown("undo", path, "--seat", "green")
    assert (ran.status, ran.err) == (
        2,
        "headsdown undo: there is no seat green; there are: Red, Blue, both, umpire, spectator\n",
    )
    ran = headsdown("open", path, "--seat", "spectator", "--side", RED)
    assert ran.status == 2


# Dice


def guns_that_wound(table: Table) -> None:
    """Blue's scouts have passed their test and run through Red's fire."""
    table.order(RED, DECLARE)
    table.order(BLUE, TEST, dice=(1, 1))
    table.order(RED, {"type": "phase", "to": "assault"})
    table.order(RED, {"type": "end_turn"})
    table.order(BLUE, {"type": "begin_turn", "side": BLUE})


MOVE = {"type": "act", "unit": "scouts", "action": "move"}


def test_each_side_types_its_own_dice_and_the_app_rolls_those_of_the_other(new_table: Callable[..., Table]) -> None:
    """SF-21: the unit that braves the fire rolls to be hit; SF-24: what the guns do, the side that fires rolls."""
    table = new_table()
    guns_that_wound(table)
    entry = table.order(BLUE, {**MOVE, "dice": [6, 6, 6, 6, 6, 1]})
    rolls = [(row.purpose, row.source) for row in entry.rolls]
    assert rolls[:2] == [("hit", "table"), ("wound", "app")]
    assert verify(table.path).ok


def test_faces_of_the_other_side_are_refused_and_nothing_is_recorded(new_table: Callable[..., Table]) -> None:
    table = new_table()
    guns_that_wound(table)
    told = "too many dice: 11 given, 6 rolled, 5 too many; wound of scouts is for Red to roll, so the app rolls it"
    assert table.refused(BLUE, {**MOVE, "dice": [6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1]}) == told
    before = table.path.read_bytes()
    with pytest.raises(Refusal, match=r"wound of scouts is for Red to roll; you sit for Blue \(seat\)"):
        table.order(BLUE, MOVE, dice=(6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1))
    assert table.path.read_bytes() == before


@pytest.mark.parametrize("seat", [UMPIRE, BOTH])
def test_the_umpire_and_who_sits_for_both_type_all_dice(seat: str, new_table: Callable[..., Table]) -> None:
    table = new_table()
    guns_that_wound(table)
    entry = table.order(seat, {**MOVE, "dice": [6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1]})
    assert [row.source for row in entry.rolls] == ["table", "table"]


def test_verify_tells_of_faces_that_another_side_typed(new_table: Callable[..., Table]) -> None:
    table = new_table()
    guns_that_wound(table)
    entry = table.order(UMPIRE, {**MOVE, "dice": [6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 1]})

    def by_blue(records: list[dict[str, Any]]) -> None:
        records[entry.n]["seat"] = BLUE

    report = verify(rewritten(table.path, by_blue))
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", entry.n)
    assert "wound of scouts is for Red to roll; you sit for Blue (seat)" in report.message


def test_table_dice_that_are_not_told_are_asked_of_the_one_who_rolls_them(tmp_path: Path) -> None:
    path = tmp_path / "table.battle.jsonl"
    create(path, rules="suppression-fire", sides=(RED, BLUE), dice="table")
    table = Table(path)
    for seat, order in ((RED, unit("guns", RED)), (BLUE, unit("scouts", BLUE))):
        table.order(seat, order)
    table.order(RED, {"type": "begin_turn", "side": RED})
    table.order(RED, {"type": "phase", "to": "shooting"})
    table.order(RED, DECLARE)
    with pytest.raises(Refusal, match=r"too few dice: leadership of scouts waits for 2 D6 \(dice\)"):
        table.order(BLUE, TEST)
    assert table.order(BLUE, {**TEST, "dice": [1, 2]}).rolls[0].source == "table"
    for battle in table.opened.values():
        battle.close()


@pytest.mark.parametrize("rules", RULE_SETS)
def test_whose_every_throw_is_is_known(rules: str) -> None:
    """Each purpose in the table of dice keys has somebody who rolls it, and nothing else has."""
    from tests.test_dice_keys import table_of

    rollers = import_module(f"engine.{rules.replace('-', '_')}.owners").ROLLERS
    assert set(rollers) == {purpose for purpose, _, _ in table_of(rule_set(rules).title)}
    known = {clause.number for clause in rule_set(rules).clauses}
    assert {whose.clause for whose in rollers.values()} <= known


def test_the_page_says_whose_each_order_and_roll_is() -> None:
    """`python -m tests.whose_page` makes its tables anew."""
    from tests.whose_page import PAGE, page

    assert PAGE.read_text(encoding="utf-8") == page()


def test_what_the_page_calls_by_hand_is_the_program() -> None:
    page = (Path(__file__).parent.parent / "docs" / "seats.md").read_text(encoding="utf-8")
    assert [f"| `{value}` |" in page for value in UNDO.values] == [True] * len(UNDO.values)
