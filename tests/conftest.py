"""What every test may use: a page in a real Chromium, a fresh Debian. Tests that open a page can be left out together;
Ctrl-C is heard."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import browser
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
DEADLINE_S = 20
"""How long a page may take for something that must happen, in seconds; nothing is asserted about how soon."""


def pytest_configure() -> None:
    """A shell lets what it starts in the background ignore Ctrl-C, and nohup a closed terminal; all that the tests
    start would inherit this."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks every test that rests on the `chromium` fixture, so that `-m "not browser"` leaves it out, and every one
    that keeps pictures, so that `-m shots` takes them all."""
    for item in items:
        for fixture, mark in (("chromium", "browser"), ("shots", "shots")):
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(mark)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, with a fresh profile.

    It ends with the module: while Playwright runs, no other test of the session could call `asyncio.run`.
    """
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=DEADLINE_S * 1000)
    with sync_playwright() as playwright:
        running = browser.launch(playwright)
        yield running
        running.close()


@pytest.fixture
def page_errors() -> list[str]:
    """What the page logged as an error; a test that provokes one takes it out."""
    return []


@pytest.fixture
def page(chromium: Browser, page_errors: list[str]) -> Iterator[Page]:
    """A 7 inch touch screen, 800 by 480; fails the test if the page logs an error that is not expected."""
    context = browser.screen(chromium)
    context.set_default_timeout(DEADLINE_S * 1000)
    tab = context.new_page()
    tab.on("pageerror", lambda error: page_errors.append(str(error)))
    tab.on("console", lambda message: page_errors.append(message.text) if message.type == "error" else None)
    yield tab
    context.close()
    # What Chromium logs when a server is stopped on purpose, or refuses an input; nothing else is excused.
    excused = ("net::ERR_", "status of 400", "status of 503")
    assert [text for text in page_errors if not any(each in text for each in excused)] == []


@pytest.fixture(scope="session")
def shots() -> Path | None:
    """Where screenshots are kept as artefacts: the folder TABLECTL_SHOTS names, or nowhere."""
    folder = os.environ.get("TABLECTL_SHOTS")
    if folder is None:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


PATH = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where root of a Debian finds commands."""


class System:
    """A fresh Debian in a folder; what runs in it has no network unless it is given one."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str, network: bool = False) -> str:
        apart = [] if network else ["unshare", "--net"]
        done = subprocess.run(
            [*apart, "chroot", str(self.root), *command],
            env={"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
            capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        assert done.returncode == 0, done
        return done.stdout + done.stderr


@pytest.fixture(params=["bookworm", "trixie"])
def system(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[System]:
    """A minimal Debian with what a Raspberry Pi OS has besides."""
    root = tmp_path / "root"
    also = "python3,python3-venv,make,systemd,udev,ca-certificates"
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={also}", request.param, str(root)],
        check=True, capture_output=True, timeout=1500,
    )  # fmt: skip
    shutil.copytree(ROOT, root / "src", ignore=shutil.ignore_patterns(".venv", ".git", "dist", ".*cache"))
    for name in ("etc/resolv.conf", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"):
        if (Path("/") / name).exists():
            shutil.copy(Path("/") / name, root / name)
    # /dev is what debootstrap has made there: nothing of this machine's is ever below a folder that will be removed.
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    try:
        yield System(root)
    finally:
        subprocess.run(["umount", str(root / "proc")], check=True)
