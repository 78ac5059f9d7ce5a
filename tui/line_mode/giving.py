"""Giving an order in lines: ties are asked as questions, dice throw by throw."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from engine.refusals import Undecided
from engine.roll_words import dice_text, needed_text, shown_faces
from engine.wording import clean
from saves.battle import OpenBattle
from tui.errand import Answer, Asked, Errand, how_to_type
from tui.line_mode.questions import Ask, GivenUp, Questions
from tui.line_mode.told import sentence
from tui.typed_faces import read_faces

Result = TypeVar("Result")

DICE = "dice"
WORDS = ("app", "rest", "back")
HOW = (
    "Or: app lets the app roll this, rest all that follow, back goes to the throw before,",
    "cancel gives the order up.",
)


class LineErrand(Errand):
    """One order on its way into the battle, asked about in lines. Used once."""

    def __init__(
        self,
        battle: OpenBattle,
        order: Any,
        by: str,
        typed: bool,
        ask: Ask,
        tell: Callable[..., None],
        questions: Questions,
        instead_of: int | None = None,
    ) -> None:
        super().__init__(battle, order, by, typed, instead_of)
        self._ask = ask
        self._tell = tell
        self._questions = questions

    async def decide(self, question: Undecided, words: str) -> int | None:
        labels = tuple(option.label for option in question.options)
        return self._questions.pick(f"{words} ({question.clause})", labels, question.clause)

    async def ask_faces(self, asked: Asked, earlier: tuple[tuple[str, str], ...], typed: str) -> Answer:
        before = read_faces(typed, asked.throw.sides, asked.throw.count).faces if typed else asked.before
        lines = [_asked_words(asked), f"{_default_words(asked, before)} {asked.apart}".rstrip()]
        while True:
            text = self._ask(lines)
            lines = []
            first, _, rest = text.partition(" ")
            if first.casefold() == DICE:
                text = rest.strip()
            word = text.casefold()
            if word in WORDS:
                if word != "back" or earlier:
                    return Answer(word)
                self._tell("This is the first throw; cancel gives the order up.")
            elif word == "?":
                self._tell(how_to_type(asked.throw), " ".join(HOW), *self._questions.about_order(self._order))
                lines = [_asked_words(asked)]
            elif not text and before:
                return Answer("faces", before)
            else:
                read = read_faces(text, asked.throw.sides, asked.throw.count)
                missing = asked.throw.count - len(read.faces)
                if not (read.wrong or read.unfinished or missing):
                    return Answer("faces", read.faces)
                self._tell(sentence(read.wrong or _miscounted(missing)))


def _default_words(asked: Asked, before: tuple[int, ...]) -> str:
    """What an empty line takes, or how faces are typed."""
    if before:
        return f"Fell before: {shown_faces(before, 20)}. An empty line takes them again."
    return how_to_type(asked.throw)


def _asked_words(asked: Asked) -> str:
    """Which dice are asked for, what for, and what they need."""
    throw = asked.throw
    needed = f", needs {needed_text(throw)}" if throw.needed is not None else ""
    fallen = f", fallen so far {shown_faces(throw.follows)}" if throw.follows else ""
    return sentence(f"Dice? {dice_text(throw)}: {clean(asked.words)}{needed}{fallen}")


def _miscounted(missing: int) -> str:
    """How many dice too few or too many were told."""
    return f"{missing} missing" if missing >= 0 else f"{-missing} too many"


def at_once(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine that waits for nothing comes to."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    coroutine.close()
    raise GivenUp
