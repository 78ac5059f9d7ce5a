"""Calls to the operating system that fail at the n-th time, as a full or broken disk, or a sudden death, has it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

BROKEN = OSError(errno.EIO, "Input/output error")
FULL = OSError(errno.ENOSPC, "No space left on device")
OVER_QUOTA = OSError(errno.EDQUOT, "Disk quota exceeded")
TOO_LARGE = OSError(errno.EFBIG, "File too large")

WRITING = ("open", "write", "pwrite", "fsync", "fdatasync", "ftruncate", "link", "unlink", "replace", "close")
"""The calls by which anything on disk can change, and those around them."""


class Died(BaseException):
    """What a test raises for a process that is killed at that point."""


class Calls:
    """How often each call was made, in all and to which descriptors flushes went."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.flushed: list[int] = []


@contextmanager
def failing(
    turn: int,
    error: BaseException,
    names: tuple[str, ...] = WRITING,
    *,
    from_then_on: bool = False,
    after: bool = False,
) -> Iterator[Calls]:
    """Within, the `turn`-th call (from 1; 0 for none) of the named ones raises `error`.

    With `from_then_on` all later ones do as well; with `after` the call is carried out first.
    """
    calls = Calls()

    def watched(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            calls.made.append(name)
            if name in ("fsync", "fdatasync"):
                calls.flushed.append(args[0])
            due = len(calls.made) == turn or (from_then_on and 0 < turn <= len(calls.made))
            if due and after:
                real(*args, **more)
            if due:
                raise error
            return real(*args, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setattr(os, name, watched(name, getattr(os, name)))
        yield calls
