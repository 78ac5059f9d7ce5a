"""What exposes a unit, and what it runs into: dice, number, profile of the hits, wounds."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusals import Undecided
from tests.engine_battle import give
from tests.sf_battles import (
    CATAPULT,
    HEAVY_BOLTER,
    LASGUN,
    PASS,
    PULSE_CANNON,
    Game,
    Told,
    blue,
    by,
    carrier,
    dice_for,
    events,
    gun,
    inside,
    models,
    red,
    rolled,
    unit,
)


def under_fire(target: Told, *suppressors: Told, dice: list[int] | None = PASS, **switches: str) -> Game:
    """Red's movement: blue units have suppressed the target, which passed its test."""
    game = Game(*suppressors, target, **switches)
    game.suppress(target["id"], *(told["id"] for told in suppressors), dice=dice)
    return game


def struck_by(game: Game, unit_id: str = "scouts", action: str = "move", **more: Any) -> tuple[Any, ...]:
    """The profile of the hits that an action brings: gun type, strength, AP."""
    (event,) = events(game.act(unit_id, action, **more), "struck")
    return event.gun_type, event.strength, event.ap


# Exposing


@pytest.mark.parametrize(
    ("action", "phase"),
    [
        ("move", "movement"),
        ("embark", "movement"),
        ("run", "shooting"),
        ("shoot", "shooting"),
        ("assault", "assault"),
        ("other", "movement"),
        ("other", "shooting"),
        ("other", "assault"),
    ],
)
def test_exposing_actions(action: str, phase: str) -> None:
    """SF-20: each of these costs a die per model, before the action itself."""
    game = Game(blue("avengers"), red("scouts"), carrier("rhino"))
    game.suppress("scouts", "avengers")
    game.to("red", phase)
    entry = game.act("scouts", action, 10 * [1], **({"into": "rhino"} if action == "embark" else {}))
    assert rolled(entry) == [("hit", 10, 6)]
    assert [type(event).__struct_config__.tag for event in entry.events] == ["struck", "acted"]
    assert game.suppression("scouts")["spent"]


def test_standing_still_is_no_action() -> None:
    """SF-20: a turn spent doing nothing costs nothing."""
    game = under_fire(red("scouts"), blue("avengers"))
    for phase in ("shooting", "assault"):
        game.to("red", phase)
    game.give("end_turn")
    assert game.unit("scouts")["models"] == 10


@pytest.mark.parametrize("mark", ["falling_back", "in_combat"])
def test_being_driven_back_and_fighting_on_are_no_actions(mark: str) -> None:
    """SF-20: marked so, the unit is not hit, and nothing is spent."""
    game = under_fire(red("scouts"), blue("avengers"))
    entry = game.give("status", unit="scouts", status=mark, on=True)
    assert entry.rolls == ()
    assert not game.suppression("scouts")["spent"]


def test_suppressing_never_exposes() -> None:
    """SF-20, SF-37: not even under fire, and not when it has braved it before."""
    game = under_fire(red("scouts", 10, CATAPULT), blue("avengers"), blue("others"))
    game.to("red", "shooting")
    entry = game.declare("avengers", "scouts")
    assert entry.rolls == ()
    assert not game.suppression("scouts")["spent"]


def test_who_acted_may_still_suppress() -> None:
    """SF-20, SF-7: having moved under fire, a unit suppresses with its assault guns and is not hit again."""
    game = under_fire(red("scouts", 10, CATAPULT), blue("avengers"))
    game.act("scouts", "move", 10 * [1])
    game.to("red", "shooting")
    assert game.declare("avengers", "scouts").rolls == ()


