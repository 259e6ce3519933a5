"""The talk with one reader board, without its port: bytes in, sensed events and frames out.

Owns: the handshake, the poll plan, silence, reboots, sequence gaps, and what each frame means.
Refuses: ports and clocks. Time comes as `t`, in ms since the recording began; `tick` is due at `deadline`.

    closed  ─ opened ─▶  asking   GET_HELLO every 500 ms; nothing else is believed
    asking  ─ HELLO ──▶  talking  sequence, sweeps (new boot: clock too) start afresh; the plan is sent
    asking  ─ 3 s ────▶  asking   Lost, once
    talking ─ HELLO with a new boot_id ─▶ talking   Gap: it restarted while we listened
    talking ─ 3 s without a valid frame ─▶ asking   Lost
    any     ─ closed ─▶  closed   Lost, once

Found follows the first HELLO after a Lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl import __version__, versions, wire
from tablectl.core.sensed import Gap, Sensed
from tablectl.said import Said
from tablectl.shell.readers.claims import Claims
from tablectl.shell.readers.commands import Commands
from tablectl.shell.readers.meaning import Meaning
from tablectl.shell.readers.sequence import Sequence
from tablectl.shell.readers.state import COUNTERS, ReaderState, Standing, State, Timing, printable

LED = 8
"""Bit 3 of HELLO's capabilities: the board has a lamp of its own."""
BLANK_IDS = (bytes(8), b"\xff" * 8)
"""Board ids of boards that were never given one: they prove nothing."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What a board said of itself."""

    boot_id: int
    board_id: bytes
    firmware: str
    capabilities: int
    antennas: frozenset[int]

    @property
    def known_id(self) -> bytes | None:
        """The board's id, or None if it has none that tells it from another board."""
        return None if self.board_id in BLANK_IDS else self.board_id


