"""How imperfect a table is: every physical parameter by name, with unit and source, and four presets.

Owns: the parameters, how an evening is drawn from them, and which of them make one physical effect. Refuses: what
they do (`world`, `antennas`, `line`).

A parameter is a span (lowest, highest). Spans marked *evening* are drawn once per table and evening by
`Noise.evening`; all others are drawn anew for each card, landing, flight, frame or player. Nobody outside the
simulator learns what was drawn. Sources: [C] computed from ISO 15693, [S] a public source, [P] a prototype,
[A] an assumption, as in `shared/spec/tracking.md` §1 and §5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, get_type_hints

from tablectl.errors import UsageError

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Of:
    """What a parameter is: its unit, the figure's source, what it means, whether an evening draws it."""

    unit: str
    source: str
    about: str
    evening: bool = False


@dataclass(frozen=True, slots=True)
class Noise:
    """The physical parameters of a table. The defaults are a perfect one: all is read, none is lost."""

    name: Annotated[str, _Of("", "", "the preset's name")] = "clean"

    # Reading a card that lies where it should.
    miss: Annotated[
        Span, _Of("1 per poll", "[A] §5.1", "mean miss probability of a landing", evening=True)
    ] = (0, 0)
    miss_kappa: Annotated[
        Span, _Of("", "[A] §5.1", "κ of the Beta that one landing is drawn from", evening=True)
    ] = (5, 5)
    weak_tag: Annotated[Span, _Of("1 per card", "[A] §5.1", "share of weak tags", evening=True)] = (0, 0)
    weak_tag_gain: Annotated[
        Span, _Of("factor", "[A]", "read probability of a weak tag against a sound one")
    ] = (0.1, 0.5)
    dead_tag: Annotated[Span, _Of("1 per card", "[A] §5.1", "share of dead tags", evening=True)] = (0, 0)
    antenna_gain: Annotated[Span, _Of("factor", "[A]", "how well each antenna reads, drawn per antenna")] = (
        1,
        1,
    )
    weak_antenna: Annotated[
        Span, _Of("1 per antenna", "[A]", "share of badly tuned antennas", evening=True)
    ] = (0, 0)
    weak_antenna_gain: Annotated[Span, _Of("factor", "[A]", "how well a badly tuned antenna reads")] = (
        0.3,
        0.6,
    )
    dead_antenna: Annotated[
        Span,
        _Of(
            "1 per antenna",
            "[A]",
            "share of antennas that read nothing, and of which the board says so",
            evening=True,
        ),
    ] = (0, 0)

    # The same card at a neighbour's antenna.
    cross: Annotated[
        Span, _Of("1 per poll", "[A] §5.2", "mean read probability at a neighbour", evening=True)
    ] = (0, 0)
    cross_kappa: Annotated[Span, _Of("", "[A]", "κ of the Beta of one landing's coupling", evening=True)] = (
        4,
        4,
    )
    cross_cap: Annotated[float, _Of("1 per poll", "[A] §5.2", "tail of the coupling")] = 0.4

    # Several tags in one field.
    overlap: Annotated[
        Span, _Of("0 to 1", "[A] §5.4", "how far two cards of a seat or the board cover each other")
    ] = (0, 0)
    overlap_pile: Annotated[Span, _Of("0 to 1", "[A] §5.4", "the same in the burn pile and the muck")] = (
        0,
        0,
    )
    stuck_cover: Annotated[
        Span, _Of("0 to 1", "[A] §5.4", "how far two cards that stick together cover each other")
    ] = (0, 0)
    stuck_ms: Annotated[Span, _Of("ms", "[A]", "from their landing until such cards are pulled apart")] = (
        300,
        2000,
    )

    # The shoe.
    mouth_ms: Annotated[Span, _Of("ms", "[A] §5.5", "dwell at the mouth before a card leaves")] = (250, 600)
    mouth_rests: Annotated[
        Span, _Of("1 per evening", "[A]", "chance that the next card always lies at the mouth", evening=True)
    ] = (0, 0)
    advance_ms: Annotated[
        Span, _Of("ms", "[A]", "from one card's leaving to the next one's lying at the mouth")
    ] = (60, 140)
    leak: Annotated[
        Span, _Of("1 per poll", "[A] §5.5", "read of the card behind the mouth, drawn per card")
    ] = (0, 0)
    leaving_ms: Annotated[Span, _Of("ms", "[A]", "how long a leaving card is still in the mouth's field")] = (
        20,
        60,
    )

    # In the air.
    flight_ms: Annotated[Span, _Of("ms", "[A] §1", "flight of a pitched card")] = (180, 350)
    crossing_ms: Annotated[Span, _Of("ms", "[A] §5.6", "time a flying card needs across an antenna")] = (
        50,
        120,
    )
    fly: Annotated[Span, _Of("1 per poll", "[A] §5.6", "read of a card that flies over", evening=True)] = (
        0,
        0,
    )
    slide: Annotated[
        Span, _Of("1 per pitch", "[A] §5.6", "share of slow slides over the neighbour", evening=True)
    ] = (0, 0)
    slide_ms: Annotated[Span, _Of("ms", "[A] §5.6", "how long a slow slide is over the neighbour")] = (
        120,
        250,
    )
    slide_read: Annotated[float, _Of("1 per poll", "[A] §5.6", "read of a card that slides over")] = 0.6
    slide_board: Annotated[
        Span,
        _Of("1 per slide", "[A]", "share of slow slides over the board, if it lies on the way", evening=True),
    ] = (0, 0)
    fold_over: Annotated[
        Span,
        _Of("1 per fold", "[A] §5.11", "share of folds pushed slowly over a neighbour's cards", evening=True),
    ] = (0, 0)

    # Hands, chips and metal on the felt.
    grab: Annotated[
        Span,
        _Of("1 per landing", "[A] §5.7", "share of cards that the player takes up at once", evening=True),
    ] = (0, 0)
    grab_after_ms: Annotated[Span, _Of("ms", "[A] §5.7", "from landing to the grab")] = (50, 400)
    hold_ms: Annotated[Span, _Of("ms", "[A] §5.7", "how long a card is held up")] = (1000, 3000)
    lifted_read: Annotated[Span, _Of("1 per poll", "[A]", "read of a card that is held up")] = (0, 0)
    peek: Annotated[
        Span,
        _Of(
            "1 per seat", "[A] §5.7", "share of players who look at their cards after the deal", evening=True
        ),
    ] = (0, 0)
    peek_ms: Annotated[Span, _Of("ms", "[A]", "how long a look takes")] = (800, 2500)
    peek_gain: Annotated[Span, _Of("factor", "[A]", "read of a card with its corner bent up")] = (0.2, 0.8)
    protector: Annotated[
        Span, _Of("1 per seat", "[A] §5.7", "share of players with a metal card protector", evening=True)
    ] = (0, 0)
    protector_gain: Annotated[Span, _Of("factor", "[A] §5.7", "how well cards under metal are read")] = (
        0.3,
        0.9,
    )
    hover: Annotated[
        Span, _Of("1 per action", "[A] §5.7", "share of actions with a hand over the cards", evening=True)
    ] = (0, 0)
    hover_ms: Annotated[Span, _Of("ms", "[A]", "how long that hand stays")] = (300, 1500)
    hover_gain: Annotated[Span, _Of("factor", "[A] §5.7", "how well cards under a hand are read")] = (
        0.4,
        0.9,
    )
    chips: Annotated[
        Span,
        _Of(
            "1 per bet",
            "[A] §5.7",
            "share of bets whose chips lie by the cards until the round is over",
            evening=True,
        ),
    ] = (0, 0)
    chips_gain: Annotated[Span, _Of("factor", "[A]", "how well cards beside chips are read")] = (0.5, 0.95)
    pot: Annotated[
        Span,
        _Of(
            "1 per round", "[A]", "share of rounds after which chips are pushed over the board", evening=True
        ),
    ] = (0, 0)
    pot_ms: Annotated[Span, _Of("ms", "[A]", "how long chips are over the board")] = (400, 1500)
    pot_gain: Annotated[Span, _Of("factor", "[A]", "how well the board is read under chips")] = (0.4, 0.9)
    nudge: Annotated[
        Span, _Of("1 per landing", "[A] §5.7", "share of cards pushed half off the antenna", evening=True)
    ] = (0, 0)
    nudge_gain: Annotated[Span, _Of("factor", "[A]", "read of a card half off the antenna")] = (0.0, 0.4)
    nudge_back: Annotated[
        Span,
        _Of("1 per nudge", "[A] §5.7", "share of nudged cards that their player puts right", evening=True),
    ] = (0, 0)
    nudge_back_ms: Annotated[Span, _Of("ms", "[A] §5.7", "how long such a card lies half off")] = (1000, 3000)

    # Signal strength.
    rssi: Annotated[bool, _Of("", "", "the boards report signal strength")] = True
    rssi_level: Annotated[Span, _Of("dBm", "[A]", "level of a card that lies well, drawn per antenna")] = (
        -52,
        -44,
    )
    rssi_place_db: Annotated[float, _Of("dB", "[A] §5.8", "standard deviation of a landing")] = 0.0
    rssi_read_db: Annotated[float, _Of("dB", "[A] §5.8", "standard deviation of a read")] = 0.0
    rssi_step_db: Annotated[int, _Of("dB", "[A] §5.8", "coarseness of the reader's figure")] = 1
    rssi_outlier: Annotated[float, _Of("1 per read", "[A] §5.8", "share of figures that are far off")] = 0.0
    rssi_outlier_db: Annotated[Span, _Of("dB", "[A] §5.8", "how far off they are")] = (6, 14)
    rssi_cross_db: Annotated[Span, _Of("dB", "[A]", "how much weaker a neighbour's card is")] = (7, 15)
    rssi_fly_db: Annotated[Span, _Of("dB", "[A]", "how much weaker a flying card is")] = (2, 9)

    # The boards and the line.
    guard_ms: Annotated[
        float, _Of("ms", "[C] §1", "wait after the field was switched to another antenna")
    ] = 1.0
    overhead_ms: Annotated[
        float, _Of("ms", "[A]", "bus and firmware time per antenna; fits the cycle table of §1")
    ] = 0.62
    interference: Annotated[
        Span, _Of("factor", "[A] §5.10", "reads lost while a neighbouring board's field is on", evening=True)
    ] = (0, 0)
    uid_corrupt: Annotated[
        Span, _Of("1 per read", "[S] field-failures 14", "UIDs garbled unnoticed", evening=True)
    ] = (0, 0)
    delay_ms: Annotated[Span, _Of("ms", "[A] §5.9", "transport of a frame")] = (2, 2)
    late: Annotated[
        Span,
        _Of("1 per frame", "[A]", "frames that the host's bus holds up, and all behind them", evening=True),
    ] = (0, 0)
    late_ms: Annotated[Span, _Of("ms", "[A]", "for how long they are held up")] = (30, 150)
    offset_ms: Annotated[Span, _Of("ms", "[A] §5.9", "constant lag of a board, drawn per board")] = (0, 0)
    skew_ppm: Annotated[
        Span, _Of("ppm", "[A] §5.9", "error of a board's clock, drawn per board, either sign")
    ] = (0, 0)
    loss: Annotated[Span, _Of("1 per frame", "[A] §5.9", "mean share of frames lost", evening=True)] = (0, 0)
    loss_burst: Annotated[
        Span, _Of("frames", "[A] §5.9", "mean length of a burst of losses", evening=True)
    ] = (2, 4)
    duplicate: Annotated[Span, _Of("1 per frame", "[A] §5.9", "frames that arrive twice", evening=True)] = (
        0,
        0,
    )
    resets: Annotated[
        Span, _Of("1 per hour", "[A] §5.9", "spontaneous restarts of each board", evening=True)
    ] = (0, 0)
    reset_ms: Annotated[Span, _Of("ms", "[A] §5.9", "how long a restart blinds a board")] = (500, 3000)

    def evening(self, rng: Random) -> Noise:
        """One table on one evening: every evening span drawn to a single value, the others as they are."""
        drawn: dict[str, Any] = {}
        for name, about in parameters().items():
            if about.evening:
                value = rng.uniform(*getattr(self, name))
                drawn[name] = (value, value)
        return replace(self, **drawn)


