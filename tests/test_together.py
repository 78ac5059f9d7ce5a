"""Several at one battle on the screen: seats, what is not one's own, asking and agreeing, sealed dice, who is here.

The screens are in tests/screens under `together-`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from engine.entries import AnswerEntry, OrderEntry, RequestEntry, RevealEntry, SealEntry, UndoEntry, WordsEntry
from engine.orders import read_order
from engine.sealed_dice import LOST, SAID, UNSAID
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import copy_example
from saves.presence import Presence
from saves.secrets_kept import secret_file
from tests.moments import same_everywhere
from tests.screen import assert_screen, bar_keys, give, message, press, screen_text
from tests.test_seats import BLUE, RED, Table, guns_that_wound, unit
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.dice_screen import DiceScreen
from tui.form_screen import FormScreen
from tui.picker_screen import PickerScreen

ELDAR, IMPERIUM = "Eldar", "Imperium"
SIZES = ((80, 24), (120, 40))
NOON = 1_800_000_000_000


@pytest.fixture(autouse=True)
def same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    same_everywhere(monkeypatch, tmp_path)
    monkeypatch.setattr("saves.battle.now", lambda: NOON)
    monkeypatch.setattr("saves.presence.now", lambda: NOON)
    monkeypatch.setattr("saves.creating.uuid4", lambda: "the-farm")


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """The bundled battle in Imperium's turn, when Eldar's guardians have their test before them."""
    path = copy_example("suppression-fire", tmp_path)
    with OpenBattle.open(path) as battle:
        battle.goto(14)
    return path


@asynccontextmanager
async def seated(path: Path, seat: str, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Pilot[Any]]:
    """The battle screen of somebody in a seat."""
    with OpenBattle.open(path) as battle:
        battle.sit(seat)
        app = HeadsdownApp(lambda: BattleScreen(battle, name=f"Anna ({seat})" if seat != "both" else ""))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield pilot
        assert app.bug is None


def at(path: Path, seat: str, act: Callable[[OpenBattle], object]) -> None:
    """Somebody else in that seat does something, in a program of their own."""
    with OpenBattle.open(path) as battle:
        battle.sit(seat)
        act(battle)


async def hears(pilot: Pilot[Any]) -> None:
    """Wait until what others did is shown."""
    await pilot.pause(0.15)


def entries(path: Path) -> tuple[Any, ...]:
    with OpenBattle.open(path, read_only=True) as battle:
        return tuple(battle.history.entries)


def top(pilot: Pilot[Any]) -> str:
    return screen_text(pilot.app).splitlines()[0]


NOTE = '{"type": "note", "text": "dusk"}'


def notes(battle: OpenBattle) -> None:
    battle.give(read_order(battle.history.rules, NOTE), by=battle.seat)


# Seats


async def test_the_state_line_says_who_one_is(farm: Path) -> None:
    async with seated(farm, IMPERIUM) as pilot:
        assert "you: Anna (Imperium)" in top(pilot)
    async with seated(farm, "umpire") as pilot:
        assert "you: Anna (umpire)" in top(pilot)
    async with seated(farm, "both") as pilot:
        assert "you:" not in top(pilot)
    async with seated(farm, "spectator") as pilot:
        assert "Anna watching" in top(pilot)


async def test_the_other_sides_orders_are_not_offered_and_refused_in_place(farm: Path) -> None:
    for seat, offered in ((ELDAR, True), (IMPERIUM, False)):
        async with seated(farm, seat) as pilot:
            await press(pilot, "down")
            screen = pilot.app.screen
            assert isinstance(screen, BattleScreen)
            assert screen.selected == "guardians"
            keys = dict(screen._order_keys())
            assert ("t" in keys) is offered
            assert ("d" in keys) is not offered, "the turn is Imperium's"
            assert "n" in keys
            assert ("t" in bar_keys(pilot.app)) is offered
            if not offered:
                await press(pilot, "t")
                told = "Refused: Test: that is for Eldar to order; you sit for Imperium (seat)"
                assert message(pilot.app) == told
                await press(pilot, "enter")
                assert "that is for Eldar to order" in screen_text(pilot.app)
    assert len(entries(farm)) == 58


async def test_a_form_says_beforehand_that_an_order_is_anothers(farm: Path) -> None:
    async with seated(farm, ELDAR) as pilot:
        await press(pilot, "S", "down", "2")
        assert isinstance(pilot.app.screen, FormScreen)
        await pilot.pause()
        shown = screen_text(pilot.app)
        assert "Would be refused: that is for Imperium to" in shown
        assert "order; you sit for Eldar (seat)" in shown
        await press(pilot, "enter")
        assert "that is for Imperium to order; you sit for Eldar (seat)" in message(pilot.app)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, FormScreen), "a seat is no clause to open"


async def test_a_spectator_has_no_order_keys(farm: Path) -> None:
    async with seated(farm, "spectator") as pilot:
        keys = bar_keys(pilot.app)
        assert not {"t", "d", "u", "E", "n"} & set(keys), keys
        await press(pilot, "u")
        assert "You are watching" in message(pilot.app)
        await press(pilot, "asterisk", "at")
        assert "Anna, watching" in screen_text(pilot.app)


# Asking and agreeing


async def test_undo_that_needs_consent_is_asked_for_and_taken_back_at_once_when_agreed(farm: Path) -> None:
    async with seated(farm, ELDAR) as pilot:
        await press(pilot, "u")
        assert isinstance(pilot.app.screen, PickerScreen)
        question = " ".join(screen_text(pilot.app).split())
        assert "Imperium must agree first to take back" in question
        assert "agree?" in question
        await press(pilot, "n")
        assert len(entries(farm)) == 58, "no is no entry"
        await press(pilot, "u", "y")
        assert isinstance(entries(farm)[-1], RequestEntry)
        assert "Imperium is asked to agree: take back" in screen_text(pilot.app)
        await press(pilot, "u")
        assert message(pilot.app) == "! You have asked: waiting for Imperium to agree."
        await press(pilot, "ctrl+y")
        assert message(pilot.app) == "! That is for Imperium to answer."
        at(farm, IMPERIUM, lambda battle: battle.answer(True, by="Ben (Imperium)"))
        await hears(pilot)
        assert message(pilot.app).startswith("! Agreed and done: take back ")
        assert "is asked to agree" not in screen_text(pilot.app)
        assert isinstance(entries(farm)[-1], UndoEntry)


@pytest.mark.parametrize(("key", "kind"), [("u", "take back"), ("ctrl+r", "bring back"), ("ctrl+e", "take back")])
async def test_each_key_that_moves_the_head_asks_first(key: str, kind: str, tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    with OpenBattle.open(path) as battle:
        battle.goto(15)
        if key == "ctrl+r":
            battle.undo()
    async with seated(path, ELDAR) as pilot:
        await press(pilot, key)
        assert f"Imperium must agree first to {kind}" in " ".join(screen_text(pilot.app).split())
        await press(pilot, "y")
        assert isinstance(entries(path)[-1], RequestEntry)


async def test_going_to_an_entry_asks_first(farm: Path) -> None:
    async with seated(farm, ELDAR) as pilot:
        await press(pilot, "3", "g", "ctrl+g", "y")
        assert "Imperium must agree first to take back 13 orders, to after entry 1" in " ".join(
            screen_text(pilot.app).split()
        )
        await press(pilot, "y")
        asked = entries(farm)[-1]
        assert isinstance(asked, RequestEntry)
        assert asked.to == 1


async def test_who_is_asked_sees_who_asks_for_what_and_answers_with_a_key(farm: Path) -> None:
    def asks(battle: OpenBattle) -> None:
        battle.ask(battle.history.parent(battle.history.head), by="Ben (Eldar)")

    async with seated(farm, IMPERIUM) as pilot:
        at(farm, ELDAR, asks)
        await hears(pilot)
        assert message(pilot.app).startswith("Ben (Eldar): Eldar asks to take back ")
        assert "Eldar asks (^y answers): take back " in screen_text(pilot.app)
        assert bar_keys(pilot.app)[0] == "^y"
        await press(pilot, "1", "down")
        assert "Eldar asks (^y answers)" in screen_text(pilot.app), "until it is answered"
        await press(pilot, "ctrl+y", "n")
        assert message(pilot.app) == "Not agreed: it stands as it was."
        assert "asks (^y" not in screen_text(pilot.app)
        answer = entries(farm)[-1]
        assert isinstance(answer, AnswerEntry)
        assert not answer.agreed
        at(farm, ELDAR, asks)
        await hears(pilot)
        await press(pilot, "ctrl+y", "y")
        assert message(pilot.app).startswith("Agreed: take back ")
        undone = entries(farm)[-1]
        assert isinstance(undone, UndoEntry)
        assert undone.by == "Ben (Eldar)"


async def test_who_asked_is_told_of_a_no_and_of_an_order_that_ends_the_request(farm: Path) -> None:
    async with seated(farm, ELDAR) as pilot:
        await press(pilot, "u", "y")
        at(farm, IMPERIUM, lambda battle: battle.answer(False, by="Ben (Imperium)"))
        await hears(pilot)
        assert message(pilot.app).startswith("! Refused: it stands as it was. You asked to take back ")
        await press(pilot, "u", "y")
        at(farm, IMPERIUM, notes)
        await hears(pilot)
        assert message(pilot.app).startswith("! What you asked for is off: a request holds until the next order.")
        assert "is asked to agree" not in screen_text(pilot.app)


async def test_an_answer_to_a_request_that_is_off_meanwhile_is_not_given(farm: Path) -> None:
    async with seated(farm, IMPERIUM) as pilot:
        at(farm, ELDAR, lambda battle: battle.ask(0, by="Ben (Eldar)"))
        await hears(pilot)
        await press(pilot, "ctrl+y")
        at(farm, ELDAR, notes)
        await hears(pilot)
        await press(pilot, "y")
        assert message(pilot.app) == "! That request is off meanwhile: nothing was answered."
        assert isinstance(entries(farm)[-1], OrderEntry)


async def test_the_umpire_just_does_it(farm: Path) -> None:
    async with seated(farm, "umpire") as pilot:
        await press(pilot, "u")
        assert message(pilot.app).startswith("Undone: ")


# Live


async def test_who_has_gone_back_in_the_log_stays_there(farm: Path) -> None:
    async with seated(farm, IMPERIUM, (80, 24)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        await press(pilot, "3", "pageup")
        entry, scrolled = screen._log.entry, screen._log.scroll_y
        for _ in range(3):
            at(farm, ELDAR, notes)
        await hears(pilot)
        assert (screen._log.entry, screen._log.scroll_y) == (entry, scrolled)
        assert "3 new entries below" in screen_text(pilot.app)
        await press(pilot, "1")
        at(farm, ELDAR, notes)
        await hears(pilot)
        assert screen._log.entry == entry, "the same where one looks elsewhere"
        assert "4 new entries below" in screen_text(pilot.app)
        await press(pilot, "3", "G")
        assert "new entries" not in screen_text(pilot.app).split("Dice log")[1].splitlines()[0]
        at(farm, ELDAR, notes)
        await hears(pilot)
        assert screen._log.entry == 63, "who is at the end follows"


# Sealed dice


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    path = tmp_path / "sealed.battle.jsonl"
    create(path, rules="suppression-fire", sides=(ELDAR, IMPERIUM), dice="sealed", seed="farm", name="Sealed")
    with OpenBattle.open(path) as battle:
        give(battle, unit("guns", ELDAR))
        give(battle, unit("scouts", IMPERIUM))
    return path


async def test_words_are_asked_for_and_only_of_the_other_side(sealed: Path) -> None:
    async with seated(sealed, ELDAR) as pilot:
        assert "sealed: no words yet" in top(pilot)
        assert "The sealed dice wait for the words of Imperium" in screen_text(pilot.app)
        await press(pilot, "asterisk", "w")
        assert "the words are for the other side to say: yours keeps the secret" in screen_text(pilot.app)
        await press(pilot, "escape")
    async with seated(sealed, IMPERIUM) as pilot:
        assert "The sealed dice wait for words (* helps)" in screen_text(pilot.app)
        await press(pilot, "asterisk", "w", *"seven crows", "enter")
        assert message(pilot.app) == "The words are said: the app can roll."
        assert "sealed dice" in top(pilot)
        said = entries(sealed)[-1]
        assert isinstance(said, WordsEntry)
        assert (said.text, said.seat, said.by) == ("seven crows", IMPERIUM, "Anna (Imperium)")


async def test_revealing_and_sealing_anew_are_asked_about(sealed: Path) -> None:
    at(sealed, IMPERIUM, lambda battle: battle.say_words("seven crows"))
    async with seated(sealed, ELDAR) as pilot:
        await press(pilot, "asterisk", "r")
        assert "Reveal the secret?" in " ".join(screen_text(pilot.app).split())
        await press(pilot, "n")
        assert isinstance(entries(sealed)[-1], WordsEntry)
        await press(pilot, "asterisk", "r", "y")
        assert message(pilot.app) == "Revealed: headsdown verify checks every roll."
        assert "dice revealed" in top(pilot)
        assert isinstance(entries(sealed)[-1], RevealEntry)
        await press(pilot, "asterisk", "s", "y")
        assert message(pilot.app) == "Sealed anew: Imperium have to say their words."
        assert isinstance(entries(sealed)[-1], SealEntry)
        assert "sealed: no words yet" in top(pilot)


async def test_a_lost_secret_is_told(sealed: Path) -> None:
    at(sealed, IMPERIUM, lambda battle: battle.say_words("seven crows"))
    secret_file(sealed).unlink()
    async with seated(sealed, ELDAR) as pilot:
        assert "sealed: no secret" in top(pilot)
        assert "The secret of the sealed dice is not here: nothing can be rolled (* helps)" in screen_text(pilot.app)
        await press(pilot, "asterisk", "s", "y")
        assert isinstance(entries(sealed)[-1], SealEntry)


async def test_a_battle_is_made_with_sealed_dice_and_consent(tmp_path: Path) -> None:
    from tui.new_battle_screen import new_battle_form

    fields = {field.name: field for field in new_battle_form({}).fields}
    assert [option.value for option in fields["dice"].options] == ["app", "table", "sealed"]
    assert [option.value for option in fields["undo"].options] == ["own", "free", "consent", "off"]


def test_how_a_seal_stands(sealed: Path) -> None:
    with OpenBattle.open(sealed) as battle:
        assert battle.history.seals.stands == UNSAID
        battle.say_words("seven crows")
        assert battle.history.seals.stands == SAID
    secret_file(sealed).unlink()
    with OpenBattle.open(sealed) as battle:
        assert battle.history.seals.stands == LOST


# Screens


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_screens(size: tuple[int, int], farm: Path, sealed: Path) -> None:
    def ask(battle: OpenBattle) -> None:
        battle.ask(battle.history.parent(battle.history.head), by="Ben (Eldar)")

    async def look(name: str, path: Path, seat: str, *keys: str) -> None:
        async with seated(path, seat, size) as pilot:
            await press(pilot, *keys)
            assert_screen(pilot.app, f"together-{name}-{size[0]}x{size[1]}")

    await look("seat", farm, ELDAR)
    await look("not-mine", farm, IMPERIUM, "down", "t")
    await look("ask", farm, ELDAR, "u")
    at(farm, ELDAR, ask)
    await look("asking", farm, ELDAR)
    await look("asked", farm, IMPERIUM)
    await look("answer", farm, IMPERIUM, "ctrl+y")
    await look("watching", farm, "spectator")
    await look("unsaid", sealed, IMPERIUM)
    await look("seal", sealed, IMPERIUM, "asterisk")
    at(sealed, IMPERIUM, lambda battle: battle.say_words("seven crows"))
    await look("said", sealed, ELDAR)
    at(sealed, ELDAR, lambda battle: battle.reveal())
    await look("revealed", sealed, ELDAR, "3")
    others = [Presence(farm, "Ben (Eldar)", ELDAR), Presence(farm, "Cleo (spectator)", "spectator")]
    for other in others:
        other.enter()
    await look("company", farm, IMPERIUM)
    await look("who", farm, IMPERIUM, "at")
    for other in others:
        other.leave()


# Dice


async def test_only_ones_own_dice_are_asked_for(tmp_path: Path) -> None:
    """SF-21, SF-24: Blue rolls to be hit, the app rolls the wounds for Red, Blue rolls its saves."""
    path = tmp_path / "dice.battle.jsonl"
    create(path, rules="suppression-fire", sides=(RED, BLUE), dice="table", seed="x")
    table = Table(path)
    table.order(RED, unit("guns", RED))
    table.order(BLUE, unit("scouts", BLUE))
    table.order(RED, {"type": "begin_turn", "side": RED})
    table.order(RED, {"type": "phase", "to": "shooting"})
    guns_that_wound(table)
    for battle in table.opened.values():
        battle.close()
    async with seated(path, BLUE) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, BattleScreen)
        screen._units.select("scouts")
        await press(pilot, "m", "enter")
        assert isinstance(pilot.app.screen, DiceScreen), screen_text(pilot.app)
        assert "What other sides roll" in screen_text(pilot.app)
        await press(pilot, *"666666", "enter")
        assert not screen_text(pilot.app).count("Dice:"), "nothing more is asked"
    moved = entries(path)[-1]
    assert [(row.purpose, row.source) for row in moved.rolls][:2] == [("hit", "table"), ("wound", "app")]
