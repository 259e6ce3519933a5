"""One table as a process: what `tablectl run` does.

Owns: the signals that end it, its log, and what is left on record when it hangs. Refuses: the table (`built`).
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import signal
import sys
from pathlib import Path

from tablectl.app.built import App
from tablectl.app.kept import keeping_of
from tablectl.app.log import OneLine, Voice
from tablectl.config import Config

STOPS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends a table in order. A terminal that is closed sends SIGHUP, which would leave the buzzer on."""


async def run(config: Config, *, record: Path | None = None, with_display: bool = True) -> None:
    """One table until SIGTERM, SIGINT or SIGHUP, telling on standard error and the service manager, if one started it.

    Raises what `App.start` raises.
    """
    from tablectl.shell.systemd import service_of

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in STOPS:
        if signal.getsignal(each) is not signal.SIG_IGN:  # nohup means it
            loop.add_signal_handler(each, stop.set)
    voice = Voice()
    service = service_of(os.environ)
    if service is not None and sys.__stderr__ is not None:
        # The watchdog's SIGABRT then leaves on record where the core hung.
        faulthandler.enable(sys.__stderr__)
    keeping = keeping_of(os.environ, config)
    app = App(config, log=voice, record=record, with_display=with_display, service=service, keeping=keeping)
    logging.getLogger().addHandler(OneLine(app.log))
    try:
        await app.start()
        for warning in config.warnings:
            app.log(f"note: {warning}")
        saying = asyncio.create_task(app.ready())
        await stop.wait()
        saying.cancel()
    finally:
        await app.close()
        app.log("stopped")
        voice.close()
