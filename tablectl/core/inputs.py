"""What each input of the dealer or the floor does to the table.

Owns: one function per `do` of the contract (`core.entries` checks their fields). Refuses: the order of the
stages (`core.table`), and `undo`, which takes back what these did.

An input that makes no sense at the moment changes nothing: it is on record, and that is enough (`core.moment` says
so beforehand, where somebody can still be told).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablectl.cards import find_deck
from tablectl.core import entries
from tablectl.core.decisions import Decision
from tablectl.core.entered import Entered, Runs, Setup
from tablectl.core.games import GAMES, game_of
from tablectl.core.moment import between_hands, first_again, in_play, may_close_round, why_not
from tablectl.core.sensed import Entry
from tablectl.layout import SHOE

if TYPE_CHECKING:
    from tablectl.core.table import Table

Args = Mapping[str, Any]
Told = Sequence[Decision]
SILENT: Told = ()

MOST_DEALERS = 8
"""So many dealers are remembered, to be chosen again: as many as take turns at a table in a shift (assumption)."""


def _seats(table: Table, _: Entry, args: Args) -> Told:
    return _set_up(table, replace(table.setup, eligible=tuple(sorted(args["eligible"]))))


def _button(table: Table, _: Entry, args: Args) -> Told:
    if args.get("drawn"):
        table.held = None  # drawn anew: where it lay before says nothing
    table.button.entered()
    return _set_up(table, replace(table.setup, button=args["seat"]))


def _absent(table: Table, _: Entry, args: Args) -> Told:
    others = table.setup.absent - {args["seat"]}
    absent = others | {args["seat"]} if args.get("away", True) else others
    return _set_up(table, replace(table.setup, absent=absent))


def _set_up(table: Table, setup: Setup) -> Told:
    """For the next hand; and for this one while its cards are still being dealt."""
    table.setup = setup
    hand = table.hand
    if hand is not None and hand.being_dealt:
        hand.reseat(setup)
        hand.button_due = table.button_due(setup)
    return SILENT


def _straddle(table: Table, entry: Entry, args: Args) -> Told:
    """For the hand that is on, if nobody has acted; else for the next one. The last one posted acts last."""
    if why_not(table, entry) is not None:
        return SILENT
    hand = in_play(table)
    entered = hand.entered if hand is not None else table.entered
    others = tuple(seat for seat in entered.straddles if seat != args["seat"])
    entered.straddles = (*others, args["seat"]) if args.get("posted", True) else others
    if hand is not None:
        hand.betting = hand.betting.straddled(entered.straddles)
    return SILENT


def _run_twice(table: Table, entry: Entry, args: Args) -> Told:
    """What is left of the board is run so many times; with 1 as in any hand."""
    hand = in_play(table)
    if hand is None or why_not(table, entry) is not None:
        return SILENT
    runs, times, first = hand.entered.runs, args["times"], first_again(hand, args.get("first"))
    if times > 1 and first is not None:
        before = runs.before if runs is not None else hand.betting
        hand.entered.runs = Runs(times, first, hand.game.run_again(times, first), before)
        hand.betting = hand.betting.all_in(entry.t)
    elif times == 1 and runs is not None:
        hand.entered.runs = None
        hand.betting = replace(hand.betting, round=runs.before.round, closed=runs.before.closed)
    return SILENT


def _name(table: Table, _: Entry, args: Args) -> Told:
    others = {seat: text for seat, text in table.names.items() if seat != args["seat"]}
    table.names = {**others, **({args["seat"]: args["text"]} if args.get("text") else {})}
    return SILENT


def _action(table: Table, entry: Entry, args: Args) -> Told:
    hand = table.hand
    if hand is not None and not hand.ended:
        hand.betting = hand.betting.act(
            entry.t, args["seat"], args["action"], all_in=bool(args.get("all_in"))
        )
        hand.last_action_at = entry.t
    return SILENT


def _round_closed(table: Table, entry: Entry, _: Args) -> Told:
    """Closes the street now on the board; if its betting is closed already, nothing."""
    hand = in_play(table)
    if hand is not None and may_close_round(hand):
        hand.betting = hand.betting.close(entry.t)
    return SILENT


def _shuffle_done(table: Table, _: Entry, __: Args) -> Told:
    out: list[Decision] = []
    if between_hands(table):
        if table.hand is not None:
            table.finish(out)  # nobody shuffles while a hand is on: the cards were gathered
        table.entered.shuffled = True
        table.entered.cut_exposed = 0  # what was seen in the cut before is lost in the deck
    return out


def _cut_done(table: Table, _: Entry, __: Args) -> Told:
    if between_hands(table):
        table.entered.cut = True
    return SILENT


def _cut_exposed(table: Table, _: Entry, args: Args) -> Told:
    table.entered.cut_exposed += args["count"]
    return SILENT


def _exposed(table: Table, entry: Entry, args: Args) -> Told:
    if table.hand is not None:
        table.hand.entered.exposed.append((entry.t, args["seat"], args.get("k"), args.get("by")))
    return SILENT


def _reported(table: Table, entry: Entry, args: Args) -> Told:
    """Something only people can see: for the hand that is on, or for the next one."""
    running = table.hand is not None and not table.hand.ended
    entered: Entered = table.hand.entered if running and table.hand is not None else table.entered
    entered.reported.append((entry.t, entry.do, dict(args)))
    return SILENT


def _stub_count(table: Table, entry: Entry, args: Args) -> Told:
    """Of the stub, as long as this hand's cards lie there; else of the whole deck, for the next hand."""
    hand = table.hand
    there = hand is not None and any(
        card.zone is not None and card.zone != SHOE for card in hand.cards.values()
    )
    entered: Entered = hand.entered if hand is not None and there else table.entered
    entered.reported.append((entry.t, entry.do, {**args, "whole": not there}))
    return SILENT


