"""A seat at a battle that several have open, in lines: asking, agreeing, sealed dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.entries import Entry, RequestEntry
from engine.entry_words import request_words
from engine.history import History
from engine.refusals import Refusal
from engine.seats import BOTH, SPECTATOR, ConsentNeeded
from engine.verification import sealed_for_good
from engine.wording import counted
from saves.battle import OpenBattle
from tui.line_mode.looking import a_number
from tui.line_mode.questions import Ask
from tui.line_mode.told import sentence
from tui.line_mode.words import Word, plain_word
from tui.request_words import request_news, request_waits
from tui.seal_words import others, seal_told, seal_waits

HOW = "ask undo, ask redo or ask goto NUMBER"
SEAL_HOW = "say seal words WORDS, seal reveal or seal anew"


class Sharing:
    """What one does with the others at a battle."""

    def __init__(self, battle: OpenBattle, name: str, ask: Ask, tell: Callable[..., None]) -> None:
        self._battle = battle
        self._by = name
        self._ask = ask
        self._tell = tell
        self._request: RequestEntry | None = battle.history.request
        self._stands = battle.history.seals.stands

    @property
    def _history(self) -> History:
        return self._battle.history

    def standing(self, watching: bool) -> Iterator[str]:
        """Who one is, and what waits for somebody's answer."""
        seat = SPECTATOR if watching else self._battle.seat
        if watching:
            yield "You are watching."
        elif seat != BOTH:
            yield sentence(f"You sit for {seat}")
        yield from self._waits(seat)

    def _waits(self, seat: str) -> Iterator[str]:
        yield from map(sentence, request_waits(self._history, seat, "agree or disagree answers"))
        yield from map(sentence, seal_waits(self._history, seat, "seal words WORDS says them, seal anew seals anew"))

    def news(self, entries: Sequence[Entry], watching: bool) -> Iterator[str]:
        """What has become of requests and seals with the latest entries."""
        seat = SPECTATOR if watching else self._battle.seat
        told = request_news(self._history, self._request, seat, entries)
        if told:
            yield told
        before, stood = self._request, self._stands
        self._request, self._stands = self._history.request, self._history.seals.stands
        if (self._request, self._stands) != (before, stood):
            yield from self._waits(seat)

    def not_ones_own(self, order: Any) -> str:
        """That an order is another side's to give, with the clause; empty where it is not."""
        try:
            self._battle.refuse_order(order)
        except Refusal as refusal:
            return str(refusal)
        return ""

    def how_to_ask(self, refusal: Refusal) -> Iterator[str]:
        """How to go on after a refusal for want of consent."""
        if isinstance(refusal, ConsentNeeded):
            known = {self._undo_to(): "undo", self._history.next_redo: "redo"}
            yield f"ask {known.get(refusal.to, f'goto {refusal.to}')} asks them."

    def _undo_to(self) -> int | None:
        node = self._history.next_undo
        return self._history.parent(node) if node else None

    # Asking and answering

    def ask(self, words: Sequence[Word]) -> None:
        """Ask the others to let the head go somewhere."""
        self._battle.ask(self._asked_for(words), by=self._by)

    def _asked_for(self, words: Sequence[Word]) -> int:
        word = plain_word(words[0].text) if words else ""
        if word == "goto":
            return self._history.head_after(a_number(words[1:], "the number of an entry"))
        moves: dict[str, Callable[[], int | None]] = {
            "undo": self._undo_to,
            "redo": lambda: self._history.next_redo,
        }
        if word not in moves or len(words) > 1:
            raise Refusal("order", f"say what to ask for: {HOW}")
        to = moves[word]()
        if to is None:
            raise Refusal("order", f"there is nothing to {word}")
        return to

    def answer(self, agreed: bool) -> None:
        """Answer what another side asks."""
        request = self._history.request
        self._battle.answer(agreed, by=self._by)
        if request is not None and not agreed:
            self._tell(sentence(f"You do not agree to {request_words(self._history, request)}"))

    # Sealed dice

    def seal(self, words: Sequence[Word], text: str) -> None:
        """Tell how sealed dice stand; or say the words, reveal the secret, seal them anew."""
        if not words:
            self._tell(seal_told(self._history))
            return
        does = {"words": lambda: self._say(text), "reveal": self._reveal, "anew": self._anew}
        what = plain_word(words[0].text)
        if what not in does:
            raise Refusal("order", f"say what to do with the seal: {SEAL_HOW}")
        does[what]()

    def _say(self, text: str) -> None:
        self._battle.say_words(text.partition(" ")[2].strip(), by=self._by)
        self._tell("The words are said: the app can roll.")

    def _reveal(self) -> None:
        self._history.seals.secret_to_reveal()
        if self._sure("Nothing more is rolled under this seal then. Reveal the secret? yes or no"):
            self._battle.reveal(by=self._by)
            self._tell("Revealed: headsdown verify checks every roll.")

    def _anew(self) -> None:
        self._history.seals.refuse_new_seal()
        if self._sure("The other side has to say its words again then. Seal the dice anew? yes or no"):
            self._battle.seal(by=self._by)
            lost = sealed_for_good(self._history)
            told = f" {counted(lost, 'roll')} so far cannot be checked any more." if lost else ""
            self._tell(f"Sealed anew: {others(self._history)} have to say their words.{told}")

    def _sure(self, question: str) -> bool:
        sure = self._ask((sentence(question),)).casefold() in ("yes", "y")
        if not sure:
            self._tell("Nothing has happened.")
        return sure
