"""What was told against what was true.

Owns: matching claims with the truth of one evening: found, misnamed, missed, false, and how late.
Refuses: where the claims come from (tablectl or a baseline), and adding up (`tally`).

- *False*: a confirmed claim that no slip explains, whether or not it was withdrawn later. One about a card that
  really lay wrongly until the dealer corrected himself is not false if it was then cleared as corrected.
- *Found*: a confirmed claim of the same kind that names the same seat, expected seat and street, as far as both name
  one, from EARLY_MS before the card came to rest to LATE_MS after it. Anything else that was confirmed meanwhile in
  the same hand makes the slip *misnamed*; a suspicion of the right kind alone makes it *soft*. Both count as missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tablectl.core.decisions import Cleared, Decision, Irregularity, Suspicion
from tablectl.layout import seat_of

Event = Mapping[str, Any]

EARLY_MS = 300
"""A claim may come that much before the card is at rest: its antenna reads it as it slides in."""
LATE_MS = 16_000
"""The slowest check, a card that fell out of a hand, waits 12 s."""
READABLE_MS = 400
"""A wrong-seat or an extra card that lay for less before it was moved is left out of the figures."""
COMPARED = ("seat", "expected", "street")
SEEN_IN_THE_SHOE = frozenset({"joker", "foreign_card", "duplicate_card"})
"""What is wrong with the card itself may be told as soon as it lies at the mouth of the shoe."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "board and burn": (
        "premature_card", "too_many_board_cards", "too_few_board_cards", "burn_missing", "burn_extra",
    ),
    "extra and stuck": ("too_many_cards",),
    "wrong seat": ("wrong_seat", "seat_skipped", "wrong_first_seat", "ineligible_seat"),
}  # fmt: skip
"""The groups of which figures are asked; every other kind stands for itself."""
NEEDS_READS = frozenset({*GROUPS["extra and stuck"], *GROUPS["wrong seat"]})
"""Kinds that count only if the card was readable for READABLE_MS."""
ALIKE = (
    frozenset(GROUPS["wrong seat"]),
    frozenset({"premature_card", "too_many_board_cards", "dealt_after_end"}),
)
"""Kinds that a plain checker need not tell apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One telling. `stage`: soft, confirmed or cleared; tellings about the same thing share an id."""

    t: int
    id: str
    stage: str
    kind: str = ""
    seat: int | None = None
    expected: int | None = None
    street: str | None = None
    why: str | None = None
    """Why it was cleared: corrected or withdrawn."""

    def shown(self) -> dict[str, Any]:
        """The fields that say something."""
        names = ("kind", *COMPARED)
        return {name: value for name in names if (value := getattr(self, name)) not in {None, ""}}


def claims_of(decisions: Iterable[Decision]) -> list[Claim]:
    """The tellings among tablectl's decisions."""
    claims = []
    for made in decisions:
        if isinstance(made, Irregularity):
            stage = "soft" if isinstance(made, Suspicion) else "confirmed"
            claims.append(
                Claim(
                    t=made.t, id=made.id, stage=stage, kind=made.kind,
                    seat=made.seat, expected=made.expected, street=made.street,
                )
            )  # fmt: skip
        elif isinstance(made, Cleared):
            claims.append(Claim(t=made.t, id=made.id, stage="cleared", why=made.why))
    return claims


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """What became of one slip. `result`: found, misnamed, soft or missed."""

    label: str
    kind: str
    result: str
    hand: int
    at: int
    readable: bool = True
    confirmed_ms: int | None = None
    """From the card's coming to rest to the first confirmed claim that names it; of a flop, the last card's."""
    soft_ms: int | None = None
    """The same to the first soft or confirmed one."""
    told: Claim | None = None
    """What was told of it: the claim that found it, or the one under another name."""


