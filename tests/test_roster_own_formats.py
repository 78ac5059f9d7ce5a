"""Army lists of our own: TOML, CSV and plain text, the examples in the documents, and errors that say where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.enlisting import answered
from engine.registered import RULE_SETS, rule_set
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.library import examples, open_example
from saves.rosters.reading import list_in, read_list
from saves.rosters.refused import NoArmyList
from saves.rosters.writing import roster_of

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"


def profiles(raw: bytes | Path, rules_name: str, name: str = "list.toml") -> list[Any]:
    """What a list comes to in a battle in which nothing has happened."""
    rules = rule_set(rules_name)
    army = read_list(raw) if isinstance(raw, Path) else list_in(raw, name)
    made, _ = answered(rules, rules.begin(("Red", "Blue"), {}), army, "Red", {}, armoury(rules.armoury))
    assert made.left_out == ()
    return [unit.profile for unit in made.units]


@pytest.mark.parametrize("name", RULE_SETS)
def test_there_is_an_example_for_each_rule_set(name: str) -> None:
    found = profiles(EXAMPLES / f"{name}.toml", name)
    assert len(found) >= 2
    assert {profile.side for profile in found} == {"Red"}


def test_the_patrol_is_the_same_in_all_three_formats() -> None:
    def told(path: str) -> list[Any]:
        found = profiles(EXAMPLES / path, "suppression-fire")
        return [
            (unit.name, unit.kind, unit.embarked_in, unit.transport and unit.transport.capacity,
             [(g.models, g.toughness, g.leadership, g.armour, g.invulnerable, g.relentless,
               [(w.name, w.range, w.strength, w.ap, w.type, w.shots) for w in g.weapons]) for g in unit.groups])
            for unit in found
        ]  # fmt: skip

    assert told("patrol.csv") == told("patrol.txt") == told("suppression-fire.toml")
    assert [entry[0] for entry in told("patrol.csv")] == ["Causeway Rifles", "Carrier", "Gate Guard"]
    totals = {
        path: read_list(EXAMPLES / path).totals[0].read
        for path in ("patrol.csv", "patrol.txt", "suppression-fire.toml")
    }
    assert set(totals.values()) == {275}


def test_a_team_as_plain_text() -> None:
    found = profiles(EXAMPLES / "team.txt", "gray-dawn")
    assert [(each.name, each.ref, [w.name for w in each.weapons]) for each in found] == [
        ("Foreman", 7, ["shotgun", "pistol"]),
        ("Guard", 6, ["heavy pistol", "shotgun"]),
        ("Guard 2", 6, ["heavy pistol", "shotgun"]),
    ]


# TOML

START = 'format = "headsdown-roster/1"\nrules = "suppression-fire"\n'
NAME = 'name = "Guard"'
UNIT = START + '\n[[unit]]\nname = "Guard"\n\n[[unit.groups]]\nname = "men"\nmodels = 5\n'

WRONG = {
    "a key that is almost right": (
        UNIT.replace("models", "modles"),
        "line 9: there is no key modles; nearest is models",
    ),
    "a key of the unit": (
        UNIT.replace(NAME, f"{NAME}\nfearles = true"),
        "line 6: there is no key fearles; nearest is fearless",
    ),
    "a key of the list": ("colour = 3\n" + UNIT, "line 1: there is no key colour"),
    "a weapon that is almost right": (
        UNIT + 'weapons = ["boltgn"]\n',
        "line 10: there is no weapon boltgn; nearest is boltgun",
    ),
    "a number as text": (UNIT.replace("5", '"5"'), "line 9: not a unit, Guard"),
    "a number out of bounds": (UNIT.replace("5", "500"), "line 9: not a unit, Guard"),
    "no format": (UNIT.replace("roster/1", "roster/9"), "line 1: the first line has to be format"),
    "no such rules": (
        UNIT.replace("suppression-fire", "chess"),
        "line 2: rules is chess; there are suppression-fire, gray-dawn",
    ),
    "no unit": (START, "there is no [[unit]] in it"),
    "broken TOML": (UNIT.replace("models = 5", "models = "), "(at line 9, column 10)"),
    "a key twice": (UNIT + "models = 6\n", "(at line 10, column"),
    "no name": (UNIT.replace('name = "Guard"', "fearless = true"), "line 4: this unit has no name"),
    "the same id twice": (
        UNIT.replace('name = "Guard"', 'id = "g"') + '\n[[unit]]\nid = "g"\n[[unit.groups]]\nname="a"\nmodels=1\n',
        "line 12: the id g stands there twice",
    ),
    "a transport that is not there": (
        UNIT.replace('name = "Guard"', 'name = "Guard"\nembarked_in = "boat"'),
        "line 6: embarked_in is boat, but there is no other such unit here",
    ),
    "points that are none": (UNIT.replace(NAME, f'{NAME}\npoints = "many"'), "line 6: points are many"),
    "weapons that are no tables": ("weapons = 3\n" + UNIT, "line 1: weapons are tables"),
    "deep nesting": (START + "x = " + "[" * 5000 + "]" * 5000, "TOML"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_an_error_names_line_key_and_the_nearest_key(kind: str) -> None:
    text, why = WRONG[kind]
    with pytest.raises(NoArmyList) as refused:
        list_in(text.encode(), "list.toml")
    assert why in str(refused.value)


def test_a_list_of_another_rule_set_is_refused() -> None:
    from engine.refusals import Refusal

    with pytest.raises(Refusal, match="this list is for gray-dawn, the battle is fought by suppression-fire"):
        profiles(EXAMPLES / "gray-dawn.toml", "suppression-fire")


@pytest.mark.parametrize("name", examples())
def test_what_is_written_is_read_back(name: str) -> None:
    """Each side of each bundled battle, as a roster file and back: the same profiles."""
    with open_example(name) as battle:
        history = battle.history
        rules = history.rules
        for side in history.header.sides:
            before = {p.name: p for p in rules.profiles(history.state).values() if p.side == side}
            army = list_in(roster_of(history, side), "list.toml")
            empty = rules.begin(history.header.sides, history.header.switches)
            made, _ = answered(rules, empty, army, side, {}, armoury(rules.armoury))
            after = {unit.profile.name: unit.profile for unit in made.units}
            assert {n: _apart(p) for n, p in after.items()} == {n: _apart(p) for n, p in before.items()}


def _apart(profile: Any) -> Any:
    """A profile but for ids, which a list gives anew from names."""
    import msgspec

    told = msgspec.to_builtins(profile)
    return {key: value for key, value in told.items() if key not in ("id", "embarked_in")}


def test_names_that_are_attacks_are_written_and_read_back(tmp_path: Path) -> None:
    from tests.headsdown_command import headsdown

    path, out = tmp_path / "a.battle.jsonl", tmp_path / "list.toml"
    headsdown("new", path, "--rules", "suppression-fire", "--side", "Red", "--side", "Blue")
    name = 'a "b" \\ [[unit]] \t # = \x7f \u202e'
    order = {
        "type": "muster",
        "unit": {"id": "a", "side": "Red", "name": name, "groups": [{"name": name, "models": 1}]},
    }
    (tmp_path / "orders.jsonl").write_text(json.dumps(order))
    assert headsdown("play", path, "--orders", tmp_path / "orders.jsonl").status == 0
    assert headsdown("export-roster", path, "--side", "Red", "--output", out).status == 0
    assert headsdown("import", out, "--into", path, "--side", "Blue").status == 0
    with OpenBattle.open(path, read_only=True) as battle:
        units = battle.history.state.units
        assert [unit.profile.groups[0].name for unit in units.values()] == [name, name]


# CSV and text

HEAD = "unit,models,T,W,Ld,Sv,weapons\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("unit,modles\nGuard,5\n", "line 1: there is no column modles; nearest is models"),
        ("unit,models,models\nGuard,5,5\n", "line 1: the column models stands there twice"),
        (HEAD + "Guard,many,3,1,8,4+,\n", "line 2: models is many"),
        (HEAD + "Guard,5,3,1,8,4+,a,b,c\n", "line 2 has 9 cells for 7 columns"),
        (HEAD + ",5,3,1,8,4+,\n", "line 2: the first unit has no name"),
        (HEAD, "there is no unit"),
        ("unit,points\nGuard,x\n", "line 2: points are x"),
        ("unit,inside\nGuard,Boat\n", "line 2: Guard is inside Boat, but there is no such unit"),
        ("  5 men\n", "line 1 is set in, but no unit stands above it"),
        ("Guard\n  0 men\n", "line 2: the number of models is 0"),
        ("Guard\n  501 men\n", "line 2: the number of models is 501"),
        ("Guard in Boat\n", "line 1: Guard is inside Boat, but there is no such unit"),
        ("G" * 2000 + "\n", "line 1 has more than 1000 characters"),
        ("Guard\n" * 3000, "more than 2000 lines"),
        ("# only a remark\n", "nothing in it but comments"),
    ],
)
def test_an_error_in_a_table_or_a_text_names_the_line(text: str, why: str) -> None:
    with pytest.raises(NoArmyList) as refused:
        list_in(text.encode(), "list.txt")
    assert why in str(refused.value)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_tables_of_every_spreadsheet(mark: str) -> None:
    text = "\ufeff" + HEAD.replace(",", mark) + mark.join(("Guard", "5", "3", "1", "8", "4+", "boltgun")) + "\r\n"
    (unit,) = profiles(text.encode(), "suppression-fire", "list.csv")
    assert [(g.models, g.armour, g.weapons[0].name) for g in unit.groups] == [(5, 4, "boltgun")]


def test_units_of_the_armoury_need_only_their_name() -> None:
    found = profiles(b"Guardsmen\nChimera\nDire Avengers\n", "suppression-fire", "list.txt")
    assert [(unit.name, sum(g.models for g in unit.groups)) for unit in found] == [
        ("Guardsmen", 10),
        ("Chimera", 2),
        ("Dire Avengers", 5),
    ]
