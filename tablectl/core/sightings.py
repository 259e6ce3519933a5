"""Sightings: sweeps of numbered antennas become looks at zones.

Owns: the antenna map, the noise rules for tag UIDs, and which zones can be trusted now.
Refuses: any opinion on where a card lies.

A look is one poll of one zone: the cards read, and by omission the cards not read. The tag of the dealer button is
told apart from them here: from there on it is no card, and not a foreign one either. A zone served by several
antennas is looked at by each of them. A lost reader, a bad antenna or lost frames make no looks at all, so
that nothing here ever turns "cannot see" into "is not there". A weak antenna still looks: its zone is watched, and
told to be weak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from tablectl.cards import well_formed
from tablectl.core.sensed import AntennaHealth, Found, Gap, Lost, Seen, Sweep
from tablectl.layout import Antenna, Layout
from tablectl.said import Said

UNKNOWN_UID_MEMORY_MS = 10_000
"""A UID that no deck knows is noise until it is read again within this time (shifted UIDs: field notes 12, 14)."""


@dataclass(frozen=True, slots=True)
class Read:
    """A card read in a zone at `t` (ms); `rssi` as the reader gives it."""

    uid: str
    t: int
    rssi: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """One poll of a zone at `t` (ms), and what it read; only a complete one says that other cards are not there."""

    zone: str
    t: int
    reads: tuple[Read, ...]
    complete: bool = True
    button: tuple[Read, ...] = ()
    """Reads of the dealer button's own tag, which is no card."""


@dataclass(frozen=True, slots=True)
class Trust:
    """A zone is no longer (`why` set) or again (`why` None) to be trusted."""

    zone: str
    why: str | None


