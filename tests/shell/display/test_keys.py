"""Keys beside the table: a numeric pad or a keyboard enters what a finger does, and reaches every button there is."""

from __future__ import annotations

import runpy
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tablectl.config.keys import DEFAULTS, MEANINGS, OFF, SEATS, bound
from tablectl.core.entries import check

if TYPE_CHECKING:
    from conftest import Served

ALL = runpy.run_path(str(Path(__file__).with_name("states.py")))["ALL"]
NUMBERS = count(1000)
"""Each state that is shown is another hand, so that a key is not pressed before its meaning is there."""
CALL = {"do": "action", "seat": 3, "action": "call", "in_turn": True}


@pytest.fixture
def keyed(page: Page, served: Served, look: Any) -> Any:
    """Opens the page on a state at a table whose keys are bound, by default or as given; returns what shows more."""

    def show(name: str, **given: str) -> dict[str, Any]:
        state: dict[str, Any] = look(name)
        state["keys"] = bound(given)
        state["hand"]["number"] = next(NUMBERS)
        served.show(state)
        expect(page.locator("#top .hand-no")).to_contain_text(str(state["hand"]["number"]))
        return state

    return show


def press(page: Page, served: Served, key: str) -> dict[str, Any]:
    """Presses a key; the input that comes of it."""
    before = len(served.inputs)
    page.keyboard.press(key)
    return served.wait_inputs(before + 1)[-1]


@pytest.mark.parametrize(
    ("key", "posted"),
    [
        ("NumpadEnter", CALL),
        ("NumpadSubtract", CALL | {"action": "fold"}),
        ("NumpadDivide", CALL | {"action": "check"}),
        ("NumpadMultiply", CALL | {"action": "bet"}),
        ("NumpadAdd", CALL | {"action": "raise"}),
        ("NumpadDecimal", {"do": "undo"}),
        ("KeyF", CALL | {"action": "fold"}),
        ("KeyX", CALL | {"action": "check"}),
        ("KeyO", {"do": "call_floor"}),
        ("KeyK", {"do": "round_closed"}),
    ],
)
def test_a_numeric_pad_and_letters_enter_what_a_finger_does(
    page: Page, served: Served, keyed: Any, key: str, posted: dict[str, Any]
) -> None:
    """The large keys of the pad and the letters enter an action for the seat to act, and what the rail has."""
    keyed("calm")
    assert press(page, served, key) == posted


def test_a_digit_chooses_the_seat(page: Page, served: Served, keyed: Any) -> None:
    """As a tap on the seat does; the action that follows is that seat's; all-in goes with it."""
    keyed("calm")
    page.keyboard.press("Numpad7")
    expect(page.locator("#row #turn")).to_contain_text("Seat 7")
    page.keyboard.press("KeyL")
    assert press(page, served, "NumpadAdd") == {"do": "action", "seat": 7, "action": "raise", "all_in": True}
    page.keyboard.press("Numpad8")
    page.keyboard.press("Escape")
    assert press(page, served, "NumpadEnter") == CALL


def test_an_alarm_is_handled_by_keys(page: Page, served: Served, keyed: Any) -> None:
    """A question is answered, a step ticked, another irregularity looked at, and all of it acknowledged."""
    state = keyed("question")
    assert press(page, served, "KeyY") == {"do": "answer", "question": "q1", "value": True}
    assert press(page, served, "KeyN") == {"do": "answer", "question": "q1", "value": False}
    assert press(page, served, "KeyD") == {"do": "step_done", "irregularity": "i4", "step": 0}
    page.keyboard.press("KeyI")
    expect(page.locator("#panel [data-do=ahead]")).to_have_text("2/2")
    assert press(page, served, "Numpad0") == {"do": "acknowledge"}
    state["irregularities"][0]["question"]["choices"] = [0, 1, 2]
    state["keys"] |= {"F2": "answer_2", "F3": "answer_3"}
    served.show(state)
    page.keyboard.press("KeyI")
    expect(page.locator("#panel .choices button")).to_have_count(3)
    assert press(page, served, "F3") == {"do": "answer", "question": "q1", "value": 2}
    assert press(page, served, "F2") == {"do": "answer", "question": "q1", "value": 1}


