"""The docket of a hand: its irregularities from the first suspicion to the last step of the remedy.

    (nothing) ──probable──▶ suspicion ──sure──▶ confirmed ──ruling──▶ remedy started ──▶ complete
                                └──── not found any more: cleared ────┘        (never cleared from here on)

Owns: ids, stages, questions and rulings, and when each is told to the outside.
Refuses: finding irregularities (`core.detector`) and deciding rulings (`core.ruling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tablectl.core.decisions import (
    Cleared,
    Decision,
    Irregularity,
    Question,
    RemedyEvent,
    Ruling,
    Suspicion,
    Verdict,
)
from tablectl.core.detector import stands
from tablectl.core.facts import Facts
from tablectl.core.finding import Finding
from tablectl.core.hand import Hand
from tablectl.core.handwork import Happening
from tablectl.core.laying import lay_anew
from tablectl.core.listed import GOVERNS, Entry, Ids, overruled, severity
from tablectl.core.remedy import Events, Remedy
from tablectl.core.rulebook import Rulebook
from tablectl.core.ruling import decide
from tablectl.layout import ASIDE, SHOE

BOARD_KINDS = frozenset(
    {"premature_card", "too_many_board_cards", "too_few_board_cards", "burn_missing", "burn_extra"}
)
SEAT_COUNTS = frozenset({"too_many_cards", "too_few_cards"})


class Docket:
    """The irregularities of one hand."""

    def __init__(self, hand: Hand, book: Rulebook, ids: Ids) -> None:
        self._hand = hand
        self._book = book
        self._ids = ids
        self.entries: list[Entry] = []
        self.answers: dict[tuple[str, str], Any] = {}
        self._violations: list[Finding] = []
        self._moved_on = False
        self._judged: tuple[Facts, tuple[Irregularity, ...], dict[tuple[str, str], Any]] | None = None

    # --- findings ------------------------------------------------------------------------------------------

    def update(self, findings: Sequence[Finding], t: int) -> list[Decision]:
        """Takes what is found now; tells what is new, surer, or gone."""
        out: list[Decision] = []
        found = {f.key: f for f in map(self._answered, (*findings, *self._violations)) if f is not None}
        for entry in self.entries:
            if entry.open:
                out += self._follow(entry, found.pop(entry.finding.key, None), t)
            elif entry.finding.key in found and entry.started:
                found.pop(entry.finding.key)  # remedied: what the history shows of it is old news
        under_way = not self._hand.voided and any(self._lays(entry, t) for entry in self.entries)
        for finding in found.values():
            if (under_way and finding.kind in BOARD_KINDS) or self._is_replaced(finding):
                continue  # what the remedy lays out is judged by the remedy
            entry = self._entry_for(finding)
            out.append(self._tell(entry, t))
            if finding.asks is not None and not finding.confirmed:
                out += self._ask(entry, finding.asks, (True, False), t)
        return out

    def _answered(self, finding: Finding) -> Finding | None:
        """A finding that the dealer is asked about first: sure, nothing, or open as long as there is no answer."""
        if finding.asks is None:
            return finding
        ids = [entry.id for entry in self.entries if entry.finding.key == finding.key]
        answer = self.answers.get((ids[0], finding.asks)) if ids else None
        return None if answer is True else replace(finding, confirmed=answer is False)

    def _lays(self, entry: Entry, t: int) -> bool:
        """Its remedy lays the board now; while it waits for a betting round the board is judged as ever."""
        remedy = entry.remedy
        if remedy is None or not remedy.started or remedy.complete or remedy.violated:
            return False
        return not remedy.calm(self._hand, t)

    def _is_replaced(self, finding: Finding) -> bool:
        """A seat whose card a remedy replaces has one too many or too few for a while, or one out of order."""
        seat, owed = finding.fields.get("seat"), self.owed()
        stray = finding.kind == "wrong_seat" and finding.fields.get("expected") is None
        if not (stray or finding.kind in SEAT_COUNTS) or seat not in owed:
            return False
        if any(each.remedy.given.intersection(finding.cards) for each in self.entries if each.remedy):
            return True  # the very card that it gave, whatever else comes to that seat
        return self._hand.held().get(seat, 0) + owed[seat] == self._hand.cards_by_now

    def _entry_for(self, finding: Finding) -> Entry:
        """A new entry; or the old one, if the same slip was taken back too soon."""
        for entry in self.entries:
            if entry.finding.key == finding.key and not entry.open:
                entry.open, entry.finding, entry.confirmed, entry.acknowledged = True, finding, False, False
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
            return self._suspicion(entry, t)
        entry.confirmed = True
        if finding.how is not None:
            self._hand.pinned[finding.cards[0]] = finding.how
        return self._irregularity(entry, t)

    def again(self, entry: Entry, t: int) -> list[Decision]:
        """What was told of an irregularity, once more."""
        told = self._irregularity(entry, t) if entry.confirmed else self._suspicion(entry, t)
        return [told, replace(entry.ruling, t=t)] if entry.ruling is not None else [told]

    def reconsider(self) -> None:
        """The rulings are decided anew, whatever they rest on."""
        self._judged = None

    def _suspicion(self, entry: Entry, t: int) -> Suspicion:
        return Suspicion(t=t, id=entry.id, kind=entry.finding.kind, hand=self._hand.number, **entry.fields())

    def _irregularity(self, entry: Entry, t: int) -> Irregularity:
        return Irregularity(
            t=t, id=entry.id, kind=entry.finding.kind, hand=self._hand.number, **entry.fields()
        )

    # --- rulings -------------------------------------------------------------------------------------------

    def judge(self, facts: Facts, t: int) -> list[Decision]:
        """Decides the rulings anew if anything they rest on has changed."""
        confirmed = tuple(self._irregularity(e, 0) for e in self.entries if e.open and e.confirmed)
        basis = (facts, confirmed, dict(self.answers))
        if not confirmed:
            self._govern(t)  # what governed the hand was corrected
        if basis == self._judged or not confirmed:
            return []
        self._judged = basis
        standing = {e.id for e in self.entries if e.open and (e.started or e.overridden)}
        judgement = decide(self._book, confirmed, facts, self.answers, t, standing)
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
                entry.remedy = (
                    None  # another one's misdeal or void governs the hand, or it is part of a remedy
                )
                continue
            if not _same(ruling, entry.ruling):
                out.append(ruling)
            self._rule(entry, ruling)
        self._govern(t)
        return out

    def _govern(self, t: int) -> None:
        """A misdeal or void governs the hand; remedies that are under way besides rest as long as it does."""
        governing = [e for e in self.entries if e.open and e.ruling and e.ruling.verdict in GOVERNS]
        self._hand.voided = bool(governing)
        if not governing:
            self._hand.voided_at = None
        elif self._hand.voided_at is None:
            self._hand.voided_at = t

    def _rule(self, entry: Entry, ruling: Ruling) -> None:
        entry.ruling = ruling
        street, run = entry.finding.fields.get("street"), entry.finding.fields.get("run", 1)
        cards = entry.finding.cards
        entry.remedy = Remedy(entry.id, ruling.steps, cards, street, run) if ruling.steps else None

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

    def override(
        self, irregularity: str, verdict: Verdict, why: str, who: str | None, t: int, dead: int | None = None
    ) -> list[Decision]:
        """The floor rules otherwise; its word stands until the hand ends, or until the floor revises it again.

        `dead` is the seat whose hand it calls dead, if it named one.
        """
        for entry in self.entries:
            if not (entry.open and entry.confirmed and entry.id == irregularity):
                continue
            ruling = overruled(entry, verdict, self._hand.order, t, dead)
            ruling = replace(ruling, rulebook=self._book.name, why=why, who=who)
            entry.overridden = True
            self._rule(entry, ruling)
            self.reconsider()  # what the other irregularities get may change with it
            self._govern(t)
            return [*self._withdraw_question(entry, t), ruling]
        return []

    # --- remedies ------------------------------------------------------------------------------------------

    def happened(self, happenings: Iterable[Happening], t: int) -> list[Decision]:
        """Checks the remedies against what the cards did and what was entered."""
        out: list[Decision] = []
        for what in happenings:
            for entry, events in self._told_by(what):
                out += self._told(entry, events, t)
        for entry, remedy in self._remedies():
            out += self._told(entry, remedy.look(self._hand, t), t)
        return out

    def _told_by(self, what: Happening) -> list[tuple[Entry, Events]]:
        """What the happening means for the remedies: a step of one or several, or against the first of them."""
        running = self._remedies()
        done = [(entry, remedy.happened(what, self._hand)) for entry, remedy in running]
        found = [(entry, events) for entry, events in done if events is not None]
        if found:
            return found
        against = ((entry, remedy.goes_elsewhere(what, self._hand)) for entry, remedy in running)
        return (
            [next(((entry, events) for entry, events in against if events), (running[0][0], []))]
            if running
            else []
        )

    def comes_back(self, uid: str, t: int) -> bool:
        """The card was shuffled in by a remedy, unseen: if it comes now, it comes from the deck."""
        card = self._hand.cards.get(uid)
        if card is None or (card.zone is not None and card.zone not in {SHOE, ASIDE}):
            return False
        return any(remedy.comes_back(uid, self._hand, t) for _, remedy in self._remedies())

    def step_done(self, t: int, irregularity: str | None = None, step: int | None = None) -> list[Decision]:
        """The dealer says that the current step of a remedy is done, of the most severe one unless he names another.

        A step that he names and that is not the current one has been seen meanwhile: then there is nothing to tick.
        """
        for entry, remedy in self._remedies():
            if irregularity in {None, entry.id}:
                late = step is not None and step != remedy.at
                return [] if late else self._told(entry, remedy.step_done(self._hand, t), t)
        return []

    def step_due(self, irregularity: str | None = None) -> int | None:
        """The step that it would tick now, of the most severe remedy or of that one's; None if none is due."""
        named = (remedy for entry, remedy in self._remedies() if irregularity in {None, entry.id})
        return next((remedy.at for remedy in named), None)

    def waits_for(self, do: str) -> bool:
        """A step that is to be followed is confirmed by that input."""
        return any(remedy.waits_for(do) for _, remedy in self._remedies())

    def redealt(self, t: int) -> list[Decision]:
        """The next hand has begun."""
        out: list[Decision] = []
        for entry, remedy in self._remedies():
            if any(step["do"] == "redeal" for step in remedy.steps):
                out += self._told(entry, remedy.redealt(self._hand, t), t)
        return out

    def owed(self) -> dict[int, int]:
        """Seat → cards that count there beyond those it was dealt: a replacement still due, less the card that goes.

        rules.md §1.2: a card due by a remedy counts as held, an exposed or removed one as gone.
        """
        out: dict[int, int] = {}
        for entry in self.entries:
            # A seat that is short stays so until it has its card: else the remedy would undo its own reason.
            due = entry.remedy is not None and entry.finding.kind != "too_few_cards"
            steps = entry.remedy.steps if entry.remedy is not None and due else ()
            for number, step in enumerate(steps):
                if step["do"] == "replace" and entry.remedy is not None:
                    seat, k = int(step["seat"]), entry.finding.fields.get("k")
                    if entry.finding.kind in SEAT_COUNTS or entry.finding.fields.get("seat") != seat:
                        continue  # no card is replaced: the seat is short until it is dealt the one it lacks
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

    def moved_on(self) -> bool:
        """A remedy has made progress since this was asked last, so that the hand must be read anew."""
        moved, self._moved_on = self._moved_on, False
        return moved

    def _remedies(self) -> list[tuple[Entry, Remedy]]:
        """Those that are to be followed now: of a hand that is void, only the one that says so."""
        out = []
        for entry in self.ordered():
            verdict = entry.ruling.verdict if entry.ruling else None
            follows = verdict in GOVERNS if self._hand.voided else verdict != "play_on"
            if follows and entry.remedy is not None and not entry.remedy.complete:
                out.append((entry, entry.remedy))
        return out

    def _told(self, entry: Entry, events: Events, t: int) -> list[Decision]:
        out: list[Decision] = []
        for step, event in events:
            out.append(RemedyEvent(t=t, irregularity=entry.id, step=step, event=event))
            if event == "started":
                out += self._withdraw_question(entry, t)
            elif event == "violated":
                key = ("violated", entry.id, step)
                fields = {
                    "seat": entry.finding.fields.get("seat"),
                    "street": entry.finding.fields.get("street"),
                    "run": entry.finding.fields.get("run"),
                }
                self._violations.append(Finding(key, "remedy_not_followed", fields, since=t))
            elif event == "complete":
                entry.open = False
        if events:
            self._moved_on = True
            self._lay(entry, t)
        return out

    def _lay(self, entry: Entry, t: int) -> None:
        """Where a remedy waits or ends, the board is read from what lies there."""
        remedy, ruling = entry.remedy, entry.ruling
        if remedy is None or ruling is None or self._hand.voided:
            return
        if remedy.violated:
            lay_anew(self._hand)  # from here on the board is judged as it lies
        elif remedy.complete and ruling.verdict == "floor":
            self._hand.board_suspended = self._hand.board_suspended or entry.finding.kind in BOARD_KINDS
        elif not self._hand.game.to_seats and remedy.leaves_board():
            return  # it may have come to its end while a street is being dealt
        elif remedy.complete or remedy.calm(self._hand, t):
            lay_anew(self._hand, remedy)

    def ordered(self) -> list[Entry]:
        """The open irregularities, most severe first; of equal ones that first which was found first."""
        return sorted((entry for entry in self.entries if entry.open), key=severity)

    def acknowledge(self) -> None:
        """The dealer has seen all that is confirmed; a suspicion that is confirmed later he has not."""
        for entry in self.entries:
            entry.acknowledged = entry.acknowledged or entry.confirmed

    def view(self) -> list[dict[str, Any]]:
        """The open irregularities as `/state` shows them."""
        return [entry.view() for entry in self.ordered()]


def _same(one: Ruling, other: Ruling | None) -> bool:
    return other is not None and replace(one, t=other.t) == other
