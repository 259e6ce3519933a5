"""The dealer's page in a real Chromium at 800 by 480, served by the real display."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tablectl.core.decisions import KINDS
from tablectl.core.steps import STEPS as DOS
from tablectl.errors import UsageError

if TYPE_CHECKING:
    from conftest import Served

HERE = Path(__file__).parent
STATES = runpy.run_path(str(HERE / "states.py"))
ALL = STATES["ALL"]
SHEETS, STEPS, TARGET_PX = STATES["SHEETS"], STATES["STEPS"], STATES["TARGET_PX"]
AUDIT = (HERE / "audit.js").read_text()


def tap(page: Page, selector: str) -> None:
    """One touch of a finger."""
    page.locator(selector).tap()


@pytest.mark.parametrize("name", list(ALL))
def test_each_state_is_whole_and_readable(page: Page, look: Any, shots: Path | None, name: str) -> None:
    """In every state nothing leaves the screen or its box, targets are 12 mm, texts meet WCAG AA."""
    look(name)
    if shots is not None:
        page.screenshot(path=shots / f"{name}.png", animations="disabled")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_sheet_is_whole_and_readable(page: Page, look: Any, shots: Path | None, sheet: str) -> None:
    """The same holds for every sheet that opens over the table, with ten seats."""
    look("full_ring")
    if sheet == "exposed":
        tap(page, "#rail [data-rail=exposed]")
    else:
        tap(page, "#rail [data-rail=menu]")
        if sheet != "menu":
            tap(page, f"#sheet [data-menu={sheet}]")
    expect(page.locator("#sheet")).to_have_attribute("data-sheet", sheet)
    if shots is not None:
        page.screenshot(path=shots / f"sheet-{sheet}.png", animations="disabled")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []


@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1920, 1080), (800, 600)])
def test_other_screens_show_the_same_page(page: Page, look: Any, size: tuple[int, int]) -> None:
    """On larger screens the page grows as a whole: an alarm is complete and readable there too, and so is the longest
    notice."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    look("question")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []
    look("faded_deck")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []


def test_the_calm_state_tells_the_hand(page: Page, look: Any) -> None:
    """Street, betting, seats, cards, burn, muck and who acts are all on the screen, and no alarm is."""
    look("calm")
    expect(page.locator("#top")).to_contain_text("Flop")
    expect(page.locator("#top")).to_contain_text("betting open")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("#row #turn")).to_contain_text("Seat 3")
    assert page.locator("#table .seat").count() == 9
    assert page.locator("#table .seat.out").count() == 1
    assert page.locator("#table .seat.fold").count() == 2
    assert page.locator("#table .seat.act[data-seat='3']").count() == 1
    assert page.locator("#table .board .back").count() == 3
    assert page.locator("#table .hand .back").count() == 12
    assert page.locator("#table .pile-count").all_text_contents() == ["1", "4"]
    expect(page.get_by_role("button", name="Seat 3, 2 cards, to act")).to_be_attached()
    expect(page.get_by_role("button", name="Seat 8, 2 cards, away")).to_be_attached()


def test_seats_run_clockwise_from_the_dealers_left(page: Page, look: Any) -> None:
    """The dealer sits at the bottom: seat 1 is at the lower left, the last at the lower right."""
    look("calm")
    boxes = {n: page.locator(f".seat-button[data-seat='{n}']").bounding_box() for n in range(1, 10)}
    left, top, right = boxes[1], boxes[5], boxes[9]
    assert left is not None
    assert top is not None
    assert right is not None
    assert left["x"] < top["x"] < right["x"]
    assert top["y"] < min(left["y"], right["y"])
    assert abs(left["y"] - right["y"]) < 1
    assert all(boxes[n]["x"] < top["x"] for n in (1, 2, 3, 4))  # type: ignore[index]


def test_the_next_card_is_large(page: Page, look: Any) -> None:
    """During the deal the page says whose card is next, in the largest type of the row and at the seat."""
    look("dealing")
    expect(page.locator("#row strong").first).to_have_text("Seat 3")
    assert page.locator("#row strong").first.evaluate("(n) => parseFloat(getComputedStyle(n).fontSize)") >= 40
    assert page.locator("#table .next").count() == 1


