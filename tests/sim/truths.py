"""What the simulator's truth says of a hand, for the tests of the simulator."""

from __future__ import annotations

from typing import Any

from tablectl.sim.truth import Truth


def entries(truth: Truth, do: str, hand: int | None = None) -> list[dict[str, Any]]:
    """What the dealer entered of that sort, in that hand or in all of them."""
    noted = (event for event in truth.of("entry") if hand is None or event["hand"] == hand)
    return [event["entry"] for event in noted if event["entry"]["do"] == do]


def dealt(truth: Truth, hand: int) -> list[str]:
    """Where the cards of that hand first came to rest, in the order in which they left the shoe."""
    first: dict[int, str] = {}
    for event in truth.of("rest"):
        if event["hand"] == hand:
            first.setdefault(event["k"], event["zone"])
    return [first[k] for k in sorted(first)]
