"""`tablectl enrol` as somebody at a desk meets it: cards on an antenna, keys on a terminal, files afterwards."""

from __future__ import annotations

import termios
import tomllib
from pathlib import Path
from typing import Any

import pytest
from enrol_desk import FACES, AtDesk, refused, tag

from tablectl.cards import Deck
from tablectl.config.decks import deck_as_toml, load_deck

UIDS = [tag(n) for n in range(1, 53)]
NFC = "04A1B2C3D4E5F6"
"""A tag of another sort: ISO 14443, 7 bytes."""


def part(folder: Path) -> dict[str, Any]:
    """What the work file holds."""
    return tomllib.loads((folder / "blue.toml.part").read_text(encoding="utf-8"))


def table(folder: Path, mode: str = "blind", extra: str = "") -> Path:
    """A table's configuration whose shoe is the board's antenna 0, and whose seats the others."""
    path = folder / "t.toml"
    path.write_text(
        f'[table]\nid = "T1"\nseats = 2\ngame = "holdem"\nrulebook = "pl"\nmode = "{mode}"\n{extra}'
        '[[deck]]\nfile = "blue.toml"\nactive = true\n[[deck]]\nfile = "red.toml"\n'
        '[[reader]]\ndriver = "tablewire"\nport = "board"\nantennas = { 0 = "shoe", 1 = "seat:1", 2 = "seat:2" }\n',
        encoding="utf-8",
    )
    path.write_text(
        path.read_text(encoding="utf-8").replace('"board"', f'"{folder}/board"'), encoding="utf-8"
    )
    return path


# --- a whole deck -------------------------------------------------------------------------------------------


def test_a_blind_deck_with_jokers(at_desk: AtDesk, tmp_path: Path) -> None:
    """54 cards in the order the screen names: 52 different tokens, two jokers, no name and no order in the file."""
    desk = at_desk("blue.toml", "--jokers", 2).lay_deck(UIDS)
    desk.expect("Lay joker 1 of 2").lay(tag(60)).expect("✓ joker 1 of 2")
    desk.expect("Lay joker 2 of 2").lay(tag(61)).expect("nobody can name the cards later")
    assert desk.ends() == 0
    deck = load_deck(tmp_path / "blue.toml")
    assert (deck.id, sorted(deck.cards), deck.jokers) == ("blue", sorted(UIDS), {tag(60), tag(61)})
    assert list(deck.cards) == sorted(UIDS)
    assert len(set(deck.cards.values())) == 52
    assert not set(deck.cards.values()) & set(FACES)
    assert not (tmp_path / "blue.toml.part").exists()
    assert not any(uid in desk.text for uid in UIDS)


def test_tokens_are_drawn_for_each_deck(at_desk: AtDesk, tmp_path: Path) -> None:
    """The same cards enrolled anew get other tokens: what was learned of the old ones is worth nothing."""
    decks = []
    for options in ((), ("--anew",)):
        desk = at_desk("blue.toml", "--shuffled", *options)
        for number, uid in enumerate(UIDS, start=1):
            desk.expect(f"Lay card {number}").lay(uid).expect(f"✓ card {number}")
        assert desk.ends() == 0
        decks.append(load_deck(tmp_path / "blue.toml"))
    old, new = decks
    assert (sorted(old.cards), set(old.cards.values()) & set(new.cards.values())) == (
        sorted(new.cards),
        set(),
    )


def test_an_open_deck_names_its_cards(at_desk: AtDesk, tmp_path: Path) -> None:
    """Asked for by --open: each tag has the name of the card that was laid when it was due, in that order."""
    desk = at_desk("blue.toml", "--open").lay_deck(UIDS)
    desk.expect("this file names the cards")
    assert desk.ends() == 0
    assert dict(load_deck(tmp_path / "blue.toml").cards) == dict(zip(UIDS, FACES, strict=True))


def test_an_open_table_asks_for_names_itself(at_desk: AtDesk, tmp_path: Path) -> None:
    """mode = "open" in the configuration is enough; its deck is not there yet, and that stops nothing."""
    desk = at_desk("blue.toml", "--table", table(tmp_path, "open")).lay_deck(UIDS)
    assert desk.expect("✓ blue.toml").ends() == 0
    assert load_deck(tmp_path / "blue.toml").cards[UIDS[0]] == "As"


