"""Kinds of tags, and whether a tag may become a card of a deck.

Owns: telling the kinds apart by their UIDs, and the reasons to refuse a tag, as sentences without its UID.
Refuses: reading tags, and where their cards belong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablectl.cards import Deck, well_formed

_TYPE_V = "E0"
"""The first byte of every ISO 15693 UID (ISO/IEC 15693-3, 4.1)."""
_RANDOM = "08"
"""A four-byte UID that begins so is drawn anew at every power-up (ISO/IEC 14443-3, 6.5.4)."""


def kind_of(uid: str) -> str | None:
    """What sort of tag has that UID, in words; None for one that no tag can have."""
    if not well_formed(uid):
        return None
    if len(uid) == 16:
        return "ISO 15693, 8 bytes" if uid.startswith(_TYPE_V) else None
    return f"ISO 14443, {len(uid) // 2} bytes"


@dataclass(frozen=True)
class Taken:
    """Tags that are no card of the deck that is enrolled: of the button, and of other decks."""

    button_tags: frozenset[str] = frozenset()
    decks: tuple[Deck, ...] = ()

    def why_not(self, uid: str, others: Iterable[str]) -> str | None:
        """Why the tag cannot join a deck whose other tags those are; None if it can."""
        kind = kind_of(uid)
        if kind is None:
            return "this UID is none that a tag of a card can have; if it comes again, the tag is of another sort"
        if len(uid) == 8 and uid.startswith(_RANDOM):
            return "this tag draws another UID each time it is read: nobody can know it again"
        if uid in self.button_tags:
            return "this is the tag of the dealer button"
        of = next((deck.id for deck in self.decks if uid in deck), None)
        if of is not None:
            return f"this card is enrolled in deck {of}; a tag belongs to one deck"
        usual = next((kind_of(other) for other in others), None)
        if usual is not None and kind != usual:
            return f"this tag is of another type ({kind}) than the others of this deck ({usual})"
        return None
