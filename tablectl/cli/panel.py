"""The command of a table's panel: panel-safe.

Owns: arguments and what a person reads. Refuses: the work itself.
"""

from __future__ import annotations

import typer

from tablectl.cli.options import FOUND_FAULT, ConfigFile, complain, console

app = typer.Typer()


@app.command("panel-safe", epilog="Example: ExecStopPost=tablectl panel-safe /etc/tablectl/t12.toml")
def panel_safe(file: ConfigFile) -> None:
    """Switch off every lamp and the buzzer that a table which was killed has left on.

    For the table's service, after its end. Only the pins in [panel] are read: whatever else is wrong in the file, or
    with the decks it names, does not matter. Exit status 0: they are off, or there are none. 1: one of them is not.
    """
    from tablectl.app.safe import make_safe
    from tablectl.config.outputs import outputs_of

    outputs = outputs_of(file)
    for fault in outputs.faults:
        complain(str(fault))
    if outputs.driver == "none" or not outputs.pins:
        console().print(f"no pins to switch off (pins {outputs.driver})")
        return
    trouble = make_safe(outputs)
    for line in trouble:
        complain(line)
    if trouble:
        raise typer.Exit(FOUND_FAULT)
    console().print(f"off: BCM pins {', '.join(map(str, outputs.pins))}")