def parameters() -> dict[str, _Of]:
    """Every parameter by name: its unit, its source, what it means."""
    hints = get_type_hints(Noise, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}


_LIGHT = Noise(
    name="light",
    miss=(0.06, 0.14), miss_kappa=(4, 8), antenna_gain=(0.96, 1.0),
    cross=(0.01, 0.03), overlap=(0.0, 0.35), overlap_pile=(0.05, 0.35), leak=(0.05, 0.15), mouth_rests=(0, 1),
    fly=(0.03, 0.07), slide=(0.01, 0.03), grab=(0.005, 0.015), lifted_read=(0.0, 0.08), peek=(0.1, 0.3),
    protector=(0.0, 0.1), protector_gain=(0.6, 0.95), hover=(0.05, 0.15), hover_gain=(0.6, 0.95),
    nudge=(0.0, 0.002), rssi_place_db=2.0, rssi_read_db=1.5, rssi_step_db=2, rssi_outlier=0.005,
    interference=(0.0, 0.1), uid_corrupt=(0.0, 1e-6), delay_ms=(2, 8), offset_ms=(0, 8), skew_ppm=(-20, 20),
    loss=(0.001, 0.003), stuck_cover=(0.5, 1.0), slide_board=(0.1, 0.3), fold_over=(0.05, 0.15), nudge_back=(0.3, 0.7),
    chips=(0.1, 0.3), chips_gain=(0.8, 0.98), pot=(0.2, 0.6), pot_gain=(0.7, 0.95), late=(0, 0.001),
)  # fmt: skip

