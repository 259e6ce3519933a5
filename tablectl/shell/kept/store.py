"""What is kept, as it grows: a moment of the table, and each line since.

Owns: appending a line, and putting a new moment with its own file in the place of the old one.
Refuses: what a moment and a line are, and when a new moment is due (`app.kept`).

Theory of operation. The file in the folder always holds one moment and every line since, up to the last one that was
told. A new moment is compressed and sealed into a file of its own by a thread. What is told meanwhile is appended to
the old file and remembered; as soon as the new one is made, the first line that comes appends all that to it and gives
it the name. So a kill at any moment finds a whole file, the old one or the new one. Appending is done by the caller: a
line that was told is kept when `line` returns, and survives SIGKILL.
"""

from __future__ import annotations

import threading
import zlib
from typing import Final

from tablectl.errors import KeptError
from tablectl.shell.kept.folder import Folder
from tablectl.shell.kept.sealed import Contents, SealedFile, read

ROOM: Final = 6 << 20
"""What a file may take, bytes; two of them for the moment in which one takes the place of the other."""
FAST: Final = 1
"""zlib's level: a moment shrinks to a quarter with it, and more effort gains little."""


class Store:
    """What is kept in a folder, written by one process. Every method raises KeptError when it cannot be."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.lines = 0
        """Lines since the moment in the file."""
        self._file: SealedFile | None = None
        self._made: SealedFile | OSError | None = None
        self._since: list[bytes] | None = None
        """The lines since the moment that is being written; None if none is."""

    @property
    def size(self) -> int:
        """Bytes in use in the file."""
        return self._file.size if self._file is not None else 0

    @property
    def writes(self) -> bool:
        """A new moment is being written."""
        return self._since is not None

    def begin(self, moment: bytes) -> None:
        """Keep this moment, now: for a table that does not run yet."""
        self._since = []
        self._make(moment)
        self._take_over()

    def renew(self, moment: bytes) -> None:
        """Keep this moment and what comes from now on in place of what is there, once a thread has written it."""
        if self._since is None:
            self._since = []
            threading.Thread(target=self._make, args=(moment,), name="kept", daemon=True).start()

    def line(self, data: bytes) -> None:
        """Keep this, too. When it returns, a killed process does not lose it any more."""
        if self._since is not None:
            self._since.append(data)
            if self._made is not None:
                self._take_over()
                return
        if self._file is not None:
            self._append(self._file, data)
            self.lines += 1

    def close(self) -> None:
        """The files are let go; what is kept stays."""
        for file in (self._file, self._made):
            if isinstance(file, SealedFile):
                file.close()
        self._file = self._made = None

    def _make(self, moment: bytes) -> None:
        try:
            new = SealedFile(self.folder.path / f".{self.folder.sealed.name}", self.folder.key, ROOM)
            if not new.append(zlib.compress(moment, FAST)):
                new.close()
                raise OSError(0, f"it has more than {ROOM} bytes")
        except OSError as error:
            self._made = error
        else:
            self._made = new

    def _take_over(self) -> None:
        made, since = self._made, self._since or []
        self._made = self._since = None
        if not isinstance(made, SealedFile):
            raise KeptError(f"{self.folder.path}: {made.strerror if made is not None else 'it is closed'}")
        for each in since:
            self._append(made, each)
        try:
            made.path.replace(self.folder.sealed)
        except OSError as error:
            made.close()
            raise KeptError(f"{self.folder.sealed}: {error.strerror}") from None
        self.close()
        self._file, self.lines = made, len(since)

    def _append(self, file: SealedFile, data: bytes) -> None:
        try:
            fits = file.append(data)
        except OSError as error:
            raise KeptError(f"{self.folder.sealed}: {error.strerror}") from None
        if not fits:
            raise KeptError(f"{self.folder.sealed}: it is full")


def kept(folder: Folder) -> tuple[bytes, Contents] | None:
    """The moment that is kept there, and the records of the lines since; None if nothing is.

    KeptError if it is damaged.
    """
    try:
        contents = read(folder.sealed, folder.key)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeptError(f"it cannot be read: {error.strerror}") from None
    if not contents.records:
        return None
    try:
        moment = zlib.decompress(contents.records[0])
    except zlib.error:
        raise KeptError("it is damaged") from None
    return moment, Contents(contents.records[1:], contents.torn)
