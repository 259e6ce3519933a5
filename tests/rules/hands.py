"""Hands that go wrong, each dealt on a felt, written down as a recording, read back, and decided by any book.

A hand is played once. What the readers and the dealer sent goes through the lines of a recording into a fresh table
for each book, so that nothing but the recording and the book can make the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from felt import DECK_WITH_TWIN, RED, TWIN, Felt, uid
from stud_felt import StudFelt

from tablectl import recording
from tablectl.app import table_of
from tablectl.config import from_recording
from tablectl.core.decisions import Decision, Ruling
from tablectl.core.sensed import Entry
from tablectl.core.table import Table

Play = Callable[[Any], Any]
CALLS = ((3, "call"), (4, "call"))
SA = ((3, "raise"), (4, "call"))
ALL_FOLD = ((3, "fold"), (4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"))


@dataclass(frozen=True)
class Hand:
    """What happens, at which table, and what the dealer answers if he is asked."""

    play: Play
    options: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=lambda: {"looked_at": False, "flop_exposed": True})

    def felt(self) -> Felt:
        """The table, nothing dealt yet."""
        options = dict(self.options)
        game = options.pop("game", "holdem")
        return StudFelt(game, **options) if game.startswith("stud") else Felt(game=game, **options)


def lines_of(felt: Felt, book: str) -> list[dict[str, Any]]:
    """The recording of what the felt's readers and dealer sent, at a table with that book: its header, its events."""
    setting = felt.table.setting
    antennas: dict[int, dict[str, str]] = {}
    for (reader, antenna), zone in felt.antennas.items():
        antennas.setdefault(reader, {})[str(antenna)] = zone
    table = {
        "id": "T1", "seats": setting.layout.seats, "game": setting.game, "rulebook": book, "mode": setting.mode,
        "betting": setting.betting, "confirms": sorted(setting.confirms), "dealt_by": setting.dealt_by,
    }  # fmt: skip
    readers = [{"driver": "tablewire", "port": "-", "antennas": each} for _, each in sorted(antennas.items())]
    head = recording.header({"table": table, "reader": readers}, setting.decks, setting.active_deck)
    return [head, *(recording.dump(event) for event in felt.events)]


def replayed(felt: Felt, book: str) -> list[Decision]:
    """What a fresh table concludes from that recording."""
    return _table_and_decisions(lines_of(felt, book))[1]


def _table_and_decisions(lines: Sequence[Mapping[str, Any]]) -> tuple[Table, list[Decision]]:
    head, events = recording.from_objects(lines[0], list(lines[1:]), strict=True)
    fresh = table_of(from_recording(head.config, head.decks, head.active_deck))
    return fresh, [decision for event in events for decision in fresh.step(event)]


@cache
def _played(name: str) -> Felt:
    felt = HANDS[name].felt()
    HANDS[name].play(felt)
    return felt


def decided(name: str, book: str) -> list[Decision]:
    """What the book concludes from the recording of that hand, once its questions are answered."""
    felt, answers = _played(name), HANDS[name].answers
    table, decisions = _table_and_decisions(lines_of(felt, book))
    while asked := [
        each["question"]
        for each in table.view()["irregularities"]
        if each["question"] and each["question"]["fact"] in answers
    ]:
        answer = {"question": asked[0]["id"], "value": answers[asked[0]["fact"]]}
        decisions += table.step(Entry(felt.t, "answer", answer))
    return decisions


@cache
def rulings(name: str, book: str) -> tuple[Ruling, ...]:
    """The last ruling on each irregularity of the hand, the latest of them last."""
    last: dict[str, Ruling] = {}
    for each in decided(name, book):
        if isinstance(each, Ruling):
            last.pop(each.irregularity, None)
            last[each.irregularity] = each
    return tuple(last.values())


# --- what happens -------------------------------------------------------------------------------------------


def called(felt: Felt) -> Felt:
    """The deal, and the betting before the flop."""
    return felt.deal_all().call_round()


def flopped(felt: Felt) -> Felt:
    """The same with a flop in order."""
    return called(felt).flop()


