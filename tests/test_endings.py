"""How commands end when nobody can be told: closed and full streams, and Ctrl-C before anything is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.headsdown_command import headsdown

ROOT = Path(__file__).parent.parent
NOTE = '{"type":"note","text":"x"}'

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.battle.jsonl"
    ran = headsdown("new", path, "--rules", "gray-dawn", "--side", "a", "--side", "b")
    assert ran.status == 0
    return path


def shell(words: str, path: Path, given: str = NOTE) -> subprocess.CompletedProcess[str]:
    """Run `headsdown` with the words as a shell reads them; $F is the battle."""
    command = f"{sys.executable} -m tui.start {words.replace('$F', f'{path}')}"
    return subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, input=given, timeout=60)


def entries(path: Path) -> int:
    return path.read_bytes().count(b"\n") - 1


@needs_full
@pytest.mark.parametrize("options", ["", " --json"])
def test_an_order_stands_although_standard_output_is_full(path: Path, options: str) -> None:
    ran = shell(f"play $F --orders -{options} >/dev/full", path, f"{NOTE}\n{NOTE}")
    assert ran.returncode == 3
    full = "headsdown: standard output cannot be written: No space left on device"
    assert ran.stderr == f"{full}; standard input, line 1, order 1 stands as entry 1, go on with --from 2\n"
    assert entries(path) == 1
    ran = shell(f"undo $F{options} >/dev/full", path)
    assert (ran.returncode, ran.stderr) == (3, f"{full}; it was done and stands as entry 2\n")
    assert entries(path) == 2
    ran = shell(f"show $F{options} >/dev/full", path)
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)
    assert "No space left" in ran.stderr


@needs_full
def test_new_and_repair_although_standard_output_is_full(path: Path, tmp_path: Path) -> None:
    for words in ("new $F.new --rules gray-dawn --side a --side b", "repair $F --output $F.new2"):
        ran = shell(f"{words} >/dev/full", path)
        assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)
        assert "was created" in ran.stderr or "was written" in ran.stderr
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_errors_that_nobody_hears_do_not_go_to_standard_output(path: Path, where: str) -> None:
    if "full" in where and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    for words, status in (("show $F.missing", 3), ("goto $F 7", 1), ("dance", 2), ("goto $F 7 --json", 1)):
        ran = shell(f"{words} {where}", path)
        assert (ran.returncode, ran.stderr) == (status, "")
        assert "--json" in words or ran.stdout == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_no_battle_takes_the_place_of_a_closed_stream(path: Path, closed: str) -> None:
    """Whatever is written to a stream that was closed must not end up in the file that is opened next."""
    orders = path.with_name("orders")
    orders.write_text(f"{NOTE}\n{NOTE}\n")
    ran = shell(f"play $F --orders {orders} {closed}", path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert shell(f"undo $F {closed}", path).returncode == 0
    shell(f"show $F.missing {closed}", path)
    assert entries(path) == 3
    assert headsdown("verify", path).status == 0


# Going on


def played(path: Path, orders: list[str], *options: str) -> Any:
    return headsdown("play", path, "--orders", "-", *options, stdin="\n".join(orders))


def test_play_says_where_to_go_on(path: Path) -> None:
    """What was carried out before a refused order stands; with --from the rest can be given from the same file."""
    ran = played(path, [NOTE, NOTE, '{"type":"shout"}', NOTE])
    assert ran.status == 1
    assert ran.err.endswith("(order); orders 1 to 2 stand, go on with --from 3\n")
    again = played(path, [NOTE, NOTE, NOTE.replace('"x"', '"mended"'), NOTE], "--from", "3", "--json")
    assert again.status == 0
    assert [line["order"] for line in again.lines] == [3, 4]
    assert entries(path) == 4
    whole = json.loads(path.read_bytes().splitlines()[3])
    assert whole["order"]["text"] == "mended"


def test_play_from_an_order_that_is_not_there(path: Path) -> None:
    ran = played(path, [NOTE], "--from", "9")
    assert (ran.status, ran.out) == (2, "")
    assert "there is no order 9" in ran.err
    assert entries(path) == 0


def test_play_says_nothing_of_orders_before_the_first(path: Path) -> None:
    ran = played(path, ['{"type":"shout"}'])
    assert "--from" not in ran.err


def test_going_where_one_is_writes_nothing(path: Path) -> None:
    played(path, [NOTE, NOTE])
    ran = headsdown("goto", path, "2")
    assert (ran.status, ran.out) == (1, "")
    assert (
        ran.err == "headsdown: there is nowhere to go: the battle stands where it was after entry 2 already (order)\n"
    )
    assert headsdown("goto", path, "2", "--json").json["refused"]["clause"] == "order"
    assert entries(path) == 2


def test_an_order_with_a_field_twice_is_refused(path: Path) -> None:
    """Readers differ about which of the two holds."""
    for twice in ('{"type":"note","text":"x","text":"y"}', '{"type":"note","type":"note","text":"x"}'):
        for form in (twice, f"[{twice}]"):
            ran = headsdown("play", path, "--orders", "-", "--json", stdin=form)
            assert ran.status == 1
            assert "stands there twice" in ran.lines[0]["refused"]["message"]
    assert entries(path) == 0


# Ctrl-C


def test_ctrl_c_while_the_program_is_loaded_leaves_no_traceback() -> None:
    program = """
import sys
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "tui.command_line":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Slow())
from tui.start import main
sys.exit(main())
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
