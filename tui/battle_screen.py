"""The battle: its orders with the keys that work now, what came of them, and what others add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.entries import Entry, OrderEntry
from engine.ruleset import Action, Cell
from saves.armoury import armoury
from saves.battle import OpenBattle
from tui.actions import BATTLE_ACTIONS, NamedAction, order_action, order_actions
from tui.dice_log import new_entries
from tui.help_page import battle_help
from tui.line_pane import Lines
from tui.log_lines import Teller
from tui.opening import ReplayWanted
from tui.picker_screen import Pick, PickerScreen
from tui.seal_words import MARKS
from tui.sealed_battle import SealedBattle
from tui.settings import keymap_of


class BattleScreen(SealedBattle):
    """One battle, to be fought."""

    place = "battle"
    own_actions = BATTLE_ACTIONS
    always = ("why", "undo", "palette", "help", "quit")

    def __init__(self, battle: OpenBattle, *, name: str = "", watch: bool = False) -> None:
        super().__init__(battle, name, watch, order_actions(battle.history.rules))

    @property
    def _catalogue(self) -> Mapping[str, Any]:
        return armoury(self._rules.armoury)

    def on_mount(self) -> None:
        self._log.show_history(self._history)
        self._show()
        if self.battle.warning:
            self.say(self.battle.warning, "warning")
        elif self._settings.problems:
            self.say(self._settings.problems[0], "warning")
        elif not self._history.entries:
            self.say("Nothing has happened yet. ? explains the keys.")
        self._begin_sharing()
        self.run_worker(self._follow(), group="follow")

    # Showing

    def _marks(self) -> tuple[str, ...]:
        taken_back = self._history.taken_back
        dice = "typed dice" if self._typed else MARKS.get(self._history.seals.stands, "app dice")
        back = (f"{taken_back} taken back",) if taken_back else ()
        head = f"#{self.battle.head_mark}"
        who = self._who_one_is()
        # Where others are about, that nothing was rolled back counts for more than how dice are rolled.
        return (who[0], head, *who[1:], dice, *back) if who else (dice, *back, head)

    def _order_keys(self) -> tuple[tuple[str, str], ...]:
        can = [action for action in self._rules.actions if not self._watch and not self.why_not(action)]
        return (*self._pressing_keys(), *((self._order_key(action), action.label) for action in can))

    def _chosen_key(self) -> tuple[tuple[str, str], ...]:
        key = self._keys.named("pane.choose")
        if self.focused is self._log:
            return ((key, "Open"),) if self._log.entry is not None else ()
        return ((key, "Orders"),) if self.selected is not None and not self._watch else ()

    def _in_bar(self, action: NamedAction) -> bool:
        if action.changes and self._watch:
            return False
        if action.name == "dice":
            return not self._watch
        if action.name == "replay":
            return bool(self._history.head) and not self._order_keys()
        if action.name == "newest":
            return bool(self._log.unseen)
        return super()._in_bar(action)

    def _label(self, action: NamedAction) -> str:
        if action.name == "dice":
            return "App rolls" if self._typed else "Type dice"
        return super()._label(action)

    # Orders

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        if event.pane is not self._log:
            self._list_orders()
        elif self._log.entry is not None:
            self.app.push_screen(self._entry_page(self._log.entry))

    def action_act(self, name: str) -> None:
        for action in self._rules.actions:
            if action.name == name:
                self._order(action)
                return
        super().action_act(name)

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

            lists = self._do_import_list if action.order == "muster" and not self._kept_from("import_list") else None
            self.app.push_screen(FormScreen(self.battle, action, given, self._catalogue, self.give, lists))
        else:
            self.run_worker(self._give_at_once(action, given), group="give", exclusive=True)

    async def _give_at_once(self, action: Action, given: Mapping[str, Any]) -> None:
        with self._refusals_told():
            await self.give(self._rules.fill_in(self._history.state, action.order, given, self._catalogue))

    async def give(self, order: Any) -> OrderEntry | None:
        """Give an order and show what came of it; None where the player gave it up. Raises Refusal and Fault."""
        from tui.giving import Giving

        return await self._carried_out(Giving(self.app, self.battle, order, self._by, self._typed))

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

    def _palette(self) -> Iterator[Pick]:
        for action in self._rules.actions:
            yield Pick(action.name, self._order_key(action), action.label, self.why_not(action))
        yield from super()._palette()

    def _named(self, action: NamedAction) -> str:
        label = self._label(action) if action.name == "dice" else action.label
        return super()._named(action) if action.name in ("undo", "redo") else label

    def _do_dice(self) -> None:
        if self._only_watching():
            return
        self._typed = not self._typed
        self._show_bars()
        self.say("Dice are rolled at the table and typed." if self._typed else "The app rolls the dice.")

    def _do_replay(self) -> None:
        """Look back, from the log's entry where one looks at the log, else from how things stand."""
        chosen = self._log.entry if self.focused is self._log else None
        at = chosen or self._history.head
        self.post_message(ReplayWanted(self.battle, at, self._by, self._watch))

    def _do_import_list(self) -> None:
        """Ask for the file of an army list, then what it leaves open, and bring it in."""
        from tui.import_screen import import_into

        import_into(self.app, self.battle, self.give)

    def _help(self, pane: str) -> tuple[Cell, ...]:
        return battle_help(pane, keymap_of(self.app), self._rules, self.why_not)

    # Others

    def _added(self, entries: Sequence[Entry]) -> None:
        asked = self._news_of_request(entries)
        self._show(own=False)
        last = entries[-1]
        who = f"{last.by}: " if last.by else ""
        text = f"{who}{Teller(self._history).lines(last)[0].text}"
        text = asked or text
        if self._log.unseen:
            text = f"{text} ({new_entries(self._log.unseen)}: {self._keys.named('battle.newest')} goes there)"
        self.say(text, "warning" if asked else "plain")

    def _do_newest(self) -> None:
        self._log.newest()
