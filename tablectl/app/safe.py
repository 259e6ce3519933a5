"""The outputs of a panel at their safe level, after a process that could not see to that itself.

Owns: switching off what a killed `tablectl run` left on. Refuses: everything else of a table: it needs no deck, no
reader and no whole configuration.
"""

from __future__ import annotations

from tablectl.config.outputs import Outputs
from tablectl.shell.panel import NoGpioError, PanelError, Pins, RpiPins, SimulatedPins


def make_safe(outputs: Outputs) -> list[str]:
    """Every output low, and low still when this process has ended; what failed, a line for each pin."""
    pins: Pins = RpiPins() if outputs.driver == "rpi" else SimulatedPins(file=outputs.simulated_file)
    trouble = []
    for pin in outputs.pins:
        try:
            pins.setup_output(pin)
        except NoGpioError as error:
            return [str(error)]
        except PanelError as error:
            trouble.append(str(error))
    try:
        pins.close()
    except PanelError as error:
        trouble.append(str(error))
    return trouble
