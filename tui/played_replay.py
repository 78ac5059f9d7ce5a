"""Playing a replay: it goes on by itself, in an even pace or in that of the battle, faster or slower."""

from __future__ import annotations

from textual.timer import Timer

from saves.battle import OpenBattle
from tui.actions import NamedAction
from tui.replay_walk import ReplayWalk

LONGEST_PAUSE = 5_000
"""Milliseconds that a pause of the original pace takes at most."""

STEP_PAUSE = 1_000
"""Milliseconds from entry to entry in an even pace."""

SHORTEST_PAUSE = 50
"""Milliseconds that every entry is shown."""

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


class PlayedReplay(ReplayWalk):
    """A replay that can be let run."""

    always = ("play", "help", "palette", "quit")

    def __init__(self, battle: OpenBattle, at: int, watch: bool, hides: bool) -> None:
        super().__init__(battle, at, watch, hides)
        self._speed = SPEEDS.index(1.0)
        self._original = False
        self._playing: Timer | None = None

    def on_screen_suspend(self) -> None:
        """What lies over the replay halts it."""
        self._pause()

    def _marks(self) -> tuple[str, ...]:
        at, *more = super()._marks()
        return (at, f"playing {self._speed_words()}", *more) if self._playing is not None else (at, *more)

    def _speed_words(self) -> str:
        return f"x{SPEEDS[self._speed]:g}{', original pace' if self._original else ''}"

    def _in_bar(self, action: NamedAction) -> bool:
        if action.name in ("faster", "slower"):
            return self._playing is not None
        return super()._in_bar(action)

    def _label(self, action: NamedAction) -> str:
        return "Pause" if action.name == "play" and self._playing is not None else super()._label(action)

    def _do_play(self) -> None:
        if self._playing is not None:
            self._pause()
            self.say("Paused.")
            return
        if self._replay.step(1) is None:
            self.say(self._end_words())
            return
        self._wait()
        self._show_bars()
        longest = f" with pauses cut to {LONGEST_PAUSE // 1000} seconds" if self._original else ""
        self.say(f"Playing {self._speed_words()}{longest}.")

    def _wait(self) -> None:
        """Set the clock for the next entry."""
        if self._playing is not None:
            self._playing.stop()
        pause = self._replay.pause(LONGEST_PAUSE) if self._original else STEP_PAUSE
        seconds = max(SHORTEST_PAUSE, (pause or 0) / SPEEDS[self._speed]) / 1000
        self._playing = self.set_timer(seconds, self._play_on)

    def _play_on(self) -> None:
        if self._playing is None:
            return
        self._go(self._replay.step(1), self._end_words())
        if self._playing is not None and self._replay.step(1) is not None:
            self._wait()
        else:
            self._pause()

    def _pause(self) -> None:
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
            self._show_bars()

    def _do_faster(self) -> None:
        self._set_speed(self._speed + 1)

    def _do_slower(self) -> None:
        self._set_speed(self._speed - 1)

    def _set_speed(self, speed: int) -> None:
        self._speed = max(0, min(len(SPEEDS) - 1, speed))
        self._pace_changed()

    def _do_pace(self) -> None:
        self._original = not self._original
        self._pace_changed()

    def _pace_changed(self) -> None:
        if self._playing is not None:
            self._wait()
            self._show_bars()
        pace = "the original pace, long pauses cut to 5 seconds" if self._original else "one entry a second"
        self.say(f"Speed x{SPEEDS[self._speed]:g} of {pace}.")
