"""What the doctor says of the table's service, from what systemd tells of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablectl.doctor import Line, service, storage

if TYPE_CHECKING:
    from conftest import Simulated, Tree

The = Callable[..., Line]
UNIT = "LoadState=loaded\nActiveState={}\nSubState={}\nNRestarts={}\nWatchdogUSec={}\nEnvironment={}"
NEVER_STARTED = UNIT.format("inactive", "dead", 0, "infinity", "LG_WD=/x")


def lines(tree: Tree, told: str, *, begun: bool = True) -> list[Line]:
    """The service's lines on a computer whose systemd tells that."""
    tree.program("systemctl", f"cat <<'E'\n{told}\nE")
    return list(service.unit(service.look(tree.machine()), pins=True, begun=begun))


@pytest.mark.parametrize(
    ("told", "check", "state"),
    [
        (UNIT.format("active", "running", 0, "10s", "LG_WD=/var/lib/tablectl"), "unit", "ok"),
        (UNIT.format("active", "running", 3, "10s", "LG_WD=/x"), "unit", "warning"),
        (UNIT.format("failed", "failed", 5, "10s", "LG_WD=/x"), "unit", "fault"),
        (UNIT.format("inactive", "dead", 0, "10s", "LG_WD=/x"), "unit", "warning"),
        (UNIT.format("activating", "start", 0, "10s", "LG_WD=/x"), "unit", "warning"),
        (UNIT.format("active", "running", 0, "0", "LG_WD=/x"), "watchdog", "warning"),
        (UNIT.format("active", "running", 0, "10s", "LG_WD=/x"), "watchdog", "ok"),
        (UNIT.format("active", "running", 0, "10s", ""), "lg_wd", "warning"),
        ("LoadState=not-found\nActiveState=inactive", "unit", "warning"),
    ],
)
def test_the_service_is_looked_at(tree: Tree, the: The, told: str, check: str, state: str) -> None:
    """Active or not, restarted or not, guarded by a watchdog or not, and whether lgpio may write (field failure 26)."""
    assert the(lines(tree, told), check).state == state


@pytest.mark.parametrize(
    ("active", "sub", "restarts"),
    [
        ("activating", "auto-restart", 23),
        ("activating", "auto-restart", 0),
        ("activating", "start", 23),
        ("deactivating", "stop-post", 23),
    ],
)
def test_a_service_that_ends_again_and_again_is_a_fault(
    tree: Tree, the: The, *, active: str, sub: str, restarts: int
) -> None:
    """In whichever moment of its loop it is caught: the log is what helps, not one more start."""
    found = the(lines(tree, UNIT.format(active, sub, restarts, "10s", "LG_WD=/x")), "unit")
    assert (found.state, "journalctl -u tablectl -n 50" in found.do) == ("fault", True)
    assert "enable" not in found.do


@pytest.mark.parametrize(
    ("restarts", "since_s", "state"), [(23, 988, "fault"), (23, 900, "warning"), (1, 988, "warning")]
)
def test_one_that_ends_a_while_after_it_was_ready_is_a_fault(
    tree: Tree, the: The, *, restarts: int, since_s: int, state: str
) -> None:
    """Active whenever one looks, and yet restarted again and again, the last time just now: 12 s, not 100 s ago."""
    tree.file("/proc/uptime", "1000.25 3900.00\n")
    told = UNIT.format("active", "running", restarts, "10s", "LG_WD=/x")
    found = the(lines(tree, f"{told}\nActiveEnterTimestampMonotonic={since_s}000000"), "unit")
    assert (found.state, "12 s ago" in found.text) == (state, state == "fault")


def test_before_the_first_start_nothing_is_said_of_a_watchdog(tree: Tree, the: The) -> None:
    """systemd tells no time for it then, whatever the unit says; one line names the command that starts it."""
    found = lines(tree, NEVER_STARTED, begun=False)
    assert [line.check for line in found] == ["unit"]
    assert "not started yet" in found[0].text
    assert "systemctl enable --now tablectl" in found[0].do
    assert "not started yet" not in the(lines(tree, NEVER_STARTED), "unit").text


def test_a_fresh_installation_has_one_line_of_what_is_to_come(
    simulated: Callable[..., Simulated], tree: Tree, command: Callable[..., object]
) -> None:
    """No journal and a service at rest: the start is called for once, the journal that it makes is no warning."""
    config = simulated().config
    tree.program("systemctl", f"cat <<'E'\n{NEVER_STARTED}\nE")
    told = command(config, "--root", tree.root).stdout  # type: ignore[attr-defined]
    (unit,) = [line for line in told.splitlines() if line.startswith("! unit")]
    assert "not started yet" in unit
    assert "✓ journal" in told
    assert not [line for line in told.splitlines() if "watchdog" in line]


def test_a_table_that_ran_misses_its_journal(tmp_path: Path, the: The) -> None:
    """While the service runs, or where there is none, a journal that is not there is a warning as before."""
    assert the(storage.journal(tmp_path / "journal.sqlite"), "journal").state == "warning"
    assert the(storage.journal(tmp_path / "journal.sqlite", begun=False), "journal").state == "ok"


def test_a_computer_without_systemd_has_nothing_to_tell(tree: Tree, the: The) -> None:
    """No systemctl, or one that fails: no warning of a service that cannot be."""
    assert the(service.unit(service.look(tree.machine()), pins=False), "unit").state == "ok"
    tree.program("systemctl", "exit 1")
    assert the(service.unit(service.look(tree.machine()), pins=False), "unit").state == "ok"