def test_faces_appear_in_open_mode_only(page: Page, look: Any) -> None:
    """An open table is marked OPEN and shows its board; a blind one has backs only."""
    look("open_mode")
    expect(page.locator("#top .mode")).to_have_text("Open")
    assert page.locator("#table .board .face .rank").all_text_contents() == ["A", "7", "2", "10"]
    assert page.locator("#table .hand .face").count() == 0
    look("calm")
    assert page.locator("#table .face").count() == 0
    expect(page.locator("#top .mode")).to_have_text("blind")


def test_an_irregularity_turns_the_screen(page: Page, served: Served, look: Any) -> None:
    """What, verdict, rule, decider and steps appear; the seats are marked; then calm returns."""
    look("dealing")
    expect(page.locator("body")).to_have_attribute("data-alarm", "none")
    look("wrong_first_seat")
    panel = page.locator("#panel")
    expect(panel.locator("h1")).to_have_text("First card to seat 9, not 8")
    expect(panel.locator(".verdict strong")).to_have_text("Misdeal")
    expect(panel).to_contain_text("all bets back")
    expect(panel).to_contain_text("PL-07.1.a · tournament director decides")
    assert panel.locator(".steps .do").all_text_contents() == [
        "Collect all cards",
        "Return all bets",
        "Shuffle full deck",
        "Cut the deck",
        "Deal again from seat 8",
    ]
    expect(panel.locator("[aria-current=step] .do")).to_have_text("Collect all cards")
    assert page.locator("#table .seat.wrong[data-seat='9'] .badge").count() == 1
    assert page.locator("#table .seat.belongs[data-seat='8']").count() == 1
    assert page.locator("#table .arrow").count() == 1
    expect(page.locator("body")).to_have_attribute("data-alarm", "loud")
    expect(page.locator("#say")).to_have_text("First card to seat 9, not 8. Misdeal")
    expect(page.locator("#row")).to_contain_text("No card now")

    state = STATES["wrong_first_seat"]()
    state["irregularities"][0] |= {"step": 2, "steps_done": [0, 1], "acknowledged": True}
    served.show(state)
    expect(panel.locator("[aria-current=step] .do")).to_have_text("Shuffle full deck")
    expect(page.locator("body")).to_have_attribute("data-alarm", "calmed")
    served.show(STATES["dealing"]())
    expect(panel).to_be_hidden()
    expect(page.locator("body")).to_have_attribute("data-alarm", "none")


def test_steps_done_are_ticked_and_the_card_of_the_step_is_shown(page: Page, look: Any) -> None:
    """A done step has its tick, the current one a picture: which card goes where."""
    look("four_card_flop")
    expect(page.locator("#panel h1")).to_have_text("4 cards on the flop")
    expect(page.locator("#panel .steps .past")).to_have_text("Mix 4 board cards face down")
    assert page.locator("#panel .steps .past .icon").count() == 1
    assert page.locator("#panel [aria-current=step] .picture[data-do=pick]").count() == 1
    assert page.locator("#table rect.wrong").count() == 1


def test_a_suspicion_is_visible_and_steals_nothing(page: Page, look: Any) -> None:
    """The soft stage marks the seat and names it in the top line; no panel, the next card stays in view."""
    look("suspicion")
    assert page.locator("#table .seat.unsure[data-seat='4'] .badge").count() == 1
    expect(page.locator("#top .unsure")).to_have_text("Checking seat 4")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("#row strong").first).to_have_text("Seat 3")


def test_a_doubt_is_asked_about_and_accuses_nobody(page: Page, served: Served, look: Any) -> None:
    """Whether the deck was shuffled is asked with what speaks against it: no red, no verdict, the deal goes on."""
    look("doubt")
    panel = page.locator("#panel")
    expect(panel.locator("h1")).to_have_text("Cards come in their old order")
    expect(panel.locator(".question p")).to_have_text("Was the deck shuffled?")
    expect(panel.locator(".question small")).to_have_text(
        "11 pairs of 13 cards lie as they were picked up; by chance once in 200 million"
    )
    expect(panel).to_have_class("doubt")
    expect(panel.locator(".verdict")).to_have_count(0)
    expect(page.locator("body")).to_have_attribute("data-alarm", "none")
    expect(page.locator("#row strong").first).to_have_text("Seat 3")
    expect(page.locator("#say")).to_have_text("Cards come in their old order. Was the deck shuffled?")
    panel.get_by_role("button", name="Yes", exact=True).tap()
    assert served.wait_inputs(1) == [{"do": "answer", "question": "q9", "value": True}]


