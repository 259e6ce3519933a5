"""Which antenna to look at next, and what to make of the look.

Owns: the poll plan, the order of looks, front ends that are stuck, when an antenna's health is said.
Refuses: chip commands (`radio`), frames (`sweep`, `line`), what tags mean.

The antenna that is most overdue against its period comes first, so that a board that is short of air time keeps the
plan's proportions. An antenna that read a new tag is looked at more often for a while. `tablectl/sim/board.py` polls
in the same order. Antennas are numbered through over the front ends; one field is on at a time on the whole board.
"""

import wire
from health import Health
from line import INFO, WARNING
from pn5180 import RadioError
from sweep import Sweep

TYPE_CHECKING = False  # see wire.py
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from line import Line
    from radio import Radio

NEWS = 3
"""An antenna that read a new tag is looked at so many times as often …"""
NEWS_MS = 350
"""… for so long, ms: the questions that a new card raises are answered by then."""
FORGET_MS = 1500
"""A tag not read for so long is new again, ms."""
KNOWN_TAGS = 64
"""Tags that an antenna remembers at most: a deck and its jokers fit."""
LONE_LOOKS = 8
"""So many looks that read one tag alone, and the next one begins with slots: a strong tag may drown a weak one under it
without a collision that the chip would notice (RADIO.md). It costs a lone tag 1 ms a look on average."""
AGAIN_MS = 1000
"""A front end that does not come back is tried again so often, ms: others need the air time."""
COMPLAIN_MS = 10_000
"""A front end's faults are told in a LOG at most this often, ms: a short would fill the line with them."""
TUNE_MS = 10_000
"""An antenna's tuning is measured so often, ms."""
SAY_MS = 60_000
"""Its health is said at least so often, ms, and whenever the state changes."""
PATIENCE = 2
"""So many looks in a row that hung the chip, each followed by a reset, and it is left alone for a while."""


class FrontEnd:
    """One radio, and whether it answers."""

    def __init__(self, number: int, radio: "Radio") -> None:
        self.number, self.radio = number, radio
        self.answers = False
        self.hung = 0
        """Looks in a row that ended with a hung chip."""
        self.said: bool | None = None
        """Whether it answers, as the host was told last."""
        self.complained: int | None = None
        """When a fault of it was told last, ms."""
        self.again = 0
        """When it is to be started, ms, while it does not answer."""


class Antenna:
    """One antenna: its place, its part of the plan, what it read lately."""

    def __init__(self, number: int, front: FrontEnd, place: int) -> None:
        self.number, self.front, self.place = number, front, place
        self.period = 0
        """From one look to the next, ms; 0: off."""
        self.power = 0
        self.last = 0
        """When the last look was over, ms."""
        self.attended = 0
        """Until when it is looked at more often, ms."""
        self.several = False
        """The next look begins with slots."""
        self.lone = 0
        """Looks in a row that read one tag and began without slots."""
        self.known: dict[bytes, int] = {}
        """Tag → when it was read last."""
        self.health = Health()
        self.measure = False
        """Its tuning is wanted now."""
        self.said: int | None = None
        """The state that was said last; None: it must be said."""
        self.said_at = 0

    def attend(self, reads: "list[tuple[int, int, bytes]]", now: int) -> None:
        """A tag that was not there a moment ago draws attention."""
        known = self.known
        for _, _, uid in reads:
            if uid not in known or now - known[uid] > FORGET_MS:
                self.attended = now + NEWS_MS
        if known:
            for uid in [uid for uid, at in known.items() if now - at > FORGET_MS]:
                del known[uid]
        for _, _, uid in reads:
            if uid in known or len(known) < KNOWN_TAGS:
                known[uid] = now

    def expect(self, tags: int) -> None:
        """How the next look begins, after one that read so many tags."""
        self.lone = self.lone + 1 if tags == 1 and not self.several else 0
        self.several = tags > 1 or self.lone == LONE_LOOKS


