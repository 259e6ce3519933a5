"""Recordings: the spelling of what was sensed, and what reading does with broken lines."""

from __future__ import annotations

import io
import json
import os
import random
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablectl import recording
from tablectl.cards import Deck
from tablectl.core.entries import ACTIONS, VERDICTS
from tablectl.core.sensed import AntennaHealth, Entry, Found, Gap, Health, Lost, Passage, Seen, Sensed, Sweep
from tablectl.errors import RecordingError
from tablectl.recording import dump, from_objects, header, parse, read, read_header

SEATS = 9
UID = "E004015012345601"
CONFIG = {"table": {"id": "T12", "seats": SEATS, "game": "holdem", "rulebook": "pl"}}
BLUE = Deck("blue", {UID: "As", "E004015012345602": "Td"}, frozenset({"E0040150123456FF"}))
FIRST = header(CONFIG, [BLUE], "blue")

# --- every event, there and back ---------------------------------------------------------------------------

times = st.integers(0, recording.MAX_T)
numbers = st.integers(0, 255)
uids = st.sampled_from([4, 7, 8, 10]).flatmap(
    lambda n: st.binary(min_size=n, max_size=n).map(lambda raw: raw.hex().upper())
)
seen = st.builds(Seen, numbers, uids, st.none() | st.integers(-(1 << 31), 1 << 31), st.integers(0, 65_535))
seat = st.integers(1, SEATS)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
inputs = st.one_of(
    st.tuples(
        st.sampled_from(["undo", "damaged", "showdown", "hand_end"]),
        st.just({}) | words.map(lambda w: {"who": w}),
    ),
    st.tuples(st.just("seats"), st.sets(seat).map(lambda chosen: {"eligible": tuple(sorted(chosen))})),
    st.tuples(
        st.just("action"),
        st.fixed_dictionaries(
            {"seat": seat, "action": st.sampled_from(ACTIONS)}, optional={"all_in": st.booleans()}
        ),
    ),
    st.tuples(
        st.just("answer"),
        st.fixed_dictionaries({"question": words, "value": st.booleans() | st.integers() | words}),
    ),
    st.tuples(
        st.just("override"),
        st.fixed_dictionaries(
            {"irregularity": words, "verdict": st.sampled_from(VERDICTS), "why": words, "who": words}
        ),
    ),
    st.tuples(st.just("note"), st.fixed_dictionaries({"text": words})),
)
events = st.one_of(
    st.builds(
        Sweep, times, numbers, st.lists(numbers, max_size=8).map(tuple), st.lists(seen, max_size=8).map(tuple)
    ),
    st.builds(Passage, times, numbers, numbers, st.sampled_from(["up", "down", None])),
    st.builds(Lost, times, numbers),
    st.builds(Found, times, numbers),
    st.builds(Gap, times, numbers),
    st.builds(AntennaHealth, times, numbers, numbers, st.sampled_from(get_args(Health))),
    st.builds(lambda t, pair: Entry(t, *pair), times, inputs),
)


@given(events)
def test_every_event_comes_back_as_it_was(event: Sensed) -> None:
    """Written as JSON text and read again, any event equals itself, so a replay sees what the table saw."""
    spelled = json.loads(json.dumps(dump(event)))
    assert parse(spelled, line=2, seats=SEATS) == event


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (
            '{"t": 1200, "sweep": {"reader": 0, "polled": [0,1,2], '
            '"seen": [[1, "E004015012345601", -41], [1, "e0:04:01:50:12:34:56:02", null, 30], '
            '[2, "04A1B2C3"]]}}',
            Sweep(
                1200,
                0,
                (0, 1, 2),
                (
                    Seen(1, "E004015012345601", -41),
                    Seen(1, "E004015012345602", None, 30),
                    Seen(2, "04A1B2C3"),
                ),
            ),
        ),
        ('{"t": 1210, "passage": {"reader": 0, "antenna": 0, "face": "up"}}', Passage(1210, 0, 0, "up")),
        ('{"t": 1210, "passage": {"reader": 0, "antenna": 0}}', Passage(1210, 0, 0, None)),
        ('{"t": 1300, "lost": {"reader": 0}}', Lost(1300, 0)),
        ('{"t": 1900.0, "found": {"reader": 0}}', Found(1900, 0)),
        ('{"t": 1901, "gap": {"reader": 1}}', Gap(1901, 1)),
        (
            '{"t": 1902, "health": {"reader": 1, "antenna": 3, "state": "open"}}',
            AntennaHealth(1902, 1, 3, "open"),
        ),
        (
            '{"t": 1400, "input": {"do": "action", "seat": 3, "action": "call"}}',
            Entry(1400, "action", {"seat": 3, "action": "call"}),
        ),
    ],
)
def test_the_lines_of_the_contract_are_read(line: str, event: Sensed) -> None:
    """The examples of the contract, and its allowed variants of `seen`, mean what the contract says."""
    assert parse(json.loads(line), line=2, seats=SEATS) == event


