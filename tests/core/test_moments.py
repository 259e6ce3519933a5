"""An input either does something, and undo means it, or the dealer is told beforehand why it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from felt import Felt
from test_undo import (
    all_in,
    begun,
    dealt,
    flop_open,
    four_on_the_flop,
    misdealt,
    nothing,
    shown,
    to_the_river,
)  # fmt: skip

from tablectl.core.entries import INPUTS, check
from tablectl.core.moment import why_not
from tablectl.core.sensed import Entry

STATES = frozenset({"seats", "absent", "button", "game", "dealer", "language", "night", "name"})
"""Inputs that say how something is: true again where it is so already."""
ALWAYS = STATES | {"acknowledge", "call_floor"}
OPEN = frozenset({"answer", "override"})
"""Their own check says whether what they speak of is open (`app.pending`)."""
SLIPS_OF_THE_THUMB = (
    "the cards are still being dealt",
    "the deck is changed",
    "seat 3 has folded",
)
"""How a refusal begins whose input did something at tables before: a recording of theirs is replayed as it was."""


def gathered(felt: Felt) -> None:
    """The hand was played, and its cards are gathered."""
    to_the_river(felt)
    felt.enter("hand_end").collect().collect()


def ended(felt: Felt) -> None:
    """The dealer has entered the end of the hand; its cards still lie there."""
    to_the_river(felt)
    felt.enter("hand_end")


def shown_down(felt: Felt) -> None:
    """The last round is closed, and the hands are shown."""
    to_the_river(felt)
    felt.enter("showdown")


def ready(felt: Felt) -> None:
    """The shuffle and the cut are entered."""
    felt.enter("shuffle_done").enter("cut_done")


def folded(felt: Felt) -> None:
    """All but one have folded."""
    dealt(felt)
    felt.acts(*((seat, "fold") for seat in (3, 4, 5, 6, 1)))


def swept_up(felt: Felt) -> None:
    """A misdeal whose cards are being gathered: the shuffle is a step of it."""
    misdealt(felt)
    felt.collect()


def straddled(felt: Felt) -> None:
    """Seat 3 has straddled, before the deal."""
    felt.enter("straddle", seat=3)


def run_twice(felt: Felt) -> None:
    """After the all-in the rest is run twice."""
    all_in(felt)
    felt.enter("run_twice", times=2)


MOMENTS = (
    nothing, ready, straddled, begun, misdealt, swept_up, dealt, flop_open, four_on_the_flop, all_in, run_twice,
    to_the_river, shown_down, ended, folded, gathered,
)  # fmt: skip
ENTRIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("action", {"seat": 3, "action": "fold"}),
    ("action", {"seat": 3, "action": "check", "in_turn": True}),
    ("action", {"seat": 4, "action": "call", "in_turn": True}),
    ("round_closed", {}), ("showdown", {}), ("hand_end", {}), ("shuffle_done", {}), ("cut_done", {}),
    ("cut_exposed", {"count": 1}), ("exposed", {"seat": 2}), ("damaged", {}), ("stub_disordered", {}),
    ("stub_count", {"count": 20}), ("up_cards", {"seat": 2, "count": 1}), ("note", {"text": "camera"}),
    ("straddle", {"seat": 3}), ("straddle", {"seat": 3, "posted": False}), ("step_done", {}),
    ("run_twice", {"times": 1}), ("run_twice", {"times": 2}), ("deck", {"id": "green"}),
    ("deck", {"id": "red"}),
)  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda each: each.__name__)
def test_an_input_does_something_or_is_refused(moment: Callable[[Felt], Any]) -> None:
    """At whatever moment: what is taken is what undo names next; what is refused changes nothing that is seen, even
    if a recording has it all the same."""
    for do, args in ENTRIES:
        felt = Felt()
        moment(felt)
        entry = Entry(felt.t, do, check(do, args, seats=6))
        refused, before = why_not(felt.table, entry), shown(felt)
        felt.enter(do, **args)
        if refused is None:
            assert felt.table.view()["undo"] == {"do": do, **args}, (do, args)
        elif not args.get("in_turn") and not str(refused).startswith(SLIPS_OF_THE_THUMB):
            assert shown(felt) == before, (do, args, refused)


def test_every_input_is_thought_of() -> None:
    """Each of the contract is tried, or says how something is, or has a check of its own."""
    assert {do for do, _ in ENTRIES} | ALWAYS | OPEN | {"undo"} == set(INPUTS)


def test_a_second_tap_never_acts_for_the_next_seat() -> None:
    """Two screens, or two keys, act for the seat that both of them propose: the second one is told who is next."""
    felt = Felt()
    dealt(felt)
    call = Entry(felt.t, "action", {"seat": 3, "action": "call", "in_turn": True})
    assert why_not(felt.table, call) is None
    felt.enter("action", seat=3, action="raise", in_turn=True)
    assert str(why_not(felt.table, call)) == "seat 3 has acted already; seat 4 is next"
    late = Entry(felt.t, "action", {"seat": 3, "action": "call"})
    assert why_not(felt.table, late) is None, "a seat that the dealer chose himself is his to name"


def test_undo_with_nothing_to_take_back_is_refused() -> None:
    """It says so instead of seeming to do it."""
    felt = Felt()
    entry = Entry(felt.t, "undo", {})
    while felt.table.view()["undo"]:
        assert why_not(felt.table, entry) is None
        felt.enter("undo")
    assert str(why_not(felt.table, entry)) == "there is nothing to take back"


def test_a_step_that_is_ticked_already_is_not_ticked_again() -> None:
    """A page that is a moment behind names the step it saw; the next one stays due."""
    felt = Felt()
    four_on_the_flop(felt)
    [open_now] = felt.table.view()["irregularities"]
    tick = Entry(felt.t, "step_done", {"irregularity": open_now["id"], "step": open_now["step"]})
    assert why_not(felt.table, tick) is None
    felt.enter("step_done", **tick.args)
    assert str(why_not(felt.table, tick)) == "this step is done already"


def refusal(felt: Felt, do: str, **args: Any) -> str | None:
    """What the dealer is told who enters that now; None if it is taken."""
    why = why_not(felt.table, Entry(felt.t, do, args))
    return None if why is None else str(why)


STILL_DEALT = "the cards are still being dealt: first each seat gets its cards"


@pytest.mark.parametrize("betting", ["actions", "rounds", "none"])
@pytest.mark.parametrize("args", [{"do": "round_closed"}, {"do": "showdown"},
                                  {"do": "action", "seat": 3, "action": "fold"}])  # fmt: skip
def test_nothing_is_bet_while_the_cards_still_come(args: dict[str, Any], betting: str) -> None:
    """A round closed in mid-deal would end the deal, and every seat that waits for its card would be accused."""
    felt = Felt(betting=betting)
    felt.deal_round((1, 2, 3))
    for _ in range(2):
        assert refusal(felt, **args) == STILL_DEALT
        assert felt.table.view()["hand"]["may_close_round"] is False
        felt.wait(20_000)  # the dealer may stop for long, and he goes on
    felt.deal_round((4, 5, 6, 1, 2))
    assert refusal(felt, **args) == STILL_DEALT, "most of the second round is to come"
    felt.deal_round((3, 4, 5, 6))
    felt.wait(500)
    assert refusal(felt, **args) is None
    assert felt.table.view()["hand"]["may_close_round"] is True


def test_a_last_card_that_nobody_reads_does_not_hold_up_the_betting() -> None:
    """Once the dealer has stopped, the round can be closed, although a card is missing: then that is what is judged."""
    felt = Felt(betting="rounds")
    felt.deal_round((1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5)).wait(3000)
    assert refusal(felt, "round_closed") is None
    assert felt.table.view()["hand"]["may_close_round"] is True
    felt.enter("round_closed").wait(2000)
    assert felt.kinds() == ["too_few_cards"]


def test_a_seat_that_was_passed_over_does_not_hold_up_the_first_action() -> None:
    """It comes at once, before the dealer can be seen to have stopped; and the short seat is told."""
    felt = Felt(betting="actions")
    felt.deal_round((1, 2, 3, 4, 5, 6, 1, 3, 4, 5, 6))
    assert refusal(felt, "action", seat=3, action="call") is None
    felt.enter("action", seat=3, action="call").wait(2000)
    assert "too_few_cards" in felt.kinds() or "seat_skipped" in felt.kinds()


def test_where_the_last_seats_cannot_be_seen_the_deal_is_over_without_them() -> None:
    """Nobody waits for a card that no antenna can show."""
    felt = Felt(betting="rounds", apart=("seat:5", "seat:6"))
    felt.lose_reader(1).deal_round((1, 2, 3, 4))
    felt.t += 400
    felt.deal_round((1, 2, 3, 4)).wait(3000)
    assert refusal(felt, "round_closed") is None


def test_an_old_recording_closes_its_round_in_mid_deal_as_it_did() -> None:
    """What is refused at a table was taken once; its night replays to the same end."""
    felt = Felt(betting="rounds")
    felt.deal_round((1, 2, 3, 4, 5, 6, 1, 2, 3)).enter("round_closed").wait(3000)
    assert set(felt.kinds()) == {"too_few_cards"}


def test_the_deck_is_changed_between_two_hands() -> None:
    """In mid-hand every card would be a foreign one from then on, and the hand void."""
    felt, other = Felt(), {"do": "deck", "id": "red"}
    assert refusal(felt, **other) is None
    felt.deal_round((1, 2, 3))
    assert refusal(felt, **other) == "the deck is changed between two hands"
    felt.deal_round((4, 5, 6, 1, 2, 3, 4, 5, 6)).wait(500)
    felt.call_round().flop()
    assert refusal(felt, **other) == "the deck is changed between two hands"
    felt.enter("hand_end")
    assert refusal(felt, **other) is None, "its cards may still lie there"


def test_a_deck_may_be_changed_once_the_hand_is_given_up() -> None:
    """A misdeal's cards are gathered, and the next ones may be of another deck; so after a hand nobody ended."""
    felt, other = Felt(), {"do": "deck", "id": "red"}
    misdealt(felt)
    assert refusal(felt, **other) is None
    felt = Felt(betting="none").deal_all().collect()
    assert refusal(felt, **other) is None


