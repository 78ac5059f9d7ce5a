"""A player's settings: one file, read at the start; what is wrong in it is told, and never stops a battle."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.wording import clean
from tui.keymap import Keymap, read_keymap

FILE = "settings.toml"


class Settings(Struct, frozen=True):
    """What the settings file says: the keys, and what is wrong in it, a sentence each. `path` may not exist."""

    path: Path = Path(FILE)
    keymap: Keymap = Keymap()
    problems: tuple[str, ...] = ()


def settings_path() -> Path:
    """Where the settings are: in HEADSDOWN_HOME where that is set, else in the platform's folder for settings."""
    home = os.environ.get("HEADSDOWN_HOME")
    if home:
        return Path(os.path.expanduser(home)) / FILE
    from platformdirs import user_config_path

    return user_config_path("headsdown", appauthor=False) / FILE


def read_settings() -> Settings:
    """The settings as they are; a file that is not there says nothing. Raises nothing."""
    path = settings_path()
    if not os.path.lexists(path):
        return Settings(path, Keymap())
    import tomllib  # not before the first frame of those who have no settings

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(path, Keymap())
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        return Settings(path, Keymap(), (clean(f"{path}: cannot be read: {why}; the usual settings stay"),))
    keymap, problems = read_keymap(table.get("keys", {}))
    unknown = [f"{name}: there is no such setting; there is: keys" for name in table if name != "keys"]
    return Settings(path, keymap, tuple(clean(f"{path.name}: {problem}") for problem in (*unknown, *problems)))


def keymap_of(app: Any) -> Keymap:
    """The keymap of an app; ours where the app has none."""
    keymap = getattr(app, "keymap", None)
    return keymap if isinstance(keymap, Keymap) else Keymap()
