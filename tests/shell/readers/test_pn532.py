"""A PN532 on a real pty, driven by the real nfcpy: every failure that the field reports (field-failures, rows 1 to 11).

The chip is `sim.pn532`, which nfcpy's own start-up accepts (tests/sim/test_pn532.py).
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import serial
from nfc.clf import pn532, transport

from tablectl.config.drivers import DRIVERS
from tablectl.core.sensed import AntennaHealth, Found, Lost, Seen, Sweep
from tablectl.errors import UsageError
from tablectl.shell.readers.pn532 import Pn532Reader
from tablectl.shell.readers.pn532.chip import Pace, nfcpy_path
from tablectl.shell.readers.state import Timing
from tablectl.sim.pn532 import LIST, POWER_DOWN, SAM, Fault, SimulatedPn532
from tablectl.sim.typea import Tag

CARD, OTHER = "04A1B2C3D4E5F6", "04FFEEDDCCBBAA"
PATIENT = Timing(tries=1000, silence=60_000, probe=200, retry_first=20, retry_longest=40, look=5)
"""Quick to retry, never out of patience: a busy machine cannot make a test see a silence. What a test says of failures
counts from the first good look, for on a busy machine the many commands of a start-up may fail by themselves."""
PACE = Pace(first=300, slow=60_000)


class Rig:
    """One reader, its chips, and what the reader said; made for one test."""

    def __init__(self, scene: Any) -> None:
        self.scene = scene
        self.folder: Path = scene.folder
        self._loop = asyncio.get_running_loop()
        self._chips: list[SimulatedPn532] = []
        self._readers: list[Pn532Reader] = []

    def chip(self, name: str = "port") -> SimulatedPn532:
        made = SimulatedPn532(self.folder / name, changed=self._changed)
        self._chips.append(made)
        return made

    async def reader(self, port: str = "port", number: int = 0, **options: Any) -> Pn532Reader:
        scene = self.scene
        made = Pn532Reader(
            number,
            str(self.folder / port),
            options.pop("antennas", {0: "shoe"}),
            scene._emit,
            scene.now,
            scene._report,
            candidates=options.pop("candidates", list),
            timing=replace(PATIENT, **options.pop("timing", {})),
            pace=replace(PACE, **options),
        )
        self._readers.append(made)
        await made.start()
        return made

    async def until(self, condition: Callable[[], Any]) -> Any:
        return await self.scene.until(condition)

    async def sees(self, uid: str | None) -> Sweep:
        """The next look that is reported from now on and shows this card, or none."""
        since = len(self.scene.events)
        return await self.until(lambda: next((s for s in self.sweeps(since) if self.shown(s) == uid), None))

    async def settled(self, uid: str | None = None) -> None:
        """The reader looks, and sees this card; what it said until now is forgotten."""
        await self.sees(uid)
        self.scene.events.clear()
        self.scene.states.clear()

    def sweeps(self, since: int = 0) -> list[Sweep]:
        return [event for event in self.scene.events[since:] if isinstance(event, Sweep)]

    @staticmethod
    def shown(sweep: Sweep) -> str | None:
        return sweep.seen[0].uid if sweep.seen else None

    def kinds(self) -> list[type]:
        """Everything that happened but sweeps."""
        return [type(event) for event in self.scene.events if not isinstance(event, Sweep)]

    async def close(self) -> None:
        for reader in self._readers:
            await reader.close()
        for chip in self._chips:
            chip.end()

    def _changed(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.scene.touch)


Bench = Callable[[], AbstractAsyncContextManager[Rig]]


@pytest.fixture
def bench(stage: Callable[[], Any]) -> Bench:
    @asynccontextmanager
    async def made() -> AsyncIterator[Rig]:
        async with stage() as scene:
            rig = Rig(scene)
            try:
                yield rig
            finally:
                await rig.close()

    return made


def device_of(chip: SimulatedPn532) -> str:
    return os.path.realpath(chip.link)


def nfcpy_opens(chip: SimulatedPn532) -> bool:
    """Whether nfcpy's own start-up finds the chip as it is now."""
    tty = transport.TTY(device_of(chip))
    try:
        pn532.init(tty).close()
    except OSError:
        tty.close()
        return False
    return True


