"""A hand in progress, kept outside the process: sealed, in memory, gone with the power.

Owns: the folder and its key (`folder`), the spelling (`sealed`), and the file that grows (`store`). Refuses: what is
kept, and what becomes of it at the next start (`app.kept`).
"""

from __future__ import annotations

from tablectl.shell.kept.folder import Folder, boot_id
from tablectl.shell.kept.store import Store, kept

__all__ = ["Folder", "Store", "boot_id", "kept"]
