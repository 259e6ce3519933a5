"""One irregularity of one hand, as a rule sees it: every word of the rulebook language and what it means.

Owns: the vocabulary (`WORDS`, `PREDICATES`), the facts that may be asked of the dealer and their possible values.
Refuses: how likely these are and which can be true together (`core.worlds`), what follows (`core.ruling`).

A word that cannot be known and cannot be asked stays unknown, and a rule that rests on it does not apply:
only positive evidence accuses. The one exception are burns: unknown ones are taken as made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tablectl.core.decisions import KINDS, Irregularity
from tablectl.core.facts import Facts
from tablectl.core.games import clockwise
from tablectl.core.logic import Slot, Word, kleene_and
from tablectl.layout import BOARD, is_board, seat_of

GAMES = ("holdem", "omaha", "omaha5", "stud5", "stud7")
FLOP_STREETS = ("preflop", "flop", "turn", "river")
STUD_STREETS = ("second", "third", "fourth", "fifth", "sixth", "seventh")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "kind": KINDS,
    "street": FLOP_STREETS + STUD_STREETS,
    "game": GAMES,
    "cause": ("dealer", "player"),
    "place": ("shoe", "seat", "board", "burn", "muck", "aside"),
}
"""The closed sets of strings of the language."""

_BEFORE = {later: earlier for row in (FLOP_STREETS, STUD_STREETS) for earlier, later in pairwise(row)}


def before(street: str | None) -> str | None:
    """The street whose betting round must be closed before this one is dealt; None for the first."""
    return _BEFORE.get(street or "")


_SEAT_COUNTS = ("too_many_cards", "too_few_cards")
_BOARD_COUNTS = ("too_many_board_cards", "too_few_board_cards")
_BURNS = ("burn_missing", "burn_extra")
_CARDS = {"flop": 3, "turn": 1, "river": 1}

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
    "alike": ("alike", (True, False)),
}
"""Word → the fact that is asked for it, and its possible values. The last value of a count means "or more".

