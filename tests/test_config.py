"""A table's configuration file: what is accepted, and every fault that is told before anything starts."""

from __future__ import annotations

import contextlib
import os
import random
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from pydantic import ValidationError

from tablectl.app import table_of
from tablectl.cards import FACES, Deck
from tablectl.config import Config, from_recording, load
from tablectl.config.decks import deck_as_toml, load_deck
from tablectl.core.settings import Calibration
from tablectl.errors import ABSENT, ConfigError, Fault

TABLE = '[table]\nid = "T12"\nseats = 3\ngame = "holdem"\nrulebook = "pl"\nlanguage = "pl"\nmode = "open"\n'
DECK = '[[deck]]\nfile = "decks/blue.toml"\nactive = true\n'
ANTENNAS = '{ 0 = "shoe", 1 = "seat:1", 2 = "seat:2", 3 = "seat:3", 4 = "board", 5 = "burn", 6 = "muck" }'
READER = f'[[reader]]\ndriver = "tablewire"\nport = "/dev/serial/by-path/one"\nantennas = {ANTENNAS}\n'
WHOLE = TABLE + DECK + READER


def blue(name: str = "blue", first: int = 1) -> Deck:
    """A full open deck whose tags are numbered from `first`."""
    cards = {f"E0040150{first + n:08X}": face for n, face in enumerate(FACES)}
    return Deck(name, cards, frozenset({f"E0040150{first + 52:08X}"}))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one deck file in it, where a test writes its configuration."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks/blue.toml").write_text(deck_as_toml(blue()), encoding="utf-8")
    return tmp_path


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "t.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def good(folder: Path, text: str) -> Config:
    return load(written(folder, text))


def faults(folder: Path, text: str | bytes) -> list[Fault]:
    """Every fault of a configuration that must be refused; each names a file and says what would be right."""
    with pytest.raises(ConfigError) as caught:
        load(written(folder, text))
    assert caught.value.faults
    for fault in caught.value.faults:
        assert fault.file.endswith(".toml")
        assert fault.right
        assert "\n" not in str(fault)
    return caught.value.faults


def only(folder: Path, text: str | bytes) -> Fault:
    """The fault of a configuration that has exactly one."""
    found = faults(folder, text)
    assert len(found) == 1, list(map(str, found))
    return found[0]


# --- what is accepted ---------------------------------------------------------------------------------------


def test_the_smallest_file_works_and_the_rest_has_defaults(folder: Path) -> None:
    """Table, deck and reader are enough; display, journal, panel and tracker have working defaults."""
    config = good(folder, WHOLE)
    assert config.table.id == "T12"
    assert (config.table.betting, config.table.confirms) == ("actions", ())
    assert (config.display.host, config.display.port) == ("127.0.0.1", 8080)
    assert config.journal.path == folder / "journal.sqlite"
    assert (config.panel.pins, config.floor) == ("none", None)
    assert config.tracker.correct_ms == 1500
    assert config.decks == (blue(),)
    assert config.active_deck == "blue"
    assert config.warnings == ()


def test_the_shuffle_is_asked_about_where_a_shoe_reads_the_order(folder: Path) -> None:
    """On with a shoe, off without one; a value of its own goes over both."""
    without, own = WHOLE.replace('0 = "shoe", ', ""), "[tracker]\nshuffle_p = 0.001\n"
    texts = (WHOLE, without, WHOLE + own, without + own, WHOLE + "[tracker]\nshuffle_p = 0.0\n")
    limits = [table_of(good(folder, text)).setting.shuffle_p for text in texts]
    assert limits == [1e-6, 0.0, 0.001, 0.001, 0.0]


def test_the_sample_of_the_contract_is_accepted(folder: Path) -> None:
    """The nine-seat sample of the interface page, every section in it, loads as written."""
    zones = ", ".join(f'{n} = "seat:{n}"' for n in range(1, 10))
    text = f"""
    [table]
    id = "T12"              # shown on the floor
    seats = 9
    game = "holdem"
    rulebook = "pl"
    language = "pl"
    mode = "blind"
    betting = "actions"
    confirms = ["shuffle", "cut"]

    [[deck]]
    file = "decks/tokens.toml"
    active = true

    [[reader]]
    driver = "tablewire"
    port = "/dev/serial/by-path/one"
    antennas = {{ 0 = "shoe", {zones} }}

    [panel]
    pins = "rpi"
    buzzer = 18
    alarm_led = 17
    seat_leds = [5, 6, 13, 19, 26, 16, 20, 21, 12]
    buttons = {{ round_closed = 23, acknowledge = 24, call_floor = 25 }}

    [display]
    host = "127.0.0.1"
    port = 0
    [journal]
    path = "/var/lib/tablectl/t12.sqlite"
    [floor]
    url = "mqtts://floor.example:8883"
    site = "riverside"
    [tracker]
    correct_ms = 1200
    """
    tokens = Deck("tokens", {uid: f"k{n}" for n, uid in enumerate(blue().cards)})
    (folder / "decks/tokens.toml").write_text(deck_as_toml(tokens), encoding="utf-8")
    config = good(folder, text)
    assert config.table.confirms == ("shuffle", "cut")
    assert config.panel.seat_leds == (5, 6, 13, 19, 26, 16, 20, 21, 12)
    assert config.panel.buttons.acknowledge == 24
    assert config.journal.path == Path("/var/lib/tablectl/t12.sqlite")
    assert config.floor is not None
    assert config.floor.site == "riverside"
    assert config.tracker.correct_ms == 1200
    assert [warning for warning in config.warnings if warning.startswith("floor:")]


