"""The NXP PN5180 at its host interface: SPI frames, registers, RF field, one exchange on air.

Owns: the command bytes, the BUSY handshake, the flags, and what one exchange came to.
Refuses: what the bytes on air mean (`radio`), and pins (`board`).

Sources, cited below by these names. DS: NXP, PN5180A0xx product data sheet, section 11.4.3.3 "Host Interface
Command List" and the register tables. AN: NXP, AN12650 "Using the PN5180 without library". ISO: ISO/IEC
15693-3. What only silicon can show is listed in `firmware/RADIO.md`.

Registers have 32 bits and MicroPython's small integers 31: flags are tested byte by byte, in buffers made once.
An exchange allocates nothing.
"""

TYPE_CHECKING = False  # type checkers read True; MicroPython has no typing module to import the real one from
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# commands, DS 11.4.3.3
WRITE_REGISTER_MULTIPLE = 0x03
READ_REGISTER_MULTIPLE = 0x05
READ_EEPROM = 0x07
SEND_DATA = 0x09
READ_DATA = 0x0A
LOAD_RF_CONFIG = 0x11
RF_ON = 0x16
RF_OFF = 0x17

# registers, DS register overview
SYSTEM_CONFIG = 0x00
IRQ_ENABLE = 0x01
IRQ_STATUS = 0x02
IRQ_CLEAR = 0x03
TIMER1_RELOAD = 0x0C
TIMER1_CONFIG = 0x0F
RX_STATUS = 0x13
TX_CONFIG = 0x18
RF_STATUS = 0x1D
DPC_CONFIG = 0x27

# how WRITE_REGISTER_MULTIPLE changes a register
SET = 1
OR = 2
AND = 3

# IRQ_STATUS, by byte
RX_ENDED = 0x01  # byte 0, bit 0
BOOTED = 0x04  # byte 0, bit 2: IDLE_IRQ
SOF_HEARD = 0x40  # byte 1, bit 14
TIMER1_OVER = 0x10  # byte 1, bit 12
REFUSED = 0x02  # byte 2, bit 17: GENERAL_ERROR_IRQ
# RX_STATUS, bits 16 to 18
INTEGRITY_ERROR = 0x01
PROTOCOL_ERROR = 0x02
COLLISION_DETECTED = 0x04
# RF_STATUS, bit 17
FIELD_IS_ON = 0x02

TX_ISO15693 = 0x0D
"""RF configuration ISO 15693, ASK 100 %, 26 kbit/s (DS, LOAD_RF_CONFIG)."""
RX_ISO15693 = 0x8D
PRODUCT_VERSION = 0x10
"""EEPROM address: product version, then firmware version, two bytes each, low one first."""
OLDEST_FIRMWARE = 3
"""The register map used here is the one of firmware 3 and later."""
NO_COLLISION_AVOIDANCE = 0x01
"""RF_ON without the listening of ISO/IEC 18092: a neighbouring board's field must not keep ours off."""

BUSY_MS = 30
"""Longest time for BUSY to change, ms; every command used here is done in a few."""
RESET_US = 1000
"""RESET_N low, µs; DS asks for 10."""
BOOT_US = 3000
BOOT_MS = 50
"""From RESET_N high to IDLE_IRQ: first look after `BOOT_US`, given up after `BOOT_MS`."""
FIELD_MS = 10
"""For the field to go on or off, ms."""
ANSWER_MS = 10
"""For an answer to end, ms; the longest inventory answer takes 4."""
ANSWER_US = 3600
"""From a start of frame it takes 3.8 ms to the end of an inventory answer; no SPI disturbs the receiver until then."""
POLL_US = 100
T2_US = 310
"""From the end of an answer to the next request, at least 4192/fc (ISO, t2), µs."""
SILENCE_CYCLES = 7584
"""From the end of a request until it is sure that nobody answers, in cycles of 13.56 MHz, which the chip counts:
4384 + 2048 (ISO, t3: t1 and the start of an answer), 512 for the first bit, and 47 µs for the receiver to tell."""
SILENCE_US = 560
"""The same, µs."""
REQUEST_US = 114
"""Start and end of a request, µs."""
BYTE_US = 302
"""One byte to the tag, 1-of-4 coding (ISO), µs."""
EOF_US = 38
CRC_BYTES = 2
ANSWER_BYTES = 10
"""An inventory answer without its CRC: flags, DSFID, UID."""
FULL_POWER = 255

