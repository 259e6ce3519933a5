"""Hands as PHH, the open poker hand history format (github.com/uoftcprg/phh-std), many to a file: `.phhs`.

Owns: how a hand of ours is spelled there. Refuses: what nobody entered.

The table counts no chips. What PHH requires of them is a placeholder and `_amounts` says so: no blinds, no antes,
unknown stacks (`inf`, required.rst, "Starting Stacks"). A bet or a raise needs an amount in PHH, so it is a commentary
("No-ops"), and no figure is made up; a call or a check is `cc`, a fold `f`. Who showed what at the end is not known, so
there is no `sm`. Burns, irregularities and the order of the deal are fields of our own, with an underscore (user.rst).

A hand is a partial history ("Actions"): where the betting was not entered, there are only the cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import time
from typing import Any, Final

from tablectl.audit.hands import Acted, Dealt, PlayedHand
from tablectl.core.games import GAMES

VARIANTS: Final = {"holdem": "NT", "omaha": "PO", "stud7": "F7S"}
"""The format has no code for five-card Omaha and five-card stud (required.rst, table of variants)."""
AMOUNTS: Final = (
    "not recorded: blinds, antes, bets and stacks here are placeholders; the betting limit is the usual one"
)
_PLACEHOLDERS: Final[Mapping[str, Mapping[str, int]]] = {
    "NT": {"min_bet": 1},
    "PO": {"min_bet": 1},
    "F7S": {"bring_in": 1, "small_bet": 2, "big_bet": 4},
}
"""They must be positive, and in this order."""
_WORDS: Final = {"bet": "bets", "raise": "raises", "call": "calls"}


def phhs(hands: Iterable[PlayedHand]) -> Iterator[str]:
    """The text of a `.phhs` file, a hand at a time; hands of a game without a code are to be left out before."""
    for number, hand in enumerate(hands, start=1):
        lines = (f"{name} = {_toml(value)}" for name, value in fields_of(hand).items())
        yield f"[{number}]\n" + "\n".join(lines) + "\n\n"


def fields_of(hand: PlayedHand) -> dict[str, Any]:
    """The fields of one hand. KeyError if the format has no code for its game."""
    variant, players = VARIANTS[hand.game or ""], len(hand.seats)
    forced = {} if variant == "F7S" else {"blinds_or_straddles": [0] * players}
    made: dict[str, Any] = {
        "variant": variant, "antes": [0] * players, **forced, **_PLACEHOLDERS[variant],
        "starting_stacks": [float("inf")] * players, "actions": list(_actions(hand)),
        "time": hand.started_at.time().replace(microsecond=0), "time_zone": "UTC",
        "day": hand.started_at.day, "month": hand.started_at.month, "year": hand.started_at.year,
        "hand": hand.number, "seats": list(hand.seats), "seat_count": hand.table.get("seats"),
        "table": hand.table.get("id"), "_amounts": AMOUNTS, "_night": hand.night, "_button": hand.button,
        "_rulebook": hand.table.get("rulebook"), "_mode": hand.table.get("mode"), "_ended": hand.ended,
        "_deal": [_in_words(card) for card in hand.cards],
        "_burns": [card.shown for card in hand.burns],
        "_irregularities": hand.irregularities,
    }  # fmt: skip
    known = hand.known
    if known is not None:
        made |= {
            "_deck": known.deck, "_dealer": known.dealer, "_betting": hand.table.get("betting"),
            "_straddles": list(known.straddles), "_showdown": known.showdown,
            "_followed": known.followed, "_agrees": hand.agrees,
        }  # fmt: skip
    return {name: value for name, value in made.items() if value is not None}


def _actions(hand: PlayedHand) -> Iterator[str]:
    """The deal of each street, then what was entered of its betting."""
    game = GAMES[hand.game or ""]
    actions = hand.known.actions if hand.known is not None else ()
    dealt = {seat: hand.of_seat(seat) for seat in hand.seats}
    opening = {seat: cards if not game.to_seats else cards[: game.hole] for seat, cards in dealt.items()}
    yield from _hole(hand.seats, opening)
    yield from _betting(hand.seats, actions, game.opening)
    for at, street in enumerate(game.streets):
        if game.to_seats:
            place = game.hole + at
            yield from _hole(
                hand.seats, {seat: cards[place : place + street.cards] for seat, cards in dealt.items()}
            )
        for laid in hand.streets:
            if laid.name == street.name and laid.cards:
                run = f" # run {laid.run}" if laid.run > 1 else ""
                yield f"d db {''.join(card.shown for card in laid.cards)}{run}"
        yield from _betting(hand.seats, actions, street.name)


def _hole(seats: Sequence[int], cards: Mapping[int, Sequence[Dealt]]) -> Iterator[str]:
    for number, seat in enumerate(seats, start=1):
        if cards[seat]:
            yield f"d dh p{number} {''.join(card.shown for card in cards[seat])}"


def _betting(seats: Sequence[int], actions: Iterable[Acted], street: str) -> Iterator[str]:
    for each in actions:
        if each.street != street or each.seat not in seats:
            continue
        player = f"p{seats.index(each.seat) + 1}"
        all_in = ", all-in" if each.all_in else ""
        match each.action:
            case "fold":
                yield f"{player} f"
            case "check":
                yield f"{player} cc"
            case "call":
                yield f"{player} cc # calls{all_in}, amount not recorded"
            case _:
                yield f"# {player} {_WORDS.get(each.action, each.action)}{all_in}, amount not recorded"


def _in_words(card: Dealt) -> str:
    return f"{card.k or '-'} {card.zone} {card.said}{' (back into the deck)' if card.back else ''}"


def _toml(value: Any) -> str:
    """A value on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value).replace(
                "\x7f", "\\u007F"
            )  # JSON's escapes are a subset of TOML's, bar DEL
        case time():
            return value.isoformat()
        case Mapping():
            pairs = (
                f"{json.dumps(name)} = {_toml(each)}" for name, each in value.items() if each is not None
            )
            return "{ " + ", ".join(pairs) + " }"
        case list() | tuple():
            return "[" + ", ".join(_toml(each) for each in value if each is not None) + "]"
        case _:
            return str(value)
