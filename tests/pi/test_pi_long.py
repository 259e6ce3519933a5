"""What the short run leaves out: the package installed on the Pi itself, and what a table meets in years.

The figures that README quotes are written to dist/pi/figures.json here.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pi_card
import pytest
from pi_product import ALARM, BUZZER, JOURNAL, OUTPUTS, ROOT, SEAT_PINS
from pi_watched import Pi

pytestmark = [pytest.mark.pi, pytest.mark.long, pytest.mark.timeout(7200)]

FIGURES = ROOT / "dist/pi/figures.json"
MB = 1 << 20
MOST_MB = 120
"""Of the whole service with the display served and watched; the aim of the project."""
HANDS = 96
"""Hands that are fed as fast as the emulated Pi takes them; before the 48th the allocator's arenas still fill."""
GROWTH_KB = 20
"""A hand may leave behind less than this on average: a leak of one sighting a sweep would be several times as much."""
WATCHED_S = 120
"""How long the full table is watched for its figures, s."""
LOOK = f"""
import json, pathlib, subprocess
from tablectl.shell import journal
from tablectl.shell.journal.verify import verify

path, key = pathlib.Path("{JOURNAL}"), "/etc/tablectl/audit.key"
lines = list(journal.lines(path, 1))
kept = [json.dumps(entry, separators=(",", ":")) for _, kind, entry in lines if kind == "decision"]
replay = ["/opt/tablectl/bin/tablectl", "replay", str(path), "--night", "1", "--json", "--key", key]
replayed = subprocess.run(replay, capture_output=True, text=True, check=True).stdout.splitlines()
print(json.dumps({{
    "nights": len(journal.nights(path)),
    "entries": len(lines),
    "decisions": len(kept),
    "whole": verify(path).fault is None,
    "same": replayed[: len(kept)] == kept,
    "alarm": any('"kind":"wrong_seat"' in line for line in kept),
}}))
"""
"""What the journal holds of the night before the cut: run on the Pi."""
USED = "systemctl show -P CPUUsageNSec tablectl; cut -d ' ' -f 1 /proc/uptime"


def note(**figures: Any) -> None:
    """Keeps figures for README."""
    known = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    FIGURES.write_text(json.dumps(known | figures, indent=1) + "\n")
    print(figures)  # noqa: T201 - what a run measured belongs into its output


@pytest.fixture(scope="module")
def pi(installed: Path, power: Callable[..., Any], table: Callable[..., Any], tmp_path_factory: Any) -> Pi:
    """The Pi on which the package was installed, powered on, with its table."""
    machine = power(pi_card.copy_of(installed, tmp_path_factory.mktemp("card") / "card.img"))
    pi = Pi(machine, table(machine, "wrong_seat+deal_on*9999"))
    note(ready_s=round(pi.started() - machine.powered, 1))
    pi.watch()
    return pi


def test_installed_by_dpkg_the_table_starts_with_the_machine(pi: Pi) -> None:
    """`dpkg -i` on the Pi, a configuration, `systemctl enable`: after the next power-on the unit is READY by itself,
    both boards answer, and dpkg has nothing to complain of."""
    pi.until(lambda state: [each["state"] for each in state["readers"]] == ["ok", "ok"])
    assert pi.machine.shown("ActiveState")["ActiveState"] == "active"
    assert pi.machine.shell("dpkg --audit tablectl").strip() == ""
    assert pi.machine.shell("dpkg-query -W -f '${Status}' tablectl") == "install ok installed"


def test_memory_and_processor_at_a_full_table(pi: Pi) -> None:
    """Two boards at their full rate, nine seats, a page that follows the display: the service stays under 120 MB; its
    share of the processor is noted."""
    machine = pi.machine
    used, up = map(float, machine.shell(USED).split())
    begun = time.monotonic()
    pi.table.happened(lambda event: event.get("mono", 0) / 1000 > begun + WATCHED_S, pi.table.truth.count)
    used_now, up_now = map(float, machine.shell(USED).split())
    memory = machine.shell(
        "grep -E '^(Rss|Pss):' /proc/$(systemctl show -P MainPID tablectl)/smaps_rollup;"
        "systemctl show --property=MemoryCurrent tablectl"
    )
    rss, pss, group = map(int, re.findall(r"\d+", memory))
    note(
        rss_mb=round(rss * 1024 / MB, 1),
        pss_mb=round(pss * 1024 / MB, 1),
        cgroup_mb=round(group / MB, 1),
        share_of_one_core=round((used_now - used) / 1e9 / (up_now - up), 2),
        watched_s=round(up_now - up),
    )
    assert max(rss * 1024, group) < MOST_MB * MB


