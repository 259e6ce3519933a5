"""The second file of a blind enrolment: which token is which card, for the private audit key alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from enrol_desk import FACES, AtDesk, refused, tag

from tablectl.audit import names
from tablectl.config.decks import load_deck
from tablectl.errors import SealError
from tablectl.sealed import AuditSecret, keygen

UIDS = [tag(n) for n in range(1, 53)]
HERE = ("--port", "x", "--driver", "tablewire")


@pytest.fixture
def secret(tmp_path: Path) -> AuditSecret:
    """A new audit key, whose public part is at the desk: audit.pub."""
    made = keygen()
    made.public.write(tmp_path / "audit.pub")
    return made


def everything(folder: Path) -> str:
    """All files at the desk, as text."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def test_two_files(at_desk: AtDesk, tmp_path: Path, secret: AuditSecret) -> None:
    """The deck file has tokens, DECK.sealed the names: the private key names every card, and nothing else does.
    Enrolled anew the deck has other tokens, and those of earlier nights keep their names."""
    desk = at_desk("blue.toml", "--audit-key", "audit.pub").lay_deck(UIDS)
    desk.expect("blue.toml.sealed: the names, sealed to audit key " + secret.public.fingerprint)
    assert desk.ends() == 0
    deck = load_deck(tmp_path / "blue.toml")
    found = names.read([tmp_path / "blue.toml.sealed"], secret)
    assert [found.card(deck.cards[uid]) for uid in UIDS] == list(FACES)
    assert not any(f'"{face}"' in everything(tmp_path) for face in FACES)
    with pytest.raises(SealError, match="not to"):
        names.read([tmp_path / "blue.toml.sealed"], keygen())
    desk = at_desk("blue.toml", "--audit-key", "audit.pub", "--anew").lay_deck(UIDS[::-1])
    assert desk.expect("✓ blue.toml:").ends() == 0
    anew, found = load_deck(tmp_path / "blue.toml"), names.read([tmp_path / "blue.toml.sealed"], secret)
    assert [found.card(anew.cards[uid]) for uid in UIDS[::-1]] == list(FACES)
    assert [found.card(deck.cards[uid]) for uid in UIDS] == list(FACES)


def test_an_interrupted_enrolment_keeps_its_names(
    at_desk: AtDesk, tmp_path: Path, secret: AuditSecret
) -> None:
    """Stopped twice: each sitting seals what it laid, the work file holds no name, and in the end all are there. What
    was taken back is not among them."""
    at = ("blue.toml", "--audit-key", "audit.pub")
    desk = at_desk(*at).lay_deck([*UIDS[:13], tag(70)], FACES[:14]).type("u").expect("taken back").type("q")
    assert desk.ends() == 130
    kept = tomllib.loads((tmp_path / "blue.toml.part").read_text(encoding="utf-8"))
    assert kept["audit_key"] == secret.public.fingerprint
    assert len(kept["sealed"]) == 1
    assert not set(kept["cards"].values()) & set(FACES)
    assert "--audit-key" in refused(tmp_path, "blue.toml", *HERE)
    assert at_desk(*at).expect("after 13").lay_deck(UIDS[13:20], FACES[13:20]).type("q").ends() == 130
    assert at_desk(*at).expect("after 20").lay_deck(UIDS[20:], FACES[20:]).expect("✓ blue.toml").ends() == 0
    deck = load_deck(tmp_path / "blue.toml")
    found = names.read([tmp_path / "blue.toml.sealed"], secret)
    assert [found.card(deck.cards[uid]) for uid in UIDS] == list(FACES)
    assert len(found.cards) == 52


def test_without_a_key_it_is_said_before_the_first_card(at_desk: AtDesk, tmp_path: Path) -> None:
    """Fifty-two cards later is too late: what will not be possible is the first thing on the screen."""
    desk = at_desk("blue.toml").expect("no audit key (--audit-key FILE): nobody can ever name these cards")
    desk.expect("audit open and export will say ??").expect("Lay the ace of spades")
    desk = at_desk("blue.toml", "--shuffled").expect("shuffled: nobody can ever name these cards")
    desk.expect("Lay card 1")
    assert not list(tmp_path.glob("*.sealed"))


def test_keys_that_do_not_fit(tmp_path: Path, secret: AuditSecret) -> None:
    """The private part, no key, a deck that needs none: one sentence on what is right, before any card is laid."""
    secret.write(tmp_path / "audit.key")
    (tmp_path / "notes.txt").write_text("audit", encoding="utf-8")
    for arguments, says in (
        (("--audit-key", "audit.key"), "this is a tablectl audit key, PRIVATE: never on a table; needed is"),
        (("--audit-key", "notes.txt"), "notes.txt: this is no key of tablectl"),
        (("--audit-key", "none.pub"), "none.pub: No such file"),
        (("--audit-key", "audit.pub", "--open"), "the file of an open deck names the cards"),
        (("--audit-key", "audit.pub", "--shuffled"), "with --shuffled nobody knows the names"),
        (("--audit-key", "audit.pub", "--verify"), "are for a deck that is being enrolled"),
    ):
        assert says in refused(tmp_path, "blue.toml", *arguments, *HERE)


@pytest.mark.parametrize("damage", ["first", "line", "box", "swap"])
def test_a_damaged_file_is_named(tmp_path: Path, secret: AuditSecret, damage: str) -> None:
    """Another first line, a line that is no box, a box that was altered, a token with two cards: never a wrong name."""
    path = tmp_path / "blue.toml.sealed"
    names.add(path, [names.box_of(secret.public, "blue", {"t1": "As", "t2": "Kd"})])
    assert names.read([path], secret).cards == {"t1": "As", "t2": "Kd"}
    lines = path.read_text(encoding="utf-8").splitlines()
    match damage:
        case "first":
            lines[0] = "id = 1"
        case "line":
            lines.append("cards")
        case "box":
            lines[1] = lines[1][:-9] + ("A" if lines[1][-9] != "A" else "B") + lines[1][-8:]
        case "swap":
            lines.append("box " + names.box_of(secret.public, "blue", {"t1": "Kd"}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(SealError, match=str(path)):
        names.read([path], secret)
