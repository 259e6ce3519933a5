"""The talk with a board as pure steps: time is a number here, so every delay is the protocol's own."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablectl import wire
from tablectl.core.sensed import AntennaHealth, Found, Gap, Lost, Passage, Sensed, Sweep
from tablectl.shell.readers import ReaderState, Timing
from tablectl.shell.readers.session import Session

# A busy machine must not fail a test: no time limit per example.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

HELLO: dict[str, Any] = {
    "major": 1,
    "minor": 0,
    "boot_id": 1,
    "board_id": b"board--A",
    "firmware": "test",
    "capabilities": 1,
    "antennas": [{"antenna": n, "kind": 0} for n in range(3)],
}


class Talk:
    """A session, what it sent and said, and a board's side that keeps its own sequence number."""

    def __init__(self, antennas: dict[int, str] | None = None) -> None:
        self.events: list[Sensed] = []
        self.states: list[ReaderState] = []
        self.sent: list[tuple[int, int, bytes]] = []
        self.seq = 0
        self._decoder = wire.Decoder()
        self.session = Session(
            3,
            "port",
            antennas or {0: "shoe", 1: "seat:1", 2: "seat:2"},
            emit=self.events.append,
            report=self.states.append,
            timing=Timing(),
        )

    def open(self, t: int = 0, **options: Any) -> None:
        self.session.opened(t, lambda data: self.sent.extend(self._decoder.feed(data)), **options)

    def says(self, kind: int, t: int, **fields: Any) -> bytes:
        data = wire.encode(kind, self.seq, wire.pack(kind, **fields))
        self.seq = (self.seq + 1) % 256
        self.session.received(data, t)
        return data

    def hello(self, t: int, **changes: Any) -> None:
        self.says(wire.HELLO, t, **{**HELLO, **changes})

    def settle(self, t: int, **changes: Any) -> None:
        """HELLO, and the plan accepted."""
        self.hello(t, **changes)
        self.accept(t)

    def accept(self, t: int, status: int = 0, detail: str = "") -> None:
        kind, seq, _ = self.sent[-1]
        self.says(wire.RESULT, t, for_seq=seq, for_kind=kind, status=status, detail=detail)

    def run_to(self, end: int) -> list[int]:
        """Let time pass, ticking when the session wants it; the times at which it did."""
        times = []
        while (due := self.session.deadline) is not None and due <= end:
            times.append(due)
            self.session.tick(due)
            assert self.session.deadline is None or self.session.deadline > due, "a tick that changes nothing"
        return times

    def kinds(self) -> list[int]:
        return [kind for kind, _, _ in self.sent]


def test_hello_is_asked_every_500_ms_until_it_comes() -> None:
    """At once, then at 500, 1000, …; after HELLO never again."""
    talk = Talk()
    talk.open()
    talk.run_to(1400)
    assert talk.kinds() == [wire.GET_HELLO] * 3
    talk.settle(1450)
    for t in range(2000, 9000, 1000):
        talk.says(wire.HEARTBEAT, t, uptime_ms=t, free_kib=1, rx_errors=0, tx_dropped=0)
        talk.run_to(t + 999)
    assert talk.kinds() == [wire.GET_HELLO] * 3 + [wire.SET_POLL_PLAN]
    assert talk.states[-1].state == "ok"


LAMP = 8
"""Bit 3 of HELLO's capabilities."""


def lamp(talk: Talk) -> dict[str, Any]:
    """The last command, which must be one for the lamp."""
    kind, _, body = talk.sent[-1]
    assert kind == wire.SET_LED
    return wire.unpack(kind, body)


def test_a_lamp_is_lit_and_put_out() -> None:
    """Lamp 0 of a board that has one blinks in a colour of its own, and is dark again: one command each."""
    talk = Talk()
    talk.open()
    talk.settle(1, capabilities=LAMP)
    assert talk.session.light(10, on=True)
    lit = lamp(talk)
    assert lit["led"] == 0
    assert lit["pattern"] != 0
    assert lit["b"] > max(lit["r"], lit["g"])
    talk.accept(20)
    assert talk.session.light(30, on=False)
    assert (lamp(talk)["r"], lamp(talk)["g"], lamp(talk)["b"]) == (0, 0, 0)
    talk.accept(40)
    assert talk.session.deadline is not None
    assert talk.session.counters["stray_results"] == 0


