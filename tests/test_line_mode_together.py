"""Several at one battle in typed words: seats, asking and agreeing, sealed dice, who is here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.entries import RequestEntry, RevealEntry, SealEntry, UndoEntry, WordsEntry
from saves.battle import OpenBattle
from saves.creating import create
from saves.presence import Presence
from saves.secrets_kept import secret_file
from tests.line_mode import Typist, script
from tests.test_at_once import path  # noqa: F401  the battle
from tests.test_seats import BLUE, DECLARE, RED, Table, unit
from tests.test_together import at, entries, notes
from tui.line_mode.session import Session


def says(path: Path, seat: str, *lines: str | Callable[[], object]) -> list[str]:  # noqa: F811
    """What is said to somebody in a seat who types these lines."""
    talk = Typist(lines)
    with OpenBattle.open(path) as battle:
        battle.sit(seat)
        assert Session(battle, talk, name=f"Anna ({seat})").run() == 0
    return talk.told


@pytest.fixture
def declared(path: Path) -> Path:  # noqa: F811
    """Red has declared, Blue's scouts have their test before them."""
    table = Table(path)
    table.order(RED, DECLARE)
    table.at(RED).close()
    return path


def test_one_is_told_ones_seat_and_what_is_anothers(declared: Path) -> None:
    told = says(declared, RED, "would test scouts", "test scouts")
    assert "You sit for Red." in told
    assert "Would be refused: that is for Blue to order; you sit for Red (seat)." in told
    assert "Refused: that is for Blue to order; you sit for Red (seat)." in told
    assert "You are watching." in says(declared, "spectator", "undo")
    assert "Refused: you are watching: nothing can be changed from here." in says(declared, "spectator", "undo")


def test_asking_agreeing_and_not(declared: Path) -> None:
    told = says(declared, BLUE, "undo", "ask undo", "ask undo please", "agree")
    assert "Refused: Red must agree to that first: ask them (seat)." in told
    assert "ask undo asks them." in told
    assert any(line.endswith("Blue asks to take back Guns: suppress Scouts.") for line in told)
    assert "Red is asked to agree: take back Guns: suppress Scouts." in told
    assert "Refused: say what to ask for: ask undo, ask redo or ask goto NUMBER." in told
    assert "Refused: that is for the other side to answer (seat)." in told
    told = says(declared, RED, "disagree")
    assert "Blue asks (agree or disagree answers): take back Guns: suppress Scouts." in told
    assert any("Red does not agree to take back Guns: suppress Scouts." in line for line in told)
    told = says(declared, BLUE, "ask goto 2", lambda: at(declared, RED, lambda battle: battle.answer(True)), "head")
    assert "Agreed and done: take back 3 orders, to after entry 2: Blue: muster Scouts." in told
    told = says(declared, RED, "redo", "ask redo")
    assert "ask redo asks them." in told
    assert isinstance(entries(declared)[-1], RequestEntry)
    told = says(declared, RED, "goto 0", lambda: at(declared, BLUE, notes), "agree")
    assert "ask goto 0 asks them." in told
    assert "What you asked for is off: a request holds until the next order." in told
    assert "Refused: nobody asks to take anything back (seat)." in told


def test_who_agrees_takes_it_back_at_once(declared: Path) -> None:
    at(declared, BLUE, lambda battle: battle.ask(battle.history.head - 1, by="Ben (Blue)"))
    told = says(declared, RED, "agree")
    assert any("took back 5: Guns: suppress Scouts." in line for line in told)
    undone = entries(declared)[-1]
    assert isinstance(undone, UndoEntry)
    assert undone.by == "Ben (Blue)"


def test_correct_asks_first(declared: Path) -> None:
    told = says(declared, BLUE, "dice table", "test scouts", "1 1", "correct")
    assert "Refused: Red must agree to that first: ask them (seat)." in told
    assert "ask undo asks them." in told
    assert any("What other sides roll the app rolls for them." in line for line in told)


def test_who_is_here(declared: Path) -> None:
    other = Presence(declared, "Ben (Blue)", BLUE)
    other.enter()
    told = says(declared, RED, "who", other.leave, "who")
    assert sum(line.startswith("Ben, for Blue, since ") for line in told) == 1
    assert sum(line.startswith("Anna, for Red, since ") for line in told) == 2


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    made = tmp_path / "sealed.battle.jsonl"
    create(made, rules="suppression-fire", sides=(RED, BLUE), dice="sealed")
    table = Table(made)
    table.order(RED, unit("guns", RED))
    table.at(RED).close()
    return made


def test_sealed_dice(sealed: Path) -> None:
    told = says(sealed, RED, "seal", "seal words our own", "seal broken")
    assert "The sealed dice wait for the words of Blue." in told
    assert any(line.startswith("The dice are sealed. The app rolls as soon as") for line in told)
    assert "Refused: the words are for the other side to say: yours keeps the secret (seat)." in told
    assert "Refused: say what to do with the seal: say seal words WORDS, seal reveal or seal anew." in told
    told = says(sealed, BLUE, "seal words seven crows")
    assert any(line.startswith("The sealed dice wait for words (seal words WORDS says them") for line in told)
    assert "The words are said: the app can roll." in told
    said = entries(sealed)[-1]
    assert isinstance(said, WordsEntry)
    assert said.text == "seven crows"
    told = says(sealed, RED, "seal reveal", "no", "seal reveal", "yes", "seal anew", "yes")
    assert "Nothing has happened." in told
    assert "Revealed: headsdown verify checks every roll." in told
    assert "Sealed anew: Blue have to say their words." in told
    assert [type(entry) for entry in entries(sealed)[-2:]] == [RevealEntry, SealEntry]
    secret_file(sealed).unlink()
    told = says(sealed, RED, "seal")
    assert any(line.startswith("The secret of the sealed dice is not here: nothing can be rolled") for line in told)


def test_in_a_script(declared: Path) -> None:
    ran = script(declared, ["ask undo", "who"], "--seat", BLUE, "--as", "Ben")
    assert (ran.status, ran.err) == (0, "")
    assert "Red is asked to agree: take back Guns: suppress Scouts." in ran.out
    assert "Ben, for Blue, since" in ran.out
    ran = script(declared, ["seal"], "--seat", "spectator")
    assert "The dice of this battle are not sealed" in ran.out
    assert script(declared, ["seal reveal"], "--seat", "spectator").status == 1
