"""The journal of a running table when its disk fails: the alarm is given, the fault is shown, and nothing is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

from power_cut import library

from tablectl.shell.journal import Head
from tablectl.shell.journal.verify import verify


def wrong_seat(state: dict[str, Any]) -> bool:
    return any(i["kind"] == "wrong_seat" and i["stage"] == "confirmed" for i in state["irregularities"])


def alarmed(bench: Any, board: Any, table: Any) -> None:
    """The fourth card goes to seat 1 instead of 4, and its lamp is lit."""
    assert table.post(do="button", seat=4).status_code == 200
    for uid, antenna in zip(bench.uids, (1, 2, 3, 1), strict=False):
        board.deal(uid, antenna)
    assert table.until(wrong_seat)["panel"]["seat_led:1"] == 1


def test_a_disk_that_does_not_come_back_holds_up_no_alarm(bench: Any) -> None:
    """No fsync of the journal returns, from the first card on: the wrong seat lights its lamp, inputs are taken and the
    page is told. When the disk comes back, all of it is written, and the chain is whole."""
    stall = bench.folder / "stall"
    board = bench.board()
    env = {"LD_PRELOAD": str(library(bench.folder)), "TABLECTL_DISK": str(bench.folder)}
    table = bench.run(bench.config(panel=bench.panel), **env, TABLECTL_DISK_STALL=str(stall))
    table.line("READY after")
    table.until(lambda now: now["journal"]["head"])
    stall.touch()
    alarmed(bench, board, table)
    assert table.post(do="acknowledge").status_code == 200
    acknowledged = [
        each for each in table.get("metrics").text.splitlines() if each.startswith("tablectl_journal_w")
    ]
    assert int(acknowledged[0].split()[1]) > 0
    stall.unlink()
    assert table.ends(signal.SIGTERM) == 0
    assert any('"kind":"wrong_seat"' in line for line in bench.decided())
    assert [given["do"] for given in bench.entered()] == ["button", "acknowledge"]
    assert verify(bench.folder / "journal.sqlite").fault is None


def test_a_disk_that_becomes_read_only_holds_up_no_alarm(bench: Any) -> None:
    """As a kernel does it with a failing card (EROFS): the fault is shown, the lamp lights, and once the disk can be
    written again everything is there and the chain is whole."""
    readonly = bench.folder.with_name("readonly")
    board = bench.board()
    env = {"LD_PRELOAD": str(library(bench.folder)), "TABLECTL_DISK": str(bench.folder)}
    table = bench.run(bench.config(panel=bench.panel), **env, TABLECTL_DISK_READONLY=str(readonly))
    table.line("READY after")
    table.until(lambda now: now["journal"]["head"])
    readonly.touch()
    state = table.until(lambda now: any(each["what"] == "journal" for each in now["faults"]))
    assert "journal cannot be written" in state["faults"][0]["text"]
    alarmed(bench, board, table)
    readonly.unlink()
    assert "nothing was lost" in table.line("is written again")
    assert table.ends(signal.SIGTERM) == 0
    assert any('"kind":"wrong_seat"' in line for line in bench.decided())
    proof = verify(bench.folder / "journal.sqlite")
    assert (proof.fault, proof.nights) == (None, 1)


def test_the_head_in_the_state_is_the_journals(bench: Any) -> None:
    """What `/state` publishes is in the journal and signed; a journal that ends before it is found out."""
    bench.board()
    table = bench.run(bench.config())
    table.line("READY after")
    head = Head.from_json(table.until(lambda now: now["journal"]["head"])["journal"]["head"])
    assert table.ends(signal.SIGTERM) == 0
    path = bench.folder / "journal.sqlite"
    assert verify(path, published=[head]).fault is None
    later = Head(head.night, head.seq + 1000, head.hash, head.at)
    assert "cut off" in str(verify(path, published=[later]).fault)


def test_a_blind_table_without_a_key_says_that_it_keeps_decisions_only(bench: Any) -> None:
    """At its start, in check-config and in what doctor says; the journal has the decisions and nothing that was sensed;
    replay says why it cannot."""
    board = bench.board()
    config = bench.config(sealed=False, panel=bench.panel)
    command = [sys.executable, "-m", "tablectl.cli"]
    checked = subprocess.run(
        [*command, "check-config", str(config)], capture_output=True, text=True, check=True
    )
    assert "names no audit_key: the journal keeps decisions only" in checked.stdout
    table = bench.run(config)
    assert "keeps decisions only" in table.line("note: blind, and [journal] names no audit_key")
    table.line("READY after")
    alarmed(bench, board, table)
    assert table.ends(signal.SIGTERM) == 0
    kinds = {kind for _, kind, _ in bench.journal()}
    assert kinds == {"decision"}
    path = bench.folder / "journal.sqlite"
    content = path.read_bytes().lower()
    assert not [each for each in (*bench.uids, *bench.tokens) if each.lower().encode() in content]
    done = subprocess.run([*command, "replay", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "what was sensed was not kept" in done.stderr


def test_an_audit_key_that_is_none_stops_the_start(bench: Any) -> None:
    """A file that is not there, the private part, another sort of key: exit status 2 with what would be right; nothing
    is kept unsealed instead."""
    config = bench.config()
    text = config.read_text()
    for name, says in (
        ("none.pub", "cannot be read"),
        ("audit.key", "this is a tablectl audit key, PRIVATE"),
    ):
        config.write_text(text.replace(json.dumps(str(bench.folder / "audit.pub")), json.dumps(name)))
        table = bench.run(config)
        assert table.process.wait(30) == 2
        assert says in table.line("journal.audit_key")
    assert not (bench.folder / "journal.sqlite").exists()