_HEAVY = Noise(
    name="heavy",
    miss=(0.22, 0.38), miss_kappa=(3, 7), weak_tag=(0.0, 0.005), antenna_gain=(0.85, 1.0),
    cross=(0.05, 0.10), overlap=(0.0, 0.6), overlap_pile=(0.1, 0.5), leak=(0.1, 0.3), mouth_rests=(0, 1),
    fly=(0.10, 0.20), slide=(0.02, 0.05), grab=(0.02, 0.05), lifted_read=(0.0, 0.15), peek=(0.3, 0.7),
    protector=(0.2, 0.4), protector_gain=(0.4, 0.9), hover=(0.2, 0.4), hover_gain=(0.5, 0.9),
    nudge=(0.0, 0.01), rssi_place_db=3.0, rssi_read_db=1.5, rssi_step_db=3, rssi_outlier=0.02,
    interference=(0.1, 0.3), uid_corrupt=(0.0, 1e-5), delay_ms=(2, 20), offset_ms=(0, 20), skew_ppm=(-50, 50),
    loss=(0.005, 0.02), duplicate=(0, 0.001), stuck_cover=(0.7, 1.0), slide_board=(0.1, 0.3),
    fold_over=(0.1, 0.3), chips=(0.2, 0.5), chips_gain=(0.6, 0.95), pot=(0.4, 0.8), pot_gain=(0.5, 0.9),
    late=(0.0005, 0.003), nudge_back=(0.3, 0.7),
)  # fmt: skip

