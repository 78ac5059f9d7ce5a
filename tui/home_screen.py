"""Home: the battles in the library, a new one, those that come with the program, and saves from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType

from engine.ruleset import Cell
from saves.battle import OpenBattle
from saves.faults import Damaged, Fault, Unreadable
from saves.library import Shelved, copy_example, default_folder, examples, plain_name
from tui.actions import NamedAction
from tui.bars import KeyBar
from tui.battle_list import shown_name
from tui.battle_screen import BattleScreen
from tui.help_page import place_cells
from tui.key_bindings import bindings
from tui.library_screen import LibraryScreen
from tui.new_battle_screen import NewBattleScreen
from tui.picker_screen import Pick, PickerScreen, numbered
from tui.reading_screen import ReadingScreen
from tui.settings import Settings, keymap_of

INTRODUCTION = (
    Cell("The battles in the library, the one played last on top.", "strong"),
    Cell("Nothing has ever to be saved: every order is on disk before it is shown as done."),
    Cell("A ! marks a battle that is damaged: it opens as far as it is sound, and can be repaired into a new file."),
    Cell("A search takes words, and name:, side: or rules: with a name or a part of it behind."),
    Cell(""),
)

NO_BATTLE = "No battle yet: n begins one, d shows one."


class HomeScreen(LibraryScreen):
    """The library. Battles opened from here come back to it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("home")
    PLACE = "home"

    def __init__(self, folder: Path | None = None, *, name: str = "") -> None:
        super().__init__("Battles", NO_BATTLE)
        self._folder = folder
        self._by = name
        self._open: OpenBattle | None = None
        self.path_typed = ""
        self.last_path: Path | None = None

    @property
    def where(self) -> Path:
        return self._folder or default_folder()

    @property
    def listed(self) -> Path | None:
        return None if self.where == default_folder() else self._folder

    def works_now(self, action: NamedAction) -> bool:
        match action.name:
            case "rename" | "trash" | "replay" | "import_list":
                return self._pane.battle is not None
            case "repair":
                return self._pane.battle is not None and self._pane.battle.damaged
            case _:
                return super().works_now(action)

    def on_mount(self) -> None:
        settings = getattr(self.app, "settings", None)
        if isinstance(settings, Settings) and settings.problems:
            self.say(settings.problems[0], "warning")

    def on_unmount(self) -> None:
        if self._open is not None:
            self._open.close()

    # Opening

    def on_lines_chosen(self) -> None:
        each = self._pane.battle
        if each is None:
            return
        if each.damaged and each.rules is not None:
            self._open_damaged(each)
        else:
            self._show_battle(Path(each.file))

    def _open_damaged(self, each: Shelved) -> None:
        """Ask whether to open what is sound of it; a torn end is none of that: the next order mends it."""
        path = Path(each.file)
        try:
            OpenBattle.open(path).close()
        except Damaged as damaged:
            self._ask_how(each, str(damaged))
        except Fault as fault:
            self._tell_and_list(fault)
        else:
            self._show_battle(path)

    def _ask_how(self, each: Shelved, why: str) -> None:
        from saves.taking_in import losses

        path = Path(each.file)
        picks = (
            Pick("read", "o", f"Open it up to entry {each.entries}, for reading only"),
            Pick("repair", "r", "Repair: save what is sound into a new file, leave this one as it is"),
        )

        def answered(answer: str | None) -> None:
            if answer == "read":
                self._show_battle(path, read_only=True)
            elif answer == "repair":
                self._repair(path)

        told = why.partition(";")[0].replace(str(path), plain_name(path))
        question = f"{told}. If it is repaired: {losses(path)}"
        self.app.push_screen(PickerScreen(f"Damaged: {shown_name(each)}", question, picks), answered)

    def _show_battle(self, path: Path, read_only: bool = False) -> None:
        try:
            battle = _opened(path, read_only)
        except Fault as fault:
            self._tell_and_list(fault)
            return
        self._open, self.last_path = battle, path
        self.app.push_screen(BattleScreen(battle, name=self._by), self._back)

    def _tell_and_list(self, fault: Fault) -> None:
        """A file may be gone by now, or another one: say what is wrong and show what there is."""
        self.list_battles()
        self.say(str(fault), "fault")

    def _back(self, result: None) -> None:
        writable = self._open is not None and not self._open.read_only
        if self._open is not None:
            self._open.close()
            self._open = None
        self.list_battles(self._select_last)
        self.say("Saved." if writable else "Nothing was changed.")

    def action_replay(self) -> None:
        """Look at the selected battle from its beginning; it is opened for reading only."""
        each = self._chosen("Replay")
        if each is None:
            return
        from tui.replay_screen import ReplayScreen

        path = Path(each.file)
        try:
            battle = _opened(path, read_only=True)
        except Fault as fault:
            self._tell_and_list(fault)
            return
        self._open, self.last_path = battle, path
        self.app.push_screen(ReplayScreen(battle, name=self._by), self._back)

    def _select_last(self) -> None:
        if self.last_path is not None:
            self._pane.select(str(self.last_path))
        self.show_chosen()

    # A new battle, a demo, a save from elsewhere

    def action_new(self) -> None:
        with self.faults_told():
            self.app.push_screen(NewBattleScreen(self.where), self._created)

    def _created(self, path: Path | None) -> None:
        if path is not None:
            self.list_battles()
            self._show_battle(path)

    def action_demo(self) -> None:
        names = examples()
        if not names:
            self.say("No battle comes with this version.")
        elif len(names) == 1:
            self._copy(names[0])
        else:
            self.app.push_screen(PickerScreen("Demo", "Which battle?", numbered(names)), self._picked_demo)

    def _picked_demo(self, place: str | None) -> None:
        if place is not None:
            self._copy(examples()[int(place)])

    def _copy(self, name: str) -> None:
        with self.faults_told():
            self._created(copy_example(name, self._folder))

    def action_take_in(self) -> None:
        from tui.taking_in import TakingIn

        with self.faults_told():
            TakingIn(self, self.where, self.show_new).ask()

    def action_import_list(self) -> None:
        """Open the battle under the cursor and bring an army list into it."""
        if self._pane.battle is None:
            self.say("Begin a battle first, then import into it.")
            return
        self._show_battle(Path(self._pane.battle.file))
        self.app.call_later(self._import_there)

    def _import_there(self) -> None:
        if isinstance(self.app.screen, BattleScreen):
            self.app.screen.action_act("import_list")

    def show_new(self, path: Path, told: str) -> None:
        """List anew, with the cursor on a file that was just made, and say so."""
        self._pane.set_search("")
        self.last_path = path
        self.list_battles(self._select_last)
        self.say(told, "good")

    # What is done to a battle

    def _chosen(self, what: str) -> Shelved | None:
        each = self._pane.battle
        if each is None:
            self.say(f"{what}: select a battle first.")
        return each

    def action_rename(self) -> None:
        each = self._chosen("Rename")
        if each is None:
            return
        from tui.line_screen import LineScreen

        path = Path(each.file)
        own = f" What is recorded in it, {each.name}, stays." if each.name != plain_name(path) else ""
        rename = self._renames(path)
        self.app.push_screen(LineScreen("Rename", f"The new name of its file.{own}", plain_name(path), rename))

    def _renames(self, path: Path) -> Callable[[str], None]:
        def rename(name: str) -> None:
            from saves.moving import renamed

            there = renamed(path, name)
            self.show_new(there, f"Its file is called {plain_name(there)}.")

        return rename

    def action_repair(self) -> None:
        each = self._chosen("Repair")
        if each is not None and each.damaged:
            self._repair(Path(each.file))
        elif each is not None:
            self.say("This battle is sound: there is nothing to repair.")

    def _repair(self, path: Path) -> None:
        from saves.taking_in import loss_words, repaired_beside

        with self.faults_told():
            new, repair = repaired_beside(path)
            self.show_new(new, f"A new file, {plain_name(new)}: {loss_words(repair)}")

    def action_trash(self) -> None:
        """Ask whether the battle under the cursor is to go into the trash."""
        each = self._chosen("Throw away")
        if each is None:
            return
        question = f"Move {shown_name(each)} into the trash? {self._trash_key} shows the trash, and gives it back."
        picks = (Pick("yes", "y", "Yes"), Pick("no", "n", "No"))

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self._throw_away(each)

        self.app.push_screen(PickerScreen("Throw away", question, picks), answered)

    @property
    def _trash_key(self) -> str:
        return self.query_one(KeyBar).named("home.show_trash")

    def _throw_away(self, each: Shelved) -> None:
        from saves.moving import thrown_away

        try:
            thrown_away(Path(each.file))
        except Fault as fault:
            self._tell_and_list(fault)
            return
        if self.last_path == Path(each.file):
            self.last_path = None
        self.list_battles()
        self.say(f"{shown_name(each)} lies in the trash: {self._trash_key} shows it.", "good")

    def action_show_trash(self) -> None:
        from tui.trash_screen import TrashScreen

        with self.faults_told():
            self.app.push_screen(TrashScreen(self.where), lambda _: self.list_battles())

    # Help and the way out

    def action_help(self) -> None:
        cells = (*INTRODUCTION, *place_cells(keymap_of(self.app), "home", "library", "pane", "app"))
        self.app.push_screen(ReadingScreen("Help", cells))

    def action_quit(self) -> None:
        self.app.exit(0)


def _opened(path: Path, read_only: bool) -> OpenBattle:
    """The battle: for reading only where it is damaged or its file cannot be written, and then it says why."""
    why = "headsdown repair saves what is sound into a new file"
    if not read_only:
        try:
            return OpenBattle.open(path)
        except Unreadable as fault:
            if not os.access(path, os.R_OK):
                raise
            why = f"{fault}; it is open for reading only"
    battle = OpenBattle.open(path, read_only=True)
    battle.warning = f"{battle.warning}; {why}" if battle.warning else why
    return battle
