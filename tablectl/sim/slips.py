"""The slips of dealers and the near misses: how each bends the course of a hand.

Owns: one function per slip, by its name in the contract. Refuses: carrying it out (`dealer`).

Every function changes the course in place and hangs a `Mark` on the card that makes the slip, with the
fields that the truth shall name: `seat` is where the card lies, `expected` the seat where it belonged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from tablectl.errors import UsageError
from tablectl.layout import BURN, seat_of
from tablectl.sim.bend import Bend, some
from tablectl.sim.course import Course, Incident, Mark, Move, Pitch, street_zones
from tablectl.sim.script import HandPlan
from tablectl.sim.setup import TableSetup
from tablectl.sim.stud_slips import ON_A_STREET, up_card_error


def bend(course: Course, plan: HandPlan, setup: TableSetup, rng: Random) -> None:
    """Work the plan's slip and near miss into the course. UsageError if this table has no room for it."""
    at = Bend(course, plan, setup, rng)
    if plan.slip:
        plan.street_in(course.game)  # or the game knows no such slip
        slips = ON_A_STREET if at.later and plan.slip in ON_A_STREET else _SLIPS
        slips[plan.slip](at)
    if plan.near_miss:
        _NEAR_MISSES[plan.near_miss](at)


# --- the deal -----------------------------------------------------------------------------------------------


def _wrong_first_seat(at: Bend) -> None:
    place = at.rng.randrange(1, len(at.order))
    seat = at.order[place]
    turned = (*at.order[place:], *at.order[:place])
    at.course.deal = [Pitch(zone) for zone in at.setup.opening(turned)]
    at.mark(at.course.deal[0], "wrong_first_seat", seat=seat, expected=at.order[0])


def _wrong_seat(at: Bend) -> None:
    n, last_round = len(at.order), (at.setup.need - 1) * len(at.order)
    steps = {"next": [1], "previous": [-1], "far": list(range(2, n - 1))}[at.variant or "next"]
    # Never a seat that is full already, nor the button, which may lawfully get two cards in a row (TDA 35-B).
    chances = [
        (place, at.due(place + step))
        for place in range(1, at.setup.need * n - 1)
        for step in steps
        if at.cards(at.due(place + step), place) < at.setup.need
        and at.due(place + step) not in {at.order[-1], at.due(place)}
        and (at.stops or place < last_round)
    ]
    place, seat = at.rng.choice(some(chances, "wrong_seat", "more players"))
    wrong = Pitch(at.zone(seat, place))
    at.mark(wrong, "wrong_seat", seat=seat, expected=at.due(place))
    if at.stops:
        at.course.deal[place] = wrong
        return
    # Unaware, the dealer serves the seat that was due next, and leaves the full one out at the end.
    at.course.deal.insert(place, wrong)
    full = max(i for i, pitch in enumerate(at.course.deal) if seat_of(pitch.zone) == seat)
    del at.course.deal[full]


def _ineligible_seat(at: Bend) -> None:
    empty = [seat for seat in range(1, at.setup.seats + 1) if seat not in at.course.eligible]
    seat = at.rng.choice(some(empty, "ineligible_seat", "an empty seat"))
    after = next((other for other in range(1, len(at.order)) if _between(at, other, seat)), 0)
    place = after + len(at.order) * at.rng.randrange(at.setup.need)
    wrong = Pitch(at.zone(seat, place))
    at.mark(wrong, "ineligible_seat", seat=seat, expected=at.due(place))
    at.course.deal.insert(place, wrong)


def _between(at: Bend, place: int, seat: int) -> bool:
    """True if `seat` lies, clockwise, between the seats at `place - 1` and `place` of the order."""
    first, wrap = at.order[place - 1], at.setup.seats
    return (seat - first) % wrap < (at.order[place] - first) % wrap


def _seat_skipped(at: Bend) -> None:
    n = len(at.order)
    some(list(at.order[2:]), "seat_skipped", "three players")
    # Three later cards must follow in the right order; else it could be something else.
    latest = at.setup.need * n - 4
    place = at.rng.randrange(1, max(2, latest))
    skipped = at.due(place)
    del at.course.deal[place]
    first = at.course.deal[place]
    first.mark = Mark("seat_skipped", {"seat": seat_of(first.zone), "expected": skipped})
    at.course.deal[min(place + 2, len(at.course.deal) - 1)].stop = at.stops


def _too_few_cards(at: Bend) -> None:
    seat = seat_of(at.course.deal.pop().zone)
    count, need = at.setup.need - 1, at.setup.need
    at.course.lacking["deal"] = Mark("too_few_cards", {"seat": seat, "count": count, "need": need})
    at.course.stop_when_lacking = at.stops


