"""What players enter by hand: units, losses, marks, points and the end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sf_battles import (
    BOLTGUN,
    CATAPULT,
    HEAVY_BOLTER,
    LASGUN,
    PASS,
    Game,
    Told,
    blue,
    by,
    carrier,
    events,
    fires,
    inside,
    models,
    red,
    rolled,
    unit,
)


def suppressing() -> Game:
    """Blue's shooting phase: five avengers suppress the scouts."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    return game


# Muster


def test_the_least_a_unit_can_be() -> None:
    """A name is made from the id; the rest defaults."""
    game = Game({"id": "dire-avengers_2", "side": "blue", "groups": [{"name": "men", "models": 3}]})
    told = game.unit("dire-avengers_2")
    assert (told["name"], told["kind"], told["models"], told["side"]) == ("Dire Avengers 2", "infantry", 3, "blue")
    game.give("muster", unit=red("scouts"))
    game.to("red", "shooting")
    game.declare("dire-avengers_2", "scouts")
    entry = game.give("test", target="dire-avengers_2", dice=PASS)
    assert rolled(entry) == [("leadership", 2, 9)]


def test_who_comes_in_the_middle_of_a_turn_is_free() -> None:
    """It has not moved, run, fired or suppressed, is not pinned and bears no mark: heavy guns may suppress at once."""
    game = Game(red("scouts"))
    game.to("blue", "shooting")
    game.give("muster", unit=blue("late", 2, HEAVY_BOLTER))
    told = game.unit("late")
    assert [told[flag] for flag in ("moved", "ran", "shot", "pinned", "out")] == 5 * [False]
    assert (told["status"], told["embarked_in"]) == ([], None)
    late = game.history.state.units["late"]
    assert (late.declared, late.stayed_in) == (False, False)
    game.declare("scouts", "late")
    assert game.fire("scouts", "late")["shots"] == 6


def test_a_vehicle_may_have_no_groups() -> None:
    """And nobody else may."""
    game = Game({"id": "rhino", "side": "red", "kind": "vehicle", "transport": {"capacity": 10}})
    assert (game.unit("rhino")["models"], game.unit("rhino")["out"]) == (0, False)
    assert game.clause("muster", unit={"id": "nobody", "side": "red"}) == "order"


@pytest.mark.parametrize(
    "change",
    [
        {"id": "scouts"},
        {"side": "green"},
        {"id": "Scouts"},
        {"id": ""},
        {"id": "x" * 41},
        {"id": "new\n"},
        {"name": "x" * 101},
        {"groups": [models("men", 0)]},
        {"groups": [models("men", 201)]},
        {"groups": [models("men", 1), models("men", 1)]},
        {"groups": [models(f"g{n}", 1) for n in range(13)]},
        {"groups": [models("men", 1, CATAPULT, CATAPULT)]},
        {"groups": [models("men", 1, toughness=0)]},
        {"groups": [models("men", 1, armour=1)]},
        {"groups": [models("men", 1, armour=7)]},
        {"groups": [models("men", 1, {**CATAPULT, "range": 12.345})]},
        {"groups": [models("men", 1, {**CATAPULT, "shots": "d4"})]},
        {"groups": [models("men", 1, {**CATAPULT, "type": "salvo"})]},
        {"kind": "beast"},
        {"transport": {"capacity": 10}},
        {"embarked_in": "nothing"},
        {"embarked_in": "scouts"},
        {"embarked_in": "rhino"},
        {"embarked_in": "theirs"},
        {"embarked_in": "ours", "groups": [models("men", 11)]},
        {"embarked_in": "ours", "kind": "vehicle"},
    ],
    ids=repr,
)
def test_units_that_cannot_be(change: Told) -> None:
    """Refused with `order`, and nothing is recorded: names twice, out of bounds, no such side, no such seat."""
    game = Game(red("scouts"), unit("rhino", "blue", kind="vehicle"), carrier("ours", "blue"), carrier("theirs"))
    assert game.clause("muster", unit={**blue("new"), **change}) == "order"


def test_room_in_a_transport() -> None:
    """Capacity is counted in models, of all units inside."""
    game = Game(carrier("rhino"), inside(red("one", 6), "rhino"))
    assert game.clause("muster", unit=inside(red("two", 5), "rhino")) == "order"
    game.give("muster", unit=inside(red("two", 4), "rhino"))
    game.give("muster", unit=red("three", 1))
    game.to("red")
    assert game.clause("act", unit="three", action="embark", into="rhino") == "order"
    game.give("casualties", unit="one", group="men", models=1)
    game.act("three", "embark", into="rhino")
    assert game.unit("three")["embarked_in"] == "rhino"


