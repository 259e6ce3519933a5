"""Deck wear: counted at the table, kept for years, and told before a card becomes unreliable."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import astuple
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from wear_month import Month, Warned, fading, month, weakening
from wear_store import FADES, SEATS, SOUND, kept, nights, whole_store

from tablectl import recording
from tablectl.app import table_of
from tablectl.app.wear import Wear, read, read_book, read_fallen, store_of
from tablectl.app.wear.book import LEAST, Book, Worn
from tablectl.app.wear.counting import Counting
from tablectl.app.wear.levels import FIRST_NIGHTS, LAST_NIGHTS
from tablectl.cards import Deck
from tablectl.config import from_recording, load
from tablectl.core.decisions import HandEvent
from tablectl.errors import JournalError
from tablectl.shell.journal.file import open_for_writing
from tablectl.shell.wear import WearFile
from tablectl.sim import script
from tablectl.sim.noise import preset
from tablectl.sim.record import Recorder
from tablectl.sim.setup import TableSetup
from tablectl.sim.wear import TagWear
from tablectl.simulate import BRISK

LIGHT = preset("light")
UIDS = [f"E0040150{n:08X}" for n in range(52)]
BLUE = Deck("blue", {uid: f"{n}" for n, uid in enumerate(UIDS)})


def verdicts(book: Book, deck: Deck = BLUE) -> dict[str, str]:
    """What is said of the cards that are in the deck."""
    return {card.uid: standing.verdict for card, standing in book.standings(deck)}


def played(book: Book, shares: dict[str, float], landings: int, zone: str = "seat:1") -> None:
    """So many landings of each card, each read in its share of 100 looks."""
    for _ in range(landings):
        for uid, share in shares.items():
            card = book.dealt(uid, "blue", "2026-01-01")
            book.lay(card, zone, {2: (100, round(100 * share))})


def test_a_card_that_is_read_less_than_its_peers_is_worn() -> None:
    """Twelve cards at one antenna, one of them read in half as many looks: it is worn, the others are good."""
    book = Book()
    played(book, {uid: 0.4 if uid == UIDS[3] else 0.8 for uid in UIDS[:12]}, 2 * LEAST)
    found = verdicts(book)
    assert found.pop(UIDS[3]) == "worn"
    assert list(found.values()) == ["good"] * 11
    assert [card.uid for card in book.worn(BLUE)] == [UIDS[3]]
    assert book.worn(Deck("red", {})) == []


def test_a_weak_antenna_is_not_blamed_on_a_card() -> None:
    """All cards are read poorly at one seat, and half of them lie there every time: none is worn."""
    book = Book()
    for _ in range(2 * LEAST):
        played(book, dict.fromkeys(UIDS[:10], 0.3), 1, "seat:4")
        played(book, dict.fromkeys(UIDS[10:20], 0.9), 1, "seat:5")
    assert set(verdicts(book).values()) == {"good"}


def test_little_is_no_verdict() -> None:
    """A card that was dealt a few times may have lain badly each time: nothing is said of it yet."""
    book = Book()
    played(book, {uid: 0.1 if uid == UIDS[0] else 0.9 for uid in UIDS[:12]}, LEAST // 2)
    assert verdicts(book)[UIDS[0]] == "unknown"


def test_a_good_past_hides_no_failing_tag() -> None:
    """After thousands of good landings a tag fails: the recent mean tells it, while its life still looks well."""
    book = Book()
    played(book, dict.fromkeys(UIDS[:12], 0.9), 2000)
    played(book, {uid: 0.4 if uid == UIDS[0] else 0.9 for uid in UIDS[:12]}, 300)
    card = book.cards[UIDS[0]]
    assert verdicts(book)[UIDS[0]] == "worn"
    assert card.life is not None
    assert card.life > 0.9


def test_a_deck_of_which_half_fades_hides_it_not() -> None:
    """Half of the cards fall to seven tenths: the mean of all cards falls with them, and they are worn all the same."""
    book = Book()
    played(book, dict.fromkeys(UIDS[:20], 0.9), 2 * LEAST)
    played(book, {uid: 0.63 if uid in UIDS[:10] else 0.9 for uid in UIDS[:20]}, 5 * LEAST)
    found = verdicts(book)
    assert {uid for uid, verdict in found.items() if verdict == "worn"} == set(UIDS[:10])


@pytest.fixture(scope="module")
def evening() -> tuple[Book, set[str]]:
    """An evening of the whole simulator through the core, with five tags that answer half as well; they are named."""
    setup = TableSetup()
    uids = set(sorted(setup.decks["blue"].cards)[:5])
    recorder = Recorder(setup, LIGHT, 5, habits=BRISK)
    wear = recorder.stage.world.wear = TagWear(share=(1.0, 1.0), begins=(0, 0), lasts=(1e9, 1e9))
    wear._fate = {uid: (-5e8, 1e9) if uid in uids else None for uid in setup.decks["blue"].cards}
    assert {round(wear.gain(uid), 3) for uid in uids} == {0.5}
    lines = recorder.lines([script.HandPlan()] * 25)
    head, events = recording.from_objects(setup.recording_header(), lines)
    table = table_of(from_recording(head.config, head.decks, head.active_deck))
    book = Book()
    counting = Counting(
        book, table.tracker, dict.fromkeys(setup.decks["blue"].cards, "blue"), lambda: "2026-01-01"
    )
    for event in events:
        table.step(event)
        counting.look(event.t)
    return book, uids


def test_the_table_counts_whose_tags_are_poor(evening: tuple[Book, set[str]]) -> None:
    """From bytes to landings: after 25 hands the five poor tags are the five that are read least against their
    peers."""
    book, poor = evening
    cards = sorted(book.cards.values(), key=lambda card: card.recent)
    assert {card.uid for card in cards[:5]} == poor
    assert fmean(card.recent for card in cards[:5]) < 0.7
    assert fmean(card.recent for card in cards[5:]) > 0.9
    assert all(0 < card.reads <= card.looks for card in cards if card.judged)


def test_a_healthy_month_brings_no_warning() -> None:
    """A month of ten hours a day, 52 sound cards, one weak antenna: not one warning. (`long` takes many months.)"""
    assert list(month(7301, LIGHT, days=8)) == []


def test_a_failing_tag_is_warned_of_before_it_is_unreliable() -> None:
    """Tags whose gain falls to nothing within weeks are told while they still answer in more than half of the looks,
    and no sound card is."""
    wear = TagWear(share=(0.1, 0.1), begins=(100, 400), lasts=(1500, 2500), rng=Random("failing tags"))
    warned = {each.uid: each.gain for each in month(7302, LIGHT, wear, days=14)}
    failed = {uid for uid in wear.deals if wear.gain(uid) < 0.5}
    assert failed
    assert failed <= set(warned)
    assert all(0.5 < gain < 1 for gain in warned.values())


def warned(month_: Month) -> tuple[list[Warned], list[tuple[str, str]]]:
    """The cards that were called worn, and what else was told."""
    found = list(month_.play())
    return [each for each in found if each.kind == "card"], [
        (each.kind, each.uid) for each in found if each.kind != "card"
    ]


@pytest.mark.parametrize("decks", [1, 2])
def test_a_month_in_which_the_whole_deck_fades(decks: int) -> None:
    """All 52 tags fade evenly: told while they answer in more than half of the looks, and as far as it is known."""
    found = list(Month(7303, LIGHT, days=22, decks=decks, fade=fading(1.0)).play())
    whole = [each for each in found if each.kind != "card"]
    assert {each.uid for each in whole} == {"blue"}
    assert whole[-1].kind == ("deck" if decks == 2 else "either")
    assert all(0.5 < each.gain < 0.9 for each in whole)
    assert all(each.gain < 0.9 for each in found)


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_a_month_in_which_part_of_a_deck_fades(share: float) -> None:
    """A quarter, or half, of the tags fade: these cards are told, early, and no other one."""
    cards, _ = warned(Month(7304, LIGHT, days=22, fade=fading(share)))
    assert len(cards) == 52 * share
    assert all(0.6 < each.gain < 0.9 for each in cards)


def test_a_month_in_which_an_antenna_weakens() -> None:
    """One antenna weakens to a third: it is named, and neither a card nor a deck is."""
    assert warned(Month(7305, LIGHT, days=22, decks=2, antenna=weakening(1, ends=22))) == (
        [], [("antenna", "seat:1")],
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("noise", ["light", "heavy"])
def test_many_healthy_months(noise: str) -> None:
    """Ten months of other decks and tables: no warning."""
    assert [each for seed in range(8000, 8010) for each in month(seed, preset(noise))] == []


# --- which cards are in the deck ----------------------------------------------------------------------------


def poor_and_sound(book: Book, day: str, poor: list[str], sound: list[str]) -> None:
    """An evening: the poor cards are read a third as often."""
    for _ in range(2 * LEAST):
        for uid in [*poor, *sound]:
            book.lay(book.dealt(uid, "blue", day), "seat:1", {2: (100, 30 if uid in poor else 90)})


def test_a_spare_that_is_dealt_retires_the_card_it_stands_for() -> None:
    """Two tags for one card: the worn one counts until its spare is dealt, and then no more, in the same night, too."""
    spare = "E0040150AAAAAAAA"
    deck = Deck("blue", {**BLUE.cards, spare: BLUE.cards[UIDS[0]]})
    book = Book()
    poor_and_sound(book, "2026-01-01", UIDS[:1], UIDS[1:12])
    assert [card.uid for card in book.worn(deck)] == UIDS[:1]
    book.dealt(UIDS[0], "blue", "2026-01-02")
    book.dealt(spare, "blue", "2026-01-02")
    assert book.worn(deck) == []
    assert UIDS[0] not in {card.uid for card in book.of(deck)}
    book.dealt(UIDS[0], "blue", "2026-01-03")
    assert [card.uid for card in book.worn(deck)] == UIDS[:1]  # it was put back


def test_a_card_that_is_dealt_no_more_expires() -> None:
    """A worn card that comes in none of the deck's last nights is out of it; nights without the deck do not count."""
    book = Book()
    poor_and_sound(book, "2026-01-01", UIDS[:1], UIDS[1:12])
    for night in range(2, 1 + LAST_NIGHTS):
        book.dealt(UIDS[1], "blue", f"2026-02-{night:02}")
    assert [card.uid for card in book.worn(BLUE)] == UIDS[:1]
    book.dealt(UIDS[1], "blue", "2026-12-01")
    assert book.worn(BLUE) == []


