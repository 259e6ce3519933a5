"""Laws of the deal, for any number of players, any button and any slip."""

from __future__ import annotations

from felt import Felt
from hypothesis import assume, given, settings
from hypothesis import strategies as st

TABLES = st.integers(2, 10).flatmap(
    lambda seats: st.tuples(
        st.just(seats),
        st.sets(st.integers(1, seats), min_size=2).map(sorted),
        st.integers(1, seats),
    )
)


def table(seats: int, eligible: list[int], button: int) -> Felt:
    """A table with these seats in play."""
    return Felt(seats, betting="none").enter("seats", eligible=eligible).enter("button", seat=button)


@settings(max_examples=25, deadline=None)
@given(TABLES)
def test_any_correct_deal_is_silent_and_numbered_in_order(setting: tuple[int, list[int], int]) -> None:
    """Whoever plays and wherever the button is: clockwise from its left, twice round, is right."""
    felt = table(*setting)
    order = felt.table.setup.order()
    felt.deal_all().wait(1500)
    assert felt.kinds() == []
    assert felt.of("suspicion") == []
    assert [(d["k"], d["zone"]) for d in felt.of("deal")] == [
        (k, f"seat:{seat}") for k, seat in enumerate([*order, *order], 1)
    ]


@settings(max_examples=25, deadline=None)
@given(TABLES.filter(lambda s: len(s[1]) >= 4), st.data())
def test_one_card_gone_astray_is_one_slip(setting: tuple[int, list[int], int], data: st.DataObject) -> None:
    """One card of the first round goes to any other seat; the dealer deals on: one irregularity, at that card."""
    felt = table(*setting)
    order = list(felt.table.setup.order())
    at = data.draw(st.integers(0, len(order) - 1), label="card")
    wrong = data.draw(st.sampled_from([seat for seat in order if seat != order[at]]), label="seat")
    felt.deal_round([*order[:at], wrong, *order[at + 1 :]]).deal_round(order).wait(2500)
    [found] = felt.of("irregularity")
    assert (found["seat"], found["expected"], found["k"]) == (wrong, order[at], at + 1)
    assert found["kind"] == ("wrong_first_seat" if at == 0 else "wrong_seat")


@settings(max_examples=25, deadline=None)
@given(TABLES.filter(lambda s: len(s[1]) >= 4), st.data())
def test_one_seat_passed_over_is_one_slip(setting: tuple[int, list[int], int], data: st.DataObject) -> None:
    """Any seat but the first and the last is passed over in one of the rounds: one irregularity, at that seat."""
    felt = table(*setting)
    order = list(felt.table.setup.order())
    at = data.draw(st.integers(1, len(order) - 2), label="seat")
    short = [*order[:at], *order[at + 1 :]]
    rounds = [short, order] if data.draw(st.booleans(), label="first round") else [order, short]
    felt.deal_round(rounds[0]).deal_round(rounds[1]).wait(2500)
    [found] = felt.of("irregularity")
    assert (found["kind"], found["expected"]) == ("seat_skipped", order[at])


@settings(max_examples=20, deadline=None)
@given(TABLES, st.data())
def test_cards_lie_in_one_place_each(setting: tuple[int, list[int], int], data: st.DataObject) -> None:
    """Whatever is pushed about after the deal, every card is counted once."""
    felt = table(*setting).deal_all()
    for _ in range(data.draw(st.integers(1, 6), label="moves")):
        card = data.draw(st.sampled_from(felt.dealt), label="card")
        felt.put(card, data.draw(st.sampled_from([None, "muck", "burn", *setting[1]]), label="to"))
        felt.wait(data.draw(st.sampled_from([100, 700, 2000]), label="ms"))
    felt.wait(1500)
    assume(felt.table.hand is not None)  # once all hands are in the muck the hand is over
    view = felt.table.view()
    counted = sum(seat["cards"] for seat in view["seats"]) + view["burn"] + view["muck"] + view["board"]
    assert counted == len(felt.lying)
