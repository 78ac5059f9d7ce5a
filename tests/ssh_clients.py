"""People who come over SSH: OpenSSH's and asyncssh's clients with screens of their own, and servers to come to."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pyte

ROOT = Path(__file__).parent.parent
PATIENCE = 60.0
_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=?][0-9;]*\$?[a-z]|\x1b\][^\x07]*\x07")
_PRIVATE_MODES = re.compile(rb"\x1b\[\?[0-9;]*[hl]")


class Screen:
    """What somebody sees: a terminal that takes in what comes over the line."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        self._painted = 0
        self.changed = asyncio.Event()

    def feed(self, output: bytes) -> None:
        self.raw += output
        self.changed.set()

    @property
    def lines(self) -> list[str]:
        # A terminal in Python is slow: what nobody looks at is painted later.
        output, self._painted = self.raw[self._painted :], len(self.raw)
        known = _PRIVATE_MODES.sub(lambda mode: mode.group() if b"25" in mode.group() else b"", output)
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", known))
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def shows(self, words: str, patience: float = PATIENCE) -> None:
        """Wait until the words stand on the screen, or came and went."""
        deadline = time.monotonic() + patience
        while words.encode() not in self.raw and words not in self.text:
            self.changed.clear()
            left = deadline - time.monotonic()
            assert left > 0, f"never showed {words!r}:\n{self.text}"
            with suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), left)

    async def settles(self, quiet: float = 0.5) -> None:
        """Wait until nothing has come for so many seconds."""
        seen = -1
        while seen != len(self.raw):
            seen = len(self.raw)
            await asyncio.sleep(quiet)


class Key:
    """A throw-away key, in a file as OpenSSH wants it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / name
        self.key = asyncssh.generate_private_key("ssh-ed25519", comment=name)
        self.key.write_private_key(self.path)
        self.path.chmod(0o600)
        self.public = self.key.export_public_key().decode().strip()
        self.fingerprint = self.key.get_fingerprint()


def ssh_command(port: int, key: Key, *options: str, user: str = "guest") -> list[str]:
    """OpenSSH's client with nothing of this user's or machine's own configuration."""
    plain = {
        "BatchMode": "yes",
        "IdentitiesOnly": "yes",
        "IdentityAgent": "none",
        "StrictHostKeyChecking": "no",
        "UserKnownHostsFile": "/dev/null",
        "GlobalKnownHostsFile": "/dev/null",
        "LogLevel": "ERROR",
        "PreferredAuthentications": "publickey",
    }
    settings = [f"-o{name}={value}" for name, value in plain.items()]
    return ["ssh", "-F", "none", "-p", str(port), "-i", str(key.path), *settings, *options, f"{user}@127.0.0.1"]


def environment(**more: str) -> dict[str, str]:
    """An environment of a terminal of 256 colours and nothing else that matters here."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "LANG": "C.UTF-8", "TERM": "xterm-256color", **more}


class OpenSsh:
    """A program in a terminal of its own, by default OpenSSH's client."""

    def __init__(self, command: list[str], size: tuple[int, int] = (80, 24), **more: str) -> None:
        self.screen = Screen(*size)
        self._line, theirs = pty.openpty()
        self.resize(*size)
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**more),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        os.set_blocking(self._line, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._line, self._read)

    def _read(self) -> None:
        try:
            self.screen.feed(os.read(self._line, 65536))
        except BlockingIOError:
            return
        except OSError:
            self._loop.remove_reader(self._line)

    def stop_reading(self) -> None:
        self._loop.remove_reader(self._line)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._line, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    async def press(self, keys: str) -> None:
        os.write(self._line, keys.encode())

    async def status(self, patience: float = PATIENCE) -> int:
        """Wait until the client has ended; gives its exit status."""
        return await asyncio.wait_for(asyncio.to_thread(self.process.wait), patience)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._loop.remove_reader(self._line)
        os.close(self._line)


class _Session(asyncssh.SSHClientSession[bytes]):
    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def data_received(self, data: bytes, datatype: object) -> None:
        self._screen.feed(data)


