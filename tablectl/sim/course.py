"""The course of one hand: every pitch, every action, every incident, laid down before the first card.

Owns: a clean hand's course and the words for what can differ from it. Refuses: how a slip bends a course
(`slips`) and carrying it out (`dealer`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tablectl.errors import UsageError
from tablectl.layout import BURN
from tablectl.sim import wagers
from tablectl.sim.games import Game
from tablectl.sim.script import NEEDS_FOLD, HandPlan
from tablectl.sim.setup import TableSetup

DECK = 52
STAY_FOR = {"wrong_seat": 4, "seat_skipped": 5, "too_many_cards": 3}
"""How many players a slip of the deal needs on a later street of stud."""
SPARE = 2
"""Cards left over for a slip that takes more of them."""
TRIES = 500
ENDS_EARLY = 0.4
"""Share of clean hands that end before the showdown [A]; at real tables it is more."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A slip, to be written to the truth when its card comes to rest."""

    kind: str
    fields: dict[str, Any]


@dataclass(eq=False, slots=True)
class Pitch:
    """One card that leaves the shoe."""

    zone: str
    mark: Mark | None = None
    stop: bool = False
    """The dealer sees the slip once this card lies, and deals no further."""
    tag: str | None = None
    """What comes instead of the deck's own card: duplicate, foreign, unknown, joker, untagged."""
    boxed: bool = False
    """It lies face up in the deck."""
    together: bool = False
    """It sticks to the card before it and leaves with it."""
    falls: bool = False
    """It misses the table."""
    corrected_to: str | None = None
    """The dealer moves it there before the next card leaves."""
    slide: bool | None = None
    """It glides slowly over a neighbour; None leaves that to chance."""
    exposed: Mark | None = None
    """It lies face up: the dealer enters that."""
    pause: float = 0.0
    """How much longer than usual the dealer waits before it, ms."""


@dataclass(eq=False, slots=True)
class Incident:
    """Something that happens between two actions: muck_hand, card_to, drop, lift."""

    what: str
    seat: int
    other: int | None = None
    mark: Mark | None = None
    stop: bool = False


@dataclass(eq=False, slots=True)
class Move:
    """One player's action, and how long after it the entry is made; None for the dealer's habit."""

    seat: int
    action: str
    all_in: bool = False
    entry_ms: float | None = None
    over: str | None = None
    """A folded hand is pushed slowly over that zone."""
    before: Incident | None = None


@dataclass(eq=False, slots=True)
class Course:
    """One hand from the first card to the last action."""

    button: int
    game: Game
    order: tuple[int, ...]
    """The seats dealt in, in dealing order, the button last."""
    eligible: tuple[int, ...]
    absent: frozenset[int] = frozenset()
    """Seats that are dealt in while their player is away."""
    deal: list[Pitch] = field(default_factory=list)
    replace: Pitch | None = None
    """Instead of a card that lay face up, dealt once all have their cards; the exposed one is the burn."""
    rounds: dict[str, list[Move]] = field(default_factory=dict)
    boards: dict[str, list[Pitch]] = field(default_factory=dict)
    late: dict[str, list[Move]] = field(default_factory=dict)
    """Actions of the round before a street that only come after the street's cards."""
    lacking: dict[str, Mark] = field(default_factory=dict)
    """A slip that shows in what is missing after `deal` or a street: noted at the next entry or card."""
    stop_when_lacking: bool = False
    encore: list[Pitch] = field(default_factory=list)
    """Cards that come out after the hand is over."""
    straddles: tuple[int, ...] = ()
    runs: list[dict[str, list[Pitch]]] = field(default_factory=list)
    """What is dealt when the board is run again, street by street …"""
    pushed_off: list[bool] = field(default_factory=list)
    """… and whether the cards of the run before are pushed off the board first."""

    def runs_out_before(self, street: str) -> bool:
        """The first street that is dealt without any betting before or after: nobody can bet any more."""
        at = self.game.rounds.index(street)
        names = [*self.game.rounds[:at], street]
        played = [bool(self.rounds.get(name)) for name in names[-2:]]
        return played == [True, False] and street not in self.late

    def pitches(self) -> Iterator[Pitch]:
        """All cards in the order in which they leave the shoe, as far as the hand goes."""
        yield from self.deal
        yield from [self.replace] if self.replace else []
        for street in self.game.street_names:
            yield from self.boards.get(street, [])
        for run in self.runs:
            for pitches in run.values():
                yield from pitches
        yield from self.encore


def dealing_order(eligible: Sequence[int], button: int) -> tuple[int, ...]:
    """The seats dealt in, from the first one clockwise of the button to the button itself."""
    seats = sorted(eligible)
    return tuple([seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button])


