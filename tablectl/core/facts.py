"""Facts: what a rulebook may ask about the hand in progress. Every one of them may be unknown (None).

Owns: the names and meanings of the facts. Refuses: how they are found out (`core.hand`, `core.betting`) and
what follows from them (`core.rulebook`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Board:
    """One run of the board by its streets, the common ones included; as `Facts` has it."""

    board: Mapping[str, int]
    burns: Mapping[str, int]
    burns_due: Mapping[str, int]
    board_k: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Facts:
    """The hand as the rulebook sees it. None, or a key that is missing from a mapping, means *unknown*.

    Counts of actions never include blinds, antes, straddle and bring-in (TDA 36). Streets are `preflop`,
    `flop`, `turn`, `river`, in stud `second` to `seventh`. Actions in turn are fold, check, call, bet and raise;
    an all-in is one of these.
    """

    game: str
    need: int
    """Cards a seat must get in the initial deal: 2 in hold'em, 4 in Omaha, 3 in seven-card stud."""
    order: tuple[int, ...]
    """Eligible seats in dealing order: the first one gets the first card, the button the last."""
    deal_done: bool | None
    """The initial deal is complete."""
    held: Mapping[int, int]
    """Cards per seat, dealt minus returned; one that a remedy owes the seat counts, one that must go back does not."""
    board: Mapping[str, int]
    """Cards lying for each street of the board."""
    burns: Mapping[str, int]
    """Burns made for each street."""
    burns_due: Mapping[str, int] = field(default_factory=dict)
    """Burns each street should have; 1 where nothing is said, 0 where a remedy has paid it already."""
    board_k: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """`k` of the cards lying for each street, in the order in which they left the deck."""
    runs: Mapping[int, Board] = field(default_factory=dict)
    """Where the board is run more than once: each run, dealt or not. The above is the last one that was dealt."""
    button: int | None = None
    """Seat of the button, an empty one too (a dead button)."""
    absent: tuple[int, ...] = ()
    """Seats that are dealt in although the player is away or penalised."""
    up: Mapping[int, int] = field(default_factory=dict)
    """Stud: face-up cards per seat, as seen by a second antenna or entered."""
    over: bool = False
    """The hand is decided: one live seat is left, or the dealer said so."""
    ended: bool = False
    """The hand has ended: its pot is awarded (`hand_end`, or the next hand has begun). Implies `over`."""
    showdown: bool = False
    live: tuple[int, ...] = ()
    """Seats that were dealt in and have not folded."""
    street: str = "preflop"
    """The street whose betting round is on, or was last."""

    actions: int | None = None
    """A: actions since the initial deal."""
    players_acted: int | None = None
    """P: different seats with an action in this hand."""
    chips_in: int | None = None
    """How many of the actions put chips in the pot (call, bet, raise)."""
    alike: bool | None = None
    """Every action so far was a fold, or every one was a check. True as long as there are none."""
    street_actions: Mapping[str, int] = field(default_factory=dict)
    """A.st: actions of one street's own betting round."""
    street_players: Mapping[str, int] = field(default_factory=dict)
    """P.st: different seats with an action in one street's own betting round."""
    seat_acted: Mapping[int, bool] = field(default_factory=dict)
    """acted(x): the seat has at least one action in this hand."""
    round_open: Mapping[str, bool] = field(default_factory=dict)
    """The betting round of the street is not closed yet."""

    looked_at: bool | None = None
    """A card that must move was looked at. Default when asked and not answered: no."""
    repairable: bool | None = None
    """It is known where each dealt card belongs, and none that must move was shown. None: see `core.case`."""
    flop_exposed: bool | None = None
    """The flop was seen. Default: yes if three cards lie on the board."""
    whole_hand: int | None = None
    """Cards of a seat by now, where that is more than `need`: on the later streets of stud."""
    retrievable: bool | None = None
    """A mucked hand can be told from the muck with certainty."""
    exposed_by_dealer: int = 0
    """Hole cards exposed by the dealer so far."""
    exposed_by_player: int = 0
    """Hole cards that players let be seen themselves so far."""
    boxed: int = 0
    """Boxed (face-up in the deck) cards so far."""

    def of_run(self, run: int | None) -> Facts:
        """The facts with the board of that run; None is the first one."""
        each = self.runs.get(run or 1)
        if each is None:
            return self
        return replace(
            self, board=each.board, burns=each.burns, burns_due=each.burns_due, board_k=each.board_k
        )