BAD_EVENTS: list[tuple[Any, str]] = [
    (17, "must be an object such as"),
    ({"lost": {"reader": 0}}, "t is missing: must be a whole number"),
    ({"t": -1, "lost": {"reader": 0}}, "t = -1: must be a whole number"),
    ({"t": True, "lost": {"reader": 0}}, "t = True"),
    ({"t": 1.5, "lost": {"reader": 0}}, "t = 1.5"),
    ({"t": 1 << 60, "lost": {"reader": 0}}, "t = "),
    ({"t": 1}, "exactly one of sweep, passage, lost, found, gap, health, input"),
    ({"t": 1, "lost": {"reader": 0}, "found": {"reader": 0}}, "exactly one of"),
    ({"t": 1, "weather": {}}, "the line holds 't', 'weather'"),
    ({"t": 1, "lost": 0}, "lost = 0: must be an object"),
    ({"t": 1, "lost": {}}, "lost.reader is missing"),
    ({"t": 1, "lost": {"reader": "0"}}, "lost.reader = '0': must be a whole number from 0 to 255"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [0]}}, "sweep.seen is missing: must be a list"),
    ({"t": 1, "sweep": {"reader": 0, "polled": 3, "seen": []}}, "sweep.polled = 3: must be a list"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [True], "seen": []}}, "sweep.polled = True"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [], "seen": [[1]]}}, "sweep.seen[0] = [1]: must be [antenna"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [], "seen": [[1, "XYZ"]]}}, "sweep.seen[0] uid = 'XYZ'"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [], "seen": [[1, 77]]}}, "must be a tag UID in hex"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [], "seen": [[-1, UID]]}}, "sweep.seen[0] antenna = -1"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [], "seen": [[1, UID, "loud"]]}}, "rssi = 'loud'"),
    ({"t": 1, "sweep": {"reader": 0, "polled": [], "seen": [[1, UID, None, -5]]}}, "age = -5"),
    ({"t": 1, "passage": {"reader": 0, "antenna": 0, "face": "left"}}, "must be one of up, down"),
    ({"t": 1, "health": {"reader": 0, "antenna": 0}}, "health.state = None: must be one of ok, weak"),
    (
        {"t": 1, "input": {"do": "button", "seat": 10}},
        "input: button.seat = 10: must be a seat of this table",
    ),
    ({"t": 1, "input": {"do": "dance"}}, "there is no such input"),
]


@pytest.mark.parametrize(("obj", "text"), BAD_EVENTS)
def test_a_malformed_event_says_line_fault_and_remedy(obj: Any, text: str) -> None:
    """Every kind of malformed event is a RecordingError with its line number and what would be right."""
    with pytest.raises(RecordingError) as error:
        parse(obj, line=17, seats=SEATS)
    assert str(error.value).startswith("line 17: ")
    assert text in str(error.value)


def test_a_tag_of_odd_length_is_kept() -> None:
    """A UID of no standard length is noise for the core to count, never silently dropped by the reading."""
    obj = {"t": 1, "sweep": {"reader": 0, "polled": [1], "seen": [[1, "E0040150AA"]]}}
    assert parse(obj, line=2, seats=SEATS) == Sweep(1, 0, (1,), (Seen(1, "E0040150AA"),))


def test_names_of_a_later_version_are_told_and_ignored() -> None:
    """Unknown names in a line, in an event and in an input are reported, and the event is read all the
    same."""
    told: list[tuple[int, str]] = []
    obj = {"t": 5, "mood": 1, "input": {"do": "note", "text": "x", "colour": "red"}}
    event = parse(obj, line=4, seats=SEATS, report=lambda line, text: told.append((line, text)))
    assert event == Entry(5, "note", {"text": "x"})
    assert [line for line, _ in told] == [4, 4]
    assert "mood" in told[0][1]
    assert "input.colour" in told[1][1]


# --- the first line ----------------------------------------------------------------------------------------


