"""Odds against two twins: every sequence of faces played as an order, and the same chances convolved by other means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

import pytest

from tests.every_face import plays
from tests.sf_battles import (
    FAIL,
    LASGUN,
    PASS,
    Game,
    Told,
    blue,
    carrier,
    gun,
    inside,
    models,
    red,
    unit,
)

Chances = dict[Any, Fraction]


def assert_agree(found: Told, expected: Mapping[str, Any]) -> None:
    """Each number within 1e-12; outcomes of chance 0 may be left out of a distribution.

    How many models there were stands beside every distribution of those that fall.
    """
    assert ("models" in found) == bool({"casualties", "braving"} & set(expected))
    assert set(found) - {"models"} == set(expected)
    for name, value in expected.items():
        if isinstance(value, dict):
            assert found[name]["mean"] == pytest.approx(float(mean(value)), abs=1e-12, rel=1e-11)
            told = {int(count): chance for count, chance in found[name]["distribution"].items()}
            for count in set(told) | set(value):
                assert told.get(count, 0) == pytest.approx(float(value.get(count, 0)), abs=1e-12, rel=1e-11), count
        else:
            assert found[name] == pytest.approx(float(value), abs=1e-12, rel=1e-11), name


def mean(chances: Chances) -> Fraction:
    return sum((count * chance for count, chance in chances.items()), Fraction(0))


def gathered(pairs: Iterable[tuple[Any, Fraction]]) -> Chances:
    chances: Chances = {}
    for told, chance in pairs:
        chances[told] = chances.get(told, Fraction(0)) + chance
    return chances


# Twin one: play all faces


class Came(NamedTuple):
    """What became of a unit by an order: its test, models lost, out of play, kept inside."""

    test: str | None
    lost: int
    out: bool
    stayed: bool


def played(game: Game, target: str, unit_id: str, order: Told) -> Iterator[tuple[Came, Fraction]]:
    """The order given with every sequence of faces there is."""
    before = game.unit(unit_id)["models"]
    for resolution, chance in plays(game.history, order):
        yield came(resolution.state, target, unit_id, before), chance


def came(state: Any, target: str, unit_id: str, before: int) -> Came:
    """What has become of a unit of so many models that is or rides in the target."""
    after, suppression = state.units[unit_id], state.suppressions.get(target)
    test = suppression.test_of(unit_id) if suppression else None
    return Came(test, before - after.models, after.out, after.stayed_in)


def by_playing(game: Game, kind: str, unit_id: str, target: str = "", **fields: Any) -> Told:
    """The odds report of a test or an act as the plays add up."""
    named = {"target" if kind != "act" else "unit": unit_id}
    came = gathered(played(game, target or unit_id, unit_id, {"type": kind, **named, **fields}))
    assert sum(came.values()) == 1
    lost = gathered((told.lost, chance) for told, chance in came.items())

    def chance_of(wanted: Any) -> Fraction:
        return sum((chance for told, chance in came.items() if wanted(told)), Fraction(0))

    if kind == "act":
        stopped = {"stopped": chance_of(lambda told: told.stayed)} if target else {}
        return {"casualties": lost, "wiped_out": chance_of(lambda told: told.out), **stopped}
    passed = chance_of(lambda told: told.test in ("passed", "not_needed"))
    return {"passed": passed, "failed": chance_of(lambda told: told.test == "failed"), "casualties": lost}


# Twin two: convolve


class Men(NamedTuple):
    """A group for the twin: models, the wounds its hurt one has lost, and its stat line."""

    size: int
    toughness: int = 4
    wounds: int = 1
    armour: int | None = None
    invulnerable: int | None = None
    pain: int | None = None
    leadership: int = 8
    eternal: bool = False
    hurt: int = 0

    def profile(self, name: str) -> Told:
        return models(
            name, self.size, BOLT, toughness=self.toughness, wounds=self.wounds, armour=self.armour,
            invulnerable=self.invulnerable, feel_no_pain=self.pain, leadership=self.leadership,
            eternal_warrior=self.eternal,
        )  # fmt: skip


class Gun(NamedTuple):
    strength: int = 4
    ap: int | None = 5

    def profile(self) -> Told:
        return gun("test gun", "test", 36, self.strength, self.ap, "assault", 5)


BOLT = gun("boltgun", "bolt", 24, 4, 5, "rapid_fire", 1)
Squad = tuple[Men, ...]


def at_least(needed: int | None) -> Fraction:
    return Fraction(0) if needed is None else Fraction(sum(face >= needed for face in range(1, 7)), 6)


def binomial(count: int, chance: Fraction) -> Chances:
    return {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}


def convolved(*parts: Chances) -> Chances:
    total: Chances = {0: Fraction(1)}
    for part in parts:
        total = gathered((n + m, p * q) for n, p in total.items() for m, q in part.items())
    return total


def standing(squad: Squad) -> list[Men]:
    return [men for men in squad if men.size]


def majority(squad: Squad) -> int:
    toughnesses = [men.toughness for men in squad for _ in range(men.size)]
    return max(toughnesses, key=lambda toughness: (toughnesses.count(toughness), toughness))


def slain(men: Men, strength: int) -> bool:
    return strength >= 2 * men.toughness and not men.eternal


def unsaved(men: Men, weapon: Gun | None) -> Fraction:
    """The chance that a wound gets through; no weapon: shrapnel."""
    saves = [men.invulnerable] if men.invulnerable else []
    if men.armour and (weapon is None or weapon.ap is None or weapon.ap > men.armour):
        saves.append(men.armour)
    through = 1 - at_least(min(saves)) if saves else Fraction(1)
    if men.pain and (weapon is None or (weapon.ap not in (1, 2) and not slain(men, weapon.strength))):
        through *= 1 - at_least(men.pain)
    return through


def left_of(men: Men, wounds: int, outright: bool) -> Men:
    """The group after unsaved wounds, one by one: slain outright, else the model that is hurt already."""
    for _ in range(wounds):
        if not men.size:
            break
        if outright:
            men = men._replace(size=men.size - 1, hurt=men.hurt if men.size > 1 else 0)
        elif men.hurt + 1 == men.wounds:
            men = men._replace(size=men.size - 1, hurt=0)
        else:
            men = men._replace(hurt=men.hurt + 1)
    return men


def dealt(squad: Squad, wounds: int) -> list[int]:
    """How many wounds each group takes: model after model as listed, round after round."""
    order = [at for at, men in enumerate(squad) for _ in range(men.size)]
    return [sum(order[n % len(order)] == at for n in range(wounds)) for at in range(len(squad))]


def wounded(squad: Squad, wounds: Chances, weapon: Gun | None) -> Chances:
    """Squads by chance after a number of wounds by chance."""
    found: list[tuple[Squad, Fraction]] = []
    for count, chance in wounds.items():
        each = [
            gathered(
                (left_of(men, n, weapon is not None and slain(men, weapon.strength)), p)
                for n, p in binomial(share, unsaved(men, weapon)).items()
            )
            for men, share in zip(squad, dealt(squad, count), strict=True)
        ]
        for combination in product(*(part.items() for part in each)):
            weight = chance
            for _, p in combination:
                weight *= p
            found.append((tuple(men for men, _ in combination), weight))
    return gathered(found)


def hits(squad: Squad, weapon: Gun, suppressors: int, dice: int | None = None) -> Chances:
    """Squads by chance after braving the fire."""
    needed = 4 + majority(squad) - weapon.strength
    wounding = None if needed >= 8 else min(6, max(2, needed))
    chance = at_least(max(2, 7 - suppressors)) * at_least(wounding)
    count = sum(men.size for men in squad)
    return wounded(squad, binomial(count if dice is None else min(dice, count), chance), weapon)


def shrapnel(squad: Squad, weapon: Gun, bursts: int) -> Chances:
    """Squads by chance after so many D3 of wounds, where the gun is strong enough."""
    if not bursts or weapon.strength < 2 * majority(squad):
        return {squad: Fraction(1)}
    return wounded(squad, convolved(*bursts * [{face: Fraction(1, 3) for face in (1, 2, 3)}]), None)


def passing(squad: Squad, suppressors: int, double_one: bool = False) -> Fraction:
    at_most = max(men.leadership for men in standing(squad)) - min(4, suppressors - 1)
    good = [a + b <= at_most or (double_one and a + b == 2) for a, b in product(range(1, 7), repeat=2)]
    return Fraction(sum(good), 36)


def lost_of(before: Squad, chances: Chances) -> Chances:
    count = sum(men.size for men in before)
    return gathered((count - sum(men.size for men in squad), chance) for squad, chance in chances.items())


def battle(squad: Squad, weapon: Gun, suppressors: int, **switches: str) -> Game:
    """Blue's shooting phase: so many units have declared on the squad, which is untested."""
    names = [f"b{n}" for n in range(suppressors)]
    profiles = (blue(name, 1, weapon.profile()) for name in names)
    target = unit("squad", "red", *(men.profile(f"g{at}") for at, men in enumerate(squad)))
    game = Game(*profiles, target, **switches)
    game.to("blue", "shooting")
    game.declare("squad", *names)
    for at, men in enumerate(squad):
        if men.hurt:
            game.give("wounds", unit="squad", group=f"g{at}", wounds=men.hurt)
    return game


