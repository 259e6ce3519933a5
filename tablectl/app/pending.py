"""Inputs that speak of something the table has open: a question, an irregularity.

Owns: telling a dealer whose page, or whose floor, is a moment behind. Refuses: every other input, and what an
answer means (`core`). A replay takes such an input as it was: the core lets it change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablectl.core.sensed import Entry
from tablectl.errors import UsageError
from tablectl.said import Said

SPEAKS_OF_OPEN = frozenset({"answer", "override"})


def must_be_open(entry: Entry, irregularities: Sequence[Mapping[str, Any]]) -> None:
    """Raises UsageError if the entry answers or overrules what is not open in `Table.view()["irregularities"]`."""
    if entry.do == "answer":
        asked = [each["question"] for each in irregularities if each["question"] is not None]
        given = entry.args["question"]
        if not any(given in {each["id"], each["fact"]} for each in asked):
            names = ", ".join(f"{each['id']} ({each['fact']})" for each in asked)
            raise UsageError(
                Said(
                    "question {given} is not open; open now: {names}",
                    given=repr(given),
                    names=names or Said("no question"),
                )
            )
    elif entry.do == "override":
        given = entry.args["irregularity"]
        stages = {each["id"]: each["stage"] for each in irregularities}
        if given not in stages:
            names = ", ".join(stages) or Said("no irregularity")
            raise UsageError(
                Said("irregularity {given} is not open; open now: {names}", given=repr(given), names=names)
            )
        if stages[given] != "confirmed":
            raise UsageError(
                Said(
                    "irregularity {given} is not confirmed yet; there is nothing to overrule",
                    given=repr(given),
                )
            )
