"""Battle reports in every format: what the bundled battles read like, what is counted, what anonymising hides."""

from __future__ import annotations

import csv
import json
import os
import re
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.entries import OrderEntry
from engine.registered import RULE_SETS, rule_set
from engine.rolls import Rolled
from engine.scorekeeping import Note
from engine.wording import clean
from saves.battle import OpenBattle
from saves.library import copy_example, open_example
from saves.reports import FORMATS, report_on
from saves.reports.account import Account
from saves.reports.accounting import account_of, utc
from saves.reports.markdown import escaped
from saves.reports.spreadsheet import safe
from tests.headsdown_command import headsdown
from tests.reading_pages import Page, markdown_tokens, spaced
from tests.small_rules import played_battle, small_battle

REPORTS = Path(__file__).parent / "reports"
BATTLES = ("suppression-fire", "gray-dawn")
KEPT = [(name, form, False) for name in BATTLES for form in FORMATS] + [(name, "md", True) for name in BATTLES]


@pytest.mark.parametrize(("name", "form", "anonymise"), KEPT)
def test_the_reports_of_the_bundled_battles(name: str, form: str, anonymise: bool) -> None:
    """With WRITE_REPORTS=1 in the environment reports are written down instead: then read them."""
    with open_example(name) as battle:
        report = report_on(battle, form, anonymise=anonymise)
    kept = REPORTS / f"{name}{'-anonymous' if anonymise else ''}.{form}"
    if os.environ.get("WRITE_REPORTS") == "1":
        kept.write_bytes(report)
    assert report == kept.read_bytes()


def farm() -> Account:
    with open_example("suppression-fire") as battle:
        return account_of(battle)


# What is told


def passages(told: Account, chapter: str) -> dict[str, list[str]]:
    (found,) = [each for each in told.chapters if each.title == chapter]
    return {passage.title: [item.text for item in passage.items] for passage in found.passages}


def test_a_turn_says_who_suppressed_whom_with_what_who_braved_it_and_what_lapsed_why() -> None:
    turn = passages(farm(), "Turn 2, Imperium")
    assert turn["Suppressing fire"] == [
        "Storm Troopers and The Draft: suppress Guardians at the wall. Storm Troopers: 5 shots at 17.5 inches: "
        "5 hot-shot lasgun (5). The Draft: 20 shots at 23 inches: 20 lasgun (20)."
    ]
    assert turn["Tests"] == ["Guardians at the wall: test failed, pinned."]
    assert turn["Braved the fire"] == [
        "Second Platoon: run. Second Platoon: caught in the fire, shuriken S6 AP5 (SF-21)."
    ]
    assert turn["Lost"] == ["Dire Avengers: 2 avengers left.", "Second Platoon: 6 guardsmen left, 7 models in all."]
    assert turn["Lapses"] == [
        "Dire Avengers: fire on Scouts lapsed, 4 shots left, 5 needed (SF-32).",
        "Guardians at the wall: fire on Second Platoon lapsed, no line of sight (SF-32).",
    ]


def test_what_was_taken_back_stays_visible_and_is_counted() -> None:
    told = farm()
    assert (told.orders, told.taken_back) == (55, 1)
    (turn,) = [each for each in told.chapters if each.title == "Turn 2, Imperium"]
    (run,) = turn.taken_back
    assert (run.number, run.title) == (31, "Second Platoon: run")
    assert [row.purpose for row in run.rolls] == ["hit", "wound"]
    assert 31 not in {entry.number for entry in turn.rolled}


def test_house_rules_and_the_head_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.battle.jsonl"
    sides = ("--side", "A", "--side", "B")
    headsdown("new", path, "--rules", "suppression-fire", *sides, "--switch", "shrapnel=off")
    page = headsdown("report", path).out
    assert "| shrapnel | off | changed | SF-29 | Which guns cause shrapnel? |" in page
    assert "| pistols | banned | usual | SF-8 | May pistols suppress? |" in page
    mark = headsdown("show", path, "--json").json["mark"]
    assert f"Head of the record: `{mark}`" in page


