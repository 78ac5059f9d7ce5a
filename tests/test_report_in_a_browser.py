"""The HTML report in a real browser: nothing goes wrong, nothing is asked of the network, it prints, light and dark."""

from __future__ import annotations

import shutil
import socketserver
import subprocess
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.registered import RULE_SETS
from saves.battle import OpenBattle
from saves.library import open_example
from saves.reports import report_on
from tests.hostile_battles import hostile

__all__ = ["hostile"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for name in BROWSERS if (found := shutil.which(name))), "")

pytestmark = pytest.mark.skipif(not BROWSER, reason="no Chromium here: apt-get install chromium")

ITS_OWN = ("google.com", "googleapis.com", "gstatic.com", "gvt1.com", "googleusercontent.com")
"""Hosts that the browser itself asks for, whatever page it shows."""


class Asked(socketserver.BaseRequestHandler):
    """A proxy that writes down what it is asked for, and gives nothing."""

    hosts: list[str]

    def handle(self) -> None:
        line = self.request.recv(4096).partition(b"\r\n")[0].decode("latin-1")
        if not line:
            return  # opened ahead and closed again: nothing was asked
        address = line.split(" ")[1] if line.count(" ") >= 2 else line
        self.hosts.append(address.removeprefix("http://").partition("/")[0].partition(":")[0])


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """The address of a proxy that the browser has to go through, and the hosts it was asked for."""
    hosts: list[str] = []
    handler = type("Handler", (Asked,), {"hosts": hosts})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}", hosts
        server.shutdown()
        thread.join()


class Shown(NamedTuple):
    """What a browser made of a page: its console messages, and the hosts that it asked the network for."""

    console: list[str]
    hosts: list[str]


def browse(page: Path, proxy: tuple[str, list[str]], *options: str) -> Shown:
    """Open a page in the browser."""
    address, hosts = proxy
    ran = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            f"--user-data-dir={page.parent / 'profile'}", f"--proxy-server={address}", *options, page.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
    )  # fmt: skip
    console = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
    return Shown(console, [host for host in hosts if not host.endswith(ITS_OWN)])


@pytest.fixture(params=RULE_SETS)
def page(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The page of a bundled battle."""
    path = tmp_path / "report.html"
    with open_example(request.param) as battle:
        path.write_bytes(report_on(battle, "html"))
    return path


def test_what_goes_wrong_in_a_page_would_be_seen(tmp_path: Path, proxy: tuple[str, list[str]]) -> None:
    """The tests below are worth something only if this fails to be quiet."""
    bad = tmp_path / "bad.html"
    bad.write_text("<img src='http://evil.example/p.png'><script>console.error('ouch'); nothing()</script>")
    shown = browse(bad, proxy, f"--screenshot={tmp_path / 'bad.png'}")
    assert any("ouch" in line for line in shown.console)
    assert "evil.example" in shown.hosts


def test_no_error_no_request_and_it_prints(page: Path, tmp_path: Path, proxy: tuple[str, list[str]]) -> None:
    printed = tmp_path / "report.pdf"
    shown = browse(page, proxy, f"--print-to-pdf={printed}", "--no-pdf-header-footer")
    assert shown == ([], [])
    content = printed.read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") >= 2


def corner(picture: Path) -> tuple[int, int, int]:
    """The colour of the first pixel of a PNG: whatever its filter, the very first is stored as it is."""
    content, at, packed = picture.read_bytes(), 8, b""
    while at < len(content):
        length, kind = int.from_bytes(content[at : at + 4], "big"), content[at + 4 : at + 8]
        packed += content[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    red, green, blue = zlib.decompress(packed)[1:4]
    return red, green, blue


def test_it_is_light_or_dark_as_the_reader_likes(page: Path, tmp_path: Path, proxy: tuple[str, list[str]]) -> None:
    light, dark = tmp_path / "light.png", tmp_path / "dark.png"
    assert browse(page, proxy, f"--screenshot={light}", "--blink-settings=preferredColorScheme=1") == ([], [])
    assert browse(page, proxy, f"--screenshot={dark}", "--blink-settings=preferredColorScheme=0") == ([], [])
    assert min(corner(light)) > 230
    assert max(corner(dark)) < 50


@pytest.mark.parametrize("hostile", RULE_SETS, indirect=True)
def test_hostile_names_do_nothing_in_a_browser(
    hostile: OpenBattle, tmp_path: Path, proxy: tuple[str, list[str]]
) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(report_on(hostile, "html"))
    assert browse(path, proxy, f"--screenshot={tmp_path / 'hostile.png'}", "--window-size=1000,9000") == ([], [])
