"""`headsdown undo`, `redo` and `goto`: back and forth in a battle."""

from __future__ import annotations

from argparse import Namespace

from engine.wording import clean
from saves.battle import OpenBattle
from tui import plain
from tui.commands.output import although_unheard, ending, print_json, print_lines
from tui.commands.seat import seated


def undo(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.undo(by=seated(battle, args))
        return _moved(battle, args, entry.n, "undone", battle.history.title(entry.of))


def redo(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.redo(by=seated(battle, args))
        return _moved(battle, args, entry.n, "redone", battle.history.title(entry.to))


def goto(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.goto(args.number, by=seated(battle, args))
        there = battle.history.title(entry.to) if entry.to else "the beginning"
        return _moved(battle, args, entry.n, "gone_to", there)


def _moved(battle: OpenBattle, args: Namespace, entry: int, how: str, title: str) -> int:
    history = battle.history
    with although_unheard(f"it was done and stands as entry {entry}"):
        if args.json:
            print_json({"entry": entry, "head": history.head, how: title})
        else:
            print(clean(f"{how.replace('_', ' ')}: {title}"))
            print_lines(plain.next_lines(history))
    return ending(battle)
