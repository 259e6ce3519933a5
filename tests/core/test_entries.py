"""The inputs of the dealer and the floor, as the contract lists them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl.core.entries import INPUTS, check, entry, unknown_fields
from tablectl.core.sensed import Entry
from tablectl.errors import UsageError

SEATS = 9

GOOD: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("seats", {"eligible": [3, 1, 3]}, {"eligible": (1, 3)}),
    ("seats", {"eligible": []}, {"eligible": ()}),
    ("absent", {"seat": 9}, {"seat": 9}),
    ("button", {"seat": 1}, {"seat": 1}),
    ("button", {"seat": 4.0}, {"seat": 4}),
    ("game", {"name": "omaha5"}, {"name": "omaha5"}),
    ("deck", {"id": "blue"}, {"id": "blue"}),
    ("dealer", {"id": "d-17"}, {"id": "d-17"}),
    ("language", {"code": "ru"}, {"code": "ru"}),
    ("night", {"on": False}, {"on": False}),
    ("name", {"seat": 3, "text": " Anna  K. "}, {"seat": 3, "text": "Anna K."}),
    ("name", {"seat": 3}, {"seat": 3}),
    ("straddle", {"seat": 3}, {"seat": 3}),
    ("straddle", {"seat": 3, "posted": False}, {"seat": 3, "posted": False}),
    ("run_twice", {"times": 2}, {"times": 2}),
    ("run_twice", {"times": 3, "first": "turn"}, {"times": 3, "first": "turn"}),
    ("shuffle_done", {}, {}),
    ("cut_done", {}, {}),
    ("cut_exposed", {"count": 2}, {"count": 2}),
    ("action", {"seat": 3, "action": "call"}, {"seat": 3, "action": "call"}),
    (
        "action",
        {"seat": 3, "action": "raise", "all_in": True},
        {"seat": 3, "action": "raise", "all_in": True},
    ),
    ("round_closed", {}, {}),
    ("exposed", {"seat": 2, "by": "player"}, {"seat": 2, "by": "player"}),
    ("exposed", {"seat": 2, "by": None}, {"seat": 2}),
    ("exposed", {"seat": 2, "by": "dealer", "k": 11}, {"seat": 2, "by": "dealer", "k": 11}),
    ("up_cards", {"seat": 5, "count": 0}, {"seat": 5, "count": 0}),
    ("damaged", {}, {}),
    ("stub_disordered", {}, {}),
    ("stub_count", {"count": 31}, {"count": 31}),
    ("showdown", {}, {}),
    ("hand_end", {}, {}),
    ("answer", {"question": "q1", "value": False}, {"question": "q1", "value": False}),
    ("answer", {"question": "players_acted", "value": 2}, {"question": "players_acted", "value": 2}),
    ("answer", {"question": "by", "value": "dealer"}, {"question": "by", "value": "dealer"}),
    ("acknowledge", {}, {}),
    ("call_floor", {}, {}),
    (
        "override",
        {"irregularity": "i3", "verdict": "play_on", "why": "seen on camera", "who": "floor 2"},
        {"irregularity": "i3", "verdict": "play_on", "why": "seen on camera", "who": "floor 2"},
    ),
    ("step_done", {}, {}),
    ("undo", {}, {}),
    ("note", {"text": "zażółć", "who": "d-17"}, {"text": "zażółć", "who": "d-17"}),
]

BAD: list[tuple[str, dict[str, Any], str]] = [
    ("seats", {}, "seats.eligible is missing: must be a list of seats of this table, each 1 to 9"),
    ("seats", {"eligible": [1, 10]}, "seats.eligible = [1, 10]: must be"),
    ("seats", {"eligible": [True]}, "seats.eligible = [True]"),
    ("seats", {"eligible": "123"}, "seats.eligible = '123'"),
    ("button", {"seat": 0}, "button.seat = 0: must be a seat of this table, 1 to 9"),
    ("button", {"seat": True}, "button.seat = True"),
    ("button", {"seat": 2.5}, "button.seat = 2.5"),
    ("button", {"seat": float("nan")}, "button.seat = nan"),
    ("button", {"seat": "3"}, "button.seat = '3'"),
    ("button", {"seat": None}, "button.seat is missing"),
    ("game", {"name": "bridge"}, "must be one of holdem, omaha, omaha5, stud5, stud7"),
    ("language", {"code": "fr"}, "must be one of en, nl, it, ru, pl"),
    ("straddle", {}, "straddle.seat is missing: must be a seat of this table, 1 to 9"),
    ("straddle", {"seat": 10}, "straddle.seat = 10: must be a seat of this table, 1 to 9"),
    ("run_twice", {"times": 4}, "run_twice.times = 4: must be a whole number from 1 to 3"),
    ("run_twice", {"times": 2, "first": "preflop"}, "must be one of flop, turn, river"),
    ("name", {"seat": 3, "text": "x" * 25}, "must be a line of at most 24 characters that can be printed"),
    ("cut_exposed", {"count": 0}, "must be a whole number from 1 to 54"),
    ("action", {"seat": 3, "action": "cal"}, "must be one of fold, check, call, bet, raise"),
    ("action", {"seat": 3, "action": "call", "all_in": 1}, "action.all_in = 1: must be true or false"),
    ("exposed", {"seat": 3, "by": "wind"}, "must be one of dealer, player"),
    ("exposed", {"seat": 3, "by": "dealer", "k": 0}, "exposed.k = 0"),
    ("stub_count", {"count": 55}, "must be a whole number from 0 to 54"),
    ("answer", {"question": "q1"}, "answer.value is missing: must be true, false, a whole number or a text"),
    ("answer", {"question": "q1", "value": [1]}, "answer.value = [1]"),
    ("override", {"irregularity": "i3", "verdict": "maybe"}, "override.verdict = 'maybe'"),
    ("override", {"irregularity": "i3", "verdict": "floor", "why": "x"}, "override.who is missing"),
    ("note", {"text": "  "}, "must be a text of 1 to 2000 characters"),
    ("note", {"text": "x" * 2001}, "must be a text of 1 to 2000 characters"),
    ("note", {"text": "\ud800"}, "must be a text of 1 to 2000 characters"),
    ("undo", {"who": 7}, "undo.who = 7: must be a text of 1 to 200 characters"),
    ("fold", {"seat": 3}, "do = 'fold': there is no such input"),
    ("round_close", {}, "did you mean round_closed"),
]


@pytest.mark.parametrize(("do", "given_args", "normal"), GOOD)
def test_every_input_of_the_contract_is_taken(
    do: str, given_args: dict[str, Any], normal: dict[str, Any]
) -> None:
    """Each input with each of its fields is accepted and comes back in its one form."""
    assert check(do, given_args, seats=SEATS) == normal


def test_the_examples_cover_the_whole_table_of_inputs() -> None:
    """No input is left without an accepted example, so the test above speaks for all."""
    assert {do for do, _, _ in GOOD} == set(INPUTS)


@pytest.mark.parametrize(("do", "given_args", "text"), BAD)
def test_a_wrong_input_says_what_where_and_what_would_be_right(
    do: str, given_args: dict[str, Any], text: str
) -> None:
    """Missing, mistyped and out-of-range fields and unknown inputs are refused with a text that helps."""
    with pytest.raises(UsageError) as error:
        check(do, given_args, seats=SEATS)
    assert text in str(error.value)


def test_the_seats_are_those_of_this_table() -> None:
    """The same seat is right at a table of nine and wrong at a table of six."""
    assert check("button", {"seat": 7}, seats=9) == {"seat": 7}
    with pytest.raises(UsageError, match="1 to 6"):
        check("button", {"seat": 7}, seats=6)


def test_all_faults_of_one_input_are_told_at_once() -> None:
    """Two wrong fields and an unknown one are all named in one error."""
    with pytest.raises(UsageError) as error:
        check("action", {"seat": 99, "action": "jump", "colour": "red"}, seats=SEATS)
    assert all(name in str(error.value) for name in ("action.seat", "action.action", "'colour'"))


def test_unknown_fields_are_refused_at_http_and_named_in_recordings() -> None:
    """A field nobody knows is an error by default; tolerant, it is left out and can be asked for by name."""
    args = {"seat": 3, "action": "call", "chips": 200}
    with pytest.raises(UsageError, match="there is no field 'chips'; it takes who, seat, action, all_in"):
        check("action", args, seats=SEATS)
    assert check("action", args, seats=SEATS, tolerant=True) == {"seat": 3, "action": "call"}
    assert unknown_fields("action", args) == ("chips",)


@pytest.mark.parametrize("obj", [None, 3, "undo", ["undo"], {}, {"do": 7}, {"do": None}])
def test_what_is_no_input_at_all_is_refused(obj: object) -> None:
    """Anything but an object with the name of an input is a UsageError."""
    with pytest.raises(UsageError):
        entry(obj, t=0, seats=SEATS)


def test_an_object_becomes_an_entry() -> None:
    """The JSON object of HTTP and recordings becomes the event that the core takes."""
    made = entry({"do": "action", "seat": 3, "action": "call"}, t=1400, seats=SEATS)
    assert made == Entry(1400, "action", {"seat": 3, "action": "call"})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(sorted({name for fields in INPUTS.values() for name in fields} | {"who", "x"}))


@settings(suppress_health_check=[HealthCheck.too_slow])  # nested values take a while on a busy machine
@given(do=st.sampled_from(sorted(INPUTS)), args=st.dictionaries(names, anything, max_size=5))
def test_no_value_whatever_breaks_the_check(do: str, args: dict[str, Any]) -> None:
    """Any JSON value in any field is either accepted, and then stable under a second check, or a
    UsageError."""
    try:
        normal = check(do, args, seats=SEATS, tolerant=True)
    except UsageError:
        return
    assert check(do, normal, seats=SEATS) == normal
