"""What ordinary evenings bring besides the deal: players who come and go, all-ins, another deck, exposed cards."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from truths import dealt, entries

from tablectl.errors import UsageError
from tablectl.sim import script, wagers
from tablectl.sim.noise import Noise
from tablectl.sim.record import generate
from tablectl.sim.script import ALSO, NEAR_MISSES, HandPlan
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

Event = dict[str, Any]


def play(*plans: HandPlan, seed: int = 1, eligible: tuple[int, ...] | None = None, **setup: Any) -> Truth:
    """The truth of these hands on a perfect table."""
    truth = Truth()
    for _ in generate(TableSetup(**setup), plans, Noise(), seed, truth=truth, eligible=eligible):
        pass
    return truth


def test_an_evening_has_the_near_misses_and_wishes_it_was_asked_for() -> None:
    """The shares come out as asked, every kind occurs, and no hand has a slip."""
    plans = script.evening(2000, Random(1), near=0.3, also=0.2)
    assert len(plans) == 2000
    assert not any(plan.slip for plan in plans)
    near = Counter(plan.near_miss for plan in plans)
    also = Counter(wish for plan in plans for wish in plan.also)
    assert 1 - near[None] / 2000 == pytest.approx(0.3, abs=0.04)
    assert sum(also.values()) / 2000 == pytest.approx(0.2, abs=0.04)
    assert set(near) == {None, *NEAR_MISSES}
    assert set(also) == set(ALSO)


@pytest.mark.parametrize("players", [2, 3, 4, 6, 10])
def test_an_evening_is_possible_at_any_table(players: int) -> None:
    """Whatever an evening asks of a table with that many players can happen there, and is no irregularity."""
    for seed in range(2):
        plans = script.evening(20, Random(seed), near=0.6, also=0.6, players=players)
        truth = play(*plans, seed=seed, seats=10, eligible=tuple(range(1, players + 1)), boards=1)
        assert len(truth.of("hand_start")) == 20
        assert not truth.of("irregularity")


@pytest.mark.parametrize("seats", [(1, 2), (1, 2, 3), tuple(range(1, 11))])
@pytest.mark.parametrize("round_", wagers.ROUNDS)
def test_who_is_all_in_acts_no_more(seats: tuple[int, ...], round_: str) -> None:
    """An all-in is answered by everyone, its player never acts again, and without two who can bet nobody does."""
    run_out = 0
    for seed in range(60):
        rounds = wagers.hand(Random(seed), seats, all_in=round_)
        live, done = set(seats), set()
        assert list(rounds) == list(wagers.ROUNDS)
        assert any(each.all_in for each in rounds[round_])
        for name, actions in rounds.items():
            can_bet = live - done
            assert bool(actions) == (len(can_bet) > 1 or not done)
            assert {each.seat for each in actions} <= can_bet
            assert not actions or {each.seat for each in actions} == can_bet
            live -= {each.seat for each in actions if each.action == "fold"}
            done |= {each.seat for each in actions if each.all_in}
            run_out += name != "preflop" and not actions
        assert len(live) > 1
    assert (run_out > 0) == (round_ != "river")


def test_after_an_all_in_the_board_is_run_out() -> None:
    """All five cards come, each street after its burn, and who is all in acts no more."""
    for seed in range(20):
        truth = play(HandPlan(also=("all_in",)), seed=seed)
        zones = dealt(truth, 1)
        assert zones.count("board") == 5
        assert zones.count("burn") == 3
        actions = entries(truth, "action")
        last = max(i for i, each in enumerate(actions) if each.get("all_in"))
        assert {each["action"] for each in actions if each.get("all_in")} <= {"bet", "raise", "call"}
        gone = {each["seat"] for each in actions[: last + 1] if each.get("all_in")}
        assert not gone & {each["seat"] for each in actions[last + 1 :]}


def test_an_absent_player_is_dealt_in_and_folded() -> None:
    """His seat gets its cards, the dealer says that he is away, and his hand goes to the muck in his turn."""
    for seed in range(10):
        truth = play(HandPlan(also=("absent",)), seed=seed)
        (away,) = entries(truth, "absent")
        assert truth.of("hand_start")[0]["absent"] == [away["seat"]]
        assert dealt(truth, 1).count(f"seat:{away['seat']}") == 2
        own = [each["action"] for each in entries(truth, "action") if each["seat"] == away["seat"]]
        assert own == ["fold"]


def test_players_leave_and_come_back() -> None:
    """Who leaves gets no cards, the dealer enters the new seats, and after at most five hands he is back."""
    plans = [HandPlan(also=("seat_change",)), *script.clean(6)]
    truth = play(*plans)
    seats = [tuple(event["seats"]) for event in truth.of("hand_start")]
    assert len(seats[0]) == 8
    assert len(seats[-1]) == 9
    told = [tuple(each["eligible"]) for each in entries(truth, "seats")]
    assert told == [seats[0], seats[-1]]
    assert len(dealt(truth, 1)) >= 16
    assert {zone for zone in dealt(truth, 1) if zone.startswith("seat")} == {f"seat:{n}" for n in seats[0]}


def test_a_dead_button_lies_where_nobody_sits() -> None:
    """The button's player has left: no card for him, the deal starts on the seat after, and the button goes on."""
    truth = play(HandPlan(), HandPlan(also=("dead_button",)), HandPlan())
    _, dead, after = truth.of("hand_start")
    assert dead["button"] not in dead["seats"]
    following = [seat for seat in dead["seats"] if seat > dead["button"]] or dead["seats"]
    assert dealt(truth, 2)[0] == f"seat:{following[0]}"
    assert after["button"] == following[0]


