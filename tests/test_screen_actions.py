"""Every action in the table, pressed on the screen: each leads to the entry or the screen that it promises."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from engine.entries import BookmarkEntry, OrderEntry, RedoEntry, UndoEntry
from engine.registered import RULE_SETS, rule_set
from engine.replaying import Replay
from engine.ruleset import Action
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import copy_example, default_folder, examples
from tests import deeds_at_home, deeds_together
from tests.deeds import DEEDS, Deed, deed, on
from tests.deeds_at_home import at_home
from tests.roster_files import watch, xml
from tests.screen import give, lantern_battle, message, place, press, screen_text
from tui.actions import ACTIONS, NamedAction, order_actions
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.battle_view import BattleView
from tui.dice_log import LogPane
from tui.dice_screen import DiceScreen
from tui.form_screen import FormScreen, SheetPane
from tui.home_screen import HomeScreen
from tui.import_screen import ImportScreen
from tui.jump_screen import JumpScreen
from tui.line_pane import Lines
from tui.line_screen import LineScreen
from tui.picker_screen import PickerScreen
from tui.reading_screen import ReadingScreen
from tui.replay_screen import ReplayScreen
from tui.roster_screen import RosterScreen, WayPane
from tui.small_terminal import SmallTerminal

# Orders of both rule sets

ORDERS = [(rules, action.name) for rules in RULE_SETS for action in order_actions(rule_set(rules))]

ANSWERS: dict[str, tuple[str, ...]] = {
    "suppression-fire.declare": ("down", "space"),
    "suppression-fire.reroll_test": (*"zeal",),
    "suppression-fire.muster": (*"guard",),
    "suppression-fire.note": (*"dusk",),
    "suppression-fire.mission": (*"hold",),
    "gray-dawn.covering_fire": ("down", "space"),
    "gray-dawn.set": ("4",),
    "gray-dawn.muster": (*"rif",),
    "gray-dawn.note": (*"dusk",),
    "gray-dawn.mission": (*"hold",),
}
"""What is answered in the form of an order that cannot be given with Enter alone."""


@cache
def moments(rules: str) -> dict[str, tuple[int, str | None]]:
    """For each action the first moment of the bundled battle in which somebody can do it, and who."""
    found: dict[str, tuple[int, str | None]] = {}
    example = Path(__file__).parent.parent / "saves" / "examples" / f"{rules}.battle.jsonl"
    with OpenBattle.open(example, read_only=True) as battle:
        history, house = battle.history, battle.history.rules
        for node in (0, *history.path(history.head)):
            state = history.state_at(node)
            here = [row.id for row in house.units(state).rows if not row.heading]
            for action in house.actions:
                who: list[str | None] = [*here] if action.about == "unit" else [None]
                for unit in who:
                    if not house.available(state, action, unit) and _has_room(rules, action, node):
                        found.setdefault(action.name, (node, unit))
    return found


def _has_room(rules: str, action: Action, node: int) -> bool:
    """Whether the moment will do: a unit may be near a transport that is full."""
    return action.name != "embark" or node >= 54


def action_named(rules: str, name: str) -> Action:
    return next(action for action in rule_set(rules).actions if action.name == name)


@pytest.mark.parametrize(("rules", "name"), ORDERS)
async def test_every_order_is_given_by_its_key(rules: str, name: str, tmp_path: Path) -> None:
    """The key, what has to be answered, Enter: the entry is of that order, with all that the action fixes."""
    action = action_named(rules, name)
    node, unit = moments(rules)[name]
    assert rules in examples()
    with OpenBattle.open(copy_example(rules, tmp_path)) as battle:
        battle.goto(node)
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 40)) as pilot:
            screen = app.screen
            assert isinstance(screen, BattleScreen)
            if "typed dice" in screen_text(app):
                await press(pilot, "D")
            if unit is not None:
                assert screen._units.select(unit)
            count = len(battle.history.entries)
            await press(pilot, action.key)
            if len(battle.history.entries) == count:
                assert isinstance(app.screen, FormScreen)
                await press(pilot, *ANSWERS.get(f"{rules}.{name}", ()), "enter")
            assert app.screen is screen, screen_text(app)
        entry = battle.history.entries[-1]
        assert isinstance(entry, OrderEntry)
        assert len(battle.history.entries) == count + 1
        assert type(entry.order).__struct_config__.tag == action.order
        assert all(getattr(entry.order, field) == value for field, value in action.fixed.items())
        if action.unit_field and unit is not None and hasattr(entry.order, action.unit_field):
            assert getattr(entry.order, action.unit_field) == unit


# What the screens themselves do


def log_of(pilot: Pilot[Any]) -> LogPane:
    return pilot.app.screen.query_one(LogPane)


def cursor(pilot: Pilot[Any]) -> int:
    focused = pilot.app.focused
    assert isinstance(focused, Lines)
    return focused.cursor


def sheet_value(pilot: Pilot[Any], name: str) -> Any:
    screen = pilot.app.screen
    assert isinstance(screen, FormScreen)
    return screen._sheet.given.get(name)


@deed("app.leave")
async def _leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "ctrl+c")
    assert not pilot.app.is_running


@deed("battle.why")
async def _why(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "w")
    assert "Why: Alpha" in screen_text(pilot.app)


@deed("battle.history")
async def _history(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "H")
    assert "History: Alpha" in screen_text(pilot.app)
    assert "1  Alpha is placed" in screen_text(pilot.app)


@deed("battle.undo")
async def _undo(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "u")
    assert isinstance(battle.history.entries[-1], UndoEntry)


@deed("battle.redo")
async def _redo(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "u", "ctrl+r")
    assert isinstance(battle.history.entries[-1], RedoEntry)


@deed("battle.goto")
async def _goto(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+g")
    assert "Choose the entry in the log" in message(pilot.app)
    await press(pilot, "ctrl+g")
    assert message(pilot.app) == "After entry 3 things stood as they do now."
    await press(pilot, "g", "ctrl+g")
    assert "after entry 1: 2 orders taken back?" in screen_text(pilot.app)
    await press(pilot, "n")
    assert battle.history.head == 3
    await press(pilot, "ctrl+g", "y")
    assert battle.history.head == 1
    assert message(pilot.app) == "This is how things stood after entry 1."
    await press(pilot, "G", "k", "ctrl+g")
    assert "2 orders brought back?" in screen_text(pilot.app)
    await press(pilot, "y")
    assert battle.history.head == 3


@deed("battle.correct")
async def _correct(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+e")
    assert on(pilot, DiceScreen)
    await press(pilot, "1", "1", "enter")
    entry = battle.history.entries[-1]
    assert isinstance(entry, OrderEntry)
    assert entry.rolls[0].dice == (1, 1)


@deed("battle.luck")
async def _luck(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "L")
    await pilot.pause(0.3)
    assert "Luck is that of the unit" in screen_text(pilot.app)
    assert "Reading the odds" not in screen_text(pilot.app)


@deed("battle.dice")
async def _dice(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "D")
    assert "typed dice" in screen_text(pilot.app)


@deed("battle.jump")
async def _jump(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "space")
    assert on(pilot, JumpScreen)
    await press(pilot, "s")
    assert pilot.app.screen.query_one("#units", Lines).has_focus
    screen = pilot.app.screen
    assert isinstance(screen, BattleView)
    assert screen.selected == "beta"


@deed("battle.next_waiting")
async def _next_waiting(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for pane, unit in (("tracker", "beta"), ("tracker", "beta")):
        await press(pilot, "exclamation_mark")
        screen = pilot.app.screen
        assert isinstance(screen, BattleView)
        assert pilot.app.focused is not None
        assert (pilot.app.focused.id, screen.selected) == (pane, unit)


@deed("battle.filter")
async def _filter(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "slash", *"beta", "enter")
    assert log_of(pilot).filter == "beta"
    assert "filter: beta · 1" in screen_text(pilot.app)


@deed("battle.find")
async def _find(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+f", *"placed", "enter")
    assert log_of(pilot).entry == 2
    assert "find: placed · 2/2" in screen_text(pilot.app)


@deed("battle.find_before")
async def _find_before(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+f", *"placed", "enter", "comma")
    assert log_of(pilot).entry == 1


@deed("battle.find_next")
async def _find_next(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+f", *"placed", "enter", "comma", "full_stop")
    assert log_of(pilot).entry == 2
    await press(pilot, "full_stop")
    assert log_of(pilot).entry == 1, "from the last on to the first"


@deed("battle.help")
async def _help(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("question_mark", "f1"):
        await press(pilot, key)
        assert "Every unit by side." in screen_text(pilot.app)
        await press(pilot, "escape")


@deed("battle.palette")
async def _palette(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("colon", "ctrl+p"):
        await press(pilot, key)
        assert "All actions" in screen_text(pilot.app)
        assert on(pilot, PickerScreen)
        await press(pilot, "escape")


@deed("battle.rulebook")
async def _rulebook(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+t")
    assert "Rulebook of Lanterns" in screen_text(pilot.app)


def _to_pane(number: int, id: str) -> None:  # noqa: A002
    @deed(f"battle.pane_{number}")
    async def _pane(pilot: Pilot[Any], battle: OpenBattle) -> None:
        await press(pilot, "3" if number == 1 else "1", str(number))
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == id


_to_pane(1, "units")
_to_pane(2, "tracker")
_to_pane(3, "log")


@deed("battle.next_pane")
async def _next_pane(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for id_ in ("tracker", "log", "units"):
        await press(pilot, "tab")
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == id_


@deed("battle.previous_pane")
async def _previous_pane(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "shift+tab")
    assert log_of(pilot).has_focus


@deed("battle.quit")
async def _quit(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "q")
    assert not pilot.app.is_running


@deed("battle.replay")
async def _replay(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "V")
    assert replayed(pilot).at == 3
    await press(pilot, "q", "3", "g", "V")
    assert replayed(pilot).at == 1, "from the log's entry"


# In the replay of the same battle


def replay_deed(name: str) -> Callable[[Deed], Deed]:
    """What an action of the replay does, begun at the last of the three entries."""

    def kept(does: Deed) -> Deed:
        @deed(f"replay.{name}")
        async def _in_replay(pilot: Pilot[Any], battle: OpenBattle) -> None:
            await press(pilot, "V")
            await does(pilot, battle)

        return does

    return kept


def replayed(pilot: Pilot[Any]) -> Replay:
    screen = pilot.app.screen
    assert isinstance(screen, ReplayScreen), screen
    return screen._replay


def _goes(name: str, keys: tuple[str, ...], before: tuple[str, ...], expected: int, orders: int = 0) -> None:
    """A key that goes to another moment; some orders of pouring oil into Beta are given before."""

    @deed(f"replay.{name}")
    async def _go(pilot: Pilot[Any], battle: OpenBattle) -> None:
        for _ in range(orders):
            give(battle, {"type": "pour", "target": "beta", "by": ["alpha"], "distance": 2})
            give(battle, {"type": "dawn"})
        for key in keys:
            await press(pilot, "V", *before, key)
            assert replayed(pilot).at == expected, key
            await press(pilot, "q")


_goes("back", ("left", "h"), (), 2)
_goes("on", ("right", "l"), ("less_than_sign",), 1)
_goes("beginning", ("less_than_sign",), (), 0)
_goes("end", ("greater_than_sign",), ("left", "left"), 3)
_goes("turn_on", ("t",), ("less_than_sign",), 5, orders=2)
_goes("turn_back", ("T",), (), 5, orders=2)
_goes("fire_on", ("s",), ("less_than_sign",), 4, orders=2)
_goes("fire_back", ("S",), (), 6, orders=2)
_goes("unit_on", ("n",), ("less_than_sign", "right", "1", "home"), 3)
_goes("unit_back", ("N",), ("1", "home"), 1)


@replay_deed("number")
async def _number(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+g", "x", "2", "enter")
    assert replayed(pilot).at == 2
    await press(pilot, "ctrl+g", "9", "enter")
    assert message(pilot.app) == "! there is no entry 9; the last one is 3."


@replay_deed("play")
async def _play(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "less_than_sign", *["plus"] * 5, "p")
    assert "playing x8" in screen_text(pilot.app)
    await press(pilot, "p")
    assert message(pilot.app) == "Paused."
    assert replayed(pilot).at < 3
    await press(pilot, "p")
    await pilot.pause(0.8)
    assert replayed(pilot).at == 3
    assert "playing" not in screen_text(pilot.app), "it halts at the end"


@replay_deed("faster")
async def _faster(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "plus")
    assert message(pilot.app) == "Speed x2 of one entry a second."


@replay_deed("slower")
async def _slower(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "minus", "minus", "minus")
    assert message(pilot.app) == "Speed x0.25 of one entry a second."


@replay_deed("pace")
async def _pace(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "o")
    assert message(pilot.app) == "Speed x1 of the original pace, long pauses cut to 5 seconds."
    await press(pilot, "less_than_sign", "p")
    await pilot.pause(0.5)
    assert replayed(pilot).at == 3, "all at the same moment"


@replay_deed("mark")
async def _mark(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "left", "x")
    assert "mark 2" in screen_text(pilot.app)
    await press(pilot, "x")
    assert "mark 2" not in screen_text(pilot.app)


@replay_deed("changes")
async def _changes(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "c")
    shown = screen_text(pilot.app)
    assert "What changed: entry 2 -> entry 3" in shown
    assert "3  Alpha is lit" in shown
    await press(pilot, "escape", "less_than_sign", "x", "right", "right", "c")
    shown = screen_text(pilot.app)
    assert "What changed: the beginning -> entry 2" in shown
    assert "Beta: came into the battle" in shown
    assert "oil: 3" in shown


@replay_deed("everything")
async def _everything(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "q", "u", "V", "right")
    assert message(pilot.app) == "This is where the battle stands now."
    await press(pilot, "U", "right", "right")
    assert replayed(pilot).at == 4
    assert "took back 3: Alpha is lit" in screen_text(pilot.app)
    assert "undone: Alpha is lit" in screen_text(pilot.app)
    await press(pilot, "U")
    assert replayed(pilot).at == 2
    assert "took back" not in screen_text(pilot.app)


@replay_deed("branch")
async def _branch(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "B")
    assert "Choose an entry that was taken back" in message(pilot.app)
    await press(pilot, "q", "u", "V", "U", "3", "G", "k", "k", "B")
    assert "branch from 2" in screen_text(pilot.app)
    assert replayed(pilot).state.lantern("alpha").lit == battle.history.state_at(3).lantern("alpha").lit
    await press(pilot, "B")
    assert replayed(pilot).at == 2
    assert "Back on the line of play." in message(pilot.app)


@replay_deed("bookmark")
async def _bookmark(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "left", "m")
    assert isinstance(battle.history.entries[-1], BookmarkEntry)
    assert battle.history.head == 3
    assert "bookmark" in log_text(pilot)
    await press(pilot, "m")
    assert message(pilot.app) == "There is a bookmark here already. M takes it away."
    assert len(battle.history.entries) == 4


@replay_deed("note")
async def _note(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "a", *"dark", "escape")
    assert len(battle.history.entries) == 3
    await press(pilot, "a", *"dark", "enter")
    assert [(mark.at, mark.text) for mark in battle.history.bookmarks] == [(3, "dark")]
    assert "bookmark: dark" in log_text(pilot)


@replay_deed("unmark")
async def _unmark(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "M")
    assert message(pilot.app) == "There is no bookmark at this moment."
    await press(pilot, "m", "M")
    assert battle.history.bookmarks == ()
    assert "bookmark" not in log_text(pilot)


@replay_deed("bookmarks")
async def _bookmarks(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "b")
    assert message(pilot.app) == "There are no bookmarks yet: m sets one."
    await press(pilot, "left", "a", *"dark", "enter", "right", "b")
    assert "2  dark" in screen_text(pilot.app)
    await press(pilot, "1")
    assert replayed(pilot).at == 2


@replay_deed("spoilers")
async def _spoilers(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "left", "z")
    shown = screen_text(pilot.app)
    assert "Alpha is lit" not in shown
    assert "of 3" not in shown
    await press(pilot, "greater_than_sign")
    assert message(pilot.app) == "! The end is hidden: z shows what comes."
    assert replayed(pilot).at == 2
    await press(pilot, "z")
    assert "Alpha is lit" in screen_text(pilot.app)


@replay_deed("quit")
async def _leave_replay(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "q")
    assert on(pilot, BattleScreen)


@replay_deed("continue")
async def _continue(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "left", "C", *"Again", "enter")
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    header = screen.battle.history.header
    assert header.name == "Again"
    assert header.parent is not None
    assert (header.parent.id, header.parent.number) == (battle.history.header.id, 2)
    await press(pilot, "q")
    assert replayed(pilot).at == 2


def log_text(pilot: Pilot[Any]) -> str:
    log = log_of(pilot)
    return "\n".join("".join(text for text, _ in log.line_runs(at, 78)) for at in range(log.line_count()))


def _as_in_battle(name: str) -> None:
    """What the replay has in common with the battle does the same in both."""

    @replay_deed(name)
    async def _same(pilot: Pilot[Any], battle: OpenBattle) -> None:
        await DEEDS[f"battle.{name}"](pilot, battle)


@deed("pane.choose")
async def _choose(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "enter")
    assert "Orders: Alpha" in screen_text(pilot.app)
    await press(pilot, "escape", "3", "enter")
    assert "Entry 3" in screen_text(pilot.app)


def _moves(name: str, keys: tuple[str, ...], first: str, expected: str) -> None:
    """A key of a list that moves the cursor, beginning at one end of the log."""

    @deed(f"pane.{name}")
    async def _move(pilot: Pilot[Any], battle: OpenBattle) -> None:
        for key in keys:
            await press(pilot, "3", first)
            before, count = cursor(pilot), log_of(pilot).line_count()
            await press(pilot, key)
            wanted = {"up": before - 1, "down": before + 1, "first": 0, "last": count - 1}[expected]
            assert cursor(pilot) == wanted != before, key


_moves("up", ("up", "k"), "G", "up")
_moves("down", ("down", "j"), "g", "down")
_moves("page_up", ("pageup",), "G", "first")
_moves("page_down", ("pagedown",), "g", "last")
_moves("first", ("home", "g"), "G", "first")
_moves("last", ("end", "G"), "g", "last")


@deed("sheet.up")
async def _sheet_up(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "up")
    assert "> Side" in screen_text(pilot.app)


@deed("sheet.down")
async def _sheet_down(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "down")
    assert "> Oil" in screen_text(pilot.app)


@deed("sheet.next")
async def _sheet_next(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "tab")
    assert "> Oil" in screen_text(pilot.app)


@deed("sheet.previous")
async def _sheet_previous(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "tab", "shift+tab")
    assert "> Name" in screen_text(pilot.app)


@deed("sheet.left")
async def _sheet_left(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "up", "left")
    assert sheet_value(pilot, "side") == "south"


@deed("sheet.right")
async def _sheet_right(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "up", "right")
    assert sheet_value(pilot, "side") == "south"


@deed("sheet.clear")
async def _sheet_clear(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", *"Lamp", "ctrl+u")
    assert sheet_value(pilot, "name") is None


@deed("sheet.page_up")
async def _sheet_page_up(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "pagedown", "pageup")
    assert "> Pattern" in screen_text(pilot.app)


@deed("sheet.page_down")
async def _sheet_page_down(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", "pagedown")
    sheet = pilot.app.screen.query_one(SheetPane)
    assert sheet.cursor == max(at for at in range(sheet.line_count()) if sheet.may_rest(at))


@deed("form.give")
async def _form_give(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", *"Lamp", "enter")
    assert battle.history.state.lantern("lamp").name == "Lamp"


@deed("form.leave")
async def _form_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "p", *"Lamp", "escape")
    assert on(pilot, BattleScreen)
    assert len(battle.history.entries) == 3


@deed("form.clause")
async def _form_clause(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("question_mark", "f1"):
        await press(pilot, "o", "space", "tab", "1", "3", "enter", key)
        assert "Nobody pours over 12 paces." in screen_text(pilot.app)
        await press(pilot, "escape", "escape")


@deed("form.more")
async def _form_more(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await pilot.resize_terminal(60, 20)
    await press(pilot, "o", "space")
    before = screen_text(pilot.app)
    screen = pilot.app.screen
    assert isinstance(screen, FormScreen)
    screen._told = screen._told * 12
    screen._show_preview()
    await press(pilot, "ctrl+n")
    assert "lines above" in screen_text(pilot.app)
    assert before != screen_text(pilot.app)


@deed("form.back")
async def _form_back(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _form_more(pilot, battle)
    await press(pilot, "ctrl+p", "ctrl+p")
    assert "lines above" not in screen_text(pilot.app)
    assert "lines below" in screen_text(pilot.app)


@deed("form.keep")
async def _form_keep(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "o", "ctrl+k")
    assert "There are no odds here" in screen_text(pilot.app)
    await press(pilot, "space", "tab", "3")
    await pilot.pause(0.2)
    await press(pilot, "ctrl+k", "backspace", "2")
    await pilot.pause(0.2)
    shown = screen_text(pilot.app)
    assert "kept: oil for" in shown
    assert "kept    this" in shown


@deed("new.create")
async def _new_create(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot)
    await press(pilot, "n", "down", *"Red", "down", *"Blue", "enter")
    assert on(pilot, BattleScreen)


@deed("new.leave")
async def _new_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot)
    await press(pilot, "n", "escape")
    assert on(pilot, HomeScreen)


async def _asked_for_dice(pilot: Pilot[Any]) -> None:
    await press(pilot, "D", "o", "space", "tab", "3", "enter")
    assert on(pilot, DiceScreen)


@deed("dice.accept")
async def _dice_accept(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _asked_for_dice(pilot)
    await press(pilot, "2", "enter", "4", "4", "1", "enter")
    entry = battle.history.entries[-1]
    assert isinstance(entry, OrderEntry)
    assert [roll.dice for roll in entry.rolls] == [(2,), (4, 4, 1)]


@deed("dice.clear")
async def _dice_clear(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _asked_for_dice(pilot)
    await press(pilot, "1", "7", "ctrl+u")
    assert "Faces: _" in screen_text(pilot.app)


@deed("dice.app")
async def _dice_app(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _asked_for_dice(pilot)
    await press(pilot, "r")
    assert "rolled by the app" in screen_text(pilot.app)
    assert on(pilot, DiceScreen), "the next throw is asked for"


@deed("dice.rest")
async def _dice_rest(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _asked_for_dice(pilot)
    await press(pilot, "R")
    entry = battle.history.entries[-1]
    assert isinstance(entry, OrderEntry)
    assert {roll.source for roll in entry.rolls} == {"app"}


@deed("dice.back")
async def _dice_back(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("up", "backspace"):
        await _asked_for_dice(pilot)
        await press(pilot, "2", "enter", key)
        assert "Faces: 2_" in screen_text(pilot.app)
        await press(pilot, "escape", "escape", "D")


@deed("dice.stop")
async def _dice_stop(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _asked_for_dice(pilot)
    await press(pilot, "escape")
    assert on(pilot, FormScreen), "what was filled in is still there"
    assert len(battle.history.entries) == 3


@deed("picker.pick")
async def _picker_pick(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "colon", *"why", "enter")
    assert "Why: Alpha" in screen_text(pilot.app)


@deed("picker.leave")
async def _picker_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "colon", "escape")
    assert on(pilot, BattleScreen)


def _picks(name: str, keys: tuple[str, ...], before: tuple[str, ...], expected: int) -> None:
    @deed(f"picker.{name}")
    async def _pick(pilot: Pilot[Any], battle: OpenBattle) -> None:
        for key in keys:
            await press(pilot, "colon", *before, key)
            assert cursor(pilot) == expected, key
            await press(pilot, "escape")


_picks("down", ("down", "tab"), (), 1)
_picks("up", ("up",), ("down", "down"), 1)
_picks("page_down", ("pagedown",), (), 8)
_picks("page_up", ("pageup",), ("pagedown", "down"), 1)


@deed("reading.close")
async def _reading_close(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("escape", "q", "w", "question_mark", "f1"):
        await press(pilot, "w")
        assert on(pilot, ReadingScreen)
        await press(pilot, key)
        assert on(pilot, BattleScreen), key


@deed("filter.keep")
async def _filter_keep(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "slash", *"beta", "enter")
    assert on(pilot, BattleScreen)
    assert log_of(pilot).filter == "beta"


@deed("filter.clear")
async def _filter_clear(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "slash", *"beta", "escape")
    assert on(pilot, BattleScreen)
    assert log_of(pilot).filter == ""


@deed("filter.complete")
async def _filter_complete(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "slash", "u", "tab", "b", "tab", "enter")
    assert on(pilot, BattleScreen)
    assert log_of(pilot).filter == "unit:beta"


async def _typing(pilot: Pilot[Any]) -> None:
    await press(pilot, "V", "ctrl+g", "1")
    assert on(pilot, LineScreen)


@deed("jump.leave")
async def _jump_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "space")
    assert on(pilot, JumpScreen)
    await press(pilot, "escape")
    assert on(pilot, BattleScreen)


async def _at_lists(pilot: Pilot[Any], start: str = "") -> Path:
    """Where an army list is chosen, with the path of a folder typed in which there are two; gives the battle's path."""
    home = default_folder()
    home.mkdir()
    create(home / "quay.battle.jsonl", rules="suppression-fire", sides=("Red", "Blue"), seed="quay")
    for name in ("watch.ros", "watch-two.ros"):
        (home / name).write_bytes(xml(watch()))
    await at_home(pilot)
    await press(pilot, "i")
    await press(pilot, *f"{home}/{start}")
    return home / "quay.battle.jsonl"


