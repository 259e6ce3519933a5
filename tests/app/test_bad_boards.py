"""`tablectl run` with boards that misbehave: the alarm still comes, and nobody is accused of what a board does."""

from __future__ import annotations

import signal
import struct
from typing import Any

from tablectl import __version__


def wrong_seat(state: dict[str, Any]) -> bool:
    return any(i["kind"] == "wrong_seat" and i["stage"] == "confirmed" for i in state["irregularities"])


def deal(bench: Any, board: Any, *antennas: int, first: int = 0) -> None:
    for uid, antenna in zip(bench.uids[first:], antennas, strict=False):
        board.deal(uid, antenna)


def test_a_board_that_restarts_in_mid_hand_costs_no_card_and_accuses_nobody(bench: Any) -> None:
    """After two cards the board restarts; the deal goes on, and is right: no irregularity. A card for the wrong seat
    after that is still found."""
    board = bench.board()
    table = bench.run(bench.config(panel=bench.panel))
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    deal(bench, board, 1, 2)
    table.until(lambda now: now["seats"][1]["cards"] == 1)
    board.reboot()
    deal(bench, board, 3, 4, first=2)
    state = table.until(lambda now: now["seats"][3]["cards"] == 1)
    assert [seat["cards"] for seat in state["seats"]] == [1, 1, 1, 1]
    assert not any(now["irregularities"] for now in table.states)
    deal(bench, board, 1, 3, first=4)
    state = table.until(wrong_seat)
    assert state["panel"]["seat_led:3"] == 1
    assert 'tablectl_reader_reboots_total{reader="0"} 1' in table.get("metrics").text.splitlines()
    assert table.ends(signal.SIGTERM) == 0


def test_what_no_board_should_say_is_counted_and_accuses_nobody(bench: Any) -> None:
    """UIDs of odd lengths, antennas that do not exist in every kind of report, bodies that end too early, kinds that
    nobody knows, frames longer than any: the deal around them is followed, and each shows in `/metrics`."""
    board = bench.board()
    table = bench.run(bench.config(panel=bench.panel))
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    for size in (0, 3, 5, 11):
        sighting = struct.pack("<BHbB", 1, 0, -40, size) + b"\xe0" * size
        board.extra.append((0x10, struct.pack("<HIIB", 0, 0, 0, 1) + sighting))
    board.extra += [
        (
            0x10,
            struct.pack("<HIIB", 0, 0, 0xFFFFFF00, 1) + struct.pack("<BHbB", 200, 0, -40, 4) + b"\xe0" * 4,
        ),
        (0x11, struct.pack("<BBHHH", 99, 2, 0, 0, 0)),
        (0x13, struct.pack("<IBB", 0, 250, 2)),
        (0x10, b"\x01"),
        (0x3E, b"?"),
        (0x10, b"\x01\x00" * 130),
    ]
    deal(bench, board, 1, 2, 3, 1)
    assert table.until(wrong_seat)["panel"]["seat_led:1"] == 1
    kinds = {each["kind"] for now in table.states for each in now["irregularities"]}
    assert kinds == {"wrong_seat"}
    metrics = table.get("metrics").text.splitlines()
    for counter, count in (
        ("noise_uids", 4), ("unmapped_antenna", 24 + 1 + 1 + 1), ("bad_body", 1), ("unknown_kind", 1), ("too_long", 1),
    ):  # fmt: skip
        assert f'tablectl_reader_{counter}_total{{reader="0"}} {count}' in metrics
    assert table.ends(signal.SIGTERM) == 0
    assert not any("Traceback" in line for line in table.log)


def test_a_flooding_board_holds_up_no_alarm_of_another(bench: Any) -> None:
    """A second board's line is never empty: log lines, sweeps, and 3 kB without an end, over and over. The first one's
    wrong seat lights its lamp, while more of the flood is taken; nothing of it reaches the table's own log."""
    config = bench.config(panel=bench.panel)
    board, loud = bench.board(), bench.board(bench.second_reader(config), b"by-hand2")
    words = b"\x02\xe0" + b"babble " * 32
    loud.flood = bench.numbered((0x1F, words), (0x10, struct.pack("<HIIB", 1, 0, 64, 0))) + b"\xa5" * 3000
    table = bench.run(config)
    table.line("READY after")
    assert table.post(do="button", seat=4).status_code == 200
    before = loud.flooded
    deal(bench, board, 1, 2, 3, 1)
    state = table.until(wrong_seat)
    assert state["panel"]["seat_led:1"] == 1
    assert loud.flooded > before
    first, second = (reader["state"] for reader in state["readers"])
    assert first == "ok"
    assert second in {"ok", "silent"}  # its one sweep never ends, so it has looked nowhere
    assert {each["kind"] for each in state["irregularities"]} == {"wrong_seat"}
    assert table.ends(signal.SIGTERM) == 0
    assert not any("babble" in each for each in table.log)


def test_two_boards_with_one_id_are_told_on_the_display(bench: Any) -> None:
    """The second reader is refused; its text names both ports, translatably; the first one's cards are read."""
    config = bench.config()
    other = bench.second_reader(config)
    board = bench.board()
    table = bench.run(config)
    table.line(f"reader 0 ({bench.port}): ok")
    bench.board(other)
    state = table.until(lambda now: now["readers"][1]["state"] == "refused")
    reader = state["readers"][1]
    assert str(bench.port) in reader["text"]
    assert str(other) in reader["text"]
    message, values = reader["say"]
    assert message.format(**values) == reader["text"]
    deal(bench, board, 1)
    table.until(lambda now: now["seats"][0]["cards"] == 1)
    assert table.ends(signal.SIGTERM) == 0


def test_an_older_firmware_is_told_and_works(bench: Any) -> None:
    """`/state` has both versions in the reader's text, translatably; the reader is ok, and nothing is degraded."""
    board = bench.board()
    board.firmware = b"tablectl 0.0.1"
    table = bench.run(bench.config())
    state = table.until(lambda now: now["readers"] and now["readers"][0]["state"] == "ok")
    reader = state["readers"][0]
    assert reader["firmware"] == "tablectl 0.0.1"
    assert "0.0.1" in reader["text"]
    assert reader["say"][1] == {"theirs": "0.0.1", "ours": __version__}
    deal(bench, board, 1)
    table.until(lambda now: now["seats"][0]["cards"] == 1 and not now["degraded"])
    assert table.ends(signal.SIGTERM) == 0
