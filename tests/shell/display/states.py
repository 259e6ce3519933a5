"""Realistic states of a table, as the app hands them to the display. Each call returns a fresh one."""

from __future__ import annotations

from typing import Any

from tablectl.said import Said, say

State = dict[str, Any]


def _seats(count: int, cards: dict[int, int], *, out: tuple[int, ...] = (), folded: tuple[int, ...] = (),
           absent: tuple[int, ...] = ()) -> list[State]:  # fmt: skip
    return [
        {
            "seat": n,
            "eligible": n not in out,
            "absent": n in absent,
            "cards": cards.get(n, 0),
            "folded": n in folded,
        }
        for n in range(1, count + 1)
    ]


def table(count: int = 9, /, **changes: Any) -> State:
    """A table between two hands, nothing wrong; `changes` replace whole entries of the state."""
    state: State = {
        "table": {
            "id": "T12",
            "seats": count,
            "game": "holdem",
            "has_button": True,
            "rulebook": "pl",
            "mode": "blind",
            "betting": "actions",
            "language": "en",
            "decks": ["blue", "red"],
            "deck": "blue",
            "next_game": None,
            "dealer": DEALERS[0],
            "dealers": list(DEALERS),
        },
        "t": 100_000,
        "hand": {
            "number": 127,
            "button": 6,
            "street": None,
            "phase": "idle",
            "next": {"zone": "seat:8", "k": 1},
            "to_act": None,
            "round_open": None,
            "last": None,
            "followed": True,
            "straddles": [],
            "may_straddle": [1, *range(3, count)] if count > 3 else [],
            "may_run_twice": False,
            "may_close_round": False,
        },
        "seats": _seats(count, {}),
        "setup": {
            "button": 7 if count > 6 else 2,
            "eligible": list(range(1, count + 1)),
            "absent": [],
            "shuffled": False,
            "cut": False,
            "cut_exposed": 0,
        },
        "runs": None,
        "undo": {"do": "shuffle_done"},
        "floor_called": False,
        "night": False,
        "keys": {},
        "board": 0,
        "burn": 0,
        "muck": 0,
        "board_cards": [],
        "irregularities": [],
        "degraded": [],
        "checks_off": [],
        "panel": {"alarm_led": 0, "buzzer": 0} | {f"seat_led:{n}": 0 for n in range(1, count + 1)},
        "faults": [],
        "readers": [{"reader": 0, "port": "/dev/ttyUSB0", "state": "ok", "text": ""}],
    }
    return state | changes


def _hand(**changes: Any) -> State:
    return {
        "number": 128,
        "button": 7,
        "street": "preflop",
        "phase": "betting",
        "next": {"zone": "burn", "k": 17},
        "to_act": 3,
        "round_open": True,
        "last": {"seat": 7, "k": 16},
        "straddles": [],
        "may_straddle": [],
        "may_run_twice": False,
        "may_close_round": changes.get("phase", "betting") == "betting",
    } | changes


PLAYERS = (
    "Ann", "Bartholomew", "Jo", "Konstantin W.", "Мария", "O'Hara", "Zażółć Gęślą", "Li", "Maximilian", "Eve",
)  # fmt: skip
DEALERS = ("Ewa", "Tomek", "D-17")


def named() -> State:
    """Ten players with names, short and long, in every state a seat can have; one of them straddled."""
    state = table(
        10,
        hand=_hand(to_act=4, straddles=[3], button=10),
        seats=_seats(10, dict.fromkeys((1, 3, 4, 6, 7, 8, 9), 2), out=(5,), folded=(2, 10), absent=(8,)),
        muck=4,
    )
    for seat, name in zip(state["seats"], PLAYERS, strict=True):
        seat["name"] = name
    return state


def ready() -> State:
    """Between two hands: shuffled and cut, the button is proposed, a seat is out."""
    state = table(hand=table()["hand"] | {"phase": "idle", "button": 7})
    state["setup"] |= {"shuffled": True, "cut": True, "eligible": [1, 2, 3, 4, 6, 7, 8, 9]}
    state["seats"] = _seats(9, {}, out=(5,))
    return state


def notice(text: Said) -> State:
    """What a page is told that can wait until the game is over."""
    return {"notices": [{"text": text, **say(text)}]}