def turned(felt: Felt) -> Felt:
    """The same with the betting on it and a turn in order."""
    return flopped(felt).call_round().street()


def entered(do: str, *acts: tuple[int, str], **args: Any) -> Play:
    """A deal, these actions, and an input."""
    return lambda felt: felt.deal_all().acts(*acts).enter(do, **args).wait(300)


def burnt(felt: Felt, burns: int) -> Felt:
    """So many burns, one after the other."""
    for _ in range(burns):
        felt.deal("burn", wait=800)
    return felt


def burn_error(before: Play, burns: int, *acts: tuple[int, str], cards: int = 1) -> Play:
    """A street after so many burns, and these actions on it."""

    def play(felt: Felt) -> None:
        burnt(before(felt), burns)
        for _ in range(cards):
            felt.deal("board", wait=100)
        felt.wait(2000).acts(*acts)

    return play


def dealt_to(seats: Sequence[int], *acts: tuple[int, str]) -> Play:
    """Cards to these seats, one after the other, and these actions."""
    return lambda felt: felt.deal_round(seats).wait(2000).acts(*acts).wait(2500)


def whole(*extra: int) -> list[int]:
    """A correct deal, and these seats after it."""
    return [1, 2, 3, 4, 5, 6] * 2 + list(extra)


def shown(seats: Sequence[int], *opened: tuple[int, int], acts: Sequence[tuple[int, str]] = ()) -> Play:
    """Cards to these seats; the dealer exposes those (seat, k)."""

    def play(felt: Felt) -> None:
        felt.deal_round(seats).wait(500).acts(*acts)
        for seat, k in opened:
            felt.enter("exposed", seat=seat, by="dealer", k=k).wait(300)

    return play


def odd(card: str, *acts: tuple[int, str]) -> Play:
    """That card comes fourth; the deal goes on, and these act."""

    def play(felt: Felt) -> None:
        felt.deal_round([1, 2, 3])
        felt.stub.insert(0, card)
        felt.deal_round([4, 5, 6, 1, 2, 3, 4, 5, 6]).wait(1500).acts(*acts).wait(500)

    return play


def face_up(*at: int, acts: Sequence[tuple[int, str]] = ()) -> Play:
    """Those cards (by `k`) lie face up in the deck; with actions, all cards are dealt."""

    def play(felt: Felt) -> None:
        felt.wait(600)
        for k in range(1, (12 if acts else max(at)) + 1):
            felt.deal((k - 1) % 6 + 1, face="up" if k in at else "down")
        felt.wait(1500).acts(*acts)

    return play


def face_up_later(felt: Felt) -> None:
    """Card 5 lies face up, and after two calls the second card of the flop does."""
    face_up(5, acts=CALLS)(felt)
    felt.call_round().deal("burn")
    for face in ("down", "up", "down"):
        felt.deal("board", wait=200, face=face)
    felt.wait(2500)


def unconfirmed(*acts: tuple[int, str]) -> Play:
    """The cut is confirmed, the shuffle is not; the cards are dealt."""
    return lambda felt: felt.enter("cut_done").deal_all().wait(500).acts(*acts)


def button_elsewhere(*acts: tuple[int, str]) -> Play:
    """A hand with the button at seat 6; the next one with it at seat 3, where seat 1 is due."""

    def play(felt: Felt) -> None:
        felt.deal_all().acts(*ALL_FOLD).wait(500).enter("hand_end").collect()
        felt.enter("button", seat=3).deal_round([4, 5, 6, 1, 2, 3] * 2).wait(1500).acts(*acts)

    return play


def mucked(felt: Felt) -> None:
    """The dealer sweeps in the hand of seat 4, who has not acted."""
    felt.deal_all().acts((3, "call")).move(4, "muck").wait(4500)


def mucked_in_part(felt: Felt) -> None:
    """The same, and only one of its two cards is read there again."""
    felt.deal_all().acts((3, "call"))
    one, other = felt.at(4)
    felt.put(one, "muck")
    felt.put(other, None)
    felt.wait(6000)