class AsyncSsh:
    """asyncssh's client. Made by `AsyncSsh.come`."""

    def __init__(self, connection: Any, channel: Any, screen: Screen) -> None:
        self.connection = connection
        self.channel = channel
        self.screen = screen

    @classmethod
    async def come(cls, port: int, key: Key, size: tuple[int, int] = (80, 24), **options: Any) -> AsyncSsh:
        agent = {name: options.pop(name) for name in ("agent_path", "agent_forwarding") if name in options}
        connection = await connect(port, key, **agent)
        screen = Screen(*(size if max(size) <= 500 and min(size) > 0 else (80, 24)))
        asked: dict[str, Any] = {"term_type": "xterm-256color", "term_size": size, "encoding": None, **options}
        channel, _ = await connection.create_session(lambda: _Session(screen), **asked)
        return cls(connection, channel, screen)

    async def press(self, keys: str) -> None:
        self.channel.write(keys.encode())

    async def status(self, patience: float = PATIENCE) -> int | None:
        await asyncio.wait_for(self.channel.wait_closed(), patience)
        status = self.channel.get_exit_status()
        return None if status is None else int(status)

    def close(self) -> None:
        self.connection.abort()


async def connect(port: int, key: Key, **options: Any) -> Any:
    """A connection of asyncssh's without a session."""
    asked: dict[str, Any] = {"username": "guest", "known_hosts": None, "config": None, "agent_path": None, **options}
    return await asyncssh.connect("127.0.0.1", port, client_keys=[key.key], **asked)


class Serving:
    """`headsdown serve` as a process of its own."""

    def __init__(self, battle: Path, players: Path, *options: str, home: Path) -> None:
        self.log = home / "guests.log"
        self.log.unlink(missing_ok=True)
        command = [sys.executable, "-m", "tui.start", "serve", str(battle), "--listen", "127.0.0.1:0"]
        command += ["--players", str(players), "--log", str(self.log), *options]
        told = {**os.environ, "HEADSDOWN_HOME": str(home)}
        self.process = subprocess.Popen(command, cwd=ROOT, env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.port = int(self.wait_for(r"listening address=127\.0\.0\.1:(\d+)").group(1))

    def wait_for(self, pattern: str, patience: float = PATIENCE) -> re.Match[str]:
        """Wait until the log says something; gives the match."""
        deadline = time.monotonic() + patience
        while True:
            found = re.search(pattern, self.told)
            if found:
                return found
            if self.process.poll() is not None or time.monotonic() > deadline:
                assert self.process.stdout is not None
                said = self.process.stdout.read() if self.process.poll() is not None else b""
                raise AssertionError(f"the log never said {pattern}: {self.told} {said!r}")
            time.sleep(0.02)

    @property
    def told(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    @property
    def children(self) -> list[int]:
        """The processes that the server has started and that are still there."""
        return children_of(self.process.pid)

    async def childless(self, patience: float = 10.0) -> None:
        """Wait until none is left."""
        await becomes(lambda: not self.children, patience)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it; gives its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(30)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()


@contextmanager
def serving(battle: Path, players: Path, *options: str, home: Path) -> Iterator[Serving]:
    """A server that is ended afterwards, whatever happens."""
    server = Serving(battle, players, *options, home=home)
    try:
        yield server
    finally:
        server.stop()


def children_of(pid: int) -> list[int]:
    """The children of a process."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = each.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                found.append(int(each.parent.name))
    return found


def window_of(pid: int) -> tuple[int, int]:
    """The columns and lines of the terminal that a process has for its input."""
    terminal = os.open(f"/proc/{pid}/fd/0", os.O_RDONLY | os.O_NOCTTY)
    try:
        lines, columns, _, _ = struct.unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, b"\0" * 8))
    finally:
        os.close(terminal)
    return columns, lines


def resident(pid: int) -> int:
    """What a process holds of memory now, in KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


async def becomes(holds: Any, patience: float = PATIENCE) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, "it never came to that"
        await asyncio.sleep(0.02)
