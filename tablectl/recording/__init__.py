"""Recordings: what the table sensed, one JSON object a line.

Owns: the JSON spelling of every sensed event and of the first line; reading with tolerance for broken lines.
Refuses: what the events mean (`core`), whether the configuration in the first line is valid (`config`), the
file that is being written (`shell.recorder`), and decisions (they are concluded again on every replay).

What a reader may rely on:
- A malformed line costs only itself: it is reported with its number and skipped, or with `strict` it ends the
  reading. Empty lines are nothing. A last line without its newline that does not parse was cut off by a power
  loss and is reported as such. A broken *first* line is always an error: without it nothing can be
  understood.
- `t` never goes back. A line whose `t` is below the one before is reported (with `strict`: an error) and its
  event is taken at the time of the line before: what a reader saw is evidence, its place in the file is its
  order. A line that is alone more than 24 hours ahead is reported and skipped (`order`).
- A reader or an antenna that the configuration in the first line does not have is reported once.
- Names that this version does not know are reported and ignored, with `strict` too: later versions may add
  some.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, get_args

from tablectl.cards import Deck, find_deck, normal_uid
from tablectl.core import entries
from tablectl.core.entries import is_text, shown, whole
from tablectl.core.sensed import AntennaHealth, Entry, Found, Gap, Health, Lost, Passage, Seen, Sensed, Sweep
from tablectl.errors import RecordingError, UsageError
from tablectl.layout import MAX_SEATS
from tablectl.recording.order import Order, antennas_of

VERSION = 1
MAX_LINE = 1 << 20
"""Longest line that is read, bytes: a first line with ten decks has some 30 kB, a sweep some 5 kB."""
MAX_T = 1 << 53
"""Highest `t`, ms: the largest whole number that every JSON reader keeps exactly."""
MAX_NUMBER = 255
"""Highest number of a reader or an antenna: one byte on the wire."""
MAX_RSSI = 1 << 31

Report = Callable[[int, str], None]
"""Told of each line that is wrong: its number, counted from 1, and what is wrong with it."""

_HEALTH: tuple[str, ...] = get_args(Health)
_uid = lru_cache(maxsize=4096)(normal_uid)  # the same few hundred tags come again and again


class _Wrong(Exception):  # noqa: N818 - carries the text until the line number is known
    """What is wrong with one line."""


def _silent(_line: int, _text: str) -> None:
    """Reports to nobody."""


# --- one event ⇄ one object ---------------------------------------------------------------------------------


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


def parse(obj: object, *, line: int, seats: int, report: Report = _silent) -> Sensed:
    """The event that one object of a recording spells, at a table with that many seats.

    Raises RecordingError with the line number, what is wrong and what would be right. Names that are not
    known are told to `report` and ignored.
    """
    try:
        return _event(obj, seats, lambda text: report(line, text))
    except _Wrong as wrong:
        raise RecordingError(f"line {line}: {wrong}") from None


def _natural(value: object, what: str, high: int = MAX_NUMBER) -> int:
    if type(value) is int and 0 <= value <= high:  # the common case, once per tag of every sweep
        return value
    number = whole(value)
    if number is None or not 0 <= number <= high:
        raise _Wrong(f"{what} = {shown(value)}: must be a whole number from 0 to {high}")
    return number


def _number(body: Mapping[str, Any], where: str, name: str, high: int = MAX_NUMBER) -> int:
    if name not in body:
        raise _Wrong(f"{where}{name} is missing: must be a whole number from 0 to {high}")
    return _natural(body[name], where + name, high)


def _choice(body: Mapping[str, Any], where: str, name: str, choices: tuple[str, ...]) -> Any:
    value = body.get(name)
    if not isinstance(value, str) or value not in choices:
        raise _Wrong(f"{where}{name} = {shown(value)}: must be one of {', '.join(choices)}")
    return value


def _list(body: Mapping[str, Any], where: str, name: str) -> list[Any]:
    value = body.get(name)
    if not isinstance(value, list):
        is_what = f"= {shown(value)}" if name in body else "is missing"
        raise _Wrong(f"{where}{name} {is_what}: must be a list")
    return value


def _sweep(t: int, body: Mapping[str, Any]) -> Sweep:
    reader = _number(body, "sweep.", "reader")
    polled = tuple(_natural(item, "sweep.polled") for item in _list(body, "sweep.", "polled"))
    seen = tuple(_seen(f"sweep.seen[{i}]", item) for i, item in enumerate(_list(body, "sweep.", "seen")))
    return Sweep(t, reader, polled, seen)


def _seen(where: str, item: object) -> Seen:
    """One tag: [antenna, uid], [antenna, uid, rssi] or [antenna, uid, rssi, age of the read in ms]."""
    if not isinstance(item, list) or not 2 <= len(item) <= 4:
        raise _Wrong(
            f"{where} = {shown(item)}: must be [antenna, uid, rssi] or [antenna, uid, rssi, age in ms]"
        )
    antenna = _natural(item[0], f"{where} antenna")
    uid = _uid(item[1]) if isinstance(item[1], str) and len(item[1]) <= 64 else None
    if uid is None:
        raise _Wrong(f"{where} uid = {shown(item[1])}: must be a tag UID in hex, such as E004015012345601")
    rssi = None
    if len(item) > 2 and item[2] is not None:
        rssi = whole(item[2])
        if rssi is None or abs(rssi) > MAX_RSSI:
            raise _Wrong(f"{where} rssi = {shown(item[2])}: must be a whole number or null")
    age = _natural(item[3], f"{where} age", MAX_T) if len(item) == 4 else 0
    return Seen(antenna, uid, rssi, age)


def _passage(t: int, body: Mapping[str, Any]) -> Passage:
    face = None if body.get("face") is None else _choice(body, "passage.", "face", ("up", "down"))
    return Passage(t, _number(body, "passage.", "reader"), _number(body, "passage.", "antenna"), face)


def _health(t: int, body: Mapping[str, Any]) -> AntennaHealth:
    reader, antenna = (_number(body, "health.", name) for name in ("reader", "antenna"))
    return AntennaHealth(t, reader, antenna, _choice(body, "health.", "state", _HEALTH))


_EVENTS: Mapping[str, tuple[frozenset[str], Callable[[int, Mapping[str, Any]], Sensed]]] = {
    "sweep": (frozenset({"reader", "polled", "seen"}), _sweep),
    "passage": (frozenset({"reader", "antenna", "face"}), _passage),
    "lost": (frozenset({"reader"}), lambda t, body: Lost(t, _number(body, "lost.", "reader"))),
    "found": (frozenset({"reader"}), lambda t, body: Found(t, _number(body, "found.", "reader"))),
    "gap": (frozenset({"reader"}), lambda t, body: Gap(t, _number(body, "gap.", "reader"))),
    "health": (frozenset({"reader", "antenna", "state"}), _health),
}
_NAMES = (*_EVENTS, "input")


def _event(obj: object, seats: int, tell: Callable[[str], None]) -> Sensed:
    if not isinstance(obj, Mapping):
        raise _Wrong(f'{shown(obj)}: must be an object such as {{"t": 1300, "lost": {{"reader": 0}}}}')
    t = _number(obj, "", "t", MAX_T)
    names = [name for name in _NAMES if name in obj]
    if len(names) != 1:
        here = ", ".join(map(shown, obj))
        raise _Wrong(f"the line holds {here}: must hold t and exactly one of {', '.join(_NAMES)}")
    name, body = names[0], obj[names[0]]
    _tell_unknown(obj, {"t", name}, "", tell)
    if not isinstance(body, Mapping):
        raise _Wrong(f"{name} = {shown(body)}: must be an object")
    if name != "input":
        known, build = _EVENTS[name]
        _tell_unknown(body, known, f"{name}.", tell)
        return build(t, body)
    try:
        made = entries.entry(body, t=t, seats=seats, tolerant=True)
    except UsageError as error:
        raise _Wrong(f"input: {error}") from None
    _tell_unknown(body, {"do", *entries.fields_of(made.do)}, "input.", tell)
    return made


def _tell_unknown(body: Mapping[str, Any], known: Set[str], where: str, tell: Callable[[str], None]) -> None:
    for name in sorted(body.keys() - known):
        tell(f"{shown(where + name)}: this version does not know it; ignored")


# --- the first line -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Header:
    """The first line: the table's configuration as it was given, the decks, and which of them is in play."""

    config: Mapping[str, Any]
    decks: tuple[Deck, ...]
    active_deck: str | None
    seats: int
    """Seats of the table (`config.table.seats`)."""


