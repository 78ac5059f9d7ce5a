"""An army list on its way into the battle: what was read beside what it leaves open; Enter brings it in."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from engine.army_list import ArmyList
from engine.enlisting import Plan, answered, earlier_import, enlisted, planned
from engine.entries import OrderEntry
from engine.refusals import Refusal
from engine.ruleset import Cell, Enlistment, Field, FieldOption, Form
from engine.wording import clean
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.faults import Fault
from tui.bars import KeyBar, MessageLine
from tui.dialog import Dialog
from tui.form_screen import Give, SheetPane
from tui.form_sheet import Sheet
from tui.import_words import plan_cells, read_cells
from tui.key_bindings import bindings
from tui.preview_pane import PreviewPane
from tui.roster_screen import RosterScreen

HOW = (
    FieldOption("update", "change what is new in it"),
    FieldOption("again", "muster all of it once more"),
)


def import_into(app: App[Any], battle: OpenBattle, give: Give) -> None:
    """Ask for a list's file, then what the list leaves open; `give` brings it into the battle."""

    def opened(army: ArmyList | None) -> None:
        if army is not None:
            app.push_screen(ImportScreen(battle, army, give))

    screen: Screen[ArmyList | None] = RosterScreen()
    app.push_screen(screen, opened)


class ImportScreen(Dialog[OrderEntry | None]):
    """What was read, what is asked, and what would change. Nothing is written before Enter."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("import")

    def __init__(self, battle: OpenBattle, army: ArmyList, give: Give) -> None:
        super().__init__()
        self._battle = battle
        self._army = army
        self._give = give
        self._sheet = Sheet({})
        self._pane = SheetPane(f"Import: {clean(army.origin.name)}", self._sheet)
        self._preview = PreviewPane()
        self._message = MessageLine(id="message")
        self._keys = KeyBar(id="keys")
        self._side = ""
        self._plan: Plan | None = None
        self._told: tuple[Cell, ...] = ()
        self._done = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog form"):
            with Horizontal(id="form"):
                yield self._pane
                yield self._preview
            yield self._message
            yield self._keys

    def on_mount(self) -> None:
        self._pane.focus()
        self._sheet.at = ("side", None)
        self._ask()

    # What is asked

    def _chosen_side(self) -> str:
        """As chosen, else the one that imported this list before, else the first that has nobody yet."""
        sides = self._battle.history.header.sides
        if self._sheet.given.get("side") in sides:
            return str(self._sheet.given["side"])
        history = self._battle.history
        before = [side for side in sides if earlier_import(history.state, side, self._army)]
        if before:
            return before[0]
        there = {history.rules.side_of(history.state, unit) for unit in history.rules.names(history.state)}
        return next((side for side in sides if side not in there), sides[0])

    def _ask(self) -> None:
        """Make the form and the plan of what is answered so far."""
        history, army = self._battle.history, self._army
        rules, state, catalogue = history.rules, history.state, armoury(history.rules.armoury)
        side = self._chosen_side()
        before = earlier_import(state, side, army)
        earlier = None if self._sheet.given.get("how") == "again" else before
        try:
            if side != self._side:
                self._side = side
                self._recall(answered(rules, state, army, side, {}, catalogue, earlier)[1])
            answers = {name: value for name, value in self._sheet.given.items() if name not in ("side", "how")}
            enlistment = enlisted(rules, state, army, side, answers, catalogue, earlier)
            self._plan = planned(rules, state, army, side, enlistment, earlier, answers)
        except Refusal as refusal:
            self._plan = None
            enlistment = Enlistment((), (), (), ())
            self._told = (*read_cells(army), Cell(""), Cell(refusal.message, "bad"))
        else:
            self._told = (*read_cells(army), *plan_cells(army, enlistment, self._plan))
        self._sheet.take(Form("import", "Import", (*self._own_fields(side, before is not None), *enlistment.fields)))
        self._pane.show_sheet()
        self._show_preview(afresh=True)

    def _recall(self, given: dict[str, Any]) -> None:
        """Begin with the answers of the import before."""
        own = {name: value for name, value in self._sheet.given.items() if name in ("side", "how")}
        self._sheet.given.clear()
        self._sheet.given.update({**given, **own})

    def _own_fields(self, side: str, known: bool) -> list[Field]:
        sides = tuple(FieldOption(each, each) for each in self._battle.history.header.sides)
        fields = [Field("side", "Side", "choice", side, sides)]
        if known:
            how = self._sheet.given.get("how", "update")
            fields.append(Field("how", "Imported before", "choice", how, HOW))
        return fields

    def on_sheet_pane_changed(self) -> None:
        self._message.say("")
        self._ask()

    def on_lines_moved(self) -> None:
        self._show_keys()

    def on_resize(self) -> None:
        self._show_keys()

    def on_preview_pane_widened(self) -> None:
        self._show_preview()

    # Showing

    def _show_preview(self, afresh: bool = False) -> None:
        if not self._preview.size.width:
            return
        self.query_one("#form").styles.height = "1fr" if self._low() else self.app.size.height - 8
        self._preview.show_cells(self._told, afresh)
        self._preview.fit(self._preview.size.height)
        self._show_keys()

    def _low(self) -> bool:
        return not (self.has_class("-wide") or self.has_class("-huge"))

    def _show_keys(self) -> None:
        bar, field = self._keys, self._sheet.field
        keys = [(bar.named("import.give"), "import"), (bar.named("sheet.up", "sheet.down"), "move")]
        if field is not None and field.kind in ("choice", "flag", "number"):
            keys.append((bar.named("sheet.left", "sheet.right"), "choose"))
        elif field is not None:
            keys.append(("a-z", "type"))
        if self._preview.hidden:
            keys.append((bar.named("import.more", "import.back"), "more of what was read"))
        bar.show_keys(tuple(keys), ((bar.named("import.leave"), "leave"),))

    def action_scroll(self, step: int) -> None:
        """Bring the next or the last part of what was read into sight."""
        self._preview.scroll_lines(step)

    # Bringing it in

    def action_give(self) -> None:
        if self._done:
            return
        faults = self._sheet.faults()
        if faults:
            self._message.say(faults[0], "bad")
        elif self._plan is None or self._plan.order is None:
            known = self._plan is not None and self._plan.earlier is not None
            self._message.say("Nothing in the list is new." if known else "There is nothing to import as it stands.")
        else:
            self.run_worker(self._given(self._plan.order), group="give", exclusive=True)

    async def _given(self, order: Any) -> None:
        try:
            entry = await self._give(order)
        except Refusal as refusal:
            self._message.say(refusal.message, "bad", refusal.clause)
        except Fault as fault:
            self._message.say(str(fault), "fault")
        else:
            if entry is not None:
                self._done = True
                self.dismiss(entry)

    def action_leave(self) -> None:
        self.dismiss(None)
