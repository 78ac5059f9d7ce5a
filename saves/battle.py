"""A battle that is open: its history as it stands in its file, and the orders that are added to both."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from engine import __version__
from engine.dice import ALGORITHM, Source, seed_from_text
from engine.entries import (
    FORMAT,
    LONGEST_WORDS,
    VERSION,
    AnswerEntry,
    BookmarkEntry,
    DiceTerms,
    Entry,
    GotoEntry,
    Header,
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
from engine.registered import rule_set
from engine.ruleset import RuleSet, Switch
from engine.sealed_dice import SEALED, commitment_to
from engine.seats import (
    BOTH,
    RESERVED,
    UNDO,
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
from saves import journal
from saves.faults import AlreadyThere, Busy, Damaged, Unreadable
from saves.journal import Journal
from saves.reading import Problem, Record
from saves.records import record_of
from saves.secrets_kept import keep_secret, kept_secrets, secret_file
from saves.store import Moved, Store, Withdrawn

Written = TypeVar("Written", bound=Entry)

DICE_MODES = ("app", "table", SEALED)
LONGEST_NAME = 100

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
            words = _printable(text)
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


def create(
    path: str | Path,
    *,
    rules: str,
    sides: Sequence[str],
    switches: Mapping[str, str] | None = None,
    seed: str | None = None,
    dice: str = "app",
    name: str = "",
) -> None:
    """Make a new battle in `path`, in which nothing has happened.

    `rules` names the rule set; `switches` are house rules that differ from its defaults; `dice` is `app`, `table` or
    `sealed`; without a `seed` the dice are seeded by chance. The secret of sealed dice is kept beside the file.
    Raises Refusal (`order`) for whatever the rule set does not have, AlreadyThere where the file exists, and
    Unreadable where it cannot be written.
    """
    house = rule_set(rules)
    secret = _seed(seed)
    mode = _checked_mode(dice)
    terms = (
        DiceTerms(ALGORITHM, mode, "", commitment_to(secret))
        if mode == SEALED
        else DiceTerms(ALGORITHM, mode, secret.hex())
    )
    header = Header(
        format=FORMAT,
        v=VERSION,
        min_reader=VERSION,
        id=str(uuid4()),
        created=now(),
        name=checked_name(name),
        rules=house.name,
        rules_version=house.version,
        engine=__version__,
        sides=_checked_sides(house, sides),
        switches=_checked_switches(house, switches or {}),
        dice=terms,
    )
    house.begin(header.sides, header.switches)
    if mode == SEALED:
        _create_sealed(Path(path), header, secret)
    else:
        Journal(Path(path)).create(header)


def _create_sealed(path: Path, header: Header, secret: bytes) -> None:
    """The secret first: a battle whose secret is nowhere could never be rolled for."""
    if path.exists():
        raise AlreadyThere(f"{path} exists already; a battle is never overwritten")
    keep_secret(path, secret, first=True)
    try:
        Journal(path).create(header)
    except BaseException:
        secret_file(path).unlink(missing_ok=True)
        raise


def _seed(text: str | None) -> bytes:
    if text is None:
        return os.urandom(32)
    try:
        return seed_from_text(text)
    except UnicodeError:
        raise Refusal("order", "the seed is no valid text") from None


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable()).strip()


def checked_name(name: str) -> str:
    """A battle's name as it is written down; raises Refusal (`order`) where it is too long."""
    shown = _printable(name)
    if len(shown) > LONGEST_NAME:
        raise Refusal("order", f"the name is too long: {LONGEST_NAME} characters at most")
    return shown


def _checked_mode(dice: str) -> str:
    if dice not in DICE_MODES:
        raise Refusal("order", f"there are no {dice} dice; there are: {', '.join(DICE_MODES)}")
    return dice


def _checked_sides(rules: RuleSet, sides: Sequence[str]) -> tuple[str, ...]:
    shown = tuple(_printable(side) for side in sides)
    for side in shown:
        if side.casefold() in RESERVED:
            raise Refusal("order", f"a side cannot be called {side}: that is a seat of another kind")
        if not 1 <= len(side) <= LONGEST_NAME:
            raise Refusal("order", f"a side needs a name of 1 to {LONGEST_NAME} characters")
    if len(set(shown)) < len(shown):
        raise Refusal("order", f"two sides have the same name: {', '.join(shown)}")
    if not rules.least_sides <= len(shown) <= rules.most_sides:
        few, many = rules.least_sides, rules.most_sides
        wanted = str(few) if few == many else f"{few} to {many}"
        raise Refusal("order", f"{rules.title} is fought by {wanted} sides, not {len(shown)}")
    return shown


def _checked_switches(rules: RuleSet, given: Mapping[str, str]) -> dict[str, str]:
    """All switches of the rule set with their values, so that later defaults do not change the battle."""
    values = {switch.name: switch.values[0] for switch in rules.switches}
    known = {switch.name: switch for switch in (*rules.switches, UNDO)}
    for name, value in given.items():
        if name not in known:
            there = ", ".join(known) or "none"
            raise Refusal("order", f"{rules.title} has no switch {_printable(name)}; there are: {there}")
        values[name] = _checked_value(known[name], value)
    return values


def _checked_value(switch: Switch, value: str) -> str:
    if value in switch.values:
        return value
    if switch.number and value.isascii() and value.isdecimal() and len(value) <= 4 and int(value) <= 1000:
        return str(int(value))
    allowed = ", ".join(switch.values) + (", or a number from 0 to 1000" if switch.number else "")
    raise Refusal("order", f"the switch {switch.name} cannot be {_printable(value)}; it may be: {allowed}")
