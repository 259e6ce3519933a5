"""A Pepper C1 MUX (Eccel Technology) on a serial port: one reader, up to eight antennas through its multiplexer.

Owns: the talk with the reader, without its port: who asks when, silence, refusals, answers that do not fit.
Refuses: ports (`serial_reader`), bytes (`pepper_frames`), what a look proves (`pepper_look`).

One command at a time, the next after its answer. An ACK names its command, but has no number ([P] Payload Format,
see `pepper_frames`): an answer that comes late must not be taken for that of the same question to the next
antenna. So whatever does not fit (no answer, a damaged one, an answer to something else, an ASYNC) ends the look
without a verdict, and a fence follows: a command that no look uses, until it is answered. The reader answers in
order, so nothing older can come after it. Two fences in turn tell an old fence's answer from a new one's.

    closed  ─ opened ─▶ fence ─ ACK ─▶ SET_POLLING off ─ ACK ─▶ looks, the most overdue antenna first
    looks   ─ no answer in 500 ms, or one that does not fit ─▶ Gap, fence
    fence   ─ 3 s without a valid frame ─▶ Lost, fence; Found when looks begin again
    SET_POLLING ─ ERROR ─▶ Lost ("refused"), again after 2 s

Where the documentation is silent, and how we read it:
- What the reader sends when it has restarted is not said; after a reboot it takes no command for a second ([A]).
  A restart is therefore noticed by an answer that stays away, and never answers to the wrong antenna: a look that
  lost an answer is begun again from SET_ACTIVE_ANTENNA. 500 ms is what the maker's own library waits.
- Nothing in it tells one reader from another of its kind: only the port does. Name the port by its place.
- Whether it reports its antennas' state is not said. Three looks in a row that fail make an antenna `silent`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Mapping
from itertools import cycle

from tablectl import layout
from tablectl.core.sensed import AntennaHealth, Gap, Health, Seen, Sensed, Sweep
from tablectl.said import Said
from tablectl.shell.readers import pepper_frames as frames
from tablectl.shell.readers.pepper_look import Look, Orders, OutOfStep, Refused
from tablectl.shell.readers.serial_reader import SerialReader
from tablectl.shell.readers.state import ReaderState, Standing, State, Timing, printable

BAUD = 115_200
"""Factory setting ([P] UARTTransport)."""
TIMING = Timing(reply=500)
"""ms. The maker's Arduino library waits as long for every answer; a reboot takes longer, 1000."""
FENCES = (frames.GET_VERSION, frames.DUMMY)
FAILED_LOOKS = 3
"""In a row, until an antenna counts as silent."""
LOG_LINES = 50

COUNTERS = (
    "bytes",
    "frames",
    "bad_crc",
    "noise_bytes",
    "unknown_kind",
    "gaps",
    "noise_uids",
    "looks",
    "failed_looks",
    "refusals",
    "async_events",
    "commands",
    "command_timeouts",
    "stray_results",
    "opened",
    "stolen_reads",
    "unsent_frames",
)
"""Everything that is counted of a Pepper."""

Life = Generator[bytes | None, bytes, None]
"""Yields the next command, or None to rest; is sent the data of its ACK."""


