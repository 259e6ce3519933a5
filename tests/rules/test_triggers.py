"""Every trigger of rules.md §9, under every book that comes with tablectl: found, and answered by that book alone.

The positive of each is played on a felt, written down as a recording, read back and replayed by a fresh table. The
near miss stays silent. Which rule answers, and with what verdict, is for the tests of each book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from felt import DECK_WITH_TWIN, RED, TWIN, Felt, uid
from hands import ALL_FOLD, Hand, called, faces, flopped, replayed
from stud_felt import StudFelt

from tablectl import rulebooks
from tablectl.core.decisions import KINDS, Irregularity, Ruling

BOOKS = rulebooks.known()
Play = Callable[[Felt], Any]


@dataclass(frozen=True)
class Trigger:
    """What shows it, what only looks like it, and what the table must have."""

    shows: Play
    near: Play
    options: Mapping[str, Any] = field(default_factory=dict)

    def felt(self, book: str) -> Felt:
        """The table under that book, nothing dealt yet."""
        return Hand(self.shows, {**self.options, "book": book}).felt()


def odd(card: str) -> Play:
    """That card comes third."""

    def play(felt: Felt) -> None:
        felt.deal_round([1, 2])
        felt.stub.insert(0, card)
        felt.deal(3)
        felt.wait(600)

    return play


def entered(do: str, before: Play = Felt.deal_all, **args: Any) -> Play:
    """An input, after that."""
    return lambda felt: before(felt) and felt.enter(do, **args).wait(300)


def dropped(felt: Felt) -> None:
    """The third card falls off the table."""
    felt.deal_round([1, 2])
    felt.stub.pop(0)
    felt.wait(10_000)


def held_up(felt: Felt) -> None:
    """The third card reaches its seat after two seconds."""
    felt.deal_round([1, 2])
    card = felt.stub.pop(0)
    felt.wait(2000).put(card, 3)
    felt.wait(1000).deal_round([4, 5, 6]).wait(1500)


def corrected(felt: Felt, right: int = 1, wrong: int = 2) -> None:
    """A card is put right at once."""
    card = felt.deal(wrong, wait=300)
    felt.put(card, right)
    felt.wait(1500)


def face_up(felt: Felt) -> None:
    """The third card lies face up in the deck."""
    felt.deal_round([1, 2])
    felt.deal(3, face="up")
    felt.wait(600)


def unread_at_the_shoe(felt: Felt) -> None:
    """Only the seat reads the third card, a second after it went by."""
    felt.wait(600).deal_round([1, 2])
    card = felt.stub.pop(0)
    felt.stub.insert(0, "")
    felt.t += 100
    felt.passes().wait(900)
    felt.stub.pop(0)
    felt.put(card, 3)
    felt.wait(600).deal_round([4, 5, 6]).wait(3500)


def redealt(felt: Felt, button: int = 6) -> None:
    """The first card goes wrong, the deck is gathered and dealt again."""
    felt.deal(2)
    felt.wait(800).enter(
        "override", irregularity="i1", verdict="misdeal", why="dealt wrong", who="floor"
    ).collect()
    felt.enter("button", seat=button).deal_round([button % 6 + 1, (button + 1) % 6 + 1]).wait(1000)


def remedied(felt: Felt) -> None:
    """The floor has seat 3's hand killed: its cards go to the muck, and the hand goes on."""
    felt.deal_all().enter("exposed", seat=3, by="player").wait(300)
    felt.enter("override", irregularity="i1", verdict="dead", why="shown", who="floor").move(3, "muck").wait(
        5000
    )


OPTICAL = {"optical": True}

