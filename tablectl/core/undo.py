"""Taking back inputs: what each of the last ones changed, so that exactly that can be changed back.

Owns: the inputs that can be taken back, and what of the table an input can change.
Refuses: the cards. What the antennas saw since an input stands, whatever was entered before it: a field is put back
only if it still holds what the input made of it, and of a collection only what the input put in or took out.

An input that changed nothing is not among them: "undo" takes back the last one that did something.

What was entered between two hands was entered for the next one: a wrong button shows itself with the first card. So it
can be taken back until that hand's deal is done, and the hand goes on as if it had begun so (`hands.begin_anew`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from tablectl.core import hands
from tablectl.core.decisions import Decision, HandEvent
from tablectl.core.entered import Entered, Setup
from tablectl.core.retold import taken_back

if TYPE_CHECKING:
    from tablectl.core.betting import Betting
    from tablectl.core.card import Card
    from tablectl.core.hand import Hand
    from tablectl.core.sensed import Entry
    from tablectl.core.table import Table

DEPTH = 50
"""How many inputs can be taken back."""

OF_TABLE = (
    "setup", "held", "game", "deck", "language", "names", "night", "dealer", "dealers", "floor_called", "redeal",
)  # fmt: skip
OF_HAND = (
    "ended", "last_action_at", "base", "board_suspended", "cards", "returned", "pinned", "corrected",
)  # fmt: skip
OF_THE_START = frozenset({"setup", "held", "game", "deck", "straddles"})
"""What a hand begins with."""
OF_CARD = ("held", "removed", "counts_in", "landing")
OF_ENTRY = ("open", "acknowledged", "overridden", "ruling", "remedy")
OF_REMEDY = ("started", "complete", "dealt", "done", "laid", "burnt", "given")
ENTERED = tuple(each.name for each in fields(Entered))

Cells = dict[tuple[int, str], tuple[Any, Any]]
"""(whose, which field) → (the object, a copy of what it holds)."""


@dataclass(frozen=True, slots=True)
class Change:
    """One field, before and after an input."""

    owner: Any
    name: str
    before: Any
    after: Any

    def take_back(self) -> None:
        """Puts it back, as far as nothing else has changed it since."""
        now = getattr(self.owner, self.name)
        if isinstance(self.before, Setup) and isinstance(self.after, Setup):
            changed = (each.name for each in fields(Setup))
            mine = {name: getattr(self.before, name) for name in changed if self._mine(name, now)}
            setattr(self.owner, self.name, replace(now, **mine))
        elif isinstance(self.before, dict | list | set) and isinstance(self.after, type(self.before)):
            _UNMIX[type(self.before)](now, self.before, self.after)
        elif now is self.after or now == self.after:
            setattr(self.owner, self.name, self.before)

    def _mine(self, name: str, now: Setup) -> bool:
        """That part of it the input changed, and nothing else since."""
        after = getattr(self.after, name)
        return bool(getattr(self.before, name) != after == getattr(now, name))


def _unmix_dict(now: dict[Any, Any], before: dict[Any, Any], after: dict[Any, Any]) -> None:
    for key in after.keys() - before.keys():
        if key in now and now[key] is after[key]:
            del now[key]
    for key, value in before.items():
        if key not in after:
            now.setdefault(key, value)
        elif after[key] is not value and now.get(key) is after[key]:
            now[key] = value


def _unmix_list(now: list[Any], before: list[Any], after: list[Any]) -> None:
    for each in _without(after, before):
        if each in now:
            now.remove(each)
    now += _without(before, after)


def _without(one: list[Any], other: list[Any]) -> list[Any]:
    """What is in the one list and not in the other, each as often as it is there more often."""
    left = list(one)
    for each in other:
        if each in left:
            left.remove(each)
    return left


def _unmix_set(now: set[Any], before: set[Any], after: set[Any]) -> None:
    now -= after - before
    now |= before - after


_UNMIX: Mapping[type, Any] = {dict: _unmix_dict, list: _unmix_list, set: _unmix_set}


@dataclass(frozen=True, slots=True)
class Look:
    """What inputs may change, as it is at one moment."""

    cells: Cells
    hand: Hand | None
    betting: Betting | None
    seated: Setup | None

    @classmethod
    def at(cls, table: Table) -> Look:
        """The table as it is now. Costs some hundred small copies, whatever the table holds besides."""
        hand = table.hand
        return cls(
            cells={(id(owner), name): (owner, _copied(getattr(owner, name))) for owner, name in _all(table)},
            hand=hand,
            betting=hand.betting if hand else None,
            seated=hand.setup if hand else None,
        )

    def changes_until(self, after: Look) -> Iterator[Change]:
        """What became different; objects that came or went between are no change of a field."""
        for key, (owner, value) in after.cells.items():
            if key in self.cells and not _same(self.cells[key][1], value):
                yield Change(owner, key[1], self.cells[key][1], value)


def _all(table: Table) -> Iterator[tuple[Any, str]]:
    yield from ((table, name) for name in OF_TABLE)
    yield from ((table.entered, name) for name in ENTERED)
    yield table.button, "entered_at"
    yield table.shoe, "cards"
    yield table.handover, "ended_at"
    if table.hand is not None:
        yield from _of_hand(table.hand)
    if table.docket is not None:
        yield table.docket, "answers"
        for entry in table.docket.entries:
            yield from ((entry, name) for name in OF_ENTRY)
            if entry.remedy is not None:
                yield from ((entry.remedy, name) for name in OF_REMEDY)


def _of_hand(hand: Hand) -> Iterator[tuple[Any, str]]:
    yield from ((hand, name) for name in OF_HAND)
    yield hand.opening, "closed_at"
    yield from ((hand.entered, name) for name in ENTERED)
    for card in (*hand.cards.values(), *hand.returned):
        yield from ((card, name) for name in OF_CARD)


def _copied(value: Any) -> Any:
    return type(value)(value) if isinstance(value, dict | list | set) else value


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(one[key] is other[key] for key in one)
    return one is other or bool(one == other)


@dataclass(frozen=True, slots=True)
class Given:
    """One input that was taken, and all that it changed."""

    entry: Entry
    before: Look
    after: Look
    changes: tuple[Change, ...]
    between: bool
    """No hand was being played once it was taken."""

    @property
    def for_next(self) -> bool:
        """It was entered between two hands, for the next one."""
        return self.between and self.entry.do != "hand_end"

    @property
    def did_something(self) -> bool:
        """Anything is different for it."""
        before, after = self.before, self.after
        return bool(self.changes) or before.betting != after.betting or before.seated != after.seated

    def left(self, table: Table) -> list[Change]:
        """What of it can still be taken back: of a hand that is gone nothing, and not that it came to its end."""
        hand = self.before.hand or self.after.hand
        if hand is None or hand is table.hand:
            return list(self.changes)
        ended = self.after.hand is None or any(change.name == "ended" for change in self.changes)
        lasting: tuple[Any, ...] = (table.entered, table.button, table.shoe)
        if table.hand is not None and table.hand.being_dealt:
            lasting = (*lasting, table.hand.entered)  # what was entered for it
        owners = {id(owner) for owner in (lasting if ended else (table, *lasting))}
        return [change for change in self.changes if id(change.owner) in owners]


class Undo:
    """The inputs that can be taken back."""

    def __init__(self) -> None:
        self._given: list[Given] = []
        self._hand: Hand | None = None
        self._for_it = 0
        """How many of the first of them were entered before this hand, for it."""

    def begin(self, hand: Hand) -> None:
        """Another hand has begun: what was entered in the last one stays, what was entered for this one is kept."""
        if self._hand is not None and self._hand.announced:
            del self._given[: self._for_it]
        self._given = [each for each in self._given if each.for_next]
        self._hand, self._for_it = hand, len(self._given)

    def keep(self, entry: Entry, before: Look, table: Table) -> None:
        """The input was taken, and all that follows from it at once."""
        after = Look.at(table)
        between = table.hand is None or table.hand.ended
        given = Given(entry, before, after, tuple(before.changes_until(after)), between)
        if given.did_something:
            self._given.append(given)
            beyond = max(0, len(self._given) - DEPTH)
            del self._given[:beyond]
            self._for_it = max(0, self._for_it - beyond)

    def last(self, table: Table) -> Entry | None:
        """The input that would be taken back now; None if there is none."""
        at = self._last(table)
        return self._given[at].entry if at >= 0 else None

    def take_back(self, table: Table) -> list[Decision]:
        """Takes back the last input that did something; tells what is other than it was told."""
        at = self._last(table)
        if at < 0:
            return []
        given = self._given[at]
        del self._given[at:]
        early, self._for_it = at < self._for_it, min(at, self._for_it)
        return _take_back(given, table, self._hand if early else None)

    def _last(self, table: Table) -> int:
        """Where it is in the list; -1 if there is none."""
        return next((at for at in reversed(range(len(self._given))) if self._can_be(at, table)), -1)

    def _can_be(self, at: int, table: Table) -> bool:
        given, hand = self._given[at], self._hand
        if at < self._for_it and hand is not None and not (hand.being_dealt and hand is table.hand):
            # A hand that came to nothing before its first card was sure leaves what was entered for the next one.
            return not hand.announced and hand is not table.hand and bool(given.left(table))
        return bool(given.left(table)) or (given.after.hand is not None and given.after.hand is table.hand)


def _take_back(given: Given, table: Table, begun: Hand | None) -> list[Decision]:
    """`begun` is the hand that the input was given for, if that has begun since."""
    hand = table.hand if table.hand in {given.after.hand, begun} else None
    deck, ended, betting = table.deck, hand is not None and hand.ended, hand.betting if hand else None
    stays = _dealt_anew(given, hand) if hand is not None else {}
    kept = {*stays, *_gone_on(given)}
    changes = [each for each in given.left(table) if id(each.owner) not in kept]
    for change in changes:
        if change.name not in OF_ENTRY:
            change.take_back()
    if hand is None or betting is None:
        return []
    if hand is begun:
        _begin_anew(changes, hand, table)
    else:
        hand.returned += [card for card in stays.values() if card not in hand.returned]
        _enter_anew(given, hand, betting, table)
    if deck is not table.deck:
        table.sort_again()
    out: list[Decision] = []
    if ended and not hand.ended:
        seats, button = hand.order, hand.setup.button
        out.append(HandEvent(t=table.now, event="resumed", hand=hand.number, button=button, seats=seats))
    if table.docket is not None:
        out += taken_back(table.docket, changes, table.now, anew=bool(out))
    return out


def _begin_anew(changes: list[Change], hand: Hand, table: Table) -> None:
    for change in changes:
        if change.name == "game" and hand.game is change.after:
            hand.replay(table.game)
    if any(change.name in OF_THE_START for change in changes):
        hands.begin_anew(table, hand)


def _gone_on(given: Given) -> set[int]:
    """Remedies that have gone on since: what the cards did then shows that the step was done."""
    return {
        id(change.owner)
        for change in given.changes
        if change.name == "done" and change.owner.done != change.after
    }


def _dealt_anew(given: Given, hand: Hand) -> dict[int, Card]:
    """Cards that the input put into the deck, and that came from it again since: they were put there."""
    key = id(hand), "cards"
    if key not in given.before.cells or key not in given.after.cells:
        return {}
    (_, was), (_, became) = given.before.cells[key], given.after.cells[key]
    return {
        id(card): card
        for uid, card in was.items()
        if uid not in became and uid in hand.cards and hand.cards[uid] is not card
    }


def _enter_anew(given: Given, hand: Hand, now: Betting, table: Table) -> None:
    """Who plays and who acted, as it was; hands that were killed since stay dead, if the player is not back by it."""
    before, after = given.before, given.after
    if before.seated is not None and after.seated is not None and before.seated != hand.setup == after.seated:
        hand.reseat(before.seated)
        hand.button_due = hands.button_due(table, before.seated)
    if before.betting is None or after.betting is None or before.betting == after.betting:
        return
    back = after.seated.absent - hand.setup.absent if after.seated is not None else frozenset()
    betting = before.betting
    for seat, t in now.killed.items():
        if seat not in after.betting.killed and seat not in back:
            betting = betting.kill(t, seat)
    hand.betting = betting
