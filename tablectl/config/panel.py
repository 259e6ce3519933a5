"""`[panel]`: lamps, buzzer and buttons; their pins, their rhythms, how bright and how loud.

Owns: the keys of the section with their defaults, and which rhythms a dealer could confuse.
Refuses: pins that serve two purposes (`config.cross`), levels over time (`shell.panel`), and what a press means
(`app.presses`).

A rhythm is times in ms, on, off, on, off, … from the moment the signal begins, repeated until it ends. A lamp that
is on all the time is written "on", and is an empty rhythm here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, create_model

from tablectl.config.faults import joined, shortened
from tablectl.config.model import PIN, Pin, Section
from tablectl.errors import Fault

Rhythm = tuple[int, ...]

STEADY: Rhythm = ()
SHORTEST_MS = 50
"""Anything shorter is no flash for an eye that looks elsewhere, and hardly a beep (assumption)."""
LONGEST_MS = 5000
"""A lamp that is dark for longer is not seen by somebody who looks at it for a moment (assumption)."""
MOST_TIMES = 20

OUTPUTS = ("buzzer", "alarm_led", "seat_leds", "seat_leds_amber")
"""The keys whose pins are driven."""
PIN_KEYS = (*OUTPUTS, "buttons")
"""The keys that hold pins."""


def _rhythm(given: object) -> Rhythm:
    if given == "on":
        return STEADY
    if not isinstance(given, (list, tuple)) or not 0 < len(given) <= MOST_TIMES:
        raise ValueError("no rhythm")
    if not all(type(ms) is int and (ms == 0 or SHORTEST_MS <= ms <= LONGEST_MS) for ms in given):
        raise ValueError("no rhythm")
    times = tuple(given)
    if not sum(times[::2]):
        raise ValueError("never on")
    return times if sum(times[1::2]) else STEADY


def _prompt(given: object) -> Rhythm:
    times = _rhythm(given)
    if times and not times[0]:
        raise ValueError("begins dark")
    return times


def _beeps(given: object) -> Rhythm:
    times = _prompt(given)
    if not times:
        raise ValueError("never off")
    return times


def _as_written(times: Rhythm) -> list[int] | str:
    return list(times) if times else "on"


_AS_WRITTEN = PlainSerializer(_as_written)
_Lit = Annotated[Rhythm, BeforeValidator(_rhythm), _AS_WRITTEN]
_LitAtOnce = Annotated[Rhythm, BeforeValidator(_prompt), _AS_WRITTEN]
_Beeps = Annotated[Rhythm, BeforeValidator(_beeps), _AS_WRITTEN]

_TIMES = f"times in ms, on, off, on, …: each 0 or {SHORTEST_MS} to {LONGEST_MS}, {MOST_TIMES} at most"
_LAMP = f'"on", or a list of {_TIMES}'
_AT_ONCE = ", the first of them above 0"


class PatternsSection(Section):
    """`[panel.patterns]`: the rhythm of each state. What the README's table says are the defaults."""

    soft: _LitAtOnce = Field((500, 500), description=_LAMP + _AT_ONCE)
    confirmed: _LitAtOnce = Field(STEADY, description=_LAMP + _AT_ONCE)
    degraded: _Lit = Field((0, 2900, 100), description=_LAMP)
    complete: _Lit = Field((150, 1350), description=_LAMP)
    alarm: _Beeps = Field((300, 100, 300, 100, 300, 900), description=f"a list of {_TIMES}{_AT_ONCE}")
    floor: _Beeps = Field((900, 300), description=f"a list of {_TIMES}{_AT_ONCE}")


RIVALS = (
    ("soft", "confirmed"),
    ("degraded", "confirmed"),
    ("degraded", "soft"),
    ("complete", "confirmed"),
    ("complete", "soft"),
    ("floor", "alarm"),
)
"""States that one lamp, or the buzzer, may show in turn: only the rhythm tells them apart for sure."""

Percent = Annotated[int, Field(ge=5, le=100)]
_PERCENT = "a percentage from 5 to 100"


class NightSection(Section):
    """`[panel.night]`: the same lamps and buzzer in a dark, quiet room."""

    on: bool = Field(default=False, description="true (the table starts with it) or false")
    brightness: Percent = Field(20, description=_PERCENT)
    volume: Percent = Field(30, description=_PERCENT)


BUTTONS = (
    "acknowledge", "call_floor", "undo", "night",
    "shuffle_done", "cut_done", "cut_exposed", "showdown", "hand_end",
    "next_button", "next_deck", "next_game", "next_language", "round_closed", "straddle", "run_twice",
    # Of the seat next to act
    "fold", "check", "call", "bet", "raise", "call_all_in", "bet_all_in", "raise_all_in",
    # What only people see; an exposed card is the one that was dealt to a seat last
    "exposed", "exposed_by_dealer", "exposed_by_player", "damaged", "stub_disordered",
    # The open question with its answers in the display's order, and the current step
    "yes", "no", "answer_1", "answer_2", "answer_3", "step_done",
)  # fmt: skip
"""What a push button may be for."""
ACTION_BUTTONS = frozenset(BUTTONS[BUTTONS.index("fold") : BUTTONS.index("raise_all_in") + 1])
"""Those that enter an action."""


