"""What is played: the campaign's parameters, cut into chunks, each an evening of its own.

Owns: the parameters and their checks, the chunks, their seeds and their hands. Refuses: playing them (`evening`).

A chunk is small, so that many cores share the work and a kill loses seconds; each has its own seed and its own
drawn noise, so that no single unlucky table decides a figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from random import Random
from typing import Any

from tablectl.errors import UsageError
from tablectl.sim import script
from tablectl.sim.habits import Habits
from tablectl.sim.noise import Noise, calibration, preset, without
from tablectl.sim.script import HandPlan
from tablectl.sim.setup import BETTING, TableSetup

CLEAN, SLIPS = "clean", "slips"
HANDS_A_CHUNK = 10
"""Clean hands, or slips, of one evening."""
STOPS = 5
"""Every so many rounds of slips the dealer notices and stops; else he deals on unaware where that makes sense."""
MOST = 10_000_000


@dataclass(frozen=True, order=True)
class Chunk:
    """One evening: `clean` or `slips`, and its number of that kind."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}/{self.number}"


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """All that decides the figures. UsageError if it cannot be played."""

    hands: int
    """Clean hands."""
    noise: str = "light"
    readers: int = 4
    seed: int = 1
    seats: int = 10
    betting: str = "actions"
    slips: int | None = None
    """Hands for each variant of each slip; by default a fiftieth of the clean hands, two at least."""
    pace: tuple[float, float] = (3.0, 5.0)
    """Cards a second of a deal."""
    baseline_hands: int = 1000
    """The baselines watch so many of the clean hands and the same share of the slips."""
    without: str = ""
    """The one physical effect (`sim.noise.EFFECTS`) that is taken away; seeds, hands and dealers stay the same."""
    calibrated: str = ""
    """The antennas are configured as a table of this noise would be calibrated; by default they are not calibrated."""

    def __post_init__(self) -> None:
        for name, low, value in (
            ("hands", 1, self.hands), ("slips", 0, self.slips), ("baseline-hands", 0, self.baseline_hands),
        ):  # fmt: skip
            if value is not None and not low <= value <= MOST:
                raise UsageError(f"--{name} {value}: must be a whole number from {low} to {MOST}")
        if self.readers not in {1, 2, 4}:
            raise UsageError(f"--readers {self.readers}: must be 1, 2 or 4")
        if self.seats < 6:
            raise UsageError(f"--seats {self.seats}: must be 6 to 10; with fewer not every slip has room")
        if self.betting not in BETTING:
            raise UsageError(f"--betting {self.betting}: must be one of {', '.join(BETTING)}")
        # Each of these says what is wrong with its part.
        _ = self.physics
        _ = self.setup
        Habits(pace=self.pace)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Campaign:
        """The campaign that `as_json` wrote down."""
        return cls(**{**given, "pace": tuple(given["pace"])})

    def as_json(self) -> dict[str, Any]:
        """All parameters by name; the share of slips as it came out."""
        return {**asdict(self), "slips": self.rounds, "pace": list(self.pace)}

    def differs(self, other: Campaign) -> list[str]:
        """Where two campaigns differ, as `--name this instead of that`."""
        mine, theirs = self.as_json(), other.as_json()
        names = [each.name for each in fields(self) if mine[each.name] != theirs[each.name]]
        return [f"--{name.replace('_', '-')} {mine[name]} instead of {theirs[name]}" for name in names]

    @cached_property
    def setup(self) -> TableSetup:
        """The table. UsageError for a number of seats, or a preset, that does not exist."""
        known = calibration(preset(self.calibrated)) if self.calibrated else None
        return TableSetup(
            seats=self.seats, boards=self.readers, betting=self.betting, calibration=known
        )  # fmt: skip

    @cached_property
    def physics(self) -> Noise:
        """What the tables of the campaign are drawn from. UsageError for a preset or an effect that does not exist."""
        whole = preset(self.noise)
        return without(whole, self.without) if self.without else whole

    @cached_property
    def habits(self) -> Habits:
        """The dealers."""
        return Habits(pace=self.pace)

    @property
    def rounds(self) -> int:
        """How often each variant of each slip is played."""
        return max(2, self.hands // 50) if self.slips is None else self.slips

    @cached_property
    def _slip_plans(self) -> list[HandPlan]:
        """Every variant once, in a new order, and so on: the first part of the list is a fair sample of it."""
        plans: list[HandPlan] = []
        variants = script.all_variants(self.betting)
        for turn in range(self.rounds):
            order = Random(f"{self.seed}/order/{turn}").sample(variants, len(variants))  # noqa: S311
            stops = turn % STOPS == STOPS - 1
            plans += [
                plan if stops or plan.slip in script.STOP_ONLY else replace(plan, aftermath="deal_on")
                for plan in order
            ]
        return plans

    @cached_property
    def chunks(self) -> list[Chunk]:
        """All chunks, clean ones and slips evenly mixed, so that a part of them is a fair sample, too."""
        clean, slips = (-(-count // HANDS_A_CHUNK) for count in (self.hands, len(self._slip_plans)))
        places = [((number + 0.5) / clean, Chunk(CLEAN, number)) for number in range(clean)]
        places += [((number + 0.5) / slips, Chunk(SLIPS, number)) for number in range(slips)]
        return [chunk for _, chunk in sorted(places)]

    def plans(self, chunk: Chunk) -> list[HandPlan]:
        """The hands of one chunk."""
        first = chunk.number * HANDS_A_CHUNK
        if chunk.kind == CLEAN:
            count = min(HANDS_A_CHUNK, self.hands - first)
            rng = Random(f"{self.seed_of(chunk)}/hands")  # noqa: S311 - repeatable on purpose
            return list(script.evening(count, rng, players=self.seats))
        # A clean hand after each slip: what one leaves behind cannot spoil the next.
        return [
            each for plan in self._slip_plans[first : first + HANDS_A_CHUNK] for each in (plan, HandPlan())
        ]

    def seed_of(self, chunk: Chunk) -> str:
        """The seed of one chunk's evening."""
        return f"{self.seed}/{chunk}"

    def with_baselines(self, chunk: Chunk) -> bool:
        """Whether the baselines watch this chunk, too."""
        first = chunk.number * HANDS_A_CHUNK
        if chunk.kind == CLEAN:
            return first < self.baseline_hands
        return first < len(self._slip_plans) * min(1.0, self.baseline_hands / self.hands)

    @property
    def total_hands(self) -> int:
        """All hands that are played, those between the slips included."""
        return self.hands + 2 * len(self._slip_plans)


def label(plan: HandPlan) -> str:
    """A slip as scripts spell it: `wrong_seat:next`, `burn_missing@turn`; empty for a clean hand."""
    variant = f":{plan.chosen_variant}" if plan.chosen_variant else ""
    street = f"@{plan.chosen_street}" if plan.chosen_street else ""
    return f"{plan.slip}{variant}{street}" if plan.slip else ""


def pace_of(text: str) -> tuple[float, float]:
    """Cards a second from `4` or `3-5`. UsageError if that is neither."""
    low, _, high = text.partition("-")
    try:
        return float(low), float(high or low)
    except ValueError:
        raise UsageError(f"--pace {text}: must be cards per second, such as 4 or 3-5") from None
