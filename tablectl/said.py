"""A sentence for the dealer that remembers how it was put together.

Owns: `Said`, a text in English that also carries its message id and its values, so that a display can say the
same in the table's language. Refuses: translating (the page does, from `tablectl.locale`).

It is an ordinary text for everybody else: a log, a journal, an exception's message. What has values of its own
(a port, a reason) is named in braces; a value that is itself a `Said` is translated too, any other one stays as it
is. Write the message as a literal, here and nowhere else: `make messages` reads it from the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Said(str):
    """`Said("reader {reader} is lost", reader=1)`: equal to, and usable as, "reader 1 is lost"."""

    id: str
    values: Mapping[str, object]

    def __new__(cls, message: str, /, **values: object) -> Said:
        """The message with its values in place; KeyError if it names one that is not given."""
        self = super().__new__(cls, message.format(**values) if values else message)
        self.id, self.values = message, values
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.id,), dict(self.values)

    def as_json(self) -> list[Any]:
        """[message id, {name: value}]; a value that is a `Said` is written in the same way."""
        return [self.id, {name: _plain(value) for name, value in self.values.items()}]


def say(text: str | None) -> dict[str, list[Any]]:
    """What goes beside a text in JSON so that it can be translated: {"say": …}, or nothing for a plain text."""
    return {"say": text.as_json()} if isinstance(text, Said) else {}


def said_by(error: BaseException) -> str:
    """An error's message as it was raised, a `Said` if it was one."""
    first = error.args[0] if len(error.args) == 1 else None
    return first if isinstance(first, Said) else str(error)


def _plain(value: object) -> object:
    return value.as_json() if isinstance(value, Said) else str(value)
