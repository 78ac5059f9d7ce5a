"""`headsdown list`, `trash`, `rules` and `keys`: what can be looked up without a battle."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from shlex import quote

from engine.refusals import Refusal
from engine.registered import broken_rule_sets, rule_set, rule_sets
from engine.wording import clean
from tui import plain
from tui.commands.output import although_unheard, print_json, print_lines, say
from tui.endings import BAD_FILE, DONE, WrongUsage, tell


def list_battles(args: Namespace) -> int:
    from saves.library import battles, default_folder

    folder = Path(args.folder) if args.folder is not None else None
    shelved = battles(folder)
    if args.json:
        print_json(shelved)
    else:
        print_lines(plain.library_lines(shelved, folder or default_folder()))
    return DONE


def trash(args: Namespace) -> int:
    from saves.library import default_folder
    from saves.moving import trash_of
    from tui.trash_command import in_trash, take_back, throw_away

    if args.name is None:
        if args.back:
            raise WrongUsage("headsdown trash: --back needs the name of a battle; headsdown trash lists them")
        lying = in_trash()
        if args.json:
            print_json(lying)
        else:
            print_lines(plain.library_lines(lying, trash_of(default_folder()), "The trash is empty."))
        return DONE
    moved = take_back(args.name) if args.back else throw_away(args.name)
    with although_unheard(f"{moved.file} lies in {moved.moved_to} now"):
        if args.json:
            print_json(moved)
        else:
            print(clean(f"moved {moved.file} to {moved.moved_to}"))
            if not args.back:
                print(clean(f"headsdown trash --back {quote(moved.moved_to)} takes it back"))
    return DONE


def rules(args: Namespace) -> int:
    if args.rules is None:
        print_lines(plain.rule_set_lines(list(rule_sets())))
        for why in broken_rule_sets():
            tell(f"headsdown: {why}")
        return DONE
    try:
        rules = rule_set(args.rules)
    except Refusal as refusal:
        raise WrongUsage(f"headsdown rules: {refusal.message}") from None
    clauses = rules.clauses
    if args.clause is not None:
        clauses = tuple(clause for clause in clauses if clause.number.lower() == args.clause.lower())
        if not clauses:
            raise WrongUsage(
                f"headsdown rules: {rules.title} has no clause {args.clause}; headsdown rules {rules.name}"
            )
    print_lines(plain.clause_lines(clauses, plain.width_of_output()))
    return DONE


def keys(args: Namespace) -> int:
    from tui.key_list import key_lines, key_rows
    from tui.settings import read_settings

    settings = read_settings()
    if args.json:
        print_json(key_rows(settings))
    else:
        print_lines(key_lines(settings))
    for problem in settings.problems:
        say(problem)
    return BAD_FILE if settings.problems else DONE
