"""Was the deck shuffled? The order of the cards dealt against the order in which they were picked up.

Theory. Whoever does not shuffle leaves neighbours together: cards that were picked up one after the other are dealt one
after the other, forwards or backwards, whatever was cut and in whichever order packets were laid. So the statistic is
the number of *adjacencies*: of the n cards known from both hands, how many pairs dealt next to one another were also
picked up next to one another (those n alone, in either direction). A rank correlation would be undone by a single cut.
Under a uniformly random order its law is known exactly. With B(j) = Σ_c C(j−1, c−1) C(n−j, c) 2^c (n−j)!, the orders
in which j chosen pairs stay together, summed over all choices in c runs, inclusion and exclusion give

    P(S ≥ s) = Σ_{j ≥ s} (−1)^(j−s) C(j−1, s−1) B(j) / n!

Owns: the order of picking up, the statistic and its p-value. Refuses: accusing. A shuffle by hand is no random order
either, and a small p-value is a reason to ask the dealer, no more (`Finding.asks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import comb, factorial

from tablectl.core.card import Card
from tablectl.core.finding import Finding, Scene
from tablectl.core.hand import Hand
from tablectl.layout import SHOE

USUAL_P = 1e-6
"""Where a shoe reads the order: below this p-value the dealer is asked. Of simulated casino shuffles (riffle, riffle,
strip, riffle, cut) none in 1500 came so low, of decks that were not shuffled all whose cards came up again.
"""
LEAST_CARDS = 8
"""Fewer common cards cannot tell an unshuffled deck from chance: 2 in 8! is one in twenty thousand."""


def order_kept(scene: Scene) -> Iterator[Finding]:
    """The cards come in the order in which they were picked up: was the deck shuffled?"""
    hand, limit = scene.hand, scene.setting.shuffle_p
    told = "shuffle" in scene.setting.confirms and not hand.entered.shuffled
    if not limit or told or not hand.announced or not hand.picked_up:
        return
    dealt = [card.uid for card in hand.dealt_cards() if card.landing is not None]
    cards, adjacencies = adjacencies_of(hand.picked_up, dealt)
    p = p_value(cards, adjacencies) if cards >= LEAST_CARDS else 1.0
    if p <= limit:
        fields = {"p": p, "count": adjacencies, "need": cards}
        yield Finding(
            ("order kept",), "not_shuffled", fields, since=hand.started_at, confirmed=False, asks="shuffled"
        )


def pick_up_order(hand: Hand) -> tuple[str, ...]:
    """The cards of a hand that is over, in the order in which they were picked up.

    Piles are taken up one after the other, each as it lies: within a pile the cards keep the order in which they came
    to it.
    """
    last: dict[str, int] = {}
    piles: dict[str, list[Card]] = {}
    for card in hand.cards.values():
        if card.lay_in is not None and card.lay_in != SHOE:
            piles.setdefault(card.lay_in, []).append(card)
            last[card.lay_in] = max(last.get(card.lay_in, 0), card.since)
    order = sorted(piles, key=lambda zone: (last[zone], zone))
    return tuple(
        card.uid for zone in order for card in sorted(piles[zone], key=lambda card: (card.arrived, card.uid))
    )


def adjacencies_of(picked_up: Sequence[str], dealt: Sequence[str]) -> tuple[int, int]:
    """(cards in both, pairs of neighbours that stayed neighbours among them)."""
    both = set(picked_up) & set(dealt)
    place = {uid: at for at, uid in enumerate(uid for uid in picked_up if uid in both)}
    ranks = [place[uid] for uid in dealt if uid in both]
    return len(both), sum(abs(one - other) == 1 for one, other in pairwise(ranks))


@cache
def p_value(cards: int, adjacencies: int) -> float:
    """P(so many adjacencies or more) in a random order of so many cards, exact but for the last rounding."""
    if adjacencies <= 0:
        return 1.0
    total = sum(
        (-1) ** (j - adjacencies) * comb(j - 1, adjacencies - 1) * _glued(cards, j)
        for j in range(adjacencies, cards)
    )
    return float(total / factorial(cards))  # of whole numbers: rounded once


def _glued(cards: int, pairs: int) -> int:
    """The orders in which so many chosen neighbours stay together, summed over all ways of choosing them."""
    runs = range(1, min(pairs, cards - pairs) + 1)
    ways = sum(comb(pairs - 1, run - 1) * comb(cards - pairs, run) * 2**run for run in runs)
    return int(ways) * factorial(cards - pairs)
