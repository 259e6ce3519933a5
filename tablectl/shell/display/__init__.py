"""The dealer's display: a small web server on loopback and the page it serves.

Owns: HTTP of one table (`GET /`, `/events`, `/state`, `/metrics`, `/healthz`, `POST /input`) and the page.
Refuses: what is shown (the state comes from the core) and what an input means (it hands inputs on).
"""

from __future__ import annotations

from tablectl.shell.display.server import Display

__all__ = ["Display"]
