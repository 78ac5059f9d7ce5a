"""A battle that several have open, each in a seat: who one is, who else is there, and who asks whom for what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from engine.entries import Entry, RequestEntry
from engine.entry_words import move_words, request_words
from engine.ruleset import Action, Cell
from engine.seats import BOTH, SPECTATOR, ConsentNeeded, commands_all
from engine.wording import clean, listed
from saves.battle import OpenBattle
from saves.cells import cut
from saves.presence import Here, Presence, who_is_there
from tui.actions import NamedAction
from tui.battle_pages import BattlePages
from tui.dice_log import LogPane
from tui.picker_screen import Pick, PickerScreen
from tui.request_words import may_answer, request_news, request_waits, yet_to_agree
from tui.seal_words import seal_waits
from tui.who_words import NOBODY_TOLD, who_text

LOOK_SECONDS = 1.0
"""How often it is looked who else is there."""

LONGEST_SHOWN = 24
"""Cells of a player's name in the state line."""

HELPING_KEYS = (("answer", "answers"), ("seal", "helps"))
"""Actions that something waits for, and what their keys do about it."""

YES_OR_NO = (Pick("yes", "y", "Yes"), Pick("no", "n", "No"))
"""The answers to a question about what cannot be overlooked."""


class SharedBattle(BattlePages):
    """One seat at a battle."""

    def __init__(self, battle: OpenBattle, name: str, watch: bool, orders: tuple[NamedAction, ...]) -> None:
        super().__init__(battle, LogPane("Dice log", id="log"), orders)
        self._by = name
        self._watch = watch or battle.read_only or battle.seat == SPECTATOR
        self._presence = Presence(battle.path, name, SPECTATOR if self._watch else battle.seat)
        self._there: tuple[Here, ...] = ()
        self._request: RequestEntry | None = battle.history.request

    @property
    def _seat(self) -> str:
        return self.battle.seat

    # Who is here

    def _begin_sharing(self) -> None:
        self._presence.enter()
        self.run_worker(self._look_around(), group="follow")

    def on_unmount(self) -> None:
        self._presence.leave()

    async def _look_around(self) -> None:
        """Look who else is there, for as long as the battle is open."""
        while not self._left:
            there = who_is_there(self.battle.path)
            if there != self._there:
                self._there = there
                self._show_bars()
            await asyncio.sleep(LOOK_SECONDS)

    def _who_one_is(self) -> tuple[str, ...]:
        """One's own name and seat, for the state line; and how many are there, where there are others."""
        name = cut(clean(self._by), LONGEST_SHOWN)
        here = (f"{len(self._there)} here",) if len(self._there) > 1 else ()
        if self._watch:
            alone = clean(self._by).removesuffix(f" ({SPECTATOR})").removesuffix(SPECTATOR)
            return (f"{cut(alone, LONGEST_SHOWN)} watching".strip(), *here)
        if self._seat == BOTH:
            return here
        return (f"you: {name or self._seat}", *here)

    def _do_who(self) -> None:
        self._there = who_is_there(self.battle.path)
        self._read("Who is here", who_cells(self._there))

    def _not_ones_own(self, action: Action) -> str:
        """That an action's order is another side's to give, with the clause; empty where it is not."""
        if commands_all(self._seat):
            return ""
        whose = self._rules.owner_of_action(self._history.state, action, self.selected)
        return f"that is for {whose} to order; you sit for {self._seat} (seat)" if whose not in ("", self._seat) else ""

    def why_not(self, action: Action) -> str:
        return self._not_ones_own(action) or super().why_not(action)

    def _in_bar(self, action: NamedAction) -> bool:
        match action.name:
            case "who":
                return len(self._there) > 1
            case "answer":
                return False  # it stands first where somebody asks
            case _:
                return super()._in_bar(action)

    def _pressing_keys(self) -> tuple[tuple[str, str], ...]:
        """The keys of what others wait for; they stand first in the bar."""
        request = self._history.request
        if self._watch or request is None or not may_answer(self._history, request, self._seat):
            return ()
        return ((self._keys.named("battle.answer"), "Answer"),)

    def _only_watching(self) -> bool:
        """The one place that refuses changes where one only watches."""
        if self._watch:
            self.say("You are watching: nothing can be changed from here.", "warning")
        return self._watch

    # Asking and answering

    def _waiting(self) -> tuple[str, ...]:
        seat = SPECTATOR if self._watch else self._seat
        answers, seals = (f"{self._keys.named(f'battle.{name}')} {does}" for name, does in HELPING_KEYS)
        asked = request_waits(self._history, seat, answers)
        return (*asked, *seal_waits(self._history, seat, seals), *super()._waiting())

    def _show(self, own: bool = True) -> None:
        super()._show(own)
        self._request = self._history.request

    def _with_leave(self, move: Callable[[], object], done: Callable[[], None]) -> None:
        """Move the head, or ask whether to ask those who have to agree to that first."""
        with self._refusals_told():
            try:
                move()
            except ConsentNeeded as needed:
                self._ask_whether_to_ask(needed)
                return
            self._show()
            done()

    def _ask_whether_to_ask(self, needed: ConsentNeeded) -> None:
        request, history = self._history.request, self._history
        if request is not None and (request.to, request.seat, request.by) == (needed.to, self._seat, self._by):
            self.say(f"You have asked: waiting for {listed(yet_to_agree(history, request))} to agree.", "warning")
            return
        words = move_words(history, history.head, needed.to)
        question = f"{listed(needed.sides)} must agree first to {words}. Ask {listed(needed.sides)} to agree?"
        self.app.push_screen(PickerScreen("Ask the others", question, YES_OR_NO), self._asks(needed.to))

    def _asks(self, to: int) -> Callable[[str | None], None]:
        def asks(answer: str | None) -> None:
            if answer == "yes":
                with self._refusals_told():
                    request = self.battle.ask(to, by=self._by)
                    self._show()
                    self.say(
                        f"Asked to {request_words(self._history, request)}. It holds until the next order.", "good"
                    )

        return asks

    def _do_answer(self) -> None:
        request, history = self._history.request, self._history
        if request is None:
            self.say("Nobody asks for anything.")
            return
        if not may_answer(history, request, self._seat):
            self.say(f"That is for {listed(yet_to_agree(history, request))} to answer.", "warning")
            return
        question = f"{request.by or request.seat} asks to {request_words(history, request)}. Agree?"
        picks = (Pick("yes", "y", "Yes, it is taken back at once"), Pick("no", "n", "No, it stands"))
        self.app.push_screen(PickerScreen("Asked to agree", question, picks), self._answers(request))

    def _answers(self, request: RequestEntry) -> Callable[[str | None], None]:
        def answers(answer: str | None) -> None:
            if answer is None:
                return
            if self._history.request != request:
                self.say("That request is off meanwhile: nothing was answered.", "warning")
                return
            words = request_words(self._history, request)
            with self._refusals_told():
                self.battle.answer(answer == "yes", by=self._by)
                self._show()
                waits = self._history.request
                more = f" {listed(yet_to_agree(self._history, waits))} have to agree yet." if waits else ""
                self.say(f"Agreed: {words}.{more}" if answer == "yes" else "Not agreed: it stands as it was.", "good")

        return answers

    def _news_of_request(self, entries: Sequence[Entry]) -> str:
        """What became of what was asked from this seat; to be called before the entries are shown."""
        return request_news(self._history, self._request, self._seat, entries)


def who_cells(there: Sequence[Here]) -> tuple[Cell, ...]:
    """All that have the battle open, a line each."""
    if not there:
        return (Cell(NOBODY_TOLD, "dim"),)
    return (
        Cell("All on this machine who have the battle open, who came first before the others."),
        Cell(""),
        *(Cell(who_text(each)) for each in there),
    )