def _showdown(table: Table, entry: Entry, _: Args) -> Told:
    if table.hand is not None:
        table.hand.entered.showdown_at = entry.t
    return SILENT


def _hand_end(table: Table, entry: Entry, _: Args) -> Told:
    out: list[Decision] = []
    if table.hand is not None and not table.hand.ended:
        table.hand.entered.ended_at = entry.t
        table.finish(out)
    return out


def _answer(table: Table, entry: Entry, args: Args) -> Told:
    return table.docket.answer(args["question"], args["value"], entry.t) if table.docket else SILENT


def _override(table: Table, entry: Entry, args: Args) -> Told:
    if table.docket is None:
        return SILENT
    which, verdict, why = args["irregularity"], args["verdict"], args["why"]
    return table.docket.override(which, verdict, why, args.get("who"), entry.t, args.get("seat"))


def _acknowledge(table: Table, _: Entry, __: Args) -> Told:
    if table.docket is not None:
        table.docket.acknowledge()
    table.floor_called = False
    return SILENT


def _call_floor(table: Table, _: Entry, __: Args) -> Told:
    table.floor_called = True
    return SILENT


def _step_done(table: Table, entry: Entry, args: Args) -> Told:
    docket = table.docket
    return docket.step_done(entry.t, args.get("irregularity"), args.get("step")) if docket else SILENT


def _game(table: Table, _: Entry, args: Args) -> Told:
    if args["name"] in GAMES:
        table.game = game_of(args["name"], table.setting.dealt_by)
    return SILENT


def _deck(table: Table, _: Entry, args: Args) -> Told:
    deck = find_deck(table.setting.decks, args["id"])
    if deck is not None:
        table.deck = deck
        table.shoe.clear()
    return SILENT


def _dealer(table: Table, _: Entry, args: Args) -> Told:
    given = args["id"]
    table.dealer = given
    table.dealers = (given, *(each for each in table.dealers if each != given))[:MOST_DEALERS]
    return SILENT


def _language(table: Table, _: Entry, args: Args) -> Told:
    table.language = args["code"]
    return SILENT


def _night(table: Table, _: Entry, args: Args) -> Told:
    table.night = args["on"]
    return SILENT


ENTER: Mapping[str, Callable[[Table, Entry, Args], Told]] = {
    "seats": _seats, "button": _button, "absent": _absent, "action": _action, "round_closed": _round_closed,
    "shuffle_done": _shuffle_done, "cut_done": _cut_done, "cut_exposed": _cut_exposed, "exposed": _exposed,
    "damaged": _reported, "stub_disordered": _reported, "stub_count": _stub_count, "up_cards": _reported,
    "note": _reported, "showdown": _showdown, "hand_end": _hand_end, "answer": _answer, "override": _override,
    "acknowledge": _acknowledge, "call_floor": _call_floor, "step_done": _step_done, "game": _game,
    "deck": _deck, "dealer": _dealer, "language": _language, "night": _night, "straddle": _straddle,
    "run_twice": _run_twice, "name": _name,
}  # fmt: skip
"""What to do for each input; `undo` is the table's own."""

assert set(ENTER) | {"undo"} == set(entries.INPUTS)  # noqa: S101 (every input of the contract has its function)
