"""Suppressing fire hits a unit once a turn, whoever it was aimed at."""

from __future__ import annotations

from engine.suppression_fire.panes import pending
from tests.sf_battles import PASS, Game, blue, carrier, inside, red, rolled


def both_suppressed() -> Game:
    """Red's movement: five men on foot, who passed their test, and the rhino beside them; each has a suppressor."""
    game = Game(blue("b1"), blue("b2"), carrier("rhino"), red("crew", 5))
    game.to("blue", "shooting")
    game.declare("crew", "b1")
    game.test("crew", PASS)
    game.declare("rhino", "b2")
    game.to("red")
    return game


def test_hit_on_foot_is_not_hit_again_inside() -> None:
    """SF-21, SF-34: fire hits a unit once a turn, also where another one is aimed at the vehicle that it boards."""
    game = both_suppressed()
    assert rolled(game.act("crew", "embark", [1, 1, 1, 1, 1], into="rhino")) == [("hit", 5, 6)]
    game.to("red", "shooting")
    assert game.act("crew", "fire_from_vehicle").rolls == ()
    assert not game.suppression("rhino")["spent"]


def test_hit_inside_is_not_hit_again_on_foot() -> None:
    """SF-21, SF-34: unseen as it boards, hit as it gets out again, and free to move under the fire aimed at itself."""
    game = both_suppressed()
    assert game.act("crew", "embark", into="rhino", visible_to=[]).rolls == ()
    assert rolled(game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])) == [("leadership", 2, 8), ("hit", 5, 6)]
    assert game.act("crew", "move").rolls == ()


def test_what_is_told_of_a_unit_that_was_hit() -> None:
    """SF-21: `w` and the list say that acting is free, although its own suppressor is still effective."""
    game = both_suppressed()
    assert any("Crew: acting costs 5 dice at 6+" in line for line in pending(game.history.state))
    game.act("crew", "embark", into="rhino", visible_to=[])
    game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])
    assert pending(game.history.state) == ()
    told = [line.text for line in game.history.rules.why(game.history.state, "crew")]
    assert "The fire has struck once: what it does now is free (SF-21)." in told
    assert not any("If it acts" in line for line in told)


def test_hit_at_one_vehicle_is_not_hit_again_at_another() -> None:
    """SF-34: tested and hit once, also where the second vehicle is suppressed or the first one is a wreck by then."""
    game = Game(blue("b1"), blue("b2"), carrier("one"), carrier("two"), inside(red("crew", 5), "one"))
    game.to("blue", "shooting")
    game.declare("one", "b1")
    game.declare("two", "b2")
    game.to("red")
    game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])
    game.give("status", unit="one", status="destroyed", on=True)
    game.act("crew", "embark", into="two")
    game.to("red", "shooting")
    assert game.act("crew", "fire_from_vehicle").rolls == ()
    game.to("blue", "shooting")
    game.declare("two", "b2")
    game.to("red")
    assert rolled(game.act("crew", "disembark", [*PASS, 1, 1, 1, 1, 1])) == [("leadership", 2, 8), ("hit", 5, 6)]
