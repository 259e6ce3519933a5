"""The docket of a hand: its irregularities from the first suspicion to the last step of the remedy.

    (nothing) ──probable──▶ suspicion ──sure──▶ confirmed ──ruling──▶ remedy started ──▶ complete
                                └──── not found any more: cleared ────┘        (never cleared from here on)

Owns: ids, stages, questions and rulings, and when each is told to the outside.
Refuses: finding irregularities (`core.detector`) and deciding rulings (`core.ruling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablectl.core.decisions import (
    Cleared,
    Decision,
    Irregularity,
    Question,
    RemedyEvent,
    Ruling,
    Step,
    Suspicion,
)
from tablectl.core.detector import stands
from tablectl.core.facts import Facts
from tablectl.core.finding import Finding
from tablectl.core.hand import Hand
from tablectl.core.remedy import Event, Happening, Remedy
from tablectl.core.rulebook import Rulebook
from tablectl.core.ruling import decide
from tablectl.said import say

SEVERITY = ("void", "misdeal", "dead", "floor", "correct", "play_on")
BOARD_KINDS = frozenset(
    {"premature_card", "too_many_board_cards", "too_few_board_cards", "burn_missing", "burn_extra"}
)
SEAT_COUNTS = frozenset({"too_many_cards", "too_few_cards"})


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


class Docket:
    """The irregularities of one hand."""

    def __init__(self, hand: Hand, book: Rulebook, ids: Ids) -> None:
        self._hand = hand
        self._book = book
        self._ids = ids
        self.entries: list[Entry] = []
        self.answers: dict[tuple[str, str], Any] = {}
        self._violations: list[Finding] = []
        self._completed: Entry | None = None
        self._judged: tuple[Facts, tuple[Irregularity, ...], dict[tuple[str, str], Any]] | None = None

    # --- findings ------------------------------------------------------------------------------------------

    def update(self, findings: Sequence[Finding], t: int) -> list[Decision]:
        """Takes what is found now; tells what is new, surer, or gone."""
        out: list[Decision] = []
        found = {finding.key: finding for finding in (*findings, *self._violations)}
        for entry in self.entries:
            if entry.open:
                out += self._follow(entry, found.pop(entry.finding.key, None), t)
            elif entry.finding.key in found and entry.started:
                found.pop(entry.finding.key)  # remedied: what the history shows of it is old news
        under_way = any(
            entry.started and not (entry.remedy and entry.remedy.complete) for entry in self.entries
        )
        for finding in found.values():
            if (under_way and finding.kind in BOARD_KINDS) or self._is_replaced(finding):
                continue  # what the remedy lays out is judged by the remedy
            out.append(self._tell(self._entry_for(finding), t))
        return out

    def _is_replaced(self, finding: Finding) -> bool:
        """A seat whose card a remedy replaces has one too many or too few for a while, or one out of order."""
        seat, owed = finding.fields.get("seat"), self.owed()
        stray = finding.kind == "wrong_seat" and finding.fields.get("expected") is None
        if not (stray or finding.kind in SEAT_COUNTS) or seat not in owed:
            return False
        return self._hand.held().get(seat, 0) + owed[seat] == self._hand.need

    def _entry_for(self, finding: Finding) -> Entry:
        """A new entry; or the old one, if the same slip was taken back too soon."""
        for entry in self.entries:
            if entry.finding.key == finding.key and not entry.open:
                entry.open, entry.finding, entry.confirmed = True, finding, False
                return entry
        entry = Entry(self._ids.irregularity(), finding)
        self.entries.append(entry)
        return entry

    def _follow(self, entry: Entry, now: Finding | None, t: int) -> list[Decision]:
        if now is None:
            if entry.started or (entry.confirmed and stands(self._hand, entry.finding)):
                return []
            entry.open = False
            corrected = bool(entry.finding.cards) and any(
                uid in self._hand.corrected for uid in entry.finding.cards
            )
            withdrawn = self._withdraw_question(entry, t)
            return [*withdrawn, Cleared(t=t, id=entry.id, why="corrected" if corrected else "withdrawn")]
        if entry.confirmed:
            # What was told stays told; only the counts may grow, for the rulebook.
            if now.kind == entry.finding.kind:
                entry.finding = replace(now, confirmed=True)
            return []
        entry.finding = now
        return [self._tell(entry, t)] if now.confirmed else []

    def _tell(self, entry: Entry, t: int) -> Decision:
        finding = entry.finding
        if not finding.confirmed:
            return Suspicion(t=t, id=entry.id, kind=finding.kind, hand=self._hand.number, **entry.fields())
        entry.confirmed = True
        if finding.how is not None:
            self._hand.pinned[finding.cards[0]] = finding.how
        return self._irregularity(entry, t)

    def _irregularity(self, entry: Entry, t: int) -> Irregularity:
        return Irregularity(
            t=t, id=entry.id, kind=entry.finding.kind, hand=self._hand.number, **entry.fields()
        )

    # --- rulings -------------------------------------------------------------------------------------------

    def judge(self, facts: Facts, t: int) -> list[Decision]:
        """Decides the rulings anew if anything they rest on has changed."""
        confirmed = tuple(self._irregularity(e, 0) for e in self.entries if e.open and e.confirmed)
        basis = (facts, confirmed, dict(self.answers))
        if basis == self._judged or not confirmed:
            return []
        self._judged = basis
        judgement = decide(self._book, confirmed, facts, self.answers, t)
        by_id = {ruling.irregularity: ruling for ruling in judgement.rulings}
        asked = {question.irregularity: question for question in judgement.questions}
        out: list[Decision] = []
        for entry in self.entries:
            if not (entry.open and entry.confirmed) or entry.started or entry.overridden:
                continue
            question = asked.get(entry.id)
            out += self._ask(
                entry, question.fact if question else None, question.choices if question else (), t
            )
            ruling = by_id.get(entry.id)
            if ruling is None:
                entry.remedy = None  # another one's misdeal or void governs the hand
                continue
            if not _same(ruling, entry.ruling):
                out.append(ruling)
            self._rule(entry, ruling)
        self._hand.voided = any(
            entry.open and entry.ruling is not None and entry.ruling.verdict in {"misdeal", "void"}
            for entry in self.entries
        )
        if not self._hand.voided:
            self._hand.voided_at = None
        elif self._hand.voided_at is None:
            self._hand.voided_at = t
        return out

    def _rule(self, entry: Entry, ruling: Ruling) -> None:
        entry.ruling = ruling
        entry.remedy = Remedy(entry.id, ruling.steps, entry.finding.cards) if ruling.steps else None

    def _ask(self, entry: Entry, fact: str | None, choices: tuple[Any, ...], t: int) -> list[Decision]:
        if entry.question is not None and entry.question.fact == fact:
            return []
        out = self._withdraw_question(entry, t)
        if fact is not None:
            entry.question = Question(
                t=t,
                id=self._ids.question(),
                irregularity=entry.id,
                fact=fact,
                choices=tuple(choices),
                event="asked",
            )
            out.append(entry.question)
        return out

    def _withdraw_question(self, entry: Entry, t: int) -> list[Decision]:
        question, entry.question = entry.question, None
        return [] if question is None else [replace(question, t=t, event="withdrawn")]

    def answer(self, question: str, value: Any, t: int) -> list[Decision]:
        """The dealer answers a question, named by its id or its fact; an answer nobody asked for changes nothing."""
        for entry in self.entries:
            asked = entry.question
            if entry.open and asked is not None and question in {asked.id, asked.fact}:
                self.answers[entry.id, asked.fact] = value
                entry.question = None
                return [replace(asked, t=t, event="answered", value=value)]
        return []

    def override(self, irregularity: str, verdict: Any, why: str, who: str | None, t: int) -> list[Decision]:
        """The floor rules otherwise; its word stands until the hand ends."""
        for entry in self.entries:
            if entry.open and entry.confirmed and entry.id == irregularity:
                decider = entry.ruling.decider if entry.ruling else "floor"
                ruling = Ruling(
                    t=t, irregularity=entry.id, rulebook=self._book.name, rule=None, verdict=verdict, provisional=False,
                    decider=decider, seats=entry.ruling.seats if entry.ruling else (), why=why, who=who,
                )  # fmt: skip
                entry.overridden = True
                entry.ruling, entry.remedy = ruling, None
                if verdict in {"misdeal", "void"}:
                    self._hand.voided, self._hand.voided_at = True, t
                return [*self._withdraw_question(entry, t), ruling]
        return []

    # --- remedies ------------------------------------------------------------------------------------------

    def happened(self, happenings: Iterable[Happening], t: int) -> list[Decision]:
        """Checks the remedies against what the cards did and what was entered."""
        out: list[Decision] = []
        for entry in self._remedies():
            assert entry.remedy is not None  # noqa: S101 (by _remedies)
            for what in happenings:
                out += self._told(entry, entry.remedy.happened(what, self._hand), t)
            out += self._told(entry, entry.remedy.look(self._hand, t), t)
        return out

    def step_done(self, t: int) -> list[Decision]:
        """The dealer says that the current step of the most severe remedy is done."""
        for entry in self._remedies():
            assert entry.remedy is not None  # noqa: S101 (by _remedies)
            return self._told(entry, entry.remedy.step_done(), t)
        return []

    def redealt(self, t: int) -> list[Decision]:
        """The next hand has begun."""
        out: list[Decision] = []
        for entry in self._remedies():
            if entry.remedy and any(step["do"] == "redeal" for step in entry.remedy.steps):
                out += self._told(entry, entry.remedy.redealt(), t)
        return out

    def owed(self) -> dict[int, int]:
        """Seat → cards that count there beyond those it was dealt: a replacement still due, less the card that goes.

        rules.md §1.2: a card due by a remedy counts as held, an exposed or removed one as gone.
        """
        out: dict[int, int] = {}
        for entry in self.entries:
            steps = entry.remedy.steps if entry.remedy is not None else ()
            for number, step in enumerate(steps):
                if step["do"] == "replace" and entry.remedy is not None:
                    seat, k = int(step["seat"]), entry.finding.fields.get("k")
                    going = any(card.k == k and card.owner == seat for card in self._hand.at_seat(seat))
                    out[seat] = out.get(seat, 0) + (number not in entry.remedy.done) - going
        return out

    def under_way(self) -> bool:
        """A remedy has begun and is not complete."""
        return any(e.open and e.started and not (e.remedy and e.remedy.violated) for e in self.entries)

    def busy(self) -> bool:
        """Time or the state of the hand may move a remedy on."""
        return any(entry.open and entry.remedy is not None for entry in self.entries)

    def tells(self, uid: str) -> bool:
        """An irregularity about the card is confirmed."""
        return any(entry.open and entry.confirmed and uid in entry.finding.cards for entry in self.entries)

    def right_place(self, uid: str) -> str | None:
        """The zone that would correct the open irregularity of a card."""
        for entry in self.entries:
            if entry.open and uid in entry.finding.cards and entry.finding.right is not None:
                return entry.finding.right
        return None

    def just_completed(self) -> Entry | None:
        """The irregularity whose remedy was completed last, once."""
        done, self._completed = self._completed, None
        return done

    def _remedies(self) -> list[Entry]:
        running = [e for e in self.ordered() if e.remedy is not None and not e.remedy.complete]
        return [e for e in running if not (e.ruling and e.ruling.verdict == "play_on")]

    def _told(self, entry: Entry, events: list[tuple[int, Event]], t: int) -> list[Decision]:
        out: list[Decision] = []
        for step, event in events:
            out.append(RemedyEvent(t=t, irregularity=entry.id, step=step, event=event))
            if event == "done" and entry.remedy is not None:
                self._carry_out(entry.remedy.steps[step], t)
            if event == "started":
                out += self._withdraw_question(entry, t)
            elif event == "violated":
                key = ("violated", entry.id, step)
                fields = {
                    "seat": entry.finding.fields.get("seat"),
                    "street": entry.finding.fields.get("street"),
                }
                self._violations.append(Finding(key, "remedy_not_followed", fields, since=t))
                self._completed = entry  # from here on the board is judged as it lies
            elif event == "complete":
                entry.open = False
                self._completed = entry
        return out

    def _carry_out(self, step: Step, t: int) -> None:
        """What a step that was done changes for the rest of the hand."""
        if step["do"] == "kill":
            self._hand.betting = self._hand.betting.kill(t, int(step["seat"]))

    def ordered(self) -> list[Entry]:
        """The open irregularities, most severe first."""

        def severity(entry: Entry) -> int:
            if not entry.confirmed:
                return len(SEVERITY) + 1
            return SEVERITY.index(entry.ruling.verdict) if entry.ruling else len(SEVERITY)

        return sorted((entry for entry in self.entries if entry.open), key=severity)

    def acknowledge(self) -> None:
        """The dealer has seen all of them."""
        for entry in self.entries:
            entry.acknowledged = True

    def view(self) -> list[dict[str, Any]]:
        """The open irregularities as `/state` shows them."""
        return [self._view(entry) for entry in self.ordered()]

    def _view(self, entry: Entry) -> dict[str, Any]:
        remedy, question = entry.remedy, entry.question
        shown: Mapping[str, Any] = {
            "id": entry.id,
            "kind": entry.finding.kind,
            "stage": "confirmed" if entry.confirmed else "suspicion",
            "acknowledged": entry.acknowledged,
            **entry.fields(),
            "ruling": {**entry.ruling.as_json(), **say(entry.ruling.hint)} if entry.ruling else None,
            "step": remedy.at if remedy and not remedy.complete else None,
            "steps_done": list(remedy.done) if remedy else [],
            "question": {"id": question.id, "fact": question.fact, "choices": list(question.choices)}
            if question
            else None,
        }
        return dict(shown)


def _same(one: Ruling, other: Ruling | None) -> bool:
    return other is not None and replace(one, t=other.t) == other
