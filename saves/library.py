"""The battles in a folder, and those that come with the program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from engine.entries import Parent
from saves import shelf
from saves.battle import OpenBattle
from saves.faults import AlreadyThere, Fault, Unreadable
from saves.journal import create_file, unreadable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".battle.jsonl"


class Shelved(Struct, frozen=True):
    """A battle in the library. Of one that cannot be read, all but the first two and the last five fields are empty.

    `file` is its path, `turn` the turn or round, `entries` the number of its last entry, `changed` when the file
    was last written (milliseconds since 1970), `size` how many bytes it has, `ended` whether the battle is over,
    `damaged` whether the file is not sound; `problem` says why. `parent` is the battle that it goes on from, if any.
    """

    file: str
    name: str
    rules: str | None
    sides: tuple[str, ...]
    turn: int | None
    side: str | None
    entries: int | None
    changed: int
    size: int
    ended: bool
    damaged: bool
    problem: str = ""
    parent: Parent | None = None


def default_folder() -> Path:
    """Where battles are kept: HEADSDOWN_HOME, else `battles` in the platform's folder for user data."""
    home = os.environ.get("HEADSDOWN_HOME")
    if home:
        try:
            return Path(home).expanduser()
        except RuntimeError:
            raise Unreadable(f"HEADSDOWN_HOME is {home}, but there is no such user; set it to a folder") from None
    from platformdirs import user_data_path  # slow to load, and most commands name their file

    return user_data_path("headsdown", appauthor=False) / "battles"


def make_folder(folder: Path) -> None:
    """Make the folder where there is none yet; raises Unreadable where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise Unreadable(f"{folder} is a file, not a folder for battles") from None
    except OSError as error:
        raise unreadable(folder, error, "write") from None


def found(name: str) -> str:
    """The file that a name means: as it stands if there is one, else with the suffix, else a battle of the library.

    The suffix may be left out there too. A name that means nothing comes back as it is.
    """
    if os.path.lexists(name):
        return name
    if os.path.lexists(name + SUFFIX):
        return name + SUFFIX
    if os.sep in name:
        return name
    shelved = (default_folder() / (name + suffix) for suffix in ("", SUFFIX))
    return next((str(path) for path in shelved if os.path.lexists(path)), name)


def battles(
    folder: Path | None = None, progress: Callable[[int, int], None] = lambda done, of: None
) -> tuple[Shelved, ...]:
    """The battles in a folder, by default the library, the one written last first.

    Damaged ones are marked. Raises Unreadable where the folder cannot be read; a library that is not there yet is
    empty. `progress` is told how many have been looked at, of how many; what was found out when it raises is kept.
    """
    where = folder or default_folder()
    try:
        names = [name for name in os.listdir(where) if name.endswith(SUFFIX)]
    except FileNotFoundError:
        if folder is None:
            return ()
        raise Unreadable(f"{where} is not there") from None
    except NotADirectoryError:
        raise Unreadable(f"{where} is a file, not a folder") from None
    except OSError as error:
        raise unreadable(where, error) from None
    paths = [where / name for name in names]
    shelved = [_shelved(path) for path in paths] if len(paths) < shelf.FEW else _known(paths, progress)
    return tuple(sorted(shelved, key=lambda each: (-each.changed, each.file)))


def _known(paths: list[Path], progress: Callable[[int, int], None]) -> list[Shelved]:
    """The battles in these files, as the shelf knows them where they have not changed since."""
    home = default_folder()
    before = shelf.read(home)
    after: dict[str, shelf.Kept] = {}
    shelved: list[Shelved] = []
    try:
        for done, path in enumerate(paths):
            progress(done, len(paths))
            look, place = shelf.look(path), _text(os.path.abspath(path))
            kept = before.get(place)
            known = _kept_shelved(kept, path) if kept and look and kept.look == look else None
            each = known or _shelved(path)
            shelved.append(each)
            if look and not each.damaged and not each.problem:
                after[place] = shelf.Kept(look, each)
    finally:
        if any(before.get(place) != kept for place, kept in after.items()):
            shelf.write(home, before | after)
    return shelved


def _kept_shelved(kept: shelf.Kept, path: Path) -> Shelved | None:
    """What the shelf says of a file; None where that makes no sense."""
    try:
        found = msgspec.convert(kept.found, Shelved)
    except msgspec.ValidationError:
        return None
    return found if found.file == _text(str(path)) else None


def plain_name(path: Path) -> str:
    """The name of a battle's file without its suffix."""
    return path.name.removesuffix(SUFFIX).removesuffix(".jsonl")


def _shelved(path: Path) -> Shelved:
    file = _text(str(path))
    try:
        stat = path.stat()
        changed, size = stat.st_mtime_ns // 1_000_000, stat.st_size
    except OSError:
        changed = size = 0
    try:
        with OpenBattle.open(path, read_only=True) as battle:
            return _sound(battle, file, changed, size)
    except Fault as fault:
        name = _text(plain_name(path))
        return Shelved(file, name, None, (), None, None, None, changed, size, False, True, _text(str(fault)))


def _sound(battle: OpenBattle, file: str, changed: int, size: int) -> Shelved:
    history = battle.history
    shown: dict[str, Any] = history.rules.show(history.state)
    return Shelved(
        file=file,
        name=history.header.name or _text(plain_name(battle.path)),
        rules=history.header.rules,
        sides=history.header.sides,
        turn=shown.get("turn", shown.get("round")),
        side=shown.get("side"),
        entries=len(history.entries),
        changed=changed,
        size=size,
        ended=shown.get("ended") is not None,
        damaged=battle.problem is not None,
        problem=_text(battle.warning),
        parent=history.header.parent,
    )


def _text(name: str) -> str:
    """A path as text: names of files may hold bytes that are none."""
    return os.fsencode(name).decode(errors="replace")


# Battles that come with the program


def examples() -> tuple[str, ...]:
    """The names of the bundled battles."""
    files = (entry.name for entry in _example_folder().iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)))


def open_example(name: str) -> OpenBattle:
    """A bundled battle, for reading only; raises Unreadable where there is none of that name."""
    from importlib.resources import as_file

    with as_file(_example(name)) as path:
        return OpenBattle.open(path, read_only=True)


def copy_example(name: str, folder: Path | None = None) -> Path:
    """Copy a bundled battle into a folder, by default the library, under a name that is free; gives its path.

    Raises Unreadable where there is no such battle or the folder cannot be written.
    """
    where = folder or default_folder()
    content = _example(name).read_bytes()
    make_folder(where)
    return added(where, name, content)


def added(folder: Path, name: str, content: bytes) -> Path:
    """Put a new battle of that content into a folder, under `name` or, where that is taken, with a number behind it.

    Gives its path; raises Unreadable where the folder cannot be written.
    """
    for path in free_names(folder, name):
        try:
            create_file(path, content)
        except AlreadyThere:
            continue
        return path
    raise AssertionError("names do not end")


def free_names(folder: Path, name: str) -> Iterator[Path]:
    """Where a battle of that name may stand in a folder, one after the other: taken names are to be passed over."""
    yield folder / f"{name}{SUFFIX}"
    yield from (folder / f"{name}-{number}{SUFFIX}" for number in count(2))


def _example(name: str) -> Traversable:
    there = examples()
    if name not in there:
        raise Unreadable(f"there is no bundled battle named {name}; there are: {', '.join(there) or 'none'}")
    return _example_folder() / f"{name}{SUFFIX}"


def _example_folder() -> Traversable:
    from importlib.resources import files  # slow to load

    return files("saves") / "examples"
