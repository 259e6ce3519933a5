"""The tokens that are good now, and the browsers that were signed in with them.

Owns: keeping the token file in memory and in step with the disk; sessions. Refuses: the file's lines
(`config.tokens`), and what a role may (`roles`).

A session is a random number in a cookie. It is known here by its hash alone, in memory alone: it ends after SESSION_S,
with its token, and with the process. So nothing that is stolen from the disk signs anybody in.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tablectl.config.tokens import TOKEN_BYTES, Token, digest_of, holder, tokens_in
from tablectl.shell.display.roles import Visitor

SESSION_S = 12 * 3600
"""How long a browser stays signed in, s: a shift and its overtime."""
SESSIONS = 64
"""Browsers that are signed in at one time; the first that came is signed out for the next."""
RELOAD_S = 5.0
"""How often the token file is looked at, s."""

log = logging.getLogger("tablectl.display")


@dataclass(frozen=True, slots=True)
class _Session:
    token: Token
    ends: float


class Keyring:
    """Who may come in. It belongs to the running loop; `changed` is called when a token is taken away."""

    def __init__(
        self,
        path: Path,
        tokens: tuple[Token, ...],
        changed: Callable[[], None],
        *,
        session_s: float = SESSION_S,
    ) -> None:
        self._path = path
        self._tokens = tokens
        self._changed = changed
        self._session_s = session_s
        self._sessions: OrderedDict[bytes, _Session] = OrderedDict()
        self._loop = asyncio.get_running_loop()
        self._said = ""

    def bearer(self, token: str) -> Visitor | None:
        """Whose token that is."""
        found = holder(self._tokens, token)
        return None if found is None else _visitor(found)

    def sign_in(self, token: str) -> tuple[str, Visitor] | None:
        """A new session for whoever has that token: what its cookie holds, and the visitor."""
        found = holder(self._tokens, token)
        if found is None:
            return None
        if len(self._sessions) >= SESSIONS:
            self._sessions.popitem(last=False)
        session = secrets.token_urlsafe(TOKEN_BYTES)
        self._sessions[digest_of(session)] = _Session(found, self._loop.time() + self._session_s)
        return session, _visitor(found)

    def sign_out(self, session: str) -> None:
        """The session is over."""
        self._sessions.pop(digest_of(session), None)

    def session(self, session: str) -> Visitor | None:
        """Whose session that is, if it is not over. (Found by its hash, which tells nobody how near a guess was.)"""
        kept = self._sessions.get(digest_of(session))
        if kept is None or kept.ends <= self._loop.time() or kept.token not in self._tokens:
            return None
        return _visitor(kept.token)

    async def keep(self) -> None:
        """Follows the file until cancelled. The disk is waited for in a thread."""
        while True:
            await asyncio.sleep(RELOAD_S)
            await self.look()

    async def look(self) -> None:
        """Takes up the file as it is now. Lines that are wrong let nobody in, and a file that is gone nobody at all; a
        disk that cannot be read changes nothing."""
        try:
            text = await asyncio.to_thread(self._path.read_text, encoding="utf-8", errors="replace")
        except FileNotFoundError:
            text = ""
        except OSError as error:
            self._say(f"{self._path}: {error.strerror}; the tokens that were read last stay good")
            return
        tokens, faults = tokens_in(text, str(self._path))
        self._say("; ".join(map(str, faults[:3])))
        before, self._tokens = self._tokens, tokens
        if set(before) - set(tokens):
            self._changed()

    def _say(self, text: str) -> None:
        """Once, not with every look."""
        if text and text != self._said:
            log.warning("display: %s", text)
        self._said = text


def _visitor(token: Token) -> Visitor:
    return Visitor(token.role, token.name)