class Poller:
    """Looks at the antennas of all front ends in turn. `clock` gives ms since the start, which do not wrap."""

    def __init__(
        self, radios: "Sequence[tuple[Radio, int]]", clock: "Callable[[], int]", line: "Line"
    ) -> None:
        """`radios`: each front end's radio and how many antennas it has."""
        self.antennas: list[Antenna] = []
        self._clock, self._line = clock, line
        self._sweep = Sweep(line.send)
        self._fronts: list[FrontEnd] = []
        for radio, count in radios:
            front = FrontEnd(len(self._fronts), radio)
            self._fronts.append(front)
            for place in range(count):
                self.antennas.append(Antenna(len(self.antennas), front, place))
        self._plan: list[Antenna] = []
        self._next: tuple[Antenna, int] | None = None
        """The look that is due next, and when; None while it is not decided."""
        self._measured = 0
        """When an antenna's tuning was measured last, ms …"""
        self._turn = 0
        """… and which of the plan's."""

    @property
    def polling(self) -> bool:
        """There is a plan."""
        return bool(self._plan)

    @property
    def well(self) -> bool:
        """Every front end answers."""
        return all(front.answers for front in self._fronts)

    def set_plan(self, plan: "list[dict[str, int]]") -> None:
        """Poll these antennas from now on, and no others."""
        now = self._clock()
        for antenna in self.antennas:
            antenna.period = 0
        for item in plan:
            antenna = self.antennas[item["antenna"]]
            antenna.period, antenna.power = item["period_ms"], item["power"]
        self._plan = [antenna for antenna in self.antennas if antenna.period]
        for antenna in self._plan:
            antenna.last, antenna.attended = now - antenna.period, now
            antenna.known.clear()
            antenna.measure, antenna.said = True, None
        self._next = None

    def test(self, antenna: Antenna) -> None:
        """Measure its tuning and say its health, also if it is off."""
        antenna.measure, antenna.said = True, None

    def turn(self) -> "int | None":
        """Do the one thing that is due: start a front end, measure an antenna, or look at one.

        How many ms there is nothing to do after it: 0, come again at once; None, nothing is due at all.
        """
        now = self._clock()
        for front in self._fronts:
            if not front.answers and now >= front.again:
                self._start(front)
                return 0
        antenna = self._unmeasured(now)
        if antenna is not None:
            self._measure(antenna)
            return 0
        if self._next is None:
            self._next = self._choose(now)
            if self._next is None:
                self._sweep.flush()
                return None
            if self._next[1] > now:
                self._sweep.flush()
        antenna, at = self._next
        if at > now:
            return at - now
        self._look(antenna, now)
        return 0

    def _unmeasured(self, now: int) -> "Antenna | None":
        """The antenna whose tuning is wanted, if there is one; those of the plan in turn, not all at once."""
        for antenna in self.antennas:
            if antenna.measure:
                return antenna
        if self._plan and now - self._measured >= TUNE_MS // len(self._plan):
            self._turn = (self._turn + 1) % len(self._plan)
            return self._plan[self._turn]
        return None

    # --- the order ------------------------------------------------------------------------------------------

    def _choose(self, now: int) -> "tuple[Antenna, int] | None":
        """The antenna to look at next and when; None if none can be looked at.

        `waited / period` says how overdue an antenna is; the fractions are compared crosswise, because numbers with
        a point are slow on the chip, and not exact.
        """
        chosen = following = None
        waited, period, at = 0, 1, 0
        for antenna in self._plan:
            if not antenna.front.answers:
                continue
            often = NEWS if now < antenna.attended else 1
            due = antenna.last + -(-antenna.period // often)  # the next whole millisecond
            if following is None or due < at:
                following, at = antenna, due
            mine = (now - antenna.last) * often
            if chosen is None or mine * period > waited * antenna.period:
                chosen, waited, period = antenna, mine, antenna.period
        if chosen is None or following is None:
            return None
        return (chosen, now) if waited >= period else (following, at)

    # --- the looks ------------------------------------------------------------------------------------------

    def _look(self, antenna: Antenna, now: int) -> None:
        self._next = None
        front, wrong = antenna.front, None
        try:
            reads = front.radio.look(antenna.place, antenna.power, antenna.several)
        except RadioError as error:
            reads, wrong = front.radio.partial, error
        end = self._clock()
        if reads:
            antenna.attend(reads, end)
        self._sweep.add(antenna.number, now, reads, end, whole=wrong is None)
        antenna.last = end
        antenna.health.looked(well=wrong is None, field=wrong is None or wrong.kind != "field")
        if wrong is None:
            front.hung = 0
            antenna.expect(len(reads))
        else:
            self._failed(front, wrong)
        self._judge(antenna)

    def _measure(self, antenna: Antenna) -> None:
        antenna.measure = False
        self._measured = self._clock()
        if antenna.front.answers:
            try:
                antenna.health.measured(antenna.front.radio.tuning(antenna.place))
            except RadioError as wrong:
                antenna.health.looked(well=False, field=wrong.kind != "field")
                self._failed(antenna.front, wrong)
        self._judge(antenna)

    # --- what fails -----------------------------------------------------------------------------------------

    def _failed(self, front: FrontEnd, wrong: RadioError) -> None:
        """A look went wrong. The radio has reset a chip that hung; one that hangs again is given up for a while.

        A field that does not come is the antenna's fault rather than the chip's.
        """
        if not wrong.wedged:
            return
        now = self._clock()
        if front.complained is None or now - front.complained >= COMPLAIN_MS:
            front.complained = now
            self._line.log(WARNING, f"front end {front.number}: {wrong}; reset number {front.radio.resets}")
        if wrong.kind == "field":
            return
        front.hung += 1
        if front.hung >= PATIENCE:
            self._gone(front, wrong)

    def _start(self, front: FrontEnd) -> None:
        try:
            front.radio.start()
        except RadioError as wrong:
            self._gone(front, wrong)
        else:
            front.answers = True
            self._tell(front, INFO, "answers")

    def _gone(self, front: FrontEnd, wrong: RadioError) -> None:
        """Its antennas are silent until it can be started again."""
        front.hung = 0
        front.answers = False
        front.again = self._clock() + AGAIN_MS
        self._tell(front, WARNING, f"does not answer: {wrong}")

    def _tell(self, front: FrontEnd, level: int, text: str) -> None:
        if front.answers == front.said:
            return
        front.said = front.answers
        self._line.log(level, f"front end {front.number} {text}")
        self._next = None
        for antenna in self._plan:
            if antenna.front is front:
                if front.answers:
                    antenna.measure, antenna.said = True, None
                else:
                    self._judge(antenna)

    def _judge(self, antenna: Antenna) -> None:
        """Say the antenna's health if it changed, or was not said for long."""
        health = antenna.health
        state = health.judge(answers=antenna.front.answers)
        now = self._clock()
        if state == antenna.said and now - antenna.said_at < SAY_MS:
            return
        antenna.said, antenna.said_at = state, now
        self._line.send(
            wire.ANTENNA_HEALTH,
            antenna=antenna.number,
            state=state,
            tuning=health.tuning or 0,
            reads=health.reads & 0xFFFF,
            errors=health.errors & 0xFFFF,
        )
