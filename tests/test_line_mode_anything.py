"""Any line at all: nothing raises, and the file changes only by entries that are told."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.registered import RULE_SETS, rule_set
from saves.battle import OpenBattle
from tests.line_mode import Typist
from tests.test_line_mode_orders import MARINES, ROUND, WORDS, made
from tui.line_mode.commands import COMMANDS, verbs_of
from tui.line_mode.session import Session
from tui.line_mode.words import quoted_where_needed, read_words

BEGUN = {"suppression-fire": MARINES, "gray-dawn": ROUND}
UNITS = {"suppression-fire": ("scouts", "dire avengers", "rhino"), "gray-dawn": ("soldier", "alien warrior")}

PIECES = (
    *("by", "at", "on", "with", "and", ",", "range", "12", "3", "-1", "99999", "0", ".", "?", '"', '"Scouts"', "yes"),
    *("no", "all", "none", "name", "more", "side", "target", "guns", "group", "models", "x" * 300, "\x1b[2J", "\u202e"),
    *("é", "cancel", "1,2", "1.234", "1e9", "nan", "Eldar", "aliens", "pinned", "saturation", "reason", "inside", "\\"),
    "\N{FULLWIDTH DIGIT TWO}",
)


def lines_for(rules: str) -> st.SearchStrategy[str]:
    """Lines that are nearly orders, lines of pieces, and any text."""
    verbs = (*verbs_of(rule_set(rules)), *(command.name for command in COMMANDS))
    whole = tuple(line for _, line in WORDS[rules].values())
    pieces = st.lists(st.sampled_from((*PIECES, *UNITS[rules])), max_size=7)
    near = st.tuples(st.sampled_from(verbs), pieces).map(lambda parts: " ".join((parts[0], *parts[1])))
    cut = st.tuples(st.sampled_from(whole), st.integers(0, 60), pieces)
    mangled = cut.map(lambda parts: " ".join((parts[0][: parts[1]], *parts[2])))
    return st.one_of(near, mangled, st.sampled_from(whole), st.sampled_from(PIECES), st.text(max_size=60))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A battle of each rule set in which much may be ordered."""
    paths = {}
    for rules, lines in BEGUN.items():
        paths[rules] = made(tmp_path_factory.mktemp(rules), rules)
        with OpenBattle.open(paths[rules]) as battle:
            Session(battle, Typist(lines)).run()
    return paths


@pytest.mark.parametrize("rules", RULE_SETS)
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_lines(rules: str, begun: dict[str, Path], data: st.DataObject) -> None:
    """Each entry that is in the file afterwards was told, and there is no other change."""
    path = begun[rules].with_name("any.battle.jsonl")
    shutil.copyfile(begun[rules], path)
    before = path.read_bytes()
    lines = data.draw(st.lists(lines_for(rules), min_size=1, max_size=5))
    talk = Typist(lines)
    with OpenBattle.open(path) as battle:
        first = len(battle.history.entries)
        assert Session(battle, talk).run() == 0
        last = len(battle.history.entries)
    after = path.read_bytes()
    assert after.startswith(before)
    told = [int(found[1]) for line in talk.told if (found := re.match(r"Entry (\d+)[:,]", line))]
    assert set(range(first + 1, last + 1)) <= set(told)
    assert after.count(b"\n") - before.count(b"\n") == last - first


@given(text=st.text(max_size=80))
def test_words_of_any_line(text: str) -> None:
    """Every word stands where it says, and what is quoted comes back as it was."""
    for word in read_words(text):
        assert 0 <= word.start < len(text)
        assert word.quoted or text[word.start :].startswith(word.text)
    assert [word.text for word in read_words(quoted_where_needed(text))] == [text]


def test_nothing_but_the_told_words(begun: dict[str, Any]) -> None:
    """Lines are what they are: a Typist's sentences hold no control characters either."""
    for path in begun.values():
        talk = Typist(["show", "log all", "help"])
        with OpenBattle.open(path, read_only=True) as battle:
            Session(battle, talk).run()
        assert all(line.isprintable() for line in talk.told)