def test_a_doubt_waits_behind_an_alarm(page: Page, look: Any) -> None:
    """An alarm is worked off first; the doubt stays in sight as one line."""
    look("doubt_and_alarm")
    expect(page.locator("#panel h1")).to_have_text("First card to seat 9, not 8")
    expect(page.locator("#panel")).to_have_class("loud")
    expect(page.locator("#panel .others")).to_contain_text("Cards come in their old order")
    expect(page.locator("#panel .question")).to_have_count(0)


def test_a_question_is_answered_with_one_touch(page: Page, served: Served, look: Any) -> None:
    """The question stands above the steps with its choices; a touch posts its id and the value."""
    look("question")
    panel = page.locator("#panel")
    expect(panel.locator(".provisional")).to_be_visible()
    expect(panel.locator(".question p")).to_have_text("Was the card looked at?")
    assert panel.locator(".choices button").all_text_contents() == ["Yes", "No"]
    panel.get_by_role("button", name="No", exact=True).tap()
    assert served.wait_inputs(1) == [{"do": "answer", "question": "q1", "value": False}]
    # The other irregularity and the suspicion stay in sight, less loud.
    expect(panel.locator(".others")).to_contain_text("Card at seat 6, not dealt in: call the floor")
    expect(page.locator("#top .unsure")).to_have_text("Checking seat 7")


def test_the_alarm_buttons_enter_what_they_say(page: Page, served: Served, look: Any, said: Any) -> None:
    """Step done, acknowledge and call floor are in reach during an alarm and post their inputs."""
    look("wrong_first_seat")
    tap(page, "#panel [data-do=step_done]")
    served.wait_inputs(1)
    tap(page, "#rail [data-rail=acknowledge]")
    served.wait_inputs(2)
    tap(page, "#rail [data-rail=call_floor]")
    assert [entry["do"] for entry in served.wait_inputs(3)] == ["step_done", "acknowledge", "call_floor"]
    said("taken", "The floor is called")


def test_what_is_settled_stays_as_one_line(page: Page, look: Any) -> None:
    """An acknowledged irregularity without open steps leaves the panel and stays readable."""
    look("played_on")
    expect(page.locator("#panel")).to_be_hidden()
    expect(page.locator("#notes")).to_have_text("No burn before the flop: play on")
    expect(page.locator("#rail [data-rail=acknowledge]")).to_be_disabled()


def test_a_dealer_is_reminded_of_dead_hands(page: Page, look: Any) -> None:
    """What a rule asks for although nothing went wrong is one line in amber, no alarm; it stands beside a note too."""
    look("reminder")
    expect(page.locator("#notes")).to_have_text("Players away: muck the hands of seats 8, 9 · TDA-30")
    expect(page.locator("#notes")).to_have_class("due")
    expect(page.locator("body")).to_have_attribute("data-alarm", "none")
    look("reminder_and_note")
    expect(page.locator("#notes li")).to_have_text(
        ["Players away: muck the hands of seats 8, 9 · TDA-30", "No burn before the flop: play on"]
    )


def test_a_worn_deck_is_told_calmly_and_last(page: Page, served: Served, look: Any) -> None:
    """Worn cards are one calm line, no alarm and no fault, and give way to whatever else is to be read there."""
    look("worn_deck")
    expect(page.locator("#notes")).to_have_text("Deck blue: worn cards: 2. Replace them after the game.")
    expect(page.locator("#notes")).to_have_class("calm")
    expect(page.locator("body")).to_have_attribute("data-alarm", "none")
    expect(page.locator("#faults")).to_have_text("")
    served.show(ALL["worn_deck"]() | {"reminders": ALL["reminder"]()["reminders"]})
    expect(page.locator("#notes li")).to_have_text(["Players away: muck the hands of seats 8, 9 · TDA-30"])


def test_actions_are_entered_for_the_proposed_or_the_tapped_seat(
    page: Page, served: Served, look: Any
) -> None:
    """The seat to act is proposed; a tap on another seat enters for that one; all-in goes with the bet."""
    look("calm")
    tap(page, "#row [data-action=call]")
    assert served.wait_inputs(1)[-1] == {"do": "action", "seat": 3, "action": "call", "in_turn": True}
    tap(page, ".seat-button[data-seat='7']")
    expect(page.locator("#row #turn")).to_contain_text("Seat 7")
    tap(page, "#row [data-action=all_in]")
    expect(page.locator("#row [data-action=all_in]")).to_have_attribute("aria-pressed", "true")
    tap(page, "#row [data-action=raise]")
    assert served.wait_inputs(2)[-1] == {"do": "action", "seat": 7, "action": "raise", "all_in": True}
    expect(page.locator("#row #turn")).to_contain_text("Seat 3")
    expect(page.locator("#row [data-action=all_in]")).to_have_attribute("aria-pressed", "false")


