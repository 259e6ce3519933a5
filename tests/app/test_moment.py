"""Inputs that do not fit the moment are refused in words, at HTTP; and what the journal keeps of names."""

from __future__ import annotations

import signal
from typing import Any

from tablectl.shell import journal


def test_a_straddle_or_a_second_run_at_the_wrong_moment_is_refused(bench: Any) -> None:
    """400 with what would be right, also for the page to translate; nothing of it reaches the journal or the state."""
    table = bench.run(bench.config())
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    refused = table.post(do="straddle", seat=2)
    assert refused.status_code == 400
    assert refused.json()["error"] == "seat 2 cannot straddle now; seats that can: 3, 4"
    values = {"seat": "2", "seats": "3, 4"}
    assert refused.json()["say"] == ["seat {seat} cannot straddle now; seats that can: {seats}", values]
    assert table.post(do="run_twice", times=2).status_code == 400
    assert table.post(do="straddle", seat=3).status_code == 200
    assert table.until(lambda now: now["hand"]["straddles"])["hand"]["straddles"] == [3]
    assert table.ends(signal.SIGTERM) == 0
    assert bench.entered() == [{"do": "button", "seat": 4}, {"do": "straddle", "seat": 3}]


def test_a_configured_name_is_shown_and_is_in_no_journal(bench: Any) -> None:
    """The display has it; the journal has the one that was entered, as an input, and nothing else of either."""
    config = bench.config()
    names = '[table]\nnames = ["Wilhelmina", "Bartholomew"]'
    config.write_text(config.read_text().replace("[table]", names, 1))
    table = bench.run(config)
    table.line("READY after")
    assert [seat["name"] for seat in table.get("state").json()["seats"]] == [
        "Wilhelmina",
        "Bartholomew",
        None,
        None,
    ]
    assert table.post(do="name", seat=1, text="Philippa").status_code == 200
    assert table.until(lambda now: now["seats"][0]["name"] == "Philippa")
    assert table.ends(signal.SIGTERM) == 0
    kept = b"".join(each.read_bytes() for each in bench.folder.glob("journal.sqlite*"))
    assert b"Wilhelmina" not in kept
    assert b"Bartholomew" not in kept
    head = journal.as_recording(bench.folder / "journal.sqlite", None, bench.secret)[0]
    assert "Wilhelmina" not in repr(head)
    assert [given for given in bench.entered() if "Philippa" in repr(given)] == [
        {"do": "name", "seat": 1, "text": "Philippa"}
    ]
