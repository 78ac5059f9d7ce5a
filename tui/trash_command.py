"""`headsdown trash`: what lies in the library's trash, a battle more in it, and a battle taken back."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from saves.faults import Unreadable
from saves.library import SUFFIX, Shelved, battles, default_folder, found
from saves.moving import taken_back, thrown_away, trash_of


class Moved(Struct, frozen=True):
    """A battle's file, and where it lies now."""

    file: str
    moved_to: str


def in_trash() -> tuple[Shelved, ...]:
    """The battles in the library's trash. Raises Unreadable."""
    trash = trash_of(default_folder())
    return battles(trash) if trash.exists() else ()


def throw_away(name: str) -> Moved:
    """Move a battle into the trash of its folder. Raises Unreadable and Busy."""
    path = Path(os.path.abspath(found(name)))
    return Moved(str(path), str(thrown_away(path)))


def take_back(name: str) -> Moved:
    """Move a battle out of a trash: a file there, or a name as `headsdown trash` prints it. Raises as `throw_away`."""
    trash = trash_of(default_folder())
    places = (Path(name), *(trash / (name + suffix) for suffix in ("", SUFFIX)))
    path = next((place for place in places if os.path.lexists(place)), None)
    if path is None:
        raise Unreadable(f"there is no battle {name} in the trash; headsdown trash lists what is there")
    path = Path(os.path.abspath(path))
    return Moved(str(path), str(taken_back(path)))
