"""Realistic states of the technician's page, as the app hands them to the display. Each call returns a fresh one."""

from __future__ import annotations

from typing import Any

from tablectl.said import Said, say
from tablectl.shell.readers.pepper import COUNTERS as PEPPER
from tablectl.shell.readers.pn532.life import COUNTERS as PN532
from tablectl.shell.readers.state import COUNTERS as TABLEWIRE

State = dict[str, Any]

ZONES = ("shoe", *(f"seat:{n}" for n in range(1, 11)), "board", "burn", "muck")


def _row(reader: int, antenna: int, zone: str, **changes: Any) -> State:
    row: State = {
        "reader": reader,
        "antenna": antenna,
        "zone": zone,
        "health": "ok",
        "looks": 12.4,
        "last_look": 40,
        "last_tag": 60,
        "tags": 2,
        "reads": 121,
        "of": 124,
        "rate": 0.976,
        "strength": -41,
        "usual": -42,
        "beside": [],
    }
    return row | changes


LINE_COUNTERS = ("lost_frames", "bad_crc")
EMPTY = {"tags": 0, "reads": 0, "of": 0, "rate": None, "strength": None, "last_tag": 14_000}


def _reader(number: int, **changes: Any) -> State:
    reader: State = {
        "reader": number,
        "port": f"/dev/serial/by-path/platform-xhci-usb-0:1.{number + 1}:1.0",
        "state": "ok",
        "text": "",
        "firmware": "tablectl 0.1.0",
        "zones": list(ZONES[number::4]),
        "board_id": f"e6605481db31{number:04x}",
        "counters": {
            "bytes": 91_240_113, "frames": 412_388, "bad_cobs": 0, "bad_crc": 0, "too_long": 0, "lost_frames": 0,
            "reboots": 0, "gaps": 0, "opened": 1, "log_lines": 1, "hello_asked": 2, "commands": 1,
        },
        "log": ["tablectl 0.1.0, started by power"],
    }  # fmt: skip
    return reader | changes


