"""Rulings, questions and remedies at the table, with the Polish book: from cards and inputs to decisions."""

from __future__ import annotations

from typing import Any

import pytest
from felt import Felt


def dealt(**options: Any) -> Felt:
    """A table after a correct deal."""
    return Felt(**options).deal_all()


def remedy(felt: Felt) -> list[tuple[int, str]]:
    """(step, event) of every remedy event, in order."""
    return [(d["step"], d["event"]) for d in felt.of("remedy")]


def test_a_misdeal_is_ruled_and_its_redeal_completes_the_remedy() -> None:
    """PL-07.1.a: collect, bets back, shuffle, cut, redeal from the same first seat; the button stays."""
    felt = Felt()
    felt.deal(2)
    felt.wait(800)
    [ruling] = felt.of("ruling")
    assert (ruling["rule"], ruling["verdict"], ruling["decider"]) == ("PL-07.1.a", "misdeal", "director")
    assert [s["do"] for s in ruling["steps"]] == ["collect", "return_bets", "shuffle", "cut", "redeal"]
    assert ruling["steps"][-1]["first"] == 1
    felt.collect().enter("shuffle_done").enter("cut_done")
    felt.deal_all().wait(1000)
    assert remedy(felt)[-1] == (4, "complete")
    assert [d["button"] for d in felt.of("hand") if d["event"] == "start"] == [6, 6]
    assert felt.kinds() == ["wrong_first_seat"]


