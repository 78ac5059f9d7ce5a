"""Files that mean harm or are broken: refused in one sentence or shown as plain text, soon and in little room."""

from __future__ import annotations

import io
import json
import os
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from engine.enlisting import enlisted
from engine.refusals import Refusal
from engine.registered import RULE_SETS, rule_set
from saves.armoury import armoury
from saves.faults import Fault, Unreadable
from saves.rosters.reading import list_in, read_list
from saves.rosters.refused import MOST_BYTES, NoArmyList
from tests.roster_files import F, S, armed, as_json, counted, gun, read, stats, vehicle, watch, xml, zipped

GOOD = xml(watch())

LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><roster name="&c;"/>'
)


def lying(raw: bytes, size: int) -> bytes:
    """A zip file that says its list has another size, in both places where it says so."""
    packed = bytearray(zipped(raw))
    for at in (packed.find(b"PK\x01\x02") + 24, 22):
        packed[at : at + 4] = struct.pack("<I", size)
    return bytes(packed)


def encrypted() -> bytes:
    packed = bytearray(zipped(GOOD))
    for at in (packed.find(b"PK\x01\x02") + 8, 6):
        packed[at] |= 1
    return bytes(packed)


def with_entries(*names: str, content: bytes = GOOD, kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        for name in names:
            archive.writestr(name, content)
    return packed.getvalue()


def nested_xml(depth: int) -> bytes:
    return b"<roster>" + b"<selections>" * depth + b"</selections>" * depth + b"</roster>"


def nested_json(depth: int) -> bytes:
    return b'{"roster":' + b'{"forces":[' * depth + b"]}" * depth + b"}"


def many(count: int) -> bytes:
    return b"<roster><forces><force><selections>" + b"<selection/>" * count + b"</selections></force></forces></roster>"


HOSTILE = {
    "entities that grow": (LAUGHS, "DTD"),
    "a file of the system": (
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"/>',
        "DTD",
    ),
    "an outer DTD": (b'<!DOCTYPE roster SYSTEM "http://evil.example/x.dtd"><roster/>', "DTD"),
    "a DTD in a zip file": (zipped(LAUGHS), "DTD"),
    "an unknown entity": (b"<roster name='&lol;'/>", "broken"),
    "XML that ends early": (GOOD[:-200], "broken near"),
    "XML that is crossed": (b"<roster><forces></roster>", "broken"),
    "an unknown encoding": (b'<?xml version="1.0" encoding="klingon"?><roster/>', "encoding"),
    "deep XML": (nested_xml(200_000), "nested more than 64 deep"),
    "deep JSON": (nested_json(200_000), "nested"),
    "JSON a little too deep": (nested_json(70), "nested more than 64 deep"),
    "200,000 elements": (many(200_000), "more than 100000 elements"),
    "30,000 entries": (many(30_000), "more than 20000 entries"),
    "200,000 elements of JSON": (
        b'{"roster":{"forces":[{"selections":[' + b"{}," * 200_000 + b"{}]}]}}",
        "more than 100000 elements",
    ),
    "a zip bomb": (zipped(b"<roster>" + b" " * 30_000_000), "unpacks to more than"),
    "a zip bomb in bounds of size": (zipped(b"<roster>" + b" " * 15_000_000), "100 times its size"),
    "a zip file that says too little": (lying(b"<roster>" + b" " * 15_000_000, 100), ""),
    "a zip file that says too much": (lying(GOOD, 2_000_000_000), "unpacks to more than"),
    "an encrypted zip file": (encrypted(), "encrypted"),
    "a zip file cut off": (zipped(GOOD)[:-30], "cut off"),
    "a zip file with a wrong byte": (zipped(GOOD)[:300] + b"\xff" + zipped(GOOD)[301:], "broken"),
    "nine files in a zip file": (with_entries(*(f"{n}.ros" for n in range(9))), "more than 8 files"),
    "two lists in a zip file": (with_entries("a.ros", "b.ros"), "holds 2 lists"),
    "only folders in a zip file": (with_entries("a/", content=b""), "holds no lists"),
    "an empty zip file": (with_entries(), "nothing in the zip"),
    "a zip file in a zip file": (zipped(zipped(GOOD)), "no army list"),
    "bzip2 in a zip file": (with_entries("a.ros", kind=zipfile.ZIP_BZIP2), "packed in a way"),
    "nothing": (b"", "empty"),
    "only spaces": (b"  \n ", "empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + os.urandom(200), ""),
    "bytes that are no text": (b"Guard\n\xff\xff\xff", "line 2 is no text in UTF-8"),
    "a web page": (b"<html><body>roster</body></html>", "a web page"),
    "a catalogue": (b"<catalogue name='x'/>", "a catalogue"),
    "JSON of something else": (b'{"type":"FeatureCollection"}', "no roster"),
    "a list of Rosterizer": (b'{"payload":{"id":1},"rulebook":{}}', "Rosterizer"),
    "a battle": (b'{"format":"headsdown-battle","v":1}', "this is a battle"),
    "JSON that ends early": (as_json(watch())[:-20], "JSON is broken"),
    "null for the roster": (b'{"roster":null}', "no roster"),
    "an empty JSON object": (b"{}", "nothing in it"),
    "the text of a list builder": (
        b"++ Patrol [480 pts] ++\n\n+ HQ +\n\nCaptain [65 pts]: Pistol\n\n+ Troops +\n\n. 9x Watchman: rifle\n",
        "text of a list builder",
    ),
    "the text of an app": (
        "Harbour Watch (480 points)\n\nCHARACTERS\n\nCaptain (65 points)\n  \u2022 1x Pistol\n  \u2022 1x Hook\n"
        "\nExported with App Version: v1.2\n".encode(),
        "text of a list builder",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_it_is_refused_in_one_sentence(kind: str, tmp_path: Path) -> None:
    raw, why = HOSTILE[kind]
    path = tmp_path / "odd \x1b[31m.ros"
    path.write_bytes(raw)
    with pytest.raises(NoArmyList) as refused:
        read_list(path)
    told = str(refused.value)
    assert why in told
    assert told.isprintable()
    assert told.startswith(str(tmp_path))
    assert len(told) < 400


@pytest.mark.parametrize("kind", ["200,000 elements", "200,000 elements of JSON", "a zip bomb", "deep XML"])
def test_it_takes_little_memory(kind: str) -> None:
    raw, _ = HOSTILE[kind]
    tracemalloc.start()
    try:
        with pytest.raises(NoArmyList):
            list_in(raw, "a.ros")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 150 * 2**20


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.ros"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(NoArmyList, match="larger than 16 MB"):
        read_list(path)


def test_pipes_folders_and_what_is_not_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ros")
    for name, why in (("pipe.ros", "no ordinary file"), (".", "is a folder"), ("gone.ros", "is not there")):
        with pytest.raises(Unreadable, match=why):
            read_list(tmp_path / name)
    with pytest.raises(Fault):
        read_list(Path("nul\0name.ros"))


def test_names_in_a_zip_file_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("../../evil.ros", "/etc/evil.ros", "a\\..\\b.ros", "con:\x1b[31m.ros", "x" * 5000 + ".ros"):
        assert counted(list_in(with_entries(name), "a.rosz")) == counted(list_in(GOOD, "a.ros"))
    assert list(tmp_path.iterdir()) == []


def test_what_systems_add_to_zip_files_is_passed_over() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("__MACOSX/._a.ros", b"junk")
        archive.writestr("folder/", b"")
        archive.writestr("folder/a.ros", GOOD)
    assert counted(list_in(packed.getvalue(), "a.rosz")) == counted(list_in(GOOD, "a.ros"))


def test_names_are_data() -> None:
    """Control characters, changes of direction and markup in names: plain text, and nothing of it acts."""
    odd = [
        "Big Mek [Legends]",
        "[@click=app.quit]x[/]",
        "Fists [/] of Dorn",
        "<script>",
        "\u202egnirts",
        "\u200bx\ufeffy",
    ]
    army = read(*(S(name, "model", 1, [stats("x")]) for name in odd))
    assert [unit.name for unit in army.units] == [
        "Big Mek [Legends]",
        "[@click=app.quit]x[/]",
        "Fists [/] of Dorn",
        "<script>",
        "gnirts",
        "xy",
    ]
    sneaky = as_json(F([S("A\u001b[31mB\u0007\nC", "model", 1, [stats("x")])]))
    assert [unit.name for unit in list_in(sneaky, "a.json").units] == ["A[31mB C"]


def test_costs_that_are_no_numbers_count_nothing() -> None:
    for written in ("nan", "inf", "-inf", "1e400", "many", ""):
        raw = xml(F([S("Gunner", "model", 1, [stats("Gunner")], points=5)])).replace(
            b'value="5"', f'value="{written}"'.encode()
        )
        army = list_in(raw, "a.ros")
        assert [unit.points for unit in army.units] == [0]


def test_json_numbers_that_overflow_do_no_harm() -> None:
    told = json.loads(as_json(F([S("Gunner", "model", 1, [stats("Gunner")])])))
    told["roster"]["forces"][0]["selections"][0]["number"] = 10**400
    told["roster"]["costs"][0]["value"] = 1e300
    army = list_in(json.dumps(told).encode(), "a.json")
    assert army.models in (1, 500)


def horde(*inside: S) -> list[S]:
    return [S("Horde", "unit", 1, [stats("x")], list(inside))]


def man(number: int, models: int = 1) -> S:
    return S(f"Man {number}", "model", models, [stats("x")])


WELL_FORMED = {
    "thousands of units": [man(n) for n in range(3000)],
    "thousands of kinds and guns in a unit": horde(
        *map(man, range(1500)), *(armed(f"Gun {n}", gun(f"Gun {n}")) for n in range(1500))
    ),
    "numbers as large as may be": horde(*(man(n, 500) for n in range(500))),
    "thousands of vehicles in a unit": horde(*(S(f"Cart {n}", profiles=[vehicle("Cart")]) for n in range(3000))),
    "thousands of units in a unit": horde(*(S(f"Part {n}", "unit", 1, [stats("x")]) for n in range(3000))),
}


@pytest.mark.parametrize("rules_name", RULE_SETS)
@pytest.mark.parametrize("kind", WELL_FORMED)
@pytest.mark.timeout(60)
def test_lists_that_no_battle_holds_are_said_to_be_so(kind: str, rules_name: str) -> None:
    """Well-formed, within all bounds of a file, and absurd: a refusal or what is left out, soon."""
    rules = rule_set(rules_name)
    army = list_in(xml(F(WELL_FORMED[kind])), "a.ros")
    battle = rules.begin(("Red", "Blue"), {})
    try:
        made = enlisted(rules, battle, army, "Red", {}, armoury(rules.armoury))
    except Refusal as refusal:
        told = [refusal.message]
    else:
        told = [left.why for left in made.left_out]
    assert told
    assert all("holds" in why or "no unit here has more" in why or "has no REF" in why for why in told)


def said_or_read(raw: bytes) -> str:
    """What is said of a file: why it is refused, or the name of the list in it and how many models it has."""
    try:
        army = list_in(raw, "a.ros")
    except NoArmyList as fault:
        return str(fault)
    return f"{army.origin.name}: {army.models}"


def test_a_thousand_broken_files_are_lists_or_faults() -> None:
    """Bytes changed, cut out and doubled at random: a list or one sentence, nothing else."""
    import random

    chance = random.Random(8)
    sources = [GOOD, zipped(GOOD), as_json(watch()), xml(watch(), schema="1.15")]
    for source in sources:
        for _ in range(250):
            raw = bytearray(source)
            for _ in range(chance.randint(1, 8)):
                at = chance.randrange(len(raw))
                match chance.randrange(3):
                    case 0:
                        raw[at] = chance.randrange(256)
                    case 1:
                        del raw[at : at + chance.randint(1, 40)]
                    case _:
                        raw[at:at] = raw[max(0, at - chance.randint(1, 40)) : at]
            assert said_or_read(bytes(raw))
