"""One class per driver: its device on a pty, and cards that are put there and taken away.

A new driver adds a class and its entry in `BENCHES`; the scenario of `test_drivers` is then played with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from scene import Scene

from tablectl.shell.readers import Driver
from tablectl.shell.readers.pepper import PepperReader
from tablectl.shell.readers.pn532 import Pn532Reader
from tablectl.shell.readers.tablewire import TablewireReader
from tablectl.sim.pepper import Pepper
from tablectl.sim.pn532 import SimulatedPn532
from tablectl.sim.ports import PtyPort
from tablectl.sim.typea import Tag


class Bench(Protocol):
    """A device at `device`, a path that a line opens."""

    driver: Driver
    device: Path
    antennas: Mapping[int, str]
    """Two or more, unless the device has one."""
    several: bool
    """Whether an antenna may hold several cards at once."""
    cards: tuple[str, str, str]
    """UIDs that the device's antennas read."""

    def put(self, antenna: int, uid: str) -> None:
        """A card comes to rest."""

    def take(self, antenna: int, uid: str) -> None:
        """A card is taken away."""

    def close(self) -> None:
        """Stop, and close the pty."""


class TablewireBench:
    """A board made from the protocol page, which sweeps all its antennas."""

    driver = TablewireReader
    antennas = {0: "shoe", 1: "seat:1", 2: "seat:2"}  # noqa: RUF012
    several = True
    cards = ("E004015012345601", "E004015012345602", "E004015012345603")
    SWEEP_S = 0.01

    def __init__(self, scene: Scene, device: Path, *, line_errs: bool) -> None:
        self.device = device
        self._board = scene.board(device.name, line_errs=line_errs)
        self._lying: dict[int, list[str]] = {antenna: [] for antenna in self.antennas}
        self._number = 0
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(self.SWEEP_S, self._sweep)

    def put(self, antenna: int, uid: str) -> None:
        self._lying[antenna].append(uid)

    def take(self, antenna: int, uid: str) -> None:
        self._lying[antenna].remove(uid)

    def close(self) -> None:
        self._timer.cancel()

    def _sweep(self) -> None:
        tags = [(antenna, 0, -40, uid) for antenna, uids in self._lying.items() for uid in uids]
        self._number = (self._number + 1) % 0x10000
        self._board.sweep(self._number, 0b111, *tags, t0=round(self._loop.time() * 1000) & 0xFFFFFFFF)
        self._timer = self._loop.call_later(self.SWEEP_S, self._sweep)


class PepperBench:
    """The simulated Pepper C1 MUX on the test's own loop."""

    driver = PepperReader
    antennas = {1: "shoe", 2: "seat:1", 8: "seat:2"}  # noqa: RUF012
    several = True
    cards = ("E004015012345601", "E004015012345602", "04A1B2C3D4E5F6")

    def __init__(self, scene: Scene, device: Path, *, line_errs: bool = False) -> None:
        del line_errs  # it counts nothing against the table
        self.device = device
        self.reader = Pepper()
        self.put, self.take = self.reader.put, self.reader.take
        self._scene = scene
        self._port = PtyPort(device)
        self._loop = asyncio.get_running_loop()
        self._listen()

    def unplug(self) -> None:
        """The line hangs up and the link is gone."""
        if self._port.fd is not None:
            self._loop.remove_reader(self._port.fd)
            self._port.unplug()

    def replug(self) -> None:
        """A new pty behind the same link; the reader boots."""
        self.reader.restart()
        self._port.plug()
        self._listen()

    def write(self, data: bytes) -> None:
        """What the line brings, whoever sent it."""
        self._port.write(data)

    close = unplug

    def _listen(self) -> None:
        assert self._port.fd is not None
        self._loop.add_reader(self._port.fd, self._hear)

    def _hear(self) -> None:
        for takes, answer in self.reader.feed(self._port.read()):
            self._loop.call_later(takes / 1000, self._port.write, answer)
        self._scene.touch()


class Pn532Bench:
    """The simulated PN532, a thread of its own: one antenna, one card at a time."""

    driver = Pn532Reader
    antennas = {0: "shoe"}  # noqa: RUF012
    several = False
    cards = ("04A1B2C3D4E5F6", "01020304", "04000000000001")

    def __init__(self, scene: Scene, device: Path, *, line_errs: bool = False) -> None:
        del (
            scene,
            line_errs,
        )  # what it does shows in the reader's sweeps, and it counts nothing against the table
        self.device = device
        self._chip = SimulatedPn532(device)
        self.close = self._chip.end

    def put(self, _antenna: int, uid: str) -> None:
        self._chip.lay(Tag(uid))

    def take(self, _antenna: int, _uid: str) -> None:
        self._chip.lay()


BENCHES = {"tablewire": TablewireBench, "pepper": PepperBench, "pn532": Pn532Bench}