def test_the_misdeal_window_closes_with_significant_action() -> None:
    """Bet and call: what was a misdeal is played on; the later ruling replaces the earlier."""
    felt = Felt()
    felt.deal_round([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(800)
    assert felt.rulings()[-1] == ("PL-07.1.a", "misdeal")
    felt.acts((3, "raise"), (4, "call"))
    assert felt.rulings()[-1][1] == "play_on"


def test_once_the_remedy_has_begun_the_ruling_stands() -> None:
    """The cards are being collected; an action entered now does not revive the hand."""
    felt = Felt()
    felt.deal_round([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(800).enter("step_done")
    before = felt.rulings()
    felt.acts((3, "raise"), (4, "call"))
    assert felt.rulings() == before


def test_four_card_flop_one_card_becomes_the_next_burn() -> None:
    """PL-07.6.1: scramble, one drawn to the burn; the turn comes without a burn and that is right (R-26)."""
    felt = dealt().call_round().flop(4)
    [ruling] = felt.of("ruling")
    assert (ruling["verdict"], ruling["decider"]) == ("correct", "director")
    assert str(ruling["rule"]).startswith("PL-07.6.1")
    assert [s["do"] for s in ruling["steps"]][:3] == ["scramble", "pick", "to_burn"]
    felt.put(felt.at("board")[2], "burn")
    felt.wait(1000)
    assert remedy(felt)[-1][1] == "complete"
    felt.call_round().street(burn=False).call_round().street().call_round()
    assert felt.kinds() == ["too_many_board_cards"]
    assert felt.of("cleared") == []


def test_a_second_burn_after_the_drawn_card_is_an_extra_one() -> None:
    """The drawn card paid the turn's burn; another one is too many."""
    felt = dealt().call_round().flop(4)
    felt.put(felt.at("board")[2], "burn")
    felt.wait(1000).call_round().street()
    assert felt.kinds() == ["too_many_board_cards", "burn_extra"]


def test_no_burn_before_the_flop_is_mended_with_three_cards() -> None:
    """PL-07.6.2.a: one of the three becomes the burn, the next card completes the flop."""
    felt = dealt().call_round().flop(burn=False).wait(1500)
    [ruling] = felt.of("ruling")
    assert (ruling["rule"], ruling["verdict"]) == ("PL-07.6.2.a", "correct")
    felt.put(felt.at("board")[1], "burn")
    felt.wait(1000)
    felt.deal("board", wait=1000)
    assert remedy(felt)[-1][1] == "complete"
    felt.call_round().street().call_round().street()
    assert felt.kinds() == ["burn_missing"]


def test_no_burn_before_the_flop_and_one_check_the_flop_stands() -> None:
    """PL-07.6.2.b: any action, even one check."""
    felt = dealt().call_round().flop(burn=False).wait(1500).acts((1, "check"))
    assert felt.rulings()[-1] == ("PL-07.6.2.b", "play_on")


def test_premature_turn_is_set_aside_and_dealt_anew() -> None:
    """PL-07.H: aside, finish the flop's betting, burn, proper turn; then the river as usual."""
    felt = dealt().call_round().flop().acts((1, "check")).street()
    [ruling] = felt.of("ruling")
    assert ruling["verdict"] == "correct"
    assert [s["do"] for s in ruling["steps"]] == ["aside", "finish_round", "burn", "deal"]
    felt.put(felt.at("board")[-1], None)
    felt.wait(2000).call_round().street()
    assert remedy(felt)[-1][1] == "complete"
    felt.call_round().street().call_round()
    assert felt.kinds() == ["premature_card"]
    assert felt.of("cleared") == []


def test_leaving_the_remedy_is_told() -> None:
    """After the premature turn was set aside the dealer deals the new turn without the burn that was ordered."""
    felt = dealt().call_round().flop().acts((1, "check")).street()
    felt.put(felt.at("board")[-1], None)
    felt.wait(2000).call_round().street(burn=False)
    assert felt.kinds() == ["premature_card", "remedy_not_followed"]


def test_dealing_on_before_the_remedy_starts_is_no_violation() -> None:
    """The third card of the misdeal goes on its way: the hand simply goes on."""
    felt = Felt()
    felt.deal_round([2, 3, 4]).wait(1000)
    assert felt.kinds() == ["wrong_first_seat"]


def test_without_betting_the_window_is_a_question() -> None:
    """`betting = "none"`, an extra card after the deal: misdeal or dead hand depends on what was not entered."""
    felt = dealt(betting="none")
    felt.deal(1)
    felt.wait(1000)
    asked = [d for d in felt.of("question") if d["event"] == "asked"]
    assert asked
    assert felt.of("ruling")[-1]["provisional"] is True
    for _ in range(4):
        open_ones = [i["question"] for i in felt.table.view()["irregularities"] if i["question"]]
        if not open_ones:
            break
        felt.enter("answer", question=open_ones[0]["id"], value=open_ones[0]["choices"][-1])
    assert felt.of("ruling")[-1]["provisional"] is False
    assert felt.of("ruling")[-1]["verdict"] == "dead"


def test_an_answer_can_be_taken_back() -> None:
    """Undo covers answers too."""
    felt = dealt(betting="none")
    felt.deal(1)
    felt.wait(1000)
    first = felt.table.view()["irregularities"][0]["question"]
    felt.enter("answer", question=first["id"], value=first["choices"][-1]).enter("undo")
    again = felt.table.view()["irregularities"][0]["question"]
    assert (again["fact"], again["choices"]) == (first["fact"], first["choices"])


def test_nothing_is_asked_while_the_answer_changes_nothing() -> None:
    """A duplicate voids the hand whatever the action (PL-07.2.h)."""
    from felt import DECK_WITH_TWIN, TWIN

    felt = Felt(betting="none", deck=DECK_WITH_TWIN).deal_round([1, 2, 3, 4])
    felt.stub.insert(0, TWIN)
    felt.deal(5)
    felt.wait(500)
    assert felt.of("question") == []
    assert felt.of("ruling")[-1]["verdict"] == "void"


def test_exposed_first_card() -> None:
    """PL-07.1.f: one of the first two cards exposed by the dealer is a misdeal, a later one is not in the book."""
    felt = Felt().deal_round([1, 2]).enter("exposed", seat=2, by="dealer")
    assert felt.rulings()[-1] == ("PL-07.1.f", "misdeal")
    later = Felt().deal_round([1, 2, 3]).enter("exposed", seat=3, by="dealer")
    assert later.rulings()[-1][1] == "floor"


def test_the_floor_overrules() -> None:
    """The floor's word stands, with who and why."""
    felt = dealt().call_round()
    felt.deal("burn")
    felt.deal("burn", wait=1000)
    slip = felt.of("irregularity")[-1]
    felt.enter("override", irregularity=slip["id"], verdict="play_on", why="seen by all", who="Floor 2")
    last = felt.of("ruling")[-1]
    assert (last["verdict"], last["why"], last["who"]) == ("play_on", "seen by all", "Floor 2")


def test_the_floor_kills_the_hand_that_it_names() -> None:
    """Not that of the seat where the irregularity was."""
    felt = Felt().deal_round([1, 2, 6, 4, 5, 3, 1, 2, 3, 4, 5, 6]).wait(1000)
    slip = felt.of("irregularity")[-1]
    felt.enter("override", irregularity=slip["id"], verdict="dead", seat=5, why="looked", who="Floor 2")
    last = felt.of("ruling")[-1]
    assert (last["verdict"], last["seats"]) == ("dead", [5])
    assert [(step["do"], step["seat"]) for step in last["steps"]] == [("kill", 5)]


def test_the_end_of_a_hand_is_never_a_clearance() -> None:
    """A wrong seat ruled by the floor, played to the end."""
    felt = Felt().deal_round([1, 2, 6, 4, 5, 3, 1, 2, 3, 4, 5, 6]).wait(1000)
    felt.call_round().flop().call_round().street().call_round().street().call_round().collect()
    assert felt.of("cleared") == []
    assert [d["event"] for d in felt.of("hand")] == ["start", "end"]


def test_a_killed_hand_is_waited_for_by_nobody() -> None:
    """Seat 3 called with three cards (PL-07.4.e); its hand goes to the muck and the others play on, unalarmed."""
    felt = dealt()
    felt.deal(3)
    felt.wait(500).acts((3, "call"))
    assert felt.rulings()[-1] == ("PL-07.4.e", "dead")
    felt.move(3, "muck").wait(5000)
    assert remedy(felt)[-1][1] == "complete"
    felt.acts((4, "call"), (5, "call"), (6, "call"), (1, "call"), (2, "check")).flop()
    assert felt.kinds() == ["too_many_cards"]


def test_the_fold_of_another_seat_is_not_the_killing() -> None:
    """The step waits for the cards of the dead seat."""
    felt = dealt()
    felt.deal(3)
    felt.wait(500).acts((3, "call"), (4, "fold")).wait(2000)
    assert remedy(felt) == []


def test_a_late_burn_from_the_stub_is_not_the_drawn_card() -> None:
    """No burn before the flop: one of the three must become it; a fresh card on the burn pile is not that step."""
    felt = dealt().call_round().flop(burn=False).wait(1500)
    felt.deal("burn", wait=1000)
    assert remedy(felt) == []


@pytest.mark.parametrize("book", ["tda2024", "wsop2026"])
def test_a_card_that_is_still_missing_is_not_taken_for_dealt(book: str) -> None:
    """The button is one card short: the ruling that it gets it stands as time passes, and the card ends the matter."""
    felt = Felt(book=book).deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]).acts((3, "call")).wait(3000)
    assert felt.kinds() == ["too_few_cards"]
    assert [verdict for _, verdict in felt.rulings()] == ["correct"]
    felt.deal(6, wait=3000)
    felt.call_round().flop()
    assert (felt.kinds(), [verdict for _, verdict in felt.rulings()]) == (["too_few_cards"], ["correct"])


# --- hole cards that are put in order -------------------------------------------------------------------------------


def way(felt: Felt) -> list[tuple[int, int, int]] | None:
    """(k, from, to) of the cards that must still go elsewhere, as the display is told."""
    moves = felt.table.view()["irregularities"][0]["moves"]
    return None if moves is None else [(each["k"], each["from"], each["to"]) for each in moves]


def out_of_order(*seats: int) -> Felt:
    """A deal under the Russian book, and the answer that nobody has looked at the card."""
    felt = Felt(book="ru").deal_round(seats).wait(2500)
    felt.enter("answer", question="looked_at", value=False).wait(200)
    assert [step["do"] for step in felt.of("ruling")[-1]["steps"]] == ["restore_order"]
    return felt


def test_a_hole_card_that_is_brought_to_its_seat_ticks_the_step() -> None:
    """Seat 1 got seat 4's card: the way is told, and once the card lies at seat 4 the repair is done. The rest
    is dealt as it should be, and nothing more is told."""
    felt = out_of_order(1, 2, 3, 1, 5, 6)
    assert way(felt) == [(4, 1, 4)]
    felt.put(felt.dealt[3], 4)
    felt.wait(1500)
    assert remedy(felt) == [(0, "started"), (0, "done"), (0, "complete")]
    felt.deal_all(rounds=1).wait(3000).call_round().flop().wait(3000)
    assert felt.kinds() == ["wrong_seat"]
    assert [seat["cards"] for seat in felt.table.view()["seats"]] == [2] * 6


def test_a_hole_card_at_a_third_seat_is_not_in_order() -> None:
    """It is brought to seat 5 instead of 4: the step stays, and its way begins there now."""
    felt = out_of_order(1, 2, 3, 1, 5, 6)
    felt.put(felt.dealt[3], 5)
    felt.wait(3000)
    assert (remedy(felt), way(felt)) == ([], [(4, 5, 4)])


def test_a_card_that_is_only_picked_up_has_not_arrived() -> None:
    """It is held over the table: nothing is ticked before it lies at its seat."""
    felt = out_of_order(1, 2, 3, 1, 5, 6)
    felt.put(felt.dealt[3], None)
    felt.wait(3000)
    assert (remedy(felt), way(felt)) == ([], [(4, 1, 4)])


def test_every_card_behind_the_slip_must_reach_its_seat() -> None:
    """Seat 1 got a card too soon and the others theirs one seat late: when the last of them has arrived, the step is
    ticked."""
    felt = out_of_order(1, 2, 3, 1, 4, 5)
    assert way(felt) == [(4, 1, 4), (5, 4, 5), (6, 5, 6)]
    for at, card in enumerate(felt.dealt[3:6], start=3):
        assert remedy(felt) == []
        felt.put(card, (4, 5, 6)[at - 3])
        felt.wait(1500)
    assert remedy(felt)[-1] == (0, "complete")
