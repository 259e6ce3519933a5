"""A calibration at a real table: its readers, a keyboard, a screen, and the course between them.

Owns: the readers' life, keys and signals, and the words on the screen. Refuses: what is measured (`course`).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from tablectl.app.technician.antenna_test import GOOD
from tablectl.calibrate.course import EMPTY_LOOKS, MOST_LOOKS, Course
from tablectl.calibrate.measured import Measured
from tablectl.config.model import ReaderSection
from tablectl.core.sensed import Sensed
from tablectl.doctor.line import counted
from tablectl.enrol.desk import Mood, signals_to
from tablectl.layout import SHOE, seat_of
from tablectl.shell.readers import ReaderState
from tablectl.shell.readers.alone import readers_of

KEYS = "Enter: skip   n: it lies there, though it is not read   q: stop, and go on later"


class Screen(Protocol):
    """Where the technician reads."""

    def say(self, text: str, mood: Mood = "plain") -> None:
        """A line that stays."""

    def show(self, prompt: str, done: int, total: int, keys: str) -> None:
        """What is due now, and how far it is."""


class Desk:
    """One calibration. `keyboard` is a descriptor to read keys from, None if there is none; `keep` is called after each
    laying."""

    def __init__(
        self, sections: Sequence[ReaderSection], course: Course, screen: Screen, keyboard: int | None,
        keep: Callable[[], None],
    ) -> None:  # fmt: skip
        self._sections, self.course, self._screen, self._keyboard = sections, course, screen, keyboard
        self._keep = keep
        self._wake = asyncio.Event()
        self._failure: Exception | None = None
        self._before = self._state()
        self.stopped = False

    async def work(self) -> None:
        """Until the course is over, or the technician leaves (`stopped`). Raises what goes wrong in keeping."""
        with signals_to(self._stop):
            loop = asyncio.get_running_loop()
            if self._keyboard is not None:
                loop.add_reader(self._keyboard, self._typed, self._keyboard)
            try:
                async with readers_of(self._sections, self._sensed, self._reported):
                    self._show()
                    while not (self.course.over or self.stopped or self._failure):
                        self._wake.clear()
                        await self._wake.wait()
            finally:
                if self._keyboard is not None:
                    loop.remove_reader(self._keyboard)
        if self._failure is not None:
            raise self._failure

    def _stop(self) -> None:
        self.stopped = True
        self._wake.set()

    def _sensed(self, event: Sensed) -> None:
        self._do(lambda: self.course.took(event))

    def _do(self, step: Callable[[], None]) -> None:
        """One thing that happens; what goes wrong in it (a full disk) ends the work, not the event loop's good mood."""
        if self.course.over or self.stopped or self._failure:
            return
        try:
            step()
            self._moved()
        except Exception as error:  # noqa: BLE001 - it is raised again by `work`
            self._failure = error
            self._wake.set()

    def _moved(self) -> None:
        """Show what is new, and keep it."""
        now = self._state()
        if now != self._before:
            before, self._before = self._before, now
            if now[:2] != before[:2]:
                self._keep()
                self._say_done(before[0])
            self._wake.set()
        self._show()

    def _state(self) -> tuple[object, int, str]:
        layings = sum(len(each.one) + len(each.two) for each in self.course.table.values())
        return self.course.step and self.course.step.antenna, layings, self.course.phase

    def _say_done(self, antenna: object) -> None:
        """The antenna whose turn is over."""
        step = self.course.step
        if antenna is None or (step is not None and step.antenna == antenna):
            return
        for each, measured in self.course.table.items():
            if each == antenna:
                self._screen.say(*outcome(measured))

    def _show(self) -> None:
        prompt, done, total = words(self.course)
        laid = self.course.laid
        counted = f"{laid.r} reads in {laid.n} looks   " if self.course.phase == "measure" else ""
        self._screen.show(prompt, done, total, counted + (KEYS if self._keyboard is not None else ""))

    def _reported(self, state: ReaderState) -> None:
        said = f": {state.text}" if state.text else ""
        if state.state == "busy":
            said += "; if it is a table that runs here: sudo systemctl stop tablectl"
        mood: Mood = "plain" if state.state == "ok" else "bad"
        self._screen.say(f"reader {state.number} on {state.port}: {state.state}{said}", mood)

    def _typed(self, keyboard: int) -> None:
        data = b""
        with suppress(OSError):
            data = os.read(keyboard, 64)
        if not data:  # nobody types any more; a terminal that is gone sends SIGHUP besides
            asyncio.get_running_loop().remove_reader(keyboard)
            return
        for key in data.decode(errors="replace"):
            if key in "\r\n":
                self._do(self.course.skip)
            elif key == "n":
                self._do(self.course.lies)
            elif key in "q\x03\x04":
                self._stop()


def outcome(measured: Measured) -> tuple[str, Mood]:
    """What is said of an antenna whose turn is over."""
    where = spoken(measured.zone)
    if not measured.one:
        return f"{where}: skipped", "bad"
    reads, looks = sum(laid.r for laid in measured.one), sum(laid.n for laid in measured.one)
    if not reads:
        return f"{where}: reads nothing, {looks} looks", "bad"
    good = measured.done and reads >= GOOD * looks
    text = f"{where}: read in {reads} of {looks} looks, {counted(len(measured.one), 'laying')}"
    return text, "good" if good else "bad"


def spoken(zone: str) -> str:
    """A zone in words."""
    seat = seat_of(zone)
    if seat is None:
        return zone.replace(":", ", ")
    half = zone.partition("/")[2]
    return f"seat {seat}" + (f", {half} cards" if half else "")


def words(course: Course) -> tuple[str, int, int]:
    """(What to do now and what is seen, how far it is, of how much)."""
    step = course.step
    if step is None:
        return "Done", 1, 1
    if step.antenna is None:
        left = [
            course.layout.antennas[antenna] for antenna in course.layout.antennas if course.lying(antenna)
        ]
        seen = f": something is read at {', '.join(map(spoken, left))}" if left else ""
        done = min(course.table[antenna].empty for antenna in course.wanted)
        return f"Take every card off the table{seen}", done, EMPTY_LOOKS
    where = spoken(step.zone)
    if course.blind:
        return f"{where}: its reader is silent; nothing is counted", 0, MOST_LOOKS
    if course.phase == "measure":
        return f"{where}: it is read, leave it there", course.laid.n, MOST_LOOKS
    if course.phase == "lift":
        return (
            f"Lift {'both cards' if step.kind == 'two' else 'the card'} off {where}",
            MOST_LOOKS,
            MOST_LOOKS,
        )
    return f"{_lay(course, where)}{_seen(course)}", 0, MOST_LOOKS


def _lay(course: Course, where: str) -> str:
    step = course.step
    if step is not None and step.kind == "two":
        return f"Lay two cards exactly on each other at {where}"
    again = step is not None and step.antenna in course.table and bool(course.table[step.antenna].one)
    if step is not None and step.kind == "one" and again and step.zone != SHOE:
        return f"Lay the card down at {where} again, as a player would: a little beside, or turned"
    if step is not None and step.zone == SHOE:
        return "Hold one card still at the shoe's mouth, as the next card lies there"
    return f"Lay one card at {where}"


def _seen(course: Course) -> str:
    if course.several():
        return ": more cards are read there, take the others away"
    elsewhere = course.elsewhere()
    return f": a card is read at {spoken(elsewhere)} instead" if elsewhere is not None else ""
