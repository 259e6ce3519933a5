"""The chip that the firmware runs on, an RP2040 on a board of the Pico's form: everything that touches `machine`.

Owns: pins, the SPI bus, the antenna multiplexer, lamps, the watchdog, the serial line's bytes, edges of the optical
sensors, the board's id, its clock, its memory.
Refuses: what any of that means. Nothing here waits for the host, and nothing allocates in an interrupt.
"""

import os
from array import array

TYPE_CHECKING = False  # see wire.py
if TYPE_CHECKING:
    from typing import Any

    gc: Any  # MicroPython's modules have what CPython's of the same name have not
    machine: Any
    micropython: Any
    select: Any
    sys: Any
    time: Any
else:
    import gc
    import select
    import sys
    import time

    import machine
    import micropython

PINS = {
    "spi_miso": 16,
    "spi_sck": 18,
    "spi_mosi": 19,
    "front_end_0_nss": 17,
    "front_end_0_busy": 20,
    "front_end_0_reset": 21,
    "front_end_0_mux_off": 9,
    "mux_a0": 10,
    "mux_a1": 11,
    "mux_a2": 12,
    "optical_below": 14,
    "optical_above": 15,
    "optical_fitted": 13,
    "led": 6,
    "lamp": 25,
}
"""GPIO numbers of the RP2040, by what hangs on them. `hardware/` wires the board from this table; a second front end
gets a `front_end_1_…` row of four and shares the others."""

ANTENNAS = 8
"""Antennas of one front end: the multiplexer has three address lines."""
SPI_HZ = 4_000_000
"""The PN5180 takes up to 7 Mbit/s, mode 0, most significant bit first (PN5180A0xx data sheet, SPI timing)."""
WATCHDOG_MS = 4000
"""The loop must come round within this; a look at a full field takes a tenth of it. The RP2040 counts to 8388 ms."""
READ_MOST = 256
"""Bytes taken from the host in one turn of the loop: more than any command, so that a flood cannot keep the loop."""
EDGES = 64
"""Edges of the optical sensors that may wait for the loop: a card makes a dozen."""
LEDS = 1
"""RGB lamps that SET_LED reaches."""
WS2812_NS = (400, 850, 800, 450)
"""High and low of a zero, high and low of a one, ns (WS2812B data sheet, data transfer time)."""


class Bus:
    """One front end as its radio reaches it: chip select, BUSY, reset, bytes, and which antenna is switched to it."""

    antennas = ANTENNAS

    def __init__(self, spi: "Any", number: int, address: "tuple[Any, ...]") -> None:
        name = f"front_end_{number}_"
        self._spi = spi
        self._address = address
        self._nss = machine.Pin(PINS[name + "nss"], machine.Pin.OUT, value=1)
        self._busy = machine.Pin(PINS[name + "busy"], machine.Pin.IN)
        self._reset = machine.Pin(PINS[name + "reset"], machine.Pin.OUT, value=1)
        self._off = machine.Pin(PINS[name + "mux_off"], machine.Pin.OUT, value=1)

    def select(self, level: int) -> None:
        """The level of NSS: 0 while the chip is spoken to."""
        self._nss.value(level)

    def busy(self) -> int:
        """The level of BUSY: 1 while the chip works."""
        level: int = self._busy.value()
        return level

    def reset(self, level: int) -> None:
        """The level of RESET_N: 0 holds the chip in reset."""
        self._reset.value(level)

    def transfer(self, out: "bytes | bytearray", into: "bytearray | None") -> None:
        """Bytes out; with `into`, of the same length, the bytes that came back at the same time."""
        if into is None:
            self._spi.write(out)
        else:
            self._spi.write_readinto(out, into)

    def antenna(self, number: "int | None") -> None:
        """Switch one antenna, 0 to 7, to the front end; None switches all of them off.

        All are off while the address changes, so that no third antenna is touched on the way.
        """
        self._off.value(1)
        if number is not None:
            for bit, pin in enumerate(self._address):
                pin.value(number >> bit & 1)
            self._off.value(0)


