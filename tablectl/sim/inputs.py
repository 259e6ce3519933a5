"""Where the dealer's entries go in a real-time run: to the table's HTTP, or to a file.

Owns: delivering entries in order without ever holding up the simulation. Refuses: making them (`dealer`).
"""

from __future__ import annotations

import http.client
import json
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from tablectl.errors import UsageError

PATIENCE = 10.0
"""How long an entry is offered to a table that does not answer, s."""
RETRY = 0.1
"""Pause between two offers, s."""


class Sink(Protocol):
    """Takes entries."""

    failed: int

    def enter(self, t: float, entry: dict[str, Any]) -> None:
        """One entry, made at `t` ms."""

    def close(self) -> None:
        """No more entries; what is under way is finished."""


class NoSink:
    """Entries that nobody wants."""

    failed = 0

    def enter(self, t: float, entry: dict[str, Any]) -> None:
        """Forget it."""

    def close(self) -> None:
        """Nothing to do."""


class FileSink:
    """Entries as lines of a recording: {"t": …, "input": {…}}."""

    failed = 0

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("w")
        except OSError as wrong:
            raise UsageError(f"{path}: cannot be written: {wrong.strerror}") from None

    def enter(self, t: float, entry: dict[str, Any]) -> None:
        """Write the line at once."""
        self._file.write(json.dumps({"t": round(t), "input": entry}) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class HttpSink:
    """Entries as POSTs, one after the other, from a thread of its own."""

    def __init__(self, url: str, say: Callable[[str], None]) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise UsageError(f"inputs {url!r}: must be http://HOST:PORT/input or the path of a file")
        self._host, self._port, self._path = parts.hostname, parts.port or 80, parts.path or "/input"
        self.failed = 0
        """Entries that were refused or not delivered."""
        self._say = say
        self._waiting: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._connection: http.client.HTTPConnection | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="inputs", daemon=True)
        self._thread.start()

    def enter(self, t: float, entry: dict[str, Any]) -> None:  # noqa: ARG002 - a table takes its own time
        """Queue it."""
        self._waiting.put(entry)

    def close(self) -> None:
        """Wait until the last entry was delivered or given up."""
        self._closing = True
        self._waiting.put(None)
        self._thread.join(PATIENCE + 1)

    def _work(self) -> None:
        while (entry := self._waiting.get()) is not None:
            try:
                self._deliver(json.dumps(entry))
            except (OSError, http.client.HTTPException) as wrong:
                self.failed += 1
                self._say(f"input {entry['do']} was not taken: {wrong or type(wrong).__name__}")

    def _deliver(self, body: str) -> None:
        """Offer an entry until the table answers; raises the last error when patience is over."""
        give_up = time.monotonic() + (RETRY if self._closing else PATIENCE)
        while True:
            try:
                status, text = self._post(body)
                break
            except (OSError, http.client.HTTPException):
                self._connection = None
                if time.monotonic() > give_up:
                    raise
                time.sleep(RETRY)
        if status >= 400:
            raise OSError(f"the table answered {status}: {text[:200]}")

    def _post(self, body: str) -> tuple[int, str]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE)
        self._connection.request("POST", self._path, body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")


def sink_for(target: str | None, say: Callable[[str], None]) -> Sink:
    """The sink for a URL, a file's path, or None. UsageError if there cannot be one."""
    if target is None:
        return NoSink()
    return HttpSink(target, say) if "://" in target else FileSink(Path(target))
