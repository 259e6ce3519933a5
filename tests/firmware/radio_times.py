"""How long looks take with the firmware's radio and the simulated PN5180, under CPython and MicroPython:

    micropython radio_times.py FIRMWARE_DIR < CASES

A case is a line of JSON, [several, [UID, …]]. The answer is a line [ms on air, rounds of sixteen slots, UIDs, SPI
frames, ms it took in all].
"""

import json
import sys

sys.path.insert(0, sys.argv[1])

from radio_bench import bench, clean, look, uids
from tags_sim import FC_KHZ

while True:
    line = sys.stdin.readline()
    if not line:
        break
    several, cards = json.loads(line)
    radio, chip, _ = bench(*cards)
    frames, begun = chip.frames, chip.clock.now
    reads = look(radio, several=several)
    clean(chip)
    rounds = len([frame for frame in chip.requests if frame[:1] == b"\x06"])
    took = (chip.clock.now - begun) / FC_KHZ
    print(json.dumps([chip.air / FC_KHZ, rounds, uids(reads), chip.frames - frames, took]))  # noqa: T201  (its result)
