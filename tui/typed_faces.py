"""Faces as people type them at the table: a run like `46655`, or counted like `3x6 2x5`."""

from __future__ import annotations

import re

from msgspec import Struct

_SEPARATORS = re.compile(r"[\s,;.+/|-]+")
_PIECE = re.compile(r"(?:([0-9]+)[x*](10|[0-9]?)|([0-9]))", re.IGNORECASE)
"""Up to ten sides: so many dice of one face, or one die."""

_LARGE_PIECE = re.compile(r"(?:([0-9]+)[x*]([0-9]*)|([0-9]+))", re.IGNORECASE)
MOST_AT_ONCE = 5000


class Typed(Struct, frozen=True):
    """What was read: the faces, whether a counted group still waits for its face, and what is wrong, if anything."""

    faces: tuple[int, ...]
    unfinished: bool = False
    wrong: str = ""


def read_faces(text: str, sides: int, count: int = 0) -> Typed:
    """Read typed faces of dice with `sides` sides, `count` of them if that is known.

    Up to ten sides every digit is a die, and on a ten-sided die 0 is 10; with more sides faces are separated.
    `3x6` is three dice that show 6; the face has one digit, so that `3x62x5` and `3x655` are clear. Spaces, commas,
    semicolons, dots, plus, slash, bar and dash separate.
    """
    if count == 1 and text.strip() == str(sides):
        return Typed((sides,))  # who rolls a single D10 types 10, not a 1 and a 0
    faces: list[int] = []
    piece = _PIECE if sides <= 10 else _LARGE_PIECE
    for token in _SEPARATORS.split(text.strip()):
        at = 0
        while at < len(token):
            found = piece.match(token, at)
            if found is None:
                return Typed(tuple(faces), wrong=f"{token[:12]} is no face: type digits, like 46655 or 3x6 2x5")
            at = found.end()
            many, counted, single = found.groups()
            if many and not counted:
                return Typed(tuple(faces), unfinished=True)
            face = _face(counted or single, sides)
            if face is None:
                return Typed(tuple(faces), wrong=f"{(counted or single)[:12]} is no face of a D{sides}")
            number = int(many[:6]) if many else 1
            if len(faces) + number > MOST_AT_ONCE:
                return Typed(tuple(faces), wrong="these are more dice than any order rolls")
            faces.extend([face] * number)
    return Typed(tuple(faces))


def _face(word: str, sides: int) -> int | None:
    face = int(word[:6])
    if sides == 10 and face == 0:
        return 10
    return face if 1 <= face <= sides else None
