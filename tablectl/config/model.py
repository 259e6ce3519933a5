"""The sections of a table configuration, each with its keys, what they may hold and their defaults.

Owns: the shape of every section. A field's description completes the sentence "must be …" of a fault.
Refuses: `[panel]` (`config.panel`), whether the sections fit together (`config`) and the files they name.

Times are milliseconds, pins are BCM numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, StringConstraints

from tablectl.cards import normal_uid, well_formed
from tablectl.config.drivers import DRIVERS
from tablectl.core.entries import MAX_LABEL, label
from tablectl.layout import MAX_SEATS

Game = Literal["holdem", "omaha", "omaha5", "stud5", "stud7"]
LATER_DRIVERS = ("recording",)
LANGUAGES = ("en", "nl", "it", "ru", "pl")

LAST_PIN = 27
"""The 40-pin header of a Raspberry Pi carries BCM 0 to 27."""

Pin = Annotated[int, Field(ge=0, le=LAST_PIN)]
Milliseconds = Annotated[int, Field(gt=0, le=600_000)]
Antennas = Annotated[
    Mapping[int, str],
    AfterValidator(lambda zones: MappingProxyType(dict(zones))),
    PlainSerializer(lambda zones: {str(antenna): zone for antenna, zone in zones.items()}),
]


def _tag_uid(text: str) -> str:
    uid = normal_uid(text)
    if uid is None or not well_formed(uid):
        raise ValueError("no UID")
    return uid


TagUid = Annotated[str, AfterValidator(_tag_uid)]


def _label(text: str) -> str:
    words = label(text)
    if words is None:
        raise ValueError("no name")
    return words


SeatName = Annotated[str, StringConstraints(min_length=0), AfterValidator(_label)]

if TYPE_CHECKING:
    DriverName = str
else:
    DriverName = Literal[tuple(DRIVERS)]
"""The name of a driver: whatever has an entry in `config.drivers`."""

PIN = f"a BCM pin number from 0 to {LAST_PIN}"


class Section(BaseModel):
    """Base of all sections: frozen, no unknown keys, no silent conversion ("9" is not 9)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, str_min_length=1, str_max_length=1000)


class TableSection(Section):
    """`[table]`: the table, the game and the house's rules."""

    id: str = Field(
        max_length=64,
        pattern=r"^[^/+#\x00-\x1f]+$",
        description='a short name of this table such as "T12", without / + #',
    )
    seats: int = Field(ge=2, le=10, description="the number of seats, 2 to 10")
    game: Game = Field(description="holdem, omaha, omaha5, stud5 or stud7")
    rulebook: str = Field(description="the name of a rulebook, or the path of a rulebook file (.toml)")
    language: Literal["en", "nl", "it", "ru", "pl"] = Field("en", description="en, nl, it, ru or pl")
    mode: Literal["blind", "open"] = Field(
        "blind",
        description="blind (the table does not know the cards) or open (faces known: training, demo)",
    )
    dealt_by: Literal["dealer", "players"] = Field(
        "dealer",
        description="dealer (the house's, between the last seat and the first) or players (whoever has the button)",
    )
    betting: Literal["actions", "rounds", "none"] = Field(
        "actions",
        description='actions (every action is entered), rounds (only "round closed") or none',
    )
    button_tags: tuple[TagUid, ...] = Field(
        (),
        strict=False,
        max_length=16,
        description='a list of the UIDs of the tags in the dealer button, each in hex: ["E004015012345601"]',
    )
    names: tuple[SeatName, ...] = Field(
        (),
        strict=False,
        max_length=MAX_SEATS,
        description="a list of what the display calls the players, seat 1 first, each at most "
        f'{MAX_LABEL} characters: ["Anna", "", "Ben"]',
    )
    confirms: tuple[Literal["shuffle", "cut"], ...] = Field(
        (),
        strict=False,
        max_length=2,
        description="a list of what the dealer must confirm before the first card: shuffle, cut",
    )


class DeckSection(Section):
    """`[[deck]]`: one enrolled deck."""

    file: str = Field(description="the path of the deck's file, from the folder of this configuration")
    active: bool = Field(default=False, description="true (in play) or false")


