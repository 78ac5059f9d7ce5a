"""Suppressed transports: what meets their passengers when they get out or fire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sf_battles import (
    CATAPULT,
    FAIL,
    PASS,
    PULSE_CANNON,
    Game,
    Told,
    blue,
    carrier,
    dice_for,
    events,
    inside,
    red,
    rolled,
)


def suppressed(
    *riders: Told, by: int = 1, phase: str = "movement", switches: dict[str, str] | None = None, **transport: Any
) -> Game:
    """Red's turn: so many blue units, b1 and on, suppress a rhino with these riders, by default `crew`, five men."""
    names = [f"b{n}" for n in range(1, by + 1)]
    riders = riders or (red("crew", 5),)
    vehicle = carrier("rhino", **{"capacity": 20, **transport})
    game = Game(*map(blue, names), vehicle, *(inside(told, "rhino") for told in riders), **(switches or {}))
    game.to("blue", "shooting")
    game.declare("rhino", *names)
    game.to("red", phase)
    return game


# The vehicle


@pytest.mark.parametrize("tested", [False, True])
def test_nothing_happens_to_the_vehicle(tested: bool) -> None:
    """SF-33: it moves, is not hit, not pinned, and its test is not needed, whether it is asked for or not."""
    game = Game(blue("b1", 1, PULSE_CANNON), carrier("rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    if tested:
        assert game.give("test", target="rhino").rolls == ()
    game.to("red")
    assert game.act("rhino", "move").rolls == ()
    told = game.suppression("rhino")
    assert (told["test"], told["spent"]) == ("not_needed" if tested else None, False)
    assert (game.unit("rhino")["moved"], game.unit("rhino")["pinned"]) == (True, False)


def test_passengers_who_stay_inside() -> None:
    """SF-33: who neither gets out nor fires is neither tested nor hit."""
    game = suppressed()
    assert game.act("crew", "other").rolls == ()
    game.to("red", "assault")
    game.give("end_turn")
    assert game.unit("crew")["models"] == 5


# Getting out


def test_passed_hit_and_out() -> None:
    """SF-33, SF-34: the test, then the hits of SF-21, then they stand outside, having moved."""
    game = suppressed()
    entry = game.act("crew", "disembark", [4, 4, 6, 1, 1, 1, 1, 4, 3])
    assert rolled(entry) == [("leadership", 2, 8), ("hit", 5, 6), ("wound", 1, 4), ("save", 1, 4)]
    told = game.unit("crew")
    assert (told["embarked_in"], told["models"], told["moved"], told["pinned"]) == (None, 4, True, False)
    assert game.suppression("rhino")["spent"]


def test_failed_and_inside() -> None:
    """SF-34: they stay, are not hit, not shown as pinned, and have not moved; nothing is spent."""
    game = suppressed()
    entry = game.act("crew", "disembark", [5, 4])
    assert rolled(entry) == [("leadership", 2, 8)]
    told = game.unit("crew")
    assert (told["embarked_in"], told["models"], told["moved"], told["pinned"]) == ("rhino", 5, False, False)
    assert not game.suppression("rhino")["spent"]
    assert events(entry, "acted") == []


def test_who_failed_does_nothing_more_this_turn() -> None:
    """SF-34: refused with this clause: getting out, firing, suppressing, anything; next turn they are free."""
    game = suppressed(open_topped=True)
    game.act("crew", "disembark", FAIL)
    assert game.clause("act", unit="crew", action="disembark") == "SF-34"
    assert game.clause("act", unit="crew", action="other") == "SF-34"
    game.to("red", "shooting")
    assert game.clause("act", unit="crew", action="fire_from_vehicle") == "SF-34"
    game.give("line_of_sight", suppressor="b1", target="rhino", clear=False)
    assert game.no_declare("b1", "crew").clause == "SF-34"
    game.to("blue")
    game.to("red")
    assert game.act("crew", "disembark").rolls == ()


def test_what_failed_binds_to_the_end_of_the_own_turn() -> None:
    """SF-34: in the enemy's turn only the turn stands in the way, no test that was failed."""
    game = suppressed()
    game.act("crew", "disembark", FAIL)
    bound = game.refused("act", unit="crew", action="disembark")
    assert [reason.clause for reason in bound.reasons] == ["SF-34"]
    game.to("blue")
    free = game.refused("act", unit="crew", action="disembark")
    assert [reason.clause for reason in free.reasons] == ["SF-1"]


def test_who_failed_does_nothing_on_foot_either() -> None:
    """SF-34, SF-28: the wreck throws them out, but this turn they do nothing more."""
    game = suppressed()
    game.act("crew", "disembark", FAIL)
    game.give("status", unit="rhino", status="destroyed", on=True)
    assert game.unit("crew")["embarked_in"] is None
    assert game.clause("act", unit="crew", action="move") == "SF-34"


@pytest.mark.parametrize(
    ("seen_by", "needed", "hit_on"),
    [(None, 6, 4), (["b1", "b2", "b3"], 6, 4), (["b1", "b3"], 7, 5), (["b2"], 8, 6), ([], None, None)],
)
def test_those_who_cannot_see_them_do_not_count(
    seen_by: list[str] | None, needed: int | None, hit_on: int | None
) -> None:
    """SF-34: neither for the modifier nor for the hits; unseen by all of them they get out freely."""
    game = suppressed(by=3)
    dice = None if needed is None else [*PASS, 1, 1, 1, 1, 1]
    entry = game.act("crew", "disembark", dice, visible_to=seen_by)
    assert rolled(entry) == ([] if needed is None else [("leadership", 2, needed), ("hit", 5, hit_on)])
    assert game.suppression("rhino")["spent"] == (needed is not None)


def test_by_default_the_flags_tell() -> None:
    """SF-34, SF-32: a suppressor that lost sight of the vehicle does not count, unless it sees who gets out."""
    game = suppressed(by=2)
    game.give("line_of_sight", suppressor="b2", target="rhino", clear=False)
    assert rolled(game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])) == [("leadership", 2, 8), ("hit", 5, 6)]
    game = suppressed(by=2)
    game.give("line_of_sight", suppressor="b2", target="rhino", clear=False)
    entry = game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1], visible_to=["b1", "b2"])
    assert rolled(entry) == [("leadership", 2, 7), ("hit", 5, 5)]


