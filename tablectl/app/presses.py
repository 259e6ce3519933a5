"""What a press of a push button enters.

Owns: the meaning of each button in the table's present state (the seat next to act, the card dealt last, the question
and the step that the display shows), and the last press with what became of it, for the display: a button has
no words of its own.
Refuses: pins and bouncing contacts (`shell.panel`), and what an input means (`core`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tablectl.app.front import in_front
from tablectl.config.panel import ACTION_BUTTONS
from tablectl.core import entries
from tablectl.errors import TablectlError, UsageError
from tablectl.said import Said, said_by, say

View = Mapping[str, Any]
"""`Table.view()`, with what the displays are turned to in `front`."""
Input = dict[str, Any]

AGAIN_MS = 350
"""The same button again within this time was one press: a finger that trembles must not act for the next seat too. A
push button is felt, not seen, so that it waits longer than the display's own."""
ALL_IN = "_all_in"


class Presses:
    """The presses of one table's buttons.

    `now` gives ms, `view` what the table shows; `enter` takes an input, `log` a line for each press that is none.
    """

    def __init__(
        self,
        now: Callable[[], int],
        view: Callable[[], View],
        enter: Callable[[Input], None],
        log: Callable[[str], None],
    ) -> None:
        self._now = now
        self._view = view
        self._enter = enter
        self._log = log
        self._at: dict[str, int] = {}
        self._number = 0
        self.last: dict[str, Any] | None = None
        """The last press as `/state` shows it: its number since the start, the button, and the input or why none."""

    def pressed(self, button: str) -> None:
        """Enters what the button means now. What it cannot mean, or what the table refuses, is kept in `last`."""
        now = self._now()
        before, self._at[button] = self._at.get(button), now
        self._number += 1
        self.last = {"number": self._number, "button": button, "input": None, "refused": None}
        try:
            if before is not None and now - before < AGAIN_MS:
                raise UsageError(Said("pressed again too quickly; it counts once"))
            given = meaning(button, self._view())
            self.last["input"] = given
            self._enter(given)
        except TablectlError as error:
            why = said_by(error)
            self.last |= {"input": None, "refused": why, **say(why)}
            self._log(f"button {button}: {why}")


def meaning(button: str, view: View) -> Input:
    """The input that the button stands for now. Raises UsageError, with a text for the dealer, if there is none."""
    if button in ACTION_BUTTONS:
        return _action(button, view)
    if button.startswith("exposed"):
        return _exposed(button, view)
    if button in ("yes", "no"):
        return _answer(view, button == "yes")
    if button.startswith("answer_"):
        return _answer_number(view, int(button.removeprefix("answer_")))
    means = _MEANS.get(button)
    return means(view) if means is not None else {"do": button}


def _action(button: str, view: View) -> Input:
    seat = view["hand"]["to_act"]
    if seat is None:
        raise UsageError(Said("nobody is next to act: choose the seat on the display"))
    all_in = {"all_in": True} if button.endswith(ALL_IN) else {}
    return {"do": "action", "seat": seat, "action": button.removesuffix(ALL_IN), **all_in}


def _straddle(view: View) -> Input:
    """The next seat that may: the one left of the blinds, then left of the last straddle."""
    seats = view["hand"]["may_straddle"]
    if not seats:
        raise UsageError(Said("no seat can straddle now"))
    return {"do": "straddle", "seat": seats[0]}


def _exposed(button: str, view: View) -> Input:
    last = view["hand"]["last"]
    if last is None:
        raise UsageError(Said("no seat has a card yet that could be exposed"))
    by = button.removeprefix("exposed").removeprefix("_by_")
    return {"do": "exposed", **last, **({"by": by} if by else {})}


def _question(view: View) -> Mapping[str, Any]:
    """The question that the display shows, never one that waits behind it: nobody answers what he cannot read."""
    front = in_front(view["irregularities"], view["front"])
    if front is None or front["question"] is None:
        raise UsageError(Said("the display shows no question"))
    return dict(front["question"])


def _step_done(view: View) -> Input:
    """The step that the display shows, so that none is ticked which cannot be read there."""
    front = in_front(view["irregularities"], view["front"])
    if front is None or front["step"] is None:
        raise UsageError(Said("the display shows no step"))
    return {"do": "step_done", "irregularity": front["id"], "step": front["step"]}


def _answer(view: View, value: object) -> Input:
    asked = _question(view)
    if not any(each is value for each in asked["choices"]):
        raise UsageError(Said("this question has other answers than yes and no: choose on the display"))
    return {"do": "answer", "question": asked["id"], "value": value}


def _answer_number(view: View, number: int) -> Input:
    asked = _question(view)
    if number > len(asked["choices"]):
        raise UsageError(Said("this question has no such answer: choose on the display"))
    return {"do": "answer", "question": asked["id"], "value": asked["choices"][number - 1]}


def _next_deck(view: View) -> Input:
    decks, deck = view["table"]["decks"], view["table"]["deck"]
    if len(decks) < 2:
        raise UsageError(Said("this table has one deck"))
    return {"do": "deck", "id": _after(decks, deck)}


def _next_button(view: View) -> Input:
    """One seat on, of those that are dealt in; the first of them if nobody has said yet where it is."""
    setup = view["setup"]
    if not view["table"]["has_button"]:
        raise UsageError(Said("this game has no button"))
    if not setup["eligible"]:
        raise UsageError(Said("no seat is dealt in"))
    beyond = [seat for seat in setup["eligible"] if seat > (setup["button"] or 0)]
    return {"do": "button", "seat": (beyond or setup["eligible"])[0]}


def _after(all_of_them: Sequence[str], now: str | None) -> str:
    """The one after the present one; after the last the first again."""
    at = all_of_them.index(now) if now in all_of_them else -1
    return all_of_them[(at + 1) % len(all_of_them)]


def _next_game(view: View) -> Input:
    table = view["table"]
    return {"do": "game", "name": _after(entries.GAMES, table["next_game"] or table["game"])}


_MEANS: Mapping[str, Callable[[View], Input]] = {
    "cut_exposed": lambda _: {"do": "cut_exposed", "count": 1},
    "night": lambda view: {"do": "night", "on": not view["night"]},
    "step_done": _step_done,
    "straddle": _straddle,
    "run_twice": lambda _: {"do": "run_twice", "times": 2},
    "next_button": _next_button,
    "next_deck": _next_deck,
    "next_game": _next_game,
    "next_language": lambda view: {
        "do": "language",
        "code": _after(entries.LANGUAGES, view["table"]["language"]),
    },
}
"""Buttons whose input has a value of its own, or depends on what is on; the others enter the input of their name."""
