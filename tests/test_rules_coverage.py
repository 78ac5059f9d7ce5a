"""Every clause is written somewhere and tested somewhere, and the page that says where is up to date."""

from __future__ import annotations

import pytest

from engine.registered import RULE_SETS, rule_set
from tests.rules_coverage import PAGE, clauses_named, gathered, page, proven, written


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_clause_is_written_and_tested(name: str) -> None:
    code, tests = gathered(written(RULE_SETS[name])), gathered(proven())
    numbers = [clause.number for clause in rule_set(name).clauses]
    assert [number for number in numbers if number not in code] == []
    assert [number for number in numbers if number not in tests] == []


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run python -m tests.rules_coverage"


def test_spans_are_taken_in_full() -> None:
    assert clauses_named("SF-1 to SF-3, GD-7 and SF-10 to 12") == {
        "SF-1", "SF-2", "SF-3", "GD-7", "SF-10", "SF-11", "SF-12",
    }  # fmt: skip
