"""What values in real lists come to in Suppression Fire, and what is asked where they do not say."""

from __future__ import annotations

from typing import Any

import pytest

from engine.army_list import ArmyList
from engine.enlisting import answered, enlisted
from engine.registered import rule_set
from engine.ruleset import Enlistment
from engine.suppression_fire.profiles import GroupProfile, UnitProfile, Weapon
from saves.armoury import armoury
from saves.rosters.reading import list_in
from tests.roster_files import PISTOL, F, P, S, armed, gun, read, seats, stats, vehicle, wargear, watch, xml

RULES = rule_set("suppression-fire")
CATALOGUE = armoury(RULES.armoury)


def enlistment(army: ArmyList, **answers: str) -> Enlistment:
    given = {name.replace("__", ".").replace("_", "-"): value for name, value in answers.items()}
    return answered(RULES, RULES.begin(("Red", "Blue"), {}), army, "Red", given, CATALOGUE)[0]


def mustered(*selections: S, **answers: str) -> UnitProfile:
    """The first unit that a list comes to."""
    found = enlistment(read(*selections), **answers).units
    profile: UnitProfile = found[0].profile
    return profile


def group(*profiles: P, words: tuple[str, ...] = (), **changed: str) -> GroupProfile:
    """The only group of a single model with these profiles beside its stat line."""
    told = dict.fromkeys(words, "")
    return mustered(S("Gunner", "model", 1, [stats("Gunner", **changed), *profiles], words=told)).groups[0]


def shot(profile: P, **answers: str) -> Weapon | None:
    """The gun that a single model has, None where it is none."""
    unit = mustered(S("Gunner", "model", 1, [stats("Gunner", S="4")], [armed(profile.name, profile)]), **answers)
    return next(iter(unit.groups[0].weapons), None)


def told_gun(profile: P) -> Weapon:
    found = shot(profile)
    assert found is not None
    return found


def asked(army: ArmyList) -> dict[str, Any]:
    """What is assumed, with its value."""
    made = enlistment(army)
    return {field.name: field.value for field in made.fields if field.name in made.assumed}


# Stat lines


@pytest.mark.parametrize(
    ("written", "armour", "invulnerable"),
    [("3+", 3, None), ("2", 2, None), ("2+/4", 2, 4), ("-/4++", None, 4), ("3+/4++", 3, 4), ("-", None, None),
     ("3+\n          ", 3, None), ("7+", None, None), ("3+ /5++", 3, 5), ("4++", None, 4), ("2+, 5++", 2, 5)],
)  # fmt: skip
def test_saves(written: str, armour: int | None, invulnerable: int | None) -> None:
    found = group(Save=written)
    assert (found.armour, found.invulnerable) == (armour, invulnerable)


@pytest.mark.parametrize("name", ["Save", "Sv", "SV", "SAV", "save"])
def test_the_save_is_called_many_things(name: str) -> None:
    line = stats("Gunner")
    line.values = {(name if key == "Save" else key): value for key, value in line.values.items()}
    assert mustered(S("Gunner", "model", 1, [line])).groups[0].armour == 4


def test_leadership_in_capitals_and_toughness_of_a_bike() -> None:
    line = stats("Rider", T="4(5)")
    line.values["LD"] = line.values.pop("Ld")
    found = mustered(S("Rider", "model", 1, [line])).groups[0]
    assert (found.leadership, found.toughness) == (8, 4)


def test_an_empty_toughness_is_asked() -> None:
    army = read(S("Gunner", "model", 1, [stats("Gunner", T="")]))
    assert asked(army) == {"gunner.gunner.toughness": 3}
    assert enlistment(army, gunner__gunner__toughness="5").units[0].profile.groups[0].toughness == 5


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("Infantry", "infantry"), ("Infanty (Character)", "infantry"), ("Infantry (Character", "infantry"),
     ("Monstrous Creature", "monstrous_creature"), ("Flying Monstrous Creature", "monstrous_creature"),
     ("Jet Pack Infantry", "infantry"), ("Gargantuan Creature", "monstrous_creature")],
)  # fmt: skip
def test_unit_types(kind: str, expected: str) -> None:
    assert mustered(S("It", "model", 1, [stats("It", Unit_Type=kind)])).kind == expected


