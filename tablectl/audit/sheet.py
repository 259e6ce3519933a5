"""Hands as a sheet: CSV (RFC 4180), one hand a line.

Owns: its columns. Refuses: cells that a spreadsheet would take for a formula: they get a `'` before them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tablectl.audit.hands import PlayedHand
from tablectl.layout import MAX_SEATS

_SEATS: Final = tuple(f"seat {seat}" for seat in range(1, MAX_SEATS + 1))
COLUMNS: Final = (
    "table", "night", "hand", "started (UTC)", "ended", "game", "rulebook", "mode", "deck", "dealer", "button",
    "seats", *_SEATS, "board", "burns", "deal", "actions", "irregularities", "opened", "agrees",
)  # fmt: skip
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def lines(hands: Iterable[PlayedHand]) -> Iterator[str]:
    """The head, then a line a hand."""
    yield _line(COLUMNS)
    for hand in hands:
        cells = _cells(hand)
        yield _line([_plain(cells.get(column, "")) for column in COLUMNS])


def _cells(hand: PlayedHand) -> dict[str, Any]:
    known = hand.known
    hole = {f"seat {seat}": " ".join(card.shown for card in hand.of_seat(seat)) for seat in hand.seats}
    return hole | {
        "table": hand.table.get("id"), "night": hand.night, "hand": hand.number,
        "started (UTC)": hand.started_at.strftime("%Y-%m-%d %H:%M:%S"), "ended": "yes" if hand.ended else "no",
        "game": hand.game, "rulebook": hand.table.get("rulebook"), "mode": hand.table.get("mode"),
        "deck": known.deck if known else None, "dealer": known.dealer if known else None,
        "button": hand.button, "seats": " ".join(map(str, hand.seats)),
        "board": " | ".join(" ".join(card.shown for card in laid.cards) for laid in hand.streets),
        "burns": " ".join(card.shown for card in hand.burns),
        "deal": " ".join(f"{card.k or '-'}:{card.zone}:{card.said}" for card in hand.cards),
        "actions": "; ".join(
            f"{each.street} {each.seat} {each.action}{' all-in' if each.all_in else ''}" for each in known.actions
        ) if known else None,
        "irregularities": "; ".join(_slip(found) for found in hand.irregularities),
        "opened": "yes" if known else "no", "agrees": "yes" if hand.agrees else "no",
    }  # fmt: skip


def _slip(found: dict[str, Any]) -> str:
    where = f" seat {found['seat']}" if found.get("seat") is not None else ""
    end = found.get("cleared") or found.get("ruling", {}).get("verdict") or "no ruling"
    return f"{found['id']} {found['kind']}{where}: {end}"


def _plain(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def _line(cells: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue()
