"""The table's hardware as code: pin map, circuits, bill of materials, antennas, power, enclosure.

Owns: everything from which the drawings and tables in `dist/hardware` are made (`make hardware`).
Refuses: to be needed by a running table. `tablectl` imports nothing from here, and no wheel carries it.
"""
