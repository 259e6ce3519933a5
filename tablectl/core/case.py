"""One irregularity of one hand, as a rule sees it: every word of the rulebook language and what it means.

Owns: the vocabulary (`WORDS`), the facts that may be asked of the dealer, their possible values and likeliest
defaults, and which combinations of them can happen at a table at all.
Refuses: what follows from them (`core.ruling`).

A word that cannot be known and cannot be asked stays unknown, and a rule that rests on it does not apply:
only positive evidence accuses. The one exception are burns: unknown ones are taken as made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

from tablectl.core.decisions import KINDS, Irregularity
from tablectl.core.facts import Facts
from tablectl.core.logic import Slot, Word, kleene_and
from tablectl.layout import BOARD, is_board

GAMES = ("holdem", "omaha", "omaha5", "stud5", "stud7")
FLOP_STREETS = ("preflop", "flop", "turn", "river")
STUD_STREETS = ("second", "third", "fourth", "fifth", "sixth", "seventh")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "kind": KINDS,
    "street": FLOP_STREETS + STUD_STREETS,
    "game": GAMES,
    "cause": ("dealer", "player"),
}
"""The closed sets of strings of the language."""

_BEFORE = {later: earlier for row in (FLOP_STREETS, STUD_STREETS) for earlier, later in pairwise(row)}
_SEAT_COUNTS = ("too_many_cards", "too_few_cards")
_BOARD_COUNTS = ("too_many_board_cards", "too_few_board_cards")

ASKABLE: Mapping[str, tuple[str, tuple[Any, ...]]] = {
    "by": ("by", ("dealer", "player")),
    "retrievable": ("retrievable", (True, False)),
    "looked_at": ("looked_at", (False, True)),
    "flop_exposed": ("flop_exposed", (True, False)),
    "round_open": ("round_open", (True, False)),
    "acted": ("seat_acted", (False, True)),
    "actions": ("actions", (0, 1, 2, 3)),
    "players_acted": ("players_acted", (0, 1, 2)),
    "chips_in": ("chips_in", (0, 1)),
    "actions_on": ("actions", (0, 1, 2, 3)),
    "players_on": ("players_acted", (0, 1, 2)),
}
"""Word → the fact that is asked for it, and its possible values. The last value of a count means "or more".

No rulebook draws a line above three actions, two players who acted, or one action with chips. In this order
the likeliest values are chosen, and of two equally good questions the first one is asked.
"""

_COUNTS = ("actions", "players_acted", "chips_in", "actions_on", "players_on")


@dataclass(frozen=True, slots=True)
class _Meaning:
    word: Word
    find: Callable[..., Any]


def _means(kind: str, find: Callable[..., Any], *args: str) -> _Meaning:
    return _Meaning(Word(kind, args), find)


_MEANINGS: Mapping[str, _Meaning] = {
    # the irregularity itself
    "kind": _means("kind", lambda case: case.slip.kind),
    "seat": _means("int", lambda case: case.slip.seat),
    "expected": _means("int", lambda case: case.slip.expected),
    "x": _means("int", lambda _: None),
    "k": _means("int", lambda case: case.slip.k),
    "street": _means("street", lambda case: case.slip.street),
    "previous_street": _means("street", lambda case: _BEFORE.get(case.slip.street)),
    "count": _means("int", lambda case: case.count()),
    "need": _means("int", lambda case: case.slip.need),
    "zone": _means("str", lambda case: case.slip.zone),
    "board_zone": _means("str", lambda case: case.board_zone()),
    "by": _means("cause", lambda case: case.slip.by),
    # the other open irregularities of the hand
    "others": _means("int", lambda case, kind: case.others(kind), "kind"),
    "others_at": _means("int", lambda case, kind, seat: case.others(kind, seat=seat), "kind", "int"),
    "others_on": _means("int", lambda case, kind, street: case.others(kind, street=street), "kind", "street"),
    # the hand
    "game": _means("game", lambda case: case.facts.game),
    "hole_cards": _means("int", lambda case: case.facts.need),
    "order": _means("seats", lambda case: case.facts.order),
    "live": _means("seats", lambda case: case.facts.live),
    "first": _means("int", lambda case: case.facts.order[0] if case.facts.order else None),
    "players": _means("int", lambda case: len(case.facts.order)),
    "players_left": _means("int", lambda case: len(case.facts.live)),
    "deal_done": _means("bool", lambda case: case.facts.deal_done),
    "over": _means("bool", lambda case: case.facts.over),
    "ended": _means("bool", lambda case: case.facts.ended),
    "showdown": _means("bool", lambda case: case.facts.showdown),
    "current_street": _means("street", lambda case: case.facts.street),
    "exposed_by_dealer": _means("int", lambda case: case.facts.exposed_by_dealer),
    "boxed": _means("int", lambda case: case.facts.boxed),
    "held": _means("int", lambda case, seat: case.held(seat), "int"),
    "counts_right": _means("bool", lambda case: case.counts_right()),
    "board": _means("int", lambda case, street: case.board(street), "street"),
    "burns": _means("int", lambda case, street: case.burns(street), "street"),
    # what may have to be asked
    "looked_at": _means("bool", lambda case: case.facts.looked_at),
    "flop_exposed": _means("bool", lambda case: case.facts.flop_exposed),
    "retrievable": _means("bool", lambda case: case.facts.retrievable),
    "round_open": _means("bool", lambda case, street: case.facts.round_open.get(street), "street"),
    "acted": _means("bool", lambda case, seat: case.facts.seat_acted.get(seat), "int"),
    "actions": _means("int", lambda case: case.facts.actions),
    "players_acted": _means("int", lambda case: case.facts.players_acted),
    "chips_in": _means("int", lambda case: case.facts.chips_in),
    "actions_on": _means("int", lambda case, street: case.facts.street_actions.get(street), "street"),
    "players_on": _means("int", lambda case, street: case.facts.street_players.get(street), "street"),
}

WORDS: Mapping[str, Word] = {name: meaning.word for name, meaning in _MEANINGS.items()}
"""The vocabulary of the rulebook language: names, and functions with the types of their arguments.