SQUADS: dict[str, Squad] = {
    "ten scouts": (Men(10, armour=4),),
    "thirty guards": (Men(30, 3, armour=5),),
    "one monster": (Men(1, 6, wounds=4, armour=3, invulnerable=5),),
    "two unlike groups": (Men(4, armour=4, pain=5), Men(3, 5, wounds=2, armour=3)),
    "three unlike groups": (Men(2, 3, armour=5), Men(2, wounds=3, invulnerable=4), Men(1, 4, pain=4, leadership=10)),
    "hurt ogryns": (Men(3, 5, wounds=3, armour=5, hurt=2),),
    "eternal warriors": (Men(2, 3, wounds=3, eternal=True, pain=4), Men(5, 3, armour=5)),
    "no saves": (Men(6, 3), Men(2, 4)),
}
GUNS = {"S4 AP5": Gun(), "S8 AP3": Gun(8, 3), "S6 AP-": Gun(6, None), "S3 AP1": Gun(3, 1), "S1": Gun(1, 6)}


@pytest.mark.parametrize("suppressors", [1, 3, 6])
@pytest.mark.parametrize("weapon", GUNS)
@pytest.mark.parametrize("squad", SQUADS)
def test_braving_the_fire(squad: str, weapon: str, suppressors: int) -> None:
    """SF-21 to SF-28: casualties and the end of the unit, with unlike groups, several wounds and feel no pain."""
    men, arms = SQUADS[squad], GUNS[weapon]
    game = battle(men, arms, suppressors, shrapnel="off")
    game.test("squad", PASS)
    game.to("red")
    lost = lost_of(men, hits(men, arms, suppressors))
    wiped_out = lost.get(sum(group.size for group in men), Fraction(0))
    assert_agree(game.odds("act", unit="squad", action="move"), {"casualties": lost, "wiped_out": wiped_out})


