"""A battle that is open: its history as it stands in its file, and the orders that are added to both."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from engine.dice import Source
from engine.entries import (
    LONGEST_WORDS,
    AnswerEntry,
    BookmarkEntry,
    Entry,
    GotoEntry,
    MoveEntry,
    OrderEntry,
    RedoEntry,
    RequestEntry,
    RevealEntry,
    SealEntry,
    UndoEntry,
    UnmarkEntry,
    WordsEntry,
)
from engine.history import History
from engine.orders import resolve_order, written_down
from engine.refusals import Refusal
from engine.sealed_dice import SEALED, commitment_to
from engine.seats import (
    BOTH,
    ConsentNeeded,
    Move,
    as_recorded,
    keeps_secret,
    refuse_answer,
    refuse_order,
    refuse_spectator,
    seat_named,
    sides_to_ask,
    with_leave,
)
from engine.wording import printable
from saves import journal
from saves.faults import Busy, Damaged, Unreadable
from saves.journal import Journal
from saves.reading import Problem, Record
from saves.records import record_of
from saves.secrets_kept import keep_secret, kept_secrets
from saves.store import Moved, Store, Withdrawn

Written = TypeVar("Written", bound=Entry)

_HARMLESS = ("torn",)


class OpenBattle:
    """A battle and the store it is kept in. Others may have it open as well and add to it.

    `path` is its file, `history` what is in it. `problem` is what is wrong with the file, None where it is sound,
    and `warning` a sentence for people about that or about what was done to mend it. `withdrawn` is true from a
    refresh that found entries gone until the next one: `history` is another one then.
    """

    def __init__(self, path: Path, store: Store, read_only: bool, whole: bool) -> None:
        """Use `open`."""
        self.path = path
        self.read_only = read_only
        self.warning = ""
        self.withdrawn = False
        self._elsewhere = ""
        self._store = store
        self._record = Record(path, store.read(), whole=whole)
        self._unseal()
        self.seat = BOTH
        self._heed_problem()

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False, whole: bool = False) -> OpenBattle:
        """Open the battle in `path`; nothing is written. `whole`: judge all of each entry, however many there are.

        Raises NotABattle, Unreadable or Damaged. With `read_only` a damaged battle is opened as far as it is sound,
        with a warning; a torn end is no hindrance to writing.
        """
        store = Journal(Path(path), read_only=read_only)
        try:
            return cls(Path(path), store, read_only, whole)
        except BaseException:
            store.close()
            raise

    def sit(self, seat: str) -> None:
        """Take a seat: from now on only its orders may be given. Raises Refusal (`seat`) for one that there is not."""
        self.seat = seat_named(seat, self.history.header.sides)

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._store.close()

    def __enter__(self) -> OpenBattle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def history(self) -> History:
        return self._record.history

    @property
    def problem(self) -> Problem | None:
        return self._record.problem

    @property
    def head_mark(self) -> str:
        """`NUMBER:HASH` of the last entry: who has seen this can tell later whether the file was rolled back."""
        return f"{self._record.place.number}:{self._record.place.mark.hex()[:8]}"

    def lines(self) -> tuple[bytes, ...]:
        """The lines of the file as written, without line feeds, the header first, as far as `history` goes."""
        return self._store.read().lines[: len(self.history.entries) + 1]

    # Orders

    def refuse_order(self, order: Any) -> None:
        """Raise Refusal (`seat`) for an order that is not to be given from this seat, whatever the rules say of it."""
        refuse_order(self.history.rules, self.history.state, order, self.seat)

    def give(self, order: Any, *, by: str = "", source: Source | None = None, ask: bool = False) -> OrderEntry:
        """Carry out an order and record it; it is safe on disk when this returns its entry.

        The order is judged on what all who have the battle open have added until now. `source` gives the faces, by
        default `engine.orders.usual_source`; with `ask`, a choice after dice is raised as Undecided. Raises
        Refusal, with nothing recorded, and Busy, Damaged or Unreadable.
        """

        def carried_out() -> tuple[OrderEntry, Any]:
            self.refuse_order(order)
            # When others were quicker the order is resolved again, and a source counts the faces it has given.
            resolution = resolve_order(self.history, order, copy.copy(source), ask, self.seat)
            return written_down(self.history, order, resolution, by, now(), as_recorded(self.seat)), resolution.state

        return self._record_entry(carried_out)

    def undo(self, *, by: str = "", of: int | None = None) -> UndoEntry:
        """Take back the order at the head; raises Refusal where there is none, else as `give`.

        With `of` only that order is taken back: refused where others have ordered since.
        """

        def taken_back() -> tuple[UndoEntry, None]:
            if of is not None and self.history.head != of:
                raise Refusal("order", "somebody else has ordered since; look at it first")
            return self._with_leave(self.history.undo(by, now())), None

        return self._record_entry(taken_back)

    def refuse_correction(self, entry: OrderEntry, *, by: str = "") -> None:
        """Raise what would stand in the way of giving the order at the head again with other dice.

        Refusal (`seat`) where that is another side's order, ConsentNeeded where others have to agree first.
        """
        before = self.history.as_before(entry.n)
        refuse_order(before.rules, before.state, entry.order, self.seat)
        sides = sides_to_ask(self.history, before.head, self.seat, by)
        if sides:
            raise ConsentNeeded(sides, before.head)

    def redo(self, *, by: str = "") -> RedoEntry:
        """Bring back what was taken back last; raises Refusal where nothing was, else as `give`."""
        return self._record_entry(lambda: (self._with_leave(self.history.redo(by, now())), None))

    def goto(self, number: int, *, by: str = "") -> GotoEntry:
        """Go to how things stood after entry `number`; raises Refusal where there is none, else as `give`."""
        return self._record_entry(lambda: (self._with_leave(self.history.goto(number, by, now())), None))

    def _with_leave(self, move: Move) -> Move:
        return with_leave(self.history, move, self.seat)

    def ask(self, to: int, *, by: str = "") -> RequestEntry:
        """Ask the other seats to let the head go to the order `to`, 0 for the beginning.

        Raises Refusal where nobody has to be asked or the move is not to be had, else as `give`.
        """

        def asked() -> tuple[RequestEntry, None]:
            request = self.history.ask(to, as_recorded(self.seat), by, now())
            if not sides_to_ask(self.history, to, self.seat, by):
                raise Refusal("seat", "nobody has to agree to that: just do it")
            return request, None

        return self._record_entry(asked)

    def answer(self, agreed: bool, *, by: str = "") -> AnswerEntry:
        """Agree to what another seat asks, or do not. Where all have agreed, the head moves at once, in its name.

        Raises Refusal (`seat`) where nobody asks this seat, else as `give`.
        """

        def answered() -> tuple[AnswerEntry, None]:
            refuse_answer(self.history, self.seat)
            return self.history.answer(agreed, as_recorded(self.seat), by, now()), None

        entry = self._record_entry(answered)
        request = self.history.request
        if agreed and request is not None:
            # Others may have to agree yet, or the head has moved since: then there is nothing to do.
            with suppress(Refusal):
                self._record_entry(lambda: (self._as_asked(request), None))
        return entry

    def _as_asked(self, request: RequestEntry) -> MoveEntry:
        if self.history.request != request:
            raise Refusal("seat", "what was asked holds no more")
        return with_leave(self.history, self.history.move(request.to, request.by, now()), request.seat)

    # Sealed dice

    def say_words(self, text: str, *, by: str = "") -> WordsEntry:
        """Say the other side's words for the sealed dice.

        Raises Refusal where none are wanted, and (`seat`) from the side that keeps the secret; else as `give`.
        """

        def said() -> tuple[WordsEntry, None]:
            refuse_spectator(self.seat)
            self.history.seals.refuse_words(keeps_secret(self.seat, self.history.header.sides))
            words = printable(text)
            if not 1 <= len(words) <= LONGEST_WORDS:
                raise Refusal("order", f"words for the dice have 1 to {LONGEST_WORDS} characters")
            return WordsEntry(len(self.history.entries) + 1, by, now(), words, as_recorded(self.seat)), None

        return self._record_entry(said)

    def reveal(self, *, by: str = "") -> RevealEntry:
        """Reveal the secret of the sealed dice; raises Refusal where it is not here, else as `give`."""

        def revealed() -> tuple[RevealEntry, None]:
            refuse_spectator(self.seat)
            secret = self.history.seals.secret_to_reveal()
            return RevealEntry(len(self.history.entries) + 1, by, now(), secret.hex()), None

        return self._record_entry(revealed)

    def seal(self, *, by: str = "") -> SealEntry:
        """Seal the dice anew; raises Refusal where there is no need for it, else as `give`.

        The secret is safe beside the battle before anybody can see the commitment to it.
        """
        secret = os.urandom(32)

        def sealed() -> tuple[SealEntry, None]:
            refuse_spectator(self.seat)
            self.history.seals.refuse_new_seal()
            return SealEntry(len(self.history.entries) + 1, by, now(), commitment_to(secret)), None

        sealed()
        keep_secret(self.path, secret)
        entry = self._record_entry(sealed)
        self._unseal()
        return entry

    def _unseal(self) -> None:
        if self.history.header.dice.mode == SEALED:
            for secret in kept_secrets(self.path):
                self.history.seals.keep(secret)

    # Bookmarks

    def bookmark(self, at: int, text: str = "", *, by: str = "") -> BookmarkEntry:
        """Mark the moment after entry `at`, with a note or none; raises Refusal where there is none, else as `give`."""

        def marked() -> tuple[BookmarkEntry, None]:
            refuse_spectator(self.seat)
            return self.history.bookmark(at, text, by, now()), None

        return self._record_entry(marked)

    def unmark(self, of: int, *, by: str = "") -> UnmarkEntry:
        """Take the bookmark that is entry `of` away; raises Refusal where there is none, else as `give`."""

        def unmarked() -> tuple[UnmarkEntry, None]:
            refuse_spectator(self.seat)
            return self.history.unmark(of, by, now()), None

        return self._record_entry(unmarked)

    def _record_entry(self, make: Callable[[], tuple[Written, Any]]) -> Written:
        """Make an entry on what there is now and add it; again where others were quicker, for a while."""
        if self.read_only:
            raise Unreadable(f"{self.path} was opened for reading only")
        deadline = time.monotonic() + journal.LOCK_SECONDS
        while True:
            self.refresh()
            self._refuse_if_withdrawn()
            entry, state = make()
            try:
                place = self._store.append(record_of(entry), self._record.place, entry.by)
            except Moved as moved:
                self.warning = str(moved) or self.warning
            except Withdrawn:
                self._reload()
                self._refuse_if_withdrawn()
            else:
                self._record.history.take(entry, state)
                self._record.place = place
                return entry
            if time.monotonic() >= deadline:
                raise Busy(f"{self.path} is being written by others all the time; try again in a moment")

    # Others

    def refresh(self) -> tuple[Entry, ...]:
        """The entries that others have added since, now in `history` too. One look at the file's size without any.

        Where entries have gone from the file everything is read again and `withdrawn` is set; nothing is given
        back then. Raises Unreadable, also where the file holds another battle now, and Damaged where what was added
        is not sound and the battle is for writing.
        """
        self.withdrawn = False
        if self._elsewhere:
            raise Unreadable(self._elsewhere)
        if self.problem and self.problem.kind not in _HARMLESS:
            return ()
        try:
            news = self._store.follow(self._record.place)
        except Withdrawn:
            self._reload()
            return ()
        if news is None:
            return ()
        before = self.problem
        entries = self._record.take(news)
        if any(isinstance(entry, SealEntry) for entry in entries):
            self._unseal()
        if before and self.problem is None and self.warning == before.message:
            self.warning = ""
        self._heed_problem()
        return entries

    def _reload(self) -> None:
        record = Record(self.path, self._store.read())
        if record.history.header.id != self.history.header.id:
            self._elsewhere = f"{self.path} holds another battle now; leave this one and open it again"
            raise Unreadable(self._elsewhere)
        self._record = record
        self._unseal()
        self.withdrawn = True
        self._heed_problem()

    def _heed_problem(self) -> None:
        problem = self.problem
        if problem is None:
            return
        if problem.kind in _HARMLESS:
            self.warning = problem.message
        elif self.read_only:
            self.warning = f"{problem.message}; this is the battle up to entry {len(self.history.entries)}"
        else:
            told = "show and log still read it, headsdown repair saves what is sound into a new file"
            raise Damaged(f"{problem.message}; {told}", problem.kind)

    def _refuse_if_withdrawn(self) -> None:
        if self.withdrawn:
            raise Unreadable(f"{self.path} was replaced or went back; look at what there is now, then order again")


def now() -> int:
    """Milliseconds since 1970, for people to read; nothing depends on it."""
    return time.time_ns() // 1_000_000


# Creating
