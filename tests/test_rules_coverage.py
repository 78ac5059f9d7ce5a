"""Every clause and each of its sentences is written and tested somewhere; the page that says where is up to date."""

from __future__ import annotations

import pytest

from engine.registered import RULE_SETS, rule_set
from engine.ruleset import Clause
from tests.rules_coverage import (
    PAGE,
    Sentence,
    all_proven,
    clauses_named,
    complaints,
    gathered,
    page,
    sentences,
    sources,
    told_of,
    written,
)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_clause_is_written_and_tested(name: str) -> None:
    code, tests = gathered(written(RULE_SETS[name])), all_proven()
    numbers = [clause.number for clause in rule_set(name).clauses]
    assert [number for number in numbers if number not in code] == []
    assert [number for number in numbers if number not in tests] == []


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_sentence_is_written_and_tested(name: str) -> None:
    code, tests, told = gathered(written(RULE_SETS[name])), all_proven(), told_of(name)
    clauses = rule_set(name).clauses
    assert list(told) == [clause.number for clause in clauses]
    assert [wrong for clause in clauses for wrong in complaints(clause, told[clause.number], code, tests)] == []


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_sentence_of_the_source_is_held_by_sentences_there_are(name: str) -> None:
    there = {f"{c.number}.{at}" for c in rule_set(name).clauses for at in range(1, len(sentences(c)) + 1)}
    assert [(where, held) for where, _, held in sources(name) if not there.issuperset(held)] == []


CLAUSE = Clause(number="SF-99", chapter="", title="", text='Reach is 6" or less. It is 2+ at best.')
TOLD = [
    Sentence("Reach is", ["guns.reach"], ["test_a.test_b"]),
    Sentence("It is 2+", ["guns.reach"], ["test_a.test_b"]),
]


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (TOLD, []),
        (TOLD[:1], ["SF-99 has 2 sentences, 1 are told of"]),
        ([TOLD[0], TOLD[0]], ["SF-99.2 does not begin with: Reach is"]),
        ([TOLD[0], TOLD[1]._replace(written=[])], ["SF-99.2 is written or tested nowhere"]),
        ([TOLD[0], TOLD[1]._replace(tested=[])], ["SF-99.2 is written or tested nowhere"]),
        ([TOLD[0]._replace(written=["guns.ban"]), TOLD[1]], ["SF-99.1: guns.ban does not name SF-99"]),
        ([TOLD[0], TOLD[1]._replace(tested=["test_a.test_c"])], ["SF-99.2: test_a.test_c does not name SF-99"]),
    ],
)
def test_what_is_told_of_a_sentence_is_held_against_it(told: list[Sentence], wrong: list[str]) -> None:
    places = {"SF-99": ["guns.reach"]}, {"SF-99": ["test_a.test_b"]}
    assert list(complaints(CLAUSE, told, *places)) == wrong


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run python -m tests.rules_coverage"


def test_spans_are_taken_in_full() -> None:
    assert clauses_named("SF-1 to SF-3, GD-7 and SF-10 to 12") == {
        "SF-1", "SF-2", "SF-3", "GD-7", "SF-10", "SF-11", "SF-12",
    }  # fmt: skip
