"""Saves, instant death, who takes the wounds, and what becomes of a unit that has none left."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from engine.refusals import Undecided
from engine.suppression_fire.battle import Group
from engine.suppression_fire.wounds import last_round, losses
from tests.engine_battle import give
from tests.sf_battles import (
    CATAPULT,
    PASS,
    Game,
    Told,
    blue,
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


def shooter(strength: int = 4, ap: int | None = 5) -> Told:
    return blue("avengers", 5, gun("test gun", "test", 24, strength, ap, "assault", 2))


def braving(target: Told, strength: int = 4, ap: int | None = 5, **switches: str) -> Game:
    """A red unit about to act under five units' fire: hit on 2+. No shrapnel, so that only the hits wound."""
    weapon = gun("test gun", "test", 24, strength, ap, "assault", 2)
    names = [f"b{n}" for n in range(5)]
    game = Game(*(blue(name, 5, weapon) for name in names), target, **{"shrapnel": "off", **switches})
    game.to("blue", "shooting")
    game.declare(target["id"], *names)
    needs_dice = not target.get("fearless")
    game.give("test", target=target["id"], dice=PASS if needs_dice else None)
    game.to("red")
    return game


def hit_and_wounded(count: int) -> list[int]:
    """Dice with which every one of so many models is struck and wounded."""
    return 2 * count * [6]


def lone(**stats: Any) -> Told:
    return unit("scouts", "red", models("men", 1, leadership=10, **stats))


# Saves


@pytest.mark.parametrize(
    ("armour", "invulnerable", "ap", "save"),
    [
        (None, None, 5, None),
        (4, None, None, 4),
        (4, None, 6, 4),
        (4, None, 5, 4),
        (4, None, 4, None),
        (4, None, 3, None),
        (4, None, 1, None),
        (6, None, 6, None),
        (2, None, 3, 2),
        (2, None, 2, None),
        (None, 5, 1, 5),
        (4, 5, 5, 4),
        (4, 5, 4, 5),
        (5, 4, 6, 4),
        (3, 3, 4, 3),
        (6, 5, None, 5),
    ],
)
def test_saves(armour: int | None, invulnerable: int | None, ap: int | None, save: int | None) -> None:
    """SF-25: armour if the AP is worse than the save, or none; invulnerable always; the better of those allowed."""
    game = braving(lone(toughness=4, armour=armour, invulnerable=invulnerable), 4, ap)
    saved = [] if save is None else [save]
    entry = game.act("scouts", "move", hit_and_wounded(1) + saved)
    assert rolled(entry)[2:] == ([] if save is None else [("save", 1, save)])
    assert game.unit("scouts")["models"] == len(saved)


def test_a_save_missed() -> None:
    """SF-25: one below the number and the model falls."""
    game = braving(lone(toughness=4, armour=4))
    game.act("scouts", "move", [*hit_and_wounded(1), 3])
    assert game.unit("scouts")["out"]


def test_no_cover_saves() -> None:
    """SF-25: a cover save cannot even be mustered, and one who has gone to ground gets none."""
    game = Game()
    assert game.clause("muster", unit=lone(cover=4)) == "order"
    game = braving(lone(toughness=4))
    assert rolled(game.act("scouts", "move", hit_and_wounded(1))) == [("hit", 1, 2), ("wound", 1, 4)]


@pytest.mark.parametrize(
    ("strength", "ap", "toughness", "eternal", "allowed"),
    [
        (4, None, 4, False, True),
        (4, 3, 4, False, True),
        (4, 2, 4, False, False),
        (4, 1, 4, False, False),
        (7, 5, 4, False, True),
        (8, 5, 4, False, False),
        (9, 5, 4, False, False),
        (8, 5, 4, True, True),
        (8, 2, 4, True, False),
    ],
)
def test_feel_no_pain(strength: int, ap: int | None, toughness: int, eternal: bool, allowed: bool) -> None:
    """SF-25, SF-26: after the save; not against AP1, AP2 or instant death, though the model has one wound only."""
    target = lone(toughness=toughness, feel_no_pain=4, eternal_warrior=eternal)
    game = braving(target, strength, ap)
    entry = game.act("scouts", "move", hit_and_wounded(1) + ([4] if allowed else []))
    assert rolled(entry)[2:] == ([("feel no pain", 1, 4)] if allowed else [])
    assert game.unit("scouts")["models"] == int(allowed)


