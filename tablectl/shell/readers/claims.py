"""Which reader of the table a board belongs to.

Owns: the board ids that answer at this table now, each with the one reader and port that has it.
Refuses: what is done about a board that is there twice (`session`).

Two boards with one id (a copied flash) would be one board to whoever looks for it by its id. So the first that says
HELLO has the id until it is lost, and the other one is refused by name.
"""

from __future__ import annotations


class Claims:
    """The boards of one table. All its readers share one of these."""

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[int, str]] = {}

    def claim(self, board_id: bytes, reader: int, port: str) -> tuple[int, str] | None:
        """Take the id for a reader, which gives up any other; or the (reader, port) that has it already."""
        holder = self._held.get(board_id)
        if holder is not None and holder[0] != reader:
            return holder
        self.release(reader)
        self._held[board_id] = (reader, port)
        return None

    def release(self, reader: int) -> None:
        """The reader's board is lost: its id is free."""
        self._held = {board: holder for board, holder in self._held.items() if holder[0] != reader}
