"""The commands of tablectl.

Owns: arguments, what a person reads on the terminal, and exit statuses: 0 done, 1 the work found a fault,
2 bad usage or configuration, 130 interrupted. No traceback reaches a user.
Refuses: the work itself; every command calls one room for it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from tablectl import __version__, rules
from tablectl.core.checks import checks_off, notes
from tablectl.core.entries import LANGUAGES
from tablectl.core.games import game_of
from tablectl.errors import ConfigError, TablectlError

if TYPE_CHECKING:
    from tablectl.config import Config
    from tablectl.core.decisions import Decision

DONE, FOUND_FAULT, BAD_USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130
"""Exit statuses; 70 is EX_SOFTWARE of sysexits.h, 130 is 128 + SIGINT."""

app = typer.Typer(
    name="tablectl",
    help="Watches the deal at a poker table through RFID antennas and calls irregularities as they happen.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _known_language(code: str | None) -> str | None:
    if code is not None and code not in LANGUAGES:
        raise typer.BadParameter(f"{code!r}: there is no such language; known are {', '.join(LANGUAGES)}")
    return code


ConfigFile = Annotated[Path, typer.Argument(metavar="FILE", help="The table's configuration, a TOML file.")]
Language = Annotated[
    str | None,
    typer.Option(
        metavar="CODE", callback=_known_language, help="The display's language: en, nl, it, ru, pl."
    ),
]


def main() -> NoReturn:
    """Entry point: run the command and turn every foreseen trouble into one message and an exit status."""
    _prepare_output()
    status = _guarded()
    try:
        sys.stdout.flush()
    except OSError as error:
        # Whoever read our output is gone, or its disk is full: nothing more can be written there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if status == DONE:
            status = FOUND_FAULT
            if not isinstance(error, BrokenPipeError):
                _complain(f"standard output: {error.strerror}")
                status = BAD_USAGE
    sys.exit(status)


def _prepare_output() -> None:
    """Make both streams writable whatever they are: closed by a service, or a terminal without UTF-8."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open till the end
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open till the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # `?` for ✓, not a traceback


def _guarded() -> int:
    try:
        app(prog_name="tablectl")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConfigError as error:
        _complain_of(error)
        return BAD_USAGE
    except BrokenPipeError:
        return FOUND_FAULT
    except TablectlError as error:
        _complain(str(error))
        return BAD_USAGE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"{where}{error.strerror or error}")
        return BAD_USAGE
    except Exception as error:  # the last line of defence: a bug is named, not dumped on a dealer
        if os.environ.get("TABLECTL_DEBUG"):
            raise
        _complain(
            f"this is a bug: {type(error).__name__}: {error}. TABLECTL_DEBUG=1 shows where it happened."
        )
        return BUG
    return DONE


def console(*, stderr: bool = False) -> Console:
    """Where a command prints: lines are never wrapped, and what users wrote is never taken for markup."""
    return Console(stderr=stderr, soft_wrap=True, highlight=False, markup=False, emoji=False)


def _complain(message: str) -> None:
    console(stderr=True).print(Text.assemble(("tablectl: ", "bold red"), message))


def _complain_of(error: ConfigError) -> None:
    out = console(stderr=True)
    count = len(error.faults)
    heading = "one fault, nothing is started" if count == 1 else f"{count} faults, nothing is started"
    out.print(Text.assemble(("✗ ", "bold red"), heading))
    for fault in error.faults:
        out.print(Text(f"  {fault}"))


def _say_version(asked: bool | None) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        console().print(f"tablectl {__version__}")
        raise typer.Exit(DONE)


@app.callback()
def root(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Say which version this is.", is_eager=True, callback=_say_version),
    ] = False,
) -> None:
    """Watches the deal at a poker table through RFID antennas and calls irregularities as they happen."""


@app.command("check-config", epilog="Example: tablectl check-config t12.toml")
def check_config(file: ConfigFile) -> None:
    """Check a table's configuration and its decks, and say every fault at once.

    Exit status 0: everything fits. 2: it does not; nothing would start with it.
    """
    from tablectl.config import load  # pydantic is slow to import; --help need not wait for it

    config = load(file)
    out = console()
    out.print(Text.assemble(("✓ ", "bold green"), f"{file}: everything fits"))
    for label, text in summary(config):
        out.print(Text.assemble((f"  {label:<9}", "bold"), text))


