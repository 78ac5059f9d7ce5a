"""A rule set small enough to see through, for tests of everything that stands on rules but is not about them.

`count` adds the sum of 2D6 to a side's tally, `dare` passes on 7 or less and then saves three dice on 4+, `note`
writes something down, `break` is refused. The tally may not pass 100.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.army_list import ArmyList
from engine.odds import twelve_digits
from engine.orders import Order
from engine.refusals import Refusal
from engine.resolution import Event, Rule, happen, roll
from engine.rolls import Check, Lane, Pool, Stage, Total
from engine.ruleset import (
    Action,
    Cell,
    Clause,
    Column,
    Enlistment,
    Entering,
    Figure,
    Form,
    LeftOut,
    Measure,
    Preview,
    Question,
    Reading,
    Row,
    RuleSet,
    Section,
    Standing,
    Switch,
    Table,
)
from engine.spoken import Spoken
from saves.battle import OpenBattle
from saves.creating import create

NAME = "counter"


class CountUp(Order, frozen=True, kw_only=True, tag="count"):
    side: str
    times: Annotated[int, Meta(ge=1, le=5)] = 1
    step: Decimal | None = None


class Dare(Order, frozen=True, kw_only=True, tag="dare"):
    side: str


class Note(Order, frozen=True, kw_only=True, tag="note"):
    text: Annotated[str, Meta(max_length=2000)]


class Counted(Event, frozen=True, tag="counted"):
    side: str
    by: int


class Dared(Event, frozen=True, tag="dared"):
    side: str
    passed: bool


class Noted(Event, frozen=True, tag="noted"):
    text: str


class Tally(Struct, frozen=True):
    sides: tuple[str, ...]
    counts: tuple[int, ...]
    turn: int = 0
    notes: tuple[str, ...] = ()

    def of(self, side: str) -> int:
        return self.counts[self.sides.index(side)]


class Counter:
    """Rules of a game nobody plays."""

    name = NAME
    title = "Counter"
    version = 1
    least_sides = 2
    most_sides = 3
    switches: tuple[Switch, ...] = (
        Switch("pace", ("slow", "fast"), "CO-1", "How fast?"),
        Switch("limit", ("off",), "CO-2", "Up to what number?", number=True),
    )
    clauses: tuple[Clause, ...] = (
        Clause("CO-1", "Counting", "Who counts", "Any side counts, whenever it likes."),
        Clause("CO-2", "Counting", "The end", "Nobody counts past a hundred. " * 8),
    )
    order_types: Any = CountUp | Dare | Note
    event_types: Any = Counted | Dared | Noted
    mustered_as = "nobody"
    armoury_weapons = ""
    armoury = ""
    actions: tuple[Action, ...] = ()
    spoken = Spoken()
    sections: tuple[Section, ...] = (Section("Counting", ("counted",)), Section("Notes", ("noted",), titled=True))
    suppressing: tuple[str, ...] = ("dared",)
    strength_in = "hand"
    named: Mapping[str, str] = {
        **dict.fromkeys(("CountUp.side", "Dare.side", "Counted.side", "Dared.side"), "side"),
        **dict.fromkeys(("Note.text", "Noted.text"), "text"),
    }

    def begin(self, sides: tuple[str, ...], switches: Mapping[str, str]) -> Tally:
        return Tally(sides, tuple(0 for _ in sides))

    def judge(self, battle: Tally, order: Any) -> Any:
        if isinstance(order, CountUp | Dare) and order.side not in battle.sides:
            raise Refusal("order", f"there is no side {order.side}")
        if isinstance(order, CountUp) and battle.of(order.side) >= 100:
            raise Refusal("CO-2", "nobody counts past a hundred")
        return order

    def resolve(self, battle: Tally, plan: Any) -> Rule[Tally]:
        if isinstance(plan, CountUp):
            for _ in range(plan.times):
                total = yield from roll(Total("count", plan.side, 2, 6))
                battle = yield from happen(Counted(plan.side, total))
        elif isinstance(plan, Dare):
            passed = yield from roll(Check("nerve", plan.side, 2, 6, at_most=7))
            if passed:
                lane = Lane(plan.side, "", 3, (Stage("save", 4, failing=True),))
                yield from roll(Pool((lane,)))
            battle = yield from happen(Dared(plan.side, passed))
        else:
            battle = yield from happen(Noted(plan.text))
        return battle

    def evolve(self, battle: Tally, event: Any) -> Tally:
        if isinstance(event, Counted):
            at = battle.sides.index(event.side)
            counts = tuple(n + event.by * (i == at) for i, n in enumerate(battle.counts))
            return msgspec.structs.replace(battle, counts=counts, turn=battle.turn + 1)
        if isinstance(event, Noted):
            return msgspec.structs.replace(battle, notes=(*battle.notes, event.text))
        return battle

    def fold(self, battle: Tally, happened: Iterable[Any]) -> Tally:
        for event in happened:
            battle = self.evolve(battle, event)
        return battle

    def turn(self, battle: Tally) -> str:
        return "t1-all"

    def question(self, battle: Tally, order: Any, plan: Any) -> Question:
        if not isinstance(order, CountUp):
            raise Refusal("order", "this rolls nothing")

        def answer(chances: Mapping[Any, Fraction]) -> dict[str, Any]:
            return {"total": {str(told): twelve_digits(chance) for told, chance in sorted(chances.items())}}

        return Question((Reading(lambda state: state.of(order.side) - battle.of(order.side)),), answer)

    def show(self, battle: Tally) -> dict[str, Any]:
        return {
            "rules": NAME,
            "turn": battle.turn,
            "side": None,
            "counts": dict(zip(battle.sides, battle.counts, strict=True)),
        }

    def order_title(self, battle: Tally, order: Any) -> str:
        if isinstance(order, CountUp):
            return f"{order.side} counts"
        return f"{order.side} dares" if isinstance(order, Dare) else f"note: {order.text}"

    def tell_event(self, battle: Tally, event: Any) -> str:
        if isinstance(event, Counted):
            return f"{event.side} counts {event.by} and stands at {battle.of(event.side)}."
        return f"{event.side} {'holds' if event.passed else 'flinches'}." if isinstance(event, Dared) else ""

    def tell_roll(self, battle: Tally, roll: Any) -> str:
        return f"{roll.subject}, {roll.purpose}"

    def state_line(self, battle: Tally) -> str:
        return f"Counter, turn {battle.turn}"

    def units(self, battle: Tally) -> Table:
        rows = tuple(Row(side, (Cell(side), Cell(str(battle.of(side))))) for side in battle.sides)
        return Table((Column("Side", 0), Column("Count", 5, right=True)), rows)

    def tracker(self, battle: Tally) -> Table:
        return Table((Column("Target", 0),), ())

    def pending(self, battle: Tally) -> tuple[str, ...]:
        return ("Somebody has to count.",) if not battle.turn else ()

    def why(self, battle: Tally, unit: str) -> tuple[Cell, ...]:
        return ()

    def under_fire(self, battle: Tally, unit: str) -> bool:
        return False

    def owner(self, battle: Tally, order: Any) -> str:
        return ""

    def owner_of_action(self, battle: Tally, action: Action, unit: str | None) -> str:
        return ""

    def roller(self, battle: Tally, order: Any, throw: Any) -> str:
        return ""

    def side_of(self, battle: Tally, unit: str) -> str:
        return unit if unit in battle.sides else ""

    def names(self, battle: Tally) -> Mapping[str, str]:
        return {}

    def available(self, battle: Tally, action: Action, unit: str | None) -> str:
        return ""

    def asks(self, battle: Tally, action: Action, unit: str | None) -> bool:
        return False

    def form(self, battle: Tally, order: str, given: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Form:
        return Form(order, order, ())

    def fill_in(self, battle: Tally, order: str, given: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Any:
        return Note(text="")

    def preview(self, battle: Tally, order: Any) -> Preview:
        return Preview(())

    def odds_figures(self, odds: Mapping[str, Any]) -> tuple[Figure, ...]:
        return tuple(Figure("", total, chance) for total, chance in odds["total"].items())

    def tell_odds(self, order: Any, odds: Mapping[str, Any]) -> tuple[Cell, ...]:
        return tuple(Cell(f"{total}: {chance:.1%}") for total, chance in odds["total"].items())

    def chapter(self, battle: Tally) -> str:
        return "The count" if battle.turn else "Before the count"

    def standings(self, battle: Tally) -> tuple[Standing, ...]:
        tallies = zip(battle.sides, battle.counts, strict=True)
        return tuple(Standing(side, side, {"count": str(count)}) for side, count in tallies)

    def strength(self, battle: Tally, unit: str) -> int:
        return int(unit in battle.sides)

    def profiles(self, battle: Tally) -> Mapping[str, Any]:
        return {}

    def profile_lines(self, profile: Any) -> tuple[str, ...]:
        return ()

    def standing(self, battle: Tally, profile: Any) -> Any:
        return profile

    def enlist(
        self, battle: Tally, army: ArmyList, register: Entering, given: Mapping[str, Any], catalogue: Mapping[str, Any]
    ) -> Enlistment:
        return Enlistment((), (), (), tuple(LeftOut(unit.name, "there are no units here") for unit in army.units))

    def measures(self, battle: Tally) -> tuple[Measure, ...]:
        return (
            Measure("nerve held", ("nerve",), "passed", more_is_good=True),
            Measure("counted", ("count",), "sum", more_is_good=True),
            Measure("saves", ("save",), "reached", more_is_good=True),
        )


RULES: RuleSet = Counter()


def small_battle(path: Path, *, seed: str = "small", dice: str = "app") -> Path:
    """A battle of the counter rules in `path`, with no entries."""
    create(path, rules=NAME, sides=("blue", "red"), seed=seed, dice=dice, name="Small")
    return path


def played_battle(path: Path) -> Path:
    """A battle with six entries: counted, dared, noted, taken back, counted again."""
    small_battle(path)
    with OpenBattle.open(path) as battle:
        battle.give(CountUp(side="blue", step=Decimal("2.50")), by="Ann")
        battle.give(Dare(side="red"), by="Bob")
        battle.give(Note(text="a note with ümläuts"), by="Ann")
        battle.undo(by="Ann")
        battle.give(CountUp(side="red", times=2))
    return path
