"""The replay: a battle as it stood at any of its moments. Only bookmarks, notes and going on from there write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.entries import LONGEST_NOTE, BookmarkEntry
from engine.wording import counted
from saves.battle import OpenBattle
from saves.continuing import continue_from, default_name
from saves.creating import LONGEST_NAME
from tui.actions import NamedAction
from tui.changes_page import moment_words
from tui.line_screen import LineScreen
from tui.opening import BattleWanted
from tui.picker_screen import PickerScreen, numbered
from tui.played_replay import PlayedReplay


class ReplayScreen(PlayedReplay):
    """One battle looked at, from its beginning or from any moment on."""

    def __init__(
        self, battle: OpenBattle, at: int = 0, *, name: str = "", watch: bool = False, hides: bool = False
    ) -> None:
        """`at` is an entry; Refusal where there is none. With `hides` all that comes later is hidden to begin with."""
        super().__init__(battle, at, watch, hides)
        self._by = name

    def _in_bar(self, action: NamedAction) -> bool:
        if action.changes and self._watch:
            return False
        match action.name:
            case "bookmarks":
                return bool(self._bookmarks())
            case "unmark":
                return bool(self._here())
            case _:
                return super()._in_bar(action)

    def _only_watching(self) -> bool:
        if self._watch:
            self.say("You are watching: nothing can be changed from here.", "warning")
        return self._watch

    # Bookmarks and notes

    def _bookmarks(self) -> tuple[BookmarkEntry, ...]:
        """The bookmarks, those of later moments only where these are shown."""
        every = self._replay.history.bookmarks
        return tuple(mark for mark in every if not self._hides or mark.at <= self._replay.at)

    def _here(self) -> tuple[BookmarkEntry, ...]:
        return tuple(mark for mark in self._replay.history.bookmarks if mark.at == self._replay.at)

    @contextmanager
    def _writing(self) -> Iterator[OpenBattle]:
        """The battle, to be written to for as long as this takes; it is only read otherwise."""
        if not self.battle.read_only:
            yield self.battle
            return
        with OpenBattle.open(self.battle.path) as writing:
            writing.sit(self.battle.seat)
            yield writing
        self.battle.refresh()

    def _write(self, does: Callable[[OpenBattle], object], told: str) -> None:
        with self._refusals_told():
            with self._writing() as battle:
                does(battle)
            self._replay.history = self.battle.history
            self._show()
            self._moments.made_anew()
            self.say(told, "good")

    def _do_bookmark(self) -> None:
        at = self._replay.at
        if any(not mark.text for mark in self._here()):
            self.say(f"There is a bookmark here already. {self._keys.named('replay.unmark')} takes it away.")
            return
        self._write(lambda battle: battle.bookmark(at, by=self._by), f"A bookmark at {moment_words(at)}.")

    def _do_note(self) -> None:
        self._pause()
        self.app.push_screen(
            LineScreen("Note", f"What is to be remembered at {moment_words(self._replay.at)}?", most=LONGEST_NOTE),
            self._noted,
        )

    def _noted(self, text: str | None) -> None:
        at = self._replay.at
        if text and text.strip():
            self._write(lambda battle: battle.bookmark(at, text, by=self._by), f"A note at {moment_words(at)}.")

    def _do_unmark(self) -> None:
        here = self._here()
        if not here:
            self.say("There is no bookmark at this moment.")
            return

        def taken_away(battle: OpenBattle) -> None:
            for mark in here:
                battle.unmark(mark.n, by=self._by)

        self._write(taken_away, f"{counted(len(here), 'bookmark')} taken away.")

    def _do_bookmarks(self) -> None:
        marks = self._bookmarks()
        if not marks:
            key = self._keys.named("replay.bookmark")
            self.say(f"There are no bookmarks yet: {key} sets one.")
            return
        self._pause()
        picks = numbered(tuple(self._bookmark_words(mark) for mark in marks))
        self.app.push_screen(PickerScreen("Bookmarks", "", picks), self._to_bookmark(marks))

    def _bookmark_words(self, mark: BookmarkEntry) -> str:
        history = self._replay.history
        head = history.head_after(mark.at)
        where = history.title(head) if head else "the beginning"
        back = " (taken back)" if head not in (0, *history.path(history.head)) else ""
        return f"{mark.at:>4}  {mark.text or where}{back}"

    def _to_bookmark(self, marks: tuple[BookmarkEntry, ...]) -> Callable[[str | None], None]:
        def go(picked: str | None) -> None:
            if picked is not None:
                self._go(marks[int(picked)].at, "")

        return go

    # Going on

    def _do_continue(self) -> None:
        self._pause()
        question = f"A new battle from {moment_words(self._replay.at)}: what is it called?"
        name = default_name(self.battle, self._replay.at)
        self.app.push_screen(LineScreen("Continue", question, name, most=LONGEST_NAME, fresh=True), self._named_anew)

    def _named_anew(self, name: str | None) -> None:
        if name is None:
            return
        with self._refusals_told():
            path = continue_from(self.battle, self._replay.at, name)
            self._open_other(path)

    def _open_other(self, path: Path) -> None:
        """Play on in the new battle; leaving it comes back here."""
        self.post_message(BattleWanted(OpenBattle.open(path), self._by))
        self.say(f"The new battle is {path.name}.", "good")
