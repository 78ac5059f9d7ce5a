"""Writes docs/plain.md: what the line mode is, its words, and a short session of each rule set as the program tells it.

`python -m tests.plain_page` writes it; `tests/test_plain_page.py` holds it against the program.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from saves.battle import OpenBattle
from saves.creating import create
from tests.line_mode import Typist
from tui.line_mode.commands import COMMANDS, HOW_IT_READS, IN_A_QUESTION
from tui.line_mode.session import Session

PAGE = Path(__file__).parent.parent / "docs" / "plain.md"

SESSIONS = {
    "Suppression Fire": (
        "suppression-fire",
        ("Eldar", "Marines"),
        (
            "muster dire avengers",
            "muster scouts side Marines",
            "begin turn Eldar",
            "phase",
            "odds declare scouts by dire avengers at 12",
            "declare scouts by dire avengers at 12",
            "dice table",
            "test scouts",
            "dice 3 4",
            "test scouts",
            "phase",
            "end turn",
            "begin turn",
            "casualties avengers",
            "?",
            "3",
            "why scouts",
            "move scouts .",
            "undo",
        ),
    ),
    "Gray Dawn": (
        "gray-dawn",
        ("xcom", "aliens"),
        (
            "muster soldier",
            "muster warrior side aliens",
            "begin round .",
            "would covering fire soldier at alien burst count 2 at 30",
            "covering fire soldier at alien burst count 2 at 30",
            "check alien",
            "show alien",
            "lane soldier",
            "end round",
            "head",
        ),
    ),
}


class Heard(Typist):
    """A session as it is read on paper: each line typed stands behind the prompt."""

    def _read(self) -> str | None:
        line = super()._read()
        if line is not None:
            self.told.append(f"> {line}".rstrip())
        return line


def session(rules: str, sides: tuple[str, ...], lines: tuple[str, ...]) -> list[str]:
    """What is said and typed when these lines are; marks of the head depend on the moment and are left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "friday.battle.jsonl"
        create(path, rules=rules, sides=sides, seed="plain")
        talk = Heard([*lines, "quit"])
        with OpenBattle.open(path) as battle:
            Session(battle, talk).run()
    told = [re.sub(r"^(Head \d+):[0-9a-f]{8}\.$", r"\1:xxxxxxxx.", line) for line in talk.told]
    return [line for line in told if not line.startswith("Saved.")]


def page() -> str:
    """The page as it should be."""
    lines = [
        "# The line mode",
        "",
        "`headsdown open BATTLE --plain` plays a battle in typed words: for screen readers, for terminals that can",
        "only print, and for scripts. One thought a line, the important first; nothing that was written changes.",
        "There are no boxes, columns, colours or control sequences. A terminal with `TERM=dumb` gets it by itself.",
        "Elsewhere lines can be edited and called back, and tab completes verbs and names.",
        "",
        "## How an order is typed",
        "",
        *(f"- {line}" for line in HOW_IT_READS),
        "- A field is named by its name, its label, or a preposition of the rules; `help declare` lists them.",
        "- Fields behind the names of a list are about those named last: `by avengers at 12 and rangers at 20`.",
        '- A text in quotes, or to the end of the line: `note all quiet`, `name "Old Hands" side Marines`.',
        "",
        "Where something is missing it is asked for. At a question:",
        "",
        *(f"- {line}" for line in IN_A_QUESTION),
        "",
        "Dice of the table are typed as on the screen, `34` or `dice 3 4` or `3x6 2x5`; `app`, `rest`, `back` and",
        "`cancel` work there too. Ctrl-C leaves a question, Ctrl-D the program.",
        "",
        "## Other words",
        "",
        "| say | for |",
        "| --- | --- |",
        *(f"| `{command.usage.replace(', ', '`, `')}` | {command.help} |" for command in COMMANDS),
        "",
        "## In a script",
        "",
        "Standard input may be a file or a pipe: the same words, one a line, and answers on the lines behind. A line",
        "that is refused is told with its number and the rest goes on; the exit status is then 1, and standard error",
        "says how many. A full stop behind an order keeps it from asking. What the file forbids ends the script (3",
        "or 4). `headsdown play` is for programs: it stops at the first order that is refused, and speaks JSON.",
    ]
    for title, (rules, sides, typed) in SESSIONS.items():
        lines += ["", f"## A session of {title}", "", "```", *session(rules, sides, typed), "```"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
