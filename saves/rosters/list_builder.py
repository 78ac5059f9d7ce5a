"""A roster of a list builder as an army list: its units, what was passed over, and whether the sums are right."""

from __future__ import annotations

from decimal import Decimal

from engine.army_list import ArmyList, Origin, PassedOver, Total
from saves.rosters.counting import units_of
from saves.rosters.node import Node
from saves.rosters.selection import POINTS, Roster, roster_in


def army_in(tree: Node, name: str, sha256: str, container: str) -> ArmyList:
    """The army list of a roster's tree; raises NoArmyList where it is none."""
    roster = roster_in(tree)
    units, passed_over = units_of(roster.forces)
    if not roster.forces:
        passed_over = (PassedOver("the whole list", "it has no detachment"),)
    return ArmyList(
        origin=Origin(name, sha256, f"{_program(roster)}, {container}"),
        name=roster.name,
        game=roster.game,
        factions=tuple(dict.fromkeys(force.faction for force in roster.forces if force.faction)),
        units=units,
        passed_over=passed_over,
        totals=_totals(roster),
    )


def _program(roster: Roster) -> str:
    by = "New Recruit" if "newrecruit" in roster.by.casefold() else "BattleScribe"
    return f"{by} {roster.version}".strip()


def _totals(roster: Roster) -> tuple[Total, ...]:
    """Each kind of cost: the sum of all entries and detachments, and what the roster says; points first."""
    read: dict[str, Decimal] = {}
    for force in roster.forces:
        for costs in (force.costs, *(each.costs for top in force.selections for each in top.all())):
            for name, amount in costs.items():
                read[name] = read.get(name, Decimal(0)) + amount
    names = sorted({*read, *roster.told}, key=lambda name: (name != POINTS, name))
    totals = (Total(name, read.get(name, Decimal(0)), roster.told.get(name)) for name in names)
    return tuple(total for total in totals if total.read or total.told)
