"""What can be done at the desk: enrol a deck, add spares, count a deck.

Owns: what the person reads at each step, and which key does what. Refuses: terminals and readers (`desk`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tablectl.enrol.count import Count
from tablectl.enrol.desk import Screen
from tablectl.enrol.presence import Laid, Presence, Several
from tablectl.enrol.sitting import Sitting
from tablectl.enrol.spares import Spares

ENTER = "\r\n"
TWO_TAGS = "two tags lie there"


class _Cards(Protocol):
    """What a card that was laid down means."""

    def lay(self, uid: str) -> tuple[bool, str]: ...


class _CardByCard:
    """Cards are laid down one by one."""

    def __init__(self, cards: _Cards, screen: Screen) -> None:
        self._cards = cards
        self._screen = screen
        self._presence = Presence()

    def sweep(self, _t: int, uids: tuple[str, ...], *, complete: bool) -> None:
        """One look of the antenna."""
        event = self._presence.look(uids, complete=complete)
        if isinstance(event, Laid):
            new, said = self._cards.lay(event.uid)
            if new:
                self._added(event.uid)
            if said:
                self._screen.say(said, "good" if new else "bad")
            self._show()
        elif isinstance(event, Several):
            self._screen.say(self._several(event), "bad")

    def blind(self) -> None:
        """The reader is away: begin with an empty antenna."""
        self._presence.forget()

    def _several(self, event: Several) -> str:
        if event.again:
            return f"{TWO_TAGS} again, the same: if this is one card it carries two tags; take another card for it"
        return f"{TWO_TAGS}: take all cards away, then lay one alone"

    def _added(self, uid: str) -> None:
        raise NotImplementedError

    def _show(self) -> None:
        raise NotImplementedError


class Enrol(_CardByCard):
    """A deck card by card; `keep` is called after each step, so that nothing is lost."""

    keys = "u takes the last card back, s skips this one, q stops (it goes on later)"

    def __init__(self, sitting: Sitting, screen: Screen, keep: Callable[[], None]) -> None:
        super().__init__(sitting, screen)
        self.sitting = sitting
        self._keep = keep
        self.stopped = False
        self._show()

    @property
    def over(self) -> bool:
        """Every place was asked for."""
        return self.stopped or self.sitting.next is None

    def key(self, key: str) -> None:
        """u, s or q."""
        match key.lower():
            case "u":
                self._undo()
            case "s":
                place = self.sitting.skip()
                if place is not None:
                    self._screen.say(f"skipped: {place.said}")
            case "q":
                self.stopped = True
            case _:
                return
        self._show()

    def _undo(self) -> None:
        place = self.sitting.undo()
        if place is not None:
            self._keep()
            self._screen.say(f"taken back: {place.said}")
        else:
            self._screen.say(
                "nothing of this sitting is left to take back; --anew begins the deck again", "bad"
            )

    def _several(self, event: Several) -> str:
        enrolled = next((uid for uid in event.uids if uid in self.sitting.cards), None)
        if enrolled is None:
            return super()._several(event)
        card = self.sitting.said_of(enrolled)
        if event.again:
            return f"{TWO_TAGS} again, the same, with {card}: if that is one card, u takes it back"
        return f"{TWO_TAGS}, one is {card}: take all cards away, then lay one alone"

    def _added(self, uid: str) -> None:
        self._keep()
        self._screen.say(self.sitting.said_of(uid), "good")

    def _show(self) -> None:
        place = self.sitting.next
        if place is not None:
            self._screen.show(f"Lay {place.said}", len(self.sitting.done), len(self.sitting.order), self.keys)


class AddSpares(_CardByCard):
    """Spares for a deck, pair by pair; `keep` writes the deck after each."""

    keys = "u forgets what was laid since the last spare, q is the end"

    def __init__(self, spares: Spares, screen: Screen, keep: Callable[[], None]) -> None:
        super().__init__(spares, screen)
        self.spares = spares
        self._keep = keep
        self.over = False
        self._show()

    def key(self, key: str) -> None:
        """u or q."""
        if key.lower() == "q":
            self.over = True
        elif key.lower() == "u":
            self.spares.begin_anew()
            self._show()

    def _added(self, uid: str) -> None:
        del uid
        self._keep()

    def _show(self) -> None:
        cards = len(set(self.spares.deck.cards.values()))
        self._screen.show(self.spares.prompt, self.spares.shown, cards, self.keys)


class CountDeck:
    """A deck through the shoe, or over any antenna. Without keys it is over once every card was seen."""

    keys = "Enter ends the count"

    def __init__(self, count: Count, screen: Screen, *, has_keys: bool) -> None:
        self.count = count
        self._screen = screen
        self._has_keys = has_keys
        self._faults: list[str] = []
        self.over = False
        self._show()

    def sweep(self, t: int, uids: tuple[str, ...], *, complete: bool) -> None:
        """One look; a tag that was read is there, whatever else was not."""
        del complete
        news = [self.count.read(uid, t) for uid in uids]
        if any(news):
            self._show()
            if not self._has_keys and self.count.seen == self.count.cards:
                self.over = True

    def blind(self) -> None:
        """What was seen was seen."""

    def key(self, key: str) -> None:
        """Enter."""
        self.over = self.over or key in ENTER

    def _show(self) -> None:
        extra = self.count.too_much(named=False)
        for fault in extra:
            if fault not in self._faults:
                self._screen.say(fault, "bad")
        self._faults = extra
        prompt = (
            "All cards were seen"
            if self.count.seen == self.count.cards
            else "Let every card pass the antenna"
        )
        self._screen.show(prompt, self.count.seen, self.count.cards, self.keys)
