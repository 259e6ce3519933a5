"""One table built in this process: what reaches its outputs, and what a broken output may not do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import App
from tablectl.config import Config, load
from tablectl.core.sensed import Seen, Sensed, Sweep
from tablectl.sealed import keygen
from tablectl.shell.journal import lines
from tablectl.shell.panel import SimulatedPins
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

DEADLINE_S = 20.0
SECRET = keygen()
SETUP = TableSetup(seats=4, boards=1)
PANEL = {
    "pins": "none",
    "buzzer": 18,
    "alarm_led": 17,
    "seat_leds": [5, 6, 13, 19],
    "buttons": {"acknowledge": 24},
}


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """The simulated table's configuration; its board is not there, what it senses is fed by hand."""
    SECRET.public.write(tmp_path / "audit.pub")
    sections = {"panel": PANEL, "display": {"port": 0}, "journal": {"audit_key": "audit.pub"}}
    return load(SETUP.write(tmp_path, [str(tmp_path / "reader0")], **sections))


def sensed(seed: int = 1) -> Iterator[Sensed]:
    """Everything up to an alarm and a little after: the deal begins at the wrong seat."""
    steps = script.parse("wrong_first_seat")
    _, events = recording.from_objects(
        *(lambda made: (next(made), made))(iter(generate(SETUP, steps, preset("clean"), seed=seed)))
    )
    return events


def perform(config: Config, act: Callable[[App], Awaitable[None]], **options: Any) -> list[str]:
    """A table from start to close, with `act` in between; what it logged."""
    log: list[str] = []

    async def life() -> None:
        app = App(config, log=log.append, with_display=False, **options)
        try:
            await app.start()
            async with asyncio.timeout(DEADLINE_S):
                await act(app)
        finally:
            await app.close()

    asyncio.run(life())
    return log


def until_alarm(app: App) -> None:
    """Feeds the night until an irregularity is confirmed."""
    for event in sensed():
        app.sense(event)
        if any(each["stage"] == "confirmed" for each in app.state()["irregularities"]):
            return
    raise AssertionError("nothing was confirmed")


def test_the_pins_are_set_before_sense_returns_and_the_button_silences(config: Config) -> None:
    """The alarm needs no turn of the event loop; a press of the acknowledge button ends the buzzer and is
    kept as an input; closing leaves every pin low."""
    pins = SimulatedPins()

    async def act(app: App) -> None:
        until_alarm(app)
        levels = pins.levels()
        found = app.state()["irregularities"][0]
        assert found["kind"] == "wrong_first_seat"
        assert levels[PANEL["seat_leds"][found["seat"] - 1]] == levels[17] == levels[18] == 1
        pins.press(24)
        await pins.wait_for(18, 0, DEADLINE_S)
        assert app.state()["irregularities"][0]["acknowledged"] is True
        assert pins.levels()[17] == 1

    perform(config, act, pins=pins)
    for pin in (17, 18, 5, 6, 13, 19):
        assert pins.history(pin)[-1].level == 0
    entries = [entry for _, kind, entry in lines(config.journal.path, 1, SECRET) if kind == "sensed"]
    assert {"do": "acknowledge"} in [entry.get("input") for entry in entries]


class Treacherous(SimulatedPins):
    """Pins whose driver fails as no driver should: not with the error that the seam allows."""

    def write(self, pin: int, level: Any) -> None:
        raise RuntimeError(f"pin {pin} bit E00401501234ABCD")


def test_a_broken_output_stops_neither_the_core_nor_the_others(config: Config) -> None:
    """A pin driver that raises what it must not: the fault is shown and logged once, without a UID; the core
    goes on, and every decision is in the journal."""

    async def act(app: App) -> None:
        until_alarm(app)
        assert [fault["what"] for fault in app.faults()] == ["alerts"]
        assert "RuntimeError" in app.faults()[0]["text"]
        assert "tablectl_faults 1" in app.metrics_text()

    log = perform(config, act, pins=Treacherous())
    said = [line for line in log if line.startswith("alerts: RuntimeError")]
    assert said
    assert not [line for line in log if "E00401501234ABCD" in line]
    kinds = [entry["type"] for _, kind, entry in lines(config.journal.path, 1) if kind == "decision"]
    assert "irregularity" in kinds


class Unreadable(str):
    """A tag's UID that fails whoever looks at it."""

    def __hash__(self) -> int:
        raise RuntimeError("tag E00401501234ABCD cannot be read")


def test_an_event_that_breaks_the_core_is_a_fault_and_the_next_one_counts(config: Config) -> None:
    """A sweep at which the core fails: a fault, in red and without the UID, and no exception; the night is
    followed all the same, and the next hand's start takes the fault away."""

    async def act(app: App) -> None:
        app.sense(Sweep(0, 0, (0,), (Seen(0, Unreadable("E0")),)))
        assert [fault["what"] for fault in app.faults()] == ["core"]
        until_alarm(app)
        assert app.faults() == []

    log = perform(config, act)
    assert [line for line in log if line.startswith("core: RuntimeError")]
    assert not [line for line in log if "E00401501234ABCD" in line]


def test_a_core_that_takes_nothing_any_more_has_stopped(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sweep that breaks it is a fault only; when everything does for a second, the state says that the table has
    stopped, and the first event that it takes again says that it has not."""
    broken = Sweep(0, 0, (0,), (Seen(0, Unreadable("E0")),))

    async def act(app: App) -> None:
        app.sense(broken)
        assert app.state()["stopped"] is False
        monkeypatch.setattr("tablectl.app.line.STOPPED_S", -1.0)  # the second is over
        assert app.state()["stopped"] is True
        app.sense(broken)
        assert app.state()["stopped"] is True
        app.sense(Sweep(1, 0, (0,)))
        assert app.state()["stopped"] is False

    perform(config, act)


def test_metrics_count_and_name_nobody(config: Config) -> None:
    """Every line is Prometheus text; sweeps, tags and decisions are counted; no tag or token is in it."""
    seen: list[str] = []

    async def act(app: App) -> None:
        until_alarm(app)
        seen.append(app.metrics_text())

    perform(config, act)
    samples = dict(line.rsplit(" ", 1) for line in seen[0].splitlines() if not line.startswith("#"))
    assert samples['tablectl_irregularities_total{kind="wrong_first_seat"}'] == "1"
    steps = int(samples['tablectl_step_seconds_bucket{le="+Inf"}'])
    assert steps == int(samples["tablectl_step_seconds_count"]) > 0
    assert float(samples['tablectl_sightings_total{reader="0"}']) > 0
    assert float(samples["process_resident_memory_bytes"]) > 1e6
    words = [word for deck in config.decks for word in (*deck.cards, *deck.cards.values())]
    assert not [word for word in words if word in seen[0]]


def test_state_is_json_and_keeps_faces_and_tags_to_itself(config: Config) -> None:
    """`/state` can be written as JSON and holds no UID and no token of any deck."""

    async def act(app: App) -> None:
        until_alarm(app)
        text = json.dumps(app.state(), allow_nan=False)
        words = [word for deck in config.decks for word in (*deck.cards, *deck.cards.values(), *deck.jokers)]
        assert not [word for word in words if word in text]

    perform(config, act)
