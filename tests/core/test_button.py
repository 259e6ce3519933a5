"""The dealer button with a tag of its own: its seat comes by itself, and a doubtful one changes nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from typing import Any, Self

import pytest
from felt import DECK, RED, Felt

from tablectl import recording
from tablectl.app import table_of
from tablectl.config import from_recording
from tablectl.core.decisions import Decision
from tablectl.layout import seat_zone

TAG = "E004015099990001"
OTHER_TABLES = "E004015099990002"


class ButtonFelt(Felt):
    """A felt with a button that has a tag; several antennas may read it, each in a share of its looks."""

    def __init__(self, *, tag: str = TAG, **options: Any) -> None:
        self.tag = tag
        self.reads: Mapping[str, tuple[int, int]] = {}
        self.looks = 0
        super().__init__(button_tags=options.pop("button_tags", [TAG]), **options)

    def button_at(self, *seats: int, dbm: int = -40, wait: int = 1500) -> Self:
        """The button is put down where these seats' antennas read it; none: where no antenna does."""
        self.reads = {seat_zone(seat): (dbm, 1) for seat in seats}
        return self.wait(wait)

    def read_by(self, **seats: tuple[int, int]) -> Self:
        """Seat → (strength in dBm, every n-th look reads it)."""
        self.reads = {seat_zone(int(name[1:])): how for name, how in seats.items()}
        return self.wait(1500)

    def read_in(self, zone: str) -> list[tuple[str, int]]:
        """The cards, and the button."""
        found = super().read_in(zone)
        if zone in self.reads:
            self.looks += 1
            dbm, every = self.reads[zone]
            found += [(self.tag, dbm)] if self.looks % every == 0 else []
        return found

    def hand(self) -> Self:
        """One hand, dealt from the left of where the table has the button, folded round, and gathered."""
        self.deal_all()
        order = self.table.setup.order()
        for seat in order[2:-1]:
            self.acts((seat, "fold"))
        self.acts((order[-1], "fold"), (order[0], "fold")).move(order[1], "muck").wait(1500)
        return self.collect()

    def buttons(self) -> list[int]:
        """Where the button was in each hand."""
        return [d["button"] for d in self.of("hand") if d["event"] == "start"]


def dealt_from(felt: Felt, button: int) -> Felt:
    """A deal that is right for a button at that seat."""
    return felt.deal_round((button + n) % 6 + 1 for n in range(12)).wait(1500)


def test_its_seat_comes_by_itself() -> None:
    """It lies at seat 3 before the first card: nothing was entered, and the deal from seat 4 is right."""
    felt = dealt_from(ButtonFelt().button_at(3), 3)
    assert (felt.buttons(), felt.kinds(), felt.of("suspicion")) == ([3], [], [])


def test_a_deal_from_elsewhere_is_called() -> None:
    """The button lies at seat 3, and the deal begins left of seat 6: the wrong first seat."""
    felt = dealt_from(ButtonFelt().button_at(3), 6)
    assert felt.kinds()[:1] == ["wrong_first_seat"]


def test_it_shows_between_two_hands() -> None:
    """Put down at seat 5 while no hand is on, the table says so before a card is dealt."""
    assert ButtonFelt().button_at(5).table.view()["hand"]["button"] == 5


def test_from_hand_to_hand() -> None:
    """Moved on after each hand it is where it should be, and nothing is told in three hands."""
    felt = ButtonFelt().button_at(3).hand().button_at(4).hand().button_at(5).hand()
    assert (felt.buttons(), felt.kinds()) == ([3, 4, 5], [])


def test_left_where_it_was_it_is_misplaced() -> None:
    """The dealer deals again without moving it: the button that lies there is called, and only that."""
    felt = ButtonFelt(book="nl").button_at(3).hand()
    dealt_from(felt, 3)
    assert (felt.buttons(), felt.kinds()) == ([3, 3], ["button_misplaced"])


def rotated(felt: ButtonFelt, first: int, cards: int = 12) -> ButtonFelt:
    """So many cards dealt in turn, whatever the table thinks of it: the first to that seat."""
    felt.deal_round((first - 1 + n) % 6 + 1 for n in range(cards))
    return felt


