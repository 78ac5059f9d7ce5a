"""The players file: whose key sits where. A line is NAME SEAT KEY, the key as in authorized_keys."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from engine.refusals import Refusal
from engine.seats import SPECTATOR, seat_named
from engine.wording import clean, printable
from saves.faults import Fault

KINDS = (
    "ssh-ed25519",
    "ssh-rsa",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
)
"""The kinds of keys that people have. DSA is refused everywhere by now."""

LONGEST_NAME = 40
LARGEST_FILE = 1 << 20

_LINE = re.compile(r'\s*("[^"]*"|[^\s"]+)\s+("[^"]*"|[^\s"]+)\s+(\S+)\s+(\S+)(?:\s.*)?')


class Player(Struct, frozen=True):
    """Who sits where."""

    name: str
    seat: str


class BadPlayers(Fault):
    """A players file that cannot be used; the message names the line and says what to do."""


def read_players(path: Path, sides: tuple[str, ...]) -> Mapping[bytes, Player]:
    """The players of the file by their keys, as these go over the line; raises BadPlayers.

    `sides` are those of the battle. A player may have several keys, each on a line of its own.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadPlayers(f"{path}: a players file has at most {LARGEST_FILE // 1024} KB")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeError:
        raise BadPlayers(f"{path}: a players file is plain text (UTF-8); this is not") from None
    except OSError as error:
        raise BadPlayers(f"{path} cannot be read: {error.strerror or error}") from None
    players: dict[bytes, Player] = {}
    for number, line in _lines(text):
        try:
            key, player = _player(line, sides)
            if players.get(key, player) != player:
                raise ValueError(f"this key is {players[key].name}'s, who sits for {players[key].seat}: leave one out")
        except ValueError as wrong:
            raise BadPlayers(clean(f"{path}, line {number}: {wrong}")) from None
        players[key] = player
    return players


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that say something, as counted in the file."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip()


def _player(line: str, sides: tuple[str, ...]) -> tuple[bytes, Player]:
    """The key of a line and whose it is; raises ValueError."""
    if "PRIVATE KEY" in line:
        raise ValueError("this is a private key, which belongs to nobody else: put the line of the .pub file here")
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError('write NAME SEAT KEY, as in: Anna Eldar ssh-ed25519 AAAA...; "two words" in quotes')
    name, seat, kind, key = match.groups()
    try:
        player = Player(player_name(name), seat_named(seat.strip('"'), sides))
    except Refusal as refusal:
        raise ValueError(f'{refusal.message}; a seat of "two words" stands in quotes') from None
    return public_key(kind, key), player


def player_name(text: str) -> str:
    """A name as it is shown and recorded; raises ValueError where there is nothing to show, or too much."""
    name = printable(text.strip('"'))
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters")
    return name


def public_key(kind: str, text: str) -> bytes:
    """A key in the form in which it goes over the line; raises ValueError, which says what to do."""
    if kind not in KINDS:
        raise ValueError(f"{kind[:40]} is no kind of key known here; there are: {', '.join(KINDS)}")
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("the key is not whole: copy the line of the .pub file once more") from None
    name = kind.encode()
    if key[: 4 + len(name)] != len(name).to_bytes(4, "big") + name or len(key) < len(name) + 36:
        raise ValueError(f"the key is not whole, or no {kind}: copy the line of the .pub file once more")
    return key


def fingerprint(key: bytes) -> str:
    """What `ssh-keygen -l` shows of a key."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip("=")


def onlooker(user: str, players: Mapping[bytes, Player]) -> Player:
    """A spectator whom nobody knows, called as they call themselves, but never as one of the players."""
    try:
        name = player_name(user)
    except ValueError:
        name = "guest"
    taken = {player.name.casefold() for player in players.values()}
    return Player("guest" if name.casefold() in taken else name, SPECTATOR)
