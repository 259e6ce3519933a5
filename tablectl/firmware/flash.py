"""Bringing a firmware to a board: stop it, copy, start it, and see that it is the one.

Owns: the order of the steps and what is said when one fails. Refuses: the raw REPL (mpremote) and the files (`files`).

    HELLO?  ─ ours ──▶ ask it to leave the line (firmware/update.py); it resets ─▶ REPL
            ─ nobody ▶ REPL                      ─ another maker's ▶ left alone
    REPL    main.py goes first and comes last: a board with half a copy starts nothing
    reset   HELLO must name the same board and this version

It waits and sleeps, as a command may; it is never called by a running table.
"""

from __future__ import annotations

import contextlib
import io
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tablectl import versions
from tablectl.errors import LinkError, UsageError
from tablectl.firmware.board import Answer, ask, line_to
from tablectl.firmware.files import MAIN, FileSet, sha256

ASKED = b"\x00" + b"\x03" * 8 + b"\x00"
"""What firmware/update.py listens for; no frame can be these bytes."""
REPL_BAUD = 115_200
"""MicroPython's; a USB port ignores it."""
RETURN_S = 15.0
"""A board that resets is gone from USB for a second or two; a slow hub takes longer."""
LOOK_S = 0.1
ENTER_S = 2.0
"""How long one attempt to reach the REPL may take, and how long a board gets to say who it is."""


class FlashError(LinkError):
    """The copy was begun and the board does not run the new firmware."""


@dataclass(frozen=True)
class Told:
    """What somebody who waits may want to see; both do nothing by default."""

    say: Callable[[str], None] = lambda _text: None
    """One line for each step."""
    progress: Callable[[str, int, int], None] = lambda _name, _done, _total: None
    """The file under way, and the bytes of all files that are there, of how many."""


def flash(path: str, files: FileSet, told: Told | None = None, *, patience: float = RETURN_S) -> Answer:
    """Give the board on that port these files and start it. What its new firmware says of itself.

    A board that resets gets `patience` seconds to come back.

    Nothing was changed: UsageError (no mpremote, another maker's board), PortMissingError, PortBusyError, LinkError (no
    MicroPython there). It was begun and failed: FlashError, which says what state the board is in.
    """
    told = told or Told()
    transport = _mpremote()
    version = files.version
    if MAIN not in files.files:
        raise UsageError(f"{MAIN} is missing among the files: the board would start nothing")
    before = _leave_the_line(path, told)
    with _repl(path, transport, patience) as board:
        identity = _identity(board)
        _copy(path, board, files, told)
        told.say("the files are there; the board starts")
        with contextlib.suppress(transport.TransportError, OSError):
            board.exec_raw_no_follow("import machine\nmachine.reset()")
    return _judge(path, before.board_id if before else identity, version, patience)


def _mpremote() -> Any:
    try:
        from mpremote import transport_serial
    except ImportError:
        raise UsageError(
            "this command copies with mpremote: install tablectl with its extra `firmware`"
        ) from None
    return transport_serial


def _leave_the_line(path: str, told: Told) -> Answer | None:
    """Who is there; a board of ours is asked to give the port to us."""
    with line_to(path) as line:
        found = line.hello(ENTER_S)
        if found is None:
            told.say(f"no firmware answers on {path}: looking for MicroPython's prompt")
            return None
        if versions.named(found.firmware) is None:
            raise UsageError(
                f"port {path} has board {found.board_id} with firmware {found.firmware!r}, which is not tablectl's: "
                "it is left alone. To give it this firmware, remove its own main.py first"
            )
        told.say(f"board {found.board_id} runs {found.firmware}; it is asked to stop")
        line.write(ASKED)
        with contextlib.suppress(
            OSError
        ):  # its reset takes a USB port away; a UART stays, and shows the prompt
            line.waits_for_prompt(ENTER_S)
    return found


@contextlib.contextmanager
def _repl(path: str, transport: Any, patience: float) -> Iterator[Any]:
    """The board's raw REPL. LinkError if there is no MicroPython, or the port does not come back."""
    board = _reach(path, transport, patience)
    try:
        yield board
    finally:
        with contextlib.suppress(OSError):
            board.close()


