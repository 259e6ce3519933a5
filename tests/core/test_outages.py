"""Readers that go away and come back: what they did not see accuses nobody, then or later."""

from __future__ import annotations

import pytest
from felt import Felt

from tablectl.core.sensed import AntennaHealth


def whole_hand(felt: Felt) -> Felt:
    """From the flop to the collected hand, all correct."""
    felt.call_round().flop().call_round().street().call_round().street().call_round()
    return felt.enter("showdown").wait(1000).collect()


@pytest.mark.parametrize("zone", ["seat:3", "board", "burn", "muck", "shoe"])
def test_an_antenna_away_for_good_accuses_nobody(zone: str) -> None:
    """Cards go where it cannot see for longer than any check waits; the rest of the table is watched on."""
    felt = Felt(apart=[zone]).wait(500).lose_reader(1).deal_all().wait(10_000)
    whole_hand(felt)
    assert felt.kinds() == []
    assert {d["zone"] for d in felt.of("degraded")} == {zone}


def test_a_slip_elsewhere_is_found_meanwhile() -> None:
    """Seat 3 is not seen; the card for seat 2 goes to seat 5."""
    felt = Felt(apart=["seat:3"]).wait(500).lose_reader(1).deal_round([1, 5]).wait(1500)
    assert felt.kinds() == ["wrong_seat"]


def test_a_seat_seen_again_in_mid_deal() -> None:
    """Its first card came unseen and lies there when the reader is back."""
    felt = Felt(apart=["seat:3"]).wait(500).lose_reader(1).deal_round([1, 2, 3, 4])
    felt.find_reader(1).wait(500).deal_round([5, 6, 1, 2, 3, 4, 5, 6]).wait(2000)
    assert felt.kinds() == []
    assert felt.table.view()["seats"][2]["cards"] == 2


@pytest.mark.parametrize("zone", ["board", "burn"])
def test_a_flop_dealt_unseen(zone: str) -> None:
    """The board or the burn is away over the flop and back before the turn: the turn is a turn."""
    felt = Felt(apart=[zone]).deal_all().call_round().lose_reader(1).flop()
    felt.find_reader(1).wait(3000).call_round().street().call_round().street().call_round()
    felt.enter("showdown").wait(1000).collect()
    assert felt.kinds() == []


def test_everything_away_over_the_end_of_a_hand() -> None:
    """The only reader comes back when half of the next hand is dealt."""
    felt = Felt().deal_all().call_round().flop().wait(500).lose_reader()
    felt.enter("hand_end").collect().enter("button", seat=1)
    felt.deal_round([2, 3, 4])
    felt.find_reader().wait(500).deal_round([5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(2500)
    assert felt.kinds() == []


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_the_whole_deal_unseen(seats: int) -> None:
    """Everything is away from before the first card to after the last one: every card lies there when it is back. The
    table counts them and takes whatever comes after, to the end of the hand and through the next one."""
    felt = Felt(seats).wait(500).lose_reader().deal_all()
    felt.find_reader().wait(4000)
    assert [seat["cards"] for seat in felt.table.view()["seats"]] == [2] * seats
    whole_hand(felt).wait(500).deal_all()
    whole_hand(felt)
    assert felt.kinds() == []


def test_a_reader_is_restored_once() -> None:
    """A sweep may arrive before the word that the reader is back: one restoration a zone."""
    felt = Felt().wait(500).lose_reader()
    felt.lost.clear()
    felt.wait(100).find_reader().wait(500)
    assert len(felt.of("degraded")) == len(felt.of("restored")) == len(felt.antennas)


def test_nothing_happens_for_ten_minutes() -> None:
    """A player holds a card in the air and everybody thinks: the table waits with them, and goes on afterwards."""
    felt = Felt(6).deal_all()
    card = felt.at(3)[0]
    felt.put(card, None)
    felt.wait(600_000)
    felt.put(card, 3)
    felt.acts((1, "call")).wait(500)
    assert felt.table.view()["seats"][2]["cards"] == 2


def health(felt: Felt, zone: str, state: str) -> None:
    """The reader's verdict on the antenna of a zone."""
    reader, antenna = next(antenna for antenna, each in felt.antennas.items() if each == zone)
    felt._take(AntennaHealth(felt.t, reader, antenna, state))  # type: ignore[arg-type]


def test_a_weak_antenna_is_told_and_watches_on() -> None:
    """It stands in the view with its words, no check is off, and a card for the wrong seat beside it is found; once it
    is well it is told no more."""
    felt = Felt().wait(500)
    health(felt, "seat:3", "weak")
    (weak,) = felt.table.view()["weak"]
    assert weak["zone"] == "seat:3"
    assert weak["why"] == weak["say"][0].format(**weak["say"][1]) == "antenna 6 of reader 0 is weak"
    assert felt.table.view()["degraded"] == []
    felt.deal_round([1, 2, 5]).wait(1500)
    assert felt.kinds() == ["wrong_seat"]
    health(felt, "seat:3", "ok")
    assert felt.table.view()["weak"] == []


def test_what_was_open_and_is_weak_now_watches_again() -> None:
    """An antenna that reads again, however weakly, ends its outage; that of a lost reader is lost, not weak."""
    felt = Felt(apart=["seat:3"]).wait(500)
    health(felt, "seat:3", "open")
    assert [each["zone"] for each in felt.table.view()["degraded"]] == ["seat:3"]
    health(felt, "seat:3", "weak")
    felt.wait(500)
    assert felt.table.view()["degraded"] == []
    assert [each["zone"] for each in felt.table.view()["weak"]] == ["seat:3"]
    felt.lose_reader(1)
    assert [each["why"] for each in felt.table.view()["degraded"]] == ["reader 1 is lost"]
    assert felt.table.view()["weak"] == []


def test_a_weak_antenna_that_nobody_configured_is_not_told() -> None:
    """A board may have more antennas than the table uses."""
    felt = Felt().wait(500)
    felt._take(AntennaHealth(felt.t, 0, 99, "weak"))
    assert felt.table.view()["weak"] == []
