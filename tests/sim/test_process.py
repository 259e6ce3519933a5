"""The real-time simulator as a process of its own, met as a stranger would: by its lines and its files."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import serial

from tablectl import wire

DEADLINE = 30.0
# Written by hand from the protocol page: COBS(kind 80, seq 00, CRC-32 of both) and the closing zero.
GET_HELLO = bytes.fromhex("02 80 05 b4 8a 5a 7a 00")


class Line:
    """One serial line opened with pyserial, and everything that came over it."""

    def __init__(self, path: Path) -> None:
        self.port = serial.Serial(str(path), exclusive=True, timeout=0.05)
        self.decoder = wire.Decoder()
        self.got: list[tuple[int, dict[str, Any]]] = []
        self._seq = 1

    def send(self, kind: int, **fields: Any) -> None:
        self._seq += 1
        self.port.write(wire.encode(kind, self._seq & 0xFF, wire.pack(kind, **fields)))

    def listen(self) -> None:
        data = self.port.read(self.port.in_waiting or 1)
        self.got += [(kind, wire.unpack(kind, body)) for kind, _, body in self.decoder.feed(data)]

    def wait(self, kind: int, fits: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """The next message of that kind that fits."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            while self.got:
                found, fields = self.got.pop(0)
                if found == kind and fits(fields):
                    return fields
            self.listen()
        raise AssertionError(f"no {wire.name(kind)} came")

    def meet(self) -> dict[str, Any]:
        """GET_HELLO by hand, as the protocol page has it."""
        self.port.write(GET_HELLO)
        return self.wait(wire.HELLO)

    def plan(self) -> None:
        """Poll everything."""
        antennas = [item["antenna"] for item in self.meet()["antennas"]]
        plan = [{"antenna": antenna, "period_ms": 50, "power": 255} for antenna in antennas]
        self.send(wire.SET_POLL_PLAN, plan=plan)
        assert self.wait(wire.RESULT)["status"] == 0


