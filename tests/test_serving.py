"""Several people in one battle over SSH, as they would come: OpenSSH's and asyncssh's clients at terminals."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import stat
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import asyncssh
import pytest

from engine.entries import OrderEntry
from saves.battle import OpenBattle
from saves.creating import create
from saves.verifying import verify
from tests.ssh_clients import (
    AsyncSsh,
    Key,
    OpenSsh,
    Screen,
    Serving,
    becomes,
    connect,
    resident,
    serving,
    ssh_command,
    window_of,
)
from tui.serving.guest_book import GuestBook
from tui.serving.host_key import host_key
from tui.serving.house import House, Terms
from tui.serving.limits import Limits
from tui.serving.server import serve

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]
needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="OpenSSH's client is not installed")

Client = OpenSsh | AsyncSsh


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "club.battle.jsonl"
    create(made, rules="suppression-fire", sides=("Eldar", "Imperium"), seed="club")
    return made


@pytest.fixture
def anna(tmp_path: Path) -> Key:
    return Key(tmp_path, "anna")


@pytest.fixture
def ben(tmp_path: Path) -> Key:
    return Key(tmp_path, "ben")


@pytest.fixture
def eve(tmp_path: Path) -> Key:
    """A key that stands in no players file."""
    return Key(tmp_path, "eve")


@pytest.fixture
def players(tmp_path: Path, anna: Key, ben: Key) -> Path:
    file = tmp_path / "players"
    file.write_text(f"# two players\nAnna Eldar {anna.public}\nBen Imperium {ben.public}\n")
    return file


@pytest.fixture
def server(path: Path, players: Path, tmp_path: Path) -> Iterator[Serving]:
    with serving(path, players, "--attempts", "1000", home=tmp_path) as running:
        yield running


@pytest.fixture
async def clients() -> AsyncIterator[list[Client]]:
    """Clients that are there; they are ended afterwards."""
    there: list[Client] = []
    yield there
    for client in there:
        client.close()


def entries(path: Path) -> int:
    return path.read_bytes().count(b"\n") - 1


async def given(client: Client, path: Path, *keys: str) -> None:
    """Press keys, with the pauses of somebody who looks first, until one more order is on disk."""
    before, head = entries(path), mark(path)
    await becomes(lambda: head in client.screen.text)
    for key in keys:
        await client.press(key)
        await asyncio.sleep(0.05)
    try:
        await becomes(lambda: entries(path) == before + 1, 20)
    except AssertionError:
        raise AssertionError(f"{keys} gave no order:\n{client.screen.text}") from None


def mark(path: Path) -> str:
    """What every screen says of the head: its number and the beginning of its seal."""
    with OpenBattle.open(path, read_only=True) as battle:
        return f"#{battle.head_mark}"


def panes(screen: Screen) -> list[str]:
    """The panes as everybody should see them: without one's own selected line, and as much of the log as all have.

    A spectator has fewer keys, so that the log is a line longer.
    """
    lines = [re.sub(r"^>", " ", line) for line in screen.lines]
    title = next(number for number, line in enumerate(lines) if line.startswith(" Dice log"))
    log = list(takewhile(lambda line: line.startswith("  "), lines[title + 1 :]))
    return [*lines[1:title], *log[-7:]]


async def all_agree(clients: Sequence[Client], path: Path) -> None:
    """Wait until every screen shows the head; then the panes are the same for everybody."""
    head = mark(path)
    await becomes(lambda: all(head in client.screen.lines[0] for client in clients))
    try:
        await becomes(lambda: len({tuple(panes(client.screen)) for client in clients}) == 1, 10)
    except AssertionError:
        raise AssertionError("\n\n".join(client.screen.text for client in clients)) from None


async def played(anna: Client, ben: Client, path: Path, orders: int) -> None:
    """A battle of so many orders: both muster, Eldar suppress, Ben tests, and then they take turns and tell of it."""
    await given(anna, path, "M", "dire", "\r")
    await given(ben, path, "M", "scout", *to_imperium(ben), "\r")
    await given(anna, path, "b", "\r")
    await given(anna, path, "p")
    await given(anna, path, "1", "g", "d", "\r")
    await given(ben, path, "1", "G", "t", "\r")
    await given(anna, path, "p")
    await given(anna, path, "E")
    players, turn = (ben, anna), 0
    while entries(path) < orders:
        player = players[turn % 2]
        turn += 1
        for keys in (("b", "\r"), ("n", f"turn {turn}", "\r"), ("p",), ("p",), ("E",)):
            if entries(path) < orders:
                await given(player, path, *keys)


def to_imperium(client: Client) -> tuple[str, ...]:
    """From the unit's name to the side below it, and on to Imperium."""
    return ("\x1b[B", "\x1b[C")


