"""The secrets of sealed dice: a file of their own beside the battle's, that only its owner may read."""

from __future__ import annotations

import os
from pathlib import Path

from saves.faults import Unreadable
from saves.journal import unreadable

ENDING = ".secret"


def secret_file(path: Path) -> Path:
    """Where the secrets of the battle in `path` are kept."""
    return path.with_name(path.name + ENDING)


def kept_secrets(path: Path) -> tuple[bytes, ...]:
    """The secrets (32 bytes each) of the battle in `path` that can be read here; none where there is no such file."""
    try:
        lines = secret_file(path).read_text("ascii").split()
        return tuple(bytes.fromhex(line) for line in lines if len(line) == 64)
    except (OSError, ValueError):
        return ()


def keep_secret(path: Path, secret: bytes, *, first: bool = False) -> None:
    """Add a secret to those of the battle in `path`, durably, for its owner's eyes alone.

    The `first` one makes the file. Raises Unreadable where that is there already, or cannot be written.
    """
    kept = secret_file(path)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_EXCL if first else 0)
    try:
        fd = os.open(kept, flags, 0o600)
    except FileExistsError:
        raise Unreadable(f"{kept} is there already, with the secrets of another battle; move it away") from None
    except OSError as error:
        raise unreadable(kept, error, "write") from None
    try:
        os.fchmod(fd, 0o600)
        os.write(fd, secret.hex().encode() + b"\n")
        os.fsync(fd)
    except OSError as error:
        raise unreadable(kept, error, "write") from None
    finally:
        os.close(fd)
