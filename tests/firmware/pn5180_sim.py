"""A simulated NXP PN5180 at the level of its SPI commands, with antennas and tags.

Owns: the host interface, registers, flags, timer and field of the chip. Refuses: tags and air (`tags_sim`).
It is strict: what the chip forbids is refused as the chip does and written into `violations`. Runs under CPython
and MicroPython; the board sees it as its bus (`select`, `busy`, `reset`, `transfer`, `antenna`).

DS: NXP PN5180A0xx product data sheet, sections 11.4.2 (BUSY) and 11.4.3.3 (commands), and its register tables.
AN: NXP AN12650.
"""

from tags_sim import (
    ANSWER_EDGE,
    BIT_FROM_TAG,
    BYTE_TO_TAG,
    EOF,
    FC_KHZ,
    FORGETS,
    POWER_UP,
    REQUEST_EDGES,
    T1,
    T2,
    SimulatedTag,
    on_air,
    with_crc,
)

__all__ = ["Clock", "SimulatedPN5180", "SimulatedTag"]

# registers (DS register overview)
SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR = 0x00, 0x01, 0x02, 0x03
TIMER1_RELOAD, TIMER1_CONFIG, RX_STATUS, TX_CONFIG = 0x0C, 0x0F, 0x13, 0x18
CRC_RX_CONFIG, CRC_TX_CONFIG, RF_STATUS, DPC_CONFIG = 0x12, 0x19, 0x1D, 0x27
READ_ONLY = (IRQ_STATUS, RX_STATUS, RF_STATUS)
HIGHEST_REGISTER = 0x2A

# IRQ_STATUS
RX_IRQ, TX_IRQ, IDLE_IRQ = 1 << 0, 1 << 1, 1 << 2
RFOFF_IRQ, RFON_IRQ, TIMER1_IRQ, SOF_IRQ, GENERAL_ERROR = 1 << 8, 1 << 9, 1 << 12, 1 << 14, 1 << 17
# RX_STATUS
INTEGRITY_ERROR, PROTOCOL_ERROR, COLLISION = 1 << 16, 1 << 17, 1 << 18
# RF_STATUS, TRANSCEIVE_STATE
IDLE, WAIT_TRANSMIT, TRANSMITTING, WAIT_RECEIVE, RECEIVING = 0, 1, 2, 3, 5

LOADED_TX_CONFIG = 0x0540
"""Data, start and stop symbols enabled. Stands for what the RF configuration holds; drivers must not know it."""
LOADED_DPC_CONFIG = 0x0008
TIMER1_AS_ANSWER_WAIT = 0x00100801
KEPT = 500
BOOT = 5 * FC_KHZ // 2


class Clock:
    """Simulated time in cycles of the carrier; it passes by waiting and by using the bus."""

    def __init__(self):
        self.now = 0

    def sleep_us(self, us):
        self.now += us * FC_KHZ // 1000

    def ticks_ms(self):
        return self.now // FC_KHZ & 0x3FFFFFFF


