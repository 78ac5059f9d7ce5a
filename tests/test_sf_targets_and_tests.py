"""Who may be targeted, and the leadership test under fire."""

from __future__ import annotations

import pytest

from tests.sf_battles import (
    FAIL,
    PASS,
    PULSE_CANNON,
    Game,
    Told,
    blue,
    by,
    carrier,
    dice_for,
    events,
    fires,
    gun,
    inside,
    models,
    red,
    rolled,
    unit,
)

FEARLESS = {**red("scouts"), "fearless": True}
MONSTER = {**red("monster", 1, toughness=6, wounds=4), "kind": "monstrous_creature"}
RANDOM = gun("scatter gun", "shot", 24, 3, None, "assault", "d3")


def crossfire(count: int, target: Told | None = None, **switches: str) -> Game:
    """So many blue units, b1 and on, have declared on the red scouts."""
    target = target or red("scouts")
    names = [f"b{n}" for n in range(1, count + 1)]
    game = Game(*(blue(name) for name in names), target, **switches)
    game.to("blue", "shooting")
    game.declare(target["id"], *names)
    return game


# Targets


def test_any_enemy_unit() -> None:
    """SF-13: infantry, monsters and transports alike."""
    game = Game(*(blue(f"b{n}") for n in (1, 2, 3)), red("scouts"), carrier("rhino"), MONSTER)
    game.to("blue", "shooting")
    for suppressor, target in (("b1", "scouts"), ("b2", "rhino"), ("b3", "monster")):
        game.declare(target, suppressor)
    assert set(game.show["suppressions"]) == {"scouts", "rhino", "monster"}


def test_no_friends() -> None:
    """SF-13: nor oneself."""
    game = Game(blue("avengers"), blue("others"), red("scouts"))
    game.to("blue", "shooting")
    assert game.no_declare("others", "avengers").clause == "SF-13"
    assert game.no_declare("avengers", "avengers").clause == "SF-13"