`x` is the seat that a rule with `about` is being tried for; `others…` count the other open irregularities.
"""


class Case:
    """The scope of one irregularity. Values are worked out once; `touched` gathers unknown askable slots.

    `mentioned` are the words that the book's rules for this kind mention; `answers` maps (irregularity, fact)
    to what the dealer answered, and is used only where the table itself does not know.
    """

    def __init__(
        self,
        slip: Irregularity,
        facts: Facts,
        irregularities: Sequence[Irregularity],
        answers: Mapping[tuple[str, str], Any],
        parameters: Mapping[str, Any],
        mentioned: frozenset[str],
    ) -> None:
        self.slip, self.facts = slip, facts
        self.touched: set[Slot] = set()
        self._rest = [each for each in irregularities if each.id != slip.id]
        self._answers, self._mentioned = answers, mentioned
        self._found: dict[Slot, Any] = {(name,): value for name, value in parameters.items()}

    def look(self, slot: Slot) -> Any:
        """The value of a word, None if unknown; an unknown one that may be asked is noted in `touched`."""
        value = self.peek(slot)
        if value is None and slot[0] in ASKABLE:
            self.touched.add(slot)
        return value

    def peek(self, slot: Slot) -> Any:
        """As `look`, without noting anything."""
        try:
            return self._found[slot]
        except KeyError:
            value = self._found[slot] = self._find(slot)
            return value

    def _find(self, slot: Slot) -> Any:
        word, *args = slot
        value = _MEANINGS[word].find(self, *args)
        if value is not None or word not in ASKABLE:
            return value
        if self.facts.deal_done is False and word in (*_COUNTS, "acted"):
            return False if word == "acted" else 0  # betting begins when the initial deal is complete
        answer = self._answers.get((self.slip.id, self.fact(slot)))
        return answer if _fits(word, answer) else None

    def fact(self, slot: Slot) -> str:
        """The name under which the slot is asked: plain for the irregularity's own seat and street."""
        word, *args = slot
        name = ASKABLE[word][0]
        if not args or args[0] == self._own(word):
            return name
        return f"{name}:{args[0]}"

    def _own(self, word: str) -> Any:
        slip = self.slip
        if word == "acted":
            return slip.expected if slip.seat is None else slip.seat
        if word == "round_open":
            return _BEFORE.get(slip.street or "")
        return None if ASKABLE[word][0] in self._mentioned else slip.street

    def count(self) -> int | None:
        """The irregularity's count, else what lies there now."""
        slip = self.slip
        if slip.count is None and slip.kind in _SEAT_COUNTS and slip.seat is not None:
            return self.facts.held.get(slip.seat)
        if slip.count is None and slip.street is not None:
            return self.facts.board.get(slip.street)
        return slip.count

    def held(self, seat: int) -> int | None:
        """Cards of the seat; where the table lost sight of it, those it had when the slip was confirmed."""
        slip, value = self.slip, self.facts.held.get(seat)
        if value is None and slip.kind in _SEAT_COUNTS and seat == self._own("acted"):
            return slip.count
        return value

    def counts_right(self) -> bool | None:
        """Every eligible seat holds the right number of cards."""
        held = (self.held(seat) for seat in self.facts.order)
        return kleene_and(None if cards is None else cards == self.facts.need for cards in held)

    def board(self, street: str) -> int | None:
        """Board cards of the street; else those the irregularity counted."""
        slip, value = self.slip, self.facts.board.get(street)
        if value is None and slip.kind in _BOARD_COUNTS and slip.street == street:
            return slip.count
        return value

    def burns(self, street: str) -> int:
        """Burns of the street; unknown ones are taken as made, unless the irregularity says otherwise."""
        slip, value = self.slip, self.facts.burns.get(street)
        if value is not None:
            return value
        if slip.street == street and slip.kind in ("burn_missing", "burn_extra"):
            return 0 if slip.kind == "burn_missing" else slip.count or 2
        return 1

    def board_zone(self) -> str:
        """The part of the board where the card lies."""
        zone = self.slip.zone
        return zone if zone is not None and is_board(zone) else BOARD

    def others(self, kind: str, *, seat: int | None = None, street: str | None = None) -> int:
        """How many other irregularities of that kind are open, at that seat or on that street if given."""
        return sum(
            each.kind == kind and seat in (None, each.seat) and street in (None, each.street)
            for each in self._rest
        )

    def _betting_is_on(self) -> bool:
        """Cards of the flop lie there rightly, or a round was closed: the seats have acted."""
        if self.facts.round_open.get("preflop") is False:
            return True
        premature = self.slip.kind == "premature_card" or self.others("premature_card", street="flop")
        return bool(self.board("flop")) and not premature

    def likely(self, slot: Slot) -> Any:
        """The likeliest value of an unknown slot: what a ruling rests on until somebody answers.

        Three cards on the board were seen; dealt cards were not looked at; a card let fall was the dealer's;
        a mucked hand can be told apart; a round is open from the current street on. As long as no board is
        dealt nobody acted more often than they must have; after that the seats that are in have acted.
        """
        word, *args = slot
        if word == "flop_exposed":
            return (self.board("flop") or 0) >= 3
        if word == "round_open":
            row = FLOP_STREETS if args[0] in FLOP_STREETS else STUD_STREETS
            return self.facts.street not in row or row.index(args[0]) >= row.index(self.facts.street)
        if word == "acted":
            return self._betting_is_on() and args[0] in self.facts.live
        if word in ("actions", "players_acted", "chips_in") and self._betting_is_on():
            return ASKABLE[word][1][-1]
        return ASKABLE[word][1][0]

    def values(self, slot: Slot) -> list[Any]:
        """Every value an unknown slot may have, the likeliest first."""
        first = self.likely(slot)
        return [first, *(value for value in ASKABLE[slot[0]][1] if value != first)]

    def possible(self, world: Mapping[Slot, Any]) -> bool:
        """True if the slots can have these values together.

        Players who acted, actions with chips and actions of one street are never more than all actions, and
        whoever has acted counts.
        """
        facts = self.facts
        seats = {*facts.order, *facts.seat_acted, *(slot[1] for slot in world if slot[0] == "acted")}
        acted = [self._in(world, "acted", seat) for seat in seats]
        did, not_yet = acted.count(True), acted.count(False)
        actions, players = self._in(world, "actions"), self._in(world, "players_acted")
        most, most_players = _most("actions", actions), _most("players_acted", players)
        chips = self._in(world, "chips_in")
        bounds = [(did, most_players), (did, most), (players, most), (chips, most)]
        if seats:
            bounds.append((players, len(seats) - not_yet))
            bounds.append((actions, 0 if not_yet == len(seats) or players == 0 else inf))
        for street in self._streets(world):
            on, by = self._in(world, "actions_on", street), self._in(world, "players_on", street)
            bounds += [(on, most), (by, most_players), (by, _most("actions_on", on))]
            bounds.append((on, 0 if by == 0 or players == 0 else inf))
        return all(low is None or low <= high for low, high in bounds)

    def _in(self, world: Mapping[Slot, Any], *slot: Any) -> Any:
        return world[slot] if slot in world else self.peek(slot)

    def _streets(self, world: Mapping[Slot, Any]) -> set[str]:
        asked = {slot[1] for slot in world if slot[0] in ("actions_on", "players_on")}
        return asked.union(self.facts.street_actions, self.facts.street_players)


