"""The seat from which a command's orders are given."""

from __future__ import annotations

from argparse import Namespace

from engine.refusals import Refusal
from engine.seats import BOTH
from saves.battle import OpenBattle
from tui.endings import WrongUsage


def seated(battle: OpenBattle, args: Namespace) -> str:
    """Take the seat that was asked for; gives who orders, as the record names them: Anna (Eldar). Raises WrongUsage."""
    side = getattr(args, "side", None)
    if args.seat and side and args.seat != side:
        raise WrongUsage(f"headsdown {args.command}: --side {side} and --seat {args.seat} are two seats; name one")
    try:
        battle.sit(args.seat or side or BOTH)
    except Refusal as refusal:
        raise WrongUsage(f"headsdown {args.command}: {refusal.message}") from None
    if battle.seat == BOTH:
        return str(args.by)
    return f"{args.by} ({battle.seat})" if args.by else battle.seat