def playing(count: int = 10) -> State:
    """A hand is on at a table of that many seats; four boards, every antenna reads well."""
    zones = ("shoe", *(f"seat:{n}" for n in range(1, count + 1)), "board", "burn", "muck")
    rows = [_row(n % 4, n // 4, zone) for n, zone in enumerate(zones)]
    rows[2] |= {"beside": [{"zone": "seat:3", "rate": 0.062}, {"zone": "seat:1", "rate": 0.013}]}
    rows[-3] |= EMPTY
    rows[-2] |= EMPTY | {"last_tag": None, "usual": None}
    return {
        "table": {"id": "T12", "seats": count, "language": "en", "mode": "blind"},
        "t": 4_123_000,
        "alarm": [],
        "between_hands": False,
        "readers": [_reader(n) for n in range(4)],
        "antennas": rows,
        "noise": {},
        "missed": 0.083,
        "test": None,
    }


def troubles() -> State:
    """Everything that can be wrong at once, and an alarm at the table."""
    state = playing()
    rows = state["antennas"]
    rows[1] |= {"health": "weak", "rate": 0.41, "reads": 49, "of": 120, "strength": -57}
    rows[2] |= {"rate": 0.52, "reads": 62, "of": 120, "strength": -55}
    rows[3] |= {"beside": [{"zone": "seat:4", "rate": 0.47}, {"zone": "seat:2", "rate": 0.11}]}
    rows[4] |= EMPTY | {"health": "open", "last_tag": 3_900_000}
    rows[5] |= EMPTY | {"health": "shorted"}
    rows[6] |= EMPTY | {"health": "silent", "last_tag": 190_000}
    rows[7] |= EMPTY | {"last_look": 5200, "looks": 0.0}
    for row in rows:
        if row["reader"] == 2 and row["tags"]:
            row |= {"last_look": 4200, "last_tag": 4300, "looks": 6.2}
        if row["reader"] == 3:
            row |= EMPTY | {"last_look": 45_000, "looks": 0.0, "last_tag": 45_000}
    state["readers"][1]["counters"] |= {"lost_frames": 17, "bad_crc": 5, "duplicates": 2}
    state["readers"][2] |= {
        "state": "silent",
        "text": "it has not looked anywhere for 4 s",
        "say": ["it has not looked anywhere for {seconds} s", {"seconds": "4"}],
        "log": ["tablectl 0.1.0, started by the watchdog or a command", "front end 1 does not answer: reset"],
    }
    text = "no port matches {port}: is the board plugged in?"
    state["readers"][3] |= {
        "state": "missing", "text": text.format(port="/dev/ttyUSB3"), "say": [text, {"port": "/dev/ttyUSB3"}],
        "port": "/dev/ttyUSB3", "firmware": "", "board_id": "", "log": [],
    }  # fmt: skip
    state["noise"] = {"unknown UID read once": 31, "malformed UID": 2, "antenna not in the configuration": 4}
    state["alarm"] = ["i7"]
    return state


def doubts() -> State:
    """What is no fault yet, each figure as wide as it gets; lines that were bad once, and every counter."""
    state = playing()
    rows = state["antennas"]
    full = {"looks": 100.0, "reads": 1000, "of": 1000, "rate": 1.0, "strength": -127, "tags": 21}
    for row in rows:
        row |= full | {"beside": [{"zone": zone, "rate": 1.0} for zone in ("muck", "board", "seat:10")]}
    rows[0] |= {"rate": 0.08, "beside": []}
    rows[1] |= {"rate": 0.31, "strength": -55, "beside": [{"zone": "seat:10", "rate": 0.13}]}
    rows[2] |= EMPTY | {"tags": 2}
    rows[3] |= EMPTY | {"tags": 0, "last_tag": 59 * 60_000}
    rows[4] |= {"zone": "seat:4/up"}
    rows[5] |= {"zone": "seat:4/down", "beside": [{"zone": "seat:10/up", "rate": 0.47}]}
    rows[-1] |= {"rate": 0.08, "strength": -60, "tags": 12, "beside": []}
    lines = dict.fromkeys(LINE_COUNTERS, 1)
    for reader, counters in zip(state["readers"], (TABLEWIRE, PEPPER, PN532, ()), strict=True):
        reader["counters"] |= dict.fromkeys(counters, 4_711) | lines
    return state


def one_board() -> State:
    """Between two hands at a small table with one board, and nothing on it yet."""
    state = playing(6)
    state["between_hands"] = True
    state["missed"] = 0.0
    state["readers"] = [_reader(0)]
    for n, row in enumerate(state["antennas"]):
        row |= EMPTY | {"reader": 0, "antenna": n, "last_tag": None, "beside": [], "usual": None}
    return state


def _told(state: str, **changes: Any) -> State:
    told: State = {"state": state, "reads": 0, "looks": 0, "strength": None, "zone": None, "rate": None}
    return told | changes


GOOD = _told("good", reads=47, looks=48, strength=-41, zone="seat:3", rate=0.06)


def under_test(told: State | None = None) -> State:
    """The test of the antennas is at seat 4; four are done, one of them is weak."""
    state = one_board()
    order = [[row["reader"], row["antenna"]] for row in state["antennas"]]
    weak = _told("weak", reads=11, looks=40, strength=-60)
    results = [{"reader": 0, "antenna": n, **(weak if n == 2 else GOOD)} for n in range(4)]
    state["test"] = {
        "order": order,
        "at": {"reader": 0, "antenna": 4, "zone": "seat:4"},
        "told": told or _told("reading", reads=9, looks=11, strength=-44),
        "results": results,
    }
    return state


def under_test_stud() -> State:
    """The test is at the up cards of a seat, which the down cards' antenna reads as well."""
    state = under_test(_told("beside", reads=40, looks=41, strength=-45, zone="seat:10/down", rate=0.61))
    state["table"]["seats"] = 10
    state["test"]["at"]["zone"] = state["antennas"][4]["zone"] = "seat:10/up"
    return state


def after_test(*, all_good: bool = False) -> State:
    """All antennas have had their turn."""
    state = under_test()
    test = state["test"]
    test["at"] = None
    test["told"] = _told("empty")
    test["results"] = [{"reader": 0, "antenna": n, **GOOD} for n in range(len(test["order"]))]
    if not all_good:
        test["results"][2] |= _told("weak", reads=11, looks=40, strength=-60)
        test["results"][3] |= _told("beside", reads=40, looks=41, strength=-45, zone="seat:4", rate=0.61)
        del test["results"][5]
    return state


def worn_deck() -> State:
    """Cards of the deck in play are worn."""
    text = Said("Deck {deck}: worn cards: {worn}. Replace them after the game.", deck="blue", worn=2)
    return playing() | {"notices": [{"text": text, **say(text)}]}


TOLD = {
    "empty": _told("empty"),
    "elsewhere": _told("elsewhere", zone="seat:6"),
    "reading": _told("reading", reads=9, looks=11, strength=-44),
    "weak": _told("weak", reads=11, looks=40, strength=-60, zone="seat:5", rate=0.03),
    "beside": _told("beside", reads=40, looks=41, strength=-45, zone="seat:5", rate=0.61),
    "several": _told("several"),
    "blind": _told("blind"),
}


def at_open_table(state: State) -> State:
    """The same at a table that knows its cards."""
    state["table"]["mode"] = "open"
    return state


ALL = {
    "once_bad": ("readers", doubts),  # first: what a page finds is the past, what it sees rise is not
    "playing": ("antennas", playing),
    "troubles": ("antennas", troubles),
    "worn_deck": ("antennas", worn_deck),
    "doubts": ("antennas", doubts),
    "boards": ("readers", troubles),
    "one_board": ("readers", one_board),
    "before": ("test", one_board),
    "wait": ("test", playing),
    **{f"test_{name}": ("test", lambda told=told: under_test(dict(told))) for name, told in TOLD.items()},
    "test_stud": ("test", under_test_stud),
    "open_test": ("test", lambda: at_open_table(under_test(dict(next(iter(TOLD.values())))))),
    "tested": ("test", after_test),
    "open_table": ("antennas", lambda: at_open_table(playing())),
    "tested_well": ("test", lambda: after_test(all_good=True)),
}
"""Name → which pane is open, and the state."""
