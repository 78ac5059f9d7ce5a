"""Odds on the screen: beside every order that rolls, worked out aside, and dropped when the order changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from engine.entries import OrderEntry
from engine.history import History
from engine.odds import Cancelled
from engine.ruleset import Action
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import examples, open_example
from tests import gray_dawn_battles, sf_battles
from tests.gray_dawn_battles import person
from tests.screen import press, screen_text, settled
from tests.sf_battles import PASS, blue, carrier, gun, inside, models, red, unit
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.form_screen import FormScreen

Given = dict[str, Any]
CANNON = gun("cannon", "shell", 36, 8, 4, "heavy", 5)


class Moment(NamedTuple):
    """A battle, and an order that could be given next: the action, what a player has filled in, what the odds name."""

    history: History
    action: str
    given: Given
    named: str


def under_suppression() -> sf_battles.Game:
    game = sf_battles.Game(blue("b1"), blue("b2"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "b1", "b2")
    return game


def declaring() -> Moment:
    game = sf_battles.Game(blue("b1"), blue("b2"), red("scouts"))
    game.to("blue", "shooting")
    return Moment(game.history, "declare", {"target": "scouts", "by": ("b1", "b2")}, "pinned")


def at_the_test() -> Moment:
    return Moment(under_suppression().history, "test", {"target": "scouts"}, "pinned")


def rerolling() -> Moment:
    game = under_suppression()
    game.test("scouts", PASS)
    return Moment(game.history, "reroll_test", {"reason": "a banner"}, "pinned")


def braving() -> Moment:
    game = under_suppression()
    game.test("scouts", PASS)
    game.to("red")
    return Moment(game.history, "move", {"unit": "scouts"}, "Casualties")


def getting_out() -> Moment:
    crew = inside(red("crew", 4), "truck")
    game = sf_battles.Game(blue("b1", 1, CANNON), carrier("truck", open_topped=True), crew)
    game.to("blue", "shooting")
    game.declare("truck", "b1")
    game.to("red")
    return Moment(game.history, "disembark", {"unit": "crew"}, "stays inside")


def facing() -> gray_dawn_battles.Game:
    return gray_dawn_battles.Game(person("rook", "xcom"), person("grey"))


def beginning() -> Moment:
    game = gray_dawn_battles.Game(person("rook", "xcom"), person("grey"), running=False)
    return Moment(game.history, "begin_round", {}, "Initiative")


def covering() -> Moment:
    return Moment(facing().history, "covering_fire", {"shooter": "rook"}, "Hits on")


def laying() -> Moment:
    return Moment(facing().history, "lane", {"shooter": "rook", "inside": ("grey",)}, "Hits on")


def spotting() -> Moment:
    return Moment(facing().history, "spot", {"observer": "rook"}, "noticed")


def checking() -> Moment:
    game = facing()
    game.points("grey", 6)
    return Moment(game.history, "check", {"combatant": "grey"}, "holds")


def crossing() -> Moment:
    game = facing()
    game.fire_lane()
    return Moment(game.history, "cross", {"combatant": "grey"}, "Hits")


MOMENTS = (
    declaring, at_the_test, rerolling, braving, getting_out, beginning, covering, laying, spotting, checking, crossing
)  # fmt: skip


def on_disk(history: History, path: Path) -> OpenBattle:
    """The same battle in a file, order by order with the same faces."""
    header = history.header
    create(path, rules=history.rules.name, sides=header.sides, switches=header.switches, seed="the same")
    battle = OpenBattle.open(path)
    for entry in history.entries:
        assert isinstance(entry, OrderEntry)
        faces = tuple(face for row in entry.rolls for face in row.dice)
        battle.give(replace(entry.order, dice=faces) if faces else entry.order)
    return battle


def form_of(battle: OpenBattle, name: str, given: Mapping[str, Any]) -> FormScreen:
    rules = battle.history.rules
    action: Action = next(each for each in rules.actions if each.name == name)

    async def give(order: Any) -> OrderEntry | None:
        return None

    return FormScreen(battle, action, {**action.fixed, **given}, armoury(rules.armoury), give)


async def shown_form(pilot: Pilot[Any], form: FormScreen) -> str:
    await settled(pilot)
    pilot.app.push_screen(form)
    await settled(pilot)
    return screen_text(pilot.app)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_odds_stand_beside_every_order_that_rolls(moment: Callable[[], Moment], tmp_path: Path) -> None:
    """Before it is given, with the number that matters; nothing has been written for it."""
    history, action, given, named = moment()
    with on_disk(history, tmp_path / "odds.battle.jsonl") as battle:
        entries = len(battle.history.entries)
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(100, 30)) as pilot:
            shown = await shown_form(pilot, form_of(battle, action, given))
        assert named in shown
        assert "%" in shown or "on average" in shown
        assert "Odds ..." not in shown
        assert len(battle.history.entries) == entries


@pytest.mark.parametrize("name", examples())
def test_no_order_that_rolls_is_left_out(name: str) -> None:
    """Whatever rolled dice in a bundled battle is one of those orders, and none of them is given without a form."""
    with open_example(name) as battle:
        rules = battle.history.rules
        orders = [entry for entry in battle.history.entries if isinstance(entry, OrderEntry)]
    rolled = {type(entry.order).__struct_config__.tag for entry in orders if entry.rolls}
    seen = [moment() for moment in MOMENTS]
    actions = {each.action for each in seen if each.history.rules.name == rules.name}
    assert rolled
    assert rolled <= {action.order for action in rules.actions if action.name in actions}
    assert all(action.form for action in rules.actions if action.order in rolled)


async def test_odds_are_worked_out_aside_and_dropped_when_the_order_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The screen's thread goes on; the question of the order before is withdrawn, and only the last one is told."""
    began, threads, withdrawn = threading.Event(), [], threading.Event()

    def slow(history: History, order: Any, wanted: Callable[[], bool]) -> dict[str, Any]:
        threads.append(threading.current_thread())
        if len(threads) > 1:
            return {"passed": 0.25, "failed": 0.75}
        began.set()
        pause = threading.Event()
        while wanted():
            pause.wait(0.005)
        withdrawn.set()
        raise Cancelled

    monkeypatch.setattr("tui.form_screen.odds_of", slow)
    history, action, given, _ = declaring()
    with on_disk(history, tmp_path / "odds.battle.jsonl") as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(100, 30)) as pilot:
            await settled(pilot)
            app.push_screen(form_of(battle, action, given))
            while not began.is_set():
                await pilot.pause(0.01)
            assert "Odds ..." in screen_text(app), "the screen shows while the odds are being worked out"
            await pilot.press("down", "space")
            await settled(pilot)
            assert "75 %" in screen_text(app)
            assert withdrawn.wait(10)
    assert threading.main_thread() not in threads