@pytest.mark.parametrize("into", [None, "tank", "theirs", "wreck", "nothing", "scouts"])
def test_nothing_to_get_into(into: str | None) -> None:
    """Embarking needs a transport of one's own side, in play."""
    game = Game(red("scouts", 5), unit("tank", "red", kind="vehicle"), carrier("theirs", "blue"), carrier("wreck"))
    game.give("status", unit="wreck", status="destroyed", on=True)
    game.to("red")
    assert game.clause("act", unit="scouts", action="embark", into=into) == "order"


def test_getting_in_says_into_what() -> None:
    """Nothing is chosen for the player, even where there is one transport only."""
    game = Game(red("scouts", 5), carrier("rhino"))
    game.to("red")
    refused = game.refused("act", unit="scouts", action="embark")
    assert (refused.clause, refused.message) == ("order", "say into which transport Scouts gets")


def test_inside_and_on_foot() -> None:
    """Who is inside does not move, run, shoot, assault or embark; who is on foot does not get out or fire from it."""
    game = Game(carrier("rhino"), inside(red("crew", 5), "rhino"), red("scouts", 5), carrier("other"))
    for phase, actions in (("movement", ("move", "embark")), ("shooting", ("run", "shoot")), ("assault", ("assault",))):
        game.to("red", phase)
        for action in actions:
            assert game.clause("act", unit="crew", action=action, into="other") == "order"
    game.to("blue")
    for phase, action in (("movement", "disembark"), ("shooting", "fire_from_vehicle")):
        game.to("red", phase)
        assert game.clause("act", unit="scouts", action=action) == "order"
    game.to("blue")
    game.to("red")
    assert game.clause("act", unit="rhino", action="embark", into="other") == "order"


def test_two_hundred_units() -> None:
    """A battle holds no more."""
    game = Game(*(blue(f"u{n}", 1) for n in range(200)))
    assert game.clause("muster", unit=blue("one-more")) == "order"
    game.give("dismiss", unit="u7")
    game.give("muster", unit=blue("one-more"))


# Amend


def test_amend_replaces_the_profile() -> None:
    """Toughness, guns, name, numbers: all as the new profile says."""
    game = Game(blue("avengers"), red("scouts"))
    game.give("amend", unit=blue("avengers", 7, LASGUN, name="Guardians"))
    assert (game.unit("avengers")["name"], game.unit("avengers")["models"]) == ("Guardians", 7)
    game.to("blue", "shooting")
    game.declare("scouts", by("avengers", 20))
    assert game.fire("scouts", "avengers")["shots"] == 7