# what an exchange came to
NOTHING = 0
ANSWER = 1
GARBLED = 2
COLLISION = 3

ELAPSED = 0x3FFFFFFF
"""Mask for differences of `ticks_ms`, which wraps at 2**30 or at a multiple of it."""


class RadioError(Exception):
    """The front end failed: nothing can be said of what lies on the antenna.

    `kind` is "busy", "timeout", "field" or "protocol". `wedged`: only a hardware reset helps.
    """

    wedged = True

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class SpoiltError(RadioError):
    """The air failed, the front end did not: an answer that cannot be read."""

    wedged = False

    def __init__(self, text: str) -> None:
        super().__init__("protocol", text)


def _change(register: int, how: int, value: int) -> bytes:
    """One element of WRITE_REGISTER_MULTIPLE."""
    return bytes((register, how)) + value.to_bytes(4, "little")


_NEW_EXCHANGE = (
    _change(IRQ_CLEAR, SET, 0x000FFFFF)  # flags of an earlier exchange must not answer for this one
    + _change(SYSTEM_CONFIG, AND, 0xFFFFFFF8)  # idle: ends whatever the receiver still waits for
    + _change(SYSTEM_CONFIG, OR, 0x00000003)  # transceive: SEND_DATA asks for it
)
_SETUP = bytes((WRITE_REGISTER_MULTIPLE,)) + (
    # RX, TX, IDLE, RFOFF, RFON, TIMER1, SOF and GENERAL_ERROR
    _change(IRQ_ENABLE, SET, 0x00025307)
    + _change(TIMER1_RELOAD, SET, SILENCE_CYCLES)
    # runs from the end of a transmission, stops when an answer's first bit comes, counts 13.56 MHz once
    + _change(TIMER1_CONFIG, SET, 0x00100801)
)
_ONLY_EOF = (
    bytes((WRITE_REGISTER_MULTIPLE,))
    + _NEW_EXCHANGE
    # no start symbol, no data: what is left of a frame is its end, which opens the next slot (AN, ISO 8.5)
    + _change(TX_CONFIG, AND, 0xFFFFFB3F)
)
_SEND_NOTHING = bytes((SEND_DATA, 0))
_CLEAR_FLAGS = bytes((WRITE_REGISTER_MULTIPLE,)) + _change(IRQ_CLEAR, SET, 0x000FFFFF)
_FIELD_ON = bytes((RF_ON, NO_COLLISION_AVOIDANCE))
_FIELD_OFF = bytes((RF_OFF, 0))
_READ_STATUS = bytes((READ_REGISTER_MULTIPLE, IRQ_STATUS, RX_STATUS, RF_STATUS))
_READ_ANSWER = bytes((READ_DATA, 0))
_BLANKS = {length: b"\xff" * length for length in (4, ANSWER_BYTES, 12)}


