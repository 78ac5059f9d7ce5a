"""Random small battles of both rule sets: odds against every face played, against a twin, and against plays counted."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.resolution import Resolution
from tests.every_face import SELDOM, assert_as_often, plays, sample
from tests.gray_dawn_battles import Game as GrayDawn
from tests.gray_dawn_battles import at, lane_order, person, weapon
from tests.sf_battles import PASS, Game, Told, blue, by, unit
from tests.test_sf_odds import (
    Gun,
    Men,
    Squad,
    assert_agree,
    battle,
    by_playing,
    came,
    carried,
    declared_chances,
    gathered,
    hits,
    lost_of,
    majority,
    passengers_chances,
    passing,
    shrapnel,
    standing,
)

FIXED = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
PLAYED = settings(FIXED, max_examples=5)
"""For battles of which every face, or a sample of hundreds, is played. The examples are the same in every run."""

SAMPLE = 400

saves = st.none() | st.integers(2, 6)
men = st.builds(
    Men,
    size=st.integers(1, 3),
    toughness=st.integers(2, 6),
    wounds=st.integers(1, 3),
    armour=saves,
    invulnerable=saves,
    pain=saves,
    leadership=st.integers(6, 10),
    eternal=st.booleans(),
    hurt=st.just(0),
)
squads = st.lists(men, min_size=1, max_size=4).map(tuple)
few = st.lists(st.builds(Men._replace, men, size=st.integers(1, 2)), min_size=1, max_size=3).map(tuple)
small = st.lists(
    st.builds(Men._replace, men, size=st.integers(1, 2), toughness=st.integers(2, 5)), min_size=2, max_size=4
).map(tuple)
"""Two to four unlike groups, of which strong guns slay some outright."""

one = men.map(lambda group: group._replace(size=1))
pair = st.tuples(one, one).map(lambda squad: tuple(group._replace(pain=None) for group in squad))
lone = pair | st.tuples(one)
"""One model, or two unlike ones without feel no pain: few enough dice to play every face of."""

guns = st.builds(Gun, st.integers(2, 9), st.none() | st.integers(1, 6))
strong_guns = st.builds(Gun, st.integers(7, 9), st.none() | st.integers(1, 6))
suppressors = st.integers(1, 6)


# Suppression Fire


def to_brave(squad: Squad, arms: Gun, count: int) -> Game:
    """A squad that has passed its test and may move under fire."""
    game = battle(squad, arms, count, shrapnel="off")
    game.test("squad", PASS)
    game.to("red")
    return game


def to_declare(squad: Squad, arms: Gun, count: int, scope: str) -> tuple[Game, Told]:
    """Suppressors that may declare on a squad, and that order."""
    target = unit("squad", "red", *(group.profile(f"g{at}") for at, group in enumerate(squad)))
    game = Game(*(blue(f"b{n}", 1, arms.profile()) for n in range(count)), target, shrapnel=scope)
    game.to("blue", "shooting")
    return game, {"target": "squad", "by": [by(f"b{n}") for n in range(count)]}


@FIXED
@given(squads, guns, suppressors)
def test_braving_the_fire(squad: Squad, arms: Gun, count: int) -> None:
    """SF-21 to SF-28: up to four unlike groups."""
    lost = lost_of(squad, hits(squad, arms, count))
    wiped_out = lost.get(sum(group.size for group in squad), Fraction(0))
    found = to_brave(squad, arms, count).odds("act", unit="squad", action="move")
    assert_agree(found, {"casualties": lost, "wiped_out": wiped_out})


@FIXED
@given(few, guns, suppressors, st.sampled_from(["any_gun", "per_unit"]))
def test_the_test_with_its_shrapnel(squad: Squad, arms: Gun, count: int, scope: str) -> None:
    """SF-15, SF-29 to SF-31: up to six D3 of wounds, and the leadership of those left."""
    after = shrapnel(squad, arms, count if scope == "per_unit" else 1)
    left_over = [(left, chance) for left, chance in after.items() if standing(left)]
    passed = sum((chance * passing(left, count) for left, chance in left_over), Fraction(0))
    expected: Told = {"passed": passed, "failed": sum((chance for _, chance in left_over), Fraction(0)) - passed}
    found = battle(squad, arms, count, shrapnel=scope).odds("test", target="squad")
    if "casualties" in found:
        expected["casualties"] = lost_of(squad, after)
    assert_agree(found, expected)


@FIXED
@given(few, guns, suppressors, st.sampled_from(["any_gun", "per_unit", "off"]))
def test_a_declaration(squad: Squad, arms: Gun, count: int, scope: str) -> None:
    """SF-3, SF-15, SF-21: what would come of it, up to the fire on those who passed."""
    game, order = to_declare(squad, arms, count, scope)
    bursts = {"any_gun": 1, "per_unit": count, "off": 0}[scope]
    assert_agree(game.odds("declare", **order), declared_chances(squad, arms, count, bursts))


@FIXED
@given(small, strong_guns, suppressors)
def test_shrapnel_of_each_unit_on_unlike_groups(squad: Squad, arms: Gun, count: int) -> None:
    """SF-26 to SF-31, SF-34: per_unit: a declaration on up to four unlike groups, and the same men in a vehicle."""
    game, order = to_declare(squad, arms, count, "per_unit")
    assert_agree(game.odds("declare", **order), declared_chances(squad, arms, count, count))
    bursts = count if arms.strength >= 2 * majority(squad) else 0
    found = carried(squad, arms, count, True, shrapnel="per_unit").odds("act", unit="squad", action="disembark")
    assert_agree(found, passengers_chances(squad, arms, count, bursts))


@PLAYED
@given(lone, guns, suppressors)
def test_every_face_of_braving_the_fire(squad: Squad, arms: Gun, count: int) -> None:
    """SF-21 to SF-28: as the plays of all sequences of faces add up."""
    game = to_brave(squad, arms, count)
    order = {"action": "move"}
    assert_agree(game.odds("act", unit="squad", **order), by_playing(game, "act", "squad", **order))


@PLAYED
@given(pair, st.builds(Gun, st.integers(6, 9), st.none() | st.integers(1, 6)), st.integers(1, 2))
def test_every_face_of_the_test(squad: Squad, arms: Gun, count: int) -> None:
    """SF-15, SF-29 to SF-31: as the plays of all sequences of faces add up."""
    game = battle(squad, arms, count)
    found, played = game.odds("test", target="squad"), by_playing(game, "test", "squad")
    if "casualties" not in found:
        assert played.pop("casualties") == {0: 1}
    assert_agree(found, played)


@PLAYED
@given(squads, guns, suppressors, st.integers(0, 10**6))
def test_braving_the_fire_as_often_as_told(squad: Squad, arms: Gun, count: int, seed: int) -> None:
    """SF-21 to SF-28: casualties over hundreds of plays."""
    game = to_brave(squad, arms, count)
    found = game.odds("act", unit="squad", action="move")
    order = {"type": "act", "unit": "squad", "action": "move"}
    ends = (end.state for end in sample(game.history, order, SAMPLE, seed))
    lost = Counter(came(end, "squad", "squad", found["models"]).lost for end in ends)
    assert_as_often(lost, {int(told): chance for told, chance in found["casualties"]["distribution"].items()})


@PLAYED
@given(squads, guns, suppressors, st.integers(0, 10**6))
def test_the_test_as_often_as_told(squad: Squad, arms: Gun, count: int, seed: int) -> None:
    """SF-15, SF-29, SF-31: passed, failed, wiped out before it, over hundreds of plays."""
    game = battle(squad, arms, count)
    found, before = game.odds("test", target="squad"), sum(group.size for group in squad)
    ends = sample(game.history, {"type": "test", "target": "squad"}, SAMPLE, seed)
    results = Counter(came(end.state, "squad", "squad", before).test for end in ends)
    nobody_left = max(0.0, 1 - found["passed"] - found["failed"])
    chances = {"passed": found["passed"], "failed": found["failed"], None: nobody_left if nobody_left > 1e-9 else 0.0}
    assert_as_often(results, chances)


# Gray Dawn

people = st.fixed_dictionaries(
    {
        "cl": st.integers(1, 8),
        "ma": st.integers(1, 8),
        "ref": st.integers(1, 9),
        "dodge": st.integers(0, 5),
        "athletics": st.integers(0, 5),
        "awareness": st.integers(0, 5),
        "stealth": st.integers(0, 5),
        "int": st.integers(1, 9),
        "cover": st.integers(0, 2),
    }
)
house_rules = st.fixed_dictionaries(
    {
        "explode_down": st.sampled_from(["yes", "no"]),
        "lane_hits": st.sampled_from(["burst_table", "1d6"]),
        "check_stat": st.sampled_from(["cl", "cl_int"]),
        "defence_stats": st.sampled_from(["cl_ma", "ref_ma"]),
        "check_base": st.sampled_from(["15", "8"]),
    }
)
ORDERS: dict[str, Told] = {
    "burst": {
        "type": "covering_fire", "shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": [at("grey", 1)]
    },
    "covering lane": {"type": "lane", **lane_order("covering", "grey")},
    "check": {"type": "check", "combatant": "grey"},
    "crossing": {"type": "act", "combatant": "grey", "action": "cross", "lanes": ["hall"], "avoid": "dodge"},
    "crossing at a run": {
        "type": "act", "combatant": "grey", "action": "cross", "lanes": ["hall"], "avoid": "athletics"
    },
    "spotting": {"type": "spot", "observer": "rook", "flanker": "grey"},
}  # fmt: skip


def facing(stats: Told, switches: Told, order: Told, points: int) -> GrayDawn:
    """Rook with a rifle faces Grey, who has these stats, in a round in which that order may be given."""
    rifle = weapon("rifle", "semi", "burst", "auto", magazine=300)
    game = GrayDawn(person("rook", "xcom", rifle, rifle | {"name": "other"}), person("grey", **stats), **switches)
    if order["type"] == "act":
        game.fire_lane()
    elif order["type"] == "check":
        game.points("grey", points)
    return game


def fate(resolution: Resolution[Any]) -> Told:
    """What the events of an order say of Grey: hits, the check, whether it was noticed."""
    events: dict[str, Any] = {str(type(event).__struct_config__.tag): event for event in resolution.events}
    struck = events.get("struck")
    checked, spotted = events.get("checked"), events.get("spotted")
    return {
        "hits": struck.rounds if struck else 0,
        "checked": checked.result if checked else None,
        "noticed": spotted.noticed if spotted else None,
    }


def told_chances(order: Told, odds: Told) -> dict[Any, float]:
    """The odds of an order by fate: of the hits, of the check, or of being noticed."""
    if "noticed" in odds:
        return {True: odds["noticed"], False: odds["unnoticed"]}
    if "passed" in odds:
        return {"passed": odds["passed"], "failed": odds["failed"]}
    counts = odds["hits"] if order["type"] == "act" else odds["hits"]["grey"]
    return {int(count): chance for count, chance in counts["distribution"].items()}


def told_fate(odds: Told, fate: Told) -> Any:
    return fate["noticed"] if "noticed" in odds else fate["checked"] if "passed" in odds else fate["hits"]


@pytest.mark.parametrize("name", ORDERS)
@PLAYED
@given(people, house_rules, st.integers(1, 12))
def test_every_face_of_gray_dawn(name: str, stats: Told, switches: Told, points: int) -> None:
    """GD-1, GD-2, GD-7, GD-10, GD-15 to GD-18, GD-23, GD-25, GD-29: as the plays of all sequences of faces add up.

    With two chains of dice one after the other the rare ones are left unplayed; odds are off by no more than those.
    """
    order = ORDERS[name]
    game = facing(stats, switches, order, points)
    odds = game.odds(order["type"], **{field: value for field, value in order.items() if field != "type"})
    seldom = Fraction(1, 10**6) if order["type"] in ("act", "spot") else SELDOM
    fates = [(fate(resolution), chance) for resolution, chance in plays(game.history, order, seldom)]
    unplayed = float(1 - sum(chance for _, chance in fates))
    assert unplayed < 2e-3 if order["type"] in ("act", "spot") else unplayed < 1e-12
    played = gathered((told_fate(odds, fate), chance) for fate, chance in fates)
    chances = told_chances(order, odds)
    for told in {*played, *chances}:
        assert 0 <= chances.get(told, 0) - float(played.get(told, 0)) + 1e-12 <= unplayed + 2e-12, told
    if order["type"] == "act":
        stopped = float(sum(chance for fate, chance in fates if fate["checked"] == "failed"))
        assert 0 <= odds["stopped"] - stopped + 1e-12 <= unplayed + 2e-12


def chain_totals(down: bool) -> dict[int, Fraction]:
    """What a d10 that explodes comes to, die by die: up on tens and, where it may, down after a first one."""
    totals: dict[int, Fraction] = {}
    open_chains: list[tuple[tuple[int, ...], Fraction]] = [((face,), Fraction(1, 10)) for face in range(1, 11)]
    while open_chains:
        dice, chance = open_chains.pop()
        if len(dice) < 18 and (dice[-1] == 10 or (down and dice == (1,))):
            open_chains += [((*dice, face), chance / 10) for face in range(1, 11)]
            continue
        worth = -sum(dice[1:]) if down and dice[0] == 1 else sum(dice)
        totals[worth] = totals.get(worth, Fraction(0)) + chance
    return totals


def half_up(one: int, other: int) -> int:
    return -(-(one + other) // 2)


@FIXED
@given(people, house_rules, st.sampled_from(["dodge", "athletics"]))
def test_crossing_by_two_chains(stats: Told, switches: Told, avoid: str) -> None:
    """GD-7, GD-25, GD-29: level 5: the check, then the roll to get through, then the table, to 1e-12."""
    totals = chain_totals(switches["explode_down"] == "yes")
    nerve = half_up(stats["cl"], stats["int"]) if switches["check_stat"] == "cl_int" else stats["cl"]
    cool = stats["ref"] if switches["defence_stats"] == "ref_ma" else stats["cl"]
    base = half_up(cool, stats["ma"]) + stats["dodge"] if avoid == "dodge" else stats["ref"] + stats["athletics"]
    number = int(switches["check_base"]) + 5
    stopped = sum((p for die, p in totals.items() if nerve + stats["cover"] + 18 // 5 + die < number), Fraction(0))
    hit = (1 - stopped) * sum((p for die, p in totals.items() if base + die < 5), Fraction(0))
    table = range(1, 7) if switches["lane_hits"] == "1d6" else (1, 1, 1, 2, 2, 3)
    rounds = gathered([(0, 1 - hit), *((count, hit / 6) for count in table)])
    order = {**ORDERS["crossing"], "avoid": avoid}
    found = facing(stats, switches, order, 0).odds("act", **{k: v for k, v in order.items() if k != "type"})
    assert_agree(found, {"stopped": stopped, "hits": rounds})


@FIXED
@given(people, house_rules)
def test_spotting_by_two_chains(stats: Told, switches: Told) -> None:
    """GD-10: every pair of totals, to 1e-12; Rook looks out with 9."""
    totals = {total: int(chance * 10**18) for total, chance in chain_totals(switches["explode_down"] == "yes").items()}
    behind = stats["ref"] + stats["stealth"] - 9
    pairs = ((one, other, p * q) for one, p in totals.items() for other, q in totals.items())
    noticed = Fraction(sum(ways for one, other, ways in pairs if one - other >= behind), 10**36)
    found = facing(stats, switches, ORDERS["spotting"], 0).odds("spot", observer="rook", flanker="grey")
    assert_agree(found, {"noticed": noticed, "unnoticed": 1 - noticed})


@pytest.mark.parametrize("name", ORDERS)
@PLAYED
@given(people, house_rules, st.integers(1, 12), st.integers(0, 10**6))
def test_gray_dawn_as_often_as_told(name: str, stats: Told, switches: Told, points: int, seed: int) -> None:
    """GD-1, GD-2, GD-7, GD-10, GD-15 to GD-18, GD-23, GD-25, GD-29: over hundreds of plays."""
    order = ORDERS[name]
    game = facing(stats, switches, order, points)
    odds = game.odds(order["type"], **{field: value for field, value in order.items() if field != "type"})
    fates = Counter(told_fate(odds, fate(end)) for end in sample(game.history, order, SAMPLE, seed))
    assert_as_often(fates, told_chances(order, odds))


def test_several_under_fire_each_by_itself() -> None:
    """GD-18, GD-23: the odds of one in a lane are what all plays of the lane say of it, whoever else is in it."""
    game = GrayDawn(person("rook", "xcom"), person("grey", cl=1, ma=1, dodge=1), person("drone"), explode_down="no")
    order = {"type": "lane", **lane_order("covering", "grey", "drone")}
    odds = game.odds("lane", **lane_order("covering", "grey", "drone"))
    played: dict[str, dict[int, Fraction]] = {"grey": {}, "drone": {}}
    for resolution, chance in plays(game.history, order):
        for name, chances in played.items():
            hit = resolution.state.combatants[name].hits
            chances[hit] = chances.get(hit, Fraction(0)) + chance
    for name, chances in played.items():
        told = {int(count): chance for count, chance in odds["hits"][name]["distribution"].items()}
        assert told == pytest.approx({hit: float(chance) for hit, chance in chances.items()}, abs=1e-12)
    assert json.dumps(odds["points"]) == '{"grey": 5, "drone": 5}'
