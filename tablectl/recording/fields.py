"""The values in a line of a recording, and the error that carries what is wrong with one.

Owns: what a number, a choice or a list must be, in words; names that this version does not know. Refuses: which fields
a line has (`event`, `first`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any

from tablectl.core.entries import shown, whole

MAX_T = 1 << 53
"""Highest `t`, ms: the largest whole number that every JSON reader keeps exactly."""
MAX_NUMBER = 255
"""Highest number of a reader or an antenna: one byte on the wire."""

Report = Callable[[int, str], None]
"""Told of each line that is wrong: its number, counted from 1, and what is wrong with it."""


class Wrong(Exception):  # noqa: N818 - carries the text until the line number is known
    """What is wrong with one line."""


def silent(_line: int, _text: str) -> None:
    """Reports to nobody."""


def natural(value: object, what: str, high: int = MAX_NUMBER) -> int:
    """A whole number from 0 on; `what` names it. Raises Wrong, as all of these do."""
    if type(value) is int and 0 <= value <= high:  # the common case, once per tag of every sweep
        return value
    known = whole(value)
    if known is None or not 0 <= known <= high:
        raise Wrong(f"{what} = {shown(value)}: must be a whole number from 0 to {high}")
    return known


def number(body: Mapping[str, Any], where: str, name: str, high: int = MAX_NUMBER) -> int:
    """The number in the field `name`; `where` stands before the name in what is wrong."""
    if name not in body:
        raise Wrong(f"{where}{name} is missing: must be a whole number from 0 to {high}")
    return natural(body[name], where + name, high)


def choice(body: Mapping[str, Any], where: str, name: str, choices: tuple[str, ...]) -> Any:
    """One of these words."""
    value = body.get(name)
    if not isinstance(value, str) or value not in choices:
        raise Wrong(f"{where}{name} = {shown(value)}: must be one of {', '.join(choices)}")
    return value


def listed(body: Mapping[str, Any], where: str, name: str) -> list[Any]:
    """A list of whatever."""
    value = body.get(name)
    if not isinstance(value, list):
        is_what = f"= {shown(value)}" if name in body else "is missing"
        raise Wrong(f"{where}{name} {is_what}: must be a list")
    return value


def tell_unknown(body: Mapping[str, Any], known: Set[str], where: str, tell: Callable[[str], None]) -> None:
    """Names that a later version may have added are told, and ignored."""
    for name in sorted(body.keys() - known):
        tell(f"{shown(where + name)}: this version does not know it; ignored")
