"""Push buttons: what each enters in the table's present state, and what is told where it can mean nothing."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from tablectl.app.presses import AGAIN_MS, Presses, meaning
from tablectl.config.panel import BUTTONS
from tablectl.core import entries
from tablectl.errors import TablectlError, UsageError

ASKED = {"id": "q1", "fact": "looked_at", "choices": [True, False]}
COUNTED = {"id": "q2", "fact": "players_acted", "choices": [0, 1, 2]}


def irregularity(stage: str = "confirmed", question: Any = None, **more: Any) -> dict[str, Any]:
    given = {"id": "i1", "stage": stage, "question": question, "acknowledged": False, "step": 0}
    return given | more


def view(*irregularities: dict[str, Any], night: bool = False, **hand: Any) -> dict[str, Any]:
    """What a table shows in mid-betting: seat 4 is next to act, the last card went to seat 3, red is the other deck."""
    return {
        "table": {
            "decks": ["blue", "red"],
            "deck": "blue",
            "game": "holdem",
            "next_game": None,
            "language": "en",
            "has_button": True,
        },
        "setup": {"button": 4, "eligible": [1, 2, 4, 6]},
        "hand": {
            "to_act": 4,
            "last": {"seat": 3, "k": 12},
            "phase": "betting",
            "may_straddle": [2, 3],
            **hand,
        },
        "irregularities": list(irregularities),
        "front": None,
        "night": night,
    }


@pytest.mark.parametrize("button", sorted(BUTTONS))
def test_every_button_enters_an_input_of_the_contract(button: str) -> None:
    """Whatever can be wired means something at some moment, and is an input that the table takes."""
    question = COUNTED if button.startswith("answer") else ASKED
    now = view(irregularity(question=question))
    assert entries.entry(meaning(button, now), t=0, seats=9).do in entries.INPUTS


@pytest.mark.parametrize(
    ("button", "entered"),
    [
        ("round_closed", {"do": "round_closed"}),
        ("undo", {"do": "undo"}),
        ("step_done", {"do": "step_done", "irregularity": "i1", "step": 0}),
        ("cut_exposed", {"do": "cut_exposed", "count": 1}),
        ("fold", {"do": "action", "seat": 4, "action": "fold"}),
        ("raise", {"do": "action", "seat": 4, "action": "raise"}),
        ("call_all_in", {"do": "action", "seat": 4, "action": "call", "all_in": True}),
        ("exposed", {"do": "exposed", "seat": 3, "k": 12}),
        ("exposed_by_dealer", {"do": "exposed", "seat": 3, "k": 12, "by": "dealer"}),
        ("exposed_by_player", {"do": "exposed", "seat": 3, "k": 12, "by": "player"}),
        ("night", {"do": "night", "on": True}),
        ("straddle", {"do": "straddle", "seat": 2}),
        ("run_twice", {"do": "run_twice", "times": 2}),
        ("next_button", {"do": "button", "seat": 6}),
        ("next_game", {"do": "game", "name": "omaha"}),
        ("next_language", {"do": "language", "code": "nl"}),
        ("yes", {"do": "answer", "question": "q1", "value": True}),
        ("no", {"do": "answer", "question": "q1", "value": False}),
        ("answer_2", {"do": "answer", "question": "q1", "value": False}),
    ],
)
def test_a_button_speaks_of_what_is_on_now(button: str, entered: dict[str, Any]) -> None:
    """The seat next to act, the card dealt last, the open question, the night that is not on yet."""
    assert meaning(button, view(irregularity(question=ASKED))) == entered


def test_night_is_switched_off_again() -> None:
    """The same button, at night."""
    assert meaning("night", view(night=True)) == {"do": "night", "on": False}


def test_decks_go_round_between_hands() -> None:
    """After the last one comes the first again."""
    over = view(phase="over")
    assert meaning("next_deck", over) == {"do": "deck", "id": "red"}
    over["table"]["deck"] = "red"
    assert meaning("next_deck", over) == {"do": "deck", "id": "blue"}


def test_button_game_and_language_go_round() -> None:
    """After the last seat that is dealt in, the last game, the last language comes the first again; a game that counts
    from the next hand on is the one that is left."""
    now = view()
    now["setup"]["button"] = 6
    now["table"] |= {"next_game": "stud7", "language": "pl"}
    assert meaning("next_button", now) == {"do": "button", "seat": 1}
    assert meaning("next_game", now) == {"do": "game", "name": "holdem"}
    assert meaning("next_language", now) == {"do": "language", "code": "en"}
    now["setup"]["button"] = None
    assert meaning("next_button", now) == {"do": "button", "seat": 1}


def test_an_answer_by_its_number_is_the_one_the_display_shows_there() -> None:
    """A count has more answers than yes and no."""
    assert meaning("answer_3", view(irregularity(question=COUNTED)))["value"] == 2


@pytest.mark.parametrize(
    ("button", "now", "why"),
    [
        ("fold", view(to_act=None), "nobody is next to act"),
        ("exposed", view(last=None), "no seat has a card yet"),
        ("straddle", view(may_straddle=[]), "no seat can straddle now"),
        ("yes", view(), "shows no question"),
        ("step_done", view(), "shows no step"),
        ("step_done", view(irregularity(step=None)), "shows no step"),
        ("yes", view(irregularity(question=COUNTED)), "other answers than yes and no"),
        ("answer_3", view(irregularity(question=ASKED)), "no such answer"),
        ("next_deck", {**view(), "table": {"decks": ["blue"], "deck": "blue"}}, "one deck"),
        ("next_button", {**view(), "table": {"has_button": False}}, "no button"),
        ("next_button", {**view(), "setup": {"button": 4, "eligible": []}}, "no seat is dealt in"),
    ],
)
def test_a_button_that_can_mean_nothing_now_says_why(button: str, now: dict[str, Any], why: str) -> None:
    """No guess: an error with a text for the dealer."""
    with pytest.raises(UsageError, match=why):
        meaning(button, now)


def test_only_the_question_on_the_display_is_answered() -> None:
    """An alarm without a question is in front of one that asks: yes and no mean nothing until that is done with, by
    the acknowledge and by the last step."""
    waits = irregularity("suspicion", ASKED)
    for front in (irregularity(step=None), irregularity(acknowledged=True)):
        with pytest.raises(UsageError, match="shows no question"):
            meaning("yes", view(front, waits))
    done = irregularity(acknowledged=True, step=None)
    assert meaning("yes", view(done, waits))["question"] == "q1"


def test_what_the_display_is_turned_to_is_answered_and_ticked() -> None:
    """A touch on 1/2 showed the other one: yes, the third answer and the step are that one's. What is gone by then is
    not: the gravest is in front again."""
    first = irregularity(question=ASKED, step=2)
    other = irregularity(id="i2", question=COUNTED, step=1)
    both = view(first, other)
    assert meaning("yes", both)["question"] == "q1"
    turned = both | {"front": "i2"}
    with pytest.raises(UsageError, match="other answers than yes and no"):
        meaning("yes", turned)
    assert meaning("answer_3", turned) == {"do": "answer", "question": "q2", "value": 2}
    assert meaning("step_done", turned) == {"do": "step_done", "irregularity": "i2", "step": 1}
    assert meaning("yes", both | {"front": "i9"})["question"] == "q1"


def test_an_alarm_is_in_front_of_a_doubt() -> None:
    """As on the display, whichever stands first in the list."""
    doubt = irregularity("suspicion", ASKED)
    assert meaning("step_done", view(doubt, irregularity(id="i2", step=3)))["irregularity"] == "i2"
    with pytest.raises(UsageError, match="shows no question"):
        meaning("yes", view(doubt, irregularity(id="i2")))


class Desk:
    """Presses on a clock that is moved by hand, with what they entered and logged."""

    def __init__(self, refuses: str | None = None) -> None:
        self.ms = 0
        self.entered: list[Any] = []
        self.log: list[str] = []
        self.refuses = refuses
        self.presses = Presses(lambda: self.ms, view, self._enter, self.log.append)

    def _enter(self, given: Any) -> None:
        if self.refuses:
            raise TablectlError(self.refuses)
        self.entered.append(given)

    def press(self, ms: int, button: str) -> None:
        self.ms = ms
        self.presses.pressed(button)


def test_a_trembling_finger_acts_for_one_seat() -> None:
    """Presses that follow each other too closely are one, however many they are, and the display says so; another
    button counts at once."""
    desk = Desk()
    for ms in (1000, 1000 + AGAIN_MS - 1, 1000 + 2 * AGAIN_MS - 2):
        desk.press(ms, "fold")
    assert desk.presses.last is not None
    assert desk.presses.last["refused"] == "pressed again too quickly; it counts once"
    desk.press(1700, "call")
    desk.press(1000 + 3 * AGAIN_MS, "fold")
    assert [each["action"] for each in desk.entered] == ["fold", "call", "fold"]
    assert desk.presses.last["number"] == 5


def test_what_became_of_a_press_is_kept() -> None:
    """The input, or why there is none: what the table refuses is told like what the button cannot mean, and logged."""
    desk = Desk()
    assert desk.presses.last is None
    desk.press(0, "undo")
    assert desk.presses.last == {"number": 1, "button": "undo", "input": {"do": "undo"}, "refused": None}
    refused = Desk(refuses="not now")
    refused.press(0, "undo")
    assert refused.presses.last == {"number": 1, "button": "undo", "input": None, "refused": "not now"}
    assert refused.log == ["button undo: not now"]
    assert refused.presses.last["refused"] == "not now"


def test_a_refusal_can_be_said_in_the_tables_language() -> None:
    """It carries its message id for the page."""
    desk = Desk()
    desk.press(0, "yes")
    assert desk.presses.last is not None
    assert desk.presses.last["say"] == ["the display shows no question", {}]


# A real table, its buttons pressed from outside


def test_buttons_of_a_running_table(bench: Any, pins: Any) -> None:
    """`tablectl run` with simulated pins in a file; another process holds pins to ground. A fold is that of the seat
    next to act, what cannot be is refused on the display, undo takes back the last input, and the journal has each."""
    names = {"fold": 22, "call": 23, "undo": 24, "night": 25, "call_floor": 27, "yes": 4}
    board = bench.board()
    config = bench.config(panel={**bench.panel, "simulated_file": "pins", "buttons": names})
    config.write_text(config.read_text().replace('betting = "none"', 'betting = "actions"'))
    table = bench.run(config)
    table.line("READY after")
    header = pins(bench.folder / "pins")

    def press(button: str, number: int) -> dict[str, Any]:
        header.press(names[button])
        state = table.until(lambda now: now["press"] and now["press"]["number"] == number)
        header.release(names[button])
        return dict(state)

    refused = press("yes", 1)["press"]
    assert (refused["button"], refused["input"], refused["refused"]) == (
        "yes",
        None,
        "the display shows no question",
    )
    assert press("fold", 2)["press"]["refused"].startswith("nobody is next to act")
    assert press("night", 3)["night"] is True
    assert table.post(do="button", seat=4).status_code == 200
    for uid, antenna in zip(bench.uids, (1, 2, 3, 4) * 2, strict=False):
        board.deal(uid, antenna)
    table.until(lambda now: now["hand"] and now["hand"]["to_act"] == 3)
    state = press("call", 4)
    assert state["press"]["input"] == {"do": "action", "seat": 3, "action": "call"}
    table.until(lambda now: now["hand"]["to_act"] == 4)
    press("fold", 5)
    state = table.until(lambda now: now["seats"][3]["folded"])
    assert state["hand"]["to_act"] == 1
    press("undo", 6)
    table.until(lambda now: not now["seats"][3]["folded"])
    assert press("call_floor", 7)["floor_called"] is True
    assert table.ends(signal.SIGTERM) == 0
    assert bench.entered() == [
        {"do": "night", "on": True},
        {"do": "button", "seat": 4},
        {"do": "action", "seat": 3, "action": "call"},
        {"do": "action", "seat": 4, "action": "fold"},
        {"do": "undo"},
        {"do": "call_floor"},
    ]
