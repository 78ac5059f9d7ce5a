"""Sealed dice: neither who keeps the battle nor who plays in it steers them, and at the end everybody can check."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from engine.dice import TypedDice, keyed_faces
from engine.entries import OrderEntry
from engine.orders import read_order
from engine.refusals import Refusal
from engine.sealed_dice import commitment_to, seed_of
from saves.battle import OpenBattle
from saves.continuing import continue_from
from saves.creating import create
from saves.faults import AlreadyThere, Unreadable
from saves.secrets_kept import kept_secrets, secret_file
from saves.verifying import verify
from tests.headsdown_command import headsdown
from tests.small_rules import NAME

WORDS = "three grey geese"


@pytest.fixture
def sealed(tmp_path: Path, counter: object) -> Path:
    path = tmp_path / "sealed.battle.jsonl"
    create(path, rules=NAME, sides=("red", "blue"), dice="sealed")
    return path


def roll(battle: OpenBattle, dice: tuple[int, ...] | None = None) -> OrderEntry:
    """Two dice for red."""
    order = read_order(battle.history.rules, '{"type":"count","side":"red"}')
    return battle.give(order, source=TypedDice(dice) if dice else None)


def refusal_of(battle: OpenBattle) -> str:
    before = battle.path.read_bytes()
    with pytest.raises(Refusal) as refusal:
        roll(battle)
    assert (refusal.value.clause, battle.path.read_bytes()) == ("dice", before)
    return refusal.value.message


def test_the_header_has_the_commitment_and_only_the_owner_can_read_the_secret(sealed: Path) -> None:
    (secret,) = kept_secrets(sealed)
    terms = json.loads(sealed.read_bytes().splitlines()[0])["dice"]
    assert (terms["mode"], terms["seed"], terms["commitment"]) == ("sealed", "", sha256(secret).hexdigest())
    assert stat.S_IMODE(secret_file(sealed).stat().st_mode) == 0o600
    assert secret.hex().encode() not in sealed.read_bytes()


def test_nothing_is_rolled_before_the_other_side_has_said_its_words(sealed: Path) -> None:
    with OpenBattle.open(sealed) as battle:
        told = "the other side has not said its words for the sealed dice: headsdown words says them"
        assert refusal_of(battle) == told
        battle.give(read_order(battle.history.rules, '{"type":"note","text":"nothing is rolled for that"}'))
        assert roll(battle, (3, 4)).rolls[0].source == "table"
        battle.say_words(WORDS, by="Ben")
        row = roll(battle).rolls[0]
        (secret,) = kept_secrets(sealed)
        seed = sha256(b"seed/1" + secret + WORDS.encode()).digest()
        assert seed_of(secret, WORDS) == seed
        assert row.dice == keyed_faces(seed, row.key, row.sides, len(row.dice))


def test_words_are_said_once_and_are_words(sealed: Path) -> None:
    with OpenBattle.open(sealed) as battle:
        for text in ("", "  \x1b ", "x" * 201):
            with pytest.raises(Refusal, match="words for the dice have 1 to 200 characters"):
                battle.say_words(text)
        said = battle.say_words(WORDS)
        with pytest.raises(Refusal, match=f"the words of these dice were said in entry {said.n}"):
            battle.say_words("others")


def test_after_revealing_verify_checks_every_roll_and_nothing_is_rolled_any_more(sealed: Path) -> None:
    with OpenBattle.open(sealed) as battle:
        battle.say_words(WORDS)
        for _ in range(3):
            roll(battle)
        roll(battle, (1, 1))
        counts = verify(sealed).rolls
        assert (counts.app, counts.table, counts.checked, counts.sealed) == (3, 1, 0, 3)
        battle.reveal()
        counts = verify(sealed).rolls
        assert (counts.app, counts.table, counts.checked, counts.sealed) == (3, 1, 3, 0)
        assert refusal_of(battle).startswith("these dice were revealed, so all could reckon them")
        with pytest.raises(Refusal, match="these dice were revealed already"):
            battle.reveal()


def test_a_face_that_the_secret_does_not_make_is_found_once_it_is_revealed(sealed: Path) -> None:
    from tests.test_seats import rewritten

    with OpenBattle.open(sealed) as battle:
        battle.say_words(WORDS)
        entry = roll(battle)
        battle.reveal()

    def forge(records: list[dict[str, object]]) -> None:
        record = records[entry.n]
        faces = [[1, 2], [2, 1]][entry.rolls[0].dice == (1, 2)]
        rolls, events = record["rolls"], record["events"]
        assert isinstance(rolls, list)
        assert isinstance(events, list)
        rolls[0] |= {"dice": faces, "outcome": 3, "chance": [1, 18]}
        events[0]["by"] = 3

    report = verify(rewritten(sealed, forge))
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", entry.n)


def test_another_secret_than_the_one_committed_to_is_no_secret(sealed: Path) -> None:
    from tests.test_seats import rewritten

    with OpenBattle.open(sealed) as battle:
        battle.say_words(WORDS)
        battle.reveal()
    forged = rewritten(sealed, lambda records: records[-1].update(secret="00" * 32))
    report = verify(forged)
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", 2)


def test_a_lost_secret_is_told_and_a_new_seal_goes_on(sealed: Path) -> None:
    with OpenBattle.open(sealed) as battle:
        battle.say_words(WORDS)
        roll(battle)
    secret_file(sealed).unlink()
    with OpenBattle.open(sealed) as battle:
        assert refusal_of(battle).startswith("the secret of the sealed dice is not here")
        with pytest.raises(Refusal, match="the secret of these dice is not here: reveal them where the battle is kept"):
            battle.reveal()
    ran = headsdown("seal", sealed)
    told = "sealed anew: the other side has to say its words again; 1 roll so far cannot be checked any more\n"
    assert (ran.status, ran.out) == (0, told)
    with OpenBattle.open(sealed) as battle:
        with pytest.raises(Refusal, match="there is no need for another one"):
            battle.seal()
        battle.say_words("other words")
        roll(battle)
        battle.reveal()
    counts = verify(sealed).rolls
    assert (counts.app, counts.checked, counts.sealed) == (2, 1, 1)


def test_who_has_the_battle_open_rolls_under_a_seal_that_somebody_else_made(sealed: Path) -> None:
    with OpenBattle.open(sealed) as here, OpenBattle.open(sealed) as there:
        here.say_words(WORDS)
        here.reveal()
        here.seal()
        here.say_words(WORDS)
        there.refresh()
        assert roll(there).rolls[0].source == "app"


def test_a_battle_that_goes_on_from_a_sealed_one_has_its_secret(sealed: Path) -> None:
    with OpenBattle.open(sealed) as battle:
        words = battle.say_words(WORDS)
        first = roll(battle)
        going_on = continue_from(battle, words.n)
    with OpenBattle.open(going_on) as battle:
        assert roll(battle).rolls == first.rolls
    assert stat.S_IMODE(secret_file(going_on).stat().st_mode) == 0o600


def test_creating_leaves_nothing_behind_where_it_fails(sealed: Path, tmp_path: Path) -> None:
    secret = secret_file(sealed).read_bytes()
    with pytest.raises(AlreadyThere):
        create(sealed, rules=NAME, sides=("red", "blue"), dice="sealed")
    assert secret_file(sealed).read_bytes() == secret
    nowhere = tmp_path / "none" / "a.battle.jsonl"
    with pytest.raises(Unreadable):
        create(nowhere, rules=NAME, sides=("red", "blue"), dice="sealed")
    in_the_way = tmp_path / "b.battle.jsonl"
    secret_file(in_the_way).write_text("what is this")
    with pytest.raises(Unreadable, match="is there already, with the secrets of another battle"):
        create(in_the_way, rules=NAME, sides=("red", "blue"), dice="sealed")
    assert not in_the_way.exists()


@pytest.mark.parametrize("mode", ["app", "table"])
def test_other_dice_have_no_seal(mode: str, tmp_path: Path, counter: object) -> None:
    path = tmp_path / "plain.battle.jsonl"
    create(path, rules=NAME, sides=("red", "blue"), dice=mode)
    assert not secret_file(path).exists()
    assert b"commitment" not in path.read_bytes()
    for command in (("words", path, WORDS), ("reveal", path), ("seal", path)):
        ran = headsdown(*command)
        assert (ran.status, ran.err) == (1, "headsdown: the dice of this battle are not sealed (dice)\n")


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.battle.jsonl"
    new = ("new", path, "--rules", "gray-dawn", "--side", "Watch", "--side", "Visitors", "--dice", "sealed")
    assert headsdown(*new).status == 0
    ran = headsdown("words", path, WORDS, "--as", "Ben", "--seat", "Visitors")
    assert (ran.status, ran.out) == (0, "the words are said: the app can roll now\n")
    assert headsdown("words", path, WORDS, "--seat", "spectator").status == 1
    ran = headsdown("reveal", path, "--json")
    assert ran.json == {"entry": 2, "head": 0}
    assert "none by the app" in headsdown("verify", path).out
    assert commitment_to(kept_secrets(path)[0]) in path.read_text()


def shell(command: str) -> str:
    """The first word that a command of the page prints."""
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return ran.stdout.split()[0]


@pytest.mark.skipif(not (shutil.which("xxd") and shutil.which("sha256sum")), reason="xxd and sha256sum are not here")
def test_the_page_tells_how_to_check_by_hand(sealed: Path) -> None:
    """The commands of docs/sealed-dice.md, filled in: commitment, seed, and the faces of a roll."""
    page = (Path(__file__).parent.parent / "docs" / "sealed-dice.md").read_text(encoding="utf-8")
    commands = [line.partition("  ")[0] for line in page.splitlines() if "sha256sum" in line and "printf" in line]
    assert len(commands) == 3
    with OpenBattle.open(sealed) as battle:
        battle.say_words(WORDS)
        row = roll(battle).rolls[0]
        reveal = battle.reveal()
        commitment = battle.history.header.dice.commitment
    known = {"SECRET": reveal.secret, "WORDS": WORDS.replace("'", "'\\''")}

    def filled(command: str) -> str:
        for name, value in known.items():
            command = command.replace(name, value)
        return command

    assert shell(filled(commands[0])) == commitment
    seed = shell(filled(commands[1]))
    assert seed == seed_of(bytes.fromhex(reveal.secret), WORDS).hex()
    known |= {"SEED": seed, "LENGTH": f"{len(row.key):04x}", "KEY": row.key}
    block = bytes.fromhex(shell(filled(commands[2])))
    assert row.dice == tuple(byte % 6 + 1 for byte in block if byte < 252)[: len(row.dice)]
