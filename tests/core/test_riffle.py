"""Was the deck shuffled? The order of picking up against that of dealing: the law, the question, who is asked."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import factorial

import pytest
from felt import Felt
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.riffle import adjacencies_of, p_value

P = 1e-6


@pytest.mark.parametrize("cards", range(1, 8))
def test_the_law_is_exact(cards: int) -> None:
    """Every order of up to seven cards, counted one by one."""
    counts = [sum(abs(a - b) == 1 for a, b in pairwise(order)) for order in permutations(range(cards))]
    for least in range(cards + 1):
        expected = sum(count >= least for count in counts) / factorial(cards)
        assert p_value(cards, least) == pytest.approx(expected, abs=1e-15)


def test_all_together_is_as_improbable_as_it_looks() -> None:
    """Two orders in n!, forwards and backwards."""
    assert p_value(12, 11) == pytest.approx(2 / factorial(12))
    assert p_value(20, 0) == 1.0


@given(st.permutations(range(20)), st.integers(0, 19), st.integers(1, 20))
def test_neither_a_cut_nor_turning_the_pile_matters_much(order: list[int], cut: int, known: int) -> None:
    """A cut parts one pair of neighbours at most, and turning the whole pile none."""
    picked_up = [str(n) for n in range(20)]
    dealt = [str(n) for n in order][:known]
    cards, kept = adjacencies_of(picked_up, dealt)
    assert adjacencies_of(picked_up, dealt[::-1]) == (cards, kept)
    where = cut % known
    assert abs(adjacencies_of(picked_up, dealt[where:] + dealt[:where])[1] - kept) <= 1


def played(*, every: int = 1, **options: object) -> Felt:
    """A hand to the river, gathered; then the deck comes as it was picked up, or of that every so-manyth card."""
    felt = Felt(shuffle_p=P, **options).deal_all()  # type: ignore[arg-type]
    felt.call_round().flop().call_round().street().call_round().street().call_round().enter("hand_end")
    picked_up: list[str] = []
    for zone in (3, 4, "board", 5, 6, 1, 2, "burn"):
        picked_up += felt.at(zone)  # type: ignore[arg-type]
        felt.move(zone, "muck").wait(600)  # type: ignore[arg-type]
    deck = [*picked_up, *felt.stub]
    felt.lying.clear()
    felt.stub, felt.dealt = [deck[every * n % 52] for n in range(52)], []
    return felt.wait(3000)


def dealt_again(felt: Felt) -> Felt:
    """The next deal, from the button's new left."""
    return felt.deal_round([2, 3, 4, 5, 6, 1] * 2).wait(300)


def asked(felt: Felt) -> list[dict[str, object]]:
    """The questions about the shuffle."""
    return [d for d in felt.of("question") if d["fact"] == "shuffled"]


def test_an_unshuffled_deck_is_asked_about_with_its_p_value() -> None:
    """The dealer confirmed a shuffle; the cards say otherwise: a suspicion and a question, nobody is accused."""
    felt = dealt_again(played())
    [suspicion] = felt.of("suspicion")
    assert suspicion["kind"] == "not_shuffled"
    assert 0 < suspicion["p"] <= P
    [question] = asked(felt)
    assert (question["event"], question["choices"]) == ("asked", [True, False])
    assert (felt.kinds(), felt.rulings()) == ([], [])


def test_the_dealer_says_that_he_shuffled() -> None:
    """The suspicion goes, and does not come back."""
    felt = dealt_again(played()).enter("answer", question="shuffled", value=True).wait(500)
    assert [d["why"] for d in felt.of("cleared")] == ["withdrawn"]
    felt.call_round().flop()
    assert felt.kinds() == []
    assert len(asked(felt)) == 2  # asked, answered


@pytest.mark.parametrize(("book", "rule"), [("nl", ("NL-M1", "misdeal")), ("pl", (None, "floor"))])
def test_the_dealer_says_that_he_did_not(book: str, rule: tuple[str | None, str]) -> None:
    """Now it is an irregularity, and the book rules."""
    felt = dealt_again(played(book=book)).enter("answer", question="shuffled", value=False).wait(300)
    assert felt.kinds() == ["not_shuffled"]
    assert felt.rulings()[-1] == rule


def test_a_shuffled_deck_is_not_asked_about() -> None:
    """Every 17th card: no neighbours are left together."""
    assert dealt_again(played(every=17)).of("suspicion") == []


def test_another_deck_says_nothing_of_this_one() -> None:
    """The decks were exchanged; nothing is known of the order in which the other one was picked up."""
    felt = dealt_again(played().enter("deck", id="red"))
    assert "not_shuffled" not in {d["kind"] for d in felt.of("suspicion")}


def test_it_is_off_unless_it_is_wished() -> None:
    """Without a limit nothing is compared."""
    felt = played()
    object.__setattr__(felt.table.setting, "shuffle_p", 0.0)
    assert dealt_again(felt).of("suspicion") == []


def test_a_shuffle_that_was_not_confirmed_is_told_once() -> None:
    """What is missing on the display is an irregularity already; the cards need not be asked about."""
    felt = dealt_again(played(confirms=("shuffle",)))
    assert [d["kind"] for d in felt.of("irregularity") if d["hand"] == 2] == ["not_shuffled"]
    assert asked(felt) == []


def test_the_check_is_off_only_where_nothing_tells_of_the_shuffle() -> None:
    """Neither confirmed nor asked about: off, and listed so; with either of the two it is not."""
    tables = (Felt(), Felt(confirms=["shuffle"]), Felt(shuffle_p=1e-6))
    assert ["not_shuffled" in felt.table.view()["checks_off"] for felt in tables] == [True, False, False]
