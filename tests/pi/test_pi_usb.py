"""The udev rules on the emulated Pi: real USB serial adapters, a real udevd, Debian's own rules before ours.

The adapters are FTDI's. What they cannot be (a board with the chip's id, a braille display) a rule before ours says of
them, as the kernel or brltty's own rules would.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pi_card
import pytest
from pi_machine import Machine

pytestmark = [pytest.mark.pi, pytest.mark.long, pytest.mark.timeout(1800)]

BOARD_ID = "e6605481db318f2a"
RULES = "/run/udev/rules.d"
AS_IF = f"{RULES}/80-as-if.rules"
"""Behind 60-serial.rules, which asks the device itself, and before ours."""


@pytest.fixture(scope="module")
def machine(card: Path, power: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A Pi with two adapters in its sockets, and nobody who holds them."""
    on: Machine = power(pi_card.copy_of(card, tmp_path_factory.mktemp("card") / "card.img"))
    on.booted()
    on.shell(f"systemctl stop tablectl; mkdir -p {RULES}; udevadm settle")
    return on


def sockets(machine: Machine) -> list[str]:
    """The adapters' devices in sysfs."""
    return machine.shell("grep -lx 0403 /sys/bus/usb/devices/*/idVendor | xargs -n 1 dirname").split()


def names(machine: Machine) -> dict[str, tuple[str, str]]:
    """Each of our names → the kernel's number for that port, and the socket that it is in."""
    said = machine.shell(
        "for name in /dev/tablectl/*; do port=$(basename $(readlink -f $name));"
        "echo $(basename $name) $port $(basename $(realpath /sys/class/tty/$port/device/../..)); done"
    )
    return {name: (port, socket) for name, port, socket in map(str.split, said.splitlines())}


def plugged(machine: Machine, devices: list[str]) -> dict[str, tuple[str, str]]:
    """All adapters are pulled out and plugged in again, in that order; the names."""
    for device in devices:
        machine.shell(f"echo 0 > {device}/authorized")
    machine.shell("udevadm settle")
    for device in devices:
        machine.shell(f"echo 1 > {device}/authorized; udevadm settle")
    return names(machine)


def looked_at(machine: Machine, rule: str) -> None:
    """udev reads that rule before ours, and looks at all ports and devices anew."""
    machine.shell(
        f"echo '{rule}' > {AS_IF}; udevadm control --reload;"
        "udevadm trigger --action=add --settle --subsystem-match=usb --subsystem-match=tty"
    )


def test_the_name_stays_with_the_socket(machine: Machine) -> None:
    """Two adapters, two names by path. Plugged in in the other order the kernel numbers the ports the other way, and
    each name still leads to its own socket."""
    first, second = sockets(machine)
    before, after = plugged(machine, [first, second]), plugged(machine, [second, first])
    assert len(before) == 2
    assert all(name.startswith("by-path-platform-") for name in before)
    assert {name: socket for name, (_, socket) in before.items()} == {
        name: socket for name, (_, socket) in after.items()
    }
    assert [port for port, _ in before.values()] == [port for port, _ in reversed(after.values())]


def test_no_port_sleeps(machine: Machine) -> None:
    """What would let our adapters sleep is taken back when udev sees them; the hub, which is not ours, may sleep."""
    ours = sockets(machine)
    other = ours[0].rpartition(".")[0]
    for device in (*ours, other):
        machine.shell(f"echo auto > {device}/power/control")
    looked_at(machine, "")
    assert [machine.shell(f"cat {device}/power/control").strip() for device in (*ours, other)] == [
        "on",
        "on",
        "auto",
    ]


@pytest.mark.parametrize(
    ("vendor", "serial", "named"),
    [("2e8a", BOARD_ID, True), ("2e8a", BOARD_ID[:-1], False), ("2e8a", f"{BOARD_ID[:-1]}x", False),
     ("0403", BOARD_ID, False)],
)  # fmt: skip
def test_a_board_is_named_by_its_id(machine: Machine, vendor: str, serial: str, *, named: bool) -> None:
    """A port whose device is an RP2040 with the id of its chip has that name as well, in whichever socket it is;
    another serial number or another maker's chip has none."""
    for port in ("ttyUSB0", "ttyUSB1"):
        looked_at(
            machine,
            f'KERNEL=="{port}", ENV{{ID_VENDOR_ID}}="{vendor}", ENV{{ID_SERIAL_SHORT}}="{serial}"',
        )
        boards = {name: at[0] for name, at in names(machine).items() if name.startswith("board-")}
        assert boards == ({f"board-{BOARD_ID}": port} if named else {})
    looked_at(machine, "")


def test_brltty_s_claim_is_taken_back(machine: Machine) -> None:
    """Rules that take an adapter for a braille display, as brltty's own do: with ours nothing is left of it. Without
    ours it is there, so the test can tell."""
    device = sockets(machine)[0]
    claim = (
        'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0403", ENV{BRLTTY_BRAILLE_DRIVER}="auto",'
        ' ENV{BRLTTY_BRAILLE_DEVICE}="usb:", TAG+="systemd", ENV{SYSTEMD_WANTS}="brltty@x.service"'
    )
    machine.shell(f"ln -s /dev/null {RULES}/90-tablectl.rules")
    looked_at(machine, claim)
    assert "BRLTTY_BRAILLE_DRIVER=auto" in machine.shell(f"udevadm info --query=property {device}")
    machine.shell(f"rm {RULES}/90-tablectl.rules")
    looked_at(machine, claim)
    left = machine.shell(f"udevadm info --query=property {device}")
    assert "brltty" not in left.lower()
    assert "ID_MM_DEVICE_IGNORE=1" in left
    looked_at(machine, "")
