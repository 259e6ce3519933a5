"""The table that runs here: its display, its decks, its log.

Owns: the lines `display`, `faults`, `deck`, `wear`, `floor`. Refuses: any input to the table: it is only asked.
"""

from __future__ import annotations

import json
import os
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tablectl.app import wear
from tablectl.config import Config
from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine, is_there
from tablectl.doctor.service import UNIT
from tablectl.errors import JournalError

ASK_S = 3.0
"""A table answers in milliseconds; one that hangs is not waited for longer, s."""
BEAT_S = 2.0
"""A page that hears no beat for so long covers its picture (ARCHITECTURE, "What a page may believe"), s."""
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""A proxy that this user's environment names would be asked for the table otherwise."""


def url_of(config: Config) -> str | None:
    """Where the table's display is, asked from this machine; None if any free port was to be taken."""
    host, port = config.display.host, config.display.port
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{port}" if port else None


def get(url: str) -> bytes:
    """The answer to a GET; OSError if there is none, or a bad one."""
    with _DIRECT.open(url, timeout=ASK_S) as answer:
        return bytes(answer.read())


def running_state(url: str | None) -> Mapping[str, Any] | None:
    """What the running table says to its technician; None if no table answers there."""
    try:
        state = json.loads(get(f"{url}/technician/state")) if url else None
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) and "readers" in state and not state.get("stopped") else None


def display(url: str | None) -> Iterator[Line]:
    """Whether the display answers, says that it is healthy, and beats: what it shows is of this moment."""
    if url is None:
        yield Line("display", "ok", "any free port: the running table says which on its standard error")
        return
    try:
        get(f"{url}/healthz")
        faults = json.loads(get(f"{url}/state")).get("faults", [])
    except urllib.error.HTTPError as error:
        said = error.read(200).decode(errors="replace").strip()
        yield Line(
            "display",
            "fault",
            f"{url}: {said or error}",
            "journalctl -u tablectl -n 50 says why; then systemctl restart tablectl",
        )
        return
    except (OSError, ValueError, AttributeError) as error:
        if isinstance(getattr(error, "reason", error), ConnectionRefusedError):
            yield Line("display", "ok", f"{url}: no table runs here now")
        else:
            do = f"is another program on that port? ss -ltnp; or the table hangs: systemctl restart {UNIT}"
            yield Line("display", "fault", f"{url}: {error}", do)
        return
    waited = _beat_after(url)
    if waited is None:
        text = f"{url} answers, but has not said for {BEAT_S:.0f} s that its picture is true: the core stands"
        yield Line("display", "fault", text, f"systemctl restart {UNIT}")
    else:
        yield Line("display", "ok", f"{url}: healthy, its picture was true {waited:.1f} s after it was asked")
    for each in faults:
        yield Line(
            "faults",
            "fault",
            str(each.get("text")),
            "its words say what to do; otherwise journalctl -u tablectl -n 50",
            str(each.get("what", "")),
        )


def _beat_after(url: str) -> float | None:
    """How long the next beat took, s; None if none came in time."""
    began = time.monotonic()
    try:
        with _DIRECT.open(f"{url}/events", timeout=BEAT_S) as stream:
            for line in stream:
                if time.monotonic() - began > BEAT_S:
                    return None
                if line.startswith(b"event: beat"):
                    return time.monotonic() - began
    except OSError:
        return None
    return None


def decks(config: Config) -> Iterator[Line]:
    """Which decks are enrolled, and which are worn. That their files can be read was found with the configuration."""
    for deck in config.decks:
        cards = len(set(deck.cards.values()))
        text = f"{deck.id}: {cards} cards, {len(deck.cards) - cards} spares, {len(deck.jokers)} jokers"
        if deck.id == config.active_deck:
            text += ", in play"
        whole = cards == 52
        do = "" if whole else "go on with the `tablectl enrol` that began it"
        yield Line("deck", "ok" if whole else "warning", text, do, deck.id)
    yield from _worn(config)


def _worn(config: Config) -> Iterator[Line]:
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
        worn = sum(each.standing.verdict == "worn" for each in cards)
        if worn:
            do = "`tablectl wear` lists the cards; replace each by a spare: `tablectl enrol` with --spare"
            yield Line("wear", "warning", f"{deck}: worn cards: {worn} of {len(cards)}", do, deck)
        elif cards:
            yield Line(
                "wear", "ok", f"{deck}: none of the {len(cards)} cards that were dealt is worn", about=deck
            )


def floor(config: Config) -> Line | None:
    """Whether the broker's port can be reached; None if no floor is configured."""
    if config.floor is None:
        return None
    address = urlsplit(config.floor.url)
    port = address.port or (8883 if address.scheme == "mqtts" else 1883)  # IANA: secure-mqtt, mqtt
    where = f"{address.hostname}:{port}"
    try:
        socket.create_connection((address.hostname or "", port), ASK_S).close()
    except OSError as error:
        return Line(
            "floor", "fault", f"{where}: {error.strerror or error}", "check the network and [floor] url"
        )
    return Line("floor", "ok", f"{where} can be reached")


def log_lines(machine: Machine, count: int) -> list[str]:
    """The last lines that the table's service logged, as journald keeps them; nothing where there is no journald."""
    told = machine.ask("journalctl", f"--unit={UNIT}", f"--lines={count}", "--no-pager", "--output=short-iso")
    return (told or "").splitlines()
