"""Cards, tags and decks.

Owns: what a tag UID looks like and what a deck manifest says of it.
Refuses: where a card lies.

A deck maps each tag UID to a *token*. In an open table the token is the card's name (`As`, `Td`); in a blind
table it is an opaque string drawn at random at enrolment, equal for equal cards. Nothing else in tablectl
needs to know which of the two it is: duplicates, foreign cards and jokers are decided on tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

RANKS = "23456789TJQKA"
SUITS = "cdhs"
FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 card names, in the notation of poker hand histories."""

UID_BYTES = (4, 7, 8, 10)
"""Lengths a tag UID can have, in bytes: ISO 14443-3 (4, 7, 10) and ISO 15693-3 (8)."""

_HEX = re.compile(r"(?:[0-9A-F]{2})+")


def uid_from_bytes(raw: bytes) -> str:
    """The UID as fixed-width upper-case hex, most significant byte first; leading zeros stay."""
    return raw.hex().upper()


def normal_uid(text: str) -> str | None:
    """The UID in its one spelling (upper-case hex without separators), or None if it is not hex."""
    plain = text.replace(":", "").replace(" ", "").upper()
    return plain if _HEX.fullmatch(plain) else None


def well_formed(uid: str) -> bool:
    """True if the UID has a length that a tag of the supported standards can have."""
    return len(uid) // 2 in UID_BYTES and len(uid) % 2 == 0


@dataclass(frozen=True)
class Deck:
    """One enrolled deck: which tags belong to it, equal tokens for equal cards, and which are jokers."""

    id: str
    cards: Mapping[str, str]
    jokers: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", MappingProxyType(dict(self.cards)))
        object.__setattr__(self, "jokers", frozenset(self.jokers))

    def __contains__(self, uid: object) -> bool:
        return uid in self.cards or uid in self.jokers

    def token(self, uid: str) -> str | None:
        """The card's token; None for a joker or for a tag that is not of this deck."""
        return self.cards.get(uid)


def find_deck(decks: Iterable[Deck], deck_id: str) -> Deck | None:
    """The deck with that id, or None."""
    return next((deck for deck in decks if deck.id == deck_id), None)