class Session:
    """One reader's board over all its lines and boots."""

    def __init__(
        self,
        number: int,
        port: str,
        antennas: Mapping[int, str],
        *,
        emit: Callable[[Sensed], None],
        report: Callable[[ReaderState], None],
        timing: Timing,
        claims: Claims | None = None,
    ) -> None:
        self.hello: Hello | None = None
        """What the board on this reader's line last said of itself, accepted or refused."""
        self.ours: bytes | None = None
        """The id of the board that was last accepted; None if there was none or it has no id of its own."""
        self.stranger: bytes | None = None
        """The id of a board that answered on this line but is not ours."""
        self.counters: Counter[str] = Counter(dict.fromkeys(COUNTERS, 0))
        self._standing = Standing(number, port, emit, report)
        self._number = number
        self._emit = emit
        self._timing = timing
        self._claims = claims if claims is not None else Claims()
        self._wire = wire.Decoder()
        self._sequence = Sequence()
        self._meaning = Meaning(number, antennas, self.counters, emit)
        self._commands = Commands(antennas, self._send, timing, self.counters)
        self._send_bytes: Callable[[bytes], None] | None = None
        self._must_be: bytes | None = None
        self._talking = False
        self._quiet = False
        self._seq = 0
        self._ask_at: int | None = None
        self._silent_at: int | None = None
        self._uptime: int | None = None

    @property
    def state(self) -> ReaderState:
        """The reader as others see it."""
        return self._standing.state

    @property
    def talking(self) -> bool:
        """True from HELLO until the board is lost."""
        return self._talking

    @property
    def busy(self) -> bool:
        """A command waits for the board's answer."""
        return self._commands.deadline is not None

    @property
    def deadline(self) -> int | None:
        """When `tick` is due; None while no line is open."""
        due = [at for at in (self._ask_at, self._silent_at, self._commands.deadline) if at is not None]
        return min(due, default=None)

    @property
    def log(self) -> tuple[str, ...]:
        """The board's last LOG lines."""
        return tuple(self._meaning.log)

    def light(self, t: int, *, on: bool) -> bool:
        """Have the board's own lamp blink, or not; False if there is none to be lit now."""
        return self._commands.light(t, on=on)

    # --- the line -------------------------------------------------------------------------------------------

    def opened(
        self, t: int, send: Callable[[bytes], None], *, must_be: bytes | None = None, quiet: bool = False
    ) -> None:
        """A line is open. With `must_be` only the board with that id is ours; another is `stranger`.

        `quiet` is for a port that is only asked whether our board is there: nothing is shown until it is.
        """
        self._wire = wire.Decoder()
        self._send_bytes = send
        self._must_be = must_be
        self.stranger = None
        self._quiet = quiet
        if not quiet and self.state.state in ("missing", "busy"):
            self._say("connecting", "")
        self._silent_at = None if quiet else t + self._timing.silence
        self._ask(t)

    def closed(self, t: int, why: str) -> None:
        """The line is closed. The board is lost, unless this was only a port to ask, and `why` is shown."""
        was_talking = self._talking
        self._talking = False
        self._send_bytes = None
        self._ask_at = self._silent_at = None
        self._commands.forget()
        if was_talking or not (self._quiet or self.stranger):
            self._lose(t, "lost", why)

    def unavailable(self, t: int, state: State, text: str) -> None:
        """There is no board to talk to, for a reason that somebody can do something about."""
        self._lose(t, state, text)

    def received(self, data: bytes, t: int) -> None:
        """Bytes arrived."""
        self.counters["bytes"] += len(data)
        before = self._wire.bad_cobs, self._wire.bad_crc, self._wire.too_long, self._wire.frames
        frames = self._wire.feed(data)
        after = self._wire.bad_cobs, self._wire.bad_crc, self._wire.too_long, self._wire.frames
        for name, old, new in zip(("bad_cobs", "bad_crc", "too_long", "frames"), before, after, strict=True):
            self.counters[name] += new - old
        for kind, seq, body in frames:
            self._frame(kind, seq, body, t)

    def tick(self, t: int) -> None:
        """Do what is due: ask, repeat a command, declare the board lost."""
        if self._silent_at is not None and t >= self._silent_at:
            self._silent_at = None
            if self._talking:
                self._talking = False
                self._commands.forget()
                self._ask(t)
            self._lose(t, "lost", self._silence_text())
        if self._ask_at is not None and t >= self._ask_at:
            self._ask(t)
        self._commands.tick(t)
        self._say_plan()

    # --- frames ---------------------------------------------------------------------------------------------

    def _frame(self, kind: int, seq: int, body: bytes, t: int) -> None:
        if self._talking:
            self._silent_at = t + self._timing.silence
        try:
            fields = wire.unpack(kind, body)
        except ValueError:
            known = kind in wire.NAMES
            self.counters["bad_body" if known else "unknown_kind"] += 1
            if self._talking and self._in_order(kind, seq, body, t) and known:
                self._gap(t, 1)  # what it reported is as lost as if the frame had been
            return
        self.counters["extra_bytes"] += fields.get("_extra", 0)
        if kind == wire.HELLO:
            self._hello(seq, body, fields, t)
        elif not self._talking:
            self.counters["before_hello"] += 1
        elif self._in_order(kind, seq, body, t):
            self._known(kind, fields, t)

    def _in_order(self, kind: int, seq: int, body: bytes, t: int) -> bool:
        """Follow the sequence number; False for a repeat that is to be ignored."""
        lost = self._sequence.step(kind, seq, body)
        if lost is None:
            self.counters["duplicates"] += 1
            return False
        if lost:
            self._gap(t, lost)
        return True

    def _gap(self, t: int, lost: int) -> None:
        self.counters["gaps"] += 1
        self.counters["lost_frames"] += lost
        self._meaning.frames_lost(lost)
        self._emit(Gap(t, self._number))

    def _known(self, kind: int, fields: dict[str, Any], t: int) -> None:
        if kind == wire.RESULT:
            self._commands.answered(fields, t)
            self._say_plan()
        elif kind == wire.HEARTBEAT:
            self._heartbeat(fields["uptime_ms"], t)
        else:
            self._meaning.frame(kind, fields, t)

    def _heartbeat(self, uptime: int, t: int) -> None:
        """A board that restarted may not say so; its uptime does. Then HELLO is asked for until it comes."""
        if self._uptime is not None and (uptime - self._uptime) % (1 << 32) >= 1 << 31:
            self._ask(t)
        else:
            self._uptime = uptime

    # --- the handshake --------------------------------------------------------------------------------------

    def _ask(self, t: int) -> None:
        if not self._talking:
            self._ask_at = t + self._timing.hello
        self.counters["hello_asked"] += 1
        self._send(wire.GET_HELLO, b"")

    def _hello(self, seq: int, body: bytes, fields: dict[str, Any], t: int) -> None:
        antennas = frozenset(item["antenna"] for item in fields["antennas"])
        hello = Hello(
            boot_id=fields["boot_id"],
            board_id=fields["board_id"],
            firmware=printable(fields["firmware"]),
            capabilities=fields["capabilities"],
            antennas=antennas,
        )
        if fields["major"] != wire.MAJOR:
            self._refuse(hello, self._version_text(fields["major"], fields["minor"]), t)
            return
        if self._must_be is not None and hello.known_id not in (None, self._must_be):
            self.stranger = hello.board_id
            if self._talking:
                self._talking = False
                self._commands.forget()
                self._lose(t, "lost", Said("another board answers on this line"))
            return
        holder = hello.known_id and self._claims.claim(hello.known_id, self._number, self.state.port)
        if holder:
            self._refuse(hello, self._twice_text(hello.board_id, *holder), t)
            return
        old, self.hello, self.ours = self.hello, hello, hello.known_id
        same_boot = old is not None and (old.board_id, old.boot_id) == (hello.board_id, hello.boot_id)
        if self._talking and same_boot:
            self._in_order(wire.HELLO, seq, body, t)
            return
        self._begin(hello, seq, body, same_boot=same_boot, t=t)

    def _begin(self, hello: Hello, seq: int, body: bytes, *, same_boot: bool, t: int) -> None:
        """The board is there: a first meeting, a return, or a restart while we listened."""
        restarted = self._talking
        self._talking = True
        self._ask_at = None
        self._silent_at = t + self._timing.silence
        self._uptime = None
        self._sequence.restart()
        self._sequence.step(wire.HELLO, seq, body)
        # The very first frame of a boot, number 0, proves that no sweep had begun before it.
        self._meaning.board_begins(hello.capabilities, same_boot=same_boot, mid_sweep=seq != 0)
        if restarted:
            self.counters["reboots"] += 1
            self.counters["gaps"] += 1
            self._emit(Gap(t, self._number))
        self._standing.find(t)
        self._commands.begin(t, has_lamp=bool(hello.capabilities & LED))
        self._meaning.missing_antennas(hello.antennas, t)
        self._say_plan()

    def _refuse(self, hello: Hello, text: str, t: int) -> None:
        """Not this board: it is not listened to, but asked again, in case that somebody puts it right."""
        self.counters["refused"] += 1
        self.hello = hello
        if self._talking:
            self._talking = False
            self._commands.forget()
        self._ask_at = t + self._timing.hello
        self._silent_at = None
        self._lose(t, "refused", text)

    # --- what others see ------------------------------------------------------------------------------------

    def _lose(self, t: int, state: State, text: str) -> None:
        self._claims.release(self._number)
        self._standing.lose(t, state, text, **self._who())

    def _say_plan(self) -> None:
        if self._talking and self.hello is not None:
            old = outdated(self.hello.firmware)
            text = ""
            for one in (self._meaning.complaint(self.hello.antennas), self._commands.complaint, old):
                text = Said("{one}; {other}", one=text, other=one) if text and one else text or one
            self._say("ok", text)

    def _say(self, state: State, text: str) -> None:
        self._standing.say(state, text, **self._who())

    def _who(self) -> dict[str, str]:
        hello = self.hello
        return {"firmware": hello.firmware, "board_id": hello.board_id.hex()} if hello else {}

    def _version_text(self, major: int, minor: int) -> str:
        theirs, ours = f"{major}.{minor}", f"{wire.MAJOR}.{wire.MINOR}"
        return Said(
            "the board speaks protocol {theirs}, this table speaks {ours}: "
            "give the board the firmware of this release",
            theirs=theirs,
            ours=ours,
        )

    def _twice_text(self, board_id: bytes, reader: int, port: str) -> str:
        return Said(
            "board {board} answers on {port}, but reader {reader} has a board of that id on {other}: "
            "give each board an id of its own",
            board=board_id.hex(), port=self.state.port, reader=reader, other=port,
        )  # fmt: skip

    def _silence_text(self) -> str:
        if self.hello is None:
            return Said("port {port} is open, but no reader board answers there", port=self.state.port)
        return Said("no word from the board: it is asked again until it answers")

    def _send(self, kind: int, body: bytes) -> int:
        seq, self._seq = self._seq, (self._seq + 1) % 256
        if self._send_bytes is not None:
            self._send_bytes(wire.encode(kind, seq, body))
        return seq


def outdated(firmware: str) -> str:
    """That a board's firmware is older than this table, in words; empty if it is not, or not one of ours."""
    if not versions.is_older(firmware):
        return ""
    return Said(
        "the board's firmware is {theirs}, older than this table ({ours}): flash it with this release",
        theirs=versions.named(firmware),
        ours=__version__,
    )
