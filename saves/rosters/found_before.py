"""Where army lists were found before, and which there are: kept in the library, and may be thrown away at any time."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from saves.faults import Fault
from saves.library import SUFFIX, default_folder

FILE = ".army-lists.json"
MOST_FOLDERS = 8
MOST_FILES = 200
ENDINGS = (".ros", ".rosz", ".json", ".toml", ".csv", ".txt")


def folders() -> tuple[Path, ...]:
    """Folders in which lists were found, the last one first; none where that is not known."""
    try:
        raw = (default_folder() / FILE).read_bytes()[:65_536]
        return tuple(Path(each) for each in msgspec.json.decode(raw, type=list[str])[:MOST_FOLDERS])
    except (OSError, ValueError, Fault):
        return ()


def remember(path: Path) -> None:
    """Keep the folder of a list that was read; whatever the system refuses is passed over."""
    with suppress(OSError, ValueError, Fault):
        where = path.resolve().parent
        kept = [where, *(each for each in folders() if each != where)][:MOST_FOLDERS]
        home = default_folder()
        if home.is_dir():
            draft = home / f"{FILE}.{os.getpid()}"
            draft.write_bytes(msgspec.json.encode([str(each) for each in kept]))
            os.replace(draft, home / FILE)


def lists_in(folder: Path) -> tuple[Path, ...]:
    """The files of a folder that are called as lists are, by name; none where it cannot be read."""
    try:
        names = sorted(os.listdir(folder), key=str.casefold)
    except OSError:
        return ()
    wanted = (name for name in names if name.casefold().endswith(ENDINGS) and not name.endswith(SUFFIX))
    return tuple(folder / name for name in wanted if not name.startswith("."))[:MOST_FILES]


def offered() -> tuple[Path, ...]:
    """Lists in the current folder, then in those where lists were found before; each once."""
    found: dict[Path, None] = {}
    with suppress(OSError):
        for folder in (Path.cwd(), *folders()):
            found.update(dict.fromkeys(lists_in(folder)))
    return tuple(found)[:MOST_FILES]


def completed(text: str) -> tuple[str, tuple[str, ...]]:
    """What a typed path becomes as far as only one way leads on, and the ways there are from there.

    Folders end in a slash. Names that begin with a dot are offered only where one was typed.
    """
    folder, _, start = text.rpartition("/")
    shown = text[: len(text) - len(start)]
    try:
        where = Path(f"{folder}/" if shown else ".").expanduser()
        entries = sorted(os.scandir(where), key=lambda entry: entry.name.casefold())
    except (OSError, RuntimeError, ValueError):
        return text, ()
    ways = [
        f"{shown}{entry.name}/" if _is_folder(entry) else f"{shown}{entry.name}"
        for entry in entries
        if entry.name.startswith(start) and (start.startswith(".") or not entry.name.startswith("."))
        if _is_folder(entry) or (entry.name.casefold().endswith(ENDINGS) and not entry.name.endswith(SUFFIX))
    ][:MOST_FILES]
    common = _common_start(ways) if ways else text
    return (common if len(common) > len(text) else text), tuple(ways)


def _common_start(ways: list[str]) -> str:
    """The characters with which all of some texts begin."""
    first, last = min(ways), max(ways)
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:same]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