def test_only_in_its_own_turn() -> None:
    """SF-20: what happens to a unit in the enemy's turn exposes nobody."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    assert game.give("casualties", unit="scouts", group="men", models=1).rolls == ()
    assert game.clause("act", unit="scouts", action="other") == "SF-1"


def test_others_are_not_exposed_to_it() -> None:
    """SF-20: the fire aimed at one unit does not touch the one beside it."""
    game = Game(blue("avengers"), red("scouts"), red("guard"))
    game.suppress("scouts", "avengers")
    assert game.act("guard", "move").rolls == ()
    assert not game.suppression("scouts")["spent"]


def test_a_unit_on_foot_is_not_exposed_to_what_is_aimed_at_a_vehicle() -> None:
    """SF-20: nor the vehicle itself, whatever it does."""
    game = Game(blue("avengers"), red("scouts", 5), carrier("rhino", "red", models("hull", 2, HEAVY_BOLTER)))
    game.to("blue", "shooting")
    game.declare("rhino", "avengers")
    game.to("red")
    for unit_id, action in (("rhino", "move"), ("scouts", "move"), ("scouts", "embark")):
        more: Told = {"into": "rhino"} if action == "embark" else {}
        assert game.act(unit_id, action, **more).rolls == ()
    game.to("red", "shooting")
    assert game.act("rhino", "shoot").rolls == ()
    assert not game.suppression("rhino")["spent"]


def test_passengers_are_not_exposed_to_what_is_aimed_at_themselves() -> None:
    """SF-20: once inside, a unit that was suppressed on foot fires from the vehicle unharmed."""
    game = Game(blue("avengers"), red("scouts", 5), carrier("trukk", open_topped=True))
    game.suppress("scouts", "avengers")
    game.act("scouts", "embark", into="trukk", visible_to=[])
    game.to("red", "shooting")
    assert game.act("scouts", "fire_from_vehicle").rolls == ()


def test_other_actions_inside_expose_nobody() -> None:
    """SF-20: passengers are exposed only when they get out or fire."""
    game = Game(blue("avengers"), carrier("rhino"), inside(red("crew"), "rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "avengers")
    game.to("red")
    assert game.act("crew", "other").rolls == ()
    assert not game.suppression("rhino")["spent"]


# Once


def test_hit_once() -> None:
    """SF-21: a unit that moves, runs or shoots, and assaults is hit once, at the first of them."""
    game = under_fire(red("scouts"), blue("avengers"))
    assert dice_for(game.act("scouts", "move", 10 * [1]), "hit") == [10]
    assert game.suppression("scouts")["spent"]
    game.to("red", "shooting")
    assert game.act("scouts", "shoot").rolls == ()
    game.to("red", "assault")
    assert game.act("scouts", "assault").rolls == ()
    assert game.act("scouts", "other").rolls == ()


def test_spent_without_a_hit() -> None:
    """SF-21: ten dice without a six spend it just as well."""
    game = under_fire(red("scouts"), blue("avengers"))
    game.act("scouts", "move", 10 * [5])
    assert (game.suppression("scouts")["spent"], game.unit("scouts")["models"]) == (True, 10)


def test_nobody_effective_nothing_spent() -> None:
    """SF-21: the action is free, and the next one is not, should somebody be effective again by then."""
    game = under_fire(red("scouts"), blue("avengers"))
    game.give("line_of_sight", suppressor="avengers", target="scouts", clear=False)
    assert game.act("scouts", "move").rolls == ()
    assert not game.suppression("scouts")["spent"]
    game.give("line_of_sight", suppressor="avengers", target="scouts", clear=True)
    game.to("red", "shooting")
    assert dice_for(game.act("scouts", "run", 10 * [1]), "hit") == [10]


def test_one_die_per_model() -> None:
    """SF-21: all models of all groups that stand at that moment."""
    target = unit("scouts", "red", models("men", 6, toughness=4), models("boss", 1, toughness=4), models("guns", 3))
    game = under_fire(target, blue("avengers"))
    game.give("casualties", unit="scouts", group="guns", models=2)
    assert rolled(game.act("scouts", "move", 8 * [1])) == [("hit", 8, 6)]


def test_next_turn_it_is_fresh() -> None:
    """SF-21: a unit suppressed anew is hit anew."""
    game = under_fire(red("scouts"), blue("avengers"))
    game.act("scouts", "move", 10 * [1])
    game.suppress("scouts", "avengers")
    assert not game.suppression("scouts")["spent"]
    assert dice_for(game.act("scouts", "move", 10 * [1]), "hit") == [10]


def test_an_action_refused_spends_nothing() -> None:
    """SF-21: what the rules forbid is no action."""
    game = under_fire(red("scouts"), blue("avengers"))
    assert game.clause("act", unit="scouts", action="assault") == "SF-1"
    assert not game.suppression("scouts")["spent"]


# Who sees it


@pytest.mark.parametrize(
    ("seen_by", "needed"), [(None, 5), (["b1", "b2"], 5), (["b1"], 6), (["b3"], 6), ([], None), (["b1", "b2", "b3"], 4)]
)
def test_who_sees_the_unit_as_it_acts(seen_by: list[str] | None, needed: int | None) -> None:
    """SF-21, SF-32: by the line-of-sight flags (b3 is blocked) unless the order says who sees it; nobody: free."""
    game = under_fire(red("scouts"), blue("b1"), blue("b2"), blue("b3"))
    game.give("line_of_sight", suppressor="b3", target="scouts", clear=False)
    entry = game.act("scouts", "move", None if needed is None else 10 * [1], visible_to=seen_by)
    assert rolled(entry) == ([] if needed is None else [("hit", 10, needed)])
    assert game.suppression("scouts")["spent"] == (needed is not None)


def test_seeing_alone_does_not_suppress() -> None:
    """SF-21, SF-32: a suppressor with too few shots left does not count, though it sees the unit."""
    game = under_fire(red("scouts"), blue("b1"))
    game.give("casualties", unit="b1", group="men", models=3)
    assert game.act("scouts", "move", visible_to=["b1"]).rolls == ()


def test_onlookers_must_be_suppressors() -> None:
    """SF-21: visible_to names suppressors of that unit, nobody else."""
    game = under_fire(red("scouts"), blue("b1"))
    for stranger in ("nobody", "scouts"):
        assert game.clause("act", unit="scouts", action="move", visible_to=[stranger]) == "order"


# The number


@pytest.mark.parametrize(("count", "needed"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 2), (7, 2), (8, 2)])
def test_number_to_be_hit(count: int, needed: int) -> None:
    """SF-22: 6+ for one suppressor, one better for each more, never better than 2+."""
    game = under_fire(red("scouts", leadership=10), *(blue(f"b{n}") for n in range(count)))
    assert game.suppression("scouts")["hit_on"] == needed
    assert rolled(game.act("scouts", "move", 10 * [1])) == [("hit", 10, needed)]


@pytest.mark.parametrize(("face", "struck"), [(4, 0), (5, 3), (6, 3)])
def test_the_number_itself_hits(face: int, struck: int) -> None:
    """SF-22: with two suppressors a 5 strikes, a 4 does not."""
    game = under_fire(red("scouts", 3), blue("b1"), blue("b2"))
    entry = game.act("scouts", "move", 3 * [face] + struck * [1])
    assert entry.rolls[0].outcome == struck


def test_those_who_lapsed_do_not_count() -> None:
    """SF-22: of three units one lapsed: hit on 5."""
    game = under_fire(red("scouts"), blue("b1"), blue("b2"), blue("b3"))
    game.give("status", unit="b2", status="falling_back", on=True)
    assert game.suppression("scouts")["hit_on"] == 5


# The profile

SHURIKEN_CANNON = gun("shuriken cannon", "shuriken", 24, 6, 5, "assault", 3)
CARBINE = gun("carbine", "shuriken", 18, 4, 5, "assault", 1)


def test_the_gun_type_with_the_most_shots() -> None:
    """SF-23: added up over all suppressors: two las units with twelve shots outdo ten shuriken, ten only tie."""
    game = under_fire(red("scouts"), blue("b1"), blue("b2", 5, LASGUN), blue("b3", 3, HEAVY_BOLTER))
    assert game.suppression("scouts")["gun_type"] is None
    assert game.suppression("scouts")["gun_types_tied"] == ["las", "shuriken"]
    game = under_fire(red("scouts"), blue("b1"), blue("b2", 3, LASGUN), blue("b3", 3, LASGUN))
    assert game.suppression("scouts")["gun_type"] == "las"
    assert struck_by(game) == ("las", 3, None)


def test_same_ammunition_is_one_gun_type() -> None:
    """SF-23: boltguns and bolt pistols count together against more las shots than either has."""
    mixed = unit(
        "b1", "blue", models("bolters", 3, gun("boltgun", "bolt", 24, 4, 5, "rapid_fire", 1)),
        models("pistols", 4, gun("bolt pistol", "bolt", 12, 4, 5, "pistol", 1)),
    )  # fmt: skip
    game = under_fire(red("scouts"), mixed, blue("b2", 4, LASGUN), pistols="allowed")
    assert [game.fire("scouts", name)["shots"] for name in ("b1", "b2")] == [10, 8]
    assert struck_by(game) == ("bolt", 4, 5)


def test_only_effective_contributions_count() -> None:
    """SF-23: when the unit with most shots lapses, the other's gun strikes."""
    game = under_fire(red("scouts"), blue("b1", 10), blue("b2", 5, LASGUN))
    assert game.suppression("scouts")["gun_type"] == "shuriken"
    game.give("line_of_sight", suppressor="b1", target="scouts", clear=False)
    assert struck_by(game) == ("las", 3, None)


