"""The judge: truth and claims made by hand, and what he makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from tablectl.bench.judge import Verdict, judge

WRONG = {
    "event": "irregularity", "kind": "wrong_seat", "at": 5000, "seat": 8, "expected": 7, "k": 4, "uid": "AA",
    "zone": "seat:8",
}  # fmt: skip
BURN = {"event": "irregularity", "kind": "burn_missing", "at": 5000, "street": "turn", "k": 25, "uid": "BB"}
CORRECTED = {
    "event": "near_miss", "t": 5300, "name": "corrected", "k": 4, "zone": "seat:8", "to": "seat:7",
}  # fmt: skip


def only_slip(verdict: Verdict) -> Any:
    """The one slip, and nothing false besides."""
    assert verdict.false == []
    (slip,) = verdict.slips
    return slip


def test_found_with_both_latencies(evening_of: Any, tell: Any) -> None:
    """The first soft and the first confirmed claim are timed from the card's coming to rest."""
    told = [
        tell(5100, "soft", "wrong_seat", seat=8),
        tell(5300, "confirmed", "wrong_seat", seat=8, expected=7),
    ]
    slip = only_slip(judge(evening_of(WRONG), told, {1: "wrong_seat:next"}))
    assert (slip.label, slip.result, slip.soft_ms, slip.confirmed_ms) == (
        "wrong_seat:next",
        "found",
        100,
        300,
    )


def test_a_suspicion_of_another_kind_under_the_same_id_counts_as_soft(evening_of: Any, tell: Any) -> None:
    """What first looked like another slip was still a light at the right time, and no false one."""
    told = [tell(5050, "soft", "seat_skipped", seat=8), tell(5300, "confirmed", "wrong_seat", seat=8)]
    verdict = judge(evening_of(WRONG), told, {})
    assert only_slip(verdict).soft_ms == 50
    assert verdict.soft == []


@pytest.mark.parametrize(
    ("t", "result"), [(4699, "missed"), (4700, "found"), (21_000, "found"), (21_001, "missed")]
)
def test_the_window_in_which_it_must_be_told(evening_of: Any, tell: Any, t: int, result: str) -> None:
    """From 300 ms before the card's rest to 16 s after it; what is told outside is false."""
    verdict = judge(evening_of(WRONG), [tell(t, "confirmed", "wrong_seat", seat=8)], {})
    assert [slip.result for slip in verdict.slips] == [result]
    assert len(verdict.false) == (result == "missed")


@pytest.mark.parametrize(
    "told", [{"kind": "seat_skipped", "seat": 8}, {"kind": "wrong_seat", "seat": 9}, {"kind": "burn_extra"}]
)
def test_another_name_is_not_found_but_misnamed(evening_of: Any, tell: Any, told: dict[str, Any]) -> None:
    """A confirmed claim of another kind or seat in the same hand is counted apart, and not as false besides."""
    slip = only_slip(judge(evening_of(WRONG), [tell(5200, "confirmed", **told)], {}))
    assert (slip.result, slip.confirmed_ms) == ("misnamed", None)


def test_the_next_hand_does_not_excuse(evening_of: Any, tell: Any) -> None:
    """A claim of another name after the next hand began is false, and the slip missed."""
    late = {**WRONG, "at": 58_000}
    verdict = judge(evening_of(late), [tell(61_000, "confirmed", "burn_extra")], {})
    assert [slip.result for slip in verdict.slips] == ["missed"]
    assert [hand for hand, _ in verdict.false] == [2]


def test_only_suspected(evening_of: Any, tell: Any) -> None:
    """A suspicion of the right kind that was never confirmed is a miss of its own sort, with its time."""
    told = [tell(5200, "soft", "wrong_seat", seat=8), tell(7000, "cleared", why="withdrawn")]
    verdict = judge(evening_of(WRONG), told, {})
    assert (only_slip(verdict).result, verdict.slips[0].soft_ms, verdict.soft) == ("soft", 200, [])


def test_told_twice_is_found_once(evening_of: Any, tell: Any) -> None:
    """A second confirmed claim about the same slip is a double, neither false nor another find."""
    told = [tell(5200 + n, "confirmed", "burn_missing", id=f"i{n}", street="turn") for n in range(3)]
    verdict = judge(evening_of(BURN), told, {})
    assert (only_slip(verdict).confirmed_ms, verdict.doubles) == (200, 2)


def test_two_slips_of_one_hand_are_found_each_by_its_own(evening_of: Any, tell: Any) -> None:
    """Claims go to the slip whose fields they name, whatever their order."""
    other = {**WRONG, "at": 6000, "seat": 3, "expected": 2, "k": 9}
    told = [
        tell(6100, "confirmed", "wrong_seat", id="b", seat=3, expected=2),
        tell(6200, "confirmed", "wrong_seat", id="a", seat=8, expected=7),
    ]
    verdict = judge(evening_of(WRONG, other), told, {})
    assert [slip.confirmed_ms for slip in verdict.slips] == [1200, 100]
    assert verdict.false == []


