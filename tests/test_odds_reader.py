"""The reader of odds by itself: what it takes together, what it adds up, when it stops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dealing import Costly, Dealt, costs_of, one_for_each_cost, shares
from engine.odds import Cancelled, Onward, TooMany, distribution
from engine.orders import chances_of, odds_of, read_order
from engine.refusals import Refusal
from engine.resolution import Choice, Event, Rule, happen, roll
from engine.rolls import Pool, Roll, Total
from tests.gray_dawn_battles import Game as GrayDawn
from tests.gray_dawn_battles import lane_order, person
from tests.sf_battles import PASS, Game, Told, blue, by, gun, models, red, unit
from tests.test_sf_odds import GUNS, SQUADS, Gun, Men, Squad, battle, carried


def paths_one_by_one(history: Any, order: Told) -> list[dict[Any, Fraction]]:
    """What the readings of an order tell, by following each combination of outcomes by itself, from its start."""
    rules, state = history.rules, history.state
    plan = rules.judge(state, read_order(rules, json.dumps(order)))
    told = []
    for reading in rules.question(state, None, plan).readings:
        stretches = reading.stretches or ((lambda now: lambda: rules.resolve(now, plan)),)
        ends: list[tuple[Any, Fraction]] = [(state, Fraction(1))]
        for stretch in stretches:
            ends = [
                (end, chance * more) for now, chance in ends for end, more in _ends(stretch(now), now, rules.evolve)
            ]
        chances: dict[Any, Fraction] = {}
        for end, chance in ends:
            chances[reading.tell(end)] = chances.get(reading.tell(end), Fraction(0)) + chance
        told.append(chances)
    return told


def _ends(start: Any, handed_on: Any, evolve: Any) -> Iterator[tuple[Any, Fraction]]:
    """What a rule returns for each combination of outcomes, and the chance of that."""
    state = handed_on.state if isinstance(handed_on, Onward) else handed_on
    begun: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    while begun:
        outcomes, chance = begun.pop()
        rule, now, left, answer = start(), state, list(outcomes), None
        while True:
            try:
                step = rule.send(answer)
            except StopIteration as end:
                yield end.value, chance
                break
            if isinstance(step, Choice):
                answer = step.default
            elif isinstance(step, Event):
                answer = now = evolve(now, step)
            elif left:
                answer = left.pop(0)
            else:
                whole = sum(step.chances().values())
                begun += [((*outcomes, told), chance * Fraction(n, whole)) for told, n in step.chances().items()]
                break


def read(history: Any, order: Told) -> list[dict[Any, Fraction]]:
    """What the readings of an order tell, as the program works it out."""
    rules, state = history.rules, history.state
    plan = rules.judge(state, read_order(rules, json.dumps(order)))
    return [chances_of(rules, state, plan, reading) for reading in rules.question(state, None, plan).readings]


def assert_the_same(history: Any, order: Told) -> None:
    found = read(history, order)
    assert found == paths_one_by_one(history, order)
    for chances in found:
        assert sum(chances.values()) == 1


SMALL: dict[str, Squad] = {
    name: squad for name, squad in SQUADS.items() if sum(men.size for men in squad) <= 10 and len(squad) < 3
}


@pytest.mark.parametrize("weapon", ["S4 AP5", "S8 AP3"])
@pytest.mark.parametrize("squad", SMALL)
def test_paths_taken_together_are_the_paths_one_by_one(squad: str, weapon: str) -> None:
    """SF-15, SF-21 to SF-31, SF-34: the test, the fire, a declaration: as fractions, without a difference."""
    men, arms = SMALL[squad], GUNS[weapon]
    game = battle(men, arms, 2, shrapnel="per_unit")
    assert_the_same(game.history, {"type": "test", "target": "squad"})
    game.test("squad", None)
    game.give("status", unit="squad", status="pinned", on=False)
    game.to("red")
    if not game.unit("squad")["out"]:
        assert_the_same(game.history, {"type": "act", "unit": "squad", "action": "move"})


@pytest.mark.parametrize("open_topped", [True, False])
def test_passengers_one_by_one(open_topped: bool) -> None:
    """SF-34, SF-35: shrapnel, their test, the fire."""
    squad = (Men(2, armour=4, pain=5), Men(1, 5, wounds=3))
    game = carried(squad, Gun(8, 4), 2, open_topped, shrapnel="per_unit")
    assert_the_same(game.history, {"type": "act", "unit": "squad", "action": "disembark"})


@pytest.mark.parametrize("shots", ["d3", 5])
def test_a_declaration_one_by_one(shots: int | str) -> None:
    """SF-3, SF-9: random shots, shrapnel, the test, the fire."""
    cannon = gun("cannon", "shell", 36, 8, 4, "heavy", shots)
    squad = unit("squad", "red", models("a", 2, toughness=4, armour=4), models("b", 1, toughness=3, wounds=2))
    game = Game(blue("b0", 2, cannon), blue("b1", 2, cannon), squad, shrapnel="per_unit")
    game.to("blue", "shooting")
    assert_the_same(game.history, {"type": "declare", "target": "squad", "by": [by("b0"), by("b1")]})


@pytest.mark.parametrize("scope", ["any_gun", "majority_gun", "per_unit"])
def test_random_shots_of_unlike_guns_one_by_one(scope: str) -> None:
    """SF-3, SF-9, SF-23, SF-29: which gun type leads, whether it bursts, and who puts out five shots is all open."""
    cannon, rifle = gun("cannon", "shell", 36, 8, 4, "heavy", "d3"), gun("rifle", "bolt", 36, 4, 5, "assault", "d3")
    squad = unit("squad", "red", models("a", 1, toughness=4, armour=4), models("b", 1, toughness=4, wounds=2))
    game = Game(blue("b0", 2, cannon), blue("b1", 3, rifle), blue("b2", 2, rifle), squad, shrapnel=scope)
    game.to("blue", "shooting")
    assert_the_same(game.history, {"type": "declare", "target": "squad", "by": [by(f"b{n}") for n in range(3)]})


def test_gray_dawn_one_by_one() -> None:
    """GD-23, GD-25: lanes and crossings."""
    game = GrayDawn(person("rook", "xcom"), person("grey", cl=1, ma=2), person("drone"))
    assert_the_same(game.history, {"type": "lane", **lane_order("covering", "grey", "drone")})
    game.fire_lane()
    crossing = {"type": "act", "combatant": "grey", "action": "cross", "lanes": ["hall"], "avoid": "athletics"}
    assert_the_same(game.history, crossing)


UNLIKE_FEW: tuple[Squad, ...] = (
    (Men(1, armour=4), Men(1, wounds=2, eternal=True)),
    (Men(2, wounds=2, eternal=True, pain=5), Men(1, 3, wounds=3, armour=5)),
    (Men(1, leadership=10), Men(1, 5, wounds=2, invulnerable=4), Men(1, 3, armour=3)),
    (Men(1, wounds=3, eternal=True), Men(1, 5, armour=3), Men(1, pain=4), Men(1, 3, wounds=2, leadership=9)),
)
"""One to four models in two to four unlike groups: some slain outright, some with wounds to lose."""


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("scope", ["any_gun", "per_unit"])
def test_shrapnel_of_each_unit_on_unlike_groups_one_by_one(at: int, scope: str) -> None:
    """SF-26, SF-27, SF-29: what each group has lost before counts where it is not slain outright."""
    squad, weapon = UNLIKE_FEW[at], Gun(8, 4)
    target = unit("squad", "red", *(men.profile(f"g{n}") for n, men in enumerate(squad)))
    game = Game(*(blue(f"b{n}", 1, weapon.profile()) for n in range(2)), target, shrapnel=scope)
    game.to("blue", "shooting")
    assert_the_same(game.history, {"type": "declare", "target": "squad", "by": [by("b0"), by("b1")]})
    game = carried(squad, weapon, 2, True, shrapnel=scope)
    assert_the_same(game.history, {"type": "act", "unit": "squad", "action": "disembark"})


@pytest.mark.parametrize("says", [{"allocation": ["g2", "g0", "g1"]}, {"shares": {"g2": 1, "g1": 1}}, {"shares": {}}])
def test_what_the_owner_says_beforehand_one_by_one(says: Told) -> None:
    """SF-27: who takes wounds first, and who takes those of the last round."""
    squad = (Men(2, armour=4), Men(2, 5, wounds=2, pain=5), Men(1, 3, wounds=3))
    game = carried(squad, Gun(6, 4), 2, True, shrapnel="per_unit")
    assert_the_same(game.history, {"type": "act", "unit": "squad", "action": "disembark", **says})


# Dice that are dealt out


def of_a_handful(count: int, ways: int, of: int) -> dict[int, Fraction]:
    chance = Fraction(ways, of)
    each = {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}
    return {n: p for n, p in each.items() if p}


lanes = st.builds(
    lambda costs, ways: (len(costs), ways, 6, (0, *sorted(costs))),
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
    st.integers(0, 6),
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.data(), st.lists(lanes, min_size=1, max_size=4).map(tuple))
def test_dice_dealt_out_cost_what_all_outcomes_say(data: st.DataObject, each: tuple[Costly, ...]) -> None:
    """Every number dealt out, every outcome of each lane; one way to each cost stands for all of them."""
    room = sum(size for size, *_ in each)
    first = data.draw(st.tuples(st.integers(0, room), st.integers(0, 6), st.just(6)))
    wishes = data.draw(st.just(()) | st.tuples(*(st.integers(0, 3) for _ in each)))
    dealt = Dealt(first, each, wishes)
    one_by_one: dict[int, Fraction] = {}
    ways_to: dict[int, set[tuple[int, tuple[int, ...]]]] = {}
    for came, chance in of_a_handful(*first).items():
        taken = [
            (lane, n) for lane, n in zip(each, shares(came, tuple(size for size, *_ in each), wishes), strict=True) if n
        ]
        for kept in product(*(of_a_handful(n, ways, of).items() for (_, ways, of, _), n in taken)):
            cost = sum(lane[3][k] for (lane, _), (k, _) in zip(taken, kept, strict=True))
            whole = chance
            for _, p in kept:
                whole *= p
            one_by_one[cost] = one_by_one.get(cost, Fraction(0)) + whole
            ways_to.setdefault(cost, set()).add((came, tuple(k for k, _ in kept)))
    costs = costs_of(dealt)
    assert {cost: Fraction(weight, costs.cases) for cost, weight in enumerate(costs.weights) if weight} == one_by_one
    assert set(one_for_each_cost(dealt)) == set(one_by_one)
    for cost, way in one_for_each_cost(dealt).items():
        assert way in ways_to[cost]


def pools_asked(rule: Rule[Any], now: Any, evolve: Any, outcome: tuple[int, ...]) -> list[Pool]:
    """The first two pools that a rule asks for, where the first comes out so."""
    pools: list[Pool] = []
    answer: Any = None
    while len(pools) < 2:
        step = rule.send(answer)
        if isinstance(step, Event):
            answer = now = evolve(now, step)
        elif isinstance(step, Choice):
            answer = step.default
        else:
            assert isinstance(step, Pool)
            pools.append(step)
            answer = outcome
    return pools


@pytest.mark.parametrize("says", [{}, {"allocation": ["g1", "g0", "g2"]}, {"shares": {"g2": 2, "g0": 1}}])
@pytest.mark.parametrize("weapon", ["S4 AP5", "S8 AP3", "S3 AP1"])
def test_a_rule_rolls_the_saves_that_it_has_said_it_would(weapon: str, says: Told) -> None:
    """SF-25 to SF-28: however many wounds there are, the pool that follows is the one dealt out."""
    squad = (Men(3, armour=4, pain=5), Men(2, 5, wounds=2), Men(2, 3, wounds=3, invulnerable=4, eternal=True))
    game = battle(squad, GUNS[weapon], 3, shrapnel="off")
    game.test("squad", PASS)
    game.to("red")
    rules, state = game.history.rules, game.history.state
    plan = rules.judge(state, read_order(rules, json.dumps({"type": "act", "unit": "squad", "action": "move", **says})))
    seen = 0
    for wounds in range(1, 8):
        pools = pools_asked(rules.resolve(state, plan), state, rules.evolve, (wounds,))
        dealing = pools[0].dealing
        assert dealing is not None
        taken = shares(wounds, tuple(lane.count for lane in dealing.lanes), dealing.wishes)
        said = [(lane, n) for lane, n in zip(dealing.lanes, taken, strict=True) if n]
        assert [(lane.group, lane.stages, lane.count, lane.costs) for lane in pools[1].lanes] == [
            (lane.group, lane.stages, n, lane.costs[: n + 1]) for lane, n in said
        ]
        seen += len(said)
    assert seen > 7


# Stopping


class Seen(Event, frozen=True, tag="seen"):
    total: int


def rolls(state: int) -> Rule[int]:
    """Twelve dice one after the other: more than two thousand million paths."""
    for _ in range(12):
        total = yield from roll(Total("sum", "scouts", 1, 6))
        state = yield from happen(Seen(state + total))
    return state


def once(state: int) -> Rule[int]:
    total = yield from roll(Total("sum", "scouts", 2, 6))
    state = yield from happen(Seen(state + total))
    return state


def added(state: int, event: Seen) -> int:
    return event.total


def itself(told: int) -> int:
    return told


def test_stretches_follow_each_other() -> None:
    """The second starts from what the first has come to, whichever way it came there."""
    chances = distribution((lambda now: lambda: once(now),) * 2, 0, added, itself)
    twin: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=4):
        twin[sum(faces)] = twin.get(sum(faces), Fraction(0)) + Fraction(1, 6**4)
    assert chances == twin


def test_a_stretch_hands_on_nothing_but_the_state() -> None:
    """What a rule returns before the last one is the state after its last event; anything else is a fault."""

    def forgetful(state: int) -> Rule[int]:
        yield from once(state)
        return state

    with pytest.raises(AssertionError, match="state after its last event"):
        distribution((lambda now: lambda: forgetful(now), lambda now: lambda: once(now)), 7, added, itself)


def test_what_takes_too_long_is_given_up() -> None:
    with pytest.raises(TooMany):
        distribution((lambda now: lambda: rolls(now),), 0, added, itself)


@pytest.mark.parametrize("looks", [1, 2, 10, 100])
def test_what_is_no_longer_wanted_stops_at_once(looks: int) -> None:
    """Asked before each path: after the first no, not one more is followed."""
    asked = 0

    def wanted() -> bool:
        nonlocal asked
        asked += 1
        return asked < looks

    with pytest.raises(Cancelled):
        distribution((lambda now: lambda: rolls(now),), 0, added, itself, wanted)
    assert asked == looks


def test_the_odds_of_an_order_are_withdrawn() -> None:
    """An order changed on the screen: wherever the computation is, in any of its readings and stretches."""
    cannon = gun("cannon", "shell", 36, 8, 4, "heavy", "d3")
    squad = unit("squad", "red", models("a", 3, toughness=4, armour=4), models("b", 3, toughness=3, wounds=2))
    game = Game(blue("b0", 3, cannon), blue("b1", 3, cannon), squad, shrapnel="per_unit")
    game.to("blue", "shooting")
    told = {"type": "declare", "target": "squad", "by": [by("b0"), by("b1")]}
    order = read_order(game.history.rules, json.dumps(told))
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return True

    odds_of(game.history, order, count)
    whole = asked
    assert whole > 50
    for stop in (1, 2, whole // 2, whole):
        looks = [False, *[True] * (stop - 1)]
        with pytest.raises(Cancelled):
            odds_of(game.history, order, looks.pop)
        assert looks == []


# What it costs: paths are counted, since they take the same on every machine


def paths(game: Game, order: Told) -> int:
    followed = 0

    def count() -> bool:
        nonlocal followed
        followed += 1
        return True

    odds_of(game.history, read_order(game.history.rules, json.dumps(order)), count)
    return followed


UNLIKE = (
    {"toughness": 4, "armour": 4, "feel_no_pain": 5, "leadership": 8},
    {"toughness": 4, "armour": 3, "wounds": 2, "leadership": 9},
    {"toughness": 3, "armour": 5, "invulnerable": 4, "leadership": 7},
    {"toughness": 4, "armour": 5, "feel_no_pain": 4, "wounds": 3, "leadership": 10},
)


@pytest.mark.parametrize("groups", [1, 2, 3, 4])
def test_unlike_groups_do_not_multiply(groups: int) -> None:
    """SF-21 to SF-28: thirty models in one to four groups, six suppressors: a path a hit, and one a model lost."""
    sizes = [30 // groups + (at < 30 % groups) for at in range(groups)]
    mob = unit("mob", "red", *(models(f"g{at}", size, **UNLIKE[at]) for at, size in enumerate(sizes)))
    rifle = gun("rifle", "bolt", 36, 4, 5, "assault", 5)
    game = Game(*(blue(f"b{n}", 1, rifle) for n in range(6)), mob)
    game.suppress("mob", *(f"b{n}" for n in range(6)), dice=PASS)
    assert paths(game, {"type": "act", "unit": "mob", "action": "move"}) <= 31 + 31


def test_random_shots_do_not_multiply() -> None:
    """SF-9: six units with a D6 of shots: 46,656 ways to roll them, but only their sums and who has five count."""
    guns = gun("gun", "bolt", 36, 4, 5, "assault", "d6")
    game = Game(*(blue(f"b{n}", 3, guns) for n in range(6)), red("mob", 30))
    game.to("blue", "shooting")
    assert paths(game, {"type": "declare", "target": "mob", "by": [by(f"b{n}") for n in range(6)]}) < 2500


def test_too_many_outcomes_are_refused_in_words() -> None:
    """Twelve groups of two hundred: no table waits for that."""
    groups = [models(f"g{at}", 200, **UNLIKE[at % 4]) for at in range(12)]
    game = Game(blue("b0", 5), unit("mob", "red", *groups))
    game.to("blue", "shooting")
    with pytest.raises(Refusal, match="too many outcomes"):
        game.odds("declare", target="mob", by=[by("b0")])


def test_rolls_are_asked_what_they_can_tell() -> None:
    """A kind of roll that says nothing of its chances cannot be read."""
    with pytest.raises(NotImplementedError):
        Roll[int]().chances()
