"""The streets after the opening and their burns, from the cards that came to rest there: in flop games, the board.

Owns: which street a card belongs to, how many burns each street had, and the slips on the way.
Refuses: how sure a place is, and the remedies: what a remedy laid out anew arrives here as a `Base`. The streets of
stud, which go to the seats, are told apart by `core.stud`.

A card on a board with one antenna belongs to the street in progress until that is full; after that to the next
street if a burn came first, if the street's betting is closed or begun, or if the dealer paused; else it is one
too many. Where the board is run more than once, the streets of the next run follow those of the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tablectl.core.games import Game, Street
from tablectl.layout import BOARD_STREETS

PAUSE_MS = 2000
"""The cards of one street come to rest within this time of one another; assumption, generous."""


@dataclass(frozen=True, slots=True)
class CommunityCard:
    """A card that came to rest on the board or the burn pile (in stud, at a seat), in order of leaving the deck."""

    uid: str
    burn: bool
    zone: str
    since: int
    out: int = 0
    """When it left the deck, ms."""
    sure: bool = True
    """False for a card that is probably on the burn pile, or not located yet: it may be a burn."""


@dataclass(frozen=True, slots=True)
class Base:
    """Where the reading starts: nothing dealt, or what a remedy left behind."""

    street: int = -1
    """Index of the last street on the board; -1 before the flop."""
    counts: tuple[int, ...] = ()
    burn_paid: bool = False
    """The next street needs no burn."""
    burn_unsure: bool = False
    """A burn for the next street may have been made unseen."""
    settled: frozenset[str] = frozenset()
    """Cards that are accounted for already."""
    burns: Mapping[str, int] = field(default_factory=dict)
    """Burns made for each street until then."""
    due: Mapping[str, int] = field(default_factory=dict)
    """Burns that a street should have where a remedy changed that; elsewhere one."""
    streets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The cards that lay there, street by street."""
    last_since: int = 0
    """When the last of them came to rest, ms."""
    epoch: int = 0
    """How often the board was laid anew."""
    no_burn: frozenset[str] = frozenset()
    """Stud: streets that need no burn, or may have had theirs unseen."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One thing wrong with the board or the burns; `uid` is the card that showed it."""

    kind: str
    street: Street
    uid: str
    since: int
    count: int
    need: int
    cards: tuple[str, ...] = ()


@dataclass(slots=True)
class BoardReading:
    """The streets as read so far."""

    streets: dict[str, list[str]] = field(default_factory=dict)
    """The cards of each street, by its `key` …"""
    burns: dict[str, list[str]] = field(default_factory=dict)
    """… and the burns that were made for it."""
    slips: list[Slip] = field(default_factory=list)
    current: int = -1
    counts: dict[int, int] = field(default_factory=dict)
    burn_paid: bool = False
    opening: list[str] = field(default_factory=list)
    """Stud: the cards of the opening deal; `streets` has those of the later streets."""
    shifted: frozenset[str] = frozenset()
    """Cards that are taken for something else than what they seem to be, as long as that is not excluded."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the reading must know of the rest of the hand."""

    game: Game
    streets: tuple[Street, ...]
    """The streets as they are dealt, those that are run again included."""
    closed_before: Callable[[str, int], bool | None]
    """(betting round, t) → the round was closed by then; None if betting is not entered."""
    begun_at: Callable[[str], int | None]
    """When the first action of a betting round was entered, or its end; None if neither was."""
    dealing: Callable[[int], bool]
    """(t) → the initial deal was still on."""
    has_burn: bool
    run_out: bool = False
    """Rounds were closed in advance, because nobody could act any more."""
    playing: Callable[[Street], tuple[int, ...]] = lambda _: ()
    """Stud: (a street that has begun) → the seats that get a card of it."""
    opening: int = 0
    """Stud: how many cards the opening deal has …"""
    opening_seats: int = 0
    """… and for how many seats."""


