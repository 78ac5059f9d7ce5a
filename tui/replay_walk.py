"""Walking through a replay: what is shown of a moment, and the ways to another one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.entries import Entry
from engine.history import History
from engine.refusals import Refusal
from engine.replaying import MOVING, Replay
from engine.ruleset import Cell
from saves.battle import OpenBattle
from saves.cells import wrapped
from tui.actions import REPLAY_ACTIONS, NamedAction
from tui.battle_pages import BattlePages
from tui.changes_page import changes_cells, changes_title
from tui.help_page import replay_help
from tui.line_pane import Lines
from tui.line_screen import LineScreen
from tui.log_lines import Teller
from tui.reading_screen import ReadingScreen
from tui.replay_log import ReplayLog
from tui.settings import keymap_of


class ReplayWalk(BattlePages):
    """A battle at one of its moments. Nothing here writes."""

    place = "replay"
    own_actions = REPLAY_ACTIONS
    always: tuple[str, ...] = ("help", "palette", "quit")

    def __init__(self, battle: OpenBattle, at: int, watch: bool, hides: bool) -> None:
        self._replay = Replay(battle.history, at)
        self._moments = ReplayLog(self._replay, id="log")
        self._moments.hides = hides
        super().__init__(battle, self._moments)
        self._watch = watch
        self._mark: int | None = None

    @property
    def _history(self) -> History:
        return self._replay.seen

    @property
    def _hides(self) -> bool:
        return self._moments.hides

    def on_mount(self) -> None:
        self._show()
        if self.battle.warning:
            self.say(self.battle.warning, "warning")
        else:
            self._tell()
        self.run_worker(self._follow(), group="follow")

    def _pause(self) -> None:
        """Stop playing, if it is played."""

    # Showing

    def _show(self, own: bool = True) -> None:
        rules, state = self._rules, self._replay.state
        self._shown = (self.battle.history, len(self.battle.history.entries))
        with self.app.batch_update():
            self._units.show_table(rules.units(state))
            self._tracker.show_table(rules.tracker(state))
            self._moments.show_moment()
            self._show_bars()

    def _marks(self) -> tuple[str, ...]:
        replay, every = self._replay, len(self._replay.history.entries)
        marks = [f"replay {replay.at}" if self._hides else f"replay {replay.at} of {every}"]
        if replay.branch is not None:
            marks.append(f"branch from {replay.fork}")
        if replay.everything:
            marks.append("with take-backs")
        if self._mark is not None:
            marks.append(f"mark {self._mark}")
        return tuple(marks)

    def _chosen_key(self) -> tuple[tuple[str, str], ...]:
        if self.focused is not self._log or self._log.entry is None:
            return ()
        here = self._log.entry == self._replay.at
        return ((self._keys.named("pane.choose"), "Open" if here else "Go there"),)

    def _in_bar(self, action: NamedAction) -> bool:
        replay = self._replay
        if action.changes and self._watch:
            return False
        match action.name:
            case "back" | "turn_back":
                return replay.at > 0
            case "on" | "play" | "turn_on" | "fire_on":
                return replay.step(1) is not None
            case "unit_on":
                return self.selected is not None and replay.step(1) is not None
            case "branch":
                return replay.branch is not None or (self.focused is self._log and self._is_taken_back())
            case "why" | "history" | "luck" | "filter" | "jump" | "next_waiting":
                return False
            case "number" | "changes" | "mark" | "bookmark" | "note" | "spoilers" | "everything" | "continue":
                return True
            case _:
                return super()._in_bar(action)

    def _label(self, action: NamedAction) -> str:
        match action.name:
            case "spoilers":
                return "Show what comes" if self._hides else action.label
            case "everything":
                return "What stands" if self._replay.everything else action.label
            case "branch":
                return "Leave branch" if self._replay.branch is not None else action.label
            case _:
                return super()._label(action)

    def _is_taken_back(self) -> bool:
        """Whether the log's cursor is on an order that does not stand on the line of play."""
        number, history = self._log.entry, self._replay.history
        return number is not None and history.is_order(number) and number not in history.path(history.head)

    def _tell(self, before: str = "") -> None:
        """Tell what happened in the entry after which the battle is looked at."""
        entry = self._replay.entry
        if entry is None:
            self.say(f"{before}The beginning. {self._keys.named('replay.on')} goes on, ? explains the keys.")
            return
        lines = Teller(self._replay.history).lines(entry)
        title = f"{before}{entry.n}  {lines[0].text}."
        told = " ".join([title, *(line.text for line in lines if line.kind == "event")])
        self.say(told if len(wrapped(told, self.app.size.width)) <= 2 else title)

    # Going

    def _go(self, number: int | None, otherwise: str) -> None:
        """Go to a stop, or say that there is none."""
        if number is None:
            self._pause()
            self.say(otherwise)
            return
        self._replay.go(number)
        self._arrive()

    def _arrive(self) -> None:
        self._show()
        self._tell()

    def _stepped(self, number: int | None, otherwise: str) -> None:
        """A step by hand: it ends playing."""
        self._pause()
        self._go(number, otherwise)

    def _do_on(self) -> None:
        self._stepped(self._replay.step(1), self._end_words())

    def _end_words(self) -> str:
        if self._replay.branch is not None:
            return f"The end of this branch. {self._keys.named('replay.branch')} leaves it."
        return "This is where the battle stands now."

    def _do_back(self) -> None:
        self._stepped(self._replay.step(-1), "This is the beginning.")

    def _do_turn_on(self) -> None:
        self._stepped(self._replay.turn(1), "There is no later turn.")

    def _do_turn_back(self) -> None:
        self._stepped(self._replay.turn(-1), "This is the beginning.")

    def _do_fire_on(self) -> None:
        self._stepped(self._replay.suppression(1), "No suppressing fire was laid after this.")

    def _do_fire_back(self) -> None:
        self._stepped(self._replay.suppression(-1), "No suppressing fire was laid before this.")

    def _do_unit_on(self) -> None:
        self._unit_step(1, "after this")

    def _do_unit_back(self) -> None:
        self._unit_step(-1, "before this")

    def _unit_step(self, by: int, when: str) -> None:
        if self.selected is None:
            self.say("Select a unit first.")
            return
        otherwise = f"Nothing is about {self._selected_words()} {when}."
        self._stepped(self._replay.unit(self.selected, by), otherwise)

    def _do_beginning(self) -> None:
        self._stepped(self._replay.edge(-1), "")

    def _do_end(self) -> None:
        if self._hides:
            self.say(f"The end is hidden: {self._keys.named('replay.spoilers')} shows what comes.", "warning")
            return
        self._stepped(self._replay.edge(1), "")

    def _do_number(self) -> None:
        self._pause()
        self.app.push_screen(LineScreen("Go to", "The number of the entry?", most=15, digits=True), self._numbered)

    def _numbered(self, text: str | None) -> None:
        if not text:
            return
        try:
            self._replay.go(int(text))
        except Refusal as refusal:
            self.say(f"There is no entry {int(text)}." if self._hides else f"{refusal.message}.", "warning")
            return
        self._arrive()

    def on_lines_chosen(self, event: Lines.Chosen) -> None:
        number = self._log.entry
        if event.pane is not self._log or number is None:
            return
        if number == self._replay.at:
            self.app.push_screen(self._entry_page(number))
        else:
            self._stepped(number, "")

    # Taken back

    def _do_everything(self) -> None:
        self._pause()
        self._replay.show_everything(not self._replay.everything)
        self._show()
        shown = "Take-backs are shown and walked through." if self._replay.everything else "Only what stands is shown."
        self.say(shown)

    def _do_branch(self) -> None:
        self._pause()
        if self._replay.leave_branch():
            self._show()
            self._tell("Back on the line of play. ")
        elif self._log.entry is not None and self._replay.look_into(self._log.entry):
            self._show()
            self._tell(f"A branch that left the line of play after entry {self._replay.fork}. ")
        else:
            self.say(
                "Choose an entry that was taken back in the log, then press the same key"
                f" ({self._keys.named('replay.everything')} shows them)."
            )

    # What changed

    def _do_mark(self) -> None:
        self._mark = None if self._mark == self._replay.at else self._replay.at
        self._show_bars()
        key = self._keys.named("replay.changes")
        self.say(f"Marked: go elsewhere, {key} then tells what is different." if self._mark is not None else "No mark.")

    def _do_changes(self) -> None:
        earlier = self._mark if self._mark is not None else self._replay.step(-1)
        if earlier is None:
            self.say("Nothing has happened yet that could have changed anything.")
            return
        cells = changes_cells(self._replay.history, earlier, self._replay.at)
        title = changes_title(self._replay, earlier)
        self.app.push_screen(ReadingScreen(title, cells, self._rules.clauses, self._entry_page))

    # What comes

    def _do_spoilers(self) -> None:
        self._moments.hides = not self._moments.hides
        self._moments.made_anew()
        self._show()
        self.say("What comes later is hidden, with the result." if self._hides else "All is shown again.")

    def _help(self, pane: str) -> tuple[Cell, ...]:
        return replay_help(pane, keymap_of(self.app))

    # Others

    def _added(self, entries: Sequence[Entry]) -> None:
        """Tell of what others have added; one stays where one is."""
        self._shown = (self.battle.history, len(self.battle.history.entries))
        self._moments.stops_added()
        self._show_bars()
        moving = [entry for entry in entries if isinstance(entry, MOVING)]
        if not moving or self._hides:
            self.say("There are new entries.")
            return
        key = self._keys.named("replay.end")
        news = "A new entry" if len(moving) == 1 else f"{len(moving)} new entries"
        self.say(f"{news}: {key} goes to the last one.")

    def _withdrawn(self) -> None:
        self._pause()
        self._replay.renew(self.battle.history)
        super()._withdrawn()