@pytest.mark.parametrize("betting", ["actions", "none"])
@pytest.mark.parametrize("lies", [3, 2, 5])
def test_the_deal_begins_where_it_is_due(lies: int, betting: str) -> None:
    """Left at seat 3, or put down at a wrong seat, while the deal is right: it is forgotten, nobody is accused."""
    felt = ButtonFelt(book="nl", betting=betting).button_at(3).hand().button_at(lies)
    rotated(felt, 5).wait(3000)
    ends = felt.collect().of("hand")
    assert (ends[-1]["button"], felt.kinds(), felt.of("suspicion")) == (4, [], [])


@pytest.mark.parametrize("after", [1, 2, 5, 12])
def test_moved_on_after_the_first_cards(after: int) -> None:
    """Many dealers move it once cards are out: at seat 3 when the deal begins at seat 5, later at seat 4."""
    felt = rotated(ButtonFelt(book="nl").button_at(3).hand(), 5, after).button_at(4, wait=600)
    rotated(felt, (4 + after) % 6 + 1, 12 - after).wait(1500)
    assert (felt.kinds(), felt.of("suspicion"), felt.table.view()["hand"]["button"]) == ([], [], 4)


def test_forgotten_twice() -> None:
    """It stays at seat 3 for three hands, each dealt one seat on: the order of the deals is what counts."""
    felt = ButtonFelt(book="nl").button_at(3).hand()
    for first in (5, 6):
        rotated(felt, first).wait(1500).enter("showdown").wait(500).collect()
    assert (felt.buttons(), felt.kinds()) == ([3, 4, 5], [])


def test_a_slip_is_told_by_the_seat_that_was_due() -> None:
    """Left at seat 3, and the deal begins at neither seat's left: one wrong first seat, and no second alarm."""
    felt = rotated(ButtonFelt(book="nl").button_at(3).hand(), 6).wait(1500)
    [slip] = felt.of("irregularity")
    assert (slip["kind"], slip["expected"]) == ("wrong_first_seat", 5)


def test_a_redeal_from_the_same_seat_with_the_button_gone_on() -> None:
    """After a misdeal the dealer moves it by habit and deals from the right seat again: only the misdeal was told."""
    felt = ButtonFelt(book="nl").button_at(3).deal_round([5, 6]).wait(1500).collect().button_at(4)
    told = felt.kinds()
    rotated(felt, 4).wait(1500)
    assert (told, felt.kinds()) == (["wrong_first_seat"], ["wrong_first_seat"])


def test_a_redeal_from_the_moved_button() -> None:
    """The same, dealt from where it lies now: the button was moved, and that is what is told."""
    felt = ButtonFelt(book="nl").button_at(3).deal_round([5, 6]).wait(1500).collect().button_at(4)
    rotated(felt, 5).wait(1500)
    assert felt.kinds() == ["wrong_first_seat", "button_misplaced"]


def test_heads_up_it_was_forgotten() -> None:
    """Two players, the button stays at seat 1 while the deal is the one of seat 2: nothing is told."""
    felt = ButtonFelt().enter("seats", eligible=[1, 2]).button_at(1)
    felt.deal_round([2, 1, 2, 1]).acts((1, "fold")).wait(1500).collect()
    felt.deal_round([1, 2, 1, 2]).wait(1500)
    assert (felt.buttons(), felt.kinds()) == ([1, 2], [])


def test_taken_up_it_accuses_nobody() -> None:
    """Nobody sees it after the first hand: it goes on by itself to seat 4, as without a tag."""
    felt = ButtonFelt().button_at(3).hand().button_at()
    dealt_from(felt, 4)
    assert (felt.buttons(), felt.kinds()) == ([3, 4], [])