# --- what it reads ---------------------------------------------------------------------------------------------


async def test_a_card_comes_lies_and_goes(bench: Bench) -> None:
    """Each look is a sweep of its one antenna: empty, the card with its whole UID and no strength, empty again."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader(antennas={5: "shoe"})
        await rig.settled()
        empty = await rig.sees(None)
        assert (empty.polled, empty.seen) == ((5,), ())
        chip.lay(Tag(CARD))
        sweep = await rig.sees(CARD)
        assert sweep.polled == (5,)
        assert (sweep.seen[0].antenna, sweep.seen[0].uid, sweep.seen[0].rssi) == (5, CARD, None)
        assert sweep.seen[0].age >= 0
        chip.lay()
        await rig.sees(None)
        assert (reader.state.state, reader.state.firmware) == ("ok", "PN532v1.6")
        assert rig.kinds() == []


@pytest.mark.parametrize("uid", ["01020304", "04A1B2C3D4E5F6", "E004015012345601", "04A1B2C3D4E5F6070809"])
async def test_row_11_a_uid_may_have_any_length_that_tags_have(bench: Bench, uid: str) -> None:
    """4, 7, 8 and 10 bytes, leading zeros included: nothing is cut or padded."""
    async with bench() as rig:
        rig.chip().lay(Tag(uid))
        await rig.reader()
        await rig.sees(uid)


async def test_a_uid_of_another_length_is_no_card_and_no_empty_antenna(bench: Bench) -> None:
    """Five bytes are no tag's UID: such looks report nothing, until a whole card lies there."""
    async with bench() as rig:
        chip = rig.chip()
        chip.lay(Tag("0102030405"))
        reader = await rig.reader()
        await rig.until(lambda: reader.counters["unread_looks"] >= 3)
        assert rig.sweeps() == []
        chip.lay(Tag(CARD))
        await rig.sees(CARD)


class Shifted(Tag):
    """A tag whose data lost its first byte, a zero, on the way: its length byte stands where the SAK was."""

    def select(self) -> bytes | None:
        whole = super().select()
        return whole and whole[1:]


async def test_a_shifted_answer_is_no_card(bench: Bench) -> None:
    """A zero lost on the line keeps the checksum right; read on trust, the UID would be another one."""
    async with bench() as rig:
        chip = rig.chip()
        chip.lay(Shifted("04040302010A0B"))
        reader = await rig.reader()
        await rig.until(lambda: reader.counters["unread_looks"] >= 3)
        chip.lay(Tag(CARD))
        await rig.sees(CARD)
        assert {rig.shown(sweep) for sweep in rig.sweeps()} == {CARD}


async def test_row_10_a_card_that_lies_still_is_seen_at_every_look(bench: Bench) -> None:
    """The field goes off between looks, so that a card left active by one look answers the next."""
    async with bench() as rig:
        rig.chip().lay(Tag(CARD))
        await rig.reader()
        await rig.until(lambda: len(rig.sweeps()) >= 12)
        assert {rig.shown(sweep) for sweep in rig.sweeps()} == {CARD}


async def test_row_7_of_three_cards_two_are_read_so_only_the_shoe_may_have_this_reader(bench: Bench) -> None:
    """The limit as it is, and as data for whoever checks a configuration."""
    async with bench() as rig:
        rig.chip().lay(Tag(CARD), Tag(OTHER), Tag("08FFFFFF"))
        await rig.reader()
        await rig.until(lambda: len(rig.sweeps()) >= 5)
        assert {frozenset(seen.uid for seen in sweep.seen) for sweep in rig.sweeps()} == {
            frozenset({CARD, OTHER})
        }
        assert DRIVERS["pn532"].zones == {"shoe"}
        with pytest.raises(UsageError, match="one antenna, not 2"):
            await rig.reader(antennas={0: "shoe", 1: "burn"})


