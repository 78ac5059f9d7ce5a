"""The commands, each in the module that is about it, loaded when it is asked for: none waits for the others."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module

from engine.refusals import Refusal
from saves.faults import Fault
from saves.library import found
from tui.commands.output import print_json, refused, say, status_of
from tui.endings import REFUSED

COMMANDS = {
    "home": ("screens", "home"),
    "new": ("creating", "new"),
    "open": ("screens", "open_battle"),
    "replay": ("screens", "replay"),
    "demo": ("screens", "demo"),
    "play": ("playing", "play"),
    "show": ("looking", "show"),
    "log": ("looking", "log"),
    "undo": ("moving_the_head", "undo"),
    "redo": ("moving_the_head", "redo"),
    "goto": ("moving_the_head", "goto"),
    "words": ("sealing", "words"),
    "reveal": ("sealing", "reveal"),
    "seal": ("sealing", "seal"),
    "verify": ("checking", "verify"),
    "repair": ("checking", "repair"),
    "odds": ("looking", "odds"),
    "import": ("lists", "bring_in_list"),
    "export-roster": ("lists", "export_roster"),
    "report": ("looking", "report"),
    "keys": ("books", "keys"),
    "doctor": ("checking", "doctor"),
    "list": ("books", "list_battles"),
    "serve": ("screens", "serve"),
    "trash": ("books", "trash"),
    "rules": ("books", "rules"),
}
"""By command: its module and its function, which takes the arguments as parsed and gives the exit status."""


def run(args: Namespace) -> int:
    """Carry out a command as parsed; gives its exit status. What went wrong is said in one line."""
    try:
        if args.command != "new" and getattr(args, "file", None):
            args.file = found(args.file)
        module, function = COMMANDS[args.command]
        status: int = getattr(import_module(f"tui.commands.{module}"), function)(args)
    except Fault as fault:
        say(str(fault))
        return status_of(fault)
    except Refusal as refusal:
        if getattr(args, "json", False):
            print_json({"refused": refused(refusal)})
        say(f"{refusal.message} ({refusal.clause})")
        return REFUSED
    return status
