"""`tablectl run` and `tablectl display` as processes: a display that is opened to a network, from the first key on."""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from network import CERTIFICATE, key_in, trust

from tablectl.config import load, tokens
from tablectl.errors import ConfigError

DEADLINE_S = 30.0
OPEN = {"host": "0.0.0.0", "port": 0, "local_port": 0, "certificate": str(CERTIFICATE), "key": "table.key"}


def command(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """One `tablectl` command, run to its end."""
    return subprocess.run(
        [sys.executable, "-m", "tablectl.cli", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "TERM": "dumb"},
    )


def test_a_display_is_opened_with_a_certificate_and_a_token(bench: Any) -> None:
    """From nothing: check-config names what is missing, the command makes a token, then the table serves its own screen
    on loopback without one and the network by TLS with one; what is entered there is in force, and says whose it was.
    A token that is revoked while the table runs opens nothing any more."""
    config = bench.config(display=OPEN)
    refused = command("check-config", config)
    assert refused.returncode == 2
    assert "display.key" in refused.stderr
    assert "tablectl display token" in refused.stderr
    key_in(bench.folder)
    made = command("display", "token", config, "--role", "dealer", "--name", "tablet-2")
    token = made.stdout.strip()
    assert (made.returncode, len(token)) == (0, 43)
    assert token not in made.stderr + (bench.folder / "display.tokens").read_text()
    checked = command("check-config", config)
    assert checked.returncode == 0
    assert "for whoever has a token" in checked.stdout
    assert "dealer      tablet-2" in command("display", "tokens", config).stdout

    bench.board()
    recording = bench.folder / "night.jsonl"
    table = bench.run(config, "--record", str(recording))
    opened = re.sub(r"0\.0\.0\.0", "127.0.0.1", table.line("for whoever has a token").split()[1])
    assert table.url.startswith("http://127.0.0.1:")
    assert table.get("state").status_code == 200
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=opened, verify=trust(), timeout=DEADLINE_S) as client:
        assert client.get("/state").status_code == 401
        assert client.get("/state", headers=headers).json()["table"]["id"] == "T1"
        assert client.post("/input", json={"do": "button", "seat": 3}, headers=headers).status_code == 200
        table.until(lambda now: now["hand"]["button"] == 3 or now["setup"]["button"] == 3)
        assert command("display", "revoke", config, "--name", "tablet-2").returncode == 0
        while client.get("/healthz", headers=headers).status_code != 401:
            pass  # the table looks at the file every few seconds, and answers 429 when it is asked too often
    assert table.ends(signal.SIGTERM) == 0
    assert not any(token in line for line in table.log)
    assert '"who":"[tablet-2]"' in recording.read_text().replace('": "', '":"')


def right_of(config: Path) -> dict[str, str]:
    """The faults of a configuration: key → what would be right."""
    with pytest.raises(ConfigError) as caught:
        load(config)
    return {fault.key: fault.right for fault in caught.value.faults}


def test_a_display_is_never_opened_without_tls_and_tokens(bench: Any) -> None:
    """An address or a name of a network, or every address, asks for all three files; only loopback does not. There is
    no key that would leave them out, and the process ends with exit status 2 and no port."""
    hosts = (
        "192.168.1.20",
        "0.0.0.0",
        "::",
        "t12.floor.example",
        "10.1",
        "::ffff:127.0.0.1",
        "localhost.evil.example",
    )
    for host in hosts:
        found = right_of(bench.config(display={"host": host, "port": 8443}))
        assert set(found) == {"display.certificate", "display.key", "display.tokens"}, host
        assert "TLS" in found["display.certificate"]
    for host in ("127.0.0.1", "127.5.6.7", "::1", "localhost", "LOCALHOST"):
        assert load(bench.config(display={"host": host})).display.host == host
    table = bench.run(bench.config(display={"host": "0.0.0.0", "port": 0}))
    assert table.process.wait(DEADLINE_S) == 2
    assert table.line("display.certificate")


def test_each_file_of_an_open_display_is_checked(bench: Any) -> None:
    """A certificate that is none, a key of another one, one under a passphrase, one that others may read, a token file
    with nothing or with a damaged line: each is a fault of its own key that says what would be right."""
    key = key_in(bench.folder)
    tokens.make_token(bench.folder / "display.tokens", "floor", "a")
    assert load(bench.config(display=OPEN)).display.key == key

    assert (
        "PEM" in right_of(bench.config(display={**OPEN, "certificate": "table.toml"}))["display.certificate"]
    )
    assert "cannot be read" in right_of(bench.config(display={**OPEN, "key": "none.key"}))["display.key"]
    for name, says in (("other.key", "private key"), ("locked.key", "under a passphrase")):
        display = {**OPEN, "key": str(key_in(bench.folder, name))}
        assert says in right_of(bench.config(display=display))["display.certificate"]
    key.chmod(0o644)
    assert "chmod o-r" in right_of(bench.config(display=OPEN))["display.key"]
    key.chmod(0o640)
    same = {**OPEN, "port": 8080, "local_port": 8080}
    assert "8443" in right_of(bench.config(display=same))["display.port"]

    file = bench.folder / "display.tokens"
    good = file.read_text()
    for text, says in (
        ("", "has no token"),
        ("floor a b\n", "as tablectl display token writes it"),
        (good.replace("floor a", "owner a"), "the role must be one of"),
        (good.replace("floor a", "floor ../a"), "the name must be"),
        (good + good.splitlines()[-1], "there is a token called 'a' already"),
        ("x" * (1 << 21), "too large"),
    ):
        file.write_text(text)
        assert any(says in right for right in right_of(bench.config(display=OPEN)).values()), says


def test_a_wrong_call_of_the_display_commands_is_told_in_one_line(bench: Any) -> None:
    """A role, a name or a file that there is not: exit status 2, or 1 where nothing was found to take away."""
    config = bench.config()
    assert command("display", "token", config, "--role", "owner").returncode == 2
    assert command("display", "token", bench.folder / "none.toml", "--role", "floor").returncode == 2
    assert command("display", "revoke", config, "--name", "nobody").returncode == 1
    assert not (bench.folder / "display.tokens").exists()
    assert command("display", "token", config, "--role", "floor").returncode == 0
    again = command("display", "token", config, "--role", "dealer", "--name", "floor-1")
    assert (again.returncode, again.stdout) == (2, "")
    assert "there is a token called" in again.stderr


def test_tokens_are_long_and_never_the_same(tmp_path: Path) -> None:
    """Each is 256 bits of its own, and the file lets each in and nothing near it."""
    file = tmp_path / "tokens"
    made = [tokens.make_token(file, "floor", f"a{number}") for number in range(20)]
    known, faults = tokens.read_tokens(file)
    assert (len(set(made)), faults) == (20, [])
    for token in made:
        assert tokens.holder(known, token) is not None
        for near in (
            token[:-1],
            token + "A",
            token.swapcase(),
            "",
            f"sha256:{tokens.digest_of(token).hex()}",
        ):
            assert tokens.holder(known, near) is None


def test_the_table_speaks_no_old_tls(tmp_path: Path) -> None:
    """Nothing older than TLS 1.2, and no compression."""
    from tablectl.config.opened import context_of

    context = context_of(CERTIFICATE, key_in(tmp_path))
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert context.options & ssl.OP_NO_COMPRESSION