async def test_a_card_pulled_away_in_mid_answer_is_no_empty_antenna(bench: Bench) -> None:
    """It answered the request, but not to the end. nfcpy's own sense would call that "no tag"."""
    async with bench() as rig:
        chip = rig.chip()
        tag = Tag(CARD)
        tag.torn = 4
        chip.lay(tag)
        reader = await rig.reader()
        await rig.sees(CARD)
        assert reader.counters["unread_looks"] == 4
        assert {rig.shown(sweep) for sweep in rig.sweeps()} == {CARD}


async def test_what_can_never_be_read_makes_the_antenna_silent_by_name(bench: Bench) -> None:
    """Metal, or two cards that the chip cannot part: the reader works, its antenna proves nothing, and it says why."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader(timing={"silence": 1000})
        await rig.sees(None)
        tag = Tag(CARD)
        tag.torn = 1_000_000
        chip.lay(tag)
        health = await rig.until(lambda: rig.scene.of(AntennaHealth))
        assert (health[0].antenna, health[0].state) == (0, "silent")
        assert reader.state.state == "ok"
        assert "no single card" in reader.state.text
        chip.lay(Tag(CARD))
        await rig.sees(CARD)
        assert rig.scene.of(AntennaHealth)[-1].state == "ok"
        assert (reader.state.text, rig.scene.of(Lost)) == ("", [])


# --- opening ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["serial0", "platform-xhci-usb-0:1.2:1.0-port0"])
async def test_row_2_any_name_of_a_tty_will_do(bench: Bench, name: str) -> None:
    """A UART's alias and a by-path link, colons included; nfcpy itself takes names in /dev/tty* only."""
    async with bench() as rig:
        rig.chip(name).lay(Tag(CARD))
        await rig.reader(name)
        await rig.sees(CARD)


async def test_row_1_an_error_names_the_device_as_nfcpy_would(bench: Bench) -> None:
    """No search on USB: the port is opened, and what is missing is said with its tty:…:pn532."""
    async with bench() as rig:
        chip = rig.chip()
        chip.fault = Fault("silent")
        await rig.reader()
        state = await rig.scene.is_state("lost")
        assert f"tty:{device_of(chip).removeprefix('/dev/')}:pn532" in state.text
        assert nfcpy_path("/dev/ttyUSB0") == "tty:USB0:pn532"


async def test_row_3_a_reader_that_comes_late_is_waited_for_and_missed_once(bench: Bench) -> None:
    """No device at start: said once however often it is tried, and there as soon as it is plugged in."""
    async with bench() as rig:
        reader = await rig.reader()
        await rig.scene.is_state("missing")
        rig.chip()
        await rig.sees(None)
        said = [state.state for state in rig.scene.states]
        assert (said[:2], said.count("missing"), said[-1]) == (["missing", "connecting"], 1, "ok")
        assert "is not there" in rig.scene.states[0].text
        assert rig.kinds() == [Lost, Found]
        assert reader.state.text == ""


async def test_the_first_answer_after_opening_may_be_late(bench: Bench) -> None:
    """A Raspberry Pi's USB may hold the first bytes back for a second: longer than nfcpy waits for anything else."""
    async with bench() as rig:
        chip = rig.chip()
        chip.fault = Fault("slow", only=SAM, late_ack=0.4)
        await rig.reader(first=20_000)
        await rig.sees(None)


async def test_the_port_is_ours_alone_and_a_holder_is_named(bench: Bench) -> None:
    """A second program is kept out while we have it; if it is there first, it is named and waited for."""
    async with bench() as rig:
        chip = rig.chip()
        other = serial.Serial(str(chip.link), exclusive=True)
        await rig.reader()
        state = await rig.scene.is_state("busy")
        assert "is held by" in state.text
        other.close()
        await rig.sees(None)
        with pytest.raises(serial.SerialException, match="exclusively lock"):
            serial.Serial(str(chip.link), exclusive=True)


async def test_row_4_a_chip_left_at_a_high_bit_rate_is_found_and_brought_back(bench: Bench) -> None:
    """A program that was killed had raised the rate; nfcpy's own start-up finds nobody there."""
    async with bench() as rig:
        chip = rig.chip()
        pn532.init(transport.TTY(device_of(chip))).chipset.transport.close()
        assert chip.rate == 921_600
        assert not nfcpy_opens(chip)
        await rig.reader()
        await rig.sees(None)
        assert chip.rate == 115_200


