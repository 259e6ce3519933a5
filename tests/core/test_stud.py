"""Stud: the opening from the dealer's left, then a burn and a card to each seat that is in, street by street."""

from __future__ import annotations

import pytest
from felt import uid
from stud_felt import SIX, StudFelt

SEVEN = ("fourth", "fifth", "sixth", "seventh")


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.parametrize("betting", ["actions", "rounds", "none"])
def test_a_clean_hand_of_seven_card_stud_is_silent(betting: str, *, halves: bool) -> None:
    """To the showdown, every street begun at another seat, seat 4 folded: no suspicion, each card told in order."""
    felt = StudFelt(halves=halves, betting=betting).opening()
    if betting == "actions":
        felt.acts((4, "fold")).all_check([5, 6, 1, 2, 3])
    else:
        for zone in ("", "/down", "/up"):
            felt.move(f"seat:4{zone}", "muck")
    left = [1, 2, 3, 5, 6]
    for start, name in enumerate(SEVEN):
        felt.wait(2500)
        if betting == "rounds":
            felt.enter("round_closed")
        felt.street_to(name, left[start:] + left[:start])
        if betting == "actions":
            felt.all_check(left)
    felt.wait(1500).enter("showdown").collect()
    assert felt.of("suspicion") == []
    assert felt.kinds() == []
    end = felt.of("hand")[-1]
    assert (end["event"], len(end["sequence"])) == ("end", 18 + 4 + 20)
    assert end["counts"]["burn"] == 4
    assert sum(count for zone, count in end["counts"].items() if zone.startswith("seat:6")) == 7


def test_a_clean_hand_of_five_card_stud_is_silent() -> None:
    """One down, one up, and three streets of up cards."""
    felt = StudFelt("stud5", halves=True).opening().all_check()
    for name in ("third", "fourth", "fifth"):
        felt.street_to(name, [3, 4, 5, 6, 1, 2]).all_check()
    felt.wait(1500).enter("showdown").collect()
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])
    assert felt.of("hand")[-1]["counts"]["seat:1/up"] == 4


