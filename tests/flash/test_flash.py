"""`tablectl firmware flash`, with mpremote, against the real MicroPython VM behind a pty."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import serial
from mpremote.transport_serial import SerialTransport

from tablectl import __version__
from tablectl.errors import LinkError, UsageError
from tablectl.firmware import FileSet, FlashError, ask, flash, release
from tablectl.firmware.flash import Told

MakeBoard = Callable[..., Any]
Firmware = Callable[..., FileSet]

SOON = 1.0
"""Patience where a test knows that nobody will come, s."""
LONG = 40.0
"""Patience where a busy machine may need it, s."""
ONE = b"board--1".hex()
"""What the board of these tests says in HELLO."""
OTHER_MAKER = "NAME = 'shuffler 7'"


def run(*args: str) -> subprocess.CompletedProcess[str]:
    """The command as a user gives it."""
    command = [sys.executable, "-m", "tablectl.cli", "firmware", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)


def test_a_board_with_only_micropython_gets_the_firmware_and_names_its_version(
    board: MakeBoard, firmware: Firmware, tmp_path: Path
) -> None:
    """Exit status 0; the files are there byte for byte; HELLO comes from this board and names this version."""
    one, files = board(), firmware()
    files.write(tmp_path / "set")
    done = run("flash", str(one.link), "--files", str(tmp_path / "set"))
    assert done.returncode == 0, done.stderr
    assert f"board {ONE} runs tablectl {__version__}" in done.stdout
    assert one.holds(files)
    shown = run("show", str(one.link))
    assert shown.returncode == 0
    assert [line.split(maxsplit=1) for line in shown.stdout.splitlines()] == [
        ["board", ONE],
        ["firmware", f"tablectl {__version__} (of this version)"],
        ["protocol", "1.0"],
        ["antennas", "0"],
    ]


def test_a_running_board_leaves_the_line_and_starts_with_the_new_version(
    board: MakeBoard, firmware: Firmware
) -> None:
    """The old firmware reads no Ctrl-C: it is asked, resets to its prompt, gets the files, and runs them."""
    one = board(firmware("0.9"))
    said: list[str] = []
    shares: list[tuple[int, int]] = []
    told = Told(say=said.append, progress=lambda _name, done, total: shares.append((done, total)))
    answer = flash(str(one.link), firmware("0.10"), told, patience=LONG)
    assert answer.firmware == "tablectl 0.10"
    assert one.holds(firmware("0.10"))
    assert "runs tablectl 0.9; it is asked to stop" in said[0]
    size = sum(map(len, firmware("0.10").files.values()))
    assert shares == sorted(shares)
    assert shares[-1] == (size, size)


def test_the_release_itself_is_flashed_and_runs(board: MakeBoard) -> None:
    """The real files, first on a board with only MicroPython, then on the board that runs them: each time it answers
    with its eight antennas, this version, and no mark of the flasher left behind."""
    one, files = board(), release()
    for _ in range(2):
        answer = flash(str(one.link), files, patience=LONG)
        assert (answer.board_id, answer.firmware) == (ONE, f"tablectl {__version__}")
        assert answer.antennas == tuple(range(8))
        assert one.holds(files)
    assert one.starts == 3, "after the first copy, for the flasher, and after the second copy"


def test_a_board_that_nobody_flashes_after_all_starts_again_as_it_was(
    board: MakeBoard, firmware: Firmware
) -> None:
    """It was asked to leave the line and nobody came: the next start is an ordinary one."""
    one = board(firmware())
    with serial.Serial(str(one.link), timeout=LONG) as port:
        port.write(b"\x00" + b"\x03" * 8 + b"\x00")
        with pytest.raises(serial.SerialException):
            port.read(1)  # its port goes away
    assert wait_for(one.link) is None, "the prompt has the line"
    prompt = SerialTransport(str(one.link), timeout=LONG)
    prompt.enter_raw_repl(soft_reset=False)
    with suppress(OSError):  # it is gone before it has said that it took the command
        prompt.exec_raw_no_follow("import machine\nmachine.reset()")
    with suppress(OSError):
        prompt.close()
    found = wait_for(one.link)
    assert found is not None
    assert found.firmware == f"tablectl {__version__}"


def wait_for(link: Path) -> Any:
    """Who answers there, once the port is back."""
    while True:
        try:
            return ask(str(link), SOON)
        except LinkError:
            continue


def test_a_copy_that_stops_half_way_says_so_and_the_next_one_goes_on(
    board: MakeBoard, firmware: Firmware
) -> None:
    """Pulled out in the middle of wire.py: the message names the file and what the board does now; main.py is not
    there, so that no mixture of two versions ever runs. The same command again completes it, and sends only what is
    not there yet."""
    one, files = board(), firmware("0.2")

    def pull(name: str, done: int, _total: int) -> None:
        if name == "wire.py" and done > sum(len(files.files[each]) for each in ("update.py", "version.py")):
            one.unplug()

    with pytest.raises(FlashError, match=r"stopped at wire\.py .*has no main\.py now.*same command again"):
        flash(str(one.link), files, Told(progress=pull), patience=LONG)
    assert one.names() == {"update.py", "version.py", "wire.py"}
    assert not one.holds(files)
    kept = {name: (one.flash / name).stat().st_mtime_ns for name in ("update.py", "version.py")}
    again = board(on=one.flash)
    assert flash(str(again.link), files, patience=LONG).firmware == "tablectl 0.2"
    assert again.holds(files)
    assert kept == {name: (one.flash / name).stat().st_mtime_ns for name in kept}


def test_a_flash_that_is_full_stops_the_copy(board: MakeBoard, firmware: Firmware, tmp_path: Path) -> None:
    """No file can grow beyond 4 kB there: exit status 1, the file is named, no traceback, no noise of mpremote."""
    one = board(largest=4096)
    firmware().write(tmp_path / "set")
    done = run("flash", str(one.link), "--files", str(tmp_path / "set"))
    assert done.returncode == 1
    assert "the copy stopped at wire.py" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert "main.py" not in one.names()


def test_a_board_that_still_says_another_version_is_told(board: MakeBoard, firmware: Firmware) -> None:
    """The files are there, but what answers names version 0.0.1: told with both versions."""
    old = firmware("0.2", main=firmware().files["main.py"].decode().replace('" + VERSION', '0.0.1"'))
    with pytest.raises(FlashError, match=r"was given tablectl 0\.2 and still says 'tablectl 0\.0\.1'"):
        flash(str(board().link), old, patience=LONG)


def test_another_board_that_answers_after_the_reset_is_told(board: MakeBoard, firmware: Firmware) -> None:
    """The port leads to another board when it is back: both are named, and by-path as the way out."""
    one = board(firmware("0.1"), ids=("board--1", "board--1", "board--2"))
    with pytest.raises(FlashError, match=f"board {ONE} was flashed and board {b'board--2'.hex()} answers"):
        flash(str(one.link), firmware("0.2"), patience=LONG)


def test_a_firmware_that_does_not_start_is_told(board: MakeBoard, firmware: Firmware) -> None:
    """main.py ends with an error: no HELLO comes, and the message says that the files are there."""
    with pytest.raises(FlashError, match="all files are on the board, but it does not start"):
        flash(str(board().link), firmware(main="raise ValueError('spoiled')"), patience=3.0)


def test_another_makers_board_is_left_alone(board: MakeBoard, firmware: Firmware, tmp_path: Path) -> None:
    """It speaks the protocol and its firmware is not ours: exit status 2, named, and not a byte of it changed."""
    theirs = firmware(
        main=firmware().files["main.py"].decode().replace('NAME = "tablectl " + VERSION', OTHER_MAKER)
    )
    one = board(theirs)
    firmware().write(tmp_path / "set")
    done = run("flash", str(one.link), "--files", str(tmp_path / "set"))
    assert done.returncode == 2
    assert f"board {ONE} with firmware 'shuffler 7', which is not tablectl's" in done.stderr
    assert one.holds(theirs)
    assert "shuffler 7 (not tablectl's own)" in run("show", str(one.link)).stdout


def test_a_port_that_is_not_there_or_is_held_is_named(firmware: Firmware, tmp_path: Path) -> None:
    """Exit status 2: the missing port by its name; the held one with the program that holds it."""
    firmware().write(tmp_path / "set")
    for command in (["flash", "--files", str(tmp_path / "set")], ["show"]):
        done = run(*command, str(tmp_path / "nowhere"))
        assert done.returncode == 2
        assert f"port {tmp_path / 'nowhere'} is not there: is the board plugged in" in done.stderr
        master, slave = pty.openpty()
        with serial.Serial(os.ttyname(slave), exclusive=True):
            done = run(*command, os.ttyname(slave))
        os.close(master)
        os.close(slave)
        assert done.returncode == 2
        assert f"(pid {os.getpid()})" in done.stderr


def test_a_port_without_micropython_is_told(firmware: Firmware) -> None:
    """Something takes the bytes and never answers: nothing was changed, and what to look at."""
    master, slave = pty.openpty()
    with pytest.raises(LinkError, match=r"no MicroPython answers there .*nothing was changed") as caught:
        flash(os.ttyname(slave), firmware(), patience=SOON)
    assert not isinstance(caught.value, FlashError)
    os.close(master)
    os.close(slave)


def test_show_tells_an_empty_board_from_nobody(board: MakeBoard) -> None:
    """Exit status 1 for both: a prompt without firmware says how to flash it, silence asks for power."""
    one = board()
    done = run("show", str(one.link))
    assert done.returncode == 1
    assert f"MicroPython's prompt, no firmware: tablectl firmware flash {one.link}" in done.stderr
    master, slave = pty.openpty()
    done = run("show", os.ttyname(slave))
    os.close(master)
    os.close(slave)
    assert done.returncode == 1
    assert "nobody answers" in done.stderr


def test_show_says_whether_a_board_is_older_or_newer(board: MakeBoard, firmware: Firmware) -> None:
    """Beside the version stands what to do about it."""
    assert "(older than this tablectl" in run("show", str(board(firmware("0.0.9")).link)).stdout


def test_files_without_a_main_or_a_version_are_refused_before_anything_happens(firmware: Firmware) -> None:
    """The port is not even opened."""
    files = dict(firmware().files)
    for missing in ("main.py", "version.py"):
        with pytest.raises(UsageError, match=missing):
            flash("/nowhere", FileSet({name: data for name, data in files.items() if name != missing}))
