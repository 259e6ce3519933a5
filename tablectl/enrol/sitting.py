"""One deck's enrolment: its places, which of them have a tag, and the tokens that were drawn.

Owns: what a laid tag becomes, or why it is refused; undo, skip, and what is missing at the end.
Refuses: antennas (`presence`), files (`workfile`), and keeping which card has which tag longer than this sitting.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablectl.cards import Deck
from tablectl.enrol.order import Place
from tablectl.enrol.tags import Taken

TOKEN_BYTES = 8
"""Random bytes of a token: two of one deck are the same once in 10¹⁶ decks, and then another is drawn."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An enrolment that was interrupted: the places that are done, and the tags, in no order of theirs."""

    done: frozenset[str]
    cards: Mapping[str, str]
    jokers: frozenset[str]
    boxes: tuple[str, ...] = ()
    """Which token is which card, sealed to the audit key: one box for each sitting (`audit.names`)."""


class Sitting:
    """The enrolment of one deck; `is_open` means that the tokens are the cards' names."""

    def __init__(
        self, deck_id: str, order: Sequence[Place], taken: Taken, *, is_open: bool, kept: Kept | None = None
    ) -> None:
        self.deck_id = deck_id
        self.order = tuple(order)
        self.is_open = is_open
        self._taken = taken
        self.cards: dict[str, str] = dict(kept.cards) if kept else {}
        """Tag → token."""
        self.jokers: set[str] = set(kept.jokers) if kept else set()
        self.done: set[str] = set(kept.done) if kept else set()
        """Names of the places that have a tag."""
        self.boxes = kept.boxes if kept else ()
        """Of the sittings before this one, which this one cannot open."""
        self._skipped: list[str] = []
        self._history: list[tuple[Place, str | None]] = []
        """(place, tag), or None for one that was skipped, in this sitting."""
        named = {token: uid for uid, token in self.cards.items()} if is_open else {}
        self._place_of: dict[str, Place] = {
            named[place.face]: place for place in order if place.face is not None and place.face in named
        }

    @property
    def next(self) -> Place | None:
        """The place whose card is due; skipped ones come once more after the others."""
        left = [place for place in self.order if place.name not in self.done]
        unasked = [place for place in left if place.name not in self._skipped]
        again = [place for place in left if self._skipped.count(place.name) == 1]
        return next(iter(unasked or again), None)

    @property
    def missing(self) -> list[Place]:
        """Cards that have no tag yet; jokers need not be there."""
        return [place for place in self.order if place.name not in self.done and not place.joker]

    def lay(self, uid: str) -> tuple[bool, str]:
        """A card was laid down: (it is enrolled as the one that is due, what else to say)."""
        place = self.next
        if place is None or (self._history and self._history[-1][1] == uid):
            return False, ""
        why = self._why_not(uid)
        if why is not None:
            return False, f"{why}. Lay {place.said}"
        if place.joker:
            self.jokers.add(uid)
        else:
            self.cards[uid] = place.face if self.is_open and place.face else self._token()
        self.done.add(place.name)
        self._place_of[uid] = place
        self._history.append((place, uid))
        return True, ""

    def _why_not(self, uid: str) -> str | None:
        if uid in self.cards or uid in self.jokers:
            return f"this card is enrolled already: {self.said_of(uid)}"
        return self._taken.why_not(uid, (*self.cards, *self.jokers))

    def said_of(self, uid: str) -> str:
        """The card in words, as far as it is known whose tag that is."""
        place = self._place_of.get(uid)
        if place is not None:
            return place.said
        return "a joker of this deck" if uid in self.jokers else "a card from before the interruption"

    def _token(self) -> str:
        used = set(self.cards.values())
        while (token := secrets.token_hex(TOKEN_BYTES)) in used:
            pass
        return token

    def names(self) -> dict[str, str]:
        """Token → card of what was laid in this sitting and has a name, in the order of the tokens."""
        named = {self.cards[uid]: place.face for place, uid in self._history if uid in self.cards}
        return {token: face for token, face in sorted(named.items()) if face is not None}

    def skip(self) -> Place | None:
        """The card that is due is not there; the place, or None if nothing is due."""
        place = self.next
        if place is not None:
            self._skipped.append(place.name)
            self._history.append((place, None))
        return place

    def undo(self) -> Place | None:
        """Takes the last step of this sitting back; the place that is due again, or None if there is none."""
        if not self._history:
            return None
        place, uid = self._history.pop()
        if uid is None:
            # The last of its kind: a place may have been skipped twice.
            del self._skipped[len(self._skipped) - 1 - self._skipped[::-1].index(place.name)]
            return place
        self.done.discard(place.name)
        self.cards.pop(uid, None)
        self.jokers.discard(uid)
        self._place_of.pop(uid, None)
        return place

    def deck(self) -> Deck:
        """The deck as far as it is enrolled; a blind one in the order of its UIDs, which says nothing."""
        cards = self.cards if self.is_open else dict(sorted(self.cards.items()))
        return Deck(self.deck_id, cards, frozenset(self.jokers))
