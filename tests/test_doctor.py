"""`headsdown doctor`: what it looks at, what it calls wrong, and what it advises."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from saves.library import copy_example, examples
from tests.headsdown_command import headsdown
from tui.doctor import Check, checks


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def found(about: str, **environment: str) -> list[Check]:
    """What is found about something, under these variables and without a terminal."""
    return [check for check in checks(environment, io.StringIO(), io.StringIO()) if check.about == about]


@pytest.mark.parametrize(
    ("environment", "shown", "verdict"),
    [
        ({"COLORTERM": "truecolor", "TERM": "xterm"}, "16 million", "ok"),
        ({"COLORTERM": "24bit", "TERM": "xterm"}, "16 million", "ok"),
        ({"TERM": "xterm-256color"}, "256", "ok"),
        ({"TERM": "xterm"}, "16", "note"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "none: NO_COLOR is set", "ok"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": ""}, "none: NO_COLOR is set", "ok"),
    ],
)
def test_colours(environment: dict[str, str], shown: str, verdict: str) -> None:
    assert [(check.found, check.verdict) for check in found("colours", **environment)] == [(shown, verdict)]


def test_over_ssh_it_says_what_both_ends_have_to_do() -> None:
    colours = found("colours", TERM="xterm", SSH_CONNECTION="1.2.3.4 5 6.7.8.9 22")
    assert "SendEnv COLORTERM there, AcceptEnv COLORTERM here" in colours[0].advice
    assert "ssh -C compresses" in found("connection", SSH_CONNECTION="1.2.3.4 5 6.7.8.9 22")[0].advice
    assert found("connection", TERM="xterm") == []


@pytest.mark.parametrize("term", ["", "dumb", "unknown"])
def test_a_terminal_that_can_do_nothing_is_wrong(term: str) -> None:
    assert found("TERM", TERM=term)[0].verdict == "wrong"
    assert found("TERM", TERM="xterm-256color")[0].verdict == "ok"


def test_multiplexers_are_named_with_the_key_they_take() -> None:
    assert found("multiplexer", TMUX="/tmp/tmux")[0].advice.startswith("ctrl+b")
    assert found("multiplexer", STY="12.pts")[0].advice.startswith("ctrl+a")


def test_without_a_terminal_only_battles_cannot_be_opened() -> None:
    assert found("terminal")[0].found == "input and output: not a terminal"


def test_the_folder_and_its_saves(home: Path) -> None:
    assert found("battles")[0].found == f"{home}: not there yet"
    home.mkdir()
    for name in examples():
        copy_example(name, home)
    assert [check.found for check in found("saves")] == [f"{len(examples())} battles, 0 of them not sound"]
    assert found("battles")[0].found == f"{home}: can be written, locked and flushed"
    bad = home / f"{examples()[0]}.battle.jsonl"
    bad.write_bytes(bad.read_bytes().replace(b'"n":5', b'"n":6', 1))
    first, second = found("saves")
    assert first.found == f"{len(examples())} battles, 1 of them not sound"
    assert (second.verdict, second.advice) == ("wrong", "headsdown verify tells more")
    assert str(bad) in second.found


def test_a_folder_that_is_a_file_is_wrong(home: Path) -> None:
    home.write_text("")
    assert found("battles")[0].verdict == "wrong"
    result = headsdown("doctor")
    assert result.status == 3
    assert "WRONG  battles" in result.out


def test_the_command_ends_well_where_nothing_is_wrong(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    result = headsdown("doctor", "--json")
    assert result.status == 0
    assert result.json["ok"] is True
    assert {"program", "terminal", "TERM", "size", "colours", "letters", "settings", "battles"} <= {
        check["about"] for check in result.json["checks"]
    }
    home.mkdir()
    (home / "settings.toml").write_text('[keys.battle]\nundo = "alt+u"\n')
    result = headsdown("doctor", "--json")
    assert result.status == 3
    assert result.json["ok"] is False
    assert [check["found"] for check in result.json["checks"] if check["verdict"] == "wrong"] == [
        "settings.toml: keys.battle.undo: 'alt+u' is no good key: many terminals cannot send it; the usual keys stay"
    ]
