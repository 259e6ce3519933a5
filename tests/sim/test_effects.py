"""Each physical effect alone: one parameter away from a perfect table, and what it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import mean, pstdev
from typing import Any

import pytest

from tablectl.sim.line import Line
from tablectl.sim.noise import Noise
from tablectl.sim.players import Players

MakeLab = Callable[..., Any]
"""Makes a `Lab` (see conftest) from a noise."""


def test_a_perfect_table_reads_every_card_and_nothing_else(lab: MakeLab) -> None:
    """Without noise a card is read in every look at its zone and in no other zone."""
    felt = lab(Noise())
    (card,) = felt.lay("seat:3")
    assert felt.share("seat:3", card, 50) == 1.0
    assert all(not felt.look(zone) for zone in felt.antennas if zone != "seat:3")


def test_misses_belong_to_the_landing(lab: MakeLab) -> None:
    """The read probability is drawn per landing: it differs between landings and stays for one that lies."""
    felt = lab(replace(Noise(), miss=(0.3, 0.3), miss_kappa=(3, 3)))
    first, second = [], []
    for _ in range(60):
        (card,) = felt.lay("seat:3")
        first.append(felt.share("seat:3", card, 100))
        second.append(felt.share("seat:3", card, 100))
        felt.world.take(card)
    assert mean(first) == pytest.approx(0.7, abs=0.08)
    assert pstdev(first) > 0.15  # a Beta with kappa 3; independent misses would give 0.05
    assert max(abs(a - b) for a, b in zip(first, second, strict=True)) < 0.25


def test_putting_a_card_down_again_is_a_new_landing(lab: MakeLab) -> None:
    """A card that was lifted and put back may lie better or worse than before."""
    felt = lab(replace(Noise(), miss=(0.5, 0.5), miss_kappa=(2, 2)))
    (card,) = felt.lay("seat:3")
    shares = []
    for _ in range(8):
        shares.append(felt.share("seat:3", card, 100))
        felt.world.lift(card)
        felt.world.put(card)
    assert max(shares) - min(shares) > 0.2


def test_neighbours_read_a_card_by_its_placement(lab: MakeLab) -> None:
    """Cross-coupling differs from landing to landing, is asymmetric, capped, and weaker in signal."""
    felt = lab(replace(Noise(), cross=(0.1, 0.1)))
    left, right = [], []
    for _ in range(40):
        (card,) = felt.lay("seat:5")
        left.append(felt.share("seat:4", card, 100))
        right.append(felt.share("seat:6", card, 100))
        own, other = felt.look("seat:5"), [read for _ in range(300) for read in felt.look("seat:4")]
        if other:
            level = felt.antennas["seat:5"].level - felt.antennas["seat:4"].level
            assert other[0][2] + level < own[0][2]
        felt.world.take(card)
    assert mean(left + right) == pytest.approx(0.1, abs=0.05)
    assert max(abs(a - b) for a, b in zip(left, right, strict=True)) > 0.1
    assert max(left + right) <= 0.5


def test_two_cards_on_each_other_read_less(lab: MakeLab) -> None:
    """A pair that covers each other fully loses half its reads; more than three are nearly blind."""
    felt = lab(replace(Noise(), overlap=(1.0, 1.0)))
    shares = {}
    for count in (1, 2, 5):
        cards = felt.lay("seat:2", count)
        shares[count] = mean(felt.share("seat:2", card) for card in cards)
        for card in cards:
            felt.world.take(card)
    assert shares[1] == 1.0
    assert shares[2] == pytest.approx(0.5, abs=0.08)
    assert shares[5] < 0.02


def test_a_card_recovers_when_its_neighbour_is_taken_away(lab: MakeLab) -> None:
    """Detuning ends with its cause."""
    felt = lab(replace(Noise(), overlap=(1.0, 1.0)))
    one, other = felt.lay("seat:2", 2)
    felt.world.take(other)
    assert felt.share("seat:2", one, 50) == 1.0


def test_a_flying_card_is_read_on_its_way_only(lab: MakeLab) -> None:
    """Zones on the way read a card while it passes, not before, not after, and only if fly-overs are read."""
    for fly, expected in ((0.9, True), (0.0, False)):
        felt = lab(replace(Noise(), fly=(fly, fly)))
        assert "board" in dict(felt.world.felt.path("shoe", "seat:6"))
        card = felt.card()
        felt.world.fly(card, "seat:6", 300, slide=False)
        seen = []
        for _ in range(60):
            felt.wait(5)
            seen.append(bool(felt.look("board")))
        assert any(seen) is expected
        assert not any(seen[-3:])
        felt.wait(50)
        assert not felt.look("board")
        assert felt.share("seat:6", card, 10) == 1.0


def test_a_slow_slide_is_read_at_the_neighbour(lab: MakeLab) -> None:
    """A card that slides over a neighbour is read there for 120 to 250 ms before it lies in its own zone."""
    felt = lab(Noise())
    card = felt.card()
    felt.world.fly(card, "seat:5", 200, slide=True)
    heard = dict.fromkeys(("seat:4", "seat:6"), 0)
    while card.zone is None:
        felt.wait(2)
        for zone in heard:
            heard[zone] += bool(felt.look(zone))
    assert min(heard.values()) == 0
    assert 120 / 2 * 0.4 < max(heard.values()) <= 250 / 2


def test_slides_happen_as_often_as_the_noise_says(lab: MakeLab) -> None:
    """The share of slow slides among pitches follows its parameter."""
    felt = lab(replace(Noise(), slide=(0.3, 0.3)))
    late = 0
    for _ in range(200):
        card = felt.card()
        felt.world.fly(card, "seat:5", 100)
        felt.wait(101)
        late += card.zone is None
        felt.wait(300)
        felt.world.take(card)
    assert late / 200 == pytest.approx(0.3, abs=0.1)


def test_the_mouth_shows_the_next_card_and_leaks_the_one_behind(lab: MakeLab) -> None:
    """At the mouth lies the next card for its dwell; the one behind is read only as far as it leaks."""
    felt = lab(replace(Noise(), leak=(0.2, 0.2)))
    stub = [felt.card() for _ in range(5)]
    felt.world.load(stub)
    assert not felt.look("shoe")
    felt.world.approach(1000)
    felt.wait(399)
    assert not felt.look("shoe")  # a dwell of 600 ms at most
    felt.wait(600)
    assert felt.share("shoe", stub[0], 50) == 1.0
    assert felt.share("shoe", stub[1]) == pytest.approx(0.2, abs=0.08)
    assert felt.share("shoe", stub[2], 50) == 0.0
    felt.wait(1)
    assert felt.world.draw() is stub[0]
    felt.wait(61)
    assert not felt.look("shoe")


def test_a_shoe_may_keep_the_next_card_at_its_mouth(lab: MakeLab) -> None:
    """On some evenings the next card always lies at the mouth, soon after the one before has left."""
    felt = lab(replace(Noise(), mouth_rests=(1, 1)))
    stub = [felt.card() for _ in range(3)]
    felt.world.load(stub)
    felt.wait(141)
    assert felt.share("shoe", stub[0], 20) == 1.0
    felt.world.draw()
    felt.wait(141)
    assert felt.share("shoe", stub[1], 20) == 1.0
    felt.world.unload()
    assert not felt.look("shoe")


def test_weak_and_dead_tags_are_the_same_all_evening(lab: MakeLab) -> None:
    """A weak tag reads less wherever it lies, a dead one never; others are not touched."""
    felt = lab(replace(Noise(), weak_tag=(0.3, 0.3), dead_tag=(0.2, 0.2)))
    gains = [felt.world.tag_gain(f"E0{n:014X}") for n in range(600)]
    assert gains == [felt.world.tag_gain(f"E0{n:014X}") for n in range(600)]
    assert gains.count(0.0) / 600 == pytest.approx(0.2, abs=0.06)
    weak = [gain for gain in gains if 0 < gain < 1]
    assert len(weak) / 600 == pytest.approx(0.3, abs=0.06)
    assert 0.1 <= min(weak) <= max(weak) <= 0.5


def test_a_weak_antenna_reads_less(lab: MakeLab) -> None:
    """A badly tuned antenna loses reads of every card in its zone."""
    felt = lab(replace(Noise(), weak_antenna=(1, 1)))
    (card,) = felt.lay("seat:3")
    assert 0.2 < felt.share("seat:3", card) < 0.7


def test_players_lift_cards_and_put_them_back(lab: MakeLab) -> None:
    """A grabbed card is gone from the antenna after 50 to 400 ms and back 1 to 3 s later."""
    felt = lab(replace(Noise(), grab=(1, 1)))
    players = Players(felt.world, felt.noise, Random(1))
    felt.world.landed = players.card_landed
    (card,) = felt.lay("seat:3")
    felt.wait(40)
    assert felt.look("seat:3")
    felt.wait(370)
    assert not felt.look("seat:3")
    assert card.lifted
    felt.wait(3000)
    assert felt.look("seat:3")
    assert [event["event"] for event in felt.truth.events] == ["rest", "lift", "rest"]


@pytest.mark.parametrize(
    ("noise", "act"),
    [
        (replace(Noise(), protector=(1, 1)), "deal_done"),
        (replace(Noise(), peek=(1, 1)), "deal_done"),
        (replace(Noise(), hover=(1, 1)), "acts"),
    ],
)
def test_hands_and_metal_detune_a_seat(lab: MakeLab, noise: Noise, act: str) -> None:
    """Card protectors, looks at the cards and hands over them cost reads; the last two end by themselves."""
    felt = lab(noise)
    players = Players(felt.world, felt.noise, Random(1))
    (card,) = felt.lay("seat:3")
    getattr(players, act)((3,) if act == "deal_done" else 3)
    worst = 1.0
    for _ in range(20):
        worst = min(worst, felt.share("seat:3", card, 60))
        felt.wait(250)
    assert worst < 0.93
    players.gives_up(3)
    assert felt.share("seat:3", card, 60) == 1.0


def test_a_nudged_card_lies_half_off_its_antenna(lab: MakeLab) -> None:
    """A card pushed aside stays in its zone but is read far less."""
    felt = lab(replace(Noise(), nudge=(1, 1)))
    felt.world.landed = Players(felt.world, felt.noise, Random(1)).card_landed
    (card,) = felt.lay("seat:3")
    felt.wait(1500)
    assert felt.share("seat:3", card) < 0.5
    assert card.zone == "seat:3"


def test_signal_strength_has_a_placement_and_a_read_part(lab: MakeLab) -> None:
    """RSSI varies from landing to landing by one sigma and from read to read by another, in coarse steps."""
    felt = lab(replace(Noise(), rssi_place_db=3.0, rssi_read_db=1.5, rssi_step_db=2))
    means, spreads = [], []
    for _ in range(80):
        (card,) = felt.lay("seat:3")
        levels = [felt.look("seat:3")[0][2] for _ in range(60)]
        assert all(level % 2 == 0 for level in levels)
        means.append(mean(levels))
        spreads.append(pstdev(levels))
        felt.world.take(card)
    assert pstdev(means) == pytest.approx(3.0, abs=0.9)
    assert mean(spreads) == pytest.approx(1.6, abs=0.4)


def test_signal_strength_can_be_missing_or_far_off(lab: MakeLab) -> None:
    """A board without RSSI reports none; outliers are far from the level but rare."""
    felt = lab(replace(Noise(), rssi=False))
    felt.lay("seat:3")
    assert felt.look("seat:3")[0][2] is None
    felt = lab(replace(Noise(), rssi_outlier=0.1))
    felt.lay("seat:3")
    levels = [felt.look("seat:3")[0][2] for _ in range(500)]
    usual = max(set(levels), key=levels.count)
    far = [level for level in levels if abs(level - usual) >= 5]
    assert 0.05 < len(far) / 500 < 0.16


def test_uids_can_be_garbled(lab: MakeLab) -> None:
    """Noise shifts a UID by one bit now and then: same length, another tag."""
    felt = lab(replace(Noise(), uid_corrupt=(0.2, 0.2)))
    (card,) = felt.lay("seat:3")
    uids = {felt.look("seat:3")[0][1] for _ in range(100)}
    assert card.uid in uids
    assert len(uids) > 1
    assert {len(uid) for uid in uids} == {16}


def test_losses_come_in_bursts() -> None:
    """The mean loss is the parameter's, and losses follow one another far more often than by chance."""
    noise = replace(Noise(), loss=(0.02, 0.02), loss_burst=(4, 4))
    line = Line(noise, Random(3))
    lost = [not line.carry(10.0 * n) for n in range(40_000)]
    assert mean(lost) == pytest.approx(0.02, abs=0.006)
    after = [now for before, now in pairwise(lost) if before]
    assert mean(after) == pytest.approx(0.75, abs=0.06)


def test_frames_are_late_but_in_order() -> None:
    """Delay, a board's constant lag and duplicates never reorder the frames of one board."""
    noise = replace(Noise(), delay_ms=(2, 20), offset_ms=(15, 15), duplicate=(0.1, 0.1))
    line = Line(noise, Random(3))
    arrivals = [(10.0 * n, line.carry(10.0 * n)) for n in range(2000)]
    flat = [t for _, several in arrivals for t in several]
    assert flat == sorted(flat)
    assert min(several[0] - sent for sent, several in arrivals) >= line.fastest >= 17
    assert sum(len(several) == 2 for _, several in arrivals) / 2000 == pytest.approx(0.1, abs=0.03)
