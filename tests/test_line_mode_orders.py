"""Every order of both rule sets in typed words, and every question with what it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.entries import OrderEntry
from engine.registered import RULE_SETS, rule_set
from engine.ruleset import Action
from saves.battle import OpenBattle
from saves.creating import create
from tests.line_mode import Typist, script, typed
from tests.small_screen_rules import RULES as LANTERNS
from tui.line_mode.commands import clashes, verbs_of
from tui.line_mode.session import Session
from tui.line_mode.words import plain_word

SIDES = {"suppression-fire": ("Eldar", "Marines"), "gray-dawn": ("xcom", "aliens")}

FIELD = (
    "muster dire avengers",
    "muster scouts side Marines",
    "muster rhino",
    "begin turn Eldar",
)
FIRE = (*FIELD, "phase", "declare scouts by dire avengers")
MARINES = (*FIRE, "dice table", "test scouts", "34", "dice app", "phase", "end turn", "begin turn .")
LANDING = ("muster soldier", "muster warrior side aliens")
ROUND = (*LANDING, "begin round .")

WORDS: dict[str, dict[str, tuple[tuple[str, ...], str]]] = {
    "suppression-fire": {
        "declare": (FIRE[:-1], "declare scouts by dire avengers at 12 guns catapult 4"),
        "test": (FIRE, "test scouts"),
        "reroll_test": (MARINES[: MARINES.index("dice app") + 1], "reroll test because a banner stands near"),
        "move": (FIELD, "move dire avengers"),
        "run": ((*FIELD, "phase"), "run dire avengers"),
        "shoot": ((*FIELD, "phase"), "shoot dire avengers"),
        "assault": ((*FIELD, "phase", "phase"), "assault dire avengers"),
        "embark": ((*FIELD, "end turn", "begin turn Marines"), "embark scouts into rhino"),
        "disembark": (
            (*FIELD, "end turn", "begin turn .", "embark scouts .", *("end turn", "begin turn .") * 2),
            "disembark scouts",
        ),
        "fire_from_vehicle": (
            (*FIELD, "end turn", "begin turn Marines", "embark scouts rhino", "phase"),
            "fire from vehicle scouts firing models 2",
        ),
        "other": (FIELD, "other dire avengers"),
        "casualties": (MARINES, "casualties dire-avengers 3 contributors 3"),
        "wounds": (FIELD, "wounds scouts 1 group sergeant"),
        "line_of_sight": (FIRE, "line of sight scouts clear no"),
        "status": (FIELD, "status scouts gone to ground on"),
        "begin_turn": (FIELD[:-1], "begin turn Marines"),
        "phase": (FIELD, "phase"),
        "end_turn": (FIELD, "end turn"),
        "muster": ((), 'muster own name "Big Guns" side Marines groups 2'),
        "copy": (FIELD, 'copy scouts name "Scouts of the Left" side Marines'),
        "amend": (FIELD, 'amend scouts name "Old Hands" more leadership scouts 10'),
        "dismiss": (FIELD, "dismiss rhino"),
        "restore": ((*FIELD, "casualties scouts 2 group scouts"), "restore scouts models 1"),
        "score": (FIELD, "score Eldar -3"),
        "note": (FIELD, "note the scouts by the river hold \"on\" to it, and at 12 wait."),
        "mission": (FIELD, "mission take the farm, by all means"),
        "end_battle": (FIELD, "end battle winner Eldar because the marines fled"),
    },
    "gray-dawn": {
        "covering_fire": (ROUND, "covering fire soldier at alien with rifle burst count 2 at 30"),
        "lane": (ROUND, "lane soldier saturation named B rounds 20 width 2.5 inside alien range 40"),
        "check": ((*ROUND, "points alien 2 ."), "check alien warrior"),
        "aimed_fire": (ROUND, "aimed fire soldier at alien with rifle rounds 2"),
        "melee": (ROUND, "melee soldier"),
        "move": (ROUND, "move alien warrior"),
        "emerge": (ROUND, "emerge alien"),
        "cross": ((*ROUND, "lane soldier saturation"), "cross alien through A by dodge"),
        "lean_out": (ROUND, "lean out alien"),
        "reload": ((*ROUND, "set soldier loaded rifle 3"), "reload soldier rifle"),
        "other": (ROUND, "other soldier"),
        "stance": (ROUND, "stance alien bracing"),
        "cover": (ROUND, "cover alien 5"),
        "position": (ROUND, "position alien 3 4.25"),
        "spot": (ROUND, "spot soldier alien"),
        "points": (ROUND, "points alien 3 because a wall fell"),
        "wound": (ROUND, "wound alien 2 out"),
        "set": (ROUND, "set alien initiative 12 points 1 wounds 2 loaded rifle 5 because of a slip"),
        "begin_round": (LANDING, "begin round lightning soldier and alien"),
        "end_round": (ROUND, "end round"),
        "muster": ((), "muster own name Vega side aliens somewhere x 1"),
        "copy": (LANDING, "copy soldier ."),
        "amend": (LANDING, "amend soldier more ref 9 sp head 20"),
        "dismiss": (LANDING, "dismiss alien"),
        "score": (LANDING, "score xcom 2"),
        "note": (LANDING, "note text"),
        "mission": (LANDING, "mission hold out"),
        "end_battle": (ROUND, "end battle nobody"),
    },
}  # fmt: skip
"""Of each action what goes before, and the line that gives its order."""

ANSWERED = {("muster", "gray-dawn"), ("aimed_fire", "gray-dawn"), ("cross", "gray-dawn")}


def made(folder: Path, rules: str) -> Path:
    path = folder / "words.battle.jsonl"
    create(path, rules=rules, sides=SIDES[rules], seed="words")
    return path


def every_action() -> list[tuple[str, Action]]:
    return [(rules, action) for rules in RULE_SETS for action in rule_set(rules).actions]


def named(each: tuple[str, Action]) -> str:
    return f"{each[0]} {each[1].name}"


class Answering(Typist):
    """Types the lines, and takes the first answer wherever something is asked behind the last of them."""

    def _read(self) -> str | None:
        line = super()._read()
        if line is None and self.told[-1].startswith("Answer "):
            return "1"
        return line


@pytest.mark.parametrize("each", every_action(), ids=named)
def test_every_order_can_be_given_in_words(each: tuple[str, Action], tmp_path: Path) -> None:
    """Whoever adds an order to a rule set's table adds the words for it here."""
    rules, action = each
    before, line = WORDS[rules][action.name]
    path = made(tmp_path, rules)
    talk = Answering([*before, line])
    with OpenBattle.open(path) as battle:
        Session(battle, talk).run()
        last = battle.history.entries[-1]
        refused = [told for told in talk.told if told.startswith("Refused")]
        assert not refused
        assert isinstance(last, OrderEntry)
        order = last.order
    assert order.__struct_config__.tag == action.order
    for field, value in action.fixed.items():
        assert getattr(order, field) == value


