"""The command line within this process: fast, and without a terminal."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple
from unittest.mock import patch

from tui.command_line import main


class Ran(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value printed."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The JSON values printed, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def headsdown(*argv: object, stdin: str | bytes = b"") -> Ran:
    """Run `headsdown` with these arguments and that standard input."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
    ):
        status = main([str(each) for each in argv])
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return Ran(status, texts[0], texts[1])
