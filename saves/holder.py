"""Who is writing a battle just now, told to those who wait for their turn in vain.

A writer that holds the lock puts its name into a note beside the battle and takes it out before it lets go. Nothing
hangs on the note: the lock is that of the battle's own file, the note is never flushed, and where it cannot be
written or makes no sense there is just less to tell.
"""

from __future__ import annotations

import os
import socket
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

_ROOM = 512
"""Bytes of a note. It is overwritten in place, so that no append makes the file system move blocks about."""

_BLANK = b" " * (_ROOM - 1) + b"\n"


class Holder(Struct, frozen=True):
    """Who holds the lock: process, host, the name that orders are given under if any, and since when (ms)."""

    pid: int
    host: Annotated[str, Meta(max_length=100)]
    by: Annotated[str, Meta(max_length=100)]
    since: Annotated[int, Meta(ge=0, le=10**14)]


def close(fd: int) -> None:
    """Let go of a descriptor. What is safe was flushed before; what else closing may say is of no use to anybody."""
    with suppress(OSError):
        os.close(fd)


def note_path(battle: Path) -> Path:
    """Where the note of a battle stands: a hidden file beside it, there while somebody has it open for writing."""
    return battle.with_name(f".{battle.name}.writing")


class Note:
    """The note of one battle, as one writer uses it. Whatever the system refuses is passed over."""

    def __init__(self, battle: Path, battle_fd: int) -> None:
        self._path = note_path(battle)
        self._battle = os.fstat(battle_fd)
        self._fd = -1

    def put(self, by: str) -> None:
        """Say that this process holds the lock now, for `by`."""
        with suppress(OSError, ValueError):
            if self._fd < 0 or os.fstat(self._fd).st_nlink == 0:
                self._open()
            holder = Holder(os.getpid(), socket.gethostname()[:100], by[:100], time.time_ns() // 1_000_000)
            os.pwrite(self._fd, msgspec.json.encode(holder)[: _ROOM - 1].ljust(_ROOM - 1) + b"\n", 0)

    def clear(self) -> None:
        """Say that nobody does."""
        if self._fd >= 0:
            with suppress(OSError):
                os.pwrite(self._fd, _BLANK, 0)

    def close(self) -> None:
        """Take the note away, unless somebody else is writing just now."""
        if self._fd < 0:
            return
        with suppress(OSError):
            if not os.pread(self._fd, _ROOM, 0).strip():
                os.unlink(self._path)
        close(self._fd)
        self._fd = -1

    def _open(self) -> None:
        if self._fd >= 0:
            close(self._fd)
            self._fd = -1
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        fd = os.open(self._path, flags, stat.S_IMODE(self._battle.st_mode) & 0o666)
        found = os.fstat(fd)
        # Something else of that name, above all a second name of some battle, is not to be written over.
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1 or found.st_size not in (0, _ROOM):
            close(fd)
            raise OSError("no note")
        self._fd = fd


def holder_words(battle: Path, battle_fd: int) -> str:
    """Who holds the lock of a battle, in a few words: `somebody else` where that cannot be found out."""
    owner = _lock_owner(battle_fd)
    noted = _noted(note_path(battle))
    if noted and (noted.host != socket.gethostname() or owner == noted.pid or (owner is None and _alive(noted.pid))):
        named = f"{noted.by} (process {noted.pid}" if noted.by else f"somebody else (process {noted.pid}"
        return f"{named} on {noted.host}, since {_clock(noted.since)})"
    if owner is not None:
        return f"somebody else (process {owner}{_program(owner)} on {socket.gethostname()})"
    return "somebody else"


def _noted(path: Path) -> Holder | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            return msgspec.json.decode(os.pread(fd, _ROOM, 0), type=Holder)
        finally:
            close(fd)
    except (OSError, ValueError, RecursionError):
        return None


def _lock_owner(fd: int) -> int | None:
    """The process that holds the lock of an open file, where the system tells (Linux does)."""
    try:
        found = os.fstat(fd)
        locked = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1:2] == ["FLOCK"] and words[5:6] == [locked]:
                return int(words[4]) if int(words[4]) > 0 else None
    except (OSError, ValueError):
        return None
    return None


def _program(pid: int) -> str:
    try:
        return f", {Path(f'/proc/{pid}/comm').read_text(errors='replace').strip()}"
    except OSError:
        return ""


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _clock(since: int) -> str:
    then = time.localtime(since / 1000)
    today = time.strftime("%Y-%m-%d", then) == time.strftime("%Y-%m-%d")
    return time.strftime("%H:%M:%S" if today else "%Y-%m-%d %H:%M:%S", then)
