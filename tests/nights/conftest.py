"""Nights of the simulated table: recorded off-line, replayed into the core, and judged by the simulator's truth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.config import from_recording
from tablectl.core.decisions import Decision, Irregularity
from tablectl.sim.habits import Habits
from tablectl.sim.noise import Noise, preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

FOUND_WITHIN_MS = 16_000
"""The slowest check, a card that fell out of a hand, waits 12 s."""


@dataclass(frozen=True)
class Night:
    """What the table concluded, and what was true."""

    decisions: Sequence[Decision]
    truth: Truth

    def alarms(self) -> list[Irregularity]:
        """Every irregularity that was confirmed, even if it was cleared later."""
        return [
            each for each in self.decisions if isinstance(each, Irregularity) and each.type == "irregularity"
        ]

    def told(self) -> list[Irregularity]:
        """The confirmed irregularities that were not cleared."""
        standing: dict[str, Irregularity] = {}
        for decision in self.decisions:
            if isinstance(decision, Irregularity) and decision.type == "irregularity":
                standing[decision.id] = decision
            elif decision.type == "cleared":
                standing.pop(decision.id, None)  # type: ignore[attr-defined]
        return list(standing.values())


def play(
    steps: Sequence[Any],
    noise: str | Noise,
    seed: int,
    *,
    betting: str = "actions",
    boards: int = 2,
    habits: Habits | None = None,
    game: str = "holdem",
    seats: int = 9,
    halves: bool = False,
    eligible: Collection[int] | None = None,
    dealt_by: str = "dealer",
    book: str | None = None,
) -> Night:
    """Plays the steps at a nine-handed table and replays what its readers sent."""
    truth = Truth()
    setup = TableSetup(
        seats=seats, boards=boards, game=game, betting=betting, halves=halves, dealt_by=dealt_by,
        rulebook=book or ("nl" if game.startswith("stud") else "pl"),
    )  # fmt: skip
    physics = preset(noise) if isinstance(noise, str) else noise
    lines = generate(setup, steps, physics, seed=seed, truth=truth, habits=habits, eligible=eligible)
    head, events = recording.from_objects(next(lines), lines, strict=True)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    return Night([decision for event in events for decision in table.step(event)], truth)


def check(of: Night) -> None:
    """Each injected slip is told once, under its own name, and nothing else is."""
    told = of.told()
    for slip in of.truth.of("irregularity"):
        match = next(
            (d for d in told if d.kind == slip["kind"] and 0 <= d.t - slip["at"] + 300 <= FOUND_WITHIN_MS),
            None,
        )
        assert match is not None, f"not found: {slip}"
        told.remove(match)
        for field in ("seat", "expected", "street"):
            if slip.get(field) is not None and getattr(match, field) is not None:
                assert getattr(match, field) == slip[field], f"{field} of {slip}"
    assert told == []


@pytest.fixture(scope="session")
def night() -> Callable[..., Night]:
    """Plays a night: steps, noise (a preset's name or a `Noise`), seed, and what differs from the usual table."""
    return play


@pytest.fixture(scope="session")
def check_found() -> Callable[[Night], None]:
    """Fails unless each injected slip was told once, under its own name, and nothing else was."""
    return check
