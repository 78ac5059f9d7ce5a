"""Inputs that nobody thought of, for the readers of journals and of orders.

`python -m tests.fuzzing INPUTS [SEED]` tries that many and says what was found; the tests try 20,000.
`python -m tests.fuzzing atheris [LIBFUZZER OPTIONS]` lets coverage steer, where atheris is installed.
"""

from __future__ import annotations

import random
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine import registered
from engine.history import History
from engine.orders import odds_of, read_order, resolve_order
from engine.refusals import Refusal
from engine.verification import verify_history
from saves import restoring
from saves.chain import FIRST, SEAL, sealed
from saves.faults import Fault
from saves.reading import Record
from saves.repairing import saved_of
from saves.scan import scan
from tests.small_rules import NAME
from tests.small_saves import small_save
from tui import plain
from tui.given_orders import Misplaced, given_orders

EXAMPLES = Path(__file__).parent.parent / "saves" / "examples"

WORDS = (
    b"null", b"true", b"-1", b"0", b"1e9", b"1e999", b"0.5", b"NaN", b"9" * 30, b'""', b"[]", b"{}", b"[[]]", b"{",
    b"}", b"[", b"]", b",", b":", b'"', b"\\", b'"\\ud800"', b"\\u0000", b"\n", b"\r\n", b"\0", b"\0" * 8, b"\xff",
    b"\xef\xbb\xbf", b',"h":"', b'"k":"undo"', b'"n":1', b'"p":0', b'"to":0', b'"of":1', b'"dice":[', b'"dice":[9,9]',
    b'"type":"note"', b'"type":"end_battle"', b"[" * 60, b'{"a":' * 60, b"x" * 200,
)  # fmt: skip


_DIGIT = re.compile(rb"[0-9]")


