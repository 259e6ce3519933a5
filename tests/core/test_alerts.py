"""Alerts: from decisions to lamps and buzzer, seen from outside through `Signals` only."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.core.alerts import Alerts, Signals
from tablectl.core.decisions import (
    Cleared,
    Deal,
    Decision,
    Degraded,
    HandEvent,
    Irregularity,
    Question,
    RemedyEvent,
    Restored,
    Ruling,
    Suspicion,
)

DARK = Signals()


def suspicion(name: str = "i1", kind: str = "wrong_seat", **more: Any) -> Suspicion:
    return Suspicion(t=0, id=name, kind=kind, **more)


def confirmed(name: str = "i1", kind: str = "wrong_seat", **more: Any) -> Irregularity:
    return Irregularity(t=0, id=name, kind=kind, **more)


def ruling(name: str = "i1", verdict: Any = "correct", decider: Any = "dealer") -> Ruling:
    return Ruling(
        t=0, irregularity=name, rulebook="pl", rule="R1", verdict=verdict, provisional=False, decider=decider
    )


def remedy(event: Any, name: str = "i1", step: int = 0) -> RemedyEvent:
    return RemedyEvent(t=0, irregularity=name, step=step, event=event)


def hand(event: Any, number: int) -> HandEvent:
    return HandEvent(t=0, event=event, hand=number, button=6, seats=(1, 2, 3))


def after(*decisions: Decision) -> Signals:
    alerts = Alerts()
    for decision in decisions:
        alerts.step(decision)
    return alerts.signals


def test_a_fresh_table_is_dark_and_silent() -> None:
    """Nothing is lit before anything is decided."""
    assert Alerts().signals == DARK


def test_a_suspicion_is_soft() -> None:
    """The soft stage blinks at the seat where the card lies; no alarm LED, no sound."""
    assert after(suspicion(seat=4, expected=3)) == Signals(seats={4: "slow"})


def test_a_confirmed_irregularity_is_steady_and_sounds() -> None:
    """Confirmed, with or without a soft stage before: steady seat light and alarm LED, the alarm pattern."""
    loud = Signals(seats={4: "steady"}, alarm="steady", buzzer="alarm")
    assert after(suspicion(seat=4, expected=3), confirmed(seat=4, expected=3)) == loud
    assert after(confirmed(seat=4, expected=3)) == loud


def test_only_the_seat_where_the_card_lies_is_lit() -> None:
    """Two lit seats for one card would not say where to look."""
    assert set(after(confirmed(seat=4, expected=3)).seats) == {4}


@pytest.mark.parametrize(
    ("fields", "seat"),
    [
        ({"kind": "seat_skipped", "expected": 5}, 5),
        ({"kind": "too_few_cards", "seat": 2, "count": 1, "need": 2}, 2),
        ({"kind": "foreign_card", "zone": "seat:7/up"}, 7),
    ],
)
def test_a_missing_card_lights_the_seat_it_is_missing_from(fields: dict[str, Any], seat: int) -> None:
    """Where no card lies wrongly, the seat that lacks one, or the seat of the zone, is lit."""
    assert after(confirmed(**fields)).seats == {seat: "steady"}


def test_an_irregularity_on_the_board_has_the_alarm_led_for_both_stages() -> None:
    """No seat to light: the alarm LED blinks in the soft stage and is steady in the confirmed one."""
    assert after(suspicion(kind="premature_card", zone="board")) == Signals(alarm="slow")
    assert after(confirmed(kind="premature_card", zone="board")) == Signals(alarm="steady", buzzer="alarm")


@pytest.mark.parametrize("stage", [suspicion, confirmed])
def test_a_cleared_one_goes_dark(stage: Any) -> None:
    """Corrected in time, soft or confirmed: everything off at once."""
    assert after(stage(seat=4), Cleared(t=1, id="i1", why="corrected")) == DARK


def test_acknowledge_silences_and_leaves_the_lights() -> None:
    """The dealer has heard; the seat stays marked until it is settled."""
    alerts = Alerts()
    alerts.step(confirmed(seat=4))
    quiet = Signals(seats={4: "steady"}, alarm="steady")
    assert alerts.acknowledge() == quiet
    assert alerts.step(ruling(decider="floor")) == quiet
    assert alerts.step(Deal(t=2, k=9, zone="seat:1", seen_at=2)) == quiet
    assert alerts.step(confirmed(seat=4, count=2)) == quiet


def test_a_new_irregularity_after_acknowledge_sounds_again() -> None:
    """Acknowledging one slip is not a mute switch."""
    alerts = Alerts()
    alerts.step(confirmed("i1", seat=4))
    alerts.acknowledge()
    assert alerts.step(confirmed("i2", seat=6)) == Signals(
        seats={4: "steady", 6: "steady"}, alarm="steady", buzzer="alarm"
    )


def test_acknowledge_does_not_reach_what_is_only_suspected() -> None:
    """A suspicion that is confirmed after an acknowledge is new to the dealer's ear and sounds."""
    alerts = Alerts()
    alerts.step(suspicion(seat=4))
    assert alerts.acknowledge() == Signals(seats={4: "slow"})
    assert alerts.step(confirmed(seat=4)).buzzer == "alarm"


def test_acknowledge_with_nothing_open_changes_nothing() -> None:
    """A stray press neither lights nor silences in advance."""
    alerts = Alerts()
    assert alerts.acknowledge() == DARK
    assert alerts.step(confirmed(seat=4)).buzzer == "alarm"


