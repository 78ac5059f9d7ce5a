"""Reads and verifies a save without headsdown: python3 read_battle.py FILE. See docs/save-format.md."""

import json
import sys
from hashlib import sha256
from itertools import pairwise

SEAL, LONGEST = 40, 1 << 20  # bytes of `,"h":"<32 hex>"}`, and the most bytes of a line


def mark_after(line, before):
    """The hash of a line (16 bytes) that follows the hash `before`; None where it does not follow."""
    if not SEAL < len(line) <= LONGEST:
        return None
    mark = sha256(before + line[:-SEAL] + b"}").digest()[:16]
    return mark if line[-SEAL:] == b',"h":"' + mark.hex().encode() + b'"}' else None


def stored(line):
    try:
        return bytes.fromhex(line[-34:-2].decode())
    except ValueError:
        return b""


def later_line_is_sound(lines, mark):
    """Whether a line proves itself by the hash in the line before it, or by what that hash should have been."""
    first = sha256(mark + lines[0][:-SEAL] + b"}").digest()[:16]
    pairs = enumerate(pairwise(lines))
    return any(mark_after(line, stored(one)) or (not at and mark_after(line, first)) for at, (one, line) in pairs)


def condition(rest, mark):
    """What stands behind the last sound line: nothing (None), what a crash leaves (torn), or damage."""
    lines = rest.split(b"\n")
    if not rest or later_line_is_sound(lines, mark) or len(rest) > 2 * LONGEST:
        return "damaged" if rest else None
    whole = any(mark_after(rest[: at + SEAL], mark) for at in range(len(rest)) if rest.startswith(b',"h":"', at))
    half_a_line = len(lines) == 1 and len(rest) <= LONGEST and not whole
    return "torn" if bytes(8) in rest or half_a_line else "damaged"


def faces(seed, key, sides, count):
    """The app's dice: bytes of SHA-256 over seed and key; those that would favour low faces are passed over."""
    name, block, found = key.encode(), 0, []
    while len(found) < count and 2 <= sides <= 256:
        start = b"dice/1\0" + seed + len(name).to_bytes(2, "big") + name
        bytes_ = sha256(start + block.to_bytes(4, "big")).digest()
        found += [byte % sides + 1 for byte in bytes_ if byte < 256 - 256 % sides]
        block += 1
    return found[:count]


def read(data):
    mark, at, lines, head = sha256(b"headsdown-battle/1").digest()[:16], 0, [], 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        following = mark_after(data[at:end], mark)
        if following is None:
            break
        lines.append(json.loads(data[at:end]))
        mark, at = following, end + 1
    kind = condition(data[at:], mark) if lines else "damaged"
    for line in lines[1:]:
        head = line["n"] if line["k"] == "order" else line.get("to", head)
        for roll in line.get("rolls", ()):
            seed = bytes.fromhex(lines[0]["dice"]["seed"])
            if roll["source"] == "app" and faces(seed, roll["key"], roll["sides"], len(roll["dice"])) != roll["dice"]:
                kind = "altered"
    return {"ok": not kind, "entries": max(0, len(lines) - 1), "head": head, "kind": kind, "mark": mark.hex()[:8]}


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        report = read(file.read())
    print(json.dumps(report))
    sys.exit(0 if report["ok"] else 3)
