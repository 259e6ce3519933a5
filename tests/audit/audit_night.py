"""A night of the simulated table in a journal, with its keys, its sealed decks and the truth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from tablectl import recording
from tablectl.app import table_of
from tablectl.audit import names
from tablectl.config import from_recording
from tablectl.core.sensed import Sensed
from tablectl.core.table import Table
from tablectl.sealed import keygen
from tablectl.shell.journal import Journal
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.script import parse
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth


@dataclass
class Kept:
    """A night that is over, in its folder: journal.sqlite, audit.key, audit.pub, blue.toml.sealed, red.toml.sealed."""

    folder: Path
    setup: TableSetup
    truth: Truth

    @property
    def journal(self) -> Path:
        return self.folder / "journal.sqlite"

    @cached_property
    def keyed(self) -> list[str]:
        """The options that open everything."""
        decks = [part for deck in self.setup.deck_ids for part in ("--deck", f"{deck}.toml.sealed")]
        return ["--key", "audit.key", "--why", "case 17", *decks]

    @cached_property
    def _told(self) -> dict[tuple[str, ...], subprocess.CompletedProcess[str]]:
        return {}

    def ask(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The same for a command that changes nothing, once for all tests of a night."""
        if arguments not in self._told:
            self._told[arguments] = self.run(*arguments)
        return self._told[arguments]

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """`tablectl` in the night's folder."""
        return subprocess.run(
            [sys.executable, "-m", "tablectl.cli", *arguments], cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, check=False, env={**os.environ, **env},
        )  # fmt: skip

    def opened(self, *more: str) -> list[dict[str, Any]]:
        """What `audit open --json` tells, hand by hand."""
        done = self.ask("audit", "open", "journal.sqlite", "--json", *self.keyed, *more)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def dealt(self, hand: int) -> dict[str, list[str]]:
        """What truly lay where in that hand: zone → faces in the order in which they left the deck."""
        faces = {each["k"]: each["face"] for each in self.truth.of("out") if each["hand"] == hand}
        first: dict[int, str] = {}
        for each in self.truth.of("rest"):
            if each["hand"] == hand:
                first.setdefault(each["k"], each["zone"])
        found: defaultdict[str, list[str]] = defaultdict(list)
        for k, zone in sorted(first.items()):
            found[zone].append(faces[k])
        return dict(found)


def keep(
    folder: Path,
    script: str,
    *,
    sealed: str | None = None,
    restart_in: int | None = None,
    seed: int = 1,
    **setup: Any,
) -> Kept:
    """Plays the script at a table of that setup, and keeps it as the table would: sealed, or `clear` or `nothing`.

    In the deal of hand `restart_in` the process is restarted and goes on, in a night that continues the first one.
    """
    table_setup, truth, secret = TableSetup(**setup), Truth(), keygen()
    secret.write(folder / "audit.key")
    secret.public.write(folder / "audit.pub")
    for deck in table_setup.decks.values() if table_setup.mode == "blind" else ():
        box = names.box_of(secret.public, deck.id, {token: face for face, token in deck.tokens.items()})
        names.add(folder / f"{deck.id}.toml.sealed", [box])
    header, *lines = generate(table_setup, parse(script), preset("clean"), seed, truth=truth)
    at = [each["t"] for each in truth.of("rest") if each["hand"] == restart_in]
    first = [line for line in lines if not at or line["t"] <= at[len(at) // 4]]
    head, events = recording.from_objects(header, lines, strict=True)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    nights = [(header, len(first)), ({**header, "continues": 1}, len(lines) - len(first))]
    for start, count in nights:
        if count:
            _write(folder / "journal.sqlite", start, table, islice(events, count), sealed or secret.public)
    return Kept(folder, table_setup, truth)


FLUSH_EVERY = 500
"""Events after which the disk is waited for: a night that is fed in seconds would seem to lag."""
FLUSH_S = 30.0


def _write(
    path: Path, header: dict[str, Any], table: Table, events: Iterable[Sensed], sensitive: Any
) -> None:
    faults: list[str] = []
    journal = Journal(path, header, faults.append, sensitive=sensitive)
    for number, event in enumerate(events):
        journal.sensed(recording.dump(event))
        journal.decisions([decision.as_json() for decision in table.step(event)])
        if number % FLUSH_EVERY == 0:
            assert journal.flush(FLUSH_S)
    journal.close()
    assert faults == []
