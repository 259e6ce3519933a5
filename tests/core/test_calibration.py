"""What a calibration changes: how much an unseen card proves, and whether a weak read is a card at rest."""

from __future__ import annotations

from typing import Any

import pytest
from felt import Felt

from tablectl.core.settings import Calibration

NO_SHOE = ("board", "burn", "muck")
READ_IN = {3, 6, 7}
"""In which looks of ten a poor antenna reads a card: three."""
POOR = Calibration(read=0.3)
STRONG = {f"seat:{seat}": Calibration(strength=-40) for seat in range(1, 7)}
"""The strength at which the felt's cards are read where they lie."""
WEAK_DBM = -52


class WornFelt(Felt):
    """A felt on which some antennas read poorly, some cards are found late, and some are read beside their place."""

    def __init__(self, *, poor: str = "", late: int = 0, **felt: Any) -> None:
        self.poor = poor
        """The zone whose antenna reads a card in three looks of ten …"""
        self.late = late
        """… and not at all in so many looks after it came."""
        self.astray: dict[str, tuple[str, int]] = {}
        """Card → the neighbouring zone whose antenna reads it, too, and how many looks its own one misses it."""
        self._looks: dict[str, int] = {}
        super().__init__(**felt)

    def read_in(self, zone: str) -> list[tuple[str, int]]:
        """As on the felt, but for what those antennas miss, and what they read of their neighbours' cards."""
        found = [(card, dbm) for card, dbm in super().read_in(zone) if self._reads(zone, card)]
        strays = [card for card, (beside, _) in self.astray.items() if beside == zone and card in self.lying]
        return found + [(card, WEAK_DBM) for card in strays]

    def _reads(self, zone: str, card: str) -> bool:
        look = self._looks[card] = self._looks.get(card, 0) + 1
        if card in self.astray:
            return look > self.astray[card][1]
        return zone != self.poor or (look > self.late and look % 10 in READ_IN)


def late_at_seat_3(**felt: Any) -> WornFelt:
    """A clean deal at a table without shoe antenna; the poor antenna of seat 3 misses its cards for a second."""
    worn = WornFelt(poor="seat:3", late=20, zones=NO_SHOE, **felt)
    worn.deal_all().wait(2000)
    return worn


def test_an_unread_card_is_no_skipped_seat_where_the_antenna_is_known_to_read_poorly() -> None:
    """Uncalibrated, seat 3 is accused of being passed over; calibrated, not even a suspicion rises."""
    assert "seat_skipped" in late_at_seat_3().kinds()
    calm = late_at_seat_3(calibration={"seat:3": POOR})
    assert calm.kinds() == []


def test_the_calibration_of_another_seat_excuses_nothing() -> None:
    """What is known of seat 4's antenna says nothing about seat 3's: it is accused as before."""
    assert "seat_skipped" in late_at_seat_3(calibration={"seat:4": POOR}).kinds()


def test_a_burn_that_is_read_late_is_not_confirmed_missing() -> None:
    """The poor burn antenna finds the burn after two seconds: by its calibration that proves nothing until then."""
    confirmed = []
    for calibration in ({}, {"burn": POOR}):
        felt = WornFelt(poor="burn", late=40, zones=NO_SHOE, calibration=calibration)
        felt.deal_all().call_round().flop().wait(3000)
        assert [d["why"] for d in felt.of("cleared")] == ["withdrawn"]
        confirmed.append(felt.kinds())
    assert confirmed == [["burn_missing"], []]


def test_the_better_the_antenna_the_sooner_an_absence_is_proof() -> None:
    """No burn at all: a good antenna proves it first, then one of usual quality, then a poor one."""
    proved = []
    for figures in (Calibration(read=0.95, spread=20.0), Calibration(), Calibration(read=0.3, spread=8.0)):
        felt = Felt(calibration={"burn": figures}).deal_all().call_round()
        felt.flop(burn=False).wait(10_000)
        assert felt.kinds() == ["burn_missing"]
        proved.append(felt.of("irregularity")[0]["t"])
    assert proved[0] < proved[1] < proved[2]


def found_beside_seat_1(felt: WornFelt) -> WornFelt:
    """Seat 1's card is missed by its own antenna for half a second; that of seat 2 reads it, 12 dB weaker."""
    felt.astray[felt.stub[0]] = ("seat:2", 10)
    felt.deal_all().wait(2000)
    return felt


def test_a_known_strength_tells_a_neighbours_read_from_a_card_at_rest_from_the_first_card_on() -> None:
    """Uncalibrated, the first card of the night seems to lie at seat 2; with the usual strength known, it does not."""
    assert found_beside_seat_1(WornFelt()).kinds() == ["wrong_first_seat"]
    calm = found_beside_seat_1(WornFelt(calibration=STRONG))
    assert calm.kinds() == []


def test_a_card_that_is_as_strong_as_usual_is_at_the_wrong_seat() -> None:
    """The near-miss of the weak read: at full strength, the card at seat 2 is told as soon as without calibration."""
    told = []
    for calibration in ({}, STRONG):
        felt = Felt(calibration=calibration)
        felt.deal(2)
        felt.wait(2000)
        [found] = felt.of("irregularity")
        assert (found["kind"], found["seat"], found["expected"]) == ("wrong_first_seat", 2, 1)
        told.append(found["t"])
    assert told[1] <= told[0]


def test_a_calibration_that_does_not_fit_is_unlearned() -> None:
    """Measured 12 dB too low, the strength makes a weak read look like a card at rest; after three hands no more."""
    low = {zone: Calibration(strength=WEAK_DBM) for zone in STRONG}
    assert found_beside_seat_1(WornFelt(calibration=low)).kinds() == ["wrong_first_seat"]
    felt = WornFelt(calibration=low)
    for _ in range(3):
        felt.enter(
            "button", seat=6, drawn=True
        ).deal_all().call_round().flop().call_round().street().call_round()
        felt.street().call_round().enter("showdown").wait(1000).collect()
    felt.enter("button", seat=6, drawn=True)
    found_beside_seat_1(felt)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])


@pytest.mark.parametrize(
    "figures",
    [
        Calibration(read=1e-300, spread=1e-300, strength=-128),
        Calibration(read=1 - 1e-16, spread=1000.0, strength=127),
        Calibration(read=0.5, spread=1000.0),
    ],
)
def test_figures_at_the_edge_neither_break_the_table_nor_accuse(figures: Calibration) -> None:
    """Whatever is believed of the antennas, a clean hand raises nothing."""
    felt = Felt(calibration=dict.fromkeys(("shoe", "board", "burn", "muck", *STRONG), figures))
    felt.deal_all().call_round().flop().call_round().street().call_round().street().call_round()
    felt.enter("showdown").wait(1000).collect()
    assert felt.kinds() == []