@pytest.mark.parametrize(("switch", "bursts"), [("any_gun", 1), ("majority_gun", 1), ("per_unit", 3), ("off", 0)])
@pytest.mark.parametrize("weapon", ["S8 AP3", "S6 AP-"])
@pytest.mark.parametrize("squad", SQUADS)
def test_the_test_with_its_shrapnel(squad: str, weapon: str, switch: str, bursts: int) -> None:
    """SF-15, SF-29 to SF-31: casualties, and the leadership of the survivors; 0 and 0 where nobody is left."""
    men, arms = SQUADS[squad], GUNS[weapon]
    after = shrapnel(men, arms, bursts)
    passed = sum((chance * passing(left, 3) for left, chance in after.items() if standing(left)), Fraction(0))
    failed = sum((chance for left, chance in after.items() if standing(left)), Fraction(0)) - passed
    expected: Told = {"passed": passed, "failed": failed}
    if bursts and arms.strength >= 2 * majority(men):
        expected["casualties"] = lost_of(men, after)
    assert_agree(battle(men, arms, 3, shrapnel=switch).odds("test", target="squad"), expected)


@pytest.mark.parametrize("double_one", ["no", "yes"])
@pytest.mark.parametrize("suppressors", range(1, 8))
@pytest.mark.parametrize("leadership", range(2, 11))
def test_the_test_alone(leadership: int, suppressors: int, double_one: str) -> None:
    """SF-15: every leadership under every crossfire."""
    men = (Men(3, leadership=leadership),)
    passed = passing(men, suppressors, double_one == "yes")
    game = battle(men, Gun(), suppressors, double_one_passes=double_one)
    assert_agree(game.odds("test", target="squad"), {"passed": passed, "failed": 1 - passed})


