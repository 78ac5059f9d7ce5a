"""`headsdown import` and `headsdown export-roster`: what is printed, what is asked, and with which exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.headsdown_command import headsdown
from tests.roster_files import F, S, stats, watch, xml


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.battle.jsonl"
    assert headsdown("new", path, "--rules", "suppression-fire", "--side", "Red", "--side", "Blue").status == 0
    (tmp_path / "watch.ros").write_bytes(xml(watch()))
    return path


def test_what_was_read_what_was_not_and_what_is_assumed(path: Path) -> None:
    ran = headsdown("import", path.parent / "watch.ros", "--into", path, "--side", "Red")
    assert (ran.status, ran.err) == (0, "")
    for line in (
        "watch.ros",
        "BattleScribe 2.03, XML; Boats and Bridges, Harbour Watch",
        "6 units, 27 models, 480 of 480 points",
        "1 with points but without stats",
        "New: 6",
        '  8 Watchman T3 W1 Ld7 4+ assault grenades: Harbour rifle 24" S4 AP5 rapid fire 1 [harbour rifle]',
        "Harbour Pilot: the list has no stats for it: say yes to type them in",
        "Tide and Weather: no model in it",
        "Assumed: 1; change with --answer NAME=VALUE",
        "  dock-levy.levy-musket.carried=everyone  Levy musket is carried by (assumed: they have no other such gun)",
        "imported as entry 1",
    ):
        assert line in ran.out.splitlines()


def test_json(path: Path) -> None:
    ran = headsdown("import", path.parent / "watch.ros", "--into", path, "--side", "Red", "--json")
    told = json.loads(ran.out)
    assert told["read"] == {"units": 6, "models": 27, "points": 480.0, "points_in_file": 480.0}
    assert (told["entry"], told["why_not"]) == (1, None)
    assert told["source"]["name"] == "watch.ros"
    assert len(told["source"]["sha256"]) == 64
    assert [each["name"] for each in told["left_out"]] == ["Harbour Pilot"]
    assumed = [each["answer"] for each in told["questions"] if each["assumed"]]
    assert assumed == ["dock-levy.levy-musket.carried"]
    shown = json.loads(headsdown("show", path, "--json").out)
    assert shown["imports"][0]["name"] == "watch.ros"


def test_a_dry_run_lists_the_questions_and_writes_nothing(path: Path) -> None:
    before = path.read_bytes()
    ran = headsdown("import", path.parent / "watch.ros", "--into", path, "--side", "Red", "--dry-run")
    assert ran.status == 0
    assert "Questions, as they stand" in ran.out
    assert "  gun.harbour-rifle.family=harbour rifle  Harbour rifle: ammunition (its own)" in ran.out.splitlines()
    assert path.read_bytes() == before


def test_answers(path: Path) -> None:
    said = (
        "dock-levy.levy-musket.carried=one",
        "harbour-pilot.take=yes",
        "harbour-pilot.harbour-pilot.toughness=5",
        "gun.harbour-rifle.family=rifle",
    )
    answers = [word for answer in said for word in ("--answer", answer)]
    ran = headsdown("import", path.parent / "watch.ros", "--into", path, "--side", "Red", *answers)
    assert ran.status == 0
    assert '  1 Levy (Levy musket) T3 W1 Ld6 -: Levy musket 24" S3 AP- rapid fire 1 [levy musket]' in ran.out
    assert "  1 Harbour Pilot T5 W1 Ld9 -: no gun" in ran.out
    assert "[rifle]" in ran.out


@pytest.mark.parametrize(
    ("answer", "status", "why"),
    [
        ("dock-levy.levy-muskt.carried=one", 1, "nearest is dock-levy.levy-musket.carried"),
        ("dock-levy.levy-musket.carried=two", 1, "it may be everyone, one"),
        ("dock-levy.take=perhaps", 1, "it may be yes or no"),
        ("dock-levy", 2, "is not NAME=VALUE"),
    ],
)
def test_a_wrong_answer_is_one_line_and_nothing_is_written(path: Path, answer: str, status: int, why: str) -> None:
    before = path.read_bytes()
    ran = headsdown("import", path.parent / "watch.ros", "--into", path, "--side", "Red", "--answer", answer)
    assert ran.status == status
    assert why in ran.err
    assert ran.err.count("\n") == 1
    assert path.read_bytes() == before


def test_a_second_import_shows_the_difference_and_applies_it_when_told_to(path: Path) -> None:
    roster = path.parent / "watch.ros"
    headsdown("import", roster, "--into", path, "--side", "Red")
    force = watch()
    force.selections[4].inside[0].number = 12
    roster.write_bytes(xml(force))
    before = path.read_bytes()
    ran = headsdown("import", roster, "--into", path, "--side", "Red")
    assert (ran.status, path.read_bytes()) == (0, before)
    assert "Changed: 1" in ran.out
    assert "  Levy, models: 10, now 12" in ran.out.splitlines()
    assert "nothing was written: this list was imported before" in ran.out
    ran = headsdown("import", roster, "--into", path, "--side", "Red", "--update")
    assert ran.out.splitlines()[-1] == "imported as entry 2"
    assert "Dock Levy" in headsdown("log", path).out
    ran = headsdown("import", roster, "--into", path, "--side", "Red", "--update")
    assert "nothing in the list is new" in ran.out
    ran = headsdown("import", roster, "--into", path, "--side", "Red", "--again")
    assert "New: 6" in ran.out
    assert len(json.loads(headsdown("show", path, "--json").out)["units"]) == 12


def test_update_finds_a_list_that_was_renamed_but_not_one_that_never_was(path: Path) -> None:
    roster = path.parent / "watch.ros"
    ran = headsdown("import", roster, "--into", path, "--side", "Red", "--update")
    assert (ran.status, "leave --update out" in ran.err) == (1, True)
    headsdown("import", roster, "--into", path, "--side", "Red")
    other = path.parent / "watch v2.ros"
    force = watch()
    force.selections[4].inside[0].number = 12
    other.write_bytes(xml(force))
    assert "Changed: 1" in headsdown("import", other, "--into", path, "--side", "Red", "--update").out


@pytest.mark.parametrize(
    ("roster", "side", "status", "why"),
    [
        ("gone.ros", "Red", 3, "is not there"),
        ("watch.ros", "Green", 2, "there is no side Green"),
        ("broken.ros", "Red", 3, "XML is broken"),
    ],
)
def test_exit_status(path: Path, roster: str, side: str, status: int, why: str) -> None:
    (path.parent / "broken.ros").write_bytes(xml(watch())[:-50])
    ran = headsdown("import", path.parent / roster, "--into", path, "--side", side)
    assert (ran.status, ran.err.count("\n")) == (status, 1)
    assert why in ran.err
    assert "Traceback" not in ran.err


def test_a_list_of_strangers_is_listed_and_nothing_is_written(path: Path) -> None:
    line = stats("Stranger")
    line.values = {"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2"}
    (path.parent / "other.ros").write_bytes(xml(F([S("Stranger", "model", 3, [line])])))
    ran = headsdown("import", path.parent / "other.ros", "--into", path, "--side", "Red")
    assert ran.status == 0
    assert "10th edition" in ran.out
    assert "nothing was written: nothing in the list can be mustered as it stands" in ran.out


def test_names_cannot_move_the_cursor(path: Path) -> None:
    odd = xml(F([S("\u202eevil [red]x[/red]", "model", 1, [stats("x")])]))
    (path.parent / "odd.ros").write_bytes(odd)
    ran = headsdown("import", path.parent / "odd.ros", "--into", path, "--side", "Red")
    assert "evil [red]x[/red] (evil-red-x-red)" in ran.out
    assert all(char.isprintable() or char == "\n" for char in ran.out)


def test_export_and_import_again(path: Path) -> None:
    headsdown("import", path.parent / "watch.ros", "--into", path, "--side", "Red")
    out = path.parent / "red.toml"
    assert headsdown("export-roster", path, "--side", "Red", "--output", out).out == f"wrote {out}\n"
    assert headsdown("export-roster", path, "--side", "Red", "--output", out).status == 2
    assert headsdown("export-roster", path, "--side", "Blue").status == 1
    assert headsdown("export-roster", path, "--side", "Green").status == 2
    assert headsdown("export-roster", path, "--side", "Red").out == out.read_text()
    assert headsdown("import", out, "--into", path, "--side", "Blue").status == 0
    units = json.loads(headsdown("show", path, "--json").out)["units"]
    models = [sum(unit["models"] for unit in units.values() if unit["side"] == side) for side in ("Red", "Blue")]
    assert models[0] == models[1]
