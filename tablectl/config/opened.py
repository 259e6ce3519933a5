"""What a display needs before it is opened to a network: TLS, and tokens.

Owns: which hosts are this machine's own, the checks of certificate, key and token file, the TLS context. Refuses: the
sockets (`shell.display`), and a display that is open to a network without them: there is no switch for that.

On loopback nothing is asked for: whoever can reach that has a user on the table computer. The table's own screen stays
there, on `local_port`, whatever the network may do.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl.config.faults import shortened
from tablectl.config.model import DisplaySection
from tablectl.config.tokens import read_tokens
from tablectl.errors import ABSENT, ConfigError, Fault

if TYPE_CHECKING:
    import ssl

LOOPBACK = "127.0.0.1"
OTHERS_MAY_READ = 0o004
_HOST = re.compile(r"[^\s/]+")
"""What is none is told as a fault of `host` alone."""


def is_loopback(host: str) -> bool:
    """True for an address that leads nowhere but to this machine. A name may lead anywhere, all but `localhost`."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_every(host: str) -> bool:
    """True for an address that stands for every one of this machine, loopback too."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def at(folder: Path, display: DisplaySection) -> DisplaySection:
    """The same section with its paths taken from that folder."""
    paths = {name: getattr(display, name) for name in ("certificate", "key", "tokens")}
    return display.model_copy(
        update={name: folder / path for name, path in paths.items() if path is not None}
    )


def opened_faults(display: Mapping[str, Any], folder: Path, shown: str) -> Iterator[Fault]:
    """What is missing before the display may be opened as its section says; nothing while it stays on loopback."""
    host = display.get("host", LOOPBACK)
    if not isinstance(host, str) or is_loopback(host) or not _HOST.fullmatch(host):
        return
    files: dict[str, Path] = {}
    for key, what in (
        ("certificate", "the path of a certificate chain"),
        ("key", "the path of its private key"),
    ):
        given = display.get(key, ABSENT)
        if given is ABSENT:
            right = (
                f"is missing: host = {shortened(host, 60)!r} opens the display to a network, and that takes TLS and "
                f"tokens; must be {what} (PEM). Without host only this machine sees the display"
            )
            yield Fault(shown, f"display.{key}", ABSENT, right)
        elif isinstance(given, str):
            files[key] = folder / given
    if len(files) == 2:
        yield from _tls_faults(files["certificate"], files["key"], shown)
    named = display.get("tokens", str(DisplaySection.model_fields["tokens"].default))
    if isinstance(named, str) and named:
        yield from _token_faults(folder / named, named, shown)
    port = display.get("port", DisplaySection.model_fields["port"].default)
    if is_every(host) and port and port == display.get("local_port", _LOCAL_PORT):
        right = (
            f"is the port of the table's own screen, too (local_port), and {host} is every address of this machine; "
            "choose another, such as 8443"
        )
        yield Fault(shown, "display.port", port, right)


def opened_notes(display: Mapping[str, Any]) -> Iterator[str]:
    """What stands there and is of no use."""
    if {"certificate", "key"} & display.keys() and is_loopback(str(display.get("host", LOOPBACK))):
        yield "display.host is this machine alone: certificate and key are not used"


_LOCAL_PORT = DisplaySection.model_fields["local_port"].default


def _tls_faults(certificate: Path, key: Path, shown: str) -> Iterator[Fault]:
    try:
        context_of(certificate, key)
    except ConfigError as error:
        for each in error.faults:
            yield Fault(shown, f"display.{each.key}", each.value, each.right)
        return
    if key.stat().st_mode & OTHERS_MAY_READ:
        right = "holds the private key, and every user of this machine may read it: chmod o-r it"
        yield Fault(shown, "display.key", str(key), right)


def _token_faults(path: Path, named: str, shown: str) -> Iterator[Fault]:
    tokens, faults = read_tokens(path)
    make = f"tablectl display token {shown} --role floor --name WHO makes one"
    for each in faults:
        if each.key:
            yield each
        else:
            yield Fault(shown, "display.tokens", named, f"{each.right} ({path}); {make}")
    if not tokens and not faults:
        yield Fault(shown, "display.tokens", named, f"has no token, so nobody could come in; {make}")


def context_of(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS 1.2 and newer with that certificate. ConfigError, whose keys are `certificate` and `key`, if it cannot be."""
    import ssl  # a table that stays on loopback starts without it

    for name, path in (("certificate", certificate), ("key", key)):
        try:
            path.open("rb").close()
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise ConfigError([Fault(str(path), name, str(path), f"cannot be read: {why}")]) from None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_COMPRESSION | ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(certificate, key, password=_no_passphrase)
    except (ssl.SSLError, ValueError) as error:
        right = "must be a certificate chain and its private key, both PEM, the key without a passphrase: "
        why = getattr(error, "reason", None) or str(error)
        raise ConfigError([Fault(str(certificate), "certificate", str(certificate), right + why)]) from None
    return context


def _no_passphrase() -> str:
    """Nobody is there to type one when a table starts."""
    raise ValueError("the key is under a passphrase")
