"""The first line of a recording: the configuration and the decks.

Owns: its spelling. Refuses: whether the configuration is valid (`config`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tablectl.cards import Deck, find_deck, normal_uid
from tablectl.core import entries
from tablectl.core.entries import is_text, shown, whole
from tablectl.errors import RecordingError
from tablectl.layout import MAX_SEATS
from tablectl.recording.fields import Report, Wrong, listed, silent, tell_unknown

VERSION = 1
"""Of the format."""


@dataclass(frozen=True)
class Header:
    """The first line: the table's configuration as it was given, the decks, and which of them is in play."""

    config: Mapping[str, Any]
    decks: tuple[Deck, ...]
    active_deck: str | None
    seats: int
    """Seats of the table (`config.table.seats`)."""


def header(config: Mapping[str, Any], decks: Iterable[Deck], active_deck: str | None) -> dict[str, Any]:
    """The first line of a recording, ready for JSON; `config` is written as it is."""
    made = [{"id": deck.id, "cards": dict(deck.cards), "jokers": sorted(deck.jokers)} for deck in decks]
    return {"recording": VERSION, "config": dict(config), "decks": made, "active_deck": active_deck}


def read_header(obj: object, *, line: int = 1, report: Report = silent) -> Header:
    """What the first line says. Raises RecordingError as `parse` does."""
    try:
        return header_of(obj, lambda text: report(line, text))
    except Wrong as wrong:
        raise RecordingError(f"line {line}: {wrong}") from None


def header_of(obj: object, tell: Callable[[str], None]) -> Header:
    """As `read_header`, of a line whose number is known elsewhere. Raises Wrong."""
    if not isinstance(obj, Mapping) or "recording" not in obj:
        raise Wrong('not a recording: its first line must be {"recording": 1, "config": …, "decks": …}')
    if whole(obj["recording"]) != VERSION:
        raise Wrong(
            f"recording = {shown(obj['recording'])}: this tablectl reads recordings of format {VERSION}"
        )
    tell_unknown(obj, {"recording", "config", "decks", "active_deck", "run", "continues"}, "", tell)
    config = obj.get("config")
    table = config.get("table") if isinstance(config, Mapping) else None
    if not isinstance(config, Mapping) or not isinstance(table, Mapping):
        raise Wrong("config.table is missing: config must be the configuration of the table, as an object")
    seats = whole(table.get("seats"))
    if seats is None or not 2 <= seats <= MAX_SEATS:
        raise Wrong(
            f"config.table.seats = {shown(table.get('seats'))}: must be a whole number from 2 to {MAX_SEATS}"
        )
    decks = tuple(_deck(f"decks[{i}]", item) for i, item in enumerate(listed(obj, "", "decks")))
    ids = [deck.id for deck in decks]
    if len(set(ids)) < len(ids):
        raise Wrong(f"decks: the ids are {', '.join(ids)}: each deck needs an id of its own")
    active = obj.get("active_deck")
    if (decks or active is not None) and (not isinstance(active, str) or not find_deck(decks, active)):
        raise Wrong(
            f"active_deck = {shown(active)}: must be one of {', '.join(ids) or 'decks, which is empty'}"
        )
    return Header(config, decks, active, seats)


def _deck(where: str, item: object) -> Deck:
    if not isinstance(item, Mapping) or not is_text(item.get("id"), entries.MAX_NAME):
        raise Wrong(
            f'{where} = {shown(item)}: must be {{"id": a text, "cards": {{uid: card}}, "jokers": [uid]}}'
        )
    cards = item.get("cards")
    if not isinstance(cards, Mapping):
        raise Wrong(f"{where}.cards = {shown(cards)}: must be an object of tag UIDs and their cards")
    jokers = listed(item, f"{where}.", "jokers") if "jokers" in item else []
    known: dict[str, str] = {}
    for given, token in [*cards.items(), *((uid, "joker") for uid in jokers)]:
        uid = normal_uid(given) if isinstance(given, str) else None
        if uid is None:
            raise Wrong(f"{where}: tag UID {shown(given)}: must be hex, such as E004015012345601")
        if uid in known:
            raise Wrong(f"{where}: tag UID {uid} stands there twice: each tag is one card")
        if not is_text(token, entries.MAX_NAME):
            raise Wrong(f"{where}: card of tag UID {uid} = {shown(token)}: must be a card name or a token")
        known[uid] = token
    enrolled = list(known)
    split = len(cards)
    return Deck(item["id"], {uid: known[uid] for uid in enrolled[:split]}, frozenset(enrolled[split:]))
