"""A whole table: antennas far enough apart and within reach of their cables, boxes that fit, drawings, one command."""

from __future__ import annotations

import itertools
import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import etching, guides
from hardware.antenna.design import design, ferrite_span, over_ferrite
from hardware.antenna.zones import read_zones
from hardware.boards import boards
from hardware.boxes import Board, boxes, faults, render
from hardware.channels import channels
from hardware.drawing import schematic
from hardware.layout import (
    BOXES,
    DEPTH,
    LEAST_APART,
    LENGTH,
    PLACES,
    SERVES,
    Spot,
    apart,
    as_spot,
    differs,
    lamps,
    nearest_pair,
    spots,
)
from hardware.mouth import mouth
from hardware.needs import board_counts
from hardware.path import signal_path
from hardware.pins import ROOT
from hardware.power import cables, rails
from hardware.report import around
from hardware.section import LEADER, SCALE, TOP, WOOD, section
from tablectl.svg import Sheet, wide

ZONES = read_zones()
BOARDS = boards()
CHANNELS = ("channel-button", "channel-lamp", "channel-sensor")


def test_antennas_are_far_enough_apart() -> None:
    """No two antennas of the planned table are nearer than what fields and couplings allow."""
    gap, one, other = nearest_pair(spots(ZONES))
    assert gap >= LEAST_APART, f"{one} and {other}"


def test_distances_are_measured_between_outlines() -> None:
    """Side by side it is the gap, across a corner the diagonal, and turning one of them counts."""
    here = Spot("a", "seat", (0, 0), (100, 60), 0)
    assert apart(here, Spot("b", "seat", (200, 0), (100, 60), 0)) == pytest.approx(100)
    assert apart(here, Spot("b", "seat", (200, 160), (100, 60), 0)) == pytest.approx(math.hypot(100, 100))
    assert apart(here, Spot("b", "seat", (200, 0), (100, 60), 90)) == pytest.approx(120)


def test_every_antenna_has_a_reader_and_a_cable_that_reaches() -> None:
    """Each zone is served once, no board has more than eight, and W7 reaches from the box with a quarter to spare."""
    placed = {spot.zone: spot for spot in spots(ZONES)}
    served = [zone for zones in SERVES.values() for zone in zones]
    assert sorted(served) == sorted(placed)
    assert len(SERVES) == len(BOXES) == board_counts()["reader"]
    for number, zones in SERVES.items():
        assert len(zones) <= 8
        for zone in zones:
            reach = math.dist(BOXES[number], placed[zone].middle) / 1000
            assert reach <= 0.75 * cables()["W7"].metres, zone
        assert "shoe" not in zones[1:]  # the firmware tells a passage of antenna 0


def test_everything_has_its_place_on_the_table() -> None:
    """Boxes, lamps, buttons, buzzer and display are on the drawing, none lies at an antenna or another box, all are in
    the table, and their cables reach."""
    drawn = guides.table(ZONES).render()
    reader = replace(PLACES[0], name="reader", size=(240.0, 84.0))
    everything = [as_spot(place) for place in (*PLACES, *lamps(ZONES))]
    everything += [as_spot(replace(reader, middle=middle)) for middle in BOXES.values()]
    for one, other in itertools.combinations(everything, 2):
        gap = [
            abs(one.middle[axis] - other.middle[axis]) - (one.size[axis] + other.size[axis]) / 2
            for axis in (0, 1)
        ]
        assert max(gap) > 0, (one, other)
    for place in (*PLACES, *lamps(ZONES)):
        if not place.name.startswith("lamp"):
            assert f">{place.name}" in drawn
        for x, y in as_spot(place).corners():
            bend = max(0.0, abs(x) - (LENGTH - DEPTH) / 2)
            assert math.hypot(bend, y) < DEPTH / 2, place
        for spot in spots(ZONES):
            assert apart(as_spot(place), spot) > 20, (place, spot)
    controller, hub = PLACES[0], PLACES[1]
    for place in lamps(ZONES):
        assert math.dist(place.middle, controller.middle) / 1000 <= 0.75 * cables()["W9"].metres
    for middle in BOXES.values():
        assert math.dist(middle, hub.middle) / 1000 <= 0.75 * cables()["W4"].metres


