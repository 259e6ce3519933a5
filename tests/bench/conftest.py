"""What the accuracy tests share: truth and claims made by hand, looks made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tablectl.bench.judge import Claim
from tablectl.core.sightings import Look, Read

Tell = Callable[..., Claim]
Make = Callable[..., list[dict[str, Any]]]
See = Callable[[int, str, Iterable[str]], Look]


@pytest.fixture
def tell() -> Tell:
    """One claim: `tell(t, stage, kind, id=…, seat=…)`."""

    def claim(t: int, stage: str, kind: str = "", *, id: str = "i1", **fields: Any) -> Claim:  # noqa: A002 - its name
        return Claim(t=t, id=id, stage=stage, kind=kind, **fields)

    return claim


@pytest.fixture
def evening_of() -> Make:
    """The truth of two hands, at 0 and 60,000 ms, with these further events, all of the first hand if not said."""

    def truth(*events: dict[str, Any]) -> list[dict[str, Any]]:
        starts = [{"t": t, "event": "hand_start", "hand": n} for n, t in ((1, 0), (2, 60_000))]
        made = [{"hand": 1, "t": event.get("at", 0), **event} for event in events]
        return sorted([*starts, *made], key=lambda each: each["t"])

    return truth


@pytest.fixture
def see() -> See:
    """One complete look: `see(t, zone, cards)`."""

    def look(t: int, zone: str, cards: Iterable[str]) -> Look:
        return Look(zone, t, tuple(Read(card, t, None) for card in cards))

    return look
