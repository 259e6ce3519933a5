"""What tablectl concluded: the only things that leave the core.

Owns: one frozen dataclass per type of decision, and its JSON form, which is a contract with the outside.
Refuses: wording for people (the display and the panel do that) and card identities: a card is its `k`, its
place in the order in which the cards left the deck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

Step = Mapping[str, Any]
"""One remedy step: `do` and its arguments, as in the contract (`collect`, `redeal`, `to_burn`, …)."""

Verdict = Literal["misdeal", "void", "correct", "dead", "play_on", "floor"]
Decider = Literal["dealer", "floor", "supervisor", "director"]
Bets = Literal["unchanged", "returned", "pot", "returned_seat", "uncalled_returned"]
Button = Literal["unchanged", "corrected"]

KINDS = (
    "not_shuffled", "not_cut", "exposed_in_cut", "wrong_first_seat", "wrong_seat", "ineligible_seat",
    "seat_skipped", "too_few_cards", "too_many_cards", "button_misplaced", "exposed_card", "boxed_card",
    "duplicate_card", "foreign_card", "untagged_card", "joker", "missing_card", "damaged_card", "premature_card",
    "too_many_board_cards", "too_few_board_cards", "burn_missing", "burn_extra", "hand_mucked", "card_lost",
    "card_in_other_hand", "dealt_after_end", "stub_short", "stub_disordered", "up_card_error",
    "remedy_not_followed",
)  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Base of all decisions; `t` is the recording time at which it was made, ms."""

    type: ClassVar[str]
    always: ClassVar[frozenset[str]] = frozenset()
    """Fields that are written even when they are None."""
    t: int

    def as_json(self) -> dict[str, Any]:
        """The decision as the contract spells it: fields that do not apply are left out."""
        out: dict[str, Any] = {"t": self.t, "type": self.type}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name != "t" and (value is not None or each.name in self.always):
                out[each.name] = _plain(value)
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEvent(Decision):
    """A hand began or ended; at its end with the cards per zone and the order in which they were dealt.

    It is resumed if the input that ended it was taken back.
    """

    type: ClassVar[str] = "hand"
    always: ClassVar[frozenset[str]] = frozenset({"button"})
    event: Literal["start", "end", "resumed"]
    hand: int
    button: int | None
    seats: tuple[int, ...]
    counts: Mapping[str, int] | None = None
    sequence: tuple[tuple[int, str], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Decision):
    """The k-th card off the deck came to rest in `zone` at `seen_at` (ms)."""

    type: ClassVar[str] = "deal"
    k: int
    zone: str
    seen_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity(Decision):
    """A confirmed irregularity. `seat` is where the card lies, `expected` the seat where it belonged."""

    type: ClassVar[str] = "irregularity"
    id: str
    kind: str
    seat: int | None = None
    expected: int | None = None
    k: int | None = None
    street: str | None = None
    count: int | None = None
    need: int | None = None
    zone: str | None = None
    by: str | None = None
    run: int | None = None
    """The second or third run of the board, where it is run more than once."""
    p: float | None = None
    """How probable what was seen is if nothing is irregular, where that can be said."""
    hand: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion(Irregularity):
    """An irregularity that is only probable so far; an `irregularity` or a `cleared` with its id follows."""

    type: ClassVar[str] = "suspicion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared(Decision):
    """An irregularity that is none (any more)."""

    type: ClassVar[str] = "cleared"
    id: str
    why: Literal["corrected", "withdrawn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Decision):
    """A fact the rulebook needs and the table cannot know; asked only if the answers lead to different rulings."""

    type: ClassVar[str] = "question"
    id: str
    irregularity: str
    fact: str
    choices: tuple[Any, ...]
    event: Literal["asked", "answered", "withdrawn"]
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Decision):
    """What the house's rulebook says of an irregularity; a later one for the same irregularity replaces it."""

    type: ClassVar[str] = "ruling"
    always: ClassVar[frozenset[str]] = frozenset({"rule"})
    irregularity: str
    rulebook: str
    rule: str | None
    verdict: Verdict
    provisional: bool
    decider: Decider
    seats: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    bets: Bets = "unchanged"
    button: Button = "unchanged"
    hint: str | None = None
    why: str | None = None
    who: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyEvent(Decision):
    """Progress of a remedy: its step number `step` was started, done or violated; the last one completes it.

    A step is undone if the input that ticked it was taken back: it is due again.
    """

    type: ClassVar[str] = "remedy"
    irregularity: str
    step: int
    event: Literal["started", "done", "violated", "complete", "undone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder(Decision):
    """Something the dealer has to do by a rule although nothing went wrong: `kill` the hand of a player who is away."""

    type: ClassVar[str] = "reminder"
    what: Literal["kill"]
    seat: int
    rule: str
    event: Literal["due", "done", "withdrawn"]
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded(Decision):
    """A zone cannot be trusted, and the checks that rest on it are off."""

    type: ClassVar[str] = "degraded"
    zone: str
    why: str
    suspends: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored(Decision):
    """A degraded zone is trusted again."""

    type: ClassVar[str] = "restored"
    zone: str
    why: str
    suspends: tuple[str, ...]
