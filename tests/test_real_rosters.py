"""Lists that people made with list-building programs, where HEADSDOWN_ROSTERS names a folder that has them.

They carry publishers' texts and are no part of this project. The right figures are those of the folder's own table.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from engine.army_list import ArmyList, Origin
from engine.enlisting import enlisted, planned
from engine.registered import RULE_SETS, rule_set
from saves.armoury import armoury
from saves.rosters.reading import read_list

FOLDER = Path(os.environ.get("HEADSDOWN_ROSTERS") or "nowhere")

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="HEADSDOWN_ROSTERS names no folder with lists that people made"
)

FIGURES = {
    # file: units, models, points
    "40k7-test-roster.ros": (6, 21, 428),
    "hh1-test.ros": (12, 54, 1715),
    "hh1-dark-angels.ros": (6, 28, 840),
    **{f"same-list-schema-{schema}.ros": (1, 6, 625) for schema in ("1_15", "2_00", "2_01", "2_02", "2_03")},
    **{f"aos4-minimal.{ending}": (2, 4, 290) for ending in ("ros", "rosz", "json")},
    "40k8-plain-xml.rosz": (9, 35, 1315),
    "40k9-empty.rosz": (0, 0, 0),
    "40k9-sample-army.rosz": (16, 58, 2000),
    "40k9-tau-commander.rosz": (1, 3, 133),
}


def figures(army: ArmyList) -> tuple[int, int, int]:
    points = next((total.read for total in army.totals if total.name == "points"), 0)
    return sum(1 for unit in army.units if unit.models), army.models, int(points)


@pytest.mark.parametrize("name", FIGURES)
def test_units_models_and_points(name: str) -> None:
    assert figures(read_list(FOLDER / name)) == FIGURES[name]


@pytest.mark.parametrize("name", FIGURES)
def test_points_read_are_points_in_the_file(name: str) -> None:
    for total in read_list(FOLDER / name).totals:
        assert total.agrees, total


def alike(name: str) -> ArmyList:
    """A list without where it comes from, and without spaces that one of the generations writes in a value."""
    army = msgspec.structs.replace(read_list(FOLDER / name), origin=Origin("", "", ""), factions=())
    told = msgspec.json.encode(army).replace(b"3+ /5++", b"3+/5++").replace(b'"3.0"', b'"3"')
    return msgspec.json.decode(told, type=ArmyList)


@pytest.mark.parametrize("schema", ["2_00", "2_01", "2_02", "2_03"])
def test_one_list_in_five_generations(schema: str) -> None:
    assert alike(f"same-list-schema-{schema}.ros") == alike("same-list-schema-1_15.ros")


@pytest.mark.parametrize("ending", ["rosz", "json"])
def test_one_list_in_three_containers(ending: str) -> None:
    assert alike(f"aos4-minimal.{ending}") == alike("aos4-minimal.ros")


@pytest.mark.parametrize("rules_name", RULE_SETS)
@pytest.mark.parametrize("name", FIGURES)
def test_what_can_be_mustered_is_an_order_that_the_rules_take(name: str, rules_name: str) -> None:
    rules = rule_set(rules_name)
    battle = rules.begin(("Red", "Blue"), {})
    army = read_list(FOLDER / name)
    given: dict[str, object] = {}
    for _ in range(2):  # as it stands, then with every unit taken whatever speaks against it
        made = enlisted(rules, battle, army, "Red", given, armoury(rules.armoury))
        plan = planned(rules, battle, army, "Red", made)
        if plan.order is not None:
            rules.judge(battle, plan.order)
        given = {field.name: True for field in made.fields if field.name.endswith(".take")}
    assert len(made.units) >= figures(army)[0]


@pytest.mark.parametrize(
    ("name", "units"), [("40k7-test-roster.ros", 6), ("hh1-test.ros", 11), ("hh1-dark-angels.ros", 6)]
)
def test_lists_of_our_edition_come_in_without_an_answer(name: str, units: int) -> None:
    rules = rule_set("suppression-fire")
    made = enlisted(
        rules, rules.begin(("Red", "Blue"), {}), read_list(FOLDER / name), "Red", {}, armoury(rules.armoury)
    )
    assert len(made.units) == units


@pytest.mark.parametrize("name", ["aos4-minimal.ros", "40k8-plain-xml.rosz", "40k9-sample-army.rosz"])
def test_lists_of_other_editions_are_listed_and_said_to_be_so(name: str) -> None:
    rules = rule_set("suppression-fire")
    army = read_list(FOLDER / name)
    made = enlisted(rules, rules.begin(("Red", "Blue"), {}), army, "Red", {}, armoury(rules.armoury))
    assert made.units == ()
    assert len(made.left_out) == len(army.units)
    assert all("edition" in left.why or "another game" in left.why for left in made.left_out)
