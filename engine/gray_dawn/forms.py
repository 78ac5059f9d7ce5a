"""What a player fills in to give an order: fields, choices, what is inferred, and the order that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.fields import as_number, length
from engine.form_fields import Catalogue, Given, choice_field, demanded, number_field, titled
from engine.gray_dawn import orders
from engine.gray_dawn.actions import may_check, may_name_lanes
from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.crossing import lanes_crossed
from engine.gray_dawn.fire_forms import covering_fire_fields, filled_covering_fire, filled_lane, lane_fields
from engine.gray_dawn.lanes import firing, is_open, level_of
from engine.gray_dawn.muster_form import amended_profile, filled_muster, muster_fields, profile_fields
from engine.gray_dawn.skills import avoiding_base
from engine.gray_dawn.stances import why_no_stance
from engine.gray_dawn.telling import DEEDS, STANCES, name_of
from engine.refusals import Refusal
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

BY_HAND = "the game master's hand"


def form(battle: Battle, order: str, given: Given, catalogue: Catalogue) -> Form:
    """The form of an order with what is given so far. Raises KeyError for an order that has none."""
    title, fields = FORMS[order]
    return Form(order, title(battle, given), tuple(fields(battle, given, catalogue)))


def fill_in(battle: Battle, order: str, given: Given, catalogue: Catalogue) -> Any:
    """The order that a filled-in form stands for; raises Refusal (`order`) where something is missing."""
    return FILLED[order](battle, given, catalogue)


def _combatant(battle: Battle, given: Given, field: str = "combatant") -> Combatant:
    combatant = battle.combatants.get(given.get(field) or "")
    if combatant is None:
        raise Refusal("order", "select a combatant first")
    return combatant


# Acting


def _act_title(battle: Battle, given: Given) -> str:
    return f"{name_of(battle, given['combatant'])}: {DEEDS[given['action']][0]}"


def act_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """Whom it aims at and with what, which lanes it crosses, and by which skill it gets through."""
    combatant, action = _combatant(battle, given), given["action"]
    fields: list[Field] = []
    if action == "aimed_fire":
        fields.extend(_aim_fields(battle, combatant, given))
    if action == "reload":
        fields.append(_reload_field(combatant, given))
    if may_name_lanes(battle, action) or lanes_crossed(battle, combatant, action, ()):
        fields.extend(_crossing_fields(battle, combatant, action, given))
    return fields


def _aim_fields(battle: Battle, combatant: Combatant, given: Given) -> list[Field]:
    enemies = [other for other in battle.combatants.values() if other.side != combatant.side and not other.out]
    targets = (FieldOption("", "nobody named"), *(FieldOption(other.id, other.name) for other in enemies))
    only = enemies[0].id if len(enemies) == 1 else ""
    fields = [choice_field("target", "At", targets, given, only, "the only enemy" if only else "")]
    weapons = (FieldOption("", "rounds are not counted"), *_loads(combatant))
    usual = next((w.name for w in combatant.profile.weapons if combatant.loaded[w.name]), "")
    fields.append(choice_field("weapon", "With", weapons, given, usual, "the first that is loaded" if usual else ""))
    weapon = combatant.profile.weapon(fields[-1].value)
    if weapon is not None and combatant.loaded[weapon.name]:
        most = combatant.loaded[weapon.name]
        fields.append(number_field("rounds", "Rounds", given, 0, most, min(weapon.semi_rof, most), "one action"))
    return fields


def _loads(combatant: Combatant) -> tuple[FieldOption, ...]:
    """Its weapons with what is left in their magazines."""
    return tuple(
        FieldOption(w.name, f"{w.name}, {combatant.loaded[w.name]} of {w.magazine} rounds")
        for w in combatant.profile.weapons
    )


def _reload_field(combatant: Combatant, given: Given) -> Field:
    """The weapon to reload: the one with the least in its magazine, unless another is chosen."""
    weapons = combatant.profile.weapons
    options = _loads(combatant)
    emptiest = min(weapons, key=lambda w: combatant.loaded[w.name] / w.magazine, default=None)
    return choice_field("weapon", "Weapon", options, given, emptiest.name if emptiest else None, "the emptiest")


def _crossing_fields(battle: Battle, combatant: Combatant, action: str, given: Given) -> list[Field]:
    """The open lanes: those it stands in are crossed, others where the player says so (GD-25)."""
    around = tuple(lane.name for lane in lanes_crossed(battle, combatant, action, ()))
    told = given.get("lanes")
    options = tuple(
        FieldOption(lane.name, f"{lane.name}, level {level_of(firing(battle, lane))}")
        for lane in battle.lanes.values()
        if is_open(battle, lane)
    )
    only = tuple(option.value for option in options) if action == "cross" and len(options) == 1 else ()
    value = (around or only) if told is None else tuple(dict.fromkeys((*around, *told)))
    why = "" if told is not None or not value else "stands inside" if around else "the only open one"
    fields = [Field("lanes", "Crosses", "choices", value, options, inferred=why, optional=True)]
    if value:
        fields.append(_avoid_field(battle, combatant, given))
    return fields


def _avoid_field(battle: Battle, combatant: Combatant, given: Given) -> Field:
    bases = {skill: avoiding_base(battle, combatant, skill) for skill in ("dodge", "athletics")}
    words = {"dodge": "Dodge/Cover", "athletics": "Athletics"}
    options = tuple(FieldOption(skill, f"{words[skill]}, {base} and the die") for skill, base in bases.items())
    return choice_field("avoid", "Gets through by", options, given, max(bases, key=lambda s: bases[s]), "the better")


def filled_act(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Act:
    """The action; the game master's answers are asked for when it comes to that (GD-13, GD-26)."""
    combatant, action = _combatant(battle, given), given["action"]
    values = {field.name: field.value for field in act_fields(battle, given, catalogue)}
    lanes = tuple(values.get("lanes") or ())
    if action == "cross" and "lanes" in values and not lanes:
        raise Refusal("order", "say which lane is crossed")
    return orders.Act(
        combatant=combatant.id,
        action=action,
        lanes=lanes or None,
        avoid=values.get("avoid"),
        weapon=values.get("weapon") or None,
        target=values.get("target") or None,
        rounds=values.get("rounds") or None,
    )