def test_a_card_of_no_deck_is_told_nowhere(tmp_path: Path) -> None:
    """A worn card was taken out of the deck's file: neither the display nor the command counts it."""
    path = worn_store(tmp_path, "blue", blue())
    deck = tmp_path / "decks" / "blue.toml"
    lines = deck.read_text().splitlines(keepends=True)
    deck.write_text("".join(line for line in lines if blue()[0] not in line))
    config = load(path)
    wear = Wear(table_of(config), config.decks, store_of(config.journal.path))
    assert wear.notice is None
    wear.close()
    assert command(path).returncode == 0
    assert len(read(config)["blue"]) == 11


def test_a_new_deck_under_the_same_id_begins_anew(tmp_path: Path) -> None:
    """Another deck called blue: cards and reference of the old one are not held against it, after a restart neither.
    A spare or two make no other deck."""
    path, zones = tmp_path / "t.wear.sqlite", {"seat:1": 0.0}
    book = Book()
    book.levels.configured([BLUE], zones)
    nights(book, BLUE, [0.9] * 5)
    kept(path, book)
    spared = Deck("blue", {**BLUE.cards, "E0040150AAAAAAAA": "0"})
    assert read_book(path, [spared], zones).levels.lives["blue"].nights == 4
    other = Deck("blue", {uid.replace("0150", "0199"): token for uid, token in BLUE.cards.items()})
    book = read_book(path, [other], zones)
    assert (book.of(other), book.levels.lives["blue"].nights) == ([], 0)
    nights(book, other, [0.5] * 6)  # a poorer make, and new
    kept(path, book)
    book = read_book(path, [other], zones)
    assert book.levels.lives["blue"].nights == 5
    assert book.levels.fallen([other]) == []


