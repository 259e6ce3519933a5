"""Inputs of the dealer and the floor: which there are, and what each must carry.

Owns: the table of every `do` of the contract with its fields, their types, ranges and choices, and the one
check that recordings, HTTP, buttons and the floor share.
Refuses: what an input means for the hand (`core.hand`), and whether it makes sense at this moment.

A field that no input knows is an error by default, so that a typing mistake at HTTP is seen at once. A
recording is read with `tolerant=True`: there the field is left out and named by `unknown_fields`, because a
later tablectl may have written it. A null in an optional field is the same as leaving it out.
"""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from tablectl.core.decisions import Verdict
from tablectl.core.sensed import Entry
from tablectl.errors import UsageError

GAMES = ("holdem", "omaha", "omaha5", "stud5", "stud7")
LANGUAGES = ("en", "nl", "it", "ru", "pl")
BOARD_ROUNDS = ("flop", "turn", "river")
ACTIONS = ("fold", "check", "call", "bet", "raise")
VERDICTS: tuple[str, ...] = get_args(Verdict)

MAX_CARDS = 54
"""Most cards an input may count: a deck with two jokers."""
MAX_K = 999
"""Highest `k` an input may name; far above any hand, redeals included."""
MAX_TEXT = 2_000
"""Longest text of an input, characters: a note is a remark, not a file."""
MAX_NAME = 200
"""Longest id, name or initials, characters."""
MAX_LABEL = 24
"""Longest name at a seat, characters: it stands beside the seat on a small display."""
MOST_RUNS = 3
"""How often the rest of a board is run at most."""

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def shown(value: object) -> str:
    """The value as an error message may quote it: one line, short, whatever it is."""
    return _SHORT.repr(value)


def whole(value: object) -> int | None:
    """The value if it is a whole number (`3` or `3.0`, never true or NaN), else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def is_text(value: object, longest: int = MAX_TEXT) -> bool:
    """True for a text that has something in it, is not too long and can be written as UTF-8."""
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, as JSON can spell it
        return False
    return True


def label(value: object) -> str | None:
    """The text as it can stand at a seat: one line, without spaces around it; "" for a blank one. None if it cannot."""
    words = " ".join(value.split()) if isinstance(value, str) and len(value) <= MAX_TEXT else None
    return words if words is not None and words.isprintable() and len(words) <= MAX_LABEL else None


Type = Literal["seat", "seats", "number", "name", "label", "text", "flag", "choice", "value"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an input: its type, whether it may be left out, and the bounds or choices that apply."""

    type: Type
    required: bool = True
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def right(self, seats: int) -> str:
        """What would be right here, for an error message."""
        match self.type:
            case "seat":
                return f"a seat of this table, 1 to {seats}"
            case "seats":
                return f"a list of seats of this table, each 1 to {seats}"
            case "number":
                return f"a whole number from {self.low} to {self.high}"
            case "name":
                return f"a text of 1 to {MAX_NAME} characters"
            case "label":
                return (
                    f"a line of at most {MAX_LABEL} characters that can be printed; blank takes the name away"
                )
            case "text":
                return f"a text of 1 to {MAX_TEXT} characters"
            case "flag":
                return "true or false"
            case "choice":
                return "one of " + ", ".join(self.choices)
            case "value":
                return "true, false, a whole number or a text"

    def normal(self, value: object, seats: int) -> Any:
        """The value in its one form (int, sorted tuple of seats, …), or None if it is wrong."""
        match self.type:
            case "seat":
                return _within(value, 1, seats)
            case "seats":
                return _seats(value, seats)
            case "number":
                return _within(value, self.low, self.high)
            case "name":
                return value if is_text(value, MAX_NAME) else None
            case "label":
                return label(value)
            case "text":
                return value if is_text(value) else None
            case "flag":
                return value if isinstance(value, bool) else None
            case "choice":
                return value if isinstance(value, str) and value in self.choices else None
            case "value":
                return value if isinstance(value, bool) or is_text(value, MAX_NAME) else whole(value)


def _within(value: object, low: int, high: int) -> int | None:
    number = whole(value)
    return number if number is not None and low <= number <= high else None


def _seats(value: object, seats: int) -> tuple[int, ...] | None:
    if not isinstance(value, (list, tuple)):
        return None
    found = {_within(item, 1, seats) for item in value}
    return None if None in found else tuple(sorted(seat for seat in found if seat is not None))


_SEAT = Field("seat")
_NAME = Field("name")

WHO: Mapping[str, Field] = MappingProxyType({"who": Field("name", required=False)})
"""Any input may say who gave it."""

