"""Enrolment at the readers that can be bought: the real command, and the simulated reader as a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from enrol_desk import FACES, AtDesk, Desk

from tablectl.enrol.order import said_of

LAY = {"pn532": "put {}", "pepper": "put 1 {}"}
LIFT = {"pn532": "take", "pepper": "take 1 {}"}
MODULES = {"pn532": "tablectl.sim.pn532_process", "pepper": "tablectl.sim.pepper"}


def tag(driver: str, number: int) -> str:
    """A tag that this reader reads: Type A of seven bytes, or ISO 15693."""
    return f"04{number * 0x9E3779B1 % (1 << 48):012X}" if driver == "pn532" else f"E00401509{number:07X}"


class Reader:
    """A simulated reader as a process; it does what it is told in the order in which it is told."""

    def __init__(self, driver: str, link: Path) -> None:
        self.driver = driver
        self.process = subprocess.Popen(
            [sys.executable, "-m", MODULES[driver], str(link)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def tell(self, words: str) -> None:
        """One line of its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()

    def lay(self, *uids: str) -> None:
        """These tags, in one moment for a PN532, one after the other for a Pepper."""
        together = [" ".join(uids)] if self.driver == "pn532" else uids
        for uid in together:
            self.tell(LAY[self.driver].format(uid))

    def lift(self, uid: str) -> None:
        """The card is taken away."""
        self.tell(LIFT[self.driver].format(uid))

    def close(self) -> None:
        """It ends when nobody speaks to it any more."""
        self.process.communicate()


@pytest.fixture(params=["pn532", "pepper"])
def reader(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reader]:
    """Each reader in turn, at `tmp_path/reader`."""
    simulated = Reader(request.param, tmp_path / "reader")
    yield simulated
    simulated.close()


def start(at_desk: AtDesk, reader: Reader, *more: str) -> Desk:
    """The enrolment of the blue deck at this reader."""
    return at_desk("blue.toml", "--port", "reader", "--driver", reader.driver, *more)


def test_two_cards_an_unplugged_reader_and_the_rest(at_desk: AtDesk, reader: Reader, tmp_path: Path) -> None:
    """Two cards, the cable comes off and is plugged in again, 50 more: a whole deck, and no UID on the screen."""
    desk = start(at_desk, reader)
    uids = [tag(reader.driver, number) for number in range(52)]
    for number, (face, uid) in enumerate(zip(FACES, uids, strict=True)):
        desk.expect(f"Lay {said_of(face)}")
        if number == 2:
            reader.tell("unplug")
            desk.expect("reader on reader: ")
            reader.tell("replug")
        reader.lay(uid)
        desk.expect(f"✓ {said_of(face)}")
        reader.lift(uid)
    assert desk.ends() == 0
    deck = tomllib.loads((tmp_path / "blue.toml").read_text(encoding="utf-8"))
    assert set(deck["cards"]) == set(uids)
    assert not [uid for uid in uids if uid in desk.text]


def test_a_card_with_two_tags(at_desk: AtDesk, reader: Reader, tmp_path: Path) -> None:
    """It is not enrolled by one of them; a PN532, which takes one tag for a shoe, lists the second one for this."""
    desk = start(at_desk, reader).expect("Lay the ace of spades")
    reader.lay(tag(reader.driver, 70), tag(reader.driver, 71))
    desk.expect("two tags lie there").type("q").expect("stopped")
    assert desk.ends() == 130
    assert not (tmp_path / "blue.toml").exists()