No rulebook draws a line above three actions, two players who acted, or one action with chips. In this order
the likeliest values are chosen, and of two equally good questions the first one is asked.
"""

_COUNTS = ("actions", "players_acted", "chips_in", "actions_on", "players_on")
_BEFORE_BETTING: Mapping[str, Any] = {**dict.fromkeys(_COUNTS, 0), "acted": False, "alike": True}


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
    "previous_street": _means("street", lambda case: before(case.slip.street)),
    "count": _means("int", lambda case: case.count()),
    "need": _means("int", lambda case: case.slip.need),
    "zone": _means("str", lambda case: case.slip.zone),
    "place": _means("place", lambda case: case.place()),
    "board_zone": _means("str", lambda case: case.board_zone()),
    "by": _means("cause", lambda case: case.slip.by),
    # the other open irregularities of the hand
    "others": _means("int", lambda case, kind: case.others(kind), "kind"),
    "others_at": _means("int", lambda case, kind, seat: case.others(kind, seat=seat), "kind", "int"),
    "others_on": _means("int", lambda case, kind, street: case.others(kind, street=street), "kind", "street"),
    "also_exposed": _means("int", lambda case: case.also_exposed()),
    "boxed_before": _means("int", lambda case: case.boxed_before()),
    # the hand
    "game": _means("game", lambda case: case.facts.game),
    "hole_cards": _means("int", lambda case: case.facts.need),
    "order": _means("seats", lambda case: case.facts.order),
    "live": _means("seats", lambda case: case.facts.live),
    "first": _means("int", lambda case: case.facts.order[0] if case.facts.order else None),
    "left_of": _means("int", lambda case, seat: case.left_of(seat), "int"),
    "button": _means("int", lambda case: case.facts.button),
    "absent": _means("seats", lambda case: case.facts.absent),
    "players": _means("int", lambda case: len(case.facts.order)),
    "players_left": _means("int", lambda case: len(case.facts.live)),
    "deal_done": _means("bool", lambda case: case.facts.deal_done),
    "over": _means("bool", lambda case: case.facts.over),
    "ended": _means("bool", lambda case: case.facts.ended),
    "showdown": _means("bool", lambda case: case.facts.showdown),
    "current_street": _means("street", lambda case: case.facts.street),
    "exposed_by_player": _means("int", lambda case: case.facts.exposed_by_player),
    "boxed": _means("int", lambda case: case.facts.boxed),
    "held": _means("int", lambda case, seat: case.held(seat), "int"),
    "counts_right": _means("bool", lambda case: case.counts_right()),
    "others_right": _means("bool", lambda case, seat: case.counts_right(besides=seat), "int"),
    "surplus": _means("int", lambda case: case.surplus()),
    "up": _means("int", lambda case, seat: case.up(seat), "int"),
    "seats_up": _means("int", lambda case, cards: case.seats_up(cards), "int"),
    "board": _means("int", lambda case, street: case.board(street), "street"),
    "street_cards": _means("int", lambda _, street: _CARDS.get(street), "street"),
    "first_on": _means("int", lambda case, street: case.first_on(street), "street"),
    "last_on": _means("int", lambda case, street: case.last_on(street), "street"),
    "last_street": _means("street", lambda case: case.last_street()),
    "burns": _means("int", lambda case, street: case.burns(street), "street"),
    "burns_due": _means("int", lambda case, street: case.facts.burns_due.get(street, 1), "street"),
    "repairable": _means("bool", lambda case: case.repairable()),
    # what may have to be asked
    "looked_at": _means("bool", lambda case: case.facts.looked_at),
    "flop_exposed": _means("bool", lambda case: case.facts.flop_exposed),
    "retrievable": _means("bool", lambda case: case.retrievable()),
    "alike": _means("bool", lambda case: case.facts.alike),
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

PREDICATES: Mapping[str, str] = {
    "correctable": "repairable and not looked_at",
    "initial": "k <= hole_cards * players",
}
"""Predicates that every book has: the deal can be put right (rules.md §1.2), the card is one of the initial deal."""


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
        self.slip, self.facts = slip, facts.of_run(slip.run)
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
        if self.facts.deal_done is False and word in _BEFORE_BETTING:
            return _BEFORE_BETTING[word]  # betting begins when the initial deal is complete
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
            return before(slip.street)
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

    def counts_right(self, besides: int | None = None) -> bool | None:
        """Every eligible seat holds the right number of cards; one may be left out of account."""
        held = (self.held(seat) for seat in self.facts.order if seat != besides)
        return kleene_and(None if cards is None else cards == self.facts.need for cards in held)

    def surplus(self) -> int | None:
        """Cards too many in the hands of all eligible seats together."""
        held = [self.held(seat) for seat in self.facts.order]
        extra = [max(0, cards - self.facts.need) for cards in held if cards is not None]
        return sum(extra) if len(extra) == len(held) else None

    def left_of(self, seat: int) -> int | None:
        """The first eligible seat clockwise from that one."""
        return next(iter(clockwise(self.facts.order, seat)), None)

    def place(self) -> str | None:
        """What sort of zone the card lies in."""
        zone = self.slip.zone
        if zone is None:
            return None if self.slip.seat is None else "seat"
        return "seat" if seat_of(zone) is not None else BOARD if is_board(zone) else zone

    def also_exposed(self) -> int:
        """How many other hole cards of this hand the dealer exposed.

        Of a card whose cause nobody has told yet it is assumed as long as the same is assumed of this one; once
        this one's cause is known, the other's own question decides.
        """
        mine = self.peek(("by",)) if self.slip.kind == "exposed_card" else "player"
        causes = [self._cause(each) for each in self._rest if each.kind == "exposed_card"]
        told = causes.count("dealer") + (causes.count(None) if mine is None else 0)
        return max(told, self.facts.exposed_by_dealer - (self.slip.by == "dealer"))

    def _cause(self, other: Irregularity) -> Any:
        return other.by or self._answers.get((other.id, "by"))

    def boxed_before(self) -> int:
        """How many boxed cards were found before this one."""
        k = self.slip.k
        boxed = [each for each in self._rest if each.kind == "boxed_card"]
        later = sum(k is not None and each.k is not None and each.k > k for each in boxed)
        return max(len(boxed), self.facts.boxed - 1) - later

    def retrievable(self) -> bool | None:
        """A mucked hand can be told apart: surely if the antennas know each card of it (R-09)."""
        whole = self.facts.whole_hand or self.facts.need
        known = self.slip.kind == "hand_mucked" and self.slip.count == whole
        return True if known and self.facts.retrievable is None else self.facts.retrievable

    def repairable(self) -> bool:
        """It is known where each dealt card belongs, no board lies there, and none that must move was shown.

        The order in which the cards left the deck says where each belongs; whether one was looked at is asked.
        """
        if self.facts.repairable is not None:
            return self.facts.repairable
        seats = {self.slip.seat, self.slip.expected} - {None}
        shown = any(each.kind == "exposed_card" and each.seat in seats for each in self._rest)
        return not shown and not any(self.facts.board.values())

    def up(self, seat: int) -> int | None:
        """Face-up cards of a seat."""
        slip = self.slip
        counted = slip.count if slip.kind == "up_card_error" and slip.seat == seat else None
        return self.facts.up.get(seat, counted)

    def seats_up(self, cards: int) -> int:
        """How many seats are known to have at least so many cards face up."""
        seats = {*self.facts.up, *({self.slip.seat} - {None})}
        return sum((self.up(seat) or 0) >= cards for seat in seats if seat is not None)

    def first_on(self, street: str) -> int | None:
        """`k` of the card of that street that left the deck first."""
        lying = self.facts.board_k.get(street, ())
        showed = self.slip.kind in ("burn_missing", "premature_card") and self.slip.street == street
        return lying[0] if lying else self.slip.k if showed else None

    def last_on(self, street: str) -> int | None:
        """`k` of the card of that street that left the deck last."""
        return next(reversed(self.facts.board_k.get(street, ())), None)

    def last_street(self) -> str | None:
        """The last street that has cards on the board."""
        return next((street for street in reversed(FLOP_STREETS) if self.board(street)), None)

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
        if slip.street == street and slip.kind in _BURNS:
            return 0 if slip.kind == "burn_missing" else slip.count or 2
        return 1

    def board_zone(self) -> str:
        """The part of the board where the card lies."""
        zone = self.slip.zone
        return zone if zone is not None and is_board(zone) else BOARD

    def others(self, kind: str, *, seat: int | None = None, street: str | None = None) -> int:
        """How many other irregularities of that kind are open, at that seat or on that street if given."""
        there = (street, self.slip.run)
        return sum(
            each.kind == kind
            and seat in (None, each.seat)
            and (street is None or there == (each.street, each.run))
            for each in self._rest
        )


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