# --- the deck as a whole, and antennas ----------------------------------------------------------------------


def unknown(*decks: Deck) -> Book:
    """A table that knows these decks and nothing of them."""
    book = Book()
    book.levels.configured(decks, dict.fromkeys(SEATS, 0.0))
    return book


RED = Deck("red", {uid.replace("0150", "0160"): token for uid, token in BLUE.cards.items()})


def told(book: Book, *decks: Deck) -> list[tuple[str, str]]:
    """What reads worse than at first."""
    return [(each.kind, each.name) for each in book.levels.fallen(decks)]


def test_one_deck_that_fades_leaves_two_possibilities() -> None:
    """All cards fall alike: no card differs, and what was read in the first nights says it. With one deck nobody knows
    whether it is the deck or the antennas, and neither is blamed."""
    book = unknown(BLUE)
    nights(book, BLUE, FADES)
    assert "worn" not in verdicts(book).values()
    assert told(book, BLUE) == [("either", "blue")]


def test_another_deck_tells_a_faded_deck_from_weak_antennas() -> None:
    """The other deck is read there as well as ever: it is the deck. If it is read worse, too, nobody knows."""
    book = unknown(BLUE, RED)
    nights(book, BLUE, FADES)
    nights(book, RED, SOUND)
    assert told(book, BLUE, RED) == [("deck", "blue")]
    book = unknown(BLUE, RED)
    nights(book, BLUE, FADES)
    nights(book, RED, FADES)
    assert told(book, BLUE, RED) == [("either", "blue"), ("either", "red")]