# --- what is refused ----------------------------------------------------------------------------------------


def test_a_card_twice(at_desk: AtDesk) -> None:
    """The ace comes back when the three is due: the screen says which card that was, and what is due."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:2], FACES[:2])
    desk.expect("Lay the three").lay(UIDS[0]).expect(
        "enrolled already: the ace of spades. Lay the three of spades"
    )
    desk.lay(UIDS[2]).expect("✓ the three of spades")


def test_the_card_that_was_just_enrolled_is_no_card_twice(at_desk: AtDesk) -> None:
    """It is lifted and falls back on the antenna: nobody is told off, the next card is due all the same."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:1], FACES[:1]).lift().lay(UIDS[0]).swept(12)
    desk.lift().lay(UIDS[1]).expect("✓ the two of spades")
    assert "already" not in desk.text


@pytest.mark.parametrize(
    ("uid", "why"),
    [
        (NFC, "of another type (ISO 14443, 7 bytes) than the others of this deck (ISO 15693, 8 bytes)"),
        ("08A1B2C3", "another UID each time"),
        ("1704015012345601", "none that a tag of a card can have"),
    ],
)
def test_a_tag_of_another_sort(at_desk: AtDesk, uid: str, why: str) -> None:
    """A phone's tag, one with a random UID, one that no standard knows: refused with the reason, and its UID untold."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:1], FACES[:1])
    desk.lay(uid).expect(why).lay(UIDS[1]).expect("✓ the two of spades")
    assert uid not in desk.text


def test_a_deck_of_short_range_tags(at_desk: AtDesk) -> None:
    """A deck may be of ISO 14443 tags altogether; then the other sort is the wrong one."""
    desk = at_desk("blue.toml").expect("Lay the ace").lay(NFC).expect("✓ the ace of spades")
    desk.lay(UIDS[0]).expect("of another type (ISO 15693, 8 bytes)")


def test_two_tags_on_a_card(at_desk: AtDesk, tmp_path: Path) -> None:
    """Two at once are never enrolled; when the same two come again, the card is said to carry two."""
    desk = at_desk("blue.toml").expect("Lay the ace")
    desk.lay(tag(70), tag(71)).expect("two tags lie there: take all cards away").lift()
    desk.lay(tag(71), tag(70)).expect("the same: if this is one card it carries two tags").lift()
    desk.lay(UIDS[0]).expect("✓ the ace of spades").expect("1 of 52")
    assert not (tmp_path / "blue.toml").exists()


def test_a_second_tag_that_answers_late(at_desk: AtDesk, tmp_path: Path) -> None:
    """The card was enrolled by its first tag when its second one was read: it is named, and u takes it back."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:1], FACES[:1])
    desk.lay(UIDS[0], tag(70)).expect("one is the ace of spades").lift()
    desk.lay(UIDS[0], tag(70)).expect("with the ace of spades: if that is one card, u takes it back")
    desk.type("u").expect("taken back: the ace of spades").expect("Lay the ace of spades")
    assert not (tmp_path / "blue.toml.part").exists()


def test_a_damaged_frame_is_no_tag(at_desk: AtDesk) -> None:
    """A UID that was read once beside the card is noise: the card is enrolled, and nothing is said."""
    desk = at_desk("blue.toml").expect("Lay the ace").lay("E004015011111111").swept(1)
    desk.lay(UIDS[0]).expect("✓ the ace of spades").expect("Lay the two")
    assert "✗" not in desk.text


# --- undo, skip, missing ------------------------------------------------------------------------------------


def test_undo(at_desk: AtDesk, tmp_path: Path) -> None:
    """The wrong card was laid: u takes it back, and both get their own places."""
    desk = (
        at_desk("blue.toml", "--open").lay_deck([UIDS[1]], FACES[:1]).type("u").expect("taken back: the ace")
    )
    desk.expect("Lay the ace of spades").lift().lay(UIDS[0]).expect("✓ the ace of spades")
    desk.lay(UIDS[1]).expect("✓ the two of spades").type("q").expect("2 of 52 are kept")
    assert desk.ends() == 130
    assert part(tmp_path)["cards"] == {UIDS[0]: "As", UIDS[1]: "2s"}


