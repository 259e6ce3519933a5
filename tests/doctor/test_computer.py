"""What the doctor reads off a computer's files, on trees of computers that are not here: Raspberry Pis above all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablectl.doctor import Line, examine, pins, ports, power, software, storage

if TYPE_CHECKING:
    from conftest import Tree

The = Callable[..., Line]


@pytest.mark.parametrize(
    ("version", "state"), [((3, 10, 9), "fault"), ((3, 11, 0), "ok"), ((3, 14, 1), "ok")]
)
def test_an_old_python_is_a_fault(version: tuple[int, ...], state: str) -> None:
    """Below 3.11 nothing can run."""
    assert software.python(version).state == state


def test_packages_that_are_missing_or_too_old_are_named(tree: Tree) -> None:
    """Each that does not fit its bound is a fault with the command that brings it; what no extra asks for is not."""
    needs = ["pyserial>=3.5", "rich>=13.7,<14", "typer>=0.12", 'nfcpy<1.1,>=1.0.4; extra == "nfc"']
    for name, version in (("pyserial", "3.4"), ("rich", "13.9.1")):
        tree.package(name, version)
    found = {
        line.about: line
        for line in software.packages(tree.machine(), frozenset(), needs)
        if line.about != "lock"
    }
    assert {about: line.state for about, line in found.items()} == {"pyserial": "fault", "typer": "fault"}
    assert "pyserial 3.4 does not fit: >=3.5" in found["pyserial"].text
    assert 'pip install "typer>=0.12"' in found["typer"].do
    with_nfc = software.packages(tree.machine(), frozenset({"nfc"}), needs)
    assert "nfcpy" in {line.about for line in with_nfc}


@pytest.mark.parametrize(
    ("version", "bounds", "fits"),
    [
        ("1.10", ">=1.9", True), ("1.0.4", ">=1.0.4,<1.1", True), ("1.1", ">=1.0.4,<1.1", False), ("2.0", "==2", True),
        ("1.4.9", "~=1.4.2", True), ("1.5", "~=1.4.2", False), ("3", "!=3.0", False), ("2026.1.post1", ">2025", True),
    ],
)  # fmt: skip
def test_versions_are_compared_by_number(tree: Tree, *, version: str, bounds: str, fits: bool) -> None:
    """1.10 is newer than 1.9, and 2 is 2.0."""
    tree.package("thing", version)
    found = [
        each
        for each in software.packages(tree.machine(), frozenset(), [f"thing{bounds}"])
        if each.about == "thing"
    ]
    assert not found if fits else found[0].state == "fault"


@pytest.mark.parametrize(
    ("model", "installed", "state", "words"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", ("RPi.GPIO",), "fault", "does not know a Pi 5"),
        ("Raspberry Pi 5 Model B Rev 1.0", ("rpi-lgpio",), "ok", "rpi-lgpio"),
        ("Raspberry Pi 4 Model B Rev 1.4", ("RPi.GPIO",), "ok", "RPi.GPIO"),
        ("Raspberry Pi 4 Model B Rev 1.4", ("RPi.GPIO", "rpi-lgpio"), "fault", "both installed"),
        ("Raspberry Pi 3 Model B Rev 1.2", (), "fault", "no package"),
    ],
)
def test_the_package_for_the_pins_must_fit_the_pi(
    tree: Tree, model: str, installed: tuple[str, ...], state: str, words: str
) -> None:
    """Field failure 25: RPi.GPIO on a Pi 5 is named before a table fails on it; so are both packages at once."""
    for name in installed:
        tree.package(name, "0.7")
    found = software.gpio(tree.pi(model).machine(), "rpi")
    assert (found.state, words in found.text) == (state, True)
    if state == "fault":
        assert "rpi-lgpio" in found.do


def test_without_a_panel_the_wrong_package_is_a_warning_at_most(tree: Tree) -> None:
    """What the table does not use stops it from nothing."""
    tree.package("RPi.GPIO", "0.7.1")
    assert software.gpio(tree.pi("Raspberry Pi 5 Model B").machine(), "none").state == "warning"


@pytest.mark.parametrize(
    ("release", "state"), [("6.1.0-rpi7", "ok"), ("6.6.31+rpt-rpi-v8", "warning"), ("6.12.1", "warning")]
)
def test_edges_that_fail_on_newer_kernels_are_told(tree: Tree, release: str, state: str) -> None:
    """Field failure 24: RPi.GPIO sees no edges from Linux 6.6 on; tablectl needs none, so it is no fault."""
    tree.package("RPi.GPIO", "0.7.1")
    tree.file("/proc/sys/kernel/osrelease", f"{release}\n")
    found = software.kernel(tree.machine())
    assert (found.state, release in found.text) == (state, True)


@pytest.mark.parametrize(
    ("word", "state", "words"),
    [
        ("0x0", "ok", "no under-voltage"),
        ("0x50005", "fault", "under-voltage, throttled"),
        ("0x20000", "warning", "clock capped"),
    ],
)
def test_a_weak_power_supply_is_told(tree: Tree, word: str, state: str, words: str) -> None:
    """`vcgencmd get_throttled` in words: what is now is a fault, what was a warning."""
    tree.pi().program("vcgencmd", f"echo throttled={word}")
    found = power.power(tree.machine())
    assert found is not None
    assert (found.state, words in found.text) == (state, True)


def test_the_kernels_own_alarm_does_where_there_is_no_vcgencmd(tree: Tree) -> None:
    """The hwmon device rpi_volt says it; where neither tells, that is said; a PC has no such line."""
    assert power.power(tree.machine()) is None
    found = power.power(tree.pi().machine())
    assert found is not None
    assert (found.state, "cannot be seen" in found.text) == ("warning", True)
    tree.file("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    tree.file("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    found = power.power(tree.machine())
    assert found is not None
    assert found.state == "fault"


def test_every_port_is_shown_with_its_names_and_its_holder(tree: Tree) -> None:
    """Field failure 2: which name is which device now, its USB id, and the program that has it open."""
    name = tree.usb("ttyUSB0", "1-1.2", "0403:6001", "A1")
    tree.file("/dev/ttyAMA0")
    tree.link("/dev/serial0", "ttyAMA0")
    tree.process(812, "minicom", opened=("/dev/ttyUSB0", "/dev/null"))
    found = {line.about: line.text for line in ports.ports(tree.machine())}
    assert found["/dev/ttyUSB0"] == f"/dev/ttyUSB0 USB 0403:6001, {name}; held by minicom (pid 812)"
    assert found["/dev/ttyAMA0"] == "/dev/ttyAMA0, /dev/serial0"


def test_what_may_not_be_seen_is_said(tree: Tree, the: The) -> None:
    """A link that leads nowhere is skipped, and no port at all is a warning that names the next step."""
    assert the(ports.ports(tree.machine()), "ports").state == "warning"
    assert "lsusb" in the(ports.ports(tree.machine()), "ports").do


def test_brltty_is_named(tree: Tree, the: The) -> None:
    """Field failure 23: it takes the CH340, whose port is gone then; without such a chip it is a warning."""
    assert the(ports.thieves(tree.machine()), "brltty").state == "ok"
    tree.process(300, "brltty")
    found = the(ports.thieves(tree.machine()), "brltty")
    assert (found.state, "brltty (pid 300)" in found.text, "apt remove brltty" in found.do) == (
        "fault",
        True,
        True,
    )
    tree.usb("ttyACM0", "1-1.1", "2e8a:0005")
    assert the(ports.thieves(tree.machine()), "brltty").state == "warning"
    tree.usb("ttyUSB0", "1-1.2", "1a86:7523")
    assert the(ports.thieves(tree.machine()), "brltty").state == "fault"


def test_a_missing_port_is_laid_to_brltty(tree: Tree, the: The) -> None:
    """Where the configured port is gone and brltty runs, the line says so."""
    tree.process(300, "brltty")
    found = the(ports.configured(tree.machine(), {0: "/dev/ttyUSB0"}), "port")
    assert (found.state, "brltty" in found.do) == ("fault", True)


@pytest.mark.parametrize(
    "udev", ["/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/usr/local/lib/udev/rules.d"]
)
def test_modem_manager_is_told_unless_it_leaves_the_boards_alone(tree: Tree, the: The, udev: str) -> None:
    """It asks every new port whether it is a modem, until the udev rules that we ship keep it away, wherever an
    installation put them."""
    tree.process(301, "ModemManager")
    assert the(ports.thieves(tree.machine()), "modemmanager").state == "warning"
    tree.file("/etc/udev/rules.d/90-tablectl.rules", "# The pins alone.\n")
    assert the(ports.thieves(tree.machine()), "modemmanager").state == "warning"
    ours = (Path(__file__).parents[2] / "systemd/90-tablectl.rules").read_text(encoding="utf-8")
    tree.file(f"{udev}/90-tablectl.rules", ours)
    assert the(ports.thieves(tree.machine()), "modemmanager").state == "ok"


def test_a_port_by_number_is_named_by_path_instead(tree: Tree, the: The) -> None:
    """Field failure 22: ttyUSB0 may be another board tomorrow; the name that stays is shown."""
    name = tree.usb("ttyUSB0", "1-1.2", "0403:6001")
    found = the(ports.configured(tree.machine(), {0: "/dev/ttyUSB0"}), "port", "reader 0")
    assert (found.state, found.do) == ("warning", f'port = "{name}"')
    assert the(ports.configured(tree.machine(), {0: name}), "port").state == "ok"


def test_two_boards_that_are_the_same_by_id_are_told(tree: Tree, the: The) -> None:
    """Field failure 22: two adapters without a serial number share one name by id; one with a number has its own."""
    by_id = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
    tree.usb("ttyUSB0", "1-1.1", "1a86:7523")
    tree.link(by_id, "../../ttyUSB0")
    assert the(ports.configured(tree.machine(), {0: by_id}), "port").state == "ok"
    tree.usb("ttyUSB1", "1-1.2", "1a86:7523")
    found = the(ports.configured(tree.machine(), {0: by_id}), "port")
    assert (found.state, "by-path" in found.do) == ("warning", True)
    assert "/dev/ttyUSB0 and /dev/ttyUSB1" in found.text


def test_the_mini_uart_is_told_with_the_test_that_proves_it(tree: Tree, the: The) -> None:
    """Field failure 27: its speed moves with the clock; the good UART has no such line."""
    tree.file("/dev/ttyS0")
    tree.file("/dev/ttyAMA0")
    tree.link("/dev/serial0", "ttyS0")
    tree.file("/sys/class/tty/ttyS0/device/of_node/compatible", "brcm,bcm2835-aux-uart\0")
    tree.file("/sys/class/tty/ttyAMA0/device/of_node/compatible", "arm,pl011\0arm,primecell\0")
    found = the(ports.configured(tree.machine(), {0: "/dev/serial0"}), "uart")
    assert (found.state, "--loopback /dev/serial0" in found.text) == ("warning", True)
    assert not [
        each for each in ports.configured(tree.machine(), {0: "/dev/ttyAMA0"}) if each.check == "uart"
    ]


def test_a_console_or_a_login_on_a_readers_port_is_a_fault(tree: Tree, the: The) -> None:
    """`console=serial0` and an agetty are found behind the name that the configuration gives the port."""
    tree.file("/dev/ttyAMA0")
    tree.link("/dev/serial0", "ttyAMA0")
    assert the(ports.console(tree.machine(), ["/dev/ttyAMA0"]), "console").state == "ok"
    tree.file("/proc/cmdline", "console=serial0,115200 console=tty1 root=/dev/mmcblk0p2\n")
    assert the(ports.console(tree.machine(), ["/dev/ttyAMA0"]), "console", "serial0").state == "fault"
    tree.process(400, "agetty", "/sbin/agetty", "-o", "-p", "ttyAMA0", "115200")
    found = the(ports.console(tree.machine(), ["/dev/serial0"]), "console", "ttyAMA0")
    assert (found.state, "serial-getty@ttyAMA0" in found.do) == ("fault", True)
    assert the(ports.console(tree.machine(), ["/dev/ttyUSB0"]), "console").state == "ok"


def test_a_user_outside_the_group_is_told_which(tree: Tree, the: The) -> None:
    """An ordinary user without the port's group gets its name; in the group, and as root, all is well."""
    port = tree.file("/dev/ttyUSB0", mode=0o660)
    status = port.stat()
    stranger, group = status.st_uid + 4321, status.st_gid
    found = the(ports.user(tree.machine(user=stranger, groups=()), ["/dev/ttyUSB0"], pins=False), "user")
    assert (found.state, "usermod -aG" in found.do) == ("fault", True)
    for machine in (tree.machine(user=stranger, groups=(group,)), tree.machine(user=0, groups=())):
        assert the(ports.user(machine, ["/dev/ttyUSB0"], pins=False), "user").state == "ok"