@pytest.mark.parametrize(
    ("groups", "shots"),
    [
        ([models("men", 5), models("guns", 2, HEAVY_BOLTER)], 16),
        ([models("men", 9), models("guns", 9, HEAVY_BOLTER)], 16),
        ([models("men", 3), models("guns", 2, HEAVY_BOLTER)], 12),
        ([models("men", 5)], 10),
        ([models("guns", 1, HEAVY_BOLTER)], 3),
        ([models("men", 5, BOLTGUN), models("guns", 2, HEAVY_BOLTER)], 6),
        ([models("men", 5, {**CATAPULT, "shots": 3}), models("guns", 2, HEAVY_BOLTER)], 16),
        ([models("others", 5)], 0),
    ],
    ids=["same", "more", "fewer", "no guns", "guns only", "other gun", "shots as declared", "other group"],
)
def test_declared_contributions_stay_as_far_as_they_exist(groups: list[Told], shots: int) -> None:
    """SF-11: group and gun by name, no more models than there are, shots as declared."""
    squad = unit("avengers", "blue", models("men", 5), models("guns", 2, HEAVY_BOLTER))
    game = Game(squad, red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    entry = game.give("amend", unit=unit("avengers", "blue", *groups))
    assert game.fire("scouts", "avengers")["shots"] == shots
    assert len(events(entry, "lapsed")) == (shots < 5)


def test_an_amended_gun_strikes_as_amended() -> None:
    """SF-23: the same gun by name, with its strength mended."""
    game = suppressing()
    game.give("amend", unit=blue("avengers", 5, {**CATAPULT, "strength": 6, "gun_type": "cannon"}))
    game.test("scouts", PASS)
    assert game.suppression("scouts")["gun_type"] == "cannon"
    game.to("red")
    entry = game.act("scouts", "move", [6] + 9 * [1] + [2, 4])
    assert rolled(entry)[1] == ("wound", 1, 2)


def test_two_lines_share_the_models_left() -> None:
    """SF-11: of six models that fired in two lines four are left: the first line keeps its own."""
    game = Game(blue("avengers", 6, CATAPULT, HEAVY_BOLTER), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", by("avengers", 12, fires("men", "catapult", 3), fires("men", "heavy bolter", 3)))
    game.give("amend", unit=blue("avengers", 4, CATAPULT, HEAVY_BOLTER))
    assert game.fire("scouts", "avengers")["shots"] == 3 * 2 + 3


def test_what_happened_to_it_stays() -> None:
    """Marks, flags, wounds lost by group, and where it is, whatever the order says."""
    crew = inside(unit("crew", "red", models("men", 3, wounds=3), models("boss", 1, wounds=3)), "rhino")
    game = Game(carrier("rhino"), crew, carrier("other"))
    game.give("wounds", unit="crew", group="men", wounds=2)
    game.give("status", unit="crew", status="shaken", on=True)
    game.to("red")
    game.act("crew", "disembark")
    game.act("crew", "embark", into="other")
    game.give("amend", unit=inside(unit("crew", "red", models("men", 3, wounds=2), models("boss", 2)), "rhino"))
    told = game.unit("crew")
    assert (told["embarked_in"], told["status"], told["moved"]) == ("other", ["shaken"], True)
    assert told["groups"] == {"men": {"models": 3, "wounds_lost": 1}, "boss": {"models": 2, "wounds_lost": 0}}


def test_a_new_group_is_unhurt() -> None:
    """A profile mended with a group more: nobody in it has lost a wound."""
    game = Game(unit("crew", "red", models("men", 3, wounds=3)))
    game.give("wounds", unit="crew", group="men", wounds=2)
    game.give("amend", unit=unit("crew", "red", models("men", 3, wounds=3), models("boss", 1, wounds=3)))
    assert game.unit("crew")["groups"] == {
        "men": {"models": 3, "wounds_lost": 2},
        "boss": {"models": 1, "wounds_lost": 0},
    }


def test_what_was_lost_is_counted_anew() -> None:
    """After amend nothing can be restored that fell before."""
    game = Game(blue("avengers"))
    game.give("casualties", unit="avengers", group="men", models=2)
    game.give("amend", unit=blue("avengers", 4))
    assert game.unit("avengers")["models"] == 4
    assert game.clause("restore", unit="avengers", group="men", models=1) == "order"


@pytest.mark.parametrize(
    "change",
    [
        {"side": "red"},
        {"kind": "monstrous_creature"},
        {"id": "nobody"},
        {"groups": []},
        {"groups": [models("men", 11)]},
        {"transport": {"capacity": 1}},
    ],
    ids=repr,
)
def test_amendments_that_cannot_be(change: Told) -> None:
    """Side and kind stay, and a passenger must still fit into its transport."""
    game = Game(carrier("rhino", "blue"), inside(blue("crew"), "rhino"))
    assert game.clause("amend", unit={**blue("crew"), **change}) == "order"


def test_a_transport_must_still_hold_its_passengers() -> None:
    game = Game(carrier("rhino"), inside(red("crew", 5), "rhino"))
    assert game.clause("amend", unit=carrier("rhino", capacity=4)) == "order"
    assert game.clause("amend", unit=unit("rhino", "red", kind="vehicle")) == "order"
    game.give("amend", unit=carrier("rhino", capacity=5))


def test_a_transport_of_one_passenger_stays_a_transport() -> None:
    """Also where it carries a single man; empty it may become anything."""
    game = Game(carrier("rhino"), inside(red("crew", 1), "rhino"))
    assert game.clause("amend", unit=unit("rhino", "red", kind="vehicle")) == "order"
    game.to("red")
    game.act("crew", "disembark")
    game.give("amend", unit=unit("rhino", "red", kind="vehicle"))


# Dismiss


def test_dismissed() -> None:
    """No longer listed; its id may be used again."""
    game = Game(blue("avengers"), red("scouts"))
    game.give("dismiss", unit="scouts")
    assert set(game.show["units"]) == {"avengers"}
    assert game.clause("dismiss", unit="scouts") == "order"
    game.give("muster", unit=red("scouts", 3))
    assert game.unit("scouts")["models"] == 3


def test_not_dismissed_while() -> None:
    """It suppresses, is suppressed, or carries anybody; passengers themselves may go."""
    game = suppressing()
    game.give("muster", unit=carrier("rhino"))
    game.give("muster", unit=inside(red("crew", 5), "rhino"))
    for busy in ("avengers", "scouts", "rhino"):
        assert game.clause("dismiss", unit=busy) == "order"
    game.give("dismiss", unit="crew")
    game.give("dismiss", unit="rhino")
    game.test("scouts", PASS)
    game.to("red")
    game.give("end_turn")
    game.give("dismiss", unit="avengers")
    game.give("dismiss", unit="scouts")


# Casualties, wounds, restore


@pytest.mark.parametrize("fallen", [1, 9, 10])
def test_casualties(fallen: int) -> None:
    """Whole models; the last one takes the unit out of play."""
    game = Game(red("scouts"))
    game.give("casualties", unit="scouts", group="men", models=fallen)
    assert (game.unit("scouts")["models"], game.unit("scouts")["out"]) == (10 - fallen, fallen == 10)


def test_the_hurt_model_is_the_last_casualty() -> None:
    """SF-27: of three models with three wounds, one hurt, two fall and the hurt one stands."""
    game = Game(unit("ogryns", "red", models("men", 3, wounds=3)))
    game.give("wounds", unit="ogryns", group="men", wounds=1)
    game.give("casualties", unit="ogryns", group="men", models=2)
    assert game.unit("ogryns")["groups"]["men"] == {"models": 1, "wounds_lost": 1}
    game.give("casualties", unit="ogryns", group="men", models=1)
    assert game.unit("ogryns")["groups"]["men"] == {"models": 0, "wounds_lost": 0}
    assert game.unit("ogryns")["out"]


def test_where_nobody_is_left_nobody_is_hurt() -> None:
    """The last model of a group falls with the wound it had lost; one brought back is unhurt."""
    game = Game(unit("crew", "red", models("men", 2, wounds=3), models("boss", 1)))
    game.give("wounds", unit="crew", group="men", wounds=1)
    game.give("casualties", unit="crew", group="men", models=2)
    assert game.unit("crew")["groups"]["men"] == {"models": 0, "wounds_lost": 0}
    game.give("restore", unit="crew", group="men", models=1)
    assert game.unit("crew")["groups"]["men"] == {"models": 1, "wounds_lost": 0}


@pytest.mark.parametrize(
    ("wounds", "left"), [(1, (3, 1)), (2, (3, 2)), (3, (2, 0)), (4, (2, 1)), (8, (1, 2)), (9, (0, 0))]
)
def test_wounds_by_hand(wounds: int, left: tuple[int, int]) -> None:
    """SF-27: whole models first; nine wounds are all that three such models have."""
    game = Game(unit("ogryns", "red", models("men", 3, wounds=3)))
    assert game.clause("wounds", unit="ogryns", group="men", wounds=10) == "order"
    game.give("wounds", unit="ogryns", group="men", wounds=wounds)
    assert game.unit("ogryns")["groups"]["men"] == {"models": left[0], "wounds_lost": left[1]}
    assert game.unit("ogryns")["out"] == (wounds == 9)


def test_one_group_falls_and_the_unit_stays() -> None:
    """SF-28: out of play only without any models."""
    game = Game(unit("scouts", "red", models("men", 2), models("boss", 1)))
    game.give("casualties", unit="scouts", group="boss", models=1)
    assert not game.unit("scouts")["out"]
    game.give("wounds", unit="scouts", group="men", wounds=2)
    assert game.unit("scouts")["out"]


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("casualties", {"models": 0}),
        ("casualties", {"models": 11}),
        ("casualties", {"group": "boss", "models": 1}),
        ("casualties", {"unit": "nobody", "models": 1}),
        ("wounds", {"wounds": 0}),
        ("wounds", {"wounds": 11}),
        ("wounds", {"group": "boss", "wounds": 1}),
        ("wounds", {"unit": "rhino", "group": "hull", "wounds": 1}),
        ("restore", {}),
        ("restore", {"models": 0, "wounds": 0}),
        ("restore", {"models": 1}),
        ("restore", {"wounds": 1}),
        ("restore", {"group": "boss", "models": 1}),
    ],
)
def test_losses_that_cannot_be(kind: str, more: Told) -> None:
    """More than there are, none, or of nobody; a vehicle has no wounds."""
    game = Game(red("scouts"), carrier("rhino", "red", models("hull", 1)))
    order: Told = {"unit": "scouts", "group": "men", **more}
    assert game.clause(kind, **order) == "order"