class _Buttons(Section):
    """`[panel.buttons]`: the dealer's push buttons; one that is left out is not fitted."""

    def fitted(self) -> dict[str, int]:
        """The buttons that are fitted, each with its pin."""
        return self.model_dump(exclude_none=True)


if TYPE_CHECKING:
    ButtonsSection = _Buttons
else:
    _FIELDS = {name: (Pin | None, Field(None, description=PIN)) for name in BUTTONS}
    ButtonsSection = create_model("ButtonsSection", __base__=_Buttons, **_FIELDS)


class PanelSection(Section):
    """`[panel]`: with `pins = "none"` the table runs without lamps, buzzer and buttons."""

    pins: Literal["rpi", "simulated", "none"] = Field("none", description="rpi, simulated or none")
    simulated_file: Path | None = Field(
        None,
        strict=False,
        description="the path of a file that shows the simulated pins, from the folder of this configuration",
    )
    buzzer: Pin | None = Field(None, description=PIN)
    buzzer_hz: int | None = Field(
        None,
        ge=100,
        le=10_000,
        description="a frequency from 100 to 10000 Hz, for a buzzer that makes no tone of its own",
    )
    alarm_led: Pin | None = Field(None, description=PIN)
    seat_leds: tuple[Pin, ...] = Field(
        (), strict=False, description=f"a list with {PIN} for each seat, seat 1 first: [5, 6, 13, …]"
    )
    seat_leds_amber: tuple[Pin, ...] = Field(
        (), strict=False, description=f"a list with {PIN} for each seat, seat 1 first: [5, 6, 13, …]"
    )
    seat_light_complete: bool = Field(
        default=False, description="true (a seat that has all cards of the deal shows it) or false"
    )
    brightness: Percent = Field(100, description=_PERCENT)
    volume: Percent = Field(100, description=_PERCENT)
    night: NightSection = Field(
        NightSection(), description="a table such as { brightness = 20, volume = 30 }"
    )
    patterns: PatternsSection = Field(
        PatternsSection(), description='a table such as { soft = [500, 500], confirmed = "on" }'
    )
    buttons: ButtonsSection = Field(
        ButtonsSection(),
        description="a table such as { round_closed = 23, acknowledge = 24, call_floor = 25 }",
    )


def alike(one: Rhythm, other: Rhythm) -> bool:
    """Whether a moment's look, or half an ear, could take one rhythm for the other.

    Two that blink differ if the cycle, the time on, or the number of flashes in it is half as long again; one that
    blinks is dark for a fifth of the time at least, else it looks steady.
    """
    if not one or not other:
        return all(sum(each[1::2]) * 5 < sum(each) or not each for each in (one, other))
    pairs = zip(_measures(one), _measures(other), strict=True)
    return all(2 * max(pair) < 3 * min(pair) for pair in pairs)


def _measures(times: Rhythm) -> tuple[int, int, int]:
    return sum(times), sum(times[::2]), sum(ms > 0 for ms in times[::2])


def pattern_faults(panel: Any, shown: str) -> list[Fault]:
    """Rhythms, as written, that look or sound like another state's; those that are no rhythms are told elsewhere."""
    given = panel.get("patterns") if isinstance(panel, dict) else None
    if not isinstance(given, dict):
        return []
    rhythms = dict(_readable(given))
    faults = []
    for name, rival in RIVALS:
        if not {name, rival} & given.keys() or not {name, rival} <= rhythms.keys():
            continue
        if alike(rhythms[name], rhythms[rival]):
            key = name if name in given else rival
            other = rival if key == name else name
            right = (
                f"is too much like {other}, which is {_as_written(rhythms[other])}: let the cycle, the time on "
                "or the number of flashes be half as much again"
            )
            faults.append(Fault(shown, joined("panel.patterns", key), shortened(given[key]), right))
    return faults


def _readable(given: Mapping[str, object]) -> Iterator[tuple[str, Rhythm]]:
    for name, field in PatternsSection.model_fields.items():
        try:
            yield name, _rhythm(given[name]) if name in given else field.default
        except ValueError:
            continue


def button_notes(panel: Any, betting: object) -> list[str]:
    """Buttons, as written, from which nothing comes where betting is entered in that way."""
    buttons = panel.get("buttons") if isinstance(panel, dict) else None
    if not isinstance(buttons, dict) or betting not in ("rounds", "none"):
        return []
    useless = ACTION_BUTTONS if betting == "rounds" else {*ACTION_BUTTONS, "round_closed"}
    return [
        f"panel.buttons.{name}: nothing comes of it, for betting is {betting}"
        for name in buttons
        if name in useless
    ]
