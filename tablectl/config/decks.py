"""Deck files: which tags are which cards of one enrolled deck.

Owns: the deck file's format (below), reading it with every fault at once, and writing it.
Refuses: drawing tokens and reading tags, which is enrolment.

    id = "blue"
    jokers = ["E004015012345699"]

    [cards]     # tag UID = the card's name in an open table, an opaque token in a blind one
    E004015012345601 = "As"

A spare card is a second tag with the same token: the table takes one for the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablectl.cards import FACES, UID_BYTES, Deck, normal_uid, well_formed
from tablectl.config.faults import TomlFile, joined, listed, shortened, unknown_key
from tablectl.errors import ABSENT, ConfigError, Fault

_KEYS = ("id", "cards", "jokers")
_UID_RIGHT = f"a tag UID in hex, {listed(str(n) for n in UID_BYTES)} bytes long, most significant byte first"
FULL_DECK = 52


def load_deck(path: Path) -> Deck:
    """The deck in that file; ConfigError with every fault if it is not one."""
    deck, faults = read_deck(path, str(path))
    if deck is None or faults:
        raise ConfigError(faults)
    return deck


def read_deck(path: Path, shown: str) -> tuple[Deck | None, list[Fault]]:
    """The deck in that file as far as it can be read, and its faults; `shown` names the file in them."""
    file = TomlFile(path, shown)
    if file.data is None:
        return None, file.faults
    deck, faults = deck_of(file.data, shown)
    return deck, file.faults + faults


def deck_of(data: dict[str, Any], shown: str) -> tuple[Deck | None, list[Fault]]:
    """The deck that `data` describes, and what is wrong with it."""
    faults: list[Fault] = []

    def fault(key: str, value: object, right: str) -> None:
        faults.append(Fault(shown, key, shortened(value), right))

    for key in data:
        if key not in _KEYS:
            fault(joined("", key), data[key], unknown_key(key, _KEYS))
    name = data.get("id", ABSENT)
    if not isinstance(name, str) or not name:
        fault("id", name, 'must be the name of the deck such as "blue"')
    cards: dict[str, str] = {}
    jokers: set[str] = set()
    seen: dict[str, str] = {}
    for key, uid, token in _entries(data, fault):
        plain = normal_uid(uid)
        if plain is None or not well_formed(plain):
            fault(key, uid, f"must be {_UID_RIGHT}")
        elif plain in seen:
            fault(key, uid, f"this tag is in the deck already, at {seen[plain]}; every tag is one card")
        else:
            seen[plain] = key
            if token is None:
                jokers.add(plain)
            else:
                cards[plain] = token
    if not isinstance(name, str) or not name:
        return None, faults
    return Deck(name, cards, frozenset(jokers)), faults


def _entries(data: dict[str, Any], fault: Any) -> Iterator[tuple[str, str, str | None]]:
    """(key path, UID as written, token or None for a joker) of every tag; other shapes are faults."""
    cards = data.get("cards", ABSENT)
    where = "cards"
    if not isinstance(cards, dict) or not cards:
        fault(where, cards, 'must be a table of tag UIDs and tokens: E004015012345601 = "As"')
        cards = {}
    for uid, token in cards.items():
        if uid in _KEYS:
            fault(joined(where, uid), token, f"{uid} must stand above [cards]; here it counts as a card")
        elif isinstance(token, str) and 0 < len(token) <= 64:
            yield joined(where, uid), uid, token
        else:
            fault(joined(where, uid), token, 'must be the card\'s token, a text such as "As" or "k7Qm2x"')
    jokers = data.get("jokers", [])
    where = "jokers"
    if not isinstance(jokers, list):
        fault(where, jokers, "must be a list of tag UIDs, [] for none")
        return
    for number, uid in enumerate(jokers):
        if isinstance(uid, str):
            yield f"{where}[{number}]", uid, None
        else:
            fault(f"{where}[{number}]", uid, f"must be {_UID_RIGHT}")


def shows_faces(deck: Deck) -> bool:
    """True if every token of the deck is a card's name."""
    return all(token in FACES for token in deck.cards.values())


def deck_notes(deck: Deck, shown: str, mode: str) -> list[str]:
    """What is odd about a deck without being wrong, a sentence each."""
    said = []
    cards = len(set(deck.cards.values()))
    if cards != FULL_DECK:
        said.append(f"{shown}: deck {deck.id} has {cards} different cards, a full one has {FULL_DECK}")
    spares = len(deck.cards) - cards
    if spares:
        said.append(
            f"{shown}: {spares} tags of deck {deck.id} have the token of another one: spares, of which one is in "
            "play; both in one deal are a duplicate"
        )
    if mode == "blind" and deck.cards and shows_faces(deck):
        said.append(
            f"{shown}: this deck file names its cards, so this table is not blind; enrol it with tokens"
        )
    return said


def deck_as_toml(deck: Deck) -> str:
    """The deck as the text of a deck file."""
    lines = [
        f"id = {_quoted(deck.id)}",
        f"jokers = [{', '.join(map(_quoted, sorted(deck.jokers)))}]",
        "",
        "[cards]",
    ]
    lines += [f"{uid} = {_quoted(token)}" for uid, token in deck.cards.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes are a subset of TOML's, bar DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
