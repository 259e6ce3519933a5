"""The table that runs here: its display, its service, its decks.

Owns: the lines `display`, `faults`, `unit`, `watchdog`, `lg_wd`, `config`, `deck`, `floor`. Refuses: any input to the
table: it is only asked.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from http.client import HTTPException
from urllib.parse import urlsplit

from tablectl.cards import Deck
from tablectl.config.model import FloorSection, ReaderSection
from tablectl.doctor import running
from tablectl.doctor.line import Line, counted
from tablectl.doctor.machine import Machine

REACH_S = 3.0
"""A broker in the house answers in milliseconds, s."""
BEAT_S = 2.0
"""A page that hears no beat for so long covers its picture (ARCHITECTURE, "What a page may believe"), s."""
LONGEST = 1 << 16
"""No line of a table's events is longer, bytes; what is, is read in parts."""
UNIT = "tablectl"
WHO = "ss -ltnp says which program has that port: end it, or choose another [display] port"


def display(url: str | None, table: str | None) -> Iterator[Line]:
    """Whether the display of that table answers, says that it is healthy, and beats: it shows this moment."""
    if url is None:
        yield Line("display", "ok", "any free port: the running table says which on its standard error")
        return
    try:
        shown = running.shown_at(url, table)
    except ConnectionRefusedError:
        yield Line("display", "ok", f"{url}: no table runs here now")
        return
    except running.StrangerError as error:
        yield Line("display", "fault", f"{url}: another program answers there: {error}", WHO)
        return
    except running.RefusedError as error:
        do = f"journalctl -u {UNIT}; sudo systemctl restart {UNIT}"
        yield Line("display", "fault", f"{url}: {error}", do)
        return
    except OSError as error:
        do = f"another program has that port (ss -ltnp), or the table hangs: sudo systemctl restart {UNIT}"
        yield Line("display", "fault", f"{url}: {error.strerror or error}", do)
        return
    waited = _beat_after(url)
    if waited is None:
        text = f"{url} answers, but has not said for {BEAT_S:.0f} s that its picture is true: the core stands"
        yield Line("display", "fault", text, f"sudo systemctl restart {UNIT}")
    else:
        yield Line("display", "ok", f"{url}: healthy, its picture was true {waited:.1f} s after it was asked")
    for each in shown.faults:
        yield Line("faults", "fault", each.text, "the text says what", each.what)


def same(state: running.Running, readers: Mapping[int, ReaderSection]) -> Iterator[Line]:
    """Whether the running table was started with these readers."""
    if state.differs(readers):
        text = "the running table has other readers or antennas than this file"
        yield Line("config", "warning", text, f"after a change: sudo systemctl restart {UNIT}", "running")


def _beat_after(url: str) -> float | None:
    """How long the next beat took, s; None if none came in time."""
    began = time.monotonic()
    try:
        with running.asked(f"{url}/events", BEAT_S) as stream:
            while line := stream.readline(LONGEST):
                if line.startswith(b"event: beat"):
                    return time.monotonic() - began
    except (OSError, HTTPException, running.StrangerError):
        return None
    return None


def unit(machine: Machine, *, pins: bool) -> Iterator[Line]:
    """The service: is it loaded, active, restarted often, guarded by a watchdog?"""
    wanted = ("LoadState", "ActiveState", "SubState", "NRestarts", "WatchdogUSec", "Environment")
    told = machine.ask("systemctl", "show", UNIT, f"--property={','.join(wanted)}")
    if told is None:
        yield Line("unit", "ok", "no systemd to ask here")
        return
    of = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    if of.get("LoadState") != "loaded":
        yield Line("unit", "warning", "tablectl.service is not installed", "sudo make install, or the .deb")
        return
    active, restarts = of.get("ActiveState", ""), of.get("NRestarts", "0")
    text = f"tablectl.service is {active} ({of.get('SubState', '')}), restarted {restarts} times"
    if active == "failed":
        yield Line(
            "unit", "fault", text, "journalctl -u tablectl -n 50; then systemctl reset-failed and start"
        )
    elif active != "active":
        yield Line("unit", "warning", text, "sudo systemctl enable --now tablectl")
    elif restarts not in ("", "0"):
        yield Line("unit", "warning", text, "journalctl -u tablectl tells why it was restarted")
    else:
        yield Line("unit", "ok", text)
    if of.get("WatchdogUSec", "0") in ("", "0", "infinity"):
        text = "no watchdog: a core that hangs stays"
        yield Line("watchdog", "warning", text, "WatchdogSec= in tablectl.service (systemd/)")
    else:
        yield Line("watchdog", "ok", f"a core that hangs is restarted after {of['WatchdogUSec']}")
    if pins and "LG_WD=" not in of.get("Environment", ""):
        # Field failure 26: gpiozero#1106, #1130.
        text = "lgpio writes a file where it runs, and the unit does not say where it may (LG_WD)"
        yield Line("lg_wd", "warning", text, "Environment=LG_WD=/var/lib/tablectl in tablectl.service")


def decks(enrolled: Iterable[Deck], active: str | None) -> Iterator[Line]:
    """Which decks are enrolled. That their files can be read was found when the configuration was."""
    for deck in enrolled:
        cards = len(set(deck.cards.values()))
        text = ", ".join(
            (
                f"{deck.id}: {counted(cards, 'card')}",
                counted(len(deck.cards) - cards, "spare"),
                counted(len(deck.jokers), "joker"),
            )
        )
        if deck.id == active:
            text += ", in play"
        yield Line(
            "deck", "ok" if cards == 52 else "warning", text, "" if cards == 52 else "tablectl enrol", deck.id
        )


def floor(section: FloorSection) -> Line:
    """Whether the broker's port can be reached."""
    address = urlsplit(section.url)
    port = address.port or (8883 if address.scheme == "mqtts" else 1883)  # IANA: secure-mqtt, mqtt
    where = f"{address.hostname}:{port}"
    try:
        socket.create_connection((address.hostname or "", port), REACH_S).close()
    except OSError as error:
        return Line(
            "floor", "fault", f"{where}: {error.strerror or error}", "check the network and [floor] url"
        )
    return Line("floor", "ok", f"{where} can be reached")


def log_lines(machine: Machine, count: int) -> list[str]:
    """The last lines that the table's service logged, as journald keeps them; nothing where there is no journald."""
    told = machine.ask("journalctl", f"--unit={UNIT}", f"--lines={count}", "--no-pager", "--output=short-iso")
    return (told or "").splitlines()
