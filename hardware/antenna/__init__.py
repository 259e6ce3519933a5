"""Antennas: geometry, inductance, losses, matching, field and coupling, as pure functions.

Owns: the physics of a zone's antenna at 13.56 MHz. Lengths are in metres, inductance in henry, capacitance in farad,
resistance in ohm, field in A/m (effective value), unless a name says otherwise (`_mm`, `_pf`).
Refuses: part numbers (`bill`) and files (`build`). Nothing here has been measured on a built antenna.
"""
