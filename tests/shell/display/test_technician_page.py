"""The technician's page in a real Chromium: on the table's own screen, on a laptop, in every language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import technician_states as told
from marked import PLAIN, TEXTS, outside, speak_marked
from playwright.sync_api import Page, expect
from states import ALL, TARGET_PX

from tablectl.core.entries import LANGUAGES
from tablectl.core.sensed import Health

if TYPE_CHECKING:
    from serving import Served

AUDIT = (Path(__file__).parent / "audit.js").read_text()
SCREENS = {"screen": (800, 480), "laptop": (1366, 768)}
NAMES = re.compile(r"(?s)\d+[▴▾]|[-−\d,.%\s]+|[-\w.]*[·.][-\w. ]*|/dev/[-\w/:.]+|tablectl .*|✓")
"""What is the same in every language besides: boards' ids, ports, and a board's own words."""


@pytest.fixture
def look(served: Served, page: Page) -> Any:
    """Opens the page on a state and a pane; returns a function that shows another one."""
    turn = iter(range(1, 1000))

    def show(state: dict[str, Any], pane: str = "antennas", language: str = "en") -> None:
        name = f"T{next(turn)}"  # the page shows this state once it shows the name
        state["table"] |= {"id": name, "language": language}
        served.state = ALL["calm"]()
        served.state["table"]["language"] = language
        served.workshop.show(state)
        if page.url == "about:blank":
            page.goto(f"{served.display.url}technician")
        expect(page.locator("#cover")).to_be_hidden()
        expect(page.locator("#top .id")).to_have_text(name)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator(f"#rail [data-rail={pane}]").tap()
        expect(page.locator("button:active")).to_have_count(0)  # no picture shows a button under a finger

    return show


@pytest.mark.parametrize("screen", SCREENS)
def test_each_state_is_whole_and_readable(page: Page, look: Any, shots: Path | None, screen: str) -> None:
    """On both screens nothing is cut or leaves its place, targets are 12 mm, texts meet WCAG AA."""
    width, height = SCREENS[screen]
    page.set_viewport_size({"width": width, "height": height})
    wrong = {}
    for name, (pane, make) in told.ALL.items():
        look(make(), pane)
        wrong[name] = page.evaluate(f"({AUDIT})({TARGET_PX})")
        if shots is not None:
            page.screenshot(path=shots / f"technician-{screen}-{name}.png", animations="disabled")
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_each_language_fits(page: Page, look: Any, shots: Path | None, language: str) -> None:
    """The same in every other language, on the table's own screen."""
    wrong = {}
    for name, (pane, make) in told.ALL.items():
        look(make(), pane, language)
        wrong[name] = page.evaluate(f"({AUDIT})({TARGET_PX})")
        if shots is not None:
            page.screenshot(path=shots / f"technician-{language}-{name}.png", animations="disabled")
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_small_laptop_shows_it_whole(page: Page, look: Any, language: str) -> None:
    """At 1280 by 800, where the readers stand beside the antennas, in every language: rows, and the longest notice."""
    page.set_viewport_size({"width": 1280, "height": 800})
    for name in ("playing", "troubles", "faded_deck"):
        pane, make = told.ALL[name]
        look(make(), pane, language)
        assert page.evaluate(f"({AUDIT})({TARGET_PX})") == [], name


def test_a_notice_is_read_to_its_end(page: Page, look: Any) -> None:
    """On the table's own screen, whatever pane is open; it is gone with what it told of."""
    look(told.faded_deck())
    expect(page.locator("#notes")).to_have_text(
        re.compile(r"^Deck Bellagio 3/2026 reads .* try a new deck\.$")
    )
    page.locator("#rail [data-rail=readers]").tap()
    expect(page.locator("#notes")).to_be_visible()
    look(told.playing())
    expect(page.locator("#notes")).to_be_hidden()


def test_every_text_comes_from_a_catalogue(page: Page, look: Any) -> None:
    """In a language made of marks nothing stands outside of them but numbers, names, and what a board itself said."""
    speak_marked(page)
    seen = {}
    for name, (pane, make) in told.ALL.items():
        look(make(), pane, "pl")
        texts = [outside(text).strip() for text in page.evaluate(TEXTS) if not text.startswith("T")]
        seen[name] = [text for text in texts if not PLAIN.fullmatch(text) and not NAMES.fullmatch(text)]
    assert {name: found for name, found in seen.items() if found} == {}


