"""What a player fills in to give an order: fields, choices, what is inferred, and the order that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.form_fields import Catalogue, Given, choice_field, demanded, number_field, titled
from engine.refusals import Refusal, Undecided
from engine.ruleset import Field, FieldOption, Form
from engine.score_views import (
    end_fields,
    filled_end,
    filled_mission,
    filled_note,
    filled_score,
    mission_fields,
    note_fields,
    score_fields,
)
from engine.suppression_fire import orders
from engine.suppression_fire.acting import fires_met, judge_room, suppression_on
from engine.suppression_fire.actions import next_phase_of
from engine.suppression_fire.battle import Battle, Suppression, Unit
from engine.suppression_fire.by_hand import contributing
from engine.suppression_fire.declaration_form import declaration_fields, filled_declaration
from engine.suppression_fire.declaring import may_fire
from engine.suppression_fire.muster_form import (
    amended_profile,
    filled_muster,
    muster_fields,
    profile_fields,
)
from engine.suppression_fire.suppressing import striking_shot, why_not
from engine.suppression_fire.telling import DEEDS, MARKS, name_of
from engine.suppression_fire.turns import untested


def form(battle: Battle, order: str, given: Given, catalogue: Catalogue) -> Form:
    """The form of an order with what is given so far. Raises KeyError for an order that has none."""
    title, fields = FORMS[order]
    return Form(order, title(battle, given), tuple(fields(battle, given, catalogue)))


def fill_in(battle: Battle, order: str, given: Given, catalogue: Catalogue) -> Any:
    """The order that a filled-in form stands for; raises Refusal (`order`) where something is missing."""
    return FILLED[order](battle, given, catalogue)


def _unit(battle: Battle, given: Given, field: str = "unit") -> Unit:
    unit = battle.units.get(given.get(field) or "")
    if unit is None:
        raise Refusal("order", "select a unit first")
    return unit


# Acting


def _act_title(battle: Battle, given: Given) -> str:
    return f"{name_of(battle, given['unit'])}: {DEEDS[given['action']][0]}"


def act_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """Which transport, who sees the unit as it acts, and the owner's pick in a tie."""
    unit, action = _unit(battle, given), given["action"]
    fields: list[Field] = []
    if action == "embark":
        fields.append(_transport_field(battle, unit, given))
    if action == "fire_from_vehicle":
        most = max(1, may_fire(battle, unit))
        fields.append(number_field("firing_models", "Models that fire", given, 1, most, most, "as many as may"))
    suppression = suppression_on(battle, unit, action)
    if suppression is not None:
        fields.append(_onlookers_field(battle, suppression, given))
        fields.extend(_tie_fields(battle, unit, given))
    return fields


def _transport_field(battle: Battle, unit: Unit, given: Given) -> Field:
    options = tuple(
        FieldOption(other.id, other.name, _why_no_room(battle, unit, other.id))
        for other in battle.units.values()
        if other.profile.transport and other.side == unit.side and not other.out
    )
    free = [option.value for option in options if not option.forbidden]
    return choice_field("into", "Into", options, given, free[0] if free else None, "has room")


def _why_no_room(battle: Battle, unit: Unit, into: str) -> str:
    try:
        judge_room(battle, unit, into)
    except Refusal as refusal:
        return refusal.message
    return ""


def _onlookers_field(battle: Battle, suppression: Suppression, given: Given) -> Field:
    """Who sees the unit as it acts; those that are not effective for another reason cannot be chosen."""
    options = tuple(
        FieldOption(fire.unit, name_of(battle, fire.unit), why_not(battle, fire, sees=True)) for fire in suppression.by
    )
    seeing = tuple(fire.unit for fire in suppression.by if fire.sight and not why_not(battle, fire))
    value = given.get("visible_to")
    why = "by line of sight" if value is None else ""
    shown = seeing if value is None else value
    return Field("visible_to", "In sight of", "choices", shown, options, inferred=why, optional=True)