class CalibrationSection(Section):
    """`[reader.calibration.3]`: what was measured of antenna 3 of the reader above it. The defaults work."""

    read: float | None = Field(
        None,
        gt=0,
        lt=1,
        allow_inf_nan=False,
        description="a probability between 0 and 1: the mean share of looks that read a card at rest there",
    )
    spread: float | None = Field(
        None,
        gt=0,
        le=1000,
        allow_inf_nan=False,
        description="a number above 0, 1000 at most: how alike the read probabilities of cards there are, α + β",
    )
    strength: int | None = Field(
        None,
        ge=-128,
        le=127,
        description="a whole number from -128 to 127: the usual signal of a card that lies well there",
    )


Calibrations = Annotated[
    Mapping[int, CalibrationSection],
    AfterValidator(lambda figures: MappingProxyType(dict(figures))),
    PlainSerializer(
        lambda figures: {
            str(antenna): each.model_dump(mode="json", exclude_none=True) for antenna, each in figures.items()
        }
    ),
]


class ReaderSection(Section):
    """`[[reader]]`: one reader. Its number is its place in the file, counted from 0."""

    driver: DriverName = Field(
        description="one of the drivers " + ", ".join(DRIVERS), json_schema_extra={"later": [*LATER_DRIVERS]}
    )
    port: str = Field(
        pattern=r"^[^\x00]+$",
        description='the serial port, best by path: "/dev/serial/by-path/…"',
    )
    antennas: Antennas = Field(
        min_length=1, description='a table of antennas and the zones they see: { 0 = "shoe", 1 = "seat:1" }'
    )
    calibration: Calibrations = Field(
        default_factory=lambda: MappingProxyType({}),
        description="a table for each antenna that was measured, written [reader.calibration.3]",
    )


class DisplaySection(Section):
    """`[display]`: where the dealer's display is served. Loopback unless configured otherwise."""

    host: str = Field(
        "127.0.0.1", pattern=r"^[^\s/]+$", description="a host name or address such as 127.0.0.1"
    )
    port: int = Field(8080, ge=0, le=65535, description="a TCP port from 0 to 65535 (0 takes any free one)")


class JournalSection(Section):
    """`[journal]`: where the table keeps its record."""

    path: Path = Field(
        Path("journal.sqlite"),
        strict=False,
        description="the path of the journal file, from the folder of this configuration",
    )
    audit_key: Path | None = Field(
        None,
        strict=False,
        description="the path of the file with the public audit key, from the folder of this configuration "
        "(tablectl audit keygen makes it)",
    )
    part_mb: int = Field(
        256,
        ge=1,
        le=65536,
        description="a number of MiB from 1: a file of the journal that is so large is put aside as a part",
    )
    keep_mb: int = Field(
        4096,
        ge=1,
        description="a number of MiB from 1: of the parts, the oldest are removed beyond it",
    )


class FloorSection(Section):
    """`[floor]`: the floor's message broker. Read and checked now; the link comes with a later version."""

    url: str = Field(
        pattern=r"^mqtts?://[^\s/]+", description='the broker\'s address such as "mqtts://floor.example:8883"'
    )
    site: str = Field(
        max_length=64, pattern=r"^[^/+#\x00-\x1f]+$", description="a short name of the house, without / + #"
    )


class TrackerSection(Section):
    """`[tracker]`: how long the tracker waits before it believes something, ms, and how improbable a deal must be
    before it asks about the shuffle. The defaults work."""

    correct_ms: Milliseconds = Field(
        1500,
        description="a time in ms: a card that is put right this soon after it came to rest is corrected",
    )
    fold_grace_ms: Milliseconds = Field(
        3000, description="a time in ms: how late the fold may be entered after the hand reached the muck"
    )
    lost_ms: Milliseconds = Field(
        6000,
        description="a time in ms: a card that left the shoe and came to rest nowhere for this long is lost",
    )
    held_lost_ms: Milliseconds = Field(
        12000,
        description="a time in ms: one card of a hand, gone this long while the others lie there, is lost",
    )
    next_card_ms: Milliseconds = Field(
        1000,
        description="a time in ms: how long the next card may take to tell a skipped seat from a wrong one",
    )
    hand_gap_ms: Milliseconds = Field(
        800, description="a time in ms: seats and board empty for this long mean that the hand is collected"
    )
    flop_ms: Milliseconds = Field(
        900, description="a time in ms: the cards of a street count once they have lain still for this long"
    )
    shuffle_p: float | None = Field(
        None,
        ge=0,
        lt=1,
        allow_inf_nan=False,
        description="a probability from 0 to below 1: if cards come so improbably in the order in which they were "
        "picked up, the dealer is asked whether he shuffled; 0 never asks (default: 0.000001 with a shoe, else 0)",
    )
