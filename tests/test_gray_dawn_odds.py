"""The odds of Gray Dawn: exact, each combatant by itself, and quick however many are under fire."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from engine.gray_dawn.odds import added_up
from engine.orders import odds_of, read_order
from tests.every_face import plays
from tests.gray_dawn_battles import RIFLE, Game, Told, at, lane_order, person, three, two, weapon


def mean_and_sum(counts: Told) -> tuple[float, float]:
    chances = {int(count): chance for count, chance in counts["distribution"].items()}
    return sum(count * chance for count, chance in chances.items()), sum(chances.values())


def test_single_shots() -> None:
    """GD-15, GD-16: base 10 is hit in 1 of 100, however many actions."""
    told = two().odds("covering_fire", shooter="rook", weapon="pistol", mode="semi", targets=[at("grey", 8)])
    assert told == {"hits": {"grey": {"mean": 0.01, "distribution": {"0": 0.99, "1": 0.01}}}, "points": {"grey": 8}}


def test_bursts_add_up() -> None:
    """GD-17, GD-18: three bursts are three chances; each target by itself, neighbours get points."""
    game = Game(person("rook", "xcom"), person("vex", "xcom"), person("grey", dodge=0), person("drone"))
    order = {"shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": [at("grey", 3), at("drone", 1)]}
    told = game.odds("covering_fire", adjacent=["vex"], **order)
    assert told["points"] == {"grey": 3, "drone": 1, "vex": 3}
    p = 0.05
    expected = [(1 - p) ** 3, 3 * p * (1 - p) ** 2, 3 * p**2 * (1 - p), p**3]
    assert list(told["hits"]["grey"]["distribution"].values()) == pytest.approx(expected, rel=1e-11)
    assert told["hits"]["grey"]["mean"] == pytest.approx(3 * p, rel=1e-11)
    assert told["hits"]["drone"]["distribution"] == {"0": 0.99, "1": 0.01}


def test_a_covering_lane() -> None:
    """GD-23, GD-29: hit in 1 of 100, then the burst table."""
    told = three().odds("lane", **lane_order("covering", "grey", near=["vex"]))
    assert told["points"] == {"grey": 5, "vex": 5}
    assert told["hits"]["grey"]["distribution"] == pytest.approx(
        {"0": 0.99, "1": 0.005, "2": 0.01 / 3, "3": 0.01 / 6}, rel=1e-11
    )


def test_the_burst_table_by_switch() -> None:
    """GD-29, switch lane_hits 1d6."""
    game = Game(person("rook", "xcom"), person("grey"), lane_hits="1d6")
    told = game.odds("lane", **lane_order("covering", "grey"))
    assert told["hits"]["grey"]["distribution"] == pytest.approx({"0": 0.99, **{str(n): 0.01 / 6 for n in range(1, 7)}})


def test_a_saturation_lane_rolls_nothing() -> None:
    """GD-24."""
    assert two().odds("lane", **lane_order("saturation", "grey")) == {"hits": {}, "points": {}}


@pytest.mark.parametrize(("points", "passed"), [(1, 0.4), (3, 0.2), (4, 0.1), (6, 0.09), (15, 0.01)])
def test_a_check(points: int, passed: float) -> None:
    """GD-7: 9 and the die against 15 and the points."""
    game = two()
    game.points("grey", points)
    assert game.odds("check", combatant="grey") == {"passed": passed, "failed": pytest.approx(1 - passed)}


def test_a_check_that_is_not_needed_counts_as_passed() -> None:
    """GD-7."""
    assert two().odds("check", combatant="grey") == {"passed": 1.0, "failed": 0.0}


def test_crossing() -> None:
    """GD-25: overall chances; level 5 against 10 hits in 4 of 100 of those that go; the check needs 11."""
    game = two()
    game.fire_lane()
    told = game.odds("act", combatant="grey", action="cross", lanes=["hall"], avoid="dodge")
    assert told["stopped"] == 0.9
    hit = 0.1 * 0.05
    assert told["hits"]["distribution"] == pytest.approx(
        {"0": 1 - hit, "1": hit / 2, "2": hit / 3, "3": hit / 6}, rel=1e-11
    )
    assert mean_and_sum(told["hits"]) == pytest.approx((told["hits"]["mean"], 1))


def test_an_action_that_crosses_nothing() -> None:
    """GD-25: nothing stops it, nothing hits it."""
    told = two().odds("act", combatant="grey", action="move")
    assert told == {"stopped": 0.0, "hits": {"mean": 0.0, "distribution": {"0": 1.0}}}


def test_spotting() -> None:
    """GD-10: even stats: a tie notices."""
    told = two().odds("spot", observer="rook", flanker="grey")
    assert told["noticed"] > 0.5
    assert told["noticed"] + told["unnoticed"] == pytest.approx(1)


def test_initiative() -> None:
    """GD-4: REF 7 and a d10, 3 more for lightning."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    told = game.odds("begin_round", lightning=["grey"])["initiative"]
    assert told["rook"]["mean"] == 12.5
    assert told["grey"]["mean"] == 15.5
    assert set(told["rook"]["distribution"].values()) == {0.1}


