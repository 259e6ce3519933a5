"""How bright and how loud, by day and at night, and the light of a seat that has its cards; levels, times and duty."""

from __future__ import annotations

from dataclasses import replace

import pytest
from panel_rig import ALARM, BUZZER, LOUD, SEAT1, SEAT2, SEAT2_AMBER, SOFT, WIRING, Rig

from tablectl.core.alerts import Signals
from tablectl.shell.panel import LED_HZ, PanelError, SimulatedPins, Strength
from tablectl.shell.panel.patterns import Pattern

NIGHT = Strength(brightness=20, volume=30)
TONE = replace(WIRING, buzzer_hz=2700)


def test_by_day_and_in_full_nothing_is_pulsed() -> None:
    """Full brightness and volume are plain levels: what works on any pin, as soon as it is written."""
    rig = Rig(at_night=NIGHT)
    rig.panel.show(LOUD)
    rig.clock.move_to(2000)
    for pin in (SEAT1, ALARM, BUZZER):
        assert all(hz == 0 for _, _, _, hz in rig.driven(pin))


def test_at_night_leds_are_dimmed_and_the_rhythm_stays() -> None:
    """A soft blink at 20 percent: the same 500 ms on and off, each on phase pulsed; at once, as by day."""
    rig = Rig(at_night=NIGHT)
    rig.panel.night(on=True)
    rig.panel.show(SOFT)
    assert rig.driven(SEAT1) == [(0, 1, 20, LED_HZ)]
    rig.clock.move_to(1200)
    assert rig.changes(SEAT1) == [(0, 1), (500, 0), (1000, 1)]
    assert rig.driven(SEAT1)[2] == (1000, 1, 20, LED_HZ)
    assert rig.panel.panel_state()["seat_led:1"] == 1


def test_the_switch_to_night_reaches_what_is_lit() -> None:
    """In mid-alarm: the steady lights are dimmed in the moment of the switch and bright again when it is taken back."""
    rig = Rig(at_night=NIGHT)
    rig.panel.show(LOUD)
    rig.clock.move_to(100)
    rig.panel.night(on=True)
    rig.clock.move_to(150)
    rig.panel.night(on=True)
    rig.panel.night(on=False)
    assert rig.driven(ALARM) == [(0, 1, 100, 0), (100, 1, 20, LED_HZ), (150, 1, 100, 0)]
    assert rig.driven(SEAT1) == rig.driven(ALARM)


def test_a_switch_to_night_in_the_dark_lights_nothing() -> None:
    """With no signal, and in the dark phase of a blink, no pin is touched."""
    rig = Rig(at_night=NIGHT)
    rig.panel.night(on=True)
    rig.panel.show(SOFT)
    rig.clock.move_to(600)
    rig.panel.night(on=False)
    assert rig.changes(SEAT1) == [(0, 1), (500, 0)]
    assert rig.changes(ALARM) == rig.changes(BUZZER) == []
    rig.clock.move_to(1000)
    assert rig.driven(SEAT1)[-1] == (1000, 1, 100, 0)


def test_a_switched_buzzer_gets_shorter_beeps_and_keeps_its_beat() -> None:
    """At 30 percent volume each beep of 300 ms lasts 90, and the next begins when it did: 400, 800, 2000."""
    rig = Rig(at_night=NIGHT)
    rig.panel.night(on=True)
    rig.panel.show(LOUD)
    rig.clock.move_to(2050)
    assert rig.driven(BUZZER) == [
        (0, 1, 100, 0), (90, 0, 100, 0), (400, 1, 100, 0), (490, 0, 100, 0), (800, 1, 100, 0), (890, 0, 100, 0),
        (2000, 1, 100, 0),
    ]  # fmt: skip


def test_a_beep_is_never_too_short_to_be_heard() -> None:
    """At 5 percent a beep of 300 ms would be 15: it lasts 40."""
    rig = Rig(by_day=Strength(volume=5))
    rig.panel.show(LOUD)
    rig.clock.move_to(500)
    assert rig.changes(BUZZER) == [(0, 1), (40, 0), (400, 1), (440, 0)]


def test_beeps_that_sound_are_softened_by_the_switch() -> None:
    """Night comes while the buzzer sounds: the pattern begins anew, softer, without a gap."""
    rig = Rig(at_night=NIGHT)
    rig.panel.show(LOUD)
    rig.clock.move_to(500)
    rig.panel.night(on=True)
    rig.clock.move_to(1000)
    assert rig.changes(BUZZER) == [(0, 1), (300, 0), (400, 1), (590, 0), (900, 1), (990, 0)]


def test_a_buzzer_that_needs_a_tone_gets_it() -> None:
    """2700 Hz: half of the time on is loudest, 30 percent of that at night; the rhythm is that of the table."""
    rig = Rig(TONE, at_night=NIGHT)
    rig.panel.show(LOUD)
    rig.clock.move_to(350)
    rig.panel.night(on=True)
    rig.clock.move_to(750)
    assert rig.driven(BUZZER) == [(0, 1, 50, 2700), (300, 0, 100, 0), (400, 1, 15, 2700), (700, 0, 100, 0)]


def test_a_seat_that_has_its_cards_flashes_dimly_and_briefly() -> None:
    """150 ms in 1.5 s, at 30 percent of an alarm's light: no rhythm of the soft or the confirmed stage."""
    rig = Rig()
    rig.panel.show(Signals(seats={1: "complete"}))
    rig.clock.move_to(3200)
    assert rig.changes(SEAT1) == [(0, 1), (150, 0), (1500, 1), (1650, 0), (3000, 1), (3150, 0)]
    assert {duty for _, level, duty, _ in rig.driven(SEAT1) if level} == {30}
    assert rig.changes(ALARM) == rig.changes(BUZZER) == []


