"""Metal below an antenna, with or without a ferrite sheet on it.

Owns: the image of a coil in a large conducting plate. Refuses: frames with holes, edges and legs: a plate is worse than
any frame, so it is the bound.

A plate that conducts well keeps the field out: it acts as the same coil with the current reversed, as far below the
plate's surface as the coil is above it. A sheet of ferrite of permeability µ and thickness t on the plate turns the
image's strength into (1 - q) / (1 + q) with q = µ·tanh(κt), for a field that varies as exp(iκx) along the sheet
(Laplace's equation with B perpendicular to the plate zero; derived here).
A coil's field has about κ = 2π / (length + width).
"""

from __future__ import annotations

import math

from hardware.antenna.coil import Coil, field, inductance, mutual


def image_strength(coil: Coil, permeability: float = 1.0, sheet: float = 0.0) -> float:
    """How strong the reversed image is: 1 bare metal, 0 as if no metal were there, below 0 the ferrite prevails.

    permeability is the real part at 13.56 MHz, sheet the ferrite's thickness in m.
    """
    kappa = 2 * math.pi / (coil.length + coil.width)
    q = permeability * math.tanh(kappa * sheet)
    return (1 - q) / (1 + q)


def inductance_over(coil: Coil, distance: float, strength: float = 1.0) -> float:
    """Inductance of the coil over a plate `distance` m below it, H."""
    return inductance(coil) - strength * mutual(coil, coil.moved(coil.x, coil.y, coil.z - 2 * distance))


def field_over(coil: Coil, at: tuple[float, float, float], distance: float, strength: float = 1.0) -> float:
    """Upward field of one ampere at a point above a coil over a plate, A/m per A."""
    return field(coil, at) - strength * field(coil.moved(coil.x, coil.y, coil.z - 2 * distance), at)