def test_restore() -> None:
    """No more than were lost since muster, models and wounds apart or together."""
    game = Game(unit("ogryns", "red", models("men", 3, wounds=3)))
    game.give("wounds", unit="ogryns", group="men", wounds=5)
    too_much: list[Told] = [{"models": 2}, {"wounds": 3}, {"models": 1, "wounds": 3}]
    for too_many in too_much:
        assert game.clause("restore", unit="ogryns", group="men", **too_many) == "order"
    game.give("restore", unit="ogryns", group="men", wounds=1)
    assert game.unit("ogryns")["groups"]["men"] == {"models": 2, "wounds_lost": 1}
    game.give("restore", unit="ogryns", group="men", models=1, wounds=1)
    assert game.unit("ogryns")["groups"]["men"] == {"models": 3, "wounds_lost": 0}
    assert game.clause("restore", unit="ogryns", group="men", models=1) == "order"


def test_a_whole_group_is_restored() -> None:
    """A group that had fallen altogether stands again, unhurt; a unit out of play does not."""
    game = Game(unit("scouts", "red", models("men", 2), models("boss", 1, wounds=3)))
    game.give("wounds", unit="scouts", group="boss", wounds=3)
    game.give("restore", unit="scouts", group="boss", models=1)
    assert game.unit("scouts")["groups"]["boss"] == {"models": 1, "wounds_lost": 0}
    game.give("status", unit="scouts", status="destroyed", on=True)
    assert game.clause("restore", unit="scouts", group="men", models=1) == "order"


