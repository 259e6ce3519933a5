"""How well one antenna does, from its tuning and from how many looks at it fail.

Owns: the counts and the judgement that ANTENNA_HEALTH carries. Refuses: looking, and saying it.

What the figures mean in a real antenna is not known before a board is built: the bounds are assumptions, marked [A],
to be set from measurements of good, torn and shorted coils (firmware/README.md).
"""

OK, WEAK, OPEN, SHORTED, SILENT = 0, 1, 2, 3, 4
"""The states of ANTENNA_HEALTH."""
IN_A_ROW = 3
"""So many looks in a row without a field mean a short; a single one is a spark [A]."""
WINDOW = 16
"""Looks that the judgement remembers."""
SHORTED_TO, OPEN_FROM = 32, 1000
"""The tuning is the carrier at the receiver, 0 to 1023 (`radio`): next to none of it, a short; all of it, a coil that
takes nothing, as an open one does [A]."""
DRIFT = 3, 5
"""A tuning that fell below three fifths of what it was at the start, or rose above five thirds, is another one: the
antenna is weak [A]."""
WEAK_AT, WELL_AT = 8, 4
"""An antenna is weak from so many failed looks among the last `WINDOW`, until there are only so many again [A]."""


class Health:
    """One antenna's counts since the board started, and its state."""

    def __init__(self) -> None:
        self.state = OK
        self.tuning: int | None = None
        """As the radio measured it last; None before."""
        self.reads = 0
        """Looks that went well."""
        self.errors = 0
        """Looks that failed."""
        self._at_start: int | None = None
        self._recent = 0
        """A bit for each of the last looks: 1 failed."""
        self._failed = 0
        self._no_field = 0
        self._weak = False

    def looked(self, *, well: bool, field: bool = True) -> None:
        """A look is over: whether nothing failed, and whether the field came on."""
        if well:
            self.reads += 1
        else:
            self.errors += 1
        failed = 0 if well else 1
        self._failed += failed - (self._recent >> WINDOW - 1)
        self._recent = (self._recent << 1 | failed) & (1 << WINDOW) - 1
        self._no_field = 0 if field else self._no_field + 1

    def measured(self, tuning: int) -> None:
        """The radio measured the tuning; the first time is what later ones are compared with."""
        self.tuning = tuning
        if self._at_start is None:
            self._at_start = tuning

    def judge(self, *, answers: bool) -> int:
        """The state now. `answers`: the front end does."""
        self._weak = self._failed > WELL_AT if self._weak else self._failed >= WEAK_AT
        tuning = self.tuning
        if not answers:
            self.state = SILENT
        elif self._no_field >= IN_A_ROW or (tuning is not None and tuning <= SHORTED_TO):
            self.state = SHORTED
        elif tuning is not None and tuning >= OPEN_FROM:
            self.state = OPEN
        else:
            self.state = WEAK if self._weak or self._drifted() else OK
        return self.state

    def _drifted(self) -> bool:
        now, then = self.tuning, self._at_start
        if now is None or then is None:
            return False
        low, high = DRIFT
        return now * high < then * low or now * low > then * high