def test_a_weak_antenna_is_not_blamed_on_the_deck() -> None:
    """Two of six antennas fall to a half: they are named, and no deck is."""
    book = unknown(BLUE, RED)
    nights(book, BLUE, SOUND, weak=("seat:2", "seat:5"))
    nights(book, RED, SOUND, weak=("seat:2", "seat:5"))
    assert told(book, BLUE, RED) == [("antenna", "seat:2"), ("antenna", "seat:5")]


def test_the_reference_is_kept_for_good(tmp_path: Path) -> None:
    """A deck fades by one hundredth a night, with a restart after each: it is told, however slowly it went, and the
    reference is that of its first nights."""
    path, zones = tmp_path / "t.wear.sqlite", dict.fromkeys(SEATS, 0.0)
    found = []
    for night in range(60):
        book = read_book(path, [BLUE], zones)
        month_, day = 1 + night // 28, 1 + night % 28
        for _ in range(4):
            for uid in UIDS:
                card = book.dealt(uid, "blue", f"2026-{month_:02}-{day:02}")
                book.lay(card, "seat:1", {2: (1000, round(900 - 9 * max(0, night - FIRST_NIGHTS)))})
        found.append(told(book, BLUE))
        kept(path, book)
    first = next(night for night, each in enumerate(found) if each)
    assert 0.7 < 1 - 0.01 * (first - FIRST_NIGHTS) < 0.9
    assert all(each == [("either", "blue")] for each in found[first:])


def test_an_antenna_that_was_calibrated_anew_has_a_new_reference() -> None:
    """An antenna is mended and its calibration written: what it read before is no reference any more. That hides no
    wear of the deck, even if all were calibrated."""
    book = unknown(BLUE)
    nights(book, BLUE, SOUND, weak=("seat:2",))
    assert told(book, BLUE) == [("antenna", "seat:2")]
    book.levels.configured([BLUE], {**dict.fromkeys(SEATS, 0.0), "seat:2": 0.5})
    assert told(book, BLUE) == []
    nights(book, BLUE, [0.9] * 5, month=2)
    assert told(book, BLUE) == []
    worn = unknown(BLUE)
    nights(worn, BLUE, FADES)
    worn.levels.configured([BLUE], dict.fromkeys(SEATS, 0.6))
    nights(worn, BLUE, [0.6] * 12, month=2)
    assert told(worn, BLUE) == [("either", "blue")]


def test_the_display_and_the_command_tell_of_the_deck(tmp_path: Path) -> None:
    """A deck that faded as a whole: the display says both possibilities, the command has a line and exit status 1, as
    JSON, too."""
    config = whole_store(tmp_path, {"blue": FADES})
    wear = Wear(table_of(config), config.decks, store_of(config.journal.path))
    assert wear.notice == (
        "Deck blue reads worse than when it was new. The deck is worn, or the antennas are: try a new deck."
    )
    wear.close()
    assert [(each.kind, each.name) for each in read_fallen(config)] == [("either", "blue")]
    done = command(tmp_path / "table.toml")
    assert done.returncode == 1, done.stderr
    assert re.search(r"deck blue reads 7\d % of what it read in its first nights", done.stdout)
    assert "the deck is worn, or the antennas are" in done.stdout
    as_json = json.loads(command(tmp_path / "table.toml", "--json").stdout)
    assert (as_json["fallen"][0]["what"], as_json["fallen"][0]["name"]) == ("either", "blue")
    assert len(as_json["blue"]) == 26


