"""What the rest of the program may ask of a rule set. Two stand behind this protocol; a third is one more folder.

Everything that a screen, a report or an importer shows or asks comes through here as plain data, so that nothing
outside a rule set's own folder knows which one it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from engine.army_list import ArmyList
from engine.odds import Stretch
from engine.resolution import Event, Rule
from engine.rolls import Roll
from engine.spoken import Spoken


class Clause(Struct, frozen=True):
    """One clause of the rulebook in our own words: its number, chapter, a short title and the text."""

    number: str
    chapter: str
    title: str
    text: str


class Switch(Struct, frozen=True):
    """A house rule that a table sets when the battle is created. The first value is the default.

    `number` is true where any whole number from 0 to 1000 may stand besides the listed values.
    """

    name: str
    values: tuple[str, ...]
    clause: str
    question: str
    number: bool = False


class Column(Struct, frozen=True):
    """A column of a pane: its heading, its width in cells (0 takes what is left), and whether it gives way first.

    `rank` 0 columns are always shown; higher ranks are left out first when the pane is narrow. `least` is how many
    cells a column without a width wants before others give way for it. `words` are what a short heading stands for,
    where it is read aloud.
    """

    title: str
    width: int
    rank: int = 0
    right: bool = False
    least: int = 14
    words: str = ""


class Cell(Struct, frozen=True):
    """Text of one cell and the meaning that colours it; the meaning is also told by the text itself.

    `tone`: plain, dim, good, warning, bad, side_a, side_b, strong.
    """

    text: str
    tone: str = "plain"


class Row(Struct, frozen=True):
    """One line of a pane. `id` is the unit, combatant, target or lane that the line is about.

    `heading` lines cannot be selected; `indent` cells of space stand before the first cell; `urgent` lines need a
    decision and are marked so.
    """

    id: str
    cells: tuple[Cell, ...]
    heading: bool = False
    indent: int = 0
    urgent: bool = False


class Table(Struct, frozen=True):
    """A pane's content."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


class FieldOption(Struct, frozen=True):
    """One value a field may take. `forbidden` is why it may not be taken now, with the clause; else empty."""

    value: str
    label: str
    forbidden: str = ""


class Field(Struct, frozen=True):
    """One line of a form.

    `kind`: `choice` (one of the options), `choices` (any of them, `value` is a tuple of values), `number` (whole,
    from `least` to `most`), `decimal` (at most two places, from `least` to `most`), `text`, `flag` (true or false).
    `value` is what stands there now: given by the player or inferred. `inferred` says where an inferred value
    comes from, empty for one that the player gave. `forbidden` says why the whole field cannot be used.

    What a player gives comes back in `given` under the field's name: the value of an option, a tuple of such values,
    an int, a `decimal.Decimal`, a text, a bool. A field left empty is not in `given`. Values out of bounds and
    forbidden options are never in it, but fields that the form no longer shows may be.
    """

    name: str
    label: str
    kind: str
    value: Any = None
    options: tuple[FieldOption, ...] = ()
    least: int = 0
    most: int = 0
    inferred: str = ""
    forbidden: str = ""
    indent: int = 0
    optional: bool = False


class Form(Struct, frozen=True):
    """What a player fills in to give one order; the fields depend on what is filled in already."""

    order: str
    title: str
    fields: tuple[Field, ...]


class Action(Struct, frozen=True):
    """One kind of order as the player sees it: its name in the key table, the key, the words, where it works.

    `key` is one letter, small or capital; the screen keeps `u w q j k g G D H L V` and all that is no letter
    for itself.
    `about` is `unit` where the order starts from the selected unit or combatant, `battle` where it does not;
    `unit_field` is the field of the order that then holds its id, filled in to begin with.
    `form` tells that fields are asked for; without, `fixed` are the order's fields besides the unit.
    """

    name: str
    key: str
    label: str
    help: str
    about: str
    order: str
    form: bool = True
    fixed: Mapping[str, Any] = {}
    unit_field: str = ""


class Preview(Struct, frozen=True):
    """What is known of an order before it is given: a line each, or why it would be refused."""

    lines: tuple[Cell, ...]
    refused: str = ""


class Figure(Struct, frozen=True):
    """One number of the odds of an order, with its name: at most 13 cells, 15 where `about` is empty.

    `about` is what it is one of several figures about, as `Casualties`; figures about the same follow each other.
    `kind`: `chance` (from 0 to 1) or `mean`. `tone` as of a Cell.
    """

    about: str
    label: str
    value: float
    kind: str = "chance"
    tone: str = "plain"


def itself(told: Any) -> Any:
    """What a rule returns, told as it is."""
    return told


