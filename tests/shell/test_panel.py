"""The panel on simulated pins: levels *and* times on a clock moved by hand, and once a real event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from panel_rig import ACK, ALARM, BUZZER, FLOOR, LOUD, SEAT1, SEAT2, SEAT2_AMBER, SOFT, WIRING, Rig

from tablectl.core.alerts import Signals
from tablectl.shell.panel import NoGpioError, Panel, PanelError, RpiPins, SimulatedPins, pins_named
from tablectl.shell.panel.patterns import Pattern


def test_start_makes_every_output_low() -> None:
    """After start every wired output is driven, and low; inputs are not outputs."""
    assert Rig().pins.levels() == {SEAT1: 0, SEAT2: 0, SEAT2_AMBER: 0, ALARM: 0, BUZZER: 0}


def test_the_alarm_is_on_the_pins_when_show_returns() -> None:
    """Latency is the pin write: seat light, alarm LED and buzzer are high without the clock moving at all."""
    rig = Rig()
    rig.panel.show(LOUD)
    assert rig.pins.levels() == {SEAT1: 1, SEAT2: 0, SEAT2_AMBER: 0, ALARM: 1, BUZZER: 1}


def test_soft_blinks_slowly_and_in_silence() -> None:
    """A suspicion: 500 ms on, 500 ms off, from the moment it is shown; buzzer and alarm LED stay low."""
    rig = Rig()
    rig.clock.move_to(100)
    rig.panel.show(SOFT)
    rig.clock.move_to(1900)
    assert rig.changes(SEAT1) == [(100, 1), (600, 0), (1100, 1), (1600, 0)]
    assert rig.changes(BUZZER) == []
    assert rig.changes(ALARM) == []


def test_confirmed_is_steady_and_the_buzzer_beeps_three_times_and_again() -> None:
    """The alarm pattern to the millisecond, over more than one repetition; lights do not blink."""
    rig = Rig()
    rig.panel.show(LOUD)
    rig.clock.move_to(2100)
    assert rig.changes(BUZZER) == [
        (0, 1), (300, 0), (400, 1), (700, 0), (800, 1), (1100, 0), (2000, 1),
    ]  # fmt: skip
    assert rig.changes(SEAT1) == [(0, 1)]
    assert rig.changes(ALARM) == [(0, 1)]


def test_the_floor_pattern_is_long_beeps() -> None:
    """Another sound for what the dealer may not decide."""
    rig = Rig()
    rig.panel.show(Signals(alarm="steady", buzzer="floor"))
    rig.clock.move_to(1300)
    assert rig.changes(BUZZER) == [(0, 1), (900, 0), (1200, 1)]


def test_a_wink_begins_dark() -> None:
    """A degraded zone flashes 100 ms every 3 s, and not at all if it is back before the first flash."""
    rig = Rig()
    rig.panel.show(Signals(alarm="wink"))
    rig.clock.move_to(6000)
    assert rig.changes(ALARM) == [(2900, 1), (3000, 0), (5900, 1), (6000, 0)]
    rig.panel.show(Signals())
    rig.panel.show(Signals(alarm="wink"))
    rig.clock.move_to(8000)
    rig.panel.show(Signals())
    rig.clock.move_to(20000)
    assert rig.changes(ALARM, since=6001) == []


def test_soft_to_confirmed_to_acknowledged_to_settled() -> None:
    """The stages of one slip, pin by pin: a blinking light becomes steady, the sound ends, all goes dark."""
    rig = Rig()
    rig.panel.show(SOFT)
    rig.clock.move_to(700)
    rig.panel.show(LOUD)
    rig.clock.move_to(900)
    rig.panel.show(Signals(seats={1: "steady"}, alarm="steady"))
    rig.clock.move_to(5000)
    rig.panel.show(Signals())
    rig.clock.move_to(9000)
    assert rig.changes(SEAT1) == [(0, 1), (500, 0), (700, 1), (5000, 0)]
    assert rig.changes(BUZZER) == [(700, 1), (900, 0)]
    assert rig.changes(ALARM) == [(700, 1), (5000, 0)]


def test_showing_the_same_again_does_not_disturb_the_pattern() -> None:
    """Signals come with every decision: a beep must not begin anew each time, a light keeps its rhythm."""
    rig = Rig()
    rig.panel.show(Signals(seats={1: "slow"}, buzzer="alarm"))
    rig.clock.move_to(250)
    rig.panel.show(Signals(seats={1: "slow", 2: "steady"}, buzzer="alarm"))
    rig.clock.move_to(1000)
    assert rig.changes(SEAT1) == [(0, 1), (500, 0), (1000, 1)]
    assert rig.changes(BUZZER) == [(0, 1), (300, 0), (400, 1), (700, 0), (800, 1)]


def test_an_alarm_that_comes_back_begins_with_a_beep() -> None:
    """After a silence the pattern starts from its first beep, not where it was left."""
    rig = Rig()
    rig.panel.show(LOUD)
    rig.clock.move_to(350)
    rig.panel.show(Signals())
    rig.clock.move_to(1000)
    rig.panel.show(LOUD)
    rig.clock.move_to(1350)
    assert rig.changes(BUZZER) == [(0, 1), (300, 0), (1000, 1), (1300, 0)]


def test_a_seat_with_amber_blinks_amber_and_then_red() -> None:
    """With a second colour: soft is amber only, confirmed is red only."""
    rig = Rig()
    rig.panel.show(Signals(seats={2: "slow"}))
    rig.clock.move_to(800)
    rig.panel.show(Signals(seats={2: "steady"}))
    rig.clock.move_to(3000)
    assert rig.changes(SEAT2_AMBER) == [(0, 1), (500, 0)]
    assert rig.changes(SEAT2) == [(800, 1)]


def test_a_stalled_loop_does_not_make_the_pattern_race() -> None:
    """After a stall of 10 s the blinking goes on at its own pace instead of catching up in a burst."""
    rig = Rig()
    rig.panel.show(SOFT)
    rig.clock.ms = 10_200
    rig.clock.move_to(12_000)
    assert rig.changes(SEAT1)[1:] == [(10_200, 0), (10_200, 1), (10_700, 0), (11_200, 1), (11_700, 0)]


def test_patterns_can_be_replaced() -> None:
    """A house with its own patterns hands in its own table."""
    rig = Rig(buzzes={"alarm": Pattern((50, 50)), "floor": Pattern((900,))})
    rig.panel.show(LOUD)
    rig.clock.move_to(120)
    assert rig.changes(BUZZER) == [(0, 1), (50, 0), (100, 1)]


def test_a_pattern_that_would_never_end_a_phase_is_refused() -> None:
    """Durations of nothing but zeros, or below zero, would hang the loop."""
    for times in ((0, 0), (100, -1)):
        with pytest.raises(ValueError, match="durations"):
            Pattern(times)


def test_state_names_every_light_as_last_set() -> None:
    """`/state` lists the lamps by the contract's names, wired or not, amber where fitted."""
    rig = Rig()
    rig.panel.show(Signals(seats={2: "slow", 3: "steady"}, alarm="steady", buzzer="alarm"))
    assert rig.panel.panel_state() == {
        "alarm_led": 1,
        "buzzer": 1,
        "seat_led:1": 0,
        "seat_led:2": 0,
        "seat_led:3": 1,
        "seat_led_amber:2": 1,
    }
    rig.clock.move_to(350)
    assert rig.panel.panel_state()["buzzer"] == 0


