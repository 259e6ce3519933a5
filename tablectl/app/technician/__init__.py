"""The technician's page: what it shows, and the test of the antennas.

Owns: the page's state; taking the table out of play while its antennas are tested, and putting it back.
Refuses: HTTP (`shell.display`), figures (`figures`), verdicts (`antenna_test`).

While a test is on, the core hears of no card: a technician's card would be a deal to it. It is told that all readers
are lost, so every check that rests on them is off, on the record and on every display, and comes back zone by zone with
the first looks after the test, as it does after an outage. That also leaves the lamps free to show where the next card
belongs. A test ends by itself when no technician's page is open any more; it cannot begin while a hand is played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablectl.app.attendance import Attendance
from tablectl.app.faults import Faults
from tablectl.app.technician.antenna_test import AntennaTest, as_json
from tablectl.app.technician.figures import Figures
from tablectl.core.alerts import Signals
from tablectl.core.sensed import Entry, Found, Gap, Lost, Passage, Sensed, Sweep
from tablectl.core.table import Table
from tablectl.errors import UsageError
from tablectl.layout import Antenna, seat_of
from tablectl.said import Said, say

if TYPE_CHECKING:
    from tablectl.shell.readers import Reader

ALONE_MS = 10_000
"""A test without an open page ends after so long, ms: long enough to load the page anew, too short for a deal."""
LOG_LINES = 8
BETWEEN = frozenset({"idle", "over"})
"""The phases between two hands."""
UNDER_WAY = Said("the antennas are tested")


class Technician:
    """The technician at one table.

    `take` gives the core an event, `show` has the panel show what it must now, `now` gives ms since the recording
    began, `stopped` says that the core takes nothing any more, `notice` what can wait until after the game.
    `readers` is the app's own list.
    """

    def __init__(
        self,
        table: Table,
        readers: Sequence[Reader],
        attendance: Attendance,
        faults: Faults,
        *,
        now: Callable[[], int],
        take: Callable[[Sensed], object],
        show: Callable[[], None],
        stopped: Callable[[], bool],
        notice: Callable[[], Said | None],
    ) -> None:
        self._table = table
        self._readers = readers
        self._attendance = attendance
        self._faults = faults
        self._now = now
        self._take = take
        self._show = show
        self._stopped = stopped
        self._notice = notice
        self._figures = Figures(table.setting.layout)
        self._test: AntennaTest | None = None
        self._away: set[int] = set()
        """Readers that are really lost."""
        self._lit: int | None = None
        self._watched_at = 0

    # --- what the readers say -------------------------------------------------------------------------------

    def keeps(self, event: Sensed) -> bool:
        """True for what the core must not hear of, since a test is on. Asked for everything that a reader says."""
        if isinstance(event, Lost):
            self._away.add(event.reader)
        elif isinstance(event, Found):
            self._away.discard(event.reader)
        return self._test is not None and isinstance(event, Sweep | Passage | Gap | Lost | Found)

    @property
    def between_hands(self) -> bool:
        """No hand is being played."""
        hand = self._table.hand
        return hand is None or hand.ended

    def took(self, event: Sensed) -> None:
        """Counts what a reader said."""
        self._figures.took(event)

    @property
    def signals(self) -> Signals | None:
        """What the lamps show instead of alerts while a test is on: where the next card belongs."""
        if self._test is None:
            return None
        seat = seat_of(self._test.zone) if self._test.zone is not None else None
        if seat is None:
            return Signals(alarm="off" if self._test.zone is None else "slow")
        return Signals(seats={seat: "slow"})

    # --- the page -------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What the page shows, JSON-ready; no card is in it, and of a tag only that it was read. No figures of a core
        that has stopped: they are of the past, and some part of it may be gone."""
        now, table = self._now(), self._table
        view = table.view()
        named = {name: view["table"][name] for name in ("id", "seats", "language", "mode")}
        if self._stopped():
            return {
                "table": named,
                "t": now,
                "stopped": True,
                "alarm": [],
                "readers": [],
                "antennas": [],
                "test": None,
                "notices": [],
            }
        experience = table.tracker.experience
        counters = {reader.state.number: reader for reader in self._readers}
        return {
            "table": named,
            "t": now,
            "stopped": False,
            "alarm": [each["id"] for each in view["irregularities"] if _rings(each)],
            "between_hands": view["hand"]["phase"] in BETWEEN,
            "readers": [
                {
                    **shown,
                    "board_id": counters[shown["reader"]].state.board_id,
                    "counters": dict(counters[shown["reader"]].counters),
                    "log": counters[shown["reader"]].log[-LOG_LINES:],
                }
                for shown in self._attendance.shown(self._readers)
            ],
            "antennas": self._figures.rows(now, table.tracker.tracks.values(), experience.levels),
            "noise": dict(table.sightings.noise),
            "missed": round(experience.missed, 3),
            "test": self._test_state(),
            "notices": [] if (notice := self._notice()) is None else [{"text": notice, **say(notice)}],
        }

    def _test_state(self) -> dict[str, Any] | None:
        test = self._test
        if test is None:
            return None
        at = None if test.at is None else {"reader": test.at[0], "antenna": test.at[1], "zone": test.zone}
        return {
            "order": [list(antenna) for antenna in test.order],
            "at": at,
            "told": test.told.as_json(),
            "results": as_json(test.results),
        }

    def enter(self, command: Mapping[str, Any]) -> None:
        """`{"do": "begin"}`, `{"do": "point", "reader": 0, "antenna": 3}` or `{"do": "end"}`.

        Raises UsageError with a text for the technician if that cannot be done now.
        """
        match command:
            case {"do": "begin"}:
                self._begin()
            case {"do": "point", "reader": reader, "antenna": antenna}:
                self._point(reader, antenna)
            case {"do": "end"}:
                self.end()
            case _:
                given = repr(command["do"]) if "do" in command else "nothing"
                raise UsageError(
                    Said("the antenna test knows begin, point and end, not {given}", given=given)
                )

    def tick(self, *, watched: bool) -> None:
        """Twice a second: judge the antenna under test. `watched`: a technician's page is open."""
        test, now = self._test, self._now()
        if test is None:
            return
        if watched:
            self._watched_at = now
        elif now - self._watched_at > ALONE_MS:
            self.end()
            return
        before = test.at
        test.look(now)
        if test.at != before:
            self._shine()

    # --- the test -------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._test is not None:
            return
        if self._table.view()["hand"]["phase"] not in BETWEEN:
            raise UsageError(Said("a hand is being played: test the antennas when it is over"))
        test = AntennaTest(self._table.setting.layout, self._figures)
        for reader in self._present():
            self._take(Lost(self._now(), reader))
        self._test, self._watched_at = test, self._now()
        self._faults.lasts("test", UNDER_WAY)
        self._note("The test of the antennas begins.")
        test.point(test.order[0], self._now())
        self._shine()

    def end(self) -> None:
        """The table plays again; nothing if no test is on."""
        if self._test is None:
            return
        self._test = None
        self._faults.over("test")
        self._shine()
        self._note("The test of the antennas is over.")
        for reader in self._present():
            self._take(Found(self._now(), reader))

    def _point(self, reader: Any, antenna: Any) -> None:
        if self._test is None:
            raise UsageError(Said("no test of the antennas is on: begin one first"))
        found = next((each for each in self._test.order if each == (reader, antenna)), None)
        if found is None:
            raise UsageError(
                Said("this table has no antenna {antenna} at reader {reader}", antenna=antenna, reader=reader)
            )
        self._test.point(found, self._now())
        self._shine()

    def _present(self) -> Collection[int]:
        return sorted({reader for reader, _ in self._table.setting.layout.antennas} - self._away)

    def _note(self, text: str) -> None:
        """On the record, with its time: why the table saw nothing meanwhile."""
        self._take(Entry(self._now(), "note", {"text": text}))

    def _shine(self) -> None:
        """The seat's lamp and the board's own show where the next card belongs, and no other does."""
        at: Antenna | None = self._test.at if self._test is not None else None
        wanted = None if at is None else at[0]
        if wanted != self._lit:
            for reader in self._readers:
                if reader.state.number in {wanted, self._lit}:
                    reader.light(on=reader.state.number == wanted)
            self._lit = wanted
        self._show()


def _rings(irregularity: Mapping[str, Any]) -> bool:
    return irregularity["stage"] == "confirmed" and not irregularity["acknowledged"]
