"""The plain checker on top of a baseline's filter: each card's first place of rest against the deal plan.

Owns: what the baselines tell. Refuses: evidence of its own; what the filter says is taken for a fact.

It is given the seats, the button and every input, and has its best honest chance: cards count in the order in
which they came to rest; a card that seems to be in the wrong place waits `patience` ms for the one that was due;
after a wrong card either order may go on; what happens after the showdown is not looked at; and a card that the
dealer puts right in time is cleared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tablectl.bench.filters import Rest
from tablectl.bench.judge import Claim
from tablectl.core.betting import Betting, Mode
from tablectl.core.games import Game, clockwise
from tablectl.core.sensed import Entry
from tablectl.layout import BURN, MUCK, SHOE, is_board, seat_of

CHECKS = frozenset(
    {
        "wrong_seat", "wrong_first_seat", "seat_skipped", "ineligible_seat", "too_many_cards", "premature_card",
        "too_many_board_cards", "dealt_after_end", "burn_missing", "burn_extra",
    }
)  # fmt: skip
CORRECT_MS = 1500
"""A card that reaches the seat that was due within this time was put right."""
SAME_STREET_MS = 1500
"""A board card too many that comes this soon after the one before belongs to the same street."""


@dataclass(slots=True)
class _Waiting:
    """A card at a seat that was not due, until the one that was due turns up or patience is over."""

    rest: Rest
    seat: int


class Checker:
    """One hand after the other; `claims` grows."""

    def __init__(self, game: Game, mode: Mode, seats: int, patience: int, swapped: int) -> None:
        """`patience` and `swapped` in ms: cards whose times of rest differ by less may have been read in the wrong
        order, for a badly placed one is read late."""
        self.game, self.mode, self.patience, self.swapped = game, mode, patience, swapped
        self.claims: list[Claim] = []
        self._eligible: tuple[int, ...] = tuple(range(1, seats + 1))
        self._button: int | None = None
        self._new_hand()

    def _new_hand(self) -> None:
        order = clockwise(self._eligible, self._button) if self._button else ()
        self._order = order
        self._on = bool(order)
        self._betting = Betting.start(self.mode, self.game, order)
        self._placed: set[str] = set()
        self._cards: Counter[int] = Counter()
        self._dealt = 0
        self._due = 0
        """Place in the order of the seat whose card comes next."""
        self._shifted: int | None = None
        """After a wrong card: the seat that comes next if the whole deal shifted. The next card tells."""
        self._waiting: list[_Waiting] = []
        self._wrong: dict[str, tuple[str, int, _Waiting]] = {}
        """Card → id of the claim about it, the seat that was due, where it lay."""
        self._board: list[int] = []
        """When each board card came to rest, ms."""
        self._burns: list[int] = []
        self._bare: list[tuple[int, str]] = []
        """Streets that came without a burn: when, which."""
        self._told_streets: set[tuple[str, str]] = set()

    # --- inputs ---------------------------------------------------------------------------------------------

    def enter(self, entry: Entry) -> bool:
        """Takes an input; True if a new hand begins with it."""
        match entry.do:
            case "seats":
                self._eligible = tuple(entry.args["eligible"])
            case "button":
                self._button = entry.args["seat"]
                self._new_hand()
                return True
            case "action":
                seat, action = entry.args["seat"], entry.args["action"]
                all_in = bool(entry.args.get("all_in"))
                self._betting = self._betting.act(entry.t, seat, action, all_in=all_in)
            case "round_closed":
                self._betting = self._betting.close(entry.t)
            case "showdown" | "hand_end":
                self._on = False
        return False

    # --- places ---------------------------------------------------------------------------------------------

    def rest(self, rest: Rest) -> None:
        """A card came to rest, says the filter."""
        if not self._on or rest.zone in {SHOE, MUCK}:
            return
        if rest.uid in self._placed:
            self._moved(rest)
            return
        self._placed.add(rest.uid)
        seat = seat_of(rest.zone)
        if seat is not None:
            self._at_seat(rest, seat)
        elif is_board(rest.zone):
            self._at_board(rest)
        elif rest.zone == BURN:
            self._at_burn(rest)

    def pass_time(self, t: int) -> None:
        """Patience ends."""
        if not self._waiting and not self._bare:
            return
        while late := next((each for each in self._waiting if t - each.rest.t >= self.patience), None):
            self._waiting.remove(late)
            self._accuse(late, t)
            self._take_due()
        for each in [(at, street) for at, street in self._bare if t - at >= self.patience]:
            self._bare.remove(each)
            self._tell(t, "burn_missing", street=each[1])

    def _moved(self, rest: Rest) -> None:
        """Not its first place: of interest only if it is put right."""
        waiting = next((each for each in self._waiting if each.rest.uid == rest.uid), None)
        seat = seat_of(rest.zone)
        if waiting is not None and seat is not None:
            self._waiting.remove(waiting)
            self._at_seat(rest, seat)
        elif rest.uid in self._wrong:
            claim, due, wrong = self._wrong[rest.uid]
            if seat == due and rest.since - wrong.rest.since <= CORRECT_MS:
                del self._wrong[rest.uid]
                self.claims.append(Claim(t=rest.t, id=claim, stage="cleared", why="corrected"))
                self._cards[wrong.seat] -= 1
                self._dealt -= 1
                self._shifted = None
                self._at_seat(rest, seat)

    def _at_seat(self, rest: Rest, seat: int) -> None:
        if seat not in self._order:
            self._tell(rest.t, "ineligible_seat", seat=seat)
            return
        self._waiting.append(_Waiting(rest, seat))
        self._waiting.sort(key=lambda each: each.rest.since)
        self._take_due()
        late = next((each for each in self._waiting if each.rest is rest), None)
        if late is not None and self._cards[seat] >= self.game.hole:
            self._waiting.remove(late)
            self._cards[seat] += 1
            self._tell(rest.t, "too_many_cards", seat=seat)

    def _take_due(self) -> None:
        """Cards whose turn it is are in their place."""
        while (due := self._due_seat()) is not None:
            right = next((each for each in self._waiting if each.seat in {due, self._shifted}), None)
            if right is None:
                return
            if early := [each for each in self._waiting if right.rest.since - each.rest.since > self.swapped]:
                # It lay there well before the card that was due: it came out of turn.
                for each in early:
                    self._waiting.remove(each)
                    self._accuse(each, right.rest.t)
                continue
            if right.seat != due:
                self._due = self._order.index(right.seat)
            if right.seat == self._shifted:
                self._shifted = None
            self._waiting.remove(right)
            self._cards[right.seat] += 1
            self._dealt += 1
            self._due += 1

    def _due_seat(self) -> int | None:
        """The seat whose card comes next; seats that have all theirs are passed over."""
        for _ in self._order:
            seat = self._order[self._due % len(self._order)]
            if self._cards[seat] < self.game.hole:
                return seat
            self._due += 1
        return None

    def _accuse(self, wrong: _Waiting, t: int) -> None:
        due = self._due_seat()
        self._cards[wrong.seat] += 1
        if self._cards[wrong.seat] > self.game.hole or due is None:
            self._tell(t, "too_many_cards", seat=wrong.seat)
            return
        kind = "wrong_seat" if self._dealt else "wrong_first_seat"
        self._dealt += 1
        claim = self._tell(t, kind, seat=wrong.seat, expected=due)
        self._wrong[wrong.rest.uid] = (claim, due, wrong)
        self._shifted = clockwise(self._order, wrong.seat)[0]

    # --- board and burn -------------------------------------------------------------------------------------

    def _at_board(self, rest: Rest) -> None:
        place = len(self._board)
        self._board.append(rest.since)
        streets = self.game.streets
        total = 0
        for street in streets:
            before, total = total, total + street.cards
            if place < total:
                break
        else:
            self._tell(rest.t, "too_many_board_cards", street=streets[-1].name)
            return
        if self._betting.over_at is not None:
            self._tell_once(rest.t, "dealt_after_end", street.name)
        elif not self._may_come(street.name):
            extra = place == before and place > 0 and rest.since - self._board[place - 1] < SAME_STREET_MS
            if extra and len(self._burns) <= self._streets_begun(place):
                last = streets[[each.name for each in streets].index(street.name) - 1].name
                self._tell(rest.t, "too_many_board_cards", street=last)
                self._board.pop()
                return
            self._tell_once(rest.t, "premature_card", street.name)
        if place == before and len(self._burns) < self._streets_begun(place + 1):
            self._bare.append((rest.t, street.name))

    def _may_come(self, street: str) -> bool:
        if self.mode == "none":
            return True
        names = [each.name for each in self.game.streets]
        rounds = ["preflop", *names]
        return self._betting.closed_at(rounds[names.index(street)]) is not None

    def _streets_begun(self, cards: int) -> int:
        """How many streets so many board cards belong to."""
        begun = total = 0
        for street in self.game.streets:
            if cards > total:
                begun += 1
            total += street.cards
        return begun

    def _at_burn(self, rest: Rest) -> None:
        self._burns.append(rest.since)
        begun = self._streets_begun(len(self._board))
        if self._bare:
            self._bare.pop(0)
        elif len(self._burns) > begun + 1 and begun < len(self.game.streets):
            self._tell_once(rest.t, "burn_extra", self.game.streets[begun].name)
            self._burns.pop()

    # --- telling --------------------------------------------------------------------------------------------

    def _tell_once(self, t: int, kind: str, street: str) -> None:
        if (kind, street) not in self._told_streets:
            self._told_streets.add((kind, street))
            self._tell(t, kind, street=street)

    def _tell(self, t: int, kind: str, **fields: int | str | None) -> str:
        claim = f"b{len(self.claims)}"
        self.claims.append(Claim(t=t, id=claim, stage="confirmed", kind=kind, **fields))  # type: ignore[arg-type]
        return claim
