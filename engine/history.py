"""The history of a battle: a tree of orders that only grows, and a head that points into it.

Undo erases nothing. `undo`, `redo` and `goto` are entries that move the head; the state is the fold of the path
from the beginning to the head.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from engine.dice import Keys
from engine.drafts import drafted, settled
from engine.entries import (
    LONGEST_NOTE,
    BookmarkEntry,
    Entry,
    GotoEntry,
    Header,
    OrderEntry,
    RedoEntry,
    UndoEntry,
    UnmarkEntry,
)
from engine.refusals import Refusal
from engine.resolution import Correction
from engine.ruleset import RuleSet
from engine.wording import clean

SNAPSHOT_EVERY = 32

KEPT_READ = 20_000
"""How many entries are kept as read; of a longer battle the others are read again when somebody looks."""


class ImpossibleEntry(ValueError):  # noqa: N818  a finding about a file
    """An entry that cannot follow what is there: a wrong number, or a head that it does not fit."""


class Entries(Sequence[Entry]):
    """The entries of a battle in file order. Those that came with their text may be kept as that alone.

    A long battle takes ten times as much memory as its text does once it is read.
    """

    def __init__(self, read: Callable[[bytes], Entry] | None = None) -> None:
        """`read` gives the entry of a text that came with one."""
        self._read = read
        self._written: list[Entry | bytes] = []
        self._known: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._written)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self._written)))]
        written = self._written[at]
        if not isinstance(written, bytes):
            return written
        number = at if at >= 0 else at + len(self._written)
        entry = self._known.get(number)
        if entry is None:
            assert self._read is not None
            entry = self._read(written)
            self._keep(number, entry)
        return entry

    def __iter__(self) -> Iterator[Entry]:
        return (self[at] for at in range(len(self._written)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def append(self, entry: Entry, text: bytes | None) -> None:
        if text is None or self._read is None:
            self._written.append(entry)
        else:
            self._keep(len(self._written), entry)
            self._written.append(text)

    def _keep(self, number: int, entry: Entry) -> None:
        if len(self._known) >= KEPT_READ:
            self._known.clear()
        self._known[number] = entry


class EarlierRolls(Mapping[str, Correction]):
    """The last roll in the file under each key, looked up in its entry."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._last: dict[str, int] = {}

    def __getitem__(self, key: str) -> Correction:
        number = self._last[key]
        entry = self._entries[number - 1]
        assert isinstance(entry, OrderEntry)
        row = next(row for row in reversed(entry.rolls) if row.key == key)
        return Correction(number, row.sides, row.dice)

    def __len__(self) -> int:
        return len(self._last)

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def add(self, entry: OrderEntry) -> None:
        for row in entry.rolls:
            self._last[row.key] = entry.n


