"""House files: a rulebook that inherits another one and says only what the house does otherwise.

    inherit = "pl"                       # the name of a book, or the path of a file
    remove = ["PL-07.8.a"]               # here the house calls the floor: `ID`, `ID (variant)`, `ID ()` without one
    [book]                               # a name of its own; what is not said is inherited
    [parameters] [predicates] [remedies] # by name
    [[rule]]                             # an id (and variant) of the inherited book: only the keys that differ
    [[rule]]                             # an id of the house's own: a whole rule, before the inherited ones
    [[silent]]                           # before the inherited ones

Owns: how the content of two files becomes that of one, and what can be wrong with a house file as such.
Refuses: reading files (`tablectl.rulebooks`), and whether the result is a book (`core.rulebook`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablectl.core.schema import nearest
from tablectl.errors import ABSENT, Fault, RulebookError
from tablectl.said import Said

_BY_NAME = ("parameters", "predicates", "remedies", "statements")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """What a file says, with all it inherits. `origins` tells of each rule from which book it is, None: its own."""

    data: Mapping[str, Any]
    origins: tuple[str | None, ...] = ()


def inherit(parent: Content, child: Mapping[str, Any], file: str) -> Content:
    """The content of the house file `child`, on the ground of the book that it inherits.

    Raises RulebookError with every fault of the house file as such: no name of its own, a rule to be removed
    that is not there, a variant that is not there, the same rule twice.
    """
    house = _House(parent, child, file)
    content = house.content()
    if house.faults:
        raise RulebookError("\n".join(map(str, house.faults)))
    return content


class _House:
    def __init__(self, parent: Content, child: Mapping[str, Any], file: str) -> None:
        self.parent, self.child, self.file = parent, child, file
        self.book = str(_table(parent.data, "book").get("name", "the inherited book"))
        self.faults: list[Fault] = []
        self.removed: set[tuple[str, Any]] = set()

    def content(self) -> Content:
        data = {key: value for key, value in self.child.items() if key not in ("inherit", "remove")}
        own = self.child.get("book", {})
        if not isinstance(own, Mapping) or "name" not in own:
            self._fault("book.name", ABSENT, "is missing: a house file has a name of its own")
        if isinstance(own, Mapping):
            data["book"] = {**_table(self.parent.data, "book"), **own}
        for key in _BY_NAME:
            if isinstance(data.get(key, {}), Mapping):
                data[key] = {**_table(self.parent.data, key), **data.get(key, {})}
        rows, origins = self._rules()
        data["rule"] = rows
        if isinstance(data.get("silent", []), list):
            data["silent"] = [*data.get("silent", []), *self.parent.data.get("silent", []), *self._silence()]
        self._account_for_removed(data, rows)
        return Content(data, tuple(origins))

    def _silence(self) -> list[Row]:
        """What was ruled by a removed rule is silence now, and that is said."""
        return [
            {"kinds": row["kinds"], "hint": Said("this house has taken out {rule}", rule=_shown(key))}
            for row in self.parent.data.get("rule", [])
            if (key := _key(row)) in self.removed and key is not None
        ]

    def _rules(self) -> tuple[Any, list[str | None]]:
        own = self.child.get("rule", [])
        if not isinstance(own, list):
            return own, []
        inherited: list[Row] = list(self.parent.data.get("rule", []))
        origins = self.parent.origins or (None,) * len(inherited)
        changes: dict[tuple[str, Any], Row] = {}
        fresh: list[Any] = []
        for row in own:
            key = _key(row)
            if key is None or not any(each.get("id") == key[0] for each in inherited):
                fresh.append(row)
            elif key not in map(_key, inherited):
                self._fault(f"rule {key[0]}: variant", key[1] or ABSENT, self._variants(key[0], inherited))
            elif key in changes:
                self._fault(f"rule {_shown(key)}", ABSENT, "is there twice")
            else:
                changes[key] = row
        self.removed = self._removed(inherited)
        kept = [
            (_changed(row, changes.get(_key(row) or ("", None))), origin or self.book)
            for row, origin in zip(inherited, origins, strict=True)
            if _key(row) not in self.removed
        ]
        return [*fresh, *(row for row, _ in kept)], [None] * len(fresh) + [origin for _, origin in kept]

    def _removed(self, inherited: Sequence[Row]) -> set[tuple[str, Any]]:
        names = self.child.get("remove", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self._fault("remove", names, 'must be a list of rules, such as ["PL-07.8.a"]')
            return set()
        keys = [key for key in map(_key, inherited) if key is not None]
        found: set[tuple[str, Any]] = set()
        for name in names:
            hits = {key for key in keys if name in (key[0], _shown(key), f"{key[0]} ({key[1] or ''})")}
            if not hits:
                near = nearest(name, [*{key[0] for key in keys}, *map(_shown, keys)])
                self._fault("remove", name, f"{self.book} has no such rule;{near or ' see `rules show`'}")
            found |= hits
        return found

    def _variants(self, ident: str, inherited: Sequence[Row]) -> str:
        known = [str(row.get("variant") or "(none)") for row in inherited if row.get("id") == ident]
        return f"{self.book} has {ident} with the variants: {'; '.join(known)}; a rule of your own has its own id"

    def _account_for_removed(self, data: dict[str, Any], rows: Any) -> None:
        """A statement whose rule the house took out is named as such, so that nothing is lost from sight."""
        if not isinstance(rows, list) or not isinstance(data.get("statements"), Mapping):
            return
        left = {key[0] for key in map(_key, rows) if key is not None}
        gone = {row["id"] for row in self.parent.data.get("rule", []) if row["id"] not in left}
        data["statements"] = {
            **dict.fromkeys(sorted(gone), f"house: removed by {self.file}"),
            **data["statements"],
        }

    def _fault(self, key: str, value: object, right: str) -> None:
        self.faults.append(Fault(self.file, key, value, right))


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    return value if isinstance(value, Mapping) else {}


def _key(row: Any) -> tuple[str, Any] | None:
    """What names a rule: its id and its variant."""
    if isinstance(row, Mapping) and isinstance(row.get("id"), str):
        return row["id"], row.get("variant")
    return None


def _shown(key: tuple[str, Any]) -> str:
    return f"{key[0]} ({key[1]})" if key[1] else key[0]


def _changed(row: Row, change: Row | None) -> Row:
    """The inherited rule with the keys of the house. A verdict and `joins` exclude one another."""
    if change is None:
        return row
    dropped = {"joins"} if "verdict" in change else {"verdict", "steps"} if "joins" in change else set()
    return {**{key: value for key, value in row.items() if key not in dropped}, **change}
