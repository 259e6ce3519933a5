"""One irregularity on the docket: how far it has come, what was ruled of it, and what is asked.

Owns: the entry, its ids, its view and its place among the others, and what a ruling of the floor means in cards.
Refuses: the life of an entry, and which entries there are (`core.docket`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablectl.core.decisions import Question, Ruling, Step, Verdict
from tablectl.core.finding import Finding
from tablectl.core.remedy import Remedy
from tablectl.said import say

GOVERNS = frozenset({"void", "misdeal"})
"""Verdicts that decide the whole hand."""

RANKS: Mapping[str, int] = {"void": 0, "misdeal": 1, "dead": 2, "correct": 3, "floor": 3, "play_on": 4}
"""How severe a verdict is, 0 most: rules.md §10.2. A repair and a call for the floor rank alike: the slip that came
first is settled first, for the later one lies on top of it."""
UNRULED, DOUBTED = 5, 6
"""Below them what got no ruling, because another one's governs the hand, and what is only suspected."""


@dataclass(slots=True)
class Entry:
    """One irregularity on the docket."""

    id: str
    finding: Finding
    confirmed: bool = False
    open: bool = True
    acknowledged: bool = False
    ruling: Ruling | None = None
    overridden: bool = False
    question: Question | None = None
    remedy: Remedy | None = None

    @property
    def started(self) -> bool:
        """The remedy is under way or done: the ruling stands."""
        return self.remedy is not None and self.remedy.started

    def fields(self) -> dict[str, Any]:
        """What the decision about it carries."""
        return {key: value for key, value in self.finding.fields.items() if value is not None}

    def view(self) -> dict[str, Any]:
        """As `/state` shows it."""
        remedy, question = self.remedy, self.question
        shown: Mapping[str, Any] = {
            "id": self.id,
            "kind": self.finding.kind,
            "stage": "confirmed" if self.confirmed else "suspicion",
            "acknowledged": self.acknowledged,
            **self.fields(),
            "ruling": {**self.ruling.as_json(), **say(self.ruling.hint)} if self.ruling else None,
            "step": remedy.at if remedy and not remedy.complete else None,
            "steps_done": list(remedy.done) if remedy else [],
            "question": {"id": question.id, "fact": question.fact, "choices": list(question.choices)}
            if question
            else None,
        }
        return dict(shown)


def severity(entry: Entry) -> int:
    """Where the entry stands among the others; the lower, the more severe."""
    if not entry.confirmed:
        return DOUBTED
    return RANKS[entry.ruling.verdict] if entry.ruling is not None else UNRULED


@dataclass(slots=True)
class Ids:
    """Ids are unique in the whole recording, so that they outlive the hand."""

    irregularities: int = 0
    questions: int = 0

    def irregularity(self) -> str:
        """The next irregularity's id."""
        self.irregularities += 1
        return f"i{self.irregularities}"

    def question(self) -> str:
        """The next question's id."""
        self.questions += 1
        return f"q{self.questions}"


def overruled(
    entry: Entry, verdict: Verdict, order: Sequence[int], t: int, dead: int | None = None
) -> Ruling:
    """The floor's ruling on the entry; what it orders beyond the meaning of its verdict is the floor's to say.

    `dead` is the seat whose hand the floor calls dead, if it named one.
    """
    before = entry.ruling
    seats = before.seats if before else ()
    seat = entry.finding.fields.get("seat")
    if verdict == "dead" and dead is not None:
        seats = (dead,)
    elif verdict == "dead" and not seats and isinstance(seat, int) and seat in order:
        seats = (seat,)
    return Ruling(
        t=t, irregularity=entry.id, rulebook="", rule=None, verdict=verdict, provisional=False,
        decider=before.decider if before else "floor", seats=seats, steps=_meaning(verdict, seats, order),
        bets="returned" if verdict in GOVERNS else "unchanged",
    )  # fmt: skip


def _meaning(verdict: Verdict, seats: Sequence[int], order: Sequence[int]) -> tuple[Step, ...]:
    """What the verdict means in cards, whatever the book."""
    if verdict == "dead":
        return tuple({"do": "kill", "seat": seat} for seat in seats)
    if verdict not in GOVERNS:
        return ()
    deck: list[Step] = [{"do": "change_deck", "when": "now"}] if verdict == "void" else []
    first: list[Step] = [{"do": "redeal", "first": order[0]}] if order else []
    back: Step = {"do": "return_bets", "to": "all"}
    return ({"do": "collect"}, back, *deck, {"do": "shuffle", "what": "full"}, {"do": "cut"}, *first)