def clean_course(
    setup: TableSetup, eligible: Sequence[int], button: int, plan: HandPlan, rng: Random
) -> Course:
    """A hand without any slip, with the betting that the plan's slip or reach needs."""
    game = setup.rules
    order = dealing_order(eligible, button if setup.has_button else 0)
    course = Course(button, game, order, tuple(sorted(eligible)))
    course.deal = [Pitch(zone) for zone in setup.opening(order)]
    ends_on = _ends_on(plan, game, rng)
    keep = 3 if plan.slip == "hand_mucked" else 2
    if plan.on_later_street(game):
        keep = min(len(order), STAY_FOR.get(plan.slip or "", keep))
    if "absent" in plan.also:
        if len(order) <= keep:
            raise UsageError(f"absent: needs {keep + 1} players at least, this table has {len(order)}")
        # Not the big blind, who wins if all others fold.
        course.absent = frozenset({rng.choice([seat for seat in order if seat != order[1]])})
    if "straddle" in plan.also:
        course.straddles = _straddles(course, rng)
    wish: dict[str, Any] = {
        "keep": keep,
        "ends_on": ends_on,
        "absent": course.absent,
        "all_in": _all_in_on(plan, game, rng),
        "straddles": course.straddles,
        "rounds": game.rounds,
    }
    first = game.first_round
    betting = wagers.hand(rng, order, **wish)
    while plan.near_miss in NEEDS_FOLD and all(move.action != "fold" for move in betting[first]):
        betting = wagers.hand(rng, order, **{**wish, **({} if len(order) > 2 else {"ends_on": first})})
    while "run_twice" in plan.also and betting[game.street_names[-1]]:
        betting = wagers.hand(rng, order, **wish)  # somebody could still bet
    if game.stud:
        betting = _that_the_deck_allows(betting, lambda: wagers.hand(rng, order, **wish), course, plan)
    course.rounds = {name: [Move(*action) for action in actions] for name, actions in betting.items()}
    for street in game.streets:
        if street.name in course.rounds:
            zones = street_zones(setup, street.name, course, rng)
            course.boards[street.name] = [Pitch(BURN), *(Pitch(zone) for zone in zones)]
    return course


def _straddles(course: Course, rng: Random) -> tuple[int, ...]:
    """One or two players who straddle: under the gun, then perhaps the next one; or the button."""
    may = [seat for seat in course.order[2:] if seat not in course.absent]
    if course.game.stud or not may:
        raise UsageError("straddle: needs a game with blinds, and three players at least")
    return tuple(rng.choice([may[:1], may[:2], may[-1:]]))


def street_zones(setup: TableSetup, name: str, course: Course, rng: Random) -> list[str]:
    """Where the cards of a street go; in stud to every player who is in, from the high hand on."""
    street = course.game.street(name)
    if street.up is None:
        return [setup.board_zone(street.name)] * street.cards
    live = _in_before(street.name, course.game, course.order, course.rounds)
    first = rng.randrange(len(live))
    return [setup.place(seat, up=street.up) for seat in (*live[first:], *live[:first])]


def _in_before(
    street: str, game: Game, order: Sequence[int], rounds: Mapping[str, Sequence[wagers.Action | Move]]
) -> list[int]:
    """Who has not folded before that street."""
    before = game.rounds[: game.rounds.index(street)]
    folded = {move.seat for name in before for move in rounds.get(name, ()) if move.action == "fold"}
    return [seat for seat in order if seat not in folded]


Betting = dict[str, list[wagers.Action]]


def _that_the_deck_allows(
    betting: Betting, again: Callable[[], Betting], course: Course, plan: HandPlan
) -> Betting:
    """Betting after which the deck has cards enough for everybody; many players call seldom to the end of stud."""
    for _ in range(TRIES):
        streets = [name for name in course.game.street_names if name in betting]
        dealt = sum(1 + len(_in_before(name, course.game, course.order, betting)) for name in streets)
        folds = plan.near_miss not in NEEDS_FOLD or any(
            each.action == "fold" for each in betting[course.game.first_round]
        )
        if folds and len(course.deal) + dealt + SPARE <= DECK:
            return betting
        betting = again()
    name, players = course.game.name, len(course.order)
    raise UsageError(
        f"{name}: the deck has not cards enough for {players} players in such a hand; seat fewer"
    )


def _all_in_on(plan: HandPlan, game: Game, rng: Random) -> str | None:
    """The round in which somebody bets all he has, if that is wished."""
    if "run_twice" in plan.also:
        if game.stud:
            raise UsageError(f"run_twice: {game.name} has no board")
        return rng.choice(game.rounds[:-1])
    if "all_in" not in plan.also:
        return None
    # A card that comes early needs a round in which somebody is still to act.
    first = game.rounds.index(game.round_before(plan.street_in(game)))
    return rng.choice(game.rounds[first if plan.slip == "premature_card" else 0 :])


def _ends_on(plan: HandPlan, game: Game, rng: Random) -> str | None:
    """The round in which all but one fold, or None for a hand that comes to the showdown."""
    if plan.slip == "dealt_after_end":
        return game.round_before(plan.street_in(game))
    if plan.slip in {"too_few_board_cards", "card_in_other_hand", "hand_mucked", "card_lost"}:
        return None
    if {"all_in", "run_twice"} & set(plan.also):
        return None
    must = plan.reach or plan.street or (plan.chosen_street and plan.street_in(game))
    if (
        plan.slip == "too_few_cards"
        or plan.chosen_variant == "board"
        or plan.near_miss in {"late_fold", "fold_over_seat", "lift_return"}
    ):
        must = must if plan.on_later_street(game) else game.street_names[0]
    first = game.street_names.index(must) + 1 if must else 0
    early = rng.random() < ENDS_EARLY
    return rng.choice(game.rounds[first:]) if early else None
