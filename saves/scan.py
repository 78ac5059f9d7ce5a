"""Which lines of a battle's file are sound, and what to make of the rest.

A record is written only after the one before it was safe, so only the last line can be torn by a crash; whatever
is wrong further up was done by something else.
"""

from __future__ import annotations

from itertools import pairwise

from saves.chain import LONGEST, SEAL, holds_a_record, link, mark_after, stored_mark
from saves.store import AMBIGUOUS, CLEAN, DAMAGED, START, TORN, Place, Reading

ZEROS = bytes(8)
"""Fewer zero bytes than this may be a single flipped bit in a sound record, and no sector that never arrived."""


def scan(data: bytes, start: Place = START) -> Reading:
    """Read the lines in `data`, which stands in the file behind `start`.

    A last line that is whole but for its line feed counts as sound.
    """
    lines: list[bytes] = []
    number, mark, at = start.number, start.mark, 0
    while at < len(data):
        end = data.find(b"\n", at)
        line = data[at:] if end < 0 else data[at:end]
        following = mark_after(line, mark)
        if following is None:
            break
        lines.append(line)
        number, mark, at = number + 1, following, at + len(line) + 1
    rest = data[at:]
    return Reading(tuple(lines), Place(number, mark, start.offset + at), _condition(rest, mark), rest)


def _condition(rest: bytes, mark: bytes) -> str:
    if not rest:
        return CLEAN
    *whole, partial = rest.split(b"\n")
    if _sound_line_follows([*whole, partial], mark):
        return DAMAGED
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
