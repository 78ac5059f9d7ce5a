"""The players file, the limits, the guest book and the address: what is typed by hand or comes from strangers."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import asyncssh
import pytest

from saves.creating import create
from saves.faults import Unreadable
from tests.headsdown_command import headsdown
from tui.endings import WrongUsage
from tui.serving.command import listening_address
from tui.serving.guest_book import GuestBook
from tui.serving.host_key import host_key
from tui.serving.limits import Attempts, HeededEnvironment, Typing, colours, fitting, terminal_kind
from tui.serving.players import BadPlayers, Player, fingerprint, onlooker, read_players

SIDES = ("Eldar", "Chaos Marines")
LINE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF5ohaJgsyTGdTZMlB2R501DsetsdUZvT22W+LaknULy"
OTHER_LINE = (
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMQU02FRUN9lWXaqxIwtk48lWMuv"
    "LyKGu9zKNG6ZggLwQY+m85RVteRgNQ2MlPZh5/4xVoc3xbLndYg4/z6naAg="
)
KEY, OTHER = asyncssh.import_public_key(LINE), asyncssh.import_public_key(OTHER_LINE)


def players_of(folder: Path, text: str | bytes) -> dict[bytes, Player]:
    file = folder / "players"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return dict(read_players(file, SIDES))


def test_names_seats_and_keys(tmp_path: Path) -> None:
    """Comments, empty lines, words in quotes, a seat in small letters, a key's comment with anything in it."""
    told = f'\ufeff# the club\n\n  Anna  eldar {LINE} anna\'s "laptop"\r\n"Ben the Elder" "chaos marines" '
    found = players_of(tmp_path, told + OTHER_LINE + "\n# end")
    assert found == {
        KEY.public_data: Player("Anna", "Eldar"),
        OTHER.public_data: Player("Ben the Elder", "Chaos Marines"),
    }
    assert fingerprint(KEY.public_data) == KEY.get_fingerprint()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Anna Eldar", "write NAME SEAT KEY"),
        (f"Anna {LINE}", "ssh-ed25519"),
        (f'"Anna Eldar {LINE}', "write NAME SEAT KEY"),
        (f"Anna Tau {LINE}", "there is no seat Tau; there are: Eldar, Chaos Marines, both, umpire, spectator"),
        (f"Anna Chaos Marines {LINE}", "there is no seat Chaos"),
        (f'"\x1b[2J" Eldar {LINE}'.replace("[2J", ""), "a name has 1 to 40 characters"),
        (f"{'A' * 41} Eldar {LINE}", "a name has 1 to 40 characters"),
        (f"Anna Eldar {LINE[:50]}", "the key is not whole"),
        ("Anna Eldar ssh-ed25519 AAAA", "the key is not whole"),
        ("Anna Eldar ssh-ed25519 hello!", "the key is not whole"),
        ("Anna Eldar ssh-dss AAAAB3NzaC1kc3M=", "ssh-dss is no kind of key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "this is a private key"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(BadPlayers) as bad:
        players_of(tmp_path, f"# one\n{line}\n")
    assert str(bad.value).startswith(f"{tmp_path / 'players'}, line 2: ")
    assert told in str(bad.value)
    assert str(bad.value).isprintable()


def test_the_sample_in_the_docs(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "ssh.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```players\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "players"
    file.write_text(block, encoding="utf-8")
    seats = {player.name: player.seat for player in read_players(file, ("Eldar", "Imperium")).values()}
    assert seats == {"Anna": "Eldar", "Ben the Elder": "Imperium", "Cleo": "umpire"}


def test_every_option_is_in_the_docs() -> None:
    page = (Path(__file__).parent.parent / "docs" / "ssh.md").read_text(encoding="utf-8")
    options = set(re.findall(r"--[a-z-]+", headsdown("serve", "--help").out)) - {"--help"}
    assert {option for option in options if f"| `{option}" not in page} == set()


def test_one_key_in_two_seats(tmp_path: Path) -> None:
    with pytest.raises(BadPlayers, match="line 2: this key is Anna's, who sits for Eldar: leave one out"):
        players_of(tmp_path, f"Anna Eldar {LINE}\nAnna umpire {LINE}\n")
    assert len(players_of(tmp_path, f"Anna Eldar {LINE}\nAnna Eldar {LINE}\n")) == 1


def test_files_that_are_none(tmp_path: Path) -> None:
    for content, told in ((b"\xff\xfe\x00", "plain text"), (b"#" * 2_000_000, "at most 1024 KB")):
        with pytest.raises(BadPlayers, match=told):
            players_of(tmp_path, content)
    with pytest.raises(BadPlayers, match="cannot be read: No such file"):
        read_players(tmp_path / "nowhere", SIDES)
    with pytest.raises(BadPlayers, match="cannot be read"):
        read_players(tmp_path, SIDES)


def test_a_stranger_is_never_called_like_a_player() -> None:
    players = {b"": Player("Anna", "Eldar")}
    named = {user: onlooker(user, players).name for user in ("carl", "ANNA", "", "a\x1b[2Jb", "x" * 500)}
    assert named == {"carl": "carl", "ANNA": "guest", "": "guest", "a\x1b[2Jb": "a[2Jb", "x" * 500: "guest"}
    assert onlooker("carl", players).seat == "spectator"


def test_attempts_are_counted_by_address_and_forgotten() -> None:
    attempts = Attempts(2, within=60)
    assert [attempts.allowed("a", now) for now in (0, 1, 2, 59)] == [True, True, False, False]
    assert attempts.allowed("b", 2)
    assert attempts.allowed("a", 60.5)
    assert not attempts.allowed("a", 60.6)
    for number in range(20_000):
        attempts.allowed(str(number), 61)
    assert len(attempts._times) == 10_000


def test_typing_is_as_fast_as_people_are() -> None:
    typing = Typing(0.0, at_once=100, a_second=10)
    assert typing.take(1000, 0.0) == 100
    assert typing.take(1000, 0.0) == 0
    assert typing.take(1000, 2.0) == 20
    assert typing.take(5, 1000.0) == 5
    assert typing.take(1000, 1000.0) == 95


def test_sizes_terminals_and_colours() -> None:
    assert [fitting(*size) for size in ((0, 0), (120, 0), (1, 1), (9999, 9999))] == [
        (80, 24),
        (80, 24),
        (1, 1),
        (500, 200),
    ]
    assert [terminal_kind(said) for said in ("xterm-256color", "tmux", "", "../../etc", "x" * 41, "a\nb")] == [
        "xterm-256color",
        "tmux",
        *["dumb"] * 4,
    ]
    said = HeededEnvironment()
    for name, value in ((b"COLORTERM", b"truecolor"), (b"NO_COLOR", b""), (b"PATH", b"/"), (b"COLORTERM", b"x" * 99)):
        said[name] = value
    assert said == {b"COLORTERM": b"truecolor", b"NO_COLOR": b""}
    assert colours(said) == {"COLORTERM": "truecolor", "NO_COLOR": "1"}
    assert colours({b"COLORTERM": b"evil"}) == {}


def test_addresses() -> None:
    told = {"127.0.0.1:2222": ("127.0.0.1", 2222), ":7": ("127.0.0.1", 7), "club.example": ("club.example", 2222)}
    told |= {"[::1]:22": ("::1", 22), "[::1]": ("::1", 2222)}
    assert {text: listening_address(text) for text in told} == told
    for wrong in ("::1", "host:", "host:99999", "host:ssh", "1:2:3"):
        with pytest.raises(WrongUsage, match="write HOST:PORT"):
            listening_address(wrong)


def test_the_guest_book_keeps_to_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = GuestBook(tmp_path / "book")
    book.write("came", name="Anna\n2026 left", user='a"b\\c', seat="Eldar", empty="")
    book.close()
    (line,) = (tmp_path / "book").read_text().splitlines()
    assert line.endswith(r'came name="Anna?2026 left" user="a\"b\\c" seat=Eldar empty=""')
    GuestBook().write("came", name="x" * 500)
    assert len(capsys.readouterr().err) < 250
    with pytest.raises(Unreadable, match="cannot be written"):
        GuestBook(tmp_path / "no" / "book")


def test_host_keys(tmp_path: Path) -> None:
    """Made where there is none; one that others can read, or that is none, is not used."""
    place = tmp_path / "new" / "key"
    made = host_key(place)
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert host_key(place).get_fingerprint() == made.get_fingerprint()
    place.chmod(0o644)
    with pytest.raises(Unreadable, match="can be read by others"):
        host_key(place)
    place.write_text("nothing")
    place.chmod(0o600)
    with pytest.raises(Unreadable, match="is no private key"):
        host_key(place)
    with pytest.raises(Unreadable, match="cannot be"):
        host_key(place / "under")


def test_what_is_missing_is_said_before_anything_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    battle, players = tmp_path / "a.battle.jsonl", tmp_path / "players"
    create(battle, rules="suppression-fire", sides=("A", "B"))
    assert headsdown("serve", battle).status == 2
    ran = headsdown("serve", battle, "--players", players)
    assert (ran.status, "players cannot be read" in ran.err) == (3, True)
    players.write_text(f"Anna Z {LINE}")
    ran = headsdown("serve", battle, "--players", players)
    assert (ran.status, "line 1: there is no seat Z" in ran.err) == (3, True)
    players.write_text(f"Anna A {LINE}")
    for option in (("--listen", "x:y"), ("--connections", "0"), ("--idle", "-1"), ("--attempts", "many")):
        ran = headsdown("serve", battle, "--players", players, *option)
        assert (ran.status, ran.err.count("\n")) == (2, 1), option
    assert headsdown("serve", tmp_path / "none", "--players", players).status == 3
    ran = headsdown("serve", battle, "--players", players, "--listen", "192.0.2.1:1")
    assert (ran.status, "cannot listen on 192.0.2.1:1" in ran.err) == (3, True)


def test_without_asyncssh_it_says_what_to_install(tmp_path: Path) -> None:
    program = "import sys; sys.modules['asyncssh'] = None; from tui.command_line import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "serve", str(tmp_path / "x"), "--players", "y"]
    (tmp_path / "x").touch()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "headsdown serve: this needs asyncssh: pip install 'headsdown[ssh]'\n"