async def come(server: Serving, key: Key, kind: str = "asyncssh") -> Client:
    client: Client
    if kind == "OpenSSH":
        client = OpenSsh(ssh_command(server.port, key))
    else:
        client = await AsyncSsh.come(server.port, key)
    await client.screen.shows("Quit")
    return client


@needs_ssh
@pytest.mark.parametrize(
    ("spectators", "orders"), [(3, 20), pytest.param(10, 60, marks=pytest.mark.thorough)], ids=["small", "whole"]
)
async def test_two_players_and_spectators(
    path: Path,
    players: Path,
    tmp_path: Path,
    anna: Key,
    ben: Key,
    eve: Key,
    clients: list[Client],
    spectators: int,
    orders: int,
) -> None:
    """Two players give orders while others look on: all see the same at the end, and the file verifies."""
    with serving(path, players, "--spectators", "--attempts", "100", "--connections", "20", home=tmp_path) as server:
        clients += [await come(server, anna, "OpenSSH"), await come(server, ben)]
        kinds = ["OpenSSH" if number % 3 == 0 else "asyncssh" for number in range(spectators)]
        clients += await asyncio.gather(*(come(server, eve, kind) for kind in kinds))
        await played(clients[0], clients[1], path, orders)
        await all_agree(clients, path)
        assert len(server.children) == 2 + spectators
        for client in clients:
            await client.press("q")
        assert [await client.status() for client in clients] == [0] * len(clients)
        assert all("Everything is saved." in client.screen.text for client in clients)
        await server.childless()
        assert server.stop() == 0
    assert entries(path) == orders
    assert verify(path).ok
    with OpenBattle.open(path, read_only=True) as battle:
        names = {(entry.by, entry.seat) for entry in battle.history.entries if isinstance(entry, OrderEntry)}
    assert names == {("Anna (Eldar)", "Eldar"), ("Ben (Imperium)", "Imperium")}
    assert server.told.count(" came name=guest seat=spectator ") == spectators
    assert server.told.count(" left ") == 2 + spectators
    assert f"came name=Anna seat=Eldar key={anna.fingerprint} user=guest address=127.0.0.1:" in server.told


async def test_a_client_killed_in_the_middle_of_an_order_disturbs_nobody(
    server: Serving, path: Path, anna: Key, ben: Key, clients: list[Client]
) -> None:
    """The form is open and half filled in when the line is cut; nothing of it is recorded, and she comes back."""
    clients += [await come(server, anna), await come(server, ben)]
    await given(clients[0], path, "M", "dire", "\r")
    for key in ("M", "guard"):
        await clients[0].press(key)
    await clients[0].screen.shows("Guardians")
    clients[0].close()
    await becomes(lambda: len(server.children) == 1)
    await given(clients[1], path, "M", "scout", *to_imperium(clients[1]), "\r")
    again = await come(server, anna)
    clients[0] = again
    await all_agree(clients, path)
    assert "Dire Avengers" in again.screen.text
    assert entries(path) == 2
    assert verify(path).ok


