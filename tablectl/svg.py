"""Drawing in SVG: lines, boxes, words, in one style.

Owns: the elements and the style of every drawing: of the hardware, of a calibrated table. Refuses: what is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

SMALL, CAPITAL, BOLD = 0.6, 0.74, 1.12
"""Width of a small letter and of a capital by their size, and how much wider bold ones are, DejaVu Sans; for leaving
room."""


@dataclass
class Sheet:
    """A drawing, px. Text sizes are px; `colour` is any of SVG's."""

    width: float
    height: float
    elements: list[str] = field(default_factory=list)

    def line(
        self, *points: tuple[float, float], colour: str = "#222", width: float = 1.4, dash: str = ""
    ) -> None:
        """A line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = "none", colour: str = "#222",
        round_: float = 0, thick: float = 1.4, dash: str = "",
    ) -> None:  # fmt: skip
        """A rectangle from its upper left corner."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round_}" fill="{fill}" '
            f'stroke="{colour}" stroke-width="{thick}"{dashed}/>'
        )

    def circle(
        self, x: float, y: float, radius: float, *, fill: str = "none", colour: str = "#222", thick: float = 1.4,
        dash: str = "",
    ) -> None:  # fmt: skip
        """A circle about a point."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{colour}" '
            f'stroke-width="{thick}"{dashed}/>'
        )

    def shape(self, path: str, *, fill: str = "none", colour: str = "#222", thick: float = 1.4) -> None:
        """A path of SVG."""
        self.elements.append(f'<path d="{path}" fill="{fill}" stroke="{colour}" stroke-width="{thick}"/>')

    def text(
        self, x: float, y: float, words: str, *, size: float = 12, at: str = "start", colour: str = "#222",
        bold: bool = False,
    ) -> None:  # fmt: skip
        """Words with their baseline at a point; `at` is start, middle or end."""
        weight = ' font-weight="bold"' if bold else ""
        self.elements.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{at}" fill="{colour}"{weight}>'
            f"{escape(words)}</text>"
        )

    def arrow(self, start: tuple[float, float], end: tuple[float, float], *, colour: str = "#222") -> None:
        """A line with a head at its end."""
        self.line(start, end, colour=colour)
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        for side in (2.7, -2.7):
            tip = (end[0] + 8 * math.cos(angle + side), end[1] + 8 * math.sin(angle + side))
            self.line(tip, end, colour=colour)

    def render(self) -> str:
        """The drawing as SVG."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}" height="{self.height:.0f}" '
            f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" font-family="DejaVu Sans, sans-serif">'
        )
        ground = f'<rect width="{self.width:.0f}" height="{self.height:.0f}" fill="white"/>'
        return "\n".join([head, ground, *self.elements, "</svg>", ""])

    def save(self, file: Path) -> None:
        """Write the drawing."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.render())


def wide(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide words are, px."""
    letters = sum(CAPITAL if letter.isupper() else SMALL for letter in words)
    return letters * size * (BOLD if bold else 1)