@pytest.mark.parametrize(
    ("leadership", "ways"), [(2, 1), (3, 3), (4, 6), (5, 10), (6, 15), (7, 21), (8, 26), (9, 30), (10, 33)]
)
def test_pass_chances_of_the_rulebook(leadership: int, ways: int) -> None:
    """SF-15: of 36."""
    odds = battle((Men(3, leadership=leadership),), Gun(), 1).odds("test", target="squad")
    assert odds["passed"] == pytest.approx(ways / 36, abs=1e-12)


# Passengers


def carried(squad: Squad, weapon: Gun, suppressors: int, open_topped: bool, **switches: str) -> Game:
    """Red's shooting phase: the squad sits in a suppressed transport with two fire points."""
    names = [f"b{n}" for n in range(suppressors)]
    rider = unit("squad", "red", *(men.profile(f"g{at}") for at, men in enumerate(squad)))
    vehicle = carrier("rhino", open_topped=open_topped, capacity=max(10, sum(men.size for men in squad)))
    game = Game(*(blue(name, 1, weapon.profile()) for name in names), vehicle, inside(rider, "rhino"), **switches)
    game.to("blue", "shooting")
    game.declare("rhino", *names)
    game.to("red")
    return game


def passengers_chances(squad: Squad, weapon: Gun, suppressors: int, bursts: int, dice: int | None = None) -> Told:
    """What passengers go through: shrapnel, their test, the hits."""
    lost: list[tuple[int, Fraction]] = []
    stopped = wiped_out = Fraction(0)
    whole = sum(men.size for men in squad)
    for left, chance in shrapnel(squad, weapon, bursts).items():
        fell = whole - sum(men.size for men in left)
        if not standing(left):
            wiped_out += chance
            lost.append((whole, chance))
            continue
        passed = passing(left, suppressors)
        stopped += chance * (1 - passed)
        lost.append((fell, chance * (1 - passed)))
        for more, p in lost_of(left, hits(left, weapon, suppressors, dice)).items():
            lost.append((fell + more, chance * passed * p))
            wiped_out += chance * passed * p if fell + more == whole else 0
    return {"casualties": gathered(lost), "wiped_out": wiped_out, "stopped": stopped}


@pytest.mark.parametrize("bursts", [2, 6])
@pytest.mark.parametrize("squad", ["two unlike groups", "three unlike groups", "eternal warriors", "no saves"])
def test_passengers_under_the_shrapnel_of_each_unit(squad: str, bursts: int) -> None:
    """SF-29 to SF-31, SF-34: per_unit: so many D3 on unlike groups, then their test and the hits on the survivors."""
    men, arms = SQUADS[squad], Gun(8, 5)
    game = carried(men, arms, bursts, True, shrapnel="per_unit")
    expected = passengers_chances(men, arms, bursts, bursts)
    assert_agree(game.odds("act", unit="squad", action="disembark"), expected)


RIDERS = ["one monster", "two unlike groups", "three unlike groups", "hurt ogryns", "no saves"]


