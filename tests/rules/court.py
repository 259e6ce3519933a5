"""A court for tests of rulebooks: one book, hands from the felt or from the reference table, and what must come of it.

`Court("nl").felt()` is a table on which cards are dealt and read, with that book; `at_table` are facts without a
table, for what no antenna sees. Expected values come from the specification, never from the book's file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from felt import Felt

from tablectl import rulebooks
from tablectl.core.decisions import Irregularity, Ruling
from tablectl.core.facts import Facts
from tablectl.core.house import inherit
from tablectl.core.rulebook import parse
from tablectl.core.ruling import Judgement
from tablectl.rulebooks import scenario
from tablectl.rulebooks.compare import compare

Steps = Sequence[Mapping[str, Any]]


def misdeal_steps(*, first: int = 1, cut: bool = True, deck: bool = False) -> Steps:
    """Cards back, bets back, (another deck,) shuffle, cut, deal again from that seat."""
    steps: list[Mapping[str, Any]] = [{"do": "collect"}, {"do": "return_bets", "to": "all"}]
    steps += [{"do": "change_deck", "when": "now"}] if deck else []
    steps += [
        {"do": "shuffle", "what": "full"},
        *([{"do": "cut"}] if cut else []),
        {"do": "redeal", "first": first},
    ]
    return tuple(steps)


class Court:
    """One book. `decider` is who decides where a test does not say otherwise, `authority` who is called in silence."""

    def __init__(self, name: str, *, decider: str, authority: str) -> None:
        self.book, self.decider, self.authority = rulebooks.load(name), decider, authority
        self.name = name

    def house(self, **tables: Any) -> Court:
        """A house that inherits the book and says this otherwise; for facts, not for a felt."""
        found, _ = rulebooks.content(self.name)
        changed = inherit(found, {"book": {"name": "house"}, **tables}, "house.toml")
        court = copy(self)
        court.book = parse(changed.data, "house.toml", changed.origins)
        return court

    def alone(self, *names: str) -> Court:
        """A house that has kept only these rules (`ID`, or `ID (variant)`): what they do not claim is silence."""
        rules = {
            rule.name: f"{rule.id} ({rule.variant or ''})" for rule in self.book.rules if rule.id is not None
        }
        assert set(names) <= set(rules)
        return self.house(remove=[shown for name, shown in rules.items() if name not in names])

    # --- hands ---------------------------------------------------------------------------------------------

    def felt(self, seats: int = 6, **options: Any) -> Felt:
        """A table under this book, nothing dealt yet; button at the last seat."""
        return Felt(seats, book=self.name, **options)

    def dealt(self, **options: Any) -> Felt:
        """The same after a correct deal."""
        return self.felt(**options).deal_all({"omaha": 4, "omaha5": 5}.get(options.get("game", ""), 2))

    def judge(self, facts: Facts, *slips: Irregularity, **answers: Any) -> Judgement:
        """What the book says of the reference table; answers are to the first irregularity."""
        return scenario.judge(self.book, facts, *slips, **answers)

    def rule(self, facts: Facts, *slips: Irregularity, **answers: Any) -> Ruling:
        """The one ruling, which must be certain."""
        judgement = self.judge(facts, *slips, **answers)
        assert judgement.questions == ()
        (ruling,) = judgement.rulings
        assert not ruling.provisional
        return ruling

    # --- what must come of it ------------------------------------------------------------------------------

    @staticmethod
    def last(felt: Felt) -> Ruling:
        """The ruling that stands on a felt."""
        return [decision for decision in felt.decisions if isinstance(decision, Ruling)][-1]

    def expect(
        self,
        ruling: Ruling,
        rule: str,
        verdict: str,
        steps: Steps = (),
        *,
        seats: Sequence[int] = (),
        bets: str = "unchanged",
        button: str = "unchanged",
        decider: str | None = None,
    ) -> None:
        """The ruling is exactly this one."""
        assert (ruling.rule, ruling.verdict) == (rule, verdict)
        assert list(ruling.steps) == list(steps)
        assert (ruling.seats, ruling.bets, ruling.button) == (tuple(seats), bets, button)
        assert (ruling.decider, ruling.provisional) == (decider or self.decider, False)

    def misdeal(
        self, ruling: Ruling, rule: str, steps: Steps | None = None, *, button: str = "unchanged"
    ) -> None:
        """Void and dealt again from seat 1, all bets back."""
        self.expect(ruling, rule, "misdeal", steps or misdeal_steps(), bets="returned", button=button)

    def column(self, expected: str) -> None:
        """This book's column of the conflict table: a line for each case, `C8 what: RULE verdict, RULE verdict`."""
        found = {}
        for line in compare([self.book]):
            told = [f"{each.rule or '–'} {each.verdict}" for each in line.rulings[0]]
            found[" ".join(filter(None, (line.case.row, line.case.what)))] = ", ".join(told)
            assert not any(each.provisional for each in line.rulings[0]), line.case
        assert found == dict(line.split(": ") for line in expected.strip().splitlines())

    def answers(self, kind: str, games: Sequence[str], *, prefix: str, decider: str | None = None) -> None:
        """The kind gets one ruling in every game, whatever is missing from it, with betting known and unknown."""
        for game in games:
            facts = scenario.table(game=game)
            for known in (facts, replace(facts, **scenario.UNKNOWN_BETTING)):
                for fields in (
                    {},
                    {"seat": 3, "expected": 4, "k": 2, "street": "flop", "count": 4, "need": 3},
                ):
                    (ruling,) = self.judge(known, scenario.slip(kind, **fields)).rulings
                    assert ruling.rule is None or ruling.rule.startswith(prefix)
                    assert decider is None or ruling.decider == decider

    def silent(self, ruling: Ruling, says: str = "") -> None:
        """The book has no rule: the floor decides, and the text says so, with what comes nearest."""
        assert (ruling.rule, ruling.verdict) == (None, "floor")
        assert list(ruling.steps) == [{"do": "call", "who": self.authority}]
        assert (ruling.decider, ruling.bets, ruling.seats) == (self.authority, "unchanged", ())
        assert (ruling.hint or "").startswith("this rulebook has no rule for")
        assert says in (ruling.hint or "")
