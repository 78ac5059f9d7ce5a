"""What can still be told of the lines of a damaged file: which are sound, and which are one byte away from it.

A line proves itself by its seal and the hash before it. Where a line is damaged, the next one proves itself by the
hash that the damaged one stores, so that one bad line costs no other. And where a single byte is wrong, the seal
says which: of all lines that differ in one byte only the true one fits it.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from saves.chain import FIRST, LONGEST, SEAL, link, mark_after, record_at_start, seal, stored_mark
from saves.reading import BYTE_ORDER_MARK

LINES_AHEAD = 1000
"""How far off a line that was moved is looked for."""

MOST_TRIES = 3_000_000
"""How many lines that differ in one byte are tried in all: a few seconds, and some thirty lines that are beyond it."""


class Found(Struct, frozen=True):
    """A line of a damaged file, without line feed; `how` it was found.

    `sound`; `restored` (one byte was wrong); `moved` (it stood in another place); `lost` (it cannot be told any more);
    `strange` (it stood between lines that follow each other).
    """

    line: bytes
    how: str


class Lines(Struct, frozen=True):
    """The lines of a damaged file in the order in which they prove each other, the lost ones where they stood.

    `mended` says, a sentence each, what was wrong with the file as a whole.
    """

    found: tuple[Found, ...]
    mended: tuple[str, ...]


def lines_of(content: bytes) -> Lines:
    """Find all that is still to be found in the bytes of a file."""
    content, mended = _plain_line_ends(content)
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    finder = _Finder(lines)
    found = finder.find()
    if finder.copies:
        mended.append(f"left out, since they stood there twice: {finder.copies} of the lines")
    return Lines(tuple(found), tuple(mended))


def _plain_line_ends(content: bytes) -> tuple[bytes, list[str]]:
    mended = []
    if content.startswith(BYTE_ORDER_MARK):
        content = content.removeprefix(BYTE_ORDER_MARK)
        mended.append("a byte order mark at the beginning was taken off")
    if content.partition(b"\n")[0].endswith(b'"}\r'):
        content = content.replace(b"\r\n", b"\n").removesuffix(b"\r")
        mended.append("line ends were put right, which had been changed to CR LF")
    return content, mended


class _Finder:
    """Goes through the lines once. `marks` are the hashes of which the next line follows one."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.at = 0
        self.marks = [FIRST]
        self.aside: list[bytes] = []
        self.found: list[Found] = []
        self.seen: set[bytes] = set()
        self.copies = 0
        self.tries = MOST_TRIES

    def find(self) -> list[Found]:
        while self.at < len(self.lines):
            if not (self._sound() or self._from_aside() or self._copy() or self._restored() or self._ahead()):
                self._lost()
        while self._from_aside():
            pass
        self.found += (Found(line, "strange") for line in self.aside)
        return self.found

    def _take(self, line: bytes, how: str) -> bool:
        """Take the line if it follows."""
        for mark in self.marks:
            following = mark_after(line, mark)
            if following:
                self.found.append(Found(line, how))
                self.seen.add(line)
                self.marks = [following]
                return True
        return False

    def _sound(self) -> bool:
        taken = self._take(self.lines[self.at], "sound")
        self.at += taken
        return taken

    def _from_aside(self) -> bool:
        for at, line in enumerate(self.aside):
            if self._take(line, "moved"):
                del self.aside[at]
                return True
        return False

    def _copy(self) -> bool:
        copied = self.lines[self.at] in self.seen
        self.copies += copied
        self.at += copied
        return copied

    def _restored(self) -> bool:
        return any(self._with_line_end(mark) or self._with_true_byte(mark) for mark in self.marks)

    def _with_line_end(self, mark: bytes) -> bool:
        """A sound line that goes on where its line feed should be: that byte was the wrong one."""
        text = self.lines[self.at]
        size = record_at_start(text, mark)
        if not size or not self._take(text[:size], "restored"):
            return False
        if len(text) > size + 1:
            self.lines[self.at] = text[size + 1 :]
        else:
            self.at += 1
        return True

    def _with_true_byte(self, mark: bytes) -> bool:
        text = self.lines[self.at]
        after = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else b""
        by_next = link(mark, text[:-SEAL] + b"}")
        if len(text) > SEAL and mark_after(after, by_next) and self._take(text[:-SEAL] + seal(by_next), "restored"):
            self.at += 1
            return True
        line = self._one_byte_off(text, mark, range(len(text) - SEAL))
        if line and self._take(line, "restored"):
            self.at += 1
            return True
        # The wrong byte may have become a line feed, which makes two lines of one.
        line = self._one_byte_off(text + b"\n" + after, mark, (len(text),)) if after else None
        if line and self._take(line, "restored"):
            self.at += 2
            return True
        return False

    def _one_byte_off(self, text: bytes, mark: bytes, places: range | tuple[int, ...]) -> bytes | None:
        """The line that follows `mark` and differs from `text` in one byte, at one of the places or in its seal."""
        if not SEAL < len(text) <= LONGEST:
            return None
        record, end = text[:-SEAL] + b"}", text[-SEAL:]
        right = seal(link(mark, record))
        if sum(one != other for one, other in zip(right, end, strict=True)) == 1:
            return record[:-1] + right
        wanted = stored_mark(text)
        if wanted is None:
            return None
        flips = tuple(1 << bit for bit in range(8))
        others = tuple(flip for flip in range(1, 256) if flip not in flips)
        for masks in (flips, others):
            self.tries -= len(masks) * len(places)
            if self.tries < 0:
                return None
            for at in places:
                before, tail = sha256(mark + record[:at]), record[at + 1 :]
                for mask in masks:
                    trial = before.copy()
                    trial.update(bytes((record[at] ^ mask,)) + tail)
                    if trial.digest()[:16] == wanted:
                        return record[:at] + bytes((record[at] ^ mask,)) + tail[:-1] + end
        return None

    def _ahead(self) -> bool:
        """A line further down that follows: those before it were put there, or stand in the wrong place."""
        reach = LINES_AHEAD if self.tries > 0 else 2
        self.tries -= reach
        for at in range(self.at + 1, min(self.at + 1 + reach, len(self.lines))):
            if self._take(self.lines[at], "sound"):
                self.aside += self.lines[self.at : at]
                self.at = at + 1
                return True
        return False

    def _lost(self) -> None:
        line = self.lines[self.at]
        self.found.append(Found(line, "lost"))
        stored = stored_mark(line)
        self.marks = [link(mark, line[:-SEAL] + b"}") for mark in self.marks[:1]] + ([stored] if stored else [])
        self.at += 1