class History:
    """A battle as recorded: header, entries, head, and the state at the head.

    Entries go in through `take` only, in file order.
    """

    def __init__(self, header: Header, rules: RuleSet, read: Callable[[bytes], Entry] | None = None) -> None:
        """`read` gives the entry of a text that `take` was given with one: of long battles only texts are kept."""
        self.header = header
        self.rules = rules
        self.entries = Entries(read)
        self.head = 0
        self._state: Any = rules.begin(header.sides, header.switches)
        self._drafted = False
        self._parents: dict[int, int] = {}
        self._depths: dict[int, int] = {0: 0}
        self._ahead: dict[int, int] = {}
        self._heads: list[int] = [0]
        self._snapshots: dict[int, Any] = {0: self._state}
        self._rolled = EarlierRolls(self.entries)
        self._key_counts: dict[str, int] | None = {}
        self._bookmarks: dict[int, BookmarkEntry] = {}

    # What is there

    def order(self, node: int) -> OrderEntry:
        """The order entry with that number; KeyError where there is none."""
        entry = self.entries[node - 1] if node in self._parents else None
        if not isinstance(entry, OrderEntry):
            raise KeyError(node)
        return entry

    @property
    def state(self) -> Any:
        """The state at the head."""
        if self._drafted:
            self._state, self._drafted = settled(self._state), False
        return self._state

    def is_order(self, number: int) -> bool:
        return number in self._parents

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
        return self.state if node == self.head else self._rebuilt(node)

    def _rebuilt(self, node: int) -> Any:
        back: list[int] = []
        at = node
        while at not in self._snapshots:
            back.append(at)
            at = self._parents[at]
        state = self._snapshots[at]
        if not back:
            return state
        state = drafted(state)
        for later in reversed(back):
            state = self._folded(state, self.order(later))
        return settled(state)

    def title(self, node: int) -> str:
        """What the order `node` was, in a few words."""
        return self.rules.order_title(self.state_at(self._parents[node]), self.order(node).order)

    def as_before(self, node: int) -> History:
        """This history with its head before the order `node`, to look at: nothing may be taken into it."""
        return self.as_of(self._parents[node])

    def as_of(self, node: int) -> History:
        """This history with its head at the order `node`, to look at: nothing may be taken into it.

        What is taken into this one shows there too; the head stays where it is.
        """
        seen = copy.copy(self)
        seen._key_counts = None
        seen._move(node)
        return seen

    @property
    def taken_back(self) -> int:
        """How many orders are in the file but not on the line of play that holds now."""
        return len(self._parents) - self._depths[self.head]

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

    # Bookmarks

    @property
    def bookmarks(self) -> tuple[BookmarkEntry, ...]:
        """The bookmarks that nobody has taken away, by the entries they stand at."""
        return tuple(sorted(self._bookmarks.values(), key=lambda each: (each.at, each.n)))

    def bookmark(self, at: int, text: str, by: str, t: int) -> BookmarkEntry:
        """The entry that marks the moment after entry `at`, with a note or none; raises Refusal for one not there."""
        self.head_after(at)
        shown = clean(text).strip()
        if len(shown) > LONGEST_NOTE:
            raise Refusal("order", f"the note is too long: {LONGEST_NOTE} characters at most")
        return BookmarkEntry(len(self.entries) + 1, by, t, at=at, text=shown)

    def unmark(self, of: int, by: str, t: int) -> UnmarkEntry:
        """The entry that takes the bookmark `of` away; raises Refusal where there is none."""
        if of not in self._bookmarks:
            raise Refusal("order", f"entry {of} is no bookmark, or it was taken away already")
        return UnmarkEntry(len(self.entries) + 1, by, t, of=of)

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
            _count(counts, self.order(at))
        return Keys(counts)

    def _counts(self) -> dict[str, int]:
        if self._key_counts is None:
            self._key_counts = {}
            for at in self.path(self.head):
                _count(self._key_counts, self.order(at))
        return self._key_counts

    # Taking entries in

    def take(self, entry: Entry, state: Any = None, text: bytes | None = None) -> None:
        """Add the next entry of the file. `state`, if known, is the state after an order entry; `text` its text.

        Raises ImpossibleEntry for a number, parent or target that does not fit, and whatever folding impossible
        events raises; nothing is changed then.
        """
        if entry.n != len(self._heads):
            raise ImpossibleEntry(f"entry {entry.n} where {len(self._heads)} was due")
        if isinstance(entry, OrderEntry):
            self._take_order(entry, state)
        elif isinstance(entry, UndoEntry):
            self._take_undo(entry)
        elif isinstance(entry, RedoEntry):
            self._take_redo(entry)
        elif isinstance(entry, GotoEntry):
            self._take_goto(entry)
        elif isinstance(entry, BookmarkEntry):
            self._take_bookmark(entry)
        elif isinstance(entry, UnmarkEntry):
            self._take_unmark(entry)
        self.entries.append(entry, text)
        self._heads.append(self.head)

    def _take_order(self, entry: OrderEntry, state: Any) -> None:
        if (entry.n - 1 if entry.p is None else entry.p) != self.head:
            raise ImpossibleEntry(f"entry {entry.n} follows an entry that is not the head {self.head}")
        if state is None:
            self._fold(entry)
        else:
            self._state, self._drafted = state, False
        self._parents[entry.n] = self.head
        depth = self._depths[entry.n] = self._depths[self.head] + 1
        self._ahead.pop(self.head, None)
        self.head = entry.n
        if depth % SNAPSHOT_EVERY == 0:
            self._snapshots[entry.n] = self.state
        if entry.rolls:
            self._rolled.add(entry)
            if self._key_counts is not None:
                _count(self._key_counts, entry)

    def _fold(self, entry: OrderEntry) -> None:
        """Fold an entry into the state at the head."""
        if not self._drafted:
            self._state, self._drafted = drafted(self._state), True
        try:
            self._state = self._folded(self._state, entry)
        except Exception:
            self._state, self._drafted = self._rebuilt(self.head), False
            raise

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
        if entry.to and entry.to not in self._parents:
            raise ImpossibleEntry(f"entry {entry.n} goes to {entry.to}, which is no order")
        line = self.path(self.head)
        if entry.to == 0 or entry.to in line:
            start = line.index(entry.to) + 1 if entry.to else 0
            for node in line[start:]:
                self._ahead[self._parents[node]] = node
        self._move(entry.to)

    def _take_bookmark(self, entry: BookmarkEntry) -> None:
        if entry.at >= entry.n:
            raise ImpossibleEntry(f"entry {entry.n} marks entry {entry.at}, which was not there yet")
        self._bookmarks[entry.n] = entry

    def _take_unmark(self, entry: UnmarkEntry) -> None:
        if entry.of not in self._bookmarks:
            raise ImpossibleEntry(f"entry {entry.n} takes away {entry.of}, which is no bookmark")
        del self._bookmarks[entry.of]

    def _move(self, node: int) -> None:
        self._state, self._drafted = self.state_at(node), False
        self.head = node
        self._key_counts = None

    def _folded(self, state: Any, entry: OrderEntry) -> Any:
        evolve = self.rules.evolve
        for event in entry.events:
            state = evolve(state, event)
        return state


def _count(counts: dict[str, int], entry: OrderEntry) -> None:
    for row in entry.rolls:
        base = row.key.rpartition("#")[0]
        counts[base] = counts.get(base, 0) + 1
