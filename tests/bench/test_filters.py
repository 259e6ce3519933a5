"""The baselines' filters on looks made by hand: what they see, and what fools them, as the literature says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablectl.bench.filters import Filter, KOfN, LastRead, Rest, Smurf
from tablectl.core.sightings import Look


def fed(filter_: Filter, looks: Iterable[Look]) -> list[Rest]:
    """All that the filter says."""
    return [rest for look in looks for rest in filter_.look(look)]


def places(rests: list[Rest], card: str = "A") -> list[str]:
    """Where a card came to rest, in order."""
    return [rest.zone for rest in rests if rest.uid == card]


def two(see: Any, here: str, there: str = "", *, card: str = "A") -> list[Look]:
    """Polls of seats 1 and 2, 20 ms apart for each: `x` where the card is read, `.` where not."""
    there = there or "." * len(here)
    return [
        see(n * 20 + offset, zone, [card] if mark == "x" else [])
        for n, pair in enumerate(zip(here, there, strict=True))
        for offset, (zone, mark) in enumerate(zip(("seat:1", "seat:2"), pair, strict=True))
    ]


def test_last_read_sees_a_card_that_lies(see: Any) -> None:
    """Once it has stood for the grace; since its first read."""
    (rest,) = fed(LastRead(250), two(see, "x" * 20))
    assert (rest.zone, rest.since, rest.t) == ("seat:1", 0, 260)


def test_last_read_ignores_a_fly_over_but_takes_one_cross_read_for_a_move(see: Any) -> None:
    """A read at a neighbour is undone by the next one; where the card's own antenna then misses, it has moved."""
    assert places(fed(LastRead(250), two(see, "x" * 20, "...x" + "." * 16))) == ["seat:1"]
    assert places(fed(LastRead(250), two(see, "xxx" + "." * 17, "...x" + "." * 16))) == ["seat:2"]


def test_k_of_n_wants_its_reads(see: Any) -> None:
    """Four of six: three are too few, missed polls between do not matter, six old ones are forgotten."""
    assert places(fed(KOfN(4, 6, 500), two(see, "xxx" + "." * 9))) == []
    assert places(fed(KOfN(4, 6, 500), two(see, "x.xx.x"))) == ["seat:1"]
    assert places(fed(KOfN(4, 6, 500), two(see, "x.x.x.x.x.x."))) == []


def test_k_of_n_forgets_what_is_older_than_its_time(see: Any) -> None:
    """On a slow reader four of six polls take longer than 500 ms: nothing is ever told."""
    slow = [see(n * 200, "seat:1", ["A"]) for n in range(20)]
    assert fed(KOfN(4, 6, 500), slow) == []
    assert places(fed(KOfN(4, 6, 1000), slow)) == ["seat:1"]


def test_k_of_n_is_fooled_by_a_strong_neighbour(see: Any) -> None:
    """A badly placed card that the neighbour reads better lies there, as far as counting goes."""
    assert places(fed(KOfN(4, 6, 500), two(see, "x...x...x...", "xx.xxx.xx.xx")))[0] == "seat:2"


def test_smurf_bridges_misses_that_last_read_does_not(see: Any) -> None:
    """Its window grows with the misses, and most reads win against a neighbour's single one."""
    own, neighbour = "x.xx.xxx.xx.xx..xxxx.x", "..............xx......"
    assert places(fed(Smurf(0.05, 100), two(see, own, neighbour))) == ["seat:1"]


def test_smurf_sees_a_move(see: Any) -> None:
    """A transition shrinks the window, so that the new place wins soon."""
    rests = fed(Smurf(0.05, 100), two(see, "x" * 20 + "." * 20, "." * 20 + "x" * 20))
    assert places(rests) == ["seat:1", "seat:2"]
    assert rests[1].t < 20 * 20 + 300


def test_smurf_is_fooled_by_a_slow_slide_before_a_long_miss(see: Any) -> None:
    """A card that glides over seat 1 and is then read badly at seat 2 rests at seat 1: reads outweigh recency."""
    rests = fed(Smurf(0.05, 100), two(see, "xxxxxxxx" + "." * 12, "........x......x...."))
    assert places(rests)[0] == "seat:1"


def test_a_lost_frame_is_no_miss(see: Any) -> None:
    """Polls that never arrived count for nothing: four reads with a gap between are four of six."""
    looks = two(see, "xx") + [Look("seat:1", 300 + look.t, look.reads) for look in two(see, "xx")[::2]]
    assert places(fed(KOfN(4, 6, 500), looks)) == ["seat:1"]


def test_a_new_hand_begins_with_nothing(see: Any) -> None:
    """After a hand's end the same card may come to rest at the same seat again."""
    for filter_ in (LastRead(100), KOfN(4, 6, 500), Smurf(0.05, 100)):
        before = fed(filter_, two(see, "x" * 12))
        filter_.forget()
        after = fed(filter_, [Look(each.zone, each.t + 5000, each.reads) for each in two(see, "x" * 12)])
        assert len(before) == len(after) == 1, filter_
