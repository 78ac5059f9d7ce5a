"""The history of a battle: a tree of orders that only grows, and a head that points into it.

Undo erases nothing. `undo`, `redo` and `goto` are entries that move the head; the state is the fold of the path
from the beginning to the head.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.dice import Keys
from engine.entries import (
    LONGEST_NOTE,
    AnswerEntry,
    BookmarkEntry,
    Entry,
    GotoEntry,
    Header,
    MoveEntry,
    OrderEntry,
    OrderMoves,
    RedoEntry,
    RequestEntry,
    RevealEntry,
    SealEntry,
    UndoEntry,
    UnmarkEntry,
    WordsEntry,
)
from engine.folding import own_copy
from engine.kept_states import CLOSE_EVERY, KeptStates
from engine.lines_of_play import LinesOfPlay
from engine.recorded_entries import EarlierRolls, Entries, EntryReader
from engine.refusals import Refusal
from engine.resolution import Correction
from engine.ruleset import RuleSet
from engine.sealed_dice import Seals
from engine.wording import clean


class ImpossibleEntry(ValueError):  # noqa: N818  a finding about a file
    """An entry that cannot follow what is there: a wrong number, or a head that it does not fit."""


class History(LinesOfPlay):
    """A battle as recorded: header, entries, their lines of play with the head, and the state at the head.

    Entries go in through `take` only, in file order.
    """

    def __init__(self, header: Header, rules: RuleSet, reader: EntryReader | None = None) -> None:
        """`reader` reads the texts that `take` is given with entries: of long battles only texts are kept."""
        super().__init__()
        self.header = header
        self.rules = rules
        self.entries = Entries(reader)
        self._state: Any = rules.begin(header.sides, header.switches)
        self._seen = True
        self._states = KeptStates(rules, self.entries, self, self._state)
        self._ahead: dict[int, int] = {}
        self._rolled = EarlierRolls(self.entries)
        self._key_counts: dict[str, int] | None = None
        self._bookmarks: dict[int, BookmarkEntry] = {}
        self.seals = Seals(header)
        self._request: RequestEntry | None = None
        self._agreed: dict[str, int] = {}

    # What is there

    def order(self, node: int) -> OrderEntry:
        """The order entry with that number; KeyError where there is none."""
        entry = self.entries[node - 1] if self.is_order(node) else None
        if not isinstance(entry, OrderEntry):
            raise KeyError(node)
        return entry

    @property
    def state(self) -> Any:
        """The state at the head."""
        self._seen = True
        return self._state

    def state_at(self, node: int) -> Any:
        """The state after the order `node` on its line of play."""
        return self.state if node == self.head else self._states.at(node)

    def title(self, node: int) -> str:
        """What the order `node` was, in a few words."""
        return self.rules.order_title(self.state_at(self.parent(node)), self.order(node).order)

    def as_before(self, node: int) -> History:
        """This history with its head before the order `node`, to look at: nothing may be taken into it."""
        counts = self._key_counts
        return self._looked_at(self.parent(node), None if counts is None else dict(counts))

    def as_of(self, node: int) -> History:
        """This history with its head at the order `node`, to look at: nothing may be taken into it.

        What is taken into this one shows there too; the head stays where it is.
        """
        return self._looked_at(node, None)

    def _looked_at(self, node: int, counts: dict[str, int] | None) -> History:
        self._seen = True  # which may share its state with what is looked at: it is not changed in place any more
        looked_at = copy.copy(self)
        looked_at._key_counts = counts
        looked_at._move(node)
        return looked_at

    @property
    def taken_back(self) -> int:
        """How many orders are in the file but not on the line of play that holds now."""
        return self.orders - self.depth(self.head)

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
        return UndoEntry(len(self.entries) + 1, by, t, of=self.head, to=self.parent(self.head))

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

    # Asking the others

    @property
    def request(self) -> RequestEntry | None:
        """The request that waits for answers; it dies when the head moves or somebody says no."""
        return self._request

    @property
    def agreed(self) -> Mapping[str, int]:
        """The sides that have agreed to the request, and the entries in which they did."""
        return self._agreed

    def ask(self, to: int, seat: str, by: str, t: int) -> RequestEntry:
        """The entry that asks the others to let the head go to `to`; raises Refusal where it cannot."""
        if to == self.head:
            raise Refusal("order", "there is nothing to ask for: the battle stands there already")
        if to and not self.is_order(to):
            raise Refusal("order", f"entry {to} is no order")
        return RequestEntry(len(self.entries) + 1, by, t, seat, head=self.head, to=to)

    def answer(self, agreed: bool, seat: str, by: str, t: int) -> AnswerEntry:
        """The entry that answers the request; raises Refusal where there is none."""
        if self._request is None:
            raise Refusal("seat", "nobody asks to take anything back")
        return AnswerEntry(len(self.entries) + 1, by, t, seat, of=self._request.n, agreed=agreed)

    def move(self, to: int, by: str, t: int) -> MoveEntry:
        """The entry that moves the head to `to`: an undo or a redo where it is one."""
        if self.head and to == self.parent(self.head):
            return self.undo(by, t)
        return self.redo(by, t) if to == self.next_redo else GotoEntry(len(self.entries) + 1, by, t, to=to)

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
            self._count(counts, at)
        return Keys(counts)

    def _counts(self) -> dict[str, int]:
        if self._key_counts is None:
            self._key_counts = {}
            for at in self.path(self.head):
                self._count(self._key_counts, at)
        return self._key_counts

    def _count(self, counts: dict[str, int], node: int, by: int = 1) -> None:
        for row in self.entries.rolls(node):
            base = row.key.rpartition("#")[0]
            counts[base] = counts.get(base, 0) + by

    # Taking entries in

    def take_written(self, texts: Iterable[bytes], read: Callable[[bytes], Entry | OrderMoves]) -> None:
        """Add the entries that `read` finds in these texts; of orders it may find what moves the head alone.

        Raises what `read` raises, and as `take` does; what was read before stays. A battle has few other entries than
        orders, so those have a short way here.
        """
        fold, add_order, keep_text = self._fold, self.add_order, self.entries.append_text
        for text in texts:
            entry = read(text)
            if not isinstance(entry, OrderMoves):
                self.take(entry, None, text)
                continue
            self._check_place(entry)
            fold(entry.events)
            keep_text(text, entry)
            if self._ahead:
                self._ahead.pop(self.head, None)
            self._request = None
            if add_order() % CLOSE_EVERY == 0:
                self._states.keep(self.head, self.state)

    def take(self, entry: Entry, state: Any = None, text: bytes | None = None) -> None:
        """Add the next entry of the file. `state`, if known, is the state after an order entry; `text` its text.

        Raises ImpossibleEntry for a number, parent or target that does not fit, and whatever folding impossible
        events raises; nothing is changed then.
        """
        if isinstance(entry, OrderEntry):
            self._take_order(entry, state, text)
            return
        if entry.n != len(self):
            raise ImpossibleEntry(f"entry {entry.n} where {len(self)} was due")
        if isinstance(entry, UndoEntry):
            self._take_undo(entry)
        elif isinstance(entry, RedoEntry):
            self._take_redo(entry)
        elif isinstance(entry, GotoEntry):
            self._take_goto(entry)
        elif isinstance(entry, RequestEntry):
            self._take_request(entry)
        elif isinstance(entry, AnswerEntry):
            self._take_answer(entry)
        elif isinstance(entry, (SealEntry, WordsEntry, RevealEntry)):
            self._take_sealing(entry)
        elif isinstance(entry, BookmarkEntry):
            self._take_bookmark(entry)
        elif isinstance(entry, UnmarkEntry):
            self._take_unmark(entry)
        self.entries.append(entry, text)
        self.add_other()

    def _check_place(self, entry: OrderEntry | OrderMoves) -> None:
        """Raise ImpossibleEntry unless this order may be the next entry, and follows the head."""
        number, due = entry.n, len(self._depths)
        if number != due:
            raise ImpossibleEntry(f"entry {number} where {due} was due")
        if self.head != (number - 1 if entry.p is None else entry.p):
            raise ImpossibleEntry(f"entry {number} follows an entry that is not the head {self.head}")

    def _take_order(self, entry: OrderEntry, state: Any, text: bytes | None) -> None:
        self._check_place(entry)
        if state is None:
            self._fold(entry.events)
        else:
            self._state, self._seen = state, True
        self.entries.append(entry, text)
        self._ahead.pop(self.head, None)
        self._request = None
        if self.add_order() % CLOSE_EVERY == 0:
            self._states.keep(self.head, self.state)
        if self._key_counts is not None:
            self._count(self._key_counts, self.head)

    def _fold(self, events: tuple[Any, ...]) -> None:
        """Fold what happened into the state at the head."""
        if self._seen:
            self._state, self._seen = own_copy(self._state), False
        try:
            self._state = self.rules.fold(self._state, events)
        except Exception:
            self._state, self._seen = self._states.at(self.head), True
            raise

    def _take_undo(self, entry: UndoEntry) -> None:
        if not self.head or entry.of != self.head or entry.to != self.parent(self.head):
            raise ImpossibleEntry(f"entry {entry.n} takes back {entry.of}, which is not the head {self.head}")
        self._ahead[entry.to] = entry.of
        self._move(entry.to)

    def _take_redo(self, entry: RedoEntry) -> None:
        if entry.to != self._ahead.get(self.head):
            raise ImpossibleEntry(f"entry {entry.n} brings back {entry.to}, which was not taken back here")
        self._move(entry.to)

    def _take_goto(self, entry: GotoEntry) -> None:
        if entry.to and not self.is_order(entry.to):
            raise ImpossibleEntry(f"entry {entry.n} goes to {entry.to}, which is no order")
        line = self.path(self.head)
        if entry.to == 0 or entry.to in line:
            start = line.index(entry.to) + 1 if entry.to else 0
            for node in line[start:]:
                self._ahead[self.parent(node)] = node
        self._move(entry.to)

    def _take_request(self, entry: RequestEntry) -> None:
        if entry.head != self.head or (entry.to and not self.is_order(entry.to)):
            raise ImpossibleEntry(f"entry {entry.n} asks for what cannot be: from {entry.head} to {entry.to}")
        self._request, self._agreed = entry, {}

    def _take_answer(self, entry: AnswerEntry) -> None:
        if self._request is None or entry.of != self._request.n:
            raise ImpossibleEntry(f"entry {entry.n} answers {entry.of}, which is no request that waits")
        if not entry.agreed:
            self._request = None
            return
        sides = (entry.seat,) if entry.seat in self.header.sides else self.header.sides
        self._agreed = {**self._agreed, **dict.fromkeys(sides, entry.n)}

    def _take_sealing(self, entry: SealEntry | WordsEntry | RevealEntry) -> None:
        if isinstance(entry, SealEntry):
            fits = self.seals.take_seal(entry)
        elif isinstance(entry, WordsEntry):
            fits = self.seals.take_words(entry)
        else:
            fits = self.seals.take_reveal(entry)
        if not fits:
            raise ImpossibleEntry(f"entry {entry.n} does not fit the seal of the dice")

    def _take_bookmark(self, entry: BookmarkEntry) -> None:
        if entry.at >= entry.n:
            raise ImpossibleEntry(f"entry {entry.n} marks entry {entry.at}, which was not there yet")
        self._bookmarks[entry.n] = entry

    def _take_unmark(self, entry: UnmarkEntry) -> None:
        if entry.of not in self._bookmarks:
            raise ImpossibleEntry(f"entry {entry.n} takes away {entry.of}, which is no bookmark")
        del self._bookmarks[entry.of]

    def _move(self, node: int) -> None:
        self._state, self._seen = self.state_at(node), True
        if self._key_counts is not None:
            self._recount(self._key_counts, node)
        self.head = node
        self._request = None

    def _recount(self, counts: dict[str, int], node: int) -> None:
        """Count the keys of the line to `node` instead of those of the line to the head."""
        gone, come = self.between(node)
        for each in gone:
            self._count(counts, each, -1)
        for each in come:
            self._count(counts, each)
