"""Who has a battle open just now, told to the others who have.

Each process puts a file of its own into a folder that all on this machine share, and holds a lock on it while it is
there; the system lets go of the lock however the process ends. A file that nobody holds any more tells nothing and is
taken away by the next who looks. Nothing hangs on all this: the battle's own file and lock are never touched, and where
the folder cannot be used there is just nobody told of.
"""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from saves.battle import now
from saves.holder import close

FOLDER = Path("/tmp/headsdown-here")
"""The folder that all on this machine share, whatever their own settings; everybody may take away only their own."""

_ROOM = 1024
"""The most bytes that one file may have."""

_MOST = 500
"""The most files that are looked at."""

_ATTEMPTS = 3

Name = Annotated[str, Meta(max_length=200)]


class Here(Struct, frozen=True):
    """Somebody who has the battle open: the name that orders are given under (may be empty), seat, since when (ms)."""

    name: Name
    seat: Name
    since: Annotated[int, Meta(ge=0, le=10**14)]
    pid: int = 0


def _place(battle: Path) -> str | None:
    """How files about a battle begin: by the file itself, whatever name it was opened under."""
    try:
        found = battle.stat()
    except OSError:
        return None
    return f"{found.st_dev:x}-{found.st_ino:x}-"


class Presence:
    """Somebody's being there, from `enter` to `leave`. Whatever the system refuses is passed over."""

    def __init__(self, battle: Path, name: str, seat: str) -> None:
        self._battle = battle
        self._here = Here(name[:200], seat[:200], now(), os.getpid())
        self._fd = -1
        self._path: Path | None = None

    def enter(self) -> None:
        """Tell the others that somebody is here."""
        place = _place(self._battle)
        if place is None or self._fd >= 0:
            return
        with suppress(OSError):
            _make_folder()
            _sweep()
            for attempt in range(_ATTEMPTS):
                if self._put(FOLDER / f"{place}{os.getpid()}-{id(self):x}-{attempt}"):
                    return

    def _put(self, path: Path) -> bool:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        fd = os.open(path, flags, 0o644)
        try:
            # Between the two somebody who looks may have taken the file for one that was left behind.
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(fd, msgspec.json.encode(self._here))
            if os.fstat(fd).st_nlink:
                self._fd, self._path = fd, path
                return True
        except OSError:
            with suppress(OSError):
                path.unlink()
        close(fd)
        return False

    def leave(self) -> None:
        """Tell the others that nobody is here any more; may be called twice."""
        if self._fd < 0 or self._path is None:
            return
        with suppress(OSError):
            self._path.unlink()
        close(self._fd)
        self._fd = -1


def _make_folder() -> None:
    with suppress(FileExistsError):
        FOLDER.mkdir()
        FOLDER.chmod(0o1777)
    if not stat.S_ISDIR(FOLDER.lstat().st_mode):
        raise NotADirectoryError(FOLDER)


def _sweep() -> None:
    """Take away what was left behind about whatever battle by those who were killed."""
    for name in os.listdir(FOLDER)[:_MOST]:
        _held(FOLDER / name)


def who_is_there(battle: Path) -> tuple[Here, ...]:
    """All that have the battle open, who came first before the others. Takes no lock that anybody waits for."""
    place = _place(battle)
    if place is None:
        return ()
    try:
        names = sorted(name for name in os.listdir(FOLDER) if name.startswith(place))
    except OSError:
        return ()
    there = [here for name in names[:_MOST] if (here := _held(FOLDER / name)) is not None]
    return tuple(sorted(there, key=lambda here: (here.since, here.name, here.seat, here.pid)))


def _held(path: Path) -> Here | None:
    """What a file tells, None where nobody holds it; such a file is taken away."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return msgspec.json.decode(os.pread(fd, _ROOM, 0), type=Here)
        path.unlink()
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        close(fd)
    return None
