"""Suppression Fire's forms: what is inferred, what is refused, and the orders that come of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from engine.orders import resolve_order, written_down
from engine.refusals import Refusal
from engine.suppression_fire import RULES, orders
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.creating import create
from tests.screen import screen_text
from tests.sf_battles import BOLT_PISTOL, CATAPULT, LASGUN, Game, blue, by, carrier, inside, models, red, unit
from tests.test_story_on_the_screen import press
from tui.actions import KEPT_KEYS
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen

ARMOURY = armoury(RULES.armoury)


def filled(game: Game, order: str, **given: Any) -> Any:
    return RULES.fill_in(game.history.state, order, given, ARMOURY)


def fields(game: Game, order: str, **given: Any) -> dict[str, Any]:
    form = RULES.form(game.history.state, order, given, ARMOURY)
    return {field.name: field for field in form.fields}


def given_on_screen(game: Game, order: str, **given: Any) -> None:
    """Give the order that the form makes."""
    made = filled(game, order, **given)
    resolution = resolve_order(game.history, made)
    game.history.take(written_down(game.history, made, resolution, "", 0), resolution.state)


def test_every_order_has_a_key_and_every_key_is_one() -> None:
    keys = [action.key for action in RULES.actions]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 1 and key.isalpha() and key.isascii() and key not in KEPT_KEYS for key in keys)
    tags = {kind.__struct_config__.tag for kind in get_args(RULES.order_types)}
    assert {action.order for action in RULES.actions} == tags - {"import"}  # whose key is the screen's own


@pytest.mark.parametrize("entry", ARMOURY["units"])
def test_every_unit_of_the_armoury_can_be_mustered_and_amended(entry: str) -> None:
    """SF-8, SF-9: stat lines and guns of the armoury are within bounds; the same unit twice gets another id."""
    game = Game()
    given_on_screen(game, "muster", entry=entry, side="red")
    given_on_screen(game, "muster", entry=entry)
    first, second = game.show["units"].values()
    assert (first["side"], second["side"]) == ("red", "red")
    assert set(game.show["units"]) == {entry, f"{entry}-2"}
    given_on_screen(game, "amend", id=entry)
    assert game.unit(entry)["groups"] == first["groups"]


def test_a_unit_of_ones_own_is_typed_in() -> None:
    """SF-10, SF-25: every characteristic, and a gun that no armoury has."""
    game = Game()
    given = {
        "entry": "own", "side": "red", "name": "The Old Guard", "groups": 2, "fearless": True,
        "g0:name": "veterans", "g0:models": 7, "g0:toughness": 4, "g0:armour": "3", "g0:feel_no_pain": "5",
        "g0:grenades": "assault", "g0:guns": ("boltgun",), "g0:own": True, "g0:own:name": "volley gun",
        "g0:own:gun_type": "shot", "g0:own:range": 30, "g0:own:strength": 5, "g0:own:ap": "4",
        "g0:own:type": "heavy", "g0:own:die": "d3", "g0:own:tags": ("twin_linked",),
        "g1:name": "captain", "g1:models": 1, "g1:wounds": 3, "g1:leadership": 10, "g1:eternal_warrior": True,
    }  # fmt: skip
    assert {"g1:name", "g0:own:strength"} <= set(fields(game, "muster", **given))
    profile = filled(game, "muster", **given).unit
    assert (profile.id, profile.name, profile.fearless) == ("the-old-guard", "The Old Guard", True)
    veterans, captain = profile.groups
    assert (veterans.models, veterans.armour, veterans.feel_no_pain, veterans.grenades) == (7, 3, 5, "assault")
    gun = veterans.weapons[1]
    assert [weapon.name for weapon in veterans.weapons] == ["boltgun", "volley gun"]
    assert (gun.range, gun.strength, gun.ap, gun.type, gun.shots, gun.tags) == (
        30,
        5,
        4,
        "heavy",
        "d3",
        ("twin_linked",),
    )
    assert (captain.wounds, captain.leadership, captain.eternal_warrior) == (3, 10, True)
    given_on_screen(game, "muster", **given)


@pytest.mark.parametrize("given", [{}, {"entry": "own"}, {"entry": "own", "name": "x", "g0:own": True}])
def test_what_is_missing_of_a_unit_is_said(given: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        filled(Game(), "muster", **given)
    assert refused.value.clause == "order"


def test_a_vehicle_of_ones_own_carries_passengers() -> None:
    """SF-12, SF-33: capacity, fire points, and a unit that is mustered inside."""
    game = Game()
    given_on_screen(game, "muster", entry="own", name="Cart", kind="vehicle", groups=0, capacity=6, fire_points=1)
    given_on_screen(game, "muster", entry="scouts", embarked_in="cart")
    assert game.unit("scouts")["embarked_in"] == "cart"


def shooting(*units: Any) -> Game:
    game = Game(*units)
    game.to("blue", "shooting")
    return game


def test_a_declaration_is_inferred() -> None:
    """SF-5, SF-11: the only enemy, the selected unit, in reach of its guns, clear, all that may; no guns named."""
    game = shooting(blue("squad", 5, CATAPULT), red("mob"))
    form = fields(game, "declare", about="squad")
    assert (form["target"].value, form["by"].value) == ("mob", ("squad",))
    assert (form["range:squad"].value, form["range:squad"].inferred) == (18, "in reach: check it")
    assert form["guns:squad:men:catapult"].value == 5
    order = filled(game, "declare", about="squad")
    assert order == orders.Declare("mob", (orders.Suppressor("squad", 18),))


def test_the_last_range_of_a_pair_is_remembered() -> None:
    """SF-5: whoever of the two shoots."""
    game = shooting(blue("squad", 5, CATAPULT), unit("mob", "red", models("mob", 10, LASGUN)))
    game.declare("mob", by("squad", 9))
    game.test("mob", [1, 1])
    game.to("red", "shooting")
    form = fields(game, "declare", about="mob")
    assert (form["range:mob"].value, form["range:mob"].inferred) == (9, "as last time: check it")


def test_guns_that_may_not_are_told_and_cannot_be_chosen() -> None:
    """SF-8: the pistol is dim with its reason; choosing fewer guns names them one by one."""
    game = shooting(unit("squad", "blue", models("crew", 5, CATAPULT, BOLT_PISTOL)), red("mob"))
    form = fields(game, "declare", about="squad")
    assert "pistols may not suppress (SF-8)" in form["guns:squad:crew:bolt pistol"].forbidden
    order = filled(game, "declare", about="squad", **{"guns:squad:crew:catapult": 3})
    assert order.by[0].shooters == (orders.Shooter("crew", "catapult", 3),)


def test_no_gun_at_all_is_no_declaration() -> None:
    """SF-3: taking every gun away is not taken for all that may."""
    game = shooting(blue("squad", 5, CATAPULT), red("mob"))
    with pytest.raises(Refusal) as refused:
        filled(game, "declare", about="squad", **{"guns:squad:men:catapult": 0})
    assert refused.value.clause == "SF-3"


def test_range_and_sight_gun_by_gun() -> None:
    """SF-5: a gun that stands elsewhere has its own range and line of sight."""
    game = shooting(unit("squad", "blue", models("a", 5, CATAPULT), models("b", 3, CATAPULT)), red("mob"))
    given = {
        "about": "squad",
        "apart:squad": True,
        "gun_range:squad:b:catapult": 7,
        "gun_sight:squad:a:catapult": False,
    }
    assert "no line of sight" in fields(game, "declare", **given)["guns:squad:a:catapult"].forbidden
    order = filled(game, "declare", **given)
    assert order.by[0].shooters == (orders.Shooter("b", "catapult", 3, range=7, line_of_sight=True),)


def test_casualties_take_as_few_contributors_as_can_be() -> None:
    """SF-32: eight models, five of them firing: of four that fall one has to be firing; the owner may say more."""
    game = shooting(blue("squad", 8, CATAPULT), red("mob"))
    given_on_screen(game, "declare", about="squad", **{"guns:squad:men:catapult": 5})
    form = fields(game, "casualties", unit="squad", models=4)
    assert (form["contributors"].value, form["contributors"].least, form["contributors"].most) == (1, 1, 4)
    given_on_screen(game, "casualties", unit="squad", models=4, contributors=3)
    assert game.fire("mob", "squad")["shots"] == 4


def test_by_hand_in_the_fewest_words() -> None:
    """SF-2, SF-27, SF-32: wounds, healing, sight, marks, score, notes and the end, each as inferred."""
    game = shooting(blue("squad", 5, CATAPULT), unit("ogres", "red", models("ogres", 3, wounds=3)))
    given_on_screen(game, "wounds", unit="ogres")
    assert game.unit("ogres")["groups"]["ogres"] == {"models": 3, "wounds_lost": 1}
    given_on_screen(game, "restore", unit="ogres")
    assert game.unit("ogres")["groups"]["ogres"]["wounds_lost"] == 0
    given_on_screen(game, "declare", about="squad")
    given_on_screen(game, "line_of_sight", about="squad")
    assert game.effective("ogres") == set()
    given_on_screen(game, "line_of_sight", about="squad")
    assert game.effective("ogres") == {"squad"}
    given_on_screen(game, "status", unit="ogres")
    assert game.unit("ogres")["pinned"]
    given_on_screen(game, "test")
    given_on_screen(game, "phase")
    given_on_screen(game, "end_turn")
    given_on_screen(game, "begin_turn")
    assert game.show["side"] == "red"
    given_on_screen(game, "score", points=2)
    given_on_screen(game, "note", text="so be it")
    given_on_screen(game, "end_battle")
    assert game.show["ended"] == {"winner": "red", "reason": ""}


def test_passengers_fire_from_as_many_ports_as_there_are() -> None:
    """SF-12: the form begins with as many models as may fire, and takes no more."""
    game = Game(carrier("truck", "red", fire_points=2), inside(red("squad", 5, LASGUN), "truck"), blue("foes"))
    game.to("red", "shooting")
    form = fields(game, "act", unit="squad", action="fire_from_vehicle")
    assert (form["firing_models"].value, form["firing_models"].most) == (2, 2)
    given_on_screen(game, "act", unit="squad", action="fire_from_vehicle")
    assert game.unit("squad")["shot"]


async def test_a_unit_of_ones_own_on_keys(tmp_path: Path) -> None:
    """A name and a number of models are enough; the rest is an average trooper's."""
    path = tmp_path / "own.battle.jsonl"
    create(path, rules="suppression-fire", sides=("blue", "red"), seed="own")
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "M", "your own", "down", "down", "Levy", "enter")
            assert "Levy" in screen_text(app)
        profile = battle.history.state.units["levy"].profile
    assert (profile.name, profile.side, profile.groups[0].models) == ("Levy", "blue", 5)