@pytest.mark.parametrize("weapon", ["S4 AP5", "S8 AP3"])
@pytest.mark.parametrize("open_topped", [True, False])
@pytest.mark.parametrize("action", ["disembark", "fire_from_vehicle"])
@pytest.mark.parametrize("squad", RIDERS)
def test_passengers(squad: str, action: str, open_topped: bool, weapon: str) -> None:
    """SF-30, SF-34 to SF-36: shrapnel under an open top and at ports, the chance to be stopped, the hits."""
    men, arms = tuple(group._replace(hurt=0) for group in SQUADS[squad]), GUNS[weapon]
    game = carried(men, arms, 2, open_topped)
    if action == "fire_from_vehicle":
        game.to("red", "shooting")
    expected = passengers_chances(men, arms, 2, 1 if open_topped or action == "fire_from_vehicle" else 0)
    assert_agree(game.odds("act", unit="squad", action=action), expected)


@pytest.mark.parametrize("firing", [None, 1])
def test_passengers_at_the_ports(firing: int | None) -> None:
    """SF-36, firing_models: two fire points, or one man firing, whoever takes the wounds."""
    men = SQUADS["two unlike groups"]
    game = carried(men, Gun(), 1, False, port_rolls="firing_models")
    game.to("red", "shooting")
    more = {} if firing is None else {"firing_models": firing}
    expected = passengers_chances(men, Gun(), 1, 0, dice=firing or 2)
    assert_agree(game.odds("act", unit="squad", action="fire_from_vehicle", **more), expected)


def test_those_who_see_them() -> None:
    """SF-34: odds go by the suppressors named."""
    men = SQUADS["no saves"]
    game = carried(men, Gun(), 3, False)
    expected = passengers_chances(men, Gun(), 1, 0)
    assert_agree(game.odds("act", unit="squad", action="disembark", visible_to=["b1"]), expected)


# Every face played


def faces_game(*groups: Told, **switches: str) -> Game:
    """A small squad whose every fate can be played out."""
    strong = gun("cannon", "shell", 36, 8, 4, "heavy", 5)
    game = Game(blue("b1", 1, strong), unit("squad", "red", *groups), **switches)
    game.to("blue", "shooting")
    game.declare("squad", "b1")
    return game


def test_a_test_played_out() -> None:
    """SF-15, SF-29: the boss dies first and his men test at 6."""
    game = faces_game(
        models("boss", 1, toughness=4, leadership=9), models("men", 2, toughness=4, leadership=6, armour=5)
    )
    assert_agree(game.odds("test", target="squad"), by_playing(game, "test", "squad"))


def test_a_test_per_unit_played_out() -> None:
    """SF-29, per_unit, SF-30, by_ap: two D3 on three men whose armour does not hold."""
    strong = gun("cannon", "shell", 36, 8, 4, "heavy", 5)
    target = unit("squad", "red", models("men", 3, toughness=3, armour=4, feel_no_pain=None))
    game = Game(
        blue("b1", 1, strong), blue("b2", 1, strong), target, shrapnel="per_unit", shrapnel_armour="by_ap"
    )  # fmt: skip
    game.to("blue", "shooting")
    game.declare("squad", "b1", "b2")
    assert_agree(game.odds("test", target="squad"), by_playing(game, "test", "squad"))


@pytest.mark.parametrize(
    "groups",
    [
        (models("a", 1, toughness=4, armour=4, feel_no_pain=5), models("b", 1, toughness=5, wounds=2)),
        (models("a", 1, toughness=4, wounds=2, invulnerable=5), models("b", 1, toughness=4, feel_no_pain=3)),
        (models("a", 3, toughness=3, armour=5),),
    ],
    ids=["unlike", "multi-wound", "three men"],
)
@pytest.mark.parametrize("strength", [4, 8])
def test_braving_played_out(groups: tuple[Told, ...], strength: int) -> None:
    """SF-21 to SF-28: every face of every die."""
    weapon = gun("gun", "test", 36, strength, 5, "assault", 5)
    game = Game(blue("b1", 1, weapon), unit("squad", "red", *groups), shrapnel="off")
    game.suppress("squad", "b1")
    assert_agree(game.odds("act", unit="squad", action="move"), by_playing(game, "act", "squad", action="move"))


