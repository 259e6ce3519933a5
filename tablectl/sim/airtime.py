"""Air time of ISO 15693: how long a look at an antenna takes, from the standard's bit and slot times.

Owns: the times (ms) of one look, as formulas. Refuses: which tags answer (`antennas`).

Source: ISO/IEC 15693-3, high data rate with one subcarrier (26.48 kbit/s), 1-of-4 coding; the figures are
those of `shared/spec/tracking.md` §1. A look is adaptive: one slot first, unless the last look found several
tags; only if two tags answer at once, sixteen slots, in which each tag takes the slot that the lowest four
bits of its UID name; then sixteen slots again for each slot in which tags collided, told apart by the next
four bits.
"""

from __future__ import annotations

from functools import lru_cache

BYTE_TO_TAG = 0.3021
"""One byte to the tag, 1-of-4 coding, ms."""
BIT_FROM_TAG = 0.03776
"""One bit from the tag, ms."""
REQUEST_EDGES = 0.1133
"""Start and end of a request: 75.5 + 37.8 µs."""
SLOT_EDGE = 0.0378
"""The end-of-frame that starts the next slot, ms."""
T1 = 0.3209
"""From the end of a request to the tag's answer, ms."""
T2 = 0.3092
"""From the end of an answer to the next request, ms."""
ANSWER_EDGE = 4 * BIT_FROM_TAG
"""Start, or end, of an answer: four bit times."""
REQUEST_BYTES = 5
"""Flags, command, mask length and CRC-16 of an inventory; each byte of mask adds one."""
ANSWER_BITS = 96
"""Flags, DSFID, UID and CRC-16 of the answer."""
SLOTS = 16

REQUEST = REQUEST_BYTES * BYTE_TO_TAG + REQUEST_EDGES
ANSWER = 2 * ANSWER_EDGE + ANSWER_BITS * BIT_FROM_TAG
EMPTY_SLOT = T1 + ANSWER_EDGE + SLOT_EDGE
"""A slot in which nothing starts to answer."""
FULL_SLOT = T1 + ANSWER + T2 + SLOT_EDGE
"""A slot with an answer, or with several that collide."""
LOOK_EMPTY = REQUEST + T1 + ANSWER_EDGE
"""One-slot inventory, no tag: 2.1 ms."""
LOOK_ONE = REQUEST + T1 + ANSWER + T2
"""One-slot inventory, one tag: 6.2 ms; also the time lost on a collision."""
DEPTH = 4
"""How many rounds of sixteen slots a reader tries; four tell apart any UIDs that differ in 16 low bits."""


def sixteen_slots(occupied: int, mask_bytes: int = 0) -> float:
    """Time of one round of sixteen slots with that many slots occupied, ms."""
    return REQUEST + mask_bytes * BYTE_TO_TAG + SLOTS * EMPTY_SLOT + occupied * (FULL_SLOT - EMPTY_SLOT)


@lru_cache(maxsize=1 << 14)  # the same hands lie in the same fields for thousands of looks
def look(uids: tuple[str, ...], *, several: bool = False) -> tuple[float, tuple[float, ...]]:
    """Time of one look with these tags answering, and when in it each was read, ms.

    `several`: the antenna read more than one tag last time, so that the look begins with sixteen slots.
    Tags with the same UID answer with one voice and are read together. Tags that `DEPTH` rounds cannot tell
    apart get the time -1: they were not read.
    """
    if not several:
        if not uids:
            return LOOK_EMPTY, ()
        if len(set(uids)) == 1:
            return LOOK_ONE, (LOOK_ONE,) * len(uids)
    read: dict[str, float] = {}
    end = _round(sorted(set(uids)), 0.0 if several else LOOK_ONE, 0, read)
    return end, tuple([read.get(uid, -1.0) for uid in uids])


def _round(uids: list[str], start: float, depth: int, read: dict[str, float]) -> float:
    """One round of sixteen slots and the rounds that its collisions need; returns when it is over."""
    slots: dict[str, list[str]] = {}
    for uid in uids:
        slots.setdefault(uid[-1 - depth], []).append(uid)
    at = start + REQUEST + (depth + 1) // 2 * BYTE_TO_TAG
    for place in sorted(slots):
        at += FULL_SLOT
        if len(slots[place]) == 1:
            # The slots before this one that stayed empty took their time, too.
            empty_before = int(place, 16) - sum(1 for other in slots if other < place)
            read[slots[place][0]] = at + empty_before * EMPTY_SLOT
    end = start + sixteen_slots(len(slots), (depth + 1) // 2)
    for place in sorted(slots):
        if len(slots[place]) > 1 and depth + 1 < DEPTH:
            end = _round(slots[place], end, depth + 1, read)
    return end