def header(config: Mapping[str, Any], decks: Iterable[Deck], active_deck: str | None) -> dict[str, Any]:
    """The first line of a recording, ready for JSON; `config` is written as it is."""
    listed = [{"id": deck.id, "cards": dict(deck.cards), "jokers": sorted(deck.jokers)} for deck in decks]
    return {"recording": VERSION, "config": dict(config), "decks": listed, "active_deck": active_deck}


def read_header(obj: object, *, line: int = 1, report: Report = _silent) -> Header:
    """What the first line says. Raises RecordingError as `parse` does."""
    try:
        return _header(obj, lambda text: report(line, text))
    except _Wrong as wrong:
        raise RecordingError(f"line {line}: {wrong}") from None


def _header(obj: object, tell: Callable[[str], None]) -> Header:
    if not isinstance(obj, Mapping) or "recording" not in obj:
        raise _Wrong('not a recording: its first line must be {"recording": 1, "config": …, "decks": …}')
    if whole(obj["recording"]) != VERSION:
        raise _Wrong(
            f"recording = {shown(obj['recording'])}: this tablectl reads recordings of format {VERSION}"
        )
    _tell_unknown(obj, {"recording", "config", "decks", "active_deck"}, "", tell)
    config = obj.get("config")
    table = config.get("table") if isinstance(config, Mapping) else None
    if not isinstance(config, Mapping) or not isinstance(table, Mapping):
        raise _Wrong("config.table is missing: config must be the configuration of the table, as an object")
    seats = whole(table.get("seats"))
    if seats is None or not 2 <= seats <= MAX_SEATS:
        raise _Wrong(
            f"config.table.seats = {shown(table.get('seats'))}: must be a whole number from 2 to {MAX_SEATS}"
        )
    decks = tuple(_deck(f"decks[{i}]", item) for i, item in enumerate(_list(obj, "", "decks")))
    ids = [deck.id for deck in decks]
    if len(set(ids)) < len(ids):
        raise _Wrong(f"decks: the ids are {', '.join(ids)}: each deck needs an id of its own")
    active = obj.get("active_deck")
    if (decks or active is not None) and (not isinstance(active, str) or not find_deck(decks, active)):
        raise _Wrong(
            f"active_deck = {shown(active)}: must be one of {', '.join(ids) or 'decks, which is empty'}"
        )
    return Header(config, decks, active, seats)


