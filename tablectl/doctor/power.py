"""What the Pi itself suffers from: a weak power supply, heat.

Owns: the line `power`. Refuses: everything that is plugged into it.
"""

from __future__ import annotations

from tablectl.doctor.line import Line
from tablectl.doctor.machine import Machine

BITS = {0: "under-voltage", 1: "clock capped", 2: "throttled", 3: "too hot"}
"""Of `vcgencmd get_throttled`, now; sixteen bits higher the same since it was switched on (Raspberry Pi
documentation, "vcgencmd", get_throttled)."""
SINCE = 16
DO = "use the Pi's own power supply and a short thick cable; feed the antennas from a supply of their own"


def power(machine: Machine) -> Line | None:
    """Under-voltage and throttling; None on a computer that is no Pi."""
    if not machine.model:
        return None
    told = machine.ask("vcgencmd", "get_throttled")
    if told is not None and told.startswith("throttled=0x"):
        word = int(told.removeprefix("throttled="), 16)
        now = [name for bit, name in BITS.items() if word >> bit & 1]
        before = [name for bit, name in BITS.items() if word >> bit + SINCE & 1]
        if now:
            return Line("power", "fault", f"now: {', '.join(now)}", DO)
        if before:
            return Line("power", "warning", f"since it was switched on: {', '.join(before)}", DO)
        return Line("power", "ok", "no under-voltage, no throttling since it was switched on")
    for name in machine.glob("/sys/class/hwmon/hwmon*/name"):
        if machine.text(name) == "rpi_volt":
            # The kernel's raspberrypi-hwmon driver: 1 once there was under-voltage, until it is read.
            if machine.text(name.replace("/name", "/in0_lcrit_alarm")) == "1":
                return Line("power", "fault", "under-voltage", DO)
            return Line("power", "ok", "no under-voltage")
    return Line(
        "power", "warning", "whether the voltage holds cannot be seen", "install vcgencmd, or ask as root"
    )
