"""What does not work at a running table, and the fence that keeps one failure from becoming another.

Owns: the faults by name, each in one line, as the display shows them. Refuses: repairing anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablectl.app.log import Say, trace
from tablectl.said import say


class Faults:
    """The faults of one table, by what failed: `journal`, `panel`, `core`, …"""

    def __init__(self, log: Say) -> None:
        self._log = log
        self._lasting: dict[str, str] = {}

    def guarded(self, what: str, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """The call's result; None if it failed, which is then a fault and no more."""
        try:
            return call(*args, **options)
        except Exception as error:  # noqa: BLE001 (whatever it is, it must not stop the others)
            self.failed(what, error)
            return None

    def failed(self, what: str, error: Exception) -> None:
        """Something broke that should not: shown until `over`, logged once for each different text."""
        text = f"{type(error).__name__}: {error}"
        if self._lasting.get(what) != text:
            self._lasting[what] = text
            self._log(f"{what}: {text}")
            trace(error, self._log)

    def lasts(self, what: str, text: str) -> None:
        """A fault that a part itself has reported."""
        self._lasting[what] = text

    def over(self, what: str) -> None:
        """It works again."""
        self._lasting.pop(what, None)

    def all(self, **now: str | None) -> list[dict[str, Any]]:
        """Every fault, together with what the parts say of themselves at this moment."""
        found = {**self._lasting, **{what: text for what, text in now.items() if text is not None}}
        return [{"what": what, "text": text, **say(text)} for what, text in found.items()]
