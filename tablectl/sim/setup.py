"""The table that is simulated: its antennas, its decks, and the files that a table computer needs to run it.

Owns: which board has which antenna, the tags of the decks, and how both are written down for tablectl
(`table.toml`, deck files, the first line of a recording). Refuses: checking them; `tablectl check-config`
does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from tablectl.cards import FACES, Deck
from tablectl.errors import UsageError
from tablectl.layout import BOARD, BOARD_STREETS, BURN, MAX_SEATS, MUCK, SHOE, Layout, seat_zone
from tablectl.sim.games import GAMES, Game

SPARE_FACES = ("As", "Kh", "9d", "2c")
"""The cards of which every deck has a spare copy enrolled."""
BETTING = ("actions", "rounds", "none")
MODES = ("blind", "open")
DEALT_BY = ("dealer", "players")
MAX_BOARDS = 8


@dataclass(frozen=True)
class SimDeck:
    """A deck as it was enrolled: 52 cards, a spare copy of four of them, two jokers."""

    id: str
    cards: Mapping[str, str]
    """UID → face of the 52 cards."""
    spares: Mapping[str, str]
    """UID → face of enrolled copies; one of them in the shoe makes a duplicate."""
    jokers: tuple[str, ...]
    tokens: Mapping[str, str]
    """Face → what the table computer is told instead of it."""

    @classmethod
    def enrol(cls, deck_id: str, rng: Random, mode: str) -> SimDeck:
        """A new deck with tags of its own; in a blind table the tokens are opaque."""
        uids = [f"E00401{rng.getrandbits(40):010X}" for _ in range(len(FACES) + len(SPARE_FACES) + 2)]
        faces = list(FACES)
        tokens = {face: face if mode == "open" else f"{rng.getrandbits(64):016x}" for face in faces}
        return cls(
            deck_id,
            dict(zip(uids, faces, strict=False)),
            dict(zip(uids[52:], SPARE_FACES, strict=False)),
            tuple(uids[-2:]),
            tokens,
        )

    def enrolled(self) -> Deck:
        """The deck as the table computer knows it."""
        both = {**self.cards, **self.spares}
        return Deck(self.id, {uid: self.tokens[face] for uid, face in both.items()}, frozenset(self.jokers))

    def manifest(self) -> dict[str, Any]:
        """The deck as a deck file and a recording's first line spell it."""
        deck = self.enrolled()
        return {"id": deck.id, "cards": dict(deck.cards), "jokers": sorted(deck.jokers)}