@needs_ssh
async def test_what_is_no_session_is_refused(
    server: Serving, path: Path, anna: Key, ben: Key, eve: Key, clients: list[Client], tmp_path: Path
) -> None:
    """A command, files, forwarding of each kind, an unknown key, a password: no; and whoever plays notices nothing."""
    clients.append(await come(server, ben))
    await ssh_refuses(server, anna, "echo let in", expected=b"exec request failed")
    await ssh_refuses(server, eve, expected=b"Permission denied (publickey)")
    no_key = ("-oPreferredAuthentications=password,keyboard-interactive", "-oPubkeyAuthentication=no")
    await ssh_refuses(server, anna, *no_key, expected=b"Permission denied (publickey)")
    sftp = ["sftp", *ssh_command(server.port, anna)[3:-1], "guest@127.0.0.1"]
    sftp[sftp.index(str(server.port)) - 1] = "-P"
    assert b"subsystem request failed" in (await output_of(sftp))[1]
    connection = await connect(server.port, anna)
    with pytest.raises(asyncssh.ChannelOpenError):
        await connection.create_connection(asyncssh.SSHTCPSession, "127.0.0.1", server.port)
    with pytest.raises(asyncssh.ChannelOpenError):
        await connection.create_unix_connection(asyncssh.SSHUNIXSession, "/dev/log")
    with pytest.raises(asyncssh.ChannelListenError):
        await connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 1)
    with pytest.raises(asyncssh.ChannelListenError):
        await connection.forward_remote_path(str(tmp_path / "socket"), "/dev/log")
    with pytest.raises(asyncssh.ChannelOpenError):
        await connection.start_sftp_client()
    with pytest.raises(asyncssh.ChannelOpenError):
        await connection.create_session(asyncssh.SSHClientSession, x11_forwarding=True, x11_display=":0")
    connection.abort()
    assert not (tmp_path / "socket").exists()
    for wanted in ("to run echo let in", "the subsystem sftp", "forwarding to /dev/log"):
        assert f'name=Anna wanted="{wanted}"' in server.told
    assert f'refused user=guest key={eve.fingerprint} why="unknown key"' in server.told
    await given(clients[0], path, "n", "still here", "\r")
    assert len(server.children) == 1


def sockets() -> set[str]:
    """Where on this machine somebody waits for others by the path of an agent."""
    there = (line.split()[-1] for line in Path("/proc/net/unix").read_text().splitlines())
    return {each for each in there if each.endswith("/agent")}


NO_KEYS = b"\0\0\0\5\x0c\0\0\0\0"
"""What an agent without keys answers to whoever asks for them."""


async def test_the_agent_of_a_client_is_out_of_reach(
    server: Serving, anna: Key, clients: list[Client], tmp_path: Path
) -> None:
    """Whoever offers the keys of their own machine: nobody takes them. The server's own agent is nobody's either."""
    visits: list[int] = []

    async def agent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append(1)
        while await reader.read(4096):
            writer.write(NO_KEYS)

    offered = await asyncio.start_unix_server(agent, tmp_path / "agent")
    before, path = sockets(), str(tmp_path / "agent")
    clients.append(await AsyncSsh.come(server.port, anna, agent_path=path, agent_forwarding=True))
    asked_for_keys = len(visits)
    await clients[0].screen.shows("Quit")
    assert sockets() - before == set()
    (child,) = server.children
    assert b"SSH_AUTH_SOCK" not in Path(f"/proc/{child}/environ").read_bytes()
    assert len(visits) == asked_for_keys
    offered.close()


async def ssh_refuses(server: Serving, key: Key, *words: str, expected: bytes) -> None:
    options = [word for word in words if word.startswith("-")]
    command = [word for word in words if not word.startswith("-")]
    status, said = await output_of([*ssh_command(server.port, key, *options), *command])
    assert status == 255
    assert expected in said


async def output_of(command: list[str]) -> tuple[int | None, bytes]:
    ran = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await asyncio.wait_for(ran.communicate(), 30)
    return ran.returncode, said


async def test_the_program_hears_of_the_client_only_what_it_should(
    server: Serving, anna: Key, clients: list[Client]
) -> None:
    """TERM, colours and where the client is; nothing else that the client sends."""
    sent = {"COLORTERM": "truecolor", "LD_PRELOAD": "/evil.so", "HEADSDOWN_DEBUG": "1", "PATH": "/evil", "LANG": "xx"}
    clients.append(await AsyncSsh.come(server.port, anna, env={**sent, "A" * 5000: "B" * 5000}))
    await clients[0].screen.shows("Quit")
    (child,) = server.children
    told = dict(each.partition("=")[::2] for each in Path(f"/proc/{child}/environ").read_text().split("\0") if each)
    assert told["TERM"] == "xterm-256color"
    assert told["COLORTERM"] == "truecolor"
    assert re.fullmatch(rf"127\.0\.0\.1 \d+ 127\.0\.0\.1 {server.port}", told["SSH_CONNECTION"])
    assert told["PATH"] == os.environ["PATH"]
    assert not {"LD_PRELOAD", "HEADSDOWN_DEBUG", "A" * 5000} & set(told)
    assert b"\x1b[>25u" not in clients[0].screen.raw


SIZES = ((0, 0), (1, 1), (4_294_967_295, 4_294_967_295), (100_000, 3), (80, 24))
FITTING = ((80, 24), (1, 1), (500, 200), (500, 3), (80, 24))