def test_digits_press_what_a_sheet_offers(page: Page, served: Served, keyed: Any) -> None:
    """A seat, a count, or the digits of a number, which Enter then enters."""
    keyed("ready")
    page.keyboard.press("KeyM")
    page.locator("#sheet [data-menu=button]").tap()
    assert press(page, served, "Numpad4") == {"do": "button", "seat": 4}
    page.keyboard.press("KeyM")
    page.locator("#sheet [data-menu=stub_count]").tap()
    page.keyboard.press("Numpad3")
    page.keyboard.press("Digit0")
    assert press(page, served, "NumpadEnter") == {"do": "stub_count", "count": 30}
    page.keyboard.press("KeyM")
    page.locator("#sheet [data-menu=cut_exposed]").tap()
    assert press(page, served, "Digit2") == {"do": "cut_exposed", "count": 2}


def test_a_key_that_is_held_acts_once(page: Page, served: Served, keyed: Any) -> None:
    """A keyboard repeats a key that is held down: the next seats do not fold with it."""
    keyed("calm")
    for _ in range(3):
        page.keyboard.down("KeyF")
    page.keyboard.up("KeyF")
    assert press(page, served, "KeyU") == {"do": "undo"}
    assert [each["do"] for each in served.inputs] == ["action", "undo"]


def test_a_key_that_means_nothing_now_says_so(page: Page, served: Served, keyed: Any, said: Any) -> None:
    """Nobody is to act, no step is due: in red, and nothing is entered. With Control it is the browser's."""
    keyed("between_hands")
    page.keyboard.press("NumpadEnter")
    said("refused", "Not entered: this key means nothing now")
    page.keyboard.press("Control+KeyD")
    assert press(page, served, "KeyS") == {"do": "shuffle_done"}


def test_the_configuration_binds_keys(page: Page, served: Served, keyed: Any) -> None:
    """Another key, another meaning, or none: what is off is left to the browser."""
    keyed("calm", F5="fold", NumpadEnter="check", KeyC=OFF)
    assert press(page, served, "F5") == CALL | {"action": "fold"}
    page.keyboard.press("KeyC")
    assert press(page, served, "NumpadEnter") == CALL | {"action": "check"}


# --- while a sheet is open --------------------------------------------------------------------------------------


def test_what_is_typed_while_a_line_is_open_goes_into_the_line(
    page: Page, served: Served, keyed: Any
) -> None:
    """A finger on the screen's keys leaves the focus in the line; where it went elsewhere all the same, letters, signs
    and Backspace go there, and Enter enters it. No key enters anything else behind the sheet."""
    keyed("ready")
    page.keyboard.press("KeyM")
    page.locator("#sheet [data-menu=name]").tap()
    page.locator("#sheet [data-seat='2']").tap()
    line = page.locator("#sheet input")
    page.locator("#sheet [data-key=v]").click()
    expect(line).to_be_focused()
    page.locator("#sheet [data-key=other]").tap()
    expect(line).to_be_focused()
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.type("asuaox")
    page.locator("#sheet [data-key=erase]").focus()
    page.keyboard.press("Backspace")
    expect(line).to_have_value("Vasuao")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    assert press(page, served, "NumpadEnter") == {"do": "name", "seat": 2, "text": "Vasuao"}
    assert served.inputs == [{"do": "name", "seat": 2, "text": "Vasuao"}]


BLIND = sorted({*MEANINGS} - {OFF, "menu", "next", "back", "close", "call_floor", "ahead"} - {*SEATS})