def test_feel_no_pain_after_the_save() -> None:
    """SF-25: only for wounds not saved; three of five saved, one of two shrugged off."""
    game = braving(unit("scouts", "red", models("men", 5, toughness=4, armour=4, feel_no_pain=5)))
    entry = game.act("scouts", "move", [*hit_and_wounded(5), 4, 5, 6, 3, 1, 5, 4])
    assert rolled(entry)[2:] == [("save", 5, 4), ("feel no pain", 2, 5)]
    assert game.unit("scouts")["models"] == 4


# Instant death


@pytest.mark.parametrize(
    ("strength", "eternal", "left"), [(7, False, (3, 1)), (8, False, (2, 0)), (9, False, (2, 0)), (8, True, (3, 1))]
)
def test_instant_death(strength: int, eternal: bool, left: tuple[int, int]) -> None:
    """SF-26: S of twice the toughness kills a model of three wounds outright; eternal warriors lose one wound."""
    game = braving(unit("scouts", "red", models("men", 3, toughness=4, wounds=3, eternal_warrior=eternal)), strength)
    game.act("scouts", "move", [2, 1, 1, 2])
    assert game.unit("scouts")["groups"]["men"] == {"models": left[0], "wounds_lost": left[1]}


def test_the_hurt_one_falls_last() -> None:
    """SF-26: killed outright, unhurt models fall first and the hurt one stays hurt, until it is the last."""
    game = braving(unit("scouts", "red", models("men", 3, toughness=4, wounds=3)), 8)
    game.give("wounds", unit="scouts", group="men", wounds=2)
    game.act("scouts", "move", [2, 2, 1, 2, 2])
    assert game.unit("scouts")["groups"]["men"] == {"models": 1, "wounds_lost": 2}
    game = braving(unit("scouts", "red", models("men", 1, toughness=4, wounds=3)), 8)
    game.give("wounds", unit="scouts", group="men", wounds=2)
    game.act("scouts", "move", hit_and_wounded(1))
    assert game.unit("scouts")["out"]


def test_instant_death_goes_by_the_models_own_toughness() -> None:
    """SF-26: S8 slays the T4 boss outright and only wounds the T5 beasts, whose toughness wounds are rolled on."""
    pack = unit("pack", "red", models("boss", 1, toughness=4, wounds=3), models("beasts", 2, toughness=5, wounds=3))
    game = braving(pack, 8)
    entry = game.act("pack", "move", hit_and_wounded(3))
    assert rolled(entry) == [("hit", 3, 2), ("wound", 3, 2)]
    assert game.unit("pack")["groups"] == {
        "boss": {"models": 0, "wounds_lost": 0},
        "beasts": {"models": 2, "wounds_lost": 2},
    }


# Sharing out


@pytest.mark.parametrize(
    ("hurt", "unsaved", "left"),
    [(0, 1, (3, 1)), (0, 2, (2, 0)), (0, 3, (2, 1)), (1, 1, (2, 0)), (1, 2, (2, 1)), (1, 3, (1, 0)), (0, 4, (1, 0))],
)
def test_whole_models_first(hurt: int, unsaved: int, left: tuple[int, int]) -> None:
    """SF-27: three models of two wounds: as many as possible fall, and at most one is left hurt."""
    game = braving(unit("scouts", "red", models("men", 3, toughness=4, wounds=2)))
    if hurt:
        game.give("wounds", unit="scouts", group="men", wounds=hurt)
    if unsaved <= 3:
        game.act("scouts", "move", unsaved * [6] + (3 - unsaved) * [1] + unsaved * [6])
    else:
        game.give("wounds", unit="scouts", group="men", wounds=unsaved)
    assert game.unit("scouts")["groups"]["men"] == {"models": left[0], "wounds_lost": left[1]}


def mixed(*counts: int) -> Told:
    """Groups a, b, c of one-wound models with different armour, so that their saves tell them apart."""
    groups = (
        models(name, count, toughness=4, armour=save)
        for name, count, save in zip("abc", counts, (4, 3, 2), strict=False)
    )
    return unit("scouts", "red", *groups)


def dealt(game: Game, wounds: int, **more: Any) -> dict[str, int]:
    """How many saves each group rolls when the unit takes so many wounds."""
    count = game.unit("scouts")["models"]
    dice = wounds * [6] + (count - wounds) * [1] + wounds * [6] + wounds * [6]
    entry = game.act("scouts", "move", dice, **more)
    return {row.group: len(row.dice) for row in entry.rolls if row.purpose == "save"}


@pytest.mark.parametrize(
    ("wounds", "each"), [(1, {"a": 1}), (2, {"a": 2}), (3, {"a": 2, "b": 1}), (6, {"a": 2, "b": 3, "c": 1})]
)
def test_groups_take_wounds_as_listed(wounds: int, each: dict[str, int]) -> None:
    """SF-27: one wound to each model of the first group, then of the next."""
    assert dealt(braving(mixed(2, 3, 1)), wounds) == each