def test_nothing_to_take_back(at_desk: AtDesk) -> None:
    """u before the first card says so."""
    at_desk("blue.toml").expect("Lay the ace").type("u").expect(
        "nothing of this sitting is left to take back"
    )


def test_a_skipped_card_is_asked_for_again(at_desk: AtDesk, tmp_path: Path) -> None:
    """s leaves the king of clubs' neighbour out; it comes once more at the end, and the deck is whole."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:50], FACES[:50]).expect("Lay the queen of clubs").type("s")
    desk.expect("skipped: the queen of clubs").lay_deck([UIDS[51]], FACES[51:])
    desk.expect("Lay the queen of clubs").lay(UIDS[50]).expect("52 cards")
    assert desk.ends() == 0
    assert sorted(load_deck(tmp_path / "blue.toml").cards) == sorted(UIDS)


def test_a_missing_card(at_desk: AtDesk, tmp_path: Path) -> None:
    """Skipped twice it is missing: named, exit status 1, no deck file, and the same command finishes it later."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:51], FACES[:51]).expect("Lay the king of clubs")
    desk.type("s").expect("Lay the king of clubs").type("s").expect("1 card is missing: the king of clubs")
    assert desk.ends() == 1
    assert not (tmp_path / "blue.toml").exists()
    desk = at_desk("blue.toml").expect("after 51 of 52").expect("Lay the king of clubs").lay(UIDS[51])
    assert desk.expect("52 cards").ends() == 0
    assert len(load_deck(tmp_path / "blue.toml").cards) == 52


def test_a_joker_need_not_be_there(at_desk: AtDesk, tmp_path: Path) -> None:
    """Skipped jokers are left out, and the deck is whole without them."""
    desk = at_desk("blue.toml", "--jokers", 1).lay_deck(UIDS).expect("Lay joker 1 of 1").type("ss")
    assert desk.expect("52 cards, 0 jokers").ends() == 0
    assert load_deck(tmp_path / "blue.toml").jokers == frozenset()


# --- interruption -------------------------------------------------------------------------------------------


def test_interrupted_and_gone_on(at_desk: AtDesk, tmp_path: Path) -> None:
    """Ctrl-C after a suit: exit status 130, the terminal as before, and the same command goes on with the next."""
    desk = (
        at_desk("blue.toml")
        .lay_deck(UIDS[:13], FACES[:13])
        .type("\x03")
        .expect("stopped: 13 of 52 are kept in")
    )
    assert desk.ends() == 130
    assert termios.tcgetattr(desk._slave) == desk.before
    assert (tmp_path / "blue.toml.part").stat().st_mode & 0o077 == 0
    desk = at_desk("blue.toml").expect("after 13 of 52").expect("Lay the ace of hearts")
    desk.lay(UIDS[3]).expect("enrolled already: a card from before the interruption")
    desk.lay_deck(UIDS[13:], FACES[13:]).expect("52 cards")
    assert desk.ends() == 0
    assert sorted(load_deck(tmp_path / "blue.toml").cards) == sorted(UIDS)


def test_killed_and_gone_on(at_desk: AtDesk, tmp_path: Path) -> None:
    """SIGKILL leaves what was enrolled until then; an open deck still knows which card had which tag."""
    desk = at_desk("blue.toml", "--open").lay_deck(UIDS[:3], FACES[:3]).expect("Lay the four")
    desk.process.kill()
    desk.ends()
    desk = at_desk("blue.toml", "--open").expect("after 3 of 52").expect("Lay the four")
    desk.lay(UIDS[1]).expect("enrolled already: the two of spades")
    assert part(tmp_path)["cards"] == dict(zip(UIDS[:3], FACES, strict=False))


