"""What leaves the house with a bundle, and what does not.

Owns: `Filter`, which takes secrets, cards and whole UIDs out of text, and the configuration as it may be shown.
Refuses: what else is in a bundle (`bundle`).

A configuration is shown by what is known, not by what is forbidden: a key that tablectl does not know may hold
anything, so its value never leaves. What was found secret in the configuration is taken out of every other file, too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tablectl.app.log import discreet, without_hex
from tablectl.cards import FACES
from tablectl.config import KEYS, LISTS, SECTIONS
from tablectl.config.model import CalibrationSection

HIDDEN = "(removed)"
_FACE = re.compile(rf"(?<![0-9A-Za-z])(?:{'|'.join(FACES)})(?![0-9A-Za-z])")
_LOGIN = re.compile(r"(?<=://)([^/\s@\"']+)@")
_QUERY = re.compile(r"(?<=[a-z0-9/])\?[^\s\"']+")
_SPOKEN = re.compile(
    r"(?i)((?<![a-z0-9])(?:[a-z0-9]+[_-])*"
    r"(?:pass(?:word|wd|phrase|code|key)?s?|pwd|secret|token|credentials?|authorization|cookie|psk|"
    r"(?:api|private|access|shared)[_-]?key|pin(?:[_ -]?code)?))"
    r"(\\?[\"']?\s*(?:[=:]|\bis\b)\s*)"
    r"(\\?\"[^\"\n]*\"?|'[^'\n]*'?|[^\"\n]+)"
)
"""A secret that is named: without quotes it may have several words, so all that follows in its line goes."""
_PAIRS = re.compile(
    r"(?<![0-9A-Za-z])(?:(?:0x)?[0-9A-Fa-f]{2}(?:[: -]|, ?)){3,}(?:0x)?[0-9A-Fa-f]{2}(?![0-9A-Za-z])"
)
"""A UID as other programs spell it; addresses of network cards go with it."""
_BYTES = re.compile(r"\bb(\\*['\"])(?:(?!\1)[^\n])*\\x[^\n]*?\1")
_ESCAPED = re.compile(r"\\+x[0-9A-Fa-f]{2}[^\s\"']*")
_NUMBERS = re.compile(r"(?<=[\[(])(?:\d{1,3}, ?){3,9}\d{1,3}(?=[\])])")
"""Bytes as Python writes them: b'…', \\x…, and lists of numbers. They may be a UID, and nobody needs others."""
_PRIVATE = frozenset({"names", "button_tags"})
"""Keys whose values are people, or tags: only how many there are is told."""
LEAST = 4
"""A shorter secret would be found in every second word."""


class Filter:
    """Takes out of a text what nobody outside the house may read. `known`: UIDs; `secrets`: what is removed wherever it
    stands; `words`: names and tokens, which are removed where they stand alone, for a short one is in many a word."""

    def __init__(
        self, known: Collection[str] = (), secrets: Iterable[str] = (), words: Iterable[str] = ()
    ) -> None:
        self._known = known
        self._secrets = sorted((each for each in secrets if len(each) >= LEAST), key=len, reverse=True)
        alone = sorted({each for each in words if each.strip()}, key=len, reverse=True)
        # Al and Bo begin with a capital: `al` and `bo` are other words, while Anna may be shouted.
        spelt = "|".join(
            re.escape(each) if len(each) < LEAST else f"(?i:{re.escape(each)})" for each in alone
        )
        self._words = re.compile(rf"(?<!\w)(?:{spelt})(?!\w)") if alone else None

    def __call__(self, text: str) -> str:
        """The text, safe."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        if self._words is not None:
            text = self._words.sub(HIDDEN, text)
        text = _LOGIN.sub(f"{HIDDEN}@", text)
        text = _SPOKEN.sub(rf"\1\2{HIDDEN}", text)
        for spelling in (_BYTES, _ESCAPED, _NUMBERS):
            text = spelling.sub("…", text)
        text = _PAIRS.sub(lambda found: f"…{found[0][-2:]}", text)
        return _FACE.sub("…", without_hex(discreet(text, self._known)))