def test_only_surviving_contributors_count() -> None:
    """SF-23, SF-32: the majority is counted anew when models have fallen."""
    both = unit("b1", "blue", models("men", 4), models("guns", 2, HEAVY_BOLTER))
    game = under_fire(red("scouts"), both)
    assert game.suppression("scouts")["gun_type"] == "shuriken"
    game.give("casualties", unit="b1", group="men", models=2)
    assert struck_by(game) == ("bolt", 5, 4)


def test_profiles_within_a_gun_type() -> None:
    """SF-23: strength and AP with most shots, whatever the guns are called: two guns of S4 AP5 against one of S6."""
    told = unit("b1", "blue", models("a", 2), models("b", 3, CARBINE), models("c", 2, SHURIKEN_CANNON))
    assert struck_by(under_fire(red("scouts"), told)) == ("shuriken", 4, 5)
    told = unit("b1", "blue", models("a", 2), models("b", 1, CARBINE), models("c", 2, SHURIKEN_CANNON))
    assert struck_by(under_fire(red("scouts"), told)) == ("shuriken", 6, 5)


def test_a_tie_of_gun_types() -> None:
    """SF-23: asked of the target's owner before any die is rolled; nothing is chosen for them."""
    game = under_fire(red("scouts"), blue("b1", 6), blue("b2", 6, LASGUN))
    refused = game.refused("act", unit="scouts", action="move", dice=10 * [1])
    assert refused.clause == "SF-23"
    assert "las" in refused.message
    assert "shuriken" in refused.message
    assert game.clause("act", unit="scouts", action="move", gun_type="bolt") == "SF-23"
    assert game.clause("act", unit="scouts", action="move", gun_type="las", dice=[]) == "dice"
    assert struck_by(game, gun_type="las") == ("las", 3, None)


