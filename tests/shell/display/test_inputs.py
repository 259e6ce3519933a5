"""Everything a dealer can enter, with one thumb: which touches post which input, and what the page shows of it."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tablectl.core.entries import INPUTS, check

if TYPE_CHECKING:
    from conftest import Served

HERE = Path(__file__).parent
ALL = runpy.run_path(str(HERE / "states.py"))["ALL"]
MENU = "#rail [data-rail=menu]"
MOST_TOUCHES = 2
NAME = "Player\u2019s name"


def tap(page: Page, *selectors: str) -> None:
    """A touch of a finger on each, one after the other."""
    for selector in selectors:
        page.locator(selector).tap()


def menu(page: Page, name: str) -> None:
    """Opens the menu and touches one entry."""
    tap(page, MENU, f"#sheet [data-menu={name}]")


def typed(page: Page, word: str) -> None:
    """Types a word on the screen's own keys."""
    for letter in word:
        page.locator(f"#sheet [data-key='{letter}']").tap()


# --- where each input is ------------------------------------------------------------------------------------

WHERE: dict[str, tuple[str, list[str]]] = {
    "seats": ("ready", ["#row [data-setup=seats]"]),
    "absent": ("ready", [MENU, "[data-menu=absent]"]),
    "button": ("ready", ["#row [data-setup=button]"]),
    "game": ("ready", [MENU, "[data-menu=game]"]),
    "deck": ("ready", [MENU, "[data-menu=deck]"]),
    "dealer": ("ready", [MENU, "[data-menu=dealer]"]),
    "language": ("ready", [MENU, "[data-menu=language]"]),
    "night": ("ready", [MENU, "[data-menu=night]"]),
    "straddle": ("ready", [".seat-button[data-seat='3']", "[data-seat-do=straddle]"]),
    "name": ("ready", [".seat-button[data-seat='3']", "[data-seat-do=name]"]),
    "shuffle_done": ("between_hands", ["#row [data-setup=shuffle_done]"]),
    "cut_done": ("between_hands", ["#row [data-setup=cut_done]"]),
    "cut_exposed": ("ready", [MENU, "[data-menu=cut_exposed]"]),
    "action": ("calm", ["#row [data-action=call]"]),
    "round_closed": ("open_mode", ["#rail [data-rail=round_closed]"]),
    "exposed": ("open_mode", [".seat-button[data-seat='4']", "[data-seat-do=exposed] >> nth=1"]),
    "up_cards": ("stud", [MENU, "[data-menu=up_cards]"]),
    "damaged": ("calm", [MENU, "[data-menu=damaged]"]),
    "stub_disordered": ("calm", [MENU, "[data-menu=stub_disordered]"]),
    "stub_count": ("calm", [MENU, "[data-menu=stub_count]"]),
    "showdown": ("calm", [MENU, "[data-menu=showdown]"]),
    "hand_end": ("showdown", ["#row [data-setup=hand_end]"]),
    "run_twice": ("run_twice", [MENU, "[data-menu=run_twice]"]),
    "answer": ("question", ["#panel [data-value=true]"]),
    "acknowledge": ("wrong_first_seat", ["#rail [data-rail=acknowledge]"]),
    "call_floor": ("wrong_first_seat", ["#rail [data-rail=call_floor]"]),
    "override": ("wrong_first_seat", [MENU, "[data-menu=override]"]),
    "step_done": ("wrong_first_seat", ["#panel [data-do=step_done]"]),
    "undo": ("calm", ["#rail [data-rail=undo]"]),
    "note": ("calm", [MENU, "[data-menu=note]"]),
}
"""Every input of the contract: a state in which it makes sense, and the touches that enter it or open its sheet."""


def test_every_input_of_the_contract_is_on_the_page() -> None:
    """None is left out, none stands here that the table does not know."""
    assert set(WHERE) == set(INPUTS)


@pytest.mark.parametrize("do", list(WHERE))
def test_every_input_is_two_touches_away(page: Page, served: Served, look: Any, do: str) -> None:
    """Two touches enter it, or open the sheet that asks for the rest; what is posted the contract accepts."""
    state, touches = WHERE[do]
    assert len(touches) <= MOST_TOUCHES
    seats = look(state)["table"]["seats"]
    tap(page, *touches)
    if page.locator("#sheet").is_visible():
        expect(page.locator("#sheet")).to_have_attribute("data-sheet", do)
        return
    posted = dict(served.wait_inputs(1)[-1])
    assert posted.pop("do") == do
    check(do, posted, seats=seats)