def order_of(path: Path) -> Any:
    with OpenBattle.open(path, read_only=True) as battle:
        entry = battle.history.entries[-1]
        assert isinstance(entry, OrderEntry)
        return entry.order


@pytest.mark.parametrize(
    ("rules", "action", "told"),
    [
        ("suppression-fire", "casualties", {"models": 3, "contributors": 3, "unit": "dire-avengers"}),
        ("suppression-fire", "note", {"text": 'the scouts by the river hold "on" to it, and at 12 wait.'}),
        ("suppression-fire", "score", {"side": "Eldar", "points": -3}),
        ("suppression-fire", "end_battle", {"winner": "Eldar", "reason": "the marines fled"}),
        ("suppression-fire", "status", {"unit": "scouts", "status": "gone_to_ground", "on": True}),
        ("suppression-fire", "line_of_sight", {"suppressor": "dire-avengers", "target": "scouts", "clear": False}),
        ("suppression-fire", "fire_from_vehicle", {"firing_models": 2}),
        ("suppression-fire", "wounds", {"group": "sergeant", "wounds": 1}),
        ("gray-dawn", "begin_round", {"lightning": ("soldier", "alien-warrior")}),
        ("gray-dawn", "lane", {"kind": "saturation", "name": "B", "rounds": 20, "width": 2.5}),
        ("gray-dawn", "set", {"initiative": 12, "points": 1, "wounds": 2, "reason": "of a slip"}),
        ("gray-dawn", "wound", {"points": 2, "out": True}),
        ("gray-dawn", "position", {"at": (3, 4.25)}),
        ("gray-dawn", "end_battle", {"winner": None}),
        ("gray-dawn", "note", {"text": "text"}),
    ],
)  # fmt: skip
def test_words_mean_what_they_say(rules: str, action: str, told: dict[str, Any], tmp_path: Path) -> None:
    before, line = WORDS[rules][action]
    path = made(tmp_path, rules)
    assert script(path, [*before, line]).status == 0
    order = order_of(path)
    assert {field: getattr(order, field) for field in told} == told


def test_a_declaration_with_guns_and_ranges(tmp_path: Path) -> None:
    """Fields about members of a list mean those named last; `and` goes on with the list."""
    path = made(tmp_path, "suppression-fire")
    lines = [*FIELD[:2], "copy dire side Eldar name Sentinels", "begin turn Eldar", "phase"]
    lines.append("declare scouts by dire avengers at 12 and sentinels range 10.5 sight no")
    ran = script(path, lines)
    assert ran.status == 1
    assert "Line 6 refused: " in ran.out
    assert script(path, [lines[-1].replace(" sight no", " sight yes")]).status == 0
    by = order_of(path).by
    assert [(each.unit, each.range) for each in by] == [("dire-avengers", 12), ("sentinels", 10.5)]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_word_has_two_meanings(rules: str) -> None:
    assert clashes(rule_set(rules)) == []
    assert set(WORDS[rules]) == {action.name for action in rule_set(rules).actions}
    names = [plain_word(action.name) for action in rule_set(rules).actions]
    assert len(set(names)) == len(names)
    verbs = verbs_of(rule_set(rules))
    for phrase in rule_set(rules).spoken.phrases:
        assert verbs[plain_word(phrase.verb)].given == phrase.given