def test_stud_starts_at_the_dealers_left_whatever_the_button() -> None:
    """Seat 1 first; seat 2 first is wrong; with seat 1 empty, seat 2 first is right."""
    felt = StudFelt().enter("button", seat=3)
    felt.deal(2)
    felt.wait(1000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"]) == ("wrong_first_seat", 2, 1)
    empty = StudFelt().enter("seats", eligible=[2, 3, 4, 5, 6]).enter("button", seat=3)
    empty.deal_round([2, 3, 4, 5, 6]).wait(1000)
    assert empty.kinds() == []


def test_heads_up_stud_starts_at_the_dealers_left() -> None:
    """Two players: three cards each, from the first seat on."""
    felt = StudFelt().enter("seats", eligible=[2, 5])
    felt.deal_round([2, 5, 2, 5, 2, 5]).all_check([2, 5]).street_to("fourth", [5, 2]).wait(1500)
    assert felt.kinds() == []
    assert felt.of("suspicion") == []


@pytest.mark.parametrize(("seats", "kind", "seat", "expected"), [
    ([1, 2, 3, 4, 6, 5], "wrong_seat", 6, 5),
    ([2, 3, 3, 4, 5, 6, 1], "too_many_cards", 3, 4),
    ([1, 2, 4, 5, 6], "seat_skipped", 4, 3),
])  # fmt: skip
def test_a_slip_on_fourth_street(seats: list[int], kind: str, seat: int, expected: int) -> None:
    """Out of order, twice to one seat, past a seat: each is one irregularity of that street."""
    felt = StudFelt().opening().all_check().street_to("fourth", seats).wait(2500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"]) == (kind, seat, expected)
    assert found["street"] == "fourth"


def test_a_street_may_start_at_any_seat() -> None:
    """Nobody but the players sees which hand is high: every start is accepted."""
    for start in range(6):
        felt = StudFelt().opening().all_check().street_to("fourth", SIX[start:] + SIX[:start]).wait(2000)
        assert (felt.of("suspicion"), felt.kinds()) == ([], [])


def test_a_card_for_a_seat_that_folded() -> None:
    """Seat 3 folded on third street and gets a card on fourth; seat 4, the next one, gets its own."""
    felt = StudFelt().opening().acts((3, "fold")).all_check([4, 5, 6, 1, 2])
    felt.street_to("fourth", [1, 2, 3, 4, 5, 6]).wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["expected"]) == ("ineligible_seat", 3, 4)


@pytest.mark.parametrize("order", [[1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 1, 2], [4, 5, 6, 1, 2, 3]])
@pytest.mark.parametrize("betting", ["rounds", "none"])
def test_a_card_for_a_seat_whose_hand_lies_in_the_muck(betting: str, order: list[int]) -> None:
    """No fold is entered; the muck shows that seat 3 is out, be its card the first of the street or the last."""
    felt = StudFelt(betting=betting).opening().move("seat:3", "muck").wait(3000)
    if betting == "rounds":
        felt.enter("round_closed")
    felt.street_to("fourth", order).wait(3000)
    assert [(found["kind"], found["seat"]) for found in felt.of("irregularity")] == [("ineligible_seat", 3)]


@pytest.mark.parametrize("betting", ["rounds", "none"])
def test_a_player_who_holds_his_cards_gets_one(betting: str) -> None:
    """The near miss: seat 3's cards are read nowhere, least of all in the muck."""
    felt = StudFelt(betting=betting).opening().move("seat:3", None).wait(3000)
    if betting == "rounds":
        felt.enter("round_closed")
    felt.street_to("fourth", SIX).wait(3000)
    assert felt.kinds() == []


def test_a_seat_without_its_card_when_the_dealer_goes_on() -> None:
    """The last seat of fourth street gets none: silent until somebody acts, then too few, of what it should have."""
    felt = StudFelt().opening().all_check().street_to("fourth", [1, 2, 3, 4, 5]).wait(3000)
    assert felt.kinds() == []
    felt.acts((1, "check")).wait(2000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == ("too_few_cards", 6, 3, 4)
    assert found["street"] == "fourth"


def test_a_street_before_its_betting_is_closed_is_premature() -> None:
    """The burn and the first card of fourth street come while two seats are still to act; one slip, however many."""
    felt = StudFelt().opening().acts((1, "bet"), (2, "call"), (3, "call"), (4, "call"))
    felt.street_to("fourth", SIX).wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["seat"]) == ("premature_card", "fourth", 1)


def test_a_bring_in_need_not_act() -> None:
    """All others called the forced bet: the round may be over, and the street that follows is not premature."""
    felt = StudFelt().opening().acts((2, "call"), (3, "call"), (4, "fold"), (5, "call"), (6, "call"))
    felt.street_to("fourth", [3, 5, 6, 1, 2]).all_check([3, 5, 6, 1, 2]).street_to("fifth", [3, 5, 6, 1, 2])
    felt.wait(1500)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])


def test_after_a_raise_the_last_seat_must_act() -> None:
    """Seat 1 has not answered the raise when fourth street comes."""
    felt = StudFelt().opening().acts((2, "raise"), (3, "call"), (4, "fold"), (5, "call"), (6, "call"))
    felt.street_to("fourth", [3, 5, 6, 1, 2]).wait(1500)
    assert felt.kinds() == ["premature_card"]


def test_no_burn_before_a_street() -> None:
    """Fourth street without its burn; the near miss has one."""
    felt = StudFelt().opening().all_check().street_to("fourth", SIX, burn=False).wait(2500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["need"]) == ("burn_missing", "fourth", 1)


def test_two_burns_before_a_street() -> None:
    """The second burn is one too many."""
    felt = StudFelt().opening().all_check()
    felt.deal("burn")
    felt.street_to("fourth", SIX).wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["street"], found["count"]) == ("burn_extra", "fourth", 2)


def test_one_card_too_many_in_the_opening() -> None:
    """The deal is complete and seat 1 gets a fourth card before anybody has acted: its hand has one too many."""
    felt = StudFelt().opening()
    felt.deal(1)
    felt.wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == ("too_many_cards", 1, 4, 3)


@pytest.mark.parametrize(("seats", "kind"), [
    ([1, 2, 3, 4, 5, 6, 1, 2, 5], "wrong_seat"),
    ([1, 2, 3, 4, 5, 6, 1, 2, 4, 5, 6, 1, 2, 3, 4, 5, 6], "seat_skipped"),
])  # fmt: skip
def test_a_slip_in_the_opening(seats: list[int], kind: str) -> None:
    """As in every other game."""
    felt = StudFelt().deal_round(seats).wait(2500)
    assert felt.kinds() == [kind]