def test_without_pins_the_levels_are_kept_all_the_same() -> None:
    """`pins = "none"`: nothing to report, and `/state` still shows the alarm and its pattern."""
    rig = Rig(pins=pins_named("none"))
    rig.panel.show(LOUD)
    rig.clock.move_to(350)
    state = rig.panel.panel_state()
    assert (state["alarm_led"], state["buzzer"], state["seat_led:1"]) == (1, 0, 1)
    assert rig.reports == []
    assert rig.panel.fault is None
    rig.panel.close()
    assert set(rig.panel.panel_state().values()) == {0}


def test_a_seat_the_table_does_not_have_is_ignored() -> None:
    """Signals for more seats than there are lights change nothing else."""
    rig = Rig()
    rig.panel.show(Signals(seats={9: "steady"}, alarm="steady"))
    assert rig.pins.levels()[ALARM] == 1


def test_close_brings_every_pin_to_its_safe_level() -> None:
    """In the middle of an alarm: all low, driver closed, nothing left on the clock, later signals ignored."""
    rig = Rig()
    rig.panel.show(Signals(seats={1: "steady", 2: "slow"}, alarm="steady", buzzer="alarm"))
    rig.clock.move_to(10)
    rig.panel.close()
    rig.panel.close()
    rig.panel.show(LOUD)
    rig.panel.start()
    rig.clock.move_to(5000)
    for pin in (SEAT1, SEAT2_AMBER, ALARM, BUZZER):
        assert rig.changes(pin) == [(0, 1), (10, 0)]
    assert rig.pins.levels() == {}
    assert rig.clock.pending == 0
    assert rig.reports == []