def test_special_rules() -> None:
    found = group(words=("Relentless", "Eternal Warrior", "Feel No Pain (4+)"))
    assert (found.relentless, found.eternal_warrior, found.feel_no_pain) == (True, True, 4)
    assert mustered(S("It", "model", 1, [stats("It")], words={"Fearless": ""})).fearless
    assert not mustered(S("It", "model", 1, [stats("It")], words={"Not Fearless": ""})).fearless
    assert group(Unit_Type="Bike").relentless


def test_feel_no_pain_without_a_number_is_asked() -> None:
    army = read(S("It", "model", 1, [stats("It")], words={"Feel No Pain": "as in Feel No Pain (6+), for example"}))
    assert asked(army) == {"it.it.feel_no_pain": "5"}


def test_saves_and_pain_from_the_words_of_wargear_are_assumed() -> None:
    field = wargear("Refractor field", "Confers 5++ Invulnerable Save")
    plate = wargear("War plate", "4+ Armour and FNP 6+ but may not run")
    army = read(S("It", "model", 1, [stats("It"), field, plate]))
    assert asked(army) == {"it.it.invulnerable": "5", "it.it.feel_no_pain": "6"}


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("Frag Grenades", "", "assault"),
        ("Photon Grenades", "", "defensive"),
        ("Krak Grenades", "", None),
        ("EMP Grenades", "Haywire", None),
        ("Stikkbombs", "", "assault"),
        ("Special grenades", "Defensive grenades", "defensive"),
        ("Fragment of a mast", "", None),
    ],
)
def test_grenades(name: str, text: str, kind: str | None) -> None:
    unit = mustered(S("It", "model", 1, [stats("It")], [S(name, profiles=[wargear(name, text)])]))
    assert unit.groups[0].grenades == kind


# Guns


@pytest.mark.parametrize(
    ("written", "expected"),
    [('24"', 24), ("12", 12), ("Template", 8), ('12" - 60"', 60), ('< 18"', 18), ("Infinite", 240), ("Unlimited", 240)],
)
def test_ranges(written: str, expected: int) -> None:
    assert told_gun(gun("Rifle", written)).range == expected


@pytest.mark.parametrize("written", ["-", "Melee", ""])
def test_close_combat_is_no_gun(written: str) -> None:
    assert shot(gun("Sword", written, "User", "3", "Melee, Two Handed.")) is None
    (unit,) = enlistment(read(S("It", "model", 1, [stats("It")], [armed("Sword", gun("Sword", written))]))).units
    assert "not for suppressing: Sword (close combat)" in unit.lines


@pytest.mark.parametrize("written", ["D6", "Special"])
def test_a_range_that_is_none_is_asked(written: str) -> None:
    army = read(S("It", "model", 1, [stats("It")], [armed("Gun", gun("Gun", written, type="Assault 1"))]))
    assert asked(army) == {"gun.gun.range": 24}


@pytest.mark.parametrize(
    ("written", "expected"),
    [("4", 4), ("10", 10), ("User", 4), ("+1", 5), ("+ 2", 6), ("x2", 8), ("X2", 8), ("2x", 8), ("User/+1*", 4)],
)
def test_strengths(written: str, expected: int) -> None:
    assert told_gun(gun("Rifle", s=written)).strength == expected


@pytest.mark.parametrize(("written", "default"), [("X", 3), ("D", 10), ("*", 3), ("-", 3)])
def test_a_strength_that_is_none_is_asked(written: str, default: int) -> None:
    army = read(S("It", "model", 1, [stats("It")], [armed("Rifle", gun("Rifle", s=written))]))
    assert asked(army) == {"gun.rifle.strength": default}


