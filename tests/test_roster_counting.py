"""How many units and models a list has, and who carries what: oddities of real lists, faults of other importers."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.army_list import ListedUnit
from saves.rosters.reading import list_in
from tests.roster_files import (
    HOOK,
    PISTOL,
    F,
    S,
    armed,
    carried,
    counted,
    gun,
    read,
    seats,
    stats,
    vehicle,
    wargear,
    watch,
    xml,
)


def only(*selections: S) -> ListedUnit:
    """The one unit of a list."""
    (unit,) = (each for each in read(*selections).units if each.models)
    return unit


def kinds(unit: ListedUnit) -> list[tuple[str, int]]:
    return [(models.name, models.number) for models in unit.models]


# Which entries are units (section 3)


def test_configuration_is_passed_over_and_named() -> None:
    army = read(S("Rite of War"), S("Battle Size", inside=[S("Skirmish")]), S("Gunner", "model", 1, [stats("Gunner")]))
    assert [(each.name, each.why) for each in army.passed_over] == [
        ("Rite of War", "no model in it"),
        ("Battle Size", "no model in it"),
    ]


def test_configuration_with_profiles_is_no_unit() -> None:
    army = read(S("Warlord", profiles=[wargear("Warlord table", "Roll a die.")]))
    assert counted(army) == []
    assert [each.name for each in army.passed_over] == ["Warlord"]


def test_points_without_stats_are_offered() -> None:
    army = read(S("Harbour Pilot", points=150))
    assert [(unit.name, unit.number, unit.points) for unit in army.units] == [("Harbour Pilot", 0, Decimal(150))]


def test_an_upgrade_with_a_stat_line_is_models() -> None:
    """BSData/wh40k-10e#875, #1369: a unit of type upgrade vanished."""
    assert counted(read(S("Immortals", "upgrade", 10, [stats("Immortal")]))) == [("Immortals", 10)]
    assert counted(read(S("Squad", "unit", inside=[S("Immortal", "upgrade", 10, [stats("Immortal")])]))) == [
        ("Squad", 10)
    ]


def test_a_weapon_that_is_called_a_unit_or_a_model_is_none() -> None:
    glaive = gun("Storm glaive", '18"', type="Assault 1")
    unit = only(
        S("Riders", "unit", inside=[S("Rider", "model", 3, [stats("Rider")]), S("Storm glaive", "unit", 4, [glaive])])
    )
    assert (unit.number, list(carried(unit))) == (3, [("Storm glaive", 4)])
    unit = only(S("Rider", "model", 1, [stats("Rider")], [S("Storm glaive", "model", 1, [glaive])]))
    assert (unit.number, list(carried(unit))) == (1, [("Storm glaive", 1)])


def test_models_without_a_stat_line_have_that_of_their_unit() -> None:
    unit = only(
        S(
            "Cultists",
            "unit",
            1,
            [stats("Cultist", T="5")],
            [S("Cultist with rifle", "model", 9, [], [armed("Rifle", number=9)])],
        )
    )
    assert kinds(unit) == [("Cultist with rifle", 9)]
    assert unit.models[0].stats is not None
    assert unit.models[0].stats.value("T") == "5"


def test_a_unit_group_and_a_box_hold_units() -> None:
    one, two = (S(name, "unit", inside=[S(name, "model", 2, [stats(name)])]) for name in ("Alpha", "Beta"))
    assert counted(read(S("Talon", "unit-group", inside=[one, two]))) == [("Alpha", 2), ("Beta", 2)]


def test_a_model_that_is_a_box_counts_what_is_inside() -> None:
    box = S("Blood Claws", "model", inside=[S("Claw", "model", 5, [stats("Claw")]), armed("Axe", HOOK, number=5)])
    assert (counted(read(box)), kinds(only(box))) == ([("Blood Claws", 5)], [("Claw", 5)])
    adept = S("Adept", "model", inside=[S("Magos", "upgrade", 1, [stats("Magos")]), armed("Beamer")])
    unit = only(S("Auxilia", "unit", inside=[adept, S("Servant", "model", 4, [stats("Servant")])]))
    assert kinds(unit) == [("Magos", 1), ("Servant", 4)]
    assert [each.among for each in unit.carried] == [(0,)]


def test_a_transport_bought_by_a_squad_is_a_unit_and_carries_it() -> None:
    army = list_in(xml(watch()), "a.ros")
    by_name = {unit.name: unit for unit in army.units}
    assert by_name["Harbour Squad"].inside == by_name["Launch"].key == "launch"
    assert by_name["Launch"].transport is not None
    assert (by_name["Harbour Squad"].points, by_name["Launch"].points) == (Decimal(125), Decimal(35))


