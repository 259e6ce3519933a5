"""Reading a TOML file so that everything wrong with it can be told in one go.

Owns: bytes → TOML table, and the words of a fault: its key path, the value shortened to one line, the nearest
name that would have been right.
Refuses: what the keys of a table configuration or of a deck mean (`config.model`, `config.decks`, `config`).
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from tablectl.errors import ABSENT, Fault

MAX_BYTES = 1 << 20
"""A larger file is no table configuration and no deck: a deck of 52 cards takes 2 KiB."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_POSITION = re.compile(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
_KEY_AND_VALUE = re.compile(
    r"""([A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*=[ \t]*"""
    r"""("[^"\n]*"|'[^'\n]*'|\[[^][]*]|\{[^{}]*}|[^][,{}\n"']*)$"""
)
_AGAIN = "\0again\0"
"""Opens the key under which the second of two equal keys is kept until it is reported; no TOML key of a
person begins with NUL."""


class TomlFile:
    """One TOML file as read: its data, and the faults of its text."""

    def __init__(self, path: Path, shown: str) -> None:
        self.shown = shown
        self.faults: list[Fault] = []
        self.data: dict[str, Any] | None = None
        text = self._text(path)
        if text is not None:
            self._parse(text)

    def _refuse(self, right: str, key: str = "", value: object = ABSENT) -> None:
        self.faults.append(Fault(self.shown, key, value, right))

    def _text(self, path: Path) -> str | None:
        try:
            with path.open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            self._refuse("no such file")
        except IsADirectoryError:
            self._refuse("this is a directory; name a TOML file")
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            why = error.strerror if isinstance(error, OSError) else str(error)
            self._refuse(f"cannot be read: {why}")
        else:
            if len(raw) > MAX_BYTES:
                self._refuse(f"larger than {MAX_BYTES >> 20} MiB, so not the TOML file that belongs here")
                return None
            return self._decoded(raw)
        return None

    def _decoded(self, raw: bytes) -> str | None:
        try:
            return raw.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            before = raw[: error.start]
            line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
            where, byte = f"line {line}, column {column}", f"byte 0x{raw[error.start]:02x}"
            self._refuse(f"{byte} is not UTF-8; save the file in UTF-8", where)
            return None

    def _parse(self, text: str) -> None:
        """Parse; a key that stands twice is reported with the other faults, not instead of them."""
        original = text
        for _ in range(100):
            try:
                self.data = tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                mended = _set_aside(text, str(error))
                if mended is None:
                    self._syntax(original, str(error))
                    return
                text = mended
            except RecursionError:
                self._refuse("not TOML that belongs here: nested too deeply")
                return
            except ValueError as error:  # a number of thousands of digits
                self._refuse(f"not TOML that belongs here: {error}")
                return
            else:
                self._report_repeated(self.data, "")
                return
        self._refuse("too many keys stand twice")

    def _syntax(self, text: str, message: str) -> None:
        found = _POSITION.fullmatch(message)
        what = found[1] if found else message
        lines = text.split("\n")
        line, column = len(lines), len(lines[-1]) + 1
        if found and found[2]:
            line = int(found[2])
            column = min(int(found[3]), len(lines[line - 1]) + 1)  # a key set aside before lengthens its line
        self._refuse(f"not TOML: {what}", f"line {line}, column {column}", shortened(lines[line - 1].strip()))

    def _report_repeated(self, node: Any, path: str) -> None:
        """Take the set-aside keys out of the data again; each one is a fault."""
        if isinstance(node, list):
            for number, item in enumerate(node):
                self._report_repeated(item, f"{path}[{number}]")
            return
        if not isinstance(node, dict):
            return
        for key in [key for key in node if key.startswith(_AGAIN)]:
            line, name = key[len(_AGAIN) :].split("\0", 2)[1:]
            value = node.pop(key)
            first = f"; the first says {shortened(node[name])!r}" if name in node else ""
            what = f"antenna {name} is mapped twice" if path.endswith("antennas") else f"{name} stands twice"
            self._refuse(
                f"{what} (again in line {line}){first}; keep one of the two",
                joined(path, name),
                shortened(value),
            )
        for key, item in node.items():
            self._report_repeated(item, joined(path, key))


