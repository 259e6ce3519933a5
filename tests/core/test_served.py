"""Which seats have all their cards: the light of `seat_light_complete`, and what else the panel asks of the table."""

from __future__ import annotations

import pytest
from felt import Felt

from tablectl.core.alerts import Alerts
from tablectl.core.served import SHOWN_MS


def test_a_seat_is_served_with_its_last_card_and_not_before() -> None:
    """Hold'em: nobody after the first round, then one seat after the other in the order of the deal."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 6])
    assert felt.table.served() == frozenset()
    felt.deal(1)
    assert felt.table.served() == {1}
    felt.deal_round([2, 3])
    assert felt.table.served() == {1, 2, 3}
    felt.deal_round([4, 5, 6])
    assert felt.table.served() == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize(("game", "rounds"), [("omaha", 4), ("stud7", 3)])
def test_the_game_says_how_many_cards_that_are(game: str, rounds: int) -> None:
    """Four in Omaha; in seven-card stud the three of the opening, as long as no street has begun."""
    felt = Felt(3, game=game).deal_all(rounds - 1)
    assert felt.table.served() == frozenset()
    assert felt.deal_round([1, 2, 3]).table.served() == {1, 2, 3}


def test_the_first_action_ends_it() -> None:
    """The hand goes on: nobody needs to be told any more."""
    felt = Felt().deal_all()
    assert felt.table.served()
    assert felt.acts((3, "call")).table.served() == frozenset()


def test_a_closed_round_ends_it() -> None:
    """Where only rounds are entered."""
    felt = Felt(betting="rounds").deal_all()
    assert felt.table.served()
    assert felt.enter("round_closed").table.served() == frozenset()


def test_a_burn_ends_it() -> None:
    """Where no betting is entered at all."""
    felt = Felt(betting="none").deal_all()
    assert felt.table.served()
    assert felt.deal("burn")
    assert felt.table.served() == frozenset()


def test_time_ends_it() -> None:
    """Nobody acts, nothing is entered: some seconds after the last card it is over."""
    felt = Felt(betting="none").deal_all()
    felt.wait(SHOWN_MS - 1000)
    assert felt.table.served()
    assert felt.wait(2000).table.served() == frozenset()


def test_a_seat_that_is_short_is_not_served() -> None:
    """Seat 3 is passed over in the second round: it stays dark among the others."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 4, 5])
    assert felt.table.served() == {1, 2, 4, 5}


def test_a_misdeal_ends_it() -> None:
    """A third card at seat 5, and the book calls it a misdeal: the cards go back, nobody is served."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2, 4, 5, 5]).wait(1000)
    assert "misdeal" in {verdict for _, verdict in felt.rulings()}
    assert felt.table.served() == frozenset()


def test_a_deal_that_is_given_up_ends_it() -> None:
    """Seat 1 has its cards when the dealer shuffles instead: the hand is over, though its cards still lie there."""
    felt = Felt().deal_round([1, 2, 3, 4, 5, 6, 1])
    assert felt.table.served() == {1}
    assert felt.enter("shuffle_done").table.served() == frozenset()


def test_nothing_is_told_before_a_hand_and_after_it() -> None:
    """No hand, and one that is over."""
    felt = Felt()
    assert felt.table.served() == frozenset()
    felt.deal_all().enter("hand_end")
    assert felt.table.served() == frozenset()


def test_an_open_irregularity_darkens_every_seat_that_is_served() -> None:
    """The deal goes wrong while seats are lit: only the accused seat is lit, and after the correction the others are
    again."""
    alerts, felt = Alerts(), Felt().deal_round([1, 2, 3, 4, 5, 6, 1, 2])
    alerts.serve(felt.table.served())
    assert dict(alerts.signals.seats) == {1: "complete", 2: "complete"}
    before = len(felt.decisions)
    card = felt.deal(5)
    for decision in felt.decisions[before:]:
        alerts.step(decision)
    alerts.serve(felt.table.served())
    assert set(alerts.signals.seats) == {5}
    assert alerts.signals.seats[5] in ("slow", "steady")
    before = len(felt.decisions)
    felt.put(card, 3)
    felt.wait(1000)
    for decision in felt.decisions[before:]:
        alerts.step(decision)
    alerts.serve(felt.table.served())
    assert dict(alerts.signals.seats) == {1: "complete", 2: "complete", 3: "complete"}


def test_what_is_no_news_is_not_shown_again() -> None:
    """Each sweep asks; only a change makes new signals."""
    alerts = Alerts()
    assert alerts.serve(frozenset()) is None
    signals = alerts.serve(frozenset({2}))
    assert signals is not None
    assert dict(signals.seats) == {2: "complete"}
    assert alerts.serve(frozenset({2})) is None
    assert alerts.serve(frozenset()) is not None


def test_night_is_entered_shown_and_taken_back() -> None:
    """`night` changes what the view says, and undo covers it; no hand needs to be on."""
    felt = Felt()
    assert felt.table.view()["night"] is False
    assert felt.enter("night", on=True).table.view()["night"] is True
    assert felt.enter("undo").table.view()["night"] is False


def test_night_changes_no_decision() -> None:
    """The same cards, by day and by night."""
    by_day, by_night = Felt().deal_round([1, 2, 6]), Felt().enter("night", on=True).deal_round([1, 2, 6])
    assert [each.as_json() for each in by_day.wait(1500).decisions] == [
        each.as_json() for each in by_night.wait(1500).decisions
    ]


def test_the_card_that_was_dealt_to_a_seat_last_is_in_the_view() -> None:
    """Its seat and its `k`, board cards and burns passed over; nothing between hands."""
    felt = Felt()
    assert felt.table.view()["hand"]["last"] is None
    felt.deal_round([1, 2, 3])
    assert felt.table.view()["hand"]["last"] == {"seat": 3, "k": 3}
    felt.deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).call_round().flop()
    assert felt.table.view()["hand"]["last"] == {"seat": 6, "k": 12}
