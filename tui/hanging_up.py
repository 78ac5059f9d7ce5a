"""The terminal that goes away: a closed window, a dropped line, a server that was killed.

The system tells that only to whom the terminal controls, and only once. Whoever goes on reading a terminal that is gone
reads an end without end, and whoever writes to it may wait for ever; so it is looked out for apart from both.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time

GRACE = 3.0
"""Seconds in which the program can end by itself. Nothing is to be saved: what was ordered is on disk already."""

HUNG_UP = 128 + 1
"""What shells expect of a program that ended since its terminal hung up."""


def heed_hang_up(descriptor: int = 0) -> None:
    """From now on end soon after this terminal has gone away, as on SIGHUP, and in any case after `GRACE`.

    Does nothing where the descriptor is no terminal, or the system cannot tell.
    """
    if not hasattr(select, "poll"):
        return
    try:
        watched = os.dup(descriptor) if os.isatty(descriptor) else -1
    except OSError:
        return
    if watched >= 0:
        threading.Thread(target=_end_with, args=(watched,), name="hang-up", daemon=True).start()


def _end_with(terminal: int) -> None:
    line = select.poll()
    line.register(terminal, 0)
    gone = any(told & (select.POLLHUP | select.POLLERR) for _, told in line.poll())
    if not gone:  # a system that cannot tell
        return
    os.kill(os.getpid(), signal.SIGHUP)
    time.sleep(GRACE)
    os._exit(HUNG_UP)