class StreetReader:
    """Reads one card after the other; `read` tells what they were."""

    def __init__(self, context: Context, base: Base) -> None:
        self.context, self.base = context, base
        self.streets = context.streets
        # A base of a further run may stand although that run was taken back.
        laid = min(base.street, len(self.streets) - 1)
        self.out = BoardReading(current=laid, burn_paid=base.burn_paid)
        self.out.counts = dict(enumerate(base.counts))
        self.pending: list[CommunityCard] = []
        self.burn_unsure = base.burn_unsure
        self.last_since = base.last_since
        self.slips: dict[tuple[str, str], Slip] = {}
        self.supposed: dict[int, int] = {}
        """Street → how many of its cards are there because it was played, not because they were read."""

    def due(self, at: int) -> int:
        """How many cards the street has."""
        return self.streets[at].cards

    def is_complete(self, at: int) -> bool:
        """The street has all its cards."""
        return self.out.counts.get(at, 0) >= self.due(at)

    def burn(self, card: CommunityCard) -> None:
        """A card came to rest on the burn pile, or perhaps did."""
        self._catch_up(card.out)
        if self._begun_without_burn():
            if card.sure:
                self.out.burns[self.streets[self.out.current].key].append(card.uid)
            return
        if card.sure:
            self.close_short(card)
        self.pending.append(card)
        following = min(self.out.current + 1, len(self.streets) - 1)
        street = self.streets[following]
        need = 0 if self.out.burn_paid else 1
        if card.sure and sum(burn.sure for burn in self.pending) > need:
            self.slip("burn_extra", street, card, sum(burn.sure for burn in self.pending), need)

    def _begun_without_burn(self) -> bool:
        """A card of the street came too early, and the dealer left it there: now he deals the street."""
        at = self.out.current
        if at < 0 or self.is_complete(at):
            return False
        key = self.streets[at].key
        return ("premature_card", key) in self.slips and not self.out.burns.get(key)

    def street(self, card: CommunityCard) -> None:
        """A card of the streets came to rest."""
        self._catch_up(card.out)
        at = self.street_of(card)
        if at > self.out.current:
            self._open(at, card)
        elif self.supposed.get(at):
            self.supposed[at] -= 1
        else:
            self.out.counts[at] = self.out.counts.get(at, 0) + 1
            self.one_more(at, card)
        self.lay(at, card)

    def lay(self, at: int, card: CommunityCard) -> None:
        """The card belongs to that street."""
        self.out.streets.setdefault(self.streets[at].key, []).append(card.uid)
        self.last_since = max(self.last_since, card.since)

    def _catch_up(self, t: int) -> None:
        """A street whose betting was closed has been dealt, whether or not its cards could be read."""
        while self.out.current + 1 < len(self.streets):
            street = self.streets[self.out.current + 1]
            if not self.context.closed_before(street.name, t) or self.context.run_out:
                return
            self.out.current += 1
            self.out.counts[self.out.current] = self.supposed[self.out.current] = self.due(self.out.current)
            self.out.burns[street.key] = [burn.uid for burn in self.pending if burn.sure]
            self.pending = []

    def close_short(self, card: CommunityCard) -> None:
        """A burn or a card of a later street proves that the dealer is done with this one."""
        at = self.out.current
        if at >= 0 and not self.is_complete(at):
            self.slip(
                "too_few_board_cards", self.streets[at], card, self.out.counts[at], self.streets[at].cards
            )

    def close_by_betting(self) -> None:
        """So does betting on it."""
        at = self.out.current
        if at < 0 or self.is_complete(at):
            return
        street = self.streets[at]
        begun = self.context.begun_at(street.name)
        if begun is not None and begun > self.last_since:
            count = self.out.counts[at]
            self.slips["too_few_board_cards", street.key] = Slip(
                "too_few_board_cards", street, "", begun, count, street.cards
            )

    def street_of(self, card: CommunityCard) -> int:
        """The index of the street the card belongs to."""
        at = self.out.current
        if card.zone in BOARD_STREETS:
            return self._by_place(BOARD_STREETS.index(card.zone), card)
        if at < 0:
            return 0
        return at + 1 if at + 1 < len(self.streets) and self._gone_on(at, card) else at

    def _by_place(self, named: int, card: CommunityCard) -> int:
        """The street whose place that is; of its runs the one that is on, or comes next."""
        name, current = self.streets[named].name, self.out.current
        runs = [at for at, street in enumerate(self.streets) if street.name == name]
        ahead = [at for at in runs if at > current or (at == current and not self._gone_on(at, card))]
        return ahead[0] if ahead else runs[-1]

    def _gone_on(self, at: int, card: CommunityCard) -> bool:
        """The dealer was done with that street when this card came."""
        street = self.streets[at]
        awaited = not self.is_complete(at) or self.supposed.get(at)
        if awaited and not any(burn.sure for burn in self.pending):
            return False
        return bool(
            self.pending
            or self.out.burn_paid
            or self.context.closed_before(street.name, card.since)
            or self.begun_before(street.name, card.since)
            or card.since - self.last_since > PAUSE_MS
        )

    def begun_before(self, street: str, t: int) -> bool:
        """An action of that betting round, or its end, was entered by then."""
        begun = self.context.begun_at(street)
        return begun is not None and begun <= t

    def _open(self, at: int, card: CommunityCard) -> None:
        self.close_short(card)
        street = self.streets[at]
        self.out.current = at
        self.out.counts[at] = 1
        burns, self.pending = self.pending, []
        self.out.burns[street.key] = [burn.uid for burn in burns if burn.sure]
        paid, self.out.burn_paid = self.out.burn_paid, False
        unsure = self.burn_unsure or street.key in self.base.no_burn
        self.burn_unsure = False
        closed = self.context.closed_before(street.after, card.since)
        if closed is False or self.context.dealing(card.since):
            self.slip("premature_card", street, card, 1, self.due(at))
        elif not burns and not paid and self.context.has_burn and not unsure:
            self.slip("burn_missing", street, card, 0, 1)

    def one_more(self, at: int, card: CommunityCard) -> None:
        """The street got another card after its first one."""
        street = self.streets[at]
        count = self.out.counts[at]
        early = self.slips.get(("premature_card", street.key))
        if early is not None:
            # However many cards: one premature street is one slip.
            self.slip("premature_card", street, card, count, self.due(at))
        elif count > self.due(at):
            self.slip("too_many_board_cards", street, card, count, self.due(at))

    def slip(self, kind: str, street: Street, card: CommunityCard, count: int, need: int) -> None:
        """The card shows a slip, or belongs to one that another card has shown."""
        before = self.slips.get((kind, street.key))
        first = before or Slip(kind, street, card.uid, card.since, count, need)
        cards = (*(before.cards if before else ()), card.uid)
        self.slips[kind, street.key] = Slip(kind, street, first.uid, first.since, count, need, cards)


def read_cards(reader: StreetReader, cards: Sequence[CommunityCard], base: Base) -> BoardReading:
    """Reads the cards in the order in which they left the deck."""
    for card in cards:
        if card.uid in base.settled:
            continue
        if card.burn:
            reader.burn(card)
        else:
            reader.street(card)
    reader.close_by_betting()
    out = reader.out
    out.slips = list(reader.slips.values())
    if reader.pending:
        following = min(out.current + 1, len(reader.streets) - 1)
        out.burns.setdefault(reader.streets[following].key, []).extend(
            card.uid for card in reader.pending if card.sure
        )
    return out


def read_board(cards: Sequence[CommunityCard], context: Context, base: Base) -> BoardReading:
    """Reads the cards of the board and the burn pile."""
    return read_cards(StreetReader(context, base), cards, base)
