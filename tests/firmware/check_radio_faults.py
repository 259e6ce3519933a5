"""The firmware's radio against the simulated PN5180: faults of the air and of the front end.

As `check_radio`:

    micropython check_radio_faults.py FIRMWARE_DIR
"""

import sys

sys.path.insert(0, sys.argv[1])

from pn5180_sim import SimulatedPN5180, SimulatedTag
from radio import Radio
from radio_bench import A, B, at_next_request, bench, clean, fault_of, look, outcome, run, same, uids

# --- faults of the air --------------------------------------------------------------------------------------


def check_wrong_crc_is_asked_again():
    # One wrong bit in the answer: the tag is read when asked again, never taken as absent.
    radio, chip, (tag,) = bench(A)
    tag.bad_crcs = 1
    same(uids(look(radio)), [A])
    clean(chip)


def check_wrong_crc_for_ever():
    # No answer is right: an error, not an empty antenna. The chip needs no reset for it.
    radio, chip, (tag, _) = bench(A, B)
    tag.bad_crcs = 1000
    fault = fault_of(lambda: look(radio))
    same(fault.kind, "protocol")
    same(uids(radio.partial), [B])
    same(radio.resets, 0)
    clean(chip)
    tag.bad_crcs = 0
    same(uids(look(radio)), [A, B])


def check_tag_pulled_in_mid_answer():
    # Taken away after some bits: an error in this look, gone in the next one.
    for bits in (1, 30, 95):
        radio, chip, (tag,) = bench(A)
        tag.pulled_after = bits
        same(fault_of(lambda: look(radio)).kind, "protocol")  # noqa: B023  (called at once)
        same(radio.partial, [])
        same(look(radio), [])
        clean(chip)


def check_one_of_two_pulled_in_mid_answer():
    # The other one is read; what was spoilt is not forgotten.
    radio, chip, (tag, _) = bench(A, B)
    tag.pulled_after = 50
    same(outcome(lambda: look(radio, several=True)), "protocol")
    same(uids(radio.partial), [B])
    same(uids(look(radio, several=True)), [B])
    clean(chip)


def check_answer_that_never_ends():
    # The receiver hangs in mid-answer: spoilt, the board goes on.
    radio, chip, _ = bench(A)
    chip.never_receives = True
    same(fault_of(lambda: look(radio)).kind, "protocol")
    chip.never_receives = False
    same(uids(look(radio)), [A])
    clean(chip)


def check_noise():
    # Answers from nobody: an error while they come, bounded in time, and no ghost.
    radio, chip, _ = bench()
    chip.noise = 1
    same(fault_of(lambda: look(radio)).kind, "protocol")
    chip.noise = 100000
    before = chip.clock.ticks_ms()
    same(fault_of(lambda: look(radio)).kind, "protocol")
    assert chip.clock.ticks_ms() - before < 600, "a noisy antenna holds the board"
    same(radio.partial, [])
    chip.noise = 0
    same(look(radio), [])
    clean(chip)


def check_noise_beside_a_tag():
    # A tag that is read does not excuse noise in another slot.
    radio, chip, _ = bench(A)
    chip.noise = 1
    same(outcome(lambda: look(radio, several=True)), "protocol")
    same(uids(radio.partial), [A])
    clean(chip)


def check_uid_that_is_none():
    # Shifted by one bit with a right CRC, as other fields and metal do: no UID begins so.
    radio, chip, (tag,) = bench(A)
    tag.says = "C00802A000000002"
    same(fault_of(lambda: look(radio)).kind, "protocol")
    same(radio.partial, [])
    clean(chip)


def check_uid_of_another_slot():
    # A right CRC, but this UID would answer in another slot.
    radio, chip, (tag,) = bench(A)
    tag.says = B
    same(outcome(lambda: look(radio, several=True)), "protocol")
    same(radio.partial, [])
    clean(chip)


def check_answer_with_an_error_flag():
    # An inventory answer has no flag set (ISO/IEC 15693-3, clause 10.1).
    radio, chip, (tag,) = bench(A)
    tag.flags = 0x01
    same(outcome(lambda: look(radio)), "protocol")
    clean(chip)


def check_tag_at_the_edge():
    # Spoilt in every round, and right once the others stay quiet: read after all.
    for times in (4, 5):
        radio, chip, (_, tag) = bench(A, B)
        tag.bad_crcs = times
        same(uids(look(radio, several=True)), [A, B])
        clean(chip)


