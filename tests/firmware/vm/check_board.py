"""`firmware/board.py` on the pins of `machine.py`: what the loop alone does not show. Under MicroPython.

Prints the name of each check that holds; the first that does not ends it with an AssertionError.
"""

import sys

import machine
from board import EDGES, PINS, Board


def check_a_switched_antenna_is_named_before_it_is_on(board):
    # All antennas are off while the address changes, so that no third one is touched on the way.
    felt = machine._felt()
    seen = []
    felt.chip.antenna = seen.append
    for number in (5, 2, 7, None):
        board.buses[0].antenna(number)
    assert seen == [None, 5, None, 2, None, 7, None], seen


def check_edges_wait_in_a_bounded_ring(board):
    # Whatever the sensors do, so many edges are kept in their order, and those that found no room are counted.
    felt = machine._felt()
    for n in range(EDGES + 20):
        felt.levels[PINS["optical_below"]] = n & 1
        felt.handlers[PINS["optical_below"]](None)
    taken = []
    while True:
        edge = board.edge()
        if edge is None:
            break
        taken.append(edge)
    assert len(taken) == EDGES - 1
    assert board.edges_lost == 21
    assert [levels for _, levels in taken] == [n & 1 for n in range(EDGES - 1)]
    times = [us for us, _ in taken]
    assert times == sorted(times)


def check_the_id_has_eight_bytes(board):
    # However long the chip's own is, and the same at every start.
    assert board.id == b"vm-board"
    assert board.id == Board().id


board = Board()
for name, check in sorted(globals().items()):
    if name.startswith("check_"):
        check(board)
        sys.stdout.write(name + "\n")
