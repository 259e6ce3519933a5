"""A display that is open to a network, and what tests need to come in.

The certificate is made for tests alone: self-signed, for loopback and t12.floor.example, valid for a hundred years. Its
key is no secret.
"""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path

from tablectl.config.tokens import ROLES, make_token
from tablectl.shell.display import Opened

FILES = Path(__file__).parent / "tls"
CERTIFICATE = FILES / "table.pem"


def key_in(folder: Path, name: str = "table.key") -> Path:
    """The certificate's key, or another one, as a table needs it: for its owner alone."""
    key = folder / name
    shutil.copy(FILES / name, key)
    key.chmod(0o600)
    return key


def opened(folder: Path) -> tuple[Opened, dict[str, str]]:
    """Where the display is open, on a free port, and a token for each role."""
    tokens = {role: make_token(folder / "display.tokens", role, f"{role}-1") for role in ROLES}
    names = ("t12.floor.example",)
    return Opened("127.0.0.1", 0, CERTIFICATE, key_in(folder), folder / "display.tokens", names), tokens


def trust() -> ssl.SSLContext:
    """Trusts the certificate of the tests, and no other."""
    return ssl.create_default_context(cafile=str(CERTIFICATE))
