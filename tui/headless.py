"""The commands that work without a screen, and the way to those that need one.

Data goes to standard output, everything else to standard error. Only `open`, `demo` and the home screen load
Textual, and only at a terminal.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from engine.history import History
from engine.orders import odds_of, read_order
from engine.refusals import Refusal
from engine.registered import RULE_SETS, broken_rule_sets, rule_set, rule_sets
from engine.rolls import Rolled
from engine.seats import BOTH
from engine.verification import sealed_for_good
from engine.wording import clean, counted
from saves.battle import OpenBattle, create
from saves.faults import AlreadyThere, Busy, Fault
from saves.library import SUFFIX, found
from tui import plain
from tui.endings import BAD_FILE, BUSY, DONE, REFUSED, WRONG_USAGE, WrongUsage, mute, tell
from tui.given_orders import Given, Misplaced, given_orders, opened_orders


class Unheard(Fault):
    """Something was done, but standard output takes nothing any more."""


def run(args: Namespace) -> int:
    """Carry out a command as parsed; gives its exit status. What went wrong is said in one line."""
    try:
        if args.command != "new" and getattr(args, "file", None):
            args.file = found(args.file)
        return COMMANDS[args.command](args)
    except Fault as fault:
        _tell(str(fault))
        return _status_of(fault)
    except Refusal as refusal:
        if getattr(args, "json", False):
            _print_json({"refused": _refused(refusal)})
        _tell(f"{refusal.message} ({refusal.clause})")
        return REFUSED


def _status_of(fault: Fault) -> int:
    if isinstance(fault, AlreadyThere):
        return WRONG_USAGE
    return BUSY if isinstance(fault, Busy) else BAD_FILE


# Saying things

_JSON = msgspec.json.Encoder(decimal_format="number")


def _tell(message: str) -> None:
    tell(clean(f"headsdown: {message}"))


@contextmanager
def _although_unheard(what: str) -> Iterator[None]:
    """What is told within has been done and is safe on disk; say so where nobody can be told of it."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if sys.stdout is not None:
            mute(sys.stdout.fileno())
        why = "was closed" if isinstance(error, BrokenPipeError) else f"cannot be written: {error.strerror or error}"
        raise Unheard(f"standard output {why}; {what}") from None


def _print_lines(lines: Iterable[str]) -> None:
    print("\n".join(lines))


def _print_json(content: Any) -> None:
    _print_bytes(_JSON.encode(content))


