"""One emulated Raspberry Pi 3B: its power, its console, its header as seen from outside, and a root shell on it.

Owns: the QEMU process and every socket to it. Refuses: files that it boots from (`pi_card`), and what is plugged in
(`pi_lines`).

The rig listens and QEMU connects, so nothing has to be asked for again and again until it is there. What a test waits
for is an event: a line on the console, an edge on a pin, an answer.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pi_card import Boot

T = TypeVar("T")

PATIENCE_S = 600.0
"""How long an event may take on a machine that others use, too; nothing is asserted about how soon it comes."""
LINES = 2
EMULATOR = "qemu-system-aarch64"
GPFSEL0, GPLEV0 = 0x3F20_0000, 0x3F20_0034
"""Of the BCM2837's GPIO controller (BCM2835 ARM Peripherals, 6.1, at this chip's base): what each pin does, ten pins a
word, three bits a pin, 1 is an output; and the levels of pins 0 to 31."""
GPIO = "/machine/soc/peripherals/gpio"
KERNEL_LINE = "console=ttyAMA0,115200 panic=-1 iomem=relaxed printk.devkmsg=on loglevel=4"


class Told:
    """Things that came in one after the other, each with its moment (time.monotonic), and waiting for one."""

    def __init__(self) -> None:
        self.all: list[tuple[float, str]] = []
        self._change = threading.Condition()

    def add(self, what: str) -> None:
        with self._change:
            self.all.append((time.monotonic(), what))
            self._change.notify_all()

    @property
    def count(self) -> int:
        return len(self.all)

    def until(self, fits: Callable[[str], T], since: int = 0, *, after: float = 0.0) -> tuple[float, T]:
        """The first that fits, from the `since`th on and not before the moment `after`: its moment, and what `fits`
        made of it, which is neither None nor false."""
        at = since

        def found() -> tuple[float, T] | None:
            nonlocal at
            while at < len(self.all):
                moment, what = self.all[at]
                at += 1
                if moment >= after and (made := fits(what)):
                    return moment, made
            return None

        with self._change:
            result = self._change.wait_for(found, PATIENCE_S)
        if result is None:
            last = "\n".join(what for _, what in self.all[-40:])
            raise AssertionError(f"it did not come in {PATIENCE_S:.0f} s; the last that came:\n{last}")
        return result


@dataclass(frozen=True)
class Edge:
    """A change of a pin, as the emulated controller drives it."""

    pin: int
    level: int


class Machine:
    """The Pi. It has power from `with Machine(…)` on, until the block ends or `cut`.

    `line_ends` are our ends of the USB serial adapters that are plugged in, one for each of two reader boards. `folder`
    gets what the console said and what the pins did.
    """

    def __init__(self, boot: Boot, card: Path, folder: Path) -> None:
        self.folder = folder
        self.console, self.edges = Told(), Told()
        self.http, self._shell = _free_port(), _free_port()
        self.url = f"http://127.0.0.1:{self.http}/"
        self._listening: list[socket.socket] = []
        folder.mkdir(parents=True, exist_ok=True)
        self._sockets = tempfile.TemporaryDirectory(prefix="pi")  # a socket's path must be short
        command: list[str | Path] = [
            EMULATOR, "-M", "raspi3b", "-accel", "tcg,thread=multi", "-nodefaults", "-display", "none", "-no-reboot",
            "-kernel", boot.kernel, "-initrd", boot.initrd, "-dtb", boot.tree, "-append", KERNEL_LINE,
            "-drive", f"if=sd,format=raw,file={card}",
            "-netdev", "user,id=net,restrict=on,"
            f"hostfwd=tcp:127.0.0.1:{self.http}-:8080,hostfwd=tcp:127.0.0.1:{self._shell}-:7",
            "-device", "usb-net,netdev=net", "-qtest-log", "none",
        ]  # fmt: skip
        ends = {name: self._end(name) for name in ("console", "qmp", "qtest", *map(str, range(LINES)))}
        for option, name in (("-serial", "console"), ("-qmp", "qmp"), ("-qtest", "qtest")):
            command += [option, f"unix:{self._sockets.name}/{name}"]
        for number in range(LINES):
            command += ["-chardev", f"socket,id=c{number},path={self._sockets.name}/{number}"]
            # A line whose far end goes away stays plugged: QEMU 7.2 aborts otherwise.
            command += ["-device", f"usb-serial,chardev=c{number},always-plugged=on"]
        self.powered = time.monotonic()
        with (folder / "qemu.log").open("w") as log:
            self.process = subprocess.Popen(
                [str(each) for each in command], stdin=subprocess.DEVNULL, stderr=log
            )
        try:
            open_ends = {name: self._accepted(end) for name, end in ends.items()}
        except TimeoutError:
            self.cut()
            raise AssertionError((folder / "qemu.log").read_text()) from None
        self.line_ends = [open_ends[str(number)] for number in range(LINES)]
        self._qmp_file = open_ends["qmp"].makefile("rw")
        self._qmp_file.readline()
        self.ask("qmp_capabilities")
        open_ends["qtest"].sendall(f"irq_intercept_out {GPIO}\n".encode())
        _follow(open_ends["console"], self.console.add)
        _follow(open_ends["qtest"], self.edges.add)

    def _end(self, name: str) -> socket.socket:
        end = socket.socket(socket.AF_UNIX)
        end.bind(f"{self._sockets.name}/{name}")
        end.listen(1)
        self._listening.append(end)
        return end

    @staticmethod
    def _accepted(end: socket.socket) -> socket.socket:
        end.settimeout(30)
        taken, _ = end.accept()
        taken.settimeout(None)
        end.close()
        return taken

    # Power --------------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """The power is gone, at once; again: nothing. What the card was given is on it, and nothing else."""
        self.process.kill()
        self.process.wait()
        for end in self._listening:
            end.close()
        self._sockets.cleanup()

    def shut_down(self) -> None:
        """As a person does it; the card is in order then."""
        with suppress(OSError, AssertionError):  # the shell may be stopped before it can say that it was told
            self.shell("systemctl start --no-block poweroff.target")
        self.process.wait(PATIENCE_S)
        self.cut()

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: object) -> None:
        for name, told in (("console", self.console), ("edges", self.edges)):
            lines = [f"{moment - self.powered:9.3f} {what}\n" for moment, what in told.all]
            (self.folder / f"{name}.log").write_text("".join(lines))
        self.cut()

    # Inside -------------------------------------------------------------------------------------------------

    def booted(self) -> None:
        """Waits until orders can be given."""
        self.line("Reached target multi-user.target")

    def line(self, pattern: str, since: int = 0) -> tuple[float, str]:
        """The first line on the console that has the pattern, from the `since`th on, and its moment."""
        compiled = re.compile(pattern)
        return self.console.until(lambda text: text if compiled.search(text) else "", since)

    def shell(self, script: str, patience: float = PATIENCE_S) -> str:
        """Runs a script of sh as root; what it printed. AssertionError with that if it failed."""
        with socket.create_connection(("127.0.0.1", self._shell), patience) as talk:
            # In braces, so that the whole script has been read before any of it runs.
            talk.sendall(f'{{\n{script}\n}} 2>&1; echo "status $?"; exit\n'.encode())
            said = b"".join(iter(lambda: talk.recv(65536), b"")).decode(errors="replace")
        output, _, status = said.rpartition("status ")
        assert status.strip() == "0", f"{script}\n{said}"
        return output

    def shown(self, *names: str, unit: str = "tablectl") -> dict[str, str]:
        """Properties of a unit, as systemd has them."""
        wanted = ",".join(names)
        listed = self.shell(f"systemctl show {unit} --property={wanted}").splitlines()
        return dict(line.split("=", 1) for line in listed if "=" in line)

    # The header ---------------------------------------------------------------------------------------------

    def ask(self, command: str, **arguments: Any) -> Any:
        """One command of QMP and its answer."""
        self._qmp_file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._qmp_file.flush()
        for text in self._qmp_file:
            answer = json.loads(text)
            if "error" in answer:
                raise AssertionError(answer["error"])
            if "return" in answer:
                return answer["return"]
        raise AssertionError("the machine is off")

    def _words(self, address: int, count: int) -> list[int]:
        said = self.ask("human-monitor-command", **{"command-line": f"xp /{count}wx {address:#x}"})
        return [int(word, 16) for line in said.splitlines() for word in line.partition(":")[2].split()]

    def high(self) -> set[int]:
        """The pins from 0 to 31 whose level is high now."""
        (levels,) = self._words(GPLEV0, 1)
        return {pin for pin in range(32) if levels >> pin & 1}

    def driven(self) -> set[int]:
        """The pins from 0 to 27 that are outputs now."""
        words = self._words(GPFSEL0, 3)
        return {pin for pin in range(28) if words[pin // 10] >> pin % 10 * 3 & 7 == 1}

    def edge(self, pin: int, level: int, since: int = 0, *, after: float = 0.0) -> float:
        """Waits for this edge, from the `since`th of `edges` on and not before the moment `after`; its moment."""
        wanted = Edge(pin, level)
        return self.edges.until(lambda text: edge_of(text) == wanted, since, after=after)[0]

    def edges_of(self, pin: int, since: int = 0) -> Iterator[tuple[float, int]]:
        """The changes of a pin until now: moment and level."""
        for moment, text in self.edges.all[since:]:
            edge = edge_of(text)
            if edge is not None and edge.pin == pin:
                yield moment, edge.level


def edge_of(text: str) -> Edge | None:
    """A line of qtest: `IRQ raise 17`, or None if it tells of no edge."""
    words = text.split()
    return Edge(int(words[2]), int(words[1] == "raise")) if words[:1] == ["IRQ"] else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _follow(end: socket.socket, tell: Callable[[str], None]) -> None:
    def follow() -> None:
        with suppress(OSError), end.makefile("r", errors="replace") as lines:
            for line in lines:
                tell(line.rstrip())

    threading.Thread(target=follow, daemon=True).start()