# --- sheets that ask more than one thing ----------------------------------------------------------------------


def test_the_floors_ruling_is_entered_question_by_question(
    page: Page, served: Served, look: Any, said: Any
) -> None:
    """Which ruling, what instead, why and who: each by a touch; with one irregularity the first is not asked."""
    look("wrong_first_seat")
    menu(page, "override")
    expect(page.locator("#sheet .about")).to_have_text("First card to seat 9, not 8")
    tap(
        page,
        "#sheet [data-verdict=play_on]",
        "#sheet [data-why='All players agree']",
        "#sheet [data-who=Floor]",
    )
    [posted] = served.wait_inputs(1)
    assert posted == {
        "do": "override", "irregularity": "i2", "verdict": "play_on", "why": "All players agree", "who": "Floor"
    }  # fmt: skip
    said("taken", "Entered: Play on")
    look("crowded")
    menu(page, "override")
    assert page.locator("#sheet [data-irregularity]").count() == 4
    tap(page, "#sheet [data-irregularity=i9]", "#sheet [data-verdict=floor]")
    typed(page, "ok")
    tap(page, "#sheet [data-enter]")
    typed(page, "mt")
    tap(page, "#sheet [data-enter]")
    assert served.wait_inputs(2)[-1] == {
        "do": "override", "irregularity": "i9", "verdict": "floor", "why": "Ok", "who": "Mt"
    }  # fmt: skip


def test_nothing_is_overruled_while_nothing_is_wrong(page: Page, served: Served, look: Any) -> None:
    """The entry stands in its place, and cannot be pressed; a key that opens its sheet is told so in words."""
    state = look("calm")
    tap(page, MENU)
    expect(page.locator("#sheet [data-menu=override]")).to_be_disabled()
    page.keyboard.press("Escape")
    served.show(state | {"keys": {"F4": "open_override"}, "undo": None})
    expect(page.locator("#rail [data-rail=undo]")).to_be_disabled()
    page.keyboard.press("F4")
    expect(page.locator("#sheet")).to_contain_text("There is nothing to overrule.")


def test_a_dead_hand_is_one_seats(page: Page, served: Served, look: Any) -> None:
    """The floor says whose hand is dead: the seat that the irregularity is about is proposed, each can be named."""
    look("wrong_first_seat")
    menu(page, "override")
    tap(page, "#sheet [data-verdict=dead]")
    expect(page.locator("#sheet h2")).to_have_text("Whose hand is dead?")
    expect(page.locator("#sheet .proposed")).to_have_attribute("data-seat", "9")
    tap(page, "#sheet [data-seat='3']", "#sheet [data-why='All players agree']", "#sheet [data-who=Floor]")
    assert served.wait_inputs(1) == [
        {"do": "override", "irregularity": "i2", "verdict": "dead", "seat": 3, "why": "All players agree",
         "who": "Floor"}
    ]  # fmt: skip
    check("override", {k: v for k, v in served.inputs[0].items() if k != "do"}, seats=9)


def test_a_language_is_confirmed_by_its_own_name(page: Page, served: Served, look: Any, said: Any) -> None:
    """Nobody is told of the new language in the words of the old one."""
    look("calm")
    menu(page, "language")
    tap(page, "#sheet [data-language=pl]")
    said("taken", "Polski")
    assert served.wait_inputs(1) == [{"do": "language", "code": "pl"}]


@pytest.mark.parametrize("state", ["wrong_first_seat", "question", "crowded"])
def test_what_was_entered_is_told_beside_the_panel(page: Page, look: Any, state: str) -> None:
    """In an alarm neither a step, a question nor a button is covered while the page tells of an input."""
    look(state)
    tap(page, "#rail [data-rail=call_floor]")
    toast = page.locator("#toast.taken").bounding_box()
    assert toast is not None
    for other in page.locator("#panel, #panel .body, #row button, #rail button").all():
        box = other.bounding_box()
        assert box is None or not (
            box["x"] < toast["x"] + toast["width"]
            and toast["x"] < box["x"] + box["width"]
            and box["y"] < toast["y"] + toast["height"]
            and toast["y"] < box["y"] + box["height"]
        ), other


