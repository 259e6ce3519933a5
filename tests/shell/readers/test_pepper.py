"""The talk with a Pepper as pure steps: the simulated reader on the other side, time a number here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tablectl.core.sensed import AntennaHealth, Found, Gap, Lost, Seen, Sensed, Sweep
from tablectl.shell.readers import ReaderState, Timing
from tablectl.shell.readers import pepper as driver
from tablectl.shell.readers.pepper import TIMING, PepperTalk
from tablectl.sim.pepper import Pepper, framed

A, B, C = "E004015012345601", "E004015012345602", "04A1B2C3D4E5F6"
DECK = [f"E0040150123456{n:02X}" for n in range(9)]
ACK_COUNT_0 = framed(b"\x00\x02\x00")
SET_ANTENNA, COUNT, UID, POLLING, VERSION, DUMMY = 0x0F, 0x02, 0x03, 0x06, 0x0B, 0x01

Damage = Callable[[bytes], bytes]


class Table:
    """The driver's talk, the reader that it talks to, and the line between them, which may be told to err."""

    def __init__(self, timing: Timing = TIMING) -> None:
        self.events: list[Sensed] = []
        self.states: list[ReaderState] = []
        self.reader = Pepper()
        self.t = 0
        self.deaf = False
        """Nothing of the table's reaches the reader."""
        self.on_answer: Damage = lambda answer: answer
        """What the line makes of each answer."""
        self._line: list[bytes] = []
        self.talk = PepperTalk(
            3,
            "port",
            {1: "shoe", 2: "seat:1", 8: "seat:2"},
            emit=self.events.append,
            report=self.states.append,
            timing=timing,
        )

    def open(self) -> None:
        self.talk.opened(self.t, self._line.append)

    def step(self) -> None:
        """The next thing that happens: an answer after a millisecond, or the next deadline."""
        heard = b"".join(self._line)
        self._line.clear()
        answers = [] if self.deaf else [self.on_answer(answer) for _, answer in self.reader.feed(heard)]
        if any(answers):
            self.t += 1
            for answer in answers:
                self.talk.received(answer, self.t)
        elif self.talk.deadline is not None:
            self.t = max(self.t, self.talk.deadline)
            self.talk.tick(self.t)

    def until(self, condition: Callable[[], object], steps: int = 2000) -> None:
        for _ in range(steps):
            if condition():
                return
            self.step()
        raise AssertionError("it never came to that")

    def sweeps(self, antenna: int, since: int = 0) -> list[Sweep]:
        """Sweeps that say something of the antenna."""
        return [
            event
            for event in self.events[since:]
            if isinstance(event, Sweep)
            and (antenna in event.polled or any(seen.antenna == antenna for seen in event.seen))
        ]

    def next_sweep(self, antenna: int) -> Sweep:
        since = len(self.events)
        self.until(lambda: self.sweeps(antenna, since))
        return self.sweeps(antenna, since)[0]

    def kinds(self) -> list[type]:
        return [type(event) for event in self.events if not isinstance(event, Sweep)]

    def when_asked(self, command: int, damage: Damage, times: int = 1) -> None:
        """The next so many answers to that command are damaged."""
        left = [times]

        def hurt(answer: bytes) -> bytes:
            if left[0] and len(answer) > 6 and answer[6] == command:
                left[0] -= 1
                return damage(answer)
            return answer

        self.on_answer = hurt


@pytest.fixture
def table() -> Iterator[Table]:
    """A table whose reader answers and polls."""
    whole = Table()
    whole.open()
    whole.until(lambda: whole.sweeps(8))
    yield whole
    assert all(
        seen.uid in (A, B, C, *DECK)
        for event in whole.events
        if isinstance(event, Sweep)
        for seen in event.seen
    )


def test_the_reader_is_asked_who_it_is_and_told_not_to_poll_by_itself() -> None:
    """Version, polling off, then looks; nothing was lost, so nothing is found."""
    table = Table()
    table.open()
    table.until(lambda: table.sweeps(1))
    assert [command[0] for command in table.reader.heard[:3]] == [VERSION, POLLING, 0x05]
    assert table.reader.heard[1] == b"\x06\x00"
    assert table.talk.state.state == "ok"
    assert table.talk.state.firmware == "2.56 simulated"
    assert table.kinds() == []


