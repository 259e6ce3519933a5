"""Alerts: what the lamps and the buzzer must show for what has been decided so far.

Owns: the set of open irregularities as the *panel* sees them (soft or confirmed, acknowledged or not), and
how they add up to one set of signals. Refuses: pins, colours, blink times and sound patterns (`shell.panel`
has them), wording, and every judgement: an irregularity is open from the decision that raises it to the one
that settles it.

Theory of operation. Each open irregularity is in one of three stages, and each stage has one set of signals:

    stage          entered by                      seat light   alarm LED                  buzzer
    soft           suspicion                       slow         slow if it lights no seat  silent
    confirmed      irregularity                    steady       steady                     alarm, or floor
    acknowledged   the dealer's acknowledge        steady       steady                     silent

It is settled, and dark, with: `cleared`; the last step of its remedy (`complete`); the end of its hand. The
end of the remedy of a misdeal or void settles also what was open when that remedy began, since the whole hand
is undone. Several irregularities show the union of their lights, per light the strongest, and the loudest
pattern. One that is confirmed after an acknowledge sounds again; a changed ruling for an acknowledged one
does not.

A seat that has all its cards of the deal may say so (`complete`), but only while nothing at all is open: as soon as
one seat is accused, even softly, the only seats that are lit are those that are meant.

A degraded zone accuses nobody: it never lights a seat and never sounds. The alarm LED winks (a short flash
every few seconds) while nothing worse is open, so that "a check is off" is seen even where no display is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from tablectl.core.decisions import (
    Cleared,
    Decision,
    Degraded,
    HandEvent,
    Irregularity,
    RemedyEvent,
    Restored,
    Ruling,
    Suspicion,
)
from tablectl.layout import seat_of

Light = Literal["off", "complete", "wink", "slow", "steady"]
"""What a lamp does, from weakest to strongest."""

Buzz = Literal["alarm", "floor"]
"""What the buzzer says: `alarm`, an irregularity; `floor`, one that is not for the dealer to decide."""

_LIGHTS: tuple[Light, ...] = ("off", "complete", "wink", "slow", "steady")
_BUZZES: tuple[Buzz, ...] = ("alarm", "floor")


def _strongest(*lights: Light) -> Light:
    return max(lights, key=_LIGHTS.index, default="off")


@dataclass(frozen=True, slots=True)
class Signals:
    """Everything the panel must show now. A seat that is not in `seats` is dark."""

    seats: Mapping[int, Light] = field(default_factory=lambda: MappingProxyType({}))
    alarm: Light = "off"
    buzzer: Buzz | None = None


@dataclass(frozen=True, slots=True)
class _Open:
    """One irregularity that is not settled."""

    seat: int | None
    hand: int | None
    confirmed: bool
    acknowledged: bool = False
    ruling: Ruling | None = None
    undoes: frozenset[str] = frozenset()
    """What ends with its remedy: the irregularities that were open when a misdeal's remedy began."""

    @property
    def light(self) -> Light:
        return "steady" if self.confirmed else "slow"

    @property
    def buzz(self) -> Buzz | None:
        if not self.confirmed or self.acknowledged:
            return None
        return "alarm" if self.ruling is None or self.ruling.decider == "dealer" else "floor"


def _seat(of: Irregularity) -> int | None:
    """The seat to light: where the card lies, else where it is missing, else the seat of the zone."""
    if of.seat is not None:
        return of.seat
    if of.expected is not None:
        return of.expected
    return seat_of(of.zone) if of.zone else None


class Alerts:
    """The decisions of one table, in their order, turned into `Signals`. Keeps only what is open."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}
        self._degraded: set[str] = set()
        self._served: frozenset[int] = frozenset()

    def step(self, decision: Decision) -> Signals:
        """Take in one decision; what must be shown from now on. What means nothing to a lamp is ignored."""
        match decision:
            case Irregularity():
                self._raise(decision)
            case Cleared():
                self._open.pop(decision.id, None)
            case Ruling():
                self._rule(decision)
            case RemedyEvent():
                self._remedy(decision)
            case HandEvent():
                self._hand(decision)
            case Degraded():
                self._degraded.add(decision.zone)
            case Restored():
                self._degraded.discard(decision.zone)
            case _:
                pass
        return self.signals

    def acknowledge(self) -> Signals:
        """The dealer has heard: the buzzer falls silent, the lights stay. What is confirmed later sounds."""
        for name, entry in self._open.items():
            if entry.confirmed:
                self._open[name] = replace(entry, acknowledged=True)
        return self.signals

    def heard(self, names: Collection[str]) -> Signals:
        """Of all that is confirmed the dealer has heard these, and no other: an acknowledge was taken back."""
        for name, entry in self._open.items():
            self._open[name] = replace(entry, acknowledged=entry.confirmed and name in names)
        return self.signals

    def serve(self, seats: frozenset[int]) -> Signals | None:
        """These seats have all their cards of the deal; what must be shown from now on, None if that is no news."""
        if seats == self._served:
            return None
        self._served = seats
        return self.signals

    @property
    def signals(self) -> Signals:
        """What must be shown now."""
        seats: dict[int, Light] = {} if self._open else dict.fromkeys(self._served, "complete")
        alarm: Light = "wink" if self._degraded else "off"
        buzzes: list[Buzz] = []
        for entry in self._open.values():
            if entry.seat is not None:
                seats[entry.seat] = _strongest(entry.light, seats.get(entry.seat, "off"))
            # A soft stage with a seat has its seat light; the alarm LED would only draw the eye away from it.
            if entry.confirmed or entry.seat is None:
                alarm = _strongest(alarm, entry.light)
            if entry.buzz is not None:
                buzzes.append(entry.buzz)
        return Signals(
            seats=MappingProxyType(seats),
            alarm=alarm,
            buzzer=max(buzzes, key=_BUZZES.index, default=None),
        )

    def _raise(self, decision: Irregularity) -> None:
        confirmed = not isinstance(decision, Suspicion)
        before = self._open.get(decision.id)
        if before is None:
            self._open[decision.id] = _Open(_seat(decision), decision.hand, confirmed)
        else:
            # The same slip, known better (two cards on the board instead of one): what was heard stays heard.
            self._open[decision.id] = replace(
                before,
                seat=_seat(decision),
                hand=decision.hand,
                confirmed=confirmed or before.confirmed,
            )

    def _rule(self, ruling: Ruling) -> None:
        entry = self._open.get(ruling.irregularity)
        if entry is not None:
            self._open[ruling.irregularity] = replace(entry, ruling=ruling)

    def _remedy(self, event: RemedyEvent) -> None:
        entry = self._open.get(event.irregularity)
        if entry is None:
            return
        if event.event == "complete":
            for name in {event.irregularity, *entry.undoes}:
                self._open.pop(name, None)
        elif event.event == "undone":
            self._open[event.irregularity] = replace(entry, undoes=frozenset())  # it begins anew
        elif not entry.undoes and entry.ruling is not None and entry.ruling.verdict in ("misdeal", "void"):
            # Only what is open now: a slip during the redeal is a new one and outlives this remedy.
            self._open[event.irregularity] = replace(entry, undoes=frozenset(self._open))

    def _hand(self, event: HandEvent) -> None:
        ended = event.hand if event.event == "end" else event.hand - 1
        for name, entry in list(self._open.items()):
            # Between hands an irregularity may belong to none; the next hand's end settles it at the latest.
            belongs = event.event == "end" if entry.hand is None else entry.hand <= ended
            if belongs:
                del self._open[name]
