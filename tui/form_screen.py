"""The form of one order: what the rule set asks, what it makes of it so far, and the odds, before anything is given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.worker import Worker, WorkerState

from engine.entries import OrderEntry
from engine.odds import Cancelled
from engine.orders import odds_of
from engine.refusals import Refusal
from engine.ruleset import Action, Cell, Field
from engine.wording import clean
from saves.battle import OpenBattle
from saves.faults import Fault
from tui.actions import action_of
from tui.bars import KeyBar, MessageLine
from tui.columns import Run
from tui.dialog import Dialog
from tui.form_sheet import Sheet, SheetLine
from tui.key_bindings import bindings
from tui.keymap import shown_key
from tui.line_pane import GUTTER, Lines
from tui.preview_pane import Kept, PreviewPane, comparison
from tui.reading_screen import clause_screen
from tui.rulebook import named_clause
from tui.settings import keymap_of

Give: TypeAlias = Callable[[Any], Awaitable[OrderEntry | None]]
"""Gives an order, asking whatever has to be asked; None where the player gave it up."""


LEAST_HEIGHT = 12
FRAME_HEIGHT = 7
"""Lines around the fields of a form: state line, frame, message and keys."""


class SheetPane(Lines):
    """The fields of the form, with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("sheet")

    class Changed(Lines.Moved):
        """A value was changed: the form is to be asked for anew."""

    def __init__(self, title: str, sheet: Sheet) -> None:
        super().__init__(title, id="sheet")
        self.sheet = sheet
        self._made: list[SheetLine] = []

    def show_sheet(self) -> None:
        """Lay the form out anew and put the cursor's line in sight."""
        if not self.size.width:
            return  # not laid out yet: lines of a wrong width would be seen for a moment
        before = self._made
        self._made = self.sheet.lines(max(10, self.size.width - GUTTER))
        places = [at for at, line in enumerate(self._made) if line.stop == self.sheet.at]
        old, self.cursor = self.cursor, places[0] if places else -1
        if len(before) != len(self._made):
            self.lines_changed()
            return
        self.show_cursor()
        for at, (line, now) in enumerate(zip(before, self._made, strict=True)):
            if line != now or at in (old, self.cursor):
                self.refresh_index(at)

    def line_count(self) -> int:
        return len(self._made)

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        return self._made[index].runs

    def may_rest(self, index: int) -> bool:
        return self._made[index].stop is not None

    def note(self) -> str:
        hidden = self.line_count() - self._room()
        return "more below" if hidden > 0 and round(self.scroll_y) < hidden else ""

    def on_resize(self) -> None:
        self.show_sheet()
        super().on_resize()

    def on_click(self, event: events.Click) -> None:
        super().on_click(event)
        stop = self._made[self.cursor].stop if 0 <= self.cursor < len(self._made) else None
        if stop is not None:
            self.sheet.at = stop
            self.show_sheet()

    def on_key(self, event: events.Key) -> None:
        sheet, field = self.sheet, self.sheet.field
        if event.key == "backspace":
            changed = sheet.backspace()
        elif event.key == "space" and not (field and field.kind == "text") and not sheet.search:
            changed = sheet.toggle()
        elif event.is_printable and event.character and (event.character != "?" or sheet.typing):
            changed = sheet.type(event.character)
        else:
            return
        event.stop()
        self._after(changed)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._after(self.sheet.type(event.text))

    def _after(self, changed: bool) -> None:
        if changed:
            self.post_message(self.Changed(self))
        else:
            self.show_sheet()
            self.post_message(self.Moved(self))

    def action_move(self, step: int) -> None:
        self.sheet.move(step)
        self._after(False)

    def action_page(self, step: int) -> None:
        self.sheet.move(step * max(1, self._room() - 1))
        self._after(False)

    def action_move_field(self, step: int) -> None:
        self.sheet.move_field(step)
        self._after(False)

    def action_turn(self, step: int) -> None:
        self._after(self.sheet.turn(step))

    def action_clear(self) -> None:
        self._after(self.sheet.clear())