def test_the_alarm_s_times_as_the_pins_show_them(pi: Pi) -> None:
    """A wrong seat: the edges of the pins as the controller drives them, seen from outside, give the buzzer's beeps in
    their order; when the alarm came is noted."""
    alarm = pi.alarm()
    slip, rose = alarm.slip, alarm.rose
    first = pi.machine.edge(BUZZER, 0, after=rose)
    again = pi.machine.edge(BUZZER, 1, after=first)
    assert rose < first < again
    lamp = [moment for moment, level in pi.machine.edges_of(SEAT_PINS[slip["seat"] - 1]) if level]
    assert max(moment for moment in lamp if moment <= first) > slip["mono"] / 1000
    note(
        alarm_s=round(rose - slip["mono"] / 1000, 2),
        beep_ms=round((first - rose) * 1000),
        pause_ms=round((again - first) * 1000),
    )


def test_a_core_that_hangs_is_restarted_by_the_watchdog(pi: Pi) -> None:
    """The whole process stands still in mid-alarm: systemd misses its sign of life and ends it, the pins go low, and
    the table comes back to READY."""
    machine = pi.machine
    pi.alarm()
    lines, began = machine.console.count, time.monotonic()
    assert ALARM in machine.high()
    machine.shell("systemctl kill --signal=STOP --kill-whom=main tablectl")
    ended, _ = machine.line("Watchdog timeout", lines)
    machine.line("Scheduled restart job", lines)
    assert machine.high() & OUTPUTS == set()
    assert machine.driven() & OUTPUTS == set()
    back = pi.started(lines)
    note(hang_noticed_s=round(ended - began, 1), hang_to_ready_s=round(back - began, 1))
    pi.watch()
    pi.alarm()


def test_a_reader_is_unplugged_and_plugged_in_again(pi: Pi) -> None:
    """The adapter of board 0 goes from its socket and comes back: the display names what is not watched meanwhile, then
    all is watched again, and the next wrong seat sounds."""
    machine = pi.machine
    socket = "/sys/bus/usb/devices/1-1.2/authorized"
    since = pi.states.count
    machine.shell(f"echo 0 > {socket}")
    gone = pi.until(lambda state: state["readers"][0]["state"] not in {"ok", "silent"}, since)
    assert gone["readers"][1]["state"] == "ok"
    dark = pi.until(lambda state: "seat:1" in {each["zone"] for each in state["degraded"]}, since)
    assert "seat:9" not in {each["zone"] for each in dark["degraded"]}
    since = pi.states.count
    machine.shell(f"echo 1 > {socket}")
    pi.until(lambda state: state["readers"][0]["state"] == "ok", since)
    pi.until(lambda state: not state["degraded"], since)
    pi.alarm()


def test_memory_does_not_grow_from_hand_to_hand(pi: Pi) -> None:
    """The installed product is fed hands as fast as it takes them, journal and display included: in the second half
    its memory grows by less than a leak of a sighting a sweep would make it. (24 hours are the soak's.)"""
    machine = pi.machine
    machine.shell("systemctl stop tablectl")
    program = (ROOT / "tests/bench/memory.py").read_text()
    machine.shell(f"mkdir -p /tmp/fed; cat > /tmp/fed/memory.py <<'end'\n{program}\nend")
    said = machine.shell(f"cd /tmp/fed; /opt/tablectl/bin/python memory.py /tmp/fed {HANDS}")
    rows = [tuple(map(int, line.split())) for line in said.splitlines() if line[:1].isdigit()]
    machine.shell("systemctl start tablectl")
    kept = rows[len(rows) // 2 :]
    slope = (kept[-1][1] - kept[0][1]) / (kept[-1][0] - kept[0][0]) / 1024
    note(fed=[(hands, round(size / MB, 1)) for hands, size in rows], growth_kb_a_hand=round(slope, 2))
    assert kept[-1][0] == HANDS
    assert slope < GROWTH_KB
    assert kept[-1][1] < MOST_MB * MB


def test_the_power_goes_in_mid_hand(
    pi: Pi, power: Callable[..., Any], installed: Path, table: Callable[..., Any], tmp_path_factory: Any
) -> None:
    """The power is cut while cards lie on the table, and comes back: the journal opens and is whole up to what the card
    had, that night's decisions are what a replay gives, the table is READY, and the next wrong seat sounds."""
    pi.machine.cut()
    pi.table.close()
    file = pi_card.copy_of(installed, tmp_path_factory.mktemp("card") / "card.img")
    machine = power(file)
    dealt = table(machine, "wrong_seat+deal_on*99")
    before = Pi(machine, dealt)
    before.started()
    before.watch()
    before.alarm()
    known = before.get("state").json()
    machine.cut()
    again = power(file)
    dealt.plug(again)
    after = Pi(again, dealt)
    after.started()
    after.watch()
    found = json.loads(again.shell(f"/opt/tablectl/bin/python - <<'end'\n{LOOK}\nend"))
    state = after.get("state").json()
    note(power_cut=found, hand_before=known["hand"], hand_after=state["hand"])
    assert found["whole"]
    assert found["same"]
    assert found["nights"] == 2
    assert found["decisions"] > 0
    assert state["faults"] == []
    after.alarm()
