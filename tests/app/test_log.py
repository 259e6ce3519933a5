"""What a table says on standard error of tags and tokens: their ends, enough to compare two, too few to know one."""

from __future__ import annotations

import logging

import pytest

from tablectl.app.log import OneLine, discreet, identities, without_hex
from tablectl.cards import Deck

UIDS = {
    "iso15693": "E004015012345601",
    "nfc": "04A1B2C3D4E5F6",
    "ten bytes": "04A1B2C3D4E5F6071829",
    "short": "A1B2C3D4",
}
TOKEN = "9f3c61d07a52be84"
KNOWN = identities([Deck("blue", dict.fromkeys(UIDS.values(), TOKEN), frozenset({"E004015099990001"}))])


@pytest.mark.parametrize("uid", [*UIDS.values(), "E004015099990001"])
def test_a_tag_of_a_deck_is_shortened(uid: str) -> None:
    """Of every length, a joker's too, in either case, wherever it stands: only its last four digits are left."""
    for text in (f"{uid}", f"tag {uid.lower()}: twice", f"('{uid}',)", f"reader 1: {uid}={uid}"):
        said = discreet(text, KNOWN)
        assert uid.upper() not in said.upper()
        assert f"…{uid[-4:]}".upper() in said.upper()


def test_a_token_is_shortened() -> None:
    """It would tell equal cards: its end alone stays."""
    assert discreet(f"card {TOKEN} is there", KNOWN) == "card …be84 is there"


def test_a_tag_of_no_deck_is_shortened_by_its_looks() -> None:
    """Nobody enrolled it: what has the length and the letters of a UID is one. Words, numbers and hashes stay."""
    assert discreet("foreign E004015077777777", KNOWN) == "foreign …7777"
    plain = "reader00 silent for 12345678 ms, boot 0011223344, commit deadbeefdeadbeef"
    assert discreet(plain, KNOWN) == plain
    assert without_hex("line 3: e004015077777777 twice") == "line 3: …7777 twice"


def test_a_library_that_fails_with_a_tag_in_its_words(caplog: pytest.LogCaptureFixture) -> None:
    """An exception out of anywhere becomes one line, which goes the same way."""
    lines: list[str] = []
    handler = OneLine(lambda text: lines.append(discreet(text, KNOWN)))
    logger = logging.getLogger("tablectl.test")
    logger.addHandler(handler)
    try:
        raise ValueError(f"bad tag {UIDS['iso15693']}\nin two lines")
    except ValueError:
        logger.exception("the reader stopped")
    finally:
        logger.removeHandler(handler)
    assert lines == ["tablectl.test: the reader stopped: ValueError: bad tag …5601 in two lines"]