def test_nobody_locked_in_combat() -> None:
    """SF-13: refused with that reason; free again, it may be targeted."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.give("status", unit="scouts", status="in_combat", on=True)
    refused = game.no_declare("scouts", "avengers")
    assert refused.clause == "SF-13"
    assert "combat" in refused.message
    game.give("status", unit="scouts", status="in_combat", on=False)
    game.declare("scouts", "avengers")


def test_no_vehicle_that_carries_nobody() -> None:
    """SF-13: a vehicle that is no transport; an empty transport may be targeted."""
    game = Game(blue("avengers"), unit("tank", "red", kind="vehicle"), carrier("rhino"))
    game.to("blue", "shooting")
    refused = game.no_declare("tank", "avengers")
    assert refused.clause == "SF-13"
    assert "nothing could happen" in refused.message
    game.declare("rhino", "avengers")


def test_no_passengers() -> None:
    """SF-13: the vehicle is the target, and the reason says so."""
    game = Game(blue("avengers"), carrier("rhino", open_topped=True), inside(red("crew"), "rhino"))
    game.to("blue", "shooting")
    refused = game.no_declare("crew", "avengers")
    assert refused.clause == "SF-13"
    assert "Rhino" in refused.message


def test_nobody_out_of_play() -> None:
    """SF-13: who is not there is no target, and suppresses nobody."""
    game = Game(blue("avengers"), red("scouts"), red("guard"))
    game.to("blue", "shooting")
    game.give("status", unit="scouts", status="destroyed", on=True)
    assert game.no_declare("scouts", "avengers").clause == "order"
    assert game.no_declare("nobody", "avengers").clause == "order"
    game.give("status", unit="avengers", status="destroyed", on=True)
    assert game.no_declare("guard", "avengers").clause == "order"


# Crossfire


def test_together_or_one_after_another() -> None:
    """SF-14: both ways of declaring crossfire come to the same."""
    together = crossfire(3)
    apart = Game(*(blue(f"b{n}") for n in (1, 2, 3)), red("scouts"))
    apart.to("blue", "shooting")
    for name in ("b1", "b2", "b3"):
        apart.declare("scouts", name)
    assert together.suppression("scouts") == apart.suppression("scouts")
    assert together.suppression("scouts")["leadership_modifier"] == -2


def test_only_the_suppressed_are_tested() -> None:
    """SF-14: a unit that nobody suppresses has no test to take."""
    game = Game(blue("avengers"), red("scouts"), red("guard"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    assert game.clause("test", target="guard") == "SF-14"


def test_shrapnel_then_the_test() -> None:
    """SF-14, SF-29: all declarations first, then shrapnel for all of them once, then one test."""
    game = Game(blue("b1"), blue("b2", 1, PULSE_CANNON), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    game.declare("scouts", "b2")
    entry = game.give("test", target="scouts", dice=[1, 1, 3, 4])
    assert rolled(entry) == [("shrapnel", 1, None), ("save", 1, 4), ("leadership", 2, 7)]


# The test


@pytest.mark.parametrize("leadership", range(2, 11))
def test_equal_or_under(leadership: int) -> None:
    """SF-15: the sum of two dice at the leadership passes, one above it fails and pins."""
    for total in range(2, 13):
        game = crossfire(1, red("scouts", leadership=leadership))
        dice = [min(6, total - 1), total - min(6, total - 1)]
        assert game.test("scouts", dice) == ("passed" if total <= leadership else "failed")
        assert game.unit("scouts")["pinned"] == (total > leadership)


@pytest.mark.parametrize("count", range(1, 9))
def test_crossfire_modifier(count: int) -> None:
    """SF-15: minus 1 for each suppressor after the first, minus 4 at most, with five, six, seven and eight too."""
    game = crossfire(count, red("scouts", leadership=9))
    modifier = -min(4, count - 1)
    assert game.suppression("scouts")["leadership_modifier"] == modifier
    assert rolled(game.give("test", target="scouts", dice=PASS)) == [("leadership", 2, 9 + modifier)]


@pytest.mark.parametrize(("dice", "result"), [([2, 3], "passed"), ([3, 3], "failed")])
def test_crossfire_of_five_against_nine(dice: list[int], result: str) -> None:
    """SF-15: leadership 9 under five units holds on 5 and breaks on 6."""
    assert crossfire(5, red("scouts", leadership=9)).test("scouts", dice) == result


def test_the_highest_leadership() -> None:
    """SF-15: one sergeant of Ld 9 leads nine men of Ld 7, wherever he is listed."""
    for groups in ((7, 9), (9, 7)):
        men, boss = (
            models(f"g{n}", count, leadership=ld) for n, (ld, count) in enumerate(zip(groups, (9, 1), strict=True))
        )
        game = Game(blue("avengers"), unit("scouts", "red", men, boss))
        game.to("blue", "shooting")
        game.declare("scouts", "avengers")
        assert rolled(game.give("test", target="scouts", dice=PASS)) == [("leadership", 2, 9)]


def test_leaders_who_fell_lead_no_more() -> None:
    """SF-15: without the sergeant the men stand at 7."""
    game = Game(blue("avengers"), unit("scouts", "red", models("men", 9, leadership=7), models("boss", 1)))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.give("casualties", unit="scouts", group="boss", models=1)
    assert rolled(game.give("test", target="scouts", dice=PASS)) == [("leadership", 2, 7)]


@pytest.mark.parametrize(
    ("switch", "leadership", "result"), [("no", 2, "failed"), ("yes", 2, "passed"), ("yes", 9, "passed")]
)
def test_double_one(switch: str, leadership: int, result: str) -> None:
    """SF-15, switch double_one_passes: with yes a double 1 passes even where -4 leaves nothing to roll under."""
    game = crossfire(5, red("scouts", leadership=leadership), double_one_passes=switch)
    assert game.test("scouts", [1, 1]) == result


def test_double_one_is_not_a_one() -> None:
    """SF-15: a 2 and a 1 is no double."""
    game = crossfire(5, red("scouts", leadership=2), double_one_passes="yes")
    assert game.test("scouts", [1, 2]) == "failed"


@pytest.mark.parametrize(("switch", "result"), [("no", "failed"), ("yes", "passed")])
def test_double_one_on_the_reroll(switch: str, result: str) -> None:
    """SF-15, SF-16, double_one_passes: the reroll is read like the test itself."""
    game = crossfire(5, red("scouts", leadership=2), double_one_passes=switch)
    game.test("scouts", FAIL)
    game.give("reroll_test", target="scouts", reason="a banner", dice=[1, 1])
    assert game.suppression("scouts")["test"] == result


def test_only_effective_suppressors_count() -> None:
    """SF-15, SF-32: of three units one has lost sight and one its men: no modifier is left."""
    game = crossfire(3)
    game.give("line_of_sight", suppressor="b1", target="scouts", clear=False)
    game.give("casualties", unit="b2", group="men", models=3)
    assert game.suppression("scouts")["leadership_modifier"] == 0
    assert rolled(game.give("test", target="scouts", dice=PASS)) == [("leadership", 2, 8)]


def test_with_none_left_the_test_is_not_needed() -> None:
    """SF-15: no dice; and it counts as taken, so that a latecomer brings no test."""
    game = Game(blue("avengers"), blue("late"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.give("line_of_sight", suppressor="avengers", target="scouts", clear=False)
    assert game.clause("test", target="scouts", dice=PASS) == "dice"
    assert game.test("scouts") == "not_needed"
    game.declare("scouts", "late")
    assert game.clause("test", target="scouts") == "SF-16"
    assert game.suppression("scouts")["test"] == "not_needed"
    assert game.suppression("scouts")["hit_on"] == 6


def test_passed_is_no_duty() -> None:
    """SF-15: who passed may stay still, and is not hit for it."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers")
    game.to("red", "assault")
    game.give("end_turn")
    assert game.unit("scouts")["models"] == 10