def corrected(tmp_path: Path) -> Path:
    """A test of 3 and 4 typed, taken back, and typed again as 6 and 6."""
    path = copy_example("suppression-fire", tmp_path)
    headsdown("goto", path, 14)
    test = '{"type": "test", "target": "guardians", "dice": [6, 6]}'
    assert headsdown("play", path, "--orders", "-", "--as", "Anna", stdin=test).status == 0
    return path


def test_dice_typed_anew_are_told_and_counted(tmp_path: Path) -> None:
    path = corrected(tmp_path)
    told = json.loads(headsdown("report", path, "--format", "json").out)
    assert (told["corrections"], told["players"]) == (1, [["Anna", 1]])
    assert told["orders"] + told["taken_back"] == len([each for each in told["entries"] if each["kind"] == "order"])
    last = told["entries"][-1]["rolls"][0]
    assert (last["faces"], last["corrects"]) == ("6 6", "corrects entry 15: 3 4 there")
    assert "1 roll typed anew" in headsdown("report", path).out
    assert "corrects entry 15: 3 4 there" in headsdown("report", path, "--format", "html").out


def test_a_turn_that_was_gone_back_to_is_told_again(tmp_path: Path) -> None:
    page = headsdown("report", corrected(tmp_path)).out
    assert "## Turn 1, Imperium\n" in page
    assert "## Turn 1, Imperium (again)\n" in page


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("anonymise", [(), ("--anonymise",)])
def test_a_battle_in_which_nothing_happened(rules: str, form: str, anonymise: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "empty.battle.jsonl"
    headsdown("new", path, "--rules", rules, "--side", "Anna's", "--side", "Bert's")
    ran = headsdown("report", path, "--format", form, *anonymise)
    assert (ran.status, ran.err) == (0, "")
    assert ("Anna" in ran.out) == (not anonymise)
    assert rule_set(rules).title in ran.out


@pytest.mark.usefixtures("counter")
@pytest.mark.parametrize("form", FORMATS)
def test_a_third_rule_set_needs_nothing_but_its_own_words(form: str, tmp_path: Path) -> None:
    ran = headsdown("report", played_battle(tmp_path / "a.battle.jsonl"), "--format", form)
    assert (ran.status, ran.err) == (0, "")
    assert "a note with ümläuts" in ran.out
    ran = headsdown("report", tmp_path / "a.battle.jsonl", "--format", form, "--anonymise")
    assert not re.search("ümläuts|blue|red counts|Ann|Bob", ran.out)


def test_times_that_no_calendar_has() -> None:
    assert utc(1_764_500_000_000) == "2025-11-30 10:53:20"
    assert utc(10**30) == "some day"


def test_hundreds_of_dice_in_one_roll_can_be_told(tmp_path: Path) -> None:
    """Chances of 200 dice have numbers of 150 figures."""
    path = tmp_path / "a.battle.jsonl"
    headsdown("new", path, "--rules", "suppression-fire", "--side", "A", "--side", "B", "--seed", "x")
    gun = {"name": "g", "gun_type": "g", "range": 24, "strength": 4, "ap": 5, "type": "assault", "shots": 3}
    squads = [
        {"id": name, "side": side, "groups": [{"name": "men", "models": models, "weapons": [gun], "armour": 6}]}
        for name, side, models in (("a", "A", 5), ("b", "B", 200))
    ]
    orders: list[dict[str, Any]] = [
        *({"type": "muster", "unit": squad} for squad in squads),
        {"type": "begin_turn", "side": "A"},
        {"type": "phase", "to": "shooting"},
        {"type": "declare", "target": "b", "by": [{"unit": "a", "range": 12}]},
        {"type": "test", "target": "b", "dice": [1, 1]},
        {"type": "end_turn"},
        {"type": "begin_turn", "side": "B"},
        {"type": "act", "unit": "b", "action": "move"},
    ]
    assert headsdown("play", path, "--orders", "-", stdin=json.dumps(orders)).status == 0
    for form in FORMATS:
        assert headsdown("report", path, "--format", form).status == 0
    hits = json.loads(headsdown("report", path, "--format", "json").out)["entries"][-1]["rolls"][0]
    assert len(hits["dice"]) == 200
    assert hits["chance"][1] > 10**100


# Formats


def test_the_csv_reads_back() -> None:
    with open_example("suppression-fire") as battle:
        text = report_on(battle, "csv").decode()
        told = account_of(battle)
    rows = list(csv.DictReader(StringIO(text)))
    assert {None} not in [set(row) for row in rows]
    assert {len(row) for row in csv.reader(StringIO(text))} == {21}
    entries = [row for row in rows if row["kind"] in ("order", "undo")]
    assert [int(row["entry"]) for row in entries] == list(range(1, 58))
    assert [row["entry"] for row in rows if row["kind"] == "order" and row["taken_back"] == "yes"] == ["31"]
    rolls = [row for row in rows if row["kind"] == "roll"]
    assert [row["faces"] for row in rolls] == [
        " ".join(map(str, roll.dice)) for entry in told.entries for roll in entry.rolls
    ]
    assert float(rolls[0]["chance"]) == pytest.approx(26 / 36)
    assert rows[0]["told"].endswith("Head 57:1d1b59c5. 1 order taken back, 0 rolls typed anew.")
    assert len([row for row in rows if row["kind"] == "luck"]) == len(told.luck)


@pytest.mark.parametrize("name", BATTLES)
def test_the_page_is_whole_and_can_be_read_without_seeing_it(name: str) -> None:
    """Headings in order, tables with headings, every picture named; links only within the page."""
    with open_example(name) as battle:
        page = Page(report_on(battle, "html").decode())
    tags = page.tags
    assert dict(tags)["html"] == {"lang": "en"}
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - level <= 1 for level, after in pairwise(levels))
    pictures = [attrs for tag, attrs in tags if tag == "svg"]
    assert len(pictures) >= 4
    assert all(attrs["role"] == "img" and attrs["aria-label"] for attrs in pictures)
    assert all(attrs.get("scope") for tag, attrs in tags if tag == "th")
    ids = {attrs["id"] for _, attrs in tags if "id" in attrs}
    assert {(attrs["href"] or "")[1:] for tag, attrs in tags if tag == "a"} <= ids
    assert {attrs["aria-labelledby"] for _, attrs in tags if "aria-labelledby" in attrs} <= ids
    assert not [tag for tag, attrs in tags if tag in ("script", "img", "iframe") or "src" in attrs]


