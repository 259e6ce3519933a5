"""`tablectl audit`: keys are made, full hands are opened by the private one alone, and every opening is on record."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_night import Kept, keep

from tablectl.audit import access
from tablectl.errors import SealError
from tablectl.sealed import AuditKey, AuditSecret, keygen

FACES = {rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Three hands of a blind table with an audit key: clean, a card for a wrong seat, clean."""
    return keep(tmp_path_factory.mktemp("night"), "clean, wrong_seat:next+deal_on, clean")


def test_full_hands_are_those_that_were_dealt(night: Kept) -> None:
    """Every hole card, burn and board card of every hand is the one that the simulator truly dealt there."""
    hands = night.opened()
    assert [hand["hand"] for hand in hands] == [1, 2, 3]
    for hand in hands:
        true = night.dealt(hand["hand"])
        assert hand["hole"] == {str(seat): true[f"seat:{seat}"] for seat in hand["seats"]}
        assert [card for street in hand["board"] for card in street["cards"]] == true["board"]
        assert hand["burns"] == true["burn"]
        assert (hand["opened"], hand["agrees"], hand["deck"]) == (True, True, "blue")
    assert [street["street"] for street in hands[0]["board"]] == ["flop", "turn", "river"]
    slips = [found["kind"] for found in hands[1]["irregularities"] if found["confirmed"]]
    assert "wrong_seat" in slips
    assert "ruling" in hands[1]["irregularities"][0]
    assert all(card["tag"] in night.setup.decks["blue"].cards for card in hands[0]["deal"])


def test_a_person_reads_the_same(night: Kept) -> None:
    """Without --json: seats with their cards, the streets, the burns, the slip with its ruling, who acted."""
    done = night.run("audit", "open", "journal.sqlite", *night.keyed, "--hand", "2")
    assert done.returncode == 0, done.stderr
    true = night.dealt(2)
    assert f"  seat 3  {' '.join(true['seat:3'])}\n" in done.stdout
    assert f"  turn    {true['board'][3]}\n" in done.stdout
    assert "wrong_seat: seat" in done.stdout
    assert "hand 1," not in done.stdout


def test_what_is_not_sealed_to_this_key_stays_shut(night: Kept, tmp_path: Path) -> None:
    """Another key, a missing reason, the public part: exit status 2, one sentence, and not one card."""
    other = keygen()
    other.write(tmp_path / "other.key")
    at = ("audit", "open", "journal.sqlite")
    for options, says in (
        (("--key", str(tmp_path / "other.key"), "--why", "x"), "it was sealed to"),
        (("--key", str(tmp_path / "other.key"), "--why", "x", "--deck", "blue.toml.sealed"), "not to"),
        (("--key", "audit.key", "--why", " "), "--why: say why"),
        (("--key", "audit.pub", "--why", "x"), "needed is a tablectl audit key, PRIVATE"),
        (("--key", "audit.key", "--why", "x", "--deck", "audit.pub"), "this is no sealed deck"),
        (("--key", "audit.key", "--why", "x", "--night", "7"), "there is no night 7"),
    ):
        done = night.run(*at, *options)
        assert (done.returncode, says in done.stderr) == (2, True), done.stderr
        assert "Traceback" not in done.stderr
        assert not FACES & set(done.stdout.split())


def test_a_deck_whose_names_are_not_there(night: Kept) -> None:
    """The key alone tells cards apart, and names none: ?? for each, and it is said why."""
    done = night.run("audit", "open", "journal.sqlite", "--key", "audit.key", "--why", "x", "--json")
    hands = [json.loads(line) for line in done.stdout.splitlines()]
    assert {card["card"] for hand in hands for card in hand["deal"]} == {"??"}
    assert "no --deck DECK.sealed" in done.stderr


