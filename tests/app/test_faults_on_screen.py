"""`tablectl run` with a board on a pty, and the dealer's page in a real Chromium: what breaks is on the screen in three
seconds, with what still works, and goes from there by itself.

The page is given exactly the time that the table promises to its dealer.
"""

from __future__ import annotations

import resource
import signal
import socket
import struct
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PROMISED_MS = 3000
"""A fault is to be seen within so long."""
ANTENNA_HEALTH, WEAK, OK = 0x11, 1, 0


@pytest.fixture
def board(bench: Any) -> Any:
    """The board of the table's only reader."""
    return bench.board()


@pytest.fixture
def table(bench: Any, board: Any, page: Page) -> Any:
    """A table that runs with all antennas, and the page on it: all is well."""
    running = bench.run(bench.config(panel=bench.panel))
    running.line("READY after")
    opened(page, running.url)
    return running


def opened(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator("#top .well")).to_be_visible()


def at_once(where: Locator, text: str) -> None:
    """The text is to be seen there, as soon as the table promises."""
    expect(where.filter(has_text=text)).to_be_visible(timeout=PROMISED_MS)


def covered(page: Page, title: str) -> None:
    """The picture is hidden behind the title, as soon as the table promises."""
    expect(page.locator("#cover h1")).to_have_text(title, timeout=PROMISED_MS)
    expect(page.locator("#cover")).to_be_visible(timeout=PROMISED_MS)


def well_again(page: Page) -> None:
    """The picture is there, and nothing is wrong."""
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("#top .well")).to_be_visible()
    expect(page.locator(".strip")).to_have_count(0)


def cards(page: Page, seat: int) -> Locator:
    """The seat's button once a card lies there."""
    return page.get_by_role("button", name=f"Seat {seat}, 1 card")


def test_an_unplugged_reader(bench: Any, board: Any, table: Any, page: Page) -> None:
    """With the only one of a table nothing is checked, in red; a board that is plugged in again ends it."""
    board.unplug()
    at_once(page.locator(".strip.red"), "No antenna sees anything: Nothing is being checked. Call the floor.")
    expect(page.locator(".strip.red")).to_contain_text("reader 0 is lost")
    expect(page.locator("#table .seat.blind")).to_have_count(4)
    bench.board()
    well_again(page)


def test_an_unplugged_reader_of_two(bench: Any, board: Any, page: Page) -> None:
    """Exactly its zones are named, with the checks that rest on them, and that the rest is watched."""
    config = bench.config()
    port = bench.split(config)
    other = bench.board(port, b"by-hand2")
    table = bench.run(config)
    table.line("READY after")
    opened(page, table.url)
    other.unplug()
    strip = page.locator(".strip.amber")
    at_once(strip, "Seats 3, 4 not watched: reader 1 is lost")
    expect(strip).to_contain_text("Off: wrong seat, ")
    expect(strip).to_contain_text("The rest is watched.")
    expect(page.locator("#table .seat.blind")).to_have_count(2)
    board.deal(bench.uids[0], 1)
    expect(cards(page, 1)).to_be_attached()


def test_a_reader_that_falls_silent(board: Any, table: Any, page: Page) -> None:
    """Its line stands, but no word comes: told before the protocol lets it count as lost; then its zones go, too."""
    board.mute = True
    at_once(page.locator(".strip.amber"), "Reader 0 silent")
    expect(page.locator(".strip.red")).to_contain_text("No antenna sees anything")
    board.mute = False
    well_again(page)


def test_a_reader_that_lives_and_does_not_look(board: Any, table: Any, page: Page) -> None:
    """Heartbeats alone watch no card: the reader is silent, and its zones are perhaps not watched."""
    board.dreams = True
    at_once(
        page.locator(".strip.amber"), "Perhaps not watched: seats 1, 2, 3, 4, shoe, board, burn pile, muck"
    )
    board.dreams = False
    well_again(page)


def test_a_weak_antenna(board: Any, table: Any, page: Page) -> None:
    """The seat is named, and that all checks go on."""
    board.extra.append((ANTENNA_HEALTH, struct.pack("<BBHHH", 3, WEAK, 0, 0, 0)))
    at_once(page.locator(".strip.amber"), "Seat 3 reads weakly: antenna 3 of reader 0 is weak")
    expect(page.locator(".strip.amber")).to_contain_text("Everything is still checked")
    board.extra.append((ANTENNA_HEALTH, struct.pack("<BBHHH", 3, OK, 0, 0, 0)))
    well_again(page)


