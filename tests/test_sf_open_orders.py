"""Which orders are open to a player now, and which clause stands against the others."""

from __future__ import annotations

import pytest

from engine.suppression_fire import RULES
from tests.sf_battles import CATAPULT, FAIL, PASS, Game, Told, blue, carrier, inside, models, red, unit

ACTIONS = {action.name: action for action in RULES.actions}
ABOUT_UNITS = [action.name for action in RULES.actions if action.about == "unit"]
ALWAYS = {"status", "copy", "amend"}


def against(game: Game, name: str, about: str | None = None) -> str:
    """What stands against an order, empty where it is open."""
    return RULES.available(game.history.state, ACTIONS[name], about)


def open_to(game: Game, unit_id: str) -> set[str]:
    """The orders about a unit that are open, but for those that always are."""
    return {name for name in ABOUT_UNITS if not against(game, name, unit_id)} - ALWAYS


def is_asked(game: Game, name: str, about: str | None) -> bool:
    return RULES.asks(game.history.state, ACTIONS[name], about)


# Turn and phases


def test_before_the_first_turn() -> None:
    """SF-1: a turn can begin, and nothing else that belongs to one."""
    game = Game(blue("avengers"), red("scouts"))
    assert against(game, "begin_turn") == ""
    assert against(game, "phase") == "no turn is running: begin one first (SF-1)"
    assert against(game, "end_turn") == "no turn is running: there is none to end (SF-1)"
    assert against(game, "move", "scouts") == "Scouts acts in the turn of red (SF-1)"
    assert against(game, "declare", "scouts") == "Scouts suppresses in its own shooting phase (SF-4)"
    assert open_to(game, "scouts") == {"casualties", "wounds", "dismiss"}


@pytest.mark.parametrize(
    ("phase", "own", "theirs"),
    [
        ("movement", {"move", "other"}, set()),
        ("shooting", {"run", "shoot", "other", "declare"}, {"declare"}),
        ("assault", {"assault", "other"}, set()),
    ],
)
def test_each_phase_has_its_orders(phase: str, own: set[str], theirs: set[str]) -> None:
    """SF-1, SF-4, SF-13: a unit acts in its own turn; an enemy is there to be suppressed in the shooting phase."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", phase)
    by_hand = {"casualties", "wounds", "dismiss"}
    assert open_to(game, "avengers") == own | by_hand
    assert open_to(game, "scouts") == theirs | by_hand
    assert against(game, "begin_turn") == "the turn of blue is not over (SF-1)"
    assert against(game, "end_turn") == ""
    assert against(game, "phase") == ("assault is the last phase: end the turn (SF-1)" if phase == "assault" else "")


def test_who_may_be_suppressed() -> None:
    """SF-4, SF-13: friends suppress themselves, enemies are targets, but for those that clauses spare."""
    game = Game(blue("avengers"), blue("runners"), red("scouts"), carrier("rhino"), inside(red("squad", 5), "rhino"))
    game.to("blue", "shooting")
    game.act("runners", "run")
    assert against(game, "declare", "runners") == "Runners ran this turn (SF-6)"
    assert against(game, "declare", "squad") == "Squad is inside Rhino: target the vehicle (SF-13)"
    assert against(game, "declare", "rhino") == ""
    game.to("red", "shooting")
    assert against(game, "declare", "rhino") == ""
    assert against(game, "declare", "avengers") == ""


# Tests


def test_whose_test_is_due() -> None:
    """SF-14, SF-16, SF-33: nobody's before a declaration, the target's until it is taken, never a vehicle's."""
    game = Game(blue("avengers"), blue("others"), red("scouts"), carrier("rhino"))
    game.to("blue", "shooting")
    assert against(game, "test", "scouts") == "nobody waits for a test (SF-14)"
    game.declare("rhino", "others")
    assert against(game, "test", "rhino") == (
        "a vehicle needs no test: its passengers take theirs when they get out or fire (SF-33)"
    )
    assert against(game, "test", "scouts") == "nobody waits for a test (SF-14)"
    assert against(game, "phase") == ""
    game.declare("scouts", "avengers")
    assert against(game, "test", "scouts") == ""
    assert against(game, "phase") == "not yet tested: Scouts; take the test first (SF-19)"
    assert against(game, "end_turn") == "not yet tested: Scouts; take the test first (SF-19)"
    assert against(game, "reroll_test") == "a reroll comes right after a rolled test (SF-16)"
    game.test("scouts", PASS)
    assert against(game, "test", "scouts") == "Scouts has been tested (SF-16)"
    assert against(game, "reroll_test") == ""
    assert against(game, "phase") == ""


