"""Player turns and phases, and what their end takes away."""

from __future__ import annotations

import pytest

from tests.sf_battles import FAIL, PASS, PHASES, Game, Told, blue, carrier, inside, red

WHEN = {
    "move": "movement",
    "embark": "movement",
    "disembark": "movement",
    "run": "shooting",
    "shoot": "shooting",
    "fire_from_vehicle": "shooting",
    "assault": "assault",
}


def riders() -> Game:
    return Game(red("scouts"), carrier("rhino"), inside(red("crew", 3), "rhino"), blue("avengers"))


def test_before_the_first_turn() -> None:
    """SF-1: a new battle is in turn 0, nobody's, in no phase, and nobody can act."""
    game = riders()
    assert (game.show["turn"], game.show["side"], game.show["phase"]) == (0, None, None)
    assert game.clause("act", unit="scouts", action="move") == "SF-1"
    assert game.clause("phase", to="shooting") == "SF-1"
    assert game.clause("end_turn") == "SF-1"


@pytest.mark.parametrize("first", ["blue", "red"])
def test_a_game_turn_is_two_player_turns(first: str) -> None:
    """SF-1: whoever begins opens game turn 1, 2, 3; the other side's turn has the same number."""
    game = riders()
    second = "red" if first == "blue" else "blue"
    for turn in (1, 2, 3):
        for side in (first, second):
            game.give("begin_turn", side=side)
            assert (game.show["turn"], game.show["side"], game.show["phase"]) == (turn, side, "movement")
            game.give("end_turn")
            assert (game.show["turn"], game.show["side"], game.show["phase"]) == (turn, None, None)


def test_sides_alternate() -> None:
    """SF-1: a side that has just had its turn cannot have the next one, however often it is tried."""
    game = riders()
    for side, other in (("red", "blue"), ("blue", "red"), ("red", "blue")):
        game.give("begin_turn", side=side)
        for again in ("red", "blue"):
            assert game.clause("begin_turn", side=again) == "SF-1"
        game.give("end_turn")
        for _ in range(3):
            assert game.clause("begin_turn", side=side) == "SF-1"
        assert game.clause("end_turn") == "SF-1"
        assert other != side


def test_an_unknown_side_has_no_turn() -> None:
    assert riders().clause("begin_turn", side="green") == "order"


def test_phases_in_order() -> None:
    """SF-1: movement, shooting, assault; none is skipped, repeated or gone back to."""
    game = riders()
    game.give("begin_turn", side="red")
    assert game.clause("phase", to="assault") == "SF-1"
    game.give("phase", to="shooting")
    assert game.clause("phase", to="shooting") == "SF-1"
    game.give("phase", to="assault")
    assert game.show["phase"] == "assault"
    for phase in ("shooting", "assault"):
        assert game.clause("phase", to=phase) == "SF-1"
    assert game.clause("phase", to="movement") == "order"


@pytest.mark.parametrize("phase", PHASES)
def test_a_turn_may_end_in_any_phase(phase: str) -> None:
    """SF-1: and the other side begins with its movement."""
    game = riders()
    game.to("red", phase)
    game.give("end_turn")
    game.give("begin_turn", side="blue")
    assert game.show["phase"] == "movement"


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("action", [*WHEN, "other"])
def test_every_action_has_its_phase(action: str, phase: str) -> None:
    """SF-1: move, embark, disembark in movement; run, shoot, fire from a vehicle in shooting; assault in assault;
    anything else in any phase."""
    game = riders()
    game.to("red", phase)
    unit = "crew" if action in ("disembark", "fire_from_vehicle") else "scouts"
    order: Told = {"unit": unit, "action": action, **({"into": "rhino"} if action == "embark" else {})}
    if action == "embark":
        game.give("casualties", unit="scouts", group="men", models=5)
    if WHEN.get(action, phase) == phase:
        game.give("act", **order)
    else:
        assert game.clause("act", **order) == "SF-1"


def test_what_no_clause_forbids_is_allowed() -> None:
    """SF-1: moving twice, running and then shooting, then assaulting: the base game is the players' own affair."""
    game = riders()
    game.to("red")
    for phase, action in (
        ("movement", "move"), ("movement", "move"), ("shooting", "run"), ("shooting", "shoot"), ("assault", "assault")
    ):  # fmt: skip
        game.to("red", phase)
        game.act("scouts", action)


def test_of_several_clauses_all_are_told() -> None:
    """SF-1: any of the clauses that forbid an order may be named; the others are told beside it."""
    game = riders()
    game.give("status", unit="scouts", status="pinned", on=True)
    refused = game.refused("act", unit="scouts", action="move")
    assert {reason.clause for reason in refused.reasons} == {"SF-1", "SF-18"}
    assert refused.clause in ("SF-1", "SF-18")


