"""What each step of a remedy looks like on the felt.

Two kinds of sign: a *happening* (this card came to rest there, from the deck or from elsewhere) and a *state* (the seat
is empty, the round is closed). Some steps show in neither: bets go back, cards are scrambled, the deck is cut.

Owns: the physical meaning of every step, and what it changes in the hand once it is done.
Refuses: the order of the steps, and what it means that one was left out (`core.remedy`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tablectl.core.card import Card, Landing
from tablectl.core.decisions import Step
from tablectl.core.explanation import How
from tablectl.core.hand import Hand
from tablectl.layout import ASIDE, BURN, MUCK, SHOE, is_board, is_community, seat_of

SILENT = frozenset({"return_bets", "shuffle", "cut", "scramble", "pick", "call", "change_deck", "no_burn"})
"""Steps that need not show: they pass as soon as a later one is seen. A shuffle shows if its cards are seen to go."""
LOOSE = frozenset({"replace", "to_top", "to_burn", "kill", "remove", "aside"})
"""Steps that may be done before those in front of them: each is about cards of its own."""
ENTRY_OF = {"shuffle": "shuffle_done", "cut": "cut_done", "change_deck": "deck", "call": "call_floor"}
"""Steps that an input of the dealer confirms."""

HELD_UP_MS = 3000
"""A player looks at his cards for 1–3 s."""
OFF_BOARD_MS = 1500
"""A board card that is not read this long was taken away, not merely missed."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something a step may be waiting for: a card that came to rest (`zone`), or an input (`do`)."""

    t: int
    uid: str = ""
    zone: str = ""
    do: str = ""
    came_from: str | None = None
    """Where it came to rest before; None for a card from the deck."""

    @property
    def from_deck(self) -> bool:
        """A card left the deck and came to rest."""
        return bool(self.zone) and self.came_from is None


@dataclass(frozen=True, slots=True)
class Work:
    """One step of a remedy about these cards, at one moment of a hand."""

    step: Step
    cards: tuple[str, ...]
    hand: Hand
    now: int
    run: int = 1
    """The run of the board that the remedy is about."""
    replaced: bool = False
    """The remedy gives a seat another card, so that the one it had has been its turn in the order."""

    @property
    def do(self) -> str:
        """What is to be done."""
        return str(self.step["do"])

    @property
    def uid(self) -> str | None:
        """The card that the step names."""
        k = self.step.get("card")
        card = self.hand.numbered(k) if isinstance(k, int) else None
        return card.uid if card is not None else None

    def is_silent(self) -> bool:
        """The step need not show; where betting is not entered, neither need the end of a round."""
        return self.do in SILENT or (self.do == "finish_round" and self.hand.betting.mode == "none")

    def is_done_by(self, what: Happening) -> bool:
        """The happening is what the step asks for."""
        check = _DONE_BY.get(self.do)
        return check is not None and bool(what.zone) and check(self, what)

    def shows(self) -> bool:
        """The step shows in the state of the hand."""
        check = _SHOWS.get(self.do)
        return check is not None and check(self)

    def into_deck(self) -> tuple[str, ...]:
        """The cards that the step puts into the deck."""
        if self.do == "to_top":
            return self._to_top()
        if self.do != "shuffle":
            return ()
        what = str(self.step["what"]).removeprefix("stub").removeprefix("+")
        if what == "aside":
            aside = [
                card.uid for card in self.hand.cards.values() if card.zone == ASIDE and card.owner is None
            ]
            return tuple(dict.fromkeys([*self.cards, *aside]))
        if what == "muck":
            return tuple(card.uid for card in self.hand.cards.values() if card.zone == MUCK)
        key = self.hand.in_run(what, self.run)
        base, read = self.hand.base.streets.get(key, ()), self.hand.board.streets.get(key, ())
        return tuple(dict.fromkeys([*base, *read, *self.cards])) if base or read else ()

    def _to_top(self) -> tuple[str, ...]:
        """The card that goes back on top; of a street of stud that came too early all of them, from several seats."""
        if self.uid is None:
            return ()
        early = self.cards if self.hand.game.to_seats else ()
        seats = [card.uid for card in _known(self.hand, early) if card.owner is not None]
        return tuple(dict.fromkeys([self.uid, *seats]))

    def left_lying(self, but: str) -> bool:
        """A card that the step puts into the deck, other than that one, lies on the board, or aside, all the same."""
        zones = [card.zone for card in _known(self.hand, self.into_deck()) if card.uid != but]
        return any(zone is not None and (is_board(zone) or zone == ASIDE) for zone in zones)

    def carry_out(self, by: str = "") -> None:
        """What the step, done by that card if by any, changes for the rest of the hand."""
        hand = self.hand
        if self.do == "kill":
            hand.betting = hand.betting.kill(self.now, int(self.step["seat"]))
        elif self.do in {"shuffle", "to_top"}:
            self._put_back(by)
        elif self.do == "to_burn":
            self._burn(by)
        elif self.do == "remove":
            self._remove(by)
        elif self.do == "restore_order":
            self._count_where_they_lie()
        elif self.do == "swap":
            for card in _swapped(self):
                if card.zone is not None:
                    hand.correct(card, card.zone, card.since)

    def _put_back(self, by: str) -> None:
        """Cards that do not lie in play any more are in the deck."""
        for card in _known(self.hand, self.into_deck()):
            if not _lies(card) and (self.do == "to_top" or card.uid != by):
                card.removed = not self.replaced
                self.hand.back_in_deck(card)

    def _count_where_they_lie(self) -> None:
        """Hole cards that were brought to their seats are as if they had been dealt there."""
        for card in self.hand.cards.values() if out_of_order(self.hand) == () else ():
            if card.zone is not None and seat_of(card.zone) not in {None, card.owner}:
                self.hand.correct(card, card.zone, card.since)

    def _burn(self, by: str) -> None:
        """A card of a hand or the board is a burn from now on."""
        for card in _known(self.hand, [self.uid or by]):
            if card.zone != BURN:
                continue
            if card.owner is not None:  # as if it had gone over the deck
                card.removed = not self.replaced
                self.hand.back_in_deck(card)
                burn = Card(
                    card.uid, card.sort, card.token, card.since, from_shoe=False, zone=BURN, since=card.since
                )
                card = self.hand.cards[card.uid] = burn
            card.landing, card.counts_in = Landing(BURN, card.since, settled=True), BURN

    def _remove(self, by: str) -> None:
        """A card is out of play. If none but its replacement left the deck since, it took nobody's place."""
        for card in _known(self.hand, [self.uid or ""]):
            card.held = False
            card.removed = not any(
                each.out_at > card.out_at and each.uid != by for each in self.hand.cards.values()
            )


