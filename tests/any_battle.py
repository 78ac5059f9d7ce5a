"""What must hold of any battle, whatever its rules: the general half of the property tests of both rule sets."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from engine.entries import OrderEntry
from engine.history import History
from engine.refusals import Refusal
from engine.verification import verify_history
from saves.battle import OpenBattle
from saves.chain import FIRST, sealed
from saves.records import record_of
from tests.engine_battle import give

WRITTEN = msgspec.json.Encoder(decimal_format="number", order="deterministic")


def given_or_refused(history: History, order: dict[str, Any]) -> OrderEntry | None:
    """The entry of an order; None where it is refused, which changes nothing and names clauses that there are."""
    before, entries = history.state, len(history.entries)
    try:
        entry = give(history, order)
    except Refusal as refused:
        reasons = refused.reasons
    else:
        assert_recorded_whole(history, entry, before)
        return entry
    clauses = {clause.number for clause in history.rules.clauses} | {"order", "dice"}
    assert all(reason.clause in clauses and reason.message for reason in reasons)
    assert history.state is before
    assert len(history.entries) == entries
    return None


def assert_recorded_whole(history: History, entry: OrderEntry, before: Any) -> None:
    """Events, written down and read again, make the same state without the rules; the order comes back as given."""
    rules, state = history.rules, before
    for raw in msgspec.json.decode(WRITTEN.encode(entry.events), type=list[msgspec.Raw]):
        state = rules.evolve(state, msgspec.json.decode(raw, type=rules.event_types))
    assert state == history.state
    assert msgspec.json.decode(WRITTEN.encode(entry.order), type=rules.order_types) == entry.order
    assert all(0 < row.chance[0] <= row.chance[1] for row in entry.rolls)


def assert_sound(history: History) -> None:
    """At the end of a battle: it verifies, its file holds the same, undo and redo lose nothing, all can be told."""
    finding, count = verify_history(history)
    assert finding is None
    assert count.checked == count.app
    assert_same_on_disk(history)
    assert_back_and_forth(history)
    assert_can_be_told(history)


def assert_same_on_disk(history: History) -> None:
    """The state folded from a file of these entries is the one in memory."""
    line, mark = sealed(record_of(history.header), FIRST)
    lines = [line]
    for entry in history.entries:
        line, mark = sealed(record_of(entry), mark)
        lines.append(line)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.battle.jsonl"
        path.write_bytes(b"".join(lines))
        with OpenBattle.open(path, read_only=True) as battle:
            assert battle.problem is None
            assert battle.history.head == history.head
            assert battle.history.state == history.state
            assert battle.history.entries == history.entries


def assert_back_and_forth(history: History) -> None:
    """Undo to the beginning and redo to the end pass through the same states, in both directions."""
    line = history.path(history.head)
    states = {node: history.state_at(node) for node in (0, *line)}
    for node in reversed(line):
        assert (history.head, history.state) == (node, states[node])
        history.take(history.undo("", 0))
    assert (history.head, history.state) == (0, states[0])
    for node in line:
        history.take(history.redo("", 0))
        assert (history.head, history.state) == (node, states[node])
    assert verify_history(history)[0] is None


def assert_can_be_told(history: History) -> None:
    """Whatever there is can be shown, titled, explained and asked about."""
    rules, battle = history.rules, history.state
    json.dumps(rules.show(battle))
    for row in (row for table in (rules.units(battle), rules.tracker(battle)) for row in table.rows):
        rules.why(battle, row.id)
        for action in rules.actions:
            rules.available(battle, action, row.id)
            rules.asks(battle, action, row.id)
    assert rules.state_line(battle)
    rules.pending(battle)
    for node in history.path(history.head):
        assert history.title(node)