def test_a_bouncing_finger_enters_once(page: Page, served: Served, look: Any) -> None:
    """Two presses in one bounce are one action: the second must not count for the next seat."""
    look("calm")
    page.evaluate(
        "() => { for (let n = 0; n < 3; n += 1) document.querySelector('[data-action=fold]').click(); }"
    )
    served.wait_inputs(1)
    tap(page, "#rail [data-rail=undo]")
    assert [entry["do"] for entry in served.wait_inputs(2)] == ["action", "undo"]


def test_round_closed_undo_and_the_exposed_card(page: Page, served: Served, look: Any) -> None:
    """The rail posts its inputs; an exposed card asks for the seat and who exposed it."""
    look("open_mode")
    expect(page.locator("#row")).to_contain_text("Betting open")
    tap(page, "#rail [data-rail=round_closed]")
    served.wait_inputs(1)
    tap(page, "#rail [data-rail=undo]")
    served.wait_inputs(2)
    tap(page, "#rail [data-rail=exposed]")
    tap(page, "#sheet [data-by=player]")
    tap(page, "#sheet [data-seat='4']")
    assert served.wait_inputs(3) == [
        {"do": "round_closed"},
        {"do": "undo"},
        {"do": "exposed", "seat": 4, "by": "player"},
    ]
    expect(page.locator("#sheet")).to_be_hidden()


@pytest.mark.parametrize(
    ("touches", "entry"),
    [
        (["[data-menu=button]", "[data-seat='4']"], {"do": "button", "seat": 4}),
        (["[data-menu=absent]", "[data-seat='2']"], {"do": "absent", "seat": 2, "away": True}),
        (
            ["[data-menu=seats]", "[data-seat='5']", "[data-seat='9']", "[data-enter=seats]"],
            {"do": "seats", "eligible": [1, 2, 3, 4, 6, 7, 8]},
        ),
        (["[data-menu=deck]", "[data-deck=red]"], {"do": "deck", "id": "red"}),
        (["[data-menu=cut_exposed]", "[data-count='2']"], {"do": "cut_exposed", "count": 2}),
        (
            ["[data-menu=stub_count]", "[data-digit='3']", "[data-digit='4']", "[data-enter=stub_count]"],
            {"do": "stub_count", "count": 34},
        ),
        (["[data-menu=note]", "[data-note='False alarm']"], {"do": "note", "text": "False alarm"}),
        (["[data-menu=shuffle_done]"], {"do": "shuffle_done"}),
        (["[data-menu=cut_done]"], {"do": "cut_done"}),
        (["[data-menu=hand_end]"], {"do": "hand_end"}),
        (["[data-menu=showdown]"], {"do": "showdown"}),
        (["[data-menu=night]"], {"do": "night", "on": True}),
        (["[data-menu=game]", "[data-game=omaha]"], {"do": "game", "name": "omaha"}),
        (["[data-menu=dealer]", "[data-dealer=Tomek]"], {"do": "dealer", "id": "Tomek"}),
        (["[data-menu=language]", "[data-language=it]"], {"do": "language", "code": "it"}),
        (["[data-menu=straddle]", "[data-seat='3']"], {"do": "straddle", "seat": 3}),
        (["[data-menu=run_twice]", "[data-times='3']"], {"do": "run_twice", "times": 3}),
        (["[data-menu=damaged]"], {"do": "damaged"}),
        (["[data-menu=stub_disordered]"], {"do": "stub_disordered"}),
    ],
)
def test_the_menu_enters_everything_else(
    page: Page, served: Served, look: Any, touches: list[str], entry: dict[str, Any]
) -> None:
    """Each entry of the menu posts exactly the contract's input and closes the sheet."""
    look("between_hands")
    tap(page, "#rail [data-rail=menu]")
    for selector in touches:
        tap(page, f"#sheet {selector}")
    assert served.wait_inputs(1) == [entry]
    expect(page.locator("#sheet")).to_be_hidden()


