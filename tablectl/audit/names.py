"""Which token is which card: the second file of a blind enrolment, which only the private audit key opens.

Owns: the file's format, adding an enrolment to it, and reading it. Refuses: drawing tokens (`enrol`).

    tablectl deck names, sealed: only the private audit key opens them
    box 5f0c1d2e3a4b5c6d kQ2v…=

A `box` is a fingerprint and, sealed to that audit key, {"deck": "blue", "cards": {token: card}} of one sitting: an
enrolment that was interrupted, or a deck that was enrolled anew, has several. Tokens are drawn at random, so all boxes
of a file hold together: nights before a new enrolment can still be opened.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.cards import FACES
from tablectl.errors import SealError
from tablectl.sealed import AuditKey, AuditSecret
from tablectl.whole import write_whole

FIRST: Final = "tablectl deck names, sealed: only the private audit key opens them"
BOX: Final = "box "
_BOX: Final = re.compile(r"[0-9a-f]{16} [A-Za-z0-9+/]+=*")
FILE_BYTES: Final = 1 << 20
"""A deck's names take 2 kB; a larger file is none, however often the deck was enrolled."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the boxes of some files say."""

    cards: Mapping[str, str]
    """Token → card."""
    others: frozenset[str]
    """Fingerprints of audit keys to which other boxes there are sealed."""

    def card(self, token: str) -> str | None:
        """The card's name; None if these files do not know the token."""
        return self.cards.get(token)


def sealed_file(deck_file: Path) -> Path:
    """Where the names of that deck file are: beside it."""
    return deck_file.with_name(deck_file.name + ".sealed")


def box_of(key: AuditKey, deck_id: str, cards: Mapping[str, str]) -> str:
    """Token → card as one box."""
    text = json.dumps({"deck": deck_id, "cards": dict(cards)}, separators=(",", ":"))
    return f"{key.fingerprint} {base64.b64encode(key.seal(text.encode())).decode('ascii')}"


def is_box(text: str) -> bool:
    """Whether that looks like a box."""
    return _BOX.fullmatch(text) is not None


def add(path: Path, boxes: Iterable[str]) -> None:
    """The boxes join those of the file. SealError if it is another file; OSError if it cannot be written."""
    before = _boxes(path) if path.exists() else []
    lines = [FIRST, *(BOX + box for box in dict.fromkeys([*before, *boxes]))]
    write_whole(path, "\n".join(lines) + "\n")


def read(paths: Iterable[Path], secret: AuditSecret) -> Names:
    """What these files say to that key.

    SealError if one is no such file, is damaged, has nothing for this key, or contradicts another; OSError.
    """
    cards: dict[str, str] = {}
    others: set[str] = set()
    for path in paths:
        own = secret.public.fingerprint
        mine = 0
        for box in _boxes(path):
            fingerprint, _, text = box.partition(" ")
            if fingerprint != own:
                others.add(fingerprint)
                continue
            mine += 1
            for token, card in _opened(path, text, secret).items():
                if cards.setdefault(token, card) != card:
                    raise SealError(f"{path}: two enrolments give the same token to different cards")
        if not mine:
            raise SealError(f"{path}: sealed to {', '.join(sorted(others)) or 'nobody'}, not to {own}")
    return Names(cards, frozenset(others))


def _boxes(path: Path) -> list[str]:
    with path.open("rb") as file:
        text = file.read(FILE_BYTES + 1)
    first, *lines = text.decode("utf-8", errors="replace").splitlines() or [""]
    if first != FIRST or len(text) > FILE_BYTES:
        raise SealError(f"{path}: this is no sealed deck of tablectl (DECK.sealed, beside the deck file)")
    boxes = [line.removeprefix(BOX) for line in lines if line.startswith(BOX)]
    if len(boxes) != len(lines) or not all(map(is_box, boxes)):
        raise SealError(f"{path}: damaged: every line after the first must be a `box`")
    return boxes


def _opened(path: Path, text: str, secret: AuditSecret) -> dict[str, str]:
    try:
        made = json.loads(secret.open(base64.b64decode(text, validate=True)))
        cards: dict[str, str] = made["cards"]
        sound = all(isinstance(token, str) and card in FACES for token, card in cards.items())
    except SealError as error:
        raise SealError(f"{path}: {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        sound = False
    if not sound:
        raise SealError(f"{path}: damaged: a box does not hold tokens and cards")
    return cards