def _known(hand: Hand, uids: Iterable[str]) -> list[Card]:
    return [hand.cards[uid] for uid in uids if uid in hand.cards]


def _lies(card: Card) -> bool:
    return card.zone is not None and (is_community(card.zone) or seat_of(card.zone) is not None)


def _away(work: Work, uids: Iterable[str]) -> bool:
    """The cards lie in play no more, and are not merely held up or missed."""
    given, hand = tuple(uids), work.hand
    patience = {True: HELD_UP_MS, False: OFF_BOARD_MS}
    return bool(given) and not any(
        _lies(card) or (card.zone is None and work.now - card.since < patience[card.owner is not None])
        for card in _known(hand, given)
    )


def _collected(work: Work) -> bool:
    hand = work.hand
    return hand.announced and hand.emptied()


def _killed(work: Work) -> bool:
    """The seat's cards are in the muck, or gone for longer than a player would hold them up."""
    hand, seat = work.hand, int(work.step["seat"])
    cards = hand.at_seat(seat)
    if any(card.zone is not None and seat_of(card.zone) is not None for card in cards):
        return False
    gone = bool(cards) and all(work.now - card.since >= HELD_UP_MS for card in cards)
    return gone or hand.gone_from_seat(seat)


def _nothing_to_replace(work: Work) -> bool:
    """The seat has given up its hand meanwhile: its other cards lie in the muck, or the player folded."""
    hand, seat = work.hand, int(work.step["seat"])
    others = [card for card in hand.at_seat(seat) if card.uid not in work.cards]
    mucked = [card for card in others if card.zone in {MUCK, ASIDE}]
    gone = all(
        card in mucked or (card.zone is None and work.now - card.since >= HELD_UP_MS) for card in others
    )
    return hand.deal_done and bool(others) and gone and (bool(mucked) or seat in hand.betting.folded)


def _swapped(work: Work) -> list[Card]:
    """The cards that lie at another one of the seats than they were dealt to."""
    seats = set(work.step["seats"])
    cards = [card for card in work.hand.cards.values() if card.held and card.owner in seats and card.zone]
    return [card for card in cards if card.zone and seat_of(card.zone) in seats - {card.owner}]


def _is_swapped(work: Work) -> bool:
    """A card of each of the seats lies at another one of them."""
    return {card.owner for card in _swapped(work)} == set(work.step["seats"])