def test_the_first_line_comes_back_as_it_was() -> None:
    """Configuration, decks and active deck survive the way through JSON."""
    head = read_header(json.loads(json.dumps(FIRST)))
    assert (head.config, head.decks, head.active_deck, head.seats) == (CONFIG, (BLUE,), "blue", SEATS)


def test_uids_of_a_deck_are_brought_into_one_spelling() -> None:
    """A deck enrolled elsewhere, in lower case with colons, knows the same tags."""
    spelled = {"id": "b", "cards": {"e0:04:01:50:12:34:56:01": "As"}, "jokers": ["e0 04 01 50 12 34 56 02"]}
    deck = read_header({**FIRST, "decks": [spelled], "active_deck": "b"}).decks[0]
    assert deck == Deck("b", {UID: "As"}, frozenset({"E004015012345602"}))


BAD_FIRST: list[tuple[Any, str]] = [
    ([], "not a recording: its first line must be"),
    ({"t": 1, "lost": {"reader": 0}}, "not a recording: its first line must be"),
    ({**FIRST, "recording": 2}, "recording = 2: this tablectl reads recordings of format 1"),
    ({**FIRST, "recording": True}, "recording = True"),
    ({**FIRST, "config": None}, "config.table is missing"),
    (
        {**FIRST, "config": {"table": {"seats": "9"}}},
        "config.table.seats = '9': must be a whole number from 2",
    ),
    ({**FIRST, "config": {"table": {"seats": 11}}}, "config.table.seats = 11"),
    ({**FIRST, "decks": {}}, "decks = {}: must be a list"),
    ({**FIRST, "decks": [{"id": "blue"}]}, "decks[0].cards = None: must be an object"),
    ({**FIRST, "decks": [{"id": "", "cards": {}}]}, "decks[0] = "),
    ({**FIRST, "decks": [{"id": "blue", "cards": {"G0": "As"}}]}, "decks[0]: tag UID 'G0': must be hex"),
    (
        {**FIRST, "decks": [{"id": "blue", "cards": {UID: "As"}, "jokers": [UID.lower()]}]},
        f"decks[0]: tag UID {UID} stands there twice",
    ),
    ({**FIRST, "decks": [{"id": "blue", "cards": {UID: 3}}]}, f"card of tag UID {UID} = 3"),
    ({**FIRST, "decks": [*FIRST["decks"], *FIRST["decks"]]}, "each deck needs an id of its own"),
    ({**FIRST, "active_deck": "red"}, "active_deck = 'red': must be one of blue"),
    ({**FIRST, "active_deck": None}, "active_deck = None: must be one of blue"),
]


@pytest.mark.parametrize(("obj", "text"), BAD_FIRST)
def test_a_broken_first_line_says_what_would_be_right(obj: Any, text: str) -> None:
    """Whatever is wrong in the first line ends the reading with its place and the remedy."""
    with pytest.raises(RecordingError) as error:
        read_header(obj)
    assert str(error.value).startswith("line 1: ")
    assert text in str(error.value)


# --- whole files -------------------------------------------------------------------------------------------

GOOD_LINES = [
    b'{"t": 100, "lost": {"reader": 0}}',
    b'{"t": 200, "found": {"reader": 0}}',
]
GOOD = [Lost(100, 0), Found(200, 0)]


def _file(*lines: bytes, end: bytes = b"\n") -> io.BytesIO:
    return io.BytesIO(b"\n".join([json.dumps(FIRST).encode(), *lines]) + end)


def _read(source: Any, *, strict: bool = False) -> tuple[list[Sensed], list[tuple[int, str]]]:
    told: list[tuple[int, str]] = []
    _, found = read(source, strict=strict, report=lambda line, text: told.append((line, text)))
    return list(found), told


BROKEN_LINES = [
    (b"not json", "is not JSON at column 1"),
    (b'{"t": 150, "lost": {"reader": 0}', "is not JSON at column"),
    (b"\x00\x00\x00\x00", "holds NUL bytes"),
    (b"\xff\xfe\x80 garbage \x07", "is not UTF-8 at byte 0"),
    (b'{"t": NaN, "lost": {"reader": 0}}', "NaN is no number"),
    (b'{"t": 150, "t": 151, "lost": {"reader": 0}}', "'t' stands twice in one object"),
    (b'{"t": ' + b"9" * 5000 + b', "lost": {"reader": 0}}', "is not sensible JSON"),
    (b"[" * 100_000, "is not sensible JSON"),
    (b'{"t": 150, "note": "' + b"x" * recording.MAX_LINE + b'"}', "longer than 1048576 bytes"),
    (b'{"t": 150, "lost": {"reader": null}}', "lost.reader = None"),
]


