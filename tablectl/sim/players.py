"""The players' hands: who takes up his cards, looks at them, protects them with metal, or pushes them aside.

Owns: what players do with their cards and chips beyond the course of the hand, as often as the noise says.
Refuses: folds and the course itself (`dealer`).
"""

from __future__ import annotations

from random import Random

from tablectl.layout import is_board, seat_of
from tablectl.sim.noise import Noise
from tablectl.sim.world import Card, World


class Players:
    """Everyone but the dealer. Whatever they do, they undo only if nobody moved the card meanwhile."""

    def __init__(self, world: World, noise: Noise, rng: Random, chips: Random | None = None) -> None:
        """`chips` is what chips and pushed folds draw from, so that they change nothing else."""
        self._world, self._noise, self._rng = world, noise, rng
        self._chance = chips or Random("chips")  # noqa: S311 - repeatable on purpose
        self._beside: dict[str, float] = {}
        """Zones beside whose cards chips lie, and how well these are read."""
        self.absent: frozenset[int] = frozenset()
        """Seats that are dealt in while nobody sits there."""
        self._metal: dict[str, float] = {}
        self._hovering: set[str] = set()

    def card_landed(self, card: Card) -> None:
        """A card came to rest: its player may grab it at once, or push it half off the antenna."""
        seat = seat_of(card.zone) if card.zone is not None else None
        if seat is None or seat in self.absent:
            return
        chance = self._rng.random()
        if chance < self._noise.grab[0]:
            self._soon(card, self._rng.uniform(*self._noise.grab_after_ms), self.lift)
        elif chance < self._noise.grab[0] + self._noise.nudge[0]:
            gain = max(0.01, self._rng.uniform(*self._noise.nudge_gain))
            self._soon(card, self._rng.uniform(100, 1500), lambda each: self._nudge(each, gain))

    def _nudge(self, card: Card, gain: float) -> None:
        self._world.weaken(card, gain)
        often = self._noise.nudge_back[0]
        if often and self._chance.random() < often:
            back = self._chance.uniform(*self._noise.nudge_back_ms)
            self._soon(card, back, lambda each: self._world.weaken(each, 1 / gain))

    def deal_done(self, seats: tuple[int, ...]) -> None:
        """All have their cards: some look at them, some put metal on them."""
        for seat in seats:
            if seat in self.absent:
                continue
            zone = self._world.felt.keeps(seat)
            if self._rng.random() < self._noise.peek[0]:
                self._peek(zone)
            if self._rng.random() < self._noise.protector[0]:
                gain = self._rng.uniform(*self._noise.protector_gain)
                self._metal[zone] = gain
                self._world.detune(zone, gain)

    def acts(self, seat: int) -> None:
        """A player is about to act: his hand may be over his cards for a while."""
        zone = self._world.felt.keeps(seat)
        if self._rng.random() < self._noise.hover[0] and zone not in self._hovering:
            gain = self._rng.uniform(*self._noise.hover_gain)
            self._hovering.add(zone)
            self._world.detune(zone, gain)

            def away() -> None:
                self._hovering.discard(zone)
                self._world.detune(zone, 1 / gain)

            self._world.time.after(self._rng.uniform(*self._noise.hover_ms), away)

    def bets(self, seat: int) -> None:
        """A player puts chips in: perhaps right beside his cards, where they lie until the round is over."""
        zone, often = self._world.felt.keeps(seat), self._noise.chips[0]
        if often and zone not in self._beside and self._chance.random() < often:
            self._beside[zone] = self._chance.uniform(*self._noise.chips_gain)
            self._world.detune(zone, self._beside[zone])

    def round_over(self) -> None:
        """The chips are pulled in, perhaps over the board."""
        for zone, gain in self._beside.items():
            self._world.detune(zone, 1 / gain)
        self._beside.clear()
        often = self._noise.pot[0]
        if often and self._chance.random() < often:
            self._over_board(self._chance.uniform(*self._noise.pot_gain))

    def _over_board(self, gain: float) -> None:
        zones = [zone for zone in self._world.fields if is_board(zone)]

        def away() -> None:
            for zone in zones:
                self._world.detune(zone, 1 / gain)

        for zone in zones:
            self._world.detune(zone, gain)
        self._world.time.after(self._chance.uniform(*self._noise.pot_ms), away)

    def pushes_over(self, seat: int) -> str | None:
        """The neighbour's zone over which a folded hand is pushed, if it is."""
        often = self._noise.fold_over[0]
        if not often or self._chance.random() >= often:
            return None
        felt = self._world.felt
        near = [zone for zone, _ in felt.neighbours[felt.keeps(seat)] if seat_of(zone) not in {None, seat}]
        return self._chance.choice(near) if near else None

    def gives_up(self, seat: int) -> None:
        """A hand leaves the seat: its metal is taken off first."""
        zone = self._world.felt.keeps(seat)
        gain = self._metal.pop(zone, None)
        if gain:
            self._world.detune(zone, 1 / gain)

    def lift(self, card: Card, hold_ms: float | None = None) -> None:
        """A card is taken up and put down again after a while, unless it goes elsewhere from there."""
        self._world.lift(card)
        long = hold_ms if hold_ms is not None else self._rng.uniform(*self._noise.hold_ms)
        self._soon(card, long, self._world.put)

    def _peek(self, zone: str) -> None:
        gain = self._rng.uniform(*self._noise.peek_gain)
        start = self._rng.uniform(100, 1500)
        for card in list(self._world.lying[zone]):
            self._soon(card, start, lambda each: self._bend(each, gain))

    def _bend(self, card: Card, gain: float) -> None:
        if gain > 0 and not card.lifted:
            self._world.weaken(card, gain)
            back = self._rng.uniform(*self._noise.peek_ms)
            self._soon(card, back, lambda each: self._world.weaken(each, 1 / gain))

    def _soon(self, card: Card, ms: float, act: object) -> None:
        moves = card.moves

        def unless_moved() -> None:
            if card.moves == moves and card.zone is not None and callable(act):
                act(card)

        self._world.time.after(ms, unless_moved)