@pytest.mark.parametrize(("written", "expected"), [("5", 5), ("-", None), ("1", 1)])
def test_ap(written: str, expected: int | None) -> None:
    assert told_gun(gun("Rifle", ap=written)).ap == expected


@pytest.mark.parametrize(("written", "default"), [("3/2", "3"), ("3/4*", "3"), ("-1", ""), ("0", "")])
def test_an_ap_of_another_kind_is_asked(written: str, default: str) -> None:
    army = read(S("It", "model", 1, [stats("It")], [armed("Rifle", gun("Rifle", ap=written))]))
    assert asked(army) == {"gun.rifle.ap": default}


@pytest.mark.parametrize(
    ("written", "kind", "shots", "tags"),
    [
        ("Rapid Fire", "rapid_fire", 1, ()),
        ("Rapid-fire", "rapid_fire", 1, ()),
        ("Rapid Fire, Twin-Linked", "rapid_fire", 1, ("twin_linked",)),
        ("Pistol", "pistol", 1, ()),
        ("Pistol 1", "pistol", 1, ()),
        ("Pistol 1/2", "pistol", 1, ()),
        ("Assault 2, Deflagrate", "assault", 2, ()),
        ("Heavy 3 , Twin-Linked", "heavy", 3, ("twin_linked",)),
        ("Heavy 3, Twin Linked", "heavy", 3, ("twin_linked",)),
        ("Heavy D3", "heavy", "d3", ()),
        ("Heavy D6", "heavy", "d6", ()),
        ("Assault 1, Blast", "assault", 1, ("blast",)),
        ('Heavy 1, Large Blast (5")', "heavy", 1, ("blast",)),
        ('Heavy 1, Blast (3"), Gets Hot', "heavy", 1, ("blast", "gets_hot")),
        ("Ordnance 1, Barrage", "ordnance", 1, ()),
        ("Ordinance 1", "ordnance", 1, ()),
        ("Assault 1, One Use Only", "assault", 1, ()),
        ("Heavy 2, Gets Hot!", "heavy", 2, ("gets_hot",)),
        ("Heavy 12, Rending", "heavy", 12, ()),
    ],
)
def test_types(written: str, kind: str, shots: int | str, tags: tuple[str, ...]) -> None:
    found = told_gun(gun("Lance", type=written))
    assert (found.type, found.shots, found.tags) == (kind, shots, tags)


def test_a_name_makes_no_blast_but_a_twin() -> None:
    assert told_gun(gun("Blaster", type="Assault 1")).tags == ()
    assert told_gun(gun("Twin-linked rifle")).tags == ("twin_linked",)
    assert told_gun(gun("Flamer", "Template", type="Assault 1")).tags == ("template",)


def test_salvo_is_asked() -> None:
    profile = gun("Storm gun", type="Salvo 2/4")
    still, moving = shot(profile), shot(profile, gun__storm_gun__class="assault")
    assert still is not None
    assert moving is not None
    assert ((still.type, still.shots), (moving.type, moving.shots)) == (("heavy", 4), ("assault", 2))


@pytest.mark.parametrize("written", ["Armourbane, Unwieldy", "-"])
def test_a_gun_without_a_class_is_asked_and_left_out_until_answered(written: str) -> None:
    profile = gun("Strange gun", type=written)
    assert shot(profile) is None
    found = shot(profile, gun__strange_gun__class="heavy", gun__strange_gun__shots="3")
    assert found is not None
    assert (found.type, found.shots) == ("heavy", 3)


