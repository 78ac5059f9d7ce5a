"""A battle under other names: the same name becomes the same other one wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from engine.entries import BookmarkEntry, Entry, OrderEntry
from engine.history import History
from engine.rolls import Rolled
from saves.armoury import armoury

LEFT_OUT = "(left out)"
"""What stands for notes, reasons and other free words."""


class Masks:
    """Who is who behind the masks, as far as names have come up. `history` is the battle under them."""

    def __init__(self, history: History) -> None:
        """Put masks on a battle."""
        self._named = history.rules.named
        self._known = frozenset(_words_in(armoury(history.rules.armoury)))
        self._given: dict[str, dict[str, str]] = {}
        sides = tuple(self.side(side) for side in history.header.sides)
        header = msgspec.structs.replace(history.header, name="", sides=sides, parent=None)
        self.history = History(header, history.rules)
        for entry in history.entries:
            self.history.take(self._entry(entry))

    def unit(self, given: str) -> str:
        """The id that stands for a unit's."""
        return self._mask("unit", given, lambda number: f"unit-{number}")

    def side(self, given: str) -> str:
        return self._mask("side", given, lambda number: f"Side {_letters(number)}")

    def _mask(self, kind: str, given: str, named: Any) -> str:
        masks = self._given.setdefault(kind, {})
        return masks.setdefault(given, named(len(masks) + 1))

    def _worn(self, kind: str, given: str) -> str:
        """The mask of a name of that kind. Names of the rule set's own armoury give nobody away, and stay."""
        if not given or (kind not in ("unit", "unit name", "side", "text") and given in self._known):
            return given
        if kind == "unit":
            return self.unit(given)
        if kind == "side":
            return self.side(given)
        if kind == "text":
            return LEFT_OUT
        word = "unit" if kind == "unit name" else kind
        return self._mask(kind, given, lambda number: f"{word.capitalize()} {number}")

    # Entries, orders and events

    def _entry(self, entry: Entry) -> Entry:
        by = self._mask("player", entry.by, lambda number: f"Player {_letters(number)}") if entry.by else ""
        if isinstance(entry, BookmarkEntry):
            return msgspec.structs.replace(entry, by=by, text=LEFT_OUT if entry.text else "")
        if not isinstance(entry, OrderEntry):
            return msgspec.structs.replace(entry, by=by)
        order, events = self._struct(entry.order), tuple(self._struct(event) for event in entry.events)
        rolls = tuple(self._roll(row) for row in entry.rolls)
        return msgspec.structs.replace(entry, by=by, order=order, events=events, rolls=rolls)

    def _roll(self, row: Rolled) -> Rolled:
        sides, units = self._given.get("side", {}), self._given.get("unit", {})
        is_side = row.subject in sides and row.subject not in units
        return msgspec.structs.replace(
            row,
            subject=self.side(row.subject) if is_side else self.unit(row.subject),
            group=self._worn(self._named.get("Rolled.group", "group"), row.group),
            key=self._mask("key", row.key, lambda number: f"roll-{number}#0"),
        )

    def _struct(self, given: Any) -> Any:
        of = type(given).__name__
        kinds = {name: self._named.get(f"{of}.{name}") for name in given.__struct_fields__}
        masked = {name: self._value(kind, getattr(given, name)) for name, kind in kinds.items()}
        known_by = next((name for name, kind in kinds.items() if kind == "unit" and getattr(given, name)), None)
        for name, kind in kinds.items():
            if kind == "unit name" and known_by and getattr(given, name):
                masked[name] = masked[known_by].replace("-", " ").capitalize()  # one number for the id and the name
        return msgspec.structs.replace(given, **masked)

    def _value(self, kind: str | None, given: Any) -> Any:
        if isinstance(given, str):
            return self._worn(kind, given) if kind else given
        if isinstance(given, Struct):
            return self._struct(given)
        if isinstance(given, tuple):
            return tuple(self._value(kind, each) for each in given)
        if isinstance(given, Mapping):
            return {self._value(kind, name): each for name, each in given.items()}
        return given


def _letters(number: int) -> str:
    """A, B ... Z, then A27, A28: more sides or players than letters are rare."""
    return chr(ord("A") + number - 1) if number <= 26 else f"A{number}"


def _words_in(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, Mapping):
        for branch in tree.values():
            yield from _words_in(branch)
    elif isinstance(tree, list | tuple):
        for branch in tree:
            yield from _words_in(branch)
