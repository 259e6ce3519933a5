"""The kinds of parts that our boards use, pin by pin as their data sheets have them.

Owns: pin numbers, names and directions. Refuses: values and part numbers.

Sources are the makers' data sheets, by section "pinning"; those marked K were also compared with KiCad's symbols 6.0
(Debian's kicad-symbols). Nothing was compared with a part in the hand.
"""

from __future__ import annotations

from hardware.circuit import BOTH, INPUT, NONE, OPEN, OUTPUT, PASSIVE, POWER, SUPPLY, Kind, Pin
from hardware.pins import PinMap


def _two(name: str, letter: str, symbol: str, first: str = "1", second: str = "2") -> Kind:
    return Kind(name, letter, (Pin("1", first), Pin("2", second)), 1, symbol)


def _pins(does: str, names: str) -> list[tuple[str, str]]:
    return [(name, does) for name in names.split()]


def _numbered(pairs: list[tuple[str, str]]) -> tuple[Pin, ...]:
    return tuple(Pin(str(number), name, does) for number, (name, does) in enumerate(pairs, 1))


RESISTOR = _two("resistor", "R", "resistor")
SUPPLY_RESISTOR = _two("resistor in a supply", "R", "resistor")
CAPACITOR = _two("capacitor", "C", "capacitor")
ELECTROLYTIC = _two("electrolytic capacitor", "C", "capacitor", "+", "-")
INDUCTOR = _two("inductor", "L", "inductor")
BEAD = _two("ferrite bead", "L", "inductor")
FUSE = _two("resettable fuse", "F", "fuse")
TVS = _two("suppressor", "D", "diode", "K", "A")
LED = _two("LED", "D", "led", "K", "A")
COIL = _two("etched coil", "L", "inductor")

DUAL_ESD = Kind("two suppressors", "D", (Pin("1", "K1"), Pin("2", "K2"), Pin("3", "A")), 2)
TRIMMER = Kind("trimmer", "RV", (Pin("1", "CCW"), Pin("2", "WIPER"), Pin("3", "CW")), 2)
PHOTOTRANSISTOR = Kind("phototransistor", "Q", (Pin("1", "C"), Pin("2", "E"), Pin("3", "E")), 1)
"""TEMT6000X01: collector 1, emitter 2 and 3."""
COAXIAL = Kind("coaxial jack", "J", (Pin("1", "RF"), Pin("2", "SHIELD")), 1, "coaxial")
TRANSFORMER = Kind(
    "1:1 transformer", "T", (Pin("1", "P1"), Pin("3", "P2"), Pin("4", "S1"), Pin("6", "S2")), 2
)
"""Mini-Circuits ADT1-1 (K). Either side may be the primary."""
LDO = Kind(
    "regulator", "U",
    _numbered([("VIN", POWER), ("GND", POWER), ("EN", INPUT), ("NC", NONE), ("VOUT", SUPPLY)]), 4,
)  # fmt: skip
"""AP2112K, SOT-25 (K); TLV755P has the same pins."""
PHOTOMOS = Kind(
    "photo MOS switch", "K", (Pin("1", "A"), Pin("2", "K"), Pin("3", "OUT1"), Pin("4", "OUT2")), 2
)
BUFFER = Kind(
    "buffer", "U",
    _numbered([("/OE", INPUT), ("A", INPUT), ("GND", POWER), ("Y", OUTPUT), ("VCC", POWER)]), 3,
)  # fmt: skip
"""74AHCT1G125, SOT-23-5 (K)."""
COMPARATOR = Kind(
    "comparator", "U",
    _numbered([("OUT", OUTPUT), ("VEE", POWER), ("IN+", INPUT), ("IN-", INPUT), ("VCC", POWER)]), 3,
)  # fmt: skip
"""TLV7031, SOT-23-5."""
RGB = Kind(
    "RGB lamp", "D",
    (Pin("1", "VDD", POWER), Pin("2", "DOUT", OUTPUT), Pin("3", "VSS", POWER), Pin("4", "DIN", INPUT)), 2,
)  # fmt: skip
"""WS2812B (K)."""
CRYSTAL = Kind("crystal", "Y", (Pin("1", "X1"), Pin("2", "GND"), Pin("3", "X2"), Pin("4", "GND")), 2)
DRIVERS = Kind(
    "eight drivers", "U",
    (
        *(Pin(str(n), f"I{n}", INPUT) for n in range(1, 9)), Pin("9", "GND", POWER), Pin("10", "COM"),
        *(Pin(str(19 - n), f"O{n}", OPEN) for n in range(8, 0, -1)),
    ), 9,
)  # fmt: skip
"""ULN2803A, SOIC-18 (K); TBD62083A has the same pins."""
DECODER = Kind(
    "decoder 3 to 8", "U",
    _numbered(
        _pins(INPUT, "A0 A1 A2 /E1 /E2 E3") + [("/Y7", OUTPUT), ("GND", POWER)]
        + [(f"/Y{n}", OUTPUT) for n in range(6, -1, -1)] + [("VCC", POWER)]
    ), 6,
)  # fmt: skip
"""74LVC138A, TSSOP-16 (K, as 74LS138)."""
PN5180 = Kind(
    "PN5180", "U",
    _numbered([
        ("NSS", INPUT), ("AUX2", NONE), ("MOSI", INPUT), ("PVSS", POWER), ("MISO", OUTPUT), ("PVDD", POWER),
        ("SCK", INPUT), ("BUSY", OUTPUT), ("VSS", POWER), ("RESET_N", INPUT), ("NC", NONE), ("VBAT", POWER),
        ("VBAT", POWER), ("NC", NONE), ("RXN", PASSIVE), ("RXP", PASSIVE), ("VMID", PASSIVE), ("TX2", PASSIVE),
        ("TVSS", POWER), ("NC", NONE), ("TX1", PASSIVE), ("TVDD", POWER), ("ANT1", NONE), ("ANT2", NONE),
        ("VDHF", PASSIVE), ("VBAT", POWER), ("VSS", POWER), ("AVDD", POWER), ("VDD", SUPPLY), ("DVDD", POWER),
        ("NC", NONE), ("NC", NONE), ("NC", NONE), ("NC", NONE), ("NC", NONE), ("CLK1", PASSIVE), ("CLK2", PASSIVE),
        ("GPO1", NONE), ("IRQ", NONE), ("AUX1", NONE), ("EP", POWER),
    ]), 20,
)  # fmt: skip
"""PN5180A0HN, HVQFN40, 41 is the pad below. VDD is the chip's own 1.8 V, which AVDD and DVDD take."""

