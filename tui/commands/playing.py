"""`headsdown play`: orders from a file or from standard input, one by one."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import msgspec

from engine.orders import read_order
from engine.refusals import Refusal
from engine.rolls import Rolled
from saves.battle import OpenBattle
from saves.faults import Fault
from tui import plain
from tui.commands.output import although_unheard, ending, print_json, print_lines, refused, say, status_of
from tui.commands.seat import seated
from tui.endings import DONE, REFUSED, WrongUsage
from tui.given_orders import Given, Misplaced, given_orders, opened_orders


def play(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle, opened_orders(args.orders) as stream:
        before = len(battle.history.entries)
        args.by = seated(battle, args)
        try:
            for given in given_orders(stream, args.orders):
                if given.number < args.start:
                    continue
                status = _apply(battle, given, args)
                if status != DONE:
                    return status
        except Misplaced as misplaced:
            return _refuse(misplaced.number, misplaced.where, misplaced.refusal, args)
        if len(battle.history.entries) == before and args.start > 1:
            raise WrongUsage(f"headsdown play: there is no order {args.start} in {args.orders}")
        return ending(battle)


def _apply(battle: OpenBattle, given: Given, args: Namespace) -> int:
    try:
        entry = battle.give(read_order(battle.history.rules, given.text), by=args.by)
    except Refusal as refusal:
        return _refuse(given.number, given.where, refusal, args)
    except Fault as fault:
        say(f"{given.where}: {fault}{_standing(given.number, args)}")
        return status_of(fault)
    with although_unheard(f"{given.where} stands as entry {entry.n}{_go_on(given.number + 1)}"):
        if args.json:
            rolls = [_played(row) for row in entry.rolls]
            print_json({"order": given.number, "entry": entry.n, "events": entry.events, "rolls": rolls})
        else:
            print_lines(plain.entry_lines(battle.history, entry))
    return DONE


def _standing(number: int, args: Namespace) -> str:
    """What has become of the orders before one that was not carried out, and how to go on."""
    first, last = args.start, number - 1
    if last < first:
        return ""
    which = f"order {last} stands" if last == first else f"orders {first} to {last} stand"
    return f"; {which}{_go_on(number)}"


def _go_on(number: int) -> str:
    return f", go on with --from {number}"


def _refuse(number: int, where: str, refusal: Refusal, args: Namespace) -> int:
    say(f"{where}: {refusal.message} ({refusal.clause}){_standing(number, args)}")
    if args.json:
        print_json({"order": number, "refused": refused(refusal)})
    return REFUSED


def _played(row: Rolled) -> dict[str, Any]:
    """A roll as `play --json` prints it: as recorded, and `needed` always there."""
    return {"needed": row.needed, **msgspec.to_builtins(row)}
