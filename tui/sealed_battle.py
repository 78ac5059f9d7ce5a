"""Sealed dice on the battle screen: how they stand, the words of the other side, revealing, sealing anew."""

from __future__ import annotations

from collections.abc import Callable

from engine.entries import LONGEST_WORDS
from engine.refusals import Refusal
from engine.seats import keeps_secret
from engine.verification import sealed_for_good
from engine.wording import counted
from tui.actions import NamedAction
from tui.going_back import GoingBack
from tui.picker_screen import Pick, PickerScreen
from tui.seal_words import NOT_SEALED, others, seal_told
from tui.shared_battle import YES_OR_NO

REVEAL = "Everybody can then check every roll, and nothing more is rolled under this seal. Reveal the secret?"
SEAL = "Another secret is made, and the other side has to say its words again. Seal the dice anew?"
WORDS = "Any words of yours, that nobody can know before: the dice are made of them and of the secret."


def _forbidden(refuse: Callable[[], object]) -> str:
    """Why something about the seal cannot be done; empty where it can."""
    try:
        refuse()
    except Refusal as refusal:
        return refusal.message
    return ""


class SealedBattle(GoingBack):
    """A battle whose dice may be sealed."""

    def _in_bar(self, action: NamedAction) -> bool:
        if action.name == "seal":
            return bool(self._history.seals.stands)
        return super()._in_bar(action)

    def _do_seal(self) -> None:
        if not self._history.seals.stands:
            self.say(NOT_SEALED)
            return
        self.app.push_screen(PickerScreen("Sealed dice", seal_told(self._history), self._seal_picks()), self._sealing)

    def _seal_picks(self) -> tuple[Pick, ...]:
        seals = self._history.seals
        keeper = keeps_secret(self._seat, self._history.header.sides)
        watching = "you are watching" if self._watch else ""
        unwanted = watching or _forbidden(lambda: seals.refuse_words(keeper))
        return (
            Pick("words", "w", f"Say the words of {others(self._history)}", unwanted),
            Pick("reveal", "r", "Reveal the secret", watching or _forbidden(seals.secret_to_reveal)),
            Pick("seal", "s", "Seal the dice anew", watching or _forbidden(seals.refuse_new_seal)),
        )

    def _sealing(self, what: str | None) -> None:
        if what == "words":
            from tui.line_screen import LineScreen  # which opens only at a key

            self.app.push_screen(LineScreen("Words for the dice", WORDS, most=LONGEST_WORDS), self._say_words)
        elif what == "reveal":
            self.app.push_screen(PickerScreen("Reveal the secret", REVEAL, YES_OR_NO), self._reveal)
        elif what == "seal":
            self.app.push_screen(PickerScreen("Seal the dice anew", SEAL, YES_OR_NO), self._seal_anew)

    def _say_words(self, words: str | None) -> None:
        if words is not None:
            with self._refusals_told():
                self.battle.say_words(words, by=self._by)
                self._show()
                self.say("The words are said: the app can roll.", "good")

    def _reveal(self, answer: str | None) -> None:
        if answer == "yes":
            with self._refusals_told():
                self.battle.reveal(by=self._by)
                self._show()
                self.say("Revealed: headsdown verify checks every roll.", "good")

    def _seal_anew(self, answer: str | None) -> None:
        if answer == "yes":
            with self._refusals_told():
                self.battle.seal(by=self._by)
                self._show()
                lost = sealed_for_good(self._history)
                told = f" {counted(lost, 'roll')} so far cannot be checked any more." if lost else ""
                self.say(f"Sealed anew: {others(self._history)} have to say their words.{told}", "good")
