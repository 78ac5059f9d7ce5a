"""`headsdown verify`, `repair` and `doctor`: whether files are sound, and the machine fit."""

from __future__ import annotations

from argparse import Namespace

from engine.wording import clean
from tui import plain
from tui.commands.output import although_unheard, print_json, print_lines, say
from tui.endings import BAD_FILE, DONE


def verify(args: Namespace) -> int:
    from saves.verifying import verify

    report = verify(args.file)
    if args.json:
        print_json(report)
    else:
        print_lines(plain.verify_lines(report))
    if report.ok:
        return DONE
    say(f"{report.message} [{report.kind}]")
    return BAD_FILE


def repair(args: Namespace) -> int:
    from saves.repairing import repair

    repaired = repair(args.file, args.output)
    with although_unheard(f"{args.output} was written"):
        if args.json:
            print_json(repaired)
        else:
            print_lines(plain.repair_lines(repaired))
    return DONE


def doctor(args: Namespace) -> int:
    from tui.doctor import all_checks, check_lines

    found = all_checks()
    wrong = any(check.verdict == "wrong" for check in found)
    if args.json:
        print_json({"ok": not wrong, "checks": found})
    else:
        print_lines(map(clean, check_lines(found)))
    return BAD_FILE if wrong else DONE
