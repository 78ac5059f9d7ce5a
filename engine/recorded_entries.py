"""The entries of a battle in file order: read, or kept as their texts until somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, overload

from engine.entries import Entry, OrderEntry, OrderMoves
from engine.resolution import Correction
from engine.rolls import Rolled

KEPT_LATEST = 256
"""How many entries of which only the moves were read are kept: a battle that is undone goes back over the latest."""

KEPT_READ = 20_000
"""How many entries of a long battle are kept once somebody has looked at them; others are read again."""


class EntryReader(Protocol):
    """Reads the texts of entries that were found sound before."""

    def read_again(self, text: bytes) -> Entry:
        """The whole entry."""

    def moves_in(self, text: bytes) -> Entry | OrderMoves:
        """What moves the head and changes the state."""

    def rolls_in(self, text: bytes) -> tuple[Rolled, ...]:
        """The rolls of an order, none of other entries."""


class Entries(Sequence[Entry]):
    """The entries of a battle in file order. Those that came with their text may be kept as that alone.

    A long battle takes ten times as much memory as its text does once it is read.
    """

    def __init__(self, reader: EntryReader | None = None) -> None:
        """`reader` reads the texts of those that came with one."""
        self._reader = reader
        self._written: list[Entry | bytes] = []
        self._known: dict[int, Entry] = {}
        self._latest: dict[int, OrderMoves] = {}

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
            assert self._reader is not None
            entry = self._reader.read_again(written)
            self._keep(number, entry)
        return entry

    def __iter__(self) -> Iterator[Entry]:
        return (self[at] for at in range(len(self._written)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def rolls(self, number: int) -> tuple[Rolled, ...]:
        """The rolls of the entry with that number, counted from 1; none where it is no order."""
        entry = self._known.get(number - 1, self._written[number - 1])
        if isinstance(entry, bytes):
            assert self._reader is not None
            return self._reader.rolls_in(entry)
        return entry.rolls if isinstance(entry, OrderEntry) else ()

    def events(self, number: int) -> tuple[Any, ...]:
        """The events of the entry with that number, counted from 1; none where it is no order."""
        at = number - 1
        entry: Entry | OrderMoves | bytes = self._known.get(at) or self._latest.get(at) or self._written[at]
        if isinstance(entry, bytes):
            assert self._reader is not None
            entry = self._reader.moves_in(entry)
        return entry.events if isinstance(entry, (OrderEntry, OrderMoves)) else ()

    def append(self, entry: Entry, text: bytes | None) -> None:
        """Add an entry, with its text if it has one."""
        if text is None or self._reader is None:
            self._written.append(entry)
        else:
            self._keep(len(self._written), entry)
            self._written.append(text)

    def append_text(self, text: bytes, moves: OrderMoves) -> None:
        """Add the text of an order of which only the moves were read."""
        latest = self._latest
        if len(latest) >= KEPT_LATEST:
            latest.clear()
        latest[len(self._written)] = moves
        self._written.append(text)

    def _keep(self, number: int, entry: Entry) -> None:
        if len(self._known) >= KEPT_READ:
            self._known.clear()
        self._known[number] = entry


class EarlierRolls(Mapping[str, Correction]):
    """The last roll in the file under each key, looked up in its entry.

    Entries are gone through when somebody first asks: whoever only looks at a battle never does.
    """

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._last: dict[str, int] = {}
        self._through = 0

    def __getitem__(self, key: str) -> Correction:
        number = self._numbers()[key]
        row = next(row for row in reversed(self._entries.rolls(number)) if row.key == key)
        return Correction(number, row.sides, row.dice)

    def __len__(self) -> int:
        return len(self._numbers())

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers())

    def _numbers(self) -> dict[str, int]:
        for number in range(self._through + 1, len(self._entries) + 1):
            for row in self._entries.rolls(number):
                self._last[row.key] = number
        self._through = len(self._entries)
        return self._last
