"""The core that a configuration describes.

Owns: a `Config` translated into the core's `Setting`. Refuses: checking it (`config`), and everything outside the core.
"""

from __future__ import annotations

from tablectl.config import Config
from tablectl.core.settings import Setting, Timing
from tablectl.core.table import Table
from tablectl.rulebooks import load as load_rulebook


def table_of(config: Config) -> Table:
    """The core of one table, as configured."""
    layout = config.layout()
    setting = Setting(
        id=config.table.id,
        layout=layout,
        game=config.table.game,
        rulebook=config.table.rulebook,
        mode=config.table.mode,
        dealt_by=config.table.dealt_by,
        betting=config.table.betting,
        language=config.table.language,
        night=config.panel.night.on,
        confirms=frozenset(config.table.confirms),
        decks=config.decks,
        active_deck=config.active_deck or "",
        timing=Timing(**config.tracker.model_dump(exclude={"shuffle_p"})),
        calibration=config.calibration(),
        button_tags=frozenset(config.table.button_tags),
        names={seat: name for seat, name in enumerate(config.table.names, start=1) if name},
        shuffle_p=config.shuffle_p(),
    )
    return Table(setting, load_rulebook(config.table.rulebook))
