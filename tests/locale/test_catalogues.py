"""The catalogues are whole, agree with what the product says, and are read as gettext reads them."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from babel.messages.catalog import Catalog, Message

from tablectl.config.model import TableSection
from tablectl.core.decisions import KINDS
from tablectl.core.entries import LANGUAGES
from tablectl.errors import CatalogueError
from tablectl.locale import catalogue, read

TOOL = runpy.run_path(str(Path(__file__).parent / "catalogues.py"))
ADVICE = (
    "run `make messages`, then fill in what it names in tablectl/locale/<language>/LC_MESSAGES/tablectl.po"
)
FORMS = {"en": 2, "nl": 2, "it": 2, "ru": 3, "pl": 3}


@pytest.fixture(scope="module")
def template() -> Catalog:
    """Every message of the product."""
    return TOOL["template"]()


@pytest.fixture(scope="module")
def wanted(template: Catalog) -> set[tuple[str | None, str]]:
    """Every message of the product, as (context, id)."""
    return set(keyed(template))


def keyed(messages: Any) -> dict[tuple[str | None, str], Message]:
    """A catalogue's messages by context and (singular) id."""
    return {(each.context, ids(each)[0]): each for each in messages if each.id}


def ids(message: Message) -> tuple[str, ...]:
    """A message's id, and its plural's if it counts."""
    return message.id if isinstance(message.id, tuple) else (message.id,)


def texts(message: Message) -> tuple[str, ...]:
    """Its translation, in all forms."""
    return message.string if isinstance(message.string, tuple) else (message.string,)


def placeholders(text: str) -> list[str]:
    """The values a text names, each as often as it does."""
    return sorted(re.findall(r"\{\w+\}", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_a_translation(language: str, wanted: set[tuple[str | None, str]]) -> None:
    """Nothing that a dealer can read is missing from a language, in any plural form."""
    there = keyed(TOOL["read"](language))
    missing = [key for key in wanted if key not in there or not TOOL["said"](there[key].string)]
    assert sorted(missing, key=str) == [], f"{language}: {ADVICE}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_over(language: str, wanted: set[tuple[str | None, str]]) -> None:
    """No catalogue has a message that nobody says any more, one that is fuzzy, or one that is commented out."""
    found = TOOL["read"](language)
    assert sorted(set(keyed(found)) - wanted, key=str) == [], f"{language}: {ADVICE}"
    assert [each.id for each in found if each.id and each.fuzzy] == []
    assert list(found.obsolete) == []
    assert found.check  # each message once: Babel refuses doubles when it reads


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_name_the_same_values(language: str) -> None:
    """A translation has exactly the placeholders of its message, so that no seat number is lost or invented."""
    wrong = {}
    for message in TOOL["read"](language):
        for n, text in enumerate(texts(message) if message.id else ()):
            if placeholders(text) != placeholders(ids(message)[min(n, len(ids(message)) - 1)]):
                wrong[str(message.id)] = text
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_the_languages_own(language: str) -> None:
    """Russian and Polish have three forms, the others two, and every message that counts has all of them."""
    found = TOOL["read"](language)
    assert found.num_plurals == FORMS[language]
    counting = [message for message in found if message.pluralizable]
    assert counting
    assert {len(texts(message)) for message in counting} == {FORMS[language]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_look_alike(language: str) -> None:
    """A small beginning stays small, for it may stand inside a sentence; a sentence or a question ends as one."""
    wrong = []
    for message in TOOL["read"](language):
        for text in texts(message) if message.id else ():
            one = ids(message)[0]
            raised = one[0].islower() and text[0].isupper() and not text[1].isupper()  # GPIO is no beginning
            ends = any(one.endswith(sign) and not text.endswith(sign) for sign in ".?…")
            if raised or ends or text != text.strip() or "  " in text:
                wrong.append((one, text))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_reads_a_catalogue_as_gettext_does(language: str) -> None:
    """Our reader finds in each file what Babel's finds, but for what equals its id."""
    right = {}
    for (context, one), message in keyed(TOOL["read"](language)).items():
        said = list(texts(message)) if message.pluralizable else message.string
        if said != one:
            right[f"{context}\x04{one}" if context else one] = said
    assert catalogue(language) == right


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_in_its_one_form(language: str, template: Catalog) -> None:
    """`make messages` would change nothing: entries, order and line ends are as it writes them."""
    file = TOOL["path_of"](language)
    found = TOOL["read"](language)
    found.update(template, no_fuzzy_matching=True)
    assert TOOL["spelled"](found, language) == file.read_text(encoding="utf-8"), (
        f"{file}: run `make messages`"
    )


def test_the_languages_are_the_contracts() -> None:
    """The tool, the configuration and the inputs know the same five languages."""
    configured = get_args(TableSection.model_fields["language"].annotation)
    assert TOOL["LANGUAGES"] == LANGUAGES == configured


def test_every_hint_of_every_book_is_a_message(wanted: set[tuple[str | None, str]]) -> None:
    """What a rulebook says in words of its own is found by the tool, whichever way the hint is written."""
    books = sorted((TOOL["PACKAGE"] / "rulebooks").glob("??*.toml"))
    assert books
    for path in books:
        for row in tomllib.loads(path.read_text(encoding="utf-8")).get("rule", []):
            hint = row.get("hint", [])
            for each in [hint] if isinstance(hint, str) else hint:
                assert (None, each if isinstance(each, str) else each["say"]) in wanted, path


def test_every_kind_can_be_named_in_a_sentence(wanted: set[tuple[str | None, str]]) -> None:
    """ "This rulebook has no rule for …" takes the kind's name from the catalogue."""
    assert [kind for kind in KINDS if (None, kind.replace("_", " ")) not in wanted] == []


HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'


def test_what_is_fuzzy_empty_or_equal_is_said_in_english() -> None:
    """Only finished translations count; the others leave the message as it is."""
    text = (
        '# a comment\n#, fuzzy\nmsgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr ""\n\nmsgid "c"\nmsgstr "c"\n\n'
        'msgctxt "where"\nmsgid "d"\nmsgstr "y \\"z\\""\n\nmsgid ""\n"long "\n"one"\nmsgstr ""\n"v"\n"w\\n"\n\n'
        'msgid "n"\nmsgid_plural "ns"\nmsgstr[0] "1"\nmsgstr[1] ""\n\n#~ msgid "old"\n#~ msgstr "older"\n'
    )
    assert read(HEAD + text, "x.po") == {"where\x04d": 'y "z"', "long one": "vw\n"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('msgid "a"\nmsgstr "b\n', "x.po:6: this is no line of a catalogue"),
        ('msgid "a"\nmsgtext "b"\n', "x.po:6: this is no line of a catalogue"),
        ('"nobody\'s"\n', "x.po:5: this is no line of a catalogue"),
        ('msgid "a"\nmsgstr "b" c"\n', "x.po:6: a quote or a backslash is wrong"),
        ('msgid "a"\nmsgstr "b\\c"\n', "x.po:6: a quote or a backslash is wrong"),
    ],
)
def test_a_damaged_catalogue_is_named_with_its_line(text: str, says: str) -> None:
    """Whoever edits a catalogue is told where it broke."""
    with pytest.raises(CatalogueError, match=re.escape(says)):
        read(HEAD + text, "x.po")
