"""A board that is run more than once after an all-in: what is regular then, and what is still told, run by run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from felt import Felt
from stud_felt import StudFelt

from tablectl.core.moment import why_not
from tablectl.core.sensed import Entry

STREETS = ("flop", "turn", "river")
AFTER_ALL_IN = "the board is run twice after an all-in, when all have their cards and nobody can bet"
FROM_WHERE = "say from which street on it is run again; it must have come after the all-in"


def all_in(on: str = "preflop", **options: Any) -> Felt:
    """Seats 1 and 2 are all in, the others have folded; the board is dealt up to the street `on`."""
    felt = Felt(**options).deal_all()
    felt.acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"))
    if on != "preflop":
        felt.acts((1, "call"), (2, "check"))
        deal(felt, "flop")
    if on == "turn":
        felt.acts((1, "check"), (2, "check"))
        deal(felt, "turn")
    action = "raise" if on == "preflop" else "bet"
    felt.enter("action", seat=1, action=action, all_in=True)
    return felt.enter("action", seat=2, action="call", all_in=True).wait(400)


def deal(felt: Felt, *streets: str, burns: int = 1) -> Felt:
    """These streets, with so many burns before each."""
    for street in streets:
        for _ in range(burns):
            felt.deal("burn", wait=700)
        felt.flop(burn=False) if street == "flop" else felt.street(burn=False)
    return felt.wait(1500)


def told(felt: Felt) -> list[tuple[Any, ...]]:
    """(kind, street, run, count) of every confirmed irregularity."""
    return [(d["kind"], d["street"], d.get("run"), d["count"]) for d in felt.of("irregularity")]


def silent(felt: Felt) -> bool:
    """Nothing was told, not even softly."""
    return not felt.kinds() and not felt.of("suspicion")


def refused(felt: Felt, **args: object) -> str:
    """Why it is refused now; that it changes nothing if it stands in a recording all the same."""
    why = why_not(felt.table, Entry(felt.t, "run_twice", args))
    assert why is not None
    before = felt.table.view()
    felt.enter("run_twice", **args)
    assert felt.table.view()["runs"] == before["runs"]
    assert felt.table.view()["hand"] == before["hand"]
    return why


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("on", ["preflop", "flop", "turn"])
@pytest.mark.parametrize("put_away", [False, True])
def test_every_run_with_its_burns_is_regular(on: str, times: int, *, put_away: bool) -> None:
    """The streets after the all-in come two or three times; a run's cards stay there or are taken off the board."""
    felt = all_in(on).enter("run_twice", times=times)
    again = STREETS[STREETS.index(on) + 1 :] if on != "preflop" else STREETS
    common = 5 - sum(3 if street == "flop" else 1 for street in again)
    for run in range(1, times + 1):
        deal(felt, *again)
        assert felt.table.view()["runs"] == {
            "times": times, "first": again[0], "run": run, "boards": [5] * run,
        }  # fmt: skip
        if put_away and run < times:
            for card in felt.at("board")[common:]:
                felt.put(card, None)
            felt.wait(3000)
    assert felt.table.view()["board"] == (5 if put_away else common + times * (5 - common))
    felt.enter("showdown").wait(1000).collect()
    assert silent(felt)
    counts = felt.of("hand")[-1]["counts"]
    assert counts["board"] == common + times * (5 - common)
    assert counts["burn"] == 3 + (times - 1) * len(again)


def test_cards_that_are_pushed_aside_may_lie_on_another_antenna() -> None:
    """The first run is pushed over the muck's antenna, the second lies alone; its missing burn is told all the same."""
    felt = all_in("flop").enter("run_twice", times=2)
    deal(felt, "turn", "river")
    for card in felt.at("board")[3:]:
        felt.put(card, "muck")
    felt.wait(3000)
    deal(felt, "turn")
    deal(felt, "river", burns=0)
    assert told(felt) == [("burn_missing", "river", 2, 0)]