class Reading(Struct, frozen=True):
    """Rules that are read for the chances of what comes of them, without dice.

    `stretches` follow each other, each on what the one before hands on: the state that it has come to, or an Onward
    with it. Judged on that, each gives what starts its rule (engine/odds.py). Without any the order's own rule is
    read. `tell` takes what the last returns.

    `counting` is asked where dice are dealt out (engine/rolls.py): what is known of the state besides, and how many
    there are to lose; from there on only how many are left counts. Without it each outcome counts by itself. `alike` is
    asked where a stretch ends before the last what of that which it hands on still counts at all; `closing`, at a roll,
    what of the state still counts once it comes out so, None for all of it.

    `losing` is the unit of which the reading tells what it loses; what its last stretch returns is then the state.
    """

    tell: Callable[[Any], Hashable] = itself
    stretches: tuple[Stretch, ...] = ()
    counting: Callable[[Any], tuple[Hashable, int]] | None = None
    alike: Callable[[Any], Hashable] | None = None
    closing: Callable[[Any, Roll[Any], Any], Hashable | None] | None = None
    losing: str = ""


class Question(Struct, frozen=True):
    """What the odds of an order are asked for: readings that have nothing to do with each other, each by itself.

    `answer` takes what each of them tells, by chance, and gives the JSON-ready tree of `headsdown odds`.
    """

    readings: tuple[Reading, ...]
    answer: Callable[..., dict[str, Any]]


class Measure(Struct, frozen=True):
    """Something that luck is measured by, and which rolls count for it.

    `counts`: `passed` or `failed` of checks, `reached` (dice of a pool that reach what they need), `sum` of dice, or
    of `results` where a die is looked up in a table (those of its faces from 1 up); `losses` (what an order with
    dice cost the units it rolled for; `purposes` is empty then). Luck is that of the unit which the roll is about,
    with `of_group` of the one named as its group; `more_is_good` tells whether more is good for that unit.
    """

    name: str
    purposes: tuple[str, ...]
    counts: str
    more_is_good: bool
    results: tuple[int, ...] = ()
    of_group: bool = False


class Section(Struct, frozen=True):
    """A part of what a report tells of each turn: its title, and the events (by tag) that belong to it.

    With `titled` the order's title stands before what came of it.
    """

    title: str
    events: tuple[str, ...]
    titled: bool = False


class Standing(Struct, frozen=True):
    """How a unit stands, or with an empty `id` the battle as a whole: what there is to know of it, named and in words.

    A fact that is not the case is left out or told as an empty text.
    """

    id: str
    name: str
    facts: Mapping[str, str]


class Enlisted(Struct, frozen=True):
    """A unit of an army list as the rule set would muster it.

    `key` and `called` are what the list knows it by; `lines` tell what was read of it.
    """

    key: str
    called: str
    profile: Any
    lines: tuple[str, ...] = ()


class LeftOut(Struct, frozen=True):
    """Something of an army list that does not come into the battle, and why."""

    name: str
    why: str


class Enlistment(Struct, frozen=True):
    """What a rule set makes of an army list, with the answers given so far.

    `fields` are all that can be said about it, with what holds now; `assumed` names those of them that the list does
    not say and nobody has answered.
    """

    units: tuple[Enlisted, ...]
    fields: tuple[Field, ...]
    assumed: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class Entering(Protocol):
    """Gives units of a list ids and names in the battle."""

    def listed(self, key: str, called: str) -> tuple[str, str]:
        """The id and the name of the unit with that key, called so in the list."""


