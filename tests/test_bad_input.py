"""Bad input of every kind: one line that says what and where, the contract's exit status, nothing changed on disk."""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.headsdown_command import headsdown
from tests.small_rules import played_battle

CASES = json.loads((Path(__file__).parent / "cases" / "suppression-fire.json").read_text())

DEEP = '{"type":"note","text":' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.battle.jsonl"
    ran = headsdown("new", path, "--rules", "suppression-fire", "--side", "blue", "--side", "red", "--seed", "bad")
    assert ran.status == 0
    return path


def one_line(err: str, *words: str) -> None:
    assert err.startswith("headsdown")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    for word in words:
        assert word in err


ORDERS = {
    "no JSON": b"hello",
    "half an object": b'{"type":"note"',
    "two objects": b'{"type":"note","text":"a"} {"type":"note","text":"b"}',
    "a number": b"7",
    "null": b"null",
    "text": b'"note"',
    "empty object": b"{}",
    "no type": b'{"text":"a"}',
    "unknown type": b'{"type":"shout"}',
    "type that is no text": b'{"type":7}',
    "type that is null": b'{"type":null}',
    "missing field": b'{"type":"note"}',
    "unknown field": b'{"type":"note","text":"a","loud":true}',
    "wrong type": b'{"type":"note","text":7}',
    "null for text": b'{"type":"note","text":null}',
    "list for text": b'{"type":"note","text":["a"]}',
    "huge number": b'{"type":"score","side":"blue","points":' + b"9" * 5000 + b"}",
    "large number": b'{"type":"score","side":"blue","points":99999999999}',
    "huge exponent": b'{"type":"score","side":"blue","points":1e999999}',
    "fraction": b'{"type":"score","side":"blue","points":1.5}',
    "NaN": b'{"type":"score","side":"blue","points":NaN}',
    "Infinity": b'{"type":"score","side":"blue","points":-Infinity}',
    "deep nesting": DEEP.encode(),
    "deep array": b"[" * 100_000,
    "deep array that ends": b"[" * 100_000 + b"]" * 100_000,
    "array of numbers": b"[1]",
    "array that never ends": b'[{"type":"note","text":"a"},',
    "array with a comma too many": b'[{"type":"begin_turn","side":"blue"},]',
    "array of arrays": b"[[]]",
    "NUL": b"\0",
    "not UTF-8": b'{"type":"note","text":"\xff\xfe"}',
    "lone surrogate": b'{"type":"note","text":"\\ud800"}',
    "control character": b'{"type":"note","text":"a\x01b"}',
    "too long a line": b'{"type":"note","text":"' + b"a" * (1 << 20) + b'"}',
    "too long a text": b'{"type":"note","text":"' + b"a" * 100_000 + b'"}',
    "unknown side": b'{"type":"begin_turn","side":"green"}',
    "unknown unit": b'{"type":"test","target":"nobody"}',
    "odd id": b'{"type":"muster","unit":{"id":"No Id!","side":"blue","groups":[{"name":"a","models":1}]}}',
    "201 models": b'{"type":"muster","unit":{"id":"a","side":"blue","groups":[{"name":"a","models":201}]}}',
    "no models": b'{"type":"muster","unit":{"id":"a","side":"blue","groups":[{"name":"a","models":0}]}}',
    "dice where nothing is rolled": b'{"type":"note","text":"a","dice":[1]}',
    "dice that are no numbers": b'{"type":"note","text":"a","dice":["6"]}',
    "dice that are no list": b'{"type":"note","text":"a","dice":6}',
    "negative dice": b'{"type":"note","text":"a","dice":[-1]}',
    "6,000 dice": b'{"type":"note","text":"a","dice":[' + b"1," * 5999 + b"1]}",
}