def test_layout_counts_readers_in_the_order_of_the_file(folder: Path) -> None:
    """Two readers may serve one zone; an antenna is known by its reader's place and its number there."""
    second = (
        '[[reader]]\ndriver = "tablewire"\nport = "/dev/two"\nantennas = { 0 = "seat:1", 31 = "aside" }\n'
    )
    layout = good(folder, WHOLE + second).layout()
    assert layout.seats == 3
    assert layout.antennas[0, 1] == layout.antennas[1, 0] == "seat:1"
    assert layout.of_reader(1) == {"seat:1", "aside"}


PEPPER = '[[reader]]\ndriver = "pepper"\nport = "/dev/two"\nantennas = { 1 = "seat:1", 8 = "aside" }\n'
PN532 = '[[reader]]\ndriver = "pn532"\nport = "/dev/three"\nantennas = { 0 = "shoe" }\n'


def test_readers_of_several_kinds_serve_one_table(folder: Path) -> None:
    """Each with the antennas that its device has; a port that names its place needs no note."""
    config = good(folder, WHOLE + PEPPER + PN532)
    assert [reader.driver for reader in config.readers] == ["tablewire", "pepper", "pn532"]
    assert config.layout().of_reader(1) == {"seat:1", "aside"}
    assert config.warnings == ()


def test_every_antenna_that_a_device_does_not_have_is_told(folder: Path) -> None:
    """Each with its reader, its number and what the device has; and a zone of several cards at a single-card reader."""
    found = faults(
        folder,
        WHOLE + PEPPER.replace("8 =", "0 =").replace("1 =", "9 =") + PN532.replace("0 =", '0 = "burn", 1 ='),
    )
    assert [(fault.key, fault.value) for fault in found] == [
        ("reader[1].antennas.9", "seat:1"),
        ("reader[1].antennas.0", "aside"),
        ("reader[2].antennas.0", "burn"),
        ("reader[2].antennas.1", "shoe"),
    ]
    assert "1 to 8" in found[0].right
    assert "one card at a time: it may watch the shoe" in found[2].right
    assert "one antenna, number 0" in found[3].right


def test_a_reader_without_an_id_at_a_numbered_port_is_noted(folder: Path) -> None:
    """After a restart the kernel may number another one first, and nobody could tell; a board tells its id."""
    text = WHOLE.replace("/dev/serial/by-path/one", "/dev/ttyUSB0") + PEPPER.replace(
        "/dev/two", "/dev/ttyUSB1"
    )
    (note,) = good(folder, text).warnings
    assert note.startswith("reader[1].port: /dev/ttyUSB1")
    assert "by-path" in note


MEASURED = """
[reader.calibration.3]
read = 0.62
spread = 4
strength = -41
[reader.calibration.5]
read = 0.4
[reader.calibration.6]
"""
SECOND = '[[reader]]\ndriver = "tablewire"\nport = "/dev/two"\nantennas = { 0 = "seat:3", 1 = "seat:3" }\n'


def test_an_antenna_may_be_calibrated_in_part_and_most_are_not(folder: Path) -> None:
    """What was measured stands with the zone of its antenna; what was not is left to the defaults."""
    assert good(folder, WHOLE).calibration() == {}
    assert good(folder, WHOLE + MEASURED).calibration() == {
        "seat:3": Calibration(read=0.62, spread=4.0, strength=-41),
        "burn": Calibration(read=0.4),
        "muck": Calibration(),
    }


def test_a_zone_of_several_antennas_has_the_mean_of_those_that_were_measured(folder: Path) -> None:
    """Three antennas on two boards look at seat 3, two of them calibrated, one of these without a strength."""
    second = SECOND + "[reader.calibration.1]\nread = 0.3\nspread = 6\n"
    seat = good(folder, WHOLE + MEASURED + second).calibration()["seat:3"]
    assert seat.read == pytest.approx(0.46)
    assert (seat.spread, seat.strength) == (5.0, -41)


