"""Backup: all that makes one table what it is, in one archive, and the way back.

Owns: what belongs to a table (`contents`), the archive and its proof (`archive`), keeping some and no more
(`keep`), and putting one back (`restore`). Refuses: where archives are carried, and when; systemd's timer calls
`tablectl backup`.

A table keeps running while it is backed up, and must not while it is restored.
"""

from __future__ import annotations

from tablectl.backup.archive import Archive, opened, write
from tablectl.backup.keep import forget_old, name_of, newest
from tablectl.backup.restore import Replaced, restore

__all__ = ["Archive", "Replaced", "forget_old", "name_of", "newest", "opened", "restore", "write"]
