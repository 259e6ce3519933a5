"""A hand in progress survives the end of the process: SIGKILL, the watchdog, `systemctl restart`.

    every line, after the alarm ─▶ keeping ─▶ shell.kept: a moment of the core, and the lines since, sealed, in memory
                     the next start ─▶ taken ─▶ the core of that moment, stepped through the lines; then live ones

Owns: what is kept of a running table and when (`keeping`), the core as bytes (`moment`, `head`), and what the next
start does with it (`taken`). Refuses: files and keys (`shell.kept`), and what a gap in the looks means (`core`).
"""

from __future__ import annotations

from tablectl.app.kept.head import Owed
from tablectl.app.kept.keeping import Keeping, boottime, keeping_of
from tablectl.app.kept.taken import Taken, take_up

__all__ = ["Keeping", "Owed", "Taken", "boottime", "keeping_of", "take_up"]