def _way(pilot: Pilot[Any]) -> str:
    return Path(pilot.app.screen.query_one(WayPane).way).name


@deed("home.import_list")
async def _home_import_list(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot)
    assert on(pilot, RosterScreen)


@deed("battle.import_list")
async def _battle_import_list(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "I")
    assert on(pilot, RosterScreen)


@deed("form.import_list")
async def _form_import_list(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot)
    await press(pilot, "escape", "M", "ctrl+o")
    assert on(pilot, RosterScreen)


@deed("roster.open")
async def _roster_open(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot, "watch.ros")
    await press(pilot, "enter")
    assert on(pilot, ImportScreen)


@deed("roster.leave")
async def _roster_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "I", "escape")
    assert on(pilot, BattleScreen)


@deed("roster.complete")
async def _roster_complete(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot, "w")
    await press(pilot, "tab")
    assert "/watch_" in screen_text(pilot.app)


@deed("roster.up")
@deed("roster.down")
@deed("roster.page_up")
@deed("roster.page_down")
async def _roster_move(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot, "w")
    first = _way(pilot)
    for forth, back in (("down", "up"), ("pagedown", "pageup")):
        await press(pilot, forth)
        assert _way(pilot) != first
        await press(pilot, back)
        assert _way(pilot) == first