def _deck(where: str, item: object) -> Deck:
    if not isinstance(item, Mapping) or not is_text(item.get("id"), entries.MAX_NAME):
        raise _Wrong(
            f'{where} = {shown(item)}: must be {{"id": a text, "cards": {{uid: card}}, "jokers": [uid]}}'
        )
    cards = item.get("cards")
    if not isinstance(cards, Mapping):
        raise _Wrong(f"{where}.cards = {shown(cards)}: must be an object of tag UIDs and their cards")
    jokers = _list(item, f"{where}.", "jokers") if "jokers" in item else []
    known: dict[str, str] = {}
    for given, token in [*cards.items(), *((uid, "joker") for uid in jokers)]:
        uid = normal_uid(given) if isinstance(given, str) else None
        if uid is None:
            raise _Wrong(f"{where}: tag UID {shown(given)}: must be hex, such as E004015012345601")
        if uid in known:
            raise _Wrong(f"{where}: tag UID {uid} stands there twice: each tag is one card")
        if not is_text(token, entries.MAX_NAME):
            raise _Wrong(f"{where}: card of tag UID {uid} = {shown(token)}: must be a card name or a token")
        known[uid] = token
    enrolled = list(known)
    split = len(cards)
    return Deck(item["id"], {uid: known[uid] for uid in enrolled[:split]}, frozenset(enrolled[split:]))


