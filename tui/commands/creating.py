"""`headsdown new`: a battle in which nothing has happened yet."""

from __future__ import annotations

from argparse import Namespace

from engine.refusals import Refusal
from engine.registered import rule_set
from engine.wording import clean
from saves.creating import create
from saves.library import SUFFIX
from tui.commands.output import although_unheard
from tui.endings import DONE, WrongUsage


def new(args: Namespace) -> int:
    switches = dict(args.switch)
    try:
        create(
            args.file,
            rules=args.rules,
            sides=args.side,
            switches=switches,
            seed=args.seed,
            dice=args.dice,
            name=args.name,
        )
    except Refusal as refusal:
        raise WrongUsage(f"headsdown new: {refusal.message}") from None
    with although_unheard(f"{args.file} was created"):
        print(clean(f"created {args.file}: {rule_set(args.rules).title}, {' against '.join(args.side)}"))
        if not args.file.endswith(SUFFIX):
            print(f"list and the home screen show only names that end in {SUFFIX}")
    return DONE
