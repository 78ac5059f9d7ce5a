"""The door: one connection, from its first byte on. A key opens it, and behind it is the battle and nothing else."""

from __future__ import annotations

import asyncio

import asyncssh

from tui.serving.child_terminal import ChildTerminal
from tui.serving.house import House
from tui.serving.limits import PACKET, WINDOW
from tui.serving.players import Player, fingerprint, onlooker
from tui.serving.visit import Visit

IDLE_LOOKS = 5.0
"""Seconds between looks at who has not done anything for long."""


TRIES = 20
"""Keys that one connection may offer; the one that fits is counted twice."""


class Door(asyncssh.SSHServer):
    """One connection. What the library would allow beyond a session is refused by not being allowed here."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._offered: tuple[bytes, Player] | None = None
        self._user = ""
        self._visit: Visit | None = None
        self._look: asyncio.TimerHandle | None = None
        self._player: Player | None = None
        self.known = False
        self._tries = 0

    # Coming

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._conn = conn
        peer = conn.get_extra_info("peername") or ("?", 0)
        self._address = f"{peer[0]}:{peer[1]}"
        # The library writes on whether or not the line takes it; so the programs are told to wait.
        conn.pause_writing = self._line_full  # type: ignore[method-assign]
        conn.resume_writing = self._line_free  # type: ignore[method-assign]
        why_not = self._house.why_not(peer[0])
        if why_not:
            self._house.tell_refusal(peer[0], self._address, why_not)
            conn.abort()
        else:
            self._house.doors.add(self)

    def begin_auth(self, username: str) -> bool:
        self._user = username
        self._house.heed_players()
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Whether this key may come in; the library then asks for proof that it is theirs."""
        self._tries += 1
        if self._tries > TRIES:
            self._tell("refused", user=username, why="too many keys")
            self._conn.abort()
            return False
        whose = self._house.players.get(key.public_data)
        if whose is None and self._house.spectators:
            whose = onlooker(username, self._house.players)
        # The library says who is in without letting anything come between: the last key asked about is the proven one.
        self._offered = (key.public_data, whose) if whose else None
        if whose is None:
            self._tell("refused", user=username, key=fingerprint(key.public_data), why="unknown key")
        return whose is not None

    def auth_completed(self) -> None:
        if self._offered is None:
            self._conn.abort()
            return
        key, self._player = self._offered
        self.known = True
        self._tell("came", name=self._player.name, seat=self._player.seat, key=fingerprint(key), user=self._user)
        self._look = asyncio.get_running_loop().call_later(self._house.limits.patience, self._look_again)

    # Within

    def session_requested(self) -> tuple[asyncssh.SSHServerChannel[bytes], Visit] | bool:
        if self._visit is not None or self._player is None:
            self._refused("a further session")
            return False
        self._visit = Visit(self._start, self._refused)
        return self._conn.create_server_channel(None, window=WINDOW, max_pktsize=PACKET), self._visit

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        self._refused(f"forwarding to {dest_host}:{dest_port}")
        return False

    def server_requested(self, listen_host: str, listen_port: int) -> bool:
        self._refused(f"forwarding from {listen_host}:{listen_port}")
        return False

    def unix_connection_requested(self, dest_path: str) -> bool:
        self._refused(f"forwarding to {dest_path}")
        return False

    def unix_server_requested(self, listen_path: str) -> bool:
        self._refused(f"forwarding from {listen_path}")
        return False

    def _start(self, environment: dict[str, str], size: tuple[int, int], visit: Visit) -> ChildTerminal:
        assert self._player is not None
        own = self._conn.get_extra_info("sockname") or ("?", 0)
        peer = self._conn.get_extra_info("peername") or ("?", 0)
        connection = f"{peer[0]} {peer[1]} {own[0]} {own[1]}"
        told = {**self._house.environment, **environment, "SSH_CONNECTION": connection}
        return ChildTerminal(self._house.command(self._player), told, size, visit.painted, visit.roomy)

    def _refused(self, what: str) -> None:
        name = self._player.name if self._player else self._user
        self._tell("refused", name=name, wanted=what)

    def _line_full(self) -> None:
        if self._visit is not None:
            self._visit.line_slow(True)

    def _line_free(self) -> None:
        if self._visit is not None:
            self._visit.line_slow(False)

    def _look_again(self) -> None:
        """Let go of whoever has no program running, or has not used it for long."""
        loop = asyncio.get_running_loop()
        idle = self._house.limits.idle * 60
        if self._visit is None or not self._visit.running:
            self._conn.close()
        elif loop.time() - self._visit.used >= idle:
            self._tell("idle", name=self._player.name if self._player else "")
            self._house.see_off(
                self, f"headsdown serve: nothing happened here for {idle / 60:g} minutes. Come back soon."
            )
        else:
            self._look = loop.call_later(min(IDLE_LOOKS, idle), self._look_again)

    # Going

    async def close(self, why: str = "") -> None:
        """End the visit and then the connection. When this returns, no program of it is left."""
        try:
            if self._visit is not None:
                await self._visit.leave(why)
        finally:
            self._conn.close()

    async def closed(self, patience: float) -> None:
        """Wait until the client has taken note; after so many seconds do without."""
        try:
            await asyncio.wait_for(self._conn.wait_closed(), patience)
        except TimeoutError:
            self._conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look is not None:
            self._look.cancel()
        if self in self._house.doors:
            if self._player is not None:
                self._tell("left", name=self._player.name, seat=self._player.seat)
            self._house.leave(self, self._visit.over() if self._visit else None)

    def _tell(self, what: str, **facts: object) -> None:
        self._house.book.write(what, **facts, address=self._address)