TRIGGERS: Mapping[str, Trigger] = {
    "not_shuffled": Trigger(
        lambda f: f.enter("cut_done").deal(1),
        lambda f: f.enter("shuffle_done").deal(1),
        {"confirms": ("shuffle",)},
    ),
    "not_cut": Trigger(
        lambda f: f.enter("shuffle_done").deal(1),
        lambda f: f.enter("cut_done").deal(1),
        {"confirms": ("cut",)},
    ),
    "exposed_in_cut": Trigger(
        lambda f: f.enter("cut_exposed", count=1).deal(1), lambda f: f.enter("cut_done").deal(1)
    ),
    "wrong_first_seat": Trigger(lambda f: f.deal(2) and f.wait(800), corrected),
    "wrong_seat": Trigger(
        lambda f: f.deal_round([1, 2, 6]).wait(1500),
        lambda f: corrected(f.deal_round([1, 2]), right=3, wrong=4),
    ),
    "ineligible_seat": Trigger(
        lambda f: f.enter("seats", eligible=[1, 2, 3, 5, 6]).deal_round([1, 2, 3, 4]).wait(800),
        lambda f: f.enter("seats", eligible=[1, 2, 3, 5, 6]).deal_round([1, 2, 3, 5]).wait(800),
    ),
    "seat_skipped": Trigger(
        lambda f: f.deal_round([1, 2, 4, 5, 6, 1, 2]).wait(1500),
        lambda f: f.enter("seats", eligible=[1, 2, 4, 5, 6]).deal_round([1, 2, 4, 5, 6, 1, 2]).wait(1500),
    ),
    "too_few_cards": Trigger(
        lambda f: f.deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]).wait(500).acts((3, "call")).wait(2500),
        lambda f: f.deal_all().wait(500).acts((3, "call")).wait(2500),
    ),
    "too_many_cards": Trigger(
        lambda f: f.deal_all().deal(3) and f.wait(800), lambda f: f.deal_all().wait(800)
    ),
    "button_misplaced": Trigger(lambda f: redealt(f, 1), redealt),
    "exposed_card": Trigger(
        entered("exposed", seat=3, by="dealer"), entered("note", text="nothing fell open")
    ),
    "boxed_card": Trigger(face_up, lambda f: f.deal_all().wait(3000), OPTICAL),
    "duplicate_card": Trigger(odd(TWIN), lambda f: f.deal_all().wait(600), {"deck": DECK_WITH_TWIN}),
    "foreign_card": Trigger(
        odd(next(iter(RED.cards))),
        lambda f: f.put("E004DEADBEEF0001", 4) or f.wait(2000).deal_all().wait(600),
    ),
    "untagged_card": Trigger(
        lambda f: f.wait(600).strip(2).deal_all().wait(3500), unread_at_the_shoe, OPTICAL
    ),
    "joker": Trigger(odd(uid(100)), lambda f: f.deal_all().wait(600)),
    "missing_card": Trigger(entered("stub_count", count=39), entered("stub_count", count=40)),
    "damaged_card": Trigger(entered("damaged"), entered("note", text="a card looks worn")),
    "premature_card": Trigger(
        lambda f: flopped(f).street().wait(1000), lambda f: called(f).flop().call_round().street().wait(1000)
    ),
    "too_many_board_cards": Trigger(lambda f: called(f).flop(4), lambda f: called(f).flop(3).wait(1500)),
    "too_few_board_cards": Trigger(
        lambda f: called(f).flop(2).wait(2000).call_round().deal("burn", wait=1500),
        lambda f: called(f).flop(2).wait(300).deal("board", wait=1500),
    ),
    "burn_missing": Trigger(
        lambda f: called(f).flop(burn=False).wait(1500), lambda f: called(f).flop().wait(1500)
    ),
    "burn_extra": Trigger(
        lambda f: called(f).deal("burn", wait=800) and f.deal("burn", wait=800),
        lambda f: called(f).deal("burn", wait=1600),
    ),
    "hand_mucked": Trigger(
        lambda f: f.deal_all().acts((3, "call")).move(4, "muck").wait(4500),
        lambda f: f.deal_all().acts((3, "call"), (4, "fold")).wait(4500),
    ),
    "card_lost": Trigger(dropped, held_up),
    "card_in_other_hand": Trigger(
        lambda f: f.deal_all().put(f.at(2)[0], 3) or f.wait(2500),
        lambda f: f.deal_all().put(f.at(2)[0], None) or f.wait(2500),
    ),
    "dealt_after_end": Trigger(
        lambda f: f.deal_all().acts(*ALL_FOLD).flop(burn=False).wait(500),
        lambda f: f.deal_all().acts(*ALL_FOLD).wait(2000),
    ),
    "stub_short": Trigger(entered("stub_count", flopped, count=3), entered("stub_count", flopped, count=4)),
    "stub_disordered": Trigger(entered("stub_disordered"), entered("note", text="the stub was touched")),
    "up_card_error": Trigger(faces({4: (False, True, True)}), faces({}), {"game": "stud7", "halves": True}),
    "remedy_not_followed": Trigger(lambda f: f, remedied),
}
"""Kind → how it is shown. What a remedy is differs by book: see `LEFT`."""

