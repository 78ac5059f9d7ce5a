"""How a command ends: the exit statuses that other programs rely on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

DONE = 0
REFUSED = 1
"""An order was refused: by the rules, the dice, or because it is malformed."""

WRONG_USAGE = 2
BAD_FILE = 3
"""A file cannot be read or written, is damaged or altered, or is no battle."""

BUSY = 4
"""Somebody else is writing the battle and did not finish in time."""

INTERRUPTED = 130
"""What shells expect of a program that Ctrl-C ended."""


class WrongUsage(Exception):  # noqa: N818  the caller's mistake, said in one line
    """Arguments that make no sense; the message says which and where to read more."""


def tell(line: str) -> None:
    """One line on standard error; nowhere where that is closed or full, and above all not on standard output."""
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        mute(sys.stderr.fileno())


def mute(descriptor: int) -> None:
    """Nobody reads this stream any more; what is still to be written must not fail once again at the exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except (OSError, ValueError):
        return


SAVED = "Everything is saved."
"""What is printed instead for whoever knows how they came, and nothing of this machine's files."""


def how_to_open(path: Path, option: str = "") -> str:
    """The line that is printed on leaving a battle; `option` stands behind the name."""
    return f"Saved. To go on: headsdown open {_quoted(str(path))}{option}"


def _quoted(path: str) -> str:
    import shlex

    from engine.wording import clean

    return shlex.quote(clean(path))