def last_one_at_showdown(felt: Felt) -> None:
    """Seat 3 has three cards; all others fold, and the hands are shown."""
    felt.deal_all().deal(3)
    felt.wait(1500).acts((4, "fold"), (5, "fold"), (6, "fold"), (1, "fold"), (2, "fold"))
    felt.enter("showdown").wait(1000)


def lost(felt: Felt) -> None:
    """The third card falls off the table."""
    felt.deal_round([1, 2])
    felt.stub.pop(0)
    felt.wait(10_000)


def to_another_hand(felt: Felt) -> None:
    """A card of seat 2 comes to lie at seat 3."""
    felt.deal_all().put(felt.at(2)[0], 3)
    felt.wait(2500)


OPTICAL = {"optical": True}
UNSHUFFLED = {"confirms": ("shuffle",)}
WITH_TWIN = {"deck": DECK_WITH_TWIN}
SEVEN = {"game": "stud7", "halves": True}
FOREIGN, JOKER = next(iter(RED.cards)), uid(100)
PREMATURE_TURN = lambda felt: flopped(felt).acts((1, "check")).street().wait(500)  # noqa: E731 - it is a play like the others

HANDS: Mapping[str, Hand] = {
    # shuffle, cut, button
    "not shuffled": Hand(unconfirmed(), UNSHUFFLED),
    "not shuffled, one call": Hand(unconfirmed((3, "call")), UNSHUFFLED),
    "not shuffled, two calls": Hand(unconfirmed(*CALLS), UNSHUFFLED),
    "exposed in the cut": Hand(lambda f: f.enter("cut_exposed", count=1).deal(1)),
    "button elsewhere": Hand(button_elsewhere()),
    "button elsewhere, raise and call": Hand(button_elsewhere((6, "raise"), (1, "call"))),
    # exposed
    "card 2 exposed": Hand(shown([1, 2], (2, 2))),
    "card 2 exposed, raise and call": Hand(shown(whole(), (2, 2), acts=SA)),
    "card 5 exposed": Hand(shown([1, 2, 3, 4, 5], (5, 5))),
    "cards 5 and 7 exposed": Hand(shown([1, 2, 3, 4, 5, 6, 1], (5, 5), (1, 7))),
    "cards 5 and 1 exposed": Hand(shown([1, 2, 3, 4, 5], (5, 5), (1, 1))),
    "cards 5 and 7 exposed, two calls": Hand(shown(whole(), (5, 5), (1, 7), acts=CALLS)),
    "shown by a player": Hand(entered("exposed", seat=3, by="player")),
    # counts
    "extra card at seat 1": Hand(dealt_to(whole(1))),
    "two extra cards at seat 1": Hand(dealt_to(whole(1, 1))),
    "extra card at seat 3": Hand(dealt_to(whole(3))),
    "extra card at seat 5, two folds": Hand(dealt_to(whole(5), (3, "fold"), (4, "fold"))),
    "extra card at seat 5, two checks": Hand(dealt_to(whole(5), (3, "check"), (4, "check"))),
    "extra card at seat 5, raise and call": Hand(dealt_to(whole(5), *SA)),
    "extra card at seat 3, who calls": Hand(dealt_to(whole(3), (3, "call"))),
    "extra card at seat 3, alone at showdown": Hand(last_one_at_showdown),
    "seat 6 a card short, a call": Hand(dealt_to(whole()[:-1], (3, "call"))),
    "seat 4 a card short": Hand(dealt_to([1, 2, 3, 4, 5, 6, 1, 2, 3, 5, 6])),
    # order
    "first card to seat 2": Hand(lambda f: f.deal(2) and f.wait(800)),
    "first card to seat 2, raise and call": Hand(dealt_to([2, 3, 4, 5, 6, 1] * 2, *SA)),
    "cards of seats 3 and 4 swapped": Hand(dealt_to([1, 2, 3, 4, 5, 6, 1, 2, 4, 3, 5, 6])),
    "seat 3 skipped": Hand(dealt_to([1, 2, 4, 5, 6] * 2)),
    "card to an empty seat": Hand(
        lambda f: f.enter("seats", eligible=[1, 2, 3, 5, 6]).deal_round([1, 2, 3, 4]).wait(800)
    ),
    "card to an empty seat, raise and call": Hand(
        lambda f: (
            f.enter("seats", eligible=[1, 2, 3, 5, 6])
            .deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3, 5])
            .wait(2000)
            .acts((3, "raise"), (5, "call"))
            .wait(500)
        )
    ),
    # the deck
    "missing card": Hand(entered("stub_count", count=39)),
    "damaged card": Hand(entered("damaged")),
    "duplicate": Hand(odd(TWIN), WITH_TWIN),
    "duplicate, two calls": Hand(odd(TWIN, *CALLS), WITH_TWIN),
    "foreign card": Hand(odd(FOREIGN)),
    "foreign card, two calls": Hand(odd(FOREIGN, *CALLS)),
    "joker": Hand(odd(JOKER)),
    "joker at seat 4, two calls": Hand(odd(JOKER, *CALLS)),
    "joker at seat 4, raise and call": Hand(odd(JOKER, *SA)),
    "card 5 boxed": Hand(face_up(5), OPTICAL),
    "card 1 boxed": Hand(face_up(1), OPTICAL),
    "cards 5 and 7 boxed": Hand(face_up(5, 7), OPTICAL),
    "card 5 boxed, later one of the flop": Hand(face_up_later, OPTICAL),
    # board
    "flop of four": Hand(lambda f: called(f).flop(4)),
    "flop of five": Hand(lambda f: called(f).flop(5)),
    "premature flop": Hand(lambda f: f.deal_all().acts((3, "call")).flop()),
    "premature flop of four": Hand(lambda f: f.deal_all().acts((3, "call")).flop(4)),
    "premature turn": Hand(PREMATURE_TURN),
    "premature river": Hand(lambda f: turned(f).acts((1, "check")).street()),
    # burns
    "no burn, flop seen": Hand(burn_error(called, 0, cards=3)),
    "no burn, flop, a check": Hand(burn_error(called, 0, (1, "check"), cards=3)),
    "no burn, flop, two checks": Hand(burn_error(called, 0, (1, "check"), (2, "check"), cards=3)),
    "no burn, flop not seen": Hand(burn_error(called, 0, cards=3), answers={"flop_exposed": False}),
    "two burns, no flop yet": Hand(lambda f: burnt(called(f), 2).wait(1000)),
    "two burns, flop seen": Hand(burn_error(called, 2, cards=3)),
    "two burns, flop, two checks": Hand(burn_error(called, 2, (1, "check"), (2, "check"), cards=3)),
    "no burn before the turn": Hand(burn_error(lambda f: flopped(f).call_round(), 0)),
    "two burns before the turn": Hand(burn_error(lambda f: flopped(f).call_round(), 2)),
    "no burn before the river": Hand(burn_error(lambda f: turned(f).call_round(), 0)),
    "two burns before the river": Hand(burn_error(lambda f: turned(f).call_round(), 2)),
    "no burn before the turn, a check": Hand(burn_error(lambda f: flopped(f).call_round(), 0, (1, "check"))),
    # the rest
    "mucked by the dealer": Hand(mucked),
    "card lost": Hand(lost),
    "card in another hand": Hand(to_another_hand),
    "dealt after the end": Hand(lambda f: f.deal_all().acts(*ALL_FOLD).flop(burn=False).wait(500)),
    "stub disordered": Hand(entered("stub_disordered")),
    "stub short": Hand(lambda f: flopped(f).enter("stub_count", count=3).wait(300)),
}


