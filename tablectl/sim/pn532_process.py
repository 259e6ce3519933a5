"""A simulated PN532 as a process of its own, told by its standard input where cards are.

Owns: the words. Refuses: the chip (`pn532`).

    python -m tablectl.sim.pn532_process /tmp/reader        # then: put 04A1B2C3D4E5F6
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from tablectl.cards import normal_uid
from tablectl.errors import UsageError
from tablectl.sim.pn532 import Fault, SimulatedPn532
from tablectl.sim.typea import SENS_RES, Tag

RIGHT = "put UID … (each 4, 7 or 10 bytes in hex), take, hang, power, unplug, replug or quit"


def play(chip: SimulatedPn532, lines: Iterable[str]) -> None:
    """Do what the lines say, until `quit` or their end."""
    for line in lines:
        match line.split():
            case ["quit"]:
                return
            case []:
                pass
            case ["put", *uids] if uids and all(map(_is_tag, uids)):
                chip.lay(*map(Tag, uids))
            case ["take"]:
                chip.lay()
            case ["hang"]:
                chip.fault = Fault("silent")
            case ["power"]:
                chip.power_cycle()
            case ["unplug"]:
                chip.unplug()
            case ["replug"]:
                chip.replug()
            case words:
                sys.stderr.write(f"{' '.join(words)}: not understood; {RIGHT}\n")


def _is_tag(text: str) -> bool:
    uid = normal_uid(text)
    return uid == text.upper() and len(uid) // 2 in SENS_RES


def main() -> int:
    """The process; exit status 2 if the link cannot be made."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m tablectl.sim.pn532_process LINK (the path that a table opens)\n")
        return 2
    try:
        chip = SimulatedPn532(Path(sys.argv[1]))
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    play(chip, sys.stdin)
    chip.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
