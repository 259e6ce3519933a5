"""A Pepper on a real pty: unplugged, back under another name, restarted, silent, and noise on the line."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scene import Scene
from suite.benches import PepperBench

from tablectl.core.sensed import Found, Gap, Lost, Sweep

Stage = Callable[[], Any]
A = PepperBench.cards[0]
QUICK = {"reply": 150, "plan_again": 30}


async def started(scene: Scene, link: Path, port: str = "port", **timing: int) -> tuple[PepperBench, Any]:
    bench = PepperBench(scene, link)
    options = {"antennas": bench.antennas, "timing": {**QUICK, **timing}}
    reader = await scene.reader(port, driver=bench.driver, **options)
    await scene.until(lambda: reader.state.state == "ok" and scene.of(Sweep))
    return bench, reader


async def test_unplugged_and_back_under_another_name_behind_the_same_link(
    stage: Stage, tmp_path: Path
) -> None:
    """Lost at once, the port is named, Found when it is back, and the antennas are looked at again."""
    async with stage() as scene:
        bench, reader = await started(scene, tmp_path / "port")
        bench.unplug()
        await scene.until(lambda: scene.of(Lost))
        assert str(tmp_path / "port") in (await scene.is_state("missing")).text
        bench.replug()
        bench.put(2, A)
        await scene.until(lambda: any(sweep.seen for sweep in scene.of(Sweep)))
        others = [type(event) for event in scene.events if not isinstance(event, Sweep)]
        assert [kind for kind in others if kind is not Gap] == [Lost, Found]
        await reader.close()
        bench.close()


async def test_a_pattern_finds_it_under_another_number(stage: Stage, tmp_path: Path) -> None:
    """`tty*` stands for whatever the kernel numbered first: the reader that answers there is this one."""
    async with stage() as scene:
        first, reader = await started(scene, tmp_path / "tty0", "tty*")
        first.unplug()
        await scene.until(lambda: scene.of(Lost))
        second = PepperBench(scene, tmp_path / "tty1")
        second.put(8, A)
        await scene.until(lambda: any(sweep.seen for sweep in scene.of(Sweep)))
        assert len(scene.of(Lost)) == len(scene.of(Found)) == 1
        await reader.close()
        second.close()


async def test_a_silent_reader_is_lost_and_found_with_the_port_open(stage: Stage, tmp_path: Path) -> None:
    """It hangs, and comes back: Lost and Found once each, and the port was opened once."""
    async with stage() as scene:
        bench, reader = await started(scene, tmp_path / "port", silence=300)
        bench.reader.silent = True
        await scene.until(lambda: scene.of(Lost))
        assert "no word" in (await scene.is_state("lost")).text
        bench.reader.silent = False
        await scene.until(lambda: scene.of(Found))
        await scene.is_state("ok")
        assert reader.counters["opened"] == 1
        await reader.close()
        bench.close()


async def test_a_boot_message_in_the_middle_of_looks_costs_a_gap_and_no_card(
    stage: Stage, tmp_path: Path
) -> None:
    """Text that is no frame, and its own polling switched on: it is told to stop, and a card that lies is not lost."""
    async with stage() as scene:
        bench, reader = await started(scene, tmp_path / "port")
        bench.put(2, A)
        await scene.until(lambda: any(sweep.seen for sweep in scene.of(Sweep)))
        bench.reader.polls_at_boot = True
        bench.reader.restart()
        bench.write(b"ets Jul 29 2019 12:21:46\r\nrst:0x1 (POWERON_RESET)\r\n" + bench.reader.event())
        since = len(scene.events)
        await scene.until(lambda: not bench.reader.polling)
        await scene.until(lambda: sum(2 in sweep.polled for sweep in scene.of(Sweep)) > 5)
        assert Gap in [type(event) for event in scene.events]
        sweeps = [event for event in scene.events[since:] if isinstance(event, Sweep) and 2 in event.polled]
        assert all(sweep.seen for sweep in sweeps)
        assert scene.of(Lost) == []
        await reader.close()
        bench.close()


async def test_a_port_that_only_makes_noise_is_no_reader(stage: Stage, tmp_path: Path) -> None:
    """Random bytes as the answer to everything: `lost`, with what to look for, and never a sweep."""
    noise = random.Random(11)
    async with stage() as scene:
        bench = PepperBench(scene, tmp_path / "port")
        bench.reader.feed = lambda data: [(1.0, noise.randbytes(40))]  # type: ignore[method-assign]
        reader = await scene.reader(
            driver=bench.driver, antennas=bench.antennas, timing={**QUICK, "silence": 300}
        )
        assert "no reader board answers" in (await scene.is_state("lost")).text
        assert scene.of(Sweep) == []
        assert reader.counters["noise_bytes"] > 0
        await reader.close()
        bench.close()


async def test_closing_gives_the_port_back_and_says_nothing(stage: Stage, tmp_path: Path) -> None:
    """The table closes in the middle of looks: no Lost, and no event afterwards."""
    async with stage() as scene:
        bench, reader = await started(scene, tmp_path / "port")
        await reader.close()
        assert scene.of(Lost) == []
        seen = len(scene.events)
        bench.write(b"\x00" * 20)
        assert len(scene.events) == seen
        bench.close()
