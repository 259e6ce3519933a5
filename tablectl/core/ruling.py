"""Decide: what a rulebook says of the irregularities of a hand, and what must be asked first.

Owns: collecting the rules that apply, precedence between them and between irregularities, going through the
possible values of unknown facts, and choosing the one question that helps most.
Refuses: when to decide anew, ids and timing of questions, and following a remedy (`core.table`).

Each irregularity is judged in every world: every combination of values that the unknown askable facts can
have. If all worlds lead to the same ruling, that is it. Otherwise one fact is asked, and until it is answered
the ruling of the likeliest world stands as provisional. Two rulings are the same if verdict, seats, steps,
bets, button and decider are; under which rule they are given is not worth a question.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablectl.core import steps
from tablectl.core.case import ASKABLE, Case, World, seats_of
from tablectl.core.decisions import Irregularity, Ruling, Step
from tablectl.core.facts import Facts
from tablectl.core.logic import Slot
from tablectl.core.rulebook import Rule, Rulebook
from tablectl.core.worlds import worlds

_RANK = {word: place for place, word in enumerate(ASKABLE)}
_GOVERNS = {"void": 0, "misdeal": 1}


@dataclass(frozen=True, slots=True)
class Asked:
    """The one question about an irregularity that helps most now.

    `fact` is the key under which `decide` expects the answer: a fact of the contract, followed by `:4` or
    `:turn` if it is about another seat or street than the irregularity's own. `choices` are the values that
    are possible; the highest of a count (3 actions, 2 players, 1 with chips) stands for that many or more.
    `actions` and `players_acted` are of the whole hand unless `street` is set, then of that street's round.
    """

    irregularity: str
    fact: str
    choices: tuple[Any, ...]
    default: Any
    seat: int | None = None
    street: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What follows for the hand now: at most one ruling and one question for each irregularity."""

    rulings: tuple[Ruling, ...]
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one world leads to. `rule` None: no rule applies."""

    rule: Rule | None
    seats: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    hint: str | None = None

    def effect(self, authority: str) -> tuple[Any, ...]:
        """What a dealer would notice of it: two outcomes with the same effect need no question."""
        rule = self.rule
        if rule is not None and rule.joins is not None:
            return ("joined",)
        ordered = tuple(tuple((key, str(value)) for key, value in step.items()) for step in self.steps)
        if rule is None or rule.id is None:
            return "floor", authority, "unchanged", "unchanged", (), ordered
        return rule.verdict, rule.decider, rule.bets, rule.button, self.seats, ordered


@dataclass(frozen=True, slots=True)
class _Finding:
    slip: Irregularity
    outcome: _Outcome
    asked: Asked | None


def decide(
    book: Rulebook,
    irregularities: Sequence[Irregularity],
    facts: Facts,
    answers: Mapping[tuple[str, str], Any],
    t: int,
    standing: Collection[str] = (),
) -> Judgement:
    """The rulings on the open, confirmed irregularities of one hand, given in order of occurrence.

    `answers` maps (irregularity id, `Asked.fact`) to the dealer's answer; an answer of the wrong type counts
    as none. `t` is the recording time, ms. A void or misdeal governs the hand: it is then the only ruling.
    Where several do, a void goes first, then what is certain, then the book's order. An irregularity whose
    remedy is part of another one's gets no ruling of its own. `standing` are irregularities whose ruling stands,
    because its remedy has begun or the floor gave it: they are not decided anew, but the others see them.
    """
    findings = [
        _judge(book, slip, facts, irregularities, answers)
        for slip in irregularities
        if slip.id not in standing
    ]
    governing = [each for each in findings if each.outcome.rule and each.outcome.rule.verdict in _GOVERNS]
    if governing:
        findings = [min(governing, key=_precedence)]
    given = [each for each in findings if each.outcome.rule is None or each.outcome.rule.joins is None]
    return Judgement(
        rulings=tuple(_ruling(book, facts, each, t) for each in given),
        questions=tuple(each.asked for each in findings if each.asked is not None),
    )


def _precedence(finding: _Finding) -> tuple[int, bool, tuple[int, int]]:
    rule = finding.outcome.rule
    assert rule is not None  # noqa: S101  only findings with a rule are compared
    return _GOVERNS[rule.verdict], finding.asked is not None, rule.place


def _judge(
    book: Rulebook,
    slip: Irregularity,
    facts: Facts,
    irregularities: Sequence[Irregularity],
    answers: Mapping[tuple[str, str], Any],
) -> _Finding:
    rules = [rule for rule in book.by_kind.get(slip.kind, ()) if facts.game in rule.games]
    mentioned = book.mentions.get(slip.kind, frozenset())
    case = Case(slip, facts, irregularities, answers, book.parameters, mentioned)
    rules, unknown = _still_possible(rules, case)
    if not unknown:
        return _Finding(slip, _outcome(book, rules, case, World(case, {})), None)
    ways = [(world, _outcome(book, rules, case, World(case, world))) for world in worlds(case, unknown)]
    effects = [(world, outcome.effect(book.authority)) for world, outcome in ways]
    return _Finding(slip, ways[0][1], _question(case, unknown, effects))


def _still_possible(rules: Sequence[Rule], case: Case) -> tuple[list[Rule], list[Slot]]:
    """The rules that may decide, and the unknown slots on which it depends which of them does."""
    kept: list[Rule] = []
    unknown: set[Slot] = set()
    world = World(case, {})
    dead = False
    for rule in rules:
        if dead and rule.verdict != "dead":
            break
        case.touched.clear()
        hits, unsure = _applies(rule, case, world)
        if not hits and not unsure:
            continue
        kept.append(rule)
        if not unsure:
            case.touched.clear()
        steps.write(rule.steps, world, seats_of(rule.about, case))
        unknown |= case.touched
        if hits and not unsure:  # it applies whatever the unknown facts are: what comes later cannot decide
            if rule.verdict != "dead":
                break
            dead = True
    return kept, sorted(unknown, key=lambda slot: (_RANK[slot[0]], str(slot[1:])))


def _applies(rule: Rule, case: Case, world: World) -> tuple[tuple[int | None, ...], bool]:
    """The seats to which the rule applies, (None,) for a rule without seats; whether that is still open."""
    seats: Sequence[int | None] = seats_of(rule.about, case) if rule.about else (None,)
    hits: list[int | None] = []
    unsure = False
    for seat in seats:
        world.bind(seat)
        state = rule.when(world)
        unsure = unsure or state is None
        if state:
            hits.append(seat)
    return tuple(hits), unsure


def _outcome(book: Rulebook, rules: Sequence[Rule], case: Case, world: World) -> _Outcome:
    """The first rule that applies. Hands that are dead under several rules join the ruling of the first."""
    first: Rule | None = None
    seats: tuple[int, ...] = ()
    written: tuple[Step, ...] = ()
    for rule in rules:
        if first is not None and rule.verdict != "dead":
            break
        hits = [seat for seat in _applies(rule, case, world)[0] if seat not in seats]
        if not hits:
            continue
        first = first or rule
        fresh = tuple(seat for seat in hits if seat is not None)
        seats += fresh
        written += steps.write(rule.steps, world, fresh)
        if rule.verdict != "dead":
            break
    hint = _hint(first, world) if first is not None else None
    if first is None or first.id is None:
        return _Outcome(first, (), ({"do": "call", "who": book.authority},), hint)
    return _Outcome(first, seats if first.verdict not in _GOVERNS else (), written, hint)


def _hint(rule: Rule, world: World) -> str | None:
    """What is said besides, as far as its conditions are true; it is never worth a question."""
    return "; ".join(hint.say for hint in rule.hints if hint.when(world) is True) or None


def _question(
    case: Case, unknown: Sequence[Slot], effects: Sequence[tuple[Mapping[Slot, Any], tuple[Any, ...]]]
) -> Asked | None:
    """The question whose answers leave the fewest different effects on average; None if all are the same."""
    if len({effect for _, effect in effects}) < 2:
        return None
    best: Slot | None = None
    left = 0.0
    for slot in unknown:
        groups: dict[Any, set[tuple[Any, ...]]] = {}
        for world, effect in effects:
            groups.setdefault(world[slot], set()).add(effect)
        average = sum(map(len, groups.values())) / len(groups)
        if len(groups) > 1 and (best is None or average < left):
            best, left = slot, average
    if best is None:
        return None
    word, *args = best
    seen = {world[best] for world, _ in effects}
    return Asked(
        irregularity=case.slip.id,
        fact=case.fact(best),
        choices=_choices(word, seen),
        default=effects[0][0][best],
        seat=args[0] if word == "acted" else None,
        street=args[0] if args and word != "acted" else None,
    )


def _choices(word: str, seen: set[Any]) -> tuple[Any, ...]:
    values = ASKABLE[word][1]
    ordered = (True, False) if isinstance(values[0], bool) else values
    return tuple(value for value in ordered if value in seen)


def _ruling(book: Rulebook, facts: Facts, finding: _Finding, t: int) -> Ruling:
    slip, outcome, rule = finding.slip, finding.outcome, finding.outcome.rule
    silent = rule is None or rule.id is None
    hint = outcome.hint
    if silent:
        what = slip.kind.replace("_", " ") if facts.game in book.games else facts.game
        hint = f"this rulebook has no rule for {what}" + (f": {hint}" if hint else "")
    return Ruling(
        t=t,
        irregularity=slip.id,
        rulebook=book.name,
        rule=rule.id if rule is not None else None,
        verdict=rule.verdict if rule is not None else "floor",
        provisional=finding.asked is not None,
        decider=book.authority if rule is None or silent else rule.decider,
        seats=outcome.seats,
        steps=outcome.steps,
        bets=rule.bets if rule is not None else "unchanged",
        button=rule.button if rule is not None else "unchanged",
        hint=hint,
    )