@pytest.mark.parametrize("rules", RULE_SETS)
def test_clauses_of_fields_are_in_the_rulebook(rules: str) -> None:
    ours = rule_set(rules)
    orders = {action.order for action in ours.actions}
    numbers = {clause.number for clause in ours.clauses}
    assert set(ours.spoken.clauses.values()) <= numbers
    assert {name.partition(".")[0] for name in ours.spoken.clauses} <= orders


class Curious(Typist):
    """Asks what every question is about, then takes the default, or the first answer where there is none."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.questions: list[str] = []
        self.explained: list[list[str]] = []
        self._step = 0
        self._from = 0

    def _read(self) -> str | None:
        new = self.told[self._from :]
        self._from = len(self.told)
        asked = next((line for line in reversed(new) if "? " in line and not line.startswith("Entry")), "")
        if self._step == 0 and not asked:
            return super()._read()
        if self._step == 0:
            self.questions.append(asked)
        elif self._step == 1:
            self.explained.append(new)
        elif not any(line.startswith(("There is no default", "no ", "There")) for line in new):
            self._step = 0
            return self._read_again(new)
        self._step += 1
        return ("?", "", "1", "7", "cancel")[min(self._step - 1, 4)]

    def _read_again(self, new: list[str]) -> str | None:
        self._from -= len(new)
        return self._read()


@pytest.mark.parametrize("each", every_action(), ids=named)
def test_every_question_says_what_it_is_about(each: tuple[str, Action], tmp_path: Path) -> None:
    """`?` tells what may be answered; where the rules speak of it, with the clause."""
    rules, action = each
    before, line = WORDS[rules][action.name]
    path = made(tmp_path, rules)
    typed(path, *before)
    unit = " " + line.removeprefix(plain_word(action.name)).split()[0] if action.about == "unit" else ""
    talk = Curious([f"{plain_word(action.name)}{unit} ?"])
    with OpenBattle.open(path) as battle:
        Session(battle, talk).run()
    assert len(talk.explained) == len(talk.questions)
    for question, told in zip(talk.questions, talk.explained, strict=True):
        assert any(line.startswith(("Answer", "Or:")) for line in told) or "Dice?" in question, question
    known = rule_set(rules).spoken.clauses
    if action.order in known:
        for question, told in zip(talk.questions, talk.explained, strict=True):
            assert any(f"{clause.number}, " in line for clause in rule_set(rules).clauses for line in told), question


def test_a_third_rule_set_needs_no_words_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a rule set gives to screens is all that the line mode needs."""
    monkeypatch.setitem(RULE_SETS, "lanterns", "tests.small_screen_rules")
    path = tmp_path / "night.battle.jsonl"
    create(path, rules="lanterns", sides=("one", "two"), seed="words")
    lines = [
        "place storm name Tall oil 5",
        "place plain two 4 name Short",
        "light tall",
        "pour short by tall distance 3",
        "1",
    ]
    ran = script(path, [*lines, "pour oil short by tall 13", "would place plain name Thin", "dawn"])
    assert ran.status == 1
    assert "Line 6 refused: nobody pours over 13 paces (LN-2)." in ran.out
    assert "Would be: Thin is placed." in ran.out
    with OpenBattle.open(path, read_only=True) as battle:
        assert [lantern.name for lantern in battle.history.state.lanterns] == ["Tall", "Short"]
        assert battle.history.state.night == 2
    assert LANTERNS.spoken.phrases == ()


@pytest.mark.parametrize(
    ("rules", "line", "told"),
    [
        ("suppression-fire", "pin scouts", {"unit": "scouts", "status": "pinned", "on": True}),
        ("suppression-fire", "unpin scouts", {"unit": "scouts", "status": "pinned", "on": False}),
        ("suppression-fire", "destroy rhino", {"unit": "rhino", "status": "destroyed", "on": True}),
        ("suppression-fire", "brave dire", {"unit": "dire-avengers", "action": "other"}),
        ("suppression-fire", "mark scouts shaken", {"status": "shaken", "on": True}),
        ("gray-dawn", "take cover alien", {"combatant": "alien-warrior", "stance": "full_cover"}),
        ("gray-dawn", "put out alien", {"combatant": "alien-warrior", "points": 0, "out": True}),
        ("gray-dawn", "aimed soldier", {"combatant": "soldier", "action": "aimed_fire"}),
    ],
)
def test_further_verbs(rules: str, line: str, told: dict[str, Any], tmp_path: Path) -> None:
    """Phrases of the rule set, words of the key bar, and beginnings that no other verb has."""
    before = {"suppression-fire": FIELD, "gray-dawn": ROUND}[rules]
    path = made(tmp_path, rules)
    talk = Answering([*before, f"{line} ."])
    with OpenBattle.open(path) as battle:
        Session(battle, talk).run()
    order = order_of(path)
    assert {field: getattr(order, field) for field in told} == told
