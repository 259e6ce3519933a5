"""The panel of a table built in this process: night, and the light of the seats that have their cards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import App
from tablectl.config import load
from tablectl.core.alerts import Signals
from tablectl.core.sensed import Sensed
from tablectl.shell.panel import LED_HZ, SimulatedPins
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

DEADLINE_S = 20.0
SETUP = TableSetup(seats=4, boards=1)
SEATS = {1: 5, 2: 6, 3: 13, 4: 19}
PANEL = {"buzzer": 18, "alarm_led": 17, "seat_leds": list(SEATS.values())}


def night(steps: str) -> Iterator[Sensed]:
    """What a table without noise senses while that script is played."""
    made = iter(generate(SETUP, script.parse(steps), preset("clean"), seed=1))
    return recording.from_objects(next(made), made)[1]


@pytest.fixture
def perform(tmp_path: Path) -> Callable[..., SimulatedPins]:
    """Plays a part at a table with that panel; the pins as they were left."""

    def play(act: Callable[[App, SimulatedPins], Awaitable[None]], **panel: Any) -> SimulatedPins:
        sections: dict[str, Any] = {"panel": {**PANEL, **panel}}
        config = load(SETUP.write(tmp_path, [str(tmp_path / "reader0")], **sections))
        pins = SimulatedPins()

        async def life() -> None:
            app = App(config, log=lambda _: None, with_display=False, pins=pins)
            try:
                await app.start()
                async with asyncio.timeout(DEADLINE_S):
                    await act(app, pins)
            finally:
                await app.close()

        asyncio.run(life())
        return pins

    return play


def until_alarm(app: App) -> None:
    for event in night("wrong_first_seat"):
        app.sense(event)
        if any(each["stage"] == "confirmed" for each in app.state()["irregularities"]):
            return
    raise AssertionError("nothing was confirmed")


def drive(pins: SimulatedPins, pin: int) -> tuple[int, int, int]:
    """How a pin is driven now: its level, the percent of the time on, how often a second."""
    return pins.history(pin)[-1][1:]


def test_night_softens_the_alarm_and_undo_brings_it_back(perform: Any) -> None:
    """By day an alarm is a plain level; the input softens it before it returns, and undo covers it."""

    async def act(app: App, pins: SimulatedPins) -> None:
        until_alarm(app)
        assert drive(pins, 17) == (1, 100, 0)
        app.submit({"do": "night", "on": True})
        assert drive(pins, 17) == (1, 20, LED_HZ)
        assert app.state()["night"] is True
        app.submit({"do": "undo"})
        assert drive(pins, 17) == (1, 100, 0)
        assert app.state()["night"] is False

    perform(act)


def test_a_table_may_start_at_night(perform: Any) -> None:
    """The first alarm is as soft as the configuration says, and day comes by the input."""

    async def act(app: App, pins: SimulatedPins) -> None:
        assert app.state()["night"] is True
        assert app.panel is not None
        app.panel.show(Signals(alarm="steady"))
        assert drive(pins, 17) == (1, 10, LED_HZ)
        app.submit({"do": "night", "on": False})
        assert drive(pins, 17) == (1, 100, 0)

    perform(act, night={"on": True, "brightness": 10})


def test_the_rhythms_of_the_configuration_are_played(perform: Any) -> None:
    """A house where confirmed is not steady: the alarm lamp begins with its first on phase all the same."""

    async def act(app: App, pins: SimulatedPins) -> None:
        until_alarm(app)
        assert drive(pins, 17)[0] == 1
        await pins.wait_for(17, 0, DEADLINE_S)
        await pins.wait_for(17, 1, DEADLINE_S)

    perform(act, patterns={"confirmed": [200, 100]})


def seats_lit(app: App, steps: str) -> list[tuple[dict[str, Any], set[int]]]:
    """After each event of the script: the state, and the seats that say that they are complete."""
    seen = []
    for event in night(steps):
        app.sense(event)
        signals = app.alerts.signals
        seen.append((app.state(), {seat for seat, light in signals.seats.items() if light == "complete"}))
    return seen


def test_seats_that_have_their_cards_say_so_until_the_hand_goes_on(perform: Any) -> None:
    """A clean hand: one seat after the other in the order of the deal, then none from the first action on; and never
    the alarm lamp or the buzzer."""

    async def act(app: App, pins: SimulatedPins) -> None:
        seen = seats_lit(app, "clean")
        growth = [lit for at, (_, lit) in enumerate(seen) if not at or lit != seen[at - 1][1]]
        assert [len(lit) for lit in growth] == [0, 1, 2, 3, 4, 0]
        assert all(before <= after for before, after in pairwise(growth[:5]))
        assert not [state for state, lit in seen if lit and (state["board"] or state["burn"])]
        assert len(pins.history(17)) == len(pins.history(18)) == 1

    perform(act, seat_light_complete=True)


def test_a_seat_that_has_its_cards_glows_on_its_pin(perform: Any) -> None:
    """From the cards to the pin of the first seat that has both: dim, and dark again, by the clock of the real loop."""

    async def act(app: App, pins: SimulatedPins) -> None:
        events = night("clean")
        while not app.alerts.signals.seats:
            app.sense(next(events))
        [seat] = app.alerts.signals.seats
        await pins.wait_for(SEATS[seat], 1, DEADLINE_S)
        await pins.wait_for(SEATS[seat], 0, DEADLINE_S)
        assert {each[1:] for each in pins.history(SEATS[seat])} == {(0, 100, 0), (1, 30, LED_HZ)}

    perform(act, seat_light_complete=True)


def test_an_alarm_wins(perform: Any) -> None:
    """The deal begins at the wrong seat: as long as that is open, no seat says that it is complete."""

    async def act(app: App, pins: SimulatedPins) -> None:
        seen = seats_lit(app, "wrong_first_seat")
        assert [state for state, _ in seen if state["irregularities"]]
        assert not [lit for state, lit in seen if state["irregularities"] and lit]

    perform(act, seat_light_complete=True)


def test_it_is_off_unless_it_is_asked_for(perform: Any) -> None:
    """A clean hand without the setting lights no seat at all."""

    async def act(app: App, pins: SimulatedPins) -> None:
        seats_lit(app, "clean")

    pins = perform(act)
    assert all(len(pins.history(pin)) == 1 for pin in SEATS.values())
