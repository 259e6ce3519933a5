"""The plain checker: places as a filter says them, inputs as the dealer makes them, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tablectl.bench.checker import Checker
from tablectl.bench.filters import Rest
from tablectl.core.games import GAMES
from tablectl.core.sensed import Entry

SEATS = (1, 2, 3, 4)


class Dealt:
    """A table of four, button at seat 4; cards are placed one every 300 ms."""

    def __init__(self) -> None:
        self.checker = Checker(GAMES["holdem"], "actions", 4, 300, 150)
        self.t, self.cards = 0, 0
        self.enter("seats", eligible=SEATS)
        self.enter("button", seat=4)

    def enter(self, do: str, **args: Any) -> None:
        self.checker.enter(Entry(self.t, do, args))

    def place(self, *zones: str, every: int = 300) -> None:
        """A new card in each of these zones, one after the other."""
        for zone in zones:
            self.cards += 1
            self.put(f"card {self.cards}", zone)
            self.wait(every)

    def put(self, card: str, zone: str) -> None:
        self.checker.rest(Rest(card, zone, self.t, self.t))

    def wait(self, ms: int) -> None:
        for _ in range(0, ms, 50):
            self.t += 50
            self.checker.pass_time(self.t)

    def deal(self, seats: Sequence[int]) -> None:
        self.place(*(f"seat:{seat}" for seat in seats))

    def round(self, *actions: str) -> None:
        """Actions of the seats in the order in which they are due before the flop."""
        for seat, action in zip((3, 4, 1, 2), actions, strict=False):
            self.enter("action", seat=seat, action=action)

    def told(self) -> list[tuple[str, int | str | None, int | None]]:
        self.wait(2000)
        return [(claim.kind, claim.seat or claim.street, claim.expected) for claim in self.checker.claims]


ALL_CALL = ("call", "call", "call", "check")
ALL_CHECK = ("check",) * 4


@pytest.fixture
def dealt() -> Dealt:
    """The table before the first card."""
    return Dealt()


def test_a_clean_hand_is_silent(dealt: Dealt) -> None:
    """Deal, betting, three streets with their burns, showdown, and another hand."""
    for _ in range(2):
        dealt.deal([*SEATS, *SEATS])
        dealt.round(*ALL_CALL)
        dealt.place("burn", "board", "board", "board")
        dealt.round(*ALL_CHECK)
        dealt.place("burn", "board")
        dealt.round(*ALL_CHECK)
        dealt.place("burn", "board")
        dealt.enter("showdown")
        dealt.place("seat:1", "board")
        dealt.enter("button", seat=4)
    assert dealt.told() == []


@pytest.mark.parametrize(
    ("deal", "told"),
    [
        ([1, 2, 4, 3, 4, 1, 2, 3], [("wrong_seat", 4, 3)]),
        ([1, 2, 4, 1, 2, 3, 4], [("wrong_seat", 4, 3)]),
        ([2, 3, 4, 1, 2, 3, 4, 1], [("wrong_first_seat", 2, 1)]),
        ([1, 2, 3, 4, 1, 1, 2, 3, 4], [("too_many_cards", 1, None)]),
        ([*SEATS, *SEATS, 1], [("too_many_cards", 1, None)]),
        ([1, 2, 3, 5, 4, *SEATS], [("ineligible_seat", 5, None)]),
    ],
    ids=["wrong", "skipped", "first", "extra", "after", "ineligible"],
)
def test_a_slip_of_the_deal_is_told_once(
    dealt: Dealt, deal: list[int], told: list[tuple[str, int, int | None]]
) -> None:
    """Each plain slip is told, and the deal goes on in either order afterwards without another alarm."""
    dealt.deal(deal)
    assert dealt.told() == told


def test_cards_that_are_read_out_of_turn_at_once_are_no_slip(dealt: Dealt) -> None:
    """The card that was due came to rest at the same time and is only read later: nothing is told."""
    dealt.put("b", "seat:2")
    dealt.t += 100
    dealt.put("a", "seat:1")
    assert dealt.told() == []


def test_a_due_card_that_is_read_too_late_fools_it(dealt: Dealt) -> None:
    """Order is all it has: a card that the antenna misses for longer makes the next one look wrong."""
    dealt.put("b", "seat:2")
    dealt.wait(400)
    dealt.put("a", "seat:1")
    assert [kind for kind, *_ in dealt.told()] == ["wrong_first_seat"]


def test_a_card_that_is_put_right_is_cleared(dealt: Dealt) -> None:
    """The alarm is taken back as corrected, and the deal goes on from there."""
    dealt.deal([1])
    dealt.put("x", "seat:3")
    dealt.wait(400)
    dealt.put("x", "seat:2")
    dealt.deal([3, 4, *SEATS])
    assert dealt.told() == [("wrong_seat", 3, 2), ("", None, None)]
    assert dealt.checker.claims[1].why == "corrected"


@pytest.mark.parametrize(
    ("zones", "told"),
    [
        (["burn", *["board"] * 4], ("too_many_board_cards", "flop", None)),
        (["board"] * 3, ("burn_missing", "flop", None)),
        (["burn", "burn", *["board"] * 3], ("burn_extra", "flop", None)),
    ],
)
def test_slips_of_the_flop(dealt: Dealt, zones: list[str], told: tuple[str, str, None]) -> None:
    """A card too many, no burn, two burns."""
    dealt.deal([*SEATS, *SEATS])
    dealt.round(*ALL_CALL)
    dealt.place(*zones)
    assert dealt.told() == [told]


def test_a_card_before_its_round_is_closed(dealt: Dealt) -> None:
    """The flop before the last call, the turn right after a flop that nobody has bet on yet."""
    dealt.deal([*SEATS, *SEATS])
    dealt.round(*ALL_CALL[:3])
    dealt.place("burn", "board", "board", "board")
    dealt.enter("action", seat=2, action="check")
    dealt.wait(3000)
    dealt.place("burn", "board")
    assert dealt.told() == [("premature_card", "flop", None), ("premature_card", "turn", None)]


def test_a_card_after_the_hand_was_decided(dealt: Dealt) -> None:
    """All but one folded: no board card is due any more."""
    dealt.deal([*SEATS, *SEATS])
    dealt.round("fold", "fold", "fold")
    dealt.place("board")
    assert dealt.told()[0] == ("dealt_after_end", "flop", None)


def test_only_the_first_place_counts(dealt: Dealt) -> None:
    """A folded hand that is pushed over another seat or over the board to the muck is no new card there."""
    dealt.deal([*SEATS, *SEATS])
    for zone in ("seat:2", "board", "muck"):
        dealt.put("card 1", zone)
    assert dealt.told() == []
