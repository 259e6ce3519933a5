"""Readers that go away and come back: what they did not see accuses nobody, then or later."""

from __future__ import annotations

import pytest
from felt import Felt, uid

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


# --- hands whose beginning was not seen ---------------------------------------------------------------------------


def followed(felt: Felt) -> bool:
    """What the display is told of the hand."""
    return bool(felt.table.view()["hand"]["followed"])


def restarted(felt: Felt) -> Felt:
    """The same cards on the same felt, and another table that has just been started."""
    again = Felt(confirms=["shuffle", "cut"], looked=False)
    again.lying, again.stub, again.dealt = dict(felt.lying), list(felt.stub), list(felt.dealt)
    again.t = 0
    return again


def test_a_start_in_mid_hand_accuses_nobody() -> None:
    """The table is started while everybody has his cards and the flop lies there: it shows the cards, says that it does
    not follow this hand, proposes nobody to act, and is silent about shuffle, order and streets until it ends."""
    felt = restarted(Felt().deal_all().call_round().flop()).wait(3000)
    hand = felt.table.view()["hand"]
    assert (hand["followed"], hand["to_act"], hand["next"], hand["round_open"]) == (False, None, None, None)
    assert [seat["cards"] for seat in felt.table.view()["seats"]] == [2] * 6
    felt.street().street().move(2, "muck").wait(5000).move(3, "muck").wait(5000)
    felt.put(felt.at(4)[0], 5)
    felt.wait(5000).collect()
    assert felt.of("suspicion") == felt.of("irregularity") == []


@pytest.mark.parametrize("cards", [1, 2, 5, 11])
def test_a_start_in_mid_deal_accuses_nobody(cards: int) -> None:
    """However many cards lie there: the rest of the deal is not judged."""
    before = Felt()
    for seat in [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5][:cards]:
        before.deal(seat)
    felt = restarted(before).wait(200).deal_round([*range(1, 7), *range(1, 7)][cards:]).wait(3000)
    assert (followed(felt), felt.of("irregularity")) == (False, [])


def test_what_shows_by_itself_is_told_in_any_hand() -> None:
    """A joker among the cards that lay there, and a foreign card that comes later."""
    before = Felt().deal_all()
    before.put(uid(100), 2)
    felt = restarted(before).wait(2000)
    assert felt.kinds() == ["joker"]
    felt.put(uid(300), 3)
    felt.wait(3000)
    assert (followed(felt), felt.kinds()) == (False, ["joker", "foreign_card"])


def test_the_hand_after_it_is_followed() -> None:
    """Once the cards are gathered the next hand is watched as ever: its deal tells where the button is, a shuffle that
    was not confirmed and a wrong seat are told."""
    felt = restarted(Felt().deal_all()).wait(2000).collect().wait(1000)
    felt.enter("cut_done").deal_round([3, 4, 6]).wait(1500)
    assert (followed(felt), felt.kinds()) == (True, ["not_shuffled", "wrong_seat"])
    assert felt.of("irregularity")[-1]["expected"] == 5


def test_a_start_between_two_hands_loses_nothing() -> None:
    """The first card comes to a table that has looked: the hand is followed, and its first seat is judged."""
    felt = Felt(confirms=["shuffle"], looked=False).wait(50).enter("shuffle_done").deal_round([2]).wait(1500)
    assert followed(felt)
    assert felt.kinds() == ["wrong_first_seat"]


def test_an_outage_that_ends_before_the_first_card_changes_nothing() -> None:
    """The readers are back half a second before the deal: button, first seat and shuffle are judged as ever."""
    felt = Felt(confirms=["shuffle"]).enter("shuffle_done").deal_all()
    whole_hand(felt).wait(500).lose_reader().wait(8000).find_reader().wait(500)
    felt.enter("button", seat=3).deal(5)
    felt.wait(1500)
    assert followed(felt)
    assert felt.kinds() == ["not_shuffled", "button_misplaced", "wrong_first_seat"]