@pytest.mark.parametrize("name", BATTLES)
def test_the_recording_plays_in_a_terminal_of_80_by_24(name: str) -> None:
    with open_example(name) as battle:
        header, *events = [json.loads(line) for line in report_on(battle, "cast").splitlines()]
        entries = battle.history.entries
    assert (header["version"], header["width"], header["height"], header["timestamp"]) == (2, 80, 24, 1_764_500_000)
    times = [seconds for seconds, _, _ in events]
    assert times == sorted(times)
    assert times[0] == 0
    assert max(after - before for before, after in pairwise(times)) <= 3
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    shown = []
    for _, kind, data in events:
        assert kind == "o"
        stream.feed(data)
        shown.append("\n".join(line.rstrip() for line in screen.display))
    for number in range(1, len(entries) + 1):
        assert any(re.search(rf"^{number} +\S", page, re.MULTILINE) for page in shown)
    assert "Nothing has happened yet." in shown[0]
    assert "wins" in shown[-1]


def test_a_frame_shows_what_stood_then() -> None:
    with open_example("suppression-fire") as battle:
        events = [json.loads(line) for line in report_on(battle, "cast").splitlines()[1:]]
    (frame,) = [data for _, _, data in events if "\r\n34  Guardians" in data or "\r\n34 Guardians" in data]
    assert "Turn 2  Imperium  shooting" in frame
    assert "Guardians at the wall: test failed, pinned." in frame
    assert "PINNED" in frame


def test_the_json_is_the_account() -> None:
    with open_example("gray-dawn") as battle:
        told = account_of(battle)
        assert msgspec.json.decode(report_on(battle, "json"), type=Account) == told


# Anonymising


def test_names_are_replaced_everywhere_by_the_same_others() -> None:
    with open_example("suppression-fire") as battle:
        page = report_on(battle, "md", anonymise=True).decode()
        for text in ("The farm", "Eldar", "Imperium", "Guardians", "Second Platoon", "Avengers", "smokes", "taken."):
            assert text not in page
    assert "Unit 2, leadership test: 9, failed, needed 7 or less" in page
    assert "| Unit 2 | tests failed | all | 2 | 1 | 0.69 |" in page
    assert "Side B: muster Unit 5" in page
    assert "lasgun" in page  # of the armoury: it names nobody
    assert "57:1d1b59c5" in page


