"""What the dealers are to do, hand by hand, and how a list of hands is written in words.

Owns: the names of slips and near misses and the wishes for one hand. Refuses: what happens then (`course`,
`slips`, `dealer`).

A script in words is a comma-separated list; `*3` repeats, `:` adds a variant, `@` a street, `+deal_on` lets
the dealer deal on unaware instead of stopping:

    clean*3, wrong_seat:next, premature_card@turn, near:late_fold, burn_missing@flop+deal_on, restart:1+8000

`&` adds what happens in the hand besides, without any fault of the dealer: `clean&all_in`, `joker&new_deck`.
A board's step is done before the next hand, or so many ms (+8000) after that hand began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from tablectl.errors import UsageError
from tablectl.sim.games import Game

STREETS = ("flop", "turn", "river")

SLIPS: Mapping[str, tuple[str, ...]] = {
    "wrong_first_seat": (),
    "wrong_seat": ("next", "previous", "far"),
    "ineligible_seat": (),
    "seat_skipped": (),
    "too_few_cards": (),
    "too_many_cards": ("again", "after", "stuck"),
    "premature_card": ("round_open", "deal"),
    "too_many_board_cards": (),
    "too_few_board_cards": (),
    "burn_missing": (),
    "burn_extra": (),
    "duplicate_card": ("seat", "board"),
    "foreign_card": ("other_deck", "unknown", "board"),
    "joker": ("seat", "board"),
    "hand_mucked": (),
    "card_in_other_hand": (),
    "card_lost": ("deal", "hand"),
    "dealt_after_end": (),
}
"""Every slip that antennas can show, by its name in the contract, with its variants; the first is the default."""

ENTERED_SLIPS: Mapping[str, tuple[str, ...]] = {"exposed_card": ("first", "later")}
"""Slips that only the dealer's own word tells, so that no antenna can miss them: a card that came out face up.

`first`: one of the first two cards, for which the cards are dealt again; `later`: the hand goes on, the card
becomes the burn card of the flop and its player gets another one once all have theirs.
"""

OPTICAL_SLIPS: Mapping[str, tuple[str, ...]] = {
    "boxed_card": ("later", "first", "board"),
    "untagged_card": ("seat", "board"),
}
"""Slips that only a table with an optical sensor at the shoe mouth can see: the deck was not in order.

`boxed_card`: a card lies face up in the deck, one of the first two (`first`) or a later one of the deal;
`untagged_card`: one has no tag. The dealer notices neither and deals on, unless he stops.
"""

STUD_SLIPS: Mapping[str, tuple[str, ...]] = {"up_card_error": ()}
"""What only goes wrong in stud, and only shows where a seat has two antennas."""

ALL_SLIPS: Mapping[str, tuple[str, ...]] = {**SLIPS, **ENTERED_SLIPS, **OPTICAL_SLIPS, **STUD_SLIPS}

SLIP_STREETS: Mapping[str, tuple[str, ...]] = {
    "premature_card": STREETS,
    "too_many_board_cards": STREETS,
    "too_few_board_cards": ("flop",),
    "burn_missing": STREETS,
    "burn_extra": STREETS,
    "dealt_after_end": STREETS,
}
"""The streets on which a slip can happen, the default first."""

STUD_STREETS = ("third", "fourth", "fifth", "sixth", "seventh")
ON_STUD_STREETS = frozenset(
    {
        "premature_card", "burn_missing", "burn_extra", "dealt_after_end", "wrong_seat", "seat_skipped",
        "too_many_cards", "too_few_cards", "ineligible_seat", "up_card_error",
    }
)  # fmt: skip
"""Slips that can happen on a later street of stud; without a street it is the opening deal, or the first street."""
NOT_IN_STUD = frozenset({"too_many_board_cards", "too_few_board_cards", "exposed_card"})
"""Slips that need a board, or a remedy that ends on it."""

MISDEALS = frozenset(
    {
        "wrong_first_seat",
        "wrong_seat",
        "ineligible_seat",
        "seat_skipped",
        "too_few_cards",
        "too_many_cards",
        "duplicate_card",
        "foreign_card",
        "joker",
    }
)
"""After these the dealer who stops collects the cards and deals again with the same button."""

FIRST_EXPOSED = ("exposed_card", "first")
"""The one slip that is a misdeal in one of its variants only."""

STOP_ONLY = frozenset({"hand_mucked"})
"""Slips after which no dealer could go on unaware."""

NEAR_MISSES = (
    "corrected",
    "slide_over",
    "late_fold",
    "lift_return",
    "fold_over_seat",
    "slow_pause",
)
"""What looks like a slip and is none: no alarm may stay."""

NEEDS_FOLD = frozenset({"late_fold", "fold_over_seat"})
"""Near misses for which somebody must fold before the flop."""

NEEDS_ACTIONS = frozenset({"hand_mucked", "dealt_after_end"})
"""Slips that a table can only see if every action is entered."""
NEEDS_ROUNDS = frozenset({"premature_card"})
"""Slips that a table can only see if at least the end of each round is entered."""

ALSO: Mapping[str, int] = {
    "all_in": 2,
    "absent": 3,
    "seat_change": 4,
    "dead_button": 3,
    "new_deck": 2,
}
"""What else an ordinary hand may bring, and how many players it needs.

    all_in       somebody bets all he has; once nobody can bet any more the board is run out
    absent       a player is dealt in but away; his hand is folded when it is his turn
    seat_change  a player leaves for some hands, then comes back
    dead_button  the player whose button it would be has left; the button lies at his empty seat
    new_deck     the other deck comes into play before the hand
