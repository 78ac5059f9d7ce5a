"""Covering fire: who may lay it, how far it reaches, what it lays, who is next to it, and the rounds it takes."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusals import Undecided
from tests.engine_battle import give
from tests.gray_dawn_battles import (
    HIT,
    PISTOL,
    RIFLE,
    SAFE,
    Game,
    at,
    events,
    lane_order,
    person,
    rolled,
    three,
    two,
    weapon,
)


def no_shots(game: Game, *aims: dict[str, Any], **more: Any) -> str:
    order = {"shooter": "rook", "weapon": "pistol", "mode": "semi", **more}
    return game.clause("covering_fire", targets=list(aims), **order)


# The whole round


def test_it_takes_the_whole_round() -> None:
    """GD-11: no action, no second covering fire, no lane afterwards; but a stance."""
    game = two()
    game.single_shots(at("grey"), dice=SAFE)
    assert game.of("rook", "covering")
    for action in ("aimed_fire", "move", "reload", "other"):
        assert game.no_act("rook", action) == "GD-11"
    assert no_shots(game, at("grey")) == "GD-11"
    assert game.clause("lane", **lane_order()) == "GD-11"
    game.give("stance", combatant="rook", stance="full_cover")


def test_a_lane_takes_it_too() -> None:
    """GD-11: lanes of both kinds count as covering fire."""
    for kind in ("covering", "saturation"):
        game = two()
        game.fire_lane(kind)
        assert game.of("rook", "covering")
        assert game.no_act("rook", "move") == "GD-11"
        assert no_shots(game, at("grey")) == "GD-11"


def test_not_after_an_action() -> None:
    """GD-11: whoever has acted this round may not; next round it may."""
    game = two()
    game.act("rook", "move")
    assert no_shots(game, at("grey")) == "GD-11"
    assert game.clause("lane", **lane_order()) == "GD-11"
    game.next_round()
    game.single_shots(at("grey"), dice=SAFE)


def test_an_action_that_was_stopped_is_none() -> None:
    """GD-11: the check of a crossing failed, so covering fire is still possible."""
    game = three()
    game.fire_lane("saturation", shooter="vex")
    game.act("grey", "move", [2], lanes=["hall"], avoid="dodge")
    assert game.of("grey", "suppressed")
    game.single_shots(at("rook"), shooter="grey", dice=SAFE)


def test_at_any_moment() -> None:
    """GD-12: whatever the initiative, the points land at once."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    game.give("begin_round", dice=[1, 10])
    game.single_shots(at("grey", 2), dice=SAFE)
    assert game.of("grey", "points") == 2


# Range


@pytest.mark.parametrize(
    ("stance", "metres", "clause"),
    [("open", 50, None), ("open", 50.01, "GD-13"), ("bracing", 100, None), ("bracing", 100.5, "GD-13")],
)
def test_out_to_long_range(stance: str, metres: float, clause: str | None) -> None:
    """GD-13: the listed range of 50 m, twice that for a bracing shooter; the refusal says why."""
    game = Game(person("rook", "xcom", stance=stance), person("grey"))
    if clause is None:
        game.single_shots(at("grey", 1, metres), dice=SAFE)
        return
    refusal = game.refused(
        "covering_fire", shooter="rook", weapon="pistol", mode="semi", targets=[at("grey", 1, metres)]
    )
    assert refusal.clause == clause
    assert "only aimed fire suppresses there" in refusal.message


def test_every_target_must_be_in_range() -> None:
    """GD-13, GD-18: one too far away forbids the order."""
    game = Game(person("rook", "xcom"), person("grey"), person("drone"))
    assert no_shots(game, at("grey"), at("drone", 1, 60)) == "GD-13"


@pytest.mark.parametrize(("stance", "metres", "reach"), [("open", 101, 100), ("bracing", 201, 200)])
def test_how_far_it_reaches_is_told(stance: str, metres: int, reach: int) -> None:
    """GD-13: to the listed range, for one who braces to twice that."""
    game = Game(person("rook", "xcom", stance=stance), person("grey"))
    refusal = game.refused(
        "covering_fire", shooter="rook", weapon="rifle", mode="burst", targets=[at("grey", 1, metres)], dice=SAFE
    )
    assert refusal.message == (
        f"{metres} m is extreme range for rifle: covering fire reaches {reach} m, only aimed fire suppresses there"
    )


