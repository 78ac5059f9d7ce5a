"""Where the program begins. Nearly everything is still to be loaded here, and Ctrl-C may come already."""

from __future__ import annotations

import gc
import sys

COLLECT_AFTER = 50_000
"""How many new objects there may be before Python looks for garbage: loading makes many and leaves hardly any."""


def main() -> int:
    """Run the command that was typed; gives its exit status."""
    gc.set_threshold(COLLECT_AFTER)
    try:
        from tui.command_line import main as run

        status = run()
    except KeyboardInterrupt:
        status = 130
    try:
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            # What is left is the interpreter's own tidying up.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