async def test_windows_of_any_size(server: Serving, path: Path, anna: Key, ben: Key, clients: list[Client]) -> None:
    """None, tiny, huge, and a thousand changes at once: the program lives, and its terminal is never too large."""
    clients.append(await come(server, ben))
    for size in SIZES[:3]:
        client = await AsyncSsh.come(server.port, anna, size)
        clients.append(client)
        await becomes(lambda client=client: client.screen.raw)
        child = max(server.children)
        for asked, fitting in zip(SIZES, FITTING, strict=True):
            client.channel.change_terminal_size(*asked)
            await becomes(lambda child=child, fitting=fitting: window_of(child) == fitting, 10)
    for number in range(1000):
        client.channel.change_terminal_size(1 + number % 400, 1 + number % 90)
    client.channel.change_terminal_size(80, 24)
    await client.screen.settles()
    await given(clients[-1], path, "n", "all well", "\r")
    await given(clients[0], path, "n", "here too", "\r")
    assert len(server.children) == 4


async def test_a_million_keys(server: Serving, path: Path, anna: Key, ben: Key, clients: list[Client]) -> None:
    """They are taken in no faster than anybody types; neither the server nor the program grows, and Ben plays on."""
    clients += [await come(server, anna), await come(server, ben)]
    before = resident(server.process.pid), sum(map(resident, server.children))
    await clients[0].press("jk" * 500_000)
    for number in range(5):
        await given(clients[1], path, "n", f"note {number}", "\r")
        await asyncio.sleep(0.5)
    after = resident(server.process.pid), sum(map(resident, server.children))
    assert after[0] - before[0] < 20_000
    assert after[1] - before[1] < 40_000
    clients[0].close()
    await becomes(lambda: len(server.children) == 1)


async def test_a_client_that_reads_no_more(
    server: Serving, path: Path, anna: Key, ben: Key, clients: list[Client]
) -> None:
    """It allows a gigabyte and takes nothing. What is shown to it waits in its program, which holds no lock."""
    stalled = await AsyncSsh.come(server.port, anna, window=1 << 30)
    clients += [stalled, await come(server, ben)]
    await stalled.screen.shows("Quit")
    stalled.connection._transport.pause_reading()
    before = resident(server.process.pid)
    for number in range(100):
        stalled.channel.change_terminal_size(499 + number % 2, 200)
        await asyncio.sleep(0.06)
    for number in range(5):
        await given(clients[1], path, "n", f"note {number}", "\r")
    assert resident(server.process.pid) - before < 2_000
    stalled.close()
    await becomes(lambda: len(server.children) == 1)
    assert verify(path).ok


async def test_garbage_instead_of_ssh(server: Serving, path: Path, ben: Key, clients: list[Client]) -> None:
    """Whatever bytes come, before and after the greeting: the line is closed, and Ben notices nothing."""
    clients.append(await come(server, ben))
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", bytes(range(256)) * 4096, b"SSH-2.0-x\r\n" + b"\xff" * 100_000, b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        with_errors = asyncio.gather(writer.drain(), reader.read(), return_exceptions=True)
        writer.write(garbage)
        with suppress(OSError):  # the server may have closed the line already
            writer.write_eof()
        await asyncio.wait_for(with_errors, 30)
        writer.close()
    await given(clients[0], path, "n", "still here", "\r")
    assert len(server.children) == 1