def test_nobody_is_accused_of_an_early_street_where_no_betting_is_entered() -> None:
    """Streets follow one another; a missing burn is still told."""
    felt = StudFelt(betting="none").opening().wait(3000).street_to("fourth", SIX).wait(3000)
    felt.street_to("fifth", SIX, burn=False).wait(2500)
    assert [(d["kind"], d["street"]) for d in felt.of("irregularity")] == [("burn_missing", "fifth")]


def test_all_in_players_get_their_cards() -> None:
    """Everybody is all in on third street: the rest is dealt without betting."""
    felt = StudFelt().opening()
    felt.enter("action", seat=1, action="bet", all_in=True)
    for seat in (2, 3):
        felt.enter("action", seat=seat, action="call", all_in=True)
    felt.acts((4, "fold"), (5, "fold"), (6, "fold"))
    for name in SEVEN:
        felt.street_to(name, [2, 3, 1]).wait(800)
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])


def test_a_lost_reader_accuses_nobody() -> None:
    """The reader is away while two cards and a burn are dealt; afterwards all is well."""
    felt = StudFelt().opening().all_check().lose_reader()
    felt.put(felt.stub.pop(0), "burn")
    for seat in (1, 2):
        felt.put(felt.stub.pop(0), seat)
        felt.t += 500
    felt.find_reader()
    felt.wait(500).deal_round([3, 4, 5, 6]).wait(2500).all_check().street_to("fifth", SIX).wait(1500)
    assert felt.kinds() == []


def test_without_a_burn_antenna_streets_are_told_apart_by_the_betting() -> None:
    """No antenna under the burns: their number is not known, everything else is."""
    felt = StudFelt(zones=("shoe", "muck")).opening().all_check()
    for start, name in enumerate(SEVEN):
        felt.stub.pop(0)
        felt.wait(500).street_to(name, SIX[start:] + SIX[:start], burn=False).all_check()
    assert (felt.of("suspicion"), felt.kinds()) == ([], [])


def two_at_once(*, seen: bool) -> StudFelt:
    """Fourth street: a card for seat 2 goes to seat 3 and the next one to seat 2; both are first read there together.

    `seen`: the antenna of the shoe reads the second one waiting there for a while after the first one has left.
    """
    felt = StudFelt().opening().all_check().street_to("fourth", [1])
    first = felt.stub.pop(0)
    if not seen:
        felt.blind.add("shoe")
    felt.wait(300)
    felt.put(first, felt.zone(3, up=True))
    felt.deal(2)
    felt.blind.clear()
    return felt.street_to("fourth", [4, 5, 6], burn=False).wait(2500)


def test_the_shoe_tells_which_of_two_cards_left_first() -> None:
    """Two cards that were read together at their seats are in the order in which they left the mouth."""
    assert two_at_once(seen=True).kinds() == ["wrong_seat"]


def test_where_the_shoe_did_not_see_it_two_cards_may_have_left_the_other_way_round() -> None:
    """The near miss: its antenna saw neither leave."""
    assert two_at_once(seen=False).kinds() == []


def early_fourth(*early: int, book: str = "tda2024") -> StudFelt:
    """Third street, seats 5 and 6 still to act: a burn, and cards of fourth street to these seats."""
    felt = StudFelt(book=book).opening().all_check([1, 2, 3, 4])
    return felt.street_to("fourth", early).wait(1000)


def back_on_the_stub(felt: StudFelt, cards: int) -> StudFelt:
    """The cards dealt last go back and are shuffled in; the seats that had not acted do so."""
    return felt.into_stub(felt.dealt[-cards:]).all_check([5, 6])


def told(felt: StudFelt) -> list[tuple[int, str]]:
    """(step, event) of every remedy event, in order."""
    return [(d["step"], d["event"]) for d in felt.of("remedy")]


@pytest.mark.parametrize("book", ["tda2024", "wsop2026"])
@pytest.mark.parametrize("early", [(1,), (1, 2, 3), SIX])
def test_a_street_that_came_too_early_is_dealt_anew_card_by_card(early: tuple[int, ...], book: str) -> None:
    """TDA RP-5D, WSOP 231: back, the round is finished, the stub shuffled, a new street without a burn."""
    felt = early_fourth(*early, book=book)
    assert felt.of("ruling")[-1]["rule"] in {"TDA-RP-5D", "WSOP-231"}
    back_on_the_stub(felt, len(early)).enter("shuffle_done")
    felt.street_to("fourth", [1, 2, 3, 4, 5], burn=False).wait(1000)
    assert "complete" not in [event for _, event in told(felt)]
    felt.deal(6)
    assert told(felt)[-1][1] == "complete"
    felt.wait(1500).all_check().street_to("fifth", SIX).wait(1500)
    assert felt.kinds() == ["premature_card"]
    assert felt.of("cleared") == []