def test_the_sample_configuration_serves_as_the_layout_does(tmp_path: Path) -> None:
    """Drawing and sample of ten seats with a shoe name the same antennas; a reader with another zone is noticed."""
    for sample in (ROOT / "systemd" / "config").glob("10-seats-shoe.toml"):
        assert differs(sample) == []
    named = [", ".join(f'{n} = "{zone}"' for n, zone in enumerate(zones)) for zones in SERVES.values()]
    text = "".join(f"[[reader]]\nantennas = {{ {antennas} }}\n" for antennas in named)
    (tmp_path / "ten.toml").write_text(text)
    assert differs(tmp_path / "ten.toml") == []
    (tmp_path / "ten.toml").write_text(text.replace("muck", "burn:2"))
    assert differs(tmp_path / "ten.toml") == [
        "ten.toml: reader 2 serves seat:7, seat:8, seat:9, seat:10, burn:2, "
        "the layout has seat:7, seat:8, seat:9, seat:10, muck"
    ]


def test_everything_fits_into_its_box() -> None:
    """Boards, clearances, posts and openings fit."""
    for box in boxes().values():
        assert faults(box) == []


def test_what_does_not_fit_is_named() -> None:
    """A board too long, two boards too near, an opening beyond its wall: each is named."""
    box = boxes()["reader"]
    long = replace(box.boards[0], size=(240.0, 60.0, 15.0))
    assert any("along x" in fault for fault in faults(replace(box, boards=(long,))))
    near = Board("near", (98.0, 8.0, 6.0), (20.0, 20.0, 5.0), ())
    assert any("nearer than" in fault for fault in faults(replace(box, boards=(*box.boards, near))))
    beyond = replace(box.openings[0], at=(4.0, 13.0))
    assert any("beyond the west wall" in fault for fault in faults(replace(box, openings=(beyond,))))


@pytest.mark.openscad
@pytest.mark.parametrize("name", list(boxes()))
def test_openscad_draws_the_box(name: str, tmp_path: Path) -> None:
    """OpenSCAD makes a closed lid of the right size, and a picture of box and lid, from the file of sizes."""
    box = boxes()[name]
    render(box, "lid", tmp_path / "lid.stl")
    numbers = [float(x) for x in re.findall(r"vertex (\S+) \S+ \S+", (tmp_path / "lid.stl").read_text())]
    assert max(numbers) - min(numbers) == pytest.approx(box.inner[0] + 2 * box.printing["wall"], abs=0.01)
    render(box, "both", tmp_path / "box.png")
    assert (tmp_path / "box.png").read_bytes()[:4] == b"\x89PNG"


def _sheets() -> dict[str, Sheet]:
    made = {
        "table": guides.table(ZONES), "section": section(ZONES), "mouth": mouth(ZONES), "wiring": guides.wiring(),
        "tuning": guides.tuning(), "path": signal_path(BOARDS["reader"], BOARDS["multiplexer"], BOARDS["antenna-seat"]),
    }  # fmt: skip
    made |= {f"channel-{name}": sheet for name, sheet in channels(BOARDS["panel"], BOARDS["sensor"]).items()}
    return made | {zone.name: etching.sheet(design(zone, ZONES)) for zone in ZONES.zones.values()}


@pytest.mark.parametrize(
    "name", ["table", "section", "mouth", "wiring", "tuning", "path", *CHANNELS, *ZONES.zones]
)
def test_no_word_of_a_drawing_is_cut(name: str) -> None:
    """Every word stands on the sheet, and each drawing says that nothing has been built."""
    sheet = _sheets()[name]
    drawn = sheet.render()
    assert re.search("Not built|Not done", drawn)
    for left, right, top, bottom, words in _words(sheet):
        assert 0 <= left < right <= sheet.width, words
        assert 0 <= top < bottom <= sheet.height, words


def _boxes(sheet: Sheet, fill: str) -> list[tuple[float, float, float, float]]:
    """Left, top, width, height of all boxes of a colour."""
    pattern = (
        rf'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="[\d.]+" fill="{fill}"'
    )
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in re.findall(pattern, sheet.render())]


def test_the_section_is_to_scale() -> None:
    """Each layer is as thick as `zones.toml` has it, at the drawing's one scale, another thickness is drawn so."""
    for foam in (3.0, 5.0):
        build = replace(ZONES.build, layers={**ZONES.build.layers, "foam": foam / 1e3})
        sheet = section(replace(ZONES, build=build))
        assert _boxes(sheet, "#f2e2a0")[0][3] == pytest.approx(foam * SCALE, abs=0.06)
        assert _boxes(sheet, WOOD)[0][3] == pytest.approx(build.layers["plywood"] * 1e3 * SCALE, abs=0.06)
        copper = TOP + build.card_height * 1e3 * SCALE
        metal = min(_boxes(sheet, "#b7b7b7"), key=lambda box: box[0])
        assert metal[1] - copper == pytest.approx(build.metal * 1e3 * SCALE, abs=0.1)
        assert f">foam, {foam:g} mm<" in sheet.render()