def test_an_outage_over_the_start_of_a_hand() -> None:
    """The last hand's end and the next one's beginning were not seen: the cards that lie there are of a hand that is
    not followed, although some lie where they lay before. The one after it is followed, wherever its button is."""
    felt = Felt(confirms=["shuffle"]).enter("shuffle_done").deal_all()
    felt.call_round().flop().lose_reader().collect()
    felt.stub = [*felt.stub[6:12], *felt.stub[:6], *felt.stub[12:]]
    felt.deal_round([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]).find_reader().wait(300).deal(1)
    felt.wait(3000)
    assert (followed(felt), felt.kinds()) == (False, [])
    assert felt.table.view()["hand"]["number"] == 2
    felt.collect().wait(1000).enter("shuffle_done").enter("button", seat=5).deal_round([6, 1, 2, 4]).wait(
        1500
    )
    assert (followed(felt), felt.kinds()) == (True, ["wrong_seat"])


def test_a_hand_that_went_by_unseen_binds_no_button() -> None:
    """Everything is away over a whole hand: where the button lies in the one after it was not seen, and nobody is told
    that it lies wrong, nor that the first card does."""
    felt = Felt().deal_all()
    whole_hand(felt).wait(500).lose_reader().deal_all().wait(8000).collect().find_reader().wait(500)
    felt.deal_round([3, 4, 5]).wait(2000)
    assert (followed(felt), felt.kinds()) == (True, [])


@pytest.mark.parametrize("seat", [1, 3])
def test_one_antenna_away_changes_its_own_checks_only(seat: int) -> None:
    """It is away over the beginning of a hand, the very first card perhaps: the hand is followed, and a slip at another
    seat is found."""
    felt = Felt(apart=[f"seat:{seat}"]).wait(500).lose_reader(1).deal_round([1, 2, 3, 4])
    felt.find_reader(1).wait(500).deal(6)
    felt.wait(1500)
    assert (followed(felt), felt.kinds()) == (True, ["wrong_seat"])


@pytest.mark.parametrize("apart", [(), ("seat:3",), ("shoe",), ("seat:1", "seat:2", "seat:3")])
@pytest.mark.parametrize("start", [0, 1, 3, 6, 10, 12])
@pytest.mark.parametrize("cards", [2, 8])
def test_an_outage_at_any_time_of_a_clean_deal(apart: tuple[str, ...], start: int, cards: int) -> None:
    """From any card on, for some cards, everything is away but one reader's antennas: two clean hands, no word."""
    felt, dealt = Felt(apart=apart).wait(500), 0
    for seats in ([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 1]):
        for seat in seats * 2:
            if dealt == start:
                felt.lose_reader()
            if dealt == start + cards:
                felt.find_reader().wait(400)
            dealt += 1
            felt.deal(seat)
        felt.wait(3000).enter("hand_end").wait(500).collect()
    assert felt.kinds() == []


# --- half of the table away for a part of the deal ----------------------------------------------------------------

LEFT = tuple(f"seat:{seat}" for seat in range(1, 5))
RIGHT = tuple(f"seat:{seat}" for seat in range(5, 10))


def deal_and_bet(felt: Felt, start: int, cards: int, *, stops: bool = False) -> Felt:
    """A clean deal to nine seats and its first betting round; from the card `start` on reader 1 is away for so many
    cards, in half a second each, or the whole computer stands still (`stops`). Every other seat folds."""
    gone = {0, 1} if stops else {1}
    steps = [*range(1, 10), *range(1, 10), *([None] * 9)]
    for step, seat in enumerate(steps):
        if step == start:
            felt.lost |= gone
            if not stops:
                felt.lose_reader(1)
        if step == start + cards:
            felt.lost -= gone
            if not stops:
                felt.find_reader(1)
            felt.wait(100)
        if seat is not None:
            felt.deal(seat)
            continue
        felt.wait(400)
        due = felt.table.view()["hand"]["to_act"] or [3, 4, 5, 6, 7, 8, 9, 1, 2][step - 18]
        felt.acts((due, "fold" if due % 2 else "call"))
    felt.lost -= gone
    if 1 not in gone or not stops:
        felt.find_reader(1)
    return felt.wait(4000)


@pytest.mark.parametrize("apart", [LEFT, RIGHT, (*LEFT, "shoe"), (*RIGHT, "shoe")])
@pytest.mark.parametrize("start", [0, 1, 3, 5, 8, 10, 13, 17])
@pytest.mark.parametrize("cards", [1, 3, 6, 10, 24])
def test_one_board_away_for_a_part_of_a_clean_deal(apart: tuple[str, ...], start: int, cards: int) -> None:
    """Whichever board it is, from whichever card on, for half a second or for twelve: no word against anybody."""
    felt = deal_and_bet(Felt(9, apart=apart).wait(500), start, cards)
    assert felt.kinds() == []


