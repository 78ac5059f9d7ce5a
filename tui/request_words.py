"""A request to take something back in words, as seen from a seat."""

from __future__ import annotations

from collections.abc import Sequence

from engine.entries import AnswerEntry, Entry, OrderEntry, RequestEntry
from engine.entry_words import request_words
from engine.history import History
from engine.seats import SPECTATOR
from engine.wording import listed


def yet_to_agree(history: History, request: RequestEntry) -> tuple[str, ...]:
    """The sides that have not agreed yet to the request that waits."""
    return tuple(side for side in history.header.sides if side != request.seat and side not in history.agreed)


def may_answer(history: History, request: RequestEntry, seat: str) -> bool:
    """Whether the request that waits is for this seat to answer."""
    return seat not in (SPECTATOR, request.seat) and seat not in history.agreed


def request_waits(history: History, seat: str, how: str) -> tuple[str, ...]:
    """The request that waits for an answer, as seen from a seat; nothing where none does. `how` is what answers."""
    request = history.request
    if request is None:
        return ()
    words, waits = request_words(history, request), listed(yet_to_agree(history, request))
    if seat == request.seat:
        return (f"{waits} {'is' if len(yet_to_agree(history, request)) == 1 else 'are'} asked to agree: {words}",)
    if may_answer(history, request, seat):
        return (f"{request.seat} asks ({how}): {words}",)
    return (f"{request.seat} asks {waits} to agree: {words}",)


def request_news(history: History, before: RequestEntry | None, seat: str, news: Sequence[Entry]) -> str:
    """What became of the request of this seat that waited before the latest entries; empty for nothing new."""
    if before is None or before.seat != seat or history.request == before:
        return ""
    if any(isinstance(entry, AnswerEntry) and not entry.agreed for entry in news):
        return f"Refused: it stands as it was. You asked to {request_words(history, before)}."
    moved = not isinstance(next((each for each in news if not isinstance(each, AnswerEntry)), None), OrderEntry)
    if moved and history.head == before.to:
        return f"Agreed and done: {request_words(history, before)}."
    return "What you asked for is off: a request holds until the next order."