def test_aimed_fire_lays_nothing_unless_the_game_master_says() -> None:
    """GD-13: switch aimed_points 0; points told with the order are the game master's."""
    game = two()
    game.act("rook", "aimed_fire", target="grey")
    assert game.of("grey", "points") == 0
    game.act("rook", "aimed_fire", target="grey", points=2)
    assert game.of("grey", "points") == 2


def test_aimed_fire_lays_points_by_switch() -> None:
    """GD-13, switch aimed_points; only on a target, and the game master may say otherwise."""
    game = Game(person("rook", "xcom"), person("grey"), aimed_points="3")
    game.act("rook", "aimed_fire")
    assert game.of("grey", "points") == 0
    game.act("rook", "aimed_fire", target="grey")
    assert game.of("grey", "points") == 3
    game.act("rook", "aimed_fire", target="grey", points=0)
    assert game.of("grey", "points") == 3


def test_what_the_game_master_is_asked_of_aimed_fire() -> None:
    """GD-13: none, or as many points as it says."""
    game = two()
    order = {"type": "act", "combatant": "rook", "action": "aimed_fire", "target": "grey"}
    with pytest.raises(Undecided) as asked:
        give(game.history, order, ask=True)
    assert (asked.value.field, asked.value.owner, asked.value.clause) == ("points", "grey", "GD-13")
    assert {option.value: option.label for option in asked.value.options} == {
        0: "none",
        **{points: str(points) for points in range(1, 11)},
    }


def test_suppressed_and_in_full_cover() -> None:
    """GD-14: both may lay covering fire and lanes."""
    game = Game(person("rook", "xcom"), person("grey", cover=3))
    game.suppress("grey")
    assert game.of("grey", "stance") == "full_cover"
    game.single_shots(at("rook"), shooter="grey", dice=SAFE)
    assert game.of("rook", "points") == 1
    game.next_round()
    game.fire_lane("covering", "rook", shooter="grey", dice=SAFE)
    assert game.of("rook", "points") == 6


# Defence


@pytest.mark.parametrize(
    ("stats", "needed"),
    [({}, -9), ({"dodge": 0}, -5), ({"ma": 7}, -10), ({"cl": 3, "ma": 4, "dodge": 1}, -4), ({"cover": 5}, -9)],
)
def test_defence(stats: dict[str, int], needed: int) -> None:
    """GD-15: (CL + MA) / 2 rounded up, Dodge/Cover and the die; 1 is enough, and cover adds nothing."""
    entry = two(**stats).single_shots(at("grey"), dice=[5])
    assert rolled(entry) == [("defence", "grey", (5,), needed)]


@pytest.mark.parametrize(("dice", "hits"), [([2], 0), ([1, 9], 0), ([1, 10, 1], 1), ([1, 10, 10, 4], 1)])
def test_zero_or_less_is_hit(dice: list[int], hits: int) -> None:
    """GD-15: base 10; a natural 1 and a 9 come to 1, which is clear; one and a 10 and 1 to -1."""
    game = two()
    game.single_shots(at("grey"), dice=dice)
    assert game.of("grey", "hits") == hits


def test_exactly_zero_is_hit() -> None:
    """GD-15: base 9 and dice 1 and 9 come to 0."""
    game = two(dodge=3)
    game.single_shots(at("grey"), dice=[1, 9])
    assert game.of("grey", "hits") == 1


def test_other_stats_by_switch() -> None:
    """GD-3, GD-15, switch defence_stats ref_ma: REF 9 and MA 6 make 8."""
    game = Game(person("rook", "xcom"), person("grey", ref=9), defence_stats="ref_ma")
    assert game.single_shots(at("grey"), dice=[5]).rolls[0].needed == 1 - (8 + 4)


# Single shots and bursts


