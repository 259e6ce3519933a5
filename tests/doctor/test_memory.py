"""What the doctor says of memory that may reach a disk, and of a hand in progress that must survive a restart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tablectl.doctor import Line, memory, running, service, table

if TYPE_CHECKING:
    from conftest import Tree

The = Callable[..., Line]
SWAPS = "Filename\tType\tSize\tUsed\tPriority\n"


@pytest.mark.parametrize(
    ("swaps", "state"),
    [
        ("", "ok"),
        (SWAPS, "ok"),
        (f"{SWAPS}/dev/zram0 partition 500 0 100\n", "ok"),
        (f"{SWAPS}/dev/zram0 partition 500 0 100\n/var/swap file 500 0 -2\n", "warning"),
    ],
)
def test_swap_on_a_disk_is_named(tree: Tree, the: The, swaps: str, state: str) -> None:
    """A swap file on the card is a warning that names it; swap in compressed memory and none at all are well."""
    tree.file("/proc/swaps", swaps)
    line = the(list(memory.memory(tree.machine(), None)), "swap")
    assert (line.state, "/var/swap" in line.text) == (state, state == "warning")


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("RuntimeDirectory=tablectl\nRuntimeDirectoryPreserve=restart", True),
        ("RuntimeDirectory=tablectl\nRuntimeDirectoryPreserve=no", False),
        ("RuntimeDirectory=\nRuntimeDirectoryPreserve=restart", False),
    ],
)
def test_a_unit_that_takes_the_folder_at_a_restart_is_named(tree: Tree, told: str, *, kept: bool) -> None:
    """systemd must leave RuntimeDirectory over a restart, and only a unit that names one gets it."""
    tree.program("systemctl", f"cat <<'E'\nLoadState=loaded\nActiveState=active\n{told}\nE")
    machine = tree.machine()
    found = [line.check for line in memory.memory(machine, service.look(machine))]
    assert ("kept" in found) is not kept


@pytest.mark.parametrize(("why", "state"), [(None, "ok"), ("/run/x is not in memory", "warning")])
def test_what_a_running_table_says_is_handed_on(why: str | None, state: str) -> None:
    """The table itself knows whether it keeps anything, and why not."""
    line = table.kept(running.Kept(on=why is None, why=why))
    assert (line.check, line.state) == ("kept", state)
    assert why is None or why in line.text