@pytest.mark.parametrize(("broken", "text"), BROKEN_LINES)
def test_a_broken_line_costs_only_itself(broken: bytes, text: str) -> None:
    """The lines before and after it are read, and it is reported with its own number."""
    found, told = _read(_file(GOOD_LINES[0], broken, GOOD_LINES[1]))
    assert found == GOOD
    assert [line for line, _ in told] == [3]
    assert text in told[0][1]
    assert told[0][1].endswith("; skipped")


@pytest.mark.parametrize(("broken", "text"), BROKEN_LINES)
def test_strict_stops_at_the_broken_line(broken: bytes, text: str) -> None:
    """With `strict` the events before it come, then a RecordingError with its number."""
    _, found = read(_file(GOOD_LINES[0], broken, GOOD_LINES[1]), strict=True)
    assert next(found) == GOOD[0]
    with pytest.raises(RecordingError) as error:
        next(found)
    assert str(error.value).startswith("line 3: ")
    assert text in str(error.value)


def test_empty_lines_count_but_are_nothing() -> None:
    """Blank lines are neither events nor faults, and line numbers stay those of an editor."""
    found, told = _read(_file(b"", GOOD_LINES[0], b"  \r", b"oops", GOOD_LINES[1], b""))
    assert found == GOOD
    assert [line for line, _ in told] == [5]


def test_a_last_line_cut_off_by_a_power_loss_is_reported() -> None:
    """A torn tail is reported as such and is not fatal; a whole last line without its newline is read."""
    found, told = _read(_file(*GOOD_LINES, b'{"t": 300, "swe', end=b""))
    assert found == GOOD
    assert "cut off by a power loss" in told[0][1]
    assert _read(_file(*GOOD_LINES, end=b"")) == (GOOD, [])


def test_time_never_goes_back() -> None:
    """A line that is earlier than the one before is reported and taken at that one's time; strict refuses
    it."""
    early = _file(GOOD_LINES[1], GOOD_LINES[0], b'{"t": 250, "gap": {"reader": 0}}')
    found, told = _read(early)
    assert found == [Found(200, 0), Lost(200, 0), Gap(250, 0)]
    assert told == [(3, "t = 100 goes back: the line before is at 200; taken as 200")]
    early.seek(0)
    with pytest.raises(RecordingError, match="line 3: t = 100 goes back"):
        _read(early, strict=True)


DAY = 24 * 3600 * 1000


def gap(t: int) -> bytes:
    return json.dumps({"t": t, "gap": {"reader": 0}}).encode()


@pytest.mark.parametrize(
    ("times", "taken", "lines"),
    [
        ([100, 10**12, 200], [100, 200], [3]),
        ([10**12, 100, 200], [100, 200], [2]),
        ([100, 200, 10**12], [100, 200], [4]),
        ([100, 10**12, 10**14, 200], [100, 200], [3, 4]),
        ([100, 100 + DAY, 200 + DAY], [100, 100 + DAY, 200 + DAY], []),
        ([100, 101 + DAY, 200 + DAY], [100, 101 + DAY, 200 + DAY], []),
        ([10**12, 10**12 + 1], [10**12, 10**12 + 1], []),
    ],
)
def test_a_line_alone_in_the_far_future_is_skipped(
    times: list[int], taken: list[int], lines: list[int]
) -> None:
    """More than 24 hours ahead of the line before: told with its number and skipped, and the later lines keep
    their times; strict refuses it. A silence of days that the next line confirms is none."""
    found, told = _read(_file(*map(gap, times)))
    assert [event.t for event in found] == taken
    assert [line for line, _ in told] == lines
    assert all(what.endswith("; skipped") and "24 hours" in what for _, what in told)
    if lines:
        with pytest.raises(RecordingError, match=f"line {lines[0]}: t = "):
            _read(_file(*map(gap, times)), strict=True)