INPUTS: Mapping[str, Mapping[str, Field]] = MappingProxyType(
    {
        "seats": {"eligible": Field("seats")},
        "absent": {"seat": _SEAT, "away": Field("flag", required=False)},
        "button": {"seat": _SEAT, "drawn": Field("flag", required=False)},
        # A name is shown at its seat and goes into no decision. Left out or blank, it is taken away.
        "name": {"seat": _SEAT, "text": Field("label", required=False)},
        # Counts from the next hand on.
        "game": {"name": Field("choice", choices=GAMES)},
        "deck": {"id": _NAME},
        "dealer": {"id": _NAME},
        "language": {"code": Field("choice", choices=LANGUAGES)},
        "night": {"on": Field("flag")},
        # Before the deal or the first action; with `posted` false it is taken back.
        "straddle": {"seat": _SEAT, "posted": Field("flag", required=False)},
        "shuffle_done": {},
        "cut_done": {},
        "cut_exposed": {"count": Field("number", low=1, high=MAX_CARDS)},
        # `in_turn`: for the seat that was next to act where it was entered; where another one is by now, it is refused.
        "action": {
            "seat": _SEAT,
            "action": Field("choice", choices=ACTIONS),
            "all_in": Field("flag", required=False),
            "in_turn": Field("flag", required=False),
        },
        "round_closed": {},
        # After an all-in; 1 takes it back. `first` is the first street that is run again: the next one if left out.
        "run_twice": {
            "times": Field("number", low=1, high=MOST_RUNS),
            "first": Field("choice", required=False, choices=BOARD_ROUNDS),
        },
        # `by` may be left out: who exposed the card is then a fact that the rulebook asks for.
        "exposed": {
            "seat": _SEAT,
            "by": Field("choice", required=False, choices=("dealer", "player")),
            "k": Field("number", required=False, low=1, high=MAX_K),
        },
        "up_cards": {"seat": _SEAT, "count": Field("number", low=0, high=MAX_CARDS)},
        "damaged": {},
        "stub_disordered": {},
        "stub_count": {"count": Field("number", low=0, high=MAX_CARDS)},
        "showdown": {},
        "hand_end": {},
        "answer": {"question": _NAME, "value": Field("value")},
        "acknowledge": {},
        "call_floor": {},
        "override": {
            "irregularity": _NAME,
            "verdict": Field("choice", choices=VERDICTS),
            # Whose hand is dead; if left out, that of the seat which the irregularity is about.
            "seat": Field("seat", required=False),
            "why": Field("text"),
            "who": _NAME,
        },
        # Without them: the current step of the most severe remedy, whatever it is by then.
        "step_done": {
            "irregularity": Field("name", required=False),
            "step": Field("number", required=False, low=0, high=MAX_K),
        },
        "undo": {},
        "note": {"text": Field("text")},
    }
)
"""Every input of the contract: `do` → its fields."""


def fields_of(do: str) -> Mapping[str, Field]:
    """All fields that the input may carry, the common ones included.

    Raises UsageError if there is no such input; the text names the nearest ones.
    """
    if do in INPUTS:
        return {**WHO, **INPUTS[do]}
    near = difflib.get_close_matches(do[:MAX_NAME], INPUTS, n=2)
    right = f"did you mean {' or '.join(near)}?" if near else "known are " + ", ".join(INPUTS)
    raise UsageError(f"do = {shown(do)}: there is no such input; {right}")


def unknown_fields(do: str, args: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in `args` that this input does not know. Raises UsageError if there is no such input."""
    known = fields_of(do)
    return tuple(name for name in args if name not in known)


def check(do: str, args: Mapping[str, Any], *, seats: int, tolerant: bool = False) -> dict[str, Any]:
    """The input's fields in their one form, at a table with that many seats.

    Raises UsageError that names every field that is missing, wrong or (unless `tolerant`) unknown, each with
    what would be right. With `tolerant`, unknown fields are left out.
    """
    known = fields_of(do)
    wrong: list[str] = []
    out: dict[str, Any] = {}
    for name, field in known.items():
        given = args.get(name)
        if given is None:
            if field.required:
                wrong.append(f"{do}.{name} is missing: must be {field.right(seats)}")
            continue
        value = field.normal(given, seats)
        if value is None:
            wrong.append(f"{do}.{name} = {shown(given)}: must be {field.right(seats)}")
        out[name] = value
    if not tolerant:
        takes = ", ".join(known)
        wrong += [
            f"{do}: there is no field {shown(name)}; it takes {takes}" for name in unknown_fields(do, args)
        ]
    if wrong:
        raise UsageError("; ".join(wrong))
    return out


def entry(obj: object, *, t: int, seats: int, tolerant: bool = False) -> Entry:
    """The entry that one JSON object `{"do": …, …}` spells, at time `t` (ms since the recording began).

    Raises UsageError as `check` does, and if `obj` is not an object with a `do`.
    """
    if not isinstance(obj, Mapping):
        raise UsageError(f'an input is an object such as {{"do": "round_closed"}}, not {shown(obj)}')
    do = obj.get("do")
    if not isinstance(do, str):
        raise UsageError(f"do = {shown(do)}: must be the name of an input, such as round_closed")
    args = {name: value for name, value in obj.items() if name != "do"}
    return Entry(t, do, check(do, args, seats=seats, tolerant=tolerant))