def check_tag_that_does_not_hear_stay_quiet():
    # It answers once more: not a second tag, and no excuse for what was spoilt.
    radio, chip, (tag,) = bench(A)
    tag.stubborn = True
    chip.noise = 4
    same(outcome(lambda: look(radio, several=True)), "protocol")
    same(uids(radio.partial), [A])
    clean(chip)


def check_slow_transmitter():
    # The chip begins to send later than it was told: silence counts from the end of its transmission.
    for late in (2000, 4000, 6000):
        radio, chip, _ = bench(A)
        chip.slow_to_send = late
        same(uids(look(radio)), [A])
        chip.tags[3] = []
        same(look(radio), [])
        clean(chip)


def check_late_receiver():
    # The receiver tells of a start of frame when the time for silence is over already.
    radio, chip, _ = bench(A, B)
    chip.late_sof = 600
    same(uids(look(radio, several=True)), [A, B])
    clean(chip)


# --- faults of the front end --------------------------------------------------------------------------------


def check_stale_flags():
    # Flags and data of an earlier exchange answer for nobody.
    radio, chip, _ = bench(A)
    same(uids(look(radio)), [A])
    chip.tags[3] = []
    chip.irq_status = 0x0000FFFF
    chip.rx_status, chip.received = 10, b"\x00\x00" + bytes(reversed(SimulatedTag(B).uid))
    same(look(radio), [])
    clean(chip)


def check_busy_sticks():
    # BUSY sticks in a look: an error, a hardware reset, and the next look works.
    radio, chip, (tag,) = bench(A)

    def stick():
        chip.busy_stuck = True

    at_next_request(tag, stick)
    fault = fault_of(lambda: look(radio))
    same(fault.kind, "busy")
    assert "BUSY" in str(fault), str(fault)
    same(radio.resets, 1)
    same(uids(look(radio)), [A])
    same(radio.resets, 1)
    assert not chip.field


def check_busy_sticks_for_ever():
    # A chip that no reset frees: an error in every look, the chip held in reset, work again once it is free.
    radio, chip, _ = bench(A)
    chip.busy_stuck = chip.stays_stuck = True
    for _ in range(3):
        same(fault_of(lambda: look(radio)).kind, "busy")
    assert radio.resets >= 3, radio.resets
    chip.busy_stuck = chip.stays_stuck = False
    same(uids(look(radio)), [A])
    assert not chip.field


def check_no_chip():
    # Nothing on the bus: a clear error.
    chip = SimulatedPN5180()
    chip.dead = True
    radio = Radio(chip, chip.clock.ticks_ms, chip.clock.sleep_us)
    same(fault_of(radio.start).kind, "busy")
    same(fault_of(lambda: look(radio, 0)).kind, "busy")
    chip = SimulatedPN5180()
    chip.mute = True
    radio = Radio(chip, chip.clock.ticks_ms, chip.clock.sleep_us)
    fault = fault_of(radio.start)
    assert "no PN5180" in str(fault), str(fault)
    assert chip.held


def check_wrong_version():
    # Another register map than the one this driver knows.
    for major in (2, 0xFF):
        chip = SimulatedPN5180()
        chip.eeprom[0x13] = major
        radio = Radio(chip, chip.clock.ticks_ms, chip.clock.sleep_us)
        fault = fault_of(radio.start)
        same(fault.kind, "protocol")
        assert f"firmware is {major}." in str(fault), str(fault)
        assert chip.held  # a chip that is not understood must not have its field on
    radio, _, _ = bench()
    same(radio.version, "PN5180 4.0, firmware 4.1")


def check_field_fails():
    # The field does not come on: an error, never an empty antenna; and it is off for the next antenna.
    radio, chip, _ = bench(A)
    chip.field_fails = True
    same(fault_of(lambda: look(radio)).kind, "field")
    same(fault_of(lambda: radio.tuning(3)).kind, "field")
    chip.field_fails = False
    same(uids(look(radio)), [A])
    clean(chip)


def check_transmission_never_ends():
    # The transmitter hangs: a time-out and a reset.
    radio, chip, _ = bench(A)
    chip.never_sends = True
    same(fault_of(lambda: look(radio)).kind, "timeout")
    same(radio.resets, 1)
    chip.never_sends = False
    same(uids(look(radio)), [A])
    clean(chip)


def check_refused_command():
    # The chip says that it refused a command: an error and a reset.
    radio, chip, (tag,) = bench(A)

    def refuse():
        chip.irq_status |= 1 << 17

    at_next_request(tag, refuse)
    same(fault_of(lambda: look(radio)).kind, "protocol")
    same(radio.resets, 1)
    same(uids(look(radio)), [A])
    clean(chip)


run(globals())