"""

WISHED: Mapping[str, int] = {"run_twice": 2, "straddle": 3}
"""The same, but only where a script asks for it: one more thing for `evening` to draw from would make every evening of
every seed another one.

    run_twice    after an all-in before the river the rest of the board is run two or three times
    straddle     one or two players straddle before the deal
"""

BOARD_STEPS = ("unplug", "replug", "restart", "dead", "mend")


@dataclass(frozen=True, slots=True)
class HandPlan:
    """One hand: at most one slip, at most one near miss. UsageError if the wish makes no sense."""

    slip: str | None = None
    variant: str | None = None
    street: str | None = None
    aftermath: str = "stop"
    """After a slip: `stop`, the dealer sees it, waits and collects all cards; `deal_on`, nobody notices."""
    near_miss: str | None = None
    reach: str | None = None
    """The hand must come at least to this street's cards; None leaves that to chance."""
    also: tuple[str, ...] = ()
    """What happens besides, without any fault of the dealer: see ALSO and WISHED."""

    def __post_init__(self) -> None:
        if self.slip is None:
            extra = self.variant or self.street
            _check(extra is None, f"a hand without a slip takes no variant or street ({extra})")
        else:
            variants, streets = ALL_SLIPS.get(self.slip), SLIP_STREETS.get(self.slip, ())
            streets += STUD_STREETS if self.slip in ON_STUD_STREETS else ()
            known = ", ".join(ALL_SLIPS)
            _check(variants is not None, f"slip {self.slip!r} is not known; choose one of {known}")
            _one_of(self.slip, "variant", self.variant, variants or ())
            _one_of(self.slip, "street", self.street, streets)
        _one_of("a hand", "near miss", self.near_miss, NEAR_MISSES)
        _one_of("a hand", "aftermath", self.aftermath, ("stop", "deal_on"))
        on = self.aftermath == "deal_on" and self.slip in STOP_ONLY
        _check(not on, f"{self.slip} has no deal_on: the dealer cannot go on unaware")
        for wish in self.also:
            _one_of("a hand", "what is also to happen,", wish, (*ALSO, *WISHED))
        over = {"all_in", "run_twice"} & set(self.also) and self.slip == "dealt_after_end"
        _check(not over, "dealt_after_end ends by folds: nobody can be all in")
        early = "run_twice" in self.also and self.slip == "premature_card"
        _check(not early, "premature_card needs a betting round: it cannot be run twice then")

    @property
    def chosen_variant(self) -> str | None:
        """The variant, or the slip's default one."""
        return self.variant or next(iter(ALL_SLIPS.get(self.slip or "", ())), None)

    @property
    def is_misdeal(self) -> bool:
        """The dealer who sees the slip collects the cards and deals again with the same button."""
        return self.slip in MISDEALS or (self.slip, self.chosen_variant) == FIRST_EXPOSED

    @property
    def chosen_street(self) -> str | None:
        """The street, or the slip's default one."""
        return self.street or next(iter(SLIP_STREETS.get(self.slip or "", ())), None)

    def street_in(self, game: Game) -> str:
        """The street of the slip in that game. UsageError if the game has no such street, or no such slip."""
        streets = game.street_names
        _one_of(game.name, "street", self.street, streets)
        stray = self.slip in (NOT_IN_STUD if game.stud else STUD_SLIPS)
        _check(not stray, f"{self.slip} does not happen in {game.name}")
        return self.street or streets[0]

    def on_later_street(self, game: Game) -> bool:
        """A slip of the deal, on a street of stud after the opening."""
        return game.stud and self.street is not None


@dataclass(frozen=True, slots=True)
class BoardStep:
    """Something happens to a reader board: see BOARD_STEPS; `antenna` for dead and mend.

    It happens before the next hand, or `after_ms` later, in the middle of that hand.
    """

    what: str
    reader: int
    antenna: int | None = None
    after_ms: float = 0.0

    def __post_init__(self) -> None:
        _one_of("a board", "step", self.what, BOARD_STEPS)


Step = HandPlan | BoardStep


def _check(fine: bool, text: str) -> None:  # noqa: FBT001 - it is the whole point
    if not fine:
        raise UsageError(text)


def _one_of(whose: str, what: str, value: str | None, choices: tuple[str, ...]) -> None:
    right = f"choose one of {', '.join(choices)}" if choices else "there is none to choose"
    _check(value is None or value in choices, f"{what} {value!r} of {whose} is not known; {right}")


def clean(hands: int) -> list[HandPlan]:
    """So many hands without a slip."""
    return [HandPlan()] * hands