def test_a_configuration_cannot_be_changed(folder: Path) -> None:
    """What was checked stays as it was checked: neither the whole nor a section can be written to."""
    config = good(folder, WHOLE)
    with pytest.raises(FrozenInstanceError):
        config.table = config.table  # type: ignore[misc]
    with pytest.raises(ValidationError):
        config.table.seats = 9
    with pytest.raises(TypeError):
        config.readers[0].antennas[0] = "muck"  # type: ignore[index]
    with pytest.raises(TypeError):
        config.readers[0].calibration[0] = None  # type: ignore[index]


def test_windows_line_ends_and_a_byte_order_mark_are_no_fault(folder: Path) -> None:
    """A file saved by a foreign editor is the same configuration."""
    same = b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode()
    assert load(written(folder, same)) == good(folder, WHOLE)


def test_a_seat_with_two_antennas_of_its_own_is_a_seat_with_an_antenna(folder: Path) -> None:
    """A stud table's seat:3/up and seat:3/down serve the seat."""
    good(folder, WHOLE.replace('3 = "seat:3"', '3 = "seat:3/up", 7 = "seat:3/down"'))


@pytest.mark.parametrize("game", ["omaha", "omaha5", "stud5", "stud7"])
def test_every_game_of_the_contract_can_be_configured(folder: Path, game: str) -> None:
    """Hold'em is the one of all other tests."""
    assert good(folder, WHOLE.replace("holdem", game)).table.game == game


# --- one fault each -----------------------------------------------------------------------------------------

CALIBRATED = "[reader.calibration.3]\n"

