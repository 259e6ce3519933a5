"""Tests of the readers: `async def` tests run on a loop of their own, and may ask for a `stage`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scene import Scene


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run `async def` tests to their end on a loop of their own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Callable[[], Any]]:
    """`async with stage() as scene:` builds a scene and takes it down again."""

    class Stage:
        async def __aenter__(self) -> Scene:
            self.scene = Scene(tmp_path)
            return self.scene

        async def __aexit__(self, *_: object) -> None:
            await self.scene.close()

    return Stage
