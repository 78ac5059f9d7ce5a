"""A visit: one client's session and the program that runs for it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

import asyncssh

from tui.endings import WRONG_USAGE
from tui.serving.child_terminal import ChildTerminal
from tui.serving.limits import USUAL_SIZE, HeededEnvironment, Typing, colours, fitting, terminal_kind

NO_TERMINAL = "headsdown serve: this needs a terminal: ssh -t\r\n"
NO_ROOM = "headsdown serve: the server has no room for another terminal just now; try again in a moment\r\n"

TYPING_APART = 0.1
"""Seconds until more of what was typed too fast goes on."""

Start = Callable[[dict[str, str], tuple[int, int], "Visit"], ChildTerminal]


class Visit(asyncssh.SSHServerSession[bytes]):
    """Joins a channel to a program in a terminal. Neither side is read faster than the other takes it."""

    def __init__(self, start: Start, refused: Callable[[str], None]) -> None:
        """`start` starts the program with TERM and colours, the size, and this visit; `refused` is told what else
        was asked for."""
        self._start = start
        self._refused = refused
        self._said = HeededEnvironment()
        self._term = ""
        self._size = USUAL_SIZE
        self._program: ChildTerminal | None = None
        self._over: asyncio.Task[None] | None = None
        self._farewell = ""
        self._untyped = b""
        self._full = False
        self._slow = [False, False]
        loop = asyncio.get_running_loop()
        self._now = loop.time
        self._typing = Typing(self._now())
        self.used = self._now()

    @property
    def running(self) -> bool:
        return self._program is not None or self._over is not None

    # The client asks

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._chan = chan
        chan._env = self._said  # the library would keep whatever comes, and as much of it

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:
        self._term = terminal_kind(term_type)
        self._size = fitting(term_size[0], term_size[1])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = fitting(width, height)
        if self._program is not None:
            self._program.resize(self._size)

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._refused(f"to run {command}")
        return False

    def subsystem_requested(self, subsystem: str) -> bool:
        self._refused(f"the subsystem {subsystem}")
        return False

    def session_started(self) -> None:
        if not self._term:
            self._turn_away(NO_TERMINAL)
            return
        try:
            self._program = self._start({"TERM": self._term, **colours(self._said)}, self._size, self)
        except OSError:
            self._turn_away(NO_ROOM)
            return
        if any(self._slow):
            self._program.pause()
        self._over = asyncio.create_task(self._see_off(self._program))

    def _turn_away(self, why: str) -> None:
        self._chan.write_stderr(why.encode())
        self._chan.exit(WRONG_USAGE)

    # What goes to and fro

    def painted(self, output: bytes) -> None:
        """The program painted something."""
        self.used = self._now()
        try:
            self._chan.write(output)
        except OSError:  # the client has gone, and the program is about to hear of it
            return

    def data_received(self, data: bytes, datatype: object) -> None:
        self.used = self._now()
        self._untyped += data
        self._type_on()

    def _type_on(self) -> None:
        """Type as much as may be typed now; the rest, and whatever else comes, has to wait."""
        if self._program is None:
            self._untyped = b""
        if self._program is None or self._full:
            return
        count = self._typing.take(len(self._untyped), self._now())
        now, self._untyped = self._untyped[:count], self._untyped[count:]
        self._full = not self._program.type(now)
        if not self._full and not self._untyped:
            self._chan.resume_reading()
            return
        self._chan.pause_reading()
        if not self._full:
            asyncio.get_running_loop().call_later(TYPING_APART, self._type_on)

    def roomy(self) -> None:
        """The program has taken in what was typed."""
        self._full = False
        self._type_on()

    def pause_writing(self) -> None:
        self.line_slow(True, 0)

    def resume_writing(self) -> None:
        self.line_slow(False, 0)

    def line_slow(self, slow: bool, which: int = 1) -> None:
        """The channel (0) or the whole line (1) takes no more for now, or does again."""
        self._slow[which] = slow
        if self._program is None:
            return
        if any(self._slow):
            self._program.pause()
        else:
            self._program.resume()

    # The end

    def eof_received(self) -> bool:
        # Whoever closes their input can do nothing here any more.
        if self._program is not None:
            self._program.hang_up()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        if self._program is not None:
            self._program.hang_up()

    async def leave(self, why: str = "") -> None:
        """End the visit from here, and tell the client why. When this returns the program has ended."""
        self._farewell = why
        if self._program is not None:
            await self._program.end(asked=True)
        await self.over()

    async def over(self) -> None:
        """Wait until the program has ended and the client knows."""
        if self._over is not None:
            await asyncio.wait([self._over])

    async def _see_off(self, program: ChildTerminal) -> None:
        """Wait for the end of the program, whatever brings it about, and end the session with its status."""
        try:
            await program.silent.wait()
        finally:
            await program.end()
        status = program.status
        if self._chan.is_closing():
            return
        if self._farewell:
            self.painted(f"\r\n{self._farewell}\r\n".encode())
        if status < 0:
            self._chan.exit_with_signal(signal.Signals(-status).name.removeprefix("SIG"))
        else:
            self._chan.exit(status)
