"""What every battle keeps, whatever its rules: the mission, the score, notes, and how it ended."""

from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from engine.fields import Name, Text, Words
from engine.folding import Fold, put
from engine.imported import Imported
from engine.orders import Order
from engine.refusals import Refusal
from engine.resolution import Event, Rule, happen

# What is ordered


class Score(Order, frozen=True, tag="score"):
    """Points for a side, added to what it has."""

    side: Name
    points: Annotated[int, Meta(ge=-10000, le=10000)]


class EndBattle(Order, frozen=True, tag="end_battle"):
    winner: Name | None = None
    reason: Text = ""


class Note(Order, frozen=True, tag="note"):
    text: Words


class Mission(Order, frozen=True, tag="mission"):
    """What the battle is about. The last one stands; an empty text takes it away."""

    text: Text


# What happened


class Scored(Event, frozen=True, tag="scored"):
    side: str
    points: Annotated[int, Meta(ge=-(10**9), le=10**9)]


class BattleEnded(Event, frozen=True, tag="battle_ended"):
    winner: str | None
    reason: str


class Noted(Event, frozen=True, tag="noted"):
    text: str


class MissionSet(Event, frozen=True, tag="mission_set"):
    """What the battle is about from now on, empty where it is about nothing in particular."""

    text: str


# What there is


class Ended(Struct, frozen=True, gc=False):
    """How the battle ended."""

    winner: str | None
    reason: str


class KeptBattle(Struct, frozen=True):
    """The part of a battle that all rule sets share: its sides, house rules, score, end, mission, lists imported."""

    sides: tuple[str, ...]
    switches: dict[str, str]
    score: dict[str, int] = {}
    ended: Ended | None = None
    mission: str = ""
    imports: tuple[Imported, ...] = ()


Kept = TypeVar("Kept", bound=KeptBattle)


def show_kept(battle: KeptBattle) -> dict[str, Any]:
    """Score, end, mission and imported lists as `show --json` has them."""
    return {
        "score": {side: battle.score.get(side, 0) for side in battle.sides},
        "ended": {"winner": battle.ended.winner, "reason": battle.ended.reason} if battle.ended else None,
        "mission": battle.mission or None,
        "imports": [
            {
                "side": each.side,
                "name": each.source.name,
                "sha256": each.source.sha256,
                "program": each.source.program,
                "units": sorted(taken.unit for taken in each.units),
            }
            for each in battle.imports
        ],
    }


# How it is judged


class Entered(Struct, frozen=True):
    """Something entered by hand that happens as it stands."""

    event: Event


def enter(battle: Kept, entered: Entered) -> Rule[Kept]:
    after: Kept = yield from happen(entered.event)
    return after


def known_side(battle: KeptBattle, side: str) -> str:
    """The side; raises Refusal (`order`) where the battle has no such side."""
    if side not in battle.sides:
        raise Refusal("order", f"there is no side {side}; there are {' and '.join(battle.sides)}")
    return side


def refuse_after_the_end(battle: KeptBattle, order: Any) -> None:
    """Once the battle is over only notes are left; raises Refusal (`order`) for anything else."""
    if battle.ended and not isinstance(order, Note):
        raise Refusal("order", "the battle is over: only notes, undo and goto are left")


def judge_score(battle: KeptBattle, order: Score) -> Entered:
    """Points for a side that there is. Raises Refusal (`order`)."""
    return Entered(Scored(known_side(battle, order.side), order.points))


def judge_end_battle(battle: KeptBattle, order: EndBattle) -> Entered:
    """The battle is over: a winner or none. Raises Refusal (`order`)."""
    if order.winner is not None:
        known_side(battle, order.winner)
    return Entered(BattleEnded(order.winner, order.reason))


def judge_note(battle: KeptBattle, order: Note) -> Entered:
    """Words for the record."""
    return Entered(Noted(order.text))


def judge_mission(battle: KeptBattle, order: Mission) -> Entered:
    """Another mission, or none where the text is empty."""
    return Entered(MissionSet(order.text.strip()))


# The state after it


def scored(battle: Kept, event: Scored) -> Kept:
    put(battle, "score", {**battle.score, event.side: battle.score.get(event.side, 0) + event.points})
    return battle


def battle_ended(battle: Kept, event: BattleEnded) -> Kept:
    put(battle, "ended", Ended(event.winner, event.reason))
    return battle


def mission_set(battle: Kept, event: MissionSet) -> Kept:
    put(battle, "mission", event.text)
    return battle


def list_imported(battle: Kept, event: Imported) -> Kept:
    put(battle, "imports", (*battle.imports, event))
    return battle


def unchanged(battle: Kept, event: Event) -> Kept:
    """The state after an event that is told for the record alone."""
    return battle


FOLDS: dict[type[Event], Fold[Any]] = {
    Scored: scored,
    BattleEnded: battle_ended,
    Noted: unchanged,
    MissionSet: mission_set,
    Imported: list_imported,
}
