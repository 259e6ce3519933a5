"""A reader board on a pty: the firmware, unchanged, under the real MicroPython VM.

The board's flash is a folder with the files that a real one gets. Its `machine` is `vm/machine.py`, which has a
simulated PN5180 with tags soldered to the pins.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tty
from pathlib import Path

from tablectl import wire

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"
VM = Path(sys.executable).with_name("micropython")


def flash(folder: Path) -> None:
    """Fills a folder as a board's flash is filled."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in (*FIRMWARE.glob("*.py"), Path(wire.__file__)):
        shutil.copy(file, folder)


def path_of_the_vm() -> dict[str, str]:
    """Where the VM finds `machine` and the simulated chip, as its environment says it."""
    return {"MICROPYPATH": f".frozen:{HERE / 'vm'}:{HERE}"}


class VmBoard:
    """One board behind `link`, a symlink to its pty, as udev would make it."""

    def __init__(self, folder: Path, link: Path, board_id: str = "vm-board") -> None:
        self.flash, self.link, self._id = folder / "flash", link, board_id
        flash(self.flash)
        self._felt = folder / "felt"
        os.mkfifo(self._felt)
        self._words = os.open(self._felt, os.O_RDWR)
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.errors = folder / "vm.log"
        link.symlink_to(os.ttyname(self._slave))
        self.start()

    def start(self) -> None:
        """Power on."""
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [VM, "main.py"],
                cwd=self.flash,
                stdin=self._master,
                stdout=self._master,
                stderr=errors,
                env={
                    **os.environ,
                    **path_of_the_vm(),
                    "FELT": str(self._felt),
                    "BOARD_ID": self._id,
                },
            )

    def ended(self) -> int:
        """Waits until the firmware has ended; its exit status (3: it asked for a reset)."""
        return self._process.wait(30)

    def cut(self) -> None:
        """Power off. The line stays, as on a UART."""
        self._process.kill()
        self._process.wait()

    def tell(self, *words: object) -> None:
        """Something happens on the felt: see `vm/machine.py`."""
        os.write(self._words, (" ".join(map(str, words)) + "\n").encode())

    def unplug(self) -> None:
        """The board and its line are gone."""
        self.cut()
        self.link.unlink(missing_ok=True)
        for end in (self._master, self._slave, self._words):
            os.close(end)
