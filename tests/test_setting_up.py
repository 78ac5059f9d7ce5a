"""Setting up on the screen, with keys only, in both rule sets: muster, copy, guns and models, amend, dismiss, note."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.entries import OrderEntry
from engine.form_fields import copied_name
from engine.gray_dawn.battle import Battle as GrayDawnBattle
from engine.gray_dawn.profiles import CombatantProfile
from engine.scorekeeping import Noted
from engine.suppression_fire.battle import Battle as SuppressionBattle
from engine.suppression_fire.profiles import UnitProfile
from saves.battle import OpenBattle
from saves.creating import create
from tests.gray_dawn_battles import RIFLE, person
from tests.screen import give, screen_text
from tests.sf_battles import BOLTGUN, CATAPULT, carrier, inside, models, unit
from tests.test_story_on_the_screen import press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen


def opened(folder: Path, rules: str, sides: tuple[str, ...]) -> Iterator[OpenBattle]:
    path = folder / "setting-up.battle.jsonl"
    create(path, rules=rules, sides=sides, seed="setting up")
    with OpenBattle.open(path) as battle:
        yield battle


@pytest.fixture
def field(tmp_path: Path) -> Iterator[OpenBattle]:
    """An empty battle of Suppression Fire."""
    yield from opened(tmp_path, "suppression-fire", ("blue", "red"))


@pytest.fixture
def ship(tmp_path: Path) -> Iterator[OpenBattle]:
    """An empty battle of Gray Dawn."""
    yield from opened(tmp_path, "gray-dawn", ("xcom", "aliens"))


async def keyed(battle: OpenBattle, *keys: str) -> str:
    """Press these keys on the battle screen; what it shows then."""
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *keys)
        assert isinstance(app.screen, BattleScreen), screen_text(app)
        return screen_text(app)


def unit_of(battle: OpenBattle, unit_id: str) -> UnitProfile:
    state = battle.history.state
    assert isinstance(state, SuppressionBattle)
    return state.units[unit_id].profile


def combatant_of(battle: OpenBattle, combatant_id: str) -> CombatantProfile:
    state = battle.history.state
    assert isinstance(state, GrayDawnBattle)
    return state.combatants[combatant_id].profile


def mustered(battle: OpenBattle, profile: dict[str, Any]) -> None:
    """Muster a unit, or a combatant, without the screen."""
    give(battle, {"type": "muster", "combatant" if "ref" in profile else "unit": profile})


def guns(profile: UnitProfile, group: int = 0) -> list[str]:
    return [gun.name for gun in profile.groups[group].weapons]


def weapons(profile: CombatantProfile) -> list[str]:
    return [gun.name for gun in profile.weapons]


# Copying


@pytest.mark.parametrize(
    ("name", "old_id", "names", "ids", "copy"),
    [
        ("Scouts", "scouts", {"Scouts"}, {"scouts"}, ("Scouts 2", "scouts-2")),
        ("Scouts", "scouts", {"Scouts", "Scouts 2"}, {"scouts", "scouts-2"}, ("Scouts 3", "scouts-3")),
        ("Scouts", "scouts", {"Scouts", "Scouts 3"}, {"scouts", "x"}, ("Scouts 2", "scouts-2")),
        ("Scouts", "scouts", {"Scouts"}, {"scouts", "scouts-2"}, ("Scouts 3", "scouts-3")),
        ("Scouts 2", "scouts-2", {"Scouts 2"}, {"scouts-2"}, ("Scouts 3", "scouts-3")),
        ("Squad 13", "alpha_13", {"Squad 13"}, {"alpha_13"}, ("Squad 14", "alpha-14")),
        ("7", "7", {"7"}, {"7"}, ("7 2", "7-2")),
        ("N" * 100, "n" * 40, set(), set(), ("N" * 95 + " 2", "n" * 35 + "-2")),
    ],
)
def test_a_copy_has_the_next_free_number(
    name: str, old_id: str, names: set[str], ids: set[str], copy: tuple[str, str]
) -> None:
    assert copied_name(name, old_id, names, ids) == copy


async def test_a_unit_is_copied_with_everything_it_was_mustered_with(field: OpenBattle) -> None:
    """Groups, models, guns, stat line, special rules, side; not its losses, its marks or where it sits."""
    scouts = unit(
        "scouts", "red", models("scouts", 4, BOLTGUN, toughness=4, armour=4, feel_no_pain=5, grenades="assault"),
        models("sergeant", 1, BOLTGUN, CATAPULT, wounds=2, leadership=10, eternal_warrior=True, relentless=True),
        name="Scouts", fearless=True,
    )  # fmt: skip
    mustered(field, carrier("truck", "red"))
    mustered(field, inside(scouts, "truck"))
    give(field, {"type": "casualties", "unit": "scouts", "group": "scouts", "models": 2})
    give(field, {"type": "wounds", "unit": "scouts", "group": "sergeant", "wounds": 1})
    give(field, {"type": "status", "unit": "scouts", "status": "pinned", "on": True})
    await keyed(field, "end", "C", "enter")
    old, copy = unit_of(field, "scouts"), unit_of(field, "scouts-2")
    assert (copy.name, copy.side, copy.groups, copy.kind, copy.fearless) == (
        "Scouts 2",
        "red",
        old.groups,
        "infantry",
        True,
    )
    unit_now = field.history.state.units["scouts-2"]
    assert (unit_now.models, unit_now.embarked_in, unit_now.pinned) == (5, None, False)
    assert [group.wounds_lost for group in unit_now.groups] == [0, 0]


async def test_a_vehicle_is_copied_with_its_guns_and_seats(field: OpenBattle) -> None:
    mustered(field, carrier("truck", "red", models("turret", 2, BOLTGUN), capacity=8, open_topped=True))
    await keyed(field, "end", "C", "enter")
    old, copy = unit_of(field, "truck"), unit_of(field, "truck-2")
    assert (copy.kind, copy.groups, copy.transport) == ("vehicle", old.groups, old.transport)


async def test_a_copy_is_as_amended_last_and_can_be_changed(field: OpenBattle) -> None:
    """Amended to eight; the copy has another name, side and number, and an id that goes with its name."""
    mustered(field, unit("squad", "blue", models("men", 5)))
    give(field, {"type": "amend", "unit": unit("squad", "blue", models("men", 8, BOLTGUN))})
    await keyed(field, "end", "C", "Old Guard", "tab", "tab", "right", "tab", "6", "enter")
    copy = unit_of(field, "old-guard")
    assert (copy.name, copy.side, copy.groups[0].models, guns(copy)) == ("Old Guard", "red", 6, ["boltgun"])


async def test_what_is_out_of_play_can_be_copied(field: OpenBattle, tmp_path: Path) -> None:
    """Reinforcements like those that fell; nothing else can be done with them."""
    mustered(field, unit("squad", "blue", models("men", 1)))
    give(field, {"type": "casualties", "unit": "squad", "group": "men", "models": 1})
    await keyed(field, "end", "C", "enter")
    assert field.history.state.units["squad-2"].models == 1


async def test_a_combatant_is_copied_with_everything_it_was_mustered_with(ship: OpenBattle) -> None:
    """Stats, armour, weapons, stance, cover, place, side; not points, wounds or rounds spent."""
    rook = person(
        "rook", "xcom", {**RIFLE, "loaded": 20}, ref=9, sp={"head": 14, "torso": 18, "arms": 10, "legs": 10},
        dodge=3, stealth=2, cover=2, stance="active", position=[1.5, -2],
    )  # fmt: skip
    mustered(ship, rook)
    give(ship, {"type": "wound", "combatant": "rook", "points": 3, "out": True})
    give(ship, {"type": "cover", "combatant": "rook", "level": 5})
    give(ship, {"type": "set", "combatant": "rook", "loaded": {"rifle": 1}, "reason": "fired"})
    await keyed(ship, "end", "C", "enter")
    old, copy = combatant_of(ship, "rook"), combatant_of(ship, "rook-2")
    assert copy.name == "Rook 2"
    for what in ("side", "ref", "sp", "dodge", "stealth", "cover", "stance", "position", "weapons"):
        assert getattr(copy, what) == getattr(old, what), what
    now = ship.history.state.combatants["rook-2"]
    assert (now.wounds, now.out, now.cover, now.loaded) == (0, False, 2, {"rifle": 20})


async def test_a_copied_combatant_can_be_changed(ship: OpenBattle) -> None:
    mustered(ship, person("rook", "xcom"))
    await keyed(ship, "end", "C", "Vex", "tab", "tab", "right", "tab", "tab", "4", "enter")
    copy = combatant_of(ship, "vex")
    assert (copy.name, copy.side, copy.cover) == ("Vex", "aliens", 4)


# Mustering


async def test_a_unit_of_the_armoury_with_other_models_and_guns(field: OpenBattle) -> None:
    """Found by typing; two scouts more; shotguns, which the armoury lists for them, instead of boltguns."""
    await keyed(field, "M", "scout", *["tab"] * 4, "6", "tab", "space", "down", "down", "space", "enter")
    scouts = unit_of(field, "scouts")
    assert (scouts.groups[0].models, guns(scouts), guns(scouts, 1)) == (6, ["shotgun"], ["boltgun"])


async def test_the_armoury_is_searched_by_army_too(field: OpenBattle) -> None:
    shown = await keyed(field, "M", "(eldar", "enter")
    assert "muster Dire Avengers" in shown


async def test_a_gun_is_found_by_typing_and_a_group_is_left_out(field: OpenBattle) -> None:
    """Any gun of the armoury is added to those there are; no sergeant this time."""
    await keyed(field, "M", "scout", *["tab"] * 5, "flam", "right", "tab", "0", "enter")
    scouts = unit_of(field, "scouts")
    assert [group.name for group in scouts.groups] == ["scouts"]
    assert guns(scouts) == ["boltgun", "flamer"]


async def test_one_model_has_another_gun(field: OpenBattle) -> None:
    """A further group is a model like those of the group before it; its gun is swapped in a few keys."""
    mustered(field, unit("guard", "blue", models("men", 9, BOLTGUN, toughness=4, armour=3)))
    await keyed(field, "end", "A", "shift+tab", "shift+tab", "right", "shift+tab", "space", "melta", "right", "enter")
    men, special = unit_of(field, "guard").groups
    assert (men.models, special.models, special.name) == (9, 1, "group 2")
    assert (special.toughness, special.armour, [gun.name for gun in special.weapons]) == (4, 3, ["meltagun"])


async def test_a_unit_in_no_armoury_is_typed_in(field: OpenBattle) -> None:
    """Name, models, stat line and a gun of its own, without leaving the form."""
    named = ("M", "your own", "tab", "tab", "Levy")
    stats = (*["tab"] * 6, "12", "tab", "4", "tab", "tab", "7")
    own_gun = (*["tab"] * 8, "right", "tab", "Pike gun", "tab", "pike", "tab", "tab", "5")
    shown = await keyed(field, *named, *stats, *own_gun, "enter")
    levy = unit_of(field, "levy")
    assert (levy.name, levy.groups[0].models, levy.groups[0].toughness, levy.groups[0].leadership) == (
        "Levy", 12, 4, 7,
    )  # fmt: skip
    (gun,) = levy.groups[0].weapons
    assert (gun.name, gun.gun_type, gun.range, gun.strength) == ("Pike gun", "pike", 24, 5)
    assert "muster Levy" in shown


async def test_a_combatant_of_the_armoury_with_another_weapon(ship: OpenBattle) -> None:
    """The pistol away, another found by typing."""
    await keyed(ship, "M", "soldier", *["tab"] * 7, "down", "space", "shift+tab", "tab", "sniper", "right", "enter")
    assert weapons(combatant_of(ship, "soldier")) == ["assault rifle", "sniper rifle"]


async def test_a_combatant_in_no_armoury_is_typed_in(ship: OpenBattle) -> None:
    """Name and a stat; over the top to the last field, a weapon of its own."""
    named = ("M", "your own", "tab", "tab", "Thing", *["tab"] * 5, "9")
    await keyed(ship, *named, *["shift+tab"] * 8, "right", "tab", "Spitter", "enter")
    thing = combatant_of(ship, "thing")
    assert (thing.name, thing.ref, weapons(thing)) == ("Thing", 9, ["Spitter"])


# Amending


async def test_amending_begins_with_the_models_that_are_left(field: OpenBattle) -> None:
    """SF-32: the group that fell is gone, the next keeps its own stat line, and what is shown is what is given."""
    mustered(field, unit("squad", "blue", models("men", 3), models("officers", 2, BOLTGUN, leadership=10)))
    give(field, {"type": "casualties", "unit": "squad", "group": "men", "models": 3})
    give(field, {"type": "casualties", "unit": "squad", "group": "officers", "models": 1})
    app = HeadsdownApp(lambda: BattleScreen(field))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "end", "A")
        shown = screen_text(app)
        await press(pilot, "enter")
    assert "officers            1" in shown
    assert "  men " not in shown
    (officers,) = unit_of(field, "squad").groups
    assert (officers.name, officers.models, officers.leadership, officers.weapons[0].name) == (
        "officers", 1, 10, "boltgun",
    )  # fmt: skip


async def test_models_and_stats_are_amended(field: OpenBattle) -> None:
    """Models are the second field; the stat line unfolds from the last; side and kind stay what they are."""
    mustered(field, unit("squad", "blue", models("men", 5)))
    await keyed(field, "end", "A", "tab", "8", "enter")
    assert unit_of(field, "squad").groups[0].models == 8
    app = HeadsdownApp(lambda: BattleScreen(field))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "end", "A", "shift+tab", "right", "tab", *["tab"] * 5)
        assert "Kind" not in screen_text(app)
        await press(pilot, "4", "enter")
    assert unit_of(field, "squad").groups[0].toughness == 4


async def test_weapons_and_stats_of_a_combatant_are_amended(ship: OpenBattle) -> None:
    mustered(ship, person("rook", "xcom"))
    await keyed(ship, "end", "A", "tab", "down", "space", "heavy pistol", "right", "enter")
    assert weapons(combatant_of(ship, "rook")) == ["rifle", "heavy pistol"]
    await keyed(ship, "end", "A", "shift+tab", "right", "tab", "tab", "9", "enter")
    assert combatant_of(ship, "rook").ref == 9


# Dismissing, notes


@pytest.mark.parametrize(
    ("rules", "profile"),
    [("suppression-fire", unit("squad", "xcom", models("men", 5))), ("gray-dawn", person("squad", "xcom"))],
)
async def test_dismissed_with_a_key_and_noted_with_a_few(rules: str, profile: dict[str, Any], tmp_path: Path) -> None:
    for battle in opened(tmp_path, rules, ("xcom", "aliens")):
        mustered(battle, profile)
        shown = await keyed(battle, "end", "X")
        assert "Squad: dismissed" in shown
        shown = await keyed(battle, "n", "Rain from the west", "enter")
        assert "note: Rain from the west" in shown
        last = battle.history.entries[-1]
        assert isinstance(last, OrderEntry)
        assert last.events == (Noted("Rain from the west"),)
