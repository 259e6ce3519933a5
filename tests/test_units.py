"""The units, rules and scripts of an installation, judged by systemd's own tools and against one another."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablectl.cli.kiosk import FLAGS

ROOT = Path(__file__).parents[1]
UNITS = ROOT / "systemd"
PROGRAM = "/opt/tablectl/bin/tablectl"
MOST_EXPOSED = 1.5
"""What `systemd-analyze security` may find of the table at most."""

pytestmark = pytest.mark.systemd


def unit(name: str) -> configparser.RawConfigParser:
    """A unit's sections; of a key that comes several times, all values by lines."""
    found = configparser.RawConfigParser(strict=False, interpolation=None, dict_type=Several)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read(UNITS / name, encoding="utf-8")
    return found


class Several(dict):  # type: ignore[type-arg]
    """Keeps what came before under the same key."""

    def __setitem__(self, key: object, value: object) -> None:
        if isinstance(value, list) and isinstance(self.get(key), list):
            value = [*self[key], *value]
        super().__setitem__(key, value)


def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    """`systemd-analyze verify` has not a word to say of any unit, with the program of this very environment."""
    program = Path(sys.executable).with_name("tablectl")
    for path in [*UNITS.glob("*.service"), *UNITS.glob("*.timer")]:
        text = path.read_text(encoding="utf-8").replace(PROGRAM, str(program))
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    units = sorted(map(str, tmp_path.iterdir()))
    assert len(units) == 4
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["tablectl", "tablectl-backup"])
def test_a_service_is_not_exposed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The table's exposure is 1.5 at most, the backup's too; what is left is printed."""
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNITS / f"{name}.service")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    level = re.search(r"Overall exposure level for \S+: (\d+\.\d+)", done.stdout)
    assert level is not None, done
    with capsys.disabled():
        sys.stdout.write(f"\n{level.group()}\n")
        left = [line for line in done.stdout.splitlines() if line.startswith("✗")]
        sys.stdout.write("".join(" ".join(line.split()) + "\n" for line in left))
    assert float(level.group(1)) <= MOST_EXPOSED


def test_the_exposure_of_the_screen_is_told() -> None:
    """The page on installation says the figure that systemd finds for the dealer's screen, or one that is worse."""
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager"]
    done = subprocess.run(
        [*command, str(UNITS / "tablectl-kiosk.service")], capture_output=True, text=True, timeout=60
    )
    level = re.search(r"Overall exposure level for \S+: (\d+\.\d+)", done.stdout)
    told = re.search(
        r"`systemd-analyze security tablectl-kiosk` says (\d+\.\d+)", (UNITS / "README.md").read_text("utf-8")
    )
    assert level is not None
    assert told is not None
    assert float(level.group(1)) <= float(told.group(1))


def test_the_table_s_unit_promises_what_the_program_does() -> None:
    """Notify and a watchdog, restarted whatever happens, with the user, groups and folders that sysusers.d and
    tmpfiles.d make; the folders of the samples are those it may write to."""
    service = unit("tablectl.service")["Service"]
    assert (service["Type"], service["NotifyAccess"], service["Restart"]) == ("notify", "main", "always")
    assert int(service["WatchdogSec"]) > 4
    users = (UNITS / "tablectl.sysusers").read_text(encoding="utf-8").split("\n")
    told = {tuple(line.split()[:3]) for line in users if line[:1] in "gum" and line}
    assert {("u", service["User"], "-"), ("g", "gpio", "-")} <= told
    for group in service["SupplementaryGroups"].split():
        assert ("m", service["User"], group) in told
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
    for sample in (UNITS / "config").glob("*.toml"):
        assert f'path = "{service["WorkingDirectory"]}/journal.sqlite"' in sample.read_text(encoding="utf-8")
    kept = (UNITS / "tablectl.tmpfiles").read_text(encoding="utf-8")
    backup = unit("tablectl-backup.service")["Service"]
    assert f"d {backup['ReadWritePaths']} " in re.sub(" +", " ", kept)


def services() -> list[str]:
    return sorted(path.name for path in UNITS.glob("*.service"))


def seconds(told: str) -> int:
    """A time span of a unit, in seconds; the units here use plain seconds and minutes."""
    number, scale = re.fullmatch(r"(\d+)(min)?", told).groups()  # type: ignore[union-attr]
    return int(number) * (60 if scale else 1)


@pytest.mark.parametrize("name", services())
def test_a_session_is_not_waited_for_for_ever(name: str) -> None:
    """No unit has Type=exec with PAMName=: under bookworm's systemd it never becomes active (systemd issue 30733)."""
    service = unit(name)["Service"]
    assert "PAMName" not in service or service["Type"] != "exec"


@pytest.mark.parametrize("name", services())
def test_restarts_come_to_an_end_or_never_do(name: str) -> None:
    """What is restarted is either never given up, and its unit says so, or given up however slow a machine is: the
    limit's time holds as many of the slowest tries as it allows (a hang just before READY, then one in the running
    service, and a stop in which the program, its remains and the step after it each use up their time)."""
    told = unit(name)
    service = told["Service"]
    if service.get("Restart", "no") == "no" or told["Unit"]["StartLimitIntervalSec"] == "0":
        return
    slowest = (
        seconds(service["TimeoutStartSec"])
        + seconds(service["WatchdogSec"])
        + 3 * seconds(service["TimeoutStopSec"])
        + seconds(service["RestartSec"])
    )
    assert seconds(told["Unit"]["StartLimitIntervalSec"]) >= int(told["Unit"]["StartLimitBurst"]) * slowest
    assert "2" not in service.get("RestartPreventExitStatus", "").split()  # also a port that is not free yet


def test_udev_rules_are_whole() -> None:
    """Every line is a list of matches and assignments, and every jump has its mark further down. (`udevadm verify`,
    which Debian has from trixie on, judges them in the trial of an installation.)"""
    text = (UNITS / "90-tablectl.rules").read_text(encoding="utf-8")
    term = re.compile(r'[A-Z]+(?:\{[\w./]+\})?(?:==|!=|\+=|:=|=)"[^"]*"')
    marks: list[str] = []
    for line in reversed([line for line in text.splitlines() if line and not line.startswith("#")]):
        terms = line.split(", ")
        assert all(term.fullmatch(each) for each in terms), line
        goto = [each for each in terms if each.startswith("GOTO=")]
        assert all(each.removeprefix("GOTO=") in marks for each in goto), line
        marks += [each.removeprefix("LABEL=") for each in terms if each.startswith("LABEL=")]


@pytest.mark.parametrize(
    "script",
    ["install.sh", "venv.sh", "deb/build.sh", "deb/preinst", "deb/postinst", "deb/prerm", "deb/postrm"],
)
def test_a_script_is_one_for_sh(script: str) -> None:
    """Debian's sh takes each of them as it stands."""
    done = subprocess.run(
        [shutil.which("dash") or "sh", "-n", str(UNITS / script)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_kiosk_has_the_flags_of_the_readme() -> None:
    """What the README gives for a screen of one's own is what `tablectl kiosk` starts; it is that command which
    the tests of the kiosk run."""
    lines = re.search(
        r"^    chromium --kiosk(?:.*\\\n)*.*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert lines is not None
    assert tuple(lines.group().replace("\\\n", "").split()) == ("chromium", *FLAGS, "http://127.0.0.1:8080/")