class FormScreen(Dialog[OrderEntry | None]):
    """Fill in one order and give it. Refusals are shown here and what was typed stays."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("form")

    def __init__(
        self,
        battle: OpenBattle,
        action: Action,
        given: Mapping[str, Any],
        catalogue: Mapping[str, Any],
        give: Give,
        lists: Callable[[], None] | None = None,
    ) -> None:
        """`lists` opens the import of an army list, where the form may be left for that."""
        super().__init__()
        self._lists = lists
        self._battle = battle
        self._action = action
        self._catalogue = catalogue
        self._give = give
        self._sheet = Sheet(given)
        self._pane = SheetPane(clean(action.label), self._sheet)
        self._preview = PreviewPane()
        self._message = MessageLine(id="message")
        self._keys = KeyBar(id="keys")
        self._done = False
        self._asked = 0
        self._height = 0
        self._order: Any = None
        self._told: tuple[Cell, ...] = ()
        self._odds: tuple[Cell, ...] = ()
        self._odds_tree: Mapping[str, Any] | None = None
        self._kept: Kept | None = None
        self._refused: Refusal | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog form"):
            with Horizontal(id="form"):
                yield self._pane
                yield self._preview
            yield self._message
            yield self._keys

    def on_mount(self) -> None:
        self._pane.focus()
        self._ask_form()
        self._ask_preview()

    def on_unmount(self) -> None:
        self._asked += 1  # whoever still computes odds for this form stops

    # The form

    def _ask_form(self) -> None:
        history = self._battle.history
        form = history.rules.form(history.state, self._action.order, self._sheet.given, self._catalogue)
        self._pane.pane_title = clean(form.title or self._action.label)
        self._sheet.take(form)
        self._pane.refresh_title()
        self._pane.show_sheet()
        self._show_keys()

    def on_sheet_pane_changed(self) -> None:
        self._ask_form()
        self._say_nothing()
        self._ask_preview()

    def on_lines_moved(self) -> None:
        self._show_keys()

    def on_resize(self) -> None:
        self._show_keys()

    def on_preview_pane_widened(self) -> None:
        self._show_preview()

    def _show_keys(self) -> None:
        field = self._sheet.field
        kind = field.kind if field is not None and self._changeable(field) else ""
        bar = self._keys
        sideways = bar.named("sheet.left", "sheet.right")
        keys = [(bar.named("form.give"), "give the order"), (bar.named("sheet.up", "sheet.down"), "move")]
        if kind in ("choice", "flag"):
            keys.append((sideways, "choose"))
        elif kind == "choices":
            keys.append((sideways if self._sheet.search else "space", "choose"))
        elif kind in ("number", "decimal"):
            keys += [("0-9", "type"), (sideways, "less, more")]
        elif kind == "text":
            keys.append(("a-z", "type"))
        if self._refused is not None and named_clause(self._refused.clause, self._battle.history.rules.clauses):
            keys.append((self._clause_key(), "the clause"))
        if self._preview.hidden:
            keys.append((bar.named("form.more", "form.back"), "more of the preview"))
        if self._odds_tree is not None:
            keys.append((bar.named("form.keep"), "compare others with this"))
        if self._lists is not None:
            keys.append((bar.named("form.import_list"), "import a list"))
        bar.show_keys(tuple(keys), ((bar.named("form.leave"), "leave"),))

    @staticmethod
    def _changeable(field: Field) -> bool:
        """Whether a key can give the field another value than it has."""
        if field.forbidden:
            return False
        return field.kind != "choice" or len([option for option in field.options if not option.forbidden]) > 1

    def _clause_key(self) -> str:
        """The key that opens a clause: where letters are typed, one that is no letter."""
        names = map(shown_key, keymap_of(self.app).keys(action_of("form.clause")))
        return next((name for name in names if len(name) > 1 or not self._sheet.typing), "")

    # What the rules make of it so far

    def _ask_preview(self) -> None:
        """Fill the order in, preview it, and have its odds computed aside; the question before is withdrawn."""
        self._asked += 1
        history = self._battle.history
        self._odds, self._odds_tree = (), None
        try:
            self._order = history.rules.fill_in(history.state, self._action.order, self._sheet.given, self._catalogue)
            preview = history.rules.preview(history.state, self._order)
        except Refusal as refusal:
            self._order = None
            self._told = (Cell(f"Not yet: {refusal.message}", "dim"),)
        else:
            forbidding = tuple(filter(None, (self._not_ones_own(self._order), preview.refused)))
            refused = tuple(Cell(f"Would be refused: {reason}", "bad") for reason in forbidding)
            self._told = (*refused, *preview.lines)
            if not preview.refused:
                asked = self._asked
                self._odds = (Cell("Odds ...", "dim"),)
                self.run_worker(self._ask_odds(self._order, asked), group="odds", exclusive=True, exit_on_error=False)
        self._show_preview(afresh=True)

    def _not_ones_own(self, order: Any) -> str:
        """That the order is another side's to give, with the clause; empty where it is not."""
        try:
            self._battle.refuse_order(order)
        except Refusal as refusal:
            return str(refusal)
        return ""

    async def _ask_odds(self, order: Any, asked: int) -> None:
        history = self._battle.history
        try:
            odds = await asyncio.to_thread(odds_of, history, order, lambda: self._asked == asked)
        except (Refusal, Cancelled):
            odds = None
        if self._asked == asked:
            compared = odds is not None and history.rules.odds_figures(odds)
            self._odds, self._odds_tree = self._odds_told(order, odds), odds if compared else None
            self._show_preview()

    def _odds_told(self, order: Any, odds: Mapping[str, Any] | None) -> tuple[Cell, ...]:
        """The odds in words, or beside those of the order that was kept."""
        rules = self._battle.history.rules
        if odds is None:
            return ()
        return tuple(comparison(rules, self._kept, odds)) if self._kept else rules.tell_odds(order, odds)

    def action_keep(self) -> None:
        """Keep the odds of the order as it stands: those of what it is changed into will stand beside them."""
        if self._odds_tree is None:
            self._message.say("There are no odds here to compare others with.")
            return
        history = self._battle.history
        self._kept = Kept(history.rules.order_title(history.state, self._order), self._odds_tree)
        self._odds = self._odds_told(self._order, self._odds_tree)
        self._message.say("Kept: change the order, and the odds of both stand side by side.")
        self._show_preview()

    def _show_preview(self, afresh: bool = False) -> None:
        if not self._preview.size.width:
            return
        between = (Cell(""),) if self._odds and self._told else ()
        self._preview.show_cells((*self._odds, *between, *self._told), afresh)
        self._preview.fit(self._fit(len(self._preview.broken())) or self._preview.size.height)
        self._show_keys()

    def action_scroll(self, step: int) -> None:
        """Bring the next or the last part of the preview into sight."""
        self._preview.scroll_lines(step)

    def _fit(self, preview: int) -> int:
        """On a large screen the form is as high as it needs; it grows but never shrinks under the player's eyes.

        Gives the height it has then, 0 where it takes all there is.
        """
        form = self.query_one("#form")
        if not (self.has_class("-wide") or self.has_class("-huge")):
            form.styles.height = "1fr"
            return 0
        needed = max(self._pane.line_count() + 1, preview, LEAST_HEIGHT)
        self._height = max(self._height, min(needed, self.app.size.height - FRAME_HEIGHT))
        height = min(self._height, self.app.size.height - FRAME_HEIGHT)
        form.styles.height = height
        return height

    # Giving it

    def action_give(self) -> None:
        if self._done:
            return
        faults = self._sheet.faults()
        if faults:
            self._message.say(faults[0], "bad")
            return
        history = self._battle.history
        try:
            order = history.rules.fill_in(history.state, self._action.order, self._sheet.given, self._catalogue)
        except Refusal as refusal:
            self._sheet.go_to_open()
            self._pane.show_sheet()
            self._say(refusal)
            return
        self.run_worker(self._given(order), group="give", exclusive=True)

    async def _given(self, order: Any) -> None:
        try:
            entry = await self._give(order)
        except Refusal as refusal:
            self._say(refusal)
        except Fault as fault:
            self._message.say(str(fault), "fault")
        else:
            if entry is not None:
                self._done = True
                self.dismiss(entry)

    def _say(self, refusal: Refusal) -> None:
        self._refused = refusal
        self._message.say(refusal.message, "bad", refusal.clause)
        self._show_keys()

    def _say_nothing(self) -> None:
        self._refused = None
        self._message.say("")
        self._show_keys()

    def action_clause(self) -> None:
        """Open the clause of the refusal, or the one that the field under the cursor names."""
        clauses = self._battle.history.rules.clauses
        field = self._sheet.field
        texts = [self._refused.clause] if self._refused is not None else []
        if field is not None:
            texts += [field.forbidden, *(o.forbidden for o in field.options if o.value == self._sheet.at[1])]
            texts += [option.forbidden for option in field.options]
        texts += [cell.text for cell in self._told]
        clause = next((found for text in texts if (found := named_clause(text, clauses))), None)
        if clause is None:
            self._message.say("No clause is named here.")
            return
        self.app.push_screen(clause_screen(clause, clauses))

    def action_import_list(self) -> None:
        """Leave the form and bring in a whole list instead."""
        if self._lists is None:
            self._message.say("A list is imported from the form that musters.")
            return
        self.dismiss(None)
        self.app.call_later(self._lists)

    def action_leave(self) -> None:
        self.dismiss(None)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group == "odds" and event.state is WorkerState.ERROR:
            self._odds = (Cell("The odds could not be computed.", "warning"),)
            self._show_preview()
