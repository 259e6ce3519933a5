"""The condition language: Kleene's logic, its types, and what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.logic import Language, Slot, Truth, Word, kleene_and, kleene_not, kleene_or
from tablectl.errors import RulebookError

WORDS = {
    "p": Word("bool"),
    "q": Word("bool"),
    "m": Word("int"),
    "n": Word("int"),
    "street": Word("street"),
    "order": Word("seats"),
    "acted": Word("bool", ("int",)),
    "board": Word("int", ("street",)),
}
CHOICES = {"street": ("flop", "turn", "river")}
TRUTHS = (True, False, None)


class Hand:
    """A scope that knows the given slots and nothing else."""

    def __init__(self, known: Mapping[Slot, Any]) -> None:
        self._known = known

    def look(self, slot: Slot) -> Any:
        return self._known.get(slot)


def language() -> Language:
    return Language(WORDS, CHOICES)


def value(text: str, **known: Any) -> Any:
    """The value of an expression where only the given names are known."""
    return language().parse(text, None)(Hand({(name,): each for name, each in known.items()}))


@pytest.mark.parametrize("a", TRUTHS)
@pytest.mark.parametrize("b", TRUTHS)
def test_and_or_and_not_obey_kleene(a: Truth, b: Truth) -> None:
    """False wins an `and`, True wins an `or`, unknown wins over the rest; De Morgan and involution hold."""
    assert kleene_and((a, b)) is (False if False in (a, b) else None if None in (a, b) else True)
    assert kleene_or((a, b)) is (True if True in (a, b) else None if None in (a, b) else False)
    assert kleene_not(kleene_and((a, b))) is kleene_or((kleene_not(a), kleene_not(b)))
    assert kleene_and((a, b)) is kleene_and((b, a))
    assert kleene_or((a, b)) is kleene_or((b, a))
    assert kleene_not(kleene_not(a)) is a


@pytest.mark.parametrize(
    ("text", "known", "result"),
    [
        ("p and q", {"p": True}, None),
        ("p and q", {"p": False}, False),
        ("q and p", {"p": False}, False),
        ("p or q", {"q": True}, True),
        ("not p", {}, None),
        ("m >= 2", {}, None),
        ("m >= 2", {"m": 2}, True),
        ("1 <= m <= 3", {"m": 4}, False),
        ("3 <= m <= n", {"m": 2}, False),
        ("m - 1 == n + n * 2", {"m": 7, "n": 2}, True),
        ("m in (1, 2)", {"m": 2}, True),
        ("m in (1, n)", {"m": 1}, True),
        ("m in (1, n)", {"m": 2}, None),
        ("m not in (1, 2)", {"m": 3}, True),
        ("m in order", {"m": 3, "order": (1, 2, 3)}, True),
        ("m in order", {"order": (1, 2, 3)}, None),
        ("street == 'turn'", {"street": "flop"}, False),
        ("'turn' == street", {"street": "turn"}, True),
        ("street in ('turn', 'river')", {"street": "river"}, True),
        ("acted(m)", {}, None),
        ("True", {}, True),
    ],
)
def test_expressions_have_these_values(text: str, known: dict[str, Any], result: Any) -> None:
    """Comparisons, sums, membership and calls, each with known and unknown parts."""
    assert value(text, **known) is result


def test_calls_look_at_what_their_arguments_say() -> None:
    """`acted(m)` asks about the seat that m is; a literal street is passed on as it stands."""
    expr = language().parse("acted(m) and board('flop') == 3")
    assert expr(Hand({("m",): 4, ("acted", 4): True, ("board", "flop"): 3})) is True
    assert expr(Hand({("m",): 4, ("acted", 4): False})) is False
    assert expr.mentions == {"acted", "m", "board"}


def test_predicates_are_names_for_expressions() -> None:
    """A predicate may use the earlier ones, and whoever uses it mentions what it looks at."""
    book = language()
    book.define("busy", "m >= 2 or p")
    book.define("idle", "not busy")
    expr = book.parse("idle and q")
    assert expr(Hand({("m",): 0, ("p",): False, ("q",): True})) is True
    assert expr.mentions == {"m", "p", "q"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("r", "unknown name"),
        ("acted", "needs 1 argument"),
        ("m(1)", "unknown function"),
        ("acted(1, 2)", "takes 1 argument"),
        ("acted('flop')", "is str, must be int"),
        ("board('trun')", "no such street"),
        ("street == 'trun'", "no such street"),
        ("street in ('turn', 'rivers')", "no such street"),
        ("m == 'flop'", "is str, must be int"),
        ("m", "is int, must be bool"),
        ("p and m", "is int, must be bool"),
        ("p < q", "is bool, must be int"),
        ("street in order", "is street, must be int"),
        ("p is None", "only =="),
        ("m / n == 1", "only names"),
        ("p.real", "only names"),
        ("order[0] == 1", "only names"),
        ("[p for p in order]", "only names"),
        ("(lambda: p)()", "only names"),
        ("acted(seat=1)", "only names"),
        ("__import__('os')", "unknown function"),
        ("p = q", "not an expression"),
        ("p and", "not an expression"),
        ("", "not an expression"),
        ("p\x00", "not an expression"),
        ("(" * 250, "not an expression"),
        ("not " * 100 + "p", "longer than"),
        ("None == p", "only names"),
        ("1.5 > m", "only names"),
    ],
)
def test_what_it_refuses_is_said_when_it_is_parsed(text: str, says: str) -> None:
    """Unknown words, wrong types, misspelt streets and everything that could run code are RulebookErrors."""
    with pytest.raises(RulebookError, match=says):
        language().parse(text)


def test_a_predicate_cannot_take_a_words_name_and_is_reported_once() -> None:
    """A taken name is refused; a broken predicate keeps its name, so its users do not fail for it as well."""
    book = language()
    with pytest.raises(RulebookError, match="taken"):
        book.define("p", "q")
    with pytest.raises(RulebookError, match="unknown name"):
        book.define("idle", "not buzy")
    assert book.parse("idle and p")(Hand({("p",): True})) is None


numbers = st.one_of(st.sampled_from(["m", "n", "m + 1", "n - m"]), st.integers(0, 3).map(str))
comparisons = st.tuples(numbers, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), numbers).map(" ".join)
members = st.tuples(numbers, st.sampled_from(["in", "not in"]), st.just("(1, n, 3)")).map(" ".join)
leaves = st.one_of(
    st.sampled_from(["p", "q", "True", "False", "acted(m)", "m in order"]), comparisons, members
)
expressions = st.recursive(
    leaves,
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from([" and ", " or "]), part).map(lambda parts: f"({''.join(parts)})"),
        part.map(lambda inner: f"(not {inner})"),
    ),
    max_leaves=6,
)
hands = st.fixed_dictionaries(
    {
        ("p",): st.booleans(),
        ("q",): st.booleans(),
        ("m",): st.integers(0, 3),
        ("n",): st.integers(0, 3),
        ("order",): st.just((1, 2)),
        ("acted", 0): st.booleans(),
        ("acted", 1): st.booleans(),
        ("acted", 2): st.booleans(),
        ("acted", 3): st.booleans(),
    }
)


@given(expressions.filter(lambda text: len(text) < 300), hands, st.sets(st.integers(0, 8)))
def test_making_an_unknown_known_never_flips_a_known_result(
    text: str, hand: dict[Slot, Any], hidden: set[int]
) -> None:
    """Monotony: what is decided with some words unknown is decided the same way once they are known."""
    expr = language().parse(text)
    partly = {slot: known for index, (slot, known) in enumerate(hand.items()) if index not in hidden}
    early = expr(Hand(partly))
    late = expr(Hand(hand))
    assert late is not None
    assert early is None or early is late


@given(expressions.filter(lambda text: len(text) < 300), hands)
def test_with_everything_known_it_is_pythons_own_logic(text: str, hand: dict[Slot, Any]) -> None:
    """On known values the language agrees with Python itself."""
    names = {slot[0]: known for slot, known in hand.items() if len(slot) == 1}
    truth = eval(text, {"__builtins__": {}}, {**names, "acted": lambda seat: hand["acted", seat]})
    assert language().parse(text)(Hand(hand)) is truth