def test_shots_of_two_dice_are_asked() -> None:
    army = read(S("It", "model", 1, [stats("It")], [armed("Gun", gun("Gun", type="Heavy 2D6"))]))
    assert asked(army) == {"gun.gun.shots": 7}


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Boltgun", "bolt"),
        ("Bolter", "bolt"),
        ("Twin-linked Boltgun", "bolt"),
        ("Combi-bolter", "bolt"),
        ("In-built Meltagun", "melta"),
        ("Heavy Flamer", "flamer"),
        ("Pulse Laser", "pulse-laser"),
        ("Lascannon", "lascannon"),
        ("Las-lock", "las"),
        ("Laspistol", "las"),
        ("Assault Cannon", "assault-cannon"),
        ("Shuriken Cannon", "shuriken"),
        ("Boat thrower", "boat thrower"),
    ],
)
def test_ammunition_families_by_name(name: str, family: str) -> None:
    assert told_gun(gun(name)).gun_type == family


def test_a_family_can_be_another() -> None:
    found = shot(gun("Boltgun"), gun__boltgun__family="shell")
    assert found is not None
    assert found.gun_type == "shell"


def test_several_ways_to_fire_are_several_guns() -> None:
    modes = [gun("Plasma (Sustained)"), gun("Plasma (Maximal)", s="8"), gun("Plasma - Close Combat", "-")]
    unit = mustered(S("Gunner", "model", 1, [stats("Gunner")], [armed("Plasma", *modes)]))
    assert [weapon.name for weapon in unit.groups[0].weapons] == ["Plasma (Sustained)", "Plasma (Maximal)"]
    lance = [gun("Arc lance - Shooting", "12", type="Assault 1"), gun("Arc lance - Close Combat", "-")]
    assert told_gun(lance[0]).name == "Arc lance"


def test_a_weapon_of_which_only_the_name_is_known_is_the_armourys() -> None:
    unit = mustered(S("Gunner", "model", 1, [stats("Gunner")], [S("Storm bolter"), S("Purity seal")]))
    assert [(weapon.name, weapon.shots) for weapon in unit.groups[0].weapons] == [("Storm bolter", 2)]


# Who carries what


def arms(unit: UnitProfile) -> list[tuple[str, int, list[str]]]:
    return [(g.name, g.models, [weapon.name for weapon in g.weapons]) for g in unit.groups]


def squad(*weapons: S, models: int = 5) -> S:
    return S("Squad", "unit", inside=[S("Man", "model", models, [stats("Man")]), *weapons])


def test_one_line_for_several_models_is_asked() -> None:
    """pwestling#32: icon and instrument went to everybody; wh40k-10e#1217: everybody got all weapons."""
    one_gun = squad(armed("Rifle", gun("Rifle")))
    assert arms(mustered(one_gun)) == [("Man", 5, ["Rifle"])]
    assert arms(mustered(one_gun, squad__rifle__carried="one")) == [("Man", 4, []), ("Man (Rifle)", 1, ["Rifle"])]


def test_where_all_have_guns_a_single_line_is_one_carrier() -> None:
    unit = mustered(squad(armed("Rifle", gun("Rifle"), number=5), armed("Cannon", gun("Cannon", type="Heavy 3"))))
    assert arms(unit) == [("Man", 4, ["Rifle"]), ("Man (Cannon)", 1, ["Rifle", "Cannon"])]


def test_standard_wargear_is_everybodys() -> None:
    wrapper = S("Standard Wargear", inside=[armed("Flare pistol", PISTOL)])
    assert arms(mustered(squad(armed("Rifle", gun("Rifle"), number=5), wrapper))) == [
        ("Man", 5, ["Rifle", "Flare pistol"])
    ]


def test_guns_that_add_up_are_exchanged() -> None:
    """pwestling#100, #104: one model fewer, and another with double weapons."""
    unit = mustered(squad(armed("Rifle", gun("Rifle"), number=3), armed("Flail gun", gun("Flail gun"), number=2)))
    assert sorted(arms(unit)) == [("Man", 3, ["Rifle"]), ("Man (Flail gun)", 2, ["Flail gun"])]