@pytest.mark.parametrize("order", itertools.permutations("abc"))
def test_the_owner_says_in_which_order(order: tuple[str, ...]) -> None:
    """SF-27: allocation: the dice follow the owner's order of groups."""
    sizes = {"a": 2, "b": 3, "c": 1}
    game = braving(mixed(2, 3, 1))
    expected, left = {}, 4
    for name in order:
        expected[name] = min(sizes[name], left)
        left -= expected[name]
    found = dealt(game, 4, allocation=list(order))
    assert list(found.items()) == [(name, count) for name, count in expected.items() if count]


def test_an_allocation_names_all_groups() -> None:
    """SF-27: each of them once, also those without models."""
    game = braving(mixed(2, 3, 1))
    for wrong in (["a", "b"], ["a", "b", "b"], ["a", "b", "c", "c"], ["a", "b", "d"]):
        assert game.clause("act", unit="scouts", action="move", allocation=wrong) == "order"
    game.give("casualties", unit="scouts", group="a", models=2)
    assert dealt(game, 2, allocation=["a", "c", "b"]) == {"c": 1, "b": 1}


def test_every_model_gets_one_before_any_gets_two() -> None:
    """SF-27: by shrapnel three wounds on two models: one each, then one more to the first group, or as allocated."""
    for allocation, each in ((None, {"a": 2, "b": 1}), (["b", "a"], {"b": 2, "a": 1})):
        target = unit("scouts", "red", *(models(name, 1, toughness=2, armour=3, wounds=3) for name in "ab"))
        game = Game(shooter(4), target)
        game.to("blue", "shooting")
        game.declare("scouts", "avengers")
        entry = game.give("test", target="scouts", dice=[3, 6, 6, 6, *PASS], allocation=allocation)
        assert {row.group: len(row.dice) for row in entry.rolls if row.purpose == "save"} == each


def test_the_owner_shares_out_the_last_round() -> None:
    """SF-27: of wounds that do not reach every model the owner says how many each group takes; asked if not said."""
    game = braving(mixed(2, 3, 1))
    order = {"type": "act", "unit": "scouts", "action": "move", "dice": [6, 6, 1, 1, 1, 1, 6, 6, 6, 6]}
    with pytest.raises(Undecided) as asked:
        give(game.history, order, ask=True)
    assert (asked.value.clause, asked.value.field, asked.value.owner) == ("SF-27", "shares", "scouts")
    offered = [option.value for option in asked.value.options]
    assert sorted(map(sorted, (told.items() for told in offered))) == sorted(
        map(sorted, (t.items() for t in ({"a": 2}, {"a": 1, "b": 1}, {"a": 1, "c": 1}, {"b": 2}, {"b": 1, "c": 1})))
    )
    for shares in offered:
        game = braving(mixed(2, 3, 1))
        entry = give(game.history, {**order, "shares": shares}, ask=True)
        assert {row.group: len(row.dice) for row in entry.rolls if row.purpose == "save"} == shares


@pytest.mark.parametrize(
    ("shares", "each"),
    [
        ({"a": 1}, {"a": 2, "b": 3}),
        ({"b": 1}, {"a": 2, "b": 3}),
        ({"c": 1}, {"a": 2, "b": 2, "c": 1}),
        ({"c": 5}, {"a": 2, "b": 2, "c": 1}),
        ({"b": 3, "c": 1}, {"a": 1, "b": 3, "c": 1}),
        ({"a": 0, "b": 0, "c": 0}, {"a": 2, "b": 3}),
    ],
)
def test_what_the_owner_leaves_open_goes_in_order(shares: Told, each: dict[str, int]) -> None:
    """SF-27: five wounds on six models: nobody takes two, whatever the owner says; the rest falls as listed."""
    assert dealt(braving(mixed(2, 3, 1)), 5, shares=shares) == each