# Once


@pytest.mark.parametrize("dice", [PASS, FAIL])
def test_one_test_a_turn(dice: list[int]) -> None:
    """SF-16: no second test, whatever came of the first."""
    game = crossfire(1)
    game.test("scouts", dice)
    assert game.clause("test", target="scouts") == "SF-16"


def test_a_latecomer() -> None:
    """SF-16: who joins after the test adds to the number to be hit, but brings neither test nor shrapnel."""
    game = Game(blue("b1"), blue("b2", 1, PULSE_CANNON), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    game.test("scouts", PASS)
    assert game.suppression("scouts")["hit_on"] == 6
    game.declare("scouts", "b2")
    assert game.suppression("scouts")["hit_on"] == 5
    assert game.suppression("scouts")["test"] == "passed"
    assert game.unit("scouts")["models"] == 10
    assert game.clause("test", target="scouts") == "SF-16"
    game.to("red")


def test_each_target_has_its_own_test() -> None:
    """SF-16: one per target, not one per turn."""
    game = Game(blue("b1"), blue("b2"), red("scouts"), red("guard"))
    game.to("blue", "shooting")
    for suppressor, target in (("b1", "scouts"), ("b2", "guard")):
        game.declare(target, suppressor)
    assert (game.test("scouts", FAIL), game.test("guard", PASS)) == ("failed", "passed")


def test_a_new_turn_a_new_test() -> None:
    """SF-16: per player turn."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers")
    game.suppress("scouts", "avengers", dice=FAIL)
    assert game.suppression("scouts")["test"] == "failed"


# The reroll


@pytest.mark.parametrize(("first", "second"), [(FAIL, PASS), (FAIL, FAIL), (PASS, FAIL), (PASS, PASS)])
def test_the_reroll_stands(first: list[int], second: list[int]) -> None:
    """SF-16: a special rule may grant one reroll; what it shows counts, for better or worse."""
    game = crossfire(2)
    game.test("scouts", first)
    entry = game.give("reroll_test", target="scouts", reason="a banner", dice=second)
    assert rolled(entry) == [("leadership", 2, 7)]
    assert game.suppression("scouts")["test"] == ("passed" if second == PASS else "failed")
    assert game.unit("scouts")["pinned"] == (second == FAIL)
    assert [event.reason for event in events(entry, "test_rerolled")] == ["a banner"]


def test_one_reroll() -> None:
    """SF-16: once."""
    game = crossfire(1)
    assert game.clause("reroll_test", target="scouts", reason="a banner") == "SF-16"
    game.test("scouts", FAIL)
    game.give("reroll_test", target="scouts", reason="a banner", dice=FAIL)
    assert game.clause("reroll_test", target="scouts", reason="another banner") == "SF-16"


@pytest.mark.parametrize(
    "between",
    [
        {"kind": "score", "side": "red", "points": 1},
        {"kind": "status", "unit": "scouts", "status": "shaken", "on": True},
        {"kind": "casualties", "unit": "b1", "group": "men", "models": 1},
        {"kind": "declare", "target": "scouts", "by": [by("b2")]},
        {"kind": "phase", "to": "assault"},
        {"kind": "line_of_sight", "suppressor": "b1", "target": "scouts", "clear": True},
    ],
    ids=lambda order: order["kind"],
)
def test_the_reroll_comes_right_after_the_test(between: Told) -> None:
    """SF-16: any order between them ends the moment."""
    game = Game(blue("b1"), blue("b2"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    game.test("scouts", FAIL)
    order = dict(between)
    game.give(order.pop("kind"), **order)
    assert game.clause("reroll_test", target="scouts", reason="a banner") == "SF-16"


def test_a_note_does_not_stand_between() -> None:
    """SF-16: words for the record may come first; an order that was undone is no order either."""
    game = crossfire(1)
    game.test("scouts", FAIL)
    game.give("note", text="but they have a banner")
    game.give("score", side="red", points=1)
    game.history.take(game.history.undo("", 0))
    game.give("reroll_test", target="scouts", reason="a banner", dice=PASS)
    assert game.suppression("scouts")["test"] == "passed"


def test_only_the_last_test_and_only_a_rolled_one() -> None:
    """SF-16: not the test before it, and not one that took no dice."""
    game = Game(blue("b1"), blue("b2"), blue("b3"), red("scouts"), red("guard"), {**red("zealots"), "fearless": True})
    game.to("blue", "shooting")
    for suppressor, target in (("b1", "scouts"), ("b2", "guard"), ("b3", "zealots")):
        game.declare(target, suppressor)
    game.test("scouts", FAIL)
    game.test("guard", FAIL)
    assert game.clause("reroll_test", target="scouts", reason="a banner") == "SF-16"
    game.test("zealots")
    for target in ("guard", "zealots"):
        assert game.clause("reroll_test", target=target, reason="a banner") == "SF-16"


def test_a_reroll_brings_no_more_shrapnel() -> None:
    """SF-16, SF-29: only the test is rolled again."""
    game = Game(blue("b2", 1, PULSE_CANNON), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "b2")
    game.test("scouts", [1, 4, 6, 6])
    entry = game.give("reroll_test", target="scouts", reason="a banner", dice=PASS)
    assert rolled(entry) == [("leadership", 2, 8)]


# Who does not roll


@pytest.mark.parametrize("target", [FEARLESS, MONSTER], ids=["fearless", "monstrous creature"])
def test_passing_without_a_roll(target: Told) -> None:
    """SF-17: the fearless and monstrous creatures are not pinned, and are still hit if they act."""
    game, name = crossfire(5, target), target["id"]
    entry = game.give("test", target=name)
    assert entry.rolls == ()
    assert (game.suppression(name)["test"], game.unit(name)["pinned"]) == ("not_needed", False)
    game.to("red")
    before = game.unit(name)["models"]
    assert dice_for(game.act(name, "move"), "hit") == [before]
    assert game.suppression(name)["spent"]


@pytest.mark.parametrize("mark", ["pinned", "gone_to_ground"])
def test_pinned_or_gone_to_ground_already(mark: str) -> None:
    """SF-17: no test, and the unit stays as it is."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.give("status", unit="scouts", status=mark, on=True)
    game.declare("scouts", "avengers")
    entry = game.give("test", target="scouts")
    assert (entry.rolls, game.suppression("scouts")["test"]) == ((), "not_needed")
    told = game.unit("scouts")
    assert (told["pinned"], told["status"]) == ((True, []) if mark == "pinned" else (False, ["gone_to_ground"]))
    game.to("red")
    assert game.clause("act", unit="scouts", action="move") == "SF-18"


def test_a_vehicle_takes_no_test() -> None:
    """SF-17, SF-33: not needed, with or without the order; and shrapnel passes it by."""
    game = Game(blue("b1", 1, PULSE_CANNON), carrier("rhino", "red", models("hull", 1, toughness=3)))
    game.to("blue", "shooting")
    game.declare("rhino", "b1")
    entry = game.give("test", target="rhino")
    assert (entry.rolls, game.suppression("rhino")["test"]) == ((), "not_needed")


@pytest.mark.parametrize("target", [FEARLESS, {**red("scouts"), "kind": "monstrous_creature"}])
def test_shrapnel_falls_test_or_no_test(target: Told) -> None:
    """SF-17: on those who need no test too."""
    game = Game(blue("b1", 1, PULSE_CANNON), target)
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    entry = game.give("test", target="scouts", dice=[2, 1, 6])
    assert rolled(entry) == [("shrapnel", 1, None), ("save", 2, 4)]
    assert (game.suppression("scouts")["test"], game.unit("scouts")["models"]) == ("not_needed", 9)


def test_shrapnel_falls_on_the_pinned() -> None:
    """SF-17: being down already is no shelter."""
    game = Game(blue("b1", 1, PULSE_CANNON), red("scouts"))
    game.to("blue", "shooting")
    game.give("status", unit="scouts", status="gone_to_ground", on=True)
    game.declare("scouts", "b1")
    game.test("scouts", [1, 1])
    assert game.unit("scouts")["models"] == 9


# Pinned


@pytest.mark.parametrize("bound", ["pinned", "gone_to_ground"])
@pytest.mark.parametrize(
    ("action", "phase"),
    [
        ("move", "movement"),
        ("embark", "movement"),
        ("run", "shooting"),
        ("shoot", "shooting"),
        ("assault", "assault"),
        ("other", "movement"),
        ("other", "assault"),
    ],
)
def test_the_pinned_do_nothing(action: str, phase: str, bound: str) -> None:
    """SF-18: nor those who have gone to ground."""
    game = Game(red("scouts", 5), carrier("rhino"))
    game.give("status", unit="scouts", status=bound, on=True)
    game.to("red", phase)
    more: Told = {"into": "rhino"} if action == "embark" else {}
    assert game.clause("act", unit="scouts", action=action, **more) == "SF-18"
    game.give("status", unit="scouts", status=bound, on=False)
    game.give("act", unit="scouts", action=action, **more)


@pytest.mark.parametrize("bound", ["pinned", "gone_to_ground"])
def test_pinned_passengers(bound: str) -> None:
    """SF-18: they neither get out nor fire nor suppress."""
    game = Game(blue("avengers"), carrier("trukk", open_topped=True), inside(red("crew"), "trukk"))
    game.give("status", unit="crew", status=bound, on=True)
    game.to("red")
    assert game.clause("act", unit="crew", action="disembark") == "SF-18"
    game.to("red", "shooting")
    assert game.clause("act", unit="crew", action="fire_from_vehicle") == "SF-18"
    assert game.no_declare("avengers", "crew").clause in ("SF-6", "SF-18")


def test_losing_all_suppressors_does_not_free() -> None:
    """SF-18: pinned is pinned until the end of its own turn."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers", dice=FAIL)
    game.give("status", unit="avengers", status="destroyed", on=True)
    assert game.suppression("scouts")["hit_on"] is None
    assert game.clause("act", unit="scouts", action="move") == "SF-18"
    game.give("end_turn")
    assert not game.unit("scouts")["pinned"]


def test_the_pinned_count_as_gone_to_ground() -> None:
    """SF-18: `w` tells what the rest of the game has to know, if somebody attacks them."""
    game = Game(blue("avengers"), red("scouts"))
    reminder = "If Scouts is attacked it counts as gone to ground (SF-18)."
    assert reminder not in [line.text for line in game.history.rules.why(game.history.state, "scouts")]
    game.suppress("scouts", "avengers", dice=FAIL)
    assert reminder in [line.text for line in game.history.rules.why(game.history.state, "scouts")]


def test_no_suppressing_while_pinned() -> None:
    """SF-18: a pinned unit does not suppress back."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers", dice=FAIL)
    game.to("red", "shooting")
    assert game.no_declare("avengers", "scouts").clause in ("SF-6", "SF-18")


