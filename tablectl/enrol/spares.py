"""Spare cards: a new card that stands for one of the deck, because that one is damaged or may be.

Owns: which card a new tag stands for. Refuses: names of cards; the tag of the old card says enough.

A spare has the token of the card it stands for: the table cannot tell the two apart, and takes both in one deal for
a duplicate. The old card is laid down first, then the new one. If the old card's tag is dead, all the others are
laid down, one by one, and then the new one: it stands for the card that did not come.
"""

from __future__ import annotations

from tablectl.cards import Deck
from tablectl.enrol.tags import Taken


class Spares:
    """Spares for one deck, which is enrolled."""

    def __init__(self, deck: Deck, taken: Taken) -> None:
        self.deck = deck
        self._taken = taken
        self.added = 0
        self._shown: dict[str, None] = {}
        """Tokens of the cards that were laid down since the last spare."""

    @property
    def shown(self) -> int:
        """Cards of the deck that were laid down since the last spare."""
        return len(self._shown)

    @property
    def prompt(self) -> str:
        """What to lay down next."""
        if not self._shown:
            return "Lay the card that gets a spare"
        if len(self._shown) == 1:
            return "Now lay its spare; or, for a card whose tag is dead, all the other cards"
        left = len(self._unseen())
        return f"{left} to go" if left > 1 else "One card did not come: now lay its spare"

    def _unseen(self) -> list[str]:
        return [token for token in dict.fromkeys(self.deck.cards.values()) if token not in self._shown]

    def lay(self, uid: str) -> tuple[bool, str]:
        """A card was laid down: (a spare was added, what to say of it)."""
        token = self.deck.token(uid)
        if token is not None:
            self._shown[token] = None
            return False, ""
        if uid in self.deck.jokers:
            return False, "this is a joker: one joker is like another, enrol the deck anew if one is damaged"
        why = self._taken.why_not(uid, self.deck.cards)
        if why is not None:
            return False, why
        stands_for = self._stands_for()
        if stands_for is None:
            return False, "this card is new here: lay the card first that it stands for, or all the others"
        self.deck = Deck(self.deck.id, {**self.deck.cards, uid: stands_for}, self.deck.jokers)
        self._shown.clear()
        self.added += 1
        return True, "the spare is enrolled; take the card it stands for out of the deck"

    def _stands_for(self) -> str | None:
        unseen = self._unseen()
        if len(self._shown) == 1:
            return next(iter(self._shown))
        return unseen[0] if len(unseen) == 1 else None

    def begin_anew(self) -> None:
        """Forget what was laid down since the last spare."""
        self._shown.clear()