_PICO_GROUND = (3, 8, 13, 18, 23, 28, 38)
_PICO_POWER = {33: ("AGND", POWER), 35: ("ADC_VREF", NONE), 36: ("3V3", SUPPLY), 37: ("3V3_EN", NONE),
               30: ("RUN", NONE), 39: ("VSYS", NONE), 40: ("VBUS", SUPPLY)}  # fmt: skip
_PICO_GPIO = dict(
    zip(
        (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29, 31, 32, 34),
        (*range(23), 26, 27, 28),
        strict=True,
    )
)


def pico(pins: PinMap) -> Kind:
    """A Raspberry Pi Pico; a GPIO that the pin map uses carries its name and must be joined, the others are open."""
    used = {line.pico: name for name, line in pins.reader.items() if line.pico is not None}
    found = []
    for number in range(1, 41):
        if number in _PICO_GROUND:
            found.append(Pin(str(number), "GND", SUPPLY if number == _PICO_GROUND[0] else PASSIVE))
        elif number in _PICO_POWER:
            found.append(Pin(str(number), *_PICO_POWER[number]))
        elif number in used:
            found.append(Pin(str(number), used[number], BOTH))
        else:
            found.append(Pin(str(number), f"GP{_PICO_GPIO[number]}", NONE))
    return Kind("Raspberry Pi Pico", "A", tuple(found), 20)


_PI_SUPPLY = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
_PI_GROUND = (6, 9, 14, 20, 25, 30, 34, 39)


def header(pins: PinMap) -> Kind:
    """The Raspberry Pi's 40-pin header as the panel board sees it: the Pi gives 3.3 V and takes 5 V."""
    used = {line.header: (name, line.bcm) for name, line in pins.raspberry_pi.items()}
    found = []
    for number in [*range(1, 41, 2), *range(2, 41, 2)]:
        if number in _PI_SUPPLY:
            supply = _PI_SUPPLY[number]
            found.append(Pin(str(number), supply, SUPPLY if number == 1 else PASSIVE))
        elif number in _PI_GROUND:
            found.append(Pin(str(number), "GND"))
        elif number in used:
            found.append(Pin(str(number), f"BCM{used[number][1]}", BOTH))
        else:
            found.append(Pin(str(number), "-", NONE))
    return Kind("Raspberry Pi header", "J", tuple(found), 20)


def connector(pins: PinMap, name: str, *, feeds: tuple[str, ...] = ()) -> Kind:
    """A connector of the pin map; `feeds` are the nets' pins through which supply comes in."""
    names = pins.connectors[name]
    return Kind(
        f"{name} connector",
        "J",
        tuple(
            Pin(str(n), each, SUPPLY if each in feeds and each not in names[: n - 1] else PASSIVE)
            for n, each in enumerate(names, 1)
        ),
        len(names),
    )
