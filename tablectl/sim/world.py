"""The physical table: where every card is, and how strongly each antenna field feels it.

Owns: cards, their movements, and the fields' view of them. Refuses: antennas, boards and rules; it does not
know what a deal is.

A card that comes to rest gets a *latent* read probability, drawn once from a Beta: a badly placed card
stays badly placed until it is moved. What a field feels is a list of `Reach`, either *steady* (a card rests
in the zone, or next to it) or *passing* (in flight, sliding, at the shoe's mouth), with a window of time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from random import Random

from tablectl.layout import BURN, MUCK, SHOE, is_board, seat_of
from tablectl.sim.felt import Felt
from tablectl.sim.noise import Noise, Span
from tablectl.sim.timeline import Timeline
from tablectl.sim.truth import Truth
from tablectl.sim.wear import TagWear

PILE_DEPTH = 5
"""A card in a pile is covered by, and covers, at most so many others that matter."""


@dataclass(eq=False, slots=True)
class Card:
    """One physical card with its tag. `face` is a name such as `As`, or `joker`."""

    uid: str
    face: str
    gain: float = 1.0
    """How well the tag answers against a sound one."""
    tagged: bool = True
    """It has a tag."""
    boxed: bool = False
    """It lies face up in the deck."""
    zone: str | None = None
    """Where it rests; None in the shoe, in the air, in a hand above the felt or off the table."""
    k: int | None = None
    """Its place in the order in which the cards left the shoe in this hand."""
    moves: int = 0
    """How often it was moved; whoever waits to do something with it checks that nobody else did."""
    lifted: bool = False
    steady: list[tuple[Field, Reach]] = field(default_factory=list)
    covers: dict[Card, float] = field(default_factory=dict)
    stuck: tuple[Card, float] | None = None
    """The card it sticks to, and how far the two cover each other."""

    @property
    def cover_factor(self) -> float:
        """What other cards over it leave of its read probability: half for one, near none beyond three."""
        total = sum(self.covers.values())
        return float(0.5 ** (total * (1 + max(0.0, total - 2)))) if total else 1.0


@dataclass(eq=False, slots=True)
class Reach:
    """One card as one field feels it: chance to be read in a look, level against a well placed one."""

    card: Card
    p: float
    db: float
    start: float = -inf
    end: float = inf


@dataclass(eq=False, slots=True)
class Field:
    """What one zone's antennas feel. `version` changes whenever `steady`, `gain` or a cover changes."""

    zone: str
    steady: list[Reach] = field(default_factory=list)
    passing: list[Reach] = field(default_factory=list)
    gain: float = 1.0
    """Detuning by metal and hands on the felt."""
    version: int = 0


