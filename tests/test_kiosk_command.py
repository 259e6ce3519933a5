"""`tablectl kiosk`: it waits for a real server, then becomes what shows the page, with a cage and a browser that say
how they were called."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

SPEAKS = f"""#!{sys.executable}
import json, sys
print(json.dumps(sys.argv))
"""


class Table(http.server.BaseHTTPRequestHandler):
    """Answers /healthz as a table does whose core has stopped: it serves its page all the same."""

    def do_GET(self) -> None:
        assert self.path == "/healthz"
        self.send_error(503)

    def log_message(self, *_: object) -> None:
        return


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True


def kiosk(folder: Path, *args: str, **env: str) -> subprocess.Popen[str]:
    own = {"PATH": str(folder), "RUNTIME_DIRECTORY": "/run/kiosk"}
    rest = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.Popen(
        [sys.executable, "-m", "tablectl.cli", "kiosk", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**rest, **own, **env},
    )


def programs(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text(SPEAKS)
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser"])
def test_it_waits_and_then_shows_the_page(tmp_path: Path, browser: str) -> None:
    """Nobody answers at first, which is said once; as soon as the table does, cage is called with the browser
    that this system has, its profile in the service's own folder, and the address last."""
    with Server(("127.0.0.1", 0), Table, bind_and_activate=False) as server:
        server.server_bind()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        running = kiosk(programs(tmp_path, "cage", browser, "Xwayland"), TABLECTL_URL=url)
        assert running.stderr is not None
        assert f"{url}: waiting for the table" in running.stderr.readline()
        server.server_activate()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        out, err = running.communicate(timeout=60)
        server.shutdown()
    assert (running.returncode, err) == (0, "")
    cage, *flags, last = json.loads(out)
    assert cage == str(tmp_path / "cage")
    assert flags[:4] == ["-d", "-s", "--", str(tmp_path / browser)]
    assert {"--kiosk", "--no-first-run", "--user-data-dir=/run/kiosk/profile"} <= set(flags)
    assert last == url


@pytest.mark.parametrize(
    ("there", "words"), [((), "no chromium and no chromium-browser"), (("chromium",), "no cage is installed")]
)
def test_what_is_missing_is_named(tmp_path: Path, there: tuple[str, ...], words: str) -> None:
    """Before anything is waited for: exit status 2 and what to install."""
    running = kiosk(programs(tmp_path, *there))
    _, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert words in err
    assert "apt-get install" in err


def test_a_missing_xwayland_is_told_and_no_end(tmp_path: Path) -> None:
    """Bookworm's cage starts only where there is one, later ones go on without: it is told, and the table is waited
    for."""
    running = kiosk(programs(tmp_path, "cage", "chromium"), "http://127.0.0.1:9/")
    assert running.stderr is not None
    assert "no Xwayland is installed" in running.stderr.readline()
    assert "waiting for the table" in running.stderr.readline()
    running.kill()
    running.communicate()


def test_no_address(tmp_path: Path) -> None:
    """Something that is no address of a page is refused."""
    running = kiosk(programs(tmp_path, "cage", "chromium"), "file:///etc/passwd")
    _, err = running.communicate(timeout=60)
    assert running.returncode == 2
    assert "an address of a display must be given" in err