@pytest.mark.parametrize("agreed", [True, False])
def test_a_table_that_is_empty_between_two_runs_is_no_end_of_the_hand(*, agreed: bool) -> None:
    """The first run is off the board and both players hold their cards up; without an agreement that is the end."""
    felt = all_in()
    if agreed:
        felt.enter("run_twice", times=2)
    deal(felt, *STREETS).move("board", None).move(1, None).move(2, None).wait(4000)
    assert [d["event"] for d in felt.of("hand")] == (["start"] if agreed else ["start", "end"])


def test_without_it_the_board_has_one_card_too_many() -> None:
    """The near miss of the one above: nobody agreed to run it twice, and a second turn comes."""
    felt = deal(all_in("flop"), "turn", "river", "turn")
    assert told(felt) == [("too_many_board_cards", "river", None, 2)]


@pytest.mark.parametrize("times", [2, 3])
def test_one_run_more_than_agreed_is_told(times: int) -> None:
    """The first card beyond the last run is one too many on its river."""
    felt = all_in("turn").enter("run_twice", times=times)
    deal(felt, *["river"] * times)
    assert silent(felt)
    deal(felt, "river")
    assert told(felt) == [("too_many_board_cards", "river", times, 2)]


@pytest.mark.parametrize("put_away", [False, True])
@pytest.mark.parametrize("burns", [0, 2])
@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize("bad", [1, 2, 3])
def test_burns_are_counted_for_each_street_of_each_run(
    bad: int, street: str, burns: int, *, put_away: bool
) -> None:
    """One street of one of three runs comes without its burn, or with two: that one is told, and nothing else."""
    felt = all_in(book="ru").enter("run_twice", times=3)
    for run in (1, 2, 3):
        for each in STREETS:
            deal(felt, each, burns=burns if (run, each) == (bad, street) else 1)
        if put_away:
            felt.move("board", None).wait(3000)
    kind = "burn_extra" if burns else "burn_missing"
    assert told(felt) == [(kind, street, bad if bad > 1 else None, burns)]


def test_a_flop_of_the_second_run_has_three_cards() -> None:
    """Two, and the dealer burns for the turn: too few. Four in one go are read as a turn that came without a burn."""
    felt = deal(all_in().enter("run_twice", times=2), *STREETS)
    felt.deal("burn")
    felt.flop(2, burn=False).wait(2000)
    felt.deal("burn", wait=1500)
    assert told(felt) == [("too_few_board_cards", "flop", 2, 2)]
    more = deal(all_in().enter("run_twice", times=2), *STREETS)
    more.deal("burn")
    more.flop(4, burn=False).wait(1500)
    assert told(more) == [("burn_missing", "turn", 2, 0)]


def test_a_street_that_comes_before_the_all_in_was_called_is_premature() -> None:
    """What was agreed too early is not taken, and the turn comes while a player is still to act."""
    felt = Felt().deal_all().call_round().flop().acts((1, "bet"))
    assert refused(felt, times=2) == AFTER_ALL_IN
    assert told(deal(felt, "turn")) == [("premature_card", "turn", None, 1)]


@pytest.mark.parametrize("betting", ["rounds", "none"])
def test_where_no_action_is_entered_the_dealers_word_is_enough(betting: str) -> None:
    """That it is run twice says that nobody can bet: no round need be closed, and no street is premature."""
    felt = Felt(betting=betting).deal_all()
    if betting == "rounds":
        felt.enter("round_closed")
    deal(felt, "flop").enter("run_twice", times=2)
    assert felt.table.view()["hand"]["round_open"] is (False if betting == "rounds" else None)
    deal(felt, "turn", "river", "turn", "river")
    assert silent(felt)
    assert felt.table.view()["runs"]["boards"] == [5, 5]
    assert told(deal(felt, "river"))[0][:3] == ("too_many_board_cards", "river", 2)


