"""The line mode: reads a line, does what it says, tells what came of it, until somebody leaves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.entries import Entry
from engine.history import History
from engine.odds import Cancelled
from engine.orders import odds_of
from engine.refusals import Refusal
from engine.seats import SPECTATOR
from engine.wording import clean, with_clause
from saves.battle import OpenBattle
from saves.faults import Fault
from saves.presence import Presence
from tui.endings import DONE, REFUSED, SAVED, how_to_open, tell
from tui.errand import last_rolled, typed_last
from tui.going import changes_on_the_way
from tui.hanging_up import heed_hang_up
from tui.line_mode import told
from tui.line_mode.commands import COMMANDS, Command, Verb, begin_with, verbs_of
from tui.line_mode.giving import LineErrand, at_once
from tui.line_mode.looking import Looking, a_number, together_is
from tui.line_mode.ordering import Draft, Ordering
from tui.line_mode.questions import CANCEL, GivenUp, Questions
from tui.line_mode.sharing import Sharing
from tui.line_mode.talk import Left, Talk, talk_here
from tui.line_mode.words import Word, read_words
from tui.log_lines import Teller

QUIT = "quit"


class Session:
    """One battle in lines. It holds no truth: everything told is asked of the history and its rule set."""

    def __init__(
        self, battle: OpenBattle, talk: Talk, *, name: str = "", watch: bool = False, guest: bool = False
    ) -> None:
        self._battle = battle
        self._talk = talk
        self._by = name
        self._watch = watch or battle.read_only or battle.seat == SPECTATOR
        self._presence = Presence(battle.path, name, SPECTATOR if self._watch else battle.seat)
        self._sharing = Sharing(battle, name, self._ask, talk.tell)
        self._guest = guest
        self._typed = typed_last(battle.history)
        rules = battle.history.rules
        self._verbs = verbs_of(rules)
        self._questions = Questions(self._ask, talk.tell, rules.clauses, rules.spoken)
        self._ordering = Ordering(lambda: self._battle.history, self._questions, talk.tell)
        self._looking = Looking(battle, self._ordering, lambda: not talk.signals.pending)
        self._heard = len(battle.history.entries)
        self._teller = Teller(battle.history)
        self._waiting = tuple(rules.pending(battle.history.state))
        self._last: Draft | None = None
        self._odds: dict[str, Any] | None = None
        self._leaving = False
        self._trouble = ""
        self._refused = 0
        self._first_refused = 0

    @property
    def _history(self) -> History:
        return self._battle.history

    def run(self) -> int:
        """Talk until somebody leaves; gives the exit status. In a script faults of the file are raised."""
        with self._talk.signals.heeded():
            self._presence.enter()
            try:
                self._greet()
                while not self._leaving:
                    self._next()
            except Left:
                return DONE
            finally:
                self._presence.leave()
        return self._ending()

    def _greet(self) -> None:
        talk = self._talk
        name = self._history.header.name or self._battle.path.name.split(".")[0]
        talk.tell(told.sentence(name), *told.titles_told(self._history))
        if self._battle.warning:
            talk.tell(told.sentence(f"Warning: {self._battle.warning}"))
        talk.tell(told.sentence(self._history.rules.state_line(self._history.state)), *told.waiting(self._history))
        talk.tell(*self._sharing.standing(self._watch))
        talk.tell(f"Head {self._battle.head_mark}.")
        if talk.by_hand:
            talk.tell("help tells the words, quit leaves.")
        talk.offer(self._completions)

    def _ending(self) -> int:
        if self._refused and not self._talk.by_hand:
            lines = "one line was" if self._refused == 1 else f"{self._refused} lines were"
            tell(f"headsdown: {lines} refused, the first was line {self._first_refused}")
            return REFUSED
        if self._talk.by_hand and self._battle.path.is_file():
            self._talk.tell(SAVED if self._guest else how_to_open(self._battle.path, " --plain"))
        return DONE

    def _completions(self) -> Iterable[str]:
        commands = (command.name for command in COMMANDS)
        return (*commands, *(verb.replace(" ", "_") for verb in self._verbs), *self._ordering.completions())

    # One line

    def _next(self) -> None:
        self._hear()
        try:
            line = self._talk.read()
        except KeyboardInterrupt:
            if not self._talk.by_hand:
                raise
            self._talk.tell("", "To leave, type quit, or press Ctrl-D.")
            return
        except Refusal as refusal:
            self._refuse(refusal)
            return
        if line is None:
            self._leaving = True
        elif line.strip():
            self._obey(line)

    def _obey(self, line: str) -> None:
        """Do what a line says; whatever forbids it is told."""
        self._talk.signals.forget_interrupt()
        try:
            words = read_words(line)
            self._do(line, words)
        except Refusal as refusal:
            self._refuse(refusal)
        except GivenUp as given_up:
            self._give_up(given_up)
        except Cancelled:
            self._talk.signals.forget_interrupt()
            self._talk.tell("Stopped.")
        except Fault as fault:
            if not self._talk.by_hand:
                raise
            self._talk.tell(told.sentence(str(fault)))
        self._hear(refresh=False)

    def _refuse(self, refusal: Refusal) -> None:
        told_why = with_clause(clean(refusal.message), refusal.clause)
        where = "Refused" if self._talk.by_hand else f"Line {self._talk.number} refused"
        self._talk.tell(told.sentence(f"{where}: {told_why}"), *self._sharing.how_to_ask(refusal))
        for reason in refusal.reasons[1:]:
            self._talk.tell(told.sentence(f"Also: {with_clause(clean(reason.message), reason.clause)}"))
        self._count_refusal()

    def _count_refusal(self) -> None:
        self._refused += 1
        self._first_refused = self._first_refused or self._talk.number

    def _give_up(self, given_up: GivenUp) -> None:
        self._leaving = given_up.ended
        if given_up.ended and not self._talk.by_hand:
            self._count_refusal()
        self._talk.tell("Given up: nothing has happened.")

    def _do(self, line: str, words: Sequence[Word]) -> None:
        found, count = begin_with(words, self._verbs)
        rest, after = words[count:], _after(line, words, count)
        if isinstance(found, Verb):
            self._may_change()
            self._give(self._order(Draft(found), line, rest))
            return
        if found.changes:
            self._may_change()
        self._command(found, line, rest, after)

    def _may_change(self) -> None:
        """The one place that refuses changes where one only watches."""
        if self._watch:
            raise Refusal("order", "you are watching: nothing can be changed from here")

    # Questions

    def _ask(self, lines: Iterable[str]) -> str:
        """Ask something; what others did meanwhile is told before."""
        self._hear()
        self._talk.tell(*lines)
        try:
            line = self._talk.read()
        except KeyboardInterrupt:
            if not self._talk.by_hand:
                raise
            self._talk.tell("")
            raise GivenUp from None
        if line is None:
            raise GivenUp(ended=True)
        answer = line.strip()
        if answer.casefold() in (CANCEL, QUIT):
            raise GivenUp(ended=answer.casefold() == QUIT)
        return answer

    # Orders

    def _order(self, draft: Draft, line: str, words: Sequence[Word]) -> Any:
        self._last = draft
        return self._ordering.order(draft, line, words)

    def _give(self, order: Any) -> None:
        at_once(self._errand(order).carried_out())
        self._last = None

    def _errand(self, order: Any, instead_of: int | None = None) -> LineErrand:
        talk, typed = self._talk, self._typed or instead_of is not None
        return LineErrand(self._battle, order, self._by, typed, self._ask, talk.tell, self._questions, instead_of)

    def _imagined(self, line: str, words: Sequence[Word]) -> Any:
        """The order that words stand for where it is not given: odds, previews."""
        if not words:
            raise Refusal("order", "say which order")
        found, count = begin_with(words, self._verbs)
        if isinstance(found, Command):
            raise Refusal("order", f"{found.name} is no order")
        return self._ordering.order(Draft(found), line, words[count:])

    # Commands

    def _command(self, command: Command, line: str, words: Sequence[Word], text: str) -> None:
        looks: dict[str, Callable[[], Iterable[str]]] = {
            "show": lambda: self._looking.show(words),
            "why": lambda: self._looking.why(words),
            "history": lambda: self._looking.unit_history(words),
            "log": lambda: self._looking.log(words),
            "entry": lambda: self._looking.entry(words),
            "help": lambda: self._looking.help(words),
            "find": lambda: self._looking.find(text),
            "rules": lambda: self._looking.rules(text),
            "waiting": self._looking.waiting,
            "luck": self._looking.luck,
            "head": self._looking.head,
            "who": self._looking.who,
            "house": self._looking.house,
        }
        if command.name in looks:
            self._talk.tell(*looks[command.name]())
            return
        does: dict[str, Callable[[], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "correct": self._correct,
            QUIT: self._quit,
            "odds": lambda: self._tell_odds(line, words),
            "compare": lambda: self._compare(line, words),
            "would": lambda: self._preview(line, words),
            "again": lambda: self._again(line, words),
            "goto": lambda: self._goto(words),
            "dice": lambda: self._dice(words),
            "ask": lambda: self._sharing.ask(words),
            "agree": lambda: self._sharing.answer(agreed=True),
            "disagree": lambda: self._sharing.answer(agreed=False),
            "seal": lambda: self._seal(words, text),
        }
        does[command.name]()

    def _seal(self, words: Sequence[Word], text: str) -> None:
        if words:
            self._may_change()
        self._sharing.seal(words, text)

    def _quit(self) -> None:
        self._leaving = True

    def _undo(self) -> None:
        self._battle.undo(by=self._by)

    def _redo(self) -> None:
        self._battle.redo(by=self._by)

    def _goto(self, words: Sequence[Word]) -> None:
        number = a_number(words, "the number of an entry")
        changes = changes_on_the_way(self._history, number)
        if not changes:
            self._talk.tell(f"After entry {number} things stood as they do now.")
            return
        self._battle.goto(number, by=self._by)
        self._talk.tell(told.sentence(changes.capitalize()))

    def _correct(self) -> None:
        """Ask for the dice of the last order anew; it is taken back and given again when all are told."""
        entry = last_rolled(self._history)
        if entry is None:
            raise Refusal("order", "the last order rolled no dice: there is nothing to correct")
        self._battle.refuse_correction(entry, by=self._by)
        at_once(self._errand(entry.order, entry.n).carried_out())

    def _again(self, line: str, words: Sequence[Word]) -> None:
        draft = self._last
        if draft is None:
            raise Refusal("order", "no order was refused or left that could be given again")
        if not words:
            draft.said &= {draft.action.unit_field}
        self._give(self._order(draft, line, words))

    def _dice(self, words: Sequence[Word]) -> None:
        if words:
            if not (together_is(words, "table") or together_is(words, "app")):
                raise Refusal("order", "no dice are asked for now; dice table or dice app says who rolls")
            self._may_change()
            self._typed = together_is(words, "table")
        self._talk.tell("Dice are rolled at the table and typed." if self._typed else "The app rolls the dice.")

    def _tell_odds(self, line: str, words: Sequence[Word]) -> None:
        order = self._imagined(line, words)
        self._odds = self._odds_of(order)
        title = self._history.rules.order_title(self._history.state, order)
        self._talk.tell(told.sentence(f"Odds of {title}"), *told.odds_told(self._history.rules, self._odds))

    def _odds_of(self, order: Any) -> dict[str, Any]:
        return odds_of(self._history, order, lambda: not self._talk.signals.pending)

    def _compare(self, line: str, words: Sequence[Word]) -> None:
        if self._odds is None:
            raise Refusal("order", "ask for the odds of an order first: odds ORDER")
        odds = self._odds_of(self._imagined(line, words))
        self._talk.tell(*told.compared_told(self._history.rules, self._odds, odds))

    def _preview(self, line: str, words: Sequence[Word]) -> None:
        order = self._imagined(line, words)
        rules, state = self._history.rules, self._history.state
        preview = rules.preview(state, order)
        for reason in filter(None, (self._sharing.not_ones_own(order), preview.refused)):
            self._talk.tell(told.sentence(f"Would be refused: {reason}"))
        self._talk.tell(
            told.sentence(f"Would be: {rules.order_title(state, order)}"), *told.as_sentences(preview.lines)
        )
        self._talk.tell("Nothing has been given.")

    # What has happened

    def _hear(self, refresh: bool = True) -> None:
        """Tell what has been added to the battle since, by whomever; nobody is asked anything before."""
        try:
            if refresh:
                self._battle.refresh()
        except Fault as fault:
            if not self._talk.by_hand:
                raise
            if str(fault) != self._trouble:
                self._trouble = str(fault)
                self._talk.tell(told.sentence(self._trouble))
            return
        self._trouble = ""
        if self._battle.withdrawn or self._heard > len(self._history.entries):
            self._start_over()
            return
        news = self._history.entries[self._heard :]
        if not news:
            return
        self._heard += len(news)
        for entry in news:
            self._talk.tell(*self._entry_told(entry))
        self._talk.tell(*self._sharing.news(news, self._watch))
        self._tell_waiting()
        self._talk.tell(f"Head {self._battle.head_mark}.")

    def _entry_told(self, entry: Entry) -> Iterable[str]:
        return told.entry_told(self._history, entry, self._teller)

    def _start_over(self) -> None:
        self._heard = len(self._history.entries)
        self._teller = Teller(self._history)
        self._battle.withdrawn = False
        self._talk.tell("Last entry withdrawn: the file went back or was replaced. This is what there is.")
        self._talk.tell(*told.standing(self._history), f"Head {self._battle.head_mark}.")

    def _tell_waiting(self) -> None:
        """What waits for a decision now and did not before."""
        before, self._waiting = self._waiting, tuple(self._history.rules.pending(self._history.state))
        for sentence in self._waiting:
            if sentence not in before:
                self._talk.tell(f"Waiting: {told.sentence(sentence)}")


def _after(line: str, words: Sequence[Word], count: int) -> str:
    """What stands in the line behind its first `count` words."""
    return line[words[count].start :].strip() if count < len(words) else ""


def run_in_lines(battle: OpenBattle, *, name: str = "", watch: bool = False, guest: bool = False) -> int:
    """Talk about a battle with whoever is there, until they leave; gives the exit status. The battle is closed then.

    Raises faults of the file where nobody types by hand.
    """
    with battle:
        if sys.stdout is None:
            return DONE
        talk = talk_here()
        if talk.by_hand:
            heed_hang_up()
        return Session(battle, talk, name=name, watch=watch, guest=guest).run()