def _reach(path: str, transport: Any, patience: float) -> Any:
    """Try until the port is back and MicroPython answers there."""
    end = time.monotonic() + patience
    why = ""
    while time.monotonic() < end:
        board = None
        # mpremote prints what it got when it is disappointed; that is for nobody's eyes.
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                board = transport.SerialTransport(path, baudrate=REPL_BAUD, timeout=ENTER_S)
                board.enter_raw_repl(soft_reset=False, timeout_overall=ENTER_S)
                return board
            except (transport.TransportError, OSError, termios.error) as error:
                why = str(error)
                if board is not None:
                    with contextlib.suppress(OSError):
                        board.close()
        time.sleep(LOOK_S)
    raise LinkError(
        f"port {path}: no MicroPython answers there ({why}); nothing was changed. Is MicroPython on the board? "
        "If it is, unplug the board and plug it in again"
    )


def _identity(board: Any) -> str:
    """The board's own number in hex, as its firmware will give it in HELLO; empty if it has none."""
    with contextlib.suppress(Exception):  # a port of MicroPython without it, or without `machine`
        return bytes(board.eval("__import__('machine').unique_id()")).hex()
    return ""


def _copy(path: str, board: Any, files: FileSet, told: Told) -> None:
    total = sum(map(len, files.files.values()))
    done = 0
    begun = False
    name = MAIN
    try:
        if board.fs_exists(MAIN):
            board.fs_rmfile(MAIN)
        begun = True
        for name in files.in_order:
            progress = partial(_count, told, name, done, total)
            _bring(board, name, files.files[name], progress)
            done += len(files.files[name])
            progress(len(files.files[name]), 0)
    except Exception as error:  # a line that dies lets struct.error and ValueError through mpremote, too
        raise FlashError(_stopped_text(path, name, error, begun=begun)) from error


def _bring(board: Any, name: str, data: bytes, progress: Callable[[int, int], None]) -> None:
    """One file, unless it is there already; its sum is read back from the board."""
    progress(0, 0)
    if board.fs_exists(name) and board.fs_hashfile(name, "sha256").hex() == sha256(data):
        return
    board.fs_writefile(name, data, progress_callback=progress)
    if board.fs_hashfile(name, "sha256").hex() != sha256(data):
        raise LinkError("what arrived is not what was sent")


def _count(told: Told, name: str, before: int, total: int, written: int, _size: int) -> None:
    told.progress(name, before + written, total)


def _stopped_text(path: str, name: str, error: Exception, *, begun: bool) -> str:
    said = str(error).strip().splitlines()  # of the board's own traceback the last line says what it was
    why = said[-1] if said else type(error).__name__
    if not begun:
        return f"port {path}: the board does not let its {MAIN} be replaced ({why}); it is as it was before"
    return (
        f"port {path}: the copy stopped at {name} ({why}). The board has no {MAIN} now and starts nothing: "
        "give the same command again, it goes on from there"
    )


def _judge(path: str, board_id: str, version: str, patience: float) -> Answer:
    """What runs there now, once the board is back; FlashError if it is not what was copied."""
    end = time.monotonic() + patience
    found: Answer | None = None
    why = "no HELLO came"
    while found is None and time.monotonic() < end:
        try:
            found = ask(path, ENTER_S)
        except LinkError as error:  # it is not back yet
            why = str(error)
            time.sleep(LOOK_S)
    if found is None:
        raise FlashError(
            f"port {path}: all files are on the board, but it does not start ({why}). Unplug it and plug it in again; "
            f"if it stays silent, its REPL says what is wrong in {MAIN}"
        )
    if board_id and found.board_id != board_id:
        raise FlashError(
            f"port {path}: board {board_id} was flashed and board {found.board_id} answers now: "
            "name the port by its place (/dev/serial/by-path/…) and give the same command again"
        )
    wanted = versions.firmware_name(version)
    if versions.named(found.firmware) != version:
        raise FlashError(
            f"port {path}: the board was given {wanted} and still says {found.firmware!r}: give the same command again"
        )
    return found
