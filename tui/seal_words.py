"""Sealed dice in words: how they stand, what they wait for, and what can be done about them."""

from __future__ import annotations

from engine.history import History
from engine.sealed_dice import LOST, REVEALED, SAID, UNSAID
from engine.seats import commands_all, keeps_secret
from engine.wording import listed

MARKS = {
    UNSAID: "sealed: no words yet",
    SAID: "sealed dice",
    REVEALED: "dice revealed",
    LOST: "sealed: no secret",
}
"""What stands in the state line."""

TOLD = {
    UNSAID: "The dice are sealed. The app rolls as soon as the other side has said any words of its own.",
    SAID: "The dice are sealed, and the words are said: the app rolls. Once the secret is revealed, "
    "everybody can check every roll.",
    REVEALED: "The secret is revealed: every roll under it can be checked. "
    "Before the app rolls again the dice must be sealed anew.",
    LOST: "The secret of the sealed dice is not here. Where it was lost they can be sealed anew; "
    "the rolls so far can then never be checked.",
}

NOT_SEALED = "The dice of this battle are not sealed: that is chosen when a battle is made."


def seal_told(history: History) -> str:
    """How the sealed dice of a battle stand; says so where its dice are not sealed."""
    return TOLD.get(history.seals.stands, NOT_SEALED)


def others(history: History) -> str:
    """Those who have to say the words: all sides but the one that keeps the secret."""
    return listed(history.header.sides[1:])


def seal_waits(history: History, seat: str, how: str) -> tuple[str, ...]:
    """What the sealed dice wait for, as seen from a seat; nothing where the app can roll. `how` is what helps."""
    stands = history.seals.stands
    says = commands_all(seat) or seat in history.header.sides[1:]
    if stands == UNSAID and says:
        return (f"The sealed dice wait for words ({how}): any words of yours, known to nobody before",)
    if stands == UNSAID:
        return (f"The sealed dice wait for the words of {others(history)}",)
    if stands == LOST:
        helps = f" ({how})" if commands_all(seat) or keeps_secret(seat, history.header.sides) else ""
        return (f"The secret of the sealed dice is not here: nothing can be rolled{helps}",)
    return ()
