"""The battle screen, played with the keys, on the lantern rules; the pictures it must show are in tests/screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color

from saves.battle import OpenBattle
from saves.library import copy_example
from tests.screen import (
    assert_screen,
    bar_keys,
    give,
    lantern_battle,
    message,
    place,
    press,
    screen_text,
)
from tui.actions import BATTLE_ACTIONS, conflicts
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.line_pane import TablePane

BLACK = Color(0, 0, 0)

NIGHT = (
    place("Alpha"),
    place("Beta", "south", 3),
    {"type": "light", "lantern": "alpha"},
    {"type": "pour", "target": "beta", "by": ["alpha"], "distance": 3},
    place("Gamma"),
)


def app_of(battle: OpenBattle, watch: bool = False) -> HeadsdownApp:
    return HeadsdownApp(lambda: BattleScreen(battle, name="Anna", watch=watch))


@pytest.fixture
def battle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OpenBattle:
    made = lantern_battle(monkeypatch, tmp_path, *NIGHT)
    made.undo()
    return made


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20), (79, 24), (100, 30)])
async def test_the_battle_at_each_size(battle: OpenBattle, size: tuple[int, int]) -> None:
    app = app_of(battle)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert_screen(app, f"battle-{size[0]}x{size[1]}")


async def test_an_empty_battle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    app = app_of(lantern_battle(monkeypatch, tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert_screen(app, "battle-empty-80x24")
        for key in ("down", "up", "end", "home", "pagedown", "enter", "escape", "w", "u", "ctrl+r", "i"):
            await pilot.press(key)
        assert message(app) == "Refused: Light: select a unit first"


async def test_every_key_that_the_bar_names_does_something(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, *NIGHT)
    battle.undo()
    named: set[str] = set()
    for at in range(40):
        app = app_of(battle)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            names = bar_keys(app)
            before = screen_text(app)
            named.update(names)
            await pilot.press(names[at])
            await pilot.pause(0.05)
            assert not app.is_running or screen_text(app) != before, f"{names[at]} did nothing"
        if at == len(names) - 1:
            break
    assert {"p", "i", "o", "e", "enter", "w", "u", "ctrl+r", "D", "slash", "colon", "question_mark", "q"} <= named


async def test_a_key_that_cannot_act_says_why(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        while battle.history.state.lantern("alpha").lit is False:
            give(battle, {"type": "light", "lantern": "alpha"})
        await pilot.press("i")
        assert message(app) == "Refused: Light: it burns already (LN-1)"
        await pilot.press("X")
        assert "nothing here can break" in message(app)


async def test_a_selected_unit_is_acted_on_wherever_it_was_selected(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        screen = app.screen
        assert isinstance(screen, BattleScreen)
        assert screen.selected == "beta"
        await pilot.press("3")
        assert screen.selected == "beta"
        await pilot.press("1")
        assert screen.selected == "alpha"
        await pilot.press("tab", "w")
        assert "Why: Beta" in screen_text(app)


async def test_undo_and_redo_say_what_they_took_and_brought(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("u")
        assert message(app) == "Undone: oil for Beta."
        assert "2 taken back" in screen_text(app)
        assert "undone: oil for Beta" in screen_text(app)
        await pilot.press("ctrl+r", "ctrl+r")
        assert message(app) == "Brought back: Gamma is placed."
        await pilot.press("ctrl+r")
        assert "nothing to redo" in message(app)
        for _ in range(6):
            await pilot.press("u")
        assert "nothing to undo" in message(app)
    again = OpenBattle.open(battle.path)
    assert again.history.head == 0
    assert len(again.history.entries) == 14


async def test_orders_of_a_unit_are_listed_with_what_forbids_them(battle: OpenBattle) -> None:
    give(battle, {"type": "light", "lantern": "beta"})
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert_screen(app, "orders-80x24")
        await pilot.press("i")
        await pilot.pause()
        shown = screen_text(app)
        assert "Orders: Alpha" in shown
        assert "it burns already (LN-1)" in shown


async def test_any_action_is_found_by_part_of_its_name(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        for letter in "und":
            await pilot.press(letter)
        await pilot.pause()
        assert "Undo: oil for Beta" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert message(app) == "Undone: oil for Beta."


async def test_the_log_is_filtered_and_its_entries_open(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", *"oil")
        await pilot.pause()
        shown = screen_text(app)
        assert "filter: oil" in shown
        assert "Alpha is placed" not in shown.split("Dice log")[1]
        await pilot.press("enter", "home", "enter")
        await pilot.pause()
        assert_screen(app, "entry-80x24")
        await pilot.press("escape", "slash", "escape")
        await pilot.pause()
        assert "filter:" not in screen_text(app)


async def test_help_is_about_the_pane_in_focus_and_names_every_key(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(120, 60)) as pilot:
        await pilot.press("3", "question_mark")
        await pilot.pause()
        shown = screen_text(app)
        assert "Every order with its dice" in shown
        for action in BATTLE_ACTIONS:
            assert action.help[:30] in shown
        assert "(not now) Crash: Break the program." in shown


async def test_help_begins_with_what_was_just_refused_and_opens_its_clause(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        while battle.history.state.lantern("alpha").lit is False:
            give(battle, {"type": "light", "lantern": "alpha"})
        await pilot.press("i", "question_mark")
        await pilot.pause()
        assert "Just refused: Light: it burns already (LN-1)" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert "Two dice at or under the oil." in screen_text(app)


async def test_clauses_open_from_why_and_lead_on(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("w", "down", "enter")
        await pilot.pause()
        assert "Two dice at or under the oil." in screen_text(app)
        await pilot.press("end", "enter")
        await pilot.pause()
        assert "Nobody pours over 12 paces." in screen_text(app)
        await pilot.press("escape", "escape", "escape", "ctrl+t")
        await pilot.pause()
        assert "Rulebook of Lanterns" in screen_text(app)


async def test_below_the_least_size_no_key_acts_but_quit(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", *"Lamp")
        await pilot.resize_terminal(59, 24)
        await pilot.pause()
        assert "terminal is too small." in screen_text(app)
        entries = len(battle.history.entries)
        await pilot.press("u", "enter", "x", "escape", "tab", "p", "D", "ctrl+p", "question_mark")
        assert len(battle.history.entries) == entries
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Name     Lamp_" in screen_text(app)
        await pilot.resize_terminal(80, 19)
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running


async def test_resizing_keeps_the_cursor_and_what_is_open(battle: OpenBattle) -> None:
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "2", "1")
        for size in ((120, 40), (60, 20), (200, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert app.screen.query_one("#units", TablePane).selected == "beta"
        await pilot.press("w")
        await pilot.resize_terminal(70, 22)
        await pilot.pause()
        assert app.screen_stack[0].query_one("#units", TablePane).size.height > 5, "one pane stays open below"
        await pilot.press("escape", "3", "home", "down")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert "Entry 2" in screen_text(app)


@pytest.mark.parametrize(
    "name", ["[red]x[/]", "火" * 50, "a" * 100, "a\x1b[31mb\x07\u202ec\ufe0f", "[/]", "[@click=app.bell]x"]
)
async def test_names_are_shown_as_they_are_and_break_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, place(name, oil=3), name=name)
    battle.give(battle.history.rules.order_types.__args__[1](lantern=battle.history.state.lanterns[0].id))
    battle.undo()
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        shown = screen_text(app)
        assert all(ord(char) >= 32 or char == "\n" for char in shown)
        assert "\u202e" not in shown
        for key in ("w", "enter", "colon", "o", "question_mark", "3", "enter", "u", "p", "ctrl+r"):
            await pilot.press(key)
            await pilot.pause()
            screen_text(app)
            await pilot.press("escape")
        assert app.is_running


async def test_without_colours_every_state_is_still_told(monkeypatch: pytest.MonkeyPatch, battle: OpenBattle) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_of(battle)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert_screen(app, "battle-80x24")
        styles = [style for line in app.screen._compositor.render_strips() for _, style, _ in line if style]
        for filter_ in app.get_line_filters():
            styles = [style for _, style, _ in filter_.apply([Segment("x", style) for style in styles], BLACK) if style]
        assert styles
        assert all(style.color is None or style.color.is_default for style in styles)
        assert any(style.reverse for style in styles)


async def test_one_who_watches_changes_nothing(battle: OpenBattle) -> None:
    app = app_of(battle, watch=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "watching" in screen_text(app)
        assert not set(bar_keys(app)) & {"p", "i", "o", "e", "u", "ctrl+r", "D"}
        entries = len(battle.history.entries)
        for key in ("p", "i", "o", "e", "u", "ctrl+r", "D", "enter"):
            await pilot.press(key)
            assert message(app) == "! You are watching: nothing can be changed from here."
        assert len(battle.history.entries) == entries


async def test_what_others_add_appears(battle: OpenBattle) -> None:
    app = app_of(battle, watch=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        with OpenBattle.open(battle.path) as other:
            give(other, place("Delta"))
            other.undo(by="Ben")
        await pilot.pause(0.1)
        assert "Delta is placed" in screen_text(app)
        assert message(app) == "Ben: took back 7: Delta is placed"


async def test_a_fault_of_the_program_ends_it_with_one_line(
    battle: OpenBattle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    give(battle, place("Doom"))
    app = app_of(battle)
    with pytest.raises(Exception, match="broke"):
        await press_once(app, "X")
    assert app.return_code == 1
    assert isinstance(app.bug, RuntimeError)


async def press_once(app: HeadsdownApp, key: str) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await pilot.pause()


def test_no_two_actions_share_a_key() -> None:
    from engine.registered import RULE_SETS, rule_set
    from tests.small_screen_rules import ACTIONS

    assert conflicts(ACTIONS) == []
    for name in RULE_SETS:
        assert conflicts(rule_set(name).actions) == [], name


async def test_entries_that_went_from_the_file_are_told_and_shown_no_more(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 40)) as pilot:
            before = battle.head_mark
            path.write_bytes(b"".join(lines[:25]))
            await pilot.pause(0.2)
            told = "! Last entry withdrawn: the file went back or was replaced. This is what there is."
            assert message(app) == told
            assert before not in screen_text(app)
            assert battle.head_mark in screen_text(app)
            assert battle.head_mark.startswith("24:")
            await press(pilot, "u")
            assert [entry.n for entry in battle.history.entries][-1] == 25
        assert app.bug is None