def test_nobody_leaves_before_a_hand_that_is_dealt_again() -> None:
    """A misdeal is dealt again to the same players with the same button, whatever was wished for the next hand."""
    truth = play(HandPlan("wrong_seat"), HandPlan(also=("dead_button",)), HandPlan(also=("seat_change",)))
    one, two, three = truth.of("hand_start")
    assert (one["seats"], one["button"]) == (two["seats"], two["button"])
    assert len(three["seats"]) == 8


def test_a_table_that_would_become_too_small_refuses() -> None:
    """With three players nobody may leave; the error says why."""
    with pytest.raises(UsageError, match="too few would be left"):
        play(HandPlan(also=("seat_change",)), eligible=(1, 2, 3))
    with pytest.raises(UsageError, match="needs 3 players at least, this table has 2"):
        play(HandPlan(also=("absent",)), eligible=(1, 2))


def test_the_other_deck_comes_into_play_between_hands() -> None:
    """The dealer enters it, all cards that follow have its tags, and the first deck comes back the same way."""
    change = HandPlan(also=("new_deck",))
    truth = play(HandPlan(), change, HandPlan(), change)
    decks = TableSetup().decks
    assert [each["id"] for each in entries(truth, "deck")] == ["red", "blue"]
    for hand, deck in enumerate(("blue", "red", "red", "blue"), start=1):
        tags = {event["uid"] for event in truth.of("out") if event["hand"] == hand}
        assert tags <= set(decks[deck].cards)


def test_one_of_the_first_cards_face_up_is_dealt_again() -> None:
    """The dealer enters it once the card lies, deals no further and starts again with the same button."""
    for seed in range(6):
        truth = play(HandPlan("exposed_card"), HandPlan(), seed=seed)
        (slip,) = truth.of("irregularity")
        assert (slip["kind"], slip["by"]) == ("exposed_card", "dealer")
        assert slip["k"] <= 2
        assert entries(truth, "exposed") == [{"do": "exposed", "seat": slip["seat"], "by": "dealer"}]
        assert len(dealt(truth, 1)) == slip["k"]
        one, two = truth.of("hand_start")
        assert one["button"] == two["button"]


def test_a_later_card_face_up_becomes_the_burn_and_is_replaced() -> None:
    """All get their cards first; the exposed one goes to the burn pile and its seat gets the next card."""
    for seed in range(6):
        truth = play(HandPlan("exposed_card", variant="later", reach="river"), seed=seed)
        (slip,) = truth.of("irregularity")
        assert slip["k"] > 2
        zones = dealt(truth, 1)
        assert zones[18] == f"seat:{slip['seat']}"
        assert Counter(zones[:19])[zones[18]] == 3
        burnt = [e["k"] for e in truth.of("rest") if e["zone"] == "burn"]
        assert burnt[0] == slip["k"]
        assert len(burnt) == 3  # the exposed card is the flop's burn


def test_a_script_in_words_can_ask_for_all_of_it() -> None:
    """`&` adds wishes; a wrong one is named with those there are."""
    steps = script.parse("clean&all_in*2, wrong_seat:next&absent&new_deck, near:late_fold&dead_button")
    assert steps == [
        HandPlan(also=("all_in",)),
        HandPlan(also=("all_in",)),
        HandPlan("wrong_seat", variant="next", also=("absent", "new_deck")),
        HandPlan(near_miss="late_fold", also=("dead_button",)),
    ]
    with pytest.raises(UsageError, match=r"'all-in'.*choose one of all_in, absent, seat_change"):
        script.parse("clean&all-in")
    with pytest.raises(UsageError, match="nothing can be added"):
        script.parse("restart:0&all_in")
    with pytest.raises(UsageError, match="nobody can be all in"):
        script.parse("dealt_after_end&all_in")


@pytest.mark.parametrize("wish", list(ALSO))
def test_slips_and_wishes_go_together(wish: str) -> None:
    """Every slip can happen in a hand with any wish that leaves it room, and the truth still names it once."""
    for plan in script.one_of_each():
        if plan.slip == "dealt_after_end" and wish == "all_in":
            continue
        both = HandPlan(plan.slip, street=plan.street, also=(wish,))
        truth = play(both, seed=3)
        assert [event["kind"] for event in truth.of("irregularity")] == [plan.slip]
        assert all(a["t"] <= b["t"] for a, b in pairwise(truth.events))
