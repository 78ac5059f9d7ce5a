"""Reading an army list: what a file is, is told by its bytes and never by its name."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path

from engine.army_list import ArmyList
from saves.faults import Unreadable
from saves.rosters.json_tree import json_tree
from saves.rosters.list_builder import army_in
from saves.rosters.node import Progress, plain, unheeded
from saves.rosters.refused import MOST_BYTES, NoArmyList
from saves.rosters.xml_tree import xml_tree
from saves.rosters.zipped import unzipped

ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
STRIDE = 1 << 20
LONGEST_NAME = 100


def read_list(path: Path, progress: Progress = unheeded) -> ArmyList:
    """The army list in a file.

    `progress` is told how far the reading is and may raise to stop it. Raises NoArmyList for what is no list that can
    be read, Unreadable for what the system does not let be read; the sentence names the file.
    """
    raw = _bytes_of(path, progress)
    try:
        return list_in(raw, path.name, progress)
    except NoArmyList as fault:
        raise NoArmyList(f"{plain(str(path))}: {fault}") from None


def list_in(raw: bytes, name: str, progress: Progress = unheeded) -> ArmyList:
    """The army list in the bytes of a file of that name; raises NoArmyList where there is none."""
    shown = plain(os.fsencode(name).decode(errors="replace"))[:LONGEST_NAME] or "list"
    digest = sha256(raw).hexdigest()
    if not raw.strip():
        raise NoArmyList("the file is empty")
    if raw.startswith(EMPTY_ZIP):
        raise NoArmyList("there is nothing in the zip file")
    if raw.startswith(ZIP):
        return _plain_list(unzipped(raw, progress), shown, digest, " in a zip file", progress)
    return _plain_list(raw, shown, digest, "", progress)


def _plain_list(raw: bytes, name: str, digest: str, zipped: str, progress: Progress) -> ArmyList:
    start = raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) and b"<" in raw[:8]:
        start = b"<"
    if raw.startswith(ZIP) or (
        b"\0" in raw[:4096] and start != b"<" and not raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    ):
        raise NoArmyList("this is no army list but something else; choose a .ros, .rosz, .json, .toml, .csv or .txt")
    if start == b"<":
        return army_in(xml_tree(raw.lstrip() if not raw.startswith((b"\xff\xfe", b"\xfe\xff")) else raw, progress),
                       name, digest, f"XML{zipped}")  # fmt: skip
    if start in (b"{", b"[") and not raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[["):
        tree = json_tree(raw.removeprefix(b"\xef\xbb\xbf"))
        progress(len(raw), len(raw))
        return army_in(tree, name, digest, f"JSON{zipped}")
    from saves.rosters.own_formats import own_list

    army = own_list(raw, name, digest)
    progress(len(raw), len(raw))
    return army


def _bytes_of(path: Path, progress: Progress) -> bytes:
    """The bytes of a file of bounded size; raises NoArmyList and Unreadable."""
    shown = plain(str(path))
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except FileNotFoundError:
        raise Unreadable(f"{shown} is not there") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"{shown} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        mode = os.fstat(fd)
        if stat.S_ISDIR(mode.st_mode):
            raise Unreadable(f"{shown} is a folder; name the file of an army list in it")
        if not stat.S_ISREG(mode.st_mode):
            raise Unreadable(f"{shown} is no ordinary file")
        if mode.st_size > MOST_BYTES:
            raise NoArmyList(f"{shown}: it is larger than {MOST_BYTES // 2**20} MB; no army list is")
        parts: list[bytes] = []
        size = 0
        while part := os.read(fd, min(STRIDE, MOST_BYTES + 1 - size)):
            parts.append(part)
            size += len(part)
            progress(0, max(size, mode.st_size))
            if size > MOST_BYTES:
                raise NoArmyList(f"{shown}: it is larger than {MOST_BYTES // 2**20} MB; no army list is")
    except OSError as error:
        raise Unreadable(f"{shown} cannot be read: {error.strerror or error}") from None
    finally:
        os.close(fd)
    return b"".join(parts)
