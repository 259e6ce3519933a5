"""Which irregularity stands in front on the dealer's displays: the gravest, or the one that the dealer turned to.

Owns: that choice, one for all displays, so that a push button answers the question that can be read there.
Refuses: how grave each is (`core.listed`), and drawing it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablectl.errors import UsageError
from tablectl.said import Said

Open = Mapping[str, Any]
"""One of `Table.view()["irregularities"]`, which are in the order of their gravity."""


def _alarms(each: Open) -> bool:
    """It is confirmed and not done with."""
    left = each["question"] is not None or not each["acknowledged"] or each["step"] is not None
    return bool(each["stage"] == "confirmed" and left)


def can_be_shown(irregularities: Sequence[Open]) -> list[Open]:
    """Those that the displays show in the panel, one at a time: in an alarm all of them, else the doubts that ask."""
    told = [each for each in irregularities if each["stage"] == "confirmed" or each["question"] is not None]
    alarm = any(map(_alarms, told))
    return [each for each in told if alarm or each["stage"] != "confirmed"]


def in_front(irregularities: Sequence[Open], turned_to: str | None) -> Open | None:
    """The one that is shown, as `standing` in static/app.js has it; None if the panel is empty."""
    shown = can_be_shown(irregularities)
    turned = [each for each in shown if each["id"] == turned_to]
    alarms = [each for each in shown if _alarms(each)]
    doubts = [each for each in shown if each["stage"] != "confirmed"]
    return next(iter([*turned, *alarms, *doubts]), None)


class Front:
    """Where the displays of one table are turned to."""

    def __init__(self) -> None:
        self.turned_to: str | None = None
        """The id of an irregularity; None for the gravest one."""

    def turn(self, given: Mapping[str, Any], irregularities: Sequence[Open]) -> None:
        """A display shows another one from now on, and so do the others. Raises UsageError if it cannot be shown."""
        wanted = given.get("irregularity")
        if not any(each["id"] == wanted for each in can_be_shown(irregularities)):
            raise UsageError(Said("what is turned to is not open any more"))
        self.turned_to = str(wanted)

    def alarm(self) -> None:
        """A new alarm waits behind nothing."""
        self.turned_to = None
