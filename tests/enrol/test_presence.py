"""When a card counts as laid down, and when two tags do: look by look, for readers of every kind."""

from __future__ import annotations

from collections.abc import Iterable

from tablectl.enrol.presence import Event, Laid, Presence, Several

A, B, NOISE = "E004015000000001", "E004015000000002", "E004015000000003"


def told(looks: Iterable[str], presence: Presence | None = None, *, complete: bool = True) -> list[Event]:
    """What is told of these looks; each names the tags that it read: "", "a", "b", "ab" or "an" (noise)."""
    presence = presence or Presence()
    names = {"a": A, "b": B, "n": NOISE}
    events = (presence.look([names[each] for each in look], complete=complete) for look in looks)
    return [event for event in events if event is not None]


def test_a_card_is_told_once() -> None:
    """It lies there for long: one card, told after four reads, and not a second time."""
    assert told(["a"] * 3) == []
    assert told(["a"] * 50) == [Laid(A)]


def test_a_badly_read_card() -> None:
    """Every other look misses it: it is one card all the same; the antenna was never empty."""
    assert told(["a", ""] * 20) == [Laid(A)]


def test_a_card_that_comes_again() -> None:
    """The antenna was empty for three looks: the same card counts again. Looks that were not complete prove nothing."""
    assert told(["a"] * 4 + [""] * 3 + ["a"] * 4) == [Laid(A), Laid(A)]
    presence = Presence()
    assert told(["a"] * 4, presence) == [Laid(A)]
    assert told([""] * 9, presence, complete=False) + told(["a"] * 4, presence) == []


def test_one_card_gives_way_to_the_next() -> None:
    """Without a moment of emptiness between them, or with one look that reads both: two cards, one after the other."""
    assert told(["a"] * 5 + ["b"] * 6) == [Laid(A), Laid(B)]
    assert told(["a"] * 5 + ["ab"] + ["b"] * 6) == [Laid(A), Laid(B)]
    assert told((["a"] * 6 + ["b"] * 6) * 3) == [Laid(A), Laid(B)] * 3


def test_two_tags_at_once() -> None:
    """Both in each look, or in turn (a reader that finds one at a time): several, and no card."""
    both = Several(frozenset({A, B}), again=False)
    assert told(["ab"] * 20) == [both]
    assert told(["a", "b"] * 20) == [both]


def test_a_second_tag_that_is_slow() -> None:
    """It answers once the card counts already: then there are two."""
    assert told(["a"] * 5 + ["ab", "a", "ab", "ab"]) == [Laid(A), Several(frozenset({A, B}), again=False)]


def test_the_same_two_again() -> None:
    """Taken away together and laid down together: they belong together."""
    looks = ["ab"] * 4 + [""] * 3
    assert [event.again for event in told(looks * 3) if isinstance(event, Several)] == [False, True, True]


def test_after_two_tags_the_antenna_must_be_empty() -> None:
    """One of the two is not read for a while: the other is no card alone, until nothing lay there."""
    assert told(["ab"] * 4 + ["a"] * 20)[1:] == []
    assert told(["ab"] * 4 + ["a"] * 20 + [""] * 3 + ["a"] * 4)[1:] == [Laid(A)]


def test_noise_is_no_tag() -> None:
    """A UID that is read once, before, beside or after the card."""
    assert (
        told(["n", *["a"] * 6]) == told(["a", "an", *["a"] * 6]) == told([*["a"] * 6, "an", "a"]) == [Laid(A)]
    )
    assert told(["n"]) == []