# --- reading ------------------------------------------------------------------------------------------------


def read(
    source: Path | IO[str] | IO[bytes], *, strict: bool = False, report: Report = _silent
) -> tuple[Header, Iterator[Sensed]]:
    """The recording's first line and, as they are asked for, its events in order of `t`.

    Raises RecordingError if the file cannot be read or its first line is broken, and with `strict` at the
    first malformed line (from the iterator); its text starts with the line number. Otherwise `report` gets
    each fault.
    """
    lines = _numbered(source)
    line, first = next(lines, (1, b""))
    try:
        if not first.strip():
            raise _Wrong("the recording is empty: its first line must be the header")
        head = _header(_json(first.removeprefix(b"\xef\xbb\xbf")), lambda text: report(line, text))
    except _Wrong as wrong:
        raise RecordingError(f"line {line}: {wrong}") from None
    return head, _events(lines, head, strict=strict, report=report)


def from_objects(
    first: object, objects: Iterable[object], *, strict: bool = False, report: Report = _silent
) -> tuple[Header, Iterator[Sensed]]:
    """As `read`, from lines that are objects already: a night out of a journal."""
    head = read_header(first, report=report)
    return head, _events(enumerate(objects, start=2), head, strict=strict, report=report)


def _events(
    lines: Iterable[tuple[int, object]], head: Header, *, strict: bool, report: Report
) -> Iterator[Sensed]:
    order = Order(antennas_of(head.config), report, strict=strict)
    for line, text in lines:

        def tell(what: str, line: int = line) -> None:
            report(line, what)

        try:
            obj = _json(text) if isinstance(text, bytes) else text
            event = _event(obj, head.seats, tell)
        except _Wrong as wrong:
            if strict:
                raise RecordingError(f"line {line}: {wrong}") from None
            tell(f"{wrong}; skipped")
            continue
        yield from order.take(line, event)
    order.end()


def _no_constant(name: str) -> Any:
    raise _Wrong(f"{name} is no number: JSON has no such value")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Wrong(f"{shown(twice)} stands twice in one object: once would be right")
    return made


def _json(raw: bytes) -> object:
    """The line's object. Raises _Wrong for anything that is not one JSON value in UTF-8."""
    if len(raw) > MAX_LINE:
        raise _Wrong(f"longer than {MAX_LINE} bytes: no line of a recording is")
    cut = "" if raw.endswith(b"\n") else " and ends without a newline (cut off by a power loss?)"
    if b"\0" in raw:
        raise _Wrong(f"holds NUL bytes{cut} (a block that a power loss emptied?): must be one JSON object")
    try:
        return json.loads(raw.decode(), parse_constant=_no_constant, object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise _Wrong(f"is not UTF-8 at byte {error.start}{cut}: must be one JSON object") from None
    except json.JSONDecodeError as error:
        raise _Wrong(
            f"is not JSON at column {error.colno}{cut}: {error.msg}; must be one JSON object"
        ) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets thousands deep
        raise _Wrong(f"is not sensible JSON{cut}: must be one JSON object of plain size") from None


def _numbered(source: Path | IO[str] | IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; an over-long one is cut."""
    try:
        with _binary(source) as stream:
            number = 0
            while raw := stream.readline(MAX_LINE + 1):
                number += 1
                rest = raw
                while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
                    rest = stream.readline(MAX_LINE + 1)
                if raw.strip():
                    yield number, raw
    except OSError as error:
        name = source if isinstance(source, Path) else getattr(source, "name", "the recording")
        raise RecordingError(f"{name}: cannot be read: {error.strerror}") from None


@contextlib.contextmanager
def _binary(source: Path | IO[str] | IO[bytes]) -> Iterator[IO[bytes]]:
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield stream
    elif isinstance(source, io.TextIOBase):
        buffer = getattr(source, "buffer", None)
        yield buffer if buffer is not None else io.BytesIO(source.read().encode(errors="surrogatepass"))
    else:
        yield source  # type: ignore[misc]  # what is neither a path nor a text stream gives bytes
