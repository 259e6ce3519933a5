"""The commands of one table: check-config, run, replay.

Owns: arguments and what a person reads. Refuses: the work itself.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tablectl.cli.keys import revealed
from tablectl.cli.options import AuditKeyFile, ConfigFile, Language, complain, console
from tablectl.core.checks import checks_off, notes
from tablectl.core.games import game_of

if TYPE_CHECKING:
    from tablectl.config import Config
    from tablectl.core.decisions import Decision

app = typer.Typer()


@app.command("check-config", epilog="Example: tablectl check-config t12.toml")
def check_config(
    file: ConfigFile,
    *,
    root: Annotated[
        Path, typer.Option(hidden=True, help="The service of another machine's files below this folder.")
    ] = Path("/"),
) -> None:
    """Check a table's configuration and its decks, and say every fault at once.

    Where a service runs this file, what its user may not read or write is noted.

    Exit status 0: everything fits. 2: it does not; nothing would start with it.
    """
    from tablectl.config import load  # pydantic is slow to import; --help need not wait for it

    config = load(file)
    out = console()
    out.print(Text.assemble(("✓ ", "bold green"), f"{file}: everything fits"))
    for label, text in summary(config):
        out.print(Text.assemble((f"  {label:<9}", "bold"), text))
    for line in barred(file, root):
        out.print(Text.assemble((f"  {'note':<9}", "bold yellow"), line))


def barred(file: Path, root: Path) -> Iterator[str]:
    """What keeps the service, which runs as a user of its own, from a file that could be read here."""
    from tablectl.doctor import Machine, rights, service

    machine = Machine(root)
    for line in rights.rights(machine, service.look(machine), file):
        if line.state != "ok":
            yield f"{line.text}: {line.do}"


def summary(config: Config) -> Iterator[tuple[str, str]]:
    """What the table is and what it cannot check, as (label, text) a line."""
    table, zones = config.table, config.layout().zones
    game = game_of(table.game, table.dealt_by)
    yield "table", f"{table.id}: {table.game}, {table.seats} seats, rulebook {table.rulebook}"
    confirms = ", ".join(table.confirms) or "nothing"
    if table.button_tags:
        yield "", f"tags of the dealer button: {len(table.button_tags)}; its seat comes by itself"
    yield "", f"language {table.language}, {table.mode}, betting {table.betting}, confirms {confirms}"
    for number, reader in enumerate(config.readers):
        antennas = ", ".join(f"{antenna} {zone}" for antenna, zone in sorted(reader.antennas.items()))
        there = "" if Path(reader.port).exists() else " (the port is not there now)"
        yield f"reader {number}", f"{reader.driver} {reader.port}{there}: {antennas}"
        if reader.calibration:
            yield "", f"calibrated: antennas {', '.join(map(str, sorted(reader.calibration)))}"
    for deck in config.decks:
        state = "in play" if deck.id == config.active_deck else "not in play"
        cards = len(set(deck.cards.values()))
        spares, jokers = len(deck.cards) - cards, len(deck.jokers)
        yield "deck", f"{deck.id}, {state}: {cards} cards, {spares} spares, {jokers} jokers"
    yield "panel", f"pins {config.panel.pins}"
    yield from _displays(config)
    yield "journal", str(config.journal.path)
    reasons: dict[str, list[str]] = {}
    asks = config.shuffle_p() > 0
    for kind, why in checks_off(zones, table.betting, table.confirms, game, asks_of_order=asks).items():
        reasons.setdefault(why, []).append(kind)
    for why, kinds in reasons.items():
        yield "off", f"{', '.join(kinds)} ({why})"
    for note in (*notes(zones, game), *config.warnings):
        yield "note", note


def _displays(config: Config) -> Iterator[tuple[str, str]]:
    """Where the display is served, to whom."""
    from tablectl.config.opened import LOOPBACK, is_loopback

    at = config.display
    own = is_loopback(at.host)
    host, port = (at.host, at.port) if own else (LOOPBACK, at.local_port)
    yield "display", f"http://{host}:{port or '(any free port)'}/"
    if not own:
        yield "", f"https://{at.host}:{at.port or '(any free port)'}/ for whoever has a token ({at.tokens})"


@app.command("run", epilog="Example: tablectl run t12.toml --record tonight.jsonl")
def run_table(
    file: ConfigFile,
    *,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write what is sensed into this new file.")
    ] = None,
    display: Annotated[
        bool, typer.Option("--display/--no-display", help="Serve the dealer's display.")
    ] = True,
    language: Language = None,
) -> None:
    """Watch the table until it is told to stop (SIGTERM or Ctrl-C).

    What happens is said on standard error; `READY` once every reader board answers, or after four seconds.
    """
    import asyncio

    from tablectl import app as table
    from tablectl.config import load

    config = load(file)
    config = config if language is None else config.in_language(language)
    asyncio.run(table.run(config, record=record, with_display=display))


@app.command("replay", epilog="Example: tablectl replay tonight.jsonl --json --rulebook pl")
def replay_night(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording, or the journal of a table.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Decisions as JSON, one a line.")] = False,
    rulebook: Annotated[
        str | None, typer.Option(metavar="NAME", help="Rule by this book instead of the recorded one.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first line that is wrong.")] = False,
    night: Annotated[
        int | None,
        typer.Option(metavar="N", help="Which night of a journal; the last one with entries by default."),
    ] = None,
    deals: Annotated[bool, typer.Option("--deals", help="Also tell every card that is dealt.")] = False,
    key: AuditKeyFile = None,
) -> None:
    """What tablectl concludes from a recorded night.

    Of a sealed journal it needs the private audit key, which is never on a table. Lines that are wrong are told
    on standard error and skipped. Exit status 0 when the end was reached, whatever was found.
    """
    from tablectl.app.replay import replay

    journal = str(file.absolute())
    secret = revealed(key, what="replay", journal=journal, night=night)[0] if key is not None else None
    with _reading(file) as source:
        decisions = replay(
            file, rulebook=rulebook, strict=strict, night=night, say=complain, source=source, secret=secret
        )
        if as_json:
            for decision in decisions:
                sys.stdout.write(json.dumps(decision.as_json(), separators=(",", ":")) + "\n")
        else:
            _tell(decisions, deals=deals)


def _tell(decisions: Iterable[Decision], *, deals: bool) -> None:
    from tablectl.core.decisions import Deal
    from tablectl.timeline import line_of

    out = console()
    for decision in decisions:
        line = line_of(decision)
        if line is not None and (deals or not isinstance(decision, Deal)):
            out.print(line)


LONG_BYTES = 4 << 20
"""Files from this size on take seconds to replay, so the way there is shown."""


@contextlib.contextmanager
def _reading(file: Path) -> Iterator[IO[bytes] | None]:
    """The open file with a progress bar on the terminal, where that is worth it and in nobody's way."""
    long = file.is_file() and file.stat().st_size >= LONG_BYTES
    # On a terminal that shows the decisions themselves a bar would only be in the way.
    if not long or not sys.stderr.isatty() or sys.stdout.isatty():
        yield None
        return
    from rich.progress import wrap_file

    with (
        file.open("rb") as plain,
        wrap_file(
            plain, file.stat().st_size, description=file.name, console=console(stderr=True), transient=True
        ) as watched,
    ):
        yield watched