class Open:
    """The filter switched off, to prove that a scan of a bundle finds what the filter takes out."""

    def __call__(self, text: str) -> str:
        """The text as it is."""
        return text


def filter_of(file: Path | None) -> Filter:
    """The filter for a table: its decks' tags and tokens, as far as they can be read, and its secrets."""
    data = _read(file)
    tags: set[str] = set()
    tokens: set[str] = set()
    for deck in _list(data.get("deck")):
        known, named = _deck(file, deck)
        tags, tokens = tags | known, tokens | named
    table = data.get("table")
    names = table.get("names") if isinstance(table, dict) else None
    people = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    secrets = _secrets(data)
    return Filter(tags, {each for each in secrets if not each.isdecimal()}, {*people, *tokens, *secrets})


def shown(file: Path) -> Any:
    """The configuration as it may be shown; of a file that is no TOML only that it is none."""
    data = _read(file)
    if not data:
        return "(this file is no TOML)"
    return {key: _shown(key, value) for key, value in data.items()}


def _shown(key: str, value: Any) -> Any:
    if key in SECTIONS and isinstance(value, dict):
        return _section(SECTIONS[key], value)
    if key in LISTS and isinstance(value, list):
        return [_section(LISTS[key], each) if isinstance(each, dict) else HIDDEN for each in value]
    if key == KEYS and isinstance(value, dict):
        return value
    return HIDDEN


def _section(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in given.items():
        if key not in model.model_fields:
            out[key] = HIDDEN
        elif key in _PRIVATE:
            out[key] = f"({len(value)} of them)" if isinstance(value, list) else HIDDEN
        elif key == "calibration" and isinstance(value, dict):
            figures = {n: each for n, each in value.items() if isinstance(each, dict)}
            out[key] = {n: _section(CalibrationSection, each) for n, each in figures.items()}
        else:
            out[key] = _plain(value)
    return out


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _QUERY.sub("", _LOGIN.sub(f"{HIDDEN}@", value)) if "://" in value else value
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _secrets(data: Mapping[str, Any]) -> set[str]:
    """The words that stand where nothing may be shown: under unknown keys, in logins and queries of addresses."""
    found: set[str] = set()
    for key, value in data.items():
        model = SECTIONS.get(key) or LISTS.get(key)
        if model is None:
            found |= set() if key == KEYS else set(_words(value))
            continue
        for section in value if isinstance(value, list) else [value]:
            known = model.model_fields if isinstance(section, dict) else {}
            for name, each in section.items() if isinstance(section, dict) else [("", section)]:
                found |= set(_words(each)) if name not in known else _in_addresses(_words(each))
    return found


def _in_addresses(words: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for word in words:
        for login in _LOGIN.findall(word) if "://" in word else ():
            found |= {login, *login.split(":")}
        for query in _QUERY.findall(word) if "://" in word else ():
            found |= {part.partition("=")[2] for part in query[1:].split("&")}
    return found


def _words(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif type(value) is int and value >= 10 ** (LEAST - 1):
        yield str(value)
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _words(each)


def _read(file: Path | None) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig")) if file is not None else {}
    except (OSError, ValueError):
        return {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _deck(file: Path | None, section: Any) -> tuple[set[str], set[str]]:
    """The tags and the tokens of one deck, also of one that is not fit for a game. Faces have a rule of their own."""
    name = section.get("file") if isinstance(section, dict) else None
    if file is None or not isinstance(name, str):
        return set(), set()
    data = _read(file.absolute().parent / name)
    cards, jokers = data.get("cards"), data.get("jokers")
    cards = cards if isinstance(cards, dict) else {}
    tags = {word.upper() for word in (*cards, *_words(jokers)) if len(word) >= 2 * LEAST}
    return tags, {word for word in _words(list(cards.values())) if word not in FACES}