class Board:
    """The board as the rest of the firmware sees it."""

    leds = LEDS

    def __init__(self) -> None:
        micropython.kbd_intr(-1)  # the line carries frames: a 0x03 in one is no wish to interrupt
        spi = machine.SPI(
            0,
            baudrate=SPI_HZ,
            polarity=0,
            phase=0,
            sck=machine.Pin(PINS["spi_sck"]),
            mosi=machine.Pin(PINS["spi_mosi"]),
            miso=machine.Pin(PINS["spi_miso"]),
        )
        address = tuple([machine.Pin(PINS[f"mux_a{bit}"], machine.Pin.OUT, value=0) for bit in range(3)])
        fitted = [number for number in range(4) if f"front_end_{number}_nss" in PINS]
        self.buses = [Bus(spi, number, address) for number in fitted]
        self.id = (machine.unique_id() + bytes(8))[:8]
        """Eight bytes, for ever the same: the RP2040's are those of its flash chip."""
        self.boot_id = int.from_bytes(os.urandom(4), "little")
        """Another number at every start."""
        watchdog = getattr(machine, "WDT_RESET", None)
        self.barked = watchdog is not None and machine.reset_cause() == watchdog
        """The watchdog, or a reset that the firmware asked for, started it."""
        self._lamp = machine.Pin(PINS["lamp"], machine.Pin.OUT, value=0)
        self._led = machine.Pin(PINS["led"], machine.Pin.OUT, value=0)
        self._watchdog: Any = None
        self._listen()
        self._watch_mouth()

    # --- time -----------------------------------------------------------------------------------------------

    def ticks_ms(self) -> int:
        """Milliseconds, wrapping; only `ticks_diff` may compare them."""
        ticks: int = time.ticks_ms()
        return ticks

    def ticks_us(self) -> int:
        """Microseconds, wrapping."""
        ticks: int = time.ticks_us()
        return ticks

    def ticks_diff(self, later: int, earlier: int) -> int:
        """The time between two ticks of one kind, right across the wrap."""
        between: int = time.ticks_diff(later, earlier)
        return between

    def sleep_us(self, us: int) -> None:
        """Wait so long."""
        time.sleep_us(us)

    def idle(self, ms: int) -> None:
        """Wait so long, or until the host says something."""
        for _ in self._ears.ipoll(ms):
            return

    def free(self) -> int:
        """Bytes of memory that are free, once the rubbish is swept up."""
        gc.collect()
        free: int = gc.mem_free()
        return free

    # --- the line -------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        self._ears = select.poll()
        self._ears.register(sys.stdin, select.POLLIN)
        self._mouth = select.poll()
        self._mouth.register(sys.stdout, select.POLLOUT)
        self._in = bytearray(READ_MOST)
        self._one = bytearray(1)

    def read(self) -> bytes:
        """What the host has sent, at most `READ_MOST` bytes of it; empty if there is nothing."""
        count = 0
        while count < READ_MOST and self._ready(self._ears) and sys.stdin.buffer.readinto(self._one):
            self._in[count] = self._one[0]
            count += 1
        return bytes(self._in[:count])

    def write(self, data: "bytes | bytearray", start: int, end: int) -> int:
        """Give `data[start:end]` to the line as far as it takes it now; how many bytes that were.

        Byte by byte, because the port only tells whether there is room for one. A longer write waits for the host
        when there is not enough (`mp_usbd_cdc_tx_strn` in MicroPython's shared/tinyusb/mp_usbd_cdc.c: 500 ms).
        """
        at = start
        while at < end and self._ready(self._mouth):
            self._one[0] = data[at]
            sys.stdout.buffer.write(self._one)
            at += 1
        return at - start

    def _ready(self, ends: "Any") -> bool:
        for _ in ends.ipoll(0):
            return True
        return False

    # --- the mouth of the shoe ------------------------------------------------------------------------------

    def _watch_mouth(self) -> None:
        """Two reflective sensors, high where paper shines; a strap to ground says that they are fitted."""
        strap = machine.Pin(PINS["optical_fitted"], machine.Pin.IN, machine.Pin.PULL_UP)
        self.optical = not strap.value()
        self.edges_lost = 0
        self._when = array("L", [0] * EDGES)
        self._levels = bytearray(EDGES)
        self._put = self._take = 0
        self._below = machine.Pin(PINS["optical_below"], machine.Pin.IN, machine.Pin.PULL_DOWN)
        self._above = machine.Pin(PINS["optical_above"], machine.Pin.IN, machine.Pin.PULL_DOWN)
        if self.optical:
            both = machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING
            edge = self._edge
            self._below.irq(edge, both, hard=True)
            self._above.irq(edge, both, hard=True)

    def _edge(self, _pin: "Any") -> None:
        """An interrupt: when, and what both sensors show now. Nothing may be allocated here."""
        put = self._put
        after = (put + 1) % EDGES
        if after == self._take:
            self.edges_lost += 1
            return
        self._when[put] = time.ticks_us()
        self._levels[put] = self._below.value() | self._above.value() << 1
        self._put = after

    def edge(self) -> "tuple[int, int] | None":
        """The oldest edge that nobody took: (ticks in µs, bit 0 below and bit 1 above), or None."""
        take = self._take
        if take == self._put:
            return None
        found = self._when[take], self._levels[take]
        self._take = (take + 1) % EDGES
        return found

    # --- lamps and resets -----------------------------------------------------------------------------------

    def lamp(self, level: int) -> None:
        """The board's own lamp: 1 on."""
        self._lamp.value(level)

    def led(self, _number: int, r: int, g: int, b: int) -> None:
        """The colour of an RGB lamp, 0 to 255 each."""
        machine.bitstream(self._led, 0, WS2812_NS, bytes((g, r, b)))

    def feed(self) -> None:
        """Tell the watchdog that the loop comes round; the first time starts it."""
        if self._watchdog is None:
            self._watchdog = machine.WDT(timeout=WATCHDOG_MS)
        self._watchdog.feed()

    def reset(self) -> None:
        """Start afresh."""
        machine.reset()
