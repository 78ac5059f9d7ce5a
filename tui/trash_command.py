"""`headsdown trash`: what lies in the library's trash, a battle more in it, and a battle taken back."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from saves.faults import Unreadable
from saves.library import SUFFIX, Shelved, battles, default_folder, found
from saves.moving import TRASH, taken_back, thrown_away, trash_of


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
    """Move a battle out of a trash: a file there, or its name in the library's trash or that of the folder one is in.

    Raises as `throw_away`.
    """
    trashes = (trash_of(default_folder()), trash_of(Path()))
    named = [trash / (name + suffix) for trash in trashes for suffix in ("", SUFFIX)]
    places = (Path(name), *named) if Path(name).parent.name == TRASH else (*named, Path(name))
    path = next((place for place in places if os.path.lexists(place)), None)
    if path is None:
        raise Unreadable(f"there is no battle {name} in the trash; headsdown trash lists what is there")
    path = Path(os.path.abspath(path))
    return Moved(str(path), str(taken_back(path)))
