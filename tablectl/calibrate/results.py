"""What the counts mean: figures with their intervals, what is written down, and which antenna is unfit.

Owns: the estimates of a whole table, and the verdicts with what would help. Refuses: measuring (`course`), writing
them down (`written`), drawing (`picture`).

What would help follows Texas Instruments' "HF Antenna Design Notes" (11-08-26-003) on antennas near metal, near one
another, and out of tune, and NXP's AN11740 ("PN5180 antenna design") on matching and Q.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from statistics import median

from tablectl.app.technician.antenna_test import GOOD
from tablectl.calibrate.estimate import SMALL, Estimate, Landings, kappa_of, level, scatter
from tablectl.calibrate.measured import Laid, Measured, Table
from tablectl.cards import Deck
from tablectl.core.evidence import LIES
from tablectl.layout import Antenna, Layout

CROSS_MOST = 0.10
"""A neighbour's card may be read in so many looks in the mean (tracking notes §5.2: 0.5 to 10 %)."""
GHOST_MOST = 0.02
"""Reads of an empty antenna, in so many looks, are more than chance."""
APART_DB = 5.0
"""A card of the zone must be so much stronger than the neighbour's, dB: the core expects 11, scattered by 4
(`core.evidence.LIES_NEAR`), and tells nothing from a difference of its own scatter."""
TWO_LEAST = 0.10
"""Two cards of one hand lie on each other: each must be read in at least so many looks, or a hand is seen as one card
for seconds."""
TAKES = {"read": (0.01, 0.99), "spread": (0.1, 100.0), "strength": (-128, 127)}
"""What a configuration takes of each figure, and the core makes use of."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """One thing that makes an antenna unfit, and what helps."""

    what: str
    help: str


@dataclass(frozen=True, slots=True)
class Result:
    """One antenna's figures; None where nothing was measured, or where the reader gives no strength."""

    antenna: Antenna
    zone: str
    layings: int
    looks: int
    reads: int = 0
    read: Estimate | None = None
    two: Estimate | None = None
    """How often each of two cards on each other is read."""
    both: float | None = None
    """In which share of looks both are."""
    strength: Estimate | None = None
    ghosts: float | None = None
    beside: Mapping[str, Estimate] = field(default_factory=dict)
    """Zone → how often this antenna reads the card that lies there."""
    beside_strength: float | None = None
    unfit: tuple[Unfit, ...] = ()

    @property
    def read_in_words(self) -> str:
        """How often it reads a card at rest: `92% ±5`, or `nothing`, where an interval would sound like a little."""
        if self.read is None:
            return "not measured"
        return f"{self.read.mean:.0%} ±{100 * self.read.half:.0f}" if self.reads else "nothing"


@dataclass(frozen=True, slots=True)
class Results:
    """A whole table."""

    antennas: tuple[Result, ...]
    kappa: Estimate | None
    """How alike layings are, α + β; None while no card was laid."""
    scatter: float | None
    """How far the strength of layings scatters, dB; None where no reader gives one."""

    def calibration(self, result: Result) -> dict[str, float | int] | None:
        """What is written down of an antenna: `[reader.calibration.N]`; None for one that was not
        measured, or never read a card."""
        if result.read is None or self.kappa is None or not result.reads:
            return None
        found: dict[str, float | int] = {
            "read": round(_within("read", result.read.mean), 3),
            "spread": round(_within("spread", self.kappa.mean), 1),
        }
        if result.strength is not None:
            found["strength"] = round(_within("strength", result.strength.mean))
        return found


def _within(name: str, value: float) -> float:
    low, high = TAKES[name]
    return min(max(value, low), high)


