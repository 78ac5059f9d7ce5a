"""Shrapnel: when it falls, on whom, and what saves hold against it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusals import Undecided
from tests.engine_battle import give
from tests.sf_battles import (
    LASGUN,
    PASS,
    Game,
    Told,
    blue,
    by,
    carrier,
    dice_for,
    fires,
    gun,
    inside,
    models,
    red,
    rolled,
    unit,
)


def strong(strength: int, ap: int | None = 4, shots: int = 5, gun_type: str = "shell") -> Told:
    return gun(f"cannon {strength} {ap}", gun_type, 36, strength, ap, "heavy", shots)


def declared(target: Told, *suppressors: Told, **switches: str) -> Game:
    game = Game(*suppressors, target, **switches)
    game.to("blue", "shooting")
    game.declare(target["id"], *(told["id"] for told in suppressors))
    return game


def bursts(game: Game, target: str = "scouts") -> int:
    """How many D3 fall before the test; the faces are the app's."""
    return sum(dice_for(game.give("test", target=target), "shrapnel"))


# When


@pytest.mark.parametrize(
    ("strength", "toughness", "falls"),
    [(6, 3, 1), (5, 3, 0), (8, 4, 1), (7, 4, 0), (4, 2, 1), (3, 2, 0), (10, 5, 1), (9, 5, 0), (2, 1, 1), (7, 3, 1)]
    + [(10, toughness, 0) for toughness in range(6, 11)],
)
def test_strength_of_twice_the_toughness(strength: int, toughness: int, falls: int) -> None:
    """SF-29: S6 against T3 yes, S5 no, S8 against T4 yes, S4 against T2 yes, T6 and above never."""
    assert bursts(declared(red("scouts", toughness=toughness), blue("b1", 1, strong(strength)))) == falls


@pytest.mark.parametrize("face", [1, 2, 3])
def test_three_faces(face: int) -> None:
    """SF-29: D3 wounds, entered as 1 to 3, and no other face."""
    game = declared(red("scouts", armour=None), blue("b1", 1, strong(8)))
    assert game.clause("test", target="scouts", dice=[4, *PASS]) == "dice"
    game.test("scouts", [face, *PASS])
    assert game.unit("scouts")["models"] == 10 - face


def test_majority_toughness_counts() -> None:
    """SF-29: of the target; the higher in a tie."""
    for soft, hard, falls in ((3, 2, 1), (2, 2, 0), (2, 3, 0)):
        target = unit("scouts", "red", models("a", soft, toughness=3), models("b", hard, toughness=4))
        assert bursts(declared(target, blue("b1", 1, strong(6)))) == falls


def test_any_contributing_gun() -> None:
    """SF-29, any_gun: one is enough, although most shots are weak; once, however many there are."""
    squad = unit("b1", "blue", models("men", 10, LASGUN), models("gunner", 1, strong(8, shots=2)))
    assert bursts(declared(red("scouts"), squad)) == 1
    assert bursts(declared(red("scouts"), squad, blue("b2", 3, strong(8)), blue("b3", 1, strong(9)))) == 1


