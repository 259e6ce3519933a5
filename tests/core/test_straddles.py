"""Straddles: who acts first and last before the flop, when one can be posted, and how it is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from felt import Felt
from pokerkit import Automation, NoLimitTexasHoldem, State
from stud_felt import StudFelt

from tablectl.core.moment import why_not
from tablectl.core.sensed import Entry

AUTOMATED = tuple(set(Automation) - {Automation.RUNOUT_COUNT_SELECTION})


def refused(felt: Felt, **args: object) -> str:
    """Why a straddle is refused now; that it changes nothing if it stands in a recording all the same."""
    why = why_not(felt.table, Entry(felt.t, "straddle", args))
    assert why is not None
    before = felt.table.view()["hand"]
    felt.enter("straddle", **args)
    assert felt.table.view()["hand"] == before
    return why


def order_of_action(felt: Felt) -> list[int]:
    """The seats in the order in which they are proposed, if everybody calls; the first one of the flop comes last."""
    proposed = []
    while felt.table.view()["hand"]["to_act"] not in proposed:
        seat = felt.table.view()["hand"]["to_act"]
        proposed.append(seat)
        felt.acts((seat, "call"))
    return proposed


@pytest.mark.parametrize("game", ["holdem", "omaha"])
@pytest.mark.parametrize(
    ("straddles", "order"),
    [
        ([], [3, 4, 5, 6, 1, 2]),
        ([3], [4, 5, 6, 1, 2, 3]),
        ([3, 4], [5, 6, 1, 2, 3, 4]),
        ([3, 4, 5], [6, 1, 2, 3, 4, 5]),
        ([6], [1, 2, 3, 4, 5, 6]),
        ([5], [6, 1, 2, 3, 4, 5]),
        ([3, 6], [1, 2, 3, 4, 5, 6]),
    ],
    ids=str,
)
def test_the_last_straddle_acts_last(game: str, straddles: list[int], order: list[int]) -> None:
    """Under the gun, re-straddled, on the button or elsewhere: the next seat opens, the blinds act in their turn."""
    felt = Felt(game=game)
    for seat in straddles:
        felt.enter("straddle", seat=seat)
    felt.deal_all(2 if game == "holdem" else 4)
    assert felt.table.view()["hand"]["straddles"] == straddles
    assert order_of_action(felt) == order
    felt.flop().wait(500)
    assert felt.table.view()["hand"]["to_act"] == 1, "after the flop everything is as ever"
    assert (felt.kinds(), felt.of("suspicion")) == ([], [])


def test_the_straddler_has_the_last_word() -> None:
    """All call: the flop would come too early, for seat 3 may still raise."""
    felt = Felt().enter("straddle", seat=3).deal_all()
    felt.acts((4, "call"), (5, "fold"), (6, "call"), (1, "call"), (2, "call"))
    assert felt.table.view()["hand"]["to_act"] == 3
    assert felt.flop().kinds() == ["premature_card"]


@pytest.mark.parametrize("straddle", [False, True])
def test_a_straddle_is_no_action(*, straddle: bool) -> None:
    """Bet and call are significant action, a straddle and a call are not: the wrong first seat stays a misdeal."""
    felt = Felt().deal_round([2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1]).wait(800)
    if straddle:
        felt.enter("straddle", seat=3)
    felt.acts((4, "call"))
    assert felt.rulings()[-1] == ("PL-07.1.a", "misdeal")
    felt.acts((5, "call"))
    assert felt.rulings()[-1][1] == "play_on"


def test_all_fold_to_the_straddler() -> None:
    """He wins without an action of his own."""
    felt = Felt().enter("straddle", seat=3).deal_all()
    felt.acts((4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"), (2, "fold"))
    assert felt.table.view()["hand"]["phase"] == "over"


def test_after_the_deal_and_before_the_first_action_it_can_be_entered() -> None:
    """The dealer enters late; each time the proposal follows."""
    felt = Felt().deal_all()
    assert felt.table.view()["hand"]["may_straddle"] == [3, 4, 5, 6]
    felt.enter("straddle", seat=3)
    assert felt.table.view()["hand"]["to_act"] == 4
    assert felt.table.view()["hand"]["may_straddle"] == [4, 5, 6]
    felt.enter("straddle", seat=4)
    assert felt.table.view()["hand"]["to_act"] == 5


def test_it_can_be_taken_back() -> None:
    """By its own input, one of two, or by undo; before the deal and after it."""
    felt = Felt().enter("straddle", seat=3).enter("straddle", seat=4)
    felt.enter("straddle", seat=4, posted=False).deal_all()
    assert felt.table.view()["hand"]["straddles"] == [3]
    felt.enter("straddle", seat=4).enter("undo")
    assert (felt.table.view()["hand"]["straddles"], felt.table.view()["hand"]["to_act"]) == ([3], 4)
    early = Felt().enter("straddle", seat=3).enter("undo")
    assert early.table.view()["hand"]["straddles"] == []
    assert early.deal_all().table.view()["hand"]["to_act"] == 3


def test_it_is_for_one_hand() -> None:
    """The next hand has no straddle, unless one is posted for it."""
    felt = Felt().enter("straddle", seat=3).deal_all()
    felt.acts((4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"), (2, "fold")).enter("hand_end")
    assert felt.table.view()["hand"]["may_straddle"] == [4, 5, 6, 1], "the button has moved on"
    felt.wait(500).collect()
    assert felt.table.view()["hand"]["straddles"] == []
    felt.enter("straddle", seat=5).deal_all()
    assert felt.table.view()["hand"]["straddles"] == [5]
    assert felt.table.view()["hand"]["to_act"] == 6


def test_in_a_hand_that_is_dealt_again_it_stays() -> None:
    """A misdeal changes neither button nor blinds, so that seat 3 acts last again."""
    felt = Felt().enter("straddle", seat=3)
    felt.deal(2)
    felt.wait(800).collect().enter("shuffle_done").enter("cut_done").deal_all().wait(500)
    assert felt.rulings()[0][1] == "misdeal"
    assert felt.table.view()["hand"]["straddles"] == [3]
    assert felt.table.view()["hand"]["to_act"] == 4


def test_it_can_be_posted_for_a_hand_that_will_be_dealt_again() -> None:
    """The misdeal is ruled, the cards still lie there: the straddle is for the deal that follows."""
    felt = Felt()
    felt.deal(2)
    felt.wait(800).enter("straddle", seat=3).collect().enter("shuffle_done").deal_all().wait(500)
    assert felt.table.view()["hand"]["straddles"] == [3]
    assert felt.table.view()["hand"]["to_act"] == 4


def test_who_becomes_a_blind_has_no_straddle() -> None:
    """The button is entered after the straddle: seat 3 is the big blind now; seat 4 straddles."""
    felt = Felt().enter("straddle", seat=3).enter("button", seat=1)
    assert felt.table.view()["hand"]["straddles"] == []
    felt.enter("straddle", seat=4).deal_all().wait(500)
    assert felt.table.view()["hand"]["to_act"] == 5


@pytest.mark.parametrize("seat", [1, 2])
def test_a_blind_cannot_straddle(seat: int) -> None:
    """What would be right is said; so it is for an empty seat, and for one that has straddled."""
    felt = Felt().enter("seats", eligible=[1, 2, 3, 5, 6])
    text = f"seat {seat} cannot straddle now; seats that can: 3, 5, 6"
    assert refused(felt, seat=seat) == text
    assert refused(felt, seat=4) == "seat 4 cannot straddle now; seats that can: 3, 5, 6"
    felt.enter("straddle", seat=3)
    assert refused(felt.deal_all(), seat=3) == "seat 3 cannot straddle now; seats that can: 5, 6"


def test_two_players_have_no_straddle() -> None:
    """Both have a blind; with three the button may."""
    two = Felt(2).enter("button", seat=1)
    assert refused(two, seat=1) == "seat 1 cannot straddle now; seats that can: no seat"
    three = Felt(3).enter("straddle", seat=3).deal_all()
    assert order_of_action(three) == [1, 2, 3]


def test_it_is_too_late_once_somebody_has_acted() -> None:
    """An action, or a closed round; neither can it be taken back any more."""
    felt = Felt().enter("straddle", seat=3).deal_all().acts((4, "call"))
    late = "the betting has begun; a straddle is posted before the first action"
    assert refused(felt, seat=5) == late
    assert refused(felt, seat=3, posted=False) == late
    assert felt.table.view()["hand"]["may_straddle"] == []
    rounds = Felt(betting="rounds").deal_all().enter("straddle", seat=3).enter("round_closed")
    assert refused(rounds, seat=4) == late


@pytest.mark.parametrize("game", ["stud5", "stud7"])
def test_stud_has_no_straddle(game: str) -> None:
    """There are no blinds."""
    assert refused(StudFelt(game), seat=3) == "this game has no blinds, and no straddle"
    assert StudFelt(game).table.view()["hand"]["may_straddle"] == []


def judge(players: int, straddles: Sequence[int]) -> State:
    """The same hand for pokerkit: `straddles` are places in dealing order, each twice as high as the one before."""
    blinds = {0: 1, 1: 2, **{place: 4 << n for n, place in enumerate(straddles)}}
    uniform_antes = True
    return NoLimitTexasHoldem.create_state(AUTOMATED, uniform_antes, 0, blinds, 2, 100_000, players)


@pytest.mark.parametrize("seed", range(12))
def test_an_independent_judge_proposes_the_same_seats(seed: int) -> None:
    """Random players, straddles, folds, calls and raises: pokerkit has the same seat to act, up to the flop."""
    chance = Random(seed)
    players = chance.randint(3, 9)
    felt = Felt(players, zones=("board", "burn", "muck"))
    places = sorted(chance.sample(range(2, players), chance.randint(0, min(3, players - 2))))
    for place in places:
        felt.enter("straddle", seat=place + 1)
    felt.deal_all()
    state = judge(players, places)
    while state.status and state.street_index == 0:
        assert state.actor_index is not None
        seat = state.actor_index + 1
        assert felt.table.view()["hand"]["to_act"] == seat
        chosen = chance.choice(["fold", "call", "call", "raise"])
        owed = state.checking_or_calling_amount
        if chosen == "raise" and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to()
        elif chosen == "fold" and owed:
            state.fold()
        else:
            chosen = "call" if owed else "check"
            state.check_or_call()
        felt.acts((seat, chosen))
    shown = felt.table.view()["hand"]
    assert shown["phase"] == ("betting" if state.status else "over")
    assert shown["to_act"] == (state.actor_index + 1 if state.actor_index is not None else None)
