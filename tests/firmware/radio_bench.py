"""What the scenarios of the radio share: a radio with its simulated front end, and how they are told.

Owns: set-up, comparisons, the lines that `test_radio` reads. Refuses: scenarios. Runs under CPython and MicroPython;
`sys.path` must lead to the firmware.
"""

from pn5180 import RadioError
from pn5180_sim import Clock, SimulatedPN5180, SimulatedTag
from radio import Radio

A, B, C = "E004015000000001", "E004015000000002", "E00401500000000F"
SAME_NIBBLE = ("E004015000000013", "E004015000000023")
"""Differ in the second four bits."""
SAME_BYTE = ("E004015000000123", "E004015000000223")
SAME_SIX_BYTES = ("E004015000000123", "E005015000000123")
"""Differ in the thirteenth four bits only."""


def bench(*uids, antenna=3):
    """A started radio with these tags on one antenna; (radio, chip, tags)."""
    clock = Clock()
    chip = SimulatedPN5180(clock)
    tags = [SimulatedTag(uid) for uid in uids]
    chip.tags[antenna] = tags
    radio = Radio(chip, clock.ticks_ms, clock.sleep_us)
    radio.start()
    return radio, chip, tags


def uids(reads):
    return sorted("".join(f"{byte:02X}" for byte in uid) for _, _, uid in reads)


def fault_of(call):
    """The RadioError that the call must raise."""
    try:
        call()
    except RadioError as fault:
        return fault
    raise AssertionError("no RadioError")


def same(found, expected):
    assert found == expected, f"{found} instead of {expected}"


def clean(chip):
    """The driver did nothing that the chip forbids, and left the field off."""
    same(chip.violations, [])
    assert not chip.field
    same(chip.switched_to, None)


def look(radio, antenna=3, power=255, several=False):  # noqa: FBT002  (MicroPython's calls are plain, too)
    return radio.look(antenna, power, several)


def outcome(call):
    try:
        return call()
    except RadioError as fault:
        return fault.kind


def drown_after(tag, requests):
    """After so many requests the tag is much stronger than the others, until the returned function is called."""
    hear, left = tag.hear, [requests]

    def louder(frame):
        left[0] -= 1
        tag.strength = 12 if left[0] < 0 else 0
        return hear(frame)

    def recover():
        tag.hear, tag.strength = hear, 0

    tag.hear = louder
    return recover


def at_next_request(tag, happens):
    """Something happens once the tag hears a request."""
    hear = tag.hear

    def hearing(frame):
        happens()
        tag.hear = hear
        return hear(frame)

    tag.hear = hearing


def run(scenarios):
    """Runs every function whose name begins with `check_`, and prints "name: ok" or what it met."""
    for name in sorted(name for name in scenarios if name.startswith("check_")):
        try:
            scenarios[name]()
            print(name + ": ok")  # noqa: T201  (a script: these lines are its result)
        except Exception as fault:  # noqa: BLE001  (each scenario reports for itself)
            print(f"{name}: {type(fault).__name__}: {fault}")  # noqa: T201