class Simulator:
    """The process, its folder and its voice."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.folder = folder
        self.truth_path = folder / "truth.jsonl"
        command = [sys.executable, "-m", "tablectl.sim", str(folder), "--truth", str(self.truth_path), *args]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[Line] = []

    def hear(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def tell(self, words: str) -> str:
        assert self.process.stdin
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        return self.hear()

    def open(self, number: int) -> Line:
        line = Line(self.folder / f"reader{number}")
        self.lines.append(line)
        return line

    def truth(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.truth_path.read_text().splitlines()]

    def listen_until(self, done: Callable[[], bool]) -> None:
        """Keep every line empty until something is so."""
        end = time.monotonic() + 4 * DEADLINE
        while not done():
            assert time.monotonic() < end, "it took too long"
            for line in self.lines:
                with contextlib.suppress(OSError):  # at its end the simulator hangs up
                    line.listen()


@pytest.fixture
def simulate(tmp_path: Path) -> Iterator[Callable[..., Simulator]]:
    """Starts a simulator and waits until it is ready; it is ended after the test."""
    started: list[Simulator] = []

    def start(*args: str) -> Simulator:
        simulator = Simulator(tmp_path / "links", *args)
        started.append(simulator)
        assert simulator.hear() == f"ready {simulator.folder / 'table.toml'}"
        return simulator

    yield start
    for simulator in started:
        for line in simulator.lines:
            line.port.close()
        simulator.process.terminate()
        simulator.process.communicate(timeout=DEADLINE)


def test_any_serial_program_can_talk_to_a_board(simulate: Callable[..., Simulator]) -> None:
    """pyserial and eight hand-made bytes are enough to get HELLO from each board."""
    simulator = simulate("--noise", "clean", "--seats", "6", "--boards", "2")
    config = tomllib.loads((simulator.folder / "table.toml").read_text())
    ids = set()
    for number, reader in enumerate(config["reader"]):
        assert reader["port"] == str(simulator.folder / f"reader{number}")
        hello = simulator.open(number).meet()
        assert hello["major"] == 1
        assert {str(item["antenna"]) for item in hello["antennas"]} == set(reader["antennas"])
        ids.add(hello["board_id"])
    assert len(ids) == 2


def test_the_folder_holds_a_whole_table(simulate: Callable[..., Simulator]) -> None:
    """table.toml names ports that open and deck files with 52 cards and the panel that was asked for."""
    simulator = simulate("--seats", "5", "--panel", "simulated", "--display-port", "0", "--id", "T7")
    config = tomllib.loads((simulator.folder / "table.toml").read_text())
    assert (config["table"]["id"], config["table"]["seats"]) == ("T7", 5)
    assert len(config["panel"]["seat_leds"]) == 5
    assert config["display"] == {"port": 0}
    assert [deck["active"] for deck in config["deck"]] == [True, False]
    for deck in config["deck"]:
        manifest = tomllib.loads((simulator.folder / deck["file"]).read_text())
        assert len(set(manifest["cards"].values())) == 52
        assert len(manifest["jokers"]) == 2
    for reader in config["reader"]:
        serial.Serial(reader["port"]).close()


def test_commands_are_answered_as_the_protocol_says(simulate: Callable[..., Simulator]) -> None:
    """Unknown kinds, bad bodies and unknown antennas get their status; a self test reports each antenna."""
    simulator = simulate("--noise", "clean", "--boards", "1", "--seats", "2")
    line = simulator.open(0)
    antennas = [item["antenna"] for item in line.meet()["antennas"]]
    line.port.write(wire.encode(0x90, 7, b""))
    assert line.wait(wire.RESULT)["status"] == 1
    line.port.write(wire.encode(wire.SET_POLL_PLAN, 8, b"\x02\x00"))
    answer = line.wait(wire.RESULT)
    assert (answer["for_seq"], answer["for_kind"], answer["status"]) == (8, wire.SET_POLL_PLAN, 2)
    line.send(wire.SET_POLL_PLAN, plan=[{"antenna": 31, "period_ms": 50, "power": 255}])
    assert line.wait(wire.RESULT)["status"] == 2
    line.send(wire.SET_LED, led=1, r=255, g=0, b=0, pattern=2)
    assert line.wait(wire.RESULT)["status"] == 0
    line.send(wire.SELF_TEST, antenna=0xFF)
    assert [line.wait(wire.ANTENNA_HEALTH)["antenna"] for _ in antennas] == antennas
    assert line.wait(wire.HEARTBEAT)["uptime_ms"] > 0


def test_no_card_before_every_board_has_a_plan(simulate: Callable[..., Simulator]) -> None:
    """The script waits for the table computer: while one board has no plan, nothing is dealt."""
    simulator = simulate("--noise", "clean", "--seats", "2", "--script", "clean")
    one, other = simulator.open(0), simulator.open(1)
    one.plan()
    one.wait(wire.HEARTBEAT)
    one.wait(wire.HEARTBEAT)
    assert simulator.truth() == []
    other.listen()
    assert not [kind for kind, _ in other.got if kind == wire.SIGHTINGS]
    other.plan()
    assert "all boards have a poll plan" in simulator.hear()
    simulator.listen_until(lambda: bool(simulator.truth()))
    assert simulator.truth()[0]["event"] == "hand_start"


def test_a_hand_over_ptys_is_what_the_truth_says(simulate: Callable[..., Simulator]) -> None:
    """On a perfect table every dealt card is read, the truth has our clock, and the run ends by itself."""
    before = time.monotonic() * 1000
    simulator = simulate("--noise", "clean", "--seats", "2", "--pace", "5", "--script", "wrong_seat:next")
    for number in (0, 1):
        simulator.open(number).plan()
    simulator.listen_until(lambda: simulator.process.poll() is not None)
    truth = simulator.truth()
    after = time.monotonic() * 1000
    assert simulator.process.returncode == 0
    assert all(before <= event["mono"] <= after for event in truth)
    assert truth[-1]["event"] == "stopped"
    (slip,) = [event for event in truth if event["event"] == "irregularity"]
    assert slip["kind"] == "wrong_seat"
    rests = {event["uid"] for event in truth if event["event"] == "rest"}
    seen = {
        item["uid"].hex().upper()
        for line in simulator.lines
        for kind, fields in line.got
        if kind == wire.SIGHTINGS
        for item in fields["seen"]
    }
    assert rests <= seen
    assert not list(simulator.folder.glob("reader*"))


def test_a_board_can_be_unplugged_and_comes_back_as_a_new_device(simulate: Callable[..., Simulator]) -> None:
    """Unplugging hangs up and takes the link away; replugged, the same link leads to a fresh board."""
    simulator = simulate("--noise", "clean", "--seats", "2")
    link = simulator.folder / "reader0"
    line = simulator.open(0)
    first = line.meet()
    assert simulator.tell("unplug 0") == "done unplug 0"
    assert not link.exists()
    with pytest.raises((serial.SerialException, OSError)):  # noqa: PT012 - some reads may still find old bytes
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            line.port.read(64)
    assert simulator.tell("replug 0") == "done replug 0"
    again = simulator.open(0).meet()
    assert again["board_id"] == first["board_id"]
    assert again["boot_id"] != first["boot_id"]


def test_a_restarted_board_says_hello_and_has_no_plan(simulate: Callable[..., Simulator]) -> None:
    """After a restart the board is silent, then says HELLO with a new boot id and polls nothing."""
    simulator = simulate("--noise", "clean", "--seats", "2")
    line = simulator.open(0)
    first = line.meet()
    line.plan()
    line.wait(wire.SIGHTINGS)
    assert simulator.tell("restart 0") == "done restart 0"
    hello = line.wait(wire.HELLO)
    assert hello["boot_id"] != first["boot_id"]
    line.got.clear()
    line.wait(wire.HEARTBEAT)
    assert not [kind for kind, _ in line.got if kind == wire.SIGHTINGS]


def test_antennas_die_and_are_mended(simulate: Callable[..., Simulator]) -> None:
    """A dead antenna is reported open, a mended one ok; a command that makes no sense says what would."""
    simulator = simulate("--noise", "clean", "--seats", "2")
    line = simulator.open(0)
    line.meet()
    assert simulator.tell("dead 0.1") == "done dead 0.1"
    assert line.wait(wire.ANTENNA_HEALTH)["state"] == 2
    assert simulator.tell("mend 0.1") == "done mend 0.1"
    assert line.wait(wire.ANTENNA_HEALTH)["state"] == 0
    assert simulator.tell("restart 7") == "error: restart: there is no board 7, only 0 to 1"
    assert simulator.tell("dance").startswith("error: 'dance': must be quit or one of unplug")


def test_a_noisy_line_costs_frames_not_the_decoder(simulate: Callable[..., Simulator]) -> None:
    """Losses of a harsh line arrive as gaps and damaged frames; what does arrive decodes."""
    simulator = simulate("--noise", "harsh", "--seats", "10", "--seed", "3", "--boards", "1")
    line = simulator.open(0)
    end = time.monotonic() + DEADLINE
    while not line.got and time.monotonic() < end:  # the very first frames may be among the lost ones
        line.port.write(GET_HELLO)
        line.listen()
    antennas = [item["antenna"] for item in line.wait(wire.HELLO)["antennas"]]
    plan = [{"antenna": antenna, "period_ms": 20, "power": 255} for antenna in antennas]
    while not any(kind == wire.SIGHTINGS for kind, _ in line.got):
        line.send(wire.SET_POLL_PLAN, plan=plan)
        line.listen()
    bad = line.decoder
    simulator.listen_until(lambda: bad.bad_crc + bad.bad_cobs + bad.too_long >= 2)
    line.got.clear()
    line.wait(wire.SIGHTINGS)


class Table(BaseHTTPRequestHandler):
    """A table computer's POST /input, down to what the simulator needs of it."""

    taken: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert (self.path, self.headers["Content-Type"]) == ("/input", "application/json")
        self.taken.append(body)
        refused = body.get("do") == "cut_done"
        self.send_response(400 if refused else 200)
        self.end_headers()
        self.wfile.write(b'{"error": "no cut here"}' if refused else b"{}")

    def log_message(self, *args: object) -> None:
        """Quiet."""