def out_of_order(hand: Hand) -> tuple[tuple[Card, int], ...] | None:
    """The cards of the opening deal that lie at another seat than the one whose turn it was, each with that seat.

    None where it cannot be told: a card went by that no antenna read, or one is not surely at rest. A card that is held
    up counts for the seat where it lay.
    """
    deal = hand.deal
    if deal is None or any(card.found for card in hand.cards.values()):
        return None
    cards = [hand.cards.get(reading.item.uid) for reading in deal.readings]
    seats = [seat_of(card.lies_at or "") if card is not None else None for card in cards]
    unseen = any(reading.how is How.UNSEEN for reading in deal.readings)
    if unseen or None in seats or len(cards) > len(hand.order) * hand.need:
        return None
    due = [hand.order[at % len(hand.order)] for at in range(len(cards))]
    dealt = zip(cards, seats, due, strict=True)
    return tuple((card, its) for card, seat, its in dealt if card is not None and seat != its)


def _in_order(work: Work) -> bool:
    """The first card of the street lies on the burn pile, and those that followed it on the board."""
    hand, street = work.hand, str(work.step["street"])
    if all(each.name != street for each in hand.game.streets):
        return out_of_order(hand) == ()
    key = hand.in_run(street, work.run)
    uids = [*hand.board.burns.get(key, ()), *hand.board.streets.get(key, ())]
    cards = sorted(_known(hand, uids), key=lambda card: (card.out_at, card.uid))
    size = hand.game.street(street).cards
    rest = cards[1 : 1 + size]
    if not rest or cards[0].zone != BURN:
        return len(cards) == 1 and cards[0].zone == BURN
    return all(card.zone is not None and is_board(card.zone) for card in rest)


def _burnt(work: Work) -> bool:
    """The card that the step names lies on the burn pile."""
    return any(card.zone == BURN for card in _known(work.hand, [work.uid or ""]))


def _becomes_burn(work: Work, what: Happening) -> bool:
    if work.step.get("card") is not None:
        return what.zone == BURN and what.uid == work.uid
    return what.zone == BURN and what.came_from is not None and is_board(what.came_from)


def _is_on_top(work: Work, what: Happening) -> bool:
    """The card is at the mouth of the shoe, and none that goes with it still lies at a seat."""
    given = work.into_deck()
    return (
        what.zone == SHOE
        and what.uid in given
        and not any(_lies(card) for card in _known(work.hand, given) if card.uid != what.uid)
    )


def _is_dealt(work: Work, what: Happening) -> bool:
    """A card from the deck for the board, or in stud for a seat."""
    to_seats = work.hand.game.to_seats
    return what.from_deck and (seat_of(what.zone) is not None if to_seats else is_board(what.zone))


def _street_is_over(work: Work) -> bool:
    """Stud: every seat has its card of the street, or the betting has gone on, so that one was not read."""
    part = work.hand.later.get(str(work.step["street"]))
    return part is not None and part.over_at is not None


def _replaces(work: Work, what: Happening) -> bool:
    """A further card for a seat that is full, or whose card is gone already."""
    seat, hand = int(work.step["seat"]), work.hand
    if not what.from_deck or seat_of(what.zone) != seat:
        return False
    dealt = sum(card.owner == seat for card in [*hand.cards.values(), *hand.returned])
    gone = any(card.owner == seat and not _lies(card) for card in _known(hand, work.cards))
    return dealt > hand.cards_by_now or gone


_DONE_BY: Mapping[str, Callable[[Work, Happening], bool]] = {
    "burn": lambda _, what: what.zone == BURN and what.from_deck,
    "to_burn": _becomes_burn,
    "deal": _is_dealt,
    "replace": _replaces,
    "to_top": _is_on_top,
    "remove": lambda work, what: what.zone in {MUCK, ASIDE} and what.uid == work.uid,
    "aside": lambda work, what: what.zone == ASIDE and what.uid in work.cards,
}

_SHOWS: Mapping[str, Callable[[Work], bool]] = {
    "collect": _collected,
    "finish_round": lambda work: work.hand.betting.closed_at(str(work.step["street"])) is not None,
    "aside": lambda work: _away(work, work.cards),
    "remove": lambda work: _away(work, [work.uid] if work.uid else []),
    "to_top": lambda work: _away(work, work.into_deck()),
    "deal": _street_is_over,
    "to_burn": _burnt,
    "restore_order": _in_order,
    "shuffle": lambda work: work.step["what"] != "stub+aside" and _away(work, work.into_deck()),
    "replace": _nothing_to_replace,
    "kill": _killed,
    "swap": _is_swapped,
}
