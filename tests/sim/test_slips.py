"""Every scripted slip and near miss against what physically happened, told from the cards alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from tablectl.sim import script
from tablectl.sim.course import dealing_order
from tablectl.sim.noise import Noise
from tablectl.sim.record import generate
from tablectl.sim.script import HandPlan
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

Event = dict[str, Any]


@dataclass(frozen=True)
class Played:
    """One hand that was played, and the physical events of it."""

    setup: TableSetup
    events: tuple[Event, ...]

    def of(self, name: str, until: float | None = None) -> list[Event]:
        """The hand's events of that name, up to and with `until` ms."""
        return [e for e in self.events if e["event"] == name and (until is None or e["t"] <= until)]

    @property
    def slip(self) -> Event:
        """The one irregularity."""
        (found,) = self.of("irregularity")
        return found

    @property
    def order(self) -> tuple[int, ...]:
        """The dealing order."""
        start = self.of("hand_start")[0]
        return dealing_order(start["seats"], start["button"])

    def first_rests(self, until: float | None = None) -> list[Event]:
        """Where each card first came to rest, in dealing order."""
        found: dict[int, Event] = {}
        for event in self.of("rest", until):
            found.setdefault(event["k"], event)
        return [found[k] for k in sorted(found)]

    def counts(self, until: float | None = None) -> Counter[str]:
        """How many cards were dealt to each zone."""
        return Counter(event["zone"] for event in self.first_rests(until))

    def actions(self, until: float | None = None) -> list[Event]:
        """The actions entered."""
        entered = [event["entry"] for event in self.of("entry", until)]
        return [entry for entry in entered if entry["do"] == "action"]


@lru_cache(maxsize=512)
def play(
    plan: HandPlan, seed: int = 1, betting: str = "actions", game: str = "holdem", seats: int = 9
) -> Played:
    """The hand of that plan on a perfect table."""
    setup = TableSetup(seats=seats, betting=betting, game=game)
    truth = Truth()
    for _ in generate(setup, [plan], Noise(), seed, truth=truth):
        pass
    return Played(setup, tuple(truth.events))


def seat_zone_of(event: Event) -> str:
    return f"seat:{event['seat']}"


CASES = [
    pytest.param(plan, seed, id=f"{plan.slip}-{plan.variant}-{plan.street}-{seed}")
    for plan in script.all_variants()
    for seed in (1, 2, 3)
]


@pytest.mark.parametrize(("plan", "seed"), CASES)
def test_the_truth_of_a_slip_is_what_the_cards_did(plan: HandPlan, seed: int) -> None:
    """For each slip, variant and street the truth agrees with where the cards came to rest, and when."""
    hand = play(plan, seed)
    slip = hand.slip
    assert slip["kind"] == plan.slip
    if "k" in slip and slip["kind"] != "card_lost":
        assert any(e["k"] == slip["k"] and e["t"] == slip["at"] for e in hand.of("rest"))
    CHECKS[slip["kind"]](hand, slip)


def _wrong_first_seat(hand: Played, slip: Event) -> None:
    first = hand.first_rests()[0]
    assert (first["zone"], first["k"], slip["k"]) == (seat_zone_of(slip), 1, 1)
    assert slip["expected"] == hand.order[0] != slip["seat"]


def _wrong_seat(hand: Played, slip: Event) -> None:
    n, k = len(hand.order), slip["k"]
    rests = hand.first_rests()
    due = [f"seat:{hand.order[(i) % n]}" for i in range(k)]
    assert [e["zone"] for e in rests[: k - 1]] == due[:-1]
    assert rests[k - 1]["zone"] == seat_zone_of(slip) != due[-1] == f"seat:{slip['expected']}"
    assert hand.counts(slip["at"])[seat_zone_of(slip)] <= hand.setup.need


def _ineligible_seat(hand: Played, slip: Event) -> None:
    assert slip["seat"] not in hand.order
    assert hand.first_rests()[slip["k"] - 1]["zone"] == seat_zone_of(slip)


def _seat_skipped(hand: Played, slip: Event) -> None:
    n, k = len(hand.order), slip["k"]
    zones = [e["zone"] for e in hand.first_rests()]
    due = [f"seat:{hand.order[i % n]}" for i in range(len(zones) + 1)]
    assert due.pop(k - 1) == f"seat:{slip['expected']}"
    assert zones == due
    assert len(zones) >= k + 2


def _too_few_cards(hand: Played, slip: Event) -> None:
    counts = hand.counts(slip["at"])
    assert counts[seat_zone_of(slip)] == slip["count"] == hand.setup.need - 1
    assert all(counts[f"seat:{seat}"] == hand.setup.need for seat in hand.order if seat != slip["seat"])


def _too_many_cards(hand: Played, slip: Event) -> None:
    assert hand.counts(slip["at"])[seat_zone_of(slip)] == slip["count"] == hand.setup.need + 1


