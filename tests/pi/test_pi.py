"""The package on an emulated Raspberry Pi 3B, in the time of a cup of coffee: booted, alarmed, killed.

Everything is seen from outside: the console, the GPIO controller, the emulated network. `test_pi_long.py` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pi_card
import pytest
from pi_product import ALARM, BUZZER, OUTPUTS, SEAT_PINS
from pi_watched import Pi

pytestmark = [pytest.mark.pi, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def pi(
    card: Path, power: Callable[..., Any], table: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Pi:
    """A Pi under a table at which every hand has a card at the wrong seat."""
    machine = power(pi_card.copy_of(card, tmp_path_factory.mktemp("card") / "card.img"))
    pi = Pi(machine, table(machine, "wrong_seat+deal_on*99"))
    pi.started()
    pi.watch()
    return pi


def test_the_unit_reaches_ready_with_both_readers(pi: Pi) -> None:
    """Powered on, systemd hears READY from the unit; it runs as its own user, both boards on the USB adapters answer,
    and systemd's status line says so."""
    machine = pi.machine
    pi.until(lambda state: [each["state"] for each in state["readers"]] == ["ok", "ok"])
    unit = machine.shown("ActiveState", "Type", "User", "StatusText", "NRestarts")
    assert (unit["ActiveState"], unit["Type"], unit["User"]) == ("active", "notify", "tablectl")
    assert unit["NRestarts"] == "0"
    assert machine.shell("stat -c %U /proc/$(systemctl show -P MainPID tablectl)").strip() == "tablectl"


def test_the_display_is_reached_over_the_network(pi: Pi) -> None:
    """From the other end of the emulated network: /healthz is well, /state is the table's, / is the page, and what the
    page loads is there."""
    assert pi.get("healthz").status_code == 200
    state = pi.get("state").json()
    assert len(state["seats"]) == len(SEAT_PINS)
    page = pi.get("")
    assert page.headers["content-type"].startswith("text/html")
    assert "app.js" in page.text
    assert pi.get("static/app.js").status_code == 200


def test_a_wrong_seat_drives_the_real_gpio_controller(pi: Pi) -> None:
    """A card goes to a wrong seat: the controller drives the alarm lamp's and that seat's pin and the buzzer, as the
    machine's own registers say; the display says the same seat."""
    alarm = pi.alarm()
    seat = alarm.slip["seat"]
    assert alarm.high & OUTPUTS - {BUZZER} == {ALARM, SEAT_PINS[seat - 1]}
    assert pi.machine.driven() == OUTPUTS
    pi.machine.edge(BUZZER, 1)
    pi.machine.edge(BUZZER, 0)
    pi.until(
        lambda state: any(
            (each["kind"], each["seat"], each["stage"]) == ("wrong_seat", seat, "confirmed")
            for each in state["irregularities"]
        )
    )


def test_killed_in_mid_alarm_the_pins_go_low_and_the_table_comes_back(pi: Pi) -> None:
    """SIGKILL while lamp and buzzer are on: ExecStopPost brings every output low and lets go of it; systemd starts the
    table again, which becomes READY and serves its display."""
    machine = pi.machine
    pi.alarm()
    lines = machine.console.count
    assert ALARM in machine.high()
    machine.shell("systemctl kill --signal=KILL --kill-whom=main tablectl")
    machine.line("Main process exited, code=killed", lines)
    # On this emulated chip a level stays what it was last set to, also when the pin is let go: low means put low.
    machine.line("Scheduled restart job", lines)
    assert machine.high() & OUTPUTS == set()
    assert machine.driven() & OUTPUTS == set()
    pi.started(lines)
    assert machine.shown("NRestarts")["NRestarts"] == "1"
    assert pi.get("healthz").status_code == 200
