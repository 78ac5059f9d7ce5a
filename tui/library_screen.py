"""A screen with a list of battles: what is known of the one under the cursor, search, and sorting. Home and trash."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from saves import shelf
from saves.faults import Fault, Stopped
from saves.library import SUFFIX, Shelved, battles
from tui.actions import NamedAction, actions_of
from tui.bars import Bar, Key, KeyBar, MessageLine, StateLine
from tui.battle_list import ORDERS, BattleList, about_lines
from tui.key_bindings import bindings
from tui.picker_screen import Pick, PickerScreen
from tui.settings import keymap_of

TELL_SECONDS = 0.2
"""How often it is told how far a long reading is."""

LAST = ("help", "palette", "quit", "leave")
"""What stands at the end of the key bar."""


class LibraryScreen(Screen[None]):
    """The battles of one folder. Its kinds say which folder, and what can be done to a battle."""

    AUTO_FOCUS = "BattleList"
    BINDINGS: ClassVar[list[BindingType]] = bindings("library")
    PLACE = ""
    """The place in the table of actions whose keys it has beside those of every list of battles."""

    chooses = "Open"
    """What Enter does."""

    def __init__(self, title: str, empty: str) -> None:
        super().__init__()
        self._pane = BattleList(title, id="battles", empty=empty)
        self._leaving = False
        self._read = (0, 0)

    @property
    def where(self) -> Path:
        """The folder that is shown. Raises Fault where it cannot be told."""
        raise NotImplementedError

    @property
    def listed(self) -> Path | None:
        """The folder as it is to be listed: None for the library, which need not be there yet."""
        return self.where

    def works_now(self, action: NamedAction) -> bool:
        """Whether the key bar names an action now."""
        match action.name:
            case "find_before" | "find_next":
                return bool(self._pane.sought)
            case "filter" | "find" | "sort":
                return bool(self._pane.every)
            case _:
                return action.name not in LAST

    def compose(self) -> ComposeResult:
        yield StateLine(id="state")
        yield self._pane
        yield Bar(id="about")
        yield MessageLine(id="message")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.list_battles()

    def on_unmount(self) -> None:
        self._leaving = True

    def on_resize(self) -> None:
        try:
            where = str(self.where)
        except Fault as fault:
            where = ""
            self.say(str(fault), "fault")
        self.query_one(StateLine).show_state("headsdown", where, (), self.app.size.width)
        self.show_chosen()

    def on_lines_moved(self) -> None:
        self.show_chosen()

    def show_chosen(self) -> None:
        """Show what is known of the battle under the cursor, and the keys."""
        each = self._pane.battle
        lines = about_lines(each, max(10, self.app.size.width - 3)) if each else ()
        tone = "bad" if each and each.damaged else "dim"
        self.query_one("#about", Bar).set_lines(tuple(((f"  {line}", tone),) for line in lines))
        bar = self.query_one(KeyBar)
        actions = (*actions_of(self.PLACE), *actions_of("library"))
        keys = [(bar.named("pane.choose"), self.chooses)] if each else []
        keys += [self._key(bar, action) for action in actions if self.works_now(action)]
        last = sorted((action for action in actions if action.name in LAST), key=lambda each: LAST.index(each.name))
        bar.show_keys(tuple(keys), tuple(self._key(bar, action) for action in last))

    @staticmethod
    def _key(bar: KeyBar, action: NamedAction) -> Key:
        return bar.named(action.id), action.label

    def say(self, text: str, tone: str = "plain") -> None:
        """Answer the last key."""
        self.query_one("#message", MessageLine).say(text, tone)

    @contextmanager
    def faults_told(self) -> Iterator[None]:
        """Do what the file or the folder may forbid; why they do is said below the list."""
        try:
            yield
        except Fault as fault:
            self.say(str(fault), "fault")

    # Listing

    def list_battles(self, then: Callable[[], None] = lambda: None) -> None:
        """Show what is in the folder now. A large one that is not known yet takes a while: that happens aside."""
        if self._count() < shelf.FEW:
            with self.faults_told():
                self._take(battles(self.listed))
            then()
        else:
            self.run_worker(self._list_aside(then), group="list", exclusive=True)

    def _count(self) -> int:
        try:
            return sum(name.endswith(SUFFIX) for name in os.listdir(self.where))
        except (OSError, Fault):
            return 0

    async def _list_aside(self, then: Callable[[], None]) -> None:
        reading = asyncio.create_task(asyncio.to_thread(battles, self.listed, self._heard))
        while not reading.done():
            await asyncio.wait({reading}, timeout=TELL_SECONDS)
            done, of = self._read
            if not reading.done() and not self._pane.every:
                self.say(f"Reading {of} battles: {done} are read ...")
        if not self._pane.every:
            self.say("")
        try:
            found = reading.result()
        except Stopped:
            return
        except Fault as fault:
            self.say(str(fault), "fault")
            return
        self._take(found)
        then()

    def _heard(self, done: int, of: int) -> None:
        """Told by the listing, in its own thread, how far it is."""
        if self._leaving:
            raise Stopped
        self._read = (done, of)

    def _take(self, found: tuple[Shelved, ...]) -> None:
        self._pane.show_battles(found)
        self.show_chosen()

    # Searching and sorting

    def action_filter(self) -> None:
        from tui.filter_screen import FilterScreen

        words = ("keep", "show all")
        self.app.push_screen(FilterScreen("/", self._pane.search, self._searched, self._pane.offered, words))

    def _searched(self, text: str) -> None:
        self._pane.set_search(text)
        self.show_chosen()

    def action_find(self) -> None:
        from tui.filter_screen import FilterScreen

        words = ("go there", "search no more")
        self.app.push_screen(FilterScreen("find:", self._pane.sought, self._sought, self._pane.offered, words))

    def _sought(self, text: str) -> None:
        self._pane.find(text)
        self.show_chosen()

    def action_find_on(self, step: int) -> None:
        if not self._pane.sought:
            self.say(f"Nothing is searched for: {self.query_one(KeyBar).named('library.find')} finds.")
        elif not self._pane.find_on(step):
            self.say(f"No battle matches {self._pane.sought}.", "warning")

    def action_sort(self) -> None:
        picks = tuple(Pick(name, title[0].casefold(), title) for name, (title, _) in ORDERS.items())
        question = "By what? The same once more turns it round."
        self.app.push_screen(PickerScreen("Sort", question, picks, chosen=self._pane.order), self._sorted)

    def _sorted(self, order: str | None) -> None:
        if order is not None:
            self._pane.sort_by(order)
            self.show_chosen()

    # All actions by name

    def action_palette(self) -> None:
        keymap = keymap_of(self.app)
        picks = tuple(Pick(action.id, keymap.shown(action), action.label) for action in self._every_action())
        self.app.push_screen(PickerScreen("All actions", "Search:", picks, search=True), self._picked)

    def _every_action(self) -> tuple[NamedAction, ...]:
        return (*actions_of(self.PLACE), *actions_of("library"), *actions_of("app"))

    async def _picked(self, name: str | None) -> None:
        for action in self._every_action():
            if action.id == name:
                await self.run_action(f"{'app.' if action.place == 'app' else ''}{action.does}")