async def test_nohup_keeps_it_running(
    path: Path, players: Path, tmp_path: Path, ben: Key, clients: list[Client]
) -> None:
    """Whoever logs out leaves the server behind, as they wished."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        server = Serving(path, players, home=tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    try:
        server.process.send_signal(signal.SIGHUP)
        clients.append(await come(server, ben))
    finally:
        assert server.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_a_server_that_ends_leaves_nothing(
    server: Serving, path: Path, anna: Key, ben: Key, clients: list[Client], number: signal.Signals
) -> None:
    """Clients are told and their terminals given back; even when it is killed, the programs end soon."""
    clients += [await come(server, anna), await come(server, ben)]
    assert isinstance(clients[1], AsyncSsh)
    clients[1].connection._transport.pause_reading()  # one that takes nothing in any more
    children = server.children
    status = await asyncio.to_thread(server.stop, number)
    assert status == (-9 if number == signal.SIGKILL else 0)
    await becomes(lambda: not any(Path(f"/proc/{child}").exists() for child in children), 10)
    assert not path.with_name(f".{path.name}.writing").exists()
    if number != signal.SIGKILL:
        await clients[0].screen.shows("the server is closing")
        assert b"\x1b[?1049l" in clients[0].screen.raw
        assert server.told.endswith("closed\n")
    assert verify(path).ok


async def test_a_program_that_dies_ends_its_connection(
    server: Serving, anna: Key, ben: Key, clients: list[Client]
) -> None:
    clients += [await come(server, anna), await come(server, ben)]
    os.kill(server.children[0], signal.SIGKILL)
    done, _ = await asyncio.wait(
        [asyncio.create_task(client.status()) for client in clients], return_when=asyncio.FIRST_COMPLETED, timeout=20
    )
    assert len(done) == 1
    assert len(server.children) == 1


async def test_too_many_and_too_often(path: Path, players: Path, tmp_path: Path, anna: Key, ben: Key) -> None:
    with serving(path, players, "--connections", "2", "--attempts", "3", home=tmp_path) as server:
        first, second = await connect(server.port, anna), await connect(server.port, ben)
        with pytest.raises((asyncssh.Error, OSError)):
            await connect(server.port, ben)
        first.abort()
        await asyncio.sleep(0.2)
        for _ in range(5):
            with pytest.raises((asyncssh.Error, OSError)):
                await connect(server.port, ben)
        second.abort()
    assert 'why="too many connections"' in server.told
    assert server.told.count('why="too many attempts"') == 1


async def test_the_players_file_is_read_anew(server: Serving, players: Path, eve: Key, clients: list[Client]) -> None:
    """Who is written in may come at once; what makes no sense changes nothing and is told."""
    with pytest.raises(asyncssh.PermissionDenied):
        await connect(server.port, eve)
    players.write_text(players.read_text() + f'"Eve B" umpire {eve.public}\n')
    clients.append(await come(server, eve))
    assert 'came name="Eve B" seat=umpire' in server.told
    players.write_text("nonsense\n")
    clients.append(await come(server, eve))
    assert re.search(r'players wrong=".*line 1: write NAME SEAT KEY', server.told)


async def test_seats_hold_over_ssh(server: Serving, path: Path, ben: Key, clients: list[Client]) -> None:
    """Ben sits for Imperium: Eldar's units are not his to muster."""
    clients.append(await come(server, ben))
    for key in ("M", "dire", "\r"):
        await clients[0].press(key)
    await clients[0].screen.shows("Imperium")
    await clients[0].screen.shows("(seat)")
    assert entries(path) == 0


def test_the_host_key_is_made_once_and_for_its_owner(path: Path, players: Path, tmp_path: Path) -> None:
    prints = []
    for _ in range(2):
        with serving(path, players, home=tmp_path) as server:
            prints.append(server.wait_for(r"key=(\S+)").group(1))
    key = tmp_path / "ssh_host_ed25519_key"
    assert prints[0] == prints[1]
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.log.stat().st_mode) == 0o600


@pytest.fixture
async def impatient(path: Path, players: Path, tmp_path: Path) -> AsyncIterator[tuple[int, Path]]:
    """A server in this process that waits for nobody longer than a second or two: its port and its guest book."""
    log = tmp_path / "guests.log"
    limits = Limits(idle=2 / 60, patience=1)
    house = House(Terms(path, ("Eldar", "Imperium"), players, limits=limits), GuestBook(log))
    running = asyncio.create_task(serve(house, ("127.0.0.1", 0), host_key(tmp_path / "key"), house.book))
    await becomes(lambda: "listening" in log.read_text())
    yield int(re.findall(r"address=127\.0\.0\.1:(\d+)", log.read_text())[0]), log
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    house.book.close()


async def test_nobody_is_waited_for_for_ever(
    impatient: tuple[int, Path], anna: Key, ben: Key, clients: list[Client]
) -> None:
    """Who shows no key, who opens no session, and who neither types nor is shown anything: the line is closed."""
    port, log = impatient
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.wait_for(reader.read(), 10)
    writer.close()
    idle = await connect(port, ben)
    await asyncio.wait_for(idle.wait_closed(), 10)
    clients.append(await AsyncSsh.come(port, anna))
    await clients[0].screen.shows("Quit")
    assert await clients[0].status() == 0
    assert "nothing happened here for 0.0333333 minutes" in clients[0].screen.text
    assert b"\x1b[?1049l" in clients[0].screen.raw
    assert " idle name=Anna " in log.read_text()
    await becomes(lambda: log.read_text().count(" left ") == 2)
