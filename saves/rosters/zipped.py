"""The one list inside a zip file, inflated in memory and in bounds: no name in it is heeded, nothing is extracted."""

from __future__ import annotations

import io
import zipfile
import zlib

from saves.rosters.node import Progress, unheeded
from saves.rosters.refused import MOST_BYTES, MOST_PACKED, MOST_RATIO, NoArmyList

MOST_ENTRIES = 8
ENCRYPTED = 0x1
STRIDE = 65_536
BROKEN = "its zip file is broken or was cut off; save it again"


def unzipped(raw: bytes, progress: Progress = unheeded) -> bytes:
    """The bytes of the list in a zip file; raises NoArmyList for anything else.

    What the zip file says of sizes is believed only where it forbids: bytes are counted while they are inflated.
    """
    if len(raw) > MOST_PACKED:
        raise NoArmyList(f"it is larger than {MOST_PACKED // 2**20} MB packed; no army list is")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return _inflated(archive, _entry(archive), progress)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
        raise NoArmyList(BROKEN) from None


def _entry(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The entry that is the list: the only one, or the only one that ends in .ros, .xml or .json."""
    entries = [each for each in archive.infolist() if not each.is_dir() and "__MACOSX" not in each.filename]
    if len(archive.infolist()) > MOST_ENTRIES:
        raise NoArmyList(f"its zip file holds more than {MOST_ENTRIES} files; a list has one")
    if len(entries) > 1:
        entries = [each for each in entries if each.filename.casefold().endswith((".ros", ".xml", ".json"))]
    if len(entries) != 1:
        raise NoArmyList(f"its zip file holds {len(entries) or 'no'} lists; one is needed")
    entry = entries[0]
    if entry.flag_bits & ENCRYPTED:
        raise NoArmyList("its zip file is encrypted; save the list without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NoArmyList("its zip file is packed in a way that no list builder uses; zip it again")
    return entry


def _inflated(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, progress: Progress) -> bytes:
    most = min(MOST_BYTES, max(STRIDE, entry.compress_size * MOST_RATIO))
    if entry.file_size > most:
        raise NoArmyList(_too_large())
    parts: list[bytes] = []
    size = 0
    with archive.open(entry) as stream:
        while part := stream.read(STRIDE):
            size += len(part)
            if size > most:
                raise NoArmyList(_too_large())
            parts.append(part)
            progress(size, max(size, entry.file_size))
    return b"".join(parts)


def _too_large() -> str:
    return f"its zip file unpacks to more than {MOST_BYTES // 2**20} MB or {MOST_RATIO} times its size; no list does"