def test_seats_that_have_their_cards_flash_in_one_moment() -> None:
    """Whenever each got its cards: one beat for the whole table, so that a dark seat stands out."""
    rig = Rig()
    rig.clock.move_to(400)
    rig.panel.show(Signals(seats={1: "complete"}))
    rig.clock.move_to(1000)
    rig.panel.show(Signals(seats={1: "complete", 3: "complete"}))
    rig.clock.move_to(1600)
    assert rig.changes(SEAT1) == [(1500, 1)]
    assert rig.panel.panel_state()["seat_led:3"] == 1
    rig.clock.move_to(1700)
    assert rig.panel.panel_state()["seat_led:3"] == 0


def test_an_alarm_takes_a_lit_seat_over_at_once_and_in_full() -> None:
    """In the middle of a dim flash the confirmed light is bright before `show` returns, though the level stays 1."""
    rig = Rig()
    rig.panel.show(Signals(seats={1: "complete", 2: "complete"}))
    rig.clock.move_to(50)
    rig.panel.show(LOUD)
    assert rig.driven(SEAT1)[-1] == (50, 1, 100, 0)
    assert rig.pins.levels()[SEAT2] == rig.pins.levels()[SEAT2_AMBER] == 0
    rig.clock.move_to(5000)
    assert rig.driven(SEAT1)[-1] == (50, 1, 100, 0)


def test_where_amber_is_fitted_complete_is_amber() -> None:
    """Red is for what is confirmed only."""
    rig = Rig()
    rig.panel.show(Signals(seats={2: "complete"}))
    rig.clock.move_to(2000)
    assert rig.changes(SEAT2_AMBER) == [(0, 1), (150, 0), (1500, 1), (1650, 0)]
    assert rig.changes(SEAT2) == []


@pytest.mark.parametrize(
    ("brightness", "share", "duty"), [(100, 100, 100), (50, 30, 15), (5, 30, 1), (20, 100, 20)]
)
def test_no_light_is_dimmed_to_nothing(brightness: int, share: int, duty: int) -> None:
    """Brightness and the pattern's share multiply, and one percent is the least."""
    pattern = Pattern(rest=1, share=share)
    rig = Rig(by_day=Strength(brightness), lights={"off": Pattern(), "steady": pattern})
    rig.panel.show(Signals(alarm="steady"))
    assert rig.driven(ALARM) == [(0, 1, duty, LED_HZ if duty < 100 else 0)]


class Unpulsed(SimulatedPins):
    """Pins that can be switched and no more."""

    def pulse(self, pin: int, hz: int, duty: int) -> None:
        raise PanelError(f"pin {pin}: no PWM here")


def test_pins_that_cannot_be_pulsed_are_lit_in_full() -> None:
    """At night: every light of the alarm is on at once, too bright, and one line says so. It is no fault."""
    rig = Rig(pins=Unpulsed, at_night=NIGHT)
    rig.panel.night(on=True)
    rig.panel.show(LOUD)
    assert rig.pins.levels()[SEAT1] == rig.pins.levels()[ALARM] == rig.pins.levels()[BUZZER] == 1
    assert rig.reports == ["panel: LEDs and buzzer can be switched, but not softened: pin 5: no PWM here"]
    assert rig.panel.fault is None


def test_a_tone_that_cannot_be_given_is_a_fault() -> None:
    """A buzzer that needs a tone only clicks on such pins: the lights work, and the display says that it is silent."""
    rig = Rig(TONE, Unpulsed)
    rig.panel.show(LOUD)
    assert rig.pins.levels()[SEAT1] == 1
    assert rig.panel.fault == "the buzzer is silent: it needs a tone, and these pins cannot give one"


def test_pins_that_were_opened_anew_may_be_pulsed_again() -> None:
    """What could not be softened before a failure is softened after it, if it can be now."""

    class Fickle(SimulatedPins):
        able = False

        def pulse(self, pin: int, hz: int, duty: int) -> None:
            if not self.able:
                raise PanelError("not now")
            super().pulse(pin, hz, duty)

    rig = Rig(pins=Fickle, at_night=NIGHT)
    rig.panel.night(on=True)
    rig.panel.show(Signals(alarm="steady"))
    assert rig.driven(ALARM) == [(0, 1, 100, 0)]
    rig.pins.able = True
    rig.pins.break_("chip is gone")
    rig.clock.move_to(500)
    rig.pins.mend()
    rig.clock.move_to(20_000)
    assert rig.driven(ALARM)[-1][1:] == (1, 20, LED_HZ)


def test_pins_that_break_while_dimmed_come_back_dimmed() -> None:
    """The chip goes away at night and returns: one line for each, and the lights are as soft as before."""
    rig = Rig(at_night=NIGHT)
    rig.panel.night(on=True)
    rig.pins.break_("chip is gone")
    rig.panel.show(LOUD)
    assert rig.reports == ["no panel: chip is gone; the table runs on without it, trying again"]
    rig.pins.mend()
    rig.clock.move_to(20_000)
    assert rig.reports[1:] == ["panel: works again"]
    assert rig.driven(ALARM)[-1][1:] == (1, 20, LED_HZ)


def test_night_after_the_end_changes_nothing() -> None:
    """A closed panel stays dark."""
    rig = Rig(at_night=NIGHT)
    rig.panel.show(LOUD)
    rig.panel.close()
    rig.panel.night(on=True)
    assert rig.pins.levels() == {}
    assert rig.clock.pending == 0
