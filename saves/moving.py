"""Battles that change places: another name, into the trash and out of it. Nothing is overwritten on the way.

Whoever has a battle open would not find it again, so one that somebody has open stays where it is.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.wording import clean
from saves.faults import AlreadyThere, Busy, Unreadable
from saves.holder import holder_words, note_path
from saves.journal import LONGEST_STEM, flush_folder, opened, unreadable
from saves.library import SUFFIX, free_names, make_folder, plain_name
from saves.secrets_kept import keep_secret, kept_secrets, secret_file

TRASH = "trash"
"""The folder of a library in which battles lie that were thrown away."""

LONGEST_NAME = 100
"""Characters of a battle's name."""


def trash_of(folder: Path) -> Path:
    """The trash of a folder of battles."""
    return folder / TRASH


def renamed(path: Path, name: str) -> Path:
    """Give a battle's file another name, without the suffix; gives its new path.

    Raises Unreadable for what is no name or cannot be written, AlreadyThere where another battle has it, Busy where
    somebody has the battle open. What the battle itself is called, in its header, never changes.
    """
    there = path.with_name(file_named(name))
    if there.name == path.name:
        return path
    _move(path, there)
    return there


def file_named(name: str) -> str:
    """The name of the file of a battle that is to be called `name`; raises Unreadable for what is no name."""
    shown = clean(name).strip().removesuffix(SUFFIX).strip()
    if not shown:
        raise Unreadable("a battle needs a name")
    if len(shown) > LONGEST_NAME or len(os.fsencode(shown)) > LONGEST_STEM:
        raise Unreadable(f"the name is too long: {LONGEST_NAME} characters at most")
    if "/" in shown or shown.startswith("."):
        raise Unreadable(f"{shown} cannot be a file's name: no / in it, and no dot at its beginning")
    return shown + SUFFIX


def thrown_away(path: Path) -> Path:
    """Move a battle into the trash of its folder; gives where it lies now. Raises Unreadable and Busy."""
    trash = trash_of(path.parent)
    make_folder(trash)
    return _moved_into(path, trash)


def taken_back(path: Path) -> Path:
    """Move a battle out of the trash, under a name that is free; gives where it is now. Raises Unreadable and Busy."""
    if path.parent.name != TRASH:
        raise Unreadable(f"{path} is not in the trash")
    return _moved_into(path, path.parent.parent)


def removed_for_good(path: Path) -> None:
    """Remove a battle that lies in the trash. Nothing brings it back: ask before.

    Raises Unreadable for a file that is not in a trash or cannot be removed, and Busy.
    """
    if path.parent.name != TRASH:
        raise Unreadable(f"{path} is not in the trash: only what lies there is removed for good")
    with _nobody_at(path):
        try:
            os.unlink(path)
            secret_file(path).unlink(missing_ok=True)
            flush_folder(path.parent)
        except OSError as error:
            raise unreadable(path, error, "write") from None


def _moved_into(path: Path, folder: Path) -> Path:
    """Move a file into a folder; where its name is taken there it gets a number."""
    for there in free_names(folder, plain_name(path)):
        try:
            _move(path, there)
        except AlreadyThere:
            continue
        return there
    raise AssertionError("names do not end")


def _move(path: Path, there: Path) -> None:
    with _nobody_at(path):
        try:
            with _secrets_along(path, there):
                _link_and_unlink(path, there)
        except FileExistsError:
            raise AlreadyThere(f"there is a battle {plain_name(there)} already; choose another name") from None
        except OSError as error:
            raise unreadable(path, error, "write") from None
        for folder in {path.parent, there.parent}:
            with suppress(OSError):
                flush_folder(folder)


@contextmanager
def _secrets_along(path: Path, there: Path) -> Iterator[None]:
    """Take the secrets of sealed dice along, which lie beside the battle; without them nobody can roll or check.

    They are in both places until the battle is in the other, so that it is never without them.
    """
    secrets = kept_secrets(path)
    if secrets and (os.path.lexists(there) or os.path.lexists(secret_file(there))):
        raise FileExistsError
    for secret in secrets:
        keep_secret(there, secret)
    try:
        yield
    except BaseException:
        if secrets:
            secret_file(there).unlink(missing_ok=True)
        raise
    if secrets:
        secret_file(path).unlink(missing_ok=True)


def _link_and_unlink(path: Path, there: Path) -> None:
    """Move so that nothing is overwritten, also where somebody takes the new name at the same moment."""
    try:
        os.link(path, there, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError as error:
        if isinstance(error, FileNotFoundError) or error.errno in (errno.EXDEV, errno.EROFS, errno.ENOSPC):
            raise
        # Some file systems know no links, and some systems none to files of others.
        if os.path.lexists(there):
            raise FileExistsError from None
        os.rename(path, there)
        return
    try:
        os.unlink(path)
    except OSError:
        with suppress(OSError):
            os.unlink(there)
        raise


@contextmanager
def _nobody_at(path: Path) -> Iterator[None]:
    """Raise Busy where somebody has the battle open or is writing it; keep writers out meanwhile."""
    fd = opened(path, read_only=True)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"{path} is being written by {holder_words(path, fd)}; try again in a moment") from None
        except OSError:
            pass  # no locks here: then nobody has one
        if _open_elsewhere(path, fd):
            raise Busy(f"{path} is open elsewhere; leave it there first")
        yield
        with suppress(OSError):
            os.unlink(note_path(path))
    finally:
        os.close(fd)


def _open_elsewhere(path: Path, fd: int) -> bool:
    """Whether another descriptor of that file is open on this machine; False where that cannot be told.

    Linux grants a lease for writing only where nobody else has the file open.
    """
    lease = getattr(fcntl, "F_SETLEASE", None)
    if lease is None:
        return False
    try:
        fcntl.fcntl(fd, lease, fcntl.F_WRLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    with suppress(OSError):
        fcntl.fcntl(fd, lease, fcntl.F_UNLCK)
    return False
