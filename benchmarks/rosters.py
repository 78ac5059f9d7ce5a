"""Army lists: reading one of 700 KB and working out what would be mustered, held against parsing its XML alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from benchmarks.table import Measured
from engine.enlisting import enlisted, planned
from engine.registered import rule_set
from saves.armoury import armoury
from saves.rosters.reading import list_in
from tests.roster_files import F, S, watch, xml

SIZE = 700_000
UNITS = 77
"""Units of the list; the largest list known has 693 KB and 532 entries, most of it the words of rules."""

RUNS = 5


def large_list() -> bytes:
    """A list of that size: the list of the tests eleven times over, with words of rules until it is as large."""
    selections: list[S] = []
    words = "words of a rule " * ((SIZE // UNITS - 1200) // 16)
    number = 0
    while len(selections) < UNITS:
        for each in watch().selections:
            number += 1
            renamed(each, number)
            each.words = {**each.words, "Rule": words}
            selections.append(each)
    return xml(F(selections[:UNITS]))


def renamed(selection: S, number: int) -> None:
    """Give a selection and all inside it ids of their own."""
    selection.name = f"{selection.name} {number}"
    selection.id = f"{selection.id}{number}" if selection.id else ""
    for each in selection.inside:
        if each.id:
            each.id = f"{each.id}{number}"


def importing() -> Iterator[Measured]:
    """The time from the bytes of a large list to the order that musters it, and of its questions alone."""
    raw = large_list()
    rules = rule_set("suppression-fire")
    battle = rules.begin(("Red", "Blue"), {})
    catalogue = armoury(rules.armoury)
    army = list_in(raw, "large.ros")

    def whole() -> None:
        read = list_in(raw, "large.ros")
        made = enlisted(rules, battle, read, "Red", {}, catalogue)
        planned(rules, battle, read, "Red", made)

    def asked() -> None:
        made = enlisted(rules, battle, army, "Red", {}, catalogue)
        planned(rules, battle, army, "Red", made)

    ours, bare, again = best(whole), best(lambda: ElementTree.fromstring(raw)), best(asked)
    what = f"import a list of {len(raw) // 1000} KB, {len(army.units)} units"
    yield Measured(what, f"{ours:.3f} s", f"XML parsed {bare:.3f} s", ours / bare, "≤ 1 s", ours <= 1)
    yield Measured("a key in its form", f"{again * 1000:.0f} ms", "", None, "≤ 100 ms", again <= 0.1)


def best(measured: Callable[[], object]) -> float:
    """Seconds of the quickest of some runs."""
    times: list[float] = []
    for _ in range(RUNS):
        began = time.perf_counter()
        measured()
        times.append(time.perf_counter() - began)
    return min(times)
