"""`headsdown words`, `reveal` and `seal`: sealed dice."""

from __future__ import annotations

from argparse import Namespace

from engine.verification import sealed_for_good
from engine.wording import counted
from saves.battle import OpenBattle
from tui.commands.output import although_unheard, ending, print_json, print_lines
from tui.commands.seat import seated


def words(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.say_words(args.text, by=seated(battle, args))
        return _sealing_done(battle, args, entry.n, "the words are said: the app can roll now")


def reveal(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.reveal(by=seated(battle, args))
        return _sealing_done(battle, args, entry.n, "revealed: headsdown verify can check every roll now")


def seal(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.seal(by=seated(battle, args))
        lost = sealed_for_good(battle.history)
        told = f"; {counted(lost, 'roll')} so far cannot be checked any more" if lost else ""
        return _sealing_done(battle, args, entry.n, f"sealed anew: the other side has to say its words again{told}")


def _sealing_done(battle: OpenBattle, args: Namespace, entry: int, told: str) -> int:
    with although_unheard(f"that stands as entry {entry}"):
        if args.json:
            print_json({"entry": entry, "head": battle.history.head})
        else:
            print_lines([told])
    return ending(battle)