def test_an_antenna_is_polled_only_when_the_reader_said_what_is_there(table: Table) -> None:
    """Empty, one card, two cards of two kinds, empty again: each told for the antenna where it is."""
    assert table.next_sweep(2) == Sweep(table.t, 3, (2,), ())
    table.reader.put(2, A)
    assert table.next_sweep(2) == Sweep(table.t, 3, (2,), (Seen(2, A),))
    table.reader.put(2, C)
    assert table.next_sweep(2).seen == (Seen(2, A), Seen(2, C))
    assert table.next_sweep(8) == Sweep(table.t, 3, (8,), ())
    table.reader.tags[2] = ()
    assert table.next_sweep(2) == Sweep(table.t, 3, (2,), ())


def test_only_configured_antennas_are_looked_at_and_the_shoe_most_often(table: Table) -> None:
    """Connectors 1, 2 and 8; the shoe has a shorter period than a seat."""
    for _ in range(400):
        table.step()
    asked = [command[1] for command in table.reader.heard if command[0] == SET_ANTENNA]
    assert set(asked) == {1, 2, 8}
    assert asked.count(1) > asked.count(2) > 0
    assert abs(asked.count(2) - asked.count(8)) <= 1


@pytest.mark.parametrize("least_first", [True, False])
def test_both_byte_orders_of_a_uid_come_out_alike(table: Table, least_first: bool) -> None:  # noqa: FBT001
    """The documentation does not say which one the reader uses."""
    table.reader.listed_least_first = least_first
    table.reader.put(2, A)
    assert table.next_sweep(2).seen == (Seen(2, A),)


def test_five_tags_may_be_more_and_an_inventory_counts_them(table: Table) -> None:
    """The reader's own list ends at five: nine cards of a heap come out, and only then it is complete."""
    table.reader.tags[2] = tuple(DECK)
    sweep = table.next_sweep(2)
    assert sweep.polled == (2,)
    assert sorted(seen.uid for seen in sweep.seen) == sorted(DECK)
    table.reader.refuses = {0x90: 0x24}
    sweep = table.next_sweep(2)
    assert sweep.polled == ()
    assert [seen.uid for seen in sweep.seen] == DECK[:5]


def test_a_full_list_with_another_kind_of_tag_is_never_complete(table: Table) -> None:
    """The inventory counts ISO 15693 tags only."""
    table.reader.tags[2] = (C, *DECK)
    sweep = table.next_sweep(2)
    assert sweep.polled == ()
    assert {seen.uid for seen in sweep.seen} == {C, *DECK}


@pytest.mark.parametrize("command", [SET_ANTENNA, COUNT, UID])
def test_an_error_is_not_an_empty_antenna(table: Table, command: int) -> None:
    """Every step of a look refused: never polled; after three in a row the antenna is silent, and comes back."""
    table.reader.put(2, A)
    since = len(table.events)
    table.reader.refuses = {command: 0x01}
    table.until(lambda: AntennaHealth(table.t, 3, 2, "silent") in table.events)
    assert all(sweep.polled == () for sweep in table.sweeps(2, since))
    assert "antenna" in table.talk.state.text
    assert table.talk.state.state == "ok"
    assert any("error" in line for line in table.talk.log)
    assert A not in "".join(table.talk.log)
    table.reader.refuses = {}
    assert table.next_sweep(2).seen == (Seen(2, A),)
    table.until(lambda: table.talk.state.text == "")
    health = [event for event in table.events if isinstance(event, AntennaHealth) and event.antenna == 2]
    assert [event.state for event in health] == ["silent", "ok"]
    assert Gap not in table.kinds()


def flip(answer: bytes) -> bytes:
    return answer[:-3] + bytes([answer[-3] ^ 0x01]) + answer[-2:]


DAMAGE: dict[str, Damage] = {
    "it does not come": lambda answer: b"",
    "its CRC is wrong": flip,
    "its head is cut off": lambda answer: answer[3:],
    "its tail is cut off": lambda answer: answer[:-3],
    "garbage instead": lambda answer: b"\x00\xff\x55ets Jun  8 2016 rst:0x1\r\n",
    "its length lies": lambda answer: bytes([0xF5, 90, 0, 90 ^ 0xFF, 0xFF]) + answer[5:],
    "it is an ACK of another command": lambda answer: framed(
        b"\x00\x0f" if answer[6] != SET_ANTENNA else b"\x00\x02\x00"
    ),
    "it is an ERROR of another command": lambda answer: framed(b"\xff\x91\x00\x01"),
    "the reader says that our CRC was wrong": lambda answer: framed(b"\xff\xff\x02"),
    "it carries too little": lambda answer: framed(answer[5:7]),
    "an event comes instead": lambda answer: framed(b"\xfe\x03\x27\x00" + bytes.fromhex(B)),
}


