"""Bringing a whole army list into the battle: ordinary orders to muster, amend and dismiss, all or nothing.

They are one order, so that one undo takes the whole list back and a list that is refused leaves no half of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from engine.fields import Name
from engine.imported import Answer, Imported, Source, Taken
from engine.orders import Order
from engine.refusals import Refusal
from engine.resolution import Event, Rule, happen
from engine.scorekeeping import KeptBattle, known_side

MOST_ORDERS = 400

Kept = TypeVar("Kept", bound=KeptBattle)


class ListImport(Order, frozen=True, kw_only=True):
    """An army list for a side. Each rule set adds `orders`: its own muster, amend and dismiss, in this sequence.

    `units` are all that stand for something in the list, those left as they are too.
    """

    side: Name
    source: Source
    units: Annotated[tuple[Taken, ...], Meta(max_length=MOST_ORDERS)] = ()
    answers: Annotated[tuple[Answer, ...], Meta(max_length=2000)] = ()


class Intake(Struct, frozen=True):
    """What a list comes to: its events, in their order."""

    events: tuple[Event, ...]


def judge_import(
    battle: Kept,
    order: Any,
    judge: Callable[[Kept, Any], Any],
    resolve: Callable[[Kept, Any], Rule[Kept]],
    evolve: Callable[[Kept, Any], Kept],
    owner: Callable[[Kept, Any], str],
    names: Callable[[Kept], Mapping[str, str]],
) -> Intake:
    """Each of the orders on what those before it have made; raises Refusal for whatever forbids one of them.

    `judge`, `resolve`, `evolve`, `owner` and `names` are the rule set's, for single orders.
    """
    known_side(battle, order.side)
    events: list[Event] = []
    state = battle
    for each in order.orders:
        if each.dice is not None:
            raise Refusal("dice", "no dice are rolled for an army list")
        if owner(state, each) != order.side:
            raise Refusal("order", f"an import for {order.side} cannot order for another side")
        for event in _events(resolve(state, judge(state, each)), state, evolve):
            events.append(event)
            state = evolve(state, event)
    there = names(state)
    missing = next((taken.unit for taken in order.units if taken.unit not in there), None)
    if missing is not None:
        raise Refusal("order", f"there is no unit {missing}, which is said to come from the list")
    events.append(Imported(order.side, order.source, order.units, order.answers))
    return Intake(tuple(events))


def _events(rule: Rule[Kept], state: Kept, evolve: Callable[[Kept, Any], Kept]) -> list[Event]:
    """What a rule that rolls nothing tells."""
    told: list[Event] = []
    answer: Any = None
    while True:
        try:
            step = rule.send(answer)
        except StopIteration:
            return told
        if not isinstance(step, Event):
            raise AssertionError("an order of an import must not roll or ask")
        told.append(step)
        answer = state = evolve(state, step)


def take_in(battle: Kept, intake: Intake) -> Rule[Kept]:
    for event in intake.events:
        battle = yield from happen(event)
    return battle


def import_title(battle: KeptBattle, order: Any) -> str:
    """A few words that name an import."""
    kinds = [each.__struct_config__.tag for each in order.orders]
    words = (("muster", "new"), ("amend", "changed"), ("dismiss", "gone"))
    told = ", ".join(f"{kinds.count(kind)} {word}" for kind, word in words if kind in kinds)
    return f"import for {order.side}: {order.source.name} ({told or 'nothing new'})"


IMPORTED_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("Import.side", "Imported.side"), "side"),
    "Taken.unit": "unit",
    **dict.fromkeys(
        ("Source.name", "Source.sha256", "Source.program", "Taken.key", "Taken.called", "Taken.mark"), "text"
    ),
    **dict.fromkeys(("Answer.name", "Answer.value"), "text"),
}
"""Which fields of an import hold names; a digest would give the list away, so that it counts as one."""
