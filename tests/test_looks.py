"""Looks: which colours are told apart by whom, what is told without any, and how a theme is chosen and kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.faults import Unreadable
from saves.library import copy_example, examples
from tests.headsdown_command import headsdown
from tests.painted import painted, told_by_colour_alone
from tests.screen import lantern_battle, place, press, screen_text
from tests.seen_colours import DEFICIENCIES, distance, nearest
from tests.seen_colours import rgb as rgb_of
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.settings import THEME_TITLES, Settings, read_settings, save_theme, settings_path
from tui.themes import SIXTEEN, THEMES

BY_NAME = {theme.name: theme for theme in THEMES}

FOR_EYES = {"red-green": ("protanopia", "deuteranopia"), "blue-yellow": ("tritanopia",)}
"""For whom the colour-blind themes are made."""

APART, STILL_APART = 15.0, 12.0
"""How far apart colours are for those the theme is made for, and for all others; 2.3 is just noticeable."""


def states(name: str) -> dict[str, tuple[int, int, int]]:
    """The tones that stand side by side and must not be taken for each other."""
    theme = BY_NAME[name]
    named = {"plain": theme.foreground, "good": theme.success, "warning": theme.warning, "bad": theme.error}
    return {tone: rgb_of(str(colour)) for tone, colour in named.items()}


def sides(name: str) -> dict[str, tuple[int, int, int]]:
    return {side: rgb_of(BY_NAME[name].variables[side]) for side in ("side-a", "side-b")}


@pytest.mark.parametrize("name", FOR_EYES)
@pytest.mark.parametrize("deficiency", ["", *DEFICIENCIES])
def test_colour_blind_themes_are_told_apart(name: str, deficiency: str) -> None:
    least = APART if deficiency in ("", *FOR_EYES[name]) else STILL_APART
    for tones in (states(name), sides(name)):
        assert nearest(tones, deficiency)[0] >= least


def test_the_usual_theme_is_not_which_is_why_there_are_others() -> None:
    """The simulation makes a difference: what it finds close in one theme is apart in the other."""
    for name, eyes in FOR_EYES.items():
        for deficiency in eyes:
            assert nearest(states(name), deficiency)[0] > 1.5 * min(
                nearest(states("dark"), "protanopia")[0], nearest(states("dark"), "deuteranopia")[0]
            )
    assert nearest(states("dark"), "deuteranopia")[0] < 10


def test_the_measures_are_those_of_their_sources() -> None:
    """White is 100 and neutral, whoever looks; red and green of the same light are one for deuteranopes."""
    white, black = rgb_of("#ffffff"), rgb_of("#000000")
    assert distance(white, black) == pytest.approx(100, abs=0.01)
    for deficiency in DEFICIENCIES:
        assert distance(white, black, deficiency) == pytest.approx(100, abs=0.6)
        assert distance(white, rgb_of("#808080"), deficiency) == pytest.approx(46.4, abs=0.5)
    red, green = rgb_of("#b04000"), rgb_of("#687000")
    assert distance(red, green, "deuteranopia") < distance(red, green) / 3
    assert distance(rgb_of("#0050d0"), rgb_of("#007050"), "tritanopia") < distance(rgb_of("#0050d0"), rgb_of("#007050"))


def test_each_theme_comes_in_all_and_in_sixteen_colours() -> None:
    assert [theme.name for theme in THEMES] == [theme.name for theme in SIXTEEN] == [*THEME_TITLES]
    assert [theme.dark for theme in THEMES] == [theme.dark for theme in SIXTEEN]


# Without colours


@pytest.mark.parametrize("rules", examples())
async def test_nothing_is_told_by_colour_alone(rules: str, tmp_path: Path) -> None:
    """At no moment of a bundled battle do two lines of a pane differ in colour only."""
    with OpenBattle.open(copy_example(rules, tmp_path)) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 40)) as pilot:
            for number in range(1, len(battle.history.entries) + 1):
                battle.goto(number)
                screen = app.screen
                assert isinstance(screen, BattleScreen)
                screen._show()
                assert told_by_colour_alone(app) == [], number
            await pilot.pause()


async def test_the_check_finds_a_state_that_only_a_colour_tells(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"), place("Alpha", "north"))
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)):
        assert told_by_colour_alone(app) == []
        screen = app.screen
        assert isinstance(screen, BattleScreen)
        tones = ("plain", "good", "warning", "dim")
        monkeypatch.setattr(screen._units, "line_runs", lambda at, width: (("Alpha", tones[at % len(tones)]),))
        assert "Alpha" in told_by_colour_alone(app)[0]


@pytest.mark.parametrize("theme", THEME_TITLES)
async def test_without_colours_no_cell_has_one(theme: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """NO_COLOR holds in every theme, and bold, reverse and struck letters stay."""
    monkeypatch.setenv("NO_COLOR", "1")
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"))
    app = HeadsdownApp(lambda: BattleScreen(battle), Settings(theme=theme))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "ctrl+l")
        assert "NO_COLOR is set: all themes look the same here." in screen_text(app)
        styles = {cells.style for cells in painted(app)}
        assert all(style.color is None or style.color.is_default for style in styles)
        assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)
        assert any(style.reverse for style in styles)
        assert any(style.bold for style in styles)


def test_nothing_moves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    battle = lantern_battle(monkeypatch, tmp_path)
    assert HeadsdownApp(lambda: BattleScreen(battle)).animation_level == "none"


# The choice


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    return tmp_path


OWN = '# mine\n[keys.battle]\nundo = "z"  # as in vim\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'theme = "light"\n'),
        (OWN, f'theme = "light"\n{OWN}'),
        (f'theme = "dark"\n{OWN}', f'theme = "light"\n{OWN}'),
        (f"# x\n  theme='dark' # y\n{OWN}", f'# x\ntheme = "light"\n{OWN}'),
        ('"theme" = "dark"\n', 'theme = "light"\n'),
        ('[keys.form]\ngive = "f9"\n', 'theme = "light"\n[keys.form]\ngive = "f9"\n'),
    ],
)
def test_a_theme_is_kept_and_all_else_stays(home: Path, before: str, after: str) -> None:
    path = home / "settings.toml"
    if before:
        path.write_text(before)
    settings = save_theme(read_settings(), "light")
    assert path.read_text() == after
    assert read_settings() == settings or read_settings().keymap.own == settings.keymap.own
    assert read_settings().theme == "light"
    assert os.listdir(home) == ["settings.toml"]


@pytest.mark.parametrize("before", ["theme = ", "x = '''\ntheme = 1\n'''\n[keys]\n", "\xff"])
def test_a_file_that_would_change_otherwise_is_left_alone(home: Path, before: str) -> None:
    path = home / "settings.toml"
    path.write_text(before, encoding="latin-1")
    with pytest.raises(Unreadable, match="the theme holds until you leave, but cannot be kept"):
        save_theme(read_settings(), "light")
    assert path.read_text(encoding="latin-1") == before
    assert os.listdir(home) == ["settings.toml"]


def test_a_settings_file_that_is_a_link_stays_one(home: Path) -> None:
    real = home / "dotfiles.toml"
    real.write_text(OWN)
    settings_path().symlink_to(real)
    save_theme(read_settings(), "red-green")
    assert settings_path().is_symlink()
    assert real.read_text() == f'theme = "red-green"\n{OWN}'


def test_a_theme_there_is_not_is_told(home: Path) -> None:
    (home / "settings.toml").write_text('theme = "pink"\n')
    told = headsdown("keys").err
    assert told == (
        "headsdown: settings.toml: theme: there is no theme pink; "
        "there are: dark, light, high-contrast, red-green, blue-yellow\n"
    )
    (home / "settings.toml").write_text("theme = 7\n")
    assert "there is no theme 7" in headsdown("keys").err


async def test_the_chosen_theme_is_there_the_next_time(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"))
    app = HeadsdownApp(lambda: BattleScreen(battle), read_settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p", *"Lam", "ctrl+l", "down", "down", "down", "enter", "p")
        assert "Lamp" in screen_text(app), "what was typed in the form below stays"
        await press(pilot, "escape")
    app = HeadsdownApp(lambda: BattleScreen(battle), read_settings())
    assert app.theme == "red-green"
