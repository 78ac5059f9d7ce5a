"""The selections of a roster, the same for all five generations of the format.

| written by | selections stand in | kind of a profile | a value | points |
| --- | --- | --- | --- | --- |
| 1.14 | the roster itself, with a link to a catalogue | `type` | `value` | `points` |
| 1.15 | force, category | `type` | `value` | `points` |
| 2.00 | force, category | `profileTypeName` | `value` | `costs` |
| 2.01 | force | `profileTypeName` | `value` | `costs` |
| 2.02, 2.03, New Recruit | force | `typeName` | text | `costs` |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from msgspec import Struct, field

from engine.army_list import Profile, Remark
from saves.rosters.node import Node, plain
from saves.rosters.refused import MOST_SELECTIONS, NoArmyList

MOST_NUMBER = 500
LONGEST_NAME = 120
LONGEST_VALUE = 400
"""Characters of a name and of a value that are kept; the longest name known has 95."""

POINTS = "points"
NOTHING = "-"

_POINTS = re.compile(r"^(pts?|points?|point\(s\))\.?$")


class Selection(Struct):
    """An entry of a roster as its builder wrote it. `number` is the total in the unit, whatever it stands under."""

    id: str
    name: str
    kind: str
    number: int
    alias: str = ""
    odd_number: str = ""
    category: str = ""
    profiles: list[Profile] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    costs: dict[str, Decimal] = field(default_factory=dict)
    inside: list[Selection] = field(default_factory=list)

    def all(self) -> Iterator[Selection]:
        """This one and everything inside it."""
        yield self
        for each in self.inside:
            yield from each.all()


class Force(Struct):
    """A detachment: its name, the faction it comes from, what it costs itself, and its entries."""

    name: str
    faction: str
    costs: dict[str, Decimal]
    selections: list[Selection]


class Roster(Struct):
    """A roster with its forces, those inside others too."""

    name: str
    game: str
    version: str
    by: str
    told: dict[str, Decimal]
    forces: list[Force]


def roster_in(tree: Node) -> Roster:
    """The roster of a tree; raises NoArmyList where it is none or is out of bounds."""
    if tree.tag != "roster":
        raise NoArmyList(f"this is {_what(tree.tag)}, not a roster; save the list as .ros or .rosz")
    forces = [force for each in tree.within("forces", "force") for force in _forces(each)]
    forces += _oldest_forces(tree)
    if sum(1 for force in forces for each in force.selections for _ in each.all()) > MOST_SELECTIONS:
        raise NoArmyList(f"it has more than {MOST_SELECTIONS} entries; no army list has")
    return Roster(
        name=tree.get("name")[:LONGEST_NAME],
        game=tree.get("gameSystemName")[:LONGEST_NAME],
        version=tree.get("battleScribeVersion")[:20],
        by=tree.get("generatedBy"),
        told=_costs(tree),
        forces=forces,
    )


def _what(tag: str) -> str:
    known = {"html": "a web page", "catalogue": "a catalogue of a list builder", "gameSystem": "a game system"}
    return known.get(tag, f"XML of another kind ({tag[:40]})")


# Forces


def _forces(node: Node) -> Iterator[Force]:
    """A force and those inside it, outer ones first."""
    selections = list(_selections(node))
    for category in node.within("categories", "category"):
        for each in _selections(category):
            each.category = each.category or category.get("name")
            selections.append(each)
    name = node.get("customName", "name", "forceTypeName")
    yield Force(name[:LONGEST_NAME], node.get("catalogueName")[:LONGEST_NAME], _costs(node), selections)
    for inner in node.within("forces", "force"):
        yield from _forces(inner)


def _oldest_forces(tree: Node) -> list[Force]:
    """Forces of 1.14: selections stand in the roster and name the catalogue they come from."""
    links = {node.get("id"): node for node in tree.within("catalogueLinks", "catalogueLink")}
    forces: dict[str, Force] = {}
    for node in tree.within("selections", "selection"):
        link = node.get("catalogueLinkId")
        where = links.get(link)
        faction = where.get("catalogueName", "name") if where else ""
        force = forces.setdefault(link, Force("", faction, {}, []))
        force.selections.append(_selection(node))
    return list(forces.values())


# Selections


def _selections(node: Node) -> Iterator[Selection]:
    return (_selection(each) for each in node.within("selections", "selection"))


def _selection(node: Node) -> Selection:
    number, odd = _number(node)
    return Selection(
        id=node.get("id"),
        name=node.get("name")[:LONGEST_NAME] or "(no name)",
        kind=node.get("type").casefold(),
        number=number,
        alias=node.get("customName")[:LONGEST_NAME],
        odd_number=odd,
        category=_category(node),
        profiles=[_profile(each) for each in node.within("profiles", "profile")],
        remarks=[_remark(each) for each in node.within("rules", "rule")],
        costs=_costs(node),
        inside=list(_selections(node)),
    )


def _number(node: Node) -> tuple[int, str]:
    """How many, from 1 to 500; and what is written where that is another number."""
    written = node.get("number") or node.attributes.get("number", "1")
    try:
        number = int(Decimal(written))
    except (InvalidOperation, ValueError, OverflowError):
        return 1, written[:20] or "nothing"
    return max(1, min(MOST_NUMBER, number)), "" if 1 <= number <= MOST_NUMBER else written[:20]


def _category(node: Node) -> str:
    categories = list(node.within("categories", "category"))
    primary = next((each for each in categories if each.get("primary") == "true"), None)
    return primary.get("name") if primary else ""


def _profile(node: Node) -> Profile:
    values = tuple(
        (each.get("name")[:LONGEST_NAME] or "?", (plain(each.text) or each.get("value"))[:LONGEST_VALUE] or NOTHING)
        for each in node.within("characteristics", "characteristic")
    )
    return Profile(node.get("name")[:LONGEST_NAME], node.get("typeName", "profileTypeName", "type"), values)


def _remark(node: Node) -> Remark:
    text = next((plain(each.text) for each in node.all("description")), "")
    return Remark(node.get("name")[:LONGEST_NAME], text[:LONGEST_VALUE])


# Costs


def _costs(node: Node) -> dict[str, Decimal]:
    """What an element costs, by the name of the kind of cost; points are called points however they are written."""
    costs: dict[str, Decimal] = {}
    if node.get("points"):
        costs[POINTS] = _amount(node.get("points"))
    for each in node.within("costs", "cost"):
        name = cost_name(each.get("name"))
        costs[name] = costs.get(name, Decimal(0)) + _amount(each.get("value") or "0")
    return costs


def cost_name(written: str) -> str:
    """The name of a kind of cost: points for all the ways to write that, else as it is."""
    return POINTS if _POINTS.match(written.strip().casefold()) or not written else written.strip()


def _amount(written: str) -> Decimal:
    """An amount as a decimal; 0 for what is none or is beyond all measure."""
    try:
        amount = Decimal(written)
    except InvalidOperation:
        return Decimal(0)
    return round(amount, 2).normalize() if amount.is_finite() and abs(amount) < 1_000_000 else Decimal(0)
