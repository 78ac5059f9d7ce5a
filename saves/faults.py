"""Why a battle's file cannot be used. Each fault is one sentence: where, what is wrong, and what to do."""

from __future__ import annotations


class Fault(Exception):  # noqa: N818  what is wrong with a file, not an error of the program
    """A file that cannot be used as asked; the message names it. Nothing of what was asked has been done."""


class NotABattle(Fault):
    """The file is something else: another format, empty, a pipe or a device."""


class Unreadable(Fault):
    """The system does not let the file be read or written: not there, no permission, a folder, a broken disk."""


class Damaged(Fault):
    """A battle that is not whole, not as it was written, or written by a newer version.

    `kind`: `torn` (a crash cut the last line), `damaged` (bytes changed), `altered` (its entries contradict each
    other), `newer` (this version cannot read it, or not all of it).
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class AlreadyThere(Fault):
    """A file that was to be created exists; it is left as it is."""


class Busy(Fault):
    """Somebody else is writing the battle and did not finish in time."""


class Stopped(Exception):  # noqa: N818  an answer, not an error
    """Raised by whoever is told of the progress of something that is not wanted any more: it stops there."""
