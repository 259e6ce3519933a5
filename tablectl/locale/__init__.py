"""The catalogues: what the table says, in each language.

Owns: `<language>/LC_MESSAGES/tablectl.po` and reading them. Refuses: choosing a wording (the page does) and making
catalogues (`make messages` does).

A catalogue is gettext's text file, read as it stands: there is no compiled copy that could be missing or old, and
who corrects a word needs no tool. What a translator has marked as fuzzy or left empty is said in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files

from tablectl.errors import CatalogueError

Catalogue = dict[str, str | list[str]]
"""Message id → its text, or its plural forms in gettext's order. With a context: context, U+0004, id."""

_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d)\])? )?(".*")')


def catalogue(language: str) -> Catalogue:
    """What differs from the message ids, which are English. Raises CatalogueError if the file is damaged."""
    file = files("tablectl.locale") / language / "LC_MESSAGES" / "tablectl.po"
    return read(file.read_text(encoding="utf-8"), f"{language}/LC_MESSAGES/tablectl.po")


def read(text: str, name: str) -> Catalogue:
    """The messages of a catalogue; `name` is for the error, which also names the line."""
    found: Catalogue = {}
    for parts in _entries(text, name):
        key = f"{parts['msgctxt']}\x04{parts['msgid']}" if "msgctxt" in parts else parts.get("msgid", "")
        forms = [said for part, said in parts.items() if part.startswith("msgstr")]
        if not key or not all(forms):
            continue
        if "msgid_plural" in parts:
            found[key] = forms
        elif forms[0] != parts["msgid"]:
            found[key] = forms[0]
    return found


def _entries(text: str, name: str) -> Iterator[dict[str, str]]:
    """Each entry that counts, as its parts: msgctxt, msgid, msgid_plural, msgstr or msgstr0, msgstr1, …"""
    parts: dict[str, str] = {}
    part, fuzzy = "", False
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.startswith("#"):
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
        elif not line.strip():
            if parts and not fuzzy:
                yield parts
            parts, part, fuzzy = {}, "", False
        else:
            match = _LINE.fullmatch(line.strip())
            if match is None or not (match[1] or part):
                raise CatalogueError(f"{name}:{number}: this is no line of a catalogue: {line.strip()[:60]}")
            part = (match[1] + (match[2] or "")) if match[1] else part
            parts[part] = parts.get(part, "") + _unquoted(match[3], f"{name}:{number}")


def _unquoted(text: str, where: str) -> str:
    try:
        return str(json.loads(text))  # gettext and JSON escape alike what a catalogue holds: \n \t \" \\
    except ValueError:
        raise CatalogueError(f"{where}: a quote or a backslash is wrong here: {text[:60]}") from None