def test_readers_and_antennas_out_of_nowhere_are_told_once() -> None:
    """A configuration that lists its readers: the first line of each one it lacks is told, strict or not, and
    the events come all the same. One that does not list them says nothing."""
    config = {**CONFIG, "reader": [{"antennas": {"0": "shoe", "1": "seat:1"}}, {"antennas": {"0": "board"}}]}
    lines = [
        {"t": 1, "sweep": {"reader": 0, "polled": [0, 1, 2], "seen": [[3, UID]]}},
        {"t": 2, "sweep": {"reader": 1, "polled": [0, 1], "seen": []}},
        {"t": 3, "sweep": {"reader": 0, "polled": [2], "seen": [[3, UID]]}},
        {"t": 4, "passage": {"reader": 1, "antenna": 5, "face": None}},
        {"t": 5, "lost": {"reader": 2}},
        {"t": 6, "found": {"reader": 2}},
    ]
    told: list[tuple[int, str]] = []
    _, events = from_objects(
        header(config, [BLUE], "blue"), lines, strict=True, report=lambda *what: told.append(what)
    )
    assert [event.t for event in events] == [1, 2, 3, 4, 5, 6]
    assert [line for line, _ in told] == [2, 2, 3, 5, 6]
    named = [what.partition(";")[0] for _, what in told]
    assert named == [
        *(f"reader {r} has no antenna {a} in the configuration" for r, a in [(0, 2), (0, 3), (1, 1), (1, 5)]),
        "reader 2: the configuration has no such reader",
    ]
    told.clear()
    _, events = from_objects(FIRST, lines, report=lambda *what: told.append(what))
    assert (len(list(events)), told) == (6, [])


def test_unknown_names_do_not_stop_a_strict_reading() -> None:
    """What a later version added is no malformed line."""
    found, told = _read(_file(b'{"t": 100, "lost": {"reader": 0, "since": 3}, "note": 1}'), strict=True)
    assert found == [Lost(100, 0)]
    assert len(told) == 2


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "line 1: the recording is empty"),
        (b"\n\n", "the recording is empty"),
        (random.Random(2).randbytes(4000), "line 1: "),
        (b"\x7fELF\x00\x00", "line 1: holds NUL bytes"),
        (b'{"t": 1, "lost": {"reader": 0}}\n', "line 1: not a recording"),
        (json.dumps(FIRST).encode()[:60], "line 1: is not JSON"),
    ],
)
def test_what_is_no_recording_is_refused_at_once(tmp_path: Path, content: bytes, text: str) -> None:
    """Empty files, other files and torn first lines end in one clear error, strict or not."""
    path = tmp_path / "night.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordingError) as error:
        read(path)
    assert text in str(error.value)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """A missing file and a directory are RecordingErrors with the path, not tracebacks."""
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(RecordingError, match="cannot be read") as error:
            read(path)
        assert str(path) in str(error.value)


def test_files_bytes_texts_and_objects_read_the_same(tmp_path: Path) -> None:
    """A path, a binary stream, a text stream, a string buffer and a journal's objects give the same
    events."""
    content = _file(*GOOD_LINES).getvalue()
    path = tmp_path / "night.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + content)  # as some editors save it
    with path.open(encoding="utf-8") as text:
        assert _read(text) == (GOOD, [])
    assert _read(path) == (GOOD, [])
    assert _read(io.StringIO(content.decode())) == (GOOD, [])
    head, found = from_objects(FIRST, [json.loads(line) for line in GOOD_LINES])
    assert (head.seats, list(found)) == (SEATS, GOOD)


def test_a_pipe_is_read_as_it_comes() -> None:
    """Events come out as lines go in: nothing waits for the end of the stream."""
    out, into = os.pipe()
    with os.fdopen(out, "rb") as source, os.fdopen(into, "wb", buffering=0) as sink:
        sink.write(_file(GOOD_LINES[0]).getvalue())
        _, found = read(source)
        assert next(found) == GOOD[0]
        sink.write(GOOD_LINES[1] + b"\n")
        assert next(found) == GOOD[1]


@settings(max_examples=150)
@given(st.lists(st.binary(max_size=60) | st.sampled_from(GOOD_LINES), max_size=6))
def test_no_bytes_whatever_break_the_reading(lines: list[bytes]) -> None:
    """After a good first line any bytes at all give events and reports, never another exception."""
    found, told = _read(_file(*lines))
    assert len(found) >= lines.count(GOOD_LINES[0]) + lines.count(GOOD_LINES[1]) - len(told)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["t", "sweep", "reader", "polled", "seen", "input", "do", "seat", "passage", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_no_object_whatever_breaks_the_parsing(obj: Any) -> None:
    """Any JSON value is an event that can be written again, or a RecordingError."""
    try:
        event = parse(obj, line=2, seats=SEATS)
    except RecordingError:
        return
    assert parse(dump(event), line=2, seats=SEATS) == event
