"""Between entries and the JSON text of their lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from types import GenericAlias
from typing import Any

import msgspec
from msgspec import Struct

from engine.dice import ALGORITHM
from engine.entries import FORMAT, VERSION, Entry, Header, Moment, Number, OrderEntry, OrderMoves, OtherEntry
from engine.json_text import doubled_field
from engine.rolls import Rolled
from engine.ruleset import RuleSet
from engine.scorekeeping import Note
from saves.chain import SEAL

_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")


class Strange(Exception):  # noqa: N818  a finding about a line, not an error of the program
    """A line whose seal is sound but whose content is not an entry of this battle.

    `kind`: `newer` where a newer version may have written it, else `altered`.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class _Marking(Struct):
    """What tells whether the rest of a header can be read."""

    format: str
    v: int
    min_reader: int


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
    _refuse_doubled(line)
    if header.dice.alg != ALGORITHM:
        raise Strange("newer", f"its dice are rolled by {header.dice.alg[:40]}, which this version does not know")
    return header


def order_line(rules: RuleSet) -> type[Struct]:
    """OrderEntry, field by field, with the orders and events of the rules: a line is decoded in one go."""
    return _order_line(rules.order_types, rules.event_types)


@cache
def _order_line(orders: Any, events: Any) -> type[Struct]:
    return msgspec.defstruct(
        "OrderLine",
        [
            ("n", Number),
            ("by", str),
            ("t", Moment),
            ("order", orders),
            ("rolls", tuple[Rolled, ...], ()),
            ("events", GenericAlias(tuple, (events, ...)), ()),
            ("p", Number | None, None),
            ("seat", str, ""),
        ],
        tag_field="k",
        tag="order",
        frozen=True,
        omit_defaults=True,
    )


@cache
def _decoder(orders: Any, events: Any) -> Any:
    """Made once for a rule set: that takes as long as reading a short battle."""
    kinds: Any = _order_line(orders, events) | OtherEntry
    return msgspec.json.Decoder(kinds)


@cache
def _moves_decoder(events: Any) -> Any:
    fields: list[Any] = [("n", Number), ("events", GenericAlias(tuple, (events, ...)), ()), ("p", Number | None, None)]
    moves = msgspec.defstruct("OrderMoves", fields, bases=(OrderMoves,), tag_field="k", tag="order", frozen=True)
    kinds: Any = moves | OtherEntry
    return msgspec.json.Decoder(kinds)


class _Rolls(Struct):
    """Of any entry its rolls."""

    rolls: tuple[Rolled, ...] = ()


_ROLLS = msgspec.json.Decoder(_Rolls)


class Entries:
    """Reads the entries of one battle from their lines."""

    def __init__(self, header: Header, rules: RuleSet) -> None:
        self._order_line: type[Struct] = order_line(rules)
        self._decoder = _decoder(rules.order_types, rules.event_types)
        self._moves = _moves_decoder(rules.event_types)
        self._newer = header.v > VERSION or header.rules_version > rules.version
        self.moves: Callable[[bytes], Entry | OrderMoves] = self._moves.decode
        """As `moves_in`, but raises one of MISREAD, which `strange` makes a Strange: a call less for each line."""

    def entry_in(self, line: bytes) -> Entry:
        """The entry in a line; raises Strange where it is none."""
        try:
            read = _decoded(self._decoder, line, self._newer)
        except Strange:
            _refuse_doubled(line)
            raise
        # As this version writes it there is no field twice; only of another text that has to be looked up.
        written = _ENCODER.encode(read)
        if len(written) - 1 != len(line) - SEAL or not line.startswith(written[:-1]):
            _refuse_doubled(line)
        return self._as_entry(read)

    def moves_in(self, line: bytes) -> Entry | OrderMoves:
        """What moves the head and changes the state in the entry of a line, the rest unread; raises Strange."""
        try:
            return self.moves(line)
        except MISREAD as error:
            raise self.strange(error) from None

    def strange(self, error: Exception) -> Strange:
        """What an error of MISREAD, met in a line, says about it."""
        return _strange(error, self._newer)

    def rolls_in(self, line: bytes) -> tuple[Rolled, ...]:
        """The rolls in a line that was found sound before; none where it makes no sense, or is no order."""
        try:
            return _ROLLS.decode(line).rolls
        except MISREAD:
            return ()

    def read_again(self, line: bytes) -> Entry:
        """The entry in a line of which at least the moves were read before.

        Where the rest of it makes no sense, a note says so in the place of the order. (`verify` tells what is wrong.)
        """
        try:
            return self._as_entry(_decoded(self._decoder, line))
        except Strange as strange:
            moves = self.moves_in(line)
            assert isinstance(moves, OrderMoves)
            words = f"(what was ordered here was altered and cannot be read: {strange})"
            return OrderEntry(moves.n, "", 0, Note(words), (), moves.events, moves.p)

    def _as_entry(self, read: Any) -> Entry:
        if type(read) is not self._order_line:
            other: OtherEntry = read
            return other
        line: Any = read
        return OrderEntry(line.n, line.by, line.t, line.order, line.rolls, line.events, line.p, line.seat)


def _refuse_doubled(line: bytes) -> None:
    doubled = doubled_field(line)
    if doubled is not None:
        raise Strange("altered", f"the field {doubled} stands there twice")


_UNKNOWN = re.compile(r"unknown field|Invalid value .* at `\$(\.order|\.events\[[^]]*\])?\.(k|type)`")
"""What a decoder says of a kind, type or field that it does not have."""


MISREAD = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What a decoder raises for a text that it cannot read."""


def _decoded(decoder: Any, text: bytes, newer: bool = False) -> Any:
    try:
        return decoder.decode(text)
    except MISREAD as error:
        raise _strange(error, newer) from None


def _strange(error: Exception, newer: bool) -> Strange:
    if isinstance(error, RecursionError):
        return Strange("altered", "it is nested too deeply")
    if isinstance(error, msgspec.ValidationError):
        kind = "newer" if newer or _UNKNOWN.search(str(error)) else "altered"
        return Strange(kind, str(error).replace("`", ""))
    return Strange("altered", str(error))
