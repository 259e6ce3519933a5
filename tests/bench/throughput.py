"""How fast the core is on one core of the machine, and pokerkit with the same hands.

    throughput.py HANDS      prints one JSON object

The core sees every sweep of every antenna and finds out who holds how many cards; pokerkit is told every card
and every action. So operations per second are not the same work; hands per second are the common measure.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from pokerkit import Automation, NoLimitTexasHoldem

from tablectl import recording
from tablectl.app import table_of
from tablectl.config import from_recording
from tablectl.core.sensed import Sweep
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import generate
from tablectl.sim.setup import TableSetup
from tablectl.sim.truth import Truth

STACK = 1_000_000
AUTOMATED = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def core(lines: list[dict[str, Any]], hands: int) -> dict[str, float]:
    head, parsed = recording.from_objects(lines[0], lines[1:])
    events = list(parsed)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    began = time.process_time()
    for event in events:
        table.step(event)
    seconds = time.process_time() - began
    sweeps = [event for event in events if isinstance(event, Sweep)]
    return {
        "seconds": seconds,
        "sightings": sum(len(sweep.seen) for sweep in sweeps) / seconds,
        "looks": sum(len(sweep.polled) for sweep in sweeps) / seconds,
        "sweeps": len(sweeps) / seconds,
        "hands": hands / seconds,
        "real_time": events[-1].t / 1000 / seconds,
    }


def hand_of(events: list[dict[str, Any]]) -> tuple[list[int], list[tuple[str, Any]]]:
    """The dealing order, and what happened: (seat or zone, face) for a card, (do, action) for an entry."""
    start = events[0]
    seats = sorted(start["seats"])
    after = [seat for seat in seats if seat > start["button"]] + [
        seat for seat in seats if seat <= start["button"]
    ]
    faces = {event["k"]: event["face"] for event in events if event["event"] == "out"}
    told: list[tuple[str, Any]] = []
    dealt: set[int] = set()
    for event in events:
        if event["event"] == "rest" and event["k"] not in dealt and event["zone"] != "muck":
            dealt.add(event["k"])
            told.append((event["zone"], faces[event["k"]]))
        elif event["event"] == "entry" and event["entry"]["do"] == "action":
            told.append(("action", event["entry"]["action"]))
    return after, told


def play(order: list[int], told: list[tuple[str, Any]]) -> int:
    """The hand in pokerkit's own state; the number of its operations."""
    stacks = (STACK,) * len(order)
    state = NoLimitTexasHoldem.create_state(AUTOMATED, True, 0, (1, 2), 2, stacks, len(order))  # noqa: FBT003
    deal(state, order, told)
    board = [face for zone, face in told if zone == "board"]
    shown = 0
    for what, value in told:
        if what == "burn":
            state.burn_card(value)
        elif what == "board":
            shown += 1
            if shown >= 3:
                state.deal_board("".join(board[:3]) if shown == 3 else value)
        elif what == "action":
            act(state, value)
    while state.can_show_or_muck_hole_cards():
        state.show_or_muck_hole_cards(True)  # noqa: FBT003 (pokerkit takes it so)
    return len(state.operations)


def deal(state: Any, order: list[int], told: list[tuple[str, Any]]) -> None:
    """The hole cards in dealing order: the order in which they came to rest may be another."""
    for turn in range(2):
        for seat in order:
            state.deal_hole([face for zone, face in told if zone == f"seat:{seat}"][turn])


def act(state: Any, action: str) -> None:
    """One action of the player whose turn it is."""
    if action == "fold":
        state.fold()
    elif action in {"check", "call"}:
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)


def pokerkit(hands: list[tuple[list[int], list[tuple[str, Any]]]]) -> dict[str, float]:
    began = time.process_time()
    operations = sum(play(*hand) for hand in hands)
    seconds = time.process_time() - began
    return {"seconds": seconds, "operations": operations / seconds, "hands": len(hands) / seconds}


def main(count: int) -> None:
    truth = Truth()
    lines = list(generate(TableSetup(), script.clean(count), preset("light"), seed=1, truth=truth))
    by_hand: dict[int, list[dict[str, Any]]] = {}
    for event in truth.events:
        by_hand.setdefault(event["hand"], []).append(event)
    hands = [hand_of(by_hand[number]) for number in sorted(by_hand) if number]
    sys.stdout.write(json.dumps({"core": core(lines, count), "pokerkit": pokerkit(hands)}) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