def test_the_keys_of_the_screen_stand_apart(page: Page, look: Any) -> None:
    """Each takes the whole of its 12 mm, and is drawn smaller: none touches another one, the edge, or the rail."""
    look("calm")
    menu(page, "note")
    drawn = page.locator("#sheet .key").evaluate_all(
        "(all) => all.map((key) => [key.getBoundingClientRect(), getComputedStyle(key)]).map(([box, style]) =>"
        " [box.left + parseFloat(style.borderLeftWidth), box.right - parseFloat(style.borderRightWidth)])"
    )
    rail = page.locator("#rail button").first.bounding_box()
    assert rail is not None
    assert min(left for left, _ in drawn) >= 4
    assert max(right for _, right in drawn) <= rail["x"] - 4


def test_up_cards_are_counted_at_a_seat(page: Page, served: Served, look: Any) -> None:
    """Only where stud is played; the seat, then how many of its cards are up."""
    look("calm")
    tap(page, MENU)
    assert page.locator("#sheet [data-menu=up_cards]").count() == 0
    page.keyboard.press("Escape")
    look("stud")
    menu(page, "up_cards")
    tap(page, "#sheet [data-seat='3']", "#sheet [data-count='2']")
    assert served.wait_inputs(1) == [{"do": "up_cards", "seat": 3, "count": 2}]


def test_a_straddle_is_posted_and_taken_back(page: Page, served: Served, look: Any) -> None:
    """Only seats that may straddle can be touched; one that has straddled is marked, and takes it back."""
    state = look("ready")
    menu(page, "straddle")
    expect(page.locator("#sheet [data-seat='2']")).to_be_disabled()
    expect(page.locator("#sheet .proposed")).to_have_attribute("data-seat", "1")
    tap(page, "#sheet [data-seat='4']")
    state["hand"] |= {"straddles": [4], "may_straddle": [5, 6]}
    served.show(state)
    expect(page.locator("#table .straddle")).to_have_count(1)
    menu(page, "straddle")
    expect(page.locator("#sheet [aria-pressed=true]")).to_have_attribute("data-seat", "4")
    tap(page, "#sheet [data-seat='4']")
    assert served.wait_inputs(2) == [
        {"do": "straddle", "seat": 4}, {"do": "straddle", "seat": 4, "posted": False}
    ]  # fmt: skip


