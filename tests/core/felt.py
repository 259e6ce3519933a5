"""A felt for tests of behaviour: cards are put down, pushed and picked up, the dealer enters things, time passes.

It makes what the readers would send (`core.sensed`) and hands it to a real `Table`, so that a test reads like
the story it tells: cards in, decisions out. Everything is exact and without noise; noise is the simulator's job.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from tablectl.cards import FACES, Deck
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Entry, Found, Lost, Passage, Seen, Sensed, Sweep
from tablectl.core.settings import Calibration, Setting, Timing
from tablectl.core.table import Table
from tablectl.layout import Layout, seat_zone
from tablectl.rulebooks import load

CYCLE_MS = 50
ZONES = ("shoe", "board", "burn", "muck")


def uid(number: int) -> str:
    """The UID of the test deck's n-th card."""
    return f"E0040150{number:08X}"


DECK = Deck("blue", {uid(n): face for n, face in enumerate(FACES)}, frozenset({uid(100), uid(101)}))
RED = Deck("red", {uid(200 + n): face for n, face in enumerate(FACES)})
TWIN = uid(102)
"""A second tag with the token of card 0."""
DECK_WITH_TWIN = Deck("blue", {**DECK.cards, TWIN: DECK.cards[uid(0)]}, DECK.jokers)