def summary(config: Config) -> Iterator[tuple[str, str]]:
    """What the table is and what it cannot check, as (label, text) a line."""
    table, zones = config.table, config.layout().zones
    game = game_of(table.game, table.dealt_by)
    yield "table", f"{table.id}: {table.game}, {table.seats} seats, rulebook {table.rulebook}"
    confirms = ", ".join(table.confirms) or "nothing"
    yield "", f"language {table.language}, {table.mode}, betting {table.betting}, confirms {confirms}"
    for number, reader in enumerate(config.readers):
        antennas = ", ".join(f"{antenna} {zone}" for antenna, zone in sorted(reader.antennas.items()))
        there = "" if Path(reader.port).exists() else " (the port is not there now)"
        yield f"reader {number}", f"{reader.driver} {reader.port}{there}: {antennas}"
        if reader.calibration:
            yield "", f"calibrated: antennas {', '.join(map(str, sorted(reader.calibration)))}"
    for deck in config.decks:
        state = "in play" if deck.id == config.active_deck else "not in play"
        yield "deck", f"{deck.id}, {state}: {len(deck.cards)} cards, {len(deck.jokers)} jokers"
    yield "panel", f"pins {config.panel.pins}"
    yield "display", f"http://{config.display.host}:{config.display.port or '(any free port)'}/"
    yield "journal", str(config.journal.path)
    reasons: dict[str, list[str]] = {}
    asks = config.shuffle_p() > 0
    for kind, why in checks_off(zones, table.betting, table.confirms, game, asks_of_order=asks).items():
        reasons.setdefault(why, []).append(kind)
    for why, kinds in reasons.items():
        yield "off", f"{', '.join(kinds)} ({why})"
    for note in (*notes(zones, game), *config.warnings):
        yield "note", note


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
) -> None:
    """What tablectl concludes from a recorded night.

    Lines that are wrong are told on standard error and skipped. Exit status 0 when the end was reached,
    whatever was found.
    """
    from tablectl.app.replay import replay

    with _reading(file) as source:
        decisions = replay(file, rulebook=rulebook, strict=strict, night=night, say=_complain, source=source)
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


Noise = Annotated[str, typer.Option(metavar="NAME", help="clean, light, heavy or harsh.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same cards and the same dealer.")]


@app.command(
    "simulate",
    epilog='Example: tablectl simulate --link /tmp/t1 --script "clean*2, wrong_seat, premature_card@turn" '
    "--inputs http://127.0.0.1:8080/input",
)
def simulate_table(
    *,
    link: Annotated[Path, typer.Option(metavar="DIR", help="Gets reader0, reader1, …, table.toml, decks/.")],
    seats: Annotated[int, typer.Option(help="2 to 10.")] = 9,
    boards: Annotated[int, typer.Option(help="Reader boards that share the antennas.")] = 2,
    game: Annotated[str, typer.Option(help="holdem, omaha, omaha5, stud5 or stud7.")] = "holdem",
    betting: Annotated[str, typer.Option(help="actions, rounds or none.")] = "actions",
    rulebook: Annotated[str, typer.Option(metavar="NAME", help="For table.toml.")] = "pl",
    mode: Annotated[str, typer.Option(help="blind or open.")] = "blind",
    language: Language = None,
    noise: Noise = "light",
    seed: Seed = 1,
    script: Annotated[
        str | None, typer.Option(metavar="HANDS", help="Hands as a list; clean hands without end by default.")
    ] = None,
    slips: Annotated[float, typer.Option(help="Without --script: share of hands with a slip, 0 to 1.")] = 0.0,
    pace: Annotated[str | None, typer.Option(help="Cards per second, such as 3 or 1.5-5.")] = None,
    brisk: Annotated[bool, typer.Option("--brisk", help="Players and dealer do not pause.")] = False,
    truth: Annotated[Path | None, typer.Option(metavar="FILE", help="Gets what really happened.")] = None,
    inputs: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the dealer's entries go: a URL or a file.")
    ] = None,
    panel: Annotated[str, typer.Option(help="For table.toml: simulated or none.")] = "none",
    display_port: Annotated[int | None, typer.Option(help="For table.toml.")] = None,
    optical: Annotated[
        bool, typer.Option("--optical", help="A sensor at the shoe sees every card and its face.")
    ] = False,
    stay: Annotated[bool, typer.Option("--stay", help="Go on polling after the last hand.")] = False,
    any_user: Annotated[bool, typer.Option("--any-user", help="Let other users open the ports.")] = False,
) -> None:
    """A simulated table: reader boards on serial ports that any program can open, and a dealer.

    On standard input: unplug 0, replug 0, restart 1, dead 0.3, mend 0.3, quit.
    """
    from tablectl.simulate import run_of, simulate

    given = {
        "seats": seats, "boards": boards, "game": game, "betting": betting,
        "rulebook": rulebook, "mode": mode, "language": language, "noise": noise, "seed": seed, "script": script,
        "slips": slips, "pace": pace, "truth": truth, "inputs": inputs, "panel": panel, "display_port": display_port,
        "optical": optical, "stay": stay, "any_user": any_user,
    }  # fmt: skip

    def say(text: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # nobody listens; the table goes on
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    raise typer.Exit(simulate(run_of(link, given, brisk=brisk), say))


@app.command("demo", epilog="Example: tablectl demo --headless")
def demo_table(
    *,
    headless: Annotated[
        bool, typer.Option("--headless", help="Deal briskly, print the results and end.")
    ] = False,
    hands: Annotated[
        str | None, typer.Option(metavar="HANDS", help='What is dealt, such as "clean, wrong_seat".')
    ] = None,
    seats: Annotated[int | None, typer.Option(help="2 to 10.")] = None,
    noise: Noise = "light",
    seed: Seed = 1,
    port: Annotated[int | None, typer.Option(help="The display's port.")] = None,
    language: Language = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the truth, the journal and the logs here.")
    ] = None,
) -> None:
    """A simulated table with a dealer who errs, the real controller, and a list of what it found.

    Exit status 0: every irregularity was found and nothing was invented. 1: not so.
    """
    from tablectl.demo.show import show

    chosen = {
        "hands": hands, "seats": seats, "noise": noise, "seed": seed, "port": port, "language": language,
        "keep": keep,
    }  # fmt: skip
    perfect = show({name: value for name, value in chosen.items() if value is not None}, headless=headless)
    raise typer.Exit(DONE if perfect else FOUND_FAULT)