def test_the_dealers_entries_are_posted_to_the_table(simulate: Callable[..., Simulator]) -> None:
    """Entries arrive over HTTP in order; one that is refused is told and changes the exit status."""
    Table.taken = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Table)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with contextlib.closing(server.socket):
        url = f"http://127.0.0.1:{server.server_port}/input"
        simulator = simulate(
            "--noise", "clean", "--seats", "3", "--pace", "5", "--script", "wrong_first_seat", "--inputs", url
        )
        for number in (0, 1):
            simulator.open(number).plan()
        simulator.listen_until(lambda: simulator.process.poll() is not None)
        server.shutdown()
    entered = [event["entry"] for event in simulator.truth() if event["event"] == "entry"]
    assert [entry["do"] for entry in entered] == ["seats", "shuffle_done", "cut_done", "button"]
    assert Table.taken == entered
    assert simulator.process.returncode == 1
    said = simulator.process.stdout.read() if simulator.process.stdout else ""
    assert "input cut_done was not taken: the table answered 400" in said


def test_the_simulator_never_loads_the_controller() -> None:
    """The process that knows the truth has nothing of the tracker in it, nor the controller's libraries."""
    code = (
        "import sys, tablectl.sim.__main__; "
        "print(sorted(name for name in sys.modules if name.startswith('tablectl') or name in "
        "{'serial', 'pydantic', 'starlette', 'uvicorn', 'typer'}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = json.loads(run.stdout.replace("'", '"'))
    outside = [name for name in loaded if not name.startswith("tablectl.sim")]
    shared = ["cards", "errors", "layout", "versions", "wire"]
    assert outside == ["tablectl", *(f"tablectl.{name}" for name in shared)]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--script", "wrong_seet"], "slip 'wrong_seet' is not known"),
        (["--seats", "12"], "seats = 12: must be 2 to 10"),
        (["--pace", "fast"], "--pace fast: must be cards per second"),
        (["--eligible", "1,12"], "two seats at least must be taken, all of them from 1 to 9"),
        (["--eligible", "1,x"], "--eligible 1,x: must be seat numbers"),
        (["--inputs", "ftp://x/input"], "must be http://HOST:PORT/input"),
    ],
)
def test_bad_arguments_end_with_a_clear_word(tmp_path: Path, args: list[str], says: str) -> None:
    """Every mistake on the command line ends with status 2, one sentence and no traceback."""
    run = subprocess.run(
        [sys.executable, "-m", "tablectl.sim", str(tmp_path), *args],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 2
    assert says in run.stderr
    assert "Traceback" not in run.stderr


def test_a_file_that_is_no_link_is_left_alone(tmp_path: Path) -> None:
    """If something else lies where a link belongs, the simulator says so and does not touch it."""
    precious = tmp_path / "reader0"
    precious.write_text("mine")
    run = subprocess.run(
        [sys.executable, "-m", "tablectl.sim", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 2
    assert "reader0: this is no link of a simulator" in run.stderr
    assert precious.read_text() == "mine"


def test_the_null_device_as_standard_input_is_nobody(tmp_path: Path) -> None:
    """A unit or a CI job has no terminal: the simulator runs, and ends in order on SIGTERM."""
    command = [sys.executable, "-m", "tablectl.sim", str(tmp_path / "t"), "--script", "clean"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline().startswith("ready")
        run.terminate()
        _, complaint = run.communicate(timeout=DEADLINE)
    assert complaint == ""
    assert not (tmp_path / "t" / "reader0").exists()