class Felt:
    """One table and a stub of cards in order; one reader has every antenna but those of the zones `apart`.

    With `halves` every seat has two, for its down cards and its up cards.
    """

    def __init__(
        self,
        seats: int = 6,
        *,
        betting: str = "actions",
        zones: Iterable[str] = ZONES,
        deck: Deck = DECK,
        book: str = "pl",
        timing: Timing | None = None,
        confirms: Iterable[str] = (),
        game: str = "holdem",
        mode: str = "blind",
        apart: Iterable[str] = (),
        halves: bool = False,
        calibration: Mapping[str, Calibration] | None = None,
        optical: bool = False,
        shuffle_p: float = 0.0,
        dealt_by: str = "dealer",
        button_tags: Iterable[str] = (),
        looked: bool = True,
    ) -> None:
        parts = ("/down", "/up") if halves else ("",)
        names = [*zones, *(seat_zone(n) + part for n in range(1, seats + 1) for part in parts)]
        self.antennas = {(int(zone in set(apart)), number): zone for number, zone in enumerate(names)}
        layout = Layout(seats, self.antennas)
        setting = Setting(
            id="T1", layout=layout, game=game, rulebook=book, mode=mode, betting=betting,  # type: ignore[arg-type]
            confirms=frozenset(confirms), decks=(deck, RED), active_deck="blue", timing=timing or Timing(),
            calibration=calibration or {}, shuffle_p=shuffle_p, dealt_by=dealt_by,  # type: ignore[arg-type]
            button_tags=frozenset(button_tags),
        )  # fmt: skip
        self.table = Table(setting, load(book))
        self.optical = optical
        self.t = 0
        self.lying: dict[str, str] = {}
        self.stub = [uid(n) for n in range(52)]
        self.dealt: list[str] = []
        self.decisions: list[Decision] = []
        self.events: list[Sensed] = []
        self.blind: set[str] = set()
        self.lost: set[int] = set()
        # The readers have looked at the empty table before the first card comes, unless a test wants them not to.
        for reader in sorted({reader for reader, _ in self.antennas}) if looked else ():
            self._take(Sweep(0, reader, tuple(number for r, number in self.antennas if r == reader), ()))
        self.enter("seats", eligible=list(range(1, seats + 1)))
        self.enter("button", seat=seats)

    def _take(self, event: Sensed) -> None:
        self.events.append(event)
        self.decisions += self.table.step(event)

    # --- time ----------------------------------------------------------------------------------------------

    def wait(self, ms: int) -> Self:
        """Time passes; the readers sweep every 50 ms."""
        for _ in range(max(1, ms // CYCLE_MS)):
            self.t += CYCLE_MS
            self._sweep()
        return self

    def _sweep(self) -> None:
        for reader in sorted({reader for reader, _ in self.antennas} - self.lost):
            mine = {number: zone for (r, number), zone in self.antennas.items() if r == reader}
            looked = {number: zone for number, zone in mine.items() if zone not in self.blind}
            seen = []
            for number, zone in looked.items():
                seen += [Seen(number, card, dbm) for card, dbm in self.read_in(zone)]
                if zone == "shoe" and self.stub and self.stub[0]:
                    seen.append(Seen(number, self.stub[0], -40))
            self._take(Sweep(self.t, reader, tuple(looked), tuple(seen)))

    def read_in(self, zone: str) -> list[tuple[str, int]]:
        """What one look at the zone reads of the cards on the felt: each with its strength, dBm."""
        return [(card, -40) for card, at in self.lying.items() if at == zone]

    # --- cards ---------------------------------------------------------------------------------------------

    def deal(self, zone: str | int, wait: int = 400, face: str = "down") -> str:
        """The next card leaves the shoe and comes to rest in the zone (a seat number names a seat)."""
        card = self.stub.pop(0)
        self.t += 100
        self.passes(face)
        if card:
            self.dealt.append(card)
            self.put(card, zone)
        self.wait(wait)
        return card

    def passes(self, face: str | None = "down") -> Felt:
        """The optical sensor at the mouth of the shoe, if there is one, sees a card go by."""
        if self.optical:
            reader, antenna = next(at for at, zone in self.antennas.items() if zone == "shoe")
            self._take(Passage(self.t, reader, antenna, face))  # type: ignore[arg-type]
        return self

    def strip(self, ahead: int = 0) -> Felt:
        """The tag of the next card (or of one behind it) is torn off: no antenna reads it any more."""
        self.stub[ahead] = ""
        return self

    def put(self, card: str, zone: str | int | None) -> None:
        """A card is put down somewhere, or picked up off every antenna (None)."""
        if zone is None:
            self.lying.pop(card, None)
        else:
            self.lying[card] = seat_zone(zone) if isinstance(zone, int) else zone

    def deal_round(self, seats: Iterable[int]) -> Self:
        """One card to each of the seats."""
        for seat in seats:
            self.deal(seat)
        return self

    def deal_all(self, rounds: int = 2) -> Self:
        """A correct deal."""
        for _ in range(rounds):
            self.deal_round(self.table.setup.order())
        return self

    def flop(self, cards: int = 3, *, burn: bool = True) -> Self:
        """Burn and flop."""
        if burn:
            self.deal("burn")
        for _ in range(cards):
            self.deal("board", wait=100)
        return self.wait(1300)

    def street(self, *, burn: bool = True) -> Self:
        """Burn and one board card."""
        if burn:
            self.deal("burn")
        self.deal("board")
        return self.wait(500)

    def at(self, zone: str | int) -> list[str]:
        """The cards that lie in the zone."""
        name = seat_zone(zone) if isinstance(zone, int) else zone
        return [card for card, where in self.lying.items() if where == name]

    def move(self, start: str | int, end: str | int | None) -> Self:
        """All cards of one zone go to another."""
        for card in self.at(start):
            self.put(card, end)
        return self

    def into_stub(self, cards: Iterable[str], at: int = 0) -> Self:
        """Cards are taken up and shuffled into the stub; the first of them comes to lie at that place in it."""
        for card in cards:
            self.put(card, None)
            self.stub.insert(at, card)
            at += 7
        return self.wait(3000)

    def collect(self) -> Self:
        """The dealer gathers everything; the deck goes back to the shoe."""
        self.lying.clear()
        self.stub = [*self.stub, *self.dealt]
        self.dealt = []
        self.stub.sort()
        return self.wait(3000)

    # --- the dealer ----------------------------------------------------------------------------------------

    def enter(self, do: str, **args: Any) -> Self:
        """An input."""
        self._take(Entry(self.t, do, args))
        return self

    def acts(self, *actions: tuple[int, str]) -> Self:
        """Actions in turn; a fold pushes the cards to the muck."""
        for seat, action in actions:
            self.enter("action", seat=seat, action=action)
            if action == "fold":
                for zone in ("", "/down", "/up"):
                    self.move(f"seat:{seat}{zone}", "muck")
            self.wait(300)
        return self

    def call_round(self) -> Self:
        """Everybody who must act calls or checks."""
        closed = len(self.table.hand.betting.closed) if self.table.hand else 0
        while self.table.hand and len(self.table.hand.betting.closed) == closed:
            seat = self.table.hand.betting.to_act
            assert seat is not None
            self.acts((seat, "check"))
        return self

    def lose_reader(self, reader: int = 0) -> Self:
        """A reader is unplugged."""
        self.lost.add(reader)
        self._take(Lost(self.t, reader))
        return self

    def find_reader(self, reader: int = 0) -> Self:
        """A reader is back."""
        self.lost.discard(reader)
        self._take(Found(self.t, reader))
        return self

    # --- what came of it -----------------------------------------------------------------------------------

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The decisions of one type, as JSON."""
        return [d.as_json() for d in self.decisions if d.type == kind]

    def kinds(self) -> list[str]:
        """The kinds of the confirmed irregularities, in order."""
        return [d["kind"] for d in self.of("irregularity")]

    def rulings(self) -> list[tuple[str | None, str]]:
        """(rule, verdict) of every ruling, in order."""
        return [(d["rule"], d["verdict"]) for d in self.of("ruling")]
