"""What answers where the table's display should be: this table, another one, another program, nobody.

Owns: asking over HTTP, at most so long and so much whatever is there, and telling a table's answer from any other.
Refuses: what the answer means for the technician (`table`, `boards`), and any input to the table.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event, Timer
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from tablectl.config.model import DisplaySection, ReaderSection
from tablectl.config.opened import LOOPBACK, is_loopback

ASK_S = 3.0
"""A table answers in milliseconds; one that hangs is not waited for longer, s: from the question to the last byte."""
MOST = 4 << 20
"""A table's state is some tens of kilobytes, bytes."""


class StrangerError(Exception):
    """Another program, or another table, answers there. The text says what it did, never what it sent."""


class RefusedError(Exception):
    """The display itself says that something is wrong."""


class Named(BaseModel):
    """Which table it is."""

    id: str


class Reader(BaseModel):
    """One reader, as the running table knows it."""

    reader: int
    port: str
    state: str
    text: str = ""
    firmware: str = ""
    board_id: str = ""


class Antenna(BaseModel):
    """One antenna, over its last seconds."""

    reader: int
    antenna: int
    zone: str
    health: str | None = None
    looks: float = 0.0
    rate: float | None = None


class Running(BaseModel):
    """`/technician/state`, as far as the doctor needs it."""

    table: Named
    stopped: bool
    readers: list[Reader]
    antennas: list[Antenna]

    def differs(self, readers: Mapping[int, ReaderSection]) -> bool:
        """It runs with other readers or antennas than these."""
        there = {(each.reader, each.antenna): each.zone for each in self.antennas}
        return there != {
            (number, antenna): zone
            for number, each in readers.items()
            for antenna, zone in each.antennas.items()
        }


class Fault(BaseModel):
    """One thing that the running table says is wrong with itself."""

    text: str
    what: str = ""


class Kept(BaseModel):
    """Whether a hand in progress survives a restart of the table, and why not."""

    on: bool
    why: str | None = None


class Shown(BaseModel):
    """`/state`, as far as the doctor needs it."""

    table: Named
    faults: list[Fault]
    kept: Kept | None = None


def url_of(display: DisplaySection) -> str | None:
    """Where the table's display is, asked from this machine; None if any free port was to be taken."""
    own = is_loopback(display.host)
    host, port = (display.host, display.port) if own else (LOOPBACK, display.local_port)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}" if port else None


@contextmanager
def asked(url: str, seconds: float = ASK_S) -> Iterator[HTTPResponse]:
    """The answer to a GET, to be read within `seconds` of the question.

    OSError if there is none, or none in time; StrangerError if it is no HTTP.
    """
    where = urlsplit(url)
    # Not urllib: it would ask a proxy that the environment names, and each byte may take its whole time-out.
    connection = HTTPConnection(where.hostname or "", where.port, timeout=seconds)
    connection.connect()
    line, over = connection.sock, Event()

    def end() -> None:
        over.set()
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    clock = Timer(seconds, end)
    clock.daemon = True
    clock.start()
    try:
        connection.request("GET", where.path or "/")
        yield connection.getresponse()
        if over.is_set():
            raise TimeoutError(f"no whole answer in {seconds:.0f} s")
    except (HTTPException, OSError, ValueError) as error:
        if over.is_set() or isinstance(error, TimeoutError):
            raise TimeoutError(f"no whole answer in {seconds:.0f} s") from None
        if isinstance(error, OSError):
            raise
        raise StrangerError("it does not speak HTTP") from None
    finally:
        clock.cancel()
        connection.close()
        line.close()


def get(url: str) -> bytes:
    """The body of a good answer. OSError, StrangerError or RefusedError if there is none."""
    with asked(url) as answer:
        body = answer.read(MOST + 1)
        status = answer.status
    if len(body) > MOST:
        raise StrangerError("its answer has no end")
    if status == 503 and b"<" not in body:  # as /healthz says it
        raise RefusedError(body[:200].decode(errors="replace").strip())
    if status != 200:
        raise StrangerError(f"it says {status} where a table says 200")
    return body


def state_of(url: str | None, table: str | None) -> Running | None:
    """What the running table says to its technician; None if this table does not answer."""
    try:
        running = Running.model_validate_json(get(f"{url}/technician/state")) if url else None
    except (OSError, StrangerError, RefusedError, ValidationError):
        return None
    ours = running is not None and running.table.id == table and not running.stopped
    return running if ours else None


def shown_at(url: str, table: str | None) -> Shown:
    """What the display of that table shows. OSError, StrangerError or RefusedError if there is none."""
    get(f"{url}/healthz")
    try:
        shown = Shown.model_validate_json(get(f"{url}/state"))
    except ValidationError:
        raise StrangerError("its answer is not that of a table") from None
    if table is not None and shown.table.id != table:
        raise StrangerError("it is the display of another table")
    return shown