# Getting in


@pytest.mark.parametrize(
    ("others", "room"),
    [
        ([], False),
        ([carrier("rhino")], True),
        ([carrier("rhino", capacity=5)], True),
        ([carrier("rhino", capacity=4)], False),
        ([carrier("rhino", "blue")], False),
        ([carrier("small", capacity=4), carrier("large")], True),
        ([carrier("large"), carrier("small", capacity=4)], True),
        ([carrier("theirs", "blue"), carrier("a_later_one")], True),
        ([unit("tank", "red", kind="vehicle")], False),
        ([carrier("rhino"), inside(red("riders", 5), "rhino")], True),
        ([carrier("rhino"), inside(red("riders", 6), "rhino")], False),
    ],
)
def test_room_in_a_transport_of_ones_own(others: list[Told], room: bool) -> None:
    """Five men may get in where some transport of their side has five seats left, wherever it stands in the list."""
    for first, second in ((others, [red("scouts", 5)]), ([red("scouts", 5)], others)):
        game = Game(*first, *second)
        game.to("red")
        assert against(game, "embark", "scouts") == ("" if room else "no transport of red has room for Scouts")


def test_no_room_in_a_wreck() -> None:
    game = Game(carrier("rhino"), red("scouts", 5))
    game.to("red")
    assert against(game, "embark", "scouts") == ""
    game.give("status", unit="rhino", status="destroyed", on=True)
    assert against(game, "embark", "scouts") == "no transport of red has room for Scouts"


@pytest.mark.parametrize("name", ["rhino", "aa_rhino", "zz_rhino"])
def test_a_transport_is_no_passenger(name: str) -> None:
    """A vehicle rides in none, least of all in itself."""
    game = Game(carrier(name), carrier("other_rhino", "red"))
    game.to("red")
    assert against(game, "embark", name).endswith("is a vehicle and rides in none")


def test_inside() -> None:
    """SF-1, SF-12: passengers get out in the movement phase and fire in the shooting phase."""
    game = Game(carrier("rhino"), inside(red("scouts", 5), "rhino"), carrier("box", fire_points=0),
                inside(red("men", 5), "box"))  # fmt: skip
    game.to("red")
    by_hand = {"casualties", "wounds", "dismiss"}
    assert open_to(game, "scouts") == {"disembark", "other"} | by_hand
    assert against(game, "move", "scouts") == "Scouts is inside Rhino: get out first"
    game.to("red", "shooting")
    assert open_to(game, "scouts") == {"fire_from_vehicle", "other", "declare"} | by_hand
    assert against(game, "fire_from_vehicle", "men") == "Box has no fire points (SF-12)"


# By hand


def test_losses_and_what_can_be_restored() -> None:
    """Who has lost nothing has nothing to be restored; a hurt model or a fallen one is enough."""
    two = unit("scouts", "red", models("men", 2, wounds=2), models("boss", 1, wounds=2))
    losses: tuple[tuple[str, Told], ...] = (("wounds", {"wounds": 1}), ("casualties", {"models": 1}))
    for kind, more in losses:
        for group in ("men", "boss"):
            game = Game(two)
            assert against(game, "restore", "scouts") == "Scouts has lost nothing"
            game.give(kind, unit="scouts", group=group, **more)
            assert against(game, "restore", "scouts") == ""


