"""Between entries and the JSON text of their lines."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from engine.dice import ALGORITHM
from engine.entries import (
    FORMAT,
    VERSION,
    Entry,
    GotoEntry,
    Header,
    Number,
    OrderEntry,
    RecoveredEntry,
    RedoEntry,
    UndoEntry,
)
from engine.rolls import Rolled
from engine.ruleset import RuleSet

_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")


class Strange(Exception):  # noqa: N818  a finding about a line, not an error of the program
    """A line whose seal is sound but whose content is not an entry of this battle.

    `kind`: `newer` where a newer version may have written it, else `altered`.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class OrderLine(Struct, frozen=True, tag_field="k", tag="order"):
    """An order entry whose order and events are still JSON text: what they are depends on the rules."""

    n: Number
    by: str
    t: int
    order: Raw
    rolls: tuple[Rolled, ...] = ()
    events: tuple[Raw, ...] = ()
    p: Number | None = None


class _Marking(Struct):
    """What tells whether the rest of a header can be read."""

    format: str
    v: int
    min_reader: int


AnyLine: TypeAlias = OrderLine | UndoEntry | RedoEntry | GotoEntry | RecoveredEntry

_ENVELOPES = msgspec.json.Decoder(AnyLine)
_MARKINGS = msgspec.json.Decoder(_Marking)
_HEADERS = msgspec.json.Decoder(Header)


def record_of(entry: Header | Entry) -> bytes:
    """The JSON text of a header or an entry, without its seal; the same for the same content."""
    return _ENCODER.encode(entry)


def header_in(line: bytes) -> Header:
    """The header in the first line of a file; raises Strange where it is none, or one of a newer version."""
    marking = _decoded(_MARKINGS, line)
    if marking.format != FORMAT:
        raise Strange("altered", f"its format is {marking.format[:40]}, not {FORMAT}")
    if marking.min_reader > VERSION:
        raise Strange("newer", f"it needs a program that reads format {marking.min_reader}; this one reads {VERSION}")
    header: Header = _decoded(_HEADERS, line)
    if header.dice.alg != ALGORITHM:
        raise Strange("newer", f"its dice are rolled by {header.dice.alg[:40]}, which this version does not know")
    return header


class Entries:
    """Reads the entries of one battle from their lines."""

    def __init__(self, header: Header, rules: RuleSet) -> None:
        self._orders = msgspec.json.Decoder(rules.order_types)
        self._events = msgspec.json.Decoder(rules.event_types)
        self._newer = header.v > VERSION or header.rules_version > rules.version

    def entry_in(self, line: bytes) -> Entry:
        """The entry in a line; raises Strange where it is none."""
        envelope = _decoded(_ENVELOPES, line, self._newer)
        if not isinstance(envelope, OrderLine):
            other: Entry = envelope
            return other
        order = _decoded(self._orders, envelope.order, self._newer)
        events = tuple(_decoded(self._events, raw, self._newer) for raw in envelope.events)
        return OrderEntry(
            n=envelope.n,
            by=envelope.by,
            t=envelope.t,
            order=order,
            rolls=envelope.rolls,
            events=events,
            p=envelope.p,
        )


_UNKNOWN = re.compile(r"unknown field|Invalid value .* at `\$\.(k|type)`")
"""What a decoder says of a kind, type or field that it does not have."""


def _decoded(decoder: Any, text: bytes | Raw, newer: bool = False) -> Any:
    try:
        return decoder.decode(text)
    except RecursionError:
        raise Strange("altered", "it is nested too deeply") from None
    except msgspec.ValidationError as error:
        kind = "newer" if newer or _UNKNOWN.search(str(error)) else "altered"
        raise Strange(kind, str(error).replace("`", "")) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Strange("altered", str(error)) from None
