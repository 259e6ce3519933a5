"""The order in which a deck is laid on the antenna, card by card.

Owns: the places of that order and their names in words. Refuses: tags.

Suit by suit, spades, hearts, diamonds, clubs, each from the ace to the king; the jokers last. A deck that was
shuffled face down has places without names: then nobody ever knows which card is which.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablectl.cards import FACES

SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
IN_WORDS = "spades, hearts, diamonds, clubs, each from ace to king"


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the order: `name` in files, `said` on the screen, and the face that lies there, if it has one."""

    name: str
    said: str
    face: str | None = None
    joker: bool = False


def said_of(face: str) -> str:
    """`As` in words: the ace of spades."""
    return f"the {RANKS[face[0]]} of {SUITS[face[1]]}"


def guided(jokers: int = 0) -> tuple[Place, ...]:
    """Every card by name, then the jokers."""
    faces = [rank + suit for suit in SUITS for rank in RANKS]
    return (*(Place(face, said_of(face), face) for face in faces), *_jokers(jokers))


def shuffled(jokers: int = 0) -> tuple[Place, ...]:
    """As many cards as a deck has, by number only, then the jokers."""
    cards = (Place(f"card {n}", f"card {n}") for n in range(1, len(FACES) + 1))
    return (*cards, *_jokers(jokers))


def _jokers(count: int) -> tuple[Place, ...]:
    return tuple(Place(f"joker {n}", f"joker {n} of {count}", joker=True) for n in range(1, count + 1))