@pytest.mark.parametrize("open_topped", [True, False])
def test_passengers_played_out(open_topped: bool) -> None:
    """SF-34, SF-35: shrapnel, test and hits on one model of four wounds."""
    strong = gun("cannon", "shell", 36, 8, 4, "heavy", 5)
    crew = inside(unit("squad", "red", models("a", 1, toughness=4, wounds=4, leadership=7)), "rhino")
    game = Game(blue("b1", 1, strong), carrier("rhino", open_topped=open_topped), crew)
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    game.to("red")
    expected = by_playing(game, "act", "squad", "rhino", action="disembark")
    assert_agree(game.odds("act", unit="squad", action="disembark"), expected)


def test_a_mob_of_many_groups() -> None:
    """SF-22 to SF-27: 180 models of one wound in twelve unlike groups, wound by wound as they are listed."""
    squad = tuple(Men(15, 3, armour=2 + at % 5, pain=4 + at % 3) for at in range(12))
    game = battle(squad, Gun(4, 4), 2, shrapnel="off")
    game.test("squad", PASS)
    game.to("red")
    each = [unsaved(men, Gun(4, 4)) for men in squad for _ in range(men.size)]
    came = binomial(len(each), at_least(5) * at_least(3))
    fell: Chances = {0: Fraction(1)}
    lost: Chances = {0: came[0]}
    for number, through in enumerate(each, 1):
        fell = convolved(fell, {0: 1 - through, 1: through})
        lost = gathered([*lost.items(), *((count, came[number] * chance) for count, chance in fell.items())])
    expected = {"casualties": lost, "wiped_out": lost[180]}
    assert_agree(game.odds("act", unit="squad", action="move"), expected)


# The reroll, and tests that are no roll


@pytest.mark.parametrize("first", [PASS, FAIL])
def test_odds_of_a_reroll(first: list[int]) -> None:
    """SF-16: those of the second roll alone."""
    men = SQUADS["two unlike groups"]
    game = battle(men, Gun(), 2)
    game.test("squad", first)
    passed = passing(men, 2)
    assert_agree(
        game.odds("reroll_test", target="squad", reason="a banner"), {"passed": passed, "failed": 1 - passed}
    )  # fmt: skip


def test_odds_of_a_passengers_reroll() -> None:
    """SF-16, SF-34: of their own test, not of the vehicle's, and by those who saw them."""
    men = SQUADS["two unlike groups"]
    game = carried(men, Gun(), 3, False)
    game.act("squad", "disembark", FAIL, visible_to=["b0", "b2"])
    passed = passing(men, 2)
    odds = game.odds("reroll_test", target="squad", reason="a banner")
    assert_agree(odds, {"passed": passed, "failed": 1 - passed})


def test_odds_of_a_test_that_is_not_needed() -> None:
    """SF-17, SF-33: counted as passed."""
    game = Game(blue("b1"), blue("b2"), carrier("rhino"), {**red("zealots"), "fearless": True})
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    game.declare("zealots", "b2")
    for target in ("rhino", "zealots"):
        assert game.odds("test", target=target) == {"passed": 1, "failed": 0}


def test_odds_of_a_free_action() -> None:
    """SF-21: nobody can fall."""
    game = Game(red("scouts"))
    game.to("red")
    odds = game.odds("act", unit="scouts", action="move")
    assert odds == {"casualties": {"mean": 0, "distribution": {"0": 1}}, "wiped_out": 0, "models": 10}


# Declarations


def test_odds_of_a_declaration() -> None:
    """SF-3, SF-15, SF-21: what would come of it: the test, and the casualties of a target that then braves the fire."""
    men, arms = SQUADS["two unlike groups"], GUNS["S8 AP3"]
    target = unit("squad", "red", *(group.profile(f"g{at}") for at, group in enumerate(men)))
    game = Game(blue("b0", 1, arms.profile()), blue("b1", 1, arms.profile()), target)
    game.to("blue", "shooting")
    odds = game.odds("declare", target="squad", by=[{"unit": name, "range": 12} for name in ("b0", "b1")])
    assert_agree(odds, declared_chances(men, arms, 2, 1))


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (1, 4)])
def test_odds_of_two_lines_with_random_shots(one: int, other: int) -> None:
    """SF-3, SF-9: two groups with D3 guns, a die each: only where five shots come together is there a test on 8."""
    mortar = gun("mortar", "shell", 36, 6, 2, "heavy", "d3")
    game = Game(unit("squad", "blue", models("a", one, mortar), models("b", other, mortar)), red("scouts", 5))
    game.to("blue", "shooting")
    told = game.odds("declare", target="scouts", by=[{"unit": "squad", "range": 12}])
    shots = [one * first + other * second for first in (1, 2, 3) for second in (1, 2, 3)]
    enough = sum(count >= 5 for count in shots)
    assert told["failed"] == pytest.approx(enough / 9 * 10 / 36)
    assert told["passed"] == pytest.approx(1 - enough / 9 * 10 / 36)
    assert told["shots"]["distribution"] == pytest.approx({str(n): shots.count(n) / 9 for n in sorted(set(shots))})


