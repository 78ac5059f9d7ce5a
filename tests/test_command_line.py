"""The commands without a screen: what they print, what they leave in the file, how they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tui.commands
import tui.commands.looking
import tui.commands.screens
from engine import __version__
from saves import journal
from saves.battle import OpenBattle
from saves.library import examples
from tests.headsdown_command import headsdown
from tests.small_rules import NAME, played_battle, small_battle

pytestmark = pytest.mark.usefixtures("counter")

COUNT = '{"type":"count","side":"blue"}'
DARE = '{"type":"dare","side":"blue","dice":[3,3,4,5,1]}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_battle(tmp_path / "a.battle.jsonl")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    return played_battle(tmp_path / "played.battle.jsonl")


# new


def test_new(tmp_path: Path) -> None:
    path = tmp_path / "a.battle.jsonl"
    sides = ("--side", "blue", "--side", "red")
    ran = headsdown("new", path, "--rules", NAME, *sides, "--seed", "x", "--switch", "pace=fast", "--dice", "table")
    assert (ran.status, ran.err) == (0, "")
    assert "Counter, blue against red" in ran.out
    shown = headsdown("show", path, "--json").json
    assert shown["switches"] == {"limit": "off", "pace": "fast"}
    assert (shown["dice"], shown["sides"], shown["entries"]) == ("table", ["blue", "red"], 0)
    before = path.read_bytes()
    again = headsdown("new", path, "--rules", NAME, *sides)
    assert (again.status, again.out) == (2, "")
    assert "exists" in again.err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "more",
    [
        ("--rules", "chess"),
        ("--side", "green", "--side", "white"),
        ("--side", "blue"),
        ("--switch", "mood=good"),
        ("--switch", "pace=medium"),
        ("--switch", "pace"),
        ("--switch", "=slow"),
        ("--dice", "loaded"),
        ("--name", "x" * 101),
        ("--bogus",),
    ],
)
def test_new_with_wrong_usage(tmp_path: Path, more: tuple[str, ...]) -> None:
    path = tmp_path / "a.battle.jsonl"
    ran = headsdown("new", path, "--rules", NAME, "--side", "blue", "--side", "red", *more)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert os.listdir(tmp_path) == []


# play


def test_play_prints_an_answer_an_order(path: Path) -> None:
    ran = headsdown("play", path, "--orders", "-", "--json", "--as", "Ann", stdin=f"{COUNT}\n\n  {DARE}\n")
    assert (ran.status, ran.err) == (0, "")
    first, second = ran.lines
    assert (first["order"], first["entry"], second["order"], second["entry"]) == (1, 1, 2, 2)
    (total,) = first["rolls"]
    assert total["needed"] is None
    assert total["outcome"] == sum(total["dice"])
    assert first["events"] == [{"type": "counted", "side": "blue", "by": total["outcome"]}]
    assert {key: second["rolls"][0][key] for key in ("purpose", "sides", "dice", "needed", "outcome", "source")} == {
        "purpose": "nerve",
        "sides": 6,
        "dice": [3, 3],
        "needed": 7,
        "outcome": "passed",
        "source": "table",
    }
    assert [json.loads(line)["by"] for line in path.read_bytes().splitlines()[1:]] == ["Ann", "Ann"]


def test_play_takes_one_array(path: Path, tmp_path: Path) -> None:
    orders = tmp_path / "orders.json"
    orders.write_text(f"\n[{COUNT},\n {DARE}\n]\n")
    assert [answer["order"] for answer in headsdown("play", path, "--orders", orders, "--json").lines] == [1, 2]
    orders.write_text("[]")
    assert headsdown("play", path, "--orders", orders, "--json") == (0, "", "")


def test_play_stops_at_the_first_refused_order(path: Path, tmp_path: Path) -> None:
    orders = tmp_path / "orders.jsonl"
    orders.write_text(f'{COUNT}\n\n{{"type":"count","side":"green"}}\n{COUNT}\n')
    ran = headsdown("play", path, "--orders", orders, "--json")
    assert ran.status == 1
    assert [answer["order"] for answer in ran.lines] == [1, 2]
    assert ran.lines[1]["refused"] == {"clause": "order", "message": "there is no side green"}
    standing = "order 1 stands, go on with --from 2"
    assert ran.err == f"headsdown: {orders}, line 3, order 2: there is no side green (order); {standing}\n"
    assert path.read_bytes().count(b"\n") == 2
    words = headsdown("play", path, "--orders", "-", stdin='{"type":"shout"}')
    assert (words.status, words.out) == (1, "")
    assert words.err.startswith("headsdown: standard input, line 1, order 1: not an order")


def test_play_in_words(path: Path) -> None:
    ran = headsdown("play", path, "--orders", "-", stdin=DARE)
    assert ran.out.splitlines() == [
        "   1  blue dares",
        "      blue, nerve                 3 3          7 or less   6, passed    58 %  at the table",
        "      blue, save                  4 5 1        4+          2 of 3       38 %  at the table",
        "      blue holds.",
    ]


def test_play_answers_as_it_goes(path: Path) -> None:
    """A program that waits for each answer before its next order is not kept waiting."""
    root = Path(__file__).parent.parent
    program = (
        "import sys; from engine import registered; registered.RULE_SETS['counter'] = 'tests.small_rules';"
        "from tui.command_line import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", program, "play", str(path), "--orders", "-", "--json"]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as play:
        assert play.stdin is not None
        assert play.stdout is not None
        for number in (1, 2, 3):
            play.stdin.write(f"{COUNT}\n")
            play.stdin.flush()
            assert json.loads(play.stdout.readline())["order"] == number
        play.stdin.close()
        assert play.wait(timeout=30) == 0


# undo, redo, goto


def test_undo_and_redo(played: Path) -> None:
    undone = headsdown("undo", played, "--json", "--as", "Ann")
    assert (undone.status, undone.json) == (0, {"entry": 6, "head": 2, "undone": "red counts"})
    again = headsdown("undo", played, "--json")
    assert again.json == {"entry": 7, "head": 1, "undone": "red dares"}
    redone = headsdown("redo", played, "--json")
    assert redone.json == {"entry": 8, "head": 2, "redone": "red dares"}
    words = headsdown("redo", played)
    assert words.out == "redone: red counts\nundo:  red counts\n"
    nothing = headsdown("redo", played, "--json")
    assert (nothing.status, nothing.json["refused"]["clause"]) == (1, "order")
    assert nothing.err.startswith("headsdown: there is nothing to redo")
    assert headsdown("show", played, "--json").json["entries"] == 9


def test_goto(played: Path) -> None:
    assert headsdown("goto", played, 3, "--json").json == {
        "entry": 6,
        "head": 3,
        "gone_to": "note: a note with ümläuts",
    }
    assert headsdown("goto", played, 0, "--json").json == {"entry": 7, "head": 0, "gone_to": "the beginning"}
    far = headsdown("goto", played, 99, "--json")
    assert (far.status, far.json["refused"]["clause"]) == (1, "order")
    for number in ("-1", "x", "1.0", "9" * 5000, "\u0663"):
        assert headsdown("goto", played, number).status == 2


# show and log


def test_show_as_json(played: Path) -> None:
    shown = headsdown("show", played, "--json").json
    assert {key: shown[key] for key in ("rules", "turn", "entries", "head", "next_undo", "next_redo", "counts")} == {
        "rules": "counter",
        "turn": 3,
        "entries": 5,
        "head": 5,
        "next_undo": "red counts",
        "next_redo": None,
        "counts": {"blue": 11, "red": 16},
    }
    with OpenBattle.open(played, read_only=True) as battle:
        assert shown["mark"] == battle.head_mark


@pytest.mark.parametrize(
    ("at", "head", "blue", "redo"),
    [(0, 0, 0, None), (1, 1, 11, None), (3, 3, 11, None), (4, 2, 11, "note: a note with ümläuts"), (5, 5, 11, None)],
)
def test_show_as_it_was(played: Path, at: int, head: int, blue: int, redo: str | None) -> None:
    shown = headsdown("show", played, "--at", at, "--json").json
    assert (shown["entries"], shown["head"], shown["counts"]["blue"], shown["next_redo"]) == (5, head, blue, redo)


def test_show_an_entry_that_is_not_there(played: Path) -> None:
    ran = headsdown("show", played, "--at", 6)
    assert (ran.status, ran.out, ran.err) == (1, "", "headsdown: there is no entry 6; the last one is 5 (order)\n")


def test_show_in_words(played: Path) -> None:
    assert headsdown("show", played, "--at", 4).out.splitlines() == [
        "Small: Counter, blue against red",
        "after entry 4: Counter, turn 1",
        "",
        "Units",
        "  Side  Count",
        "  blue     11",
        "  red       0",
        "",
        "Suppression",
        "  (nothing)",
        "",
        "undo:  red dares",
        "redo:  note: a note with ümläuts",
    ]
    assert "To decide\n  Somebody has to count.\n" in headsdown("show", played, "--at", 0).out


def test_log_in_words(played: Path) -> None:
    with OpenBattle.open(played) as battle:
        battle.goto(2)
    headsdown("play", played, "--orders", "-", stdin=DARE)
    headsdown("undo", played)
    headsdown("play", played, "--orders", "-", stdin=DARE.replace("[3,3,4,5,1]", "[3,3,4,5,2]"))
    standing = headsdown("log", played).out.splitlines()
    assert standing[2:] == [
        "   1  blue counts  (Ann)",
        "      blue, count                 6 5                      = 11        5.6 %",
        "      blue counts 11 and stands at 11.",
        "   2  red dares  (Bob)",
        "      red, nerve                  5 4          7 or less   9, failed    42 %",
        "      red flinches.",
        "   9  blue dares",
        "      blue, nerve                 3 3          7 or less   6, passed    58 %  at the table",
        "      blue, save                  4 5 2        4+          2 of 3       38 %  at the table",
        "        corrects entry 7: 4 5 1 there, 4 5 2 here",
        "      blue holds.",
        "",
        "3 orders were taken back; log --all shows all of it.",
    ]
    everything = headsdown("log", played, "--all").out.splitlines()
    titles = [line.strip() for line in everything[2:] if line[:4].strip()]
    assert titles == [
        "1  blue counts  (Ann)",
        "2  red dares  (Bob)",
        "3  note: a note with ümläuts  (Ann)  - undone",
        "4  undo: note: a note with ümläuts  (Ann)",
        "5  red counts  - undone",
        "6  goto 2: red dares",
        "7  blue dares  - undone",
        "8  undo: blue dares",
        "9  blue dares",
    ]


def test_log_as_json_is_the_file(played: Path) -> None:
    lines = played.read_text().splitlines()
    assert headsdown("log", played, "--json", "--all").out.splitlines() == lines[1:]
    assert headsdown("log", played, "--json").out.splitlines() == [lines[1], lines[2], lines[5]]


def test_log_of_nothing(path: Path) -> None:
    assert "Nothing has happened yet." in headsdown("log", path).out


def test_text_from_people_moves_no_cursor(tmp_path: Path) -> None:
    path = tmp_path / "a.battle.jsonl"
    headsdown("new", path, "--rules", NAME, "--side", "blue\x1b[2J", "--side", "red", "--name", "x\x1b]0;y\x07")
    orders = json.dumps({"type": "note", "text": "a\x1b[31m\nb\u202ec\x9b2J"})
    played = headsdown("play", path, "--orders", "-", "--as", "Eve\x1b[1m", stdin=orders)
    refused = headsdown("play", path, "--orders", "-", stdin=json.dumps({"type": "count", "side": "\x1b[31m\nx"}))
    for ran in (played, refused, *(headsdown(*words) for words in (["show", path], ["log", path], ["list", tmp_path]))):
        assert not any(char < " " and char != "\n" for char in ran.out + ran.err)
        assert "\x9b" not in ran.out
        assert "\u202e" not in ran.out
    assert refused.err.count("\n") == 1
    assert "note: a[31m bc2J" in headsdown("log", path).out


# verify, odds, list, rules


def test_verify(played: Path) -> None:
    sound = headsdown("verify", played, "--json")
    assert sound.status == 0
    wanted = {"ok": True, "entries": 5, "head": 5, "first_bad": None, "kind": None}
    assert {key: sound.json[key] for key in wanted} == wanted
    assert sound.json["rolls"] == {"app": 4, "table": 0, "checked": 4, "sealed": 0}
    assert headsdown("verify", played).out.startswith("verdict  whole, unaltered, and its rolls yield its outcomes\n")
    played.write_bytes(played.read_bytes().replace(b"[6,5]", b"[6,6]"))
    off = headsdown("verify", played, "--json")
    assert (off.status, off.json["ok"], off.json["first_bad"], off.json["kind"]) == (3, False, 1, "damaged")
    assert off.err.count("\n") == 1
    words = headsdown("verify", played)
    assert words.status == 3
    assert "NOT SOUND" in words.out
    assert "entry 1" in words.out


def test_odds(path: Path) -> None:
    before = path.read_bytes()
    ran = headsdown("odds", path, "--order", COUNT, "--json")
    assert ran.status == 0
    assert ran.json["total"]["7"] == 0.166666666667
    assert sum(ran.json["total"].values()) == pytest.approx(1, abs=1e-11)
    assert "  7: 16.7%" in headsdown("odds", path, "--order", COUNT).out
    refused = headsdown("odds", path, "--order", '{"type":"count","side":"green"}', "--json")
    assert (refused.status, refused.json["refused"]["clause"]) == (1, "order")
    assert headsdown("odds", path, "--order", '{"type":"note","text":""}').status == 1
    assert headsdown("odds", path, "--order", "{").status == 1
    assert headsdown("odds", path, "--order", "\udcff").status == 1
    assert path.read_bytes() == before


def test_list(tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.battle.jsonl").write_text("x")
    os.utime(played, (2_000_000_000, 2_000_000_000))
    good, bad = headsdown("list", tmp_path, "--json").json
    assert good == {
        "file": str(played),
        "name": "Small",
        "rules": "counter",
        "sides": ["blue", "red"],
        "turn": 3,
        "side": None,
        "entries": 5,
        "changed": 2_000_000_000_000,
        "size": played.stat().st_size,
        "ended": False,
        "damaged": False,
        "problem": "",
        "parent": None,
    }
    assert (bad["damaged"], bad["rules"], bad["entries"]) == (True, None, None)
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    words = headsdown("list").out.splitlines()
    assert words[0] == str(tmp_path)
    assert words[1].split() == ["File", "Name", "Rules", "Sides", "Turn", "Entries", "Changed"]
    assert "damaged" in words[3]
    assert headsdown("list", tmp_path / "missing").status == 3
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "missing"))
    assert headsdown("list", "--json").json == []
    assert "No battles" in headsdown("list").out


def test_a_battle_outside_the_library_comes_back_by_its_name(
    tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the trash of the folder that one is in, also where another battle has that name meanwhile."""
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "library"))
    monkeypatch.chdir(played.parent)
    content, name = played.read_bytes(), played.name.removesuffix(".battle.jsonl")
    assert headsdown("trash", name).status == 0
    played.write_bytes(content)
    assert headsdown("trash", "--back", name).status == 0
    assert played.with_name(f"{name}-2.battle.jsonl").read_bytes() == played.read_bytes() == content


