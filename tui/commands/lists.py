"""`headsdown import` and `export-roster`: army lists into a battle and out of it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from engine.wording import clean
from tui.commands.output import although_unheard, print_bytes, print_json, print_lines
from tui.endings import DONE


def bring_in_list(args: Namespace) -> int:
    from tui.import_command import import_list, questions

    done = import_list(args)
    with although_unheard(f"the list was imported as entry {done.entry}" if done.entry else done.why):
        if args.json:
            print_json(done.told())
            return DONE
        print_lines(done.lines())
        asked = questions(done.enlistment) if args.dry_run else ()
        if asked:
            print_lines(["", "Questions, as they stand", *asked])
        print_lines(["", f"imported as entry {done.entry}" if done.entry else f"nothing was written: {done.why}"])
    return DONE


def export_roster(args: Namespace) -> int:
    from saves.journal import create_file
    from tui.import_command import exported

    content = exported(args)
    if args.output is None:
        print_bytes(content.removesuffix(b"\n"))
    else:
        create_file(Path(args.output), content)
        print(clean(f"wrote {args.output}"))
    return DONE
