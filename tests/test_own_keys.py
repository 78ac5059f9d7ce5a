"""A player's own keys: read, checked, shown, and pressed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.headsdown_command import headsdown as run
from tests.screen import lantern_battle, message, place, press, screen_text
from tui.actions import ACTIONS, action_of
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.keymap import Keymap, clashes, every_action, key_name, read_keymap, shown_key, unsendable
from tui.settings import read_settings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    return tmp_path


def settings(home: Path, text: str) -> None:
    (home / "settings.toml").write_text(text, encoding="utf-8")


def test_the_usual_keys_never_clash_and_can_all_be_sent() -> None:
    assert clashes(Keymap()) == []
    keys = {key: action.id for action in every_action() for key in action.key_names if action.id != "app.leave"}
    assert {id_: unsendable(key) for key, id_ in keys.items() if unsendable(key)} == {}


def test_nothing_is_on_a_function_key_alone() -> None:
    for action in ACTIONS:
        assert not all(re.fullmatch("f[0-9]+", key) for key in action.key_names), action.id


@pytest.mark.parametrize(
    ("written", "name", "shown"),
    [
        ("u", "u", "u"),
        ("U", "U", "U"),
        ("/", "slash", "/"),
        ("?", "question_mark", "?"),
        (",", "comma", ","),
        (".", "full_stop", "."),
        (" ", "space", "space"),
        ("space", "space", "space"),
        ("^r", "ctrl+r", "^r"),
        ("ctrl+R", "ctrl+r", "^r"),
        ("Esc", "escape", "esc"),
        ("PgUp", "pageup", "pgup"),
        ("F5", "f5", "f5"),
        ("shift+tab", "shift+tab", "shift+tab"),
        ("ä", "ä", "ä"),
        ("-", "minus", "-"),
        ("question_mark", "question_mark", "?"),
    ],
)
def test_keys_are_written_as_people_write_them(written: str, name: str, shown: str) -> None:
    assert key_name(written) == name
    assert shown_key(name) == shown
    assert unsendable(name) == ""


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("ctrl+enter", "many terminals cannot send it"),
        ("alt+x", "many terminals cannot send it"),
        ("shift+enter", "many terminals cannot send it"),
        ("ctrl+shift+x", "many terminals cannot send it"),
        ("ctrl+i", "terminals send it as tab"),
        ("ctrl+m", "terminals send it as enter"),
        ("ctrl+h", "terminals send it as backspace"),
        ("ctrl+b", "it belongs to tmux"),
        ("ctrl+a", "it belongs to screen"),
        ("ctrl+c", "it always leaves the program"),
        ("hyper", "there is no key of that name"),
    ],
)
def test_keys_that_do_not_arrive_are_not_taken(key: str, why: str) -> None:
    keymap, problems = read_keymap({"battle": {"undo": key}})
    assert problems == [f"keys.battle.undo: '{key}' is no good key: {why}; the usual keys stay"]
    assert keymap.shown(action_of("battle.undo")) == "u"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"battle": {"undo": "m"}}, "keys.battle.undo: m is also the key of suppression-fire.move (Move)"),
        ({"gray-dawn": {"move": "k"}}, "keys.gray-dawn.move: k is also the key of pane.up (Up)"),
        ({"battle": {"undo": "z", "redo": "z"}}, "keys.battle.undo: z is also the key of battle.redo (Redo)"),
        ({"form": {"give": "g"}}, "keys.form.give: 'g' is no good key: it is typed as text there"),
        ({"dice": {"app": "7"}}, "keys.dice.app: '7' is no good key: it is typed as text there"),
        ({"battle": {"unod": "z"}}, "keys.battle.unod: there is no such action; the nearest is battle.undo"),
        ({"zzz": {"qqq": "z"}}, "keys.zzz.qqq: there is no such action; headsdown keys lists them"),
        ({"battle": {"undo": 7}}, "keys.battle.undo: this has to be a key or a list of keys"),
        ({"battle": {"undo": []}}, "keys.battle.undo: this has to be a key or a list of keys"),
        ({"battle": {"undo": ""}}, "keys.battle.undo: this has to be a key or a list of keys"),
        ({"battle": "u"}, "keys.battle: this has to be a table of actions, like [keys.battle]"),
        ("u", "keys: this has to be a table, like [keys.battle]"),
    ],
)
def test_what_is_wrong_is_said_and_left_out(table: object, problem: str) -> None:
    keymap, problems = read_keymap(table)
    assert len(problems) == 1
    assert problems[0].startswith(problem)
    assert set(keymap.own) <= {"battle.redo"}


def test_two_actions_may_change_places() -> None:
    keymap, problems = read_keymap({"battle": {"undo": "w", "why": "u"}})
    assert problems == []
    assert clashes(keymap) == []
    assert keymap.keys(action_of("battle.undo")) == ("w",)


async def test_own_keys_work_and_are_what_the_screen_names(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings(home, '[keys.battle]\nundo = ["z", "ctrl+z"]\nwhy = "u"\nhelp = "w"\n[keys.pane]\nchoose = "enter"\n')
    assert read_settings().problems == (
        "settings.toml: keys.battle.undo: 'ctrl+z' is no good key: it suspends programs; the usual keys stay",
        "settings.toml: keys.battle.why: u is also the key of battle.undo (Undo); the usual keys stay",
        "settings.toml: keys.battle.help: w is also the key of battle.why (Why); the usual keys stay",
    )
    settings(home, '[keys.battle]\nundo = "z"\nwhy = "u"\nhelp = "w"\n[keys.form]\ngive = ["ctrl+g", "enter"]\n')
    found = read_settings()
    assert found.problems == ()
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"), place("Beta"))
    app = HeadsdownApp(lambda: BattleScreen(battle), found)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "up")
        assert "u Why  z Undo  w Help" in screen_text(app)
        await press(pilot, "u")
        assert "Why: Alpha" in screen_text(app)
        await press(pilot, "escape", "w")
        shown = screen_text(app)
        assert "Every unit by side." in shown
        await press(pilot, "escape", "z")
        assert message(app) == "Undone: Beta is placed."
        await press(pilot, "p", "L", "a")
        assert "^g give the order" in screen_text(app)
        await press(pilot, "ctrl+g")
    assert [lantern.name for lantern in battle.history.state.lanterns] == ["Alpha", "La"]


async def test_a_bad_settings_file_is_told_and_stops_no_battle(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings(home, "[keys.battle\nundo = 'z'")
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"))
    app = HeadsdownApp(lambda: BattleScreen(battle), read_settings())
    async with app.run_test(size=(80, 24)) as pilot:
        assert "settings.toml:cannotberead:Expected" in "".join(message(app).split())
        await press(pilot, "u")
    assert battle.history.head == 0


def test_the_command_lists_every_action_and_checks_the_file(home: Path) -> None:
    result = run("keys")
    assert result.status == 0
    for action in every_action():
        assert f" {action.id} " in f"{result.out} ".replace("\n", " "), action.id
    settings(home, '[keys.battle]\nundo = "z"\nredo = "alt+z"\n[colour]\n')
    result = run("keys", "--json")
    assert result.status == 3
    listed = json.loads(result.out)
    undo = next(each for each in listed["actions"] if each["id"] == "battle.undo")
    assert (undo["keys"], undo["usual"]) == (["z"], ["u"])
    assert result.err.splitlines() == [
        "headsdown: settings.toml: colour: there is no such setting; there are: theme and keys",
        "headsdown: settings.toml: keys.battle.redo: 'alt+z' is no good key: many terminals cannot send it; "
        "the usual keys stay",
    ]
    assert "battle.undo" in run("keys").out
    assert "(your own)" in run("keys").out


def test_settings_that_cannot_be_read_are_told(home: Path) -> None:
    (home / "settings.toml").mkdir()
    result = run("keys")
    assert result.status == 3
    assert "cannot be read: Is a directory" in result.err
    (home / "settings.toml").rmdir()
    (home / "settings.toml").write_bytes(b"\xff\xfe")
    assert "cannot be read" in run("keys").err
