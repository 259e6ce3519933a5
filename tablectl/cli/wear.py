"""The command about the wear of decks: wear.

Owns: arguments and what a technician reads. Refuses: counting and judging (`app.wear`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablectl.cli.options import DONE, FOUND_FAULT, ConfigFile, console

if TYPE_CHECKING:
    from tablectl.app.wear import CardWear
    from tablectl.app.wear.levels import Fallen

app = typer.Typer()

UID_SHOWN = 6
"""Last figures of a UID that are shown: enough to tell the cards of a deck apart, and no whole UID."""
HOW = (
    "To find a worn card: open the technician's page (/technician), test the antennas, and lay the cards of the "
    "deck one by one on one antenna: the worn one is read least. Replace it by a spare: "
    "tablectl enrol DECK.toml --spare."
)


@app.command("wear", epilog="Example: tablectl wear t12.toml")
def wear(
    file: ConfigFile,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Every card, not only the ten that are read least.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All figures as one JSON object.")] = False,
) -> None:
    """How well the cards of each deck are read, against the other cards at the same antennas, and which are worn; and
    which decks and antennas read worse than in the decks' first nights.

    Exit status 0: nothing is worn. 1: a card, a deck or an antenna is.
    """
    from tablectl.app.wear import read, read_fallen
    from tablectl.config import load

    config = load(file)
    decks, fallen = read(config), read_fallen(config)
    worn = any(each.standing.verdict == "worn" for cards in decks.values() for each in cards)
    if as_json:
        figures: dict[str, Any] = {deck: [_json(each) for each in cards] for deck, cards in decks.items()}
        figures["fallen"] = [{"what": each.kind, "name": each.name, "left": each.left} for each in fallen]
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        _show(decks, everything=everything, worn=worn)
        _show_fallen(fallen)
    raise typer.Exit(FOUND_FAULT if worn or fallen else DONE)


def _show(decks: Mapping[str, list[CardWear]], *, everything: bool, worn: bool) -> None:
    from rich.table import Table

    out = console()
    for deck, cards in decks.items():
        if not cards:
            out.print(f"deck {deck}: nothing is known of its cards yet")
            continue
        since = min(each.card.first_day for each in cards)
        out.print(f"deck {deck}: in use since {since}, {len(cards)} cards were dealt")
        table = Table(
            "UID",
            "days",
            "dealt",
            "reads/looks",
            "life",
            "lately",
            "95 %",
            "verdict",
            box=None,
            pad_edge=False,
        )
        for each in cards if everything else cards[:10]:
            table.add_row(*_row(each))
        out.print(table)
    if worn:
        out.print(HOW)


def _show_fallen(fallen: Iterable[Fallen]) -> None:
    for each in fallen:
        console().print(f"{each.text}; {each.do}.")


def _row(each: CardWear) -> Iterable[str]:
    card, standing = each.card, each.standing
    known = standing.verdict != "unknown"
    return (
        f"…{card.uid[-UID_SHOWN:]}", str(card.days), f"{card.dealt:,}", f"{card.reads:,}/{card.looks:,}",
        f"{card.life:.2f}" if card.life is not None else "–",
        f"{standing.against:.2f}" if known else "–",
        f"{standing.low:.2f}–{standing.high:.2f}" if known else "–",
        standing.verdict if known else "too early",
    )  # fmt: skip


def _json(each: CardWear) -> dict[str, Any]:
    card, standing = each.card, each.standing
    return {
        "uid": f"…{card.uid[-UID_SHOWN:]}", "first_day": card.first_day, "last_day": card.last_day, "days": card.days,
        "dealt": card.dealt, "looks": card.looks, "reads": card.reads, "life": card.life, "lately": standing.against,
        "interval": [standing.low, standing.high], "verdict": standing.verdict,
    }  # fmt: skip
