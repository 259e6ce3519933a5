"""Tags that wear out: how well a tag answers after so many deals.

Owns: that law, as one more noise parameter, off by default, with unit and source. Refuses: which cards are dealt
(`world`). The parameter stands here and not in `noise`: an evening does not draw it, a deck's life does.

A tag is bent with its card thousands of times. Its antenna's joints crack one after the other, so its coupling falls
slowly, from some deal on; makers promise 10 years or 100,000 writes for the chip and nothing for the bending [A].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tablectl.sim.noise import Span

SOUND: Span = (0.0, 0.0)


@dataclass(slots=True)
class TagWear:
    """The tags of a table's decks. With the default span of `share` no tag ever wears, and nothing is drawn."""

    share: Span = SOUND
    """1 per tag [A]: share of tags that wear out."""
    begins: Span = (1000.0, 6000.0)
    """Deals [A]: how often such a tag has been dealt when it begins to fail."""
    lasts: Span = (4000.0, 12_000.0)
    """Deals [A]: after so many more it answers no more; in between its gain falls evenly."""
    rng: Random = field(default_factory=lambda: Random("tag wear"))  # noqa: S311 - repeatable on purpose
    deals: dict[str, int] = field(default_factory=dict)
    """UID → how often the tag has been dealt."""
    _fate: dict[str, tuple[float, float] | None] = field(default_factory=dict)

    def dealt(self, uid: str) -> None:
        """The card is dealt once more."""
        self.deals[uid] = self.deals.get(uid, 0) + 1

    def gain(self, uid: str) -> float:
        """How well the tag answers now, against when it was new: 1 to 0."""
        if not self.share[1]:
            return 1.0
        if uid not in self._fate:
            wears = self.rng.random() < self.rng.uniform(*self.share)
            self._fate[uid] = (
                (self.rng.uniform(*self.begins), self.rng.uniform(*self.lasts)) if wears else None
            )
        fate = self._fate[uid]
        if fate is None:
            return 1.0
        begins, lasts = fate
        return min(1.0, max(0.0, 1 - (self.deals.get(uid, 0) - begins) / lasts))