def test_no_test_where_nobody_is_effective() -> None:
    """SF-34, SF-21: they get out freely, and nothing is spent."""
    game = suppressed()
    game.give("casualties", unit="b1", group="men", models=3)
    assert game.act("crew", "disembark").rolls == ()
    assert not game.suppression("rhino")["spent"]


def test_fearless_passengers() -> None:
    """SF-34, SF-17: they need no test, and are hit."""
    game = suppressed({**red("crew", 5), "fearless": True})
    assert rolled(game.act("crew", "disembark", 5 * [1])) == [("hit", 5, 6)]


def test_each_passenger_unit_by_itself() -> None:
    """SF-34: two units inside: each is tested and hit once; spent is shown once one was hit."""
    game = suppressed(red("one", 2), red("two", 3))
    game.act("one", "disembark", FAIL)
    assert not game.suppression("rhino")["spent"]
    game.act("two", "disembark", [*PASS, 1, 1, 1])
    assert game.suppression("rhino")["spent"]
    game = suppressed(red("one", 2), red("two", 3))
    game.act("one", "disembark", [*PASS, 1, 1])
    assert rolled(game.act("two", "disembark", [*PASS, 1, 1, 1])) == [("leadership", 2, 8), ("hit", 3, 6)]


def test_passengers_are_hit_once() -> None:
    """SF-34: once out they act freely, and getting in again and firing meets neither test nor fire."""
    game = suppressed()
    game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])
    assert game.act("crew", "move").rolls == ()
    assert game.act("crew", "embark", into="rhino").rolls == ()
    game.to("red", "shooting")
    assert game.act("crew", "fire_from_vehicle").rolls == ()


def test_who_gets_in_under_fire_is_tested_too() -> None:
    """SF-34, SF-35: a unit that boards the suppressed vehicle is a passenger like the others."""
    game = Game(blue("b1"), carrier("rhino"), red("crew", 5))
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    game.to("red")
    game.act("crew", "embark", into="rhino")
    game.to("red", "shooting")
    entry = game.act("crew", "fire_from_vehicle", [*PASS, 1, 1, 1, 1, 1])
    assert rolled(entry) == [("leadership", 2, 8), ("hit", 5, 6)]


