"""Keys in the order in which they were pressed, however fast they come: each is through before the next begins.

Textual hands a letter to the field in focus at once and a key that means something to the app around it; of several
keys that arrive together, as over a slow line, the letters would overtake the others, and a key would still reach a
dialog that another one has just closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

from textual import events
from textual.app import App
from textual.keys import key_to_character
from textual.message_pump import MessagePump

Typed: TypeAlias = events.Key | events.Paste

PATIENCE = 5.0
"""Seconds after which a key is no longer held back by what the one before it began."""

MOST = 2_000
"""Keys that wait at most; whoever sends more than fingers can type loses what is beyond."""

ROUNDS = 6
"""How often it is looked at whether another screen has opened."""


class TypeAhead:
    """The keys that wait for their turn."""

    def __init__(self, app: App[Any], begin: Callable[[Typed], Awaitable[None]]) -> None:
        """`begin` hands a key to whatever is in focus."""
        self._app = app
        self._begin = begin
        self._waiting: asyncio.Queue[Typed] = asyncio.Queue()
        self._at_work = False

    def add(self, typed: Typed) -> None:
        """Take a key in. Escape and another key that arrived as one, with alt, are two again."""
        if self._waiting.qsize() >= MOST:
            return
        if isinstance(typed, events.Key) and typed.key.startswith("alt+"):
            name = typed.key.removeprefix("alt+")
            self._waiting.put_nowait(events.Key("escape", None))
            self._waiting.put_nowait(events.Key(name, name if len(name) == 1 else key_to_character(name)))
        else:
            self._waiting.put_nowait(typed)

    async def run(self) -> None:
        """Hand the keys on, one by one, for as long as the app runs."""
        while True:
            typed = await self._waiting.get()
            self._at_work = True
            target = self._app.focused or self._app.screen
            await self._begin(typed)
            await self._through(target)
            await self._settled()
            self._at_work = False

    @property
    def busy(self) -> bool:
        """Whether a key is on its way or waits."""
        return self._at_work or not self._waiting.empty()

    async def _through(self, node: MessagePump | None) -> None:
        """Wait until a key that was handed to `node` has gone all the way up from it."""
        while node is not None:
            done = asyncio.Event()
            if node.is_running and node.call_later(done.set):
                while not done.is_set() and node.is_running:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(done.wait(), 0.05)
            node = node._parent

    async def _settled(self) -> None:
        """Wait until a screen that was opened is there and an order that was given is on disk, or asks something."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        for _ in range(ROUNDS):
            before = self._app.screen
            await self._through(before)
            while self._giving() and loop.time() < deadline:
                await asyncio.sleep(0.002)
            if self._app.screen is before:
                return

    def _giving(self) -> bool:
        """Whether an order is on its way and nobody is asked anything."""
        if getattr(self._app.screen, "awaits_answer", False):
            return False
        return any(worker.group == "give" and not worker.is_finished for worker in self._app.workers)