class World:
    """The table and everything on it. Movements take simulated time; nothing here waits."""

    def __init__(
        self,
        felt: Felt,
        watched: frozenset[str],
        noise: Noise,
        rng: Random,
        time: Timeline,
        truth: Truth,
        rare: Random | None = None,
    ) -> None:
        """`watched`: the zones that have an antenna; `noise`: one evening's, see `Noise.evening`.

        `rare` is what rare effects draw from, so that they change nothing else.
        """
        self.rare = rare or Random("rare")  # noqa: S311 - repeatable on purpose
        self.felt, self.noise, self.rng, self.time, self.truth = felt, noise, rng, time, truth
        self.watched = watched
        self.fields = {zone: Field(zone) for zone in felt.places}
        self.stub: list[Card] = []
        """The cards in the shoe, the next one first."""
        self.lying: dict[str, list[Card]] = {zone: [] for zone in felt.places}
        self.out = 0
        """How many cards left the shoe in this hand."""
        self.landed: Callable[[Card], None] = lambda _card: None
        """Told of every card that comes to rest from a flight."""
        self.passed: Callable[[Card], None] = lambda _card: None
        """Told of every card that leaves the shoe."""
        self.wear = TagWear()
        """What use makes of the tags; nothing, unless somebody puts another one here."""
        self.rests_at_mouth = rng.random() < noise.mouth_rests[0]
        self._mouth: tuple[Reach, ...] = ()
        self._gains: dict[str, float] = {}

    # The shoe -----------------------------------------------------------------------------------------------

    def tag_gain(self, uid: str) -> float:
        """How well that tag answers; drawn when the tag is first met, then the same all evening."""
        if uid not in self._gains:
            sort, strength = self.rng.random(), self._draw(self.noise.weak_tag_gain)
            dead, weak = self.noise.dead_tag[0], self.noise.weak_tag[0]
            self._gains[uid] = 0.0 if sort < dead else strength if sort < dead + weak else 1.0
        return self._gains[uid]

    def load(self, cards: Iterable[Card], stuck: Iterable[int] = ()) -> None:
        """Put a shuffled deck into the shoe, first card first; `stuck` cards stick to the one before them."""
        self.stub = list(cards)
        self.out = 0
        for card in self.stub:
            card.gain = self.tag_gain(card.uid) * self.wear.gain(card.uid) if card.tagged else 0.0
        for place in stuck if self.noise.stuck_cover[1] else ():
            self._stick(self.stub[place - 1], self.stub[place])
        if self.rests_at_mouth:
            self._to_mouth(self.time.now + self._draw(self.noise.advance_ms))

    def approach(self, ms: float) -> None:
        """The next card will leave in `ms`: from its dwell before that on, it lies at the mouth."""
        if not self.rests_at_mouth:
            dwell = min(self._draw(self.noise.mouth_ms), max(0.0, ms - self._draw(self.noise.advance_ms)))
            self._to_mouth(self.time.now + ms - dwell)

    def draw(self) -> Card:
        """The next card leaves the shoe now."""
        card = self.stub.pop(0)
        self.out += 1
        card.k = self.out
        self.wear.dealt(card.uid)
        self.truth.note(self.time.now, "out", k=card.k, uid=card.uid, face=card.face)
        self._leave_mouth(self._draw(self.noise.leaving_ms))
        if self.rests_at_mouth:
            self._to_mouth(self.time.now + self._draw(self.noise.advance_ms))
        self.passed(card)
        return card

    def unload(self) -> list[Card]:
        """Take the stub out of the shoe."""
        stub, self.stub = self.stub, []
        self._leave_mouth(0.0)
        return stub

    def _stick(self, one: Card, other: Card) -> None:
        cover = self.rare.uniform(*self.noise.stuck_cover)
        one.stuck, other.stuck = (other, cover), (one, cover)
        one.covers[other] = other.covers[one] = cover

    def _pull_apart(self, card: Card) -> None:
        """Two cards that landed as one lie side by side from now on."""
        if card.stuck is None:
            return
        other, _ = card.stuck
        card.stuck = other.stuck = None
        if other in card.covers:
            card.covers[other] = other.covers[card] = self.rare.uniform(*self.noise.overlap)
            self._changed(card)
            self._changed(other)

    def _to_mouth(self, t: float) -> None:
        self._leave_mouth(0.0)
        if SHOE not in self.watched:
            return
        at_mouth = [Reach(card, self._landing(), self._level(), t) for card in self.stub[:1]]
        behind = [
            Reach(card, self._landing(), self._level(), t)
            if card.stuck
            else Reach(
                card, self._draw(self.noise.leak), self._level() - self._draw(self.noise.rssi_cross_db), t
            )
            for card in self.stub[1:2]
        ]
        self._mouth = (*at_mouth, *behind)
        self.fields[SHOE].passing.extend(self._mouth)

    def _leave_mouth(self, ms: float) -> None:
        for place, reach in enumerate(self._mouth):
            reach.end = self.time.now + (ms if place == 0 or reach.card.stuck else 0.0)
        self._mouth = ()

    # Movements ----------------------------------------------------------------------------------------------

    def fly(self, card: Card, zone: str, ms: float, *, start: str = SHOE, slide: bool | None = None) -> None:
        """A card flies, or is pushed, from `start` to `zone` and comes to rest there in `ms`.

        `slide` True lets it glide slowly over a neighbour of its goal, None leaves that to chance.
        """
        self.release(card, to=zone)
        if card.stuck:
            other, cover = card.stuck
            card.covers[other] = other.covers[card] = cover
        begun, moves = self.time.now, card.moves
        for crossed, along in self.felt.path(start, zone):
            self._pass(
                card, crossed, begun + along * ms, self._draw(self.noise.crossing_ms), self.noise.fly[0]
            )
        if slide is None:
            slide = seat_of(zone) is not None and self.rng.random() < self.noise.slide[0]
        if slide:
            over, long = self._beside(zone), self._draw(self.noise.slide_ms)
            if self.noise.slide_board[0] and self.rare.random() < self.noise.slide_board[0]:
                over = self._board_on_way(start, zone) or over
            self._pass(card, over, begun + ms + long / 2, long, self.noise.slide_read)
            ms += long
        self.time.after(ms, lambda: self._land(card, zone, moves))

    def push_over(self, card: Card, zone: str, over: str, ms: float, *, read: float) -> None:
        """A card is pushed to `zone` in `ms`, most of that time over `over`, where it is read with `read`."""
        self.release(card, to=zone)
        moves = card.moves
        self._pass(card, over, self.time.now + ms / 2, ms * 0.8, read)
        self.time.after(ms, lambda: self._land(card, zone, moves))

    def lift(self, card: Card) -> None:
        """A card that rests is held up above the felt."""
        zone = card.zone
        if zone is None:
            return
        self.truth.note(self.time.now, "lift", k=card.k, zone=zone)
        self._pull_apart(card)
        self.release(card)
        card.zone, card.lifted = zone, True
        self.lying[zone].append(card)
        self._feel(card, zone, self._draw(self.noise.lifted_read), self._level() - 10)

    def put(self, card: Card) -> None:
        """A card that is held up is put down again where it was."""
        if card.lifted and card.zone is not None:
            zone = card.zone
            self.release(card)
            self._settle(card, zone)

    def fall(self, card: Card) -> None:
        """A card falls off the table."""
        zone = card.zone
        self.release(card)
        self.truth.note(self.time.now, "fell", k=card.k, zone=zone)

    def take(self, card: Card) -> None:
        """The dealer takes a card up, off all antennas."""
        self.release(card, to="hand")

    def release(self, card: Card, to: str | None = None) -> None:
        """A card is no longer where it was."""
        card.moves += 1
        if card.zone is not None:
            self.lying[card.zone].remove(card)
            if to is not None:
                self.truth.note(self.time.now, "leave", k=card.k, zone=card.zone, to=to)
        for felt_by, reach in card.steady:
            felt_by.steady.remove(reach)
            felt_by.version += 1
        card.steady.clear()
        for other in card.covers:
            del other.covers[card]
            self._changed(other)
        card.covers.clear()
        card.zone, card.lifted = None, False

    def detune(self, zone: str, gain: float) -> None:
        """Metal or a hand comes on the zone (gain < 1), or goes (the inverse)."""
        self.fields[zone].gain *= gain
        self.fields[zone].version += 1

    def weaken(self, card: Card, gain: float) -> None:
        """A resting card is moved a little, or bent: its read probability changes by that factor."""
        for felt_by, reach in card.steady:
            reach.p *= gain
            felt_by.version += 1

    # Coming to rest -----------------------------------------------------------------------------------------

    def _land(self, card: Card, zone: str, moves: int) -> None:
        if card.moves == moves:
            self._settle(card, zone)
            self.landed(card)

    def _settle(self, card: Card, zone: str) -> None:
        card.zone = zone
        pile = zone in {MUCK, BURN}
        span = self.noise.overlap_pile if pile else self.noise.overlap
        if span[1]:
            for other in self.lying[zone][-PILE_DEPTH:]:
                if other not in card.covers:
                    card.covers[other] = other.covers[card] = self._draw(span)
                self._changed(other)
        if card.stuck and card.stuck[0].zone == zone:
            self.time.after(self.rare.uniform(*self.noise.stuck_ms), lambda: self._pull_apart(card))
        self.lying[zone].append(card)
        self.truth.note(self.time.now, "rest", k=card.k, zone=zone, uid=card.uid)
        level = self._level()
        self._feel(card, zone, self._landing(), level)
        if self.noise.cross[0]:
            self._couple(card, zone, level)

    def _couple(self, card: Card, zone: str, level: float) -> None:
        """Cross-coupling by placement: a card that lies to the left couples to the left, asymmetrically."""
        strength, left = self._beta(self.noise.cross[0], self.noise.cross_kappa[0]), self.rng.random()
        for place, (neighbour, near) in enumerate(self.felt.neighbours[zone]):
            side = left if place == 0 else 1 - left
            p = min(self.noise.cross_cap, 2 * strength * side * near)
            self._feel(card, neighbour, p, level - self._draw(self.noise.rssi_cross_db))

    def _feel(self, card: Card, zone: str, p: float, db: float) -> None:
        if p > 0 and zone in self.watched:
            felt_by, reach = self.fields[zone], Reach(card, p, db)
            felt_by.steady.append(reach)
            felt_by.version += 1
            card.steady.append((felt_by, reach))

    def _pass(self, card: Card, zone: str, middle: float, long: float, p: float) -> None:
        if p > 0 and zone in self.watched:
            db = self._level() - self._draw(self.noise.rssi_fly_db)
            self.fields[zone].passing.append(Reach(card, p, db, middle - long / 2, middle + long / 2))

    def _changed(self, card: Card) -> None:
        for felt_by, _ in card.steady:
            felt_by.version += 1

    def _board_on_way(self, start: str, end: str) -> str | None:
        crossed = (zone for zone, _ in self.felt.path(start, end))
        return next((zone for zone in crossed if is_board(zone) and zone in self.watched), None)

    def _beside(self, zone: str) -> str:
        seats = [near for near, _ in self.felt.neighbours[zone] if seat_of(near) is not None]
        return self.rng.choice(seats or [near for near, _ in self.felt.neighbours[zone]])

    # Draws --------------------------------------------------------------------------------------------------

    def _draw(self, span: Span) -> float:
        return span[0] if span[0] == span[1] else self.rng.uniform(*span)

    def _landing(self) -> float:
        """The read probability that one landing has and keeps."""
        return 1 - self._beta(self.noise.miss[0], self.noise.miss_kappa[0])

    def _level(self) -> float:
        return self.rng.gauss(0, self.noise.rssi_place_db) if self.noise.rssi_place_db else 0.0

    def _beta(self, mean: float, kappa: float) -> float:
        return self.rng.betavariate(mean * kappa, (1 - mean) * kappa) if 0 < mean < 1 else mean