WORN = Said("Deck {deck}: worn cards: {worn}. Replace them after the game.", deck="blue", worn=2)
FADED = Said(
    "Deck {deck} reads worse than when it was new. The deck is worn, or the antennas are: try a new deck.",
    deck="Bellagio 3/2026",
)
"""The longest notice there is, in every language."""


def worn_deck() -> State:
    """The same, and two cards of the deck in play are worn."""
    return ready() | notice(WORN)


def faded_deck() -> State:
    """The same, and the whole deck, or all antennas, read worse than at first."""
    return ready() | notice(FADED)


def street_due() -> State:
    """The betting before the turn is closed: a burn comes next."""
    return calm() | {
        "hand": _hand(street="flop", round_open=False, next={"zone": "burn", "street": "turn", "k": 21})
    }


def run_twice() -> State:
    """All in on the flop, the board is run twice; the second turn comes next."""
    return table(
        hand=_hand(street="river", to_act=None, round_open=False, may_run_twice=True,
                   next={"zone": "board", "street": "turn", "k": 28, "run": 2}),
        seats=_seats(9, {1: 2, 7: 2}, folded=(2, 3, 4, 5, 6, 8, 9)),
        board=5, burn=4, muck=14,
        runs={"times": 2, "first": "turn", "run": 2, "boards": [5, 3]},
    )  # fmt: skip


def run_thrice() -> State:
    """The same in an open game, three times: every face of every board."""
    common = ["Ah", "7d", "2c"]
    boards = [[*common, "Ts", "Kd"], [*common, "9s", "Qh"], [*common, "3h"]]
    state = run_twice()
    state["table"]["mode"] = "open"
    state["runs"] |= {"times": 3, "run": 3, "boards": [5, 5, 4], "board_cards": boards}
    state["hand"] |= {"street": "turn", "next": {"zone": "burn", "street": "river", "run": 3, "k": 33}}
    state["burn"] = 6
    return state


def floor_called() -> State:
    """The dealer has called the floor for something that no antenna sees."""
    return calm() | {"floor_called": True}


def stud() -> State:
    """Fifth street of seven-card stud: two cards down and three up at each seat, one seat folded; no board."""
    seats = _seats(7, dict.fromkeys((1, 2, 3, 5, 6, 7), 5), folded=(4,))
    for seat in seats:
        seat["up"] = 3 if seat["cards"] else 0
    state = table(7, hand=_hand(street="fifth", to_act=3, next=None), seats=seats, burn=2, muck=3)
    state["table"] |= {"game": "stud7", "rulebook": "nl", "has_button": False}
    return state


def calm() -> State:
    """The flop is on the board, two seats have folded, seat 3 is to act."""
    return table(
        hand=_hand(street="flop", to_act=3, next={"zone": "burn", "k": 21}),
        seats=_seats(9, {1: 2, 3: 2, 4: 2, 7: 2, 8: 2, 9: 2}, out=(5,), folded=(2, 6), absent=(8,)),
        board=3,
        burn=1,
        muck=4,
    )


def preflop() -> State:
    """All cards are out, nobody has folded yet, seat 1 is the first to act."""
    return table(
        hand=_hand(to_act=1, next=None),
        seats=_seats(9, dict.fromkeys((1, 2, 3, 4, 6, 7, 8, 9), 2), out=(5,)),
    )


def dealing() -> State:
    """Mid-deal: everyone has one card, the second round has reached seat 2, seat 3 is next."""
    return table(
        hand=_hand(phase="deal", to_act=None, round_open=None, next={"zone": "seat:3", "k": 13}),
        seats=_seats(9, {8: 2, 9: 2, 1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1}),
    )


def full_ring() -> State:
    """Ten seats, all with cards, the river out: as much as the table can hold."""
    return table(
        10,
        hand=_hand(street="river", phase="betting", to_act=10, next=None),
        seats=_seats(10, dict.fromkeys(range(1, 11), 4)),
        board=5,
        burn=3,
        muck=12,
        checks_off=["exposed_card", "boxed_card"],
    )


