"""What the service's user may not touch is told to root, who may touch everything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablectl.doctor import Line, ports, rights, service

if TYPE_CHECKING:
    from conftest import Tree

The = Callable[..., Line]
CONFIG, DECK = "/etc/tablectl/table.toml", "/etc/tablectl/decks/blue.toml"
KEPT = "/var/lib/tablectl"
TEXT = f"""[[deck]]
file = "decks/blue.toml"
[journal]
path = "{KEPT}/journal.sqlite"
"""
STRANGER = 54321
"""A number that no user of the machine has on which the tests run."""
UNIT = f"""LoadState=loaded
ActiveState=inactive
User=tablectl
Group=tablectl
SupplementaryGroups=gpio dialout
ExecStart={{ path=/opt/x ; argv[]=/opt/tablectl/bin/tablectl run {CONFIG} ; ignore_errors=no ; pid=0 }}
ProtectSystem=strict
ProtectHome=yes
StateDirectory=tablectl
ReadWritePaths="""


@pytest.fixture
def installed(tree: Tree) -> Tree:
    """A table as it is installed: the service's user has no more than its group; whoever tests owns everything."""
    group = os.getegid()
    tree.program("systemctl", f"cat <<'E'\n{UNIT}\nE")
    tree.file("/etc/passwd", f"root:x:0:0::/root:/bin/sh\ntablectl:x:{STRANGER}:{STRANGER}::/:/bin/false\n")
    tree.file("/etc/group", f"dialout:x:{STRANGER + 1}:\ntablectl:x:{group}:\n")
    tree.file(CONFIG, TEXT, 0o640)
    tree.file(DECK, "", 0o640)
    tree.file(f"{KEPT}/journal.sqlite", "", 0o660)
    for folder in tree.root.rglob("*/"):
        folder.chmod(0o750)
    (tree.root / KEPT[1:]).chmod(0o770)
    return tree


def told(tree: Tree) -> list[Line]:
    """The lines of the check."""
    machine = tree.machine(user=0, groups=())
    return list(rights.rights(machine, service.look(machine), tree.root / CONFIG[1:]))


def test_a_table_as_it_is_installed_is_well(installed: Tree) -> None:
    """One line, and it names the user."""
    (line,) = told(installed)
    assert (line.state, "tablectl" in line.text) == ("ok", True)


@pytest.mark.parametrize(
    ("path", "mode", "do"),
    [
        (CONFIG, 0o600, f"sudo chgrp tablectl {CONFIG}; sudo chmod 640 {CONFIG}"),
        (DECK, 0o600, f"sudo chgrp tablectl {DECK}; sudo chmod 640 {DECK}"),
        ("/etc/tablectl/decks", 0o700, "chmod ug+x /etc/tablectl/decks"),
        (KEPT, 0o750, f"sudo chown tablectl:tablectl {KEPT}"),
        (f"{KEPT}/journal.sqlite", 0o640, f"sudo chown tablectl:tablectl {KEPT}/journal.sqlite"),
    ],
)
def test_what_bars_the_services_user_is_a_fault(installed: Tree, path: str, mode: int, do: str) -> None:
    """Root asks and could read it all; the file, its owner and mode, and the commands that mend it are told."""
    (installed.root / path[1:]).chmod(mode)
    (line,) = told(installed)
    assert (line.state, line.about) == ("fault", path)
    assert f"mode {mode:o}" in line.text
    assert do in line.do


@pytest.mark.parametrize("name", ["journal.sqlite-wal", "journal.wear.sqlite"])
def test_what_is_kept_beside_the_journal_must_be_writable_too(installed: Tree, name: str) -> None:
    """A `sudo tablectl run` leaves files of root's, on which the service fails later."""
    installed.file(f"{KEPT}/{name}", "", 0o640)
    (line,) = told(installed)
    assert (line.state, line.about) == ("fault", f"{KEPT}/{name}")


@pytest.mark.parametrize("name", ["t12.pem", "t12.key", "display.tokens"])
def test_what_a_display_of_a_network_reads_must_be_readable(installed: Tree, name: str) -> None:
    """Certificate, key and token file of an open display are looked at as well; on loopback they are of no account."""
    opened = '[display]\nhost = "0.0.0.0"\ncertificate = "t12.pem"\nkey = "t12.key"\n'
    for each in ("t12.pem", "t12.key", "display.tokens"):
        installed.file(f"/etc/tablectl/{each}", "", 0o600 if each == name else 0o640)
    assert [line.state for line in told(installed)] == ["ok"]
    installed.file(CONFIG, TEXT + opened, 0o640)
    (line,) = told(installed)
    assert (line.state, line.about) == ("fault", f"/etc/tablectl/{name}")