def test_the_ways_to_fire_one_weapon_stay_with_its_carriers() -> None:
    """pwestling#36: what belongs to one model ended up with others."""
    modes = (gun("Plasma (Sustained)", type="Heavy 2"), gun("Plasma (Maximal)", s="8", type="Heavy 1"))
    rifles = armed("Rifle", gun("Rifle"), number=5)
    both = ["Rifle", "Plasma (Sustained)", "Plasma (Maximal)"]
    unit = mustered(squad(rifles, armed("Plasma", *modes, number=2)))
    assert arms(unit) == [("Man", 3, ["Rifle"]), ("Man (Plasma (Maximal))", 2, both)]
    army = read(squad(rifles, armed("Plasma", *modes)))
    assert asked(army) == {"squad.plasma-sustained.carried": "one"}
    assert arms(enlistment(army).units[0].profile)[1] == ("Man (Plasma (Maximal))", 1, both)


def test_twice_as_many_guns_as_models_are_told() -> None:
    (unit,) = enlistment(read(squad(armed("Rifle", gun("Rifle"), number=10)))).units
    assert "10 Rifle for 5 models: each fires one" in unit.lines


def test_models_that_are_alike_are_one_group() -> None:
    men = [S("Man", "model", 1, [stats("Man")], [armed("Rifle", gun("Rifle"))]) for _ in range(4)]
    sergeant = S("Sergeant", "model", 1, [stats("Sergeant", Ld="9")], [armed("Rifle", gun("Rifle"))])
    unit = mustered(S("Squad", "unit", inside=[*men, sergeant]))
    assert arms(unit) == [("Man", 4, ["Rifle"]), ("Sergeant", 1, ["Rifle"])]


def test_more_than_twelve_kinds_of_models_are_left_out_and_said_to_be() -> None:
    men = [S(f"Man {n}", "model", 1, [stats(f"Man {n}")]) for n in range(13)]
    made = enlistment(read(S("Squad", "unit", inside=men)))
    assert [(left.name, left.why) for left in made.left_out] == [
        ("Squad", "Squad has 13 kinds of models; these rules know 12 at most")
    ]


# Vehicles


def test_a_vehicles_groups_are_its_guns() -> None:
    tank = S(
        "Tank", "model", 1, [vehicle("Tank", "Tank")], [armed("Deck gun", gun("Deck gun", type="Heavy 2"), number=2)]
    )
    unit = mustered(tank)
    assert (unit.kind, unit.transport, arms(unit)) == ("vehicle", None, [("Deck gun", 2, ["Deck gun"])])


@pytest.mark.parametrize(
    ("points", "expected"), [("Two - top hatch", 2), ("2", 2), ("None", 0), ("Five (top hatch)", 5), ("-", 0)]
)
def test_transports(points: str, expected: int) -> None:
    unit = mustered(S("Boat", "model", 1, [vehicle("Boat"), seats("Boat", "12 models", points)]))
    assert unit.transport is not None
    assert (unit.transport.capacity, unit.transport.fire_points, unit.transport.open_topped) == (12, expected, False)


def test_an_open_topped_transport_without_its_seats_is_asked() -> None:
    army = read(S("Boat", "model", 1, [vehicle("Boat", "Fast, Transport, Open-topped")]))
    assert asked(army) == {"boat.capacity": 10}
    seats_told = enlistment(army).units[0].profile.transport
    assert seats_told is not None
    assert seats_told.open_topped


def test_the_squad_begins_inside_its_transport_where_there_is_room() -> None:
    army = list_in(xml(watch()), "a.ros")
    inside = {unit.profile.id: unit.profile.embarked_in for unit in enlistment(army).units}
    assert inside == dict.fromkeys(("captain", "escort", "crane-engine", "dock-levy", "launch")) | {
        "harbour-squad": "launch"
    }
    walking = enlistment(army, harbour_squad__inside="no")
    assert all(unit.profile.embarked_in is None for unit in walking.units)
    crowded = xml(watch()).replace(b">10</characteristic>", b">6</characteristic>")
    made = enlistment(list_in(crowded, "a.ros"))
    assert all(unit.profile.embarked_in is None for unit in made.units)