def _premature_card(hand: Played, slip: Event) -> None:
    assert hand.first_rests()[slip["k"] - 1]["zone"] == "board"
    later = [e for e in hand.first_rests() if e["zone"] == "board" and e["k"] >= slip["k"]]
    assert len(later) == slip["count"]
    before = {"flop": 0, "turn": 3, "river": 4}[slip["street"]]
    assert hand.counts(slip["at"])["board"] == before + 1
    assert (
        _closed_rounds(hand.order, hand.actions(slip["at"]))
        < {"flop": 1, "turn": 2, "river": 3}[slip["street"]]
    )


def _closed_rounds(order: tuple[int, ...], actions: list[Event]) -> int:
    """How many betting rounds these actions close: everybody live has answered the last bet."""
    live, closed, rest = list(order), 0, list(actions)
    while rest:
        waiting = set(live)
        while rest and waiting:
            seat, action = rest[0]["seat"], rest[0]["action"]
            del rest[0]
            if action == "fold":
                live.remove(seat)
            waiting = set(live) - {seat} if action in {"bet", "raise"} else waiting - {seat}
        closed += not waiting
    return closed


def _too_many_board_cards(hand: Played, slip: Event) -> None:
    expected = {"flop": 4, "turn": 5, "river": 6}[slip["street"]]
    assert hand.counts(slip["at"])["board"] == expected
    assert hand.counts(slip["at"])["burn"] == {"flop": 1, "turn": 2, "river": 3}[slip["street"]]


def _too_few_board_cards(hand: Played, slip: Event) -> None:
    assert hand.counts(slip["at"])["board"] == slip["count"] == 2
    assert hand.actions(slip["at"])[-1] == hand.actions()[-1]


def _burn_missing(hand: Played, slip: Event) -> None:
    assert hand.counts(slip["at"])["burn"] == {"flop": 0, "turn": 1, "river": 2}[slip["street"]]
    assert hand.first_rests()[slip["k"] - 1]["zone"] == "board"


def _burn_extra(hand: Played, slip: Event) -> None:
    assert hand.counts(slip["at"])["burn"] == {"flop": 2, "turn": 3, "river": 4}[slip["street"]]
    assert hand.first_rests()[slip["k"] - 1]["zone"] == "burn"


def _tag_of(hand: Played, slip: Event) -> str:
    (out,) = [e for e in hand.of("out") if e["k"] == slip["k"]]
    assert out["uid"] == slip["uid"]
    assert slip["zone"] == hand.first_rests()[slip["k"] - 1]["zone"]
    return str(out["uid"])


def _duplicate_card(hand: Played, slip: Event) -> None:
    deck = hand.setup.decks["blue"].enrolled()
    token = deck.token(_tag_of(hand, slip))
    assert token is not None
    earlier = [e["uid"] for e in hand.of("out") if e["k"] < slip["k"]]
    assert [deck.token(uid) for uid in earlier].count(token) == 1


def _foreign_card(hand: Played, slip: Event) -> None:
    assert _tag_of(hand, slip) not in hand.setup.decks["blue"].enrolled()


def _joker(hand: Played, slip: Event) -> None:
    assert _tag_of(hand, slip) in hand.setup.decks["blue"].jokers


def _hand_mucked(hand: Played, slip: Event) -> None:
    gone = [e for e in hand.of("leave") if e["zone"] == seat_zone_of(slip) and e["to"] == "muck"]
    assert len(gone) == 2
    assert all(a["seat"] != slip["seat"] or a["action"] != "fold" for a in hand.actions())
    assert slip["seat"] in {a["seat"] for a in hand.actions()}  # its turn is over: no fold can be due
    assert slip["zone"] == "muck"


def _card_in_other_hand(hand: Played, slip: Event) -> None:
    zones = [e["zone"] for e in hand.of("rest") if e["k"] == slip["k"] and e["t"] <= slip["at"]]
    assert zones == [f"seat:{slip['expected']}", seat_zone_of(slip)]


def _card_lost(hand: Played, slip: Event) -> None:
    (fell,) = hand.of("fell")
    assert (fell["k"], fell["t"]) == (slip["k"], slip["at"])
    assert not [e for e in hand.of("rest") if e["k"] == slip["k"] and e["t"] > slip["at"]]


def _dealt_after_end(hand: Played, slip: Event) -> None:
    folds = [a for a in hand.actions(slip["at"]) if a["action"] == "fold"]
    assert len(folds) == len(hand.order) - 1
    assert hand.first_rests()[-1]["zone"] == "board"


CHECKS = {
    name.removeprefix("_"): check for name, check in list(globals().items()) if name[1:] in script.SLIPS
}


