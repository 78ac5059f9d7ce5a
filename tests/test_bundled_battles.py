"""The bundled battles are what their orders make of them, verify, and show what they are there to show."""

from __future__ import annotations

import msgspec
import pytest

from engine.entries import OrderEntry, UndoEntry
from engine.suppression_fire import events
from saves.library import examples, open_example
from saves.verifying import verify
from tests.bundled_battles import EXAMPLES, STORIES, written


def test_each_has_a_story() -> None:
    assert examples() == tuple(sorted(STORIES))


@pytest.mark.parametrize("name", STORIES)
def test_the_same_orders_make_the_same_bytes(name: str) -> None:
    """The rules, the dice and the format have not changed under old battles."""
    assert (EXAMPLES / f"{name}.battle.jsonl").read_bytes() == written(name)


@pytest.mark.parametrize("name", STORIES)
def test_it_verifies(name: str) -> None:
    report = verify(EXAMPLES / f"{name}.battle.jsonl")
    assert report.ok
    assert report.rolls.app > 0
    assert report.rolls.checked == report.rolls.app
    assert report.rolls.table > 0


def test_the_farm_shows_what_the_rules_can_do() -> None:
    """Crossfire, shrapnel, a lapse through lost line of sight, a transport, mutual suppression and one undo."""
    with open_example("suppression-fire") as battle:
        history = battle.history
        orders = [entry for entry in history.entries if isinstance(entry, OrderEntry)]
        told = [event for entry in orders for event in entry.events]
        rolls = [row for entry in orders for row in entry.rolls]
        pairs = {(event.unit, event.target) for event in told if isinstance(event, events.Declared)}
    assert len(history.entries) >= 40
    assert any(len([e for e in entry.events if isinstance(e, events.Declared)]) > 1 for entry in orders)
    assert any(row.purpose == "shrapnel" for row in rolls)
    assert any(isinstance(event, events.Lapsed) and event.why == "no line of sight" for event in told)
    assert any(isinstance(event, events.Acted) and event.action == "disembark" for event in told)
    assert any((target, unit) in pairs for unit, target in pairs)
    assert sum(isinstance(entry, UndoEntry) for entry in history.entries) == 1


def test_the_landing_shows_what_the_rules_can_do() -> None:
    """Semi-automatic, burst, lanes, a crossing missed and one hit, a failed check, a reload, stacked lanes, an undo."""
    with open_example("gray-dawn") as battle:
        history = battle.history
        orders = [entry for entry in history.entries if isinstance(entry, OrderEntry)]
        given = [msgspec.to_builtins(entry.order) for entry in orders]
        crossings = [entry for entry, order in zip(orders, given, strict=True) if order.get("action") == "cross"]
        rolls = [row for entry in orders for row in entry.rolls]
        lanes = history.rules.show(history.state_at(history.head_after(27)))["lanes"]
    assert len(history.entries) >= 30
    assert {order.get("mode") for order in given} >= {"semi", "burst"}
    assert {order.get("kind") for order in given} >= {"covering", "saturation"}
    assert [any(row.purpose == "burst" for row in entry.rolls) for entry in crossings] == [False, True]
    assert any(row.purpose == "suppression" and row.outcome == "failed" for row in rolls)
    assert any(order.get("action") == "reload" for order in given)
    assert lanes["gate"]["shooters"] == ["rook", "vance"]
    assert lanes["gate"]["level"] == 5
    assert sum(isinstance(entry, UndoEntry) for entry in history.entries) == 1
