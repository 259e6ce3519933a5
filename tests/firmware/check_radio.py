"""The firmware's radio against the simulated PN5180: standards, looks, power and memory.

Runs under CPython and MicroPython alike:

    micropython check_radio.py FIRMWARE_DIR

A scenario is a function `check_…`; its comment says what it proves. It prints "name: ok" for each.
"""

import sys

sys.path.insert(0, sys.argv[1])

import radio as radio_module
from pn5180 import PN5180
from pn5180_sim import SimulatedPN5180, SimulatedTag
from radio_bench import (
    SAME_BYTE,
    SAME_NIBBLE,
    SAME_SIX_BYTES,
    A,
    B,
    C,
    bench,
    clean,
    drown_after,
    look,
    outcome,
    run,
    same,
    uids,
)
from tags_sim import crc16, unhex, with_crc

# --- standards ----------------------------------------------------------------------------------------------


def check_crc_vectors():
    # Published frames: the CRC of the simulated air, against which the driver runs, is the standard's.
    for text, crc in (
        ("01020304", "9139"),  # ISO/IEC 15693-3 annex C, and ST LRI64 data sheet, appendix B
        ("313233343536373839", "6E90"),  # "123456789", ISO/IEC 13239 check value 906E
        ("260100", "F60A"),  # inventory, one slot, no mask
        ("222091C602B9500104E008", "0690"),  # read single block, addressed
        ("00000228E06D580104E0", "D060"),  # inventory answer of a tag, as an ST CR95HF hands it over
        ("00E1408009", "3D70"),  # answer of one block, as a Proxmark received it
        ("00", "78F0"),  # answer without data
    ):
        frame = unhex(text)
        same("".join(f"{byte:02X}" for byte in with_crc(frame)[-2:]), crc)
        same(crc16(with_crc(frame)) ^ 0xFFFF, 0xF0B8)  # the residue by which a receiver knows a whole frame


def check_requests_are_those_of_the_standard():
    # One slot 26 01 00; sixteen 06 01 00; mask lengths and values lowest bits first; the CRC is on air.
    radio, chip, _ = bench(*SAME_BYTE)
    look(radio)
    asked = [frame for frame in chip.requests if frame]
    same(asked[0], b"\x26\x01\x00\xf6\x0a")
    same(asked[1][:-2], b"\x06\x01\x00")
    same(asked[2][:-2], b"\x06\x01\x04\x03")
    same(asked[3][:-2], b"\x06\x01\x08\x23")
    same(chip.requests.count(b""), 45)
    clean(chip)


def check_tag_states():
    # Ready, quiet, selected: who answers an inventory, and what wakes a quiet tag.
    tag, other = SimulatedTag(A), SimulatedTag(B)
    inventory = with_crc(b"\x26\x01\x00")
    mine, its = bytes(reversed(tag.uid)), bytes(reversed(other.uid))
    same(tag.hear(inventory)[2:], mine)
    same(tag.hear(inventory[:-1] + b"\x00"), None)
    same(tag.hear(with_crc(b"\x22\x25" + mine)), b"\x00")
    same(tag.state, "selected")
    same(tag.hear(inventory)[2:], mine)
    tag.hear(with_crc(b"\x22\x25" + its))
    same(tag.state, "ready")
    same(tag.hear(with_crc(b"\x22\x02" + mine)), None)
    same(tag.hear(inventory), None)
    same(tag.hear(with_crc(b"\x22\x26" + mine)), b"\x00")
    same(tag.hear(inventory)[2:], mine)
    tag.hear(with_crc(b"\x22\x02" + mine))
    tag.power_up(forgets=False)
    same(tag.hear(inventory), None)
    tag.power_up(forgets=True)
    same(tag.hear(inventory)[2:], mine)


# --- looks --------------------------------------------------------------------------------------------------


def check_empty_antenna():
    # Nobody there: an empty list, one short request.
    radio, chip, _ = bench()
    same(look(radio), [])
    same(len(chip.requests), 1)
    clean(chip)


def check_one_tag():
    # UID most significant byte first, time within the look, strength from the AGC.
    radio, chip, _ = bench(A)
    chip.agc[3] = 512
    [(at, strength, uid)] = look(radio)
    same(uid, b"\xe0\x04\x01\x50\x00\x00\x00\x01")
    same(strength, -6)
    assert 5 <= at <= 10, at
    same(len(chip.requests), 1)
    assert chip.frames < 40, chip.frames  # the bus is quiet while the tag answers
    clean(chip)


def check_other_antennas_are_not_heard():
    # Only the tags of the antenna that is switched on answer.
    radio, chip, _ = bench(A)
    chip.tags[0] = [SimulatedTag(B)]
    same(uids(look(radio, 0)), [B])
    same(uids(look(radio)), [A])
    same(look(radio, 7), [])
    clean(chip)


def check_two_tags():
    # They collide in one slot and are told apart in sixteen.
    radio, chip, _ = bench(A, B)
    same(uids(look(radio)), [A, B])
    clean(chip)


def check_several_begins_with_sixteen_slots():
    # The hint saves the request that would collide.
    radio, chip, _ = bench(A, B)
    same(uids(look(radio, several=True)), [A, B])
    same(chip.requests[0][0], 0x06)
    same(len(chip.requests), 16)
    clean(chip)


def check_equal_low_nibbles():
    # Equal in 4, 8 and 48 low bits: asked again, so many times four bits deeper.
    for pair, rounds in ((SAME_NIBBLE, 2), (SAME_BYTE, 3), (SAME_SIX_BYTES, 13)):
        radio, chip, _ = bench(*pair)
        same(uids(look(radio)), sorted(pair))
        same(len([frame for frame in chip.requests if frame]), 1 + rounds)
        clean(chip)