@pytest.mark.parametrize(("wounds", "open_wounds"), [([1], 1), ([2], 0), ([3], 1), ([2, 3], 1), ([3, 3], 0)])
def test_the_owner_is_asked_for_the_last_round_alone(wounds: list[int], open_wounds: int) -> None:
    """SF-27: shrapnel on two unlike models: rounds that reach both of them leave one wound open, or none."""
    target = unit("scouts", "red", *(models(name, 1, toughness=2, armour=3, wounds=9) for name in "ab"))
    guns = [blue(f"b{at}", 5, gun("test gun", "test", 24, 4, 5, "assault", 2)) for at in range(len(wounds))]
    game = Game(*guns, target, shrapnel="per_unit")
    game.to("blue", "shooting")
    game.declare("scouts", *(each["id"] for each in guns))
    order = {"type": "test", "target": "scouts", "dice": [*wounds, *sum(wounds) * [6], *PASS]}
    if not open_wounds:
        give(game.history, order, ask=True)
        return
    with pytest.raises(Undecided) as asked:
        give(game.history, order, ask=True)
    assert asked.value.message.endswith("who takes 1 wound, one a model?")
    assert [option.value for option in asked.value.options] == [{"a": 1}, {"b": 1}]


def test_nothing_is_asked_where_nothing_is_open() -> None:
    """SF-27: one group, or a wound for every model: nobody needs to decide."""
    game = braving(mixed(2, 3, 1))
    order = {"type": "act", "unit": "scouts", "action": "move"}
    give(game.history, {**order, "dice": hit_and_wounded(6) + 6 * [6]}, ask=True)
    game = braving(mixed(4))
    give(game.history, {**order, "dice": [6, 1, 1, 1, 6, 6]}, ask=True)


def test_shares_of_unknown_groups() -> None:
    """SF-27: refused."""
    game = braving(mixed(2, 3, 1))
    assert game.clause("act", unit="scouts", action="move", shares={"d": 1}) == "order"


def test_all_saves_then_all_feel_no_pain() -> None:
    """SF-27: group by group within each."""
    groups = [models(name, 2, toughness=4, armour=4, feel_no_pain=5) for name in "ab"]
    game = braving(unit("scouts", "red", *groups))
    entry = game.act("scouts", "move", hit_and_wounded(4) + 4 * [1] + 4 * [5])
    assert [(row.purpose, row.group) for row in entry.rolls[2:]] == [
        ("save", "a"), ("save", "b"), ("feel no pain", "a"), ("feel no pain", "b")
    ]  # fmt: skip
    assert game.unit("scouts")["models"] == 4


def test_feel_no_pain_waits_for_the_saves_of_others() -> None:
    """SF-27: a group that has no save rolls its feel no pain only after the saves of the groups listed later."""
    game = braving(
        unit("scouts", "red", models("a", 1, toughness=4, feel_no_pain=5), models("b", 1, toughness=4, armour=4))
    )
    entry = game.act("scouts", "move", [*hit_and_wounded(2), 4, 5])
    assert [(row.purpose, row.group, row.dice) for row in entry.rolls[2:]] == [
        ("save", "b", (4,)), ("feel no pain", "a", (5,))
    ]  # fmt: skip
    assert game.unit("scouts")["models"] == 2


def test_a_group_without_a_save_takes_no_dice() -> None:
    """SF-27, SF-25: its models fall at once, the others roll."""
    game = braving(unit("scouts", "red", models("a", 2, toughness=4), models("b", 2, toughness=4, armour=3)))
    entry = game.act("scouts", "move", [*hit_and_wounded(4), 3, 3])
    assert [(row.group, len(row.dice)) for row in entry.rolls if row.purpose == "save"] == [("b", 2)]
    assert game.unit("scouts")["groups"]["a"]["models"] == 0


def test_wounds_beyond_a_group_are_lost() -> None:
    """SF-27: three wounds of shrapnel on two models: the second wound of a one-wound model hurts nobody else."""
    target = unit("scouts", "red", models("a", 1, toughness=2), models("b", 1, toughness=2, wounds=5))
    game = Game(shooter(4), target)
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.test("scouts", [3, *PASS])
    assert game.unit("scouts")["groups"] == {
        "a": {"models": 0, "wounds_lost": 0},
        "b": {"models": 1, "wounds_lost": 1},
    }


@pytest.mark.parametrize(
    ("models_there", "each", "hurt", "outright", "fallen"),
    [
        (2, 1, 0, False, (0, 1, 2, 2, 2)),
        (2, 2, 0, False, (0, 0, 1, 1, 2, 2)),
        (2, 2, 1, False, (0, 1, 1, 2, 2)),
        (2, 3, 2, False, (0, 1, 1, 1, 2, 2)),
        (2, 3, 2, True, (0, 1, 2, 2)),
    ],
)
def test_how_many_fall_by_so_many_wounds(
    models_there: int, each: int, hurt: int, outright: bool, fallen: tuple[int, ...]
) -> None:
    """SF-26, SF-27: of none, one, two ... unsaved wounds; those beyond the last model take nobody."""
    profile = Game(unit("scouts", "red", models("men", 2, wounds=each))).history.state.units["scouts"].groups[0].profile
    assert losses(Group(profile, models_there, hurt), len(fallen) - 1, outright) == fallen


