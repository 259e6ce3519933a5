"""The firmware's loop in simulated time: commands, reports, faults, a host that does not read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from main import FIRMWARE, MOST_FAULTS, Firmware
from simulated_board import PERIOD, PlayedRadio, SimulatedBoard

from tablectl import wire

Reads = list[tuple[int, int, bytes]]
UID = bytes.fromhex("E004015012345678")
OTHER = bytes.fromhex("E004015087654321")
OK, UNKNOWN_KIND, BAD_BODY = 0, 1, 2
WELL, WEAK, OPEN, SHORTED, SILENT = range(5)
DOWN, UP = 1, 2


def empty(_antenna: int, _nth: int) -> tuple[int, Reads, str | None]:
    return 3, [], None


class Desk:
    """A board with its firmware, and the host's side of its line."""

    def __init__(self, play: Callable[[int, int], Any] = empty, *, fronts: int = 1, **board: Any) -> None:
        self.board = SimulatedBoard(**board)
        self.radios = [PlayedRadio(self.board, play) for _ in range(fronts)]
        self.firmware = Firmware(self.board, [(radio, 8) for radio in self.radios])
        self._decoder = wire.Decoder()
        self._taken = 0
        self._seq = 0
        self.seqs: list[int] = []

    def say(self, kind: int, **fields: Any) -> int:
        """The host sends a command; its sequence number."""
        return self.raw(kind, wire.pack(kind, **fields))

    def raw(self, kind: int, body: bytes) -> int:
        seq, self._seq = self._seq, (self._seq + 1) % 256
        self.board.heard += wire.encode(kind, seq, body)
        return seq

    def plan(self, *antennas: int, period: int = 40, power: int = 255) -> int:
        return self.say(
            wire.SET_POLL_PLAN,
            plan=[{"antenna": each, "period_ms": period, "power": power} for each in antennas],
        )

    def run(self, ms: int = 100) -> Desk:
        end = self.board.us + ms * 1000
        while self.board.us < end:
            self.firmware.turn()
        return self

    def got(self, *kinds: int) -> list[tuple[int, dict[str, Any]]]:
        """What came since it was asked last, of these kinds or of all: (kind, fields)."""
        data = bytes(self.board.sent[self._taken :])
        self._taken += len(data)
        frames = self._decoder.feed(data)
        self.seqs += [seq for _, seq, _ in frames]
        found = [(kind, wire.unpack(kind, body)) for kind, _, body in frames]
        return [each for each in found if not kinds or each[0] in kinds]

    def fields(self, kind: int) -> list[dict[str, Any]]:
        return [fields for _, fields in self.got(kind)]

    def result(self) -> dict[str, Any]:
        (fields,) = self.run().fields(wire.RESULT)
        return fields

    def health(self) -> dict[int, int]:
        """Antenna → the state that was said last."""
        return {each["antenna"]: each["state"] for each in self.fields(wire.ANTENNA_HEALTH)}


# --- who is there -------------------------------------------------------------------------------------------


def test_the_first_frame_of_a_boot_is_hello_with_number_0() -> None:
    """A host that listens already learns of the restart at once, and that no sweep had begun before it."""
    desk = Desk(boot_id=77, fronts=2).run()
    ((kind, hello), *_) = desk.got()
    assert (kind, desk.seqs[0]) == (wire.HELLO, 0)
    assert (hello["major"], hello["boot_id"], hello["board_id"]) == (wire.MAJOR, 77, bytes(range(1, 9)))
    assert hello["firmware"] == FIRMWARE
    assert [each["antenna"] for each in hello["antennas"]] == list(range(16))
    assert hello["capabilities"] == 0b1111


def test_hello_is_the_only_answer_to_get_hello() -> None:
    """No RESULT beside it; a board without optical sensors does not claim them."""
    desk = Desk(optical=False).run()
    desk.got()
    desk.say(wire.GET_HELLO)
    desk.say(wire.GET_HELLO)
    found = desk.run(50).got(wire.HELLO, wire.RESULT)
    assert [kind for kind, _ in found] == [wire.HELLO, wire.HELLO]
    assert found[0][1]["capabilities"] == 0b1101


# --- commands -----------------------------------------------------------------------------------------------


