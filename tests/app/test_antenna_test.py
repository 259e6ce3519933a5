"""The test of the antennas: what one card tells of each, and when it goes on by itself."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tablectl.app.technician.antenna_test import NEED_LOOKS, AntennaTest
from tablectl.app.technician.figures import Figures
from tablectl.core.sensed import Seen, Sweep
from tablectl.layout import Antenna, Layout

SHOE, SEAT_1, SEAT_2, MUCK = range(4)
LAYOUT = Layout(2, {(0, SHOE): "shoe", (0, SEAT_1): "seat:1", (0, SEAT_2): "seat:2", (0, MUCK): "muck"})
CARD, OTHER = "E004015000000001", "E004015000000002"
Lying = Mapping[tuple[int, str], int]
"""(antenna, card) → in how many looks of ten it is read."""


class Hand:
    """A technician's hand: cards lie for some time, the antennas are looked at every 50 ms, the test twice a second."""

    def __init__(self) -> None:
        self.figures = Figures(LAYOUT)
        self.test = AntennaTest(LAYOUT, self.figures)
        self.t = 0

    def lays(self, lying: Lying, ms: int = 3000, *, polled: tuple[int, ...] = (0, 1, 2, 3)) -> Hand:
        for n in range(ms // 50):
            self.t += 50
            seen = (
                Seen(antenna, uid, -40) for (antenna, uid), of_ten in lying.items() if n * 7 % 10 < of_ten
            )
            self.figures.took(Sweep(self.t, 0, polled, tuple(seen)))
            if self.t % 500 == 0:
                self.test.look(self.t)
        return self

    def points(self, antenna: int) -> Hand:
        self.test.point((0, antenna), self.t)
        return self

    @property
    def at(self) -> Antenna | None:
        return self.test.at


def test_a_good_antenna_hands_on_to_the_next_one() -> None:
    """A card is laid from place to place: each is good, in the order of the table, and after the last none is left."""
    hand = Hand().points(SHOE)
    for antenna in (SHOE, SEAT_1, SEAT_2, MUCK):
        assert hand.at == (0, antenna)
        hand.lays({}, 1000).lays({(antenna, CARD): 9})
    assert hand.at is None
    assert {each.state for each in hand.test.results.values()} == {"good"}
    assert list(hand.test.results) == hand.test.order


def test_nothing_is_told_too_early() -> None:
    """Before the card has been looked at often enough there is no verdict, however well it is read."""
    hand = Hand().points(SEAT_1).lays({(SEAT_1, CARD): 10}, 1000)
    assert hand.test.told.state == "reading"
    assert 0 < hand.test.told.looks < NEED_LOOKS
    assert hand.test.results == {}
    hand.lays({(SEAT_1, CARD): 10}, 1500)
    assert hand.test.results[0, SEAT_1].state == "good"


@pytest.mark.parametrize(
    ("lying", "state"),
    [
        ({(SEAT_1, CARD): 3}, "weak"),
        ({(SEAT_1, CARD): 9, (SEAT_2, CARD): 6}, "beside"),
        ({(SEAT_1, CARD): 9, (SEAT_1, OTHER): 9}, "several"),
        ({(SEAT_2, CARD): 9}, "elsewhere"),
        ({}, "empty"),
    ],
)
def test_what_is_not_good_is_named_and_waits(lying: Lying, state: str) -> None:
    """The test stays at the antenna, and says what is wrong and where."""
    hand = Hand().points(SEAT_1).lays({}, 1000).lays(lying, 4000)
    assert (hand.at, hand.test.told.state) == ((0, SEAT_1), state)
    if state in {"beside", "elsewhere"}:
        assert hand.test.told.zone == "seat:2"


def test_a_little_coupling_is_no_fault() -> None:
    """A neighbour that reads the card in every third look is told beside the verdict, which is good."""
    hand = Hand().points(SEAT_1).lays({(SEAT_1, CARD): 9, (SEAT_2, CARD): 3}, 4000)
    told = hand.test.results[0, SEAT_1]
    assert (told.state, told.zone) == ("good", "seat:2")
    assert told.rate == pytest.approx(0.3, abs=0.05)


def test_an_antenna_that_is_not_looked_at_is_blind_not_empty() -> None:
    """No look tells nothing: the technician is sent to the reader, not to the coil."""
    hand = Hand().points(SEAT_1).lays({}, 2000, polled=(0, 2, 3))
    assert hand.test.told.state == "blind"


def test_a_card_left_behind_is_not_taken_for_the_next_one() -> None:
    """It still lies at seat 1, and seat 2's antenna reads it too: seat 2 waits, and is not called swapped."""
    hand = Hand().points(SEAT_1).lays({(SEAT_1, CARD): 9, (SEAT_2, CARD): 2}, 6000)
    assert (hand.at, hand.test.told.state) == ((0, SEAT_2), "empty")
    hand.lays({(SEAT_2, CARD): 9}, 3000)
    assert hand.test.results[0, SEAT_2].state == "good"


def test_a_deck_that_lies_in_the_muck_is_no_stray() -> None:
    """Cards that lay somewhere before the test and stay there are nobody's mistake."""
    deck = {(MUCK, f"E00401500000010{n}"): 6 for n in range(9)}
    hand = Hand().lays(deck, 2000).points(SEAT_1).lays(deck, 2000)
    assert hand.test.told.state == "empty"
    hand.lays({**deck, (SEAT_1, CARD): 9}, 3000)
    assert hand.test.results[0, SEAT_1].state == "good"


def test_a_card_that_is_laid_right_gets_its_due() -> None:
    """Badly placed at first it is weak; moved, it is good five seconds later at the latest."""
    hand = Hand().points(SEAT_1).lays({(SEAT_1, CARD): 3}, 6000)
    assert hand.test.results[0, SEAT_1].state == "weak"
    hand.lays({(SEAT_1, CARD): 10}, 5000)
    assert hand.test.results[0, SEAT_1].state == "good"


def test_what_a_card_told_stays_when_it_is_taken_away() -> None:
    """The verdict is kept, while the antenna itself is empty again."""
    hand = Hand().points(SEAT_1).lays({(SEAT_1, CARD): 3}, 4000).lays({}, 2000)
    assert hand.test.told.state == "empty"
    assert hand.test.results[0, SEAT_1].state == "weak"