_HARSH = replace(
    _HEAVY,
    name="harsh",
    miss=(0.30, 0.45), miss_kappa=(2, 5), weak_tag=(0.005, 0.01), dead_tag=(0.0, 0.002),
    weak_antenna=(0.0, 0.15), cross=(0.08, 0.12), overlap=(0.0, 0.8), overlap_pile=(0.2, 0.8),
    grab=(0.04, 0.08), nudge=(0.005, 0.02), protector_gain=(0.3, 0.8), hover_gain=(0.4, 0.8),
    rssi_outlier=0.04, uid_corrupt=(1e-5, 1e-4), loss=(0.01, 0.03), loss_burst=(3, 8), duplicate=(0, 0.003),
    resets=(0, 2), dead_antenna=(0, 0.01), chips_gain=(0.4, 0.9), pot_gain=(0.4, 0.8), late=(0.001, 0.005),
)  # fmt: skip

PRESETS = {noise.name: noise for noise in (Noise(), _LIGHT, _HEAVY, _HARSH)}


def preset(name: str) -> Noise:
    """The preset of that name. UsageError names the ones that exist."""
    if name not in PRESETS:
        raise UsageError(f"noise {name!r} is not known; choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


EFFECTS: Mapping[str, tuple[str, ...]] = {
    "misses": ("miss", "antenna_gain", "weak_antenna", "dead_antenna"),
    "tags": ("weak_tag", "dead_tag"),
    "cross": ("cross", "leak"),
    "overlap": ("overlap", "overlap_pile", "stuck_cover"),
    "metal": ("protector", "hover", "chips", "pot"),
    "players": ("grab", "peek", "nudge"),
    "flights": ("fly", "slide", "slide_board", "fold_over"),
    "signal": ("rssi_place_db", "rssi_read_db", "rssi_step_db", "rssi_outlier"),
    "line": ("delay_ms", "late", "offset_ms", "skew_ppm", "loss", "duplicate", "resets"),
    "interference": ("interference", "uid_corrupt"),
}
"""Effect → the parameters that switch it on: poorly lying cards and poor antennas, poor tags, reads by the antenna next
to the card's, cards on one another, metal and hands over cards, players who handle their cards, cards that pass over
an antenna, uneven signal strength, the line to the computer, fields that disturb each other."""


def without(noise: Noise, effect: str) -> Noise:
    """The same table without one of EFFECTS: its parameters are those of a perfect table, all others stay.

    What an evening draws for the other parameters stays, too. Later draws of the same random source may shift, since
    an effect that is not there draws nothing: compare many hands, not one. UsageError names the effects that exist.
    """
    if effect not in EFFECTS:
        raise UsageError(f"effect {effect!r} is not known; choose one of {', '.join(EFFECTS)}")
    clean: dict[str, Any] = {name: getattr(PRESETS["clean"], name) for name in EFFECTS[effect]}
    return replace(noise, name=f"{noise.name} without {effect}", **clean)


def calibration(noise: Noise) -> dict[str, float]:
    """What somebody finds who measures an antenna of such a table with one card: a `[reader.calibration.N]` table.

    The middle of each span: the mean share of looks that read the card, κ of the landings, the usual level in dBm.
    """
    read = (1 - _middle(noise.miss)) * _middle(noise.antenna_gain)
    return {
        "read": round(min(read, 0.99), 3),
        "spread": _middle(noise.miss_kappa),
        "strength": round(_middle(noise.rssi_level)),
    }


def _middle(span: Span) -> float:
    return sum(span) / 2