@pytest.mark.parametrize("name", BATTLES)
@pytest.mark.parametrize("form", FORMATS)
def test_no_name_gets_through_in_any_format(name: str, form: str) -> None:
    with open_example(name) as battle:
        history = battle.history
        names = set(history.rules.names(history.state).values()) | set(history.header.sides)
        orders = [entry.order for entry in history.entries if isinstance(entry, OrderEntry)]
        notes = {order.text for order in orders if isinstance(order, Note)}
        assert len(names) >= 10
        assert notes
        report = report_on(battle, form, anonymise=True).decode()
    for text in {*names, *notes, history.header.name}:
        assert text not in report


def test_luck_is_the_same_under_other_names() -> None:
    for name in BATTLES:
        with open_example(name) as battle:
            plain, masked = account_of(battle), account_of(battle, anonymise=True)
        assert [line.as_bad for line in plain.luck] == [line.as_bad for line in masked.luck]
        assert [point.swing for point in plain.turning_points] == [point.swing for point in masked.turning_points]
        assert plain.faces == masked.faces


HARMLESS = {
    "Weapon.damage", "Stopped.action", "Acted.action", "Wounded.location", "Checked.stance", "Lapsed.why",
}  # fmt: skip
"""Fields of text that hold the rules' own words."""


def texts_of(kind: Any, seen: set[Any]) -> set[str]:
    """The fields, as `Struct.field`, in which an order or an event can hold any text."""
    found: set[str] = set()
    if isinstance(kind, msgspec.inspect.StructType):
        if kind.cls in seen:
            return found
        seen.add(kind.cls)
        for field in kind.fields:
            found |= {f"{kind.cls.__name__}.{field.name}" for each in _leaves(field.type) if each == "text"}
            found |= {name for each in _leaves(field.type) if each != "text" for name in texts_of(each, seen)}
    elif isinstance(kind, msgspec.inspect.UnionType):
        found = {name for each in kind.types for name in texts_of(each, seen)}
    return found


def _leaves(kind: Any) -> list[Any]:
    if isinstance(kind, msgspec.inspect.StrType):
        return ["text"]
    if isinstance(kind, msgspec.inspect.UnionType):
        return [leaf for each in kind.types for leaf in _leaves(each)]
    if isinstance(kind, msgspec.inspect.VarTupleType | msgspec.inspect.ListType):
        return _leaves(kind.item_type)
    if isinstance(kind, msgspec.inspect.TupleType):
        return [leaf for each in kind.item_types for leaf in _leaves(each)]
    if isinstance(kind, msgspec.inspect.DictType):
        return _leaves(kind.key_type) + _leaves(kind.value_type)
    return [kind] if isinstance(kind, msgspec.inspect.StructType) else []


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_text_of_an_order_or_event_is_known_to_the_masks(name: str) -> None:
    """A new field with names in it must be named, or said to be harmless here, before it can leak."""
    rules = rule_set(name)
    seen: set[Any] = set()
    texts = texts_of(msgspec.inspect.type_info(rules.order_types), seen)
    texts |= texts_of(msgspec.inspect.type_info(rules.event_types), seen)
    assert texts - set(rules.named) - HARMLESS == set()
    structs = {kind.__name__: kind for kind in seen} | {"Rolled": Rolled}
    python_names = {f"{each}.{field}" for each, kind in structs.items() for field in kind.__struct_fields__}
    assert set(rules.named) <= python_names


# The command


def test_the_command_offers_the_formats_there_are() -> None:
    assert f"--format {{{','.join(FORMATS)}}}" in headsdown("report", "--help").out


STARTS = {"html": "<!DOCTYPE", "json": "{", "csv": '"kind"', "cast": '{"version"', "md": "# ", "txt": "# "}
"""How a report begins, by the ending of its file."""


