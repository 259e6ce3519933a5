"""Undo: whatever was entered last can be taken back, and the table goes on as if it had never been entered.

Each case is one story at two tables: at the one something is entered and, after a while, taken back; at the other it is
not entered at all. From then on both must show the same, warn the same, and conclude the same to the end of the story.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from felt import Felt
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl.core.alerts import Alerts, Signals
from tablectl.core.decisions import Decision
from tablectl.core.entries import INPUTS

Story = Callable[[Felt], Any]

UNSEEN = frozenset({"note"})
"""Inputs that change nothing that can be seen: they are for the record alone."""
NAMES = frozenset({"t", "id", "irregularity", "undo"})
"""What may differ between the tables: how something is called, and what can be taken back."""


def nothing(_: Felt) -> None:
    """Nothing happens."""


def dealt(felt: Felt) -> None:
    """A correct deal."""
    felt.deal_all().wait(500)


def begun(felt: Felt) -> None:
    """The first three seats have got their first card."""
    felt.deal_round((1, 2, 3)).wait(500)


def goes_on(felt: Felt) -> None:
    """The rest of the deal that had begun."""
    felt.deal_round((4, 5, 6, 1, 2, 3, 4, 5, 6)).wait(2500)


def flop_open(felt: Felt) -> None:
    """The flop lies there, and the first two have checked."""
    dealt(felt)
    felt.call_round().flop().acts((1, "check"), (2, "check"))


def plays_on(felt: Felt) -> None:
    """The round is finished, and the turn comes; then the cards are gathered and the next hand is dealt."""
    felt.call_round().street().wait(500)
    felt.collect().deal_all().wait(500)


def misdealt(felt: Felt) -> None:
    """The first card went to seat 2: a misdeal."""
    felt.deal(2)
    felt.wait(2500)


def redeals(felt: Felt) -> None:
    """All cards are gathered, and the deal begins again."""
    felt.collect().deal_all().wait(500)


def four_on_the_flop(felt: Felt) -> None:
    """A card too many on the flop: it is scrambled, one of them becomes a burn."""
    dealt(felt)
    felt.call_round().flop(4).wait(500)


def drawn(felt: Felt) -> None:
    """One of the four goes to the burn pile."""
    felt.put(felt.at("board")[0], "burn")
    felt.wait(2000)


def one_too_many(felt: Felt) -> None:
    """An extra card after the deal, where no action is entered: what follows is a question."""
    dealt(felt)
    felt.deal(1)
    felt.wait(1000)


def two_swapped(felt: Felt) -> None:
    """Seats 3 and 4 got each other's first card."""
    felt.deal_round((1, 2, 4, 3, 5, 6, 1, 2, 3, 4, 5, 6)).wait(1000)


def drawn_back(felt: Felt) -> None:
    """Their first cards are exchanged."""
    third, fourth = felt.at(3)[0], felt.at(4)[0]
    felt.put(third, 4)
    felt.put(fourth, 3)
    felt.wait(2500)


def unshuffled(felt: Felt) -> None:
    """The cards of the last hand come in the order in which they were picked up."""
    to_the_river(felt)
    felt.enter("hand_end")
    picked_up: list[str] = []
    for zone in (3, 4, "board", 5, 6, 1, 2, "burn"):
        picked_up += felt.at(zone)  # type: ignore[arg-type]
        felt.move(zone, "muck").wait(600)  # type: ignore[arg-type]
    felt.lying.clear()
    felt.stub, felt.dealt = [*picked_up, *felt.stub], []
    felt.wait(3000).deal_round([2, 3, 4, 5, 6, 1] * 2).wait(300)


def taken_up(felt: Felt) -> None:
    """Four cards came on the flop; the dealer has just taken them up to shuffle them in."""
    four_on_the_flop(felt)
    felt.move("board", None)


def put_back(felt: Felt) -> None:
    """He puts them back where they were."""
    for card in felt.dealt[-4:]:
        felt.put(card, "board")