def test_the_trash(tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle goes into the trash and comes back; it is the same file all the time, and none is overwritten."""
    monkeypatch.setenv("HEADSDOWN_HOME", str(played.parent))
    content, name = played.read_bytes(), played.name
    trash = played.parent / "trash"
    assert headsdown("trash").out == "The trash is empty.\n"
    assert headsdown("trash", played, "--json").json == {"file": str(played), "moved_to": str(trash / name)}
    assert headsdown("list", "--json").json == []
    assert [each["file"] for each in headsdown("trash", "--json").json] == [str(trash / name)]
    played.write_bytes(content)
    back = headsdown("trash", "--back", name.removesuffix(".battle.jsonl"))
    there = played.with_name(name.replace(".battle", "-2.battle"))
    assert back.out == f"moved {trash / name} to {there}\n"
    assert played.read_bytes() == there.read_bytes() == content
    thrown = headsdown("trash", there)
    assert f"headsdown trash --back {trash / there.name} takes it back\n" in thrown.out
    assert headsdown("trash", "--back", trash / there.name).status == 0
    gone = headsdown("trash", "--back", "gone")
    assert (gone.status, gone.err) == (
        3, "headsdown: there is no battle gone in the trash; headsdown trash lists what is there\n"
    )  # fmt: skip
    assert headsdown("trash", "gone").status == 3
    assert headsdown("trash", "--back", played).err == f"headsdown: {played} is not in the trash\n"
    assert headsdown("trash", "--back").status == 2


def test_rules() -> None:
    overview = headsdown("rules").out
    assert "counter: Counter (2 clauses; headsdown rules counter)" in overview
    assert "--switch limit  off|0-1000  Up to what number?" in overview
    book = headsdown("rules", NAME).out
    assert book.startswith("Counting\n========\n\nCO-1  Who counts\n  Any side counts, whenever it likes.\n")
    assert max(map(len, book.splitlines())) <= 88
    assert headsdown("rules", NAME, "co-2").out.startswith("Counting\n========\n\nCO-2  The end\n")
    assert headsdown("rules", "chess").status == 2
    assert headsdown("rules", NAME, "CO-9").status == 2


# Without a terminal


@pytest.mark.usefixtures("bundled")
def test_demo_prints_the_bundled_battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "library"))
    ran = headsdown("demo")
    assert (ran.status, ran.err) == (0, "")
    assert "   1  blue counts  (Ann)" in ran.out
    assert "Units\n  Side  Count\n" in ran.out
    assert headsdown("demo", "lesson") == ran
    assert headsdown("demo", "other").status == 2
    assert not (tmp_path / "library").exists()


@pytest.mark.parametrize("argv", [(), ("open", "a")])
def test_screens_need_a_terminal(argv: tuple[str, ...]) -> None:
    ran = headsdown(*argv)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "terminal" in ran.err


def test_the_demos_that_come_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "library"))
    assert examples()
    for name in (*examples(), None):
        ran = headsdown("demo", *([name] if name else []))
        assert (ran.status, ran.err) == (0, "")
        assert "\nUnits\n" in ran.out
        assert len(ran.out.splitlines()) > 60
    assert not (tmp_path / "library").exists()


# At a terminal


def test_screens_at_a_terminal(path: Path, bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`open` hands over the battle, `demo` a copy of a bundled one in the library, no command the library."""
    seen: list[tuple[object, ...]] = []

    def run_battle(battle: OpenBattle, *, name: str = "", watch: bool = False, guest: bool = False) -> int:
        seen.append((battle.path, battle.read_only, name, watch, *(["guest"] if guest else [])))
        return 0

    def run_home() -> int:
        seen.append(("home",))
        return 0

    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "library"))
    monkeypatch.setattr(tui.commands.screens, "at_a_terminal", lambda: True)
    monkeypatch.setattr("tui.app.run_battle", run_battle)
    monkeypatch.setattr("tui.app.run_home", run_home)
    sides = (("open", path, "--as", "Ann", "--side", "red"), ("open", path, "--side", "blue"))
    watching = (("open", path, "--watch"), ("open", path, "--as", "Ann", "--guest"))
    for argv in (("open", path, "--as", "Ann"), *sides, *watching, ("demo",), ("demo", "lesson"), ()):
        assert headsdown(*argv).status == 0
    assert seen == [
        (path, False, "Ann", False),
        (path, False, "Ann (red)", False),
        (path, False, "blue", False),
        (path, True, "", True),
        (path, False, "Ann", False, "guest"),
        (tmp_path / "library" / "lesson.battle.jsonl", False, "", False),
        (tmp_path / "library" / "lesson-2.battle.jsonl", False, "", False),
        ("home",),
    ]
    assert headsdown("open", tmp_path / "missing").status == 3
    assert headsdown("open", path, "--side", "green").status == 2