def open_mode() -> State:
    """A training table that knows the faces of the board cards; six seats, betting entered by rounds."""
    state = table(
        6,
        hand=_hand(street="turn", button=2, to_act=None, next={"zone": "burn", "k": 17}),
        seats=_seats(6, dict.fromkeys((1, 2, 4, 6), 2), folded=(3, 5)),
        board=4,
        board_cards=["Ah", "7d", "2c", "Ts"],
        burn=2,
        muck=4,
    )
    state["table"] |= {"mode": "open", "betting": "rounds", "rulebook": "tda2024"}
    return state


def _irregularity(name: str, kind: str, stage: str = "confirmed", **fields: Any) -> State:
    base: State = {"id": name, "kind": kind, "stage": stage, "acknowledged": False}
    return base | {"ruling": None, "step": None, "steps_done": [], "question": None} | fields


def _ruling(rulebook: str, rule: str | None, verdict: str, decider: str, **fields: Any) -> State:
    base: State = {"type": "ruling", "t": 9100, "provisional": False, "seats": [], "steps": []}
    names = {"rulebook": rulebook, "rule": rule, "verdict": verdict, "decider": decider}
    return base | names | {"bets": "unchanged", "button": "unchanged"} | fields


MISDEAL_STEPS = [
    {"do": "collect"},
    {"do": "return_bets", "to": "all"},
    {"do": "shuffle", "what": "full"},
    {"do": "cut"},
    {"do": "redeal", "first": 8},
]


def suspicion() -> State:
    """A card came to rest at seat 4 instead of seat 3, a moment ago: only probable so far."""
    state = dealing()
    state["seats"][3]["cards"] = 2
    state["irregularities"] = [_irregularity("i1", "wrong_seat", stage="suspicion", seat=4, expected=3, k=13)]
    return state


def doubt() -> State:
    """The cards come in the order in which they were picked up; whether the deck was shuffled is asked."""
    state = dealing()
    asked = {"id": "q9", "fact": "shuffled", "choices": [True, False]}
    old_order = _irregularity("i11", "not_shuffled", stage="suspicion", p=4.2e-9, count=11, need=13)
    state["irregularities"] = [old_order | {"question": asked}]
    return state


def wrong_first_seat() -> State:
    """The very first card went to seat 9 instead of seat 8: a misdeal by the Polish book."""
    state = table(
        hand=_hand(phase="deal", to_act=None, round_open=None, next={"zone": "seat:8", "k": 1}),
        seats=_seats(9, {9: 1}, out=(5,)),
    )
    ruling = _ruling("pl", "PL-07.1.a", "misdeal", "director", steps=MISDEAL_STEPS, bets="returned")
    state["irregularities"] = [
        _irregularity("i2", "wrong_first_seat", seat=9, expected=8, k=1, step=0, ruling=ruling)
    ]
    state["panel"] |= {"alarm_led": 1, "buzzer": 1, "seat_led:9": 1}
    return state


def doubt_and_alarm() -> State:
    """A doubt is open when the dealer errs."""
    state = wrong_first_seat()
    state["irregularities"] += doubt()["irregularities"]
    return state


def four_card_flop() -> State:
    """Four cards on the flop; the cards are scrambled already, one is to be drawn as the next burn."""
    state = calm()
    state["board"] = 4
    state["hand"] |= {"to_act": None, "next": None}
    steps = [
        {"do": "scramble", "zone": "board", "count": 4},
        {"do": "pick", "by": "director"},
        {"do": "to_burn", "card": 21},
    ]
    irregularity = _irregularity(
        "i3", "too_many_board_cards", acknowledged=True, k=21, street="flop", count=4, need=3, zone="board"
    )
    state["irregularities"] = [
        irregularity
        | {"step": 1, "steps_done": [0]}
        | {"ruling": _ruling("pl", "PL-07.6.1", "correct", "director", steps=steps)}
    ]
    return state


def question() -> State:
    """Seat 4 got seat 3's card; whether that can be repaired depends. Two more wait."""
    state = dealing()
    state["table"]["rulebook"] = "ru"
    state["seats"][3]["cards"] = 2
    state["hand"]["next"] = {"zone": "seat:3", "k": 14}
    steps = [{"do": "swap", "seats": [3, 4]}, {"do": "call", "who": "supervisor"}]
    asked = {"id": "q1", "fact": "looked_at", "choices": [True, False]}
    ruling = _ruling("ru", "RU-3", "correct", "supervisor", steps=steps, provisional=True, seats=[3, 4])
    silent = _ruling("ru", None, "floor", "floor")
    state["irregularities"] = [
        _irregularity("i4", "wrong_seat", seat=4, expected=3, k=13, step=0, question=asked, ruling=ruling),
        _irregularity("i5", "ineligible_seat", acknowledged=True, seat=6, k=5, ruling=silent),
        _irregularity("i6", "card_lost", stage="suspicion", seat=7, k=7),
    ]
    return state


