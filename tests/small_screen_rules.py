"""A rule set small enough to read at a glance, which uses everything that the screens offer: lanterns in the night."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from engine.army_list import ArmyList
from engine.orders import Order
from engine.refusals import Option, Refusal, Undecided
from engine.resolution import Choice, Event, Rule, choose, happen, roll
from engine.rolls import Check, Lane, Pool, Stage, Total
from engine.ruleset import (
    Action,
    Cell,
    Clause,
    Column,
    Enlistment,
    Entering,
    Field,
    FieldOption,
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


class Lantern(Struct, frozen=True):
    id: str
    side: str
    name: str
    oil: int
    lit: bool = False


class Night(Struct, frozen=True):
    sides: tuple[str, ...]
    lanterns: tuple[Lantern, ...] = ()
    night: int = 1

    def lantern(self, name: str) -> Lantern:
        for lantern in self.lanterns:
            if lantern.id == name:
                return lantern
        raise Refusal("order", f"there is no lantern {name}")


class Place(Order, frozen=True, tag="place"):
    name: str
    side: str
    oil: int
    pattern: str = "plain"


class Light(Order, frozen=True, tag="light"):
    lantern: str


class Pour(Order, frozen=True, tag="pour"):
    target: str
    by: tuple[str, ...]
    distance: float
    steady: bool = False
    first: str | None = None
    wick: str | None = None


class Dawn(Order, frozen=True, tag="dawn"):
    pass


class Crash(Order, frozen=True, tag="crash"):
    pass


class Placed(Event, frozen=True, tag="placed"):
    lantern: Lantern


class Lit(Event, frozen=True, tag="lit"):
    lantern: str
    lit: bool


class Poured(Event, frozen=True, tag="poured"):
    target: str
    oil: int


class Dawned(Event, frozen=True, tag="dawned"):
    pass


CLAUSES = (
    Clause("LN-1", "Lanterns", "Lighting", "Two dice at or under the oil. See LN-2 for more oil."),
    Clause("LN-2", "Lanterns", "Pouring", "One die for each who pours. A 4 is needed. Nobody pours over 12 paces."),
    Clause("LN-12", "Night", "Dawn", "All lanterns go out."),
)

ACTIONS = (
    Action("place", "p", "Place", "Put a new lantern down.", "battle", "place"),
    Action("light", "i", "Light", "Try to light the lantern.", "unit", "light", form=False, unit_field="lantern"),
    Action("pour", "o", "Pour oil", "Pour oil into a lantern.", "unit", "pour", unit_field="target"),
    Action("dawn", "e", "Dawn", "End the night.", "battle", "dawn", form=False),
    Action("crash", "X", "Crash", "Break the program.", "battle", "crash", form=False),
)


class Lanterns:
    """The rule set; a RuleSet."""

    name = "lanterns"
    title = "Lanterns"
    version = 1
    least_sides = 2
    most_sides = 2
    switches: tuple[Switch, ...] = (Switch("wind", ("calm", "strong"), "LN-1", "Does the wind blow?"),)
    clauses: tuple[Clause, ...] = CLAUSES
    order_types: Any = Place | Light | Pour | Dawn | Crash
    event_types: Any = Placed | Lit | Poured | Dawned
    mustered_as = "nobody"
    armoury_weapons = ""
    armoury = ""
    actions: tuple[Action, ...] = ACTIONS
    spoken = Spoken()
    sections: tuple[Section, ...] = (Section("Light", ("lit", "dawned")), Section("Oil", ("poured",)))
    suppressing: tuple[str, ...] = ("poured",)
    strength_in = "lantern"
    named: Mapping[str, str] = {
        **dict.fromkeys(("Lantern.id", "Light.lantern", "Pour.target", "Pour.by", "Pour.first"), "unit"),
        **dict.fromkeys(("Lit.lantern", "Poured.target"), "unit"),
        **dict.fromkeys(("Lantern.name", "Place.name"), "unit name"),
        **dict.fromkeys(("Lantern.side", "Place.side"), "side"),
    }

    def begin(self, sides: tuple[str, ...], switches: Mapping[str, str]) -> Night:
        return Night(sides)

    def judge(self, battle: Night, order: Any) -> Any:
        if isinstance(order, Place) and not 2 <= order.oil <= 12:
            raise Refusal("LN-1", f"{order.oil} is no measure of oil")
        if isinstance(order, Light):
            if battle.lantern(order.lantern).lit:
                raise Refusal("LN-1", f"{battle.lantern(order.lantern).name} burns already")
            if not battle.lantern(order.lantern).oil:
                raise Refusal("LN-1", "it is dry")
        if isinstance(order, Pour):
            self._judge_pour(battle, order)
        return order

    @staticmethod
    def _judge_pour(battle: Night, order: Pour) -> None:
        if order.distance > 12:
            raise Refusal("LN-2", f"nobody pours over {order.distance:g} paces")
        if len(order.by) == 2 and order.first is None:
            options = tuple(Option(name, battle.lantern(name).name) for name in order.by)
            raise Undecided("LN-2", "Both would pour first: who does?", "first", order.target, options)

    def resolve(self, battle: Night, plan: Any) -> Rule[Any]:
        if isinstance(plan, Crash):
            raise RuntimeError("[the] program broke")
        if isinstance(plan, Place):
            name = "".join(char for char in plan.name.lower() if char.isascii() and char.isalnum())[:40] or "lantern"
            taken = {lantern.id for lantern in battle.lanterns}
            name = next(n for n in (name, *(f"{name}{k}" for k in range(2, 300))) if n not in taken)
            return (yield from happen(Placed(Lantern(name, plan.side, plan.name, plan.oil))))
        if isinstance(plan, Light):
            oil = battle.lantern(plan.lantern).oil
            lit = yield from roll(Check("lighting", plan.lantern, count=2, sides=6, at_most=oil))
            return (yield from happen(Lit(plan.lantern, lit)))
        if isinstance(plan, Pour):
            return (yield from self._pour(plan))
        return (yield from happen(Dawned()))

    @staticmethod
    def _pour(plan: Pour) -> Rule[Any]:
        drops = yield from roll(Total("drops", plan.target, 1, 3))
        lanes = (Lane(plan.target, "", drops + len(plan.by), (Stage("pouring", 4),)),)
        (hits,) = yield from roll(Pool(lanes))
        if hits > 2:
            wick = plan.wick or (
                yield from choose(
                    Choice(
                        "wick",
                        plan.target,
                        "LN-2",
                        "Much oil: which wick?",
                        lambda: (Option("thin", "the thin wick"), Option("thick", "the thick wick")),
                        "thin",
                    )
                )
            )
            hits += wick == "thick"
        return (yield from happen(Poured(plan.target, hits)))

    def evolve(self, battle: Night, event: Any) -> Night:
        if isinstance(event, Placed):
            return msgspec.structs.replace(battle, lanterns=(*battle.lanterns, event.lantern))
        if isinstance(event, Dawned):
            out = tuple(msgspec.structs.replace(lantern, lit=False) for lantern in battle.lanterns)
            return msgspec.structs.replace(battle, lanterns=out, night=battle.night + 1)
        name = event.lantern if isinstance(event, Lit) else event.target
        lanterns = tuple(self._changed(each, event) if each.id == name else each for each in battle.lanterns)
        return msgspec.structs.replace(battle, lanterns=lanterns)

    def fold(self, battle: Night, happened: Iterable[Any]) -> Night:
        for event in happened:
            battle = self.evolve(battle, event)
        return battle

    @staticmethod
    def _changed(lantern: Lantern, event: Any) -> Lantern:
        if isinstance(event, Lit):
            return msgspec.structs.replace(lantern, lit=event.lit)
        return msgspec.structs.replace(lantern, oil=lantern.oil + event.oil)

    def turn(self, battle: Night) -> str:
        return f"n{battle.night}"

    def question(self, battle: Night, order: Any, plan: Any) -> Question:
        def tell(after: Night) -> Hashable:
            return after.lantern(order.target).oil

        def answer(chances: Mapping[Any, Fraction]) -> dict[str, Any]:
            return {"mean": float(sum(oil * chance for oil, chance in chances.items()))}

        if not isinstance(order, Pour):
            raise Refusal("order", "this never rolls")
        return Question((Reading(tell),), answer)

    def show(self, battle: Night) -> dict[str, Any]:
        return {"round": battle.night, "side": None}

    def order_title(self, battle: Night, order: Any) -> str:
        if isinstance(order, Place):
            return f"{order.name} is placed"
        if isinstance(order, Light):
            return f"{battle.lantern(order.lantern).name} is lit"
        if isinstance(order, Pour):
            return f"oil for {battle.lantern(order.target).name}"
        return "dawn"

    def tell_event(self, battle: Night, event: Any) -> str:
        if isinstance(event, Lit):
            return f"{battle.lantern(event.lantern).name} {'burns' if event.lit else 'stays dark'}."
        if isinstance(event, Poured):
            return f"{battle.lantern(event.target).name} gains {event.oil} oil."
        return ""

    def tell_roll(self, battle: Night, roll: Any) -> str:
        return f"{battle.lantern(roll.subject).name}, {roll.purpose}"

    def state_line(self, battle: Night) -> str:
        return f"night {battle.night}, {sum(lantern.lit for lantern in battle.lanterns)} burning"

    def units(self, battle: Night) -> Table:
        rows: list[Row] = []
        for number, side in enumerate(battle.sides):
            tone = "side_a" if not number else "side_b"
            own = [lantern for lantern in battle.lanterns if lantern.side == side]
            if own:
                rows.append(Row("", (Cell(side, tone),), heading=True))
            for lantern in own:
                state = Cell("burns", "good") if lantern.lit else Cell("dark", "dim")
                rows.append(Row(lantern.id, (Cell(lantern.name), Cell(str(lantern.oil)), state), indent=1))
        return Table((Column("Lantern", 0), Column("Oil", 3, right=True), Column("State", 6, rank=1)), tuple(rows))

    def tracker(self, battle: Night) -> Table:
        rows = tuple(
            Row(lantern.id, (Cell(lantern.name), Cell(f"needs {lantern.oil} or less")), urgent=lantern.oil < 4)
            for lantern in battle.lanterns
            if not lantern.lit
        )
        return Table((Column("To be lit", 0), Column("Needs", 16)), rows)

    def pending(self, battle: Night) -> tuple[str, ...]:
        return tuple(f"{lantern.name} runs dry." for lantern in battle.lanterns if lantern.oil < 4)

    def why(self, battle: Night, unit: str) -> tuple[Cell, ...]:
        lantern = battle.lantern(unit)
        return (Cell(f"{lantern.name} has {lantern.oil} oil.", "strong"), Cell("It is lit by two dice (LN-1)."))

    def under_fire(self, battle: Night, unit: str) -> bool:
        return any(lantern.id == unit and not lantern.lit for lantern in battle.lanterns)

    def owner(self, battle: Night, order: Any) -> str:
        return self.side_of(battle, getattr(order, "lantern", getattr(order, "target", "")))

    def owner_of_action(self, battle: Night, action: Action, unit: str | None) -> str:
        return self.side_of(battle, unit or "")

    def roller(self, battle: Night, order: Any, throw: Any) -> str:
        return self.side_of(battle, throw.subject)

    def side_of(self, battle: Night, unit: str) -> str:
        return next((lantern.side for lantern in battle.lanterns if lantern.id == unit), "")

    def names(self, battle: Night) -> Mapping[str, str]:
        return {lantern.id: lantern.name for lantern in battle.lanterns}

    def available(self, battle: Night, action: Action, unit: str | None) -> str:
        if action.name == "light" and unit is not None and battle.lantern(unit).lit:
            return "it burns already (LN-1)"
        if action.name == "dawn" and not battle.lanterns:
            return "there is nothing to put out (LN-12)"
        if action.name == "crash" and not any(lantern.id == "doom" for lantern in battle.lanterns):
            return "nothing here can break"
        return ""

    def asks(self, battle: Night, action: Action, unit: str | None) -> bool:
        return True

    def form(self, battle: Night, order: str, given: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Form:
        return self._place_form(battle, given) if order == "place" else self._pour_form(battle, given)

    @staticmethod
    def _place_form(battle: Night, given: Mapping[str, Any]) -> Form:
        patterns = tuple(FieldOption(name, f"{name} lantern") for name in PATTERNS)
        sides = tuple(FieldOption(side, side) for side in battle.sides)
        pattern = given.get("pattern", "plain")
        side = given.get("side", battle.sides[0])
        return Form(
            "place",
            "Place a lantern",
            (
                Field("pattern", "Pattern", "choice", pattern, patterns),
                Field("side", "Side", "choice", side, sides, inferred="" if "side" in given else "the first side"),
                Field("name", "Name", "text", given.get("name")),
                Field("oil", "Oil", "number", given.get("oil", 7), least=0, most=99, inferred="a full one"),
                Field("magic", "Magic", "flag", given.get("magic", False), forbidden="no magic here (LN-12)"),
            ),
        )

    @staticmethod
    def _pour_form(battle: Night, given: Mapping[str, Any]) -> Form:
        targets = tuple(FieldOption(lantern.id, lantern.name) for lantern in battle.lanterns)
        pourers = tuple(
            FieldOption(lantern.id, lantern.name, "" if lantern.oil else "it has no oil itself, so it cannot (LN-2)")
            for lantern in battle.lanterns
            if lantern.id != given.get("target")
        )
        return Form(
            "pour",
            "Pour oil",
            (
                Field("target", "Into", "choice", given.get("target"), targets),
                Field("by", "Poured by", "choices", given.get("by", ()), pourers),
                Field("distance", "Distance", "decimal", given.get("distance"), least=0, most=100),
                Field("steady", "Steady", "flag", given.get("steady", False)),
            ),
        )

    def fill_in(self, battle: Night, order: str, given: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Any:
        if order == "light":
            return Light(lantern=given["lantern"])
        if order in ("dawn", "crash"):
            return Dawn() if order == "dawn" else Crash()
        if order == "place":
            if not given.get("name"):
                raise Refusal("order", "a lantern needs a name")
            side = given.get("side", battle.sides[0])
            return Place(name=given["name"], side=side, oil=given.get("oil", 7), pattern=given.get("pattern", "plain"))
        if "distance" not in given:
            raise Refusal("order", "the distance is missing")
        distance: Decimal = given["distance"]
        return Pour(target=given["target"], by=given.get("by", ()), distance=float(distance))

    def preview(self, battle: Night, order: Any) -> Preview:
        if isinstance(order, Place):
            return Preview((Cell(f"{order.name} takes two dice at {order.oil} or less (LN-1)."),))
        try:
            self.judge(battle, order)
        except Undecided:
            pass
        except Refusal as refusal:
            return Preview((), f"{refusal.message} ({refusal.clause})")
        return Preview((Cell("Drops fill it on 4+."),))

    def odds_figures(self, odds: Mapping[str, Any]) -> tuple[Figure, ...]:
        return (Figure("", "oil left", odds["mean"], "mean"),)

    def tell_odds(self, order: Any, odds: Mapping[str, Any]) -> tuple[Cell, ...]:
        return (Cell(f"On average {odds['mean']:.2f} oil afterwards."),)

    def standings(self, battle: Night) -> tuple[Standing, ...]:
        whole = Standing("", "The night", {"night": str(battle.night)})
        facts = ({"oil": str(each.oil), "light": "burns" if each.lit else ""} for each in battle.lanterns)
        return (whole, *(Standing(each.id, each.name, told) for each, told in zip(battle.lanterns, facts, strict=True)))

    def chapter(self, battle: Night) -> str:
        return f"Night {battle.night}"

    def strength(self, battle: Night, unit: str) -> int:
        return sum(lantern.id == unit for lantern in battle.lanterns)

    def profiles(self, battle: Night) -> Mapping[str, Any]:
        return {}

    def profile_lines(self, profile: Any) -> tuple[str, ...]:
        return ()

    def standing(self, battle: Night, profile: Any) -> Any:
        return profile

    def enlist(
        self, battle: Night, army: ArmyList, register: Entering, given: Mapping[str, Any], catalogue: Mapping[str, Any]
    ) -> Enlistment:
        return Enlistment((), (), (), tuple(LeftOut(unit.name, "there are no units here") for unit in army.units))

    def measures(self, battle: Night) -> tuple[Measure, ...]:
        return (
            Measure("lit", ("lighting",), "passed", more_is_good=True),
            Measure("oil poured", ("pouring",), "reached", more_is_good=True),
        )


PATTERNS = ("plain", "storm", "ship's", "miner's", "red", "green", "bull's eye", "paper", "signal", "cavern")

RULES: RuleSet = Lanterns()
"""What the table of rule sets looks for."""
