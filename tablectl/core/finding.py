"""Findings, and what a check may look at to make one.

Owns: the data between the checks (`core.detector` lists them) and the docket. Refuses: the checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tablectl.cards import Deck
from tablectl.core.explanation import How
from tablectl.core.hand import Hand
from tablectl.core.sense import Sense
from tablectl.core.settings import Setting

Doubt = Literal["shuffled"]
"""Facts that the dealer is asked before anything is an irregularity; the other questions are the rulebooks'."""
SHORT_LOOKS = 14
"""Looks at a place without a card that would have shown it, after which it is not there."""
LIES_SURE = 6.0
"""Log odds at which a card surely lies where it was found."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One slip. `right` is the zone that would correct it; `cards` are the cards it is about."""

    key: tuple[Any, ...]
    kind: str
    fields: Mapping[str, Any]
    cards: tuple[str, ...] = ()
    right: str | None = None
    since: int = 0
    how: How | None = None
    confirmed: bool = field(default=True, kw_only=True)
    asks: Doubt | None = field(default=None, kw_only=True)
    """A fact that the dealer is asked first: if it is true there is nothing, if it is false the finding is sure."""


@dataclass(slots=True)
class Scene:
    """Everything a check may look at."""

    hand: Hand
    sense: Sense
    setting: Setting
    now: int
    sorts: Mapping[str, str] = field(default_factory=dict)
    """uid → deck, joker or foreign, for cards resting at the mouth of the shoe."""
    tokens: Mapping[str, str] = field(default_factory=dict)
    """uid → token, likewise."""
    deck: Deck | None = None
    """The deck in play, if its cards are known."""