@pytest.mark.parametrize("command", [COUNT, UID])
@pytest.mark.parametrize("damage", DAMAGE)
def test_an_answer_that_does_not_fit_ends_the_look_without_a_verdict(
    table: Table, damage: str, command: int
) -> None:
    """The look is a gap, never an empty antenna; a fence is set, and the next look is whole again."""
    table.reader.tags[1] = table.reader.tags[2] = table.reader.tags[8] = (A,)
    table.until(lambda: table.sweeps(1)[-1].seen and table.sweeps(2)[-1].seen and table.sweeps(8)[-1].seen)
    since = len(table.events)
    table.when_asked(command, DAMAGE[damage])
    table.until(lambda: Gap in table.kinds())
    fences = [command[0] for command in table.reader.heard].count(DUMMY)
    for antenna in (1, 2, 8):
        table.next_sweep(antenna)
    assert [command[0] for command in table.reader.heard].count(DUMMY) >= max(fences, 1)
    after = [event for event in table.events[since:] if isinstance(event, Sweep)]
    assert all(sweep.seen for sweep in after)
    assert table.kinds() == [Gap]
    assert table.talk.state.state == "ok"


def test_a_damaged_answer_is_not_waited_for(table: Table) -> None:
    """The fence goes out at once, not after the time-out: the next card is not half a second late."""
    table.when_asked(COUNT, flip)
    table.until(lambda: Gap in table.kinds())
    assert table.talk.counters["command_timeouts"] == 0
    assert table.talk.counters["bad_crc"] == 1


def test_a_late_answer_is_never_taken_for_the_same_question_to_the_next_antenna(table: Table) -> None:
    """The count of antenna 2, one card, comes after the time-out, when 8, which is empty, was going to be asked."""
    table.reader.put(2, A)
    table.until(lambda: table.sweeps(2)[-1].seen)
    late: list[bytes] = []

    def hold(answer: bytes) -> bytes:
        if table.reader.antenna == 2 and answer[6] == COUNT and not late:
            late.append(answer)
            return b""
        return answer

    since = len(table.events)
    table.on_answer = hold
    table.until(lambda: late)
    table.on_answer = lambda answer: late.pop() + answer if late else answer
    table.until(lambda: table.sweeps(8, since) and table.sweeps(2, since))
    for antenna in (2, 8, 1):
        table.next_sweep(antenna)
    assert all(sweep.seen == () for sweep in table.sweeps(8, since))
    assert all(sweep.seen == (Seen(2, A),) for sweep in table.sweeps(2, since))


def test_answers_that_come_twice_do_not_hide_a_card(table: Table) -> None:
    """A line that doubles: the second copy of the first card's UID is not the second card."""
    table.reader.tags[2] = (A, B)
    table.until(lambda: len(table.sweeps(2)[-1].seen) == 2)
    since = len(table.events)
    table.on_answer = lambda answer: answer + answer if answer[6] == UID else answer
    table.until(lambda: len([event for event in table.events[since:] if isinstance(event, Gap)]) == 4)
    assert all(not sweep.polled for sweep in table.sweeps(2, since))


def test_a_restart_in_the_middle_of_a_look_never_tells_of_the_wrong_antenna(table: Table) -> None:
    """After SET_ACTIVE_ANTENNA 8 the reader boots, and its first antenna, where a card lies, is on again."""
    table.reader.put(1, A)
    table.until(lambda: table.sweeps(1)[-1].seen)
    since = len(table.events)

    def boot(answer: bytes) -> bytes:
        if answer[6] == SET_ANTENNA and table.reader.antenna == 8:
            table.reader.restart()
            table.deaf = True
        return answer

    table.on_answer = boot
    table.until(lambda: table.deaf)
    booted = table.t + 1000
    table.until(lambda: table.t >= booted)
    table.on_answer, table.deaf = (lambda answer: answer), False
    for antenna in (1, 2, 8):
        table.next_sweep(antenna)
    assert all(sweep.seen == () for sweep in table.sweeps(8, since))
    assert all(sweep.seen == (Seen(1, A),) for sweep in table.sweeps(1, since))
    assert table.kinds() == [Gap]