class RuleSet(Protocol):
    """A rule set: its orders and events, how they are judged, resolved and folded, and how they are told."""

    name: str
    title: str
    version: int
    least_sides: int
    most_sides: int
    switches: tuple[Switch, ...]
    clauses: tuple[Clause, ...]
    order_types: Any
    event_types: Any
    armoury: str
    actions: tuple[Action, ...]
    spoken: Spoken
    sections: tuple[Section, ...]
    suppressing: tuple[str, ...]
    """The events (by tag) that lay suppressing fire."""

    mustered_as: str
    """The field of `muster` that holds who comes, and what each of them is called in roster files."""

    armoury_weapons: str
    """The table of the armoury that holds weapons."""

    strength_in: str
    """What the strength of units is counted in: `model`."""

    named: Mapping[str, str]
    """Which fields of orders and events hold names, as `Struct.field`, and of what.

    `unit` (an id), `unit name`, `side`, `text` (free words), or any other word for names that players give, like
    `group`. Keys of a mapping and items of a list count as the field. Fields of texts that are not here hold words of
    the rules alone. `Rolled.group` is what a roll's group names.
    """

    def begin(self, sides: tuple[str, ...], switches: Mapping[str, str]) -> Any:
        """The state of a battle in which nothing has happened. `switches` may leave out defaults."""

    def judge(self, battle: Any, order: Any) -> Any:
        """All that is known before a die falls; raises Refusal for whatever forbids the order."""

    def resolve(self, battle: Any, plan: Any) -> Rule[Any]:
        """The rule itself, as a generator; can refuse nothing."""

    def evolve(self, battle: Any, event: Event) -> Any:
        """The state after an event; `battle` stays what it is."""

    def fold(self, battle: Any, happened: Iterable[Event]) -> Any:
        """The state after events, made of one that nobody else has seen: its mappings may be changed."""

    def turn(self, battle: Any) -> str:
        """The turn's part of a dice key, like `t3-red` or `r2`."""

    def question(self, battle: Any, order: Any, plan: Any) -> Question:
        """What odds tell of this order; raises Refusal where it never rolls."""

    def show(self, battle: Any) -> dict[str, Any]:
        """The state as the contract's `show --json` has it, without `entries` and `head`."""

    def order_title(self, battle: Any, order: Any) -> str:
        """A few words that name the order, with the battle as it was before it."""

    def tell_event(self, battle: Any, event: Any) -> str:
        """One sentence about what happened, with the battle after it; empty for what needs no telling."""

    def tell_roll(self, battle: Any, roll: Any) -> str:
        """What a roll was for, in words: `Scouts, leadership test`."""

    def state_line(self, battle: Any) -> str:
        """Turn, phase and side in a few words."""

    def units(self, battle: Any) -> Table:
        """The Units pane."""

    def tracker(self, battle: Any) -> Table:
        """The Suppression pane."""

    def pending(self, battle: Any) -> tuple[str, ...]:
        """What needs a decision now, a sentence each."""

    def why(self, battle: Any, unit: str) -> tuple[Cell, ...]:
        """Why a unit is suppressed or not, and what braving the fire would mean: a line each, with clauses."""

    def under_fire(self, battle: Any, unit: str) -> bool:
        """Whether anything that `why` tells of holds the unit down or may yet."""

    def owner(self, battle: Any, order: Any) -> str:
        """The side whose an order is, with the battle as it was before it; empty for what is anybody's."""

    def owner_of_action(self, battle: Any, action: Action, unit: str | None) -> str:
        """The side whose order an action would be, begun from that unit; empty for anybody's, and while it is open."""

    def roller(self, battle: Any, order: Any, throw: Any) -> str:
        """The side whose dice a throw (or a recorded roll) of an order is; empty for what anybody may roll."""

    def side_of(self, battle: Any, unit: str) -> str:
        """The side of a unit, empty where there is no such unit."""

    def names(self, battle: Any) -> Mapping[str, str]:
        """The name of every unit by its id, those out of play too."""

    def available(self, battle: Any, action: Action, unit: str | None) -> str:
        """Empty where the action makes sense now for that unit; else why not, with the clause."""

    def asks(self, battle: Any, action: Action, unit: str | None) -> bool:
        """Whether a form is to be shown before the action's order is given; else `fill_in` infers all of it."""

    def form(self, battle: Any, order: str, given: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Form:
        """The form of an order with what is given so far; `catalogue` is the armoury as read from its file."""

    def fill_in(self, battle: Any, order: str, given: Mapping[str, Any], catalogue: Mapping[str, Any]) -> Any:
        """The order that a filled-in form stands for; raises Refusal (`order`) where something is missing."""

    def preview(self, battle: Any, order: Any) -> Preview:
        """Numbers needed, modifiers and gun type of an order before it is given; no odds."""

    def odds_figures(self, odds: Mapping[str, Any]) -> tuple[Figure, ...]:
        """The figures that the odds of an order come to, named: what is told, and compared with another order."""

    def tell_odds(self, order: Any, odds: Mapping[str, Any]) -> tuple[Cell, ...]:
        """The odds of an order in plain words."""

    def chapter(self, battle: Any) -> str:
        """Where a battle stands, as the heading of that part of a report: `Turn 2, Eldar`, `Before the first round`."""

    def standings(self, battle: Any) -> tuple[Standing, ...]:
        """How the battle and then each unit stands, in muster order; two moments are told apart by this."""

    def strength(self, battle: Any, unit: str) -> int:
        """What a unit has left to lose, in `strength_in`; 0 for one that is not there."""

    def measures(self, battle: Any) -> tuple[Measure, ...]:
        """What luck is measured by, under the house rules of the battle, in the order in which it is told."""

    def profiles(self, battle: Any) -> Mapping[str, Any]:
        """All that were mustered and not dismissed, by id, as they were mustered or amended last."""

    def profile_lines(self, profile: Any) -> tuple[str, ...]:
        """What a profile comes to, a line for each part of it."""

    def standing(self, battle: Any, profile: Any) -> Any:
        """A profile that a list has for a unit in the battle, less what the unit has lost."""

    def enlist(
        self, battle: Any, army: ArmyList, register: Entering, given: Mapping[str, Any], catalogue: Mapping[str, Any]
    ) -> Enlistment:
        """What comes of an army list for the side `given["side"]`, with what is answered so far in `given`."""
