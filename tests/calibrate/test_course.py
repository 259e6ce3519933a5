"""The guided course: what it counts, what it waits for, and which antennas it finds unfit."""

from __future__ import annotations

from collections.abc import Iterable

from by_hand import Calibrated

from tablectl.calibrate.course import EMPTY_LOOKS, Course
from tablectl.calibrate.desk import words
from tablectl.calibrate.measured import ENOUGH, as_json, from_json
from tablectl.calibrate.results import results_of
from tablectl.core.sensed import Lost, Seen, Sweep
from tablectl.layout import Layout
from tablectl.sim.noise import preset
from tablectl.sim.stage import Stage

LAYOUT = Layout(3, {(0, 0): "seat:1", (0, 1): "seat:2", (0, 2): "seat:3"})
CARD, OTHER = "E004015000000001", "E004015000000002"


class Bench:
    """A course at a table of three antennas that read what is said, look by look."""

    def __init__(self, *wanted: int, patience: int | None = None) -> None:
        self.orders: list[str] = []
        antennas = [(0, number) for number in wanted or (0, 1, 2)]
        self.course = Course(LAYOUT, antennas, tell=self.orders.append, patience=patience)
        self._t = 0

    def look(self, looks: int, **lying: Iterable[str]) -> Bench:
        """So many looks at all antennas, with these tags at `seat1` and so on."""
        for _ in range(looks):
            self._t += 100
            seen = tuple(
                Seen(number, uid, -45) for number in range(3) for uid in lying.get(f"seat{number + 1}", ())
            )
            self.course.took(Sweep(self._t, 0, (0, 1, 2), seen))
        return self

    def empty(self) -> Bench:
        """The empty table is looked at."""
        return self.look(EMPTY_LOOKS)


def spoiled(stage: Stage) -> None:
    """The antenna of seat 3 reads half as well as the others, that of seat 7 nothing."""
    stage.boards[0].antennas[2].gain *= 0.5
    stage.boards[1].antennas[1].dead = True


def test_a_weak_and_a_dead_antenna_are_found_and_no_other() -> None:
    """On a light table: each with the physical change that helps, and a dead one is never written down."""
    table = Calibrated(preset("light"), "spoiled", spoil=spoiled)
    results = results_of(table.course.table, table.layout)
    unfit = {each.zone: each.unfit for each in results.antennas if each.unfit}
    assert set(unfit) == {"seat:3", "seat:7"}
    assert "capacitor" in unfit["seat:3"][0].help
    assert unfit["seat:7"][0].what == "reads nothing at all"
    written = {each.zone: results.calibration(each) for each in results.antennas}
    assert written["seat:7"] is None
    assert all(figures is not None for zone, figures in written.items() if zone != "seat:7")


def test_one_antenna_alone_has_its_neighbours_cards_laid_too() -> None:
    """`--antenna seat:2`: the card is asked for at seat 2, and then at seats 1 and 3, which are not measured."""
    table = Calibrated(preset("light"), 5, only=("seat:2",))
    (result,) = results_of(table.course.table, table.layout).antennas
    assert (result.zone, set(result.beside)) == ("seat:2", {"seat:1", "seat:3"})
    assert result.read is not None
    assert result.two is not None


def test_a_card_that_was_left_lying_is_named_and_nothing_is_counted() -> None:
    """The empty table is asked for until it is empty; then the first card is asked for."""
    bench = Bench().look(30, seat2=[CARD])
    assert words(bench.course)[0] == "Take every card off the table: something is read at seat 2"
    bench.look(60)
    assert bench.orders == ["lift", "lay seat:1 1"]
    assert [each.ghosts for each in bench.course.table.values()] == [0, 0, 0]


def test_what_an_empty_antenna_reads_now_and_then_is_counted_as_noise() -> None:
    """Another tag each time is no card, and no reason to wait for anybody."""
    bench = Bench()
    for number in range(EMPTY_LOOKS):
        bench.look(1, seat1=[f"E0040150000{number:05X}"] if number % 10 == 0 else [])
    assert bench.course.table[0, 0].ghosts == EMPTY_LOOKS // 10
    assert bench.orders[-1] == "lay seat:1 1"


