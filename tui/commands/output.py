"""What the commands print: data to standard output, everything else to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from engine.refusals import Refusal
from engine.wording import clean
from saves.battle import OpenBattle
from saves.faults import AlreadyThere, Busy, Fault
from tui.endings import BAD_FILE, BUSY, DONE, WRONG_USAGE, mute, tell

_JSON = msgspec.json.Encoder(decimal_format="number")


class Unheard(Fault):
    """Something was done, but standard output takes nothing any more."""


def status_of(fault: Fault) -> int:
    if isinstance(fault, AlreadyThere):
        return WRONG_USAGE
    return BUSY if isinstance(fault, Busy) else BAD_FILE


def say(message: str) -> None:
    tell(clean(f"headsdown: {message}"))


@contextmanager
def although_unheard(what: str) -> Iterator[None]:
    """What is told within has been done and is safe on disk; say so where nobody can be told of it."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if sys.stdout is not None:
            mute(sys.stdout.fileno())
        why = "was closed" if isinstance(error, BrokenPipeError) else f"cannot be written: {error.strerror or error}"
        raise Unheard(f"standard output {why}; {what}") from None


def print_lines(lines: Iterable[str]) -> None:
    print("\n".join(lines))


def print_json(content: Any) -> None:
    print_bytes(_JSON.encode(content))


def print_bytes(line: bytes) -> None:
    """JSON is UTF-8 whatever the terminal speaks."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def refused(refusal: Refusal) -> dict[str, str]:
    return {"clause": refusal.clause, "message": refusal.message}


def ending(battle: OpenBattle) -> int:
    """Warn of what is wrong with the file; the status is that of a bad one unless a crash explains it."""
    if battle.warning:
        say(f"warning: {battle.warning}")
    return BAD_FILE if battle.problem and battle.problem.kind != "torn" else DONE