@pytest.mark.parametrize("plan", [p for p in script.one_of_each() if p.slip != "seat_skipped"])
def test_a_dealer_who_stops_deals_nothing_more(plan: HandPlan) -> None:
    """After a slip that he sees, the dealer waits two seconds at least and then takes up every card."""
    hand = play(plan)
    at = hand.slip["at"]
    later = [e for e in hand.of("out") if e["t"] > at]
    assert len(later) <= (2 if hand.slip.get("street") == "flop" else 0)
    moved = [e["t"] for e in hand.of("leave") if e["t"] > at]
    assert min(moved) >= max([at, *(e["t"] for e in later)]) + 2000


def test_a_misdeal_is_dealt_again_with_the_same_button() -> None:
    """After a slip of the misdeal sort the next hand has the same button, after another the next one."""
    for slip, moves in (("wrong_seat", 0), ("burn_missing", 1)):
        truth = Truth()
        for _ in generate(TableSetup(), [HandPlan(slip), HandPlan()], Noise(), 1, truth=truth):
            pass
        one, two = (event["button"] for event in truth.of("hand_start"))
        assert (two - one) % 9 == moves


@pytest.mark.parametrize("plan", script.one_of_each(aftermath="deal_on"))
def test_a_dealer_who_deals_on_finishes_the_hand(plan: HandPlan) -> None:
    """With deal_on the slip is the only one and the hand comes to an end that is entered."""
    hand = play(plan)
    assert hand.slip["kind"] == plan.slip
    assert {"do": "hand_end"} in [event["entry"] for event in hand.of("entry")]


@pytest.mark.parametrize("betting", ["actions", "rounds", "none"])
@pytest.mark.parametrize("game", ["holdem", "omaha"])
@pytest.mark.parametrize("seats", [2, 6, 10])
def test_clean_hands_are_clean(betting: str, game: str, seats: int) -> None:
    """2 to 10 seats, either game, any betting mode: right order, right counts, a burn before each street."""
    for seed in range(3):
        hand = play(HandPlan(), seed, betting, game, seats)
        assert not hand.of("irregularity")
        zones = [e["zone"] for e in hand.first_rests()]
        dealt = hand.setup.need * seats
        assert zones[:dealt] == [f"seat:{hand.order[i % seats]}" for i in range(dealt)]
        full = ["burn", "board", "board", "board", "burn", "board", "burn", "board"]
        assert zones[dealt:] in (full[:0], full[:4], full[:6], full)
        assert len(hand.actions()) == 0 or betting == "actions"
        on_table = Counter(e["k"] for e in hand.of("rest"))
        assert set(on_table) == {e["k"] for e in hand.of("out")}


@pytest.mark.parametrize("plan", script.near_misses(), ids=lambda plan: plan.near_miss)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_near_miss_is_none(plan: HandPlan, seed: int) -> None:
    """Near misses leave no irregularity in the truth, and every card ends where it belongs."""
    hand = play(plan, seed)
    assert not hand.of("irregularity")
    last = {}
    for event in hand.of("rest"):
        if event["zone"].startswith("seat"):
            last[event["k"]] = event["zone"]
    assert last == {k: f"seat:{hand.order[(k - 1) % 9]}" for k in range(1, 19)}


def test_a_correction_is_quick_and_comes_before_the_next_card() -> None:
    """The dealer moves a misplaced card to its right place within a second, dealing nothing meanwhile."""
    for seed in range(10):
        hand = play(HandPlan(near_miss="corrected"), seed)
        (moved,) = hand.of("near_miss")
        wrong, right = [e for e in hand.of("rest") if e["k"] == moved["k"]][:2]
        assert (wrong["zone"], right["zone"]) == (moved["zone"], moved["to"])
        assert right["t"] - wrong["t"] <= 1000
        assert not [e for e in hand.of("out") if wrong["t"] <= e["t"] <= right["t"]]


def test_a_late_fold_is_entered_up_to_two_seconds_after_the_muck() -> None:
    """The fold's entry comes 0.5 to 2 s after the cards came to rest in the muck."""
    for seed in range(10):
        hand = play(HandPlan(near_miss="late_fold"), seed)
        seat = hand.of("near_miss")[0]["seat"]
        (entered,) = [
            e["t"]
            for e in hand.of("entry")
            if (e["entry"].get("seat"), e["entry"].get("action")) == (seat, "fold")
        ]
        ks = {k for k in range(1, 19) if hand.order[(k - 1) % 9] == seat}
        mucked = max(
            e["t"] for e in hand.of("rest") if e["k"] in ks and e["zone"] == "muck" and e["t"] <= entered
        )
        assert 490 <= entered - mucked <= 2010


def test_a_pause_in_mid_deal_is_long() -> None:
    """A dealer who stops for a talk leaves five seconds between two cards."""
    hand = play(HandPlan(near_miss="slow_pause"))
    times = [e["t"] for e in hand.of("out")][:18]
    assert max(b - a for a, b in pairwise(times)) >= 5000