@dataclass(slots=True)
class Verdict:
    """One evening of one tracker."""

    hands: int
    slips: list[Slip] = field(default_factory=list)
    false: list[tuple[int, Claim]] = field(default_factory=list)
    """Confirmed claims that nothing explains, each with its hand."""
    soft: list[tuple[int, Claim]] = field(default_factory=list)
    """Suspicions that nothing explains and that were never confirmed."""
    corrected: int = 0
    """Confirmed claims about a card that the dealer then put right."""
    doubles: int = 0
    """Slips' second and further confirmed claims under the right name."""


def judge(
    truth: Sequence[Event],
    claims: Sequence[Claim],
    labels: Mapping[int, str],
    *,
    ever_read: frozenset[str] | None = None,
    tolerant: bool = False,
    only: frozenset[str] | None = None,
) -> Verdict:
    """The verdict on one evening.

    `labels` names the slip of each hand. `ever_read`: the tags that any antenna read at all that evening; a card that
    is not among them has a dead tag. `tolerant` takes kinds that are ALIKE for the same, and does not ask which seat
    was expected. `only`: the kinds that the
    tracker checks at all; slips of others are left out.
    """
    starts = [event["t"] for event in truth if event["event"] == "hand_start"]
    bench = _Bench(truth, claims, starts, tolerant=tolerant)
    verdict = Verdict(len(starts))
    slips = [event for event in truth if event["event"] == "irregularity"]
    found = [bench.find(slip) for slip in slips]
    for slip, hit in zip(slips, found, strict=True):
        if only is None or slip["kind"] in only:
            readable = _readable(slip, truth, ever_read)
            verdict.slips.append(
                bench.outcome(slip, hit, labels.get(slip["hand"], slip["kind"]), readable=readable)
            )
    verdict.doubles = bench.doubles
    bench.rest(verdict)
    return verdict


def several(slip: Event) -> bool:
    """True for a slip of several cards: a premature flop is one entry that tells its count."""
    return bool(slip["kind"] == "premature_card" and slip.get("count", 1) > 1)


def ends(slip: Event, rest: Event) -> bool:
    """True if with this coming to rest the last card of such a slip lies; one of a single card ends as it is made."""
    if not several(slip):
        return False
    last = slip["k"] + slip["count"] - 1
    return bool((rest["hand"], rest.get("k")) == (slip["hand"], last) and rest["t"] >= slip["at"])