class SimulatedPN5180:
    """One chip. `tags`: antenna → tags that lie on it now.

    Faults: `busy_stuck` (a hardware reset frees it, unless `stays_stuck`), `dead` (no chip there), `mute` (its MISO
    line is broken), `field_fails`, `slow_to_send` (in cycles), `never_sends`, `never_receives` (an answer begins and
    does not end), `noise` (so many answers from nobody, spoilt), `late_sof` (the receiver is behind the air, in
    cycles), `hides_collisions` (spoilt, but not told why).
    """

    def __init__(self, clock=None):
        self.clock = clock or Clock()
        self.tags = {}
        self.agc = {}
        self.eeprom = {0x10: 0, 0x11: 4, 0x12: 1, 0x13: 4, 0x14: 0, 0x15: 152}
        self.violations = []
        self.requests = []
        """What was sent on air, CRC included, the last `KEPT` of it; an end of frame alone is b""."""
        self.air = 0
        """Time on air by the formulas of the standard, in cycles."""
        self.frames = 0
        """SPI frames."""
        self.hardware_resets = 0
        self.busy_stuck = self.stays_stuck = self.dead = self.mute = False
        self.field_fails = self.never_sends = self.never_receives = self.hides_collisions = False
        self.noise = 0
        self.late_sof = self.slow_to_send = 0
        self.switched_to = None
        """The antenna that the multiplexer leads to."""
        self._off_since = {}
        self._nss = 1
        self.held = False
        """RESET_N is low."""
        self._power_on()

    def _power_on(self):
        self.registers = dict.fromkeys(range(HIGHEST_REGISTER + 1), 0)
        self.irq_status = self.rx_status = 0
        self.received = b""
        self.field = False
        self._state = IDLE
        self._configured = False
        self._events = []
        self._on_since = self._free_at = self._busy_until = self._sending_until = 0
        self._busy_seen = False
        self._shifted_in = None
        self._response = None

    # --- the bus --------------------------------------------------------------------------------------------

    def select(self, level):
        """NSS. The frame is the chip's when it rises (DS 11.4.2)."""
        if level == self._nss:
            return
        self._nss = level
        if not level:
            self._expect(not self._is_busy(), "NSS falls while BUSY is high")
            self._shifted_in = None
        elif self._shifted_in is not None:
            self._expect(self._busy_seen, "NSS rises before BUSY was seen high")
            self._busy_until = self.clock.now + 150
            frame, self._shifted_in = self._shifted_in, None
            if frame and not self.dead and not self.held:
                self._run(frame)

    def busy(self):
        self.clock.now += 14  # a microsecond to look
        self._busy_seen = self._is_busy()
        return 1 if self._busy_seen else 0

    def reset(self, level):
        """RESET_N. Low stops everything, the field included; high boots."""
        if not level and not self.held:
            self.held = True
            self.hardware_resets += 1
            if not self.stays_stuck:
                self.busy_stuck = False
            self._switch_off()
            self._power_on()
        elif level and self.held:
            self.held = False
            self._busy_until = self.clock.now + BOOT
            self._later(BOOT, IDLE_IRQ)  # DS: IDLE_IRQ tells that the chip has started

    def transfer(self, out, into):
        """A frame's bytes, in one piece: NSS must not rise within a frame (DS 11.4.3)."""
        self.frames += 1
        self.clock.now += 16 * len(out) + 140  # 7 Mbit/s, and ten microseconds to set about it
        self._expect(not self._nss, "transfer while NSS is high")
        self._expect(not self._is_busy(), "transfer while BUSY is high")
        self._busy_seen = False
        if into is not None:
            for at in range(len(into)):
                into[at] = 0xFF
        if self.dead or self.held:
            return
        self._settle()
        if self._response is None:
            self._expect(into is None, "a response is read that no command asked for")
            self._shifted_in = bytes(out)
            return
        response, self._response = self._response, None
        self._expect(into is not None, "a command is sent while a response waits")
        self._expect(len(out) == len(response), f"{len(out)} bytes are read of a response of {len(response)}")
        for at in range(0 if self.mute else min(len(response), len(into or b""))):
            into[at] = response[at]
        self._shifted_in = b""

    def antenna(self, number):
        """The multiplexer. Switching it under power would wear it and reach two antennas."""
        self._expect(
            not self.field or number == self.switched_to, "the multiplexer is switched while the field is on"
        )
        self.switched_to = number

    def _is_busy(self):
        if self.dead:
            return False
        written = not self._nss and self._shifted_in is not None
        return self.busy_stuck or self.held or written or self.clock.now < self._busy_until

    # --- commands (DS 11.4.3.3) -----------------------------------------------------------------------------

    def _run(self, frame):
        self._settle()
        command, body = frame[0], frame[1:]
        if command in (0x00, 0x01, 0x02):
            self._write(body[0], command + 1, body[1:], len(body) == 5)
        elif command == 0x03:
            for at in range(0, len(body), 6):
                self._write(
                    body[at], body[at + 1], body[at + 2 : at + 6], len(body) % 6 == 0 and len(body) <= 252
                )
        elif command in (0x04, 0x05):
            self._read(body, 1 if command == 0x04 else 18)
        else:
            others = {
                0x07: self._read_eeprom,
                0x09: self._send_data,
                0x0A: self._read_data,
                0x11: self._load,
                0x16: self._rf_on,
                0x17: self._rf_off,
            }
            if self._expect(command in others, f"unknown command {command:02X}"):
                others[command](body)

    def _read_eeprom(self, body):
        self._response = bytes(self.eeprom.get(body[0] + at, 0) for at in range(body[1]))

    def _read_data(self, body):
        length = self.rx_status & 0x1FF
        self._expect(length > 0, "READ_DATA although nothing was received")
        self._response = self.received[:length]

    def _write(self, register, how, raw, whole):
        known = register <= HIGHEST_REGISTER and register not in READ_ONLY and how in (1, 2, 3)
        if not self._expect(whole and known, f"bad write to register {register:02X}"):
            return
        value = int.from_bytes(raw, "little")
        if how == 2:
            value |= self.registers[register]
        elif how == 3:
            value &= self.registers[register]
        if register == IRQ_CLEAR:
            self.irq_status &= ~value
            return
        self.registers[register] = value
        if register == SYSTEM_CONFIG:
            self._command(value & 0x07)

    def _command(self, command):
        """SYSTEM_CONFIG.COMMAND: 0 idle, 3 transceive; transceive begins by waiting for SEND_DATA."""
        self._expect(command in (0, 3), f"SYSTEM_CONFIG command {command} is not one that a reader uses")
        if command == 0:
            self._expect(self.clock.now >= self._sending_until, "a transmission is cut off")
            self._events = []
            self._state = IDLE
        elif self._state == IDLE:
            self._state = WAIT_TRANSMIT

    def _read(self, registers, most):
        if not self._expect(
            0 < len(registers) <= most and max(registers) <= HIGHEST_REGISTER, "bad register to read"
        ):
            return
        values = dict(self.registers)
        values[IRQ_STATUS], values[RX_STATUS] = self.irq_status, self.rx_status
        values[RF_STATUS] = self._state << 24 | self.field << 17 | self.agc.get(self.switched_to, 600)
        self._response = b"".join(values[register].to_bytes(4, "little") for register in registers)

    def _load(self, body):
        """LOAD_RF_CONFIG: 0D and 8D are ISO 15693 at 26 kbit/s; both set up the CRC."""
        self._expect(bytes(body) == b"\x0d\x8d", "not the RF configuration of ISO 15693, 26 kbit/s")
        self.registers[TX_CONFIG] = LOADED_TX_CONFIG
        self.registers[DPC_CONFIG] = LOADED_DPC_CONFIG
        self.registers[CRC_RX_CONFIG] = self.registers[CRC_TX_CONFIG] = 0x1B
        self._configured = True

    # --- the field ------------------------------------------------------------------------------------------

    def _rf_on(self, body):
        self._expect(len(body) == 1 and body[0] <= 3, "RF_ON has one byte, 0 to 3")
        self._expect(self._configured, "RF_ON before LOAD_RF_CONFIG")
        self._expect(not self.field, "RF_ON although the field is on")
        self._expect(self.switched_to is not None, "RF_ON without an antenna")
        if self.field_fails:
            return
        now = self.clock.now
        forgets = now - self._off_since.get(self.switched_to, -FORGETS) >= FORGETS
        for tag in self.tags.get(self.switched_to, ()):
            tag.power_up(forgets)
        self.field = True
        self._on_since = now
        self._later(100, RFON_IRQ)

    def _rf_off(self, body):
        self._switch_off()
        self._later(100, RFOFF_IRQ)

    def _switch_off(self):
        if self.field:
            self.field = False
            self._off_since[self.switched_to] = self.clock.now

    # --- the air --------------------------------------------------------------------------------------------

    def _send_data(self, body):
        """SEND_DATA: in WaitTransmit only; no byte at all only while TX_DATA_ENABLE is clear (AN: next slot)."""
        now, data, config = self.clock.now, bytes(body[1:]), self.registers[TX_CONFIG]
        allowed = (
            self._expect(self.field, "SEND_DATA without a field")
            and self._expect(self._state == WAIT_TRANSMIT, "SEND_DATA outside WaitTransmit")
            and self._expect(body[0] == 0, "SEND_DATA of a part of a byte")
            and self._expect(bool(data) == bool(config & 0x400), "data sent and TX_DATA_ENABLE disagree")
            and self._expect(
                bool(data) == bool(config & 0x0C0), "a frame needs a start, an end of frame none"
            )
        )
        if not allowed:
            return
        self._expect(now - self._on_since >= POWER_UP, "a request before the tags are awake")
        self._expect(now >= self._free_at, "a request before t2 or t3 is over")
        self.rx_status, self.received = 0, b""
        self._state = TRANSMITTING
        frame = with_crc(data) if data else b""
        self.requests.append(frame)
        del self.requests[:-KEPT]
        on_air_for = REQUEST_EDGES + len(frame) * BYTE_TO_TAG if frame else EOF
        sending = self.slow_to_send + on_air_for
        self._sending_until = now + sending
        if self.never_sends:
            return
        self.air += on_air_for
        self._later(sending, TX_IRQ, WAIT_RECEIVE)
        heard = [
            (tag, tag.hear(frame) if frame else tag.hear_eof()) for tag in self.tags.get(self.switched_to, ())
        ]
        self._hear([(tag, answer) for tag, answer in heard if answer is not None], sending)

    def _hear(self, answers, sent):
        """The receiver: start of frame, bits, flags in RX_STATUS, and the times of ISO/IEC 15693-3, clause 9."""
        if answers:
            frame, bits, collided = on_air(answers)
        elif self.noise:
            self.noise -= 1
            frame, bits, collided = b"\x00\x00\x00", 24, None
        else:
            self._run_timer(sent, None)
            self.air += T1 + ANSWER_EDGE
            self._free_at = self.clock.now + sent + T1 + ANSWER_EDGE
            return
        begins = sent + T1 + ANSWER_EDGE
        ends = begins + bits * BIT_FROM_TAG + ANSWER_EDGE
        self._run_timer(sent, begins + self.late_sof + BIT_FROM_TAG)
        self.air += T1 + 2 * ANSWER_EDGE + bits * BIT_FROM_TAG + T2
        self._free_at = self.clock.now + ends + T2
        self._later(begins + self.late_sof, SOF_IRQ, RECEIVING)
        if not self.never_receives:
            self._events.append(
                (self.clock.now + ends, RX_IRQ, WAIT_RECEIVE, self._receive(frame, bits, collided))
            )

    def _run_timer(self, sent, first_bit):
        """T1: from the end of the transmission until an answer's first bit stops it (DS, TIMER1_CONFIG)."""
        over = sent + self.registers[TIMER1_RELOAD]
        if self.registers[TIMER1_CONFIG] == TIMER1_AS_ANSWER_WAIT and (first_bit is None or over < first_bit):
            self._later(over, TIMER1_IRQ)

    def _receive(self, frame, bits, collided):
        """RX_STATUS and the bytes: without their CRC, and cleared from the collision on (DS, CRC_RX_CONFIG)."""
        if collided is not None:
            if self.hides_collisions:
                return INTEGRITY_ERROR, b""
            return COLLISION | INTEGRITY_ERROR | (collided & 0x7F) << 19 | collided // 8, frame[
                : collided // 8
            ]
        whole = frame[: bits // 8]
        if bits % 8 or len(whole) < 3:
            return PROTOCOL_ERROR | len(whole), whole
        error = 0 if with_crc(whole[:-2]) == whole else INTEGRITY_ERROR
        return error | len(whole) - 2, whole[:-2]

    # --- time and faults ------------------------------------------------------------------------------------

    def _later(self, cycles, irq, state=None):
        self._events.append((self.clock.now + cycles, irq, state, None))

    def _settle(self):
        """What was due until now has happened."""
        for event in sorted(
            [event for event in self._events if event[0] <= self.clock.now], key=lambda e: e[0]
        ):
            self._events.remove(event)
            _, irq, state, received = event
            self.irq_status |= irq
            if state is not None:
                self._state = state
            if received is not None:
                self.rx_status, self.received = received

    def _expect(self, held, otherwise):
        """What the chip forbids raises GENERAL_ERROR_IRQ (DS 11.4.3) and is remembered."""
        if not held:
            self.violations.append(otherwise)
            self.irq_status |= GENERAL_ERROR
        return held