# Usage


def test_version_and_help() -> None:
    assert headsdown("--version") == (0, f"headsdown {__version__}\n", "")
    for command in ("", *tui.commands.COMMANDS):
        if command != "home":
            ran = headsdown(*command.split(), "--help")
            assert (ran.status, ran.err) == (0, "")
            assert ran.out.startswith(f"usage: headsdown {command}".rstrip())


@pytest.mark.parametrize(
    "argv",
    [("bogus",), ("show",), ("show", "a", "b"), ("play", "a"), ("log", "a", "--at", "1"), ("goto", "a"), ("--js",)],
)
def test_wrong_usage_is_one_line(argv: tuple[str, ...]) -> None:
    ran = headsdown(*argv)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("headsdown")
    assert "--help" in ran.err


# How commands end


def test_a_busy_battle(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.05)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for argv in (("play", path, "--orders", "-"), ("play", path, "--orders", "-", "--json")):
            ran = headsdown(*argv, stdin=COUNT)
            assert (ran.status, ran.out, ran.err.count("\n")) == (4, "", 1)
            assert "somebody else" in ran.err
        assert headsdown("show", path).status == 0


def test_a_torn_end_is_set_aside_with_a_warning(played: Path) -> None:
    played.write_bytes(played.read_bytes()[:-9])
    for argv in (("show", played), ("log", played, "--json")):
        ran = headsdown(*argv)
        assert (ran.status, ran.err.count("\n")) == (0, 1)
        assert "warning" in ran.err
    ran = headsdown("undo", played, "--json")
    assert (ran.status, ran.json["entry"]) == (0, 6)
    assert "set aside in" in ran.err
    assert "   5  recovered: half a line of" in headsdown("log", played, "--all").out


