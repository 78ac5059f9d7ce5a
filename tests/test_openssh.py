"""Plain OpenSSH, as docs/ssh.md describes it: a real sshd of the test's own, on loopback, with throw-away keys."""

from __future__ import annotations

import asyncio
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.creating import create
from saves.verifying import verify
from tests.ssh_clients import ROOT, Key, OpenSsh, becomes, children_of, environment, ssh_command

SSHD = shutil.which("sshd") or next(
    (found for found in ("/usr/sbin/sshd", "/usr/local/sbin/sshd") if os.path.exists(found)), ""
)
RUN = Path("/run/sshd")
"""Where an sshd of root's wants an empty folder; whatever starts the machine's own makes it."""

USER = pwd.getpwuid(os.getuid()).pw_name

pytestmark = [
    pytest.mark.skipif(not SSHD, reason="sshd is not installed (Debian: openssh-server)"),
    pytest.mark.skipif(shutil.which("ssh") is None, reason="OpenSSH's client is not installed"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]


class Sshd:
    """A running sshd: `anna` may do anything, `guest` only play, whoever comes by the second port only watch."""

    def __init__(self, folder: Path, battle: Path) -> None:
        self.anna, self.guest, host = (Key(folder, name) for name in ("anna", "guest", "host"))
        self.port, self.watch_port = free_ports(2)
        self.headsdown = f"env HEADSDOWN_HOME={folder} PYTHONPATH={ROOT} {sys.executable} -m tui.start"
        here = {"headsdown open friday.battle.jsonl": f"{self.headsdown} open {battle}"}
        here |= {"ssh-ed25519 AAAA... ben@laptop": self.guest.public, "User club": f"LocalPort {self.watch_port}"}
        keys = folder / "authorized_keys"
        keys.write_text(f"{self.anna.public}\n{recipe('authorized_keys', here)}\n")
        keys.chmod(0o600)
        config = folder / "sshd_config"
        config.write_text(
            f"""
            Port {self.port}
            Port {self.watch_port}
            ListenAddress 127.0.0.1
            HostKey {host.path}
            PidFile none
            AuthorizedKeysFile {keys}
            StrictModes no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            PermitUserRC no
            ClientAliveInterval 15
            ClientAliveCountMax 3
            {recipe("sshd_config", here)}
            """
        )
        self._log = folder / "sshd.log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(config)], stdout=log, stderr=log)
        for port in (self.port, self.watch_port):
            self._listens(port)

    def _listens(self, port: int) -> None:
        deadline = time.monotonic() + 20
        while True:
            if self.process.poll() is not None or time.monotonic() > deadline:
                pytest.skip(f"sshd does not start here: {self._log.read_text().strip()[-200:]}")
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """End it and whatever sessions there are."""
        for child in children_of(self.process.pid):
            os.kill(child, 15)
        self.process.terminate()
        self.process.wait(20)


def recipe(name: str, here: dict[str, str]) -> str:
    """A block of docs/ssh.md, with the names of this machine in place of those in it."""
    page = (ROOT / "docs" / "ssh.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"```{name}\n(.*?)```", page, re.DOTALL)
    for named, really in here.items():
        block = block.replace(named, really)
    return str(block)


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "club.battle.jsonl"
    create(made, rules="suppression-fire", sides=("Eldar", "Imperium"), seed="club")
    return made


@pytest.fixture
def sshd(tmp_path: Path, path: Path) -> Iterator[Sshd]:
    made = os.geteuid() == 0 and not RUN.exists()
    if made:
        RUN.mkdir(mode=0o755)
    try:
        running = Sshd(tmp_path, path)
        yield running
        running.stop()
    finally:
        if made:
            RUN.rmdir()


@pytest.fixture
async def terminals() -> AsyncIterator[list[OpenSsh]]:
    """What runs in terminals; it is ended afterwards."""
    there: list[OpenSsh] = []
    yield there
    for terminal in there:
        terminal.close()


def mark(path: Path) -> str:
    with OpenBattle.open(path, read_only=True) as battle:
        return f"#{battle.head_mark}"


def programs(path: Path) -> list[int]:
    """The processes that have this battle on their command line, but for ssh itself."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(path).encode() in words and b"tui.start" in words and not words[0].startswith(b"ssh"):
            found.append(int(each.parent.name))
    return found


def ssh(port: int, key: Key, *words: str, **more: str) -> OpenSsh:
    """OpenSSH's client in a terminal: options, then the command."""
    options = [word for word in words if word.startswith("-")]
    command = [word for word in words if not word.startswith("-")]
    return OpenSsh([*ssh_command(port, key, *options, user=USER), *command], (80, 24), **more)


async def test_ssh_host_headsdown_open(sshd: Sshd, path: Path, terminals: list[OpenSsh]) -> None:
    """`ssh host -t headsdown open battle`: shown, resized, played, and the terminal is given back."""
    anna = ssh(
        sshd.port, sshd.anna, "-t", "-C", "-oSendEnv=COLORTERM", f"{sshd.headsdown} open {path}", COLORTERM="truecolor"
    )
    terminals.append(anna)
    await anna.screen.shows("Quit")
    assert b";2;" in anna.screen.raw  # colours in full, since COLORTERM was sent and accepted
    assert b"\x1b[>25u" not in anna.screen.raw  # no keys of another protocol, which a dropped line would leave on
    start = len(anna.screen.raw)
    anna.resize(100, 30)
    await becomes(lambda: re.search(rb"\x1b\[30;\d+H", anna.screen.raw[start:]))
    anna.resize(80, 24)
    await anna.screen.settles()
    await anna.press("M")
    await anna.press("dire\r")
    await becomes(lambda: path.read_bytes().count(b"\n") == 2)
    await anna.press("q")
    assert await anna.status() == 0
    assert b"\x1b[?1049l" in anna.screen.raw
    assert f"Saved. To go on: headsdown open {path}" in anna.screen.raw.decode()


async def test_without_sendenv_there_are_fewer_colours(sshd: Sshd, path: Path, terminals: list[OpenSsh]) -> None:
    anna = ssh(sshd.port, sshd.anna, "-t", f"{sshd.headsdown} open {path}", COLORTERM="truecolor")
    terminals.append(anna)
    await anna.screen.shows("Quit")
    assert b"8;5;" in anna.screen.raw
    assert b"8;2;" not in anna.screen.raw


async def test_a_dropped_connection(sshd: Sshd, path: Path, terminals: list[OpenSsh]) -> None:
    """In the middle of a form the line is gone: so is the program, file and lock are sound, one comes back to it."""
    terminals.append(ssh(sshd.port, sshd.anna, "-t", f"{sshd.headsdown} open {path} --as Anna"))
    await terminals[0].screen.shows("Quit")
    await terminals[0].press("M")
    await terminals[0].press("dire\r")
    await becomes(lambda: path.read_bytes().count(b"\n") == 2)
    await terminals[0].press("M")
    await terminals[0].press("guard")
    await terminals[0].screen.shows("Guardians")
    terminals[0].process.kill()
    await becomes(lambda: not programs(path), 20)
    assert not path.with_name(f".{path.name}.writing").exists()
    assert verify(path).ok
    again = ssh(sshd.port, sshd.anna, "-t", f"{sshd.headsdown} open {path} --as Anna")
    terminals.append(again)
    head = mark(path)
    await becomes(lambda: head in again.screen.lines[0] and "Dire Avengers" in again.screen.text)
    await again.press("u")
    await becomes(lambda: path.read_bytes().count(b"\n") == 3)


async def test_a_guest_gets_the_app_and_nothing_else(
    sshd: Sshd, path: Path, tmp_path: Path, terminals: list[OpenSsh]
) -> None:
    """`restrict,pty,command=`: whatever is asked for, it is the battle, from Ben's seat."""
    guest = ssh(sshd.port, sshd.guest, "-t", f"touch {tmp_path}/broken_in; sh")
    terminals.append(guest)
    await guest.screen.shows("Quit")
    assert not (tmp_path / "broken_in").exists()
    await guest.press("M")
    await guest.press("dire\r")
    await guest.screen.shows("you sit for Imperium")  # the Avengers are Eldar's
    await guest.press("\x1b")
    await guest.screen.settles()
    await guest.press("n")
    await guest.press("made it\r")
    await becomes(lambda: path.read_bytes().count(b"\n") == 2)
    await guest.press("V")
    await guest.screen.shows("replay 1 of 1")
    await guest.press("C")
    await guest.screen.shows("That is not for guests")
    await guest.press("q")
    await guest.screen.settles()
    await guest.press("q")
    assert await guest.status() == 0
    assert "Everything is saved." in guest.screen.text
    assert str(tmp_path) not in guest.screen.raw.decode()
    await refused_without_a_terminal(sshd.port, sshd.guest, tmp_path)


async def refused_without_a_terminal(port: int, key: Key, folder: Path) -> None:
    status, said = await output_of([*ssh_command(port, key, user=USER), f"touch {folder}/broken_in"])
    assert status == 2
    assert b"this needs a terminal" in said
    options = ssh_command(port, key)[3:-1]
    options[0] = "-P"
    assert (await output_of(["sftp", *options, f"{USER}@127.0.0.1"]))[0] != 0
    through = ssh_command(port, key, "-W", f"127.0.0.1:{port}", user=USER)
    status, said = await output_of(through)
    assert status != 0
    assert b"SSH-2.0" not in said
    status, said = await output_of(
        ssh_command(port, key, "-N", "-R", "0:127.0.0.1:1", "-oExitOnForwardFailure=yes", user=USER)
    )
    assert (status, b"forwarding failed" in said) == (255, True)
    assert not (folder / "broken_in").exists()


async def output_of(command: list[str]) -> tuple[int | None, bytes]:
    ran = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=environment(),
    )
    said, _ = await asyncio.wait_for(ran.communicate(), 30)
    return ran.returncode, said


async def test_forcecommand_lets_everybody_look_on(
    sshd: Sshd, path: Path, tmp_path: Path, terminals: list[OpenSsh]
) -> None:
    watcher = ssh(sshd.watch_port, sshd.anna, "-t", "sh")
    terminals.append(watcher)
    await watcher.screen.shows("watching")
    await watcher.press("n")
    await watcher.press("M")
    await watcher.screen.settles()
    await watcher.press("q")
    assert await watcher.status() == 0
    assert path.read_bytes().count(b"\n") == 1
    await refused_without_a_terminal(sshd.watch_port, sshd.anna, tmp_path)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
async def test_in_tmux_a_dropped_connection_loses_not_even_the_place(
    sshd: Sshd, path: Path, tmp_path: Path, terminals: list[OpenSsh]
) -> None:
    """tmux on the server keeps the program: the line drops, and one comes back into the form."""
    tmux = f"tmux -S {tmp_path}/tmux -f /dev/null new-session -A -s battle '{sshd.headsdown} open {path}'"
    terminals.append(ssh(sshd.port, sshd.anna, "-t", tmux))
    try:
        await terminals[0].screen.shows("Quit")
        await terminals[0].press("M")
        await terminals[0].press("guard")
        await terminals[0].screen.shows("Guardians")
        terminals[0].process.kill()
        await terminals[0].status()
        assert len(programs(path)) >= 1
        again = ssh(sshd.port, sshd.anna, "-t", tmux)
        terminals.append(again)
        await again.screen.shows("Guardians")
        await again.press("\r")
        await becomes(lambda: path.read_bytes().count(b"\n") == 2)
        await again.press("q")
        assert await again.status() == 0
        await becomes(lambda: not programs(path), 20)
    finally:
        subprocess.run(["tmux", "-S", str(tmp_path / "tmux"), "kill-server"], capture_output=True, check=False)
    assert verify(path).ok
