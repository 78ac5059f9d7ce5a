"""The battle: state line, what waits for a decision, Units, Suppression, Dice log, messages, and the keys that work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Container
from textual.screen import Screen

from engine.entries import OrderEntry
from engine.history import History
from engine.odds import Cancelled
from engine.refusals import Refusal
from engine.ruleset import Action, Cell, RuleSet
from engine.wording import counted
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.cells import wrapped
from saves.faults import Fault
from tui.actions import BATTLE_ACTIONS, NamedAction, action_of, order_action, order_actions
from tui.bars import KeyBar, MessageLine, PendingLine, StateLine
from tui.dice_log import LogPane, Teller
from tui.entry_page import entry_cells
from tui.key_bindings import binding
from tui.line_pane import Lines, TablePane
from tui.log_filter import LogReader
from tui.picker_screen import Pick, PickerScreen
from tui.reading_screen import ReadingScreen, rulebook_screen
from tui.settings import Settings, keymap_of
from tui.sizes import NORMAL, TALL
from tui.unit_history import chain_cells, unit_cells

# What opens only at a key is loaded then: the first frame does not wait for it.
if TYPE_CHECKING:
    from engine.luck import Known
    from tui.giving import Giving
    from tui.jump_screen import Target

FOLLOW_SECONDS = 0.02
"""How often the file is looked at for what others have added: one look at its size."""

ALWAYS = ("why", "undo", "palette", "help", "quit")
"""What keeps its place in the key bar when there is no room for all keys."""

MESSAGE_LINES = 2
"""What came of an order is told below the panes if it needs no more lines than these; the log tells it in any case."""


YES_OR_NO = (Pick("yes", "y", "Yes"), Pick("no", "n", "No"))
"""The answers to a question about what cannot be overlooked."""


def typed_last(history: History) -> bool:
    """Whether dice are to be typed: as this battle was made for, else as its last roll was made."""
    rolls = (row for entry in reversed(history.entries) if isinstance(entry, OrderEntry) for row in entry.rolls)
    last = next(rolls, None)
    return history.header.dice.mode == "table" or (last is not None and last.source == "table")


class BattleScreen(Screen[None]):
    """One battle. It holds no truth: everything shown is asked of the history and its rule set."""

    AUTO_FOCUS = "#units"

    def __init__(self, battle: OpenBattle, *, name: str = "", watch: bool = False) -> None:
        super().__init__()
        self.battle = battle
        self._by = name
        self._watch = watch or battle.read_only
        self._typed = typed_last(battle.history)
        self._units = TablePane("Units", id="units", empty="Nobody is here yet.")
        self._tracker = TablePane("Suppression", id="tracker", empty="Nobody is under fire.")
        self._log = LogPane("Dice log", id="log")
        self._state = StateLine(id="state")
        self._pending = PendingLine(id="pending")
        self._message = MessageLine(id="message")
        self._keys = KeyBar(id="keys")
        self._left = False
        self._known_losses: Known = {}
        self._source: TablePane = self._units
        every = (*order_actions(self._rules), *BATTLE_ACTIONS)
        self._bindings = BindingsMap.merge([self._bindings, BindingsMap(map(binding, every))])

    @property
    def _history(self) -> History:
        return self.battle.history

    @property
    def _rules(self) -> RuleSet:
        return self.battle.history.rules

    @property
    def _settings(self) -> Settings:
        settings = getattr(self.app, "settings", None)
        return settings if isinstance(settings, Settings) else Settings()

    @property
    def _catalogue(self) -> Mapping[str, Any]:
        return armoury(self._rules.armoury)

    @property
    def selected(self) -> str | None:
        """The id of the unit that keys act on."""
        return self._acting.selected

    @property
    def _acting(self) -> TablePane:
        """The pane whose selected line keys act on: the one in focus, else the one that had it last."""
        pane = self.focused if isinstance(self.focused, TablePane) else self._source
        return pane if pane.selected is not None else self._units

    def compose(self) -> ComposeResult:
        yield self._state
        yield self._pending
        with Container(id="panes"):
            with Container(id="standing"):
                yield self._units
                yield self._tracker
            yield self._log
        yield self._message
        yield self._keys

    def on_mount(self) -> None:
        self._log.show_history(self._history)
        self._show()
        if self.battle.warning:
            self.say(self.battle.warning, "warning")
        elif self._settings.problems:
            self.say(self._settings.problems[0], "warning")
        elif not self._history.entries:
            self.say("Nothing has happened yet. ? explains the keys.")
        self.run_worker(self._follow(), group="follow")

    # Showing

    def say(self, text: str, tone: str = "plain", clause: str = "") -> None:
        """Answer the last key."""
        self._message.say(text, tone, clause)

    def _show(self) -> None:
        """Show the state at the head."""
        rules, state = self._rules, self._history.state
        with self.app.batch_update():
            self._units.show_table(rules.units(state))
            self._tracker.show_table(rules.tracker(state))
            self._log.entries_added()
            self._show_bars()

    def _show_bars(self) -> None:
        rules, history = self._rules, self._history
        width, height = self.app.size
        name = history.header.name or self.battle.path.name.split(".")[0]
        self._state.show_state(name, rules.state_line(history.state), self._marks(), width)
        pending = rules.pending(history.state)
        self._pending.show_pending(pending, width, 3 if height >= TALL else 1)
        self._show_keys()

    def _marks(self) -> tuple[str, ...]:
        taken_back = self._history.taken_back
        watching = ("watching",) if self._watch else ()
        dice = ("typed dice",) if self._typed else ("app dice",)
        back = (f"{taken_back} taken back",) if taken_back else ()
        return (*watching, *dice, *back, f"#{self.battle.head_mark}")

    def _show_keys(self) -> None:
        keymap, name = keymap_of(self.app), self._rules.name
        can = [action for action in self._rules.actions if not self._watch and not self.why_not(action)]
        theirs = [(keymap.shown(order_action(name, action)), action.label) for action in can]
        shown = [action for action in BATTLE_ACTIONS if self._in_bar(action)]
        own = tuple((keymap.shown(action), self._label(action)) for action in shown if action.name not in ALWAYS)
        always = tuple((keymap.shown(action), self._label(action)) for action in shown if action.name in ALWAYS)
        self._keys.show_keys((*theirs, *own), (*self._chosen_key(), *always))

    def _chosen_key(self) -> tuple[tuple[str, str], ...]:
        """What Enter does in the pane in focus."""
        key = self._keys.named("pane.choose")
        if self.focused is self._log:
            return ((key, "Open"),) if self._log.entry is not None else ()
        return ((key, "Orders"),) if self.selected is not None and not self._watch else ()

    def _in_bar(self, action: NamedAction) -> bool:
        """Whether a key of the screen does anything now and is worth its place."""
        if action.changes and self._watch:
            return False
        match action.name:
            case "undo":
                return self._history.next_undo is not None
            case "redo":
                return self._history.next_redo is not None
            case "why":
                return self.selected is not None
            case "next_waiting":
                return bool(self._units.urgent_lines() or self._tracker.urgent_lines())
            case "filter" | "jump":
                return bool(self._history.entries)
            case "find_before" | "find_next":
                return bool(self._log.sought)
            case "correct":
                return self._last_rolled() is not None
            case "luck":
                return any(isinstance(entry, OrderEntry) and entry.rolls for entry in self._history.entries[-200:])
            case "goto":
                return self.focused is self._log and self._log.entry is not None
            case "dice":
                return not self._watch
            case _:
                return action.name in ("palette", "help", "quit")

    def _label(self, action: NamedAction) -> str:
        if action.name == "palette":
            return "All"  # which has to find its place in every bar
        if action.name == "dice":
            return "App rolls" if self._typed else "Type dice"
        return action.label

    def why_not(self, action: Action) -> str:
        """Why an action of the rule set cannot be taken now; empty where it can."""
        unit = self.selected if action.about == "unit" else None
        if action.about == "unit" and unit is None:
            return "select a unit first"
        return self._rules.available(self._history.state, action, unit)

    # Events

    def on_resize(self) -> None:
        if self._log.is_mounted:
            self._stack()
            self._show_bars()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, TablePane):
            self._source = event.widget
            for table in (self._units, self._tracker):
                table.keeps_mark = table is event.widget
                table.refresh_index(table.cursor)
        self._stack()
        self._show_keys()

    def _stack(self) -> None:
        """Where only one pane has room, open the one in focus; elsewhere all are open and nothing is repainted."""
        width, height = self.app.size
        stacked = width < NORMAL[0] or height < NORMAL[1]
        for pane in (self._units, self._tracker, self._log):
            pane.set_class(stacked and pane is self.focused, "-open")
        self.query_one("#standing").set_class(stacked and self.focused is not self._log, "-open")

    def on_key(self, event: events.Key) -> None:
        """The next key takes a refusal away; help alone begins with it."""
        if self._message.refusal and event.key not in keymap_of(self.app).keys(action_of("battle.help")):
            self.say("")

    def on_lines_moved(self) -> None:
        self._show_keys()

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        if event.pane is self._log:
            self._open_entry()
        else:
            self._list_orders()

    # Actions

    def action_act(self, name: str) -> None:
        """Do what the table of actions calls `name`."""
        for action in self._rules.actions:
            if action.name == name:
                self._order(action)
                return
        for own in BATTLE_ACTIONS:
            if own.name == name and not (own.changes and self._only_watching()):
                getattr(self, f"_do_{name}")()

    def _only_watching(self) -> bool:
        """The one place that refuses changes where one only watches."""
        if self._watch:
            self.say("You are watching: nothing can be changed from here.", "warning")
        return self._watch

    def _order(self, action: Action) -> None:
        if self._only_watching():
            return
        reason = self.why_not(action)
        if reason:
            named = action.label.casefold() in reason.casefold()
            self.say(reason if named else f"{action.label}: {reason}", "bad")
            return
        given = dict(action.fixed)
        if action.unit_field and self.selected is not None:
            given[action.unit_field] = self.selected
        if action.form and self._rules.asks(self._history.state, action, self.selected):
            from tui.form_screen import FormScreen

            lists = self._do_import_list if action.order == "muster" else None
            self.app.push_screen(FormScreen(self.battle, action, given, self._catalogue, self.give, lists))
        else:
            self.run_worker(self._give_at_once(action, given), group="give", exclusive=True)

    async def _give_at_once(self, action: Action, given: Mapping[str, Any]) -> None:
        with self._refusals_told():
            await self.give(self._rules.fill_in(self._history.state, action.order, given, self._catalogue))

    @contextmanager
    def _refusals_told(self) -> Iterator[None]:
        """Do what the file or the rules may forbid; why they do is said below the panes."""
        try:
            yield
        except Refusal as refusal:
            self.say(refusal.message, "bad", refusal.clause)
        except Fault as fault:
            self.say(str(fault), "fault")

    async def give(self, order: Any) -> OrderEntry | None:
        """Give an order and show what came of it; None where the player gave it up. Raises Refusal and Fault."""
        from tui.giving import Giving

        return await self._carried_out(Giving(self.app, self.battle, order, self._by, self._typed))

    async def _carried_out(self, giving: Giving) -> OrderEntry | None:
        entry = await giving.carried_out()
        if entry is None:
            self.say("Given up: nothing has happened.")
            return None
        there = set(self._units.ids())
        self._show()
        new = [id_ for id_ in self._units.ids() if id_ not in there]
        if len(new) == 1:
            self._units.select(new[0])
        lines = Teller(self._history).lines(entry)
        told = " ".join(line.text for line in lines if line.kind == "event")
        short = told and len(wrapped(told, self.app.size.width)) <= MESSAGE_LINES
        self.say(told if short else f"{lines[0].text}.", "good")
        return entry

    def _move_head(self, word: str, undo: bool) -> None:
        with self._refusals_told():
            node = self._history.next_undo if undo else self._history.next_redo
            if undo:
                self.battle.undo(by=self._by)
            else:
                self.battle.redo(by=self._by)
            self._show()
            self.say(f"{word}: {self._history.title(node)}." if node else f"{word}.", "good")

    def _do_undo(self) -> None:
        self._move_head("Undone", undo=True)

    def _do_redo(self) -> None:
        self._move_head("Brought back", undo=False)

    def _do_goto(self) -> None:
        """Ask whether to go to how things stood after the entry under the log's cursor."""
        number = self._log.entry
        if number is None or self.focused is not self._log:
            self._log.focus()
            self.say("Choose the entry in the log to go to, then press the same key.")
            return
        there = self._history.head_after(number)
        if there == self._history.head:
            self.say(f"After entry {number} things stood as they do now.")
            return
        self.app.push_screen(PickerScreen("Go to entry", self._going(number, there), YES_OR_NO), self._gone_to(number))

    def _going(self, number: int, there: int) -> str:
        """What going to an entry means: how many orders are taken back and brought back."""
        here, path = self._history.path(self._history.head), self._history.path(there)
        back = len(set(here) - set(path))
        forth = len(set(path) - set(here))
        changes = [f"{counted(back, 'order')} taken back"] if back else []
        changes += [f"{counted(forth, 'order')} brought back"] if forth else []
        return f"To how things stood after entry {number}: {', '.join(changes)}?"

    def _gone_to(self, number: int) -> Callable[[str | None], None]:
        def gone(answer: str | None) -> None:
            if answer == "yes":
                with self._refusals_told():
                    self.battle.goto(number, by=self._by)
                    self._show()
                    self.say(f"This is how things stood after entry {number}.", "good")

        return gone

    def _last_rolled(self) -> OrderEntry | None:
        """The order at the head, if dice were rolled for it."""
        head = self._history.head
        entry = self._history.order(head) if head else None
        return entry if entry is not None and entry.rolls else None

    def _do_correct(self) -> None:
        entry = self._last_rolled()
        if entry is None:
            self.say("the last order rolled no dice: there is nothing to correct", "bad")
            return
        self.run_worker(self._correct(entry), group="give", exclusive=True)

    async def _correct(self, entry: OrderEntry) -> None:
        """Ask for the dice of the last order anew; it is taken back and given again when all are told."""
        from tui.giving import Giving

        giving = Giving(self.app, self.battle, entry.order, self._by, typed=True, instead_of=entry.n)
        with self._refusals_told():
            await self._carried_out(giving)

    def _list_orders(self) -> None:
        """What can be ordered now, as a list."""
        if self._only_watching():
            return
        offered = (Pick(a.name, self._order_key(a), a.label, self.why_not(a)) for a in self._rules.actions)
        picks = tuple(sorted(offered, key=lambda pick: bool(pick.forbidden)))
        title = f"Orders: {self._selected_words()}" if self.selected else "Orders"
        self.app.push_screen(PickerScreen(title, "", picks), self._picked)

    def _order_key(self, action: Action) -> str:
        return keymap_of(self.app).shown(order_action(self._rules.name, action))

    def _selected_words(self) -> str:
        row = self._acting.row(self._acting.cursor)
        return row.cells[0].text if row.cells else row.id

    def _picked(self, name: str | None) -> None:
        if name is not None:
            self.action_act(name)

    def _do_palette(self) -> None:
        picks = tuple(self._palette())
        self.app.push_screen(PickerScreen("All actions", "Search:", picks, search=True), self._picked)

    def _palette(self) -> Iterator[Pick]:
        for action in self._rules.actions:
            yield Pick(action.name, self._order_key(action), action.label, self.why_not(action))
        for own in BATTLE_ACTIONS:
            yield Pick(own.name, keymap_of(self.app).shown(own), self._named(own))

    def _named(self, action: NamedAction) -> str:
        node = {"undo": self._history.next_undo, "redo": self._history.next_redo}.get(action.name)
        label = self._label(action) if action.name == "dice" else action.label
        return f"{label}: {self._history.title(node)}" if node else label

    def _do_why(self) -> None:
        if self.selected is None:
            self.say("Nothing is selected.")
            return
        reasons = self._rules.why(self._history.state, self.selected)
        self._read(f"Why: {self._selected_words()}", (*reasons, *chain_cells(self._history, self.selected)))

    def _do_history(self) -> None:
        if self.selected is None:
            self.say("Nothing is selected.")
            return
        self._read(f"History: {self._selected_words()}", unit_cells(self._history, self.selected))

    def _read(self, title: str, cells: tuple[Cell, ...]) -> None:
        self.app.push_screen(ReadingScreen(title, cells, self._rules.clauses, self._entry_page))

    def _entry_page(self, number: int) -> ReadingScreen:
        return ReadingScreen(f"Entry {number}", entry_cells(self._history, number), self._rules.clauses)

    def _do_luck(self) -> None:
        page = ReadingScreen("Luck", (Cell("Reading the odds of every roll ...", "dim"),), (), self._entry_page)
        self.app.push_screen(page)
        self.run_worker(self._reckon_luck(page), group="luck", exclusive=True, exit_on_error=False)

    async def _reckon_luck(self, page: ReadingScreen) -> None:
        """Reckon the luck aside; closing the page stops it, and what was read of entries is kept."""
        from engine.luck import luck_of
        from tui.luck_page import luck_cells

        history = self._history
        try:
            luck = await asyncio.to_thread(luck_of, history, lambda: page.is_attached, self._known_losses)
        except Cancelled:
            return
        if page.is_attached:
            page.show_cells(luck_cells(history, luck))

    def _do_dice(self) -> None:
        if self._only_watching():
            return
        self._typed = not self._typed
        self._show_bars()
        self.say("Dice are rolled at the table and typed." if self._typed else "The app rolls the dice.")

    def _do_filter(self) -> None:
        from tui.filter_screen import FilterScreen

        self._log.focus()
        offered = LogReader(self._history).offered
        words = ("keep", "show all")
        self.app.push_screen(FilterScreen("/", self._log.filter, self._filtered, offered, words))

    def _filtered(self, text: str) -> None:
        self._log.set_filter(text)
        self._show_keys()

    def _do_find(self) -> None:
        from tui.filter_screen import FilterScreen

        self._log.focus()
        offered = LogReader(self._history).offered
        words = ("go there", "search no more")
        self.app.push_screen(FilterScreen("find:", self._log.sought, self._sought, offered, words))

    def _sought(self, text: str) -> None:
        self._log.find(text)
        self._show_keys()

    def _do_find_next(self) -> None:
        self._find_on(1)

    def _do_find_before(self) -> None:
        self._find_on(-1)

    def _find_on(self, step: int) -> None:
        if not self._log.sought:
            self.say(f"Nothing is searched for: {self._keys.named('battle.find')} finds.")
        elif not self._log.find_on(step):
            self.say(f"Nothing in the log matches {self._log.sought}.", "warning")

    def _do_next_waiting(self) -> None:
        """To the next line that is marked !, in Units and then in Suppression, round and round."""
        panes = (self._units, self._tracker)
        marked = [(pane, index) for pane in panes for index in pane.urgent_lines()]
        if not marked:
            self.say("No line waits for a decision.")
            return
        here = (self._tracker is self.focused, self.focused.cursor if isinstance(self.focused, TablePane) else -1)
        later = [(pane, index) for pane, index in marked if (pane is self._tracker, index) > here]
        pane, index = (later or marked)[0]
        pane.focus()
        pane.move_to(index)

    def _do_import_list(self) -> None:
        """Ask for the file of an army list, then what it leaves open, and bring it in."""
        from tui.import_screen import import_into

        import_into(self.app, self.battle, self.give)

    def _do_jump(self) -> None:
        from tui.jump_screen import JumpScreen

        panes = (self._units, self._tracker, self._log)
        self.app.push_screen(JumpScreen(tuple(pane for pane in panes if pane.size.height > 1)), self._jumped)

    def _jumped(self, target: Target | None) -> None:
        if target is not None:
            pane, index = target
            pane.focus()
            pane.move_to(index)

    def _do_help(self) -> None:
        from tui.help_page import help_cells

        pane = self.focused.id if self.focused is not None and self.focused.id else "units"
        cells = help_cells(pane, keymap_of(self.app), self._rules, self.why_not)
        refused = self._message.refusal
        if refused:
            cells = (Cell(f"Just refused: {refused}", "bad"), Cell(""), *cells)
        self.app.push_screen(ReadingScreen("Help", cells, self._rules.clauses))

    def _do_rulebook(self) -> None:
        self.app.push_screen(rulebook_screen(self._rules.title, self._rules.clauses))

    def _do_pane_1(self) -> None:
        self._units.focus()

    def _do_pane_2(self) -> None:
        self._tracker.focus()

    def _do_pane_3(self) -> None:
        self._log.focus()

    def _do_next_pane(self) -> None:
        self.focus_next()

    def _do_previous_pane(self) -> None:
        self.focus_previous()

    def _do_quit(self) -> None:
        if not self._left:
            self._left = True
            self.dismiss()

    def _open_entry(self) -> None:
        number = self._log.entry
        if number is not None:
            self.app.push_screen(self._entry_page(number))

    # Others

    async def _follow(self) -> None:
        """Take in what others add to the file, for as long as the battle is open."""
        said = ""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            if self._left:
                return
            try:
                entries = self.battle.refresh()
            except Fault as fault:
                if str(fault) != said:
                    said = str(fault)
                    self.say(said, "fault")
                continue
            if self.battle.withdrawn:
                self._log.show_history(self._history)
                self._show()
                self.say("Last entry withdrawn: the file went back or was replaced. This is what there is.", "warning")
            elif entries:
                self._show()
                last = entries[-1]
                who = f"{last.by}: " if last.by else ""
                self.say(f"{who}{Teller(self._history).lines(last)[0].text}")