@pytest.mark.parametrize(
    ("text", "running", "state", "words"),
    [
        (" gpio-529 (GPIO17              |lg                  ) out lo\n", True, "ok", "by the table"),
        (" gpio-529 (GPIO17              |lg                  ) out lo\n", False, "fault", "17 by lg"),
        (" gpio-530 (GPIO18              |fan                 ) out lo\n", True, "fault", "18 by fan"),
        (" gpio-516 (GPIO4               |onewire@4           ) in  hi\n", True, "ok", "2 pins"),
    ],
)
def test_pins_that_another_program_has_are_told(
    tree: Tree, *, text: str, running: bool, state: str, words: str
) -> None:
    """Of the panel's pins 17 and 18: what the table itself holds is well, what anything else holds is a fault."""
    tree.file("/dev/gpiochip0")
    tree.file("/sys/kernel/debug/gpio", f"gpiochip0: GPIOs 512-569, parent: platform/fe200000.gpio\n{text}")
    found = pins.pins(tree.machine(), {17, 18}, running=running)
    assert found is not None
    assert (found.state, words in found.text) == (state, True)


def test_an_ordinary_user_sees_who_has_pins_but_not_which(tree: Tree) -> None:
    """Without root's list the program that has the chip open is named; no chip at all is a fault."""
    assert pins.pins(tree.machine(), set(), running=False) is None
    missing = pins.pins(tree.machine(), {17}, running=False)
    assert missing is not None
    assert missing.state == "fault"
    tree.file("/dev/gpiochip0")
    tree.process(500, "fancontrol", opened=("/dev/gpiochip0",))
    found = pins.pins(tree.machine(), {17}, running=False)
    assert found is not None
    assert (found.state, "fancontrol (pid 500)" in found.text) == ("warning", True)


