"""The recorder of `run --record`: whole lines or none, and the table never waits."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tablectl import recording
from tablectl.core.sensed import Found, Lost, Sensed
from tablectl.errors import RecordingError
from tablectl.shell.recorder import QUEUE_LINES, Recorder

ROOT = Path(__file__).parents[2]
HEADER = recording.header({"table": {"id": "T12", "seats": 9}}, [], None)


def test_what_was_recorded_is_read_back(tmp_path: Path) -> None:
    """The file that `--record` writes is a recording without a fault."""
    path = tmp_path / "night.jsonl"
    events: list[Sensed] = [(Found if t % 2 else Lost)(t, 1) for t in range(1000)]
    recorder = Recorder(path, HEADER, pytest.fail)
    for event in events:
        recorder.sensed(recording.dump(event))
    recorder.close()
    recorder.close()
    _, found = recording.read(path, strict=True)
    assert list(found) == events


def test_a_recording_is_never_overwritten(tmp_path: Path) -> None:
    """A name that is taken is refused, and the file there stays as it is."""
    path = tmp_path / "night.jsonl"
    path.write_text("precious")
    with pytest.raises(RecordingError, match="there is a file already"):
        Recorder(path, HEADER, pytest.fail)
    assert path.read_text() == "precious"


@pytest.mark.parametrize("name", ["none/night.jsonl", "."])
def test_a_path_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    """A missing directory and a directory are refused when the table starts."""
    with pytest.raises(RecordingError, match="the recording cannot be begun"):
        Recorder(tmp_path / name, HEADER, pytest.fail)


def test_a_full_device_is_refused_at_the_start() -> None:
    """A device that is full from the first byte is an error of the start, not a silent loss."""
    with pytest.raises(RecordingError, match="No space left"):
        Recorder(Path("/dev/full"), HEADER, pytest.fail)


FILE_LIMIT = """
import resource, sys
from pathlib import Path
from tablectl.shell.recorder import QUEUE_LINES, Recorder

told = []
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, resource.RLIM_INFINITY))
header = {"recording": 1, "config": {"table": {"seats": 9}}, "decks": []}
recorder = Recorder(Path(sys.argv[1]), header, told.append)
for t in range(1000):
    recorder.sensed({"t": t, "lost": {"reader": 0}})
recorder.close()
print(*told, sep="\\n")
"""


def test_a_failing_disk_is_one_report_and_whole_lines(tmp_path: Path) -> None:
    """The kernel refuses a write in the middle of a line: it is said once, and the file holds whole lines."""
    path = tmp_path / "night.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", FILE_LIMIT, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{path}: the recording ends here: File too large; the table goes on\n"
    _, found = recording.read(path, strict=True)
    kept = list(found)
    assert kept == [Lost(t, 0) for t in range(len(kept))]
    assert 200 < len(kept) < 400


def test_a_disk_that_does_not_answer_never_holds_up_the_table(tmp_path: Path) -> None:
    """With nobody at the other end of a pipe, lines are taken until the queue is full; then it is said once,
    and what had been taken is still written, whole, when the other end reads."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    told: list[str] = []
    out = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    recorder = Recorder(path, HEADER, told.append)
    for t in range(2 * QUEUE_LINES):
        recorder.sensed({"t": t, "lost": {"reader": 0}})
    assert told == [
        f"{path}: the recording ends here: the disk is too slow: {QUEUE_LINES} lines wait; the table goes on"
    ]
    closing = threading.Thread(target=recorder.close)
    os.set_blocking(out, True)
    closing.start()
    with os.fdopen(out, "rb") as source:
        _, found = recording.read(source, strict=True)
        kept = list(found)
    closing.join()
    assert kept == [Lost(t, 0) for t in range(len(kept))]
    assert len(kept) >= QUEUE_LINES
