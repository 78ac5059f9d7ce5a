"""Several programs on one battle at once: both orders stand if both are legal; nobody waits for who looks on."""

from __future__ import annotations

import ast
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.orders import read_order
from saves.battle import OpenBattle
from saves.creating import create
from saves.verifying import verify
from tests.test_seats import BLUE, NOTE, RED, Table, unit
from tests.test_together import entries

ROOT = Path(__file__).parent.parent

ORDERING = """
import sys
from engine.orders import read_order
from engine.refusals import Refusal
from saves.battle import OpenBattle
path, seat, order = sys.argv[1:]
with OpenBattle.open(path) as battle:
    battle.sit(seat)
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print("entry", battle.give(read_order(battle.history.rules, order), by=seat).n)
    except Refusal as refusal:
        print("refused", refusal.clause, refusal.message)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Red's shooting phase: Red's guns have Blue's scouts before them."""
    made = tmp_path / "at-once.battle.jsonl"
    create(made, rules="suppression-fire", sides=(RED, BLUE), seed="x")
    table = Table(made)
    for seat, order in (
        (RED, unit("guns", RED)),
        (BLUE, unit("scouts", BLUE)),
        (RED, {"type": "begin_turn", "side": RED}),
        (RED, {"type": "phase", "to": "shooting"}),
    ):
        table.order(seat, order)
    for battle in table.opened.values():
        battle.close()
    return made


def at_once(path: Path, *orders: tuple[str, Mapping[str, object]]) -> list[str]:
    """Give orders from as many programs, each of which has the battle open before any of them orders."""
    command = [sys.executable, "-c", ORDERING, str(path)]
    programs = [
        subprocess.Popen(
            [*command, seat, json.dumps(order)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for seat, order in orders
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("now\n")
        program.stdin.flush()
    return sorted(program.communicate(timeout=60)[0].strip() for program in programs)


def test_two_orders_at_once_both_stand_where_both_are_legal_in_turn(path: Path) -> None:
    declare = {"type": "declare", "target": "scouts", "by": [{"unit": "guns", "range": 12}]}
    assert at_once(path, (RED, declare), (BLUE, NOTE)) == ["entry 5", "entry 6"]
    assert verify(path).ok


def test_the_second_of_two_orders_is_refused_on_the_new_state_with_its_reason(path: Path) -> None:
    declare = {"type": "declare", "target": "scouts", "by": [{"unit": "guns", "range": 12}]}
    first, second = at_once(path, (RED, declare), (RED, declare))
    assert first == "entry 5"
    assert second.startswith("refused SF-")
    assert "guns" in second.casefold()
    assert len(entries(path)) == 5
    assert verify(path).ok


def test_many_at_once_lose_nothing(path: Path) -> None:
    notes = [(seat, {"type": "note", "text": f"{seat} {turn}"}) for turn in range(3) for seat in (RED, BLUE)]
    assert at_once(path, *notes) == [f"entry {number}" for number in (10, 5, 6, 7, 8, 9)]
    assert verify(path).ok


def test_a_spectator_who_falls_behind_never_slows_a_player(path: Path) -> None:
    """One whose program is stopped, with its terminal full, holds nothing; it catches up when it goes on."""
    terminal, inside = pty.openpty()
    command = [sys.executable, "-m", "tui.command_line", "open", str(path), "--seat", "spectator"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=environment, cwd=ROOT) as watcher:
        os.close(inside)
        try:
            assert read_until(terminal, b"watching")
            watcher.send_signal(signal.SIGSTOP)
            with OpenBattle.open(path) as battle:
                for number in range(60):
                    note = {"type": "note", "text": f"note {number}"}
                    battle.give(read_order(battle.history.rules, json.dumps(note)))
            assert len(entries(path)) == 64
            watcher.send_signal(signal.SIGCONT)
            assert read_until(terminal, b"note 59")
        finally:
            watcher.kill()
            os.close(terminal)


def read_until(terminal: int, words: bytes) -> bool:
    """Whether these words come out of a terminal."""
    text, deadline = b"", time.monotonic() + 60
    while words not in text and time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            text += os.read(terminal, 65536)
    return words in text


def test_the_battles_lock_is_never_held_across_an_await_or_a_paint() -> None:
    """Whoever takes it is a plain function below the screens, which waits for nothing and paints nothing."""
    waits = (ast.AsyncFunctionDef, ast.Await, ast.AsyncWith, ast.AsyncFor)
    for package in ("engine", "saves", "tui"):
        for file in (ROOT / package).rglob("*.py"):
            nodes = list(ast.walk(ast.parse(file.read_text())))
            takes = any(isinstance(node, ast.Attribute) and node.attr in ("flock", "lockf") for node in nodes)
            if takes or package != "tui":
                assert not any(isinstance(node, waits) for node in nodes), file
