"""The parameters of a table: named, sourced, drawn once an evening."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import pytest

from tablectl.errors import UsageError
from tablectl.sim.noise import EFFECTS, PRESETS, Noise, parameters, preset, without


def test_every_parameter_says_what_it_is_and_where_it_comes_from() -> None:
    """No physical figure without a meaning, and none whose source is not marked."""
    for name, about in parameters().items():
        assert about.about, name
        if name not in {"name", "rssi"}:
            assert about.source.startswith("["), name


def test_an_evening_is_drawn_from_the_seed() -> None:
    """The same seed gives the same evening, another seed another one, all inside their spans."""
    light = preset("light")
    one, again, other = (light.evening(Random(seed)) for seed in (1, 1, 2))
    assert one == again != other
    assert one.miss[0] == one.miss[1]
    assert light.miss[0] <= one.miss[0] <= light.miss[1]
    assert one.flight_ms == light.flight_ms


def test_presets_grow_worse() -> None:
    """clean, light, heavy and harsh are in this order where it matters most."""
    worst = [(noise.miss[1], noise.cross[1], noise.fly[1], noise.loss[1]) for noise in PRESETS.values()]
    assert list(PRESETS) == ["clean", "light", "heavy", "harsh"]
    assert worst == sorted(worst)
    assert PRESETS["clean"] == Noise()


def test_an_unknown_preset_is_named_with_the_known_ones() -> None:
    """A typing error in a preset's name tells which names there are."""
    with pytest.raises(UsageError, match=r"'ligth'.*clean, light, heavy, harsh"):
        preset("ligth")


def test_every_disturbance_belongs_to_one_effect() -> None:
    """Without all effects a harsh table is perfect, but for the shoe's habit and the strength of what is not there."""
    grouped = [name for names in EFFECTS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    calm = preset("harsh")
    for effect in EFFECTS:
        calm = without(calm, effect)
    clean = Noise()
    left = {each.name for each in fields(calm) if getattr(calm, each.name) != getattr(clean, each.name)}
    strengths = {
        "miss_kappa",
        "lifted_read",
        "protector_gain",
        "hover_gain",
        "chips_gain",
        "pot_gain",
        "nudge_back",
    }
    assert left <= {"name", "mouth_rests", "loss_burst", *strengths}


@pytest.mark.parametrize("effect", EFFECTS)
def test_only_one_effect_is_taken_away(effect: str) -> None:
    """Its parameters are those of a perfect table, all others stay, and so does what an evening draws for them."""
    heavy = preset("heavy")
    less = without(heavy, effect)
    assert less.name == f"heavy without {effect}"
    for table, whole in ((less, heavy), (less.evening(Random(1)), heavy.evening(Random(1)))):
        gone = {name: getattr(Noise(), name) for name in EFFECTS[effect]}
        assert table == replace(whole, name=less.name, **gone)


def test_an_unknown_effect_is_named_with_the_known_ones() -> None:
    """A typing error tells which effects there are."""
    with pytest.raises(UsageError, match=r"'rain'.*misses, tags, cross"):
        without(preset("heavy"), "rain")