# Lists that these rules cannot use

OTHERS = {
    "8th or 9th": {"M": '6"', "WS": "3+", "BS": "3+", "S": "4", "T": "4", "W": "2", "A": "2", "Ld": "7", "Save": "3+"},
    "10th": {"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2"},
    "another game": {"Move": '5"', "Health": "3", "Save": "3+", "Control": "1"},
}


@pytest.mark.parametrize("edition", OTHERS)
def test_other_editions_are_listed_and_said_to_be_so(edition: str) -> None:
    army = read(S("Stranger", "model", 3, [P("Stranger", "Unit", OTHERS[edition])]))
    made = enlistment(army)
    assert (army.models, made.units) == (3, ())
    assert edition in made.left_out[0].why
    taken = enlistment(army, stranger__take="yes")
    assert taken.units[0].profile.groups[0].models == 3
    asked_now = {name.rpartition(".")[2] for name in taken.assumed}
    assert {"toughness", "wounds", "leadership"} <= asked_now


def test_a_unit_without_stats_is_typed_in() -> None:
    army = read(S("Harbour Pilot", points=150))
    assert enlistment(army).left_out[0].why == "the list has no stats for it: say yes to type them in"
    made = enlistment(army, harbour_pilot__take="yes", harbour_pilot__harbour_pilot__toughness="4")
    assert [(g.name, g.toughness, g.wounds) for g in made.units[0].profile.groups] == [("Harbour Pilot", 4, 1)]


def test_a_building_is_left_out() -> None:
    bunker = P("Bunker", "Building", {"Armour Value": "14", "Transport Capacity": "20", "Hull Points": "4"})
    assert "a building" in enlistment(read(S("Bunker", "model", 1, [bunker]))).left_out[0].why


def test_gray_dawn_asks_for_the_stats_that_no_list_builder_writes() -> None:
    rules = rule_set("gray-dawn")
    battle = rules.begin(("Watch", "Visitors"), {})
    army = read(S("Gunner", "model", 3, [stats("Gunner")]))
    made = enlisted(rules, battle, army, "Watch", {}, armoury(rules.armoury))
    assert [(left.name, left.why) for left in made.left_out] == [
        ("Gunner and 2 more", "it has no REF, CL, MA, INT, BODY; say yes to type them in")
    ]
    made = enlisted(rules, battle, army, "Watch", {"gunner.take": True, "gunner.ref": 9}, armoury(rules.armoury))
    assert [(unit.profile.name, unit.profile.ref) for unit in made.units] == [
        ("Gunner", 9),
        ("Gunner 2", 9),
        ("Gunner 3", 9),
    ]


def test_the_whole_watch() -> None:
    """Totals, kinds and questions of the list that shows what lists are like."""
    army = list_in(xml(F(watch().selections)), "a.ros")
    made = enlistment(army)
    assert [(unit.profile.name, unit.profile.kind) for unit in made.units] == [
        ("Launch", "vehicle"),
        ("Captain", "infantry"),
        ("Escort", "infantry"),
        ("Crane Engine", "monstrous_creature"),
        ("Dock Levy", "infantry"),
        ("Harbour Squad", "infantry"),
    ]
    assert [left.name for left in made.left_out] == ["Harbour Pilot"]
    assert made.assumed == ("dock-levy.levy-musket.carried",)
    squad_made = next(unit.profile for unit in made.units if unit.profile.id == "harbour-squad")
    assert arms(squad_made) == [
        ("Watchman", 8, ["Harbour rifle"]),
        ("Watchman (Quay cannon)", 1, ["Quay cannon"]),
        ("Sergeant", 1, ["Flare pistol"]),
    ]
    assert {g.grenades for g in squad_made.groups} == {"assault"}
