"""How imperfect a table is: every physical parameter by name, with unit and source, and four presets.

Owns: the parameters and how an evening is drawn from them. Refuses: what they do (`world`, `antennas`, `line`).

A parameter is a span (lowest, highest). Spans marked *evening* are drawn once per table and evening by
`Noise.evening`; all others are drawn anew for each card, landing, flight, frame or player. Nobody outside the
simulator learns what was drawn. Sources: [C] computed from ISO 15693, [S] a public source, [P] a prototype,
[A] an assumption, as in `shared/spec/tracking.md` §1 and §5.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

from tablectl.errors import UsageError

Span = tuple[float, float]


def _p(default: Any, unit: str, source: str, about: str, *, evening: bool = False) -> Any:
    """One parameter: its default, its unit, where the figure comes from, and what it means."""
    return field(
        default=default, metadata={"unit": unit, "source": source, "about": about, "evening": evening}
    )


@dataclass(frozen=True, slots=True)
class Noise:
    """The physical parameters of a table. The defaults are a perfect one: every tag is read, nothing is lost."""

    name: str = _p("clean", "", "", "the preset's name")

    # Reading a card that lies where it should.
    miss: Span = _p((0, 0), "1 per poll", "[A] §5.1", "mean miss probability of a landing", evening=True)
    miss_kappa: Span = _p((5, 5), "", "[A] §5.1", "κ of the Beta that one landing is drawn from", evening=True)
    weak_tag: Span = _p((0, 0), "1 per card", "[A] §5.1", "share of weak tags", evening=True)
    weak_tag_gain: Span = _p((0.1, 0.5), "factor", "[A]", "read probability of a weak tag against a sound one")
    dead_tag: Span = _p((0, 0), "1 per card", "[A] §5.1", "share of dead tags", evening=True)
    antenna_gain: Span = _p((1, 1), "factor", "[A]", "how well each antenna reads, drawn per antenna")
    weak_antenna: Span = _p((0, 0), "1 per antenna", "[A]", "share of badly tuned antennas", evening=True)
    weak_antenna_gain: Span = _p((0.3, 0.6), "factor", "[A]", "how well a badly tuned antenna reads")

    # The same card at a neighbour's antenna.
    cross: Span = _p((0, 0), "1 per poll", "[A] §5.2", "mean read probability at a neighbour", evening=True)
    cross_kappa: Span = _p((4, 4), "", "[A]", "κ of the Beta of one landing's coupling", evening=True)
    cross_cap: float = _p(0.4, "1 per poll", "[A] §5.2", "tail of the coupling")

    # Several tags in one field.
    overlap: Span = _p((0, 0), "0 to 1", "[A] §5.4", "how far two cards of a seat or the board cover each other")
    overlap_pile: Span = _p((0.2, 0.8), "0 to 1", "[A] §5.4", "the same in the burn pile and the muck")

    # The shoe.
    mouth_ms: Span = _p((250, 600), "ms", "[A] §5.5", "dwell at the mouth before a card leaves")
    mouth_rests: Span = _p((0, 0), "1 per evening", "[A]", "chance that the next card always lies at the mouth", evening=True)
    advance_ms: Span = _p((60, 140), "ms", "[A]", "from one card's leaving to the next one's lying at the mouth")
    leak: Span = _p((0, 0), "1 per poll", "[A] §5.5", "read of the card behind the mouth, drawn per card")
    leaving_ms: Span = _p((20, 60), "ms", "[A]", "how long a leaving card is still in the mouth's field")

    # In the air.
    flight_ms: Span = _p((180, 350), "ms", "[A] §1", "flight of a pitched card")
    crossing_ms: Span = _p((50, 120), "ms", "[A] §5.6", "time a flying card needs across an antenna")
    fly: Span = _p((0, 0), "1 per poll", "[A] §5.6", "read of a card that flies over", evening=True)
    slide: Span = _p((0, 0), "1 per pitch", "[A] §5.6", "share of slow slides over the neighbour", evening=True)
    slide_ms: Span = _p((120, 250), "ms", "[A] §5.6", "how long a slow slide is over the neighbour")
    slide_read: float = _p(0.6, "1 per poll", "[A] §5.6", "read of a card that slides over")

    # Hands, chips and metal on the felt.
    grab: Span = _p((0, 0), "1 per landing", "[A] §5.7", "share of cards that the player takes up at once", evening=True)
    grab_after_ms: Span = _p((50, 400), "ms", "[A] §5.7", "from landing to the grab")
    hold_ms: Span = _p((1000, 3000), "ms", "[A] §5.7", "how long a card is held up")
    lifted_read: Span = _p((0, 0), "1 per poll", "[A]", "read of a card that is held up")
    peek: Span = _p((0, 0), "1 per seat", "[A] §5.7", "share of players who look at their cards after the deal", evening=True)
    peek_ms: Span = _p((800, 2500), "ms", "[A]", "how long a look takes")
    peek_gain: Span = _p((0.2, 0.8), "factor", "[A]", "read of a card with its corner bent up")
    protector: Span = _p((0, 0), "1 per seat", "[A] §5.7", "share of players with a metal card protector", evening=True)
    protector_gain: Span = _p((0.3, 0.9), "factor", "[A] §5.7", "how well cards under metal are read")
    hover: Span = _p((0, 0), "1 per action", "[A] §5.7", "share of actions with a hand over the cards", evening=True)
    hover_ms: Span = _p((300, 1500), "ms", "[A]", "how long that hand stays")
    hover_gain: Span = _p((0.4, 0.9), "factor", "[A] §5.7", "how well cards under a hand are read")
    nudge: Span = _p((0, 0), "1 per landing", "[A] §5.7", "share of cards pushed half off the antenna", evening=True)
    nudge_gain: Span = _p((0.0, 0.4), "factor", "[A]", "read of a card half off the antenna")

    # Signal strength.
    rssi: bool = _p(True, "", "", "the boards report signal strength")  # noqa: FBT003 - a dataclass default
    rssi_level: Span = _p((-52, -44), "dBm", "[A]", "level of a card that lies well, drawn per antenna")
    rssi_place_db: float = _p(0.0, "dB", "[A] §5.8", "σ of a landing")
    rssi_read_db: float = _p(0.0, "dB", "[A] §5.8", "σ of a read")
    rssi_step_db: int = _p(1, "dB", "[A] §5.8", "coarseness of the reader's figure")
    rssi_outlier: float = _p(0.0, "1 per read", "[A] §5.8", "share of figures that are far off")
    rssi_outlier_db: Span = _p((6, 14), "dB", "[A] §5.8", "how far off they are")
    rssi_cross_db: Span = _p((7, 15), "dB", "[A]", "how much weaker a neighbour's card is")
    rssi_fly_db: Span = _p((2, 9), "dB", "[A]", "how much weaker a flying card is")

    # The boards and the line.
    guard_ms: float = _p(1.0, "ms", "[C] §1", "wait after the field was switched to another antenna")
    overhead_ms: float = _p(0.62, "ms", "[A]", "bus and firmware time per antenna; fits the cycle table of §1")
    interference: Span = _p((0, 0), "factor", "[A] §5.10", "reads lost while a neighbouring board's field is on", evening=True)
    uid_corrupt: Span = _p((0, 0), "1 per read", "[S] field-failures 14", "UIDs garbled unnoticed", evening=True)
    delay_ms: Span = _p((2, 2), "ms", "[A] §5.9", "transport of a frame")
    offset_ms: Span = _p((0, 0), "ms", "[A] §5.9", "constant lag of a board, drawn per board")
    skew_ppm: Span = _p((0, 0), "ppm", "[A] §5.9", "error of a board's clock, drawn per board, either sign")
    loss: Span = _p((0, 0), "1 per frame", "[A] §5.9", "mean share of frames lost", evening=True)
    loss_burst: Span = _p((2, 4), "frames", "[A] §5.9", "mean length of a burst of losses", evening=True)
    duplicate: Span = _p((0, 0), "1 per frame", "[A] §5.9", "frames that arrive twice", evening=True)
    resets: Span = _p((0, 0), "1 per hour", "[A] §5.9", "spontaneous restarts of each board", evening=True)
    reset_ms: Span = _p((500, 3000), "ms", "[A] §5.9", "how long a restart blinds a board")

    def evening(self, rng: Random) -> Noise:
        """One table on one evening: every evening span drawn to a single value, the others as they are."""
        drawn: dict[str, Any] = {}
        for each in fields(self):
            if each.metadata["evening"]:
                value = rng.uniform(*getattr(self, each.name))
                drawn[each.name] = (value, value)
        return replace(self, **drawn)


_LIGHT = Noise(
    name="light",
    miss=(0.06, 0.14), miss_kappa=(4, 8), antenna_gain=(0.96, 1.0),
    cross=(0.01, 0.03), overlap=(0.0, 0.35), leak=(0.05, 0.15), mouth_rests=(0, 1),
    fly=(0.03, 0.07), slide=(0.01, 0.03), grab=(0.005, 0.015), lifted_read=(0.0, 0.08), peek=(0.1, 0.3),
    protector=(0.0, 0.1), protector_gain=(0.6, 0.95), hover=(0.05, 0.15), hover_gain=(0.6, 0.95),
    nudge=(0.0, 0.002), rssi_place_db=2.0, rssi_read_db=1.5, rssi_step_db=2, rssi_outlier=0.005,
    interference=(0.0, 0.1), uid_corrupt=(0.0, 1e-6), delay_ms=(2, 8), offset_ms=(0, 8), skew_ppm=(-20, 20),
    loss=(0.001, 0.003),
)  # fmt: skip

_HEAVY = Noise(
    name="heavy",
    miss=(0.22, 0.38), miss_kappa=(3, 7), weak_tag=(0.0, 0.005), antenna_gain=(0.85, 1.0),
    cross=(0.05, 0.10), overlap=(0.0, 0.6), leak=(0.1, 0.3), mouth_rests=(0, 1),
    fly=(0.10, 0.20), slide=(0.02, 0.05), grab=(0.02, 0.05), lifted_read=(0.0, 0.15), peek=(0.3, 0.7),
    protector=(0.2, 0.4), protector_gain=(0.4, 0.9), hover=(0.2, 0.4), hover_gain=(0.5, 0.9),
    nudge=(0.0, 0.01), rssi_place_db=3.0, rssi_read_db=1.5, rssi_step_db=3, rssi_outlier=0.02,
    interference=(0.1, 0.3), uid_corrupt=(0.0, 1e-5), delay_ms=(2, 20), offset_ms=(0, 20), skew_ppm=(-50, 50),
    loss=(0.005, 0.02), duplicate=(0, 0.001),
)  # fmt: skip

_HARSH = replace(
    _HEAVY,
    name="harsh",
    miss=(0.30, 0.45), miss_kappa=(2, 5), weak_tag=(0.005, 0.01), dead_tag=(0.0, 0.002),
    weak_antenna=(0.0, 0.15), cross=(0.08, 0.12), overlap=(0.0, 0.8),
    grab=(0.04, 0.08), nudge=(0.005, 0.02), protector_gain=(0.3, 0.8), hover_gain=(0.4, 0.8),
    rssi_outlier=0.04, uid_corrupt=(1e-5, 1e-4), loss=(0.01, 0.03), loss_burst=(3, 8), duplicate=(0, 0.003),
    resets=(0, 2),
)  # fmt: skip

PRESETS = {noise.name: noise for noise in (Noise(), _LIGHT, _HEAVY, _HARSH)}


def preset(name: str) -> Noise:
    """The preset of that name. UsageError names the ones that exist."""
    if name not in PRESETS:
        raise UsageError(f"noise {name!r} is not known; choose one of {', '.join(PRESETS)}")
    return PRESETS[name]