def test_initiative_played_out() -> None:
    """GD-4: as often as the plays of every pair of faces say."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    order = {"type": "begin_round", "lightning": ["grey"]}
    told = game.odds("begin_round", lightning=["grey"])["initiative"]
    for name in ("rook", "grey"):
        played: dict[str, float] = {}
        for resolution, chance in plays(game.history, order):
            came = str(resolution.state.combatants[name].initiative)
            played[came] = played.get(came, 0) + float(chance)
        assert told[name]["distribution"] == pytest.approx(played, abs=1e-12)


def test_what_never_rolls_has_no_odds() -> None:
    game = two()
    for kind, fields in (
        ("end_round", {}), ("points", {"combatant": "grey", "points": 1, "reason": "so"}), ("note", {"text": "hm"}),
    ):  # fmt: skip
        with pytest.raises(Exception, match="rolls no dice"):
            game.odds(kind, **fields)


def test_what_is_refused_has_no_odds() -> None:
    """GD-13: with the clause of the refusal."""
    with pytest.raises(Exception, match="GD-13"):
        two().odds("covering_fire", shooter="rook", weapon="pistol", mode="semi", targets=[at("grey", 1, 99)])


def test_damage_does_not_change_the_odds() -> None:
    """GD-30: where rounds hit and what they do is another matter, and takes no time."""
    rifle = weapon("rifle", "semi", "burst", "auto", damage="6d6+2")
    plain, hurting = (
        Game(person("rook", "xcom", gun), person("grey")).odds("lane", **lane_order("covering", "grey"))
        for gun in (RIFLE, rifle)
    )
    assert plain == hurting


def under_fire(count: int) -> tuple[Game, list[str]]:
    gun = weapon("rifle", "semi", "burst", "auto", magazine=300, damage="6d6+2")
    names = [f"grey-{number}" for number in range(count)]
    return Game(person("rook", "xcom", gun), *(person(name, dodge=at) for at, name in enumerate(names))), names


def paths(game: Game, order: Told) -> int:
    """How many paths of outcomes are followed for the odds of an order: what they cost, whatever the machine."""
    followed = 0

    def count() -> bool:
        nonlocal followed
        followed += 1
        return True

    odds_of(game.history, read_order(game.history.rules, json.dumps(order)), count)
    return followed


def test_eight_in_a_lane_are_exact_and_quick() -> None:
    """GD-23: each by its own base, and no more paths than four for each: clear, or one to three hits."""
    game, names = under_fire(8)
    order = lane_order("covering", *names)
    told = game.odds("lane", **order)
    for dodge, name in enumerate(names):
        base = 6 + dodge
        clear = 1 - Fraction(11 - base, 100) if base <= 10 else 1 - Fraction(1, 100) * Fraction(21 - base, 10)
        assert told["hits"][name]["distribution"]["0"] == pytest.approx(float(clear), rel=1e-11)
    assert paths(game, {"type": "lane", **order}) == 8 * 4


def test_a_hundred_bursts_are_quick() -> None:
    """GD-17: as many as a belt of 300 rounds holds; each target is looked at once, clear or hit."""
    game, names = under_fire(4)
    aims = [at(name, 25) for name in names]
    order = {"shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": aims}
    told = game.odds("covering_fire", **order)
    for name in names:
        assert mean_and_sum(told["hits"][name]) == pytest.approx((told["hits"][name]["mean"], 1))
    assert paths(game, {"type": "covering_fire", **order}) == 4 * 2


def test_sums_are_those_of_all_combinations() -> None:
    """Every way two and three equal rolls can come out, by hand."""
    chances = {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}
    by_hand: dict[int, Fraction] = {}
    for one, p in chances.items():
        for other, q in chances.items():
            for third, r in chances.items():
                total = one + other + third
                by_hand[total] = by_hand.get(total, Fraction(0)) + p * q * r
    assert added_up(chances, 3) == by_hand
    assert added_up(chances, 0) == {0: 1}


def test_odds_and_play_agree() -> None:
    """GD-15: of 300 bursts about as many hit as the odds say; base 3 is hit in 8 of 100."""
    game = Game(person("rook", "xcom", weapon("rifle", "burst", magazine=1000)), person("grey", cl=2, ma=2, dodge=1))
    order: Told = {"shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": [at("grey", 300)]}
    mean = game.odds("covering_fire", **order)["hits"]["grey"]["mean"]
    assert mean == pytest.approx(300 * 0.08)
    game.give("covering_fire", **order)
    assert 8 < game.of("grey", "hits") < 45
