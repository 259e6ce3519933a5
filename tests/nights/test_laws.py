"""Laws of the tracker as a whole, on simulated evenings: what must hold whatever was read, lost or late.

Each evening is simulated once. A law about a change (frames in another order, a read that is missing, another clock)
plays the same evening again with that change, and compares what the table concluded.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.cards import Deck
from tablectl.config import Config, from_recording
from tablectl.core.decisions import Deal, Decision, HandEvent, Irregularity
from tablectl.core.hand import Hand
from tablectl.core.sensed import Gap, Sensed, Sweep
from tablectl.core.table import Table
from tablectl.layout import BOARD, BURN, MUCK, is_board, seat_zone
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

CLEAN = "clean*3"
SLIPS = "clean, wrong_seat:next+deal_on, premature_card@turn+deal_on, too_many_cards:after+deal_on, burn_missing@river"
LATE_MS = 20
"""So much later than another board's a frame may come (spec: 2–20 ms on the line)."""
TOLD_MS = 150
"""So much sooner or later the same may be told then: the next look at a quiet zone comes that late."""
LANDING_MS = 600
PAUSE_MS = 2000
"""The reads of a card's first moments in a zone, after a pause, decide where it lies."""
TRIALS = 3
"""Each takes away several sightings of every hand."""
BETWEEN_LOOKS = 10
"""The view is looked at after so many frames, and after each decision."""


@dataclass(frozen=True)
class Evening:
    """One simulated evening: what was sensed, and what was true."""

    config: Config
    events: tuple[Sensed, ...]
    truth: Truth

    @classmethod
    def of(cls, noise: str, seats: int, boards: int, steps: str, seed: int = 1) -> Evening:
        """The evening of these hands; the same arguments give the same one."""
        truth = Truth()
        setup = TableSetup(seats=seats, boards=boards, rulebook="pl")
        lines = generate(setup, script.parse(steps), preset(noise), seed=seed, truth=truth)
        head, events = recording.from_objects(next(lines), lines, strict=True)
        return cls(from_recording(head.config, head.decks, head.active_deck), tuple(events), truth)

    def play(self, events: Iterable[Sensed] | None = None) -> list[Decision]:
        """What a fresh table concludes, from other events than the evening's own if they are given."""
        table = table_of(self.config)
        return [made for event in (self.events if events is None else events) for made in table.step(event)]

    @cached_property
    def decisions(self) -> list[Decision]:
        """What a fresh table concludes."""
        return self.play()

    @cached_property
    def out(self) -> Mapping[int, list[tuple[int, str]]]:
        """(ms, UID) of the cards that truly left the shoe, by hand."""
        cards: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for event in self.truth.of("out"):
            cards[event["hand"]].append((event["t"], event["uid"]))
        return cards


def _name(table: tuple[str, int, int]) -> str:
    return "{}_{}_seats_{}_boards".format(*table)


@pytest.fixture(scope="module", params=[("light", 10, 4), ("heavy", 9, 3), ("heavy", 6, 2)], ids=_name)
def clean(request: pytest.FixtureRequest) -> Evening:
    """Three hands without a slip."""
    noise, seats, boards = request.param
    return Evening.of(noise, seats, boards, CLEAN)


@pytest.fixture(scope="module", params=[("light", 10, 4), ("heavy", 8, 2)], ids=_name)
def slips(request: pytest.FixtureRequest) -> Evening:
    """Four slips, after three of which the dealer deals on, and a clean hand before them."""
    noise, seats, boards = request.param
    return Evening.of(noise, seats, boards, SLIPS)


def told(decisions: Iterable[Decision]) -> list[tuple[Any, ...]]:
    """What the confirmed irregularities say of themselves, and when, in order."""
    return [
        (d.kind, d.seat, d.expected, d.k, d.street, d.t)
        for d in decisions
        if isinstance(d, Irregularity) and d.type == "irregularity"
    ]


# A card is in one place ---------------------------------------------------------------------------------------


def test_a_card_is_in_one_place(clean: Evening) -> None:
    """At any moment the view counts each card that lies somewhere once, and never more cards than are out."""
    table, started, looked = table_of(clean.config), 0, 0
    for number, event in enumerate(clean.events):
        decided = table.step(event)
        started += sum(isinstance(made, HandEvent) and made.event == "start" for made in decided)
        hand = table.hand
        if hand is not None and hand.announced and (decided or number % BETWEEN_LOOKS == 0):
            looked += 1
            out = sum(t <= table.now for t, _ in clean.out[started])
            assert _counted_once(table, hand) <= out, f"t = {table.now}"
            # The next card may look as if it had left the shoe when it has not yet.
            assert len(hand.cards) <= out + 1, f"t = {table.now}"
    assert looked > 1000