def test_a_tie_of_profiles() -> None:
    """SF-23: within the gun type the owner picks by the name of a gun of the profile."""
    told = unit("b1", "blue", models("a", 3), models("b", 2, SHURIKEN_CANNON))
    game = under_fire(red("scouts"), told)
    assert game.suppression("scouts")["gun_type"] == "shuriken"
    assert game.clause("act", unit="scouts", action="move") == "SF-23"
    assert game.clause("act", unit="scouts", action="move", weapon="lasgun") == "SF-23"
    assert struck_by(game, weapon="shuriken cannon") == ("shuriken", 6, 5)


def test_a_tie_within_a_tie() -> None:
    """SF-23: first the gun type, then the profile within it; a pick of the other type needs no weapon."""
    told = unit("b1", "blue", models("a", 3), models("b", 2, SHURIKEN_CANNON))
    for pick, expected in (
        ({"gun_type": "las"}, ("las", 3, None)),
        ({"gun_type": "shuriken", "weapon": "catapult"}, ("shuriken", 4, 5)),
    ):
        game = under_fire(red("scouts"), told, blue("b2", 6, LASGUN))
        assert game.clause("act", unit="scouts", action="move", gun_type="shuriken") == "SF-23"
        assert struck_by(game, **pick) == expected


def test_guns_of_one_name_and_two_profiles() -> None:
    """SF-23: a pick is possible also where both guns bear the same name."""
    strong = {**CATAPULT, "strength": 5}
    game = under_fire(red("scouts"), unit("b1", "blue", models("a", 3), models("b", 3, strong)))
    refused = game.refused("act", unit="scouts", action="move")
    assert struck_by(game, weapon="catapult S5 AP5") == ("shuriken", 5, 5)
    assert "catapult S4 AP5" in refused.message


def test_what_the_owner_picks_from() -> None:
    """SF-23: gun types by name; profiles by the gun, with strength and AP told once."""
    game = under_fire(red("scouts"), blue("b1", 6), blue("b2", 6, LASGUN))
    assert offered(game) == {"las": "las", "shuriken": "shuriken"}
    no_ap = {**CATAPULT, "name": "whip", "strength": 5, "ap": None}
    game = under_fire(red("scouts"), unit("b1", "blue", models("a", 3), models("b", 3, no_ap)))
    assert offered(game) == {"catapult": "catapult, S4 AP5", "whip": "whip, S5 AP-"}
    strong = {**CATAPULT, "strength": 5}
    game = under_fire(red("scouts"), unit("b1", "blue", models("a", 3), models("b", 3, strong)))
    assert offered(game) == {name: name for name in ("catapult S4 AP5", "catapult S5 AP5")}


def offered(game: Game) -> dict[Any, str]:
    with pytest.raises(Undecided) as asked:
        give(game.history, {"type": "act", "unit": "scouts", "action": "move"}, ask=True)
    return {option.value: option.label for option in asked.value.options}


