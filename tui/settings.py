"""A player's settings: one file, read at the start; what is wrong in it is told, and never stops a battle."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from engine.wording import clean
from saves.faults import Unreadable
from tui.keymap import Keymap, read_keymap

FILE = "settings.toml"


KNOWN = ("theme", "keys")
"""The settings there are."""


USUAL_THEME = "dark"
"""The theme of those who chose none."""

THEME_TITLES = {
    "dark": "Dark",
    "light": "Light",
    "high-contrast": "High contrast",
    "red-green": "Told apart without red and green",
    "blue-yellow": "Told apart without blue and yellow",
}
"""The themes as people choose them, by name; what they look like stands in tui/themes.py."""


class Settings(Struct, frozen=True):
    """What the settings file says: keys, theme, and what is wrong in it, a sentence each. `path` may not exist.

    `theme` is empty where none is set.
    """

    path: Path = Path(FILE)
    keymap: Keymap = Keymap()
    problems: tuple[str, ...] = ()
    theme: str = ""


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
    known = " and ".join(KNOWN)
    unknown = [f"{name}: there is no such setting; there are: {known}" for name in table if name not in KNOWN]
    theme = table.get("theme", "")
    if theme not in ("", *THEME_TITLES):
        unknown.append(f"theme: there is no theme {str(theme)[:40]}; there are: {', '.join(THEME_TITLES)}")
        theme = ""
    told = tuple(clean(f"{path.name}: {problem}") for problem in (*unknown, *problems))
    return Settings(path, keymap, told, theme)


def save_theme(settings: Settings, theme: str) -> Settings:
    """Write the theme into the settings file, which else stays as it is; gives the settings as they are then.

    Raises Unreadable where the file cannot be written or makes no sense to begin with.
    """
    path = Path(os.path.realpath(settings.path))  # a link stays one
    kept = f"{settings.path}: the theme holds until you leave, but cannot be kept"
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = _with_theme(before, theme)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_text(after, encoding="utf-8")
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise Unreadable(f"{kept}: {error.strerror or error}") from None
    except ValueError as error:
        raise Unreadable(f"{kept}: {error}") from None
    return structs.replace(settings, theme=theme)


def _with_theme(text: str, theme: str) -> str:
    """The text of a settings file with another theme; raises ValueError where that would change anything else."""
    import tomllib

    before = tomllib.loads(text)
    lines = text.splitlines(keepends=True)
    first_table = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    line = f'theme = "{theme}"\n'
    at = next((at for at in range(first_table) if re.match(r"\s*[\"']?theme[\"']?\s*=", lines[at])), None)
    lines[: 0 if at is None else at + 1] = [line] if at is None else [*lines[:at], line]
    after = "".join(lines)
    if tomllib.loads(after) != before | {"theme": theme}:
        raise ValueError("set the theme there by hand")
    return after


def keymap_of(app: Any) -> Keymap:
    """The keymap of an app; ours where the app has none."""
    keymap = getattr(app, "keymap", None)
    return keymap if isinstance(keymap, Keymap) else Keymap()
