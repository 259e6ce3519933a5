"""The bytes of one open port, on a real pty."""

from __future__ import annotations

import asyncio
import os
import tty
from pathlib import Path

from tablectl.shell.readers.line import MOST_UNSENT, Line
from tablectl.shell.readers.ports import close_port, open_port


async def test_a_board_that_does_not_read_never_blocks_and_gets_whole_frames() -> None:
    """Frames are dropped whole when the port takes no more; what was taken arrives complete and in order."""
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    broken: list[str] = []
    line = Line(open_port(os.ttyname(slave), 115_200), lambda data: None, broken.append)
    sent = 0
    while not line.dropped:
        sent += 1
        line.send(b"%07d\n" % sent)
    expected = b"".join(b"%07d\n" % n for n in range(1, sent))
    assert len(expected) > MOST_UNSENT
    got = bytearray()
    arrived = asyncio.Event()

    def take() -> None:
        got.extend(os.read(master, 65536))
        if len(got) >= len(expected):
            arrived.set()

    asyncio.get_running_loop().add_reader(master, take)
    await asyncio.wait_for(arrived.wait(), 20)
    assert bytes(got) == expected
    assert broken == []
    asyncio.get_running_loop().remove_reader(master)
    close_port(line.release())
    os.close(master)
    os.close(slave)


async def test_the_first_error_is_told_once_and_ends_the_listening(tmp_path: Path) -> None:
    """After a hang-up: one call, with words; no endless readiness, and sending is harmless."""
    master, slave = os.openpty()
    gone = asyncio.Event()
    told: list[str] = []

    def broke(why: str) -> None:
        told.append(why)
        gone.set()

    line = Line(open_port(os.ttyname(slave), 115_200), lambda data: None, broke)
    os.close(master)
    os.close(slave)
    await asyncio.wait_for(gone.wait(), 20)
    line.send(b"anything")
    assert len(told) == 1
    assert told[0]
    close_port(line.release())