def test_between_hands_the_next_button_is_proposed(page: Page, served: Served, look: Any) -> None:
    """The row offers what a hand's start needs, what is confirmed is ticked, and the button's next seat is marked."""
    look("ready")
    expect(page.locator("#row #turn")).to_have_text("First cardSeat 8")
    assert page.locator("#row .ticked").all_text_contents() == ["Shuffle done", "Cut done"]
    expect(page.locator("#row [data-setup=button]")).to_contain_text("Seat 7")
    expect(page.locator("#row [data-setup=seats]")).to_contain_text("8 / 9")
    tap(page, "#row [data-setup=button]")
    expect(page.locator("#sheet .proposed")).to_contain_text("7")
    tap(page, "#sheet .proposed")
    assert served.wait_inputs(1) == [{"do": "button", "seat": 7}]
    tap(page, "#row [data-setup=seats]")
    expect(page.locator("#sheet [data-seat='5']")).to_have_attribute("aria-pressed", "false")
    tap(page, "#sheet [data-seat='5']")
    tap(page, "#sheet [data-enter=seats]")
    assert served.wait_inputs(2)[-1] == {"do": "seats", "eligible": [1, 2, 3, 4, 5, 6, 7, 8, 9]}


def test_a_refused_input_is_told(page: Page, served: Served, look: Any, said: Any) -> None:
    """What the table does not accept is said with the table's own reason."""

    def refuse(_: dict[str, Any]) -> None:
        raise UsageError("no hand is being played")

    served.submit = refuse
    look("calm")
    tap(page, "#rail [data-rail=menu]")
    tap(page, "#sheet [data-menu=showdown]")
    said("refused", "Not entered: no hand is being played")
    assert served.inputs == []


def test_a_count_is_no_more_than_a_deck(page: Page, served: Served, look: Any, said: Any) -> None:
    """Nothing is entered before a digit; one that would make more than 54 is not taken, the last can be erased."""
    look("calm")
    tap(page, "#rail [data-rail=menu]")
    tap(page, "#sheet [data-menu=stub_count]")
    expect(page.locator("#sheet h2")).to_have_text("How many cards are in the stub?")
    enter, typed = page.locator("#sheet [data-enter=stub_count]"), page.locator("#sheet .typed")
    expect(enter).to_be_disabled()
    for digit, shown in (("0", "0"), ("5", "5"), ("5", "5"), ("2", "52"), ("1", "52")):
        tap(page, f"#sheet [data-digit='{digit}']")
        expect(typed).to_have_text(shown)
    tap(page, "#sheet [data-erase]")
    expect(typed).to_have_text("5")
    enter.tap()
    assert served.wait_inputs(1) == [{"do": "stub_count", "count": 5}]
    said("taken", "Entered: 5 cards counted")


def test_a_new_alarm_never_waits_behind_a_sheet(page: Page, look: Any) -> None:
    """A sheet that is open when an irregularity is confirmed closes by itself."""
    look("dealing")
    tap(page, "#rail [data-rail=menu]")
    expect(page.locator("#sheet")).to_be_visible()
    look("wrong_first_seat")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#panel")).to_be_visible()