def test_a_reader_that_polls_by_itself_after_a_restart_is_told_to_stop(table: Table) -> None:
    """Its stored settings switch polling on: an event in the middle of a look is a restart, and ends it."""
    table.reader.polls_at_boot = True
    table.reader.put(1, A)
    table.reader.restart()
    asked = len(table.reader.heard)
    table.talk.received(table.reader.event(), table.t)
    table.until(lambda: b"\x06\x00" in table.reader.heard[asked:])
    assert not table.reader.polling
    table.next_sweep(1)
    assert table.talk.counters["async_events"] == 1
    assert table.talk.state.state == "ok"


def test_silence_is_a_loss_once_and_the_return_is_found(table: Table) -> None:
    """Three seconds without a valid frame; it is asked on and on, and looks begin anew."""
    table.reader.silent = True
    quiet_since = table.t
    table.until(lambda: Lost in table.kinds())
    assert table.t - quiet_since <= TIMING.silence + 1
    assert table.talk.state.state == "lost"
    for _ in range(20):
        table.step()
    table.reader.silent = False
    table.next_sweep(8)
    assert table.kinds() == [Gap, Lost, Found]
    assert table.talk.state.state == "ok"


def test_a_reader_that_is_lost_in_the_middle_of_a_look_is_taken_over_anew() -> None:
    """With more patience for an answer than for silence: the answer that comes at last does not go on with the look."""
    table = Table(Timing(reply=60_000))
    table.open()
    table.until(lambda: table.sweeps(8))
    table.reader.silent = True
    table.until(lambda: Lost in table.kinds())
    table.reader.silent = False
    polling_off = table.reader.heard.count(b"\x06\x00")
    table.next_sweep(8)
    assert table.reader.heard.count(b"\x06\x00") == polling_off + 1
    assert table.kinds() == [Gap, Lost, Found]
    assert table.talk.state.state == "ok"


def test_noise_alone_is_silence(table: Table) -> None:
    """A port that only ever sends garbage has no reader."""
    table.on_answer = lambda answer: b"\x11" * len(answer)
    table.until(lambda: Lost in table.kinds())
    assert table.talk.state.state == "lost"


@pytest.mark.parametrize(("error", "words"), [(0xF0, "password"), (0x25, "0x25")])
def test_a_reader_that_refuses_to_be_polled_says_why_and_is_asked_again(error: int, words: str) -> None:
    """`refused` with the reason, and Lost; as soon as it no longer refuses it is found."""
    table = Table()
    table.reader.refuses = {POLLING: error}
    table.open()
    table.until(lambda: table.talk.state.state == "refused")
    assert words in table.talk.state.text
    for _ in range(10):
        table.step()
    assert table.talk.state.state == "refused"
    table.reader.refuses = {}
    table.until(lambda: table.talk.state.state == "ok")
    assert table.kinds() == [Lost, Found]


def test_a_reader_that_refuses_once_and_then_falls_silent_is_lost() -> None:
    """The text does not stay at what it said last."""
    table = Table()
    table.reader.refuses = {POLLING: 0x25}
    table.open()
    table.until(lambda: table.talk.state.state == "refused")
    table.reader.silent = True
    table.until(lambda: table.talk.state.state == "lost")


def test_a_closed_line_is_a_loss_and_says_nothing_afterwards(table: Table) -> None:
    """Unplugged in the middle of a look: Lost with the line's reason, no half look, no deadline."""
    table.reader.put(1, A)
    table.until(lambda: table.reader.heard[-1][0] == UID)
    seen = len(table.events)
    table.talk.closed(table.t, "unplugged")
    assert table.events[seen:] == [Lost(table.t, 3)]
    assert table.talk.state.text == "unplugged"
    assert table.talk.deadline is None
    table.open()
    table.next_sweep(1)
    assert table.kinds() == [Lost, Found]


def test_a_flood_of_events_and_answers_changes_nothing(table: Table) -> None:
    """A reader that never stops sending what nobody asked for: no look is believed, and every frame is counted."""
    flood = framed(b"\xfe\x03\x27\x00" + bytes.fromhex(B)) + ACK_COUNT_0 + framed(b"\x42")
    since = len(table.events)
    sent = len(table.reader.heard)
    for _ in range(500):
        table.talk.received(flood, table.t)
    assert [event for event in table.events[since:] if isinstance(event, Sweep) and event.seen] == []
    assert table.talk.counters["async_events"] == 500
    assert table.talk.counters["unknown_kind"] == 500
    for _ in range(5):
        table.step()
    assert len(table.reader.heard) - sent <= 10
    table.next_sweep(8)
    assert driver.DRIVER is driver.PepperReader