def test_taken_back_the_rounds_are_open_again() -> None:
    """`times` 1 in mid-betting: the next street is premature, as it would have been."""
    felt = Felt(betting="rounds").deal_all().enter("round_closed")
    deal(felt, "flop").enter("run_twice", times=2).enter("run_twice", times=1)
    assert felt.table.view()["runs"] is None
    assert felt.table.view()["hand"]["round_open"] is True
    assert told(deal(felt, "turn")) == [("premature_card", "turn", None, 1)]


@pytest.mark.parametrize("back", [{"do": "undo"}, {"do": "run_twice", "times": 1}], ids=["undo", "once"])
def test_taken_back_a_second_run_is_none(back: dict[str, Any]) -> None:
    """By undo or by its own input; entered again, the card that was too many is the second run's."""
    felt = all_in("turn").enter("run_twice", times=2).enter(**back)
    deal(felt, "river", "river")
    assert told(felt) == [("too_many_board_cards", "river", None, 2)]
    felt.enter("run_twice", times=2).wait(500)
    assert [d["why"] for d in felt.of("cleared")] == ["withdrawn"]
    assert felt.table.view()["runs"] == {"times": 2, "first": "river", "run": 2, "boards": [5, 5]}


def test_entered_late_it_begins_with_the_first_street_after_the_all_in() -> None:
    """The board is complete, and only then does the dealer enter it: turn and river came after the all-in."""
    felt = deal(all_in("flop"), "turn", "river").enter("run_twice", times=2)
    assert felt.table.view()["runs"]["first"] == "turn"
    deal(felt, "turn", "river")
    assert silent(felt)


def test_the_first_street_can_be_named() -> None:
    """Between turn and river it would be the river; the turn is named, and can be corrected."""
    felt = deal(all_in("flop"), "turn").enter("run_twice", times=2)
    assert felt.table.view()["runs"]["first"] == "river"
    felt.enter("run_twice", times=2, first="turn")
    deal(felt, "river", "turn", "river")
    assert silent(felt)
    assert refused(felt, times=2, first="flop") == FROM_WHERE


def test_two_become_three() -> None:
    """The players agree on one more before the second run is over; the first street stays."""
    felt = deal(all_in("flop").enter("run_twice", times=2), "turn", "river", "turn")
    felt.enter("run_twice", times=3)
    deal(felt, "river", "turn", "river")
    assert silent(felt)
    assert felt.table.view()["runs"] == {"times": 3, "first": "turn", "run": 3, "boards": [5, 5, 5]}


def test_when_it_cannot_be() -> None:
    """Before the deal, in stud, after the last fold or the hand, with nothing left to run: what would be right."""
    assert refused(Felt(), times=2) == AFTER_ALL_IN
    assert refused(StudFelt().opening(), times=2) == "this game has no board that could be run twice"
    over = Felt().deal_all().acts((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))
    assert refused(over, times=2) == AFTER_ALL_IN
    ended = all_in().enter("hand_end")
    assert refused(ended, times=2) == AFTER_ALL_IN
    river = Felt(2).enter("button", seat=1).deal_all().call_round().flop().call_round().street()
    river.call_round().street().enter("action", seat=2, action="bet", all_in=True)
    river.enter("action", seat=1, action="call", all_in=True)
    assert refused(river, times=2) == FROM_WHERE
    unknown = deal(Felt(betting="none").deal_all(), *STREETS)
    assert refused(unknown, times=2) == FROM_WHERE
    unknown.enter("run_twice", times=2, first="turn")
    assert silent(deal(unknown, "turn", "river"))


def test_the_view_says_when_it_can_be() -> None:
    """So that the display offers it after an all-in and never else."""
    felt = Felt().deal_all()
    assert felt.table.view()["hand"]["may_run_twice"] is False
    assert all_in().table.view()["hand"]["may_run_twice"] is True
    assert Felt(betting="none").deal_all().table.view()["hand"]["may_run_twice"] is True
    assert Felt(betting="none").table.view()["hand"]["may_run_twice"] is False


