"""The dealer's display: a small web server on loopback, and where a house wants that, over TLS for its network.

Owns: HTTP of one table (`GET /`, `/events`, `/state`, `/metrics`, `/healthz`, `POST /input`), the pages, and who may.

A request comes through `doors` (connections, TLS, deadlines), `guard` (names, origins, sizes, rates) and, from a
network, `doorkeeper` (tokens and roles) to a route of `server`.
Refuses: what is shown (the state comes from the core) and what an input means (it hands inputs on).
"""

from __future__ import annotations

from tablectl.shell.display.server import Display, Opened

__all__ = ["Display", "Opened"]
