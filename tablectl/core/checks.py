"""Which checks a table cannot make at all, because of what it has: antennas, betting mode, confirmations.

Owns: the list of checks that are off for good, each with its reason, so that what is off is shown.
Refuses: checks that are suspended for a while because a reader or an antenna fails (`core.sightings`).
"""

from __future__ import annotations

from collections.abc import Collection

from tablectl.core.games import GAMES, Game
from tablectl.core.settings import CHECKS_OF_ZONE
from tablectl.layout import ASIDE, BOARD, BOARD_STREETS, SHOE, is_up

_NEEDS_EVERY_ZONE = frozenset({"hand_mucked", "card_lost"})
"""Checks that rest on several kinds of zone at once; the others are carried by any zone that lists them."""

_OF_SEATS_IN_STUD = frozenset({"premature_card", "dealt_after_end"})
"""Checks of the board that stud, which has none, makes at the seats."""
OPTICAL = frozenset({"boxed_card", "untagged_card"})
"""Checks that rest on what the optical sensor at the mouth of the shoe sees go by."""


def checks_off(
    zones: Collection[str],
    betting: str,
    confirms: Collection[str],
    game: Game = GAMES["holdem"],
    *,
    asks_of_order: bool = False,
) -> dict[str, str]:
    """Kind of irregularity → why this table cannot see it in that game. `zones` are those that have an antenna.

    `asks_of_order`: the dealer is asked about the shuffle if the cards come in the order of the last pick-up.

    `boxed_card` and `untagged_card` also need the optical sensor at the shoe mouth; a board says in its HELLO
    whether it has one, so that is known only when the table runs.
    """
    stud = game.to_seats
    present = {zone.partition(":")[0] for zone in zones}
    carried = {check for zone in present for check in CHECKS_OF_ZONE.get(zone, ())} - _NEEDS_EVERY_ZONE
    if stud:
        carried |= _OF_SEATS_IN_STUD
    reasons = [
        (stud, f"{game.name} has no board", ("too_many_board_cards", "too_few_board_cards")),
        (not game.has_button, f"{game.name} has no button", ("button_misplaced",)),
    ]
    reasons += [
        (zone not in present, f"no antenna at the {zone}", tuple(c for c in checks if c not in carried))
        for zone, checks in CHECKS_OF_ZONE.items()
        if zone != ASIDE  # optional: without it a card put aside is confirmed by the dealer
    ]
    reasons += [
        (
            betting != "actions",
            f"betting = {betting}: folds are not entered",
            ("hand_mucked", "dealt_after_end"),
        ),
        (betting == "none", "betting = none: the end of a round is not entered", ("premature_card",)),
        (
            "shuffle" not in confirms and not asks_of_order,
            "the shuffle need not be confirmed",
            ("not_shuffled",),
        ),
        ("cut" not in confirms, "the cut need not be confirmed", ("not_cut",)),
    ]
    off: dict[str, str] = {}
    for applies, why, kinds in reasons:
        if applies:
            off |= {kind: why for kind in kinds if kind not in off}
    return off


def notes(zones: Collection[str], game: Game = GAMES["holdem"]) -> list[str]:
    """What else is different at a table without these antennas, a sentence each."""
    said = []
    if game.up and not any(is_up(zone) for zone in zones):
        said.append("one antenna a seat: which cards lie face up is known only if it is entered")
    if SHOE not in zones:
        said.append("no antenna at the shoe: the order of the deal comes from the seats alone")
    missing = ", ".join(zone for zone in BOARD_STREETS if zone not in zones)
    if not game.to_seats and BOARD not in zones and missing and set(BOARD_STREETS) & set(zones):
        said.append(f"no antenna at {missing}: cards there are not seen")
    return said
