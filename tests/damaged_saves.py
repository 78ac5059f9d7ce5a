"""A folder of saves that were damaged on purpose, each with what is to be said of it and saved from it.

`python -m tests.damaged_saves FOLDER` makes the folder, to try `headsdown verify` and `repair` on by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from saves.chain import SEAL
from tests.small_saves import rechained

EXAMPLE = Path(__file__).parent.parent / "saves" / "examples" / "suppression-fire.battle.jsonl"


class DamagedSave(Struct, frozen=True):
    """One damaged file: its content, what `verify` calls it and where, and what `repair` makes of it.

    `whole` where all entries are back as they were, `kept` how many are (None where repair gives up), `lost` the
    numbers of the lost ones, as far as they have one.
    """

    name: str
    content: bytes
    kind: str
    first_bad: int
    kept: int | None
    lost: tuple[int, ...] = ()

    @property
    def whole(self) -> bool:
        return self.kept is not None and not self.lost


def sound_save() -> bytes:
    """The bundled battle that all of them were."""
    return EXAMPLE.read_bytes()


def damaged_saves() -> tuple[DamagedSave, ...]:
    """All of them."""
    content = sound_save()
    lines = content.splitlines(keepends=True)
    last = len(lines) - 1
    note = max(at for at, line in enumerate(lines) if b'"type":"note"' in line)

    def joined(change: Callable[[list[bytes]], object]) -> bytes:
        changed = list(lines)
        change(changed)
        return b"".join(changed)

    def garbled(at: int) -> Callable[[list[bytes]], None]:
        def change(changed: list[bytes]) -> None:
            line = changed[at]
            changed[at] = line[:30] + b"#" * 12 + line[42:]

        return change

    def resealed(at: int, old: bytes, new: bytes) -> bytes:
        assert lines[at].count(old) >= 1, (at, old)
        return rechained(content, lambda records: [*records[:at], records[at].replace(old, new, 1), *records[at + 1 :]])

    failed, passed = b'"outcome":"failed"', b'"outcome":"passed"'
    rolled = next(at for at, line in enumerate(lines) if failed in line)
    middle = sum(map(len, lines[:20])) + 60
    return (
        DamagedSave("half-a-line", content[:-40], "torn", last, last - 1, (last,)),
        DamagedSave("zeros-at-the-end", content + bytes(600), "torn", last + 1, last, (last + 1,)),
        DamagedSave("one-bit", _flipped(content, middle, 4), "damaged", 20, last),
        DamagedSave("one-byte", _flipped(content, middle, 0x55), "damaged", 20, last),
        DamagedSave("one-bit-of-the-last-seal", _flipped(content, len(content) - 9, 1), "damaged", last, last),
        DamagedSave("a-line-feed-too-many", _set(content, middle, 10), "damaged", 20, last),
        DamagedSave("a-line-feed-too-few", _set(content, middle - 61, 32), "damaged", 19, last),
        DamagedSave("no-last-line-feed", content[:-1] + b"}", "damaged", last, last),
        DamagedSave("seal-overwritten", joined(lambda all_: _cut_seal(all_, 20)), "damaged", 20, last),
        DamagedSave("a-note-garbled", joined(garbled(note)), "damaged", note, last - 1, (note,)),
        DamagedSave("last-line-garbled", joined(garbled(last)), "damaged", last, last - 1, (last,)),
        DamagedSave("lines-swapped", joined(lambda all_: all_.insert(20, all_.pop(21))), "damaged", 20, last),
        DamagedSave("last-line-twice", content + lines[-1], "damaged", last + 1, last),
        DamagedSave("a-strange-line", joined(lambda all_: all_.insert(20, b"hello\n")), "damaged", 20, last),
        DamagedSave("header-one-byte", content.replace(b"The farm", b"The form", 1), "damaged", 0, last),
        DamagedSave("header-edited", content.replace(b"The farm", b"At sunset", 1), "damaged", 0, last),
        DamagedSave("header-gone", b'{"format":"headsdown-battle"\n' + b"".join(lines[1:]), "damaged", 0, None),
        DamagedSave("crlf", content.replace(b"\n", b"\r\n"), "damaged", 0, last),
        DamagedSave("byte-order-mark", b"\xef\xbb\xbf" + content, "damaged", 0, last),
        DamagedSave(
            "a-kind-of-entry-from-later",
            resealed(last, b'"k":"order"', b'"k":"parley"'),
            "other_rules",
            last,
            last - 1,
            (last,),
        ),
        DamagedSave("made-up-outcome", resealed(rolled, failed, passed), "altered", rolled, None),
        DamagedSave("made-up-number", resealed(note, b'"n":%d' % note, b'"n":%d' % (note + 1)), "altered", note, None),
        DamagedSave("newer-format", resealed(0, b'"min_reader":1', b'"min_reader":9'), "other_rules", 0, None),
    )


def _flipped(content: bytes, at: int, mask: int) -> bytes:
    return _set(content, at, content[at] ^ mask)


def _set(content: bytes, at: int, byte: int) -> bytes:
    return content[:at] + bytes([byte]) + content[at + 1 :]


def _cut_seal(lines: list[bytes], at: int) -> None:
    lines[at] = lines[at][: -SEAL - 1] + b',"h":"' + b"0" * 32 + b'"}\n'


def make_folder(folder: Path) -> None:
    """Write them all into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in damaged_saves():
        (folder / f"{each.name}.battle.jsonl").write_bytes(each.content)


if __name__ == "__main__":
    make_folder(Path(sys.argv[1]))