def dead_hand(felt: Felt) -> None:
    """After a raise and two calls seat 6 gets a third card: its hand is dead."""
    dealt(felt)
    felt.acts((3, "raise"), (4, "call"), (5, "call"))
    felt.deal(6)
    felt.wait(500)


def all_in(felt: Felt) -> None:
    """On the flop seat 1 is all in, seat 2 calls, the others fold."""
    dealt(felt)
    felt.call_round().flop().enter("action", seat=1, action="bet", all_in=True)
    felt.acts((2, "call"), (3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"))


def to_the_river(felt: Felt) -> None:
    """The board is complete, and the last round is closed."""
    dealt(felt)
    felt.call_round().flop().call_round().street().call_round().street().call_round()


def two_deals(felt: Felt) -> None:
    """Two more hands, so that it shows where the button goes."""
    felt.collect().deal_all().wait(500)
    felt.call_round().collect().deal_all().wait(500)


@dataclass(frozen=True)
class Case:
    """An input, the story before it, what the cards do until it is taken back, and the story after that."""

    do: str
    args: Mapping[str, Any] = field(default_factory=dict)
    before: Story = nothing
    meanwhile: Story = nothing
    after: Story = plays_on
    table: Mapping[str, Any] = field(default_factory=dict)


AWAY = {"book": "tda2024"}
CASES = {
    "seats": Case("seats", {"eligible": [1, 2, 4, 6]}, after=two_deals),
    "seats, in the deal": Case("seats", {"eligible": [1, 2, 4, 6]}, begun, after=goes_on),
    "absent": Case("absent", {"seat": 3}, after=two_deals, table=AWAY),
    "absent, in the deal": Case("absent", {"seat": 3}, begun, goes_on, plays_on, table=AWAY),
    "button": Case("button", {"seat": 3}, after=two_deals),
    "button, drawn": Case("button", {"seat": 3, "drawn": True}, after=two_deals),
    "button, in the deal": Case("button", {"seat": 3}, begun, after=goes_on),
    "game": Case("game", {"name": "omaha"}, after=two_deals),
    "deck": Case("deck", {"id": "red"}, after=two_deals),
    "deck, in the deal": Case("deck", {"id": "red"}, begun, lambda felt: felt.deal_round((4, 5)),
                              lambda felt: felt.deal_round((6, 1, 2, 3, 4, 5, 6)).wait(2500)),
    "dealer": Case("dealer", {"id": "anna"}, after=two_deals),
    "language": Case("language", {"code": "nl"}, after=two_deals),
    "shuffle": Case("shuffle_done", after=two_deals, table={"confirms": ["shuffle"]}),
    "shuffle, in mid-deal": Case("shuffle_done", {}, begun, after=goes_on),
    "shuffle, of a misdeal": Case("shuffle_done", {}, misdealt, after=redeals),
    "cut": Case("cut_done", after=two_deals, table={"confirms": ["cut"]}),
    "cut exposed": Case("cut_exposed", {"count": 2}, after=two_deals),
    "check": Case("action", {"seat": 3, "action": "check"}, flop_open),
    "fold": Case("action", {"seat": 3, "action": "fold"}, flop_open),
    "all in": Case("action", {"seat": 3, "action": "bet", "all_in": True}, flop_open),
    "last action": Case("action", {"seat": 6, "action": "check"},
                        lambda felt: (flop_open(felt), felt.acts((3, "check"), (4, "check"), (5, "check")))),
    "last fold": Case("action", {"seat": 1, "action": "fold"},
                      lambda felt: (dealt(felt), felt.acts(*((seat, "fold") for seat in (3, 4, 5, 6)))),
                      after=lambda felt: felt.acts((1, "call"), (2, "check")).flop()),
    "round": Case("round_closed", {}, flop_open),
    "round, closed too soon": Case("round_closed", {}, flop_open, after=lambda felt: felt.street().wait(500)),
    "exposed": Case("exposed", {"seat": 2, "by": "dealer"}, lambda felt: felt.deal_round((1, 2)),
                    after=lambda felt: felt.deal_round((3, 4, 5, 6, 1, 2, 3, 4, 5, 6)).wait(500)),
    "up cards": Case("up_cards", {"seat": 2, "count": 2}, dealt, after=lambda felt: felt.wait(500),
                     table={"game": "stud7", "book": "nl"}),
    "damaged": Case("damaged", {}, flop_open),
    "stub disordered": Case("stub_disordered", {}, flop_open),
    "stub count": Case("stub_count", {"count": 3}, dealt),
    "showdown": Case("showdown", {}, to_the_river, after=lambda felt: felt.collect().deal_all().wait(500)),
    "hand end": Case("hand_end", {}, flop_open),
    "hand end, with something open": Case("hand_end", {}, four_on_the_flop, after=drawn),
    "answer": Case("answer", {"question": "looked_at", "value": True}, two_swapped, after=drawn_back,
                   table={"book": "ru"}),
    "answer, one of two": Case("answer", {"question": "q1", "value": False}, one_too_many, after=nothing,
                               table={"betting": "none"}),
    "answer to a doubt": Case("answer", {"question": "shuffled", "value": False}, unshuffled, after=nothing,
                              table={"shuffle_p": 1e-6}),
    "answer that settles a doubt": Case("answer", {"question": "shuffled", "value": True}, unshuffled,
                                        after=nothing, table={"shuffle_p": 1e-6}),
    "acknowledge": Case("acknowledge", {}, misdealt, after=redeals),
    "call floor": Case("call_floor", {}, flop_open),
    "override": Case("override", {"irregularity": "i1", "verdict": "play_on", "why": "agreed", "who": "MT"},
                     misdealt, after=redeals),
    "override, a remedy under way": Case(
        "override", {"irregularity": "i1", "verdict": "floor", "why": "camera", "who": "MT"},
        lambda felt: (four_on_the_flop(felt), felt.enter("step_done")), after=drawn,
    ),
    "step of a misdeal": Case("step_done", {}, misdealt, after=redeals),
    "step of a repair": Case("step_done", {}, four_on_the_flop, after=drawn),
    "step, seen to go on": Case("step_done", {}, four_on_the_flop, drawn, nothing),
    "shuffle of the flop": Case("step_done", {}, taken_up, put_back, nothing, table={"book": "nl"}),
    "last step": Case("step_done", {}, lambda felt: (four_on_the_flop(felt), felt.enter("step_done")),
                      after=drawn),
    "killing": Case("step_done", {}, dead_hand, after=lambda felt: felt.wait(500)),
    "call, and a killing since": Case("action", {"seat": 1, "action": "call"}, dead_hand,
                                      lambda felt: felt.move(6, "muck").wait(4500),
                                      lambda felt: felt.acts((1, "call"), (2, "call")).flop()),
    "night": Case("night", {"on": True}, dealt),
    "name": Case("name", {"seat": 3, "text": "Anna"}, dealt),
    "straddle": Case("straddle", {"seat": 3}, dealt, after=lambda felt: felt.call_round().flop()),
    "straddle, before the deal": Case("straddle", {"seat": 3},
                                      after=lambda felt: felt.deal_all().wait(500).call_round().flop()),
    "run twice": Case("run_twice", {"times": 2}, all_in, after=lambda felt: felt.street().street().wait(500)),
    "run twice, late": Case("run_twice", {"times": 2}, all_in, lambda felt: felt.street().street().wait(500),
                            lambda felt: felt.street().wait(500)),
    "note": Case("note", {"text": "camera"}, dealt),
}  # fmt: skip


def told(decisions: list[Decision]) -> list[Any]:
    """The decisions without the names that they give."""
    return [plain(each.as_json()) for each in decisions]


def plain(given: Any) -> Any:
    """The same without what may differ."""
    if isinstance(given, Mapping):
        return {key: plain(value) for key, value in given.items() if key not in NAMES}
    return [plain(each) for each in given] if isinstance(given, list | tuple) else given


def shown(felt: Felt) -> Any:
    """What the display shows."""
    return plain(felt.table.view())


def warned(felt: Felt) -> Signals:
    """What the lamps and the buzzer show by all that was told so far, as the app drives them."""
    alerts = Alerts()
    for decision in felt.decisions:
        alerts.step(decision)
    return alerts.heard(felt.table.acknowledged)


@pytest.mark.parametrize("name", CASES)
def test_what_was_entered_is_taken_back(name: str) -> None:
    """After undo the table shows, warns and concludes what the table does at which nothing was entered."""
    case = CASES[name]
    felt, other = Felt(**case.table), Felt(**case.table)
    case.before(felt)
    case.before(other)
    assert shown(felt) == shown(other)
    felt.enter(case.do, **case.args)
    assert felt.table.view()["undo"]["do"] == case.do
    assert (shown(felt) != shown(other)) is (case.do not in UNSEEN)
    for each in (felt, other):
        case.meanwhile(each)
        each.wait(1500)
    felt.enter("undo")
    for each in (felt, other):
        each.wait(200)
    assert shown(felt) == shown(other)
    assert warned(felt) == warned(other)
    since = len(felt.decisions), len(other.decisions)
    case.after(felt)
    case.after(other)
    assert told(felt.decisions[since[0] :]) == told(other.decisions[since[1] :])
    assert shown(felt) == shown(other)


ENTRIES = st.sampled_from(
    [(each.do, dict(each.args)) for each in CASES.values() if each.do not in {"answer", "override"}]
)


@settings(deadline=None, max_examples=25)
@given(st.lists(ENTRIES, min_size=2, max_size=6), st.sampled_from([begun, flop_open, four_on_the_flop]))
def test_several_inputs_are_taken_back_one_after_the_other(entered: list[Any], before: Story) -> None:
    """Whatever was entered, in whatever order: as many undos as there are inputs lead back to where it began."""
    felt, other = Felt(), Felt()
    before(felt)
    before(other)
    for do, args in entered:
        felt.enter(do, **args)
    while felt.table.view()["undo"] != other.table.view()["undo"]:
        felt.enter("undo")
    for each in (felt, other):
        each.wait(1500)
    assert shown(felt) == shown(other)
    assert warned(felt) == warned(other)


def test_what_changed_nothing_is_not_taken_back() -> None:
    """The round was closed twice by a bouncing finger: one undo opens it again."""
    felt = Felt(betting="rounds")
    dealt(felt)
    felt.enter("round_closed").enter("round_closed")
    assert felt.table.view()["hand"]["round_open"] is False
    felt.enter("undo")
    assert felt.table.view()["hand"]["round_open"] is True
    assert felt.table.view()["undo"] is None


def test_an_input_of_a_hand_that_is_gone_stays() -> None:
    """The cards are gathered: the last action is history, and undo leaves the button where it moved to."""
    felt = Felt()
    flop_open(felt)
    felt.collect().collect()
    before = shown(felt)
    assert felt.table.view()["undo"] is None
    felt.enter("undo")
    assert shown(felt) == before


def test_a_step_that_was_seen_meanwhile_is_not_ticked_twice() -> None:
    """The dealer ticks the step that he sees; the antennas were quicker: the next step is still due."""
    felt = Felt(book="nl")
    taken_up(felt)
    [seen] = felt.table.view()["irregularities"]
    felt.wait(2500)
    [now] = felt.table.view()["irregularities"]
    assert (seen["step"], now["step"]) == (0, 1)
    felt.enter("step_done", irregularity=seen["id"], step=seen["step"])
    assert felt.table.view()["irregularities"] == [now]
    felt.enter("step_done", irregularity=now["id"], step=now["step"])
    assert felt.table.view()["irregularities"][0]["step"] == 2


def test_every_input_has_a_case() -> None:
    """Whatever the contract lets a dealer enter is taken back by one of the cases."""
    assert {case.do for case in CASES.values()} == set(INPUTS) - {"undo"}


STARTS: dict[str, tuple[tuple[str, dict[str, Any]], dict[str, Any]]] = {
    "button": (("button", {"seat": 3}), {}),
    "button, drawn": (("button", {"seat": 3, "drawn": True}), {}),
    "seats": (("seats", {"eligible": [2, 4, 5, 6]}), {}),
    "absent": (("absent", {"seat": 3}), AWAY),
    "straddle": (("straddle", {"seat": 5}), {}),
    "shuffle": (("shuffle_done", {}), {"confirms": ["shuffle"]}),
    "cut": (("cut_done", {}), {"confirms": ["cut"]}),
    "cut exposed": (("cut_exposed", {"count": 2}), {}),
    "game": (("game", {"name": "omaha"}), {}),
    "a game without a button": (("game", {"name": "stud5"}), {}),
    "deck": (("deck", {"id": "red"}), {}),
    "note": (("note", {"text": "camera"}), {}),
    "name": (("name", {"seat": 3, "text": "Anna"}), {}),
    "language": (("language", {"code": "nl"}), {}),
    "dealer": (("dealer", {"id": "anna"}), {}),
    "night": (("night", {"on": True}), {}),
    "damaged": (("damaged", {}), {}),
    "stub count": (("stub_count", {"count": 40}), {}),
}
"""What is entered for the next hand: each, and the table at which it matters."""


@pytest.mark.parametrize("second", [False, True], ids=["first hand", "second hand"])
@pytest.mark.parametrize("name", STARTS)
def test_what_was_entered_for_a_hand_is_taken_back_in_its_deal(name: str, *, second: bool) -> None:
    """The first cards show that it was wrong: undo has it still, the table goes on as if it had not been entered, and
    what it accused for it is cleared."""
    (do, args), table = STARTS[name]
    felt, other = Felt(**table), Felt(**table)
    for each in (felt, other):
        if second:
            plays_on(each.deal_all().wait(500))
            each.enter("hand_end").collect().collect()
    felt.enter(do, **args)
    order = other.table.setup.order()
    for each in (felt, other):
        each.wait(500).deal_round(order[:3]).wait(1500)
    assert felt.table.view()["undo"]["do"] == do
    felt.enter("undo")
    for each in (felt, other):
        each.wait(1500)
    assert shown(felt) == shown(other)
    assert warned(felt) == warned(other)
    since = len(felt.decisions), len(other.decisions)
    for each in (felt, other):
        each.deal_round([*order[3:], *order]).wait(2500)
        each.call_round().flop()
    assert told(felt.decisions[since[0] :]) == told(other.decisions[since[1] :])
    assert shown(felt) == shown(other)


def test_a_button_that_shows_itself_to_be_wrong_is_put_right() -> None:
    """The alarm of the first card is cleared by undo, and by entering the button anew, all within the deal."""
    for right in ({"do": "undo"}, {"do": "button", "seat": 6}):
        felt = Felt(betting="none").enter("button", seat=3)
        felt.deal(1)
        felt.deal(2)
        felt.wait(2500)
        assert felt.kinds() == ["wrong_first_seat"]
        felt.enter(**right)
        felt.wait(500)
        assert felt.table.view()["irregularities"] == []
        assert warned(felt) == Signals()


def test_what_was_entered_for_a_hand_stays_once_its_deal_is_done() -> None:
    """Then it is history: undo offers what was entered since, and nothing of before; nor does it after the hand."""
    felt = Felt().enter("button", seat=6).enter("cut_done")
    felt.deal_round((1, 2, 3))
    assert felt.table.view()["undo"] == {"do": "cut_done"}
    felt.deal_round((4, 5, 6, 1, 2, 3, 4, 5, 6)).wait(500)
    assert felt.table.view()["undo"] is None
    felt.acts((3, "fold")).enter("undo").enter("undo").wait(200)
    assert felt.table.view()["undo"] is None
    felt.enter("hand_end").enter("undo")
    assert felt.table.view()["undo"] is None
    felt.enter("hand_end").collect().collect()
    assert felt.table.view()["undo"] is None
