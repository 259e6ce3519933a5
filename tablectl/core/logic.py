"""The condition language of the rulebooks: a small part of Python's expressions, in three-valued logic.

Owns: how `not sa and held(x) != hole_cards` is read, checked when the book is loaded, and evaluated later.
Refuses: what the words mean (`core.case`), and anything that could run code: there are no attributes,
subscripts, lambdas, comprehensions or keyword arguments, and every name must be one of the given words.

Values are bool, int, str and `seats` (a tuple of seat numbers); `None` is *unknown*. `and`, `or` and `not`
are Kleene's; anything else that meets an unknown value is unknown. So evaluation is monotone: making an
unknown value known never turns a known result into another one. Types are checked when an expression is
parsed, so that evaluating it cannot fail in the middle of a hand.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from tablectl.errors import RulebookError

Slot = tuple[Any, ...]
"""A word and the values it is asked about: `("actions",)`, `("acted", 3)`."""

Truth = bool | None
"""Kleene's three values; None is *unknown*."""

MAX_TEXT = 300
"""Longest expression, characters. A book is a file from outside; this bounds the nesting the parser meets."""


class Scope(Protocol):
    """What an expression is evaluated in."""

    def look(self, slot: Slot) -> Any:
        """The value of a word, None if it is unknown."""


@dataclass(frozen=True, slots=True)
class Word:
    """A name (no `args`) or a function of the language, by the types of its arguments and of its value.

    A type is `bool`, `int`, `str`, `seats`, or the name of a closed set of strings given to `Language`.
    """

    type: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expr:
    """A checked expression: call it with a scope. `mentions` are the words it can look at."""

    text: str
    type: str
    mentions: frozenset[str]
    run: Callable[[Scope], Any]

    def __call__(self, scope: Scope) -> Any:
        return self.run(scope)


def kleene_and(values: Iterable[Truth]) -> Truth:
    """False if any value is False, else unknown if any is unknown, else True. Stops at the first False."""
    unknown = False
    for value in values:
        if value is False:
            return False
        unknown = unknown or value is None
    return None if unknown else True


def kleene_or(values: Iterable[Truth]) -> Truth:
    """True if any value is True, else unknown if any is unknown, else False. Stops at the first True."""
    unknown = False
    for value in values:
        if value is True:
            return True
        unknown = unknown or value is None
    return None if unknown else False


def kleene_not(value: Truth, /) -> Truth:
    """The opposite; unknown stays unknown."""
    return None if value is None else not value


class Language:
    """The words one rulebook may use, and the predicates it has defined from them.

    `choices` names the closed sets of strings: a literal that is compared with a word of such a type must be
    one of them, so that a misspelt street is a fault of the file and not a rule that never applies.
    """

    def __init__(self, words: Mapping[str, Word], choices: Mapping[str, Collection[str]]) -> None:
        self._words = dict(words)
        self._choices = choices
        self._predicates: dict[str, Expr] = {}

    def define(self, name: str, text: str) -> None:
        """Add a predicate; it may use the words and the predicates defined before it."""
        if not name.isidentifier() or name in self._words or name in self._predicates:
            raise RulebookError(f"{name!r} cannot be a new name: it is taken or not an identifier")
        # A broken predicate still becomes a name, so that its fault is reported once and not by every user.
        expr = Expr(text, "bool", frozenset(), lambda _: None)
        try:
            expr = self.parse(text)
        finally:
            self._predicates[name] = expr

    def predicate(self, name: str, text: str) -> Expr:
        """What was defined under that name; nothing that can be true if that failed."""
        return self._predicates.get(name, Expr(text, "bool", frozenset(), lambda _: None))

    def parse(self, text: str, want: str | None = "bool") -> Expr:
        """The checked expression. Raises RulebookError saying what in it is wrong; `want` is its type."""
        if len(text) > MAX_TEXT:
            raise RulebookError(f"longer than {MAX_TEXT} characters")
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise RulebookError(f"not an expression: {getattr(error, 'msg', error)}") from None
        reading = _Reading(self._words, self._choices, self._predicates)
        term = reading.term(tree.body)
        if want is not None:
            reading.fit(term, want, tree.body)
        return Expr(text, term.type, frozenset(reading.mentions), term.run)


@dataclass(frozen=True, slots=True)
class _Term:
    """A part of an expression while it is read; `literal` is set for a string constant only."""

    type: str
    run: Callable[[Scope], Any]
    literal: str | None = None


_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def _wrong(node: ast.AST, right: str) -> NoReturn:
    raise RulebookError(f"{ast.unparse(node)}: {right}")


