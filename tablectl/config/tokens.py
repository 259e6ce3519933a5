"""The token file of a display that is opened to a network: who may come in, and as what.

Owns: the file's lines (role, name, SHA-256 of the token), making a token, taking one away. Refuses: what a role may do
(`shell.display.roles`), and keeping a token itself: it is shown once, to whoever made it, and stands nowhere.

A token is 256 random bits, so its plain hash tells nobody anything: there is nothing to guess that a slow hash would
have to protect.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tablectl.config.faults import MAX_BYTES, shortened
from tablectl.errors import ConfigError, Fault
from tablectl.whole import write_whole

ROLES = ("dealer", "floor", "technician")
TOKEN_BYTES = 32
"""Random bytes of a token: as many bits as its hash has."""
MOST = 200
"""Tokens of one table at most; each request that brings one is compared with all."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_HEAD = (
    "# Who may see and enter what at this table's display over the network: role, name, hash of the token.\n"
    "# tablectl display token makes a line; taking a line away shuts its token out within seconds.\n"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One line of the file."""

    role: str
    name: str
    digest: bytes


def digest_of(token: str) -> bytes:
    """SHA-256 of a token as somebody shows it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def holder(tokens: Sequence[Token], shown: str) -> Token | None:
    """Whose token that is. Each is compared in full, so that the time taken says nothing about any of them."""
    digest, found = digest_of(shown), None
    for each in tokens:
        if hmac.compare_digest(each.digest, digest):
            found = each
    return found


def tokens_in(text: str, shown: str) -> tuple[tuple[Token, ...], list[Fault]]:
    """The tokens in the text of a file that is called `shown`, and what is wrong with its other lines."""
    tokens: dict[str, Token] = {}
    faults: list[Fault] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        right = _wrong(words, tokens)
        if right is None:
            role, name, digest = words
            tokens[name] = Token(role, name, bytes.fromhex(digest.removeprefix("sha256:")))
        else:
            faults.append(Fault(shown, f"line {number}", shortened(line.strip(), 40), right))
    return tuple(tokens.values()), faults


def _wrong(words: Sequence[str], tokens: dict[str, Token]) -> str | None:
    if len(words) != 3 or not _DIGEST.fullmatch(words[2]):
        return "must be a role, a name and sha256:… of a token, as tablectl display token writes it"
    if words[0] not in ROLES:
        return f"the role must be one of {', '.join(ROLES)}"
    if not NAME.fullmatch(words[1]):
        return "the name must be letters, digits, dots, dashes, 40 at most"
    if words[1] in tokens:
        return f"there is a token called {words[1]!r} already"
    return f"a table has {MOST} tokens at most" if len(tokens) >= MOST else None


def read_tokens(path: Path) -> tuple[tuple[Token, ...], list[Fault]]:
    """The tokens in that file, and everything that is wrong with it. A file that is not there is a fault, too."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        text = raw.decode()
    except FileNotFoundError:
        return (), [Fault(str(path), "", "", "no such file")]
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or a NUL in the name
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        return (), [Fault(str(path), "", "", f"cannot be read: {why}")]
    if len(raw) > MAX_BYTES:
        return (), [Fault(str(path), "", "", "is too large to be a token file")]
    return tokens_in(text, str(path))


def make_token(path: Path, role: str, name: str) -> str:
    """A new token, whose hash is added to the file; a file that is not there is made. OSError if it cannot be written.

    Raises ConfigError if the file is faulty, or cannot take that role and name.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else _HEAD
    token = secrets.token_urlsafe(TOKEN_BYTES)
    line = f"{role} {name} sha256:{digest_of(token).hex()}\n"
    text = f"{text}{'' if text.endswith(chr(10)) else chr(10)}{line}"
    _, faults = tokens_in(text, str(path))
    if faults:
        raise ConfigError(faults)
    write_whole(path, text)
    return token


def revoke(path: Path, name: str) -> bool:
    """Takes the token of that name out of the file. False if there is none; OSError if it cannot be read or written."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line.lstrip().startswith("#") or line.split()[1:2] != [name]]
    if len(kept) == len(lines):
        return False
    write_whole(path, "".join(kept))
    return True
