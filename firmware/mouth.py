"""Cards that pass the two optical sensors at the mouth of the shoe.

Owns: which edges make one passage, and which face it was.
Refuses: pins and interrupts (`board`), and which card it was.

The card slides between two reflective sensors, one below and one above its path, over the same line of the card. A
sensor's output is high while white paper shines at it. The face of a card is mostly white, its back mostly printed:
the side that is white for longer is the face. So the white time of each sensor is added up, from the first rising
edge until both have been dark for `GAP_US`. Face down means that the sensor below saw more white.
"""

TYPE_CHECKING = False  # see wire.py
if TYPE_CHECKING:
    from collections.abc import Callable

GAP_US = 30_000
"""Both dark for so long ends a passage, µs: a dark picture on a slow card is shorter, the next card comes later (the
table takes no two cards within 40 ms)."""
SPECKLE_US = 1_500
"""Less white than this is no card: a spark, a chattering comparator, an insect, µs. A card's margin alone, 3 mm at
2 m/s, is as long."""
CLEARLY = 2
"""One side must be white for so many times as long as the other; else the face is not known."""
UNKNOWN, DOWN, UP = 0, 1, 2
"""The faces of PASSAGE."""


class Mouth:
    """Takes edges in order, gives a passage once it is over."""

    def __init__(self, ticks_diff: "Callable[[int, int], int]") -> None:
        self._diff = ticks_diff
        self._white = [0, 0]
        """How long each sensor was white in this passage, µs: below, above."""
        self._levels = 0
        self._at = 0
        self._open = False
        self._doubted = False

    def edge(self, us: int, levels: int) -> None:
        """Since `us` bit 0 of `levels` is what the sensor below shows, bit 1 the one above."""
        self._add_up(us)
        self._levels = levels
        if levels and not self._open:
            self._open = True
            self._doubted = False
            self._white[0] = self._white[1] = 0

    def doubt(self) -> None:
        """Edges were lost: the face of this card is not known."""
        self._doubted = True

    def passed(self, us: int) -> "tuple[int, int] | None":
        """The passage that is over at `us`, if there is one: (ticks in µs of its last white, face)."""
        if not self._open:
            return None
        if self._levels:
            self._add_up(us)  # a card that rests in the mouth: the ticks must not wrap unnoticed
            return None
        if self._diff(us, self._at) < GAP_US:
            return None
        self._open = False
        below, above = self._white
        if below + above < SPECKLE_US:
            return None
        return self._at, self._face(below, above)

    def _add_up(self, us: int) -> None:
        since = self._diff(us, self._at)
        for side in (0, 1):
            if self._levels >> side & 1:
                self._white[side] += since
        self._at = us

    def _face(self, below: int, above: int) -> int:
        if self._doubted:
            return UNKNOWN
        if below >= CLEARLY * above:
            return DOWN
        return UP if above >= CLEARLY * below else UNKNOWN
