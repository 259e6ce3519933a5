"""One moment of the core, as bytes, and back.

Owns: which objects of the core are the configuration's and stay outside, and which classes may come back. Refuses: when
a moment is kept (`keeping`), and sealing it (`shell.kept`).

The core is a pure function of what was sensed since its start, so a night could be replayed from there; but by the
end of an evening that is half a million lines, minutes of a Pi. So now and then the core itself is written down, as
pickle spells it, and only the lines since are replayed. What belongs to the configuration (setting, layout, rulebook,
decks) is written by name and taken from the table that starts: it must be the same (`print_of_code`, `print_of`).

pickle runs whatever it is told to when it reads. Here it reads only what was sealed with the key of this boot, and
makes nothing but tablectl's own classes and Python's containers.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, MethodType
from typing import Any, Final

import tablectl
from tablectl import recording, rulebooks
from tablectl.cards import Deck
from tablectl.config import Config
from tablectl.core.alerts import Alerts
from tablectl.core.rulebook import Rulebook
from tablectl.core.sense import Sense
from tablectl.core.settings import Setting
from tablectl.core.table import Table
from tablectl.errors import KeptError
from tablectl.layout import Layout

PROTOCOL: Final = 5
CONTAINERS: Final = {
    "builtins": {"set", "frozenset", "bytearray", "complex", "range", "slice"},
    "collections": {"deque", "Counter", "defaultdict", "OrderedDict"},
}
"""What may come back besides tablectl's own classes; dicts, lists, tuples, texts and numbers need no name."""
DECK: Final = "deck "
OF_THE_MOMENT: Final = ("accounted", "untagged")
"""Fields of `Sense` that `reading.explain` sets anew before it uses them: functions, which no file can hold."""


def dump(table: Table, alerts: Alerts) -> bytes:
    """The core and what its lamps are told. Whatever pickle raises if something in it cannot be written down."""
    out = io.BytesIO()
    _Writer(out, table).dump((table, alerts))
    return out.getvalue()


def load(data: bytes, setting: Setting, book: Rulebook) -> tuple[Table, Alerts]:
    """The core as it was, with this configuration. KeptError if the bytes are not that."""
    try:
        table, alerts = _Reader(io.BytesIO(data), setting, book).load()
    except Exception as error:  # noqa: BLE001 (pickle may raise anything, and the table must start)
        raise KeptError(f"the core in it cannot be read ({type(error).__name__})") from None
    if not isinstance(table, Table) or not isinstance(alerts, Alerts):
        raise KeptError("there is no core in it")
    return table, alerts


class _Writer(pickle.Pickler):
    """By a table of types, and not by `persistent_id`, which is asked for every single number and text: more than twice
    as fast, and the table stands still meanwhile (3 ms of this machine for a core late in an evening)."""

    def __init__(self, out: io.BytesIO, table: Table) -> None:
        super().__init__(out, PROTOCOL)
        setting = table.setting
        self._outside = {id(setting): "setting", id(setting.layout): "layout", id(table.book): "book"}
        self._outside |= {id(deck): f"{DECK}{deck.id}" for deck in setting.decks}
        ours = dict.fromkeys((Setting, Layout, Rulebook, Deck), self._named)
        self.dispatch_table = {**ours, MappingProxyType: _proxied, MethodType: _bound, Sense: _bare}

    def _named(self, obj: Any) -> Any:
        if id(obj) not in self._outside:
            raise pickle.PicklingError(f"a {type(obj).__name__} that is not the configuration's")
        return _outside, (self._outside[id(obj)],)


def _proxied(obj: Mapping[Any, Any]) -> Any:
    return _proxy, (dict(obj),)


def _bound(obj: MethodType) -> Any:
    return _method, (obj.__self__, obj.__name__)


def _bare(obj: Sense) -> Any:
    return _sense, (), {name: at for name, at in vars(obj).items() if name not in OF_THE_MOMENT}


class _Reader(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, setting: Setting, book: Rulebook) -> None:
        super().__init__(source)
        self._outside = {"setting": setting, "layout": setting.layout, "book": book}
        self._outside |= {f"{DECK}{deck.id}": deck for deck in setting.decks}

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        if found is _outside:
            return self._outside.__getitem__
        if name in CONTAINERS.get(module, ()) or str(getattr(found, "__module__", "")).startswith(
            "tablectl."
        ):
            return found
        raise pickle.UnpicklingError("no class of the core")


def _outside(name: str) -> Any:
    raise pickle.UnpicklingError(f"{name} is only known while a table is read")


def _proxy(content: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(content)


def _method(owner: object, name: str) -> Any:
    if not type(owner).__module__.startswith("tablectl."):
        raise pickle.UnpicklingError("no method of the core")
    return getattr(owner, name)


def _sense() -> Sense:
    sense = Sense.__new__(Sense)
    sense.accounted = lambda _uid: True
    sense.untagged = lambda _first, _second: 0
    return sense


@cache
def print_of_code() -> str:
    """Which core it is: of another one, an object would come back with fields that mean something else."""
    sort = hashlib.blake2b(digest_size=16, person=b"tablectl code")
    sort.update(f"{tablectl.__version__} {sys.version} {PROTOCOL}".encode())
    folder = Path(tablectl.__file__).parent
    for path in [*sorted((folder / "core").glob("*.py")), *sorted(folder.glob("*.py"))]:
        sort.update(path.name.encode() + b"\0" + path.read_bytes())
    return sort.hexdigest()


def print_of(config: Config) -> str:
    """Which table it is: the configuration, the decks, and what the rulebook says."""
    head = recording.header(config.as_recording(), config.decks, config.active_deck)
    book, _ = rulebooks.content(config.table.rulebook)
    text = json.dumps([head, book.data], sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"tablectl table").hexdigest()
