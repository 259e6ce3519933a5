"""The core as bytes and back: from every moment of a simulated evening it goes on as if nothing had happened."""

from __future__ import annotations

import io
import pickle
from typing import Any

import pytest

from tablectl import recording
from tablectl.app import table_of
from tablectl.app.kept.moment import dump, load
from tablectl.app.line import tell
from tablectl.config import from_recording
from tablectl.core.alerts import Alerts
from tablectl.errors import KeptError
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup

EVENINGS = {
    "actions": (TableSetup(betting="actions", seats=6), "wrong_seat:next, restart:1, premature_card@turn"),
    "none": (TableSetup(betting="none", seats=6), "wrong_seat:far, too_many_cards:again+deal_on"),
    "stud": (TableSetup(game="stud5", rulebook="nl"), "wrong_seat"),
}


def evening(name: str, seed: int = 5) -> tuple[Any, list[Any]]:
    """The configuration and everything that was sensed."""
    setup, hands = EVENINGS[name]
    lines = generate(setup, script.parse(hands), preset("light"), seed=seed)
    head, events = recording.from_objects(next(lines), lines, strict=True)
    return from_recording(head.config, head.decks, head.active_deck), list(events)


@pytest.mark.parametrize("name", EVENINGS)
def test_from_any_moment_it_goes_on_as_it_was(name: str) -> None:
    """Written down and read again in the midst of deals, alarms, questions and remedies, a table decides, lights and
    shows what one decides that was never interrupted; again and again in one evening, without a difference."""
    config, events = evening(name)
    table, alerts = table_of(config), Alerts()
    fresh = table_of(config)
    other, lamps = load(dump(fresh, Alerts()), fresh.setting, fresh.book)
    open_ones = 0
    for number, event in enumerate(events):
        decisions, same = table.step(event), other.step(event)
        assert [each.as_json() for each in same] == [each.as_json() for each in decisions]
        tell(alerts, table, event, decisions)
        tell(lamps, other, event, same)
        if number % 53 == 0:
            assert (other.view(), lamps.signals) == (table.view(), alerts.signals)
            open_ones += bool(table.view()["irregularities"])
            other, lamps = load(dump(other, lamps), fresh.setting, fresh.book)
    assert open_ones > 3


class Strange:
    """What pickle would call `print` for."""

    def __reduce__(self) -> Any:
        return print, ("a class of the system was run",)


def test_only_the_core_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    """A moment that names a function of the system, another class, or no core at all is refused, and nothing of it is
    run; pickle itself would have run it."""
    config, _ = evening("none")
    fresh = table_of(config)
    for what in (Strange(), io.StringIO, [1], None):
        with pytest.raises(KeptError):
            load(pickle.dumps((what, what)), fresh.setting, fresh.book)
    with pytest.raises(KeptError):
        load(b"", fresh.setting, fresh.book)
    assert capsys.readouterr().out == ""
    pickle.loads(pickle.dumps(Strange()))
    assert "was run" in capsys.readouterr().out