def test_guns_of_a_vehicle_are_restored() -> None:
    game = Game(carrier("raider", "red", models("hull", 2)))
    game.give("casualties", unit="raider", group="hull", models=2)
    game.give("restore", unit="raider", group="hull", models=2)
    assert game.unit("raider")["models"] == 2


def test_restored_passengers_need_seats() -> None:
    game = Game(carrier("rhino", capacity=6), inside(red("crew", 6), "rhino"), red("late", 1))
    game.give("casualties", unit="crew", group="men", models=1)
    game.to("red")
    game.act("late", "embark", into="rhino")
    assert game.clause("restore", unit="crew", group="men", models=1) == "order"


# Status

MARKS = ("gone_to_ground", "falling_back", "in_combat", "shaken", "stunned")


@pytest.mark.parametrize("mark", MARKS)
def test_marks_on_and_off(mark: str) -> None:
    """Setting a mark twice, or taking off one that is not there, changes nothing."""
    game = Game(red("scouts"))
    for on, status in ((False, []), (True, [mark]), (True, [mark]), (False, [])):
        game.give("status", unit="scouts", status=mark, on=on)
        assert game.unit("scouts")["status"] == status


def test_pinned_is_no_status() -> None:
    """It is shown by itself, and may be set and taken off by hand."""
    game = Game(red("scouts"))
    for on in (True, False):
        game.give("status", unit="scouts", status="pinned", on=on)
        assert (game.unit("scouts")["pinned"], game.unit("scouts")["status"]) == (on, [])


