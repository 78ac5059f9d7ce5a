"""Going on from a moment of a battle in a new one: the record up to there, and from then on its own."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from uuid import uuid4

from msgspec.structs import replace

from engine import __version__
from engine.entries import Parent
from saves.battle import OpenBattle, now
from saves.chain import FIRST, SEAL, sealed
from saves.creating import checked_name
from saves.faults import AlreadyThere, Unreadable
from saves.journal import create_file
from saves.library import SUFFIX, plain_name
from saves.records import record_of
from saves.secrets_kept import keep_secret, kept_secrets


def continue_from(battle: OpenBattle, number: int, name: str = "") -> Path:
    """Make a new battle beside this one, in which everything up to entry `number` has happened; gives its path.

    The entries stand in it as they were written, take-backs and bookmarks too, so undo goes back behind the point,
    and the dice are those of the same seed: whoever orders the same gets the same faces. Its header names the parent.
    Without a `name` it is called after that. The battle itself is only read.

    Raises Refusal where there is no such entry or the name is too long, Unreadable where the file cannot be written.
    """
    content = _content(battle, number, checked_name(name) or default_name(battle, number))
    for more in count(1):
        end = f"-{more}" if more > 1 else ""
        path = battle.path.with_name(f"{plain_name(battle.path)[:180]}-from-{number}{end}{SUFFIX}")
        try:
            create_file(path, content)
        except AlreadyThere:
            continue
        for secret in kept_secrets(battle.path):
            keep_secret(path, secret)
        return path
    raise AssertionError("count ends nowhere")


def default_name(battle: OpenBattle, number: int) -> str:
    """What a battle that goes on from there is called, unless somebody calls it otherwise."""
    tail = f", from entry {number}"
    name = battle.history.header.name or plain_name(battle.path)
    return f"{checked_name(name[: 100 - len(tail)])}{tail}"


def _content(battle: OpenBattle, number: int, name: str) -> bytes:
    history = battle.history
    history.head_after(number)
    lines = battle.lines()
    if len(lines) <= number:
        raise Unreadable(f"{battle.path} went back or was replaced; look at what there is now")
    parent = Parent(history.header.id, f"{number}:{lines[number][-34:-26].decode()}", history.header.name)
    header = replace(
        history.header,
        id=str(uuid4()),
        created=now(),
        name=name,
        engine=__version__,
        parent=parent,
    )
    line, mark = sealed(record_of(header), FIRST)
    made = [line]
    for each in lines[1 : number + 1]:
        line, mark = sealed(each[:-SEAL] + b"}", mark)
        made.append(line)
    return b"".join(made)
