"""What all connections share: the players, the guest book, the limits, and who is there."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from engine.seats import SPECTATOR
from tui.serving.guest_book import GuestBook
from tui.serving.limits import Attempts, Limits
from tui.serving.players import BadPlayers, Player, read_players

HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HEADSDOWN_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""What the programs are told of the server's own environment. PYTHON... comes with it: it says where they are."""

FAREWELL = "headsdown serve: the server is closing. Everything that was ordered is saved."

TOO_OFTEN = "too many attempts"


class Connection(Protocol):
    """One connection, as the house sees it."""

    known: bool
    """Whether somebody has come in."""

    async def close(self, why: str = "") -> None:
        """End the visit and then the connection. When this returns, no program of it is left."""

    async def closed(self, patience: float) -> None:
        """Wait until the client has taken note; after so many seconds do without."""


class Terms(Struct, frozen=True):
    """What is served to whom: the battle, its sides, the players file, and whether any key may look on."""

    battle: Path
    sides: tuple[str, ...]
    players: Path
    spectators: bool = False
    limits: Limits = Limits()


class House:
    """All that the doors share."""

    def __init__(self, terms: Terms, book: GuestBook) -> None:
        """Raises BadPlayers."""
        self._terms = terms
        self.book = book
        self.limits = terms.limits
        self.spectators = terms.spectators
        self.players: Mapping[bytes, Player] = read_players(terms.players, terms.sides)
        self._read = self._marks()
        self.doors: set[Connection] = set()
        self._attempts = Attempts(terms.limits.attempts)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False
        python = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
        self.environment = python | {name: os.environ[name] for name in HANDED_ON if name in os.environ}

    # Who may come

    def why_not(self, host: str) -> str:
        """Why a connection from there is not taken; empty where it is."""
        people = sum(each.known for each in self.doors)
        if self._closing:
            return "closing"
        if not self._attempts.allowed(host, asyncio.get_running_loop().time()):
            return TOO_OFTEN
        if people >= self.limits.connections or len(self.doors) - people >= self.limits.strangers:
            return "too many connections"
        return ""

    def tell_refusal(self, host: str, address: str, why: str) -> None:
        if why != TOO_OFTEN or self._attempts.worth_telling(host):
            self.book.write("refused", address=address, why=why)

    def heed_players(self) -> None:
        """Read the players file again where it has changed; what cannot be read changes nothing."""
        marks = self._marks()
        if marks == self._read:
            return
        self._read = marks
        try:
            self.players = read_players(self._terms.players, self._terms.sides)
        except BadPlayers as bad:
            self.book.write("players", wrong=bad)

    def _marks(self) -> tuple[int, int, int] | None:
        try:
            found = self._terms.players.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def command(self, player: Player) -> list[str]:
        """The program for a player."""
        watch = ["--watch"] if player.seat == SPECTATOR else []
        options = [f"--as={player.name}", f"--seat={player.seat}", "--guest", *watch]
        return [sys.executable, "-m", "tui.start", "open", *options, "--", str(self._terms.battle)]

    # Who goes

    def see_off(self, door: Connection, why: str) -> None:
        self._do(door.close(why))

    def leave(self, door: Connection, over: Coroutine[Any, Any, None] | None) -> None:
        """Somebody has gone; what ran for them is about to end."""
        self.doors.discard(door)
        if over is not None:
            self._do(over)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Tell everybody, end their programs, close the lines. When this returns there is nothing left."""
        self._closing = True
        doors = tuple(self.doors)
        await asyncio.gather(*(door.close(FAREWELL) for door in doors), return_exceptions=True)
        await asyncio.gather(*(door.closed(1.0) for door in doors), return_exceptions=True)
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))