def test_who_has_folded_acts_no_more() -> None:
    """The same fold twice, or a late tap on a seat that is out, is told instead of seeming to be entered."""
    felt = Felt()
    dealt(felt)
    felt.acts((3, "fold"))
    for action in ("fold", "call", "raise"):
        assert refusal(felt, "action", seat=3, action=action) == "seat 3 has folded"
    assert refusal(felt, "action", seat=4, action="fold") is None
    felt.enter("undo")
    assert refusal(felt, "action", seat=3, action="fold") is None


def test_a_card_that_does_not_exist_is_not_exposed() -> None:
    """Its number has not been dealt, it was dealt to another seat, or the seat is not in the hand."""
    felt = Felt(seats=9)
    felt.enter("seats", eligible=[1, 2, 3, 4, 5, 6]).enter("button", seat=6).deal_round((1, 2, 3)).wait(500)
    assert refusal(felt, "exposed", seat=3, k=3) is None
    assert refusal(felt, "exposed", seat=3) is None
    assert refusal(felt, "exposed", seat=4) is None, "its card may lie there unread"
    assert refusal(felt, "exposed", seat=3, k=7) == "no card 7 has been dealt yet"
    assert refusal(felt, "exposed", seat=3, k=2) == "card 2 was not dealt to seat 3"
    assert refusal(felt, "exposed", seat=9, k=3) == "seat 9 has no card"


def test_an_untagged_card_that_went_by_can_be_exposed() -> None:
    """It has a number, and no antenna knows whose it is."""
    felt = Felt(optical=True).strip(2)
    felt.deal_round((1, 2, 3, 4)).wait(500)
    assert refusal(felt, "exposed", seat=3, k=3) is None