def test_the_pick_is_ignored_without_a_tie() -> None:
    """SF-23: the majority strikes, whatever the owner would like."""
    game = under_fire(red("scouts"), blue("b1", 7), blue("b2", 6, LASGUN))
    assert struck_by(game, gun_type="las", weapon="lasgun") == ("shuriken", 4, 5)


def test_a_tie_by_those_who_see() -> None:
    """SF-23: counted among the suppressors that see the unit as it acts."""
    game = under_fire(red("scouts"), blue("b1", 6), blue("b2", 6, LASGUN))
    assert struck_by(game, visible_to=["b2"]) == ("las", 3, None)


def test_a_free_action_asks_nothing() -> None:
    """SF-23: no tie matters where no fire meets the action."""
    game = under_fire(red("scouts"), blue("b1", 6), blue("b2", 6, LASGUN))
    assert game.act("scouts", "move", visible_to=[]).rolls == ()


# Wounds


@pytest.mark.parametrize("toughness", range(1, 11))
@pytest.mark.parametrize("strength", [1, 3, 4, 6, 10])
def test_number_to_wound(strength: int, toughness: int) -> None:
    """SF-24: 4 + T - S between 2 and 6; no die at all where T is 4 or more above S."""
    weapon = gun("test gun", "test", 24, strength, 1, "assault", 5)
    target = red("scouts", 1, toughness=toughness, armour=None)
    game = under_fire(target, blue("b1", 1, weapon), shrapnel="off")
    needed = min(6, max(2, 4 + toughness - strength))
    expected = [("hit", 1, 6)] + ([("wound", 1, needed)] if toughness - strength < 4 else [])
    entry = game.act("scouts", "move", [6] + (len(expected) - 1) * [needed])
    assert rolled(entry) == expected
    assert game.unit("scouts")["models"] == (0 if len(expected) == 2 else 1)


@pytest.mark.parametrize(
    ("groups", "toughness"),
    [
        ([(6, 3), (3, 5)], 3),
        ([(3, 3), (6, 5)], 5),
        ([(4, 3), (4, 5)], 5),
        ([(4, 5), (4, 3)], 5),
        ([(2, 3), (2, 4), (3, 5)], 5),
        ([(3, 3), (2, 5), (2, 5)], 5),
        ([(3, 2), (3, 3), (2, 6)], 3),
    ],
)
def test_majority_toughness(groups: list[tuple[int, int]], toughness: int) -> None:
    """SF-24: what most models have, groups of the same T together; a tie: the higher."""
    target = unit("scouts", "red", *(models(f"g{n}", c, toughness=t) for n, (c, t) in enumerate(groups)))
    count = sum(c for c, _ in groups)
    entry = under_fire(target, blue("avengers")).act("scouts", "move", [6] + (count - 1) * [1] + [1])
    assert rolled(entry) == [("hit", count, 6), ("wound", 1, 4 + toughness - 4)]


def test_majority_of_those_who_stand() -> None:
    """SF-24: counted at that moment."""
    target = unit("scouts", "red", models("a", 5, toughness=3), models("b", 4, toughness=4))
    game = under_fire(target, blue("avengers"))
    game.give("casualties", unit="scouts", group="a", models=2)
    assert rolled(game.act("scouts", "move", [6] + 6 * [1] + [1]))[1] == ("wound", 1, 4)


# Worked examples


def test_thirty_models_under_five_lasguns() -> None:
    """SF-22: thirty models that act take five hits on average."""
    game = under_fire(red("mob", 30, toughness=3, armour=None), blue("guard", 5, LASGUN))
    (row, *_) = game.act("mob", "move", [*30 * [1]]).rolls
    assert (len(row.dice), row.needed) == (30, 6)
    game = Game(blue("guard", 5, LASGUN), red("mob", 30, toughness=3, armour=None))
    game.to("blue", "shooting")
    game.declare("mob", by("guard", 24))
    game.test("mob", PASS)
    game.to("red")
    mean_wounds = game.odds("act", unit="mob", action="move")["casualties"]["mean"]
    assert mean_wounds == pytest.approx(5 * 3 / 6)


def test_a_powerful_gun_strikes_as_it_is() -> None:
    """SF-23, SF-24: five shots of a pulse cannon wound T4 on 2+ and leave no armour."""
    game = under_fire(red("scouts", 2), blue("b1", 1, PULSE_CANNON), dice=[1, 6, *PASS])
    entry = game.act("scouts", "move", [6, 1, 2])
    assert rolled(entry) == [("hit", 2, 6), ("wound", 1, 2)]
    assert game.unit("scouts")["models"] == 1