SINGLE = {
    "unknown key": (WHOLE.replace("seats = 3", "seats = 3\nseets = 4"), "table.seets", 4, "'seats'"),
    "unknown section": (WHOLE + "[pannel]\nbuzzer = 1\n", "pannel", {"buzzer": 1}, "'panel'"),
    "unknown key of a reader": (WHOLE + "baud = 9600\n", "reader[0].baud", 9600, "driver, port, antennas"),
    "missing key": (WHOLE.replace('id = "T12"\n', ""), "table.id", ABSENT, "missing"),
    "missing port": (
        WHOLE.replace('port = "/dev/serial/by-path/one"\n', ""),
        "reader[0].port",
        ABSENT,
        "missing",
    ),
    "missing section": (DECK + READER, "table", ABSENT, "[table]"),
    "no reader": (TABLE + DECK, "reader", ABSENT, "[[reader]]"),
    "no deck": (TABLE + READER, "deck", ABSENT, "[[deck]]"),
    "too many seats": (WHOLE.replace("seats = 3", "seats = 11"), "table.seats", 11, "2 to 10"),
    "seats as text": (WHOLE.replace("seats = 3", 'seats = "3"'), "table.seats", "3", "2 to 10"),
    "seats as a truth": (WHOLE.replace("seats = 3", "seats = true"), "table.seats", True, "2 to 10"),
    "misspelt game": (WHOLE.replace("holdem", "holdm"), "table.game", "holdm", "'holdem'"),
    "half a seat": (
        WHOLE.replace('"seat:3"', '"seat:3/up"'),
        "reader",
        ABSENT,
        "map an antenna to 'seat:3/down' too",
    ),
    "a seat and a half": (
        WHOLE.replace('3 = "seat:3"', '3 = "seat:3", 7 = "seat:3/up"'),
        "reader",
        ABSENT,
        "seat:3/up is mapped too",
    ),
    "driver of a later version": (
        WHOLE.replace("tablewire", "recording"),
        "reader[0].driver",
        "recording",
        "not supported",
    ),
    "misspelt driver": (WHOLE.replace("tablewire", "peper"), "reader[0].driver", "peper", "'pepper'"),
    "antenna that a pepper does not have": (
        WHOLE.replace("tablewire", "pepper"),
        "reader[0].antennas.0",
        "shoe",
        "antennas 1 to 8",
    ),
    "unknown language": (
        WHOLE.replace('language = "pl"', 'language = "fr"'),
        "table.language",
        "fr",
        "en, nl, it, ru or pl",
    ),
    "unknown rulebook": (WHOLE.replace('book = "pl"', 'book = "xx"'), "table.rulebook", "xx", "pl"),
    "rulebook file that is not there": (
        WHOLE.replace('book = "pl"', 'book = "mine.toml"'),
        "table.rulebook",
        "mine.toml",
        "rulebook",
    ),
    "empty id": (WHOLE.replace('"T12"', '""'), "table.id", "", "short name"),
    "id that breaks floor topics": (WHOLE.replace('"T12"', '"a/#"'), "table.id", "a/#", "without /"),
    "unknown confirm": (
        WHOLE.replace("[[deck]]", 'confirms = ["cutt"]\n[[deck]]'),
        "table.confirms[0]",
        "cutt",
        "cut",
    ),
    "antenna too high": (
        WHOLE.replace('6 = "muck"', '32 = "muck"'),
        "reader[0].antennas.32",
        "muck",
        "0 to 31",
    ),
    "antenna by name": (WHOLE.replace('6 = "muck"', 'x = "muck"'), "reader[0].antennas.x", "muck", "0 to 31"),
    "antenna twice": (
        WHOLE.replace('6 = "muck"', '5 = "muck"'),
        "reader[0].antennas.5",
        "muck",
        "mapped twice",
    ),
    "antenna twice, spelt anew": (
        WHOLE.replace('6 = "muck"', '05 = "muck"'),
        "reader[0].antennas.05",
        "muck",
        "mapped twice",
    ),
    "zone misspelt": (WHOLE.replace('"muck"', '"mukc"'), "reader[0].antennas.6", "mukc", "'muck'"),
    "zone of a seat that is not there": (
        WHOLE.replace('"muck"', '"seat:7"'),
        "reader[0].antennas.6",
        "seat:7",
        "3 seats",
    ),
    "zone that is no text": (WHOLE.replace('"muck"', "6"), "reader[0].antennas.6", 6, "name of a zone"),
    "no antennas": (
        WHOLE + READER.replace("one", "two").replace(ANTENNAS, "{}"),
        "reader[1].antennas",
        {},
        "antennas",
    ),
    "seat without an antenna": (
        WHOLE.replace('3 = "seat:3", ', ""),
        "reader",
        ABSENT,
        "seat 3 has no antenna",
    ),
    "board in two ways": (WHOLE.replace('"muck"', '"board:turn"'), "reader", ABSENT, "board"),
    "port twice": (
        WHOLE + READER.replace(ANTENNAS, '{ 0 = "aside" }'),
        "reader[1].port",
        "/dev/serial/by-path/one",
        "reader[0]",
    ),
    "single brackets": (TABLE + READER + DECK.replace("[[deck]]", "[deck]"), "deck", None, "[[deck]]"),
    "no active deck": (WHOLE.replace("active = true", "active = false"), "deck", ABSENT, "active = true"),
    "pin too high": (WHOLE + "[panel]\nbuzzer = 28\n", "panel.buzzer", 28, "0 to 27"),
    "pin negative": (WHOLE + "[panel]\nalarm_led = -1\n", "panel.alarm_led", -1, "0 to 27"),
    "pin twice": (
        WHOLE + "[panel]\nbuzzer = 5\nseat_leds = [4, 5, 6]\n",
        "panel.seat_leds[1]",
        5,
        "panel.buzzer",
    ),
    "pin twice with a button": (
        WHOLE + "[panel]\nbuzzer = 5\nbuttons = { acknowledge = 5 }\n",
        "panel.buttons.acknowledge",
        5,
        "panel.buzzer",
    ),
    "unknown button": (
        WHOLE + "[panel]\nbuttons = { acknowlege = 5 }\n",
        "panel.buttons.acknowlege",
        5,
        "'acknowledge'",
    ),
    "lamps for other seats": (WHOLE + "[panel]\nseat_leds = [4, 5]\n", "panel.seat_leds", [4, 5], "3 seats"),
    "unknown pins": (
        WHOLE + '[panel]\npins = "arduino"\n',
        "panel.pins",
        "arduino",
        "rpi, simulated or none",
    ),
    "display port": (WHOLE + "[display]\nport = 70000\n", "display.port", 70000, "65535"),
    "display host": (WHOLE + '[display]\nhost = "a b"\n', "display.host", "a b", "127.0.0.1"),
    "tracker time of nothing": (WHOLE + "[tracker]\ncorrect_ms = 0\n", "tracker.correct_ms", 0, "ms"),
    "a shuffle that is sure": (WHOLE + "[tracker]\nshuffle_p = 1\n", "tracker.shuffle_p", 1, "0 never asks"),
    "tracker time with a fraction": (WHOLE + "[tracker]\nlost_ms = 1.5\n", "tracker.lost_ms", 1.5, "ms"),
    "probability of nothing": (
        WHOLE + CALIBRATED + "read = 0\n",
        "reader[0].calibration.3.read",
        0,
        "0 and 1",
    ),
    "probability in percent": (
        WHOLE + CALIBRATED + "read = 85\n",
        "reader[0].calibration.3.read",
        85,
        "0 and 1",
    ),
    "probability of certainty": (
        WHOLE + CALIBRATED + "read = 1.0\n",
        "reader[0].calibration.3.read",
        1.0,
        "0 and 1",
    ),
    "probability that is no number": (
        WHOLE + CALIBRATED + "read = nan\n",
        "reader[0].calibration.3.read",
        None,
        "0 and 1",
    ),
    "spread of nothing": (
        WHOLE + CALIBRATED + "spread = 0\n",
        "reader[0].calibration.3.spread",
        0,
        "above 0",
    ),
    "spread without end": (
        WHOLE + CALIBRATED + "spread = inf\n",
        "reader[0].calibration.3.spread",
        None,
        "1000 at most",
    ),
    "strength out of range": (
        WHOLE + CALIBRATED + "strength = 128\n",
        "reader[0].calibration.3.strength",
        128,
        "-128 to 127",
    ),
    "strength with a fraction": (
        WHOLE + CALIBRATED + "strength = -40.5\n",
        "reader[0].calibration.3.strength",
        -40.5,
        "whole number",
    ),
    "unknown figure of an antenna": (
        WHOLE + CALIBRATED + "stength = -40\n",
        "reader[0].calibration.3.stength",
        -40,
        "'strength'",
    ),
    "calibration of an antenna that is not there": (
        WHOLE + "[reader.calibration.9]\nread = 0.5\n",
        "reader[0].calibration.9",
        {"read": 0.5},
        "no antenna 9; its antennas are 0, 1, 2, 3, 4, 5, 6",
    ),
    "calibration of the other reader's antenna": (
        WHOLE
        + '[[reader]]\ndriver = "tablewire"\nport = "/dev/two"\nantennas = { 7 = "aside" }\n'
        + CALIBRATED,
        "reader[1].calibration.3",
        {},
        "no antenna 3; its antennas are 7",
    ),
    "calibration without a number": (
        WHOLE + "[reader.calibration]\nread = 0.5\n",
        "reader[0].calibration.read",
        0.5,
        "0 to 31",
    ),
    "calibration twice, spelt anew": (
        WHOLE + CALIBRATED + "[reader.calibration.03]\n",
        "reader[0].calibration.03",
        {},
        "calibrated twice",
    ),
    "calibration that is a number": (
        WHOLE + "calibration = { 3 = 0.5 }\n",
        "reader[0].calibration.3",
        0.5,
        "read = 0.9",
    ),
    "calibrations that are no table": (
        WHOLE + "calibration = [1, 2]\n",
        "reader[0].calibration",
        [1, 2],
        "[reader.calibration.3]",
    ),
    "floor without a site": (WHOLE + '[floor]\nurl = "mqtt://h"\n', "floor.site", ABSENT, "missing"),
    "floor by another road": (
        WHOLE + '[floor]\nurl = "ftp://h"\nsite = "s"\n',
        "floor.url",
        "ftp://h",
        "mqtt",
    ),
    "journal without a name": (WHOLE + '[journal]\npath = ""\n', "journal.path", "", "path"),
    "key twice": (WHOLE + "[display]\nport = 1\nport = 2\n", "display.port", 2, "stands twice"),
    "section that is a number": (
        WHOLE.replace("[table]", "display = 3\n[table]", 1),
        "display",
        3,
        "[display]",
    ),
}