def out_of_order() -> State:
    """Seat 1 got seat 4's card; it must go there, and nothing else."""
    state = dealing()
    ruling = _ruling(
        "ru", "RU-3", "correct", "supervisor", steps=[{"do": "restore_order", "street": "preflop"}]
    )
    found = _irregularity("i4", "wrong_seat", seat=1, expected=4, k=4, step=0, ruling=ruling)
    state["irregularities"] = [found | {"moves": [{"k": 4, "from": 1, "to": 4}]}]
    return state


def fouled() -> State:
    """Two equal cards are out: the hand is void whatever the action."""
    state = calm()
    again = MISDEAL_STEPS[2:]
    steps = [*MISDEAL_STEPS[:2], {"do": "change_deck", "when": "now"}, *again]
    ruling = _ruling("pl", "PL-07.2.a", "void", "director", steps=steps, bets="returned")
    state["irregularities"] = [
        _irregularity("i7", "duplicate_card", zone="board", k=19, step=1, steps_done=[0], ruling=ruling)
    ]
    return state


def dead_hand() -> State:
    """A live hand went to the muck: it is dead, the others play on."""
    state = calm()
    state["seats"][3] |= {"cards": 0}
    state["muck"] = 6
    ruling = _ruling("ru", "RU-H3", "dead", "floor", seats=[4], steps=[{"do": "kill", "seat": 4}])
    state["irregularities"] = [_irregularity("i12", "hand_mucked", seat=4, step=0, ruling=ruling)]
    return state


def floor_decides() -> State:
    """The rulebook says nothing on it: the floor is called."""
    state = calm()
    state["table"]["rulebook"] = "it"
    state["board"] = 4
    ruling = _ruling("it", None, "floor", "floor", steps=[{"do": "call", "who": "floor"}])
    state["irregularities"] = [
        _irregularity("i13", "premature_card", zone="board", street="turn", k=22, step=0, ruling=ruling)
    ]
    return state


def silence() -> State:
    """The book says nothing on it, but something on what is near."""
    state = dealing()
    other = "if a seat ends with a wrong number of cards, PL-07.1.c-d apply"
    said = ["this rulebook has no rule for {what}", {"what": ["wrong seat", {}]}]
    ruling = _ruling(
        "pl", None, "floor", "director", hint=f"this rulebook has no rule for wrong seat: {other}"
    )
    ruling["say"] = ["{one}: {other}", {"one": said, "other": [other, {}]}]
    state["irregularities"] = [_irregularity("i15", "wrong_seat", seat=4, expected=3, k=13, ruling=ruling)]
    return state


def started() -> State:
    """The table has just been started: no hand yet, and nobody has said where the button is."""
    state = table()
    state["hand"] |= {"number": 0, "button": None, "next": None}
    state["setup"] |= {"button": None}
    return state | {"undo": None}


def nobody_acts() -> State:
    """Betting is open, and whose turn it is nobody knows."""
    state = calm()
    state["hand"] |= {"to_act": None, "next": None}
    return state


def let_stand() -> State:
    """An exposed card that the book lets stand: the alarm is new, nothing is to be done."""
    state = dealing()
    ruling = _ruling("pl", "PL-07.3.b", "play_on", "dealer")
    state["irregularities"] = [_irregularity("i14", "exposed_card", seat=5, k=6, by="player", ruling=ruling)]
    return state


def played_on() -> State:
    """A burn was missed, play goes on by the book, and the dealer has acknowledged it: nothing left to do."""
    state = calm()
    state["burn"] = 0
    ruling = _ruling("pl", "PL-07.6.2.b", "play_on", "director")
    state["irregularities"] = [
        _irregularity("i8", "burn_missing", acknowledged=True, zone="burn", street="flop", ruling=ruling)
    ]
    return state


