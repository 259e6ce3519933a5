"""The parameters of a table: named, sourced, drawn once an evening."""

from __future__ import annotations

from random import Random

import pytest

from tablectl.errors import UsageError
from tablectl.sim.noise import PRESETS, Noise, parameters, preset


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
