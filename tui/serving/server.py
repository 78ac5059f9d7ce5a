"""The server itself: it listens, and ends without leaving anything behind."""

from __future__ import annotations

import asyncio
import logging
import signal

import asyncssh

from saves.faults import Unreadable
from tui.serving.door import Door
from tui.serving.guest_book import GuestBook
from tui.serving.house import House
from tui.serving.limits import PACKET, WINDOW

KEEPALIVE = 20.0
"""Seconds between questions to a client whether it is still there; three without an answer end it."""


async def serve(house: House, address: tuple[str, int], key: asyncssh.SSHKey, book: GuestBook) -> None:
    """Serve until SIGTERM, SIGINT or SIGHUP. Raises Unreadable where it cannot listen there."""
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
    host, port = address
    try:
        listening = await asyncssh.listen(
            host,
            port,
            server_factory=lambda: Door(house),
            server_host_keys=[key],
            config=None,
            public_key_auth=True,
            password_auth=False,
            kbdint_auth=False,
            host_based_auth=False,
            gss_host=None,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            line_editor=False,
            encoding=None,
            compression_algs=["zlib@openssh.com", "none"],
            login_timeout=house.limits.patience,
            keepalive_interval=KEEPALIVE,
            keepalive_count_max=3,
            window=WINDOW,
            max_pktsize=PACKET,
        )
    except OSError as error:
        raise Unreadable(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, told: book.write("fault", told=told.get("exception") or told["message"]))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup, say
            loop.add_signal_handler(number, stop.set)
    for socket in listening.sockets:
        own = socket.getsockname()
        book.write("listening", address=f"{own[0]}:{own[1]}", key=key.get_fingerprint())
    try:
        await stop.wait()
    finally:
        listening.close()
        await house.close()
        book.write("closed")
