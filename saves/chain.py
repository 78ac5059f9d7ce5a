"""One line of a battle's file and the chain that seals it.

A line is a JSON object that ends in the seal `,"h":"<32 hex>"}` and a line feed. The hash covers the hash before
it and the record, which is the line without its seal but with the closing brace: the bytes as written, never
encoded again.
"""

from __future__ import annotations

from hashlib import sha256

FIRST = sha256(b"headsdown-battle/1").digest()[:16]
"""What stands for the hash before the first line."""

LONGEST = 1 << 20
"""The most bytes a line may have, without its line feed."""

_OPENING = b',"h":"'
_CLOSING = b'"}'
SEAL = len(_OPENING) + 32 + len(_CLOSING)


def link(before: bytes, record: bytes) -> bytes:
    """The hash (16 bytes) of a record that follows the hash `before`."""
    return sha256(before + record).digest()[:16]


def sealed(record: bytes, before: bytes) -> tuple[bytes, bytes]:
    """The line of a record (a JSON object), with its line feed, and the hash in it."""
    mark = link(before, record)
    return record[:-1] + seal(mark) + b"\n", mark


def seal(mark: bytes) -> bytes:
    """The end of a line whose hash is `mark`, without its line feed."""
    return _OPENING + mark.hex().encode() + _CLOSING


def stored_mark(line: bytes) -> bytes | None:
    """The hash that stands in the seal of a line, right or wrong; None where there is no seal."""
    end = line[-SEAL:]
    try:
        mark = bytes.fromhex(end[len(_OPENING) : -len(_CLOSING)].decode("ascii"))
    except ValueError:
        return None
    return mark if seal(mark) == end else None


def mark_after(line: bytes, before: bytes) -> bytes | None:
    """The hash of a line that follows the hash `before`; None where it does not."""
    if not SEAL < len(line) <= LONGEST:
        return None
    mark = link(before, line[:-SEAL] + b"}")
    return mark if line[-SEAL:] == seal(mark) else None


def holds_a_record(text: bytes, before: bytes) -> bool:
    """Whether `text` begins with a whole line that follows `before`, whatever stands after it."""
    return record_at_start(text, before) > 0


def record_at_start(text: bytes, before: bytes) -> int:
    """How many bytes the whole line that follows `before` has with which `text` begins; 0 where there is none."""
    so_far, done = sha256(before), 0
    at = text.find(_OPENING)
    while 0 <= at <= LONGEST - SEAL:
        so_far.update(text[done:at])
        done = at
        if text.startswith(_CLOSING, at + SEAL - len(_CLOSING)):
            whole = so_far.copy()
            whole.update(b"}")
            if text[at : at + SEAL] == seal(whole.digest()[:16]):
                return at + SEAL
        at = text.find(_OPENING, at + 1)
    return 0