def _print_bytes(line: bytes) -> None:
    """JSON is UTF-8 whatever the terminal speaks."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def _refused(refusal: Refusal) -> dict[str, str]:
    return {"clause": refusal.clause, "message": refusal.message}


def _ending(battle: OpenBattle) -> int:
    """Warn of what is wrong with the file; the status is that of a bad one unless a crash explains it."""
    if battle.warning:
        _tell(f"warning: {battle.warning}")
    return BAD_FILE if battle.problem and battle.problem.kind != "torn" else DONE


# Creating and applying orders


def _new(args: Namespace) -> int:
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
    with _although_unheard(f"{args.file} was created"):
        print(clean(f"created {args.file}: {rule_set(args.rules).title}, {' against '.join(args.side)}"))
        if not args.file.endswith(SUFFIX):
            print(f"list and the home screen show only names that end in {SUFFIX}")
    return DONE


def _play(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle, opened_orders(args.orders) as stream:
        before = len(battle.history.entries)
        args.by = _seated(battle, args)
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
        return _ending(battle)


def _apply(battle: OpenBattle, given: Given, args: Namespace) -> int:
    try:
        entry = battle.give(read_order(battle.history.rules, given.text), by=args.by)
    except Refusal as refusal:
        return _refuse(given.number, given.where, refusal, args)
    except Fault as fault:
        _tell(f"{given.where}: {fault}{_standing(given.number, args)}")
        return _status_of(fault)
    with _although_unheard(f"{given.where} stands as entry {entry.n}{_go_on(given.number + 1)}"):
        if args.json:
            rolls = [_played(row) for row in entry.rolls]
            _print_json({"order": given.number, "entry": entry.n, "events": entry.events, "rolls": rolls})
        else:
            _print_lines(plain.entry_lines(battle.history, entry))
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
    _tell(f"{where}: {refusal.message} ({refusal.clause}){_standing(number, args)}")
    if args.json:
        _print_json({"order": number, "refused": _refused(refusal)})
    return REFUSED


def _played(row: Rolled) -> dict[str, Any]:
    """A roll as `play --json` prints it: as recorded, and `needed` always there."""
    return {"needed": row.needed, **msgspec.to_builtins(row)}


# Going back and forth


def _undo(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.undo(by=_seated(battle, args))
        return _moved(battle, args, entry.n, "undone", battle.history.title(entry.of))


def _redo(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.redo(by=_seated(battle, args))
        return _moved(battle, args, entry.n, "redone", battle.history.title(entry.to))


def _goto(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.goto(args.number, by=_seated(battle, args))
        there = battle.history.title(entry.to) if entry.to else "the beginning"
        return _moved(battle, args, entry.n, "gone_to", there)


def _words(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.say_words(args.text, by=_seated(battle, args))
        return _sealing_done(battle, args, entry.n, "the words are said: the app can roll now")


def _reveal(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.reveal(by=_seated(battle, args))
        return _sealing_done(battle, args, entry.n, "revealed: headsdown verify can check every roll now")


def _seal(args: Namespace) -> int:
    with OpenBattle.open(args.file) as battle:
        entry = battle.seal(by=_seated(battle, args))
        lost = sealed_for_good(battle.history)
        told = f"; {counted(lost, 'roll')} so far cannot be checked any more" if lost else ""
        return _sealing_done(battle, args, entry.n, f"sealed anew: the other side has to say its words again{told}")


def _sealing_done(battle: OpenBattle, args: Namespace, entry: int, told: str) -> int:
    with _although_unheard(f"that stands as entry {entry}"):
        if args.json:
            _print_json({"entry": entry, "head": battle.history.head})
        else:
            _print_lines([told])
    return _ending(battle)


def _moved(battle: OpenBattle, args: Namespace, entry: int, how: str, title: str) -> int:
    history = battle.history
    with _although_unheard(f"it was done and stands as entry {entry}"):
        if args.json:
            _print_json({"entry": entry, "head": history.head, how: title})
        else:
            print(clean(f"{how.replace('_', ' ')}: {title}"))
            _print_lines(plain.next_lines(history))
    return _ending(battle)


# Looking


def _show(args: Namespace) -> int:
    with OpenBattle.open(args.file, read_only=True) as battle:
        history = battle.history if args.at is None else _as_of(battle.history, args.at)
        if args.json:
            _print_json(_shown(battle, history))
        else:
            _print_lines(plain.battle_lines(history, plain.heading(battle.path, battle.history), args.at))
        return _ending(battle)


def _as_of(history: History, number: int) -> History:
    """The history up to an entry; raises Refusal where there is none of that number."""
    history.head_after(number)
    earlier = History(history.header, history.rules)
    for entry in history.entries[:number]:
        earlier.take(entry)
    return earlier


def _shown(battle: OpenBattle, history: History) -> dict[str, Any]:
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


def _log(args: Namespace) -> int:
    with OpenBattle.open(args.file, read_only=True) as battle:
        history = battle.history
        if args.json:
            standing = set(history.path(history.head))
            for number, line in enumerate(battle.lines()):
                if number in standing or (args.all and number):
                    _print_bytes(line)
        else:
            _print_lines(plain.log_lines(history, plain.heading(battle.path, history), everything=args.all))
        return _ending(battle)


def _verify(args: Namespace) -> int:
    from saves.verifying import verify

    report = verify(args.file)
    if args.json:
        _print_json(report)
    else:
        _print_lines(plain.verify_lines(report))
    if report.ok:
        return DONE
    _tell(f"{report.message} [{report.kind}]")
    return BAD_FILE


def _repair(args: Namespace) -> int:
    from saves.repairing import repair

    repaired = repair(args.file, args.output)
    with _although_unheard(f"{args.output} was written"):
        if args.json:
            _print_json(repaired)
        else:
            _print_lines(plain.repair_lines(repaired))
    return DONE


def _odds(args: Namespace) -> int:
    if len(args.order) > 2:
        raise WrongUsage("headsdown odds: two orders can be compared, not more")
    with OpenBattle.open(args.file, read_only=True) as battle:
        history = battle.history
        orders = [read_order(history.rules, text) for text in args.order]
        odds = [odds_of(history, order) for order in orders]
        if args.json:
            _print_json(odds if len(odds) > 1 else odds[0])
        elif len(odds) > 1:
            _print_lines(plain.compared_lines(history, (orders[0], orders[1]), (odds[0], odds[1])))
        else:
            _print_lines(plain.odds_lines(history, orders[0], odds[0]))
        return _ending(battle)


# Army lists


def _import(args: Namespace) -> int:
    from tui.import_command import import_list, questions

    done = import_list(args)
    with _although_unheard(f"the list was imported as entry {done.entry}" if done.entry else done.why):
        if args.json:
            _print_json(done.told())
            return DONE
        _print_lines(done.lines())
        if args.dry_run:
            _print_lines(["", "Questions, as they stand", *questions(done.enlistment)])
        _print_lines(["", f"imported as entry {done.entry}" if done.entry else f"nothing was written: {done.why}"])
    return DONE


def _export_roster(args: Namespace) -> int:
    from saves.journal import create_file
    from tui.import_command import exported

    content = exported(args)
    if args.output is None:
        _print_bytes(content.removesuffix(b"\n"))
    else:
        create_file(Path(args.output), content)
        print(clean(f"wrote {args.output}"))
    return DONE


# Reports


def _report(args: Namespace) -> int:
    from saves.journal import create_file
    from saves.reports import ENDINGS, report_on

    with OpenBattle.open(args.file, read_only=True) as battle:
        ending = Path(args.output or "").suffix.lower()
        content = report_on(battle, args.format or ENDINGS.get(ending, "md"), anonymise=args.anonymise)
        if args.output is None:
            _print_bytes(content.removesuffix(b"\n"))
        else:
            create_file(Path(args.output), content)
            print(clean(f"wrote {args.output}"))
        return _ending(battle)


# Books


def _list(args: Namespace) -> int:
    from saves.library import battles, default_folder

    folder = Path(args.folder) if args.folder is not None else None
    shelved = battles(folder)
    if args.json:
        _print_json(shelved)
    else:
        _print_lines(plain.library_lines(shelved, folder or default_folder()))
    return DONE


def _trash(args: Namespace) -> int:
    from saves.library import default_folder
    from saves.moving import trash_of
    from tui.trash_command import in_trash, take_back, throw_away

    if args.name is None:
        if args.back:
            raise WrongUsage("headsdown trash: --back needs the name of a battle; headsdown trash lists them")
        lying = in_trash()
        if args.json:
            _print_json(lying)
        else:
            _print_lines(plain.library_lines(lying, trash_of(default_folder()), "The trash is empty."))
        return DONE
    moved = take_back(args.name) if args.back else throw_away(args.name)
    with _although_unheard(f"{moved.file} lies in {moved.moved_to} now"):
        if args.json:
            _print_json(moved)
        else:
            print(clean(f"moved {moved.file} to {moved.moved_to}"))
    return DONE


def _rules(args: Namespace) -> int:
    if args.rules is None:
        _print_lines(plain.rule_set_lines(list(rule_sets())))
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
    _print_lines(plain.clause_lines(clauses, plain.width_of_output()))
    return DONE


# Screens


def _at_a_terminal() -> bool:
    return _streams_to_people() and not _dumb()


def _streams_to_people() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def _open(args: Namespace) -> int:
    if args.plain:
        return _open_in_lines(args)
    if not _at_a_terminal():
        if not _streams_to_people():
            raise WrongUsage("headsdown open: this needs a terminal; --plain, show, log and play work without one")
        _tell("this terminal shows no screens, so this is the line mode, as with --plain")
        return _open_in_lines(args)
    if args.replay is not None:
        args.at, args.hides = max(0, args.replay), False
        return _replay(args)
    with OpenBattle.open(args.file, read_only=args.watch) as battle:
        from tui.app import run_battle

        return run_battle(battle, name=_seated(battle, args), watch=args.watch, guest=args.guest)


def _open_in_lines(args: Namespace) -> int:
    from tui.line_mode.session import run_in_lines

    with OpenBattle.open(args.file, read_only=args.watch) as battle:
        name = _seated(battle, args)
        with _although_unheard("what was ordered is in the battle"):
            return run_in_lines(battle, name=name, watch=args.watch, guest=args.guest)


def _replay(args: Namespace) -> int:
    """Look back; nothing is written, and no file opened for it, before somebody sets a bookmark or a note."""
    if not _at_a_terminal():
        raise WrongUsage("headsdown replay: this needs a terminal; show --at N and log --all work without one")
    with OpenBattle.open(args.file, read_only=True) as battle:
        from tui.app import run_replay

        watching = getattr(args, "watch", False)
        name = _seated(battle, args)
        guest = getattr(args, "guest", False)
        return run_replay(battle, args.at, name=name, watch=watching, hides=args.hides, guest=guest)


def _seated(battle: OpenBattle, args: Namespace) -> str:
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


def _serve(args: Namespace) -> int:
    from tui.serving.command import run as serve

    return serve(args)


def _demo(args: Namespace) -> int:
    from saves.library import copy_example, open_example

    name = _example(args.name)
    if not _at_a_terminal():
        with open_example(name) as battle:
            heading = plain.heading(battle.path, battle.history)
            _print_lines(plain.log_lines(battle.history, heading, everything=False))
            _print_lines(["", *plain.battle_lines(battle.history, "")])
            return _ending(battle)
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


def _home(args: Namespace) -> int:
    if not _at_a_terminal():
        raise WrongUsage("headsdown: the home screen needs a terminal; list and open --plain work without one")
    from tui.app import run_home

    return run_home()


def _keys(args: Namespace) -> int:
    from tui.key_list import key_lines, key_rows
    from tui.settings import read_settings

    settings = read_settings()
    if args.json:
        _print_json(key_rows(settings))
    else:
        _print_lines(key_lines(settings))
    for problem in settings.problems:
        _tell(problem)
    return BAD_FILE if settings.problems else DONE


def _doctor(args: Namespace) -> int:
    from tui.doctor import all_checks, check_lines

    found = all_checks()
    wrong = any(check.verdict == "wrong" for check in found)
    if args.json:
        _print_json({"ok": not wrong, "checks": found})
    else:
        _print_lines(map(clean, check_lines(found)))
    return BAD_FILE if wrong else DONE


COMMANDS: Mapping[str, Callable[[Namespace], int]] = {
    "home": _home,
    "new": _new,
    "open": _open,
    "replay": _replay,
    "demo": _demo,
    "play": _play,
    "show": _show,
    "log": _log,
    "undo": _undo,
    "redo": _redo,
    "goto": _goto,
    "words": _words,
    "reveal": _reveal,
    "seal": _seal,
    "verify": _verify,
    "repair": _repair,
    "odds": _odds,
    "import": _import,
    "export-roster": _export_roster,
    "report": _report,
    "keys": _keys,
    "doctor": _doctor,
    "list": _list,
    "serve": _serve,
    "trash": _trash,
    "rules": _rules,
}