def test_every_suppressor_declared_before_it_counts() -> None:
    """SF-16, SF-34: passengers have a test of their own, for which the vehicle's test closes nothing."""
    game = Game(blue("b1"), blue("b2"), carrier("rhino"), inside(red("crew", 5), "rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    game.test("rhino")
    game.declare("rhino", "b2")
    game.to("red")
    entry = game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])
    assert rolled(entry) == [("leadership", 2, 7), ("hit", 5, 5)]


def test_wiped_out_as_they_get_out() -> None:
    """SF-34, SF-28: all are hit outside and fall: the unit is out of play, and the vehicle stays suppressed."""
    game = suppressed(red("crew", 1, armour=None))
    entry = game.act("crew", "disembark", [*PASS, 6, 6])
    assert events(entry, "acted") == []
    assert (game.unit("crew")["out"], game.unit("crew")["embarked_in"], game.unit("crew")["moved"]) == (
        True,
        None,
        False,
    )
    assert game.suppression("rhino")["spent"]


def test_a_tie_is_settled_before_the_passengers_test() -> None:
    """SF-34, SF-23: the owner picks before any die is rolled."""
    strong = {**CATAPULT, "name": "cannon", "gun_type": "shell", "strength": 6}
    game = Game(blue("b1"), blue("b2", 5, strong), carrier("rhino"), inside(red("crew", 5), "rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "b1", "b2")
    game.to("red")
    assert game.clause("act", unit="crew", action="disembark") == "SF-23"
    entry = game.act("crew", "disembark", [*PASS, 5, 1, 1, 1, 1, 2, 4], gun_type="shell")
    assert rolled(entry)[2:] == [("wound", 1, 2), ("save", 1, 4)]


# The passengers' reroll


@pytest.mark.parametrize("second", [PASS, FAIL])
def test_a_passengers_test_may_be_rerolled(second: list[int]) -> None:
    """SF-16, SF-34: passed on the second roll they may get out after all, without another test, and are hit then."""
    game = suppressed()
    game.act("crew", "disembark", FAIL)
    entry = game.give("reroll_test", target="crew", reason="a banner", dice=second)
    assert rolled(entry) == [("leadership", 2, 8)]
    assert game.unit("crew")["embarked_in"] == "rhino"
    if second == FAIL:
        assert game.clause("act", unit="crew", action="disembark") == "SF-34"
    else:
        assert rolled(game.act("crew", "disembark", 5 * [1])) == [("hit", 5, 6)]


def test_the_reroll_is_of_the_same_test() -> None:
    """SF-16, SF-34: who could not see them get out does not count for the second roll either."""
    game = suppressed(by=3)
    game.act("crew", "disembark", FAIL, visible_to=["b2"])
    assert rolled(game.give("reroll_test", target="crew", reason="a banner", dice=PASS)) == [("leadership", 2, 8)]


# Firing from an open top


def test_firing_from_an_open_top() -> None:
    """SF-35: the test, then hits on all of them, as if they stood outside; then they fire."""
    game = suppressed(phase="shooting", open_topped=True)
    entry = game.act("crew", "fire_from_vehicle", [4, 4, 6, 1, 1, 1, 1, 4, 3])
    assert rolled(entry) == [("leadership", 2, 8), ("hit", 5, 6), ("wound", 1, 4), ("save", 1, 4)]
    told = game.unit("crew")
    assert (told["embarked_in"], told["models"], told["shot"]) == ("rhino", 4, True)


def test_failing_to_fire_from_an_open_top() -> None:
    """SF-35: as in SF-34: they do not fire, and nothing else this turn."""
    game = suppressed(phase="shooting", open_topped=True)
    game.act("crew", "fire_from_vehicle", FAIL)
    assert (game.unit("crew")["shot"], game.unit("crew")["models"]) == (False, 5)
    assert game.clause("act", unit="crew", action="fire_from_vehicle") == "SF-34"


def test_few_who_fire_from_an_open_top() -> None:
    """SF-35: all are rolled for, whoever fires, under either switch of SF-36."""
    for switch in ("whole_unit", "firing_models"):
        game = suppressed(phase="shooting", open_topped=True, switches={"port_rolls": switch})
        entry = game.act("crew", "fire_from_vehicle", [*PASS, 1, 1, 1, 1, 1], firing_models=2)
        assert dice_for(entry, "hit") == [5]


# Firing through ports


def test_firing_through_ports() -> None:
    """SF-36: the same as from an open top."""
    game = suppressed(phase="shooting", fire_points=2)
    entry = game.act("crew", "fire_from_vehicle", [4, 4, 6, 1, 1, 1, 1, 4, 3])
    assert rolled(entry) == [("leadership", 2, 8), ("hit", 5, 6), ("wound", 1, 4), ("save", 1, 4)]
    assert (game.unit("crew")["models"], game.unit("crew")["shot"]) == (4, True)
    game = suppressed(phase="shooting", fire_points=2)
    game.act("crew", "fire_from_vehicle", FAIL)
    assert game.clause("act", unit="crew", action="other") == "SF-34"


@pytest.mark.parametrize(
    ("seen_by", "needed", "hit_on"), [(["b1", "b2"], 7, 5), (["b1"], 8, 6), ([], None, None), (None, 7, 5)]
)
def test_only_those_who_see_the_port(seen_by: list[str] | None, needed: int | None, hit_on: int | None) -> None:
    """SF-36: the vehicle may block its own ports; seen by nobody they fire freely."""
    game = suppressed(phase="shooting", by=2)
    dice = None if needed is None else [*PASS, 1, 1, 1, 1, 1]
    entry = game.act("crew", "fire_from_vehicle", dice, visible_to=seen_by)
    assert rolled(entry) == ([] if needed is None else [("leadership", 2, needed), ("hit", 5, hit_on)])
    assert game.unit("crew")["shot"]


@pytest.mark.parametrize(
    ("switch", "firing", "dice"),
    [
        ("whole_unit", None, 5),
        ("whole_unit", 1, 5),
        ("firing_models", None, 3),
        ("firing_models", 1, 1),
        ("firing_models", 3, 3),
    ],
)
def test_port_rolls(switch: str, firing: int | None, dice: int) -> None:
    """SF-36, switch port_rolls: a die for every model, or one for each that fires: as many as may, or as ordered."""
    game = suppressed(phase="shooting", fire_points=3, switches={"port_rolls": switch})
    more = {} if firing is None else {"firing_models": firing}
    entry = game.act("crew", "fire_from_vehicle", [*PASS, *dice * [1]], **more)
    assert dice_for(entry, "hit") == [dice]


def test_port_rolls_of_fewer_men_than_ports() -> None:
    """SF-36: two men at five ports are two dice."""
    game = suppressed(red("crew", 2), phase="shooting", fire_points=5, switches={"port_rolls": "firing_models"})
    assert dice_for(game.act("crew", "fire_from_vehicle", [*PASS, 1, 1]), "hit") == [2]


def test_wounds_at_the_ports_are_allocated_in_the_whole_unit() -> None:
    """SF-36, SF-27: one man fires and is hit, the owner lets another group take the wound."""
    crew = red("crew", 3)
    crew["groups"].append({**crew["groups"][0], "name": "others"})
    game = suppressed(crew, phase="shooting", fire_points=1, switches={"port_rolls": "firing_models"})
    game.act("crew", "fire_from_vehicle", [*PASS, 6, 6, 1], allocation=["others", "men"])
    assert {name: group["models"] for name, group in game.unit("crew")["groups"].items()} == {"men": 3, "others": 2}


def test_port_rolls_are_about_firing() -> None:
    """SF-36: getting out exposes everybody under either switch."""
    game = suppressed(fire_points=1, switches={"port_rolls": "firing_models"})
    assert dice_for(game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1]), "hit") == [5]


def test_a_shaken_vehicle_with_passengers_who_suppress() -> None:
    """SF-12, SF-32: they cannot from now on, and can again when the mark is off."""
    game = Game(carrier("trukk", "blue", open_topped=True), inside(blue("crew"), "trukk"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "crew")
    game.give("status", unit="trukk", status="shaken", on=True)
    assert game.fire("scouts", "crew")["why_not"] == "in a vehicle that is shaken (SF-32)"
    assert game.test("scouts") == "not_needed"
    game.give("status", unit="trukk", status="shaken", on=False)
    assert game.effective("scouts") == {"crew"}
