"""One list in all generations of the format and in all containers makes the same units, with the same sums."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest

from engine.army_list import ArmyList, Origin, Total
from engine.enlisting import enlisted
from engine.registered import rule_set
from saves.armoury import armoury
from saves.rosters.reading import list_in
from tests.roster_files import SCHEMAS, F, S, as_json, counted, read, stats, watch, xml, zipped

WATCH = [("Harbour Squad", 10), ("Launch", 1), ("Captain", 1), ("Escort", 4), ("Crane Engine", 1), ("Dock Levy", 10)]

CONTAINERS = {
    **{f"schema {schema}": xml(watch(), schema=schema) for schema in SCHEMAS},
    "zip": zipped(xml(watch())),
    "zip of an old schema": zipped(xml(watch(), schema="1.15"), "roster.xml"),
    "JSON": as_json(watch()),
    "byte order mark": b"\xef\xbb\xbf" + xml(watch()),
    "UTF-16": xml(watch(), head='<?xml version="1.0" encoding="UTF-16"?>').decode().encode("utf-16"),
    "CRLF": xml(watch()).replace(b"\n", b"\r\n"),
    "another head": xml(watch(), head='<?xml version="1.0" encoding="utf-8"?>', more=' xmlns:xsi="http://x"'),
    "no namespace": xml(watch()).replace(b' xmlns="http://www.battlescribe.net/schema/rosterSchema"', b""),
}


def alike(army: ArmyList) -> ArmyList:
    """A list without what differs between containers by its nature: where it comes from, and categories of 1.14."""
    units = tuple(msgspec.structs.replace(unit, key="", category="") for unit in army.units)
    return msgspec.structs.replace(army, origin=Origin("", "", ""), units=units, factions=())


@pytest.mark.parametrize("container", CONTAINERS)
def test_the_same_units_from_every_container(container: str) -> None:
    army = list_in(CONTAINERS[container], "a.ros")
    plain = list_in(CONTAINERS["schema 2.03"], "a.ros")
    assert alike(army) == alike(plain)
    assert counted(army) == WATCH
    assert army.totals == (Total("points", army.totals[0].read, army.totals[0].read),)
    assert army.totals[0].read == 480
    assert army.factions == ("Harbour Watch",)


@pytest.mark.parametrize("container", CONTAINERS)
def test_the_same_profiles_and_the_same_questions(container: str) -> None:
    rules = rule_set("suppression-fire")
    battle = rules.begin(("Red", "Blue"), {})

    def made(raw: bytes) -> object:
        enlistment = enlisted(rules, battle, list_in(raw, "a.ros"), "Red", {}, armoury(rules.armoury))
        return [unit.profile for unit in enlistment.units], enlistment.fields, enlistment.left_out

    assert made(CONTAINERS[container]) == made(CONTAINERS["schema 2.03"])


@pytest.mark.parametrize("schema", SCHEMAS)
def test_which_program_wrote_it_is_told(schema: str) -> None:
    assert list_in(xml(watch(), schema=schema), "a.ros").origin.program == f"BattleScribe {schema}, XML"


def test_new_recruit_is_told_and_its_numbers_may_be_bare() -> None:
    army = list_in(as_json(F([S("Gunner", "model", 2, [stats("Gunner")], id="42")])), "a.json")
    assert army.origin.program == "New Recruit 2.03, JSON"
    assert [unit.key for unit in army.units] == ["42"]


def test_json_may_hold_a_single_element_instead_of_a_list() -> None:
    """Dumps of XML as JSON write one child as an object, or keep the wrapper with the inner name."""
    raw = as_json(F([S("Gunner", "model", 2, [stats("Gunner")])]))
    roster = msgspec.json.decode(raw)
    roster["roster"]["forces"] = {"force": {**roster["roster"]["forces"][0]}}
    roster["roster"]["forces"]["force"]["selections"] = {
        "selection": [roster["roster"]["forces"]["force"]["selections"][0]]
    }
    assert counted(list_in(msgspec.json.encode(roster), "a.json")) == [("Gunner", 2)]


def test_forces_inside_forces_and_several_forces() -> None:
    inner = F([S("Scout", "model", 3, [stats("Scout")])], faction="Riverfolk")
    army = list_in(xml(F([], forces=[inner]), F([S("Gunner", "model", 2, [stats("Gunner")])])), "a.ros")
    assert counted(army) == [("Scout", 3), ("Gunner", 2)]
    assert army.factions == ("Harbour Watch", "Riverfolk")


def test_a_list_whose_sum_is_wrong_says_so() -> None:
    army = read(S("Gunner", "model", 2, [stats("Gunner")], points=30), told=50)
    assert [(total.read, total.told, total.agrees) for total in army.totals] == [(Decimal(30), Decimal(50), False)]


@pytest.mark.parametrize("name", ["pts", "Pts", "Points", "Point(s)", " pts "])
def test_points_are_points_however_they_are_written(name: str) -> None:
    raw = xml(watch()).replace(b'name="pts"', f'name="{name}"'.encode())
    assert [total.name for total in list_in(raw, "a.ros").totals] == ["points"]


def test_other_costs_are_summed_too() -> None:
    raw = xml(F([S("Gunner", "model", 1, [stats("Gunner")])])).replace(
        b'<costs><cost name="pts" typeId="points" value="0"/></costs>',
        b'<costs><cost name=" PL" value="0.5"/><cost name="CP" value="-2"/></costs>',
    )
    totals = {total.name: (float(total.read), float(total.told or 0)) for total in list_in(raw, "a.ros").totals}
    assert totals == {"PL": (0.5, 0.5), "CP": (-2, -2)}