def test_false_even_if_withdrawn(evening_of: Any, tell: Any) -> None:
    """A confirmed claim in a clean hand is false although it was taken back."""
    told = [tell(65_000, "confirmed", "card_lost"), tell(66_000, "cleared", why="withdrawn")]
    verdict = judge(evening_of(), told, {})
    assert [(hand, claim.kind) for hand, claim in verdict.false] == [(2, "card_lost")]
    assert verdict.hands == 2


def test_a_suspicion_that_comes_to_nothing_is_soft(evening_of: Any, tell: Any) -> None:
    """It is counted once, apart from the false ones, however often it was told."""
    told = [
        tell(5000, "soft", "card_lost"),
        tell(5100, "soft", "card_lost"),
        tell(9000, "cleared", why="withdrawn"),
    ]
    verdict = judge(evening_of(), told, {})
    assert (len(verdict.soft), verdict.false) == (1, [])


@pytest.mark.parametrize("why", ["corrected", "withdrawn", None])
def test_a_card_that_the_dealer_puts_right(evening_of: Any, tell: Any, why: str | None) -> None:
    """Told while it lay wrongly: no false alarm, but only if it was then cleared as corrected."""
    told = [tell(5200, "confirmed", "wrong_seat", seat=8, expected=7)]
    if why is not None:
        told.append(tell(5900, "cleared", why=why))
    verdict = judge(evening_of(CORRECTED), told, {})
    assert (verdict.corrected, len(verdict.false)) == ((1, 0) if why == "corrected" else (0, 1))


def test_a_correction_excuses_no_other_seat(evening_of: Any, tell: Any) -> None:
    """A claim about another seat is false, cleared or not."""
    told = [tell(5200, "confirmed", "wrong_seat", seat=3), tell(5900, "cleared", why="corrected")]
    assert len(judge(evening_of(CORRECTED), told, {}).false) == 1


@pytest.mark.parametrize("event", ["lift", "leave", "fell"])
def test_a_card_that_hardly_lay_is_left_out(evening_of: Any, event: str) -> None:
    """Wrong-seat cards count if they lay for 0.4 s; other kinds always count."""
    early, late = ({"event": event, "t": 5000 + after, "k": 4, "zone": "seat:8"} for after in (399, 400))
    assert not judge(evening_of(WRONG, early), [], {}).slips[0].readable
    assert judge(evening_of(WRONG, late), [], {}).slips[0].readable
    assert judge(evening_of(BURN, {**early, "k": 25}), [], {}).slips[0].readable


def test_a_dead_tag_is_left_out(evening_of: Any) -> None:
    """A wrong-seat card that no antenna ever read all evening was not readable."""
    dead, read = (judge(evening_of(WRONG), [], {}, ever_read=frozenset(tags)) for tags in ({"BB"}, {"AA"}))
    assert (dead.slips[0].readable, read.slips[0].readable) == (False, True)


def test_a_plain_checker_need_not_tell_kinds_apart(evening_of: Any, tell: Any) -> None:
    """Tolerance takes a skipped seat for a wrong one, but never a board card; unchecked kinds are left out."""
    told = [tell(5200, "confirmed", "wrong_first_seat", seat=8)]
    assert judge(evening_of(WRONG), told, {}, tolerant=True).slips[0].result == "found"
    assert judge(evening_of(WRONG), told, {}).slips[0].result == "misnamed"
    board = [tell(5200, "confirmed", "premature_card", street="turn")]
    assert judge(evening_of(BURN), board, {}, tolerant=True).slips[0].result == "misnamed"
    assert judge(evening_of(BURN), [], {}, only=frozenset({"wrong_seat"})).slips == []


def test_the_card_itself_may_be_told_from_the_shoe(evening_of: Any, tell: Any) -> None:
    """A joker at the shoe's mouth is told long before it lies anywhere: found, at once."""
    joker = {"event": "irregularity", "kind": "joker", "at": 30_000, "zone": "board", "k": 25, "uid": "CC"}
    slip = only_slip(judge(evening_of(joker), [tell(12_000, "confirmed", "joker")], {}))
    assert (slip.result, slip.confirmed_ms) == ("found", 0)


def test_a_premature_flop_is_timed_from_its_last_card(evening_of: Any, tell: Any) -> None:
    """The one entry names the count, so that it cannot come before all three lie; the light may."""
    flop = {
        "event": "irregularity", "kind": "premature_card", "at": 5000, "street": "flop", "k": 22, "count": 3,
        "uid": "CC",
    }  # fmt: skip
    rests = [
        {"event": "rest", "t": 5000 + 300 * n, "hand": 1, "k": 22 + n, "zone": "board"} for n in range(3)
    ]
    told = [
        tell(5100, "soft", "premature_card", street="flop"),
        tell(5900, "confirmed", "premature_card", street="flop"),
    ]
    slip = only_slip(judge([*evening_of(flop), *rests], told, {}))
    assert (slip.soft_ms, slip.confirmed_ms) == (100, 300)
