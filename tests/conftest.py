"""What is true of every test: those that open a page in a browser can be left out together, and Ctrl-C is heard."""

from __future__ import annotations

import signal

import pytest


def pytest_configure() -> None:
    """A shell lets what it starts in the background ignore Ctrl-C, and all that the tests start would inherit this."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks every test that rests on the `chromium` fixture, so that `-m "not browser"` leaves it out."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