@pytest.mark.parametrize("start", [1, 4, 8, 9, 12, 16])
@pytest.mark.parametrize("cards", [2, 5, 8])
def test_a_computer_that_stands_still_in_a_clean_deal(start: int, cards: int) -> None:
    """Nobody says that a reader was lost: only the looks themselves are missing."""
    felt = deal_and_bet(Felt(9, apart=RIGHT).wait(500), start, cards, stops=True)
    assert felt.kinds() == []


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("apart", [LEFT, RIGHT, ("shoe",), ("seat:3", "seat:4")])
def test_a_deal_that_was_not_seen_for_long_is_not_followed(apart: tuple[str, ...], *, stops: bool) -> None:
    """Two seats or the shoe unseen for three seconds of the deal: it says so, while it lasts and afterwards, and
    proposes nobody to act. A foreign card shows by itself."""
    felt = Felt(9, apart=apart).wait(500).deal_round([1, 2, 3])
    felt.lost |= {0, 1} if stops else {1}
    felt.deal_round([4, 5, 6, 7, 8, 9])
    assert followed(felt) is stops  # nothing was heard at all as yet
    felt.lost.clear()
    felt.wait(100)
    assert not followed(felt)
    felt.deal_round([*range(1, 9), 2]).wait(2000)
    felt.put(uid(300), 3)
    felt.wait(3000)
    assert (followed(felt), felt.table.view()["hand"]["to_act"]) == (False, None)
    assert felt.kinds() == ["foreign_card"]


@pytest.mark.parametrize("apart", [LEFT, RIGHT[1:], ("shoe",)])
def test_a_board_that_restarts_in_mid_deal_changes_nothing(apart: tuple[str, ...]) -> None:
    """It is back after two seconds: the hand is followed, and a wrong seat later in the deal is found."""
    felt = Felt(9, apart=apart).wait(500).deal_round([1, 2, 3]).lose_reader(1).deal_round([4, 5, 6, 7])
    felt.find_reader(1).wait(300).deal_round([8, 9, 1, 2, 3, 4, 5, 6, 9]).wait(2500)
    assert (followed(felt), felt.kinds()) == (True, ["wrong_seat"])


def test_one_seat_away_in_mid_deal_is_no_loss_of_the_thread() -> None:
    """What it got shows when it is looked at again: the hand is followed, and a wrong seat is found."""
    felt = (
        Felt(9, apart=["seat:3"]).wait(500).deal_round([1, 2]).lose_reader(1).deal_round([3, 4, 5, 6, 7, 8])
    )
    felt.find_reader(1).wait(300).deal_round([9, 1, 2, 3, 4, 5, 8]).wait(2500)
    assert (followed(felt), felt.kinds()) == (True, ["wrong_seat"])


@pytest.mark.parametrize("apart", [LEFT, RIGHT, (*RIGHT, "shoe")])
def test_an_outage_after_the_deal_is_no_loss_of_the_thread(apart: tuple[str, ...]) -> None:
    """All cards were dealt before: the hand goes on, and a card too many on the board is found."""
    felt = Felt(9, apart=apart).wait(500).deal_all().lose_reader(1).wait(8000).find_reader(1).wait(1000)
    felt.call_round().flop(4).wait(3000)
    assert (followed(felt), felt.kinds()) == (True, ["too_many_board_cards"])


def test_a_board_that_is_away_for_good_lets_the_others_be_followed() -> None:
    """It was away before the hand began and does not come back: the seats and the board that are seen are judged."""
    felt = Felt(9, apart=LEFT).wait(500).lose_reader(1).wait(4000).deal_all().wait(1000)
    felt.call_round().flop(4).wait(3000)
    assert (followed(felt), felt.kinds()) == (True, ["too_many_board_cards"])


def test_a_seat_that_folded_unseen_is_not_short() -> None:
    """Its second card came and went with the first while only its antenna was away."""
    felt = Felt(9, apart=["seat:3"]).wait(500).deal_round([*range(1, 10), 1, 2]).lose_reader(1)
    felt.deal_round([*range(3, 10)]).wait(500).acts((3, "fold")).find_reader(1).wait(3000)
    felt.acts((4, "call"), (5, "call")).wait(3000)
    assert (followed(felt), felt.of("suspicion"), felt.kinds()) == (True, [], [])


