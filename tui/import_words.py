"""What an army list comes to, in words, for screen and command: read, new, changed, left out and why, assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.army_list import ArmyList, Total
from engine.enlisting import Plan
from engine.ruleset import Cell, Enlistment, Field
from engine.wording import clean, counted
from tui.field_values import shown_value

KINDS = {"new": "New", "changed": "Changed", "gone": "No longer in the list", "kept": "Cannot be changed now"}


def read_cells(army: ArmyList) -> Iterator[Cell]:
    """What the file is and what was read of it."""
    origin = army.origin
    about = ", ".join(part for part in (army.game, *army.factions[:3]) if part)
    yield Cell(origin.name, "strong")
    yield Cell(f"{origin.program}{f'; {about}' if about else ''}", "dim")
    units = [unit for unit in army.units if unit.models]
    words = [counted(len(units), "unit"), counted(army.models, "model"), *map(total_words, army.totals[:1])]
    yield Cell(", ".join(words), "good" if all(total.agrees for total in army.totals[:1]) else "bad")
    for total in army.totals:
        if not total.agrees:
            yield Cell(f"{total.name}: {total.read:f} read of {total.told:f}: part of the list is missing", "bad")
    bare = len(army.units) - len(units)
    if bare:
        yield Cell(f"{bare} with points but without stats", "warning")
    for warning in army.warnings:
        yield Cell(f"! {warning}", "warning")


def total_words(total: Total) -> str:
    """What was read of a kind of cost, of what the list says there is."""
    return f"{total.read:f} {total.name}" if total.told is None else f"{total.read:f} of {total.told:f} {total.name}"


def plan_cells(army: ArmyList, enlistment: Enlistment, plan: Plan) -> Iterator[Cell]:
    """What would happen to the battle, unit by unit; then what was left out and passed over."""
    lines = {unit.profile.id: unit.lines for unit in enlistment.units}
    counts = {"left out": enlistment.left_out, "passed over": army.passed_over, "assumed": enlistment.assumed}
    told = [f"{len(each)} {words}" for words, each in counts.items() if each]
    if told:
        yield Cell(", ".join(told), "warning" if enlistment.left_out or enlistment.assumed else "dim")
    for kind, title in KINDS.items():
        changes = [change for change in plan.changes if change.kind == kind]
        if changes:
            yield Cell("")
            yield Cell(f"{title}: {len(changes)}", "strong")
        for change in changes:
            yield Cell(f"{change.name} ({change.unit})", "warning" if kind == "kept" else "plain")
            for line in change.details or (lines.get(change.unit, ()) if kind == "new" else ()):
                yield Cell(f"  {line}", "dim")
    same = sum(1 for change in plan.changes if change.kind == "same")
    if same:
        yield Cell("")
        yield Cell(f"As before: {same}", "strong")
    if enlistment.left_out:
        yield Cell("")
        yield Cell(f"Left out: {len(enlistment.left_out)}", "strong")
        for left in enlistment.left_out:
            yield Cell(f"{left.name}: {left.why}", "warning")
    if army.passed_over:
        yield Cell("")
        yield Cell(f"Passed over: {len(army.passed_over)}", "strong")
        for passed in army.passed_over:
            yield Cell(f"{passed.name}: {passed.why}", "dim")


def assumed_fields(enlistment: Enlistment) -> tuple[Field, ...]:
    """What the list does not say and nobody has answered."""
    return tuple(field for field in enlistment.fields if field.name in enlistment.assumed)


def answer_line(field: Field) -> str:
    """A question as it is answered on the command line, with the value that holds and what it means."""
    note = f" ({field.inferred})" if field.inferred else ""
    return f"{field.name}={_value(field)}  {field.label}{note}"


def _value(field: Field) -> str:
    if field.kind == "flag":
        return "yes" if field.value else "no"
    if field.kind == "choice":
        return str(field.value or "none")
    return shown_value(field)


def as_text(cells: Iterable[Cell]) -> list[str]:
    """Cells as plain lines."""
    return [clean(cell.text) for cell in cells]