@pytest.mark.parametrize("name", SINGLE)
def test_one_mistake_is_one_fault_with_key_value_and_what_is_right(folder: Path, name: str) -> None:
    """Each kind of mistake gives one fault: at its key, with the value and what would be right."""
    text, key, value, right = SINGLE[name]
    fault = only(folder, text)
    assert fault.key == key
    if value is not None:
        assert fault.value == value
    assert right in fault.right
    assert fault.file == str(folder / "t.toml")


def test_everything_wrong_is_told_at_once(folder: Path) -> None:
    """Twelve mistakes in seven sections, among them a key that stands twice: one reading tells them all."""
    text = """
    colour = "green"
    [table]
    seats = 3
    game = "holdm"
    rulebook = "xx"
    seets = 3
    [[deck]]
    file = "decks/none.toml"
    active = true
    [[reader]]
    driver = "tablewire"
    antennas = { 0 = "shoe", 1 = "seat:1", 1 = "seat:2", 40 = "burn", 5 = "mukc" }
    [panel]
    buzzer = 99
    alarm_led = 4
    seat_leds = [4, 7]
    [display]
    port = "http"
    [tracker]
    corect_ms = 5
    """
    keys = {fault.key for fault in faults(folder, text)}
    assert keys == {
        "colour", "table.id", "table.game", "table.rulebook", "table.seets", "deck[0].file", "reader[0].port",
        "reader[0].antennas.1", "reader[0].antennas.40", "reader[0].antennas.5", "reader", "panel.buzzer",
        "panel.seat_leds[0]", "panel.seat_leds", "display.port", "tracker.corect_ms",
    }  # fmt: skip
    assert {fault.right.partition(";")[0] for fault in faults(folder, text) if fault.key == "reader"} == {
        "seat 2 has no antenna",
        "seat 3 has no antenna",
    }