# --- the end of a hand unseen -------------------------------------------------------------------------------------

PLACES = {
    "shoe and board": ("shoe", "board"), "board": ("board",), "two seats": ("seat:1", "seat:2"),
    "burn and muck": ("burn", "muck"),
}  # fmt: skip


def played(felt: Felt) -> Felt:
    """A hand to the flop, where everybody but one folds."""
    felt.call_round().flop()
    while felt.table.hand is not None and felt.table.hand.over_at is None:
        felt.acts((felt.table.view()["hand"]["to_act"], "fold"))
    return felt.wait(1500)


def shuffled(felt: Felt) -> Felt:
    """Everything is gathered; another card is on top of the stub at once."""
    felt.lying.clear()
    felt.stub, felt.dealt = [*felt.stub[7:], *felt.dealt[::-1], *felt.stub[:7]], []
    return felt.wait(3000)


def played_unwatched(felt: Felt, button: int) -> Felt:
    """A whole hand from that button: its deal, and an end that the dealer enters."""
    felt.enter("button", seat=button)
    felt.deal_round([(button + n) % 6 + 1 for n in range(12)]).wait(1500)
    return shuffled(felt.enter("hand_end").wait(1500))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("cards", [0, 1, 2, 5, 12])
def test_the_end_of_a_hand_unseen(place: str, cards: int) -> None:
    """A reader is away from the last fold until so many cards of the next hand are dealt: these are
    cards of that hand, none was dealt after the end of the one before."""
    felt = played(Felt(apart=PLACES[place]).deal_all()).lose_reader(1).wait(1000)
    shuffled(felt).enter("button", seat=1)
    for number in range(12):
        if number == cards:
            felt.find_reader(1).wait(300)
        felt.deal((1 + number) % 6 + 1)
    felt.find_reader(1).wait(3000)
    assert felt.kinds() == []
    assert felt.table.view()["hand"]["number"] == 2


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("back", ["before its deal", "before the next", "never"])
def test_a_whole_hand_beside_a_reader_that_is_away(place: str, back: str) -> None:
    """The other readers saw it: the button of the one after it is where it moved on to, and nobody is accused."""
    felt = shuffled(played(Felt(apart=PLACES[place]).deal_all()).lose_reader(1).wait(1000))
    if back == "before its deal":
        felt.find_reader(1).wait(300)
    played_unwatched(felt, 1)
    if back == "before the next":
        felt.find_reader(1).wait(300)
    felt.enter("button", seat=2).deal_round([3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2]).wait(3000)
    assert felt.kinds() == []


@pytest.mark.parametrize(
    ("place", "told"), [(place, [] if place == "two seats" else ["button_misplaced"]) for place in PLACES]
)
def test_a_button_that_lies_wrong_is_told_although_a_reader_is_away(place: str, told: list[str]) -> None:
    """Near-miss of the above: from the button of the hand between the next one's is two seats too far. Only where two
    seats of that hand's deal were not seen does it bind nothing."""
    felt = shuffled(played(Felt(apart=PLACES[place]).deal_all()).lose_reader(1).wait(1000))
    played_unwatched(felt, 1).find_reader(1).wait(300)
    felt.enter("button", seat=4).deal_round([5, 6]).wait(2000)
    assert felt.kinds() == told


@pytest.mark.parametrize("place", ["", *PLACES])
def test_a_card_dealt_after_the_end_is_told(place: str) -> None:
    """Near-miss: a board card comes once all have folded; a second without frames after the end changes nothing."""
    felt = played(Felt(apart=PLACES.get(place, ())).deal_all())
    if place:
        felt.lost.add(1)
        felt.wait(1000).lost.clear()
        felt.wait(500)
    felt.street()
    felt.wait(1500)
    assert felt.kinds() == ["dealt_after_end"]


@pytest.mark.parametrize("place", PLACES)
def test_a_seat_dealt_after_the_end_is_told(place: str) -> None:
    """Near-miss: the flop still lies there when a seat gets a card; a second without frames hides nothing."""
    felt = played(Felt(apart=PLACES[place]).deal_all())
    felt.lost.add(1)
    felt.wait(1000).lost.clear()
    felt.wait(500).deal(5)
    felt.wait(1500)
    assert felt.kinds() == ["dealt_after_end"]