# No test left open


@pytest.mark.parametrize(("kind", "more"), [("phase", {"to": "assault"}), ("end_turn", {})])
def test_no_test_is_left_open(kind: str, more: Told) -> None:
    """SF-19: neither the phase nor the turn ends; the refusal names every unit that waits, and only those."""
    game = Game(blue("b1"), blue("b2"), blue("b3"), red("scouts"), red("guard"), red("veterans"))
    game.to("blue", "shooting")
    for suppressor, target in (("b1", "scouts"), ("b2", "guard"), ("b3", "veterans")):
        game.declare(target, suppressor)
    game.test("guard", PASS)
    refused = game.refused(kind, **more)
    assert refused.clause == "SF-19"
    assert [name in refused.message for name in ("Scouts", "Guard", "Veterans")] == [True, False, True]
    game.test("scouts", PASS)
    game.test("veterans", FAIL)
    game.give(kind, **more)


def test_a_vehicle_is_never_in_the_way() -> None:
    """SF-19, SF-33: its test is not needed."""
    game = Game(blue("avengers"), carrier("rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "avengers")
    game.give("phase", to="assault")
    assert game.suppression("rhino")["test"] is None


def test_a_target_without_effective_suppressors_is_tested_too() -> None:
    """SF-19: the order must be given, though it takes no dice."""
    game = Game(blue("squad", 2, RANDOM), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "squad", dice=[1])
    assert game.clause("end_turn") == "SF-19"
    game.test("scouts")
    game.give("end_turn")


def test_a_destroyed_target_is_not_waited_for() -> None:
    """SF-19, SF-28: its suppression ends at once, tested or not."""
    game = crossfire(1)
    game.give("status", unit="scouts", status="destroyed", on=True)
    assert game.show["suppressions"] == {}
    game.give("phase", to="assault")


def test_shrapnel_that_leaves_nobody_leaves_no_test() -> None:
    """SF-19, SF-28: wiped out before the test, the target owes none."""
    game = Game(blue("b1", 1, PULSE_CANNON), red("scouts", 1))
    game.to("blue", "shooting")
    game.declare("scouts", "b1")
    entry = game.give("test", target="scouts", dice=[3, 1, 1, 1])
    assert dice_for(entry, "leadership") == []
    assert game.unit("scouts")["out"]
    game.give("end_turn")


def test_guns_named_in_crossfire() -> None:
    """SF-14, SF-11: each unit of a crossfire names its guns or not, as it likes."""
    game = Game(blue("b1", 8), blue("b2"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", by("b1", 12, fires("men", "catapult", 4)), by("b2", 18))
    assert [game.fire("scouts", name)["shots"] for name in ("b1", "b2")] == [8, 10]
