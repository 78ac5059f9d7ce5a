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
    return record[:-1] + _seal(mark) + b"\n", mark


def _seal(mark: bytes) -> bytes:
    return _OPENING + mark.hex().encode() + _CLOSING


def stored_mark(line: bytes) -> bytes | None:
    """The hash that stands in the seal of a line, right or wrong; None where there is no seal."""
    seal = line[-SEAL:]
    try:
        mark = bytes.fromhex(seal[len(_OPENING) : -len(_CLOSING)].decode("ascii"))
    except ValueError:
        return None
    return mark if _seal(mark) == seal else None


def mark_after(line: bytes, before: bytes) -> bytes | None:
    """The hash of a line that follows the hash `before`; None where it does not."""
    if not SEAL < len(line) <= LONGEST:
        return None
    mark = link(before, line[:-SEAL] + b"}")
    return mark if line[-SEAL:] == _seal(mark) else None


def holds_a_record(text: bytes, before: bytes) -> bool:
    """Whether `text` begins with a whole line that follows `before`, whatever stands after it."""
    at = text.find(_OPENING)
    while at >= 0:
        if mark_after(text[: at + SEAL], before):
            return True
        at = text.find(_OPENING, at + 1)
    return False
