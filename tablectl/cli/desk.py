"""The terminal of somebody who lays cards on an antenna: single keys, lines that stay, and one line of progress.

Owns: the terminal's mode while keys are read, and how it looks. Refuses: what is said, and what a key means.
"""

from __future__ import annotations

import os
import stat
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tablectl.cli.options import console
from tablectl.enrol.desk import Mood

_MARK: dict[Mood, tuple[str, str]] = {"good": ("✓ ", "green"), "bad": ("✗ ", "bold red"), "plain": ("  ", "")}
BAR_WIDTH = 40


class TerminalScreen:
    """Lines and a prompt with its bar on standard output, or standard error; where that is no terminal, what is new."""

    def __init__(self, *, stderr: bool = False) -> None:
        self._console = console(stderr=stderr)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._prompt = ""

    def __enter__(self) -> TerminalScreen:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def say(self, text: str, mood: Mood = "plain") -> None:
        """A line that stays."""
        mark, style = _MARK[mood]
        self._console.print(Text.assemble((mark, style), text))

    def show(self, prompt: str, done: int, total: int, keys: str) -> None:
        """What is due now, and how far it is."""
        if not self._console.is_terminal:
            if prompt != self._prompt:
                self._console.print(f"{prompt} ({done} of {total})")
            self._prompt = prompt
            return
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(total, done, width=BAR_WIDTH), Text(f"{done} of {total}"))
        self._live.update(Group(Text(prompt, style="bold"), bar, Text(keys, style="dim")), refresh=True)


@contextmanager
def single_keys() -> Iterator[int | None]:
    """Standard input as a descriptor that gives each key at once; None where nobody can type there."""
    try:
        descriptor = sys.stdin.fileno()
        kind = os.fstat(descriptor).st_mode
    except (AttributeError, OSError, ValueError):  # closed by whoever started us
        yield None
        return
    if not os.isatty(descriptor):
        # Somebody may type through a pipe; a file, or /dev/null, is nobody.
        yield descriptor if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind) else None
        return
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield descriptor
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
