"""A battle kept in a journal: one file of lines that only grows. This is the store behind a battle.

Every append takes the lock of the file (flock), makes sure that nothing has changed, writes one line with one
call and has it safe on disk before it comes back. After any failed write the journal is dead and must be opened
again: once a flush has failed, a second one that succeeds proves nothing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from engine.entries import Header, RecoveredEntry
from saves.chain import LONGEST, SEAL, sealed
from saves.faults import AlreadyThere, Busy, Damaged, Fault, NotABattle, Unreadable
from saves.holder import Note, close, holder_words
from saves.records import record_of
from saves.scan import condition_of, sound_lines
from saves.store import AMBIGUOUS, DAMAGED, START, TORN, Moved, Place, Reading, Withdrawn

LOCK_SECONDS = 2.0
"""How long an append waits for others before it gives up."""

PAUSE_SECONDS = 0.01
"""How long to wait before looking again whether somebody else has finished."""

PIECE = 1 << 20
"""How many bytes of a long file are read at a time."""

MOST_REST = 1 << 24
"""How many bytes behind the last sound line are looked at."""

LOOKS = 25
"""Every so many looks for news the path is followed again, to see whether another file stands there now."""

LONGEST_STEM = 200
"""How many bytes of a file's name go into that of what is set aside; names have at most 255."""

_LINK_UNKNOWN = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EACCES}


def unreadable(path: Path, error: OSError | ValueError, doing: str = "read") -> Fault:
    """The fault that an error of the operating system on `path` stands for."""
    if isinstance(error, FileNotFoundError):
        return Unreadable(f"{path} is not there; headsdown list shows the battles there are")
    if isinstance(error, IsADirectoryError):
        return Unreadable(f"{path} is a folder; name a battle in it (headsdown list shows them)")
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return Unreadable(f"{path} is a link; name the file itself to write to it")
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Unreadable(f"{path} cannot be {'read' if doing == 'read' else 'written'}: {why}")


