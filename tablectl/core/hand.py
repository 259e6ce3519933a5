"""One hand: which cards left the deck, where each came to rest, and what was entered.

Owns: the cards in play with their order `k`, the self-corrections, and the life of a hand

    waiting ──first card at rest──▶ dealing ──last card due──▶ betting ──over──▶ collecting ──▶ ended

Refuses: judging. What is irregular about it is found by `core.detector`, what follows by `core.rulebook`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tablectl.core.betting import Betting, Mode
from tablectl.core.card import FLIGHT_MS, SHORTEST_FLIGHT_MS, Card, Landing
from tablectl.core.entered import Entered, Setup
from tablectl.core.explanation import Explanation, How, Part, Reading
from tablectl.core.games import Game, Street
from tablectl.core.passages import Passed
from tablectl.core.streets import Base, BoardReading
from tablectl.core.succession import Due
from tablectl.layout import ASIDE, MUCK, SHOE, is_board, is_community, is_up, seat_of, seat_zone

PLAYED_ON_MS = 5000
"""Cards dealt this long after a misdeal or void was ruled: the dealer plays the hand out all the same."""
LONGEST_FLIGHT_MS = 1200
"""From the last read at the shoe to the first on the felt, for a card that is read well at both (assumption)."""
LONG_GONE_MS = 4000
"""A card that the shoe read last this long ago does not come from the deck just now."""


class Hand:
    """The state of one hand. Mutable; every change comes through a method named after what happened."""

    def __init__(self, number: int, setup: Setup, game: Game, mode: Mode, entered: Entered, t: int) -> None:
        self.number = number
        self.setup = setup
        self.game = game
        self.entered = entered
        self.started_at = t
        self.announced = False
        self.followed = True
        """False where its beginning was not seen: what follows from the order and the betting is not known."""
        self.ended = False
        self.order = setup.order(game.start)
        self.betting = Betting.start(mode, game, self.order, entered.straddles)
        self.cards: dict[str, Card] = {}
        self.returned: list[Card] = []
        """Cards that a remedy put back into the deck; one that comes again is another `Card`."""
        self.picked_up: tuple[str, ...] = ()
        """The cards of the hand before in the order in which they were picked up, if the same deck is dealt again."""
        self.passed: list[Passed] = []
        """What the optical sensor saw go by."""
        self.opening = Part(None, self.order, game.hole)
        self.later: dict[str, Part] = {}
        """Stud: the streets after the opening, as far as they have begun."""
        self.left_before: dict[str, frozenset[int]] = {}
        """Stud: the seats whose cards were gone when a street began, so that it passes them by …"""
        self.mucked_before: dict[str, frozenset[int]] = {}
        """… and those of them whose cards were seen in the muck."""
        self.board = BoardReading()
        self.board_basis: tuple[object, ...] = ()
        """Stud: what that was read from."""
        self.base = Base()
        self.pinned: dict[str, How] = {}
        self.corrected: set[str] = set()
        self.last_out = t
        self.last_action_at = -1
        self.relay_at: int | None = None
        """When the board is read anew from what lies there, after an outage of its antennas."""
        self.board_suspended = False
        """The floor rules on the board from here on: the usual order says nothing any more."""
        self.button_before: int | None = None
        """In a redeal: where the button was, and must be."""
        self.button_due: Due | None = None
        """In a hand that follows another one: where the button may lie, if that is known."""
        self.button_lay: int | None = None
        """Where a button with a tag of its own was taken to lie when the hand began."""
        self.voided = False
        """A misdeal or void governs the hand: cards going anywhere are being collected."""
        self.voided_at: int | None = None

    # --- who and where -------------------------------------------------------------------------------------

    @property
    def being_dealt(self) -> bool:
        """Its first cards are on their way or out, the deal is not done: who plays can still be put right."""
        return not self.ended and (not self.announced or not (self.deal_done or self.emptied()))

    def replay(self, game: Game) -> None:
        """Another game than supposed, while the deal is still on; `reseat` follows."""
        self.game, self.opening.need = game, game.hole

    def reseat(self, setup: Setup) -> None:
        """Other seats or another button than supposed, while the deal is still on."""
        self.setup = setup
        self.order = self.opening.order = setup.order(self.game.start)
        before = self.betting
        self.betting = Betting.start(before.mode, self.game, self.order, self.entered.straddles)
        for action in before.actions:
            self.betting = self.betting.act(action.t, action.seat, action.action, all_in=action.all_in)

    def lose_thread(self) -> None:
        """Its beginning, or what came between, was not seen: where its button is and what was shuffled is not known."""
        self.followed = False
        self.button_due = self.button_before = None
        self.picked_up = ()
        self.reseat(replace(self.setup, button=None))

    @property
    def may_get_two(self) -> int | None:
        """The button's seat, which may get two cards in a row (TDA 35-B); None in stud, which knows no such rule."""
        return self.setup.button if self.game.has_button and not self.game.to_seats else None

    @property
    def streets(self) -> tuple[Street, ...]:
        """The streets after the opening as they are dealt; those that are run again are in it once for each run."""
        runs = self.entered.runs
        return self.game.streets if runs is None else runs.streets

    @property
    def run(self) -> int:
        """Which run of the board the last street belongs to: 1 unless it is run more than once."""
        return self.streets[self.board.current].run if self.board.current >= 0 else 1

    def board_of(self, run: int) -> list[tuple[int, Street]]:
        """The streets of the board in that run, each with its place in `streets`; those before it are common to all."""
        # Of a street that was run again since, the latest one up to that run.
        latest = {each.name: (at, each) for at, each in enumerate(self.streets) if each.run <= run}
        return list(latest.values())

    def in_run(self, name: str, run: int) -> str:
        """The key of the street of that name in that run."""
        return next((each.key for _, each in self.board_of(run) if each.name == name), name)

    @property
    def need(self) -> int:
        """Hole cards a seat must get."""
        return self.game.hole

    @property
    def cards_by_now(self) -> int:
        """Cards that a seat has got when it has had its card of every part of the deal that has begun."""
        return self.need + len(self.later)

    @property
    def parts(self) -> Iterator[Part]:
        """The opening, and in stud the later streets."""
        yield self.opening
        yield from self.later.values()

    @property
    def deal(self) -> Explanation | None:
        """The explanation of the opening deal."""
        return self.opening.explanation

    @property
    def dealt_at(self) -> int | None:
        """When the last card of the opening deal came to rest."""
        return self.opening.dealt_at

    @property
    def deal_closed_at(self) -> int | None:
        """When the dealer went on without completing the opening deal."""
        return self.opening.closed_at

    def readings(self) -> Iterator[Reading]:
        """How every card that was dealt to the seats is explained."""
        for part in self.parts:
            yield from part.readings

    @property
    def deal_done(self) -> bool:
        """The initial deal is complete, or the dealer has gone on without completing it."""
        return self.deal_over_at is not None

    @property
    def deal_over_at(self) -> int | None:
        """When the initial deal was complete, or the dealer went on without completing it, ms."""
        return self.opening.over_at

    @property
    def over_at(self) -> int | None:
        """When the hand was decided: the last fold, or the dealer's word."""
        times = [t for t in (self.betting.over_at, self.entered.ended_at) if t is not None]
        return min(times) if times else None

    @property
    def played(self) -> bool:
        """It surely came to its end: the last fold, a showdown, or the dealer's word."""
        return self.over_at is not None or self.entered.showdown_at is not None

    @property
    def settled_history(self) -> bool:
        """Cards are moved by hand from here on: what lies elsewhere now takes nothing back."""
        return (
            self.voided
            or self.board_suspended
            or self.over_at is not None
            or self.entered.showdown_at is not None
        )

    @property
    def given_up(self) -> bool:
        """The hand is dealt again: by a ruling that the dealer followed, or because he gave up in mid-deal."""
        if self.voided and self.voided_at is not None:
            return not self._dealt_since(self.voided_at + PLAYED_ON_MS)
        return self.followed and not self.deal_done

    def _dealt_since(self, t: int) -> bool:
        """A card was dealt after `t` (ms). One that only left the shoe was picked up with the stub."""
        landed = ((card.out_at, card.landing) for card in self.cards.values())
        return any(out_at > t and landing is not None and landing.zone != MUCK for out_at, landing in landed)

    def in_order(self) -> list[Card]:
        """The cards in the order in which they left the deck."""
        return sorted(self.cards.values(), key=lambda card: (card.out_at, card.uid))

    def dealt_cards(self) -> list[Card]:
        """The same with those that went back into the deck since."""
        return sorted([*self.cards.values(), *self.returned], key=lambda card: (card.out_at, card.uid))

    def numbered(self, k: int) -> Card | None:
        """The k-th card off the deck; None if it has no number yet."""
        return next((card for card in (*self.cards.values(), *self.returned) if card.k == k), None)

    def has_number(self, k: int) -> bool:
        """So many cards have left the deck, those included that have no tag."""
        return 1 <= k <= self._numbers_given()

    def dealt_before(self, uid: str) -> int:
        """When a card that went back into the deck had come to rest before, ms; what was read earlier is of then."""
        return max((c.landing.since for c in self.returned if c.uid == uid and c.landing), default=-1)

    def at_seat(self, seat: int) -> list[Card]:
        """The cards dealt to a seat that are still held."""
        return [card for card in self.cards.values() if card.held and card.owner == seat]

    def in_zone(self, zone: str) -> list[Card]:
        """The cards that lie in a zone now."""
        return [card for card in self.cards.values() if card.zone == zone]

    def on_board(self) -> list[Card]:
        """The cards that lie on the board now, in the order of their landing."""
        # A hole card shown across the table may be read there too: it is no card of the board.
        lying = [
            card for card in self.cards.values() if card.zone and is_board(card.zone) and card.owner is None
        ]
        return sorted(lying, key=lambda card: (card.since, card.uid))

    @property
    def outstanding(self) -> list[Card]:
        """Cards that left the deck and have not come to rest anywhere yet."""
        return [card for card in self.cards.values() if card.landing is None and card.held]

    @property
    def in_flight(self) -> bool:
        """Some card has left the deck and is not surely at rest yet: what it will show is not known."""
        return self.in_flight_since(-1) is not None

    def in_flight_since(self, end: int) -> int | None:
        """When such a card left the deck, ms: the first one, if before `end` (-1: at any time)."""
        left = [
            c.out_at for c in self.cards.values() if c.held and (c.landing is None or not c.landing.settled)
        ]
        first = min(left, default=None)
        return first if first is not None and (end < 0 or first < end) else None

    def emptied(self) -> bool:
        """No card of this hand lies at a seat or on the board."""
        return not any(
            card.zone is not None and (seat_of(card.zone) is not None or is_board(card.zone))
            for card in self.cards.values()
        )

    # --- what the cards did --------------------------------------------------------------------------------

    def left_shoe(self, card: Card) -> None:
        """A card left the deck and is on its way."""
        card.left = True
        self.cards.setdefault(card.uid, card)
        self.last_out = max(self.last_out, card.out_at)

    def placed(self, card: Card, zone: str, since: int, t: int, *, settled: bool) -> None:
        """A card came to rest, as is known now (`t`); the first place of rest is its landing."""
        first = self.cards.setdefault(card.uid, card) is card and card.landing is None
        if first:
            self.last_out = max(self.last_out, card.out_at)
        # A card first found in the muck was dealt somewhere else: the next place of rest tells where.
        provisional = card.landing is None or not card.landing.settled or card.landing.zone in {MUCK, ASIDE}
        if provisional:
            if zone == SHOE:
                return
            card.landing = Landing(zone, since, settled)
            self._date(card, zone, since)
        if settled:
            if zone not in {MUCK, ASIDE}:
                card.mucked_since = None
            elif card.mucked_since is None:
                # Read in the muck before it was missed at its seat, it was not there yet.
                card.mucked_since = max(since, card.since) if card.zone is None else t
            card.zone, card.since = zone, since
            card.lay_in, card.arrived = zone, since
            if card.owner is None and is_community(zone):
                card.counts_in = zone
            card.held = zone != SHOE

    def _date(self, card: Card, zone: str, since: int) -> None:
        """When a card left the deck, by the shoe's reads and its landing; or that nobody can know."""
        if not card.from_shoe:
            return
        over = self.deal_over_at
        if is_community(zone):
            of_the_deal = card.left and over is not None and card.out_at < over
            if of_the_deal or since - card.shoe_read > LONG_GONE_MS:
                card.found = True  # it lay somewhere unread meanwhile
                return
            if not card.left and since - card.shoe_read > LONGEST_FLIGHT_MS:
                # Between two streets the next card may have been read long ago, from behind another one.
                card.out_at = since - FLIGHT_MS
                return
        # The shoe's antenna may read a card that lies near it; it left before it came to rest all the same.
        card.out_at = min(card.shoe_read, since - SHORTEST_FLIGHT_MS)

    def revise(self, card: Card, zone: str, since: int) -> None:
        """Its first place was no place of rest after all: it only passed over it, slowly."""
        card.landing = Landing(zone, since, settled=True)
        card.counts_in = None
        self.pinned.pop(card.uid, None)

    def unplaced(self, card: Card) -> None:
        """A card that probably lay there does not."""
        if card.landing is not None and not card.landing.settled:
            card.landing = None

    def lifted(self, card: Card, since: int) -> None:
        """A card is not read any more where it lay."""
        card.zone, card.since = None, since

    def correct(self, card: Card, zone: str, since: int) -> None:
        """A card reached its right place in time: what happened before does not count."""
        self.corrected.add(card.uid)
        self.pinned.pop(card.uid, None)
        if zone == SHOE:
            del self.cards[card.uid]
        else:
            card.landing = Landing(zone, since, settled=True)

    def give_number(self, card: Card) -> None:
        """Gives the card its `k`: the next one, or the one that was kept for it while its tag was not read."""
        kept = next((each for each in self.passed if each.uid == card.uid and each.k is not None), None)
        if kept is not None:
            card.k, kept.k = kept.k, None
            return
        before = [each.t for each in self.passed if each.uid == card.uid]
        self.keep_numbers(before[-1] if before else -1)
        card.k = self._numbers_given() + 1

    def keep_numbers(self, until: int) -> None:
        """What went by without a tag until then (ms) is a card of the deal and has its place in the order, too."""
        for each in self.passed:
            if each.t < until and each.uid is None and each.k is None:
                each.k = self._numbers_given() + 1

    def _numbers_given(self) -> int:
        kept = (each.k for each in self.passed if each.uid is None)
        return max((k for k in (*kept, *(c.k for c in self.dealt_cards())) if k is not None), default=0)

    def back_in_deck(self, card: Card) -> None:
        """A remedy put the card back into the deck: if it comes again, it is dealt again."""
        if self.cards.get(card.uid) is card:
            del self.cards[card.uid]
            card.held = False
            self.returned.append(card)
            self.pinned.pop(card.uid, None)
            self.base = replace(self.base, settled=self.base.settled - {card.uid})

    # --- counts --------------------------------------------------------------------------------------------

    def held(self) -> dict[int, int]:
        """Cards per seat, dealt minus returned."""
        counts = dict.fromkeys(self.order, 0)
        for card in self.cards.values():
            if card.held and card.owner is not None and card.landing and card.landing.settled:
                counts[card.owner] = counts.get(card.owner, 0) + 1
        return counts

    def held_by(self, part: Part) -> dict[int, int]:
        """Cards per seat, those of later parts of the deal left out."""
        counts = self.held()
        parts = list(self.parts)
        after = parts[parts.index(part) + 1 :]
        for reading in (reading for each in after for reading in each.readings):
            card = self.cards.get(reading.item.uid)
            if card is not None and card.held and card.owner is not None and reading.item.settled:
                counts[card.owner] -= 1
        return counts

    def need_in(self, part: Part) -> int:
        """Cards that a seat must have once it has got those of this part."""
        return self.need + list(self.parts).index(part)

    def cards_on(self, street: Street) -> int:
        """How many cards the street has when it is complete; in stud one for each seat still in."""
        if not self.game.to_seats:
            return street.cards
        part = self.later.get(street.name)
        return street.cards * len(part.order if part is not None else self.betting.live)

    def up_at(self, seat: int) -> int | None:
        """Cards of the opening that lie where the seat's up cards lie; None where no antenna tells up from down."""
        dealt = [self.cards.get(reading.item.uid) for reading in self.opening.readings]
        landings = [card.landing for card in dealt if card is not None and card.held and card.owner == seat]
        faces = [is_up(landing.zone) for landing in landings if landing is not None and landing.settled]
        known = [face for face in faces if face is not None]
        return sum(known) if known else None

    def counts(self) -> dict[str, int]:
        """Cards dealt per zone, for the record of the hand."""
        out: dict[str, int] = {}
        for card in self.in_order():
            if card.landing is not None and card.landing.settled:
                zone = card.counts_in or card.landing.zone
                out[zone] = out.get(zone, 0) + 1
        return dict(sorted(out.items()))

    def sequence(self) -> tuple[tuple[int, str], ...]:
        """(k, zone) of every card that came to rest, by k."""
        landed = [
            (c.k, c.landing.zone) for c in self.dealt_cards() if c.k is not None and c.landing is not None
        ]
        return tuple(sorted(landed))

    def due_place(self, uid: str) -> str | None:
        """The zone of the seat that was due a card, if it lies at another one."""
        for reading in self.readings():
            if reading.item.uid == uid and reading.due is not None and reading.item.seat != reading.due:
                return seat_zone(reading.due)
        return None

    def gone_from_seat(self, seat: int) -> bool:
        """All cards of a seat have left it for the muck or the aside, at least one of them seen there."""
        cards = self.at_seat(seat)
        return (
            bool(cards)
            and any(card.zone in {MUCK, ASIDE} for card in cards)
            and not any(card.zone is not None and seat_of(card.zone) is not None for card in cards)
        )
