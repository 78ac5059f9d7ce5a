"""Whatever is ordered: refused with a clause or recorded whole; undo and redo lose nothing; the record verifies."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.dice import TypedDice
from engine.orders import odds_of, read_order, resolve_order
from engine.refusals import DiceMissing, Refusal
from tests.any_battle import assert_sound, given_or_refused
from tests.engine_battle import give, new_history
from tests.gray_dawn_battles import PISTOL, RIFLE, Game, Told, at, lane_order, person, weapon

NAMES = ("rook", "vex", "grey", "drone")
SWITCHES: dict[str, tuple[str, ...]] = {
    "explode_down": ("yes", "no"),
    "check_stat": ("cl", "cl_int"),
    "points_last": ("until_checked", "end_of_round"),
    "defence_stats": ("cl_ma", "ref_ma"),
    "splash_friends": ("yes", "no"),
    "lane_hits": ("burst_table", "1d6"),
    "aimed_points": ("0", "2"),
    "check_base": ("15", "8"),
    "max_firing_actions": ("none", "3"),
}

someone = st.sampled_from(NAMES)
anyone = st.sampled_from((*NAMES, "nobody"))
crowd = st.lists(someone, max_size=3)
lane_name = st.sampled_from(("hall", "door"))


def maybe(strategy: Any) -> Any:
    return st.none() | strategy


def order(kind: str, /, **fields: Any) -> Any:
    """Orders of a kind; a field that comes out None is left out."""
    whole = st.fixed_dictionaries({"type": st.just(kind), **fields})
    return whole.map(lambda told: {name: value for name, value in told.items() if value is not None})


aim = st.builds(at, someone, st.integers(1, 3), st.sampled_from((10, 10, 60, 150)))
armed = st.sampled_from((("rook", "rifle"), ("vex", "rifle"), ("grey", "rifle"), ("drone", "gun"), ("rook", "pistol")))
"""Who shoots with what: mostly what they have."""

deeds = st.sampled_from(("aimed_fire", "melee", "move", "emerge", "cross", "lean_out", "reload", "other"))
skills = st.sampled_from(("dodge", "athletics"))


def by_one(strategy: Any) -> Any:
    """Orders whose shooter and weapon go together."""
    return st.tuples(armed, strategy).map(lambda pair: {"shooter": pair[0][0], "weapon": pair[0][1], **pair[1]})


COVERING_FIRE = by_one(
    order(
        "covering_fire",
        mode=st.sampled_from(("semi", "burst")),
        adjacent=maybe(crowd),
        targets=st.lists(aim, min_size=1, max_size=2),
    )
)
LANE = by_one(
    order(
        "lane",
        kind=st.sampled_from(("covering", "saturation")),
        name=lane_name,
        inside=crowd,
        near=crowd,
        width=st.sampled_from((2, 2, 2, 2.5, 6, 1.5)),
        rounds=maybe(st.integers(1, 9)),
        range=st.sampled_from((10, 10, 150)),
    )
)
ACT = order(
    "act",
    combatant=someone,
    action=deeds,
    avoid=skills,
    lanes=maybe(st.lists(lane_name, max_size=2)),
    weapon=maybe(st.just("rifle")),
    target=maybe(someone),
    rounds=maybe(st.integers(1, 3)),
    taken_out=maybe(st.booleans()),
    points=maybe(st.integers(0, 3)),
)
CROSS = order(
    "act",
    combatant=someone,
    action=st.sampled_from(("cross", "move")),
    avoid=maybe(skills),
    lanes=st.lists(lane_name, min_size=1, max_size=1),
)
BY_HAND = (
    order("cover", combatant=someone, level=st.integers(0, 3)),
    order("position", combatant=someone, at=st.tuples(st.integers(0, 3), st.sampled_from((0, 1.5)))),
    order("points", combatant=someone, points=st.integers(1, 3), reason=st.just("so")),
    order("wound", combatant=someone, points=maybe(st.integers(0, 5)), out=maybe(st.just(False))),
    order("wound", combatant=someone, out=st.just(True)),
    order(
        "set",
        combatant=someone,
        points=maybe(st.integers(0, 3)),
        out=st.just(False),
        reason=st.just("so"),
        loaded=maybe(st.just({"rifle": 30})),
    ),
    order("amend", combatant=someone.map(lambda name: person(name, side_of(name), RIFLE))),
    order("dismiss", combatant=anyone),
    order("score", side=st.sampled_from(("xcom", "aliens")), points=st.integers(-3, 3)),
    order("note", text=st.just("hm")),
    order("mission", text=st.sampled_from(["", "hold", " hold on "])),
)
STANCE = order(
    "stance",
    combatant=someone,
    override=st.booleans(),
    reason=st.sampled_from(("", "so")),
    stance=st.sampled_from(("open", "active", "full_cover", "moving", "bracing")),
)
CHECK = order("check", combatant=anyone)
BEGIN, END = order("begin_round", lightning=maybe(crowd)), order("end_round")
SPOT = order("spot", observer=someone, flanker=someone)

ORDERS = st.sampled_from(
    (*(COVERING_FIRE,) * 6, *(LANE,) * 6, *(ACT,) * 5, *(CROSS,) * 5, *(CHECK,) * 3, *(BEGIN,) * 4, END, STANCE, SPOT,
     *BY_HAND)
).flatmap(lambda kind: kind)  # fmt: skip


def side_of(name: str) -> str:
    return "xcom" if name in ("rook", "vex") else "aliens"


def mustered(switches: dict[str, Any], seed: int = 0) -> Game:
    """Four people with unlike weapons, one of them with a damage roll, in a running round."""
    hurting = {**RIFLE, "damage": "2d6+12"}
    gun = weapon("gun", "auto", rof=9)
    guns = {"rook": (hurting, PISTOL), "vex": (RIFLE, gun), "grey": (RIFLE, PISTOL), "drone": (gun,)}
    people = (
        person(name, side_of(name), *guns[name], position=[at, 0], cover=at % 2, cl=2, ma=2, dodge=1)
        for at, name in enumerate(NAMES)
    )
    return Game(*people, seed=str(seed), **switches)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(ORDERS, min_size=1, max_size=25),
    st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in SWITCHES.items()}),
    st.integers(0, 10**6),
)
def test_any_orders(told: list[Told], switches: dict[str, str], seed: int) -> None:
    """GD-1 to GD-30: every refusal has a clause, every record is whole, and nothing is lost on the way back."""
    history = mustered(switches, seed).history
    for each in told:
        if given_or_refused(history, each) is not None:
            assert_within_bounds(history.rules.show(history.state))
    assert_sound(history)


def assert_within_bounds(show: Told) -> None:
    """GD-6, GD-20, GD-22: no count is negative, no magazine too full, no lane of those out of action is open."""
    for told in show["combatants"].values():
        assert min(told["points"], told["hits"], told["wounds"], *told["loaded"].values()) >= 0
        assert all(rounds <= 30 for rounds in told["loaded"].values())
    for lane in show["lanes"].values():
        firing = [name for name in lane["shooters"] if not show["combatants"][name]["out"]]
        assert firing or not lane["open"]
        assert (lane["level"] >= 1) == bool(firing)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_typed_dice_make_what_the_same_app_dice_make(data: st.DataObject) -> None:
    """GD-2: chains are read die by die from one run, whoever rolled them; one die fewer or more is refused."""
    game = mustered({}, data.draw(st.integers(0, 10**6)))
    names = data.draw(st.permutations(NAMES[1:]))
    told: Told = {"type": "lane", **lane_order("covering", *names, shooter="rook")}
    read = read_order(game.history.rules, json.dumps(told))
    rolled = resolve_order(game.history, read)
    faces = tuple(face for row in rolled.rolls for face in row.dice)
    typed = resolve_order(game.history, read, TypedDice(faces))
    assert typed.events == rolled.events
    assert [row.dice for row in typed.rolls] == [row.dice for row in rolled.rolls]
    with pytest.raises(DiceMissing):
        resolve_order(game.history, read, TypedDice(faces[:-1]))
    with pytest.raises(Refusal, match="too many"):
        resolve_order(game.history, read, TypedDice((*faces, 5)))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_what_was_rolled_was_possible(seed: int) -> None:
    """GD-23, GD-25: whatever the dice, the hits are among those that the odds have, and as likely as the log says."""
    history = new_history("gray-dawn", ("xcom", "aliens"), seed=str(seed))
    for name in NAMES:
        give(history, {"type": "muster", "combatant": person(name, side_of(name), cl=1, ma=1, dodge=1)})
    give(history, {"type": "begin_round"})
    told = {"type": "lane", **lane_order("covering", "grey", "drone")}
    odds = odds_of(history, read_order(history.rules, json.dumps(told)))
    give(history, told)
    for name in ("grey", "drone"):
        hits = history.rules.show(history.state)["combatants"][name]["hits"]
        assert odds["hits"][name]["distribution"][str(hits)] > 0
