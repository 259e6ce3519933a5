"""What can be seen of a table from outside.

Owns: what `/state`, `/metrics` and the service's status line say. Refuses: when they are told (`news`, `pulse`), and
the technician's page (`technician`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tablectl.app.attendance import Attendance
from tablectl.app.faults import Faults
from tablectl.app.kept import Keeping
from tablectl.app.line import StraightLine
from tablectl.app.metrics import Metrics
from tablectl.app.outputs import Outputs
from tablectl.app.presses import Presses
from tablectl.app.pulse import status_line
from tablectl.app.technician import Technician
from tablectl.config import Config
from tablectl.said import say

if TYPE_CHECKING:
    from tablectl.shell.readers import Reader


class Shown:
    """One table as it is shown. `readers` is the app's own list."""

    def __init__(
        self,
        config: Config,
        line: StraightLine,
        outputs: Outputs,
        readers: Sequence[Reader],
        attendance: Attendance,
        *,
        presses: Presses,
        technician: Technician,
        metrics: Metrics,
        faults: Faults,
        keeping: Keeping,
    ) -> None:
        self._config = config
        self._line = line
        self._outputs = outputs
        self._readers = readers
        self._attendance = attendance
        self._presses = presses
        self._technician = technician
        self._metrics = metrics
        self._faults = faults
        self._keeping = keeping

    def state(self) -> dict[str, Any]:
        """The table as `/state` and the display show it."""
        panel = self._outputs.panel
        return {
            **self._line.view(),
            "panel": panel.panel_state() if panel is not None else {},
            "stopped": self._line.stopped(),
            "press": self._presses.last,
            "notices": self._notices(),
            "keys": dict(self._config.keys),
            "faults": self.faults(),
            "kept": self._keeping.shown(),
            "readers": self._attendance.shown(self._readers),
            "journal": self._outputs.kept(),
        }

    def _notices(self) -> list[dict[str, Any]]:
        """What can wait until the hand is over; nothing while one is played."""
        notice = self._outputs.notice() if self._technician.between_hands else None
        return [] if notice is None else [{"text": notice, **say(notice)}]

    def faults(self) -> list[dict[str, Any]]:
        """What does not work at the table itself; readers speak for themselves."""
        return self._faults.all(**self._outputs.faults())

    def metrics(self) -> str:
        """`/metrics`."""
        gauges = {
            "faults": ("Things that do not work now.", float(len(self.faults()))),
            "kept": ("1: a hand in progress survives a restart.", float(self._keeping.on)),
        }
        readers = [(each.state.number, each.state.state, each.counters) for each in self._readers]
        return self._metrics.text(readers, gauges | self._outputs.gauges())

    def status(self) -> str:
        """One line for `systemctl status`."""
        return status_line(self._attendance.shown(self._readers), stopped=self._line.stopped())
