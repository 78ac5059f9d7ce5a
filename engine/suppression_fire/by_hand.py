"""What players enter by hand: casualties and wounds from ordinary fire, marks, line of sight."""

from __future__ import annotations

from msgspec import Struct

from engine.refusals import Refusal
from engine.resolution import Rule
from engine.scorekeeping import Entered
from engine.suppression_fire.battle import Battle, Unit
from engine.suppression_fire.events import GroupLeft, Marked, Restored, SightChanged
from engine.suppression_fire.naming import group_of, unit_in_play
from engine.suppression_fire.orders import Casualties, LineOfSight, Restore, Status, Wounds
from engine.suppression_fire.riding import judge_seats
from engine.suppression_fire.wounds import fallen, go_out, lose


class Losses(Struct, frozen=True):
    """What is left of a group, and how many of the fallen contributed (None: as few as possible)."""

    unit: str
    left: GroupLeft
    contributors: int | None = None


class Destruction(Struct, frozen=True):
    """A unit that is taken out of play."""

    unit: str


def contributing(battle: Battle, unit: Unit, group: str) -> int:
    """How many models of a group contribute to the unit's suppressing fire."""
    suppression = battle.suppressing(unit.id)
    fire = suppression.fire_of(unit.id) if suppression else None
    return sum(line.models for line in fire.firing if line.group == group) if fire else 0


def judge_casualties(battle: Battle, order: Casualties) -> Losses:
    """Whole models go, a hurt one last; of a vehicle its guns (SF-32). Raises Refusal (`order`)."""
    unit = unit_in_play(battle, order.unit)
    group = group_of(unit, order.group)
    if order.models > group.models:
        raise Refusal("order", f"{unit.name} has {group.models} {group.name} left, not {order.models}")
    _judge_contributors(battle, unit, group.models, order)
    models = group.models - order.models
    left = GroupLeft(group.name, models, group.wounds_lost if models else 0)
    return Losses(unit.id, left, order.contributors)


def _judge_contributors(battle: Battle, unit: Unit, models: int, order: Casualties) -> None:
    if order.contributors is None:
        return
    firing = contributing(battle, unit, order.group)
    least, most = max(0, order.models - (models - firing)), min(firing, order.models)
    if not least <= order.contributors <= most:
        raise Refusal(
            "order",
            f"{firing} of {models} {order.group} contribute: of {order.models} that fall {least} to {most} can have, "
            f"not {order.contributors}",
        )


def judge_wounds(battle: Battle, order: Wounds) -> Losses:
    """Wounds from ordinary fire: whole models first (SF-27). Raises Refusal (`order`)."""
    unit = unit_in_play(battle, order.unit)
    group = group_of(unit, order.group)
    if unit.is_vehicle:
        raise Refusal("order", f"{unit.name} is a vehicle and has no wounds: take guns away or mark it")
    if order.wounds > group.wounds_left:
        raise Refusal("order", f"{group.name} of {unit.name} have {group.wounds_left} wounds left, not {order.wounds}")
    return Losses(unit.id, fallen(group, order.wounds, outright=False))


def suffer_losses(battle: Battle, losses: Losses) -> Rule[Battle]:
    """Models fall; a unit that has none left is out of play (SF-28)."""
    return (yield from lose(battle, losses.unit, (losses.left,), losses.contributors))


def judge_restore(battle: Battle, order: Restore) -> Entered:
    """Brought back and healed: no more than were lost since muster or amend. Raises Refusal (`order`)."""
    unit = unit_in_play(battle, order.unit)
    group = group_of(unit, order.group)
    if not order.models and not order.wounds:
        raise Refusal("order", "say how many models or wounds are restored")
    if order.models > group.fallen:
        raise Refusal("order", f"{group.name} of {unit.name} have lost {group.fallen} models, not {order.models}")
    if order.wounds > group.wounds_lost:
        raise Refusal("order", f"{group.name} of {unit.name} have lost {group.wounds_lost} wounds, not {order.wounds}")
    if unit.embarked_in is not None:
        judge_seats(battle, unit.id, unit.name, unit.side, unit.models + order.models, unit.embarked_in)
    left = GroupLeft(group.name, group.models + order.models, group.wounds_lost - order.wounds)
    return Entered(Restored(unit.id, left))


def judge_line_of_sight(battle: Battle, order: LineOfSight) -> Entered:
    """The switch that players flip for a declared pair (SF-32). Raises Refusal (`order`)."""
    suppressor, target = unit_in_play(battle, order.suppressor), unit_in_play(battle, order.target)
    suppression = battle.suppressions.get(target.id)
    if suppression is None or suppression.fire_of(suppressor.id) is None:
        raise Refusal("order", f"{suppressor.name} does not suppress {target.name}: no line of sight to keep")
    return Entered(SightChanged(suppressor.id, target.id, order.clear))


def judge_status(battle: Battle, order: Status) -> Entered | Destruction:
    """A mark set or taken off by hand (SF-2); destroyed is for good. Raises Refusal (`order`)."""
    unit = unit_in_play(battle, order.unit)
    if order.status != "destroyed":
        return Entered(Marked(unit.id, order.status, order.on))
    if not order.on:
        raise Refusal("order", f"{unit.name} is not destroyed; undo takes back a destruction")
    return Destruction(unit.id)


def destroy(battle: Battle, destruction: Destruction) -> Rule[Battle]:
    """All models of the unit are gone, or the vehicle is a wreck (SF-28)."""
    return (yield from go_out(battle, destruction.unit))
