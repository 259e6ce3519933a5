"""The simulated PN532, judged by nfcpy 1.0.4 as it comes: what nfcpy cannot talk to is no PN532."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nfc
import nfc.clf
import nfc.tag
import pytest
from nfc.clf import pn532, transport

from tablectl.sim.pn532 import POWER_DOWN, SET_RATE, Fault, SimulatedPn532
from tablectl.sim.typea import Tag, crc_a

ANY_TAG = nfc.clf.RemoteTarget("106A")


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[SimulatedPn532]:
    made = SimulatedPn532(tmp_path / "reader")
    yield made
    made.end()


def opened(chip: SimulatedPn532) -> Any:
    """nfcpy's front end over its own transport and its own start-up, which take any tty that is named."""
    frontend = nfc.ContactlessFrontend()
    frontend.device = pn532.init(transport.TTY(os.path.realpath(chip.link)))
    return frontend


def test_nfcpy_finds_it_and_raises_its_bit_rate(chip: SimulatedPn532) -> None:
    """The whole start-up of nfcpy runs: wake, version, SAM, 921,600 bit/s, line test, settings; then no tag."""
    frontend = opened(chip)
    assert frontend.device.chipset_name == "PN532v1.6"
    assert chip.rate == 921_600
    assert frontend.sense(ANY_TAG) is None
    frontend.close()


@pytest.mark.parametrize("uid", ["01020304", "04A1B2C3D4E5F6", "04A1B2C3D4E5F6070809"])
def test_nfcpy_reads_uids_of_every_standard_length(chip: SimulatedPn532, uid: str) -> None:
    """4, 7 and 10 bytes (ISO/IEC 14443-3, 6.5.4) come through nfcpy's own sense."""
    frontend = opened(chip)
    chip.lay(Tag(uid))
    assert frontend.sense(ANY_TAG).sdd_res.hex().upper() == uid
    frontend.close()


def test_nfcpy_knows_the_tag_for_an_ntag213(chip: SimulatedPn532) -> None:
    """nfcpy tells tags apart by commands to the tag and checks their CRC_A: GET_VERSION, READ, an unknown one."""
    frontend = opened(chip)
    chip.lay(Tag("04A1B2C3D4E5F6"))
    tag = nfc.tag.activate(frontend, frontend.sense(ANY_TAG))
    assert tag.product == "NXP NTAG213"
    frontend.close()


def test_closed_it_sleeps_at_the_first_bit_rate_and_wakes_for_the_next_program(chip: SimulatedPn532) -> None:
    """nfcpy's close lowers the rate and powers the chip down; its next start-up wakes it."""
    opened(chip).close()
    assert (chip.heard[SET_RATE], chip.heard[POWER_DOWN]) == (2, 1)
    assert (chip.rate, chip.asleep) == (115_200, True)
    opened(chip).close()


def test_a_program_that_dies_leaves_it_deaf_for_nfcpy(chip: SimulatedPn532) -> None:
    """nfcpy#68: no close, so the chip listens at 921,600 bit/s; the next start-up of nfcpy finds nobody."""
    opened(chip).device.chipset.transport.close()
    with pytest.raises(OSError, match=r"timed out|No such device"):
        opened(chip)
    assert chip.unheard > 0


def test_a_fault_lasts_for_its_commands(chip: SimulatedPn532) -> None:
    """Two commands are not answered; the third is."""
    frontend = opened(chip)
    chip.fault = Fault("silent", commands=2)
    for _ in range(2):
        with pytest.raises(OSError, match="Input/output error"):
            frontend.device.mute()
    frontend.device.mute()
    frontend.close()


def test_crc_a_is_that_of_the_standard() -> None:
    """The examples of ISO/IEC 14443-3, Annex B: 00 00 gives A0 1E, 12 34 gives 26 CF."""
    assert crc_a(bytes.fromhex("0000")).hex() == "a01e"
    assert crc_a(bytes.fromhex("1234")).hex() == "26cf"


def test_as_a_process_it_is_told_by_words(tmp_path: Path) -> None:
    """A card is put there and read by nfcpy; what is not understood is answered with what would be; `quit` unplugs."""
    link = tmp_path / "reader"
    with subprocess.Popen(
        [sys.executable, "-m", "tablectl.sim.pn532_process", str(link)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("put 04A1B2C3D4E5F6\nput 05\n")
        process.stdin.flush()
        assert "put 05: not understood; put UID" in process.stderr.readline()
        frontend = nfc.ContactlessFrontend()
        frontend.device = pn532.init(transport.TTY(os.path.realpath(link)))
        assert frontend.sense(ANY_TAG).sdd_res.hex().upper() == "04A1B2C3D4E5F6"
        frontend.close()
        process.communicate("quit\n", timeout=30)
    assert process.returncode == 0
    assert not link.exists()


@pytest.mark.parametrize("arguments", [[], ["/nowhere/reader"]])
def test_a_process_without_a_place_for_its_link_says_so(arguments: list[str]) -> None:
    """No argument, or a folder that is not there: one line, exit status 2, no traceback."""
    command = [sys.executable, "-m", "tablectl.sim.pn532_process", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