def test_two_names_of_one_device_are_one_port(folder: Path) -> None:
    """A port and a link to it are the same port: two readers on it are a fault."""
    (folder / "tty").touch()
    (folder / "link").symlink_to("tty")
    one = READER.replace("/dev/serial/by-path/one", str(folder / "tty"))
    two = READER.replace("/dev/serial/by-path/one", str(folder / "link")).replace(ANTENNAS, '{ 0 = "aside" }')
    assert only(folder, TABLE + DECK + one + two).key == "reader[1].port"


def test_two_active_decks(folder: Path) -> None:
    """A second deck in play is a fault that names both."""
    (folder / "decks/red.toml").write_text(deck_as_toml(blue("red", 100)), encoding="utf-8")
    fault = only(folder, WHOLE + DECK.replace("blue", "red"))
    assert fault.key == "deck[1].active"
    assert "deck[0]" in fault.right


# --- files that are not TOML --------------------------------------------------------------------------------


def test_broken_toml_is_told_with_line_column_and_text(folder: Path) -> None:
    """A slip in TOML itself is shown where it is."""
    fault = only(folder, "[table]\nid = T12\n")
    assert fault.key == "line 2, column 6"
    assert fault.value == "id = T12"


def test_toml_that_ends_too_early(folder: Path) -> None:
    """An unfinished file is told at its last line."""
    assert only(folder, '[table]\nid = "T').key.startswith("line 2, column ")


def test_broken_toml_after_a_repeated_key_is_shown_as_it_was_written(folder: Path) -> None:
    """The repair that lets a repeated key be reported with the others never shows in a message."""
    fault = only(folder, "[table]\nseats = 3\nseats = 4\nid == 5\n")
    assert fault.key.startswith("line 4, column ")
    assert fault.value == "id == 5"


def test_a_repeated_list_and_a_repeated_text_are_faults_too(folder: Path) -> None:
    """A key that stands twice is found whatever its value is; the section may be written either way."""
    panel = "[panel]\nseat_leds = [1, 2, 3]\nseat_leds = [4,\n 5, 6]\npins = \"none\"\npins = 'rpi'\n"
    assert {fault.key for fault in faults(folder, WHOLE + panel)} == {"panel.seat_leds", "panel.pins"}
    apart = READER.replace(f"antennas = {ANTENNAS}\n", "[reader.antennas]\n")
    apart += "\n".join(f'{n} = "seat:{n}"' for n in (1, 2, 3)) + '\n3 = "muck"\n'
    fault = only(folder, TABLE + DECK + apart)
    assert fault.key == "reader[0].antennas.3"
    assert "antenna 3 is mapped twice" in fault.right


def test_a_file_that_is_not_utf8(folder: Path) -> None:
    """A byte that is not UTF-8 is told with its place."""
    fault = only(folder, b'[table]\nid = "caf\xe9"\n')
    assert (fault.key, "0xe9" in fault.right) == ("line 2, column 10", True)


@pytest.mark.parametrize(
    "junk", [b"a=" + b"[" * 50_000, b"a=" + b"9" * 5_000, b"\0" * 100, b"x" * (2 << 20), b""]
)
def test_a_file_that_is_something_else(folder: Path, junk: bytes) -> None:
    """Deep nesting, endless numbers, NULs, huge and empty files are refused like any other mistake."""
    faults(folder, junk)


def test_random_bytes_and_broken_copies_never_escape_as_another_error(folder: Path) -> None:
    """Whatever is in the file, the answer is a configuration or a ConfigError."""
    dice = random.Random(7)
    whole = (WHOLE + "[panel]\nbuzzer = 5\nseat_leds = [1, 2, 3]\nbuttons = { call_floor = 9 }\n").encode()
    for _ in range(300):
        text = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text))
            text[at : at + dice.randint(0, 3)] = dice.choice(
                [b"", b"=", b"[", b"\n", b'"', b"9", b"}", dice.randbytes(2)]
            )
        with contextlib.suppress(ConfigError):
            assert load(written(folder, bytes(text))).readers


