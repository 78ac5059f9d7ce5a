"""What a rule set adds to the words in which its orders are typed; without any, names of actions and fields do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Phrase(Struct, frozen=True):
    """A further verb: the action (by name) that it stands for, and the fields of its form that it has said already."""

    verb: str
    action: str
    given: Mapping[str, Any] = {}


class Spoken(Struct, frozen=True):
    """Words of typed orders: `declare scouts by avengers at 12`.

    `prepositions` are words that stand for fields: of those named, the first is meant that takes what follows. A field
    is named by its name up to the first colon, or by what stands behind the last one.
    `clauses` says on which clause a field rests (`order.field`) and on which an order does (`order`), for whoever asks
    what a question is about.
    """

    prepositions: Mapping[str, tuple[str, ...]] = {}
    phrases: tuple[Phrase, ...] = ()
    clauses: Mapping[str, str] = {}

    def clause_of(self, order: str, field: str) -> str:
        """The number of the clause on which a field of an order rests, else the order's; empty for none."""
        base, _, rest = field.partition(":")
        names = (f"{order}.{base}", f"{order}.{rest.rpartition(':')[2]}" if rest else "", order)
        return next((self.clauses[name] for name in names if name in self.clauses), "")