def test_a_report_goes_into_a_new_file_of_the_kind_that_its_name_says(tmp_path: Path) -> None:
    path = copy_example("gray-dawn", tmp_path)
    for ending, start in STARTS.items():
        output = tmp_path / f"report.{ending}"
        ran = headsdown("report", path, "--output", output)
        assert (ran.status, ran.out) == (0, f"wrote {output}\n")
        assert output.read_text().startswith(start)
    again = headsdown("report", path, "--output", tmp_path / "report.html")
    assert (again.status, again.out) == (2, "")
    assert "exists already" in again.err


def test_a_file_of_another_kind_is_no_report(tmp_path: Path) -> None:
    """Nothing is written where the name promises what there is not; --format says what is meant."""
    path = copy_example("suppression-fire", tmp_path)
    for ending in ("docx", "pdf"):
        wrong = headsdown("report", path, "--output", tmp_path / f"a.{ending}")
        assert wrong.status == 2
        assert f".{ending} is no format; OUTPUT ends in .md, .html, .json, .csv, .cast" in wrong.err
        assert not (tmp_path / f"a.{ending}").exists()
    assert headsdown("report", path, "--output", tmp_path / "a.docx", "--format", "md").status == 0
    assert headsdown("report", path, "--output", tmp_path / "report").status == 0


def test_a_report_never_takes_the_place_of_its_battle(tmp_path: Path) -> None:
    path = copy_example("gray-dawn", tmp_path)
    before = path.read_bytes()
    assert headsdown("report", path, "--output", path).status == 2
    assert path.read_bytes() == before


def test_what_is_printed_is_what_is_written(tmp_path: Path) -> None:
    path = copy_example("gray-dawn", tmp_path)
    for form in FORMATS:
        headsdown("report", path, "--format", form, "--output", tmp_path / form)
        printed = headsdown("report", path, "--format", form).out.encode()
        assert printed.splitlines() == (tmp_path / form).read_bytes().splitlines()


def test_a_damaged_battle_is_told_as_far_as_it_is_sound(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    content = bytearray(path.read_bytes())
    content[content.index(b"Wave Serpent")] ^= 1
    path.write_bytes(content)
    ran = headsdown("report", path)
    assert ran.status == 3
    assert "this is the battle up to entry 3" in ran.out
    hidden = headsdown("report", path, "--anonymise").out
    assert "this is the battle up to entry 3" in hidden
    assert str(tmp_path) not in hidden
    assert headsdown("report", tmp_path / "nowhere").status == 3


@pytest.mark.usefixtures("counter")
def test_a_battle_without_a_name_is_called_after_its_file_unless_that_is_hidden(tmp_path: Path) -> None:
    path = small_battle(tmp_path / "annas-birthday.battle.jsonl")
    with OpenBattle.open(path, read_only=True) as battle:
        assert battle.history.header.name == "Small"
    headsdown("new", tmp_path / "annas.battle.jsonl", "--rules", "gray-dawn", "--side", "A", "--side", "B")
    assert "# annas.battle.jsonl" in headsdown("report", tmp_path / "annas.battle.jsonl").out
    assert "annas" not in headsdown("report", tmp_path / "annas.battle.jsonl", "--anonymise").out


# One text at a time


@settings(deadline=None)
@given(text=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30))
def test_any_text_stands_in_markdown_as_it_is(text: str) -> None:
    """In a heading, in an item of a list, struck through, and in a cell of a table."""
    wanted = spaced(clean(text))
    page = f"# {escaped(text)}\n\n- {escaped(text)} (1)\n\n| a | b |\n| --- | --- |\n| {escaped(text)} | c |\n"
    tokens = markdown_tokens(page)
    shown = [spaced("".join(child.content for child in token.children or ())) for token in tokens if token.children]
    assert [token.type for token in tokens if token.nesting == 1] == [
        "heading_open", "bullet_list_open", "list_item_open", "paragraph_open", "table_open", "thead_open", "tr_open",
        "th_open", "th_open", "tbody_open", "tr_open", "td_open", "td_open",
    ]  # fmt: skip
    assert shown == ([wanted] if wanted else []) + [
        spaced(f"{wanted} (1)"),
        "a",
        "b",
        *([wanted] if wanted else []),
        "c",
    ]
    kinds = {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {"text", "text_special"}


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "  =1", "\uff1d1"])
def test_what_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert safe(text) == f"'{text}"
    assert safe(f"x{text}") == f"x{text}"
