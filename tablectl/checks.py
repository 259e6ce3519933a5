"""Which checks a table cannot make, because of what it has: antennas, betting mode, confirmations.

Owns: the list of checks that are off for good, each with its reason in English, so that what is off is shown.
Refuses: checks that are suspended for a while because a reader or an antenna fails (`core` decides that).
"""

from __future__ import annotations

from collections.abc import Collection

from tablectl.layout import BOARD, BOARD_STREETS, BURN, MUCK, SHOE

_BOARD_CHECKS = (
    "premature_card",
    "too_many_board_cards",
    "too_few_board_cards",
    "burn_missing",
    "burn_extra",
)


def checks_off(zones: Collection[str], betting: str, confirms: Collection[str]) -> dict[str, str]:
    """Kind of irregularity → why this table cannot see it. `zones` are those that have an antenna.

    `boxed_card` and `untagged_card` also need the optical sensor at the shoe mouth; a board says in its HELLO
    whether it has one, so that is known only when the table runs.
    """
    zones = set(zones)
    board = zones & {BOARD, *BOARD_STREETS}
    reasons = (
        ("shuffle" not in confirms, "the shuffle need not be confirmed", ("not_shuffled",)),
        ("cut" not in confirms, "the cut need not be confirmed", ("not_cut",)),
        (SHOE not in zones, "no antenna at the shoe", ("boxed_card", "untagged_card")),
        (not board, "no antenna at the board", _BOARD_CHECKS),
        (BURN not in zones, "no antenna at the burn", ("burn_missing", "burn_extra")),
        (MUCK not in zones, "no antenna at the muck", ("hand_mucked",)),
        (
            betting != "actions",
            f"betting = {betting}: folds are not entered",
            ("hand_mucked", "dealt_after_end"),
        ),
        (betting == "none", "betting = none: the end of a round is not entered", ("premature_card",)),
    )
    off: dict[str, str] = {}
    for applies, why, kinds in reasons:
        if applies:
            off |= {kind: why for kind in kinds if kind not in off}
    return off


def notes(zones: Collection[str]) -> list[str]:
    """What else is different at a table without these antennas, a sentence each."""
    said = []
    if SHOE not in zones:
        said.append("no antenna at the shoe: the order of the deal comes from the seats alone")
    board = [zone for zone in BOARD_STREETS if zone in zones]
    if BOARD not in zones and board and len(board) < len(BOARD_STREETS):
        missing = ", ".join(zone for zone in BOARD_STREETS if zone not in zones)
        said.append(f"no antenna at {missing}: cards there are not seen")
    return said
