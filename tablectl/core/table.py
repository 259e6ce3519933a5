"""One table: `step(sensed) -> decisions`, the whole straight line from sightings to rulings.

    Sweep ─▶ Sightings ─▶ Tracker ─▶ Hand ─▶ reading, detector ─▶ Docket (rulebook, remedy) ─▶ decisions
    Entry ───────────────────────────▲

Owns: the order of these stages, the life of hands, and the dealer's inputs.
Refuses: clocks and I/O. Time is the `t` of what was sensed; the end of the input decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tablectl.cards import Deck, find_deck
from tablectl.core import detector, hands, passages, strange
from tablectl.core.account import facts_of
from tablectl.core.arrivals import FIRST_CARDS_MS, Arrivals
from tablectl.core.away import Away
from tablectl.core.button import Button
from tablectl.core.decisions import Deal, Decision, Degraded, Restored
from tablectl.core.docket import Docket
from tablectl.core.entered import Entered, Setup
from tablectl.core.finding import Scene
from tablectl.core.games import game_of
from tablectl.core.hand import Hand
from tablectl.core.handover import Handover
from tablectl.core.handwork import Happening
from tablectl.core.inputs import ENTER
from tablectl.core.laying import lay_anew, suspend_board
from tablectl.core.listed import Ids
from tablectl.core.reading import explain
from tablectl.core.rulebook import Rulebook
from tablectl.core.sense import Sense
from tablectl.core.sensed import AntennaHealth, Entry, Found, Gap, Lost, Passage, Sensed, Sweep
from tablectl.core.served import served_seats
from tablectl.core.settings import Setting, checks_of
from tablectl.core.shoe import Shoe
from tablectl.core.sightings import Sightings, Trust
from tablectl.core.succession import Held
from tablectl.core.track import Lifted, Movement, Placed, Unplaced
from tablectl.core.tracker import Tracker
from tablectl.core.undo import Look, Undo
from tablectl.core.unseen import Unseen
from tablectl.core.view import view_of
from tablectl.layout import BURN, SHOE, is_community

PATIENCE = 1.2
"""How much later each time a hand is read again while nothing has changed."""
MOST_PATIENCE = detector.LATER_MS / detector.SOON_MS
RELAY_MS = 1500
"""After an outage the board and the burns are read anew once they have been looked at for this long."""


class Table:
    """The state of one table. `step` is its only way in, decisions and `view` its only ways out."""

    def __init__(self, setting: Setting, book: Rulebook) -> None:
        self.setting = setting
        self.book = book
        self.game = game_of(setting.game, setting.dealt_by)
        self.language = setting.language
        self.night = setting.night
        self.dealer: str | None = None
        self.dealers: tuple[str, ...] = ()
        """Who has dealt here since the start, the last one first."""
        self.deck: Deck | None = find_deck(setting.decks, setting.active_deck)
        self.sightings = Sightings(setting.layout, self._enrolled, setting.button_tags)
        self.tracker = Tracker(setting.layout, setting.calibration)
        self.button = Button(self.tracker.experience.levels)
        self.shoe = Shoe()
        self.sense = Sense(
            setting.layout, self.tracker, self.shoe, self.sightings.degraded, self.sightings.outages
        )
        self.setup = Setup(tuple(range(1, setting.layout.seats + 1)), None)
        self.names: Mapping[int, str] = dict(setting.names)
        """Seat → what the display calls whoever sits there."""
        self.hand: Hand | None = None
        self.docket: Docket | None = None
        self.now = 0
        self.hands = 0
        self.floor_called = False
        self.entered = Entered()
        self.arrivals = Arrivals(self.sense, self._sort, setting.timing.correct_ms)
        self.unseen = Unseen(self)
        self.handover = Handover(self.shoe, self.tracker, self.unseen.watch, setting.timing)
        self.undo = Undo()
        self._reread_at: int | None = None
        self._patience = 1.0
        self.optical = False
        """An optical sensor at the mouth of the shoe has reported."""
        self.picked_up: tuple[Deck | None, tuple[str, ...]] = (None, ())
        """The deck of the hand before, and its cards in the order in which they were picked up."""
        self.waiting_passed: list[passages.Passed] = []
        self.ids = Ids()
        self._happenings: list[Happening] = []
        self.redeal: tuple[Docket, int | None] | None = None
        self.held: Held | None = None
        """The last hand that was dealt from the button, from which the button moves on."""
        self.away: Away | None = None

    # --- the way in ----------------------------------------------------------------------------------------

    def step(self, event: Sensed) -> tuple[Decision, ...]:
        """Takes what was sensed; returns what follows from it, in order."""
        self.now = max(self.now, event.t)
        out: list[Decision] = []
        changed, before = False, None
        match event:
            case Sweep():
                out += self._trusted(self.sightings.trust(event))
                changed = self._sweep(event, out)
            case Entry():
                before = Look.at(self)
                self._enter(event, out)
                changed = True
            case Lost() | Found() | AntennaHealth():
                out += self._trusted(self.sightings.trust(event))
                changed = True
            case Gap():
                pass  # looks that did not arrive prove nothing, and take nothing back of those that did
            case Passage():
                changed = self._passed(event)
        if self.hand is not None and (
            changed or (self._reread_at is not None and self.now >= self._reread_at)
        ):
            # While nothing happens the hand is read again less and less often.
            self._patience = 1.0 if changed else min(self._patience * PATIENCE, MOST_PATIENCE)
            self._refresh(out)
        if before is not None and isinstance(event, Entry) and event.do != "undo":
            self.undo.keep(event, before, self)
        return tuple(out)

    def view(self) -> dict[str, Any]:
        """The table as `/state` shows it; no identity of a face-down card is in it."""
        return view_of(self)

    @property
    def acknowledged(self) -> frozenset[str]:
        """The ids of the irregularities that the dealer has acknowledged."""
        entries = self.docket.entries if self.docket is not None else []
        return frozenset(entry.id for entry in entries if entry.acknowledged)

    def served(self) -> frozenset[int]:
        """The seats that have all their cards of the deal, until the hand goes on."""
        return served_seats(self.hand, self.now)

    # --- sightings and movements ---------------------------------------------------------------------------

    def _sweep(self, sweep: Sweep, out: list[Decision]) -> bool:
        changed = at_shoe = False
        hand = self.hand
        self.tracker.pitching = hand is None or not hand.deal_done or hand.game.to_seats
        for look in self.sightings.looks(sweep):
            if self.setting.button_tags:
                self.button.look(look)
            if look.zone == SHOE:
                self.shoe.look(look)
                at_shoe = True
            self.unseen.look(look.zone, look.t)
            for movement in self.tracker.look(look):
                self._moved(movement, out)
                changed = True
        if at_shoe and self.hand is not None and not self.hand.ended:
            changed = self.arrivals.leave_shoe(self.hand, self.now, self.handover) or changed
        if self.hand is None or self.hand.ended:
            self.button_lies(self.button.moved_to())
        return changed

    def button_lies(self, seat: int | None) -> None:
        """Its own tag was read at a seat: there it is for the coming hand."""
        if seat is not None and self.game.has_button:
            self.setup = replace(self.setup, button=seat)

    def _moved(self, movement: Movement, out: list[Decision]) -> None:
        uid = movement.uid
        if isinstance(movement, Placed):
            self._placed(movement, out)
            return
        hand = self.hand
        card = hand.cards.get(uid) if hand is not None else None
        if isinstance(movement, Lifted) and (card is None or self.handover.is_left_over(uid)):
            self.handover.gone(uid, movement.since)
            return
        if hand is None or card is None:
            return
        if isinstance(movement, Unplaced):
            hand.unplaced(card)
            if card.landing is None and not card.from_shoe:
                del hand.cards[uid]
        else:
            hand.lifted(card, movement.since)

    def _placed(self, placed: Placed, out: list[Decision]) -> None:
        uid = placed.uid
        if self.handover.still_left_over(placed):
            return  # a card of an earlier hand that is being pushed about
        if self.hand is None or self.handover.next_begins(self.hand, placed):
            if not self.handover.may_begin(placed, self._sort(uid)[0], self.hand):
                if placed.settled:
                    self.handover.leave(uid)
                return
            hands.begin(self, placed, out)
        hand = self.hand
        assert hand is not None  # noqa: S101 (begun above)
        self.unseen.placed(hand, placed)
        happening = self.arrivals.place(hand, self.docket, placed, self.now)
        if happening is not None:
            self._happenings.append(happening)

    def _sort(self, uid: str) -> tuple[str, str | None]:
        if self.deck is None or uid not in self.deck:
            return "foreign", None
        return ("joker", None) if uid in self.deck.jokers else ("deck", self.deck.token(uid))

    def sort_again(self) -> None:
        """Another deck is in play than was supposed: what the cards on the table are is seen anew."""
        for card in self.hand.cards.values() if self.hand is not None else ():
            card.sort, card.token = self._sort(card.uid)

    def _enrolled(self, uid: str) -> bool:
        return any(uid in deck for deck in self.setting.decks)

    def _trusted(self, changes: tuple[Trust, ...]) -> list[Decision]:
        out: list[Decision] = []
        for change in changes:
            self.tracker.forget_polls(change.zone)
            suspends = checks_of(change.zone)
            if change.why is None:
                self._seen_again(change.zone, out)
                out.append(Restored(t=self.now, zone=change.zone, why="seen again", suspends=suspends))
            else:
                self.unseen.watch.lost(change.zone, self.now)
                out.append(Degraded(t=self.now, zone=change.zone, why=change.why, suspends=suspends))
        return out

    def _seen_again(self, zone: str, out: list[Decision]) -> None:
        """After an outage nothing is taken for granted: what lies there is found out anew."""
        for movement in self.tracker.doubt_zone(zone, self.now):
            self._moved(movement, out)
        if self.hand is not None and is_community(zone):
            self.hand.relay_at = self.now + RELAY_MS

    def _passed(self, passage: Passage) -> bool:
        """The optical sensor saw a card go by; the next hand's first cards may pass before it has begun."""
        if self.setting.layout.antennas.get((passage.reader, passage.antenna)) != SHOE:
            return False
        self.optical = True
        passages.note(self.waiting_passed, passage.t, passage.face)
        self.waiting_passed = [each for each in self.waiting_passed if passage.t - each.t <= FIRST_CARDS_MS]
        if self.hand is None or self.hand.ended:
            return False
        passages.note(self.hand.passed, passage.t, passage.face)
        return True

    # --- reading and judging -------------------------------------------------------------------------------

    def _refresh(self, out: list[Decision]) -> None:
        self.unseen.look_round(out)
        hand, docket = self.hand, self.docket
        assert hand is not None and docket is not None  # noqa: S101, PT018 (by the caller)
        explain(hand, self.sense, self.now)
        if hands.button_by_deal(self, hand):
            explain(hand, self.sense, self.now)
        happenings, self._happenings = self._happenings, []
        out += docket.happened(happenings, self.now)
        if hand.relay_at is not None and self.now >= hand.relay_at:
            hand.relay_at = None
            lay_anew(hand, burn_unsure=True)
            explain(hand, self.sense, self.now)
        if docket.moved_on():
            explain(hand, self.sense, self.now)
        elif not docket.under_way():
            suspend_board(hand, self.now, self.sense.surely_gone)
        if not hand.announced and any(c.landing and c.landing.settled for c in hand.cards.values()):
            hands.announce(self, hand, out)
        self._number(hand, out)
        scene = Scene(hand, self.sense, self.setting, self.now, *self._mouth(), deck=self.deck)
        findings = self.unseen.known(detector.find(scene), hand, docket)
        out += docket.update(findings, self.now)
        out += docket.judge(facts_of(hand, sees_burn=self.sense.sees(BURN), owed=docket.owed()), self.now)
        away = self.away
        out += away.look(self.now) if away and hand.followed else ()
        if self.handover.collected(hand, self.now):
            hands.finish(self, out)
            hands.pick_up(self, hand)
            self.handover.release(hand, self.now)
            self.hand = self.docket = None
            self._reread_at = None
        else:
            wait = detector.next_look(scene, findings)
            waits = docket.busy() or hand.relay_at is not None or (away is not None and away.waits(self.now))
            waits = waits or self.unseen.must_look_round
            if wait is None and waits:
                wait = detector.LATER_MS
            if wait is not None:
                wait = min(round(wait * self._patience), detector.LATER_MS)
            self._reread_at = None if wait is None else self.now + wait

    def _mouth(self) -> tuple[dict[str, str], dict[str, str]]:
        sorts, tokens = {}, {}
        for uid, _ in self.shoe.recent(self.now):
            sort, token = self._sort(uid)
            sorts[uid] = sort
            if token is not None:
                tokens[uid] = token
        return sorts, tokens

    def _number(self, hand: Hand, out: list[Decision]) -> None:
        """Gives each card its `k` as soon as nothing that left before it can still turn up."""
        hand.keep_numbers(self.now - strange.UNTAGGED_MS + 1)
        for card in hand.in_order():
            if card.landing is not None and not card.landing.settled and not card.from_shoe:
                break
            if card.k is None:
                hand.give_number(card)
            if card.k is not None and card.landing is not None and card.landing.settled and not card.told:
                card.told = True
                out.append(Deal(t=self.now, k=card.k, zone=card.landing.zone, seen_at=card.landing.since))

    # --- the dealer's inputs -------------------------------------------------------------------------------

    def _enter(self, entry: Entry, out: list[Decision]) -> None:
        if entry.do == "undo":
            out += self.undo.take_back(self)
            return
        out += ENTER[entry.do](self, entry, entry.args) if entry.do in ENTER else ()
        if self.hand is not None:
            self._happenings.append(Happening(entry.t, do=entry.do))
