"""The commands of an audit: audit keygen, audit open, audit accesses, and export.

Owns: arguments, and what a person reads. Refuses: the work itself (`tablectl.audit`), and keys (`cli.keys`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tablectl.cli.journal import JournalFile, Which
from tablectl.cli.keys import passphrase_of, revealed
from tablectl.cli.options import FOUND_FAULT, complain, console
from tablectl.errors import SealError, UsageError

if TYPE_CHECKING:
    from tablectl.audit.hands import PlayedHand
    from tablectl.shell.journal import Night

app = typer.Typer(
    no_args_is_help=True,
    help="The audit key, and what it opens. Never at a table.",
    epilog='Example: tablectl audit open journal.sqlite --key audit.key --deck blue.toml.sealed --why "case 17"',
)
export_app = typer.Typer()

Hands = Annotated[
    list[int] | None, typer.Option("--hand", metavar="N", help="Only this hand; again for more.")
]
Decks = Annotated[
    list[Path] | None,
    typer.Option("--deck", metavar="DECK.sealed", help="The sealed names of a deck; again for more decks."),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record", metavar="FILE", help="Where the opening is recorded; by default beside the private key."
    ),
]


@app.command("keygen", epilog="Example: tablectl audit keygen /media/stick/audit")
def keygen(
    name: Annotated[
        Path, typer.Argument(metavar="NAME", help="Writes NAME.key (private) and NAME.pub (public).")
    ] = Path("audit"),
    *,
    no_passphrase: Annotated[
        bool, typer.Option("--no-passphrase", help="The private file opens for whoever has it.")
    ] = False,
) -> None:
    """Make an audit key: the public part seals, at every table; the private part opens, and is never at a table.

    Make it on a computer that is no table. The private part is asked for a passphrase (for scripts:
    TABLECTL_PASSPHRASE). Lost, key or passphrase, it is lost for good: then nobody ever opens what was sealed to it.
    """
    from tablectl import sealed

    private, public = name.with_name(f"{name.name}.key"), name.with_name(f"{name.name}.pub")
    for path in (private, public):
        if path.exists():
            raise UsageError(f"{path}: is there already, and a key is never written over; name another one")
    phrase = None if no_passphrase else passphrase_of(private, new=True)
    secret = sealed.keygen()
    secret.write(private, phrase)
    secret.public.write(public)
    out = console()
    out.print(Text.assemble(("✓ ", "bold green"), f"audit key {secret.public.fingerprint}"))
    out.print(f"  {public}: for tables ([journal] audit_key) and for enrolling decks (--audit-key)")
    out.print(f"  {private}: PRIVATE, never on a table; keep a second copy in another place")


@app.command(
    "open",
    epilog='Example: tablectl audit open journal.sqlite --key audit.key --deck blue.toml.sealed --why "case 17"',
)
def open_night(
    file: JournalFile,
    *,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The private audit key.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason: it goes on record.")],
    deck: Decks = None,
    night: Which = None,
    hand: Hands = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a hand, with the tags' UIDs.")
    ] = False,
    record: Record = None,
) -> None:
    """Full hands, with every card that the keys at hand can name. Away from the table.

    Who opened which night, when and why goes into the record beside the private key (audit.key.access) before
    anything is shown; where it cannot be written, nothing is opened. A card that nobody can name is ??.
    """
    from tablectl.audit.words import lines_of

    chosen, hands = _opened(file, key, why, deck, night, hand, record, "audit open")
    out = console()
    if not as_json:
        out.print(f"night {chosen.id}, {chosen.started_at}, {_of(chosen)}")
    for each in hands:
        if as_json:
            sys.stdout.write(json.dumps(each.as_json(tags=True), separators=(",", ":")) + "\n")
        else:
            for line in lines_of(each):
                out.print(line)


@app.command("accesses", epilog="Example: tablectl audit accesses audit.key.access")
def accesses(
    record: Annotated[
        Path, typer.Argument(metavar="FILE", help="The record beside the private key: audit.key.access.")
    ],
) -> None:
    """Who opened what with an audit key, and whether that record is whole.

    Exit status 1: a line was altered, removed or moved. A cut-off end shows only against a hash that was kept.
    """
    from tablectl.audit import access

    try:
        lines = access.read(record)
    except SealError as error:
        complain(str(error))
        raise typer.Exit(FOUND_FAULT) from None
    out = console()
    for line in lines:
        what = f"{line['what']} {line.get('journal')}, night {line.get('night')}"
        out.print(
            f"{line['n']:>4}  {line['at']}  {line['who']}: {what}: {line.get('why') or 'no reason given'}"
        )
    out.print(
        f"✓ {record}: {len(lines)} openings, whole; the last hash is {lines[-1]['hash'] if lines else '-'}"
    )


@export_app.command("export", epilog="Example: tablectl export journal.sqlite --phh --out night.phhs")
def export(
    file: JournalFile,
    *,
    as_phh: Annotated[bool, typer.Option("--phh", help="Poker hand history, many hands: .phhs")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A sheet, one hand a line.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a hand.")] = False,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="The private audit key; without it cards are ??."),
    ] = None,
    why: Annotated[
        str | None, typer.Option("--why", metavar="TEXT", help="With --key: the reason, for the record.")
    ] = None,
    deck: Decks = None,
    night: Which = None,
    hand: Hands = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="A new file instead of standard output.")
    ] = None,
    record: Record = None,
) -> None:
    """The hands of a night for other programs: as PHH, CSV or JSON.

    Without the private audit key every card of a blind table is ??. Nothing is invented: no bets, no amounts, no cards
    shown at the end. Burns and irregularities are in fields of PHH that begin with _.

    Exit status 1: hands were left out, because PHH has no code for their game (five-card Omaha, five-card stud).
    """
    if as_phh + as_csv + as_json != 1:
        raise UsageError("name one format: --phh, --csv or --json")
    if key is not None:
        if why is None:
            raise UsageError('--key: say --why "…" too: the reason goes into the record of openings')
        hands = _opened(file, key, why, deck, night, hand, record, "export")[1]
    else:
        if deck or why or record:
            raise UsageError(
                "--deck, --why and --record are for --key: without the private key nothing is opened"
            )
        hands = _closed(file, night, hand)
    left_out: list[str] = []
    lines = _phh(hands, left_out) if as_phh else _csv(hands) if as_csv else _json(hands)
    _write(lines, out)
    if left_out:
        games = ", ".join(dict.fromkeys(left_out))
        complain(f"{len(left_out)} hands left out: PHH has no code for {games}; --csv and --json have them")
        raise typer.Exit(FOUND_FAULT)


def _opened(
    file: Path,
    key: Path,
    why: str,
    decks: list[Path] | None,
    night: int | None,
    numbers: list[int] | None,
    record: Path | None,
    what: str,
) -> tuple[Night, Iterator[PlayedHand]]:
    from tablectl.audit import names
    from tablectl.audit.opening import is_readable, played
    from tablectl.shell import journal

    if not why.strip():
        raise UsageError("--why: say why this is opened; it goes into the record")
    chosen = journal.chosen(file, night)
    secret, recorded = revealed(
        key, record=record, what=what, why=why, journal=str(file.absolute()), night=chosen.id,
        started=chosen.started_at, hands=numbers or "all", decks=[str(path) for path in decks or ()],
    )  # fmt: skip
    console(stderr=True).print(recorded)
    known = names.read(decks or (), secret)
    if not is_readable(chosen, secret):
        complain(
            f"{file}: night {chosen.id}: what was sensed was not kept (no audit key), so every card is ??"
        )
    elif not decks and chosen.sensitive == "sealed":
        complain("no --deck DECK.sealed: the cards are told apart, and nobody can name them")
    return chosen, _only(played(file, chosen, secret, known), numbers)


def _closed(file: Path, night: int | None, numbers: list[int] | None) -> Iterator[PlayedHand]:
    from tablectl.audit.names import Names
    from tablectl.audit.opening import played
    from tablectl.shell import journal

    return _only(played(file, journal.chosen(file, night), None, Names({}, frozenset())), numbers)


def _only(hands: Iterable[PlayedHand], numbers: list[int] | None) -> Iterator[PlayedHand]:
    return (each for each in hands if not numbers or each.number in numbers)


def _phh(hands: Iterable[PlayedHand], left_out: list[str]) -> Iterator[str]:
    from tablectl.audit import phh

    def spelled() -> Iterator[PlayedHand]:
        for each in hands:
            if each.game in phh.VARIANTS:
                yield each
            else:
                left_out.append(each.game or "a game that is not known")

    return phh.phhs(spelled())


def _csv(hands: Iterable[PlayedHand]) -> Iterator[str]:
    from tablectl.audit import sheet

    return sheet.lines(hands)


def _json(hands: Iterable[PlayedHand]) -> Iterator[str]:
    return (json.dumps(each.as_json(), separators=(",", ":")) + "\n" for each in hands)


def _write(lines: Iterable[str], out: Path | None) -> None:
    if out is None:
        for line in lines:
            sys.stdout.write(line)
        return
    if out.exists():
        raise UsageError(f"{out}: is there already; name a new file")
    from tablectl.whole import write_whole

    write_whole(out, "".join(lines), 0o600)


def _of(night: Night) -> str:
    table = night.public.get("table", {})
    what = {"sealed": f"sealed to {night.audit_key}", "clear": "in clear", "nothing": "decisions only"}
    return f"table {table.get('id', '?')}, {table.get('mode', '?')}: {what.get(night.sensitive, night.sensitive)}"
