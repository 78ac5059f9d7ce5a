"""Whose an order or a roll is, as data: the words that tell it, and the side it comes to in a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

ANYBODYS = "anybody"
"""What tables call whatever is of no side."""


class Whose(Struct, frozen=True):
    """One answer to whose something is: in words, and as a side, with the battle as it was before.

    `side` takes the battle and the order or the throw, and gives an empty text where there is no such unit. `clause`
    is what a roll's owner rests on.
    """

    words: str
    side: Callable[[Any, Any], str]
    clause: str = ""


def side_from(table: Mapping[Any, Whose], key: Any, battle: Any, of: Any) -> str:
    """The side that a table of owners has for something; empty for what stands not in it."""
    whose = table.get(key)
    return whose.side(battle, of) if whose else ""