# Checks, spotting


def _checking(battle: Battle, given: Given) -> str | None:
    """Whose check is meant: the one chosen, the one selected if it needs one, else the first that does."""
    needing = [combatant.id for combatant in battle.combatants.values() if may_check(battle, combatant)]
    for name in (given.get("combatant"), given.get("about")):
        if name in needing:
            return str(name)
    return next(iter(needing), None)


def check_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    options = tuple(FieldOption(c.id, c.name) for c in battle.combatants.values() if may_check(battle, c))
    return [choice_field("combatant", "Combatant", options, given, _checking(battle, given), "needs a check")]


def filled_check(battle: Battle, given: Given, catalogue: Catalogue) -> orders.TakeCheck:
    return orders.TakeCheck(demanded({"combatant": _checking(battle, given)}, "combatant", "whose check"))


def spot_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    observer = _combatant(battle, given, "observer")
    others = [other for other in battle.combatants.values() if other.id != observer.id and not other.out]
    others.sort(key=lambda other: other.side == observer.side)
    options = tuple(FieldOption(other.id, other.name) for other in others)
    only = others[0].id if len(others) == 1 else None
    return [choice_field("flanker", "Flanker", options, given, only, "the only one")]


def filled_spot(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Spot:
    flanker = spot_fields(battle, given, catalogue)[0].value
    return orders.Spot(given["observer"], demanded({"flanker": flanker}, "flanker", "who sneaks up"))


# Stance, cover, position


def stance_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """The stances with what forbids them; overruled by the game master none is forbidden (GD-9)."""
    combatant = _combatant(battle, given)
    override = bool(given.get("override", False))
    options = []
    for stance, words in STANCES.items():
        reasons = () if override else why_no_stance(battle, combatant, stance)
        forbidden = f"{reasons[0].message} ({reasons[0].clause})" if reasons else ""
        options.append(FieldOption(stance, words, forbidden))
    fields = [
        choice_field("stance", "Stance", tuple(options), given, combatant.stance, "as it is"),
        Field("override", "The game master overrules", "flag", override),
    ]
    if override:
        fields.append(Field("reason", "Reason", "text", given.get("reason", "")))
    return fields


def filled_stance(battle: Battle, given: Given, catalogue: Catalogue) -> orders.TakeStance:
    combatant, override = _combatant(battle, given), bool(given.get("override", False))
    reason = demanded(given, "reason", "why the game master overrules") if override else ""
    stance = stance_fields(battle, given, catalogue)[0].value
    return orders.TakeStance(combatant.id, stance, override, reason)


def cover_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    cover = _combatant(battle, given).cover
    return [number_field("level", "Level, 1 bush to 10 bunker", given, 0, 20, cover, "as it is")]


def filled_cover(battle: Battle, given: Given, catalogue: Catalogue) -> orders.TakeCover:
    return orders.TakeCover(_combatant(battle, given).id, cover_fields(battle, given, catalogue)[0].value)


def position_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    at = _combatant(battle, given).position
    somewhere = bool(given.get("somewhere", True))
    fields = [Field("somewhere", "On the map", "flag", somewhere)]
    if somewhere:
        for axis, name in enumerate(("x", "y")):
            told = given.get(name)
            shown = told if told is not None else at[axis] if at else 0
            fields.append(Field(name, f"{name}, metres", "decimal", shown, least=-10000, most=10000,
                                inferred="as it is" if told is None and at else ""))  # fmt: skip
    return fields


def filled_position(battle: Battle, given: Given, catalogue: Catalogue) -> orders.TakePosition:
    combatant, (flag, *axes) = _combatant(battle, given), position_fields(battle, given, catalogue)
    at = (as_number(length(axes[0].value)), as_number(length(axes[1].value))) if flag.value else None
    return orders.TakePosition(combatant.id, at)


# The game master's hand


def _reason_field(given: Given) -> Field:
    told = given.get("reason")
    return Field("reason", "Reason", "text", told or BY_HAND, inferred="" if told else "usual")


def points_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return [number_field("points", "Points", given, 1, 1000, 1, "one"), _reason_field(given)]


def filled_points(battle: Battle, given: Given, catalogue: Catalogue) -> orders.LayPoints:
    points, reason = points_fields(battle, given, catalogue)
    return orders.LayPoints(_combatant(battle, given).id, points.value, reason.value)


def wound_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    out = bool(given.get("out", False))
    return [
        number_field("points", "Wounds", given, 0, 1000, 0 if out else 1, "none" if out else "one"),
        Field("out", "Out of action", "flag", out),
    ]


def filled_wound(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Wound:
    points, out = wound_fields(battle, given, catalogue)
    return orders.Wound(_combatant(battle, given).id, points.value, out.value)


def set_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """What stands now; what the game master changes is set, the rest stays."""
    combatant = _combatant(battle, given)
    fields = [
        number_field("initiative", "Initiative", given, 0, 100, combatant.initiative or 0, "as it is"),
        number_field("points", "Suppression points", given, 0, 1000, combatant.points, "as it is"),
        number_field("wounds", "Wounds", given, 0, 1000, combatant.wounds, "as it is"),
        Field("out", "Out of action", "flag", bool(given.get("out", combatant.out))),
    ]
    for weapon in combatant.profile.weapons:
        loaded = combatant.loaded[weapon.name]
        label = f"Rounds in {weapon.name}"
        fields.append(number_field(f"loaded:{weapon.name}", label, given, 0, weapon.magazine, loaded, "as it is"))
    return [*fields, _reason_field(given)]


def filled_set(battle: Battle, given: Given, catalogue: Catalogue) -> orders.SetByHand:
    combatant = _combatant(battle, given)
    told = {name: given.get(name) for name in ("initiative", "points", "wounds", "out")}
    if told["out"] == combatant.out:
        told["out"] = None
    loaded = {
        weapon.name: given[f"loaded:{weapon.name}"]
        for weapon in combatant.profile.weapons
        if f"loaded:{weapon.name}" in given
    }
    return orders.SetByHand(combatant.id, _reason_field(given).value, loaded=loaded or None, **told)


# Rounds and profiles


def begin_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    options = tuple(FieldOption(c.id, c.name) for c in battle.combatants.values() if not c.out)
    value = tuple(given.get("lightning") or ())
    return [Field("lightning", "Lightning strike: +3, and -3 on its rolls", "choices", value, options, optional=True)]


def filled_begin(battle: Battle, given: Given, catalogue: Catalogue) -> orders.BeginRound:
    return orders.BeginRound(tuple(given.get("lightning") or ()))


def amend_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return profile_fields(_combatant(battle, given, "id").profile, given, catalogue)


def filled_amend(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Amend:
    return orders.Amend(amended_profile(_combatant(battle, given, "id").profile, given, catalogue))


def _of(words: str, field: str = "combatant") -> Callable[[Battle, Given], str]:
    return lambda battle, given: f"{name_of(battle, given[field])}: {words}"


def _muster_title(battle: Battle, given: Given) -> str:
    return f"Muster: a copy of {name_of(battle, given['copy_of'])}" if given.get("copy_of") else "Muster"


Fields = Callable[[Battle, Given, Catalogue], list[Field]]

FORMS: dict[str, tuple[Callable[[Battle, Given], str], Fields]] = {
    "covering_fire": (titled("Covering fire"), covering_fire_fields),
    "lane": (titled("Lane"), lane_fields),
    "check": (titled("Suppression check"), check_fields),
    "act": (_act_title, act_fields),
    "stance": (_of("stance"), stance_fields),
    "cover": (_of("cover"), cover_fields),
    "position": (_of("position"), position_fields),
    "spot": (_of("notices a flanker", "observer"), spot_fields),
    "points": (_of("suppression points"), points_fields),
    "wound": (_of("wounds"), wound_fields),
    "set": (_of("set right"), set_fields),
    "begin_round": (titled("Begin round"), begin_fields),
    "muster": (_muster_title, muster_fields),
    "amend": (_of("amend", "id"), amend_fields),
    "score": (titled("Score"), lambda battle, given, catalogue: score_fields(battle, given)),
    "end_battle": (titled("End of the battle"), end_fields),
    "note": (titled("Note"), note_fields),
    "mission": (titled("Mission"), mission_fields),
}

FILLED: dict[str, Callable[[Battle, Given, Catalogue], Any]] = {
    "covering_fire": filled_covering_fire,
    "lane": filled_lane,
    "check": filled_check,
    "act": filled_act,
    "stance": filled_stance,
    "cover": filled_cover,
    "position": filled_position,
    "spot": filled_spot,
    "points": filled_points,
    "wound": filled_wound,
    "set": filled_set,
    "begin_round": filled_begin,
    "end_round": lambda battle, given, catalogue: orders.EndRound(),
    "muster": filled_muster,
    "amend": filled_amend,
    "dismiss": lambda battle, given, catalogue: orders.Dismiss(_combatant(battle, given).id),
    "score": lambda battle, given, catalogue: filled_score(battle, given),
    "end_battle": filled_end,
    "note": filled_note,
    "mission": filled_mission,
}
