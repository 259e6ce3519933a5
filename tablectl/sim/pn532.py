"""A PN532 on a pty: the chip of the readers that `pn532` drives, with its habits and its failures.

Owns: the chip's frames, its commands as far as nfcpy 1.0.4 uses them, sleep and waking, the bit rate, and faults
that can be switched on. Refuses: tags (`typea`) and the pty (`ports`).

The chip is a thread that waits on its line. Frames and commands are those of NXP's user manual UM0701-02 (frames
in 6.2.1, the rest by the name of the command in section 7); how long the chip takes is an assumption [A].

    chip = SimulatedPn532(Path("/tmp/reader"))
    chip.lay(Tag("04A1B2C3D4E5F6"))
    chip.fault = Fault("silent", cure="power")
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from tablectl.sim.ports import PtyPort
from tablectl.sim.typea import RESET_S, Tag

START = b"\x00\xff"
ACK = b"\x00\x00\xff\x00\xff\x00"
SYNTAX_ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
TO_CHIP, FROM_CHIP = 0xD4, 0xD5
LONGEST = 265
"""The most that a frame carries, bytes."""

FIRST_RATE = 115_200
"""The bit rate after power-up, bit/s."""
RATES = (9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000)
"""By SetSerialBaudRate's parameter, bit/s."""
WAKING_EDGES = 5
"""Rising edges on the line that wake the chip from PowerDown."""

DIAGNOSE, VERSION, READ_REGISTER, WRITE_REGISTER, SET_RATE = 0x00, 0x02, 0x06, 0x08, 0x10
SET_PARAMETERS, SAM, POWER_DOWN, RF, EXCHANGE, LIST = 0x12, 0x14, 0x16, 0x32, 0x42, 0x4A
FIRMWARE = b"\x32\x01\x06\x07"
"""IC, version, revision and support of a PN532 C106, firmware 1.6."""
FIFO_DATA = 0x6339
NO_ANSWER, SOME_ANSWER = 0x26, 0x44
"""What the CIU's FIFO shows after a look: the request itself if no tag answered it, else part of an answer."""
RF_FIELD = 0x01
TYPE_A = 0
MOST_TARGETS = 2
"""InListPassiveTarget lists no more tags (7.3.5)."""
TECHNOLOGIES = range(5)
"""InListPassiveTarget's BrTy: 106 kbit/s Type A, 212 and 424 FeliCa, 106 Type B, 106 Jewel; others are a syntax
error, such as the checksum that takes BrTy's place if the line loses that zero."""
TIME_OUT = 0x01

ACK_S = 0.0005
CHIP_S: Mapping[int, float] = {LIST: 0.008, EXCHANGE: 0.003, DIAGNOSE: 0.003}
"""From a command's end to its answer [A]; every other command takes OTHER_S."""
OTHER_S = 0.001
BITS_PER_BYTE = 10


@dataclass
class Fault:
    """What the chip does wrong, for so many commands, or until it is cured.

    `silent` neither acknowledges nor does a command, `no_answer` acknowledges it and does nothing more, `no_ack`
    only leaves the acknowledgement out, `garbled` turns a bit of every answer, `slow` answers `late` seconds
    later. Cures: `abort` is an ACK from the host, `setup` is SAMConfiguration, `power` only cutting its power.
    """

    how: Literal["silent", "no_answer", "no_ack", "garbled", "slow"]
    commands: int | None = None
    cure: Literal["abort", "setup", "power"] = "power"
    only: int | None = None
    """The one command that suffers; None for all."""
    late: float = 0.0
    late_ack: float = 0.0
    """How much later the acknowledgement comes, and so the answer after it, s."""


