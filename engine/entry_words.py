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
    return standing_by_text(entry)


def standing_by_text(entry: StandingBy) -> str:
    """What an entry was that left the battle as it stood."""
    if isinstance(entry, RequestEntry):
        return f"{entry.seat} asks to go back to entry {entry.to}"
    if isinstance(entry, AnswerEntry):
        words = "agrees" if entry.agreed else "does not agree"
        return f"{entry.seat or 'the table'} {words} to what entry {entry.of} asks"
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


def mended_text(entry: RecoveredEntry) -> str:
    """What was done to mend the file where this entry stands."""
    if entry.status == "lost":
        return "lost: the entry that stood here was damaged, and the file was repaired without it"
    return f"recovered: half a line of {entry.bytes} bytes was set aside"