def _tie_fields(battle: Battle, unit: Unit, given: Given) -> list[Field]:
    """The owner's pick where gun types tie, then where profiles tie (SF-23)."""
    fields: list[Field] = []
    picked = dict(given)
    for name, label in (("gun_type", "Gun type that strikes"), ("weapon", "Profile that strikes")):
        try:
            _judged_act(battle, unit, picked)
        except Undecided as tie:
            if tie.field == name:
                options = tuple(FieldOption(option.value, option.label) for option in tie.options)
                fields.append(Field(name, f"{label} (owner)", "choice", None, options))
                return fields
        except Refusal:
            return fields
        if name in given:
            options = _tied(battle, unit, {key: value for key, value in given.items() if key != name}, name)
            if options:
                fields.append(Field(name, f"{label} (owner)", "choice", given[name], options))
    return fields


def _tied(battle: Battle, unit: Unit, given: Given, name: str) -> tuple[FieldOption, ...]:
    try:
        _judged_act(battle, unit, given)
    except Undecided as tie:
        if tie.field == name:
            return tuple(FieldOption(option.value, option.label) for option in tie.options)
    except Refusal:
        pass
    return ()


def _judged_act(battle: Battle, unit: Unit, given: Given) -> None:
    fires = fires_met(battle, unit, given["action"], given.get("visible_to"))
    if fires:
        striking_shot(fires, unit.id, given.get("gun_type"), given.get("weapon"))