def test_no_leader_of_the_section_crosses_the_wood() -> None:
    """A leader may begin at the plywood's edge; none runs through it."""
    sheet = section(ZONES)
    lines = re.findall(rf'<polyline points="([^"]+)" fill="none" stroke="{LEADER}"', sheet.render())
    assert lines
    for line in lines:
        points = [tuple(map(float, point.split(","))) for point in line.split()]
        for (x1, y1), (x2, y2) in itertools.pairwise(points):
            for step in range(1, 100):
                x, y = x1 + (x2 - x1) * step / 100, y1 + (y2 - y1) * step / 100
                assert not any(
                    left < x < left + wide_ and top < y < top + high
                    for left, top, wide_, high in _boxes(sheet, WOOD)
                )


def test_ferrite_is_told_in_one_way() -> None:
    """README, assembly and the antennas' table have the sheet on the metal, at the distances that are computed, with
    the shares that come of them."""
    build = ZONES.build
    (low, high), (weak, strong) = ferrite_span(ZONES)
    text = " ".join((ROOT / "hardware" / "README.md").read_text().split())
    assert (
        f"L is then {low:.2f} to {high:.2f} of its free value, the field {weak:.2f} to {strong:.2f}" in text
    )
    limits = f"nearer than {build.metal * 1e3:g} mm", f"never nearer than {build.ferrite_gap * 1e3:g} mm"
    steps = " ".join((ROOT / "hardware" / "ASSEMBLY.md").read_text().split())
    for said in (text, steps):
        assert all(limit in said.lower() for limit in limits)
        assert "on the metal" in said or "on it" in said
    table = around([design(ZONES.zones["seat"], ZONES)], ZONES)
    assert "sheet (0.3 mm) on the metal" in table
    assert f"{over_ferrite(ZONES.zones['seat'], build, 0.03)[0]:.2f} / " in table


def _words(sheet: Sheet) -> list[tuple[float, float, float, float, str]]:
    pattern = r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)" text-anchor="(\w+)"[^>]*>([^<]*)<'
    found = []
    for x, y, size, at, words in re.findall(pattern, sheet.render()):
        length = wide(words, float(size)) * 0.9
        start = float(x) - {"start": 0, "middle": length / 2, "end": length}[at]
        found.append((start, start + length, float(y) - 0.75 * float(size), float(y), words))
    return found


@pytest.mark.parametrize(
    "name", ["table", "section", "mouth", "wiring", "tuning", "path", *CHANNELS, *ZONES.zones, *BOARDS]
)
def test_no_two_words_overlap(name: str) -> None:
    """On no drawing and no schematic does a word lie on another."""
    sheet = schematic(BOARDS[name]) if name in BOARDS else _sheets()[name]
    words = _words(sheet)
    for one, other in itertools.combinations(words, 2):
        apart_ = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
        assert apart_, (one[4], other[4])


def test_the_way_of_the_radio_is_that_of_the_netlists() -> None:
    """Every part between the PN5180 and each coil stands on its drawing with the circuit's own value."""
    for zone in ZONES.zones:
        drawn = signal_path(BOARDS["reader"], BOARDS["multiplexer"], BOARDS[f"antenna-{zone}"]).render()
        parts = [part for part in BOARDS[f"antenna-{zone}"].parts if part.ref != "J1"]
        parts += [part for part in BOARDS["reader"].parts if any("EMC" in net for net in part.nets.values())]
        for part in parts:
            assert f"{part.ref} {part.value}" in drawn


def test_the_copper_is_the_coil() -> None:
    """The drawn spiral is as long as the computed one but for the feed, and stays within the board."""
    for zone in ZONES.zones.values():
        way = etching.spiral(zone.coil)
        length = sum(math.dist(a, b) for a, b in itertools.pairwise(way)) / 1000
        assert length == pytest.approx(zone.coil.copper(), abs=0.06)
        assert max(abs(x) for x, _ in way) <= zone.coil.length * 500
        assert max(abs(y) for _, y in way) <= zone.coil.width * 500