def test_pinned_taken_off_by_hand() -> None:
    """SF-18: a table that frees a unit has freed it; the next action is met by the fire."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers", dice=[6, 6])
    game.give("status", unit="scouts", status="pinned", on=False)
    assert rolled(game.act("scouts", "move", 10 * [1])) == [("hit", 10, 6)]


def test_destroyed() -> None:
    """SF-28: all models are gone, for good; of a vehicle its fire, not its guns."""
    tank = unit("tank", "blue", models("bolters", 2, HEAVY_BOLTER), kind="vehicle")
    game = Game(tank, blue("avengers"), red("scouts"))
    game.suppress("scouts", "tank", "avengers")
    for gone, count in (("tank", 2), ("avengers", 0)):
        assert game.clause("status", unit=gone, status="destroyed", on=False) == "order"
        game.give("status", unit=gone, status="destroyed", on=True)
        assert (game.unit(gone)["out"], game.unit(gone)["models"]) == (True, count)
        assert game.fire("scouts", gone)["shots"] == 0
        for on in (True, False):
            assert game.clause("status", unit=gone, status="destroyed", on=on) == "order"
    assert game.act("scouts", "move").rolls == ()


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("amend", {"unit": red("scouts")}),
        ("dismiss", {"unit": "scouts"}),
        ("casualties", {"unit": "scouts", "group": "men", "models": 1}),
        ("wounds", {"unit": "scouts", "group": "men", "wounds": 1}),
        ("restore", {"unit": "scouts", "group": "men", "models": 1}),
        ("status", {"unit": "scouts", "status": "pinned", "on": True}),
        ("act", {"unit": "scouts", "action": "move"}),
        ("test", {"target": "scouts"}),
        ("reroll_test", {"target": "scouts", "reason": "a banner"}),
        ("muster", {"unit": red("scouts")}),
    ],
)
def test_a_unit_out_of_play_takes_no_orders(kind: str, more: dict[str, Any]) -> None:
    """Refused with `order`; it stays listed, and its id is taken."""
    game = Game(red("scouts"))
    game.give("status", unit="scouts", status="destroyed", on=True)
    game.to("red")
    assert game.clause(kind, **more) == "order"
    assert "scouts" in game.show["units"]


# Score, notes and the end


def test_score() -> None:
    """Points are added, and may be negative."""
    game = Game()
    assert game.show["score"] == {"blue": 0, "red": 0}
    for points in (3, -5, 1):
        game.give("score", side="red", points=points)
    assert game.show["score"] == {"blue": 0, "red": -1}
    assert game.clause("score", side="green", points=1) == "order"
    assert game.clause("score", side="red", points=10001) == "order"


@pytest.mark.parametrize("winner", ["red", None])
def test_the_end(winner: str | None) -> None:
    """After it only notes are taken; undo takes the end back."""
    game = Game(red("scouts"))
    assert game.show["ended"] is None
    game.give("end_battle", winner=winner, reason="time")
    assert game.show["ended"] == {"winner": winner, "reason": "time"}
    for kind, more in (
        ("begin_turn", {"side": "red"}),
        ("score", {"side": "red", "points": 1}),
        ("status", {"unit": "scouts", "status": "pinned", "on": True}),
        ("muster", {"unit": blue("avengers")}),
        ("end_battle", {"winner": None, "reason": "again"}),
    ):
        order: Told = dict(more)
        assert game.clause(kind, **order) == "order"
    game.give("note", text="a fine battle")
    for _ in range(2):
        game.history.take(game.history.undo("", 0))
    assert game.show["ended"] is None
    game.to("red")


def test_a_winner_must_have_fought() -> None:
    assert Game().clause("end_battle", winner="green", reason="") == "order"


def test_notes_change_nothing() -> None:
    game = suppressing()
    before = game.show
    game.give("note", text="smoke drifts over the road")
    assert game.show == before
    assert game.clause("note", text="") == "order"


# Dice


def test_dice_where_nothing_is_rolled() -> None:
    """Refused with `dice`; an empty list is no dice at all."""
    game = Game(red("scouts"))
    assert game.clause("begin_turn", side="red", dice=[1]) == "dice"
    game.give("begin_turn", side="red", dice=[])


@pytest.mark.parametrize("dice", [[], [1], [1, 1, 1], [0, 1], [7, 1]])
def test_dice_that_do_not_fit(dice: list[int]) -> None:
    """Too few, too many, or a face that the die does not have."""
    assert suppressing().clause("test", target="scouts", dice=dice) == "dice"


def test_the_rules_refuse_before_dice_are_looked_at() -> None:
    """Whatever faces come with it, an order is refused with the clause that forbids it."""
    game = suppressing()
    game.test("scouts", PASS)
    assert game.clause("test", target="scouts", dice=[9, 9, 9]) == "SF-16"
    assert game.clause("act", unit="scouts", action="move", dice=[0]) == "SF-1"


def test_too_few_dice_say_what_is_waiting() -> None:
    """Which roll waits, and for how many dice."""
    game = Game(blue("avengers"), red("scouts"))
    game.suppress("scouts", "avengers")
    refused = game.refused("act", unit="scouts", action="move", dice=[6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 4])
    assert "wound" in refused.message
    assert "2 D6" in refused.message


def test_a_mark_left_on_at_the_end_of_the_turn_is_told() -> None:
    """SF-2: marks set by hand stay; in the last phase of its side's turn they are told as waiting for a decision."""
    game = Game(blue("squad"), red("mob"))
    game.give("status", unit="squad", status="falling_back", on=True)
    game.to("blue", "shooting")
    assert not any("set by hand" in told for told in game.history.rules.pending(game.history.state))
    game.to("blue", "assault")
    waiting = game.history.rules.pending(game.history.state)
    assert [told for told in waiting if "falling back was set by hand" in told]