def test_the_plan_goes_before_the_lamp() -> None:
    """One command at a time: the lamp waits until the plan is taken, and only the last wish for it is sent."""
    talk = Talk()
    talk.open()
    talk.hello(1, capabilities=LAMP)
    assert talk.session.light(2, on=True)
    assert talk.session.light(3, on=False)
    assert talk.kinds()[-1] == wire.SET_POLL_PLAN
    talk.accept(10)
    assert sum(lamp(talk)[colour] for colour in "rgb") == 0
    assert talk.kinds().count(wire.SET_LED) == 1


def test_a_lamp_that_is_not_answered_is_let_be() -> None:
    """Three tries, then nothing: no complaint, no more waiting, and the next wish is sent as ever."""
    talk = Talk()
    talk.open()
    talk.settle(1, capabilities=LAMP)
    talk.session.light(10, on=True)
    talk.says(wire.HEARTBEAT, 900, uptime_ms=900, free_kib=1, rx_errors=0, tx_dropped=0)
    talk.run_to(2000)
    assert talk.kinds().count(wire.SET_LED) == 3
    assert talk.states[-1].state == "ok"
    assert talk.states[-1].text == ""
    talk.session.light(2100, on=False)
    assert talk.kinds().count(wire.SET_LED) == 4


def test_a_board_without_a_lamp_is_not_asked() -> None:
    """No capability, no board, no command."""
    talk = Talk()
    assert not talk.session.light(0, on=True)
    talk.open()
    assert not talk.session.light(1, on=True)
    talk.settle(2, capabilities=1)
    assert not talk.session.light(3, on=True)
    assert wire.SET_LED not in talk.kinds()


def test_a_board_that_comes_back_shows_what_was_wished_meanwhile() -> None:
    """Lit, then lost; put out while it was away: after its HELLO and its plan it is told to be dark."""
    talk = Talk()
    talk.open()
    talk.settle(1, capabilities=LAMP)
    talk.session.light(2, on=True)
    talk.accept(3)
    talk.session.closed(10, "unplugged")
    assert not talk.session.light(20, on=False)
    talk.open(30)
    talk.settle(40, capabilities=LAMP, boot_id=99)
    assert sum(lamp(talk)[colour] for colour in "rgb") == 0


def test_the_plan_holds_the_configured_antennas_and_no_other() -> None:
    """The board switches off what the plan does not list."""
    talk = Talk({5: "seat:1", 2: "shoe"})
    talk.open()
    talk.hello(1)
    plan = wire.unpack(wire.SET_POLL_PLAN, talk.sent[-1][2])["plan"]
    assert [entry["antenna"] for entry in plan] == [2, 5]
    assert all(entry["period_ms"] > 0 for entry in plan)


def test_a_board_that_never_answers_is_lost_after_3_s_and_still_asked() -> None:
    """One Lost, with a text that names the port, and GET_HELLO goes on."""
    talk = Talk()
    talk.open()
    talk.run_to(2999)
    assert talk.events == []
    talk.run_to(10_000)
    assert talk.events == [Lost(3000, 3)]
    assert talk.states[-1].state == "lost"
    assert "port" in talk.states[-1].text
    assert len(talk.sent) == 21


