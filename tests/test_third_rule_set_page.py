"""docs/a-third-rule-set.md shows the rule set as it is, whole: whoever types it in from there can play it."""

from __future__ import annotations

from pathlib import Path

from engine.registered import rule_set
from saves.creating import create
from saves.verifying import verify
from tests.test_third_rule_set import BATTLE, played
from tests.third_rule_set_page import PAGE, files, laid_out, shown_files, written_anew
from tests.third_rules import FOLDER, with_rules_in


def test_the_page_shows_every_file_as_it_is() -> None:
    """`python -m tests.third_rule_set_page` writes the code in it anew."""
    page = PAGE.read_text(encoding="utf-8")
    assert set(shown_files(page)) == files()
    assert page == written_anew(page)


def test_the_page_alone_is_enough_to_play(tmp_path: Path) -> None:
    """A folder made of nothing but what the page shows fights the same battle."""
    typed_in = tmp_path / "games"
    laid_out(PAGE.read_text(encoding="utf-8"), typed_in)
    told = []
    for folder in (typed_in, FOLDER):
        with with_rules_in(folder):
            rules = rule_set("firefight")
            assert Path(__import__(type(rules).__module__).__path__[0]).parent == folder
            path = tmp_path / f"{folder.name}.battle.jsonl"
            create(path, rules="firefight", sides=("Blue", "Red"), seed="hill", name="The hill")
            shown = played(path, *BATTLE, {"type": "suppress", "squad": "guns", "target": "militia"})
            told.append(shown["squads"])
            assert verify(path).ok
    assert told[0] == told[1]
