"""The command `headsdown`: its arguments, and what becomes of an error. The commands themselves are in `tui/commands`.

Only what a screen needs loads Textual, and help and wrong usage load no rules either.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from engine import __version__
from engine.wording import printable
from tui.endings import BAD_FILE, DONE, INTERRUPTED, WRONG_USAGE, WrongUsage, mute, tell

_LONGEST_NAME = 100


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise WrongUsage(f"{self.prog}: {message}; see {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` are the arguments, by default the program's own. Gives the exit status.

    0 done, 1 an order was refused, 2 wrong usage, 3 a file cannot be used, 4 somebody else is writing the battle.
    Errors go to standard error, one line each. With HEADSDOWN_DEBUG set an error of the program itself is raised.
    """
    _fill_low_descriptors()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except WrongUsage as wrong:
        return _fail(str(wrong), WRONG_USAGE)
    except SystemExit as end:  # argparse has shown help or the version
        return end.code if isinstance(end.code, int) else DONE
    except BrokenPipeError:
        _mute_output()
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if os.environ.get("HEADSDOWN_DEBUG"):
            raise
        _mute_output()
        return _fail(f"headsdown: cannot write or read: {error.strerror or error}", BAD_FILE)
    except Exception as bug:
        if os.environ.get("HEADSDOWN_DEBUG"):
            raise
        why = f"{type(bug).__name__}: {str(bug)[:200]}"
        return _fail(f"headsdown: an error of the program: {why}; HEADSDOWN_DEBUG=1 shows where", BAD_FILE)
    return status