def reminder() -> State:
    """Two players who are away were dealt in: their hands are to be killed, although nothing went wrong."""
    return calm() | {"reminders": [{"what": "kill", "seat": seat, "rule": "TDA-30"} for seat in (8, 9)]}


def reminder_and_note() -> State:
    """The same beside an irregularity that is settled."""
    return played_on() | {"reminders": reminder()["reminders"]}


def degraded() -> State:
    """Reader 1 is unplugged (two seats unwatched) and the journal cannot write."""
    state = calm()
    state["degraded"] = [
        {
            "zone": "seat:4",
            "why": "reader 1 is lost",
            "say": ["reader {reader} is lost", {"reader": "1"}],
            "suspends": ["wrong_seat", "seat_skipped", "too_few_cards"],
        },
        {
            "zone": "seat:5",
            "why": "reader 1 is lost",
            "say": ["reader {reader} is lost", {"reader": "1"}],
            "suspends": ["wrong_seat", "seat_skipped", "too_few_cards"],
        },
    ]
    full = ["the disk is full; free some space", {}]
    state["faults"] = [
        {
            "what": "journal",
            "text": "night.journal: the journal cannot be written: the disk is full; free some space;"
            " entries wait in memory",
            "say": [
                "{path}: the journal cannot be written: {why}; entries wait in memory",
                {"path": "night.journal", "why": full},
            ],
        }
    ]
    text = "unplugged: the port is ready to read but returns no data"
    state["readers"].append(
        {"reader": 1, "port": "/dev/ttyUSB1", "state": "lost", "text": text, "say": [text, {}]}
    )
    state["checks_off"] = ["exposed_card", "boxed_card"]
    return state


def weak() -> State:
    """Reader 1 has fallen silent, and an antenna of reader 0 is weak: both are told, and nobody is accused."""
    state = calm()
    message, where = "antenna {antenna} of reader {reader} is weak", {"antenna": "3", "reader": "0"}
    state["weak"] = [{"zone": "seat:3", "why": message.format(**where), "say": [message, where]}]
    message, long = "it has not looked anywhere for {seconds} s", {"seconds": "2"}
    silent = {"reader": 1, "port": "/dev/ttyUSB1", "state": "silent", "zones": ["seat:7", "seat:8", "board"]}
    state["readers"].append(silent | {"text": message.format(**long), "say": [message, long]})
    return state


def antenna_test() -> State:
    """A technician tests the antennas: no card is watched."""
    state = table()
    text = "the antennas are tested"
    state["faults"] = [{"what": "test", "text": text, "say": [text, {}]}]
    state["degraded"] = [
        {"zone": f"seat:{n}", "why": "reader 0 is lost", "say": ["reader {reader} is lost", {"reader": "0"}],
         "suspends": ["wrong_seat"]} for n in range(1, 10)
    ]  # fmt: skip
    return state


def old_firmware() -> State:
    """All is well, but the technician should flash a board."""
    state = calm()
    message = "the board's firmware is {theirs}, older than this table ({ours}): flash it with this release"
    values = {"theirs": "0.0.9", "ours": "0.1.0"}
    text = message.format(**values)
    state["readers"] = [
        {"reader": 0, "port": "/dev/ttyACM0", "state": "ok", "text": text, "say": [message, values]}
    ]
    return state


def between_hands() -> State:
    """The hand is over; the next one has not begun."""
    first = {"zone": "seat:8", "k": 1}
    hand = _hand(
        phase="over", street=None, to_act=None, next=first, round_open=None, may_straddle=[1, 3, 4, 5]
    )
    return table(hand=hand)


def unfollowed() -> State:
    """The table was started in mid-hand: it counts the cards, knows no order, and proposes nothing."""
    hand = _hand(street="preflop", to_act=None, next=None, round_open=None, followed=False, button=None)
    return table(hand=hand, seats=_seats(9, dict.fromkeys(range(1, 10), 2)))


def showdown() -> State:
    """The river is out and two seats show their cards."""
    return table(
        hand=_hand(phase="showdown", street="river", to_act=None, next=None, round_open=False),
        seats=_seats(9, {1: 2, 7: 2}, folded=(2, 3, 4, 5, 6, 8, 9)),
        board=5,
        burn=3,
        muck=14,
    )


