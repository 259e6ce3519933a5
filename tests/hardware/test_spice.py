"""ngspice, which knows nothing of our formulas, finds the same port, the same current and the same bandwidth."""

from __future__ import annotations

import pytest

from hardware.antenna import spice
from hardware.antenna.design import design
from hardware.antenna.zones import read_zones

ZONES = read_zones()


@pytest.mark.ngspice
@pytest.mark.parametrize("name", list(ZONES.zones))
def test_ngspice_agrees(name: str) -> None:
    """Port within 0.2 ohm (it is the same circuit), current within 2 % and loaded Q within 6 %: there the transformer
    is two coupled coils and the losses are an attenuator of three resistors."""
    computed = design(ZONES.zones[name], ZONES)
    found = spice.ask(computed)
    assert found.impedance == pytest.approx(computed.impedance, abs=0.2)
    assert found.current == pytest.approx(computed.current * 2**0.5, rel=0.02)
    assert found.loaded_q == pytest.approx(computed.loaded_q, rel=0.06)


def test_a_missing_ngspice_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ngspice the error names the package."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(spice.SpiceError, match="apt-get install ngspice"):
        spice.run("")