def test_no_file_a_directory_and_a_file_nobody_may_read(folder: Path) -> None:
    """A path that leads nowhere useful is one clear fault."""
    for path, says in (
        (folder / "none.toml", "no such file"),
        (folder, "directory"),
        (folder / "t.toml/x", "read"),
    ):
        written(folder, WHOLE)
        with pytest.raises(ConfigError) as caught:
            load(path)
        assert [says in fault.right for fault in caught.value.faults] == [True], str(caught.value)
    if os.geteuid() != 0:
        written(folder, WHOLE).chmod(0)
        with pytest.raises(ConfigError, match="cannot be read"):
            load(folder / "t.toml")


# --- decks --------------------------------------------------------------------------------------------------


def test_a_deck_file_reads_back_as_it_was_written(folder: Path) -> None:
    """deck_as_toml and load_deck are each other's inverse, odd tokens included."""
    deck = Deck('ink "9"\\', {"04A1B2C3": 'a"b\\\x7f', "E004015000000001": "ł♠"}, frozenset({"04A1B2C4"}))
    path = folder / "odd.toml"
    path.write_text(deck_as_toml(deck), encoding="utf-8")
    assert load_deck(path) == deck


def test_every_fault_of_a_deck_is_told_with_the_deck_file(folder: Path) -> None:
    """Bad UIDs, repeated tags, tokens that are no text and unknown keys: all at once, at their keys."""
    (folder / "decks/blue.toml").write_text(
        'id = "blue"\njokers = ["04A1B2C3", 5, "zz"]\nowner = "me"\n[cards]\n'
        '04A1B2C3 = "As"\n04A1B2 = "Ks"\n"04:a1:b2:c5" = "Qs"\n04A1B2C5 = "Js"\n04A1B2C6 = 7\nE0 = ""\n'
    )
    found = faults(folder, WHOLE)
    assert {fault.file for fault in found} == {str(folder / "decks/blue.toml")}
    assert {fault.key for fault in found} == {
        "owner", "cards.04A1B2", "cards.04A1B2C5", "cards.04A1B2C6", "cards.E0",
        "jokers[0]", "jokers[1]", "jokers[2]",
    }  # fmt: skip


def test_jokers_below_the_cards_get_a_hint(folder: Path) -> None:
    """In TOML a key below [cards] belongs to it; the message says where jokers must stand."""
    (folder / "decks/blue.toml").write_text('id = "blue"\n[cards]\n04A1B2C3 = "As"\njokers = []\n')
    assert "above [cards]" in only(folder, WHOLE).right


def test_a_tag_in_two_decks_and_two_decks_of_one_name(folder: Path) -> None:
    """A tag belongs to one deck, and a deck's id to one file; both faults name the other file."""
    (folder / "decks/red.toml").write_text(
        deck_as_toml(Deck("blue", {"E004015000000001": "As"})), encoding="utf-8"
    )
    found = faults(folder, WHOLE + '[[deck]]\nfile = "decks/red.toml"\n')
    assert {fault.key for fault in found} == {"id", "cards.E004015000000001"}
    assert all("blue.toml" in fault.right for fault in found)


def test_an_open_table_needs_faces_and_a_blind_one_is_warned_of_them(folder: Path) -> None:
    """Tokens at an open table are a fault; faces at a blind table are a warning, for it is then not blind."""
    assert [w for w in good(folder, WHOLE.replace('"open"', '"blind"')).warnings if "not blind" in w]
    tokens = Deck("blue", {uid: f"k{n}" for n, uid in enumerate(blue().cards)})
    (folder / "decks/blue.toml").write_text(deck_as_toml(tokens), encoding="utf-8")
    assert "open table" in only(folder, WHOLE).right


def test_a_deck_that_is_not_full_is_a_warning(folder: Path) -> None:
    """A short deck, and cards that share a token, are said and stop nothing."""
    (folder / "decks/blue.toml").write_text('id = "blue"\n[cards]\n04A1B2C3 = "As"\n04A1B2C4 = "As"\n')
    assert len(good(folder, WHOLE).warnings) == 2


# --- recordings ---------------------------------------------------------------------------------------------


def test_a_recording_gives_the_same_table_back(folder: Path) -> None:
    """What a table writes into a recording is read back as the same table, decks and readers."""
    config = good(folder, WHOLE + MEASURED + "[tracker]\ncorrect_ms = 900\n[panel]\nbuzzer = 5\n")
    back = from_recording(config.as_recording(), config.decks, config.active_deck)
    assert (back.table, back.readers, back.tracker) == (config.table, config.readers, config.tracker)
    assert (back.layout(), back.calibration()) == (config.layout(), config.calibration())
    assert (back.decks, back.active_deck) == (config.decks, "blue")


