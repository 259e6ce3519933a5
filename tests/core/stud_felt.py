"""A felt for stud: six players, a hand of five or seven cards, with one antenna a seat or with two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from felt import Felt

from tablectl.core.games import GAMES

SIX = (1, 2, 3, 4, 5, 6)


class StudFelt(Felt):
    """A table at which stud is played; with `halves`, up cards and down cards of a seat have an antenna each."""

    def __init__(self, game: str = "stud7", *, halves: bool = False, **options: object) -> None:
        zones: Sequence[str] = options.pop("zones", ("shoe", "burn", "muck"))  # type: ignore[assignment]
        options.setdefault("book", "nl")
        super().__init__(game=game, zones=zones, halves=halves, **options)  # type: ignore[arg-type]
        self.game, self.halves = GAMES[game], halves

    def everybody(self) -> tuple[int, ...]:
        """All seats, the dealer's left first."""
        return tuple(range(1, self.table.setting.layout.seats + 1))

    def zone(self, seat: int, *, up: bool) -> str:
        """Where a card of the seat goes."""
        return f"seat:{seat}" + (("/up" if up else "/down") if self.halves else "")

    def opening(self, seats: Sequence[int] = SIX) -> Self:
        """A correct opening deal."""
        for up in self.game.up:
            for seat in seats:
                self.deal(self.zone(seat, up=up))
        return self

    def street_to(self, name: str, seats: Sequence[int], *, burn: bool = True) -> Self:
        """A burn, and a card to each of these seats in this order."""
        if burn:
            self.deal("burn")
        for seat in seats:
            self.deal(self.zone(seat, up=self.game.street(name).up is True))
        return self

    def all_check(self, seats: Sequence[int] = SIX) -> Self:
        """Each of the seats checks, in this order."""
        for seat in seats:
            self.acts((seat, "check"))
        return self
