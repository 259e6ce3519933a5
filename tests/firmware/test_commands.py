"""What the host tells a board, and what the board says of itself."""

from __future__ import annotations

import pytest
from desk import UID, Desk
from main import FIRMWARE

from tablectl import wire

OK, UNKNOWN_KIND, BAD_BODY = 0, 1, 2


# --- who is there --------------------------------------------------------------------------------------------


def test_the_first_frame_of_a_boot_is_hello_with_number_0() -> None:
    """A host that listens already learns of the restart at once, and that no sweep had begun before it."""
    desk = Desk(boot_id=77, fronts=2).run()
    ((kind, hello), *_) = desk.got()
    assert (kind, desk.seqs[0]) == (wire.HELLO, 0)
    assert (hello["major"], hello["boot_id"], hello["board_id"]) == (wire.MAJOR, 77, bytes(range(1, 9)))
    assert hello["firmware"] == FIRMWARE
    assert [each["antenna"] for each in hello["antennas"]] == list(range(16))
    assert hello["capabilities"] == 0b1110


def test_hello_is_the_only_answer_to_get_hello() -> None:
    """No RESULT beside it; a board without optical sensors does not claim them."""
    desk = Desk(optical=False).run()
    desk.got()
    desk.say(wire.GET_HELLO)
    desk.say(wire.GET_HELLO)
    found = desk.run(50).got(wire.HELLO, wire.RESULT)
    assert [kind for kind, _ in found] == [wire.HELLO, wire.HELLO]
    assert found[0][1]["capabilities"] == 0b1100


# --- commands ------------------------------------------------------------------------------------------------


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