def test_a_channel_is_drawn_whole() -> None:
    """Every part of the sensor, of a button and of a lamp stands on its drawing with the circuit's own value; so does
    the receiver's tap on the way of the radio."""
    drawn = {name: sheet.render() for name, sheet in channels(BOARDS["panel"], BOARDS["sensor"]).items()}
    for part in BOARDS["sensor"].parts:
        assert part.ref in drawn["sensor"], part.ref
        assert part.value in drawn["sensor"], part.ref
    for name, marks in (
        ("button", ("ROUND_CLOSED",)),
        ("lamp", ("SEAT_LAMP_1+", "SEAT_LAMP_1-", "BCM5_SEAT_LAMP_1")),
    ):
        for part in BOARDS["panel"].parts:
            if part.ref != "J1" and any(
                net.endswith(mark) or f"{mark}_" in net for net in part.nets.values() for mark in marks
            ):
                assert part.ref in drawn[name], part.ref
                assert part.value in drawn[name], part.ref
    way = signal_path(BOARDS["reader"], BOARDS["multiplexer"], BOARDS["antenna-seat"]).render()
    assert ">U2 RXP<" in way
    assert ">U2 RXN<" in way


def _touch(one: tuple[float, float], other: tuple[float, float], reach: float) -> bool:
    return math.dist(one, other) <= reach


def _points(track: etching.Track) -> list[tuple[float, float]]:
    """Points along a track, a quarter of a millimetre apart."""
    found = []
    for (x1, y1), (x2, y2) in itertools.pairwise(track.way):
        count = max(1, math.ceil(4 * math.dist((x1, y1), (x2, y2))))
        found += [(x1 + (x2 - x1) * n / count, y1 + (y2 - y1) * n / count) for n in range(count + 1)]
    return found


def _inside(pad: etching.Pad, point: tuple[float, float], room: float) -> bool:
    return all(abs(point[axis] - pad.at[axis]) <= pad.size[axis] / 2 + room for axis in (0, 1))


@pytest.mark.parametrize("name", list(ZONES.zones))
def test_an_antenna_can_be_etched_from_its_drawing(name: str) -> None:
    """Every pin of the circuit has its pad on its net, and the drawing has the board's measures and names."""
    coil = ZONES.zones[name].coil
    board = etching.etched(coil)
    circuit = BOARDS[f"antenna-{name}"]
    wanted = {
        (part.ref, pin, net)
        for part in circuit.parts
        for pin, net in part.nets.items()
        if part.part != "etched"
    }
    assert {(pad.ref, pad.pin, pad.net) for pad in board.pads} == wanted
    left, right = min(x for x, _ in board.outline), max(x for x, _ in board.outline)
    low, high = min(y for _, y in board.outline), max(y for _, y in board.outline)
    drawn = etching.sheet(design(ZONES.zones[name], ZONES)).render()
    assert f">Antenna of the zone {name}, copper side<" in drawn
    for value in (right - left, high - low, coil.length * 1e3, coil.width * 1e3, etching.TAB_WIDTH):
        assert f">{value:g}<" in drawn
    assert all(f">{part.ref}<" in drawn for part in circuit.parts if part.part != "etched")


@pytest.mark.parametrize("name", list(ZONES.zones))
def test_etched_nets_keep_apart(name: str) -> None:
    """Two nets keep 0.3 mm on either side, and parts their distance to the coil; each pad has a track of its net."""
    coil = ZONES.zones[name].coil
    board = etching.etched(coil)
    ways = [(track, _points(track)) for track in board.tracks]
    for track, points in ways:
        for other, others in ways:
            if track.net < other.net and track.under == other.under:
                near = min(math.dist(a, b) for a in points for b in others)
                same = {track.net, other.net} == {"COIL", "GND"} and near == 0
                assert same or near - (track.width + other.width) / 2 >= 0.3, (track, other)
        for pad in board.pads:
            if pad.net != track.net and (pad.both or not track.under):
                assert not any(_inside(pad, point, track.width / 2 + 0.3) for point in points), (track, pad)
    for pad in board.pads:
        assert any(
            track.net == pad.net and any(_inside(pad, point, 0.0) for point in points)
            for track, points in ways
        )
        assert pad.at[1] + pad.size[1] / 2 <= -coil.width * 500 - etching.AWAY


@pytest.mark.parametrize("name", list(ZONES.zones))
def test_etched_nets_are_joined(name: str) -> None:
    """The tracks of each net hang together, and each hole joins a track of either side."""
    board = etching.etched(ZONES.zones[name].coil)
    ways = [(track, _points(track)) for track in board.tracks]
    for net in ("PORT", "TANK", "GND"):
        groups = [set(points) for track, points in ways if track.net == net]
        whole = groups.pop(0)
        while groups:
            joined = next((g for g in groups if any(_touch(a, b, 0.3) for a in g for b in whole)), None)
            assert joined is not None, net
            whole |= joined
            groups.remove(joined)
    for net, at in board.holes:
        sides = {track.under for track, points in ways if any(_touch(at, point, 0.3) for point in points)}
        assert sides == {True, False}, (net, at)