def test_every_antenna_has_its_row(page: Page, look: Any) -> None:
    """Place, number, state, looks, reads, strength, neighbours and last card, as the table says them."""
    look(told.playing())
    row = page.locator("[data-antenna='2.0']")
    texts = row.locator(":is(th, td):not(.beside)").all_inner_texts()
    assert texts == ["Seat 2", "2·0", "good", "12.4", "98%", "-41", "2 cards"]
    expect(row.get_by_role("img", name="Seat 3 6%")).to_have_text("3 6%")
    assert page.locator("[data-antenna]").count() == 14
    expect(page.locator("[data-antenna='0.3'] td").last).to_have_text("never")
    expect(page.locator("[data-antenna='3.2'] td").last).to_have_text("14 s")


@pytest.mark.parametrize(
    ("changes", "state", "words"),
    [
        ({"health": "weak"}, "weak", "weak"),
        ({"health": "open"}, "open", "open"),
        ({"health": "shorted"}, "shorted", "shorted"),
        ({"health": "silent"}, "silent", "silent"),
        ({"last_look": 2500}, "unseen", "not looked at"),
        ({"last_look": None}, "unseen", "not looked at"),
        ({"rate": 0.39, "of": 20}, "poor", "poor"),
        ({"rate": 0.39, "of": 19}, "good", "good"),
        ({"rate": 0.41, "of": 200}, "good", "good"),
        ({"zone": "muck", "rate": 0.39}, "piled", "piled cards"),
        ({"zone": "muck", "rate": 0.41}, "good", "good"),
        ({"beside": [{"zone": "seat:3", "rate": 0.41}]}, "beside", "read beside"),
        ({"beside": [{"zone": "seat:3", "rate": 0.4}]}, "good", "good"),
        (told.EMPTY, "idle", "no card"),
        (told.EMPTY | {"tags": 2}, "heard", "reads"),
    ],
)
def test_what_a_row_is_worth(page: Page, look: Any, changes: dict[str, Any], state: str, words: str) -> None:
    """Each state in a word of its own, and no sooner than the figures bear it out."""
    now = told.playing()
    now["antennas"][2] |= changes
    look(now)
    expect(page.locator("[data-antenna='2.0']")).to_have_attribute("data-state", state)
    expect(page.locator("[data-antenna='2.0'] .state")).to_have_text(words)


def test_what_nobody_looks_at_is_not_shown_as_of_now(page: Page, look: Any) -> None:
    """An antenna that is not looked at has no cards now, only a last one."""
    now = told.playing()
    now["antennas"][2] |= {"last_look": 2500, "last_tag": 2600, "tags": 2}
    look(now)
    row = page.locator("[data-antenna='2.0'] :is(th, td)")
    expect(row).to_have_text(["Seat 2", "2·0", "not looked at", "12.4", "–", "–", "–", "3 s"])


def test_every_health_has_a_word(page: Page, look: Any) -> None:
    """No verdict that a board can give is shown as nothing."""
    for health in Health.__args__:
        now = told.playing()
        now["antennas"][2]["health"] = health
        look(now)
        expect(page.locator("[data-antenna='2.0'] .state")).to_have_text("good" if health == "ok" else health)


def test_a_bad_line_is_seen_within_the_minute(page: Page, served: Served, look: Any) -> None:
    """What was lost before the page was opened is told as the past, and not as a clean line; what is lost now is
    counted and named with its remedy."""
    now = told.playing()
    now["readers"][1]["counters"] |= {"lost_frames": 12}
    look(now, "readers")
    expect(page.locator("[data-reader='0']")).to_contain_text("Its line is clean.")
    board = page.locator("[data-reader='1']")
    expect(board).to_contain_text("It lost frames before; none in the last")
    expect(board).not_to_contain_text("clean")
    now["readers"][1]["counters"] |= {"lost_frames": 15, "duplicates": 2}
    look(now, "readers")
    expect(board).to_contain_text("Its line loses frames: check cable and plug.")
    expect(board).to_contain_text("15 +3/min")
    expect(board).to_contain_text("Frames twice: 2")
    now["readers"][1]["counters"]["reboots"] = 1
    look(now, "readers")
    expect(board).to_contain_text("It has restarted: check its power.")