class PepperTalk:
    """One Pepper over all its lines (a `serial_reader.Talk`)."""

    ours: bytes | None = None
    stranger: bytes | None = None

    def __init__(
        self,
        number: int,
        port: str,
        antennas: Mapping[int, str],
        *,
        emit: Callable[[Sensed], None],
        report: Callable[[ReaderState], None],
        timing: Timing,
    ) -> None:
        self.counters: Counter[str] = Counter(dict.fromkeys(COUNTERS, 0))
        self._standing = Standing(number, port, emit, report)
        self._number = number
        self._emit = emit
        self._timing = timing
        self._period = {antenna: layout.poll_period(zone) for antenna, zone in sorted(antennas.items())}
        self._looked = dict.fromkeys(self._period, 0)
        self._failed = dict.fromkeys(self._period, 0)
        self._health: dict[int, Health] = dict.fromkeys(self._period, "ok")
        self._fences = cycle(FENCES)
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._firmware = ""
        self._talking = False
        self._reset()

    def _reset(self) -> None:
        """No line."""
        self._decoder = frames.Decoder()
        self._orders = Orders()
        self._send: Callable[[bytes], None] | None = None
        self._life: Life | None = None
        self._command: bytes | None = None
        self._looking = False
        self._due: int | None = None
        self._silent_at: int | None = None
        self._t = 0

    @property
    def state(self) -> ReaderState:
        """The reader as others see it."""
        return self._standing.state

    @property
    def talking(self) -> bool:
        """True from the first look until the reader is lost."""
        return self._talking

    @property
    def busy(self) -> bool:
        """It is asked all the time, and told nothing that must last."""
        return False

    @property
    def deadline(self) -> int | None:
        """When `tick` is due; None while no port is open."""
        return min((at for at in (self._due, self._silent_at) if at is not None), default=None)

    @property
    def log(self) -> tuple[str, ...]:
        """What the reader refused lately."""
        return tuple(self._log)

    def light(self, t: int, *, on: bool) -> bool:
        """No lamp of a Pepper can be lit from here."""
        del t, on
        return False

    # --- the line -------------------------------------------------------------------------------------------

    def opened(
        self, t: int, send: Callable[[bytes], None], *, must_be: bytes | None = None, quiet: bool = False
    ) -> None:
        """A port is open. No Pepper has an id of its own, so none is ever searched for by it."""
        del must_be, quiet
        self._reset()
        self._send = send
        if self.state.state in ("missing", "busy"):
            self._say("connecting", "")
        self._silent_at = t + self._timing.silence
        self._life = self._live()
        self._go_on(t, lambda life: next(life))

    def closed(self, t: int, why: str) -> None:
        """The port is closed: Lost."""
        self._talking = False
        self._reset()
        self._lose(t, "lost", why)

    def unavailable(self, t: int, state: State, text: str) -> None:
        """There is no port to talk on."""
        self._lose(t, state, text)

    def received(self, data: bytes, t: int) -> None:
        """Bytes arrived."""
        self.counters["bytes"] += len(data)
        damage = self._decoder.damage
        self._answers(self._decoder.feed(data), t)
        if self._looking and self._decoder.damage > damage:
            self._throw(OutOfStep(), t)

    def tick(self, t: int) -> None:
        """Do what is due: give up an answer, or the reader."""
        if self._due is not None and t >= self._due:
            if self._command is None:
                self._give(b"", t)
            else:
                self._give_up(t)
        if self._silent_at is not None and t >= self._silent_at:
            self._silent_at = None
            self._does_not_fit(t)
            self._talking = False
            self._lose(t, "lost", self._silence_text())

    def _give_up(self, t: int) -> None:
        """No answer in time, unless it hides behind half a frame."""
        due = self._due
        self._answers(self._decoder.give_up(), t)
        if self._due == due:
            self.counters["command_timeouts"] += 1
            self._throw(OutOfStep(), t)

    # --- answers --------------------------------------------------------------------------------------------

    def _answers(self, payloads: Iterable[bytes], t: int) -> None:
        for payload in payloads:
            if self._silent_at is not None or self._talking:
                self._silent_at = t + self._timing.silence
            answer = frames.parse(payload)
            if answer is None:
                self.counters["unknown_kind"] += 1
            elif answer.kind == frames.ASYNC:
                self.counters["async_events"] += 1
                self._does_not_fit(t)  # it polls by itself: somebody told it to, or it has restarted
            elif self._command is None or answer.command != self._command[0]:
                self.counters["stray_results"] += 1
                if answer.command not in FENCES:
                    self._does_not_fit(t)
            elif answer.kind == frames.ERROR:
                self._refused(answer, t)
            else:
                self._give(answer.data, t)
        decoder = self._decoder
        for name, value in (
            ("frames", decoder.frames),
            ("bad_crc", decoder.bad_crc),
            ("noise_bytes", decoder.noise_bytes),
        ):
            self.counters[name] = value

    def _does_not_fit(self, t: int) -> None:
        if self._looking:
            self._throw(OutOfStep(), t)

    def _refused(self, answer: frames.Answer, t: int) -> None:
        self.counters["refusals"] += 1
        self._log.append(f"command 0x{answer.command:02X}: error {answer.data[:2].hex(' ').upper()}")
        self._throw(Refused(answer.error), t)

    def _give(self, data: bytes, t: int) -> None:
        self._go_on(t, lambda life: life.send(data))

    def _throw(self, what: Exception, t: int) -> None:
        self._go_on(t, lambda life: life.throw(what))

    def _go_on(self, t: int, step: Callable[[Life], bytes | None]) -> None:
        """Have the life take its next step, and do what it wants done."""
        if self._life is None:
            return
        self._t = t
        self._command = command = step(self._life)
        if command is None:
            self._due = t + self._timing.plan_again
            return
        self._due = t + self._timing.reply
        self.counters["commands"] += 1
        if self._send is not None:
            self._send(frames.encode(command))

    # --- the reader's life ----------------------------------------------------------------------------------

    def _live(self) -> Life:
        while True:
            yield from self._fence()
            yield from self._take_over()
            try:
                while True:
                    yield from self._look(max(self._period, key=self._overdue))
            except OutOfStep:
                self.counters["gaps"] += 1
                self._emit(Gap(self._t, self._number))

    def _fence(self) -> Life:
        """Until the reader has answered everything that it was asked so far."""
        command = next(self._fences)
        while True:
            try:
                data = yield bytes([command])
            except OutOfStep:
                continue
            except Refused:
                return
            if command == frames.GET_VERSION:
                self._firmware = printable(data.decode("ascii", "replace").rstrip("\0"))
            return

    def _take_over(self) -> Life:
        """The reader must not poll by itself: it is asked antenna by antenna (see `pepper_look`)."""
        while True:
            try:
                yield bytes([frames.SET_POLLING, 0])
            except OutOfStep:
                if self._silent_at is None:
                    self._silent_at = self._t + self._timing.silence
                yield from self._fence()
            except Refused as refusal:
                self._talking = False
                self._silent_at = None
                self._lose(self._t, "refused", _refusal_text(refusal.error))
                yield None
            else:
                break
        self._talking = True
        self._silent_at = self._t + self._timing.silence
        self._standing.find(self._t)
        self._say_ok()

    def _overdue(self, antenna: int) -> float:
        return (self._t - self._looked[antenna]) / self._period[antenna]

    def _look(self, antenna: int) -> Life:
        look = Look(antenna, self._orders)
        self._looking = True
        try:
            yield from look.steps()
        except Refused:
            pass
        except OutOfStep:
            self._looked_at(look)
            raise
        self._looked_at(look)

    def _looked_at(self, look: Look) -> None:
        """Tell what the look proves. A tag that was read is evidence; only `complete` says that no other was there."""
        self._looking = False
        antenna, t = look.antenna, self._t
        self._looked[antenna] = t
        self.counters["looks"] += 1
        self.counters["noise_uids"] += look.unread
        self.counters["failed_looks"] += not look.complete
        if look.complete or look.read:
            polled = (antenna,) if look.complete else ()
            self._emit(Sweep(t, self._number, polled, tuple(Seen(antenna, uid) for uid in look.read)))
        self._failed[antenna] = 0 if look.complete or look.read else self._failed[antenna] + 1
        self._judge(antenna, "silent" if self._failed[antenna] >= FAILED_LOOKS else "ok")

    def _judge(self, antenna: int, health: Health) -> None:
        if self._health[antenna] != health:
            self._health[antenna] = health
            self._emit(AntennaHealth(self._t, self._number, antenna, health))
            if self._talking:
                self._say_ok()

    # --- what others see ------------------------------------------------------------------------------------

    def _lose(self, t: int, state: State, text: str) -> None:
        self._standing.lose(t, state, text, firmware=self._firmware)

    def _say_ok(self) -> None:
        silent = ", ".join(str(antenna) for antenna, health in self._health.items() if health == "silent")
        text = Said("the reader cannot read antenna {antennas}: check its cable", antennas=silent)
        self._say("ok", text if silent else "")

    def _say(self, state: State, text: str) -> None:
        self._standing.say(state, text, firmware=self._firmware)

    def _silence_text(self) -> str:
        if not self._firmware:
            return Said("port {port} is open, but no reader board answers there", port=self.state.port)
        return Said("no word from the board: it is asked again until it answers")


def _refusal_text(error: int) -> str:
    if error == frames.NOT_AUTHORISED:
        return Said("the reader wants a password: switch its protocol authorisation off in its settings")
    number = f"0x{error:02X}"
    return Said("the reader refuses to be polled (error {error}); it is asked again", error=number)


class PepperReader(SerialReader):
    """One Pepper C1 MUX of the table; what happens is told through `emit` and `report`.

    `antennas` maps the multiplexer's connectors, 1 to 8, to zones. `now` gives milliseconds since the recording began.
    """

    def __init__(
        self,
        number: int,
        port: str,
        antennas: Mapping[int, str],
        emit: Callable[[Sensed], None],
        now: Callable[[], int],
        report: Callable[[ReaderState], None],
        *,
        candidates: Callable[[], Iterable[str]] | None = None,
        timing: Timing = TIMING,
    ) -> None:
        talk = PepperTalk(number, port, antennas, emit=emit, report=report, timing=timing)
        super().__init__(talk, now, candidates=candidates, timing=timing, baud=BAUD)


DRIVER = PepperReader
