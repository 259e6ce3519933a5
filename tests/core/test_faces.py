"""Up and down cards of stud: in which half of its seat a card was dealt, and what the dealer says he sees."""

from __future__ import annotations

import pytest
from stud_felt import SIX, StudFelt


def first_two(felt: StudFelt) -> StudFelt:
    """Seven-card stud: everybody has his two down cards."""
    for _ in range(2):
        for seat in SIX:
            felt.deal(felt.zone(seat, up=False))
    return felt


def test_a_down_card_where_the_up_cards_lie() -> None:
    """Seat 3's second card comes up; its third is dealt down instead, and that is no second slip (TDA RP-10A)."""
    felt = StudFelt(halves=True)
    for up, seats in ((False, SIX), (False, (1, 2))):
        for seat in seats:
            felt.deal(felt.zone(seat, up=up))
    felt.deal("seat:3/up", wait=1000)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["k"], found["count"], found["need"]) == (
        "up_card_error",
        3,
        9,
        1,
        0,
    )
    for seat in (4, 5, 6):
        felt.deal(felt.zone(seat, up=False))
    for seat in SIX:
        felt.deal(felt.zone(seat, up=seat != 3))
    felt.wait(1500)
    assert len(felt.of("irregularity")) == 1
    assert len(felt.of("suspicion")) <= 1


def test_no_up_card_at_all() -> None:
    """Seat 2's third card is dealt down although none of its first two lies open."""
    felt = first_two(StudFelt(halves=True))
    for seat in SIX:
        felt.deal(felt.zone(seat, up=seat != 2))
    felt.wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == ("up_card_error", 2, 0, 1)


def test_a_card_pulled_to_its_half_in_time_is_corrected() -> None:
    """It lay in the wrong half for 700 ms, and no further card had left the shoe: corrected."""
    felt = StudFelt(halves=True)
    card = felt.deal("seat:1/up", wait=700)
    felt.put(card, "seat:1/down")
    felt.wait(800)
    felt.deal("seat:2/down")
    felt.wait(1000)
    assert {d["id"] for d in felt.of("irregularity")} <= {d["id"] for d in felt.of("cleared")}
    assert all(d["why"] == "corrected" for d in felt.of("cleared"))


def test_seventh_street_is_dealt_down() -> None:
    """The last card of seat 5 comes up; all the others are right."""
    felt = StudFelt(halves=True).opening().all_check()
    for name in ("fourth", "fifth", "sixth"):
        felt.street_to(name, SIX).all_check()
    felt.deal("burn")
    for seat in SIX:
        felt.deal(felt.zone(seat, up=seat == 5))
    felt.wait(1500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["street"]) == ("up_card_error", 5, "seventh")


@pytest.mark.parametrize("halves", [False, True])
def test_a_player_who_shows_his_down_cards_makes_no_error(*, halves: bool) -> None:
    """At the showdown he lays them beside his up cards."""
    felt = StudFelt(halves=halves).opening().all_check().enter("showdown")
    felt.move(felt.zone(2, up=False), felt.zone(2, up=True)).wait(2500)
    assert felt.kinds() == []


def test_with_one_antenna_a_seat_the_dealer_says_what_he_sees() -> None:
    """Three up cards at seat 4; then one, as it should be, at seat 5."""
    felt = (
        StudFelt().opening().enter("up_cards", seat=4, count=3).enter("up_cards", seat=5, count=1).wait(200)
    )
    [found] = felt.of("irregularity")
    assert (found["kind"], found["seat"], found["count"], found["need"]) == ("up_card_error", 4, 3, 1)


def test_an_up_card_in_five_card_stud_of_the_wrong_round() -> None:
    """The first card of seat 1 comes up and the second is dealt down: one slip, of the first."""
    felt = StudFelt("stud5", halves=True)
    for seat in SIX:
        felt.deal(felt.zone(seat, up=seat == 1))
    for seat in SIX:
        felt.deal(felt.zone(seat, up=seat != 1))
    felt.wait(1500)
    assert [(d["kind"], d["k"]) for d in felt.of("irregularity")] == [("up_card_error", 1)]


def test_the_display_counts_up_cards_only_where_antennas_tell() -> None:
    """Two down, one up: three cards, one of them up; with one antenna a seat nobody knows."""
    view = StudFelt(halves=True).opening().table.view()
    assert [(seat["cards"], seat["up"]) for seat in view["seats"]] == [(3, 1)] * 6
    plain = StudFelt().opening().table.view()
    assert [(seat["cards"], seat["up"]) for seat in plain["seats"]] == [(3, None)] * 6
    assert view["hand"]["street"] == "third"


@pytest.mark.parametrize(("tag", "kinds"), [(False, ["seat_skipped"]), (True, ["up_card_error"])])
def test_the_faces_of_a_seat_that_was_passed_over_are_not_judged(kinds: list[str], *, tag: bool) -> None:
    """Seat 2 gets both of its cards face down; with the tag of the first one torn off, the second may be its first."""
    felt = StudFelt("stud5", halves=True)
    if not tag:
        felt.strip(ahead=1)
    felt.deal_round(["seat:1/down", "seat:2/down", *(f"seat:{n}/down" for n in (3, 4, 5, 6))])
    felt.deal_round(["seat:1/up", "seat:2/down", *(f"seat:{n}/up" for n in (3, 4, 5, 6))])
    assert felt.wait(1500).kinds() == kinds
