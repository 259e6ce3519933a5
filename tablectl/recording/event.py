"""One event ⇄ one object of a recording.

Owns: the JSON spelling of everything that is sensed. Refuses: what it means (`core`), and lines (`lines`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, get_args

from tablectl.cards import normal_uid
from tablectl.core import entries
from tablectl.core.entries import shown, whole
from tablectl.core.sensed import AntennaHealth, Entry, Found, Gap, Health, Lost, Passage, Seen, Sensed, Sweep
from tablectl.errors import RecordingError, UsageError
from tablectl.recording.fields import (
    MAX_T,
    Report,
    Wrong,
    choice,
    listed,
    natural,
    number,
    silent,
    tell_unknown,
)

MAX_RSSI = 1 << 31
"""Either side of zero, in whatever unit a reader gives; more is no signal of any chip."""

_HEALTH: tuple[str, ...] = get_args(Health)
_uid = lru_cache(maxsize=4096)(normal_uid)  # the same few hundred tags come again and again


def dump(event: Sensed) -> dict[str, Any]:
    """The event as the recording spells it; `parse` gives back an equal one."""
    match event:
        case Sweep():
            seen = [
                [each.antenna, each.uid, each.rssi, each.age][: 4 if each.age else 3] for each in event.seen
            ]
            body = {"reader": event.reader, "polled": list(event.polled), "seen": seen}
            return {"t": event.t, "sweep": body}
        case Passage():
            return {
                "t": event.t,
                "passage": {"reader": event.reader, "antenna": event.antenna, "face": event.face},
            }
        case Lost():
            return {"t": event.t, "lost": {"reader": event.reader}}
        case Found():
            return {"t": event.t, "found": {"reader": event.reader}}
        case Gap():
            return {"t": event.t, "gap": {"reader": event.reader}}
        case AntennaHealth():
            body = {"reader": event.reader, "antenna": event.antenna, "state": event.state}
            return {"t": event.t, "health": body}
        case Entry():
            args = {
                name: list(value) if isinstance(value, tuple) else value for name, value in event.args.items()
            }
            return {"t": event.t, "input": {"do": event.do, **args}}


def parse(obj: object, *, line: int, seats: int, report: Report = silent) -> Sensed:
    """The event that one object of a recording spells, at a table with that many seats.

    Raises RecordingError with the line number, what is wrong and what would be right. Names that are not
    known are told to `report` and ignored.
    """
    try:
        return event_of(obj, seats, lambda text: report(line, text))
    except Wrong as wrong:
        raise RecordingError(f"line {line}: {wrong}") from None


def _sweep(t: int, body: Mapping[str, Any]) -> Sweep:
    reader = number(body, "sweep.", "reader")
    polled = tuple(natural(item, "sweep.polled") for item in listed(body, "sweep.", "polled"))
    seen = tuple(_seen(f"sweep.seen[{i}]", item) for i, item in enumerate(listed(body, "sweep.", "seen")))
    return Sweep(t, reader, polled, seen)


def _seen(where: str, item: object) -> Seen:
    """One tag: [antenna, uid], [antenna, uid, rssi] or [antenna, uid, rssi, age of the read in ms]."""
    if not isinstance(item, list) or not 2 <= len(item) <= 4:
        raise Wrong(
            f"{where} = {shown(item)}: must be [antenna, uid, rssi] or [antenna, uid, rssi, age in ms]"
        )
    antenna = natural(item[0], f"{where} antenna")
    uid = _uid(item[1]) if isinstance(item[1], str) and len(item[1]) <= 64 else None
    if uid is None:
        raise Wrong(f"{where} uid = {shown(item[1])}: must be a tag UID in hex, such as E004015012345601")
    rssi = None
    if len(item) > 2 and item[2] is not None:
        rssi = whole(item[2])
        if rssi is None or abs(rssi) > MAX_RSSI:
            raise Wrong(f"{where} rssi = {shown(item[2])}: must be a whole number or null")
    age = natural(item[3], f"{where} age", MAX_T) if len(item) == 4 else 0
    return Seen(antenna, uid, rssi, age)


def _passage(t: int, body: Mapping[str, Any]) -> Passage:
    face = None if body.get("face") is None else choice(body, "passage.", "face", ("up", "down"))
    return Passage(t, number(body, "passage.", "reader"), number(body, "passage.", "antenna"), face)


def _health(t: int, body: Mapping[str, Any]) -> AntennaHealth:
    reader, antenna = (number(body, "health.", name) for name in ("reader", "antenna"))
    return AntennaHealth(t, reader, antenna, choice(body, "health.", "state", _HEALTH))


_EVENTS: Mapping[str, tuple[frozenset[str], Callable[[int, Mapping[str, Any]], Sensed]]] = {
    "sweep": (frozenset({"reader", "polled", "seen"}), _sweep),
    "passage": (frozenset({"reader", "antenna", "face"}), _passage),
    "lost": (frozenset({"reader"}), lambda t, body: Lost(t, number(body, "lost.", "reader"))),
    "found": (frozenset({"reader"}), lambda t, body: Found(t, number(body, "found.", "reader"))),
    "gap": (frozenset({"reader"}), lambda t, body: Gap(t, number(body, "gap.", "reader"))),
    "health": (frozenset({"reader", "antenna", "state"}), _health),
}
_NAMES = (*_EVENTS, "input")


def event_of(obj: object, seats: int, tell: Callable[[str], None]) -> Sensed:
    """As `parse`, of a line whose number is known elsewhere. Raises Wrong."""
    if not isinstance(obj, Mapping):
        raise Wrong(f'{shown(obj)}: must be an object such as {{"t": 1300, "lost": {{"reader": 0}}}}')
    t = number(obj, "", "t", MAX_T)
    names = [name for name in _NAMES if name in obj]
    if len(names) != 1:
        here = ", ".join(map(shown, obj))
        raise Wrong(f"the line holds {here}: must hold t and exactly one of {', '.join(_NAMES)}")
    name, body = names[0], obj[names[0]]
    tell_unknown(obj, {"t", name}, "", tell)
    if not isinstance(body, Mapping):
        raise Wrong(f"{name} = {shown(body)}: must be an object")
    if name != "input":
        known, build = _EVENTS[name]
        tell_unknown(body, known, f"{name}.", tell)
        return build(t, body)
    try:
        made = entries.entry(body, t=t, seats=seats, tolerant=True)
    except UsageError as error:
        raise Wrong(f"input: {error}") from None
    tell_unknown(body, {"do", *entries.fields_of(made.do)}, "input.", tell)
    return made
