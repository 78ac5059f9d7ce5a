"""Orders that come from a file or from standard input: JSON Lines, or one JSON array."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import msgspec
from msgspec import Raw, Struct

from engine.refusals import Refusal
from saves.faults import Unreadable

LONGEST = 1 << 20
"""The most bytes one line may have."""

LARGEST = 1 << 28
"""The most bytes an array may have."""

_BOM = b"\xef\xbb\xbf"
_BYTE = re.compile(r" ?\(byte (\d+)\)")


class Given(Struct, frozen=True):
    """The JSON text of an order, its number from 1, and where it stands."""

    number: int
    text: bytes
    where: str


class Misplaced(Exception):  # noqa: N818  the caller's mistake
    """Text in which no further order can be found: the number it would have, where, and why."""

    def __init__(self, number: int, where: str, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.number = number
        self.where = where
        self.refusal = refusal


@contextmanager
def opened_orders(name: str) -> Iterator[BinaryIO]:
    """The stream behind `--orders`; `-` is standard input. Raises Unreadable where there is none."""
    if name == "-":
        if sys.stdin is None:
            raise Unreadable("standard input is closed")
        yield sys.stdin.buffer
        return
    try:
        stream = open(name, "rb")  # noqa: SIM115  closed below; only opening may fail here
    except FileNotFoundError:
        raise Unreadable(f"{name} is not there; --orders names a file of orders, or - for standard input") from None
    except IsADirectoryError:
        raise Unreadable(f"{name} is a folder; --orders names a file of orders") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unreadable(f"{name} cannot be read: {why}") from None
    with stream:
        yield stream


def given_orders(stream: BinaryIO, name: str) -> Iterator[Given]:
    """The orders in a stream, each as soon as its line is there. Raises Misplaced, and Unreadable for I/O errors."""
    source = "standard input" if name == "-" else name
    try:
        line = number = 0
        while text := stream.readline(LONGEST + 1):
            line += 1
            where = f"{source}, line {line}"
            if line == 1:
                text = text.removeprefix(_BOM)
            bare = text.strip()
            if not number and bare.startswith(b"["):
                yield from _in_array(text + stream.read(LARGEST), source, line)
                return
            if not bare:
                continue
            number += 1
            if len(text) > LONGEST:
                raise Misplaced(
                    number, f"{where}, order {number}", Refusal("order", "this line is longer than any order")
                )
            yield Given(number, bare, f"{where}, order {number}")
    except OSError as error:
        raise Unreadable(f"{source} cannot be read: {error.strerror or error}") from None


def _in_array(text: bytes, source: str, line: int) -> Iterator[Given]:
    try:
        orders = msgspec.json.decode(text, type=list[Raw])
    except RecursionError:
        raise Misplaced(1, source, Refusal("order", "this is no array of orders: it is nested too deeply")) from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        found = _BYTE.search(str(error))
        at = line + text[: int(found.group(1))].count(b"\n") if found else line + text.count(b"\n")
        message = _BYTE.sub("", str(error)).removeprefix("JSON is malformed: ")
        refusal = Refusal("order", f"this is no array of orders: {message}")
        raise Misplaced(1, f"{source}, line {at}", refusal) from None
    for number, order in enumerate(orders, 1):
        yield Given(number, bytes(order), f"{source}, order {number}")
