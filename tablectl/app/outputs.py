"""The outputs of a table: panel, display, journal, recording, wear.

Owns: opening them in order, telling each what concerns it, closing them in order; what they report of themselves.
Refuses: what they are told (`line`, `shown`), and their devices and files (`shell`).

Each call to an output stands behind the fence (`faults`): one that fails stops neither the core nor another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl import recording
from tablectl.app.faults import Faults
from tablectl.app.log import Say
from tablectl.app.news import News
from tablectl.config import Config
from tablectl.core.alerts import Signals
from tablectl.core.decisions import Decision
from tablectl.core.sensed import Sensed
from tablectl.core.table import Table
from tablectl.errors import TablectlError
from tablectl.said import Said
from tablectl.sealed import AuditKey

if TYPE_CHECKING:
    from tablectl.app.kept import Keeping
    from tablectl.app.wear import Wear
    from tablectl.shell.display import Display
    from tablectl.shell.journal import Journal, Sensitive
    from tablectl.shell.panel import Panel, Pins
    from tablectl.shell.recorder import Recorder

CLOSE_S = 3.0
"""How long one part may take to close, s: a USB device that hangs must not hold up the end."""


class Outputs:
    """The outputs of one table; each is None until it is opened, and stays so where it is not wanted."""

    def __init__(self, faults: Faults, log: Say) -> None:
        self.panel: Panel | None = None
        self.display: Display | None = None
        self.journal: Journal | None = None
        self.recorder: Recorder | None = None
        self.wear: Wear | None = None
        self.keeping: Keeping | None = None
        self._faults = faults
        self._log = log
        self._news: News | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False
        self._seq = 0

    # --- opened, in this order ------------------------------------------------------------------------------

    def open_files(
        self, config: Config, table: Table, record: Path | None, more: Mapping[str, object]
    ) -> None:
        """The journal, the wear of the decks, and a recording in the file `record`.

        `more` stands in the header of the journal's night besides what a recording has.

        Raises JournalError or RecordingError.
        """
        self._loop = asyncio.get_running_loop()
        header = recording.header(config.as_recording(), config.decks, config.active_deck)
        self.journal = self._journal_of(config, {**header, **more})
        self._open_wear(config, table)
        if record is not None:
            from tablectl.shell.recorder import Recorder

            self.recorder = Recorder(
                record, header, lambda text: self._reported("recording", text, lasting=True)
            )

    def _journal_of(self, config: Config, header: Mapping[str, Any]) -> Journal:
        from tablectl.shell.journal import Journal, Limits

        return Journal(
            config.journal.path, header, lambda text: self._reported("journal", text),
            sensitive=sensitive_of(config), published=lambda _: self._soon(at_once=False),
            limits=Limits(config.journal.part_mb << 20, config.journal.keep_mb << 20),
        )  # fmt: skip

    def _open_wear(self, config: Config, table: Table) -> None:
        """A store that cannot be had is no reason not to play, and no trouble of the dealer's: the log says it."""
        from tablectl.app.wear import Wear, store_of

        try:
            self.wear = Wear(table, config.decks, store_of(config.journal.path))
        except TablectlError as error:
            self._log(f"note: {error}; the wear of the decks is not counted")

    async def open_display(
        self, display: Display, state: Callable[[], Mapping[str, Any]], tick: Callable[..., None]
    ) -> None:
        """The display's port, and its beat. `tick` comes with each, and is told whether a technician is `watching`.

        Raises LinkError.
        """
        self.display = display
        await display.start()

        def beat() -> None:
            self._faults.guarded("technician", tick, watched=display.technicians > 0)

        self._news = News(display, lambda: self._faults.guarded("core", state), beat)
        self._news.start()
        self._log(f"display: {display.url}")
        if display.opened is not None:
            self._log(f"display: {display.opened.url} for whoever has a token")

    def open_panel(
        self, config: Config, pins: Pins | None, pressed: Callable[[str], None], *, night: bool
    ) -> None:
        """The panel; `pressed` hears of its buttons."""
        from tablectl.app.fitted import panel_of

        def press(button: str) -> None:
            self._faults.guarded("panel", pressed, button)
            self.publish(at_once=True)

        loop = asyncio.get_running_loop()
        self.panel = panel_of(config, pins, loop, lambda text: self._reported("panel", text), press)
        self.panel.night(on=night)
        self.panel.start()

    # --- told -----------------------------------------------------------------------------------------------

    def show(self, signals: Signals) -> None:
        """The lamps and the buzzer."""
        if self.panel is not None:
            self.panel.show(signals)

    def night(self, *, on: bool) -> None:
        """How bright and how loud."""
        if self.panel is not None:
            self.panel.night(on=on)

    def keep(self, event: Sensed, decisions: tuple[Decision, ...], *, taken: bool) -> None:
        """What survives the process, journal and recording, then the wear of the cards.

        `taken` says that the core could take the event.
        """
        line = self._faults.guarded("journal", recording.dump, event)
        made = self._faults.guarded("journal", lambda: [each.as_json() for each in decisions])
        if line is not None and self.keeping is not None:
            self._faults.guarded("kept", self.keeping.took, line)  # first: so it has all that the journal has
        if line is not None and self.journal is not None:
            self.give(line, made or [])
        if line is not None and self.keeping is not None:
            self._faults.guarded("kept", self.keeping.journalled, line, made or [], self._seq, well=taken)
        if line is not None and self.recorder is not None:
            self._faults.guarded("recording", self.recorder.sensed, line)
        if self.wear is not None:
            self._faults.guarded("wear", self.wear.took, event, decisions)

    def give(self, line: Mapping[str, Any] | None, decisions: Sequence[Mapping[str, Any]]) -> int:
        """A sensed line, if there is one, and decisions for the journal; the `seq` of its last entry."""
        if self.journal is not None:
            self._seq = self._faults.guarded("journal", _written, self.journal, line, decisions) or self._seq
        return self._seq

    def publish(self, *, at_once: bool) -> None:
        """The display: something is to be seen now, or may have changed."""
        if self._news is not None:
            self._faults.guarded("display", self._news.at_once if at_once else self._news.soon)

    # --- what they say of themselves ------------------------------------------------------------------------

    def _reported(self, what: str, text: str, *, lasting: bool = False) -> None:
        """A part says something of itself; it may do so from a thread of its own."""
        if lasting:
            self._faults.lasts(what, text)
        self._log(text)
        self._soon(at_once=True)

    def _soon(self, *, at_once: bool) -> None:
        """As `publish`, from any thread."""
        if self._loop is not None and not self._closing:
            self._loop.call_soon_threadsafe(lambda: self.publish(at_once=at_once))

    def kept(self) -> dict[str, Any]:
        """How far the journal is proved: its last signed head. Whoever keeps it elsewhere can show later that nothing
        before it was changed."""
        head = self.journal.head if self.journal is not None else None
        return {"head": None if head is None else head.as_json()}

    def faults(self) -> dict[str, str | None]:
        """What journal and panel cannot do at this moment."""
        return {
            "journal": self.journal.fault if self.journal is not None else None,
            "panel": self.panel.fault if self.panel is not None else None,
        }

    def notice(self) -> Said | None:
        """What can wait until after the game: worn cards."""
        return self.wear.notice if self.wear is not None else None

    def gauges(self) -> dict[str, tuple[str, float]]:
        """For `/metrics`: name → (help, value)."""
        gauges: dict[str, tuple[str, float]] = {}
        if self.journal is not None:
            gauges["journal_acknowledged"] = ("Entries safely on the disk.", self.journal.acknowledged)
            waiting = self.journal.waiting
            gauges["journal_waiting"] = ("Lines and decisions that wait for the disk.", waiting)
            gauges["journal_dropped"] = ("Lines and decisions that were lost.", self.journal.dropped)
        if self.display is not None:
            gauges["display_pages"] = ("Pages that are watching.", self.display.watching)
        return gauges

    # --- closed, in this order ------------------------------------------------------------------------------

    def dark(self) -> None:
        """The panel dark and the pages without a beat, at once."""
        self._closing = True
        if self._news is not None:
            self._news.close()
        if self.panel is not None:
            self._faults.guarded("panel", self.panel.close)

    async def close(self) -> None:
        """The display, then the files, the journal last. Their own patience is longer than ours: what they hold is
        worth the wait."""
        if self.display is not None:
            await closed(self._faults, "display", self.display.close())
        if self.recorder is not None:
            await closed(self._faults, "recording", asyncio.to_thread(self.recorder.close), within=None)
        if self.wear is not None:
            await closed(self._faults, "wear", asyncio.to_thread(self.wear.close), within=None)
        if self.journal is not None:
            await closed(self._faults, "journal", asyncio.to_thread(self.journal.close), within=None)


def sensitive_of(config: Config) -> Sensitive:
    """What becomes of what is sensed at that table: sealed wherever there is a key; a blind table without one keeps
    nothing of it, an open one keeps it as it is. Raises SealError, OSError for a key that cannot be read any more."""
    if config.journal.audit_key is not None:
        return AuditKey.read(config.journal.audit_key)
    return "clear" if config.table.mode == "open" else "nothing"


def _written(journal: Journal, line: Mapping[str, Any] | None, decisions: Sequence[Mapping[str, Any]]) -> int:
    seq = journal.sensed(line) if line is not None else 0
    return journal.decisions(decisions) if decisions else seq


async def closed(faults: Faults, what: str, closing: Any, *, within: float | None = CLOSE_S) -> None:
    """Waits for a part to close, so many seconds at most; one that fails or hangs does not hold up the next."""
    try:
        await asyncio.wait_for(closing, within)
    except Exception as error:  # noqa: BLE001 (the next part must be closed all the same)
        faults.failed(what, error)