def test_nothing_is_polled_before_a_plan_and_only_the_plan_after_it() -> None:
    """Antennas that the plan does not list, or lists with period 0, stay off; power reaches the radio."""
    desk = Desk().run(500)
    assert not desk.radios[0].looks
    seq = desk.say(
        wire.SET_POLL_PLAN,
        plan=[
            {"antenna": 1, "period_ms": 40, "power": 90},
            {"antenna": 2, "period_ms": 0, "power": 255},
        ],
    )
    result = desk.result()
    assert (result["for_seq"], result["for_kind"], result["status"]) == (seq, wire.SET_POLL_PLAN, OK)
    desk.run(1000)
    assert list(desk.radios[0].looks) == [1]
    assert desk.radios[0].asked == [1, 90, False]
    assert {each["polled"] for each in desk.fields(wire.SIGHTINGS)} == {0b10}


def test_a_plan_that_is_sent_again_does_no_harm() -> None:
    """A lost RESULT makes the host repeat the plan: each is answered, polling goes on as before, and an empty plan
    switches everything off."""
    desk = Desk(lambda _antenna, _nth: (6, [(5, -40, UID)], None))
    first, second = desk.plan(0, 1), desk.plan(0, 1)
    found = desk.run(500).got(wire.RESULT, wire.SIGHTINGS)
    assert [fields["for_seq"] for kind, fields in found if kind == wire.RESULT] == [first, second]
    assert {s["antenna"] for kind, f in found if kind == wire.SIGHTINGS for s in f["seen"]} == {0, 1}
    desk.plan()
    desk.run(100).got()
    assert desk.run(500).fields(wire.SIGHTINGS) == []


@pytest.mark.parametrize(
    ("kind", "body", "status", "detail"),
    [
        (wire.SET_POLL_PLAN, b"\x01\x08\x28\x00\xff", BAD_BODY, "no antenna 8"),
        (wire.SET_POLL_PLAN, b"\x02\x01", BAD_BODY, "ends too early"),
        (wire.SELF_TEST, b"\x09", BAD_BODY, "no antenna 9"),
        (wire.SELF_TEST, b"", BAD_BODY, "ends too early"),
        (wire.SET_LED, b"\x01\x00\x00\x00\x00", BAD_BODY, "no led 1"),
        (wire.SET_LED, b"\x00\x00\x00\x00\x09", BAD_BODY, "no pattern 9"),
        (0x9F, b"anything", UNKNOWN_KIND, "not a command"),
        (wire.HEARTBEAT, b"", UNKNOWN_KIND, "not a command"),
    ],
)
def test_a_command_that_cannot_be_done_is_refused_with_the_reason(
    kind: int, body: bytes, status: int, detail: str
) -> None:
    """RESULT names the command, its number, the status and what is wrong; the plan in force stays."""
    desk = Desk()
    desk.plan(3)
    desk.run(100).got()
    seq = desk.raw(kind, body)
    result = desk.result()
    assert (result["for_seq"], result["for_kind"], result["status"]) == (seq, kind, status)
    assert detail in result["detail"]
    assert {each["polled"] for each in desk.run(200).fields(wire.SIGHTINGS)} == {0b1000}


def test_a_damaged_command_is_counted_and_the_next_one_is_heard() -> None:
    """Noise, a broken frame and one that never ends cost only themselves; the heartbeat counts them."""
    desk = Desk()
    good = wire.encode(wire.SELF_TEST, 1, b"\x00")
    desk.board.heard = b"\x07noise\x00" + good[:2] + b"\xaa" + good[3:] + b"\x55" * 600 + b"\x00" + good
    found = desk.run(1200).got(wire.RESULT, wire.HEARTBEAT)
    assert [fields["for_seq"] for kind, fields in found if kind == wire.RESULT] == [1]
    assert [fields["rx_errors"] for kind, fields in found if kind == wire.HEARTBEAT] == [3]


