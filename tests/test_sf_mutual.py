"""Suppression against suppression."""

from __future__ import annotations

import pytest

from tests.sf_battles import (
    CATAPULT,
    FAIL,
    HEAVY_BOLTER,
    PASS,
    Game,
    blue,
    by,
    carrier,
    fires,
    gun,
    inside,
    models,
    red,
    unit,
)


def duel() -> Game:
    """Red's shooting phase: the scouts, with catapults, have passed their test under the avengers."""
    game = Game(blue("avengers"), blue("others"), red("scouts", 10, CATAPULT), red("guard", 10, CATAPULT))
    game.suppress("scouts", "avengers")
    game.to("red", "shooting")
    return game


def test_suppressing_back() -> None:
    """SF-37: who passed and has taken no action suppresses in its own shooting phase without being exposed."""
    game = duel()
    entry = game.declare("avengers", "scouts")
    assert entry.rolls == ()
    assert not game.suppression("scouts")["spent"]
    assert game.unit("scouts")["suppressing"] == "avengers"


def test_a_mutual_pair() -> None:
    """SF-37: both suppress each other, and both are effective."""
    game = duel()
    game.declare("avengers", "scouts")
    game.test("avengers", PASS)
    assert (game.effective("avengers"), game.effective("scouts")) == ({"scouts"}, {"avengers"})


def test_shrapnel_takes_those_who_fire_and_those_who_do_not() -> None:
    """SF-29, SF-32: one wound to the crew, who do not fire, two to the gunners, who do: one of three is left."""
    cannon = gun("cannon", "shell", 36, 8, 4, "heavy", 5)
    squad = unit("squad", "red", models("crew", 1, toughness=4), models("gunners", 3, HEAVY_BOLTER, toughness=4))
    game = Game(blue("cannons", 1, cannon), squad)
    game.to("red", "shooting")
    game.declare("cannons", by("squad", 12, fires("gunners", "heavy bolter", 3)))
    game.test("cannons", PASS)
    game.to("blue", "shooting")
    game.declare("squad", "cannons")
    game.test("squad", [3, *PASS])
    assert {name: told["models"] for name, told in game.unit("squad")["groups"].items()} == {"crew": 0, "gunners": 1}
    assert game.fire("cannons", "squad")["shots"] == 3


def test_a_chain() -> None:
    """SF-37: the suppressed may suppress a third unit."""
    game = duel()
    game.declare("others", "scouts")
    game.test("others", PASS)
    game.to("blue", "shooting")
    game.declare("guard", "others")
    assert set(game.show["suppressions"]) == {"others", "guard"}


def test_who_suppressed_back_is_hit_when_it_then_acts() -> None:
    """SF-37, SF-21: the assault after it is the first exposing action."""
    game = duel()
    game.declare("avengers", "scouts")
    game.test("avengers", PASS)
    game.to("red", "assault")
    assert len(game.act("scouts", "assault", 10 * [1]).rolls) == 1
    assert game.fire("avengers", "scouts")["why_not"] == "it assaulted (SF-32)"


def test_who_failed_does_not_suppress_back() -> None:
    """SF-37, SF-6: pinned."""
    game = Game(blue("avengers"), red("scouts", 10, CATAPULT))
    game.suppress("scouts", "avengers", dice=FAIL)
    game.to("red", "shooting")
    assert game.no_declare("avengers", "scouts").clause in ("SF-6", "SF-18")


def test_the_fearless_suppress_back() -> None:
    """SF-37, SF-17: they have passed without a roll."""
    game = Game(blue("avengers"), {**red("scouts", 10, CATAPULT), "fearless": True})
    game.suppress("scouts", "avengers", dice=None)
    game.to("red", "shooting")
    game.declare("avengers", "scouts")


@pytest.mark.parametrize("open_topped", [True, False])
def test_passengers_do_not_suppress_back(open_topped: bool) -> None:
    """SF-37: they have passed no test; nor anybody else from inside a vehicle under effective suppression."""
    vehicle = carrier("trukk", open_topped=open_topped, fire_points=5)
    game = Game(blue("avengers"), blue("others"), vehicle, inside(red("crew", 10, CATAPULT), "trukk"))
    game.to("blue", "shooting")
    game.declare("trukk", "avengers")
    game.to("red", "shooting")
    for target in ("avengers", "others"):
        assert game.no_declare(target, "crew").clause == "SF-37"


def test_passengers_of_a_vehicle_whose_suppressors_lapsed() -> None:
    """SF-37: only effective suppression keeps them from it."""
    vehicle = carrier("trukk", open_topped=True)
    game = Game(blue("avengers"), vehicle, inside(red("crew", 10, CATAPULT), "trukk"))
    game.to("blue", "shooting")
    game.declare("trukk", "avengers")
    game.to("red", "shooting")
    game.give("line_of_sight", suppressor="avengers", target="trukk", clear=False)
    game.declare("avengers", by("crew"))


def test_the_suppressed_vehicle_itself_suppresses() -> None:
    """SF-33, SF-37: nothing happens to it, so its own guns may."""
    tank = {**carrier("raider"), "groups": [{"name": "hull", "models": 3, "weapons": [CATAPULT]}]}
    game = Game(blue("avengers"), tank)
    game.to("blue", "shooting")
    game.declare("raider", "avengers")
    game.to("red", "shooting")
    game.declare("avengers", "raider")
    assert game.fire("avengers", "raider")["effective"]