def test_the_unit_bars_more_than_modes_do(installed: Tree) -> None:
    """A journal outside its folders and a deck in somebody's home: open to all, and yet not there for the service."""
    for path in ("/srv/open/x", "/home/pi/blue.toml"):
        installed.file(path, "", 0o666).parent.chmod(0o777)
    text = TEXT.replace(KEPT, "/srv/open").replace("decks/blue.toml", "/home/pi/blue.toml")
    installed.file(CONFIG, text, 0o640)
    deck, journal = told(installed)
    assert (deck.state, "ProtectHome" in deck.text) == ("fault", True)
    assert (journal.state, "ReadWritePaths" in journal.do) == ("fault", True)
    installed.program("systemctl", f"cat <<'E'\n{UNIT}/srv/open\nE")
    assert [line.about for line in told(installed)] == [deck.about]


def test_a_file_that_the_service_does_not_run_is_not_judged(installed: Tree, tmp_path: Path) -> None:
    """A configuration that root tries out elsewhere need not be anybody else's; that it was not looked at is said."""
    other = installed.file("/root/t.toml", TEXT, 0o600)
    machine = installed.machine(user=0, groups=())
    (line,) = rights.rights(machine, service.look(machine), other)
    assert (line.state, "not looked at" in line.text) == ("ok", True)


def test_without_the_services_user_nothing_is_judged_and_that_is_said(installed: Tree) -> None:
    """No such user: a warning with the command that makes it. A service of root's may everything."""
    installed.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n")
    (line,) = told(installed)
    assert (line.state, "systemd-sysusers" in line.do) == ("warning", True)
    installed.program("systemctl", f"cat <<'E'\n{UNIT.replace('User=tablectl', 'User=')}\nE")
    assert not told(installed)


def test_root_is_told_of_a_port_that_the_service_may_not_use(installed: Tree, the: The) -> None:
    """Judged by the unit's groups and those its user is in, not by root's might."""
    port = installed.file("/dev/ttyUSB0", mode=0o660)
    machine = installed.machine(user=0, groups=())
    found = service.look(machine)
    assert found is not None

    def line() -> Line:
        who = found.account(machine)
        return the(ports.user(machine, ["/dev/ttyUSB0"], pins=False, service=who), "user")

    assert line().state == "ok"  # the port's group is the unit's own here
    installed.file("/etc/group", f"tablectl:x:{STRANGER}:\n")
    assert line().state == "fault"
    assert "tablectl" in line().text
    group = port.stat().st_gid
    for groups in (f"dialout:x:{group}:\n", f"others:x:{group}:pi,tablectl\n"):
        installed.file("/etc/group", f"tablectl:x:{STRANGER}:\n{groups}")
        assert line().state == "ok"


@pytest.fixture
def checked(installed: Tree) -> Callable[[], str]:
    """`tablectl check-config` of a whole configuration on that computer; what it prints."""
    deck = "".join(f'"E0040150{number:08X}" = "t{number}"\n' for number in range(52))
    installed.file(DECK, f'id = "blue"\n[cards]\n{deck}', 0o640)
    installed.file(CONFIG, (
        '[table]\nid = "T"\nseats = 2\ngame = "holdem"\nrulebook = "tda2024"\nlanguage = "en"\nmode = "blind"\n'
        'betting = "actions"\nconfirms = []\n'
        '[[reader]]\ndriver = "tablewire"\nport = "/dev/none"\nantennas = {0 = "seat:1", 1 = "seat:2", 2 = "board"}\n'
        + TEXT.replace("[journal]", "active = true\n[journal]")
    ), 0o640)  # fmt: skip

    def check() -> str:
        asked = ("check-config", installed.root / CONFIG[1:], "--root", installed.root)
        done = subprocess.run(
            [sys.executable, "-m", "tablectl.cli", *asked], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return check


def test_check_config_notes_what_the_service_may_not_read(
    installed: Tree, checked: Callable[[], str]
) -> None:
    """Everything fits, and whoever asks can read it; the service could not."""
    assert "chgrp" not in checked()
    (installed.root / DECK[1:]).chmod(0o600)
    said = checked()
    assert "everything fits" in said
    assert f"note     {DECK} (" in said
    assert f"sudo chgrp tablectl {DECK}; sudo chmod 640 {DECK}" in said