def filled_act(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Act:
    unit, action = _unit(battle, given), given["action"]
    into = None
    if action == "embark":
        into = demanded({"into": _transport_field(battle, unit, given).value}, "into", "into which transport")
    visible_to = given.get("visible_to")
    return orders.Act(
        unit=unit.id,
        action=action,
        into=into,
        visible_to=None if visible_to is None else tuple(visible_to),
        gun_type=given.get("gun_type"),
        weapon=given.get("weapon"),
        firing_models=given.get("firing_models") if action == "fire_from_vehicle" else None,
    )


# Tests


def _target_of_test(battle: Battle, given: Given) -> str | None:
    """The target meant: the one chosen, the one selected if it waits for a test, else the first that waits."""
    waiting = [
        target
        for target, suppression in battle.suppressions.items()
        if suppression.test is None and not battle.units[target].is_vehicle
    ]
    for name in (given.get("target"), given.get("about")):
        if name in waiting:
            return str(name)
    return next(iter([*untested(battle), *waiting]), None)


def test_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    options = tuple(
        FieldOption(target, name_of(battle, target))
        for target, suppression in battle.suppressions.items()
        if suppression.test is None
    )
    return [choice_field("target", "Target", options, given, _target_of_test(battle, given), "waits for its test")]


def filled_test(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Test:
    return orders.Test(target=demanded({"target": _target_of_test(battle, given)}, "target", "whose test"))


def reroll_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return [Field("reason", "Special rule that grants it", "text", given.get("reason", ""))]


def filled_reroll(battle: Battle, given: Given, catalogue: Catalogue) -> orders.RerollTest:
    if battle.just_tested is None:
        raise Refusal("SF-16", "a reroll comes right after a rolled test")
    return orders.RerollTest(battle.just_tested.unit, demanded(given, "reason", "which special rule grants the reroll"))


# Losses


def _group_field(unit: Unit, given: Given, hurt_only: bool = False) -> Field:
    groups = tuple(
        FieldOption(g.name, f"{g.name} ({g.models})")
        for g in unit.groups
        if (g.fallen or g.wounds_lost if hurt_only else g.models)
    )
    value = groups[0].value if groups else None
    return choice_field("group", "Group", groups, given, value, "the first that has any")


def _wounded_group_field(unit: Unit, given: Given) -> Field:
    """The group that takes wounds: the one with a hurt model, else the first that has any."""
    hurt = next((group.name for group in unit.standing if group.wounds_lost), None)
    field = _group_field(unit, given)
    return choice_field("group", "Group", field.options, given, hurt, "has a hurt model") if hurt else field


def casualties_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    unit = _unit(battle, given)
    field = _group_field(unit, given)
    group = unit.group(field.value or "")
    fields = [field, number_field("models", "Models", given, 1, max(1, group.models if group else 1), 1, "one")]
    firing = contributing(battle, unit, field.value or "")
    if group and firing:
        fallen = fields[1].value
        least, most = max(0, fallen - (group.models - firing)), min(firing, fallen)
        fields.append(
            number_field("contributors", "Of them suppressing", given, least, most, least, "as few as possible")
        )
    return fields


def filled_casualties(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Casualties:
    unit = _unit(battle, given)
    group = demanded({"group": _group_field(unit, given).value}, "group", "which group")
    return orders.Casualties(unit.id, group, given.get("models", 1), given.get("contributors"))


def wounds_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    unit = _unit(battle, given)
    field = _wounded_group_field(unit, given)
    group = unit.group(field.value or "")
    most = group.wounds_left if group else 1
    return [field, number_field("wounds", "Wounds", given, 1, max(1, most), 1, "one")]


def filled_wounds(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Wounds:
    unit = _unit(battle, given)
    group = demanded({"group": _wounded_group_field(unit, given).value}, "group", "which group")
    return orders.Wounds(unit.id, group, given.get("wounds", 1))


def restore_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    unit = _unit(battle, given)
    field = _group_field(unit, given, hurt_only=True)
    group = unit.group(field.value or "")
    fallen, hurt = (group.fallen, group.wounds_lost) if group else (0, 0)
    return [
        field,
        number_field("models", "Models back", given, 0, fallen, min(1, fallen), f"{fallen} were lost"),
        number_field("wounds", "Wounds healed", given, 0, hurt, 0 if fallen else min(1, hurt), f"{hurt} were lost"),
    ]


def filled_restore(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Restore:
    field, models, wounds = restore_fields(battle, given, catalogue)
    group = demanded({"group": field.value}, "group", "which group")
    return orders.Restore(_unit(battle, given).id, group, models.value, wounds.value)


# Line of sight and marks


def _pairs(battle: Battle, about: str | None) -> dict[str, tuple[str, str, bool]]:
    """Declared pairs, those of the selected unit first: suppressor, target, and whether the sight is clear."""
    pairs = {
        f"{fire.unit}>{suppression.target}": (fire.unit, suppression.target, fire.sight)
        for suppression in battle.suppressions.values()
        for fire in suppression.by
    }
    return dict(sorted(pairs.items(), key=lambda pair: about not in pair[1][:2]))


def sight_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    pairs = _pairs(battle, given.get("about"))
    options = tuple(
        FieldOption(key, f"{name_of(battle, by)} to {name_of(battle, target)}, {'clear' if clear else 'blocked'}")
        for key, (by, target, clear) in pairs.items()
    )
    pair = given.get("pair") or next(iter(pairs), None)
    clear = given.get("clear")
    now = pairs[pair][2] if pair in pairs else True
    return [
        choice_field("pair", "From and to", options, given, pair, "the selected unit's"),
        Field("clear", "Clear", "flag", not now if clear is None else clear, inferred="" if clear is not None else
              "the other way than now"),
    ]  # fmt: skip


def filled_sight(battle: Battle, given: Given, catalogue: Catalogue) -> orders.LineOfSight:
    pair, clear = sight_fields(battle, given, catalogue)
    known = _pairs(battle, given.get("about")).get(pair.value)
    if known is None:
        raise Refusal("order", "nobody suppresses anybody: there is no line of sight to keep")
    return orders.LineOfSight(known[0], known[1], clear.value)


def _has_mark(unit: Unit, mark: str) -> bool:
    return unit.pinned if mark == "pinned" else mark in unit.marks


def status_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    unit = _unit(battle, given)
    options = tuple(
        FieldOption(mark, f"{words}{', on now' if _has_mark(unit, mark) else ''}") for mark, words in MARKS.items()
    )
    status = given.get("status", "pinned")
    on = given.get("on")
    return [
        choice_field("status", "Mark", options, given, "pinned", ""),
        Field("on", "Set", "flag", not _has_mark(unit, status) if on is None else on, inferred="" if on is not None
              else "the other way than now"),
    ]  # fmt: skip


def filled_status(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Status:
    status, on = status_fields(battle, given, catalogue)
    return orders.Status(_unit(battle, given).id, status.value, on.value)


# Turns, score, words


def begin_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    options = tuple(
        FieldOption(side, side, "has just had its turn (SF-1)" if side == battle.went else "") for side in battle.sides
    )
    coming = next(side for side in battle.sides if side != battle.went)
    return [choice_field("side", "Side", options, given, coming, "is next" if battle.went else "")]


def filled_begin(battle: Battle, given: Given, catalogue: Catalogue) -> orders.BeginTurn:
    return orders.BeginTurn(begin_fields(battle, given, catalogue)[0].value)


def filled_phase(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Phase:
    return orders.Phase(given.get("to") or next_phase_of(battle))


def _of_unit(words: str, field: str = "unit") -> Callable[[Battle, Given], str]:
    return lambda battle, given: f"{name_of(battle, given[field])}: {words}"


def amend_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return profile_fields(_unit(battle, given, "id"), given, catalogue)


def filled_amend(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Amend:
    return orders.Amend(amended_profile(_unit(battle, given, "id"), given, catalogue))


def _muster_title(battle: Battle, given: Given) -> str:
    return f"Muster: a copy of {name_of(battle, given['copy_of'])}" if given.get("copy_of") else "Muster"


Fields = Callable[[Battle, Given, Catalogue], list[Field]]

FORMS: dict[str, tuple[Callable[[Battle, Given], str], Fields]] = {
    "declare": (titled("Suppress"), declaration_fields),
    "test": (titled("The test"), test_fields),
    "reroll_test": (titled("The test once more"), reroll_fields),
    "act": (_act_title, act_fields),
    "casualties": (_of_unit("casualties"), casualties_fields),
    "wounds": (_of_unit("wounds"), wounds_fields),
    "restore": (_of_unit("restore"), restore_fields),
    "line_of_sight": (titled("Line of sight"), sight_fields),
    "status": (_of_unit("mark"), status_fields),
    "begin_turn": (titled("Begin turn"), begin_fields),
    "muster": (_muster_title, muster_fields),
    "amend": (_of_unit("amend", "id"), amend_fields),
    "score": (titled("Score"), lambda battle, given, catalogue: score_fields(battle, given, battle.side)),
    "end_battle": (titled("End of the battle"), end_fields),
    "note": (titled("Note"), note_fields),
    "mission": (titled("Mission"), mission_fields),
}

FILLED: dict[str, Callable[[Battle, Given, Catalogue], Any]] = {
    "declare": filled_declaration,
    "test": filled_test,
    "reroll_test": filled_reroll,
    "act": filled_act,
    "casualties": filled_casualties,
    "wounds": filled_wounds,
    "restore": filled_restore,
    "line_of_sight": filled_sight,
    "status": filled_status,
    "begin_turn": filled_begin,
    "phase": filled_phase,
    "end_turn": lambda battle, given, catalogue: orders.EndTurn(),
    "muster": filled_muster,
    "amend": filled_amend,
    "dismiss": lambda battle, given, catalogue: orders.Dismiss(_unit(battle, given).id),
    "score": lambda battle, given, catalogue: filled_score(battle, given, battle.side),
    "end_battle": filled_end,
    "note": filled_note,
    "mission": filled_mission,
}
