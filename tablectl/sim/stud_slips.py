"""The slips of stud: cards in the wrong half of a seat, and slips of the deal on the later streets.

Owns: one function per slip, by its name in the contract. Refuses: the slips that every game knows (`slips`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tablectl.errors import UsageError
from tablectl.layout import seat_of
from tablectl.sim.bend import Bend, some
from tablectl.sim.course import Mark, Pitch


def up_card_error(at: Bend) -> None:
    """A card is dealt to the wrong half of its seat."""
    if not at.setup.halves:
        raise UsageError("up_card_error cannot show at this table: it needs two antennas a seat")
    pitches = _street_cards(at) if at.later else at.course.deal
    pitch = at.rng.choice(pitches)
    seat = seat_of(pitch.zone) or 0
    pitch.zone = at.setup.place(seat, up=pitch.zone.endswith("/down"))
    at.mark(pitch, "up_card_error", seat=seat, street=at.street if at.later else None)


def _street_cards(at: Bend) -> list[Pitch]:
    """The cards of the later street, without its burn."""
    return some(at.course.boards[at.street][1:], at.plan.slip or "", "a hand that comes to that street")


def _wrong_on_street(at: Bend) -> None:
    """Two neighbours in the order of the street are served the wrong way round."""
    pitches = at.course.boards[at.street]
    some(pitches[4:], "wrong_seat", "four players on that street")
    place = at.rng.randrange(2, len(pitches) - 2)
    pitches[place], pitches[place + 1] = pitches[place + 1], pitches[place]
    wrong, due = pitches[place], pitches[place + 1]
    at.mark(wrong, "wrong_seat", seat=seat_of(wrong.zone), expected=seat_of(due.zone), street=at.street)


def _skipped_on_street(at: Bend) -> None:
    pitches = at.course.boards[at.street]
    some(pitches[5:], "seat_skipped", "five players on that street")
    place = at.rng.randrange(2, len(pitches) - 3)
    skipped = seat_of(pitches.pop(place).zone)
    first = pitches[place]
    first.mark = Mark("seat_skipped", {"seat": seat_of(first.zone), "expected": skipped, "street": at.street})
    pitches[-1].stop = at.stops


def _too_many_on_street(at: Bend) -> None:
    pitches = at.course.boards[at.street]
    some(pitches[3:], "too_many_cards", "three players on that street")
    place = at.rng.randrange(2, len(pitches) - 1)
    extra = Pitch(pitches[place].zone)
    at.mark(extra, "too_many_cards", seat=seat_of(extra.zone), street=at.street)
    pitches.insert(place + 1, extra)


def _too_few_on_street(at: Bend) -> None:
    seat = seat_of(at.course.boards[at.street].pop().zone)
    at.course.lacking[at.street] = Mark("too_few_cards", {"seat": seat, "street": at.street})
    at.course.stop_when_lacking = at.stops


def _ineligible_on_street(at: Bend) -> None:
    """A seat that folded, or that nobody sits at, gets a card."""
    pitches = at.course.boards[at.street]
    served = {seat_of(pitch.zone) for pitch in pitches}
    others = [seat for seat in range(1, at.setup.seats + 1) if seat not in served]
    seat = at.rng.choice(some(others, "ineligible_seat", "a player who folded, or an empty seat"))
    wrong = Pitch(at.setup.place(seat, up=pitches[-1].zone.endswith("/up")))
    place = at.rng.randrange(2, len(pitches))
    expected = seat_of(pitches[place].zone)
    at.mark(wrong, "ineligible_seat", seat=seat, expected=expected, street=at.street)
    pitches.insert(place, wrong)


ON_A_STREET: Mapping[str, Callable[[Bend], None]] = {
    "wrong_seat": _wrong_on_street,
    "seat_skipped": _skipped_on_street,
    "too_many_cards": _too_many_on_street,
    "too_few_cards": _too_few_on_street,
    "ineligible_seat": _ineligible_on_street,
}
"""What the slips of the deal are on a later street of stud."""
