"""What every driver owes the table, whatever its device and its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from scene import Scene

from suite.benches import BENCHES
from suite.lines import LINES
from tablectl.config.drivers import DRIVERS as ENTRIES
from tablectl.core.sensed import Sweep
from tablectl.shell.readers import DRIVERS, Claims, driver

Stage = Callable[[], Any]

QUICK = {"reply": 150}
"""ms: more than the delayed line takes both ways, little enough to try often on the lossy one."""


class Watch:
    """The sweeps of a scene, asked about one antenna at a time."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._lain: list[tuple[int, int, int, str]] = []

    def last(self, antenna: int, *, whole: bool = False) -> frozenset[str] | None:
        """What lay there by the last sweep that looked at it, `whole`: completely; None before the first."""
        for sweep in reversed(self._scene.of(Sweep)):
            seen = frozenset(tag.uid for tag in sweep.seen if tag.antenna == antenna)
            if antenna in sweep.polled or (seen and not whole):
                return seen
        return None

    async def lies(self, antenna: int, *uids: str) -> None:
        """Wait until exactly these lie there, by a complete look."""
        await self._scene.until(lambda: self.last(antenna, whole=True) == frozenset(uids))

    async def lay(self, bench: Any, antenna: int, uid: str, for_looks: int = 6) -> None:
        """Put a card down, wait until it is seen, then for so many looks more, in which it is never missing."""
        bench.put(antenna, uid)
        await self._scene.until(lambda: uid in (self.last(antenna) or ()))
        since = len(self._scene.events)
        await self._scene.until(lambda: len(self._looks(antenna, since)) >= for_looks)
        missing = [
            sweep for sweep in self._looks(antenna, since) if uid not in {tag.uid for tag in sweep.seen}
        ]
        assert missing == []

    def _looks(self, antenna: int, since: int) -> list[Sweep]:
        new = [event for event in self._scene.events[since:] if isinstance(event, Sweep)]
        return [sweep for sweep in new if antenna in sweep.polled]


async def play(bench: Any, watch: Watch, antennas: Mapping[int, str]) -> None:
    """A card comes and stays, one comes elsewhere, one joins it; they go, one by one."""
    first, *others = antennas
    a, b, c = bench.cards
    for antenna in antennas:
        await watch.lies(antenna)
    await watch.lay(bench, first, a)
    for other in others[:1]:
        await watch.lay(bench, other, b)
        await watch.lies(first, a)
        if bench.several:
            await watch.lay(bench, other, c)
            await watch.lies(other, b, c)
            bench.take(other, b)
            await watch.lies(other, c)
            bench.take(other, c)
        else:
            bench.take(other, b)
        await watch.lies(other)
        await watch.lies(first, a)
    bench.take(first, a)
    await watch.lies(first)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("name", BENCHES)
async def test_cards_come_stay_and_go_over_every_line(
    stage: Stage, tmp_path: Path, name: str, line: str
) -> None:
    """Whatever the line does to the bytes: every card is seen where it lies and nowhere else, no look that claims to
    be complete misses one that lies there, an empty antenna is told to be empty, and no tag is invented."""
    async with stage() as scene:
        bench = BENCHES[name](scene, tmp_path / "device", line_errs=LINES[line].errs)
        wire = LINES[line](bench.device, tmp_path / "port")
        reader = await scene.reader(driver=driver(name, Claims()), antennas=bench.antennas, timing=QUICK)
        await scene.until(lambda: reader.state.state == "ok")
        await play(bench, Watch(scene), bench.antennas)
        await reader.close()
        wire.close()
        bench.close()
        tags = {(tag.antenna, tag.uid) for sweep in scene.of(Sweep) for tag in sweep.seen}
        first, *others = bench.antennas
        a, b, c = bench.cards
        assert tags <= {(first, a), *[(other, uid) for other in others[:1] for uid in (b, c)]}
        assert all(set(sweep.polled) <= set(bench.antennas) for sweep in scene.of(Sweep))
        assert set(reader.counters) >= {"bytes", "frames", "opened"}
        assert not any(uid in text for text in reader.log for uid in bench.cards)


def test_every_driver_has_its_file_its_entry_and_its_bench() -> None:
    """What a configuration may name can be loaded, and is played here; nothing else can be named."""
    assert set(DRIVERS) == set(ENTRIES) == set(BENCHES)
    assert len(DRIVERS) == len(ENTRIES)
    for name, bench in BENCHES.items():
        assert DRIVERS[name] is bench.driver
        assert set(bench.antennas) <= set(ENTRIES[name].antennas)
    with pytest.raises(KeyError):
        DRIVERS["acme"]