def test_what_a_blind_work_file_tells(at_desk: AtDesk, tmp_path: Path) -> None:
    """Tags in the order of their UIDs, places as they were done: neither says which tag lies at which place."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:20], FACES[:20]).type("q")
    assert desk.ends() == 130
    kept = part(tmp_path)
    assert (kept["mode"], kept["done"], list(kept["cards"])) == ("blind", list(FACES[:20]), sorted(UIDS[:20]))
    assert not set(kept["cards"].values()) & set(FACES)


def test_of_few_cards_a_blind_work_file_would_tell_too_much(at_desk: AtDesk, tmp_path: Path) -> None:
    """One place done and one tag is a name: before a suit is done nothing is kept, and that is said. After a step back
    from there the file is gone, too; a shuffled deck has no names to tell, and keeps its first card."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:12], FACES[:12]).expect("Lay the king")
    assert not (tmp_path / "blue.toml.part").exists()
    desk.lay(UIDS[12]).expect("✓ the king of spades").expect("13 of 52")
    assert len(part(tmp_path)["cards"]) == 13
    desk.type("uq").expect("stopped: nothing is kept: before 13 cards are done")
    assert desk.ends() == 130
    assert not (tmp_path / "blue.toml.part").exists()
    desk = at_desk("blue.toml", "--shuffled").expect("Lay card 1").lay(UIDS[0]).expect("✓ card 1")
    desk.type("q").expect("1 of 52 are kept in")
    assert desk.ends() == 130


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('mode = "blind"', 'mode = "open"', "mode = 'open': must be 'blind'"),
        ('order = "guided"', 'order = "any"', "order = 'any': must be 'guided'"),
        ('id = "blue"', 'id = "red"', "id = 'red': must be 'blue'"),
        ('"2s"', '"2x"', "done: must be a list of places of this order"),
        (', "2s"', "", "done = 12: must name as many places as there are tags, 13"),
        ("done = ", "done ", "not TOML"),
    ],
)
def test_a_work_file_that_does_not_fit(
    at_desk: AtDesk, tmp_path: Path, old: str, new: str, says: str
) -> None:
    """Another mode, order, deck, place, count, or no TOML: told with what would be right, before any card is laid."""
    assert at_desk("blue.toml").lay_deck(UIDS[:13], FACES[:13]).type("q").ends() == 130
    path = tmp_path / "blue.toml.part"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert text != path.read_text(encoding="utf-8")
    assert says in refused(tmp_path, "blue.toml", "--port", "x", "--driver", "tablewire")


def test_a_lost_board_loses_nothing(at_desk: AtDesk) -> None:
    """No reader answers for a while: the desk says so, and goes on when it is back."""
    desk = at_desk("blue.toml").lay_deck(UIDS[:1], FACES[:1])
    desk.board.silent = True
    desk.lay().expect("lost: no word from the board")
    desk.board.silent = False
    desk.expect("reader on").lay(UIDS[1]).expect("✓ the two of spades")


# --- two decks, the button, bad usage -----------------------------------------------------------------------


def test_a_tag_belongs_to_one_deck(at_desk: AtDesk, tmp_path: Path) -> None:
    """Enrolling the red deck, a card of the blue one is refused by the deck's name; so is the dealer button's tag."""
    blue = Deck("blue", {uid: f"token{n}" for n, uid in enumerate(UIDS)}, frozenset({tag(60)}))
    (tmp_path / "blue.toml").write_text(deck_as_toml(blue), encoding="utf-8")
    config = table(tmp_path, extra=f'button_tags = ["{tag(90)}"]\n')
    desk = at_desk("red.toml", "--table", config).expect("Lay the ace")
    desk.lay(UIDS[5]).expect("this card is enrolled in deck blue; a tag belongs to one deck")
    desk.lay(tag(60)).expect("enrolled in deck blue").lay(tag(90)).expect("the tag of the dealer button")
    desk.lay(tag(101)).expect("✓ the ace of spades")


def test_a_deck_beside_it_counts_too(at_desk: AtDesk, tmp_path: Path) -> None:
    """Without a configuration the deck files in the same folder are looked at."""
    (tmp_path / "green.toml").write_text(deck_as_toml(Deck("green", {UIDS[0]: "x"})), encoding="utf-8")
    at_desk("red.toml").expect("Lay the ace").lay(UIDS[0]).expect("this card is enrolled in deck green")


