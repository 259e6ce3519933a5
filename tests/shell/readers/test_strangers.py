"""Serial devices that nobody configured are never opened: the kernel itself says who opens what."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openings import openings

import tablectl
from tablectl.core.sensed import Found, Lost
from tablectl.shell.readers.ports import KnownNames, close_port, open_port

Stage = Callable[[], Any]


def device_of(board: Any) -> str:
    """The tty behind a board's link."""
    return os.path.realpath(board.link)


def named(folder: Path, name: str, board: Any) -> Path:
    """What udev does for a device: a name by its id, which leads to it."""
    link = folder / name
    link.unlink(missing_ok=True)
    link.symlink_to(device_of(board))
    return link


async def test_a_lost_board_is_looked_for_under_its_own_name_and_no_stranger_is_opened(stage: Stage) -> None:
    """Its port stays away. A stranger that was there before, one that comes now and one that has a name like it are
    never opened, not even once; under its own name by id, on another tty, the board is found. The same watch sees that
    its old and its new tty were opened."""
    async with stage() as scene:
        by_id = scene.folder / "by-id"
        by_id.mkdir()
        ours, before = scene.board("port"), scene.board("stranger0", id=b"board--X")
        named(by_id, "usb-MicroPython_Board_aaaa-if00", ours)
        named(by_id, "usb-Modem_0000-if00", before)
        strangers = [
            before,
            scene.board("stranger1", id=b"board--Y"),
            scene.board("stranger2", id=b"board--Z"),
        ]
        moved = scene.board("elsewhere", boot=2)
        devices = [device_of(each) for each in (ours, *strangers, moved)]
        with openings(*devices) as watched:
            await scene.reader(candidates=KnownNames(by_id))
            await scene.until(ours.plans)
            ours.unplug()
            (by_id / "usb-MicroPython_Board_aaaa-if00").unlink()
            named(by_id, "usb-Evil_Keyboard-if00", strangers[1])
            named(by_id, "usb-MicroPython_Board_bbbb-if00", strangers[2])
            await scene.until(lambda: [each.state for each in scene.states].count("missing"))
            named(by_id, "usb-MicroPython_Board_aaaa-if00", moved)
            await scene.until(lambda: scene.of(Found))
            await scene.until(moved.plans)
            assert watched.opened == {devices[0], devices[-1]}
        assert [each.asked() for each in strangers] == [0, 0, 0]
        assert len(scene.of(Lost)) == 1


async def test_before_a_board_has_answered_nothing_else_is_asked(stage: Stage) -> None:
    """A table that starts without its board waits at the configured port, however many devices there are."""
    async with stage() as scene:
        by_id = scene.folder / "by-id"
        by_id.mkdir()
        other = scene.board("other")
        named(by_id, "usb-MicroPython_Board_aaaa-if00", other)
        with openings(device_of(other)) as watched:
            await scene.reader("port", candidates=KnownNames(by_id))
            await scene.is_state("missing")
            ours = scene.board("port")
            await scene.until(ours.plans)
            assert watched.opened == set()


def test_known_names_are_those_of_the_device_that_answered(tmp_path: Path) -> None:
    """Only links that led to it are known, only while they are there; the next device that answers replaces them."""
    first, second = tmp_path / "tty0", tmp_path / "tty1"
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    for device, names in ((first, ("a", "b")), (second, ("c",))):
        device.touch()
        for name in names:
            (by_id / name).symlink_to(device)
    known = KnownNames(by_id)
    assert list(known()) == []
    known.learn(str(first))
    assert known() == [str(by_id / "a"), str(by_id / "b")]
    (by_id / "a").unlink()
    assert known() == [str(by_id / "b")]
    known.learn(str(second))
    assert known() == [str(by_id / "c")]
    assert list(KnownNames(tmp_path / "none")()) == []


def test_the_watch_sees_an_opening() -> None:
    """The counter-proof: opening a port, for however short, is noticed."""
    master, slave = os.openpty()
    with openings(os.ttyname(slave)) as watched:
        assert watched.opened == set()
        close_port(open_port(os.ttyname(slave), 115_200))
        assert watched.opened == {os.ttyname(slave)}
    os.close(master)
    os.close(slave)


def test_no_code_goes_through_the_serial_ports_to_open_them() -> None:
    """Nothing but the doctor's list, which opens none of them, names serial devices by a pattern of the kernel's
    numbers; and ports are opened in one place alone."""
    package = Path(tablectl.__file__).parent
    texts = {str(path.relative_to(package)): path.read_text() for path in package.rglob("*.py")}
    pattern = re.compile(r"""["']/dev/tty\w*[*?\[]""")
    assert {name for name, text in texts.items() if pattern.search(text)} == {"doctor/ports.py"}
    assert not re.search(r"\bopen\(|open_port|import serial|os\.open", texts["doctor/ports.py"])
    assert {name for name, text in texts.items() if "serial.Serial(" in text} == {"shell/readers/ports.py"}