def test_three_seconds_of_silence_are_a_loss_and_any_valid_frame_is_a_sign_of_life() -> None:
    """LOG or a kind nobody knows keeps the board alive; noise does not. HELLO brings it back, once."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.says(wire.LOG, 2900, level=1, text="here")
    talk.run_to(5800)
    assert talk.events == []
    talk.session.received(wire.encode(0x3E, talk.seq, b"?"), 5890)
    talk.seq += 1
    talk.session.received(b"\x07noise\x00", 8000)
    talk.run_to(9000)
    assert talk.events == [Lost(8890, 3)]
    talk.hello(9100)
    assert talk.events == [Lost(8890, 3), Found(9100, 3)]
    assert [state.state for state in talk.states][-2:] == ["lost", "ok"]


def test_frames_of_a_lost_board_are_not_believed_before_hello() -> None:
    """A sweep that comes while we ask is a sign of life only: nobody knows yet which boot it is of."""
    talk = Talk()
    talk.open()
    talk.says(wire.SIGHTINGS, 1, sweep=1, t0_ms=0, polled=7, seen=[])
    assert talk.events == []
    assert talk.session.counters["before_hello"] == 1


def test_a_command_is_tried_three_times_then_complained_about_then_offered_again() -> None:
    """250 ms each; the complaint is visible while everything else works, and goes when the board accepts."""
    talk = Talk()
    talk.open()
    talk.hello(0)
    for t in range(0, 2600, 100):
        talk.run_to(t)
        talk.says(wire.HEARTBEAT, t, uptime_ms=t, free_kib=1, rx_errors=0, tx_dropped=0)
        if t == 800:
            assert talk.kinds().count(wire.SET_POLL_PLAN) == 3
            assert "does not answer" in talk.states[-1].text
            assert talk.states[-1].state == "ok"
    talk.run_to(2750)
    assert talk.kinds().count(wire.SET_POLL_PLAN) == 4
    assert len({seq for _, seq, _ in talk.sent}) == len(talk.sent), "every frame has a number of its own"
    talk.accept(2760)
    assert talk.states[-1].text == ""
    assert talk.session.counters["command_timeouts"] == 3


def test_a_late_result_of_an_earlier_try_counts() -> None:
    """The first try was taken, its answer was slow: the second try needs none."""
    talk = Talk()
    talk.open()
    talk.hello(0)
    first = talk.sent[-1][1]
    talk.run_to(260)
    talk.says(wire.RESULT, 270, for_seq=first, for_kind=wire.SET_POLL_PLAN, status=0, detail="")
    talk.run_to(2000)
    assert talk.kinds().count(wire.SET_POLL_PLAN) == 2
    assert talk.states[-1].text == ""


def test_a_refused_plan_says_why() -> None:
    """The board's own words are shown, without control characters."""
    talk = Talk()
    talk.open()
    talk.hello(0)
    talk.accept(10, status=4, detail="antenna 2\x07 open")
    assert "it failed: antenna 2 open" in talk.states[-1].text


def test_a_restart_while_we_listen_is_a_gap_and_gets_the_plan_again() -> None:
    """A new boot_id without a silence: Gap, no Lost; the same boot_id again changes nothing."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.hello(100)
    assert talk.events == []
    talk.seq = 0
    talk.settle(500, boot_id=2)
    assert talk.events == [Gap(500, 3)]
    assert talk.kinds().count(wire.SET_POLL_PLAN) == 2
    assert talk.session.counters["reboots"] == 1


def test_a_restart_starts_the_clock_mapping_afresh() -> None:
    """The new boot counts from 0 again: its first read is new, not as old as the last boot was long."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    tag = {"antenna": 1, "dt_ms": 0, "rssi": 0, "uid": bytes(8)}
    talk.says(wire.SIGHTINGS, 100, sweep=1, t0_ms=3000, polled=2, seen=[tag])
    talk.settle(200, boot_id=2)
    talk.says(wire.SIGHTINGS, 300, sweep=1, t0_ms=10, polled=2, seen=[tag])
    assert [one.age for event in talk.events if isinstance(event, Sweep) for one in event.seen] == [0, 0]


def test_a_restart_that_is_not_announced_is_found_by_its_uptime() -> None:
    """The uptime went back: HELLO is asked until it comes, even if the first answer is lost."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.says(wire.HEARTBEAT, 1000, uptime_ms=50_000, free_kib=1, rx_errors=0, tx_dropped=0)
    asked = talk.kinds().count(wire.GET_HELLO)
    for t in (2000, 3000):
        talk.says(wire.HEARTBEAT, t, uptime_ms=t - 1900, free_kib=1, rx_errors=0, tx_dropped=0)
    assert talk.kinds().count(wire.GET_HELLO) == asked + 2
    talk.hello(3100, boot_id=9)
    assert talk.events == [Gap(3100, 3)]


def test_an_uptime_that_wraps_is_no_restart() -> None:
    """2³² milliseconds of uptime go on at 0."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    for t, uptime in ((1000, 0xFFFFFF00), (2000, 0x2E8)):
        talk.says(wire.HEARTBEAT, t, uptime_ms=uptime, free_kib=1, rx_errors=0, tx_dropped=0)
    assert talk.kinds().count(wire.GET_HELLO) == 1


def test_a_gap_is_told_before_the_frame_that_showed_it() -> None:
    """The core hears of the loss first, then of what came after it."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.seq += 2
    talk.says(wire.PASSAGE, 50, t_ms=7, antenna=0, face=2)
    assert talk.events == [Gap(50, 3), Passage(50, 3, 0, "up")]
    assert talk.session.counters["lost_frames"] == 2


def test_a_doubled_frame_is_harmless() -> None:
    """The same frame twice is one sweep, no gap."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    data = talk.says(wire.SIGHTINGS, 10, sweep=1, t0_ms=5, polled=1, seen=[])
    talk.session.received(data, 11)
    assert talk.events == [Sweep(10, 3, (0,))]
    assert talk.session.counters["duplicates"] == 1


