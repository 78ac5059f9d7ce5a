"""From what a player says to an entry: read an order, judge it, resolve it, and write it down."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.dice import AppDice, PromptedDice, Source, TypedDice
from engine.entries import OrderEntry
from engine.history import History
from engine.json_text import doubled_field
from engine.odds import TooMany, distribution
from engine.own_dice import own_dice, refuse_faces
from engine.refusals import Refusal
from engine.resolution import Resolution, carry_out
from engine.ruleset import Reading, RuleSet
from engine.sealed_dice import SEALED

Face = Annotated[int, Meta(ge=0, le=1000)]


class Order(
    Struct, frozen=True, gc=False, tag_field="type", kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What a player orders. `dice` are the faces rolled at the table, in the sequence in which the rules roll."""

    dice: Annotated[tuple[Face, ...], Meta(max_length=5000)] | None = None


def read_order(rules: RuleSet, raw: bytes | str) -> Any:
    """The order in a JSON text; raises Refusal (`order`) with one sentence for whatever is wrong with it."""
    try:
        order = msgspec.json.decode(raw, type=rules.order_types)
    except RecursionError:
        raise Refusal("order", "this is no order: it is nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Refusal("order", plainly(str(error), "an order")) from None
    doubled = doubled_field(raw)
    if doubled is not None:
        raise Refusal("order", f"not an order: the field {doubled} stands there twice")
    return order


_PATH = re.compile(r" - at `\$?(.*)`$")


_WORDS = (
    (r"Object contains unknown field", "there is no field"),
    (r"Object missing required field", "a field is missing:"),
    (r"Invalid (enum )?value", "unknown value"),
    (r"JSON is malformed:", "this is no JSON:"),
    (r"Input data was truncated", "this is no JSON: it ends too early"),
    (r"str matching regex '.*'", "an id: 1 to 40 small letters, figures, - and _"),
    (r"\bobject\b", "{...}"),
    (r"\barray\b", "[...]"),
    (r"\bint\b", "a whole number"),
    (r"\bfloat\b", "a number"),
    (r"\bstr\b", "text"),
    (r"\bbool\b", "true or false"),
    (r" \| ", " or "),
)
"""A decoder's words, and those of people."""


def plainly(error: str, what: str) -> str:
    """A decoder's message as a sentence: where in the order, and what is wrong."""
    found = _PATH.search(error)
    where = found.group(1).lstrip(".") if found else ""
    message = _PATH.sub("", error).replace("`", "")
    for theirs, ours in _WORDS:
        message = re.sub(theirs, ours, message)
    message = message[:1].lower() + message[1:]
    return f"not {what}: {message}" + (f" (at {where})" if where else "")


def app_dice(history: History) -> Source:
    """The keyed dice of this battle; those that are sealed refuse to roll while they cannot."""
    if history.header.dice.mode == SEALED:
        return SealedDice(history.seals.seed_for_roll)
    return AppDice(bytes.fromhex(history.header.dice.seed))


class SealedDice(Source):
    """The app's dice, whose seed is asked for only when something is rolled."""

    def __init__(self, seed: Callable[[], bytes]) -> None:
        self._seed = seed

    def faces(self, throw: Any, key: str) -> tuple[tuple[int, ...], str]:
        return AppDice(self._seed()).faces(throw, key)


class NoDice(Source):
    """A table that rolls its own dice and has not said what fell: every throw is refused."""

    def faces(self, throw: Any, key: str) -> tuple[tuple[int, ...], str]:
        return TypedDice(()).faces(throw, key)


def usual_source(history: History, order: Order, seat: str = "") -> Source:
    """Whence an order's faces come when nobody can be asked: typed with it, else the app's dice if it may roll.

    From the seat of a side those are typed that it rolls; the app rolls for the others.
    """
    app = app_dice(history)
    if order.dice is not None:
        return own_dice(history.rules, history.state, order, seat, TypedDice(order.dice), app)
    if history.header.dice.mode == "table":
        return own_dice(history.rules, history.state, order, seat, NoDice(), app)
    return app


def prompted_source(
    history: History, answers: tuple[tuple[int, ...] | None, ...], order: Order, seat: str = ""
) -> Source:
    """Faces asked for throw by throw on a screen; None where the app rolls. Of other sides' throws nobody is asked."""
    app = app_dice(history)
    return own_dice(history.rules, history.state, order, seat, PromptedDice(answers, app), app)


def resolve_order(
    history: History, order: Order, source: Source | None = None, ask: bool = False, seat: str = ""
) -> Resolution[Any]:
    """Judge and resolve an order from a seat on the state at the head, without recording it.

    `source` gives the faces, by default `usual_source`; with `ask`, a choice that arises after dice is raised as
    Undecided instead of taking its default. Raises Refusal, also (`seat`) for faces that another side rolls; the
    history is untouched in any case.
    """
    rules = history.rules
    plan = rules.judge(history.state, order)
    resolution = carry_out(
        rules.resolve(history.state, plan),
        history.state,
        rules.evolve,
        rules.turn,
        source or usual_source(history, order, seat),
        history.keys(),
        history.rolled,
        ask,
    )
    refuse_faces(rules, history.state, order, resolution.rolls, seat)
    return resolution


def written_down(
    history: History, order: Order, resolution: Resolution[Any], by: str, t: int, seat: str = ""
) -> OrderEntry:
    """The entry of a resolved order. Faces stand in its rolls, so the order itself is kept without them."""
    number = len(history.entries) + 1
    return OrderEntry(
        n=number,
        by=by,
        t=t,
        order=msgspec.structs.replace(order, dice=None),
        rolls=resolution.rolls,
        events=resolution.events,
        p=None if history.head == number - 1 else history.head,
        seat=seat,
    )


def odds_of(history: History, order: Order, wanted: Callable[[], bool] = lambda: True) -> dict[str, Any]:
    """The exact chances of what an order would roll, as the contract's `odds --json` prints them.

    Raises Refusal where the rules refuse the order, it never rolls, or its outcomes are too many; Cancelled when
    `wanted` says no.
    """
    rules, battle = history.rules, history.state
    plan = rules.judge(battle, order)
    question = rules.question(battle, order, plan)

    try:
        return question.answer(*(chances_of(rules, battle, plan, reading, wanted) for reading in question.readings))
    except TooMany:
        raise Refusal("order", "this order has too many outcomes to tell its odds exactly") from None


def chances_of(
    rules: RuleSet, state: Any, plan: Any, reading: Reading, wanted: Callable[[], bool] = lambda: True
) -> dict[Any, Fraction]:
    """The exact chance of each thing that a reading of a judged order tells. Raises TooMany, Cancelled."""
    return distribution(
        reading.stretches or (lambda now: lambda: rules.resolve(now, plan),),
        state,
        rules.evolve,
        reading.tell,
        wanted,
        reading.counting,
        reading.alike,
        reading.closing,
    )
