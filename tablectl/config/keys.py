"""`[keys]`: what the keys of a keyboard, or of a numeric pad, enter while the dealer's display has the focus.

Owns: the keys that can be bound, what they can mean, and what they mean unless the configuration says otherwise.
Refuses: what a meaning enters at a moment (the display's own `keys.js`), and push buttons on pins (`config.panel`).

A key is named by its place, as browsers name it (KeyboardEvent.code, W3C UI Events KeyboardEvent code Values):
`Numpad7` is the same key whether NumLock is on or off, and `KeyQ` the key right of Tab, whatever is printed on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tablectl.config.faults import joined, nearest, shortened
from tablectl.config.panel import BUTTONS
from tablectl.core.entries import INPUTS
from tablectl.errors import Fault
from tablectl.layout import MAX_SEATS

OFF = "off"
"""The key means nothing, whatever it means by default."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CODES = (
    *(f"Numpad{digit}" for digit in range(10)),
    "NumpadAdd", "NumpadSubtract", "NumpadMultiply", "NumpadDivide", "NumpadDecimal", "NumpadComma", "NumpadEqual",
    "NumpadEnter", "NumpadBackspace", "NumLock", "Backspace",
    *(f"Digit{digit}" for digit in range(10)), *(f"Key{letter}" for letter in _LETTERS),
    *(f"F{number}" for number in range(1, 13)),
    "Minus", "Equal", "BracketLeft", "BracketRight", "Semicolon", "Quote", "Backquote", "Backslash", "Comma", "Period",
    "Slash", "IntlBackslash", "Insert", "Delete", "Home", "End", "PageUp", "PageDown",
)  # fmt: skip
"""The keys that can be bound."""
MOVING = ("Tab", "Enter", "Space", "Escape", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")
"""Keys with which one moves about on the display and presses what is there."""

SHEETS = (
    "exposed", "button", "seats", "absent", "straddle", "cut_exposed", "deck", "dealer", "game", "run_twice",
    "up_cards", "stub_count", "override", "note", "name", "language",
)  # fmt: skip
"""Inputs that ask for more; a key opens their sheet."""
SEATS = tuple(f"seat_{seat}" for seat in range(1, MAX_SEATS + 1))
MEANINGS = (
    *BUTTONS, *SEATS, "all_in", "menu", "ahead", "next", "back", "close",
    *(f"open_{sheet}" for sheet in SHEETS), "open_status", OFF,
)  # fmt: skip
"""What a key can mean: what a push button can, and what there is on the display besides."""

assert set(SHEETS) <= set(INPUTS)  # noqa: S101 (each of them is an input of the contract)

DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        **{f"Numpad{seat}": f"seat_{seat}" for seat in range(1, 10)},
        "Numpad0": "acknowledge", "NumpadEnter": "call", "NumpadAdd": "raise", "NumpadSubtract": "fold",
        "NumpadMultiply": "bet", "NumpadDivide": "check", "NumpadDecimal": "undo", "NumpadComma": "undo",
        "Backspace": "undo", "NumLock": "next",
        **{f"Digit{seat % 10}": f"seat_{seat}" for seat in range(1, 11)},
        "KeyF": "fold", "KeyX": "check", "KeyC": "call", "KeyB": "bet", "KeyR": "raise", "KeyL": "all_in",
        "KeyK": "round_closed", "KeyS": "shuffle_done", "KeyT": "cut_done", "KeyE": "open_exposed", "KeyU": "undo",
        "KeyA": "acknowledge", "KeyO": "call_floor", "KeyD": "step_done", "KeyY": "yes", "KeyN": "no", "KeyI": "ahead",
        "KeyM": "menu",
    }
)  # fmt: skip
"""What the keys mean: on a numeric pad the digits choose a seat, the large keys beside them enter its action."""


def bound(given: Mapping[str, str]) -> dict[str, str]:
    """Key → meaning: the defaults, and what the configuration says instead; keys that mean nothing are left out."""
    return {code: meaning for code, meaning in {**DEFAULTS, **given}.items() if meaning != OFF}


def key_faults(given: Mapping[str, Any], seats: int | None, shown: str) -> list[Fault]:
    """Every key that cannot be bound, and every meaning that there is not, or not at a table with so many seats."""
    faults = []
    for code, meaning in given.items():
        path = joined("keys", code)
        right = _no_key(code) or _no_meaning(meaning, seats)
        if right is not None:
            faults.append(Fault(shown, path, shortened(meaning), right))
    return faults


def _no_key(code: str) -> str | None:
    if code in CODES:
        return None
    if code in MOVING:
        return f"{code} moves about on the display, or presses what is there; bind another key"
    such = "a key by its KeyboardEvent.code, such as Numpad1, NumpadAdd, KeyF or F1"
    return f"is no key that can be bound; name {such}.{nearest(code, CODES)}"


def _no_meaning(meaning: Any, seats: int | None) -> str | None:
    if meaning not in MEANINGS:
        near = nearest(meaning.lower(), MEANINGS, ".") if isinstance(meaning, str) else ""
        return f"must be one of {', '.join(MEANINGS)}{near}"
    beyond = seats is not None and meaning in SEATS[seats:]
    return f"this table has {seats} seats: must be seat_1 to seat_{seats}" if beyond else None