@pytest.mark.parametrize("sheet", ["menu", "seats", "deck"])
def test_no_key_enters_anything_behind_a_sheet(page: Page, served: Served, keyed: Any, sheet: str) -> None:
    """Whatever a key can be bound to enters nothing that the sheet hides, and says so; the floor is called."""
    for meaning in BLIND:
        if meaning.startswith("open_"):
            continue
        keyed("question", F8=meaning, F9=f"open_{sheet}")
        page.keyboard.press("Escape")
        page.keyboard.press("KeyM" if sheet == "menu" else "F9")
        expect(page.locator("#sheet")).to_have_attribute("data-sheet", sheet)
        page.evaluate("() => { document.querySelector('#toast').hidden = true; }")
        page.keyboard.press("F8")
        expect(page.locator("#toast.refused")).to_be_visible()
        expect(page.locator("#sheet")).to_be_visible()
    assert served.inputs == []
    assert press(page, served, "KeyO") == {"do": "call_floor"}


# --- a numeric pad alone ----------------------------------------------------------------------------------------


def test_a_pad_alone_works_the_sheets(page: Page, served: Served, keyed: Any) -> None:
    """Seats are toggled by their digits and Enter enters them; the large keys lead on and back, the decimal key
    erases a digit, and closes; NumLock leads through rail and row, so that the menu and all behind it are reached."""
    keyed("ready", F2="open_seats")
    page.keyboard.press("F2")
    page.keyboard.press("Numpad3")
    assert press(page, served, "NumpadEnter") == {"do": "seats", "eligible": [1, 2, 4, 6, 7, 8, 9]}
    page.keyboard.press("F2")
    page.keyboard.press("NumpadDecimal")
    expect(page.locator("#sheet")).to_be_hidden()
    rail = page.locator("#rail [data-rail=menu]")
    for _ in range(30):
        page.keyboard.press("NumLock")
        if rail.evaluate("(node) => node === document.activeElement"):
            break
    page.keyboard.press("NumpadEnter")
    expect(page.locator("#sheet")).to_have_attribute("data-sheet", "menu")
    focused = page.locator("#sheet :focus")
    expect(focused).to_have_attribute("data-menu", "shuffle_done")
    page.keyboard.press("NumpadAdd")
    page.keyboard.press("NumpadAdd")
    page.keyboard.press("NumpadSubtract")
    expect(focused).to_have_attribute("data-menu", "cut_done")
    page.keyboard.press("NumpadSubtract")
    page.keyboard.press("NumpadSubtract")
    expect(focused).to_have_attribute("data-menu", "technician")
    page.locator("#sheet [data-menu=stub_count]").focus()
    page.keyboard.press("NumpadEnter")
    for key in ("Numpad3", "Numpad0", "Numpad1", "NumpadDecimal", "Numpad4"):
        page.keyboard.press(key)
    expect(page.locator("#sheet .typed")).to_have_text("34")
    assert press(page, served, "NumpadEnter") == {"do": "stub_count", "count": 34}


def test_a_pad_reaches_what_a_chosen_seat_offers(page: Page, served: Served, keyed: Any) -> None:
    """Between hands and where no action is entered: the digit chooses, the row has the focus, Enter presses there."""
    keyed("ready")
    page.keyboard.press("Numpad4")
    focused = page.locator("#row :focus")
    expect(focused).to_have_text("Button here")
    page.keyboard.press("NumpadAdd")
    expect(focused).to_have_text("Leave out")
    page.keyboard.press("NumpadDecimal")
    expect(page.locator("#row [data-seat-do]")).to_have_count(0)
    page.keyboard.press("Numpad4")
    assert press(page, served, "NumpadEnter") == {"do": "button", "seat": 4}


def test_a_pad_answers_and_ticks(page: Page, served: Served, keyed: Any) -> None:
    """In an alarm the first stop is the question, then the step."""
    keyed("question")
    page.evaluate("() => document.activeElement.blur()")
    focused = page.locator("#panel :focus")
    page.keyboard.press("NumLock")
    while focused.get_attribute("data-do") == "ahead":
        page.keyboard.press("NumLock")
    expect(focused).to_have_attribute("data-value", "true")
    assert press(page, served, "NumpadEnter") == {"do": "answer", "question": "q1", "value": True}