def test_keys_reach_everything(page: Page, served: Served, look: Any) -> None:
    """Tab and Enter work like a finger, and Escape closes a sheet."""
    look("calm")
    page.locator("#row [data-action=check]").focus()
    page.keyboard.press("Enter")
    assert served.wait_inputs(1) == [{"do": "action", "seat": 3, "action": "check", "in_turn": True}]
    page.locator("#rail [data-rail=menu]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()


def test_faults_say_what_still_works(page: Page, look: Any) -> None:
    """A lost reader and a full disk stand above the table, the seats are marked, the status sheet has all."""
    look("degraded")
    red, amber = page.locator(".strip.red"), page.locator(".strip.amber")
    expect(red).to_contain_text("the disk is full; free some space; entries wait in memory")
    expect(red).to_contain_text("Journal: Nothing is being recorded. Alarms go on.")
    expect(amber).to_contain_text("Seats 4, 5 not watched: reader 1 is lost")
    expect(amber).to_contain_text("wrong seat, seat skipped, too few cards")
    assert page.locator("#table .seat.blind").count() == 2
    assert page.locator("#top .well").count() == 0
    tap(page, "#rail [data-rail=menu]")
    tap(page, "#sheet [data-menu=status]")
    expect(page.locator("#sheet")).to_contain_text("Boxed card")
    expect(page.locator("#sheet")).to_contain_text("/dev/ttyUSB1")


def test_faults_that_leave_the_table_watched_are_told_too(page: Page, look: Any) -> None:
    """A reader that has fallen silent and a weak antenna: which zones, and that the rest, or all, is still checked."""
    look("weak")
    silent, weak = page.locator(".strip.amber").all()
    expect(silent).to_contain_text("Reader 1 silent: it has not looked anywhere for 2 s")
    expect(silent).to_contain_text("Perhaps not watched: seats 7, 8, board. The rest is watched.")
    expect(weak).to_contain_text("Seat 3 reads weakly: antenna 3 of reader 0 is weak")
    expect(weak).to_contain_text("Everything is still checked")
    assert page.locator("#top .well").count() == 0
    # In the drawing, too: a sign of its own for each, and the board in its frame.
    assert page.locator("#table .seat.weak").evaluate_all("(all) => all.map((n) => n.dataset.seat)") == ["3"]
    assert page.locator("#table .seat.blind").evaluate_all("(all) => all.map((n) => n.dataset.seat)") == [
        "7",
        "8",
    ]
    assert page.locator("#table .seat.weak .badge.weak").count() == 1
    assert page.locator("#table .seat.blind .badge.unseen").count() == 2
    assert page.locator("#table rect.unseen").count() == 1
    tap(page, "#rail [data-rail=menu]")
    tap(page, "#sheet [data-menu=status]")
    expect(page.locator("#sheet")).to_contain_text("Seat 3 reads weakly")


def test_a_silent_book_says_once_that_it_has_no_rule(page: Page, look: Any) -> None:
    """In plain words beside the verdict, without the name of the check; what the book adds stands below."""
    look("silence")
    expect(page.locator("#panel .verdict .sub")).to_have_text("the book has no rule for this")
    expect(page.locator("#panel .hint")).to_have_text(
        "if a seat ends with a wrong number of cards, PL-07.1.c-d apply"
    )
    look("floor_decides")
    assert page.locator("#panel .hint").count() == 0


def test_a_game_that_a_book_does_not_know_is_named(page: Page, served: Served, look: Any) -> None:
    """Then the silence is about the game, and the dealer is told which."""
    state = look("floor_decides")
    state["irregularities"][0]["ruling"] |= {
        "hint": "this rulebook has no rule for omaha5",
        "say": ["this rulebook has no rule for {what}", {"what": ["omaha5", {}]}],
    }
    served.show(state)
    expect(page.locator("#panel .hint")).to_have_text("this rulebook has no rule for Five-card Omaha")


def test_no_row_of_buttons_that_cannot_be_pressed(page: Page, look: Any) -> None:
    """Nobody is next to act: the row asks for a seat; in an alarm it says that no card is due."""
    look("nobody_acts")
    expect(page.locator("#row")).to_have_text("ActionTap a seat")
    tap(page, ".seat-button[data-seat='4']")
    assert page.locator("#row button:not(:disabled)").count() == 6
    tap(page, ".seat-button[data-seat='4']")
    look("four_card_flop")
    expect(page.locator("#row strong")).to_have_text("No card now")
    assert page.locator("#row button").count() == 0


def test_before_the_first_hand_the_row_says_what_is_awaited(page: Page, served: Served) -> None:
    """Just started, no hand yet, no button: words, and no lone dash."""
    served.show(STATES["started"]())
    page.goto(served.display.url)
    expect(page.locator("#row #turn")).to_have_text("Waiting for the deal")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []


@pytest.mark.parametrize("name", ["wrong_first_seat", "question", "crowded"])
def test_the_headline_stands_in_the_middle_of_its_bar(page: Page, look: Any, name: str) -> None:
    """Of what is seen of the bar: a loud alarm's frame lies on its upper edge where no fault stands above it."""
    look(name)
    box, head, frame = page.evaluate(
        """() => {
          const ends = (selector) => {
            const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
            return [top, bottom];
          };
          const frame = parseFloat(getComputedStyle(document.body, "::after").borderTopWidth);
          return [ends("#panel h1"), ends("#panel header"), frame];
        }"""
    )
    above, below = box[0] - max(head[0], frame), head[1] - box[1]
    assert abs(above - below) <= 4


def test_an_antenna_test_is_one_red_strip(page: Page, look: Any) -> None:
    """While a technician tests the antennas nothing is checked: that is said once, and not for every zone again."""
    look("antenna_test")
    expect(page.locator(".strip")).to_have_text(
        ["Antenna test: Nothing is being checked.the antennas are tested"]
    )


def test_an_old_firmware_is_for_the_technician_only(page: Page, look: Any) -> None:
    """The status sheet names the reader, both versions and the port; the dealer's table stays calm."""
    look("old_firmware")
    assert page.locator(".strip").count() == 0
    assert page.locator("#top .well").count() == 1
    tap(page, "#rail [data-rail=menu]")
    tap(page, "#sheet [data-menu=status]")
    expect(page.locator("#sheet")).to_contain_text("firmware is 0.0.9, older than this table (0.1.0)")
    expect(page.locator("#sheet")).to_contain_text("/dev/ttyACM0")


def test_a_dead_link_is_never_taken_for_calm(
    page: Page, served: Served, look: Any, shots: Path | None
) -> None:
    """The server stops: the whole screen says so. It comes back with another state: that one is shown."""
    look("calm")
    served.stop()
    expect(page.locator("#cover")).to_be_visible()
    expect(page.locator("#cover h1")).to_have_text("No link to the table")
    expect(page.locator("#cover")).to_contain_text("No word for")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []
    if shots is not None:
        page.screenshot(path=shots / "no_link.png", animations="disabled")
    served.state = STATES["wrong_first_seat"]()
    served.start_again()
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("#panel h1")).to_have_text("First card to seat 9, not 8")