async def test_row_4_a_command_that_still_runs_is_aborted_first(bench: Bench) -> None:
    """The chip is busy with what a killed program asked for; nfcpy's own start-up does not abort it."""
    async with bench() as rig:
        chip = rig.chip()
        chip.fault = Fault("silent", cure="abort")
        assert not nfcpy_opens(chip)
        await rig.reader()
        await rig.sees(None)


async def test_row_4_half_a_command_is_flushed_out(bench: Bench) -> None:
    """The chip waits for the rest of a frame, and would take the next one for it."""
    async with bench() as rig:
        chip = rig.chip()
        chip.power_cycle()
        chip.asleep = False
        chip.leave_in_command()
        await rig.reader()
        await rig.sees(None)


async def test_row_4_closing_puts_the_chip_to_bed_for_whoever_comes_next(bench: Bench) -> None:
    """Field off, first bit rate, asleep, port free; nfcpy's own start-up finds it. Nothing is told after the end."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader()
        await rig.sees(None)
        told = len(rig.scene.events), len(rig.scene.states)
        await reader.close()
        assert (len(rig.scene.events), len(rig.scene.states)) == told
        assert (chip.heard[POWER_DOWN], chip.asleep, chip.rate) == (1, True, 115_200)
        assert nfcpy_opens(chip)


# --- failures of the chip --------------------------------------------------------------------------------------


@pytest.mark.parametrize("commands", [1, 2])
@pytest.mark.parametrize("how", ["silent", "garbled", "no_ack", "no_answer"])
async def test_row_5_a_passing_failure_costs_looks_and_nothing_else(
    bench: Bench, how: Any, commands: int
) -> None:
    """One or two commands fail: no sweep says "empty" meanwhile, nothing is re-opened, and the card is seen on."""
    async with bench() as rig:
        chip = rig.chip()
        chip.lay(Tag(CARD))
        reader = await rig.reader()
        await rig.settled(CARD)
        opened = reader.counters["opened"]
        chip.fault = Fault(how, commands=commands)
        await rig.until(lambda: chip.fault is None)
        await rig.sees(CARD)
        assert {rig.shown(sweep) for sweep in rig.sweeps()} == {CARD}
        assert reader.counters["opened"] == opened
        assert rig.kinds() == []


async def test_row_5_a_chip_that_only_its_power_brings_back_is_said_to_need_that(bench: Bench) -> None:
    """Bounded tries, then lost, then the words that help; and back by itself once the power was off and on."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader(timing={"tries": 3})
        await rig.settled()
        chip.fault = Fault("silent")
        await rig.until(lambda: "power-cycle reader 0" in reader.state.text)
        assert reader.state.state == "lost"
        assert rig.kinds() == [Lost]
        chip.power_cycle()
        await rig.sees(None)
        assert rig.kinds() == [Lost, Found]
        assert (reader.state.state, reader.state.text) == ("ok", "")
        said = [state.text for state in rig.scene.states if state.state == "lost"]
        assert len(said) == len(set(said)) == 2


async def test_row_6_a_reader_that_got_slow_is_opened_anew(bench: Bench) -> None:
    """After idle hours each look takes seconds and still succeeds: only its latency tells. Setting up anew helps."""
    async with bench() as rig:
        chip = rig.chip()
        chip.lay(Tag(CARD))
        reader = await rig.reader(slow=300)
        await rig.settled(CARD)
        chip.fault = Fault("slow", cure="setup", only=LIST, late=0.4)
        await rig.until(lambda: reader.counters["reopened"])
        await rig.sees(CARD)
        assert chip.fault is None
        assert reader.counters["slow_looks"] >= 3
        assert {rig.shown(sweep) for sweep in rig.sweeps()} == {CARD}
        assert rig.kinds() == []