def test_a_retinue_is_a_unit_that_follows() -> None:
    army = list_in(xml(watch()), "a.ros")
    by_name = {unit.name: unit for unit in army.units}
    assert by_name["Escort"].follows == by_name["Captain"].key


def test_a_retinue_of_somebody_in_a_transport_rides_along() -> None:
    boat = S("Launch", "upgrade", 1, [vehicle("Launch"), seats("Launch")], id="boat")
    escort = S("Escort", "unit", inside=[S("Guard", "model", 4, [stats("Guard")])])
    army = read(S("Captain", "unit", 1, [stats("Captain")], [boat, escort]))
    assert [(unit.name, unit.inside) for unit in army.units] == [
        ("Captain", "boat"),
        ("Launch", ""),
        ("Escort", "boat"),
    ]


def test_drones_on_a_vehicle_stay_with_it() -> None:
    drones = S("Two Gun Drones", "upgrade", 1, [stats("Drone"), gun("Carbine", '18"', type="Assault 2")])
    unit = only(S("Skiffs", "unit", inside=[S("Skiff", "model", 1, [vehicle("Skiff")], [drones])]))
    assert kinds(unit) == [("Skiff", 1), ("Two Gun Drones", 1)]
    assert unit.warnings == ("Two Gun Drones: its name says 2, its number says 1; 1 counts",)


def test_the_same_unit_three_times_stays_three() -> None:
    """pwestling#34: two Daemon Princes were merged into one."""
    army = read(*(S("Gunner", "model", 1, [stats("Gunner")]) for _ in range(3)))
    assert len({unit.key for unit in army.units}) == len(army.units) == 3


def test_a_name_of_ones_own_is_the_name() -> None:
    assert counted(read(S("Gunner", "model", 1, [stats("Gunner")], alias="Old Tom"))) == [("Old Tom", 1)]


def test_names_are_one_line_of_plain_text() -> None:
    odd = "   VIII:\u00a0Night\u2028 Lords \u202egnirts [/] [red]\ufeff"
    assert counted(read(S(odd, "model", 1, [stats("x")]))) == [("VIII: Night Lords gnirts [/] [red]", 1)]


def test_words_that_are_of_no_use_do_no_harm() -> None:
    more = b"<publications><publication name='x'/></publications><customNotes>mine</customNotes><tags/><modifiers/>"
    raw = xml(watch()).replace(b"<forces>", more + b"<forces>", 1)
    assert counted(list_in(raw, "a.ros")) == counted(list_in(xml(watch()), "a.ros"))


# How many (section 4)


def test_a_number_is_the_total_of_the_unit() -> None:
    """Warscythe 10 under Lychguard 10 is ten, not a hundred; wh40k-10e#3182: a total was given to each model."""
    unit = only(S("Guard", "unit", inside=[S("Lychguard", "model", 10, [stats("L")], [armed("Staff", number=10)])]))
    assert (unit.number, list(carried(unit))) == (10, [("Staff", 10)])


def test_a_champion_and_four_are_five() -> None:
    """pwestling#1: 1 champion and 4 terminators came in as 1 and 1."""
    unit = only(
        S(
            "Terminators",
            "unit",
            inside=[S("Champion", "model", 1, [stats("C")]), S("Terminator", "model", 4, [stats("T")])],
        )
    )
    assert kinds(unit) == [("Champion", 1), ("Terminator", 4)]


def test_models_grouped_below_wrappers_all_arrive() -> None:
    """pwestling#74, #64, #69: of a squad grouped in another shape only the champion came."""
    rest = S("Havocs", "upgrade", inside=[S("4 Havocs", "upgrade", inside=[S("Havoc", "model", 3, [stats("H")]),
                                            S("Havoc with cannon", "model", 1, [stats("H")])])])  # fmt: skip
    unit = only(S("Havocs", "unit", inside=[S("Champion", "model", 1, [stats("C")]), rest]))
    assert kinds(unit) == [("Champion", 1), ("Havoc", 3), ("Havoc with cannon", 1)]


def test_models_inside_models_are_counted_with_their_own_weapons() -> None:
    """pwestling#36: an attack bike inside the bikes was lost, and all weapons went to the sergeant."""
    side_car = S("Attack bike", "model", 1, [stats("Attack bike", W="2")], [armed("Heavy gun", number=1)])
    bikes = S("Bike", "model", 3, [stats("Bike")], [armed("Bike gun", number=3), side_car])
    unit = only(S("Bikes", "unit", inside=[S("Sergeant", "model", 1, [stats("S")], [armed("Pistol", PISTOL)]), bikes]))
    assert kinds(unit) == [("Sergeant", 1), ("Bike", 3), ("Attack bike", 1)]
    assert [(each.name, each.among) for each in unit.carried] == [
        ("Pistol", (0,)),
        ("Heavy gun", (2,)),
        ("Bike gun", (1,)),
    ]