def test_bad_usage(tmp_path: Path) -> None:
    """Every way to ask for what cannot be is one sentence on what is right, and exit status 2."""
    blue = deck_as_toml(Deck("blue", {uid: f"token{n}" for n, uid in enumerate(UIDS)}))
    (tmp_path / "blue.toml").write_text(blue, encoding="utf-8")
    config = table(tmp_path)
    here = ("--port", "x", "--driver", "tablewire")
    for arguments, says in (
        (("red.toml",), "either --table FILE (and --at ZONE), or --port PORT --driver NAME"),
        (("red.toml", "--table", config, "--port", "x"), "either --table FILE"),
        (("red.toml", "--port", "x"), "--driver is missing: must be one of tablewire"),
        (("red.toml", "--port", "x", "--driver", "nfc"), "--driver nfc: must be one of tablewire"),
        (("red.toml", "--antenna", 32, *here), "--antenna 32: a tablewire board has antennas 0 to 31"),
        (("red.toml", "--table", config, "--at", "muck"), "no antenna there; it has shoe, seat:1, seat:2"),
        (("red.toml", "--table", config, "--open"), "is blind; its deck files must not name the cards"),
        (("red.toml", "--table", "none.toml"), "none.toml: no such file"),
        (("red.toml", "--id", "blue", *here), "'blue' is the name of another deck here"),
        (("blue.toml", *here), "this deck is enrolled; --verify counts it, --spare adds to it, --anew"),
        (("none/red.toml", *here), "none: there is no such folder"),
        (("red.toml", "--shuffled", "--open", *here), "an open deck needs its cards' names"),
        (("red.toml", "--verify", *here), "red.toml: no such file"),
        (("blue.toml", "--verify", "--spare", *here), "--verify counts a deck, --spare adds cards"),
        (("blue.toml", "--verify", "--jokers", 1, *here), "are for a deck that is being enrolled"),
    ):
        assert says in refused(tmp_path, *arguments)


# --- spares -------------------------------------------------------------------------------------------------


@pytest.fixture
def blue(tmp_path: Path) -> Deck:
    """An enrolled blind deck with two jokers."""
    deck = Deck("blue", {uid: f"token{n}" for n, uid in enumerate(UIDS)}, frozenset({tag(60), tag(61)}))
    (tmp_path / "blue.toml").write_text(deck_as_toml(deck), encoding="utf-8")
    return deck


def test_a_spare_is_equal_to_its_card(at_desk: AtDesk, tmp_path: Path, blue: Deck) -> None:
    """First the worn card, then the new one: the new tag gets the same token, everything else stays."""
    desk = (
        at_desk("blue.toml", "--spare")
        .expect("Lay the card that gets a spare")
        .lay(UIDS[7])
        .expect("Now lay its")
    )
    desk.lay(tag(80)).expect("✓ the spare is enrolled").type("q")
    assert desk.ends() == 0
    now = load_deck(tmp_path / "blue.toml")
    assert (dict(now.cards), now.jokers) == ({**blue.cards, tag(80): "token7"}, blue.jokers)


def test_a_spare_for_a_card_whose_tag_is_dead(at_desk: AtDesk, tmp_path: Path, blue: Deck) -> None:
    """All the other cards are laid, and the new one stands for the one that did not come."""
    desk = at_desk("blue.toml", "--spare").expect("Lay the card")
    for count, uid in enumerate([*UIDS[:20], *UIDS[21:51]], start=1):
        desk.lay(uid).expect(f"{count} of 52")
    desk.lay(UIDS[51]).expect("One card did not come").lay(tag(80)).expect("✓ the spare is enrolled").type(
        "q"
    )
    assert desk.ends() == 0
    assert load_deck(tmp_path / "blue.toml").cards[tag(80)] == blue.cards[UIDS[20]]


