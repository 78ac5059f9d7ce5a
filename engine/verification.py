"""Whether a record is what the rules make of it: dice against seed and key, outcomes against the rules."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Differs, RecordedDice, keyed_faces
from engine.entries import AnswerEntry, Entry, GotoEntry, OrderEntry, RedoEntry, UndoEntry
from engine.history import History
from engine.own_dice import refuse_faces
from engine.refusals import Refusal
from engine.resolution import carry_out
from engine.sealed_dice import SEALED
from engine.seats import refuse_answer, refuse_order, with_leave


class Finding(Struct, frozen=True):
    """The first entry that is off: its number, what kind of fault it is and one sentence.

    `kind`: `altered` (faces are not those of seed and key, or the record contradicts itself) or `other_rules`
    (the file was written by another version of the rules, which came to another outcome).
    """

    entry: int
    kind: str
    message: str


class Count(Struct):
    """How many rolls were looked at: by the app, from the table, and how many faces agreed with seed and key.

    `sealed` are the app's rolls whose seed nobody can know yet.
    """

    app: int = 0
    table: int = 0
    checked: int = 0
    sealed: int = 0


def verify_history(
    history: History, progress: Callable[[int], None] = lambda entry: None
) -> tuple[Finding | None, Count]:
    """Re-derive every order of the history, on every branch; the first entry that differs, and the counts."""
    count = Count()
    again = History(history.header, history.rules)
    for entry in history.entries:
        progress(entry.n)
        finding = _check_seat(again, entry)
        if isinstance(entry, OrderEntry):
            finding = finding or _check_dice(history, entry, count) or _check_outcome(again, entry)
        if finding:
            return finding, count
        again.take(entry)
    return None, count


def check_entry(history: History, entry: OrderEntry) -> Finding | None:
    """What is off with an order that is to follow the head of `history`; None where it is what the rules make of it."""
    return _check_dice(history, entry, Count()) or _check_outcome(history, entry)


def _check_seat(history: History, entry: Entry) -> Finding | None:
    """Whether an entry was to be made from the seat that it names, on the history as it was just before it."""
    try:
        if isinstance(entry, OrderEntry):
            refuse_order(history.rules, history.state, entry.order, entry.seat)
            refuse_faces(history.rules, history.state, entry.order, entry.rolls, entry.seat)
        elif isinstance(entry, (UndoEntry, RedoEntry, GotoEntry)):
            agreed = with_leave(history, replace(entry, agreed=()), entry.seat).agreed
            if agreed != entry.agreed:
                return Finding(entry.n, "altered", "the answers that it names are not those of the other seats")
        elif isinstance(entry, AnswerEntry):
            refuse_answer(history, entry.seat)
    except Refusal as refusal:
        return Finding(
            entry.n, "altered", f"it was not to be done from that seat: {refusal.message} ({refusal.clause})"
        )
    return None


def _check_dice(history: History, entry: OrderEntry, count: Count) -> Finding | None:
    sealed = history.header.dice.mode == SEALED
    seed = history.seals.seed_to_check(entry.n) if sealed else bytes.fromhex(history.header.dice.seed)
    for row in entry.rolls:
        if row.source == "table":
            count.table += 1
            continue
        count.app += 1
        if seed is None:
            count.sealed += 1
            continue
        if row.dice != keyed_faces(seed, row.key, row.sides, len(row.dice)):
            return Finding(entry.n, "altered", f"the faces of {row.purpose} are not those of the seed")
        count.checked += 1
    return None


def _check_outcome(history: History, entry: OrderEntry) -> Finding | None:
    """Compare with what the rules make of the order on the history as it was just before it."""
    rules, before = history.rules, history.state
    kind = "altered" if history.header.rules_version == rules.version else "other_rules"
    try:
        plan = rules.judge(before, entry.order)
        source, keys = RecordedDice(entry.rolls), history.keys()
        again = carry_out(rules.resolve(before, plan), before, rules.evolve, rules.turn, source, keys, history.rolled)
    except Refusal as refusal:
        return Finding(entry.n, kind, f"the rules refuse this order: {refusal.message} ({refusal.clause})")
    except Differs as differs:
        return Finding(entry.n, kind, str(differs))
    except Exception as error:
        # Events made by hand can leave a state that no rule has ever brought about.
        return Finding(entry.n, kind, f"the rules cannot follow it ({type(error).__name__}: {error})")
    for recorded, derived in zip(entry.rolls, again.rolls, strict=True):
        if recorded != derived:
            return Finding(entry.n, kind, f"{recorded.purpose} of {recorded.subject} comes out otherwise")
    if entry.events != again.events:
        return Finding(entry.n, kind, "what happened is not what the rules make of the dice")
    return None


def sealed_for_good(history: History) -> int:
    """How many of the app's rolls nobody can ever check: those under a seal that is past and was never revealed."""
    entries = (entry for entry in history.entries if isinstance(entry, OrderEntry))
    now = history.seals.now
    return sum(
        sum(row.source == "app" for row in entry.rolls)
        for entry in entries
        if history.seals.of_entry(entry.n) != now and history.seals.seed_to_check(entry.n) is None
    )
