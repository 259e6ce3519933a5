"""One PN532 that is awake, looked through with nfcpy.

Owns: waking and finding the chip in whatever state it was left, one look at its antenna, and putting it to bed.
Refuses: the line (`port`), what is done about failures (`life`).

nfcpy 1.0.4 (EUPL 1.1) is used as it is, as a library: it is imported when a PN532 is first opened, and nothing of
it is copied or changed. A look calls its chipset, not its `sense`, because that one answers None for "no tag" and
for a tag that could not be read, and here an error is never "absent".

Commands have the names of NXP's user manual UM0701-02, section 7.
"""

from __future__ import annotations

import logging
import struct
import termios
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tablectl.cards import UID_BYTES
from tablectl.errors import LinkError
from tablectl.said import Said
from tablectl.shell.readers.pn532.port import FIRST_RATE, ChipPort

RATES = (FIRST_RATE, 921_600, 460_800, 230_400)
"""Bit rates at which a chip may have been left: programs raise them, and a killed one does not lower them again."""
WAKE = b"\x55" * 5
"""Wakes the chip from PowerDown: each byte is five rising edges on the line, and five are enough."""
LIST, TYPE_A = 0x4A, 0
"""InListPassiveTarget, and its code for ISO/IEC 14443 Type A at 106 kbit/s (UM0701-02, 7.3.5)."""
MOST_TAGS = 2
"""So many tags the chip lists at most in one look (7.3.5). The second one tells two tags on a card."""
LIST_S = 1.0
"""How long it may look for them, s, as nfcpy has it."""
REQUEST = 0x26
"""What CIU_FIFOData still holds after InListPassiveTarget if no tag answered: the request (nfcpy, `sense_tta`)."""
UID_AT = 5
"""A target's data: its number, SENS_RES (2 bytes), SEL_RES, length of the UID, UID (7.3.5)."""
RATE_MS = 2
"""From telling the chip a bit rate to using it, ms: the telling itself must be off the line."""
LAST_WORDS_MS = 300
"""What putting a chip to bed may take, ms: three commands take 10 ms, and nobody waits for a chip that hangs."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Delays in milliseconds that come from the chip."""

    first: int = 1500
    """How long the first answer after opening may take (`ChipPort`)."""
    field_off: int = 6
    """How long the field is off between looks: 5 ms reset every tag (ISO/IEC 14443-3, clause 5), the rest is ours."""
    wake: int = 15
    """From waking a chip to speaking to it (libnfc#15)."""
    slow: int = 500
    """A look that takes longer is slow; a usual one takes 20 ms."""
    slow_looks: int = 3
    """So many slow looks in a row, and the reader is opened anew."""


DEFAULT_PACE = Pace()


class NfcpyMissingError(LinkError):
    """nfcpy, or a library that it needs, is not installed; the text says what to install."""


class UnreadableError(Exception):
    """Something answered, but no UID came of it: two cards, a card that was pulled away, metal."""


def load_nfcpy() -> Any:
    """nfcpy's module for this chip. NfcpyMissingError with a text for the technician."""
    try:
        module = import_module("nfc.clf.pn532")
    except ImportError as error:
        raise NfcpyMissingError(
            Said(
                "nfcpy is not installed ({error}): pip install 'tablectl[nfc]', then start tablectl anew",
                error=error,
            )
        ) from error
    except OSError as error:
        raise NfcpyMissingError(
            Said(
                "nfcpy lacks a system library ({error}): apt-get install libusb-1.0-0, then start tablectl anew",
                error=error,
            )
        ) from error
    # It would log whole UIDs if somebody asked for its debug log; what is wrong, the reader says itself.
    logging.getLogger("nfc").setLevel(logging.CRITICAL)
    return module


def nfcpy_path(device: str) -> str:
    """The name by which nfcpy's own tools open the device; without one they search USB, where no PN532 UART is."""
    return f"tty:{device.removeprefix('/dev/').removeprefix('tty')}:pn532"


