"""What a battle's file holds: the header, and one entry a line. Field names here are the save format's."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from engine.rolls import Rolled

FORMAT = "headsdown-battle"
VERSION = 1

LONGEST_NOTE = 500
"""Characters of a note beside a bookmark."""

Number = Annotated[int, Meta(ge=0, le=2**53)]

Moment = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Milliseconds since 1970, before it with a clock that is wrong; informative only."""


Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hex."""

LONGEST_WORDS = 200
"""Characters of the words by which the other side has its part in the seed of sealed dice."""


class DiceTerms(Struct, frozen=True, omit_defaults=True):
    """How dice are rolled in this battle: the generator, the mode (`app`, `table`, `sealed`), the seed in hex.

    Sealed dice have no seed here, but `commitment`: SHA-256 of the secret that the seed is made of
    (engine/sealed_dice.py).
    """

    alg: str
    mode: str
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
    commitment: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class Parent(Struct, frozen=True):
    """The battle that another one goes on from: its id, the mark (`NUMBER:HASH`) of the entry, and its name."""

    id: str
    mark: Annotated[str, Meta(pattern="^[0-9]{1,15}:[0-9a-f]{8}$")]
    name: str = ""

    @property
    def number(self) -> int:
        """The entry of the parent from which it goes on."""
        return int(self.mark.partition(":")[0])


class Header(Struct, frozen=True, omit_defaults=True):
    """Line 0: what the battle is and under which house rules it is fought.

    `min_reader` is the oldest version of the format that may read the file; `created` is in milliseconds since
    1970 and informative only; `rules` names the rule set and `rules_version` the version that resolved it. `parent` is
    the battle it goes on from, whose entries up to there stand in it too.
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
    parent: Parent | None = None


class OrderEntry(Struct, frozen=True, tag_field="k", tag="order", omit_defaults=True):
    """One order with its rolls and its events, all or nothing. It makes a node of the history and moves the head.

    `by` is who gave it and `t` when (milliseconds since 1970, informative only). `p` is the entry it follows on
    the line of play; left out where that is the one before it in the file. `seat` is whose seat it was given from,
    empty at a table that one person or all together sit at.
    """

    n: Number
    by: str
    t: Moment
    order: Any
    rolls: tuple[Rolled, ...] = ()
    events: tuple[Any, ...] = ()
    p: Number | None = None
    seat: str = ""


class OrderMoves(Struct, frozen=True, tag_field="k", tag="order"):
    """What moves the head and changes the state in an order entry; the rest of it has not been read."""

    n: Number
    events: tuple[Any, ...] = ()
    p: Number | None = None


class UndoEntry(Struct, frozen=True, tag_field="k", tag="undo", omit_defaults=True):
    """The head goes back from `of` to `to`, the entry before it on the line of play.

    `seat` as in orders; `agreed` are the answers by which the other seats agreed, where they had to.
    """

    n: Number
    by: str
    t: Moment
    of: Number
    to: Number
    seat: str = ""
    agreed: tuple[Number, ...] = ()


class RedoEntry(Struct, frozen=True, tag_field="k", tag="redo", omit_defaults=True):
    """The head goes forward again to `to`, which was taken back last."""

    n: Number
    by: str
    t: Moment
    to: Number
    seat: str = ""
    agreed: tuple[Number, ...] = ()


class GotoEntry(Struct, frozen=True, tag_field="k", tag="goto", omit_defaults=True):
    """The head goes to `to`, any order of the file or 0, the empty battle."""

    n: Number
    by: str
    t: Moment
    to: Number
    seat: str = ""
    agreed: tuple[Number, ...] = ()


class RequestEntry(Struct, frozen=True, tag_field="k", tag="request"):
    """Somebody asks the other seats to agree that the head goes from `head` to `to`; it stays until they do.

    A request dies when the head moves.
    """

    n: Number
    by: str
    t: Moment
    seat: str
    head: Number
    to: Number


class AnswerEntry(Struct, frozen=True, tag_field="k", tag="answer"):
    """A seat agrees to the request that is entry `of`, or does not."""

    n: Number
    by: str
    t: Moment
    seat: str
    of: Number
    agreed: bool


class SealEntry(Struct, frozen=True, tag_field="k", tag="seal"):
    """The dice are sealed anew, by a commitment to another secret: the one before was lost or revealed."""

    n: Number
    by: str
    t: Moment
    commitment: Hash


class WordsEntry(Struct, frozen=True, tag_field="k", tag="words"):
    """The other side's part in the seed of the sealed dice. From here on the app can roll."""

    n: Number
    by: str
    t: Moment
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_WORDS)]
    seat: str


class RevealEntry(Struct, frozen=True, tag_field="k", tag="reveal"):
    """The secret that the commitment was made to: from here on anybody can check the rolls, and nothing is rolled."""

    n: Number
    by: str
    t: Moment
    secret: Hash


class BookmarkEntry(Struct, frozen=True, tag_field="k", tag="bookmark"):
    """Somebody marked the moment after entry `at`, on whatever line of play, with a note or an empty text.

    The head stays, so nothing of the battle hangs on it.
    """

    n: Number
    by: str
    t: Moment
    at: Number
    text: Annotated[str, Meta(max_length=LONGEST_NOTE)]


class UnmarkEntry(Struct, frozen=True, tag_field="k", tag="unmark"):
    """The bookmark that is entry `of` was taken away again; the head stays."""

    n: Number
    by: str
    t: Moment
    of: Number


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


MoveEntry: TypeAlias = UndoEntry | RedoEntry | GotoEntry
"""What moves the head and is no order."""

StandingBy: TypeAlias = (
    RequestEntry | AnswerEntry | SealEntry | WordsEntry | RevealEntry | BookmarkEntry | UnmarkEntry | RecoveredEntry
)
"""What leaves the battle as it stood."""

OtherEntry: TypeAlias = MoveEntry | StandingBy
"""All that is no order."""

Entry: TypeAlias = OrderEntry | OtherEntry