def crowded() -> State:
    """The worst evening: ten seats, two faults, more irregularities than fit, and an open question."""
    state = full_ring()
    state["degraded"] = degraded()["degraded"]
    state["faults"] = degraded()["faults"]
    first, *rest = question()["irregularities"]
    asked = {"id": "q7", "fact": "players_acted", "choices": [0, 1, 2]}
    long = {"kind": "card_in_other_hand", "seat": 10, "expected": 9, "question": asked}
    again = _irregularity("i9", "joker", acknowledged=True, zone="muck", ruling=rest[0]["ruling"])
    swap = first["ruling"] | {"steps": [each | {"seats": [9, 10]} if "seats" in each else each
                                        for each in first["ruling"]["steps"]]}  # fmt: skip
    long["ruling"] = swap
    state["irregularities"] = [first | long, *rest, again, again | {"id": "i10", "zone": "burn"}]
    return state


def heads_up() -> State:
    """Two seats, the smaller table; the button acts first."""
    return table(
        2, hand=_hand(button=1, to_act=1, next=None), seats=_seats(2, {1: 2, 2: 2}), muck=0, burn=0, board=0
    )


STEPS: list[State] = [
    {"do": "collect"}, {"do": "return_bets", "to": "all"}, {"do": "return_bets", "to": 3},
    *({"do": "shuffle", "what": what} for what in ("full", "stub", "stub+flop", "stub+turn", "stub+aside")),
    {"do": "cut"}, {"do": "redeal", "first": 2}, {"do": "remove", "card": 5},
    {"do": "aside", "zone": "board:turn"},
    {"do": "to_top", "card": 9}, {"do": "to_burn", "card": 5}, {"do": "replace", "seat": 4}, {"do": "burn"},
    {"do": "no_burn"}, {"do": "deal", "street": "flop", "count": 3},
    {"do": "scramble", "zone": "board", "count": 4},
    {"do": "pick", "by": "director"}, {"do": "kill", "seat": 4}, {"do": "change_deck", "when": "next"},
    {"do": "finish_round", "street": "flop"}, {"do": "restore_order", "street": "turn"},
    {"do": "restore_order", "street": "preflop"},
    {"do": "swap", "seats": [3, 4]}, {"do": "call", "who": "floor"}, {"do": "shuffle", "what": "stub+muck"},
    {"do": "to_burn"}, {"do": "to_top", "card": 1}, {"do": "deal", "street": "fourth"},
]  # fmt: skip
"""Every step that a ruling may order, with every form of it that has words or a picture of its own."""
SHEETS = (
    "menu", "exposed", "button", "seats", "absent", "straddle", "cut_exposed", "stub_count", "deck", "dealer", "game",
    "run_twice", "note", "name", "language", "status",
)  # fmt: skip
"""Everything that opens over the table."""
TARGET_PX = 63
"""12 mm on a 7 inch panel of 800 by 480."""

ALL = {
    "idle": table,
    "dealing": dealing,
    "preflop": preflop,
    "calm": calm,
    "old_firmware": old_firmware,
    "full_ring": full_ring,
    "named": named,
    "ready": ready,
    "street_due": street_due,
    "run_twice": run_twice,
    "run_thrice": run_thrice,
    "floor_called": floor_called,
    "open_mode": open_mode,
    "suspicion": suspicion,
    "doubt": doubt,
    "wrong_first_seat": wrong_first_seat,
    "doubt_and_alarm": doubt_and_alarm,
    "four_card_flop": four_card_flop,
    "question": question,
    "out_of_order": out_of_order,
    "fouled": fouled,
    "dead_hand": dead_hand,
    "floor_decides": floor_decides,
    "silence": silence,
    "nobody_acts": nobody_acts,
    "let_stand": let_stand,
    "played_on": played_on,
    "reminder": reminder,
    "reminder_and_note": reminder_and_note,
    "degraded": degraded,
    "weak": weak,
    "antenna_test": antenna_test,
    "between_hands": between_hands,
    "unfollowed": unfollowed,
    "showdown": showdown,
    "crowded": crowded,
    "heads_up": heads_up,
    "stud": stud,
    "worn_deck": worn_deck,
    "faded_deck": faded_deck,
}