@deed("roster.clear")
async def _roster_clear(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot)
    await press(pilot, "ctrl+u")
    assert "File: _" in screen_text(pilot.app)


@deed("import.give")
async def _import_give(pilot: Pilot[Any], battle: OpenBattle) -> None:
    path = await _at_lists(pilot, "watch.ros")
    await press(pilot, "enter", "enter")
    assert on(pilot, BattleScreen)
    with OpenBattle.open(path, read_only=True) as written:
        assert written.history.title(1) == "import for Red: watch.ros (6 new)"


@deed("import.leave")
async def _import_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    path = await _at_lists(pilot, "watch.ros")
    await press(pilot, "enter", "escape")
    assert on(pilot, BattleScreen)
    with OpenBattle.open(path, read_only=True) as written:
        assert len(written.history.entries) == 0


@deed("import.more")
@deed("import.back")
async def _import_scroll(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _at_lists(pilot, "watch.ros")
    await press(pilot, "enter")
    before = screen_text(pilot.app)
    await press(pilot, "ctrl+n")
    assert screen_text(pilot.app) != before
    await press(pilot, "ctrl+p")
    assert screen_text(pilot.app) == before


@deed("small.quit")
async def _small_quit(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await pilot.resize_terminal(50, 10)
    await pilot.pause()
    assert on(pilot, SmallTerminal)
    await press(pilot, "q")
    assert not pilot.app.is_running


for _name in (action.name for action in ACTIONS if action.place == "replay"):
    if f"replay.{_name}" not in DEEDS:
        _as_in_battle(_name)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
async def test_every_action_of_the_table_does_what_it_says(
    action: NamedAction, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    orders = (place("Alpha"), place("Beta", "south", 3), {"type": "light", "lantern": "alpha"})
    battle = lantern_battle(monkeypatch, tmp_path, *orders)
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        await DEEDS[action.id](pilot, battle)
    assert app.bug is None


def test_nothing_in_the_table_is_left_out() -> None:
    for module in (deeds_at_home, deeds_together):
        assert module.__name__ in {does.__module__ for does in DEEDS.values()}
    assert sorted(DEEDS) == sorted(action.id for action in ACTIONS)


async def test_one_who_watches_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every action that changes the battle is refused in words."""
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"), {"type": "light", "lantern": "alpha"})
    battle.undo()
    app = HeadsdownApp(lambda: BattleScreen(battle, watch=True))
    changing = [action for action in (*order_actions(battle.history.rules), *ACTIONS) if action.changes]
    keys = [
        key for action in changing if action.place in ("battle", battle.history.rules.name) for key in action.key_names
    ]
    assert len(keys) > 5
    async with app.run_test(size=(80, 24)) as pilot:
        for key in keys:
            await press(pilot, key)
            assert "You are watching" in message(app), key
            await press(pilot, "1")
    assert len(battle.history.entries) == 3
