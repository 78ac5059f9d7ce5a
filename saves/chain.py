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
    return record[:-1] + _OPENING + mark.hex().encode() + _CLOSING + b"\n", mark


def opened(line: bytes) -> tuple[bytes, bytes] | None:
    """Record and hash of a line without line feed; None where it is too long or does not end in a seal."""
    seal = line[-SEAL:]
    if not SEAL < len(line) <= LONGEST or not seal.startswith(_OPENING) or not seal.endswith(_CLOSING):
        return None
    digits = seal[len(_OPENING) : -len(_CLOSING)]
    if any(digit not in b"0123456789abcdef" for digit in digits):
        return None
    return line[:-SEAL] + b"}", bytes.fromhex(digits.decode())


def mark_after(line: bytes, before: bytes) -> bytes | None:
    """The hash of a line that follows the hash `before`; None where it does not."""
    parts = opened(line)
    if parts is None:
        return None
    record, mark = parts
    return mark if link(before, record) == mark else None


def holds_a_record(text: bytes, before: bytes) -> bool:
    """Whether `text` begins with a whole line that follows `before`, whatever stands after it."""
    at = text.find(_OPENING)
    while at >= 0:
        if mark_after(text[: at + SEAL], before):
            return True
        at = text.find(_OPENING, at + 1)
    return False
