"""From the pty to the pixel and back: a board made by hand, `tablectl run`, and a finger on the dealer's screen."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

DEADLINE_S = 20
BOARD, BURN = 5, 6
"""The antennas of the bench's board there; seats 1 to 4 have the antennas of their number."""


@pytest.fixture
def dealt(bench: Any, page: Page) -> Any:
    """A table of four whose actions are entered, watched by the page; returns it, its board and a way to deal."""

    def start(rulebook: str = "pl", cut: int = 0) -> tuple[Any, Any]:
        board = bench.board()
        config: Path = bench.config(panel=bench.panel)
        text = config.read_text().replace('betting = "none"', 'betting = "actions"')
        config.write_text(text.replace('rulebook = "pl"', f'rulebook = "{rulebook}"'))
        table = bench.run(config)
        table.line("READY after")
        page.goto(table.url)
        expect(page.locator("#cover")).to_be_hidden()
        cards = iter(bench.uids)

        def deal(*antennas: int) -> None:
            for antenna in antennas:
                board.deal(next(cards), antenna)

        return table, deal

    return start


def tap(page: Page, selector: str) -> None:
    """One touch of a finger."""
    page.locator(selector).tap()


def test_a_hand_is_entered_with_a_finger(dealt: Any, page: Page) -> None:
    """Button and seats at the hand's start, the cards as they fall, every action for the seat that is proposed, one
    of them taken back, and the flop: each touch reaches the table, and what the antennas see reaches the screen."""
    table, deal = dealt()
    tap(page, "#row [data-setup=shuffle_done]")
    tap(page, "#row [data-setup=cut_done]")
    tap(page, "#row [data-setup=button]")
    tap(page, "#sheet [data-seat='4']")
    tap(page, "#row [data-setup=seats]")
    tap(page, "#sheet [data-seat='3']")
    tap(page, "#sheet [data-enter=seats]")
    expect(page.locator("#table .seat.out[data-seat='3']")).to_be_attached()
    deal(1, 2, 4, 1, 2)
    expect(page.locator("#table .hand .back")).to_have_count(5)
    expect(page.locator("#turn")).to_contain_text("Seat 4")
    deal(4)
    acts, folded = page.locator("#table .seat.act"), page.locator("#table .seat.fold")
    expect(acts).to_have_attribute("data-seat", "4")
    tap(page, "[data-action=raise]")
    expect(acts).to_have_attribute("data-seat", "1")
    tap(page, "#rail [data-rail=undo]")
    expect(acts).to_have_attribute("data-seat", "4")
    tap(page, "[data-action=call]")
    expect(acts).to_have_attribute("data-seat", "1")
    tap(page, "[data-action=fold]")
    expect(acts).to_have_attribute("data-seat", "2")
    expect(folded).to_have_attribute("data-seat", "1")
    tap(page, "[data-action=check]")
    expect(page.locator("#turn")).to_contain_text("Burn")
    deal(BURN, BOARD, BOARD, BOARD)
    expect(page.locator("#table .board .back")).to_have_count(3)
    expect(page.locator("#top")).to_contain_text("Flop")
    expect(acts).to_have_attribute("data-seat", "2")
    expect(page.locator("body")).to_have_attribute("data-alarm", "none")
    assert table.get("state").json()["irregularities"] == []
    assert table.ends(signal.SIGTERM) == 0


def test_an_alarm_is_answered_with_a_finger(dealt: Any, page: Page) -> None:
    """The fourth card comes to rest at seat 1 instead of 4: the screen turns, the seat is marked, the buzzer sounds.
    A touch silences it; a touch answers the question, and the ruling follows; undo asks again."""
    table, deal = dealt("ru")
    tap(page, "#row [data-setup=shuffle_done]")
    tap(page, "#row [data-setup=cut_done]")
    tap(page, "#row [data-setup=button]")
    tap(page, "#sheet [data-seat='4']")
    deal(1, 2, 3, 1)
    expect(page.locator("#panel h1")).to_contain_text("Seat 1 got seat 4")
    expect(page.locator("#table .seat.wrong")).to_have_attribute("data-seat", "1")
    expect(page.locator("body")).to_have_attribute("data-alarm", "loud")
    tap(page, "#rail [data-rail=acknowledge]")
    expect(page.locator("body")).to_have_attribute("data-alarm", "calmed")
    table.until(lambda now: now["panel"]["alarm_led"] and not now["panel"]["buzzer"])
    verdict, question = page.locator("#panel .verdict"), page.locator("#panel .question")
    expect(verdict.locator(".provisional")).to_be_visible()
    question.get_by_role("button", name="Yes").tap()
    expect(question).to_have_count(0)
    expect(verdict.locator(".provisional")).to_have_count(0)
    expect(verdict).to_contain_text("Misdeal", ignore_case=True)
    tap(page, "#rail [data-rail=undo]")
    expect(question).to_be_visible()
    expect(verdict.locator(".provisional")).to_be_visible()
    assert table.ends(signal.SIGTERM) == 0