def check_five_and_sixteen_tags():
    # Collisions in several slots and depths at once.
    five = (A, C, SAME_NIBBLE[0], SAME_NIBBLE[1], SAME_BYTE[0])
    sixteen = tuple(f"E0040150{37 * number * number:08X}" for number in range(1, 17))
    for cards in (five, sixteen):
        radio, chip, _ = bench(*cards)
        same(uids(look(radio)), sorted(cards))
        clean(chip)


def check_hidden_collision():
    # A front end that only says "spoilt" of a collision: asked again all the same.
    radio, chip, _ = bench(*SAME_NIBBLE)
    chip.hides_collisions = True
    same(uids(look(radio)), sorted(SAME_NIBBLE))
    clean(chip)


def check_hidden_collision_deep_down():
    # Spoilt four rounds deep and never called a collision: given up as an error, not taken for absent.
    # That another tag with the same ending is read is no excuse.
    beside = "E00401500000F123"
    for others in ((), (beside,)):
        radio, chip, _ = bench(*SAME_SIX_BYTES, *others)
        chip.hides_collisions = True
        same(outcome(lambda: look(radio)), "protocol")  # noqa: B023  (called at once)
        same(uids(radio.partial), sorted(others))
        clean(chip)


def check_drowned_tag():
    # A much stronger tag drowns one in its slot. Sixteen slots part them; in one slot nobody can know.
    radio, chip, tags = bench(A, B)
    tags[0].strength = 12
    same(uids(look(radio)), [A])
    same(uids(look(radio, several=True)), [A, B])
    clean(chip)


def check_collision_with_one_reading_asks_the_rest():
    # A collision has two tags. If one is drowned when they are asked again, the other is told to stay quiet.
    radio, chip, (near, _) = bench(*SAME_NIBBLE)
    recover = drown_after(near, 1)
    same(uids(look(radio)), sorted(SAME_NIBBLE))
    quiet = [frame for frame in chip.requests if frame[:2] == b"\x22\x02"]
    same([frame[2:-2] for frame in quiet], [bytes(reversed(near.uid))])
    same(near.state, "quiet")
    # … and it answers again at the next look, because the field was off long enough.
    recover()
    same(uids(look(radio)), sorted(SAME_NIBBLE))
    clean(chip)


# --- power, tuning, memory ----------------------------------------------------------------------------------


def check_power():
    # Full power is what the RF configuration holds; less sets the amplitude; and back.
    radio, chip, _ = bench(A)
    settings = []
    for power in (255, 200, 100, 0, 255):
        look(radio, power=power)
        settings.append(chip.registers[0x27])
    same(settings, [0x08, 0x00, 0x04, 0x06, 0x08])
    clean(chip)


def check_tuning():
    # The AGC with the field on and nobody asked.
    radio, chip, _ = bench(A)
    chip.agc[5] = 777
    same(radio.tuning(5), 777)
    same(chip.requests, [])
    clean(chip)


def check_decibels():
    # The whole range of the AGC fits the wire's i8, and falls as the AGC does.
    figures = [radio_module.decibels(agc) for agc in range(1024)]
    same((figures[0], figures[1], figures[1023]), (-60, -60, 0))
    same(figures, sorted(figures))


def check_memory():
    # Looks leave nothing behind: the heap is as full after many as after a few (MicroPython tells).
    import gc

    if not hasattr(gc, "mem_alloc"):
        return
    radio, chip, tags = bench(A, B, *SAME_NIBBLE)
    used = []
    for _ in range(4):
        for turn in range(60):
            tags[0].bad_crcs = turn % 7 == 0
            outcome(lambda: look(radio, several=turn % 2 == 0))  # noqa: B023  (called at once)
        radio.partial = []
        chip.requests.clear()
        gc.collect()
        used.append(gc.mem_alloc())
    assert used[-1] <= used[1], used


class SilentBus:
    """A front end that takes every frame and tells of silence, without touching the heap."""

    SILENCE = b"\x02\x10" + b"\x00" * 10

    def __init__(self):
        self.level = 0

    def busy(self):
        return self.level

    def select(self, level):
        self.level = 0

    def transfer(self, out, into):
        self.level = 1
        if into is not None:
            for at in range(len(into)):
                into[at] = self.SILENCE[at]


def check_exchange_allocates_nothing():
    # A request, fifteen slots and the polling in between leave the heap alone (MicroPython locks it).
    try:
        from micropython import heap_lock, heap_unlock
    except ImportError:
        return
    chip = PN5180(SilentBus(), lambda: 0, lambda us: None)
    outcomes = bytearray(16)
    heap_lock()
    try:
        outcomes[0] = chip.exchange(3)
        for slot in range(1, 16):
            outcomes[slot] = chip.next_slot()
    finally:
        heap_unlock()
    same(outcomes, bytearray(16))


def check_simulation_is_strict():
    # The simulated chip notices what the driver must not do.
    chip = SimulatedPN5180()
    chip.transfer(b"\x09\x00\x26", None)
    for command in (b"\x09\x00\x26\x01\x00", b"\x16\x00", b"\x0a\x00", b"\x04\x7f", b"\x99"):
        while chip.busy():
            pass
        chip.select(0)
        chip.transfer(command, None)
        chip.select(1)
    chip.select(0)
    for text in (
        "transfer while NSS is high",
        "SEND_DATA without a field",
        "RF_ON before LOAD_RF_CONFIG",
        "READ_DATA although nothing was received",
        "a command is sent while a response waits",
        "NSS falls while BUSY is high",
    ):
        assert text in chip.violations, (text, chip.violations)


run(globals())