def test_a_host_that_never_stops_sending_does_not_stop_the_polling() -> None:
    """Only so many bytes are taken in one turn of the loop: looks and heartbeats go on."""
    desk = Desk()
    desk.plan(0, 1)
    desk.run(100)
    looks = sum(desk.radios[0].looks.values())
    desk.board.flood = wire.encode(wire.SET_LED, 0, bytes(5)) * 40
    found = desk.run(2000).got(wire.HEARTBEAT, wire.SIGHTINGS)
    assert sum(desk.radios[0].looks.values()) > looks + 40
    assert {kind for kind, _ in found} == {wire.HEARTBEAT, wire.SIGHTINGS}


def test_lamps_show_what_they_are_told() -> None:
    """SET_LED sets the colour at once, blinks in its pattern, and is off after black; the board's own lamp blinks
    until there is a plan."""
    desk = Desk()
    desk.say(wire.SET_LED, led=0, r=9, g=8, b=7, pattern=1)
    assert desk.result()["status"] == OK
    desk.run(2000)
    assert set(desk.board.colours) == {(0, 9, 8, 7), (0, 0, 0, 0)}
    assert len(desk.board.colours) in (4, 5)
    desk.say(wire.SET_LED, led=0, r=0, g=0, b=0, pattern=0)
    desk.run(100)
    assert desk.board.colours[-1] == (0, 0, 0, 0)
    assert len(desk.board.lamps) >= 4
    desk.plan(0)
    desk.run(100)
    before = len(desk.board.lamps)
    desk.run(3000)
    assert desk.board.lamps[-1] == 1
    assert len(desk.board.lamps) == before


# --- sightings ----------------------------------------------------------------------------------------------


def test_what_failed_is_never_absent() -> None:
    """A look that fails half-way: what it read is told, the antenna's bit is not set; the next whole look sets it in
    a sweep of its own."""

    def play(_antenna: int, nth: int) -> tuple[int, Reads, str | None]:
        return (
            6,
            [(5, -40, UID)] if nth == 2 else [(4, -41, UID), (5, -44, OTHER)],
            "protocol" if nth == 2 else None,
        )

    desk = Desk(play)
    desk.plan(0)
    frames = desk.run(400).fields(wire.SIGHTINGS)
    assert [each["polled"] for each in frames[:4]] == [1, 1, 0, 1]
    assert [len(each["seen"]) for each in frames[:4]] == [2, 2, 1, 2]
    assert [each["sweep"] for each in frames[:4]] == [0, 1, 2, 3]


def test_a_look_that_failed_with_nothing_read_says_nothing() -> None:
    """No frame at all rather than one that could be read as an empty antenna."""
    desk = Desk(lambda _antenna, _nth: (6, [], "protocol"))
    desk.plan(0)
    assert desk.run(1000).fields(wire.SIGHTINGS) == []


def test_several_tags_are_asked_for_in_slots_next_time() -> None:
    """After two tags the next look begins with sixteen slots, after one or none with one."""
    begun_with_slots: list[bool] = []

    def play(_antenna: int, nth: int) -> tuple[int, Reads, str | None]:
        begun_with_slots.append(desk.radios[0].asked[2])
        return 6, [(4, -41, UID), (5, -44, OTHER)][: (0, 1, 2, 2, 1, 0)[nth % 6]], None

    desk = Desk(play)
    desk.plan(0)
    desk.run(1000)
    assert begun_with_slots[:12] == [False, False, False, True, True, False] * 2


def test_a_lone_tag_is_now_and_then_asked_for_in_slots() -> None:
    """A strong tag can drown the one under it: every ninth look at a lone tag begins with sixteen slots."""
    begun_with_slots: list[bool] = []

    def play(_antenna: int, _nth: int) -> tuple[int, Reads, str | None]:
        begun_with_slots.append(desk.radios[0].asked[2])
        return 6, [(4, -41, UID)], None

    desk = Desk(play)
    desk.plan(0)
    desk.run(2000)
    assert begun_with_slots[:18] == ([False] * 8 + [True]) * 2


def test_board_time_goes_on_when_the_ticks_wrap() -> None:
    """MicroPython's ticks wrap after twelve days: t0 and uptime go on as a 32-bit counter does."""
    desk = Desk(start_ms=PERIOD - 3000)
    desk.plan(0)
    found = desk.run(6000).got(wire.SIGHTINGS, wire.HEARTBEAT)
    t0 = [fields["t0_ms"] for kind, fields in found if kind == wire.SIGHTINGS]
    assert t0 == sorted(t0)
    assert 5900 < t0[-1] < 6100
    ups = [fields["uptime_ms"] for kind, fields in found if kind == wire.HEARTBEAT]
    assert [round(up / 1000) for up in ups] == [1, 2, 3, 4, 5, 6][: len(ups)]
    assert len(ups) >= 5


