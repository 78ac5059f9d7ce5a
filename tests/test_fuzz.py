"""20,000 inputs that nobody thought of, for the readers of journals and of orders; a million on demand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.orders import read_order
from engine.refusals import Refusal
from engine.registered import rule_set
from saves.faults import Fault
from saves.reading import Record
from saves.scan import scan
from tests.fuzzing import failures
from tests.small_saves import small_save

pytestmark = pytest.mark.usefixtures("counter")


@pytest.mark.parametrize("seed", range(8))
def test_20_000_inputs(seed: int) -> None:
    assert failures(2500, 1000 + seed) == {}


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(8))
def test_a_million_inputs(seed: int) -> None:
    assert failures(int(os.environ.get("HEADSDOWN_INPUTS", "125000")), 2000 + seed) == {}


@settings(max_examples=150, deadline=None)
@given(text=st.one_of(st.binary(max_size=400), st.text(max_size=200).map(lambda text: text.encode(errors="replace"))))
def test_any_bytes_at_all(text: bytes) -> None:
    """As an order, as a file, and behind a sound file."""
    for rules in ("suppression-fire", "gray-dawn"):
        with pytest.raises(Refusal):
            read_order(rule_set(rules), text)
    with pytest.raises(Fault):
        Record(Path("a"), scan(text))
    assert len(scan(small_save() + text).lines) == len(scan(small_save()).lines)
