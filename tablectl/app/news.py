"""When the pages are told: at once, soon, or that nothing has changed.

Owns: the moments at which the display gets a new state, and the beat by which a page knows that the picture it shows
is true. Refuses: what a state says, and the streams.

The beat runs in the loop in which the core runs, and looks at the core before it says anything. So it stops with the
loop and with the core, and a page that hears nothing for two seconds covers its picture.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablectl.shell.display import Display

QUIET_S = 0.2
"""A picture that changed without a decision (a card is on its way) is shown this often at most, s."""
BEAT_S = 0.5
"""How often a page is told that what it shows is still true, s. It gives up after four beats (`static/link.js`)."""
NO_NEWS = frozenset({"t", "panel"})
"""What changes all the time: a blinking lamp and the time alone are no new picture."""


class News:
    """What one display is told.

    `state` gives what the pages show; None if it cannot be had, and then nothing is said. `tick` is called before each
    beat, for what else has to happen now and then.
    """

    def __init__(
        self, display: Display, state: Callable[[], Mapping[str, Any] | None], tick: Callable[[], None]
    ) -> None:
        self._display = display
        self._state = state
        self._tick = tick
        self._shown: Mapping[str, Any] = {}
        self._soon: asyncio.TimerHandle | None = None
        self._beat: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to beat, in the running loop."""
        self._beat = asyncio.get_running_loop().call_later(BEAT_S, self._beats)

    def close(self) -> None:
        """Nothing is told any more: a page that is still there will say that it hears nothing."""
        for timer in (self._soon, self._beat):
            if timer is not None:
                timer.cancel()
        self._soon = self._beat = None

    def at_once(self) -> None:
        """Something happened that is to be seen now."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        self._display.publish()

    def soon(self) -> None:
        """Something happened that may change the picture; most sweeps change nothing that can be seen."""
        if self._display.watching and self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(QUIET_S, self._look)

    def _look(self) -> None:
        self._soon = None
        if self._is_new():
            self._display.publish()

    def _beats(self) -> None:
        self.start()
        self._tick()
        if not (self._display.watching or self._display.technicians):
            return
        new = self._is_new()
        if new:
            self._display.publish()
        if new is not None:
            self._display.beat()

    def _is_new(self) -> bool | None:
        """The picture is another one than at the last look; None if there is none."""
        state = self._state()
        if state is None:
            return None
        picture = {name: value for name, value in state.items() if name not in NO_NEWS}
        if picture == self._shown:
            return False
        self._shown = picture
        return True