def test_every_opening_is_on_record_before_anything_is_shown(night: Kept, tmp_path: Path) -> None:
    """Who, when, which night and why stand beside the key; where they cannot be written, nothing is opened."""
    record = tmp_path / "audit.key.access"
    for why in ("case 17", "case 18"):
        night.run("audit", "open", "journal.sqlite", *night.keyed, "--why", why, "--record", str(record))
    lines = access.read(record)
    assert [(line["n"], line["why"], line["night"], line["what"]) for line in lines] == [
        (1, "case 17", 1, "audit open"), (2, "case 18", 1, "audit open"),
    ]  # fmt: skip
    assert lines[0]["journal"] == str(night.journal)
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    told = night.run("audit", "accesses", str(record))
    assert (told.returncode, "case 18" in told.stdout, lines[-1]["hash"] in told.stdout) == (0, True, True)
    for place in ("/dev/null", str(tmp_path), str(tmp_path / "none" / "audit.key.access")):
        nowhere = night.run("audit", "open", "journal.sqlite", *night.keyed, "--record", place)
        assert (nowhere.returncode, nowhere.stdout) == (2, ""), nowhere.stderr
        assert place in nowhere.stderr


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: [lines[0].replace("case 1", "case 9"), *lines[1:]],
        lambda lines: lines[1:],
        lambda lines: [lines[0], lines[2]],
        lambda lines: [lines[1], lines[0], lines[2]],
        lambda lines: [*lines[:2], "{}"],
        lambda lines: [*lines[:2], "not JSON"],
    ],
    ids=["altered", "first gone", "one gone", "swapped", "empty", "no line"],
)
def test_a_record_that_was_changed_is_noticed(
    tmp_path: Path, spoil: Callable[[list[str]], list[str]]
) -> None:
    """Altered, removed, reordered, replaced: the line is named, and nothing is added after it."""
    record = tmp_path / "audit.key.access"
    for number in range(3):
        access.note(record, "5f0c", what="audit open", why=f"case {number + 1}")
    assert len(access.read(record)) == 3
    lines = spoil(record.read_text().splitlines())
    record.write_text("".join(line + "\n" for line in lines))
    before = record.read_bytes()
    with pytest.raises(SealError, match=r"line [123] was altered, removed, moved"):
        access.read(record)
    with pytest.raises(SealError, match="line"):
        access.note(record, "5f0c", what="audit open")
    assert record.read_bytes() == before


def test_a_line_that_a_power_cut_tore_holds_nobody_up(tmp_path: Path) -> None:
    """It was not on the disk, so nothing was opened by it: the next line says that it was there. A record of another
    key is refused."""
    record = tmp_path / "audit.key.access"
    access.note(record, "5f0c", why="case 1")
    record.write_bytes(record.read_bytes() + b'{"n":2,"at":"20')
    with pytest.raises(SealError, match="line 2"):
        access.read(record)
    access.note(record, "5f0c", why="case 2")
    assert [line.get("after_a_torn_line") for line in access.read(record)] == [None, 15]
    with pytest.raises(SealError, match="another key"):
        access.note(record, "abcd", why="case 3")


def test_a_night_of_a_blind_table_without_a_key(tmp_path: Path) -> None:
    """Only decisions were kept: the hands are there with ?? for each card, with the key as without it."""
    kept = keep(tmp_path, "clean", sealed="nothing")
    done = kept.run("audit", "open", "journal.sqlite", "--json", *kept.keyed)
    assert done.returncode == 0, done.stderr
    assert "was not kept (no audit key)" in done.stderr
    hand = json.loads(done.stdout)
    assert {card["card"] for card in hand["deal"]} == {"??"}
    assert [len(street["cards"]) for street in hand["board"]] == [3, 1, 1]
    assert hand["hole"]["1"] == ["??", "??"]


def test_a_hand_that_went_on_after_a_restart(tmp_path: Path) -> None:
    """The process was restarted in the second deal: the night that went on has that hand whole, the first one has it
    as far as it came."""
    kept = keep(tmp_path, "clean*3", restart_in=2, seats=5)
    before, after = kept.opened("--night", "1"), kept.opened("--night", "2")
    assert [(hand["hand"], hand["ended"]) for hand in before] == [(1, True), (2, False)]
    assert [(hand["hand"], hand["ended"]) for hand in after] == [(2, True), (3, True)]
    assert all(hand["agrees"] for hand in after)
    for hand in after:
        true = kept.dealt(hand["hand"])
        assert hand["hole"] == {str(seat): true[f"seat:{seat}"] for seat in hand["seats"]}
    closed = [json.loads(line) for line in kept.run("export", "journal.sqlite", "--json").stdout.splitlines()]
    assert [len(hand["deal"]) for hand in closed] == [len(hand["deal"]) for hand in after]


def test_a_key_is_made(tmp_path: Path) -> None:
    """Two files that say what they are, the private one under the passphrase and 0600; never over another key; without
    a terminal and a passphrase it is refused."""
    kept = Kept(tmp_path, None, None)  # type: ignore[arg-type]
    made = kept.run("audit", "keygen", "house", TABLECTL_PASSPHRASE="one two three")
    assert made.returncode == 0, made.stderr
    public = AuditKey.read(tmp_path / "house.pub")
    assert public.fingerprint in made.stdout
    assert AuditSecret.read(tmp_path / "house.key", "one two three").open(public.seal(b"x")) == b"x"
    with pytest.raises(SealError):
        AuditSecret.read(tmp_path / "house.key")
    assert stat.S_IMODE((tmp_path / "house.key").stat().st_mode) == 0o600
    again = kept.run("audit", "keygen", "house", "--no-passphrase")
    assert (again.returncode, "never written over" in again.stderr) == (2, True)
    refused = kept.run("audit", "keygen", "other")
    assert (refused.returncode, "a passphrase is needed" in refused.stderr) == (2, True)
    assert not list(tmp_path.glob("other*"))
