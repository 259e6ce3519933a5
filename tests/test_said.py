"""A sentence that can be said in another language is an ordinary text for everybody else."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from tablectl.errors import LinkError, UsageError
from tablectl.said import Said, said_by, say


def test_it_is_the_english_text() -> None:
    """Logs, journals and comparisons see a plain text."""
    text = Said("reader {reader} is lost", reader=1)
    assert text == "reader 1 is lost"
    assert f"{text}!" == "reader 1 is lost!"
    assert json.dumps([text]) == '["reader 1 is lost"]'
    assert str(UsageError(text)) == "reader 1 is lost"


def test_it_remembers_how_it_was_made() -> None:
    """The message id and the values go to the page, a value that can be translated in the same form."""
    text = Said("port {port}: {why}", port=7, why=Said("it is held by {who}", who="minicom"))
    assert text == "port 7: it is held by minicom"
    made = ["port {port}: {why}", {"port": "7", "why": ["it is held by {who}", {"who": "minicom"}]}]
    assert say(text) == {"say": made}
    assert json.loads(json.dumps(say(text))) == {"say": made}
    assert say("a plain text") == say(None) == {}


def test_an_error_keeps_it() -> None:
    """What an exception was raised with comes out again; an exception with more to it gives its text."""
    text = Said("port {port} is not there", port="/dev/x")
    assert said_by(LinkError(text)) is text
    assert say(said_by(UsageError("plain"))) == {}
    assert said_by(OSError(2, "no such file")) == "[Errno 2] no such file"


def test_braces_of_a_text_without_values_stay() -> None:
    """A house's hint may hold any sign."""
    assert Said("{x} {") == "{x} {"


def test_a_value_that_is_not_given_is_a_mistake_of_ours() -> None:
    """A message that names a value must get it."""
    with pytest.raises(KeyError):
        Said("seat {seat}", place=3)


def test_it_can_be_copied_and_sent() -> None:
    """Copies and pickles are the same sentence."""
    text = Said("seat {seat}", seat=3)
    for other in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert (other, other.as_json()) == (text, text.as_json())
