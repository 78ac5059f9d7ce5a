"""Saving all that is sound of a damaged battle into a new file.

Entries keep their numbers. Where one is lost, and more follow, a `recovered` entry stands in its place. What
followed is kept as far as the rules, without the lost entry, still make of it what was recorded: an order about a
unit whose muster is lost goes as well.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.entries import VERSION, Entry, GotoEntry, Header, OrderEntry, RecoveredEntry, UndoEntry
from engine.history import History, ImpossibleEntry
from engine.refusals import Refusal
from engine.registered import rule_set
from engine.verification import check_entry
from saves.battle import now
from saves.chain import FIRST, SEAL, sealed
from saves.faults import AlreadyThere, Damaged, NotABattle
from saves.journal import create_file, file_content
from saves.records import Entries, Strange, header_in, record_of
from saves.restoring import Found, lines_of

LOST = "lost"
"""The status of a `recovered` entry that stands in the place of a lost one."""


MOST_GONE = 1000
"""How many entries in a row may be gone without a trace; a line that says it is further on belongs elsewhere."""


class Loss(Struct, frozen=True):
    """An entry that is not in the new file, or a line that was none: its number if known, and why."""

    entry: int | None
    why: str


class Repair(Struct, frozen=True):
    """What repairing came to. `entries` is the number of the last entry in `output`, `kept` how many are the old ones.

    `restored` are entries in which one byte was wrong, which their seals told (0 is the header); `mended` says what
    else was put right, `lost` what is not there any more.
    """

    file: str
    output: str
    entries: int
    kept: int
    restored: tuple[int, ...]
    mended: tuple[str, ...]
    lost: tuple[Loss, ...]


def repair(path: str | Path, output: str | Path) -> Repair:
    """Write what is sound of the battle in `path` to the new file `output`; `path` is only read.

    Raises NotABattle or Unreadable for `path`, Damaged where its header cannot be told any more or only a newer
    version reads it, AlreadyThere where there is such an `output`, Unreadable where it cannot be written.
    """
    if os.path.lexists(output):
        raise AlreadyThere(f"{output} exists already; choose another name")
    content, whole = file_content(Path(path))
    lines, repaired = saved_of(Path(path), content)
    create_file(Path(output), b"".join(lines))
    unread = () if whole else ("the file is so large that its end was not looked at",)
    return msgspec.structs.replace(repaired, output=str(output), mended=(*repaired.mended, *unread))


def saved_of(path: Path, content: bytes) -> tuple[list[bytes], Repair]:
    """The lines of the new file, of the bytes of the one in `path`; raises as `repair`."""
    lines = lines_of(content)
    rebuilt = _Rebuilt(path, lines.found)
    rebuilt.take_entries()
    mended = [*rebuilt.mended, *lines.mended]
    moved = sum(each.how == "moved" for each in lines.found)
    if moved:
        mended.append(f"put back in their place: {moved} of the lines")
    return rebuilt.lines, Repair(
        file=str(path),
        output="",
        entries=len(rebuilt.lines) - 1,
        kept=rebuilt.kept,
        restored=tuple(rebuilt.restored),
        mended=tuple(mended),
        lost=tuple(rebuilt.lost),
    )


class _Rebuilt:
    """The new file as it grows: its lines, its history, and what did not come along."""

    def __init__(self, path: Path, found: tuple[Found, ...]) -> None:
        self.path = path
        self.lines: list[bytes] = []
        self.lost: list[Loss] = []
        self.restored: list[int] = []
        self.mended: list[str] = []
        self.kept = 0
        self._mark = FIRST
        self._found = found
        self._missing: list[tuple[bytes, str]] = []
        self._stands_for: dict[int, int] = {0: 0}
        header = self._header()
        try:
            rules = rule_set(header.rules)
            self.history = History(header, rules)
        except Refusal as refusal:
            raise Damaged(f"{path} cannot be repaired by this version: {refusal.message}", "newer") from None
        except Exception as error:
            raise Damaged(f"{path}: its header makes no battle: {error}", "altered") from None
        if header.rules_version > rules.version:
            raise self._newer()
        self._entries = Entries(header, rules)

    def _newer(self) -> Damaged:
        return Damaged(f"{self.path} was made by a newer headsdown; repair it with that", "newer")

    @property
    def _next(self) -> int:
        """The number of the entry that is written next."""
        return len(self.lines)

    def _header(self) -> Header:
        first = self._found[0] if self._found else Found(b"", "lost")
        if not first.line.startswith(b'{"format":"headsdown-battle"'):
            raise NotABattle(f"{self.path} is no battle: it does not begin with the header of one")
        try:
            header = header_in(first.line)
        except Strange as strange:
            if strange.kind == "newer":
                told = f"{self.path} was made by a newer headsdown: {strange}; repair it with that"
                raise Damaged(told, "newer") from None
            told = f"{self.path}: its header (line 1) cannot be restored, and without it no entry can be read"
            raise Damaged(told, "damaged") from None
        if header.v > VERSION:
            raise self._newer()
        if first.how == "lost":
            self.mended.append("the header was changed, and is taken as it stands now")
            self._write(record_of(header))
        else:
            self._write(first.line[:-SEAL] + b"}")
        if first.how == "restored":
            self.restored.append(0)
        return header

    def _write(self, record: bytes) -> None:
        line, self._mark = sealed(record, self._mark)
        self.lines.append(line)

    # Entries

    def take_entries(self) -> None:
        """Take every line that is still an entry here; what is lost at the end leaves nothing behind."""
        for found in self._found[1:]:
            if found.how == "strange":
                self.lost.append(Loss(None, "is no entry of this battle"))
            elif found.how == "lost":
                self._missing.append((found.line, _what_is_left(found.line)))
            else:
                self._take_line(found)
        self.lost += (Loss(number, why) for number, (_, why) in enumerate(self._missing, self._next))

    def _take_line(self, found: Found) -> None:
        try:
            entry = self._entries.entry_in(found.line)
        except Strange as strange:
            was = "written by a newer headsdown" if strange.kind == "newer" else "altered"
            self._missing.append((found.line, f"was {was}: {strange}"))
            return
        if not self._next <= entry.n <= self._next + len(self._missing) + MOST_GONE:
            self.lost.append(Loss(None, f"says that it is entry {entry.n}, which is not due there"))
            return
        self._fill_up(entry)
        here = self._as_it_stands_here(entry)
        why = self._taken_in(here)
        if why:
            self._stand_in(found.line, why)
            return
        if isinstance(here, OrderEntry):
            self._stands_for[here.n] = here.n
        if found.how == "restored":
            self.restored.append(here.n)
        self.kept += 1
        self._write(found.line[:-SEAL] + b"}" if here == entry else record_of(here))

    def _fill_up(self, entry: Entry) -> None:
        """Put something in the place of every entry that is missing before this one."""
        while self._next < entry.n:
            line, why = self._missing.pop(0) if self._missing else (b"", _what_is_left(b""))
            self._stand_in(line, why, self._parent_of(entry) if self._next == entry.n - 1 else None)
        self.lost += (Loss(None, "is no entry of this battle") for _ in self._missing)
        self._missing.clear()

    def _stand_in(self, line: bytes, why: str, head: int | None = None) -> None:
        """An entry in the place of a lost one, which left the head at `head` where that is known."""
        number = self._next
        self.lost.append(Loss(number, why))
        entry: Entry = RecoveredEntry(number, "", now(), LOST, len(line), sha256(line).hexdigest())
        if head is not None and head != self.history.head:
            entry = GotoEntry(number, "", now(), to=head)
        self.history.take(entry)
        self._stands_for[number] = self.history.head
        self._write(record_of(entry))

    def _parent_of(self, entry: Entry) -> int | None:
        """The order that this one follows on its line of play, or what stands for it here; None where unknown."""
        if not isinstance(entry, OrderEntry):
            return None
        return self._stands_for.get(entry.n - 1 if entry.p is None else entry.p)

    def _as_it_stands_here(self, entry: Entry) -> Entry:
        head = self.history.head
        if isinstance(entry, OrderEntry) and (entry.n - 1 if entry.p is None else entry.p) != head:
            return msgspec.structs.replace(entry, p=None if head == entry.n - 1 else head)
        if isinstance(entry, UndoEntry | GotoEntry):
            return msgspec.structs.replace(entry, to=self._stands_for.get(entry.to, entry.to))
        return entry

    def _taken_in(self, entry: Entry) -> str:
        """Add an entry to the new history; gives the reason where it has no place there, else nothing."""
        try:
            if isinstance(entry, OrderEntry):
                finding = check_entry(self.history, entry)
                if finding and finding.kind == "altered":
                    return f"does not hold here: {finding.message}"
            self.history.take(entry)
        except ImpossibleEntry as impossible:
            return f"does not fit here: {impossible}"
        except Exception as error:
            # Events that were written by hand can break the fold in any way.
            return f"tells what cannot have happened ({type(error).__name__}: {error})"
        return ""


def _what_is_left(line: bytes) -> str:
    return f"is damaged: {len(line)} bytes that cannot be read" if line else "is gone"