def results_of(table: Table, layout: Layout) -> Results:
    """The figures of all antennas that were measured at all."""
    landings, couplings = Landings(), Landings(SMALL)
    own = {antenna: _landings(each.one) for antenna, each in table.items()}
    twos = {antenna: [(laid.r, 2 * laid.n) for laid in each.two] for antenna, each in table.items()}
    near = {
        antenna: {
            zone: _landings(many)
            for zone, many in each.beside.items()
            if layout.near(zone, each.zone) and _landings(many)
        }
        for antenna, each in table.items()
    }
    strengths = {antenna: _strengths(each.one) for antenna, each in table.items()}
    kappas = landings.kappa(own.values())
    between = couplings.kappa(pair for pairs in near.values() for pair in pairs.values())
    sigma = scatter(strengths.values(), LIES.sigma)
    measured = []
    for antenna, each in table.items():
        result = Result(
            antenna,
            each.zone,
            layings=len(each.one),
            looks=sum(laid.n for laid in each.one),
            reads=sum(laid.r for laid in each.one),
            read=landings.mean(own[antenna], kappas) if each.done else None,
            two=landings.mean(twos[antenna], kappas) if each.two else None,
            both=_share(sum(laid.both for laid in each.two), sum(laid.n for laid in each.two)),
            strength=level(strengths[antenna], sigma) if strengths[antenna] else None,
            ghosts=_share(each.ghosts, each.empty),
            beside={zone: couplings.mean(pair, between) for zone, pair in near[antenna].items()},
            beside_strength=_beside_strength(each, near[antenna]),
        )
        measured.append(_judged(result))
    heard = any(strengths.values())
    return Results(tuple(measured), kappa_of(kappas) if any(own.values()) else None, sigma if heard else None)


def _landings(many: Iterable[Laid]) -> list[tuple[int, int]]:
    return [(laid.r, laid.n) for laid in many if laid.n]


def _strengths(many: Iterable[Laid]) -> list[float]:
    return [laid.strength for laid in many if laid.strength is not None]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _beside_strength(measured: Measured, near: Collection[str]) -> float | None:
    heard = [rssi for zone in near for laid in measured.beside[zone] for rssi in laid.strengths]
    return float(median(heard)) if heard else None


def _judged(result: Result) -> Result:
    return replace(result, unfit=tuple(_unfit(result)))


def _unfit(result: Result) -> Iterable[Unfit]:
    read = result.read
    if result.layings and not result.reads:
        yield Unfit(
            "reads nothing at all",
            "check plug, cable and solder joints of this antenna, and whether its number fits its zone; "
            "tablectl doctor says what its board thinks of it",
        )
        return
    if read is not None and read.mean < GOOD:
        yield Unfit(
            f"reads a card in {read.mean:.0%} of its looks, {GOOD:.0%} are needed",
            "retune it in its place (trim its capacitor); keep it off the table's metal by a ferrite sheet or 1 cm of "
            "air; bring it nearer to the felt",
        )
    for zone, rate in result.beside.items():
        if rate.mean > CROSS_MOST and rate.low > CROSS_MOST / 2:
            yield Unfit(
                f"reads a card at {zone} in {rate.mean:.0%} of its looks, {CROSS_MOST:.0%} at most are usual",
                f"move it and the antenna of {zone} apart by a card's width, make both smaller, or put a shorted loop "
                "between them; swap the two cables if this is more than its own",
            )
    level, other = result.strength, result.beside_strength
    if level is not None and other is not None and level.high - other < APART_DB:
        yield Unfit(
            f"a card of its own is only {level.mean - other:.0f} dB stronger than its neighbour's, "
            f"{APART_DB:.0f} are needed",
            "less power at this antenna, more distance to the neighbour, or a ferrite sheet below both",
        )
    if result.ghosts is not None and result.ghosts > GHOST_MOST:
        yield Unfit(
            f"reads something in {result.ghosts:.0%} of its looks while it is empty",
            "look for a card or chip under the felt; a power supply or a reader of another table may be too near",
        )
    if result.two is not None and result.two.mean < TWO_LEAST and read is not None and read.mean >= GOOD:
        yield Unfit(
            f"reads each of two cards on each other in {result.two.mean:.0%} of its looks",
            "lower its Q (larger damping resistors in series) or raise its power: two tags on each other detune "
            "one another",
        )


def strange_tags(lengths: Mapping[int, int], uids: Collection[str], decks: Iterable[Deck]) -> str | None:
    """What is wrong with the tags that were laid (field failure 11: a reader that sees four bytes of seven); None if
    they are the house's own. `lengths`: bytes → how many tags."""
    known = {uid for deck in decks for uid in (*deck.cards, *deck.jokers)}
    if not uids or not known or known & set(uids):
        return None
    usual = {len(uid) // 2 for uid in known}
    other = sorted(set(lengths) - usual)
    if other:
        said = " and ".join(map(str, sorted(usual)))
        return (
            f"tags were read with {other[0]} bytes; those of the house's decks have {said}: this reader does not read "
            "the house's cards fully, use another reader or another firmware"
        )
    return "none of the cards that were laid is in a deck of this table: calibrate with the house's own cards"