class _Reading:
    """One pass over one expression's tree."""

    def __init__(
        self,
        words: Mapping[str, Word],
        choices: Mapping[str, Collection[str]],
        predicates: Mapping[str, Expr],
    ) -> None:
        self.words, self.choices, self.predicates = words, choices, predicates
        self.mentions: set[str] = set()

    def term(self, node: ast.expr) -> _Term:
        """The node as a typed function of the scope."""
        match node:
            case ast.Constant(value=bool() as value):
                return _Term("bool", lambda _: value)
            case ast.Constant(value=int() as value):
                return _Term("int", lambda _: value)
            case ast.Constant(value=str() as value):
                return _Term("str", lambda _: value, literal=value)
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args, node)
            case ast.BoolOp(op=op, values=values):
                parts = [self._typed(each, "bool") for each in values]
                join = kleene_and if isinstance(op, ast.And) else kleene_or
                return _Term("bool", lambda scope: join(part(scope) for part in parts))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._typed(operand, "bool")
                return _Term("bool", lambda scope: kleene_not(inner(scope)))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                sums = _strict(_ARITHMETIC[type(op)], self._typed(left, "int"), self._typed(right, "int"))
                return _Term("int", sums)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._comparison(left, ops, comparators)
        _wrong(node, "only names, calls, literals, comparisons, in, + - *, and, or, not are allowed")

    def _name(self, name: str, node: ast.expr) -> _Term:
        if name in self.predicates:
            predicate = self.predicates[name]
            self.mentions |= predicate.mentions
            return _Term(predicate.type, predicate.run)
        word = self.words.get(name)
        if word is None:
            _wrong(node, f"unknown name; known are {', '.join(sorted({*self.words, *self.predicates}))}")
        if word.args:
            _wrong(node, f"needs {len(word.args)} argument(s), as in {name}(…)")
        self.mentions.add(name)
        slot = (name,)
        return _Term(word.type, lambda scope: scope.look(slot))

    def _call(self, name: str, args: list[ast.expr], node: ast.expr) -> _Term:
        word = self.words.get(name)
        if word is None or not word.args:
            functions = sorted(each for each, known in self.words.items() if known.args)
            _wrong(node, f"unknown function; known are {', '.join(functions)}")
        if len(args) != len(word.args):
            _wrong(node, f"takes {len(word.args)} argument(s)")
        self.mentions.add(name)
        parts = [self._typed(arg, want) for arg, want in zip(args, word.args, strict=True)]

        def run(scope: Scope) -> Any:
            values = [part(scope) for part in parts]
            return None if None in values else scope.look((name, *values))

        return _Term(word.type, run)

    def _comparison(self, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr]) -> _Term:
        pairs: list[Callable[[Scope], Truth]] = []
        for op, right in zip(ops, rights, strict=True):
            pairs.append(self._pair(left, op, right))
            left = right
        if len(pairs) == 1:
            return _Term("bool", pairs[0])
        return _Term("bool", lambda scope: kleene_and(pair(scope) for pair in pairs))

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Callable[[Scope], Truth]:
        if isinstance(op, ast.In | ast.NotIn):
            inside = self._membership(left, right)
            return (lambda scope: kleene_not(inside(scope))) if isinstance(op, ast.NotIn) else inside
        compare = _COMPARE.get(type(op))
        if compare is None:
            _wrong(right, "only == != < <= > >= and in are allowed")
        one, two = self.term(left), self.term(right)
        if isinstance(op, ast.Eq | ast.NotEq):
            self._alike(one, left, two, right)
        else:
            self.fit(one, "int", left)
            self.fit(two, "int", right)
        return _strict(compare, one.run, two.run)

    def _membership(self, left: ast.expr, right: ast.expr) -> Callable[[Scope], Truth]:
        item = self.term(left)
        if isinstance(right, ast.Tuple | ast.List | ast.Set):
            equals = []
            for each in right.elts:
                member = self.term(each)
                self._alike(item, left, member, each)
                equals.append(_strict(operator.eq, item.run, member.run))
            return lambda scope: kleene_or(equal(scope) for equal in equals)
        self.fit(item, "int", left)
        return _strict(lambda seat, seats: seat in seats, item.run, self._typed(right, "seats"))

    def _alike(self, one: _Term, left: ast.expr, two: _Term, right: ast.expr) -> None:
        if one.literal is not None:
            one, left, two, right = two, right, one, left
        self.fit(two, one.type, right)

    def _typed(self, node: ast.expr, want: str) -> Callable[[Scope], Any]:
        term = self.term(node)
        self.fit(term, want, node)
        return term.run

    def fit(self, term: _Term, want: str, node: ast.expr) -> None:
        """Refuse a term of another type, or a string that is not one of the type's choices."""
        if term.literal is not None and want in self.choices:
            if term.literal not in self.choices[want]:
                _wrong(node, f"no such {want}; known are {', '.join(self.choices[want])}")
        elif term.type != want and not (want == "str" and term.type in self.choices):
            _wrong(node, f"is {term.type}, must be {want}")


def _strict(
    function: Callable[[Any, Any], Any], one: Callable[[Scope], Any], two: Callable[[Scope], Any]
) -> Callable[[Scope], Any]:
    """The function of two terms that is unknown as soon as one of them is."""

    def run(scope: Scope) -> Any:
        left, right = one(scope), two(scope)
        return None if left is None or right is None else function(left, right)

    return run
