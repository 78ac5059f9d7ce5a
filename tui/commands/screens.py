"""`headsdown open`, `replay`, `demo`, `serve` and the home screen: what takes the whole terminal.

Textual is loaded only here, and only at a terminal.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from engine.registered import RULE_SETS
from saves.battle import OpenBattle
from tui import plain
from tui.commands.output import although_unheard, ending, print_lines, say
from tui.commands.seat import seated
from tui.endings import WrongUsage


def at_a_terminal() -> bool:
    return streams_to_people() and not _dumb()


def streams_to_people() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def open_battle(args: Namespace) -> int:
    if args.plain:
        return _open_in_lines(args)
    if not at_a_terminal():
        if not streams_to_people():
            raise WrongUsage("headsdown open: this needs a terminal; --plain, show, log and play work without one")
        say("this terminal shows no screens, so this is the line mode, as with --plain")
        return _open_in_lines(args)
    if args.replay is not None:
        args.at, args.hides = max(0, args.replay), False
        return replay(args)
    with OpenBattle.open(args.file, read_only=args.watch) as battle:
        from tui.app import run_battle

        return run_battle(battle, name=seated(battle, args), watch=args.watch, guest=args.guest)


def _open_in_lines(args: Namespace) -> int:
    from tui.line_mode.session import run_in_lines

    with OpenBattle.open(args.file, read_only=args.watch) as battle:
        name = seated(battle, args)
        with although_unheard("what was ordered is in the battle"):
            return run_in_lines(battle, name=name, watch=args.watch, guest=args.guest)


def replay(args: Namespace) -> int:
    """Look back; nothing is written, and no file opened for it, before somebody sets a bookmark or a note."""
    if not at_a_terminal():
        raise WrongUsage("headsdown replay: this needs a terminal; show --at N and log --all work without one")
    with OpenBattle.open(args.file, read_only=True) as battle:
        from tui.app import run_replay

        watching = getattr(args, "watch", False)
        name = seated(battle, args)
        guest = getattr(args, "guest", False)
        return run_replay(battle, args.at, name=name, watch=watching, hides=args.hides, guest=guest)


def serve(args: Namespace) -> int:
    from tui.serving.command import run as serve

    return serve(args)


def demo(args: Namespace) -> int:
    from saves.library import copy_example, open_example

    name = _example(args.name)
    if not at_a_terminal():
        with open_example(name) as battle:
            heading = plain.heading(battle.path, battle.history)
            print_lines(plain.log_lines(battle.history, heading, everything=False))
            print_lines(["", *plain.battle_lines(battle.history, "")])
            return ending(battle)
    with OpenBattle.open(copy_example(name)) as battle:
        from tui.app import run_battle

        return run_battle(battle)


def _example(name: str | None) -> str:
    """The bundled battle of that name; without one, that of the first rule set that has one of its own name."""
    from saves.library import examples

    there = examples()
    if name in there:
        return name
    if name is not None or not there:
        names = ", ".join(there) or "none"
        raise WrongUsage(f"headsdown demo: there is no bundled battle {name or ''}; there are: {names}")
    return next((rules for rules in RULE_SETS if rules in there), there[0])


def home(args: Namespace) -> int:
    if not at_a_terminal():
        raise WrongUsage("headsdown: the home screen needs a terminal; list and open --plain work without one")
    from tui.app import run_home

    return run_home()
