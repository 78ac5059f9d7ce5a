"""Lines in, lines out: from a script, from a dumb terminal, or from one where a line can be edited.

Nothing but text and line ends is ever written.
"""

from __future__ import annotations

import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from engine.refusals import Refusal
from engine.wording import clean
from saves.faults import Unreadable

PROMPT = "> "
LONGEST = 1 << 16
"""The most characters one line may have."""

TICK = 0.5
"""Seconds between looks for a signal that came just before a line was waited for: waiting would not notice it."""

HISTORY = 500
"""So many lines are kept to be called back."""


class Left(Exception):  # noqa: N818  nothing went wrong
    """The program was asked to end from outside."""


class Signals:
    """Signals take effect only while a line is waited for: an order on its way to the disk is never cut short."""

    def __init__(self) -> None:
        self._waiting = False
        self._interrupted = False
        self._ended = False
        self._raised: BaseException | None = None
        self._before: dict[int, Any] = {}

    @property
    def pending(self) -> bool:
        """Whether somebody wants what is being reckoned to stop."""
        return self._interrupted or self._ended

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Listen to signals within."""
        heard = {"SIGINT": self._interrupt, "SIGTERM": self._end, "SIGHUP": self._end, "SIGALRM": self._look}
        for name, handler in heard.items():
            number = getattr(signal, name, None)  # not every system has them all
            if number is not None:
                with suppress(ValueError):  # signals belong to the main thread
                    self._before[number] = signal.signal(number, handler)
        try:
            yield
        finally:
            for number, before in self._before.items():
                signal.signal(number, before)
            self._before.clear()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While a line is waited for: raises KeyboardInterrupt or Left, also for a signal that came before."""
        self._waiting = True
        try:
            self._tick(TICK)
            self._heed()
            yield
        finally:
            self._waiting, self._raised = False, None
            self._tick(0)

    def forget_interrupt(self) -> None:
        """What was interrupted has stopped."""
        self._interrupted = False

    def _tick(self, seconds: float) -> None:
        """Look every so many seconds, 0 for no more; only where the signal for it is listened to."""
        if getattr(signal, "SIGALRM", None) in self._before:
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self._waiting:
            self._heed()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self._interrupted = True
        if self._waiting:
            self._heed()

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ended = True
        if self._waiting:
            self._heed()

    def _heed(self) -> None:
        """Raise what a signal asks for. Of several at once each raises the same: one must not undo another.

        The exception is made once: where one is on its way already the interpreter makes no other.
        """
        if self._raised is None and self._ended:
            self._raised = Left()
        elif self._raised is None and self._interrupted:
            self._interrupted = False
            self._raised = KeyboardInterrupt()
        if self._raised is not None:
            raise self._raised


class Talk(ABC):
    """A conversation in lines. `by_hand` tells that somebody types, `number` counts the lines read."""

    by_hand = True

    def __init__(self) -> None:
        self.signals = Signals()
        self.number = 0

    def tell(self, *lines: str) -> None:
        """Say these lines, each a thought of its own."""
        for line in lines:
            print(clean(line).rstrip(), flush=True)

    def read(self) -> str | None:
        """The next line, None at the end.

        Raises KeyboardInterrupt and Left, Refusal (`order`) for a line that is too long, and Unreadable.
        """
        self.number += 1
        with self.signals.waiting():
            line = self._read()
        self.number -= line is None
        return line

    @abstractmethod
    def _read(self) -> str | None:
        """Wait for a line."""

    def offer(self, words: Callable[[], Iterable[str]]) -> None:  # noqa: B027  most cannot complete
        """What the word being typed may become, where words can be completed."""


class Script(Talk):
    """Lines from a file or a pipe; nothing asks for them."""

    by_hand = False

    def _read(self) -> str | None:
        return _line_of_input()


class DumbTerminal(Talk):
    """Somebody types at a terminal that can do nothing but print."""

    def _read(self) -> str | None:
        print(PROMPT, end="", flush=True)
        line = _line_of_input()
        if line is None:
            print(flush=True)
        return line


class EditedTerminal(Talk):
    """Somebody types at a terminal; lines can be edited, called back and completed."""

    def __init__(self) -> None:
        super().__init__()
        # A terminal that is taken for a dumb one is sent no control sequences, and lines can be edited all the same.
        os.environ["TERM"] = "dumb"
        import readline

        self._readline = readline
        self._words: Callable[[], Iterable[str]] = tuple
        for setting in ("bell-style none", "enable-bracketed-paste off", "page-completions off"):
            readline.parse_and_bind(f"set {setting}")
        readline.parse_and_bind("set completion-query-items -1")
        readline.parse_and_bind("tab: complete")
        readline.set_completer_delims(" ,")
        readline.set_completer(self._completed)
        readline.set_completion_display_matches_hook(self._show_matches)
        readline.set_history_length(HISTORY)
        with suppress(AttributeError, ValueError):
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]

    def offer(self, words: Callable[[], Iterable[str]]) -> None:
        self._words = words

    def _read(self) -> str | None:
        try:
            return input(PROMPT)[:LONGEST]
        except EOFError:
            print(flush=True)
            return None

    def _completed(self, text: str, at: int) -> str | None:
        """The `at`th word that the one being typed may become; readline asks until there is none."""
        found = [word for word in self._words() if word.casefold().startswith(text.casefold())]
        return f"{found[at]} " if at < len(found) else None

    def _show_matches(self, text: str, matches: Sequence[str], longest: int) -> None:
        shown = ", ".join(clean(match).strip() for match in matches)
        print(f"\n{shown}\n{PROMPT}{clean(self._readline.get_line_buffer())}", end="", flush=True)


def _line_of_input() -> str | None:
    """A line of standard input without its end, whatever bytes are in it."""
    if sys.stdin is None:
        return None
    try:
        line = rest = sys.stdin.buffer.readline(LONGEST)
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(LONGEST)
    except OSError as error:
        raise Unreadable(f"standard input cannot be read: {error.strerror or error}") from None
    if rest is not line:
        raise Refusal("order", "this line is longer than any order")
    return line.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n") if line else None


def talk_here() -> Talk:
    """The way to talk with whoever is there."""
    if not (_terminal(sys.stdin) and _terminal(sys.stdout)):
        return Script() if not _terminal(sys.stdin) else DumbTerminal()
    if os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return DumbTerminal()
    try:
        return EditedTerminal()
    except ImportError:  # a Python without readline
        return DumbTerminal()


def _terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()