def _run(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else argv
    # Whoever opens a battle does not wait until the program knows the words of all other commands.
    parser = _parser((_add_screens,)) if words and words[0] in _SCREENS else _parser()
    args = parser.parse_args(words)
    if args.command == "completion":
        from tui.completion import print_completion

        print_completion(args, parser)
        return DONE
    from tui import commands

    return commands.run(args)


def _fail(message: str, status: int) -> int:
    tell("".join(char if char.isprintable() else " " for char in message))
    return status


def _mute_output() -> None:
    try:
        mute(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return


def _fill_low_descriptors() -> None:
    """Where a standard stream is closed, the next file opened would take its number, and with it what is told there."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _parser(adding: Sequence[Callable[[_Commands[_Parser]], None]] | None = None) -> argparse.ArgumentParser:
    """The words of the command line: of all commands, or of those that the functions in `adding` add."""
    parser = _Parser(
        prog="headsdown",
        allow_abbrev=False,
        description="Track suppressing fire in tabletop battles. Without a command: the library of battles.",
        epilog="Battles are kept in your user data folder, or in HEADSDOWN_HOME. "
        "Exit status: 0 done, 1 order refused, 2 wrong usage, 3 file unusable, 4 battle busy.",
    )
    parser.add_argument("--version", action="version", version=f"headsdown {__version__}")
    parser.set_defaults(command="home")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    for add in adding or _ALL:
        add(commands)
    return parser


A_BATTLE = "the battle: a file, with or without .battle.jsonl, or a name in the library"

_Commands = argparse._SubParsersAction  # argparse has no public name for it


def _command(commands: _Commands[_Parser], name: str, text: str, *, file: str = A_BATTLE, json: bool = True) -> _Parser:
    parser = commands.add_parser(name, help=text, description=f"{text[:1].upper()}{text[1:]}.", allow_abbrev=False)
    parser.set_defaults(command=name)
    if file:
        parser.add_argument("file", metavar="FILE", help=file)
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_new(commands: _Commands[_Parser]) -> None:
    new = _command(commands, "new", "create a battle; never overwrites a file", file="the file to make", json=False)
    new.add_argument("--rules", required=True, metavar="RULES", help="the rule set (headsdown rules lists them)")
    new.add_argument("--side", action="append", required=True, metavar="SIDE", help="a side; once for each")
    new.add_argument("--name", default="", metavar="NAME", type=_name, help="the battle's name (default: the file's)")
    new.add_argument("--seed", metavar="TEXT", help="seed the dice by a text instead of by chance")
    new.add_argument("--dice", choices=("app", "table", "sealed"), default="app", help="who rolls (default: app)")
    new.add_argument("--switch", action="append", default=[], metavar="NAME=VALUE", type=_switch, help="a house rule")


def _add_screens(commands: _Commands[_Parser]) -> None:
    opening = _command(commands, "open", "play a battle on the screen", json=False)
    _add_as(opening)
    opening.add_argument("--side", metavar="SIDE", help="the side you play: the same as --seat SIDE")
    opening.add_argument("--watch", action="store_true", help="only look on, following what others do")
    opening.add_argument("--replay", nargs="?", const=-1, metavar="N", type=_number, help="look back, from entry N on")
    replay = _command(commands, "replay", "look at a battle from its beginning, entry by entry", json=False)
    replay.add_argument("--at", default=0, metavar="N", type=_number, help="begin after entry N")
    replay.add_argument("--spoiler-free", dest="hides", action="store_true", help="hide all that comes later")
    _add_as(replay)
    opening.add_argument("--plain", action="store_true", help="in typed words, line by line; without a terminal too")
    opening.add_argument("--guest", action="store_true", help="for somebody else at your machine: makes no other files")
    demo = _command(commands, "demo", "open a copy of a bundled battle", file="", json=False)
    demo.add_argument("name", nargs="?", metavar="NAME", help="which one")


def _add_play(commands: _Commands[_Parser]) -> None:
    play = _command(commands, "play", "apply orders from a file, one by one")
    play.add_argument(
        "--orders", required=True, metavar="ORDERS", help="JSON Lines or one JSON array; - is standard input"
    )
    play.add_argument(
        "--from", dest="start", default=1, metavar="N", type=_number, help="give them from order N on, as counted there"
    )
    _add_as(play)


def _add_show_and_log(commands: _Commands[_Parser]) -> None:
    show = _command(commands, "show", "print how things stand")
    show.add_argument("--at", metavar="N", type=_number, help="after entry N instead of now")
    log = _command(commands, "log", "print what happened, with every roll")
    log.add_argument("--all", action="store_true", help="also what was taken back")


def _add_moves(commands: _Commands[_Parser]) -> None:
    _add_as(_command(commands, "undo", "take the last order back"))
    _add_as(_command(commands, "redo", "bring back what was taken back last"))
    goto = _command(commands, "goto", "go to how things stood after an entry")
    goto.add_argument("number", metavar="N", type=_number, help="the entry's number; 0 is the empty battle")
    _add_as(goto)


def _add_sealed_dice(commands: _Commands[_Parser]) -> None:
    words = _command(commands, "words", "say the other side's words for sealed dice")
    words.add_argument("text", metavar="WORDS", help="whatever comes to mind: nobody can know the dice without them")
    _add_as(words)
    _add_as(_command(commands, "reveal", "reveal the secret of sealed dice, so that verify can check every roll"))
    _add_as(_command(commands, "seal", "seal the dice anew, where the secret was lost or revealed"))


def _add_checks(commands: _Commands[_Parser]) -> None:
    _command(commands, "verify", "check that a battle is whole and unaltered, and its dice and outcomes right")
    repair = _command(commands, "repair", "save all that is sound of a damaged battle into a new file")
    repair.add_argument("--output", required=True, metavar="NEW", help="the new file; FILE is left as it is")
    odds = _command(commands, "odds", "print the exact chances of what an order would roll, without rolling")
    odds.add_argument(
        "--order",
        action="append",
        required=True,
        metavar="ORDER",
        help="one order as JSON text; given twice, the two are compared",
    )


def _add_lists(commands: _Commands[_Parser]) -> None:
    taking = _command(commands, "import", "bring an army list into a battle", file="")
    taking.add_argument("roster", metavar="ROSTER", help="a .ros, .rosz, JSON, TOML, CSV or text file")
    taking.add_argument("--into", dest="file", required=True, metavar="FILE", help="the battle")
    taking.add_argument("--side", required=True, metavar="SIDE", help="the side whose list it is")
    taking.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=_answer,
        help="answer a question that the list leaves open (--dry-run lists them)",
    )
    taking.add_argument("--update", action="store_true", help="change what is new since this side's import before")
    taking.add_argument("--again", action="store_true", help="muster all of it, also where it was imported before")
    taking.add_argument("--dry-run", action="store_true", help="only tell what would be done")
    _add_as(taking)
    giving = _command(commands, "export-roster", "write a side's units as a roster file (TOML)", json=False)
    giving.add_argument("--side", required=True, metavar="SIDE", help="the side")
    giving.add_argument("--output", metavar="OUTPUT", help="into a new file instead of onto standard output")


def _answer(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise argparse.ArgumentTypeError(f"{text[:40]} is not NAME=VALUE")
    return name.strip(), value.strip()


def _add_report(commands: _Commands[_Parser]) -> None:
    report = _command(commands, "report", "write a battle report: turns, dice, luck, house rules", json=False)
    forms = ("md", "html", "json", "csv", "cast")
    report.add_argument(
        "--format", choices=forms, help="Markdown, a page, data, a table, or a recording (default: as OUTPUT ends, md)"
    )
    report.add_argument("--anonymise", action="store_true", help="replace names and free words")
    report.add_argument("--output", metavar="OUTPUT", help="into a new file instead of onto standard output")


def _add_serve(commands: _Commands[_Parser]) -> None:
    serve = _command(commands, "serve", "let others play and watch a battle over SSH (docs/ssh.md)", json=False)
    serve.add_argument(
        "--listen", default="127.0.0.1:2222", metavar="HOST:PORT", help="where to listen (default: 127.0.0.1:2222)"
    )
    serve.add_argument("--players", required=True, metavar="PLAYERS", help="a file of lines NAME SEAT KEY")
    serve.add_argument("--spectators", action="store_true", help="let whoever has any key look on")
    serve.add_argument("--host-key", metavar="KEY", help="the server's private key, made where there is none")
    serve.add_argument("--log", metavar="LOG", help="who came and left, to the end of this file (default: shown)")
    for name, usual, most, text in (
        ("connections", 40, 1000, "so many at once (default: 40)"),
        ("attempts", 20, 10_000, "so many of one address in a minute (default: 20)"),
        ("idle", 240, 100_000, "let go of who has not used it for so many minutes (default: 240)"),
    ):
        serve.add_argument(f"--{name}", default=usual, metavar="N", type=_count(most), help=text)


def _add_books(commands: _Commands[_Parser]) -> None:
    listing = _command(commands, "list", "print the battles in a folder", file="")
    listing.add_argument("folder", nargs="?", metavar="DIR", help="the folder (default: the library)")
    trash = _command(commands, "trash", "print what lies in the trash, or move a battle there", file="")
    trash.add_argument("name", nargs="?", metavar="FILE", help="the battle to throw away; nothing is ever removed")
    trash.add_argument("--back", action="store_true", help="take FILE back out of the trash instead")
    _command(commands, "keys", "print every action with its keys, and check your own", file="")
    _command(commands, "doctor", "report on terminal, colours, keys, folders and saves", file="")
    rules = _command(commands, "rules", "print the rulebook, clause by clause", file="", json=False)
    rules.add_argument("rules", nargs="?", metavar="RULES", help="the rule set (default: list them)")
    rules.add_argument("clause", nargs="?", metavar="CLAUSE", help="one clause only")
    shell = _command(commands, "completion", "print what a shell reads to complete with Tab", file="", json=False)
    shell.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    shell.add_argument("words", nargs=argparse.REMAINDER, metavar="...", help=argparse.SUPPRESS)


def _add_as(parser: _Parser) -> None:
    parser.add_argument("--as", dest="by", default="", metavar="NAME", type=_name, help="who gives the orders")
    parser.add_argument(
        "--seat",
        metavar="SEAT",
        type=_name,
        help="a side, both, umpire or spectator: which orders you may give (default: both)",
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise argparse.ArgumentTypeError(f"{text[:20]} is no entry number")
    return int(text)


def _count(most: int) -> Callable[[str], int]:
    """Reads a number from 1 to `most`."""

    def count(text: str) -> int:
        number = _number(text) if text.isascii() and text.isdecimal() else 0
        if not 1 <= number <= most:
            raise argparse.ArgumentTypeError(f"{text[:20]} is no number from 1 to {most}")
        return number

    return count


def _name(text: str) -> str:
    name = printable(text)
    if len(name) > _LONGEST_NAME:
        raise argparse.ArgumentTypeError(f"a name has at most {_LONGEST_NAME} characters")
    return name


def _switch(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text[:40]} is not NAME=VALUE")
    return name, value


_ALL = (
    _add_new,
    _add_screens,
    _add_play,
    _add_show_and_log,
    _add_moves,
    _add_sealed_dice,
    _add_checks,
    _add_lists,
    _add_report,
    _add_serve,
    _add_books,
)

_SCREENS = ("open", "replay", "demo")
"""The commands that `_add_screens` adds."""


if __name__ == "__main__":
    sys.exit(main())