def test_a_spare_for_nobody(at_desk: AtDesk, tmp_path: Path, blue: Deck) -> None:
    """A new card first, or after two old ones, stands for none; nor is a joker or a strange type a spare."""
    desk = (
        at_desk("blue.toml", "--spare").expect("Lay the card").lay(tag(80)).expect("lay the card first that")
    )
    desk.lay(UIDS[0]).expect("Now lay its").lay(UIDS[1]).expect("50 to go").lay(tag(80)).expect(
        "lay the card first"
    )
    desk.type("u").expect("Lay the card that gets").lay(tag(60)).expect("this is a joker")
    desk.lay(UIDS[2]).expect("Now lay its").lay(NFC).expect("of another type").type("q")
    assert desk.ends() == 0
    assert load_deck(tmp_path / "blue.toml") == blue


# --- verify -------------------------------------------------------------------------------------------------


def test_a_whole_deck_is_counted(at_desk: AtDesk, tmp_path: Path, blue: Deck) -> None:
    """Every card passes the shoe, and Enter ends it: whole, exit status 0, no UID and no name shown."""
    desk = at_desk("blue.toml", "--verify", "--table", table(tmp_path)).expect("Let every card pass")
    for count, uid in enumerate(UIDS, start=1):
        desk.lay(uid).expect(f"{count} of 52")
    desk.lift().type("\n").expect("52 of 52 cards were seen, 0 of 2 jokers").expect("✓ the deck is whole")
    assert desk.ends() == 0
    assert not any(uid in desk.text for uid in UIDS)


def test_two_cards_are_missing(at_desk: AtDesk, tmp_path: Path, blue: Deck) -> None:
    """Two did not pass: exit status 1 and their number, for a blind table can say no more."""
    desk = at_desk("blue.toml", "--verify").expect("Let every card pass")
    for count, uid in enumerate(UIDS[2:], start=1):
        desk.lay(uid).expect(f"{count} of 52")
    desk.lift().type("\n").expect("50 of 52 cards were seen").expect("✗ 2 cards are missing")
    assert desk.ends() == 1
    assert "missing:" not in desk.text


def test_an_open_table_names_what_is_missing(at_desk: AtDesk, tmp_path: Path) -> None:
    """The same at an open table: the king of clubs is missing, the ace of spades is there twice."""
    cards = {**dict(zip(UIDS, FACES, strict=True)), tag(80): "As"}
    (tmp_path / "blue.toml").write_text(deck_as_toml(Deck("blue", cards)), encoding="utf-8")
    desk = at_desk("blue.toml", "--verify", "--table", table(tmp_path, "open")).expect("Let every card pass")
    for count, uid in enumerate(UIDS[:51], start=1):
        desk.lay(uid).expect(f"{count} of 52")
    desk.lay(tag(80)).expect("1 card is there twice").lift().type("\n")
    desk.expect("✗ 1 card is missing: the king of clubs").expect("✗ 1 card is there twice: the ace of spades")
    assert desk.ends() == 1


def test_strange_cards_are_told(at_desk: AtDesk, tmp_path: Path, blue: Deck) -> None:
    """One of the red deck, one of no deck: told at once, and at the end; noise and the button are none."""
    (tmp_path / "red.toml").write_text(deck_as_toml(Deck("red", {tag(90): "x"})), encoding="utf-8")
    config = table(tmp_path, extra=f'button_tags = ["{tag(92)}"]\n')
    desk = at_desk("blue.toml", "--verify", "--table", config).expect("Let every card pass")
    desk.lay(tag(90)).expect("✗ 1 card of deck red").lay(tag(91)).expect("✗ 1 card of no deck of this table")
    desk.lay(tag(92)).swept().lay("E004015022222222").swept(1)
    for count, uid in enumerate(UIDS, start=1):
        desk.lay(uid).expect(f"{count} of 52")
    desk.type("\n").expect("52 of 52").expect("✗ 1 card of no deck of this table").expect(
        "✗ 1 card of deck red"
    )
    assert desk.ends() == 1


def test_without_a_keyboard_a_count_ends_by_itself(at_desk: AtDesk, blue: Deck) -> None:
    """Started by a script: once all cards were seen there is nobody to press Enter."""
    desk = at_desk("blue.toml", "--verify", keyboard=False)
    for count, uid in enumerate(UIDS, start=1):
        desk.lay(uid).expect(f"{count} of 52")
    assert desk.expect("✓ the deck is whole").ends() == 0