def test_the_floors_address_stays_out_of_recordings(folder: Path) -> None:
    """A broker's address may hold a password; a recording is handed around."""
    config = good(folder, WHOLE + '[floor]\nurl = "mqtt://me:secret@h"\nsite = "s"\n')
    assert "secret" not in str(config.as_recording())


def test_a_foreign_recording_is_read_with_tolerance() -> None:
    """Unknown keys and drivers, missing ports, broken panels and no id are let pass."""
    antennas = {"0": "shoe", "1": "seat:1", "2": "seat:2"}
    config = {
        "table": {"seats": 2, "game": "holdem", "rulebook": "pl", "felt": "green"},
        "reader": [
            {"driver": "acme", "antennas": antennas, "x": 1, "calibration": {"1": {"read": 0.5, "q": 3}}},
            {"port": "a", "antennas": {"0": "board"}},
        ],
        "panel": {"pins": "acme"},
        "display": 5,
        "future": {},
    }
    before = str(config)
    read = from_recording(config, (), None)
    assert read.layout().zones == {"shoe", "seat:1", "seat:2", "board"}
    assert read.calibration() == {"seat:1": Calibration(read=0.5)}
    assert (read.display.port, read.panel.pins, read.active_deck) == (8080, "none", None)
    assert str(config) == before


def test_a_recordings_table_is_checked_all_the_same() -> None:
    """Seats without antennas, unknown zones and games are faults of a recording too, all at once."""
    config = {
        "table": {"seats": 2, "game": "bridge", "rulebook": "pl"},
        "reader": [{"antennas": {"0": "seat:1", "1": "lap"}, "calibration": {"0": {"read": 2}}}],
        "tracker": {"correct_ms": -1},
    }
    with pytest.raises(ConfigError) as caught:
        from_recording(config, (), None, shown="night.jsonl")
    assert {(fault.file, fault.key) for fault in caught.value.faults} == {
        ("night.jsonl", key)
        for key in (
            "table.game",
            "reader[0].antennas.1",
            "reader[0].calibration.0.read",
            "reader",
            "tracker.correct_ms",
        )
    }


@pytest.mark.parametrize(
    "config", [{}, {"table": 3}, {"table": {}, "reader": 7}, {"table": {}, "reader": [1]}]
)
def test_a_recording_without_a_table_is_refused(config: dict[str, object]) -> None:
    """A first line of another shape gives faults, never another error."""
    with pytest.raises(ConfigError):
        from_recording(config, (), None)


def test_another_rulebook_can_be_laid_over_a_recording() -> None:
    """`replay --rulebook` judges a night by another book, even if the recording's own is not here."""
    antennas = {"1": "seat:1", "2": "seat:2"}
    config = {
        "table": {"seats": 2, "game": "holdem", "rulebook": "/gone.toml"},
        "reader": [{"antennas": antennas}],
    }
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        from_recording(config, (), None)
    assert from_recording(config, (), None, rulebook="pl").table.rulebook == "pl"


# --- the dealer button's own tag ----------------------------------------------------------------------------


def test_the_buttons_tags_in_any_spelling(folder: Path) -> None:
    """Small letters and separators are one spelling afterwards; without the key the button has no tag."""
    tags = 'button_tags = ["e0:04:01:50:99:99:00:01", "04A1B2C3D4E5F6"]\n'
    config = good(folder, TABLE + tags + DECK + READER)
    assert config.table.button_tags == ("E004015099990001", "04A1B2C3D4E5F6")
    assert table_of(config).setting.button_tags == frozenset(config.table.button_tags)
    assert good(folder, WHOLE).table.button_tags == ()


@pytest.mark.parametrize("tag", ['"E0040"', '"button"', '"E00401509999"', "7", '""'])
def test_a_button_tag_that_is_no_uid(folder: Path, tag: str) -> None:
    """Half a byte, a word, a length no tag has, a number, nothing: the fault names which of them, and what is right."""
    fault = only(folder, TABLE + f'button_tags = ["04A1B2C3D4E5F6", {tag}]\n' + DECK + READER)
    assert fault.key == "table.button_tags[1]"
    assert "UIDs" in fault.right


def test_a_button_tag_that_is_a_card(folder: Path) -> None:
    """The tag of a card, or of a joker, cannot be the button's: the deck file is named."""
    for uid in ("E004015000000001", "E004015000000035"):
        fault = only(folder, TABLE + f'button_tags = ["{uid}"]\n' + DECK + READER)
        assert (fault.key, fault.value) == ("table.button_tags[0]", uid)
        assert "blue.toml" in fault.right
