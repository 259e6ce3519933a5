"""The table that runs here: its display, its decks, its log.

Owns: the lines `display`, `kept`, `faults`, `deck`, `wear`, `floor`. Refuses: any input to the table: it is only asked.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from http.client import HTTPException
from urllib.parse import urlsplit

from tablectl.app import wear
from tablectl.cards import Deck
from tablectl.config import Config
from tablectl.config.model import FloorSection, ReaderSection
from tablectl.doctor import running
from tablectl.doctor.line import Line, counted
from tablectl.doctor.machine import Machine, is_there
from tablectl.doctor.service import UNIT
from tablectl.errors import JournalError

REACH_S = 3.0
"""A broker in the house answers in milliseconds, s."""
BEAT_S = 2.0
"""A page that hears no beat for so long covers its picture (ARCHITECTURE, "What a page may believe"), s."""
LONGEST = 1 << 16
"""No line of a table's events is longer, bytes; what is, is read in parts."""
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
        do = f"journalctl -u {UNIT} -n 50 says why; then sudo systemctl restart {UNIT}"
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
    if shown.kept is not None:
        yield kept(shown.kept)
    for each in shown.faults:
        do = f"its words say what to do; otherwise journalctl -u {UNIT} -n 50"
        yield Line("faults", "fault", each.text, do, each.what)


def kept(told: running.Kept) -> Line:
    """Whether a hand in progress survives a restart of the running table."""
    if told.on:
        return Line("kept", "ok", "a hand in progress survives a restart")
    do = f"run it as {UNIT}.service, as the package installs it; journalctl -u {UNIT} says more"
    return Line("kept", "warning", f"a hand in progress does not survive a restart: {told.why}", do)


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
        whole = cards == 52
        do = "" if whole else "go on with the `tablectl enrol` that began it"
        yield Line("deck", "ok" if whole else "warning", text, do, deck.id)


def worn(config: Config) -> Iterator[Line]:
    """How many cards of each deck are worn, never which. Nothing of a deck that was not dealt yet."""
    path = wear.store_of(config.journal.path)
    there = is_there(path)
    if there is None or (there and not os.access(path, os.R_OK)):
        yield Line("wear", "warning", f"{path} may not be read by this user", "ask again with sudo")
        return
    try:
        found = wear.read(config)
    except JournalError as error:
        yield Line(
            "wear", "warning", str(error), "move that file away: the table counts anew from its next start"
        )
        return
    for deck, cards in found.items():
        many = sum(each.standing.verdict == "worn" for each in cards)
        if many:
            do = "`tablectl wear` lists the cards; replace each by a spare: `tablectl enrol` with --spare"
            yield Line("wear", "warning", f"{deck}: worn cards: {many} of {len(cards)}", do, deck)
        elif cards:
            yield Line(
                "wear", "ok", f"{deck}: none of the {len(cards)} cards that were dealt is worn", about=deck
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