def _too_many_cards(at: Bend) -> None:
    n, need = len(at.order), at.setup.need
    last_round = (need - 1) * n
    if at.variant == "after":
        place, seat = need * n, at.order[0]
        expected = None
    else:
        place = last_round + at.rng.randrange(1, n)
        seat, expected = at.due(place - 1), at.due(place)
    extra = Pitch(at.zone(seat, place))
    if at.variant == "stuck":
        extra.together = True
        extra.slide = at.course.deal[place - 1].slide = False
    at.mark(extra, "too_many_cards", seat=seat, expected=expected, count=need + 1, need=need)
    at.course.deal.insert(place, extra)


# --- the board ----------------------------------------------------------------------------------------------


def _premature_card(at: Bend) -> None:
    if at.variant == "deal":
        if at.game.stud:
            raise UsageError("premature_card:deal cannot happen in stud: there is no board")
        place = at.rng.randrange(2, len(at.course.deal) - 1)
        early = Pitch(at.setup.board_zone("flop"))
        at.mark(early, "premature_card", street="flop", count=1)
        at.course.deal.insert(place, early)
        return
    moves = at.course.rounds[at.game.round_before(at.street)]
    # In stud the bring-in need not act: if only he is left, nobody can tell that the round is open.
    most = len(moves) if not at.game.stud else max(1, min(len(moves), len(at.order) - 2))
    entered = at.rng.randrange(most)
    at.course.late[at.street] = moves[entered:]
    del moves[entered:]
    if at.game.stud:
        # Who folds later has a card coming now.
        at.course.boards[at.street][1:] = map(Pitch, street_zones(at.setup, at.street, at.course, at.rng))
    cards = at.course.boards[at.street][1:]
    seat = {"seat": seat_of(cards[0].zone)} if at.game.stud else {}
    cards[0].mark = Mark("premature_card", {"street": at.street, "count": len(cards), **seat})
    cards[-1].stop = at.stops


def _too_many_board_cards(at: Bend) -> None:
    pitches, need = at.course.boards[at.street], at.game.street(at.street).cards
    extra = Pitch(pitches[-1].zone)
    at.mark(extra, "too_many_board_cards", street=at.street, count=need + 1, need=need)
    pitches.append(extra)


def _too_few_board_cards(at: Bend) -> None:
    need = at.game.street(at.street).cards
    at.course.boards[at.street].pop()
    fields = {"street": at.street, "count": need - 1, "need": need}
    at.course.lacking[at.street] = Mark("too_few_board_cards", fields)
    at.course.stop_when_lacking = at.stops


def _burn_missing(at: Bend) -> None:
    pitches = at.course.boards[at.street]
    del pitches[0]
    pitches[0].mark = Mark("burn_missing", {"street": at.street, "count": 0, "need": 1})
    pitches[-1].stop = at.stops


def _burn_extra(at: Bend) -> None:
    extra = Pitch(BURN)
    at.mark(extra, "burn_extra", street=at.street, count=2, need=1)
    at.course.boards[at.street].insert(1, extra)


# --- the deck -----------------------------------------------------------------------------------------------


def _odd_tag(kind: str, tag: Callable[[str], str]) -> Callable[[Bend], None]:
    def slip(at: Bend) -> None:
        variant = at.variant or "seat"
        if variant == "board":
            pitch = at.rng.choice(at.course.boards[at.game.street_names[0]][1:])
            at.mark(pitch, kind, zone=pitch.zone)
        else:
            pitch = at.course.deal[at.rng.randrange(1, len(at.course.deal))]
            at.mark(pitch, kind, seat=seat_of(pitch.zone))
        pitch.tag = tag(variant)

    return slip


def _boxed_card(at: Bend) -> None:
    _needs_sensor(at, "boxed_card")
    if at.variant == "board":
        pitch = at.rng.choice(at.course.boards["flop"][1:])
    else:
        first = at.variant == "first"
        pitch = at.course.deal[at.rng.randrange(2) if first else at.rng.randrange(2, len(at.course.deal))]
    at.mark(pitch, "boxed_card", seat=seat_of(pitch.zone))
    pitch.boxed = True


def _untagged_card(at: Bend) -> None:
    _needs_sensor(at, "untagged_card")
    _odd_tag("untagged_card", lambda _: "untagged")(at)


def _needs_sensor(at: Bend, slip: str) -> None:
    if not at.setup.optical:
        raise UsageError(f"{slip} cannot be seen at this table: it needs an optical sensor at the shoe mouth")


# --- later in the hand --------------------------------------------------------------------------------------


def _hand_mucked(at: Bend) -> None:
    # The hand of a player who has answered every bet, while another one is to act: a hand that is mucked
    # while its player may still fold looks like a fold that is entered late.
    chances = [
        (move, seat)
        for moves in at.course.rounds.values()
        for place, move in enumerate(moves)
        for seat in _waiting(moves, place)
    ]
    move, seat = at.rng.choice(some(chances, "hand_mucked", "two players who stay in"))
    mark = Mark("hand_mucked", {"seat": seat})
    move.before = Incident("muck_hand", seat, mark=mark, stop=True)