@pytest.mark.parametrize(("rest", "ways"), [(1, 2), (39, 40), (40, 2), (60, 2)])
def test_too_many_ways_to_share_out(rest: int, ways: int) -> None:
    """SF-27: up to forty ways are offered; where there are more, each group first in turn."""
    told = Game(unit("scouts", "red", models("a", 50), models("b", 70))).history.state.units["scouts"]
    offered = [option.value for option in last_round(told, told.standing, rest, "shares").options()]
    assert len(offered) == ways
    assert all(sum(split.values()) <= rest for split in offered)
    if rest >= 40:
        assert offered == [{"a": min(50, rest)}, {"b": rest}]


# What is left


def test_survivors_go_on() -> None:
    """SF-28: the action is done by those who are left."""
    game = braving(red("scouts", 5, armour=None))
    game.act("scouts", "move", [6, 6, 1, 1, 1, 6, 6])
    assert (game.unit("scouts")["models"], game.unit("scouts")["moved"]) == (3, True)


@pytest.mark.parametrize("action", ["move", "embark"])
def test_a_unit_wiped_out_does_not_act(action: str) -> None:
    """SF-28: it is removed, its action does not happen, and its suppression ends at once."""
    game = braving(red("scouts", 2, armour=None))
    game.give("muster", unit=carrier("rhino"))
    entry = game.act("scouts", action, hit_and_wounded(2), **({"into": "rhino"} if action == "embark" else {}))
    assert events(entry, "acted") == []
    told = game.unit("scouts")
    assert (told["out"], told["models"], told["moved"], told["embarked_in"]) == (True, 0, False, None)
    assert game.show["suppressions"] == {}
    assert game.clause("act", unit="scouts", action="other") == "order"


@pytest.mark.parametrize("tested", [True, False])
def test_the_suppression_of_a_destroyed_unit_ends(tested: bool) -> None:
    """SF-28: tested or not; its suppressors suppress nobody any more."""
    game = Game(shooter(), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    if tested:
        game.test("scouts", PASS)
    game.give("casualties", unit="scouts", group="men", models=10)
    assert game.show["suppressions"] == {}
    assert game.unit("avengers")["suppressing"] is None
    assert game.clause("test", target="scouts") == "order"


def test_passengers_of_a_wreck_stand_on_foot() -> None:
    """SF-28: which is no action of theirs: they have not moved, are not hit, and may be suppressed there."""
    game = Game(blue("avengers"), blue("late"), carrier("rhino"), inside(red("crew"), "rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "avengers")
    entry = game.give("status", unit="rhino", status="destroyed", on=True)
    assert entry.rolls == ()
    told = game.unit("crew")
    assert (told["embarked_in"], told["moved"], told["models"]) == (None, False, 10)
    assert (game.unit("rhino")["out"], game.show["suppressions"]) == (True, {})
    game.declare("crew", "late")
    game.test("crew", PASS)
    game.to("red")
    assert dice_for(game.act("crew", "move", 10 * [1]), "hit") == [10]


def test_a_wreck_in_the_passengers_own_turn() -> None:
    """SF-28: what was aimed at their vehicle is over with it, and they act freely."""
    game = Game(blue("avengers"), carrier("rhino"), inside(red("crew"), "rhino"))
    game.to("blue", "shooting")
    game.declare("rhino", "avengers")
    game.to("red")
    game.give("status", unit="rhino", status="destroyed", on=True)
    assert game.act("crew", "move").rolls == ()


def test_passengers_who_suppress_go_on_from_a_wreck() -> None:
    """SF-28, SF-32: getting on foot so is no action, hence their fire still counts."""
    game = Game(carrier("trukk", "blue", open_topped=True), inside(blue("crew"), "trukk"), red("scouts"))
    game.suppress("scouts", "crew")
    game.give("status", unit="trukk", status="destroyed", on=True)
    assert game.effective("scouts") == {"crew"}


def test_a_vehicle_without_guns_is_in_play() -> None:
    """SF-28: only destruction takes it out; taking its last gun away does not."""
    game = Game(carrier("rhino"), carrier("raider", "red", models("hull", 1, CATAPULT)))
    game.give("casualties", unit="raider", group="hull", models=1)
    for vehicle in ("rhino", "raider"):
        assert (game.unit(vehicle)["models"], game.unit(vehicle)["out"]) == (0, False)
    game.to("red")
    game.act("raider", "move")