def test_the_readme_tells_what_is_computed() -> None:
    """Field, loaded Q and loads of the README are those of the calculation."""
    text = (ROOT / "hardware" / "README.md").read_text()
    designs = [design(zone, ZONES) for zone in ZONES.zones.values()]
    low, high = min(each.weakest for each in designs), max(each.strongest for each in designs)
    least, most = min(each.loaded_q for each in designs), max(each.loaded_q for each in designs)
    assert f"{low:.2f} to {high:.1f} A/m" in text
    assert f"is {least:.0f} to {most:.0f}, with coils damped to {ZONES.build.coil_q:.0f}" in text
    assert f"({rails()['usb'].total():.0f} mA of 500 at worst" in text
    assert f"({rails()['panel'].total() / 1000:.1f} A of 5)" in text


def test_one_command_makes_everything(tmp_path: Path) -> None:
    """`python -m hardware.build` makes schematics, netlists, lists, tables and drawings. Without ngspice and OpenSCAD
    it names them, and all else is there."""
    done = subprocess.run(
        [sys.executable, "-m", "hardware.build", str(tmp_path / "out")],
        capture_output=True, text=True, check=False, cwd=ROOT, env={"PATH": "", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "apt-get install ngspice" in done.stdout
    assert "apt-get install openscad" in done.stdout
    assert re.search("no fault found in what was checked; not checked: .*antennas.*boxes", done.stdout)
    made = {
        str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*") if file.is_file()
    }
    wanted = {
        "schematics/panel.svg", "netlists/reader.net", "bom/table.csv", "power.md", "cables.md", "antennas.md",
        "antennas/seat.svg", "drawings/table.svg", "drawings/section.svg", "drawings/wiring.svg", "drawings/tuning.svg",
    }  # fmt: skip
    assert wanted <= made


def test_unchecked_is_not_called_faultless(tmp_path: Path) -> None:
    """Without SKiDL the command says that the electrical rules were not checked, to its last line."""
    (tmp_path / "skidl.py").write_text("raise ModuleNotFoundError('skidl')\n")
    done = subprocess.run(
        [sys.executable, "-m", "hardware.build", str(tmp_path / "out")],
        capture_output=True, text=True, check=False, cwd=ROOT, env={"PATH": "", "PYTHONPATH": f"{tmp_path}:{ROOT}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "pip install skidl" in done.stdout
    assert "not checked: electrical rules and netlists" in done.stdout.splitlines()[-1]
    assert not done.stdout.endswith("no fault found\n")


def test_a_wrong_call_is_told() -> None:
    """Without a folder the command says how it is called, exit status 2."""
    done = subprocess.run(
        [sys.executable, "-m", "hardware.build"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: python -m hardware.build FOLDER\n"


@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        ("pins.toml", "bcm = 17, ", "", "pins.toml: 'bcm' is missing"),
        (
            "antenna/zones.toml",
            "turns = 2",
            "turns = 9",
            "zones.toml: 9 turns of 2 mm do not fit into 100 × 80 mm",
        ),
        (
            "antenna/zones.toml",
            "coil_q = 18.0",
            "coil_q = 400.0",
            "zones.toml: shoe: a coil of 0.85 µH cannot be brought",
        ),
        ("antenna/zones.toml", "[zones.seat]", "[zones.seat", "zones.toml: "),
        ("power.toml", "volts = 12.0", "", "power.toml: 'volts' is missing"),
        ("enclosure/sizes.toml", "inner = [270, 118, 52]", "", "sizes.toml: 'inner' is missing"),
        (
            "bom/parts.csv",
            "driver,Texas",
            "divers,Texas",
            "parts.csv: 'driver' is missing, which a board needs",
        ),
        ("cables.csv", "W1,12 V supply,USB hub and converter,1,", "W1,12 V supply,hub,one,", "cables.csv: "),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, file: str, before: str, after: str, said: str) -> None:
    """Whatever a person breaks in a file ends in one line that names it, exit status 2, and no traceback."""
    shutil.copytree(ROOT / "hardware", tmp_path / "hardware")
    for each in ("firmware", "tablectl/config", "tablectl/sim", "README.md"):
        source = ROOT / each
        (tmp_path / each).parent.mkdir(exist_ok=True)
        shutil.copytree(source, tmp_path / each) if source.is_dir() else shutil.copy(source, tmp_path / each)
    broken = tmp_path / "hardware" / file
    broken.write_text(broken.read_text().replace(before, after, 1))
    done = subprocess.run(
        [sys.executable, "-m", "hardware.build", "out"],
        capture_output=True, text=True, check=False, cwd=tmp_path, env={"PATH": "", "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