def _most(word: str, value: int | None) -> float:
    """The greatest number a count can stand for: unbounded if it is unknown or means "or more"."""
    return inf if value is None or value >= ASKABLE[word][1][-1] else value


def _fits(word: str, value: Any) -> bool:
    """True if an answer is a value the word can have; any other answer is as good as none."""
    if word in _COUNTS:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return type(value) is type(ASKABLE[word][1][0]) and value in ASKABLE[word][1]


class World:
    """A case with some slots set: one way the unknown facts may be. `x` is bound for one seat at a time."""

    __slots__ = ("_case", "_set")

    def __init__(self, case: Case, values: Mapping[Slot, Any]) -> None:
        self._case, self._set = case, dict(values)

    def look(self, slot: Slot) -> Any:
        """The value set for the slot, else what the case says."""
        return self._set[slot] if slot in self._set else self._case.look(slot)

    def bind(self, seat: int | None) -> None:
        """From here on `x` is this seat."""
        self._set["x",] = seat


def seats_of(names: Iterable[str], case: Case) -> tuple[int, ...]:
    """The seats a rule is `about`, each once: `seat`, `expected`, or `order` for every eligible seat."""
    found: list[int] = []
    for name in names:
        value = case.peek((name,))
        found += value if isinstance(value, tuple) else [] if value is None else [value]
    return tuple(dict.fromkeys(found))