class Journal:
    """The file of one battle, for reading or for both. Holds one descriptor from `read` on, no lock between appends.

    For writing the path must not be a link: that what it points to is replaced would go unnoticed. It is for one
    thread; a process that was forked off gets a descriptor, and with it a lock, of its own.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._dead = False
        self._fd = -1
        self._owner = os.getpid()
        self._note: Note | None = None
        self._looks = 0

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        if self._note:
            self._note.close()
            self._note = None
        if self._fd >= 0:
            close(self._fd)
            self._fd = -1

    def create(self, header: Header) -> None:
        """Make the file, with that header and no entries; see `create_file`."""
        create_file(self.path, sealed(record_of(header), START.mark)[0])

    # Reading

    def read(self) -> Reading:
        """All of the file, opened anew where the path leads to another one now. Raises NotABattle or Unreadable.

        Of a file whose first line is not sound, no more than a line's length is looked at.
        """
        try:
            if self._fd < 0 or self._replaced():
                fd = opened(self.path, self.read_only)
                self.close()
                self._fd = fd
            reading = self._scanned()
            if reading.lines and reading.condition in (TORN, AMBIGUOUS):
                # Somebody may just be writing that line; what a crash left is still there in a moment.
                time.sleep(PAUSE_SECONDS)
                reading = self._scanned()
        except OSError as error:
            raise unreadable(self.path, error) from None
        return reading

    def content(self, most: int) -> tuple[bytes, bool]:
        """The bytes of the file, `most` at most, and whether these are all."""
        try:
            self._fd = opened(self.path, self.read_only)
            size = os.fstat(self._fd).st_size
            return self._bytes(0, min(size, most)), size <= most
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _scanned(self, start: Place = START) -> Reading:
        """What stands behind `start`, read piece by piece, so that what is no battle is not read whole."""
        size = os.fstat(self._fd).st_size
        lines: list[bytes] = []
        place, rest, at = start, b"", start.offset
        wanted = LONGEST + 1
        while at < size:
            rest += self._bytes(at, min(wanted, size - at))
            at = min(at + wanted, size)
            sound, place, end = sound_lines(rest, place, to_the_end=at == size)
            lines += sound
            rest = rest[end:]
            if not lines or b"\n" in rest or len(rest) > LONGEST:
                break
            wanted = PIECE
        if lines and at < size:
            more = min(MOST_REST, size - at)
            rest += self._bytes(at, more)
            at += more
        return Reading(tuple(lines), place, condition_of(rest, place.mark, more=at < size), rest)

    def follow(self, after: Place) -> Reading | None:
        """What others appended behind `after`, None where nothing did: one fstat then.

        Half a line is no news; somebody may just be writing it. Raises Withdrawn where the file was replaced, is
        shorter now, or has something else before `after`.
        """
        try:
            now = os.fstat(self._fd)
            if now.st_nlink == 0 or now.st_size < after.offset - 1:
                raise Withdrawn
            if now.st_size <= after.offset:
                self._look_at_the_path()
                return None
            self._check_mark(after)
            return self._scanned(after)
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _look_at_the_path(self) -> None:
        """Now and then, raise Withdrawn where the path leads to another file: the one that is open may live on."""
        self._looks = (self._looks + 1) % LOOKS
        if not self._looks and self._replaced():
            raise Withdrawn

    def _bytes(self, start: int, count: int) -> bytes:
        parts: list[bytes] = []
        while count > 0:
            part = os.pread(self._fd, count, start)
            if not part:
                break
            parts.append(part)
            start, count = start + len(part), count - len(part)
        return b"".join(parts)

    def _check_mark(self, after: Place) -> None:
        """Raise Withdrawn unless the line before `after` still ends in its hash."""
        end = after.offset - 1
        if self._bytes(end - SEAL, SEAL)[-34:-2] != after.mark.hex().encode():
            raise Withdrawn

    def _replaced(self) -> bool:
        """Whether the path leads to another file now than the one that is open."""
        there, ours = os.stat(self.path), os.fstat(self._fd)
        return (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino)

    # Writing

    def append(self, record: bytes, after: Place, by: str = "") -> Place:
        """Add `record` behind `after`, durably; gives the place after it. Those who wait meanwhile are told of `by`.

        Raises Moved where others have appended, or where the torn end that a crash left behind was just set aside;
        Withdrawn where the file is another one; Busy where the lock does not come free within LOCK_SECONDS;
        Damaged where the end is not sound; Unreadable where writing fails.
        """
        self._check_writable()
        if len(record) + SEAL > LONGEST:
            raise Fault(f"{self.path}: this entry is too large to be kept ({len(record)} bytes)")
        with self._lock(by):
            self._check_nothing_behind(after)
            return self._write_line(record, after)

    def _check_writable(self) -> None:
        if self.read_only:
            raise Unreadable(f"{self.path} was opened for reading only")
        if self._dead:
            raise Unreadable(f"{self.path}: writing failed before; open the battle again")
        if self._owner != os.getpid():
            # What a fork shares is the lock, too: both would have it at once.
            fd = opened(self.path, self.read_only)
            close(self._fd)
            self._fd, self._owner, self._note = fd, os.getpid(), None

    @contextmanager
    def _lock(self, by: str) -> Iterator[None]:
        deadline = time.monotonic() + LOCK_SECONDS
        while not self._locked():
            if time.monotonic() >= deadline:
                who = holder_words(self.path, self._fd)
                raise Busy(f"{self.path} is being written by {who}; try again in a moment")
            time.sleep(PAUSE_SECONDS)
        self._note = self._note or Note(self.path, self._fd)
        self._note.put(by)
        try:
            yield
        finally:
            self._note.clear()
            with suppress(OSError):
                fcntl.flock(self._fd, fcntl.LOCK_UN)

    def _locked(self) -> bool:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise unreadable(self.path, error, "write") from None
        return True

    def _check_nothing_behind(self, after: Place) -> None:
        try:
            if self._replaced():
                raise Withdrawn
            size = os.fstat(self._fd).st_size
            if size < after.offset - 1:
                raise Withdrawn
            self._check_mark(after)
        except OSError as error:
            raise unreadable(self.path, error, "write") from None
        if size == after.offset - 1:
            self._write(b"\n", size)
        elif size > after.offset:
            raise Moved(self._mended(self._behind(after)))

    def _behind(self, after: Place) -> Reading:
        try:
            return self._scanned(after)
        except OSError as error:
            raise unreadable(self.path, error, "write") from None

    def _mended(self, reading: Reading) -> str:
        """With the lock held nobody is writing: half a line is what a crash left. Keep a copy and cut it off.

        Says what was done, nothing where there was no need.
        """
        if reading.condition in (AMBIGUOUS, DAMAGED):
            raise Damaged(f"{self.path}: the entry after {reading.place.number} is damaged", "damaged")
        if reading.condition != TORN:
            return ""
        copy = self._copied(reading)
        try:
            os.ftruncate(self._fd, reading.place.offset)
        except OSError as error:
            self._dead = True
            with suppress(OSError):
                os.unlink(copy)  # the file itself still has it
            raise unreadable(self.path, error, "write") from None
        try:
            os.fsync(self._fd)
        except OSError as error:
            self._dead = True
            raise unreadable(self.path, error, "write") from None
        note = RecoveredEntry(
            n=reading.place.number + 1,
            by="",
            t=time.time_ns() // 1_000_000,
            status=TORN,
            bytes=len(reading.rest),
            sha256=sha256(reading.rest).hexdigest(),
        )
        self._write_line(record_of(note), reading.place)
        return f"{self.path} ended in half a line, as a crash leaves it; that was set aside in {copy}"

    def _copied(self, reading: Reading) -> Path:
        """A durable copy of the torn end, whole or none. It is named by its content, so it may be there already."""
        stem = os.fsdecode(os.fsencode(self.path.name)[:LONGEST_STEM])
        copy = self.path.with_name(f"{stem}.torn-{reading.place.offset}-{sha256(reading.rest).hexdigest()[:8]}")
        try:
            create_file(copy, reading.rest)
        except AlreadyThere:
            if not _holds(copy, reading.rest):
                told = f"{self.path} ends in half a line, and {copy} is in the way of setting that aside"
                raise Unreadable(told) from None
        return copy

    def _write_line(self, record: bytes, after: Place) -> Place:
        line, mark = sealed(record, after.mark)
        self._write(line, after.offset)
        return Place(after.number + 1, mark, after.offset + len(line))

    def _write(self, data: bytes, size: int) -> None:
        """One write and one flush. `size` is that of the file before, to which it is cut back when that fails."""
        try:
            written = os.write(self._fd, data)
            if written < len(data):
                raise OSError(errno.ENOSPC, "the disk is full")
            _flush(self._fd)
        except OSError as error:
            self._dead = True
            with suppress(OSError):
                os.ftruncate(self._fd, size)
            raise unreadable(self.path, error, "write") from None
        except BaseException:
            self._dead = True
            raise


MOST_CONTENT = 1 << 30
"""How many bytes `file_content` gives at most."""


def file_content(path: Path) -> tuple[bytes, bool]:
    """The bytes of a file, and whether these are all; raises NotABattle or Unreadable as opening a battle does."""
    journal = Journal(path, read_only=True)
    try:
        return journal.content(MOST_CONTENT)
    finally:
        journal.close()


def opened(path: Path, read_only: bool) -> int:
    """A descriptor of a battle's file; raises NotABattle for what is no plain file, Unreadable where it cannot be."""
    # Without O_NONBLOCK, opening a pipe would wait for its other end.
    flags = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    flags |= os.O_RDONLY if read_only else os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW
    try:
        fd = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise unreadable(path, error, "read" if read_only else "write") from None
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    close(fd)
    if stat.S_ISDIR(mode):
        raise unreadable(path, IsADirectoryError())
    raise NotABattle(f"{path} is a pipe or a device, not a battle")


