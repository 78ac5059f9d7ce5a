"""A rule set in a folder of its own, which nothing else of the program knows: found, played, looked back at, told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.entries import OrderEntry
from engine.luck import luck_of
from engine.refusals import Refusal
from engine.registered import OURS, RULE_SETS, broken_rule_sets, rule_set, rule_sets
from engine.rolls import Rolled
from saves import published_schema
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.creating import create
from saves.published_schema import schemas
from saves.verifying import verify
from tests.engine_battle import give, new_history, odds
from tests.headsdown_command import headsdown
from tests.line_mode import script
from tests.screen import screen_text
from tests.test_reports import HARMLESS, texts_of
from tests.test_story_on_the_screen import press
from tests.third_rules import FOLDER, SETTING_UP, firefight, with_rules_in
from tui.actions import conflicts
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.line_mode.commands import clashes
from tui.replay_screen import ReplayScreen


@pytest.fixture(autouse=True)
def added() -> Iterator[None]:
    with with_rules_in(FOLDER):
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "hill.battle.jsonl"
    create(made, rules="firefight", sides=("Blue", "Red"), seed="hill", name="The hill")
    return made


def played(path: Path, *orders: dict[str, Any]) -> dict[str, Any]:
    """How the battle stands after further orders."""
    ran = headsdown("play", path, "--orders", "-", stdin=json.dumps(orders))
    assert ran.status == 0, ran.err
    shown: dict[str, Any] = headsdown("show", path, "--json").json
    return shown


BATTLE = (
    *SETTING_UP,
    {"type": "suppress", "squad": "guns", "target": "militia", "dice": [5, 6, 5, 4, 4, 4, 1, 2, 6, 1, 1]},
    {"type": "suppress", "squad": "rifles", "target": "militia", "dice": [5, 4, 4, 4, 2]},
    {"type": "advance", "squad": "militia", "to": "open", "dice": [1, 2]},
    {"type": "end_round"},
    {"type": "begin_round"},
    {"type": "rally", "squad": "militia", "dice": [1, 3, 6]},
    {"type": "losses", "squad": "militia", "soldiers": 2},
)


# Found


def test_it_is_found_where_python_looks_and_nothing_else_is_touched(tmp_path: Path) -> None:
    """A process that has nothing but the folder on its path offers the rules, and plays them."""
    environment = {**os.environ, "PYTHONPATH": f"{FOLDER}{os.pathsep}{FOLDER.parent.parent}"}

    def run(*argv: str) -> str:
        command = [sys.executable, "-m", "tui.start", *argv]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    assert "firefight: Firefight (9 clauses; headsdown rules firefight)" in run("rules")
    run("new", "hill.battle.jsonl", "--rules", "firefight", "--side", "Blue", "--side", "Red")
    assert "Firefight, Blue against Red" in run("show", "hill.battle.jsonl")


def test_nothing_of_the_program_knows_it() -> None:
    root = FOLDER.parent.parent
    code = [file for package in ("engine", "saves", "tui") for file in (root / package).rglob("*.py")]
    assert len(code) > 100
    assert [file.name for file in code if "firefight" in file.read_text(encoding="utf-8").lower()] == []


def test_it_comes_behind_ours_and_never_in_their_place(tmp_path: Path) -> None:
    assert list(RULE_SETS) == [*OURS, "firefight"]
    impostor = tmp_path / "headsdown_rules" / "gray_dawn"
    impostor.mkdir(parents=True)
    (impostor / "__init__.py").write_text("raise SystemExit\n")
    with with_rules_in(tmp_path):
        assert list(RULE_SETS) == list(OURS)
        assert rule_set("gray-dawn").title == "Gray Dawn"


BROKEN = (
    ("import nothing_of_that_name\n", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
    ("RULES = None\n", "AttributeError: 'NoneType' object has no attribute 'name'"),
    ("def (:\n", "SyntaxError: invalid syntax"),
    ("class Rules:\n    name = 'other'\n\nRULES = Rules()\n", "they call themselves other"),
)


@pytest.mark.parametrize(("code", "why"), BROKEN)
def test_one_that_cannot_be_loaded_says_why_and_takes_nothing_along(code: str, why: str, tmp_path: Path) -> None:
    package = tmp_path / "headsdown_rules" / "half_done"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(code)
    with with_rules_in(tmp_path):
        assert [rules.name for rules in rule_sets()] == list(OURS)
        assert len(broken_rule_sets()) == 1
        made = headsdown("new", tmp_path / "a", "--rules", "half-done", "--side", "A", "--side", "B")
        assert made.status in (1, 2)
        assert f"the rules half-done (headsdown_rules.half_done) cannot be loaded: {why}" in made.err
        assert made.err.count("\n") == 1
        listed = headsdown("rules")
        assert (listed.status, "Gray Dawn" in listed.out, why in listed.err) == (0, True, True)
        assert f"WRONG  rules       the rules half-done (headsdown_rules.half_done) cannot be loaded: {why}" in (
            headsdown("doctor").out
        )
        assert headsdown("keys").status == 0


def test_a_battle_whose_rules_are_not_here_is_refused_and_never_imported(path: Path, tmp_path: Path) -> None:
    """Also where Python would find a module of that name: a save loads nothing."""
    played(path, *BATTLE)
    (tmp_path / "firefight.py").write_text("raise SystemExit(9)\n")
    with with_rules_in(tmp_path):
        shown = headsdown("show", path)
        assert shown.status == 3
        assert "firefight" in shown.err
        assert shown.err.count("\n") == 1
        assert headsdown("list", path.parent).status == 0


# Played


def test_a_battle_by_orders(path: Path) -> None:
    """FF-3 to FF-9, with dice from the table."""
    shown = played(path, *BATTLE[:6])
    assert shown["squads"]["militia"] == {
        "side": "Red",
        "name": "Militia",
        "soldiers": 11,
        "pins": 4,
        "ground": "cover",
        "acted": False,
        "down": False,
        "out": False,
    }
    shown = played(path, BATTLE[6])
    assert (shown["squads"]["militia"]["down"], shown["squads"]["militia"]["ground"]) == (True, "cover")
    shown = played(path, *BATTLE[7:])
    militia = shown["squads"]["militia"]
    assert (shown["round"], militia["pins"], militia["soldiers"], militia["down"]) == (2, 1, 9, False)
    assert verify(path).ok


def test_what_a_roll_needs_goes_by_cover_and_nerve(path: Path) -> None:
    """FF-3: 4 or more, against cover 5 or more. FF-6: nerve less pins."""
    played(path, *BATTLE)
    with OpenBattle.open(path, read_only=True) as battle:
        rolls = {(row.purpose, row.needed) for entry in battle.history.entries for row in getattr(entry, "rolls", ())}
    assert rolls == {("fire", 5), ("losses", 6), ("nerve", 2), ("rally", 3)}


REFUSED = (
    ((), {"type": "suppress", "squad": "guns", "target": "rifles"}, "FF-3"),
    ((), {"type": "rally", "squad": "guns"}, "FF-8"),
    ((), {"type": "begin_round"}, "FF-2"),
    (({"type": "end_round"},), {"type": "end_round"}, "FF-2"),
    (({"type": "end_round"},), {"type": "advance", "squad": "guns", "to": "open"}, "FF-2"),
    (({"type": "advance", "squad": "guns", "to": "open"},), {"type": "rally", "squad": "guns"}, "FF-2"),
    ((), {"type": "suppress", "squad": "guns", "target": "nobody"}, "order"),
    ((), {"type": "suppress", "squad": "guns"}, "order"),
    ((), {"type": "losses", "squad": "guns", "soldiers": 5}, "order"),
    (
        ({"type": "losses", "squad": "guns", "soldiers": 4},),
        {"type": "advance", "squad": "guns", "to": "open"},
        "order",
    ),
    ((), {"type": "muster", "squad": {"id": "guns", "side": "Blue"}}, "order"),
    ((), {"type": "muster", "squad": {"id": "more", "side": "Green"}}, "order"),
    ((), {"type": "amend", "squad": {"id": "guns", "side": "Red"}}, "order"),
    (({"type": "end_battle"},), {"type": "end_round"}, "order"),
)


@pytest.mark.parametrize(("before", "order", "clause"), REFUSED)
def test_what_is_refused_names_its_clause(before: Any, order: dict[str, Any], clause: str, path: Path) -> None:
    played(path, *SETTING_UP, *before)
    ran = headsdown("play", path, "--orders", "-", "--json", stdin=json.dumps(order))
    assert (ran.status, ran.json["refused"]["clause"]) == (1, clause)


def test_pins_go_up_to_what_the_house_says_and_stay_where_it_says_so(tmp_path: Path) -> None:
    """FF-5 and FF-9, with the switches set."""
    path = tmp_path / "house"
    switches = ("--switch", "most_pins=2", "--switch", "quiet=no")
    headsdown("new", path, "--rules", "firefight", "--side", "Blue", "--side", "Red", *switches)
    fire = {"type": "suppress", "squad": "guns", "target": "militia", "dice": [5] * 8 + [1] * 8}
    shown = played(path, *SETTING_UP, fire, {"type": "end_round"})
    assert shown["squads"]["militia"]["pins"] == 2


def test_an_amended_squad_keeps_what_happened_to_it(path: Path) -> None:
    new = {"id": "militia", "side": "Red", "soldiers": 10, "nerve": 9, "ground": "open"}
    shown = played(path, *BATTLE, {"type": "amend", "squad": new})
    militia = shown["squads"]["militia"]
    assert (militia["soldiers"], militia["pins"], militia["ground"]) == (7, 1, "cover")


def test_undo_brings_the_same_dice_back(path: Path) -> None:
    order = {"type": "suppress", "squad": "guns", "target": "militia"}
    first = played(path, *SETTING_UP, order)["squads"]
    assert headsdown("undo", path).status == 0
    assert headsdown("show", path, "--json").json["squads"]["militia"]["pins"] == 0
    assert played(path, order)["squads"] == first


def test_every_order_has_words_in_the_log(path: Path) -> None:
    played(path, *BATTLE, {"type": "score", "side": "Blue", "points": 1}, {"type": "dismiss", "squad": "rifles"})
    log = headsdown("log", path).out
    for told in (
        "Guns: suppress Militia",
        "Guns, suppressing fire at Militia",
        "Militia carries 3 pins (FF-3, FF-5); 1 falls, 11 soldiers left.",
        "Militia: heads stay down (FF-6).",
        "Militia carries 1 pin (FF-8).",
        "Each squad loses a pin (FF-9).",
        "Militia: 2 soldiers lost",
        "Rifles: dismissed",
        "Blue: +1 points",
    ):
        assert told in log


# Odds


def by_hand(nerve: int, pins: int, firepower: int, needed: int, target_pins: int, most: int, soldiers: int) -> Any:
    """The chances of suppressing fire, face by face as the clauses have it (FF-3 to FF-6)."""
    dice = 2 + 2 * firepower
    counts: dict[tuple[bool, int, int], int] = {}
    for faces in product(range(1, 7), repeat=dice):
        down = pins > 0 and faces[0] + faces[1] > nerve - pins
        laid = 0 if down else sum(face >= needed for face in faces[2 : 2 + firepower])
        fallen = sum(face == 6 for face in faces[2 + firepower :][:laid])
        told = (down, max(target_pins, min(target_pins + laid, most)), min(fallen, soldiers))
        counts[told] = counts.get(told, 0) + 1
    return {told: Fraction(count, 6**dice) for told, count in counts.items()}


@pytest.mark.parametrize(
    ("pins", "target_pins", "soldiers", "ground"), [(0, 0, 8, "open"), (2, 3, 1, "cover"), (6, 5, 2, "open")]
)
def test_odds_are_those_of_every_face_counted(pins: int, target_pins: int, soldiers: int, ground: str) -> None:
    firepower, nerve, most = 2, 8, 6
    history = new_history("firefight", ("Blue", "Red"))
    for name, side, dice, others in (
        ("a", "Blue", firepower, {"nerve": nerve}),
        ("b", "Red", 1, {"soldiers": soldiers, "ground": ground}),
        ("pins-a", "Red", max(1, pins), {}),
        ("pins-b", "Blue", max(1, target_pins), {}),
    ):
        give(history, {"type": "muster", "squad": {"id": name, "side": side, "firepower": dice, **others}})
    give(history, {"type": "begin_round"})
    for target, count in (("a", pins), ("b", target_pins)):
        faces = [6] * count + [1] * count
        if faces:
            give(history, {"type": "suppress", "squad": f"pins-{target}", "target": target, "dice": faces})
    told = odds(history, {"type": "suppress", "squad": "a", "target": "b"})
    wanted = by_hand(nerve, pins, firepower, 4 if ground == "open" else 5, target_pins, most, soldiers)
    assert told["stays_down"] == pytest.approx(float(sum(p for (down, _, _), p in wanted.items() if down)), rel=1e-11)
    assert told["acts"] == pytest.approx(1 - told["stays_down"], rel=1e-11)
    for at, name in ((1, "pins"), (2, "casualties")):
        each: dict[str, Fraction] = {}
        for outcome, chance in wanted.items():
            each[str(outcome[at])] = each.get(str(outcome[at]), Fraction(0)) + chance
        assert told[name]["distribution"] == pytest.approx({n: float(p) for n, p in each.items()}, rel=1e-11)
        assert told[name]["mean"] == pytest.approx(float(sum(int(n) * p for n, p in each.items())), rel=1e-11)


def test_odds_by_command(path: Path) -> None:
    played(path, *SETTING_UP, *BATTLE[4:6])
    rally = headsdown("odds", path, "--json", "--order", '{"type": "rally", "squad": "militia"}').json
    assert rally["pins"]["mean"] == pytest.approx(4 / 3)
    advance = headsdown("odds", path, "--json", "--order", '{"type": "advance", "squad": "militia", "to": "open"}').json
    assert advance == {"acts": pytest.approx(1 / 36), "stays_down": pytest.approx(35 / 36)}
    nothing = headsdown("odds", path, "--order", '{"type": "end_round"}')
    assert (nothing.status, "rolls no dice" in nothing.err) == (1, True)


# On the screen, and in lines


async def test_a_battle_on_the_screen_with_keys_only(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "M", "enter")
            await press(pilot, "M", "down", "down", "down")
            await press(pilot, "escape")
            await press(pilot, "M", "right", "right", "down", "right", "enter")
            assert "Militia" in screen_text(app)
            await press(pilot, "b", "1", "home", "d")
            form = screen_text(app)
            assert "4 dice at 5+ (FF-3)" in form
            assert "Pins" in form
            assert "on average" in form
            await press(pilot, "enter")
            assert "acted" in screen_text(app)
            await press(pilot, "1", "end", "D", "r")
            shown = screen_text(app)
            await press(pilot, "escape", "w")
            why = screen_text(app)
    state = battle.history.state
    assert set(state.squads) == {"rifles", "militia"}
    assert state.squads["rifles"].acted
    if state.squads["militia"].pins:
        assert "rallying" in shown
    assert "fire at it needs 5+ (FF-3)" in why


async def test_a_new_battle_and_looking_back(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    played(path, *BATTLE)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(100, 30)) as pilot:
        assert "Firefight" in screen_text(app)
        await press(pilot, "n", "left")
        shown = screen_text(app)
        assert "< Firefight >" in shown
        assert "How many pins can a squad carry at most?" in shown
    with OpenBattle.open(path, read_only=True) as battle:
        replay = HeadsdownApp(lambda: ReplayScreen(battle, 0))
        async with replay.run_test(size=(100, 30)) as pilot:
            await press(pilot, ">")
            shown = screen_text(replay)
            assert "Round 2" in shown
            assert "Militia: 2 soldiers lost" in shown


WORDS = (
    "muster rifles",
    "muster militia side Red ground cover",
    "mission Hold the hill",
    "begin round",
    "dice table",
    "suppress rifles at militia",
    "5566",
    "1112",
    "rally militia",
    "1345",
    "dice app",
    "losses militia 2",
    "end round",
    "begin round",
    "advance militia into open",
    "amend rifles nerve 9",
    "note the smoke clears",
    "score Blue 2",
    "dismiss rifles",
    "end battle Blue because the hill is held",
)


def test_every_order_in_typed_words(path: Path) -> None:
    ran = script(path, WORDS)
    assert ran.status == 0, ran.out
    shown = headsdown("show", path, "--json").json
    militia = shown["squads"]["militia"]
    assert (militia["soldiers"], militia["pins"], militia["ground"]) == (10, 0, "open")
    assert (list(shown["squads"]), shown["score"], shown["mission"]) == (
        ["militia"],
        {"Blue": 2, "Red": 0},
        "Hold the hill",
    )
    assert shown["ended"] == {"winner": "Blue", "reason": "the hill is held"}
    with OpenBattle.open(path, read_only=True) as battle:
        given = {each.order.__struct_config__.tag for each in battle.history.entries if isinstance(each, OrderEntry)}
    assert given == {action.order for action in firefight().actions}


def test_words_are_refused_and_answered_with_clauses(path: Path) -> None:
    played(path, *BATTLE[:6])
    again = script(path, ["advance rifles into open"])
    assert (again.status, "Rifles has done its one thing in this round" in again.out) == (1, True)
    assert "fire at it needs 5+ (FF-3)" in script(path, ["why militia"]).out


def test_no_key_and_no_word_has_two_meanings() -> None:
    assert conflicts(firefight().actions) == []
    assert clashes(firefight()) == []
    numbers = {clause.number for clause in firefight().clauses}
    assert set(firefight().spoken.clauses.values()) <= numbers
    assert {switch.clause for switch in firefight().switches} <= numbers


def test_a_seat_gives_its_own_orders(path: Path) -> None:
    played(path, *SETTING_UP)
    order = json.dumps({"type": "suppress", "squad": "guns", "target": "militia"})
    other = headsdown("play", path, "--orders", "-", "--json", "--seat", "Red", stdin=order)
    assert (other.status, other.json["refused"]["clause"]) == (1, "seat")
    assert headsdown("play", path, "--orders", "-", "--seat", "Blue", stdin=order).status == 0


# Whatever is ordered

SQUADS = st.sampled_from(["rifles", "guns", "militia"])
ORDERS = st.one_of(
    st.builds(lambda squad, target: {"type": "suppress", "squad": squad, "target": target}, SQUADS, SQUADS),
    st.builds(
        lambda squad, to: {"type": "advance", "squad": squad, "to": to}, SQUADS, st.sampled_from(["open", "cover"])
    ),
    st.builds(lambda squad: {"type": "rally", "squad": squad}, SQUADS),
    st.builds(
        lambda squad, soldiers: {"type": "losses", "squad": squad, "soldiers": soldiers}, SQUADS, st.integers(1, 12)
    ),
    st.sampled_from([{"type": "begin_round"}, {"type": "end_round"}, {"type": "end_round"}]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ORDERS, max_size=25))
def test_any_orders_are_refused_or_carried_out_and_told(orders: list[dict[str, Any]]) -> None:
    """No squad has fewer than no soldiers or more pins than there may be (FF-1, FF-5); what is told never fails."""
    history = new_history("firefight", ("Blue", "Red"))
    rules, clauses = history.rules, set()
    everything: list[dict[str, Any]] = [*SETTING_UP, *orders]
    for order in everything:
        before = history.state
        try:
            entry = give(history, order)
        except Refusal as refused:
            clauses.add(refused.clause)
            continue
        assert rules.fold(before, entry.events) == history.state
        assert rules.order_title(before, entry.order)
        assert all(rules.tell_event(history.state, event) is not None for event in entry.events)
        assert all(rules.tell_roll(history.state, row) for row in entry.rolls)
        for squad in history.state.squads.values():
            assert 0 <= squad.soldiers <= squad.profile.soldiers
            assert 0 <= squad.pins <= 6
            assert rules.why(history.state, squad.id)
        assert len(rules.standings(history.state)) == 1 + len(history.state.squads)
        for table in (rules.units(history.state), rules.tracker(history.state)):
            assert all(row.heading or len(row.cells) == len(table.columns) for row in table.rows)
    assert clauses <= {"order", *(clause.number for clause in rules.clauses)}


def test_every_action_has_a_form_that_fills_it_in() -> None:
    """What a form shows when it opens is an order that can be given, but for words that nobody can infer."""
    history = new_history("firefight", ("Blue", "Red"))
    for order in BATTLE[:6]:
        give(history, order)
    rules, catalogue = firefight(), armoury(firefight().armoury)
    for action in rules.actions:
        squad = "militia" if action.about == "unit" else None
        possible = action.order != "begin_round"
        assert (rules.available(history.state, action, squad) == "") == possible
        if not possible:
            continue
        filled: dict[str, Any] = {action.unit_field: squad, **action.fixed} if squad else {}
        form = rules.form(history.state, action.order, filled, catalogue)
        filled |= {field.name: field.value for field in form.fields if field.value not in (None, "")}
        filled |= {field.name: "words" for field in form.fields if field.kind == "text" and field.name not in filled}
        if "target" in {field.name for field in form.fields}:
            filled["target"] = "guns"
        order = rules.fill_in(history.state, action.order, filled, catalogue)
        assert order.__struct_config__.tag == action.order
        assert rules.preview(history.state, order).refused == ""
        assert rules.owner(history.state, order) in ("", "Blue", "Red")


# Told


@pytest.mark.parametrize("form", ["md", "html", "json", "csv", "cast"])
def test_reports_tell_it_and_hide_names_when_told_to(form: str, path: Path) -> None:
    played(path, *BATTLE, {"type": "suppress", "squad": "guns", "target": "militia"})
    plain = headsdown("report", path, "--format", form)
    masked = headsdown("report", path, "--format", form, "--anonymise")
    assert (plain.status, masked.status) == (0, 0)
    assert "Militia" in plain.out
    assert "militia" not in masked.out.lower()


def test_every_text_is_known_to_the_masks() -> None:
    seen: set[Any] = set()
    texts = texts_of(msgspec.inspect.type_info(firefight().order_types), seen)
    texts |= texts_of(msgspec.inspect.type_info(firefight().event_types), seen)
    ours = {"Advance.to", "Advanced.to", "SquadProfile.ground"}
    assert texts - set(firefight().named) - HARMLESS - ours == set()
    fields = {f"{kind.__name__}.{field}" for kind in {*seen, Rolled} for field in kind.__struct_fields__}
    assert set(firefight().named) <= fields


def test_luck_measures_fire_nerve_rallying_and_losses(path: Path) -> None:
    played(path, *BATTLE)
    with OpenBattle.open(path, read_only=True) as battle:
        luck = luck_of(battle.history)
    sides = {(each.side, each.measure): each for each in luck.reckonings if not each.unit and not each.source}
    laid = sides["Blue", "pins laid"]
    assert (laid.actual, laid.expected) == (4, Fraction(12, 3))
    assert sides["Red", "nerve kept"].expected == Fraction(1, 36)
    lost = sides["Red", "soldiers lost"]
    assert (lost.actual, lost.expected) == (1, Fraction(12, 18))
    assert luck.unjudged == 0


def test_its_save_format_can_be_published_elsewhere(tmp_path: Path) -> None:
    published_schema.main([str(tmp_path / "schema")])
    written = {file.name for file in (tmp_path / "schema").iterdir()}
    assert written == {*schemas(), "firefight.entry.json", "firefight.order.json"}


# Army lists


def test_an_army_list_comes_in_and_one_undo_takes_it_back(path: Path) -> None:
    patrol = FOLDER.parent.parent / "docs" / "examples" / "patrol.txt"
    taken = headsdown("import", patrol, "--into", path, "--side", "Blue", "--answer", "gate-guard.nerve=9")
    assert taken.status == 0, taken.err
    squads = headsdown("show", path, "--json").json["squads"]
    assert {squad: squads[squad]["soldiers"] for squad in squads} == {
        "causeway-rifles": 10,
        "gate-guard": 5,
        "carrier": 1,
    }
    with OpenBattle.open(path, read_only=True) as battle:
        assert battle.history.state.squads["gate-guard"].profile.nerve == 9
    headsdown("undo", path)
    assert headsdown("show", path, "--json").json["squads"] == {}


def test_a_side_goes_out_as_a_list_and_comes_in_again(path: Path, tmp_path: Path) -> None:
    played(path, *SETTING_UP)
    roster = tmp_path / "blue.toml"
    assert headsdown("export-roster", path, "--side", "Blue", "--output", roster).status == 0
    other = tmp_path / "other"
    create(other, rules="firefight", sides=("Blue", "Red"))
    assert headsdown("import", roster, "--into", other, "--side", "Blue").status == 0
    both = (headsdown("show", each, "--json").json["squads"] for each in (path, other))
    first, second = ({name: one for name, one in squads.items() if one["side"] == "Blue"} for squads in both)
    assert first == second


def test_squads_too_large_are_left_out_by_name() -> None:
    from engine.army_list import ArmyList, ListedUnit, Models, Origin

    class Names:
        def listed(self, key: str, called: str) -> tuple[str, str]:
            return key, called

    army = ArmyList(Origin("a", "0" * 64, ""), units=(ListedUnit("horde", "Horde", (Models("orcs", 30),)),))
    battle = new_history("firefight", ("Blue", "Red")).state
    enlisted = firefight().enlist(battle, army, Names(), {"side": "Blue"}, {})
    assert enlisted.units == ()
    assert "20 soldiers at most" in enlisted.left_out[0].why


def test_unknown_rules_name_those_that_there_are() -> None:
    with pytest.raises(Refusal, match="there are: suppression-fire, gray-dawn, firefight"):
        rule_set("skirmish")