STATES = ("calm", "ready", "crowded", "doubt", "question", "open_mode", "showdown", "stud")
SAME = {
    "yes": "answer_1",
    "no": "answer_2",
    "call_all_in": "call",
    "bet_all_in": "bet",
    "raise_all_in": "raise",
}
"""Meanings that enter the same: twice within a moment they are one press that bounced, so not in the same state."""


def test_every_meaning_does_something_somewhere(page: Page, served: Served, keyed: Any) -> None:
    """Whatever a key can be bound to posts an input of the contract, or shows something else, in one state at least."""
    left = set(MEANINGS) - {OFF, "close"}
    for name in STATES:
        pressed: set[str] = set()
        for meaning in sorted(
            left, key=lambda each: (each == "ahead", each)
        ):  # that leads away from what is asked
            if SAME.get(meaning) in pressed:
                continue
            pressed.add(meaning)
            state = keyed(name, F8=meaning)
            page.keyboard.press("Escape")
            page.keyboard.press("Escape")
            before, shown = len(served.inputs), page.evaluate(LOOK)
            page.keyboard.press("F8")
            page.wait_for_function(f"(was) => ({LOOK})() !== was", arg=shown)
            if page.locator("#toast.refused").is_visible():
                page.evaluate("() => { document.querySelector('#toast').hidden = true; }")
                continue
            left.discard(meaning)
            for posted in served.inputs[before:]:
                check(
                    posted["do"],
                    {k: v for k, v in posted.items() if k != "do"},
                    seats=state["table"]["seats"],
                )
    assert left == set()


def test_a_key_may_close(page: Page, keyed: Any, said: Any) -> None:
    """What is open: a sheet, also one in which something is written, then the seat that is chosen; else it says so."""
    keyed("calm", F8="close", F9="open_note")
    page.keyboard.press("Numpad7")
    page.keyboard.press("F9")
    expect(page.locator("#sheet")).to_be_visible()
    page.keyboard.press("F8")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#row #turn")).to_contain_text("Seat 7")
    page.keyboard.press("F8")
    expect(page.locator("#row #turn")).to_contain_text("Seat 3")
    page.keyboard.press("F8")
    said("refused", "Not entered: this key means nothing now")


LOOK = """() => {
  const [sheet, row, toast, panel] = ["sheet", "row", "toast", "panel"].map((id) => document.getElementById(id));
  const pressed = document.querySelectorAll("[aria-pressed=true]").length;
  const at = [...document.querySelectorAll("button")].indexOf(document.activeElement);
  const shown = [row, toast, panel].map((each) => each.textContent);
  return [at, sheet.dataset.sheet, ...shown, toast.hidden, pressed].join("|");
}"""
"""What a key can change."""


# --- moving about -----------------------------------------------------------------------------------------------


def test_arrows_move_and_enter_presses(page: Page, served: Served, keyed: Any) -> None:
    """From button to button as they lie on the screen, and round the whole of it; what has the focus shows it."""
    keyed("calm")
    focused = page.locator(":focus-visible")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_text("Fold")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_text("Call")
    assert focused.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    assert press(page, served, "Enter") == CALL
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("data-rail", "menu")
    page.keyboard.press("ArrowUp")
    expect(focused).to_have_attribute("data-rail", "undo")
    assert press(page, served, "NumpadEnter") == {"do": "undo"}
    page.keyboard.press("ArrowLeft")
    expect(focused).to_have_class("seat-button")


def test_an_open_sheet_keeps_the_focus(page: Page, keyed: Any) -> None:
    """Neither Tab nor an arrow leads to what lies under it; the rail stays in reach."""
    keyed("calm")
    page.keyboard.press("KeyM")
    seen = set()
    for key in (*["Tab"] * 40, *["ArrowDown"] * 8, *["ArrowLeft"] * 8):
        page.keyboard.press(key)
        seen.add(page.evaluate("() => document.activeElement.closest('#sheet, #rail, body').id"))
    assert {"sheet", "rail"} <= seen <= {"sheet", "rail", ""}


def test_the_defaults_are_keys_with_meanings() -> None:
    """Each is bound to something that there is, and no key moves about on the display besides."""
    assert set(DEFAULTS.values()) <= set(MEANINGS)