def faces(seats_up: Mapping[int, tuple[bool, ...]], game: str = "stud7") -> Play:
    """An opening of stud in which these seats get their cards up or down as told, the others as they should."""
    rounds = {"stud7": (False, False, True), "stud5": (False, True)}[game]

    def play(felt: StudFelt) -> None:
        for n in range(len(rounds)):
            for seat in range(1, 7):
                felt.deal(felt.zone(seat, up=seats_up.get(seat, rounds)[n]))
        felt.wait(2500)

    return play


def stud_to(upto: str) -> Play:
    """Seven-card stud in order to the cards of that street, whose betting is on."""

    def play(felt: StudFelt) -> None:
        seats = felt.everybody()
        felt.opening(seats).all_check(seats)
        for name in ("fourth", "fifth", "sixth", "seventh"):
            felt.street_to(name, seats).wait(1500)
            if name == upto:
                return
            felt.all_check(seats)

    return play


def premature_stud(felt: StudFelt) -> None:
    """The first card of fifth street comes before the betting on fourth street is over."""
    stud_to("fourth")(felt)
    felt.acts((1, "check")).deal("burn")
    felt.deal(felt.zone(1, up=True), wait=2500)


def unburned_stud(felt: StudFelt) -> None:
    """Fourth street comes without a burn."""
    felt.opening().all_check().wait(1500)
    felt.street_to("fourth", [1, 2, 3, 4, 5, 6], burn=False).wait(2500)