class _Bench:
    """The claims of one evening while slips are matched with them; each confirmed one explains one slip at most."""

    def __init__(
        self, truth: Sequence[Event], claims: Sequence[Claim], starts: list[int], *, tolerant: bool
    ) -> None:
        self.starts, self.tolerant = starts, tolerant
        self.confirmed = [claim for claim in claims if claim.stage == "confirmed"]
        self.soft = [claim for claim in claims if claim.stage == "soft"]
        self.cleared = [claim for claim in claims if claim.stage == "cleared"]
        self.sure = {claim.id for claim in self.confirmed}
        self.slips = [event for event in truth if event["event"] == "irregularity"]
        self.repairs = [event for event in truth if event["event"] == "near_miss" and "to" in event]
        self.rests = [event for event in truth if event["event"] == "rest"]
        self.doubles = 0

    def find(self, slip: Event) -> Claim | None:
        """The first confirmed claim that names the slip, taken out of the list with all that repeat it."""
        named = [claim for claim in self.confirmed if self._names(claim, slip)]
        self.confirmed = [claim for claim in self.confirmed if claim not in named]
        self.doubles += max(0, len(named) - 1)
        return min(named, key=lambda claim: claim.t, default=None)

    def outcome(self, slip: Event, hit: Claim | None, label: str, *, readable: bool) -> Slip:
        """What became of the slip, once every slip has had its own claims."""
        at = slip["at"]
        soft = [claim for claim in self.soft if self._names(claim, slip) or (hit and claim.id == hit.id)]
        told_at = [claim.t for claim in soft if claim.t >= self._earliest(slip)] + ([hit.t] if hit else [])
        # What the shoe's mouth told before the card even left counts as told at once.
        late = [max(0, t - at) if slip["kind"] in SEEN_IN_THE_SHOE else t - at for t in told_at]
        told, result = hit, "found"
        if hit is None:
            told = self._other_name(slip)
            result = "misnamed" if told else "soft" if soft else "missed"
        return Slip(
            label=label, kind=slip["kind"], result=result, hand=slip["hand"], at=at, readable=readable,
            confirmed_ms=late[-1] - self._laid_ms(slip) if hit else None, soft_ms=min(late, default=None), told=told,
        )  # fmt: skip

    def _laid_ms(self, slip: Event) -> int:
        """From the slip's first card to its last one, ms."""
        return next((rest["t"] - slip["at"] for rest in self.rests if ends(slip, rest)), 0)

    def _other_name(self, slip: Event) -> Claim | None:
        until = min(next((t for t in self.starts if t > slip["at"]), inf), slip["at"] + LATE_MS)
        others = [claim for claim in self.confirmed if slip["at"] - EARLY_MS <= claim.t <= until]
        told = min(others, key=lambda claim: claim.t, default=None)
        if told is not None:
            self.confirmed.remove(told)
        return told

    def rest(self, verdict: Verdict) -> None:
        """What no slip explains."""
        for claim in self.confirmed:
            if self._put_right(claim) and any(
                each.id == claim.id and each.t >= claim.t and each.why == "corrected" for each in self.cleared
            ):
                verdict.corrected += 1
            else:
                verdict.false.append((self.hand_at(claim.t), claim))
        told: set[str] = set(self.sure)
        for claim in self.soft:
            explained = self._put_right(claim) or any(self._names(claim, slip) for slip in self.slips)
            if claim.id not in told and not explained:
                verdict.soft.append((self.hand_at(claim.t), claim))
            told.add(claim.id)

    def hand_at(self, t: int) -> int:
        """The number of the hand that was on."""
        return sum(1 for start in self.starts if start <= t)

    def _names(self, claim: Claim, slip: Event) -> bool:
        alike = claim.kind == slip["kind"] or (
            self.tolerant and any({claim.kind, slip["kind"]} <= kinds for kinds in ALIKE)
        )
        if not alike or not self._earliest(slip) <= claim.t <= slip["at"] + LATE_MS:
            return False
        named = (name for name in COMPARED if not (self.tolerant and name == "expected"))
        said = ((getattr(claim, name), slip.get(name)) for name in named)
        return all(mine is None or true is None or mine == true for mine, true in said)

    def _earliest(self, slip: Event) -> int:
        """From when on the slip can be told, ms."""
        if slip["kind"] in SEEN_IN_THE_SHOE:
            return max((start for start in self.starts if start <= slip["at"]), default=slip["at"])
        return int(slip["at"]) - EARLY_MS

    def _put_right(self, claim: Claim) -> bool:
        """True if the claim is about a card that lay wrongly until the dealer moved it."""
        return any(
            seat_of(event["zone"]) == claim.seat and -LATE_MS <= event["t"] - claim.t <= 1000
            for event in self.repairs
            if claim.seat is not None
        )


def _readable(slip: Event, truth: Sequence[Event], ever_read: frozenset[str] | None) -> bool:
    """False if the card has a dead tag, or lay for less than READABLE_MS before it was lifted or moved."""
    if slip["kind"] not in NEEDS_READS or slip.get("k") is None:
        return True
    if ever_read is not None and slip.get("uid") not in ever_read:
        return False
    moved = (
        event["t"]
        for event in truth
        if event["event"] in {"lift", "leave", "fell"}
        and event["hand"] == slip["hand"]
        and event.get("k") == slip["k"]
        and event["t"] >= slip["at"]
    )
    return bool(min(moved, default=inf) - slip["at"] >= READABLE_MS)