def test_moved_during_a_hand_it_counts_for_the_next() -> None:
    """It goes on to seat 4 in mid-deal: this hand stays seat 3's, the next is seat 4's."""
    felt = ButtonFelt().button_at(3).deal_round([4, 5, 6]).button_at(4)
    felt.enter("absent", seat=2).deal_round([1, 2, 3, 4, 5, 6, 1, 2, 3]).wait(1500)
    assert (felt.buttons(), felt.kinds()) == ([3], [])
    for seat in (6, 1, 2):
        felt.acts((seat, "fold"))
    felt.acts((3, "fold"), (4, "fold")).move(5, "muck").wait(1500).collect()
    dealt_from(felt, 4)
    assert (felt.buttons(), felt.kinds()) == ([3, 4], [])


def test_put_back_during_a_hand_it_moves_nowhere() -> None:
    """Pushed to seat 5 and back in mid-hand, then taken up: the next hand is seat 4's, by the usual order."""
    felt = ButtonFelt().button_at(3)
    felt.deal_all().button_at(5).button_at(3)
    for seat in (6, 1, 2):
        felt.acts((seat, "fold"))
    felt.acts((3, "fold"), (4, "fold")).button_at().move(5, "muck").wait(1500).collect()
    dealt_from(felt, 4)
    assert (felt.buttons(), felt.kinds()) == ([3, 4], [])


# --- near-misses --------------------------------------------------------------------------------------------

NOT_THERE: Mapping[str, Callable[[ButtonFelt], Any]] = {
    "it passes over seat 4": lambda felt: felt.button_at(4, wait=300).button_at(wait=400),
    "it has only just come": lambda felt: felt.button_at(4, wait=400),
    "two seats read it alike": lambda felt: felt.button_at(4, 5),
    "far seats read it": lambda felt: felt.read_by(s1=(-40, 1), s4=(-45, 1)),
    "now and then": lambda felt: felt.read_by(s4=(-40, 4)),
    "at no seat": lambda felt: felt.button_at(),
}  # fmt: skip


@pytest.mark.parametrize("what", NOT_THERE)
def test_a_doubtful_button_changes_nothing(what: str) -> None:
    """Entered at seat 6, and whatever is read does not prove another seat: the hand is seat 6's."""
    felt = ButtonFelt()
    NOT_THERE[what](felt)
    dealt_from(felt, 6)
    assert (felt.buttons(), felt.kinds(), felt.of("suspicion")) == ([6], [], [])


def test_taken_up_just_before_the_deal() -> None:
    """It lay at seat 4 between the hands, and was in the dealer's hand when he dealt: seat 4 is what is known."""
    felt = dealt_from(ButtonFelt().button_at(4).button_at(wait=400), 4)
    assert (felt.buttons(), felt.kinds()) == ([4], [])


@pytest.mark.parametrize(
    "reads", [{"s3": (-40, 1), "s4": (-58, 1)}, {"s3": (-40, 1), "s2": (-41, 5), "s4": (-60, 2)}]
)
def test_a_neighbour_reads_it_too(reads: dict[str, tuple[int, int]]) -> None:
    """Much more weakly, or much more rarely than the seat where it lies: it is at seat 3."""
    felt = dealt_from(ButtonFelt().read_by(**reads), 3)
    assert (felt.buttons(), felt.kinds()) == ([3], [])


def test_the_tag_of_another_tables_button() -> None:
    """It is none of this table's: the button stays at seat 6."""
    felt = dealt_from(ButtonFelt(tag=OTHER_TABLES).button_at(3), 6)
    assert felt.buttons() == [6]


def test_a_reader_that_is_lost_moves_no_button() -> None:
    """The readers are away until the deal begins: what they read before is too old to say anything."""
    felt = ButtonFelt().hand().button_at(4, wait=200).lose_reader().wait(3000)
    felt.reads = {}
    felt.find_reader().wait(100)
    dealt_from(felt, 1)
    assert (felt.buttons(), felt.kinds()) == ([6, 1], [])


# --- the dealer's word --------------------------------------------------------------------------------------


def test_an_entry_stands_above_it() -> None:
    """The button still lies at seat 3, the dealer says seat 4: seat 4 it is, in that hand, and seat 5 in the next."""
    felt = ButtonFelt().button_at(3).hand().enter("button", seat=4).hand()
    dealt_from(felt, 5)
    assert (felt.buttons(), felt.kinds()) == ([3, 4, 5], [])


