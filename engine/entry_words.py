"""What an entry was, in a few words: the same in the log on the screen, in plain text and in reports."""

from __future__ import annotations

from engine.entries import (
    AnswerEntry,
    BookmarkEntry,
    Entry,
    GotoEntry,
    OrderEntry,
    RecoveredEntry,
    RedoEntry,
    RequestEntry,
    RevealEntry,
    SealEntry,
    StandingBy,
    UndoEntry,
    UnmarkEntry,
    WordsEntry,
)
from engine.history import History
from engine.wording import counted


def entry_title(history: History, entry: Entry) -> str:
    """What an entry of a history was."""
    if isinstance(entry, OrderEntry):
        return history.title(entry.n)
    if isinstance(entry, UndoEntry):
        return f"undo: {history.title(entry.of)}"
    if isinstance(entry, RedoEntry):
        return f"redo: {history.title(entry.to)}"
    if isinstance(entry, GotoEntry):
        return f"goto {entry.to}: {history.title(entry.to)}" if entry.to else "goto 0: the beginning"
    return standing_by_text(history, entry)


def request_words(history: History, request: RequestEntry) -> str:
    """What a request asks for: `take back Scouts: test`."""
    return move_words(history, request.head, request.to)


def move_words(history: History, head: int, to: int) -> str:
    """What it means that the head goes from `head` to `to`: `take back 3 orders, to after entry 5: Scouts: test`."""
    gone, come = history.between(to, head)
    if len(gone) == 1 and not come:
        return f"take back {history.title(gone[0])}"
    if len(come) == 1 and not gone:
        return f"bring back {history.title(come[0])}"
    there = f"after entry {to}: {history.title(to)}" if to else "the beginning"
    back = [f"take back {counted(len(gone), 'order')}"] if gone else []
    forth = [f"bring back {counted(len(come), 'order')}"] if come else []
    return f"{' and '.join(back + forth)}, to {there}"


def standing_by_text(history: History, entry: StandingBy) -> str:
    """What an entry was that left the battle as it stood."""
    if isinstance(entry, RequestEntry):
        return f"{entry.seat or 'the table'} asks to {request_words(history, entry)}"
    if isinstance(entry, AnswerEntry):
        return _answer_text(history, entry)
    if isinstance(entry, SealEntry):
        return "the dice are sealed anew"
    if isinstance(entry, WordsEntry):
        return f"words for the sealed dice: {entry.text}"
    if isinstance(entry, RevealEntry):
        return "the secret of the sealed dice is revealed"
    if isinstance(entry, BookmarkEntry):
        return f"bookmark at {entry.at}{f': {entry.text}' if entry.text else ''}"
    if isinstance(entry, UnmarkEntry):
        return f"bookmark {entry.of} taken away"
    return mended_text(entry)


def _answer_text(history: History, entry: AnswerEntry) -> str:
    words = "agrees" if entry.agreed else "does not agree"
    request = history.entries[entry.of - 1]
    asked = f" to {request_words(history, request)}" if isinstance(request, RequestEntry) else ""
    return f"{entry.seat or 'the table'} {words}{asked}"


def mended_text(entry: RecoveredEntry) -> str:
    """What was done to mend the file where this entry stands."""
    if entry.status == "lost":
        return "lost: the entry that stood here was damaged, and the file was repaired without it"
    return f"recovered: half a line of {entry.bytes} bytes was set aside"