def test_the_test_is_led_from_the_page(page: Page, served: Served, look: Any) -> None:
    """Begin, on, back and end post what the table takes; while a hand is played it cannot begin."""
    look(told.playing(), "test")
    expect(page.locator("[data-test=begin]")).to_be_disabled()
    expect(page.locator("#test")).to_contain_text("A hand is being played.")
    look(told.one_board(), "test")
    page.locator("[data-test=begin]").tap()
    look(told.under_test(None), "test")
    expect(page.locator("#test .where")).to_have_text("Seat 4")
    expect(page.locator("#test")).to_contain_text("9 of 11")
    for name in ("after", "before", "end"):
        page.locator(f"[data-test={name}]").tap()
    look(told.after_test(all_good=False), "test")
    expect(page.locator("#test h2")).to_have_text("3 antennas are left")
    page.locator("[data-test=again][data-antenna='0.5']").tap()
    assert served.workshop.wait(5) == [
        {"do": "begin"},
        {"do": "point", "reader": 0, "antenna": 5},
        {"do": "point", "reader": 0, "antenna": 3},
        {"do": "end"},
        {"do": "point", "reader": 0, "antenna": 5},
    ]


def test_a_button_under_a_finger_stays(page: Page, look: Any) -> None:
    """Figures change twice a second; the buttons below them are the same nodes all the time."""
    look(told.under_test(None), "test")
    button = page.locator("[data-test=after]").element_handle()
    now = told.under_test(dict(told.TOLD["weak"]))
    look(now, "test")
    expect(page.locator("#test .told")).to_contain_text("Weak")
    assert button.evaluate("(node) => node.isConnected")


def test_a_refusal_is_told(page: Page, served: Served, look: Any) -> None:
    """A hand that began in the same moment: the table's own reason stands on the page."""
    look(told.one_board(), "test")
    served.workshop.shown = told.playing() | {"between_hands": False}
    page.evaluate("() => document.querySelector('[data-test=begin]').click()")
    expect(page.locator("#toast")).to_have_text("a hand is being played: test the antennas when it is over")


def test_an_alarm_calls_the_tables_own_screen_back(page: Page, served: Served, look: Any) -> None:
    """Opened from the dealer's menu, the page makes way for an alarm; on a laptop it stays and says so."""
    look(told.playing())
    look(told.playing() | {"alarm": ["i3"]})
    expect(page.locator("#alarm")).to_have_text("The table has raised an alarm.")
    page.goto("about:blank")
    served.workshop.show(told.playing())
    page.goto(f"{served.display.url}technician#table")
    expect(page.locator("#top .id")).to_have_text("T12")
    served.workshop.show(told.playing() | {"alarm": ["i3"]})
    expect(page).to_have_url(served.display.url)


def test_a_dead_link_is_never_taken_for_good_antennas(page: Page, served: Served, look: Any) -> None:
    """The table hangs: the figures are covered, and come back with it."""
    look(told.playing())
    served.hang()
    expect(page.locator("#cover h1")).to_have_text("No link to the table")
    assert page.evaluate(f"({AUDIT})({TARGET_PX})") == []
    served.unhang()
    expect(page.locator("#cover")).to_be_hidden()


def test_keys_reach_everything(page: Page, served: Served, look: Any) -> None:
    """Tab and Enter work like a finger."""
    look(told.one_board())
    page.locator("#rail [data-rail=antennas]").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#test h2")).to_be_visible()
    page.locator("[data-test=begin]").focus()
    page.keyboard.press("Enter")
    assert served.workshop.wait(1) == [{"do": "begin"}]
    page.locator("#rail [data-rail=table]").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(served.display.url)


def test_it_is_reached_from_the_dealers_menu(page: Page, served: Served) -> None:
    """Menu, and one touch more: the page is open, and the way back is one touch, too."""
    served.show(ALL["calm"]())
    served.workshop.show(told.playing())
    page.goto(served.display.url)
    page.locator("#rail [data-rail=menu]").tap()
    page.locator("#sheet [data-menu=technician]").tap()
    expect(page.locator("#antennas [data-antenna]").first).to_be_visible()
    page.locator("#rail [data-rail=table]").tap()
    expect(page.locator("#top .hand-no")).to_have_text("Hand 128")