def test_a_weapon_below_an_option_wrapper_arrives() -> None:
    """pwestling#19: the default rifle under an option wrapper was missing."""
    unit = only(
        S(
            "Squad",
            "unit",
            inside=[S("Man", "model", 5, [stats("M")], [S("Options", inside=[armed("Rifle", number=5)])])],
        )
    )
    assert list(carried(unit)) == [("Rifle", 5)]


def test_a_weapons_number_counts() -> None:
    """pwestling#91, #113: three twin lascannons were shown as one; ThePants999#17: a unit's upgrade number ignored."""
    unit = only(S("Engine", "model", 1, [stats("E")], [armed("Flux arc", number=4)]))
    assert list(carried(unit)) == [("Flux arc", 4)]
    unit = only(S("Squad", "unit", inside=[S("Man", "model", 5, [stats("M")]), armed("Cannon", number=2)]))
    assert list(carried(unit)) == [("Cannon", 2)]


def test_mixed_stat_lines_stay_mixed() -> None:
    """wh40k-10e#7006, #6942: all models got the highest wounds of the unit."""
    both = [stats("Hunter", W="1"), stats("Hound Master", W="3")]
    unit = only(S("Hunt", "unit", 1, both, [S("Hunters", "model", 4), S("Hound Master", "model", 1)]))
    told = [(models.name, models.stats.value("W") if models.stats else None) for models in unit.models]
    assert told == [("Hunters", "1"), ("Hound Master", "3")]


def test_brackets_of_damage_are_one_model() -> None:
    lines = [stats("Reaper [1] (6+ Wounds remaining)", W="12"), stats("Reaper [2] (3-5 Wounds remaining)", W="N/A"),
             stats("Reaper [3] (1-2 Wounds remaining)", W="*")]  # fmt: skip
    unit = only(S("Reaper", "model", 1, lines))
    assert (unit.number, unit.models[0].brackets) == (1, 2)
    assert unit.models[0].stats is not None
    assert unit.models[0].stats.value("W") == "12"


@pytest.mark.parametrize(
    ("written", "taken"), [("999999999", 500), ("-1", 1), ("1e9", 500), ("", 1), ("many", 1), ("0", 1), ("NaN", 1)]
)
def test_an_impossible_number_is_bound_and_told(written: str, taken: int) -> None:
    unit = only(S("Gunner", "model", written, [stats("Gunner")]))
    assert unit.number == taken
    assert unit.warnings == (f"Gunner: the number {written or 'nothing'} cannot be; {taken} is taken",)


def test_several_ways_to_fire_are_one_weapon_with_profiles() -> None:
    modes = [gun("Plasma (Sustained)"), gun("Plasma (Maximal)", s="8"), gun("Plasma - Close Combat", "-")]
    unit = only(S("Gunner", "model", 1, [stats("Gunner")], [armed("Plasma", *modes)]))
    assert [(each.name, len(each.profiles)) for each in unit.carried] == [("Plasma", 3)]


def test_weapons_are_told_by_their_values_not_by_their_type() -> None:
    """rweyrauch/PrettyScribe#15: everything was there but weapons, since the type had another name."""
    for type_name in ("Weapon", "Ranged Weapons", "Arms of the Watch", ""):
        profile = gun("Rifle")
        profile.type = type_name
        assert list(carried(only(S("Gunner", "model", 1, [stats("Gunner")], [armed("Rifle", profile)])))) == [
            ("Rifle", 1)
        ]


@pytest.mark.parametrize("type_name", ["Unit", " Unit", "unit", "Model", "Profile", "Soldier"])
def test_stat_lines_are_told_by_their_values(type_name: str) -> None:
    assert counted(read(S("Gunner", "upgrade", 2, [stats("Gunner", type=type_name)]))) == [("Gunner", 2)]


def test_a_list_without_any_stats_keeps_its_models() -> None:
    """BSData/wh40k-7th-edition#2896: a roster that opened without any stats."""
    assert counted(read(S("Squad", "unit", inside=[S("Man", "model", 5)]))) == [("Squad", 5)]


def test_a_missing_category_and_a_missing_id_do_no_harm() -> None:
    """Floppy/dataslate#9, #3: without a faction category the page did nothing."""
    raw = xml(watch()).replace(b'<categories><category name="Troops" primary="true"/></categories>', b"")
    assert counted(list_in(raw, "a.ros")) == counted(list_in(xml(watch()), "a.ros"))


def test_a_force_without_name_and_quotes_in_names() -> None:
    """MegaMek#5625: quotes in the names of forces broke the save."""
    army = list_in(xml(F([S('The "Old" Guard & <Sons>', "model", 1, [stats("x")])], name="", faction='"X"')), "a.ros")
    assert counted(army) == [('The "Old" Guard & <Sons>', 1)]
    assert army.factions == ('"X"',)
