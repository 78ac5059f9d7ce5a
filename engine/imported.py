"""What a battle keeps of an army list that was imported: where it came from, which units came of it, the answers."""

from typing import Annotated

from msgspec import Meta, Struct

from engine.fields import Id, Name
from engine.resolution import Event

Key = Annotated[str, Meta(min_length=1, max_length=200)]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Print = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
Told = Annotated[str, Meta(max_length=200)]


class Source(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A list's file: its name, the SHA-256 of its bytes in hex, and what wrote it."""

    name: Name
    sha256: Digest
    program: Annotated[str, Meta(max_length=100)] = ""


class Taken(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A unit that came of a list: its id here, its key and name there, and a mark of its profile as it was read.

    The mark tells at the next import whether the list says anything new of the unit.
    """

    unit: Id
    key: Key
    called: Annotated[str, Meta(max_length=100)]
    mark: Print


class Answer(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a player said to a question that the list left open."""

    name: Told
    value: Told


class Imported(Event, frozen=True, tag="imported"):
    """A side's list was read in; its units were mustered, amended or dismissed just before."""

    side: str
    source: Source
    units: tuple[Taken, ...]
    answers: tuple[Answer, ...] = ()
