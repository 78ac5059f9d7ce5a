"""From the lines of a battle's file to its history, as far as they are sound, and what is wrong with the rest."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from engine.entries import FORMAT, VERSION, Entry, Header, OrderMoves
from engine.history import History, ImpossibleEntry
from engine.refusals import Refusal
from engine.registered import rule_set
from engine.ruleset import RuleSet
from saves.faults import Damaged, NotABattle
from saves.records import MISREAD, Entries, Strange, header_in
from saves.store import CLEAN, START, TORN, Place, Reading

READ_WHOLE = 2000
"""Battles of so many entries are read whole when they are opened; of a longer one only what the state needs."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Problem(Struct, frozen=True):
    """What is wrong with a file: the first entry that is, the kind (see Damaged) and a sentence."""

    entry: int
    kind: str
    message: str


class Record:
    """A battle as read from its store: `history`, the `place` after its last entry, and the `problem` behind it."""

    def __init__(self, path: Path, reading: Reading, *, whole: bool = False) -> None:
        """Read everything; raises NotABattle or Damaged where there is no header that this version can read.

        Of a battle of more than READ_WHOLE entries only what moves the head and changes the state is read until
        somebody looks at an entry, unless the `whole` of each is to be judged now.
        """
        self.path = path
        header = _header_of(path, reading)
        rules = _rules_of(path, header)
        self._entries = Entries(header, rules)
        self.history = _begun(path, header, rules, self._entries)
        self.place = START
        self.problem: Problem | None = None
        if header.v > VERSION or header.rules_version > rules.version:
            self.problem = Problem(1, "newer", f"{path} was begun by a newer headsdown ({header.engine[:40]})")
        long = len(reading.lines) - 1 > READ_WHOLE
        with _no_collection():
            self._take(reading, reading.lines[1:], whole or not long, after=reading.lines[0])

    def take(self, reading: Reading) -> tuple[Entry, ...]:
        """Take in lines that follow what is there, as far as they are entries; those that were are given back."""
        before = len(self.history.entries)
        self._take(reading, reading.lines, True)
        return tuple(self.history.entries[before:])

    def _take(self, reading: Reading, lines: Sequence[bytes], whole: bool, after: bytes = b"") -> None:
        read: Callable[[bytes], Entry | OrderMoves] = self._entries.entry_in if whole else self._entries.moves
        before = len(self.history.entries)
        try:
            self.history.take_written(lines, read)
        except Strange as strange:
            self.problem = self._problem(strange)
        except MISREAD as error:
            self.problem = self._problem(self._entries.strange(error))
        except ImpossibleEntry as impossible:
            self.problem = self._problem(Strange("altered", str(impossible)))
        except Exception as error:
            # Events that were written by hand can break the fold in any way; whatever it is, it is the file's fault.
            told = f"what it tells cannot have happened ({type(error).__name__}: {error})"
            self.problem = self._problem(Strange("altered", told))
        taken = len(self.history.entries) - before
        if taken == len(lines):
            self.place = reading.place
            self._judge(reading, at_first=bool(after))
        elif taken or after:
            last = lines[taken - 1] if taken else after
            self.place = Place(before + taken, bytes.fromhex(last[-34:-2].decode()), 0)

    def _problem(self, strange: Strange) -> Problem:
        number = len(self.history.entries) + 1
        if strange.kind == "newer":
            what = f"entry {number} was written by a newer headsdown"
        else:
            what = f"entry {number} was altered"
        return Problem(number, strange.kind, f"{self.path}: {what}: {strange}")

    def _judge(self, reading: Reading, at_first: bool) -> None:
        number = reading.place.number + 1
        if reading.condition == CLEAN:
            if self.problem and self.problem.kind == "torn":
                self.problem = None
        elif reading.condition == TORN:
            if not at_first:
                return  # somebody may just be writing the line
            self.problem = Problem(
                number,
                "torn",
                f"{self.path} ends in half a line ({len(reading.rest)} bytes), as a crash leaves it; "
                "the next order sets that aside",
            )
        else:
            self.problem = Problem(number, "damaged", f"{self.path}: entry {number} is damaged")


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that is read becomes garbage; looking for some would take a quarter of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _header_of(path: Path, reading: Reading) -> Header:
    if not reading.lines:
        raise _no_header(path, reading.rest)
    try:
        return header_in(reading.lines[0])
    except Strange as strange:
        if strange.kind == "newer":
            raise Damaged(f"{path} was made by a newer headsdown: {strange}; install that", "newer") from None
        raise Damaged(f"{path}: its header was altered: {strange}", "altered") from None


def _no_header(path: Path, text: bytes) -> Damaged | NotABattle:
    if not text:
        return NotABattle(f"{path} is empty, so it is no battle")
    marking = f'{{"format":"{FORMAT}"'.encode()
    if not text.removeprefix(BYTE_ORDER_MARK).startswith(marking):
        return NotABattle(f"{path} is no battle: it does not begin with the header of one")
    if text.startswith(BYTE_ORDER_MARK):
        told = "begins with a byte order mark, which some editor put there; headsdown repair takes it off"
        return Damaged(f"{path} {told}", "damaged")
    if text.partition(b"\n")[0].endswith(b"\r"):
        return Damaged(
            f"{path}: its line ends were changed (to CR LF); copy the file again, as binary, or headsdown repair",
            "damaged",
        )
    return Damaged(f"{path}: its header (line 1) is damaged; headsdown repair tries to restore it", "damaged")


def _rules_of(path: Path, header: Header) -> RuleSet:
    try:
        return rule_set(header.rules)
    except Refusal as refusal:
        raise Damaged(f"{path} cannot be read by this version: {refusal.message}", "newer") from None


def _begun(path: Path, header: Header, rules: RuleSet, entries: Entries) -> History:
    try:
        return History(header, rules, entries)
    except Exception as error:
        raise Damaged(f"{path}: its header was altered: {error}", "altered") from None
