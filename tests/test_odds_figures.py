"""Odds as people see them: figures with bars beside every order, two orders side by side, modifiers with clauses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from engine.comparing import compared
from engine.entries import OrderEntry
from engine.odds_views import bar, figure_lines
from engine.orders import read_order
from engine.registered import rule_set
from engine.roll_words import chance_text
from engine.ruleset import Figure
from saves.library import examples, open_example
from tests.gray_dawn_battles import Game as GrayDawn
from tests.gray_dawn_battles import at, lane_order, person, three, two
from tests.headsdown_command import headsdown
from tests.sf_battles import PASS, Game, Told, blue, by, carrier, gun, inside, red
from tests.small_rules import played_battle
from tui import plain
from tui.dice_log import layout
from tui.log_lines import Teller

RULES, GRAY_DAWN = rule_set("suppression-fire"), rule_set("gray-dawn")
CANNON = gun("cannon", "shell", 36, 8, 3, "heavy", 5)
NARROWEST = 29
"""Cells that a form at 80 columns leaves for the odds beside it."""


def lines(rules: Any, odds: Told) -> list[str]:
    return [cell.text for cell in rules.tell_odds(None, odds)]


def three_on_ten() -> Game:
    game = Game(blue("b1"), blue("b2"), blue("b3"), red("scouts"))
    game.to("blue", "shooting")
    return game


@pytest.mark.parametrize(
    ("chance", "marks"),
    [(0, ""), (0.04, ""), (0.06, "-"), (0.2, "#"), (0.5, "##-"), (0.72, "###-"), (0.96, "#####"), (1, "#####")],
)
def test_bars_show_tenths(chance: float, marks: str) -> None:
    assert bar(chance) == marks


def test_figures_stand_in_columns_and_never_wrap() -> None:
    """What is impossible in every line is left out with its heading; the widest line fits where room is least."""
    figures = (
        Figure("", "holds", 0.725),
        Figure("Casualties", "on average", 12.5, "mean"),
        Figure("Casualties", "at least half", 0.99999),
        Figure("Casualties", "wiped out", 0.0),
        Figure("Hits", "at least 1", 0.0),
    )
    assert [cell.text for cell in figure_lines(figures)] == [
        "holds              72 % ###-",
        "Casualties",
        "  on average      12.50",
        "  at least half>99.99 % #####",
        "  wiped out         0 %",
    ]


def test_a_declaration_in_figures() -> None:
    """SF-3, SF-15, SF-21: the test, and what braving the fire costs ten scouts under three units."""
    game = three_on_ten()
    told = lines(RULES, game.odds("declare", target="scouts", by=[by("b1"), by("b2"), by("b3")]))
    assert told == [
        "holds              42 % ##",
        "pinned             58 % ###",
        "Braving the fire: casualties",
        "  on average       1.25",
        "  at least 1       74 % ###-",
        "  at least half   0.4 %",
        "  wiped out     <0.01 %",
    ]


def test_the_fire_in_figures() -> None:
    """SF-21, SF-28: one model has no half; a free action costs nothing and says nothing of it."""
    game = Game(blue("b1"), red("boss", 1), red("others"))
    game.suppress("boss", "b1", dice=PASS)
    told = lines(RULES, game.odds("act", unit="boss", action="move"))
    assert [line.split()[0] for line in told] == ["Casualties", "on", "wiped"]
    assert lines(RULES, game.odds("act", unit="others", action="move")) == []


def test_shrapnel_and_passengers_in_figures() -> None:
    """SF-29, SF-34: what the shrapnel costs, and the chance to stay inside."""
    crew = inside(red("crew", 4), "truck")
    game = Game(blue("b1", 1, CANNON), carrier("truck", open_topped=True), crew, red("foot", 3))
    game.to("blue", "shooting")
    game.declare("truck", "b1")
    game.to("red")
    told = lines(RULES, game.odds("act", unit="crew", action="disembark"))
    assert [line[:15].strip() for line in told] == [
        "stays inside", "Casualties", "on average", "at least 1", "at least half", "wiped out"
    ]  # fmt: skip
    game = Game(blue("b1", 1, CANNON), red("foot", 3))
    game.to("blue", "shooting")
    game.declare("foot", "b1")
    assert "Casualties of the shrapnel" in lines(RULES, game.odds("test", target="foot"))


def test_random_shots_in_figures() -> None:
    """SF-9: the mean, and whether there will be five."""
    game = Game(blue("b1", 2, gun("gun", "shot", 24, 4, 5, "assault", "d3")), red("scouts"))
    game.to("blue", "shooting")
    told = lines(RULES, game.odds("declare", target="scouts", by=[by("b1")]))
    assert told[:3] == ["Shots", "  on average       4.00", "  at least 5       33 % #-"]


def test_gray_dawn_in_figures() -> None:
    """GD-7, GD-10, GD-18, GD-23, GD-25: hits on each by name, checks, noticing, not daring, initiative."""
    game = three()
    told = lines(GRAY_DAWN, game.odds("lane", **lane_order("covering", "grey", "vex")))
    assert told == [
        "Hits on Grey", "  on average       0.02", "  at least 1      1.0 %", "  at least 2      0.5 %",
        "  at least 3      0.2 %",
        "Hits on Vex", "  on average       0.02", "  at least 1      1.0 %", "  at least 2      0.5 %",
        "  at least 3      0.2 %",
    ]  # fmt: skip
    game.points("grey", 1)
    assert lines(GRAY_DAWN, game.odds("check", combatant="grey")) == [
        "holds              40 % ##", "suppressed         60 % ###"
    ]  # fmt: skip
    noticed = lines(GRAY_DAWN, game.odds("spot", observer="rook", flanker="grey"))
    assert [line.split()[0] for line in noticed] == ["noticed", "unnoticed"]
    game.fire_lane()
    crossing = lines(GRAY_DAWN, game.odds("act", combatant="grey", action="cross", lanes=["hall"], avoid="dodge"))
    assert crossing[:2] == ["does not dare    91.0 % ####-", "Hits"]
    game.give("end_round")
    assert "Initiative of Rook" in lines(GRAY_DAWN, game.odds("begin_round"))


def test_no_line_of_figures_is_wider_than_the_narrowest_pane() -> None:
    """Headings may wrap, figures and bars may not."""
    game, gray = three_on_ten(), two()
    shots = {"shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": [at("grey")]}
    told = lines(RULES, game.odds("declare", target="scouts", by=[by("b1")]))
    told += lines(GRAY_DAWN, gray.odds("covering_fire", **shots))
    assert max(cell_len(line) for line in told) <= NARROWEST


# Side by side


def test_two_orders_side_by_side() -> None:
    """SF-15, SF-21: two suppressors or three."""
    game = three_on_ten()
    two_, three_ = (
        game.odds("declare", target="scouts", by=[by(name) for name in names])
        for names in (("b1", "b2"), ("b1", "b2", "b3"))
    )
    rows = compared(RULES, two_, three_)
    assert [(row.about, row.label, row.texts) for row in rows] == [
        ("", "holds", ("58 %", "42 %")),
        ("", "pinned", ("42 %", "58 %")),
        ("Braving the fire: casualties", "on average", ("0.83", "1.25")),
        ("Braving the fire: casualties", "at least 1", ("58 %", "74 %")),
        ("Braving the fire: casualties", "at least half", ("0.1 %", "0.4 %")),
        ("Braving the fire: casualties", "wiped out", ("<0.01 %", "<0.01 %")),
    ]
    assert (rows[0].first, rows[0].second) == (two_["passed"], three_["passed"])


def test_figures_that_only_one_order_has() -> None:
    """A shot at Grey and a lane on Grey and Vex: what is about the same stands together, the rest has none."""
    game = three()
    shots = game.odds("covering_fire", shooter="rook", weapon="rifle", mode="burst", targets=[at("grey", 2)])
    lane = game.odds("lane", **lane_order("covering", "grey", "vex"))
    rows = compared(GRAY_DAWN, shots, lane)
    assert [(row.about, row.label, row.first is None, row.second is None) for row in rows] == [
        *(("Hits on Grey", label, False, False) for label in ("on average", "at least 1", "at least 2")),
        ("Hits on Grey", "at least 3", True, False),
        *(("Hits on Vex", label, True, False) for label in ("on average", "at least 1", "at least 2", "at least 3")),
    ]
    assert rows[3].texts[0] == "-"


TWICE, ONCE = '{"type": "count", "side": "blue", "times": 2}', '{"type": "count", "side": "blue"}'


@pytest.mark.usefixtures("counter")
def test_the_command_compares_two_orders(tmp_path: Path) -> None:
    """In columns under the titles of both; with --json as an array of the two trees that each has by itself."""
    path = played_battle(tmp_path / "small.battle.jsonl")
    ran = headsdown("odds", path, "--order", ONCE, "--order", TWICE)
    assert (ran.status, ran.err) == (0, "")
    first, second, heads, *rows = ran.out.splitlines()
    assert (first, second, heads.split()) == ("A  blue counts", "B  blue counts", ["A", "B"])
    assert rows[0].split() == ["2", "2.8", "%", "-"]
    both = headsdown("odds", path, "--order", ONCE, "--order", TWICE, "--json").json
    assert both == [headsdown("odds", path, "--order", order, "--json").json for order in (ONCE, TWICE)]


@pytest.mark.usefixtures("counter")
def test_the_command_compares_no_more_than_two(tmp_path: Path) -> None:
    path = played_battle(tmp_path / "small.battle.jsonl")
    ran = headsdown("odds", path, *("--order", ONCE) * 3)
    assert (ran.status, ran.err) == (2, "headsdown odds: two orders can be compared, not more\n")
    refused = headsdown("odds", path, "--order", ONCE, "--order", '{"type": "note", "text": "hm"}', "--json")
    assert refused.status == 1
    assert refused.json["refused"]["clause"] == "order"


# Modifiers


def previewed(rules: Any, game: Game | GrayDawn, order: Told) -> list[str]:
    told = rules.preview(game.history.state, read_order(rules, json.dumps(order)))
    return [cell.text for cell in told.lines]


def test_the_crossfire_has_its_own_line() -> None:
    """SF-15: the number to roll, and what three suppressors take off it."""
    game = three_on_ten()
    game.declare("scouts", "b1", "b2", "b3")
    told = previewed(RULES, game, {"type": "test", "target": "scouts"})
    assert told == ["Test: 2D6 at most 6: leadership 8 (SF-15)", "  -2 for 3 suppressors (SF-15)"]


def test_each_modifier_of_a_check_has_its_own_line() -> None:
    """GD-4, GD-7, GD-9: cover, armour, a lightning strike, bracing."""
    game = GrayDawn(person("rook", "xcom"), person("grey", cover=2), running=False)
    game.give("begin_round", lightning=["grey"])
    game.points("grey", 2)
    game.give("stance", combatant="grey", stance="bracing", override=True, reason="a test")
    told = previewed(GRAY_DAWN, game, {"type": "check", "combatant": "grey"})
    assert told[1:] == [
        "  8 and the die against 15 + 4: CL 6 (GD-7)",
        "  +2 for cover (GD-7)",
        "  +3 for 18 SP on the torso (GD-7)",
        "  -3 for its lightning strike (GD-4)",
        "  points count twice: it is bracing (GD-9)",
        "  the die must come to 11 or more (GD-2)",
    ]
    shots = {"type": "covering_fire", "shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": [at("grey")]}
    assert previewed(GRAY_DAWN, game, shots)[-2:] == [
        "  -3 for its lightning strike (GD-4)", "  without Dodge/Cover: it is bracing (GD-9)"
    ]  # fmt: skip


# What was rolled, and how likely it was


@pytest.mark.parametrize("name", examples())
def test_the_log_shows_the_chance_of_every_roll(name: str) -> None:
    """In the lines of `headsdown log` and in those of the Dice log, as recorded with the roll."""
    with open_example(name) as opened:
        history = opened.history
        rolls = [row for entry in history.entries if isinstance(entry, OrderEntry) for row in entry.rolls]
        logged = [line for line in plain.log_lines(history, "", everything=True) if line.startswith("      ")]
        shown = [line for entry in history.entries for line in Teller(history).lines(entry, 76) if line.roll]
        assert rolls
        assert [line.roll for line in shown] == rolls
        for row, line in zip(rolls, shown, strict=True):
            chance = chance_text(row.chance)
            assert "".join(text for text, _ in layout(line, 76, False)).endswith(f" {chance}")
            assert any(line.endswith(chance) or f" {chance} " in line for line in logged)
        told = [line for line in logged if any(f" {chance_text(row.chance)}" in line for row in rolls)]
        assert len(told) >= len(rolls)