def test_only_contributing_guns() -> None:
    """SF-29, SF-11: a cannon that was left out of the contribution brings none down."""
    squad = unit("b1", "blue", models("men", 10, LASGUN), models("gunner", 1, strong(8)))
    game = Game(squad, red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", by("b1", 12, fires("men", "lasgun", 10)))
    assert bursts(game) == 0


def test_only_surviving_guns_of_effective_units() -> None:
    """SF-29, SF-15, SF-32: not one whose gunner fell, nor one of a unit that lapsed."""
    squad = unit("b1", "blue", models("men", 10, LASGUN), models("gunner", 1, strong(8)))
    game = declared(red("scouts"), squad)
    game.give("casualties", unit="b1", group="gunner", models=1)
    assert bursts(game) == 0
    game = declared(red("scouts"), blue("b1", 10, LASGUN), blue("b2", 1, strong(8)))
    game.give("line_of_sight", suppressor="b2", target="scouts", clear=False)
    assert bursts(game) == 0


def test_once_a_turn() -> None:
    """SF-29: at the test, and neither for latecomers nor when the target acts."""
    game = Game(blue("b1", 1, strong(8)), blue("late", 1, strong(8)), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    game.test("scouts", [1, 6, *PASS])
    game.declare("scouts", "late")
    game.to("red")
    assert dice_for(game.act("scouts", "move"), "shrapnel") == []
    game.suppress("scouts", "b1", dice=[1, 6, *PASS])


def test_each_target_has_its_own() -> None:
    """SF-29: once per target."""
    game = Game(blue("b1", 1, strong(8)), blue("b2", 1, strong(8)), red("scouts"), red("guard"))
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    game.declare("guard", "b2")
    assert (bursts(game, "scouts"), bursts(game, "guard")) == (1, 1)


# Switch shrapnel


@pytest.mark.parametrize(("switch", "falls"), [("any_gun", 1), ("majority_gun", 1), ("per_unit", 3), ("off", 0)])
def test_switch_shrapnel(switch: str, falls: int) -> None:
    """SF-29: of four suppressors three have a gun strong enough, and most shots are theirs."""
    suppressors = (blue("b1", 5, LASGUN), *(blue(f"c{n}", 2, strong(8)) for n in range(3)))
    assert bursts(declared(red("scouts"), *suppressors, shrapnel=switch)) == falls


@pytest.mark.parametrize(
    ("weak", "falls"),
    [
        ([strong(3, gun_type="las", shots=4)], 1),
        ([strong(3, gun_type="las", shots=5)], 0),
        ([strong(3, gun_type="las", shots=6)], 0),
        ([strong(3, shots=5)], 0),
        ([strong(9, gun_type="las", shots=5)], 1),
        ([strong(3, gun_type="las", shots=3), strong(2, gun_type="las", shots=3)], 0),
    ],
    ids=["fewer", "as many", "more", "same type, as many", "strong too", "fewer each, more together"],
)
def test_the_majority_gun(weak: list[Told], falls: int) -> None:
    """SF-29, majority_gun: the profile of SF-23, and in a tie only if every tied one is strong enough."""
    others = (models(f"g{n}", 1, weapon) for n, weapon in enumerate(weak))
    squad = unit("b1", "blue", models("gunner", 1, strong(8)), *others)
    assert bursts(declared(red("scouts"), squad, shrapnel="majority_gun")) == falls


def test_per_unit_whatever_the_majority() -> None:
    """SF-29, per_unit: two units have one strong gun each; most shots are weak, which is of no account."""
    squads = [
        unit(name, "blue", models("men", 9, LASGUN), models("gunner", 1, strong(8, shots=2))) for name in ("b1", "b2")
    ]
    assert bursts(declared(red("scouts"), *squads, shrapnel="per_unit")) == 2
    assert bursts(declared(red("scouts"), *squads, shrapnel="any_gun")) == 1
    assert bursts(declared(red("scouts"), *squads, shrapnel="majority_gun")) == 0


def test_per_unit_the_dice_first() -> None:
    """SF-29, per_unit: both D3, then the saves for all wounds together, then the test."""
    game = declared(red("scouts"), blue("b1", 1, strong(8)), blue("b2", 1, strong(8)), shrapnel="per_unit")
    entry = game.give("test", target="scouts", dice=[2, 3, 1, 1, 4, 4, 4, *PASS])
    assert rolled(entry) == [("shrapnel", 2, None), ("save", 5, 4), ("leadership", 2, 7)]
    assert game.unit("scouts")["models"] == 8


# Saves


@pytest.mark.parametrize(
    ("switch", "ap", "armour", "save"),
    [
        ("always", 1, 4, 4),
        ("always", None, 4, 4),
        ("by_ap", None, 4, 4),
        ("by_ap", 5, 4, 4),
        ("by_ap", 4, 4, None),
        ("by_ap", 1, 4, None),
        ("by_ap", 3, 2, 2),
        ("always", 1, None, None),
    ],
)
def test_armour(switch: str, ap: int | None, armour: int | None, save: int | None) -> None:
    """SF-30: armour holds whatever the AP, unless the switch shrapnel_armour says by_ap."""
    game = declared(red("scouts", armour=armour), blue("b1", 1, strong(8, ap)), shrapnel_armour=switch)
    entry = game.give("test", target="scouts", dice=[1, *([] if save is None else [save]), *PASS])
    assert rolled(entry)[1:-1] == ([] if save is None else [("save", 1, save)])


def test_the_best_ap_of_the_guns_strong_enough() -> None:
    """SF-30, by_ap: the AP2 of a gun that is too weak does not count, the better of the two strong ones does."""
    squad = unit(
        "b1", "blue", models("a", 1, strong(8, 5)), models("b", 1, strong(9, 4)), models("c", 1, strong(7, 2))
    )  # fmt: skip
    for armour, save in ((3, 3), (4, None)):
        game = declared(red("scouts", armour=armour), squad, shrapnel_armour="by_ap")
        entry = game.give("test", target="scouts", dice=[1, *([] if save is None else [save]), *PASS])
        assert rolled(entry)[1:-1] == ([] if save is None else [("save", 1, save)])


def test_the_ap_of_a_gun_that_fell_does_not_count() -> None:
    """SF-30, by_ap, SF-32: the gunner with AP2 is down, the one with AP6 is not: armour of 4+ holds."""
    squad = unit("b1", "blue", models("a", 1, strong(8, 2)), models("b", 1, strong(8, 6)))
    game = declared(red("scouts"), squad, shrapnel_armour="by_ap")
    game.give("casualties", unit="b1", group="a", models=1)
    assert rolled(game.give("test", target="scouts", dice=[1, 4, *PASS]))[1] == ("save", 1, 4)


@pytest.mark.parametrize(("armour", "save"), [(4, 4), (None, 5), (6, 5)])
def test_invulnerable_saves(armour: int | None, save: int) -> None:
    """SF-30: allowed, and the better one is rolled."""
    game = declared(red("scouts", armour=armour, invulnerable=5), blue("b1", 1, strong(8, 1)))
    assert rolled(game.give("test", target="scouts", dice=[1, save, *PASS]))[1] == ("save", 1, save)


def test_feel_no_pain_whatever_the_ap() -> None:
    """SF-30: AP1 and twice the toughness do not deny it here."""
    game = declared(red("scouts", feel_no_pain=4), blue("b1", 1, strong(10, 1)), shrapnel_armour="by_ap")
    entry = game.give("test", target="scouts", dice=[2, 4, 3, *PASS])
    assert rolled(entry)[:2] == [("shrapnel", 1, None), ("feel no pain", 2, 4)]
    assert game.unit("scouts")["models"] == 9


def test_no_instant_death() -> None:
    """SF-30: a model of three wounds loses one wound to each."""
    game = declared(unit("ogryns", "red", models("men", 2, toughness=4, wounds=3)), blue("b1", 1, strong(10, 1)))
    game.test("ogryns", [2, *PASS])
    assert game.unit("ogryns")["groups"]["men"] == {"models": 2, "wounds_lost": 2}


def test_no_cover_saves() -> None:
    """SF-30: the unarmoured roll nothing, in whatever cover."""
    game = declared(red("scouts", armour=None), blue("b1", 1, strong(8)))
    assert rolled(game.give("test", target="scouts", dice=[2, *PASS]))[1][0] == "leadership"


# Passengers


def carried(open_topped: bool, **more: Any) -> Game:
    """Red's movement: five men of T3 in a transport that a cannon of S8 suppresses."""
    crew = inside(red("crew", 5, toughness=3, **more), "rhino")
    game = Game(blue("b1", 1, strong(8)), carrier("rhino", open_topped=open_topped), crew)
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    game.test("rhino")
    game.to("red")
    return game


def test_none_for_those_who_get_out_of_a_closed_vehicle() -> None:
    """SF-30: they are tested and hit outside, and it is told that shrapnel falls only if they fire."""
    game = carried(False)
    told = [line.text for line in game.history.rules.why(game.history.state, "crew")]
    assert "Shrapnel first if it fires: 1 x D3 wounds (SF-29, SF-30)" in told
    assert rolled(game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])) == [("leadership", 2, 8), ("hit", 5, 6)]


