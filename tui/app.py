"""The Textual app around the screens: it opens the first one, minds the terminal's size, and ends cleanly."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.screen import Screen
from textual.worker import WorkerFailed

from engine.wording import clean
from saves.battle import OpenBattle
from saves.faults import Fault
from saves.library import default_folder
from tui.battle_screen import BattleScreen
from tui.endings import BAD_FILE, SAVED, how_to_open
from tui.hanging_up import heed_hang_up
from tui.key_bindings import bindings, textual_keymap
from tui.keymap import every_action
from tui.opening import BattleWanted, ReplayWanted
from tui.settings import USUAL_THEME, Settings, read_settings, save_theme
from tui.sizes import NORMAL
from tui.small_terminal import SmallTerminal, too_small
from tui.themes import SIXTEEN, THEMES
from tui.type_ahead import TypeAhead


class HeadsdownApp(App[int]):
    """Everything visible is a screen; this only holds them."""

    CSS_PATH = "headsdown.tcss"
    TITLE = "headsdown"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (NORMAL[0], "-normal"),
        (110, "-wide"),
        (160, "-huge"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (NORMAL[1], "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")

    def __init__(
        self, first: Callable[[], Screen[Any]], settings: Settings | None = None, *, guest: bool = False
    ) -> None:
        """A `guest` gets what is open and nothing else of this machine."""
        # The ANSI theme chosen later would be black on black without colours; chosen here it is not.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._first = first
        self.guest = guest
        self.bug: BaseException | None = None
        self._type_ahead = TypeAhead(self, super().on_event)
        self.animation_level = "none"
        for theme in THEMES:
            self.register_theme(theme)
        self.settings = settings or Settings()
        self.theme = self.settings.theme or USUAL_THEME
        self.keymap = self.settings.keymap
        if self.keymap.own:
            self.set_keymap(textual_keymap(self.keymap, every_action()))
        self._colours = self.get_css_variables()
        self.stylesheet.set_variables(self._colours)

    def get_default_screen(self) -> Screen[Any]:
        """What is shown first, laid out for the terminal from the start; the app ends when it is left."""
        first, (width, height) = self._first(), self.size
        for limits, cells in ((self.HORIZONTAL_BREAKPOINTS, width), (self.VERTICAL_BREAKPOINTS, height)):
            first.add_class([name for least, name in limits if least <= cells][-1])
        return first

    def refresh_css(self, animate: bool = True) -> None:
        """Read the styles again where the theme's colours have changed: at the start they have just been read."""
        colours = self.get_css_variables()
        if colours != self._colours:
            self._colours = colours
            super().refresh_css(animate)

    def use_sixteen_colours(self) -> None:
        """Take the themes in the sixteen colours that the terminal has; to be called before the app runs."""
        for theme in SIXTEEN:
            self.register_theme(theme)
        self.ansi_color = True

    def on_mount(self) -> None:
        if not self.is_headless:
            self._end_cleanly_on_signals()
        self.run_worker(self._type_ahead.run(), group="follow")

    def _end_cleanly_on_signals(self) -> None:
        """Asked to end from outside, leave the terminal as it was found; there is nothing to save."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            # Where a system has no such signals or no handlers for them, they end the program as they always do.
            with suppress(AttributeError, NotImplementedError):
                loop.add_signal_handler(getattr(signal, name), self.exit, 0)

    def on_resize(self, event: events.Resize) -> None:
        if too_small(event.size) and not isinstance(self.screen, SmallTerminal):
            self.push_screen(SmallTerminal())

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._type_ahead.add(event)
        else:
            await super().on_event(event)

    def on_replay_wanted(self, wanted: ReplayWanted) -> None:
        from tui.replay_screen import ReplayScreen  # which opens only at a key

        self.push_screen(ReplayScreen(wanted.battle, wanted.at, name=wanted.name, watch=wanted.watch))

    def on_battle_wanted(self, wanted: BattleWanted) -> None:
        self.push_screen(BattleScreen(wanted.battle, name=wanted.name), lambda _: wanted.battle.close())

    @property
    def busy(self) -> bool:
        """Whether keys that were pressed are not through yet."""
        return self._type_ahead.busy

    def action_leave(self) -> None:
        """Out, from wherever one is."""
        self.exit(0)

    def action_looks(self) -> None:
        """Let the player choose a theme, over whatever is on the screen; what is below keeps what was typed."""
        from tui.looks_screen import LooksScreen

        if isinstance(self.screen, SmallTerminal | LooksScreen):
            return
        self.push_screen(LooksScreen(self.theme, self._show_theme, self._keep_theme, not self.no_color))

    def _show_theme(self, name: str) -> None:
        self.theme = name

    def _keep_theme(self, name: str) -> None:
        self.theme = name
        if not self.guest:
            self.settings = save_theme(self.settings, name)

    def _handle_exception(self, error: Exception) -> None:
        self.bug = error.error if isinstance(error, WorkerFailed) else error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # A player is told one line, by `run`; the traceback goes into a file.
        self._close_messages_no_wait()


def run(app: HeadsdownApp) -> int:
    """Run the app; gives the exit status. A fault of the program is told in one line."""
    heed_hang_up()
    if app.console.color_system == "standard":
        app.use_sixteen_colours()
    app.run()
    if app.bug is not None:
        print(_bug_line(app.bug), file=sys.stderr)
        return BAD_FILE
    return app.return_code or app.return_value or 0


def _bug_line(bug: BaseException) -> str:
    what = f"headsdown: a fault of the program, not yours: {type(bug).__name__}: {clean(str(bug))[:200]}"
    try:
        where = default_folder() / "last-error.txt"
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text("".join(traceback.format_exception(bug)), encoding="utf-8")
    except (OSError, Fault):
        return f"{what}. Nothing is lost."
    return f"{what}. Nothing is lost; details are in {where}"


def run_battle(battle: OpenBattle, *, name: str = "", watch: bool = False, guest: bool = False) -> int:
    """Show a battle until the player leaves; gives the exit status. The battle is closed afterwards."""
    with battle:
        first = BattleScreen(battle, name=name, watch=watch)
        status = run(HeadsdownApp(lambda: first, read_settings(), guest=guest))
        if not status and battle.path.is_file():
            print(SAVED if guest else how_to_open(battle.path))
        return status


def run_replay(
    battle: OpenBattle,
    at: int,
    *,
    name: str = "",
    watch: bool = False,
    hides: bool = False,
    guest: bool = False,
) -> int:
    """Show the replay of a battle until it is left; gives the exit status. Raises Refusal where there is no entry `at`.

    The battle is closed afterwards.
    """
    from tui.replay_screen import ReplayScreen  # whoever plays does not wait for it

    with battle:
        replay = ReplayScreen(battle, at, name=name, watch=watch, hides=hides)
        return run(HeadsdownApp(lambda: replay, read_settings(), guest=guest))


def run_home(folder: Path | None = None, *, name: str = "") -> int:
    """Show the library, or the battles of a folder, until the player leaves; gives the exit status."""
    from tui.home_screen import HomeScreen  # whoever names a battle does not wait for the library

    home = HomeScreen(folder, name=name)
    status = run(HeadsdownApp(lambda: home, read_settings()))
    if not status and home.last_path is not None:
        print(how_to_open(home.last_path))
    return status
