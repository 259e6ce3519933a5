"""Cards that pass the optical sensors at the mouth of the shoe."""

from __future__ import annotations

from desk import Desk

from tablectl import wire

DOWN, UP = 1, 2


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