@pytest.mark.parametrize(
    ("open_topped", "action"), [(True, "disembark"), (True, "fire_from_vehicle"), (False, "fire_from_vehicle")]
)
def test_before_the_passengers_test(open_topped: bool, action: str) -> None:
    """SF-30, SF-34 to SF-36: shrapnel, the test of the survivors, then hits on the survivors; at ports as well."""
    game = carried(open_topped)
    if action == "fire_from_vehicle":
        game.to("red", "shooting")
    entry = game.act("crew", action, [2, 1, 1, *PASS, 1, 1, 1])
    assert rolled(entry) == [("shrapnel", 1, None), ("save", 2, 4), ("leadership", 2, 8), ("hit", 3, 6)]
    assert game.unit("crew")["models"] == 3


def test_shrapnel_may_leave_no_passenger() -> None:
    """SF-30, SF-28: then there is no test, no hit and no action."""
    game = Game(blue("b1", 1, strong(8)), carrier("rhino", open_topped=True), inside(red("crew", 1), "rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    game.to("red")
    entry = game.act("crew", "disembark", [1, 1])
    assert rolled(entry) == [("shrapnel", 1, None), ("save", 1, 4)]
    assert (game.unit("crew")["out"], game.unit("crew")["moved"]) == (True, False)
    assert not game.suppression("rhino")["spent"]


def test_shares_of_shrapnel_and_of_hits_are_two_questions() -> None:
    """SF-27, SF-30: of passengers with unlike groups the owner is asked for each, and each has its own field."""
    crew = inside(unit("crew", "red", *(models(name, 2, toughness=4, armour=4) for name in "ab")), "trukk")
    order: Told = {"type": "act", "unit": "crew", "action": "disembark"}
    order["dice"] = [1, 6, *PASS, 6, 1, 1, 1, 2, 6]

    def asked(**answers: Any) -> Undecided:
        game = Game(blue("b1", 1, strong(8, None)), carrier("trukk", open_topped=True), crew)
        game.to("blue", "shooting")
        game.declare("trukk", "b1")
        game.to("red")
        with pytest.raises(Undecided) as question:
            give(game.history, {**order, **answers}, ask=True)
        return question.value

    assert asked().field == "shrapnel_shares"
    assert asked(shrapnel_shares={"b": 1}).field == "shares"
    game = Game(blue("b1", 1, strong(8, None)), carrier("trukk", open_topped=True), crew)
    game.to("blue", "shooting")
    game.declare("trukk", "b1")
    game.to("red")
    entry = give(game.history, {**order, "shrapnel_shares": {"b": 1}, "shares": {"a": 1}}, ask=True)
    assert [row.group for row in entry.rolls if row.purpose == "save"] == ["b", "a"]


# The survivors' test


def test_the_leadership_of_the_survivors() -> None:
    """SF-31: the boss falls to shrapnel, and his men test at 7."""
    target = unit("scouts", "red", models("boss", 1, leadership=9), models("men", 5, leadership=7))
    game = declared(target, blue("b1", 1, strong(8)))
    entry = game.give("test", target="scouts", dice=[1, 4, 4])
    assert rolled(entry) == [("shrapnel", 1, None), ("leadership", 2, 7)]
    assert game.suppression("scouts")["test"] == "failed"
    game = declared(target, blue("b1", 1, strong(8)))
    entry = game.give("test", target="scouts", dice=[1, 4, 4], allocation=["men", "boss"])
    assert rolled(entry) == [("shrapnel", 1, None), ("leadership", 2, 9)]
    assert game.suppression("scouts")["test"] == "passed"