class Chip:
    """The chip behind `port`, woken, aborted and set up. Raises one of `faults(nfcpy)` if it does not answer."""

    def __init__(self, port: ChipPort, nfcpy: Any, pace: Pace = DEFAULT_PACE) -> None:
        self._port = port
        self._pace = pace
        self._faults = faults(nfcpy)
        self._chipset = nfcpy.Chipset(port, logger=_SILENT)
        self._find()
        self._device = nfcpy.Device(self._chipset, logger=_SILENT)
        self.firmware = str(self._device.chipset_name)
        self._off_at: float | None = time.monotonic()
        """Since when the field is off, as the chip confirmed (nfcpy does it last of all in its setting up)."""

    def look(self) -> tuple[bytes, ...]:
        """One look: the UIDs of the tags, two at most; none if there is none.

        UnreadableError if something is there that cannot be read, one of `faults` if the chip fails; then the next
        look begins by waking it. The field is on during the look only.
        """
        if self._off_at is None:
            self._rouse()
        else:
            self._port.pause(self._pace.field_off - (time.monotonic() - self._off_at) * 1000)
        self._off_at = None
        # nfcpy's own method of this command asks for one tag, whatever number it is given.
        answer = bytes(self._chipset.command(LIST, bytes([MOST_TAGS, TYPE_A]), LIST_S) or b"")
        found = answer[:1] not in {b"", b"\0"}
        unanswered = not found and self._chipset.read_register("CIU_FIFOData") == REQUEST
        self._switch_off()
        if found:
            return _uids(answer)
        if unanswered:
            return ()
        raise UnreadableError

    def _rouse(self) -> None:
        """After a failure: wake the chip, abort what it does, and do not look before the field was surely off.

        A tag that the failed look left active would not answer the next one, which would be taken for no tag.
        """
        self._wake()
        self._switch_off()
        self._port.pause(self._pace.field_off)

    def _switch_off(self) -> None:
        self._device.mute()
        self._off_at = time.monotonic()

    def close(self) -> None:
        """Field off and asleep, at the bit rate at which everybody looks for it; nothing is raised."""
        if not self._port.gone:
            self._port.hurry(LAST_WORDS_MS)
            with suppress(*self._faults):
                self._device.close()
        self._port.close()

    def _find(self) -> None:
        """Wake the chip and abort what an earlier program left it in, at whatever bit rate that was."""
        for rate in RATES:
            self._port.baudrate = rate
            try:
                self._wake()
                self._chipset.sam_configuration("normal")
            except self._faults:
                if self._port.gone or rate == RATES[-1]:
                    raise
                continue
            if rate != FIRST_RATE:
                self._chipset.set_serial_baudrate(FIRST_RATE)
                self._port.pause(RATE_MS)
                self._port.baudrate = FIRST_RATE
            return

    def _wake(self) -> None:
        self._port.write(WAKE)
        self._port.pause(self._pace.wake)
        self._chipset.send_ack()  # ends whatever command still runs (UM0701-02, 6.2.1.3)
        self._port.pause(1)


def faults(nfcpy: Any) -> tuple[type[Exception], ...]:
    """Everything that a chip which answers wrongly, late or not at all makes nfcpy raise.

    termios.error is no OSError; the last four are what nfcpy stumbles over when an answer is too short.
    """
    return (
        OSError,
        termios.error,
        nfcpy.Chipset.Error,
        LookupError,
        TypeError,
        ValueError,
        struct.error,
    )


def _uids(answer: bytes) -> tuple[bytes, ...]:
    """The UIDs, if the answer is exactly that long: a zero that the line lost would shift them by one byte.

    Nothing follows a UID, for nfcpy switches the automatic RATS off.
    """
    uids, rest = [], answer[1:]
    for _ in range(answer[0]):
        length = rest[UID_AT - 1] if len(rest) >= UID_AT else 0
        uids.append(rest[UID_AT : UID_AT + length])
        rest = rest[UID_AT + length :]
        if length not in UID_BYTES or len(uids[-1]) != length:
            raise UnreadableError
    if rest:
        raise UnreadableError
    return tuple(uids)


_SILENT = logging.getLogger(f"{__name__}.nfcpy")
_SILENT.disabled = True
"""What nfcpy would log through us: commands and answers, UIDs among them."""
