"""Battles of random orders, legal or not: what must hold of every one of them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine.entries import OrderEntry
from engine.history import History
from engine.orders import read_order
from engine.refusals import Refusal
from tests.any_battle import assert_sound, given_or_refused
from tests.engine_battle import new_history
from tests.sf_battles import (
    BOLT_PISTOL,
    CATAPULT,
    HEAVY_BOLTER,
    LASGUN,
    PULSE_CANNON,
    Told,
    by,
    carrier,
    fires,
    gun,
    inside,
    models,
    tagged,
    unit,
)

RANDOM = gun("scatter gun", "shuriken", 24, 6, 4, "assault", "d3")
FLAMER = tagged(gun("flamer", "flame", 8, 4, 5, "assault", 1), "template")
GUNS = [CATAPULT, LASGUN, HEAVY_BOLTER, PULSE_CANNON, BOLT_PISTOL, RANDOM, FLAMER]
SWITCHES = {
    "moved_rapid_fire": ("never", "within_12"),
    "pistols": ("banned", "allowed"),
    "double_one_passes": ("no", "yes"),
    "shrapnel": ("any_gun", "majority_gun", "per_unit", "off"),
    "shrapnel_armour": ("always", "by_ap"),
    "port_rolls": ("whole_unit", "firing_models"),
}
MARKS = ("pinned", "gone_to_ground", "falling_back", "in_combat", "shaken", "stunned", "destroyed")
ACTIONS = ("move", "run", "shoot", "assault", "embark", "disembark", "fire_from_vehicle", "other")
NAMES = ("a", "b")
IDS = ("crew", "truck", "foes", "more", "last")

saves = st.none() | st.integers(2, 6)
stats = st.fixed_dictionaries(
    {
        "toughness": st.integers(2, 6),
        "wounds": st.integers(1, 3),
        "leadership": st.integers(6, 10),
        "armour": saves,
        "invulnerable": saves,
        "feel_no_pain": saves,
        "grenades": st.sampled_from([None, "assault"]),
        "eternal_warrior": st.booleans(),
        "relentless": st.booleans(),
    }
)


@st.composite
def groups(draw: st.DrawFn, most: int = 8) -> tuple[Told, ...]:
    """One or two groups, `a` and `b`."""
    return tuple(
        models(
            name,
            draw(st.integers(1, most)),
            *draw(st.lists(st.sampled_from(GUNS), min_size=1, max_size=2, unique_by=lambda weapon: weapon["name"])),
            **draw(stats),
        )
        for name in NAMES[: draw(st.integers(1, 2))]
    )


@st.composite
def units(draw: st.DrawFn) -> list[Told]:
    """Two to five units of both sides: a red crew inside its transport, a blue enemy, and up to two more."""
    kinds = st.sampled_from(["infantry", "infantry", "monstrous_creature"])
    found = [
        carrier("truck", "red", *draw(groups(2)), open_topped=draw(st.booleans()), fire_points=draw(st.integers(0, 9))),
        inside(unit("crew", "red", *draw(groups(5)), fearless=draw(st.booleans())), "truck"),
        unit("foes", "blue", *draw(groups()), kind=draw(kinds)),
        unit("more", "blue", *draw(groups())),
        unit("last", draw(st.sampled_from(["red", "blue"])), *draw(groups()), kind=draw(kinds)),
    ]
    return found[: draw(st.integers(3, 5))]


ids = st.sampled_from(IDS)
names = st.sampled_from(NAMES)
sides = st.sampled_from(["blue", "red"])
counts = st.integers(1, 3)
inches = st.sampled_from([4, 6, 12, 12.01, 18, 24, 30])


def order(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Told]:
    return st.fixed_dictionaries({"type": st.just(kind), **fields})


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


guns_named = st.lists(
    st.builds(fires, names, st.sampled_from([weapon["name"] for weapon in GUNS] + ["grenade"]), counts), max_size=2
)
suppressor = st.builds(lambda unit_id, reach, lines: by(unit_id, reach, *lines), ids, inches, guns_named)
act = order(
    "act",
    unit=ids,
    action=st.sampled_from(ACTIONS),
    into=optional(st.just("truck")),
    visible_to=optional(st.lists(ids, max_size=2)),
    gun_type=optional(st.sampled_from(["las", "shuriken", "bolt", "pulse", "grenade"])),
    weapon=optional(st.sampled_from([weapon["name"] for weapon in GUNS])),
    allocation=optional(st.permutations(NAMES)),
    shares=optional(st.dictionaries(names, st.integers(0, 3))),
    firing_models=optional(counts),
)
plain_act = order("act", unit=ids, action=st.sampled_from(ACTIONS), into=st.just("truck"))
declare = order("declare", target=ids, by=st.lists(suppressor, min_size=1, max_size=2))
plain_declare = order("declare", target=ids, by=st.lists(st.builds(by, ids, inches), min_size=1, max_size=2))
by_hand = st.one_of(
    order("casualties", unit=ids, group=names, models=counts, contributors=optional(st.integers(0, 3))),
    order("wounds", unit=ids, group=names, wounds=counts),
    order("restore", unit=ids, group=names, models=st.integers(0, 2), wounds=st.integers(0, 2)),
    order("line_of_sight", suppressor=ids, target=ids, clear=st.booleans()),
    order("status", unit=ids, status=st.sampled_from(MARKS), on=st.booleans()),
    order("amend", unit=st.builds(unit, ids, sides, st.just(models("a", 4)), st.just(models("b", 2, LASGUN)))),
    order("dismiss", unit=ids),
    order("score", side=sides, points=st.integers(-3, 3)),
    order("note", text=st.just("hm")),
    order("mission", text=st.sampled_from(["", "hold", " hold on "])),
    order("muster", unit=st.builds(unit, ids, sides, st.just(models("a", 5)))),
    order("end_battle", winner=optional(sides)) | order("reroll_test", target=ids, reason=st.just("a banner")),
)
turns = st.one_of(
    order("begin_turn", side=sides), order("phase", to=st.sampled_from(["shooting", "assault"])), order("end_turn")
)
likely = order("likely", choice=st.integers(0, 999))
"""Not an order: one of those that make sense just then; and below, what comes next in the turn."""
on = order("on")
KINDS = [*5 * [on], *7 * [likely], act, plain_act, declare, plain_declare, by_hand, by_hand, turns]
orders = st.sampled_from(KINDS).flatmap(lambda kind: kind)


def what_is_next(history: History) -> Told:
    """The order that the turn waits for: a test, a phase, an end, a beginning."""
    show = history.rules.show(history.state)
    if show["side"] is None:
        return {"type": "begin_turn", "side": "blue" if history.state.went == "red" else "red"}
    if show["phase"] == "shooting":
        for target, told in show["suppressions"].items():
            if told["test"] is None and show["units"][target]["kind"] != "vehicle":
                return {"type": "test", "target": target}
    if show["phase"] == "assault":
        return {"type": "end_turn"}
    return {"type": "phase", "to": "shooting" if show["phase"] == "movement" else "assault"}


def what_makes_sense(history: History) -> list[Told]:
    """What the rules allow of this: declarations, actions under fire; where they allow none, what comes next."""
    show = history.rules.show(history.state)
    standing = {unit_id: told for unit_id, told in show["units"].items() if not told["out"]}
    found: list[Told] = []
    for unit_id, told in standing.items():
        found += [{"type": "declare", "target": target, "by": [by(unit_id, 6)]} for target in standing]
        suppression = show["suppressions"].get(told["embarked_in"] or unit_id)
        if suppression and suppression["hit_on"] and not suppression["spent"]:
            found += [{"type": "act", "unit": unit_id, "action": action, "into": "truck"} for action in ACTIONS]
    return [sensible for sensible in found if is_allowed(history, sensible)] or [what_is_next(history)]


def is_allowed(history: History, given_order: Told) -> bool:
    """Whether the rules would take an order."""
    try:
        history.rules.judge(history.state, read_order(history.rules, json.dumps(given_order)))
    except Refusal:
        return False
    return True


def meant(history: History, given_order: Told) -> Told:
    """The order that stands behind one of those that are none."""
    if given_order["type"] == "on":
        return what_is_next(history)
    if given_order["type"] == "likely":
        sensible = what_makes_sense(history)
        chosen: Told = sensible[given_order["choice"] % len(sensible)]
        return chosen
    return given_order


def play(history: History, given_order: Told, most: Told) -> None:
    """Give one order; whatever comes of it must be in order."""
    show = history.rules.show(history.state)
    entry = given_or_refused(history, given_order)
    if entry is not None:
        event(given_order["type"])
        assert_nothing_is_out_of_bounds(history.rules.show(history.state), given_order, most)
        assert_hits_need_suppressors(show, given_order, entry)


def assert_nothing_is_out_of_bounds(show: Told, given_order: Told, most: Told) -> None:
    """No count is negative, none above what there was at muster or amend; nobody without models is in play."""
    if given_order["type"] in ("muster", "amend"):
        unit_id = given_order["unit"]["id"]
        most[unit_id] = {group["name"]: group for group in given_order["unit"]["groups"]}
    for unit_id, told in show["units"].items():
        for name, group in told["groups"].items():
            profile = most[unit_id][name]
            assert 0 <= group["models"] <= profile["models"]
            assert 0 <= group["wounds_lost"] < profile.get("wounds", 1)
            assert group["models"] or not group["wounds_lost"]
        if told["kind"] != "vehicle":
            assert told["out"] == (told["models"] == 0)
        vehicle = told["embarked_in"]
        assert vehicle is None or not (told["out"] or show["units"][vehicle]["out"])
    for target, suppression in show["suppressions"].items():
        assert not show["units"][target]["out"]
        for suppressor_id, fire in suppression["by"].items():
            assert fire["shots"] >= 0
            assert fire["effective"] == (fire["why_not"] is None)
            assert not fire["effective"] or (fire["shots"] >= 5 and not show["units"][suppressor_id]["out"])
        effective = sum(fire["effective"] for fire in suppression["by"].values())
        assert suppression["hit_on"] == (max(2, 7 - effective) if effective else None)


def assert_hits_need_suppressors(before: Told, given_order: Told, entry: OrderEntry) -> None:
    """Where nobody is effective nobody is hit, and no die falls for it; who was hit is hit on the number shown."""
    for row in entry.rolls:
        if row.purpose == "hit":
            unit_id = given_order["unit"]
            suppression = before["suppressions"][before["units"][unit_id]["embarked_in"] or unit_id]
            if given_order.get("visible_to") is None:
                assert row.needed == suppression["hit_on"]
            else:
                assert set(given_order["visible_to"]) & set(suppression["by"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    units(),
    st.fixed_dictionaries({n: st.sampled_from(v) for n, v in SWITCHES.items()}),
    st.lists(orders, min_size=20, max_size=35),
)
def test_random_battles(found: list[Told], switches: dict[str, str], given_orders: list[Told]) -> None:
    """SF-1 to SF-37: sixty battles of up to forty orders each."""
    history = new_history(switches=switches)
    most: Told = {}
    for profile in found:
        play(history, {"type": "muster", "unit": profile}, most)
    for given_order in given_orders:
        play(history, meant(history, given_order), most)
    assert_sound(history)
