"""One table: `step(sensed) -> decisions`, the whole straight line from sightings to rulings.

    Sweep ─▶ Sightings ─▶ Tracker ─▶ Hand ─▶ reading, detector ─▶ Docket (rulebook, remedy) ─▶ decisions
    Entry ───────────────────────────▲

Owns: the order of these stages, the life of hands, and the dealer's inputs.
Refuses: clocks and I/O. Time is the `t` of what was sensed; the end of the input decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tablectl.cards import Deck, find_deck
from tablectl.core import detector
from tablectl.core.account import facts_of
from tablectl.core.betting import Betting
from tablectl.core.decisions import Deal, Decision, Degraded, HandEvent, Restored
from tablectl.core.docket import Docket, Ids
from tablectl.core.games import GAMES, clockwise
from tablectl.core.hand import FLIGHT_MS, Card, Entered, Hand, Setup
from tablectl.core.inputs import ENTER
from tablectl.core.reading import Sense, explain
from tablectl.core.remedy import Happening
from tablectl.core.rulebook import Rulebook
from tablectl.core.sensed import AntennaHealth, Entry, Found, Gap, Lost, Passage, Sensed, Sweep
from tablectl.core.settings import Setting, checks_of
from tablectl.core.shoe import Shoe
from tablectl.core.sightings import Sightings, Trust
from tablectl.core.streets import Base
from tablectl.core.tracker import Lifted, Movement, Placed, Tracker, Unplaced
from tablectl.core.view import view_of
from tablectl.layout import ASIDE, BURN, MUCK, SHOE, is_board, seat_of

GATHER_MS = 2000
"""A card of the last hand is dealt again no sooner than this after it was read last: the deck is shuffled first."""
AROUND_MS = 600
"""A card from the deck is read nowhere else earlier than this before it lands: a throw takes less."""
RESTART_MS = 1500
"""In mid-deal the seats must be empty this long before another card begins a new deal."""
DESERTED_MS = 20_000
"""Empty seats this long end a hand that showed no other sign of its end."""
OFF_BOARD_MS = 1500
"""A board card that is not read this long was taken away, not merely missed."""
UNDO_DEPTH = 50


@dataclass(frozen=True, slots=True)
class _Before:
    """What an input may change, as it was: the step that `undo` goes back to."""

    hand: Hand | None
    betting: Betting | None
    entered: Entered | None
    waiting: Entered
    setup: Setup
    answers: dict[tuple[str, str], Any] | None
    seated: Setup | None


class Table:
    """The state of one table. `step` is its only way in, decisions and `view` its only ways out."""

    def __init__(self, setting: Setting, book: Rulebook) -> None:
        self.setting = setting
        self.book = book
        self.game = GAMES[setting.game]
        self.language = setting.language
        self.dealer: str | None = None
        self.deck: Deck | None = find_deck(setting.decks, setting.active_deck)
        self.sightings = Sightings(setting.layout, self._enrolled)
        self.tracker = Tracker()
        self.shoe = Shoe()
        self.sense = Sense(setting.layout, self.tracker, self.shoe, self.sightings.degraded)
        self.setup = Setup(tuple(range(1, setting.layout.seats + 1)), None)
        self.hand: Hand | None = None
        self.docket: Docket | None = None
        self.now = 0
        self.hands = 0
        self.floor_called = False
        self.entered = Entered()
        self._leftover: set[str] = set()
        self._empty_since: int | None = None
        self._ended_at = -1
        self._last_seen: dict[str, int] = {}
        """When a card of an earlier hand was read last, ms."""
        self._reread_at: int | None = None
        self._told: set[str] = set()
        self._ids = Ids()
        self._undo: list[_Before] = []
        self._happenings: list[Happening] = []
        self._redeal: tuple[Docket, int | None] | None = None

    # --- the way in ----------------------------------------------------------------------------------------

    def step(self, event: Sensed) -> tuple[Decision, ...]:
        """Takes what was sensed; returns what follows from it, in order."""
        self.now = max(self.now, event.t)
        out: list[Decision] = []
        changed = False
        match event:
            case Sweep():
                out += self._trusted(self.sightings.trust(event))
                changed = self._sweep(event, out)
            case Entry():
                self._enter(event, out)
                changed = True
            case Lost() | Found() | AntennaHealth():
                out += self._trusted(self.sightings.trust(event))
                changed = True
            case Gap():
                for zone in self.setting.layout.of_reader(event.reader):
                    self.tracker.forget_polls(zone)
            case Passage():
                pass  # the optical sensor speaks of faces; the rules that need it come with all the books
        if self.hand is not None and (
            changed or (self._reread_at is not None and self.now >= self._reread_at)
        ):
            self._refresh(out)
        return tuple(out)

    def view(self) -> dict[str, Any]:
        """The table as `/state` shows it; no identity of a face-down card is in it."""
        return view_of(self)

    # --- sightings and movements ---------------------------------------------------------------------------

    def _sweep(self, sweep: Sweep, out: list[Decision]) -> bool:
        changed = False
        for look in self.sightings.looks(sweep):
            if look.zone == SHOE:
                self.shoe.look(look)
            for movement in self.tracker.look(look):
                self._moved(movement, out)
                changed = True
        if self.hand is not None and not self.hand.ended and SHOE in self.setting.layout.zones:
            changed = self._departures() or changed
        return changed

    def _departures(self) -> bool:
        """Cards that left the shoe and are nowhere yet belong to the hand: the next place is theirs."""
        hand = self.hand
        assert hand is not None  # noqa: S101 (by the caller)
        found = False
        for uid, last in self.shoe.left(self.now, lambda uid: uid in hand.cards or uid in self._leftover):
            if last >= hand.started_at - FLIGHT_MS * 4:
                hand.left_shoe(self._card(uid, last, from_shoe=True))
                found = True
        for card in hand.outstanding:
            last_read = self.shoe.last_read(card.uid, card.out_at)
            if last_read is not None and last_read > card.out_at:
                card.out_at = card.shoe_read = last_read  # it had not left yet
                found = True
        return found

    def _moved(self, movement: Movement, out: list[Decision]) -> None:
        uid = movement.uid
        if isinstance(movement, Placed):
            self._placed(movement, out)
            return
        hand = self.hand
        if isinstance(movement, Lifted) and (hand is None or uid in self._leftover):
            self._leftover.discard(uid)
            self._last_seen[uid] = movement.since
            self.tracker.forget(uid)
            return
        card = hand.cards.get(uid) if hand is not None else None
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
        if uid in self._leftover:
            if self.shoe.last_read(uid, placed.since - 10_000) is None:
                return  # a card of an earlier hand that is being pushed about
            self._leftover.discard(uid)
        if self.hand is None or self._next_hand_begins(placed):
            if not self._may_begin(placed):
                if placed.settled:
                    self._leftover.add(uid)
                return
            self._begin(placed, out)
        hand = self.hand
        assert hand is not None  # noqa: S101 (begun above)
        card = hand.cards.get(uid)
        if card is None:
            last = self.shoe.last_read(uid, hand.started_at - 3000)
            if placed.zone == SHOE or (placed.zone in {MUCK, ASIDE} and last is None):
                return
            from_shoe = last is not None and last <= placed.since + FLIGHT_MS
            card = self._card(
                uid, last if from_shoe and last is not None else placed.since - FLIGHT_MS, from_shoe=from_shoe
            )
        came_from = card.landing.zone if card.landing is not None and card.landing.settled else None
        if not (placed.settled and came_from and self._corrects(hand, card, placed)):
            hand.placed(card, placed.zone, placed.since, settled=placed.settled)
        if placed.settled and came_from != placed.zone:
            self._happenings.append(Happening(placed.t, uid, placed.zone, came_from=came_from))

    def _corrects(self, hand: Hand, card: Card, placed: Placed) -> bool:
        """The card reached its right place in time: what happened before does not count."""
        docket = self.docket
        if docket is None or card.landing is None or docket.under_way():
            return False
        right = docket.right_place(card.uid)
        wrong = card.landing
        if right is None:
            reading = next(
                (r for r in (hand.deal.readings if hand.deal else ()) if r.item.uid == card.uid), None
            )
            due = reading.due if reading is not None else None
            right = (
                f"seat:{due}"
                if due is not None and reading is not None and reading.item.seat != due
                else None
            )
        in_time = placed.since - wrong.since <= self.setting.timing.correct_ms
        others_left = any(
            other.uid != card.uid and other.out_at > wrong.since for other in hand.cards.values()
        )
        if placed.zone != right or not in_time or others_left or hand.last_action_at > wrong.since:
            return False
        hand.correct(card, placed.zone, placed.since)
        if placed.zone != SHOE:
            card.zone, card.since = placed.zone, placed.since
        return True

    def _card(self, uid: str, out_at: int, *, from_shoe: bool) -> Card:
        sort, token = self._sort(uid)
        return Card(uid, sort, token, out_at, from_shoe, shoe_read=out_at if from_shoe else 0)

    def _sort(self, uid: str) -> tuple[str, str | None]:
        if self.deck is None or uid not in self.deck:
            return "foreign", None
        return ("joker", None) if uid in self.deck.jokers else ("deck", self.deck.token(uid))

    def _enrolled(self, uid: str) -> bool:
        return any(uid in deck for deck in self.setting.decks)

    def _trusted(self, changes: tuple[Trust, ...]) -> list[Decision]:
        out: list[Decision] = []
        for change in changes:
            self.tracker.forget_polls(change.zone)
            suspends = checks_of(change.zone)
            if change.why is None:
                out.append(Restored(t=self.now, zone=change.zone, why="seen again", suspends=suspends))
            else:
                out.append(Degraded(t=self.now, zone=change.zone, why=change.why, suspends=suspends))
        return out

    # --- the life of a hand --------------------------------------------------------------------------------

    def _may_begin(self, placed: Placed) -> bool:
        """Only a card of this deck, or one from the shoe, that comes to a seat begins a hand."""
        if seat_of(placed.zone) is None or placed.since < self._ended_at:
            return False
        if self.shoe.last_read(placed.uid, placed.since - 3000) is not None:
            return True
        was_around = placed.around < placed.since - AROUND_MS
        if was_around or placed.since - self._last_seen.get(placed.uid, -GATHER_MS) < GATHER_MS:
            return False  # still a card of the last hand on its way to the dealer
        return self._sort(placed.uid)[0] != "foreign"

    def _next_hand_begins(self, placed: Placed) -> bool:
        hand = self.hand
        if hand is None or seat_of(placed.zone) is None or not hand.emptied() or not hand.cards:
            return False
        known = hand.cards.get(placed.uid)
        if known is not None and (known.landing is None or not known.landing.settled):
            known = None
        if known is not None and not self._redealt(hand, known, placed):
            return False
        if hand.ended or hand.voided or hand.deal_done or (known is not None and known.zone == SHOE):
            return True
        settled = [card for card in hand.cards.values() if card.landing and card.landing.settled]
        return len(settled) >= 3 and all(placed.since - card.since >= RESTART_MS for card in settled)

    def _redealt(self, hand: Hand, known: Card, placed: Placed) -> bool:
        """A card of the last hand comes from the deck again; it was not put back, or pushed about."""
        if self.shoe.last_read(placed.uid, max(known.since, placed.since - 3000)) is not None:
            return True
        gathered = all(
            card.zone is None and placed.since - card.since >= RESTART_MS for card in hand.cards.values()
        )
        return gathered and (hand.ended or known.landing is None or known.landing.zone != placed.zone)

    def _begin(self, placed: Placed, out: list[Decision]) -> None:
        seat = seat_of(placed.zone)
        if self.hand is not None:
            self.finish(out)
            if not self.hand.announced:
                self.entered = (
                    self.hand.entered
                )  # it came to nothing: what was entered for it is for this one
        self._release(but=placed.uid)
        setup = self.setup
        if setup.button is None and seat is not None and seat in setup.eligible:
            # Nobody said where the button is: the first card tells, it goes to the seat on its left.
            setup = self.setup = replace(setup, button=clockwise(setup.eligible, seat)[-2:][0])
        self.hands += 1
        entered, self.entered = self.entered, Entered()
        self.hand = Hand(
            self.hands, setup, self.game, self.setting.betting, entered, placed.since - FLIGHT_MS
        )
        self.docket = Docket(self.hand, self.book, self._ids)
        self._told = set()
        self._empty_since = None
        self._undo.clear()

    def _announce(self, hand: Hand, out: list[Decision]) -> None:
        hand.announced = True
        if self._redeal is not None:
            docket, button = self._redeal
            out += docket.redealt(self.now)
            hand.button_before = button
            self._redeal = None
        out.append(
            HandEvent(t=self.now, event="start", hand=hand.number, button=hand.setup.button, seats=hand.order)
        )

    def finish(self, out: list[Decision]) -> None:
        """The hand has ended; if cards still lie there they are looked after until they are collected."""
        hand = self.hand
        assert hand is not None  # noqa: S101 (by the callers)
        if not hand.announced:
            # It came to nothing; what was entered for it is for the next one.
            self.entered, self.hand, self.docket = hand.entered, None, None
            return
        if hand.ended:
            return
        hand.ended = True
        self._ended_at = self.now
        out.append(
            HandEvent(
                t=self.now, event="end", hand=hand.number, button=hand.setup.button, seats=hand.order,
                counts=hand.counts(), sequence=hand.sequence(),
            )
        )  # fmt: skip
        self.floor_called = False
        if (hand.voided or not hand.deal_done) and self.docket is not None:
            # Dealt again from the start: by a ruling, or because the dealer gave up in mid-deal.
            self._redeal = (self.docket, hand.setup.button)
        elif self.setup.button == hand.setup.button and hand.setup.button is not None:
            # Proposed for the next hand; an input of the dealer says otherwise.
            self.setup = replace(self.setup, button=clockwise(self.setup.eligible, hand.setup.button)[0])

    def _release(self, but: str | None = None) -> None:
        """Cards that are nowhere have no home any more; those still lying somewhere are left over."""
        self._leftover = set()
        for uid, track in list(self.tracker.tracks.items()):
            if uid == but:
                continue
            if track.lifted:
                self._last_seen[uid] = track.last
                self.tracker.forget(uid)
            elif (
                track.home not in {None, SHOE}
                and track.trial is None
                and self.hand is not None
                and uid in self.hand.cards
            ):
                self._leftover.add(uid)

    def _collected(self, hand: Hand) -> bool:
        """The seats and the board are empty, and not because the players hold their cards in the air."""
        if (
            not hand.emptied()
            or not hand.cards
            or not (hand.deal_done or hand.voided or hand.over_at is not None)
        ):
            self._empty_since = None
            return False
        if self._empty_since is None:
            self._empty_since = self.now
        empty = self.now - self._empty_since
        if (
            hand.voided
            or hand.over_at is not None
            or hand.entered.showdown_at is not None
            or hand.board.streets
        ):
            return empty >= self.setting.timing.hand_gap_ms
        seats = {card.owner for card in hand.cards.values() if card.owner is not None}
        returned = any(card.zone == SHOE for card in hand.cards.values())
        if returned or all(hand.gone_from_seat(seat) for seat in seats):
            return empty >= self.setting.timing.hand_gap_ms
        return empty >= DESERTED_MS

    # --- reading and judging -------------------------------------------------------------------------------

    def _refresh(self, out: list[Decision]) -> None:
        hand, docket = self.hand, self.docket
        assert hand is not None and docket is not None  # noqa: S101, PT018 (by the caller)
        explain(hand, self.sense, self.now)
        happenings, self._happenings = self._happenings, []
        out += docket.happened(happenings, self.now)
        self._rebase(hand, docket)
        self._suspend_board(hand)
        if not hand.announced and any(c.landing and c.landing.settled for c in hand.cards.values()):
            self._announce(hand, out)
        self._number(hand, out)
        scene = detector.Scene(hand, self.sense, self.setting, self.now, *self._mouth())
        findings = detector.find(scene)
        out += docket.update(findings, self.now)
        out += docket.judge(facts_of(hand, sees_burn=self.sense.sees(BURN)), self.now)
        if self._collected(hand):
            self.finish(out)
            self._release()
            self.hand = self.docket = None
            self._reread_at = None
        else:
            wait = detector.next_look(scene, findings)
            if wait is None and docket.busy():
                wait = detector.LATER_MS
            self._reread_at = None if wait is None else self.now + wait

    def _mouth(self) -> tuple[dict[str, str], dict[str, str]]:
        sorts, tokens = {}, {}
        for uid, _ in self.shoe.resting(self.now):
            sort, token = self._sort(uid)
            sorts[uid] = sort
            if token is not None:
                tokens[uid] = token
        return sorts, tokens

    def _number(self, hand: Hand, out: list[Decision]) -> None:
        """Gives each card its `k` as soon as nothing that left before it can still turn up."""
        taken = max((card.k for card in hand.cards.values() if card.k is not None), default=0)
        for card in hand.in_order():
            if card.landing is not None and not card.landing.settled and not card.from_shoe:
                break
            if card.k is None:
                taken += 1
                card.k = taken
            if card.landing is not None and card.landing.settled and card.uid not in self._told:
                self._told.add(card.uid)
                out.append(Deal(t=self.now, k=card.k, zone=card.landing.zone, seen_at=card.landing.since))

    def _suspend_board(self, hand: Hand) -> None:
        """A board card was taken away without a remedy that says so: the floor is at work on the board."""
        if hand.board_suspended or (self.docket is not None and self.docket.under_way()):
            return
        for card in hand.cards.values():
            landed = card.landing is not None and card.landing.settled and is_board(card.landing.zone)
            if not landed or card.uid in hand.base.settled or (card.zone is not None and is_board(card.zone)):
                continue
            if card.zone is not None or self.now - card.since >= OFF_BOARD_MS:
                hand.board_suspended = True

    def _rebase(self, hand: Hand, docket: Docket) -> None:
        """After a remedy the board is read from what the remedy left there."""
        done = docket.just_completed()
        if done is None:
            return
        if done.ruling is not None and done.ruling.verdict == "floor":
            hand.board_suspended = True
            return
        lying, counts, street = len(hand.on_board()), [], -1
        for index, each in enumerate(hand.game.streets):
            counts.append(min(lying, each.cards))
            lying -= counts[-1]
            if counts[-1]:
                street = index
        community = (
            c.uid for c in hand.cards.values() if c.landing is not None and seat_of(c.landing.zone) is None
        )
        paid = bool(done.remedy and done.remedy.steps and done.remedy.steps[-1]["do"] == "no_burn")
        hand.base = Base(street, tuple(counts), paid, frozenset(community))
        explain(hand, self.sense, self.now)

    # --- the dealer's inputs -------------------------------------------------------------------------------

    def _enter(self, entry: Entry, out: list[Decision]) -> None:
        if entry.do == "undo":
            self._take_back()
            return
        self._remember()
        out += ENTER[entry.do](self, entry, entry.args) if entry.do in ENTER else ()
        if self.hand is not None:
            self._happenings.append(Happening(entry.t, do=entry.do))

    def _remember(self) -> None:
        hand, docket = self.hand, self.docket
        self._undo.append(
            _Before(
                hand, hand.betting if hand else None, hand.entered.copy() if hand else None, self.entered.copy(),
                self.setup, dict(docket.answers) if docket else None, hand.setup if hand else None,
            )
        )  # fmt: skip
        del self._undo[:-UNDO_DEPTH]

    def _take_back(self) -> None:
        if not self._undo:
            return
        before = self._undo.pop()
        self.entered, self.setup = before.waiting, before.setup
        hand = self.hand
        if hand is None or hand is not before.hand or before.betting is None or before.entered is None:
            return
        if before.seated is not None and before.seated != hand.setup:
            hand.reseat(before.seated)
        hand.betting, hand.entered = before.betting, before.entered
        if self.docket is not None and before.answers is not None:
            self.docket.answers = before.answers
