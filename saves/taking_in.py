"""Battles from elsewhere: a save file is checked first, then copied into the library. The file itself is only read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from saves.faults import Damaged, Unreadable
from saves.journal import file_content
from saves.library import SUFFIX, added, default_folder, make_folder, plain_name
from saves.repairing import Repair, saved_of
from saves.verifying import verify


class Checked(Struct, frozen=True):
    """A save file that was looked at. `trouble` says what is wrong with it, empty where it is sound.

    `readable` tells whether it opens at all, as far as it is sound; `there` is the same battle in the library.
    """

    path: Path
    content: bytes
    trouble: str
    readable: bool
    there: Path | None


def typed_path(text: str) -> Path:
    """The file that somebody typed: `~` is their home, and quotes around it, as some terminals paste, do not count."""
    shown = text.strip()
    if len(shown) > 1 and shown[0] == shown[-1] and shown[0] in "'\"":
        shown = shown[1:-1]
    if not shown:
        raise Unreadable("type the path of a save file")
    return Path(os.path.expanduser(shown))


def checked(path: Path, folder: Path | None = None, progress: Callable[[int], None] = lambda entry: None) -> Checked:
    """Read and verify a save file before it is taken into a folder, by default the library.

    `progress` is told the number of each entry as it is checked. Raises NotABattle and Unreadable.
    """
    content, whole = file_content(path)
    if not whole:
        raise Unreadable(f"{path} is too large to be taken in; copy it into the library yourself")
    report = verify(path, progress)
    readable = report.first_bad != 0
    return Checked(path, content, report.message, readable, _same(content, folder or default_folder()))


def _same(content: bytes, folder: Path) -> Path | None:
    """A battle in the folder with that very content."""
    try:
        found = [entry for entry in os.scandir(folder) if entry.name.endswith(SUFFIX) and entry.is_file()]
        sized = sorted(Path(entry.path) for entry in found if entry.stat().st_size == len(content))
        return next((path for path in sized if path.read_bytes() == content), None)
    except OSError:
        return None


def taken_in(save: Checked, folder: Path | None = None) -> Path:
    """Copy a save that was checked into a folder, as it is; gives its path there. Raises Unreadable."""
    return _put(save.content, save.path, "", folder)


def taken_in_repaired(save: Checked, folder: Path | None = None) -> tuple[Path, Repair]:
    """Put what is sound of a save into a folder as a new file; gives its path and what was lost.

    Raises NotABattle, Damaged and Unreadable.
    """
    lines, repair = saved_of(save.path, save.content)
    path = _put(b"".join(lines), save.path, "-repaired", folder)
    return path, repair


def repaired_beside(path: Path) -> tuple[Path, Repair]:
    """Save what is sound of a damaged battle into a new file beside it; gives its path and what was lost.

    Raises NotABattle, Damaged and Unreadable.
    """
    content, _ = file_content(path)
    return taken_in_repaired(Checked(path, content, "", True, None), path.parent)


def losses(path: Path) -> str:
    """What of a damaged battle a repair would save, and what is lost, in a sentence. Raises Fault."""
    content, _ = file_content(path)
    try:
        repair = saved_of(path, content)[1]
    except Damaged as damaged:
        return f"It cannot be repaired: {damaged}."
    return loss_words(repair)


def loss_words(repair: Repair) -> str:
    """What a repair saves and what is lost, for people."""
    mended = f", {len(repair.restored)} of them mended" if repair.restored else ""
    saved = f"{repair.kept} {'entry is' if repair.kept == 1 else 'entries are'} saved{mended}"
    if not repair.lost:
        return f"{saved}, nothing is lost."
    first = repair.lost[0]
    told = f"a line {first.why}" if first.entry is None else f"entry {first.entry} {first.why}"
    return f"{saved}, {len(repair.lost)} lost; the first: {told}."


def _put(content: bytes, path: Path, ending: str, folder: Path | None) -> Path:
    where = folder or default_folder()
    make_folder(where)
    return added(where, plain_name(path) + ending, content)