def test_until_it_lies_elsewhere() -> None:
    """After that entry it is moved to seat 5: now it speaks for itself again."""
    felt = ButtonFelt().button_at(3).hand().enter("button", seat=4).hand().button_at(5).hand()
    dealt_from(felt.button_at(6), 6)
    assert (felt.buttons(), felt.kinds()) == ([3, 4, 5, 6], [])


def test_an_entry_that_is_taken_back() -> None:
    """With the entry undone, the button that lies at seat 3 counts again."""
    felt = dealt_from(ButtonFelt().button_at(3).enter("button", seat=5).enter("undo"), 3)
    assert (felt.buttons(), felt.kinds()) == ([3], [])


def test_a_dead_button() -> None:
    """It lies at an empty seat: the deal begins at the next player's, and nothing is wrong."""
    felt = ButtonFelt().enter("seats", eligible=[1, 2, 4, 5, 6]).button_at(3)
    felt.deal_round([4, 5, 6, 1, 2, 4, 5, 6, 1, 2]).wait(1500)
    assert (felt.buttons(), felt.kinds()) == ([3], [])


# --- no card ------------------------------------------------------------------------------------------------


def test_it_is_no_card_anywhere() -> None:
    """On the board, in the muck, at the shoe, and under a player's cards: it is counted nowhere and foreign nowhere."""
    felt = ButtonFelt().button_at(3).deal_all()
    for zone in ("board", "muck", "burn", "shoe", "seat:2", "seat:5"):
        felt.reads = {zone: (-40, 1)}
        felt.wait(2000)
    view = felt.table.view()
    assert [seat["cards"] for seat in view["seats"]] == [2] * 6
    assert (view["board"], view["muck"], view["burn"], felt.kinds(), felt.of("suspicion")) == (
        0,
        0,
        0,
        [],
        [],
    )


def test_without_the_key_a_tag_is_a_tag() -> None:
    """The same reads at a table whose configuration does not name the tag: the button stays where it was entered."""
    felt = dealt_from(ButtonFelt(button_tags=[]).button_at(3), 6)
    assert felt.buttons() == [6]


def test_stud_knows_no_button() -> None:
    """In a game without a button its tag is read past."""
    felt = ButtonFelt(game="stud5").button_at(3)
    felt.deal_round([1, 2, 3, 4, 5, 6] * 2).wait(1500)
    assert felt.kinds() == []


# --- a recording --------------------------------------------------------------------------------------------


def replayed(felt: Felt, table: Mapping[str, Any]) -> list[Decision]:
    """What a recording of those events, with that `[table]`, leads to."""
    antennas = {str(number): zone for (_, number), zone in felt.antennas.items()}
    config = {
        "table": {"seats": 6, "game": "holdem", "rulebook": "pl", **table},
        "reader": [{"driver": "tablewire", "port": "-", "antennas": antennas}],
    }
    lines = [recording.header(config, (DECK, RED), "blue"), *map(recording.dump, felt.events)]
    head, events = recording.read(io.StringIO("\n".join(map(json.dumps, lines)) + "\n"), strict=True)
    loaded = from_recording(head.config, head.decks, head.active_deck)
    again = from_recording(loaded.as_recording(), head.decks, head.active_deck)
    assert again.table == loaded.table
    core = table_of(again)
    return [decision for event in events for decision in core.step(event)]


def test_recordings_keep_the_key() -> None:
    """A night replays to the same buttons, bit for bit; the tag may be written with separators and in small letters."""
    felt = ButtonFelt().button_at(3).hand().button_at(4).hand()
    again = replayed(felt, {"button_tags": ["e0:04:01:50:99:99:00:01"]})
    assert [d.as_json() for d in again] == [d.as_json() for d in felt.decisions]
    without = [d.as_json() for d in replayed(felt, {}) if d.type == "hand"]
    assert without[0]["button"] == 6
