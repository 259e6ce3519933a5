"""However odd the cards lie, each look costs little: the work is counted in calls, not in time."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import pytest
from felt import Felt

from tablectl.core import order
from tablectl.core.sensed import Sensed
from tablectl.core.table import Table

MOST_CALLS = 40_000
"""Calls within the search for the order of the deal that one event may cost."""


@contextmanager
def counted() -> Iterator[list[int]]:
    """How many functions of `core.order` are called meanwhile."""
    calls, before = [0], sys.getprofile()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename == order.__file__:
            calls[0] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def most_for_one_event(events: Sequence[Sensed], table: Table) -> int:
    """The calls that the dearest of the events costs."""
    most = 0
    for event in events:
        with counted() as calls:
            table.step(event)
        most = max(most, calls[0])
    return most


@pytest.mark.parametrize("cards", [8, 12])
def test_cards_in_no_order_at_all(cards: int) -> None:
    """Nearly every card lies amiss and could have come before its neighbour: the search has an end."""
    felt, fresh = Felt(10).wait(500), Felt(10)
    for n in range(cards):
        felt.deal(1 + (n * 7 + n // 3) % 10, wait=50)
    felt.wait(500)
    assert most_for_one_event(felt.events[len(fresh.events) :], fresh.table) <= MOST_CALLS


def test_a_start_in_mid_deal_costs_no_search() -> None:
    """The cards that lay there, and those that come after them, are counted and not put in order."""
    before, felt = Felt(9).deal_round(range(1, 9)), Felt(9, looked=False)
    felt.lying, felt.stub, felt.dealt = dict(before.lying), list(before.stub), list(before.dealt)
    begun = len(felt.events)
    felt.wait(200).deal_round([9, *range(1, 10)]).wait(500)
    fresh = Felt(9, looked=False)
    assert most_for_one_event(felt.events[begun:], fresh.table) <= MOST_CALLS // 10
    assert not fresh.table.view()["hand"]["followed"]
