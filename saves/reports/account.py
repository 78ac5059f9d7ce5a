"""What the account of a battle holds, part by part: all formats write it."""

from __future__ import annotations

from msgspec import Struct


class RollLine(Struct, frozen=True):
    """One roll. `chance` is that of its outcome (numerator, denominator); `source` is `app` or `table`.

    `corrects` tells of other faces that were typed for the same roll before, empty where there were none.
    """

    what: str
    unit: str
    side: str
    purpose: str
    sides: int
    dice: tuple[int, ...]
    faces: str
    needed: str
    outcome: str
    chance: tuple[int, int]
    likely: str
    source: str
    corrects: str = ""


class EntryLine(Struct, frozen=True):
    """One entry: `kind` is order, undo, redo, goto or recovered; `taken_back` is an order off the line of play.

    `at` is when it was recorded, in UTC; `told` are sentences about what came of it.
    """

    number: int
    kind: str
    at: str
    by: str
    chapter: str
    title: str
    taken_back: bool
    rolls: tuple[RollLine, ...]
    told: tuple[str, ...]


class Item(Struct, frozen=True):
    """A sentence of the story and the entry it comes from."""

    entry: int
    text: str


class Passage(Struct, frozen=True):
    """What is told of a turn under one title."""

    title: str
    items: tuple[Item, ...]


class Chapter(Struct, frozen=True):
    """A turn or round: the story by passages, then the entries that rolled, and the orders taken back."""

    title: str
    passages: tuple[Passage, ...]
    rolled: tuple[EntryLine, ...]
    taken_back: tuple[EntryLine, ...]


class LuckLine(Struct, frozen=True):
    """One line of the luck table; `unit` is empty for the whole side, `source` where all dice are counted."""

    side: str
    unit: str
    measure: str
    source: str
    rolls: int
    actual: int
    expected: float
    usual: tuple[int, int]
    as_bad: float
    as_good: float
    in_words: str


class FacesLine(Struct, frozen=True):
    """The faces that fell of one kind of dice, from face 1 up. `chance` is None with too few dice to tell."""

    sides: int
    source: str
    counts: tuple[int, ...]
    unevenness: float
    chance: float | None
    in_words: str


class TurningLine(Struct, frozen=True):
    """A roll, or losses, on which much hung; `swing` in what units are counted in."""

    entry: int
    chapter: str
    side: str
    text: str
    swing: float
    chance: float
    likely: str


class HouseRule(Struct, frozen=True):
    """A switch as it is set in this battle; `usual` tells whether that is its default."""

    name: str
    value: str
    usual: bool
    clause: str
    question: str


class StrengthLine(Struct, frozen=True):
    """What each side had left when a chapter closed, in the order of the sides."""

    chapter: str
    left: tuple[int, ...]


class PaneRow(Struct, frozen=True):
    """A row of cells; a heading has one, and stands over the rows below it."""

    cells: tuple[str, ...]
    heading: bool = False


class Pane(Struct, frozen=True):
    """A table of the battle as it stands now: headings, which columns are numbers, and rows."""

    columns: tuple[str, ...]
    right: tuple[bool, ...]
    rows: tuple[PaneRow, ...]


class Account(Struct, frozen=True):
    """A battle as a report tells it. `mark` is `NUMBER:HASH` of its last entry; times are in UTC.

    `orders` are those on the line of play, `taken_back` those off it, `corrections` the rolls whose faces were typed
    anew. `players` are who gave orders, and how many. `unjudged` counts orders whose losses luck leaves out.
    """

    title: str
    rules: str
    sides: tuple[str, ...]
    dice: str
    began: str
    last: str
    stands: str
    mission: str
    mark: str
    warning: str
    orders: int
    taken_back: int
    corrections: int
    players: tuple[tuple[str, int], ...]
    strength_in: str
    strengths: tuple[StrengthLine, ...]
    turning_points: tuple[TurningLine, ...]
    chapters: tuple[Chapter, ...]
    units: Pane
    house_rules: tuple[HouseRule, ...]
    luck: tuple[LuckLine, ...]
    judges_losses: bool
    unjudged: int
    faces: tuple[FacesLine, ...]
    entries: tuple[EntryLine, ...]