@pytest.mark.parametrize("text", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("from_file", [True, False], ids=["file", "stdin"])
def test_bad_orders(path: Path, tmp_path: Path, text: bytes, from_file: bool) -> None:
    before = path.read_bytes()
    orders = tmp_path / "orders"
    orders.write_bytes(b"\n" + text)
    ran = headsdown("play", path, "--orders", orders if from_file else "-", "--json", stdin=b"\n" + text)
    assert ran.status == 1
    (answer,) = ran.lines
    assert answer["order"] == 1
    assert answer["refused"]["clause"] in ("order", "dice")
    assert answer["refused"]["message"]
    one_line(ran.err, str(orders) if from_file else "standard input")
    assert len(ran.err) < 500
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["a.battle.jsonl", "orders"]


@pytest.mark.parametrize("text", ORDERS.values(), ids=ORDERS)
def test_bad_orders_have_no_odds(path: Path, text: bytes) -> None:
    before = path.read_bytes()
    ran = headsdown("odds", path, "--json", "--order", text.decode(errors="surrogateescape"))
    assert ran.status == 1
    assert ran.json["refused"]["message"]
    one_line(ran.err)
    assert path.read_bytes() == before


def test_a_bad_order_after_good_ones(path: Path) -> None:
    orders = "\r\n".join(['{"type":"note","text":"one"}', "", '{"type":"note","text":"two"}', '{"type":"note"', "{}"])
    ran = headsdown("play", path, "--orders", "-", "--json", stdin=orders)
    assert (ran.status, len(ran.lines), ran.lines[2]["order"]) == (1, 3, 3)
    one_line(ran.err, "standard input, line 4, order 3")
    assert path.read_bytes().count(b"\n") == 3


FILES: dict[str, bytes] = {
    "empty": b"",
    "text": b"hello\n",
    "JSON": b'{"a": 1}\n',
    "another format": b'{"format":"other","v":1}\n',
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "one long line": b"x" * (3 << 20),
    "deep nesting": b"[" * 200_000,
    "zeros": bytes(5000),
    "battle without seal": b'{"format":"headsdown-battle","v":1,"min_reader":1}\n',
}

READING = (["show"], ["show", "--json"], ["log"], ["verify"], ["verify", "--json"], ["odds", "--order", "{}"])
WRITING = (["undo"], ["redo", "--json"], ["goto", "0"], ["play", "--orders", "-"])


def command(words: list[str], file: object) -> list[object]:
    return [words[0], file, *words[1:]]


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
@pytest.mark.parametrize("words", [*READING, *WRITING], ids=" ".join)
def test_files_that_are_no_battle(tmp_path: Path, content: bytes, words: list[str]) -> None:
    path = tmp_path / "x.battle.jsonl"
    path.write_bytes(content)
    ran = headsdown(*command(words, path), stdin='{"type":"note","text":""}')
    assert ran.status == 3
    one_line(ran.err, str(path))
    if words[0] != "verify":
        assert ran.out == ""
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == ["x.battle.jsonl"]


@pytest.mark.parametrize("words", [*READING, *WRITING], ids=" ".join)
def test_no_file_a_folder_a_pipe(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, says in [("missing", "not there"), ("folder", "folder"), ("pipe", "pipe"), ("a\nb", "not there")]:
        ran = headsdown(*command(words, tmp_path / name), stdin="{}")
        assert (ran.status, ran.out) == (3, "")
        one_line(ran.err, says)
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_new_where_nothing_can_be_created(tmp_path: Path) -> None:
    more = ("--rules", "suppression-fire", "--side", "a", "--side", "b")
    (tmp_path / "file").write_text("mine")
    for name, status in [("missing/x", 3), ("file/x", 3), ("file", 2), (".", 2), ("x" * 300, 3)]:
        ran = headsdown("new", tmp_path / name, *more)
        assert (ran.status, ran.out) == (status, "")
        one_line(ran.err)
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


def test_orders_that_cannot_be_read(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    for name, says in [("missing", "not there"), (".", "folder"), ("x" * 300, "cannot be read")]:
        ran = headsdown("play", path, "--orders", tmp_path / name)
        assert (ran.status, ran.out) == (3, "")
        one_line(ran.err, says)
    assert path.read_bytes() == before


@pytest.mark.usefixtures("counter")
def test_no_permission(as_nobody: Path) -> None:
    path = played_battle(as_nobody / "a.battle.jsonl")
    secret = as_nobody / "secret.battle.jsonl"
    shutil.copy(path, secret)
    secret.chmod(0o600)
    before = path.read_bytes()
    os.seteuid(65534)
    for words in (*READING, *WRITING):
        ran = headsdown(*command(words, secret), stdin="{}")
        assert (ran.status, ran.out) == (3, "")
        one_line(ran.err, "Permission denied")
    for words in WRITING:
        ran = headsdown(*command(words, path), stdin="{}")
        assert (ran.status, ran.out) == (3, "")
        one_line(ran.err, "Permission denied")
    assert headsdown("show", path).status == 0
    made = headsdown("new", as_nobody / "b", "--rules", "counter", "--side", "a", "--side", "b")
    assert (made.status, made.out) == (3, "")
    one_line(made.err, "Permission denied")
    listed = headsdown("list", as_nobody, "--json").json
    assert {Path(each["file"]): each["damaged"] for each in listed} == {path: False, secret: True}
    os.seteuid(0)
    assert path.read_bytes() == before
    assert sorted(os.listdir(as_nobody)) == ["a.battle.jsonl", "secret.battle.jsonl"]


# Any order that some scenario gives, spoilt in any one place


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    7,
    1.5,
    10**30,
    -(10**30),
    "",
    "nobody",
    "x" * 300,
    "\u0000",
    [],
    [[]],
    {},
    {"a": {}},
    [None],
    ["nobody", "nobody"],
)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, as the keys that lead to it."""
    yield way
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*way, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from places(inner, (*way, at))


def spoilt(order: dict[str, Any], chance: random.Random) -> Any:
    """The order with something wrong in one place: another value, a field gone, or a field too many."""
    order = copy.deepcopy(order)
    way = chance.choice(list(places(order)))
    if not way:
        return {**order, "bogus": 1}
    parent: Any = order
    for key in way[:-1]:
        parent = parent[key]
    if chance.random() < 0.2:
        del parent[way[-1]]
    else:
        parent[way[-1]] = chance.choice(WRONG)
    return order


@pytest.mark.parametrize("case", CASES[::2], ids=lambda case: case["name"])
def test_spoilt_orders_are_refused_or_carried_out(tmp_path: Path, case: dict[str, Any]) -> None:
    """Whatever stands in an order, the answer is an entry or a refusal with a sentence, never a failure."""
    chance = random.Random(case["name"])
    path = tmp_path / "a.battle.jsonl"
    switches = [f"--switch={name}={value}" for name, value in case["switches"].items()]
    sides = [word for side in case["sides"] for word in ("--side", side)]
    headsdown("new", path, "--rules", case["rules"], *sides, *switches, "--seed", "x")
    for order in case["orders"]:
        for _ in range(4):
            before = path.read_bytes()
            text = json.dumps(spoilt(order, chance))
            ran = headsdown("play", path, "--orders", "-", "--json", stdin=text)
            assert ran.status in (0, 1), f"{text}: {ran.err}"
            if ran.status:
                assert ran.lines[0]["refused"]["message"]
                one_line(ran.err)
                assert path.read_bytes() == before
            else:
                path.write_bytes(before)
        if headsdown("play", path, "--orders", "-", "--json", stdin=json.dumps(order)).status:
            break
