"""How much anybody may ask of the server. Clocks are handed in, in seconds."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

LEAST_SIZE, MOST_SIZE = (1, 1), (500, 200)
USUAL_SIZE = (80, 24)

PACKET = 16 * 1024
"""The most bytes one message on a channel may have."""

WINDOW = 64 * 1024
"""So many bytes of a client may wait to be typed into its terminal."""

TYPED_AT_ONCE = 8 * 1024
TYPED_A_SECOND = 2 * 1024
"""Bytes of keys: a page of pasted text at once, and more than fingers and mouse can do from then on."""

ADDRESSES = 10_000
"""So many addresses are remembered; the oldest are forgotten first."""

_TERM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")


class Limits(Struct, frozen=True):
    """What anybody may ask of the server.

    So many people at once (`connections`), and besides them `strangers` who have shown no key yet; `attempts` of one
    address in a minute; minutes without use after which somebody is let go (`idle`); seconds within which a key is to
    be shown, and then a session begun (`patience`).
    """

    connections: int = 40
    strangers: int = 30
    attempts: int = 20
    idle: float = 240.0
    patience: float = 20.0


class Attempts:
    """How often each address has come of late."""

    def __init__(self, most: int, within: float = 60.0) -> None:
        """At most `most` within so many seconds."""
        self._most = most
        self._within = within
        self._times: dict[str, list[float]] = {}
        self._refused: set[str] = set()

    def allowed(self, address: str, now: float) -> bool:
        """Count an attempt; whether it may go on. One that may not is not counted: waiting a while always helps."""
        times = [time for time in self._times.pop(address, ()) if now - time < self._within]
        allowed = len(times) < self._most
        if allowed:
            times.append(now)
            self._refused.discard(address)
        self._times[address] = times
        while len(self._times) > ADDRESSES:
            forgotten = next(iter(self._times))
            del self._times[forgotten]
            self._refused.discard(forgotten)
        return allowed

    def worth_telling(self, address: str) -> bool:
        """Whether a refusal of that address is its first in a row: whoever tries for ever fills no guest book."""
        first = address not in self._refused
        self._refused.add(address)
        return first


class Typing:
    """How much of what was typed may go on to the program now."""

    def __init__(self, now: float, at_once: int = TYPED_AT_ONCE, a_second: int = TYPED_A_SECOND) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left = float(at_once)
        self._then = now

    def take(self, wanted: int, now: float) -> int:
        """So many of the wanted bytes may go on now; they are counted."""
        self._left = min(self._at_once, self._left + (now - self._then) * self._a_second)
        self._then = now
        taken = min(wanted, int(self._left))
        self._left -= taken
        return taken


def fitting(columns: int, lines: int) -> tuple[int, int]:
    """A size that a terminal can have, near what a client says it has; 0 is what those say that do not know."""
    if columns <= 0 or lines <= 0:
        return USUAL_SIZE
    return min(max(columns, LEAST_SIZE[0]), MOST_SIZE[0]), min(max(lines, LEAST_SIZE[1]), MOST_SIZE[1])


def terminal_kind(said: str) -> str:
    """TERM as a client says it; `dumb`, which gets the line mode, where that is no name of a terminal."""
    return said if _TERM.fullmatch(said) else "dumb"


LONGEST_VALUE = 32
HEEDED = ("COLORTERM", "NO_COLOR")
"""What a client may say of its environment besides TERM."""


class HeededEnvironment(dict[bytes, bytes]):
    """What a client says of its environment; all but the little that is heeded is forgotten as it comes."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name in {each.encode() for each in HEEDED} and len(value) <= LONGEST_VALUE:
            super().__setitem__(name, value)


def colours(said: Mapping[bytes, bytes]) -> dict[str, str]:
    """The part of a client's environment that the program is told, in values that it knows."""
    told = {}
    if said.get(b"COLORTERM") in (b"truecolor", b"24bit"):
        told["COLORTERM"] = said[b"COLORTERM"].decode()
    if b"NO_COLOR" in said:
        told["NO_COLOR"] = "1"
    return told
