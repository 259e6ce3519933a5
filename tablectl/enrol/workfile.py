"""Files of an enrolment: the work file from which an interrupted one goes on, and the deck file at its end.

Owns: the work file's format (below) and its name. Refuses: the deck file's format (`config.decks`), and how a file is
written at once (`whole`).

    id = "blue"
    mode = "blind"
    order = "guided"                 # or "shuffled"
    done = ["As", "2s"]              # places that have a tag; in a blind deck not which
    audit_key = "5f0c1d2e3a4b5c6d"   # to which the names are sealed, if there is one …
    sealed = ["5f0c1d2e3a4b5c6d k…"] # … a box a sitting, as in DECK.sealed
    jokers = []
    [cards]                          # as in a deck file; in a blind deck in the order of the UIDs
    E004015012345601 = "9f3c61d07a52be84"

It lies beside the deck file, as `blue.toml.part`, readable by its owner only. In a blind deck that is laid in order it
says which cards are done and which tags they have, not which has which. Of few cards that would say nearly as much, so
there is no file before `FEWEST` of them. Whoever copies it twice, a card apart, knows that card.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablectl.audit import names
from tablectl.cards import Deck
from tablectl.config.decks import deck_as_toml, deck_of
from tablectl.config.faults import TomlFile, listed
from tablectl.enrol.order import Place
from tablectl.enrol.sitting import Kept, Sitting
from tablectl.errors import ABSENT, ConfigError, Fault
from tablectl.sealed import AuditKey
from tablectl.whole import write_whole

PRIVATE = 0o600
FEWEST = 13
"""Cards of a blind deck among which one tag must be sought, at least: a suit."""
_OWN = ("mode", "order", "done", "audit_key", "sealed")


def work_file(target: Path) -> Path:
    """Where an enrolment of that deck file is kept until it is whole."""
    return target.with_name(target.name + ".part")


def keep(path: Path, sitting: Sitting, order: str, key: AuditKey | None = None) -> None:
    """Write the work file. OSError if that is not possible; then the file is as it was.

    Before the first card there is nothing to keep, and no file.
    """
    if not is_kept(sitting):
        path.unlink(missing_ok=True)
        return
    mode = "open" if sitting.is_open else "blind"
    done = ", ".join(f'"{place.name}"' for place in sitting.order if place.name in sitting.done)
    head = "# tablectl enrol goes on from here; once the deck is whole, this file is gone.\n"
    own = f'mode = "{mode}"\norder = "{order}"\ndone = [{done}]\n'
    if key is not None:
        boxes = ", ".join(f'"{box}"' for box in _boxes(sitting, key))
        own += f'audit_key = "{key.fingerprint}"\nsealed = [{boxes}]\n'
    write_whole(path, head + own + deck_as_toml(sitting.deck()), PRIVATE)


def is_kept(sitting: Sitting) -> bool:
    """Whether there are cards to keep, and enough of them not to tell which tag is which."""
    named = any(place.face for place in sitting.order)
    return len(sitting.cards) >= (FEWEST if named and not sitting.is_open else 1)


def _boxes(sitting: Sitting, key: AuditKey) -> tuple[str, ...]:
    named = sitting.names()
    return (*sitting.boxes, names.box_of(key, sitting.deck_id, named)) if named else sitting.boxes


def finish(target: Path, part: Path, sitting: Sitting, key: AuditKey | None = None) -> None:
    """The deck is whole: write its file, with an audit key its sealed names, and let the work file go.

    OSError if they cannot be written; SealError if another file has the place of the names.
    """
    if key is not None:
        names.add(names.sealed_file(target), _boxes(sitting, key))
    deck = sitting.deck()
    faces = {place.face: number for number, place in enumerate(sitting.order)}
    if sitting.is_open:  # as somebody would look for a card; an undo may have put one last
        cards = dict(sorted(deck.cards.items(), key=lambda pair: faces.get(pair[1], 0)))
        deck = Deck(deck.id, cards, deck.jokers)
    write_whole(target, deck_as_toml(deck))
    part.unlink(missing_ok=True)


def read_kept(
    path: Path,
    deck_id: str,
    order_name: str,
    order: Sequence[Place],
    *,
    is_open: bool,
    key: AuditKey | None = None,
) -> Kept:
    """What an interrupted enrolment left. ConfigError if it is of another deck, mode, order or audit key, or no work
    file."""
    file = TomlFile(path, str(path))
    if file.data is None:
        raise ConfigError(file.faults)
    faults = [*file.faults]
    own = {name: file.data.pop(name, ABSENT) for name in _OWN}
    expected = {"mode": "open" if is_open else "blind", "order": order_name}
    if key is not None:
        expected["audit_key"] = key.fingerprint
    elif own["audit_key"] is not ABSENT:
        right = f"is the audit key of this enrolment: name it again with --audit-key, {_OR_ANEW}"
        faults.append(Fault(str(path), "audit_key", own["audit_key"], right))
    for name, right in expected.items():
        if own[name] != right:
            faults.append(Fault(str(path), name, own[name], f"must be {right!r}, {_OR_ANEW}"))
    done = _done(own["done"], order, str(path), faults)
    deck, more = deck_of(file.data, str(path))
    faults += more
    if deck is not None and deck.id != deck_id:
        faults.append(Fault(str(path), "id", deck.id, f"must be {deck_id!r}, {_OR_ANEW}"))
    if faults or deck is None:
        raise ConfigError(faults)
    tags = len(deck.cards) + len(deck.jokers)
    if len(done) != tags:
        right = f"must name as many places as there are tags, {tags}, {_OR_ANEW}"
        raise ConfigError([Fault(str(path), "done", len(done), right)])
    return Kept(frozenset(done), deck.cards, deck.jokers, _sealed(own["sealed"], str(path)))


_OR_ANEW = "as this enrolment was asked for; go on as it was begun, or begin again with --anew"


def _sealed(given: Any, shown: str) -> tuple[str, ...]:
    if given is ABSENT:
        return ()
    if isinstance(given, list) and all(isinstance(box, str) and names.is_box(box) for box in given):
        return tuple(given)
    raise ConfigError([Fault(shown, "sealed", ABSENT, f"must be a list of boxes, {_OR_ANEW}")])


def _done(given: Any, order: Sequence[Place], shown: str, faults: list[Fault]) -> set[str]:
    names = [place.name for place in order]
    if isinstance(given, list) and all(name in names for name in given) and len(set(given)) == len(given):
        return set(given)
    few = listed([*names[:2], "…", names[-1]])
    faults.append(Fault(shown, "done", ABSENT, f"must be a list of places of this order, each once: {few}"))
    return set()