def test_a_report_that_cannot_be_read_is_a_gap() -> None:
    """A body too short in a sound frame: what it reported is unknown, as if it had been lost."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.session.received(wire.encode(wire.SIGHTINGS, talk.seq, b"\x01"), 20)
    assert talk.events == [Gap(20, 3)]
    assert talk.session.counters["bad_body"] == 1


def test_ages_survive_the_wrap_of_the_board_clock_and_are_bounded() -> None:
    """A tag read 30 ms before the last one is 30 ms older, also across 2³²; nonsense is cut at 5 s."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    uid = b"\xe0\x04\x01\x50\x12\x34\x56\x01"
    tag = {"antenna": 1, "rssi": -40, "uid": uid}
    seen = [{**tag, "dt_ms": 0}, {**tag, "dt_ms": 30}]
    talk.says(wire.SIGHTINGS, 1000, sweep=1, t0_ms=0xFFFFFFF0, polled=2, seen=seen)
    [sweep] = talk.events
    assert isinstance(sweep, Sweep)
    assert [one.age for one in sweep.seen] == [30, 0]
    assert sweep.seen[0].uid == "E004015012345601"
    talk.says(wire.SIGHTINGS, 1100, sweep=2, t0_ms=20, polled=2, seen=[{**tag, "dt_ms": 0}])
    later = talk.events[-1]
    assert isinstance(later, Sweep)
    assert later.seen[0].age == 94, "100 ms later here, 6 ms later on the board"
    talk.says(wire.SIGHTINGS, 1200, sweep=3, t0_ms=20, polled=2, seen=[{**tag, "dt_ms": 65535}, *seen[:1]])
    last = talk.events[-1]
    assert isinstance(last, Sweep)
    assert [one.age for one in last.seen] == [0, 5000]


def test_what_is_not_configured_and_what_is_no_uid_is_counted_and_dropped() -> None:
    """Antenna 9 is not ours; three bytes are no UID. Neither reaches the core, both stay in the counters."""
    talk = Talk()
    talk.open()
    talk.settle(0, antennas=[{"antenna": n, "kind": 0} for n in range(10)])
    tags = [(9, bytes(8)), (1, bytes(3)), (1, bytes(4)), (1, bytes(7)), (1, bytes(10))]
    seen = [{"antenna": antenna, "dt_ms": 0, "rssi": 0, "uid": uid} for antenna, uid in tags]
    talk.says(wire.SIGHTINGS, 10, sweep=1, t0_ms=0, polled=0b10_0000_0010, seen=seen)
    [sweep] = talk.events
    assert isinstance(sweep, Sweep)
    assert sweep.polled == (1,)
    assert [len(one.uid) for one in sweep.seen] == [8, 14, 20]
    assert talk.session.counters["unmapped_antenna"] == 2
    assert talk.session.counters["noise_uids"] == 1


def test_a_board_without_rssi_gives_none() -> None:
    """Capability bit 0 is clear: the byte on the line means nothing."""
    talk = Talk()
    talk.open()
    talk.settle(0, capabilities=0)
    seen = [{"antenna": 1, "dt_ms": 0, "rssi": -40, "uid": bytes(8)}]
    talk.says(wire.SIGHTINGS, 10, sweep=1, t0_ms=0, polled=2, seen=seen)
    [sweep] = talk.events
    assert isinstance(sweep, Sweep)
    assert sweep.seen[0].rssi is None