app.add_typer(rules.app, name="rules")

bench = typer.Typer(
    help="Measures tablectl against simulated tables.",
    no_args_is_help=True,
    epilog="Example: tablectl bench accuracy --hands 1000",
)
app.add_typer(bench, name="bench")


@bench.command(
    "accuracy", epilog="Example: tablectl bench accuracy --hands 1000 --noise heavy --plot heavy.png"
)
def bench_accuracy(
    *,
    hands: Annotated[int, typer.Option(metavar="N", help="Clean hands, for false alarms.")],
    noise: Noise = "light",
    readers: Annotated[int, typer.Option(help="Reader boards: 1, 2 or 4.")] = 4,
    seed: Seed = 1,
    seats: Annotated[int, typer.Option(help="6 to 10.")] = 10,
    betting: Annotated[str, typer.Option(help="actions, rounds or none.")] = "actions",
    slips: Annotated[
        int | None,
        typer.Option(metavar="M", help="Hands for each variant of each slip; a fiftieth of N by default."),
    ] = None,
    pace: Annotated[str, typer.Option(help="Cards per second of a deal, such as 4 or 3-5.")] = "3-5",
    baseline_hands: Annotated[
        int, typer.Option(help="The baselines watch so many of the clean hands.")
    ] = 1000,
    without: Annotated[
        str, typer.Option(metavar="EFFECT", help="Take one physical effect away, such as misses or cross.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE.png", help="Draw missed against false alarms, and the latencies."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Keep finished evenings here, and go on from there."),
    ] = None,
    failures: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write every wrong outcome, to see it again.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; all cores by default.")] = None,
) -> None:
    """False alarms, missed slips and latencies of tablectl and of plain trackers on the same simulated hands.

    Exit status 0: measured. 130: interrupted; what was measured by then is shown.
    """
    from tablectl.bench.accuracy import Wishes, accuracy
    from tablectl.bench.campaign import Campaign, pace_of

    campaign = Campaign(
        hands=hands, noise=noise, readers=readers, seed=seed, seats=seats, betting=betting, slips=slips,
        pace=pace_of(pace), baseline_hands=baseline_hands, without=without,
    )  # fmt: skip
    wishes = Wishes(as_json=as_json, plot=plot, resume=resume, failures=failures, jobs=jobs)
    raise typer.Exit(accuracy(campaign, wishes))


@bench.command("limits", epilog="Example: tablectl bench limits --hands 200 --noise heavy --slips 5")
def bench_limits(
    *,
    hands: Annotated[int, typer.Option(metavar="N", help="Clean hands of each campaign.")],
    noise: Noise = "heavy",
    readers: Annotated[int, typer.Option(help="Reader boards: 1, 2 or 4.")] = 4,
    seed: Seed = 1,
    slips: Annotated[
        int | None,
        typer.Option(metavar="M", help="Hands for each variant of each slip; a fiftieth of N by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep finished evenings here, and go on from there."),
    ] = None,
    readme: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="Fill in its table, between <!-- limits --> markers."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; all cores by default.")] = None,
) -> None:
    """Which physical effect holds tablectl back: the same hands as they are, and without each effect in turn.

    Beside it stands the floor, the moment before which no tracker can have the reads it needs.
    Exit status 0: measured. 130: interrupted; the campaigns that were complete are shown.
    """
    from tablectl.bench.campaign import Campaign
    from tablectl.bench.limits import Outlet, limits

    campaign = Campaign(
        hands=hands, noise=noise, readers=readers, seed=seed, slips=slips, baseline_hands=0
    )  # fmt: skip
    raise typer.Exit(limits(campaign, Outlet(as_json=as_json, folder=folder, readme=readme, jobs=jobs)))


if __name__ == "__main__":
    main()
