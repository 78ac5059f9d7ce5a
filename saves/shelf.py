"""What was found out about the battles of a large folder, kept so that listing it again reads the ends of each only.

The shelf stands in the library and may be thrown away at any time. Whatever does not fit a file as it is now (place,
size, time, first and last bytes) is found out anew, and so is everything where the shelf makes no sense.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine import __version__

FILE = ".shelf.json"

FEW = 50
"""Of a folder with fewer battles nothing is kept."""

FIRST_BYTES = 512
LAST_BYTES = 4096
"""What is looked at again of each file: most last lines, and the beginning of the header."""


class Kept(Struct, frozen=True):
    """What was found out about a file, and how that file looked then (see `look`)."""

    look: str
    found: Any


class Content(Struct, frozen=True):
    """The file of the shelf: who wrote it, and what is known by the path of each battle."""

    version: str
    battles: dict[str, Kept]


def look(path: Path) -> str:
    """How a file looks from outside and at both ends; empty where it cannot be read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return ""
    try:
        stat = os.fstat(fd)
        ends = os.pread(fd, FIRST_BYTES, 0) + os.pread(fd, LAST_BYTES, max(0, stat.st_size - LAST_BYTES))
    except OSError:
        return ""
    finally:
        os.close(fd)
    return f"{stat.st_dev}:{stat.st_ino}:{stat.st_size}:{stat.st_mtime_ns}:{sha256(ends).hexdigest()[:32]}"


def read(folder: Path) -> dict[str, Kept]:
    """What the shelf in `folder` knows, by the path of the battle; nothing where there is none of this version."""
    try:
        content = msgspec.json.decode((folder / FILE).read_bytes(), type=Content)
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return {}
    return content.battles if content.version == __version__ else {}


def write(folder: Path, battles: dict[str, Kept]) -> None:
    """Put a shelf into `folder` if that is there; whatever the system refuses is passed over."""
    draft = folder / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        draft.write_bytes(msgspec.json.encode(Content(__version__, battles)))
        os.replace(draft, folder / FILE)
    with suppress(OSError):
        os.unlink(draft)