def bounce(rig: Rig, pin: int, start: int, last: str) -> None:
    """Contacts that open and close every 3 ms for 18 ms and end pressed or released."""
    for n, at in enumerate(range(start, start + 18, 3)):
        rig.clock.move_to(at)
        (rig.pins.press if n % 2 == 0 else rig.pins.release)(pin)
    rig.clock.move_to(start + 18)
    getattr(rig.pins, last)(pin)


def test_a_bouncing_button_is_one_press() -> None:
    """Bounce on the way down and on the way up: exactly one call, within 60 ms of the first contact."""
    rig = Rig()
    bounce(rig, ACK, 100, "press")
    rig.clock.move_to(400)
    bounce(rig, ACK, 400, "release")
    rig.clock.move_to(1000)
    assert [name for _, name in rig.presses] == ["acknowledge"]
    assert 118 < rig.presses[0][0] <= 160


def test_two_presses_are_two_and_buttons_do_not_mix() -> None:
    """Pressing again after letting go counts again; two buttons held together give one press each."""
    rig = Rig()
    for at in (100, 300):
        rig.clock.move_to(at)
        rig.pins.press(ACK)
        rig.clock.move_to(at + 80)
        rig.pins.release(ACK)
    rig.clock.move_to(600)
    rig.pins.press(FLOOR)
    rig.pins.press(ACK)
    rig.clock.move_to(3000)
    assert [name for _, name in rig.presses] == ["acknowledge", "acknowledge", "acknowledge", "call_floor"]


def test_a_spike_is_no_press() -> None:
    """A contact shorter than the debounce time, as from static or a cable, is ignored."""
    rig = Rig()
    for at in range(100, 1000, 100):
        rig.clock.move_to(at)
        rig.pins.press(FLOOR)
        rig.clock.move_to(at + 20)
        rig.pins.release(FLOOR)
    rig.clock.move_to(2000)
    assert rig.presses == []


def test_a_button_that_is_down_at_the_start_is_no_press() -> None:
    """A stuck button, or an elbow on it, does nothing until it is let go and pressed again."""
    rig = Rig(start=False)
    rig.pins.setup_input(ACK, "up")
    rig.pins.press(ACK)
    rig.panel.start()
    rig.clock.move_to(500)
    assert rig.presses == []
    rig.pins.release(ACK)
    rig.clock.move_to(600)
    rig.pins.press(ACK)
    rig.clock.move_to(700)
    assert [name for _, name in rig.presses] == ["acknowledge"]


def test_a_press_may_close_the_panel() -> None:
    """What a press sets off may end the panel; no poll comes after that."""
    rig = Rig()
    rig.then = rig.panel.close
    rig.pins.press(ACK)
    rig.clock.move_to(500)
    assert rig.pins.levels() == {}
    assert rig.clock.pending == 0


def test_a_failing_write_is_reported_once_and_the_alarm_comes_back() -> None:
    """Pins break in mid-alarm: one line, `/state` goes on, and all levels are written once they work."""
    rig = Rig()
    rig.pins.break_("chip is gone")
    rig.panel.show(LOUD)
    assert rig.reports == ["no panel: chip is gone; the table runs on without it, trying again"]
    assert rig.panel.fault == "chip is gone"
    assert rig.panel.panel_state()["alarm_led"] == 1
    rig.clock.move_to(4000)
    assert len(rig.reports) == 1
    rig.pins.mend()
    rig.clock.move_to(20_000)
    assert rig.reports[1:] == ["panel: works again"]
    assert rig.panel.fault is None
    assert rig.pins.levels() == {
        SEAT1: 1,
        SEAT2: 0,
        SEAT2_AMBER: 0,
        ALARM: 1,
        BUZZER: rig.panel.panel_state()["buzzer"],
    }
    rig.pins.press(ACK)
    rig.clock.move_to(20_100)
    assert [name for _, name in rig.presses] == ["acknowledge"]


