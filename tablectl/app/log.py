"""What a running table says on standard error: one line a thing, no identity, no traceback.

Owns: shortening of tag UIDs and tokens in every text, and the end of Python's `logging` in such lines.
Refuses: what is worth saying (the app), and time stamps (systemd's journal has them).
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import re
import threading
import traceback
from collections.abc import Callable, Collection, Iterable

from tablectl.cards import UID_BYTES, Deck

_WORD = re.compile(r"[0-9A-Za-z]{8,}")
_HEX = re.compile(r"[0-9A-Fa-f]{8,}")
_UID_DIGITS = frozenset(2 * count for count in UID_BYTES if count > 4)
KEPT = 4
"""So many digits at the end of a UID or token are shown: enough to compare two, too few to know one."""

STDERR = 2
"""Written to directly: Python's own stream has a lock that a stuck thread would hold for ever."""
WAITING = 1000
"""Lines that may wait for whoever reads standard error."""
LISTEN_S = 1.0
"""How long the end waits for that, s."""

Say = Callable[[str], None]


def short(word: str) -> str:
    """The end of a UID or token."""
    return f"…{word[-KEPT:]}"


def without_hex(text: str) -> str:
    """The text with every long hexadecimal word shortened: for quotations out of a file."""
    return _HEX.sub(lambda found: short(found[0]), text)


def identities(decks: Iterable[Deck]) -> frozenset[str]:
    """Every UID and token of these decks that is long enough to be one."""
    known = (text for deck in decks for text in (*deck.cards, *deck.cards.values(), *deck.jokers))
    return frozenset(text.upper() for text in known if len(text) >= 2 * KEPT)


def discreet(text: str, known: Collection[str]) -> str:
    """The text with every known identity, and whatever else looks like a tag's UID, shortened."""

    def shortened(found: re.Match[str]) -> str:
        word = found[0]
        looks_like_one = len(word) in _UID_DIGITS and word == word.upper() and _HEX.fullmatch(word)
        return short(word) if looks_like_one or word.upper() in known else word

    return _WORD.sub(shortened, text)


def to_stderr(text: str) -> None:
    """One line on standard error; that nobody reads it is no reason to stop."""
    with contextlib.suppress(OSError):
        os.write(STDERR, (text + "\n").encode(errors="replace"))


class Voice:
    """`to_stderr` from a thread of its own: a pipe that nobody empties must not hold up the table.

    Lines that find no room are counted and the count is said as soon as there is some.
    """

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING)
        self._lost = 0
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def __call__(self, text: str) -> None:
        """Says it soon. Never waits."""
        try:
            self._lines.put_nowait(text)
        except queue.Full:
            self._lost += 1

    def close(self) -> None:
        """Waits until all is said, or until it is clear that nobody listens."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=LISTEN_S)
        self._thread.join(LISTEN_S)

    def _run(self) -> None:
        while (text := self._lines.get()) is not None:
            to_stderr(text)
            lost, self._lost = self._lost, 0
            if lost:
                to_stderr(f"({lost} lines were lost here: nobody read them)")


def trace(error: BaseException, say: Say) -> None:
    """Where it happened, for a developer who set TABLECTL_DEBUG; nothing for anybody else."""
    if os.environ.get("TABLECTL_DEBUG"):
        say("".join(traceback.format_exception(error)).rstrip())


class OneLine(logging.Handler):
    """`logging` into `say`: the message and the exception's own words."""

    def __init__(self, say: Say) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        """One record as one line."""
        text = f"{record.name}: {record.getMessage()}"
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            text += f": {type(error).__name__}: {error}"
        self._say(" ".join(text.split()))
        if error is not None:
            trace(error, self._say)
