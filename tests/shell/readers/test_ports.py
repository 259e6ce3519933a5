"""Opening a serial port for ourselves alone, and saying plainly why it cannot be done."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tablectl.errors import PortBusyError, PortMissingError
from tablectl.shell.readers.ports import Whereabouts, close_port, open_port

HOLD = (
    "import sys, serial; p = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); input()"
)


@pytest.fixture
def device() -> Iterator[str]:
    master, slave = os.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_port_held_by_another_process_is_named_with_its_program_and_pid(device: str) -> None:
    """The message says which port, which program and which process; after that process has gone it opens."""
    command = [sys.executable, "-c", HOLD, device]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(PortBusyError) as caught:
            open_port(device, 115_200)
        assert device in str(caught.value)
        assert f"held by python3 (pid {other.pid})" in str(caught.value).replace("python ", "python3 ")
        other.communicate("\n")
    close_port(open_port(device, 115_200))


def test_our_port_cannot_be_taken_by_a_second_program_that_asks(device: str) -> None:
    """While we hold it, an exclusive open elsewhere fails; after closing it works."""
    port = open_port(device, 115_200)
    with pytest.raises(serial.SerialException, match="exclusively lock"):
        serial.Serial(device, exclusive=True)
    close_port(port)
    serial.Serial(device, exclusive=True).close()


def test_two_readers_of_one_table_on_one_port_are_told_apart_from_other_programs(device: str) -> None:
    """The same port twice in one process: the message says so instead of blaming a program."""
    port = open_port(device, 115_200)
    with pytest.raises(PortBusyError, match="another reader of this table"):
        open_port(device, 115_200)
    close_port(port)


def test_a_port_left_open_without_a_lock_still_opens(device: str) -> None:
    """A simulator keeps its end of the pty open: that is not a busy port."""
    keeper = os.open(device, os.O_RDWR | os.O_NOCTTY)
    close_port(open_port(device, 115_200))
    os.close(keeper)


def test_a_closed_port_leaves_no_lock_behind(device: str) -> None:
    """Even if the other end stays open: whoever comes next, we too, can lock it."""
    close_port(open_port(device, 115_200))
    keeper = os.open(device, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(keeper, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(keeper)


def test_a_missing_port_and_a_dangling_link_say_what_to_look_at(tmp_path: Path) -> None:
    """No such file, whether named directly or through a udev link: is the board plugged in?"""
    link = tmp_path / "board"
    link.symlink_to(tmp_path / "ttyUSB7")
    for path in (tmp_path / "ttyUSB7", link):
        with pytest.raises(PortMissingError, match=f"{path} is not there: is the board plugged in"):
            open_port(str(path), 115_200)


def test_what_is_not_a_serial_port_is_refused_and_not_touched(tmp_path: Path) -> None:
    """A plain file, a directory, /dev/null: a clear text, and the file keeps its content."""
    plain = tmp_path / "notes.txt"
    plain.write_text("do not touch")
    for path in (plain, tmp_path, Path("/dev/null")):
        with pytest.raises(PortMissingError, match="serial port"):
            open_port(str(path), 115_200)
    assert plain.read_text() == "do not touch"


def test_a_device_node_without_a_device_behind_it_is_named() -> None:
    """/dev/tty in a process without a terminal answers ENXIO, like a node whose device has gone."""
    code = "from tablectl.shell.readers.ports import open_port\nopen_port('/dev/tty', 9600)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert "PortMissingError: port /dev/tty has no device behind it" in done.stderr


def test_a_pattern_and_a_kernel_number_name_no_place(tmp_path: Path) -> None:
    """Only by-path links and UARTs say where a board is plugged in."""
    assert Whereabouts("/dev/serial/by-path/pci-0-usb-0:1.2", list).names_a_place
    assert Whereabouts("/dev/serial0", list).names_a_place
    assert not Whereabouts("/dev/ttyUSB0", list).names_a_place
    assert not Whereabouts("/dev/ttyACM3", list).names_a_place
    assert not Whereabouts(f"{tmp_path}/tty*", list).names_a_place


def test_a_device_that_is_gone_or_a_link_that_moved_is_noticed(tmp_path: Path) -> None:
    """Some drivers report nothing when a device goes: then the missing node, or the link, tells."""
    device, other, link = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1", tmp_path / "link"
    device.touch()
    other.touch()
    link.symlink_to(device)
    where = Whereabouts(str(link), list)
    assert where.leads_to(str(device))
    link.unlink()
    assert where.leads_to(str(device)), "a link that is away for a moment says nothing"
    link.symlink_to(other)
    assert not where.leads_to(str(device))
    link.unlink()
    device.unlink()
    assert not where.leads_to(str(device))


def test_siblings_never_include_the_configured_port(tmp_path: Path) -> None:
    """A link and the device it leads to are one port."""
    device, other, link = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1", tmp_path / "link"
    device.touch()
    other.touch()
    link.symlink_to(device)
    where = Whereabouts(str(link), lambda: [str(device), str(other)])
    assert where.elsewhere() == [str(other)]
