"""A battle in memory, without files: what the engine's tests play on."""

from __future__ import annotations

import json
from typing import Any

from engine.dice import ALGORITHM, Source, seed_from_text
from engine.entries import FORMAT, VERSION, DiceTerms, Header, OrderEntry
from engine.history import History
from engine.orders import odds_of, read_order, resolve_order, written_down
from engine.registered import rule_set


def new_history(
    rules: str = "suppression-fire",
    sides: tuple[str, ...] = ("blue", "red"),
    switches: dict[str, str] | None = None,
    seed: str = "a test",
    dice: str = "app",
) -> History:
    """A battle in which nothing has happened."""
    known = rule_set(rules)
    terms = DiceTerms(ALGORITHM, dice, seed_from_text(seed).hex())
    header = Header(FORMAT, VERSION, 1, "id", 0, "a battle", rules, known.version, "test", sides, switches or {}, terms)
    return History(header, known)


def give(history: History, order: dict[str, Any], source: Source | None = None, ask: bool = False) -> OrderEntry:
    """Give one order as the contract writes it; raises Refusal as the rules do."""
    read = read_order(history.rules, json.dumps(order))
    resolution = resolve_order(history, read, source, ask)
    entry = written_down(history, read, resolution, by="", t=0)
    history.take(entry, resolution.state)
    return entry


def odds(history: History, order: dict[str, Any]) -> dict[str, Any]:
    """The odds of an order as the contract prints them."""
    return odds_of(history, read_order(history.rules, json.dumps(order)))
