"""A battle on the screen, to look at: state line, what waits, Units, Suppression, Dice log, messages, keys.

What one can do in it besides looking is for the screens made of it: the battle itself, and its replay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Container
from textual.screen import Screen

from engine.entries import Entry, OrderEntry
from engine.history import History
from engine.refusals import Refusal
from engine.ruleset import Action, RuleSet
from saves.battle import OpenBattle
from saves.faults import Fault
from tui.actions import NamedAction, action_of, actions_of
from tui.bars import KeyBar, MessageLine, PendingLine, StateLine
from tui.dice_log import LogPane
from tui.key_bindings import binding
from tui.line_pane import Lines, TablePane
from tui.opening import leave
from tui.settings import Settings, keymap_of
from tui.sizes import NORMAL, TALL

# What opens only at a key is loaded then: the first frame does not wait for it.
if TYPE_CHECKING:
    from tui.jump_screen import Target

FOLLOW_SECONDS = 0.02
"""How often the file is looked at for what others have added: one look at its size."""

ABOUT_FILES = ("import_list", "continue")
"""Actions that read or make files besides the battle's own."""


class BattleView(Screen[None]):
    """One battle. It holds no truth: everything shown is asked of the history and its rule set."""

    AUTO_FOCUS = "#units"

    place = ""
    """The place in the table of actions whose keys work here."""

    own_actions: tuple[NamedAction, ...] = ()
    """What can be done here, in the order of the key bar."""

    always: tuple[str, ...] = ("why", "palette", "help", "quit")
    """What keeps its place in the key bar when there is no room for all keys."""

    def __init__(self, battle: OpenBattle, log: LogPane, more: tuple[NamedAction, ...] = ()) -> None:
        """`more` are actions besides those of the place."""
        super().__init__()
        self.battle = battle
        self._units = TablePane("Units", id="units", empty="Nobody is here yet.")
        self._tracker = TablePane("Suppression", id="tracker", empty="Nobody is under fire.")
        self._log = log
        self._state = StateLine(id="state")
        self._pending = PendingLine(id="pending")
        self._message = MessageLine(id="message")
        self._keys = KeyBar(id="keys")
        self._left = False
        self._shown: tuple[History, int] = (battle.history, len(battle.history.entries))
        self._source: TablePane = self._units
        self._bindings = BindingsMap.merge([self._bindings, BindingsMap(map(binding, (*more, *self.own_actions)))])

    @property
    def _history(self) -> History:
        """The history as it is looked at: its head is the moment that is shown."""
        return self.battle.history

    @property
    def _rules(self) -> RuleSet:
        return self.battle.history.rules

    @property
    def _settings(self) -> Settings:
        settings = getattr(self.app, "settings", None)
        return settings if isinstance(settings, Settings) else Settings()

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

    # Showing

    def say(self, text: str, tone: str = "plain", clause: str = "") -> None:
        """Answer the last key."""
        self._message.say(text, tone, clause)

    def _show(self, own: bool = True) -> None:
        """Show the state at the head; without `own` what is new is by others."""
        rules, state = self._rules, self._history.state
        self._shown = (self.battle.history, len(self.battle.history.entries))
        with self.app.batch_update():
            self._units.show_table(rules.units(state))
            self._tracker.show_table(rules.tracker(state))
            self._log.entries_added(own)
            self._show_bars()

    def _show_bars(self) -> None:
        rules, history = self._rules, self._history
        width, height = self.app.size
        self._state.show_state(self._title(), rules.state_line(history.state), self._marks(), width)
        self._pending.show_pending(self._waiting(), width, 3 if height >= TALL else 1)
        self._show_keys()

    def _waiting(self) -> tuple[str, ...]:
        """What needs a decision now, a sentence each, the most pressing first."""
        return self._rules.pending(self._history.state)

    def _title(self) -> str:
        return self._history.header.name or self.battle.path.name.split(".")[0]

    def _marks(self) -> tuple[str, ...]:
        """What stands at the right end of the state line, the most important first."""
        return ()

    def _show_keys(self) -> None:
        keymap = keymap_of(self.app)
        shown = [action for action in self.own_actions if self._in_bar(action) and not self._kept_from(action.name)]
        own = tuple((keymap.shown(action), self._label(action)) for action in shown if action.name not in self.always)
        kept = tuple((keymap.shown(action), self._label(action)) for action in shown if action.name in self.always)
        self._keys.show_keys((*self._order_keys(), *own), (*self._chosen_key(), *kept))

    def _order_keys(self) -> tuple[tuple[str, str], ...]:
        """The keys of what can be ordered now."""
        return ()

    def _chosen_key(self) -> tuple[tuple[str, str], ...]:
        """What Enter does in the pane in focus."""
        return ()

    def _in_bar(self, action: NamedAction) -> bool:
        """Whether a key of the screen does anything now and is worth its place."""
        match action.name:
            case "why":
                return self.selected is not None
            case "next_waiting":
                return bool(self._units.urgent_lines() or self._tracker.urgent_lines())
            case "filter" | "jump":
                return bool(self._history.entries)
            case "find_before" | "find_next":
                return bool(self._log.sought)
            case "luck":
                return any(isinstance(entry, OrderEntry) and entry.rolls for entry in self._history.entries[-200:])
            case _:
                return action.name in ("palette", "help", "quit")

    def _label(self, action: NamedAction) -> str:
        # The palette has to find its place in every bar.
        return "All" if action.name == "palette" else action.label

    def why_not(self, action: Action) -> str:
        """Why an action of the rule set cannot be taken now; empty where it can."""
        unit = self.selected if action.about == "unit" else None
        if action.about == "unit" and unit is None:
            return "select a unit first"
        return self._rules.available(self._history.state, action, unit)

    @contextmanager
    def _refusals_told(self) -> Iterator[None]:
        """Do what the file or the rules may forbid; why they do is said below the panes."""
        try:
            yield
        except Refusal as refusal:
            self._show()
            self.say(refusal.message, "bad", refusal.clause)
        except Fault as fault:
            self._show()
            self.say(str(fault), "fault")

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
        if self._message.refusal and event.key not in keymap_of(self.app).keys(action_of(f"{self.place}.help")):
            self.say("")

    def on_lines_moved(self) -> None:
        self._show_keys()

    # Actions

    def action_act(self, name: str) -> None:
        """Do what the table of actions calls `name`."""
        for own in self.own_actions:
            if own.name == name and not (own.changes and self._only_watching()):
                if self._kept_from(name):
                    self.say("That is not for guests: it is about files of this machine.", "warning")
                else:
                    getattr(self, f"_do_{name}")()
                return
        for own in actions_of("app"):
            if own.name == name:
                getattr(self.app, f"action_{own.does}")()

    def _only_watching(self) -> bool:
        """The one place that refuses changes where one only watches."""
        return False

    def _kept_from(self, name: str) -> bool:
        """Whether an action is not for whoever is here: a guest has this battle and no other file."""
        return name in ABOUT_FILES and getattr(self.app, "guest", False)

    def _do_filter(self) -> None:
        self._log.ask_filter()

    def _do_find(self) -> None:
        self._log.ask_sought()

    def _do_find_next(self) -> None:
        self._find_on(1)

    def _do_find_before(self) -> None:
        self._find_on(-1)

    def _find_on(self, step: int) -> None:
        if not self._log.sought:
            self.say(f"Nothing is searched for: {self._keys.named(f'{self.place}.find')} finds.")
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
        self._jumped((later or marked)[0])

    def _do_jump(self) -> None:
        from tui.jump_screen import JumpScreen

        panes: tuple[Lines, ...] = (self._units, self._tracker, self._log)
        self.app.push_screen(JumpScreen(tuple(pane for pane in panes if pane.size.height > 1)), self._jumped)

    def _jumped(self, target: Target | None) -> None:
        if target is not None:
            pane, index = target
            pane.focus()
            pane.move_to(index)

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
            leave(self)

    # Others

    async def _follow(self) -> None:
        """Take in what others add to the file, for as long as the battle is looked at."""
        said = ""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            if self._left:
                return
            try:
                self.battle.refresh()
            except Fault as fault:
                if str(fault) != said:
                    said = str(fault)
                    self.say(said, "fault")
                continue
            # Another screen on the same battle may have been the one that found them.
            shown, history = self._shown, self.battle.history
            if history is not shown[0]:
                self._withdrawn()
            elif len(history.entries) > shown[1]:
                self._added(history.entries[shown[1] :])

    def _added(self, entries: Sequence[Entry]) -> None:
        """Show what others have added."""
        raise NotImplementedError

    def _withdrawn(self) -> None:
        """The file went back or was replaced: show what there is."""
        self._log.show_history(self._history)
        self._show()
        self.say("Last entry withdrawn: the file went back or was replaced. This is what there is.", "warning")