def test_a_link_that_falls_silent_is_dead_too(page: Page, served: Served, look: Any) -> None:
    """The connection stands but nothing comes (a hung controller): the page notices and recovers."""
    look("calm")
    served.hang()
    expect(page.locator("#cover")).to_be_visible()
    served.unhang()
    expect(page.locator("#cover")).to_be_hidden()


def test_a_table_that_cannot_say_how_it_stands_is_dead_too(page: Page, served: Served, look: Any) -> None:
    """The server answers and greets every new stream, but has no state to show: the picture is covered all the same,
    however often the page is greeted. The first true state is shown."""
    look("calm")
    served.show({"broken": {1, 2}})
    expect(page.locator("#cover h1")).to_have_text("No link to the table")
    with page.expect_response("**/events"), page.expect_response("**/events"):
        pass
    expect(page.locator("#cover")).to_be_visible()
    served.show(STATES["wrong_first_seat"]())
    expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator("#panel h1")).to_have_text("First card to seat 9, not 8")


def test_a_stopped_core_covers_its_last_picture(
    page: Page, served: Served, look: Any, shots: Path | None
) -> None:
    """The table says that it takes nothing any more: nobody may take its last picture for a calm table."""
    look("calm")
    served.show(ALL["calm"]() | {"stopped": True})
    expect(page.locator("#cover h1")).to_have_text("The table has stopped")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []
    if shots is not None:
        page.screenshot(path=shots / "stopped.png", animations="disabled")
    served.show(ALL["calm"]())
    expect(page.locator("#cover")).to_be_hidden()


def test_an_input_without_a_link_is_told(page: Page, served: Served, look: Any, said: Any) -> None:
    """A button pressed in the moment the link dies says that nothing was entered."""
    look("calm")
    served.stop()
    page.evaluate("() => document.querySelector('[data-action=fold]').click()")
    said("refused", "Not entered: no link to the table")


def test_a_state_the_page_cannot_draw_is_not_hidden(
    page: Page, served: Served, look: Any, page_errors: list[str]
) -> None:
    """A state that breaks the drawing shows a fault, not the last good picture; the next state heals it."""
    look("calm")
    with page.expect_event("pageerror"):
        served.show({"table": {"language": "en"}, "irregularities": []})
    expect(page.locator("#cover h1")).to_have_text("Display fault")
    assert len(page_errors) == 1
    page_errors.clear()
    served.show(STATES["calm"]())
    expect(page.locator("#cover")).to_be_hidden()


def test_two_displays_show_the_same(served: Served, page: Page, look: Any) -> None:
    """A second page on the same table gets every state as well."""
    look("calm")
    second = page.context.new_page()
    second.goto(served.display.url)
    served.show(STATES["wrong_first_seat"]())
    for each in (page, second):
        expect(each.locator("#panel h1")).to_have_text("First card to seat 9, not 8")


