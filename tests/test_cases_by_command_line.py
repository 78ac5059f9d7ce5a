"""The scenario cases through the command line, as other programs would play them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.registered import RULE_SETS, rule_set
from saves.verifying import verify
from tests.headsdown_command import Ran, headsdown

HERE = Path(__file__).parent
CASES = [
    case
    for file in ("suppression-fire", "gray-dawn", "odds")
    for case in json.loads((HERE / "cases" / f"{file}.json").read_text())
    if case["rules"] in RULE_SETS
]
MISSING = "(nothing there)"


def in_process_of_its_own(*argv: object, stdin: str = "") -> Ran:
    command = [sys.executable, "-m", "tui.command_line", *map(str, argv)]
    ran = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=HERE.parent)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def value_at(tree: Any, path: str) -> Any:
    """The value at a dotted path; keys may hold spaces."""
    for key in path.split("."):
        if not isinstance(tree, dict) or key not in tree:
            return MISSING
        tree = tree[key]
    return tree


def assert_shown(shown: Any, wanted: dict[str, Any]) -> None:
    found = {path: value_at(shown, path) for path in wanted}
    assert found == wanted
    assert [isinstance(value, bool) for value in found.values()] == [
        isinstance(value, bool) for value in wanted.values()
    ]


def assert_odds(got: Any, want: Any, path: str = "") -> None:
    """Numbers agree to 11 significant digits; an outcome missing from a distribution has chance 0."""
    if not isinstance(want, dict):
        assert isinstance(got, int | float), path
        assert got == pytest.approx(want, rel=1e-11, abs=1e-14), path
        return
    for key in {*want, *(got if path.endswith(("distribution", "points")) else ())}:
        assert_odds(got.get(key, 0), want.get(key, 0), f"{path}.{key}")


def play_case(case: dict[str, Any], path: Path, run: Callable[..., Ran]) -> None:
    sides = [word for side in case["sides"] for word in ("--side", side)]
    switches = [word for name, value in case["switches"].items() for word in ("--switch", f"{name}={value}")]
    assert run("new", path, "--rules", case["rules"], *sides, *switches) == (
        0,
        f"created {path}: {rule_set(case['rules']).title}, {' against '.join(case['sides'])}\n",
        "",
    )
    orders = "".join(json.dumps(order) + "\n" for order in case["orders"])
    played = run("play", path, "--orders", "-", "--json", stdin=orders)
    wanted = case["expect"]
    if "refused" in wanted:
        number, clauses = wanted["refused"]["order"], wanted["refused"]["clause"]
        assert (played.status, len(played.lines)) == (1, number)
        answer = played.lines[-1]
        assert answer["order"] == number
        assert answer["refused"]["clause"] in ([clauses] if isinstance(clauses, str) else clauses)
        assert len(path.read_bytes().splitlines()) == number
        return
    assert (played.status, played.err) == (0, "")
    assert [answer["order"] for answer in played.lines] == list(range(1, len(case["orders"]) + 1))
    if "order" in case:
        before = path.read_bytes()
        odds = run("odds", path, "--order", json.dumps(case["order"]), "--json")
        assert (odds.status, odds.err) == (0, "")
        assert_odds(odds.json, wanted)
        assert path.read_bytes() == before
    assert_shown(run("show", path, "--json").json, wanted.get("show", {}))
    for step in case.get("after", []):
        assert run(step["run"][0], path, *step["run"][1:], "--json").status == 0
        assert_shown(run("show", path, "--json").json, step["show"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "case.battle.jsonl"
    play_case(case, path, headsdown)
    assert verify(path).ok
    for command in ("show", "log"):
        ran = headsdown(command, path)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith("case.battle.jsonl: ")
        assert "\x1b" not in ran.out


@pytest.mark.parametrize("case", CASES[::12], ids=lambda case: case["name"])
def test_case_in_processes_of_its_own(case: dict[str, Any], tmp_path: Path) -> None:
    play_case(case, tmp_path / "case.battle.jsonl", in_process_of_its_own)


def test_the_installed_command() -> None:
    command = shutil.which("headsdown", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("headsdown is not installed beside this Python")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("headsdown ")