def _holds(path: Path, content: bytes) -> bool:
    """Whether a file is a plain one with that content."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            return stat.S_ISREG(os.fstat(fd).st_mode) and os.pread(fd, len(content) + 1, 0) == content
        finally:
            close(fd)
    except OSError:
        return False


def _flush(fd: int) -> None:
    if sys.platform == "darwin":
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(fd)


def flush_folder(folder: Path) -> None:
    """Have the names in a folder safe on disk; raises OSError."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except PermissionError:
        return  # one may write into such a folder but not read it, so it cannot be flushed: the file itself is
    try:
        os.fsync(fd)
    finally:
        close(fd)


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def create_file(path: Path, content: bytes) -> None:
    """A new file with that content, safe on disk, whole or not at all.

    Raises AlreadyThere where there is one, which is left as it is, and Unreadable where writing fails.
    """
    if not path.name:
        raise AlreadyThere(f"{path} is a folder; name a file in it")
    draft = path.with_name(f".headsdown-{os.urandom(6).hex()}.new")
    try:
        if os.path.lexists(path):
            raise FileExistsError
        try:
            _write_draft(draft, content)
            _publish(draft, path)
        finally:
            with suppress(OSError):
                os.unlink(draft)
        try:
            flush_folder(path.parent)
        except OSError:
            with suppress(OSError):
                os.unlink(path)
            raise
    except FileExistsError:
        raise AlreadyThere(f"{path} exists already; choose another name") from None
    except FileNotFoundError:
        raise Unreadable(f"{path} cannot be created: there is no folder {path.parent}") from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error, "write") from None


def _write_draft(draft: Path, content: bytes) -> None:
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        _write_all(fd, content)
        os.fsync(fd)
    finally:
        close(fd)


def _publish(draft: Path, path: Path) -> None:
    """Give the draft its name, which nobody may have. Some file systems know no links: reserve the name first."""
    try:
        os.link(draft, path)
    except OSError as error:
        if error.errno not in _LINK_UNKNOWN:
            raise
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
        try:
            os.replace(draft, path)
        except OSError:
            os.unlink(path)
            raise