def declared_chances(squad: Squad, weapon: Gun, suppressors: int, bursts: int) -> Told:
    """What so many suppressors would lead to: the test after the shrapnel, then the fire on those who passed."""
    passed = failed = Fraction(0)
    braving: list[tuple[int, Fraction]] = []
    whole = sum(men.size for men in squad)
    for left, chance in shrapnel(squad, weapon, bursts).items():
        if not standing(left):
            continue
        holds = passing(left, suppressors)
        passed, failed = passed + chance * holds, failed + chance * (1 - holds)
        fell = whole - sum(men.size for men in left)
        for more, p in lost_of(left, hits(left, weapon, suppressors)).items():
            braving.append((fell + more, chance * holds * p))
    if not passed:
        return {"passed": passed, "failed": failed}
    given_passed = {count: chance / passed for count, chance in gathered(braving).items()}
    return {"passed": passed, "failed": failed, "braving": given_passed}


def test_odds_of_random_shots() -> None:
    """SF-9: two lines of D3 and one of one shot: how many there will be, and what follows if they suffice."""
    die, single = gun("scatter gun", "shot", 24, 4, 5, "assault", "d3"), gun("carbine", "las", 24, 4, 5, "assault", 1)
    squad = unit("b1", "blue", models("a", 2, die), models("b", 1, die), models("c", 1, single))
    game = Game(squad, red("scouts", 3))
    game.to("blue", "shooting")
    shots = gathered((2 * a + b + 1, Fraction(1, 9)) for a, b in product(range(1, 4), repeat=2))
    enough = sum(chance for count, chance in shots.items() if count >= 5)
    men = (Men(3, armour=4),)
    holds = passing(men, 1)
    passed = 1 - enough + enough * holds
    braving = {count: enough * holds * p / passed for count, p in lost_of(men, hits(men, Gun(), 1)).items()}
    braving[0] += (1 - enough) / passed
    expected = {"passed": passed, "failed": enough * (1 - holds), "shots": shots, "braving": braving}
    assert_agree(game.odds("declare", target="scouts", by=[{"unit": "b1", "range": 12}]), expected)


# Refused


def test_odds_are_refused_as_the_order_is() -> None:
    """With the same clause; an order that never rolls has none."""
    game = Game(blue("b1", 6), blue("b2", 6, LASGUN), blue("b3"), red("scouts"))
    asked: list[tuple[str, Told, str]] = [
        ("test", {"target": "scouts"}, "SF-14"),
        ("act", {"unit": "scouts", "action": "move"}, "SF-1"),
        ("declare", {"target": "scouts", "by": [{"unit": "b3", "range": 12}]}, "SF-4"),
        ("note", {"text": "hm"}, "order"),
        ("begin_turn", {"side": "red"}, "order"),
        ("status", {"unit": "scouts", "status": "pinned", "on": True}, "order"),
        ("nonsense", {}, "order"),
    ]
    for kind, fields, clause in asked:
        with pytest.raises(Exception, match=rf"\({clause}\)$"):
            game.odds(kind, **fields)
    game.suppress("scouts", "b1", "b2")
    with pytest.raises(Exception, match=r"\(SF-23\)$"):
        game.odds("act", unit="scouts", action="move")
    assert "casualties" in game.odds("act", unit="scouts", action="move", gun_type="las")