class Sightings:
    """Turns what readers sent into looks, one table's worth."""

    def __init__(
        self, layout: Layout, known: Callable[[str], bool], button_tags: Collection[str] = ()
    ) -> None:
        self._layout = layout
        self._known = known
        self._button_tags = frozenset(button_tags)
        self._once: dict[str, int] = {}
        self._lost: set[int] = set()
        self._bad: dict[Antenna, str] = {}
        self._weak: set[Antenna] = set()
        self._awaiting: set[Antenna] = set()
        self._why: dict[str, str] = {}
        self.outages: dict[str, tuple[int, int]] = {}
        """Zone → (began, ended) of its last outage, ms."""
        self.noise: Counter[str] = Counter()
        """What was left out, by reason; for the technician's page."""

    @property
    def degraded(self) -> Mapping[str, str]:
        """Zones that cannot be trusted now, each with the reason."""
        return self._why

    @property
    def weak(self) -> Mapping[str, str]:
        """Zones that are watched by an antenna of which the reader says that it is weak, each in words."""
        here = sorted(antenna for antenna in self._weak if antenna[0] not in self._lost)
        return {
            self._layout.antennas[reader, antenna]: Said(
                "antenna {antenna} of reader {reader} is weak", antenna=antenna, reader=reader
            )
            for reader, antenna in here
        }

    def looks(self, sweep: Sweep) -> Iterator[Look]:
        """The looks of one sweep, in the order of `polled`; then the reads of antennas whose list is not complete."""
        by_antenna: dict[int, list[Read]] = {}
        of_button: dict[int, list[Read]] = {}
        for seen in sweep.seen:
            if seen.uid in self._button_tags:
                of_button.setdefault(seen.antenna, []).append(_read(seen, sweep.t))
            elif self._is_noise(seen.uid, sweep.t):
                continue
            else:
                by_antenna.setdefault(seen.antenna, []).append(_read(seen, sweep.t))
        for antenna in sweep.polled:
            zone = self._layout.antennas.get((sweep.reader, antenna))
            found, button = by_antenna.pop(antenna, ()), of_button.pop(antenna, ())
            if zone is None:
                self.noise["antenna not in the configuration"] += 1
            else:
                yield Look(zone, sweep.t, tuple(found), button=tuple(button))
        for antenna in dict.fromkeys((*by_antenna, *of_button)):
            zone = self._layout.antennas.get((sweep.reader, antenna))
            if zone is not None:
                found, button = by_antenna.get(antenna, ()), of_button.get(antenna, ())
                yield Look(zone, sweep.t, tuple(found), complete=False, button=tuple(button))

    def _is_noise(self, uid: str, t: int) -> bool:
        if self._known(uid):
            return False
        if not well_formed(uid):
            self.noise["malformed UID"] += 1
        before = self._once.get(uid)
        self._once[uid] = t
        if len(self._once) > 4096:  # a noisy line must not grow the table's memory
            self._once = {u: at for u, at in self._once.items() if t - at <= UNKNOWN_UID_MEMORY_MS}
        if before is None or t - before > UNKNOWN_UID_MEMORY_MS:
            self.noise["unknown UID read once"] += 1
            return True
        return False

    def trust(self, event: Lost | Found | Gap | AntennaHealth | Sweep) -> tuple[Trust, ...]:
        """What the event changes in the trust of zones."""
        if isinstance(event, Sweep):
            return self._polled(event) if self._awaiting or self._lost else ()
        if isinstance(event, Lost):
            self._lost.add(event.reader)
        elif isinstance(event, Found):
            if event.reader not in self._lost:
                return ()  # a sweep of its was here first
            self._lost.discard(event.reader)
            # A zone is restored by its first look, not by the reader's word that it is back.
            self._awaiting |= {a for a in self._layout.antennas if a[0] == event.reader}
        elif isinstance(event, AntennaHealth):
            self._health(event)
        return self._changes(event.t)

    def _health(self, event: AntennaHealth) -> None:
        key = (event.reader, event.antenna)
        if event.state in {"ok", "weak"}:
            self._bad.pop(key, None)  # a weak one still reads; the tracker's evidence carries how well
        else:
            self._bad[key] = _unfit(event)
        if event.state == "weak" and key in self._layout.antennas:
            self._weak.add(key)
        else:
            self._weak.discard(key)

    def _polled(self, sweep: Sweep) -> tuple[Trust, ...]:
        # A sweep from a lost reader proves that it is back, whether or not anybody said so.
        if sweep.reader in self._lost:
            self._lost.discard(sweep.reader)
            self._awaiting |= {a for a in self._layout.antennas if a[0] == sweep.reader}
        self._awaiting -= {(sweep.reader, antenna) for antenna in sweep.polled}
        return self._changes(sweep.t)

    def _changes(self, t: int) -> tuple[Trust, ...]:
        blind: dict[str, str] = {}
        seeing: set[str] = set()
        for (reader, antenna), zone in self._layout.antennas.items():
            if reader in self._lost:
                blind[zone] = Said("reader {reader} is lost", reader=reader)
            elif (reader, antenna) in self._bad:
                blind[zone] = self._bad[reader, antenna]
            elif (reader, antenna) in self._awaiting:
                blind[zone] = Said("reader {reader} has not looked here yet", reader=reader)
            else:
                seeing.add(zone)
        now = {zone: why for zone, why in blind.items() if zone not in seeing}
        changed = [Trust(zone, None) for zone in self._why if zone not in now]
        changed += [Trust(zone, why) for zone, why in now.items() if zone not in self._why]
        for change in changed:
            began, _ = self.outages.get(change.zone, (t, t))
            self.outages[change.zone] = (began if change.why is None else t, t)
        self._why.clear()  # in place: whoever asked for `degraded` keeps seeing the present
        self._why.update(now)
        return tuple(changed)


def _read(seen: Seen, t: int) -> Read:
    return Read(seen.uid, max(0, t - max(0, seen.age)), seen.rssi)


def _unfit(antenna: AntennaHealth) -> Said:
    where = {"antenna": antenna.antenna, "reader": antenna.reader}
    match antenna.state:
        case "open":
            return Said("antenna {antenna} of reader {reader} is open", **where)
        case "shorted":
            return Said("antenna {antenna} of reader {reader} is shorted", **where)
        case _:
            return Said("antenna {antenna} of reader {reader} is silent", **where)