def test_a_stub_that_is_too_short_to_run_it_twice_is_told() -> None:
    """Ten players at Omaha, all in before the flop: of the twelve cards left two boards would need sixteen."""
    felt = Felt(10, game="omaha", book="wsop2026").deal_all(4)
    for seat in (3, 4, 5, 6, 7, 8, 9, 10):
        felt.acts((seat, "fold"))
    felt.enter("action", seat=1, action="raise", all_in=True)
    felt.enter("action", seat=2, action="call", all_in=True).wait(400)
    assert silent(felt)
    felt.enter("run_twice", times=2).wait(400)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["count"], found["need"]) == ("stub_short", 12, 16)
    assert felt.rulings() == [("WSOP-216", "floor")]


def test_with_one_antenna_a_street_the_place_tells_the_street_and_the_order_the_run() -> None:
    """Each run's cards are laid in the same places; what is wrong with the second is told as the second's."""
    zones = ("shoe", *(f"board:{street}" for street in STREETS), "burn", "muck")

    def lay(felt: Felt, *streets: str) -> Felt:
        for street in streets:
            felt.deal("burn", wait=700)
            for _ in range(3 if street == "flop" else 1):
                felt.deal(f"board:{street}", wait=300)
            felt.wait(1200)
        return felt.wait(1500)

    felt = lay(all_in(zones=zones).enter("run_twice", times=2), *STREETS, *STREETS)
    assert silent(felt)
    assert felt.table.view()["runs"]["boards"] == [5, 5]
    assert told(lay(felt, "river")) == [("too_many_board_cards", "river", 2, 2)]
    short = lay(all_in("preflop", zones=zones).enter("run_twice", times=2), *STREETS, "flop")
    short.deal("board:turn", wait=2000)
    assert told(short) == [("burn_missing", "turn", 2, 0)]


def test_an_outage_between_two_runs_takes_nothing_for_granted() -> None:
    """The reader is lost when the first run is whole; back again it finds that one gone, then the second comes."""
    felt = all_in("flop", apart=("board", "burn")).enter("run_twice", times=2)
    deal(felt, "turn", "river").lose_reader(1)
    for card in felt.at("board")[3:]:
        felt.put(card, None)
    felt.wait(2000).find_reader(1).wait(3000)
    deal(felt, "turn", "river")
    assert silent(felt)
    assert felt.table.view()["runs"] == {"times": 2, "first": "turn", "run": 2, "boards": [5, 5]}
    assert told(deal(felt, "river")) == [("too_many_board_cards", "river", 2, 2)]


REMEDIES: Sequence[tuple[str, str, int, str]] = [
    ("nl", "turn", 0, "NL-H3a"),
    ("nl", "river", 2, "NL-H3b"),
    ("it", "turn", 0, "IT-6a"),
    ("it", "flop", 2, "IT-5c"),
    ("pl", "flop", 0, "PL-07.6.2.a"),
    ("tda2024", "flop", 0, "TDA-39-B"),
    ("wsop2026", "flop", 0, "WSOP-168"),
    ("wsop2026", "turn", 2, "WSOP-169"),
    ("rrop", "flop", 0, "RROP-H5b"),
    ("rrop", "river", 0, "RROP-H6a"),
]


def follow(felt: Felt) -> None:
    """The dealer does what the last ruling orders; a `k` is the card's place among those dealt so far."""
    ruling, [found] = felt.of("ruling")[-1], felt.of("irregularity")
    size = 3 if found["street"] == "flop" else 1
    for step in ruling["steps"]:
        match step["do"]:
            case "to_burn":
                felt.put(felt.dealt[step["card"] - 1] if "card" in step else felt.at("board")[-1], "burn")
            case "deal":
                for _ in range(step["count"]):
                    felt.deal("board", wait=300)
            case "shuffle":
                felt.into_stub(felt.dealt[-size:]).enter("shuffle_done")
            case "to_top":
                card = felt.dealt[step["card"] - 1]
                felt.put(card, None)
                felt.stub.insert(0, card)
                felt.wait(1500)
            case "restore_order" if found["kind"] == "burn_extra":
                first, *street = felt.dealt[-size - 2 :]
                felt.put(first, "burn")
                for card in street[:size]:
                    felt.put(card, "board")
        felt.wait(1200)


