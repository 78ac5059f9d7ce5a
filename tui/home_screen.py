"""Home: the battles in the library, a new one, and those that come with the program."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from engine.refusals import Refusal
from engine.registered import rule_set
from engine.ruleset import Cell, Column, Row, Table
from saves.battle import OpenBattle
from saves.faults import Fault
from saves.library import Shelved, battles, copy_example, default_folder, examples, plain_name
from tui.bars import KeyBar, MessageLine, StateLine
from tui.battle_screen import BattleScreen
from tui.help_page import place_cells
from tui.key_bindings import bindings
from tui.line_pane import TablePane
from tui.moments import moment
from tui.new_battle_screen import NewBattleScreen
from tui.picker_screen import PickerScreen, numbered
from tui.reading_screen import ReadingScreen
from tui.settings import keymap_of

COLUMNS = (
    Column("Battle", 0),
    Column("Sides", 24, rank=1),
    Column("Turn", 4, right=True),
    Column("Rules", 18, rank=2),
    Column("Changed", 16, rank=1),
)

INTRODUCTION = (
    Cell("The battles in the library, the one played last on top.", "strong"),
    Cell("Nothing has ever to be saved: every order is on disk before it is shown as done."),
    Cell(""),
)


class HomeScreen(Screen[None]):
    """The library. Battles opened from here come back to it."""

    AUTO_FOCUS = "#battles"
    BINDINGS: ClassVar[list[BindingType]] = bindings("home")

    def __init__(self, folder: Path | None = None, *, name: str = "") -> None:
        super().__init__()
        self._folder = folder
        self._by = name
        self._pane = TablePane("Battles", id="battles", empty="No battle yet: n begins one, d shows one.")
        self._open: OpenBattle | None = None
        self.last_path: Path | None = None

    def compose(self) -> ComposeResult:
        yield StateLine(id="state")
        yield self._pane
        yield MessageLine(id="message")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._list()

    def on_resize(self) -> None:
        where = str(self._folder or default_folder())
        self.query_one(StateLine).show_state("headsdown", where, (), self.app.size.width)
        bar = self.query_one(KeyBar)
        keys = (
            (bar.named("pane.choose"), "Open"),
            (bar.named("home.new"), "New battle"),
            (bar.named("home.import_list"), "Import"),
            (bar.named("home.demo"), "Demo"),
        )
        bar.show_keys(keys, ((bar.named("home.help"), "Help"), (bar.named("home.quit"), "Quit")))

    def _say(self, text: str, tone: str = "plain") -> None:
        self.query_one("#message", MessageLine).say(text, tone)

    def _list(self) -> None:
        try:
            # The library itself may not be there yet; a folder that was named has to be.
            shelved = battles(None if self._folder == default_folder() else self._folder)
        except Fault as fault:
            self._say(str(fault), "fault")
            return
        names = Counter(each.name for each in shelved)
        self._pane.show_table(Table(COLUMNS, tuple(_row(each, names[each.name] > 1) for each in shelved)))

    # Opening

    def on_lines_chosen(self) -> None:
        if self._pane.selected is not None:
            self._show_battle(Path(self._pane.selected))

    def _show_battle(self, path: Path) -> None:
        try:
            battle = OpenBattle.open(path)
        except Fault as fault:
            self._say(str(fault), "fault")
            return
        self._open, self.last_path = battle, path
        self.app.push_screen(BattleScreen(battle, name=self._by), self._back)

    def _back(self, result: None) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None
        self._list()
        if self.last_path is not None:
            self._pane.select(str(self.last_path))
        self._say("Saved.")

    def on_unmount(self) -> None:
        if self._open is not None:
            self._open.close()

    # New and demo

    def action_new(self) -> None:
        self.app.push_screen(NewBattleScreen(self._folder or default_folder()), self._created)

    def _created(self, path: Path | None) -> None:
        if path is not None:
            self._list()
            self._show_battle(path)

    def action_demo(self) -> None:
        names = examples()
        if not names:
            self._say("No battle comes with this version.")
        elif len(names) == 1:
            self._copy(names[0])
        else:
            self.app.push_screen(PickerScreen("Demo", "Which battle?", numbered(names)), self._picked)

    def _picked(self, place: str | None) -> None:
        if place is not None:
            self._copy(examples()[int(place)])

    def _copy(self, name: str) -> None:
        try:
            path = copy_example(name, self._folder)
        except Fault as fault:
            self._say(str(fault), "fault")
            return
        self._created(path)

    def action_import_list(self) -> None:
        """Open the battle under the cursor and bring an army list into it."""
        if self._pane.selected is None:
            self._say("Begin a battle first, then import into it.")
            return
        self._show_battle(Path(self._pane.selected))
        self.app.call_later(self._import_there)

    def _import_there(self) -> None:
        if isinstance(self.app.screen, BattleScreen):
            self.app.screen.action_act("import_list")

    def action_help(self) -> None:
        cells = (*INTRODUCTION, *place_cells(keymap_of(self.app), "home", "pane", "app"))
        self.app.push_screen(ReadingScreen("Help", cells))

    def action_quit(self) -> None:
        self.app.exit(0)


def _row(each: Shelved, by_file: bool = False) -> Row:
    """The line of a battle; with `by_file` its file is named too, since another one has the same name."""
    changed = moment(each.changed)
    if each.rules is None:
        problem = Cell(f"{each.name}: {each.problem}", "bad")
        return Row(each.file, (problem,), urgent=True)
    state = "ended" if each.turn is None else str(each.turn)
    name = f"{each.name} [{plain_name(Path(each.file))}]" if by_file else each.name
    name = f"{name} (damaged)" if each.damaged else name
    cells = (
        Cell(name, "bad" if each.damaged else "plain"),
        Cell(" - ".join(each.sides)),
        Cell(state),
        Cell(_title(each.rules), "dim"),
        Cell(changed, "dim"),
    )
    return Row(each.file, cells, urgent=each.damaged)


def _title(rules: str) -> str:
    try:
        return rule_set(rules).title
    except Refusal:
        return rules