def test_several_show_the_union_of_lights_and_the_strongest_per_seat() -> None:
    """Two slips at one seat, one at another: each seat shows its most severe stage whatever the order."""
    both = Signals(seats={4: "steady", 6: "slow"}, alarm="steady", buzzer="alarm")
    decisions = [suspicion("i1", seat=4), confirmed("i2", seat=4), suspicion("i3", seat=6)]
    assert after(*decisions) == both
    assert after(*reversed(decisions)) == both


def test_the_loudest_pattern_wins() -> None:
    """A slip for the floor is heard over one for the dealer, and not any more once it is settled."""
    alerts = Alerts()
    alerts.step(confirmed("i1", seat=4))
    alerts.step(confirmed("i2", seat=6))
    assert alerts.step(ruling("i2", "floor", "floor")).buzzer == "floor"
    assert alerts.step(ruling("i1", "correct", "dealer")).buzzer == "floor"
    assert alerts.step(Cleared(t=3, id="i2", why="withdrawn")).buzzer == "alarm"


def test_a_revised_ruling_changes_the_pattern() -> None:
    """The last ruling counts."""
    assert after(confirmed(seat=4), ruling(decider="floor"), ruling(decider="dealer")).buzzer == "alarm"


def test_a_complete_remedy_settles_it_and_a_begun_one_does_not() -> None:
    """Lights stay through the steps and go out with the last one."""
    alerts = Alerts()
    alerts.step(confirmed(seat=4))
    alerts.step(ruling())
    for event in ("started", "done", "violated"):
        assert alerts.step(remedy(event)).seats == {4: "steady"}
    assert alerts.step(remedy("complete", step=1)) == DARK


def test_a_complete_correction_leaves_other_irregularities_alone() -> None:
    """Repairing one slip repairs no other."""
    alerts = Alerts()
    alerts.step(confirmed("i1", seat=4))
    alerts.step(confirmed("i2", seat=6))
    alerts.step(ruling("i1", "correct"))
    alerts.step(remedy("started", "i1"))
    assert alerts.step(remedy("complete", "i1")).seats == {6: "steady"}


def test_a_misdeal_carried_out_settles_the_hand_but_not_the_redeal() -> None:
    """The void hand's other slips go dark with the misdeal; a slip of the redeal itself stays lit."""
    alerts = Alerts()
    alerts.step(confirmed("i1", seat=4))
    alerts.step(confirmed("i2", seat=6))
    alerts.step(ruling("i2", "misdeal"))
    alerts.step(remedy("started", "i2"))
    alerts.step(remedy("done", "i2"))
    alerts.step(confirmed("i3", seat=1))
    alerts.step(remedy("done", "i2", 3))
    assert alerts.step(remedy("complete", "i2", 4)).seats == {1: "steady"}


def test_the_end_of_the_hand_settles_that_hand() -> None:
    """Everything of the hand goes dark, what already belongs to the next hand stays."""
    alerts = Alerts()
    alerts.step(confirmed("i1", seat=4, hand=3))
    alerts.step(suspicion("i2", seat=5))
    alerts.step(confirmed("i3", kind="not_shuffled", seat=6, hand=4))
    assert alerts.step(hand("end", 3)) == Signals(seats={6: "steady"}, alarm="steady", buzzer="alarm")
    assert alerts.step(hand("end", 4)) == DARK


def test_the_start_of_a_hand_settles_the_one_before_only() -> None:
    """A slip found after the old hand's end does not light up the new hand; one of the new hand is kept."""
    alerts = Alerts()
    alerts.step(hand("end", 3))
    alerts.step(confirmed("i1", kind="dealt_after_end", seat=4, hand=3))
    alerts.step(confirmed("i2", kind="not_cut", hand=4))
    alerts.step(suspicion("i3", kind="foreign_card", seat=2))
    assert alerts.step(hand("start", 4)) == Signals(seats={2: "slow"}, alarm="steady", buzzer="alarm")


def test_a_degraded_zone_accuses_nobody() -> None:
    """A lost antenna lights no seat and makes no sound: the alarm LED winks until every zone is back."""
    alerts = Alerts()
    for zone in ("seat:5", "muck"):
        wink = alerts.step(Degraded(t=0, zone=zone, why="reader 1 lost", suspends=("wrong_seat",)))
        assert wink == Signals(alarm="wink")
    assert alerts.acknowledge() == Signals(alarm="wink")
    assert alerts.step(confirmed(seat=4)).alarm == "steady"
    assert alerts.step(Cleared(t=1, id="i1", why="corrected")) == Signals(alarm="wink")
    assert alerts.step(Restored(t=2, zone="seat:5", why="", suspends=())) == Signals(alarm="wink")
    assert alerts.step(Restored(t=3, zone="muck", why="", suspends=())) == DARK


def test_decisions_about_unknown_irregularities_are_harmless() -> None:
    """A ruling, question, remedy step or clearance for something already settled lights nothing."""
    question = Question(
        t=0, id="q1", irregularity="i9", fact="looked_at", choices=("yes", "no"), event="asked"
    )
    late = [ruling("i9"), remedy("started", "i9"), remedy("complete", "i9"), question]
    assert after(*late, Cleared(t=0, id="i9", why="corrected")) == DARK


def test_a_late_suspicion_does_not_soften_what_is_confirmed() -> None:
    """Confirmed stays confirmed."""
    assert after(confirmed(seat=4), suspicion(seat=4)).seats == {4: "steady"}