@pytest.mark.parametrize(("book", "street", "burns", "rule"), REMEDIES)
@pytest.mark.parametrize("put_away", [False, True])
def test_a_slip_of_the_second_run_is_ruled_and_put_right_in_that_run(
    book: str, street: str, burns: int, rule: str, *, put_away: bool
) -> None:
    """Each book's remedy for burns is about the second run's cards, comes to its end, and the third run is dealt on."""
    felt = all_in(book=book).enter("run_twice", times=3)
    deal(felt, *STREETS)
    for each in STREETS:
        if put_away and each == "flop":
            felt.move("board", None).wait(3000)
        deal(felt, each, burns=burns if each == street else 1)
        if each == street:
            follow(felt)
    deal(felt, *STREETS)
    [found] = felt.of("irregularity")
    assert (found["street"], found["run"]) == (street, 2)
    assert felt.rulings()[-1] == (rule, "correct")
    assert felt.of("remedy")[-1]["event"] == "complete"
    assert felt.table.view()["runs"]["boards"] == [5, 5, 5]


def test_faces_are_shown_run_by_run_in_open_mode_only() -> None:
    """The common flop is on both boards; a blind table shows none."""
    felt = deal(all_in("flop", mode="open").enter("run_twice", times=2), "turn", "river", "turn")
    one, two = felt.table.view()["runs"]["board_cards"]
    assert (len(one), len(two)) == (5, 4)
    assert one[:3] == two[:3]
    assert one[3] != two[3]
    assert "board_cards" not in deal(all_in("flop").enter("run_twice", times=2), "turn").table.view()["runs"]


@pytest.mark.parametrize("burns", [1, 0])
def test_a_burn_that_a_remedy_made_for_the_first_river_pays_none_of_the_second(burns: int) -> None:
    """The first river came without a burn and became it; the second one needs a burn of its own."""
    felt = deal(all_in("turn", book="nl").enter("run_twice", times=2), "river", burns=0)
    follow(felt)
    assert felt.of("remedy")[-1]["event"] == "complete"
    deal(felt, "river", burns=burns)
    first = ("burn_missing", "river", None, 0)
    assert told(felt) == ([first] if burns else [first, ("burn_missing", "river", 2, 0)])


@pytest.mark.parametrize("betting", ["actions", "rounds"])
def test_after_the_all_in_there_was_no_action_on_any_street(betting: str) -> None:
    """A turn without its burn is mended before action on it: what the agreement closed was no betting."""
    felt = (
        all_in("flop", book="rrop") if betting == "actions" else Felt(betting=betting, book="rrop").deal_all()
    )
    if betting == "rounds":
        deal(felt.enter("round_closed"), "flop")
    deal(felt.enter("run_twice", times=2), "turn", "river")
    deal(felt, "turn", burns=0)
    assert felt.of("question") == []
    assert felt.rulings()[-1] == ("RROP-H6a", "correct")


def test_a_run_that_was_put_right_can_be_taken_back() -> None:
    """What was laid out for the second run stands on the board, and is too much for the first: the table goes on."""
    felt = deal(all_in("flop", book="nl").enter("run_twice", times=2), "turn", "river")
    follow(deal(felt, "turn", burns=0))
    felt.enter("run_twice", times=1).wait(500)
    assert felt.table.view()["runs"] is None
    felt.enter("run_twice", times=2, first="turn").wait(500)
    assert felt.table.view()["runs"]["boards"] == [5, 4]
    assert told(deal(felt, "river")) == [("burn_missing", "turn", 2, 0)]
