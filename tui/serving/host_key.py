"""The host key: what clients know the server by. Made on the first start, for its owner's eyes only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import asyncssh

from saves.faults import Unreadable
from tui.settings import settings_path

NAME = "ssh_host_ed25519_key"


def usual_place() -> Path:
    """Where the key is kept when nobody says: beside the settings."""
    return settings_path().with_name(NAME)


def host_key(path: Path) -> asyncssh.SSHKey:
    """The key in a file, made where there is none; raises Unreadable, also where others could read it."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return _made(path)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from None
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise Unreadable(f"{path} can be read by others, so it proves nothing any more: chmod 600, or make a new one")
    try:
        return asyncssh.read_private_key(path)
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from None
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError, ValueError):
        raise Unreadable(f"{path} is no private key without a passphrase; move it away and a new one is made") from None


def _made(path: Path) -> asyncssh.SSHKey:
    key = asyncssh.generate_private_key("ssh-ed25519", comment="headsdown serve")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "wb") as kept:
            kept.write(key.export_private_key())
            kept.flush()
            os.fsync(kept.fileno())
    except OSError as error:
        raise Unreadable(f"a host key cannot be kept in {path}: {error.strerror or error}") from None
    return key