def test_antenna_health_is_told_when_it_changes() -> None:
    """The same verdict again is no news; a code nobody knows is counted only."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    for t, state in ((1, 0), (2, 0), (3, 2), (4, 77), (5, 0)):
        talk.says(wire.ANTENNA_HEALTH, t, antenna=1, state=state, tuning=0, reads=0, errors=0)
    assert talk.events == [
        AntennaHealth(1, 3, 1, "ok"),
        AntennaHealth(3, 3, 1, "open"),
        AntennaHealth(5, 3, 1, "ok"),
    ]
    assert talk.session.counters["unknown_values"] == 1


def test_a_configured_antenna_that_the_board_lacks_is_silent_and_named() -> None:
    """The checks that rest on it can be suspended, and the technician reads which one it is."""
    talk = Talk({0: "shoe", 7: "seat:1"})
    talk.open()
    talk.settle(0)
    assert talk.events == [AntennaHealth(0, 3, 7, "silent")]
    assert "no antenna 7" in talk.states[-1].text


def test_another_major_version_is_refused_visibly_and_not_listened_to() -> None:
    """Lost, 'refused', both versions in the text; its sweeps go nowhere. New firmware is accepted."""
    talk = Talk()
    talk.open()
    talk.hello(10, major=2, minor=5)
    talk.says(wire.SIGHTINGS, 20, sweep=1, t0_ms=0, polled=7, seen=[])
    assert talk.events == [Lost(10, 3)]
    assert talk.states[-1].state == "refused"
    assert "2.5" in talk.states[-1].text
    assert "1.0" in talk.states[-1].text
    talk.seq = 0
    talk.settle(5000, boot_id=2)
    assert talk.events == [Lost(10, 3), Found(5000, 3)]


def test_a_higher_minor_version_is_accepted() -> None:
    """Minor versions only add: longer bodies and kinds we do not know are counted."""
    talk = Talk()
    talk.open()
    body = wire.pack(wire.HELLO, **{**HELLO, "minor": 9}) + b"more"
    talk.session.received(wire.encode(wire.HELLO, 0, body), 5)
    assert talk.states[-1].state == "ok"
    assert talk.session.counters["extra_bytes"] == 4


def test_a_closed_line_loses_the_board_once() -> None:
    """Lost at the close, not again at the next failures; Found when it answers again."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.session.closed(100, "unplugged")
    talk.session.unavailable(300, "missing", "gone")
    talk.open(500)
    talk.hello(510)
    assert talk.events == [Lost(100, 3), Found(510, 3)]
    assert [state.state for state in talk.states] == ["ok", "lost", "missing", "connecting", "ok"]


def test_a_port_that_opens_and_breaks_over_and_over_is_lost_and_said_once() -> None:
    """No HELLO ever came: still Lost, with the reason, and the display does not flicker at every attempt."""
    talk = Talk()
    for t in range(0, 500, 100):
        talk.open(t)
        talk.session.closed(t + 10, "the line broke")
    assert talk.events == [Lost(10, 3)]
    assert [(state.state, state.text) for state in talk.states] == [("lost", "the line broke")]


def test_a_port_that_was_only_asked_leaves_no_trace() -> None:
    """Asking a sibling port changes nothing that others see, whoever answers there."""
    talk = Talk()
    talk.open(0)
    talk.settle(0)
    talk.session.closed(100, "unplugged")
    talk.seq = 0
    talk.open(200, must_be=b"board--A", quiet=True)
    talk.hello(210, board_id=b"board--B")
    assert talk.session.stranger == b"board--B"
    talk.session.closed(220, "nobody")
    assert talk.events == [Lost(100, 3)]
    assert [state.text for state in talk.states] == ["", "unplugged"]


@unhurried
@given(st.lists(st.binary(max_size=60), max_size=30))
def test_random_bytes_never_break_the_talk(noise: list[bytes]) -> None:
    """Whatever noise comes before, between and after: no exception, and the next HELLO is understood."""
    talk = Talk()
    talk.open()
    for data in noise:
        talk.session.received(data, 1)
    talk.session.received(b"\x00", 2)
    talk.settle(3)
    for data in noise:
        talk.session.received(data, 4)
    talk.session.received(b"\x00", 5)
    talk.says(wire.PASSAGE, 6, t_ms=1, antenna=0, face=1)
    assert Passage(6, 3, 0, "down") in talk.events


@unhurried
@given(st.lists(st.tuples(st.sampled_from(sorted(wire.NAMES)), st.binary(max_size=40)), max_size=40))
def test_sound_frames_with_random_bodies_never_break_the_talk(frames: list[tuple[int, bytes]]) -> None:
    """A board gone mad, with valid CRCs: no exception, whatever the kind and the body."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    for n, (kind, body) in enumerate(frames):
        talk.session.received(wire.encode(kind, n, body), n)
        talk.run_to(n)


def test_log_lines_are_kept_for_the_technician_and_cleaned() -> None:
    """Control characters of a mad board do not reach a terminal."""
    talk = Talk()
    talk.open()
    talk.settle(0)
    talk.says(wire.LOG, 1, level=1, text="tuned\x1b[2J")
    assert talk.session.log == ("tuned?[2J",)
    assert talk.session.counters["log_lines"] == 1


def test_the_frames_on_the_line_are_those_of_the_page() -> None:
    """GET_HELLO is kind 80 with an empty body, number 0 first: checked byte by byte, without `wire`."""
    sent: list[bytes] = []
    talk = Talk()
    talk.session.opened(0, sent.append)
    assert sent == [bytes.fromhex("028005b48a5a7a00")]
