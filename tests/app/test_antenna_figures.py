"""What the figures of the technician's page say of antennas whose looks are known exactly."""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.app.technician.figures import SPAN_MS, Figures
from tablectl.core.sensed import AntennaHealth, Lost, Seen, Sweep
from tablectl.core.track import Track
from tablectl.layout import Layout

LAYOUT = Layout(2, {(0, 0): "muck", (0, 1): "seat:1", (0, 2): "seat:2", (1, 0): "shoe"})
HERE, THERE = "E004015000000001", "E004015000000002"


def lies(uid: str, zone: str, since: int = 0, *, lifted: bool = False) -> Track:
    """A card as the tracker has it."""
    return Track(uid, home=zone, since=since, lifted=lifted)


class Looks:
    """Sweeps of reader 0 in order, every 50 ms."""

    def __init__(self) -> None:
        self.figures = Figures(LAYOUT)
        self.t = 0

    def sweep(self, *seen: Seen, polled: Iterable[int] = (0, 1, 2), count: int = 1) -> Looks:
        for _ in range(count):
            self.t += 50
            self.figures.took(Sweep(self.t, 0, tuple(polled), seen))
        return self

    def row(self, zone: str, *tracks: Track, usual: int | None = None) -> dict[str, object]:
        rows = self.figures.rows(self.t, tracks, {} if usual is None else {zone: usual})
        return next(row for row in rows if row["zone"] == zone)


def test_rows_stand_in_the_order_of_the_table() -> None:
    """The shoe first, the seats in turn, then the piles, whatever the readers' numbers."""
    assert [row["zone"] for row in Figures(LAYOUT).rows(0, (), {})] == ["shoe", "seat:1", "seat:2", "muck"]


def test_a_card_at_rest_tells_how_often_and_how_strongly_it_is_read() -> None:
    """Three of four looks read it, at −40 and −44 in turn: 75 %, −42, with the usual strength beside it."""
    looks = Looks()
    for _ in range(20):
        looks.sweep(Seen(1, HERE, -40)).sweep(Seen(1, HERE, -44)).sweep(Seen(1, HERE, -42)).sweep()
    row = looks.row("seat:1", lies(HERE, "seat:1"), usual=-41)
    assert (row["rate"], row["strength"], row["usual"], row["tags"]) == (0.75, -42, -41, 1)
    assert row["beside"] == []
    assert row["looks"] == 20


def test_a_neighbour_that_reads_the_card_is_named_with_its_share() -> None:
    """Every fifth look of seat 2's antenna reads seat 1's card: a fifth, and seat 2's own figures stay empty."""
    looks = Looks()
    for n in range(104):
        also = (Seen(2, HERE, -60),) if n % 5 == 4 else ()
        looks.sweep(Seen(1, HERE, -40), *also)
    card = lies(HERE, "seat:1")
    assert looks.row("seat:1", card)["beside"] == [{"zone": "seat:2", "rate": 0.2}]
    assert looks.row("seat:2", card)["rate"] is None


def test_an_antenna_that_misses_its_card_altogether_reads_none_of_its_looks() -> None:
    """A card that lies there and is never read is no empty antenna: 0 %, not nothing."""
    row = Looks().sweep(count=60).row("seat:1", lies(HERE, "seat:1"))
    assert (row["rate"], row["reads"]) == (0.0, 0)


def test_a_card_counts_from_when_it_came_and_not_once_it_is_lifted() -> None:
    """Looks before it lay there are none of its misses; a card that was picked up misses nothing."""
    looks = Looks().sweep(count=60).sweep(Seen(1, HERE, -40), count=60)
    assert looks.row("seat:1", lies(HERE, "seat:1", since=3000))["rate"] == 1.0
    assert looks.row("seat:1", lies(HERE, "seat:1", since=3000, lifted=True))["rate"] is None


def test_two_cards_count_together() -> None:
    """One is read in every look, the other in none: half of what two cards could give."""
    looks = Looks().sweep(Seen(1, HERE, None), count=100)
    row = looks.row("seat:1", lies(HERE, "seat:1"), lies(THERE, "seat:1"))
    assert row["rate"] == 0.5
    assert row["strength"] is None


def test_what_is_long_ago_counts_no_more() -> None:
    """After ten seconds of good looks the bad ones before are forgotten, and so is a card that is gone; when the last
    one was read is not."""
    looks = Looks().sweep(count=100).sweep(Seen(1, HERE, -40), count=SPAN_MS // 50 + 10)
    assert looks.row("seat:1", lies(HERE, "seat:1"))["rate"] == 1.0
    row = looks.sweep(count=SPAN_MS // 50 + 10).row("seat:1")
    assert (row["tags"], row["rate"], row["last_tag"]) == (0, None, SPAN_MS + 500)


def test_no_look_is_no_miss() -> None:
    """A sweep that did not look at the antenna, and a list that was cut short, count neither as look nor as read; that
    a tag was read there is known all the same."""
    looks = Looks().sweep(Seen(1, HERE, -40), count=20)
    looks.sweep(polled=(0, 2), count=20).sweep(Seen(1, HERE, -40), polled=(0, 2), count=20)
    row = looks.row("seat:1", lies(HERE, "seat:1"))
    assert row["rate"] == 1.0
    assert (row["last_look"], row["last_tag"]) == (2000, 0)


def test_one_look_reads_a_card_once() -> None:
    """A sweep that names a card twice at one antenna has read it once."""
    row = Looks().sweep(Seen(1, HERE, -41), Seen(1, HERE, -44), count=40).row("seat:1", lies(HERE, "seat:1"))
    assert row["rate"] == 1.0


def test_what_a_board_says_of_its_antennas_and_of_others() -> None:
    """Its verdict stands in the row until it says another; antennas that nobody configured are passed over."""
    looks = Looks().sweep(Seen(7, HERE, -40), polled=(0, 1, 2, 7))
    assert looks.row("muck")["health"] is None
    for event in (AntennaHealth(60, 0, 0, "weak"), AntennaHealth(60, 0, 7, "open"), Lost(70, 1)):
        looks.figures.took(event)
    assert looks.row("muck")["health"] == "weak"
    looks.figures.took(AntennaHealth(80, 0, 0, "ok"))
    assert looks.row("muck")["health"] == "ok"
    assert (looks.row("shoe")["last_look"], looks.row("shoe")["last_tag"]) == (None, None)
