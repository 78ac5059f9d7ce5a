"""Saves of every released format, as that version wrote them, with what it said of them.

A folder of `tests/released/` is never touched again once its version is out. `python -m tests.released_saves FOLDER`
makes the one of the version at hand, `next` until it is out:
in FOLDER `NAME.battle.jsonl` and what was there to be shown, `NAME.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from engine.orders import read_order
from engine.sealed_dice import SEALED
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import copy_example, examples
from saves.secrets_kept import secret_file
from saves.verifying import verify

FOLDER = Path(__file__).parent / "released"


def told_of(path: Path) -> dict[str, Any]:
    """What a save comes to: where it stands, its state, and what `verify` finds."""
    with OpenBattle.open(path, read_only=True) as battle:
        history = battle.history
        told = {
            "mark": battle.head_mark,
            "head": history.head,
            "path": history.path(history.head),
            "state": history.rules.show(history.state),
            "verify": msgspec.structs.replace(verify(path), message=""),
        }
    made: dict[str, Any] = json.loads(msgspec.json.Encoder(decimal_format="number").encode(told))
    return made


def _with_every_kind_of_entry(path: Path) -> None:
    """Go on until every kind of entry is in the file."""
    with OpenBattle.open(path) as battle:
        battle.undo(by="Ann")
        battle.undo(by="Bob")
        battle.redo()
        battle.goto(20)
        battle.unmark(battle.bookmark(12, "the first fire").n)
        battle.bookmark(30, by="Ann")
    path.write_bytes(path.read_bytes() + b'{"k":"order",')
    with OpenBattle.open(path) as battle:
        battle.undo()
    for left in path.parent.glob("*.torn-*"):
        left.unlink()


def _of_people_apart(folder: Path) -> Path:
    """A battle with seats and sealed dice: one asks the other to take something back, the dice are sealed twice."""
    path = folder / "apart.battle.jsonl"
    create(
        path, rules="gray-dawn", sides=("Watch", "Visitors"), switches={"undo": "consent"}, seed="apart", dice=SEALED
    )
    with OpenBattle.open(path) as battle, OpenBattle.open(path) as other:
        battle.sit("Watch")
        other.sit("Visitors")
        other.say_words("three grey geese", by="Bob")
        for text in ("one", "two"):
            battle.give(read_order(battle.history.rules, json.dumps({"type": "note", "text": text})), by="Ann")
        battle.ask(battle.history.parent(battle.history.head), by="Ann")
        other.answer(True, by="Bob")
        battle.refresh()
        battle.reveal(by="Ann")
        battle.seal(by="Ann")
    secret_file(path).unlink()
    return path


def main() -> None:
    folder = Path(sys.argv[1])
    made = [copy_example(name, folder) for name in examples()]
    for path in made:
        _with_every_kind_of_entry(path)
    for path in (*made, _of_people_apart(folder)):
        path.with_suffix("").with_suffix(".json").write_text(json.dumps(told_of(path), indent=1) + "\n")


if __name__ == "__main__":
    main()
