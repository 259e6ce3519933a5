"""Which messages there are, and bringing them into the catalogues: what `make messages` runs.

Messages are found where they are written: in the page's scripts, in the code (`Said(…)`) and in the hints of the
rulebooks. A new one gets an empty translation in each language, one that nobody says any more goes.
"""

from __future__ import annotations

import io
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parents[2] / "tablectl"
LANGUAGES = ("en", "nl", "it", "ru", "pl")
SCRIPTS = {"say": None, "many": (1, 2), "form": ((1, "c"), 2)}
"""The page's functions and which of their arguments are ids, a plural's second one, a context."""
NOT_KEPT = ("POT-Creation-Date", "PO-Revision-Date", "Last-Translator", "Generated-By", "Project-Id-Version",
            "Report-Msgid-Bugs-To", "Language-Team")  # fmt: skip
"""Headers that would change with every run or say nothing."""


def path_of(language: str) -> Path:
    """A language's catalogue."""
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "tablectl.po"


def template() -> Catalog:
    """Every message of the product, with the file that says it."""
    found = Catalog(fuzzy=False, header_comment="")
    for path in sorted(PACKAGE.rglob("*")):
        for message, context in _messages(path):
            found.add(message, locations=[(str(path.relative_to(PACKAGE)), 0)], context=context)
    return found


def _messages(path: Path) -> Iterator[tuple[Any, str | None]]:
    if path.suffix == ".toml" and path.parent.name == "rulebooks":
        for hint in hints(tomllib.loads(path.read_text(encoding="utf-8"))):
            yield hint, None
    elif path.suffix in {".js", ".py"}:
        method, words = ("javascript", SCRIPTS) if path.suffix == ".js" else ("python", {"Said": None})
        with path.open("rb") as source:
            for _, message, _, context in extract(method, source, keywords=words):
                yield message, context


def hints(book: dict[str, Any]) -> Iterator[str]:
    """What a rulebook says to the dealer in words of its own."""
    for row in (*book.get("rule", ()), *book.get("silent", ())):
        hint = row.get("hint") or ()
        yield from (hint,) if isinstance(hint, str) else (each["say"] for each in hint)


def read(language: str) -> Catalog:
    """A catalogue as it stands; an empty one if the language has none yet."""
    if not path_of(language).exists():
        return Catalog(locale=Locale(language))
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def spelled(catalogue: Catalog, language: str) -> str:
    """The catalogue's file in its one form: as the files come, without dates, lines of 110 characters."""
    out = io.BytesIO()
    catalogue.fuzzy = False
    catalogue.header_comment = f"# What the table says in {Locale(language).get_language_name('en')}."
    write_po(out, catalogue, width=110, include_lineno=False, ignore_obsolete=True, include_previous=False)
    lines = out.getvalue().decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(tuple(f'"{name}' for name in NOT_KEPT)))


def write(catalogue: Catalog, language: str) -> None:
    """Writes a language's catalogue."""
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    path_of(language).write_text(spelled(catalogue, language), encoding="utf-8")


def main() -> int:
    """Updates every catalogue and says what is left to translate; 1 if anything is."""
    left = 0
    for language in LANGUAGES:
        catalogue = read(language)
        catalogue.update(template(), no_fuzzy_matching=True)
        for message in catalogue:
            if language == "en" and message.id and not said(message.string):
                message.string = message.id
        write(catalogue, language)
        empty = [message.id for message in catalogue if message.id and not said(message.string)]
        for each in empty:
            print(f"{path_of(language).relative_to(PACKAGE.parent)}: no translation of {each!r}")  # noqa: T201
        left += len(empty)
    return 1 if left else 0


def said(string: Any) -> bool:
    """Whether a translation is there, with all its plural forms."""
    return bool(string) and (isinstance(string, str) or all(string))


if __name__ == "__main__":
    sys.exit(main())
