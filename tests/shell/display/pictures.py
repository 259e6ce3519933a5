"""The README's two pictures: a simulated table and the real controller, photographed when it is calm and in alarm.

    pictures.py FOLDER          writes FOLDER/calm.png and FOLDER/display.png

Owns: which moments are worth a picture. Refuses: the table (`tablectl.demo`) and the screen (`browser`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import browser
from playwright.sync_api import Page, sync_playwright

from tablectl.demo import Demo, Stage

HANDS = "clean, wrong_first_seat"
SEED = 1
SHARP = 2
"""Device pixels to a CSS pixel."""
PATIENCE_MS = 180_000
"""How long a moment is waited for: a hand at a human pace takes about a minute, in ms."""
MOMENTS = {
    "calm": """() => document.body.dataset.alarm === "none"
        && document.querySelectorAll("#table .board .back").length === 3
        && document.querySelector("#table .seat.act")""",
    "display": """() => document.body.dataset.alarm === "loud"
        && document.querySelector("#panel [aria-current=step]")""",
}
"""What must be seen for each picture: betting on the flop; an alarm with its ruling and the step that is due."""


def take(page: Page, folder: Path) -> None:
    """Waits for the moments in turn."""
    for name, moment in MOMENTS.items():
        page.wait_for_function(moment, timeout=PATIENCE_MS)
        page.screenshot(path=folder / f"{name}.png", animations="disabled")
        sys.stdout.write(f"{folder / name}.png\n")


def main(folder: Path) -> None:
    """Plays the hands once."""
    demo = Demo(hands=HANDS, seed=SEED, optical=True)
    with TemporaryDirectory() as place, Stage(demo, Path(place)) as stage, sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        page = browser.screen(chromium, device_scale_factor=SHARP).new_page()
        page.goto(stage.url)
        take(page, folder)
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
