"""The history of a battle: a tree of orders that only grows, and a head that points into it.

Undo erases nothing. `undo`, `redo` and `goto` are entries that move the head; the state is the fold of the path
from the beginning to the head.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from engine.dice import Keys
from engine.entries import Entry, GotoEntry, Header, OrderEntry, RedoEntry, UndoEntry
from engine.refusals import Refusal
from engine.resolution import Correction
from engine.ruleset import RuleSet

SNAPSHOT_EVERY = 32


class ImpossibleEntry(ValueError):  # noqa: N818  a finding about a file
    """An entry that cannot follow what is there: a wrong number, or a head that it does not fit."""


class History:
    """A battle as recorded: header, entries, head, and the state at the head.

    Entries go in through `take` only, in file order.
    """

    def __init__(self, header: Header, rules: RuleSet) -> None:
        self.header = header
        self.rules = rules
        self.entries: list[Entry] = []
        self.head = 0
        self.state: Any = rules.begin(header.sides, header.switches)
        self._orders: dict[int, OrderEntry] = {}
        self._parents: dict[int, int] = {}
        self._depths: dict[int, int] = {0: 0}
        self._ahead: dict[int, int] = {}
        self._heads: list[int] = [0]
        self._snapshots: dict[int, Any] = {0: self.state}
        self._rolled: dict[str, Correction] = {}
        self._key_counts: dict[str, int] | None = {}

    # What is there

    def order(self, node: int) -> OrderEntry:
        """The order entry with that number; KeyError where there is none."""
        return self._orders[node]

    def is_order(self, number: int) -> bool:
        return number in self._orders

    def parent(self, node: int) -> int:
        """The entry before `node` on its line of play, 0 for the beginning."""
        return self._parents[node]

    def path(self, node: int) -> tuple[int, ...]:
        """The orders from the beginning to `node`, oldest first."""
        line: list[int] = []
        while node:
            line.append(node)
            node = self._parents[node]
        return tuple(reversed(line))

    def head_after(self, number: int) -> int:
        """Where the head was after entry `number`; 0 for the header. Raises Refusal for a number not there."""
        if not 0 <= number < len(self._heads):
            raise Refusal("order", f"there is no entry {number}; the last one is {len(self.entries)}")
        return self._heads[number]

    def state_at(self, node: int) -> Any:
        """The state after the order `node` on its line of play."""
        if node == self.head:
            return self.state
        back: list[int] = []
        at = node
        while at not in self._snapshots:
            back.append(at)
            at = self._parents[at]
        state = self._snapshots[at]
        for later in reversed(back):
            state = self._folded(state, self._orders[later])
        return state

    def title(self, node: int) -> str:
        """What the order `node` was, in a few words."""
        return self.rules.order_title(self.state_at(self._parents[node]), self._orders[node].order)

    def as_before(self, node: int) -> History:
        """This history with its head before the order `node`, to look at: nothing may be taken into it."""
        before = copy.copy(self)
        before._move(self._parents[node])
        return before

    @property
    def taken_back(self) -> int:
        """How many orders are in the file but not on the line of play that holds now."""
        return len(self._orders) - self._depths[self.head]

    # Going back and forth

    @property
    def next_undo(self) -> int | None:
        """The order that undo would take back, None where there is none."""
        return self.head or None

    @property
    def next_redo(self) -> int | None:
        """The order that redo would bring back, None where there is none."""
        return self._ahead.get(self.head)

    def undo(self, by: str, t: int) -> UndoEntry:
        """The entry that takes back the order at the head; raises Refusal where there is nothing to undo."""
        if not self.head:
            raise Refusal("order", "there is nothing to undo: no order stands on this line of play")
        return UndoEntry(len(self.entries) + 1, by, t, of=self.head, to=self._parents[self.head])

    def redo(self, by: str, t: int) -> RedoEntry:
        """The entry that brings back what was taken back last; raises Refusal where there is nothing."""
        if self.next_redo is None:
            raise Refusal("order", "there is nothing to redo: nothing was taken back here")
        return RedoEntry(len(self.entries) + 1, by, t, to=self.next_redo)

    def goto(self, number: int, by: str, t: int) -> GotoEntry:
        """The entry that moves the head to where it was after entry `number`.

        Raises Refusal where there is no such entry, and where the head is there already.
        """
        there = self.head_after(number)
        if there == self.head:
            where = f"where it was after entry {number}" if number else "at its beginning"
            raise Refusal("order", f"there is nowhere to go: the battle stands {where} already")
        return GotoEntry(len(self.entries) + 1, by, t, to=there)

    # Dice

    def keys(self) -> Keys:
        """The numbering of the next order's throws, by what this line of play has rolled."""
        return Keys(self._counts())

    @property
    def rolled(self) -> Mapping[str, Correction]:
        """The last roll in the file under each key, whatever line of play it stands on."""
        return self._rolled

    def keys_at(self, node: int) -> Keys:
        """The numbering of the throws of an order that follows `node`."""
        counts: dict[str, int] = {}
        for at in self.path(node):
            _count(counts, self._orders[at])
        return Keys(counts)

    def _counts(self) -> dict[str, int]:
        if self._key_counts is None:
            self._key_counts = {}
            for at in self.path(self.head):
                _count(self._key_counts, self._orders[at])
        return self._key_counts

    # Taking entries in

    def take(self, entry: Entry, state: Any = None) -> None:
        """Add the next entry of the file. `state`, if known, is the state after an order entry.

        Raises ImpossibleEntry for a number, parent or target that does not fit; nothing is changed then.
        """
        if entry.n != len(self.entries) + 1:
            raise ImpossibleEntry(f"entry {entry.n} where {len(self.entries) + 1} was due")
        if isinstance(entry, OrderEntry):
            self._take_order(entry, state)
        elif isinstance(entry, UndoEntry):
            self._take_undo(entry)
        elif isinstance(entry, RedoEntry):
            self._take_redo(entry)
        elif isinstance(entry, GotoEntry):
            self._take_goto(entry)
        self.entries.append(entry)
        self._heads.append(self.head)

    def _take_order(self, entry: OrderEntry, state: Any) -> None:
        if (entry.n - 1 if entry.p is None else entry.p) != self.head:
            raise ImpossibleEntry(f"entry {entry.n} follows an entry that is not the head {self.head}")
        after = self._folded(self.state, entry) if state is None else state
        self._orders[entry.n] = entry
        self._parents[entry.n] = self.head
        self._depths[entry.n] = self._depths[self.head] + 1
        self._ahead.pop(self.head, None)
        if self._depths[entry.n] % SNAPSHOT_EVERY == 0:
            self._snapshots[entry.n] = after
        if self._key_counts is not None:
            _count(self._key_counts, entry)
        for row in entry.rolls:
            self._rolled[row.key] = Correction(entry.n, row.sides, row.dice)
        self.head, self.state = entry.n, after

    def _take_undo(self, entry: UndoEntry) -> None:
        if not self.head or entry.of != self.head or entry.to != self._parents[self.head]:
            raise ImpossibleEntry(f"entry {entry.n} takes back {entry.of}, which is not the head {self.head}")
        self._ahead[entry.to] = entry.of
        self._move(entry.to)

    def _take_redo(self, entry: RedoEntry) -> None:
        if entry.to != self._ahead.get(self.head):
            raise ImpossibleEntry(f"entry {entry.n} brings back {entry.to}, which was not taken back here")
        self._move(entry.to)

    def _take_goto(self, entry: GotoEntry) -> None:
        if entry.to and entry.to not in self._orders:
            raise ImpossibleEntry(f"entry {entry.n} goes to {entry.to}, which is no order")
        line = self.path(self.head)
        if entry.to == 0 or entry.to in line:
            start = line.index(entry.to) + 1 if entry.to else 0
            for node in line[start:]:
                self._ahead[self._parents[node]] = node
        self._move(entry.to)

    def _move(self, node: int) -> None:
        after = self.state_at(node)
        self.head, self.state = node, after
        self._key_counts = None

    def _folded(self, state: Any, entry: OrderEntry) -> Any:
        for event in entry.events:
            state = self.rules.evolve(state, event)
        return state


def _count(counts: dict[str, int], entry: OrderEntry) -> None:
    for row in entry.rolls:
        base = row.key.rpartition("#")[0]
        counts[base] = counts.get(base, 0) + 1