def test_a_disk_that_takes_no_more(table: Any, page: Page) -> None:
    """From one moment to the next the kernel refuses every write: nothing is recorded, alarms go on. Once there is room
    the strip goes."""
    pid, (_, most) = table.process.pid, resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, most))
    at_once(page.locator(".strip.red"), "Journal: Nothing is being recorded. Alarms go on.")
    expect(page.locator(".strip.red")).to_contain_text("journal cannot be written")
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
    well_again(page)


def test_a_stopped_process(bench: Any, board: Any, table: Any, page: Page) -> None:
    """The process stands still, its sockets stay open: a dead link. When it goes on, the page shows what is true then:
    a card that came to seat 1 meanwhile."""
    table.process.send_signal(signal.SIGSTOP)
    covered(page, "No link to the table")
    expect(page.locator("#cover")).to_contain_text("This picture is old. Watch the cards yourself")
    table.process.send_signal(signal.SIGCONT)
    board.deal(bench.uids[0], 1)
    well_again(page)
    expect(cards(page, 1)).to_be_attached()


def test_a_killed_process(bench: Any, board: Any, page: Page) -> None:
    """Killed in mid-deal: a dead link. The table that is started in its place has its own truth, and the page shows it
    without being touched: another hand number, no card, and its own fault."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = bench.config(display={"port": port})
    table = bench.run(config)
    table.line("READY after")
    opened(page, table.url)
    board.deal(bench.uids[0], 1)
    expect(cards(page, 1)).to_be_attached()
    table.ends(signal.SIGKILL)
    covered(page, "No link to the table")
    board.unplug()
    again = bench.run(config)
    again.line("READY after")
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator(".strip.red")).to_contain_text("No antenna sees anything")
    expect(cards(page, 1)).to_have_count(0)


DAMAGED = """
import gc, signal, sys, time
from tablectl.core.table import Table

def table():
    return next(each for each in gc.get_objects() if isinstance(each, Table))

def damage(*_):
    table().lost, table().tracker = table().tracker, None

def repair(*_):
    table().tracker = table().lost

def hang(*_):
    while not done:
        time.sleep(0.01)

def go_on(*_):
    done.append(True)

done = []
begin, end = {"damage": (damage, repair), "hang": (hang, go_on)}[sys.argv[2]]
signal.signal(signal.SIGUSR1, begin)
signal.signal(signal.SIGUSR2, end)
sys.argv = ["tablectl", "run", sys.argv[1]]
from tablectl.cli import main
main()
"""
"""A table whose core loses a part of itself, or stands still in mid-step, when it is told to."""


@pytest.mark.parametrize(
    ("how", "title", "what"),
    [
        ("damage", "The table has stopped", "Nothing is being checked."),
        ("hang", "No link to the table", "No word for"),
    ],
)
def test_a_stopped_core(bench: Any, board: Any, page: Page, how: str, title: str, what: str) -> None:
    """A core that fails at every sweep, and one that never comes back from a step and holds up the very process that
    serves the page: the picture is covered. As soon as it works again the page is back, and reads the next card."""
    table = bench.run(bench.config(), how, program=DAMAGED)
    table.line("READY after")
    opened(page, table.url)
    table.process.send_signal(signal.SIGUSR1)
    covered(page, title)
    expect(page.locator("#cover")).to_contain_text(what)
    antennas = page.context.new_page()
    if how == "damage":  # the technician's page has no way to think that figures are of now
        antennas.goto(f"{table.url}technician")
        expect(antennas.locator("#cover h1")).to_have_text(title)
    antennas.close()
    table.process.send_signal(signal.SIGUSR2)
    expect(page.locator("#cover")).to_be_hidden()
    board.deal(bench.uids[0], 1)
    expect(cards(page, 1)).to_be_attached()


def test_a_core_that_broke_once(bench: Any, board: Any, page: Page) -> None:
    """What it failed at is over, and the table watches on: a red strip, no cover; the next hand's start takes it."""
    table = bench.run(bench.config(), "damage", program=DAMAGED)
    table.line("READY after")
    opened(page, table.url)
    table.process.send_signal(signal.SIGUSR1)
    table.line("core: AttributeError")
    table.process.send_signal(signal.SIGUSR2)
    at_once(page.locator(".strip.red"), "Core: Nothing is being checked. Call the floor.")
    expect(page.locator("#cover")).to_be_hidden()
    board.deal(bench.uids[0], 1)
    well_again(page)


def test_a_table_that_is_told_to_stop(table: Any, page: Page) -> None:
    """It ends in order, and its last picture does not stay."""
    table.ends(signal.SIGTERM)
    covered(page, "No link to the table")