SHUFFLED_IN = ("tda2024", "wsop2026")
"""Books that shuffle a premature turn into the stub and deal it again without a burn; the others set it aside, and
burn before the next one. The Russian one has no remedy of which a second step could be left out."""


def test_every_kind_of_the_contract_has_its_pair() -> None:
    """No trigger is left out, none is tested that is not there."""
    assert set(TRIGGERS) == set(KINDS)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("kind", [kind for kind in TRIGGERS if kind != "remedy_not_followed"])
def test_the_trigger_is_found_and_the_book_answers(kind: str, book: str) -> None:
    """Once, and with a ruling of this book, or with its silence; never with another one's rule."""
    trigger = TRIGGERS[kind]
    felt = trigger.felt(book)
    trigger.shows(felt)
    decisions = replayed(felt, book)
    found = [each for each in decisions if type(each) is Irregularity and each.kind == kind]
    assert len(found) == 1
    rulings = [each for each in decisions if isinstance(each, Ruling)]
    assert rulings
    ids = {rule.id for rule in rulebooks.load(book).rules}
    for ruling in rulings:
        silent = ruling.verdict == "floor" and "this rulebook has no rule for" in (ruling.hint or "")
        floor = ruling.who is not None
        assert ruling.rulebook == book
        assert floor or (ruling.rule in ids if ruling.rule is not None else silent)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("kind", TRIGGERS)
def test_what_only_looks_like_it_is_silent(kind: str, book: str) -> None:
    """The near miss raises no irregularity of that kind, and is not ruled."""
    trigger = TRIGGERS[kind]
    felt = trigger.felt(book)
    trigger.near(felt)
    assert kind not in felt.kinds()


@pytest.mark.parametrize("followed", [False, True])
@pytest.mark.parametrize("book", [book for book in BOOKS if book != "ru"])
def test_a_remedy_that_is_left_halfway_is_told(book: str, *, followed: bool) -> None:
    """The premature turn is taken away as ordered; then a burn too many, or none where one is due, from a recording."""
    felt = flopped(Felt(book=book)).acts((1, "check")).street()
    early = felt.at("board")[-1]
    if book in SHUFFLED_IN:
        felt.call_round().into_stub([early], at=10).enter("shuffle_done").enter("cut_done")
    else:
        felt.put(early, None)
        felt.wait(2000).call_round()
    felt.street(burn=(book in SHUFFLED_IN) is not followed).wait(500)
    told = [each.kind for each in replayed(felt, book) if type(each) is Irregularity]
    assert told == ["premature_card", *([] if followed else ["remedy_not_followed"])]


@pytest.mark.parametrize("verdict", ["misdeal", "void"])
@pytest.mark.parametrize("kind", [kind for kind in TRIGGERS if kind != "remedy_not_followed"])
def test_a_hand_that_the_floor_voids_keeps_its_reason(kind: str, verdict: str) -> None:
    """Whatever the irregularity was: it stays told, once, while the cards lie and while they are collected."""
    felt = TRIGGERS[kind].felt("nl")
    TRIGGERS[kind].shows(felt)
    told = [d["id"] for d in felt.of("irregularity")]
    [slip] = [d["id"] for d in felt.of("irregularity") if d["kind"] == kind]
    cleared = felt.of("cleared")
    felt.enter("override", irregularity=slip, verdict=verdict, why="so it is", who="Floor 2").wait(2000)
    felt.collect().enter("shuffle_done").enter("cut_done").wait(500)
    assert [d["id"] for d in felt.of("irregularity")] == told
    assert felt.of("cleared") == cleared
    assert (felt.of("ruling")[-1]["verdict"], felt.of("ruling")[-1]["who"]) == (verdict, "Floor 2")


def test_a_misdeal_for_up_cards_is_told_once() -> None:
    """RU-9: the third card comes up after the second did. The misdeal stands until the cards are dealt again."""
    felt = StudFelt(book="ru", halves=True)
    faces({4: (False, True, True)})(felt)
    felt.wait(3000)
    assert felt.rulings() == [("RU-9", "correct"), ("RU-9", "misdeal")]
    assert (felt.kinds(), felt.of("cleared")) == (["up_card_error"], [])
    felt.collect().enter("shuffle_done").enter("cut_done").opening().wait(1500)
    assert (felt.kinds(), felt.of("cleared")) == (["up_card_error"], [])
    assert felt.of("remedy")[-1]["event"] == "complete"