class PN5180:
    """One chip. `bus` has `select`, `busy`, `reset` and `transfer`; times come from outside.

    `frame` takes the bytes to send, from index 2. `status` holds IRQ_STATUS, RX_STATUS and RF_STATUS as they were
    read last, `answer` the last answer.
    """

    def __init__(self, bus: "Any", ticks_ms: "Callable[[], int]", sleep_us: "Callable[[int], None]") -> None:
        self._bus = bus
        self._ticks_ms = ticks_ms
        self._sleep_us = sleep_us
        self.frame = bytearray(16)
        self.frame[0] = SEND_DATA
        self.status = bytearray(12)
        self.answer = bytearray(ANSWER_BYTES)
        self._frames = [memoryview(self.frame)[: 2 + length] for length in range(15)]
        self._with_data = b""
        self._amplitude = b""
        self._power = FULL_POWER

    # --- the chip itself ------------------------------------------------------------------------------------

    def start(self) -> "tuple[int, int, int, int]":
        """Hardware reset, versions, ISO 15693. Returns product and firmware version, major and minor each.

        RadioError if the chip stays silent, or is not one that this driver knows.
        """
        self._bus.select(1)
        self._bus.reset(0)
        self._sleep_us(RESET_US)
        self._bus.reset(1)
        self._sleep_us(BOOT_US)
        self._await_boot()
        versions = self._ask(bytes((READ_EEPROM, PRODUCT_VERSION, 4)), 4)
        product, firmware = (versions[1], versions[0]), (versions[3], versions[2])
        if not OLDEST_FIRMWARE <= firmware[0] < 0xFF:
            raise RadioError(
                "protocol",
                f"PN5180 firmware is {firmware[0]}.{firmware[1]}, must be {OLDEST_FIRMWARE}.0 or newer",
            )
        self._send(bytes((LOAD_RF_CONFIG, TX_ISO15693, RX_ISO15693)))
        self._send(_SETUP)
        # What the configuration just loaded into both: sending data, and full power, go back to it.
        loaded = self._ask(bytes((READ_REGISTER_MULTIPLE, TX_CONFIG, DPC_CONFIG, RF_STATUS)), 12)
        head = bytes((WRITE_REGISTER_MULTIPLE,))
        self._with_data = head + _NEW_EXCHANGE + bytes((TX_CONFIG, SET)) + loaded[:4]
        self._amplitude = bytes((DPC_CONFIG, SET)) + loaded[4:8]
        self._power = FULL_POWER
        return product[0], product[1], firmware[0], firmware[1]

    def _await_boot(self) -> None:
        started = self._ticks_ms()
        while True:
            self.read_status()
            if self.status[0] & BOOTED:
                return
            if self._since(started) > BOOT_MS:
                raise RadioError("timeout", "the PN5180 does not come up after a reset")
            self._sleep_us(POLL_US)

    def read_status(self) -> None:
        """Brings `status` up to date. RadioError if the chip refused the command before, or is not there."""
        self._ask_into(_READ_STATUS, self.status)
        if self.status[3] == 0xFF:  # IRQ_STATUS ends at bit 19
            raise RadioError("protocol", "no PN5180 answers on the SPI bus")
        if self.status[2] & REFUSED:
            raise RadioError("protocol", "the PN5180 refused a command")

    @property
    def agc(self) -> int:
        """AGC_VALUE of the last `status`, 0 to 1023: the divider before the receiver (DS, RF_STATUS)."""
        return self.status[8] | (self.status[9] & 0x03) << 8

    # --- the field ------------------------------------------------------------------------------------------

    def field_on(self, power: int) -> None:
        """Field on, at a power of 0 to 255. RadioError "field" if it does not come."""
        if power != self._power:
            self._send(bytes((WRITE_REGISTER_MULTIPLE,)) + self._driver_settings(power))
            self._power = power
        self._send(_CLEAR_FLAGS)
        self._send(_FIELD_ON)
        self._await_field(FIELD_IS_ON, "the field does not come on")

    def field_off(self) -> None:
        """Field off. RadioError "field" if it stays."""
        self._send(_CLEAR_FLAGS)
        self._send(_FIELD_OFF)
        self._await_field(0, "the field does not go off")

    def _driver_settings(self, power: int) -> bytes:
        """Full power is what the RF configuration says; below, four steps of the driver's amplitude.

        TX_CW_AMPLITUDE_RM (bits 1 and 2) counts only while TX_CW_TO_MAX_RM (bit 3) is 0 (DS, DPC_CONFIG).
        """
        if power >= FULL_POWER:
            return self._amplitude
        step = 3 - (power >> 6)
        return self._amplitude + _change(DPC_CONFIG, AND, 0xFFFFFFF1) + _change(DPC_CONFIG, OR, step << 1)

    def _await_field(self, wanted: int, otherwise: str) -> None:
        started = self._ticks_ms()
        while True:
            self.read_status()
            if self.status[10] & FIELD_IS_ON == wanted:
                return
            if self._since(started) > FIELD_MS:
                raise RadioError("field", otherwise)
            self._sleep_us(POLL_US)

    # --- one exchange on air --------------------------------------------------------------------------------

    def exchange(self, length: int) -> int:
        """Sends `length` bytes of `frame` (the chip adds the CRC) and says what came back.

        NOTHING, ANSWER (in `answer`), GARBLED or COLLISION. RadioError if the chip does not come back.
        """
        self._send(self._with_data)
        self._send(self._frames[length])
        return self._outcome(REQUEST_US + (length + CRC_BYTES) * BYTE_US)

    def next_slot(self) -> int:
        """Sends an end of frame alone, which opens the next slot; else as `exchange`."""
        self._send(_ONLY_EOF)
        self._send(_SEND_NOTHING)
        return self._outcome(EOF_US)

    def _outcome(self, on_air_us: int) -> int:
        """Waits for the transmission to end and for what follows it: an answer, or the timer, which it would stop."""
        self._sleep_us(on_air_us + SILENCE_US)
        started = self._ticks_ms()
        answering = False
        while True:
            self.read_status()
            flags = self.status
            if flags[0] & RX_ENDED:
                return self._judge()
            if flags[1] & SOF_HEARD:
                if not answering:
                    self._sleep_us(ANSWER_US)
                answering = True
            elif flags[1] & TIMER1_OVER:
                return NOTHING
            if self._since(started) > ANSWER_MS:
                if answering:
                    return GARBLED  # it began and never ended
                raise RadioError("timeout", "the PN5180 does not end its transmission")
            self._sleep_us(POLL_US)

    def _judge(self) -> int:
        """What the receiver says of the answer. A collision may come with any number of bytes, none included."""
        self._sleep_us(T2_US)
        errors = self.status[6] & (INTEGRITY_ERROR | PROTOCOL_ERROR | COLLISION_DETECTED)
        if errors & COLLISION_DETECTED:
            return COLLISION
        if errors or self.status[4] | (self.status[5] & 0x01) << 8 != ANSWER_BYTES:
            return GARBLED
        self._ask_into(_READ_ANSWER, self.answer)
        return GARBLED if self.answer[0] else ANSWER  # an inventory answer has no flag set (ISO 10.1)

    # --- SPI frames -----------------------------------------------------------------------------------------

    def _ask(self, command: bytes, length: int) -> bytes:
        into = bytearray(length)
        self._ask_into(command, into)
        return bytes(into)

    def _ask_into(self, command: bytes, into: bytearray) -> None:
        """A command and, as a second SPI frame, its response (DS 11.4.3)."""
        self._send(command)
        self._send(_BLANKS[len(into)], into)

    def _send(self, out: "bytes | memoryview", into: "bytearray | None" = None) -> None:
        """One SPI frame with the BUSY handshake that DS 11.4.2 recommends; the next one waits for BUSY to fall."""
        bus = self._bus
        self._await_busy(0)
        bus.select(0)
        try:
            bus.transfer(out, into)
            self._await_busy(1)
        finally:
            bus.select(1)

    def _await_busy(self, level: int) -> None:
        bus = self._bus
        if bus.busy() == level:
            return
        started = self._ticks_ms()
        while bus.busy() != level:
            if self._since(started) > BUSY_MS:
                raise RadioError("busy", "BUSY of the PN5180 sticks at " + ("low" if level else "high"))

    def _since(self, started: int) -> int:
        return (self._ticks_ms() - started) & ELAPSED