def test_single_shots() -> None:
    """GD-16: a point an action, its rate of fire in rounds, one defence roll and one hit however many."""
    game = two()
    entry = game.single_shots(at("grey", 8), dice=HIT)
    assert len(entry.rolls) == 1
    assert (game.of("grey", "points"), game.of("grey", "hits")) == (8, 1)
    assert game.of("rook", "loaded") == {"rifle": 30, "pistol": 0}


def test_semi_automatic_rate_of_fire() -> None:
    """GD-16: semi_rof is what an action takes, not the automatic one; it is 2 unless told."""
    game = two()
    order = {"shooter": "rook", "weapon": "rifle", "mode": "semi", "targets": [at("grey", 4)]}
    game.give("covering_fire", dice=SAFE, **order)
    assert game.of("rook", "loaded")["rifle"] == 22


@pytest.mark.parametrize(("limit", "clause"), [("none", None), ("3", None), ("2", "GD-16"), ("0", "GD-16")])
def test_firing_actions_limited_by_switch(limit: str, clause: str | None) -> None:
    """GD-16, switch max_firing_actions: all targets together, semi-automatic alone."""
    game = Game(person("rook", "xcom"), person("grey"), person("drone"), max_firing_actions=limit)
    if clause:
        assert no_shots(game, at("grey", 2), at("drone", 1)) == clause
        game.bursts(at("grey", 5), dice=SAFE * 5)
    else:
        game.single_shots(at("grey", 2), at("drone", 1), dice=SAFE * 2)


def test_bursts() -> None:
    """GD-17: three rounds and a point each, a defence roll each, a hit each at most."""
    game = two()
    entry = game.bursts(at("grey", 4), dice=SAFE + HIT + SAFE + HIT)
    assert len(entry.rolls) == 4
    assert (game.of("grey", "points"), game.of("grey", "hits")) == (4, 2)
    assert game.of("rook", "loaded")["rifle"] == 18


@pytest.mark.parametrize(
    ("gun", "mode", "clause"), [("pistol", "burst", "GD-17"), ("gun", "semi", "GD-16"), ("gun", "burst", "GD-17")]
)
def test_modes_that_the_weapon_has(gun: str, mode: str, clause: str) -> None:
    """GD-16, GD-17: bursts need a weapon with bursts, single shots one with single shots."""
    game = Game(person("rook", "xcom", PISTOL, weapon("gun", "auto")), person("grey"))
    assert no_shots(game, at("grey"), weapon=gun, mode=mode) == clause


def test_several_targets() -> None:
    """GD-18: actions are shared out; each rolls its own defence, as listed."""
    game = Game(person("rook", "xcom"), person("vex", "xcom"), person("grey"), person("drone"))
    entry = game.single_shots(at("drone", 1), at("grey", 3), dice=HIT + SAFE)
    assert [subject for _, subject, _, _ in rolled(entry)] == ["drone", "grey"]
    assert [game.of(each, "points") for each in ("vex", "grey", "drone")] == [0, 3, 1]
    assert [game.of(each, "hits") for each in ("vex", "grey", "drone")] == [0, 0, 1]
    assert game.of("rook", "loaded")["pistol"] == 8


def test_a_target_once_and_never_the_shooter() -> None:
    """GD-18: the same twice, oneself, the unknown and those out of action are no targets; friends are."""
    game = three()
    assert no_shots(game, at("grey"), at("grey")) == "order"
    assert no_shots(game, at("rook")) == "order"
    assert no_shots(game, at("nobody")) == "order"
    game.give("wound", combatant="grey", out=True)
    assert no_shots(game, at("grey")) == "order"
    game.single_shots(at("vex"), dice=SAFE)


# Those nearby


def crowd(**switches: Any) -> Game:
    people = [person("rook", "xcom"), person("vex", "xcom"), person("grey"), person("drone"), person("fox")]
    return Game(*people, **switches)


def test_named_neighbours_get_the_points_and_roll_nothing() -> None:
    """GD-19: next to every target, so the larger amount; once, also if they are targets themselves."""
    game = crowd()
    entry = game.single_shots(at("grey", 1), at("drone", 4), adjacent=["fox", "vex", "grey", "fox"], dice=SAFE * 2)
    assert [game.of(each, "points") for each in ("grey", "drone", "fox", "vex")] == [4, 4, 4, 4]
    assert len(entry.rolls) == 2


