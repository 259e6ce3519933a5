"""The panel's pins: who has them.

Owns: the line `pins`. Refuses: setting a pin, and the package that would (`software`).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tablectl.config.panel import PanelSection
from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine

_LINE = re.compile(r"gpio-(\d+)\s*\(\s*([^|)]*)\|([^)]*)\)")
"""One line of /sys/kernel/debug/gpio: ` gpio-529 (GPIO17 |lg ) out lo`; the kernel's name, then who asked for it."""
OURS = ("lg", "tablectl")
"""What lgpio calls itself as a consumer."""


def of(panel: PanelSection) -> set[int]:
    """The BCM pins that a panel uses, outputs and buttons."""
    outputs = (panel.buzzer, panel.alarm_led, *panel.seat_leds, *panel.seat_leds_amber)
    return {pin for pin in (*outputs, *panel.buttons.fitted().values()) if pin is not None}


def pins(machine: Machine, wanted: Collection[int], *, running: bool) -> Line | None:
    """Whether another program has the pins of the panel; None if it needs none. `running`: a table runs here."""
    if not wanted:
        return None
    chips = machine.glob("/dev/gpiochip*")
    if not chips:
        return Line(
            "pins", "fault", "there is no /dev/gpiochip*", "run it on a Raspberry Pi with its usual kernel"
        )
    taken = _consumers(machine)
    others = {
        pin: who for pin, who in taken.items() if pin in wanted and not (running and who.startswith(OURS))
    }
    if others:
        said = ", ".join(f"{pin} by {who}" for pin, who in sorted(others.items()))
        do = (
            "end that program, or take the overlay (dtoverlay, dtparam) that claims the pin out of config.txt"
        )
        return Line("pins", "fault", f"pins are held: {said}", do)
    holders = {str(each) for chip in chips for each in machine.holds(chip) if not _is_ours(each.name)}
    if holders:
        text = f"{', '.join(sorted(holders))} has pins of this Pi; which, only root may see"
        return Line("pins", "warning", text, "sudo tablectl doctor tells which")
    return Line("pins", "ok", f"{len(wanted)} pins, {'held by the table' if running else 'held by nobody'}")


def _is_ours(name: str) -> bool:
    return name.startswith(("tablectl", "python"))


def _consumers(machine: Machine) -> dict[int, str]:
    """BCM pin → who has asked for it, of the header's lines that the kernel names GPIO0 … GPIO27; root only."""
    found = {}
    for _, name, consumer in _LINE.findall(machine.text("/sys/kernel/debug/gpio") or ""):
        number = re.fullmatch(r"GPIO(\d+)", name.strip())
        if number and consumer.strip():
            found[int(number[1])] = consumer.strip()
    return found
