"""Which lines of a battle's file are sound, and what to make of the rest.

A record is written only after the one before it was safe, so only the last line can be torn by a crash; whatever
is wrong further up was done by something else.
"""

from __future__ import annotations

from binascii import hexlify
from hashlib import sha256
from itertools import pairwise

from saves.chain import LONGEST, SEAL, holds_a_record, link, mark_after, stored_mark
from saves.store import AMBIGUOUS, CLEAN, DAMAGED, START, TORN, Place, Reading

ZEROS = bytes(8)
"""Fewer zero bytes than this may be a single flipped bit in a sound record, and no sector that never arrived."""

MOST_TORN = 2 * LONGEST
"""No crash leaves more than this many bytes: one line, and what the disk fills up behind it."""


def scan(data: bytes, start: Place = START) -> Reading:
    """Read the lines in `data`, which stands in the file behind `start` and goes on to its end.

    A last line that is whole but for its line feed counts as sound.
    """
    lines, place, at = sound_lines(data, start, to_the_end=True)
    rest = data[at:]
    return Reading(tuple(lines), place, condition_of(rest, place.mark), rest)


def sound_lines(data: bytes, start: Place, *, to_the_end: bool) -> tuple[list[bytes], Place, int]:
    """The lines at the beginning of `data` that follow `start`, the place after them, and where that is in `data`.

    Unless `data` goes `to_the_end` of the file, half a line at its end may have another half: it is left.
    """
    lines: list[bytes] = []
    mark, at = start.mark, 0
    whole = data.split(b"\n")
    if not to_the_end or not whole[-1]:
        whole.pop()
    for line in whole:
        if not SEAL < len(line) <= LONGEST:
            break
        following = sha256(mark + line[:-SEAL] + b"}").digest()[:16]
        if not line.endswith(b',"h":"%b"}' % hexlify(following)):
            break
        lines.append(line)
        mark = following
        at += len(line) + 1
    return lines, Place(start.number + len(lines), mark, start.offset + at), min(at, len(data))


def condition_of(rest: bytes, mark: bytes, *, more: bool = False) -> str:
    """What stands behind the last sound line, whose hash is `mark`; `more` where that is not all of it."""
    if not rest:
        return CLEAN
    *whole, partial = rest.split(b"\n")
    if _sound_line_follows([*whole, partial], mark):
        return DAMAGED
    if more or len(rest) > MOST_TORN:
        return AMBIGUOUS
    if ZEROS in rest:
        return TORN
    # A crash leaves the beginning of one line. A whole record with something in place of its line feed was safe.
    if whole or len(partial) > LONGEST or holds_a_record(partial, mark):
        return AMBIGUOUS
    return TORN


def _sound_line_follows(lines: list[bytes], mark: bytes) -> bool:
    """Whether a later line is sound: by the hash in the line before it or, for the second, by the first's text."""
    before = [link(mark, lines[0][:-SEAL] + b"}")]
    for earlier, line in pairwise(lines):
        stored = stored_mark(earlier)
        if stored:
            before.append(stored)
        if any(mark_after(line, each) for each in before):
            return True
        before = []
    return False
