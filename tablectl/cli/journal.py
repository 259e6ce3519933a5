"""The commands of a journal: journal verify, hands, show, export, key.

Owns: arguments, and what a person reads. Refuses: the work itself (`shell.journal`), and what is sealed (`cli.audit`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from tablectl.cli.options import DONE, FOUND_FAULT, console
from tablectl.errors import JournalError, UsageError

if TYPE_CHECKING:
    from tablectl.core.decisions import Decision
    from tablectl.shell.journal import Head

app = typer.Typer(
    no_args_is_help=True,
    help="What a table's journal proves and tells, without any key.",
    epilog="Example: tablectl journal verify journal.sqlite --key t12.pub --heads floor.jsonl",
)

JournalFile = Annotated[Path, typer.Argument(metavar="JOURNAL", help="A table's journal, or a copy of it.")]
Which = Annotated[
    int | None,
    typer.Option("--night", metavar="N", help="Which night; the last one with entries by default."),
]


@app.command(
    "verify", epilog="Example: tablectl journal verify journal.sqlite --key t12.pub --heads floor.jsonl"
)
def verify_journal(
    file: JournalFile,
    *,
    key: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="TABLE.pub", help="The table's public key (tablectl journal key); again for more."
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="NIGHT:SEQ:HASH", help="A head that was noted elsewhere; again for more."),
    ] = None,
    heads: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Heads that were published, a JSON object a line, as /state has them."
        ),
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Only this file, without the parts beside it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Prove that nothing in a journal was altered, removed, put elsewhere or cut off.

    The table may write it meanwhile. Nothing is unsealed. Exit status 0: all of it is proved, but for what the notes
    say. 1: it is not; the first entry that does not fit is named. 2: there is nothing that could be proved.
    """
    from tablectl.sealed import TablePublic
    from tablectl.shell.journal.verify import verify

    keys = [TablePublic.read(each) for each in key or ()]
    published = [*_written(head or []), *(_published(heads) if heads is not None else ())]
    proof = verify(file, keys=keys, published=published, alone=alone)
    stands = proof.last
    if as_json:
        said = {
            "fault": proof.fault, "entries": proof.entries, "nights": proof.nights, "heads": proof.heads,
            "unsigned": proof.unsigned, "notes": proof.notes,
            "last": None if stands is None else f"{stands.night}:{stands.seq}:{stands.hash.hex()}",
        }  # fmt: skip
        sys.stdout.write(json.dumps(said) + "\n")
    else:
        out = console()
        done = f"{proof.entries:,} entries of {proof.nights:,} nights, {proof.heads:,} signed heads"
        if proof.fault is None and stands is not None:
            out.print(Text.assemble(("✓ ", "bold green"), f"{file}: {done}"))
            out.print(f"  it ends with {stands.night}:{stands.seq}:{stands.hash.hex()}")
        else:
            out.print(Text.assemble(("✗ ", "bold red"), f"{proof.fault}"))
            out.print(f"  up to there: {done}")
        for note in proof.notes:
            out.print(Text.assemble(("  note  ", "bold yellow"), note))
    raise typer.Exit(DONE if proof.fault is None else FOUND_FAULT)


def _written(texts: list[str]) -> Iterator[Head]:
    from tablectl.shell.journal import Head

    for text in texts:
        try:
            yield Head.parse(text)
        except ValueError as error:
            raise UsageError(f"--head {text}: {error}") from None


def _published(path: Path) -> Iterator[Head]:
    """A head a line; also inside a whole state, as `/state` gives it, or a line of `journal export`."""
    from tablectl.shell.journal import Head

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
            if isinstance(said, dict):
                said = said.get("journal", said)
                said = said.get("head", said)
            if said is not None:
                yield Head.from_json(said)
        except (ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"{path}: line {number}: {error}") from None


@app.command("hands", epilog="Example: tablectl journal hands journal.sqlite --night 3")
def list_hands(
    file: JournalFile,
    *,
    night: Which = None,
    as_json: Annotated[bool, typer.Option("--json", help="A hand a line, as JSON.")] = False,
) -> None:
    """The hands of a night: when they began, who played, the cards that were dealt, and what was irregular."""
    from tablectl.timeline import clock

    number, decisions = _decisions(file, night)
    out = console()
    for hand in _hands(decisions):
        if as_json:
            sys.stdout.write(json.dumps({"night": number, **hand}) + "\n")
            continue
        end = clock(hand["end"]) if hand["end"] is not None else "did not end"
        wrong = f": {', '.join(hand['irregularities'])}" if hand["irregularities"] else ""
        seats = ", ".join(map(str, hand["seats"]))
        out.print(
            f"hand {hand['hand']:>4}  {clock(hand['start']):>10} to {end:<10}  {hand['cards']:>2} cards,"
            f" button {hand['button'] or '-'}, seats {seats}{wrong}"
        )