def test_a_clock_that_cannot_be_right_is_a_fault(tree: Tree) -> None:
    """1970 is a fault, an unsynchronised clock a warning, a synchronised one well, without a clock chip too."""
    year = datetime(2027, 1, 1, tzinfo=UTC).timestamp()
    assert storage.clock(tree.machine(now=86400.0)).state == "fault"
    tree.program("timedatectl", "echo no")
    found = storage.clock(tree.machine(now=year))
    assert (found.state, "no clock chip" in found.text) == ("warning", True)
    tree.file("/sys/class/rtc/rtc0/name")
    assert "a clock chip is there" in storage.clock(tree.machine(now=year)).text
    tree.file("/run/systemd/timesync/synchronized")
    assert storage.clock(tree.machine(now=year)).state == "ok"


def test_errors_of_the_card_are_told(tree: Tree, the: The) -> None:
    """What ext4 and an eMMC counted, and a root that turned read-only."""
    assert the(storage.wear(tree.machine()), "sd_card").state == "ok"
    tree.file("/sys/fs/ext4/mmcblk0p2/errors_count", "0\n")
    assert not list(storage.wear(tree.machine()))
    tree.file("/sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    assert the(storage.wear(tree.machine()), "sd_card", "mmcblk0p2").state == "fault"
    tree.file("/sys/block/mmcblk1/device/pre_eol_info", "0x02\n")
    assert the(storage.wear(tree.machine()), "sd_card", "mmcblk1").state == "warning"
    tree.file("/proc/mounts", "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\nproc /proc proc rw 0 0\n")
    assert the(storage.wear(tree.machine()), "sd_card", "/dev/mmcblk0p2").state == "warning"


def test_a_whole_pi_without_a_configuration(tree: Tree, the: The) -> None:
    """Without a FILE everything that needs none is there, and nothing else."""
    tree.pi("Raspberry Pi 5 Model B Rev 1.0").usb("ttyACM0", "1-1.1", "2e8a:0005", "E66")
    report = examine(None, tree.machine())
    assert report.config is None
    assert "Raspberry Pi 5" in the(report.lines, "pi").text
    assert {line.check for line in report.lines} >= {
        "python", "packages", "pi", "gpio", "kernel", "power", "clock", "ports", "brltty", "modemmanager", "console",
        "user", "unit", "disk",
    }  # fmt: skip
    assert not {"reader", "journal", "deck"} & {line.check for line in report.lines}


def test_a_disk_without_room_is_a_fault(tree: Tree, the: The, tmp_path: Path) -> None:
    """This disk's own free space against bounds on both sides of it."""
    machine = tree.machine()
    assert (
        the(storage.disk(machine, tmp_path / "none" / "journal.sqlite", full=0, narrow=0), "disk").state
        == "ok"
    )
    assert the(storage.disk(machine, tmp_path / "j", full=0, narrow=1 << 60), "disk").state == "warning"
    assert the(storage.disk(machine, tmp_path / "j", full=1 << 60), "disk").state == "fault"