def test_with_a_sound_deck_beside_it_the_display_names_the_deck(tmp_path: Path) -> None:
    """The same beside a deck that is read as ever: it is the deck, and it is replaced."""
    config = whole_store(tmp_path, {"blue": FADES, "red": SOUND})
    wear = Wear(table_of(config), config.decks, store_of(config.journal.path))
    assert wear.notice == "Deck blue reads worse than when it was new. Replace it after the game."
    wear.close()
    done = command(tmp_path / "table.toml")
    assert done.returncode == 1, done.stderr
    assert "another one is read there as well as ever" in done.stdout


# --- the store ----------------------------------------------------------------------------------------------


def rows(path: Path) -> list[Any]:
    """The cards as they are in the file."""
    with closing(sqlite3.connect(path)) as file:
        return list(file.execute("SELECT * FROM cards ORDER BY uid"))


def test_counts_survive_a_restart(tmp_path: Path) -> None:
    """What was kept is there again after the file was closed and opened; the newest row of a card is the one that
    counts."""
    path, card = tmp_path / "t.wear.sqlite", Worn(UIDS[0], "blue", "2026-01-01", "2026-01-02", dealt=3)
    file = WearFile(path)
    file.keep("cards", [astuple(card)])
    card.dealt = 4
    file.keep("cards", [astuple(card)])
    file.close()
    assert [each.dealt for each in read_book(path).cards.values()] == [4]
    again = WearFile(path)
    card.dealt = 5
    again.keep("cards", [astuple(card)])
    again.close()
    assert [each.dealt for each in read_book(path).cards.values()] == [5]


def test_the_store_is_not_for_everybody(tmp_path: Path) -> None:
    """Beside the journal, with the journal's mode: owner and group alone read it, whatever the umask would let. One
    that was made for everybody by an older version is narrowed."""
    path, old = tmp_path / "t.wear.sqlite", tmp_path / "old.wear.sqlite"
    before = os.umask(0o022)
    try:
        WearFile(path).close()
        WearFile(old).close()
        old.chmod(0o644)
        WearFile(old).close()
        open_for_writing(tmp_path / "journal.sqlite").close()
    finally:
        os.umask(before)
    modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    assert modes[path.name] == modes[old.name] == modes["journal.sqlite"] == 0o640


KILLED = """
import os, sys
from pathlib import Path
from tablectl.shell.wear import WearFile
file = WearFile(Path(sys.argv[1]))
for n in range(1, 1000):
    file.keep("cards", [(f"E0{n % 52:014X}", "blue", "d", "d", 1, n, n, n, 1.0, n, 1.0, 1.0)])
    if n == 500:
        print("half", flush=True)
while True:
    file.keep("cards", [("E0", "blue", "d", "d", 1, 1, 1, 1, 1.0, 1, 1.0, 1.0)])
"""


def test_a_killed_table_leaves_a_whole_store(tmp_path: Path) -> None:
    """SIGKILL in the middle of writing: the file is whole, and has one row a card however often it was written."""
    path = tmp_path / "t.wear.sqlite"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(rows(path)) <= 53
    assert set(read_book(path).cards) == {row[0] for row in rows(path)}


def test_another_file_is_refused(tmp_path: Path) -> None:
    """A file that is none of ours is named and left alone."""
    path = tmp_path / "t.wear.sqlite"
    path.write_text("no database at all, but long enough to be taken for one " * 20)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"t\.wear\.sqlite"):
        WearFile(path)
    assert path.read_bytes() == before


# --- the table and the command ------------------------------------------------------------------------------


def worn_store(folder: Path, deck: str, uids: list[str]) -> Path:
    """A table's configuration, whose store says that one card of the deck is worn."""
    setup = TableSetup()
    config = setup.write(
        folder, [str(folder / "reader0"), str(folder / "reader1")], journal={"path": "j.sqlite"}
    )
    book = Book()
    played(book, {uid: 0.3 if uid == uids[0] else 0.9 for uid in uids}, 2 * LEAST)
    for card in book.cards.values():
        card.deck = deck
    file = WearFile(store_of(folder / "j.sqlite"))
    file.keep("cards", [astuple(card) for card in book.cards.values()])
    file.keep("places", [astuple(place) for place in book.places.values()])
    file.keep("table_figures", [("spread", book.spread)])
    file.close()
    return config


def blue() -> list[str]:
    """Twelve cards of the simulated table's deck."""
    return sorted(TableSetup().decks["blue"].cards)[:12]