def test_a_damaged_battle_is_shown_up_to_there(played: Path) -> None:
    played.write_bytes(played.read_bytes().replace(b"a note", b"b note"))
    for argv in (("show", played, "--json"), ("log", played), ("odds", played, "--order", COUNT)):
        ran = headsdown(*argv)
        assert (ran.status, ran.err.count("\n")) == (3, 1)
        assert ran.out
        assert "entry 3 is damaged" in ran.err
    before = played.read_bytes()
    for argv in (("undo", played), ("redo", played), ("goto", played, "0"), ("play", played, "--orders", "-")):
        ran = headsdown(*argv, stdin=COUNT)
        assert (ran.status, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert played.read_bytes() == before


def test_an_error_of_the_program_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise ZeroDivisionError("division by\nzero")

    monkeypatch.setattr(tui.commands.looking, "shown", broken)
    monkeypatch.delenv("HEADSDOWN_DEBUG", raising=False)
    ran = headsdown("show", path, "--json")
    assert (ran.status, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert "ZeroDivisionError" in ran.err
    monkeypatch.setenv("HEADSDOWN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        headsdown("show", path, "--json")


def test_ctrl_c_is_quiet(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tui.commands.looking, "shown", interrupted)
    assert headsdown("show", path, "--json") == (130, "", "")


COMMAND = [sys.executable, "-m", "tui.command_line"]
ROOT = Path(__file__).parent.parent


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A battle that a process of its own can open: without the small rules."""
    path = tmp_path / "real.battle.jsonl"
    sides = ["--side", "blue", "--side", "red"]
    subprocess.run([*COMMAND, "new", path, "--rules", "suppression-fire", *sides], cwd=ROOT, check=True)
    return path


def test_a_reader_that_goes_away(real: Path) -> None:
    note = json.dumps({"type": "note", "text": "x" * 900})
    headsdown("play", real, "--orders", "-", stdin=f"{note}\n" * 200)
    with subprocess.Popen(
        [*COMMAND, "log", str(real), "--json"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as log:
        assert log.stdout is not None
        assert log.stderr is not None
        log.stdout.readline()
        log.stdout.close()
        assert log.stderr.read() == b""
        assert log.wait(timeout=30) == 0


def test_output_that_cannot_be_written(real: Path) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [*COMMAND, "show", real, "--json"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)
    assert "No space left" in ran.stderr


def test_any_encoding_will_do(real: Path) -> None:
    headsdown("play", real, "--orders", "-", stdin=json.dumps({"type": "note", "text": "für 東京 \u2014"}))
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    for more in ([], ["--json"]):
        ran = subprocess.run([*COMMAND, "log", real, *more], cwd=ROOT, capture_output=True, env=environ)
        assert (ran.returncode, ran.stderr) == (0, b"")


def test_no_command_without_a_screen_loads_one(real: Path) -> None:
    program = """
import sys
from tui.command_line import main
file = sys.argv[1]
for argv in (
    ["show", file], ["show", file, "--json"], ["log", file, "--all"], ["verify", file], ["list"], ["rules"], ["demo"],
    ["undo", file], ["redo", file], ["goto", file, "0"], ["play", file, "--orders", "-"], ["open", file], [],
):
    main(argv)
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("textual", "asyncio")), file=sys.stderr)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program, real], cwd=ROOT, input="", capture_output=True, text=True, check=True
    )
    assert ran.stderr.splitlines()[-1] == "[]"