def _waiting(moves: list[Move], place: int) -> list[int]:
    """Who is in and has nothing more to do in this round when the move at `place` is due."""
    last = {move.seat: move.action for move in moves[:place]}
    done = {seat for seat, action in last.items() if action != "fold"}
    return sorted(done - {move.seat for move in moves[place:]})


def _card_in_other_hand(at: Bend) -> None:
    move = at.rng.choice(at.preflop()[:2])
    place = at.rng.randrange(len(at.order))
    lost, got = at.order[place], at.order[(place + 1) % len(at.order)]
    mark = Mark("card_in_other_hand", {"seat": got, "expected": lost})
    folded_before = {each.seat for each in at.preflop()[:1] if each.action == "fold"}
    if folded_before & {lost, got}:
        move = at.preflop()[0]
    move.before = Incident("card_to", lost, got, mark, at.stops)


def _card_lost(at: Bend) -> None:
    if at.variant == "hand":
        seat = at.order[at.rng.randrange(len(at.order))]
        mark = Mark("card_lost", {"expected": seat})
        at.preflop()[0].before = Incident("drop", seat, mark=mark, stop=at.stops)
        return
    place = at.rng.randrange(1, len(at.course.deal))
    pitch = at.course.deal[place]
    at.mark(pitch, "card_lost", expected=seat_of(pitch.zone))
    pitch.falls = True


def _exposed_card(at: Bend) -> None:
    first = at.variant == "first"
    place = at.rng.randrange(2) if first else at.rng.randrange(2, len(at.course.deal))
    pitch = at.course.deal[place]
    pitch.exposed = Mark("exposed_card", {"seat": seat_of(pitch.zone), "by": "dealer"})
    pitch.stop = first and at.stops
    if not first:
        at.course.replace = Pitch(pitch.zone)
        burns = at.course.boards.get("flop", [])
        del burns[:1]


def _dealt_after_end(at: Bend) -> None:
    if at.game.stud:
        up = at.game.street(at.street).up is True
        extra = Pitch(at.setup.place(at.rng.choice(at.order), up=up))
    else:
        extra = Pitch(at.setup.board_zone(at.street))
    at.mark(extra, "dealt_after_end", street=at.street, count=1)
    at.course.encore.append(extra)


# --- near misses --------------------------------------------------------------------------------------------


def _corrected(at: Bend) -> None:
    n = len(at.order)
    place = at.rng.randrange(1, (at.setup.need - 1) * n)
    pitch, wrong = at.course.deal[place], at.due(place + 1)
    pitch.corrected_to, pitch.zone = pitch.zone, at.zone(wrong, place)


def _slide_over(at: Bend) -> None:
    at.rng.choice(at.course.deal).slide = True


def _slow_pause(at: Bend) -> None:
    at.rng.choice(at.course.deal[1:]).pause = 5000.0


def _a_fold(at: Bend) -> Move:
    """The first fold before the flop."""
    moves = at.preflop()
    folds = [move for move in moves if move.action == "fold"]
    return some(folds, "a fold", "a player who folds before the flop")[0]


def _late_fold(at: Bend) -> None:
    _a_fold(at).entry_ms = at.rng.uniform(500, 2000)


def _fold_over_seat(at: Bend) -> None:
    fold = _a_fold(at)
    near = [seat for seat in (fold.seat + 1, fold.seat - 1) if 1 <= seat <= at.setup.seats]
    fold.over = at.setup.place(near[0], up=True)


def _lift_return(at: Bend) -> None:
    moves = at.preflop()
    moves[0].before = Incident("lift", moves[-1].seat)


_SLIPS: Mapping[str, Callable[[Bend], None]] = {
    "wrong_first_seat": _wrong_first_seat,
    "wrong_seat": _wrong_seat,
    "ineligible_seat": _ineligible_seat,
    "seat_skipped": _seat_skipped,
    "too_few_cards": _too_few_cards,
    "too_many_cards": _too_many_cards,
    "premature_card": _premature_card,
    "too_many_board_cards": _too_many_board_cards,
    "too_few_board_cards": _too_few_board_cards,
    "burn_missing": _burn_missing,
    "burn_extra": _burn_extra,
    "duplicate_card": _odd_tag("duplicate_card", lambda _: "duplicate"),
    "foreign_card": _odd_tag(
        "foreign_card", lambda variant: "unknown" if variant == "unknown" else "foreign"
    ),
    "joker": _odd_tag("joker", lambda _: "joker"),
    "boxed_card": _boxed_card,
    "untagged_card": _untagged_card,
    "hand_mucked": _hand_mucked,
    "card_in_other_hand": _card_in_other_hand,
    "card_lost": _card_lost,
    "dealt_after_end": _dealt_after_end,
    "exposed_card": _exposed_card,
    "up_card_error": up_card_error,
}

_NEAR_MISSES: Mapping[str, Callable[[Bend], None]] = {
    "corrected": _corrected,
    "slide_over": _slide_over,
    "late_fold": _late_fold,
    "lift_return": _lift_return,
    "fold_over_seat": _fold_over_seat,
    "slow_pause": _slow_pause,
}