# --- antennas and front ends --------------------------------------------------------------------------------


def test_a_plan_is_followed_by_the_health_of_its_antennas() -> None:
    """A host that has just come knows of each antenna how it does, without asking."""
    desk = Desk()
    desk.plan(0, 5)
    assert desk.run(200).health() == {0: WELL, 5: WELL}
    assert desk.run(2000).health() == {}


@pytest.mark.parametrize(("tuning", "state"), [(5, SHORTED), (0, SHORTED), (1023, OPEN), (480, WELL)])
def test_a_torn_or_shorted_coil_is_told_by_its_tuning(tuning: int, state: int) -> None:
    """No carrier is a short, all of it an open coil."""
    desk = Desk()
    desk.radios[0].tunings[2] = tuning
    desk.plan(1, 2)
    assert desk.run(200).health() == {1: WELL, 2: state}


def test_a_tuning_that_changes_is_told_and_when_it_is_mended_too() -> None:
    """Measured again and again while it polls: far from what it was at the start, the antenna is weak."""
    desk = Desk()
    desk.plan(0, 1)
    assert desk.run(500).health() == {0: WELL, 1: WELL}
    desk.radios[0].tunings[1] = 200
    assert desk.run(11_000).health() == {1: WEAK}
    desk.radios[0].tunings[1] = 510
    assert desk.run(11_000).health() == {1: WELL}


def test_many_failed_looks_are_a_weak_antenna_and_a_few_are_not() -> None:
    """Half of the looks spoilt: weak; it is well again once most looks go well; one in five is nothing."""
    spoilt = {0: lambda nth: nth % 2 and nth < 60, 1: lambda nth: nth % 5 == 0}
    desk = Desk(lambda antenna, nth: (6, [], "protocol" if spoilt[antenna](nth) else None))
    desk.plan(0, 1)
    states = [(each["antenna"], each["state"]) for each in desk.run(10_000).fields(wire.ANTENNA_HEALTH)]
    assert states == [(0, WELL), (1, WELL), (0, WEAK), (0, WELL)]
    counts = Desk(lambda _antenna, nth: (6, [], "protocol" if nth % 2 else None))
    counts.plan(0)
    counts.run(1000)
    counts.say(wire.SELF_TEST, antenna=0)
    last = counts.run(100).fields(wire.ANTENNA_HEALTH)[-1]
    assert last["reads"] > 5
    assert last["errors"] > 5


def test_an_antenna_whose_field_does_not_come_on_is_shorted_and_the_others_go_on() -> None:
    """The front end is reset each time, but it is the antenna that is named, and not in a flood of LOG."""
    desk = Desk(lambda antenna, _nth: (6, [], "field" if antenna == 3 else None))
    desk.plan(2, 3)
    found = desk.run(5000).got(wire.ANTENNA_HEALTH, wire.SIGHTINGS, wire.LOG)
    health = {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH}
    assert health == {2: WELL, 3: SHORTED}
    assert len([1 for kind, f in found if kind == wire.LOG and "played fault" in f["text"]]) == 1
    assert {f["polled"] for kind, f in found if kind == wire.SIGHTINGS} == {0b100}


def test_a_front_end_that_hangs_is_told_and_comes_back_by_itself() -> None:
    """Its antennas are silent and not polled, those of the other front end are polled all the while; once it can be
    started again everything is as before."""
    desk = Desk(fronts=2)
    desk.plan(0, 1, 8)
    assert desk.run(500).health() == {0: WELL, 1: WELL, 8: WELL}
    desk.radios[0].dead = True
    found = desk.run(3000).got(wire.ANTENNA_HEALTH, wire.SIGHTINGS, wire.LOG)
    health = {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH}
    assert health == {0: SILENT, 1: SILENT}
    assert {f["polled"] for kind, f in found if kind == wire.SIGHTINGS} == {0b1_0000_0000}
    assert len([1 for kind, _ in found if kind == wire.SIGHTINGS]) > 50
    log = [f["text"] for kind, f in found if kind == wire.LOG]
    assert any("front end 0 does not answer: BUSY stays high" in text for text in log)
    assert 2 <= desk.radios[0].starts <= 5
    desk.radios[0].dead = False
    found = desk.run(3000).got(wire.ANTENNA_HEALTH, wire.SIGHTINGS)
    assert {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH} == {
        0: WELL,
        1: WELL,
    }
    polled = 0
    for kind, fields in found:
        polled |= fields["polled"] if kind == wire.SIGHTINGS else 0
    assert polled == 0b1_0000_0011


