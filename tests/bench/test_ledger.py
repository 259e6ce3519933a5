"""The file of `--resume`: what it keeps, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.bench.campaign import Campaign
from tablectl.bench.ledger import Ledger
from tablectl.errors import UsageError

CAMPAIGN = Campaign(hands=20, slips=0)
OUTCOMES: list[dict[str, Any]] = [
    {"chunk": ["clean", n], "hands": 10, "trackers": {}, "wrong": []} for n in range(2)
]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A ledger with two finished chunks, in a folder that it had to make."""
    path = tmp_path / "folder" / "done.jsonl"
    with Ledger(path, CAMPAIGN) as ledger:
        assert ledger.outcomes == []
        for outcome in OUTCOMES:
            ledger.add(outcome)
    return path


def reopened(path: Path, campaign: Campaign = CAMPAIGN) -> list[dict[str, Any]]:
    """What a second run finds."""
    with Ledger(path, campaign) as ledger:
        return ledger.outcomes


def test_what_was_finished_is_found_again(written: Path) -> None:
    """In the same order, to the last field."""
    assert reopened(written) == OUTCOMES


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_line_that_a_kill_cut_short_is_dropped(written: Path, cut: int) -> None:
    """The chunk before it stays, and the next one is written on a line of its own."""
    written.write_bytes(written.read_bytes()[:-cut])
    with Ledger(written, CAMPAIGN) as ledger:
        assert ledger.outcomes == OUTCOMES[:1]
        ledger.add(OUTCOMES[1])
    assert reopened(written) == OUTCOMES


def test_a_first_line_that_was_cut_short_begins_anew(written: Path) -> None:
    """Killed before anything was finished: there is nothing to lose."""
    written.write_bytes(written.read_bytes()[:30])
    assert reopened(written) == []
    assert written.read_bytes().count(b"\n") == 1


def test_other_options_are_refused_by_name(written: Path) -> None:
    """The message names each option that differs, and both values."""
    other = Campaign(hands=20, slips=0, noise="heavy", pace=(4, 4))
    with pytest.raises(UsageError, match=r"--noise heavy instead of light; --pace \[4, 4\] instead of \[3"):
        reopened(written, other)
    assert reopened(written) == OUTCOMES


def test_other_code_is_refused(written: Path) -> None:
    """Figures of two versions of the tracker are not one figure."""
    first, *rest = written.read_text().splitlines()
    changed = json.dumps({**json.loads(first), "code": "0" * 16})
    written.write_text("\n".join([changed, *rest]) + "\n")
    with pytest.raises(UsageError, match="other code"):
        reopened(written)


@pytest.mark.parametrize("text", ["a diary\n", '{"recording": 1}\n', '{"accuracy": 99}\n', "half a line"])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    """Whatever it is, it is not overwritten."""
    path = tmp_path / "diary.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match="holds no results"):
        reopened(path)
    assert path.read_text() == text


def test_damage_in_the_middle_is_told_with_its_line(written: Path) -> None:
    """A broken line that is not the last one is not guessed at."""
    lines = written.read_text().splitlines()
    written.write_text("\n".join([lines[0], "{", lines[2]]) + "\n")
    with pytest.raises(UsageError, match="line 2 is damaged"):
        reopened(written)


def test_two_campaigns_cannot_write_one_file(written: Path) -> None:
    """The second one is told so, and the first one goes on."""
    with Ledger(written, CAMPAIGN) as first:
        with pytest.raises(UsageError, match="another campaign is writing"):
            reopened(written)
        first.add({"chunk": ["slips", 0], "hands": 2, "trackers": {}, "wrong": []})
    assert len(reopened(written)) == 3