async def test_row_8_timeouts_until_set_up_anew_are_cured_by_opening_anew(bench: Bench) -> None:
    """Three looks time out; closed, opened, set up: it looks again, and the table was never told of a loss."""
    async with bench() as rig:
        chip = rig.chip()
        chip.lay(Tag(CARD))
        reader = await rig.reader(timing={"tries": 3})
        await rig.settled(CARD)
        chip.fault = Fault("no_answer", cure="setup")
        await rig.until(lambda: reader.counters["reopened"])
        await rig.sees(CARD)
        assert {rig.shown(sweep) for sweep in rig.sweeps()} == {CARD}
        assert rig.kinds() == []


async def test_row_9_a_chip_that_dozed_off_is_woken_and_asked_again(bench: Bench) -> None:
    """It needs time to wake, so what is sent at once is lost: wake, wait, look again; the port stays open."""
    async with bench() as rig:
        chip = rig.chip()
        chip.wake_s = 0.01
        reader = await rig.reader(first=20_000)
        await rig.settled()
        assert chip.unheard == 5, "of what came before it was awake, only the waking bytes"
        opened = reader.counters["opened"]
        chip.lay(Tag(CARD))
        chip.doze()
        await rig.sees(CARD)
        assert reader.counters["failed_looks"] >= 1
        assert reader.counters["opened"] == opened
        assert rig.kinds() == []


async def test_a_thread_that_hangs_cannot_hide_a_silence(bench: Bench) -> None:
    """The chip acknowledges and never answers, and nfcpy waits: the loop itself notices, and says so."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader(timing={"silence": 300})
        await rig.settled()
        opened = reader.counters["opened"]
        chip.fault = Fault("no_answer")
        await rig.until(lambda: rig.scene.of(Lost))
        assert reader.state.state == "lost"
        assert reader.counters["opened"] == opened
        chip.fault = None
        await rig.sees(None)
        assert rig.kinds() == [Lost, Found]


@pytest.mark.parametrize("how", ["silent", "no_answer"])
async def test_closing_does_not_wait_for_a_chip_that_hangs(bench: Bench, how: Any) -> None:
    """The reader waits an hour for the first answer: the end interrupts that, and the port is free for others."""
    async with bench() as rig:
        chip = rig.chip()
        chip.fault = Fault(how)
        reader = await rig.reader(first=3_600_000)
        await rig.until(lambda: chip.heard[SAM])
        await reader.close()
        serial.Serial(str(chip.link), exclusive=True).close()


# --- plugs -----------------------------------------------------------------------------------------------------


async def test_unplugged_and_plugged_in_again(bench: Bench) -> None:
    """The line hangs up (termios.error, no OSError): lost at once, found when it is back, with no traceback."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader()
        await rig.settled()
        chip.unplug()
        await rig.until(lambda: rig.scene.of(Lost))
        await rig.scene.is_state("missing")
        chip.lay(Tag(CARD))
        chip.replug()
        await rig.sees(CARD)
        assert rig.kinds() == [Lost, Found]
        said = [state.state for state in rig.scene.states]
        assert (said[:3], said[-1]) == (["lost", "missing", "connecting"], "ok")
        assert reader.counters["reopened"] == 0


async def test_unplugged_while_closing(bench: Bench) -> None:
    """The device goes as the table ends: closing raises nothing."""
    async with bench() as rig:
        chip = rig.chip()
        reader = await rig.reader()
        await rig.sees(None)
        chip.unplug()
        await reader.close()