def test_a_board_whose_front_end_never_answers_says_so_and_sights_nothing() -> None:
    """Not one antenna counts as polled, and the host hears why as soon as it sets a plan."""
    desk = Desk()
    desk.radios[0].dead = True
    desk.run(2500)
    desk.plan(0, 1)
    found = desk.run(2000).got()
    assert not [kind for kind, _ in found if kind == wire.SIGHTINGS]
    assert {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH} == {
        0: SILENT,
        1: SILENT,
    }


def test_a_self_test_measures_also_antennas_that_are_off() -> None:
    """The RESULT comes at once, then the health of every antenna, though no plan was set."""
    desk = Desk()
    desk.radios[0].tunings[6] = 1023
    desk.say(wire.SELF_TEST, antenna=0xFF)
    found = desk.run(300).got(wire.RESULT, wire.ANTENNA_HEALTH)
    assert found[0][0] == wire.RESULT
    assert found[0][1]["status"] == OK
    health = {f["antenna"]: f["state"] for kind, f in found if kind == wire.ANTENNA_HEALTH}
    assert health == {n: OPEN if n == 6 else WELL for n in range(8)}
    assert not desk.radios[0].looks


# --- a host that does not read ------------------------------------------------------------------------------


def test_nobody_reads_and_the_board_polls_on_in_the_same_memory() -> None:
    """What finds no room is dropped whole and counted; the host that comes back finds a gap in the numbers, an answer
    to its GET_HELLO, and the count in the heartbeat."""
    desk = Desk(lambda _antenna, _nth: (6, [(4, -41, UID), (5, -44, OTHER)], None))
    desk.plan(0, 1, 2)
    desk.run(200)
    before = sum(desk.radios[0].looks.values())
    desk.board.room = 0
    desk.got()
    desk.run(60_000)
    assert sum(desk.radios[0].looks.values()) > before + 2000
    desk.say(wire.GET_HELLO)
    desk.run(50)
    desk.board.room = None
    found = desk.run(3000).got()
    assert wire.HELLO in [kind for kind, _ in found]
    dropped = [fields["tx_dropped"] for kind, fields in found if kind == wire.HEARTBEAT][-1]
    assert dropped > 1000
    gaps = [(b - a) % 256 for a, b in zip(desk.seqs, desk.seqs[1:], strict=False)]
    assert [gap for gap in gaps if gap != 1]
    assert sum(1 for gap in gaps if gap != 1) <= 3


def test_a_host_that_takes_a_few_bytes_at_a_time_gets_whole_frames() -> None:
    """However the line cuts what is sent, and wherever the queue wraps: not one frame is damaged."""
    desk = Desk(lambda _antenna, _nth: (6, [(4, -41, UID), (5, -44, OTHER)], None))
    desk.plan(0, 1, 2)
    for n in range(2000):
        desk.board.room = (n * 7) % 23
        desk.firmware.turn()
    desk.board.room = None
    assert len(desk.run(500).got()) > 100
    assert (desk._decoder.bad_cobs, desk._decoder.bad_crc, desk._decoder.too_long) == (0, 0, 0)


# --- faults of our own --------------------------------------------------------------------------------------


