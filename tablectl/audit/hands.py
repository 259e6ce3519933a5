"""The hands of a night, as far as a journal and the keys at hand tell them.

    decisions (anybody may read them)    → who was dealt how many cards, in which order, and what was irregular
    sensed lines (sealed, or in clear)   → once more through the core: which tag was the k-th card, what was entered
    names (DECK.sealed, or an open deck) → which card that tag is

Owns: what a hand is here, and putting these together. Refuses: reading the file (`shell.journal`), keys, and formats
(`phh`, `sheet`). What is not known stays unknown: a card that nobody can name, an action that nobody entered.

What the table concluded is what its journal says. The replay only adds identities to it, by the cards' order `k`; where
it concludes otherwise than the table did (another version of tablectl), the hand says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from tablectl.audit.told import Told, ToldHand
from tablectl.core.games import GAMES
from tablectl.layout import BURN, is_board, seat_of

UNKNOWN: Final = "??"
"""A card that nobody can name, as hand histories spell it."""

NO_CARDS: Final = ("joker", "foreign")


@dataclass(frozen=True, slots=True)
class Dealt:
    """One card that left the deck. `k` is its place in the order; `t` when it came to rest, ms of the night."""

    k: int | None
    zone: str
    t: int
    name: str | None = None
    """`As`; None if nobody can say."""
    sort: str | None = None
    """deck, joker or foreign; None if that is not known."""
    tag: str | None = None
    lies: str | None = None
    """Where it lay when the hand ended."""
    back: bool = False
    """A remedy put it back into the deck."""

    @property
    def shown(self) -> str:
        """The card in a hand history."""
        return self.name or UNKNOWN

    @property
    def said(self) -> str:
        """The card in words: its name, or that it is none of the deck."""
        return self.sort if self.sort in NO_CARDS else self.shown

    @property
    def seat(self) -> int | None:
        """The seat where it came to rest first."""
        return seat_of(self.zone)

    def as_json(self, *, tags: bool) -> dict[str, Any]:
        """What is known of it; its UID only with `tags`."""
        made = {"k": self.k, "zone": self.zone, "t": self.t, "card": self.shown}
        more = {
            "sort": self.sort if self.sort != "deck" else None, "tag": self.tag if tags else None,
            "lies": self.lies, "back": self.back or None,
        }  # fmt: skip
        return made | {name: value for name, value in more.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Laid:
    """A street on the board, and the burns before it."""

    name: str
    run: int
    cards: tuple[Dealt, ...]
    burns: tuple[Dealt, ...] = ()


@dataclass(frozen=True, slots=True)
class Acted:
    """An action as it was entered, `t` in ms of the night."""

    t: int
    seat: int
    action: str
    street: str
    all_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the sensed lines tell of one hand."""

    cards: tuple[Dealt, ...]
    streets: tuple[Laid, ...]
    game: str
    actions: tuple[Acted, ...] = ()
    straddles: tuple[int, ...] = ()
    deck: str | None = None
    dealer: str | None = None
    showdown: bool = False
    followed: bool = True


@dataclass(slots=True, kw_only=True)
class PlayedHand:
    """One hand."""

    night: int
    number: int
    started_at: datetime
    """UTC."""
    table: Mapping[str, Any]
    """`id`, `seats`, `rulebook`, `betting`, `mode`, as far as they are known."""
    game: str | None
    button: int | None
    seats: tuple[int, ...]
    """In the order in which they are dealt."""
    cards: tuple[Dealt, ...]
    streets: tuple[Laid, ...]
    ended: bool
    irregularities: list[dict[str, Any]] = field(default_factory=list)
    known: Known | None = None
    """None where the sensed lines could not be read."""
    agrees: bool = True
    """The replay puts the same cards in the same order as the table did then."""

    def of_seat(self, seat: int) -> list[Dealt]:
        """The cards that came to rest there first, in the order in which they were dealt."""
        return [card for card in self.cards if card.seat == seat and not card.back]

    @property
    def burns(self) -> list[Dealt]:
        """The burn cards, in their order."""
        return [card for card in self.cards if card.zone == BURN and not card.back]

    def as_json(self, *, tags: bool = False) -> dict[str, Any]:
        """The hand for programs; UIDs only with `tags`. Times are ms of the night, `started` is UTC."""
        known = self.known
        made: dict[str, Any] = {
            "night": self.night, "hand": self.number,
            "started": self.started_at.isoformat(timespec="milliseconds"),
            "ended": self.ended, "table": self.table.get("id"), "game": self.game,
            "rulebook": self.table.get("rulebook"), "mode": self.table.get("mode"),
            "button": self.button, "seats": list(self.seats), "opened": known is not None,
            "hole": {str(seat): [card.shown for card in self.of_seat(seat)] for seat in self.seats},
            "board": [
                {"street": laid.name, "run": laid.run, "cards": [card.shown for card in laid.cards]}
                for laid in self.streets
            ],
            "burns": [card.shown for card in self.burns],
            "deal": [card.as_json(tags=tags) for card in self.cards],
            "irregularities": self.irregularities,
        }  # fmt: skip
        if known is not None:
            made |= {
                "agrees": self.agrees, "deck": known.deck, "dealer": known.dealer,
                "betting": self.table.get("betting"),
                "actions": [
                    {"t": each.t, "street": each.street, "seat": each.seat, "action": each.action}
                    | ({"all_in": True} if each.all_in else {})
                    for each in known.actions
                ],
                "straddles": list(known.straddles), "showdown": known.showdown, "followed": known.followed,
            }  # fmt: skip
        return made


def hands_of(
    night: int, started_at: str, decisions: Told, known: Mapping[int, Known], table: Mapping[str, Any]
) -> Iterator[PlayedHand]:
    """The hands of that night in their order. `known` is empty where the sensed lines could not be read.

    Times of the decisions count from `started_at` (UTC, ISO 8601).
    """
    started = datetime.fromisoformat(started_at)
    for told in decisions.of_this_night():
        yield _together(night, table, started, told, known.get(told.number))


def _together(
    night: int, table: Mapping[str, Any], started: datetime, told: ToldHand, known: Known | None
) -> PlayedHand:
    cards = tuple(Dealt(k, zone, t) for k, (zone, t) in sorted(told.cards.items()))
    game = known.game if known is not None else table.get("game")
    in_order = [(card.k, card.zone) for card in cards]
    replayed = (
        [(card.k, card.zone) for card in known.cards if card.k is not None] if known is not None else []
    )
    return PlayedHand(
        night=night, number=told.number, started_at=started + timedelta(milliseconds=told.t), table=table,
        game=game, button=told.button, seats=told.seats, ended=told.ended,
        cards=known.cards if known is not None else cards,
        streets=known.streets if known is not None else _by_order(cards, game),
        irregularities=[each.as_json() for each in told.found.values()],
        known=known, agrees=known is None or not told.ended or in_order == replayed,
    )  # fmt: skip


def _by_order(cards: tuple[Dealt, ...], game: str | None) -> tuple[Laid, ...]:
    """The board in the order in which it was dealt, as many cards a street as the game has."""
    board = [card for card in cards if is_board(card.zone)]
    laid = []
    for street in GAMES[game].streets if game in GAMES and not GAMES[game].to_seats else ():
        dealt, board = board[: street.cards], board[street.cards :]
        if dealt:
            laid.append(Laid(street.name, 1, tuple(dealt)))
    if board:
        laid.append(Laid("more", 1, tuple(board)))
    return tuple(laid)