async def test_back_under_another_number_it_is_found_there(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/dev/ttyUSB0` is a mere number: when it stays away, the one sibling where a PN532 answers is taken."""
    async with bench() as rig:
        chip = rig.chip()
        siblings: list[str] = []
        await rig.reader("po*t", candidates=lambda: siblings)
        await rig.settled()
        deaf_master, deaf = os.openpty()
        chip.unplug()
        await rig.until(lambda: rig.scene.of(Lost))
        chip.lay(Tag(CARD))
        chip.replug(rig.folder / "moved")
        siblings += [os.ttyname(deaf), str(rig.folder / "moved")]
        await rig.sees(CARD)
        assert rig.kinds() == [Lost, Found]
        os.close(deaf_master)
        os.close(deaf)


async def test_a_port_named_by_its_place_is_never_left_for_another(bench: Bench) -> None:
    """A link by place means that socket: a PN532 elsewhere is somebody else's."""
    async with bench() as rig:
        chip = rig.chip()
        other = rig.chip("other")
        await rig.reader(candidates=lambda: [str(other.link)])
        await rig.sees(None)
        chip.unplug()
        await rig.scene.is_state("missing")
        chip.replug()
        await rig.sees(None)
        assert other.heard.total() == 0


async def test_two_that_search_at_once_take_nothing(bench: Bench) -> None:
    """No PN532 can be told from another: both are away. Whether one or two answer elsewhere, neither zone gets the
    other's; the readers ask, and say what would help."""
    async with bench() as rig:
        chips = [rig.chip("a0"), rig.chip("b0")]
        siblings: list[str] = []
        readers = [
            await rig.reader(f"{name}*", number, candidates=lambda: siblings)
            for number, name in enumerate("ab")
        ]
        await rig.until(lambda: all(reader.state.state == "ok" for reader in readers))
        rig.scene.events.clear()
        rig.scene.states.clear()
        for chip in chips:
            chip.unplug()
        await rig.until(lambda: len(rig.scene.of(Lost)) == 2)
        for chip, name in zip(chips, ("x", "y"), strict=True):
            chip.replug(rig.folder / name)
            asked = chip.heard[SAM]
            siblings.append(str(rig.folder / name))
            await rig.until(lambda chip=chip, asked=asked: chip.heard[SAM] >= asked + 4)
            assert rig.scene.of(Found) == []
        await rig.until(lambda: all(reader.state.state == "refused" for reader in readers))
        assert "by-path" in readers[0].state.text
        said = [state.state for state in rig.scene.states if state.number == 0]
        assert said == ["lost", "missing", "refused"]
        assert rig.scene.of(Found) == []


# --- what it needs, and what it keeps to itself ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("raises", "says"),
    [
        ("ImportError('No module named nfc')", "pip install 'tablectl[nfc]'"),
        ("OSError('libusb-1.0.so.0: cannot open')", "apt-get install libusb-1.0-0"),
    ],
)
async def test_without_its_libraries_it_says_what_to_install(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, raises: str, says: str
) -> None:
    """nfcpy is not there, or its USB library is not: the reader is missing with the remedy, the table goes on."""
    (tmp_path / "nfc").mkdir()
    (tmp_path / "nfc" / "__init__.py").write_text(f"raise {raises}")
    for name in [name for name in sys.modules if name.partition(".")[0] == "nfc"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    async with bench() as rig:
        rig.chip()
        await rig.reader()
        state = await rig.scene.is_state("missing")
        assert says in state.text
        assert rig.kinds() == [Lost]


async def test_no_uid_is_in_any_log(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """nfcpy writes every UID and every byte to its debug log; even with all logging on, none of that comes out."""
    caplog.set_level(0)
    async with bench() as rig:
        chip = rig.chip()
        chip.lay(Tag(CARD))
        reader = await rig.reader()
        await rig.sees(CARD)
        chip.fault = Fault("garbled", commands=5)
        await rig.until(lambda: chip.fault is None)
        await rig.sees(CARD)
        said = [*reader.log, *(record.getMessage() for record in caplog.records)]
        assert reader.log
        assert not [line for line in said if CARD.lower() in line.lower()]
        assert not [record for record in caplog.records if record.name.startswith(("nfc", "tablectl"))]
        assert logging.getLogger("nfc").level == logging.CRITICAL


async def test_seen_is_what_the_core_expects(bench: Bench) -> None:
    """Times are the event loop's: sweeps are in order, and a read is never from the future."""
    async with bench() as rig:
        rig.chip().lay(Tag(CARD))
        await rig.reader()
        await rig.until(lambda: len(rig.sweeps()) >= 5)
        times = [sweep.t for sweep in rig.sweeps()]
        assert times == sorted(times)
        assert all(isinstance(seen, Seen) and seen.age >= 0 for sweep in rig.sweeps() for seen in sweep.seen)