class SimulatedPn532(threading.Thread):
    """One reader. `changed` is called, from the chip's thread, whenever it has done something."""

    def __init__(self, link: Path, *, changed: Callable[[], None] = lambda: None) -> None:
        super().__init__(name=f"pn532 {link.name}", daemon=True)
        self.tags: list[Tag] = []
        """Tags in the field; the chip lists those with the lowest UIDs, as anti-collision does."""
        self.fault: Fault | None = None
        self.wake_s = 0.0
        """How long the chip is deaf after the edge that wakes it, s."""
        self.rate = FIRST_RATE
        self.heard: Counter[int] = Counter()
        """Commands that came in whole, by their code."""
        self.unheard = 0
        """Bytes lost on a chip that slept, was waking, or listened at another bit rate."""
        self.aborts = 0
        self.asleep = False
        self._out: list[tuple[float, bytes]] = []
        """What is on its way to the host, and when it has arrived."""
        self._next_rate: int | None = None
        self._changed = changed
        self._lock = threading.RLock()
        self._wake, self._wakes = os.pipe()
        self._ending = False
        self.link = link
        self._port = PtyPort(link)
        self._power_up()
        self.start()

    # --- the world around it --------------------------------------------------------------------------------

    def lay(self, *tags: Tag) -> None:
        """These tags, and no others, lie on the antenna."""
        with self._lock:
            self.tags = list(tags)

    def doze(self) -> None:
        """Fall asleep, as after another program's PowerDown or a dip of the supply."""
        with self._lock:
            self._sleep()

    def leave_in_command(self) -> None:
        """As a program leaves it that was killed while it wrote: half a command has come in."""
        with self._lock:
            self._buffer = START + b"\x0b\xf5\xd4"

    def power_cycle(self) -> None:
        """Power off and on; the line stays, as on a UART."""
        with self._lock:
            self._power_up()

    def unplug(self) -> None:
        """Line and power are gone."""
        with self._lock:
            self._port.unplug()
        self._nudge()

    def replug(self, link: Path | None = None) -> None:
        """Plugged in again, perhaps under another name."""
        with self._lock:
            if link is not None:
                self.link = self._port.link = link
            self._power_up()
            self._port.plug()
        self._nudge()

    def end(self) -> None:
        """Unplug for good."""
        self._ending = True
        self.unplug()
        self.join()
        os.close(self._wake)
        os.close(self._wakes)

    def _nudge(self) -> None:
        os.write(self._wakes, b".")

    # --- the line -------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Hear and answer until `end`."""
        while not self._ending:
            with self._lock:
                line = self._port.fd
                due = min((at for at, _ in self._out), default=None)
            timeout = None if due is None else max(0.0, due - time.monotonic())
            waiting = [self._wake] if line is None else [self._wake, line]
            try:
                ready, _, _ = select.select(waiting, [], [], timeout)
            except OSError:  # unplugged between asking for the line and waiting on it
                continue
            if self._wake in ready:
                os.read(self._wake, 100)
            with self._lock:
                if line in ready and line == self._port.fd:
                    self._hear(self._port.read())
                self._send_due()
            self._changed()

    def _send_due(self) -> None:
        now = time.monotonic()
        for at, data in self._out:
            if at <= now:
                self._port.write(data)
        self._out = [(at, data) for at, data in self._out if at > now]

    def _hear(self, data: bytes) -> None:
        if self.asleep:
            data = self._stir(data)
        speed = self._port.speed
        if (
            speed and speed == self._next_rate
        ):  # the ACK for it is read only now, or went with the host's flush of a pty
            self.rate, self._next_rate = speed, None
        if time.monotonic() < self._deaf_until or speed not in (0, self.rate):
            self.unheard += len(data)
            return
        self._buffer += data
        while (frame := self._next_frame()) is not None:
            self._obey(frame)

    def _stir(self, data: bytes) -> bytes:
        """What is left of the bytes once enough edges have woken the chip."""
        for count, byte in enumerate(data, start=1):
            bits = [0, *(byte >> bit & 1 for bit in range(8)), 1]
            self._edges += sum(1 for one, other in pairwise(bits) if other > one)
            if self._edges >= WAKING_EDGES:
                self.asleep = False
                self._deaf_until = time.monotonic() + self.wake_s
                self.unheard += count
                return data[count:]
        self.unheard += len(data)
        return b""

    def _next_frame(self) -> bytes | None:
        """The next frame's data (empty for an ACK); None as long as none is complete. Broken ones are dropped."""
        while (at := self._buffer.find(START)) >= 0:
            rest = self._buffer[at + 2 :]
            if len(rest) < 2:
                return None
            if rest[:2] == b"\x00\xff":
                self._buffer = rest[2:]
                return b""
            extended = rest[:2] == b"\xff\xff"
            head = 5 if extended else 2
            if len(rest) < head:
                return None
            length = int.from_bytes(rest[2:4], "big") if extended else rest[0]
            if sum(rest[2:5] if extended else rest[:2]) & 0xFF or not 0 < length <= LONGEST:
                self._buffer = self._buffer[at + 1 :]
                continue
            if len(rest) < head + length + 1:
                return None
            whole, self._buffer = rest[head : head + length + 1], rest[head + length + 1 :]
            if sum(whole) & 0xFF == 0 and whole[0] == TO_CHIP and length > 1:
                return whole[1:-1]
        self._buffer = self._buffer[-1:]
        return None

    # --- commands -------------------------------------------------------------------------------------------

    def _power_up(self) -> None:
        self.rate = FIRST_RATE
        self.fault = None
        self._buffer = b""
        self._out.clear()
        self._next_rate = None
        self._deaf_until = 0.0
        self._fifo = NO_ANSWER
        self._field = False
        self._off_since = 0.0
        self._selected: Tag | None = None
        self._sleep()  # a C106 starts in its low battery mode (AN10609)

    def _sleep(self) -> None:
        self.asleep = True
        self._edges = 0
        self._switch(field=False)

    def _obey(self, frame: bytes) -> None:
        if not frame:
            self._aborted()
            return
        code, given = frame[0], frame[1:]
        self.heard[code] += 1
        fault = self._suffers(code)
        if fault and fault.how == "silent":
            return
        now = time.monotonic() + len(frame) * BITS_PER_BYTE / self.rate + (fault.late_ack if fault else 0.0)
        if not (fault and fault.how == "no_ack"):
            self._out.append((now + ACK_S, ACK))
        if fault and fault.how == "no_answer":
            return
        answer = self._do(code, given)
        whole = SYNTAX_ERROR if answer is None else _framed(bytes([FROM_CHIP, code + 1]) + answer)
        if fault and fault.how == "garbled":
            whole = whole[:-3] + bytes([whole[-3] ^ 0x10]) + whole[-2:]
        late = fault.late if fault else 0.0
        takes = CHIP_S.get(code, OTHER_S) + len(whole) * BITS_PER_BYTE / self.rate
        self._out.append((now + takes + late, whole))

    def _aborted(self) -> None:
        """An ACK from the host ends the command that runs (6.2.1.3), or takes the new bit rate into use."""
        self.aborts += 1
        self._out.clear()
        if self.fault and self.fault.cure == "abort":
            self.fault = None
        if self._next_rate is not None:
            self.rate, self._next_rate = self._next_rate, None

    def _suffers(self, code: int) -> Fault | None:
        """The fault that this command suffers, if any."""
        fault = self.fault
        if fault and fault.cure == "setup" and code == SAM:
            self.fault = None
        if self.fault is None or fault is None or fault.only not in (None, code):
            return None
        if fault.commands is not None:
            fault.commands -= 1
            if fault.commands <= 0:
                self.fault = None
        return fault

    def _do(self, code: int, given: bytes) -> bytes | None:
        commands: dict[int, Callable[[bytes], bytes | None]] = {
            DIAGNOSE: lambda data: data if data[:1] == b"\x00" else b"\x00",
            VERSION: lambda _: FIRMWARE,
            READ_REGISTER: self._registers,
            WRITE_REGISTER: lambda _: b"",
            SET_RATE: self._set_rate,
            SET_PARAMETERS: lambda _: b"",
            SAM: lambda _: b"",
            POWER_DOWN: self._power_down,
            RF: self._configure_rf,
            LIST: self._list,
            EXCHANGE: self._exchange,
        }
        return commands[code](given) if code in commands else None

    def _registers(self, given: bytes) -> bytes:
        addresses = [int.from_bytes(given[at : at + 2], "big") for at in range(0, len(given), 2)]
        return bytes(self._fifo if address == FIFO_DATA else 0 for address in addresses)

    def _set_rate(self, given: bytes) -> bytes | None:
        if not given or given[0] >= len(RATES):
            return None
        self._next_rate = RATES[given[0]]
        return b""

    def _power_down(self, _: bytes) -> bytes:
        self._sleep()
        return b"\x00"

    def _configure_rf(self, given: bytes) -> bytes | None:
        if not given:
            return None
        if given[0] == RF_FIELD and len(given) == 2:
            self._switch(field=bool(given[1] & 1))
        return b""

    def _switch(self, *, field: bool) -> None:
        if self._field and not field:
            self._off_since = time.monotonic()
        if field and not self._field and time.monotonic() - self._off_since >= RESET_S:
            for tag in self.tags:
                tag.reset()
        self._field = field

    def _list(self, given: bytes) -> bytes | None:
        """InListPassiveTarget: a look for one or two tags (7.3.5). Of other technologies than Type A there are none."""
        if len(given) < 2 or given[1] not in TECHNOLOGIES:
            return None
        self._switch(field=True)
        self._fifo = NO_ANSWER
        self._selected = None
        if given[1] != TYPE_A:
            return b"\x00"
        answering = sorted((tag for tag in self.tags if tag.hears_request()), key=lambda tag: tag.uid)
        listed = b""
        for number, tag in enumerate(answering[: min(given[0], MOST_TARGETS)], start=1):
            found = tag.select()
            if found is None:
                self._fifo = SOME_ANSWER
                return bytes([number - 1]) + listed
            self._selected = tag
            listed += bytes([number]) + found
        return bytes([min(len(answering), given[0], MOST_TARGETS)]) + listed

    def _exchange(self, given: bytes) -> bytes:
        """InCommunicateThru to the tag that was listed last."""
        answer = self._selected.exchange(given) if self._selected in self.tags and self._selected else None
        return bytes([TIME_OUT]) if answer is None else b"\x00" + answer


def _framed(data: bytes) -> bytes:
    """A frame from the chip: normal, or extended where it is too long for that (6.2.1.1, 6.2.1.2)."""
    if len(data) < 0x100:
        head = bytes([len(data), -len(data) & 0xFF])
    else:
        size = len(data).to_bytes(2, "big")
        head = b"\xff\xff" + size + bytes([-sum(size) & 0xFF])
    return b"\x00" + START + head + data + bytes([-sum(data) & 0xFF, 0])