def test_two_displays_are_one_table(dealt: Any, page: Page) -> None:
    """What is entered on either of two screens is on both: a call on the first, its undo on the second, an alarm on
    both, and the acknowledge of one calms both."""
    table, deal = dealt()
    second = page.context.new_page()
    second.goto(table.url)
    tap(second, "#row [data-setup=shuffle_done]")
    tap(page, "#row [data-setup=cut_done]")
    tap(second, "#row [data-setup=button]")
    tap(second, "#sheet [data-seat='4']")
    deal(1, 2, 3, 4, 1, 2, 3, 4)
    both = (page, second)
    for each in both:
        expect(each.locator("#table .seat.act")).to_have_attribute("data-seat", "3")
    tap(page, "[data-action=call]")
    for each in both:
        expect(each.locator("#table .seat.act")).to_have_attribute("data-seat", "4")
    tap(second, "#rail [data-rail=undo]")
    for each in both:
        expect(each.locator("#table .seat.act")).to_have_attribute("data-seat", "3")
    deal(BURN, BOARD, BOARD, BOARD)
    for each in both:
        expect(each.locator("#panel h1")).to_have_text("Flop before betting was closed")
    tap(second, "#rail [data-rail=acknowledge]")
    for each in both:
        expect(each.locator("body")).to_have_attribute("data-alarm", "calmed")
    assert table.ends(signal.SIGTERM) == 0


def test_a_push_button_answers_what_the_displays_show(dealt: Any, page: Page, pins: Any, bench: Any) -> None:
    """Two alarms are open, the first one asks. A touch on 1/2 turns every display to the second one: a push button
    answers nothing that cannot be read there; turned back, it answers what the display asks."""
    bench.panel = {**bench.panel, "simulated_file": "pins", "buttons": {"answer_1": 4, "answer_2": 22}}
    table, deal = dealt("ru")
    second = page.context.new_page()
    second.goto(table.url)
    for touch in ("#row [data-setup=shuffle_done]", "#row [data-setup=cut_done]", "#row [data-setup=button]"):
        tap(page, touch)
    tap(page, "#sheet [data-seat='4']")
    deal(1, 2, 3, 1)
    expect(page.locator("#panel h1")).to_contain_text("Seat 1 got seat 4")
    assert table.post(do="exposed", seat=2).status_code == 200
    ahead = page.locator("#panel [data-do=ahead]")
    expect(ahead).to_have_text("1/2")
    ahead.tap()
    for each in (page, second):
        expect(each.locator("#panel [data-do=ahead]")).to_have_text("2/2")
    first, other = table.get("state").json()["irregularities"]
    assert first["question"] is not None
    assert (table.get("state").json()["front"], other["question"]) == (other["id"], None)
    header = pins(bench.folder / "pins")
    header.press(4)
    press = table.until(lambda now: now["press"])["press"]
    assert (press["input"], press["refused"]) == (None, "the display shows no question")
    ahead.tap()
    for each in (page, second):
        expect(each.locator("#panel [data-do=ahead]")).to_have_text("1/2")
    header.press(22)
    press = table.until(lambda now: now["press"] and now["press"]["number"] == 2)["press"]
    asked = first["question"]
    assert press["input"] == {"do": "answer", "question": asked["id"], "value": asked["choices"][1]}
    gone = httpx.post(f"{table.url}front", json={"do": "turn", "irregularity": "i99"}, timeout=DEADLINE_S)
    assert (gone.status_code, gone.json()["error"]) == (400, "what is turned to is not open any more")
    assert table.ends(signal.SIGTERM) == 0
