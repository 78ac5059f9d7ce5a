"""A program in a pseudo-terminal of its own, as the server sees it: what it paints, what is typed into it, its end."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

AT_ONCE = 16 * 1024
"""The most bytes of a program's output that are read in one go."""

PATIENCE = 2.0
"""Seconds that a program has to end by itself, each time that it is told so more plainly."""

SIZES_APART = 0.05
"""Seconds between two changes of size: each paints the whole screen anew."""


class ChildTerminal:
    """One running program. Nothing of it is kept here: what cannot go on is left where it is until it can."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        size: tuple[int, int],
        painted: Callable[[bytes], None],
        roomy: Callable[[], None],
    ) -> None:
        """Start the program. `painted` is given its output, `roomy` is called when more can be typed again.

        Raises OSError where the system has no more terminals or processes.
        """
        self._loop = asyncio.get_running_loop()
        self._painted = painted
        self._roomy = roomy
        self._untyped = b""
        self._next_size: tuple[int, int] | None = None
        self._reading = False
        self._wanted = True
        self.silent = asyncio.Event()
        self._line, theirs = pty.openpty()
        try:
            os.set_blocking(self._line, False)
            self._set_size(size)
            self._process = subprocess.Popen(
                command,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=environment,
                start_new_session=True,
                preexec_fn=_take_the_terminal,
            )
        except BaseException:
            os.close(self._line)
            raise
        finally:
            os.close(theirs)
        self._heed()

    @property
    def pid(self) -> int:
        return self._process.pid

    # What it paints

    def pause(self) -> None:
        """Read nothing for now: the program waits when its terminal is full."""
        self._wanted = False
        self._heed()

    def resume(self) -> None:
        self._wanted = True
        self._heed()

    def _heed(self) -> None:
        """Read where there is somebody to read for."""
        wanted = self._wanted and self._line >= 0
        if wanted and not self._reading:
            self._loop.add_reader(self._line, self._read)
        elif self._reading and not wanted:
            self._loop.remove_reader(self._line)
        self._reading = wanted

    def _read(self) -> None:
        try:
            painted = os.read(self._line, AT_ONCE)
        except BlockingIOError:
            return
        except OSError:  # nobody has the other end open any more
            painted = b""
        if painted:
            self._painted(painted)
        else:
            self.pause()
            self.silent.set()

    # What is typed

    def type(self, keys: bytes) -> bool:
        """Type into the terminal; whether all could be, else nothing more is to come before `roomy` is called."""
        self._untyped += keys
        self._type_on()
        return not self._untyped

    def _type_on(self) -> None:
        had = bool(self._untyped)
        while self._untyped and self._line >= 0:
            try:
                self._untyped = self._untyped[os.write(self._line, self._untyped) :]
            except BlockingIOError:
                self._loop.add_writer(self._line, self._type_on_and_tell)
                return
            except OSError:
                self._untyped = b""
        if had and self._line >= 0:
            self._loop.remove_writer(self._line)

    def _type_on_and_tell(self) -> None:
        self._type_on()
        if not self._untyped:
            self._roomy()

    # Its size

    def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size; of many at once the last counts."""
        if self._next_size is None:
            self._loop.call_later(SIZES_APART, self._resize_now)
        self._next_size = size

    def _resize_now(self) -> None:
        size, self._next_size = self._next_size, None
        if size is not None and self._line >= 0:
            with suppress(OSError):
                self._set_size(size)

    def _set_size(self, size: tuple[int, int]) -> None:
        columns, lines = size
        fcntl.ioctl(self._line, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    # Its end

    @property
    def status(self) -> int:
        """The exit status of a program that has ended, negative for a signal."""
        return self._process.returncode or 0

    async def end(self, *, asked: bool = False) -> None:
        """See the program off. With `asked` it is asked to end first, so that it can give the terminal back as it was.

        Its terminal is taken away where it does not end in a while, and it is killed after another. When this returns,
        or is cancelled, there is nothing left of it.
        """
        try:
            if asked and self._process.poll() is None:
                self._process.terminate()
            if asked or self.silent.is_set():
                await self._within(PATIENCE)
            self.hang_up()
            await self._within(PATIENCE)
        finally:
            self.hang_up()
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    async def _within(self, seconds: float) -> None:
        deadline = self._loop.time() + seconds
        while self._process.poll() is None and self._loop.time() < deadline:
            await asyncio.sleep(0.02)

    def hang_up(self) -> None:
        """Take the terminal away, as a dropped line does."""
        if self._line < 0:
            return
        self.pause()
        self._loop.remove_writer(self._line)
        os.close(self._line)
        self._line = -1
        self.silent.set()


def _take_the_terminal() -> None:
    """In the child, before the program: standard input controls it, so that Ctrl-C and hanging up reach it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
