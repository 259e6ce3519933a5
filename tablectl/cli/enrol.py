"""The command that learns decks: enrol, with --verify and --spare.

Owns: arguments, and what a person reads at the beginning and the end. Refuses: the work itself (`tablectl.enrol`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tablectl.cli.options import FOUND_FAULT, INTERRUPTED, console
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from tablectl.enrol.around import Around
    from tablectl.enrol.desk import Screen, Task
    from tablectl.enrol.order import Place
    from tablectl.sealed import AuditKey

    Work = TypeVar("Work", bound=Task)

app = typer.Typer()

MOST_JOKERS = 4
"""No deck that is sold has more."""


@app.command("enrol", epilog="Example: tablectl enrol decks/blue.toml --table t12.toml --at muck --jokers 2")
def enrol(
    file: Annotated[Path, typer.Argument(metavar="DECK", help="The deck file, such as decks/blue.toml.")],
    *,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The table's configuration: its antennas, other decks and mode."),
    ] = None,
    at: Annotated[
        str, typer.Option(metavar="ZONE", help="With --table: the antenna where the cards are laid.")
    ] = "shoe",
    port: Annotated[
        str | None, typer.Option(metavar="PORT", help="Without --table: a reader's serial port.")
    ] = None,
    driver: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --port: the reader, as in a configuration.")
    ] = None,
    antenna: Annotated[
        int | None, typer.Option(metavar="N", help="With --port: the antenna's number; the first by default.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="The deck's name; by default the file's.")
    ] = None,
    jokers: Annotated[int, typer.Option(metavar="N", min=0, max=MOST_JOKERS, help="Jokers, laid last.")] = 0,
    open_asked: Annotated[
        bool, typer.Option("--open", help="Write the cards' names down: for an open table only.")
    ] = False,
    audit_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The public audit key, to which the names of a blind deck are sealed."
        ),
    ] = None,
    shuffled: Annotated[
        bool, typer.Option("--shuffled", help="Face down in any order: nobody ever knows which is which.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Begin again; the old file stays until the deck is whole.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Count the deck: every card must pass the antenna, and no other.")
    ] = False,
    spare: Annotated[
        bool,
        typer.Option("--spare", help="Enrol spare cards: first the card it stands for, then the new one."),
    ] = False,
) -> None:
    """Learn a deck: one card after the other is laid on an antenna, then the deck file is written.

    The order is spades, hearts, diamonds, clubs, each from ace to king, then the jokers. The screen names the card
    that is due. u takes the last one back, s skips one (it is asked for once more at the end), q or Ctrl-C stops; the
    same command goes on later, from the file DECK.part (of a blind deck in order: once a suit is done).

    Blind is the default: each card gets a random token, and which card has which token is sealed to the audit key,
    in DECK.sealed: only the private part of that key opens it, and that is never here. Without an audit key it is kept
    nowhere, and nobody can ever name the cards, not even for an audit. While you enrol in order, this computer's memory
    holds the names; with --shuffled nothing ever does, so there is nothing to seal. A table of mode open, or --open
    without a table, gets the names written down.

    A spare has the token of the card it stands for: both in one deal are a duplicate. If a card's tag is dead, lay
    all the others instead of it, then the spare.

    Exit status 0: the deck is whole. 1: cards are missing, or (--verify) strange or double. 2: bad usage. 130: stopped.
    """
    from tablectl.enrol.around import at_port, at_table

    if verify and spare:
        raise UsageError("--verify counts a deck, --spare adds cards to it: one after the other, please")
    if (verify or spare) and (anew or shuffled or jokers or name is not None or audit_key is not None):
        raise UsageError(
            "--anew, --shuffled, --jokers, --id and --audit-key are for a deck that is being enrolled"
        )
    if not file.absolute().parent.is_dir():
        raise UsageError(f"{file.parent}: there is no such folder for the deck file; make it first")
    if table is not None and port is None and driver is None:
        around = at_table(file, table, at, open_asked=open_asked)
    elif port is not None and table is None:
        around = at_port(file, port, driver, antenna, open_asked=open_asked)
    else:
        raise UsageError(
            "name the antenna: either --table FILE (and --at ZONE), or --port PORT --driver NAME"
        )
    if verify:
        _verify(file, around)
    elif spare:
        _spare(file, around)
    else:
        key = _audit_key(audit_key, around, shuffled=shuffled)
        _enrol(file, around, name or file.stem, key, shuffled=shuffled, jokers=jokers, anew=anew)


def _work(around: Around, task_on: Callable[[Screen, bool], Work]) -> Work:
    """The task, done. Interrupted if the person left before."""
    import asyncio

    from tablectl.cli.desk import TerminalScreen, single_keys
    from tablectl.enrol.desk import Desk

    with single_keys() as keyboard, TerminalScreen() as screen:
        task = task_on(screen, keyboard is not None)
        asyncio.run(Desk(around.spot, task, screen, keyboard).work())
    return task


def _is_free(file: Path, *, anew: bool) -> None:
    if file.is_dir():
        raise UsageError(f"{file}: this is a folder; name the deck's file, such as {file / 'blue.toml'}")
    if file.exists() and not anew:
        raise UsageError(
            f"{file}: this deck is enrolled; --verify counts it, --spare adds to it, --anew begins again"
        )


def _audit_key(given: Path | None, around: Around, *, shuffled: bool) -> AuditKey | None:
    """The key to which the names are sealed; None where there are no names, or they are written down."""
    from tablectl.sealed import AuditKey

    if given is not None and around.open:
        raise UsageError("--audit-key: the file of an open deck names the cards, so nothing is sealed")
    if given is not None and shuffled:
        raise UsageError(
            "--audit-key: with --shuffled nobody knows the names, so there is nothing to seal; lay the deck in order, "
            "or leave the key out"
        )
    path = given or around.audit_key
    return None if path is None or around.open or shuffled else AuditKey.read(path)


NOBODY = "nobody can ever name these cards: audit open and export will say ?? for them"


def _enrol(
    file: Path,
    around: Around,
    deck_id: str,
    key: AuditKey | None,
    *,
    shuffled: bool,
    jokers: int,
    anew: bool,
) -> None:
    from tablectl.enrol import order
    from tablectl.enrol.desk import Interrupted
    from tablectl.enrol.sitting import Sitting
    from tablectl.enrol.tasks import Enrol
    from tablectl.enrol.workfile import FEWEST, finish, is_kept, keep, read_kept, work_file

    if shuffled and around.open:
        raise UsageError("--shuffled: an open deck needs its cards' names, so they must come in order")
    _is_free(file, anew=anew)
    if any(deck.id == deck_id for deck in around.taken.decks):
        raise UsageError(f"{deck_id!r} is the name of another deck here; choose one with --id")
    places = order.shuffled(jokers) if shuffled else order.guided(jokers)
    sort = "shuffled" if shuffled else "guided"
    part = work_file(file)
    if anew:
        part.unlink(missing_ok=True)
    kept = read_kept(part, deck_id, sort, places, is_open=around.open, key=key) if part.exists() else None
    sitting = Sitting(deck_id, places, around.taken, is_open=around.open, kept=kept)

    def on(screen: Screen, _: bool) -> Enrol:  # noqa: FBT001 - `_work` calls it so
        screen.say("order: any, face down" if shuffled else f"order: {order.IN_WORDS}")
        if not around.open and key is None:
            why = "shuffled" if shuffled else "no audit key (--audit-key FILE)"
            screen.say(f"{why}: {NOBODY}")
        if kept is not None:
            screen.say(f"goes on where it was interrupted, after {len(kept.done)} of {len(places)}")
        return Enrol(sitting, screen, lambda: keep(part, sitting, sort, key))

    try:
        stopped = _work(around, on).stopped
    except Interrupted:
        stopped = True
    if stopped:
        few = (
            f": before {FEWEST} cards are done, the work file would tell which is which"
            if sitting.cards
            else ""
        )
        kept_now = f"{len(sitting.done)} of {len(places)} are kept in {part}"
        _stopped(kept_now if is_kept(sitting) else f"nothing is kept{few}")
    if sitting.missing:
        _missing(sitting.missing, part if is_kept(sitting) else None)
    finish(file, part, sitting, key)
    _say_whole(file, around, key, f"{len(sitting.cards)} cards, {len(sitting.jokers)} jokers")


def _stopped(what: str) -> None:
    console().print(f"stopped: {what}")
    raise typer.Exit(INTERRUPTED)


def _missing(missing: Sequence[Place], part: Path | None) -> None:
    count = "1 card is" if len(missing) == 1 else f"{len(missing)} cards are"
    console().print(f"✗ {count} missing: {', '.join(place.said for place in missing)}")
    rest = f"{part} keeps the others, the same command goes on" if part else "so few are not kept"
    console().print(f"  the deck file is not written; {rest}")
    raise typer.Exit(FOUND_FAULT)


def _say_whole(file: Path, around: Around, key: AuditKey | None, what: str) -> None:
    from tablectl.audit.names import sealed_file

    out = console()
    out.print(f"✓ {file}: {what}")
    if around.open:
        out.print("  open: this file names the cards; keep it away from blind tables")
    elif key is None:
        out.print("  blind: which card has which token was not kept, so nobody can name the cards later")
    else:
        out.print(f"✓ {sealed_file(file)}: the names, sealed to audit key {key.fingerprint}")
        out.print(
            f"  blind: {file.name} is for the table; bring {sealed_file(file).name} to who has the private key"
        )


def _verify(file: Path, around: Around) -> None:
    from tablectl.config.decks import load_deck, shows_faces
    from tablectl.enrol.count import Count
    from tablectl.enrol.desk import Interrupted
    from tablectl.enrol.tasks import CountDeck

    deck = load_deck(file)
    count = Count(deck, around.taken.decks, around.taken.button_tags)
    try:
        _work(around, lambda screen, has_keys: CountDeck(count, screen, has_keys=has_keys))
    except Interrupted:
        _stopped("the count says nothing")
    out = console()
    jokers = f", {count.jokers} of {len(deck.jokers)} jokers" if deck.jokers else ""
    out.print(f"deck {deck.id}: {count.seen} of {count.cards} cards were seen{jokers}")
    faults = count.faults(named=around.open and shows_faces(deck))
    for fault in faults:
        out.print(f"✗ {fault}")
    if faults:
        raise typer.Exit(FOUND_FAULT)
    out.print("✓ the deck is whole")


def _spare(file: Path, around: Around) -> None:
    from tablectl.config.decks import deck_as_toml, load_deck
    from tablectl.enrol.desk import Interrupted
    from tablectl.enrol.spares import Spares
    from tablectl.enrol.tasks import AddSpares
    from tablectl.whole import write_whole

    spares = Spares(load_deck(file), around.taken)

    def on(screen: Screen, _: bool) -> AddSpares:  # noqa: FBT001 - `_work` calls it so
        return AddSpares(spares, screen, lambda: write_whole(file, deck_as_toml(spares.deck)))

    try:
        _work(around, on)
    except Interrupted:
        _stopped(f"spares enrolled: {spares.added}")
    console().print(f"{file}: spares enrolled: {spares.added}")
