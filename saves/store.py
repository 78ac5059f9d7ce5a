"""What the program asks of whatever keeps a battle. A journal file is the one store there is."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from engine.entries import Header
from saves.chain import FIRST

CLEAN = "clean"
TORN = "torn"
AMBIGUOUS = "ambiguous"
DAMAGED = "damaged"


class Place(Struct, frozen=True):
    """A place between entries: the number of the entry before it, its hash, and where it ends in the store.

    A journal counts `offset` in bytes with the line feed, also where that is still missing at the end of a file.
    """

    number: int
    mark: bytes
    offset: int


START = Place(-1, FIRST, 0)
"""Before the header, which is entry 0."""


class Reading(Struct, frozen=True):
    """Lines that follow each other, without line feeds; the place after them; and what stands behind it.

    `condition` is CLEAN where nothing does; TORN for what a crash leaves of a line; AMBIGUOUS for a last line that
    may have been sound once; DAMAGED where sound lines follow. `rest` is what stands there.
    """

    lines: tuple[bytes, ...]
    place: Place
    condition: str = CLEAN
    rest: bytes = b""


class Moved(Exception):  # noqa: N818  news, not an error
    """Others have appended in the meantime: follow, then try again. The text, if any, is for people."""


class Withdrawn(Exception):  # noqa: N818  news, not an error
    """What was read before is no longer there: the store was replaced, or its last entries never became safe."""


class Store(Protocol):
    """A battle's header and entries, which only grow. All of these raise Fault where the store cannot be used."""

    def create(self, header: Header) -> None:
        """Make the battle, whole or not at all; raises AlreadyThere where there is one."""

    def read(self) -> Reading:
        """Everything that is there, the header first."""

    def follow(self, after: Place) -> Reading | None:
        """What others appended behind a place, None where nothing did; raises Withdrawn. Cheap without news."""

    def append(self, record: bytes, after: Place, by: str = "") -> Place:
        """Add a record of `by` if nothing stands behind `after`; safe on disk when this returns its place.

        Raises Moved or Withdrawn where something does, Busy where others hold the store.
        """

    def close(self) -> None:
        """Let go of it."""
