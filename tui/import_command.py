"""The commands `import` and `export-roster`: army lists in and out without a screen."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.army_list import ArmyList
from engine.enlisting import Plan, answered, earlier_import, planned
from engine.refusals import Refusal
from engine.ruleset import Enlistment
from engine.wording import clean
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.rosters.found_before import remember
from saves.rosters.reading import read_list
from tui.endings import WrongUsage
from tui.import_words import answer_line, as_text, assumed_fields, plan_cells, read_cells


class Done(Struct, frozen=True):
    """What an import came to; `entry` is None where nothing was written, and `why` says why."""

    army: ArmyList
    enlistment: Enlistment
    plan: Plan
    entry: int | None
    why: str

    def told(self) -> dict[str, Any]:
        """As `import --json` prints it."""
        army, enlistment = self.army, self.enlistment
        points = next(iter(army.totals), None)
        return {
            "source": army.origin,
            "game": army.game,
            "read": {
                "units": sum(1 for unit in army.units if unit.models),
                "models": army.models,
                "points": None if points is None else float(points.read),
                "points_in_file": None if points is None or points.told is None else float(points.told),
            },
            "entry": self.entry,
            "why_not": self.why or None,
            "changes": self.plan.changes,
            "units": [
                {"unit": unit.profile.id, "name": unit.profile.name, "read": unit.lines} for unit in enlistment.units
            ],
            "left_out": enlistment.left_out,
            "passed_over": [{"name": each.name, "why": each.why} for each in army.passed_over],
            "questions": [
                {
                    "answer": field.name,
                    "label": field.label,
                    "value": field.value,
                    "why": field.inferred,
                    "assumed": field.name in enlistment.assumed,
                    "may_be": [option.value for option in field.options],
                }
                for field in enlistment.fields
            ],
        }

    def lines(self) -> list[str]:
        """As `import` prints it for people."""
        lines = as_text(read_cells(self.army)) + as_text(plan_cells(self.army, self.enlistment, self.plan))
        assumed = assumed_fields(self.enlistment)
        if assumed:
            lines += ["", f"Assumed: {len(assumed)}; change with --answer NAME=VALUE"]
            lines += [clean(f"  {answer_line(field)}") for field in assumed]
        return lines


def import_list(args: Namespace) -> Done:
    """Read a list and bring it into a battle, unless it was read before and nobody said to change anything.

    Raises Fault where a file cannot be used, Refusal where the rules or the list forbid it, WrongUsage for a side
    that there is not.
    """
    army = read_list(Path(args.roster))
    with OpenBattle.open(args.file, read_only=args.dry_run) as battle:
        rules, state = battle.history.rules, battle.history.state
        sides = battle.history.header.sides
        if args.side not in sides:
            there = " and ".join(sides)
            raise WrongUsage(f"headsdown import: there is no side {args.side} in this battle; there are {there}")
        earlier = None if args.again else earlier_import(state, args.side, army, any_name=args.update)
        if args.update and earlier is None:
            raise Refusal("order", f"{args.side} has imported no list of that name: leave --update out to import it")
        catalogue = armoury(rules.armoury)
        enlistment, given = answered(rules, state, army, args.side, dict(args.answer), catalogue, earlier)
        plan = planned(rules, state, army, args.side, enlistment, earlier, given)
        why = _why_not(args, plan)
        entry = None if why else battle.give(plan.order, by=args.by).n
    remember(Path(args.roster))
    return Done(army, enlistment, plan, entry, why)


def _why_not(args: Namespace, plan: Plan) -> str:
    """Why nothing is written; empty where it is."""
    if plan.order is None:
        return "nothing in the list is new" if plan.earlier else "nothing in the list can be mustered as it stands"
    if args.dry_run:
        return "only looked at, since --dry-run was given"
    if plan.earlier is not None and not args.update:
        return "this list was imported before: --update changes what is new in it, --again musters all of it once more"
    return ""


def questions(enlistment: Enlistment) -> list[str]:
    """All that can be answered, a line each."""
    return [clean(f"  {answer_line(field)}") for field in enlistment.fields]


def exported(args: Namespace) -> bytes:
    """A side of a battle as a roster file; raises Fault, Refusal and WrongUsage."""
    from saves.rosters.writing import roster_of

    with OpenBattle.open(args.file, read_only=True) as battle:
        sides = battle.history.header.sides
        if args.side not in sides:
            there = " and ".join(sides)
            raise WrongUsage(f"headsdown export-roster: there is no side {args.side} in this battle; there are {there}")
        return roster_of(battle.history, args.side)
