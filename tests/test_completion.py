"""Completion with Tab: what may stand where, as the parser has it, and in real shells at a real terminal."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.registered import RULE_SETS, rule_set
from saves.creating import create
from saves.library import examples
from tests.headsdown_command import headsdown
from tests.terminals import Terminal
from tui.command_line import _parser
from tui.completion import KINDS, SCRIPTS, offered

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with two battles, of which one has a space in its name and in its sides."""
    home = tmp_path / "library"
    home.mkdir()
    monkeypatch.setenv("HEADSDOWN_HOME", str(home))
    create(home / "friday.battle.jsonl", rules="gray-dawn", sides=("Red", "Blue"))
    create(home / "trap.battle.jsonl", rules="gray-dawn", sides=("Z$(touch sprung) `touch sprung`", "Y"))
    create(home / "at the mill.battle.jsonl", rules="gray-dawn", sides=("Grey Watch", "Mill's men"))
    return home


def words(*typed: str) -> list[str]:
    return [offer.word for offer in offered(_parser(), typed).words]


def subparsers() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (each for each in _parser()._actions if isinstance(each, argparse._SubParsersAction))
    return dict(commands.choices)


# What may stand where


def test_commands_with_what_they_do() -> None:
    offers = {offer.word: offer.means for offer in offered(_parser(), [""]).words}
    assert set(offers) == set(subparsers())
    assert all(offers.values())
    assert words("re") == ["replay", "redo", "reveal", "repair", "report"]
    assert words("nothing", "re") == []


@pytest.mark.parametrize("command", subparsers())
def test_all_options_of_a_command_and_none_twice(command: str) -> None:
    parser = subparsers()[command]
    long = {name for action in parser._actions for name in action.option_strings if name.startswith("--")}
    assert set(words(command, "--")) == long
    for action in parser._actions:
        if action.nargs == 0 and action.option_strings:
            assert action.option_strings[-1] not in words(command, action.option_strings[-1], "--")


@pytest.mark.parametrize("command", subparsers())
def test_of_every_argument_it_is_known_what_it_takes(command: str) -> None:
    """Whoever adds an argument says in KINDS what may stand there, or here that nobody can know."""
    free = {"N", "TEXT", "WORDS", "NAME", "ORDER", "HOST:PORT", "..."}
    for action in subparsers()[command]._actions:
        if action.nargs == 0 or action.choices is not None:
            continue
        known = f"{command}.{action.dest}" in KINDS or action.metavar in KINDS
        assert known or action.metavar in free or (command, action.dest) == ("import", "answer"), action


def test_choices_behind_a_space_and_behind_an_equals_sign() -> None:
    assert words("report", "friday", "--format", "") == ["md", "html", "json", "csv", "cast"]
    assert words("report", "friday", "--format=c") == ["--format=csv", "--format=cast"]
    assert words("completion", "") == list(SCRIPTS)


def test_battles_of_the_library_and_files() -> None:
    offers = offered(_parser(), ["open", ""])
    assert [offer.word for offer in offers.words] == ["at the mill", "friday", "trap"]
    assert offers.others == "files"
    assert words("import", "a.rosz", "--into", "f") == ["friday"]
    assert offered(_parser(), ["list", ""]).others == "folders"
    assert offered(_parser(), ["new", ""]) == offered(_parser(), ["repair", "friday", "--output", ""])


def test_sides_and_seats_of_the_battle_named() -> None:
    assert words("export-roster", "friday", "--side", "") == ["Red", "Blue"]
    assert words("open", "friday", "--seat", "") == ["Red", "Blue", "both", "umpire", "spectator"]
    assert words("import", "a.rosz", "--into", "at the mill", "--side", "") == ["Grey Watch", "Mill's men"]
    assert words("import", "a.rosz", "--side", "") == []
    assert words("export-roster", "nothing", "--side", "") == []
    assert words("new", "x", "--side", "") == []


def test_a_side_that_strangers_named_is_quoted_or_not_offered(library: Path) -> None:
    """What bash puts into the line is one word, and moves no cursor."""
    told = headsdown("completion", "bash", "--", "export-roster", "trap", "--side", "").out
    assert told.splitlines()[1:] == ["'Z$(touch sprung) `touch sprung`'\ta side", "Y\ta side"]
    crafted = library / "crafted.battle.jsonl"
    crafted.write_text(json.dumps({"sides": ["\x1b[2JX", "two\nlines", "Y"]}) + "\n")
    for shell in SCRIPTS:
        told = headsdown("completion", shell, "--", "export-roster", "crafted", "--side", "").out
        assert told.splitlines()[1:] == ["Y\ta side"]


def test_rules_clauses_house_rules_and_demos() -> None:
    assert words("rules", "") == list(RULE_SETS)
    assert words("rules", "gray-dawn", "GD-3") == ["GD-3", "GD-30"]
    assert words("rules", "nothing", "") == []
    assert words("demo", "") == list(examples())
    for rules in RULE_SETS:
        given = words("new", "x", "--rules", rules, "--switch", "")
        for switch in rule_set(rules).switches:
            assert {f"{switch.name}={value}" for value in switch.values} <= set(given)
            assert (f"{switch.name}=" in given) == switch.number


