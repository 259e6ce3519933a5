"""The recorder of `run --record FILE`: writes what the table sensed as it happens.

Owns: one file, one thread that writes it, and the bounded queue between the table and that thread.
Refuses: the spelling of the lines (`tablectl.recording`) and durability: what must survive a power cut is in
the journal (`shell.journal`), which holds the same lines.

The file only ever holds whole lines: if the disk fails, the line that was being written is taken out again,
the recording ends there, and that is reported once. A recording with a hole in it would replay to other
decisions, so after the first line that could not be kept none is added.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.errors import RecordingError
from tablectl.said import Said

QUEUE_LINES: Final = 20_000
"""Lines that may wait for the disk: some minutes of a full table, about 10 MB."""
CLOSE_S: Final = 5.0
"""How long `close` waits for a disk that does not answer, s."""


class Recorder:
    """Writes one recording. Raises RecordingError if it cannot be begun; afterwards it never raises.

    `report` is told once, with a text, if the recording had to end early. It may be called from the
    recorder's own thread or from the caller's, and must not block.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], report: Callable[[str], None]) -> None:
        self.path = path
        self._report = report
        self._lines: queue.Queue[bytes | None] = queue.Queue(QUEUE_LINES)
        self._guard = threading.Lock()
        self._ended = False
        self._written = 0
        try:
            if path.is_file() and path.stat().st_size > 0:
                raise RecordingError(f"{path}: there is a file already; give a name that is not taken")
            # Unbuffered: a line is in the file as soon as it is written, and a failure belongs to its own
            # line.
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise RecordingError(f"{path}: the recording cannot be begun: {error.strerror}") from None
        try:
            self._write(_line(header))
        except OSError as error:
            os.close(self._file)
            raise RecordingError(f"{path}: the recording cannot be begun: {error.strerror}") from None
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def sensed(self, event: Mapping[str, Any]) -> None:
        """Adds one line. Never waits and never raises for the disk's sake."""
        if self._ended:
            return
        try:
            self._lines.put_nowait(_line(event))
        except queue.Full:
            self._end(f"the disk is too slow: {QUEUE_LINES} lines wait")

    def close(self) -> None:
        """Writes what waits and closes the file; gives up after CLOSE_S on a disk that does not answer."""
        if not self._thread.is_alive():
            return
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=CLOSE_S)
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            self._end("the disk does not answer")

    def _run(self) -> None:
        failed = False
        while (line := self._lines.get()) is not None:
            if failed:
                continue
            try:
                self._write(line)
            except OSError as error:
                failed = True
                with contextlib.suppress(OSError):  # a pipe or a terminal cannot be cut
                    os.ftruncate(self._file, self._written)
                self._end(error.strerror or str(error))
        with contextlib.suppress(OSError):
            os.fsync(self._file)
        with contextlib.suppress(OSError):
            os.close(self._file)

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._file, rest) :]
        self._written += len(line)

    def _end(self, why: str) -> None:
        with self._guard:
            if self._ended:
                return
            self._ended = True
        self._report(
            Said("{path}: the recording ends here: {why}; the table goes on", path=self.path, why=why)
        )


def _line(obj: Mapping[str, Any]) -> bytes:
    return json.dumps(obj, separators=(",", ":")).encode() + b"\n"
