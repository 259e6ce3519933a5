"""A table that runs.

    process ─▶ built.App: start ─▶ outputs, then the readers
                          sense ─▶ line ─▶ Table.step ─▶ decisions ─▶ alerts ─▶ panel   (at once, in the same call)
                                                             └──────▶ journal, recording, display         (queued)

Owns: everything between the pure core and the shells. Refuses: business (`core`) and devices (`shell`).

`process` runs one, `built` builds and connects it, `line` is the way of an event, `outputs` opens, tells and closes the
shells, `shown` says how the table stands, `faults` is the fence between them: an output that fails is a fault on the
display and a line in the log, and the table goes on.
"""

from __future__ import annotations

from tablectl.app.built import App
from tablectl.app.process import run
from tablectl.app.setting import table_of

__all__ = ["App", "run", "table_of"]