def test_a_target_keeps_its_own_points_where_they_are_more() -> None:
    """GD-19."""
    game = crowd()
    game.single_shots(at("grey", 3), at("drone", 1), adjacent=["grey"], dice=SAFE * 2)
    assert (game.of("grey", "points"), game.of("drone", "points")) == (3, 1)


def test_the_shooter_and_those_out_of_action_get_none() -> None:
    """GD-19: they are passed over; whoever is unknown is refused."""
    game = crowd()
    game.give("wound", combatant="fox", out=True)
    game.single_shots(at("grey", 2), adjacent=["rook", "fox"], dice=SAFE)
    assert (game.of("rook", "points"), game.of("fox", "points")) == (0, 0)
    assert no_shots(crowd(), at("grey"), adjacent=["nobody"]) == "order"


@pytest.mark.parametrize(
    ("place", "points"), [([11, 11], 2), ([10, 9], 2), ([11.01, 10], 0), ([12, 10], 0), ([9, 11], 2)]
)
def test_adjacent_by_position(place: list[float], points: int) -> None:
    """GD-5, GD-19: at most 1 m apart along both axes, diagonals included."""
    game = Game(
        person("rook", "xcom", position=[0, 0]), person("grey", position=[10, 10]), person("fox", position=place)
    )
    game.single_shots(at("grey", 2), dice=SAFE)
    assert game.of("fox", "points") == points


def test_positions_count_only_where_all_have_one() -> None:
    """GD-19: and a list that is given, though empty, is the players' word."""
    near: dict[str, Any] = {"position": [1, 1]}
    game = Game(person("rook", "xcom"), person("grey", **near), person("fox", **near))
    game.single_shots(at("grey", 2), dice=SAFE)
    assert game.of("fox", "points") == 0
    game.give("position", combatant="rook", at=[1, 2])
    game.next_round()
    game.single_shots(at("grey", 2), dice=SAFE)
    assert (game.of("fox", "points"), game.of("rook", "points")) == (2, 0)
    game.next_round()
    game.single_shots(at("grey", 2), adjacent=[], dice=SAFE)
    assert game.of("fox", "points") == 2


def test_by_position_each_target_by_itself() -> None:
    """GD-19: next to the one target, not to the other."""
    game = Game(
        person("rook", "xcom", position=[0, 0]),
        person("grey", position=[10, 10]),
        person("drone", position=[20, 20]),
        person("fox", position=[11, 10]),
    )
    game.single_shots(at("grey", 1), at("drone", 5), dice=SAFE * 2)
    assert game.of("fox", "points") == 1


def test_friends_are_spared_by_switch() -> None:
    """GD-19, switch splash_friends no: the shooter's own side, unless it is shot at itself."""
    game = crowd(splash_friends="no")
    game.single_shots(at("grey", 2), adjacent=["vex", "fox"], dice=SAFE)
    assert (game.of("vex", "points"), game.of("fox", "points")) == (0, 2)
    game.next_round()
    game.single_shots(at("vex", 1), dice=SAFE)
    assert game.of("vex", "points") == 1


# Ammunition


@pytest.mark.parametrize(("mode", "count"), [("semi", 16), ("burst", 11)])
def test_no_more_rounds_than_there_are(mode: str, count: int) -> None:
    """GD-20: the refusal names what is left, and none are taken."""
    game = two()
    refusal = game.refused(
        "covering_fire", shooter="rook", weapon="rifle", mode=mode, targets=[at("grey", count)], dice=SAFE
    )
    assert refusal.clause == "GD-20"
    assert "30 rounds left" in refusal.message
    assert game.of("rook", "loaded")["rifle"] == 30


@pytest.mark.parametrize(("left", "held"), [(0, "0 rounds left"), (1, "1 round left"), (2, "2 rounds left")])
def test_what_is_left_in_the_magazine_is_told(left: int, held: str) -> None:
    """GD-20: one round is a round."""
    game = Game(person("rook", "xcom", {**RIFLE, "loaded": left}), person("grey"))
    refusal = game.refused("covering_fire", shooter="rook", weapon="rifle", mode="burst", targets=[at("grey")])
    assert refusal.message == f"rifle of Rook has {held}, 3 are needed: reload first"