async def test_all_guns_beside_only_the_heavy_ones(tmp_path: Path) -> None:
    """SF-3, SF-23: with nine carbines the fire is theirs; three cannon alone strike harder."""
    carbine = gun("carbine", "las", 36, 4, None, "assault", 2)
    mixed = unit("mixed", "blue", models("guards", 9, carbine), models("crew", 3, CANNON))
    game = sf_battles.Game(mixed, red("scouts"))
    game.to("blue", "shooting")
    rules, given = game.history.rules, {"target": "scouts", "by": ("mixed",)}
    fields = [field.name for field in rules.form(game.history.state, "declare", given, {}).fields]
    with on_disk(game.history, tmp_path / "odds.battle.jsonl") as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 40)) as pilot:
            await shown_form(pilot, form_of(battle, "declare", given))
            await press(pilot, "ctrl+k", *["down"] * fields.index("guns:mixed:guards:carbine"), "0")
            rows = [line.strip("│ ").split() for line in screen_text(app).splitlines() if "average" in line]
    whole = {"unit": "mixed", "range": 18}
    heavy = {**whole, "shooters": [{"group": "crew", "models": 3, "weapon": "cannon"}]}
    means = [game.odds("declare", target="scouts", by=[each])["braving"]["mean"] for each in (whole, heavy)]
    assert means[0] < means[1]
    assert [row[-2:] for row in rows] == [[f"{mean:.2f}" for mean in means]]