def test_vehicles_have_guns_to_lose_and_no_wounds() -> None:
    tank = unit("tank", "red", models("guns", 1, CATAPULT), kind="vehicle")
    game = Game(tank, unit("box", "red", kind="vehicle"))
    assert against(game, "wounds", "tank") == "Tank is a vehicle and has no wounds"
    assert against(game, "casualties", "tank") == ""
    assert against(game, "casualties", "box") == "Box has nothing left to lose"


def test_who_has_a_line_of_sight() -> None:
    """SF-32: a suppressor and its target, nobody else."""
    game = Game(blue("avengers"), blue("idle"), red("scouts"), red("others"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    told = {name: against(game, "line_of_sight", name) for name in ("avengers", "scouts", "idle", "others")}
    assert told == {
        "avengers": "", "scouts": "",
        "idle": "Idle neither suppresses nor is suppressed",
        "others": "Others neither suppresses nor is suppressed",
    }  # fmt: skip


def test_who_is_out_of_play() -> None:
    """SF-28: nothing is ordered of it; another unit like it may be mustered."""
    game = Game(blue("avengers"), red("scouts"))
    game.give("casualties", unit="scouts", group="men", models=10)
    for name in ABOUT_UNITS:
        assert against(game, name, "scouts") == ("" if name == "copy" else "Scouts is out of play")
    assert against(game, "status", None) == "select a unit first"
    assert against(game, "status", "nobody") == "select a unit first"


def test_after_the_end() -> None:
    """A battle that is over takes notes, and nothing else."""
    game = Game(blue("avengers"))
    for name in ("muster", "score", "note", "mission", "end_battle"):
        assert against(game, name) == ""
    game.give("end_battle")
    for action in RULES.actions:
        about = "avengers" if action.about == "unit" else None
        told = "" if action.name == "note" else "the battle is over; undo takes that back"
        assert RULES.available(game.history.state, action, about) == told


# What is asked before an order is given


def test_a_deed_is_asked_about_where_it_costs_something() -> None:
    """SF-20, SF-21: under fire that may still strike, for those on foot; never where there is none."""
    game = Game(blue("avengers"), red("scouts"), red("others"))
    game.to("red")
    assert not is_asked(game, "move", "scouts")
    game.to("blue")
    game.suppress("scouts", "avengers", dice=PASS)
    assert is_asked(game, "move", "scouts")
    assert not is_asked(game, "move", "others")
    game.act("scouts", "move", 10 * [1])
    assert not is_asked(game, "other", "scouts")


def test_a_deed_is_asked_about_where_somebody_might_see_it() -> None:
    """SF-21, SF-32: the flag says that the suppressor sees nobody; as the unit acts it may."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers", dice=PASS)
    game.give("line_of_sight", suppressor="avengers", target="scouts", clear=False)
    assert is_asked(game, "move", "scouts")
    game.give("casualties", unit="avengers", group="men", models=3)
    assert not is_asked(game, "move", "scouts")


def test_getting_in_and_firing_from_inside_are_always_asked_about() -> None:
    """Into which transport; with how many models."""
    game = Game(carrier("rhino"), red("scouts", 5), inside(red("riders", 5), "rhino"))
    game.to("red")
    assert is_asked(game, "embark", "scouts")
    assert is_asked(game, "fire_from_vehicle", "riders")
    assert not is_asked(game, "disembark", "riders")
    for name, asked in (("phase", False), ("end_turn", False), ("begin_turn", True), ("note", True)):
        assert is_asked(game, name, None) is asked
    assert not is_asked(game, "dismiss", "scouts")


@pytest.mark.parametrize("dice", [PASS, FAIL])
def test_the_pinned_are_told_so(dice: list[int]) -> None:
    """SF-18: whoever failed may do nothing; whoever passed may move."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers", dice=dice)
    told = "" if dice == PASS else "Scouts is pinned until the end of its own turn (SF-18)"
    assert against(game, "move", "scouts") == told