def test_reloading_fills_the_magazine() -> None:
    """GD-20: it is an action, of a weapon that has to be named and that it has."""
    game = Game(person("rook", "xcom", {**RIFLE, "loaded": 3}, PISTOL), person("grey"))
    assert game.of("rook", "loaded")["rifle"] == 3
    assert no_shots(game, at("grey", 2), weapon="rifle", mode="burst") == "GD-20"
    assert game.no_act("rook", "reload") == "order"
    assert game.no_act("rook", "reload", weapon="cannon") == "order"
    game.act("rook", "reload", weapon="rifle")
    assert game.of("rook", "loaded") == {"rifle": 30, "pistol": 16}
    assert game.of("rook", "acted")


def test_aimed_fire_takes_rounds_where_they_are_counted() -> None:
    """GD-20: rounds need the weapon; without rounds none are taken."""
    game = two()
    game.act("rook", "aimed_fire", weapon="rifle")
    assert game.of("rook", "loaded")["rifle"] == 30
    game.act("rook", "aimed_fire", weapon="rifle", rounds=7)
    assert game.of("rook", "loaded")["rifle"] == 23
    assert game.no_act("rook", "aimed_fire", rounds=3) == "order"
    assert game.no_act("rook", "aimed_fire", weapon="rifle", rounds=24) == "GD-20"
    assert game.no_act("rook", "aimed_fire", target="rook") == "order"
    assert game.no_act("rook", "aimed_fire", target="nobody") == "order"


def test_no_rounds_counted_none_on_record() -> None:
    """GD-20: aimed fire with a weapon named and no rounds: the attack is on record, no rounds are."""
    game = two()
    told = [type(event).__struct_config__.tag for event in game.act("rook", "aimed_fire", weapon="rifle").events]
    assert told == ["acted"]
    told = [
        type(event).__struct_config__.tag
        for event in game.act("rook", "aimed_fire", weapon="rifle", rounds=1, target="grey").events
    ]
    assert told == ["acted", "rounds_fired"]
    assert game.of("rook", "loaded")["rifle"] == 29


def test_a_weapon_matters_to_those_who_fire_or_reload() -> None:
    """GD-20: whatever else is done with a weapon in hand, which one is of no account."""
    game = two()
    game.act("grey", "move", weapon="bow")
    game.act("grey", "other", rounds=5)
    assert game.of("grey", "loaded")["rifle"] == 30
    told = game.refused("act", combatant="grey", action="reload", weapon="bow")
    assert told.message == "Grey has no weapon bow; it has rifle, pistol"
    bare = Game({**person("vex"), "weapons": []})
    told = bare.refused("act", combatant="vex", action="reload", weapon="bow")
    assert told.message == "Vex has no weapon bow; it has none"


def test_a_magazine_set_right_holds_no_more_than_it_can() -> None:
    """GD-20: full to the last round, and not one more."""
    game = two()
    game.give("set", combatant="rook", reason="a slip", loaded={"rifle": 0})
    game.give("set", combatant="rook", reason="a slip", loaded={"rifle": 30})
    assert game.of("rook", "loaded")["rifle"] == 30
    refusal = game.refused("set", combatant="rook", reason="a slip", loaded={"rifle": 31})
    assert refusal.message == "rifle of Rook holds 30 rounds, not 31"


def test_what_is_told() -> None:
    """GD-15, GD-19: the order's events hold whom it was aimed at, all points, and who was not hit."""
    game = crowd()
    entry = game.single_shots(at("grey", 2), at("drone", 1), adjacent=["fox"], dice=SAFE + HIT)
    (laid,) = events(entry, "covering_fire_laid")
    assert [(aimed.target, aimed.count, aimed.range) for aimed in laid.targets] == [("grey", 2, 40), ("drone", 1, 40)]
    assert [(each.combatant, each.points) for each in laid.points] == [("grey", 2), ("drone", 1), ("fox", 2)]
    assert [event.combatant for event in events(entry, "missed")] == ["grey"]
    assert [(event.combatant, event.rounds) for event in events(entry, "struck")] == [("drone", 1)]