def test_a_failing_button_is_noticed_without_any_alarm() -> None:
    """The polls find out that the pins are gone while all is calm; the retries back off to 30 s."""
    attempts: list[int] = []

    class Counting(SimulatedPins):
        def setup_output(self, pin: int) -> None:
            if pin == ALARM:
                attempts.append(round(rig.clock.ms))
            super().setup_output(pin)

    rig = Rig(pins=Counting(), start=False)
    rig.panel.start()
    attempts.clear()
    rig.pins.break_("no such device")
    rig.clock.move_to(120_000)
    assert len(rig.reports) == 1
    assert attempts == [1008, 3008, 8008, 18008, 48008, 78008, 108008]


def test_pins_that_cannot_be_had_are_not_asked_for_again() -> None:
    """No Pi: one line, no retries, the table runs on."""

    class NoPins(SimulatedPins):
        def setup_output(self, pin: int) -> None:
            raise NoGpioError("no GPIO here: this is not a Raspberry Pi")

    rig = Rig(pins=NoPins())
    assert rig.reports == ["no panel: no GPIO here: this is not a Raspberry Pi; the table runs on without it"]
    assert rig.clock.pending == 0
    rig.panel.show(LOUD)
    rig.clock.move_to(200_000)
    rig.panel.close()
    assert len(rig.reports) == 1


def test_close_while_pins_fail_says_so_and_returns() -> None:
    """The pins break just before the end: close reports it once, plans no retry, and does not raise."""
    rig = Rig()
    rig.panel.show(LOUD)
    rig.pins.break_("chip is gone")
    rig.panel.close()
    assert rig.reports == ["no panel: chip is gone; the table runs on without it"]
    assert rig.clock.pending == 0


def test_close_says_which_pin_is_not_safe() -> None:
    """A driver that cannot let go properly is reported."""

    class Sticky(SimulatedPins):
        def close(self) -> None:
            super().close()
            raise PanelError("pin 18: stuck")

    rig = Rig(pins=Sticky())
    rig.panel.close()
    assert rig.reports == ["panel: not every pin could be brought to its safe level: pin 18: stuck"]


def test_simulated_pins_refuse_what_real_pins_refuse() -> None:
    """A pin that is not there, not set up, or set up the other way is an error that names the pin."""
    pins = SimulatedPins()
    pins.setup_input(4, "down")
    refused: list[tuple[Callable[[], Any], str]] = [
        (lambda: pins.setup_output(99), "no pin 99"),
        (lambda: pins.write(5, 1), "pin 5 was not set up as an output"),
        (lambda: pins.write(4, 1), "pin 4 was not set up as an output"),
        (lambda: pins.read(5), "pin 5 was not set up as an input"),
        (lambda: pins.press(5), "no button on pin 5"),
    ]
    for call, text in refused:
        with pytest.raises(PanelError, match=text):
            call()
    pins.press(4)
    assert pins.read(4) == 1


def test_the_simulated_history_is_bounded() -> None:
    """A night of blinking keeps the last changes only."""
    pins = SimulatedPins()
    pins.setup_output(5)
    for n in range(10_000):
        pins.write(5, 1 if n % 2 == 0 else 0)
    assert len(pins.history(5)) == 4096


def test_pins_are_chosen_by_the_name_in_the_configuration() -> None:
    """rpi, simulated, none; choosing rpi imports nothing yet."""
    assert isinstance(pins_named("rpi"), RpiPins)
    assert isinstance(pins_named("simulated"), SimulatedPins)
    assert pins_named("none") is None


def test_on_a_real_event_loop() -> None:
    """The same panel on asyncio: alarm at once, pattern and press by the loop's clock, safe at the end."""

    async def night() -> None:
        loop = asyncio.get_running_loop()
        pins = SimulatedPins(loop.time)
        pressed: asyncio.Queue[str] = asyncio.Queue()
        reports: list[str] = []
        panel = Panel(WIRING, pins, loop, reports.append, pressed.put_nowait)
        panel.start()
        panel.show(LOUD)
        on = await pins.wait_for(BUZZER, 1, deadline=10)
        off = await pins.wait_for(BUZZER, 0, deadline=10)
        assert off > on
        pins.press(ACK)
        assert await asyncio.wait_for(pressed.get(), 10) == "acknowledge"
        with pytest.raises(TimeoutError, match=r"pin 6 did not become 1 within 0 s; it was: 0 at"):
            await pins.wait_for(SEAT2, 1, deadline=0)
        panel.close()
        assert pins.levels() == {}
        assert reports == []

    asyncio.run(night())