def test_a_tag_that_is_read_once_is_no_card() -> None:
    """Field failure 14: it takes two reads; then the counting begins with the next look."""
    bench = Bench().empty().look(1, seat1=[CARD]).look(20)
    assert bench.course.phase == "lay"
    bench.look(2, seat1=[CARD])
    assert (bench.course.phase, bench.course.laid.n) == ("measure", 0)


def test_a_card_at_another_seat_is_told() -> None:
    """What is asked for at seat 1 and lies at seat 2 is not counted for either."""
    bench = Bench().empty().look(20, seat2=[CARD])
    assert words(bench.course)[0] == "Lay one card at seat 1: a card is read at seat 2 instead"
    assert not any(each.one for each in bench.course.table.values())


def test_two_cards_where_one_is_due_are_told() -> None:
    """They shade each other: nothing is counted until one is taken away."""
    bench = Bench().empty().look(20, seat1=[CARD, OTHER])
    assert "take the others away" in words(bench.course)[0]
    bench.look(60, seat1=[CARD])
    assert len(bench.course.table[0, 0].one) == 1


def test_a_card_that_is_lifted_too_early_is_not_counted() -> None:
    """Ten looks, then nothing: that laying is asked for again."""
    bench = Bench().empty().look(10, seat1=[CARD]).look(40)
    assert (bench.course.phase, bench.course.table[0, 0].one) == ("lay", [])


def test_a_laying_goes_on_by_itself_until_it_is_lifted() -> None:
    """A card that is always read needs the fewest looks; the same card lies on, so it must be lifted first."""
    bench = Bench().empty().look(60, seat1=[CARD])
    (laid,) = bench.course.table[0, 0].one
    assert (laid.r, laid.n, laid.strength) == (12, 12, -45)
    assert (bench.orders[-1], bench.course.phase) == ("lift", "lift")
    bench.look(15)
    assert bench.orders[-1] == "lay seat:1 1"


def test_a_reader_that_is_lost_ends_a_laying() -> None:
    """Whatever lay there may be another card afterwards; while it is away that is said."""
    bench = Bench().empty().look(8, seat1=[CARD])
    bench.course.took(Lost(10**6, 0))
    assert "silent" in words(bench.course)[0]
    assert (bench.course.phase, bench.course.table[0, 0].one) == ("lay", [])


def test_a_person_says_that_a_card_lies_there_though_nothing_reads_it() -> None:
    """So an antenna that reads nothing is measured as such, after as many layings as any other."""
    bench = Bench(0).empty()
    for _ in range(ENOUGH):
        bench.course.lies()
        bench.look(40)
    assert [(laid.r, laid.n) for laid in bench.course.table[0, 0].one] == [(0, 12)] * ENOUGH
    assert bench.orders[-1] == "lay seat:2 1"


def test_what_was_kept_is_not_asked_for_again() -> None:
    """After a break the course begins with what is missing; a skipped antenna is asked for again, no UID is kept."""
    bench = Bench(0).empty()
    for _ in range(ENOUGH):
        bench.look(20, seat1=[CARD]).look(15)
    kept = as_json(bench.course.table)
    assert CARD not in str(kept)
    orders: list[str] = []
    again = Course(LAYOUT, [(0, 0), (0, 1)], from_json(kept), tell=orders.append)
    assert orders == ["lift"]  # seat 2 was not seen empty yet
    again.skip()
    assert orders[-1] == "lay seat:1 2"
    again.skip()
    assert orders[-1] == "lay seat:2 1"


def test_a_skipped_antenna_has_no_figures() -> None:
    """Nothing is written down of it."""
    bench = Bench(0).empty()
    bench.course.skip()
    (result,) = results_of(bench.course.table, LAYOUT).antennas
    assert (result.read, results_of(bench.course.table, LAYOUT).calibration(result)) == (None, None)