def _counted_once(table: Table, hand: Hand) -> int:
    """How many cards the view shows."""
    view = table.view()
    shown = {seat_zone(seat["seat"]): seat["cards"] for seat in view["seats"]}
    shown |= {BOARD: view["board"], BURN: view["burn"], MUCK: view["muck"]}
    assert all(uid == card.uid for uid, card in hand.cards.items())
    # A hole card that the board's antenna reads is shown across the table; it is none of the board's.
    across = [card for card in hand.cards.values() if card.zone and is_board(card.zone) and card.owner]
    lying = Counter(card.zone for card in hand.cards.values() if card not in across)
    assert shown == {zone: lying[zone] for zone in shown}, f"t = {table.now}"
    elsewhere = sum(count for zone, count in lying.items() if zone not in shown)
    assert sum(shown.values()) + elsewhere + len(across) == len(hand.cards), f"t = {table.now}"
    return sum(shown.values())


# Cards are conserved ------------------------------------------------------------------------------------------


def test_cards_are_conserved(clean: Evening) -> None:
    """Every card of a hand was enrolled and truly left the shoe; k numbers them without a gap or a double."""
    table = table_of(clean.config)
    deck = table.deck
    assert deck is not None
    deals: dict[int, list[Deal]] = defaultdict(list)
    truly = iter(clean.out.values())
    for event in clean.events:
        before = table.hand
        for made in table.step(event):
            hand = before or table.hand
            assert hand is not None
            if isinstance(made, Deal):
                deals[hand.number].append(made)
            elif isinstance(made, HandEvent) and made.event == "end":
                _conserved(made, hand, deals.pop(made.hand))
                assert hand.cards.keys() <= {uid for _, uid in next(truly)}
                assert {uid: card.token for uid, card in hand.cards.items()}.items() <= deck.cards.items()
    assert not deals
    assert not list(truly)


def _conserved(end: HandEvent, hand: Hand, deals: list[Deal]) -> None:
    ks = sorted(deal.k for deal in deals)
    assert ks == list(range(1, len(hand.cards) + 1))
    assert [k for k, _ in end.sequence or ()] == ks
    assert sum((end.counts or {}).values()) == len(ks)


# Frames out of order ------------------------------------------------------------------------------------------


def test_frames_of_different_boards_may_change_places(slips: Evening) -> None:
    """Each frame comes up to 20 ms later, so that boards overtake one another: the same is told, as soon."""
    before, after = told(slips.decisions), told(slips.play(_delayed(slips.events, Random(1))))
    assert before
    assert [slip[:-1] for slip in after] == [slip[:-1] for slip in before]
    assert [b[-1] for b in before] == pytest.approx([a[-1] for a in after], abs=TOLD_MS, rel=0)


def _delayed(events: Iterable[Sensed], rng: Random) -> list[Sensed]:
    """The order within one board stays, and so does the moment at which a tag was read."""
    last: dict[int, int] = defaultdict(int)
    late: list[Sensed] = []
    for event in events:
        if isinstance(event, Sweep | Gap):
            t = last[event.reader] = max(event.t + rng.randint(0, LATE_MS), last[event.reader])
            by = t - event.t
            if isinstance(event, Sweep):
                seen = tuple(replace(each, age=each.age + by) for each in event.seen)
                late.append(replace(event, t=t, seen=seen))
            else:
                late.append(replace(event, t=t))
        else:
            late.append(event)
    return sorted(late, key=lambda event: event.t)


# What is missing accuses nobody -------------------------------------------------------------------------------


@pytest.mark.parametrize("trial", range(TRIALS))
def test_a_read_that_is_missing_accuses_nobody(clean: Evening, trial: int) -> None:
    """A dozen reads are taken away, most of them where a card comes to rest; the looks stay, as misses."""
    rng = Random(trial)
    gone = set(rng.choices(_landings(clean.events), k=9) + rng.choices(_reads(clean.events), k=3))
    events = list(clean.events)
    for at, place in gone:
        event = events[at]
        assert isinstance(event, Sweep)
        # Another one may be gone from this sweep already, so the place counts in the original.
        original = clean.events[at].seen[place]  # type: ignore[union-attr]
        events[at] = replace(event, seen=tuple(seen for seen in event.seen if seen is not original))
    _accuses_nobody_else(clean, events)


@pytest.mark.parametrize("trial", range(TRIALS))
def test_a_frame_that_is_missing_accuses_nobody(clean: Evening, trial: int) -> None:
    """A dozen sweeps are lost, most of them where a card comes to rest."""
    rng = Random(trial)
    gone = {
        at for at, _ in rng.choices(_landings(clean.events), k=9) + rng.choices(_reads(clean.events), k=3)
    }
    _accuses_nobody_else(clean, _without(clean.events, gone))


