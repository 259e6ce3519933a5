"""What each role may see and enter at a display that is open to a network.

Owns: the one table of rights, and the visitor of a request. Refuses: how a visitor proves his role (`doorkeeper`), and
what an input means.

What is not named here is refused: a route that is added is closed to every role until somebody decides. The table's own
screen on loopback comes in as TABLE, which may everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tablectl.core.entries import INPUTS, MAX_NAME
from tablectl.errors import UsageError
from tablectl.said import Said

COMMON = ("/static/", "/healthz")
"""What every role may fetch: the pages' files, and whether the table is well. A path that ends in / means all below."""
TABLE_PATHS = ("/", "/events", "/state")
WORKSHOP = "/technician"


@dataclass(frozen=True, slots=True)
class Rights:
    """What one role may."""

    home: str
    """The page that it gets after signing in."""
    sees: tuple[str, ...]
    enters: frozenset[str]
    """The inputs of the contract that it may enter."""


ROLES: Mapping[str, Rights] = MappingProxyType(
    {
        # To overrule the table is the floor's; at the table itself the floor does so on the table's own screen.
        "dealer": Rights("/", (*COMMON, *TABLE_PATHS, "/input", "/front"), frozenset(INPUTS) - {"override"}),
        "floor": Rights(
            "/", (*COMMON, *TABLE_PATHS, "/input"), frozenset({"answer", "override", "note", "call_floor"})
        ),
        "technician": Rights(
            WORKSHOP,
            (*COMMON, WORKSHOP, f"{WORKSHOP}/state", f"{WORKSHOP}/events", f"{WORKSHOP}/test", "/metrics"),
            frozenset(),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who makes a request: a role of ROLES and the name of the token, or the table's own screen, without either."""

    role: str | None = None
    name: str = ""

    def may_see(self, path: str) -> bool:
        """Whether this visitor gets an answer from that path at all."""
        if self.role is None:
            return True
        sees = ROLES[self.role].sees
        return path in sees or any(
            each != "/" and each.endswith("/") and path.startswith(each) for each in sees
        )

    def signed(self, given: dict[str, Any]) -> dict[str, Any]:
        """The input as it is entered: from a network always with the name of the token, whoever else is named.

        Raises UsageError, with a text for the visitor, if his role may not enter it.
        """
        if self.role is None:
            return given
        if given["do"] not in ROLES[self.role].enters:
            raise UsageError(Said("this sign-in may not enter that"))
        who, mark = given.get("who"), f"[{self.name}]"
        if isinstance(who, str) and who.strip():
            mark = f"{who[: MAX_NAME - len(mark) - 1]} {mark}"
        elif who is not None:
            return given  # the table will say what is wrong with it
        return {**given, "who": mark}


TABLE = Visitor()
"""The table's own screen, and whatever else runs on the table computer."""