@pytest.mark.parametrize("action", [*WHEN, "other"])
def test_units_act_in_their_own_turn(action: str) -> None:
    """SF-1: in the enemy's turn, and between turns, nobody acts."""
    game = riders()
    order: Told = {"unit": "avengers", "action": action}
    game.to("red", WHEN.get(action, "movement"))
    assert game.clause("act", **order) in ("SF-1", "order")
    game.give("end_turn")
    assert game.clause("act", **order) in ("SF-1", "order")


@pytest.mark.parametrize(
    ("action", "phase", "flag"),
    [
        ("move", "movement", "moved"),
        ("embark", "movement", "moved"),
        ("disembark", "movement", "moved"),
        ("run", "shooting", "ran"),
        ("shoot", "shooting", "shot"),
        ("fire_from_vehicle", "shooting", "shot"),
        ("assault", "assault", None),
        ("other", "movement", None),
    ],
)
def test_what_a_unit_did_stays_until_its_next_turn(action: str, phase: str, flag: str | None) -> None:
    """SF-1: moved, ran and shot are shown through the enemy's turn and cleared when its own side begins again."""
    game = riders()
    unit = "crew" if action in ("disembark", "fire_from_vehicle") else "scouts"
    game.give("casualties", unit="scouts", group="men", models=5)
    game.to("red", phase)
    into: Told = {"into": "rhino"} if action == "embark" else {}
    game.act(unit, action, **into)

    def flags() -> set[str]:
        return {name for name in ("moved", "ran", "shot") if game.unit(unit)[name]}

    assert flags() == ({flag} if flag else set())
    game.to("blue", "assault")
    assert flags() == ({flag} if flag else set())
    game.give("end_turn")
    game.give("begin_turn", side="red")
    assert flags() == set()


@pytest.mark.parametrize("dice", [PASS, FAIL])
def test_a_suppression_lasts_to_the_end_of_the_targets_turn(dice: list[int]) -> None:
    """SF-2: from the declaration through the target's next player turn, and so does being pinned by it."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    assert game.unit("avengers")["suppressing"] == "scouts"
    game.test("scouts", dice)
    game.to("blue", "assault")
    for phase in PHASES:
        game.to("red", phase)
        assert game.effective("scouts") == {"avengers"}
        assert game.unit("scouts")["pinned"] == (dice == FAIL)
    game.give("end_turn")
    assert game.show["suppressions"] == {}
    assert not game.unit("scouts")["pinned"]
    assert game.unit("avengers")["suppressing"] is None
    game.to("blue")
    game.to("red")
    game.act("scouts", "move", [])


def test_the_suppressors_own_end_of_turn_ends_nothing() -> None:
    """SF-2: only the target's turn ends it, of whichever side the target is."""
    game = Game(blue("avengers"), red("scouts", 10), red("guard", 10))
    game.suppress("scouts", "avengers", dice=FAIL)
    game.to("red", "shooting")
    game.declare("avengers", "guard")
    game.test("avengers", PASS)
    game.give("end_turn")
    assert set(game.show["suppressions"]) == {"avengers"}
    game.give("begin_turn", side="blue")
    game.give("end_turn")
    assert game.show["suppressions"] == {}


def test_pinned_by_hand_is_freed_too() -> None:
    """SF-2: the end of a side's turn frees all its pinned units, however they came to be so, and no others."""
    game = Game(blue("avengers"), red("scouts"), red("guard"))
    for unit in ("avengers", "scouts"):
        game.give("status", unit=unit, status="pinned", on=True)
    game.to("red")
    game.give("status", unit="guard", status="pinned", on=True)
    game.give("end_turn")
    assert [game.unit(unit)["pinned"] for unit in ("avengers", "scouts", "guard")] == [True, False, False]
    game.give("begin_turn", side="blue")
    assert game.unit("avengers")["pinned"]
    game.give("end_turn")
    assert not game.unit("avengers")["pinned"]


def test_other_marks_stay() -> None:
    """SF-2: gone to ground, falling back, in combat, shaken, stunned go only when they are taken off by hand."""
    game = Game(blue("avengers"), red("scouts"))
    marks = ["falling_back", "gone_to_ground", "in_combat", "shaken", "stunned"]
    for mark in reversed(marks):
        game.give("status", unit="scouts", status=mark, on=True)
    for side in ("red", "blue", "red"):
        game.to(side, "assault")
        game.give("end_turn")
    assert game.unit("scouts")["status"] == marks
    game.give("status", unit="scouts", status="shaken", on=False)
    assert game.unit("scouts")["status"] == [mark for mark in marks if mark != "shaken"]


def test_nobody_out_of_play_is_told_to_be_freed() -> None:
    """SF-2, SF-28: a pinned unit that is destroyed is neither pinned nor freed afterwards."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers", dice=FAIL)
    game.give("status", unit="scouts", status="destroyed", on=True)
    assert not game.unit("scouts")["pinned"]
    entry = game.give("end_turn")
    assert [event.freed for event in entry.events] == [()]