@pytest.mark.parametrize("trial", range(TRIALS))
def test_one_frame_in_a_hundred_that_is_missing_accuses_nobody(clean: Evening, trial: int) -> None:
    """They are lost anywhere in the evening."""
    sweeps = [at for at, event in enumerate(clean.events) if isinstance(event, Sweep)]
    gone = set(Random(trial).sample(sweeps, len(sweeps) // 100))
    _accuses_nobody_else(clean, _without(clean.events, gone))


def _accuses_nobody_else(evening: Evening, events: Iterable[Sensed]) -> None:
    new = {slip[:-1] for slip in told(evening.play(events))} - {slip[:-1] for slip in told(evening.decisions)}
    assert new == set()


def _reads(events: Iterable[Sensed]) -> list[tuple[int, int]]:
    """(event, place in it) of every read."""
    sweeps = [(at, event) for at, event in enumerate(events) if isinstance(event, Sweep)]
    return [(at, place) for at, event in sweeps for place in range(len(event.seen))]


def _landings(events: tuple[Sensed, ...]) -> list[tuple[int, int]]:
    """The same of the reads in a card's first moments at an antenna, after a pause."""
    first: dict[tuple[int, int, str], int] = {}
    last: dict[tuple[int, int, str], int] = {}
    found = []
    for at, place in _reads(events):
        event = events[at]
        assert isinstance(event, Sweep)
        key = (event.reader, event.seen[place].antenna, event.seen[place].uid)
        if event.t - last.get(key, -PAUSE_MS) >= PAUSE_MS:
            first[key] = event.t
        last[key] = event.t
        if event.t - first[key] <= LANDING_MS:
            found.append((at, place))
    return found


def _without(events: Iterable[Sensed], gone: set[int]) -> Iterator[Sensed]:
    """The events without some sweeps; the next frame of the same board shows the gap."""
    lost: set[int] = set()
    for at, event in enumerate(events):
        if at in gone:
            lost.add(event.reader)  # type: ignore[union-attr]
            continue
        if isinstance(event, Sweep) and event.reader in lost:
            lost.discard(event.reader)
            yield Gap(event.t, event.reader)
        yield event


# Another clock, other tags, a longer night --------------------------------------------------------------------


def test_another_clock_changes_nothing(slips: Evening) -> None:
    """The same evening ten hours and 7 ms later: the same decisions, that much later."""
    by = 36_000_007
    after = slips.play(replace(event, t=event.t + by) for event in slips.events)
    later = [replace(made, t=made.t + by) for made in slips.decisions]
    assert after == [replace(d, seen_at=d.seen_at + by) if isinstance(d, Deal) else d for d in later]


def test_other_tags_change_nothing(slips: Evening) -> None:
    """The same evening with other UIDs and other tokens, whose order is another one, too: the same decisions."""
    rng = Random(1)
    names: dict[str, str] = defaultdict(lambda: f"{rng.getrandbits(64):016X}")
    decks = tuple(
        Deck(
            deck.id,
            {names[uid]: names[token] for uid, token in deck.cards.items()},
            frozenset(names[uid] for uid in deck.jokers),
        )
        for deck in slips.config.decks
    )
    events = [
        replace(event, seen=tuple(replace(seen, uid=names[seen.uid]) for seen in event.seen))
        if isinstance(event, Sweep)
        else event
        for event in slips.events
    ]
    assert (
        Evening(replace(slips.config, decks=decks), tuple(events), slips.truth).decisions == slips.decisions
    )


def test_the_table_remembers_no_more_after_a_long_night() -> None:
    """Five hands, played five times over: after 25 hands the table holds no more objects than after ten."""
    evening = Evening.of("light", 6, 2, "clean, wrong_seat:next, clean, premature_card@turn, clean")
    table, night_ms = table_of(evening.config), evening.events[-1].t + 3000
    sizes = []
    for times in range(5):
        for event in evening.events:
            table.step(replace(event, t=event.t + times * night_ms))
        assert table.hands == 5 * (times + 1)
        sizes.append(_size(table))
    things, numbers = zip(*sizes, strict=True)
    # All that counts cards, hands and looks one by one would have grown fivefold. (After the first night there is a
    # pause, of which each place keeps the last one.)
    assert things[-1] == pytest.approx(things[1], abs=20)
    assert numbers[-1] < 1.25 * numbers[0]


def _size(table: Table) -> tuple[int, int]:
    """(objects that the table holds, numbers among their contents), without its setting and its rulebook."""
    known = {id(table.setting), id(table.book)}
    to_do: list[Any] = [table]
    things = numbers = 0
    while to_do:
        each = to_do.pop()
        if id(each) in known or isinstance(each, type | FunctionType | BuiltinFunctionType | ModuleType):
            continue
        known.add(id(each))
        numbers += isinstance(each, int | float)
        things += not isinstance(each, int | float)
        to_do += gc.get_referents(each)
    return things, numbers
