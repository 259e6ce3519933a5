"""What a blind table knows of its cards: nothing in its memory, its files, its log and its answers names one."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from blind_scan import Found, Scan
from hundred_hands import Played

from tablectl.config.decks import load_deck
from tablectl.enrol import order
from tablectl.enrol.sitting import Sitting
from tablectl.enrol.tags import Taken
from tablectl.enrol.workfile import finish
from tablectl.sealed import AuditKey, keygen

FEW = 8
"""Card names in quotes that are in memory whatever is played: docstrings of tablectl ("As") and of Python ("Ts")."""
PATHS = ("", "state", "metrics", "healthz", "technician", "technician/figures", "static/words.js")
BOARD, BURN = 5, 6


def enrolled(folder: Path, uids: tuple[str, ...], *, is_open: bool) -> dict[str, str]:
    """The deck as `tablectl enrol` writes it, a blind one with its sealed names; the truth: UID or token → card."""
    places = order.guided()[: len(uids)]
    sitting = Sitting("blue", places, Taken(), is_open=is_open)
    for uid in uids:
        assert sitting.lay(uid)[0]
    key = None if is_open else AuditKey.read(folder / "audit.pub")
    finish(folder / "blue.toml", folder / "blue.toml.part", sitting, key)
    deck = load_deck(folder / "blue.toml")
    faces = {uid: place.face or "" for uid, place in zip(uids, places, strict=True)}
    return faces | {deck.cards[uid]: face for uid, face in faces.items()}


def played(bench: Any, mode: str) -> tuple[Scan, Found, Found, Found]:
    """One hand at a table of that mode; what the scan finds in memory, files, and what was answered and logged."""
    keygen().public.write(bench.folder / "audit.pub")
    sealed = {"audit_key": "audit.pub"} if mode == "blind" else {}
    config = bench.config(panel=bench.panel, sealed=False, journal=sealed)
    config.write_text(config.read_text().replace("[table]\n", f'[table]\nmode = "{mode}"\n', 1))
    truth = enrolled(bench.folder, bench.uids, is_open=mode == "open")
    board = bench.board()
    table = bench.run(config)
    table.line("READY after")
    answers = [table.post(do="button", seat=4).text]
    for uid, antenna in zip(bench.uids, (1, 2, 3, 4, 1, 2, 3, 4, BURN, BOARD, BOARD, BOARD), strict=False):
        board.deal(uid, antenna)
    table.until(lambda state: state["board"] == 3)
    answers += [table.get(path).text for path in PATHS]
    scan = Scan(truth)
    memory = scan.memory(table.process.pid)
    answers += [json.dumps(state, ensure_ascii=False) for state in table.states]
    assert table.ends(signal.SIGTERM) == 0
    log = "\n".join(table.log).upper()
    assert not [each for each in truth if len(each) > 2 and each.upper() in log]
    return scan, memory, scan.folder(bench.folder), scan.text([*answers, *table.log])


def test_a_blind_table_knows_no_card(bench: Any) -> None:
    """A hand is dealt to the flop: memory, files, answers and log tell of no tag and of no token which card it is."""
    _, memory, files, told = played(bench, "blind")
    assert (memory.relations, memory.pointed) == (set(), set())
    assert len(memory.quoted) <= FEW
    assert files.nothing, files
    assert told.nothing, told


def test_the_same_scan_finds_the_cards_of_an_open_table(bench: Any) -> None:
    """The counter-proof: with the names in the deck file every card is found, in memory by pointers, in the files as
    text, and the flop in the answers."""
    _, memory, files, told = played(bench, "open")
    assert memory.pointed == set(bench.uids)
    assert files.relations == set(bench.uids)
    assert len(files.quoted) == len(bench.uids)
    assert len(told.quoted) >= 3


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("mode", ["blind", "open"])
def test_after_a_hundred_hands(tmp_path: Path, mode: str) -> None:
    """The whole app on an accelerated clock, in mid-hand after a hundred hands with everything that fails: of a blind
    table memory, files, log and answers name no card, not one; of an open one the same scan finds every card."""
    keygen().public.write(tmp_path / "audit.pub")
    sealed = {"audit_key": "audit.pub"} if mode == "blind" else {}
    run = Played(tmp_path, mode, {"path": str(tmp_path / "journal.sqlite"), **sealed}, hands=100)
    scan = Scan(run.truth)
    seen: list[Found] = []
    run.play(lambda pid: seen.append(scan.memory(pid)))
    (memory,) = seen
    files, told = scan.folder(tmp_path), scan.bytes(b"\n".join(run.page.answers))
    assert len(run.page.answers) > 100
    if mode == "blind":
        assert (memory.relations, memory.pointed) == (set(), set())
        assert len(memory.quoted) <= FEW
        assert files.nothing, files
        assert told.nothing, told
    else:
        tags = {uid for uid in run.truth if len(uid) == 16}
        assert memory.pointed == tags
        assert files.relations == tags
        assert len(files.quoted) == 52
        assert len(told.quoted) > 40