class Fuzzer:
    """Makes inputs of what is known to be right, and tries them; each is determined by the seed and its number."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        registered.RULE_SETS.setdefault(NAME, "tests.small_rules")

    def try_one(self) -> None:
        """One input, for one of the readers. Raises whatever a reader does that it may not."""
        self._chance.choice((self.journal, self.journal, self.sealed_journal, self.order, self.orders))()

    # Journals

    def journal(self) -> None:
        """Bytes of a journal that were changed: what is read was written like that, or nothing is read."""
        content = self._chance.choice(_journals())
        changed = self._changed(content)
        record = _read(changed)
        if record is None:
            return
        sound = content.splitlines()
        lines = changed.split(b"\n")[: len(record.history.entries) + 1]
        assert lines == sound[: len(lines)] or changed == content, "something was read that nobody wrote"

    def sealed_journal(self) -> None:
        """Records that were changed and sealed anew: read as far as they make sense, told, verified and saved."""
        records = [line[:-SEAL] + b"}" for line in self._chance.choice(_journals()).splitlines()]
        at = min(self._chance.randrange(len(records) + 2), len(records) - 1)
        records[at] = self._changed(records[at])
        mark, content = FIRST, b""
        for record in records:
            line, mark = sealed(record if record.endswith(b"}") else record + b"}", mark)
            content += line
        read = _read(content)
        if read is None:
            return
        verify_history(read.history)
        if self._chance.random() < 0.3:
            _told(read.history)
        if self._chance.random() < 0.1:
            _saved(content)

    # Orders

    def order(self) -> None:
        """An order that was changed: refused with a sentence, or carried out."""
        history = self._chance.choice(_histories())
        text = self._changed(self._chance.choice(_orders(history.rules.name)))
        try:
            order = read_order(history.rules, text)
            history.rules.order_title(history.state, order)
            resolve_order(history, order)
            if self._chance.random() < 0.02:
                odds_of(history, order, _Patience(200))
        except Refusal as refusal:
            _check_sentence(refusal.message)
        except _OutOfPatience:
            return

    def orders(self) -> None:
        """A stream of orders that was changed: orders come out of it, or a sentence about where none is."""
        lines = self._chance.choices(_orders("suppression-fire"), k=self._chance.randrange(1, 4))
        text = b"\n".join(lines) if self._chance.random() < 0.5 else b"[" + b",".join(lines) + b"]"
        try:
            for given in given_orders(BytesIO(self._changed(text)), "-"):
                assert given.text
        except Misplaced as misplaced:
            _check_sentence(misplaced.refusal.message)

    # Changes

    def _changed(self, text: bytes) -> bytes:
        for _ in range(self._chance.choice((1, 1, 1, 2, 3, 8))):
            text = self._chance.choice(CHANGES)(self._chance, text)
        return text


class _OutOfPatience(Exception):  # noqa: N818  no error
    pass


class _Patience:
    """Lets odds look at so many outcomes."""

    def __init__(self, most: int) -> None:
        self._left = most

    def __call__(self) -> bool:
        self._left -= 1
        if self._left < 0:
            raise _OutOfPatience
        return True


Change = Callable[[random.Random, bytes], bytes]


def _span(chance: random.Random, text: bytes) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + chance.choice((1, 1, 2, 4, 16, 64, 400)))


def _flip(chance: random.Random, text: bytes) -> bytes:
    if not text:
        return text
    at = chance.randrange(len(text))
    return text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1 :]


def _put(chance: random.Random, text: bytes) -> bytes:
    start, end = _span(chance, text)
    return text[:start] + chance.choice(WORDS) + text[chance.choice((start, end)) :]


def _value(chance: random.Random, text: bytes) -> bytes:
    """Another value behind some colon."""
    at = text.find(b":", chance.randrange(len(text) + 1))
    if at < 0:
        return text
    end = min((found for found in (text.find(sign, at) for sign in (b",", b"}", b"]")) if found > 0), default=at + 1)
    return text[: at + 1] + chance.choice(WORDS) + text[end:]


def _cut(chance: random.Random, text: bytes) -> bytes:
    return text[: chance.randrange(len(text) + 1)]


def _drop(chance: random.Random, text: bytes) -> bytes:
    start, end = _span(chance, text)
    return text[:start] + text[end:]


def _double(chance: random.Random, text: bytes) -> bytes:
    start, end = _span(chance, text)
    return text[:end] + text[start:]


def _move(chance: random.Random, text: bytes) -> bytes:
    start, end = _span(chance, text)
    rest = text[:start] + text[end:]
    at = chance.randrange(len(rest) + 1)
    return rest[:at] + text[start:end] + rest[at:]


def _digit(chance: random.Random, text: bytes) -> bytes:
    found = _DIGIT.search(text, chance.randrange(len(text) + 1))
    if not found:
        return text
    return text[: found.start()] + chance.choice((b"0", b"1", b"9", b"-1", b"00", b"99999")) + text[found.end() :]


CHANGES: tuple[Change, ...] = (_flip, _put, _value, _value, _cut, _drop, _double, _move, _digit, _digit)


# What is right


@cache
def _journals() -> tuple[bytes, ...]:
    """Short beginnings of the bundled battles, and the small battle: so that many can be tried."""
    bundled = [path.read_bytes().splitlines(keepends=True) for path in sorted(EXAMPLES.glob("*.jsonl"))]
    starts = [b"".join(lines[:length]) for lines in bundled for length in (2, 9, 24)]
    return (small_save(), small_save(), *starts)


@cache
def _histories() -> tuple[History, ...]:
    """The bundled battles half way through."""
    read = (path.read_bytes().splitlines(keepends=True) for path in sorted(EXAMPLES.glob("*.jsonl")))
    records = (Record(Path("a"), scan(b"".join(lines[:length]))) for lines in read for length in (1, 14, 28))
    return tuple(record.history for record in records)


@cache
def _orders(rules: str) -> tuple[bytes, ...]:
    import msgspec

    path = EXAMPLES / f"{rules}.battle.jsonl"
    lines = (msgspec.json.decode(line) for line in path.read_bytes().splitlines()[1:])
    return tuple(msgspec.json.encode(line["order"]) for line in lines if "order" in line)


def _read(content: bytes) -> Record | None:
    try:
        return Record(Path("a"), scan(content))
    except Fault as fault:
        _check_sentence(str(fault))
        return None


def _check_sentence(message: str) -> None:
    assert 5 < len(message) < 2000, "no sentence"


def _told(history: History) -> None:
    for line in plain.log_lines(history, "", everything=True):
        assert line.isprintable()
    history.rules.show(history.state)
    plain.battle_lines(history, "")


def _saved(content: bytes) -> None:
    try:
        # Restoring lines would take nearly all of the time.
        with patch.object(restoring, "MOST_TRIES", 2000):
            lines, _ = saved_of(Path("a"), content)
    except Fault:
        return
    again = _read(b"".join(lines))
    assert again is not None
    assert again.problem is None
    assert verify_history(again.history)[0] is None or again.history.header.rules_version != again.history.rules.version


# Running


def failures(inputs: int, seed: int, tell: Callable[[int], Any] = lambda done: None) -> Counter[str]:
    """Try that many inputs; what went wrong, by where it did, with how often."""
    fuzzer = Fuzzer(seed)
    found: Counter[str] = Counter()
    for done in range(inputs):
        try:
            fuzzer.try_one()
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            ours = [frame for frame in frames if "site-packages" not in frame.filename]
            where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
            found[f"{type(error).__name__}: {str(error)[:100]} ({where})"] += 1
        if done % 10_000 == 0:
            tell(done)
    return found


def _by_coverage() -> None:
    """Let atheris choose the numbers that a fuzzer's chances are made of."""
    import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

    def one(data: bytes) -> None:
        fuzzer = Fuzzer(0)
        fuzzer._chance.seed(data)
        fuzzer.try_one()

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *sys.argv[2:]], one)
    atheris.Fuzz()


def main() -> None:
    if sys.argv[1:2] == ["atheris"]:
        _by_coverage()
        return
    inputs, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    start = time.perf_counter()
    found = failures(inputs, seed, lambda done: print(f"{done} tried", end="\r", file=sys.stderr))
    print(f"{inputs} inputs from seed {seed} in {time.perf_counter() - start:.0f} s: {found.total()} went wrong")
    for what, often in found.most_common():
        print(f"{often:>8}  {what}")


if __name__ == "__main__":
    main()