def test_what_is_offered_is_what_the_command_takes(tmp_path: Path) -> None:
    """Every house rule that is offered makes a battle."""
    for rules in RULE_SETS:
        for number, switch in enumerate(words("new", "x", "--rules", rules, "--switch", "")):
            value = f"{switch}3" if switch.endswith("=") else switch
            sides = ("--side", "A", "--side", "B")
            assert (
                headsdown("new", tmp_path / f"{rules}{number}", "--rules", rules, *sides, "--switch", value).status == 0
            )


def test_options_end_at_two_dashes() -> None:
    assert words("open", "--", "--") == []
    assert words("open", "--", "f") == ["friday"]


def test_a_shell_is_given_its_lines_and_others_are_refused() -> None:
    for shell, script in SCRIPTS.items():
        assert headsdown("completion", shell).out == script
        assert f"headsdown completion {shell}" in (ROOT / "docs" / "completion.md").read_text(encoding="utf-8")
    wrong = headsdown("completion", "powershell")
    assert (wrong.status, wrong.err.count("\n")) == (2, 1)


# In real shells


class Shell(Terminal):
    """A shell, typed to as by hand."""

    def __init__(self, command: list[str], folder: Path, ready: str) -> None:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "TERM": "dumb", "PS1": "$ "}
        super().__init__(command, folder, environment, size=(24, 500))
        self.type(ready)
        self.until("<ready>")

    def completed(self, typed: str) -> list[str]:
        """The words of a line after Tab: shown by putting `printf` in front of it."""
        self.type(f"{typed}\t")
        self.type("\x01printf '<%s>' \x05 ; printf '=%s=' done\n")
        line = self.until("=done=").rpartition("\n")[2]
        return re.findall(r"<([^<>]*)>", line)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "work"
    (where / "open games").mkdir(parents=True)
    (where / "report").mkdir()
    (where / "army list.rosz").touch()
    return where


TYPED = (
    ("headsdown verif", ["headsdown", "verify"]),
    ("headsdown repor", ["headsdown", "report"]),
    ("headsdown open fri", ["headsdown", "open", "friday"]),
    ("headsdown open at", ["headsdown", "open", "at the mill"]),
    ("headsdown report --format=ht", ["headsdown", "report", "--format=html"]),
    ("headsdown new x --rules gray", ["headsdown", "new", "x", "--rules", "gray-dawn"]),
    (
        "headsdown new x --rules gray-dawn --switch splash_friends=y",
        ["headsdown", "new", "x", "--rules", "gray-dawn", "--switch", "splash_friends=yes"],
    ),
    ("headsdown import arm", ["headsdown", "import", "army list.rosz"]),
    ("headsdown list ope", ["headsdown", "list", "open games"]),
    ("headsdown open friday --wat", ["headsdown", "open", "friday", "--watch"]),
    ("headsdown export-roster friday --side R", ["headsdown", "export-roster", "friday", "--side", "Red"]),
    (
        "headsdown export-roster trap --side Z",
        ["headsdown", "export-roster", "trap", "--side", "Z$(touch sprung) `touch sprung`"],
    ),
    (
        "headsdown export-roster at\\ the\\ mill --side G",
        ["headsdown", "export-roster", "at the mill", "--side", "Grey Watch"],
    ),
)
"""What is typed before Tab, and the words that stand there then."""


def at_a_prompt(shell: str, folder: Path) -> Shell:
    source = f"eval \"$(headsdown completion {shell})\"; printf '<%s>' ready; echo\n"
    if shell == "bash":
        return Shell(["bash", "--norc", "--noprofile", "-i"], folder, source)
    return Shell(["zsh", "-f", "-i"], folder, f"bindkey -e; autoload -Uz compinit; compinit -u -D; {source}")


@pytest.fixture(params=["bash", "zsh"])
def terminal(request: pytest.FixtureRequest, folder: Path) -> Iterator[Shell]:
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param} on this machine")
    shell = at_a_prompt(request.param, folder)
    yield shell
    shell.hang_up()


def test_tab_in_a_shell(terminal: Shell, folder: Path) -> None:
    for typed, wanted in TYPED:
        words = [word.removesuffix("/") for word in terminal.completed(typed)]  # zsh takes it away again
        assert words == wanted, typed
    assert not (folder / "sprung").exists()


@pytest.mark.parametrize(("typed", "wanted"), TYPED)
def test_tab_in_fish(typed: str, wanted: list[str], folder: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish on this machine")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = "headsdown completion fish | source; complete -C $argv[1]"
    ran = subprocess.run(
        ["fish", "--no-config", "-c", script, typed],
        cwd=folder,
        env={**os.environ, "PATH": path, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert wanted[-1] in [
        line.partition("\t")[0].replace("\\ ", " ").removesuffix("/") for line in ran.stdout.splitlines()
    ], ran