def test_a_burn_before_the_street_is_dealt_anew_leaves_the_remedy() -> None:
    """RP-5D deals the new street without a burn: the first one stays."""
    felt = back_on_the_stub(early_fourth(1), 1).street_to("fourth", SIX).wait(1500)
    assert felt.kinds() == ["premature_card", "remedy_not_followed"]


def test_a_seat_that_folds_meanwhile_gets_no_card_of_the_new_street() -> None:
    """Six were in when it was ruled; seat 6 folds when it is its turn: five cards make the street."""
    felt = early_fourth(1, 2)
    felt.into_stub(felt.dealt[-2:]).acts((5, "check"), (6, "fold"))
    felt.street_to("fourth", [1, 2, 3, 4, 5], burn=False).wait(1500)
    assert told(felt)[-1][1] == "complete"
    felt.all_check([1, 2, 3, 4, 5]).street_to("fifth", [1, 2, 3, 4, 5]).wait(1500)
    assert felt.kinds() == ["premature_card"]


def test_a_slip_in_the_new_street_is_told_as_what_it_is() -> None:
    """Seat 2 is passed over when the street is dealt anew."""
    felt = back_on_the_stub(early_fourth(1), 1).street_to("fourth", [1, 3, 4, 5, 6], burn=False).wait(3000)
    assert felt.kinds() == ["premature_card", "seat_skipped"]


def test_a_card_of_the_new_street_that_no_antenna_reads_leaves_no_remedy_open() -> None:
    """The tag of the last card is torn off: the betting shows that the street was dealt; fifth street has its burn."""
    felt = back_on_the_stub(early_fourth(1), 1).street_to("fourth", [1, 2, 3, 4, 5], burn=False)
    felt.strip().deal(6)
    felt.all_check().street_to("fifth", SIX).wait(1500)
    assert told(felt)[-1][1] == "complete"
    assert "remedy_not_followed" not in felt.kinds()


JOKER = uid(100)


def with_a_joker(at: int, book: str = "nl") -> StudFelt:
    """An opening whose card with that number, from 0, is a joker; the deal goes on to its end."""
    felt = StudFelt(book=book)
    felt.stub.insert(at, JOKER)
    return felt.opening()


def test_a_joker_that_is_dealt_on_is_told_once() -> None:
    """Nobody takes it out: the seat's cards of the later streets are no replacement, and no remedy is left half-way."""
    felt = with_a_joker(1).all_check()
    for name in SEVEN:
        felt.street_to(name, SIX).all_check()
    assert felt.wait(1500).kinds() == ["joker"]
    assert told(felt) == []


@pytest.mark.parametrize(("at", "seat", "book", "streets"), [
    (1, 2, "nl", ()), (17, 6, "nl", ()), (1, 2, "tda2024", ("fourth",)), (7, 2, "tda2024", ("fourth", "fifth")),
])  # fmt: skip
def test_a_joker_that_is_replaced_is_followed_to_the_end(
    at: int, seat: int, book: str, streets: tuple[str, ...]
) -> None:
    """NL-M7j, TDA 35-D: out of play, the next card off the stub in its stead, whenever it is noticed; then as ever."""
    felt = with_a_joker(at, book)
    for name in streets:
        felt.all_check().street_to(name, SIX)
    felt.put(JOKER, None)
    felt.wait(4000).deal(seat)
    felt.wait(1500)
    assert told(felt)[-1][1] == "complete"
    for name in SEVEN[len(streets) :]:
        felt.all_check().street_to(name, SIX)
    assert felt.all_check().wait(1500).kinds() == ["joker"]


@pytest.mark.parametrize(("read", "asked"), [(5, []), (3, ["retrievable"])])
def test_a_mucked_hand_is_known_if_every_card_of_it_is(read: int, asked: list[str]) -> None:
    """On fifth street a hand has five cards; with three of them read in the muck the dealer is asked."""
    felt = StudFelt().opening().all_check().street_to("fourth", SIX).all_check().street_to("fifth", SIX)
    for number, card in enumerate(felt.at(2)):
        felt.put(card, "muck" if number < read else None)
    felt.wait(20_000)
    assert felt.kinds()[0] == "hand_mucked"
    assert [each["fact"] for each in felt.of("question") if each["event"] == "asked"] == asked
