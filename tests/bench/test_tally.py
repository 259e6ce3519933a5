"""Adding up: whatever the order of the chunks, and what the README makes of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tablectl.bench import big, plot, readme, report
from tablectl.bench.baselines import NAMED, POINTS
from tablectl.bench.campaign import Campaign
from tablectl.bench.tally import Tally
from tablectl.errors import UsageError

CAMPAIGN = Campaign(hands=100, slips=1, baseline_hands=100)


def outcome(kind: str, number: int, names: list[str]) -> dict[str, Any]:
    """The result of a chunk as a worker sends it: some slips found, some not, one of them not readable."""
    slips = [
        ["wrong_seat:next", "wrong_seat", "found", True, 300 + number, 100],
        ["wrong_seat:far", "wrong_seat", "missed", False, None, None],
        ["burn_missing@turn", "burn_missing", "misnamed", True, None, None],
        ["too_many_board_cards@flop", "too_many_board_cards", "found", True, 150, 90 + number],
    ]
    counts = {
        "false": 2 if number % 2 else 0, "false_hands": number % 2, "soft": 1, "corrected": 0, "doubles": 0,
        "slips": slips if kind == "slips" else [],
    }  # fmt: skip
    floor = [
        ["wrong_seat", True, 20 + number, 60, 300 + number],
        ["wrong_seat", False, None, None, None],
        ["burn_missing", True, 40, None, None],
        ["too_many_board_cards", True, None, None, 150],
    ]
    wrong = [{"what": "false", "chunk": f"{kind}/{number}", "seed": "1", "hand": 1, "t": 5}]
    return {
        "chunk": [kind, number],
        "hands": 10,
        "trackers": dict.fromkeys(names, counts),
        "floor": floor if kind == "slips" else [],
        "wrong": wrong,
    }


def filled(names: list[str], shuffle: int | None = None) -> Tally:
    """Ten clean chunks and four with slips."""
    tally = Tally(CAMPAIGN)
    outcomes = [outcome("clean", n, names) for n in range(10)] + [
        outcome("slips", n, names) for n in range(4)
    ]
    if shuffle is not None:
        random.Random(shuffle).shuffle(outcomes)
    for each in outcomes:
        tally.add(each)
    return tally


def test_the_order_of_the_chunks_does_not_matter() -> None:
    """Workers finish in any order; figures and failures are the same."""
    one, other = filled(["tablectl"]), filled(["tablectl"], shuffle=3)
    assert one.as_json() == other.as_json()
    assert one.failures() == other.failures()


def test_rates_shares_and_latencies() -> None:
    """False alarms count in clean chunks alone; a card that was not readable counts nowhere but is told."""
    figures = filled(["tablectl"]).as_json()["trackers"]["tablectl"]
    assert (figures["clean_hands"], figures["false"], figures["false_per_10000"]) == (100, 10, 1000)
    assert figures["false_hands"] == 5
    assert figures["interval_per_10000"] == pytest.approx([479.5, 1839.0], abs=0.1)
    assert figures["beside_slips"] == 4
    wrong = figures["groups"]["wrong seat"]
    assert (wrong["of"], wrong["missed"], wrong["left_out"]) == (4, 0, 4)
    assert wrong["confirmed_ms"] == {"p50": 301, "p90": 303, "p99": 303}
    board = figures["groups"]["board and burn"]
    assert (board["of"], board["missed"], board["misnamed"], board["missed_percent"]) == (8, 4, 4, 50)
    assert board["interval_percent"] == pytest.approx([15.70, 84.30], abs=0.01)
    assert figures["latency"]["board card"]["soft_ms"] == {"p50": 91, "p90": 93, "p99": 93}


def test_the_tables_show_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """No table is cut off where there is no terminal, and the note on what was left out is there."""
    report.terminal().print(report.shown(filled(["tablectl", *NAMED]).as_json(), ["tablectl", *NAMED]))
    said = capsys.readouterr().out
    for part in (
        "1,000 (480–1,839)",
        "50 % (16–84)",
        "4 of 8",
        "301 / 303 / 303",
        "burn_missing@turn",
        "Left out: 4",
    ):
        assert part in said
    assert "…" not in said


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    """A PNG of a size that fits a page, with all trackers or only one, also where nothing was wrong."""
    for names in (["tablectl", *POINTS], ["tablectl"]):
        plot.draw(filled(names), tmp_path / "a.png")
        png = (tmp_path / "a.png").read_bytes()
        width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
        assert png.startswith(b"\x89PNG\r\n")
        assert (1200 <= width <= 2400, 600 <= height <= 1400) == (True, True)
        assert 20_000 < len(png) < 1_000_000


def test_the_readme_gets_its_table(tmp_path: Path) -> None:
    """Between the markers, and nowhere else; filling it again changes nothing."""
    path, (begin, end) = tmp_path / "README.md", readme.markers(big.TABLE)
    path.write_text(f"# before\n\n{begin}\nLAST YEAR\n{end}\n\nafter\n")
    both = filled(["tablectl", *POINTS]).as_json()
    table = big.markdown({"light, 4 boards": both, "heavy, 2 boards": filled(["tablectl"]).as_json()})
    readme.fill(path, big.TABLE, table)
    text = path.read_text()
    assert text.startswith(f"# before\n\n{begin}\n")
    assert text.endswith(f"\n{end}\n\nafter\n")
    assert "LAST YEAR" not in text
    assert "| found: board and burn | 50.0 % (15.7–84.3): 4 of 8 |" in text
    assert "| SMURF δ 0.05, 250 ms | 500 |" in text
    assert "| card not read twice: board and burn | 100 % (63–100): 8 of 8 |" in text
    assert "| floor: first read of the card, wrong seat and extra: p50 / p90 / p99 | 21 / 23 / 23 |" in text
    readme.fill(path, big.TABLE, table)
    assert path.read_text() == text


def test_the_floor_is_counted_beside_the_trackers() -> None:
    """Cards that nobody read twice, those that were found all the same, and slips that were told sooner than that."""
    floor = filled(["tablectl"]).as_json()["floor"]
    wrong, board = floor["groups"]["wrong seat"], floor["groups"]["board and burn"]
    assert (wrong["of"], wrong["unreadable"], wrong["unreadable_percent"]) == (4, 0, 0)
    assert wrong["floor_ms"]["first"] == {"p50": 21, "p90": 23, "p99": 23}
    assert (board["of"], board["unreadable"], board["unreadable_found"]) == (8, 8, 4)
    assert floor["latency"]["board card"]["floor_ms"]["second"] == {"p50": None, "p90": None, "p99": None}
    early = Tally(CAMPAIGN)
    early.add({**outcome("slips", 0, ["tablectl"]), "floor": [["wrong_seat", True, 90, 310, 300]]})
    assert early.as_json()["floor"]["kinds"]["wrong_seat"]["sooner"] == 1


def test_the_big_campaign_has_enough_slips_everywhere() -> None:
    """40 rounds at four boards and 10 in each smaller campaign for 10,000 hands; a trial of a few hands has none."""
    big_one = [(big.column(each), each.hands, each.rounds) for each in big.campaigns(10_000)]
    assert big_one == [
        ("light, 4 boards", 10_000, 40),
        ("heavy, 4 boards", 10_000, 40),
        ("light, 2 boards", 500, 10),
        ("heavy, 2 boards", 500, 10),
        ("light, 1 board", 500, 10),
        ("heavy, 1 board", 500, 10),
        ("light, calibrated for heavy", 1000, 10),
        ("heavy, calibrated for light", 1000, 10),
    ]
    assert {(each.hands, each.rounds) for each in big.campaigns(5)} == {(5, 0), (1, 0)}
    assert [each.rounds for each in big.campaigns(1000)] == [4] * 8


def test_a_readme_without_markers_is_refused(tmp_path: Path) -> None:
    """Before hours are spent, and the file is left as it is."""
    path = tmp_path / "README.md"
    path.write_text("<!-- /accuracy --> <!-- accuracy -->")
    with pytest.raises(UsageError, match="<!-- accuracy -->"):
        big.run(5, tmp_path / "store", path, None)
    assert not (tmp_path / "store").exists()