def test_a_seat_that_is_tapped_between_hands_offers_what_is_entered_of_it(
    page: Page, served: Served, look: Any
) -> None:
    """Button here, out or in, away or back, straddle, name; a second tap lets it go again."""
    look("ready")
    tap(page, ".seat-button[data-seat='8']")
    names = page.locator("#row [data-seat-do]")
    assert names.all_text_contents() == ["Button here", "Leave out", "Is away", "Straddle", NAME]
    tap(page, "#row [data-seat-do=seats]")
    tap(page, ".seat-button[data-seat='5']")
    assert names.all_text_contents() == ["Button here", "Deal in", "Straddle", NAME]
    tap(page, "#row [data-seat-do=seats]")
    tap(page, ".seat-button[data-seat='3']", "#row [data-seat-do=absent]")
    tap(page, ".seat-button[data-seat='3']", ".seat-button[data-seat='3']")
    expect(names).to_have_count(0)
    assert served.wait_inputs(3) == [
        {"do": "seats", "eligible": [1, 2, 3, 4, 6, 7, 9]},
        {"do": "seats", "eligible": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
        {"do": "absent", "seat": 3, "away": True},
    ]


# --- the keyboard on the screen --------------------------------------------------------------------------------


def test_a_name_is_typed_on_the_screen(page: Page, served: Served, look: Any) -> None:
    """Capitals come by themselves, a letter can be erased, and an empty line takes the name away."""
    state = look("named")
    menu(page, "name")
    expect(page.locator("#sheet [data-seat='1']")).to_contain_text("Ann")
    tap(page, "#sheet [data-seat='5']")
    expect(page.locator("#sheet input")).to_have_value("Мария")
    for _ in range(5):
        tap(page, "#sheet [data-key=erase]")
    typed(page, "ann-jo")
    tap(page, "#sheet [data-key=' ']")
    typed(page, "oh")
    tap(page, "#sheet [data-key=erase]", "#sheet [data-enter]")
    assert served.wait_inputs(1) == [{"do": "name", "seat": 5, "text": "Ann-Jo O"}]
    menu(page, "name")
    tap(page, "#sheet [data-seat='3']")
    for _ in range(2):
        tap(page, "#sheet [data-key=erase]")
    tap(page, "#sheet [data-enter]")
    assert served.wait_inputs(2)[-1] == {"do": "name", "seat": 3}
    assert state["seats"][2]["name"] == "Jo"


def test_a_note_may_have_figures_and_signs(page: Page, served: Served, look: Any) -> None:
    """The other half of the keys has them; a sentence begins with a capital; nothing is entered of an empty line."""
    look("calm")
    menu(page, "note")
    expect(page.locator("#sheet [data-enter]")).to_be_disabled()
    typed(page, "seat")
    tap(
        page,
        "#sheet [data-key=' ']",
        "#sheet [data-key=other]",
        "#sheet [data-key='4']",
        "#sheet [data-key='?']",
    )
    tap(page, "#sheet [data-enter]")
    assert served.wait_inputs(1) == [{"do": "note", "text": "Seat 4?"}]


def test_a_real_keyboard_types_into_the_same_line(page: Page, served: Served, look: Any) -> None:
    """Letters are letters there, and no keys with a meaning; Enter enters."""
    look("calm")
    menu(page, "dealer")
    page.keyboard.type("Fo-1")
    page.keyboard.press("Enter")
    assert served.wait_inputs(1) == [{"do": "dealer", "id": "Fo-1"}]


@pytest.mark.parametrize("language", ["en", "nl", "it", "ru", "pl"])
def test_the_keys_write_the_language_of_the_table(
    page: Page, served: Served, look: Any, language: str
) -> None:
    """Every letter of each alphabet has its key: Latin with what the language adds to it, or Cyrillic."""
    letters = {
        "en": "abcdefghijklmnopqrstuvwxyz", "nl": "abcdefghijklmnopqrstuvwxyzéëïóöü",
        "it": "abcdefghijklmnopqrstuvwxyzàèéìòù", "pl": "abcdefghijklmnopqrstuvwxyząćęłńóśźż",
        "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    }[language]  # fmt: skip
    state = look("calm")
    state["table"]["language"] = language
    served.show(state)
    expect(page.locator("html")).to_have_attribute("lang", language)
    menu(page, "note")
    keys = page.locator("#sheet .key").evaluate_all("(all) => all.map((key) => key.dataset.key)")
    assert set(letters) <= set(keys)


# --- undo, and several irregularities -------------------------------------------------------------------------


def test_undo_says_what_it_takes_back(page: Page, served: Served, look: Any, said: Any) -> None:
    """The button names the last input, the page says that it was taken back; with none it cannot be pressed."""
    state = look("calm")
    state["undo"] = {"do": "action", "seat": 2, "action": "fold"}
    served.show(state)
    undo = page.get_by_role("button", name="Undo: Seat 2: fold")
    undo.tap()
    said("taken", "Taken back: Seat 2: fold")
    assert served.wait_inputs(1) == [{"do": "undo"}]
    state["undo"] = None
    served.show(state)
    expect(page.locator("#rail [data-rail=undo]")).to_be_disabled()


def test_the_gravest_stands_in_front_and_the_others_are_a_touch_away(
    page: Page, served: Served, look: Any
) -> None:
    """The others come one after the other, each with its own ruling and steps; a new alarm brings the gravest back."""
    state = look("crowded")
    headline, ahead = page.locator("#panel h1"), page.locator("#panel [data-do=ahead]")
    expect(headline).to_contain_text("card lies with seat")
    expect(ahead).to_have_text("1/4")
    seen = []
    for shown in ("2/4", "3/4", "4/4", "1/4"):
        ahead.tap()
        expect(ahead).to_have_text(shown)
        seen.append(headline.inner_text().replace("\u00a0", " "))
    assert seen[:3] == ["Card at seat 6, not dealt in", "Joker in the muck", "Joker in the burn pile"]
    ahead.tap()
    expect(headline).to_have_text(seen[0])
    new = state["irregularities"][0] | {
        "id": "i77",
        "kind": "duplicate_card",
        "question": None,
        "zone": "board",
        "seat": None,
    }
    state["irregularities"].insert(0, new)
    served.show(state)
    expect(headline).to_have_text("Duplicate card on the board")
    expect(ahead).to_have_text("1/5")


def test_the_step_that_is_shown_is_the_one_that_is_ticked(page: Page, served: Served, look: Any) -> None:
    """Done names the irregularity and the step, whichever is looked at."""
    look("four_card_flop")
    tap(page, "#panel [data-do=step_done]")
    assert served.wait_inputs(1) == [{"do": "step_done", "irregularity": "i3", "step": 1}]


def test_what_another_ruling_decides_says_so(page: Page, served: Served, look: Any) -> None:
    """A misdeal governs the hand: the other irregularity has no ruling of its own, and does not promise one."""
    state = look("wrong_first_seat")
    other = state["irregularities"][0] | {"id": "i8", "kind": "boxed_card", "ruling": None, "step": None}
    state["irregularities"].append(other)
    served.show(state)
    tap(page, "#panel [data-do=ahead]")
    expect(page.locator("#panel .verdict")).to_have_text("Misdealdecides this one, too")


def test_a_called_floor_is_seen(page: Page, look: Any) -> None:
    """The button says that the floor is called until it has come and the dealer has acknowledged."""
    look("floor_called")
    expect(page.locator("#rail [data-rail=call_floor]")).to_have_text("Floor called")
    look("calm")
    expect(page.locator("#rail [data-rail=call_floor]")).to_have_text("Call floor")


# --- quick fingers, and nothing to enter ------------------------------------------------------------------------


def test_quick_touches_are_entered_or_told(page: Page, served: Served, look: Any, said: Any) -> None:
    """A finger that bounces acts for one seat, and the page says so; once the next seat stands there another touch of
    the same button acts for that seat. Each proposal names itself as one, so that the table refuses a stale one."""
    state = look("calm")
    page.evaluate("() => [1, 2, 3].forEach(() => document.querySelector('#row [data-action=fold]').click())")
    said("refused", "Too quick: entered only once")
    fold = {"do": "action", "action": "fold", "in_turn": True}
    assert served.wait_inputs(1) == [fold | {"seat": 3}]
    until = page.evaluate("() => performance.now() + 150")
    state["hand"] |= {"to_act": 4}
    served.show(state)
    expect(page.locator("#row #turn")).to_contain_text("Seat 4")
    page.wait_for_function("(until) => performance.now() > until", arg=until)
    tap(page, "#row [data-action=fold]")
    said("taken", "Seat 4: fold")
    assert served.wait_inputs(2) == [fold | {"seat": 3}, fold | {"seat": 4}]


def test_a_seat_that_is_chosen_is_no_proposal(page: Page, served: Served, look: Any) -> None:
    """A late entry for another seat than the one next to act is entered as it is."""
    look("calm")
    tap(page, ".seat-button[data-seat='7']", "#row [data-action=call]")
    assert served.wait_inputs(1) == [{"do": "action", "seat": 7, "action": "call"}]


@pytest.mark.parametrize(
    ("state", "off"),
    [
        ("ready", {"round_closed", "exposed"}),
        ("between_hands", {"round_closed"}),
        ("dealing", {"round_closed"}),
        ("calm", set()),
    ],
)
def test_the_rail_offers_nothing_that_makes_no_sense(
    page: Page, look: Any, state: str, off: set[str]
) -> None:
    """Without a hand, and in its deal, there is no round to be closed; before the first card none that was exposed."""
    look(state)
    names = ("round_closed", "exposed")
    assert {each for each in names if page.locator(f"#rail [data-rail={each}]").is_disabled()} == off


def test_a_round_is_due_while_it_is_being_bet(page: Page, served: Served, look: Any) -> None:
    """Where rounds are entered the rail says so in colour; a hand that has ended leaves nothing due."""
    state = look("calm")
    state["table"]["betting"], state["hand"]["round_open"] = "rounds", True
    served.show(state)
    due = page.locator("#rail .due")
    expect(due).to_have_attribute("data-rail", "round_closed")
    for phase in ("over", "showdown", "idle", "deal"):
        state["hand"]["phase"] = "betting"
        served.show(state)
        expect(due).to_have_count(1)
        state["hand"]["phase"] = phase
        served.show(state)
        expect(due).to_have_count(0)


# --- the calm table --------------------------------------------------------------------------------------------


def test_the_next_card_of_the_board_is_told_large(page: Page, look: Any) -> None:
    """Its burn first, then its street, each where it goes; of a board that is run again, which run."""
    look("street_due")
    expect(page.locator("#row #turn")).to_have_text("Next card, before the turnBurn pile")
    expect(page.locator("#table .pile rect.next")).to_have_count(1)
    look("run_twice")
    expect(page.locator("#row #turn")).to_have_text("Next card, run 2Turn")
    assert page.locator("#table .board .back").count() == 8
    assert page.locator("#table .board .slot").count() == 2


def test_an_open_table_shows_every_run_of_the_board(page: Page, look: Any) -> None:
    """Three boards of an all-in, face up; an alarm leaves the word that the table is open in sight."""
    state = look("run_thrice")
    faces = page.locator("#table .board").evaluate_all(
        "(all) => all.map((row) => [...row.querySelectorAll('.rank')].map((rank) => rank.textContent).join(''))"
    )
    assert faces == ["A7210K", "A729Q", "A723"]
    assert state["table"]["mode"] == "open"
    expect(page.locator("#top .mode")).to_have_text("Open")


def test_an_open_table_stays_marked_in_an_alarm(page: Page, served: Served, look: Any) -> None:
    """The top line gives way to the headline; the mark stands beside the table instead."""
    state = look("wrong_first_seat")
    expect(page.locator("#open")).to_be_hidden()
    state["table"]["mode"] = "open"
    served.show(state)
    expect(page.locator("#open")).to_have_text("Open")


NAMES_APART = """() => {
  const box = (node) => node.getBoundingClientRect();
  const seat = (node) => node.closest("[data-seat]")?.dataset.seat;
  const names = [...document.querySelectorAll("#table .name")].map((node) => [seat(node), box(node)]);
  const DRAWN = ["plate", "pill", "badge", "back", "dealer-button", "straddle", "tray"];
  const all = (kind) => [...document.querySelectorAll(`#table .${kind}`)];
  const drawn = DRAWN.flatMap((kind) => all(kind).map((node) => [kind, box(node), kind === "plate" && seat(node)]));
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4;
  const stage = box(document.querySelector("#stage"));
  const wide = (a) => a.left >= stage.left && a.right <= stage.right;
  const inside = (a) => wide(a) && a.top >= stage.top && a.bottom <= stage.bottom;
  const wrong = names.filter(([, each]) => !inside(each)).map(([own]) => `name ${own} leaves the table`);
  names.forEach(([own, each], n) => {
    const plate = drawn.find(([, , at]) => at === own)[1];
    if (!meet(each, plate)) wrong.push(`name ${own} does not touch its plate`);
    const hit = [...names.slice(n + 1).map(([at, there]) => [`name ${at}`, there]), ...drawn].filter(
      ([, there, at]) => at !== own && meet(each, there));
    wrong.push(...hit.map(([other, , at]) => `name ${own} on ${other} ${at || ""}`));
  });
  return wrong;
}"""
"""Names that leave the table's drawing, do not hang on their own seat's plate, or lie on something else."""


@pytest.mark.parametrize("seats", range(2, 11))
def test_names_hang_on_their_seats_and_lie_on_nothing_else(
    page: Page, served: Served, look: Any, seats: int
) -> None:
    """The longest names at a table of any size, whatever else is drawn at a seat: each on the rim of its own plate."""
    state = look("named")
    state["table"]["seats"], state["seats"] = seats, state["seats"][:seats]
    for seat in state["seats"]:
        seat["name"] = "Wolfeschlegelsteinhausen"
    straddled, unseen = max(1, seats - 2), {"why": "…", "suspends": []}
    state["hand"] |= {"button": seats, "straddles": [straddled], "to_act": 2, "number": 900 + seats}
    state["degraded"] = [unseen | {"zone": f"seat:{n}"} for n in range(1, seats + 1)]
    served.show(state)
    expect(page.locator("#top .hand-no")).to_contain_text(str(900 + seats))
    assert page.locator("#table .name").count() == seats
    assert page.evaluate(NAMES_APART) == []


def test_usual_names_are_whole(page: Page, look: Any) -> None:
    """Ten players of a full table: no name of up to thirteen letters is cut, not even beside a button or a straddle."""
    names = [seat["name"] for seat in look("named")["seats"]]
    assert sorted(page.locator("#table .name").all_text_contents()) == sorted(names)
