"""`headsdown doctor`: what the terminal, the settings, the folders and the saves are like, and what to do about it."""

from __future__ import annotations

import fcntl
import locale
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from engine import __version__
from engine.registered import OURS, broken_rule_sets, rule_sets
from saves.faults import Fault
from saves.library import battles, default_folder
from tui.settings import Settings, read_settings
from tui.sizes import LEAST, NORMAL

LEAST_FREE = 50 * 1024 * 1024
"""Bytes below which a disk is called nearly full; a long battle takes less than one of these 50 megabytes."""


class Check(Struct, frozen=True):
    """Something looked at: what about, what was found, how that is, and what to do.

    `verdict`: `ok`, `note` (worth knowing), `wrong` (something will not work).
    """

    about: str
    found: str
    verdict: str = "ok"
    advice: str = ""


def checks(environment: Mapping[str, str], stdin: TextIO | None, stdout: TextIO | None) -> Iterator[Check]:
    """Everything looked at, in the order in which it is told."""
    yield Check("program", f"headsdown {__version__}, Python {platform.python_version()}, {_libraries()}")
    yield from _rules()
    yield from _terminal(environment, stdin, stdout)
    yield from _keys(read_settings())
    yield from _folder()


def _libraries() -> str:
    return ", ".join(f"{name} {version(name)}" for name in ("textual", "msgspec"))


def _rules() -> Iterator[Check]:
    """Rule sets from elsewhere; without any there is nothing to tell."""
    added = [rules.title for rules in rule_sets() if rules.name not in OURS]
    if added:
        yield Check("rules", f"from elsewhere: {', '.join(added)}")
    for why in broken_rule_sets():
        yield Check("rules", why, "wrong", "mend that package, or take it away")


# The terminal


def _terminal(environment: Mapping[str, str], stdin: TextIO | None, stdout: TextIO | None) -> Iterator[Check]:
    yield _tty(stdin, stdout)
    yield _kind(environment)
    yield _size(stdout)
    yield _colours(environment)
    yield _letters(stdout)
    if environment.get("SSH_CONNECTION"):
        yield Check("connection", "over SSH", "ok", "ssh -C compresses what goes over the line, some twenty times")
    for name, what in (("TMUX", "tmux"), ("STY", "screen")):
        if environment.get(name):
            prefix = "ctrl+b" if what == "tmux" else "ctrl+a"
            yield Check("multiplexer", what, "ok", f"{prefix} is its own key and never reaches the program")


def _tty(stdin: TextIO | None, stdout: TextIO | None) -> Check:
    missing = [name for name, stream in (("input", stdin), ("output", stdout)) if stream is None or not stream.isatty()]
    if not missing:
        return Check("terminal", "input and output are a terminal")
    which = " and ".join(missing)
    return Check(
        "terminal",
        f"{which}: not a terminal",
        "note",
        "screens open on a terminal only; open --plain and the rest work",
    )


def _kind(environment: Mapping[str, str]) -> Check:
    term = environment.get("TERM", "")
    if term in ("", "dumb", "unknown"):
        return Check("TERM", term or "not set", "wrong", "set it to what your terminal is, such as xterm-256color")
    return Check("TERM", term)


def _size(stdout: TextIO | None) -> Check:
    try:
        size = os.get_terminal_size(stdout.fileno() if stdout is not None else -1)
    except (OSError, ValueError):
        return Check("size", "not known")
    shown = f"{size.columns} x {size.lines}"
    if size.columns < LEAST[0] or size.lines < LEAST[1]:
        return Check("size", shown, "wrong", f"make it {LEAST[0]} x {LEAST[1]} at least: below that no battle is shown")
    if size.columns < NORMAL[0] or size.lines < NORMAL[1]:
        return Check("size", shown, "note", f"from {NORMAL[0]} x {NORMAL[1]} on all three panes are open at once")
    return Check("size", shown)


def _colours(environment: Mapping[str, str]) -> Check:
    if "NO_COLOR" in environment:
        return Check("colours", "none: NO_COLOR is set", "ok", "marks, bold and reverse letters tell everything")
    if environment.get("COLORTERM", "").casefold() in ("truecolor", "24bit"):
        return Check("colours", "16 million")
    many = "256" in environment.get("TERM", "")
    advice = "COLORTERM=truecolor gives more, where the terminal can"
    if environment.get("SSH_CONNECTION"):
        advice += "; over SSH: SendEnv COLORTERM there, AcceptEnv COLORTERM here"
    return Check("colours", "256" if many else "16", "ok" if many else "note", advice)


def _letters(stdout: TextIO | None) -> Check:
    encoding = (getattr(stdout, "encoding", None) or locale.getpreferredencoding(False)).casefold()
    if encoding.replace("-", "") == "utf8":
        return Check("letters", "UTF-8")
    return Check("letters", encoding, "wrong", "names and frames need UTF-8: set LANG to C.UTF-8 or the like")


# Keys


def _keys(settings: Settings) -> Iterator[Check]:
    own = len(settings.keymap.own)
    there = f"{own} keys of your own" if settings.path.is_file() else "no file, the usual keys"
    if not settings.problems:
        yield Check("settings", f"{settings.path}: {there}")
    for problem in settings.problems:
        yield Check("settings", problem, "wrong", "headsdown keys lists actions and keys")


# Folders and saves


def _folder() -> Iterator[Check]:
    try:
        folder = default_folder()
    except Fault as fault:
        yield Check("battles", str(fault), "wrong")
        return
    if not folder.exists():
        yield Check("battles", f"{folder}: not there yet", "ok", "it is made with the first battle")
        return
    yield _writable(folder)
    yield _room(folder)
    try:
        yield from _saves(folder)
    except Fault as fault:
        yield Check("saves", str(fault), "wrong")


def _writable(folder: Path) -> Check:
    """Try what every order needs: a file, a lock on it, and a flush to the disk."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"headsdown")
            probe.flush()
            os.fsync(probe.fileno())
            fcntl.flock(probe.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        why = error.strerror or str(error)
        return Check(
            "battles", f"{folder}: {why}", "wrong", "no order can be saved there; HEADSDOWN_HOME names another"
        )
    return Check("battles", f"{folder}: can be written, locked and flushed")


def _room(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    shown = f"{free // (1024 * 1024)} MB free"
    return Check("disk", shown, "note" if free < LEAST_FREE else "ok", "make room soon" if free < LEAST_FREE else "")


def _saves(folder: Path) -> Iterator[Check]:
    shelved = battles(folder)
    damaged = [each for each in shelved if each.damaged or each.rules is None]
    yield Check("saves", f"{len(shelved)} battles, {len(damaged)} of them not sound")
    for each in damaged:
        yield Check("saves", f"{each.file}: {each.problem or 'damaged'}", "wrong", "headsdown verify tells more")


# Telling it

MARKS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


def check_lines(found: list[Check]) -> Iterator[str]:
    """What was found, for people: a line each, and below it what to do."""
    for check in found:
        yield f"{MARKS[check.verdict]}  {check.about:<12}{check.found}"
        if check.advice:
            yield f"{'':<19}{check.advice}"


def all_checks() -> list[Check]:
    """Everything looked at, here and now."""
    return list(checks(os.environ, sys.stdin, sys.stdout))
