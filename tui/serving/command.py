"""`headsdown serve` as it is typed: reads what it needs, or says in one sentence what is missing."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from pathlib import Path

from saves.battle import OpenBattle
from tui.endings import DONE, WrongUsage

USUAL_PORT = 2222


def run(args: Namespace) -> int:
    """Serve a battle until somebody ends it; gives the exit status. Raises WrongUsage and faults of files."""
    try:
        import asyncssh  # noqa: F401  the one thing here that does not come with the program
    except ImportError:
        raise WrongUsage("headsdown serve: this needs asyncssh: pip install 'headsdown[ssh]'") from None
    from tui.serving.guest_book import GuestBook
    from tui.serving.host_key import host_key, usual_place
    from tui.serving.house import House, Terms
    from tui.serving.limits import Limits
    from tui.serving.server import serve

    address = listening_address(args.listen)
    with OpenBattle.open(args.file, read_only=True) as battle:
        sides = battle.history.header.sides
    limits = Limits(connections=args.connections, attempts=args.attempts, idle=args.idle)
    terms = Terms(Path(args.file), sides, Path(args.players), args.spectators, limits)
    book = GuestBook(Path(args.log) if args.log else None)
    try:
        house = House(terms, book)
        key = host_key(Path(args.host_key) if args.host_key else usual_place())
        asyncio.run(serve(house, address, key, book))
    finally:
        book.close()
    return DONE


def listening_address(text: str) -> tuple[str, int]:
    """HOST:PORT, [HOST]:PORT for an address with colons, HOST or :PORT; raises WrongUsage."""
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, port = text, str(USUAL_PORT)
    bracketed = host.startswith("[") and host.endswith("]")
    if not (port.isascii() and port.isdecimal() and int(port) <= 65535) or (":" in host and not bracketed):
        raise WrongUsage(f"headsdown serve: --listen {text[:60]}: write HOST:PORT, as in 127.0.0.1:{USUAL_PORT}")
    return host.strip("[]") or "127.0.0.1", int(port)
