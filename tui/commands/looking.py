"""`headsdown show`, `log`, `odds` and `report`: what there is to know of a battle."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.history import History
from engine.orders import odds_of, read_order
from engine.wording import clean
from saves.battle import OpenBattle
from tui import plain
from tui.commands.output import ending, print_bytes, print_json, print_lines
from tui.endings import WrongUsage


def show(args: Namespace) -> int:
    with OpenBattle.open(args.file, read_only=True) as battle:
        history = battle.history if args.at is None else _as_of(battle.history, args.at)
        if args.json:
            print_json(shown(battle, history))
        else:
            print_lines(plain.battle_lines(history, plain.heading(battle.path, battle.history), args.at))
        return ending(battle)


def _as_of(history: History, number: int) -> History:
    """The history up to an entry; raises Refusal where there is none of that number."""
    history.head_after(number)
    earlier = History(history.header, history.rules)
    for entry in history.entries[:number]:
        earlier.take(entry)
    return earlier


def shown(battle: OpenBattle, history: History) -> dict[str, Any]:
    shown: Mapping[str, Any] = history.rules.show(history.state)
    undo, redo = history.next_undo, history.next_redo
    return {
        "rules": history.header.rules,
        **shown,
        "name": history.header.name,
        "entries": len(battle.history.entries),
        "head": history.head,
        "mark": battle.head_mark,
        "sides": history.header.sides,
        "switches": history.header.switches,
        "dice": history.header.dice.mode,
        "parent": history.header.parent,
        "next_undo": history.title(undo) if undo else None,
        "next_redo": history.title(redo) if redo else None,
    }


def log(args: Namespace) -> int:
    with OpenBattle.open(args.file, read_only=True) as battle:
        history = battle.history
        if args.json:
            standing = set(history.path(history.head))
            for number, line in enumerate(battle.lines()):
                if number in standing or (args.all and number):
                    print_bytes(line)
        else:
            print_lines(plain.log_lines(history, plain.heading(battle.path, history), everything=args.all))
        return ending(battle)


def odds(args: Namespace) -> int:
    if len(args.order) > 2:
        raise WrongUsage("headsdown odds: two orders can be compared, not more")
    with OpenBattle.open(args.file, read_only=True) as battle:
        history = battle.history
        orders = [read_order(history.rules, text) for text in args.order]
        odds = [odds_of(history, order) for order in orders]
        if args.json:
            print_json(odds if len(odds) > 1 else odds[0])
        elif len(odds) > 1:
            print_lines(plain.compared_lines(history, (orders[0], orders[1]), (odds[0], odds[1])))
        else:
            print_lines(plain.odds_lines(history, orders[0], odds[0]))
        return ending(battle)


def report(args: Namespace) -> int:
    from saves.journal import create_file
    from saves.reports import ENDINGS, report_on

    with OpenBattle.open(args.file, read_only=True) as battle:
        suffix = Path(args.output or "").suffix.lower()
        if suffix and suffix not in ENDINGS and not args.format:
            there = ", ".join(ENDINGS)
            raise WrongUsage(f"headsdown report: {suffix} is no format; OUTPUT ends in {there}, or --format says it")
        content = report_on(battle, args.format or ENDINGS.get(suffix, "md"), anonymise=args.anonymise)
        if args.output is None:
            print_bytes(content.removesuffix(b"\n"))
        else:
            create_file(Path(args.output), content)
            print(clean(f"wrote {args.output}"))
        return ending(battle)