@dataclass(frozen=True, kw_only=True)
class TableSetup:
    """One simulated table. UsageError if it cannot exist."""

    id: str = "SIM1"
    seats: int = 9
    game: str = "holdem"
    dealt_by: str = "dealer"
    """Who deals: the house's dealer, or the players in turn; then stud is dealt from the button's left, too."""
    rulebook: str = "pl"
    language: str = "en"
    mode: str = "blind"
    betting: str = "actions"
    confirms: tuple[str, ...] = ("shuffle", "cut")
    boards: int = 2
    """Reader boards that share the antennas."""
    without: frozenset[str] = frozenset()
    """Zones that have no antenna, e.g. {"burn"}."""
    split_board: bool = False
    """One antenna field for each street of the board instead of one for all."""
    halves: bool = False
    """Two antennas at each seat, for its down cards and its up cards."""
    optical: bool = False
    """An optical sensor at the shoe mouth reports every card that passes."""
    deck_ids: tuple[str, ...] = ("blue", "red")
    deck_seed: int = 0
    """Decks of the same seed have the same tags."""
    antennas: Layout | None = field(default=None, compare=False)
    """The antennas, if they are not to be shared out evenly."""
    calibration: Mapping[str, float] | None = field(default=None, compare=False)
    """What the configuration says of each antenna (`sim.noise.calibration`), true or not; nothing by default."""

    def __post_init__(self) -> None:
        wrong = {
            f"seats = {self.seats}: must be 2 to {MAX_SEATS}": not 2 <= self.seats <= MAX_SEATS,
            f"boards = {self.boards}: must be 1 to {MAX_BOARDS}": not 1 <= self.boards <= MAX_BOARDS,
            f"game = {self.game!r}: must be one of {', '.join(GAMES)}": self.game not in GAMES,
            f"betting = {self.betting!r}: must be one of {', '.join(BETTING)}": self.betting not in BETTING,
            f"dealt_by = {self.dealt_by!r}: must be one of {', '.join(DEALT_BY)}": self.dealt_by
            not in DEALT_BY,
            f"mode = {self.mode!r}: must be one of {', '.join(MODES)}": self.mode not in MODES,
            "two decks at least are needed, so that one can be foreign": len(self.deck_ids) < 2,
        }
        faults = [text for text, is_so in wrong.items() if is_so]
        if faults:
            raise UsageError("; ".join(faults))

    @property
    def need(self) -> int:
        """Hole cards each seat gets."""
        return len(self.rules.faces)

    @property
    def has_button(self) -> bool:
        """The deal starts at the left of the button; else at the left of the house's dealer."""
        return self.dealt_by == "players" or not self.rules.stud

    @property
    def rules(self) -> Game:
        """The game as the dealers deal it."""
        return GAMES[self.game]

    def place(self, seat: int, *, up: bool) -> str:
        """Where a card of a seat is dealt."""
        return seat_zone(seat) + (("/up" if up else "/down") if self.halves else "")

    def opening(self, order: Sequence[int]) -> list[str]:
        """Where the cards of the opening deal go, one by one."""
        return [self.place(seat, up=up) for up in self.rules.faces for seat in order]

    @cached_property
    def decks(self) -> Mapping[str, SimDeck]:
        """The decks by id; the first is in play."""
        rng = Random(f"decks/{self.deck_seed}")  # noqa: S311 - repeatable on purpose
        return {deck_id: SimDeck.enrol(deck_id, rng, self.mode) for deck_id in self.deck_ids}

    def board_zone(self, street: str) -> str:
        """Where the cards of a street are dealt."""
        return f"board:{street}" if self.split_board else BOARD

    @cached_property
    def layout(self) -> Layout:
        """The antennas: seats in blocks, the rest where there is room.

        With three reader boards or more the last one has the shoe and the board to itself: no alarm is worth more
        air time than theirs.
        """
        if self.antennas is not None:
            return self.antennas
        shares: list[list[str]] = [[] for _ in range(self.boards)]
        board = () if self.rules.stud else BOARD_STREETS if self.split_board else (BOARD,)
        blocks, others = self.boards, [*board, MUCK, BURN, SHOE]
        if self.boards >= 3:
            blocks, others = self.boards - 1, [MUCK, BURN]
            shares[-1] = [*board, SHOE]
        for place in range(self.seats):
            zones = dict.fromkeys(self.place(place + 1, up=up) for up in (False, True))
            shares[place * blocks // self.seats].extend(zones)
        for zone in others:
            min(reversed(shares[:blocks]), key=len).append(zone)
        pairs = {
            (reader, antenna): zone
            for reader, share in enumerate(shares)
            for antenna, zone in enumerate(zone for zone in share if zone not in self.without)
        }
        return Layout(self.seats, pairs)

    def config(self, ports: Sequence[str], **sections: Mapping[str, Any]) -> dict[str, Any]:
        """The table's configuration with these serial ports; `sections` adds or replaces whole sections."""
        readers = [self._reader(number, port) for number, port in enumerate(ports)]
        table = {
            "id": self.id,
            "seats": self.seats,
            "game": self.game,
            "rulebook": self.rulebook,
            "language": self.language,
            "mode": self.mode,
            "betting": self.betting,
            "confirms": list(self.confirms),
        }
        if self.dealt_by != "dealer":
            table["dealt_by"] = self.dealt_by
        return {"table": table, **sections, "reader": readers}

    def _reader(self, number: int, port: str) -> dict[str, Any]:
        """One `[[reader]]`."""
        antennas = {
            str(antenna): zone for (of, antenna), zone in self.layout.antennas.items() if of == number
        }
        reader: dict[str, Any] = {"driver": "tablewire", "port": port, "antennas": antennas}
        if self.calibration is not None:
            reader["calibration"] = {antenna: dict(self.calibration) for antenna in antennas}
        return reader

    def recording_header(self) -> dict[str, Any]:
        """The first line of a recording of this table."""
        ports = [f"simulated/reader{number}" for number in range(self.boards)]
        return {
            "recording": 1,
            "config": self.config(ports),
            "decks": [deck.manifest() for deck in self.decks.values()],
            "active_deck": self.deck_ids[0],
        }

    def write(self, folder: Path, ports: Sequence[str], **sections: Mapping[str, Any]) -> Path:
        """Write `table.toml` and the deck files into `folder`; returns the path of the former."""
        (folder / "decks").mkdir(parents=True, exist_ok=True)
        decks = []
        for place, deck in enumerate(self.decks.values()):
            (folder / "decks" / f"{deck.id}.toml").write_text("\n".join(_toml(deck.manifest())) + "\n")
            decks.append({"file": f"decks/{deck.id}.toml", "active": place == 0})
        config = self.config(ports, **sections)
        path = folder / "table.toml"
        path.write_text("\n".join(_toml({**config, "deck": decks})) + "\n")
        return path


def _toml(table: Mapping[str, Any], prefix: str = "") -> Iterable[str]:
    """A table as lines of TOML: plain values first, then its sections, then its lists of tables."""
    for key, value in table.items():
        if not _is_section(value):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from ("", f"[{prefix}{_key(key)}]", *_toml(value, f"{prefix}{_key(key)}."))
        elif _is_section(value):
            for item in value:
                yield from ("", f"[[{prefix}{_key(key)}]]", *_toml(item, f"{prefix}{_key(key)}."))


def _is_section(value: object) -> bool:
    is_list = isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)
    return isinstance(value, Mapping) or is_list


def _key(key: str) -> str:
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isascii() and plain.isalnum() else _value(key)


def _value(value: object) -> str:
    # JSON's strings, numbers, booleans and lists of them are TOML's, too.
    return json.dumps(value, ensure_ascii=False)
