"""Players who are away or sit out a penalty: dealt in; by some books their hands are dead once all have cards (T57)."""

from __future__ import annotations

import pytest
from felt import Felt
from stud_felt import StudFelt


def reminders(felt: Felt) -> list[tuple[int, str, str]]:
    """(seat, rule, event) of every reminder."""
    return [(d["seat"], d["rule"], d["event"]) for d in felt.of("reminder")]


def away(book: str = "tda2024", seat: int = 3) -> Felt:
    """Everybody has cards, the player at that seat is away."""
    return Felt(book=book).enter("absent", seat=seat).deal_all().wait(2000)


def test_the_dealer_is_reminded_and_the_hand_goes_on_without_that_seat() -> None:
    """Due once the deal is complete, done when the cards are taken; nobody waits for the seat, nothing is wrong."""
    felt = away()
    assert reminders(felt) == [(3, "TDA-30", "due")]
    assert felt.table.view()["reminders"] == [{"what": "kill", "seat": 3, "rule": "TDA-30"}]
    assert felt.table.view()["hand"]["to_act"] == 4
    felt.move(3, "muck").wait(4500)
    assert reminders(felt) == [(3, "TDA-30", "due"), (3, "TDA-30", "done")]
    felt.acts((4, "call"), (5, "call"), (6, "call"), (1, "call"), (2, "check")).flop().wait(500)
    assert (felt.kinds(), felt.of("suspicion")) == ([], [])
    assert felt.table.view()["reminders"] == []


def test_not_before_the_last_card() -> None:
    """Whoever is back while cards are still being dealt plays (TDA 30)."""
    felt = Felt(book="tda2024").enter("absent", seat=3).deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4])
    felt.enter("absent", seat=3, away=False).deal_round([5, 6]).wait(2500)
    assert reminders(felt) == []
    assert felt.table.view()["seats"][2]["absent"] is False


def test_back_after_the_last_card_is_too_late() -> None:
    """The hand stays dead; in the next one the seat plays."""
    felt = away().enter("absent", seat=3, away=False).wait(500)
    assert reminders(felt) == [(3, "TDA-30", "due")]
    felt.move(3, "muck").wait(500)
    felt.acts((4, "fold"), (5, "fold"), (6, "fold"), (1, "fold")).move(2, "muck").wait(1500).collect()
    felt.deal_all().wait(2500)
    assert [event for _, _, event in reminders(felt)] == ["due", "done"]


@pytest.mark.parametrize("book", ["nl", "it", "ru", "pl", "rrop", "wsop2026"])
def test_books_that_do_not_say_so_remind_nobody(book: str) -> None:
    """The seat plays like any other: its fold is entered when its turn comes."""
    felt = away(book)
    assert reminders(felt) == []
    assert felt.table.view()["hand"]["to_act"] == 3


def test_nothing_is_taken_from_a_hand_that_is_dealt_again() -> None:
    """The first card went wrong: a misdeal, no reminder."""
    felt = (
        Felt(book="tda2024")
        .enter("absent", seat=3)
        .deal_round([2, 1, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])
        .wait(2500)
    )
    assert [d["verdict"] for d in felt.of("ruling")][-1] == "misdeal"
    assert reminders(felt) == []


def test_a_hand_that_ends_takes_the_reminder_with_it() -> None:
    """All others fold while the cards of the absent player still lie there."""
    felt = away().acts((4, "fold"), (5, "fold"), (6, "fold"), (1, "fold")).wait(500)
    assert reminders(felt) == [(3, "TDA-30", "due"), (3, "TDA-30", "withdrawn")]
    assert felt.kinds() == []


def test_in_stud_a_dead_seat_gets_no_further_card() -> None:
    """Seat 3 is away: the next street goes past it, and a card for it is one for an empty seat."""
    felt = StudFelt("stud5", book="tda2024").enter("absent", seat=3).opening().wait(2500)
    felt.move(3, "muck").wait(500)
    rest = (1, 2, 4, 5, 6)
    felt.all_check(rest).street_to("third", rest).wait(1000)
    assert (felt.kinds(), felt.of("suspicion")) == ([], [])
    felt.all_check(rest).street_to("fourth", (1, 2, 3, 4, 5, 6)).wait(1500)
    assert [(d["kind"], d["seat"]) for d in felt.of("irregularity")] == [("ineligible_seat", 3)]
