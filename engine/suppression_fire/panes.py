"""What the panes show: units, who is suppressed by whom, and what needs a decision."""

from __future__ import annotations

from engine.ruleset import Cell, Column, Row, Table
from engine.score_views import mission_rows
from engine.suppression_fire.battle import Battle, Fire, Suppression, Unit
from engine.suppression_fire.suppressing import effective, hit_on, leadership_modifier, leading_gun_types, why_not
from engine.suppression_fire.telling import MARKS, name_of
from engine.suppression_fire.testing import leadership
from engine.suppression_fire.turns import untested
from engine.suppression_fire.wounds import majority_toughness

UNIT_COLUMNS = (
    Column("Unit", 0, least=16),
    Column("Left", 4, right=True, words="models left"),
    Column("Ld", 2, rank=2, right=True, words="leadership"),
    Column("T", 2, rank=3, right=True, words="toughness"),
    Column("State", 0, least=16),
)

TRACKER_COLUMNS = (
    Column("Suppressed, by", 0),
    Column("Shots", 5, right=True),
    Column("Test, effect", 0),
)


def units(battle: Battle) -> Table:
    """The units of each side in muster order; passengers stand below their vehicle, units out of play last."""
    rows = mission_rows(battle)
    for at, side in enumerate(battle.sides):
        theirs = [unit for unit in battle.units.values() if unit.side == side]
        turn = Cell("acts" if side == battle.side else "", "strong")
        rows.append(
            Row(side, (Cell(side, ("side_a", "side_b")[at % 2]), Cell(""), Cell(""), Cell(""), turn), heading=True)
        )
        for unit in [u for u in theirs if not u.out and u.embarked_in is None]:
            rows.append(_unit_row(battle, unit))
            rows.extend(_unit_row(battle, passenger, indent=2) for passenger in battle.passengers(unit.id))
        rows.extend(_unit_row(battle, unit) for unit in theirs if unit.out)
    return Table(UNIT_COLUMNS, tuple(rows))


def _unit_row(battle: Battle, unit: Unit, indent: int = 0) -> Row:
    hurt = sum(group.wounds_lost for group in unit.groups)
    models = "" if unit.is_vehicle else f"{unit.models}" + (f"-{hurt}w" if hurt else "")
    fallen = sum(group.fallen for group in unit.groups)
    vehicle = unit.is_vehicle
    cells = (
        Cell(unit.name, "dim" if unit.out else "plain"),
        Cell(models, "warning" if fallen and not unit.out else "plain"),
        Cell("" if vehicle or unit.out else str(leadership(unit))),
        Cell("" if vehicle or unit.out else str(majority_toughness(unit))),
        _state(battle, unit),
    )
    return Row(unit.id, cells, indent=indent, urgent=unit.id in untested(battle))


def _state(battle: Battle, unit: Unit) -> Cell:
    """The most pressing things about a unit, in a few words."""
    if unit.out:
        return Cell("destroyed" if unit.is_vehicle else "out", "dim")
    told = _states(battle, unit)
    words = [word for word, _ in told]
    tones = [tone for _, tone in told]
    tone = next((tone for tone in ("bad", "warning", "good") if tone in tones), "dim" if words else "plain")
    return Cell(", ".join(words), tone)


def _states(battle: Battle, unit: Unit) -> list[tuple[str, str]]:
    told: list[tuple[str, str]] = []
    due = unit.id in untested(battle)
    if due:
        told.append(("TEST DUE", "bad"))
    if unit.pinned:
        told.append(("PINNED", "bad"))
    if unit.stayed_in:
        told.append(("stays inside", "bad"))
    if effective(battle, battle.suppressions.get(unit.id)) and not (unit.pinned or due):
        told.append(("was hit", "dim") if unit.struck else ("under fire", "warning"))
    told.extend((MARKS[mark], "warning") for mark in unit.marks)
    if ours := battle.suppressing(unit.id):
        fire = ours.fire_of(unit.id)
        told.append(("firing", "good") if fire and not why_not(battle, fire) else ("lapsed", "warning"))
    for done, word in ((unit.moved, "moved"), (unit.ran, "ran"), (unit.shot, "fired")):
        if done:
            told.append((word, "dim"))
    return told


def tracker(battle: Battle) -> Table:
    """Each suppressed unit, and below it every suppressor with its shots and why it lapsed if it did."""
    rows: list[Row] = []
    for suppression in battle.suppressions.values():
        rows.append(_target_row(battle, suppression))
        rows.extend(_suppressor_row(battle, suppression, fire) for fire in suppression.by)
    return Table(TRACKER_COLUMNS, tuple(rows))


def _target_row(battle: Battle, suppression: Suppression) -> Row:
    fires = effective(battle, suppression)
    due = suppression.target in untested(battle)
    return Row(
        suppression.target,
        (
            Cell(name_of(battle, suppression.target), "strong"),
            Cell(str(sum(fire.shots for fire in fires))),
            _effect(battle, suppression, due),
        ),
        urgent=due,
    )


def _effect(battle: Battle, suppression: Suppression, due: bool) -> Cell:
    """What the suppression comes to now: the test, and the number each model is hit on."""
    needed = hit_on(len(effective(battle, suppression)))
    hit = f"hit {needed}+" if needed else "no fire"
    if due:
        modifier = leadership_modifier(len(effective(battle, suppression)))
        return Cell(f"TEST DUE Ld{modifier:+d}" if modifier else "TEST DUE", "bad")
    if battle.units[suppression.target].is_vehicle:
        return Cell(f"riders: {hit}", "warning" if needed else "good")
    if battle.units[suppression.target].struck:
        return Cell("hit, free now", "dim")
    if battle.units[suppression.target].pinned:
        return Cell(f"PINNED, {hit}", "bad")
    test = {"passed": "passed", "not_needed": "no test", "failed": "failed", None: "no test yet"}[suppression.test]
    return Cell(f"{test}, {hit}", "warning" if needed else "good")


def _suppressor_row(battle: Battle, suppression: Suppression, fire: Fire) -> Row:
    why = why_not(battle, fire)
    types = leading_gun_types((fire,))
    short = "too few shots" if why.endswith(" needed") else why
    tone, effect = ("dim", f"x {short}") if why else ("good", " ".join(types))
    return Row(
        fire.unit,
        (Cell(name_of(battle, fire.unit), "dim" if why else "plain"), Cell(str(fire.shots)), Cell(effect, tone)),
        indent=2,
    )


def pending(battle: Battle) -> tuple[str, ...]:
    """What needs a decision: targets untested, units that would be hit if they acted, marks left on at the end."""
    waiting = [f"{name_of(battle, target)}: the test is due (SF-19)" for target in untested(battle)]
    for suppression in battle.suppressions.values():
        unit = battle.units[suppression.target]
        needed = hit_on(len(effective(battle, suppression)))
        if battle.side == unit.side and needed and not unit.struck and not unit.pinned and not unit.is_vehicle:
            dice = "1 die" if unit.models == 1 else f"{unit.models} dice"
            waiting.append(f"{unit.name}: acting costs {dice} at {needed}+ (SF-21)")
    if battle.phase == "assault":
        waiting += [
            f"{unit.name}: {MARKS[mark]} was set by hand and is still on (SF-2)"
            for unit in battle.units.values()
            if unit.side == battle.side and not unit.out
            for mark in unit.marks
        ]
    return tuple(waiting)
