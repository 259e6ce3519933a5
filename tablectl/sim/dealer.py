"""A dealer and his players at work: carries out the course of a hand, physically and on the display.

Owns: the flow of an evening, when each card moves and when each entry is made.
Refuses: what the course is (`course`, `slips`), how cards fly and lie (`world`), the truth about slips (`witness`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any

from tablectl.layout import BURN, MUCK, is_board, seat_of
from tablectl.sim.again import run_again
from tablectl.sim.course import Course, Incident, Mark, Move, Pitch, clean_course
from tablectl.sim.habits import Habits
from tablectl.sim.players import Players
from tablectl.sim.script import HandPlan
from tablectl.sim.seating import Seating
from tablectl.sim.setup import TableSetup
from tablectl.sim.shuffler import Shuffler
from tablectl.sim.slips import bend
from tablectl.sim.timeline import Act
from tablectl.sim.truth import Truth
from tablectl.sim.witness import Witness
from tablectl.sim.world import Card, World

Enter = Callable[[dict[str, Any]], None]
"""Makes one of the dealer's inputs, as JSON."""


class _Stopped(Exception):  # noqa: N818 - not an error: the dealer saw his slip
    """The dealer deals no further."""


class Dealer:
    """One dealer, from his first hand to his last. `hand` is an act for the timeline."""

    def __init__(
        self,
        setup: TableSetup,
        world: World,
        players: Players,
        habits: Habits,
        truth: Truth,
        enter: Enter,
        rng: Random,
        *,
        eligible: Collection[int] | None = None,
        button: int | None = None,
    ) -> None:
        self.setup, self.world, self.players, self.habits = setup, world, players, habits
        self.witness, self.rng = Witness(truth, world.time), rng
        self.seating = Seating(setup.seats, eligible, button, rng)
        self._redeal = False
        self.deck = setup.deck_ids[0]
        self._shuffler = Shuffler(setup, rng)
        self._send = enter
        self._told_seats: tuple[int, ...] = ()
        self._told_absent: frozenset[int] = frozenset()
        self._exposed: Card | None = None
        """The card that lies face up."""
        self._flight = 0.0
        """How long the card that left last flies, ms; one that sticks to it flies along."""
        self._dealt: list[Card] = []
        self._plan = HandPlan()
        self._course = Course(self.seating.button, setup.rules, (), ())
        self._live: set[int] = set()
        world.landed = self._landed

    def hand(self, plan: HandPlan) -> Act:
        """One whole hand, from the shuffle to the empty table."""
        self._plan = plan
        self.seating.next_hand(plan, redeal=self._redeal)
        if "new_deck" in plan.also:
            self._change_deck()
        course = clean_course(self.setup, self.seating.eligible, self.seating.button, plan, self.rng)
        bend(course, plan, self.setup, self.rng)
        if "run_twice" in plan.also:
            run_again(course, self.setup, self.rng)
        self._course, self._live, self._dealt = course, set(course.order), []
        self._start(course)
        yield self.rng.uniform(300, 700)
        try:
            yield from self._deal(course)
            yield from self._streets(course)
            yield from self._run_again(course)
            yield from self._encore(course)
        except _Stopped:
            yield from self._stop()
        else:
            if len(self._live) > 1:
                yield from self._showdown()
            yield from self._collect()
            self.seating.move_button()
        self._end()
        yield self.rng.uniform(*self.habits.shuffle)

    def _change_deck(self) -> None:
        """The next deck comes into play."""
        ids = self.setup.deck_ids
        self.deck = ids[(ids.index(self.deck) + 1) % len(ids)]
        self._enter(do="deck", id=self.deck)

    # Before the first card ----------------------------------------------------------------------------------

    def _start(self, course: Course) -> None:
        self.witness.new_hand()
        self.witness.note(
            "hand_start",
            button=course.button,
            seats=list(course.eligible),
            game=self.setup.game,
            betting=self.setup.betting,
            deck=self.deck,
            slip=self._plan.slip,
            near_miss=self._plan.near_miss,
            also=list(self._plan.also),
            absent=sorted(course.absent),
        )
        pitches = list(course.pitches())
        stuck = [place for place, pitch in enumerate(pitches) if pitch.together]
        self.world.load(self._shuffler.stub(self.deck, pitches), stuck)
        if self._told_seats != course.eligible:
            self._enter(do="seats", eligible=list(course.eligible))
            self._told_seats = course.eligible
        self.players.absent = course.absent
        for seat in sorted(self._told_absent - course.absent):
            self._enter(do="absent", seat=seat, away=False)
        for seat in sorted(course.absent - self._told_absent):
            self._enter(do="absent", seat=seat)
        self._told_absent = course.absent
        if self.habits.enters_confirms:
            for what in self.setup.confirms:
                self._enter(do=f"{what}_done")
        self._enter(do="button", seat=course.button)
        for seat in course.straddles:
            self._enter(do="straddle", seat=seat)

    # The deal and the board ---------------------------------------------------------------------------------

    def _deal(self, course: Course) -> Act:
        pace = self.rng.uniform(*self.habits.pace)
        for pitch in course.deal:
            uneven = self.rng.uniform(-self.habits.unevenness, self.habits.unevenness)
            yield from self._pitch(pitch, 1000 / pace * (1 + uneven))
        yield 500.0
        if course.replace:
            yield from self._replace(course.replace)
        self.players.deal_done(course.order)
        self.witness.lacks(course.lacking.get("deal"))

    def _streets(self, course: Course) -> Act:
        first, streets = course.game.first_round, course.game.street_names
        yield from self._round(course.rounds.get(first, []), closes=streets[0] not in course.late)
        for street in streets:
            if len(self._live) < 2 or street not in course.boards:
                return
            if course.runs_out_before(street):
                yield from self._turn_up()
                if course.runs:
                    self._enter(do="run_twice", times=len(course.runs) + 1)
            yield self.rng.uniform(*self.habits.round_gap)
            yield from self._street(course.boards[street])
            if street in course.late:
                yield from self._round(course.late[street], closes=True)
            self.witness.lacks(course.lacking.get(street))
            following = streets[streets.index(street) + 1 :][:1]
            closes = not (following and following[0] in course.late)
            yield from self._round(course.rounds.get(street, []), closes=closes)

    def _street(self, pitches: list[Pitch]) -> Act:
        for pitch in pitches:
            pause = self.habits.burn_pause if pitch.zone == BURN else self.habits.board_interval
            yield from self._pitch(pitch, self.rng.uniform(*pause))
        yield 400.0

    def _run_again(self, course: Course) -> Act:
        """The board was agreed to be run again: everybody looks at it, then comes the next run."""
        for run, off in zip(course.runs, course.pushed_off, strict=True):
            yield self.habits.show + self.rng.uniform(*self.habits.round_gap)
            for card in self._on_board()[-sum(len(each) - 1 for each in run.values()) :] if off else ():
                self.world.take(card)
            for pitches in run.values():
                yield self.rng.uniform(*self.habits.round_gap)
                yield from self._street(pitches)

    def _on_board(self) -> list[Card]:
        """The cards that lie on the board, in the order in which they left the shoe."""
        return [card for card in self._dealt if card.zone is not None and is_board(card.zone)]

    def _encore(self, course: Course) -> Act:
        for pitch in course.encore:
            yield from self._pitch(pitch, self.rng.uniform(800, 1500))

    def _pitch(self, pitch: Pitch, interval: float) -> Act:
        """Deal one card; goes on when it has left the shoe, or lies if there is something to see to."""
        wait = 0.0 if pitch.together else interval + pitch.pause
        if wait:
            self.world.approach(wait)
            yield wait
        self._look()
        card = self.world.draw()
        self._dealt.append(card)
        if not pitch.together:
            self._flight = self.rng.uniform(*self.world.noise.flight_ms)
        if pitch.mark:
            self.witness.expect(card, pitch.mark)
        if pitch.falls:
            yield self._flight
            self.world.fall(card)
            self.witness.makes_slip(card)
        else:
            self.world.fly(card, pitch.zone, self._flight, slide=pitch.slide)
        if pitch.corrected_to:
            yield from self._correct(card, pitch)
        if pitch.exposed:
            yield from self._tell_exposed(card, pitch.exposed)
        if pitch.stop:
            while card.zone is None and not pitch.falls:
                yield 20.0
            raise _Stopped

    def _tell_exposed(self, card: Card, mark: Mark) -> Act:
        """A card lies face up: the dealer stops dealing and says so."""
        while card.zone is None:
            yield 20.0
        yield self.rng.uniform(*self.habits.entry)
        self._exposed = card
        self.witness.slip(mark, card)
        self._enter(do="exposed", seat=mark.fields["seat"], by="dealer")
        yield self.habits.pause_for("exposed_card", self._plan.chosen_variant)

    def _replace(self, pitch: Pitch) -> Act:
        """The exposed card becomes the burn card of the flop, its player gets the top card instead."""
        card, ms = self._exposed, self.rng.uniform(400, 700)
        if card is not None and card.zone is not None:
            self.world.fly(card, BURN, ms, start=card.zone, slide=False)
        yield ms + 300
        yield from self._pitch(pitch, self.rng.uniform(*self.habits.burn_pause))
        yield 500.0

    def _correct(self, card: Card, pitch: Pitch) -> Act:
        while card.zone is None:
            yield 20.0
        yield self.rng.uniform(150, 400)
        self.witness.note("near_miss", name="corrected", k=card.k, zone=pitch.zone, to=pitch.corrected_to)
        right = pitch.corrected_to or pitch.zone
        moving = self.rng.uniform(200, 400)
        self.world.fly(card, right, moving, start=pitch.zone, slide=False)
        yield moving + 100

    # Betting ------------------------------------------------------------------------------------------------

    def _round(self, moves: list[Move], *, closes: bool) -> Act:
        """The actions of one betting round, each done first and entered after it."""
        for move in moves:
            if len(self._live) < 2:
                return
            self.players.acts(move.seat)
            yield self.rng.uniform(*self.habits.think)
            if move.before:
                yield from self._incident(move.before)
            if move.action == "fold":
                yield from self._fold(move)
            elif move.action != "check":
                self.players.bets(move.seat)
            habit = self.habits.fold_entry if move.action == "fold" else self.habits.entry
            late = move.entry_ms if move.entry_ms is not None else self.rng.uniform(*habit)
            yield late
            if move.entry_ms is not None:
                self.witness.note("near_miss", name="late_fold", seat=move.seat, entry_ms=round(late))
            if self.setup.betting == "actions":
                all_in = {"all_in": True} if move.all_in else {}
                self._enter(do="action", seat=move.seat, action=move.action, **all_in)
                self._evidence()
        if closes and moves:
            self.players.round_over()
        if closes and self.setup.betting == "rounds" and len(self._live) > 1:
            yield self.rng.uniform(*self.habits.entry)
            self._enter(do="round_closed")
            self._evidence()

    def _fold(self, move: Move) -> Act:
        self._live.discard(move.seat)
        yield from self._to_muck(move.seat, move.over or self.players.pushes_over(move.seat))

    def _to_muck(self, seat: int, over: str | None = None) -> Act:
        self.players.gives_up(seat)
        cards = self._at(seat)
        ms = self.rng.uniform(*self.habits.fold_push)
        if over:
            self.witness.note("near_miss", name="fold_over_seat", seat=seat, over=over)
        for card in cards:
            if over:
                self.world.push_over(card, MUCK, over, ms, read=self.world.noise.slide_read)
            else:
                self.world.fly(card, MUCK, ms, start=card.zone or MUCK, slide=False)
        yield ms + 1

    def _at(self, seat: int) -> list[Card]:
        """The cards that lie at the seat."""
        return [card for zone in self.world.felt.seat_zones(seat) for card in self.world.lying[zone]]

    def _incident(self, incident: Incident) -> Act:
        cards = [card for card in self._at(incident.seat) if card.k is not None]
        if incident.what == "lift":
            self.witness.note("near_miss", name="lift_return", seat=incident.seat)
            hold = self.rng.uniform(1000, 3000)
            for card in cards:
                self.players.lift(card, hold)
            yield hold + 300
        elif cards:
            chosen = self.rng.choice(cards)
            if incident.mark:
                last = incident.what == "muck_hand"
                self.witness.expect(cards[-1] if last else chosen, incident.mark)
            if incident.what == "muck_hand":
                yield from self._to_muck(incident.seat)
            elif incident.what == "card_to":
                ms, goal = self.rng.uniform(300, 700), self.world.felt.keeps(incident.other or incident.seat)
                self.world.fly(chosen, goal, ms, start=chosen.zone or goal, slide=False)
                yield ms + 1
            else:
                self.world.fall(chosen)
                self.witness.makes_slip(chosen)
        if incident.stop:
            raise _Stopped

    # The end ------------------------------------------------------------------------------------------------

    def _showdown(self) -> Act:
        yield self.rng.uniform(*self.habits.round_gap)
        self._enter(do="showdown")
        yield from self._turn_up()

    def _turn_up(self) -> Act:
        """All hands that are still in are shown."""
        for seat in sorted(self._live):
            for card in self._at(seat):
                if not card.lifted:
                    self.players.lift(card, self.habits.show)
            yield 300.0
        yield self.habits.show + 500

    def _collect(self) -> Act:
        """The hand is over: what still lies is pushed to the muck, and the muck picked up."""
        yield self.rng.uniform(*self.habits.round_gap)
        if self.habits.enters_hand_end:
            self._enter(do="hand_end")
            yield 300.0
        self.world.unload()
        self.players.round_over()
        for zone in self._lying_zones():
            if zone == MUCK:
                continue
            seat = seat_of(zone)
            if seat is not None:
                self.players.gives_up(seat)
            ms = self.rng.uniform(*self.habits.fold_push)
            for card in list(self.world.lying[zone]):
                self.world.fly(card, MUCK, ms, start=zone, slide=False)
            yield self.rng.uniform(*self.habits.collect_each)
        yield 900 + self.rng.uniform(*self.habits.pick_up)
        self._sweep_off()

    def _stop(self) -> Act:
        """The dealer saw a slip: he waits for the ruling, then takes all cards up."""
        slip = self._plan.slip or ""
        yield self.habits.pause_for(slip, self._plan.chosen_variant)
        if not self._plan.is_misdeal:
            yield from self._collect()
            self.seating.move_button()
            return
        self.world.unload()
        self.players.round_over()
        for zone in self._lying_zones():
            seat = seat_of(zone)
            if seat is not None:
                self.players.gives_up(seat)
            for card in list(self.world.lying[zone]):
                self.world.take(card)
            yield self.rng.uniform(*self.habits.collect_each)
        self._sweep_off()

    def _lying_zones(self) -> list[str]:
        return [zone for zone, cards in self.world.lying.items() if cards]

    def _sweep_off(self) -> None:
        """Whatever still lies or is in the air is in the dealer's hands now."""
        for zone in self._lying_zones():
            for card in list(self.world.lying[zone]):
                self.world.take(card)
        for card in self._dealt:
            self.world.take(card)

    def _end(self) -> None:
        self._redeal = self._plan.is_misdeal and self._plan.aftermath == "stop"
        self.witness.note("hand_end", aftermath="redeal" if self._redeal else "next", cards=len(self._dealt))

    # What shows ---------------------------------------------------------------------------------------------

    def _landed(self, card: Card) -> None:
        self.witness.came_to_rest(card)
        self.players.card_landed(card)

    def _evidence(self) -> None:
        """An entry was made: what is missing since the deal or the street shows now."""
        self.witness.evidence()
        self._look()

    def _look(self) -> None:
        if self.witness.shown and self._course.stop_when_lacking:
            raise _Stopped

    def _enter(self, **entry: Any) -> None:
        self.witness.note("entry", entry=entry)
        self._send(entry)
