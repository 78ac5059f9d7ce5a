"""What a battle's file holds: the header, and one entry a line. Field names here are the save format's."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from engine.rolls import Rolled

FORMAT = "headsdown-battle"
VERSION = 1

Number = Annotated[int, Meta(ge=0, le=2**53)]

Moment = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Milliseconds since 1970, before it with a clock that is wrong; informative only."""


class DiceTerms(Struct, frozen=True):
    """How dice are rolled in this battle: the generator, the mode (`app`, `table`, `sealed`), the seed in hex."""

    alg: str
    mode: str
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Header(Struct, frozen=True, omit_defaults=True):
    """Line 0: what the battle is and under which house rules it is fought.

    `min_reader` is the oldest version of the format that may read the file; `created` is in milliseconds since
    1970 and informative only; `rules` names the rule set and `rules_version` the version that resolved it.
    """

    format: str
    v: int
    min_reader: int
    id: str
    created: Moment
    name: str
    rules: str
    rules_version: int
    engine: str
    sides: tuple[str, ...]
    switches: dict[str, str]
    dice: DiceTerms


class OrderEntry(Struct, frozen=True, tag_field="k", tag="order", omit_defaults=True):
    """One order with its rolls and its events, all or nothing. It makes a node of the history and moves the head.

    `by` is who gave it and `t` when (milliseconds since 1970, informative only). `p` is the entry it follows on
    the line of play; left out where that is the one before it in the file.
    """

    n: Number
    by: str
    t: Moment
    order: Any
    rolls: tuple[Rolled, ...] = ()
    events: tuple[Any, ...] = ()
    p: Number | None = None


class OrderMoves(Struct, frozen=True, tag_field="k", tag="order"):
    """What moves the head and changes the state in an order entry; the rest of it has not been read."""

    n: Number
    events: tuple[Any, ...] = ()
    p: Number | None = None


class UndoEntry(Struct, frozen=True, tag_field="k", tag="undo"):
    """The head goes back from `of` to `to`, the entry before it on the line of play."""

    n: Number
    by: str
    t: Moment
    of: Number
    to: Number


class RedoEntry(Struct, frozen=True, tag_field="k", tag="redo"):
    """The head goes forward again to `to`, which was taken back last."""

    n: Number
    by: str
    t: Moment
    to: Number


class GotoEntry(Struct, frozen=True, tag_field="k", tag="goto"):
    """The head goes to `to`, any order of the file or 0, the empty battle."""

    n: Number
    by: str
    t: Moment
    to: Number


class RecoveredEntry(Struct, frozen=True, tag_field="k", tag="recovered"):
    """Something of `bytes` bytes with that SHA-256 was set aside; the head stays.

    `status`: `torn` for half a line that a crash left before this entry, `lost` for an entry that stood in the place
    of this one and could not be saved when the file was repaired.
    """

    n: Number
    by: str
    t: Moment
    status: str
    bytes: Number
    sha256: str


Entry: TypeAlias = OrderEntry | UndoEntry | RedoEntry | GotoEntry | RecoveredEntry
