"""Where faces come from: the keyed generator, the table, or the record. A rule knows of none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from engine.refusals import DiceMissing, Refusal
from engine.rolls import Dice, Faces, Rolled, Throw

ALGORITHM = "sha256-key/1"


def seed_from_text(text: str) -> bytes:
    """The 32 bytes that `--seed TEXT` stands for: SHA-256 over "seed/text/1", a zero byte and the text."""
    return sha256(b"seed/text/1\0" + text.encode()).digest()


def _stream(seed: bytes, key: str) -> Iterator[int]:
    """The bytes of a key: block j is SHA-256("dice/1" 0 seed len(key) key j), lengths and j big-endian."""
    name = key.encode()
    start = b"dice/1\0" + seed + len(name).to_bytes(2, "big") + name
    block = 0
    while True:
        yield from sha256(start + block.to_bytes(4, "big")).digest()
        block += 1


def keyed_faces(seed: bytes, key: str, sides: int, count: int) -> tuple[int, ...]:
    """`count` faces of dice with `sides` sides (2 to 65536), the same for the same seed (32 bytes) and key.

    Bytes are taken left to right and those that would favour low faces are passed over; with more than 256
    sides two bytes are taken together, big-endian.
    """
    width = 1 if sides <= 256 else 2
    span = 256**width
    fair = span - span % sides
    stream = _stream(seed, key)
    faces: list[int] = []
    while len(faces) < count:
        value = next(stream)
        if width == 2:
            value = value << 8 | next(stream)
        if value < fair:
            faces.append(value % sides + 1)
    return tuple(faces)


def key_of(turn: str, throw: Throw) -> str:
    """What a throw is for, without the count of earlier ones: TURN/SUBJECT/GROUP/PURPOSE."""
    return f"{turn}/{throw.subject}/{throw.group}/{throw.purpose}"


class Keys:
    """Numbers the throws of one order: the k-th with the same purpose on this line of play gets #k.

    The throws of one chain of exploding dice share one number.
    """

    def __init__(self, before: Mapping[str, int]) -> None:
        self._before = before
        self._here: dict[str, int] = {}

    def next(self, turn: str, throw: Throw) -> str:
        base = key_of(turn, throw)
        earlier = self._here.get(base, 0)
        if throw.follows:
            earlier -= 1
        self._here[base] = earlier + 1
        return f"{base}#{self._before.get(base, 0) + earlier}"


class Source:
    """Faces for the throws of one order, in the sequence in which the rules roll."""

    def faces(self, throw: Throw, key: str) -> tuple[tuple[int, ...], str]:
        """The faces of the next throw and where they come from, `app` or `table`."""
        raise NotImplementedError

    def finish(self) -> None:
        """Called once when the order is through; refuses faces that nobody rolled for."""


class AppDice(Source):
    """The app rolls: faces by seed and key."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def faces(self, throw: Throw, key: str) -> tuple[tuple[int, ...], str]:
        fallen = len(throw.follows or ())
        return keyed_faces(self._seed, key, throw.sides, fallen + throw.count)[fallen:], "app"


def _waiting(throw: Throw, key: str, given: int) -> DiceMissing:
    about = f"{throw.purpose} of {throw.subject}" + (f", {throw.group}" if throw.group else "")
    more = f"{throw.count} more" if throw.follows else str(throw.count)
    return DiceMissing(
        f"too few dice: {about} waits for {more} D{throw.sides}"
        + (f", {given} given: {throw.count - given} missing" if given else ""),
        throw,
        key,
    )


def checked_face(throw: Throw, face: int) -> int:
    """A face as typed: 1 to the sides of the die, and 0 on a d10 for 10; anything else is refused (`dice`)."""
    if throw.sides == 10 and face == 0:
        return 10
    if not 1 <= face <= throw.sides:
        raise Refusal("dice", f"{face} is no face of a D{throw.sides} ({throw.purpose} of {throw.subject})")
    return face


class TypedDice(Source):
    """Faces rolled at the table, in one run for the whole order. None typed: `empty` says what that means."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._faces = faces
        self._taken = 0

    def faces(self, throw: Throw, key: str) -> tuple[tuple[int, ...], str]:
        typed = self._faces[self._taken : self._taken + throw.count]
        checked = tuple(checked_face(throw, face) for face in typed)
        if len(checked) < throw.count:
            raise _waiting(throw, key, len(checked))
        self._taken += throw.count
        return checked, "table"

    def finish(self) -> None:
        over = len(self._faces) - self._taken
        if over:
            raise Refusal("dice", f"too many dice: {len(self._faces)} given, {self._taken} rolled, {over} too many")


class PromptedDice(Source):
    """Faces asked for throw by throw: each answer is what was typed, or None where the app is to roll.

    Where the app rolls the first die of a chain it rolls the others too, unasked.
    """

    def __init__(self, answers: tuple[tuple[int, ...] | None, ...], app: Source) -> None:
        self._answers = answers
        self._app = app
        self._asked = 0
        self._app_rolls = False

    def faces(self, throw: Throw, key: str) -> tuple[tuple[int, ...], str]:
        if throw.follows and self._app_rolls:
            return self._app.faces(throw, key)
        if self._asked >= len(self._answers):
            raise _waiting(throw, key, 0)
        typed = self._answers[self._asked]
        self._asked += 1
        if typed is None and throw.follows:
            return self._app.faces(throw, key)[0], "table"
        self._app_rolls = typed is None
        if typed is None:
            return self._app.faces(throw, key)
        checked = tuple(checked_face(throw, face) for face in typed)
        if len(checked) < throw.count:
            raise _waiting(throw, key, len(checked))
        if len(checked) > throw.count:
            raise Refusal("dice", f"too many dice: {throw.purpose} of {throw.subject} takes {throw.count}")
        return checked, "table"


class RecordedDice(Source):
    """Faces of a recorded entry, fed back to the rules; a throw other than the recorded one raises Differs."""

    def __init__(self, rolls: tuple[Rolled, ...]) -> None:
        self._rolls = rolls
        self._taken = 0

    def faces(self, throw: Throw, key: str) -> tuple[tuple[int, ...], str]:
        fallen = len(throw.follows or ())
        if not fallen:
            self._taken += 1
        if self._taken > len(self._rolls):
            raise Differs(f"the rules roll {throw.purpose} of {throw.subject}, which was not recorded")
        row = self._rolls[self._taken - 1]
        dice = row.dice if throw.follows is None else row.dice[fallen : fallen + throw.count]
        recorded = (row.purpose, row.subject, row.group, row.sides, len(dice), row.key)
        if recorded != (throw.purpose, throw.subject, throw.group, throw.sides, throw.count, key):
            raise Differs(f"the rules roll {throw.purpose} of {throw.subject}, recorded was {row.purpose}")
        if not all(1 <= face <= row.sides for face in row.dice):
            raise Differs(f"{row.purpose} of {row.subject} has a face that a D{row.sides} does not have")
        return dice, row.source

    def finish(self) -> None:
        if self._taken != len(self._rolls):
            raise Differs(f"{self._rolls[self._taken].purpose} was recorded, but the rules do not roll it")


class Differs(Exception):  # noqa: N818  a finding about a record, not an error of the program
    """What is recorded is not what the rules make of it."""


__all__ = [
    "ALGORITHM",
    "AppDice",
    "Dice",
    "Differs",
    "Faces",
    "Keys",
    "PromptedDice",
    "RecordedDice",
    "Source",
    "TypedDice",
    "checked_face",
    "key_of",
    "keyed_faces",
    "seed_from_text",
]
