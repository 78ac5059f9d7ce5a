"""Many people in one battle over SSH: `python -m benchmarks serving`.

`headsdown serve` runs as a process of its own, with a program for each of 12 and then 20 clients of asyncssh, which all
live in this process. While half of them move their cursors twice a second, entries are added from here. The time is
from the moment at which an entry is safe on disk to that at which a client has what it says.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncssh

from benchmarks.table import Measured
from engine.orders import read_order
from saves.battle import OpenBattle
from saves.library import copy_example

ENTRIES = 60
AIM = 100
"""Milliseconds within which everybody sees 95 of 100 entries."""


class Onlooker(asyncssh.SSHClientSession[bytes]):
    """Notes when what it waits for has come."""

    def __init__(self) -> None:
        self._tail = b""
        self._wanted = b""
        self.seen: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def want(self, words: bytes) -> None:
        self._wanted, self._tail = words, b""
        self.seen = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes, datatype: object) -> None:
        self._tail = (self._tail + data)[-65536:]
        if self._wanted and self._wanted in self._tail and not self.seen.done():
            self.seen.set_result(time.perf_counter())


def memory(pid: int) -> float:
    """What a process adds to the memory in use, in MB: its own pages, and its share of those that it shares."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE).group(1)) / 1024  # type: ignore[union-attr]


def resident(pid: int) -> float:
    """What a process has in memory, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"^VmRSS:\s+(\d+)", status, re.MULTILINE).group(1)) / 1024  # type: ignore[union-attr]


def children_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


async def measured(people: int, folder: Path) -> list[Measured]:
    path = copy_example("suppression-fire", folder)
    key = asyncssh.generate_private_key("ssh-ed25519")
    players = folder / "players"
    players.write_text(f"Anna umpire {key.export_public_key().decode()}", encoding="utf-8")
    log = folder / "guests.log"
    command = [sys.executable, "-m", "tui.start", "serve", str(path), "--listen", "127.0.0.1:0", "--log", str(log)]
    command += ["--players", str(players), "--attempts", "1000"]
    with subprocess.Popen(command, env={**os.environ, "HEADSDOWN_HOME": str(folder)}) as server:
        while not (log.exists() and (port := re.search(r"address=127\.0\.0\.1:(\d+)", log.read_text()))):
            await asyncio.sleep(0.05)
        empty = resident(server.pid)
        visits = [await _come(int(port.group(1)), key) for _ in range(people)]
        await asyncio.sleep(3)
        children = children_of(server.pid)
        each = statistics.mean(map(memory, children))
        server_each = (resident(server.pid) - empty) / people
        delays = await _delays(path, visits)
        server.send_signal(signal.SIGTERM)
    every = [delay for entry in delays for delay in entry]
    last = [max(entry) for entry in delays]
    what = f"{people} people over SSH"
    p95 = statistics.quantiles(every, n=20)[18]
    return [
        Measured(f"{what}: memory a session", f"{each:.0f} MB, and {server_each:.1f} MB in the server", memory=empty),
        Measured(f"{what}: an entry on a screen", _told(every), "", None, f"95 in 100 ≤ {AIM} ms", p95 <= AIM),
        Measured(f"{what}: an entry on the last screen", _told(last)),
    ]


def _told(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ms, 95 in 100 {statistics.quantiles(times, n=20)[18]:.0f} ms"


Visit = tuple[asyncssh.SSHClientConnection, asyncssh.SSHClientChannel[bytes], Onlooker]


async def _come(port: int, key: asyncssh.SSHKey) -> Visit:
    connection = await asyncssh.connect("127.0.0.1", port, client_keys=[key], known_hosts=None, config=None)
    onlooker = Onlooker()
    onlooker.want(b"Quit")
    channel, _ = await connection.create_session(
        lambda: onlooker, term_type="xterm-256color", term_size=(80, 24), encoding=None
    )
    await onlooker.seen
    return connection, channel, onlooker


async def _delays(path: Path, visits: list[Visit]) -> list[list[float]]:
    """For each entry the milliseconds until each client has it."""
    delays = []
    with OpenBattle.open(path) as battle:
        moving = asyncio.ensure_future(_move([channel for _, channel, _ in visits[::2]]))  # noqa: RUF006  it is ended below
        for number in range(ENTRIES):
            await asyncio.sleep(random.uniform(0.2, 0.4))
            words = f"told{number:04}"
            note = read_order(battle.history.rules, f'{{"type": "note", "text": "{words}"}}')
            for _, _, onlooker in visits:
                onlooker.want(words.encode())
            battle.give(note)
            safe = time.perf_counter()
            times = await asyncio.gather(*(onlooker.seen for _, _, onlooker in visits))
            delays.append([1000 * (seen - safe) for seen in times])
        moving.cancel()
    return delays


async def _move(channels: list[asyncssh.SSHClientChannel[bytes]]) -> None:
    while True:
        for channel in channels:
            channel.write(random.choice((b"j", b"k")))
            await asyncio.sleep(0.5 / len(channels))


def serving() -> Iterator[Measured]:
    """Twelve people, for whom there is an aim, and twenty."""
    for people in (12, 20):
        with tempfile.TemporaryDirectory() as folder:
            yield from asyncio.run(measured(people, Path(folder)))