def _set_aside(text: str, message: str) -> str | None:
    """The text with the second of two equal keys renamed; None if the message is about something else."""
    if not message.startswith(("Duplicate inline table key", "Cannot overwrite a value")):
        return None
    found = _POSITION.fullmatch(message)
    if found is None:
        return None
    end = len(text)
    if found[2]:
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        end = starts[int(found[2]) - 1] + int(found[3]) - 1
    pair = _KEY_AND_VALUE.search(text, max(0, end - 2000), end)
    if pair is None:
        return None
    name = pair[1].strip("\"'")
    line = text.count("\n", 0, pair.start()) + 1
    aside = json.dumps(f"{_AGAIN}{pair.start()}\0{line}\0{name}")
    return text[: pair.start()] + aside + text[pair.end(1) :]


def joined(path: str, key: str) -> str:
    """The path of a key inside the table at `path`: `panel.buttons`, `reader[0].antennas.3`."""
    name = key if _BARE_KEY.fullmatch(key) else json.dumps(key)
    return f"{path}.{name}" if path else name


def shortened(value: object, limit: int = 80) -> object:
    """The value, or the beginning of its text where it would not fit on a line."""
    text = repr(value)
    return value if len(text) <= limit else text[: limit - 1] + "…"


def nearest(word: str, known: Iterable[str], before: str = "") -> str:
    """` Did you mean 'seats'?` after the punctuation `before`, or nothing if no known word is near."""
    near = difflib.get_close_matches(word[:200], list(known), n=1, cutoff=0.6)
    return f"{before} Did you mean {near[0]!r}?" if near else ""


def listed(words: Iterable[str]) -> str:
    """The words as a reader wants them: `a, b or c`."""
    *head, last = words
    return f"{', '.join(head)} or {last}" if head else last


def shape_faults(model: type[BaseModel], data: dict[str, Any], shown: str, path: str) -> list[Fault]:
    """Every way in which `data` misses the shape of `model`; a field's description says what is right."""
    try:
        model.model_validate(data)
    except ValidationError as error:
        return [_shape_fault(model, data, shown, path, each["type"], each["loc"]) for each in error.errors()]
    return []


def _shape_fault(
    model: type[BaseModel], data: Any, shown: str, path: str, kind: str, loc: tuple[int | str, ...]
) -> Fault:
    """One of pydantic's errors in our words: walk down `loc` in the model and in the data side by side."""
    within: type[BaseModel] | None = model
    right = more = ""
    for depth, part in enumerate(loc):
        if isinstance(part, int):
            path, data = f"{path}[{part}]", data[part]
            continue
        path = joined(path, part)
        fields = within.model_fields if within else {}
        if kind == "extra_forbidden" and depth == len(loc) - 1:
            return Fault(shown, path, shortened(data[part]), unknown_key(part, fields))
        field = fields.get(part)
        if field is not None:
            right = field.description or ""
            inner = field.annotation
            within = inner if isinstance(inner, type) and issubclass(inner, BaseModel) else None
            more = _near_word(inner, data.get(part), field.json_schema_extra)
        if kind == "missing" and depth == len(loc) - 1:
            return Fault(shown, path, ABSENT, f"is missing; it must be {right}")
        data = data[part] if isinstance(data, dict) and part in data else data
    return Fault(shown, path, shortened(data), f"must be {right}{more}")


def _near_word(choices: Any, value: object, extra: Any) -> str:
    """A hint for a word that is not one of a Literal's choices: the nearest one, or that it comes later."""
    if not isinstance(value, str):
        return ""
    if isinstance(extra, dict) and value in extra.get("later", ()):
        return f"; {value} is not supported by this version yet"
    return nearest(value.lower(), (word for word in get_args(choices) if isinstance(word, str)), ".")


def unknown_key(key: str, known: Iterable[str]) -> str:
    """What to say of a key that nobody reads."""
    names = list(known)
    return f"is not a known key.{nearest(key, names)} Known here: {', '.join(names)}"