@app.command("show", epilog="Example: tablectl journal show journal.sqlite 17 --night 3")
def show_hand(
    file: JournalFile,
    hand: Annotated[int, typer.Argument(metavar="HAND", help="Its number in that night.")],
    *,
    night: Which = None,
    as_json: Annotated[bool, typer.Option("--json", help="Its decisions as JSON, one a line.")] = False,
) -> None:
    """One hand, decision by decision. A card is its place in the deal: what it is, `audit open` tells."""
    from tablectl.timeline import line_of

    number, decisions = _decisions(file, night)
    found = [entry for each, entry in _numbered(decisions) if each == hand]
    if not found:
        raise JournalError(f"{file}: night {number} has no hand {hand}; `tablectl journal hands` lists them")
    out = console()
    for entry in found:
        if as_json:
            sys.stdout.write(json.dumps(entry, separators=(",", ":")) + "\n")
        elif (made := _decision(entry)) is not None and (line := line_of(made)) is not None:
            out.print(line)


@app.command("export", epilog="Example: tablectl journal export journal.sqlite > t12.jsonl")
def export_journal(
    file: JournalFile, *, night: Annotated[int | None, typer.Option(metavar="N")] = None
) -> None:
    """The public parts of a journal as JSON lines, each with its hash, and the signed heads.

    For whoever keeps a record elsewhere: the sealed parts are left out, and their digests prove the chain without them.
    """
    from tablectl.shell.journal import chosen
    from tablectl.shell.journal.public import public_lines

    if night is not None:
        chosen(file, night)
    for line in public_lines(file, night):
        sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")


@app.command("key", epilog="Example: tablectl journal key journal.sqlite t12.pub")
def table_key(
    file: JournalFile, out: Annotated[Path, typer.Argument(metavar="TABLE.pub", help="Gets the key.")]
) -> None:
    """Write the public key with which the table signs, as the journal's last night names it.

    Take it at the table itself, on the day on which it is set up; `journal verify --key` then shows whose journal it
    is.
    """
    from tablectl.sealed import TablePublic
    from tablectl.shell.journal import chosen

    named = chosen(file).public.get("table_key")
    if not isinstance(named, str):
        raise JournalError(f"{file}: a journal of format 1 names no key")
    public = TablePublic(bytes.fromhex(named))
    public.write(out)
    console().print(Text.assemble(("✓ ", "bold green"), f"{out}: table key {public.fingerprint}"))


# --- what stands in it --------------------------------------------------------------------------------------


def _decisions(file: Path, night: int | None) -> tuple[int, Iterator[dict[str, Any]]]:
    from tablectl.shell.journal import chosen, lines

    number = chosen(file, night).id
    return number, (entry for _, kind, entry in lines(file, number) if kind == "decision")


def _numbered(decisions: Iterator[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each decision with the number of its hand: that which it names, or the one that is played."""
    hand = 0
    for entry in decisions:
        if entry.get("type") == "hand":
            hand = entry["hand"]
        yield entry.get("hand", hand), entry


def _hands(decisions: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One object for each hand that began, in order."""
    made: dict[int, dict[str, Any]] = {}
    for number, entry in _numbered(decisions):
        kind = entry.get("type")
        if kind == "hand" and entry["event"] == "start":
            made[number] = {
                "hand": number, "start": entry["t"], "end": None, "button": entry.get("button"),
                "seats": entry["seats"], "cards": 0, "irregularities": [],
            }  # fmt: skip
        hand = made.get(number)
        if hand is None:
            continue
        if kind == "hand" and entry["event"] != "start":
            hand["end"] = entry["t"] if entry["event"] == "end" else None
        elif kind == "deal":
            hand["cards"] += 1
        elif kind == "irregularity":
            hand["irregularities"].append(entry["kind"])
    yield from made.values()


def _decision(entry: Mapping[str, Any]) -> Decision | None:
    """The decision that the journal spells so; None for one that this version does not know."""
    from tablectl.core import decisions

    kinds = {
        each.type: each
        for each in vars(decisions).values()
        if isinstance(each, type) and hasattr(each, "type")
    }
    made = kinds.get(entry.get("type", ""))
    if made is None:
        return None
    known = {each.name for each in fields(made)}
    return made(**{name: value for name, value in entry.items() if name in known})  # type: ignore[no-any-return]