def test_the_table_says_it_of_the_deck_in_play_alone(tmp_path: Path) -> None:
    """A store with one worn card: the notice names the deck and how many, no tag, and nothing while another deck is in
    play."""
    config = load(worn_store(tmp_path, "blue", blue()))
    table = table_of(config)
    wear = Wear(table, config.decks, store_of(config.journal.path), day=lambda: "2026-02-01")
    assert wear.notice == "Deck blue: worn cards: 1. Replace them after the game."
    assert not any(uid in str(wear.notice) for uid in blue())
    table.deck = next(deck for deck in config.decks if deck.id == "red")
    assert wear.notice is None
    wear.close()


def test_what_is_counted_is_kept_after_each_hand(tmp_path: Path) -> None:
    """A hand is over: the cards that lay are in the file while the table runs on."""
    setup = TableSetup()
    config = load(
        setup.write(tmp_path, [str(tmp_path / "r0"), str(tmp_path / "r1")], journal={"path": "j.sqlite"})
    )
    table = table_of(config)
    wear = Wear(table, config.decks, store_of(config.journal.path), day=lambda: "2026-02-01")
    lines = Recorder(setup, LIGHT, 3, habits=BRISK).lines([script.HandPlan()] * 4)
    _, events = recording.from_objects(setup.recording_header(), lines)
    ended = 0
    for event in events:
        decisions = table.step(event)
        ended += any(isinstance(each, HandEvent) and each.event == "end" for each in decisions)
        wear.took(event, decisions)
    wear.close()
    assert ended
    kept = rows(store_of(config.journal.path))
    assert 18 < len(kept) <= 52
    assert {row[1] for row in kept} == {"blue"}


def command(config: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`tablectl wear` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "tablectl.cli", "wear", str(config), *options], capture_output=True, text=True,
        check=False, env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip


def test_the_command_names_the_worn_card_and_what_to_do(tmp_path: Path) -> None:
    """`tablectl wear`: the worst first, no whole UID, how it is found and replaced; exit status 1."""
    done = command(worn_store(tmp_path, "blue", blue()))
    assert done.returncode == 1, done.stderr
    assert f"…{blue()[0][-6:]}" in done.stdout
    assert "worn" in done.stdout
    assert "--spare" in done.stdout
    assert not any(uid in done.stdout for uid in blue())


def test_the_command_as_json(tmp_path: Path) -> None:
    """The same as JSON, for programs: every card that was dealt."""
    done = command(worn_store(tmp_path, "blue", blue()), "--json")
    cards = json.loads(done.stdout)["blue"]
    assert [card["verdict"] for card in cards] == ["worn", *["good"] * 11]
    assert cards[0]["interval"][1] < 0.8
    assert all(not card["uid"].startswith("E0") for card in cards)


def test_a_table_without_a_store_yet(tmp_path: Path) -> None:
    """Nothing is known yet: that is said, and is no fault."""
    setup = TableSetup()
    done = command(setup.write(tmp_path, [str(tmp_path / "r0"), str(tmp_path / "r1")]))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing is known of its cards yet" in done.stdout


def test_who_reads_the_store_gets_the_worst_first(tmp_path: Path) -> None:
    """`read`, which doctor uses, too: decks of the configuration with their cards, the worst first."""
    found = read(load(worn_store(tmp_path, "blue", blue())))
    assert found["blue"][0].card.uid == blue()[0]
    assert found["red"] == []


def test_the_display_says_it_between_hands_alone(bench: Any) -> None:
    """`tablectl run` with a store in which a card is worn: every page is told until a card lies, then no more; the
    technician's page goes on saying it."""
    book = Book()
    played(book, {uid: 0.3 if uid == bench.uids[0] else 0.9 for uid in bench.uids[:12]}, 2 * LEAST)
    config = bench.config()
    file = WearFile(store_of(bench.folder / "journal.sqlite"))
    file.keep("cards", [astuple(card) for card in book.cards.values()])
    file.keep("table_figures", [("spread", book.spread)])
    file.close()
    board = bench.board()
    table = bench.run(config)
    told = table.until(lambda state: state["readers"][0]["state"] == "ok")
    assert [each["text"] for each in told["notices"]] == [
        "Deck blue: worn cards: 1. Replace them after the game."
    ]
    board.deal(bench.uids[5], 2)
    played_on = table.until(lambda state: state["hand"]["phase"] not in {"idle", "over"})
    assert played_on["notices"] == []
    assert table.get("technician/state").json()["notices"]