def evening(
    hands: int, rng: Random, near: float = 0.2, *, also: float = 0.1, players: int = 9
) -> list[HandPlan]:
    """So many hands without a slip, as real evenings have them: none of them may raise an alarm.

    `near` is the share of hands with a near miss, `also` that of hands with an all-in, an absent player, a
    change of seats, a dead button or a new deck; `players` is how many sit at the table, so that nothing is
    asked of a table that it has no room for.
    """
    return [_ordinary(rng, near, also, players) for _ in range(hands)]


def _ordinary(rng: Random, near: float, also: float, players: int) -> HandPlan:
    near_miss = rng.choice(NEAR_MISSES) if rng.random() < near else None
    room = [wish for wish, least in ALSO.items() if least <= players]
    wishes = (rng.choice(room),) if rng.random() < also else ()
    if players == 2 and near_miss in NEEDS_FOLD:
        wishes = ()  # heads-up the fold ends the hand
    return HandPlan(near_miss=near_miss, also=wishes)


def one_of_each(betting: str = "actions", aftermath: str = "stop") -> list[HandPlan]:
    """One hand for each slip that a table with this betting mode can see, board slips on every street."""
    unseen = {"actions": frozenset[str](), "rounds": NEEDS_ACTIONS, "none": NEEDS_ACTIONS | NEEDS_ROUNDS}
    plans = []
    for slip in SLIPS:
        if slip in unseen[betting]:
            continue
        for street in SLIP_STREETS.get(slip, (None,)):
            on = "stop" if slip in STOP_ONLY else aftermath
            plans.append(HandPlan(slip, street=street, aftermath=on))
    return plans


def of_stud(game: Game, *, halves: bool, aftermath: str = "stop") -> list[HandPlan]:
    """One hand for each slip that a table with every action entered can see in that game of stud.

    On the first and the last street after the opening, too, where it can happen there.
    """
    slips = [slip for slip in SLIPS if slip not in NOT_IN_STUD] + (list(STUD_SLIPS) if halves else [])
    plans = []
    for slip in slips:
        on = "stop" if slip in STOP_ONLY else aftermath
        late = [game.street_names[0], game.street_names[-1]] if slip in ON_STUD_STREETS else []
        opening = [] if slip in SLIP_STREETS else [None]
        plans += [HandPlan(slip, street=street, aftermath=on) for street in (*opening, *late)]
    return plans


def all_variants(betting: str = "actions") -> list[HandPlan]:
    """Every slip in every variant on every street that a table with this betting mode can see."""
    found: list[HandPlan] = []
    for plan in one_of_each(betting):
        # During the deal only a flop can come early.
        found += [
            replace(plan, variant=variant)
            for variant in SLIPS[plan.slip or ""] or (None,)
            if (plan.slip, variant) != ("premature_card", "deal") or plan.street == "flop"
        ]
    return found


def near_misses() -> list[HandPlan]:
    """One hand for each near miss."""
    return [HandPlan(near_miss=name) for name in NEAR_MISSES]


def endless(rng: Random, slips_per_hand: float = 0.0) -> Iterator[HandPlan]:
    """Hands without end, clean but for a share of slips of any kind."""
    kinds = one_of_each()
    while True:
        yield rng.choice(kinds) if rng.random() < slips_per_hand else HandPlan()


def parse(text: str) -> list[Step]:
    """The hands and steps that a script in words lists. UsageError says which item is wrong and why."""
    steps: list[Step] = []
    for item in filter(None, (part.strip() for part in text.replace("\n", ",").split(","))):
        word, star, count = item.partition("*")
        times = int(count) if count.strip().isdigit() else 0
        _check(not star or times > 0, f"script: {item!r}: after * comes how often, 1 or more")
        try:
            step = _step(word.strip())
        except UsageError as wrong:
            raise UsageError(f"script: {item!r}: {wrong}") from None
        steps += [step] * (times if star else 1)
    return steps


def _step(word: str) -> Step:
    word, _, besides = word.partition("&")
    also = tuple(part.strip() for part in besides.split("&")) if besides else ()
    rest, plus, aftermath = word.strip().partition("+")
    rest, _, street = rest.partition("@")
    name, _, variant = rest.partition(":")
    if name in BOARD_STEPS:
        _check(not also, f"{name} is a board's step: nothing can be added to it with &")
        reader, _, antenna = variant.partition(".")
        numbers = all(text.isdigit() for text in (reader, antenna or "0", aftermath or "0"))
        _check(numbers, f"{name} needs a board's number, as in {name}:0, dead:0.3 (antenna 3), {name}:0+8000")
        return BoardStep(name, int(reader), int(antenna) if antenna else None, float(aftermath or 0))
    if name == "near":
        return HandPlan(near_miss=variant, also=also)
    if name == "clean":
        _check(rest == "clean" and not street and not plus, "'clean' takes no variant, street or aftermath")
        return HandPlan(also=also)
    return HandPlan(name, variant or None, street or None, aftermath if plus else "stop", also=also)