def test_a_fault_of_ours_is_told_and_the_loop_goes_on() -> None:
    """One look raises what nobody expected: a LOG names it, that antenna is not "polled" by it, polling goes on."""

    def play(_antenna: int, nth: int) -> tuple[int, Reads, str | None]:
        if nth == 3:
            raise ValueError("what nobody expected")
        return 6, [], None

    desk = Desk(play)
    desk.plan(0)
    found = desk.run(1000).got(wire.LOG, wire.SIGHTINGS)
    assert [f["text"] for kind, f in found if kind == wire.LOG][-1] == "ValueError: what nobody expected"
    assert len([1 for kind, _ in found if kind == wire.SIGHTINGS]) == desk.radios[0].looks[0] - 1
    assert desk.board.resets == 0


def test_a_fault_that_stays_restarts_the_board() -> None:
    """Turn after turn the same fault: it is told once, and the board starts afresh. The watchdog is fed by every turn
    of the loop and by nothing else."""

    def play(_antenna: int, nth: int) -> tuple[int, Reads, str | None]:
        raise ValueError("always")

    desk = Desk(play)
    desk.plan(0)
    for _ in range(MOST_FAULTS + 15):
        desk.firmware.turn()
    assert desk.board.resets == 1
    assert desk.board.fed == MOST_FAULTS + 15


def test_a_flasher_gets_the_line(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked by bytes that are no frame, the firmware leaves the mark that the next start looks for, and resets."""
    monkeypatch.chdir(tmp_path)
    import update

    desk = Desk()
    desk.plan(0)
    desk.run(100)
    desk.board.heard = update.ASKED
    desk.firmware.run()
    assert desk.board.resets == 1
    assert update.begins()
    assert not update.begins()


# --- the mouth of the shoe ----------------------------------------------------------------------------------


def slide(desk: Desk, *spans: tuple[int, int]) -> None:
    """Lets the sensors show these levels (bit 0 below, 1 above) for so many µs each, then dark."""
    at = desk.board.us
    for levels, us in spans:
        desk.board.edges.append((at, levels))
        at += us
    desk.board.edges.append((at, 0))


def test_the_side_that_is_white_is_the_face() -> None:
    """White below: dealt face down. White above: face up. Both alike: not known. The time is that of the card's end."""
    desk = Desk()
    desk.plan(0)
    desk.run(100).got()
    for levels, face in [(1, DOWN), (2, UP), (3, 0)]:
        before = desk.board.us // 1000
        slide(desk, (levels, 60_000))
        (passage,) = desk.run(200).fields(wire.PASSAGE)
        assert (passage["antenna"], passage["face"]) == (0, face)
        assert abs(passage["t_ms"] - (before + 60)) <= 1


def test_pips_and_margins_are_one_card_and_sparks_are_none() -> None:
    """A face with dark pictures and a back with white margins is one passage, face down; a spark of half a millisecond
    is none; two cards 60 ms apart are two."""
    desk = Desk()
    desk.run(100).got()
    slide(desk, (3, 3000), (1, 9000), (0, 15_000), (1, 2000), (0, 20_000), (1, 9000), (3, 3000))
    assert [each["face"] for each in desk.run(300).fields(wire.PASSAGE)] == [DOWN]
    slide(desk, (1, 200), (0, 100), (1, 200))
    assert desk.run(300).fields(wire.PASSAGE) == []
    slide(desk, (1, 40_000), (0, 60_000), (2, 40_000))
    assert [each["face"] for each in desk.run(400).fields(wire.PASSAGE)] == [DOWN, UP]


def test_a_card_that_rests_in_the_mouth_is_told_when_it_has_gone() -> None:
    """Ten minutes under the sensors, longer than the microseconds count: one passage, at its end, with its face."""
    desk = Desk()
    desk.run(100).got()
    slide(desk, (1, 600_000_000))
    assert desk.run(599_000).fields(wire.PASSAGE) == []
    assert [each["face"] for each in desk.run(2000).fields(wire.PASSAGE)] == [DOWN]


def test_edges_that_were_lost_leave_the_face_unknown() -> None:
    """A flickering light overran the queue: the card is told, its face is not guessed, and the LOG says why."""
    desk = Desk()
    desk.run(100).got()
    slide(desk, (1, 50_000))
    desk.run(20)
    desk.board.edges_lost += 5
    found = desk.run(200).got(wire.PASSAGE, wire.LOG)
    assert [f["face"] for kind, f in found if kind == wire.PASSAGE] == [0]
    assert any("5 edges" in f["text"] for kind, f in found if kind == wire.LOG)