def test_every_kind_has_a_headline_of_at_most_seven_words(page: Page, look: Any) -> None:
    """All kinds of irregularity are worded, with all their fields and with none, in seven words or fewer."""
    look("calm")
    full = {"seat": 4, "expected": 3, "k": 5, "street": "flop", "count": 3, "need": 2, "by": "player"}
    cases = [
        {"kind": kind} | fields
        for kind in KINDS
        for fields in (full, full | {"zone": "board"}, {"seat": 4}, {"zone": "burn", "street": "turn"}, {})
        if "seat" in fields or kind not in NEED_SEAT
    ]
    wordings = page.evaluate(
        "async (cases) => { const { tongue } = await import('/static/tongue.js');"
        " const w = (await import('/static/words.js')).words(tongue('en'));"
        " return cases.map((i) => [w.headline(i), w.checking(i)].join('|')); }",
        cases,
    )
    for case, wording in zip(cases, wordings, strict=True):
        headline = wording.split("|")[0]
        assert 2 <= len(headline.split()) <= 7 or case["kind"] == "joker", (case, headline)
        assert "undefined" not in wording, (case, wording)
        assert "_" not in headline, (case, headline)


NEED_SEAT = {
    "wrong_first_seat", "wrong_seat", "ineligible_seat", "seat_skipped", "too_few_cards", "too_many_cards",
    "hand_mucked",
}  # fmt: skip
"""Kinds that always name the seat where the card lies."""

INSIDE = """(svg) => {
  const [outer, inner] = [svg.getBoundingClientRect(), svg.getBBox()];
  const { width, height } = svg.viewBox.baseVal;
  const [right, bottom] = [inner.x + inner.width, inner.y + inner.height];
  const inside = inner.x >= -1 && inner.y >= -1 && right <= width + 1 && bottom <= height + 1;
  return inside && inner.width > 20 && outer.width > 20;
}"""
"""A picture is drawn, and nothing of it leaves its frame."""


def test_every_step_is_worded_and_drawn(page: Page, served: Served, look: Any) -> None:
    """Each typed step has a plain sentence and a picture, and fits the panel as the current step."""
    assert {step["do"] for step in STEPS} == set(DOS)
    look("calm")
    told = page.locator("#panel [aria-current=step] .do")
    before = ""
    for step in STEPS:
        state = STATES["wrong_first_seat"]()
        state["irregularities"][0]["ruling"]["steps"] = [step]
        served.show(state)
        expect(told).not_to_have_text(before)
        before = told.inner_text()
        assert "undefined" not in before, step
        assert "_" not in before, step
        picture = page.locator(f"#panel [aria-current=step] .picture[data-do={step['do']}]")
        expect(picture).to_be_visible()
        assert picture.evaluate(INSIDE), step
        assert page.evaluate(f"({AUDIT})({TARGET_PX})") == [], step


def test_hole_cards_that_go_to_their_seats_are_drawn_as_they_go(
    page: Page, served: Served, look: Any
) -> None:
    """The picture of the step names both seats, and an arrow leads from one to the other; once the card lies there,
    there is no arrow to follow."""
    look("out_of_order")
    assert page.locator("#panel .picture .disc-number").all_text_contents() == ["1", "4"]
    expect(page.locator("#table .arrow")).to_have_count(1)
    state = STATES["out_of_order"]()
    state["irregularities"][0] |= {"moves": [], "step": None, "steps_done": [0]}
    served.show(state)
    expect(page.locator("#table .arrow")).to_have_count(0)


def test_a_hand_that_is_not_followed_says_so_and_proposes_nothing(page: Page, look: Any) -> None:
    """No seat acts, no card is due, and all is not well."""
    look("unfollowed")
    expect(page.locator("#row")).to_contain_text("This hand is not followed")
    for absent in ("#table .seat.act", "#table .next", "#row button", "#top .well"):
        expect(page.locator(absent)).to_have_count(0)


def test_stud_shows_up_cards_and_neither_board_nor_button(page: Page, look: Any) -> None:
    """Three open cards and two backs at each of six seats; a table of hold'em has a board and no open card."""
    look("stud")
    assert page.locator("#table .hand .face.up").count() == 6 * 3
    assert page.locator("#table .hand .back").count() == 6 * 2
    assert page.locator("#table .board").count() == page.locator("#table .dealer-button").count() == 0
    expect(page.locator("#top")).to_contain_text("Fifth street")
    look("calm")
    assert page.locator("#table .hand .face.up").count() == 0
    assert page.locator("#table .board").count() == page.locator("#table .dealer-button").count() == 1