def eight_cards(felt: StudFelt) -> None:
    """Seat 6 gets two cards on seventh street, and the hands are shown."""
    stud_to("seventh")(felt)
    felt.deal(felt.zone(6, up=False))
    felt.wait(2500).all_check().enter("showdown").wait(1000)


def foreign_in_the_stub(felt: Felt) -> None:
    """After two calls a card of another deck is read on top of the stub, and stays there."""
    felt.deal_all().acts(*CALLS)
    felt.stub.insert(0, FOREIGN)
    felt.wait(8000)


STUD: Mapping[str, Hand] = {
    "stud5, two players with two up cards": Hand(
        faces({2: (True, True), 4: (True, True)}, "stud5"), {**SEVEN, "game": "stud5"}
    ),
    "stud7, two cards up": Hand(faces({4: (False, True, True)}), SEVEN),
    "stud7, three cards up": Hand(faces({4: (True, True, True)}), SEVEN),
    "stud7, a down card exposed": Hand(
        lambda f: f.deal_round([f.zone(s, up=False) for s in (1, 2, 3)]).enter(
            "exposed", seat=3, by="dealer"
        ),
        SEVEN,
    ),
    "stud7, the last card exposed": Hand(
        lambda f: stud_to("seventh")(f) or f.enter("exposed", seat=3, by="dealer", k=44).wait(300), SEVEN
    ),
    "stud7, premature card": Hand(premature_stud, SEVEN),
    "stud7, no burn": Hand(unburned_stud, SEVEN),
    "stud7, stub short": Hand(
        lambda f: stud_to("sixth")(f) or f.all_check(f.everybody()), {**SEVEN, "seats": 7}
    ),
    "stud7, eight cards at showdown": Hand(eight_cards, SEVEN),
    "foreign card in the stub": Hand(foreign_in_the_stub),
    "card 5 exposed, and an extra card at seat 1": Hand(
        lambda f: f.deal_all().deal(1) and f.wait(1500).enter("exposed", seat=5, by="dealer", k=5).wait(300)
    ),
    "stud7, a down card up before the third": Hand(
        lambda f: [f.deal(f.zone(seat, up=seat == 4)) for seat in range(1, 7)] and f.wait(2500), SEVEN
    ),
    "seat 6 a card short, who calls": Hand(
        dealt_to(whole()[:-1], (3, "call"), (4, "call"), (5, "call"), (6, "call"))
    ),
    # the same cards, another answer
    "extra card at seat 3, looked at": replace(HANDS["extra card at seat 3"], answers={"looked_at": True}),
    "first card to seat 2, looked at": replace(HANDS["first card to seat 2"], answers={"looked_at": True}),
    "seat 3 skipped, looked at": replace(HANDS["seat 3 skipped"], answers={"looked_at": True}),
    "cards of seats 3 and 4 swapped, looked at": replace(
        HANDS["cards of seats 3 and 4 swapped"], answers={"looked_at": True}
    ),
    "mucked by the dealer, not to be told": Hand(mucked_in_part, answers={"retrievable": False}),
}
HANDS = {**HANDS, **STUD}
